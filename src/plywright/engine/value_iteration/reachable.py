"""The states that can be reached from a position, numbered, and how they hang together.

A state is kept as its words and found again by comparing all of them, so that no two are ever taken for
one. Compiled where the game compiles; otherwise a dictionary of the states themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bits import read_state, write_state
from ...compiled import Workspace, interpreted
from ...contracts import check_facts
from ...counters import BAD_PROBABILITY, FAULT, NO_ACTIONS, NODES, NOT_A_NUMBER, OUT_OF_RANGE, STOPPED
from ...errors import BadInput, GameError, Unsuitable
from ...faults import complaint
from ...game import CHANCE, Game
from ...number import is_real
from ...rule_guard import odds_fault
from ...smoke_test import smoke_test
from ...state import leaves
from ..alphabeta.transposition import memory
from ..kernel_runner import Job, run
from .explore import COUNT, EDGE_ROOM, EDGES, FILLED, FOLDED, INFO, MASK, OVER, ROOM, VIEWS, WIDTH, explore

MEGABYTES = 1024.0
FIRST_ROOM = 1 << 12
MOST_STATES = 1 << 30
STATE_BYTES = 64  # beside its words: places in the table, values, order
EDGE_BYTES = 12


@dataclass(frozen=True)
class Reachable:
    """All states that can be reached from one, which has number 0, as arrays over their numbers."""

    game: Game
    first: NDArray[np.int64]  # [states + 1] where the ways on of a state begin
    mover: NDArray[np.int32]  # [states] a player, CHANCE or OVER
    target: NDArray[np.int32]  # [ways] the state a way leads to
    label: NDArray[np.float64]  # [ways] the action, or the probability of an outcome
    payoff: NDArray[np.float64]  # [states, views] utilities of finished states: player 0's if two teams are opposed
    compiled: bool
    state_at: Callable[[int], Any]
    words: NDArray[np.int64] | None = None  # the states as compiled code holds them, all of the same width

    @property
    def count(self) -> int:
        return len(self.mover)

    @property
    def finished(self) -> int:
        return int(np.count_nonzero(self.mover == OVER))

    @property
    def by_chance(self) -> int:
        """States in which chance decides."""
        return int(np.count_nonzero(self.mover == CHANCE))


Tell = Callable[[int], None]


def reachable(
    game: Game,
    state: Any = None,
    *,
    megabytes: float = MEGABYTES,
    up_to_symmetry: bool = False,
    progress: Tell | None = None,
    compiled: bool | None = None,
) -> Reachable:
    """All states that can be reached from `state` (by default the initial one).

    With `up_to_symmetry` states that the game's `canonical` maps to one count once. `progress` is told now and then
    how many are known. Where they do not fit into so many megabytes Unsuitable is raised, and KeyboardInterrupt
    on Ctrl-C.
    """
    if not isinstance(game, Game):
        raise BadInput(f"a Game is needed, not {game!r}; load_game(name) makes one from a name or a path")
    if game.has_chance and not game.lists_chance:
        raise Unsuitable(
            f"the states of {game.name} cannot be listed, since it only draws what chance brings: it needs chance(), "
            f"or `plywright best {game.name} --algorithm mcts`, which draws"
        )
    if not is_real(megabytes) or not megabytes > 0:
        raise BadInput(f"the memory for states must be a number of megabytes above 0, not {megabytes!r}")
    available = memory()
    if available is not None and megabytes * 1e6 > 0.9 * available:
        megabytes = 0.9 * available / 1e6
    check_facts(game)
    smoke_test(game)
    state = game.start_state if state is None else game.coerce_state(state)
    if up_to_symmetry:
        state = game.coerce_state(game.canonical(state))
    found = (
        None
        if game.state_shape is None or compiled is False
        else _compiled(game, state, megabytes, up_to_symmetry, progress)
    )
    return found or _interpreted(game, state, megabytes, up_to_symmetry, progress)


def views_of(game: Game) -> int:
    """For how many players utilities are kept: one speaks for both of two opposed teams."""
    return 1 if game.opposed else game.players


def _arrays(width: int, views: int, room: int, ways: int) -> dict[str, NDArray[Any]]:
    return {
        "words": np.zeros(room * width + width, np.int64),
        "slots": np.zeros(2 << (room - 1).bit_length(), np.int32),
        "first": np.zeros(room + 1, np.int64),
        "mover": np.zeros(room, np.int32),
        "payoff": np.zeros(room * views),
        "target": np.zeros(ways, np.int32),
        "label": np.zeros(ways),
    }


def _compiled(game: Game, state: Any, megabytes: float, folded: bool, progress: Tell | None) -> Reachable | None:
    """By the kernel, in arrays that grow; None where the rules cannot be compiled."""
    width, views = len(leaves(state)), views_of(game)
    room, ways = FIRST_ROOM, 4 * FIRST_ROOM
    info = np.zeros(INFO, np.int64)
    info[COUNT], info[WIDTH], info[VIEWS], info[FOLDED] = 1, width, views, folded
    low, high = game.utility_range
    shared = {"info": info, "stop": np.zeros(1, np.int64), "bounds": np.array([low - 1e-9, high + 1e-9])}
    arrays = _arrays(width, views, room, ways)
    work: Any = None
    while True:
        info[ROOM], info[EDGE_ROOM], info[FILLED] = room, ways, 0
        arrays["slots"][:] = 0
        info[MASK] = len(arrays["slots"]) - 1
        work = Workspace(**shared, **arrays)
        if not info[NODES] and info[COUNT] == 1:
            write_state(work.words, 0, state)
        entry = explore.entry(game, state, work)
        if not entry[1]:
            return None
        tick = (lambda: progress(int(info[COUNT]))) if progress is not None else None
        run(explore, game, (state, work), work, tick=tick, entry=entry)
        if info[STOPPED]:
            raise KeyboardInterrupt
        if info[FAULT]:
            raise _fault(game, int(info[FAULT]), read_state(work.words, int(info[NODES]) * width, state))
        if info[NODES] == info[COUNT]:
            break
        more_states, more_ways = info[COUNT] >= room, not info[COUNT] >= room
        room, ways = room * (2 if more_states else 1), ways * (2 if more_ways else 1)
        if _size(width, views, room, ways) > megabytes * 1e6 or room > MOST_STATES:
            room, ways = _largest(width, views, int(info[COUNT]), len(arrays["target"]), room, ways, megabytes)
            if room <= info[COUNT] + 1 or ways <= info[EDGES] + game.max_actions:
                raise _too_many(game, int(info[COUNT]), megabytes)
        arrays = {name: _grown(old, arrays[name]) for name, old in _arrays(width, views, room, ways).items()}
    count, edges = int(info[COUNT]), int(info[EDGES])
    work.first[count] = edges
    words = work.words
    return Reachable(
        game,
        work.first[: count + 1],
        work.mover[:count],
        work.target[:edges],
        work.label[:edges],
        work.payoff[: count * views].reshape(count, views),
        True,
        lambda number: game.coerce_state(read_state(words, number * width, state)),
        words[: count * width],
    )


def _size(width: int, views: int, room: int, ways: int) -> float:
    return room * (8 * (width + views) + STATE_BYTES) + ways * EDGE_BYTES


def _largest(width: int, views: int, count: int, edges: int, room: int, ways: int, megabytes: float) -> tuple[int, int]:
    """The last sizes that fit, smaller than asked for: what is left shared as states and ways are now."""
    each = (8 * (width + views) + STATE_BYTES) + EDGE_BYTES * max(edges / count, 1.0)
    fitting = int(megabytes * 1e6 / each)
    return min(room, fitting, MOST_STATES), min(ways, int(fitting * max(edges / count, 1.0)))


def _grown(new: NDArray[Any], old: NDArray[Any]) -> NDArray[Any]:
    if len(new) <= len(old):
        return old
    new[: len(old)] = old
    return new


def _too_many(game: Game, count: int, megabytes: float) -> Unsuitable:
    return Unsuitable(
        f"{game.name} has more than {count:,} reachable states, which do not fit into {megabytes:,.0f} MB "
        f"(--table gives more); `plywright best {game.name}` searches ahead instead"
    )


def _fault(game: Game, fault: int, state: Any) -> GameError:
    """What was wrong with the rules in a state, as a sentence."""
    return GameError(f"{game.name}: {complaint(game, fault, state)}, in the state {game.format_state(state)}")


def _interpreted(game: Game, state: Any, megabytes: float, folded: bool, progress: Tell | None) -> Reachable:
    """The same in Python, for rules that are not compiled: states are their own keys."""
    numbers: dict[Any, int] = {state: 0}
    states = [state]
    first, mover, target, label = [0], list[int](), list[int](), list[float]()
    payoff: list[list[float]] = []
    views = views_of(game)
    most = int(megabytes * 1e6 / 1000)  # a state, its ways and what Python needs for them
    work: Any = Workspace(info=np.zeros(1, np.int64), stop=np.zeros(1, np.int64))

    def walk(_: Game) -> None:
        for place, here in enumerate(states):  # grows while it is read
            work.info[NODES] = place + 1
            if work.stop[0]:
                raise KeyboardInterrupt
            ways, who = _ways_on(game, here)
            for number, child in ways:
                child = game.coerce_state(game.canonical(child)) if folded else child
                if child not in numbers:
                    numbers[child] = len(states)
                    states.append(child)
                target.append(numbers[child])
                label.append(number)
            mover.append(who)
            first.append(len(target))
            payoff.append([_utility(game, here, player) if who == OVER else 0.0 for player in range(views)])
            if len(states) > most:
                raise _too_many(game, len(states), megabytes)

    tick = (lambda: progress(len(states))) if progress is not None else None
    with interpreted():
        run(Job(walk, False), game, (), work, tick=tick)
    return Reachable(
        game,
        np.array(first, np.int64),
        np.array(mover, np.int32),
        np.array(target, np.int32),
        np.array(label, np.float64),
        np.array(payoff).reshape(len(states), views),
        False,
        states.__getitem__,
    )


def _ways_on(game: Game, state: Any) -> tuple[list[tuple[float, Any]], int]:
    """The ways on, each with its label and where it leads, and who decides."""
    if game.is_terminal(state):
        return [], OVER
    who = int(game.to_move(state))
    if who == CHANCE:
        odds = list(game.chance(state))
        if odds_fault(odds):
            raise _fault(game, BAD_PROBABILITY, state)
    else:
        odds = [(int(action), float(action)) for action in game.actions(state)]
        if not odds:
            raise _fault(game, NO_ACTIONS, state)
    return [(float(label), game.state_after(state, int(way))) for way, label in odds], who


def _utility(game: Game, state: Any, player: int) -> float:
    value = float(game.utility(state, player))
    low, high = game.utility_range
    if not low - 1e-9 <= value <= high + 1e-9:
        raise _fault(game, OUT_OF_RANGE if value == value else NOT_A_NUMBER, state)
    return value


__all__ = ["MEGABYTES", "OVER", "Reachable", "reachable", "views_of"]
