"""The engine's search as a trace: the kernel's own values and windows, shown by the textbook's viewer."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from plywright import BadInput, load_game, search
from plywright.cli import main
from plywright.engine.alphabeta.trace import record
from plywright.textbook.trace.trace import Trace


def test_a_recorded_search_is_the_real_one() -> None:
    game = load_game("tic-tac-toe")
    state = game.play_moves(game.start_state, "a1 b2")
    trace = record(game, state, depth=6, levels=3)
    real = search(game, state, depth=6)
    root = trace.view()
    assert root.value == real.value and root.entry == (-math.inf, math.inf) and root.bound == "exact"
    assert tuple(node.action for node in trace.line) == real.line[: len(trace.line)] and len(trace.line) == 3
    assert {trace.nodes[child].action for child in trace.nodes[0].children} == set(game.actions(state))
    assert max(len(node.path.split()) for node in trace.nodes) == 3
    assert Trace.from_json(trace.to_json()) == trace
    assert trace.svg().startswith("<svg") and "<script" in trace.html()
    assert list(trace.forwards())[-1].views == trace.at().views


def test_windows_cutoffs_and_the_table_are_told() -> None:
    trace = record(load_game("connect-four"), depth=9, levels=3)
    views = trace.at().views
    assert any("null window" in step.words for step in trace.steps)
    assert any("the table" in view.cutoff for view in views)
    assert any(node.more.endswith("nodes") for node in trace.nodes)
    assert trace.cuts
    for cut in trace.cuts:
        view = views[cut.node]
        assert cut.pruned and view.entry is not None and (cut.value >= cut.bound if cut.kind == "beta" else True)
        assert all(views[node].status == "pruned" for node in cut.pruned)


def test_a_selective_search_is_recorded_too() -> None:
    trace = record(load_game("tic-tac-toe"), depth=8, levels=1, exact=False)
    assert any(" again," in step.words for step in trace.steps)  # a reduced or null-window search that had to be redone


def test_the_command_writes_traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.html", "a.svg", "a.json"):
        words = ["best", "tic-tac-toe", "--depth", "4", "--levels", "1", "--trace", str(tmp_path / name)]
        assert main(words) == 0 and f"wrote {tmp_path / name}" in capsys.readouterr().out
    assert json.loads((tmp_path / "a.json").read_text())["algorithm"] == "pvs"
    assert main(["best", "tic-tac-toe", "--depth", "4", "--trace", "a.txt"]) == 2
    assert "a trace is written as .html, .svg, .json, not as 'a.txt'" in capsys.readouterr().err
    with pytest.raises(BadInput, match="levels must be a whole number from 1"):
        record(load_game("tic-tac-toe"), depth=3, levels=0)
