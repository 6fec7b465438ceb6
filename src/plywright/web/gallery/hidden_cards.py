"""Cards on hidden information: deals, poker hands, equilibria, and what averaging over deals misses."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from ...compiled import interpreted
from ...draw.bars import Bar, bar_picture
from ...equilibrium import find_equilibrium
from ...games import load_game
from ...games.hidden_coin import HiddenCoin
from ...games.kuhn import Kuhn
from ...games.poker_hands import frequencies
from ...players.agents import compare_agents
from .card import Card, Door, Figures

RANKS, SUITS = 13, 4


def hands() -> dict[str, int]:
    """Hands of five cards by kind, from the best down, by choosing ranks and suits."""
    c = math.comb
    flushes = 10 * SUITS
    plain = c(RANKS, 5) - 10
    return {
        "royal flush": SUITS,
        "straight flush": flushes - SUITS,
        "four of a kind": RANKS * (RANKS - 1) * SUITS,
        "full house": RANKS * c(SUITS, 3) * (RANKS - 1) * c(SUITS, 2),
        "flush": plain * SUITS,
        "straight": 10 * (SUITS**5 - SUITS),
        "three of a kind": RANKS * c(SUITS, 3) * c(RANKS - 1, 2) * SUITS**2,
        "two pair": c(RANKS, 2) * c(SUITS, 2) ** 2 * (RANKS - 2) * SUITS,
        "one pair": RANKS * c(SUITS, 2) * c(RANKS - 1, 3) * SUITS**3,
        "high card": plain * (SUITS**5 - SUITS),
    }


def _hands() -> Figures:
    found, running, rows = hands(), 0, []
    total = sum(found.values())
    for name, count in found.items():
        running += count
        odds = (total - count) / count
        rows.append(
            (
                name,
                f"{count:,}",
                f"{100 * count / total:.3g} %",
                f"{odds:,.0f} : 1" if odds >= 100 else f"{odds:.3g} : 1",
                f"{100 * running / total:.3g} %",
            )
        )
    head = ("hand", "hands", "probability", "odds against", "this or better")
    return Figures(f"{total:,}", head, (*rows, ("all", f"{total:,}", "100 %", "", "")))


def _seven() -> Figures:
    """The hands of seven cards, one by one, in native code."""
    found = dict(reversed(frequencies(7).items()))
    total, running, rows = sum(found.values()), 0, []
    for name, count in found.items():
        running += count
        rows.append((name, f"{count:,}", f"{100 * count / total:.3g} %", f"{100 * running / total:.3g} %"))
    return Figures(f"{total:,}", ("best five of seven", "hands", "probability", "this or better"), tuple(rows))


def _deals() -> Figures:
    rows = [
        ("two hands of thirteen unseen", "C(26, 13)", f"{math.comb(26, 13):,}"),
        ("after the lead, 25 of 47 unseen", "C(47, 25)", f"{math.comb(47, 25):,}"),
    ]
    rows += [
        (f"a sample of {sample:,} deals", "13 / 2 / √N tricks at most", f"± {13 / 2 / math.sqrt(sample):.2g}")
        for sample in (100, 1_000, 10_000)
    ]
    return Figures(
        f"{math.comb(26, 13):,}",
        ("what", "arithmetic", ""),
        tuple(rows),
        "The last lines are the standard error that a sample leaves, for values from 0 to 13 tricks.",
    )


@cache
def kuhn() -> Any:
    with interpreted():
        return find_equilibrium(Kuhn(), iterations=300)


def _kuhn() -> Figures:
    found = kuhn()
    rows = (
        ("value to the first player", f"{found.values[0]:.4f}"),
        ("-1/18", f"{-1 / 18:.4f}"),
        ("exploitability after 300 iterations of CFR+", f"{found.exploitability:.5f}"),
        ("information sets", str(found.strategy.tree.sets)),
    )
    return Figures(
        f"{found.values[0]:.3f}",
        ("", ""),
        rows,
        "With three players a part of an equilibrium protects against nobody: such matches are scored by winnings and "
        "by instant runoff.",
    )


def _fusion() -> Figures:
    with interpreted():
        rows = compare_agents(HiddenCoin(), deals=40, simulations=300, iterations=200)
    table = tuple((row.name, f"{row.exploitability:.3f}") for row in rows)
    return Figures(
        f"{rows[1].exploitability:.0f} against {rows[-1].exploitability:.0f}",
        ("who plays", "can be exploited by"),
        table,
    )


def _weighted() -> Figures:
    """The seeker of the hidden coin averages over both deals what it would get if it saw the coin."""
    game = HiddenCoin()
    laid = game.result(game.start_state, 0)
    deals = list(game.deals(game.observation(laid, 0), 0))
    rows = []
    for action in game.actions(laid):
        values = [_seen(game, game.result(deal, action)) for deal, _ in deals]
        mean = sum(share * worth for (_, share), worth in zip(deals, values, strict=True))
        rows.append((game.format_action(laid, action), *(f"{worth:+g}" for worth in values), f"{mean:+g}"))
    best = max(rows, key=lambda row: float(row[-1]))
    return Figures(
        f"{best[0]} {best[-1]}",
        ("action", "heads is up", "tails is up", "average"),
        tuple(rows),
        "Each column is minimax with the coin in sight; the rule weighs them by the chance of each deal.",
    )


def _seen(game: Any, state: Any) -> float:
    """Minimax of a deal that everybody sees."""
    if game.is_terminal(state):
        return float(game.utility(state, 0))
    values = [_seen(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if int(game.to_move(state)) == 0 else min(values)


def _bars() -> str:
    total = sum(hands().values())
    return bar_picture(
        [Bar(name, 100 * count / total) for name, count in hands().items()], x_label="hand", y_label="per cent"
    ).svg


def _picture(name: str) -> str:
    game = load_game(name)
    return game.picture(game.start_state).svg


CARDS = (
    Card(
        "weighted",
        _weighted,
        (Door("Play the hidden coin", "/play/new?game=hidden-coin"),),
        lambda: _picture("hidden-coin"),
        "plywright best hidden-coin --algorithm deals",
    ),
    Card(
        "poker-hands",
        _hands,
        (),
        _bars,
        "plywright poker frequencies",
    ),
    Card("poker-seven", _seven, (), None, "plywright poker frequencies --cards 7", slow=True),
    Card(
        "deals",
        _deals,
        (Door("Play tricks", "/play/new?game=tricks"),),
    ),
    Card(
        "kuhn",
        _kuhn,
        (Door("Play it", "/play/new?game=kuhn"),),
        lambda: _picture("kuhn"),
        "plywright solve kuhn --equilibrium",
    ),
    Card(
        "fusion",
        _fusion,
        (Door("Play the hidden coin", "/play/new?game=hidden-coin"),),
        None,
        "plywright solve hidden-coin --equilibrium --agents",
    ),
)
