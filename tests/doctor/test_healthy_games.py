"""Healthy games of every kind pass, and the facts about them are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from plywright.cli.authoring.new import template
from plywright.doctor import examine
from plywright.games import GAMES

HEALTHY = Path(__file__).parent / "healthy"
QUICK = ("tic-tac-toe", "othello", "nim", "pig", "dice-race", "kuhn")
"""One of each kind is examined in every run, all of them by `make test-all`."""
TEMPLATE = template("template.py.txt")


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("path", sorted(HEALTHY.glob("*.py")), ids=lambda path: path.stem)
def test_healthy_file_passes_as_python(path: Path) -> None:
    report = examine(str(path), compiled=False)
    assert report.healthy and not [check for check in report.checks if check.status == "warning"], report.text()


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in GAMES]
)
def test_registered_game_passes_as_python(name: str) -> None:
    report = examine(name, compiled=False)
    assert report.healthy and not [check for check in report.checks if check.status == "warning"], report.text()


@pytest.mark.slow
@pytest.mark.parametrize("name", [*GAMES, *map(str, sorted(HEALTHY.glob("*.py")))])
def test_game_passes_as_native_code(name: str) -> None:
    report = examine(name)
    assert report.healthy, report.text()
    assert report.facts.compiled or "words" in name  # the one game here whose states are texts


def test_template_of_new_is_healthy_and_measured(tmp_path: Path) -> None:
    path = tmp_path / "mygame.py"
    path.write_text(TEMPLATE)
    report = examine(str(path))
    assert report.healthy, report.text()
    skipped = {check.name for check in report.checks if check.status == "skipped"}
    hidden = {"observations", "deals", "recall", "pasts", "blind search", "compiled views"}
    assert skipped == {
        "evaluation",
        "counting",
        "oracle",
        "hooks",
        "table numbers",
        "symmetry",
        "chance",
        "outcomes",
        "sampling",
        "enumeration",
        *hidden,
    }
    assert {check.status for check in report.checks} == {"passed", "skipped"}
    facts = report.facts
    assert facts.compiled and facts.measured_by == "nodes of alpha-beta"
    assert facts.length is not None and facts.length[1:] == (5, 9)  # three in a row ends after 5 to 9 moves
    assert facts.branching is not None
    mean, low, high = facts.branching
    assert low < mean < high < 9 and high - low < 0.1
    assert 1000 < facts.states <= 5478  # all positions of tic-tac-toe
    assert facts.nodes_per_second is not None and facts.nodes_per_second_interpreted is not None
    assert facts.nodes_per_second > 5 * facts.nodes_per_second_interpreted


@pytest.mark.slow
def test_game_with_chance_is_compared_as_native_code() -> None:
    report = examine(str(HEALTHY / "dice_race.py"))
    assert report.healthy, report.text()
    for check in ("chance", "outcomes", "compiled rules", "long play", "enumeration"):
        assert report[check].status == "passed", report.text()
    assert report["alpha-beta"].status == "skipped"


def test_interpreted_game_is_searched_and_says_why_it_is_not_compiled() -> None:
    report = examine(str(HEALTHY / "words.py"))
    assert report.healthy and report.facts.compiled is False
    assert report["compilation"].status == "warning" and "str" in report["compilation"].sentence
    assert report["state texts"].status == report["alpha-beta"].status == "passed"
    assert "no: the state is a str" in report.text()
