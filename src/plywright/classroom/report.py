"""Pages of a class that need no network: one for the teacher, and one for each student."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..arena.outcome import Outcome, half_points
from ..arena.records.run_file import Records
from ..arena.reports.report import interval_figure
from ..arena.reports.report_parts import Viewer, page, section, table
from ..arena.standings import Standings, repetition_note
from ..draw.svg import Markup
from ..errors import printable
from ..files import write_whole
from ..outcome_text import elo_text
from ..players.offence import NORMAL
from ..programs.isolation import unbounded
from .check import Check
from .course import RECORD, Found, home_command
from .gradebook import Student
from .grading import Account
from .twins import Twins

REPORT, STUDENTS = "report.html", "students"
MOST_RAW = 2_000
NOTHING: dict[str, Any] = {"pieces": [], "games": []}


def write_report(
    found: Found,
    standings: Standings | None,
    book: Sequence[Student],
    twins: Sequence[Twins],
    heard: Callable[[str], Any] = lambda text: None,
) -> Path:
    """Write all pages into the class folder; the path of the teacher's."""
    folder = found.settings.folder
    (folder / STUDENTS).mkdir(exist_ok=True)
    names = page_names([student.name for student in book])
    records = Records.open(folder / RECORD) if standings is not None else None
    try:
        for number, student in enumerate(book, 1):
            heard(f"writing page {number} of {len(book)}")
            text = student_page(found, standings, student, records)
            write_whole(folder / STUDENTS / names[student.name], text.encode())
        heard("writing the report")
        path = folder / REPORT
        write_whole(path, teacher_page(found, standings, book, twins, names, records).encode())
    finally:
        if records is not None:
            records.close()
    return path


def page_names(names: Sequence[str]) -> dict[str, str]:
    """A file name for each student, all different whatever a file system makes of capitals."""
    found: dict[str, str] = {}
    for name in names:
        stem = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-") or "student"
        number, file = 1, f"{stem}.html"
        while file.casefold() in {other.casefold() for other in found.values()}:
            number += 1
            file = f"{stem}-{number}.html"
        found[name] = file
    return found


# -- the teacher's page ------------------------------------------------------------------------------------


def teacher_page(
    found: Found,
    standings: Standings | None,
    book: Sequence[Student],
    twins: Sequence[Twins],
    names: dict[str, str],
    records: Records | None,
) -> str:
    body = [_facts(found, standings)]
    if found.notes:
        body.append("<ul class=note>" + "".join(f"<li>{escape(note)}</li>" for note in found.notes) + "</ul>")
    if standings is not None:
        body.append(section("Standings", _standings(standings, book, names), interval_figure(standings)))
        if standings.progress.plan.seats == 2:
            body.append(section("Cross table", _crosstable(standings, names)))
        body.append(section("Causes of losses", _causes_of_losses(standings, names)))
    body.append(section("Checks", _checks(found, book, names)))
    if twins:
        words = "".join(f"<li>{escape(each.words())}</li>" for each in twins)
        note = "<p class=note>Nothing more is claimed: equal programs may have a common source that is allowed.</p>"
        body.append(section("Programs that play alike", f"<ul>{words}</ul>", note))
    viewer = NOTHING
    if records is not None:
        games = Viewer(records, found.game)
        for outcome in records.outcomes():
            if outcome.payoffs is not None:
                games.add(outcome)
        viewer = games.data()
    return page(f"Class: {found.settings.game}", "\n".join(body), viewer)


def _facts(found: Found, standings: Standings | None) -> str:
    settings = found.settings
    facts = [
        ("game", settings.game),
        ("mode", settings.modes[0]),
        ("students", str(len(found.checks))),
        ("passed the check", str(sum(check.passed for check in found.checks))),
    ]
    if standings is not None:
        plan = standings.progress.plan
        facts += [
            ("schedule", plan.schedule),
            ("games", f"{standings.played} of {len(standings.progress.units)}"),
            ("openings", f"{plan.source} ({len(plan.openings)})"),
            ("seed", str(plan.seed)),
        ]
        gaps = unbounded(standings.isolation)
        facts.append(("isolation", f"{standings.isolation} ({gaps})" if gaps else standings.isolation))
        if note := repetition_note(standings):
            facts.append(("note", note))
    return "<dl>" + "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in facts) + "</dl>"


