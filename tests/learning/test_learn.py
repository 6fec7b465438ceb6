"""Training: it repeats by its seed, it learns, it survives what happens to processes and files."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import learn, load_game, search
from plywright.arena.referee import play_game
from plywright.arena.statistics.elo_sprt import estimate
from plywright.errors import BadInput, LearnedNote
from plywright.learning import self_play as kernels
from plywright.learning.earlier import keep_aside
from plywright.learning.ladder import ladder
from plywright.learning.learn import begin
from plywright.learning.strength import Strength, measure
from plywright.learning.trainer import Diverged, Progress, Schedule, Trainer
from plywright.models.inside import training_lines
from plywright.models.loading import keep_model, make_model, open_model
from plywright.players import Mode
from plywright.players.searching import SearchPlayer

SMALL = "breakthrough:columns=4,rows=5"


def test_one_worker_repeats_exactly_by_its_seed() -> None:
    first, again = (learn(SMALL, games=300, seed=5, pairs=0, noise=0.1) for _ in range(2))
    other = learn(SMALL, games=300, seed=6, pairs=0, noise=0.1)
    assert np.array_equal(first.arrays["weights"], again.arrays["weights"])
    assert not np.array_equal(first.arrays["weights"], other.arrays["weights"])
    assert first.training["games"] == 300 and first.training["seed"] == 5


def test_what_is_learned_wins_against_what_was_there() -> None:
    game = load_game(SMALL)
    model = learn(game, games=20_000, pairs=0)
    found = measure(game, model, None, pairs=15, mode="nodes:300")
    assert found.games == 30 and found.wins > found.losses + 8
    assert found.elo.low > 0


def test_two_minutes_of_learning_are_worth_it() -> None:
    """What `learn` does on one core when it is told nothing, on 6x6, against the evaluation by hand."""
    game = load_game("breakthrough:columns=6,rows=6")
    model = learn(game, minutes=2, pairs=0, workers=1)
    found = measure(game, model, None, pairs=40, mode="nodes:2000")
    assert found.elo.low > 0


def test_looking_further_ahead_and_lambda_learn_as_well() -> None:
    game = load_game(SMALL)
    start = make_model(game)
    model = learn(game, games=1_500, pairs=0, depth=2, decay=0.0)
    found = measure(game, model, start, pairs=10, mode="depth:2")
    assert found.wins > found.losses


def test_two_workers_share_the_weights() -> None:
    model = make_model(load_game(SMALL))
    trainer = Trainer(model, Schedule(), workers=2)
    *_, last = trainer.run(games=2_001)
    assert last.games == 2_001
    assert all(work.info[kernels.GAMES] > 0 for work in trainer.crew)


def test_a_number_that_is_none_stops_it_and_the_last_good_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "b.knowledge"
    learning = begin(SMALL, save=path, pairs=0)
    list(learning.run(games=50, seconds=None))
    learning.model.arrays["weights"][:] = np.nan
    with pytest.raises(
        Diverged, match=r"no number.*smaller --rate.*not-finite.npz, the last good ones in .*b.knowledge"
    ):
        list(learning.run(games=50, seconds=None))
    assert np.all(np.isfinite(open_model(path, load_game(SMALL)).arrays["weights"]))
    assert (tmp_path / "b-not-finite.npz").is_file()


def test_files_of_a_training(tmp_path: Path) -> None:
    path = tmp_path / "b.knowledge"
    learn(SMALL, games=400, save=path, pairs=2, mode="nodes:50", keep=True)
    (line,) = map(json.loads, path.with_suffix(".jsonl").read_text().splitlines())
    assert line["games"] == 400 and line["strength"]["games"] == 4 and line["file"].endswith("b-01.knowledge")
    assert path.with_suffix(".svg").read_text().startswith("<svg")
    more = learn(SMALL, games=100, start=path, pairs=0)
    assert more.training["games_before"] == 400


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"games": 0}, "at least one game"),
        ({"minutes": -1}, "some minutes"),
        ({"games": 5, "minutes": 1}, "either minutes or games"),
        ({"games": 5, "workers": 300}, "1 to 256 workers"),
        ({"games": 5, "depth": 9}, "depth is a number from 1 to 8"),
        ({"games": 5, "rate": -1}, "rate is a number"),
        ({"games": 5, "save": "x.npz"}, "saved as FILE.knowledge"),
        ({"games": 5, "save": "/nowhere/at/all/x.knowledge"}, "there is no folder"),
        ({"games": 5, "save": "/proc/x.knowledge"}, "cannot be written"),  # before anything is learned
        ({"games": 5, "start": "missing.knowledge"}, "cannot be read"),
        ({"games": 5, "workers": 0}, "at least one worker"),
        ({"games": 5, "pairs": -1}, "0 to 10,000 pairs"),
        ({"games": 5, "pairs": 10**30}, "0 to 10,000 pairs"),
        ({"games": 5, "decay": 2}, "lambda"),
        ({"games": 5, "seed": -5}, r"a seed is a whole number from 0 to 2\^63 - 1, not -5"),
        ({"games": 5, "seed": 10**30}, r"a seed is a whole number from 0 to 2\^63 - 1"),
    ],
)
def test_mistakes_are_named(options: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        learn(SMALL, **{"pairs": 0, **options})  # type: ignore[arg-type]


RULES = """
from plywright import Game

