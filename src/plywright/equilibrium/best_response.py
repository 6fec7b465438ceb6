"""What strategies are worth, and what the best answer to them is: exact sweeps over a game tree's arrays."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled import NO_GAME, Workspace, kernel
from ..errors import BadInput, GameError
from ..game import CHANCE, Game
from ..number import GIVEN_ROUNDING, sums_to_one
from .tree import TERMINAL, GameTree

Floats = NDArray[np.float64]


@kernel
def expected_values(game, work):
    """For each player the expected utility of the strategies, in work.total."""
    players, histories = work.size[1], work.size[0]
    work.reach[0] = 1.0
    for player in range(players):
        work.total[player] = 0.0
    for place in range(histories):
        mover, reach = work.player[place], work.reach[place]
        if mover == TERMINAL:
            for player in range(players):
                work.total[player] += reach * work.utility[player * histories + place]
        else:
            for child in range(work.count[place]):
                down = work.first[place] + child
                chance = work.probability[down] if mover == CHANCE else work.strategy[work.slot[place] + child]
                work.reach[down] = reach * chance
    return 0


@kernel
def best_response(game, player, work):
    """The value for the player of answering the others' strategies best; work.answer is 1 at each slot chosen.

    Histories are taken in the order of how often the player has acted on the way to them, the most first.
    With perfect recall the histories of one information set agree in that, and everything below them is
    settled when the set's choice is: the action with the most value, each history weighed by how likely the
    others make it.
    """
    histories = work.size[0]
    base = player * histories
    others_reach(player, work)
    for slot in range(work.size[3]):
        work.worth[slot] = 0.0
    acted, pending = -1, 0
    for index in range(histories):
        place = work.order[index]
        if work.acted[place] != acted:
            acted = work.acted[place]
            while pending < work.size[2] and work.set_acted[work.sets[pending]] >= acted:
                settle(work.sets[pending], work)
                pending += 1
        mover, first = work.player[place], work.first[place]
        total = 0.0
        if mover == TERMINAL:
            total = work.utility[base + place]
        elif mover == player:
            for child in range(work.count[place]):
                total += work.answer[work.slot[place] + child] * work.value[first + child]
        else:
            for child in range(work.count[place]):
                down = first + child
                chance = work.probability[down] if mover == CHANCE else work.strategy[work.slot[place] + child]
                total += chance * work.value[down]
        work.value[place] = total
        if place > 0:
            parent = work.parent[place]
            if work.player[parent] == player:
                work.worth[work.slot[parent] + place - work.first[parent]] += work.reach[parent] * total
    return work.value[0]


def others_reach(player, work):
    """How likely everybody else makes each history."""
    work.reach[0] = 1.0
    for place in range(work.size[0]):
        mover = work.player[place]
        if mover != TERMINAL:
            for child in range(work.count[place]):
                down = work.first[place] + child
                chance = 1.0
                if mover == CHANCE:
                    chance = work.probability[down]
                elif mover != player:
                    chance = work.strategy[work.slot[place] + child]
                work.reach[down] = work.reach[place] * chance


def settle(which, work):
    """Choose the action of an information set that is worth most; the first of equal ones."""
    start, end = work.start[which], work.start[which + 1]
    best = start
    for slot in range(start, end):
        work.answer[slot] = 0.0
        if work.worth[slot] > work.worth[best]:
            best = slot
    work.answer[best] = 1.0


def _workspace(tree: GameTree, strategy: Floats, **more: NDArray[Any]) -> Any:
    size = np.array([tree.histories, tree.players, 0, tree.slots], np.int64)
    names = ("player", "first", "count", "slot", "parent", "probability", "utility", "start")
    arrays = {name: getattr(tree, name) for name in names}
    reach = np.zeros(tree.histories)
    return Workspace(size=size, strategy=np.ascontiguousarray(strategy, np.float64), reach=reach, **arrays, **more)


def values_of(tree: GameTree, strategy: Floats) -> tuple[float, ...]:
    """The expected utility of each player when all play their part of the strategy (by slot)."""
    work = _workspace(tree, strategy, total=np.zeros(tree.players))
    expected_values(NO_GAME, work)
    return tuple(float(total) for total in work.total)


def respond(tree: GameTree, strategy: Floats, player: int) -> tuple[float, Floats]:
    """The most the player can get against the others' parts, and how: the strategy with its own part replaced."""
    acted, order, sets, set_acted = _order(tree, player)
    work = _workspace(
        tree,
        strategy,
        acted=acted,
        order=order,
        sets=sets,
        set_acted=set_acted,
        value=np.zeros(tree.histories),
        worth=np.zeros(tree.slots),
        answer=np.zeros(tree.slots),
    )
    work.size[2] = len(sets)
    value = float(best_response(NO_GAME, player, work))
    mine = np.repeat(tree.owner == player, tree.widths)
    return value, np.where(mine, work.answer, strategy)


