"""The protocol of the Annual Computer Poker Competition, version 2.0.0, both ends, over TCP.

    MATCHSTATE:0:31:r300c/cc:|9hQd/8dAs8s      position, hand, betting, cards (own ones behind the bars of the others)

A dealer sends every seat its match state after each act; whoever is to act answers with the same line and `:f`, `:c` or
`:r` (no-limit: `:r300`, what the seat will have put in). `AcpcPlayer` is an agent that connects to our table: the text
`acpc:PORT` in a match. `sit_down` seats one of our players at somebody else's dealer. After an all-in the rounds in
which nobody acts are written all the same: `r20000c///`. As at the competition's dealer a raise too small or too large
is the least or the largest one, any other answer that is no legal act a call, one to an old state is left alone.
"""

from __future__ import annotations

import contextlib
import re
import socket
import time
from collections.abc import Callable
from typing import Any

from ..errors import BadInput, shown
from ..game import Game
from ..games.holdem.notation import card_list, hand_text
from ..games.holdem.rules import CALL, Holdem
from ..games.poker_hands import format_card, parse_cards
from ..players import Clock, Mode, Offence, Player, Playing, Turn
from ..players.offence import CRASHED, LATE, NO_GREETING
from ..rng import seeded

VERSION = "VERSION:2.0.0"
PREFIX = "MATCHSTATE"
JOINING = 60.0
"""Seconds in which an agent must connect and say its version."""
LONGEST_LINE = 1 << 16


def hold_em(game: Game) -> Holdem:
    """The game, if it is hold'em with a whole deck; raises BadInput for any other."""
    if not isinstance(game, Holdem) or game.ranks != 13 or game.rounds != 4:
        raise BadInput(f"the acpc protocol is for holdem with 52 cards and four rounds, not for {game.name}")
    return game


# -- match states ----------------------------------------------------------------------------------------------------


def match_state(game: Holdem, view: Any, seat: int, hand: int) -> str:
    """What a seat sees as the competition writes it."""
    held = "|".join(hand_text(cards) for cards in view.hands)
    board = [card_list(part) for part in view.board if part]
    cards = "/".join([held, *("".join(map(format_card, part)) for part in board)])
    betting = game.betting_text(view)
    if view.mover < 0 and game.left_in(view) > 1:
        betting += "/" * (game.rounds - 1 - betting.count("/"))  # rounds in which nobody could act
    return f"{PREFIX}:{seat}:{hand}:{betting}:{cards}"


def read_match_state(game: Holdem, line: str) -> tuple[int, int, Playing]:
    """Position, hand number and the hand so far; cards that are not shown are any others. Raises BadInput."""
    parts = line.strip().split(":")
    if len(parts) < 5 or parts[0] != PREFIX:
        raise BadInput(f"{shown(line)} is no match state: {PREFIX}:position:hand:betting:cards")
    if not (parts[1].isdecimal() and parts[1].isascii() and int(parts[1]) < game.players):
        raise BadInput(f"{shown(line)}: {game.name} has the positions 0 to {game.players - 1}, not {shown(parts[1])}")
    if not (parts[2].isdecimal() and parts[2].isascii() and len(parts[2]) < 19):
        raise BadInput(f"{shown(line)}: {shown(parts[2])} is no number of a hand")
    seat, number = int(parts[1]), int(parts[2])
    hands, board = _read_cards(game, parts[4], seat, line)
    return seat, number, _played(game, parts[3], hands, board, line)


def _read_cards(game: Holdem, text: str, seat: int, line: str) -> tuple[list[list[int]], list[int]]:
    held, *rounds = text.split("/")
    hands = [parse_cards(_spaced(part)) for part in held.split("|")]
    board = [card for part in rounds for card in parse_cards(_spaced(part))]
    known = [card for cards in (*hands, board) for card in cards]
    if len(set(known)) < len(known):
        twice = next(card for card in known if known.count(card) > 1)
        raise BadInput(f"{shown(line)} has the card {format_card(twice)} twice: a deck has one of each")
    if len(hands) != game.players or any(len(cards) not in (0, 2) for cards in hands) or len(hands[seat]) != 2:
        raise BadInput(f"{shown(line)}: write {game.players} hands with bars between, two cards in your own")
    if [len(parse_cards(_spaced(part))) for part in rounds] != [3, 1, 1][: len(rounds)]:
        raise BadInput(f"{shown(line)}: a flop has three cards, turn and river one each")
    free = [card for card in range(52) if card not in known]
    return [cards or [free.pop(), free.pop()] for cards in hands], board


