"""Cards on hidden information: deals, poker hands, equilibria, and what averaging over deals misses."""

from __future__ import annotations

import math
from typing import Any

from ...compiled import interpreted
from ...draw.bars import Bar, bar_picture
from ...games import load_game
from ...games.hidden_coin import HiddenCoin
from ...games.kuhn import BET, Kuhn
from ...games.poker_hands import frequencies
from ...players.agents import compare_agents
from ...rng import seeded
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


SAMPLES = (10, 100, 1_000, 10_000)
HOLDS_TWO = "2 b"
"""What the second player sees in Kuhn poker with the middle card, after a bet: the other has the 1 or the 3."""


def _sampled() -> Figures:
    """A call in Kuhn poker, weighed over both deals and over samples of them."""
    game, seat = Kuhn(), 1
    view = game.read_observation(HOLDS_TWO, seat)
    deals = list(game.deals(view, seat))
    exact = math.fsum(float(share) * _seen(game, game.result(deal, BET), seat) for deal, share in deals)
    rng, rows, kept = seeded(3), [("both deals", f"{exact:g}", "0", "")], True
    for count in SAMPLES:
        values = [_seen(game, game.result(game.deal(view, seat, rng), BET), seat) for _ in range(count)]
        mean = math.fsum(values) / count
        error = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1) / count)
        kept = kept and abs(mean - exact) <= 3 * error
        rows.append((f"a sample of {count:,}", f"{mean:g}", f"± {error:.2g}", f"{abs(mean - exact) / error:.1f}"))
    return Figures(
        f"{exact:g}, {'within' if kept else 'not within'} three errors",
        ("what is averaged", "a call is worth", "standard error", "off by so many"),
        tuple(rows),
        "With the 2 after a bet: +2 against the 1, -2 against the 3. A tenth of the error takes 100 times as many.",
    )


def _seen(game: Any, state: Any, seat: int = 0) -> float:
    """Minimax, for a seat, of a deal that everybody sees."""
    if game.is_terminal(state):
        return float(game.utility(state, seat))
    values = [_seen(game, game.result(state, action), seat) for action in game.actions(state)]
    return max(values) if int(game.to_move(state)) == seat else min(values)


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
        "sampled",
        _sampled,
        (Door("Play Kuhn poker", "/play/new?game=kuhn"),),
        None,
        "plywright best kuhn --algorithm deals",
    ),
    Card(
        "poker-hands",
        _hands,
        (Door("Play hold'em", "/play/new?game=holdem"),),
        _bars,
        "plywright poker frequencies",
    ),
    Card(
        "poker-seven",
        _seven,
        (Door("Play hold'em", "/play/new?game=holdem"),),
        None,
        "plywright poker frequencies --cards 7",
        slow=True,
    ),
    Card(
        "deals",
        _deals,
        (Door("Play tricks", "/play/new?game=tricks"),),
    ),
    Card(
        "fusion",
        _fusion,
        (Door("Play the hidden coin", "/play/new?game=hidden-coin"),),
        None,
        "plywright solve hidden-coin --equilibrium --agents",
    ),
)
