"""Levels are the checkpoints of one training: others that lie beside it are left out and named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plywright import BadInput, load_game
from plywright.cli import main
from plywright.errors import SkippedNote
from plywright.learning.ladder import at_level, ladder
from plywright.models.loading import keep_model, make_model


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with five checkpoints, of which the second is damaged and the fourth of another game."""
    model, other = make_model(load_game("tic-tac-toe")), make_model(load_game("connect-four:columns=4,rows=4"))
    found = tmp_path / "t.knowledge"
    keep_model(model, found, {"games": 500})
    for number in range(1, 6):
        keep_model(other if number == 4 else model, tmp_path / f"t-0{number}.knowledge", {"games": 100 * number})
    (tmp_path / "t-02.knowledge").write_bytes(b"damaged")
    return found


def test_a_damaged_checkpoint_and_one_of_another_game_are_left_out_and_named(path: Path) -> None:
    with pytest.warns(SkippedNote) as told:
        assert [(rung.level, rung.games) for rung in ladder(path)] == [(1, 100), (5, 300), (10, 500)]
    said = [str(each.message) for each in told]
    assert len(said) == 2 and "t-02.knowledge is no file of knowledge" in said[0]
    assert "t-04.knowledge is of 'connect-four" in said[1] and "other rules or parameters than t.knowledge" in said[1]
    with pytest.warns(SkippedNote):
        assert at_level(path, 2).path.name == "t-01.knowledge"


def test_without_the_file_itself_the_last_checkpoint_says_what_the_rules_are(path: Path) -> None:
    path.unlink()
    with pytest.warns(SkippedNote):
        assert [rung.games for rung in ladder(path)] == [100, 300, 500]


def test_where_none_is_left_the_reason_is_told(path: Path) -> None:
    for number in (1, 3, 5):
        (path.parent / f"t-0{number}.knowledge").unlink()
    with pytest.raises(BadInput, match=r"no checkpoint beside .* can be used: .*t-02\.knowledge is no file"):
        ladder(path)


@pytest.mark.filterwarnings("default::plywright.errors.SkippedNote")
def test_the_command_lists_the_rest(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["knowledge", "ladder", str(path), "--json"]) == 0
    said = capsys.readouterr()
    assert [rung["games"] for rung in json.loads(said.out)["levels"]] == [100, 300, 500]
    assert "t-02.knowledge" in said.err and "t-04.knowledge" in said.err and said.err.count("\n") == 2


@pytest.mark.filterwarnings("ignore::plywright.errors.SkippedNote")
def test_strengths_that_are_no_numbers_are_left_out(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    huge = "1" + "0" * 400
    lines = [(1, huge), (3, "NaN"), (5, "25.5")]
    written = "".join(f'{{"checkpoint": {number}, "strength": {{"elo": {elo}}}}}\n' for number, elo in lines)
    path.with_suffix(".jsonl").write_text(written)
    assert [rung.elo for rung in ladder(path)] == [None, None, 25.5]
    assert main(["knowledge", "ladder", str(path), "--json"]) == 0
    assert [rung["elo"] for rung in json.loads(capsys.readouterr().out)["levels"]] == [None, None, 25.5]
    assert main(["knowledge", "ladder", str(path)]) == 0
    strength = {"wins": 1, "elo": int(huge), "low": float("nan"), "high": int(huge), "games": int(huge)}
    keep_model(make_model(load_game("tic-tac-toe")), path, {"games": int(huge), "strength": strength})
    for more in ([], ["--json"]):
        assert main(["knowledge", "show", str(path), *more]) == 0, "whatever a record says"
