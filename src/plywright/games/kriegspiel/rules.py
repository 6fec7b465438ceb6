"""Kriegspiel on a small board: chess without seeing the other's pieces, with an umpire who sees all.

Each side has the pieces named, `kriegspiel:size=4,pieces=KR`, White's on row 1 from a1, Black's opposite: K king,
Q queen, R rook, B bishop, N knight; no pawns. A player tries a move, `b1b3`, that the own pieces allow. The umpire
refuses what the hidden pieces make illegal (the way is barred, or the king would stand in check) and the player
tries again; the other does not hear of it. After a move both hear whether it took a piece, which and where, and
whether it gives check. Checkmate wins; no legal move, bare kings, or `limit` moves are a draw.

What a player sees is the position as the umpire has told it, not how it came about: own pieces, the other's that
are left, moves made, and the last words of the umpire: `Ka1 Rb2 | KR | 7 | check | took b3 | not a1a2`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...bits import replaced
from ...draw import Picture
from ...draw.board import Piece, board
from ...errors import BadInput
from ...game import Game
from ...rng import below, seeded
from ..deal_counts import check_listable
from ..notation import legal_action, square_cell, square_name, whole_number
from .reports import any_agrees

KINDS = "KQRBN"
MEN = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}
KING, QUEEN, ROOK, BISHOP, KNIGHT = range(5)
SPOT = 6  # bits a piece: its cell and one, 0 when it was taken
PATIENCE = 1000
WORTH = (0, 9, 5, 3, 3)
"""What a piece counts in the evaluation, by kind."""


class Position(NamedTuple):
    """By side the cells of the pieces, packed; `refused` has by piece the cells that were tried in vain this turn."""

    pieces: tuple[int, int]
    mover: int
    refused: tuple[int, ...]
    plies: int
    taken: int  # the cell, and one, of a piece taken by the last move


class Report(NamedTuple):
    """What one player knows: the own pieces, which of the other's are left (bits), and the umpire's words."""

    mine: int
    theirs: int
    mover: int
    refused: tuple[int, ...]
    plies: int
    taken: int
    check: bool
    over: bool


class Kriegspiel(Game):
    """Checkmate a king that is not seen."""

    how_to_play = (
        "Small chess in which you see only your own pieces. You try a move, and an umpire says whether it is "
        "possible, whether something was taken and whether a king is in check. A try that is not possible costs "
        "nothing: try another. Checkmate wins."
    )

    player_names = ("White", "Black")

    def __init__(self, size: int = 4, pieces: str = "KR", limit: int = 40) -> None:
        self.size = whole_number("size", size, 4, 6)
        word = str(pieces).upper()
        if word[:1] != "K" or not set(word) <= set(KINDS) or len(set(word)) != len(word) or not 2 <= len(word) <= 4:
            raise BadInput(f"pieces must be K and one to three other letters of {KINDS}, none twice, not {pieces!r}")
        self.limit = whole_number("limit", limit, 1, 1000)
        self.letters = word
        self.kinds = tuple(KINDS.index(letter) for letter in word)
        self.count, self.cells = len(word), self.size**2
        self.worth = sum(WORTH[kind] for kind in self.kinds)
        self.max_actions = self.count * self.cells
        self.nothing = (0,) * self.count
        if self.in_check(self.initial(), 0) or self.in_check(self.initial(), 1):
            raise BadInput(f"{word} on {self.size} by {self.size} begins with a king in check; take a larger board")

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Position:
        white, black = 0, 0
        for piece in range(self.count):
            white |= piece + 1 << SPOT * piece
            black |= self.cells - piece << SPOT * piece
        return Position((white, black), 0, self.nothing, 0, 0)

    def to_move(self, state: Position) -> int:
        return state.mover

    def actions(self, state: Position) -> Iterator[int]:
        """Tries, piece x cells + cell: all that the own pieces allow and the umpire has not refused."""
        if not self.is_terminal(state):
            own = occupied(state.pieces[state.mover], self.count)
            for piece in range(self.count):
                for cell in range(self.cells):
                    if not state.refused[piece] >> cell & 1 and self.tries(state, piece, cell, own):
                        yield piece * self.cells + cell

    def tries(self, state: Position, piece: int, cell: int, own: int) -> bool:
        """Whether the mover's piece could go there if there were only the own pieces."""
        here = (state.pieces[state.mover] >> SPOT * piece & 63) - 1
        return here >= 0 and not own >> cell & 1 and self.reaches(self.kinds[piece], here, cell, own)

    def reaches(self, kind: int, here: int, there: int, blockers: int) -> bool:
        """Whether a piece of that kind gets from here to there with nothing in its way between."""
        up, right = there // self.size - here // self.size, there % self.size - here % self.size
        if kind == KNIGHT:
            return abs(up) * abs(right) == 2
        far = max(abs(up), abs(right))
        straight, slanting = up == 0 or right == 0, abs(up) == abs(right)
        if far == 0 or not (straight or slanting):
            return False
        if kind == KING:
            return far == 1
        if (kind == ROOK and not straight) or (kind == BISHOP and not slanting):
            return False
        step = (there - here) // far
        barred = 0
        for number in range(1, far):
            barred |= blockers >> here + number * step & 1
        return barred == 0

    def legal(self, state: Position, piece: int, cell: int) -> bool:
        """Whether the umpire allows a try: the way is free and the own king is safe afterwards."""
        mover = state.mover
        both = occupied(state.pieces[0], self.count) | occupied(state.pieces[1], self.count)
        here = (state.pieces[mover] >> SPOT * piece & 63) - 1
        if not self.reaches(self.kinds[piece], here, cell, both):
            return False
        return not self.in_check(self.moved(state, piece, cell), mover)

    def in_check(self, state: Position, player: int) -> bool:
        both = occupied(state.pieces[0], self.count) | occupied(state.pieces[1], self.count)
        king = (state.pieces[player] & 63) - 1
        for piece in range(self.count):
            spot = (state.pieces[1 - player] >> SPOT * piece & 63) - 1
            if spot >= 0 and self.reaches(self.kinds[piece], spot, king, both):
                return True
        return False

    def moved(self, state: Position, piece: int, cell: int) -> Position:
        """The position after a move, the other to move; what stood on the cell is taken."""
        mover, taken = state.mover, 0
        mine = state.pieces[mover] & ~(63 << SPOT * piece) | cell + 1 << SPOT * piece
        theirs = state.pieces[1 - mover]
        for target in range(self.count):
            if theirs >> SPOT * target & 63 == cell + 1:
                theirs &= ~(63 << SPOT * target)
                taken = cell + 1
        pieces = replaced(replaced(state.pieces, mover, mine), 1 - mover, theirs)
        return Position(pieces, 1 - mover, self.nothing, state.plies + 1, taken)

    def result(self, state: Position, action: int) -> Position:
        piece, cell = action // self.cells, action % self.cells
        if self.legal(state, piece, cell):
            return self.moved(state, piece, cell)
        return state._replace(refused=replaced(state.refused, piece, state.refused[piece] | 1 << cell))

    def is_terminal(self, state: Position) -> bool:
        bare = state.pieces[0] >> SPOT == 0 and state.pieces[1] >> SPOT == 0
        return bare or state.plies >= self.limit or not self.can_move(state)

    def can_move(self, state: Position) -> bool:
        own = occupied(state.pieces[state.mover], self.count)
        for piece in range(self.count):
            for cell in range(self.cells):
                if self.tries(state, piece, cell, own) and self.legal(state, piece, cell):
                    return True
        return False

    def utility(self, state: Position, player: int) -> float:
        if self.can_move(state) or not self.in_check(state, state.mover):
            return 0
        return -1 if player == state.mover else 1

    def evaluate(self, state: Position, player: int) -> float:
        """Material; and for whoever has more, a king with little room and the other king near it."""
        if self.is_terminal(state):
            return 1.0 * self.utility(state, player)
        mine, theirs = self.material(state, player), self.material(state, 1 - player)
        ahead = 1.0 if mine > theirs else -1.0 if mine < theirs else 0.0
        kings = self.cells_apart((state.pieces[0] & 63) - 1, (state.pieces[1] & 63) - 1)
        room = self.king_room(state, player) - self.king_room(state, 1 - player)
        return 0.6 * (mine - theirs) / self.worth + 0.2 * room / 8 + 0.1 * ahead * (1 - kings / self.size)

    def material(self, state: Position, player: int) -> int:
        total = 0
        for piece in range(self.count):
            if state.pieces[player] >> SPOT * piece & 63:
                total += WORTH[self.kinds[piece]]
        return total

    def cells_apart(self, here: int, there: int) -> int:
        """How many steps of a king lie between two cells."""
        return max(abs(here // self.size - there // self.size), abs(here % self.size - there % self.size))

    def king_room(self, state: Position, player: int) -> int:
        """To how many cells the king could step without being attacked there."""
        own = occupied(state.pieces[player], self.count)
        both = (own | occupied(state.pieces[1 - player], self.count)) & ~(1 << (state.pieces[player] & 63) - 1)
        king, room = (state.pieces[player] & 63) - 1, 0
        for cell in range(self.cells):
            if self.cells_apart(king, cell) == 1 and not own >> cell & 1:
                safe = True
                for piece in range(self.count):
                    spot = (state.pieces[1 - player] >> SPOT * piece & 63) - 1
                    if spot >= 0 and spot != cell and self.reaches(self.kinds[piece], spot, cell, both):
                        safe = False
                room += 1 if safe else 0
        return room

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Position, player: int) -> Report:
        left = 0
        for piece in range(self.count):
            if state.pieces[1 - player] >> SPOT * piece & 63:
                left |= 1 << piece
        refused = state.refused if state.mover == player else self.nothing
        check, over = self.in_check(state, state.mover), self.is_terminal(state)
        return Report(state.pieces[player], left, state.mover, refused, state.plies, state.taken, check, over)

    def told(self, seen: Report, player: int, theirs: int) -> Position:
        """The state in which the other's pieces stand there."""
        pieces = (seen.mine, theirs) if player == 0 else (theirs, seen.mine)
        return Position(pieces, seen.mover, seen.refused, seen.plies, seen.taken)

    def agrees(self, state: Position, seen: Report, player: int) -> bool:
        """Whether the umpire would have said just what was heard."""
        if occupied(state.pieces[0], self.count) & occupied(state.pieces[1], self.count):
            return False
        taker = occupied(state.pieces[1 - player], self.count) << 1 | 1  # bit 0: nothing was taken
        if seen.mover == player and not taker >> seen.taken & 1:
            return False
        if self.in_check(state, 1 - seen.mover) or self.in_check(state, seen.mover) != seen.check:
            return False
        for piece in range(self.count):
            for cell in range(self.cells):
                if seen.refused[piece] >> cell & 1 and self.legal(state, piece, cell):
                    return False
        return self.is_terminal(state) == seen.over

    def deal(self, observation: Report, player: int, rng: Any) -> Position:
        """The other's pieces anywhere that agrees with the report, every way as likely as any other.

        Drawn until it fits; where that takes too long, all ways are gone through and one of them is kept.
        """
        ways = 1
        for piece in range(self.count):
            ways *= self.cells if observation.theirs >> piece & 1 else 1
        for _ in range(PATIENCE):
            state = self.told(observation, player, self.scattered(observation, below(rng, ways)))
            if apart(state.pieces[1 - player], self.count) and self.agrees(state, observation, player):
                return state
        kept, found = self.told(observation, player, 0), 0
        for number in range(ways):
            state = self.told(observation, player, self.scattered(observation, number))
            if apart(state.pieces[1 - player], self.count) and self.agrees(state, observation, player):
                found += 1
                if below(rng, found) == 0:
                    kept = state
        return kept

    def scattered(self, seen: Report, number: int) -> int:
        """The other's pieces on the cells that are the digits of a number; pieces that were taken stay away."""
        where = 0
        for piece in range(self.count):
            if seen.theirs >> piece & 1:
                where |= number % self.cells + 1 << SPOT * piece
                number //= self.cells
        return where

    def deals(self, observation: Report, player: int) -> Iterator[tuple[Position, float]]:
        """Every way the other's pieces may stand, all equally likely."""
        left = [piece for piece in range(self.count) if int(observation.theirs) >> piece & 1]
        check_listable(self, math.perm(self.cells, len(left)), "ways to set the other's pieces, before what was heard,")
        states = []
        for cells in itertools.permutations(range(self.cells), len(left)):
            theirs = sum(cell + 1 << SPOT * piece for cell, piece in zip(cells, left, strict=True))
            state = self.told(observation, player, theirs)
            if self.agrees(state, observation, player):
                states.append(state)
        for state in states:
            yield state, 1 / len(states)

    # -- notation ----------------------------------------------------------------------------------------

    def check_state(self, state: Any) -> str:
        if not 0 <= state.plies <= self.limit or state.mover != state.plies % 2:
            return f"0 to {self.limit} moves are made, White's and Black's in turn"
        spots = [[side >> SPOT * piece & 63 for piece in range(self.count)] for side in state.pieces]
        if any(not 0 <= side < 1 << SPOT * self.count for side in state.pieces):
            return f"each side has {self.count} pieces"
        standing = [spot for side in spots for spot in side if spot]
        if max(standing, default=0) > self.cells or len(set(standing)) < len(standing):
            return "pieces stand on different cells of the board"
        if not spots[0][KING] or not spots[1][KING]:
            return "a king is missing"
        if not 0 <= state.taken <= self.cells or (state.taken and state.taken not in spots[1 - state.mover]):
            return "the piece that took stands where it took"
        if self.in_check(state, 1 - state.mover):
            return f"{self.player_name(1 - state.mover)} has moved and stands in check"
        own = occupied(state.pieces[state.mover], self.count)
        for piece, cells in enumerate(state.refused):
            tried = [cell for cell in range(self.cells) if cells >> cell & 1]
            if not 0 <= cells < 1 << self.cells:
                return "a try outside the board was refused"
            if any(not self.tries(state, piece, cell, own) or self.legal(state, piece, cell) for cell in tried):
                return "the umpire refuses only tries that the own pieces allow and the others forbid"
        return ""

    def spot(self, pieces: int, piece: int) -> int:
        """The cell of a piece; -1 where it was taken."""
        return (pieces >> SPOT * piece & 63) - 1

    def try_text(self, pieces: int, action: int) -> str:
        here = self.spot(pieces, action // self.cells)
        return square_name(here, self.size) + square_name(action % self.cells, self.size)

    def looked_at(self, view: Any) -> Position:
        """A state for notation's sake: the state itself, or one that looks like what the mover sees."""
        return self.deal(view, int(view.mover), seeded(1)) if isinstance(view, Report) else view

    def format_action(self, state: Any, action: int) -> str:
        """From cell to cell; in place of a state the mover's view will do."""
        pieces = state.mine if isinstance(state, Report) else state.pieces[int(state.mover)]
        return self.try_text(int(pieces), int(action))

    def parse_action(self, state: Any, text: str) -> int:
        state = self.looked_at(state)
        action = self._read_try(int(state.pieces[int(state.mover)]), text.strip().lower())
        return legal_action(self, state, action, text)

    def _read_try(self, pieces: int, word: str) -> int | None:
        word = word.replace("-", "")
        here, cell = (square_cell(part, self.size, self.size) for part in (word[:2], word[2:]))
        if here is None or cell is None:
            return None
        piece = next((i for i in range(self.count) if pieces >> SPOT * i & 63 == here + 1), None)
        return None if piece is None else piece * self.cells + cell

    def format_observation(self, observation: Any, player: int) -> str:
        """Own pieces | the other's letters | moves made, and what applies of check | took a cell | not these tries."""
        mine = int(observation.mine)
        spots = [(letter, mine >> SPOT * i & 63) for i, letter in enumerate(self.letters)]
        parts = [
            " ".join(letter + square_name(spot - 1, self.size) for letter, spot in spots if spot),
            "".join(letter for i, letter in enumerate(self.letters) if int(observation.theirs) >> i & 1),
            str(int(observation.plies)),
        ]
        if observation.check:
            parts.append("check")
        if observation.taken:
            parts.append(f"took {square_name(int(observation.taken) - 1, self.size)}")
        refused = [
            self.try_text(mine, piece * self.cells + cell)
            for piece in range(self.count)
            for cell in range(self.cells)
            if int(observation.refused[piece]) >> cell & 1
        ]
        return " | ".join([*parts, *([f"not {' '.join(refused)}"] if refused else [])])

    def parse_observation(self, text: str, player: int) -> Report:
        """What the player to move sees; raises BadInput where no position agrees with it."""
        parts = [part.strip().lower() for part in text.split("|")]
        example = self.format_observation(self.observation(self.initial(), 0), 0)
        wrong = BadInput(
            f"{text!r} is not what a player of {self.name} sees: write own pieces | other's | moves made, then what "
            f"applies of check, took b3, not b1b3, such as {example!r}"
        )
        letters = self.letters.lower()
        if len(parts) < 3 or not (parts[2].isdecimal() and parts[2].isascii() and len(parts[2]) < 5):
            raise wrong
        mine, theirs = 0, sum(1 << letters.index(letter) for letter in set(parts[1]) & set(letters))
        for word in parts[0].split():
            cell = square_cell(word[1:], self.size, self.size)
            if word[0] not in letters or cell is None or mine >> SPOT * letters.index(word[0]) & 63:
                raise wrong
            mine |= cell + 1 << SPOT * letters.index(word[0])
        taken, refused = 0, self.nothing
        for part in parts[3:]:
            head, *words = part.split() or [""]
            if head == "took" and len(words) == 1:
                taken = (square_cell(words[0], self.size, self.size) or 0) + 1
            elif head == "not":
                for word in words:
                    action = self._read_try(mine, word)
                    if action is None:
                        raise wrong
                    piece = action // self.cells
                    refused = replaced(refused, piece, refused[piece] | 1 << action % self.cells)
            elif part != "check":
                raise wrong
        plies = int(parts[2])
        seen = Report(mine, theirs, player, refused, plies, taken, "check" in parts[3:], False)
        if not (mine & 63 and theirs & 1 and set(parts[1]) <= set(letters) and apart(mine, self.count)):
            raise wrong
        if plies % 2 != player or not any_agrees(self, seen):
            raise BadInput(f"{text!r}: {self.player_name(player)} of {self.name} cannot hear that and be to move")
        return seen

    # -- picture -----------------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        mover = int(state.mover)
        words = f"{self.player_name(mover)} to move"
        if self.is_terminal(state):
            value = int(self.utility(state, 0))
            words = "a draw" if value == 0 else f"{self.player_name(0 if value > 0 else 1)} has won"
        elif self.in_check(state, mover):
            words += ", in check"
        return self.drawn(int(state.pieces[0]), int(state.pieces[1]), words)

    def picture_for(self, observation: Any, player: int) -> Picture:
        """The own pieces only; of the other's which are left."""
        sides = [int(observation.mine), 0]
        theirs, moves, *heard = (part.strip() for part in self.format_observation(observation, player).split("|")[1:])
        left = [MEN[letter] for letter in theirs]
        listed = " and ".join(filter(None, [", ".join(left[:-1]), *left[-1:]]))
        words = [f"{self.player_name(player)}, the other has {listed}", f"{moves} moves made"]
        words += [part.replace("not ", "refused: ") if part.startswith("not ") else part for part in heard]
        return self.drawn(sides[player], sides[1 - player], "; ".join(words))

    def drawn(self, white: int, black: int, caption: str) -> Picture:
        signs = ["."] * self.cells
        for pieces, letters in ((white, self.letters), (black, self.letters.lower())):
            for piece, letter in enumerate(letters):
                spot = pieces >> SPOT * piece & 63
                if spot:
                    signs[spot - 1] = letter
        looks = {letter: _man(letter) for letter in KINDS + KINDS.lower()}
        return board("".join(signs), self.size, looks, upward=True, caption=caption)


def _man(letter: str) -> Piece:
    """How a piece looks; a pawn is the one that is no chessman of the first row."""
    kind = MEN.get(letter.upper())
    return Piece(f"chess-{kind}" if kind else "pawn", "white" if letter.isupper() else "black")


def occupied(pieces: int, count: int) -> int:
    """The cells that the pieces stand on, as a set."""
    cells = 0
    for piece in range(count):
        spot = pieces >> SPOT * piece & 63
        if spot > 0:
            cells |= 1 << spot - 1
    return cells


def apart(pieces: int, count: int) -> bool:
    """Whether no two pieces stand on one cell."""
    for one in range(count):
        for other in range(one):
            if pieces >> SPOT * one & 63 != 0 and pieces >> SPOT * one & 63 == pieces >> SPOT * other & 63:
                return False
    return True
