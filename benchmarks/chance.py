"""Searches with chance: backgammon against OpenSpiel's expectiminimax, and what Star pruning saves at equal value."""

from __future__ import annotations

from typing import Any

from measure import Row, seconds, short, side_by_side, skipped
from plywright import BadInput, Game, load_game, search
from plywright.engine.chance.expectiminimax_search import PRUNING, Expectation
from plywright.engine.limits import Limit
from plywright.games.knowledge_texts import know
from rivals import have

TARGET = 100
NO_TABLE = 1e-4  # megabytes: next to nothing is remembered, so that only pruning is measured
POSITIONS = (  # game, moves from the start, depth
    ("backgammon", "31", 2),
    ("backgammon", "65", 2),
    ("backgammon", "31", 3),
    ("pig:target=30", "", 6),
    ("pig:players=1,payoff=points,turns=2,target=60", "", 8),
    ("slippery-grid", "", 6),
    ("2048", "", 3),
)
"""Those of them that are registered are measured."""


def opening() -> tuple[Game, Any] | None:
    """Backgammon with the trivial evaluation that the rival gets too, after the opening roll 2-1; None without it."""
    try:
        plain = load_game("backgammon")
    except BadInput:
        return None

    class Blind(type(plain)):  # type: ignore[misc]
        """Every unfinished position is worth 0."""

        def evaluate(self, state: Any, player: int) -> float:
            return 0

    game = Blind()
    game.__dict__["_checked"] = False  # the rules are those that are shipped
    return game, game.coerce_state(game.result(game.start_state, 21))


def backgammon_against_open_spiel(depth: int = 2) -> Row:
    name = f"backgammon after the opening roll, expectiminimax to depth {depth}, against OpenSpiel"
    target = f">= {TARGET} x"
    found = opening()
    if found is None:
        return skipped(name, "backgammon is not registered", target)
    if not have("pyspiel"):
        return skipped(name, "open_spiel is not installed", target)
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game, state = found
    theirs = pyspiel.load_game("backgammon").new_initial_state()
    roll = next(outcome for outcome, _ in theirs.chance_outcomes() if _dice(theirs, outcome) == "12")
    theirs.apply_action(roll)
    mover = theirs.current_player()
    for _ in range(20):
        search(game, state, depth=depth)
    a, b, mine, other, ratios = side_by_side(
        lambda: search(game, state, depth=depth),
        lambda: minimax.expectiminimax(theirs, depth, lambda _: 0.0, mover),
        rounds=5,
    )
    whole, _ = seconds(lambda: search(game, state, depth=depth, pruning="none"))
    same = abs(mine.value - other[0]) < 1e-9
    detail = {"same_value": same, "ratios": ratios, "nodes": mine.nodes, "without_pruning": short(whole)}
    return Row(name, short(a), short(b), b / a, target, same and b / a >= TARGET, detail)


def _dice(state: Any, outcome: int) -> str:
    child = state.clone()
    child.apply_action(outcome)
    return str(child).partition("Dice: ")[2][:2]


def backgammon_leaves(depth: int = 3) -> Row:
    """Leaves per second without any pruning, with the evaluation by hand."""
    name = f"backgammon, expectiminimax to depth {depth} without pruning"
    try:
        game = know(load_game("backgammon"), "hand")
    except BadInput:
        return skipped(name, "backgammon is not registered", "-")
    state = game.coerce_state(game.result(game.start_state, 31))
    visit(game, state, 1, "none")
    spent, task = seconds(lambda: visit(game, state, depth, "none"))
    rate = f"{task.leaves / spent / 1e6:.1f} M leaves/s"
    return Row(name, rate, f"{task.leaves:,} leaves in {short(spent)}", None, "-", None)


def visit(game: Game, state: Any, depth: int, pruning: str) -> Expectation:
    """A finished search to one depth, at once, for its counts."""
    algorithm = "expectiminimax" if game.players > 1 else "expectimax"
    task = Expectation(
        game,
        state,
        Limit(depth=depth),
        algorithm=algorithm,
        all_actions=False,
        compiled=None,
        pruning=pruning,
        table=NO_TABLE,
    )
    task.found = task.to_depth(depth)  # type: ignore[attr-defined]
    return task


def pruning_table() -> list[dict[str, Any]]:
    """For each position the leaves that each kind of pruning looks at; the values are the same."""
    found = []
    for name, moves, depth in POSITIONS:
        try:
            game = load_game(name)
            state = game.play_moves(game.start_state, moves) if moves else game.start_state
        except BadInput:
            continue
        tasks = {pruning: visit(game, state, depth, pruning) for pruning in PRUNING}
        values = {task.found.value for task in tasks.values()}  # type: ignore[attr-defined]
        found.append(
            {
                "game": name,
                "moves": moves,
                "depth": depth,
                "same_value": len(values) == 1,
                **{f"leaves_{pruning}": task.leaves for pruning, task in tasks.items()},
            }
        )
    return found


def rows() -> list[Row]:
    return [backgammon_against_open_spiel(), backgammon_leaves()]
