// What is too faint in the pictures of a page, each in a figure of its game: a list of sentences.
() => {
  const channel = v => v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
  const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)]; return (Math.max(x, y) + .05) / (Math.min(x, y) + .05); };
  const read = text => { const n = (text.match(/[\d.]+/g) || []).map(Number); return text.startsWith("rgb") ? [n.slice(0, 3), n[3] ?? 1] : null; };
  const mix = (top, alpha, under) => under.map((u, i) => u * (1 - alpha) + top[i] * alpha);
  const page = read(getComputedStyle(document.body).backgroundColor)[0];
  const clear = (one, svg) => { let all = 1; for (; one !== svg; one = one.parentNode) all *= getComputedStyle(one).opacity; return all; };
  const named = (one, pattern) => pattern.test(one.getAttribute("class") || "");
  function under(one, point, svg, also) {
    const stack = document.elementsFromPoint(...point).filter(other => svg.contains(other) && other !== svg && other !== one
      && !one.contains(other) && other.tagName !== "text" && !also(other)
      && other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    return stack.reverse().reduce((colour, other) => {
      const fill = read(getComputedStyle(other).fill), open = getComputedStyle(other).fillOpacity;
      return fill ? mix(fill[0], fill[1] * open * clear(other, svg), colour) : colour;
    }, page);
  }
  function best(shapes, ground, svg) {
    let most = 0;
    for (const one of shapes) {
      const style = getComputedStyle(one);
      for (const [paint, open] of [[style.fill, style.fillOpacity], [style.stroke, style.strokeOpacity]]) {
        const colour = read(paint);
        if (colour) most = Math.max(most, ratio(mix(colour[0], colour[1] * open * clear(one, svg), ground), ground));
      }
    }
    return most;
  }
  const SHAPES = "circle, ellipse, rect, path, polygon, line";
  const MARKS = /last|target|touched|goal|row-won|alarm|taken|drawn-edge|peg|pip|crown|splash|burst|post/;
  const faint = [];
  for (const figure of document.querySelectorAll("figure")) {
    const svg = figure.querySelector("svg");
    svg.scrollIntoView();
    const middle = one => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const tell = (one, what, found, wanted) => {
      if (found < wanted) faint.push(`${figure.dataset.game}: ${what} ${one.getAttribute("class") || one.textContent} ${found.toFixed(2)}`);
    };
    for (const one of svg.querySelectorAll("text")) {
      if (!one.textContent.trim()) continue;
      const style = getComputedStyle(one), ground = under(one, middle(one), svg, () => false);
      const colour = read(style.fill);
      tell(one, `text "${one.textContent}"`, ratio(mix(colour[0], colour[1] * clear(one, svg), ground), ground), 4.5);
    }
    for (const one of svg.querySelectorAll("[data-upright]")) {
      const shapes = [...one.querySelectorAll(SHAPES)].filter(shape => !named(shape, /shadow/));
      if (shapes.length) tell(one, `piece ${shapes[0].getAttribute("class")}`, best(shapes, under(one, middle(one), svg, () => false), svg), 3);
    }
    for (const one of svg.querySelectorAll(SHAPES)) {
      if (!named(one, MARKS) || named(one, /tint|edge-room|trend/)) continue;
      const partners = other => named(other, /tint/) || (named(other, /row-edge|-edge/) && named(one, /row-won|last-edge|peg/));
      const shapes = named(one, /row-won/) ? [one, one.previousElementSibling] : [one];
      tell(one, "mark", best(shapes, under(one, middle(one), svg, partners), svg), 3);
    }
  }
  return [...new Set(faint)];
}
