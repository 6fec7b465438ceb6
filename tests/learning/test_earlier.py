"""What an earlier training has left where a new one writes is kept, whichever part of it is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plywright import learn, load_game
from plywright.cli import main
from plywright.learning.earlier import free_name
from plywright.learning.ladder import ladder
from plywright.learning.learn import begin
from plywright.models.loading import keep_model, make_model, open_model

GAME = "tic-tac-toe"


def test_checkpoints_whose_training_is_gone_are_kept_beside_and_no_levels_of_the_new_one(tmp_path: Path) -> None:
    """Among them `t-01.knowledge`, which may be the file of a training of its own."""
    path, model = tmp_path / "t.knowledge", make_model(load_game(GAME))
    for number in (1, 7):
        keep_model(model, tmp_path / f"t-0{number}.knowledge", {"games": 3000 + number})
    (tmp_path / "t.jsonl").write_text("{}\n")
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    learn(GAME, games=5, pairs=0, save=path, keep=True)
    assert {
        f"t{each.name.removeprefix('t.before')}": each.read_bytes() for each in tmp_path.glob("t.before*")
    } == before
    assert [rung.path.name for rung in ladder(path)] == ["t-01.knowledge"]
    assert open_model(path, load_game(GAME)).training["games"] == 5


def test_a_name_is_free_only_where_its_checkpoints_and_its_curve_are_free_too(tmp_path: Path) -> None:
    path = tmp_path / "t.knowledge"
    assert free_name(path).name == "t.before.knowledge"
    for taken in ("t.before-03.knowledge", "t.before2.jsonl"):
        (tmp_path / taken).touch()
    assert free_name(path).name == "t.before3.knowledge"


def test_going_on_without_the_curve_writes_over_no_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "t.knowledge"
    learn(GAME, games=5, pairs=0, save=path, keep=True)
    path.with_suffix(".jsonl").unlink()
    old = (tmp_path / "t-01.knowledge").read_bytes()
    learn(GAME, games=8, pairs=0, save=path, start=path, keep=True)
    assert (tmp_path / "t-01.knowledge").read_bytes() == old and (tmp_path / "t-02.knowledge").exists()
    assert begin(GAME, save=path, start=path, pairs=0).aside is None


def test_what_is_kept_beside_is_said_also_with_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.knowledge"
    command = ["learn", GAME, "--games", "5", "--pairs", "0", "--workers", "1", "--save", str(path), "--json"]
    assert main([*command, "--keep"]) == 0
    assert "is kept" not in capsys.readouterr().err
    assert main(command) == 0
    said = capsys.readouterr()
    assert [json.loads(line)["games"] for line in said.out.splitlines()] == [5]
    assert f"is kept as {tmp_path / 't.before.knowledge'}" in said.err
    path.unlink()
    assert main(command) == 0
    assert f"{path.with_suffix('.jsonl')} is there already: it is kept as {tmp_path / 't.before2.jsonl'}" in (
        capsys.readouterr().err
    )
