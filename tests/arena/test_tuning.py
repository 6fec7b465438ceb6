"""Tuning by matches: it finds a number that wins, goes on where it was stopped, and refuses what makes no sense."""

from __future__ import annotations

import json
import random
from pathlib import Path
from statistics import median
from types import SimpleNamespace

import pytest

from plywright.arena.match import play_match
from plywright.arena.standings import Score
from plywright.arena.tuning import Course, Parameter, Tuning, confirm, tune
from plywright.arena.tuning import _step as step
from plywright.arena.worker import Inline
from plywright.cli import main
from plywright.errors import BadInput

CARELESS = '''
from plywright import Player
from plywright.rng import uniform

class Careless(Player):
    """Takes the stone count that wins in the subtraction game, except for a share of moves that are the first one."""

    def __init__(self, blunders: float = 0.5, idle: float = 0.5):
        self.blunders = blunders

    def choose(self, game, turn):
        if uniform(turn.rng) < self.blunders:
            return turn.legal[0]
        wins = [a for a in turn.legal if game.result(turn.view, a).stones % 4 == 0]
        return (wins or turn.legal)[0]
'''


@pytest.fixture
def careless(tmp_path: Path) -> Tuning:
    (tmp_path / "careless.py").write_text(CARELESS)
    text = f"{tmp_path / 'careless.py'}:Careless:blunders={{blunders}},idle={{idle}}"
    parameters = (Parameter.parse("blunders=0.5,0.0,1.0"), Parameter.parse("idle=0.5,0.0,1.0"))
    return Tuning(text, "subtraction:stones=22,most=3", parameters, mode="depth:1", iterations=60, pairs=2)


def test_it_finds_what_wins_and_the_test_confirms_it(careless: Tuning, tmp_path: Path) -> None:
    course = tune(careless, tmp_path / "a.tune")
    assert course.values()["blunders"] < 0.2
    assert len(course.places) == 60 and max(course.scores) > 0
    found = confirm(course, "0,100", 200, tmp_path / "a.run")
    assert found.estimate is not None and found.estimate.elo > 50


AIMING = '''
from plywright import Player
from plywright.rng import uniform

class Aiming(Player):
    """Plays the subtraction game well, but for a share of moves that grows with the distance from 0.7."""

    def __init__(self, aim: float = 0.1):
        self.careless = min(1.0, 1.5 * abs(aim - 0.7))

    def choose(self, game, turn):
        wins = [a for a in turn.legal if game.result(turn.view, a).stones % 4 == 0]
        return (turn.legal if not wins or uniform(turn.rng) < self.careless else wins)[0]
'''


@pytest.mark.slow
def test_it_finds_what_a_grid_of_matches_finds(tmp_path: Path) -> None:
    """Brute force beside it: everybody against everybody over the whole range, where the best is inside it."""
    (tmp_path / "aiming.py").write_text(AIMING)
    text, game = f"{tmp_path / 'aiming.py'}:Aiming:aim={{aim}}", "subtraction:stones=22,most=3"
    grid = [text.replace("{aim}", f"{step / 10}") for step in (1, 3, 5, 7, 9)]
    found = play_match(grid, game, games=24, kind="tournament", mode="depth:1", record=tmp_path / "grid.run")
    assert grid[found.order[0]].endswith("aim=0.7")
    tuning = Tuning(text, game, (Parameter.parse("aim=0.1,0.0,1.0"),), mode="depth:1", iterations=80, pairs=2)
    course = tune(tuning, tmp_path / "a.tune")
    assert abs(float(course.values()["aim"]) - 0.7) < 0.1


def distance(seed: int, best: tuple[float, ...], iterations: int, monkeypatch: pytest.MonkeyPatch) -> float:
    """How far from the best values a tuning ends where strength is known: 800 Elo lost a whole range away from them."""
    rng = random.Random(seed)

    def elo(player: str) -> float:
        values = map(float, player.split(","))
        return -sum(800 * (value - each) ** 2 for value, each in zip(values, best, strict=True))

    def play(players: list[str], game: str, *, games: int, **_: object) -> SimpleNamespace:
        chance = 1 / (1 + 10 ** ((elo(players[1]) - elo(players[0])) / 400))
        wins = sum(rng.random() < chance for _ in range(games))
        return SimpleNamespace(scores=[Score(wins, 0, games - wins)])

    monkeypatch.setattr("plywright.arena.tuning.play_match", play)
    parameters = tuple(Parameter(f"p{number}", 0.1, 0.0, 1.0) for number in range(len(best)))
    text = ",".join(f"{{{parameter.name}}}" for parameter in parameters)
    course = Course(Tuning(text, "none", parameters, iterations=iterations, pairs=4, seed=seed))
    for _ in range(iterations):
        step(course, 1, Inline())
    return max(abs(place - each) for place, each in zip(course.mean, best, strict=True))


