// Stepping through a recorded game with the arrow keys; the list of moves follows.
"use strict";

(() => {
  Plywright.behaviours.replay = () => {
    const here = document.querySelector(".moves .here"), list = document.querySelector(".moves");
    if (here) list.scrollTop = here.offsetTop - list.clientHeight / 2;
  };
  document.addEventListener("keydown", event => {
    const id = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "end" }[event.key];
    if (!id || event.ctrlKey || event.metaKey || event.altKey || !document.getElementById("replay")) return;
    const link = document.getElementById(id);
    if (link?.tagName === "A") { event.preventDefault(); link.click(); }
  });
})();
