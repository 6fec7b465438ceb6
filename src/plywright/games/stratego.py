"""Stratego on a small board: both arrange their pieces in secret; a piece shows what it is in battle.

F the flag, B a bomb (these two never move), then by rank S the spy, C a scout, M a miner, L a lieutenant, G a
general, X the marshal. A piece steps to a neighbouring cell, `b1b2`; onto an enemy it attacks: the higher stays,
equals fall both, a bomb stops all but a miner, the spy takes the marshal if it attacks. Who loses the flag, or
cannot move, has lost; after `limit` moves it is a draw. `setup=players` has the players arrange their pieces
themselves, else chance does.

What a player sees are both sides' pieces in the order of their first places, `!` for one that has moved, `*` for
one that was in battle, and the number of moves: `Fa1 Bb1 Mc2! X-* | ?d4 ?c4! Xb3!* ?a4 | 5`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..bits import replaced
from ..draw import Picture
from ..draw.board import Piece, board
from ..errors import BadInput
from ..game import CHANCE, Game
from ..knowledge import Knowledge
from ..rng import below, seeded
from .deal_counts import check_listable
from .notation import legal_action, square_cell, square_name, whole_number

SIGNS = "?FBSCMLGX"  # a rank is its place here: 0 is not known
RANKS = ("unknown", "flag", "bomb", "spy", "scout", "miner", "lieutenant", "general", "marshal")
FLAG, BOMB, SPY, MINER, MARSHAL = 1, 2, 3, 5, 8
RANK, SPOT = 4, 6  # bits a piece: its rank; its cell and one, 0 when it is gone
NORTH, EAST, SOUTH, WEST = range(4)
WORTH = (0, 0, 2, 2, 1, 3, 4, 6, 8)
"""What a piece counts in the evaluation, by rank."""


class Field(NamedTuple):
    """By player, packed by piece: ranks, cells, and which have moved and been in battle. `placed` of both sides."""

    ranks: tuple[int, int]
    where: tuple[int, int]
    moved: tuple[int, int]
    shown: tuple[int, int]
    placed: int
    mover: int
    plies: int


class StrategoKnowledge(Knowledge):
    """The evaluation is the game's own; simulations ask it early."""

    cutoff = 8


