"""The command line with dice and many players: trees typed with odds, rolls, perft, play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plywright import CHANCE, Game, perft, search
from plywright.cli import main
from plywright.cli.search.best import report
from plywright.dice import roll
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.rng import seeded

HEALTHY = Path(__file__).parents[2] / "doctor" / "healthy"
RACE = str(HEALTHY / "dice_race.py")
PURSE = str(HEALTHY / "fair_draws.py")
THREE = str(HEALTHY / "three_in_turn.py")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_trees_typed_with_odds(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capsys, "tree", "(0.5: 8, 0.333: 24, 0.167: -12)")
    assert status == 0 and "CHANCE 9.988" in out and "0.333 24" in out and "none: chance decides" in out
    status, out, _ = run(capsys, "tree", "three-players")
    assert "Max^n: value (1, 2, 6), move a1" in out and "a tie: a1 a2 are worth the same to A" in out
    svg = tmp_path / "tree.svg"
    status, out, _ = run(capsys, "tree", "players(A, B) A(x: <1, 2>, y: B(<3, 0>, <0, 3>))", "--svg", str(svg))
    assert status == 0 and "value (1, 2), move x" in out and svg.read_text().startswith("<svg")
    status, out, _ = run(capsys, "tree", "coins", "--algorithm", "star1", "--json")
    data = json.loads(out)
    assert data["value"] == 3 and data["trace"]["steps"] and data["trace"]["nodes"][3]["chance"] == 0.5
    status, out, _ = run(capsys, "tree", "coins", "--moves", "a2 b1", "--algorithm", "expectiminimax")
    assert "value -2, move c2" in out
    status, out, _ = run(capsys, "tree", "coins", "--moves", "a2", "--roll", "b2", "--json")
    assert json.loads(out)["value"] == 0


MISTAKES = [
    (["tree", "(0.5: 8, 0.3: 2)"], "the probabilities sum to 0.8, not to 1"),
    (["tree", "(0.5: 8, nan: 2)"], "column 10: where chance moves, each branch needs a probability, as in 1/3: 8"),
    (["tree", "coins", "--roll", "b1"], "--roll b1: nothing is rolled in this position of coins: MAX to move"),
    (
        ["tree", "coins", "--moves", "a1", "--roll", "77"],
        "'77' is not what chance can bring in coins here",
    ),
    (["tree", "coins", "--moves", "a1 zz"], "move 2: 'zz' is not what chance can bring"),
    (["tree", "coins", "--algorithm", "alphabeta"], "chance nodes, which need expectiminimax"),
    (["best", RACE, "--explain", "1"], "chance decides, not a player: give --roll, such as 1"),
    (["compare", "coins", "--moves", "a1"], "chance decides, not a player: play an outcome first"),
    (["best", RACE, "--depth", "2", "--roll", "6"], "'6' is not what chance can bring"),
    (["play", THREE, "--seat", "4"], "unknown seat '4'; there are 1, 2, 3, several joined by +"),
]


@pytest.mark.parametrize(("arguments", "sentence"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes_are_one_clear_line(capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str) -> None:
    status, out, err = run(capsys, *arguments)
    lines = [line for line in err.splitlines() if not line.startswith("compiling")]
    assert status == 2 and out == "" and len(lines) == 1
    assert sentence in lines[0]


def test_the_value_of_a_position_before_the_roll(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "best", "expected-value", "--depth", "1", "--json")
    data = json.loads(out)
    assert status == 0 and data["action"] is None and data["value"] == pytest.approx(10) and data["proved"]
    status, out, _ = run(capsys, "best", "coins", "--moves", "a1", "--depth", "2")
    assert "none: chance decides here; for a move give --roll, such as b1" in out and "+3 for MAX" in out
    status, out, _ = run(capsys, "compare", "coins", "--moves", "a1", "--roll", "b1", "--depth", "2", "--json")
    assert status == 0 and json.loads(out)["player"] == 1


def test_values_that_are_not_known_are_null_and_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    tree = ExplicitTree("players(A, B, C) A(x: (1/2: <1, 2, 3>, 1/2: <3, 2, 1>), y: <0, 0, 9>)")
    found = search(tree, depth=2, algorithm="paranoid", compiled=False)
    assert json.loads(json.dumps(found.as_dict(tree, 0), allow_nan=False))["values"] == [2, None, None]
    assert not any("nan" in text for _, text in report(tree, 0, found))


def test_the_tree_of_a_game_with_dice_to_a_depth_needs_no_algorithm_named(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "tree", "pig:target=10", "--depth", "2")
    assert status == 0 and "H-expectiminimax: value" in out
    status, out, _ = run(capsys, "tree", "tic-tac-toe", "--depth", "1")
    assert status == 0 and "Alpha-beta to a limited depth: value" in out


def test_figures_are_listed_with_their_players(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "games")
    rows = {line.split()[0]: line.split()[1:3] for line in out.splitlines() if line.strip()}
    assert rows["three-players"][0] == "3" and rows["coins"] == ["2", "yes"] and rows["figure-6.2"][0] == "2"


def test_perft_counts_outcomes_as_plies(capsys: pytest.CaptureFixture[str]) -> None:
    tree = ExplicitTree("max((1/2: min(2, 4), 1/2: 7), (1/3: min(6, 0, 1), 2/3: 5), 9)")
    assert [perft(tree, depth) for depth in range(4)] == [1, 3, 5, 8]
    assert [perft(tree, depth, finished=False) for depth in range(4)] == [1, 3, 4, 5]
    status, out, _ = run(capsys, "perft", "coins", "2", "--divide", "--json")
    assert status == 0 and json.loads(out)["divide"] == {"a1": 2, "a2": 2}
    status, out, _ = run(capsys, "perft", "coins", "2", "--moves", "a1", "--divide", "--json")
    assert json.loads(out)["divide"] == {"b1": 2, "b2": 2}


def answers(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    waiting = iter(lines)

    def answer(prompt: str = "") -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)


def test_one_player_plays_with_dice_in_view(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = []
    for typed in (["roll", "roll", "stop"], ["roll", "roll", "undo", "undo", "roll", "roll", "stop"]):
        answers(monkeypatch, *typed)
        status, out, err = run(capsys, "play", PURSE, "--seed", "5")
        assert status == 0, err
        assert "dice: --seed 5" in out and "(probability 0.25)" in out
        outputs.append([line for line in out.splitlines() if line.startswith(("chance", "game over", "moves"))])
    first, taken_back = outputs
    assert "game over: the result is" in first[-2] and first[-1].startswith("moves: roll ")
    assert taken_back[-2:] == first[-2:], "what was taken back falls as it fell"
    answers(monkeypatch, "roll", "roll", "stop")
    status, out, _ = run(capsys, "play", PURSE, "--seed", "6")
    assert [line for line in out.splitlines() if line.startswith("chance")] != first[:2], "another seed, other dice"


def test_three_people_play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, "3", "9", "3", "1")
    status, out, _ = run(capsys, "play", THREE, "--seat", "all")
    assert status == 0 and "player 3 to move" in out and "'9' is not a legal move" in out
    assert "game over: player 3 wins" in out and "moves: 3 3 1" in out


class Die(Game):
    """A die of three faces with unequal odds."""

    players = 1

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return CHANCE

    def chance(self, state: int) -> Any:
        yield 1, 0.5
        yield 2, 0.3
        yield 3, 0.2

    def actions(self, state: int) -> Any:
        return iter(())

    def result(self, state: int, action: int) -> int:
        return action

    def is_terminal(self, state: int) -> bool:
        return state > 0

    def utility(self, state: int, player: int) -> float:
        return 0.0


def test_the_dice_are_fair_and_repeat_with_their_seed() -> None:
    game, rng = Die(), seeded(3)
    rolls = [roll(game, 0, rng) for _ in range(4000)]
    assert rolls[:50] == [roll(game, 0, again) for again in [seeded(3)] for _ in range(50)]
    for face, probability in game.chance(0):
        assert abs(rolls.count(face) / 4000 - probability) < 0.04
