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


def test_check(utility: Invoke) -> None:
    data = answer(utility, "check", "B > A", "C > D", *LET)
    assert not data["consistent"] and data["axiom"] == "substitutability" and data["utilities"] is None
    assert data["contradiction"] == ["B > A", "C > D"]
    data = answer(utility, "check", "B > A", "D > C", *LET)
    assert data["consistent"] and set(data["utilities"]) == {"0", "3000", "4000"} and data["axiom"] is None
    out = utility("check", "A > B", "B > C", "C > A")[1]
    assert "broken axiom: transitivity" in out and "pays 1 cent three times and holds B again" in out
    assert "consistent" in utility("check", "A > B")[1]


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
    assert "stays best" in utility("decide", "oil", "--vary", "walk away", "--from", "-9", "--to", "0")[1]


def test_micromorts(utility: Invoke) -> None:
    data = answer(utility, "micromorts", "scuba", "--as", "car")
    assert data["micromorts"] == 5 and data["instead"] == {"activity": "car", "amount": 1150, "unit": "miles"}
    assert "as risky as 1,150 miles by car" in utility("micromorts", "scuba", "--as", "car")[1]
    assert answer(utility, "micromorts")["everest"]["micromorts"] == 38_000
    assert "6,000 miles" in utility("micromorts")[1]


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
        (["check", "A"], "is no comparison"),
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
