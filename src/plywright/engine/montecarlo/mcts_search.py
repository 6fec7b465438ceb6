"""Monte Carlo tree search of a position, and the tree that a player keeps from move to move.

search(game, state, algorithm="mcts", simulations=10_000)

tree = MonteCarloTree(game, threads=2)
result = tree.search(time=1.0)
tree.advance(result.action)          # what was found under that move stays
"""

from __future__ import annotations

import time as clock
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ...counters import FAULT, stop_word
from ...errors import BadInput, Unsuitable, nearest
from ...game import CHANCE, Game
from ...games import as_game, as_knowledge
from ...knowledge import Knowledge
from ...repetition import Past
from ...result import EXACT, HEURISTIC, SearchResult
from ...smoke_test import smoke_test
from ..interrupts import note_interrupt
from ..kernel_runner import run_all
from ..limits import Limit
from ..options import TreeOptions, names
from ..task import Task
from .mcts import grow
from .root_statistics import Vote
from .tree_pool import Pool, Settings
from .tree_words import DEEPEST, LENGTH, OWNED, OWNING

if TYPE_CHECKING:
    from ...draw.picture import Picture

FIRST_SIMULATIONS = 64  # before the first answer of a stream
MOST_SIMULATIONS = 1 << 60
PAUSE = 0.5  # seconds between answers of a long search, about
NEARBY = 4  # plies that a game may have gone on between two searches of a tree
LOOKED_AT = 2_000  # nodes compared with the position; their states are recomputed by the interpreted rules


