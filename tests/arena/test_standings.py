"""Standings are counted kind by kind; here they are counted game by game."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any

import pytest

from plywright import load_game
from plywright.arena.game_record import GameRecord, Ply
from plywright.arena.outcome import Outcome
from plywright.arena.records.run_file import Records
from plywright.arena.reports.report_parts import Viewer
from plywright.arena.schedules.openings import Opening
from plywright.arena.schedules.progress import Progress
from plywright.arena.schedules.schedule import MATCH, TOURNAMENT, Entrant, Plan
from plywright.arena.standings import blame_notes, ending_notes, standings

ENDINGS = ("normal", "illegal", "late", "crashed")


def random_run(rng: random.Random, seats: int) -> tuple[Plan, list[Outcome]]:
    """A run whose games ended anyhow: some void, some with offences, some the same game again."""
    players = seats if rng.random() < 0.3 else seats + rng.randint(1, 3)
    plan = Plan(
        kind=MATCH if players == seats else TOURNAMENT,
        game="tic-tac-toe",
        rules="abc",
        seats=seats,
        players=tuple(Entrant(f"p{n}", f"p{n}") for n in range(players)),
        mode="depth:1",
        games=rng.randint(1, 4 * seats),
        source="start",
        openings=(Opening(),),
        seed=1,
        margin=0.05,
        once=rng.random() < 0.5,
    )
    found = []
    for unit in Progress(plan).units.values():
        if rng.random() < 0.1:
            continue
        if rng.random() < 0.1:
            found.append(Outcome(unit.number, 1, unit.round, unit.seats, None, "void", None, (), 0.1, "none", ""))
            continue
        payoffs = tuple(float(rng.choice((-1, 0, 1, 3))) for _ in range(seats))
        ending = rng.choice(ENDINGS)
        guilty = rng.sample(range(seats), rng.randint(1, seats)) if ending != "normal" else []
        offences = tuple((seat, rng.choice(ENDINGS[1:])) for seat in guilty)
        offender = guilty[0] if guilty and rng.random() < 0.8 else None
        line = f"line {rng.randint(1, 12)}"
        end = payoffs, ending, offender, offences
        found.append(Outcome(unit.number, 1, unit.round, unit.seats, *end, 0.1, "none", "", line))
    return plan, found


@pytest.mark.parametrize("seats", [2, 3])
def test_standings_are_those_of_a_count_game_by_game(seats: int) -> None:
    rng, game = random.Random(seats), load_game("tic-tac-toe")
    for _ in range(100):
        plan, outcomes = random_run(rng, seats)
        count = len(plan.players)
        games, points, causes = [0] * count, [0.0] * count, [Counter[str]() for _ in range(count)]
        table: Counter[tuple[int, int, int]] = Counter()
        means: dict[int, list[float]] = {player: [] for player in range(count)}
        rounds: dict[int, list[Outcome]] = {}
        seen = set()
        for outcome in outcomes:
            if outcome.payoffs is not None and not (plan.once and (outcome.seats, outcome.line) in seen):
                seen.add((outcome.seats, outcome.line))
                rounds.setdefault(outcome.round, []).append(outcome)
        for played in rounds.values():
            own: dict[int, list[float]] = {}
            for outcome in played:
                assert outcome.payoffs is not None
                for seat, player in enumerate(outcome.seats):
                    paid = outcome.payoffs[seat]
                    best = max(other for place, other in enumerate(outcome.payoffs) if place != seat)
                    games[player] += 1
                    points[player] += 1 if paid > best else 0.5 if paid == best else 0
                    if seats == 2:
                        table[player, outcome.seats[1 - seat], 0 if paid > best else 1 if paid == best else 2] += 1
                    first = next((cause for offender, cause in outcome.offences if offender == seat), None)
                    if first is None and outcome.offender is None:
                        first = outcome.termination  # nobody's fault: it is said of everybody
                    elif first is None and outcome.offender == seat:
                        first = outcome.termination
                    causes[player][first or "normal"] += 1
                    own.setdefault(player, []).append(paid)
            for player, values in own.items():
                means[player].append(sum(values) / len(values))
        found = standings(Progress(plan, outcomes), game)
        assert [score.games for score in found.scores] == games
        assert [score.points for score in found.scores] == points
        assert [+score.causes for score in found.scores] == causes
        if seats == 2:
            cross = {(a, b, k): found.crosstable[a][b][k] for a in range(count) for b in range(count) for k in range(3)}
            assert {key: value for key, value in cross.items() if value} == dict(table)
        for player, mean in enumerate(found.means):
            values = means[player]
            assert mean.count == len(values)
            assert mean.mean == (fmean(values) if values else 0.0)
            if len(values) > 2 and stdev(values) and mean.high < 1 and mean.low > -1:
                assert mean.low < mean.mean < mean.high


def test_how_games_ended_is_said_once_for_both_players() -> None:
    score = SimpleNamespace(causes=Counter({"normal": 7, "repetition": 2, "adjudicated": 1}))
    other = SimpleNamespace(causes=Counter({"normal": 6, "late": 1, "repetition": 2, "adjudicated": 1}))
    plan: Any = SimpleNamespace(seats=2)
    found: Any = SimpleNamespace(scores=[score, other], progress=SimpleNamespace(plan=plan))
    assert ending_notes(found) == ["games that ended by repetition: 2", "games that ended by adjudication: 1"]
    assert blame_notes(found, ["pvs", "uci"]) == ["uci: late 1"]


def test_a_report_reads_no_moves_that_it_does_not_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a hundred thousand games some two thousand are drawn; the moves of all the others were read as well."""
    plan = Plan(
        *(MATCH, "tic-tac-toe", load_game("tic-tac-toe").fingerprint, 2, (Entrant("a", "a"), Entrant("b", "b"))),
        *("depth:1", 30, "start", (Opening(),), 1, 0.05, None, False),
    )
    game = load_game("tic-tac-toe")
    read: list[int] = []
    plies = tuple(Ply(n % 2, action, 0.1) for n, action in enumerate((0, 3, 1, 4, 2)))
    with Records.begin(tmp_path / "run", plan) as records:
        for unit in Progress(plan).units.values():
            ending = ((1.0, -1.0), "illegal", 1) if unit.number == 30 else ((1.0, -1.0), "normal", None)
            told = {"raw": "play <z9>", "note": "no move"} if unit.number == 30 else {}
            records.add(unit, GameRecord("tic-tac-toe", ("a", "b"), "", (), plies, *ending, **told))  # type: ignore[arg-type]
        one = records.game
        monkeypatch.setattr(records, "game", lambda number: (read.append(number), one(number))[1])
        viewer = Viewer(records, game, most=20)
        for outcome in records.outcomes():
            viewer.add(outcome)
    rows = viewer.data()["games"]
    assert read == [1, 2, 3, 4] and [row["number"] for row in rows if "steps" in row] == read and len(rows) == 30
    assert rows[29]["note"] == "no move (as it came: 'play <z9>')" and rows[29]["payoffs"] == "+1  -1"
