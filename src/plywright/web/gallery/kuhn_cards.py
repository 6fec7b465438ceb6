"""Cards on Kuhn poker: its value, its family of equilibria, and what an equilibrium is worth among three."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arena.outcome import Outcome
from ...arena.statistics.bankroll import bankroll, instant_runoff, runoff_order
from ...compiled import interpreted
from ...equilibrium import exploitability, find_equilibrium
from ...equilibrium.best_response import values_of
from ...equilibrium.tree import GameTree
from ...games.kuhn import BET, CARD, PASS, Kuhn, acts
from .card import Card, Door, Figures

Floats = NDArray[np.float64]
JACK, QUEEN, KING = 1, 2, 3
ITERATIONS = {2: 300, 3: 100}
"""Of CFR+, by players: enough for the digits that the cards show."""


@cache
def equilibrium(players: int = 2) -> Any:
    with interpreted():
        return find_equilibrium(Kuhn(players), iterations=ITERATIONS[players])


def family(alpha: float, king: float | None = None) -> Callable[[Any, Any, int], dict[int, float]]:
    """The equilibrium in which the first player bets the jack with probability `alpha`, from 0 to 1/3 (Kuhn 1950).

    It bets the `king` three times as often; told otherwise, it is no equilibrium.
    """
    first = {JACK: alpha, QUEEN: 0.0, KING: 3 * alpha if king is None else king}
    called = {JACK: 0.0, QUEEN: alpha + 1 / 3, KING: 1.0}
    checked_to = {JACK: 1 / 3, QUEEN: 0.0, KING: 1.0}
    facing_a_bet = {JACK: 0.0, QUEEN: 1 / 3, KING: 1.0}

    def decide(game: Any, view: Any, seat: int) -> dict[int, float]:
        card, done = view.cards >> CARD * seat & 15, acts(view.betting)
        if seat == 0:
            bets = (first if done == 0 else called)[card]
        else:
            bets = (facing_a_bet if view.betting & 1 == BET else checked_to)[card]
        return {PASS: 1 - bets, BET: bets}

    return decide


def _kuhn() -> Figures:
    found = equilibrium()
    rows = [
        ("value to the first player", f"{found.values[0]:.4f}"),
        ("-1/18", f"{-1 / 18:.4f}"),
        ("exploitability after 300 iterations of CFR+", f"{found.exploitability:.5f}"),
        ("information sets", str(found.strategy.tree.sets)),
    ]
    with interpreted():
        rows += [
            (f"exploitability where the jack is bet with {words}", f"{exploitability(Kuhn(), family(share)) + 0.0:.5f}")
            for words, share in (("0", 0.0), ("1/6", 1 / 6), ("1/3", 1 / 3))
        ]
    return Figures(
        f"{found.values[0]:.3f}",
        ("", ""),
        tuple(rows),
        "The first player bets the jack with any α from 0 to 1/3, the king with 3α, and calls with the queen with "
        "α + 1/3: a family with one parameter.",
    )


# -- three players ------------------------------------------------------------------------------------------------


def spite(tree: GameTree, chances: Floats, victim: int = 0) -> Floats:
    """The others' plays changed, one information set after the other, for as long as that costs the victim more."""
    found, least = np.array(chances), values_of(tree, chances)[victim]
    changed = True
    while changed:
        changed = False
        for which in range(tree.sets):
            if int(tree.owner[which]) == victim:
                continue
            start, end = int(tree.start[which]), int(tree.start[which + 1])
            for slot in range(start, end):
                tried = np.array(found)
                tried[start:end] = 0.0
                tried[slot] = 1.0
                if (worth := values_of(tree, tried)[victim]) < least - 1e-9:
                    found, least, changed = tried, worth, True
    return found


def seated(tree: GameTree, plays: list[Floats]) -> tuple[float, ...]:
    """What each seat wins a hand on average, where everyone plays its own way."""
    together = np.array(tree.uniform)
    for which in range(tree.sets):
        part = slice(int(tree.start[which]), int(tree.start[which + 1]))
        together[part] = plays[int(tree.owner[which])][part]
    return values_of(tree, together)


def always(tree: GameTree, place: int) -> Floats:
    """The play that takes the same action everywhere."""
    found = np.zeros_like(tree.uniform)
    found[tree.start[:-1] + place] = 1.0
    return found


def _three() -> Figures:
    found = equilibrium(3)
    tree, chances = found.strategy.tree, np.array(found.strategy.chances)
    agents = {
        "its part of an equilibrium": chances,
        "always bets": always(tree, BET),
        "always passes": always(tree, PASS),
        "at random": np.array(tree.uniform),
    }
    with interpreted():
        worst = values_of(tree, spite(tree, chances))
        plays = list(agents.values())
        hands = [(seats, seated(tree, [plays[one] for one in seats])) for seats in permutations(range(len(plays)), 3)]
    outcomes = [_outcome(number, seats, won) for number, (seats, won) in enumerate(hands)]
    won = bankroll(outcomes, len(plays))
    order = runoff_order(instant_runoff(outcomes, len(plays), seats=3))
    games = len(outcomes) * 3 // len(plays)
    rows = [
        ("equilibrium: what the first player wins a hand", f"{found.values[0]:+.3f}", ""),
        ("the same play, when both others stray together", f"{worst[0]:+.3f}", ""),
    ]
    rows += [(name, f"{won[n] / games:+.3f}", f"{order.index(n) + 1}") for n, name in enumerate(agents)]
    return Figures(
        f"{found.values[0]:.2f}, then {worst[0]:.2f}",
        ("", "a hand", "place in the runoff"),
        tuple(rows),
        f"The last four lines are a match of four at tables of three, each of {len(outcomes)} seatings alike: the "
        "bankroll, and the instant runoff, which drops the worst and counts the games again that it did not sit in. "
        "Whoever lives on one weak player falls when that one is gone.",
    )


def _outcome(number: int, seats: tuple[int, ...], won: tuple[float, ...]) -> Outcome:
    return Outcome(number, 1, number, seats, won, "", None, (), 0.0, "", "")


def _picture() -> str:
    game = Kuhn()
    return game.picture(game.start_state).svg


CARDS = (
    Card(
        "kuhn",
        _kuhn,
        (Door("Play it", "/play/new?game=kuhn"),),
        _picture,
        "plywright solve kuhn --equilibrium",
    ),
    Card(
        "three-kuhn",
        _three,
        (Door("Play it with three", "/play/new?game=kuhn%3Aplayers%3D3"),),
        None,
        "plywright tournament random first deals:deals=20 --game kuhn:players=3 --games 20 --mode nodes:200",
        slow=True,
    ),
)