def _link(name: str, names: dict[str, str]) -> str:
    return Markup(f'<a href="{STUDENTS}/{names[name]}">{escape(name)}</a>') if name in names else name


def _standings(standings: Standings, book: Sequence[Student], names: dict[str, str]) -> str:
    plan = standings.progress.plan
    by_player = {student.player: student for student in book if student.player is not None}
    graded = any(student.points is not None for student in book)
    head = ["", "player", *(["points"] if graded else []), "score", "games", "wins", "draws", "losses"]
    head += ["Elo", "95 % interval"] if standings.pool is not None else ["mean payoff", "95 % interval"]
    rows = []
    for player in standings.order:
        if player in plan.replaced:
            continue
        student, score = by_player.get(player), standings.scores[player]
        name = plan.names[player]
        shown = _link(name, names) if student is not None else Markup(f"<i>{escape(name)}</i> (reference)")
        if student is not None and student.late:
            shown = Markup(f"{shown} <span class=note>joined later</span>")
        points = "" if student is None or student.points is None else f"{student.points:g}"
        row = ["" if student is None else student.place, shown, *([points] if graded else [])]
        row += [f"{score.points:g}", str(score.games), str(score.wins), str(score.draws), str(score.losses)]
        row += _rated(standings, player)
        rows.append(row)
    note = standings.pool.note if standings.pool is not None else ""
    return table(head, rows, words=2) + (f"<p class=note>{escape(note)}.</p>" if note else "")


def _rated(standings: Standings, player: int) -> list[str]:
    if not standings.scores[player].games:
        return ["-", "-"]
    if standings.pool is not None:
        rating = standings.pool.ratings[player]
        return [elo_text(rating.elo), f"[{elo_text(rating.low)}, {elo_text(rating.high)}]"]
    mean = standings.means[player]
    return [f"{mean.mean:+.3f}", f"[{mean.low:+.3f}, {mean.high:+.3f}]"]


def _crosstable(standings: Standings, names: dict[str, str]) -> str:
    plan = standings.progress.plan
    order = [player for player in standings.order if player not in plan.replaced]
    rows = []
    for place, player in enumerate(order, 1):
        shown = _link(plan.names[player], names)
        row = [Markup(f"{place}. {shown if isinstance(shown, Markup) else escape(shown)}")]
        for other in order:
            wins, draws, losses = standings.crosstable[player][other]
            row.append(Markup("·" if other == player else f"{wins + draws / 2:g}" if wins + draws + losses else ""))
        rows.append(row)
    return table(["points against", *map(str, range(1, len(order) + 1))], rows, kind="cross")


def _causes_of_losses(standings: Standings, names: dict[str, str]) -> str:
    """Who lost how many games by what, worst first; nothing where all was by the rules."""
    plan = standings.progress.plan
    rows = []
    for player in standings.order:
        causes = Counter({c: n for c, n in standings.scores[player].causes.items() if c not in (NORMAL, "repetition")})
        if causes and player not in plan.replaced:
            words = ", ".join(f"{cause} {count}" for cause, count in causes.most_common())
            rows.append((sum(causes.values()), [_link(plan.names[player], names), words]))
    if not rows:
        return "<p class=note>Every game was decided by the rules of the game.</p>"
    rows.sort(key=lambda row: -row[0])
    note = "<p class=note>Games that a program lost otherwise than by the rules of the game.</p>"
    return note + table(["player", "games", "by"], [[name, str(n), words] for n, (name, words) in rows], words=3)


def _checks(found: Found, book: Sequence[Student], names: dict[str, str]) -> str:
    rows = []
    for student in sorted(book, key=lambda each: each.name.casefold()):
        check = student.check
        verdict = _verdict(check)
        rows.append([_link(student.name, names), verdict, check.about or "-", student.note or "-"])
    return table(["student", "check", "program", "what is to be mended"], rows, words=4)


def _verdict(check: Check) -> Markup:
    if check.passed:
        return Markup("<span class=yes>✓ passed</span>")
    words = "plays, with faults" if check.fit else "cannot play"
    return Markup(f"<span class=no>✗ {words}</span>")


# -- a student's page --------------------------------------------------------------------------------------


