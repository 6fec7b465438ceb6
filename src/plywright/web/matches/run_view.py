"""How a run stands and how its games went, as what the templates show."""

from __future__ import annotations

import math
from typing import Any
from urllib.parse import urlencode

from ...arena.records.export import last_attempts, payoffs_text
from ...arena.records.replaying import Step, steps
from ...arena.records.run_file import Records
from ...arena.standings import Standings, blame_notes, ending_notes, repetition_note, sprt_data
from ...arena.statistics.bankroll import bankroll
from ...draw.curve import Series, curve_picture
from ...draw.intervals import Interval, intervals
from ...draw.picture import Picture
from ...game import Game
from ...outcome_text import elo_text, points_text, proof_text, with_minus
from ..doors import doors


def standings_shown(found: Standings) -> dict[str, Any]:
    """The standings so far: a table of `columns` and `rows`, a cross table, a picture of the intervals, remarks."""
    plan = found.progress.plan
    with_elo, with_mean = found.pool is not None, plan.seats != 2 or found.graded
    columns = ["points", "games", "wins", "draws", "losses"] + ["score", "Elo", "95 % interval"] * (plan.seats == 2)
    columns += ["mean payoff", "95 % interval"] * with_mean + ["bankroll"] * (plan.seats != 2)
    won = bankroll(found.outcomes, len(plan.players)) if plan.seats != 2 else []
    rows = []
    for place, player in zip(found.places, found.order, strict=True):
        score = found.scores[player]
        cells = [f"{score.points:g}", *(str(n) for n in (score.games, score.wins, score.draws, score.losses))]
        if plan.seats == 2:
            cells += [f"{100 * score.points / score.games:.1f} %" if score.games else "–", *_rating(found, player)]
        if with_mean:
            mean = found.means[player]
            known = mean.count and math.isfinite(mean.mean)
            cells += _mean_cells(mean.mean, mean.low, mean.high) if known else ["–", "–"]
        if plan.seats != 2:
            cells.append(with_minus(f"{won[player]:+g}"))
        rows.append({"place": place, "name": plan.names[player], "cells": cells})
    return {
        "columns": columns,
        "rows": rows,
        "cross": _cross(found) if with_elo and len(plan.players) > 2 else [],
        "picture": _picture(found) if found.games else None,
        "remarks": remarks(found),
        "played": found.played,
        "different": found.different,
        "planned": len(found.progress.units),
    }


def _mean_cells(mean: float, low: float, high: float) -> list[str]:
    """A mean payoff and its interval, with as many decimals as make sense of their size."""
    digits = 1 if max(abs(mean), abs(low), abs(high)) >= 10 else 3
    return [with_minus(f"{mean:+.{digits}f}"), with_minus(f"{low:+.{digits}f} to {high:+.{digits}f}")]


def _rating(found: Standings, player: int) -> list[str]:
    """Elo and its interval: in a tournament of the pool, in a match of the one over the other."""
    if not found.scores[player].games:
        return ["–", "–"]
    if found.pool is not None:
        rating = found.pool.ratings[player]
        elo, low, high = rating.elo, rating.low, rating.high
    else:
        result = found.estimate
        assert result is not None
        sign = 1 if player == 0 else -1
        elo, low, high = sign * result.elo, *sorted((sign * result.low, sign * result.high))
    return [with_minus(elo_text(elo)), with_minus(f"{elo_text(low)} to {elo_text(high)}")]


def _cross(found: Standings) -> list[dict[str, Any]]:
    """Points of each player against each other, in the order of the table."""
    rows = []
    for place, player in zip(found.places, found.order, strict=True):
        cells = []
        for other in found.order:
            wins, draws, losses = found.crosstable[player][other]
            cells.append("·" if other == player else f"{wins + draws / 2:g}" if wins + draws + losses else "–")
        rows.append({"place": place, "name": found.progress.plan.names[player], "cells": cells})
    return rows


def _picture(found: Standings) -> Picture:
    plan = found.progress.plan
    if found.pool is not None:
        ratings = found.pool.ratings
        met = [p for p in found.order if found.scores[p].games]
        rows = [Interval(plan.names[p], ratings[p].elo, ratings[p].low, ratings[p].high) for p in met]
        return intervals(rows, "Elo, with the 95 % interval")
    if plan.seats != 2:
        means = found.means
        rows = [Interval(plan.names[p], means[p].mean, means[p].low, means[p].high) for p in found.order]
        return intervals(rows, "mean payoff, with the 95 % interval", digits=3)
    result = found.estimate
    assert result is not None
    row = Interval(plan.names[0], result.elo, result.low, result.high)
    return intervals([row], f"Elo of {plan.names[0]} over {plan.names[1]}, with the 95 % interval")


