"""Cards on counting: positions, the price of order, orders of magnitude, evaluations, and the table of all games."""

from __future__ import annotations

import math
from functools import cache
from urllib.parse import urlencode

from ...compiled import interpreted
from ...draw.curve import Series, curve_svg
from ...engine.alphabeta.leaf_counts import fewest_leaves, growth, ordering_curves
from ...engine.value_iteration.reachable import reachable
from ...game import Game
from ...games import GAMES, as_knowledge, load_game
from ...knowledge import knowledge_of
from .card import Card, Door, Figures

SEEDS = 4
"""Trees of random order that a point of the curve is the mean of."""
MOST_MEASURED = 5_000
"""Leaves of the largest tree that is searched for a curve, in ordinary Python."""
LOST_QUEEN = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BRANCHING, DEPTH = (2, 40), (1, 12)
"""What the sliders reach."""


def orders_picture(branching: int, depth: int) -> str:
    """b^m, b^(3m/4) and b^(m/2) by depth, with what alpha-beta measured on generated trees of each order."""
    depths = range(1, depth + 1)
    curves = [
        Series("b^m: no pruning", [(m, float(branching**m)) for m in depths], marked=False),
        Series(
            "b^(3m/4): the rough figure for random order", [(m, branching ** (0.75 * m)) for m in depths], marked=False
        ),
        Series("b^(m/2): the best there is", [(m, branching ** (m / 2)) for m in depths], marked=False),
    ]
    found = measured(branching, depth)
    for order in ("worst", "random", "perfect"):
        points = [(float(m), leaves) for m, leaves in found[order].items()]
        if points:
            curves.append(Series(f"measured, {order} order", points))
    title = f"Leaves examined, branching {branching}"
    return curve_svg(curves, title=title, x_label="depth m", y_label="leaves", log_y=True)


@cache
def measured(branching: int, depth: int) -> dict[str, dict[int, float]]:
    """Leaves that alpha-beta examines on generated trees, as deep as they are small enough to search here."""
    deepest = min(depth, int(math.log(MOST_MEASURED) / math.log(branching)))
    with interpreted():
        return ordering_curves(branching, range(1, deepest + 1), seeds=range(1, SEEDS + 1))


def orders(branching: int = 3, depth: int = 6) -> Figures:
    found = measured(branching, depth)
    rows = []
    for m in range(1, depth + 1):
        seen = [f"{found[order][m]:,.0f}" if m in found[order] else "–" for order in ("perfect", "random", "worst")]
        rows.append(
            (str(m), f"{branching**m:,}", f"{branching ** (0.75 * m):,.0f}", f"{fewest_leaves(branching, m):,}", *seen)
        )
    head = ("m", "b^m", "b^(3m/4)", "b^⌈m/2⌉ + b^⌊m/2⌋ - 1", "perfect", "random", "worst")
    note = f"The last three columns are measured on trees of the generator; random order is the mean of {SEEDS} seeds."
    if len(found["random"]) > 4:
        grown = {order: growth(found[order], branching) for order in ("perfect", "random", "worst")}
        note += " Measured growth b^(e m) over the deepest four plies: " + ", ".join(
            f"e = {exponent:.2f} in {order} order" for order, exponent in grown.items()
        )
        note += ". Random order tends to 0.70 (Pearl); 3/4 is the rough figure."
    return Figures(f"{fewest_leaves(35, 8):,}", head, tuple(rows), note)


