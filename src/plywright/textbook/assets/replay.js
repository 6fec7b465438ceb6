// Steps through a search. The drawing and the words are made beforehand; for each step `data` says what changed.
// Options: hash (the step is read from the address after #), step (the step to begin with),
// moved(step) after every step, most() the last step that may be shown, mark (what ids begin with: a second viewer of a
// page has one, and no controls), canvas (options of the Canvas on which the tree lies).
"use strict";

function Replay(data, { hash = false, step: wanted = data.step, moved = () => {}, most = () => data.steps.length,
                        mark = "", canvas: options = {} } = {}) {
  const { steps, prefix, above, names } = data;
  const byId = id => document.getElementById(mark + id);
  const life = new AbortController();            // ends every listener
  const on = (place, event, action) => place.addEventListener(event, action, { signal: life.signal });
  const alone = !mark;                           // has the controls
  const rows = [...byId("code").children];
  const shown = { ...data.start };               // node number -> [marks, value, notes, hint]
  const undo = [];                               // per step: what it replaced
  let at = 0, timer = null, lit = null, litRows = [];
  const canvas = Canvas(byId("tree"), data, {
    ...options, mark,
    folded: closed => { if (alone) byId("unfold").hidden = !closed.length; options.folded?.(closed); },
  });

  // The classes of a part are put together as in the drawing: its base, then part-mark for every mark.
  const found = new Map();                       // node number -> its parts, texts and title, looked for once
  const partsOf = number => {
    if (!found.has(number)) {
      const node = byId("n" + number), edge = byId("n" + number + "-edge");
      found.set(number, {
        parts: [...node.querySelectorAll("[data-part]"), ...(edge ? edge.querySelectorAll("[data-part]") : [])],
        texts: [...node.querySelectorAll("text[data-base=value], text[data-base=note]")],
        title: node.querySelector("title"),
      });
    }
    return found.get(number);
  };
  const paint = (number, current) => {
    const [marks, value, notes, hint] = shown[number], { parts, texts, title } = partsOf(number);
    const all = current ? [...marks, "current"] : marks;
    for (const part of parts) {
      const wanted = [part.dataset.base, ...all.map(mark => part.dataset.part + "-" + mark)]
        .map(name => prefix + name).join(" ");
      if (part.getAttribute("class") !== wanted) part.setAttribute("class", wanted);
    }
    texts.forEach((text, i) => {
      const words = i === 0 ? value : (notes[i - 1] || "");
      if (text.textContent !== words) text.textContent = words;
    });
    title.textContent = hint;
  };

  // Forward or back to a step without painting; the answer is which nodes have changed.
  const travel = target => {
    const touched = new Set();
    for (; at < target; at += 1) {
      undo[at] = steps[at].changes.map(([number]) => [number, shown[number]]);
      for (const [number, what] of steps[at].changes) { shown[number] = what; touched.add(number); }
    }
    while (at > target) {
      at -= 1;
      for (const [number, what] of undo[at]) { shown[number] = what; touched.add(number); }
    }
    return touched;
  };

  const cutButtons = [];                         // [step, row] for each cutoff
  byId("cut-list").replaceChildren(...steps.flatMap((step, i) => {
    if (!step.cut) return [];
    const row = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.textContent = step.cut;
    button.title = "Go to step " + (i + 1);
    button.disabled = !alone;
    if (alone) on(button, "click", () => { pause(); go(i + 1); });
    row.append(button);
    cutButtons.push([i + 1, row]);
    return [row];
  }));

  const go = target => {
    target = Math.max(0, Math.min(steps.length, most(), Math.round(target) || 0));
    const touched = travel(target);
    if (lit !== null) touched.add(lit);
    const step = at ? steps[at - 1] : null;
    lit = step ? step.node : null;
    if (step) touched.add(lit);
    for (const number of touched) paint(number, number === lit && at < steps.length);
    tell(step);
    if (alone) {
      byId("slider").value = at;
      byId("jump").value = at;
      byId("first").disabled = byId("back").disabled = at === 0;
      byId("next").disabled = byId("last").disabled = at === steps.length;
    }
    if (step) canvas.keepInView(lit);
    if (at === steps.length || at === most()) pause();
    moved(at);
  };

  // Everything beside the tree: the lines lit, the words, the counts, the way from the root to here.
  const tell = step => {
    for (const row of litRows) { row.classList.remove("lit"); row.removeAttribute("aria-current"); }
    litRows = step ? step.lines.map(line => rows[line]) : [];
    for (const row of litRows) { row.classList.add("lit"); row.setAttribute("aria-current", "step"); }
    if (litRows.length) keepInView(byId("code").parentElement, litRows[0]);
    byId("words").textContent = step ? step.words : data.words;
    byId("where").textContent = step ? step.where : "";
    const counts = step || { nodes: 0, leaves: 0, cuts: 0 };
    for (const name of ["nodes", "leaves", "cuts"]) byId(name).textContent = counts[name];
    for (const [number, row] of cutButtons) row.hidden = number > at;
    byId("cut-title").hidden = !cutButtons.length || cutButtons[0][0] > at;
    const way = [];
    for (let node = step ? step.node : 0; node >= 0; node = above[node]) way.unshift(node);
    byId("way").replaceChildren(...way.map(node => {
      const row = document.createElement("tr");
      [names[node], shown[node][1], ...shown[node][2]].forEach((words, i) => {
        const cell = document.createElement(i ? "td" : "th");
        cell.textContent = words;
        row.append(cell);
      });
      return row;
    }));
  };

  const keepInView = (box, inner) => {
    const a = box.getBoundingClientRect(), b = inner.getBoundingClientRect();
    if (b.top < a.top || b.bottom > a.bottom) box.scrollTop += (b.top + b.bottom - a.top - a.bottom) / 2;
  };

  const pause = () => { clearInterval(timer); timer = null; if (alone) byId("play").textContent = "Play"; };
  const play = () => {
    if (timer !== null) return pause();
    if (at === steps.length) go(0);
    byId("play").textContent = "Pause";
    timer = setInterval(() => go(at + 1), Number(byId("speed").value));
  };

  const clicks = {
    first: () => go(0), back: () => go(at - 1), next: () => go(at + 1), last: () => go(steps.length),
    smaller: () => canvas.scale(0.8), larger: () => canvas.scale(1.25), fit: () => canvas.fit(), unfold: canvas.unfold,
  };
  if (alone) listen();
  function listen() {
    for (const [id, action] of Object.entries(clicks))
      on(byId(id), "click", () => { if (["back", "next", "first", "last"].includes(id)) pause(); action(); });
    on(byId("play"), "click", play);
    on(byId("slider"), "input", event => { pause(); go(Number(event.target.value)); });
    on(byId("jump"), "change", event => { pause(); go(Number(event.target.value)); });
    on(byId("speed"), "change", () => { if (timer !== null) { pause(); play(); } });
    on(document, "keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const tag = event.target.tagName;
      if (["INPUT", "SELECT", "TEXTAREA"].includes(tag)) return;          // they have their own use for these keys
      if (event.key === " " && ["BUTTON", "SUMMARY", "A"].includes(tag)) return;
      const keys = { ArrowRight: clicks.next, ArrowLeft: clicks.back, Home: clicks.first, End: clicks.last, " ": play };
      if (!keys[event.key]) return;
      if (event.key !== " ") pause();
      event.preventDefault();
      keys[event.key]();
    });
  }
  const fromAddress = () => { const found = /step=(\d+)/.exec(location.hash); if (found) go(Number(found[1])); };
  if (hash) on(window, "hashchange", fromAddress);

  travel(Math.min(data.step, steps.length));     // what the drawing shows already
  lit = at ? steps[at - 1].node : null;
  go(wanted);
  if (hash) fromAddress();
  return {
    go, canvas, marks: number => shown[number][0], value: number => shown[number][1], get at() { return at; },
    end() { pause(); life.abort(); canvas.end(); },
  };
}
