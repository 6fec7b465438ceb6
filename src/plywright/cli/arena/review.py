"""`plywright review`: a game that was played, with what every move lost."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape
from rich.table import Table

from ...arena.records.game_file import PlayedGame, read_game
from ...arena.reports.review import VERDICTS, Judgement, review, summary
from ...arena.reports.review_page import graph, player_text, review_page
from ...engine import Limit
from ...errors import BadInput
from ...files import check_writable, write_whole
from ...outcome_text import difference_text
from ..console import busy, out, print_json, worth_text

SECONDS = 0.2
"""For each search."""


def show_review(
    path: Path,
    given: str | None,
    number: int | None,
    *,
    limit: Limit | None,
    exact: int,
    knowledge: str | None,
    html: Path | None,
    svg: Path | None,
    json: bool,
) -> None:
    if exact < 0:
        raise BadInput(f"--exact is a number of plies, not {exact}")
    for file in filter(None, (svg, html)):
        check_writable(file)
    played = read_game(path, given, number)
    with busy(f"reviewing {played.game.name}") as say:
        judged = review(
            played,
            limit or Limit(time=SECONDS),
            exact=exact,
            knowledge=knowledge,
            heard=lambda done, of: say(f"reviewing {played.game.name}: {done} of {of} moves, from the last"),
        )
    game = played.game
    if svg is not None:
        write_whole(svg, graph(game, judged).encode())
    opening = game.opening_name(played.start, played.actions)
    if html is not None:
        title = f"Review: {game.name}, {path.name}" + (f" ({opening})" if opening else "")
        write_whole(html, review_page(game, judged, title, played.names).encode())
    if json:
        seats = {str(seat): vars(one) for seat, one in summary(game, judged).items()}
        moves = [one.as_dict() for one in judged]
        facts = {"game": game.name, "opening": opening, "players": list(played.names)}
        print_json({**facts, "summary": seats, "moves": moves})
        return
    if opening:
        out.print(f"opening: {opening}", markup=False)
    _print(played, judged)
    for file in filter(None, (svg, html)):
        out.print(f"wrote {file}", markup=False)


def _print(played: PlayedGame, judged: list[Judgement]) -> None:
    game = played.game
    head = ("no.", "player", "move", "value", "best", "value", "lost", "chance", "")
    table = Table(*head, box=None, header_style="bold")
    for one in judged:
        row = [str(one.number), game.player_name(one.seat), one.text, worth_text(game, one.value)]
        if one.best == one.action:
            row += ["", "", ""]
        else:
            row += [one.best_text, worth_text(game, one.best_value)]
            row += [difference_text(game, one.best_value, one.value)]
        words = " ".join(filter(None, (one.verdict, "(exact)" if one.exact else "")))
        table.add_row(*map(escape, (*row, f"{100 * one.chance:.0f} %", words)))
    out.print(table)
    out.print()
    counts = Table(
        "player",
        "moves",
        "lost a move",
        "points a move",
        *(name for _, name in VERDICTS),
        box=None,
        header_style="bold",
    )
    for seat, own in summary(game, judged).items():
        numbers = [
            str(own.moves),
            difference_text(game, own.loss, 0.0),
            f"{own.points:.1f}",
            *map(str, own.verdicts.values()),
        ]
        counts.add_row(escape(player_text(game, seat, played.names)), *numbers)
    out.print(counts)