@cache
def counted() -> dict[str, int]:
    """Tic-tac-toe, counted position by position; games and nodes by adding up over the positions."""
    game = load_game("tic-tac-toe")
    with interpreted():
        found = reachable(game, game.start_state)
        folded = reachable(game, game.start_state, up_to_symmetry=True)
    games: dict[object, tuple[int, int, float]] = {}

    def below(state: object) -> tuple[int, int, float]:
        if state not in games:
            if game.is_terminal(state):
                games[state] = 1, 1, float(game.utility(state, 0))
            else:
                parts = [below(game.result(state, action)) for action in game.actions(state)]
                best = (max if game.to_move(state) == 0 else min)(part[2] for part in parts)
                games[state] = sum(part[0] for part in parts), 1 + sum(part[1] for part in parts), best
        return games[state]

    complete, nodes, worth = below(game.start_state)
    return {
        "positions": found.count, "finished": found.finished, "up to symmetry": folded.count,
        "complete games": complete, "nodes of the whole tree": nodes, "value": int(worth),
    }  # fmt: skip


def _counted() -> Figures:
    found = counted()
    return Figures(f"{found['positions']:,}", ("", ""), tuple((name, f"{count:,}") for name, count in found.items()))


def _limits() -> Figures:
    """The evaluation of every position of tic-tac-toe beside its utility."""
    game = load_game("tic-tac-toe")
    known, low, high = knowledge_of(game), *game.utility_range
    waiting, seen, equal, between = [game.start_state], {game.start_state}, 0, 0
    for state in waiting:
        if game.is_terminal(state):
            equal += all(known.evaluate(state, p) == game.utility(state, p) for p in (0, 1))
            continue
        between += all(low < known.evaluate(state, p) < high for p in (0, 1))
        for action in game.actions(state):
            if (after := game.result(state, action)) not in seen:
                seen.add(after)
                waiting.append(after)
    rows = (
        ("finished, evaluation = utility", f"{equal:,}"),
        ("unfinished, strictly between", f"{between:,}"),
        ("all", f"{len(seen):,}"),
    )
    return Figures(f"{equal:,} + {between:,}", ("positions", ""), rows)


def _lines() -> Figures:
    game = load_game("tic-tac-toe")
    known = knowledge_of(game)
    rows = []
    for moves in ("b2", "a1", "b2 a1", "b2 b1"):
        state = game.play_moves(game.start_state, moves)
        mine, theirs = (known.evaluation_terms(state)[0].counts[player] for player in (0, 1))
        rows.append((moves, f"{mine:g}", f"{theirs:g}", f"{mine - theirs:+g}"))
    return Figures(rows[0][3], ("after", "open for X", "open for O", "difference"), tuple(rows))


def _material() -> Figures:
    game = load_game("chess")
    known = as_knowledge(game, "material")
    state = game.read_state(LOST_QUEEN)
    rows = [
        (term.name, term.weight, f"{term.counts[0]:g}", f"{term.counts[1]:g}", f"{term.worth[0] - term.worth[1]:+g}")
        for term in known.evaluation_terms(state)
    ]
    weights = ", ".join(row[1] for row in rows if row[1] != "0")
    return Figures(weights, ("piece", "weight", "White", "Black", "contribution"), tuple(rows))


def power(number: float) -> str:
    """A large number as a power of ten."""
    found = math.floor(math.log10(number)) if number < 1e300 else 0
    return f"{number / 10**found:.2f} × 10^{found}"


def _magnitudes() -> Figures:
    rolls = 21
    backgammon = 20 * (rolls * 20) ** 3
    rows = (
        ("chess, 35 moves, 80 plies", "35^80", f"10^{80 * math.log10(35):.1f}"),
        ("chess, 35 moves, 100 plies", "35^100", f"10^{100 * math.log10(35):.1f}"),
        ("Go, 250 moves, 150 plies", "250^150", f"10^{150 * math.log10(250):.1f}"),
        ("Go, 300 moves, 150 plies", "300^150", f"10^{150 * math.log10(300):.1f}"),
        ("chess to depth 8 in perfect order", "35^4 + 35^4 - 1", f"{fewest_leaves(35, 8):,}"),
        (
            "alpha-beta with a million nodes",
            "log 10^6 / log √35",
            f"depth {math.log(1e6) / math.log(math.sqrt(35)):.1f}",
        ),
        ("effective branching in perfect order", "√35", f"{math.sqrt(35):.2f}"),
        ("Deep Blue, a line of 40 plies", "√35^40", f"10^{20 * math.log10(35):.1f}"),
        ("Deep Blue, 180 s at 200 million a second", "180 × 2·10^8", power(180 * 2e8)),
        ("backgammon, three rolls ahead", "20 × (21 × 20)^3", f"{backgammon:,}"),
        ("bridge deals, two hands seen", "C(26, 13)", f"{math.comb(26, 13):,}"),
        ("bridge deals after the lead", "C(47, 25)", f"{math.comb(47, 25):,}"),
        ("tic-tac-toe's positions", "counted", f"{counted()['positions']:,}"),
    )
    return Figures(f"10^{math.floor(80 * math.log10(35))}", ("what", "arithmetic", "about"), rows)


