"""Which cutoff suits a game and its evaluation: found out by games of Monte Carlo trees against each other.

A tree whose simulations are evaluated after so many plies meets one that plays them to the end, in pairs of games from
one random opening with seats swapped. Each has as many simulations a move as it makes in the same time of the
processor. A cutoff that is clearly ahead or behind is settled, and the best that is clearly ahead is chosen; otherwise
none is, and simulations go on to the end.

Trials go on move by move (`step`), so that long searches can each give a little of their time, and finished games are
kept beside the compiled code (`kept_cutoffs`).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any

from ...dice import roll
from ...errors import Unsuitable
from ...game import CHANCE, Game
from ...games import as_game, as_knowledge
from ...knowledge import Knowledge
from ...rng import below, seeded
from .mcts_search import MonteCarloTree

TO_THE_END = 10**6
"""As a cutoff: none."""
CUTOFFS = (0, 4)
"""Those that are tried against simulations to the end."""
MILLISECONDS = 4.0
"""Of the processor, for a move of a trial."""
OPENING_PLIES = 4
LONGEST = 300
"""Plies of a game; a longer one counts as drawn."""
FEWEST, MOST = 4, 16
"""Pairs of games before a cutoff may be settled, and those after which it is."""
CLEAR = 2.0
"""Standard errors by which a result is clear."""
TIMED, MOST_TIMED = 0.02, 1 << 20
"""Seconds that a measurement of speed takes at least, and simulations at most."""
LEAST_SIMULATIONS = 16
MEMORY = 8.0
"""Megabytes for each tree."""


@dataclass
class Score:
    """How a cutoff fared against playing to the end: 1, 0.5 or 0 for each game, pairs one after the other."""

    cutoff: int
    games: list[float] = field(default_factory=list)

    @property
    def pairs(self) -> list[float]:
        return [(one + two) / 2 for one, two in zip(self.games[::2], self.games[1::2], strict=False)]

    @property
    def mean(self) -> float:
        return fmean(self.pairs) if len(self.games) > 1 else 0.5

    @property
    def ahead(self) -> float:
        """By how many standard errors it is ahead; a row of like results counts as if half a point were missing."""
        pairs = self.pairs
        if len(pairs) < 2:
            return 0.0
        error = max(stdev(pairs), 0.5 / math.sqrt(len(pairs))) / math.sqrt(len(pairs))
        return (self.mean - 0.5) / error

    @property
    def settled(self) -> bool:
        """Whether no more games are played."""
        pairs = len(self.games) // 2
        return pairs >= MOST or (pairs >= FEWEST and len(self.games) % 2 == 0 and abs(self.ahead) > CLEAR)


class CutoffTrial:
    """A trial of one game with one knowledge; the same games for the same simulations a move.

    `simulations` says how many each cutoff has for a move; without it speed is measured.
    """

    def __init__(
        self,
        game: Game | str,
        knowledge: Knowledge | str | None = None,
        *,
        cutoffs: tuple[int, ...] = CUTOFFS,
        milliseconds: float = MILLISECONDS,
        simulations: dict[int, int] | None = None,
        seed: int = 1,
    ) -> None:
        self.game = as_game(game)
        self.knowledge = as_knowledge(self.game, knowledge)
        if not can_be_tried(self.knowledge):
            raise Unsuitable(
                f"{self.game.name}: cutoffs are tried where two sides oppose each other and there is an evaluation"
            )
        self.seed = seed
        settings: dict[str, Any] = {"knowledge": self.knowledge, "memory": MEMORY}
        self.trees = {cut: MonteCarloTree(self.game, **settings, cutoff=cut) for cut in (*cutoffs, TO_THE_END)}
        self.scores = [Score(cut) for cut in cutoffs]
        self.simulations = simulations or {
            cut: max(int(speed(tree) * milliseconds / 1000), LEAST_SIMULATIONS) for cut, tree in self.trees.items()
        }
        self._state: Any = None  # of the game that is being played
        self._plies = 0

    def run(self) -> int | None:
        """Play until all is settled; the cutoff that is chosen, None: to the end."""
        while self.step():
            pass
        return self.choice

    @property
    def choice(self) -> int | None:
        """The cutoff that is clearly ahead of playing to the end, the best of them; None: to the end."""
        ahead = [score for score in self.scores if score.settled and score.ahead > CLEAR]
        return max(ahead, key=lambda score: score.mean).cutoff if ahead else None

    @property
    def settled(self) -> bool:
        return all(score.settled for score in self.scores)

    def step(self) -> bool:
        """One move of the game at hand, or the beginning of the next one; False where all is settled."""
        open_ones = [score for score in self.scores if not score.settled]
        if not open_ones:
            return False
        score = min(open_ones, key=lambda each: len(each.games))
        pair, swapped = divmod(len(score.games), 2)
        if self._state is None:
            self._state, self._plies = self.opening(self.seed * 1000 + pair), 0
        seats = (score.cutoff, TO_THE_END)[:: -1 if swapped else 1]
        game, state = self.game, self._state
        mover = int(game.to_move(state))
        if mover == CHANCE:
            action = int(roll(game, state, seeded(self.seed * 10**6 + pair * 1000 + self._plies)))
        else:
            cut = seats[game.team_of[mover] != game.team_of[0]]
            found = self.trees[cut].search(state, simulations=self.simulations[cut])
            action = int(found.action or 0)  # there is one, since the game is not over
            if self.trees[cut].pools[0].work.stop[0] != 0:  # the answer is cut short, and so is the trial
                raise KeyboardInterrupt
        self._state, self._plies = game.state_after(state, action), self._plies + 1
        if game.is_terminal(self._state) or self._plies >= LONGEST:
            first = _points(game, self._state)
            score.games.append(1 - first if swapped else first)
            self._state = None
        return True

    def opening(self, number: int) -> Any:
        """A state some random plies into the game, or its start where such a game is over."""
        game, rng = self.game, seeded(number)
        state = game.start_state
        for _ in range(OPENING_PLIES):
            if int(game.to_move(state)) == CHANCE:
                action = int(roll(game, state, rng))
            else:
                actions = [int(action) for action in game.actions(state)]
                action = actions[below(rng, len(actions))]
            state = game.state_after(state, action)
            if game.is_terminal(state):
                return game.start_state
        return state


def can_be_tried(knowledge: Knowledge) -> bool:
    """Whether a cutoff makes sense for a game, and can be told by games of two sides."""
    game = knowledge.game
    return bool(knowledge.evaluates and not knowledge.has_playout and game.opposed and len(set(game.team_of)) == 2)


def speed(tree: MonteCarloTree) -> float:
    """Simulations a second of the processor at the start of the game; so many that they can be timed."""
    start = tree.game.start_state
    tree.search(start, simulations=LEAST_SIMULATIONS)  # compiled before the clock
    asked = LEAST_SIMULATIONS
    while True:
        asked *= 4
        began = time.process_time()
        found = tree.search(start, simulations=asked)
        spent = time.process_time() - began
        if spent >= TIMED or asked >= MOST_TIMED or found.proved:
            return found.nodes / max(spent, 1e-3)


def _points(game: Game, state: Any) -> float:
    """What the first player's side gets: 1, 0.5 or 0."""
    if not game.is_terminal(state):
        return 0.5
    value = game.utility(state, 0)
    return float(value > game.neutral_value) + 0.5 * float(value == game.neutral_value)
