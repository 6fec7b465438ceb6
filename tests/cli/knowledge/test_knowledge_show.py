"""`plywright knowledge`: heat maps, the largest features, the checkpoints of a training."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, Game, learn, load_game, search
from plywright.cli import main
from plywright.cli.authoring.new import template
from plywright.learning.ladder import at_level, ladder
from plywright.models.inside import look_inside, training_lines
from plywright.models.loading import keep_model, make_model, open_model
from plywright.models.model_file import save_model

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
    assert "lambda  0.8" in shown and "made_least" not in shown and "{" not in shown
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


def test_weights_without_a_board_are_a_page_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = tmp_path / "linear.knowledge", tmp_path / "page.html"
    learn(GAME, model="linear", games=20, pairs=0, save=path)
    assert main(["knowledge", "show", str(path), "--html", str(page)]) == 0
    assert f"wrote {page}" in capsys.readouterr().out.replace("\n", "")
    text = page.read_text()
    assert "advance squared" in text and "<td>games</td><td>20</td>" in text and "<svg" not in text
    assert main(["knowledge", "show", "othello", "--knowledge", "hand", "--html", str(page)]) == 0
    assert "mobility" in page.read_text()
    capsys.readouterr()
    assert main(["knowledge", "show", str(path), "--svg", str(tmp_path / "x.svg")]) == 2
    assert "--html has its weights as a table" in " ".join(capsys.readouterr().err.split())


def test_a_games_own_knowledge_is_shown_by_its_features(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["knowledge", "show", "othello", "--knowledge", "hand"]) == 0
    assert "mobility" in capsys.readouterr().out
    assert main(["knowledge", "show", "hand", "--game", "othello"]) == 0
    assert "mobility" in capsys.readouterr().out


def test_it_is_called_by_the_name_that_it_is_chosen_by(capsys: pytest.CaptureFixture[str]) -> None:
    for chosen, name in (([], "features"), (["--knowledge", "endings"], "endings")):
        assert main(["knowledge", "show", "chess", *chosen, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["knowledge"] == name


def test_evaluations_that_are_no_short_sums_describe_themselves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for chosen in ([], ["--knowledge", "hand"]):
        assert main(["knowledge", "show", "chess", *chosen]) == 0
        lines = capsys.readouterr().out.splitlines()
        queen = next(line for line in lines if line.endswith("  queen"))
        assert float(queen.split()[0]) > 8 and any("king danger: " in line and " .. " in line for line in lines)
        assert "in pawns" in " ".join(lines)
    assert main(["knowledge", "show", "othello"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "corner 3x3: the least and the greatest of 19,683 weights a stage" in shown
    assert "14 stages" in shown and "--knowledge hand" in shown and "--explain-evaluation" in shown
    page = tmp_path / "page.html"
    assert main(["knowledge", "show", "chess", "--html", str(page)]) == 0
    assert "<td>queen</td>" in page.read_text()
    capsys.readouterr()
    assert main(["knowledge", "show", "chess", "--json"]) == 0
    assert {"queen", "bishop pair"} <= {row["words"] for row in json.loads(capsys.readouterr().out)["largest"]}


def test_a_model_is_told_once_and_its_options_where_they_are_not_as_usual(
    trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["knowledge", "show", str(trained)]) == 0
    usual = capsys.readouterr().out
    assert usual.count("tuples") == 1 and "options" not in usual
    path = tmp_path / "staged.knowledge"
    keep_model(make_model(load_game(GAME), stages=3), path)
    assert main(["knowledge", "show", str(path)]) == 0
    assert "options  stages 3\n" in capsys.readouterr().out


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


def test_what_learned_tables_make_of_a_position_is_listed(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Patterns that are really on the board, the largest first, in the words of `knowledge show`, with all the rest."""
    game = load_game(GAME)
    model = open_model(trained, game)
    for moves in ("", "b2xa3"):
        state = game.play_moves(game.start_state, moves)
        command = ["best", GAME, "--knowledge", str(trained), "--depth", "1", "--explain-evaluation"]
        assert main([*command, "--moves", moves, "--json"]) == 0
        *listed, rest = json.loads(capsys.readouterr().out)["evaluation"]
        assert len(listed) == 10 and re.fullmatch(r"\d+ other patterns", rest["name"])
        leads = [term["worth"][0] - term["worth"][1] for term in listed]
        assert [abs(lead) for lead in leads] == sorted(map(abs, leads), reverse=True)
        total = sum(leads) + rest["worth"][0] - rest["worth"][1]
        assert model.evaluate(state, 0) == pytest.approx(np.tanh(total), abs=1e-3)
        for term in listed:
            for cell, content in (part.split() for part in term["name"].split(", ")):
                assert content == content_of(state, cell), (term["name"], moves)
    assert main([*command, "--moves", "b2xa3"]) == 0
    assert "tanh" in capsys.readouterr().out


def content_of(state: Any, cell: str) -> str:
    """What is on a square of the board of four by four."""
    bit = 4 * (int(cell[1]) - 1) + "abcd".index(cell[0])
    return next((name for name in ("white", "black") if int(getattr(state, name)) >> bit & 1), "empty")


