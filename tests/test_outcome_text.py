"""Values as people read them: estimates in what the evaluation counts, whole numbers with all their digits."""

from __future__ import annotations

import pytest

from plywright import load_game, search
from plywright.cli import main
from plywright.cli.search.best import report
from plywright.games.connect_four.knowledge import ConnectFourKnowledge
from plywright.outcome_text import chance_words, error_text, found_text, points_text, proof_text, value_text, worth_text


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
    assert worth_text(load_game("connect-four"), 0.25) == "+0.25"


def test_whole_numbers_keep_their_digits() -> None:
    values = (461474019, -1.0, 0.1 + 0.2, 1e-15, float("inf"), 1e300)
    assert [value_text(value) for value in values] == ["+461474019", "-1", "+0.3", "0", "+∞", "+1e+300"]


def test_what_simulations_average_is_no_number_of_pawns() -> None:
    game = load_game("chess")
    assert (worth_text(game, 0.0428), error_text(game, 0.026)) == ("+4.28 pawns", "2.6 pawns")
    assert (worth_text(game, 0.0428, True), error_text(game, 0.026, True)) == ("+0.043", "0.026")
    assert error_text(load_game("connect-four"), 0.026) == "0.026"
    small = load_game("tic-tac-toe")
    found = search(small, nodes=20, algorithm="mcts", seed=1)
    assert found.averaged and not found.proved and "lines" not in dict(report(small, small.start_state, found))["value"]
    assert not search(small, nodes=20, algorithm="mcts", seed=1, cutoff=1).averaged
    assert not search(small, depth=1).averaged


def test_the_chance_of_an_average_of_results_is_that_average() -> None:
    game = load_game("connect-four")

    class Sure(ConnectFourKnowledge):
        scale = 0.01  # by which an evaluation of 0.4 were as good as a win

    found = search(game, nodes=30, algorithm="mcts", seed=3, compiled=False, knowledge=Sure(game))
    assert found.averaged and found.value != 0 and found.chance == pytest.approx((1 + found.value) / 2)


def test_a_proved_win_is_told_by_how_soon_it_comes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["best", "tic-tac-toe", "--moves", "a1 a2 b1 b2", "--depth", "9"]) == 0
    assert "value  win in 1 ply  (proved" in capsys.readouterr().out


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


def test_discs_are_told_with_decimals_that_mean_something_and_results_are_whole() -> None:
    """An evaluation of 1.046875 discs was told with all its digits, which no table had room for."""
    othello = load_game("othello")
    assert [worth_text(othello, value) for value in (1.046875, -1, 12.0, 0.0, 64.0, -0.5)] == [
        *("+1.05 discs", "-1 disc", "+12 discs", "0", "+64", "-0.50 discs")
    ]
    assert [points_text(othello, value) for value in (1.046875, -1, 12.0, 64.0)] == [
        *("+1.05 discs", "-1 disc", "+12 discs", "+64")
    ]
    assert points_text(load_game("chess"), 0.02) == "+2.00 pawns"


def test_a_win_that_a_search_meets_is_told_by_how_soon_it_comes() -> None:
    chess, ttt, othello = load_game("chess"), load_game("tic-tac-toe"), load_game("othello")
    assert [found_text(chess, 1.0, plies) for plies in (1, 3)] == ["mate in 1", "mate in 2"]
    assert [found_text(chess, -1.0, plies) for plies in (2, 4)] == ["mated in 1", "mated in 2"]
    assert found_text(chess, 0.01, None) == "+1 pawn" and found_text(chess, 1.0, None) == "+1"
    assert found_text(ttt, 1, 3) == "win in 3 plies" and found_text(ttt, -1, 2) == "loss in 2 plies"
    assert found_text(othello, 12, 3) == worth_text(othello, 12), "there it counts by how much"
    assert proof_text(chess, 1, 5) == "mate in 3" and proof_text(ttt, 1, 1) == "wins in 1 ply"


@pytest.mark.parametrize("options", [("--depth", "2"), ("--nodes", "500"), ("--depth", "2", "--all")])
def test_a_mate_is_called_one(options: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["best", "chess", "--state", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", *options]) == 0
    told = capsys.readouterr().out
    assert "value  mate in 1  (this move ends the game)" in told and "99 %" not in told
    assert main(["best", "chess", "--state", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "--depth", "4"]) == 0
    assert "value  mate in 2  (met at depth 4, not proved)" in capsys.readouterr().out
