// The game as frames: they are fetched a few at a time, kept, and shown at the pace that is asked for.
"use strict";

class PacmanViewer {
  static paces = [1, 2, 4, 7, 12, 20, 40];   // rounds a second
  static names = ["North", "East", "South", "West", "Stop"];
  static letters = "NESWX";
  static keys = { ArrowUp: 0, w: 0, k: 0, ArrowRight: 1, d: 1, l: 1, ArrowDown: 2, s: 2, j: 2, ArrowLeft: 3, a: 3, h: 3, " ": 4, x: 4 };

  constructor(element) {
    this.element = element;
    this.source = null;
    this.timer = null;
    this.begin();
  }

  // -- what the page says: after every exchange of parts it may be another game, or another step of this one
  begin() {
    this.wire();
    const data = this.element.dataset;
    this.key = data.frames;
    this.person = Number(data.person);
    this.moves = data.moves;
    this.frames = [];
    this.over = false;
    this.eager = null;
    this.pause();
    this.close();
    this.place = Number(data.at);
    this.seen = data.at + " " + data.moves;
    this.fetch(this.person < 0 ? this.place + 1 : 60);
  }

  refresh() {
    const data = this.element.dataset;
    this.figures = null;
    if (data.frames !== this.key) return this.begin();
    const seen = data.at + " " + data.moves;
    if (seen !== this.seen) {
      this.seen = seen;
      if (this.person >= 0) return this.begin();
      this.place = Number(data.at);
    }
    this.wire();
    if (this.frames[this.place]) this.show(this.place); else this.fetch(this.place + 1 - this.frames.length);
  }

