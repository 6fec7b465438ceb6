"""A whole game as flat arrays: every history a number, every information set a slice of slots.

The rules are walked once, compiled; afterwards equilibria, best responses and expected values are sweeps
over arrays and know no game. Histories are numbered so that parents come before children and the children
of one history lie side by side. A slot is one action of one information set.

Information sets are told apart by 64 bits of what the player sees (`observation`, and who it is); two
different ones share them with a chance of about sets^2 / 2^65.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bits import fold, signed
from ..compiled import Workspace, kernel
from ..counters import (
    BAD_PROBABILITY,
    FAULT,
    FORGOTTEN,
    HEADER,
    NO_ACTIONS,
    NODE_LIMIT,
    NODES,
    NOT_A_NUMBER,
    OTHER_ACTIONS,
    TOO_DEEP,
    TOO_LARGE,
    TOO_MANY_ACTIONS,
)
from ..errors import BadInput, GameError, Unsuitable
from ..faults import complaint
from ..game import CHANCE, Game
from ..games import as_game
from ..number import sums_to_one
from ..smoke_test import smoke_test

MOST_HISTORIES = 40_000_000
DEEPEST = 4_000
TERMINAL = -2
SALT = 0x9E3779B97F4A7C15

INFO = 9
SETS, SLOTS, CULPRIT, PLAYERS, DEEP = range(HEADER, INFO)
"""NODES counts histories; CULPRIT is the one with a fault."""


@kernel
def count_histories(game, state, depth, work):
    """How many histories there are from here on; stops counting at the limit."""
    info = work.info
    info[NODES] += 1
    if info[NODES] > info[NODE_LIMIT]:
        info[FAULT] = TOO_LARGE
    if depth > DEEPEST:
        info[FAULT] = TOO_DEEP
    if info[FAULT] != 0 or game.is_terminal(state):
        return 0
    if game.to_move(state) == CHANCE:
        for outcome, _probability in game.chance(state):
            count_histories(game, game.result(state, outcome), depth + 1, work)
    else:
        for action in game.actions(state):
            count_histories(game, game.result(state, action), depth + 1, work)
    return 0


@kernel
def index_history(game, state, place, depth, work):
    """Write the history at `place` and all below it; sets info[FAULT] and [CULPRIT] where the rules are wrong."""
    info = work.info
    if info[FAULT] != 0:
        return 0
    work.level[place] = depth
    if game.is_terminal(state):
        work.player[place] = TERMINAL
        for player in range(info[PLAYERS]):
            utility = game.utility(state, player)
            if utility != utility:
                return wrong(info, NOT_A_NUMBER, place)
            work.utility[player * info[NODE_LIMIT] + place] = utility
        return 0
    mover = game.to_move(state)
    work.player[place] = mover
    first, count = info[NODES], 0
    work.first[place] = first
    if mover == CHANCE:
        total = 0.0
        for outcome, probability in game.chance(state):
            work.action[first + count] = outcome
            work.probability[first + count] = probability
            if not probability > 0.0:
                return wrong(info, BAD_PROBABILITY, place)
            total += probability
            count += 1
        if not sums_to_one(total):
            return wrong(info, BAD_PROBABILITY, place)
    else:
        for action in game.actions(state):
            if count >= game.max_actions:
                return wrong(info, TOO_MANY_ACTIONS, place)
            work.action[first + count] = action
            count += 1
        if count == 0:
            return wrong(info, NO_ACTIONS, place)
        seen = game.view_key(game.observation(state, mover))
        place_in_set(signed(fold(seen ^ SALT, 2 * mover + 1)), place, count, work)
    work.count[place] = count
    info[NODES] = first + count
    kept = 0
    if mover >= 0:
        kept = work.last[mover]
    for child in range(count):
        if mover >= 0:  # what the player remembers of its own acts: the last slot it chose
            work.last[mover] = work.slot[place] + child + 1
        work.parent[first + child] = place
        index_history(game, game.result(state, work.action[first + child]), first + child, depth + 1, work)
    if mover >= 0:
        work.last[mover] = kept
    return 0


def place_in_set(key, place, count, work):
    """Find or make the information set of a decision, and check it against those met before."""
    info, mover = work.info, work.player[place]
    mask = work.mask[0]
    spot = (key ^ key >> 29) & mask
    while work.spots[spot] >= 0 and work.key[work.spots[spot]] != key:
        spot = (spot + 1) & mask
    found = work.spots[spot]
    if found < 0:
        found = info[SETS]
        info[SETS] = found + 1
        work.spots[spot] = found
        work.key[found] = key
        work.owner[found] = mover
        work.sample[found] = place
        work.start[found] = info[SLOTS]
        work.before[found] = work.last[mover]
        info[SLOTS] += count
        work.start[found + 1] = info[SLOTS]
        for child in range(count):
            work.named[work.start[found] + child] = work.action[work.first[place] + child]
    elif work.start[found + 1] - work.start[found] != count:
        wrong(info, OTHER_ACTIONS, place)
    else:
        for child in range(count):
            if work.named[work.start[found] + child] != work.action[work.first[place] + child]:
                wrong(info, OTHER_ACTIONS, place)
        if work.before[found] != work.last[mover]:
            wrong(info, FORGOTTEN, place)
    work.slot[place] = work.start[found]


def wrong(info, fault, place):
    if info[FAULT] == 0:
        info[FAULT] = fault
        info[CULPRIT] = place
    return 0


@dataclass(frozen=True)
class GameTree:
    """The arrays, by history: `player` (CHANCE, TERMINAL), `first` child, `count`, `slot` of the first action.

    `probability` and `action` are those of the step that leads to a history; `utility` is by player, then
    history. By information set: `owner`, `start` (its first slot; one more at the end), `sample` (one of its
    histories).
    """

    game: Game
    player: NDArray[np.int8]
    first: NDArray[np.int32]
    count: NDArray[np.int32]
    slot: NDArray[np.int32]
    parent: NDArray[np.int32]
    level: NDArray[np.int32]
    action: NDArray[np.int64]
    probability: NDArray[np.float64]
    utility: NDArray[np.float64]
    owner: NDArray[np.int8]
    start: NDArray[np.int32]
    sample: NDArray[np.int32]

    @classmethod
    def of(cls, game: Game | str) -> GameTree:
        """Index a game; refuses, in one sentence, what is no finite game of perfect recall."""
        game = as_game(game)
        _check(game)
        smoke_test(game)
        return _index(game)

    @property
    def histories(self) -> int:
        return len(self.player)

    @property
    def sets(self) -> int:
        return len(self.owner)

    @property
    def slots(self) -> int:
        return int(self.start[-1])

    @property
    def players(self) -> int:
        return self.game.players

    @cached_property
    def widths(self) -> NDArray[np.int64]:
        """How many actions each information set has."""
        return np.diff(self.start).astype(np.int64)

    @cached_property
    def uniform(self) -> NDArray[np.float64]:
        """By slot: every action of an information set alike."""
        return np.repeat(1.0 / self.widths, self.widths)

    def state_of(self, history: int) -> Any:
        """The state of a history, played out by the rules."""
        path = []
        while history:
            path.append(int(self.action[history]))
            history = int(self.parent[history])
        state = self.game.start_state
        for action in reversed(path):
            state = self.game.state_after(state, action)
        return state

    def view_of(self, which: int) -> tuple[Any, int]:
        """What the owner of an information set sees there, and who it is."""
        owner = int(self.owner[which])
        return self.game.observation(self.state_of(int(self.sample[which])), owner), owner

    def actions_of(self, which: int) -> list[int]:
        history = int(self.sample[which])
        first = int(self.first[history])
        return [int(action) for action in self.action[first : first + int(self.count[history])]]


def _check(game: Game) -> None:
    if not isinstance(game, Game):
        raise BadInput(f"an equilibrium needs a Game, not {game!r}; load_game(name) makes one from a name or a path")
    if game.has_chance and not game.lists_chance:
        raise Unsuitable(f"{game.name} cannot be indexed: its chance outcomes are sampled, and would have to be listed")


def _index(game: Game) -> GameTree:
    info = np.zeros(INFO, np.int64)
    info[NODE_LIMIT] = MOST_HISTORIES
    count_histories(game, game.start_state, 0, Workspace(info=info))
    if info[FAULT]:
        large = info[FAULT] == TOO_LARGE
        what = f"more than {MOST_HISTORIES:,} histories" if large else f"lines of over {DEEPEST} plies"
        raise Unsuitable(f"{game.name} is too large to solve for an equilibrium: it has {what}")
    total = int(info[NODES])
    info[:] = 0
    info[NODES], info[NODE_LIMIT], info[PLAYERS] = 1, total, game.players
    size = 1 << max(2 * total, 2).bit_length()
    arrays: dict[str, NDArray[Any]] = {
        **{name: np.zeros(total, np.int32) for name in ("first", "count", "slot", "parent", "level", "sample")},
        "player": np.zeros(total, np.int8),
        "owner": np.zeros(total, np.int8),
        "action": np.zeros(total, np.int64),
        "named": np.zeros(total, np.int64),
        "key": np.zeros(total, np.int64),
        "probability": np.ones(total),
        "utility": np.zeros(total * game.players),
        "start": np.zeros(total + 1, np.int32),
        "before": np.zeros(total, np.int64),
        "spots": np.full(size, -1, np.int64),
        "mask": np.array([size - 1]),
        "last": np.zeros(game.players, np.int64),
    }
    work = Workspace(info=info, **arrays)
    index_history(game, game.start_state, 0, 0, work)
    sets = int(info[SETS])
    by_history = ("player", "first", "count", "slot", "parent", "level", "action", "probability", "utility")
    tree = GameTree(
        game,
        **{name: arrays[name] for name in by_history},
        owner=arrays["owner"][:sets].copy(),
        start=arrays["start"][: sets + 1].copy(),
        sample=arrays["sample"][:sets].copy(),
    )
    if info[FAULT]:
        raise _fault(tree, int(info[FAULT]), int(info[CULPRIT]))
    return tree


def _fault(tree: GameTree, fault: int, place: int) -> GameError:
    game, state = tree.game, tree.state_of(place)
    where = f"in the state {game.format_state(state)}"
    mover = int(game.to_move(state))
    if fault == OTHER_ACTIONS:
        what = (
            f"{game.player_name(mover)} sees the same as in another state but has other actions: "
            "observation() hides too much"
        )
    elif fault == FORGOTTEN:
        what = (
            f"{game.player_name(mover)} sees the same as in another state that was reached by other acts of its own: "
            "the game is not one of perfect recall, which CFR needs; put what the player did into observation()"
        )
    else:
        what = complaint(game, fault, state)
    return GameError(f"{game.name}: {what}, {where}")
