"""Check of searches with chance or many players: textbook, pruned and compiled, against plain enumeration."""

from __future__ import annotations

import math
from typing import Any

from .. import textbook
from ..engine import search
from ..engine.kernel_runner import blame
from ..errors import Unsuitable
from ..game import CHANCE, Game
from ..knowledge import knowledge_of
from .subject import Subject, Verdict, passed, skipped

STATES = 4
NODES = 3000
DEPTH = 12
"""From how many states searches are compared, and how many nodes limit their depth."""
TOLERANCE = 1e-9

Vector = tuple[float, ...]


def enumeration(subject: Subject) -> Verdict:
    """Expectiminimax, Star1 and Star2, or max^n, find what listing every line finds."""
    game = subject.game
    if game.hidden or (game.opposed and not game.has_chance):
        return skipped("the game is not one for expectiminimax or max^n: those take chance or other than two sides")
    if game.has_chance and not game.lists_chance:
        return skipped("outcomes are drawn, not listed")
    if bad := subject.failed & {"utilities", "evaluation", "chance", "outcomes", "compiled rules"}:
        return skipped(f"not tried, since {sorted(bad)[0]!r} failed")
    game.__dict__["_smoke_tested"] = True  # this examination goes much further
    names = ("h-expectiminimax", "star1", "star2") if game.opposed or game.players == 1 else ("maxn",)
    deepest = 0
    for seen in subject.visits(STATES, over=False):
        state = seen.visit.state
        try:
            depth, expected, proved = deepest_list(game, state)
            found = {name: textbook.run(name, game, state, depth=depth, trace=False).values for name in names}
            found |= _by_engine(game, state, depth, proved)
        except Exception as error:
            return subject.fail(f"searching from here failed: {blame(game, error)}", "mend the rule it names")
        for name, values in found.items():
            if any(
                abs(one - other) > TOLERANCE * max(1.0, abs(other)) for one, other in zip(values, expected, strict=True)
            ):
                return subject.fail(
                    f"at depth {depth} {name} finds {_shown(values)}, but enumeration {_shown(expected)}",
                    "values must depend on the state alone and keep utility_range, sum_bound and zero_sum",
                )
        deepest = max(deepest, depth)
    if not deepest:
        return skipped("no unfinished state was seen")
    find = "find" if len(names) > 1 else "finds"
    return passed(f"{', '.join(names)} {find} what enumeration finds, to depth {deepest}")


def deepest_list(game: Game, state: Any) -> tuple[int, Vector, bool]:
    """The depth in moves that NODES allow, the values at it, and whether nothing was estimated."""
    found = 0, Vector(), False
    for depth in range(1, DEPTH + 1):
        tally = _Tally(NODES if found[0] else math.inf)
        values = listed(game, state, depth, tally)
        if values is None:
            break
        found = depth, values, not tally.estimated
        if not tally.estimated:
            break
    return found


class _Tally:
    """Nodes left, and whether an evaluation was used."""

    def __init__(self, nodes: float) -> None:
        self.nodes = nodes
        self.estimated = False


def listed(game: Game, state: Any, depth: int, tally: _Tally) -> Vector | None:
    """The values by the definition alone: chance is averaged, every player takes its best; None out of nodes."""
    tally.nodes -= 1
    if tally.nodes < 0:
        return None
    over = game.is_terminal(state)
    if over or depth == 0:
        tally.estimated = tally.estimated or not over
        rule = game.utility if over else knowledge_of(game).evaluate
        return tuple(float(rule(state, player)) for player in range(game.players))
    mover = int(game.to_move(state))
    ways = list(game.chance(state)) if mover == CHANCE else [(action, 1.0) for action in game.actions(state)]
    below = []
    for way, probability in ways:
        values = listed(game, game.result(state, int(way)), depth - (mover != CHANCE), tally)
        if values is None:
            return None
        below.append((float(probability), values))
    if mover == CHANCE:
        return tuple(math.fsum(p * values[player] for p, values in below) for player in range(game.players))
    return max((values for _, values in below), key=lambda values: values[mover])


def _by_engine(game: Game, state: Any, depth: int, proved: bool) -> dict[str, Vector]:
    """What the engine finds where both it and enumeration have seen the end of every line."""
    if not proved or game.at_chance(state):
        return {}
    try:
        result = search(game, state, depth=depth)
    except Unsuitable:  # this installation's engine has no search for the game's kind
        return {}
    return {f"the engine's {result.algorithm}": result.values} if result.proved else {}


def _alike(one: float, other: float) -> bool:
    return abs(one - other) <= TOLERANCE * max(1.0, abs(other))


def _shown(values: Vector) -> str:
    return ", ".join(f"{value:g}" for value in values)