  wire() {
    const on = (id, kind, act) => {
      const found = document.getElementById(id);
      if (found && !found.wired) { found.wired = true; found.addEventListener(kind, act); }
    };
    const steps = (id, act) => on(id, "click", event => { event.preventDefault(); event.stopImmediatePropagation(); act(); });
    steps("first", () => { this.pause(); this.go(0); });
    steps("back", () => { this.pause(); this.go(this.place - 1); });
    steps("next", () => { this.pause(); this.go(this.place + 1); });
    steps("play", () => this.timer === null ? this.play() : this.pause());
    on("speed", "input", () => { if (this.timer !== null) this.play(); });
    on("place", "input", event => { this.pause(); this.go(Number(event.target.value)); });
    for (const id of ["with-values", "with-line"]) on(id, "change", () => this.show(this.place));
    on("pad", "submit", event => {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.submitter) this.move(PacmanViewer.letters.indexOf(event.submitter.value));
    });
  }

  // -- frames from the server
  fetch(count) {
    if (this.source || this.over || count < 1) return;
    const first = this.frames.length;
    const fields = `&moves=${this.moves}&from=${first}&count=${Math.min(60, count)}`;
    const source = new EventSource(`/pacman/frames?${this.key}${fields}&token=${encodeURIComponent(Plywright.token)}`);
    this.source = source;
    const slow = setTimeout(() => { if (this.source === source && this.frames.length === first) this.say("thinking"); }, 400);
    const done = () => {
      clearTimeout(slow);
      source.close();
      if (this.source !== source) return;
      this.source = null;
      const arrived = this.frames.length > first;
      if (arrived || this.awaits) Plywright.problem("");
      if (this.place >= this.frames.length && arrived && !this.awaits) this.fetch(this.place + 1 - this.frames.length);
      this.element.dataset.ready = this.frames.length;
    };
    source.addEventListener("frame", event => { if (this.source === source) this.receive(JSON.parse(event.data)); });
    source.addEventListener("problem", event => {
      Plywright.problem(event.data);
      if (!event.data.startsWith("waiting")) this.pause();
    });
    source.addEventListener("end", done);
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) source.close();
      if (this.source !== source) return;
      const wanted = this.frames.length + 1;
      done();
      Plywright.renewed().then(fresh => {       // the server was started anew: the same is asked for again
        if (!fresh) return Plywright.reconnect();
        this.source = null;
        this.fetch(this.person < 0 ? Math.max(count, wanted - this.frames.length) : 60);
      });
    });
  }

  close() {
    if (this.source) this.source.close();
    this.source = null;
  }

  receive(frame) {
    this.awaits = frame.yours ? frame : null;
    if (!frame.yours) this.frames[frame.at] = frame;
    if (frame.over) this.over = true;
    if (this.person >= 0) {
      this.place = frame.at;
      this.draw(frame);
      this.open(frame.yours || []);
      if (frame.yours && this.eager !== null) this.move(this.eager);
    } else if (frame.at === this.place || (frame.over && this.place > frame.at)) {
      this.show(Math.min(this.place, frame.at));
    }
    const place = document.getElementById("place");
    if (place) place.max = Math.max(1, this.frames.length - 1);
  }

  // -- going through them
  go(place) {
    place = Math.max(0, place);
    if (this.over) place = Math.min(place, this.frames.length - 1);
    this.place = place;
    if (this.frames[place]) this.show(place); else this.fetch(place + 1 - this.frames.length);
    this.remember();
  }

  play() {
    clearInterval(this.timer);
    if (this.over && this.place >= this.frames.length - 1) this.go(0);
    const speed = PacmanViewer.paces[Number(document.getElementById("speed").value)];
    this.element.style.setProperty("--pace", `${Math.min(.25, .8 / speed)}s`);
    this.timer = setInterval(() => this.tick(), 1000 / speed);
    document.getElementById("play").textContent = "Pause";
    this.tick();
  }

  pause() {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.close();                            // the server stops before its next move
    const play = document.getElementById("play");
    if (play) play.textContent = "Play";
    this.element.style.removeProperty("--pace");
    this.remember();
  }

  tick() {                                   // a whole round: to where Pac-Man is to move again
    let next = this.place + 1;
    while (this.frames[next] && this.frames[next].mover > 0) next += 1;
    if (this.frames[next]) {
      this.place = next;
      this.show(next);
      if (this.frames[next].over) this.pause();
    }
    const ahead = this.frames.length - this.place;
    if (ahead < 30) this.fetch(60 - ahead);
  }

  address(...fields) {
    const query = [this.key, ...fields].filter(field => field).join("&");
    return query ? `/pacman?${query}` : "/pacman";
  }

  remember() {                               // the address shows what is seen: reload and links work
    if (this.person >= 0) return;
    const at = this.place ? `at=${this.place}` : "";
    this.element.dataset.at = this.place;
    this.seen = this.place + " " + this.moves;
    history.replaceState(history.state, "", this.address(at));
    for (const link of document.querySelectorAll("[data-guess]"))
      link.setAttribute("href", this.address(at, `guess=${encodeURIComponent(link.dataset.guess)}`));
  }

  // -- a person's moves
  // A direction asked for too early is remembered, as joysticks do.
  move(direction) {
    this.eager = this.awaits ? null : direction;
    if (!this.awaits || !this.awaits.yours.includes(direction)) return;
    this.moves += PacmanViewer.letters[direction];
    this.awaits = null;
    this.open([]);
    this.element.style.setProperty("--pace", ".12s");
    this.element.dataset.moves = this.moves;
    document.querySelector("#pad [name=moves]").value = this.moves;
    history.replaceState(history.state, "", this.address(`moves=${this.moves}`));
    this.close();
    this.fetch(60);
    this.seen = this.element.dataset.at + " " + this.moves;
  }

  open(directions) {
    PacmanViewer.letters.split("").forEach((letter, number) => {
      document.querySelector(`#pad .to-${letter}`).disabled = !directions.includes(number);
    });
  }

  // -- drawing
  centre(cell) {
    const { size, columns } = this.element.dataset;
    return [(cell % columns + .5) * size, (Math.floor(cell / columns) + .5) * size];
  }

  say(words) { document.getElementById("words").textContent = words; }

  show(place) {
    const frame = this.frames[place];
    if (frame) this.draw(frame);
  }

  draw(frame) {
    const svg = document.querySelector("#maze svg");
    if (!this.figures || !svg.contains(this.figures[0])) {
      this.figures = [...svg.querySelectorAll("[data-figure]")];
      this.dots = new Map([...svg.querySelectorAll("[data-cell]")].map(dot => [Number(dot.dataset.cell), dot]));
      this.colours = this.figures.map((_, number) => this.element.dataset.prefix + "ghost-" + ["first", "second", "mark", "good"][(number + 3) % 4]);
    }
    const move = (figure, cell) => {          // the figure stays where it was drawn, and its group is moved there
      const [x, y] = this.centre(cell);
      figure.style.transform = `translate(${x}px, ${y}px)`;
    };
    const eater = this.figures[0].firstElementChild;
    eater.setAttribute("transform", `rotate(${90 * (frame.p[1] - 1)})`);
    move(this.figures[0], frame.p[0]);
    frame.g.forEach((ghost, number) => {
      const figure = this.figures[number + 1], shape = figure.firstElementChild;
      shape.removeAttribute("transform");
      shape.querySelector("path").setAttribute("class", ghost[2] ? this.element.dataset.prefix + "afraid" : this.colours[number + 1]);
      move(figure, ghost[0]);
    });
    const gone = new Set(frame.gone);
    for (let number = 0; number < frame.at; number += 1) for (const cell of this.frames[number]?.gone || []) gone.add(cell);
    for (const [cell, dot] of this.dots) dot.style.display = gone.has(cell) ? "none" : "";
    this.overlay(svg, frame);
    this.tell(frame);
    this.element.dataset.shown = frame.at;
  }

  overlay(svg, frame) {
    svg.querySelector("#thoughts")?.remove();
    const make = (name, attributes, words = "") => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      made.textContent = words;
      return made;
    };
    const group = make("g", { id: "thoughts" });
    const [x, y] = this.centre(frame.p[0]);
    if (document.getElementById("with-line")?.checked && frame.paths) {
      frame.paths.forEach((path, who) => {     // everybody's way, the ghosts' a little aside
        if (!path.length) return;
        const from = who ? frame.g[who - 1][0] : frame.p[0], aside = who * 2;
        const points = [from, ...path].map(cell => this.centre(cell).map(place => place + aside).join(","));
        group.append(make("polyline", { class: who ? `way of-ghost ghost-${(who - 1) % 4}` : "way", points: points.join(" ") }));
      });
      if (frame.action === 4) group.append(make("circle", { class: "here", cx: x, cy: y, r: 9.4 }));
    }
    if (frame.over) this.end(svg, group, make, frame);
    if (document.getElementById("with-values")?.checked)
      for (const [direction, value] of Object.entries(frame.values || {})) {
        if (direction === "4") continue;     // to stay has its line in the table
        const [dx, dy] = [[0, -1], [1, 0], [0, 1], [-1, 0]][direction];
        const size = Number(this.element.dataset.size), columns = Number(this.element.dataset.columns);
        let away = 0.95;                       // beside him, and beyond whoever stands there
        while (away < 3 && frame.g.some(([cell]) => cell === frame.p[0] + Math.round(away) * (dx + dy * columns))) away += 1;
        const anchor = dx > 0 ? "start" : dx < 0 ? "end" : "middle", near = dx ? away - 0.4 : away;
        group.append(make("text", { x: x + dx * size * near, y: y + dy * size * near, "text-anchor": anchor,
                                    class: Number(direction) === frame.action ? "best" : "" }, Math.round(value)));
      }
    svg.append(group);
  }

  // How it ended, over the maze: the catch, or the last pellet.
  end(svg, group, make, frame) {
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const words = { caught: "Caught!", won: "All eaten!", "out of time": "Out of time" }[frame.over] || frame.over;
    const [x, y] = this.centre(frame.p[0]);
    group.append(make("circle", { class: `ending ${frame.over === "won" ? "won" : "caught"}`, cx: x, cy: y, r: 15 }));
    group.append(make("rect", { class: "banner", x: width / 2 - 75, y: height / 2 - 24, width: 150, height: 48, rx: 8 }));
    group.append(make("text", { class: "banner-words", x: width / 2, y: height / 2 - 6 }, words));
    group.append(make("text", { class: "banner-score", x: width / 2, y: height / 2 + 13 }, `score ${frame.score}, ${frame.round} rounds`));
  }

  tell(frame) {
    const put = (id, words) => { const found = document.getElementById(id); if (found) found.textContent = words; };
    put("score", frame.score);
    put("step", `${frame.at}, round ${frame.round}`);
    put("words", frame.words || "–");
    let thought = frame;                     // while the ghosts move: what he thought before
    for (let number = frame.at; number >= 0 && thought.value === undefined && !frame.over && number > frame.at - 8; number -= 1)
      thought = this.frames[number] || thought;
    put("value", thought.value ?? "–");
    put("nodes", `${(thought.nodes || 0).toLocaleString("en")}, in all ${frame.all.toLocaleString("en")}`);
    put("line", (thought.line || []).join(" ") || "–");
    for (const row of document.querySelectorAll("#values [data-direction]")) {
      const value = thought.values?.[row.dataset.direction];
      const chosen = value !== undefined && Number(row.dataset.direction) === thought.action;
      row.children[1].textContent = value ?? "–";
      row.children[2].textContent = chosen ? "◀ chosen" : "";
      row.classList.toggle("chosen", chosen);
    }
    const place = document.getElementById("place");
    if (place) { place.max = Math.max(1, this.frames.length - 1); place.value = frame.at; }
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    if (["SELECT", "TEXTAREA"].includes(target.tagName) || (target.tagName === "INPUT" && target.type !== "checkbox")) return;
    if (event.key === " " && ["BUTTON", "A", "INPUT"].includes(target.tagName)) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (this.person >= 0) {
      if (!(name in PacmanViewer.keys)) return;
      event.preventDefault();
      this.move(PacmanViewer.keys[name]);
      return;
    }
    const acts = { " ": "play", ArrowLeft: "back", ArrowRight: "next", Home: "first" };
    if (acts[name]) { event.preventDefault(); document.getElementById(acts[name]).click(); }
  }
}

(() => {
  Plywright.behaviours.pacman = element => {
    if (element.viewer) element.viewer.refresh(); else element.viewer = new PacmanViewer(element);
  };
  document.addEventListener("keydown", event => document.getElementById("viewer")?.viewer?.press(event));
})();
