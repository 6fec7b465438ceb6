"""A class of Pac-Man agents: each is graded on the same seeded layouts, in its own sandbox; nobody plays anybody.

The games of an agent are its check, too. The same command goes on: who has been graded is not graded again.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from ..arena.statistics.rating import Mean, mean_interval
from ..arena.worker import processes
from ..cluster.executor import WorkerLost
from ..errors import BadInput
from ..files import write_whole
from ..games import load_game
from ..games.pacman.maze import Maze, load_maze
from ..games.pacman.rules import Pacman
from ..pacman.file_agent import NotGraded
from ..pacman.grade import GAMES, LAYOUTS, ROUNDS, grade
from ..players import Mode
from ..players.offence import LATE
from .check import FOUND, GREETS, LEGAL, TIME, Check, Examination, Step, place
from .check import GAMES as CHECKED_GAMES
from .course import PROGRAMS, STATE, Settings, check_isolation
from .grading import OFFENCES, Account, GradeRule
from .submissions import LANGUAGES, Submission, find_submissions
from .twins import ENOUGH, Twins

COLUMNS = (
    *("name", "points", "place", "won", "games", "mean_score", "mean_low", "mean_high", "expansions", "faults"),
    *(*OFFENCES, "moves_right", "moves_checked", "check", "joined_late", "note"),
)


@dataclass(frozen=True)
class Graded:
    """What one student's agent came to; plain data."""

    name: str
    digest: str
    content: str
    place: str
    """The folder or file that was handed in, as it was called."""
    about: str
    fault: str
    """Why it could not be graded; empty where it was."""
    report: dict[str, Any]
    """As `plywright pacman grade --json` has it; empty where it was not graded."""
    late: bool = False
    """Whether it joined a class that had begun."""

    @property
    def total(self) -> dict[str, Any]:
        return dict(self.report.get("total", {}))

    @property
    def causes(self) -> Counter[str]:
        """Games that were lost by a fault, by its cause."""
        return Counter(ending for ending in self.total.get("endings", ()) if ending in OFFENCES)


@dataclass(frozen=True)
class Grading:
    """What all agents are graded by."""

    layouts: tuple[Maze, ...]
    games: int
    seconds: float
    seed: int
    level: str


def is_pacman(game: str) -> bool:
    return game.strip().partition(":")[0] == "pacman"


def grading_of(settings: Settings) -> Grading:
    """How the agents of a class are graded; raises BadInput before anything is run."""
    check_isolation(settings)
    game = load_game(settings.game)
    assert isinstance(game, Pacman)
    mode = Mode.parse(settings.modes[0])
    if mode.kind != "move" or len(settings.modes) > 1:
        raise BadInput(
            f"agents of Pac-Man are graded by seconds a move, such as --mode move:1s, not {settings.modes[0]}"
        )
    if settings.schedule != "round-robin" or settings.references or settings.openings is not None:
        raise BadInput(
            "agents of Pac-Man are graded on layouts, without a schedule, openings or references: nobody meets anybody"
        )
    layouts = (game.maze,) if "layout=" in settings.game else tuple(map(load_maze, LAYOUTS))
    games = GAMES if settings.games is None else settings.games
    return Grading(layouts, games, mode.amount, 1 if settings.seed is None else settings.seed, settings.level)


