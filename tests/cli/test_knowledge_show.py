"""`plywright knowledge`: heat maps, the largest features, the checkpoints of a training."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from plywright import BadInput, learn, load_game, search
from plywright.cli import main
from plywright.learning.ladder import at_level, ladder
from plywright.models.inside import look_inside
from plywright.models.loading import keep_model, make_model

GAME = "breakthrough:columns=4,rows=4"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "small.knowledge"
    learn(GAME, games=400, pairs=0, save=path, keep=True)
    keep_model(make_model(load_game(GAME)), path.with_name("small-02.knowledge"), {"games": 900})
    return path


def test_a_weight_shows_where_it_is(trained: Path) -> None:
    """One pattern with a white pawn on a1 is given all the weight: the map shows a1, and the list that pattern."""
    model = make_model(load_game(GAME))
    model.weights[:] = 0
    game = load_game(GAME)
    state = game.parse_state("...b/..../..../w... w")
    before = np.zeros(512, np.int64)
    model.indices(state, before)
    model.weights[before[0]] = 0.5
    inside = look_inside(model, 3)
    assert inside.largest[0].weight == pytest.approx(0.5)
    white = next(panel for panel in inside.panels if panel.title == "white")
    assert len(white.values) == 16
    cells = {word.split()[0] for word in inside.largest[0].words.split(", ")}
    assert cells <= {f"{column}{row}" for column in "abcd" for row in range(1, 5)}
    shown = dict(word.split(" ") for word in inside.largest[0].words.split(", "))
    real = {"a1": "white", "d4": "black"}
    assert all(content == real.get(cell, "empty") for cell, content in shown.items()), "as the state has it"


def test_show_prints_maps_features_and_the_training(
    trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    svg, html = tmp_path / "heat.svg", tmp_path / "heat.html"
    assert main(["knowledge", "show", str(trained), "--svg", str(svg), "--html", str(html), "--top", "4"]) == 0
    shown = capsys.readouterr().out
    assert "tuples" in shown and "white" in shown and "black" in shown and "games  400" in shown
    assert svg.read_text().startswith("<svg") and "</html>" in html.read_text()
    assert main(["knowledge", "show", str(trained), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["training"]["made_least"] == "logistic" and found["training"]["loss"] > 0
    assert found["training"]["games"] == 400 and len(found["largest"]) == 12
    assert len(found["heat"]) == 2 and len(found["heat"][0]["cells"]) == 16


@pytest.mark.parametrize("model", ["network", "linear"])
def test_other_models_are_shown_too(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "other.knowledge"
    keep_model(make_model(load_game(GAME), model), path)
    assert main(["knowledge", "show", str(path)]) == 0
    shown = capsys.readouterr().out
    assert ("white" in shown) if model == "network" else ("advance squared" in shown)


def test_a_games_own_knowledge_is_shown_by_its_features(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["knowledge", "show", "othello", "--knowledge", "hand"]) == 0
    assert "mobility" in capsys.readouterr().out
    assert main(["knowledge", "show", "hand", "--game", "othello"]) == 0
    assert "mobility" in capsys.readouterr().out


def test_nonsense_is_one_line(trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "damaged.knowledge").write_bytes(trained.read_bytes()[:300])
    for arguments, words in (
        (["show", str(tmp_path / "none.knowledge")], "cannot be read"),
        (["show", str(tmp_path / "damaged.knowledge")], "damaged"),
        (["show", str(trained), "--game", "othello"], "was not learned for this othello"),
        (["show", str(trained), "--top", "0"], "at least 1"),
        (["show", "othello", "--svg", str(tmp_path / "x.svg")], "nothing to draw"),
        (["ladder", str(tmp_path / "none.knowledge")], "no checkpoints beside"),
        (["ladder", "othello"], "lie beside its file.knowledge"),
    ):
        assert main(["knowledge", *arguments]) == 2
        error = capsys.readouterr().err
        assert words in error and error.count("\n") == 1, error


def test_every_checkpoint_is_an_opponent(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = ladder(trained)
    assert [(rung.level, rung.games) for rung in found] == [(1, 400), (10, 900)]
    assert at_level(trained, 2).path.name == "small-01.knowledge"
    assert search(GAME, depth=1, knowledge=str(at_level(trained, 10).path)).action is not None
    with pytest.raises(BadInput, match="levels go from 1 to 10, not 11"):
        at_level(trained, 11)
    assert main(["knowledge", "ladder", str(trained), "--json"]) == 0
    assert [rung["level"] for rung in json.loads(capsys.readouterr().out)["levels"]] == [1, 10]
    play = ["play", GAME, "--seat", "none", "--depth", "1", "--knowledge", str(trained), "--level", "1"]
    assert main(play) == 0
    assert "level 1: small-01.knowledge, after 400 games" in capsys.readouterr().out
    assert main(["play", GAME, "--level", "1", "--seat", "none"]) == 2
    assert "give --knowledge" in capsys.readouterr().err
