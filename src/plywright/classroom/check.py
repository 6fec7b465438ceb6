"""A submission checked alone: does it build, greet, play legally and keep its time? For the student, in words.

The check is the same wherever it runs: `plywright class GAME FOLDER --check` at home, and before the tournament.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ..arena.game_record import GameRecord
from ..arena.lineup import make_player
from ..arena.referee import play_game
from ..errors import BadInput, PlywrightError, printable
from ..game import Game
from ..games import load_game
from ..players import Mode, Player
from ..players.offence import LATE, NO_GREETING, RESIGNED, VOID
from ..players.simple import RandomPlayer
from ..programs.build import Built, build
from ..programs.isolation import isolation
from ..programs.program_player import ProgramPlayer
from .submissions import Files, Submission

GAMES = 3
"""Games that are played in each mode."""
ATTEMPTS = 3
"""How often a game is begun that the machine, not the program, made void."""
FOUND, BUILDS, GREETS, LEGAL, TIME = "found", "builds", "greets", "plays legally", "keeps time"


@dataclass(frozen=True)
class Step:
    """One part of a check."""

    name: str
    passed: bool
    words: str
    raw: str = ""
    """What the program or its build said, as it came."""


@dataclass(frozen=True)
class Check:
    """What a check found."""

    name: str
    digest: str
    """What was handed in."""
    about: str
    steps: tuple[Step, ...] = ()
    player: str = ""
    """The program as a player; empty where there is none."""
    fingerprint: str = ""
    finished: int = 0
    """Games that it played to the end without an offence."""
    isolation: str = ""
    takes_openings: bool = True
    """Whether it can be told moves that were nobody's choice."""
    content: str = ""
    """What its files hold, whatever they are called."""
    place: str = ""
    """The folder or file that was handed in, as it was called."""

    def after(self, *steps: Step) -> Check:
        return replace(self, steps=(*self.steps, *steps))

    @property
    def passed(self) -> bool:
        return all(step.passed for step in self.steps)

    @property
    def fit(self) -> bool:
        """Whether it may play in the tournament: it has finished a game, whatever else there is to mend."""
        return self.finished > 0

    @property
    def first_fault(self) -> str:
        step = next((step for step in self.steps if not step.passed), None)
        return "" if step is None else step.words if step.name == FOUND else f"{step.name}: {step.words}"

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "passed": self.passed, "fit": self.fit}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Check:
        known = {name: value for name, value in data.items() if name not in ("passed", "fit")}
        return cls(**{**known, "steps": tuple(Step(**step) for step in data["steps"])})


@dataclass(frozen=True)
class Examination:
    """What all submissions of a class are checked by: plain data, for worker processes."""

    game: str
    modes: tuple[str, ...]
    level: str
    """The isolation that was asked for."""
    programs: str
    """The folder that programs are placed in."""
    beside: tuple[tuple[str, bytes], ...] = ()
    """Files that every program's folder gets: the rules of a game of one's own."""
    seed: int = 1


def check_submission(submission: Submission, by: Examination) -> Check:
    """Build, place and try one submission."""
    check = Check(submission.name, submission.digest, submission.about, content=submission.content)
    check = replace(check, place=submission.place.name)
    if submission.fault:
        return check.after(Step(FOUND, False, submission.fault))
    check = check.after(Step(FOUND, True, submission.about))
    folder, step = place(submission, by)
    check = check.after(*([step] if step is not None else []))
    if folder is None:
        return check
    text = player_text(submission, folder, by.level)
    game = load_game(by.game)
    try:
        player = make_player(text, game)
    except BadInput as error:
        return check.after(Step(GREETS, False, printable(f"{error}{_unseen(str(error))}")))
    assert isinstance(player, ProgramPlayer)
    player.name, player.may_introduce = submission.name, False
    try:
        played, finished = _tried(player, game, by)
    finally:
        player.close()
    return replace(
        check.after(*(with_hint(step, submission.hint) for step in played)),
        player=text,
        fingerprint=player.fingerprint,
        finished=finished,
        isolation=player.isolation,
        takes_openings=player.takes_openings,
    )


# -- building and placing ----------------------------------------------------------------------------------


def place(submission: Submission, by: Examination) -> tuple[Path | None, Step | None]:
    """The folder that holds the built program, made once for what was handed in; and what building it was like."""
    stem = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in submission.name).strip("-")
    folder = Path(by.programs) / f"{stem or 'program'}-{submission.digest}"
    if folder.is_dir():
        return folder, Step(BUILDS, True, "built before") if submission.step else None
    with tempfile.TemporaryDirectory(dir=by.programs, prefix=".new-") as work:
        source = Path(work) / "source"
        _write(source, {**submission.files, **{path: (content, False) for path, content in by.beside}})
        if not submission.step:
            source.chmod(0o755)
            source.rename(folder)
            return folder, None
        built = build(source, submission.step, isolation(by.level))
        step = _build_step(submission.step, built)
        if not step.passed:
            return None, step
        made = Path(work) / "made"
        _write(made, built.files)
        made.chmod(0o755)
        made.rename(folder)
        return folder, step