def _order(tree: GameTree, player: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """How often the player has acted before each history; histories and sets, most acts first."""
    acted = np.zeros(tree.histories, np.int32)
    by_level = np.argsort(tree.level, kind="stable")
    edges = np.searchsorted(tree.level[by_level], np.arange(1, int(tree.level.max()) + 2))
    for begin, end in itertools.pairwise(edges):
        places = by_level[begin:end]
        parents = tree.parent[places]
        acted[places] = acted[parents] + (tree.player[parents] == player)
    order = np.lexsort((-np.arange(tree.histories), -acted)).astype(np.int32)
    set_acted = acted[tree.sample].astype(np.int32)
    sets = np.flatnonzero(tree.owner == player)
    sets = sets[np.argsort(-set_acted[sets], kind="stable")].astype(np.int32)
    return acted, order, sets, set_acted


def gains(tree: GameTree, strategy: Floats) -> tuple[float, ...]:
    """What each player could gain by answering the others best instead of playing its part: all 0 in an equilibrium."""
    values = values_of(tree, strategy)
    return tuple(max(respond(tree, strategy, player)[0] - values[player], 0.0) for player in range(tree.players))


def nash_conv(tree: GameTree, strategy: Floats) -> float:
    """The sum of all gains."""
    return sum(gains(tree, strategy))


def exploitability(tree: GameTree | Game | str, strategy: Any) -> float:
    """The mean gain of a player: in a two-player zero-sum game, what a best opponent wins, averaged over the seats.

    `strategy` is a Strategy, its `chances`, a policy such as `Uniform()`, or a function decide(game, view, seat) that
    gives an action or a probability for each of several; the tree may be given as a game. A policy that is asked of
    states is refused where it plays differently in two that look alike to its player.
    """
    if not isinstance(tree, GameTree):
        tree = GameTree.of(tree)
    return nash_conv(tree, chances_of(tree, strategy)) / tree.players


def chances_of(tree: GameTree, strategy: Any) -> Floats:
    """The probability of each slot of the tree under whatever says how to play; BadInput where that is unclear."""
    found = getattr(strategy, "chances", strategy)
    if isinstance(found, np.ndarray) and found.shape == tree.uniform.shape:
        return np.asarray(found, np.float64)
    if isinstance(found, np.ndarray) or not (hasattr(strategy, "probabilities") or callable(strategy)):
        raise BadInput(
            f"{strategy!r} is no strategy of {tree.game.name}: give a Strategy or its chances, a policy such as "
            f"Uniform(), or a function decide(game, view, seat)"
        )
    chances = np.array(tree.uniform)  # a single legal action is played by everybody
    of_states = hasattr(strategy, "blind")  # a policy of the engine
    members = _members(tree) if of_states else {}
    for which in map(int, np.flatnonzero(tree.widths > 1)):
        view, owner = tree.view_of(which)
        if not hasattr(strategy, "probabilities"):
            plays = strategy(tree.game, view, owner)
        elif of_states:
            states = map(tree.state_of, members[int(tree.start[which])])
            plays = strategy.blind(tree.game, states, owner)
        else:
            plays = strategy.probabilities(view, owner)
        chances[tree.start[which] : tree.start[which + 1]] = legal_chances(tree, which, plays, repr(strategy))
    return chances


def legal_chances(tree: GameTree, which: int, plays: int | Mapping[int, float], who: str) -> list[float]:
    """The probability of each legal action of an information set; raises GameError that names who plays others."""
    mixed = plays if isinstance(plays, Mapping) else {int(plays): 1.0}
    found = [mixed.get(action, 0.0) for action in tree.actions_of(which)]
    if not sums_to_one(math.fsum(found), GIVEN_ROUNDING):
        text = tree.game.format_observation(*tree.view_of(which))
        raise GameError(f"{who} does not choose among the legal actions of {tree.game.name} at {text!r}")
    return found


def _members(tree: GameTree) -> dict[int, list[int]]:
    """The histories of each information set, by its first slot."""
    found: dict[int, list[int]] = {}
    for history in map(int, np.flatnonzero(tree.player >= 0)):
        found.setdefault(int(tree.slot[history]), []).append(history)
    return found
