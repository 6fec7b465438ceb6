"""What a seat may believe of the states that look like what it sees: drawn, listed, or weighed by a model.

A view is an observation of a seat. `View` checks it once; `Belief` lists the states behind it with their
probabilities. With a model of the other players (policies by player) a state is the likelier the more its
history is what they would have done: that is worked out by walking the game from its start, or, where the seat's past
is given, by drawing deals and weighing them (sampling.py).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...dice import draw
from ...errors import BadInput, GameError, Unsuitable
from ...game import CHANCE, Game
from ...game.notation import NO_VIEW
from ...number import is_whole, sums_to_one
from ...rng import seeded
from ...state import NoShape, Shape, coerce, shape_of
from ..chance.opponent_models import Policy, distribution
from .open_cards import opened

MOST_HISTORIES = 400_000
"""Histories that are walked to weigh a belief by a model of the others."""
MOST_DEALS = 1 << 20


class View:
    """What one seat sees, checked: `state` is a deal of it, which tells the legal actions and their names."""

    def __init__(self, game: Game, view: Any, seat: Any) -> None:
        if not is_whole(seat) or not 0 <= seat < game.players:
            raise BadInput(
                f"{game.name} hides something from each player: say who looks, seat=0 to seat={game.players - 1}, "
                f"not {seat!r}"
            )
        if view is None:
            raise BadInput(f"give what the seat sees in {game.name}: game.observation(state, {seat})")
        self.game, self.seat = game, seat
        self.seen = _settled(game, view, seat)
        if why := game.check_observation(self.seen, seat):
            raise self.impossible() if why == NO_VIEW else BadInput(why)
        self.state = self.deal(seeded(1))
        if game.is_terminal(self.state):
            raise BadInput(f"the game is over in this view of {game.name}: there is nothing to search")
        if int(game.to_move(self.state)) != seat:
            raise BadInput(f"{game.player_name(seat)} is not to move in this view of {game.name}")
        self.actions = [int(action) for action in game.actions(self.state)]

    def deal(self, rng: Any) -> Any:
        """One state that looks like this, at random."""
        if self.game.draws_deals:
            state = _asked(self.game, self.seen, self.seat, lambda: self.game.deal(self.seen, self.seat, rng))
            state = self.game.coerce_state(state)
            if not _same(self.game.observation(state, self.seat), self.seen):
                raise self.impossible()
            return state
        return draw(rng, self.listed())

    def listed(self) -> list[tuple[Any, float]]:
        """All states that look like this, with their probabilities."""
        game = self.game
        if not game.lists_deals:
            raise Unsuitable(
                f"{game.name} does not list its deals: define deals(), or use an algorithm that draws them"
            )
        found: list[tuple[Any, float]] = []
        for state, probability in _asked(game, self.seen, self.seat, lambda: game.deals(self.seen, self.seat)):
            if len(found) == MOST_DEALS:
                raise Unsuitable(f"{game.name} has more than {MOST_DEALS:,} deals here: use algorithm 'deals'")
            found.append((game.coerce_state(state), float(probability)))
        total = math.fsum(probability for _, probability in found)
        if not found or not all(_same(game.observation(state, self.seat), self.seen) for state, _ in found):
            raise self.impossible()
        if not sums_to_one(total):
            raise GameError(f"{game.name}: the probabilities of deals() sum to {total:.9g}, not 1")
        return found

    def weighed(self, model: Mapping[int, Any]) -> list[tuple[Any, float]]:
        """All states that look like this, by how likely chance and the model of the others make them."""
        game = self.game
        weights: dict[Any, float] = {}
        walk: list[tuple[Any, float]] = [(game.start_state, 1.0)]
        visited = 0
        while walk:
            state, weight = walk.pop()
            visited += 1
            if visited > MOST_HISTORIES:
                raise Unsuitable(
                    f"{game.name} is too large to weigh a belief by a model from a view alone: give past=, what the "
                    "seat saw and did (turn.past), or leave beliefs out"
                )
            if game.is_terminal(state):
                continue
            mover = int(game.to_move(state))
            if mover == self.seat and _same(game.observation(state, mover), self.seen):
                weights[state] = weights.get(state, 0.0) + weight
                continue
            for action, chance in possible_steps(game, state, mover, model):
                walk.append((game.state_after(state, action), weight * chance))
        total = math.fsum(weights.values())
        if not total > 0:
            raise BadInput(
                f"under this model of the others {game.player_name(self.seat)} cannot come to see this in {game.name}"
            )
        return [(state, weight / total) for state, weight in weights.items() if weight > 0]

    def impossible(self) -> BadInput:
        return impossible(self.game, self.seen, self.seat)


def stand_in(game: Game, view: Any, seat: int) -> Any:
    """A state that looks like the view: it tells the names of the actions, and nothing that is hidden."""
    return View(game, view, seat).state if game.hidden else view


def impossible(game: Game, seen: Any, seat: int) -> BadInput:
    try:
        text = game.format_observation(seen, seat)
    except Exception:  # the game cannot format it: show it as it is
        text = str(seen)
    return BadInput(f"no state of {game.name} looks like {text!r} to {game.player_name(seat)}")


def check_model(game: Game, seat: int, model: Any) -> None:
    """Refuse nonsense in one sentence."""
    if not isinstance(model, Mapping):
        raise BadInput(f"beliefs is a dict from players to policies, such as {{1: Uniform()}}, not {model!r}")
    for player, policy in model.items():
        if not isinstance(player, int) or not 0 <= player < game.players or player == seat:
            raise BadInput(f"beliefs: {player!r} is not another player of {game.name}")
        if not isinstance(policy, Policy) and not callable(getattr(policy, "probabilities", None)):
            raise BadInput(f"beliefs: player {player} needs a policy such as Uniform() or a Strategy, not {policy!r}")


def possible_steps(game: Game, state: Any, mover: int, model: Mapping[int, Any]) -> list[tuple[int, float]]:
    """What may happen next, and how likely the model makes it; a player without a model may do anything."""
    if mover == CHANCE:
        if not game.lists_chance:
            raise Unsuitable(f"{game.name} draws its outcomes: beliefs by a model need chance(), which lists them")
        return [(int(outcome), float(chance)) for outcome, chance in game.chance(state)]
    policy = model.get(mover)
    if policy is None:
        return [(int(action), 1.0) for action in game.actions(state)]
    if isinstance(policy, Policy):
        return list(distribution(policy, opened(game), state).items())
    return [(a, p) for a, p in policy.probabilities(game.observation(state, mover), mover).items() if p > 0]


def _asked(game: Game, seen: Any, seat: int, ask: Any) -> Any:
    """The answer of deal() or deals(); one that fails at a view was asked for something impossible."""
    try:
        return ask()
    except (GameError, BadInput, Unsuitable):
        raise
    except Exception as error:
        raise BadInput(f"{impossible(game, seen, seat)} (deal raised {type(error).__name__}: {error})") from error


def _settled(game: Game, view: Any, seat: int) -> Any:
    """The view in the canonical type of the seat's observations; a state is refused."""
    start = game.start_state
    sample = game.observation(start, seat)
    wanted = _shape(sample)
    refusal = BadInput(
        f"a search of {game.name} takes what the seat sees, not the state: give game.observation(state, {seat})"
    )
    if game.state_shape is not None and wanted != game.state_shape and _shape(view) == game.state_shape:
        raise refusal
    try:
        seen = view if wanted is None else coerce(wanted, view, "view")
    except GameError as error:
        raise BadInput(f"{game.name}: {error}") from None
    if type(sample) is type(start) and wanted == game.state_shape and not _same(game.observation(seen, seat), seen):
        raise refusal
    return seen


def _shape(value: Any) -> Shape | None:
    try:
        return shape_of(value)
    except NoShape:
        return None


def _same(a: Any, b: Any) -> bool:
    return bool(a == b)
