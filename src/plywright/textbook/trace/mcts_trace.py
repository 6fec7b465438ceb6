"""Monte Carlo tree search as a trace: every simulation in three steps, the tree as it grows.

    trace = trace_uct(game, game.start_state, simulations=40)

The search is `mcts.uct_search` itself, phase by phase. Every player is for itself, so a node's value is
a vector, the mean of what came back through it; beside it stands how many simulations did. Of the
counts, `nodes` are those of the tree that were visited and `leaves` the simulations run.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...draw.tree import value_text, vector_text
from ...errors import BadInput
from ...game import CHANCE as BY_CHANCE
from ...game import Game
from ...rng import seeded
from ..algorithms.mcts import PHASES, PSEUDOCODE, Node, back_up, check, new_node, select, simulate, upper_bound
from ..algorithms.sides import evaluations
from .trace import CHANCE, DONE, LEAF, MAX, MCTS, OPEN, Step, Trace, TraceNode, View

TITLE = "Monte Carlo tree search"
MOST_NODES = 20_000
DIGITS = 3
"""Of means, which are estimates."""


def trace_uct(
    game: Game,
    state: Any,
    simulations: int,
    *,
    exploration: float | None = None,
    seed: int = 1,
    most: int = MOST_NODES,
    watch: Callable[[], None] = lambda: None,
) -> Trace:
    """The trace of a number of simulations; `exploration` is sqrt(2) in units of half the utility range unless told.

    Raises BadInput where the tree would have more than `most` nodes; `watch` is called before each simulation.
    """
    check(game, state, simulations)
    low, high = game.utility_range
    weight = math.sqrt(2) * (high - low) / 2 if exploration is None else exploration
    garden = _Garden(game, state, most, weight)
    rng = seeded(seed)
    for number in range(1, simulations + 1):
        watch()
        trail, leaf = select(game, garden.root, state, weight, rng)
        garden.selected(trail, number)
        values, played = simulate(game, trail[-1], leaf, rng)
        garden.simulated(trail, values, played)
        back_up(trail, values)
        garden.counted(trail, number)
    return garden.trace()


@dataclass
class _Place:
    """A node of the tree where it stands."""

    node: Node
    state: Any
    parent: int
    moves: list[str]
    side: str
    values: tuple[float, ...]
    player: str
    children: list[int] = field(default_factory=list)


class _Garden:
    """Watches the tree grow and writes down what each phase did."""

    def __init__(self, game: Game, state: Any, most: int, weight: float) -> None:
        self.game, self.most, self.weight = game, most, weight
        self.root = new_node(game, None)
        self.seat = 0 if game.at_chance(state) else int(game.to_move(state))
        self.places: list[_Place] = []
        self.numbers: dict[int, int] = {}  # by the identity of the node, which lives as long as the tree
        self.views: list[View] = []
        self.changed: dict[int, View] = {}
        self.steps: list[Step] = []
        self.visited = self.simulations = 0
        self._register(self.root, state, -1)

    # -- the phases -----------------------------------------------------------------------------------------

    def selected(self, trail: list[Node], simulation: int) -> None:
        grown = ""
        for node in trail:
            place = self.places[self._number(node)]
            if node.children and not place.children:
                for child in node.children:
                    self._register(child, self._after(place.state, child), self._number(node))
                where = self._path(self._number(node))
                grown = f" {where} is reached again: its {len(node.children)} ways on are added."
        self.visited += trail[-1].visits == 0
        for node in trail:
            number = self._number(node)
            self._set(number, self.views[number]._replace(status=OPEN))
        last = self._number(trail[-1])
        words = f"Simulation {simulation}: the way of the highest UCB1 leads to {self._path(last)}.{grown}"
        self._step("enter", last, words, ("select", "expand") if grown else ("select",))

    def simulated(self, trail: list[Node], values: list[float], played: int) -> None:
        self.simulations += 1
        last = self._number(trail[-1])
        worth = vector_text(values)
        moves = "one move" if played == 1 else f"{played} moves"
        words = f"The game is over here: {worth}." if not played else f"{moves} at random to the end: {worth}."
        self._step("estimate" if played else "leaf", last, words[0].upper() + words[1:], ("simulate",))

    def counted(self, trail: list[Node], simulation: int) -> None:
        for node in trail:
            number = self._number(node)
            means = tuple(round(node.mean(player), DIGITS) for player in range(self.game.players))
            visits = "1 visit" if node.visits == 1 else f"{node.visits} visits"
            best = self._most_visited(number)
            known = View(DONE, low=means[self.seat], high=means[self.seat], value=means[self.seat], best=best)
            self._set(
                number, known._replace(values=means, cutoff=visits, reason=f"{visits}, mean {vector_text(means)}")
            )
        for node in trail:
            self._bounds(node)
        way = self._path(self._number(trail[-1]))
        words = f"Every node from {way} up to the root counts it; the root's mean of {simulation} is now "
        self._step("back-up", 0, f"{words}{vector_text(self.views[0].values)}.", ("back-propagate",))

    def _bounds(self, node: Node) -> None:
        """Beside every way on stands what decides which is tried next; one that was never tried comes first."""
        if node.mover == BY_CHANCE:
            return
        for child in node.children:
            number, bound = self._number(child), upper_bound(node, child, self.weight)
            visits = "1 visit" if child.visits == 1 else f"{child.visits} visits"
            words = f"{visits}, UCB {value_text(round(bound, DIGITS))}" if child.visits else "UCB ∞"
            self._set(number, self.views[number]._replace(cutoff=words))

    def trace(self) -> Trace:
        """Close the record: the move that most simulations went through."""
        best = self.views[0].best
        told = "Chance moves at the root: there is nothing to choose."
        if best is not None and self.places[0].side != CHANCE:
            mean = value_text(self.views[best].values[self.seat]) if self.views[best].values else "?"
            told = (
                f"{self._path(best)} has the most simulations, {self.places[best].node.visits} of "
                f"{self.simulations}, with mean {mean} for {self.game.player_name(self.seat)}: it is the move."
            )
        self._step("end", 0, told, ("end",))
        return Trace(
            algorithm=MCTS,
            title=TITLE,
            game=self.game.name,
            players=tuple(self.game.player_name(player) for player in range(self.game.players)),
            pseudocode=tuple(PSEUDOCODE.strip("\n").splitlines()),
            nodes=tuple(self._traced(number) for number in range(len(self.places))),
            steps=tuple(self.steps),
        )

    # -- the record -----------------------------------------------------------------------------------------

    def _after(self, state: Any, child: Node) -> Any:
        return self.game.state_after(state, child.action or 0)

    def _register(self, node: Node, state: Any, parent: int) -> None:
        if len(self.places) >= self.most:
            raise BadInput(f"this tree grows to more than {self.most:,} nodes; ask for fewer simulations")
        moves: list[str] = []
        if parent >= 0:
            above = self.places[parent]
            above.children.append(len(self.places))
            moves = [*above.moves, self.game.format_action(above.state, node.action or 0)]
        side, values, player = MAX, tuple[float, ...](), ""
        if self.game.is_terminal(state):
            side, values = LEAF, evaluations(self.game, state)
        elif self.game.to_move(state) == BY_CHANCE:
            side = CHANCE
        else:
            player = self.game.player_name(int(self.game.to_move(state)))
        self.numbers[id(node)] = len(self.places)
        self.places.append(_Place(node, state, parent, moves, side, values, player))
        self.views.append(View())

    def _number(self, node: Node) -> int:
        return self.numbers[id(node)]

    def _most_visited(self, number: int) -> int | None:
        below = self.places[number].children
        return max(below, key=lambda child: self.places[child].node.visits) if below else None

    def _path(self, number: int) -> str:
        moves = self.places[number].moves
        return self.game.join_moves(moves) if moves else "root"

    def _traced(self, number: int) -> TraceNode:
        place = self.places[number]
        by_chance = place.parent >= 0 and self.places[place.parent].side == CHANCE
        return TraceNode(
            number=number,
            parent=place.parent,
            action=-1 if place.node.action is None else place.node.action,
            move=place.moves[-1] if place.moves else "",
            path=self._path(number),
            side=place.side,
            value=place.values[self.seat] if place.values else None,
            more="",
            children=tuple(place.children),
            chance=place.node.probability if by_chance else None,
            values=place.values,
            player=place.player,
        )

    def _set(self, number: int, view: View) -> None:
        self.views[number] = self.changed[number] = view

    def _step(self, kind: str, number: int, words: str, phases: tuple[str, ...]) -> None:
        lines = tuple(PHASES[phase] for phase in phases)
        changes = tuple(self.changed.items())
        self.steps.append(Step(kind, number, lines, words, self.visited, self.simulations, 0, None, changes))
        self.changed = {}
