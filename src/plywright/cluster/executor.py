"""A Dask cluster as an executor: what is submitted is done once, whatever happens to workers, scheduler and network.

One thread speaks to the scheduler. It looks at new workers before it trusts them with anything (one with other code is
named and left out), hands out what is waiting, and takes results. Whatever was under way when a worker, the scheduler
or the connection was lost is handed out again; nothing here counts results, and a result comes once.

A worker is given as much as it has threads for, and no more. So whatever it has when it dies was running, and may be
the cause; nothing that merely waited is suspected. One that the scheduler gave up because it was not heard of is late,
not dead, and one that is gone for no known reason is nobody's fault.
"""

from __future__ import annotations

import re
import socket
import ssl
import threading
import time
import uuid
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field
from typing import Any

from ..errors import BadInput
from .parcel import Refused, code_stamp, open_parcel, pack

CONNECTING = 10.0
"""Seconds in which a scheduler must answer the first time."""
JOINING = 60.0
"""Seconds in which the first worker is waited for where their number matters."""
PATIENCE = 600.0
"""Seconds that a scheduler, or the last worker, may be gone before the work is given up."""
HOPING = 15.0
"""Seconds that another worker may take to come where all that are there have other code."""
DEATHS = 3
"""Workers that may die of one task before it is called the culprit."""
SILENCES = 10
"""Workers that may fall silent with one task, each for as long as the scheduler waits (five minutes, by default)."""
LOOK = 0.5
"""Seconds between two looks at the workers."""
LOST = ("cancelled", "lost")
DIED, SILENT, UNKNOWN = "died", "silent", "unknown"
"""What may become of a worker."""


class WorkerLost(BrokenExecutor):
    """Workers died of a task, again and again; the cluster itself goes on."""


class ClusterLost(BrokenExecutor):
    """No scheduler, or no worker, for too long."""


@dataclass
class _Item:
    """Something that was submitted."""

    future: Future[Any]
    data: bytes
    key: str
    lost: Counter[str] = field(default_factory=Counter)
    """How often a worker was lost that was doing it, by what became of the worker."""
    tries: int = 0
    remote: Any = None
    place: str = ""
    """The worker that does it."""


