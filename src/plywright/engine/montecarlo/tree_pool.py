"""One Monte Carlo tree in memory: parallel arrays of a fixed size, of which a subtree can be kept."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import Workspace
from ...contracts import room_for_moves
from ...counters import NODES
from ...errors import BadInput
from ...game import Game
from ...knowledge import Knowledge
from ...number import is_real, is_whole
from ...rng import scramble, seeded
from ..alphabeta.repetition import past_table
from . import tree_words as words
from .tree_words import DEEPEST_TREE, PAST_PLACES, SLOTS, UNOPENED

MOST_THREADS = 256
LEAST_SPREAD = 1 / 32  # of half the utility range, so that nearly equal outcomes still leave room to explore
EXPLORATION = math.sqrt(2)
URGENCY = 0.2  # spreads below its position, for a move that was never tried, where moves are guided


@dataclass(frozen=True)
class Settings:
    """How a tree is grown; see `MonteCarloTree` for what each means."""

    memory: float = 256.0
    exploration: float | None = None
    spread: float | None = None
    rave: float | None = None
    urgency: float | None = None
    ripe: int | None = None
    cutoff: int | None = None
    longest: int = 1000
    prove: bool = True
    seed: int = 1
    threads: int = 1

    def check(self, knowledge: Knowledge) -> None:
        """Raise BadInput for a setting that makes no sense."""
        whole = (("threads", 1, MOST_THREADS), ("longest", 1, 10**6), ("seed", 0, 2**64 - 1), ("ripe", 1, 10**6))
        for name, least, most in whole:
            value = getattr(self, name)
            if name == "ripe" and value is None:
                continue
            if not is_whole(value) or not least <= value <= most:
                raise BadInput(f"{name} must be a whole number from {least} to {most}, not {value!r}")
        for name in ("memory", "exploration", "spread", "rave", "urgency"):
            value = getattr(self, name)
            if name != "memory" and value is None:
                continue
            number, from_zero = is_real(value), name not in ("memory", "spread")
            if not number or not 0 <= value < math.inf or (value == 0 and not from_zero):
                bound = "of at least 0" if from_zero else "above 0"
                raise BadInput(f"{name} must be a number {bound}, not {value!r}")
        if self.cutoff is None:
            return
        if not is_whole(self.cutoff) or not 0 <= self.cutoff <= 10**6:
            raise BadInput(f"cutoff must be a whole number of plies from 0 to 1000000, not {self.cutoff!r}")
        if not knowledge.evaluates:
            raise BadInput(
                f"a cutoff needs an evaluation, and {knowledge.game.name} has none: define evaluate(), or leave it out"
            )

    def plies(self, knowledge: Knowledge) -> int:
        """How long a simulation may go on at random: to the cutoff, this search's or else the knowledge's own."""
        cutoff = self.cut(knowledge)
        return self.longest if cutoff is None else cutoff

    def cut(self, knowledge: Knowledge) -> int | None:
        """After how many plies a simulation is evaluated; None: it is played to the end."""
        return knowledge.cutoff if self.cutoff is None and knowledge.evaluates else self.cutoff

    def guided(self, knowledge: Knowledge) -> bool:
        """Whether selection uses more than visits and values: priors, RAVE, or a given first-play urgency."""
        return knowledge.has_prior or self.of(knowledge, "rave") > 0 or self.urgency is not None

    def of(self, knowledge: Knowledge, name: str) -> float:
        """A setting of this search, or else the knowledge's own."""
        value = getattr(self, name)
        value = getattr(knowledge, name) if value is None else value
        return float(EXPLORATION if value is None else value)


def width_of(game: Game) -> int:
    """How many values a node keeps: one for two opposed teams, else one per player."""
    return 1 if game.opposed else game.players


