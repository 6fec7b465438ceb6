// The money pump runs by itself: one trade after the other, until the end or until it is stopped.
"use strict";

(() => {
  const PAUSE = 900;
  let timer = 0;

  const step = async () => {
    const controls = document.getElementById("pump-controls");
    const next = controls && controls.dataset.next;
    if (!timer || !next) { stop(); return; }
    await Plywright.visit(next, "false");
    history.replaceState(history.state, "", next);  // one way back, however many trades were shown
    if (timer) timer = setTimeout(step, PAUSE);
  };
  const show = () => {
    const button = document.getElementById("pump-play");
    if (!button) return;
    button.hidden = false;
    button.disabled = !timer && !document.getElementById("pump-controls").dataset.next;
    button.textContent = timer ? "pause" : "▶ play";
  };
  const stop = () => { clearTimeout(timer); timer = 0; show(); };

  document.addEventListener("click", event => {
    if (event.target.closest("#pump-play")) {
      if (timer) { stop(); return; }
      timer = setTimeout(step, 50);
      show();
    } else if (event.target.closest("a, form button")) stop();
  });
  Plywright.behaviours.pump = show;
})();