def remarks(found: Standings) -> list[str]:
    """What a reader of the table should know besides."""
    progress = found.progress
    words = [note] if (note := repetition_note(found)) else []
    if found.estimate is not None and 0 < 2 * sum(found.pairs) < found.games:
        words.append(f"Elo counts the {2 * sum(found.pairs)} games that are whole pairs, with the seats changed")
    if found.estimate is not None and found.games:
        chance = f"{100 * found.estimate.los:.1f} %"
        words.append(f"likelihood that {progress.plan.names[0]} is the stronger player: {chance}")
        words += [found.estimate.note] * bool(found.estimate.note)
    if found.pool is not None and found.pool.note and found.games:
        words.append(found.pool.note)
    if (test := sprt_data(found)) is not None:
        low, high = test["bounds"]
        words.append(
            f"SPRT {progress.plan.sprt}: {test['llr']:.2f} between {low:.2f} and {high:.2f}, {test['verdict']}"
        )
    words += [*ending_notes(found), *blame_notes(found, list(progress.plan.names))]
    words += [f"disqualified: {progress.plan.names[player]} ({why})" for player, why in progress.disqualified.items()]
    return words


# -- games ---------------------------------------------------------------------------------------------------------


def games_shown(records: Records) -> list[dict[str, Any]]:
    """Every finished game in a line."""
    names = records.plan.names
    return [
        {
            "number": outcome.game,
            "players": [names[player] for player in outcome.seats],
            "payoffs": payoffs_text(outcome.payoffs),
            "ending": outcome.termination,
            "seconds": f"{outcome.seconds:.2f}",
        }
        for outcome in last_attempts(records)
    ]


LATEST = 4
"""Boards of the games that ended last."""


def latest_shown(game: Game, records: Records) -> list[dict[str, Any]]:
    """How the last games ended that count, the newest first: a board each."""
    if not game.overrides("picture"):
        return []
    found = []
    counted = [outcome for outcome in last_attempts(records) if outcome.payoffs is not None]
    for outcome in sorted(counted, key=lambda outcome: -outcome.game)[:LATEST]:
        *_, last = steps(game, records.game(outcome.game)[1])
        words = " v ".join(records.plan.names[player] for player in outcome.seats)
        action = last.action if last.seat != -1 else None
        picture = game.picture(last.state, action)
        found.append({"number": outcome.game, "last": last.number, "picture": picture, "words": words})
    return found


def game_shown(game: Game, records: Records, number: int, at: int) -> dict[str, Any]:
    """A game at one of its positions: the picture, all moves with time and value, and the values as a plot."""
    outcome, record = records.game(number)
    played = list(steps(game, record))
    at = min(at, len(played) - 1)
    step = played[at]
    names = [records.plan.names[player] for player in outcome.seats]
    texts = [each.text for each in played[1 : at + 1]]
    begin = played[0].state
    start = "" if begin == game.start_state else game.format_state(begin)
    moves = game.join_moves(texts)
    return {
        "doors": doors(game, records.plan.game, start, moves, "matches"),
        "shared": f"/play/new?{urlencode({'game': records.plan.game, 'start': start, 'moves': moves})}",
        "whole": {"game": records.plan.game, "start": start, "moves": game.join_moves([e.text for e in played[1:]])},
        "reviewable": not game.hidden,
        "number": number,
        "seats": [(game.player_name(seat), name) for seat, name in enumerate(names)],
        "at": at,
        "last": len(played) - 1,
        "picture": game.picture(step.state, step.action if step.seat != -1 else None),
        "moves": [_move(game, each) for each in played[1:]],
        "payoffs": payoffs_text(record.payoffs),
        "ending": record.termination,
        "note": record.note,
        "plot": _values(game, played),
    }


def _move(game: Game, step: Step) -> dict[str, Any]:
    info = step.info or {}
    value, depth, nodes = (info.get(name) for name in ("value", "depth", "nodes"))
    return {
        "number": step.number,
        "who": "chance" if step.seat is None or step.seat < 0 else game.player_name(step.seat),
        "text": step.text,
        "time": "opening" if step.given else "" if step.seat == -1 else f"{step.seconds:.3f} s",
        "value": _worth(game, value, bool(info.get("proved"))),
        "depth": str(depth) if isinstance(depth, int) and depth else "",
        "nodes": f"{nodes:,}" if isinstance(nodes, int) else "",
    }


def _worth(game: Game, value: Any, proved: bool) -> str:
    """A value as people say it: what is proved, or points."""
    if not _is_number(value):
        return ""
    return with_minus(proof_text(game, value) if proved else points_text(game, value))


def _values(game: Game, played: list[Step]) -> Picture | None:
    """What each seat expected, ply by ply, from its own perspective; nothing where too few said it."""
    series = []
    for seat in range(game.players):
        points = [
            (float(step.number), float(step.info["value"]))
            for step in played
            if step.seat == seat and step.info and _is_number(step.info.get("value"))
        ]
        if len(points) > 1:
            series.append(Series(game.player_name(seat), points))
    return (
        curve_picture(series, x_label="ply", y_label="value, as its player sees it", width=480, height=260)
        if series
        else None
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value)
