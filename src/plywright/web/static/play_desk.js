// The desk around a board: keys, the bar of winning chances, arrows, small boards of lines, and pieces that move.
"use strict";

(() => {
  const behaviours = Plywright.behaviours;
  const SVG = "http://www.w3.org/2000/svg";
  const UNSURE = 0.2;                // shares below are nobody's
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // -- keys ---------------------------------------------------------------------------------------------------

  const DIRECTIONS = ["up", "right", "down", "left", "north", "east", "south", "west"];
  const directed = () => [...document.querySelectorAll("#choices button")]
    .some(one => DIRECTIONS.includes(one.value.toLowerCase()));

  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest("input, textarea, select, dialog[open], [data-place]")) return;   // one just closed may have the focus still
    if (event.key === " " && event.target.closest("button, a, summary")) return;
    if (event.key.startsWith("Arrow") && (directed() || event.target.closest(".moves, .wide"))) return;
    const key = event.key === " " ? "Space" : event.key;
    if (Plywright.asking) {
      if (meant(key)) event.preventDefault();
      if (pressed.length < 8) pressed.push(key);
    } else if (meant(key)) {
      event.preventDefault();
      meant(key).click();
    }
  });

  // A key that is pressed while the next page is on its way means what that one shows: it waits for it.
  const pressed = [];
  const meant = key => document.querySelector(`[data-key~="${CSS.escape(key)}"]`);
  document.addEventListener("htmx:finally:request", () => {
    while (pressed.length && !Plywright.asking && !document.querySelector("dialog[open]")) meant(pressed.shift())?.click();
  });

  behaviours.desk = desk => {
    for (const opener of desk.querySelectorAll("[data-opens]")) {
      opener.hidden = false;
      opener.onclick = () => document.getElementById(opener.dataset.opens).showModal();
    }
    territory();
    arrows();
  };

  // -- the bar and the arrows -----------------------------------------------------------------------------------

  behaviours.chances = bar => share(bar, bar.dataset.share);

  function share(bar, percent) {
    bar.style.setProperty("--share", `${percent}%`);
    bar.setAttribute("aria-valuenow", percent);
    bar.querySelector("span").textContent = `${Math.min(Math.max(Math.round(percent), 1), 99)}`;
    if (Number(percent) === 100 || Number(percent) === 0) bar.querySelector("span").textContent = "";
  }

  // The middle of a place in the coordinates of its picture.
  function centre(svg, name) {
    const place = [...svg.querySelectorAll("[data-place]")].find(one => one.dataset.place === name);
    if (!place) return null;
    const box = place.firstElementChild.getBoundingClientRect();
    const point = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
    return { at: point.matrixTransform(svg.getScreenCTM().inverse()), size: Math.min(box.width, box.height) };
  }

  function made(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function arrow(from, to, rank) {
    const [dx, dy] = [to.x - from.x, to.y - from.y], length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / length, dy / length], head = Math.min(16, length * 0.45);
    const at = (along, aside) => `${from.x + ux * along - uy * aside},${from.y + uy * along + ux * aside}`;
    const points = [at(10, -4), at(length - head, -4), at(length - head, -10), at(length, 0), at(length - head, 10),
                    at(length - head, 4), at(10, 4)];
    return made("polygon", { points: points.join(" "), class: `play-arrow rank-${rank}` });
  }

  function arrows() {
    const svg = document.querySelector("#board > svg");
    if (!svg) return;
    const said = document.querySelector("#lines [data-arrows]"), drawn = svg.querySelector(".play-arrows");
    if (said && drawn?.dataset.arrows === said.dataset.arrows) return;
    drawn?.remove();
    if (!said) return;
    const layer = made("g", { class: "play-arrows", "data-arrows": said.dataset.arrows });
    JSON.parse(said.dataset.arrows).forEach((places, rank) => {
      const [first, last] = [centre(svg, places[0]), centre(svg, places.at(-1))];
      if (!first || !last) return;
      if (places.length > 1) layer.prepend(arrow(first.at, last.at, rank));
      else layer.append(
        made("circle", { cx: first.at.x, cy: first.at.y, r: 13, class: `play-arrow rank-${rank}` }),
        made("text", { x: first.at.x, y: first.at.y + 5, class: "play-rank" }, String(rank + 1)));
    });
    svg.append(layer);
  }

  // Whose each place will be: a square on it, as large as that is sure.
  function territory() {
    const said = document.querySelector(".desk[data-territory] #lines [data-owners]");
    const owners = said ? JSON.parse(said.dataset.owners) : {}, marks = [];
    for (const place of document.querySelectorAll("#board [data-place]")) {
      const share = owners[place.dataset.place] ?? 0, box = place.firstElementChild.getBBox();
      const side = Math.abs(share) < UNSURE ? 0 : Math.min(box.width, box.height) * 0.4 * Math.sqrt(Math.abs(share));
      marks.push([place, side, {
        x: box.x + (box.width - side) / 2, y: box.y + (box.height - side) / 2, width: side, height: side,
        class: `play-owner ${share > 0 ? "of-first" : "of-second"}`,
      }]);
    }
    for (const [place, side, looks] of marks) {          // once all is measured
      const mark = place.querySelector(":scope > .play-owner");
      if (!side) mark?.remove();
      else if (!mark) place.append(made("rect", looks));
      else for (const [key, value] of Object.entries(looks)) mark.setAttribute(key, value);
    }
  }

  document.addEventListener("plywright:parts", () => {
    const said = [...document.querySelectorAll("#lines [data-share], #thought [data-share], #advice [data-share]")]
      .find(one => one.dataset.share);
    const bar = document.getElementById("bar");
    if (said && bar) share(bar, said.dataset.share);
    territory();
    arrows();
  });

  // -- a small board of the position that a line leads to ----------------------------------------------------------

  function preview(button) {
    const place = document.getElementById("preview"), desk = document.querySelector(".desk");
    if (!place || !desk) return;
    place.hidden = !button;
    if (!button) return;
    const image = new Image();
    image.alt = "";
    image.src = `${desk.dataset.base}/preview?ply=${desk.dataset.ply}&moves=${button.value}`;
    place.replaceChildren(image);
    const box = button.getBoundingClientRect();
    const most = document.documentElement.clientWidth - place.offsetWidth - 8;
    place.style.left = `${Math.max(Math.min(box.left, most), 8)}px`;
    place.style.top = `${box.top > 250 ? box.top - 236 : box.bottom + 8}px`;
  }

  for (const [over, out] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
    document.addEventListener(over, event => {
      const button = event.target.closest?.(".said-move[value]");
      if (button) preview(button);
    });
    document.addEventListener(out, event => { if (event.target.closest?.(".said-move")) preview(null); });
  }
  document.addEventListener("click", event => { if (event.target.closest?.(".said-move")) preview(null); });

  // -- pieces that move -----------------------------------------------------------------------------------------------

  // How the pieces of a board look and where they are: what is compared with the next board.
  function pieces(svg) {
    const found = new Map();
    for (const place of svg.querySelectorAll("[data-place]")) {
      const piece = place.querySelector(":scope > [data-upright]");
      if (!piece || found.has(place.dataset.place)) continue;
      const shapes = [...piece.querySelectorAll("*")].filter(one => !/last|dot/.test(one.getAttribute("class") || ""));
      const look = shapes.map(one => `${one.tagName}.${one.getAttribute("class")}.${one.textContent}`).join();
      found.set(place.dataset.place, { piece, look, box: piece.getBoundingClientRect() });
    }
    return found;
  }

  const middle = box => [box.x + box.width / 2, box.y + box.height / 2];
  let before = null;

  function glide(piece, from, to) {
    const inverse = piece.parentNode.getScreenCTM()?.inverse();
    if (!inverse) return;
    const [x, y] = [from[0] - to[0], from[1] - to[1]];
    const shift = [inverse.a * x + inverse.c * y, inverse.b * x + inverse.d * y];
    piece.animate([{ transform: `translate(${shift[0]}px, ${shift[1]}px)` }, { transform: "translate(0, 0)" }],
                  { duration: 220, easing: "ease-out", composite: "add" });
  }

  function turn(piece) {
    piece.style.transformBox = "fill-box";
    piece.style.transformOrigin = "center";
    piece.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0.05)" }, { transform: "scaleX(1)" }],
                  { duration: 320, easing: "ease-in-out" });
  }

  function appear(piece) {
    piece.style.transformBox = "fill-box";
    piece.style.transformOrigin = "center";
    piece.animate([{ transform: "scale(0.3)", opacity: 0.2 }, { transform: "scale(1)", opacity: 1 }],
                  { duration: 180, easing: "ease-out" });
  }

  function animate(svg) {
    const now = pieces(svg), gone = [], changed = [...now].filter(([name, one]) => before.get(name)?.look !== one.look);
    for (const [name, one] of before) if (now.get(name)?.look !== one.look) gone.push({ name, ...one });
    if (changed.length > 40) return;                     // another position altogether
    for (const [name, one] of changed) {
      const from = gone.findIndex(other => other.look === one.look && other.name !== name);
      if (from >= 0) glide(one.piece, middle(gone.splice(from, 1)[0].box), middle(one.piece.getBoundingClientRect()));
      else if (before.has(name)) turn(one.piece);
      else if (svg.querySelector("[data-falls]")) {
        const [x, y] = middle(one.piece.getBoundingClientRect());
        glide(one.piece, [x, svg.getBoundingClientRect().y], [x, y]);
      } else appear(one.piece);
    }
  }

  function roll(svg) {
    for (const die of svg.querySelectorAll("[data-die]")) {
      die.style.transformBox = "fill-box";
      die.style.transformOrigin = "center";
      die.animate([{ transform: "rotate(-200deg) scale(0.6)" }, { transform: "rotate(0) scale(1)" }],
                  { duration: 380, easing: "cubic-bezier(.2, .8, .3, 1)" });
    }
  }

  const diced = svg => [...svg.querySelectorAll("[data-die]")].map(die => die.dataset.die).join();
  let thrown = "";

  document.addEventListener("htmx:before:swap", () => {
    const svg = document.querySelector("#board > svg");
    before = svg ? pieces(svg) : null;
    thrown = svg ? diced(svg) : "";
  });
  document.addEventListener("htmx:after:swap", () => {
    const svg = document.querySelector("#board > svg");
    if (!svg || !before || calm.matches) return;
    if (diced(svg) && diced(svg) !== thrown) roll(svg);
    animate(svg);
    before = null;
  });

  // -- the look: kept in this browser ----------------------------------------------------------------------------------

  const chosen = name => localStorage.getItem(`plywright-${name}`) || "";
  const dress = () => { document.documentElement.dataset.theme = chosen("theme") || "wood"; };
  dress();

  behaviours.look = dialog => {
    const theme = dialog.querySelector("#theme"), sounds = dialog.querySelector("#sounds");
    theme.value = chosen("theme") || "wood";
    sounds.checked = chosen("sounds") === "yes";
    theme.onchange = () => { localStorage.setItem("plywright-theme", theme.value); dress(); };
    sounds.onchange = () => { localStorage.setItem("plywright-sounds", sounds.checked ? "yes" : ""); if (sounds.checked) knock(); };
    dialog.querySelector("#full-screen").onclick = () => {
      dialog.close();
      if (document.fullscreenElement) document.exitFullscreen(); else document.documentElement.requestFullscreen?.();
    };
  };

  let audio = null;

  // A short knock, as of a piece on wood.
  function knock() {
    audio ??= new AudioContext();
    const tone = audio.createOscillator(), volume = audio.createGain(), now = audio.currentTime;
    tone.type = "triangle";
    tone.frequency.setValueAtTime(320, now);
    tone.frequency.exponentialRampToValueAtTime(110, now + 0.07);
    volume.gain.setValueAtTime(0.25, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + 0.1);
    tone.connect(volume).connect(audio.destination);
    tone.start(now);
    tone.stop(now + 0.11);
  }

  let heard = "";
  document.addEventListener("htmx:after:swap", () => {
    const count = `${location.pathname} ${document.querySelectorAll("#moves li").length}`;
    if (heard && count !== heard && chosen("sounds") === "yes" && document.getElementById("board")) knock();
    heard = count;
  });

  // -- dragging --------------------------------------------------------------------------------------------------------

  let held = null;                   // { board, name, x, y, ghost }

  document.addEventListener("pointerdown", event => {
    const place = event.target.closest?.("#board .can"), board = place?.closest("#board");
    held = null;
    if (!place || event.button !== 0 || !place.querySelector("[data-upright]")) return;
    held = { board, name: place.dataset.place, x: event.clientX, y: event.clientY, piece: place.querySelector("[data-upright]") };
  });
  document.addEventListener("pointermove", event => {
    if (!held) return;
    if (!held.dragging && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 8) return;
    if (!held.dragging) {
      held.dragging = true;
      document.getSelection()?.removeAllRanges();
      held.board.dispatchEvent(new CustomEvent("plywright:take", { detail: held.name }));
      held.piece.classList.add("dragged");
    }
    const inverse = held.piece.parentNode.getScreenCTM()?.inverse();
    if (!inverse) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    held.piece.style.translate = `${inverse.a * x + inverse.c * y}px ${inverse.b * x + inverse.d * y}px`;
  });
  function drop(event) {
    const drag = held;
    held = null;
    if (!drag?.dragging) return;
    drag.piece.classList.remove("dragged");
    drag.piece.style.translate = "";
    const stray = click => { click.stopPropagation(); click.preventDefault(); };   // the one that ends a drag
    document.addEventListener("click", stray, { capture: true, once: true });
    setTimeout(() => document.removeEventListener("click", stray, { capture: true }), 50);
    if (event.type === "pointercancel") return;
    const under = document.elementsFromPoint(event.clientX, event.clientY)
      .map(one => one.closest("#board [data-place]")).find(one => one && !one.contains(drag.piece));
    if (under) drag.board.dispatchEvent(new CustomEvent("plywright:take", { detail: under.dataset.place }));
  }
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
  document.addEventListener("dragstart", event => { if (event.target.closest?.("#board")) event.preventDefault(); });
})();
