"""The tree lab: any tree, any algorithm of the lecture, one step at a time, with the pseudocode beside it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...games.explicit_tree import FIGURES
from ...games.generated_tree import KINDS, ORDERINGS
from ...textbook import ALGORITHMS
from ...textbook.replay import embedded
from ..lab.errand import Errand, Errands
from ..lab.lesson import AT_ONCE, Lesson, Lessons, is_small
from ..lab.setup import (
    DEEPEST,
    ENGINE,
    ENGINE_DEPTHS,
    MOST_BRANCHING,
    MOST_LEVELS,
    MOST_NODES,
    MOST_SIMULATIONS,
    Setup,
    choices,
    kept_apart,
    read_setup,
    takes_depth,
)
from ..lab.worksheet import MOST_EXERCISES, MOST_LEAVES, make_worksheet, read_sheet
from ..pages import asked, moved, page, sent
from ..room import Room
from ..stream import Event, parts, stream, visit

LESSONS = Lessons()
"""The searches followed last, so that a step without a script or a download does not search again."""
ERRANDS = Errands(LESSONS)
LARGEST_SHOWN_POSITION = 40_000
"""Characters of a drawing of the position at the root."""


async def lab(request: Request) -> Response:
    """The whole room; a search that takes long or waits for its turn is shown as such."""
    setup = read_setup(asked(request))
    lesson = await _lesson(request, setup)
    if isinstance(lesson, Errand):
        return page(request, "lab_waiting.html", words=lesson.words, stream=setup.address("/lab/wait"))
    if len(lesson.trace.nodes) <= AT_ONCE:
        return page(request, "lab.html", **_shown(request, setup, lesson))
    return page(request, "lab.html", **await run_in_threadpool(_shown, request, setup, lesson))


async def typed(request: Request) -> Response:
    """A tree was typed; a long one is kept, and the address names it."""
    setup = replace(read_setup(await sent(request)), source="typed", step=0)
    return moved(kept_apart(setup).address())


async def wait(request: Request) -> Response:
    """Says how many searches come first, and shows the lab once this one is done."""
    setup = read_setup(asked(request))

    async def events() -> AsyncIterator[Event]:
        if LESSONS.find(setup) is None:
            async for words in _errand(request, setup).news():
                yield parts(lab_waiting=words)
        yield visit(setup.address())

    return stream(request, events())


async def svg(request: Request) -> Response:
    setup = read_setup(asked(request))
    lesson = await _made(request, setup)
    step = lesson.step(setup)
    return _download(await run_in_threadpool(lesson.svg, step), "image/svg+xml", f"tree-step-{step}.svg")


async def html(request: Request) -> Response:
    lesson = await _made(request, read_setup(asked(request)))
    return _download(await run_in_threadpool(lesson.html), "text/html; charset=utf-8", f"{lesson.chosen.name}.html")


async def json(request: Request) -> Response:
    lesson = await _made(request, read_setup(asked(request)))
    return _download(await run_in_threadpool(lesson.json), "application/json", f"{lesson.chosen.name}.json")


async def worksheet(request: Request) -> Response:
    """Exercises and, on pages of their own, the answers."""
    sheet = read_sheet(asked(request))
    exercises = await request.app.state.desk.run(lambda: make_worksheet(sheet))
    return page(
        request, "lab_worksheet.html", sheet=sheet, title=ALGORITHMS[sheet.algorithm].title, exercises=exercises
    )


# -- details --------------------------------------------------------------------------------------------------


def _errand(request: Request, setup: Setup) -> Errand:
    return ERRANDS.send(request.app.state.desk, setup, request.app.state.catalogue)


async def _lesson(request: Request, setup: Setup) -> Lesson | Errand:
    """The lesson, or the errand where it takes longer than a page should."""
    if (found := LESSONS.find(setup)) is not None:
        return found
    if is_small(setup):
        return LESSONS.make(setup, request.app.state.catalogue)
    errand = _errand(request, setup)
    return errand.task.result() if await errand.patiently() else errand


async def _made(request: Request, setup: Setup) -> Lesson:
    """The lesson for a download, however long it takes."""
    found = LESSONS.find(setup)
    return found if found is not None else await asyncio.shield(_errand(request, setup).task)


def _shown(request: Request, setup: Setup, lesson: Lesson) -> dict[str, Any]:
    """What the template needs."""
    step, chosen = lesson.step(setup), lesson.chosen
    viewer = lesson.viewer(step)
    data = {**viewer.data, "predict": setup.predict}
    if setup.predict != "no":
        data["questions"] = [question._asdict() for question in lesson.questions(setup.predict, viewer.drawn)]
        data["paths"] = {number: lesson.trace.nodes[number].path for number in viewer.drawn}
    offered = choices(lesson.tree.game)
    last = len(lesson.trace)
    return {
        "setup": setup,
        "lesson": lesson,
        "viewer": viewer,
        "data": embedded(data),
        "step": step,
        "last": last,
        "steps": {"|<": 0, "<": max(step - 1, 0), ">": min(step + 1, last), ">|": last},
        "choices": offered,
        "refused": [choice for choice in offered if choice.refusal],
        "with_depth": takes_depth(chosen.name),
        "deepest": ENGINE_DEPTHS if chosen.name == ENGINE else DEEPEST,
        "position": _position(lesson) if setup.source == "game" else "",
        "figures": FIGURES,
        "games": request.app.state.catalogue.offers(),
        "orderings": ORDERINGS,
        "kinds": KINDS,
        "limits": {
            "nodes": MOST_NODES, "levels": MOST_LEVELS, "branching": MOST_BRANCHING,
            "simulations": MOST_SIMULATIONS, "exercises": MOST_EXERCISES, "leaves": MOST_LEAVES,
        },
        "algorithms": ALGORITHMS,
    }  # fmt: skip


def _position(lesson: Lesson) -> str:
    """The position at the root as the game draws it, unless the drawing is very large."""
    picture = lesson.tree.game.picture(lesson.tree.state)
    return picture.svg if len(picture.svg) <= LARGEST_SHOWN_POSITION else ""


def _download(content: str, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


ROOM = Room(
    "lab",
    "Tree lab",
    "Step through a search: the tree, its windows and cutoffs, and the pseudocode beside them.",
    [
        Route("/lab", lab),
        Route("/lab/typed", typed, methods=["POST"]),
        Route("/lab/wait", wait),
        Route("/lab/tree.svg", svg),
        Route("/lab/replay.html", html),
        Route("/lab/trace.json", json),
        Route("/lab/worksheet", worksheet),
    ],
)
