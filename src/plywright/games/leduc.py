"""Leduc poker: two players, two cards each of three ranks, two rounds of betting, one card in common.

Both ante 1 and get a card. Raises are 2 in the first round and 4 in the second, at most two per round;
then a card is laid open. A pair with it wins, else the higher card; equal cards share the pot. Suits never
matter, so chance deals ranks (J, Q, K) with the probabilities that two cards of each give.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..draw import Picture
from ..draw.cards import cards as draw_cards
from ..errors import BadInput
from ..game import CHANCE, Game
from ..rng import draw64

FOLD, CALL, RAISE = 0, 1, 2
RANKS = "JQK"
COPIES = 2
RAISES = 2
SIZES = (2, 4)


class Table(NamedTuple):
    """Ranks are 1 to 3, 0 for none or unseen; `betting` has two bits an act after a leading 1, 3 ends a round."""

    first: int
    second: int
    common: int
    betting: int
    mover: int
    acted: int  # acts in this round
    raises: int  # in this round
    paid: int  # by the first player, and 64 times by the second
    folded: int  # the player who did, or -1


class Leduc(Game):
    """Two rounds, one common card."""

    how_to_play = (
        "Six cards, two suits of three ranks. Each player puts in one chip and gets one card; after a round of "
        "betting, raises of two, a common card is shown, and a second round follows with raises of four. At most "
        "two raises a round. A pair with the common card wins, otherwise the higher card; equal cards share the "
        "pot."
    )

    name = "leduc"
    max_actions = 3
    utility_range = (-13, 13)
    perfect_recall = True

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Table:
        return Table(0, 0, 0, 1, 0, 0, 0, 1 + 64, -1)

    def to_move(self, state: Table) -> int:
        if state.second == 0 or (state.common == 0 and self.round_over(state) and state.folded < 0):
            return CHANCE
        return state.mover

    def actions(self, state: Table) -> Iterator[int]:
        if self.to_move(state) != CHANCE and not self.is_terminal(state):
            if state.raises > 0:
                yield FOLD
            yield CALL
            if state.raises < RAISES:
                yield RAISE

    def chance(self, state: Table) -> Iterator[tuple[int, float]]:
        left = COPIES * len(RANKS) - (1 if state.first else 0) - (1 if state.second else 0)
        for rank in range(1, len(RANKS) + 1):
            copies = COPIES - (1 if state.first == rank else 0) - (1 if state.second == rank else 0)
            if copies > 0:
                yield rank, copies / left

    def result(self, state: Table, action: int) -> Table:
        if state.first == 0:
            return state._replace(first=action)
        if state.second == 0:
            return state._replace(second=action)
        if self.round_over(state) and state.folded < 0:
            return state._replace(common=action, betting=state.betting << 2 | 3, mover=0, acted=0, raises=0)
        mover = state.mover
        betting, acted, raises, folded, paid = (
            state.betting << 2 | action,
            state.acted + 1,
            state.raises,
            -1,
            state.paid,
        )
        ours = paid >> 6 * mover & 63
        theirs = paid >> 6 * (1 - mover) & 63
        if action == FOLD:
            folded = mover
        else:
            ours = theirs
            if action == RAISE:
                raises += 1
                ours += 2 if state.common == 0 else 4
            paid = ours << 6 * mover | theirs << 6 * (1 - mover)
        return Table(state.first, state.second, state.common, betting, 1 - mover, acted, raises, paid, folded)

    def is_terminal(self, state: Table) -> bool:
        return state.folded >= 0 or (state.common != 0 and self.round_over(state))

    def round_over(self, state: Table) -> bool:
        """A call ends a round, unless it is the first act."""
        return state.acted >= 2 and state.betting & 3 == CALL

    def utility(self, state: Table, player: int) -> float:
        ours, theirs = state.paid >> 6 * player & 63, state.paid >> 6 * (1 - player) & 63
        if state.folded >= 0:
            return theirs if state.folded != player else -ours
        mine, other = (state.first, state.second) if player == 0 else (state.second, state.first)
        strength = (10 if mine == state.common else 0) + mine - (10 if other == state.common else 0) - other
        return theirs if strength > 0 else -ours if strength < 0 else 0

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Table, player: int) -> Table:
        return state._replace(second=0) if player == 0 else state._replace(first=0)

    def deals(self, observation: Table, player: int) -> Iterator[tuple[Table, float]]:
        """The other player's card, by how many of its rank are left."""
        mine = observation.first if player == 0 else observation.second
        left = COPIES * len(RANKS) - 1 - (1 if observation.common else 0)
        for rank in range(1, len(RANKS) + 1):
            copies = COPIES - (1 if mine == rank else 0) - (1 if observation.common == rank else 0)
            if copies > 0:
                dealt = observation._replace(second=rank) if player == 0 else observation._replace(first=rank)
                yield dealt, copies / left

    def deal(self, observation: Table, player: int, rng: Any) -> Table:
        share = (draw64(rng) >> 11) / (1 << 53)
        last = observation
        for dealt, probability in self.deals(observation, player):
            last = dealt
            share -= probability
            if share < 0:
                break
        return last

    def earlier(self, state: Table, observation: Table, player: int) -> Table:
        return observation._replace(first=state.first, second=state.second)

    # -- notation and picture ----------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        if self.to_move(state) == CHANCE:
            return RANKS[int(action) - 1]
        return ("fold", "check" if state.raises == 0 else "call", "raise")[int(action)]

    def parse_action(self, state: Any, text: str) -> int:
        word = text.strip().lower()
        if self.to_move(state) != CHANCE and word in ("f", "c", "r", "call", "check", "bet"):
            word = {"f": "fold", "r": "raise", "bet": "raise"}.get(word, "check" if state.raises == 0 else "call")
        return super().parse_action(state, word)

    def check_state(self, state: Any) -> str:
        """Cards there are, and a betting that leads to all the rest."""
        held = [rank for rank in state[:3] if rank]
        for rank in held:
            if not 1 <= rank <= len(RANKS):
                return f"there is no rank {rank}"
            if held.count(rank) > COPIES:
                return f"{RANKS[rank - 1]} is dealt {held.count(rank)} times"
        if state.betting < 1 or state.betting.bit_length() % 2 == 0:
            return "the betting is a 1 and then two bits an act"
        reached = self.initial()
        for rank in state[:2]:
            reached = self.result(reached, rank) if rank else reached
        for place in reversed(range(0, state.betting.bit_length() - 1, 2)):
            act = state.betting >> place & 3
            common = self.to_move(reached) == CHANCE and reached.second != 0
            if act == 3 if not common else act != 3 or not state.common:
                return "its betting cannot be"
            if not common and act not in list(self.actions(reached)):
                return "its betting cannot be"
            reached = self.result(reached, state.common if common else act)
        return "" if reached == state else "its cards and its betting do not lead there"

    def format_observation(self, observation: Any, player: int) -> str:
        """Card, common card and betting: `Q K cr/c`; a dash where there is none."""
        mine = int(observation.first if player == 0 else observation.second)
        return f"{_rank(mine)} {_rank(int(observation.common))} {self.betting_text(int(observation.betting)) or '-'}"

    def betting_text(self, betting: int) -> str:
        signs = []
        while betting > 1:
            signs.append("fcr/"[betting & 3])
            betting >>= 2
        return "".join(reversed(signs))

    def betting_words(self, betting: int) -> list[str]:
        """The betting for people, a line for each round: `first round: raise, call`."""
        lines = []
        for name, acts in zip(("first", "second"), self.betting_text(betting).split("/"), strict=False):
            words = [
                {"f": "fold", "r": "raise", "c": "call" if "r" in acts[:place] else "check"}[act]
                for place, act in enumerate(acts)
            ]
            lines += [f"{name} round: {', '.join(words)}"] if words else []
        return lines

    def parse_observation(self, text: str, player: int) -> Table:
        words = text.split()
        if not 1 <= len(words) <= 3 or words[0].upper() not in tuple(RANKS):
            raise BadInput(
                f"{text!r} is not what a player of leduc sees: write card, common card and betting: 'Q - cr'"
            )
        common = words[1].upper() if len(words) > 1 else "-"
        betting = words[2].replace("-", "") if len(words) > 2 else ""
        first, _, second = betting.partition("/")
        mine = RANKS.index(words[0].upper()) + 1
        state = self.initial()._replace(first=mine, second=mine)
        for sign in first:
            state = self._seen_act(state, sign, text)
        if common != "-":
            if common not in RANKS or not self.round_over(state):
                raise BadInput(f"{text!r}: the common card comes when the first round of betting is over")
            state = self.result(state, RANKS.index(common) + 1)
            for sign in second:
                state = self._seen_act(state, sign, text)
        if self.is_terminal(state) or self.to_move(state) != player:
            raise BadInput(f"{text!r}: player {player + 1} of leduc is not to move there")
        return self.observation(state, player)

    def _seen_act(self, state: Table, sign: str, text: str) -> Table:
        action = "fcr".find(sign)
        if self.is_terminal(state) or action not in list(self.actions(state)):
            raise BadInput(f"{text!r}: {sign!r} cannot be done there in leduc (f fold, c check or call, r raise)")
        return self.result(state, action)

    def picture_for(self, observation: Any, player: int) -> Picture:
        """The same table; the cards of the others lie face down."""
        return self.picture(observation)

    def picture(self, state: Any, last: int | None = None) -> Picture:
        rows = [
            (self.player_name(0), [_rank(int(state.first), "")]),
            (self.player_name(1), [_rank(int(state.second), "")]),
            ("common", [_rank(int(state.common), "")] if state.common else []),
        ]
        paid = f"pot {int(state.paid) % 64} + {int(state.paid) // 64}"
        return draw_cards(rows, caption="\n".join([paid, *self.betting_words(int(state.betting))]))


def _rank(rank: int, nothing: str = "-") -> str:
    return RANKS[rank - 1] if rank else nothing
