"""Ctrl-C during a search: one search answers with the best so far, a loop over searches ends.

    with interruptible():
        for state in states:
            search(game, state)

A search takes Ctrl-C as the end of its time, which is right for whoever waits for its answer. Inside the block
KeyboardInterrupt is raised as well, as soon as the search has stopped.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

_heard: ContextVar[list[bool] | None] = ContextVar("heard", default=None)
"""By thread: empty, or filled once Ctrl-C has come; None outside such a block."""


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Within this block Ctrl-C ends more than the search that it falls into."""
    token = _heard.set([])
    try:
        yield
    finally:
        _heard.reset(token)


def note_interrupt() -> None:
    """Ctrl-C was taken as the end of one search."""
    heard = _heard.get()
    if heard is not None:
        heard.append(True)


def pass_on_interrupt() -> None:
    """Raise the KeyboardInterrupt that a search has taken for its own, where it was meant for more than that."""
    if _heard.get():
        raise KeyboardInterrupt
