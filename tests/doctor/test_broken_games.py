"""Every planted fault is found by the check that is there for it, and the sentence names the culprit."""

from __future__ import annotations

from pathlib import Path

import pytest

from plywright.doctor import Report, examine

pytestmark = pytest.mark.usefixtures("forked")

BROKEN = Path(__file__).parent / "broken"
CARELESS = Path(__file__).parent / "careless"
"""Games that play cannot break, and states from outside can."""

# file, the check that fails, what its sentence must say
AS_PYTHON = [
    ("raises_on_import", "loading", ["raises_on_import.py, line 5", "KeyError"]),
    ("no_utility", "methods", ["'result'", "'utility'"]),
    ("undeclared_data", "class facts", ["'weights'", "does not exist"]),
    ("backward_range", "class facts", ["utility_range", "(1, -1)"]),
    ("no_start", "start", ["initial()", "no_start.py, line 15", "ValueError"]),
    ("past_the_table", "rules answer", ["result()", "past_the_table.py, line 30", "IndexError", "(after 2 3 3)"]),
    ("endless_recursion", "rules answer", ["is_terminal()", "line 15", "recurses for ever", "(after"]),
    ("asks_to_leave", "rules answer", ["utility()", "SystemExit", "(after"]),
    ("third_player", "movers", ["to_move() is 2", "0 to 1", "(after 2 3)"]),
    ("twice_the_same", "actions", ["actions()", "1 twice", "(after"]),
    ("negative_action", "actions", ["actions()", "-1", "from 0 to"]),
    ("endless_actions", "actions", ["actions()", "max_actions = 256"]),
    ("counts_on", "counting", ["count_actions() is 3", "0 actions", "(after"]),
    ("no_actions", "endings", ["actions() yields nothing", "is_terminal()", "(after"]),
    ("no_mover_at_the_end", "endings", ["to_move()", "line 18", "IndexError"]),
    ("counts_on_itself", "purity", ["result() changes self.played"]),
    ("keeps_a_diary", "purity", ["result() changes self.diary"]),
    ("global_counter", "purity", ["is_terminal() changes the global calls"]),
    ("remembers", "purity", ["is_terminal() changes the global known"]),
    ("random_start", "purity", ["initial() gives", "asked again", "CHANCE"]),
    ("changes_the_state", "purity", ["result() changes the state"]),
    ("rolls_dice", "purity", ["result() gives Race(", "asked again", "chance()"]),
    ("used_up_iterator", "purity", ["actions() gives [1, 2, 3] and, asked again, []"]),
    ("becomes_a_float", "state shape", ["result()", "field 'total' a float", "int64"]),
    ("becomes_a_tuple", "state shape", ["result()", "2 values", "(2, 1, 0)"]),
    ("unhashable", "hashing", ["[0, 0] cannot be hashed", "NamedTuple"]),
    ("joins_by_luck", "keys", ["key() is the same for '", "is worth", "equal values for their movers"]),
    ("joins_repetitions", "keys", ["repetition_key() is the same for Ring(", "who moves"]),
    ("same_key", "keys", ["key() is the same for Race(", "is worth"]),
    ("counts_from_one", "table numbers", ["unindex(0) is Race(total=9, turn=0)", "index() of that is 1"]),
    ("forgets_the_mover", "table numbers", ["share the number", "the mover wins within 1", "must share their value"]),
    ("sees_wins_that_are_none", "table numbers", ["foregone() is 2 in Race(", "win in n - 1 plies"]),
    ("before_the_table", "indices", ["result()", "line 30", "self.bonus[state.total - 1] with index -1"]),
    ("before_the_tuple", "indices", ["result()", "state.marks[action - 1] with index -1", "(after"]),
    ("both_win", "utilities", ["utility(state, 0) is 1", "utility(state, 1) is 1", "should be -1"]),
    ("utility_too_large", "utilities", ["utility(state, 0)", "utility_range says -1 to 1"]),
    ("half_steps", "utilities", ["0.5", "step = 1"]),
    ("utility_not_a_number", "utilities", ["utility()", "NaN", "(after"]),
    ("evaluation_too_large", "evaluation", ["evaluate(state, 0) is 1 ", "strictly inside", "(after"]),
    ("one_sided_evaluation", "evaluation", ["evaluate(state, 1) is -0.1", "should be 0.1"]),
    ("not_a_number", "evaluation", ["evaluate()", "NaN", "(after"]),
    ("no_end_with_chance", "methods", ["chance but no method 'is_terminal'"]),
    ("three_do_not_cancel", "utilities", ["utility() is ", "zero_sum = True", "add up to 0", "(after"]),
    ("too_generous", "utilities", ["3 together", "sum_bound says at most 2"]),
    ("partners_differ", "utilities", ["utility(state, 0) is", "partners of one team", "(after"]),
    ("loaded_dice", "chance", ["chance() yields probabilities that do not sum to 1 but to 0.95", "(at the start)"]),
    ("negative_odds", "chance", ["chance() gives outcome 1 the probability 1.5", "above 0"]),
    ("odds_not_a_number", "chance", ["chance() gives outcome 2 a probability that is not a number (NaN)"]),
    ("no_outcomes", "chance", ["chance() yields no outcomes at a chance state", "is_terminal()", "(after"]),
    ("forgets_the_roll", "outcomes", ["result() gives the same state for every outcome", "hold what came out"]),
    ("loaded_sample", "sampling", ["sample() draws 1 in", "of 10,000 cases", "probability 0.5"]),
    ("draws_the_impossible", "sampling", ["sample() draws 3, which chance() does not list"]),
    ("draws_from_elsewhere", "sampling", ["sample() draws", "with the same generator", "the generator it is given"]),
    ("odd_repetition", "class facts", ["repetition is ('draw', 1)"]),
    ("no_candidates", "hooks", ["candidates() yields nothing", "[1, 2, 3]", "(after"]),
    ("drops_the_best", "hooks", ["the candidates [1] are worth -1", "minimax finds 1", "(after"]),
    ("strange_candidates", "hooks", ["candidates() yields 7", "(after"]),
    ("strange_noise", "hooks", ["noisy() yields 0", "(after"]),
    ("crossing_bounds", "hooks", ["bounds() is 1 to -1", "(after"]),
    ("wrong_bounds", "hooks", ["bounds() is 1 to 1, but minimax finds -1", "(after"]),
    ("same_key", "hooks", ["key() is the same for Race(", "equal values"]),
    ("wrong_finish", "hooks", ["finish() is 1", "minimax finds -1", "(after"]),
    ("passes_to_itself", "hooks", ["null_move() gives Race(", "same side", "(after"]),
    ("not_a_symmetry", "symmetry", ["canonical() makes Row(", "but their utilities are [", "differ by a symmetry"]),
    ("turns_round", "symmetry", ["canonical() of Row(", "which stands for Row(", "is another state"]),
    ("vast_priority", "hooks", ["priority() is", "2^20"]),
    ("other_structure", "hooks", ["evaluate_with() is", "where evaluate() is", "(after"]),
    ("stale_memory", "hooks", ["evaluate_from() is", "where evaluate() is", "whatever its memory is about"]),
    ("first_of_siblings", "hooks", ["evaluate_beside() is", "where evaluate() is", "after action 2"]),
    ("features_not_a_number", "hooks", ["features() gives nan for 'lead'", "a finite number", "(after"]),
    ("fewer_cells", "hooks", ["cells() gives 2 cells, and 3 at the start", "(after"]),
    ("same_structure", "hooks", ["structure_key() is the same for Race(", "but structure() is", "(after"]),
    ("forgets_the_turn", "state texts", ["parse_state() reads '2'", "turn=1"]),
    ("same_text", "action texts", ["format_action()", "2 and 3", "'far'"]),
    ("misread_action", "action texts", ["parse_action() reads '1' as 3"]),
    ("textless_action", "action texts", ["format_action()", "line 34", "IndexError"]),
    ("passes_the_card_on", "blind search", ["ismcts, which sees", "two true states that look the same", "passes on"]),
    ("shows_the_card", "deals", ["deals() makes Table(", "but that looks like", "observation() tells what is hidden"]),
    ("deals_a_card_twice", "deals", ["deal() deals Table(", "no play leads to"]),
    ("actions_tell", "observations", ["shows player 1 the same", "different legal actions, [0] and [0, 1]"]),
    ("loaded_deals", "deals", ["deal() draws Table(", "of 4,000 cases", "the probability 0.5"]),
    ("leaves_out_a_deal", "deals", ["deals() of Table(", "leaves out the true state"]),
    ("remembers_otherwise", "pasts", ["earlier() makes Hand(", "but that looks like Hand("]),
    ("shows_the_deal", "pasts", ["earlier() makes Table(", "looks like Table(", "shows on the way what is hidden"]),
    ("forgets_its_acts", "recall", ["player 1 sees Table(", "perfect_recall is claimed"]),
    ("accepts_the_impossible", "strange states", ["check_state() accepts Race(total=", "result()", "IndexError"]),
    ("refuses_play", "strange states", ["a total is 0 to 11", "but play leads there", "(after"]),
    ("aborts_outside_play", "process", ["is_terminal() crashed the process (SIGABRT)", "in the state Race(total="]),
    ("aborts", "process", ["result() crashed the process (SIGABRT)", "aborts.py, line 27", "(after 2 3 3)"]),
    ("leaves", "process", ["utility() ended the process (exit status 0)", "'rules answer'"]),
]

