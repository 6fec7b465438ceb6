"""One owner of a search: `Task.run` and `stop`, tables handed on from move to move, and searches that are awaited."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

import plywright
from plywright import Limit, load_game, search
from plywright.engine import make_task
from plywright.engine.alphabeta.pvs_counters import AGE
from plywright.engine.alphabeta.pvs_search import EngineSearch
from plywright.engine.alphabeta.transposition import RESOLVED_BIT, depth_of, empty_words, forget_proofs, probe, store
from plywright.engine.chance.expectiminimax_search import Expectation
from plywright.players import Clock, Mode, Playing
from plywright.players.searching import SearchPlayer
from plywright.result import SearchResult
from plywright.rng import seeded

T = TypeVar("T")
ALGORITHMS = [
    ("othello", "pvs", {}),
    ("othello", "alphabeta", {}),
    ("othello", "mcts", {}),
    ("dots-and-boxes", None, {"knowledge": "none"}),
    ("pig", "expectiminimax", {}),
    ("jewels", "maxn", {}),
    ("liars-dice", "ismcts", {"seat": 0}),
    ("liars-dice", "deals", {"seat": 0}),
    ("liars-dice", "deals", {"seat": 0, "inner": "mcts", "inner_nodes": 1 << 40}),
]


def view_of(game: plywright.Game) -> object:
    from plywright.players.searching import first_view

    return first_view(game)[0] if game.hidden else None


@pytest.mark.parametrize(("name", "algorithm", "options"), ALGORITHMS)
def test_one_word_stops_any_search_in_fifty_milliseconds(name: str, algorithm: str | None, options: dict) -> None:
    game = load_game(name)
    with make_task(
        game,
        view_of(game),
        Limit(time=0.1),
        algorithm,
        {key: 10 if key == "inner_nodes" else value for key, value in options.items()},
    ) as warm:
        warm.run()  # compiles
    lates = []
    for pause in (0.0, 0.003, 0.05, 0.05, 0.05):
        with make_task(game, view_of(game), Limit(time=60.0), algorithm, options) as task:
            told: list[float] = []

            def stop(task=task, told=told) -> None:
                told.append(time.monotonic())
                task.stop()

            timer = threading.Timer(pause, stop)
            timer.start()
            found = task.run(lambda found: None)
            if told:  # it may have found a clear answer before
                lates.append(time.monotonic() - told[0])
            timer.join()
        assert found.action is not None
    assert max(lates) < 10, "a stop was lost"
    assert min(lates) < 0.05, f"{lates} s after stop()"  # the best: the machine may be busy


def test_a_search_stopped_before_it_runs_still_has_a_legal_move() -> None:
    game = load_game("othello")
    with make_task(game, None, Limit(time=60.0), "pvs", {}) as task:
        task.stop()
        began = time.monotonic()
        found = task.run()
    assert time.monotonic() - began < 1.0
    assert found.action in game.actions(game.start_state)


def test_run_reports_every_finished_depth_of_a_fixed_depth_too() -> None:
    heard: list[SearchResult] = []
    game = load_game("othello")
    with make_task(game, None, Limit(depth=5), None, {}) as task:
        found = task.run(heard.append)
    assert [one.depth for one in heard] == [1, 2, 3, 4, 5]
    plain = search(game, depth=5)
    assert (found.value, found.line, found.nodes) == (plain.value, plain.line, plain.nodes)
    assert found.game is game and heard[0].game is game


# -- tables from move to move ----------------------------------------------------------------------------------------


def searched(
    game: plywright.Game, state: object, after: EngineSearch | None, nodes: int
) -> tuple[EngineSearch, SearchResult]:
    task = make_task(game, state, Limit(nodes=nodes), "pvs", {}, after=after)
    assert isinstance(task, EngineSearch)
    return task, task.run()


def test_a_table_goes_from_one_search_of_a_game_to_the_next() -> None:
    game = load_game("othello")
    first, found = searched(game, None, None, nodes=200_000)
    state = game.start_state
    for action in found.line[:2]:
        state = game.result(state, action)
    second, deeper = searched(game, state, first, nodes=50_000)
    assert second.work.table is first.work.table
    assert second.work.info[AGE] == first.work.info[AGE] + 1
    assert deeper.depth > searched(game, state, None, nodes=50_000)[1].depth
    first.close()  # gives nothing away that is still in use
    assert make_task(game, None, Limit(nodes=1), "pvs", {}).work.table is not second.work.table


def test_an_exact_search_takes_no_table_over() -> None:
    game = load_game("connect-four")
    before, _ = searched(game, None, None, nodes=300_000)
    state = game.result(game.start_state, 3)
    with make_task(game, state, Limit(depth=7), "pvs", {}, after=before) as task:
        assert task.work.table is not before.work.table
        found, plain = task.run(), search(game, state, depth=7)
    assert (found.value, found.line, found.nodes) == (plain.value, plain.line, plain.nodes)


def test_other_knowledge_or_another_size_takes_no_table_over() -> None:
    game = load_game("othello")
    before, _ = searched(game, None, None, nodes=1000)
    for options in ({"knowledge": "none"}, {"table": 16.0}):
        with make_task(game, None, Limit(nodes=1000), "pvs", options, after=before) as task:
            assert task.work.table is not before.work.table


def test_where_repetition_decides_proofs_are_forgotten() -> None:
    table = empty_words(64)
    store(table, 0, 0x1234, 7, 3, 5, 1, 1, 0)
    store(table, 4, 0x9876, 8, 3, 6, 0, 1, 0)
    assert probe(table, 0, 0x1234) & RESOLVED_BIT
    forget_proofs(table, 15)
    assert [depth_of(probe(table, 0, 0x1234)), depth_of(probe(table, 4, 0x9876))] == [5, 6]


def test_a_player_keeps_its_table_for_one_game_only() -> None:
    game = load_game("othello")
    player = SearchPlayer("pvs", nodes=20_000)
    clock = Clock(Mode("nodes", 20_000))

    def played() -> list[tuple[int, int]]:
        player.begin(game, 0, 1)
        state, kept = game.start_state, []
        for _ in range(6):
            action = player.choose(game, Playing(game, state).turn(clock, seeded(1)))
            kept.append((action, player.info["depth"]))
            state = game.result(state, action)
        return kept

    first = played()
    assert player.before is not None and played() == first  # nothing of the last game is left
    player.close()
    assert player.before is None


def test_a_stopped_depth_evaluates_nothing_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer of the depth before it counts; a network takes longer in Python than a clock's margin allows."""
    depths = []
    report = Expectation.report

    def noted(task: Expectation, value: float, line: Any, proved: bool, depth: int, values: Any) -> SearchResult:
        depths.append(depth)
        return report(task, value, line, proved, depth, values)

    monkeypatch.setattr(Expectation, "report", noted)
    with make_task(load_game("backgammon"), None, Limit(nodes=2000), None, {}) as task:
        found = task.run()
    assert task.stopped and found.depth == 1 and depths == [1]


