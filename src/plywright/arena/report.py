"""A run as one HTML file: standings, cross table, intervals, causes, time, and every game to step through.

The file needs nothing from outside and forbids itself to ask. Boards are drawn here; what they have
in common is kept once, so that a game takes about as much room as its moves.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from ..draw.intervals import Interval, intervals
from ..draw.svg import colour_variables
from ..game import Game
from ..outcome_text import elo_text, value_text
from ..programs.isolation import unbounded
from .records import Records
from .replaying import steps
from .schedule import MATCH
from .standings import Standings, repetition_note, sprt_data

DRAWN = 20_000
"""Positions that are drawn; games beyond them are listed and left to `plywright replay`."""
SIGNS = ("LL", "LD", "DD or WL", "DW", "WW")


def report_page(
    records: Records, game: Game, found: Standings, heard: Callable[[int, int], Any] = lambda number, of: None
) -> str:
    """The whole page."""
    plan = records.plan
    title = f"{plan.kind.capitalize()}: {plan.game}"
    body = [
        _facts(records, found),
        _section("Standings", _standings(found), _intervals(found)),
        _section("Cross table", _crosstable(found)) if plan.seats == 2 and len(plan.players) > 2 else "",
        _section("Pairs of games", _pairs(found)) if found.estimate is not None else "",
        _section("How games ended", _causes(found)),
        _section("Time", _times(records)),
    ]
    template = files(__package__).joinpath("report.html").read_text(encoding="utf-8")
    parts = {
        "title": escape(title),
        "style": colour_variables(),
        "body": "\n".join(body),
        "games": _packed(_games(records, game, heard)),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda name: parts[name[1]], template)


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{''.join(parts)}</section>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """A table whose first `words` columns are words and whose others are numbers."""
    top = "".join(f"<th{'' if i < words else ' class=n'}>{escape(name)}</th>" for i, name in enumerate(head))
    lines = []
    for row in rows:
        cells = "".join(f"<td{'' if i < words else ' class=n'}>{escape(cell)}</td>" for i, cell in enumerate(row))
        lines.append(f"<tr>{cells}</tr>")
    return f"<div class=wide><table><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"


def _facts(records: Records, found: Standings) -> str:
    plan, progress = records.plan, found.progress
    sessions = records.sessions()
    last = sessions[-1] if sessions else {}
    facts = [
        ("game", plan.game),
        ("mode", plan.mode),
        ("games", f"{found.played} of {len(progress.units)}, {found.different} of them different"),
        ("stopping rule", f"{plan.rule}; fixed before the first game"),
        ("openings", f"{plan.source} ({len(plan.openings)})"),
        ("seed", str(plan.seed)),
        ("isolation", f"{found.isolation} ({gaps})" if (gaps := unbounded(found.isolation)) else found.isolation),
        ("played with", f"plywright {last.get('plywright')}, Python {last.get('python')}, {last.get('system')}"),
        ("sessions", str(len(sessions))),
        ("record", records.path.name),
    ]
    for player, why in progress.disqualified.items():
        facts.append(("disqualified", f"{plan.names[player]}: {why}"))
    if note := repetition_note(found):
        facts.append(("note", note))
    if found.surplus:
        facts.append(("not counted", f"{found.surplus} games that were finished after the test had stopped"))
    return "<dl>" + "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in facts) + "</dl>"


def _standings(found: Standings) -> str:
    plan = found.progress.plan
    rows = []
    for place, player in zip(found.places, found.order, strict=True):
        score = found.scores[player]
        row = [f"{place}. {plan.names[player]}", f"{score.points:g}", str(score.games)]
        row += [str(score.wins), str(score.draws), str(score.losses)]
        if found.pool is not None:
            rating = found.pool.ratings[player]
            row += [elo_text(rating.elo) if score.games else "-", f"[{elo_text(rating.low)}, {elo_text(rating.high)}]"]
        if found.graded or plan.seats != 2:
            mean = found.means[player]
            row += [f"{mean.mean:+.3f}", f"[{mean.low:+.3f}, {mean.high:+.3f}]"]
        rows.append(row)
    head = ["player", "points", "games", "wins", "draws", "losses"]
    head += ["Elo", "95 % interval"] if found.pool is not None else []
    head += ["mean payoff", "95 % interval"] if found.graded or plan.seats != 2 else []
    note = f"<p class=note>{escape(found.pool.note)}.</p>" if found.pool is not None and found.pool.note else ""
    return _table(head, rows) + note


def _intervals(found: Standings) -> str:
    plan = found.progress.plan
    if not found.games:
        return ""
    if found.pool is not None:
        met = [player for player in found.order if found.scores[player].games]
        rows = [Interval(plan.names[player], *_three(found.pool.ratings[player])) for player in met]
        return f"<figure>{intervals(rows, 'Elo, with the 95 % interval').svg}</figure>"
    if plan.seats != 2:
        rows = [
            Interval(plan.names[p], found.means[p].mean, found.means[p].low, found.means[p].high) for p in found.order
        ]
        return f"<figure>{intervals(rows, 'mean payoff, with the 95 % interval', digits=3).svg}</figure>"
    result = found.estimate
    assert result is not None
    row = Interval(plan.names[0], result.elo, result.low, result.high)
    label = f"Elo of {plan.names[0]} over {plan.names[1]}, with the 95 % interval"
    words = f"<p>Likelihood that {escape(plan.names[0])} is the stronger player: {100 * result.los:.1f} %.</p>"
    note = f"<p class=note>The estimate: {escape(result.note)}.</p>" if result.note else ""
    return f"<figure>{intervals([row], label).svg}</figure>{words}{note}{_sprt(found)}"


def _three(rating: Any) -> tuple[float, float, float]:
    return rating.elo, rating.low, rating.high


def _sprt(found: Standings) -> str:
    test = sprt_data(found)
    if test is None:
        return ""
    low, high = test["bounds"]
    return (
        f"<p>SPRT of Elo {test['elo0']:g} against {test['elo1']:g} ({escape(test['model'])}, error rates "
        f"{test['alpha']:g} and {test['beta']:g}): log-likelihood ratio {test['llr']:.2f} between the bounds "
        f"{low:.2f} and {high:.2f}: <b>{escape(test['verdict'])}</b>.</p>"
    )


def _crosstable(found: Standings) -> str:
    plan = found.progress.plan
    rows = []
    for place, player in zip(found.places, found.order, strict=True):
        row = [f"{place}. {plan.names[player]}"]
        for other in found.order:
            wins, draws, losses = found.crosstable[player][other]
            row.append("·" if other == player else f"{wins + draws / 2:g}" if wins + draws + losses else "")
        rows.append(row)
    head = ["points against", *found.places]
    return _table(head, rows)


def _pairs(found: Standings) -> str:
    rows = [[str(count) for count in found.pairs]]
    note = "<p class=note>Two games of one opening with seats swapped, from the first player's perspective.</p>"
    return _table(SIGNS, rows, words=0) + note


def _causes(found: Standings) -> str:
    causes = sorted({cause for score in found.scores for cause in score.causes}, key=lambda c: (c != "normal", c))
    rows = [
        [name, *(str(score.causes.get(cause, 0)) for cause in causes)]
        for name, score in zip(found.progress.plan.names, found.scores, strict=True)
    ]
    void = sum(found.progress.void.values())
    by = ", ".join(f"{count} by {found.progress.plan.names[p]}" for p, count in sorted(found.progress.voids.items()))
    blame = f" ({escape(by)}, late while the machine was overloaded)" if by else ""
    note = f"<p class=note>{void} attempts were void and were played again{blame}.</p>" if void else ""
    return _table(["player", *causes], rows) + note


def _times(records: Records) -> str:
    names = records.plan.names
    rows = [
        [
            names[player],
            f"{moves:,}",
            f"{seconds:.2f} s",
            f"{1000 * seconds / max(moves, 1):.2f} ms",
            f"{longest:.3f} s",
        ]
        for player, (moves, seconds, longest) in sorted(records.times().items())
    ]
    return _table(["player", "moves", "in all", "mean of a move", "longest move"], rows)


# -- games to step through ---------------------------------------------------------------------------------


def _games(records: Records, game: Game, heard: Callable[[int, int], Any]) -> dict[str, Any]:
    """Every game: who, how it ended, and its positions as numbers into one table of pieces of SVG."""
    pieces: dict[str, int] = {}
    plan, rows, drawn = records.plan, [], 0
    counted: dict[int, bool] = {}
    for outcome in records.outcomes():
        counted[outcome.game] = counted.get(outcome.game, False) or outcome.payoffs is not None
    for done, number in enumerate(counted, 1):
        heard(done, len(counted))
        outcome, record = records.game(number)
        row: dict[str, Any] = {
            "number": number,
            "players": [plan.names[player] for player in outcome.seats],
            "payoffs": "void" if record.payoffs is None else "  ".join(value_text(payoff) for payoff in record.payoffs),
            "ending": record.termination,
            "note": record.note + (f" (as it came: {record.raw!r})" if record.raw else ""),
        }
        if drawn < DRAWN and (record.plies or record.opening):
            row["steps"] = [_step(game, step, row["players"], pieces) for step in steps(game, record)]
            drawn += len(row["steps"])
        rows.append(row)
    return {"kind": plan.kind == MATCH, "pieces": list(pieces), "games": rows}


def _step(game: Game, step: Any, names: list[str], pieces: dict[str, int]) -> dict[str, Any]:
    picture = game.picture(step.state, step.action if step.seat != -1 else None)
    parts = re.findall(r"<[^>]*>[^<]*", picture.svg)
    numbers = [pieces.setdefault(part, len(pieces)) for part in parts]
    if step.action is None:
        return {"words": "start", "svg": numbers}
    who = "chance" if step.seat is None or step.seat < 0 else f"{game.player_name(step.seat)} ({names[step.seat]})"
    words = [f"{step.number}. {who}: {step.text}"]
    if step.given:
        words.append("opening")
    elif step.seat is not None and step.seat >= 0:
        words.append(f"{step.seconds:.3f} s")
    for name in ("value", "depth", "nodes"):
        value = (step.info or {}).get(name)
        if isinstance(value, (int, float)):
            words.append(f"{name} {value:,g}" if name != "nodes" else f"nodes {value:,}")
    return {"words": "   ".join(words), "svg": numbers}


def _packed(data: dict[str, Any]) -> str:
    """JSON, compressed, in letters that need no escaping."""
    text = json.dumps(data, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()
