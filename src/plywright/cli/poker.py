"""`plywright poker frequencies`: how often each kind of hand comes, counted hand by hand."""

from __future__ import annotations

from typing import Annotated, Any

import typer

poker_app = typer.Typer(name="poker", help="Poker hands: how often each kind comes.", no_args_is_help=True)


@poker_app.callback()
def poker() -> None:
    """Poker hands: how often each kind comes."""


@poker_app.command()
def frequencies(
    cards: Annotated[int, typer.Option("--cards", help="Cards in a hand: 5, 6 or 7.")] = 5,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")] = False,
) -> None:
    """Count every hand: frequencies, probabilities, odds against, and how often a hand is at least that good."""
    from rich.table import Table

    from ..games.poker_hands import frequencies as counted
    from .console import busy, out, print_json

    with busy("counting hands"):
        counts = counted(cards)
    total, running = sum(counts.values()), 0
    rows: list[dict[str, Any]] = []
    for name, count in reversed(counts.items()):
        running += count
        against = (total - count) / count if count else None
        rows.append(
            {
                "hand": name,
                "count": count,
                "probability": count / total,
                "odds_against": against,
                "cumulative": running / total,
            }
        )
    if json:
        print_json({"cards": cards, "total": total, "hands": rows})
        return
    table = Table("hand", box=None, header_style="bold")
    for title in ("hands", "probability", "odds against", "this or better"):
        table.add_column(title, justify="right")
    for row in rows:
        odds = "-" if row["odds_against"] is None else f"{odds_text(row['odds_against'])} : 1"
        table.add_row(
            row["hand"],
            f"{row['count']:,}",
            f"{percent(row['probability'])} %",
            odds,
            f"{percent(row['cumulative'])} %",
        )
    table.add_row("all", f"{total:,}", "100 %", "", "")
    out.print(table)


def percent(share: float) -> str:
    """Three digits that matter, also of what is rare."""
    return f"{100 * share:.3g}"


def odds_text(odds: float) -> str:
    return f"{odds:,.0f}" if odds >= 100 else f"{odds:.4g}"
