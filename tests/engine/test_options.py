"""Options of searches: typed, listed once, and what is misspelt is told with what was meant."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import typed_script
from plywright import BadInput, MonteCarloTree, analyse, learn, load_game, search, solve_states
from plywright.engine import ALGORITHMS
from plywright.engine import options as classes
from plywright.engine.montecarlo.tree_pool import Settings
from plywright.engine.options import SearchOptions, TreeOptions, names
from plywright.learning.learn import LearnOptions, ScheduleOptions, begin
from plywright.learning.trainer import Schedule

OPTIONS = [value for name, value in vars(classes).items() if name.endswith("Options")]

TASKS = {
    "pvs": "alphabeta.pvs_search.EngineSearch",
    "expectiminimax": "chance.expectiminimax_search.Expectation",
    "maxn": "chance.maxn_search.ManyPlayers",
    "mcts": "montecarlo.mcts_search.MonteCarloSearch",
    "weighted": "hidden.determinization_search.WeightedSearch",
    "deals": "hidden.determinization_search.DealSearch",
    "ismcts": "hidden.ismcts_search.InformationSetSearch",
}


def test_search_shows_every_option_of_every_algorithm() -> None:
    known = {option for entry in ALGORITHMS.values() for option in entry.options}
    assert known | {"knowledge", "simulations"} == set(names(SearchOptions))
    for option in names(SearchOptions):
        assert option in inspect.getdoc(search), option  # type: ignore[operator]


@pytest.mark.parametrize("algorithm", TASKS)
def test_an_option_is_one_that_the_algorithm_s_task_takes(algorithm: str) -> None:
    module, _, name = TASKS[algorithm].rpartition(".")
    task = getattr(importlib.import_module(f"plywright.engine.{module}"), name)
    taken = set(inspect.signature(task).parameters)
    if "settings" in taken:
        taken |= set(names(TreeOptions))
    assert set(ALGORITHMS[algorithm].options) <= taken


def test_training_takes_the_fields_of_its_schedule_and_what_begin_takes() -> None:
    assert set(ScheduleOptions.__annotations__) == set(Schedule.__dataclass_fields__)
    own = set(inspect.signature(begin).parameters) - {"game", "schedule"}
    assert own == set(inspect.get_annotations(LearnOptions)) - set(ScheduleOptions.__annotations__)


def test_the_settings_of_a_tree_are_all_typed_with_their_defaults() -> None:
    assert set(names(TreeOptions)) == set(Settings.__dataclass_fields__)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options.__name__)
def test_every_option_has_a_docstring(options: type) -> None:
    assert options.__doc__
    lines = [line.strip() for line in inspect.getsource(options).splitlines()]
    own = [place for place, line in enumerate(lines) if line.partition(":")[0] in names(options)]
    assert own and all(lines[place + 1].startswith('"""') for place in own)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: search("tic-tac-toe", depth=1, tabel=2), "takes no tabel: did you mean table?"),  # type: ignore[call-arg]
        (lambda: search("tic-tac-toe", dept=1), "takes no dept: did you mean depth?"),  # type: ignore[call-arg]
        (lambda: search("tic-tac-toe", depth=1, knowlege="none"), "did you mean knowledge?"),  # type: ignore[call-arg]
        (lambda: search("tic-tac-toe", depth=1, opponent={}), "did you mean opponents?"),  # type: ignore[call-arg]
        (
            lambda: search("tic-tac-toe", depth=1, xyzzy=2),
            "it takes exact, table, threads, history, only, lines, confidence, knowledge",
        ),  # type: ignore[call-arg]
        (lambda: search("tic-tac-toe", depth=1, algorithm="alphabeta", exact=True), "that is for algorithm 'pvs'"),
        (lambda: list(analyse("tic-tac-toe", depth=1, threds=2)), "did you mean threads?"),  # type: ignore[call-arg]
        (lambda: MonteCarloTree("tic-tac-toe", exploraton=2.0), "takes no exploraton: did you mean exploration?"),  # type: ignore[call-arg]
        (lambda: learn("tic-tac-toe", games=1, detph=2), "learn takes no detph: did you mean depth?"),  # type: ignore[call-arg]
        (lambda: MonteCarloTree("tic-tac-toe", xyzzy=2.0), "takes no xyzzy: it takes memory, exploration"),  # type: ignore[call-arg]
    ],
)
def test_a_misspelt_option_is_told_with_the_nearest(call: Any, message: str) -> None:
    with pytest.raises(BadInput) as told:
        call()
    assert message in str(told.value)


@pytest.mark.parametrize("option", [{"compiled": "no"}, {"all_actions": 3}, {"exact": "yes"}])
def test_a_switch_that_is_neither_on_nor_off_is_refused(option: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="is True or False, not"):
        search("tic-tac-toe", depth=1, **option)


@pytest.mark.slow
def test_mypy_helps_on_a_user_s_script(tmp_path: Path) -> None:
    """The script's mistakes are marked: `make check` holds that mypy finds each, this one that it says which."""
    lines = Path(typed_script.__file__).read_text().splitlines()
    (tmp_path / "script.py").write_text("\n".join(line.partition("  # type: ignore")[0] for line in lines))
    command = [sys.executable, "-m", "mypy", "--strict", "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    found = [line for line in done.stdout.splitlines() if "error:" in line]
    marked = [number for number, line in enumerate(lines, 1) if "# type: ignore" in line]
    assert [int(line.split(":")[1]) for line in found] == marked, done.stdout + done.stderr
    assert 'Unexpected keyword argument "tabel" for "search"; did you mean "table"?' in found[0]


def test_solve_states_takes_the_name_of_a_game() -> None:
    assert solve_states("nim:heaps=1-2").result.value == solve_states(load_game("nim:heaps=1-2")).result.value == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"history": 3}, "history takes a list of the states before this one, not 3"),
        ({"history": [3]}, "history names what is no state of tic-tac-toe: state should be a tuple of 2 values"),
        ({"only": "x"}, "only takes a list of actions, which are whole numbers, not 'x'"),
        ({"only": [0.5]}, "only takes a list of actions, which are whole numbers"),
        ({"only": [99]}, r"none of the actions that are asked for can be played here \(only: 99\)"),
    ],
)
def test_options_of_a_wrong_kind_are_named(options: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        search("tic-tac-toe", depth=1, **options)
