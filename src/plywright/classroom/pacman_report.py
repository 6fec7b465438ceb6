"""Pages of a class of Pac-Man agents: one for the teacher, one for each student, with games to step through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..arena.reports.report_parts import Frames, page, section, table
from ..draw.intervals import Interval, intervals
from ..draw.svg import Markup
from ..files import write_whole
from ..games.pacman.rules import Pacman
from ..pacman.grade import ROUNDS, WON, start_of
from .course import Settings, home_command
from .grading import OFFENCES, GradeRule
from .pacman_class import Graded, Grading, account_of, alike, check_of
from .report import REPORT, STUDENTS, account_table, check_steps, page_names

DRAWN = 4_000
"""Rounds that are drawn in a student's page."""


class _Games(Frames):
    """Games of agents, a picture for each round."""

    rest = "there is no room for more"

    def __init__(self, by: Grading, most: int = DRAWN) -> None:
        super().__init__(most)
        self.by = by
        self.games = [Pacman(maze, rounds=ROUNDS) for maze in by.layouts]

    def add(self, graded: Graded, index: int, number: int) -> None:
        """One game: on which layout, and which one there."""
        part = graded.report["layouts"][index]
        game, ending = self.games[index], part["endings"][number]
        row = {
            "number": 1 + index * self.by.games + number,
            "players": [f"{graded.name} on {game.maze.name}, game {number + 1}"],
            "payoffs": f"{part['scores'][number]:+d}",
            "ending": ending,
            "note": _reason(part, number) if ending != WON else "",
        }
        self.put(row, self._rounds(game, part["lines"][number], number))

    def _rounds(self, game: Pacman, line: str, number: int) -> Iterator[tuple[str, str]]:
        """The start, and what a round has come to: his move, then those of all ghosts."""
        _, state = start_of(game, self.by.seed, number)
        words = "start"
        for at in range(0, len(line), game.players):
            yield f"{words}   score {int(state.score)}", game.picture(state).svg
            moves = [int(digit) for digit in line[at : at + game.players]]
            words = f"round {int(state.rounds) + 1}: {game.format_action(state, moves[0])}"
            for move in moves:
                state = game.result(state, move)
        yield f"{words}   score {int(state.score)}", game.picture(state).svg


def _reason(part: dict[str, Any], number: int) -> str:
    """Why a game was not won: each reason begins with the game's number."""
    return next(
        (reason for reason in part["lost"] if reason.startswith((f"game {number + 1}:", f"game {number + 1},"))), ""
    )


def write_pages(
    settings: Settings,
    by: Grading,
    found: Sequence[Graded],
    rows: Sequence[dict[str, Any]],
    rule: GradeRule | None,
    notes: Sequence[str] = (),
) -> Path:
    """The teacher's page and one for each student; the path of the teacher's."""
    folder = settings.folder
    (folder / STUDENTS).mkdir(exist_ok=True)
    names = page_names([each.name for each in found])
    for each in found:
        row = next(row for row in rows if row["name"] == each.name)
        text = _student_page(settings, by, each, row, account_section(row, rows, found, rule))
        write_whole(folder / STUDENTS / names[each.name], text.encode())
    body = [_facts(settings, by, found)]
    body += ["<ul class=note>" + "".join(f"<li>{escape(note)}</li>" for note in notes) + "</ul>"] if notes else []
    body += [section("Standings", _standings(rows, names), _figure(rows)), _causes(rows, names), _checks(found, names)]
    if twins := alike(found):
        body.append(
            section("Agents that play alike", f"<ul>{''.join(f'<li>{escape(t.words())}</li>' for t in twins)}</ul>")
        )
    games = _Games(by)
    for number in range(by.games):  # something of everybody, before there is no room
        for each in found:
            for index in range(len(by.layouts) if each.report else 0):
                games.add(each, index, number)
    write_whole(folder / REPORT, page(f"Class: {settings.game}", "\n".join(body), games.data()).encode())
    return folder / REPORT


def account_section(
    row: dict[str, Any], rows: Sequence[dict[str, Any]], found: Sequence[Graded], rule: GradeRule | None
) -> str:
    account = account_of(row, rows, found, rule)
    return "" if account is None else section("Points", account_table(account))


def _facts(settings: Settings, by: Grading, found: Sequence[Graded]) -> str:
    facts = [
        ("game", settings.game),
        ("layouts", ", ".join(maze.name for maze in by.layouts)),
        ("games", f"{by.games} on each, from seed {by.seed}"),
        ("time", f"{by.seconds:g} s a move"),
        ("students", str(len(found))),
        ("passed the check", str(sum(check_of(each).passed for each in found))),
        ("isolation", "; ".join(sorted({each.report["isolation"] for each in found if each.report})) or "-"),
    ]
    return "<dl>" + "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in facts) + "</dl>"