def grade_class(
    settings: Settings,
    *,
    executor: Executor | None = None,
    heard: Callable[[Graded, int, int], Any] = lambda graded, done, of: None,
) -> list[Graded]:
    """Grade every agent that has not been graded yet; all of them, by name."""
    by = grading_of(settings)
    (settings.folder / PROGRAMS).mkdir(parents=True, exist_ok=True)
    submissions = find_submissions(settings.submissions, "pacman", "json")
    key = hashlib.sha256(repr(by).encode()).hexdigest()[:16]
    held = _read_state(settings.folder / STATE, key)
    late = bool(held)
    lost: dict[str, Graded] = {}
    fresh = [each for each in submissions if _is_wanted(each, held.get(each.name), settings.recheck)]
    own = None if executor is not None else processes(min(settings.jobs, max(len(fresh), 1)))
    try:
        if own is None:
            assert executor is not None
            work = {executor.submit(grade_one, each, by, None): each for each in fresh}
        else:
            work = {own.submit(grade_one, each, by, str(settings.folder / PROGRAMS)): each for each in fresh}
        for done, future in enumerate(as_completed(work), 1):
            try:
                graded = future.result()
            except WorkerLost as error:  # told, and not kept: the same command grades it again
                lost[work[future].name] = _not_graded(work[future], f"it could not be graded: {error}")
                continue
            before = held.get(graded.name)
            same = before is not None and before.digest == graded.digest
            held[graded.name] = replace(graded, late=before.late if before is not None and same else late)
            data = {name: asdict(each) for name, each in sorted(held.items())}
            text = json.dumps({"plywright": "pacman class", "key": key, "agents": data}, indent=1)
            write_whole(settings.folder / STATE, text.encode())
            heard(graded, done, len(fresh))
    finally:
        if own is not None:
            own.shutdown(wait=True, cancel_futures=True)
    found = {**lost, **held}
    return [found[name] for name in sorted(found, key=str.casefold)]


def _is_wanted(submission: Submission, known: Graded | None, recheck: bool) -> bool:
    """Whether an agent is to be graded: it is new, or has not passed and is asked for again."""
    return known is None or known.digest != submission.digest or (recheck and not check_of(known).passed)


def check_agents(settings: Settings, heard: Callable[[Graded, int, int], Any]) -> list[Check]:
    """Three games of each agent on the first layout, for a student at home; nothing is kept."""
    by = grading_of(settings)
    by = replace(by, layouts=by.layouts[:1], games=CHECKED_GAMES)
    submissions = find_submissions(settings.submissions, "pacman", "json")
    checks = []
    for number, each in enumerate(submissions, 1):
        graded = grade_one(each, by, None)
        heard(graded, number, len(submissions))
        checks.append(check_of(graded))
    return checks


def grade_one(submission: Submission, by: Grading, programs: str | None) -> Graded:
    """Place an agent in a folder of its own, in `programs` or for the moment, and grade it there."""
    if submission.fault:
        return _not_graded(submission, submission.fault)
    chief = submission.about.partition(", ")[2]
    if LANGUAGES.get(Path(chief).suffix, LANGUAGES[".js"]).name != "Python":
        return _not_graded(submission, "an agent is a Python file with choose(game, state), WEIGHTS or evaluate")
    if programs is None:
        with tempfile.TemporaryDirectory(prefix="plywright-agent-") as folder:
            return grade_one(submission, by, folder)
    plain = replace(submission, step="")  # an agent needs no build
    home, _ = place(plain, Examination("pacman", (), by.level, programs))
    assert home is not None
    options: dict[str, Any] = {"games": by.games, "seed": by.seed, "seconds": by.seconds, "level": by.level}
    try:
        report = grade(home / chief, by.layouts, **options, home=home.absolute())
    except NotGraded as error:
        return _not_graded(submission, str(error))
    return replace(_not_graded(submission, ""), report=report.as_dict())


def _not_graded(submission: Submission, why: str) -> Graded:
    facts = submission.name, submission.digest, submission.content, submission.place.name, submission.about
    return Graded(*facts, why, {})


def _read_state(path: Path, key: str) -> dict[str, Graded]:
    if not path.exists():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        assert data["plywright"] == "pacman class"
        return {name: Graded(**each) for name, each in data["agents"].items()} if data["key"] == key else {}
    except (OSError, ValueError, KeyError, TypeError, AssertionError, RecursionError):
        raise BadInput(f"{path} is no class of Pac-Man agents, or a damaged one: choose another --output") from None


# -- what came of it ---------------------------------------------------------------------------------------


