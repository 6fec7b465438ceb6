"""Evaluations that are weighted sums, whoever keeps the weights: a game's knowledge, or Pac-Man's rules.

scales = scales_of(load_game("othello"), "hand")
scales.terms(state)                 # feature, weight, what each side has, what that is worth
scales.changed({"mobility": 0})     # the same with another weight
scales.ranked(state)                # every move with what it is worth one move ahead, the best first
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from ...engine import search
from ...errors import BadInput
from ...game import Game
from ...games import as_knowledge
from ...games.pacman.knowledge import EVALUATIONS, FEATURES
from ...games.pacman.rules import Pacman
from ...knowledge import Knowledge, named_knowledge
from ...weighted import Term, told_terms

OFFERED = ("tic-tac-toe", "connect-four", "othello", "breakthrough", "checkers", "chess", "pacman")
"""The games with an evaluation that is a weighted sum; to load every game takes a second, so a test holds this list."""
AS_IT_IS = "×1"
"""The weight of a group of features, each of which has one of its own: all of them times a factor."""


class Move(NamedTuple):
    """A move and what the position after it is worth to whoever makes it, in the units of the evaluation."""

    action: int
    name: str
    value: float


class Scales(Protocol):
    """What weighs positions of a game."""

    game: Game
    unit: str

    def terms(self, state: Any) -> list[Term]: ...

    def changed(self, weights: Mapping[str, float]) -> Scales: ...

    def judged(self, state: Any, player: int) -> float: ...

    def best(self, state: Any, depth: int) -> Move: ...


def scales_of(game: Game, chosen: str = "") -> Scales:
    """The scales of a game; raises BadInput where its evaluation is no weighted sum."""
    if isinstance(game, Pacman):
        return MazeScales(game)
    names = weighed(game)
    if chosen and chosen not in names:
        known = f"there are {', '.join(names)}" if any(names) else "there is none"
        raise BadInput(f"{game.name} has no evaluation {chosen[:40]!r} that is a weighted sum; {known}")
    if not names:
        raise BadInput(f"the evaluation of {game.name} is no weighted sum of features: choose another game")
    return KnownScales(as_knowledge(game, chosen or names[0] or None))


def weighed(game: Game) -> list[str]:
    """The names of the game's evaluations that are weighted sums; of one without a name, just that it is there."""
    if isinstance(game, Pacman):
        return [str(game.valuation)] if isinstance(game.valuation, str) else ["mine"]
    named = [*named_knowledge(game)]
    return [name for name in named if _is_weighed(as_knowledge(game, name))] or (
        [""] if _is_weighed(as_knowledge(game)) else []
    )


def _is_weighed(known: Knowledge) -> bool:
    if known.feature_names:
        return hasattr(known, known.weights_in)
    return known.overrides("evaluation_terms") and known.overrides("with_weights")


class KnownScales:
    """Weights that a knowledge keeps."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge, self.game = knowledge, knowledge.game
        self.unit, self.size = knowledge.terms_unit, 1.0
        if self.game.evaluation_unit is not None:
            self.size = float(self.game.evaluation_unit[0])

    def terms(self, state: Any) -> list[Term]:
        found = told_terms(self.knowledge, state)
        return [
            term if term.weight or not self._is_group(term.name) else term._replace(weight=AS_IT_IS) for term in found
        ]

    def _is_group(self, name: str) -> bool:
        """Whether this can be weighed as a whole; what follows from the others cannot."""
        try:
            return self.knowledge.with_weights({name: 1.0}) is not None
        except BadInput:
            return False

    def changed(self, weights: Mapping[str, float]) -> KnownScales:
        return KnownScales(self.knowledge.with_weights(weights)) if weights else self

    def judged(self, state: Any, player: int) -> float:
        return float(self.knowledge.evaluate(state, player)) / self.size + 0.0  # no minus before a zero

    def best(self, state: Any, depth: int) -> Move:
        found = search(self.game, state, depth=depth, knowledge=self.knowledge)
        return _told(self.game, state, found.action, found.value / self.size)


class MazeScales:
    """Pac-Man's weights, which belong to his rules."""

    unit = "points"

    def __init__(self, game: Pacman, weights: Mapping[str, float] | None = None) -> None:
        table = EVALUATIONS[game.valuation] if isinstance(game.valuation, str) else game.valuation
        self.weights = {name: float(table.get(name, 0.0)) for name in FEATURES} | dict(weights or {})
        self.game: Game = game.seen_with(self.weights)
        self.plain = game

    def terms(self, state: Any) -> list[Term]:
        """The sum is linear, so what there is of a feature is the sum with that weight alone."""
        found = []
        for name in FEATURES:
            much = self.plain.seen_with({name: 1}).weighted(state)
            found.append(Term(name, f"{self.weights[name]:.4g}", (much,), (self.weights[name] * much,)))
        return found

    def changed(self, weights: Mapping[str, float]) -> MazeScales:
        return MazeScales(self.plain, weights) if weights else self

    def judged(self, state: Any, player: int) -> float:
        return float(self.game.evaluate(state, player))

    def best(self, state: Any, depth: int) -> Move:
        found = search(self.game, state, depth=depth)
        return _told(self.game, state, found.action, found.value)


def ranked(scales: Scales, state: Any) -> list[Move]:
    """Every move with what the position after it is worth to the mover; the first of equal ones comes first."""
    game = scales.game
    mover = int(game.to_move(state))
    found = [
        Move(int(action), game.format_action(state, int(action)), _worth(scales, game.result(state, action), mover))
        for action in game.actions(state)
    ]
    return sorted(found, key=lambda move: -move.value)


def _worth(scales: Scales, state: Any, mover: int) -> float:
    """The evaluation, or where dice decide next the average over what they bring."""
    game = scales.game
    if not game.is_terminal(state) and game.at_chance(state) and game.lists_chance:
        return sum(float(odds) * _worth(scales, game.result(state, int(o)), mover) for o, odds in game.chance(state))
    return scales.judged(state, mover)


def _told(game: Game, state: Any, action: int | None, value: float) -> Move:
    if action is None:
        raise BadInput("nothing is chosen here: chance moves, or the game is over")
    return Move(action, game.format_action(state, action), value)