HANGING = [
    ("endless_loop", "rules answer", ["result()", "endless_loop.py, line", "not come back", "(after"]),
    ("silent_actions", "rules answer", ["actions()", "silent_actions.py, line", "not come back", "(after"]),
    ("swallows_everything", "rules answer", ["result()", "not come back", "(after"]),
    ("stuck_outside_python", "process", ["is_terminal()", "not come back", "'rules answer'", "(after"]),
]

AS_NATIVE_CODE = [
    pytest.param(
        "endless_as_native_code",
        "compiled rules",
        ["result() as native code has not come back", "(at the start)"],
        marks=pytest.mark.slow,
    ),
    pytest.param("overflows", "compiled rules", ["result()", "mix=", "as native code but", "as Python", "64 bits"]),
    pytest.param("odds_outgrow", "compiled rules", ["chance()", "as native code but", "as Python", "64 bits"]),
    pytest.param("deals_outgrow", "compiled views", ["deal()", "as native code but", "as Python", "64 bits"]),
    pytest.param(
        "rare_jackpot", "enumeration", ["utility() or evaluate() is 9", "utility_range = (0, 3)", "(at the start)"]
    ),
    pytest.param("rare_fault", "long play", ["utility()", "IndexError", "line 37", "(after 1 1 1 1 1 1 1 1 1 1)"]),
]