class MonteCarloTree:
    """A tree of simulated games, kept between moves.

    Its settings:

    - `memory`: megabytes for its nodes, by default 256; once they are used up, the tree stops growing and simulations
      go on from its leaves
    - `exploration`: the exploration constant, in units of `spread`; by default the knowledge's own, or the square
      root of 2
    - `spread`: the standard deviation of outcomes; measured unless it is given
    - `rave`: the number of visits at which a move's own value and its all-moves-as-first value weigh the same; by
      default the knowledge's own, or 0, which turns RAVE off
    - `urgency`: an untried move counts as its position's value minus this many spreads (first-play urgency); by
      default 0.2 with priors or RAVE, and otherwise every move is tried once first
    - `ripe`: visits of a node before it is expanded; by default the knowledge's own, or one
    - `cutoff`: evaluate a simulated game after so many plies; by default the knowledge's own, or play to the end
    - `longest`: after so many plies, by default 1000, a game counts by its evaluation or as the middle of the range
    - `prove`: False leaves out the solver
    - `seed`: one thread with one seed always gives the same answer, compiled or not
    - `threads`: each grows a tree of its own; visit counts are added (root parallelism)
    """

    game: Game
    """The game whose positions are simulated."""
    state: Any
    """The position at the root."""
    knowledge: Knowledge
    """What simulations that are cut off are evaluated by."""
    settings: Settings
    """The settings, with their defaults."""
    compiled: bool | None
    """Whether the rules have to run as native code (True) or interpreted (False); None: native where they can."""
    pools: list[Pool]
    """The trees, one for each thread."""
    before: list[Any]
    """The states of the game before the root, as far as they are known: for rules of repetition."""

    def __init__(
        self,
        game: Game | str,
        state: Any = None,
        *,
        compiled: bool | None = None,
        knowledge: Knowledge | str | None = None,
        **settings: Unpack[TreeOptions],
    ) -> None:
        game = as_game(game)
        check_suitable(game)
        known = names(TreeOptions)
        if unknown := next((name for name in settings if name not in known), None):
            close = nearest(unknown, known)
            remedy = f"did you mean {close}?" if close else f"it takes {', '.join(known)}"
            raise BadInput(f"a MonteCarloTree takes no {unknown}: {remedy}")
        self.game, self.compiled, self.knowledge = game, compiled, as_knowledge(game, knowledge)
        self.settings = Settings(**settings)
        self.settings.check(self.knowledge)
        smoke_test(game, self.knowledge)
        stop = stop_word()
        self.pools = [Pool(self.knowledge, self.settings, stop, place) for place in range(self.settings.threads)]
        self.state, self.before = None, []
        self.place(game.start_state if state is None else game.vouched(state))

    def search(
        self,
        state: Any = None,
        *,
        all_actions: bool = False,
        time: float | None = None,
        simulations: int | None = None,
        limit: Limit | None = None,
    ) -> SearchResult:
        """The best move here, or in `state`, within `time`, `simulations`, or a `limit` (by default a second)."""
        return self._task(state, all_actions, time, simulations, limit).run()

    def analyse(
        self,
        state: Any = None,
        *,
        all_actions: bool = False,
        time: float | None = None,
        simulations: int | None = None,
        limit: Limit | None = None,
    ) -> Iterator[SearchResult]:
        """Improving answers; a `state` a few moves on is looked for in the tree, another one begins it anew."""
        yield from self._task(state, all_actions, time, simulations, limit).stream()

    def _task(
        self, state: Any, all_actions: bool, time: float | None, simulations: int | None, limit: Limit | None
    ) -> MonteCarloSearch:
        if limit is not None and (time, simulations) != (None, None):
            raise BadInput("give either limit= or time= and simulations=, not both")
        if limit is None:
            limit = Limit(time=1.0 if time is None and simulations is None else time, nodes=simulations)
        place = self.state if state is None else state
        return MonteCarloSearch(self.game, place, limit, all_actions=all_actions, tree=self)

    def advance(self, action: int) -> None:
        """Follow a move or an outcome of chance: its subtree is kept, the rest of the tree is dropped."""
        legal = self._choices()
        if legal is not None and action not in legal:
            raise BadInput(f"{action!r} is no move in this position of {self.game.name}")
        self._step(int(action))
        self._remember()

    def _step(self, action: int) -> None:
        self.before.append(self.state)
        self.state = self.game.state_after(self.state, action)
        try:
            for pool in self.pools:
                pool.advance(action, self._view())
        except BaseException:  # as Ctrl-C: no tree stays with another state than its root's
            self._plant()
            raise

    def _plant(self) -> None:
        for pool in self.pools:
            pool.plant(self._view())

    def place(self, state: Any, history: Sequence[Any] = ()) -> None:
        """Move the root to this state, along the tree where it has the moves that lead there, else with an empty tree.

        `history` is the states of the game before it, for rules of repetition.
        """
        moves = None if self.state is None else self._way_along(state, history)
        if moves is None:
            self.state, self.before = state, []
            self._plant()
        for action in moves or ():
            self._step(action)
        if history:
            self.before = list(history)
        self._remember()

    def _remember(self) -> None:
        """Tell the trees the past of the game, where rules of repetition need it."""
        if self.game.repeats:
            counts = Past(self.game, self.before).counts
            for pool in self.pools:
                pool.remember(counts)

    def picture(self, nodes: int = 30) -> Picture:
        """The most visited nodes of the tree as a drawing."""
        from .tree_picture import picture_of_pool

        return picture_of_pool(self.game, self.state, self.pools[0], nodes)

    def _choices(self) -> list[int] | None:
        """The actions or outcomes here; None where outcomes cannot be listed."""
        if self.game.is_terminal(self.state):
            return []
        if int(self.game.to_move(self.state)) != CHANCE:
            return [int(action) for action in self.game.actions(self.state)]
        if not self.game.lists_chance:
            return None
        return [int(outcome) for outcome, _ in self.game.chance(self.state)]

    def _view(self) -> int:
        """The player whose outcomes are measured: the one to move, or the first player where chance moves."""
        if self.game.is_terminal(self.state):
            return 0
        return max(int(self.game.to_move(self.state)), 0)

    def _way_along(self, state: Any, history: Sequence[Any]) -> list[int] | None:
        """The moves from here to a state, by the states between; without those it is looked for near the root."""
        way = [*history, state]
        if self.state not in way[-NEARBY - 1 :]:
            return None if history else self._way_to(state)
        rest = len(way) - way[::-1].index(self.state)
        if history and self.game.repeats and self.before != way[: rest - 1]:
            return None  # repetitions in it were settled by another past
        here, moves = self.state, []
        for after in way[rest:]:
            found = next((a for a in self.game.choices(here) if self.game.state_after(here, a) == after), None)
            if found is None:
                return None
            here = after
            moves.append(found)
        return moves

    def _way_to(self, state: Any) -> list[int] | None:
        """The moves from here to a state that the tree has near its root."""
        pool = self.pools[0]
        level: list[tuple[int, Any, list[int]]] = [(0, self.state, [])]
        looked_at = 0
        for _ in range(NEARBY + 1):
            below = []
            for node, here, moves in level:
                if here == state:
                    return moves
                for child in pool.children(node):
                    looked_at += 1
                    if pool.visits(child) and looked_at <= LOOKED_AT:
                        action = int(pool.work.action[child])
                        after = self.game.state_after(here, action)
                        below.append((child, after, [*moves, action]))
            level = below
        return None


