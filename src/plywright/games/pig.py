"""Pig: roll as often as you dare, or hold; a one costs all that this turn has brought.

`payoff=win` plays for the win alone, `payoff=points` for the points: the difference of the banked
scores, or with one player the score itself. Whoever has enough to reach the target must hold, so that
scores stay below target + 6. `turns` ends the game after so many turns of each player; `pig:players=1,
turns=1,payoff=points` is the question how long to go on in a single turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..draw import Picture
from ..draw.tracks import tracks
from ..errors import BadInput
from ..game import CHANCE, Game
from .notation import legal_action, whole_number

ROLL, HOLD = 0, 1
MOVES = ("roll", "hold")
WORDS = {"roll": ROLL, "r": ROLL, "hold": HOLD, "h": HOLD, "bank": HOLD, "stop": HOLD}
SIDES = ("first", "second")
MOST_TURNS = 1000


class Turn(NamedTuple):
    """The banked scores, the points at risk in this turn, the turns begun before it, and whether the die rolls.

    Where the number of turns does not matter `turn` is only whose turn it is, so that there are finitely many states.
    """

    first: int
    second: int
    pot: int
    turn: int
    rolling: int


class Pig(Game):
    """The first to bank `target` points wins."""

    how_to_play = (
        "On your turn, roll the die as often as you like. Each roll adds to the total of the turn, but a 1 loses "
        "that total and ends the turn. Hold to bank the total and let the next player roll. The first to bank 100 "
        "points wins."
    )

    player_names: tuple[str, ...] = SIDES
    runtime = ("target", "last_turn", "turn_cycle", "for_points")
    max_actions = 6

    def __init__(self, target: int = 100, payoff: str = "win", players: int = 2, turns: int = 0) -> None:
        self.target = whole_number("target", target, 1, 1000)
        self.players = whole_number("players", players, 1, 2)
        self.turns = whole_number("turns (0 for no limit)", turns, 0, MOST_TURNS)
        if payoff not in ("win", "points"):
            raise BadInput(f"payoff must be win or points, not {payoff!r}")
        if players == 1 and payoff == "win":
            raise BadInput("one player has nobody to beat: write pig:players=1,payoff=points, perhaps with turns=1")
        self.payoff = payoff
        self.for_points = int(payoff == "points")
        self.last_turn = self.turns * players if turns else 1 << 40
        self.turn_cycle = 1 << 40 if turns else players
        most = target + 5
        self.player_names = SIDES[:players]
        self.utility_range = (-1, 1) if payoff == "win" else (0 if players == 1 else -most, most)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Turn:
        return Turn(0, 0, 0, 0, 0)

    def to_move(self, state: Turn) -> int:
        return CHANCE if state.rolling else state.turn % self.players

    def chance(self, state: Turn) -> Iterator[tuple[int, float]]:
        for face in range(1, 7):
            yield face, 1 / 6

    def actions(self, state: Turn) -> Iterator[int]:
        """A turn begins with a roll, and ends where the target is reached."""
        score = state.second if state.turn % self.players else state.first
        if score + state.pot < self.target:
            yield ROLL
        if state.pot > 0:
            yield HOLD

    def result(self, state: Turn, action: int) -> Turn:
        after = (state.turn + 1) % self.turn_cycle
        if state.rolling:
            if action == 1:
                return Turn(state.first, state.second, 0, after, 0)
            return Turn(state.first, state.second, state.pot + action, state.turn, 0)
        if action == ROLL:
            return Turn(state.first, state.second, state.pot, state.turn, 1)
        if state.turn % self.players:
            return Turn(state.first, state.second + state.pot, 0, after, 0)
        return Turn(state.first + state.pot, state.second, 0, after, 0)

    def is_terminal(self, state: Turn) -> bool:
        return (
            state.first >= self.target
            or state.second >= self.target
            or (state.turn >= self.last_turn and not state.rolling)
        )

    def utility(self, state: Turn, player: int) -> float:
        lead = state.first - state.second if player == 0 else state.second - state.first
        if self.for_points:
            return lead
        return 1 if lead > 0 else -1 if lead < 0 else 0

    def evaluate(self, state: Turn, player: int) -> float:
        """The lead with half of what is at risk, as a share of the target where only the win counts."""
        if self.is_terminal(state):
            return self.utility(state, player)
        at_risk = state.pot / 2
        lead = state.first - state.second + (0 - at_risk if state.turn % self.players else at_risk)
        if player == 1:
            lead = 0 - lead
        if self.for_points:
            return lead + (0.25 if self.players == 1 else 0.0)  # above nothing, which only a lost turn is worth
        return lead / (self.target + 6)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        """`roll` or `hold`; at a chance node the face of the die."""
        return str(int(action)) if state.rolling else MOVES[int(action)]

    def parse_action(self, state: Any, text: str) -> int:
        word = text.strip().lower()
        if state.rolling:
            return legal_action(self, state, int(word) if re.fullmatch("[1-6]", word) else None, text)
        return legal_action(self, state, WORDS.get(word), text)

    def format_state(self, state: Any) -> str:
        """Banked scores, points at risk, turns before this one: `12-34 +7 turn 5`; `rolling` while the die rolls.

        Without a limit of turns `turn 0` is the first player's and `turn 1` the second's; other numbers are read too.
        """
        rolling = " rolling" if state.rolling else ""
        return f"{int(state.first)}-{int(state.second)} +{int(state.pot)} turn {int(state.turn)}{rolling}"

    def parse_state(self, text: str) -> Any:
        found = re.fullmatch(
            r"([0-9]{1,4})-([0-9]{1,4})\s+\+?([0-9]{1,4})\s+turn\s+([0-9]{1,13})(\s+rolling)?", text.strip().lower()
        )
        if found is None:
            raise BadInput(
                f"{text!r} is not a state of {self.name}: write scores, points at risk, turn: '12-34 +7 turn 5'"
            )
        first, second, pot, turn = (int(found[n]) for n in (1, 2, 3, 4))
        return self.checked(Turn(first, second, pot, turn % self.turn_cycle, int(found[5] is not None)))

    def check_state(self, state: Any) -> str:
        first, second, pot, turn, rolling = state
        if min(first, second, pot, turn) < 0 or rolling not in (0, 1):
            return "scores, points at risk and turns are not negative, and the die rolls (1) or not (0)"
        if self.players == 1 and second:
            return "with one player the second score is 0"
        score = second if turn % self.players else first
        if max(first, second, score + pot) > self.target + 5 or (rolling and score + pot >= self.target):
            return f"the target is {self.target}, and whoever can reach it holds"
        last = min(self.last_turn, self.turn_cycle - 1)
        if turn > last or (turn == self.last_turn and (rolling or pot)):
            return f"the turn is 0 to {last}, and the game ends with the last where turns are counted"
        if rolling and max(first, second) >= self.target:
            return "the game is over, so that nothing is rolled"
        return ""

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        mover, over = int(state.turn % self.players), self.is_terminal(state)
        scores = (int(state.first), int(state.second))[: self.players]
        runners = [(SIDES[n], score, int(state.pot) if n == mover else 0) for n, score in enumerate(scores)]
        name = f"the {SIDES[mover]} player"
        if over:
            caption = f"the end: {scores[0]} points"
            if self.players == 2:
                ahead = int(scores[1] > scores[0])
                won = f"the {SIDES[ahead]} player has won" if scores[0] != scores[1] else "a draw"
                caption = f"{won}, {scores[ahead]} to {scores[1 - ahead]}"
        else:
            caption = f"{name}'s die rolls" if state.rolling else f"{name} to roll or hold"
        rolled = int(last) if last is not None and last > HOLD and not state.rolling else 0
        return tracks(runners, self.target, mover=None if over else mover, rolled=rolled, caption=caption)
