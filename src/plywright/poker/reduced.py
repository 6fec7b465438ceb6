"""A reduced hold'em that is solved exactly: three ranks of four suits, a flop, two rounds of limit betting.

It is `holdem:ranks=3,rounds=2`, the same rules on twelve cards. What somebody knows is the own pair and the board, so
that every decision of the betting tree holds a vector over the 66 pairs, on each of 220 flops after the first round.
CFR+ and discounted CFR run over these vectors; a best response takes, pair by pair, the act that is worth most against
the other's whole range: the exploitability is exact.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from ..games.poker_hands import evaluate_hands
from .betting_tree import BETS, BLINDS, CALL, ENDED, FOLD, MOST_RAISES, RAISE

CARDS = tuple(range(40, 52))
PAIRS = tuple(itertools.combinations(CARDS, 2))
FLOPS = tuple(itertools.combinations(CARDS, 3))
STREETS = 2
TO_COME = 56
"""Flops that two pairs leave."""
DISCOUNT = (1.5, 0.0, 2.0)
"""How regrets above and below zero, and averages, fade in discounted CFR."""
Floats = NDArray[np.float64]


@dataclass
class Node:
    """A decision, or an end: who moves, the round, the chips of both seats; children by act."""

    mover: int
    street: int
    paid: tuple[int, int]
    children: dict[int, Node]
    regret: Floats
    average: Floats


@dataclass(frozen=True)
class ReducedResult:
    """What the average strategy is worth to the big blind, and the mean gain of a best response, in chips."""

    iterations: int
    value: float
    exploitability: float

    @property
    def mbb(self) -> float:
        return 1000 * self.exploitability / BLINDS[0]


@functools.cache
def tables() -> tuple[Floats, Floats, Floats]:
    """Which pairs can be together before the flop, on each flop, and who wins there: [66, 66], [220, 66, 66] twice."""
    apart = np.array([[not set(one) & set(two) for two in PAIRS] for one in PAIRS], np.float64)
    free = np.array([[not set(flop) & set(pair) for pair in PAIRS] for flop in FLOPS], np.float64)
    strengths = np.zeros((len(FLOPS), len(PAIRS)))
    for number, flop in enumerate(FLOPS):
        hands = [pair for pair in range(len(PAIRS)) if free[number, pair]]
        strengths[number, hands] = evaluate_hands([[*flop, *PAIRS[pair]] for pair in hands])
    there = apart[None] * free[:, :, None] * free[:, None, :]
    return apart, there, np.sign(strengths[:, :, None] - strengths[:, None, :]) * there


class ReducedHoldem:
    """Regret minimisation over vectors. `discount` is None for CFR+, or the three powers of discounted CFR."""

    def __init__(self, discount: tuple[float, float, float] | None = None) -> None:
        self.discount = discount
        self.done = 0
        self.nodes: list[Node] = []
        self.root = self._grow(1, 0, BLINDS, 0, 0)

    def _grow(self, mover: int, street: int, paid: tuple[int, int], acted: int, raises: int) -> Node:
        shape = (3, len(PAIRS)) if street == 0 else (3, len(FLOPS), len(PAIRS))
        node = Node(mover, street, paid, {}, np.zeros(shape), np.zeros(shape))
        self.nodes.append(node)
        even = (max(paid), max(paid))
        nothing = np.zeros(0)
        if paid[mover] < paid[1 - mover]:
            node.children[FOLD] = Node(ENDED, street, paid, {}, nothing, nothing)
        if acted == 0:
            node.children[CALL] = self._grow(1 - mover, street, even, 1, raises)
        elif street + 1 < STREETS:
            node.children[CALL] = self._grow(0, street + 1, even, 0, 0)
        else:
            node.children[CALL] = Node(-2, street, even, {}, nothing, nothing)
        if raises < MOST_RAISES[street]:
            total = max(paid) + BETS[street]
            more = (total, paid[1]) if mover == 0 else (paid[0], total)
            node.children[RAISE] = self._grow(1 - mover, street, more, acted + 1, raises + 1)
        return node

    def run(self, iterations: int, told: Callable[[int, int], None] = lambda done, of: None) -> None:
        if iterations < 1:
            raise BadInput(f"iterations must be at least 1, not {iterations}")
        for number in range(iterations):
            self.done += 1
            for player in range(2):
                reach = np.ones(len(PAIRS))
                self._walk(self.root, player, reach, reach)
            self._fade()
            told(number + 1, iterations)

    def _fade(self) -> None:
        """CFR+ forgets negative regrets; discounted CFR lets all of them, and the averages, fade."""
        if self.discount is None:
            for node in self.nodes:
                np.maximum(node.regret, 0.0, out=node.regret)
            return
        alpha, beta, gamma = (float(self.done) ** power for power in self.discount)
        keep = (self.done / (self.done + 1)) ** self.discount[2] if gamma else 1.0
        for node in self.nodes:
            node.regret *= np.where(node.regret > 0, alpha / (alpha + 1), beta / (beta + 1))
            node.average *= keep

    def shares(self, node: Node, average: bool) -> Floats:
        """How often each act is taken, by the present strategy or the average one: [3, ...]."""
        sums = node.average if average else np.maximum(node.regret, 0.0)
        legal = np.array([act in node.children for act in range(3)], np.float64)
        total = sums.sum(0)
        even = legal.reshape(3, *[1] * (sums.ndim - 1)) / legal.sum() * np.ones_like(sums)
        return np.where(total > 0, sums / np.where(total > 0, total, 1.0), even)

    def _ended(self, node: Node, player: int, other: Floats) -> Floats:
        """What an end is worth to each pair of the player, by the reach of the other's pairs."""
        apart, there, wins = tables()
        if node.mover == ENDED:
            mine, theirs = node.paid[player], node.paid[1 - player]
            amount = theirs if mine > theirs else -mine
            seen = apart @ other if other.ndim == 1 else np.einsum("fij,fj->fi", there, other)
            return np.asarray(amount * seen)
        return np.asarray(node.paid[player] * np.einsum("fij,fj->fi", wins, other))

    def _walk(self, node: Node, player: int, own: Floats, other: Floats) -> Floats:
        """Counterfactual values of the player's pairs; regrets and averages grow on the way."""
        if node.mover < 0:
            return self._ended(node, player, other)
        if node.street == 1 and own.ndim == 1:
            own, other = np.tile(own, (len(FLOPS), 1)), np.tile(other, (len(FLOPS), 1))
        shares = self.shares(node, False)
        if node.mover != player:
            values = [self._down(node, act, child, player, own, other * shares[act]) for act, child in self._of(node)]
            return np.asarray(sum(values))
        worth = {act: self._down(node, act, child, player, own * shares[act], other) for act, child in self._of(node)}
        value = np.asarray(sum(shares[act] * found for act, found in worth.items()))
        weight = 1.0 if self.discount is not None else float(self.done)
        for act, found in worth.items():
            node.regret[act] += found - value
            node.average[act] += weight * own * shares[act]
        return value

    def _of(self, node: Node) -> list[tuple[int, Node]]:
        return list(node.children.items())

    def _down(self, node: Node, act: int, child: Node, player: int, own: Floats, other: Floats) -> Floats:
        found = self._walk(child, player, own, other)
        return found.sum(0) / TO_COME if found.ndim > own.ndim else found

    def _answer(self, node: Node, player: int, other: Floats, best: bool) -> Floats:
        """What the player's pairs win against the average strategy: by the best act, or by their own average."""
        if node.mover < 0:
            return self._ended(node, player, other)
        if node.street == 1 and other.ndim == 1:
            other = np.tile(other, (len(FLOPS), 1))
        shares = self.shares(node, True)
        found = []
        for act, child in self._of(node):
            reach = other if node.mover == player else other * shares[act]
            values = self._answer(child, player, reach, best)
            found.append(values.sum(0) / TO_COME if values.ndim > other.ndim else values)
        if node.mover != player:
            return np.asarray(sum(found))
        if best:
            return np.asarray(np.max(found, axis=0))
        acts = [act for act, _ in self._of(node)]
        return np.asarray(sum(shares[act] * values for act, values in zip(acts, found, strict=True)))

    def result(self) -> ReducedResult:
        """The value for seat 0 and the exact exploitability of the average strategy."""
        reach = np.ones(len(PAIRS))
        deals = len(PAIRS) * 45
        values = [float(self._answer(self.root, player, reach, False).sum()) / deals for player in range(2)]
        answers = [float(self._answer(self.root, player, reach, True).sum()) / deals for player in range(2)]
        return ReducedResult(self.done, values[0], sum(answers) / 2)
