"""Pac-Man against any number of ghosts, on a maze that is data: a new layout needs no new compilation.

Pac-Man is player 0 and moves first, then each ghost in turn: a round. The ghosts are one team. The
utility is Pac-Man's score when the game is over: -1 a step, +10 a pellet, +200 a scared ghost eaten,
+500 for the last pellet, -500 when caught. A power pellet scares every ghost for 40 of its turns, and a
scared ghost moves on every second one. A ghost does not turn back unless it must.

Who the ghosts are (random, searching, chasing) is not part of the rules: players and opponent models say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...bits import popcount, replaced
from ...draw import Picture
from ...errors import BadInput
from ...game import Game
from ...rng import below, seeded
from .knowledge import USUAL, Evaluation, weights_of
from .maze import DIRECTIONS, STOP, WORD, WORDS, Maze, load_maze
from .picture import scene_picture

STEP, PELLET, EATEN, WON, CAUGHT = -1, 10, 200, 500, -500
SCARED_TURNS = 40
MOST_ROUNDS = 1000
RESPITE = 20.0
"""What being alive is worth at least beyond being caught: more than the steps that a search saves by giving up."""

# one ghost in a word: where it is, where it faces (STOP: nowhere yet), how many turns it stays scared
CELL = (1 << 16) - 1
FACING, SCARED = 16, 20


class Scene(NamedTuple):
    """A moment of the game; `food` and `capsules` have a bit for each pellet and power pellet that is left."""

    turn: int
    pacman: int
    ghosts: tuple[int, ...]
    food: tuple[int, ...]
    left: int
    capsules: int
    score: int
    rounds: int
    caught: bool


class Pacman(Game):
    """Eat every pellet and do not be caught."""

    how_to_play = (
        "Pac-Man walks through a maze and eats pellets; ghosts hunt him. Each pellet scores, time costs, eating "
        "the last pellet wins and being caught loses. After a power pellet the ghosts are scared for a while, and "
        "can be eaten."
    )

    name = "pacman"
    max_actions = 5
    step = 1
    runtime = (
        "begin",
        "stock",
        "steps",
        "pellet_at",
        "capsule_at",
        "apart",
        "nearest",
        "mouths",
        "weights",
        "most_rounds",
        "widest",
        "order",
    )

    def __init__(self, layout: str | Maze = "small", evaluation: Evaluation = USUAL, rounds: int = MOST_ROUNDS) -> None:
        maze = layout if isinstance(layout, Maze) else load_maze(layout)
        if not isinstance(rounds, int) or rounds < 1:
            raise BadInput(f"rounds must be a whole number of at least 1, not {rounds!r}")
        ghosts = len(maze.ghosts)
        self.maze = maze
        self.valuation = evaluation
        self.players = 1 + ghosts
        self.ghosts = ghosts
        self.teams = (0, *[1] * ghosts)
        self.player_names = ("Pac-Man", *(f"ghost {ghost + 1}" for ghost in range(ghosts)))
        self.nobody = (0,) * max(ghosts, 1)
        self.begin = np.array([maze.pacman, *maze.ghosts, maze.pellets, (1 << maze.capsules) - 1], np.int64)
        full = [min(max(maze.pellets - WORD * word, 0), WORD) for word in range(WORDS)]
        self.stock = np.array([(1 << count) - 1 for count in full], np.int64)
        self.steps = maze.steps
        self.pellet_at, self.capsule_at = maze.pellet_at, maze.capsule_at
        self.apart, self.nearest, self.mouths = maze.apart, maze.nearest, maze.mouths
        self.weights = np.array(weights_of(evaluation))
        self.most_rounds = rounds
        self.order = np.arange(STOP + 1)
        best = PELLET * maze.pellets + WON + EATEN * ghosts * maze.capsules
        most = max(best, -(STEP * rounds + CAUGHT))
        self.utility_range = (-most, most)  # of Pac-Man's score, and of the ghosts', which is its negative
        self.widest = float(most) - 0.5

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Scene:
        stock = self.stock
        food = (stock[0], stock[1], stock[2], stock[3], stock[4])
        ghosts = self.nobody
        for ghost in range(self.ghosts):
            ghosts = replaced(ghosts, ghost, self.begin[1 + ghost] | STOP << FACING)
        return Scene(0, self.begin[0], ghosts, food, self.begin[-2], self.begin[-1], 0, 0, False)

    def to_move(self, state: Scene) -> int:
        return state.turn

    def actions(self, state: Scene) -> Iterator[int]:
        if state.turn == 0:
            for place in range(STOP + 1):
                direction = self.order[place]
                if self.steps[5 * state.pacman + direction] >= 0:
                    yield direction
        else:
            ghost = state.ghosts[state.turn - 1]
            if ghost >> SCARED & 1:  # every second turn of a scared ghost
                yield STOP
            else:
                back = (ghost >> FACING & 15) ^ 2  # the direction opposite; of STOP none
                count = 0
                for place in range(STOP):
                    direction = self.order[place]
                    if direction != back and self.steps[5 * (ghost & CELL) + direction] >= 0:
                        count += 1
                        yield direction
                if count == 0:
                    turned = back < STOP and self.steps[5 * (ghost & CELL) + back] >= 0
                    yield back if turned else STOP

    def result(self, state: Scene, action: int) -> Scene:
        if state.turn == 0:
            return self.after_pacman(state, action)
        return self.after_ghost(state, action)

    def is_terminal(self, state: Scene) -> bool:
        return state.caught or state.left == 0 or state.rounds >= self.most_rounds

    def utility(self, state: Scene, player: int) -> float:
        return state.score if player == 0 else -state.score

    def after_pacman(self, state: Scene, action: int) -> Scene:
        """Pac-Man steps, eats, and may run into somebody."""
        cell = self.steps[5 * state.pacman + action]
        score = state.score + STEP
        food, left = state.food, state.left
        capsules, ghosts = state.capsules, state.ghosts
        pellet = self.pellet_at[cell]
        if pellet >= 0 and food[pellet // WORD] >> pellet % WORD & 1:
            food = replaced(food, pellet // WORD, food[pellet // WORD] ^ 1 << pellet % WORD)
            left -= 1
            score += PELLET + (WON if left == 0 else 0)
        capsule = self.capsule_at[cell]
        if capsule >= 0 and capsules >> capsule & 1:
            capsules ^= 1 << capsule
            for ghost in range(self.ghosts):
                word = ghosts[ghost] & (1 << SCARED) - 1
                ghosts = replaced(ghosts, ghost, word | SCARED_TURNS << SCARED)
        caught = False
        if left > 0:  # who has eaten the last pellet has won already
            for ghost in range(self.ghosts):
                if ghosts[ghost] & CELL == cell:
                    if ghosts[ghost] >> SCARED > 0:
                        score += EATEN
                        ghosts = replaced(ghosts, ghost, self.begin[1 + ghost] | STOP << FACING)
                    else:
                        caught = True
            if caught:
                score += CAUGHT
        alone = self.ghosts == 0
        turn = 0 if alone else 1
        rounds = state.rounds + (1 if alone else 0)
        return Scene(turn, cell, ghosts, food, left, capsules, score, rounds, caught)

    def after_ghost(self, state: Scene, action: int) -> Scene:
        """A ghost steps, is a turn less scared, and may catch Pac-Man or be eaten."""
        ghost = state.turn - 1
        word = state.ghosts[ghost]
        scared = word >> SCARED
        facing = word >> FACING & 15 if action == STOP else action
        cell = self.steps[5 * (word & CELL) + action]
        score, caught = state.score, False
        word = cell | facing << FACING | (scared - 1 if scared > 0 else 0) << SCARED
        if cell == state.pacman:
            if scared > 0:
                score += EATEN
                word = self.begin[1 + ghost] | STOP << FACING
            else:
                score += CAUGHT
                caught = True
        last = state.turn == self.ghosts
        turn = 0 if last else state.turn + 1
        rounds = state.rounds + (1 if last else 0)
        ghosts = replaced(state.ghosts, ghost, word)
        return Scene(turn, state.pacman, ghosts, state.food, state.left, state.capsules, score, rounds, caught)

    def evaluate(self, state: Scene, player: int) -> float:
        """The weighted features of games/pacman/knowledge.py, from the player's perspective; the score at the end."""
        value = float(state.score)
        if not self.is_terminal(state):
            value = max(self.weighted(state), state.score + CAUGHT + RESPITE)
            value = min(max(value, -self.widest), self.widest)
        return value if player == 0 else -value

    def weighted(self, state: Scene) -> float:
        weights = self.weights
        value = weights[0] * state.score + weights[1] * state.left + weights[2] * popcount(state.capsules)
        if weights[3] != 0:
            value += weights[3] * self.to_food(state)
        cells = len(self.pellet_at)
        for ghost in range(self.ghosts):
            word = state.ghosts[ghost]
            far = self.apart[state.pacman * cells + (word & CELL)]
            if word >> SCARED > far:
                value += weights[6] / (1 + far)
            elif word >> SCARED == 0:
                value += weights[4] / (1 + far) + weights[5] * far
        if weights[7] != 0 and self.is_trapped(state):
            value += weights[7]
        if weights[8] != 0 and self.is_cornered(state):
            for ghost in range(self.ghosts):
                word = state.ghosts[ghost]
                if word >> SCARED == 0:
                    value += weights[8] / (1 + self.apart[state.pacman * cells + (word & CELL)])
        return float(value)

    def is_trapped(self, state: Scene) -> bool:
        """Whether he is in a dead end whose mouth a ghost that is not scared reaches as soon as he does."""
        cells = len(self.pellet_at)
        mouth = self.mouths[state.pacman]
        own = self.apart[state.pacman * cells + mouth]
        if own == 0:
            return False
        for ghost in range(self.ghosts):
            word = state.ghosts[ghost]
            if word >> SCARED == 0 and self.apart[(word & CELL) * cells + mouth] <= own:
                return True
        return False

    def is_cornered(self, state: Scene) -> bool:
        """Whether no direction leads away from every ghost that is not scared."""
        cells = len(self.pellet_at)
        for direction in range(STOP):
            other = self.steps[5 * state.pacman + direction]
            if other >= 0:
                away = True
                for ghost in range(self.ghosts):
                    word = state.ghosts[ghost]
                    if word >> SCARED == 0:
                        here = (word & CELL) * cells
                        if self.apart[here + other] < self.apart[here + state.pacman]:
                            away = False
                if away:
                    return False
        return True

    def to_food(self, state: Scene) -> int:
        """Steps to the nearest pellet."""
        cells = len(self.pellet_at)
        pellets = len(self.nearest) // cells
        for rank in range(pellets):
            cell = int(self.nearest[state.pacman * pellets + rank])  # of 16 bits, which sums would leave
            pellet = self.pellet_at[cell]
            if state.food[pellet // WORD] >> pellet % WORD & 1:
                return int(self.apart[state.pacman * cells + cell])
        return 0

    # -- scenes ------------------------------------------------------------------------------------

    def scattered(self, seed: int, reach: int | None = None) -> Scene:
        """A beginning with everybody in random places, the same for the same seed; no ghost is beside Pac-Man.

        With `reach` everybody is so many steps at most from where the layout has them; without it Pac-Man is
        anywhere and the ghosts in the half of the maze that is farther from him.
        """
        rng, cells = seeded(seed), len(self.pellet_at)
        free = [cell for cell in range(cells) if self.apart[self.begin[0] * cells + cell] < cells]
        near = [cell for cell in free if reach is None or self.apart[self.begin[0] * cells + cell] <= reach]
        pacman = near[below(rng, len(near))]
        far = sorted(free, key=lambda cell: -int(self.apart[pacman * cells + cell]))
        far = far[: max(len(far) // 2, 1)]
        words = []
        for ghost in range(self.ghosts):
            home = int(self.begin[1 + ghost])
            around = [cell for cell in free if self.apart[home * cells + cell] <= (reach or 0)]
            places = far if reach is None else [cell for cell in around if self.apart[pacman * cells + cell] > 2]
            words.append((places or [home])[below(rng, len(places or [home]))] | STOP << FACING)
        state = self.start_state._replace(pacman=pacman, ghosts=tuple(words) or self.nobody)
        pellet = int(self.pellet_at[pacman])
        if pellet >= 0 and state.left > 1:  # nobody starts on a pellet
            food = replaced(state.food, pellet // WORD, state.food[pellet // WORD] ^ 1 << pellet % WORD)
            state = state._replace(food=food, left=state.left - 1)
        return self.coerce_state(state)  # type: ignore[no-any-return]

    def seen_with(self, evaluation: Evaluation) -> Pacman:
        """The same game as somebody sees it who values it otherwise."""
        other = Pacman(self.maze, evaluation, self.most_rounds)
        other.order = self.order
        return other

    def shuffled(self, seed: int) -> Pacman:
        """The same game with the directions tried in another order: between equal moves the seed decides."""
        other, rng = self.seen_with(self.valuation), seeded(seed)
        order = list(range(STOP))
        for place in range(STOP - 1, 0, -1):
            pick = below(rng, place + 1)
            order[place], order[pick] = order[pick], order[place]
        other.order = np.array([*order, STOP])
        return other

    # -- notation and picture ------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        return DIRECTIONS[int(action)]

    def parse_action(self, state: Any, text: str) -> int:
        """North, east, n, E, stop; a direction that a wall closes is refused like any other illegal move."""
        word = text.strip().lower()
        legal = [] if self.is_terminal(state) else list(self.actions(state))
        for action, name in enumerate(DIRECTIONS):
            if word and action in legal and (name.lower() == word or (name[0].lower() == word and action != STOP)):
                return action
        raise self.unknown_move(state, text)

    def check_state(self, state: Any) -> str:
        everybody = [("Pac-Man", state.pacman)]
        if self.ghosts == 0 and state.ghosts != self.nobody:
            return "there is a ghost, and the layout has none"
        for ghost in range(self.ghosts):
            word = state.ghosts[ghost]
            everybody.append((f"ghost {ghost + 1}", word & CELL))
            if word < 0 or word >> FACING & 15 > STOP or word >> SCARED > SCARED_TURNS:
                return f"ghost {ghost + 1} faces nowhere there is, or is scared for more than {SCARED_TURNS} turns"
        for who, cell in everybody:
            if not 0 <= cell < len(self.pellet_at) or self.steps[5 * cell + STOP] < 0:
                return f"{who} is not on a free cell"
        if any(word & ~int(full) for word, full in zip(state.food, self.stock, strict=True)):
            return "there are pellets that the layout has not"
        if state.left != sum(map(popcount, state.food)):
            return f"{state.left} pellets are said to be left, and {sum(map(popcount, state.food))} are there"
        if state.capsules & ~int(self.begin[-1]):
            return "there are power pellets that the layout has not"
        if not 0 <= state.turn <= self.ghosts or not 0 <= state.rounds <= self.most_rounds:
            return f"the turn is 0 to {self.ghosts}, and the rounds 0 to {self.most_rounds}"
        low, high = self.scores_at(state)
        return "" if low <= state.score <= high else f"the score is {low} to {high} there, not {state.score}"

    def scores_at(self, state: Scene) -> tuple[int, int]:
        """What the score can be after so many rounds with so much eaten."""
        low = STEP * (state.rounds + (1 if state.turn > 0 else 0)) + (CAUGHT if state.caught else 0)
        eaten = PELLET * (int(self.begin[-2]) - state.left) + (WON if state.left == 0 else 0)
        scares = popcount(int(self.begin[-1]) & ~state.capsules)
        return low, low + eaten + EATEN * self.ghosts * scares

    def picture(self, state: Any, last: int | None = None) -> Picture:
        return scene_picture(self, state, last)
