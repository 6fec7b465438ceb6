// The sliders of the gallery: the curves follow while they are moved.
"use strict";

Plywright.behaviours["gallery-sliders"] = form => {
  let due = null;
  form.querySelector("button").hidden = true;
  form.oninput = event => {
    event.target.nextElementSibling.textContent = event.target.value;
    clearTimeout(due);
    due = setTimeout(() => Plywright.visit("/gallery/orders?" + new URLSearchParams(new FormData(form)), "false"), 120);
  };
};