def test_nodes_searched_without_a_look_at_the_clock_fit_into_the_time() -> None:
    """By the speed of the depths before: a network's few nodes per second are not taken for those of simple rules."""
    game = load_game("backgammon")
    search(game, depth=1)
    with make_task(game, None, Limit(time=0.1), None, {}) as task:
        assert isinstance(task, Expectation)
        task.to_depth(1)
        task.nodes, task.began = 400, time.monotonic() - 0.04  # 10,000 per second
        task.deadline = time.monotonic() + 0.1
        assert 0 < task._inline(2) <= 500


# -- asyncio ---------------------------------------------------------------------------------------------------------


def apart(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run it in a thread of its own: in this one a browser of other tests may have a loop at work."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(main())).result()


def test_an_awaited_search_is_the_search() -> None:
    async def main() -> SearchResult:
        return await plywright.search_async("othello", depth=5)

    found, plain = apart(main), search("othello", depth=5)
    assert (found.value, found.line, found.nodes) == (plain.value, plain.line, plain.nodes)


@pytest.mark.parametrize("compiled", [None, False])
def test_an_awaited_search_is_cancelled_within_fifty_milliseconds(compiled: bool | None) -> None:
    search("othello", depth=1)

    async def main() -> tuple[float, int]:
        ticks = 0
        waiting = asyncio.ensure_future(plywright.search_async("othello", time=60.0, compiled=compiled))
        for _ in range(10):
            await asyncio.sleep(0.01)
            ticks += 1
        began = time.monotonic()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        return time.monotonic() - began, ticks

    tried = []
    while len(tried) < 5 and min(tried, default=1.0) >= 0.05:  # the machine may be busy
        seconds, ticks = apart(main)
        tried.append(seconds)
        assert seconds < 5 and ticks == 10
    assert min(tried) < 0.05, tried
    deadline = time.monotonic() + 10
    while any(thread.name == "plywright-async" for thread in threading.enumerate()):
        assert time.monotonic() < deadline, "the search goes on"
        time.sleep(0.01)


def test_a_mistake_is_raised_where_it_is_awaited() -> None:
    async def main() -> None:
        await plywright.search_async("othello", depth=0)

    with pytest.raises(plywright.BadInput, match="depth must be"):
        apart(main)


def test_the_arguments_of_an_awaited_search_are_those_of_search() -> None:
    import inspect

    assert inspect.signature(plywright.search_async) == inspect.signature(search)


@pytest.mark.parametrize(("game", "algorithm", "options"), [("nim", "pvs", {}), ("pig", "expectiminimax", {})])
def test_a_search_that_is_over_is_not_run_again(game: str, algorithm: str, options: dict[str, object]) -> None:
    """Its table may be another search's by now."""
    with make_task(load_game(game), None, Limit(depth=2), algorithm, options, compiled=False) as task:
        first = task.run()
        assert task.run().value == first.value
    for again in (task.run, lambda: next(task.stream())):
        with pytest.raises(plywright.BadInput, match=r"is over.*make a new one"):
            again()


def test_a_search_that_has_handed_its_table_on_is_not_run_again() -> None:
    game = load_game("nim")
    task = make_task(game, None, Limit(nodes=50), "pvs", {}, compiled=False)
    task.run()
    with make_task(game, None, Limit(nodes=50), "pvs", {}, compiled=False, after=task) as successor:
        assert successor.work.table is task.work.table  # type: ignore[attr-defined]
        with pytest.raises(plywright.BadInput, match="is over"):
            task.run()


@pytest.mark.parametrize(
    ("first", "begun_with", "line", "played"),
    [
        ("above", 5, (), 5),  # 5 beat the window; time ran out while it was measured
        ("below", 5, (5,), 4),  # 4 fell below the window, then 5 was looked at first, and nobody knows if it is better
        ("below", 4, (), 4),
        ("below", 4, (5,), 5),  # 4 was measured first, and 5 is better
    ],
)
def test_a_stopped_depth_plays_only_what_beats_the_best_so_far(
    first: str, begun_with: int, line: tuple[int, ...], played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = enumerate([(4,), (4,), (4,), (4,), (5,) if first == "above" else (), line])

    def once(self: EngineSearch, state: object, depth: int, low: int, high: int) -> tuple[int, bool]:
        number, found = next(runs)
        self.work.length[0], self.work.line[: len(found)] = len(found), found
        self.work.actions[0], self.searched = begun_with, max(self.searched, 1)
        self.stopped = number == 5
        return (0 if low < 0 < high and depth < 5 else high if first == "above" else low), False

    monkeypatch.setattr(EngineSearch, "_once", once)
    with make_task(load_game("tic-tac-toe"), None, Limit(nodes=1 << 40), "pvs", {}) as task:
        assert task.run().action == played
