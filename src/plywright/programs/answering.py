"""Our side when we are the program: a player that thinks in a thread of its own, and can be stopped."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from ..compiled import interpreted
from ..engine.hidden.past import Moment
from ..game import Game
from ..players import Clock, Player, Turn
from ..players.searching import SearchPlayer
from ..repetition import Past
from ..result import SearchResult
from ..rng import seeded


class Brain:
    """One player behind a protocol. `go` returns at once; the answer comes through a function."""

    def __init__(self, game: Game, player: Player) -> None:
        self.game, self.player = game, player
        self.rng = seeded(0)
        self.thread: threading.Thread | None = None
        self.report: Callable[[SearchResult], None] | None = None
        self.failed: Callable[[str], None] = lambda text: print(text, file=sys.stderr, flush=True)
        self.prepared = False
        self.interpreting = False
        """Whether it thinks in Python, by rules that are not compiled."""

    def prepare(self) -> None:
        """Compile before anybody's clock runs."""
        if not self.prepared:
            self.player.prepare(self.game)
            self.prepared = True

    def begin(self, seat: int, seed: int) -> None:
        self.prepare()
        self.rng = seeded(seed)
        self.player.begin(self.game, seat, seed)

    def go(
        self,
        view: Any,
        seat: int,
        clock: Clock,
        answer: Callable[[int], None],
        history: Sequence[Any] = (),
        legal: Sequence[int] = (),
        past: tuple[Moment, ...] | None = None,
    ) -> None:
        """Think, and give the action to `answer`, which may write it; a former thought is finished first.

        `history` is the states before this one, which matter where a game has a rule about repetition; `legal` the
        actions, where the asker has listed them; `past` what the seat saw and did, where something is hidden.
        """
        self.stop()
        self.prepare()
        self.player.stopping = False
        if isinstance(self.player, SearchPlayer):
            self.player.report = self.report

        def work() -> None:
            with interpreted() if self.interpreting else contextlib.nullcontext():
                try:
                    action = self.player.choose(self.game, self.turn(view, seat, clock, history, legal, past))
                except Exception as error:
                    self.failed(f"{type(error).__name__}: {error}")
                    return
                answer(int(action))

        self.run(work)

    def run(self, work: Callable[[], None]) -> None:
        """Have something done in the thread that thinks."""
        self.thread = threading.Thread(target=work, name="plywright-thinking", daemon=True)
        self.thread.start()

    def turn(
        self,
        view: Any,
        seat: int,
        clock: Clock,
        history: Sequence[Any],
        legal: Sequence[int],
        past: tuple[Moment, ...] | None = None,
    ) -> Turn:
        if self.game.hidden:  # only the asker can tell what is legal
            return Turn(view, seat, tuple(legal), (), clock, self.rng, past)
        before = tuple(history) if self.game.repeats else ()
        if self.game.repetition_forbids:
            legal = Past(self.game, before).actions(view)
        return Turn(view, seat, tuple(legal or Past(self.game).actions(view)), before, clock, self.rng)

    def wait(self) -> None:
        """Until the thought is finished and answered."""
        if self.thread is not None:
            self.thread.join()
            self.thread = None

    def stop(self) -> None:
        """Have the answer now, where the player can be stopped; else when it is there."""
        self.player.stop()
        self.wait()

    def think(self, view: Any, seat: int, clock: Clock, history: Sequence[Any] = ()) -> int | None:
        """The action, waited for; None where the player failed."""
        found: list[int] = []
        self.go(view, seat, clock, found.append, history)
        self.wait()
        return found[0] if found else None
