"""Matches of `benchmarks/chess_strength.py` go on behind the games that are kept."""

from __future__ import annotations

import gzip
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

SCRIPT = Path(__file__).parent.parent / "benchmarks" / "chess_strength.py"


def load() -> Any:
    spec = importlib.util.spec_from_file_location("chess_strength", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def game(number: int) -> str:
    return f'[Event "?"]\n[White "pvs"]\n[Black "other"]\n[Result "1-0"]\n\n1. e4 {{{number}}} 1-0\n\n'


def test_a_match_goes_on_behind_the_games_that_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = load()
    asked: list[list[str]] = []

    def play(command: list[str], **_: Any) -> Any:
        if command[3] == "export":
            return SimpleNamespace(stdout=game(4) + game(5))
        asked.append([*command, Path(command[command.index("--openings") + 1]).read_text().splitlines()[0]])
        Path(command[command.index("--record") + 1]).touch()
        raise subprocess.CalledProcessError(1, command)  # stopped: what was played counts all the same

    monkeypatch.setattr(script, "RECORDS", tmp_path)
    monkeypatch.setattr(script, "rivals_faults", lambda _: set())
    monkeypatch.setattr(script.subprocess, "run", play)
    (tmp_path / "m.pgn.gz").write_bytes(gzip.compress("".join(map(game, range(5))).encode()))  # two pairs and a half
    with pytest.raises(subprocess.CalledProcessError):
        script.match("m", ("pvs", "other"), "nodes:9", 10)
    (command,) = asked
    assert command[command.index("--games") + 1] == "6"
    assert command[-1] == script.OPENINGS.read_text(encoding="utf-8").splitlines()[2]
    text = gzip.decompress((tmp_path / "m.pgn.gz").read_bytes()).decode()
    assert text == "".join(map(game, range(6))) and list(tmp_path.iterdir()) == [tmp_path / "m.pgn.gz"]
    script.match("m", ("pvs", "other"), "nodes:9", 6)  # nothing is left to play
    assert len(asked) == 1


def test_pairs_in_which_the_rival_was_late_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = load()
    text = "".join(map(game, range(6)))
    monkeypatch.setattr(script, "RECORDS", tmp_path)
    monkeypatch.setattr(script, "rivals_faults", lambda _: {1})
    monkeypatch.setattr(script.subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=text))
    (tmp_path / "m.run").touch()
    script.keep("m", [])
    found = gzip.decompress((tmp_path / "m.pgn.gz").read_bytes()).decode()
    assert found == "".join(map(game, (0, 1, 4, 5)))


def test_which_pairs_a_rival_spoilt(tmp_path: Path) -> None:
    (tmp_path / "quitter.py").write_text(
        "class Quitter:\n    def choose(self, game, turn):\n        raise ValueError\n"
    )
    command = [sys.executable, "-m", "plywright", "match", "random", f"{tmp_path / 'quitter.py'}:Quitter"]
    command += ["--game", "tic-tac-toe", "--games", "4", "--record", str(tmp_path / "m.run")]
    subprocess.run(command, check=True, capture_output=True)
    assert load().rivals_faults(tmp_path / "m.run") == {0, 1}