def assert_named(report: Report, check: str, words: list[str]) -> None:
    assert not report.healthy
    assert report[check].status == "failed", report.text()
    for word in words:
        assert word in report[check].sentence
    assert f"FAILED   {check}" in report.text()


@pytest.mark.parametrize(("game", "check", "words"), AS_PYTHON, ids=lambda value: value if type(value) is str else "")
def test_fault_is_found_and_named(game: str, check: str, words: list[str]) -> None:
    report = examine(str(BROKEN / f"{game}.py"), compiled=False)
    assert_named(report, check, words)
    if game == "passes_the_card_on":
        assert report["methods"].status == "passed"  # a game that lists its deals need not draw them


@pytest.mark.parametrize(("game", "check", "words"), HANGING, ids=lambda value: value if type(value) is str else "")
def test_rule_that_hangs_is_found_and_named(game: str, check: str, words: list[str]) -> None:
    report = examine(str(BROKEN / f"{game}.py"), patience=1.0)
    assert_named(report, check, words)
    assert report["alpha-beta"].status == "skipped"


@pytest.mark.parametrize(
    ("game", "check", "words"), AS_NATIVE_CODE, ids=lambda value: value if type(value) is str else ""
)
def test_fault_of_native_code_is_found_and_named(game: str, check: str, words: list[str]) -> None:
    report = examine(str(BROKEN / f"{game}.py"), patience=2.0)
    assert_named(report, check, words)
    found = {failed.name for failed in report.failed}  # as Python nothing is wrong with it
    assert found <= {check, "long play"}, report.text()  # which may meet by luck what is rare
    if game == "rare_jackpot":  # where long play rolls the dice and names the moves
        words = ["utility(state, 0) is 9", "(after 1 0 1 1 1 0 0 1 0 1)", "utility_range says"]
        assert_named(report, "long play", words)


@pytest.mark.parametrize(("game", "words"), [("loops", "not come back"), ("raises", "IndexError")])
def test_without_a_check_of_its_own_a_game_is_warned_and_not_failed(game: str, words: str) -> None:
    report = examine(str(CARELESS / f"{game}_outside_play.py"), compiled=False, patience=1.0)
    assert report.healthy, report.text()
    check = report["strange states"]
    assert check.status == "warning" and "in Race(total=" in check.sentence.replace("accepts", "in")
    assert words in check.sentence and "write check_state()" in check.sentence


@pytest.mark.slow
def test_rule_that_eats_memory_is_found_and_named() -> None:
    report = examine(str(BROKEN / "eats_memory.py"), compiled=False, patience=60.0)
    assert_named(report, "rules answer", ["result()", "memory", "(after"])


def test_fault_in_one_rule_is_told_once() -> None:
    report = examine(str(BROKEN / "past_the_table.py"))
    assert [check.name for check in report.failed] == ["rules answer"]
    assert report["compilation"].sentence == "not tried, since 'rules answer' failed"


def test_every_planted_game_is_examined() -> None:
    named = {game for game, _, _ in [*AS_PYTHON, *HANGING]} | {row.values[0] for row in AS_NATIVE_CODE}
    named |= {"eats_memory", "odd_names", "order_of_a_set"}
    assert named == {path.stem for path in BROKEN.glob("*.py")}


def test_misspelt_rule_and_games_without_end_are_warnings() -> None:
    report = examine(str(BROKEN / "odd_names.py"), compiled=False)
    assert report.healthy
    assert "is_terminl()" in report["methods"].sentence and "is_terminal()" in report["methods"].sentence
    assert report["methods"].status == report["game length"].status == "warning"


def test_order_of_a_set_is_a_warning() -> None:
    report = examine(str(BROKEN / "order_of_a_set.py"))
    assert report.healthy
    assert report["new process"].status == "warning"
    assert "sort" in report["new process"].sentence
    assert report["compilation"].status == "warning"
    assert "order_of_a_set.py, line 13" in report["compilation"].sentence
    assert report.facts.compiled is False and "bit_count" in report.facts.reason
