"""Monte Carlo tree search (UCT) as the book writes it: any game, chance nodes, any number of players.

    root = uct_search(game, game.start_state, 1000)
    best = max(root.children, key=lambda child: child.visits).action

The oracle for `engine/montecarlo/mcts.py`: without its solver and with the same random numbers, that grows the
same tree. (Kocsis & Szepesvári 2006; AIMA, figure 5.11.)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...errors import BadInput, GameError, Unsuitable
from ...game import CHANCE, Game
from ...knowledge import knowledge_of
from ...number import is_whole
from ...rng import below, seeded, uniform

PSEUDOCODE = """
function MONTE-CARLO-TREE-SEARCH(state) returns an action
    tree ← NODE(state)
    while IS-TIME-REMAINING() do
        leaf ← SELECT(tree)            by the highest UCB1
        child ← EXPAND(leaf)           all children at once
        result ← SIMULATE(child)       at random to the end
        BACK-PROPAGATE(result, child)  to the root
    return the move whose node has the most playouts

UCB1(n) = U(n) / N(n) + C · √(ln N(PARENT(n)) / N(n))
"""
PHASES = {"select": 3, "expand": 4, "simulate": 5, "back-propagate": 6, "end": 7}
"""The line of the pseudocode that each phase is."""

LONGEST = 1000
"""Plies after which a simulated game counts as the middle of the utility range, or by its evaluation."""


@dataclass(eq=False)
class Node:
    """A position of the tree: how often it was reached, and the sum for each player of what came back."""

    action: int | None  # the move or the outcome that leads here
    totals: list[float]
    probability: float = 1.0
    visits: int = 0
    mover: int | None = None  # known once the node is expanded
    children: list[Node] = field(default_factory=list)
    utilities: list[float] | None = None  # of a finished game

    def mean(self, player: int) -> float:
        if self.utilities is not None:
            return self.utilities[player]
        return self.totals[player] * (1.0 / self.visits)


class Simulation(NamedTuple):
    """What one round did: the moves in the tree, how many more were played at random, and the outcome."""

    moves: tuple[int, ...]
    played: int
    values: tuple[float, ...]


def uct_search(
    game: Game,
    state: Any,
    simulations: int,
    *,
    exploration: float = math.sqrt(2),
    rng: Any = None,
    watch: Callable[[Simulation], None] = lambda simulation: None,
) -> Node:
    """The tree after so many simulations; `exploration` is C in units of utility."""
    check(game, state, simulations)
    rng = seeded(1) if rng is None else rng
    root = new_node(game, None)
    for _ in range(simulations):
        trail, leaf = select(game, root, state, exploration, rng)
        values, played = simulate(game, trail[-1], leaf, rng)
        back_up(trail, values)
        watch(Simulation(tuple(node.action for node in trail[1:] if node.action is not None), played, tuple(values)))
    return root


def check(game: Game, state: Any, simulations: int) -> None:
    """Refuse, in one sentence, what cannot be simulated."""
    if game.hidden:
        raise Unsuitable(
            f"mcts cannot search {game.name}: players do not see the whole state; "
            f"`plywright best {game.name} --algorithm ismcts` can"
        )
    if game.has_chance and not game.lists_chance:
        raise Unsuitable(f"the textbook's mcts cannot search {game.name}: it must list its outcomes in chance()")
    if not is_whole(simulations) or simulations < 1:
        raise BadInput(f"simulations must be a whole number of at least 1, not {simulations!r}")
    if game.is_terminal(state):
        raise BadInput(f"the game is over in this position of {game.name}: there is nothing to search")


def new_node(game: Game, action: int | None, probability: float = 1.0) -> Node:
    return Node(action, [0.0] * game.players, probability)


def select(game: Game, root: Node, state: Any, exploration: float, rng: Any) -> tuple[list[Node], Any]:
    """From the root down to a node that is new or finished; the nodes on the way, and the state there."""
    trail = [root]
    while trail[-1].utilities is None:
        node = trail[-1]
        if not node.children:
            if node.visits == 0 and node is not root:
                break
            expand(game, node, state)
        child = roll(node, rng) if node.mover == CHANCE else highest_bound(node, exploration, rng)
        state = game.state_after(state, child.action)  # type: ignore[arg-type]
        trail.append(child)
    return trail, state


def expand(game: Game, node: Node, state: Any) -> None:
    """Add all the children of a node."""
    node.mover = int(game.to_move(state))
    if node.mover == CHANCE:
        outcomes = game.chance(state)
        node.children = [new_node(game, int(outcome), float(probability)) for outcome, probability in outcomes]
    else:
        node.children = [new_node(game, int(action)) for action in game.actions(state)]
    if not node.children:
        raise GameError(f"{game.name}: nothing can be done in a state that is_terminal() calls unfinished")


def highest_bound(node: Node, exploration: float, rng: Any) -> Node:
    """A child never visited, at random, or the one with the highest UCB1 for the player to move."""
    fresh = [child for child in node.children if child.visits == 0]
    if fresh:
        return fresh[below(rng, len(fresh))]
    return max(node.children, key=lambda child: upper_bound(node, child, exploration))


def upper_bound(node: Node, child: Node, exploration: float) -> float:
    """UCB1 of a child for the player to move at the node: what it got there, and a bonus for what was tried seldom."""
    if child.visits == 0:
        return math.inf
    bonus = exploration * exploration * math.log(node.visits)
    return child.mean(node.mover or 0) + math.sqrt(bonus * (1.0 / child.visits))


def roll(node: Node, rng: Any) -> Node:
    """The child for an outcome drawn by its probability."""
    left = uniform(rng)
    for child in node.children:
        left -= child.probability
        if left < 0.0:
            return child
    return node.children[-1]


def simulate(game: Game, node: Node, state: Any, rng: Any) -> tuple[list[float], int]:
    """What each player gets at the end of a game played at random from here, and how many plies that took."""
    if node.utilities is not None:
        return node.utilities, 0
    players = range(game.players)
    for ply in range(LONGEST):
        if game.is_terminal(state):
            utilities = [float(game.utility(state, player)) for player in players]
            if ply == 0:
                node.utilities = utilities
            return utilities, ply
        state = game.state_after(state, at_random(game, state, rng))
    knowledge = knowledge_of(game)
    if knowledge.evaluates:
        return [float(knowledge.evaluate(state, player)) for player in players], LONGEST
    return [sum(game.utility_range) / 2 for _ in players], LONGEST


def at_random(game: Game, state: Any, rng: Any) -> int:
    if game.to_move(state) == CHANCE:
        outcomes = list(game.chance(state))
        left = uniform(rng)
        for outcome, probability in outcomes:
            left -= probability
            if left < 0.0:
                return int(outcome)
        return int(outcomes[-1][0])
    actions = list(game.actions(state))
    return int(actions[below(rng, len(actions))])


def back_up(trail: list[Node], values: list[float]) -> None:
    """Every node on the way counts the outcome."""
    for node in trail:
        node.visits += 1
        for player, value in enumerate(values):
            node.totals[player] += value