def check_suitable(game: Game) -> None:
    """Refuse, in one sentence, what Monte Carlo tree search cannot search."""
    if not isinstance(game, Game):
        raise BadInput(f"search needs a Game, not {game!r}; load_game(name) makes one from a name or a path")
    if game.hidden:
        raise Unsuitable(f"mcts cannot search {game.name}: players do not see the whole state")


def kept_tree(
    after: Task | None, game: Game, compiled: bool | None, knowledge: Knowledge | None, settings: TreeOptions
) -> MonteCarloTree | None:
    """The tree of an earlier search of the same game that was asked for alike; its random numbers go on."""
    if not isinstance(after, MonteCarloSearch) or after.tree.game is not game or after.tree.compiled != compiled:
        return None
    same = replace(Settings(**settings), seed=0) == replace(after.tree.settings, seed=0)
    return after.tree if same and as_knowledge(game, knowledge) is after.tree.knowledge else None


class MonteCarloSearch(Task):
    """Simulations from one position, until a limit or a proof; a simulation counts as a node."""

    algorithm = "mcts"
    hands_on = True

    def __init__(
        self,
        game: Game,
        view: Any,
        limit: Limit,
        *,
        all_actions: bool,
        compiled: bool | None = None,
        tree: MonteCarloTree | None = None,
        knowledge: Knowledge | None = None,
        history: Sequence[Any] = (),
        after: Task | None = None,
        **settings: Unpack[TreeOptions],
    ) -> None:
        if limit.depth is not None:
            raise BadInput(
                "mcts has no depth limit: give time or simulations; cutoff=N ends its simulated games sooner"
            )
        if tree is not None and (settings or not isinstance(tree, MonteCarloTree) or tree.game is not game):
            raise BadInput("tree= must be a MonteCarloTree of the same game, which has its settings already")
        self.tries = tree is None and self._goes_by_trials(game, limit, knowledge, settings)
        self.tree = (
            tree
            or kept_tree(after, game, compiled, knowledge, settings)
            or MonteCarloTree(game, compiled=compiled, knowledge=knowledge, **settings)
        )
        own = self.tree.knowledge if knowledge is None else knowledge
        super().__init__(
            game, view, limit, all_actions=all_actions, compiled=self.tree.compiled, knowledge=own, history=history
        )
        self.tree.place(self.state, history)
        self.crew = [pool.work for pool in self.tree.pools]
        self.kinds = self.tree.pools[0].kinds
        for work in self.crew:
            work.info[OWNING] = all_actions

    def _goes_by_trials(self, game: Game, limit: Limit, knowledge: Knowledge | None, settings: TreeOptions) -> bool:
        """Whether the cutoff is left to trials; one that is settled is then put into the settings."""
        from .kept_cutoffs import kept_cutoff, wanted  # whose trials are played with the trees here

        known = as_knowledge(game, knowledge)
        if settings.get("cutoff") is not None or not wanted(known, limit):
            return False
        if (cutoff := kept_cutoff(known)) is not None:
            settings["cutoff"] = cutoff
        return cutoff is None

    def _try_cutoffs(self) -> None:
        """Once in a search, as soon as its rules have become native code: a tenth of a long one is for the trial."""
        from .kept_cutoffs import try_further

        if self.tries and self.native:
            try:
                try_further(self.knowledge, self.limit, self.is_halted)
            except KeyboardInterrupt:  # as during a run of the kernel: the best so far is the answer
                note_interrupt()
                self.stopped = True
        self.tries = False

    def deepening(self) -> Iterator[SearchResult]:
        """Answers after more and more simulations."""
        most = self.limit.nodes
        at_once = not self.streams and self.limit.soft is None and len(self.crew) == 1
        chunk = MOST_SIMULATIONS if at_once and not self.tries else FIRST_SIMULATIONS
        while True:
            before, started = self.nodes, clock.monotonic()
            self._grow(chunk if most is None else min(chunk, most - self.nodes))
            rate = (self.nodes - before) / max(clock.monotonic() - started, 1e-6)
            yield self._answer()
            late = self.limit.soft is not None and clock.monotonic() - self.began > self.limit.soft
            if self.stopped or late or self.nodes == most or self._proved():
                return
            self._try_cutoffs()
            if self.stopped:
                return
            chunk = MOST_SIMULATIONS if at_once else max(min(self.nodes // 2, int(rate * PAUSE)), FIRST_SIMULATIONS)

    def _grow(self, simulations: int) -> None:
        """Run simulations, divided among the trees; sets `stopped` when a limit came first."""
        before, after, threads = self.nodes, self.nodes + simulations, len(self.crew)
        shares = [after * (n + 1) // threads - after * n // threads for n in range(threads)]
        done = [before * (n + 1) // threads - before * n // threads for n in range(threads)]
        parts = zip(shares, done, self.crew, strict=True)
        calls = [(self.knowledge, self.state, share - had, *self.kinds, work) for share, had, work in parts]
        self.prepare(grow, calls[0])
        ran = run_all(
            grow, self.game, calls, self.crew, deadline=self.deadline, entry=self.entry, halted=self.is_halted
        )
        for work in self.crew:
            if work.info[FAULT]:
                raise self.fault(int(work.info[FAULT]), self.state, work.path[: work.info[LENGTH]])
        self.nodes += sum(int(number) for number in ran)
        late = self.deadline is not None and clock.monotonic() >= self.deadline
        self.stopped = self.halted or bool(self.crew[0].stop[0]) or late

    # -- the answer ------------------------------------------------------------------------------------------------

    def _answer(self) -> SearchResult:
        vote = Vote(self.tree.pools)
        best = vote.best()
        proved = self._proved()
        values = self._by_player(vote.root() if best is None else vote.value(best))
        line = self._line(vote.pools, best)
        view = max(self.mover, 0)
        every = {action: n for n, action in enumerate(vote.actions) if vote.visits[n]} if self.all_actions else {}
        return SearchResult(
            action=None if best is None else vote.actions[best],
            value=values[view],
            values=values,
            bound=EXACT if proved else HEURISTIC,
            proved=proved,
            distance=len(line) if proved and self._ends(line) else None,
            line=line,
            depth=max(int(work.info[DEEPEST]) for work in self.crew),
            nodes=self.nodes,
            seconds=clock.monotonic() - self.began,
            algorithm=self.algorithm,
            compiled=bool(self.native),
            tied=() if best is None else tuple(vote.actions[n] for n in vote.tied(best)),
            error=0.0 if proved else vote.error(best),
            actions={action: self._by_player(vote.value(n))[view] for action, n in every.items()},
            visits={action: int(vote.visits[n]) for action, n in every.items()},
            ownership=self._ownership(),
            averaged=not proved and self.tree.settings.cut(self.knowledge) is None,
        )

    def _ownership(self) -> tuple[float, ...]:
        """The mean ownership of places over the simulations of all trees; empty where it was not counted."""
        count = sum(int(work.info[OWNED]) for work in self.crew)
        if not count or not self.all_actions:
            return ()
        return tuple(float(number) / count for number in sum(work.owned for work in self.crew))

    def _proved(self) -> bool:
        return any(pool.proved(0) for pool in self.tree.pools)

    def _by_player(self, values: NDArray[np.float64]) -> tuple[float, ...]:
        if len(values) == self.game.players:
            return tuple(float(value) for value in values)
        first = float(values[0])
        return tuple(first if team == self.game.team_of[0] else 0.0 - first for team in self.game.team_of)

    def _line(self, pools: list[Pool], best: int | None) -> tuple[int, ...]:
        """The moves that the tree expects, up to the first throw of dice."""
        if best is None:
            return ()
        pool = max(pools, key=lambda pool: (pool.proved(0), pool.visits(pool.children(0)[best])))
        line, node = [], pool.children(0)[best]
        line.append(int(pool.work.action[node]))
        while pool.opened(node) and pool.work.mover[node] != CHANCE:
            children = pool.children(node)
            chosen = Vote([pool], node).best()
            if chosen is None or pool.visits(children[chosen]) == 0:
                break
            node = children[chosen]
            line.append(int(pool.work.action[node]))
        return tuple(line)

    def _ends(self, line: tuple[int, ...]) -> bool:
        state = self.state
        for action in line:
            state = self.game.state_after(state, action)
        return bool(self.game.is_terminal(state))