class Stratego(Game):
    """Capture a flag that is not seen."""

    how_to_play = (
        "Each side has a flag, bombs and ranked pieces that the other sees only in battle. A piece moves one "
        "square straight; onto an enemy it fights, both are shown, and the lower rank is removed (equal ranks "
        "both). Bombs and the flag never move: a bomb removes whoever attacks it, except a miner; the spy beats "
        "the marshal if it attacks. Whoever takes the flag wins."
    )

    player_names = ("first", "second")
    knowledge = StrategoKnowledge

    def __init__(self, size: int = 4, pieces: str = "FBMX", limit: int = 60, setup: str = "chance") -> None:
        self.size = whole_number("size", size, 3, 6)
        word = str(pieces).upper()
        if not set(word) <= set(SIGNS[1:]) or word.count("F") != 1 or not set(word) - set("FB"):
            raise BadInput(f"pieces must be letters of {SIGNS[1:]} with one F and one that moves, not {pieces!r}")
        if len(word) > min(10, self.size * ((self.size - 1) // 2)):
            raise BadInput(f"{len(word)} pieces a side are too many for a board of {self.size} by {self.size}")
        if setup not in ("chance", "players"):
            raise BadInput(f"setup must be chance or players, not {setup!r}")
        self.count = len(word)
        self.limit = whole_number("limit", limit, 1, 1000)
        self.by_chance = setup == "chance"
        self.cells = self.size**2
        self.stock = tuple(word.count(sign) for sign in SIGNS)
        self.worth = sum(worth * count for worth, count in zip(WORTH, self.stock, strict=True))
        self.max_actions = max(4 * self.count, len(SIGNS))

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Field:
        return Field((0, 0), (0, 0), (0, 0), (0, 0), 0, 0, 0)

    def to_move(self, state: Field) -> int:
        if state.placed < 2 * self.count:
            return CHANCE if self.by_chance else state.placed // self.count
        return state.mover

    def chance(self, state: Field) -> Iterator[tuple[int, float]]:
        """The rank of the next piece; the first player's pieces come first, from the corner of the own side."""
        side = state.placed // self.count
        for rank in range(1, len(SIGNS)):
            left = self.stock[rank] - times(state.ranks[side], rank, self.count)
            if left > 0:
                yield rank, left / (self.count - state.placed % self.count)

    def actions(self, state: Field) -> Iterator[int]:
        """Ranks to place, then moves: cell x 4 + direction."""
        mover = self.to_move(state)
        if state.placed < 2 * self.count:
            for rank in range(1, len(SIGNS)):
                if mover >= 0 and self.stock[rank] > times(state.ranks[mover], rank, self.count):
                    yield rank
        elif not self.decided(state):
            for piece in range(self.count):
                cell = (state.where[mover] >> SPOT * piece & 63) - 1
                if cell >= 0 and state.ranks[mover] >> RANK * piece & 15 > BOMB:
                    for direction in range(4):
                        there = self.neighbour(cell, direction)
                        if there >= 0 and piece_at(state.where[mover], there, self.count) < 0:
                            yield 4 * cell + direction

    def neighbour(self, cell: int, direction: int) -> int:
        """The next cell that way, or -1."""
        row, column = cell // self.size, cell % self.size
        if direction == NORTH:
            return cell + self.size if row + 1 < self.size else -1
        if direction == SOUTH:
            return cell - self.size if row > 0 else -1
        if direction == EAST:
            return cell + 1 if column + 1 < self.size else -1
        return cell - 1 if column > 0 else -1

    def result(self, state: Field, action: int) -> Field:
        if state.placed < 2 * self.count:
            return self.arranged(state, action)
        mover, other = state.mover, 1 - state.mover
        cell, there = action // 4, self.neighbour(action // 4, action % 4)
        piece, target = piece_at(state.where[mover], cell, self.count), piece_at(state.where[other], there, self.count)
        mine, theirs, shown = state.where[mover], state.where[other], state.shown
        survives = True
        if target >= 0:
            attacker, defender = state.ranks[mover] >> RANK * piece & 15, state.ranks[other] >> RANK * target & 15
            survives = beats(attacker, defender)
            if survives or attacker == defender:
                theirs &= ~(63 << SPOT * target)
            shown = replaced(shown, mover, shown[mover] | 1 << piece)
            shown = replaced(shown, other, shown[other] | 1 << target)
        mine &= ~(63 << SPOT * piece)
        mine |= there + 1 << SPOT * piece if survives else 0
        where = replaced(replaced(state.where, mover, mine), other, theirs)
        moved = replaced(state.moved, mover, state.moved[mover] | 1 << piece)
        return Field(state.ranks, where, moved, shown, state.placed, other, state.plies + 1)

    def arranged(self, state: Field, rank: int) -> Field:
        """One more piece on its first cell."""
        side, piece = state.placed // self.count, state.placed % self.count
        cell = piece if side == 0 else self.cells - 1 - piece
        ranks = replaced(state.ranks, side, state.ranks[side] | rank << RANK * piece)
        where = replaced(state.where, side, state.where[side] | cell + 1 << SPOT * piece)
        return state._replace(ranks=ranks, where=where, placed=state.placed + 1)

    def is_terminal(self, state: Field) -> bool:
        if state.placed < 2 * self.count:
            return False
        if self.decided(state):
            return True
        for _ in self.actions(state):
            return False
        return True

    def decided(self, state: Field) -> bool:
        return state.plies >= self.limit or self.flag_lost(state, 0) or self.flag_lost(state, 1)

    def flag_lost(self, state: Field, player: int) -> bool:
        for piece in range(self.count):
            if state.ranks[player] >> RANK * piece & 15 == FLAG:
                return state.where[player] >> SPOT * piece & 63 == 0
        return False

    def utility(self, state: Field, player: int) -> float:
        if self.flag_lost(state, 0) or self.flag_lost(state, 1):
            return -1 if self.flag_lost(state, player) else 1
        if state.plies >= self.limit:
            return 0
        return -1 if state.mover == player else 1  # the mover has no move

    def evaluate(self, state: Field, player: int) -> float:
        """Material, and a little for pieces on their way to the other's flag."""
        if self.is_terminal(state):
            return 1.0 * self.utility(state, player)
        if state.placed < 2 * self.count:
            return 0.0
        mine, theirs = self.material(state, player), self.material(state, 1 - player)
        nearer = self.way_to_flag(state, 1 - player) - self.way_to_flag(state, player)
        return 0.7 * (mine - theirs) / self.worth + 0.2 * nearer / (2 * self.size)

    def material(self, state: Field, player: int) -> int:
        total = 0
        for piece in range(self.count):
            if state.where[player] >> SPOT * piece & 63:
                total += WORTH[state.ranks[player] >> RANK * piece & 15]
        return total

    def way_to_flag(self, state: Field, player: int) -> int:
        """How many steps the player's nearest piece is from the other's flag; twice the size where none moves."""
        other, nearest = 1 - player, 2 * self.size
        for flag in range(self.count):
            if state.ranks[other] >> RANK * flag & 15 == FLAG:
                there = (state.where[other] >> SPOT * flag & 63) - 1
                for piece in range(self.count):
                    cell = (state.where[player] >> SPOT * piece & 63) - 1
                    if cell >= 0 and there >= 0 and state.ranks[player] >> RANK * piece & 15 > BOMB:
                        up, right = cell // self.size - there // self.size, cell % self.size - there % self.size
                        nearest = min(nearest, abs(up) + abs(right))
        return nearest

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Field, player: int) -> Field:
        """The other's ranks as far as battles have shown them."""
        other = 1 - player
        known = 0
        for piece in range(self.count):
            if state.shown[other] >> piece & 1:
                known |= state.ranks[other] & 15 << RANK * piece
        return state._replace(ranks=replaced(state.ranks, other, known))

    def deal(self, observation: Field, player: int, rng: Any) -> Field:
        """The ranks not shown at random: first those that never move, on pieces that have not."""
        other = 1 - player
        ranks = observation.ranks[other]
        for rank in range(1, BOMB + 1):
            for _ in range(self.stock[rank] - times(ranks, rank, self.count)):
                ranks |= rank << RANK * self.drawn_piece(ranks, observation.moved[other], rng)
        for rank in range(BOMB + 1, len(SIGNS)):
            for _ in range(self.stock[rank] - times(ranks, rank, self.count)):
                ranks |= rank << RANK * self.drawn_piece(ranks, 0, rng)
        return self.told(observation, other, ranks)

    def drawn_piece(self, ranks: int, barred: int, rng: Any) -> int:
        """One of the pieces without a rank, at random, but none of those barred."""
        seen, found = 0, 0
        for piece in range(self.count):
            if ranks >> RANK * piece & 15 == 0 and not barred >> piece & 1:
                seen += 1
                if below(rng, seen) == 0:
                    found = piece
        return found

    def told(self, observation: Field, other: int, ranks: int) -> Field:
        """The state with those ranks for the other; pieces that are not placed yet have none."""
        placed = min(max(observation.placed - other * self.count, 0), self.count)
        return observation._replace(ranks=replaced(observation.ranks, other, ranks & (1 << RANK * placed) - 1))

    def deals(self, observation: Field, player: int) -> Iterator[tuple[Field, float]]:
        """Every arrangement of the ranks not shown, with its share of all the ways to put the pieces there."""
        other = 1 - player
        known = int(observation.ranks[other])
        slots = [piece for piece in range(self.count) if known >> RANK * piece & 15 == 0]
        left = [rank for rank in range(1, len(SIGNS)) for _ in range(self.stock[rank] - times(known, rank, self.count))]
        moved = int(observation.moved[other])
        check_listable(self, _orders(left), "arrangements of the ranks not shown")
        shares: dict[Field, int] = {}
        for order in _arrangements(left):
            if all(rank > BOMB or not moved >> piece & 1 for piece, rank in zip(slots, order, strict=True)):
                ranks = known | sum(rank << RANK * piece for piece, rank in zip(slots, order, strict=True))
                state = self.told(observation, other, ranks)
                shares[state] = shares.get(state, 0) + 1
        total = sum(shares.values())
        for state, share in shares.items():
            yield state, share / total

    def earlier(self, state: Field, observation: Field, player: int) -> Field:
        return self.told(observation, 1 - player, state.ranks[1 - player])

    # -- notation ----------------------------------------------------------------------------------------

    def check_state(self, state: Any) -> str:
        whole = 2 * self.count
        if not 0 <= state.placed <= whole or not 0 <= state.plies <= self.limit or state.mover != state.plies % 2:
            return f"{whole} pieces are placed and then at most {self.limit} moves made in turn, the first player first"
        if state.placed < whole and (state.plies or any(state.moved) or any(state.shown)):
            return "nothing moves before all pieces are placed"
        cells: list[int] = []
        for side in range(2):
            if why := self.wrong_side(state, side):
                return f"{self.player_name(side)}: {why}"
            cells += [spot for i in range(self.count) if (spot := state.where[side] >> SPOT * i & 63)]
        if len(set(cells)) < len(cells):
            return "two pieces stand on the same cell"
        lost = [self.flag_lost(state, side) for side in range(2)] if state.placed == whole else [False, False]
        return "whoever has taken the flag cannot be to move" if lost[1 - state.mover] else ""

    def wrong_side(self, state: Field, side: int) -> str:
        """What is wrong with the pieces of one player; empty where nothing is."""
        there = min(max(state.placed - side * self.count, 0), self.count)
        ranks, where, moved, shown = (part[side] for part in state[:4])
        if not 0 <= ranks < 1 << RANK * there or not 0 <= where < 1 << SPOT * there:
            return f"{there} pieces are placed"
        if not 0 <= moved < 1 << there or not 0 <= shown < 1 << there:
            return "a piece has moved or fought that there is not"
        turns = (state.plies + 1 - side) // 2
        if moved.bit_count() > turns:
            return f"more pieces have moved than the {turns} moves made"
        stock = list(self.stock)
        for piece in range(there):
            rank, spot = ranks >> RANK * piece & 15, where >> SPOT * piece & 63
            home = 1 + (piece if side == 0 else self.cells - 1 - piece)
            if not 1 <= rank < len(SIGNS) or stock[rank] == 0 or spot > self.cells:
                return "there are pieces that the game has not, or off the board"
            stock[rank] -= 1
            if (spot == 0 and not shown >> piece & 1) or (moved >> piece & 1 and rank <= BOMB):
                return "a piece is gone that was in no battle, or a flag or a bomb has moved"
            if spot not in (0, home) and not moved >> piece & 1:
                return "a piece is away from its first cell and has not moved"
        return ""

    def format_action(self, state: Any, action: int) -> str:
        if state.placed < 2 * self.count:
            return SIGNS[int(action)]
        cell = int(action) // 4
        return square_name(cell, self.size) + square_name(self.neighbour(cell, int(action) % 4), self.size)

    def parse_action(self, state: Any, text: str) -> int:
        word = text.strip().lower().replace("-", "")
        if state.placed < 2 * self.count or len(word) != 4:
            return super().parse_action(state, text)
        cell, there = square_cell(word[:2], self.size, self.size), square_cell(word[2:], self.size, self.size)
        way = None if cell is None else next((d for d in range(4) if self.neighbour(cell, d) == there), None)
        return legal_action(self, state, None if cell is None or way is None else 4 * cell + way, text)

    def format_observation(self, observation: Any, player: int) -> str:
        """Own pieces | the other's | moves made; `-` is gone, `_` not placed yet."""
        sides = [" ".join(self.piece_text(observation, side, i) for i in range(self.count)) for side in range(2)]
        return f"{sides[player]} | {sides[1 - player]} | {int(observation.plies)}"

    def piece_text(self, state: Any, side: int, piece: int) -> str:
        if piece + side * self.count >= state.placed:
            return "_"
        spot = int(state.where[side]) >> SPOT * piece & 63
        moved, shown = int(state.moved[side]) >> piece & 1, int(state.shown[side]) >> piece & 1
        where = square_name(spot - 1, self.size) if spot else "-"
        return SIGNS[int(state.ranks[side]) >> RANK * piece & 15] + where + "!" * moved + "*" * shown

    def parse_observation(self, text: str, player: int) -> Field:
        """What the player to move sees; raises BadInput where no arrangement agrees with it."""
        parts = text.split("|")
        plies = parts[-1].strip()
        if len(parts) != 3 or not (plies.isdecimal() and plies.isascii() and len(plies) < 5):
            raise BadInput(
                f"{text!r} is not what a player of {self.name} sees: write own pieces | the other's | moves made, like "
                f"{self.format_observation(self.observation(self._arranged(), player), player)!r}"
            )
        seen, cells = self.initial(), list[int]()
        for side, part in ((player, parts[0]), (1 - player, parts[1])):
            words = part.split()
            if len(words) != self.count:
                raise BadInput(
                    f"{text!r}: each side of {self.name} has {self.count} pieces, {part.strip()!r} has {len(words)}"
                )
            for piece, word in enumerate(words):
                seen = self._with_piece(seen, side, piece, word, cells, text)
        seen = seen._replace(plies=int(plies), mover=int(plies) % 2)
        mine = [int(seen.ranks[player]) >> RANK * piece & 15 for piece in range(self.count)]
        whole = all(mine.count(rank) <= self.stock[rank] for rank in range(1, len(SIGNS)))
        moves = max(int(seen.moved[side]).bit_count() for side in range(2))
        if (
            self.to_move(seen) != player
            or not whole
            or (seen.placed >= 2 * self.count and 0 in mine)
            or moves > int(plies)
        ):
            raise BadInput(f"{text!r}: {self.player_name(player)} of {self.name} cannot see that and be to move")
        if not self._possible(seen, 1 - player) or self.is_terminal(self.deal(seen, player, seeded(1))):
            raise BadInput(f"{text!r}: no arrangement of {self.name} that is not over agrees with that")
        return seen

    def _possible(self, seen: Field, other: int) -> bool:
        """Whether the ranks that are left fit the pieces without one: flag and bombs those that have not moved."""
        known = int(seen.ranks[other])
        left = [self.stock[rank] - times(known, rank, self.count) for rank in range(1, len(SIGNS))]
        still = [i for i in range(self.count) if not (known >> RANK * i & 15 or int(seen.moved[other]) >> i & 1)]
        return min(left) >= 0 and left[FLAG - 1] + left[BOMB - 1] <= len(still)

    def _arranged(self) -> Field:
        state = self.initial()
        for _ in range(2 * self.count):
            state = self.result(state, next(iter(self.chance(state)))[0])
        return state

    def _with_piece(self, seen: Field, side: int, piece: int, word: str, cells: list[int], text: str) -> Field:
        """The view with one more piece read from its word."""
        if word == "_":
            return seen
        found = re.fullmatch(r"([?A-Z])(-|[a-f][1-6])(!?)(\*?)", word[:1].upper() + word[1:])
        cell = -1 if found is None or found[2] == "-" else square_cell(found[2], self.size, self.size)
        rank = SIGNS.find(found[1]) if found else -1
        gone_unseen = found is not None and found[2] == "-" and not found[4]
        if found is None or cell is None or rank < 0 or (cell >= 0 and cell in cells) or gone_unseen:
            raise BadInput(
                f"{text!r}: {word!r} is no piece of {self.name}, or stands on another; write Fa1, Mb2! or X-*"
            )
        if (found[3] and 0 < rank <= BOMB) or (found[4] and rank == 0):
            raise BadInput(f"{text!r}: {word!r} cannot be: flag and bombs never move, and a battle shows the rank")
        if cell >= 0:
            cells.append(cell)
        return seen._replace(
            ranks=replaced(seen.ranks, side, seen.ranks[side] | rank << RANK * piece),
            where=replaced(seen.where, side, seen.where[side] | cell + 1 << SPOT * piece),
            moved=replaced(seen.moved, side, seen.moved[side] | len(found[3]) << piece),
            shown=replaced(seen.shown, side, seen.shown[side] | len(found[4]) << piece),
            placed=seen.placed + 1,
        )

    # -- picture -----------------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        """Capitals for the first player, small letters for the second; `?` for ranks not seen."""
        signs = ["."] * self.cells
        for side in range(2):
            for piece in range(self.count):
                spot = int(state.where[side]) >> SPOT * piece & 63
                sign = SIGNS[int(state.ranks[side]) >> RANK * piece & 15]
                if spot:
                    signs[spot - 1] = sign if side == 0 else sign.lower()
        sides = {sign: Piece("tile", "first" if sign.isupper() else "second") for sign in SIGNS + SIGNS.lower()}
        ranks = [int(state.ranks[0]) >> RANK * piece & 15 for piece in range(self.count)]
        sides[SIGNS[0]] = Piece("tile", "second" if all(ranks) else "first")  # whose ranks are not seen
        return board(
            "".join(signs),
            self.size,
            sides,
            upward=True,
            caption=self._told(state),
        )

    def _told(self, state: Any) -> str:
        """Whose move it is, or who has won, and the pieces that battles have taken, which everybody has seen."""
        words = [f"move {int(state.plies) + 1}, the {self.player_name(int(state.mover))} player"]
        placed = state.placed == 2 * self.count
        if placed and self.is_terminal(state):
            value = self.utility(state, 0)
            words = [f"the {self.player_name(0 if value > 0 else 1)} player has won" if value else "a draw"]
        for side in range(2):
            pieces = [piece for piece in range(self.count) if not int(state.where[side]) >> SPOT * piece & 63]
            if placed and pieces:
                gone = [RANKS[int(state.ranks[side]) >> RANK * piece & 15] for piece in pieces]
                words.append(f"the {self.player_name(side)} has lost {', '.join(gone)}")
        return "; ".join(words)

    def picture_for(self, observation: Any, player: int) -> Picture:
        """The same board; ranks that no battle has shown are question marks."""
        return self.picture(observation)


def times(ranks: int, rank: int, count: int) -> int:
    """How many of the first so many pieces have that rank."""
    found = 0
    for piece in range(count):
        found += 1 if ranks >> RANK * piece & 15 == rank else 0
    return found


def piece_at(where: int, cell: int, count: int) -> int:
    """The piece on a cell, or -1."""
    for piece in range(count):
        if where >> SPOT * piece & 63 == cell + 1:
            return piece
    return -1


def beats(attacker: int, defender: int) -> bool:
    if defender == BOMB:
        return attacker == MINER
    return attacker > defender or (attacker == SPY and defender == MARSHAL)


def _orders(ranks: list[int]) -> int:
    """How many distinct orders of the ranks there are."""
    total = math.factorial(len(ranks))
    for rank in set(ranks):
        total //= math.factorial(ranks.count(rank))
    return total


def _arrangements(ranks: list[int]) -> Iterator[list[int]]:
    """Every distinct order of the ranks."""
    if not ranks:
        yield []
    for rank in sorted(set(ranks)):
        rest = list(ranks)
        rest.remove(rank)
        for order in _arrangements(rest):
            yield [rank, *order]