def _played(game: Holdem, betting: str, hands: list[list[int]], board: list[int], line: str) -> Playing:
    """The hand stepped through, act by act."""
    playing = Playing(game)
    for cards in hands:
        for card in sorted(cards):
            playing.step(game.outcome_of([card]))
    for number, acts in enumerate(betting.split("/")):
        _lay(game, playing, board)
        if not acts and number < game.rounds and playing.state.mover < 0 and game.left_in(playing.state) > 1:
            continue  # all-in: nobody can act any more
        if playing.state.street != number:
            raise BadInput(f"{shown(line)}: the betting of round {number} is not over where the slash is")
        for act in game.split_acts(acts, betting):
            _lay(game, playing, board)
            if playing.is_over() or playing.at_chance() or playing.state.street != number:
                raise BadInput(f"{shown(line)}: {act} is out of turn, the betting of that round is over")
            playing.step(game.parse_action(playing.state, act))
    _lay(game, playing, board)
    if game.on_board(playing.state) != len(board) or playing.at_chance():
        raise BadInput(f"{shown(line)}: the board has {len(board)} cards, which the betting does not lead to")
    return playing


def _decided(game: Holdem, state: Any, line: str) -> bool:
    """Whether a line tells who has won: all have folded but one, or those who are in show their cards."""
    held = line.split(":")[4].split("/")[0].split("|")
    return game.left_in(state) < 2 or all(held[seat] or state.folded >> seat & 1 for seat in range(game.players))


def _lay(game: Holdem, playing: Playing, board: list[int]) -> None:
    """Put as many cards of the board down as are due and there."""
    while playing.at_chance():
        count, wanted = game.on_board(playing.state), game.cards_to_come(playing.state)
        if count + wanted > len(board):
            return
        playing.step(game.outcome_of(board[count : count + wanted]))


def _spaced(cards: str) -> str:
    return " ".join(cards[place : place + 2] for place in range(0, len(cards), 2))


# -- lines over a socket -----------------------------------------------------------------------------------------------