class Sticks(Game):
    def initial(self): return (21, 0)
    def to_move(self, state): return state[1]
    def actions(self, state):
        for n in (1, 2, MOST):
            if n <= state[0]: yield n
    def result(self, state, action): return (state[0] - action, 1 - state[1])
    def utility(self, state, player): return -1 if player == state[1] else 1

MOST = 3
"""


def test_knowledge_beside_the_rules_is_found_and_said(tmp_path: Path) -> None:
    rules = tmp_path / "sticks.py"
    rules.write_text(RULES)
    model = learn(str(rules), games=3_000, pairs=0, random=0.2)
    keep_model(model, tmp_path / "sticks.knowledge")
    with pytest.warns(LearnedNote, match=r"sticks.py is searched with sticks.knowledge beside it, learned from 3,000"):
        found = search(load_game(str(rules)), depth=1)
    assert found.action == 1 and found.value > 0.5  # 20 is lost for whoever has to move
    rules.write_text(RULES.replace("MOST = 3", "MOST = 4"))
    with pytest.warns(LearnedNote, match=r"sticks.knowledge is not used: .*the rules have changed since"):
        search(load_game(str(rules)), depth=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search(load_game(str(rules)), depth=1, knowledge="none")


def test_knowledge_that_lost_to_the_search_without_it_is_left_alone(tmp_path: Path) -> None:
    rules, path = tmp_path / "sticks.py", tmp_path / "sticks.knowledge"
    rules.write_text(RULES)
    model = learn(str(rules), games=100, pairs=0)
    for strength, left in (
        ({"wins": 2, "draws": 0, "losses": 18, "elo": -380.0, "low": -700.0, "high": -150.0}, True),
        ({"wins": 0, "draws": 0, "losses": 20, "elo": None, "low": None, "high": None}, True),
        ({"wins": 9, "draws": 0, "losses": 11, "elo": -30.0, "low": -180.0, "high": 110.0}, False),
    ):
        keep_model(model, path, {"games": 100, "strength": strength})
        said = r"not used: it lost to the search without it" if left else "is searched with sticks.knowledge"
        with pytest.warns(LearnedNote, match=said):
            search(load_game(str(rules)), depth=1)
        assert open_model(path, load_game(str(rules))).training["strength"] == strength  # by name it is there


def test_a_model_is_played_by_the_search_that_played_better_with_it(tmp_path: Path) -> None:
    path = tmp_path / "b.knowledge"
    learning = begin(SMALL, save=path, pairs=2, mode="nodes:50")
    learning.by_trees = [Strength(20, 0, 0, 20, estimate([10, 0, 0, 0, 0]), "")] * 2  # of old
    learning.by_trees.append(Strength(20, 20, 0, 0, estimate([0, 0, 0, 0, 10]), ""))
    list(learning.run(games=50, seconds=None))
    game = load_game(SMALL)
    found = open_model(path, game)
    assert found.algorithm == found.training["algorithm"] == "mcts" and found.training["strength"]["games"] == 4
    assert search(game, nodes=50, knowledge=found).algorithm == "mcts"
    assert search(game, depth=2, knowledge=found).algorithm == "pvs"  # who asks for a depth gets one
    assert search(game, nodes=50, knowledge=found, exact=True).algorithm == "pvs"  # an option of the other
    player = SearchPlayer("search", knowledge=found)
    player.prepare(game)
    assert player.algorithm == "mcts"
    player.mode = Mode.parse("depth:2")
    player.prepare(game)
    assert player.algorithm == "pvs"


@pytest.mark.slow
def test_a_training_that_is_killed_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "b.knowledge"
    command = [sys.executable, "-m", "plywright", "learn", SMALL, "--minutes", "1", "--pairs", "0", "--workers", "1"]
    process = subprocess.Popen([*command, "--save", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while not path.is_file() and time.monotonic() < until:
        time.sleep(0.2)
    time.sleep(1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert open_model(path, load_game(SMALL)).training["games"] > 0


def test_waiting_for_the_processor_leaves_no_checkpoint_unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches take no longer than training, in processor time: on a busy machine the clock goes on meanwhile."""

    def slow(*_: object, **__: object) -> Strength:
        time.sleep(0.03)
        return Strength(2, 1, 0, 1, estimate([0, 0, 1, 0, 0]), "nodes:1")

    monkeypatch.setattr("plywright.learning.learn.measure", slow)
    learning = begin("tic-tac-toe", pairs=1)
    monkeypatch.setattr(time, "process_time", lambda: 0.0)  # other tests' threads may be at work in this process
    for number in (1, 2, 3):
        learning.checkpoint(Progress(100 * number, 500, 0.02 * number, 100.0, 0.1, 0.5, 0.0, 0.0))
    assert all(one.strength is not None for one in learning.checkpoints)


