"""The clock that stands still while something is compiled."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

from plywright.compiled import NO_GAME, kernel, settings
from plywright.working_clock import compiling, working_clock


def test_it_stands_still_while_something_is_compiled() -> None:
    began = working_clock()
    with compiling():
        time.sleep(0.2)
        inside = working_clock()
        with compiling():  # one in another
            time.sleep(0.1)
    assert 0 <= inside - began <= working_clock() - began < 0.2


def test_compilations_of_several_threads_count_once() -> None:
    def compile_something() -> None:
        with compiling():
            time.sleep(0.3)

    real, began = time.monotonic(), working_clock()
    threads = [threading.Thread(target=compile_something) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    time.sleep(0.1)
    took = working_clock() - began
    assert 0.1 <= took <= time.monotonic() - real - 0.29


def test_a_kernel_is_compiled_off_the_clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Its announcement, which here takes long, is part of the compilation; it names no internal function."""
    told = []

    class Slow:
        def __init__(self, name: str) -> None:
            told.append(name)

        def __enter__(self) -> None:
            time.sleep(0.5)

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setenv("PLYWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(settings, "announce", Slow)

    @kernel
    def add_up(game: Any, numbers: Any) -> Any:
        return numbers[0] + numbers[1]

    real, began = time.monotonic(), working_clock()
    _, native = add_up.entry(NO_GAME, np.array([3, 4]))
    assert native and told == ["parts of Plywright itself"]
    assert working_clock() - began <= time.monotonic() - real - 0.5
