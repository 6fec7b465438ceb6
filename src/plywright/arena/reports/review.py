"""A game looked over: what every move was worth beside the best one, and which were mistakes.

Every position is searched; where another move was played than the search likes best, the position after it is, too.
What a move lost is told in utilities and in points of winning chance (`Knowledge.chance`), by which mistakes have
their names. Towards the end of the game, as far as asked for and as far as it takes no longer than allowed, every move
gets its exact value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...engine import Limit, history_option, search
from ...errors import BadInput
from ...game import Game
from ...games import as_knowledge
from ...knowledge import Knowledge
from ..records.game_file import PlayedGame, is_choice, states_of

VERDICTS = ((20.0, "blunder"), (10.0, "mistake"), (5.0, "inaccuracy"))
"""Points of winning chance, from 0 to 100, that a move has to lose for each name."""
LONGEST_PROOF = 10.0
"""Seconds that the exact values of one position may take."""


@dataclass(frozen=True)
class Judgement:
    """One move. Values are in the view of its player, chances from 0 to 1."""

    number: int
    seat: int
    state: Any
    action: int
    text: str
    value: float
    best: int
    best_text: str
    best_value: float
    line: tuple[str, ...]
    """The moves that the best one would have led to, as far as the search saw."""
    chance: float
    """The player's winning chance after the move, and after the best one."""
    best_chance: float
    exact: bool
    values: dict[str, float]
    """Every move's exact value, where that was computed."""

    @property
    def loss(self) -> float:
        return self.best_value - self.value

    @property
    def points(self) -> float:
        """What the move lost of the winning chance, from 0 to 100."""
        return 100 * (self.best_chance - self.chance)

    @property
    def verdict(self) -> str:
        return next((name for least, name in VERDICTS if self.points >= least), "")

    def as_dict(self) -> dict[str, Any]:
        plain = ("number", "seat", "value", "loss", "chance", "best_chance", "points", "verdict", "exact", "values")
        data = {name: getattr(self, name) for name in plain}
        data |= {"move": self.text, "best": self.best_text, "best_value": self.best_value, "line": list(self.line)}
        return data


def review(
    played: PlayedGame,
    limit: Limit,
    *,
    exact: int = 0,
    knowledge: Knowledge | str | None = None,
    heard: Callable[[int, int], Any] = lambda done, of: None,
) -> list[Judgement]:
    """Every move of a game judged, in order; the last `exact` plies by exact values of all moves, as far as they go."""
    game = played.game
    if game.hidden:
        raise BadInput(f"{game.name} hides something from its players: what a move lost cannot be told from outside")
    if not played.actions:
        raise BadInput("no move was played in this game: there is nothing to review")
    knows = as_knowledge(game, knowledge)
    states = states_of(played)
    found: dict[int, Judgement] = {}
    provable = True
    for index in reversed(range(len(played.actions))):
        heard(len(found), len(played.actions))
        if not is_choice(game, states[index]):
            continue
        judge = _Judge(game, knows, states[: index + 1], played.actions[index], limit)
        late = index >= len(played.actions) - exact
        judgement = judge.exactly(index + 1) if provable and late else None
        provable = provable and (judgement is not None or not late)
        found[index] = judgement or judge.searched(index + 1)
    return [found[index] for index in sorted(found)]


class _Judge:
    """One position, and what was played in it."""

    def __init__(self, game: Game, knowledge: Knowledge, states: list[Any], action: int, limit: Limit) -> None:
        self.game, self.knowledge, self.limit, self.action = game, knowledge, limit, action
        *self.history, self.state = states
        self.seat = int(game.to_move(self.state))
        self.child = game.state_after(self.state, action)

    def exactly(self, number: int) -> Judgement | None:
        """By the exact values of all moves; None where they take too long."""
        limit = Limit(time=max(LONGEST_PROOF, 10 * (self.limit.time or 0)))
        found = self._search(self.state, self.history, limit, all_actions=True)
        if not found.proved or not found.actions:
            return None
        values = {action: float(value) for action, value in found.actions.items()}
        return self._judged(number, found, values[self.action], True, values)

    def searched(self, number: int) -> Judgement:
        """By a search of the position and, where another move was played, of the one after it."""
        found = self._search(self.state, self.history, self.limit)
        if found.action == self.action:
            value, proved = found.values[self.seat], found.proved
        elif self.game.is_terminal(self.child):
            value, proved = float(self.game.utility(self.child, self.seat)), found.proved
        else:
            after = self._search(self.child, [*self.history, self.state], self.limit)
            value, proved = after.values[self.seat], found.proved and after.proved
        return self._judged(number, found, value, proved, {})

    def _search(self, state: Any, history: list[Any], limit: Limit, **options: Any) -> Any:
        options |= history_option(self.game, history)
        return search(self.game, state, limit=limit, knowledge=self.knowledge, **options)

    def _judged(self, number: int, found: Any, value: float, exact: bool, values: dict[int, float]) -> Judgement:
        game, state = self.game, self.state
        best, best_value, line = int(found.action), float(found.values[self.seat]), found.line_text(game, state)
        if value >= best_value:  # as good, or better than the search of the position saw
            best, best_value, line = self.action, value, [game.format_action(state, self.action)]
        chances = [self._chance(each, exact) for each in (value, best_value)]
        texts = {game.format_action(state, action): worth for action, worth in values.items()}
        return Judgement(
            *(number, self.seat, state, self.action, game.format_action(state, self.action), value),
            *(best, game.format_action(state, best), best_value, tuple(line)),
            *(chances[0], chances[1], exact, dict(sorted(texts.items(), key=lambda item: -item[1]))),
        )

    def _chance(self, value: float, exact: bool) -> float:
        """The winning chance of a value; who wins by exact values has won."""
        if exact and self.game.opposed:
            return 0.5 + 0.5 * ((value > 0) - (value < 0))
        return self.knowledge.chance(value, self.state)


@dataclass(frozen=True)
class Summary:
    """What one seat's moves come to."""

    moves: int
    loss: float
    """Utility lost a move, in the mean."""
    points: float
    """Points of winning chance lost a move, in the mean."""
    verdicts: dict[str, int]

    @property
    def accuracy(self) -> float:
        """From 0 to 100: how much of the winning chances that the best moves had was kept, in the mean of the moves."""
        return min(max(100.0 - self.points, 0.0), 100.0)


def summary(game: Game, judged: list[Judgement]) -> dict[int, Summary]:
    """By seat."""
    found = {}
    for seat in range(game.players):
        own = [one for one in judged if one.seat == seat]
        if own:
            counts = {name: sum(one.verdict == name for one in own) for _, name in VERDICTS}
            loss, points = (sum(getattr(one, what) for one in own) / len(own) for what in ("loss", "points"))
            found[seat] = Summary(len(own), loss, points, counts)
    return found