def _build_step(script: str, built: Built) -> Step:
    shown = script.strip() if "\n" not in script.strip() else "its build script"
    lines = built.log.splitlines()
    said = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "").strip()
    fault = f"{built.fault}: {said}" if said else built.fault
    words = f"{shown}: {fault}{_unseen(built.log)}" if built.fault else f"{shown}, {built.seconds:.1f} s"
    return Step(BUILDS, not built.fault, printable(words), built.log)


def _unseen(said: str) -> str:
    """Where a tool is that was not found: a compiler in somebody's home, as rustup and nvm put it, is in no sandbox."""
    for name in re.findall(r"([\w.+-]+)(?:: (?:command )?not found|' cannot be run: there is no such program)", said):
        if (where := shutil.which(name)) is not None:
            return f"; {name} is {where} here, which the sandbox does not see: install it for the whole system"
    return ""


def _write(folder: Path, files: Files) -> None:
    folder.mkdir()
    for name, (content, executable) in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o755 if executable else 0o644)
        except (OSError, ValueError):  # a name that this system has not
            continue


def remove_program(folder: Path) -> None:
    """Take a placed program away, so that it is built anew."""
    if os.path.lexists(folder):
        shutil.rmtree(folder, ignore_errors=True)


def player_text(submission: Submission, folder: Path, level: str) -> str:
    """The program as a player; its folder is all that it is shown."""
    return f"{submission.protocol}:{submission.command}?folder={folder}&isolation={level}"


# -- trying ------------------------------------------------------------------------------------------------


def _tried(player: ProgramPlayer, game: Game, by: Examination) -> tuple[list[Step], int]:
    """Greeting and three games in each mode, against random moves and from different seats."""
    steps: list[Step] = []
    player.mode = Mode.parse(by.modes[0])
    try:
        player.prepare(game)
    except PlywrightError as error:
        return [Step(GREETS, False, printable(str(error)))], 0
    if player.refused is not None:
        return [_refused(player)], 0
    steps.append(Step(GREETS, True, "nothing to say before the first move" if player.fresh else "in time"))
    finished = 0
    for mode in by.modes:
        records = [_game(player, game, Mode.parse(mode), number, by.seed) for number in range(GAMES)]
        if any(record.termination == NO_GREETING for record, _ in records):
            return [_refused(player)], finished
        steps += _judged(mode, records, player)
        finished += sum(seat not in dict(record.offences) and record.payoffs is not None for record, seat in records)
    return steps, finished


def with_hint(step: Step, hint: str) -> Step:
    """What the student is told where the program did not greet."""
    return replace(step, words=f"{step.words}; {hint}") if hint and step.name == GREETS and not step.passed else step


def _refused(player: ProgramPlayer) -> Step:
    assert player.refused is not None
    raw = player.refused.raw or player.log[-2000:]
    return Step(GREETS, False, printable(player.refused.note + _unseen(player.refused.note)), raw)


def _game(player: ProgramPlayer, game: Game, mode: Mode, number: int, seed: int) -> tuple[GameRecord, int]:
    seat = number % game.players
    seats: list[Player] = [RandomPlayer() for _ in range(game.players)]
    seats[seat] = player
    for _ in range(ATTEMPTS):
        record = play_game(game, seats, mode=mode, seed=seed * 1009 + number)
        if record.termination != VOID:
            break
    return record, seat


def _judged(mode: str, records: list[tuple[GameRecord, int]], player: ProgramPlayer) -> list[Step]:
    """Whether the games of a mode were legal, and in time."""
    longest, moves, spent = 0.0, 0, 0.0
    wrong: list[tuple[str, str]] = []
    late: list[tuple[str, str]] = []
    for number, (record, seat) in enumerate(records, 1):
        own = [ply.seconds for ply in record.plies if ply.seat == seat]
        longest, moves, spent = max([longest, *own]), moves + len(own), spent + sum(own)
        cause = dict(record.offences).get(seat)
        if cause in (None, RESIGNED) and record.termination != VOID:
            continue
        words = f"game {number}, after {len(record.plies)} plies: {record.termination}: {printable(record.note)}"
        (late if cause == LATE or record.termination == VOID else wrong).append(
            (words, record.raw or player.log[-2000:])
        )
    legal = f"{len(records)} games in {mode}, {moves} moves"
    time = f"{mode}: longest move {longest:.3f} s, {spent / max(len(records), 1):.2f} s a game"
    return [
        Step(LEGAL, not wrong, f"{mode}: {wrong[0][0]}" if wrong else legal, wrong[0][1] if wrong else ""),
        Step(TIME, not late, f"{mode}: {late[0][0]}" if late else time, late[0][1] if late else ""),
    ]


def check_text(check: Check, command: str) -> str:
    """The report that a student reads."""
    lines = [f"{check.name}: {'passed' if check.passed else 'to be mended'}"]
    for step in check.steps:
        lines.append(f"  {'ok' if step.passed else 'NO':3} {step.name:14} {step.words}")
        if step.raw and not step.passed:
            lines += [f"        | {printable(line)}" for line in step.raw.strip().splitlines()[-15:]]
    if not check.passed and check.fit:
        lines.append("  It takes part in the tournament all the same.")
    lines.append(f"  The same check at home: {command}")
    return "\n".join(lines)
