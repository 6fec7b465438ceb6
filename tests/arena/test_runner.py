"""Runs: every game once, whatever dies or is void, and a test that stops at the same round whatever the timing."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from plywright.arena import worker
from plywright.arena.game_record import GameRecord
from plywright.arena.match import TOURNAMENT, make_plan, play_match, run_plan
from plywright.arena.records.run_file import Records
from plywright.arena.schedules.progress import ATTEMPTS, Progress
from plywright.arena.standings import as_data, standings
from plywright.errors import BadInput
from plywright.games import load_game

HEALTHY = Path(__file__).parent.parent / "doctor" / "healthy"
QUICK = {"mode": "depth:1"}


def numbers(path: Path) -> list[int]:
    """The games in a record that count."""
    with Records.open(path) as records:
        return [outcome.game for outcome in records.outcomes() if outcome.payoffs is not None]


def test_a_match_counts_for_the_first_player_whatever_its_seat(tmp_path: Path) -> None:
    found = play_match(["alphabeta:depth=2", "first"], "tic-tac-toe", games=4, record=tmp_path / "run", **QUICK)
    data = as_data(found)
    assert (data["wins"], data["draws"], data["losses"]) == (4, 0, 0) and data["pairs"] == [0, 0, 0, 0, 2]
    assert data["elo"] == "inf" and data["elo_interval"][0] < 1000 and data["terminations"]["first"] == {"normal": 4}


def test_processes_and_this_one_play_the_same_games(tmp_path: Path) -> None:
    results = []
    for jobs in (1, 2):
        path = tmp_path / str(jobs)
        play_match(["random", "first"], "tic-tac-toe", games=30, opening="random:2", jobs=jobs, record=path, **QUICK)
        with Records.open(path) as records:
            results.append([(o.game, o.seats, o.payoffs) for o in records.outcomes()])
    assert results[0] == results[1] and len(results[0]) == 30


def test_any_executor_will_do(tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as executor:
        play_match(
            *(["random", "first"], "tic-tac-toe"),
            games=40,
            jobs=3,
            executor=executor,
            record=tmp_path / "run",
            **QUICK,
        )
    assert numbers(tmp_path / "run") == list(range(1, 41))
    worker.close_players()


def test_dice_are_the_same_in_both_games_of_a_pair(tmp_path: Path) -> None:
    game = str(HEALTHY / "dice_race.py")
    play_match(["first", "first"], game, games=6, record=tmp_path / "run", **QUICK)
    with Records.open(tmp_path / "run") as records:
        lines = [[(ply.seat, ply.action) for ply in records.game(number)[1].plies] for number in range(1, 7)]
    assert lines[0] == lines[1] and lines[2] == lines[3] and lines[4] == lines[5]
    assert len({tuple(line) for line in lines}) > 1


def test_three_players_have_payoffs_with_intervals(tmp_path: Path) -> None:
    found = play_match(
        ["first", "random", "first"], str(HEALTHY / "three_in_turn.py"), games=9, record=tmp_path / "r", **QUICK
    )
    data = as_data(found)
    assert sum(row["mean"] for row in data["payoffs"].values()) == pytest.approx(2 / 3 * 3)
    assert all(row["interval"][0] <= row["mean"] <= row["interval"][1] for row in data["payoffs"].values())
    assert data["payoffs"]["first (2)"]["rounds"] == 3 and data["elo"] is None


def test_a_tournament_is_rated_and_crossed(tmp_path: Path) -> None:
    players = ["random", "alphabeta:depth=2", "first"]
    found = play_match(players, "tic-tac-toe", games=4, kind=TOURNAMENT, record=tmp_path / "run", **QUICK)
    data = as_data(found)
    assert data["games"] == 12 and data["standings"][0]["name"] == "alphabeta:depth=2"
    wins, draws, losses = data["crosstable"]["random"]["first"]
    assert [losses, draws, wins] == data["crosstable"]["first"]["random"] and wins + draws + losses == 4
    assert data["rating"].startswith("Bradley-Terry")


# -- void games, disqualification, death -------------------------------------------------------------------------


def judged(monkeypatch: pytest.MonkeyPatch, judge: Any) -> list[int]:
    """Let `judge(seed, times)` change the record of a game; the seeds that were played come back."""
    played: list[int] = []
    real = worker.play_game

    def play(game: Any, players: Any, **options: Any) -> GameRecord:
        seed = options["seed"] * 2 + (players[0].name == "first")
        played.append(seed)
        record = real(game, players, **options)
        changes = judge(players, played.count(seed))
        return GameRecord(**{**vars(record), **changes})

    monkeypatch.setattr(worker, "play_game", play)
    return played


def test_void_games_are_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    void = {"payoffs": None, "termination": "void", "note": "overloaded"}
    played = judged(monkeypatch, lambda players, times: void if times < 3 else {})
    found = play_match(["random", "first"], "tic-tac-toe", games=4, record=tmp_path / "run", **QUICK)
    assert found.games == 4 and len(played) == 12 and as_data(found)["void"] == 8
    assert numbers(tmp_path / "run") == [1, 2, 3, 4]


def test_a_game_that_stays_void_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    void = {"payoffs": None, "termination": "void", "note": "overloaded"}
    played = judged(monkeypatch, lambda players, times: void if players[0].name == "first" else {})
    found = play_match(["random", "first"], "tic-tac-toe", games=4, record=tmp_path / "run", **QUICK)
    assert len(played) == 2 + 2 * ATTEMPTS and found.games == 2 and as_data(found)["dropped"] == 2
    play_match(["random", "first"], "tic-tac-toe", games=4, record=tmp_path / "run", **QUICK)
    assert len(played) == 2 + 2 * ATTEMPTS  # a resumed run does not try for ever


def test_a_program_that_never_greets_is_disqualified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(players: Any, times: int) -> dict[str, Any]:
        seats = [seat for seat, player in enumerate(players) if player.name == "first"]
        if not seats:
            return {}
        return {"payoffs": None, "termination": "no greeting", "offender": seats[0], "note": "silent"}

    played = judged(monkeypatch, judge)
    players = ["random", "first", "alphabeta:depth=1"]
    found = play_match(players, "tic-tac-toe", games=2, kind=TOURNAMENT, record=tmp_path / "run", **QUICK)
    assert as_data(found)["disqualified"] == {"first": "silent"} and found.games == 2 and len(played) == 3


DEADLY = '''
import os
from multiprocessing import parent_process

from plywright import Game


class Deadly(Game):
    """Whoever begins with 1 takes the process along."""

    def initial(self):
        return (0, 0)

    def to_move(self, state):
        return state[0] % 2

    def actions(self, state):
        return iter(()) if state[0] == 3 else iter((0, 1))

    def result(self, state, action):
        return (state[0] + 1, state[1] + action)

    def utility(self, state, player):
        if state == (3, 1) and parent_process() is not None:
            os._exit(9)
        return 0
'''


def test_a_worker_that_dies_costs_only_its_own_game(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(DEADLY)
    (tmp_path / "openings.txt").write_text("0\n0\n1\n")
    found = play_match(
        *(["first", "first"], str(tmp_path / "deadly.py")),
        games=5,
        opening=str(tmp_path / "openings.txt"),
        jobs=2,
        record=tmp_path / "run",
        **QUICK,
    )
    assert numbers(tmp_path / "run") == [1, 2, 3, 4] and as_data(found)["dropped"] == 1
    with Records.open(tmp_path / "run") as records:
        assert "died" in records.game(5)[1].note and records.game(5)[1].termination == "void"


# -- the sequential test -------------------------------------------------------------------------------------------


def test_the_test_stops_at_the_same_round_in_any_order(tmp_path: Path) -> None:
    plan, game = make_plan(
        "match", ["random", "first"], "tic-tac-toe", games=400, mode="depth:1", sprt="0,50", opening="random:2"
    )
    with Records.begin(tmp_path / "run", plan) as records:
        progress = run_plan(records)
        outcomes = records.outcomes()
    assert progress.stopped is not None and len(outcomes) < 400
    expected = standings(progress, game)
    assert expected.surplus == 0 and sum(expected.pairs) == progress.stopped + 1
    # Games that finish in another order, and games beyond the stop, change nothing.
    more = [outcomes[0]._replace(game=399), outcomes[1]._replace(game=400)]
    for seed in range(5):
        shuffled = [*outcomes, *more]
        random.Random(seed).shuffle(shuffled)
        again = Progress(plan, shuffled)
        found = standings(again, game)
        assert again.stopped == progress.stopped and found.pairs == expected.pairs and found.surplus == 2


def test_a_test_needs_two_players_and_whole_pairs() -> None:
    with pytest.raises(BadInput, match="even number"):
        make_plan("match", ["random", "first"], "tic-tac-toe", games=3, mode="depth:1", sprt="0,5")
    with pytest.raises(BadInput, match="two players"):
        make_plan("tournament", ["random", "first"], "tic-tac-toe", games=4, mode="depth:1", sprt="0,5")


# -- kill -9 -------------------------------------------------------------------------------------------------------

DRIVER = """
import os, random, signal, sys, threading, time
from pathlib import Path
from plywright.arena.match import make_plan, run_plan
from plywright.arena.records.run_file import Records