class Wire:
    """Lines over a connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection, self.rest = connection, b""

    def send(self, line: str) -> None:
        self.connection.settimeout(10.0)
        self.connection.sendall(line.encode("ascii", "replace") + b"\r\n")

    def read(self, deadline: float) -> str | None:
        """The next line that is no remark; None where the other end has closed. Raises TimeoutError."""
        while True:
            line, found, rest = self.rest.partition(b"\n")
            if found:
                self.rest = rest
                text = line.decode("ascii", "replace").strip()
                if text and text[0] not in "#;":
                    return text
                continue
            if len(self.rest) > LONGEST_LINE:
                raise BadInput(f"a line of over {LONGEST_LINE:,} characters is no line of the acpc protocol")
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self.connection.settimeout(min(left, 1e6))
            data = self.connection.recv(4096)
            if not data:
                return None
            self.rest += data

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.connection.close()


class AcpcPlayer(Player):
    """An agent of the competition at our table: it connects to a port of this machine, `acpc:20001`."""

    takes_openings = False
    isolation = "connected over the loopback address"

    def __init__(self, port: str, game: Game, name: str = "") -> None:
        if not re.fullmatch("[0-9]{1,5}", port) or int(port) >= 1 << 16:
            raise BadInput(f"acpc:{port} should have the port on which to wait for the agent, such as acpc:20001")
        self.game = hold_em(game)
        self.name = name or f"acpc:{port}"
        self.info = {}
        self.port = int(port)
        self.listening: socket.socket | None = None
        self.wire: Wire | None = None
        self.hand, self.seat, self.sent = -1, 0, ""
        self.calls = 0
        """Answers that were no legal act, and counted as calls."""

    def listen(self) -> int:
        """Open the port; the one that was chosen where it is 0."""
        if self.listening is None:
            opened = socket.socket()
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                opened.bind(("127.0.0.1", self.port))
            except OSError as error:
                opened.close()
                raise BadInput(f"{self.name}: port {self.port} cannot be opened ({error.strerror})") from None
            opened.listen(1)
            self.listening = opened
        return int(self.listening.getsockname()[1])

    def prepare(self, game: Game) -> None:
        if self.wire is not None:
            return
        self.listen()
        assert self.listening is not None
        deadline = time.monotonic() + JOINING
        self.listening.settimeout(JOINING)
        try:
            connection, _ = self.listening.accept()
            wire = Wire(connection)
            said = wire.read(deadline)
        except TimeoutError:
            raise BadInput(f"{self.name}: no agent has connected to port {self.port} in {JOINING:g} s") from None
        except OSError as error:
            raise BadInput(f"{self.name}: the agent has left before it began ({error.strerror or error})") from None
        if said is None or not said.startswith("VERSION:2."):
            wire.close()
            raise BadInput(f"{self.name}: an agent begins with {VERSION}, not {shown(said)}")
        self.wire = wire

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.hand, self.seat, self.sent = self.hand + 1, seat, ""
        if self.wire is None:
            raise Offence(NO_GREETING, f"{self.name} is not connected")

    def observe(self, game: Game, view: Any, seat: int, mover: int, action: int | None) -> None:
        self.tell(view)

    def tell(self, view: Any) -> None:
        """Send what the seat sees, once, when all cards that are due lie there."""
        game = self.game
        closed = view.mover < 0
        due = (5 if game.left_in(view) > 1 else game.on_board(view)) if closed else (0, 3, 4, 5)[int(view.street)]
        if view.hands[self.seat].bit_count() < 2 or game.on_board(view) < due:
            return
        line = match_state(game, view, self.seat, self.hand)
        if line != self.sent and self.wire is not None:
            self.sent = line
            with contextlib.suppress(OSError):  # one that has gone is found out when it is asked
                self.wire.send(line)

    def choose(self, game: Game, turn: Turn) -> int:
        self.tell(turn.view)
        assert self.wire is not None
        deadline = time.monotonic() + min(turn.clock.patience, 600.0)
        while True:
            try:
                line = self.wire.read(deadline)
            except TimeoutError:
                raise Offence(LATE, f"{self.name} has not answered in time") from None
            except (OSError, BadInput) as error:
                raise Offence(CRASHED, f"{self.name}: {error}") from None
            if line is None:
                raise Offence(CRASHED, f"{self.name} has closed the connection")
            state, _, act = line.rpartition(":")
            if state != self.sent:
                continue  # an answer to an old state
            return self.read_act(act, turn)

    def read_act(self, act: str, turn: Turn) -> int:
        """What an answer means; one that is not legal is mended as the competition's dealer does."""
        place = self.game.deal(turn.view, turn.seat, seeded(1))
        try:
            action = self.game.parse_action(place, act)
        except BadInput:
            action = -1
        if action in turn.legal:
            return action
        raises = [legal for legal in turn.legal if legal > CALL]
        if not self.game.limit and raises and re.fullmatch("r[0-9]{1,9}", act):
            nearest = min(max(int(act[1:]), raises[0]), raises[-1])
            self.info = {"note": f"{act!r} cannot be raised: counted as r{nearest}"}
            return nearest
        self.calls += 1
        self.info = {"note": f"{act[:20]!r} is no legal act: counted as a call"}
        return CALL

    def close(self) -> None:
        if self.wire is not None:
            self.wire.close()
        if self.listening is not None:
            self.listening.close()
        self.wire = self.listening = None


def sit_down(
    game: Game, player: Player, host: str, port: int, mode: Mode, told: Callable[[int, float | None], None]
) -> int:
    """Seat a player of ours at a dealer of the competition until it hangs up; returns how many hands were played.

    `told` hears of the end of each hand: its number, and what we won; None where a hand that must show did not.
    """
    table = hold_em(game)
    if not 0 < port < 65536:
        raise BadInput(f"a port is a number from 1 to 65535, not {port}")
    try:
        wire = Wire(socket.create_connection((host, port), timeout=JOINING))
    except OSError as error:
        raise BadInput(f"there is no dealer at {host}:{port} ({error})") from None
    player.mode = mode
    player.prepare(table)
    hands, current = 0, -1
    rng = seeded(1)
    try:
        with contextlib.suppress(OSError):  # a dealer that hung up is seen below
            wire.send(VERSION)
        while True:
            try:
                line = wire.read(time.monotonic() + 600.0)
            except OSError:  # it hung up, or says nothing
                return hands
            if line is None:
                return hands
            seat, number, playing = read_match_state(table, line)
            if number != current:
                current = number
                player.begin(table, seat, number)
            if playing.is_over():
                hands += 1
                told(number, playing.payoffs()[seat] if _decided(table, playing.state, line) else None)
            elif not playing.at_chance() and playing.mover() == seat:
                clock = Clock(mode, mode.amount if mode.timed else float("inf"))
                action = player.choose(table, playing.turn(clock, rng))
                try:
                    wire.send(f"{line}:{table.act_text(int(action))}")
                except OSError:  # the dealer hung up meanwhile
                    return hands
    finally:
        wire.close()
