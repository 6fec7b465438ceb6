"""A class from its folder of submissions to its last game: checks, then the tournament, whatever is there already kept.

The class folder holds the built programs, what the checks found (`class.json`) and the record of the games. The same
command goes on with it: what was checked is not checked again, what was played is not played again, and whoever handed
in meanwhile joins.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..arena.lineup import make_player, runs_program
from ..arena.match import TOURNAMENT, choose, make_plan, run_plan
from ..arena.outcome import Outcome
from ..arena.records.run_file import Records
from ..arena.schedules.joining import joined
from ..arena.schedules.pairing import FixedSystem
from ..arena.schedules.progress import Progress
from ..arena.schedules.schedule import Entrant, Plan
from ..arena.worker import processes
from ..errors import BadInput, printable
from ..files import write_whole
from ..game import Game
from ..games import load_game
from ..games.registry import is_path, split_path
from ..players import Mode
from ..players.level import LEVELS
from ..programs.home import home_fingerprint
from ..programs.isolation import AUTO, BUBBLEWRAP, bubblewrap_works, seen_by_all
from .check import Check, Examination, check_submission, remove_program
from .submissions import Submission, find_submissions, left_aside

STATE, RECORD, PROGRAMS = "class.json", "games.plywright", "programs"
PLACEMENT = "placement"
GAME_FOLDER = "plywright_game"
"""Where a program's folder has the rules of a game of one's own."""


@dataclass(frozen=True)
class Settings:
    """A class as the teacher asks for it."""

    game: str
    submissions: Path
    folder: Path
    """The class folder, which everything is written in."""
    modes: tuple[str, ...]
    """The first is that of the tournament; checks are made in each."""
    schedule: str = "round-robin"
    games: int | None = None
    """Games of each pairing; by default one from every seat."""
    references: tuple[str, ...] = ()
    """Players of known strength that take part."""
    openings: str | None = None
    seed: int | None = None
    level: str = BUBBLEWRAP
    protocol: str = "json"
    jobs: int = 1
    recheck: bool = False
    """Whether those who have not passed are checked again, though they handed in nothing new."""


@dataclass(frozen=True)
class Found:
    """What a class has come to."""

    settings: Settings
    game: Game
    checks: list[Check]
    """One for each student, by name: of the last submission that can play, else of the last one."""
    waiting: dict[str, Check]
    """By name what was handed in later and cannot play; the one before goes on."""
    notes: list[str]
    """What the teacher should know."""
    plan: Plan | None = None
    progress: Progress | None = None

    def references(self) -> int:
        return len(reference_texts(self.settings))


def open_class(settings: Settings) -> Game:
    """Look at what is asked for; raises BadInput before anything is run."""
    game = load_game(settings.game)
    for mode in settings.modes:
        Mode.parse(mode)
    if game.players < 2:
        raise BadInput(f"{game.name} is a game for one: there is nobody to play a tournament against")
    games = settings.games
    if games is not None and (games < 1 or games % game.players):
        raise BadInput(
            f"each pairing plays from every seat: --games is a multiple of {game.players} in {game.name}, not {games}"
        )
    check_isolation(settings)
    for text in reference_texts(settings):
        if runs_program(text):
            raise BadInput(f"{text!r} is a program: references are players such as level:3 or search:nodes=1000")
        make_player(text, game).close()
    return game


def check_isolation(settings: Settings) -> None:
    """Raise BadInput where programs of this class could read each other's folders."""
    if settings.level not in (AUTO, BUBBLEWRAP, "limits"):
        raise BadInput(f"there is no isolation {settings.level!r}; a class runs in bubblewrap, or with limits alone")
    if settings.level == BUBBLEWRAP and not bubblewrap_works():
        raise BadInput(
            "bubblewrap is not installed or may not make namespaces here, and without it programs can read each "
            "other's folders: install bubblewrap, or trust them with --isolation limits"
        )
    for place in (settings.folder, settings.submissions):
        inside = [root for root in seen_by_all() if _within(place, root)]
        if inside:
            raise BadInput(f"{place} lies in {inside[0]}, which every program can read: choose a folder elsewhere")
    if any(letter in str(settings.folder) for letter in "?&"):
        raise BadInput(f"the class folder {str(settings.folder)!r} has a ? or & in its path: choose another name")


