"""Liar's dice for two or more: everybody rolls under a cup, then each bids higher or calls the last bidder a liar.

A bid `2x5` says that there are at least two fives under all cups together; the highest face is wild and
counts as any. A bid must be higher than the last: more dice, or as many of a higher face. After `liar` the
cups are lifted: a true bid wins for its bidder, a false one for the caller, 1 from the one to the other.
What a player sees is the own dice and the bids: `35 1x5 2x3`.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..bits import highest_bit, popcount, replaced
from ..draw import Picture
from ..draw.dice import dice as draw_dice
from ..errors import BadInput
from ..game import CHANCE, Game
from ..knowledge import Knowledge
from ..rng import below
from .notation import whole_number

COUNT = 4  # bits for how many dice show a face
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
LIE, TRUTH, LAST_TRUTH = 0.6, 0.2, 0.8
"""What a false bid costs its bidder in the evaluation, and what a true one is worth: the highest that is true most."""


class Cups(NamedTuple):
    """Under each cup how many dice show face f, in the bits 4 f to 4 f + 3; bids so far as a set of bits.

    Bids only rise, so that the set tells their order too. Dice that are not seen count nowhere.
    """

    dice: tuple[int, ...]
    rolled: int
    bids: int
    called: bool


class LiarsDiceKnowledge(Knowledge):
    """The evaluation is the game's own; simulations ask it early."""

    cutoff = 2