def test_pairs_that_do_not_count_are_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that has too much else to do, a game by the clock is void, and so is its pair."""
    games: list[int] = []

    def second_pair_void(*given: Any, **more: Any) -> Any:
        games.append(1)
        record = play_game(*given, **more)
        return replace(record, payoffs=None, note="the machine was overloaded") if len(games) == 4 else record

    monkeypatch.setattr("plywright.learning.strength.play_game", second_pair_void)
    game = load_game("tic-tac-toe")
    found = measure(game, make_model(game), None, pairs=3, mode="nodes:5")
    assert found.games == 4 and found.as_dict()["void"] == ["the machine was overloaded"]
    assert str(found).endswith("lost at nodes:5, 1 pair void: the machine was overloaded)")
    assert str(found).startswith(f"{found.wins} of 4 games won against the start, too few for an Elo (")
    enough = Strength(10, 6, 0, 4, estimate([1, 1, 1, 1, 1]), "nodes:5")
    assert " Elo [" in str(enough) and " Elo [" not in str(replace(enough, games=8))
    told = {pairs: dict(training_lines({"strength": {**enough.as_dict(), "games": 2 * pairs}})) for pairs in (4, 5)}
    assert "Elo" not in told[4]["against the start"] and "Elo" in told[5]["against the start"]


def test_self_play_looks_further_ahead_where_there_are_few_actions() -> None:
    depths = {name: begin(name).schedule.depth for name in ("connect-four", "breakthrough", "pig")}
    assert depths == {"connect-four": 3, "breakthrough": 1, "pig": 1}
    assert begin("connect-four", depth=1).schedule.depth == 1


def test_what_the_knowledge_proves_of_a_position_is_believed_in_self_play() -> None:
    """Two open threats are lost for the mover, whatever the untrained tables say."""
    game = load_game("connect-four")
    model = make_model(game)
    state = game.play_moves(game.start_state, "4455")  # the first player to move: 3 or 6 makes two threats
    after = game.state_after(state, 2)
    assert model.evaluate(after, 0) == 0
    assert kernels.look(game, model, after, 0, 0, -math.inf, math.inf, None) == 1


def test_going_on_in_the_same_file_goes_on_with_its_curve(tmp_path: Path) -> None:
    path = tmp_path / "b.knowledge"

    def curve() -> list[dict[str, Any]]:
        return [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]

    learn(SMALL, games=20, pairs=0, save=path, keep=True)
    first = curve()
    learn(SMALL, games=30, pairs=0, save=path, start=path, keep=True)
    assert curve()[:1] == first and [line["games"] for line in curve()] == [20, 30]
    assert [line["checkpoint"] for line in curve()] == [1, 2]
    assert [rung.path.name for rung in ladder(path)] == ["b-01.knowledge", "b-02.knowledge"]
    learn(SMALL, games=10, pairs=0, save=path)  # another training begins its own
    assert [line["games"] for line in curve()] == [10]


def test_two_trainings_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "b.knowledge"
    (tmp_path / ".b.knowledge.lock").touch()  # as a killed one leaves it
    first = begin(SMALL, save=path, pairs=0)
    going = first.run(games=None, seconds=30.0)
    next(going)
    for _ in range(2):
        with pytest.raises(BadInput, match=rf"another training writes to {path}: wait for it"):
            learn(SMALL, games=5, save=path, pairs=0)
    learn(SMALL, games=5, save=tmp_path / "other.knowledge", pairs=0)
    going.close()
    assert learn(SMALL, games=5, save=path, pairs=0).training["games"] == 5
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("before", ["nothing", "a file", "the file it goes on from"])
def test_what_another_training_saved_meanwhile_is_not_written_over(before: str, tmp_path: Path) -> None:
    path = tmp_path / "b.knowledge"
    start = path if before == "the file it goes on from" else None
    if before != "nothing":
        learn(SMALL, games=5, save=path, pairs=0)
    late = begin(SMALL, save=path, start=start, pairs=0)
    learn(SMALL, games=10, save=path, start=start, pairs=0)
    there = {place: place.read_bytes() for place in tmp_path.iterdir()}
    with pytest.raises(BadInput, match=rf"{path} has changed since this training was made ready"):
        list(late.run(games=5, seconds=None))
    assert {place: place.read_bytes() for place in tmp_path.iterdir()} == there


def test_what_is_kept_beside_takes_no_name_that_is_taken(tmp_path: Path) -> None:
    path, taken = tmp_path / "b.knowledge", tmp_path / "b.before.knowledge"
    learn(SMALL, games=5, save=path, pairs=0)
    old = path.read_bytes()
    learning = begin(SMALL, save=path, pairs=0)
    taken.write_bytes(b"of somebody else")
    list(learning.run(games=5, seconds=None))
    assert taken.read_bytes() == b"of somebody else" and (tmp_path / "b.before2.knowledge").read_bytes() == old
    with pytest.raises(BadInput, match=r"cannot be kept as .*b.before.knowledge: File exists; it stays as it was"):
        keep_aside(path, taken)
    assert taken.read_bytes() == b"of somebody else"
