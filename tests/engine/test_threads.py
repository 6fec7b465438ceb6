"""Threads that wait for the next search: they are used again, unless one of them never came back."""

import os
import subprocess
import sys
import threading
import time
from functools import partial

import pytest

from plywright import load_game, search
from plywright.engine.threads import MOST_WAITING, Stopped, Worker, worker


def done_by(thread: Worker, task) -> None:
    """Have the thread do the task and wait until it is free again."""
    ended = threading.Event()
    thread.begin(task, ended.set)
    assert ended.wait(20)


def test_one_thread_does_one_task_after_another() -> None:
    names = []
    first = worker()
    done_by(first, lambda: names.append(threading.get_ident()))
    second = worker()
    done_by(second, lambda: names.append(threading.get_ident()))
    assert first is second
    assert names == [first.ident, first.ident]
    assert first.ident != threading.get_ident()


def test_searches_do_not_start_thread_after_thread() -> None:
    game = load_game("mnk:m=3,n=3,k=3")
    search(game, depth=2, compiled=False)
    before = threading.active_count()
    for _ in range(3):
        search(game, depth=4, compiled=False)
    assert threading.active_count() <= before


def test_no_more_threads_wait_than_are_wanted() -> None:
    hold = threading.Event()
    crew = [worker() for _ in range(MOST_WAITING + 3)]
    ended = [threading.Event() for _ in crew]
    for thread, event in zip(crew, ended, strict=True):
        thread.begin(partial(hold.wait, 20), event.set)
    hold.set()
    assert all(event.wait(20) for event in ended)
    until = time.monotonic() + 20
    while sum(thread.is_alive() for thread in crew) > MOST_WAITING and time.monotonic() < until:
        time.sleep(0.01)
    assert sum(thread.is_alive() for thread in crew) == MOST_WAITING


def test_a_thread_that_was_given_up_is_not_used_again() -> None:
    caught, begun, ended = [], threading.Event(), threading.Event()

    def endless() -> None:
        begun.set()
        try:
            while True:
                time.sleep(0.001)
        except Stopped as error:
            caught.append(error)

    lost = worker()
    lost.begin(endless, ended.set)
    assert begun.wait(20)
    lost.give_up()
    assert ended.wait(20)
    assert len(caught) == 1
    lost.join(20)
    assert not lost.is_alive()
    assert worker() is not lost


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_starts_threads_of_its_own() -> None:
    program = (
        "import os; from plywright import load_game, search; game = load_game('mnk:m=3,n=3,k=3')\n"
        "search(game, depth=2, compiled=False)\n"
        "child = os.fork()\n"
        "found = search(game, depth=2, compiled=False)\n"
        "os._exit(0) if child == 0 else print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), found.depth)"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert shown.stdout.split() == ["0", "2"]


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="this system has no clocks of threads")
def test_the_processor_time_of_a_thread_is_its_own() -> None:
    thread = worker()
    done_by(thread, lambda: None)
    before = thread.processor_seconds()
    until = time.process_time() + 0.2
    while time.process_time() < until:  # this thread works, that one waits
        pass
    assert thread.processor_seconds() - before < 0.05

    def work() -> None:
        until = time.thread_time() + 0.2
        while time.thread_time() < until:
            pass

    done_by(thread, work)
    assert thread.processor_seconds() - before >= 0.2
