"""UCT as the book writes it: what each phase does, and what it refuses. engine/test_mcts.py compares the trees."""

from __future__ import annotations

from typing import Any

import pytest

from plywright import BadInput, Game, Unsuitable, load_game
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.textbook.algorithms.mcts import PSEUDOCODE, Simulation, uct_search
from plywright.textbook.trace.mcts_trace import trace_uct
from plywright.textbook.trace.trace import Trace


def test_the_first_rounds_look_at_every_move_once_then_expand() -> None:
    game = ExplicitTree("max(a1: min(b1: 3, b2: 12), a2: min(c1: 2, c2: 4))")
    seen: list[Simulation] = []
    root = uct_search(game, game.start_state, 4, exploration=10.0, watch=seen.append)
    assert [len(simulation.moves) for simulation in seen] == [1, 1, 2, 2]
    assert [simulation.played for simulation in seen] == [1, 1, 0, 0]
    assert {simulation.moves for simulation in seen[:2]} == {(0,), (1,)}
    assert root.visits == 4 == sum(child.visits for child in root.children)
    assert root.totals[0] == sum(simulation.values[0] for simulation in seen) == -root.totals[1]


def test_the_most_visited_move_is_the_best_one() -> None:
    game = load_game("figure-6.2")
    root = uct_search(game, game.start_state, 2000, exploration=5.0)
    assert max(root.children, key=lambda child: child.visits).action == 0
    assert root.children[0].mean(0) == pytest.approx(3, abs=0.5)
    assert "SELECT" in PSEUDOCODE and "BACK-PROPAGATE" in PSEUDOCODE


class Masked(ExplicitTree):
    def observation(self, state: Any, player: int) -> int:
        return 0


def test_it_refuses_what_it_cannot_simulate() -> None:
    game: Game = load_game("figure-6.2")
    with pytest.raises(BadInput, match="simulations must be a whole number of at least 1, not 0"):
        uct_search(game, 0, 0)
    with pytest.raises(BadInput, match="the game is over"):
        uct_search(game, 12, 5)
    with pytest.raises(Unsuitable, match="players do not see the whole state"):
        uct_search(Masked("max(3, 4)"), 0, 5)


@pytest.mark.parametrize(
    ("name", "moves"), [("tic-tac-toe", "a1 b2 c3 a3"), ("pig:target=8", ""), ("dice-race:length=6", "")]
)
def test_the_trace_grows_the_same_tree_one_simulation_in_three_steps(name: str, moves: str) -> None:
    game = load_game(name)
    state = game.play_moves(game.start_state, moves)
    low, high = game.utility_range
    root = uct_search(game, state, 30, exploration=2**0.5 * (high - low) / 2)
    trace = trace_uct(game, state, 30)
    assert [step.kind for step in trace.steps[:3]] == ["enter", "estimate", "back-up"] and len(trace) == 91
    visits = [trace.at().views[child].cutoff for child in trace.nodes[0].children]
    assert [int(words.split()[0]) if words else 0 for words in visits] == [child.visits for child in root.children]
    assert trace.view().value == pytest.approx(root.mean(int(game.to_move(state))), abs=1e-3)
    lines = {trace.pseudocode[line].split()[2] for step in trace.steps[:-1] for line in step.lines if line < 6}
    assert lines == {"SELECT(tree)", "EXPAND(leaf)", "SIMULATE(child)"}
    assert Trace.from_json(trace.to_json()) == trace
    assert "30 visits" in trace.svg() and "Replay(" in trace.html()


def test_a_trace_of_simulations_has_a_largest_size() -> None:
    game = load_game("tic-tac-toe")
    with pytest.raises(BadInput, match="fewer simulations"):
        trace_uct(game, game.start_state, 100, most=50)