class Cluster(Executor):
    """An executor on a cluster; `survives` says that it outlives what its workers die of."""

    survives = True

    def __init__(self, address: str, told: Callable[[str], Any] = lambda text: None) -> None:
        self.address, self.told = address, told
        self.distributed = _distributed()
        self.local = self._start_local(address)
        self.client = self._connect(CONNECTING)
        self.link = str(self.client.dashboard_link or "")
        """Where the cluster's dashboard is."""
        self.workers: dict[str, int] = {}  # trusted ones, with their threads
        self.vetting: dict[str, Any] = {}
        self.refused: dict[str, str] = {}  # by address why
        self.items: list[_Item] = []
        self.lock, self.wake = threading.Lock(), threading.Event()
        self.closed = False
        self.looked = self.alive = 0.0
        self.thread = threading.Thread(target=self._pump, name="plywright-cluster", daemon=True)
        self.thread.start()

    def _start_local(self, address: str) -> Any:
        """Workers on this machine, for `local:2`; None for an address."""
        kind, _, count = address.partition(":")
        if kind != "local":
            return None
        if not re.fullmatch("[0-9]{1,3}", count) or not 1 <= int(count) <= 256:
            raise BadInput(f"{address!r}: write local:2 for two workers on this machine, or tcp://HOST:8786")
        # A worker that dies is started again, which takes a busy machine longer than Dask is used to wait.
        import dask

        dask.config.set({"distributed.deploy.lost-worker-timeout": f"{PATIENCE:.0f}s"})
        options = {"n_workers": int(count), "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.distributed.LocalCluster(**options, processes=True, silence_logs=50)

    def _connect(self, seconds: float) -> Any:
        place = self.local if self.local is not None else self.address
        if self.local is None and "://" not in self.address:
            raise BadInput(f"{self.address!r} is no cluster: write tcp://HOST:8786, tls://HOST:8786 or local:2")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # versions are compared by the stamp of the code
                if self.local is None:
                    _hear(self.address, self.distributed.Security(), seconds)
                return self.distributed.Client(place, timeout=seconds, set_as_default=False)
        except (OSError, TimeoutError, ValueError, TypeError, MemoryError, AssertionError) as error:
            # One that lies of its sizes is met by Dask with any of these.
            raise BadInput(
                f"no Dask scheduler answers at {self.address} ({type(error).__name__}): start one with `dask "
                "scheduler`, or --cluster local:2 for workers on this machine"
            ) from None

    # -- Executor ------------------------------------------------------------------------------------------

    @property
    def parallel(self) -> int:
        """How much is done at a time."""
        return max(1, sum(self.workers.values()))

    def count(self) -> int:
        """How much is done at a time, as soon as the first workers are there, and all that were started here."""
        began = time.monotonic()
        started = int(self.address.partition(":")[2]) if self.local is not None else 1

        def joining() -> bool:
            return bool(self.vetting) or len(self.workers) + len(self.refused) < started or not self.workers

        while joining() and time.monotonic() - began < JOINING and not self.closed:
            time.sleep(0.05)
        return self.parallel

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if kwargs:
            raise TypeError("what travels to a cluster has arguments without names")
        if self.closed:
            raise RuntimeError("the cluster is closed")
        future: Future[Any] = Future()
        with self.lock:
            self.items.append(_Item(future, pack(fn, args), f"plywright-{uuid.uuid4().hex}"))
        self.wake.set()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            with self.lock:
                for item in self.items:
                    item.future.cancel()
                self.items.clear()
        self.closed = True
        self.wake.set()
        if wait and threading.current_thread() is not self.thread:
            self.thread.join()
        for part in (self.client, self.local):
            if part is not None:
                _quietly(part.close)

    # -- the thread ----------------------------------------------------------------------------------------

    def _pump(self) -> None:
        self.alive = time.monotonic()
        while not (self.closed and not self.items):
            self.wake.wait(LOOK)
            self.wake.clear()
            try:
                if self.client.status == "closed":
                    self._reconnect()
                self._hand_out()  # first of all, so that no worker waits while results travel
                self._collect()
                self._look()
                self._hand_out()
            except Exception as error:  # of a connection that is going: the next look says what is left of it
                if time.monotonic() - self.alive > PATIENCE:
                    self._give_up(f"{type(error).__name__}: {error}")
            if self.items and time.monotonic() - self.alive > PATIENCE:
                self._give_up("no worker")

    def _reconnect(self) -> None:
        """Another connection; whatever was under way is handed out again."""
        self.told(f"the scheduler at {self.address} is gone; waiting for it")
        for item in list(self.items):
            self._take_back(item, UNKNOWN)
        self.workers, self.vetting = {}, {}
        while not self.closed and time.monotonic() - self.alive < PATIENCE:
            try:
                self.client = self._connect(2.0)
                self.told(f"connected to {self.address} again")
                return
            except BadInput:
                time.sleep(0.5)

    def _look(self) -> None:
        """Which workers there are; new ones are asked what code they have."""
        if time.monotonic() - self.looked < LOOK:
            return
        self.looked = time.monotonic()
        # Not `scheduler_info`: the client itself asks for it every two seconds, without workers, and may come between.
        there: dict[str, int] = dict(self.client.nthreads())
        self.workers = {place: threads for place, threads in self.workers.items() if place in there}
        self._miss({item.place for item in self.items if item.remote is not None} - there.keys())
        for place in there.keys() - self.workers.keys() - self.vetting.keys() - self.refused.keys():
            key = f"plywright-code-{uuid.uuid4().hex}"
            self.vetting[place] = self.client.submit(_asking(), workers=[place], key=key, pure=False)
            self.vetting[place].add_done_callback(lambda remote: self.wake.set())
        for place, remote in list(self.vetting.items()):
            if place not in there or remote.status in LOST:
                self.vetting.pop(place)
            elif remote.done():
                try:
                    self._judge(place, there[place], remote)
                finally:  # not before: whoever counts waits for those that are being asked
                    self.vetting.pop(place)
        if self.workers:
            self.alive = time.monotonic()
        elif there and self.refused.keys() >= there.keys() and time.monotonic() - self.alive > HOPING:
            self._give_up("; ".join(f"{place}: {self.refused[place]}" for place in there))

    def _judge(self, place: str, threads: int, remote: Any) -> None:
        stamp, words = remote.result(timeout=5) if remote.status == "finished" else ("", "it cannot be asked")
        if stamp == code_stamp():
            self.workers[place] = threads
            return
        self.refused[place] = words if not stamp else f"it has other code: {words}"
        self.told(f"worker {place} is left out: {self.refused[place]}")

    def _hand_out(self) -> None:
        """Give every worker as much as it has threads for."""
        busy = Counter(item.place for item in self.items if item.remote is not None and not item.remote.done())
        free = {place: threads - busy[place] for place, threads in self.workers.items()}
        for item in list(self.items):
            if item.future.cancelled():
                self._drop(item)
            elif item.remote is None and free and max(free.values()) > 0:
                item.place = max(free, key=free.__getitem__)
                free[item.place] -= 1
                item.tries += 1
                options = {"workers": [item.place], "key": f"{item.key}-{item.tries}", "pure": False}
                item.remote = self.client.submit(open_parcel, item.data, **options, allow_other_workers=False)
                item.remote.add_done_callback(lambda remote: self.wake.set())

    def _collect(self) -> None:
        for item in [item for item in list(self.items) if item.remote is not None]:
            status = item.remote.status
            if status == "finished":
                self._take(item)
            elif status == "error":
                error = item.remote.exception(timeout=10)
                if type(error).__name__ == "KilledWorker":  # so says the scheduler, of its own count
                    self._take_back(item, DIED)
                    continue
                self._drop(item)
                item.future.set_exception(error)
            elif status in LOST:
                self._take_back(item, UNKNOWN)

    def _miss(self, places: Iterable[str]) -> None:
        """Take back what workers had that are not there any more."""
        for place in places:
            became = self._fate(place)
            for item in [item for item in list(self.items) if item.remote is not None and item.place == place]:
                self._take_back(item, became)

    def _fate(self, place: str) -> str:
        """What became of a worker that is not there any more, by the scheduler's own account."""
        account = [event for event in self.client.get_events(place) or () if "action" in event[1]]
        if not account or account[-1][1]["action"] != "remove-worker" or account[-1][1].get("expected"):
            return UNKNOWN  # the scheduler is a new one, or let it go
        joined = max((when for when, event in account if event["action"] == "add-worker"), default=0.0)
        silent = any(
            when > joined and event.get("action") == "worker-ttl-timed-out" and place in event.get("workers", ())
            for when, event in self.client.get_events("scheduler") or ()
        )
        return SILENT if silent else DIED

    def _take_back(self, item: _Item, became: str) -> None:
        """What a lost worker had is handed out again, unless it has cost too many workers."""
        item.remote, item.place = None, ""
        item.lost[became] += 1
        why = ""
        if item.lost[DIED] >= DEATHS:
            why = f"{DEATHS} workers died while they were doing it"
        elif item.lost[SILENT] >= SILENCES:
            why = f"{SILENCES} workers fell silent while they were doing it"
        if why:
            self._drop(item)
            item.future.set_exception(WorkerLost(why))

    def _take(self, item: _Item) -> None:
        try:
            result = item.remote.result(timeout=10)
        except TimeoutError:
            return  # whoever has it is gone, or slow: it comes, or is done again
        if isinstance(result, Refused):  # a worker whose code was exchanged after it was asked
            self.workers.pop(item.place, None)  # it is asked again
            self._take_back(item, UNKNOWN)
            return
        self._drop(item)
        item.future.set_result(result)

    def _drop(self, item: _Item) -> None:
        item.remote = None
        with self.lock:
            if item in self.items:
                self.items.remove(item)

    def _give_up(self, why: str) -> None:
        with self.lock:
            items, self.items = self.items, []
        for item in items:
            if not item.future.cancelled():
                item.future.set_exception(ClusterLost(f"the cluster at {self.address} can do no more: {why}"))


def _asking() -> Callable[[], tuple[str, str]]:
    """A function that travels whole, since a worker may have no Plywright at all."""

    def asked() -> tuple[str, str]:
        try:
            from plywright.cluster.parcel import code_stamp, code_words
        except Exception as error:
            return "", f"it has no Plywright that it could run ({type(error).__name__}: {error})"
        return code_stamp(), code_words()

    asked.__module__ = "__main__"
    return asked


def _hear(address: str, security: Any, seconds: float) -> None:
    """Raise TimeoutError where something takes the connection and says nothing: a scheduler speaks first, and Dask
    would wait for ever. Whoever cannot be reached is left to Dask, which tries again."""
    kind, _, place = address.partition("://")
    host, _, port = place.rpartition(":")
    context = security.get_connection_args("client").get("ssl_context") if kind == "tls" else None
    if kind not in ("tcp", "tls") or (kind == "tls" and context is None) or not re.fullmatch("[0-9]{1,5}", port):
        return
    try:
        connection = socket.create_connection((host.strip("[]"), int(port)), timeout=seconds)
    except (OSError, OverflowError):
        return
    with connection:
        try:
            if context is not None:
                connection = context.wrap_socket(connection)
            connection.recv(1)
        except (ConnectionError, ssl.SSLError):
            return
        finally:
            connection.close()


def _quietly(act: Callable[[], Any]) -> None:
    try:
        act()
    except Exception:  # it is going anyway
        return


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise BadInput('a cluster needs Dask: pip install "plywright[cluster]", here and on every worker') from None
    return distributed