class Pool:
    """The arrays of one tree, which grows to their size and no further; node 0 is its root."""

    def __init__(self, knowledge: Knowledge, settings: Settings, stop: NDArray[np.int64], place: int) -> None:
        game = knowledge.game
        self.game, self.settings = game, settings
        self.width = width = width_of(game)
        listed = game.lists_chance
        drawn = game.draws_chance and not listed
        guided = settings.guided(knowledge)
        self.kinds = (1 if listed else None, 1 if drawn else None, 1 if guided else None)  # as `grow` takes them
        node = 25 + 8 * width + 8 * listed + 4 * drawn + 16 * guided  # bytes
        size = int(settings.memory * (1 << 20) / settings.threads / node)
        size = min(max(size, game.max_actions + 2), 2**31 - 2)
        info = np.zeros(words.INFO, np.int64)
        info[words.SIZE], info[words.WIDTH] = size, width
        info[words.LONGEST] = settings.plies(knowledge)
        info[words.PROVE], info[words.ADAPT] = settings.prove, settings.spread is None
        info[words.RIPE] = settings.of(knowledge, "ripe")
        info[words.PLAYED] = knowledge.has_playout and settings.cut(knowledge) is None
        info[words.PAST_MASK] = PAST_PLACES - 1
        signs = [1.0 if width > 1 or team == game.team_of[0] else -1.0 for team in game.team_of]
        try:
            self.work: Any = Workspace(
                info=info,
                stop=stop,
                rng=seeded(scramble(settings.seed * MOST_THREADS + place)),
                action=np.empty(size, np.int64),
                first=np.empty(size, np.int32),
                children=np.empty(size, np.int32),
                mover=np.empty(size, np.int8),
                visits=np.empty(size, np.int64),
                total=np.empty(size * width),
                probability=np.empty(size if listed else 1),
                next=np.empty(size if drawn else 1, np.int32),
                trail=np.zeros(DEEPEST_TREE + 2, np.int64),
                floor=np.zeros(DEEPEST_TREE + 2, np.int64),
                path=np.zeros(DEEPEST_TREE + int(info[words.LONGEST]) + 2, np.int64),
                values=np.zeros(width),
                buffer=np.zeros(game.max_actions, np.int64),
                sign=np.array(signs),
                offset=np.array([player if width > 1 else 0 for player in range(game.players)], np.int64),
                scale=scale_of(knowledge, settings),
                moments=np.zeros(3 * (game.max_actions + 1)),
                keys=np.zeros(DEEPEST_TREE + 2 if game.repeats else 1, np.int64),
                past=np.zeros(2 * PAST_PLACES if game.repeats else 2, np.int64),
                owned=np.zeros(max(knowledge.places, 1), np.int64),
                guides=np.array([guided], np.int64),
                weight=np.empty(size if guided else 1, np.float32),
                credits=np.empty(size if guided else 1, np.int32),
                credit=np.empty(size if guided else 1),
                moves=room_for_moves() if guided else np.full(1, -1, np.int64),
                who=np.zeros(SLOTS if guided else 1, np.int64),
                which=np.zeros(SLOTS if guided else 1, np.int64),
                touched=np.zeros(SLOTS if guided else 1, np.int64),
            )
        except MemoryError:
            raise BadInput(f"there is no room for memory={settings.memory:g} megabytes: ask for less") from None
        self.plant(0)

    def plant(self, view: int) -> None:
        """Reset to an unvisited root; `view` is the player whose outcomes are measured."""
        work = self.work
        work.visits[0], work.mover[0], work.action[0] = 0, UNOPENED, -1
        work.total[: self.width] = 0.0
        work.info[words.USED] = 1
        work.info[words.DEEPEST] = 0
        self.look(view)

    def look(self, view: int) -> None:
        """Measure outcomes from the perspective of this player from now on."""
        info = self.work.info
        info[words.VIEW] = view if self.width > 1 else 0
        info[words.FULL] = info[NODES] = info[words.OWNED] = 0
        self.work.moments[:] = 0.0
        self.work.owned[:] = 0

    def remember(self, counts: dict[int, int]) -> None:
        """The states of the game before the root, by key: what rules of repetition count."""
        if len(self.work.past) > 2:
            latest = dict(list(counts.items())[-PAST_PLACES // 2 :])
            self.work.past[:] = past_table(latest, PAST_PLACES)

    # -- reading ---------------------------------------------------------------------------------------------------

    def opened(self, node: int) -> bool:
        return bool(self.work.mover[node] != UNOPENED)

    def children(self, node: int) -> list[int]:
        """The children of a node in the order of the rules; drawn outcomes in the order they first came."""
        work = self.work
        if not self.opened(node):
            return []
        first, count = int(work.first[node]), int(work.children[node])
        if count:
            return list(range(first, first + count))
        return list(self._drawn(first))[::-1]

    def _drawn(self, child: int) -> Iterator[int]:
        while child >= 0:
            yield child
            child = int(self.work.next[child])

    def visits(self, node: int) -> int:
        return abs(int(self.work.visits[node]))

    def proved(self, node: int) -> bool:
        """Whether the value is known; where nothing is to be proved, only finished games are."""
        return bool(self.work.visits[node] < 0)

    def values(self, node: int) -> NDArray[np.float64]:
        """The mean of what came back through a node that was visited, or its proved value: [width]."""
        total: NDArray[np.float64] = self.work.total[node * self.width : (node + 1) * self.width]
        return total.copy() if self.proved(node) else total / self.visits(node)

    # -- reusing a subtree -----------------------------------------------------------------------------------------

    def advance(self, action: int, view: int) -> None:
        """Make the child for this action or outcome the root; what is not under it is given up."""
        found = [child for child in self.children(0) if self.work.action[child] == action]
        if not found or self.work.visits[found[0]] == 0 or (self.proved(found[0]) and not self.opened(found[0])):
            self.plant(view)  # a draw by repetition is proved without a move listed, and the game may go on
            return
        work, used = self.work, int(self.work.info[words.USED])
        keep = np.flatnonzero(self._below(found[0], used))
        place = np.full(used, -1, np.int32)
        place[keep] = np.arange(len(keep), dtype=np.int32)
        number = len(keep)
        opened = work.mover[keep] != UNOPENED
        first = np.where(opened, work.first[keep], -1)
        first = np.where(first >= 0, place[first], -1)
        for name in ("action", "children", "mover", "visits"):
            array = getattr(work, name)
            array[:number] = array[keep]
        total = work.total.reshape(-1, self.width)
        total[:number] = total[keep]
        work.first[:number] = first
        if work.guides[0]:
            for name in ("weight", "credits", "credit"):
                array = getattr(work, name)
                array[:number] = array[keep]
        if len(work.probability) > 1:
            work.probability[:number] = work.probability[keep]
        if len(work.next) > 1:
            following = work.next[keep]
            work.next[:number] = np.where(following >= 0, place[following], -1)
        work.info[words.USED] = number
        work.info[words.DEEPEST] = max(work.info[words.DEEPEST] - 1, 0)
        self.look(view)

    def _below(self, node: int, used: int) -> NDArray[np.bool_]:
        """Which nodes are the given one or under it: [used]. A child always stands behind its parent."""
        work = self.work
        mask = np.zeros(used, bool)
        level = np.array([node])
        while level.size:
            mask[level] = True
            opened = level[work.mover[level] != UNOPENED]
            first, count = work.first[opened].astype(np.int64), work.children[opened].astype(np.int64)
            start = np.cumsum(count) - count
            below = [np.repeat(first - start, count) + np.arange(count.sum())]
            heads = first[(count == 0) & (first >= 0)]  # of the lists of drawn outcomes
            while heads.size:
                below.append(heads)
                heads = work.next[heads].astype(np.int64)
                heads = heads[heads >= 0]
            level = np.concatenate(below)
        return mask


def scale_of(knowledge: Knowledge, settings: Settings) -> NDArray[np.float64]:
    game, exploration = knowledge.game, settings.of(knowledge, "exploration")
    low, high = (float(bound) for bound in game.utility_range)
    half = (high - low) / 2
    finite = math.isfinite(half)
    spread = settings.spread if settings.spread is not None else half if finite else 1.0
    scale = np.zeros(words.SCALES)
    scale[words.BONUS] = (exploration * spread) ** 2
    scale[words.EXPLORATION] = exploration
    scale[words.RAVE] = settings.of(knowledge, "rave")
    scale[words.URGENCY] = URGENCY if settings.urgency is None else settings.urgency
    scale[words.LEAST], scale[words.MOST] = half * LEAST_SPREAD if finite else 1e-9, half
    scale[words.TOP] = high
    scale[words.MIDDLE] = (low + high) / 2 if finite else 0.0
    return scale
