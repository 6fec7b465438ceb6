"""Trees turned and mapped, JSON by players, equal chances, and the figures with their commands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plywright import BadInput, Unsuitable
from plywright.cli.app import run
from plywright.games.trees.changes import changed, leaf_map, turned, with_leaves
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.textbook import algorithm, usual


def decided(tree: ExplicitTree) -> tuple[float, str]:
    found = algorithm(usual(tree)).run(tree)
    assert found.action is not None
    return found.value, tree.format_action(0, found.action)


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["tree", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_otherwise_is_one_tree_with_a_switch(capsys: pytest.CaptureFixture[str]) -> None:
    assert decided(ExplicitTree.figure("otherwise")) == (10, "left")
    for word in ("chance", "uniform"):
        assert decided(changed(ExplicitTree.figure("otherwise"), min_as=word)) == (54.5, "right")
    assert (found := shown(capsys, "otherwise"))["value"] == 10 and found["action"] == "left"
    assert (found := shown(capsys, "otherwise", "--min-as", "chance"))["value"] == 54.5 and found["action"] == "right"
    assert found["algorithm"] == "expectimax"
    assert run(["tree", "otherwise", "--min-as", "uniform", "--algorithm", "expectimax"]) == 0
    assert "move left (alphabeta): the decision is another" in capsys.readouterr().out


def test_expectimax_of_a_tree_with_min_names_the_switch(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tree", "otherwise", "--algorithm", "expectimax"]) == 2
    assert "--min-as chance" in capsys.readouterr().err
    assert run(["tree", "nim", "--min-as", "chance"]) == 2
    assert "`plywright compare nim --opponent uniform`" in capsys.readouterr().err
    assert run(["tree", "expected-value", "--min-as", "chance"]) == 2
    assert "no MIN nodes" in capsys.readouterr().err


def test_moves_keep_their_names_and_levels_when_min_is_turned() -> None:
    tree = turned(ExplicitTree("max(l: min(x: [1, 2], y: 5), r: 3)"))
    assert tree.players == 1 and tree.format_state(tree.parse_state("l x")) == "l x"
    assert decided(tree) == (3.5, "l")  # MAX below the turned node still chooses the 2


@pytest.mark.parametrize(
    ("text", "value", "move"),
    [
        ("", 2.1, "a1"),
        ("1=1,2=20,3=30,4=400", 40.9, "a2"),
        ("affine:2,1", 5.2, "a1"),
        ("affine:1/2,-3", -1.95, "a1"),
        ("square", 4.5, "a1"),
    ],
)
def test_maps_of_the_leaves(text: str, value: float, move: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = shown(capsys, "order-preserving", *(["--leaves", text] if text else []))
    assert found["value"] == pytest.approx(value) and found["action"] == move


def test_minimax_does_not_mind_a_map_that_keeps_the_order() -> None:
    tree = ExplicitTree.figure("figure-6.2")
    increasing = ",".join(f"{leaf}={leaf**3}" for leaf in (2, 3, 4, 5, 6, 8, 12, 14))
    assert decided(with_leaves(tree, increasing)) == (27, "a1")
    assert decided(with_leaves(tree, "affine:-1,0"))[1] != "a1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cube", "no map of leaves"),
        ("affine:2", "no map of leaves"),
        ("1=x", "must be a number"),
        ("1=1,1.0=2", "says twice what the leaf 1.0 becomes"),
    ],
)
def test_maps_that_mean_nothing(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        leaf_map(text)
    with pytest.raises(BadInput, match="does not say what the leaf 2"):
        with_leaves(ExplicitTree.figure("figure-6.2"), "3=1")


def test_players_in_json() -> None:
    short = ExplicitTree('{"max": {"a1": {"min": {"b1": 3, "b2": 12}}, "a2": {"MIN": [2, 4], "estimate": 3}}}')
    assert short.players == 2 and decided(short) == (3, "a1") and short.mover.tolist()[:3] == [0, 1, 1]
    three = ExplicitTree({"players": ["A", "B", "C"], "tree": {"B": [{"utility": [1, 2, 3]}, {"utility": [0, 3, 3]}]}})
    assert three.mover[0] == 1
    with pytest.raises(BadInput, match="'max' is a player"):
        ExplicitTree({"a": {"max": [1, 2], "min": [3, 4]}})


def test_chance_without_probabilities_is_even() -> None:
    assert algorithm("expectimax").run(ExplicitTree.figure("equal-chances"), all_actions=True).actions == pytest.approx(
        {0: 8.0, 1: 4.0, 2: 7.0}
    )
    for tree in (
        "chance(3, 12, 9)",
        {"chance": [3, 12, 9]},
        {"chance": {"a": 3, "b": 12, "c": 9}},
        "chance(x: 3, y: 12, z: 9)",
    ):
        assert ExplicitTree(tree).likely[1:].tolist() == pytest.approx([1 / 3] * 3)


def test_the_alpha_cutoff_and_the_preliminary_values() -> None:
    cut = algorithm("alphabeta").run(ExplicitTree.figure("alpha-cutoff")).trace
    assert cut is not None
    assert [node.value for node in cut.examined] == [8, 9, 1] and [c.kind for c in cut.cuts] == ["alpha"]
    risen = algorithm("minimax").run(ExplicitTree.figure("preliminary-values")).trace
    assert risen is not None
    assert [node.value for node in risen.examined][:5] == [8, 5, 2, 9, -3]


def test_trees_of_hidden_games_are_refused_with_commands_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tree", "kuhn"]) == 2
    assert "`plywright solve kuhn --equilibrium`" in capsys.readouterr().err
    with pytest.raises(Unsuitable, match="ismcts"):
        from plywright.textbook.algorithms.mcts import check

        game = __import__("plywright").load_game("kuhn")
        check(game, game.start_state, 10)


def test_positions(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["positions", "tic-tac-toe"]) == 0
    out = capsys.readouterr().out
    assert "5,478" in out and "958" in out and "765" in out
    assert run(["positions", "pig:target=8", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["positions"] > found["finished"] > 0 and found["by_chance"] > 0 and found["up_to_symmetry"] is None
    assert run(["positions", "draughts"]) == 2 and run(["positions", "othello", "--table", "3"]) == 2
    assert "more than" in capsys.readouterr().err