def _link(name: str, names: dict[str, str]) -> Markup:
    return Markup(f'<a href="{STUDENTS}/{names[name]}">{escape(name)}</a>')


def _standings(rows: Sequence[dict[str, Any]], names: dict[str, str]) -> str:
    graded = any(row["points"] is not None for row in rows)
    head = ["", "student", *(["points"] if graded else []), "won", "mean score", "95 % interval"]
    head += ["expansions", "faults", "best moves"]
    lines = []
    for row in rows:
        shown = _link(row["name"], names)
        if row["joined_late"]:
            shown = Markup(f"{shown} <span class=note>joined later</span>")
        line = [str(row["place"] or "-"), shown, *([f"{row['points']:g}"] if graded else [])]
        if row["games"]:
            best = f"{row['moves_right']}/{row['moves_checked']}" if row["moves_checked"] else "-"
            line += [f"{row['won']}/{row['games']}", f"{row['mean_score']:g}"]
            line += [f"[{row['mean_low']:.0f}, {row['mean_high']:.0f}]", f"{row['expansions']:,}"]
            line += [str(row["faults"] or "-"), best]
        else:
            line += ["-"] * 6
        lines.append(line)
    return table(head, lines, words=2)


def _figure(rows: Sequence[dict[str, Any]]) -> str:
    shown = [
        Interval(row["name"], row["mean_score"], row["mean_low"], row["mean_high"]) for row in rows if row["games"]
    ]
    return f"<figure>{intervals(shown, 'mean score, with the 95 % interval').svg}</figure>" if shown else ""


def _causes(rows: Sequence[dict[str, Any]], names: dict[str, str]) -> str:
    """Who lost how many games by a fault, worst first."""
    lines = []
    for row in sorted(rows, key=lambda row: -(row["faults"] or 0)):
        words = ", ".join(f"{cause} {row[cause]}" for cause in OFFENCES if row[cause])
        if words:
            lines.append([_link(row["name"], names), str(row["faults"]), words])
    note = "<p class=note>Games that an agent lost by a fault, with 500 points.</p>"
    none = "<p class=note>No game was lost by a fault.</p>"
    return section("Causes of losses", note + table(["agent", "games", "by"], lines, words=3) if lines else none)


def _checks(found: Sequence[Graded], names: dict[str, str]) -> str:
    lines = []
    for each in found:
        check = check_of(each)
        verdict = Markup("<span class=yes>✓ passed</span>" if check.passed else "<span class=no>✗ to be mended</span>")
        lines.append([_link(each.name, names), verdict, each.about or "-", check.first_fault or "-"])
    return section("Checks", table(["student", "check", "agent", "what is to be mended"], lines, words=4))


def _student_page(settings: Settings, by: Grading, each: Graded, row: dict[str, Any], account: str) -> str:
    body = [account, section("Check", check_steps(check_of(each)))]
    command = escape(home_command(settings, each.place))
    body.append(f"<p>The same check at home:</p><pre>{command}</pre>")
    games = _Games(by)
    if each.report:
        parts = (*each.report["layouts"], each.total)
        lines = [
            [part["layout"], f"{part['wins']}/{part['games']}", f"{part['mean_score']:.1f}", f"{part['expansions']:,}"]
            for part in parts
        ]
        body.append(section("Layouts", table(["layout", "won", "mean score", "expansions"], lines)))
        body.append(section("Games that were not won", _lost(by, each)))
        body += [_missed(missed) for missed in each.report["moves_missed"]]
        for index, part in enumerate(each.report["layouts"]):
            for number, ending in enumerate(part["endings"]):
                if ending != WON:
                    games.add(each, index, number)
    return page(
        f"{each.name}: {settings.game}", "\n".join(body), games.data(), "Games that were not won, round by round"
    )


def _lost(by: Grading, each: Graded) -> str:
    """Every game that was not won with its reason, and where it can be seen."""
    lines = []
    for index, part in enumerate(each.report["layouts"]):
        for number, ending in enumerate(part["endings"]):
            if ending != WON:
                game = 1 + index * by.games + number
                link = Markup(f'<a href="#game-{game}">{game}</a>')
                reason = Markup(f"<pre>{escape(_reason(part, number))}</pre>")
                lines.append([link, part["layout"], ending, reason, str(part["scores"][number])])
    return table(["game", "layout", "ended", "reason", "score"], lines, words=4) if lines else "<p class=note>None.</p>"


def _missed(missed: dict[str, Any]) -> str:
    words = f"position {missed['number']} on {missed['layout']}: best is {' or '.join(missed['best'])}"
    chosen = f", {missed['chosen']} was chosen" if missed["chosen"] else ""
    return f"<p>{escape(words + chosen)}</p><pre>{escape(missed['picture'])}</pre>"
