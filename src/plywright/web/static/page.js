// What every room shares: streams from the server, and behaviours that survive an exchange of parts.
"use strict";

const Plywright = {
  token: document.querySelector("meta[name=plywright-token]").content,
  behaviours: {},                    // name -> function(element), called for every [data-behaviour~=name] after each change
  streams: new Map(),                // address -> its EventSource
  shown: new Map(),                  // part -> what the stream last put there
  asking: 0,                         // requests of this page that are not answered yet
  asked: 0, answered: 0,             // how many there were, and which of them is shown

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
      if (Plywright.asking) Plywright.streams.delete(wanted);   // what this page has asked for is on its way: it listens
      else Plywright.visit(event.data);                         // again where that was written before
    });
    stream.addEventListener("problem", event => Plywright.problem(event.data));
    stream.addEventListener("end", () => stream.close());
    stream.addEventListener("error", () => {
      if (stream.readyState === EventSource.CLOSED && Plywright.streams.get(wanted) === stream) Plywright.reconnect();
    });
  },

  // New content of a part; one that is pointed at holds still until it is left.
  put(place, html) {
    if (!place || Plywright.shown.get(place) === html) return;
    Plywright.shown.set(place, html);
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

  // The token of a server that was started anew, if it answers; forms of this page get it, too.
  async renewed() {
    try {
      const page = new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html");
      const token = page.querySelector("meta[name=plywright-token]").content;
      if (token === Plywright.token) return false;
      Plywright.token = token;
      for (const field of document.querySelectorAll("input[name=token]")) field.value = token;
      return true;
    } catch { return false; }
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

// A short address of the position is copied, and shown where that is not allowed.
Plywright.behaviours.share = form => {
  form.onsubmit = async event => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch("/share", { method: "POST", body, headers: { accept: "application/json" } });
    if (!answer.ok) return Plywright.problem("The link could not be made; load the page again, then repeat this.");
    const { link } = await answer.json(), button = form.querySelector("button");
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = "Copied";
    } catch {
      Plywright.problem(`The link of this position: ${link}`);
    }
    button.dataset.link = link;
  };
};

document.addEventListener("htmx:after:swap", () => { Plywright.shown.clear(); Plywright.refresh(); });
document.addEventListener("htmx:before:request", event => {
  Plywright.problem("");
  Plywright.asking += 1;
  event.detail.ctx.number = Plywright.asked += 1;
});
document.addEventListener("htmx:after:request", event => {       // an answer that a later question has overtaken is not shown
  const { number } = event.detail.ctx;
  if (number < Plywright.answered) event.preventDefault();
  else Plywright.answered = number;
});
document.addEventListener("htmx:finally:request", () => {
  Plywright.asking -= 1;
  if (!Plywright.asking) Plywright.refresh();   // a stream may have ended meanwhile
});
document.addEventListener("visibilitychange", () => Plywright.refresh());
document.addEventListener("htmx:error", event => {
  if (event.detail.error instanceof TypeError && event.detail.ctx && !event.detail.ctx.response)
    Plywright.problem("The server does not answer, so nothing has changed. Start it again, then repeat this.");
});
document.addEventListener("htmx:response:error", event => {          // the page is loaded anew, and what was sent is sent again
  const { hx, request } = event.detail.ctx;
  if (hx?.refresh !== "true") return;
  const fields = request?.body?.entries ? Object.fromEntries(request.body.entries()) : null;
  sessionStorage.setItem("plywright", JSON.stringify({ address: request?.action, fields, at: Date.now() }));
});
window.addEventListener("DOMContentLoaded", () => {
  const kept = JSON.parse(sessionStorage.getItem("plywright") || "null");
  sessionStorage.removeItem("plywright");
  if (!kept) return;
  if (kept.address && kept.fields && Date.now() - kept.at < 30000) setTimeout(() => Plywright.send(kept.address, kept.fields), 0);
  else Plywright.problem("The server was started anew in between; please repeat what you did.");
});
window.addEventListener("DOMContentLoaded", () => {            // on a phone the menu scrolls: the room one is in is in sight
  const menu = document.querySelector(".top nav"), here = menu.querySelector("[aria-current]");
  if (here && menu.scrollWidth > menu.clientWidth) menu.scrollLeft = here.offsetLeft - menu.offsetLeft - (menu.clientWidth - here.clientWidth) / 2;
});
window.addEventListener("DOMContentLoaded", () => Plywright.refresh());  // after every listener of the document itself
