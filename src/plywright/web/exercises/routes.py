"""The room of exercises: a list of algorithms with how they went, one exercise, its answers, and sheets to print."""

from __future__ import annotations

import random
from dataclasses import replace

from starlette.routing import Route

from ...games.trees.explicit_tree import FIGURES
from ...textbook import ALGORITHMS
from ...textbook.worksheet import MOST_EXERCISES, suitable_sheet
from ..errors import Missing
from ..fields import Fields
from ..requests import Reply, Visit, page, redirect, worked
from ..room import Room
from .attempts import ATTEMPTS, keep, standings
from .exercise import posed, read_wanted, scored

LARGEST_SEED = 10**6


def choose(call: Visit) -> Reply:
    """All algorithms, how they went, and a form for a teacher's own tree."""
    sheets = {name: suitable_sheet(name) for name in ALGORITHMS}
    return page(
        call, "exercises.html", rows=standings(), sheets=sheets, figures=FIGURES, algorithms=ALGORITHMS,
        fresh=random.randrange(2, LARGEST_SEED), most=MOST_EXERCISES,
    )  # fmt: skip


def show(call: Visit) -> Reply:
    """One exercise with fields for the answers."""
    wanted = read_wanted(call.fields)
    return page(call, "exercise.html", wanted=wanted, task=posed(wanted), scores=None, right=0)


def answer(call: Visit) -> Reply:
    """Score the answers, keep them, and show them on a page of their own."""
    wanted = read_wanted(call.fields)
    answers = {name: text for name, text in call.fields.given.items() if name != "token" and len(text) <= 60}
    found = scored(posed(wanted), answers)
    right = sum(one.is_right for one in found)
    address = wanted.address("")[1:]
    return redirect(f"/exercises/done/{keep(wanted.algorithm, right, len(found), address=address, answers=answers)}")


def done(call: Visit) -> Reply:
    """An attempt that was kept, beside the right answers."""
    from urllib.parse import parse_qsl

    kept = ATTEMPTS[call.params["name"]]
    if not isinstance(kept, dict) or "address" not in kept:
        raise Missing("nothing was answered under this name")
    wanted = read_wanted(Fields(dict(parse_qsl(str(kept["address"])))))
    task = posed(wanted)
    scores = scored(task, {str(name): str(text) for name, text in dict(kept.get("answers", {})).items()})
    right = sum(one.is_right for one in scores)
    following = wanted
    if not wanted.tree:
        last = wanted.number == MOST_EXERCISES
        sheet = replace(wanted.sheet, seed=(wanted.sheet.seed + 1) % LARGEST_SEED) if last else wanted.sheet
        following = replace(wanted, sheet=sheet, number=1 if last else wanted.number + 1)
    return page(
        call, "exercise.html", wanted=wanted, task=task, scores=scores, right=right, following=following.address(),
    )  # fmt: skip


def predicted(call: Visit) -> Reply:
    """Predictions made in the lab, sent by its script when there are no more questions."""
    name = call.fields.choice("algorithm", tuple(ALGORITHMS))
    asked = call.fields.whole("asked", 1, 1, 10_000)
    keep(name, call.fields.whole("right", 0, 0, asked), asked, what="prediction")
    return Reply("kept", kind="text/plain")


ROOM = Room(
    "exercises",
    "Exercises",
    "Search trees by hand: every algorithm, seeded or on your own trees, scored, kept and ready to print.",
    [
        Route("/exercises", worked(choose)),
        Route("/exercises/one", worked(show), methods=["GET"]),
        Route("/exercises/one", worked(answer), methods=["POST"]),
        Route("/exercises/done/{name}", worked(done)),
        Route("/exercises/predicted", worked(predicted), methods=["POST"]),
    ],
)
