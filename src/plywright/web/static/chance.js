// The tree of a decision is wide: show its root first. Nodes of the tree are links inside a picture.
"use strict";

(() => {
  const centre = element => {
    const root = element.querySelector("g[id='tree-']");
    const address = location.search;
    if (!root || element.dataset.centred === address) return;
    element.dataset.centred = address;
    const box = root.getBoundingClientRect(), frame = element.getBoundingClientRect();
    element.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
  };
  Plywright.behaviours.centre = centre;
  document.addEventListener("click", event => {
    const link = event.target.closest(".tree a");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    Plywright.visit(link.getAttribute("href"));
  });
  document.addEventListener("plywright:parts", () => document.querySelectorAll("[data-behaviour~=centre]").forEach(centre));
})();