FURTHER = 4

def play(path, games, jobs, heard=lambda outcome, progress: None):
    options = {"games": games, "mode": "depth:1", "opening": "random:2"}
    plan, _ = make_plan("match", ["random", "first"], "tic-tac-toe", **options)
    with Records.begin(Path(path), plan, jobs) as records:
        run_plan(records, jobs=jobs, heard=heard)

class Fate:
    \"""Ends this process a part of a game after so many games, wherever it then is; or while the run begins.

    It is told in games and not in seconds, so that it hits a run that plays on any machine; should the machine
    stand still meanwhile, the run waits for its end after a few games more.
    \"""

    def __init__(self, after, part):
        self.left, self.part, self.last, self.pace = after, part, time.monotonic(), 0.02
        self.thread = threading.Thread(target=self.strike, daemon=True)
        if after < 0:
            self.thread.start()

    def heard(self, outcome, progress):
        now = time.monotonic()
        self.pace, self.last, self.left = now - self.last, now, self.left - 1
        if self.left == -1:
            self.thread.start()
        elif self.left == -1 - FURTHER:
            self.thread.join()

    def strike(self):
        time.sleep(self.part * min(self.pace, 0.05))
        os.kill(os.getpid(), signal.SIGKILL)

def main(path, games, jobs, kills, seed):
    rng, hit = random.Random(seed), 0
    for _ in range(kills):
        after, part = rng.randrange(-1, 12), 2 * rng.random()
        child = os.fork()
        if child == 0:
            play(path, games, jobs, Fate(after, part).heard)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        hit += os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    play(path, games, jobs)
    print(hit)

if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
"""


