"""A run as one HTML file: standings, cross table, intervals, causes, time, and every game to step through.

The file needs nothing from outside and forbids itself to ask. Boards are drawn here; what they have
in common is kept once, so that a game takes about as much room as its moves.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from ...draw.intervals import Interval, intervals
from ...game import Game
from ...outcome_text import elo_text
from ...programs.isolation import unbounded
from ..records.export import last_attempts
from ..records.run_file import Records
from ..standings import Standings, repetition_note, sprt_data
from .report_parts import Viewer, page, section, table

SIGNS = ("LL", "LD", "DD or WL", "DW", "WW")


def report_page(
    records: Records, game: Game, found: Standings, heard: Callable[[int, int], Any] = lambda number, of: None
) -> str:
    """The whole page."""
    plan = records.plan
    title = f"{plan.kind.capitalize()}: {plan.game}"
    body = [
        _facts(records, found),
        section("Standings", _standings(found), interval_figure(found)),
        section("Cross table", _crosstable(found)) if plan.seats == 2 and len(plan.players) > 2 else "",
        section("Pairs of games", _pairs(found)) if found.estimate is not None else "",
        section("How games ended", _causes(found)),
        section("Time", _times(records)),
    ]
    return page(title, "\n".join(body), _games(records, game, heard).data())


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
    return table(head, rows) + note


def interval_figure(found: Standings) -> str:
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
    return table(head, rows)


def _pairs(found: Standings) -> str:
    rows = [[str(count) for count in found.pairs]]
    note = "<p class=note>Two games of one opening with seats swapped, from the first player's perspective.</p>"
    return table(SIGNS, rows, words=0) + note


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
    return table(["player", *causes], rows) + note


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
    return table(["player", "moves", "in all", "mean of a move", "longest move"], rows)


def _games(records: Records, game: Game, heard: Callable[[int, int], Any]) -> Viewer:
    """Every game, to step through as long as there is room."""
    viewer = Viewer(records, game)
    outcomes = last_attempts(records)
    for done, outcome in enumerate(outcomes, 1):
        heard(done, len(outcomes))
        viewer.add(outcome)
    return viewer
