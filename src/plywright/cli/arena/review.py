"""`plywright review`: a game that was played, with what every move lost."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from ...arena.records.game_file import PlayedGame, read_game
from ...arena.reports.review import VERDICTS, Judgement, review, summary
from ...arena.reports.review_page import graph, player_text, review_page
from ...engine import Limit
from ...errors import BadInput
from ...files import check_writable, same_place, write_whole
from ...game import Game
from ...outcome_text import difference_text
from ..console import busy, out, print_json

SECONDS = 0.2
"""For each search."""
FIRST_SIGN = 5.0
"""Seconds before the first line of progress where standard error is no terminal."""


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
    _check_apart({str(path): path, "--html": html, "--svg": svg})
    played = read_game(path, given, number)
    done, of = 0, len(played.actions)
    clock = _Remaining(exact)
    with busy(f"reviewing {played.game.name}", FIRST_SIGN) as say:

        def heard(judged: int, moves: int) -> None:
            nonlocal done
            done = judged
            left = clock.words(judged, moves)
            say(f"reviewing {played.game.name}: {judged:,} of {moves:,} moves, from the last{left}")

        try:
            judged = review(played, limit or Limit(time=SECONDS), exact=exact, knowledge=knowledge, heard=heard)
        except KeyboardInterrupt:
            print(f"\nplywright: stopped after {done:,} of {of:,} moves; nothing was written", file=sys.stderr)
            raise
    game = played.game
    if svg is not None:
        write_whole(svg, graph(game, judged).encode())
    opening = game.opening_name(played.start, played.actions)
    if html is not None:
        which = path.name if number is None else f"{path.name}, game {number}"
        title = f"Review: {game.name}, {which}" + (f" ({opening})" if opening else "")
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


class _Remaining:
    """How long a review still takes, by the moves so far; those with exact values, which come first, say nothing."""

    def __init__(self, exact: int) -> None:
        self.exact = exact
        self.began: tuple[float, int] | None = None

    def words(self, judged: int, moves: int) -> str:
        now = time.monotonic()
        if self.began is None and judged >= self.exact:
            self.began = now, judged
        if self.began is None or judged == self.began[1]:
            return ""
        left = (now - self.began[0]) / (judged - self.began[1]) * (moves - judged)
        return f", about {left / 60:.0f} min more" if left >= 60 else ""


def _check_apart(places: Mapping[str, Path | None]) -> None:
    """Refuse to write two files into one, or over the game that is reviewed."""
    given = [(name, place) for name, place in places.items() if place is not None]
    for (name, place), (other, written) in combinations(given, 2):
        if same_place(place, written):
            raise BadInput(f"{other} {written} would overwrite {name}: name another file")


def _print(played: PlayedGame, judged: list[Judgement]) -> None:
    game = played.game
    if game.evaluation_unit is not None:
        out.print(f"values and what was lost in {game.evaluation_unit[1]}, points of winning chance", markup=False)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for head in ("ply", "player", "move", "value", "best", "value", "lost", "points", "chance", ""):
        table.add_column(head, no_wrap=head not in ("player", "value"))
    for one in judged:
        value, best, _ = one.told(game)
        row = [str(one.number), game.player_name(one.seat), one.text, _bare(game, value)]
        if one.best == one.action:
            row += [""] * 4
        else:
            lost = difference_text(game, one.best_value, one.value)
            row += [one.best_text, _bare(game, best), lost, f"{one.points:.1f}"]
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
            "" if own.loss is None else difference_text(game, own.loss, 0.0),
            f"{own.points:.1f}",
            *map(str, own.verdicts.values()),
        ]
        counts.add_row(escape(player_text(game, seat, played.names)), *numbers)
    out.print(counts)


def _bare(game: Game, text: str) -> str:
    """A value without the unit, which stands over the table."""
    if game.evaluation_unit is None:
        return text
    name = game.evaluation_unit[1]
    return text.removesuffix(f" {name}").removesuffix(f" {name.removesuffix('s')}")
