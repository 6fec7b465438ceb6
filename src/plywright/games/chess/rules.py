"""Chess, by the Laws of FIDE, with Chess960's other starts.

Moves are written in SAN, `Nf3`, `exd8=Q+`, `O-O`, and read in SAN, in UCI (`g1f3`, `e7e8q`) and in long form; a
state is a FEN. Castling is the king's move onto its own rook inside, whatever it is called outside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ...bits import fold, lowest_bit, popcount
from ...draw import Picture
from ...errors import BadInput, shown
from ...game import Game, Problem
from ..notation import square_name
from . import fen, pgn, san
from .attacks import (
    EIGHT,
    KNIGHT,
    NINE,
    NOT_FILE_A,
    NOT_FILE_H,
    ONE,
    RANK_3,
    RANK_7,
    RANK_8,
    SEVEN,
    SIXTEEN,
    ZERO,
    bishop_attacks,
    rook_attacks,
)
from .endings import ChessEndings
from .epd import read_suite
from .knowledge import ChessKnowledge, HandWeights, Material
from .openings import opening_of
from .picture import draw_position
from .polyglot import Book
from .position import (
    SALT,
    Position,
    blocking_squares,
    can_move,
    castled,
    is_dead,
    king_targets,
    legal_targets,
    moved,
    passing_pawns,
    piece_targets,
    pinned_pieces,
    position_key,
    turned,
)
from .start import CLASSICAL, back_rank

WHITE, BLACK = 0, 1
NO_PROMOTION, TO_KNIGHT, TO_BISHOP, TO_ROOK, TO_QUEEN = range(5)
LIMITS = {"claimed": (3, 100), "automatic": (5, 150), "none": (0, 1 << 20)}
"""Which occurrence of a position is drawn, and after how many plies without a capture or a pawn move."""


class Chess(Game):
    """An action is the promotion times 4096, the origin times 64 and the target, in the mover's view.

    `start` is the number of a Chess960 position, 518 the usual one. `draws` says which draws end a game: those that
    a player may claim (threefold repetition, fifty moves), only those that need no claim (fivefold, seventy-five),
    or none but stalemate, as tables of perft count.
    """

    how_to_play = (
        "White begins. Each piece moves in its own way, and takes by moving onto an enemy's square; pawns move "
        "straight ahead and take diagonally, and become another piece on the last row. The king may castle with a "
        "rook when neither has moved, nothing stands between them and no square that the king crosses is "
        "attacked. A pawn that has just passed another by its double step may be taken as if it had made a single "
        "one.\n\n"
        "A king that is attacked must be brought out of check; one that cannot has been checkmated, and the game "
        "is lost. Without a legal move and not in check it is stalemate, a draw, as are a threefold repetition, "
        "fifty moves of each side without a capture or a pawn's move, and positions in which nobody can win."
    )

    player_names = ("White", "Black")
    evaluation_unit = (0.01, "pawns")
    evaluation_digits = 2
    runtime = ("start",)  # only the first state depends on it: all starts share one compilation
    forced_end = ("mate", "mated")
    knowledge = ChessKnowledge
    knowledges = MappingProxyType(
        {"features": ChessKnowledge, "hand": HandWeights, "material": Material, "endings": ChessEndings}
    )

    def __init__(self, start: int = CLASSICAL, draws: str = "claimed") -> None:
        if isinstance(start, bool) or not isinstance(start, int) or not 0 <= start < 960:
            raise BadInput(f"start is a Chess960 position, 0 to 959 (518 is the usual one), not {start!r}")
        if draws not in LIMITS:
            raise BadInput(f"draws are {', '.join(LIMITS)}, not {draws!r}")
        self.start, self.draws = start, draws
        times, self.limit = LIMITS[draws]
        self.repetition = ("draw", times) if times else None
        self.dead_positions = draws != "none"

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Position:
        rows = back_rank(self.start)
        state: Position = fen.read_fen(f"{rows}/pppppppp/8/8/8/8/PPPPPPPP/{rows.upper()} w KQkq - 0 1")
        return state

    def to_move(self, state: Position) -> int:
        return state.mover

    def actions(self, state: Position) -> Iterator[int]:
        king = lowest_bit(state.mine & state.kings)
        pinned, allowed = pinned_pieces(state, king), blocking_squares(state, king)
        pieces = ZERO if self.is_drawn(state) else state.mine
        while pieces != ZERO:
            origin = lowest_bit(pieces)
            pieces &= pieces - ONE
            targets = legal_targets(state, origin, king, pinned, allowed)
            promotes = ONE << np.uint64(origin) & state.pawns & RANK_7 != ZERO
            promotion = TO_QUEEN if promotes else NO_PROMOTION
            while targets != ZERO:
                yield promotion << 12 | origin << 6 | lowest_bit(targets)
                if promotion > TO_KNIGHT:
                    promotion -= 1
                else:
                    targets &= targets - ONE
                    promotion = TO_QUEEN if promotes else NO_PROMOTION

    def count_actions(self, state: Position) -> int:
        """The same by counting bits: pawns all at once, pieces by their squares."""
        if self.is_drawn(state):
            return 0
        king = lowest_bit(state.mine & state.kings)
        pinned, allowed = pinned_pieces(state, king), blocking_squares(state, king)
        count = popcount(king_targets(state, king))
        if allowed == ZERO:
            return count
        occupied, free = state.mine | state.theirs, allowed & ~state.mine
        pawns = state.mine & state.pawns & ~pinned
        steps = pawns << EIGHT & ~occupied
        leaps = (steps & RANK_3) << EIGHT & ~occupied & allowed
        steps &= allowed
        left = (pawns & NOT_FILE_A) << SEVEN & state.theirs & allowed
        right = (pawns & NOT_FILE_H) << NINE & state.theirs & allowed
        count += popcount(leaps) + popcount(steps) + popcount(left) + popcount(right)
        if pawns & RANK_7 != ZERO:
            count += 3 * (popcount(steps & RANK_8) + popcount(left & RANK_8) + popcount(right & RANK_8))
        if state.passant != ZERO:
            count += popcount(passing_pawns(state, king))
        knights = state.mine & state.knights & ~pinned
        while knights != ZERO:
            count += popcount(KNIGHT[lowest_bit(knights)] & free)
            knights &= knights - ONE
        sliders = state.mine & state.diagonals & ~pinned
        while sliders != ZERO:
            count += popcount(bishop_attacks(lowest_bit(sliders), occupied) & free)
            sliders &= sliders - ONE
        sliders = state.mine & state.straights & ~pinned
        while sliders != ZERO:
            count += popcount(rook_attacks(lowest_bit(sliders), occupied) & free)
            sliders &= sliders - ONE
        tied = pinned & ~state.knights
        while tied != ZERO:
            origin = lowest_bit(tied)
            targets = piece_targets(state, origin, king, pinned, allowed)
            count += popcount(targets)
            if ONE << np.uint64(origin) & state.pawns & RANK_7 != ZERO:
                count += 3 * popcount(targets)
            tied &= tied - ONE
        return count

    def result(self, state: Position, action: int) -> Position:
        origin, target = ONE << np.uint64(action >> 6 & 63), ONE << np.uint64(action & 63)
        mine, theirs, pawns, knights = state.mine, state.theirs, state.pawns, state.knights
        diagonals, straights, kings = state.diagonals, state.straights, state.kings
        castling, passant, clock = state.castling, ZERO, state.clock + 1
        if target & mine != ZERO:  # castling: the king goes to the g- or the c-file, the rook beside it
            king_goes, rook_goes = castled(action >> 6 & 63, action & 63)
            king, rook = ONE << np.uint64(king_goes), ONE << np.uint64(rook_goes)
            mine = (mine ^ origin ^ target) | king | rook
            kings = kings ^ origin | king
            straights = straights ^ target | rook
            castling &= ~state.mine
        else:
            taken = target & theirs
            if origin & pawns != ZERO:
                clock = 0
                if target == state.passant:
                    taken = target >> EIGHT
                elif target == origin << SIXTEEN:
                    passant = origin << EIGHT
            if taken != ZERO:
                clock = 0
            both = origin | target
            mine ^= both
            theirs &= ~taken
            pawns = moved(pawns & ~taken, origin, both)
            knights = moved(knights & ~taken, origin, both)
            diagonals = moved(diagonals & ~taken, origin, both)
            straights = moved(straights & ~taken, origin, both)
            kings = moved(kings, origin, both)
            castling &= ~both
            if origin & state.kings != ZERO:
                castling &= ~state.mine
            if action >> 12 != NO_PROMOTION:
                promotion = action >> 12
                pawns ^= target
                knights |= target if promotion == TO_KNIGHT else ZERO
                diagonals |= target if promotion in (TO_BISHOP, TO_QUEEN) else ZERO
                straights |= target if promotion in (TO_ROOK, TO_QUEEN) else ZERO
        return turned(
            theirs,
            mine,
            pawns,
            knights,
            diagonals,
            straights,
            kings,
            castling,
            passant,
            1 - state.mover,
            clock,
            state.number + state.mover,
        )

    def is_terminal(self, state: Position) -> bool:
        return self.is_drawn(state) or not can_move(state)

    def utility(self, state: Position, player: int) -> float:
        if state.checkers == ZERO or can_move(state):
            return 0
        return -1 if player == state.mover else 1

    def is_drawn(self, state: Position) -> bool:
        """Whether the count of moves or too little material ends the game, unless it is mate."""
        return state.clock >= self.limit or (self.dead_positions and is_dead(state))

    def repetition_key(self, state: Position) -> int:
        """The same moves for the same player: colours count here."""
        return position_key(state) ^ fold(SALT[state.mover], SALT[0])

    # -- notation ----------------------------------------------------------------------------------

    def opening_name(self, start: Any, actions: Sequence[int]) -> str:
        """The opening that a game from the usual position has come to, such as Caro-Kann Defence."""
        return opening_of(actions) if self.start == CLASSICAL and start == self.start_state else ""

    def format_action(self, state: Any, action: int) -> str:
        return san.write_san(self, state, action)

    def parse_action(self, state: Any, text: str) -> int:
        found = [] if self.is_terminal(state) else san.actions_meant(self, state, text)
        if len(found) > 1:
            names = ", ".join(san.write_san(self, state, action) for action in found)
            raise BadInput(f"{shown(text)} may mean several moves here: {names}")
        if not found and (open_ended := san.promotions_meant(self, state, text)):
            names = ", ".join(san.write_san(self, state, action) for action in open_ended)
            raise BadInput(f"{shown(text)} does not say what the pawn becomes: {names}")
        if not found:
            raise self.unknown_move(state, text)
        return found[0]

    def moves_to(self, state: Any, target: int) -> list[int]:
        """The legal actions that go to a square, in the mover's view."""
        king = lowest_bit(state.mine & state.kings)
        return [
            origin << 6 | target
            for origin in range(64)
            if int(state.mine) >> origin & 1
            and int(legal_targets(state, origin, king, pinned_pieces(state, king), blocking_squares(state, king)))
            >> target
            & 1
        ]

    uci_options = MappingProxyType({"UCI_Chess960": "check default false"})

    @property
    def uci_needs(self) -> Mapping[str, str]:
        """Another start than the usual one is a game of Chess960."""
        return {} if self.start == CLASSICAL else {"UCI_Chess960": "true"}

    def read_uci_book(self, path: str) -> Book:
        """A book of Polyglot."""
        return Book.read(self, path)

    def format_for_uci(self, state: Any, action: int, options: Mapping[str, str]) -> str:
        """From square to square; in Chess960 castling is the king taking its rook."""
        other = self.start != CLASSICAL or options.get("UCI_Chess960", "false").lower() == "true"
        return san.write_uci(state, action, other)

    def split_moves(self, text: str) -> list[str]:
        return re.sub(r"\b[0-9]+\.+(?=\s|[a-zA-Z]|$)", " ", text).replace(",", " ").split()

    def clicks(self, state: Any, action: int) -> list[list[list[str]]]:
        origin, target = san.squares_of(state, action)
        return [[[square_name(origin, 8), square_name(target, 8)]]]

    notations = ("text", "pgn")

    def write_record(self, start: Any, actions: Any, notation: str, names: Any, payoffs: Any, notes: Any) -> str:
        return pgn.write_pgn(self, start, actions, names, payoffs, notes)

    def end_record(self, record: str, notation: str, ending: str) -> str:
        return pgn.with_termination(record, ending)

    def parse_record(self, text: str) -> tuple[Any, list[int]] | None:
        if not pgn.looks_like_pgn(text):
            return None
        games = pgn.read_pgn(self, text)
        return games[0].start, games[0].actions

    def is_foreign(self, text: str) -> bool:
        return pgn.FOREIGN.search(text) is not None

    def record_names(self, text: str) -> tuple[str, ...]:
        headers = pgn.read_pgn(self, text)[0].headers
        return headers.get("White", ""), headers.get("Black", "")

    def looser_rules(self) -> tuple[str, ...]:
        """Without draws that a player must claim, and without any but stalemate."""
        kinds = list(LIMITS)
        return tuple(f"chess:start={self.start},draws={draws}" for draws in kinds[kinds.index(self.draws) + 1 :])

    def split_records(self, text: str) -> list[str]:
        return pgn.split_pgn(text)

    suites = MappingProxyType({"classics": "classics.epd"})

    def parse_suite(self, text: str) -> list[Problem]:
        return [Problem(each.state, tuple(each.best), tuple(each.avoid), each.name) for each in read_suite(self, text)]

    def format_state(self, state: Any) -> str:
        return fen.write_fen(state)

    def parse_state(self, text: str) -> Any:
        state = self.coerce_state(fen.read_fen(text))
        if why := self.check_state(state):
            raise BadInput(f"{shown(text)} is not a position of chess: {why}")
        return state

    def check_state(self, state: Any) -> str:
        return fen.why_impossible(state)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None, arrows: Sequence[int] = ()) -> Picture:
        return draw_position(state, self.caption(state), last, arrows)

    def caption(self, state: Any) -> str:
        """Who moves, or how the game ended."""
        mover, other = self.player_name(int(state.mover)), self.player_name(1 - int(state.mover))
        if not can_move(state):
            return f"Checkmate: {other} has won" if state.checkers else "Stalemate: a draw"
        if state.clock >= self.limit:
            return f"A draw: {self.limit // 2} moves without a capture or a pawn move"
        if self.is_drawn(state):
            return "A draw: neither side can mate"
        return f"{mover} to move" + (", in check" if state.checkers else "")
