// The evaluation bench: the page follows a weight while it is typed.
"use strict";

Plywright.behaviours["bench-weights"] = form => {
  let due = null;
  form.oninput = event => {
    const number = Number(event.target.value.replace("×", ""));
    clearTimeout(due);
    if (event.target.value.trim() === "" || !Number.isFinite(number)) return;
    due = setTimeout(() => Plywright.visit("/bench?" + new URLSearchParams(new FormData(form)), "false"), 350);
  };
};
