"""`plywright utility` as a user types it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plywright.cli import main

Invoke = Callable[..., tuple[int, str, str]]
ALLAIS = ["A=[0.8, 4000; 0.2, 0]", "B=[1, 3000]", "C=[0.2, 4000; 0.8, 0]", "D=[0.25, 3000; 0.75, 0]"]
LET = [word for text in ALLAIS for word in ("--let", text)]


@pytest.fixture
def utility(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Run a command in an empty folder; returns exit status, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        lines = iter(typed.splitlines())

        def answer(prompt: str = "") -> str:
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        status = main(["utility", *arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return invoke


def answer(utility: Invoke, *arguments: str, typed: str = "") -> Any:
    status, out, err = utility(*arguments, "--json", typed=typed)
    assert status == 0, err
    return json.loads(out)


def test_evaluate(utility: Invoke, tmp_path: Path) -> None:
    data = answer(utility, "evaluate", "[0.5, 1000; 0.5, 0]", "--utility", "piecewise:0=0,400=0.5,1000=1")
    names = ("expected_value", "expected_utility", "certainty_equivalent", "premium")
    assert [data[name] for name in names] == [500, 0.5, 400, 100]
    data = answer(utility, "evaluate", "[0.5, 1000; 0.5, 0]", "--utility", "crra:2")
    assert [data[name] for name in names] == [500, "-inf", 0, 500]
    data = answer(utility, "evaluate", "[0.5, 1000; 0.5, 0]", "--utility", "crra:2", "--wealth", "1000")
    assert data["certainty_equivalent"] == pytest.approx(1000 / 3)
    status, out, _ = utility("evaluate", "[0.5, A; 0.5, 0]", "--let", "A=[1, $1k]", "--svg", "curve.svg")
    assert status == 0 and "certainty equivalent  500" in out and "wrote curve.svg" in out
    assert (tmp_path / "curve.svg").read_text().startswith("<svg")


def test_compare(utility: Invoke) -> None:
    data = answer(utility, "compare", "[0.8, 4000; 0.2, 0]", "[1, 3000]")
    assert data["better"] == "first" and data["dominant"] is None
    assert answer(utility, "compare", "A", "B", *LET[:4], "--utility", "crra:0.5")["better"] == "second"
    data = answer(utility, "compare", "[0.5, 9; 0.5, 1]", "[0.5, 10; 0.5, 0]")
    assert (data["better"], data["dominant"], data["dominance_order"]) == ("same", "first", 2)
    assert "everybody who likes more prefers the second" in utility("compare", "1", "2")[1]
    ruin = ("compare", "[0.5, 0; 0.5, 5]", "[0.4, 0; 0.6, 3]", "--utility", "log")
    out = utility(*ruin)[1]
    assert "log cannot tell them apart" in out and "--wealth" in out and "better" not in out
    assert answer(utility, *ruin)["better"] is None
    out = utility("compare", "[0.5, 0; 0.5, 5]", "[0.5, 5; 0.5, 0]", "--utility", "log")[1]
    assert "they are the same lottery" in out and "dominates" not in out


def test_prizes_that_have_only_names(utility: Invoke) -> None:
    table = ("--utility", "table:ticket=1,dinner=0.4")
    data = answer(utility, "evaluate", "[0.5, ticket; 0.5, dinner]", *table)
    assert data["expected_utility"] == 0.7 and data["expected_value"] is None and data["attitude"] is None
    out = utility("evaluate", "[0.5, ticket; 0.5, dinner]", *table)[1]
    assert "expected utility  0.7" in out and "premium" not in out and "None" not in out
    data = answer(utility, "compare", "[0.5, ticket; 0.5, dinner]", "dinner", *table)
    assert data["better"] == "first" and data["dominant"] is None
    out = utility("compare", "[0.5, ticket; 0.5, dinner]", "dinner", *table)[1]
    assert "the first is better" in out and "dominates" not in out and "None" not in out
    data = answer(utility, "decide", "oil", "--utility", "table:100=1,-40=0,0=0.5", "--know", "oil")
    assert data["certainty_equivalent"] is None and data["information"] == {"fact": "oil", "gain": 0.15, "price": None}
    out = utility("decide", "oil", "--utility", "table:100=1,-40=0,0=0.5", "--know", "oil")[1]
    assert "knowing oil beforehand adds 0.15 to the expected utility" in out and "for certain" not in out


def test_compare_tells_close_amounts_apart(utility: Invoke) -> None:
    data = answer(utility, "compare", "1000000.0001", "1000000")
    assert data["better"] == data["dominant"] == "first"
    assert answer(utility, "compare", "[0.1, 3; 0.2, 3; 0.7, 3]", "3", "--utility", "cara:0.1")["better"] == "same"
    assert "1,000,000" in utility("compare", "999999.9999999", "1000000")[1]


def test_check(utility: Invoke) -> None:
    data = answer(utility, "check", "B > A", "C > D", *LET)
    assert not data["consistent"] and data["axiom"] == "substitutability" and data["utilities"] is None
    assert data["contradiction"] == ["B > A", "C > D"]
    data = answer(utility, "check", "B > A", "D > C", *LET)
    assert data["consistent"] and set(data["utilities"]) == {"0", "3000", "4000"} and data["axiom"] is None
    out = utility("check", "A > B", "B > C", "C > A")[1]
    assert "broken axiom: transitivity" in out and "pays 1 cent three times and holds B again" in out
    assert "consistent" in utility("check", "A > B")[1]
    assert "only utilities that do not rise" in utility("check", "5 > 10")[1]
    assert "rise" not in utility("check", "10 > 5")[1] and answer(utility, "check", "10 > 5")["increasing"]


def test_elicit_can_be_left_and_taken_up_again(utility: Invoke) -> None:
    ask = ("elicit", "--prizes", "400", "--precision", "1/8", "--file", "talk.json")
    status, out, _ = utility(*ask, typed="what\np\nl\nquit\n")
    assert status == 0 and "400 for certain, or the lottery [0.5, 1000; 0.5, 0]?" in out and "so far:" in out
    data = answer(utility, *ask, typed="s\n")
    assert data["utilities"]["400"] == 0.625 and not data["finished"] and data["answers"] == 3
    status, out, _ = utility(*ask, typed="l\n")
    assert status == 0 and "going on after 3 answers" in out and "your utilities:" in out
    status, out, _ = utility("elicit", "--prizes", "400", "--precision", "1/2", typed="p\nundo\nl\np\nold\n")
    assert "contradicts an earlier answer" in out or "your utilities" in out


def test_elicit_notices_contradictions_and_asks_which_holds(utility: Invoke) -> None:
    ask = ("elicit", "--prizes", "400", "--precision", "1/8", "--svg", "curve.svg")
    typed = "l\np\nl\n"  # between 0.25 and 0.375
    status, out, _ = utility(*ask, typed=typed + "p\nold\n")
    assert status == 0 and "contradicts an earlier answer" in out and "0.312" in out and "wrote curve.svg" in out
    data = answer(utility, *ask, typed=typed + "p\nnew\nl\np\nl\nl\nl\n")
    assert data["utilities"]["400"] != 0.3125


def test_elicit_ends_where_the_old_answers_are_kept(utility: Invoke) -> None:
    typed = "p\np\np\np\np\nl\nold\nl\nold\nq\n"
    status, out, _ = utility("elicit", "--prizes", "250,500", typed=typed)
    assert status == 0 and "your utilities:" in out and out.count("contradicts an earlier answer") == 2


def test_elicit_refuses_options_that_the_file_contradicts(utility: Invoke, tmp_path: Path) -> None:
    utility("elicit", "--prizes", "400,500", "--file", "talk.json", typed="p\n")
    before = (tmp_path / "talk.json").read_text()
    for option, value, kept in (
        ("--prizes", "300", "400,500"),
        ("--worst", "1", "0"),
        ("--best", "2000", "1000"),
        ("--precision", "1/8", "1/32"),
    ):
        status, out, err = utility("elicit", "--file", "talk.json", option, value)
        assert (status, out) == (2, "") and f"holds a talk with {option} {kept}: leave {option} out" in err
    same = ("--prizes", "500,400", "--worst", "0", "--best", "$1k", "--precision", "0.03125")
    for given in ((), same):
        status, out, _ = utility("elicit", "--file", "talk.json", *given)
        assert status == 0 and "going on after 1 answer" in out
    assert (tmp_path / "talk.json").read_text() == before


def test_elicit_interrupted_says_where_the_answers_are(utility: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    from plywright.cli.utility import elicit

    lines = iter(["p", "l"])

    def typed() -> str:
        try:
            return next(lines)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(elicit, "input", typed, raising=False)
    status, out, _ = utility("elicit", "--prizes", "400", "--file", "talk.json")
    assert status == 130 and "the answers are kept in talk.json" in out
    lines = iter(["p"])
    status, out, _ = utility("elicit", "--prizes", "400")
    assert status == 130 and "nothing is kept: --file FILE keeps answers" in out


def test_a_talk_left_at_once_is_drawn_too_and_one_about_names_is_refused_before_it_begins(utility: Invoke) -> None:
    ask = ("elicit", "--prizes", "400,500", "--precision", "1/2", "--svg", "curve.svg")
    status, out, _ = utility(*ask, typed="q\n")
    assert status == 0 and "so far:" in out and "wrote curve.svg" in out
    ask = ("elicit", "--prizes", "clouds", "--worst", "rain", "--best", "sun")
    status, out, err = utility(*ask, "--svg", "curve.svg", typed="p\n")
    assert (status, out) == (2, "") and "these prizes have only names" in err
    assert "clouds for certain, or the lottery [0.5, sun; 0.5, rain]?" in utility(*ask, typed="p\n")[1]


def test_elicit_remarks_on_one_answer_every_time(utility: Invoke) -> None:
    ask = ("elicit", "--prizes", "250,500", "--precision", "1/16", "--svg", "curve.svg")
    out = utility(*ask, typed="l\n" * 40)[1]
    assert "note: 250 and 500 come out level at 0.0312" in out and "note: the lottery was preferred all" in out
    assert "wrote curve.svg" in out
    assert len(answer(utility, *ask, typed="l\n" * 40)["remarks"]) == 2
    steady = answer(utility, *ask, typed="l\np\nl\np\np\nl\nl\nl\nl\nl\n")
    assert steady["finished"] and steady["remarks"] == []


def test_decide(utility: Invoke, tmp_path: Path) -> None:
    data = answer(utility, "decide", "oil", "--know", "oil", "--vary", "oil=wet", "--svg", "plot.svg")
    assert data["choice"] == "drill" and data["expected_utility"] == 2 and data["information"]["price"] == 28
    assert data["sensitivity"]["thresholds"][0]["at"] == pytest.approx(2 / 7)
    assert (tmp_path / "plot.svg").read_text().startswith("<svg")
    out = utility("decide", "oil")[1]
    assert "drill: 0.3 × 100 + 0.7 × (-40) = 2" in out and "choose drill" in out
    assert answer(utility, "decide", "oil", "--utility", "cara:0.02")["choice"] == "walk away"
    (tmp_path / "mine.json").write_text('{"choose": {"a": "[0.5, 10; 0.5, 0]", "b": 6}}')
    assert answer(utility, "decide", "mine.json")["choice"] == "b"
    assert answer(utility, "decide", '{"choose": {"a": 1, "b": 2}}')["choice"] == "b"
    assert "drill stays best" in utility("decide", "oil", "--vary", "walk away", "--from", "-9", "--to", "0")[1]


def test_what_stays_best_is_best_over_the_range_and_not_in_the_base_case(utility: Invoke) -> None:
    vary = ("decide", "oil", "--vary", "oil=wet", "--from", "0", "--to", "0.2")
    out = utility(*vary)[1]
    assert "walk away stays best over the whole range of the probability oil=wet, from 0 to 0.2" in out
    found = answer(utility, *vary)["sensitivity"]
    assert found["stays_best"] == "walk away" and found["kind"] == "probability" and found["to"] == 0.2
    amounts = ("decide", "oil", "--vary", "drill / wet", "--from", "0", "--to", "200")
    assert "the amount drill / wet below 93.3333: walk away; above: drill" in utility(*amounts)[1]
    found = answer(utility, *amounts)["sensitivity"]
    assert found["stays_best"] is None and found["kind"] == "amount"
    amounts = ("decide", "oil", "--vary", "drill / wet", "--from", "0", "--to", "1")  # the defaults, but typed
    assert answer(utility, *amounts)["sensitivity"]["stays_best"] == "walk away"


def test_a_price_may_ruin_a_branch_that_is_never_chosen(utility: Invoke) -> None:
    data = answer(utility, "decide", "umbrella", "--know", "weather", "--utility", "log", "--wealth", "1")
    assert data["information"]["price"] == pytest.approx(12.798, abs=5e-4)


def test_a_decision_that_begins_with_chance(utility: Invoke) -> None:
    out = utility("decide", '{"chance": {"a": [0.5, 1], "b": [0.5, 2]}}')[1]
    assert "there is no choice to make at first: expected utility 1.5" in out and "None" not in out


def test_micromorts(utility: Invoke) -> None:
    data = answer(utility, "micromorts", "scuba", "--as", "car")
    assert data["micromorts"] == 5 and data["instead"] == {"activity": "car", "amount": 1150, "unit": "miles"}
    assert "as risky as 1,150 miles by car" in utility("micromorts", "scuba", "--as", "car")[1]
    assert answer(utility, "micromorts")["everest"]["micromorts"] == 38_000
    assert "6,000 miles" in utility("micromorts")[1]
    assert utility("micromorts", "Car", "--amount", "230")[1] == "230 miles by car: 1 micromort\n"
    assert utility("micromorts", "foot", "--amount", "17000", "--as", "EVEREST")[1].splitlines() == [
        "17,000 miles on foot: 1,000 micromorts",
        "as risky as 0.0263158 ascents of Everest",
    ]
    data = answer(utility, "micromorts", "SCUBA", "--amount", "1/2")
    assert data == {"activity": "scuba", "amount": 0.5, "unit": "dives", "micromorts": 2.5}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "[0.2, 3000; 0.75, 0]"], "the probabilities sum to 0.95, not to 1: 0.2 + 0.75"),
        (["evaluate", "[]"], "has no prizes"),
        (["evaluate", ""], "the lottery is empty"),
        (["evaluate", "[1, nan]"], "must be a finite number or a name"),
        (["evaluate", "[1, ticket]"], "the prize ticket is not a number"),
        (["evaluate", "[-0.5, 1; 1.5, 0]"], "is -0.5; it must be from 0 to 1"),
        (["evaluate", "[0.5, 1000; 0.5, -1]", "--utility", "log"], "log has no utility for -1: it would leave a debt"),
        (["evaluate", "5", "--utility", "crar:2"], "did you mean crra"),
        (["evaluate", "5", "--utility", "cara:1", "--wealth", "3"], "cara takes no wealth"),
        (["evaluate", "5", "--svg", "no/such/folder/x.svg"], "no/such/folder"),
        (["evaluate", "A", "--let", "A"], "defines no lottery"),
        (["evaluate", "A", "--let", "A=[0.5, A; 0.5, 3]"], "A is defined by itself"),
        (["check", "A > B", "--let", "A=[0.5, A; 0.5, 3]"], "A is defined by itself"),
        (["evaluate", "A", "--let", "A=[0.5, B; 0.5, 3]", "--let", "B=[1, 4]"], "A mentions B before B is defined"),
        (["evaluate", "A", "--let", "A=1", "--let", "A=2"], "'A' is defined twice"),
        (
            ["evaluate", "[1, ticket]", "--utility", "table:dinner=1"],
            "the prize ticket is unknown: there are",
        ),
        (["evaluate", "[1, a]", "--utility", "table:a=1", "--svg", "x.svg"], "a table has none: leave it out"),
        (["evaluate", "[1, a]", "--utility", "table:a"], "'a' is no line of a table"),
        (["evaluate", "[0.5, inf; 0.5, 0]"], "must be a finite number or a name, not inf"),
        (["evaluate", "5", "--utility", "log", "--wealth", "nan"], "wealth must be a number, not 'nan'"),
        (["compare", "[1, ticket]", "3"], "give it a utility of its own, as table:ticket=1 does"),
        (["compare", "[0.5, 1]", "3"], "the probabilities sum to 0.5"),
        (["check", "A > [0.5, B; 0.6, C]"], "sum to 1.1"),
        (["check"], "Missing argument"),
        (["decide", "oil", "--utility", "log"], "log has no utility for -40: it would leave a debt"),
        (["decide", "oil", "--utility", "table:100=1,-40=0"], "the prize 0 is unknown"),
        (["decide", "oil", "--vary", "oil=damp"], "oil has no outcome 'damp': wet, dry"),
        (["decide", "oil", "--vary", "oil=wet", "--from", "a"], "the lower end must be a number"),
        (["decide", "oil", "--vary", "oil=wet", "--from", "0.9", "--to", "0.1"], "a range goes upward"),
        (["decide", "oil", "--vary", "oil=wet", "--to", "2"], "must be from 0 to 1"),
        (["decide", '{"chance": {"a": [0.5, 1], "b": [0.4, 2]}}'], "sum to 0.9, not to 1"),
        (["elicit", "--prizes", "250", "--precision", "2"], "precision must be between 0 and 1"),
        (["elicit", "--prizes", "250", "--worst", "9", "--best", "1"], "the best prize must be better"),
        (["micromorts", "car", "--amount", "-3"], "cannot be negative"),
        (["micromorts", "car", "--as", "swimming"], "there are no micromorts for 'swimming'"),
        (["check", "A"], "is no comparison"),
        (["check", "A >= B"], "'A >= B' is no comparison: >= says"),
        (["check", "A =< B"], "is no comparison: =< says"),
        (["check", "[0.5, =A; 0.5, B] > C"], "a name does not begin with ="),
        (["evaluate", "5", "--svg", "."], "--svg . is a folder"),
        (["decide", "oil", "--svg", "no/such/folder/x.svg"], "there is no folder no/such/folder"),
        (["decide", "oil", "--vary", "drill / wet"], "'drill / wet' is an amount: say its range with --from and --to"),
        (["decide", "oil", "--vary", "drill / wet", "--from", "1"], "say its range with --from and --to"),
        (["decide", "oil", "--from", "0"], "--from and --to are the range of --vary"),
        (["decide", '{"choose": {"a": 1, "a": 2}}'], "'a' is used twice"),
        (["elicit", "--prizes", "250", "--svg", "no/x.svg"], "--svg no/x.svg cannot be written: there is no folder no"),
        (["elicit", "--prizes", "250", "--file", "no/x.json"], "--file no/x.json cannot be written"),
        (["elicit", "--prizes", "250", "--file", "latin.json"], "latin.json cannot be read: it is not UTF-8 text"),
        (["elicit", "--prizes", "250,nan"], "must be a finite number or a name, not nan"),
        (["elicit", "--prizes", "250", "--best", "-inf"], "must be a finite number or a name, not -inf"),
        (["micromorts", "--as", "car"], "--amount and --as are about one activity"),
        (["micromorts", "--amount", "3"], "--amount and --as are about one activity"),
        (["check", "A > B", "--let", "A=[0.5, 1]"], "A: the probabilities sum to 0.5"),
        (["elicit"], "say which prizes"),
        (["elicit", "--prizes", "2000"], "must lie between the worst, 0, and the best, 1000"),
        (["elicit", "--prizes", "500", "--file", "broken.json"], "broken.json: this is no elicitation"),
        (["decide", "gold"], "there is no decision 'gold'"),
        (["decide", "./gold.json"], "cannot be read"),
        (["decide", "broken.json"], "broken.json: line 1, column 2: this is not JSON"),
        (["decide", "oil", "--know", "gold"], "nothing in oil is called 'gold'"),
        (["micromorts", "scubba"], "did you mean scuba?"),
        (["micromorts", "car", "--amount", "far"], "must be a number"),
        (["evalute", "5"], "evalute"),
    ],
)
def test_mistakes_are_one_clear_line(utility: Invoke, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "latin.json").write_bytes(b"\xff")
    status, out, err = utility(*arguments)
    assert status == 2 and out == "" and "Traceback" not in err
    assert len(err.splitlines()) == 1 and err.startswith("plywright: ") and message in err, err


def test_help_imports_nothing_heavy() -> None:
    """--help stays quick because the commands import what they need when they run."""
    code = (
        "import sys; from plywright.cli import main; main(['--help']); "
        "sys.exit(bool({'numpy', 'scipy', 'numba', 'plywright.utility.lottery'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60).returncode == 0