def student_page(found: Found, standings: Standings | None, student: Student, records: Records | None) -> str:
    """What a student is told: the check, every game, and why each lost one was lost."""
    check = found.waiting.get(student.name)
    body = [_student_facts(found, standings, student)]
    if student.account is not None:
        body.append(section("Points", account_table(student.account)))
    if check is not None:
        body.append(section("Check of the last submission", check_steps(check)))
        body.append("<p class=note>The submission before it goes on playing.</p>")
    body.append(section("Check", check_steps(student.check)))
    command = escape(home_command(found.settings, student.check.place))
    body.append(f"<p>The same check at home:</p><pre>{command}</pre>")
    viewer = NOTHING
    if standings is not None and student.player is not None and records is not None:
        games = _own_games(standings, student.player)
        lost = [outcome for outcome in games if half_points(outcome, student.player) == 0]
        body.append(section("Lost games", _lost(records, student.player, lost)))
        body.append(section("All games", _all_games(standings, student.player, games)))
        drawn = Viewer(records, found.game)
        for outcome in lost:
            drawn.add(outcome)
        viewer = drawn.data()
    heading = "Lost games, move by move"
    return page(f"{student.name}: {found.settings.game}", "\n".join(body), viewer, heading)


def _student_facts(found: Found, standings: Standings | None, student: Student) -> str:
    facts = [("game", found.settings.game), ("mode", found.settings.modes[0]), ("program", student.check.about or "-")]
    if student.points is not None:
        facts.append(("points", f"{student.points:g}"))
    if standings is not None and student.player is not None:
        score = standings.scores[student.player]
        facts.append(("place", student.place or "-"))
        facts.append(("score", f"{score.points:g} of {score.games} ({score.wins} won, {score.draws} drawn)"))
        value, interval = _rated(standings, student.player)
        facts.append(("Elo" if standings.pool is not None else "mean payoff", f"{value}, 95 % interval {interval}"))
    return "<dl>" + "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in facts) + "</dl>"


def account_table(account: Account) -> str:
    """What points were given for, line by line."""
    rows = []
    for line in account.lines:
        taken = line.most is None
        given = f"{round(line.points, 2):+g}" if taken else f"{round(line.points, 2):g}"
        rows.append([line.words, given, "" if taken else f"{line.most:g}"])
    rows.append(["sum", f"{account.points:g}", ""])
    return table(["for", "points", "of"], rows) + f"<p class=note>The sum is {escape(account.limits)}.</p>"


def check_steps(check: Check) -> str:
    rows = []
    for step in check.steps:
        mark = Markup("<span class=yes>✓</span>") if step.passed else Markup("<span class=no>✗</span>")
        raw = f"<pre>{escape(_raw(step.raw))}</pre>" if step.raw and not step.passed else ""
        rows.append([mark, step.name, Markup(escape(step.words) + raw)])
    return table(["", "step", ""], rows, words=3)


def _raw(text: str) -> str:
    return "\n".join(printable(line) for line in text[-MOST_RAW:].strip().splitlines())


def _own_games(standings: Standings, player: int) -> list[Outcome]:
    return [outcome for outcome in standings.outcomes if player in outcome.seats]


def _lost(records: Records, player: int, lost: Sequence[Outcome]) -> str:
    """Every lost game with its reason, and what the program wrote where that was it."""
    if not lost:
        return "<p class=note>None.</p>"
    plan = records.plan
    rows = []
    for outcome in lost:
        _, record = records.game(outcome.game)
        seat = outcome.seats.index(player)
        own = seat in dict(outcome.offences) or outcome.offender == seat
        reason = record.note if own else "by the rules of the game"
        raw = f"<pre>{escape(_raw(record.raw))}</pre>" if own and record.raw else ""
        others = " v ".join(plan.names[other] for other in outcome.seats if other != player)
        link = Markup(f'<a href="#game-{outcome.game}">{outcome.game}</a>')
        ending = record.termination if own else NORMAL
        rows.append(
            [link, others, str(seat + 1), ending, Markup(escape(printable(reason)) + raw), str(len(record.plies))]
        )
    return table(["game", "against", "seat", "ended", "reason", "plies"], rows, words=5)


def _all_games(standings: Standings, player: int, games: Sequence[Outcome]) -> str:
    names = standings.progress.plan.names
    rows = []
    for outcome in games:
        words = ("lost", "drawn", "won")[half_points(outcome, player)]
        others = " v ".join(names[other] for other in outcome.seats if other != player)
        seat = str(outcome.seats.index(player) + 1)
        rows.append([str(outcome.game), others, seat, words, outcome.termination])
    return table(["game", "against", "seat", "result", "ended"], rows, words=5)
