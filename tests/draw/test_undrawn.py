"""States that nobody drew: a board is seen where there is one, and only there."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import pytest

from plywright import Game
from plywright.draw.undrawn import fields

Rows = namedtuple("Rows", "board turn")


@pytest.mark.parametrize(
    ("parts", "widths", "text"),
    [
        ([("board", ((0, 1), (2, 0))), ("turn", 1)], (), ". 1\n2 .\nturn 1"),
        ([("board", ((0, 5, 12), (3, 0, 0))), ("turn", 1)], (), ".  5  12\n3  .  .\nturn 1"),
        ([("", (0, 1, -1, 0, 0, 0))], (3,), ". 1 2\n. . ."),
        ([("", (1, 0, 0, 0, 0, 0, 0, 0, 2))], (), "1 . .\n. . .\n. . 2"),
        ([("letters", (("a", "b"), ("c", "d")))], (), "a b\nc d"),
        ([("hand", (0, 1, 2, 3, 4)), ("turn", 0)], (), "hand (0, 1, 2, 3, 4)  turn 0"),
        ([("rows", ((1, 2), (3,))), ("turn", 0)], (), "rows ((1, 2), (3,))  turn 0"),
        ([("one", ((1, 2), (3, 4))), ("other", ((1, 2), (3, 4)))], (), "one ((1, 2), (3, 4))  other ((1, 2), (3, 4))"),
        ([("mine", 3), ("theirs", 4)], (2,), "mine 3  theirs 4"),
        ([("deep", (((1,), (2,)), ((3,), (4,))))], (), "deep (((1,), (2,)), ((3,), (4,)))"),
        ([("nothing", ())], (1,), "nothing ()"),
        ([("state", (((0, 1), (2, 0)), 1))], (), ". 1\n2 .\nstate[1] 1"),
        ([("state", (((0, 1), (2, 0)), ((0, 1), (2, 0)), 1))], (), "state (((0, 1), (2, 0)), ((0, 1), (2, 0)), 1)"),
    ],
)
def test_a_board_is_seen_where_there_is_one(parts: Any, widths: Any, text: str) -> None:
    picture = fields(parts, widths)
    assert picture.text == text and picture.svg.startswith("<svg")


class Bare(Game):
    columns = 3

    def initial(self) -> Any:
        return Rows((0, 1, 2, 0, 0, 0), 1)


def test_a_game_without_a_picture_shows_its_board() -> None:
    assert Bare().picture(Bare().initial()).text == ". 1 2\n. . .\nturn 1"


class Plain(Bare):
    """A whole game, though a dull one: the states are plain tuples."""

    def initial(self) -> Any:
        return (0, 1, 2, 0, 0, 0), 1

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> list[int]:
        return []

    def result(self, state: Any, action: int) -> Any:
        return state

    def utility(self, state: Any, player: int) -> int:
        return 0


def test_a_plain_tuple_shows_its_board_as_well() -> None:
    assert Plain().picture(Plain().initial()).text == ". 1 2\n. . .\nstate[1] 1"
