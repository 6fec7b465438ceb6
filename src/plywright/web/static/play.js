// The Play room: pointing at places of a picture, clocks that run, and arrow keys for moves that are directions.
"use strict";

(() => {
  const behaviours = Plywright.behaviours;
  const SVG = "http://www.w3.org/2000/svg";
  const ARROWS = {
    ArrowUp: ["up", "north"], ArrowRight: ["right", "east"], ArrowDown: ["down", "south"], ArrowLeft: ["left", "west"],
  };
  const MANY = 30;                   // targets from which their dots are small
  let refocus = false;               // a place had the focus when the move was sent: the next page gives it back

  // -- clicking a move together -------------------------------------------------------------------------------

  // A reading of the clicks so far: an action, the parts of it that are still to come, and the one begun.
  class Reading {
    constructor(text, rest, part = null, at = 0) { Object.assign(this, { text, rest, part, at }); }
    get complete() { return this.part === null && this.rest.length === 0; }
    get next() { return this.part ? [this.part[this.at]] : this.rest.map(part => part[0]); }
    after(place) {
      if (this.part) return this.part[this.at] === place ? [this.step(this.part, this.rest, this.at + 1)] : [];
      return this.rest.flatMap((part, n) =>
        part[0] === place ? [this.step(part, this.rest.filter((_, other) => other !== n), 1)] : []);
    }
    step(part, rest, at) {
      return at === part.length ? new Reading(this.text, rest) : new Reading(this.text, rest, part, at);
    }
  }

  const states = new WeakMap();      // board -> { readings, clicked }

  function start(board) {
    const readings = JSON.parse(board.dataset.clicks || "[]")
      .flatMap(([text, ways]) => ways.map(parts => new Reading(text, parts)));
    states.set(board, { readings, clicked: [], steps: [] });
  }

  function click(board, place) {
    const state = states.get(board);
    const after = state.readings.flatMap(reading => reading.after(place));
    const again = state.clicked.at(-1) === place;
    if (after.length === 0 && again && state.clicked.length > 1) return;   // the checker is there already
    if (after.length === 0) {
      const begun = state.clicked.length > 0;
      start(board);
      if (begun && !again && states.get(board).readings.some(reading => reading.next.includes(place)))
        return click(board, place);
      return paint(board);
    }
    const begun = state.readings.some(reading => reading.part?.[reading.at] === place);
    const steps = begun ? [...state.steps, [state.clicked.at(-1), place]] : state.steps;
    states.set(board, { readings: after, clicked: [...state.clicked, place], steps });
    const ready = [...new Set(after.filter(reading => reading.complete).map(reading => reading.text))];
    if (ready.length === 1 && after.every(reading => reading.complete)) return send(board, ready[0]);
    paint(board, ready);
  }

  function send(board, text) {
    const form = document.getElementById("typed");
    const fields = Object.fromEntries(new FormData(form));
    const sent = { readings: [], clicked: [], steps: [] };
    states.set(board, sent);
    paint(board);
    Promise.resolve(Plywright.send(form.getAttribute("action"), { ...fields, move: text })).finally(() => {
      if (states.get(board) !== sent) return;
      start(board);                    // nothing came of it: the same can be clicked again
      paint(board);
    });
  }

  // -- what the clicks so far look like ------------------------------------------------------------------------

  function paint(board, ready = []) {
    const { readings, clicked, steps } = states.get(board);
    const targets = new Set(readings.flatMap(reading => reading.complete ? [] : reading.next));
    const svg = board.querySelector("svg");
    board.classList.toggle("choosing", clicked.length > 0);
    board.classList.toggle("many", targets.size > MANY);
    if (svg) {
      svg.setAttribute("role", targets.size ? "group" : "img");
      if (!svg.hasAttribute("aria-label")) svg.setAttribute("aria-label", "The board");
    }
    for (const mark of board.querySelectorAll(".play-dot, .play-frame")) mark.remove();
    const dotted = new Set(), reachable = new Set();
    const leads = readings.some(one => one.rest.flat().length + (one.part ? one.part.length - one.at : 0) > 1);
    for (const place of board.querySelectorAll("[data-place]")) {
      const name = place.dataset.place, can = targets.has(name), piece = place.querySelector("[data-upright], text");
      place.classList.toggle("can", can);
      place.classList.toggle("drags", can && Boolean(piece) && leads);
      place.classList.toggle("outlined", can && Boolean(piece));
      place.classList.toggle("chosen", clicked.includes(name));
      if (can || clicked.includes(name)) place.append(frame(place));
      if (can && !piece && !dotted.has(name) && !place.querySelector(".pw-target")) {
        dotted.add(name);
        place.append(dot(place));
      }
      if ((can || clicked.includes(name)) && !reachable.has(name)) {
        reachable.add(name);
        place.setAttribute("tabindex", "0");
        place.setAttribute("role", "button");
        place.setAttribute("aria-label", clicked.includes(name) ? `${name}, chosen` : name);
      } else {
        for (const attribute of ["tabindex", "role", "aria-label"]) place.removeAttribute(attribute);
      }
    }
    if (svg) halfMoves(svg, steps);
    say(board, clicked, ready);
    if (refocus && targets.size && !board.contains(document.activeElement?.closest("[tabindex]"))) {
      board.querySelector(".can[tabindex]")?.focus({ preventScroll: true });
    }
  }

  // The steps of a move that are clicked already: their pieces are moved, and the dice that they took are pale.
  function halfMoves(svg, steps) {
    for (const piece of svg.querySelectorAll(".half-moved")) {
      piece.classList.remove("half-moved");
      piece.style.translate = "";
    }
    const dice = [...svg.querySelectorAll("[data-die]")];
    for (const die of dice) die.classList.remove("play-used");
    const moved = new Map();               // place -> pieces that stand there by now, the top one last
    const pile = name => {
      if (!moved.has(name)) {
        const place = [...svg.querySelectorAll("[data-place]")].find(one => one.dataset.place === name);
        moved.set(name, place ? [...place.querySelectorAll(":scope > [data-upright]")] : []);
      }
      return moved.get(name);
    };
    for (const [from, to] of steps) {
      const piece = pile(from).pop(), target = [...svg.querySelectorAll("[data-place]")].find(one => one.dataset.place === to);
      if (!piece || !target) continue;
      const there = pile(to), now = piece.getBoundingClientRect(), place = target.firstElementChild.getBoundingClientRect();
      const upper = place.y + place.height / 2 < svg.getBoundingClientRect().y + svg.getBoundingClientRect().height / 2;
      const high = (upper ? 1 : -1) * now.height * there.length;
      const x = place.x + (place.width - now.width) / 2 - now.x;
      const y = (upper ? place.y : place.bottom - now.height) + high - now.y;
      const inverse = piece.parentNode.getScreenCTM().inverse();
      const [dx, dy] = [inverse.a * x + inverse.c * y, inverse.b * x + inverse.d * y];
      const [px, py] = (piece.style.translate || "0px 0px").split(" ").map(parseFloat);
      piece.style.translate = `${px + dx}px ${(py || 0) + dy}px`;
      piece.classList.add("half-moved");
      there.push(piece);
      const number = name => name === "bar" ? 25 : name === "off" ? 0 : Number(name), far = number(from) - number(to);
      const fits = dice.filter(die => !die.classList.contains("play-used") && (Number(die.dataset.die) === far || (to === "off" && Number(die.dataset.die) > far)));
      fits.sort((one, other) => one.dataset.die - other.dataset.die)[0]?.classList.add("play-used");
    }
  }

  function shape(name, attributes) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  // Where an element of a picture lies, from what it says of itself: a page that was just exchanged is not laid out for it.
  function extent(element) {
    const value = name => Number(element.getAttribute(name) || 0), [r, width, height] = [value("r"), value("width"), value("height")];
    if (element.tagName === "rect") return { x: value("x"), y: value("y"), width, height };
    if (element.tagName === "circle") return { x: value("cx") - r, y: value("cy") - r, width: 2 * r, height: 2 * r };
    return element.getBBox();
  }

  function dot(place) {
    const box = extent(place.firstElementChild);
    return shape("circle", { class: "play-dot", cx: box.x + box.width / 2, cy: box.y + box.height / 2, r: 6 });
  }

  // A frame just inside the place, where no neighbour is drawn over it; around one that is only a line.
  function frame(place) {
    const box = extent(place.firstElementChild);
    const inset = side => side < 10 ? -8 : 3;
    const [dx, dy] = [inset(box.width), inset(box.height)];
    return shape("rect", {
      class: "play-frame", x: box.x + dx, y: box.y + dy, width: box.width - 2 * dx, height: box.height - 2 * dy, rx: 5,
    });
  }

  // The places chosen so far, and a button for each move that they already are.
  function say(board, clicked, ready) {
    const place = document.getElementById("chosen");
    if (!place) return;
    place.replaceChildren(clicked.length ? `${clicked.join(" ")} … ` : "");
    for (const text of ready) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.addEventListener("click", () => send(board, text));
      place.append(button);
    }
  }

  function nearest(board, from, key) {
    const centre = place => {
      const box = place.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = centre(from);
    const [dx, dy] = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] }[key];
    let best = null, least = Infinity;
    for (const place of board.querySelectorAll("[data-place][tabindex]")) {
      const [px, py] = centre(place), along = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (place !== from && along > 1 && along + 2 * aside < least) { least = along + 2 * aside; best = place; }
    }
    return best;
  }

  const wired = new WeakSet();

  behaviours.board = board => {
    if (!wired.has(board)) {
      wired.add(board);
      board.addEventListener("click", event => {
        const place = event.target.closest("[data-place]");
        refocus = false;
        if (place) return click(board, place.dataset.place);
        start(board);
        paint(board);
      });
      board.addEventListener("plywright:take", event => {   // a piece was taken up, or let go over a place
        const taken = states.get(board).clicked;
        if (taken.length !== 1 || taken[0] !== event.detail) click(board, event.detail);
      });
      board.addEventListener("keydown", event => {
        const place = event.target.closest("[data-place]");
        if (!place) return;
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          refocus = true;
          click(board, place.dataset.place);
        } else if (event.key === "Escape") {
          start(board);
          paint(board);
        } else if (event.key in ARROWS) {
          event.preventDefault();
          nearest(board, place, event.key)?.focus({ preventScroll: true });
        }
      });
      board.addEventListener("mouseover", event => {
        const name = event.target.closest(".can")?.dataset.place;
        for (const place of board.querySelectorAll("[data-place]"))
          place.classList.toggle("hot", place.dataset.place === name);
      });
    }
    start(board);
    paint(board);
  };

  // The best move of a hint is shown on the board as well.
  document.addEventListener("plywright:parts", () => {
    const board = document.getElementById("board"), best = document.querySelector("#advice [data-best]");
    if (!board || !best) return;
    const found = JSON.parse(board.dataset.clicks || "[]").find(([text]) => text === best.dataset.best);
    const places = new Set(found ? found[1][0].flat() : []);
    for (const place of board.querySelectorAll("[data-place]"))
      place.classList.toggle("hinted", places.has(place.dataset.place));
  });

  // -- keys for directions ----------------------------------------------------------------------------------------

  document.addEventListener("keydown", event => {
    if (!(event.key in ARROWS) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, [data-place]")) return;
    const words = ARROWS[event.key];
    const buttons = [...document.querySelectorAll("#choices button")];
    const button = buttons.find(one => words.includes(one.value.toLowerCase()));
    if (!button) return;
    event.preventDefault();
    button.click();
  });

  // -- clocks -------------------------------------------------------------------------------------------------------

  const clocks = new Map();          // element -> { raw, left, since, ends }

  behaviours.clock = element => {
    const raw = `${element.dataset.left} ${element.dataset.runs}`;
    if (clocks.get(element)?.raw === raw) return;
    const { left, runs, ends } = element.dataset;
    clocks.set(element, { raw, left: Number(left), runs: runs === "1", ends: ends === "1", since: performance.now() });
  };

  setInterval(() => {
    for (const [element, clock] of clocks) {
      if (!element.isConnected) { clocks.delete(element); continue; }
      if (!clock.runs) continue;
      const left = clock.left - (performance.now() - clock.since) / 1000;
      const text = left < 10 ? Math.max(left, 0).toFixed(1)
        : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("short", left < 10);
      if (left < -0.2 && clock.ends) {
        clock.runs = false;
        Plywright.visit(location.pathname + location.search, "false");
      }
    }
  }, 100);

  // -- the rest ------------------------------------------------------------------------------------------------------

  behaviours.moves = list => {
    requestAnimationFrame(() => {      // once the new page is laid out anyway
      const here = list.querySelector("[aria-current]");
      if (here) list.scrollTop += here.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
    });
    const typed = document.querySelector("#typed input[name=move]");
    if (typed && typed !== document.activeElement) typed.value = "";
  };

  // A saved game: its text goes where moves are written, and is shown.
  behaviours.reader = label => {
    label.hidden = false;
    if (wired.has(label)) return;
    wired.add(label);
    label.querySelector("input").addEventListener("change", async event => {
      const file = event.target.files[0], form = label.closest("form");
      if (!file) return;
      form.elements.moves.value = (await file.text()).slice(0, 60000).trim();
      form.elements.start.value = "";
      form.requestSubmit();
    });
  };

  // The name of the strength that a slider stands at.
  behaviours.strength = slider => {
    const name = document.getElementById(slider.name), names = name.dataset.names.split("|");
    slider.oninput = () => { name.textContent = `${names[slider.value - 1]}${slider.value < names.length ? ` (level ${slider.value})` : ""}`; };
    slider.oninput();
  };

  behaviours.setup = form => {
    const show = () => {
      for (const field of form.querySelectorAll("fieldset")) {
        const who = field.querySelector("select[name^=seat]"), engine = field.querySelector("[data-for=engine]");
        if (who && engine) engine.hidden = !["engine", "learned"].includes(who.value);
      }
      for (const pace of ["budget", "move"])
        for (const part of form.querySelectorAll(`[data-for=${pace}]`))
          part.hidden = form.elements.pace.value !== pace;
    };
    if (!wired.has(form)) {
      wired.add(form);
      form.addEventListener("change", event => {
        if (event.target.name === "pace")
          form.elements.amount.value = event.target.selectedOptions[0].dataset.usual;
        show();
      });
    }
    show();
  };
})();
