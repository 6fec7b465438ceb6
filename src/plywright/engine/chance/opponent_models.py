"""How a player who is not perfect chooses: policies to put in an opponent's place.

    search(game, opponents={1: Mixture(0.8, Minimax(depth=2), Uniform())})

A policy gives each legal action of a state a probability. `Uniform`, `Minimax`, `Softmax` and mixtures of
one of these with `Uniform` also have a `code`, by which the compiled search plays them itself; all others
run as Python, each state once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ...errors import BadInput, GameError
from ...game import Game
from ...number import is_real, is_whole, sums_to_one
from ..hidden.open_cards import opened
from .expectation_tables import GREEDY, SOFT, UNIFORM


class Code(NamedTuple):
    """What the compiled search needs of a policy: how moves are valued and how values become probabilities."""

    kind: int
    depth: int = 0
    uniform: float = 0.0
    """The share of play that is uniform over the legal actions."""
    rationality: float = 0.0


class Policy:
    """Chooses for one player. Subclasses say with which probability it plays each action of a state."""

    def probabilities(self, game: Game, state: Any) -> dict[int, float]:
        """The probability of each action it may play; they must sum to one."""
        raise NotImplementedError

    def blind(self, game: Game, states: Iterable[Any], seat: int) -> dict[int, float]:
        """What it plays in states that look alike to its player; BadInput where it tells them apart."""
        plays: dict[int, float] = {}
        for state in dict.fromkeys(states):
            found = distribution(self, opened(game), state)
            if plays and any(abs(plays.get(action, 0) - found.get(action, 0)) > 1e-9 for action in {*plays, *found}):
                view = game.format_observation(game.observation(state, seat), seat)
                raise BadInput(
                    f"{self!r} sees the whole state, and plays differently in states of {game.name} that look alike "
                    f"to {game.player_name(seat)} ({view}): no player can; give a strategy, or a function "
                    f"decide(game, view, seat)"
                )
            plays = found
        return plays

    @property
    def code(self) -> Code | None:
        """How compiled code plays it, where it can."""
        return None


class Uniform(Policy):
    """Every legal action is equally likely."""

    def probabilities(self, game: Game, state: Any) -> dict[int, float]:
        actions = [int(action) for action in game.actions(state)]
        return {action: 1 / len(actions) for action in actions}

    def blind(self, game: Game, states: Iterable[Any], seat: int) -> dict[int, float]:
        return self.probabilities(game, next(iter(states)))

    @property
    def code(self) -> Code:
        return Code(UNIFORM, uniform=1.0)

    def __repr__(self) -> str:
        return "Uniform()"


class Minimax(Policy):
    """Plays the first of the best actions of a search to `depth` plies, in which everybody else is against it."""

    def __init__(self, depth: int = 2) -> None:
        self.depth = _depth(depth, "Minimax")

    def probabilities(self, game: Game, state: Any) -> dict[int, float]:
        values = self.values(game, state)
        return {max(values, key=lambda action: values[action]): 1.0}

    def values(self, game: Game, state: Any) -> dict[int, float]:
        """What it thinks each action is worth to it."""
        from ..api import search

        return dict(search(game, state, depth=self.depth, algorithm="paranoid", all_actions=True).actions)

    @property
    def code(self) -> Code:
        return Code(GREEDY, self.depth)

    def __repr__(self) -> str:
        return f"Minimax(depth={self.depth})"


class Softmax(Minimax):
    """Quantal response: plays a with probability proportional to exp(rationality * value of a to `depth` plies)."""

    def __init__(self, depth: int = 1, rationality: float = 1.0) -> None:
        self.depth = _depth(depth, "Softmax")
        if not _is_number(rationality) or not 0 <= rationality < math.inf:
            raise BadInput(f"Softmax needs a rationality of at least 0, not {rationality!r}")
        self.rationality = float(rationality)

    def probabilities(self, game: Game, state: Any) -> dict[int, float]:
        values = self.values(game, state)
        best = max(values.values())
        shares = {action: math.exp(self.rationality * (value - best)) for action, value in values.items()}
        total = math.fsum(shares.values())
        return {action: share / total for action, share in shares.items()}

    @property
    def code(self) -> Code:
        return Code(SOFT, self.depth, rationality=self.rationality)

    def __repr__(self) -> str:
        return f"Softmax(depth={self.depth}, rationality={self.rationality:g})"


Quantal = Softmax


class Mixture(Policy):
    """Plays by `first` with probability `share` and by `second` otherwise."""

    def __init__(self, share: float, first: Policy, second: Policy) -> None:
        if not _is_number(share) or not 0 <= share <= 1:
            raise BadInput(f"the share of a Mixture is a probability from 0 to 1, not {share!r}")
        for policy in (first, second):
            if not isinstance(policy, Policy):
                raise BadInput(f"a Mixture is made of policies such as Uniform(), not {policy!r}")
        self.share, self.first, self.second = float(share), first, second

    def probabilities(self, game: Game, state: Any) -> dict[int, float]:
        found: dict[int, float] = {}
        for share, policy in ((self.share, self.first), (1 - self.share, self.second)):
            if share > 0:
                for action, probability in distribution(policy, game, state).items():
                    found[action] = found.get(action, 0.0) + share * probability
        return found

    @property
    def code(self) -> Code | None:
        share, first, second = self.share, self.first.code, self.second.code
        if first is None or second is None:
            return None
        if first.kind == UNIFORM:
            share, first, second = 1 - share, second, first
        if second.kind != UNIFORM:
            return None
        return first._replace(uniform=1 - share * (1 - first.uniform))

    def __repr__(self) -> str:
        return f"Mixture({self.share:g}, {self.first!r}, {self.second!r})"


class Fixed(Policy):
    """A rule of thumb: a dict from states, or a function of a state, to an action or to probabilities of actions."""

    def __init__(self, rule: Mapping[Any, Any] | Callable[[Any], Any]) -> None:
        if not callable(rule) and not isinstance(rule, Mapping):
            raise BadInput(f"Fixed needs a function of a state, or a dict from states to actions, not {rule!r}")
        self.rule = rule

    def probabilities(self, game: Game, state: Any) -> dict[int, float]:
        if isinstance(self.rule, Mapping):
            if state not in self.rule:
                raise BadInput(f"the fixed policy says nothing of the state {game.format_state(state)} of {game.name}")
            answer = self.rule[state]
        else:
            answer = self.rule(state)
        return dict(answer) if isinstance(answer, Mapping) else {answer: 1.0}

    def __repr__(self) -> str:
        if isinstance(self.rule, Mapping):
            return f"Fixed({len(self.rule)} states)"
        return f"Fixed({getattr(self.rule, '__name__', type(self.rule).__name__)})"


class LevelK(Policy):
    """Level 0 plays at random; level k the best answer, `depth` plies ahead, to others of level k-1."""

    def __init__(self, k: int, depth: int = 2) -> None:
        if not is_whole(k) or not 0 <= k <= 8:
            raise BadInput(f"the level of LevelK is a whole number from 0 to 8, not {k!r}")
        self.k, self.depth = k, _depth(depth, "LevelK")

    def probabilities(self, game: Game, state: Any) -> dict[int, float]:
        if self.k == 0:
            return Uniform().probabilities(game, state)
        from ..api import search

        mover = int(game.to_move(state))
        others = {player: LevelK(self.k - 1, self.depth) for player in range(game.players) if player != mover}
        values = search(game, state, depth=self.depth, opponents=others, all_actions=True).actions
        return {max(values, key=lambda action: values[action]): 1.0}

    @property
    def code(self) -> Code | None:
        return Uniform().code if self.k == 0 else None

    def __repr__(self) -> str:
        return f"LevelK({self.k}, depth={self.depth})"


class Counts(Policy):
    """What was seen in recorded games: how often each action was played in a state, plus `smoothing` for every action.

    `records` are pairs (state, action). A state that was never seen is played uniformly.
    """

    def __init__(self, records: Iterable[tuple[Any, int]], smoothing: float = 1.0) -> None:
        if not _is_number(smoothing) or not 0 <= smoothing < math.inf:
            raise BadInput(f"the smoothing of Counts is a number of at least 0, not {smoothing!r}")
        self.smoothing = float(smoothing)
        self.seen: dict[Any, dict[int, int]] = {}
        for record in records:
            if not isinstance(record, tuple) or len(record) != 2:
                raise BadInput(f"Counts learns from pairs (state, action), and {record!r} is none")
            state, action = record
            actions = self.seen.setdefault(state, {})
            actions[int(action)] = actions.get(int(action), 0) + 1

    def __repr__(self) -> str:
        return f"Counts({len(self.seen)} states, smoothing={self.smoothing:g})"

    def probabilities(self, game: Game, state: Any) -> dict[int, float]:
        seen = self.seen.get(state, {})
        legal = [int(action) for action in game.actions(state)]
        weights = {action: seen.get(action, 0) + self.smoothing for action in legal}
        total = sum(weights.values())
        if not seen or not total:
            return {action: 1 / len(legal) for action in legal}
        return {action: weight / total for action, weight in weights.items() if weight}


def distribution(policy: Policy, game: Game, state: Any) -> dict[int, float]:
    """The policy's probabilities in a state, checked; raises GameError where they make no sense."""
    try:
        given = policy.probabilities(game, state)
    except (GameError, BadInput):
        raise
    except Exception as error:
        raise GameError(f"the policy {policy!r} raised {type(error).__name__}: {error}") from error
    if not isinstance(given, Mapping):
        raise GameError(f"the policy {policy!r} must give probabilities of actions as a dict, not {given!r}")
    legal = {int(action) for action in game.actions(state)}
    found: dict[int, float] = {}
    for action, probability in given.items():
        if not hasattr(action, "__index__") or int(action) not in legal:
            raise GameError(
                f"the policy {policy!r} plays {action!r}, which is not legal in {game.name} "
                f"at {game.format_state(state)}"
            )
        if not _is_number(probability) or not 0 <= probability <= 1 + 1e-9:
            raise GameError(f"the policy {policy!r} plays {action!r} with probability {probability!r}")
        if probability > 0:
            found[int(action)] = float(probability)
    total = math.fsum(found.values())
    if not sums_to_one(total):
        raise GameError(f"the probabilities of the policy {policy!r} sum to {total:g}, not 1")
    return found