def check_of(graded: Graded) -> Check:
    """An agent's games as its check: is it found, is it read, does it play legally and in time?"""
    check = Check(graded.name, graded.digest, graded.about, content=graded.content, place=graded.place)
    if not graded.report:
        step = Step(GREETS, False, graded.fault) if graded.about else Step(FOUND, False, graded.fault)
        return check.after(*([Step(FOUND, True, graded.about)] if graded.about else []), step)
    total, games = graded.total, graded.total["games"]
    late = [reason for reason, cause in _faults(graded) if cause == LATE]
    wrong = [reason for reason, cause in _faults(graded) if cause != LATE]
    legal = f"{games} games" if not wrong else f"{len(wrong)} of {games} games: {_last_line(wrong[0])}"
    time = f"{len(late)} of {games} games: {_last_line(late[0])}" if late else "in every move"
    return replace(
        check.after(
            Step(FOUND, True, graded.about),
            Step(GREETS, True, f"read as {graded.report['kind']}"),
            Step(LEGAL, not wrong, legal, wrong[0] if wrong else ""),
            Step(TIME, not late, time, late[0] if late else ""),
        ),
        finished=games - len(total["faults"]),
        isolation=graded.report["isolation"],
    )


def _faults(graded: Graded) -> list[tuple[str, str]]:
    """Every fault with its cause."""
    causes = [ending for ending in graded.total["endings"] if ending in OFFENCES]
    return list(zip(graded.total["faults"], causes, strict=True))


def _last_line(reason: str) -> str:
    return reason.strip().splitlines()[-1]


def mean_of(graded: Graded, by: Grading) -> Mean:
    """The mean score with its interval; the games of one number on all layouts are one observation."""
    layouts = graded.report["layouts"]
    values = [fmean(each["scores"][number] for each in layouts) for number in range(by.games)]
    ranges = [Pacman(maze, rounds=ROUNDS).utility_range for maze in by.layouts]
    return mean_interval(values, fmean(low for low, _ in ranges), fmean(high for _, high in ranges))


def grade_rows(found: Sequence[Graded], by: Grading, rule: GradeRule | None) -> list[dict[str, Any]]:
    """The grade book: by mean score, then those who could not be graded."""
    order = sorted(found, key=lambda each: (bool(each.fault), -each.total.get("mean_score", 0.0), each.name.casefold()))
    rows = []
    for each in order:
        total, check = each.total, check_of(each)
        row: dict[str, Any] = dict.fromkeys(COLUMNS) | {"name": each.name, "joined_late": each.late}
        row |= {"note": check.first_fault, "check": "passed" if check.passed else "to be mended"}
        if total:
            mean = mean_of(each, by)
            row["place"] = 1 + sum(other.total["mean_score"] > total["mean_score"] for other in order if other.total)
            row |= {"won": total["wins"], "games": total["games"], "mean_score": round(total["mean_score"], 2)}
            row |= {"mean_low": round(mean.low, 2), "mean_high": round(mean.high, 2)}
            row |= {"expansions": total["expansions"], "faults": len(total["faults"])}
            row |= {cause: each.causes[cause] for cause in OFFENCES}
            row |= {"moves_right": each.report["moves_right"], "moves_checked": each.report["moves_checked"]}
        rows.append(row)
    for row in rows:
        account = account_of(row, rows, found, rule)
        row["points"] = None if account is None else account.points
    return rows


def account_of(
    row: dict[str, Any], rows: Sequence[dict[str, Any]], found: Sequence[Graded], rule: GradeRule | None
) -> Account | None:
    """What an agent's points are made of; None without a rule."""
    if rule is None:
        return None
    graded = next(each for each in found if each.name == row["name"])
    return rule.agent_account(check_of(graded), row, sum(each["place"] is not None for each in rows))


def alike(found: Sequence[Graded]) -> list[Twins]:
    """Agents of the same files, and those that played every game alike: the same layouts, seeds and moves."""
    files, lines = defaultdict(list), defaultdict(list)
    for each in found:
        if each.total:
            files[each.content].append(each.name)
            if (
                sum(map(len, each.total["lines"])) >= 2 * ENOUGH
            ):  # his moves and a ghost's; two that never move tell nothing
                lines[tuple(each.total["lines"])].append(each.name)
    same = {pair for names in files.values() for pair in combinations(sorted(names), 2)}
    played = {pair: len(line) for line, names in lines.items() for pair in combinations(sorted(names), 2)}
    pairs = sorted(same.union(played))
    return [Twins(*pair, played.get(pair, 0), pair in same, "game") for pair in pairs]
