"""The search of a game without an evaluation: a short try at a proof, then simulations.

Alpha-beta that reaches the end of the game needs no evaluation, and solves small games at once; one that
does not reach it knows nothing. So the engine gets a tenth of the time, and where that is not enough Monte
Carlo tree search gets the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..game import Game
from ..knowledge import Knowledge
from ..result import SearchResult
from .alphabeta.pvs_search import EngineSearch
from .limits import Limit
from .montecarlo.mcts_search import MonteCarloSearch
from .task import Task

SHARE = 10  # one part in ten of the time or nodes goes to the proof
MOST_PROOF = 2.0  # seconds: a proof that is not found by then is unlikely to be found soon


class ProveOrSimulate(MonteCarloSearch):
    """Proved by the engine if that is quick, else simulated; `algorithm` of the answer says which."""

    def __init__(
        self,
        game: Game,
        view: Any,
        limit: Limit,
        *,
        all_actions: bool,
        compiled: bool | None,
        knowledge: Knowledge | None = None,
        after: Task | None = None,
        history: Sequence[Any] = (),
    ) -> None:
        super().__init__(
            game,
            view,
            limit,
            all_actions=all_actions,
            compiled=compiled,
            knowledge=knowledge,
            history=history,
            after=after,
        )
        self.engine: EngineSearch | None = None
        if game.opposed and not game.has_chance and game.step:
            time = None if limit.time is None else min(limit.time / SHARE, MOST_PROOF)
            short = Limit(time=time, nodes=None if limit.nodes is None else max(limit.nodes // SHARE, 1))
            before = after.engine if isinstance(after, ProveOrSimulate) else None
            self.engine = EngineSearch(
                game,
                view,
                short,
                all_actions=all_actions,
                compiled=compiled,
                knowledge=knowledge,
                after=before,
                history=history,
            )

    def close(self) -> None:
        if self.engine is not None:
            self.engine.close()

    def stop(self) -> None:
        super().stop()
        if self.engine is not None:
            self.engine.stop()

    def deepening(self) -> Iterator[SearchResult]:
        if self.engine is not None:
            last = self.engine.run()
            if last.proved or self.halted or self.engine.work.stop[0] == 2:  # proved, told to stop, or Ctrl-C
                self.began, self.nodes = self.engine.began, self.engine.nodes
                yield last
                return
            left = self.limit.time
            if left is not None:
                left = max(left - last.seconds, left / 2)
            self.limit = replace(self.limit, time=left)
        yield from super().deepening()
