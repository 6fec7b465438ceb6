"""Backgammon: the rules against a slow program on lists, and everything people write."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywright import BadInput
from plywright.game import CHANCE
from plywright.games.backgammon.checkers import BAR, checkers, counted, packed
from plywright.games.backgammon.knowledge import pip_count
from plywright.games.backgammon.notation import position_id
from plywright.games.backgammon.rules import NOT_ROLLED, Backgammon, Turn
from plywright.rng import below, seeded

GAME = Backgammon()
START_ID = "4HPwATDgc/ABMA"
ROLLS = [10 * high + low for high in range(1, 7) for low in range(1, high + 1)]

OPENING_PLAYS, LATE_LINES = 380, 835

Board = tuple[tuple[int, ...], tuple[int, ...]]  # both players' checkers on 0 (off) to 25 (bar)


def texts(state: Turn) -> list[str]:
    return [GAME.format_action(state, action) for action in GAME.actions(state)]


def at(position: str) -> Turn:
    state: Turn = GAME.parse_state(position)
    return state


# -- the rules once more, on tuples: every order of the dice, then what the rules forbid is thrown out -----


def slow_single_moves(board: Board, die: int) -> list[Board]:
    mine, theirs = board
    found = []
    for source in range(1, BAR + 1):
        if not mine[source] or (mine[BAR] and source != BAR):
            continue
        target = source - die
        if target <= 0:
            outside = any(mine[7:])
            if outside or (target < 0 and any(mine[source + 1 : 7])):
                continue
            target = 0
        after, other = list(mine), list(theirs)
        if target and theirs[25 - target] >= 2:
            continue
        if target and theirs[25 - target] == 1:
            other[25 - target], other[BAR] = 0, other[BAR] + 1
        after[source] -= 1
        after[target] += 1
        found.append((tuple(after), tuple(other)))
    return found


def slow_plays(board: Board, high: int, low: int) -> set[Board]:
    """The boards after every legal play of a roll."""
    if high == low:
        boards = {board}
        for _ in range(4):
            longer = {after for one in boards for after in slow_single_moves(one, high)}
            if not longer:
                break
            boards = longer
        return boards
    both = set()
    for dice in ((high, low), (low, high)):
        for one in slow_single_moves(board, dice[0]):
            both |= set(slow_single_moves(one, dice[1]))
    return both or set(slow_single_moves(board, high)) or set(slow_single_moves(board, low)) or {board}


def board_of(mine: list[int], theirs: list[int]) -> Board:
    sides = [[15 - sum(side[1:]), *side[1:]] for side in (mine, theirs)]
    return tuple(sides[0]), tuple(sides[1])


def compare_plays(state: Turn) -> None:
    mine, theirs = counted(state.mine, state.mine_more), counted(state.theirs, state.theirs_more)
    wanted = slow_plays(board_of(mine, theirs), *divmod(int(state.roll), 10))
    found = []
    for action in GAME.actions(state):
        after = GAME.result(state, action)
        found.append(
            board_of(counted(after.theirs, after.theirs_more), counted(after.mine, after.mine_more)),
        )
    assert len(set(found)) == len(found), f"a board twice in {GAME.format_state(state)}"
    assert set(found) == wanted, GAME.format_state(state)
    names = texts(state)
    assert len(set(names)) == len(names)


@st.composite
def positions(draw: st.DrawFn) -> Turn:
    """Any placement of up to fifteen checkers a side, often with men on the bar or all at home."""
    reach = draw(st.sampled_from([6, 6, 8, 12, 25]))
    mine = [0] * 26
    for point in draw(st.lists(st.integers(1, reach), min_size=1, max_size=15)):
        mine[point] += 1
    free = [25 - point for point in range(1, 25) if not mine[point]] + [BAR]
    theirs = [0] * 26
    for point in draw(st.lists(st.sampled_from(free), min_size=1, max_size=15)):
        theirs[point] += 1
    return Turn(*packed(mine), *packed(theirs), draw(st.integers(0, 1)), draw(st.sampled_from(ROLLS)))


@settings(max_examples=500)
@given(positions())
def test_plays_are_those_of_the_slow_program(state: Turn) -> None:
    compare_plays(state)


def test_plays_along_whole_games_are_those_of_the_slow_program() -> None:
    for seed in range(4):
        rng, state = seeded(seed), GAME.start_state
        while not GAME.is_terminal(state):
            if state.roll > 0:
                compare_plays(state)
            choices = GAME.choices(state)
            state = GAME.coerce_state(GAME.result(state, choices[below(rng, len(choices))]))
            assert checkers(state.mine, state.mine_more) <= 15


def slow_lines(board: Board, depth: int) -> int:
    """Lines from a chance node: a roll and its play are two plies, a finished game is a leaf."""
    if depth == 0 or 15 in (board[0][0], board[1][0]):
        return 1
    boards = [after for roll in ROLLS for after in slow_plays(board, *divmod(roll, 10))]
    return sum(slow_lines((theirs, mine), depth - 2) for mine, theirs in boards)


def test_lines_counted_by_the_slow_program() -> None:  # test_chance_games counts them compiled
    side = counted(GAME.start_state.mine, GAME.start_state.mine_more)
    start = board_of(side, side)
    assert 2 * sum(len(slow_plays(start, *divmod(roll, 10))) for roll in ROLLS if roll % 11) == OPENING_PLAYS
    late = at("1:2 2:1 bar:1 | 1:2 3:1 white")
    sides = counted(late.mine, late.mine_more), counted(late.theirs, late.theirs_more)
    assert slow_lines(board_of(*sides), 4) == LATE_LINES


@pytest.mark.slow
@settings(max_examples=5_000)
@given(positions())
def test_many_more_plays_are_those_of_the_slow_program(state: Turn) -> None:
    compare_plays(state)


# -- facts ----------------------------------------------------------------------------------------------------


def test_two_dice_have_twenty_one_rolls() -> None:
    outcomes = list(GAME.chance(at(START_ID)))
    assert [roll for roll, _ in outcomes] == ROLLS
    assert {p for roll, p in outcomes if roll % 11 == 0} == {1 / 36}
    assert {p for roll, p in outcomes if roll % 11 != 0} == {1 / 18}
    assert sum(p for _, p in outcomes) == pytest.approx(1, abs=1e-15)


def test_four_ways_to_play_six_five_have_three_results() -> None:  # where White counts upward: 25 - n
    state = at("20:2 6:13 | 12:7 13:8 white 65")
    assert sorted(texts(state)) == ["20/14 6/1", "20/15 20/14", "20/9"]
    assert GAME.parse_action(state, "20/15 15/9") == GAME.parse_action(state, "20/14 14/9")


def test_the_higher_die_opens_and_plays_both_numbers() -> None:
    start = GAME.start_state
    outcomes = list(GAME.chance(start))
    assert len(outcomes) == 30 and {p for _, p in outcomes} == {1 / 30} and GAME.to_move(start) == CHANCE
    white, black = GAME.result(start, 61), GAME.result(start, 16)
    assert (white.mover, white.roll, black.mover, black.roll) == (0, 61, 1, 61)
    assert texts(white) == texts(black)


def test_both_dice_must_be_used_and_else_the_larger() -> None:
    # Either die can be played from 24, then nothing more: the six must be.
    assert texts(at("24:1 | 12:2 13:2 14:2 white 65")) == ["24/18"]
    assert texts(at("24:1 | 7:2 12:2 white 65")) == ["24/19"]  # the six is blocked
    assert texts(at("24:1 | 6:2 7:2 white 65")) == ["pass"]
    # 3/1 could be played, but then there is no six: only 12/10 10/4 uses both.
    assert texts(at("12:1 3:1 | 19:2 white 62")) == ["12/4"]


def test_men_on_the_bar_enter_first() -> None:
    assert sorted(texts(at("bar:1 6:5 | 5:2 white 53"))) == ["bar/17", "bar/22 6/1"]
    assert texts(at("bar:2 6:5 | 5:2 white 53")) == ["bar/22"]
    assert texts(at("bar:2 6:5 | 5:2 3:2 white 53")) == ["pass"]
    assert sorted(texts(at("bar:3 6:5 | 5:2 white 33"))) == ["bar/19 bar/22(2)", "bar/22(3) 6/3"]


def test_men_are_borne_off_by_their_number_or_from_the_highest_point() -> None:
    assert texts(at("4:1 2:2 | 1:2 white 65")) == ["4/off 2/off"]
    assert texts(at("6:1 4:1 | 20:2 24:2 white 53")) == ["6/3 4/off"]  # the five only after the three
    assert "4/off" not in " ".join(texts(at("6:1 4:1 | 20:2 white 51")))
    assert texts(at("7:1 1:3 | 1:2 white 61")) == ["7/off"]  # also by 7/1 1/off
    assert texts(at("1:1 | 1:2 white 21")) == ["1/off"]


def test_hits_send_men_to_the_bar() -> None:
    state = at("8:1 | 20:1 23:14 white 31")
    assert texts(state) == ["8/5*/4", "8/4"]
    hit, missed = (GAME.result(state, GAME.parse_action(state, text)) for text in ("8/5/4", "8/4"))
    assert counted(hit.mine, hit.mine_more)[BAR] == 1 and counted(missed.mine, missed.mine_more)[BAR] == 0
    assert counted(hit.mine, hit.mine_more)[20] == 0 and hit.mover == 1 and hit.roll == NOT_ROLLED


@pytest.mark.parametrize(
    ("position", "utility"),
    [
        ("6:15 | 1:0", -2),  # nothing borne off: a gammon
        ("6:14 | 1:0", -1),
        ("6:14 19:1 | 1:0", -3),  # and a man in the winner's home
        ("6:14 bar:1 | 1:0", -3),
        ("6:13 19:1 | 1:0", -1),
    ],
)
def test_gammons_and_backgammons_count_double_and_triple(position: str, utility: int) -> None:
    for side, sign in (("white", 1), ("black", -1)):
        state = at(f"{position} {side}")
        assert GAME.is_terminal(state)
        assert (GAME.utility(state, 0), GAME.utility(state, 1)) == (sign * utility, -sign * utility)
        assert GAME.evaluate(state, 0) == sign * utility


# -- notation ---------------------------------------------------------------------------------------------


def test_position_ids_are_those_of_gnu_backgammon() -> None:
    # Written by gnubg 1.07 (`show board`): the start, and one checker against two with the one on roll.
    assert GAME.format_state(GAME.start_state) == f"{START_ID} opening"
    assert GAME.format_state(at("1:1 | 1:2")) == "AwAACAAAAAAAAA white"
    assert at("AwAACAAAAAAAAA black 21") == at("1:1 | 1:2 b 1-2")
    assert at(START_ID) == at("24:2 13:5 8:3 6:5 | 6:5 8:3 13:5 24:2")
    assert pip_count(*at(START_ID)[:2]) == 167


@given(positions())
def test_positions_are_read_back(state: Turn) -> None:
    assert at(GAME.format_state(state)) == state


@pytest.mark.parametrize(
    "text",
    [
        "24/18 13/11",
        "13/11 24/18",
        "24/18, 13/11",
        "13-11 24-18",
        " 13/11  24/18 ",
        "62: 24/18 13/11",
        "2-6: 13/11 24/18",
    ],
)
def test_every_spelling_of_a_play_is_read(text: str) -> None:
    state = GAME.play_moves(GAME.start_state, "62")
    assert GAME.format_action(state, GAME.parse_action(state, text)) == "24/18 13/11"


def test_repeats_bars_and_bearing_off_are_read() -> None:
    state, name = at("bar:2 6:5 | 20:1 white 66"), "bar/13(2)"
    assert sorted(texts(state)) == ["bar/13(2)", "bar/7 bar/19"]
    for text in ("bar/19(2) 19/13(2)", "25/19 25/19 19/13(2)", "B/19/13(2)", "bar/13 bar/13"):
        assert GAME.parse_action(state, text) == GAME.parse_action(state, name)
    state = at("6:2 4:2 | 1:1 white 64")
    assert GAME.format_action(state, GAME.parse_action(state, "4/o 6/0")) == "6/off 4/off"


def test_a_game_is_written_with_its_rolls() -> None:
    moves = ["65", "24/13", "31", "8/5 6/5", "11"]
    line = GAME.join_moves(moves)
    assert line == "65 24/13 31 8/5 6/5 11" and GAME.split_moves(line) == moves
    assert GAME.split_moves("1. 65: 24/18 18/13 31: 8/5, 6/5; 1-1") == ["65", "24/18 18/13", "31", "8/5 6/5", "1-1"]
    state = GAME.play_moves(GAME.start_state, "65: 24/13 31: 8/5 6/5 1-1")
    assert (state.mover, state.roll) == (0, 11)


@pytest.mark.parametrize(
    ("state", "text", "message"),
    [
        (START_ID, "70", "not a roll of two dice"),
        (START_ID, "6", "not a roll"),
        (START_ID, "665", "not a roll"),
        (f"{START_ID} opening", "66", "thrown again"),
        (f"{START_ID} white 65", "24/17", "not a legal move"),
        (f"{START_ID} white 65", "31: 8/5 6/5", "the dice show 65"),
        (f"{START_ID} white 65", "24/13 13/2", "not a legal move"),
        ("6:15 | 1:0", "65", "over"),
    ],
)
def test_impossible_rolls_and_plays_are_refused(state: str, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        GAME.parse_action(at(state), text)
    assert repr(text) in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("24:2 13:5 8:3 6:6 | 6:5 8:3 13:5 24:2", "has 16 checkers; a player has 15"),
        (position_id([0, 1] + [0] * 24, [0, 16] + [0] * 24), "the opponent has 16 checkers; a player has 15"),
        ("24:2 | 1:2", "both players have checkers"),
        ("6:0 | 6:0", "nobody has a checker"),
        ("6:15", "both sides"),
        ("26:1 | 1:1", "'26:1' is not a point"),
        ("/////////////w", "not a Position ID"),
        ("4HPwATDgc/ABM", "not a position"),
        (f"{START_ID} white 77", "not a roll"),
        ("6:15 | 1:0 white 65", "the game is over"),
    ],
)
def test_positions_that_cannot_be_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=re.escape(message)) as caught:
        at(text)
    assert "\n" not in str(caught.value)


# -- evaluation and picture -----------------------------------------------------------------------------


@given(positions())
def test_evaluations_are_opposite_and_inside_the_range(state: Turn) -> None:
    value = GAME.evaluate(state, 0)
    assert value == -GAME.evaluate(state, 1) and -3 < value < 3
    mirrored = state._replace(mover=1 - state.mover)
    assert GAME.evaluate(mirrored, 1) == value


def best_play(roll: str) -> str:
    state = GAME.play_moves(GAME.start_state, roll)
    return max(texts(state), key=lambda text: GAME.evaluate(GAME.play_moves(state, text), 0))


def test_the_evaluation_knows_the_opening_plays_that_nobody_doubts() -> None:
    assert [best_play(roll) for roll in ("31", "42", "61", "53")] == ["8/5 6/5", "8/4 6/4", "13/7 8/7", "8/3 6/3"]
    assert GAME.evaluate(GAME.start_state, 0) == 0


def test_the_picture_shows_men_dice_bar_and_tray() -> None:
    state = at("bar:2 6:7 | 1:3 white 64")
    picture = GAME.picture(state)
    lines = picture.text.splitlines()
    assert lines[0].startswith("+-13-14-15") and "6  4" in lines[6] and lines[-1] == "White to move"
    assert "O off: 6" in picture.text and "X off: 12" in picture.text and "7" in picture.text
    assert sum(line[21] == "O" for line in lines[1:-2]) == 2  # on the bar
    root = ElementTree.fromstring(picture.svg)
    circles = [part.get("class") for part in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert circles.count("pw-first-man") == 2 + 5 + 1 and circles.count("pw-second-man") == 3 + 1
    assert circles.count("pw-pip") == 10


@pytest.mark.parametrize(("moves", "first", "man"), [("31", "+-13-14-", "6"), ("31 8/5 6/5 62", "+-12-11-", "24")])
def test_points_are_numbered_as_the_mover_counts_them(moves: str, first: str, man: str) -> None:
    """On the board, in the terminal and where one clicks: the numbers are those of the mover's own plays."""
    game = GAME
    state = game.play_moves(game.start_state, moves)
    picture = game.picture(state)
    printed = re.findall(r'<g data-place="([0-9]+)">(?:(?!</g>).)*?class="pw-on-wood">([0-9]+)</text>', picture.svg)
    assert [int(place) for place, _ in printed] == [int(number) for _, number in printed]
    assert sorted(int(number) for _, number in printed) == list(range(1, 25))
    assert picture.text.startswith(first)
    sources = {game.format_action(state, action).split("/")[0] for action in game.actions(state)}
    assert man in sources, "a play that is written so begins where the board has that number"
