"""Cutoffs that were found by trials: kept beside the compiled code, and tried a little further by long searches.

A search by time whose knowledge names no cutoff takes the one that a trial has settled. If there is none yet, a search
of a second and longer gives a tenth of its time to the trial. Searches by simulations neither use nor make trials:
the same seed gives the same answer on every machine.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...compiled import cache_folder
from ...digest import digest
from ...errors import GameError
from ...files import read_bounded, write_whole
from ...knowledge import Knowledge
from ..limits import Limit
from .cutoff_trial import TO_THE_END, CutoffTrial, can_be_tried

SHARE = 0.1
"""Of the time of a search, for the trial."""
LONG = 1.0
"""Seconds of a search that gives some to a trial."""
MOST_BYTES = 1 << 16

_trials: dict[Path, CutoffTrial] = {}
"""Those that this process has begun, with the game that each is in the middle of."""
_playing = threading.Lock()
"""Held by the one search that plays a trial on: searches in other threads meanwhile do without."""
_given_up: set[Path] = set()
"""Those in which the evaluation or the rules failed: a search that does not cut off need not meet the fault."""


def wanted(knowledge: Knowledge, limit: Limit) -> bool:
    """Whether a search with this limit goes by trials."""
    return limit.time is not None and limit.nodes is None and knowledge.cutoff is None and can_be_tried(knowledge)


def kept_cutoff(knowledge: Knowledge) -> int | None:
    """The cutoff that a trial has chosen; None: play to the end, which is also what is done until one is settled."""
    place = _place(knowledge)
    if (trial := _trials.get(place)) is not None and trial.settled:  # also where nothing could be written
        return trial.choice
    kept = _read(place)
    cutoff = kept.get("cutoff") if kept.get("settled") is True else None
    return cutoff if isinstance(cutoff, int) and 0 <= cutoff < TO_THE_END else None


def try_further(knowledge: Knowledge, limit: Limit, halted: Callable[[], bool]) -> None:
    """Play the trial on for a tenth of the time of a long search, or until the search is halted."""
    seconds = limit.time if limit.soft is None else min(limit.soft, limit.time or limit.soft)
    end, place = time.monotonic() + SHARE * (seconds or 0.0), _place(knowledge)
    if seconds is None or seconds < LONG or place in _given_up:
        return
    kept = _read(place)
    if kept.get("settled") is True or not _playing.acquire(blocking=False):
        return
    try:
        _play_on(knowledge, kept, place, lambda: time.monotonic() >= end or halted())
    except GameError:
        _given_up.add(place)
    finally:
        _playing.release()


def _play_on(knowledge: Knowledge, kept: dict[str, Any], place: Path, ended: Callable[[], bool]) -> None:
    trial = _trials.get(place) or _begun(knowledge, kept)
    _trials[place] = trial
    finished = sum(len(score.games) for score in trial.scores)
    try:
        while not ended() and trial.step():
            pass
    except BaseException:  # as Ctrl-C: its trees may be in the middle of a move, so the game at hand begins anew
        del _trials[place]
        raise
    finally:
        if sum(len(score.games) for score in trial.scores) > finished:
            keep(trial)


def keep(trial: CutoffTrial) -> None:
    """Write down what a trial has found so far; where nothing can be written it is found again."""
    place = _place(trial.knowledge)
    found = {
        "game": trial.game.name,
        "knowledge": trial.knowledge.name,
        "simulations": {str(cut): count for cut, count in trial.simulations.items()},
        "games": {str(score.cutoff): score.games for score in trial.scores},
        "settled": trial.settled,
        "cutoff": trial.choice,
    }
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, json.dumps(found).encode())


def _begun(knowledge: Knowledge, kept: dict[str, Any]) -> CutoffTrial:
    """The trial where the file left it; from its beginning where the file makes no sense."""
    try:
        simulations = {int(cut): max(int(count), 1) for cut, count in kept["simulations"].items()}
        trial = CutoffTrial(knowledge.game, knowledge, simulations=simulations)
        for score in trial.scores:
            score.games = [min(max(float(points), 0.0), 1.0) for points in kept["games"][str(score.cutoff)]]
        if set(simulations) != set(trial.trees):
            raise ValueError
    except (KeyError, ValueError, TypeError, AttributeError):
        return CutoffTrial(knowledge.game, knowledge)
    return trial


def _place(knowledge: Knowledge) -> Path:
    both = digest((knowledge.game.fingerprint, knowledge.fingerprint))
    return cache_folder() / "cutoffs" / f"{both:016x}.json"


def _read(place: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_bounded(place, MOST_BYTES))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
