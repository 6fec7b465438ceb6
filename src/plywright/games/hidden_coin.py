"""The hidden coin: the smallest game in which looking at deals one by one goes wrong (strategy fusion).

The hider lays a coin, heads or tails, and covers it. The seeker banks, which wins 1, or bets; who has bet says
heads or tails, and wins 3 if that is right and loses 3 if it is not. Betting is worth 0 against a hider who does
not care, so the seeker should bank. A search that averages over deals sees the coin in each of them, thinks that
it would always say the right thing, and bets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..draw import Picture
from ..draw.coin import coin as draw_coin
from ..errors import BadInput
from ..game import Game
from ..rng import below

HIDER, SEEKER = 1, 0
HEADS, TAILS = 0, 1
BANK, BET = 0, 1
STAKE = 3


class Coin(NamedTuple):
    """The side that is up (-1: not laid, or not seen); what the seeker did and said (-1: nothing yet)."""

    coin: int
    laid: int
    choice: int
    said: int


class HiddenCoin(Game):
    """Bank, or bet on a coin that somebody has hidden."""

    how_to_play = (
        "The hider covers a coin. The seeker may bank, which wins 1, or bet: then it says heads or tails, wins 3 "
        "if that is right and loses 3 if it is not."
    )

    name = "hidden-coin"
    player_names = ("seeker", "hider")
    utility_range = (-STAKE, STAKE)
    max_actions = 2
    perfect_recall = True

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Coin:
        return Coin(-1, 0, -1, -1)

    def to_move(self, state: Coin) -> int:
        return SEEKER if state.laid else HIDER

    def actions(self, state: Coin) -> Iterator[int]:
        if not self.is_terminal(state):
            yield 0
            yield 1

    def result(self, state: Coin, action: int) -> Coin:
        if not state.laid:
            return state._replace(coin=action, laid=1)
        if state.choice < 0:
            return state._replace(choice=action)
        return state._replace(said=action)

    def is_terminal(self, state: Coin) -> bool:
        return state.choice == BANK or state.said >= 0

    def utility(self, state: Coin, player: int) -> float:
        won = 1 if state.choice == BANK else STAKE if state.said == state.coin else -STAKE
        return won if player == SEEKER else -won

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Coin, player: int) -> Coin:
        return state if player == HIDER else state._replace(coin=-1)

    def deal(self, observation: Coin, player: int, rng: Any) -> Coin:
        if player == HIDER or not observation.laid:
            return observation
        return observation._replace(coin=below(rng, 2))

    def deals(self, observation: Coin, player: int) -> Iterator[tuple[Coin, float]]:
        if player == HIDER or not observation.laid:
            yield observation, 1.0
        else:
            yield observation._replace(coin=HEADS), 0.5
            yield observation._replace(coin=TAILS), 0.5

    def earlier(self, state: Coin, observation: Coin, player: int) -> Coin:
        return observation._replace(coin=state.coin) if observation.laid else observation

    # -- notation and picture ----------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        banking = state.laid and state.choice < 0
        return (("bank", "bet") if banking else ("heads", "tails"))[int(action)]

    def check_state(self, state: Any) -> str:
        """Of the few states there are, is it one."""
        if state == Coin(-1, 0, -1, -1):
            return ""
        done = (state.choice, state.said)
        if state.laid != 1 or state.coin not in (HEADS, TAILS):
            return "the coin is laid (1), heads (0) or tails (1), before anything else is done"
        if done not in ((-1, -1), (BANK, -1), (BET, -1), (BET, HEADS), (BET, TAILS)):
            return "the seeker banks (0) or bets (1), and says heads (0) or tails (1) after a bet only"
        return ""

    def format_observation(self, observation: Any, player: int) -> str:
        """What was done in order, such as `covered bet`; `start` before anything was."""
        words = []
        if observation.laid:
            words.append("covered" if observation.coin < 0 else ("heads", "tails")[int(observation.coin)])
        if observation.choice >= 0:
            words.append(("bank", "bet")[int(observation.choice)])
        if observation.said >= 0:
            words.append(("heads", "tails")[int(observation.said)])
        return " ".join(words) or "start"

    def parse_observation(self, text: str, player: int) -> Coin:
        known = {"start": Coin(-1, 0, -1, -1), "covered": Coin(-1, 1, -1, -1), "covered bet": Coin(-1, 1, BET, -1)}
        found = known.get(" ".join(text.lower().split()))
        if found is None or self.to_move(found) != player:
            raise BadInput(
                f"{text!r} is not what {self.player_name(player)} sees to move: the hider's is 'start', the seeker's "
                "'covered' or 'covered bet'"
            )
        return found

    def picture(self, state: Any, last: int | None = None) -> Picture:
        words = self.format_observation(state, HIDER)
        face = "" if state.coin < 0 else "HT"[int(state.coin)]
        return draw_coin(face, words, laid=bool(state.laid), caption=self._caption(state))

    def picture_for(self, observation: Any, player: int) -> Picture:
        """The same table; for the seeker the coin is covered."""
        return self.picture(observation)

    def _caption(self, state: Any) -> str:
        """Who does what next, or how it ended."""
        if not state.laid:
            return "the hider to lay the coin"
        if self.is_terminal(state):
            return f"the end: the seeker gets {self.utility(state, SEEKER):+g}"
        return "the seeker to bank or bet" if state.choice < 0 else "the seeker to say heads or tails"
