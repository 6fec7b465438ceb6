"""The learning room: start a training, watch its curve and what it weighs, play against any checkpoint."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...draw.curve import Series, curve_svg
from ...errors import BadInput, PlywrightError
from ...models.inside import look_inside
from ...models.loading import open_model
from ..catalogue import Catalogue
from ..matches.run_queue import RESTING, RUNNING, WAITING, RunQueue
from ..rendering import rendered
from ..requests import AFTERWARDS, Reply, Visit, page, redirect, visit_of, worked
from ..room import Room
from ..stream import Event, parts, stream, visit
from .trainings import FILE, Plan, Training, new_training, opponent, path_of, read_training, trainings

MINUTES = (0.1, 30.0)
MOST_PAIRS = 50
BEAT = 1.0
"""Seconds between two looks at a training that runs."""
OFFERED = ("breakthrough:columns=5,rows=5", "connect-four", "othello:size=6", "breakthrough", "checkers", "tic-tac-toe")


def queue_of(app: Starlette) -> RunQueue:
    """The trainings under way on this server, one at a time."""
    if not hasattr(app.state, "training_queue"):
        app.state.training_queue = RunQueue(
            app.state.catalogue.own, module="plywright.web.learning.process", place=path_of
        )
    found: RunQueue = app.state.training_queue
    return found


# -- the list ---------------------------------------------------------------------------------------------------------


def listed(call: Visit, standings: dict[str, tuple[str, int]]) -> Reply:
    """In a worker: the form and the trainings so far."""
    found = [(one, standings.get(one.name, (RESTING, 0))[0]) for one in trainings()]
    return page(
        call, "learning.html", trainings=found, offered=[*call.site.catalogue.own, *OFFERED], minutes=MINUTES,
        most_pairs=MOST_PAIRS, state=_state,
    )  # fmt: skip


async def show(request: Request) -> Response:
    queue = queue_of(request.app)
    names = [queue.current, *queue.line]
    standings = {name: queue.standing(name) for name in names if name}
    reply: Reply = await request.app.state.search_queue.run(listed, await visit_of(request), standings)
    return reply.response()


def planned(call: Visit) -> Reply:
    """In a worker: a training, written down; it runs as soon as no other does."""
    fields = call.fields
    if not (text := fields.text("game", most=200)):
        raise BadInput("name the game that is to be learned")
    game = call.site.catalogue[text]
    if game.players > 2 or game.hidden:
        raise BadInput(f"{game.name} is not learned here: take a game of one or two players in which all is seen")
    plan = Plan(
        text,
        fields.number("minutes", 1.0, *MINUTES),
        fields.whole("pairs", 10, 0, MOST_PAIRS),
        fields.whole("seed", 1, 0, 10**9),
    )
    return redirect(f"/learning/{(name := new_training(plan))}", (START, name))


async def begin(app: Starlette, name: str) -> None:
    queue_of(app).start(name)


START, STOP = "learning: start", "learning: stop"
AFTERWARDS[START] = begin


async def end(app: Starlette, name: str) -> None:
    queue_of(app).stop(name)


AFTERWARDS[STOP] = end


def stopped(call: Visit) -> Reply:
    name = call.params["name"]
    path_of(name)
    return redirect(f"/learning/{name}", (STOP, name))


# -- one training -----------------------------------------------------------------------------------------------------


def drawn(training: Training, standing: tuple[str, int], catalogue: Catalogue, token: str) -> dict[str, str]:
    """In a worker: what changes while it runs, as parts of the page by id."""
    found = {"training": training, "opponents": _opponents(training), "token": token}
    return {
        "learning_state": _state(training, standing),
        "learning_curve": curve_of(training),
        "learning_heat": heat_of(training, catalogue),
        "learning_table": rendered("learning_checkpoints.html", **found),
    }


def shown(call: Visit, standing: tuple[str, int]) -> Reply:
    """In a worker: the page of one training."""
    training = read_training(call.params["name"])
    found = drawn(training, standing, call.site.catalogue, call.site.token)
    return page(call, "learning_run.html", training=training, running=standing[0] != RESTING, parts=found)


def looked_at(call: Visit, standing: tuple[str, int]) -> dict[str, str]:
    return drawn(read_training(call.params["name"]), standing, call.site.catalogue, call.site.token)


async def show_run(request: Request) -> Response:
    standing = queue_of(request.app).standing(request.path_params["name"])
    reply: Reply = await request.app.state.search_queue.run(shown, await visit_of(request), standing)
    return reply.response()


async def follow(request: Request) -> Response:
    """The curve, the map and the checkpoints while it runs; whatever has not changed is not sent again."""
    call, queue = await visit_of(request), queue_of(request.app)
    name = call.params["name"]

    async def events() -> AsyncIterator[Event]:
        sent: dict[str, str] = {}
        while True:
            standing = queue.standing(name)
            now: dict[str, str] = await request.app.state.search_queue.run(looked_at, call, standing)
            if fresh := {part: text for part, text in now.items() if sent.get(part) != text}:
                yield parts(**fresh)
            sent = now
            if standing[0] == RESTING:
                yield visit(f"/learning/{name}")  # the page of a training that is over has nothing to stop
                return
            await asyncio.sleep(BEAT)

    return stream(request, events())


def _state(training: Training, standing: tuple[str, int] | str) -> str:
    """How far it is, in words."""
    kind, before = standing if isinstance(standing, tuple) else (standing, 0)
    done = training.progress or (training.checkpoints[-1] if training.checkpoints else {})
    so_far = f"{done['games']:,} games, {done['games_per_second']:,.0f} per second" if done.get("games") else ""
    if kind == WAITING:
        return f"waiting: {before} before this one, since one training runs at a time"
    if kind == RUNNING:
        return f"learning; {so_far}" if so_far else "the rules are compiled, then it begins"
    if training.note:
        return training.note
    words = "finished" if training.is_done else "stopped" if training.checkpoints else "not begun"
    return f"{words}; {so_far}" if so_far else words


def _opponents(training: Training) -> dict[int, str]:
    found = {}
    for line in training.checkpoints:
        try:
            found[int(line["checkpoint"])] = opponent(training.name, int(line["checkpoint"]))
        except PlywrightError:
            continue
    return found


def curve_of(training: Training) -> str:
    """The score of its matches by games with 95 % intervals, and from the second checkpoint on the error.

    Scores, since whoever wins every game has no finite Elo.
    """
    lines, drawn = training.checkpoints, ""
    common: dict[str, Any] = {"x_label": "games of self-play", "x_range": (0.0,), "height": 380}
    measured = [(float(line["games"]), score_of(line["strength"])) for line in lines if line.get("strength")]
    if measured:
        points = [(games, 100 * share) for games, (share, _, _) in measured]
        spread = [(100 * low, 100 * high) for _, (_, low, high) in measured]
        series = [Series("score against the start, with 95 % intervals", points, spread=spread)]
        drawn += curve_svg(series, title=training.plan.game, y_label="per cent", y_range=(0.0, 50.0, 100.0), **common)
    if len(lines) > 1:
        points = [(float(line["games"]), float(line["loss"])) for line in lines]
        name = "how far estimates were from what looking ahead found"
        drawn += curve_svg([Series(name, points)], y_label="mean squared error", y_range=(0.0,), **common)
    return drawn


def score_of(strength: dict[str, Any]) -> tuple[float, float, float]:
    """The share of points of a match, and Wilson's interval of 95 %, as if every game stood alone."""
    games = strength["wins"] + strength["draws"] + strength["losses"]
    if not games:
        return 0.5, 0.0, 1.0
    share, z = (strength["wins"] + strength["draws"] / 2) / games, 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return share, middle - half, middle + half


def heat_of(training: Training, catalogue: Catalogue) -> str:
    """What the cells of the board are worth now, or the largest features in words."""
    path = path_of(training.name) / FILE
    if not path.is_file():
        return ""
    try:
        inside = look_inside(open_model(path, catalogue[training.plan.game]))
    except PlywrightError as error:
        return rendered("learning_features.html", note=str(error), features=[])
    if inside.panels:
        return inside.picture().svg
    return rendered("learning_features.html", note="", features=inside.largest)


ROOM = Room(
    "learning",
    "Learning",
    "Watch an evaluation learn by playing itself: its curve, what it weighs, and a game against any checkpoint.",
    [
        Route("/learning", show, methods=["GET"]),
        Route("/learning", worked(planned), methods=["POST"]),
        Route("/learning/{name}", show_run, methods=["GET"]),
        Route("/learning/{name}/stop", worked(stopped), methods=["POST"]),
        Route("/learning/{name}/stream", follow),
    ],
    needs="plywright.learning",
)