def axes_of(name: str) -> tuple[str, ...]:
    """Where a game stands: players, chance, what is hidden, what utilities add up to, whether it can go on for ever."""
    game = load_game(name)
    alone = len(set(game.team_of)) == 1
    sums = "one player" if alone else "zero-sum" if game.opposed or game.zero_sum else "general-sum"
    return (
        name,
        str(game.players),
        "stochastic" if game.has_chance else "deterministic",
        "hidden" if game.hidden else "everything seen",
        sums,
        _repeats(game),
    )


def _repeats(game: Game) -> str:
    return f"{game.repetition[0]} at {game.repetition[1]}" if game.repetition else ""


def _axes() -> Figures:
    rows = tuple(axes_of(name) for name in GAMES)
    kinds = {(row[2], row[3]) for row in rows}
    head = ("game", "players", "chance", "information", "utilities", "repetition")
    return Figures(f"{len(kinds)} of 4 kinds", head, rows, f"{len(rows)} games.")


CARDS = (
    Card(
        "orders",
        orders,
        (
            Door("Move the sliders", "/gallery/orders"),
            Door("Perfect order in the lab", "/lab?from=generated&branching=3&levels=4&ordering=perfect"),
            Door("Worst order in the lab", "/lab?from=generated&branching=3&levels=4&ordering=worst"),
        ),
        lambda: orders_picture(3, 6),
        "python benchmarks/leaves.py",
    ),
    Card(
        "tic-tac-toe",
        _counted,
        (Door("Play it", "/play/new?game=tic-tac-toe"), Door("Its tree", "/lab?from=game&game=tic-tac-toe&depth=2")),
        lambda: _board("tic-tac-toe", "b2 a1 c3"),
        "plywright positions tic-tac-toe",
    ),
    Card(
        "open-lines",
        _lines,
        (Door("Change the weights", "/bench?game=tic-tac-toe&moves=b2"),),
        lambda: _board("tic-tac-toe", "b2"),
        "plywright best tic-tac-toe --depth 1 --explain-evaluation",
    ),
    Card(
        "material",
        _material,
        (
            Door(
                "Change the weights",
                "/bench?" + urlencode({"game": "chess", "knowledge": "material", "state": LOST_QUEEN}),
            ),
        ),
        lambda: _board("chess", "", LOST_QUEEN),
        "plywright best chess --knowledge material --depth 1 --explain-evaluation",
    ),
    Card(
        "limits",
        _limits,
        (Door("Look at evaluations", "/bench?game=tic-tac-toe"),),
        None,
        "plywright doctor tic-tac-toe",
    ),
    Card(
        "magnitudes",
        _magnitudes,
        (
            Door("Deals too many to list", "/gallery/deals"),
            Door("Backgammon's tree", "/chance?game=backgammon&moves=31&depth=2"),
        ),
    ),
    Card(
        "axes",
        _axes,
        (Door("Play one", "/play"),),
        None,
        "plywright games",
    ),
)


def _board(name: str, moves: str, start: str = "") -> str:
    game = load_game(name)
    state = game.read_state(start) if start else game.start_state
    state = game.play_moves(state, moves) if moves else state
    return game.picture(state).svg