def reference_texts(settings: Settings) -> tuple[str, ...]:
    """The players of known strength: those that are named, and for a placement all levels."""
    if settings.references or settings.schedule != PLACEMENT:
        return settings.references
    return tuple(f"level:{number}" for number in range(1, len(LEVELS) + 1))


def _within(place: Path, root: Path) -> bool:
    return place.resolve().is_relative_to(root.resolve())


# -- checks ------------------------------------------------------------------------------------------------


def run_checks(
    settings: Settings, game: Game, *, heard: Callable[[Check, int, int], Any]
) -> tuple[list[Check], dict[str, Check]]:
    """Check what was handed in and is not known yet; the checks by student, and later ones that cannot play."""
    inside, beside = _game_inside(settings.game)
    found = find_submissions(settings.submissions, inside, settings.protocol)
    taken = {text.casefold() for text in reference_texts(settings)}
    submissions = [_renamed(each) if each.name.casefold() in taken else each for each in found]
    programs = settings.folder / PROGRAMS
    programs.mkdir(parents=True, exist_ok=True)
    by = Examination(settings.game, settings.modes, settings.level, str(programs), beside)
    key = hashlib.sha256(repr((by, game.fingerprint)).encode()).hexdigest()[:16]
    held, waiting = _read_state(settings.folder / STATE, key)
    fresh = []
    for each in submissions:
        known = waiting.get(each.name) or held.get(each.name)
        again = settings.recheck and known is not None and not known.passed
        if known is None or again or known.digest != each.digest or (known.fit and not _is_placed(known)):
            fresh.append(each)
        elif each.name in waiting and known.digest == held[each.name].digest:
            waiting.pop(each.name)  # the earlier one was handed in again
    own = processes(min(settings.jobs, max(len(fresh), 1)))
    try:
        for done, future in enumerate(as_completed([own.submit(check_submission, each, by) for each in fresh]), 1):
            check = future.result()
            before = held.get(check.name)
            if check.fit or before is None or not before.fit:
                held[check.name] = check
                waiting.pop(check.name, None)
            else:
                waiting[check.name] = check
            _write_state(settings.folder / STATE, key, held, waiting)
            heard(check, done, len(fresh))
    finally:
        own.shutdown(wait=True, cancel_futures=True)
    return [held[name] for name in sorted(held, key=str.casefold)], waiting


def _renamed(submission: Submission) -> Submission:
    """A submission that cannot take part, since its name would count as that of a reference player."""
    fault = f"{submission.name!r} is the name of a reference player in this class: rename the submission"
    return Submission(submission.name, submission.place, fault=fault)


def _is_placed(check: Check) -> bool:
    """Whether the program is still there as it was when it was checked; whatever else is there is removed."""
    folder = program_folder(check)
    command = check.player.partition(":")[2].rpartition("?folder=")[0]
    if folder.is_dir() and home_fingerprint(folder, command) == check.fingerprint:
        return True
    remove_program(folder)
    return False


def program_folder(check: Check) -> Path:
    """Where a checked program is."""
    return Path(check.player.rpartition("?folder=")[2].rpartition("&isolation=")[0])


def _game_inside(text: str) -> tuple[str, tuple[tuple[str, bytes], ...]]:
    """A game as programs name it, and the files that their folders need for it."""
    if not is_path(text):
        return shlex.quote(text), ()
    path, cls, parameters = split_path(text)
    name = f"{GAME_FOLDER}/{Path(path).name}"
    words = ":".join(part for part in (f"./{name}", cls, parameters) if part)
    return shlex.quote(words), ((name, Path(path).read_bytes()),)


