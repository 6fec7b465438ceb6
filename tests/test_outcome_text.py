"""Values as people read them: estimates in what the evaluation counts, whole numbers with all their digits."""

from __future__ import annotations

import pytest

from plywright import load_game, search
from plywright.cli import main
from plywright.outcome_text import chance_words, value_text, worth_text


def test_open_lines_are_whole_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    game = load_game("tic-tac-toe")
    assert main(["best", "tic-tac-toe", "--depth", "1", "--all"]) == 0
    told = capsys.readouterr().out
    assert "value  +4 open lines  (heuristic" in told and "a1    +3 open lines" in told and "0.25" not in told
    assert main(["tree", "tic-tac-toe", "--depth", "1"]) == 0
    assert "value +4 open lines, move b2" in capsys.readouterr().out
    found = search(game, depth=1)
    assert found.value == 0.25  # the search has it inside a win
    assert [worth_text(game, value) for value in (1, -1, 0, -0.125, 0.3, 1 / 16)] == [
        *("+1", "-1", "0", "-2 open lines", "+0.3", "+1 open line")
    ]
    assert worth_text(load_game("othello"), 0.25) == "+0.25"


def test_whole_numbers_keep_their_digits() -> None:
    values = (461474019, -1.0, 0.1 + 0.2, 1e-15, float("inf"), 1e300)
    assert [value_text(value) for value in values] == ["+461474019", "-1", "+0.3", "0", "+∞", "+1e+300"]


def test_averages_have_three_decimals() -> None:
    dice = load_game("backgammon")
    values = (0.178315, -0.05, 0.2499999, 2 / 3, 1.0, 1e-5, 0.0)
    assert [worth_text(dice, value) for value in values] == ["+0.178", "-0.05", "+0.25", "+0.667", "+1", "+1e-05", "0"]
    assert worth_text(load_game("connect-four"), 0.178315) == "+0.178315", "no average"


def test_small_random_trees_have_short_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    for ordering in ("random", "perfect", "worst"):
        tree = load_game(f"random-tree:branching=3,depth=4,ordering={ordering}")
        assert tree.utility_range == (-99_999, 99_999)
        assert max(len(word) for word in tree.picture(tree.start_state).text.split()) <= 6
    assert load_game("random-tree:branching=8,depth=6").utility_range == (-(10**9), 10**9)
    assert main(["tree", "random-tree:branching=2,depth=2", "--algorithm", "minimax"]) == 0
    assert max(len(word) for word in capsys.readouterr().out.splitlines()[2].split()) <= 6


def test_winning_chances_are_told_where_a_knowledge_says_how_values_become_chances() -> None:
    found = search("chess", depth=2)
    assert found.chance is not None and 0.4 < found.chance < 0.6
    assert chance_words(found.chance, ", ") == f", winning chance {round(100 * found.chance)} %"
    assert chance_words(0.9999) == "winning chance 99 %"  # only a proof is certain
    assert search("tic-tac-toe", depth=2).chance is None and search("nim", depth=12).chance is None
    assert chance_words(None) == ""


def test_an_estimate_is_told_in_the_unit_of_its_evaluation() -> None:
    chess = load_game("chess")
    assert [worth_text(chess, value) for value in (0.0033, -0.01, 0.02, 1.0)] == [
        "+0.33 pawns",
        "-1 pawn",
        "+2 pawns",
        "+1",
    ]
