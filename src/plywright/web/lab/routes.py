"""The tree lab: any tree, any textbook algorithm, one step at a time, with the pseudocode beside it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...draw.tree import vector_text
from ...errors import BadInput
from ...games.trees.edits import edited
from ...games.trees.explicit_tree import FIGURES
from ...games.trees.generated_tree import KINDS, ORDERINGS
from ...games.trees.writing import written
from ...textbook import ALGORITHMS
from ...textbook.trace.replay import embedded
from ...textbook.worksheet import (
    MOST_EXERCISES,
    MOST_LEAVES,
    exercises_on,
    make_worksheet,
    sheet_title,
    worksheet_html,
)
from ..requests import (
    Endpoint,
    Reply,
    Visit,
    download,
    heard,
    page,
    plain_page,
    query,
    redirect,
    visit_of,
    worked,
)
from ..room import Room
from ..search_queue import Waiting
from ..stream import Event, parts, stream, visit
from .lesson import Lesson, is_small, lesson_again, lesson_key, search_lesson
from .setup import (
    DEEPEST,
    ENGINE,
    ENGINE_DEPTHS,
    MOST_BRANCHING,
    MOST_LEVELS,
    MOST_NODES,
    MOST_SIMULATIONS,
    Setup,
    changed_decisions,
    choices,
    kept_apart,
    marked,
    read_setup,
    takes_depth,
    written_tree,
)
from .worksheet import address_of, own_trees, read_sheet

MOVERS = ("MAX", "MIN", "chance")
"""Who may move at a node of a tree that is edited."""
OPPONENTS = (
    ("min", "MIN, who plays best"),
    ("chance", "chance: moves at random"),
    ("given", "chance with given probabilities"),
    ("model", "a model: plays best so often"),
)
LAST = 10**6
"""A step that is beyond every search: the end."""
MOST_LISTED = 400
"""Nodes offered by name where one is chosen to be edited."""
PATIENCE = 1.5
"""Seconds after which a page says that the search runs, instead of staying silent."""
LARGEST_SHOWN_POSITION = 40_000
"""Characters of a drawing of the position at the root."""


def draw(call: Visit, told: bytes) -> Reply:
    """In a worker: the whole room with a lesson in it."""
    setup = read_setup(call.fields)
    return page(call, "lab.html", **_shown(call, setup, lesson_again(setup, told)))


def draw_svg(call: Visit, told: bytes) -> Reply:
    setup = read_setup(call.fields)
    lesson = lesson_again(setup, told)
    step = lesson.step(setup)
    return download(lesson.svg(step, lesson.boards(setup)), "image/svg+xml", f"tree-step-{step}.svg")


def write_html(call: Visit, told: bytes) -> Reply:
    lesson = lesson_again(read_setup(call.fields), told)
    return download(lesson.html(), "text/html", f"{lesson.chosen.name}.html")


def write_json(call: Visit, told: bytes) -> Reply:
    lesson = lesson_again(read_setup(call.fields), told)
    return download(lesson.json(), "application/json", f"{lesson.chosen.name}.json")


def typed(call: Visit) -> Reply:
    """A tree was typed; a long one is kept, and the address names it."""
    setup = replace(read_setup(call.fields), source="typed", step=0)
    return redirect(kept_apart(setup).address())


def edit(call: Visit) -> Reply:
    """One change of the tree at a node, by which it becomes a typed one."""
    setup, fields = read_setup(call.fields), call.fields
    if setup.source == "game":
        raise BadInput("the tree of a game follows from its rules: type one in, or take a figure, to edit it")
    tree = written_tree(setup)
    place = tree.read_state(fields.text("node", "root", most=400))
    act, _, mover = fields.text("act", "value", most=100).partition(":")  # a button says who moves: mover:MAX
    tree = edited(tree, place, act, mover or fields.text("given", most=100))
    if len(tree.parents) > MOST_NODES:
        raise BadInput(f"this tree has {MOST_NODES:,} nodes already")
    typed_in = replace(setup, source="typed", tree=written(tree), kept="", step=LAST, edit="yes", folded="")
    return redirect(kept_apart(typed_in).address())


def worksheet(call: Visit) -> Reply:
    """Exercises and, on pages of their own, the answers."""
    if trees := own_trees(call.fields):
        name = call.fields.choice("algorithm", ("", *ALGORITHMS), "")
        exercises = exercises_on(trees, name or None)
        links = [Setup(source="typed", tree=written(tree), algorithm=name).address() for tree in trees]
        body = worksheet_html(exercises, links=links)
        return page(call, "lab_worksheet.html", sheet=None, title=sheet_title(exercises), body=body)
    sheet = read_sheet(call.fields)
    exercises = make_worksheet(sheet)
    links = [address_of(sheet, exercise) for exercise in exercises]
    body = worksheet_html(exercises, f"sheet {sheet.seed}", links)
    return page(call, "lab_worksheet.html", sheet=sheet, title=sheet_title(exercises), body=body)


def _shown(call: Visit, setup: Setup, lesson: Lesson) -> dict[str, Any]:
    """What the template needs."""
    step, chosen = lesson.step(setup), lesson.chosen
    viewer, beside = lesson.viewer(step, lesson.boards(setup)), lesson.beside(step)
    folded = [int(word) for word in setup.folded.split(",") if re.fullmatch("[0-9]{1,9}", word)]
    data = {**viewer.data, "predict": setup.predict, "folded": folded, "edit": setup.edit}
    data["algorithm"], data["title"] = chosen.name, lesson.trace.title
    data["beside"] = beside.data if beside else None
    data["paths"] = {number: lesson.trace.nodes[number].path for number in viewer.drawn}
    if setup.predict != "no":
        data["questions"] = [question._asdict() for question in lesson.questions(setup.predict, viewer.drawn)]
    found = changed_decisions(setup) if setup.is_changed and setup.source != "game" else []
    viewer = viewer._replace(html=marked(viewer.html, data["paths"], found))
    offered = choices(lesson.tree.game)
    last, columns = len(lesson.trace), 1 if lesson.tree.game.players <= 2 else None
    return {
        "setup": setup,
        "lesson": lesson,
        "viewer": viewer,
        "beside": beside,
        "decisions": found,
        "movers": _movers(lesson),
        "opponents": OPPONENTS,
        "paths": sorted(data["paths"].items())[:MOST_LISTED] if setup.edit else [],
        "worth": lambda values: vector_text([round(value, 6) for value in values[:columns]]),
        "data": embedded(data),
        "step": step,
        "last": last,
        "end": LAST,
        "steps": {"|<": 0, "<": max(step - 1, 0), ">": min(step + 1, last), ">|": last},
        "choices": offered,
        "refused": [choice for choice in offered if choice.refusal],
        "with_depth": takes_depth(chosen.name),
        "deepest": ENGINE_DEPTHS if chosen.name == ENGINE else DEEPEST,
        "position": _position(lesson) if setup.source == "game" else "",
        "figures": FIGURES,
        "games": call.site.catalogue.offers(),
        "orderings": ORDERINGS,
        "kinds": KINDS,
        "limits": {
            "nodes": MOST_NODES, "levels": MOST_LEVELS, "branching": MOST_BRANCHING,
            "simulations": MOST_SIMULATIONS, "exercises": MOST_EXERCISES, "leaves": MOST_LEAVES,
        },
        "algorithms": ALGORITHMS,
    }  # fmt: skip


def _movers(lesson: Lesson) -> list[str]:
    """Who may move at a node that is edited."""
    game = lesson.tree.game
    several = game.players > 2
    return [*(game.player_name(player) for player in range(game.players)), "chance"] if several else [*MOVERS]


def _position(lesson: Lesson) -> str:
    """The position at the root as the game draws it, unless the drawing is very large."""
    picture = lesson.tree.game.picture(lesson.tree.state)
    return picture.svg if len(picture.svg) <= LARGEST_SHOWN_POSITION else ""


# -- in the server --------------------------------------------------------------------------------------------


async def lab(request: Request) -> Response:
    """The whole room; a search that takes long or waits for its turn is shown as such."""
    call = await visit_of(request)
    setup = read_setup(call.fields)
    told = b"" if is_small(setup) else await heard(request, _search(request, setup, PATIENCE))
    if told is None:
        words = "the search runs, or waits for its turn"
        return plain_page(request, "lab_waiting.html", words=words, stream=setup.address("/lab/wait"))
    reply: Reply = await request.app.state.search_queue.run(draw, call, told)
    return reply.response()


async def wait(request: Request) -> Response:
    """Says how many searches come first, and shows the lab once this one is done."""
    setup = read_setup(query(request))

    async def events() -> AsyncIterator[Event]:
        async with aclosing(request.app.state.background.watch(_key(setup), search_lesson, setup)) as watched:
            async for news in watched:
                if isinstance(news, Waiting):
                    words = f"waiting: {news.before} before you" if news.before else "the search runs"
                    yield parts(lab_waiting=words)
        yield visit(setup.address())

    return stream(request, events())


def _file(function: Callable[[Visit, bytes], Reply]) -> Endpoint:
    """An endpoint that waits for its lesson however long it takes."""

    async def endpoint(request: Request) -> Response:
        call = await visit_of(request)
        setup = read_setup(call.fields)
        told = b"" if is_small(setup) else await heard(request, _search(request, setup, None))
        reply: Reply = await request.app.state.search_queue.run(function, call, told)
        return reply.response()

    return endpoint


async def _search(request: Request, setup: Setup, patience: float | None) -> bytes | None:
    found: bytes | None = await request.app.state.background.answer(_key(setup), patience, search_lesson, setup)
    return found


def _key(setup: Setup) -> str:
    return f"lesson {lesson_key(setup)}"


ROOM = Room(
    "lab",
    "Tree lab",
    "Step through a search: the tree, its windows and cutoffs, and the pseudocode beside them.",
    [
        Route("/lab", lab),
        Route("/lab/typed", worked(typed), methods=["POST"]),
        Route("/lab/edit", worked(edit), methods=["POST"]),
        Route("/lab/wait", wait),
        Route("/lab/tree.svg", _file(draw_svg)),
        Route("/lab/replay.html", _file(write_html)),
        Route("/lab/trace.json", _file(write_json)),
        Route("/lab/worksheet", worked(worksheet)),
    ],
)
