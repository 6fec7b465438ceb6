"""A class of Pac-Man agents: each is graded on the same seeded layouts, in its own sandbox; nobody plays anybody."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass, replace
from html import escape
from itertools import combinations
from pathlib import Path
from typing import Any

from ..arena.reports.report_parts import page, section, table
from ..arena.worker import processes
from ..draw.svg import Markup
from ..errors import BadInput
from ..files import write_whole
from ..games import load_game
from ..games.pacman.rules import Pacman
from ..pacman.file_agent import NotGraded
from ..pacman.grade import GAMES, LAYOUTS, grade
from ..players import Mode
from .check import Examination, place
from .course import PROGRAMS, STATE, Settings
from .grading import GradeRule
from .report import NOTHING, REPORT, STUDENTS, page_names
from .submissions import LANGUAGES, Submission, find_submissions
from .twins import Twins

COLUMNS = (
    "name",
    "points",
    "place",
    "won",
    "games",
    "mean_score",
    "expansions",
    "faults",
    "moves_right",
    "moves_checked",
)


@dataclass(frozen=True)
class Graded:
    """What one student's agent came to; plain data."""

    name: str
    digest: str
    content: str
    fault: str
    """Why it could not be graded; empty where it was."""
    report: dict[str, Any]
    """As `plywright pacman grade --json` has it; empty where it was not graded."""

    @property
    def total(self) -> dict[str, Any]:
        return dict(self.report.get("total", {}))


@dataclass(frozen=True)
class Grading:
    """What all agents are graded by."""

    layouts: tuple[str, ...]
    games: int
    seconds: float
    seed: int
    level: str
    programs: str


def is_pacman(game: str) -> bool:
    return game.strip().partition(":")[0] == "pacman"


def grade_class(
    settings: Settings,
    *,
    heard: Callable[[Graded, int, int], Any] = lambda graded, done, of: None,
) -> list[Graded]:
    """Grade every agent that has not been graded yet; all of them, by name."""
    by = _grading(settings)
    programs = settings.folder / PROGRAMS
    programs.mkdir(parents=True, exist_ok=True)
    submissions = find_submissions(settings.submissions, "pacman", "json")
    key = hashlib.sha256(repr(by).encode()).hexdigest()[:16]
    held = _read_state(settings.folder / STATE, key)
    fresh = [each for each in submissions if each.name not in held or held[each.name].digest != each.digest]
    own = processes(min(settings.jobs, max(len(fresh), 1)))
    try:
        for done, future in enumerate(as_completed([own.submit(grade_one, each, by) for each in fresh]), 1):
            graded = future.result()
            held[graded.name] = graded
            data = {name: asdict(each) for name, each in sorted(held.items())}
            text = json.dumps({"plywright": "pacman class", "key": key, "agents": data}, indent=1)
            write_whole(settings.folder / STATE, text.encode())
            heard(graded, done, len(fresh))
    finally:
        own.shutdown(wait=True, cancel_futures=True)
    return [held[name] for name in sorted(held, key=str.casefold)]


def _grading(settings: Settings) -> Grading:
    game = load_game(settings.game)
    assert isinstance(game, Pacman)
    mode = Mode.parse(settings.modes[0])
    if mode.kind != "move" or len(settings.modes) > 1:
        raise BadInput(
            f"agents of Pac-Man are graded by seconds a move, such as --mode move:1s, not {settings.modes[0]}"
        )
    if settings.schedule != "round-robin" or settings.references:
        raise BadInput(
            "agents of Pac-Man are graded on layouts, without a schedule or references: nobody meets anybody"
        )
    _, _, written = settings.game.partition("layout=")
    layouts = (written.partition(",")[0],) if written else LAYOUTS
    games = GAMES if settings.games is None else settings.games
    return Grading(layouts, games, mode.amount, settings.seed or 1, settings.level, str(settings.folder / PROGRAMS))


def grade_one(submission: Submission, by: Grading) -> Graded:
    """Place an agent in a folder of its own and grade it there."""
    facts = submission.name, submission.digest, submission.content
    if submission.fault:
        return Graded(*facts, submission.fault, {})
    chief = submission.about.partition(", ")[2]
    if LANGUAGES.get(Path(chief).suffix, LANGUAGES[".js"]).name != "Python":
        return Graded(*facts, "an agent is a Python file with choose(game, state), WEIGHTS or evaluate", {})
    plain = replace(submission, step="")  # an agent needs no build
    folder, _ = place(plain, Examination("pacman", (), by.level, by.programs))
    assert folder is not None
    options: dict[str, Any] = {"games": by.games, "seed": by.seed, "seconds": by.seconds, "level": by.level}
    try:
        report = grade(folder / chief, by.layouts, **options, home=folder.absolute())
    except NotGraded as error:
        return Graded(*facts, str(error), {})
    return Graded(*facts, "", report.as_dict())


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


