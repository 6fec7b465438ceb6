// A tree to move about in: drag or wheel, pinch, a small map, subtrees that fold, words that appear as one comes near.
// `data.places` has for each node [x, y, reach to the left, reach to the right, y where its edges begin], `data.above`
// its parent. Moving changes one transform; only folding lays the tree out again.
"use strict";

function Canvas(box, data, { mark = "", picked = () => false, folded = () => {}, view = null } = {}) {
  const GAP = 14, MARGIN = 16, LEAST = 0.02, MOST = 4, LEGIBLE = 2.2;   // a small tree is no larger than that at first
  const LARGE = 700;                             // more nodes, and browsers are slow to find the one under the pointer
  const FAR = 0.33, NEAR = 0.62;                 // below FAR no words, below NEAR no notes
  const svg = box.querySelector("svg");
  const life = new AbortController();
  const on = (place, event, action, options = {}) =>
    place.addEventListener(event, action, { signal: life.signal, ...options });
  const byId = id => document.getElementById(mark + id);
  const numbers = Object.keys(data.places).map(Number);
  const below = new Map(numbers.map(number => [number, []]));
  for (const number of numbers) if (data.above[number] >= 0) below.get(data.above[number]).push(number);
  const at = new Map(numbers.map(number => [number, data.places[number][0]]));    // where each stands now
  const closed = new Set();                      // folded nodes
  let width = svg.viewBox.baseVal.width;
  const height = svg.viewBox.baseVal.height;
  const large = numbers.length > LARGE;
  let x = 0, y = 0, zoom = 1, detail = "", resting = null;

  // -- moving ----------------------------------------------------------------------------------------------
  const draw = () => {
    svg.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    if (!large || !detail) tellMore();
    frame();
  };
  const tellMore = () => {                       // restyles every word: of a large tree only when it rests
    const wanted = zoom < FAR ? "far" : zoom < NEAR ? "middle" : "near";
    if (wanted !== detail) box.dataset.detail = detail = wanted;
  };
  const sharpen = () => {                        // a layer that was zoomed is painted anew once it rests
    clearTimeout(resting);
    resting = setTimeout(() => {
      tellMore();
      svg.style.willChange = "auto";
      requestAnimationFrame(() => requestAnimationFrame(() => { svg.style.willChange = "transform"; }));
    }, 300);
  };
  let size = { width: box.clientWidth || 1, height: box.clientHeight || 1 };   // kept: moving asks for no layout
  const room = () => size;
  const bounded = () => {                        // some of the tree stays in sight
    const { width: wide, height: high } = room(), edge = 60;
    x = Math.min(wide - edge, Math.max(edge - width * zoom, x));
    y = Math.min(high - edge, Math.max(edge - height * zoom, y));
  };
  const pan = (dx, dy) => { x += dx; y += dy; bounded(); draw(); };
  const scale = (factor, at_x = room().width / 2, at_y = room().height / 2) => {
    const next = Math.max(LEAST, Math.min(MOST, zoom * factor));
    x = at_x - (at_x - x) * next / zoom;
    y = at_y - (at_y - y) * next / zoom;
    zoom = next;
    bounded();
    draw();
    sharpen();
  };
  const whole = () => Math.min((room().width - 16) / width, (room().height - 16) / height, LEGIBLE);
  const fit = (least = 0) => {
    const root = numbers[0];
    zoom = Math.max(whole(), least);
    x = width * zoom <= room().width ? (room().width - width * zoom) / 2 : room().width / 2 - at.get(root) * zoom;
    y = height * zoom <= room().height ? Math.min((room().height - height * zoom) / 2, 40) : 8;
    draw();
    sharpen();
  };
  const visible = number => {                    // the node itself, or the folded one that it is in
    let seen = number;
    for (let up = number; up >= 0; up = data.above[up]) if (closed.has(up) && up !== number) seen = up;
    return seen;
  };
  const keepInView = number => {
    const node = visible(number), { width: wide, height: high } = room();
    const left = at.get(node) * zoom + x, top = data.places[node][1] * zoom + y, edge = Math.min(70, wide / 6);
    if (left < edge || left > wide - edge || top < 24 || top > high - 24)
      pan(left < edge || left > wide - edge ? wide / 2 - left : 0, top < 24 || top > high - 24 ? high / 2 - top : 0);
  };

  // -- the small map ---------------------------------------------------------------------------------------
  const made = tag => document.createElement(tag);
  const map = made("div"), picture = made("canvas"), view_ = made("div");
  map.className = "minimap";
  map.setAttribute("aria-hidden", "true");
  view_.className = "minimap-view";
  map.append(picture, view_);
  box.append(map);
  let across = 1, down = 1, framed = "";      // the map's scales: a flat tree is drawn taller than it is
  const sketch = () => {
    const most = room().width < 500 ? 110 : 190;
    const even = Math.min(most / width, 110 / height);
    across = Math.min(most / width, Math.max(even, 60 / width));
    down = Math.min(110 / height, Math.max(even, 48 / height));
    const wide = width * across, high = height * down, sharp = window.devicePixelRatio || 1;
    picture.width = wide * sharp;
    picture.height = high * sharp;
    picture.style.width = wide + "px";
    picture.style.height = high + "px";
    const pen = picture.getContext("2d"), colours = getComputedStyle(document.documentElement);
    const colour = name => colours.getPropertyValue(name).trim() || "#888";
    pen.scale(sharp, sharp);
    pen.strokeStyle = colour("--line");
    pen.beginPath();
    const shown = numbers.filter(number => visible(number) === number);
    for (const number of shown) {
      const up = data.above[number];
      if (up < 0) continue;
      pen.moveTo(at.get(up) * across, data.places[up][4] * down);
      pen.lineTo(at.get(number) * across, data.places[number][1] * down);
    }
    pen.stroke();
    pen.fillStyle = colour("--second");
    for (const number of shown) pen.fillRect(at.get(number) * across - 1, data.places[number][1] * down - 1, 2.4, 2.4);
  };
  const frame = () => {
    const { width: wide, height: high } = room();
    map.hidden = x >= -1 && y >= -1 && width * zoom + x <= wide + 1 && height * zoom + y <= high + 1;
    const left = Math.max(0, -x / zoom), top = Math.max(0, -y / zoom);
    const right = Math.min(width, (wide - x) / zoom), bottom = Math.min(height, (high - y) / zoom);
    view_.style.transform = `translate(${left * across}px, ${top * down}px)`;
    const wanted = [(right - left) * across, (bottom - top) * down].map(part => Math.max(4, part).toFixed(1) + "px").join(" ");
    if (wanted === framed) return;
    [view_.style.width, view_.style.height] = wanted.split(" ");
    framed = wanted;
  };
  const toMap = event => {
    const place = picture.getBoundingClientRect();
    x = room().width / 2 - (event.clientX - place.left) / across * zoom;
    y = room().height / 2 - (event.clientY - place.top) / down * zoom;
    bounded();
    draw();
  };
  on(map, "pointerdown", event => { event.stopPropagation(); map.setPointerCapture(event.pointerId); toMap(event); });
  on(map, "pointermove", event => { if (map.hasPointerCapture(event.pointerId)) toMap(event); });
  on(map, "click", event => event.stopPropagation());
  on(matchMedia("(prefers-color-scheme: dark)"), "change", sketch);

  // -- fingers, mouse and wheel ----------------------------------------------------------------------------
  // A sheet above the tree, so that browsers look for nothing under the pointer: while it is dragged, and always where
  // there are many nodes; those are then found by their places.
  const shield = document.createElement("div");
  shield.className = large ? "shield still" : "shield";
  shield.hidden = !large;
  box.append(shield);
  const fingers = new Map();
  let dragged = false;
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { far: Math.hypot(a.x - b.x, a.y - b.y) || 1, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  on(box, "pointerdown", event => {
    if (event.button) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 1) dragged = false;
  });
  on(box, "pointermove", event => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    if (!dragged && Math.hypot(event.clientX - last.x, event.clientY - last.y) < 5) return;
    if (!dragged) { dragged = true; shield.hidden = false; box.setPointerCapture(event.pointerId); }
    const before = fingers.size === 2 ? spread() : null;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (!before) { pan(event.clientX - last.x, event.clientY - last.y); return; }
    const after = spread(), place = box.getBoundingClientRect();
    x += after.x - before.x;
    y += after.y - before.y;
    scale(after.far / before.far, after.x - place.left, after.y - place.top);
  });
  for (const end of ["pointerup", "pointercancel"])
    on(box, end, event => { fingers.delete(event.pointerId); shield.hidden = !large; });
  on(box, "wheel", event => {
    event.preventDefault();
    if (event.shiftKey) { pan(-(event.deltaX || event.deltaY), 0); return; }
    const place = box.getBoundingClientRect(), step = event.deltaMode ? event.deltaY * 16 : event.deltaY;
    scale(Math.exp(-Math.max(-200, Math.min(200, step)) / 400), event.clientX - place.left, event.clientY - place.top);
  }, { passive: false });
  on(box, "scroll", () => {                      // a browser that scrolls to what has the focus moves the tree instead
    const [dx, dy] = [box.scrollLeft, box.scrollTop];
    if (dx || dy) { box.scrollLeft = box.scrollTop = 0; pan(-dx, -dy); }
  });
  on(box, "keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 60, keys = { "+": () => scale(1.25), "=": () => scale(1.25), "-": () => scale(0.8), 0: () => fit() };
    const arrows = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (event.shiftKey && arrows[event.key]) {
      event.stopPropagation();
      pan(...arrows[event.key]);
    } else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
  });
  const nearest = event => {
    const place = box.getBoundingClientRect();
    const left = (event.clientX - place.left - x) / zoom, top = (event.clientY - place.top - y) / zoom;
    let found = null, least = Math.max(16, 9 / zoom);
    for (const number of numbers) {
      const far = Math.hypot(at.get(number) - left, data.places[number][1] - top);
      if (far < least && visible(number) === number) [found, least] = [number, far];
    }
    return found;
  };
  on(shield, "pointermove", event => {
    if (!large || fingers.size) return;
    const number = nearest(event), words = number === null ? "" : byId("n" + number).querySelector("title").textContent;
    if (shield.title !== words) shield.title = words;
  });
  const numberOf = event => {
    if (event.target === shield) return nearest(event);
    const node = event.target.closest?.("g[id]");
    const found = node && new RegExp(`^${mark}n(\\d+)(-edge|-board)?$`).exec(node.id);
    return found ? Number(found[1]) : null;
  };
  on(box, "click", event => {
    if (dragged) { dragged = false; event.stopImmediatePropagation(); return; }
    const number = numberOf(event);
    if (number === null || picked(number)) return;
    fold(number);
  });

  // -- folding ---------------------------------------------------------------------------------------------
  // The outlines of subtrees set side by side (Reingold & Tilford 1981), as draw/layout.py does.
  const layOut = () => {
    const outlines = new Map(), shift = new Map();
    for (const number of [...numbers].sort((a, b) => data.places[b][1] - data.places[a][1])) {   // from the leaves up
      let lefts = [], rights = [];
      const children = closed.has(number) ? [] : below.get(number), spots = [];
      for (const child of children) {
        const [childLefts, childRights] = outlines.get(child);
        let moved = 0;
        if (spots.length) {
          moved = -Infinity;
          const levels = Math.min(rights.length, childLefts.length);
          for (let i = 0; i < levels; i += 1) moved = Math.max(moved, rights[i] - childLefts[i]);
          moved += GAP;
        }
        spots.push(moved);
        lefts = lefts.concat(childLefts.slice(lefts.length).map(value => value + moved));
        rights = childRights.map(value => value + moved).concat(rights.slice(childRights.length));
        outlines.delete(child);
      }
      const centre = spots.length ? (spots[0] + spots[spots.length - 1]) / 2 : 0;
      children.forEach((child, i) => shift.set(child, spots[i] - centre));
      const [, , left, right] = data.places[number];
      const own = (side, edge) => [edge, ...side.map(value => value - centre)];
      outlines.set(number, [own(lefts, -left), own(rights, right)]);
    }
    const root = numbers[0], [lefts, rights] = outlines.get(root), start = MARGIN - Math.min(...lefts);
    at.set(root, start);
    const waiting = [root];
    for (const number of waiting) {
      if (closed.has(number)) continue;
      for (const child of below.get(number)) { at.set(child, at.get(number) + shift.get(child)); waiting.push(child); }
    }
    width = Math.max(...rights) + start + MARGIN;
    const hidden = new Set(numbers);
    for (const number of waiting) { hidden.delete(number); settle(number); }
    for (const number of numbers)
      for (const part of ["", "-edge", "-board"])
        byId("n" + number + part)?.classList.toggle("folded-away", hidden.has(number));
  };
  const settle = number => {
    const [from, top] = data.places[number], dx = at.get(number) - from;
    for (const part of ["", "-board"]) byId("n" + number + part)?.setAttribute("transform", `translate(${dx} 0)`);
    const up = data.above[number], edge = up >= 0 && byId("n" + number + "-edge");
    if (!edge) return;
    const x1 = at.get(up), y1 = data.places[up][4], x2 = at.get(number), y2 = top - 13;
    const spot = share => [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];
    edge.querySelector("[data-base=edge]").setAttribute("d", `M${x1} ${y1}L${x2} ${y2}`);
    const words = edge.querySelector("text");
    if (words) { words.setAttribute("x", spot(0.64)[0]); words.setAttribute("y", spot(0.64)[1] + 4); }
    const far = Math.hypot(x2 - x1, y2 - y1) || 1, [gx, gy] = spot(0.4), ux = (x2 - x1) / far, uy = (y2 - y1) / far;
    edge.querySelector("[data-base=gate]").setAttribute("d", [-2.5, 2.5].map(side => {
      const [cx, cy] = [gx + ux * side, gy + uy * side];
      return `M${cx - uy * 7} ${cy + ux * 7}L${cx + uy * 7} ${cy - ux * 7}`;
    }).join(""));
  };
  const count = number => below.get(number).reduce((sum, child) => sum + 1 + count(child), 0);
  const badge = number => {
    const node = byId("n" + number), [from, top] = data.places[number];
    node.querySelector(".fold-badge")?.remove();
    if (!closed.has(number)) return;
    const words = document.createElementNS(svg.namespaceURI, "text");
    words.setAttribute("class", data.prefix + "more fold-badge");
    words.setAttribute("x", from);
    words.setAttribute("y", data.places[number][4] + 14);
    words.textContent = "+" + count(number);
    node.append(words);
  };
  const set = wanted => {
    const before = new Set(closed);
    closed.clear();
    for (const number of wanted) if (below.get(number)?.length) closed.add(number);
    layOut();
    for (const number of new Set([...before, ...closed])) badge(number);
    svg.setAttribute("width", width);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    sketch();
    folded([...closed]);
  };
  const fold = number => {
    if (!below.get(number).length) return;
    const left = at.get(number) * zoom + x;
    set(closed.has(number) ? [...closed].filter(other => other !== number) : [...closed, number]);
    x = left - at.get(number) * zoom;            // the node stays where the pointer is
    bounded();
    draw();
  };
  const unfold = () => { set([]); fit(0.7); };

  // -- the beginning ---------------------------------------------------------------------------------------
  box.classList.add("live");
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  const resized = new ResizeObserver(() => {
    size = { width: box.clientWidth || 1, height: box.clientHeight || 1 };
    bounded();
    draw();
  });
  resized.observe(box);
  sketch();
  if (view) { ({ x, y, zoom } = view); bounded(); draw(); } else fit(0.7);        // legible first, whole on request
  return {
    scale, fit, pan, fold, unfold, set, keepInView, numberOf,
    settled() { requestAnimationFrame(() => { size = { width: box.clientWidth || 1, height: box.clientHeight || 1 }; fit(0.7); }); },
    get view() { return { x, y, zoom }; },
    get folded() { return [...closed]; },
    end() {
      clearTimeout(resting);
      resized.disconnect();
      life.abort();
      map.remove();
      shield.remove();
      box.classList.remove("live");
    },
  };
}