class LiarsDice(Game):
    """Bid on all the dice, or call the last bid a lie."""

    how_to_play = (
        "Everybody rolls dice under a cup. A bid such as 2x5 says that there are at least two fives under all "
        "cups together; the highest face is wild and counts as any. The next player bids higher, with more dice "
        "or as many of a higher face, or says liar. Then the cups are lifted: a bid that was true wins for its "
        "bidder, a false one for whoever called it."
    )

    perfect_recall = True
    zero_sum = True
    knowledge = LiarsDiceKnowledge

    def __init__(self, players: int = 2, dice: int = 1, faces: int = 6) -> None:
        self.players = whole_number("players", players, 2, 6)
        self.dice = whole_number("dice", dice, 1, 5)
        self.faces = whole_number("faces", faces, 2, 9)
        self.bids = self.players * self.dice * self.faces
        if self.bids > 60:
            raise BadInput(
                f"players x dice x faces must be at most 60, and {players} x {dice} x {faces} is {self.bids}"
            )
        self.max_actions = self.bids + 1
        self.nothing = (0,) * self.players
        self.zero_sum = True

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Cups:
        return Cups(self.nothing, 0, 0, False)

    def to_move(self, state: Cups) -> int:
        if state.rolled < self.players * self.dice:
            return CHANCE
        return popcount(state.bids) % self.players

    def chance(self, state: Cups) -> Iterator[tuple[int, float]]:
        """The face of the next die; the first player's dice roll first."""
        for face in range(self.faces):
            yield face, 1 / self.faces

    def actions(self, state: Cups) -> Iterator[int]:
        """Bids are numbered (dice - 1) faces + face; the number after the highest bid is `liar`."""
        if state.rolled == self.players * self.dice and not state.called:
            for bid in range(highest_bit(state.bids) + 1, self.bids):
                yield bid
            if state.bids != 0:
                yield self.bids

    def result(self, state: Cups, action: int) -> Cups:
        if state.rolled < self.players * self.dice:
            seat = state.rolled // self.dice
            dice = replaced(state.dice, seat, state.dice[seat] + (1 << COUNT * action))
            return Cups(dice, state.rolled + 1, state.bids, False)
        if action == self.bids:
            return Cups(state.dice, state.rolled, state.bids, True)
        return Cups(state.dice, state.rolled, state.bids | 1 << action, False)

    def is_terminal(self, state: Cups) -> bool:
        return state.called

    def utility(self, state: Cups, player: int) -> float:
        bid, made = highest_bit(state.bids), popcount(state.bids)
        bidder, caller = (made - 1) % self.players, made % self.players
        winner, loser = (bidder, caller) if self.is_true(state, bid) else (caller, bidder)
        return 1 if player == winner else -1 if player == loser else 0

    def evaluate(self, state: Cups, player: int) -> float:
        """How far the last bid holds with all cups lifted, and whether a higher one would.

        A true bid is good for its bidder, the better if none that is higher is true: whoever comes next must lie or
        be wrong. A false one is good for the next player, who may call it.
        """
        if self.is_terminal(state):
            return 1.0 * self.utility(state, player)
        if state.bids == 0:
            return 0.0
        bid, made = highest_bit(state.bids), popcount(state.bids)
        bidder, caller = (made - 1) % self.players, made % self.players
        strength = -LIE
        if self.is_true(state, bid):
            strength = LAST_TRUTH
            for higher in range(bid + 1, self.bids):
                if self.is_true(state, higher):
                    strength = TRUTH
        return strength if player == bidder else -strength if player == caller else 0.0

    def is_true(self, state: Cups, bid: int) -> bool:
        """Whether there are as many dice under the cups as a bid says."""
        there = 0
        for seat in range(self.players):
            there += self.count(state.dice[seat], bid % self.faces)
        return there > bid // self.faces

    def count(self, dice: int, face: int) -> int:
        """How many of one player's dice show the face; the highest face counts as any."""
        there = dice >> COUNT * face & 15
        if face != self.faces - 1:
            there += dice >> COUNT * (self.faces - 1) & 15
        return there

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Cups, player: int) -> Cups:
        """Every bid and the own dice; when the cups are lifted, all of them."""
        if state.called:
            return state
        return Cups(replaced(self.nothing, player, state.dice[player]), state.rolled, state.bids, state.called)

    def deal(self, observation: Cups, player: int, rng: Any) -> Cups:
        """The other dice at random."""
        dice = observation.dice
        if not observation.called:
            for die in range(observation.rolled):
                seat = die // self.dice
                if seat != player:
                    dice = replaced(dice, seat, dice[seat] + (1 << COUNT * below(rng, self.faces)))
        return Cups(dice, observation.rolled, observation.bids, observation.called)

    def deals(self, observation: Cups, player: int) -> Iterator[tuple[Cups, float]]:
        """Every way the other dice may lie, by how many rolls give it."""
        if observation.called:
            yield observation, 1.0
            return
        others = [seat for seat in range(self.players) if seat != player]
        hands = [self.rolls(min(max(observation.rolled - seat * self.dice, 0), self.dice)) for seat in others]
        for chosen in itertools.product(*hands):
            dice = observation.dice
            for seat, (hand, _) in zip(others, chosen, strict=True):
                dice = replaced(dice, seat, hand)
            yield observation._replace(dice=dice), math.prod(probability for _, probability in chosen)

    def rolls(self, count: int) -> list[tuple[int, float]]:
        """What so many dice may show, with probabilities."""
        found = []
        for faces in itertools.combinations_with_replacement(range(self.faces), count):
            ways = math.factorial(count)
            for repeated in Counter(faces).values():
                ways //= math.factorial(repeated)
            found.append((sum(1 << COUNT * face for face in faces), ways / self.faces**count))
        return found

    def earlier(self, state: Cups, observation: Cups, player: int) -> Cups:
        return observation._replace(dice=state.dice)

    # -- notation and picture ----------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        if self.to_move(state) == CHANCE:
            return str(int(action) + 1)
        return "liar" if int(action) == self.bids else self.bid_text(int(action))

    def bid_text(self, bid: int) -> str:
        return f"{bid // self.faces + 1}x{bid % self.faces + 1}"

    def parse_action(self, state: Any, text: str) -> int:
        word = re.sub(r"(?<=[0-9])[-*](?=[0-9])", "x", text.strip().lower())
        return super().parse_action(state, "liar" if word in ("call", "challenge", "dudo") else word or text)

    def check_state(self, state: Any) -> str:
        whole = self.players * self.dice
        if not 0 <= state.rolled <= whole or not 0 <= state.bids < 1 << self.bids:
            return f"{whole} dice are rolled at most, and there are {self.bids} bids"
        for seat, dice in enumerate(state.dice):
            counts = [dice >> COUNT * face & 15 for face in range(self.faces)]
            under = min(max(state.rolled - seat * self.dice, 0), self.dice)
            if dice < 0 or dice >> COUNT * self.faces or sum(counts) != under:
                return f"{self.player_name(seat)} has other dice than the {under} that were rolled"
        if state.rolled < whole and state.bids:
            return "nobody bids before all dice are rolled"
        return "somebody is called a liar before any bid" if state.called and not state.bids else ""

    def dice_text(self, dice: int) -> str:
        return "".join(str(face + 1) * (dice >> COUNT * face & 15) for face in range(self.faces))

    def format_observation(self, observation: Any, player: int) -> str:
        """The own dice and the bids: `3 1x5 2x3`; a dash where there are none."""
        if self.is_terminal(observation):
            cups = "|".join(self.dice_text(int(dice)) for dice in observation.dice)
            return f"{cups} {' '.join(self.bid_texts(observation))} liar"
        words = [self.dice_text(int(observation.dice[player])) or "-", *self.bid_texts(observation)]
        return " ".join(words)

    def bid_texts(self, state: Any) -> list[str]:
        return [self.bid_text(bid) for bid in range(self.bids) if int(state.bids) >> bid & 1]

    def parse_observation(self, text: str, player: int) -> Cups:
        """What the player to move sees; raises BadInput where no state looks like that."""
        words = text.strip().lower().split()
        dice = words[0] if words else ""
        faces = {str(face + 1): face for face in range(self.faces)}
        if len(dice) != self.dice or not set(dice) <= set(faces):
            raise BadInput(
                f"{text!r} is not what a player of {self.name} sees: write {self.dice} dice of 1 to {self.faces} and "
                f"the bids, such as '{'3' * self.dice} 1x5'"
            )
        hand = sum(1 << COUNT * faces[die] for die in dice)
        seen = Cups(replaced(self.nothing, player, hand), self.players * self.dice, 0, False)
        for word in words[1:]:
            if word == "-":
                continue
            action = self.parse_action(seen, word)
            seen = self.result(seen, action)
        if seen.called or self.to_move(seen) != player:
            raise BadInput(f"{text!r}: player {player + 1} of {self.name} is not to move there")
        return seen

    def picture(self, state: Any, last: int | None = None) -> Picture:
        rows = []
        for seat in range(self.players):
            shown = [int(face) for face in self.dice_text(int(state.dice[seat]))]
            under = min(max(int(state.rolled) - seat * self.dice, 0), self.dice)
            rows.append((self.player_name(seat), shown + [0] * (under - len(shown))))
        return draw_dice(rows, caption=self._told(state))

    def _told(self, state: Any) -> str:
        """Who has bid what in words, and how it ended: `player 1: two fives; player 2 says liar`."""
        bids = [bid for bid in range(self.bids) if int(state.bids) >> bid & 1]
        seats = [self.player_name(turn % self.players) for turn in range(len(bids) + 1)]
        said = [self.in_words(bid // self.faces + 1, bid % self.faces) for bid in bids]
        words = [f"{seats[turn]}: {bid}" for turn, bid in enumerate(said)]
        if not state.called:
            begins = "the dice roll" if self.to_move(state) == CHANCE else f"{seats[0]} to bid"
            return "; ".join(words) or begins
        there = sum(self.count(int(dice), bids[-1] % self.faces) for dice in state.dice)
        winner = seats[-2] if self.is_true(state, bids[-1]) else seats[-1]
        lifted = f"there {'is' if there == 1 else 'are'} {self.in_words(there, bids[-1] % self.faces)}"
        return "; ".join([*words, f"{seats[-1]}: liar", f"{lifted}, {winner} wins"])

    def in_words(self, count: int, face: int) -> str:
        """So many dice that show a face: `two sixes`."""
        number, name = NUMBERS[count] if count < len(NUMBERS) else str(count), NUMBERS[face + 1]
        return f"{number} {name}" if count == 1 else f"{number} {name}{'es' if name == 'six' else 's'}"

    def picture_for(self, observation: Any, player: int) -> Picture:
        """The same table; the dice of the others are under their cups."""
        return self.picture(observation)
