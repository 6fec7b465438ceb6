// The tree lab: the viewer of traces in the page, its step in the address, and questions on the way.
"use strict";

(() => {
  const byId = id => document.getElementById(id);
  let viewer = null;                 // the Replay in the page
  let second = null;                 // the one beside it
  let edited = null;                 // while a tree is edited: what was in sight, and the node in hand
  let quiz = null;
  let writing = null;                // the address is written a moment after the last step

  const address = (element, page, step) => {
    const found = new URL(element.dataset.address, location.href);
    if (step) {
      if (![...found.searchParams.keys()].length) found.searchParams.set("figure", "figure-6.2");
      found.searchParams.set("step", step);
    }
    return page + found.search;
  };

  const fold = (element, page) => {
    const found = new URL(page, location.href), folded = viewer ? viewer.canvas.folded : [];
    if (folded.length) found.searchParams.set("folded", folded.join(","));
    return found.pathname + found.search;
  };

  const remember = (element, step) => {
    clearTimeout(writing);
    writing = setTimeout(() => {
      const wanted = fold(element, address(element, "/lab", step));
      if (location.pathname + location.search !== wanted) history.replaceState(history.state, "", wanted);
    }, 120);
    const link = byId("lab-svg");
    link.href = address(element, link.dataset.page, step);
  };

  // One question after the other; the viewer goes no further than the open one.
  const Quiz = (data, element) => {
    const life = new AbortController(), on = (id, action) =>
      byId(id).addEventListener("click", action, { signal: life.signal });
    const questions = data.questions, byLeaf = data.predict === "pruned";
    let open = questions.findIndex(question => question.at >= data.step), right = 0, answered = 0;
    if (open < 0) open = questions.length;
    const question = () => questions[open];
    const isUnseen = number => number in data.start && viewer && viewer.marks(number).includes("unseen");
    const isLast = number => !data.parents.has(Number(number));

    const ask = step => {
      const now = question(), due = now && step >= now.at;
      byId("question-answers").hidden = !due;
      byId("question-leaf").hidden = !byLeaf;
      byId("question-child").hidden = byLeaf;
      element.classList.toggle("asking", Boolean(due && byLeaf));
      byId("question-words").textContent = due ? now.words
        : now ? "Go on: a question comes at step " + now.at + "." : "No more questions.";
      byId("question-score").textContent = answered ? right + " of " + answered + " right." : "";
      if (!due || !byLeaf) return;
      const choices = Object.keys(data.start).filter(number => isLast(number) && isUnseen(number));
      byId("question-choice").replaceChildren(...choices.map(number => {
        const option = document.createElement("option");
        option.value = number;
        option.textContent = data.paths[number] + (data.start[number][1] ? " (" + data.start[number][1] + ")" : "");
        return option;
      }));
      for (const number of choices) byId("n" + number).classList.add("answer");
    };
    const answer = (isRight, told = true) => {
      const now = question();
      if (!now || viewer.at < now.at) return;
      if (told) { answered += 1; right += isRight ? 1 : 0; }
      if (open === questions.length - 1 && answered) keep();
      byId("question-why").textContent = (told ? (isRight ? "Right. " : "No. ") : "") + now.why;
      open += 1;
      viewer.go(now.step);
    };
    const keep = () => fetch("/exercises/predicted", {       // the exercises' list has how predictions went
      method: "POST", keepalive: true,
      body: new URLSearchParams({ token: Plywright.token, algorithm: data.algorithm, right, asked: answered }),
    }).catch(() => {});
    const byNode = number => answer(question()?.right.includes(Number(number)));
    on("question-answer", () => { if (byId("question-choice").value) byNode(byId("question-choice").value); });
    on("question-none", () => answer(!question()?.right.length));
    on("question-yes", () => answer(question()?.right.length > 0));
    on("question-no", () => answer(!question()?.right.length));
    on("question-skip", () => answer(false, false));
    const picked = number => {
      const due = byLeaf && question() && viewer.at >= question().at && isLast(number);
      if (due) byNode(number);
      return Boolean(due);
    };
    return { ask, picked, most: () => (question() ? question().at : data.steps.length), end: () => life.abort() };
  };

  // The viewer takes the height that is left below it, so that a whole tree is in sight on any projector.
  const fill = element => {
    const full = document.fullscreenElement === element;
    const top = full ? 0 : element.getBoundingClientRect().top + window.scrollY;
    const controls = [...element.querySelectorAll(".controls")].reduce((sum, each) => sum + each.offsetHeight, 0);
    element.style.setProperty("--room", Math.max(0, window.innerHeight - top - controls - (full ? 0 : 12)) + "px");
  };

  // Called after every change of the page; an exchange of the room takes the mark away, a message elsewhere does not.
  const show = element => {
    if (element.hasAttribute("data-live")) return;
    element.setAttribute("data-live", "");
    fill(element);
    if (edited && viewer) edited.view = viewer.canvas.view;
    viewer?.end();
    second?.end();
    quiz?.end();
    viewer = second = null;
    const data = JSON.parse(byId("data").textContent);
    if (!data.edit) edited = null;
    else edited ??= { view: null, path: "root" };
    quiz = null;
    if (data.predict !== "no") {
      data.parents = new Set(Object.values(data.above));
      quiz = Quiz(data, element);
    }
    if (data.beside) {
      second = Replay(data.beside, { mark: "b-" });
      byId("counts").dataset.title = data.title;                // whose they are
      fill(element);
    }
    viewer = Replay(data, {
      moved: step => { remember(element, step); second?.go(step === data.steps.length ? Infinity : step); if (viewer) quiz?.ask(step); },
      most: () => (quiz ? quiz.most() : data.steps.length),
      canvas: {
        view: edited?.view,
        picked: number => quiz?.picked(number) || (edited ? pick(data, number) : false),
        folded: () => { if (viewer) remember(element, viewer.at); },
      },
    });
    if (data.folded.length) viewer.canvas.set(data.folded);
    quiz?.ask(viewer.at);
    if (edited) {
      const number = Object.keys(data.paths).find(each => data.paths[each] === edited.path);
      pick(data, number === undefined ? 0 : Number(number), false);
    }
  };

  // While a tree is edited: the node that is clicked is the one that the form is about.
  const pick = (data, number, focus = true) => {
    for (const old of document.querySelectorAll("#tree .picked")) old.classList.remove("picked");
    const node = byId("n" + number);
    node?.classList.add("picked");
    edited.path = byId("lab-node").value = data.paths[number];
    byId("lab-given").value = node?.querySelector("[data-part=leaf]") ? data.start[number][1].replace(/[()]/g, "") : "";
    if (focus && matchMedia("(pointer: fine)").matches) {      // elsewhere it would bring up a keyboard
      byId("lab-given").focus({ preventScroll: true });
      byId("lab-given").select();
    }
    return true;
  };

  for (const event of ["resize", "fullscreenchange"])
    window.addEventListener(event, () => {
      const element = byId("lab-viewer");
      if (!element) return;
      fill(element);
      if (event === "fullscreenchange") for (const each of [viewer, second]) each?.canvas.settled();
    });
  Plywright.behaviours["lab-full"] = button => {
    button.hidden = !document.fullscreenEnabled;
    button.onclick = () => (document.fullscreenElement ? document.exitFullscreen() : byId("lab-viewer").requestFullscreen());
  };
  Plywright.behaviours["lab-viewer"] = show;
  Plywright.behaviours["lab-search"] = form => {
    form.onchange = event => {
      if (event.target.tagName === "SELECT" || ["leaves", "odds"].includes(event.target.name)) form.requestSubmit();
    };
  };
  Plywright.behaviours["lab-print"] = button => { button.onclick = () => window.print(); };
})();