def check_kills(path: Path, games: int, jobs: int, kills: int, seed: int) -> None:
    """Kill a run after a few games, again and again, and let it finish: the result is that of a run left alone."""
    script = path.with_suffix(".py")
    script.write_text(DRIVER)
    command = [sys.executable, str(script), str(path), str(games), str(jobs), str(kills), str(seed)]
    done = subprocess.run(command, check=True, env=os.environ, capture_output=True, text=True, timeout=600)
    assert int(done.stdout) == kills  # it was never over before it was killed
    assert numbers(path) == list(range(1, games + 1))
    with Records.open(path) as records:
        assert len(records.outcomes()) == games  # none twice, none half
        found = standings(Progress(records.plan, records.outcomes()), load_game("tic-tac-toe"))
        assert kills / 2 < len(records.sessions()) <= kills + 1
        assert records.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    undisturbed = play_match(
        *(["random", "first"], "tic-tac-toe"),
        games=games,
        opening="random:2",
        record=path.with_suffix(".whole"),
        **QUICK,
    )
    assert found.pairs == undisturbed.pairs


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills are tried on children of fork")


@needs_fork
def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    check_kills(tmp_path / "run", games=200, jobs=1, kills=10, seed=1)


@needs_fork
@pytest.mark.slow
def test_a_run_is_killed_a_hundred_times(tmp_path: Path) -> None:
    check_kills(tmp_path / "one", games=1500, jobs=1, kills=90, seed=2)
    check_kills(tmp_path / "two", games=400, jobs=2, kills=10, seed=3)
