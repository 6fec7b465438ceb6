"""Which work is blamed for the loss of a worker: here against a scheduler that says and does what a test tells it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("distributed")

from plywright.cluster import executor as cluster_module
from plywright.cluster.executor import Cluster, WorkerLost
from plywright.cluster.parcel import code_stamp, code_words

FIRST, SECOND = "tcp://10.0.0.1:1", "tcp://10.0.0.2:1"


def work(number: int) -> int:
    return number


class Remote:
    """Something that a worker does: under way until a test says otherwise."""

    def __init__(self, result: Any = None, status: str = "pending") -> None:
        self.value, self.status = result, status

    def done(self) -> bool:
        return self.status != "pending"

    def result(self, timeout: float = 0) -> Any:
        return self.value

    def exception(self, timeout: float = 0) -> Exception:
        return type("KilledWorker", (Exception,), {})()

    def add_done_callback(self, called: Callable[[Any], None]) -> None:
        pass


class Scheduler:
    """In the place of Dask's client: workers, what they do, and the events that a scheduler keeps."""

    status, dashboard_link = "running", ""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.given: dict[str, list[Remote]] = {}
        self.events: dict[str, list[tuple[float, dict[str, Any]]]] = {"scheduler": []}
        self.clock = 0.0

    def nthreads(self) -> dict[str, int]:
        return dict(self.places)

    def scheduler_info(self, **_: object) -> dict[str, Any]:
        return {"workers": {}}  # what Dask's client holds after it has asked for no workers

    def get_events(self, topic: str) -> list[tuple[float, dict[str, Any]]]:
        return self.events.get(topic, [])

    def submit(self, function: Any, *arguments: Any, workers: list[str], key: str, **_: object) -> Remote:
        if key.startswith("plywright-code"):
            return Remote((code_stamp(), code_words()), "finished")
        self.given.setdefault(workers[0], []).append(Remote())
        return self.given[workers[0]][-1]

    def close(self) -> None:
        pass

    def _log(self, topic: str, **event: Any) -> None:
        self.clock += 1
        self.events.setdefault(topic, []).append((self.clock, event))

    def join(self, place: str, threads: int = 1) -> None:
        self._log(place, action="add-worker")
        self.places[place] = threads

    def leave(self, place: str, how: str) -> None:
        if how == "silent":
            self._log("scheduler", action="worker-ttl-timed-out", workers=[place])
        if how != "unknown":
            self._log(place, action="remove-worker", expected=how == "retired")
        self.places.pop(place)
        self.given.pop(place, None)


@pytest.fixture
def scheduler(monkeypatch: pytest.MonkeyPatch) -> Scheduler:
    made = Scheduler()
    monkeypatch.setattr(cluster_module, "LOOK", 0.01)
    monkeypatch.setattr(Cluster, "_connect", lambda self, seconds: made)
    return made


@pytest.fixture
def cluster(scheduler: Scheduler) -> Iterator[Cluster]:
    made = Cluster("tcp://10.0.0.9:8786")
    yield made
    made.shutdown(cancel_futures=True)


def until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.002)


def lose(scheduler: Scheduler, cluster: Cluster, place: str, how: str) -> None:
    """A worker that has something to do is lost, is missed, and is there again."""
    until(lambda: scheduler.given.get(place))
    scheduler.leave(place, how)
    until(lambda: all(item.place != place for item in list(cluster.items)))
    scheduler.join(place)


def test_workers_are_counted_when_all_have_been_asked(
    scheduler: Scheduler, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Remote((code_stamp(), code_words()))  # the second worker takes its time to answer
    usual = scheduler.submit

    def submit(function: Any, *arguments: Any, workers: list[str], **options: Any) -> Remote:
        return asked if workers == [SECOND] else usual(function, *arguments, workers=workers, **options)

    monkeypatch.setattr(scheduler, "submit", submit)
    scheduler.join(FIRST, threads=2)
    scheduler.join(SECOND)
    until(lambda: cluster.workers and cluster.vetting)
    later = threading.Timer(0.3, lambda: setattr(asked, "status", "finished"))
    later.start()
    assert cluster.count() == 3


def test_work_that_workers_die_of_is_stopped_and_what_waited_is_not(scheduler: Scheduler, cluster: Cluster) -> None:
    scheduler.join(FIRST)
    deadly, waiting = cluster.submit(work, 1), cluster.submit(work, 2)
    for _ in range(3):
        lose(scheduler, cluster, FIRST, "died")
    with pytest.raises(WorkerLost, match="3 workers died"):
        deadly.result(timeout=30)
    until(lambda: scheduler.given.get(FIRST))
    (item,) = cluster.items
    assert item.future is waiting and not item.lost
    scheduler.given[FIRST][0].value, scheduler.given[FIRST][0].status = 2, "finished"
    assert waiting.result(timeout=30) == 2


@pytest.mark.parametrize("how", ["silent", "retired", "unknown"])
def test_work_is_not_blamed_for_workers_that_are_late_or_let_go(
    how: str, scheduler: Scheduler, cluster: Cluster
) -> None:
    scheduler.join(FIRST)
    future = cluster.submit(work, 1)
    for _ in range(5):
        lose(scheduler, cluster, FIRST, how)
    until(lambda: scheduler.given.get(FIRST))
    assert not future.done()
    scheduler.given[FIRST][0].value, scheduler.given[FIRST][0].status = 1, "finished"
    assert future.result(timeout=30) == 1


def test_a_worker_that_died_after_it_had_once_been_late_is_dead(scheduler: Scheduler, cluster: Cluster) -> None:
    """The scheduler keeps its events; those of a worker's earlier life at the same address are none of this one's."""
    scheduler.join(FIRST)
    future = cluster.submit(work, 1)
    lose(scheduler, cluster, FIRST, "silent")
    for _ in range(3):
        lose(scheduler, cluster, FIRST, "died")
    with pytest.raises(WorkerLost):
        future.result(timeout=30)


def test_work_that_silences_every_worker_is_stopped_at_last(
    scheduler: Scheduler, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "SILENCES", 4)
    scheduler.join(FIRST)
    future = cluster.submit(work, 1)
    for _ in range(4):
        lose(scheduler, cluster, FIRST, "silent")
    with pytest.raises(WorkerLost, match="fell silent"):
        future.result(timeout=30)


def test_a_scheduler_that_says_itself_that_workers_are_killed(scheduler: Scheduler, cluster: Cluster) -> None:
    scheduler.join(FIRST)
    future = cluster.submit(work, 1)
    for turn in range(3):
        until(lambda turn=turn: len(scheduler.given.get(FIRST, ())) > turn)
        scheduler.given[FIRST][turn].status = "error"
    with pytest.raises(WorkerLost):
        future.result(timeout=30)


def test_every_worker_has_as_much_as_it_has_threads(scheduler: Scheduler, cluster: Cluster) -> None:
    scheduler.join(FIRST, 2)
    scheduler.join(SECOND)
    futures = [cluster.submit(work, number) for number in range(6)]
    until(lambda: len(scheduler.given.get(FIRST, ())) == 2 and len(scheduler.given.get(SECOND, ())) == 1)
    time.sleep(0.05)
    assert [len(scheduler.given[place]) for place in (FIRST, SECOND)] == [2, 1] and cluster.parallel == 3
    while not all(future.done() for future in futures):
        for remotes in scheduler.given.values():
            for remote in remotes:
                remote.value, remote.status = "done", "finished"
        time.sleep(0.005)
    assert [future.result() for future in futures] == ["done"] * 6