def test_more_games_come_nearer_to_the_best_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not on one seed only: the median over seeds, for two parameters whose games are drawn from a known strength."""
    few, many = (
        median(distance(seed, (0.7, 0.4), iterations, monkeypatch) for seed in range(9)) for iterations in (20, 200)
    )
    assert many < 0.1 and many < few / 2


def test_a_stopped_tuning_goes_on_to_the_same_end(careless: Tuning, tmp_path: Path) -> None:
    short = Tuning(**{**vars(careless), "iterations": 12})
    whole = tune(short, tmp_path / "whole.tune")

    def stop(course: Course) -> None:
        if len(course.places) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(short, tmp_path / "parts.tune", heard=stop)
    again = tune(short, tmp_path / "parts.tune")
    assert again.places == whole.places and again.scores == whole.scores


def test_another_tuning_or_a_damaged_file_is_refused(careless: Tuning, tmp_path: Path) -> None:
    path = tmp_path / "a.tune"
    tune(Tuning(**{**vars(careless), "iterations": 2}), path)
    with pytest.raises(BadInput, match="holds another tuning, with seed 1"):
        tune(Tuning(**{**vars(careless), "seed": 2}), path)
    data = json.loads(path.read_text())
    for wrong in ({**data, "places": [[0.5]]}, {**data, "scores": ["x", 0]}, [], {}):
        path.write_text(json.dumps(wrong))
        with pytest.raises(BadInput, match="no tuning of Plywright, or a damaged one"):
            tune(careless, path)
    path.write_text("[" * 100_000)
    with pytest.raises(BadInput, match="no tuning of Plywright, or a damaged one"):
        tune(careless, path)


@pytest.mark.parametrize(
    ("parameter", "player", "words"),
    [
        ("x", "mcts:exploration={x}", "NAME=START,LOW,HIGH"),
        ("x=1,2", "mcts:exploration={x}", "NAME=START,LOW,HIGH"),
        ("x=1,nan,3", "mcts:exploration={x}", "NAME=START,LOW,HIGH"),
        ("x=5,0,3", "mcts:exploration={x}", "must lie between two limits"),
        ("x=1,0,3", "mcts:exploration={y}", "each belongs in both"),
        ("x=1,0,3", "mcts", "no name in braces"),
        ("x=1.0,0.5,3.0", "nonsense:y={x}", "there is no player"),
    ],
)
def test_nonsense_is_named(
    parameter: str, player: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = ["--save", str(tmp_path / "x.tune")]
    assert main(["tune", player, "--parameters", parameter, "--game", "tic-tac-toe", *save]) == 2
    assert words in capsys.readouterr().err and not (tmp_path / "x.tune").exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--confirm", "zz"], "'zz' is not an SPRT"),
        (["--confirm", "0,20", "--games", "-5"], "-5"),
        (["--confirm", "0,20", "--games", "7"], "even number of games"),
        (["--save", "none/x.tune"], "none/x.tune cannot be written: there is no folder none"),
        (["--seed", "-1"], "seed"),
    ],
)
def test_what_would_fail_at_the_end_is_told_at_the_beginning(
    more: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("plywright.arena.tuning._step", lambda *_: pytest.fail("a match was played"))
    player = ["tune", "alphabeta:depth={d}", "--parameters", "d=2,1,3", "--game", "subtraction:stones=9,most=3"]
    assert main([*player, "--mode", "depth:9", *more]) == 2
    assert words in capsys.readouterr().err


def test_whole_numbers_stay_whole() -> None:
    parameter = Parameter.parse("depth=2,1,5")
    assert parameter.whole and [parameter.value(place / 8) for place in range(9)] == [1, 2, 2, 2, 3, 4, 4, 4, 5]
    assert not Parameter.parse("depth=2.0,1,5").whole


def test_the_command_tells_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save = tmp_path / "a.tune"
    arguments = [
        "tune",
        "alphabeta:depth={depth}",
        "--parameters",
        "depth=1,1,3",
        "--game",
        "subtraction:stones=9,most=3",
    ]
    arguments += ["--mode", "depth:9", "--iterations", "3", "--save", str(save)]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["iterations"] == 3 and isinstance(found["values"]["depth"], int) and save.exists()
    assert main(arguments) == 0
    assert "tuned player: alphabeta:depth=" in capsys.readouterr().out


def test_a_player_that_stayed_as_it_was_is_not_confirmed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tune", "alphabeta:depth={depth}", "--parameters", "depth=8,6,9", "--game", "subtraction:stones=5,most=3"]
    words += ["--mode", "depth:9", "--iterations", "1", "--save", str(tmp_path / "a.tune")]
    assert main([*words, "--confirm", "0,20"]) == 0  # every depth sees the whole game: nothing is better than the start
    assert "nothing to confirm" in capsys.readouterr().out and not (tmp_path / "a.run").exists()