def grade_rows(found: Sequence[Graded], rule: GradeRule | None) -> list[dict[str, Any]]:
    """The grade book: by mean score, then those who could not be graded."""
    order = sorted(found, key=lambda each: (bool(each.fault), -each.total.get("mean_score", 0.0), each.name.casefold()))
    count = sum(not each.fault for each in order)
    rows = []
    for each in order:
        total = each.total
        place = (
            1 + sum(other.total["mean_score"] > total["mean_score"] for other in order if other.total)
            if total
            else None
        )
        row: dict[str, Any] = dict.fromkeys(COLUMNS) | {"name": each.name, "place": place, "note": each.fault}
        if total:
            row |= {"won": total["wins"], "games": total["games"], "mean_score": round(total["mean_score"], 2)}
            row |= {"expansions": total["expansions"], "faults": len(total["faults"])}
            row |= {"moves_right": each.report["moves_right"], "moves_checked": each.report["moves_checked"]}
        row["points"] = None if rule is None else rule.agent_points(row, count)
        rows.append(row)
    return rows


def alike(found: Sequence[Graded]) -> list[Twins]:
    """Agents of the same files, and those that played every game alike: the same layouts, seeds and moves."""
    files, lines = defaultdict(list), defaultdict(list)
    for each in found:
        if each.total:
            files[each.content].append(each.name)
            lines[tuple(each.total["lines"])].append(each.name)
    same = {pair for names in files.values() for pair in combinations(sorted(names), 2)}
    played = {pair: len(line) for line, names in lines.items() for pair in combinations(sorted(names), 2)}
    pairs = sorted(same.union(played))
    return [Twins(*pair, played.get(pair, 0), pair in same, "game") for pair in pairs]


def write_pages(settings: Settings, found: Sequence[Graded], rows: Sequence[dict[str, Any]]) -> Path:
    """The teacher's page and one for each student."""
    folder = settings.folder
    (folder / STUDENTS).mkdir(exist_ok=True)
    names = page_names([each.name for each in found])
    for each in found:
        write_whole(folder / STUDENTS / names[each.name], _student_page(each).encode())
    graded = any(row["points"] is not None for row in rows)
    head = ["", "student", *(["points"] if graded else []), "won", "mean score", "expansions", "faults", "best moves"]
    lines = []
    for row in rows:
        link = Markup(f'<a href="{STUDENTS}/{names[row["name"]]}">{escape(row["name"])}</a>')
        line = [str(row["place"] or "-"), link, *([f"{row['points']:g}"] if graded else [])]
        if row["games"]:
            best = f"{row['moves_right']}/{row['moves_checked']}" if row["moves_checked"] else "-"
            line += [f"{row['won']}/{row['games']}", f"{row['mean_score']:g}", f"{row['expansions']:,}"]
            line += [str(row["faults"] or "-"), best]
        else:
            line += ["-"] * 5
        lines.append(line)
    body = [section("Standings", table(head, lines, words=2))]
    if wrong := [[row["name"], row["note"]] for row in rows if row["note"]]:
        body.append(section("Not graded", table(["student", "why"], wrong, words=2)))
    if twins := alike(found):
        body.append(
            section("Agents that play alike", f"<ul>{''.join(f'<li>{escape(t.words())}</li>' for t in twins)}</ul>")
        )
    write_whole(folder / REPORT, page(f"Class: {settings.game}", "\n".join(body), NOTHING).encode())
    return folder / REPORT


def _student_page(each: Graded) -> str:
    if each.fault:
        return page(f"{each.name}: pacman", section("Not graded", f"<pre>{escape(each.fault)}</pre>"), NOTHING)
    rows = [
        [part["layout"], f"{part['wins']}/{part['games']}", f"{part['mean_score']:.1f}", f"{part['expansions']:,}"]
        for part in (*each.report["layouts"], each.total)
    ]
    body = [section("Layouts", table(["layout", "won", "mean score", "expansions"], rows))]
    lost = "".join(f"<li><pre>{escape(reason)}</pre></li>" for reason in each.total["lost"])
    body.append(section("Games that were not won", f"<ul>{lost}</ul>" if lost else "<p class=note>None.</p>"))
    for missed in each.report["moves_missed"]:
        words = f"position {missed['number']} on {missed['layout']}: best is {' or '.join(missed['best'])}"
        chosen = f", {missed['chosen']} was chosen" if missed["chosen"] else ""
        body.append(f"<p>{escape(words + chosen)}</p><pre>{escape(missed['picture'])}</pre>")
    return page(f"{each.name}: pacman", "\n".join(body), NOTHING)