def home_command(settings: Settings, name: str = "") -> str:
    """The command that makes the same check at home; `name` is what was handed in."""
    name = printable(name)
    game = Path(split_path(settings.game)[0]).name if is_path(settings.game) else settings.game
    modes = " ".join(f"--mode {shlex.quote(mode)}" for mode in settings.modes)
    protocol = "" if settings.protocol == "json" else f" --protocol {settings.protocol}"
    shown = f"./{game}" if is_path(settings.game) else game
    return f"plywright class {shlex.quote(shown)} {shlex.quote(name or 'FOLDER')} {modes}{protocol} --check"


def _read_state(path: Path, key: str) -> tuple[dict[str, Check], dict[str, Check]]:
    if not path.exists():
        return {}, {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        assert data["plywright"] == "class"
        if data["key"] != key:
            return {}, {}  # another mode, or other rules: everybody is checked by them
        held, waiting = (
            {name: Check.from_dict(each) for name, each in data[part].items()} for part in ("checks", "waiting")
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, AssertionError, RecursionError):
        raise BadInput(f"{path} is no class of Plywright, or a damaged one: choose another --output") from None
    return held, waiting


def _write_state(path: Path, key: str, held: dict[str, Check], waiting: dict[str, Check]) -> None:
    data: dict[str, Any] = {"plywright": "class", "key": key}
    data["checks"] = {name: check.as_dict() for name, check in sorted(held.items())}
    data["waiting"] = {name: check.as_dict() for name, check in sorted(waiting.items())}
    write_whole(path, json.dumps(data, indent=1).encode())


# -- the tournament ----------------------------------------------------------------------------------------


def begin_tournament(settings: Settings, game: Game, checks: Sequence[Check], notes: list[str]) -> Records | None:
    """The record of the class, with everybody in it who can play; None where there are too few."""
    path = settings.folder / RECORD
    fit = [check for check in checks if check.fit]
    if path.is_file() and path.stat().st_size:
        with Records.open(path) as records:
            held, outcomes = records.plan, records.outcomes()
        plan = _continued(held, outcomes, fit, notes)
        records = Records.begin(path, held, settings.jobs)
        if plan != held:
            records.go_on_by(plan)
        return records
    plan_ = _first_plan(settings, game, fit, notes)
    return None if plan_ is None else Records.begin(path, plan_, settings.jobs)


def _first_plan(settings: Settings, game: Game, fit: Sequence[Check], notes: list[str]) -> Plan | None:
    texts = reference_texts(settings)
    if len(fit) + len(texts) < game.players or not fit:
        notes.append(f"{len(fit)} programs can play: too few for a tournament of {game.name}")
        return None
    seed, opening = choose(settings.seed, settings.openings, [check.player for check in fit], settings.game, None)
    order = sorted(fit, key=lambda check: hashlib.sha256(f"{seed}/{check.name}".encode()).digest())  # lots are drawn
    schedule = f"{PLACEMENT}:{len(texts)}" if settings.schedule == PLACEMENT else settings.schedule
    plan, _ = make_plan(
        TOURNAMENT,
        [*texts, *(check.player for check in order)],
        settings.game,
        games=settings.games or game.players,
        mode=settings.modes[0],
        opening=opening,
        seed=seed,
        schedule=schedule,
        ready=False,
    )
    known = tuple(Entrant(text, text, player.fingerprint) for text, player in zip(texts, plan.players, strict=False))
    return replace(plan, players=known + tuple(map(_entrant, order)))


def _entrant(check: Check) -> Entrant:
    return Entrant(check.player, check.name, check.fingerprint)


def _continued(held: Plan, outcomes: Sequence[Outcome], fit: Sequence[Check], notes: list[str]) -> Plan:
    """The plan of a class that has begun, with those who handed in meanwhile."""
    by_name = {check.name: check for check in fit}
    players = []
    for player in held.players:
        own = by_name.get(player.name)
        same = own is not None and own.fingerprint == player.fingerprint
        players.append(replace(player, text=own.player) if own is not None and same else player)
    plan = replace(held, players=tuple(players))
    newcomers = []
    for check in fit:
        before = next((player for player in plan.players if player.name == check.name), None)
        if before is not None and before.fingerprint == check.fingerprint:
            continue
        if before is not None and not isinstance(plan.system, FixedSystem):
            notes.append(f"{check.name} handed in again; in a {plan.system} the earlier program goes on")
            continue
        if not check.takes_openings and any(opening.actions or opening.position for opening in plan.openings):
            notes.append(f"{check.name} cannot be told an opening, and this class has begun with openings: left out")
            continue
        newcomers.append(_entrant(check))
    try:
        return joined(plan, outcomes, newcomers)
    except BadInput as error:
        notes.append(f"{', '.join(each.name for each in newcomers)}: {error}")
        return plan


def _check_same_class(settings: Settings, held: Plan) -> None:
    """Raise BadInput where the class folder holds a class that was asked for otherwise."""
    texts = reference_texts(settings)
    schedule = f"{PLACEMENT}:{len(texts)}" if settings.schedule == PLACEMENT else settings.schedule
    known = [player.text for player in held.players[: len(texts)]]
    asked: list[tuple[str, Any, Any]] = [
        ("game", held.game, settings.game.strip()),
        ("mode", held.mode, str(Mode.parse(settings.modes[0]))),
        ("schedule", held.schedule.partition(":")[0], schedule.partition(":")[0]),
        ("references", ", ".join(known), ", ".join(texts)),
    ]
    asked += [("games", held.games, settings.games)] if settings.games is not None else []
    asked += [("seed", held.seed, settings.seed)] if settings.seed is not None else []
    asked += [("openings", held.source, settings.openings)] if settings.openings is not None else []
    for name, value, other in asked:
        if value != other:
            raise BadInput(
                f"{settings.folder} holds a class with {name} {value} instead of {other}: choose another --output, or "
                "repeat the command that began it"
            )


def run_class(
    settings: Settings,
    *,
    executor: Executor | None = None,
    checked: Callable[[Check, int, int], Any] = lambda check, done, of: None,
    heard: Callable[[Outcome, Progress], Any] = lambda outcome, progress: None,
    began: Callable[[Plan], Any] = lambda plan: None,
) -> Found:
    """Check, play what is left, and say what has come of it.

    Games may be played by any executor; programs are built and checked on this machine, where they are kept.
    """
    game = open_class(settings)
    path = settings.folder / RECORD
    if path.is_file() and path.stat().st_size:
        with Records.open(path) as begun:
            _check_same_class(settings, begun.plan)
    settings.folder.mkdir(parents=True, exist_ok=True)
    checks, waiting = run_checks(settings, game, heard=checked)
    notes = [f"{name}: the later submission cannot play, the one before goes on" for name in sorted(waiting)]
    notes += [words] if (words := left_aside(settings.submissions)) else []
    found = Found(settings, game, checks, waiting, notes)
    records = begin_tournament(settings, game, checks, notes)
    if records is None:
        return found
    with records:
        for text in reference_texts(settings):  # compiled once, before workers need it
            player = make_player(text, game)
            player.mode = Mode.parse(settings.modes[0])
            player.prepare(game)
            player.close()
        began(records.plan)
        progress = run_plan(records, jobs=settings.jobs, executor=executor, heard=heard)
        plan = records.plan
        out = {player: why for player, why in progress.disqualified.items() if player not in plan.replaced}
        notes += [f"{plan.names[player]} plays no more: {printable(why)}" for player, why in out.items()]
        return replace(found, plan=plan, progress=progress)
