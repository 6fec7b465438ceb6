"""The process in which a stranger's rules run: `python -m plywright.doctor.child`.

It reads one job (a JSON object) from standard input and writes its findings to standard output, a
JSON object per line, as they come: so nothing found is lost when a rule takes the process down. What
the rules themselves print goes nowhere.
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.alphabeta.table_file import identity
from ..errors import BadInput, PlywrightError
from ..game import Game
from ..games import know, load_game
from ..rule_guard import ENDLESS, Fault, named, watched
from .blackbox import BlackBox
from .machine import MACHINE_CHECKS
from .report import FAILED
from .rules import RULE_CHECKS
from .subject import Subject, Verdict, skipped, verdict_of

MEMORY = 2 << 30
"""Bytes that a game may take besides what the examination itself needs."""
NEED_PURITY = ("indices", "state texts", "action texts", "pictures")
"""Checks whose findings would only repeat that a rule is not pure."""
LOADING = "loading"
"""Stands for a rule while the game's file is read and the game is made."""

Emit = Callable[[dict[str, Any]], None]


def main() -> None:
    """Do the job on standard input; leaves at once, whatever threads are still stuck in a rule."""
    job = json.loads(sys.stdin.readline())
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    work(job, lambda: load_game(job["game"]), out)
    os._exit(0)


def work(job: dict[str, Any], load: Callable[[], Game], out: Any) -> None:
    """Run one half of the examination and write its findings to `out`."""

    def emit(message: dict[str, Any]) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    faulthandler.enable(file=2)
    warnings.simplefilter("ignore")
    random.seed(job["seed"])
    np.random.seed(job["seed"] % (1 << 32))
    box = BlackBox(Path(job["box"]))
    limit_memory()
    try:
        examine_half(job, load, emit, box)
    except BadInput as error:
        emit({"bad_input": str(error)})
    except BaseException:  # a fault of the doctor's own, not of the game's
        emit({"broken": traceback.format_exc()})
    emit({"done": True})


def limit_memory() -> None:
    """Make a rule that eats memory raise MemoryError, where the system can."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))
    except (ImportError, OSError, ValueError):
        return


def examine_half(job: dict[str, Any], load: Callable[[], Game], emit: Emit, box: BlackBox) -> None:
    """The checks of one process, in order; each is announced before it begins."""
    machine = job["half"] == "machine"
    if not machine:
        emit({"begin": "loading"})
    box.enter(LOADING)
    try:
        game = know(load(), job["knowledge"])
    except BadInput:
        raise
    except PlywrightError as error:
        emit(
            _message(
                "loading", Verdict(FAILED, f"{error}; mend that, or name the parameters: ./mygame.py:Class:size=4")
            )
        )
        return
    box.leave()
    if not machine:
        emit(_message("loading", Verdict("passed", f"{type(game).__name__} was made")))
    subject = Subject(game, seed=job["seed"], seconds=job["seconds"], patience=job["patience"], box=box)
    subject.oracle = job.get("oracle") or ""
    subject.expected, subject.failed, subject.warned = job["digests"], set(job["failed"]), set(job["warned"])
    run_checks(subject, MACHINE_CHECKS if machine else RULE_CHECKS, emit)
    emit(
        {
            "facts": asdict(subject.facts),
            "digests": subject.digests,
            "identity": identity(subject.guard.knowledge) if machine else "",
        }
    )


def run_checks(subject: Subject, checks: list[tuple[str, Callable[[Subject], Verdict]]], emit: Emit) -> None:
    """Run the checks; those that cannot mean anything after an earlier fault are skipped with the reason."""
    for name, function in checks:
        emit({"begin": name})
        if name in subject.faults:
            verdict = subject.faults[name]
        elif subject.hopeless:
            verdict = skipped(f"not tried, since {subject.hopeless}")
        elif name in NEED_PURITY and "purity" in subject.failed:
            verdict = skipped("not tried, since 'purity' failed")
        else:
            verdict = _run_check(subject, function)
        if verdict.status == FAILED:
            subject.failed.add(name)
            if name in ("methods", "class facts", "start"):
                subject.hopeless = f"{name!r} failed"
        if name in ("rules answer", "new process") and not subject.seen:
            subject.hopeless = subject.hopeless or "no state was reached"
        emit(_message(name, verdict, subject.game))


def _run_check(subject: Subject, function: Callable[[Subject], Verdict]) -> Verdict:
    try:
        return watched(subject.guard, lambda: function(subject))
    except Fault as fault:
        if fault.kind == ENDLESS:
            subject.hopeless = f"{named(fault.rule)} does not come back"
        return verdict_of(fault)


def _message(name: str, verdict: Verdict, game: Game | None = None) -> dict[str, Any]:
    moves = ""
    if game is not None and verdict.moves:
        try:
            moves = game.join_moves(list(verdict.moves))
        except Exception:  # told by its own check
            moves = " ".join(verdict.moves)
    return {"check": name, "status": verdict.status, "sentence": verdict.sentence, "moves": moves}


if __name__ == "__main__":
    main()