def test_why_a_network_is_no_weighted_sum_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "network.knowledge"
    keep_model(make_model(load_game(GAME), "network"), path)
    assert main(["best", GAME, "--knowledge", str(path), "--depth", "1", "--explain-evaluation"]) == 2
    error = capsys.readouterr().err
    assert "a network model" in error and "`plywright knowledge show` shows what is in its file" in error


def test_levels_are_those_of_the_file_beside_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "rules.py"
    rules.write_text(template("template.py.txt"))
    play = ["play", str(rules), "--seat", "none", "--depth", "1", "--level", "1"]
    assert main(play) == 2
    assert "give --knowledge" in capsys.readouterr().err
    model = make_model(load_game(str(rules)))
    for name, games in (("rules", 10), ("rules-01", 5)):
        keep_model(model, tmp_path / f"{name}.knowledge", {"games": games})
    assert main(play) == 0
    assert "level 10: rules-01.knowledge, after 5 games" in capsys.readouterr().out


def test_the_ladder_says_what_is_known_of_a_checkpoint_that_won_all_its_games(
    trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [{"elo": None, "low": 18.4, "high": None}, {"elo": None, "low": None, "high": -30.0}]
    curve = trained.with_suffix(".jsonl")
    before = curve.read_text()
    curve.write_text("".join(json.dumps({"checkpoint": n, "strength": s}) + "\n" for n, s in enumerate(found, 1)))
    assert [rung.strength for rung in ladder(trained)] == ["at least +18", "at most -30"]
    assert main(["knowledge", "ladder", str(trained)]) == 0
    assert "at least +18" in capsys.readouterr().out
    curve.write_text(before)


class Rows(Game):
    """Place counters on a tuple of rows; -1 is empty."""

    def initial(self) -> Any:
        return ((-1,) * 3,) * 2, 0

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> Iterator[int]:
        for n in range(6):
            if state[0][n // 3][n % 3] == -1:
                yield n

    def result(self, state: Any, action: int) -> Any:
        rows = [list(row) for row in state[0]]
        rows[action // 3][action % 3] = state[1]
        return tuple(map(tuple, rows)), 1 - state[1]

    def utility(self, state: Any, player: int) -> int:
        return 1 if state[0][0][0] == player else -1


def test_the_number_of_an_empty_cell_is_known_by_the_start() -> None:
    model = make_model(Rows())
    model.weights[:] = 0.01
    inside = look_inside(model)
    assert [panel.title for panel in inside.panels] == ["a cell holds 0", "a cell holds 1"], (
        "compared with -1, which has no map of its own"
    )
    assert inside.compared == "an empty cell"


def test_the_record_of_a_training_is_told_in_words() -> None:
    strength = {"wins": 32, "draws": 0, "losses": 0, "mode": "move:0.01s", "elo": None, "low": 356.7, "high": None}
    record = {"games": 27766, "decay": 0.8, "algorithm": "", "first_wins": 0.1886, "strength": strength}
    told = dict(training_lines(record))
    assert told == {
        "games": "27,766",
        "lambda": "0.8",
        "first player won": "18.9% of the games",
        "against the start": "32 won, 0 drawn, 0 lost at move:0.01s: at least +357 Elo",
    }


RULES = """
from plywright.games.mnk import MNK

class Squares(MNK):
    pass

open(__file__ + ".ran", "w").close()
"""


def test_a_file_has_no_rules_run_but_those_that_it_lies_beside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, other = tmp_path / "mine.py", tmp_path / "other.py"
    for place in (rules, other):
        place.write_text(RULES)
    file = make_model(load_game(f"{rules}:m=3,n=3,k=3")).as_file()
    ran = other.with_name("other.py.ran")
    for name in ("mine", "mine-01", "mine.before2", "mine.before-01"):
        path = tmp_path / f"{name}.knowledge"
        save_model(path, file)
        assert main(["knowledge", "show", str(path)]) == 0, name
        assert "tuples" in capsys.readouterr().out
        for wanted in (str(other), f"{other}:Squares:m=3,n=3,k=3", "elsewhere/mine.py/../other.py"):
            save_model(path, replace(file, game=wanted))
            assert main(["knowledge", "show", str(path)]) == 2 and not ran.exists()
            error = capsys.readouterr().err
            assert (
                "give --game (of games in files only the one beside it and named like it, mine.py, would be)" in error
            )
            assert error.count("\n") == 1
    save_model(path, replace(file, game="/somewhere/else/mine.py:m=3,n=3,k=3"))
    assert main(["knowledge", "show", str(path)]) == 0  # the folder has moved: it lies beside its rules still
    rules.unlink()
    assert main(["knowledge", "show", str(path)]) == 2
    capsys.readouterr()
    assert main(["knowledge", "show", str(path), "--game", f"{other}:m=3,n=3,k=3"]) == 0 and ran.exists()


def test_what_a_record_says_does_not_steer_the_terminal() -> None:
    record = {"moves": "\x1b[31mred", "\x1b[2J": "gone", "strength": {"wins": "\x1b[0m", "mode": "\r"}}
    assert all(text.isprintable() for line in training_lines(record) for text in line)
    assert ("moves", r"\x1b[31mred") in training_lines(record)
