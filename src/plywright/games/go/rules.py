"""Go: surround points, capture chains without liberties; whoever has the larger area wins.

Moves are points, `e5` with a1 at the lower left and no column i, or `pass`; two passes end the game. A state is its
rows from the top, X for Black, O for White, a full stop for a free point, then who moves; what else a position has
to remember follows: `last e5`, the stone played last, `ko d4`, where the mover may not take back at once, and `pass`,
or `over` behind two of them: `...../..XO./.X.XO/..XO./..... W last d3 ko c3`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...bits import lowest_bit, mix, popcount, read_state, scratch
from ...draw import Picture
from ...draw.crossings import crossings, star_points
from ...errors import BadInput, shown
from ...game import Game
from ..notation import flipped, in_rows, legal_action, read_cells, whole_number
from .board import (
    BLACK,
    FREE,
    HALF,
    LOW,
    MINE,
    NOWHERE,
    PACKED,
    THEIRS,
    WHITE,
    Stones,
    area,
    breathes,
    capture,
    is_playable,
    liberties,
    near,
    pack,
    unpack,
)
from .knowledge import GoKnowledge, UniformKnowledge
from .sgf import looks_like_sgf, read_sgf, sgf_names, sgf_rules, write_sgf

SMALLEST, LARGEST = 5, 19
MOST_KOMI = 361
LETTERS = "abcdefghjklmnopqrstuvwxyz"
SIGNS = {**dict.fromkeys("XxBb#*", "X"), **dict.fromkeys("OoWw", "O"), **dict.fromkeys(".-_+", ".")}
SIDES = {**dict.fromkeys(("b", "x", "black"), BLACK), **dict.fromkeys(("w", "o", "white"), WHITE)}


class Go(Game):
    """Area counts as Tromp and Taylor count it; a position may not come about twice, and no move is suicide."""

    how_to_play = (
        "Black begins. Players take turns to place a stone on an empty point, or pass. Stones of one colour that "
        "touch along the lines are a group; a group whose last free neighbouring point is taken is captured and "
        "leaves the board. A move may neither leave its own group without a free point nor bring back an earlier "
        "position of the board.\n\n"
        "Two passes in a row end the game. Each side counts its stones and the empty points that only it "
        "surrounds; White gets the komi for moving second, and whoever has more wins."
    )

    player_names = ("Black", "White")
    repetition = ("forbidden", 2)
    runtime = ("komi",)
    notations = ("text", "sgf")
    knowledge = GoKnowledge
    knowledges = {"shapes": GoKnowledge, "uniform": UniformKnowledge}  # noqa: RUF012

    def __init__(self, size: int = 9, komi: float = 7.5, score: str = "win") -> None:
        self.size = whole_number("size", size, SMALLEST, LARGEST)
        number = isinstance(komi, (int, float)) and not isinstance(komi, bool)
        if not number or not abs(komi) <= MOST_KOMI or 2 * komi != round(2 * komi):
            raise BadInput(f"komi must be whole or half points of at most {MOST_KOMI}, such as 7.5, not {komi!r}")
        if score not in ("win", "points"):
            raise BadInput(f"a game of go is worth a 'win' or its 'points', not {score!r}")
        self.komi, self.score = float(komi), score
        self.by_points = score == "points"
        self.points = self.pass_action = size * size
        self.max_actions = self.points + 1
        self.full = (1 << size) - 1
        self.blank = (0,) * size
        if self.by_points:
            most = self.points + abs(self.komi)
            self.utility_range = (-most, most)
            self.step = 1 if self.komi == round(self.komi) else 0.5

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Stones:
        return Stones(self.blank, NOWHERE, NOWHERE, 0, BLACK)

    def to_move(self, state: Stones) -> int:
        return state.mover

    def actions(self, state: Stones) -> Iterator[int]:
        rows = self.legal(state)
        for row in range(self.size):
            free = rows[row]
            while free != 0:
                yield row * self.size + lowest_bit(free)
                free &= free - 1
        yield self.pass_action

    def count_actions(self, state: Stones) -> int:
        if state.passes >= 2:
            return 0
        rows = self.legal(state)
        count = 1
        for row in range(self.size):
            count += popcount(rows[row])
        return count

    def legal(self, state: Stones) -> Any:
        """The points where the mover may play, row by row; what only the past of the game forbids is among them."""
        size = self.size
        board, span = scratch(), size + 2
        unpack(board, state.rows, state.mover, size)
        found = PACKED * span
        for row in range(1, size + 1):
            free = board[FREE * span + row]
            legal = free & near(board, FREE * span + row)
            hard = free & ~legal
            while hard != 0:
                bit = hard & -hard
                hard ^= bit
                if is_playable(board, row, bit, size):
                    legal |= bit
            board[found + row - 1] = legal
        if state.ko != NOWHERE:
            board[found + state.ko // size] &= ~(1 << state.ko % size)
        return read_state(board, found, state.rows)

    def result(self, state: Stones, action: int) -> Stones:
        mover = state.mover
        if action == self.pass_action:
            return Stones(state.rows, NOWHERE, NOWHERE, state.passes + 1, 1 - mover)
        size = self.size
        board, span = scratch(), size + 2
        unpack(board, state.rows, mover, size)
        row, column = action // size + 1, action % size
        bit = 1 << column
        board[MINE * span + row] |= bit
        board[FREE * span + row] ^= bit
        ko = NOWHERE
        taken = 0
        for side in range(4):
            line, place = row, bit
            if side < 2:
                line = row - 1 if side == 0 else row + 1
            else:
                place = bit >> 1 if side == 2 else bit << 1 & self.full
            stones = capture(board, line, place, size)
            taken += stones
            if stones == 1:
                ko = (line - 1) * size + (column if side < 2 else column - 1 if side == 2 else column + 1)
        if taken != 1 or near(board, MINE * span + row) & bit != 0 or not self.is_alone(board, row, bit):
            ko = NOWHERE
        return Stones(read_state(board, pack(board, mover, size), state.rows), ko, action, 0, 1 - mover)

    def is_alone(self, board: Any, row: int, bit: int) -> bool:
        """Whether the mover's stone there has a single liberty."""
        return liberties(board, MINE, row, bit, self.size, 2) == 1

    def is_terminal(self, state: Stones) -> bool:
        return state.passes >= 2

    def utility(self, state: Stones, player: int) -> float:
        margin = self.lead(state)
        if not self.by_points:
            margin = 1.0 if margin > 0 else -1.0 if margin < 0 else 0.0
        return margin if player == BLACK else -margin

    def lead(self, state: Stones) -> float:
        """Black's area less White's and komi, the stones as they stand."""
        board = scratch()
        unpack(board, state.rows, BLACK, self.size)
        return area(board, self.size) - self.komi

    def repetition_key(self, state: Stones) -> int:
        """The board, whoever is to move (positional superko); a pass does not repeat it."""
        return mix((state.rows, state.passes))

    # -- positions ---------------------------------------------------------------------------------

    def sign(self, state: Any, point: int) -> str:
        """X, O or a full stop: what stands on a point."""
        word = int(state.rows[point // self.size]) >> point % self.size
        return "X" if word & 1 else "O" if word >> HALF & 1 else "."

    def with_stones(self, black: Sequence[int], white: Sequence[int], mover: int) -> Any:
        """The position with these points occupied, nothing else known of how it came about; raises BadInput."""
        rows = [0] * self.size
        for stones, shift in ((black, 0), (white, HALF)):
            for point in stones:
                rows[point // self.size] |= 1 << point % self.size + shift
        state = Stones(tuple(rows), NOWHERE, NOWHERE, 0, mover)
        if fault := self.check_state(state):
            raise BadInput(f"these stones cannot be a position: {fault}")
        return self.checked(state)

    def check_state(self, state: Any) -> str:
        if any(row < 0 or row & LOW & ~self.full or row >> HALF & ~self.full for row in state.rows):
            return "there is a stone outside the board"
        if any(row & LOW & row >> HALF for row in state.rows):
            return "two stones are on the same point"
        if state.mover not in (BLACK, WHITE):
            return f"the player to move would be {state.mover}: Black is 0, White is 1"
        if not 0 <= state.passes <= 2:
            return f"there would have been {state.passes} passes in a row, and two end the game"
        board, span = scratch(), self.size + 2
        unpack(board, state.rows, state.mover, self.size)
        for point in range(self.points):
            row, bit = point // self.size + 1, 1 << point % self.size
            for stones in (MINE, THEIRS):
                if board[stones * span + row] & bit and not breathes(board, stones, row, bit, self.size):
                    return f"the stone on {self.point_name(point)} has no liberty"
        for name, point in (("last move", state.last), ("ko", state.ko)):
            if not NOWHERE <= point < self.points:
                return f"the {name} would be at {point}, and points are numbered 0 to {self.points - 1}"
        if state.last != NOWHERE and (state.passes or self.sign(state, state.last) != "OX"[state.mover]):
            return "the last move is not a stone of the player who moved"
        return self._impossible_ko(state, board) if state.ko != NOWHERE else ""

    def _impossible_ko(self, state: Any, board: Any) -> str:
        if state.last == NOWHERE or self.sign(state, state.ko) != ".":
            return "a ko is a free point whose stone the last move has taken"
        row, bit = state.last // self.size + 1, 1 << state.last % self.size
        if liberties(board, THEIRS, row, bit, self.size, 2) != 1 or near(board, THEIRS * (self.size + 2) + row) & bit:
            return "the stone that took the ko is not alone, or has another liberty"
        if state.ko not in self.neighbours(state.last):
            return "the ko is not beside the last move"
        if any(self.sign(state, point) != "OX"[state.mover] for point in self.neighbours(state.ko)):
            return "the ko is not surrounded by stones of the other side"
        return ""

    def neighbours(self, point: int) -> list[int]:
        """The points beside one."""
        row, column = divmod(point, self.size)
        beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        return [r * self.size + c for r, c in beside if 0 <= r < self.size and 0 <= c < self.size]

    # -- notation ----------------------------------------------------------------------------------

    def point_name(self, point: int) -> str:
        return f"{LETTERS[point % self.size]}{point // self.size + 1}"

    def point_of(self, text: str) -> int | None:
        """The point of that name in either case, or None where the board has none."""
        word = text.strip().lower()
        if not 2 <= len(word) <= 3 or word[0] not in LETTERS or not word[1:].isascii() or not word[1:].isdecimal():
            return None
        column, row = LETTERS.index(word[0]), int(word[1:]) - 1
        return row * self.size + column if column < self.size and 0 <= row < self.size else None

    def why_illegal(self, state: Any, action: int) -> str:
        """Why a point may not be played, as a sentence without its full stop."""
        if action != self.pass_action and self.sign(state, action) != ".":
            return "there is a stone on that point"
        if action in self.actions(state) or action == state.ko:
            return "it would repeat a position of the game (ko)"
        return "its stone would have no liberty (suicide)"

    def format_action(self, state: Any, action: int) -> str:
        return "pass" if action == self.pass_action else self.point_name(int(action))

    def parse_action(self, state: Any, text: str) -> int:
        action = self.pass_action if text.strip().lower() == "pass" else self.point_of(text)
        return legal_action(self, state, action, text)

    def format_state(self, state: Any) -> str:
        words = [in_rows(flipped(self._cells(state), self.size), self.size), "BW"[int(state.mover)]]
        words += ["last", self.point_name(int(state.last))] if state.last != NOWHERE else []
        words += ["ko", self.point_name(int(state.ko))] if state.ko != NOWHERE else []
        words += [("pass", "over")[int(state.passes) - 1]] if state.passes else []
        return " ".join(words)

    def parse_state(self, text: str) -> Any:
        """A state from its rows, with or without /; without a side Black is to move."""
        words = text.split()
        place = next((n for n, word in enumerate(words) if word.lower() in SIDES), len(words))
        cells = flipped(read_cells(" ".join(words[:place]), self.size, self.size, SIGNS, self.name), self.size)
        mover = SIDES[words[place].lower()] if place < len(words) else BLACK
        found, passes = {"last": NOWHERE, "ko": NOWHERE}, 0
        rest = iter(words[place + 1 :])
        for word in rest:
            if word.lower() in found:
                point = self.point_of(next(rest, ""))
                if point is None:
                    raise BadInput(f"{shown(text)} is not a state of {self.name}: after {word} comes a point")
                found[word.lower()] = point
            elif word.lower() in ("pass", "over"):
                passes = 1 if word.lower() == "pass" else 2
            else:
                raise BadInput(
                    f"{shown(text)} is not a state of {self.name}: behind the rows come B or W, then last POINT, ko "
                    f"POINT and pass or over, not {shown(word)}"
                )
        rows = [0] * self.size
        for point, sign in enumerate(cells):
            if sign != ".":
                rows[point // self.size] |= 1 << point % self.size + (HALF if sign == "O" else 0)
        return self.checked(Stones(tuple(rows), found["ko"], found["last"], passes, mover))

    def _cells(self, state: Any) -> str:
        return "".join(self.sign(state, point) for point in range(self.points))

    def write_record(self, start: Any, actions: Any, notation: str, names: Any, payoffs: Any, notes: Any) -> str:
        return write_sgf(self, start, actions, names, payoffs)

    def parse_record(self, text: str) -> tuple[Any, list[int]] | None:
        return read_sgf(self, text)[:2] if looks_like_sgf(text) else None

    def record_rules(self, text: str) -> str:
        return sgf_rules(self, text) if looks_like_sgf(text) else ""

    def record_names(self, text: str) -> tuple[str, ...]:
        return sgf_names(text)

    def handicap_points(self, stones: int) -> list[int]:
        """The points of a fixed handicap, as GTP places them; raises BadInput where a board has not so many."""
        size = self.size
        most = 9 if size % 2 and size >= 9 else 4 if size >= 7 else 0
        if not 2 <= stones <= most:
            allowed = f"2 to {most}" if most else "no"
            raise BadInput(f"a board of {size}x{size} has {allowed} handicap stones at fixed points, not {stones}")
        low = 2 if size < 13 else 3
        high, middle = size - 1 - low, size // 2
        corners = [(low, low), (high, high), (high, low), (low, high)]
        sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
        places = corners[: min(stones, 4)] + (sides[: stones // 2 * 2 - 4] if stones >= 6 else [])
        places += [(middle, middle)] if stones in (5, 7, 9) else []
        return [row * size + column for row, column in places]

    def without_dead(self, state: Any, owners: Sequence[float]) -> Any:
        """The position without the stones on points that are rather the other's, by `owners` as in `picture`."""
        black, white = (
            [p for p in range(self.points) if self.sign(state, p) == sign and way * owners[p] >= 0]
            for sign, way in (("X", 1), ("O", -1))
        )
        return self.with_stones(black, white, int(state.mover))

    def score_text(self, state: Any) -> str:
        """The score as it is written, `B+3.5` or `0`, with the stones as they stand."""
        margin = self.lead(state)
        return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"

    # -- picture -----------------------------------------------------------------------------------

    def _outcome(self, state: Any) -> str:
        margin = self.lead(state)
        return f"{self.player_name(int(margin < 0))} has won by {abs(margin):g}" if margin else "a draw"

    def place_name(self, place: int) -> str:
        return self.point_name(place)

    def picture_owned(self, state: Any, owners: Sequence[float]) -> Picture:
        return self.picture(state, owners=owners)

    def picture(self, state: Any, last: int | None = None, owners: Sequence[float] = ()) -> Picture:
        """The board with the last move marked; `owners` says how sure each point is Black's (1) or White's (-1)."""
        turn = f"{self.player_name(int(state.mover))} to move"
        if state.passes == 1:
            turn += f", {self.player_name(1 - int(state.mover))} has passed"
        place = int(state.last) if last is None else int(last)
        return crossings(
            self._cells(state),
            self.size,
            {"X": "black", "O": "white"},
            stars=star_points(self.size),
            last=place if 0 <= place < self.points else None,
            owners=owners,
            column_names=LETTERS,
            caption=self._outcome(state) if self.is_terminal(state) else turn,
        )
