"""A game looked over: what every move was worth beside the best one, and which were mistakes.

Every position is searched; where another move was played than the search likes best, both are searched again, to the
same depth: a move is no mistake because it was looked at less deeply, or on an odd ply and the other on an even one.
A review goes from the last move to the first, so it knows what the position after a move is worth: searched by itself,
and by what became of it. Where that is another winning chance (by as much as makes an inaccuracy), the move is worth
that, and the moves beside it are searched again, one ply deeper than the position after it was. So what a search
overlooked is charged to a move, and no chance goes and comes back by itself.
What a move lost is told in utilities and in points of winning chance (`Knowledge.chance`), by which mistakes have
their names. Towards the end of the game, as far as asked for and as far as it takes no longer than allowed, every move
gets its exact value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...engine import Limit, history_option, search
from ...engine.interrupts import interruptible
from ...errors import BadInput
from ...game import Game
from ...games import as_knowledge
from ...knowledge import Knowledge
from ...outcome_text import difference_text, found_text, proved_text
from ...result import SearchResult
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
    distance: int | None = None
    """Plies from before the move to the win or loss that its value, or that of the best one, stands for."""
    best_distance: int | None = None
    best_depth: int = 0
    """Plies that were searched from before the move for the best value."""

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

    def told(self, game: Game) -> tuple[str, str, str]:
        """Its value, that of the best move, and what was lost: a mate is no number of pawns, but points of chance."""
        lost = difference_text(game, self.best_value, self.value) or f"{self.points:.0f} points"
        tell = proved_text if self.exact else found_text
        value, best = self.value, self.best_value
        if game.evaluation_unit is None:  # then nothing else says how many of its digits mean something
            value, best = round(value, 3), round(best, 3)
        return tell(game, value, self.distance), tell(game, best, self.best_distance), lost

    def as_dict(self) -> dict[str, Any]:
        numbers = ("number", "seat", "value", "loss", "chance", "best_chance", "points", "distance", "best_distance")
        plain = (*numbers, "verdict", "exact", "values")
        data = {name: getattr(self, name) for name in plain}
        data |= {"move": self.text, "best": self.best_text, "best_value": self.best_value, "line": list(self.line)}
        return data


@interruptible()
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
        found[index] = judgement or judge.searched(index + 1, found.get(index + 1))
    return [found[index] for index in sorted(found)]


class _Worth(NamedTuple):
    """What a move is worth to its player, and what says so."""

    action: int
    value: float
    distance: int | None
    depth: int
    line: tuple[str, ...]


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
        distance = found.distance if found.action == self.action else None
        return self._judged(number, self._played(values[self.action], distance, found), self._best(found), True, values)

    def searched(self, number: int, after: Judgement | None) -> Judgement:
        """By a search of the position and, where another move was played, of both; `after` judges the next move."""
        found = self._search(self.state, self.history, self.limit)
        if found.action == self.action or self._mirrors(found.action):
            played, proved = self._played(found.values[self.seat], found.distance, found), found.proved
        elif self.game.is_terminal(self.child):
            played, proved = self._played(float(self.game.utility(self.child, self.seat)), 1, found), found.proved
        elif (both := self._both(found)) is not None:
            found, proved = both, False
            value, distance = next(line[:2] for line in both.variations if line.line[0] == self.action)
            played = self._played(value, distance, both)
        else:
            then = self._search(self.child, [*self.history, self.state], self.limit)
            proved = found.proved and then.proved
            distance = None if then.distance is None else then.distance + 1
            played = self._played(then.values[self.seat], distance, then)
        best = self._best(found)
        if found.algorithm == "pvs" and not proved and (known := self._known(after, played)) is not None:
            played, best = known, self._beside(known)
        return self._judged(number, played, best, proved, {})

    def _played(self, value: float, distance: int | None, found: SearchResult) -> _Worth:
        move = self.game.format_action(self.state, self.action)
        return _Worth(self.action, value, distance, found.depth, (move,))

    def _best(self, found: SearchResult) -> _Worth:
        assert found.action is not None  # a player is to move
        line = tuple(found.line_text(self.game, self.state))
        return _Worth(int(found.action), float(found.values[self.seat]), found.distance, found.depth, line)

    def _known(self, after: Judgement | None, played: _Worth) -> _Worth | None:
        """The played move by what is known of the position after it, where that is another winning chance.

        None where it is about the same, or where the search of the position before saw the end of the game.
        """
        if after is None or played.distance is not None:
            return None
        same = self.game.team(after.seat) == self.game.team(self.seat)
        if not (same or self.game.opposed):
            return None
        value = after.best_value if same else -after.best_value
        if 100 * abs(self._chance(value, False) - self._chance(played.value, False)) < VERDICTS[-1][0]:
            return None
        distance = None if after.best_distance is None else after.best_distance + 1
        return _Worth(self.action, value, distance, after.best_depth + 1, (*played.line, *after.line))

    def _beside(self, known: _Worth) -> _Worth:
        """The best of the other moves, searched as deep as the played one is known; that one where there is none."""
        others = [action for action in self.game.actions(self.state) if action != self.action]
        others = [action for action in others if not self._mirrors(action)]
        if not others:
            return known
        limit = self._twice(known.depth if self.limit.depth is None else self.limit.depth + 1)
        return self._best(self._search(self.state, self.history, limit, algorithm="pvs", only=others))

    def _twice(self, depth: int | None) -> Limit:
        """The effort of two searches, to a depth."""
        time = None if self.limit.time is None else 2 * self.limit.time
        nodes = None if self.limit.nodes is None else 2 * self.limit.nodes
        return Limit(depth, time, nodes)

    def _mirrors(self, action: int | None) -> bool:
        """Whether an action leads to a mirror image of what the played one leads to: then they are worth the same."""
        game = self.game
        if action is None or not game.has_symmetry or game.repeats:
            return False  # a mirror image of a position that was there before is no repetition
        child = game.state_after(self.state, action)
        return bool(game.coerce_state(game.canonical(child)) == game.coerce_state(game.canonical(self.child)))

    def _both(self, found: SearchResult) -> SearchResult | None:
        """A search of the best move and the played one, to the same depth, by as much effort for each as `found` had.

        None where the value is proved, which no depth changes, or the search knows no several lines.
        """
        if found.proved or found.algorithm != "pvs" or found.action is None:
            return None
        moves, limit = (found.action, self.action), self._twice(self.limit.depth)
        both = self._search(self.state, self.history, limit, algorithm="pvs", only=moves, lines=2)
        return both if len(both.variations) == 2 else None

    def _search(self, state: Any, history: list[Any], limit: Limit, **options: Any) -> SearchResult:
        options |= history_option(self.game, history)
        return search(self.game, state, limit=limit, knowledge=self.knowledge, **options)

    def _judged(self, number: int, played: _Worth, best: _Worth, exact: bool, values: dict[int, float]) -> Judgement:
        game, state = self.game, self.state
        if played.value >= best.value:  # as good, or better than the search of the position saw
            best = played
        chances = [self._chance(each.value, exact) for each in (played, best)]
        texts = {game.format_action(state, action): worth for action, worth in values.items()}
        return Judgement(
            *(number, self.seat, state, self.action, game.format_action(state, self.action), played.value),
            *(best.action, game.format_action(state, best.action), best.value, best.line),
            *(chances[0], chances[1], exact, dict(sorted(texts.items(), key=lambda item: -item[1]))),
            *(played.distance, best.distance, best.depth),
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
    loss: float | None
    """Utility lost a move, in the mean of those where it is the difference of two evaluations; None: of no move."""
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
            losses = [one.loss for one in own if difference_text(game, one.best_value, one.value)]
            points = sum(one.points for one in own) / len(own)
            found[seat] = Summary(len(own), sum(losses) / len(losses) if losses else None, points, counts)
    return found
