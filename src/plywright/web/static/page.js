// What every room shares: streams from the server, and behaviours that survive an exchange of parts.
"use strict";

const Plywright = {
  token: document.querySelector("meta[name=plywright-token]").content,
  behaviours: {},                    // name -> function(element), called for every [data-behaviour~=name] after each change
  streams: new Map(),                // address -> its EventSource
  asking: 0,                         // requests of this page that are not answered yet

  // Show another address of this room, as a link in it would.
  visit(address, push = "true") {
    return htmx.ajax("GET", address, { target: "#room", select: "#room", swap: "outerMorph", push });
  },

  // Send fields as a form in the room would; the answer is the room's next page.
  send(address, fields) {
    return htmx.ajax("POST", address, {
      target: "#room", select: "#room", swap: "outerMorph", push: "true",
      values: { ...fields, token: Plywright.token },
    });
  },

  problem(sentence) {
    const place = document.getElementById("message");
    place.textContent = sentence;
    place.hidden = !sentence;
  },

  refresh() {
    const asked = [...document.querySelectorAll("[data-stream]")]
      .filter(element => !document.hidden || !("rests" in element.dataset));   // nobody looks: no connection is held
    const wanted = new Map(asked.map(element => [element.dataset.stream, element]));
    for (const [address, stream] of Plywright.streams)
      if (!wanted.has(address)) { stream.close(); Plywright.streams.delete(address); }
    for (const address of wanted.keys())
      if (!Plywright.streams.has(address)) Plywright.listen(address);
    for (const found of document.querySelectorAll("[data-behaviour]"))
      for (const name of found.dataset.behaviour.split(" ")) Plywright.behaviours[name]?.(found);
  },

  listen(wanted) {
    const mark = wanted.includes("?") ? "&" : "?";
    const stream = new EventSource(wanted + mark + "token=" + encodeURIComponent(Plywright.token));
    Plywright.streams.set(wanted, stream);
    stream.addEventListener("parts", event => {
      for (const [id, html] of Object.entries(JSON.parse(event.data))) Plywright.put(document.getElementById(id), html);
      document.dispatchEvent(new CustomEvent("plywright:parts"));
    });
    stream.addEventListener("visit", event => {
      stream.close();
      if (!Plywright.asking) Plywright.visit(event.data);   // what this page has asked for is on its way
    });
    stream.addEventListener("problem", event => Plywright.problem(event.data));
    stream.addEventListener("end", () => stream.close());
    stream.addEventListener("error", () => {
      if (stream.readyState === EventSource.CLOSED && Plywright.streams.get(wanted) === stream) Plywright.reconnect();
    });
  },

  // New content of a part; one that is pointed at holds still until it is left.
  put(place, html) {
    if (!place) return;
    if ("still" in place.dataset && place.matches(":hover") && place.querySelector("button")) {
      if (!place.waiting) place.addEventListener("pointerleave", () => {
        place.innerHTML = place.waiting;
        place.waiting = null;
        document.dispatchEvent(new CustomEvent("plywright:parts"));
      }, { once: true });
      place.waiting = html;
    } else {
      place.waiting = null;
      place.innerHTML = html;
    }
  },

  // The server was started anew: once it answers, the page is loaded again, since its token is an old one.
  async reconnect() {
    if (Plywright.away) return;
    Plywright.away = true;
    for (let tries = 0; tries < 60; tries += 1) {
      try {
        if ((await fetch("/health")).ok) { location.reload(); return; }
      } catch { Plywright.problem("The server does not answer; this page waits for it."); }
      await new Promise(done => setTimeout(done, 1000));
    }
  },
};

document.addEventListener("htmx:after:swap", () => Plywright.refresh());
document.addEventListener("htmx:before:request", () => { Plywright.problem(""); Plywright.asking += 1; });
document.addEventListener("htmx:finally:request", () => { Plywright.asking -= 1; });
document.addEventListener("visibilitychange", () => Plywright.refresh());
document.addEventListener("htmx:error", event => {
  if (event.detail.error instanceof TypeError && event.detail.ctx && !event.detail.ctx.response)
    Plywright.problem("The server does not answer, so nothing has changed. Start it again, then repeat this.");
});
document.addEventListener("htmx:response:error", event => {          // the page is loaded anew, and then says why
  if (event.detail.ctx.hx?.refresh === "true")
    sessionStorage.setItem("plywright", "The server was started anew in between; please repeat what you did.");
});
window.addEventListener("DOMContentLoaded", () => {
  const said = sessionStorage.getItem("plywright");
  sessionStorage.removeItem("plywright");
  if (said) Plywright.problem(said);
});
window.addEventListener("DOMContentLoaded", () => Plywright.refresh());  // after every listener of the document itself
