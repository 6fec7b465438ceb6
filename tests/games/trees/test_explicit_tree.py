"""Explicit trees: every way to write them, names, states, and one compilation for all of them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from plywright import CHANCE, BadInput, load_game, search
from plywright.games.trees.explicit_tree import FIGURES, ExplicitTree

FIGURE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
SAME = [
    FIGURE,
    ((3, 12, 8), (2, 4, 6), (14, 5, 2)),
    "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]",
    "((3 12 8) (2 4 6) (14 5 2))",
    "max(a1: min(b1: 3, b2: 12, b3: 8), a2: min(2, 4, 6), a3: (14, 5, 2))",
    "# a comment\nMAX[a1: MIN[3, 12, 8],\n a2: MIN[2, 4, 6], a3: MIN[14, 5, 2]]",
    {"a1": [3, 12, 8], "a2": {"b1": 2, "b2": 4, "b3": 6}, "a3": [14, {"utility": 5}, 2]},
    {"player": "MAX", "moves": {"a1": FIGURE[0], "a2": {"player": 1, "moves": [2, 4, 6]}, "a3": FIGURE[2]}},
    '{"tree": {"player": "max", "moves": [[3, 12, 8], [2, 4, 6], [14, 5, 2]]}, "title": "the same"}',
]


def walk(tree: ExplicitTree) -> list[tuple[str, int, float | None]]:
    """Every node as its path, its mover and (at leaves) the utility of MAX."""
    return [
        (
            tree.format_state(state),
            -1 if tree.is_terminal(state) else int(tree.to_move(state)),
            float(tree.utility(state, 0)) if tree.is_terminal(state) else None,
        )
        for state in range(len(tree.parents))
    ]


@pytest.mark.parametrize("source", SAME, ids=range(len(SAME)))
def test_every_way_to_write_a_tree_means_the_same(source: Any) -> None:
    assert walk(ExplicitTree(source)) == walk(ExplicitTree(FIGURE))


def test_levels_alternate_and_leaves_are_the_utility_of_max() -> None:
    tree = ExplicitTree(FIGURE)
    assert [int(tree.to_move(state)) for state in range(4)] == [0, 1, 1, 1]
    leaf = tree.parse_state("a3 b2")
    assert (tree.utility(leaf, 0), tree.utility(leaf, 1)) == (5, -5)
    assert tree.utility_range == (-14, 14) and tree.step == 1
    assert ExplicitTree([0.5, 2]).step is None


def test_a_player_may_move_twice_in_a_row() -> None:
    tree = ExplicitTree("max(max(1, min(5, 2)), min(min(3, 4), 9))")
    assert [int(tree.to_move(tree.parse_state(path))) for path in ("root", "a1", "a1 b2", "a2", "a2 b1")] == [
        0, 0, 1, 1, 1,
    ]  # fmt: skip
    assert search(tree, depth=9, algorithm="alphabeta").value == 3


def test_players_have_names() -> None:
    left = {"player": "ben", "moves": [2, 7]}
    for source in (
        "players(Anna, Ben) Anna(left: Ben(2, 7), right: 1)",
        {"players": ["Anna", "Ben"], "tree": {"player": "Anna", "moves": {"left": left, "right": 1}}},
    ):
        tree = ExplicitTree(source)
        assert tree.player_names == ("Anna", "Ben")
        assert [int(tree.to_move(state)) for state in (0, 1)] == [0, 1]


def test_estimates_are_for_searches_that_stop_early() -> None:
    tree = ExplicitTree("max~1(min~4(3, 5), min~-20(9, 9))")
    assert [float(tree.evaluate(state, 0)) for state in range(3)] == [1, 4, -20]
    assert float(tree.evaluate(2, 1)) == 20
    assert tree.utility_range == (-21, 21), "an estimate lies strictly inside the range"
    assert (
        search(tree, depth=1, algorithm="alphabeta").value == 4
        and search(tree, depth=2, algorithm="alphabeta").value == 9
    )


CHANCES = [
    "max(a: (1/2: 8, 1/3: 24, 1/6: -12), b: 9)",
    "max(a: chance(50%: 8, 1/3: 24, 1/6: -12), b: 9)",
    {"a": {"chance": [["1/2", 8], ["1/3", 24], ["1/6", -12]]}, "b": 9},
    {"choose": {"a": {"player": "chance", "moves": [["0.5", 8], ["1/3", 24], ["1/6", -12]]}, "b": 9}},
    '{"a": {"chance": [[0.5, 8], ["1/3", 24], ["1/6", -12]]}, "b": 9}',
]


@pytest.mark.parametrize("source", CHANCES, ids=range(len(CHANCES)))
def test_every_way_to_write_a_chance_node_means_the_same(source: Any) -> None:
    tree = ExplicitTree(source)
    place = tree.parse_state("a")
    assert tree.has_chance and tree.to_move(place) == CHANCE and not list(tree.actions(place))
    assert list(tree.chance(place)) == [(0, 0.5), (1, pytest.approx(1 / 3)), (2, pytest.approx(1 / 6))]
    assert [tree.format_action(place, n) for n in range(3)] == ["0.5", "1/3", "1/6"]
    assert tree.utility(tree.play_moves(0, "a 1/3"), 0) == 24
    assert tree.players == 1 and tree.utility_range == (-12, 24), "MIN never moves"


def test_chance_passes_the_turn_on_and_outcomes_may_have_names() -> None:
    tree = ExplicitTree("max(a: chance(rain 0.3: (1, 2), sun 70%: (3, 4)), b: (1/2: (5, 6), 1/2: 7))")
    assert tree.players == 2 and tree.opposed
    assert int(tree.to_move(tree.parse_state("a rain"))) == 1
    assert [tree.format_action(tree.parse_state("b"), n) for n in range(2)] == ["b1", "b2"], "equal odds tell nothing"
    with pytest.raises(BadInput, match=r"'snow' is not what chance can bring in .* here; it brings: rain, sun"):
        tree.play_moves(0, "a snow")
    first = ExplicitTree("(1/2: (1, 2), 1/2: min(3, 4))")
    assert [int(first.to_move(state)) for state in range(3)] == [CHANCE, 0, 1], "after chance at the root MAX is first"


def test_leaves_may_be_vectors_and_levels_take_turns() -> None:
    tree = ExplicitTree.figure("three-players")
    assert tree.players == 3 and tree.player_names == ("A", "B", "C")
    assert [int(tree.to_move(state)) for state in (0, 1, 3)] == [0, 1, 2]
    leaf = tree.parse_state("a2 b2 c1")
    assert [tree.utility(leaf, player) for player in range(3)] == [7, 7, 1]
    assert tree.utility_range == (1, 7) and tree.sum_bound == 15 and not tree.opposed
    same = ExplicitTree({"moves": [{"player": "C", "moves": ["<1, 2, 6>", {"utility": [4, 2, 3]}]}, "<1 1 1>"]})
    assert int(same.to_move(1)) == 2 and same.utility(same.parse_state("a1 b2"), 2) == 3
    assert ExplicitTree("(<3, -3>, <-1, 1>)").opposed and not ExplicitTree("(<3, 3>, <1, 2>)").opposed
    assert ExplicitTree("players(Solo) Solo(1, Solo~2(3, 4))").players == 1


def test_numbers_are_names_where_a_player_moves() -> None:
    tree = ExplicitTree("max(1: 3, 2: min(7: 4, 8: 5))")
    assert not tree.has_chance and tree.parse_state("2 8") == 4


def test_states_and_moves_round_trip_as_text() -> None:
    tree = ExplicitTree({"go left": {"root": 1, "x, y": [2, 3]}, "right": 4, "RIGHT BACK": 5, "#1": 6})
    for state in range(len(tree.parents)):
        assert tree.parse_state(tree.format_state(state)) == state
        for action in tree.actions(state):
            assert tree.parse_action(state, tree.format_action(state, action)) == action
    assert tree.format_state(0) == "root" and tree.parse_state("#3") == 3
    assert tree.play_moves(0, '"Go Left" "x, y" c1') == tree.parse_state('"go left" "x, y" c1')


@pytest.mark.parametrize("text", ["a9", "a1 b1 c1", "#99", "left"])
def test_unknown_states_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"not a legal move|has no node|game is over"):
        ExplicitTree(FIGURE).parse_state(text)


def test_unnamed_moves_avoid_the_names_that_are_taken() -> None:
    tree = ExplicitTree({"moves": [1, 2]})
    assert tree.moves[1:] == ("a1", "a2")
    tree = ExplicitTree("(x: 1, 2, a2: 3)")
    assert tree.moves[1:] == ("x", "a2'", "a2")


BAD = [
    ("", "the tree is empty"),
    ("max(", "line 1, column 4: this '(' is never closed"),
    ("max(3,\n  min(4, 5]", "line 2, column 11: ')' is expected, not ']'"),
    ("max(a: 3, A: 4)", "line 1, column 1: two moves are called 'A'"),
    ('max("\x00": 3, b: 4)', r"'\x00' cannot be the name of a move"),
    ('{"moves": {"a\\u001b[31m": 3, "b": 4}}', "cannot be the name of a move"),
    ('players("A\x07", B) A(1, 2)', "cannot be the name of a player"),
    ("max(a1: min(3, foo))", "line 1, column 16: unknown player 'foo'"),
    ("(1, ())", "line 1, column 5: a node without moves must be a number"),
    ("5", "a tree needs at least one move at its root"),
    ("max(1) 3", "line 1, column 8: nothing more is expected after the tree, not '3'"),
    ("(1,,2)", "line 1, column 4: a number, a player or '(' is expected, not ','"),
    ("max~x(1)", "line 1, column 5: a number is expected after '~', not 'x'"),
    ("max(1; 2)", "line 1, column 6: ';' has no meaning"),
    ("max(chance(1/2: 1, 2))", "line 1, column 20: where chance moves, each branch needs a probability, as in 1/3: 8"),
    ("(0.5: 8, 0.333: 24, 0.2: 1)", "line 1, column 1: the probabilities sum to 1.033, not to 1: 0.5 + 0.333 + 0.2"),
    ("chance(1/2: 3, 1/3: 4)", "the probabilities sum to 5/6, not to 1: 0.5 + 1/3 (a third is written 1/3)"),
    ("(1/2: 3, -1/2: 4, 1: 2)", "line 1, column 10: a probability is -0.5; it must be from 0 to 1"),
    ("chance(1/2: 3, nan: 4)", "line 1, column 16: where chance moves, each branch needs a probability"),
    ("chance()", "line 1, column 1: a node without moves must be a number"),
    ("chance(1/0: 3)", "line 1, column 8: a probability must be a number such as 0.25 or 1/4, not '1/0'"),
    ("max(rain 0.3: 3, sun 0.7: 2)", "line 1, column 5: 'rain' has a probability, but not chance moves here"),
    ("(<1, 2>, <1, 2, 3>)", "line 1, column 2: a leaf needs 3 utilities, one for each of A, B, C, not 2"),
    ("(<1, 2>, 3)", "line 1, column 10: a leaf needs 2 utilities, one for each of A, B, not 1"),
    ("(<>, 3)", "line 1, column 3: a number is expected, not '>'"),
    ("(<1 2, 3)", "line 1, column 9: a number or '>' is expected, not ')'"),
    ("players(A, B, C) A(1, 2)", "a leaf needs 3 utilities, one for each of A, B, C, not 1"),
    ("players(A, chance) A(1, 2)", "cannot have a player called 'chance'"),
    ("D(<1, 2, 3>, <2, 3, 4>)", "line 1, column 1: unknown player 'D'; it is A, B, C or chance"),
    ("max~<1, 2, 3>(1, 2)", "an estimate needs 2 numbers"),
    ("max(1, inf)", "line 1, column 8: a utility must be a finite number, not 'inf'"),
    ("max(1, 1e999)", "line 1, column 8: a utility is too large"),
    ("max", "line 1, column 4: a number, a player or '(' is expected, not the end"),
    ("players() A(1)", "'players' must name the players"),
    ("players(A, a) A(1)", "must have different names, not 'a' twice"),
    ("players A B (1)", "line 1, column 9: names in brackets are expected after 'players', not 'A'"),
    ('max("": 3)', "cannot be the name of a move"),
    ("(" * 300 + "1" + ")" * 300, "more than 200 levels deep"),
    ('{"a": 1', "line 1, column 8: this is not JSON"),
    ('{"a": [1, NaN]}', "the JSON has NaN"),
    ('{"a": 1, "a": 2}', "'a' is used twice"),
    ('{"a": ' * 300 + "1" + "}" * 300, "levels deep"),
    ({"player": "X", "moves": [1]}, "root: unknown player 'X'"),
    ({"player": True, "moves": [1]}, "root: unknown player True"),
    ({"player": 0}, "root: an inner node needs 'moves'"),
    ({"moves": {"a": 1}, "foo": 2}, "root: unknown key 'foo'"),
    ({"moves": {"a": {"utility": 1, "moves": [2]}}}, "root.a: a node with a 'utility' is a leaf"),
    ({"moves": 7}, "root: 'moves' must be a list or a dict"),
    ({"moves": {'say "hi"': 1}}, "cannot be the name of a move"),
    ({"tree": [1], "colour": 3}, "unknown key 'colour'"),
    ({"tree": [1], "players": "AB"}, "'players' must name the players"),
    ({"chance": {"a": [0.5, 1], "b": [float("nan"), 2]}}, "probability of root.b must be a finite number, not nan"),
    ({"chance": [[0.5, 1], [-0.5, 2], [1, 3]]}, "the probability of root[1] is -0.5; it must be from 0 to 1"),
    ({"chance": {"a": [1, 2], "b": 1}}, "root.b must be [probability, what follows] (or all of them only"),
    ({"max": 3, "min": 4}, "root: 'max' is a player and cannot name a move"),
    ({"max": [3], "left": 4}, "root: 'max' is a player and cannot name a move"),
    ({"chance": {}}, "root: a node without moves must be a number"),
    ([1, "a"], r"root[1]: a utility must be a number such as 0.25 or 1/4, not 'a'"),
    ([1, [True]], r"root[1][0]: a utility must be a number, not True"),
    ([float("nan")], r"root[0]: a utility must be a finite number, not nan"),
    ([], "root: a node without moves must be a number"),
    (7, "a tree needs at least one move at its root"),
    (None, "root: a utility must be a number, not None"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "sentence"), BAD, ids=range(len(BAD)))
def test_malformed_trees_are_refused_with_place_and_reason(source: Any, sentence: str) -> None:
    with pytest.raises(BadInput) as refusal:
        ExplicitTree(source)
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_list_that_contains_itself_is_refused() -> None:
    endless: list[Any] = [1]
    endless.append(endless)
    with pytest.raises(BadInput, match="contain itself"):
        ExplicitTree(endless)


def test_files(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps({"players": ["Anna", "Ben"], "tree": FIGURE}))
    (tmp_path / "t.txt").write_text("max(min(3, 12, 8), # first\n min(2, 4, 6), min(14, 5, 2))")
    (tmp_path / "bad.json").write_text("max(1, 2)")
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe")
    for name in ("t.json", "t.txt"):
        tree = load_game(str(tmp_path / name))
        assert isinstance(tree, ExplicitTree) and walk(tree) == walk(ExplicitTree(FIGURE))
        assert tree.name.endswith(name)
    for name, reason in (("bad.json", "line 1, column 1: this is not JSON"), ("bad.txt", "not UTF-8")):
        with pytest.raises(BadInput, match=reason) as refusal:
            ExplicitTree.from_file(tmp_path / name)
        assert name in str(refusal.value)
    with pytest.raises(BadInput, match="cannot be read"):
        ExplicitTree.from_file(tmp_path / "none.txt")


def test_figures_have_names_and_a_line_about_each() -> None:
    for name in FIGURES:
        tree = load_game(name)
        assert tree.name == name and (
            tree.has_chance or tree.players > 2 or search(tree, depth=9, algorithm="alphabeta").proved
        )
        assert len(FIGURES[name].about) > 10
    with pytest.raises(BadInput, match=r"there is no figure 'figure-9.9'; there are figure-6.2"):
        ExplicitTree.figure("figure-9.9")


def random_source(rng: random.Random, levels: int) -> Any:
    if levels == 0 or rng.random() < 0.15:
        return rng.randint(-50, 50)
    return [random_source(rng, levels - 1) for _ in range(rng.randint(1, 4))]


def test_a_thousand_trees_share_one_compilation(compilations: list[str]) -> None:
    rng = random.Random(7)
    trees = [ExplicitTree([random_source(rng, 4), rng.randint(-9, 9)]) for _ in range(999)]
    trees.append(ExplicitTree("max((1/2: min(1, 2), 1/2: 3), 4)"))
    assert len({tree.fingerprint for tree in trees}) == 1
    for tree in trees[:-1:5]:
        assert search(tree, depth=8, algorithm="alphabeta").compiled
    assert len(compilations) <= 1


def test_a_wide_node_is_no_trouble() -> None:
    tree = ExplicitTree(list(range(300)))
    assert tree.max_actions == 512
    assert search(tree, depth=1, algorithm="alphabeta", compiled=False).value == 299


def test_the_picture_marks_the_state_and_fits() -> None:
    tree = ExplicitTree.figure("figure-6.2")
    picture = tree.picture(tree.parse_state("a1 b2"))
    assert "b2 12 <" in picture.text and picture.text.count("\n") == 12
    assert "pw-halo-current" in picture.svg
    large = ExplicitTree([[[[1] * 5] * 5] * 5] * 5)
    assert "5 moves" in large.picture(0).text and large.picture(0).text.count("\n") < 200
