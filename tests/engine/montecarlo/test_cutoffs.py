"""Cutoffs that Monte Carlo trees choose by themselves: trials, what is kept of them, and who goes by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plywright import Knowledge, MonteCarloTree, load_game, search
from plywright.engine.limits import Limit
from plywright.engine.montecarlo import kept_cutoffs
from plywright.engine.montecarlo.cutoff_trial import CutoffTrial, Score
from plywright.engine.montecarlo.kept_cutoffs import keep, kept_cutoff
from plywright.engine.montecarlo.mcts_search import MonteCarloSearch
from plywright.errors import GameError, Unsuitable
from plywright.games.connect_four.knowledge import weighed
from plywright.games.nim import Subtraction

FEW = {0: 24, 4: 24, 10**6: 24}


class Knows(Knowledge):
    """What one heap is worth of which 1 to 3 are taken: the mover wins unless there are four, eight and so on."""

    sign = 1.0

    def evaluate(self, state, player):
        value = self.sign * (0.9 if state.stones % 4 else -0.9)
        return value if player == self.game.to_move(state) else -value


class Misleads(Knows):
    """The opposite."""

    sign = -1.0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(kept_cutoffs, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(kept_cutoffs, "_trials", {})
    return tmp_path / "cutoffs"


def test_a_score_is_settled_when_it_is_clear_or_has_had_its_games() -> None:
    assert not Score(0, [1.0] * 6).settled
    won, lost, level = Score(0, [1.0] * 8), Score(0, [0.0] * 8), Score(0, [1.0, 0.0] * 8)
    assert won.settled and won.ahead > 2 and lost.settled and lost.ahead < -2
    assert not level.settled and level.ahead == 0
    assert Score(0, [1.0, 0.0] * 16).settled
    assert not Score(0, [1.0] * 9).settled  # in the middle of a pair nothing is decided


def test_an_evaluation_that_knows_is_used_at_once_and_one_that_misleads_is_not() -> None:
    game = Subtraction(40)
    knows, misleads = (CutoffTrial(game, made(game), simulations=FEW) for made in (Knows, Misleads))
    assert knows.run() == 0
    assert misleads.run() is None
    assert misleads.scores[0].ahead < -2  # and it was seen to be worse


def test_the_same_simulations_are_the_same_games() -> None:
    first, second = (CutoffTrial("connect-four:columns=5,rows=4", simulations=FEW) for _ in range(2))
    assert first.run() == second.run()
    assert [score.games for score in first.scores] == [score.games for score in second.scores]


def test_a_game_without_an_evaluation_has_nothing_to_try() -> None:
    with pytest.raises(Unsuitable, match="there is an evaluation"):
        CutoffTrial("nim")


def settled(choice: int) -> CutoffTrial:
    trial = CutoffTrial("connect-four", simulations=FEW)
    for score in trial.scores:
        score.games = [float(score.cutoff == choice)] * 8
    return trial


def cutoff_of(limit: Limit, **settings: int) -> int | None:
    with MonteCarloSearch(load_game("connect-four"), None, limit, all_actions=False, **settings) as task:
        return task.tree.settings.cutoff


def test_searches_by_time_take_what_is_settled_and_searches_by_simulations_do_not(folder: Path) -> None:
    assert cutoff_of(Limit(time=0.1)) is None
    keep(settled(4))
    assert cutoff_of(Limit(time=0.1)) == 4
    assert cutoff_of(Limit(time=0.1), cutoff=2) == 2
    assert cutoff_of(Limit(nodes=100)) is None
    assert cutoff_of(Limit(time=0.1, nodes=100)) is None


def test_what_is_not_settled_or_makes_no_sense_is_not_used(folder: Path) -> None:
    trial = settled(4)
    keep(trial)
    place = next(folder.iterdir())
    for text in ("", "[]", "{", '{"settled": true, "cutoff": -3}', '{"settled": true, "cutoff": "4"}'):
        place.write_text(text)
        assert kept_cutoff(trial.knowledge) is None
    trial.scores[0].games = []
    keep(trial)
    assert kept_cutoff(trial.knowledge) is None and json.loads(place.read_text())["settled"] is False


def test_a_long_search_plays_the_trial_on_and_a_short_one_does_not(folder: Path) -> None:
    game = load_game("connect-four")
    trial = CutoffTrial(game, simulations=FEW)
    kept_cutoffs._trials[kept_cutoffs._place(trial.knowledge)] = trial
    kept_cutoffs.try_further(trial.knowledge, Limit(time=0.9), lambda: False)
    assert trial._state is None and not folder.exists()
    kept_cutoffs.try_further(trial.knowledge, Limit(time=600), lambda: len(trial.scores[0].games) >= 1)
    assert len(trial.scores[0].games) == 1
    kept = json.loads(next(folder.iterdir()).read_text())
    assert kept["games"]["0"] == trial.scores[0].games and kept["game"] == "connect-four"
    kept_cutoffs.try_further(trial.knowledge, Limit(time=600), lambda: False)
    assert json.loads(next(folder.iterdir()).read_text())["settled"] is True


def test_a_search_by_time_gives_some_of_it_to_the_trial_and_others_do_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Limit] = []
    monkeypatch.setattr(kept_cutoffs, "try_further", lambda knowledge, limit, halted: asked.append(limit))
    game = load_game("connect-four")
    search(game, algorithm="mcts", time=0.3)
    search(game, algorithm="mcts", simulations=500)
    search(game, algorithm="mcts", time=0.1, cutoff=3)
    search(game, algorithm="mcts", time=0.1, tree=MonteCarloTree(game))
    assert [limit.time for limit in asked] == [0.3]


def test_a_trial_goes_on_where_the_file_left_it(folder: Path) -> None:
    trial = CutoffTrial("connect-four", simulations=FEW)
    trial.scores[0].games = [1.0, 0.5]
    keep(trial)
    kept = json.loads(next(folder.iterdir()).read_text())
    again = kept_cutoffs._begun(trial.knowledge, kept)
    assert again.scores[0].games == [1.0, 0.5] and again.simulations == FEW
    assert not kept_cutoffs._begun(trial.knowledge, {"simulations": {"0": "x"}}).scores[0].games


def test_weights_do_not_matter_to_the_name_but_the_evaluation_does(folder: Path) -> None:
    class Other(type(CutoffTrial("connect-four", simulations=FEW).knowledge)):
        def evaluate(self, state, player):
            return -weighed(self.game, self.weights, state, player)

    keep(settled(0))
    game = load_game("connect-four")
    assert kept_cutoff(Other(game)) is None


def test_ctrl_c_during_a_trial_ends_the_search_with_its_answer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(kept_cutoffs, "try_further", interrupted)
    found = search("connect-four", algorithm="mcts", time=60)
    assert found.action is not None and found.seconds < 30


def test_a_fault_in_a_trial_is_no_fault_of_the_search(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trial = CutoffTrial("connect-four", simulations=FEW)
    asked: list[bool] = []

    def fails() -> bool:
        asked.append(True)
        raise GameError("evaluate() fails here")

    monkeypatch.setattr(trial, "step", fails)
    monkeypatch.setattr(kept_cutoffs, "_given_up", set())
    kept_cutoffs._trials[kept_cutoffs._place(trial.knowledge)] = trial
    for _ in range(2):
        kept_cutoffs.try_further(trial.knowledge, Limit(time=60), lambda: False)
    assert len(asked) == 1


def test_what_cannot_be_written_is_still_known(folder: Path) -> None:
    trial = settled(4)
    folder.parent.joinpath("cutoffs").write_text("no folder")
    keep(trial)
    assert kept_cutoff(trial.knowledge) is None
    kept_cutoffs._trials[kept_cutoffs._place(trial.knowledge)] = trial
    assert kept_cutoff(trial.knowledge) == 4
