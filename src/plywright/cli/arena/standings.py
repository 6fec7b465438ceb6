"""The result of a match or tournament as tables for the terminal: while it runs, at its end, and in reports."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from ...arena.schedules.schedule import MATCH
from ...arena.standings import Standings, blame_notes, ending_notes, repetition_note, sprt_data
from ...arena.statistics.bankroll import bankroll, instant_runoff, runoff_order
from ...arena.statistics.skill import skills
from ...outcome_text import elo_text

WIDEST_NAME = 26


def short(name: str, width: int = WIDEST_NAME) -> str:
    return name if len(name) <= width else name[: width - 1] + "…"


def short_names(names: Sequence[str], width: int = WIDEST_NAME) -> list[str]:
    """Names cut to a width; those that would then read alike are cut in the middle, before what tells them apart."""
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        groups.setdefault(short(name, width), []).append(name)
    shown: dict[str, str] = {}
    for text, group in groups.items():
        start = next((place for place, signs in enumerate(zip(*group, strict=False)) if len(set(signs)) > 1), None)
        start = min(map(len, group)) if start is None else start
        shown |= {name: text if len(group) == 1 else _cut(name, start, width) for name in group}
    return [shown[name] for name in names]


def _cut(name: str, start: int, width: int) -> str:
    """The beginning of a name, and what comes from a place on, with what stands before that as far as there is room."""
    head = width // 3
    keep = width - head - 1
    start = min(start, len(name) - keep)
    return f"{name[:head]}…{short(name[start:], keep)}" if len(name) > width else name


def names_of(found: Standings) -> list[str]:
    """What the players are called where there is little room."""
    return short_names(found.progress.plan.names)


def tables(found: Standings) -> RenderableType:
    """Everything a run has shown."""
    plan = found.progress.plan
    parts: list[RenderableType] = []
    if plan.kind == MATCH and plan.seats == 2:
        parts += [match_table(found), *estimate_lines(found)]
    elif plan.seats == 2:
        parts += [rating_table(found), Text(), cross_table(found)]
        if found.pool is not None and found.pool.note:
            parts.append(Text(f"note: {found.pool.note}", style="yellow"))
    else:
        parts += [payoff_table(found), *runoff_lines(found)]
    if plan.system.places:
        parts.append(Text(f"places: {plan.system.places}"))
    if note := repetition_note(found):
        parts.append(Text(f"note: {note}", style="yellow"))
    return Group(*parts, *cause_lines(found))


def match_table(found: Standings) -> Table:
    table = Table("player", box=None, header_style="bold")
    for name in ("wins", "draws", "losses", "points"):
        table.add_column(name, justify="right")
    for name, score in zip(names_of(found), found.scores, strict=True):
        table.add_row(escape(name), str(score.wins), str(score.draws), str(score.losses), f"{score.points:g}")
    return table


def estimate_lines(found: Standings) -> list[Text]:
    result = found.estimate
    assert result is not None
    if not found.games:
        return [Text("no games yet")]
    first = found.scores[0]
    lines = [
        Text(
            f"Elo of {names_of(found)[0]} {elo_text(result.elo, 1)}   "
            f"95 % interval [{elo_text(result.low, 1)}, {elo_text(result.high, 1)}]   "
            f"LOS {100 * result.los:.1f} %   score {100 * first.points / found.games:.1f} %"
        )
    ]
    if sum(found.pairs):
        counts = "  ".join(
            f"{name} {n}" for name, n in zip(("LL", "LD", "DD/WL", "DW", "WW"), found.pairs, strict=True)
        )
        lines.append(Text(f"pairs  {counts}"))
    if found.graded:
        mean = found.means[0]
        lines.append(Text(f"mean payoff {mean.mean:+.2f}   95 % interval [{mean.low:+.2f}, {mean.high:+.2f}]"))
    if result.note:
        lines.append(Text(f"estimate: {result.note}", style="yellow"))
    test = sprt_data(found)
    if test is not None:
        low, high = test["bounds"]
        verdict = {
            "accepted": f"accepted: {test['elo1']:g} rather than {test['elo0']:g}",
            "rejected": f"rejected: {test['elo0']:g} rather than {test['elo1']:g}",
            "open": "open",
        }[test["verdict"]]
        ratio = f"LLR {test['llr']:.2f}, bounds {low:.2f} and {high:.2f}"
        lines.append(Text(f"SPRT {found.progress.plan.sprt}   {ratio}   {verdict}"))
    return lines


def rating_table(found: Standings) -> Table:
    pool, names = found.pool, names_of(found)
    assert pool is not None
    table = Table("", "player", box=None, header_style="bold")
    for name in ("Elo", "95 % interval", "points", "wins", "draws", "losses"):
        table.add_column(name, justify="right", no_wrap=True)
    for place, player in zip(found.places, found.order, strict=True):
        rating, score = pool.ratings[player], found.scores[player]
        table.add_row(
            *(place, escape(names[player]), elo_text(rating.elo, 1) if score.games else "-"),
            f"[{elo_text(rating.low, 1)}, {elo_text(rating.high, 1)}]".replace("[", r"\["),
            *(f"{score.points:g}/{score.games}", str(score.wins), str(score.draws), str(score.losses)),
        )
    return table


def cross_table(found: Standings) -> Table:
    """Points of the row's player against the column's."""
    names = names_of(found)
    table = Table("", "points against", box=None, header_style="bold")
    for place in found.places:
        table.add_column(place, justify="right", no_wrap=True)
    for place, player in zip(found.places, found.order, strict=True):
        cells = []
        for other in found.order:
            wins, draws, losses = found.crosstable[player][other]
            cells.append("·" if other == player else f"{wins + draws / 2:g}" if wins + draws + losses else "-")
        table.add_row(place, escape(names[player]), *cells)
    return table


def payoff_table(found: Standings) -> Table:
    plan, names = found.progress.plan, names_of(found)
    table = Table("", box=None, header_style="bold")
    table.add_column("player", min_width=10, overflow="fold")  # however narrow the terminal, it says who is who
    won = bankroll(found.outcomes, len(plan.players))
    known = skills(found.outcomes, len(plan.players)) if plan.seats > 2 else None
    columns = ["mean\npayoff", "95 % interval", *(["skill"] if known else []), "bankroll", "games"]
    for name in (*columns, "best\nalone", "shared", "behind"):
        table.add_column(name, justify="right", no_wrap=True)
    for place, player in zip(found.places, found.order, strict=True):
        mean, score = found.means[player], found.scores[player]
        table.add_row(
            *(place, escape(names[player]), f"{mean.mean:+.3f}"),
            rf"\[{mean.low:+.3f}, {mean.high:+.3f}]",
            *([f"{known[player].skill:.1f} ± {known[player].high - known[player].skill:.1f}"] if known else []),
            *(f"{won[player]:+g}", str(score.games), str(score.wins), str(score.draws), str(score.losses)),
        )
    return table


def runoff_lines(found: Standings) -> list[Text]:
    """Who falls when the weakest are dropped one by one and the rest is counted again."""
    plan = found.progress.plan
    if len(plan.players) <= plan.seats:
        return []
    counts = instant_runoff(found.outcomes, len(plan.players), plan.seats)
    names = names_of(found)
    order = ", ".join(names[player] for player in runoff_order(counts))
    dropped = [names[count.dropped] for count in counts if count.dropped is not None]
    return [Text(f"instant runoff: {order}   (dropped in turn: {', '.join(dropped)})")]


def cause_lines(found: Standings) -> list[Text]:
    """How games ended otherwise than by the rules; nothing where all were normal."""
    progress = found.progress
    lines = [
        *map(Text, ending_notes(found)),
        *(Text(note, style="red") for note in blame_notes(found, names_of(found))),
    ]
    if progress.void:
        dropped = sum(progress.is_dropped(unit) for unit in progress.units.values())
        by = "".join(f", {count} by {progress.plan.names[p]}" for p, count in sorted(progress.voids.items()))
        lines.append(Text(f"void attempts {sum(progress.void.values())}{by}, games given up {dropped}", style="yellow"))
    for player, why in progress.disqualified.items():
        lines.append(Text(f"disqualified: {progress.plan.names[player]} ({why})", style="red"))
    if found.surplus:
        lines.append(Text(f"{found.surplus} games were finished after the test had stopped; they do not count"))
    return lines


def heading(found: Standings) -> str:
    plan = found.progress.plan
    return (
        f"{plan.game}, {plan.mode}, openings {plan.source}, seed {plan.seed}: "
        f"{found.played} of {len(found.progress.units)} games"
    )
