"""Schedules: who meets whom in gauntlets, Swiss systems and eliminations, and that a run by stages can be resumed."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plywright.arena.match import TOURNAMENT, make_plan, run_plan
from plywright.arena.outcome import Outcome
from plywright.arena.records.run_file import Records
from plywright.arena.schedules.pairing import REPLAYS, Pairing, Stage, System, parse_system
from plywright.arena.schedules.progress import Progress
from plywright.arena.standings import as_data, standings
from plywright.arena.statistics.skill import skills
from plywright.errors import BadInput

Judge = Callable[[Pairing], dict[int, int]]


def played(system: System, judge: Judge, gone: frozenset[int] = frozenset()) -> list[Stage]:
    stages: list[Stage] = []
    while (pairings := system.pairings(stages)) is not None:
        assert len(stages) < 200, "it never ends"
        assert len({player for pairing in pairings for player in pairing}) == sum(map(len, pairings)), "at two tables"
        stages.append(Stage({pairing: judge(pairing) for pairing in pairings}, gone))
    return stages


def stronger(pairing: Pairing) -> dict[int, int]:
    """The player that was entered later wins."""
    return {player: 2 * (player == max(pairing)) for player in pairing}


@pytest.mark.parametrize("players", [2, 3, 7, 8, 16, 33])
def test_swiss_never_pairs_twice_and_gives_everybody_a_game(players: int) -> None:
    system = parse_system("swiss", players, 2, 1)
    stages = played(system, stronger)
    assert len(stages) == system.stages_at_most == max(1, (players - 1).bit_length())
    met = Counter(frozenset(pairing) for stage in stages for pairing in stage.results)
    assert max(met.values()) == 1 or players <= 3
    idle = [set(range(players)) - set(itertools.chain(*stage.results)) for stage in stages]
    assert all(len(each) == players % 2 for each in idle)
    byes = Counter(itertools.chain(*idle))
    assert max(byes.values(), default=0) <= 1
    order = system.order(stages)
    assert order is not None and order[0] == players - 1  # the strongest has won all its games


def test_swiss_gives_a_bye_to_another_where_that_saves_a_rematch() -> None:
    """Six stages of nine players after which the last one without a bye cannot sit out without a rematch."""
    told = (
        "0-1 1:3, 2-3 4:0, 4-5 4:0, 6-7 4:0; 2-4 2:2, 8-6 0:4, 1-3 3:1, 5-0 0:4; 6-2 0:4, 1-4 1:3, 7-0 4:0, 3-8 0:4;"
        "7-2 2:2, 4-6 1:3, 8-0 0:4, 5-1 4:0; 0-2 1:3, 6-5 4:0, 4-8 1:3, 3-7 1:3; 1-6 2:2, 2-8 3:1, 7-4 3:1, 5-3 0:4"
    )
    stages = []
    for line in told.split(";"):
        games = [(one, two, first, last) for one, two, first, last in re.findall(r"(.)-(.) (.):(.)", line)]
        stages.append(Stage({(int(a), int(b)): {int(a): int(x), int(b): int(y)} for a, b, x, y in games}))
    pairings = parse_system("swiss:7", 9, 2, 2).pairings(stages)
    assert pairings is not None and len({player for pairing in pairings for player in pairing}) == 8
    met = {frozenset(pairing) for stage in stages for pairing in stage.results}
    assert not met & {frozenset(pairing) for pairing in pairings}
    idle = set(range(9)) - set(itertools.chain(*pairings))
    assert all(idle & set(itertools.chain(*stage.results)) for stage in stages), "nobody sits out twice"


def test_swiss_repeats_no_more_pairings_than_it_must() -> None:
    def least(left: tuple[int, ...]) -> int:
        others = range(1, len(left))
        rest = {other: left[1:other] + left[other + 1 :] for other in others}
        return min((least(rest[n]) + (frozenset((left[0], left[n])) in met) for n in others), default=0)

    rng, repeated = random.Random(3), 0
    for _ in range(150):
        system, stages, met = parse_system("swiss:5", 6, 2, 2), list[Stage](), set[frozenset[int]]()
        while (pairings := system.pairings(stages)) is not None:
            again = sum(frozenset(pairing) in met for pairing in pairings)
            assert again == least(tuple(range(6)))
            repeated += again
            met |= {frozenset(pairing) for pairing in pairings}
            shares = [(pairing, rng.randint(0, 4)) for pairing in pairings]
            stages.append(Stage({pairing: {pairing[0]: won, pairing[1]: 4 - won} for pairing, won in shares}))
    assert repeated > 0


def test_swiss_balances_first_seats() -> None:
    stages = played(parse_system("swiss:7", 8, 2, 1), stronger)
    first = Counter(pairing[0] for stage in stages for pairing in stage.results)
    assert max(first.values()) - min(first[player] for player in range(8)) <= 4
    assert sum(first.values()) == 28


def test_swiss_of_more_seats_fills_tables() -> None:
    stages = played(parse_system("swiss:4", 10, 4, 1), stronger)
    assert all(len(stage.results) == 2 for stage in stages)
    sat = Counter(player for stage in stages for pairing in stage.results for player in pairing)
    assert min(sat.values()) >= 3  # nobody sits out twice as long as others have not


def all_tables(players: tuple[int, ...], seats: int) -> Iterator[list[Pairing]]:
    """Every way in which players can sit down at tables."""
    if not players:
        yield []
    for others in itertools.combinations(players[1:], seats - 1):
        table = (players[0], *others)
        for rest in all_tables(tuple(player for player in players if player not in table), seats):
            yield [table, *rest]


def meetings(tables: Iterable[Pairing]) -> list[frozenset[int]]:
    return [frozenset(two) for table in tables for two in itertools.combinations(table, 2)]


@pytest.mark.parametrize(("players", "seats"), [(6, 3), (9, 3), (8, 4)])
def test_swiss_of_more_seats_repeats_no_more_meetings_than_it_must(players: int, seats: int) -> None:
    rng = random.Random(players)
    for _ in range(3):
        met: Counter[frozenset[int]] = Counter()

        def again(tables: Iterable[Pairing], met: Counter[frozenset[int]] = met) -> int:
            return sum(met[two] for two in meetings(tables))

        system, stages = parse_system("swiss:4", players, seats, 1), list[Stage]()
        while (pairings := system.pairings(stages)) is not None:
            assert again(pairings) == min(map(again, all_tables(tuple(range(players)), seats)))
            met.update(meetings(pairings))
            winners = {pairing: rng.choice(pairing) for pairing in pairings}
            stages.append(Stage({each: {p: 2 * (p == winners[each]) for p in each} for each in pairings}))


def test_swiss_of_sixty_at_tables_of_four_repeats_no_meeting() -> None:
    stages = played(parse_system("swiss:8", 60, 4, 1), stronger)
    met = Counter(two for stage in stages for two in meetings(stage.results))
    assert len(stages) == 8 and max(met.values()) == 1


@pytest.mark.parametrize("players", [2, 3, 5, 8, 13, 64])
@pytest.mark.parametrize(("name", "lives"), [("knockout", 1), ("double-elimination", 2)])
def test_an_elimination_ends_with_one_and_the_strongest_wins(players: int, name: str, lives: int) -> None:
    system = parse_system(name, players, 2, 2)
    stages = played(system, stronger)
    losses = Counter(min(pairing) for stage in stages for pairing in stage.results)
    assert losses[players - 1] == 0
    assert all(losses[player] == lives for player in range(players - 1))
    order = system.order(stages)
    assert order is not None and order[0] == players - 1
    assert len(stages) <= system.stages_at_most


def test_any_results_end_an_elimination() -> None:
    for seed in range(40):
        dice = random.Random(seed)

        def judge(pairing: Pairing, dice: random.Random = dice) -> dict[int, int]:
            half = dice.choice((0, 2, 4))
            return {pairing[0]: half, pairing[1]: 4 - half}

        system = parse_system(dice.choice(("knockout", "double-elimination")), dice.randint(2, 20), 2, 2)
        stages = played(system, judge)
        assert len(stages) <= system.stages_at_most and stages


def test_ties_are_played_again_and_then_the_better_seed_goes_on() -> None:
    stages = played(parse_system("knockout", 2, 2, 2), lambda pairing: dict.fromkeys(pairing, 2))
    assert len(stages) == REPLAYS + 1
    assert parse_system("knockout", 2, 2, 2).order(stages) == [0, 1]


def test_a_disqualified_player_meets_nobody_any_more() -> None:
    out = frozenset({3})
    for name in ("swiss:3", "knockout", "double-elimination"):
        system = parse_system(name, 6, 2, 1)
        stages = played(system, stronger, out)
        assert all(3 not in pairing for stage in stages[1:] for pairing in stage.results)


def test_a_gauntlet_is_the_first_against_the_others() -> None:
    assert parse_system("gauntlet", 4, 2, 2).pairings([]) == [(0, 1), (0, 2), (0, 3)]
    assert parse_system("gauntlet", 4, 3, 2).pairings([]) == [(0, 1, 2), (0, 1, 3), (0, 2, 3)]


@pytest.mark.parametrize(
    ("text", "seats", "words"),
    [
        ("ladder", 2, "there is no schedule 'ladder'; there are round-robin"),
        ("swiss:0", 2, "from 1 to 999"),
        ("swiss:x", 2, "from 1 to 999"),
        ("knockout:3", 2, "takes no number"),
        ("double-elimination:", 2, "takes no number"),
        ("swiss:", 2, "from 1 to 999"),
        ("knockout", 3, "for games of two players, not of 3"),
    ],
)
def test_bad_schedules_are_named(text: str, seats: int, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        parse_system(text, 6, seats, 2)


def run(path: Path, schedule: str, stop: int | None = None) -> Progress:
    """Play a tournament of tic-tac-toe in this process; stop by force after so many games."""
    texts = ["random", "first", "minimax:depth=1", "minimax:depth=2", "random"]
    plan, _ = make_plan(TOURNAMENT, texts, "tic-tac-toe", games=2, mode="depth:1", schedule=schedule)

    def heard(outcome: Any, progress: Progress) -> None:
        if stop is not None and len(progress.counted) >= stop:
            raise KeyboardInterrupt

    with Records.begin(path, plan) as records:
        return run_plan(records, heard=heard)


def test_skill_in_games_of_three_follows_the_rankings_and_its_interval_narrows() -> None:
    def games(count: int) -> list[Outcome]:
        seats = list(itertools.permutations(range(3)))
        return [
            Outcome(n, 1, n, seat, tuple(float(player) for player in seat), "normal", None, (), 0.0, "", "")
            for n in range(count)
            for seat in (seats[n % 6],)
        ]

    few, many = skills(games(3), 3), skills(games(60), 3)
    assert few is not None and many is not None
    assert many[0].skill < many[1].skill < many[2].skill and many[0].high < many[2].low
    assert all(more.high - more.low < less.high - less.low for more, less in zip(many, few, strict=True))
    drawn = [game._replace(payoffs=(0.0, 0.0, 0.0)) for game in games(12)]
    level = skills(drawn, 3)
    assert level is not None and max(each.skill for each in level) - min(each.skill for each in level) < 1e-6


@pytest.mark.parametrize("schedule", ["swiss:3", "knockout", "double-elimination", "gauntlet"])
def test_a_run_by_stages_resumes_and_reads_as_it_was_played(tmp_path: Path, schedule: str) -> None:
    whole = run(tmp_path / "whole.plywright", schedule)
    for stop in (1, 3, 5):
        path = tmp_path / f"{stop}.plywright"
        with pytest.raises(KeyboardInterrupt):
            run(path, schedule, stop)
        again = run(path, schedule)
        assert [(unit.key, again.counted[n].payoffs) for n, unit in again.units.items()] == [
            (unit.key, whole.counted[n].payoffs) for n, unit in whole.units.items()
        ]
    with Records.open(tmp_path / "whole.plywright") as records:
        read = Progress(records.plan, records.outcomes())
        assert records.game(len(read.units))[0].game == len(read.units)
        from plywright import load_game

        data = as_data(standings(read, load_game("tic-tac-toe")))
    assert read.stages == whole.stages and not read.left()
    assert data["schedule"] == schedule and len(data["standings"]) == 5
    assert len({unit.key for unit in read.units.values()}) == len(read.units)
