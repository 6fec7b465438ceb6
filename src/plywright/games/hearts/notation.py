"""Hearts in words and pictures: states examined, views written and read, the cards to pass."""

from __future__ import annotations

from typing import Any

from ...bits import popcount, replaced
from ...draw.cards import Card
from ...errors import BadInput
from ...game import CHANCE
from ..deal_counts import ways
from ..tricks import play_at
from .rules import PASSES, Hand, HeartsRules


class Hearts(HeartsRules):
    """Avoid hearts and the queen of spades, or take them all."""

    def check_state(self, state: Any) -> str:
        """Hands that the deck makes, and passes and plays that lead there from those hands."""
        if not 0 <= state.dealt <= self.cards or not 0 <= state.played <= self.dealt_cards:
            return f"at most {self.cards} cards are dealt and played"
        if not 0 <= state.chosen <= self.choices_made or (state.dealt < self.cards and (state.chosen or state.played)):
            return "cards are passed after the deal, three by each seat"
        hands = list(state.hands)
        plays = [play_at(state.plays, number) for number in range(state.played)]
        if state.played:
            for seat in range(4):
                own = self.played_by(state, seat)
                if own & (hands[0] | hands[1] | hands[2] | hands[3]) or own >> self.cards:
                    return "a card was played that the deck has not, or that is there twice"
                hands[seat] |= own
        if state.chosen == self.choices_made and self.passing:
            for giver in range(4):
                if state.passed[giver] & ~hands[(giver + self.passing) % 4] or popcount(state.passed[giver]) != PASSES:
                    return "a card was passed that its receiver never held, or not three"
            given = tuple(state.passed[(seat - self.passing) % 4] for seat in range(4))
            hands = [hands[seat] & ~given[seat] | state.passed[seat] for seat in range(4)]
        if wrong := self.whole_deal_fault(hands, state.dealt):
            return wrong
        reached = Hand(tuple(hands), self.no_plays, state.dealt, 0, 0, self.no_points, 0, self.no_hands, 0, 0)
        if state.dealt == self.cards and not self.passing:
            reached = reached._replace(leader=self.holder(reached.hands, self.low_club))
        for number in range(state.chosen):
            cards = [card for card in range(self.cards) if state.passed[number // PASSES] >> card & 1]
            if len(cards) <= number % PASSES or not hands[number // PASSES] >> cards[number % PASSES] & 1:
                return "a card was passed that was not there"
            reached = self.result(reached, cards[number % PASSES])
        for card in plays:
            if card not in list(self.actions(reached)):
                return f"{self.card_text(card)} could not be played when it was"
            reached = self.result(reached, card)
        return "" if reached == state else "its points, its leader or its voids are not what the plays have made"

    def format_action(self, state: Any, action: int) -> str:
        if self.to_move(state) == CHANCE:
            return str(int(action) + 1)
        return self.card_text(int(action))

    def format_observation(self, observation: Any, player: int) -> str:
        """Hand, cards passed on, cards received, tricks: `3cKs >QsAhKh <2c3dTh Js-Ks`."""
        words = [self.hand_text(int(observation.hands[player]))]
        if self.passing and observation.dealt == self.cards:
            words.append(f">{self.hand_text(int(observation.passed[player]))}")
            if observation.chosen == self.choices_made:
                words.append(f"<{self.hand_text(int(observation.passed[(player - self.passing) % 4]))}")
        return " ".join([*words, *map("-".join, self.split_tricks(observation))])

    def parse_observation(self, text: str, player: int) -> Hand:
        """What the player to move sees; raises BadInput where no deal looks like that."""
        words = text.lower().replace("10", "t").split() or [""]
        hand = self.read_set(words.pop(0), text)
        given = self.read_set(words.pop(0)[1:], text) if words and words[0].startswith(">") else 0
        got = self.read_set(words.pop(0)[1:], text) if words and words[0].startswith("<") else 0
        plays = [card for word in words for card in self.read_cards(word.replace("-", ""), text)]
        whole = bool(got) or not self.passing
        if popcount(given) + popcount(got) > 2 * PASSES or (self.passing and whole and popcount(given) != PASSES):
            raise BadInput(f"{text!r}: three cards are passed on and three received in {self.name}")
        passed = self.no_hands
        if self.passing:
            passed = replaced(replaced(passed, player, given), (player - self.passing) % 4, got)
        chosen = self.choices_made if whole else PASSES * player + popcount(given)
        for leader in range(4):
            start = Hand(
                replaced(self.no_hands, player, hand),
                self.no_plays,
                self.cards,
                0,
                leader,
                self.no_points,
                0,
                passed,
                chosen,
                0,
            )
            found = self._followed(start, plays, player)
            if found is not None:
                return found
        raise BadInput(f"{text!r}: no deal of {self.name} looks like that to {self.player_name(player)} to move")

    def _followed(self, state: Hand, plays: list[int], player: int) -> Hand | None:
        """The view after those plays if the first leader sits there; None where that cannot be."""
        hand, seen = state.hands[player], state.hands[player]
        if state.chosen < self.choices_made:
            fits = not plays and popcount(hand) == self.hand and not state.passed[player] & ~hand
            fits = fits and state.chosen // PASSES == player and state.leader == 0
            cards = [card for card in range(self.cards) if state.passed[player] >> card & 1]
            state = state._replace(passed=self.no_hands, chosen=PASSES * player)
            for card in cards:
                if card not in list(self.actions(state)):
                    return None
                state = state._replace(
                    passed=replaced(state.passed, player, state.passed[player] | 1 << card), chosen=state.chosen + 1
                )
            return state if fits else None
        whole = hand
        for number, card in enumerate(plays):
            mover = self.to_move(state)
            if seen >> card & 1 or (number == 0) != (card == self.low_club):
                return None
            seen |= 1 << card
            if state.voids >> mover * self.suits + card // self.ranks & 1:
                return None
            if mover == player:
                full = state._replace(hands=replaced(state.hands, player, hand | self._later(plays, number, state)))
                if not self.playable(full) >> card & 1:
                    return None
                whole |= 1 << card
            state = self.result(state, card)
        if self.to_move(state) != player or popcount(hand) != self.size(state, player):
            return None
        if not plays and not hand >> self.low_club & 1:
            return None
        if self.passing:
            own, got = state.passed[player], state.passed[(player - self.passing) % 4]
            if got & ~whole or own & whole & ~got or own & got:
                return None
        cards, sizes, open_to = self.question(state, player)
        return state if ways(cards, sizes, open_to) else None

    def _later(self, plays: list[int], number: int, state: Hand) -> int:
        """The cards that the mover of a play still had then: this one and those it played afterwards."""
        mover, cards, position = self.to_move(state), 0, state
        for card in plays[number:]:
            if self.to_move(position) == mover:
                cards |= 1 << card
            position = self.result(position, card)
        return cards

    def table_rows(self, state: Any) -> list[tuple[str, list[str | Card]]]:
        """The tricks; while cards are chosen, those to pass."""
        if state.chosen == self.choices_made:
            return super().table_rows(state)
        return [("to pass", [*self.laid_aside(state)])]

    def laid_aside(self, state: Any) -> list[str]:
        """The cards chosen to be passed on."""
        if state.chosen == self.choices_made:
            return []
        mine = int(state.passed[state.chosen // PASSES])
        return [self.card_sign(card) for card in range(self.cards) if mine >> card & 1]

    def caption(self, state: Any) -> str:
        return f"points {'-'.join(str(int(count)) for count in state.points)}"