def parse_policy(text: str) -> Policy:
    """A policy as the command line writes it: uniform, minimax:2, softmax:1,0.5, level:1, mixture:0.8,2."""
    name, _, rest = text.strip().lower().partition(":")
    words = [word for word in rest.split(",") if word.strip()]
    try:
        numbers = [float(word) for word in words]
        whole = [int(number) for number in numbers]
        if name in ("uniform", "random") and not numbers:
            return Uniform()
        if name == "minimax" and len(numbers) <= 1:
            return Minimax(*whole)
        if name in ("softmax", "quantal") and len(numbers) <= 2:
            return Softmax(*whole[:1], *numbers[1:])
        if name == "level" and 1 <= len(numbers) <= 2:
            return LevelK(*whole)
        if name == "mixture" and len(numbers) == 2:
            return Mixture(numbers[0], Minimax(whole[1]), Uniform())
    except (ValueError, OverflowError):
        pass
    raise BadInput(
        f"{text!r} is no opponent model; there are uniform, minimax:DEPTH, softmax:DEPTH,RATIONALITY, level:K,DEPTH "
        f"and mixture:SHARE,DEPTH (minimax of that depth for that share of the moves, random otherwise)"
    )


def _depth(depth: Any, name: str) -> int:
    if not is_whole(depth) or not 1 <= depth <= 64:
        raise BadInput(f"{name} needs a depth from 1 to 64, not {depth!r}")
    return depth


def _is_number(value: Any) -> bool:
    return is_real(value) and value == value
