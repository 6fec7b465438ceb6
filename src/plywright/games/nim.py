"""Nim and the subtraction game: take stones; whoever takes the last one wins.

A move in Nim is `heap:count`, heaps counted from 1: `2:3` takes three stones from the second heap.
A state is its heaps and who moves: `3-4-5 first`. In the subtraction game a move is the number of
stones taken, and a state is `21 first`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..draw import Picture
from ..draw.heaps import heaps as draw_heaps
from ..errors import BadInput
from ..game import Game
from .notation import legal_action, whole_number

BITS = 6
MOST_HEAPS, MOST_STONES = 8, (1 << BITS) - 1
MOST_LEFT = 999
"""Stones of the subtraction game in a state."""
SIDES = ("first", "second")


class Heaps(NamedTuple):
    """Heap n in the bits 6 n to 6 n + 5, and who moves."""

    stones: int
    mover: int


class Nim(Game):
    """Take any number of stones from one heap. An action is 64 times the heap plus the stones taken."""

    how_to_play = (
        "There are several heaps of stones. A move takes any number of stones, at least one, from a single heap. "
        "Whoever takes the last stone of all wins."
    )

    player_names = SIDES
    max_actions = MOST_HEAPS * MOST_STONES
    runtime = ("packed",)  # so that games with other heaps share one compilation

    def __init__(self, heaps: str = "3-4-5") -> None:
        self.heaps = _heap_sizes(str(heaps), "heaps")
        self.packed = _pack(self.heaps)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Heaps:
        return Heaps(self.packed, 0)

    def to_move(self, state: Heaps) -> int:
        return state.mover

    def actions(self, state: Heaps) -> Iterator[int]:
        for heap in range(MOST_HEAPS):
            size = state.stones >> BITS * heap & MOST_STONES
            for count in range(1, size + 1):
                yield heap << BITS | count

    def result(self, state: Heaps, action: int) -> Heaps:
        heap, count = action >> BITS, action & MOST_STONES
        return Heaps(state.stones - (count << BITS * heap), 1 - state.mover)

    def is_terminal(self, state: Heaps) -> bool:
        return state.stones == 0

    def utility(self, state: Heaps, player: int) -> float:
        return -1 if player == state.mover else 1

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        return f"{(int(action) >> BITS) + 1}:{int(action) & MOST_STONES}"

    def parse_action(self, state: Any, text: str) -> int:
        """Also with another sign than a colon, `2-3`, `2x3`."""
        found = re.fullmatch(r"([0-9]{1,2})\s*[:x/=-]\s*([0-9]{1,2})", text.strip().lower())
        action = None
        if found is not None and 1 <= int(found[1]) <= MOST_HEAPS and int(found[2]) <= MOST_STONES:
            action = int(found[1]) - 1 << BITS | int(found[2])
        return legal_action(self, state, action, text)

    def format_state(self, state: Any) -> str:
        return f"{'-'.join(map(str, self._sizes(state)))} {SIDES[int(state.mover)]}"

    def parse_state(self, text: str) -> Any:
        words = text.split()
        if len(words) != 2:
            raise BadInput(f"{text!r} is not a state of {self.name}: write heaps and who moves, such as '3-4-5 first'")
        sizes = _heap_sizes(words[0], "a state's heaps")
        return self.checked(Heaps(_pack(sizes), _side(words[1], self.name)))

    def check_state(self, state: Any) -> str:
        if not 0 <= state.stones < 1 << BITS * MOST_HEAPS:
            return f"it has more than {MOST_HEAPS} heaps of at most {MOST_STONES} stones"
        return _no_side(state)

    def _sizes(self, state: Any) -> list[int]:
        """The heaps, as many as the game began with or more if the state has more."""
        sizes = [int(state.stones) >> BITS * heap & MOST_STONES for heap in range(MOST_HEAPS)]
        while len(sizes) > len(self.heaps) and not sizes[-1]:
            sizes.pop()
        return sizes

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        taken = None if last is None else divmod(int(last), 1 << BITS)
        return draw_heaps(self._sizes(state), taken=taken, caption=_caption(self, state))


class Stones(NamedTuple):
    """The stones left, and who moves."""

    stones: int
    mover: int


class Subtraction(Game):
    """One heap; take 1 to `most` stones. An action is the number of stones taken."""

    how_to_play = (
        "There is one heap of stones. A move takes at least one stone and at most as many as agreed, usually "
        "three. Whoever takes the last stone wins."
    )

    player_names = SIDES
    runtime = ("stones", "most")
    max_actions = 64

    def __init__(self, stones: int = 21, most: int = 3) -> None:
        self.stones, self.most = whole_number("stones", stones, 1, 500), whole_number("most", most, 1, 64)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Stones:
        return Stones(self.stones, 0)

    def to_move(self, state: Stones) -> int:
        return state.mover

    def actions(self, state: Stones) -> Iterator[int]:
        for fewer in range(min(self.most, state.stones)):
            yield fewer + 1

    def result(self, state: Stones, action: int) -> Stones:
        return Stones(state.stones - action, 1 - state.mover)

    def is_terminal(self, state: Stones) -> bool:
        return state.stones == 0

    def utility(self, state: Stones, player: int) -> float:
        return -1 if player == state.mover else 1

    # -- notation and picture ------------------------------------------------------------------------

    def parse_action(self, state: Any, text: str) -> int:
        word = text.strip()
        return legal_action(self, state, int(word) if re.fullmatch(r"[0-9]{1,3}", word) else None, text)

    def format_state(self, state: Any) -> str:
        return f"{int(state.stones)} {SIDES[int(state.mover)]}"

    def parse_state(self, text: str) -> Any:
        words = text.split()
        if len(words) != 2 or not re.fullmatch(r"[0-9]{1,3}", words[0]):
            raise BadInput(f"{text!r} is not a state of {self.name}: write stones and who moves, such as '21 first'")
        return self.checked(Stones(int(words[0]), _side(words[1], self.name)))

    def check_state(self, state: Any) -> str:
        if not 0 <= state.stones <= MOST_LEFT:
            return f"a heap has 0 to {MOST_LEFT} stones"
        return _no_side(state)

    def picture(self, state: Any, last: int | None = None) -> Picture:
        taken = None if last is None else (0, int(last))
        return draw_heaps(
            [int(state.stones)], taken=taken, places=lambda heap, count: str(count), caption=_caption(self, state)
        )


def _heap_sizes(text: str, what: str) -> list[int]:
    """Heaps from `3-4-5`; raises BadInput with the limits."""
    words = re.split(r"[-,+]", text.strip())
    sizes = [int(word) for word in words if re.fullmatch(r"[0-9]{1,3}", word)]
    if len(sizes) != len(words) or len(sizes) > MOST_HEAPS or max(sizes) > MOST_STONES:
        raise BadInput(
            f"{what} must be up to {MOST_HEAPS} numbers of at most {MOST_STONES}, such as 3-4-5, not {text!r}"
        )
    return sizes


def _pack(sizes: list[int]) -> int:
    return sum(size << BITS * heap for heap, size in enumerate(sizes))


def _no_side(state: Any) -> str:
    return "" if state.mover in (0, 1) else f"the player to move would be {state.mover}, and there are 0 and 1"


def _side(word: str, game: str) -> int:
    names = {"first": 0, "1": 0, "second": 1, "2": 1}
    if word.lower() not in names:
        raise BadInput(f"{game}: {word!r} is not a player; it is the first or the second to move")
    return names[word.lower()]


def _caption(game: Game, state: Any) -> str:
    mover = int(state.mover)
    if game.is_terminal(state):
        return f"the {SIDES[1 - mover]} player took the last stone and has won"
    return f"the {SIDES[mover]} player to move"
