"""Hold'em in words: cards, bets, what a seat sees as one line, and pictures.

The betting is written as the Annual Computer Poker Competition does: f fold, c check or call, r raise, in no-limit
with the amount that the seat has then put in, a slash between rounds: `cr300c/cc/`. What a seat sees is its cards, the
board and the betting: `AsKd | Qs Js 2d | r300c/`; before the flop the board is a dash.
"""

from __future__ import annotations

import itertools
from typing import Any

from ...draw import Picture
from ...draw.cards import cards as draw_cards
from ...errors import BadInput, shown
from ..poker_hands import format_card, parse_cards

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
LETTERS = "fcr"
BEFORE = (0, 3, 4, 5)
STREETS = ("pre-flop", "flop", "turn", "river")


def card_list(cards: Any) -> list[int]:
    """The cards of a set, the lowest first."""
    word = int(cards)
    return [card for card in range(52) if word >> card & 1]


def hand_text(cards: Any) -> str:
    """A set of cards, the highest first."""
    return "".join(format_card(card) for card in reversed(card_list(cards)))


def face(card: int) -> str:
    """A card as pictures show it."""
    text = format_card(card)
    return text[0].replace("T", "10") + SIGNS[text[1]]


class HoldemNotation:
    """Texts and pictures of hold'em; the rules are in rules.py."""

    players: int
    limit: bool
    name: str
    first_card: int
    rounds: int
    act_bits: int
    acts_a_word: int
    full_board: int

    # -- actions -----------------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        game: Any = self
        if game.is_dealing(state):
            return "".join(format_card(card) for card in game.cards_of(state, int(action)))
        if action == 0:
            return "fold"
        facing = int(state.paid[int(state.mover)]) < int(state.bet)
        if action == 1:
            return "call" if facing else "check"
        return self.raise_word(state) if self.limit else f"r{int(action)}"

    def raise_word(self, state: Any) -> str:
        """What more chips than the others' are called there."""
        facing = int(state.paid[int(state.mover)]) < int(state.bet)
        return "raise" if facing or state.raises or state.street == 0 else "bet"

    def parse_action(self, state: Any, text: str) -> int:
        """Words, or the letters of the competition; in no-limit also `raise 300`, `bet 300` and `all-in`."""
        game: Any = self
        word = text.strip().lower().replace(" ", "")
        if game.is_dealing(state):
            try:
                cards = parse_cards(_spaced(text)) if len(text) < 12 else []
            except BadInput:
                cards = []
            wanted = game.cards_to_come(state)
            if len(cards) != wanted or any(
                card < self.first_card or game.seen_cards(state) >> card & 1 for card in cards
            ):
                raise BadInput(f"{shown(text)} cannot be dealt here: write {wanted} of the cards that are not out yet")
            return int(game.outcome_of(cards))
        legal = list(game.actions(state))
        if not legal:
            raise BadInput(f"the hand is over: {shown(text)} is too late")
        who = game.player_name(int(state.mover))
        if word in ("f", "fold"):
            if 0 not in legal:
                raise BadInput(f"{shown(text)}: {who} has nothing to fold to: check, or bet")
            return 0
        if word in ("c", "k", "call", "check"):
            return 1
        for name in ("raiseto", "betto", "raise", "bet", "r", "b"):
            if word.startswith(name):
                word = word[len(name) :]
                break
        else:
            if word not in ("allin", "all-in"):
                amount = "r and an amount" if not self.limit else "r"
                raise BadInput(f"{shown(text)} is no act of {self.name}: write f, c or {amount}")
        if len(legal) == (1 if 0 not in legal else 2):
            raise BadInput(f"{shown(text)}: {who} cannot raise any more in this round")
        if self.limit:
            if word and word not in ("allin", "all-in"):
                raise BadInput(f"{shown(text)}: bets have a fixed size in limit hold'em, write r")
            return 2
        if word in ("allin", "all-in"):
            return int(legal[-1])
        low, high = int(game.least_raise(state)), legal[-1]
        if not word.isascii() or not word.isdecimal():
            raise BadInput(f"{shown(text)}: say how much, from r{low} to r{high} (what {who} will have put in)")
        if len(word) > 9 or not low <= int(word) <= high:
            raise BadInput(f"{shown(text)}: {who} cannot raise to that; the least is {low}, all-in is {high}")
        return int(word)

    # -- the betting -------------------------------------------------------------------------------------

    def acts_of(self, state: Any) -> list[int]:
        """The acts so far, in order, as far as the record has room for them."""
        mask = (1 << self.act_bits) - 1
        return [
            (int(state.record[place // self.acts_a_word]) >> self.act_bits * (place % self.acts_a_word) & mask) - 1
            for place in range(int(state.acts))
        ]

    def act_text(self, act: int) -> str:
        return LETTERS[act] if act < 2 or self.limit else f"r{act}"

    def split_acts(self, acts: str, text: str) -> list[str]:
        """One round's betting as acts: letters, a raise with its amount."""
        found, place = [], 0
        while place < len(acts):
            end = place + 1
            if acts[place] not in LETTERS:
                raise BadInput(
                    f"{shown(text)}: {acts[place]!r} is no act of hold'em: f folds, c checks or calls, r raises"
                )
            while acts[place] == "r" and end < len(acts) and acts[end].isdecimal():
                end += 1
            found.append(acts[place:end])
            place = end
        return found

    def betting_text(self, state: Any) -> str:
        """How the betting went: crc/cr."""
        game: Any = self
        text, reached = "", game.initial()._replace(hands=(3,) * self.players)
        for act in self.acts_of(state):
            street = reached.street
            reached = game.result(reached._replace(board=game.blank_board(reached)), act)
            text += self.act_text(act) + ("/" if reached.street > street else "")
        return text

    def betting_words(self, state: Any) -> list[str]:
        """How the betting went, a line for each round: `pre-flop: raise, call`."""
        game: Any = self
        reached = game.initial()._replace(hands=(3,) * self.players)
        rounds: dict[int, list[str]] = {}
        for act in self.acts_of(state):
            reached = reached._replace(board=game.blank_board(reached))
            word = self.format_action(reached, act)
            if act > 1 and not self.limit:
                word = f"{self.raise_word(reached)} to {act}"
            rounds.setdefault(int(reached.street), []).append(word)
            reached = game.result(reached, act)
        return [f"{STREETS[street]}: {', '.join(words)}" for street, words in rounds.items()]

    def blank_board(self, state: Any) -> tuple[int, int, int]:
        """A board of so many cards that the betting of the round can go on; which ones does not matter."""
        count = BEFORE[int(state.street)]
        return (7 if count else 0, 8 if count > 3 else 0, 16 if count > 4 else 0)

    def replayed(self, text: str, hands: tuple[int, ...], board: list[int]) -> Any:
        """The state after this betting, with these cards; raises BadInput where an act is not legal when it comes."""
        game: Any = self
        state = game.initial()._replace(hands=hands)
        rounds = text.split("/")
        for number, acts in enumerate(rounds):
            if number and int(state.street) != number:
                raise BadInput(f"{shown(text)}: the betting of round {number} is not over where the slash is")
            state = self._laid(state, board)
            for act in self.split_acts(acts, text):
                if game.is_terminal(state) or game.is_dealing(state) or int(state.street) != number:
                    raise BadInput(f"{shown(text)}: the betting of round {number + 1} is over before {act!r}")
                state = game.result(state, self.parse_action(state, act))
        return self._laid(state, board)

    def _laid(self, state: Any, board: list[int]) -> Any:
        """The state with as many cards of the board as it waits for."""
        game: Any = self
        while game.is_dealing(state):
            count, wanted = game.on_board(state), game.cards_to_come(state)
            if count + wanted > len(board):
                break
            state = game.result(state, game.outcome_of(board[count : count + wanted]))
        return state

    # -- what a seat sees ----------------------------------------------------------------------------------

    def board_list(self, state: Any) -> list[int]:
        return [card for part in state.board for card in card_list(part)]

    def format_observation(self, observation: Any, player: int) -> str:
        board = " ".join(format_card(card) for card in self.board_list(observation)) or "-"
        mine = hand_text(observation.hands[player]) or "-"
        return f"{mine} | {board} | {self.betting_text(observation) or '-'}"

    def parse_observation(self, text: str, player: int) -> Any:
        game: Any = self
        parts = [part.strip() for part in text.split("|")]
        if len(parts) != 3:
            raise BadInput(
                f"{shown(text)} is not what a player of {self.name} sees: write cards | board | betting, 'AsKd | - | r'"
            )
        mine = parse_cards(_spaced(parts[0]))
        board = [] if parts[1] in ("-", "") else parse_cards(_spaced(parts[1]))
        if len(mine) != 2:
            raise BadInput(f"{shown(text)}: a hand has two cards, not {len(mine)}")
        for card in (*mine, *board):
            if card < self.first_card:
                raise BadInput(f"{shown(text)}: {format_card(card)} is not in this deck")
            if (*mine, *board).count(card) > 1:
                raise BadInput(f"{shown(text)} has the card {format_card(card)} twice: a deck has one of each")
        own = 1 << mine[0] | 1 << mine[1]
        free = [card for card in range(self.first_card, 52) if card not in (*mine, *board)]
        hands = [0] * self.players
        for seat in range(self.players):
            hands[seat] = own if seat == player else 1 << free.pop() | 1 << free.pop()
        state = self.replayed("" if parts[2] == "-" else parts[2], tuple(hands), board)
        if game.is_dealing(state):
            raise BadInput(f"{shown(text)}: the board has {len(board)} cards, and the betting goes on after more")
        if game.on_board(state) != len(board):
            raise BadInput(
                f"{shown(text)}: the board has {len(board)} cards, but the betting has come to {game.on_board(state)}"
            )
        if game.is_terminal(state) or int(game.to_move(state)) != player:
            raise BadInput(f"{shown(text)}: {game.player_name(player)} of {self.name} is not to act there")
        return game.observation(game.coerce_state(state), player)

    def check_state(self, state: Any) -> str:
        """Cards there are, each once, and acts that lead to all the rest."""
        game: Any = self
        deck = (1 << 52) - (1 << self.first_card)
        seen = 0
        for cards in (*state.hands, *state.board):
            if cards < 0 or cards & ~deck or cards & seen:
                return "a card is there twice, or is not in the deck"
            seen |= cards
        if not 0 <= state.acts <= game.most_acts or any(not 0 <= word < 1 << 60 for word in state.record):
            return "its record of the betting cannot be"
        held = [int(cards).bit_count() for cards in state.hands]
        if any(number > 2 for number in held) or any(a < 2 and b for a, b in itertools.pairwise(held)):
            return "everybody gets two cards, the first seat first"
        reached = game.initial()
        whole = held[-1] == 2
        if whole:
            reached = reached._replace(hands=tuple(state.hands))
        acts = self.acts_of(state)
        if acts and not whole:
            return "nobody bets before all have their cards"
        for act in acts:
            reached = self._with_board(reached, state)
            if game.is_dealing(reached) or game.is_terminal(reached) or act not in game.actions(reached):
                return "its betting cannot be"
            reached = game.result(reached, act)
        reached = reached._replace(board=tuple(state.board), hands=tuple(state.hands))
        if not whole and any(state.board):
            return "the board comes when all have their cards"
        if why := self._wrong_board(reached):
            return why
        return "" if tuple(reached) == tuple(state) else "its cards and its betting do not lead there"

    def _with_board(self, reached: Any, state: Any) -> Any:
        """With the cards of the board that lay open in this round."""
        parts = int(reached.street)
        board = tuple(part if number < parts else 0 for number, part in enumerate(state.board))
        return reached._replace(board=board)

    def _wrong_board(self, state: Any) -> str:
        """What is wrong with the number of cards on the board; empty where nothing is."""
        flop, turn, river = (int(part).bit_count() for part in state.board)
        game: Any = self
        most = self.full_board if state.mover == -1 and game.left_in(state) > 1 else BEFORE[int(state.street)]
        least = BEFORE[max(int(state.street) - 1, 0)] if state.street else 0
        shape = (flop <= 3 and turn <= 1 and river <= 1) and not (turn and flop < 3) and not (river and not turn)
        if not shape or not least <= flop + turn + river <= max(most, least):
            return "the board has not as many cards as the betting says"
        return ""

    # -- pictures ------------------------------------------------------------------------------------------

    def picture_for(self, observation: Any, player: int) -> Picture:
        return self.picture(observation)

    def picture(self, state: Any, last: int | None = None) -> Picture:
        game: Any = self
        rows: list[tuple[str, list[str]]] = []
        for seat in range(self.players):
            faces = [face(card) for card in reversed(card_list(state.hands[seat]))]
            held = ["", ""] if not faces and not int(state.folded) >> seat & 1 else faces
            rows.append((self.seat_title(state, seat), held))
        rows.append(("board", [face(card) for card in self.board_list(state)]))
        return draw_cards(rows, caption=self._caption(state, game))

    def seat_title(self, state: Any, seat: int) -> str:
        game: Any = self
        title = f"{game.player_name(seat)} {int(state.paid[seat])}"
        if int(state.folded) >> seat & 1:
            return f"{title} folded"
        return f"{title} all-in" if state.paid[seat] == game.stacks[seat] else title

    def _caption(self, state: Any, game: Any) -> str:
        """The pot, what a call costs against what it may win, and the betting so far, a line for each round."""
        pot = sum(map(int, state.paid))
        words = [f"pot {pot}"]
        if state.mover >= 0 and game.on_board(state) == BEFORE[int(state.street)] and any(state.hands):
            words.append(self.odds_text(state))
        return "\n".join([", ".join(filter(None, words)), *self.betting_words(state)])

    def odds_text(self, state: Any) -> str:
        """Pot odds: what a call costs, and how often it must win to be worth it."""
        game: Any = self
        seat, pot = int(state.mover), sum(map(int, state.paid))
        cost = min(int(state.bet), int(game.stacks[seat])) - int(state.paid[seat])
        if cost <= 0:
            return ""
        return f"{cost} to call\npot odds {pot / cost:.3g} : 1 (worth it from {100 * cost / (pot + cost):.1f} %)"


def _spaced(cards: str) -> str:
    """Cards with or without blanks between them."""
    letters = cards.replace(" ", "").replace("10", "T")
    return " ".join(letters[place : place + 2] for place in range(0, len(letters), 2))
