"""English checkers against slow rules on rows and columns, its notation, and games in PDN."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, Game, load_game, search
from plywright.games.checkers import endings, patterns
from plywright.games.checkers.board import BITS, MOST_JUMPS, Position, jumps
from plywright.games.checkers.knowledge import MAN
from plywright.games.checkers.rules import Checkers, path
from plywright.knowledge import knowledge_of
from plywright.repetition import Past
from plywright.rng import below, seeded

Place = tuple[int, int]
Board = dict[Place, str]  # by row from Black's side and column: b and w, capital letters for kings


@functools.cache
def checkers(limit: int = 40) -> Checkers:
    return Checkers(limit)


GAME = checkers()


# -- the rules once more, on rows and columns --------------------------------------------------------------


def place(number: int) -> Place:
    row, rest = divmod(number - 1, 4)
    return row, 2 * rest + 1 - row % 2


NUMBERS = {place(number): number for number in range(1, 33)}


def slow_board(state: Any) -> Board:
    found = {}
    for number, bit in enumerate(BITS, 1):
        for pieces, sign in ((state.black, "b"), (state.white, "w")):
            if int(pieces) >> bit & 1:
                found[place(number)] = sign.upper() if int(state.kings) >> bit & 1 else sign
    return found


def ways(sign: str) -> list[Place]:
    rows = [1] if sign == "b" else [-1] if sign == "w" else [1, -1]
    return [(row, column) for row in rows for column in (-1, 1)]


def slow_jumps(board: Board, here: Place, sign: str, taken: frozenset[Place]) -> list[tuple[Place, ...]]:
    found = []
    for row, column in ways(sign):
        over, landing = (here[0] + row, here[1] + column), (here[0] + 2 * row, here[1] + 2 * column)
        other = board.get(over, ".").lower()
        if other not in (".", sign.lower()) and over not in taken and landing in NUMBERS and landing not in board:
            rest = slow_jumps(board, landing, sign, taken | {over})
            found += [(landing, *more) for more in rest] if rest else [(landing,)]
    return found


def slow_moves(board: Board, mover: int) -> dict[tuple[int, ...], Board]:
    """The numbers of the squares that each legal move touches, with the board after it."""
    own = {here: sign for here, sign in board.items() if sign.lower() == "bw"[mover]}
    moves = {}
    for here, sign in own.items():
        left = {other: piece for other, piece in board.items() if other != here}
        for way in slow_jumps(left, here, sign, frozenset()):
            after, last = dict(left), here
            for landing in way:
                del after[(last[0] + landing[0]) // 2, (last[1] + landing[1]) // 2]
                last = landing
            after[last] = sign.upper() if last[0] == (7, 0)[mover] else sign
            moves[tuple(NUMBERS[each] for each in (here, *way))] = after
    if moves:
        return moves
    for here, sign in own.items():
        for row, column in ways(sign):
            there = here[0] + row, here[1] + column
            if there in NUMBERS and there not in board:
                after = {other: piece for other, piece in board.items() if other != here}
                after[there] = sign.upper() if there[0] == (7, 0)[mover] else sign
                moves[NUMBERS[here], NUMBERS[there]] = after
    return moves


def same_as_slow(game: Game, state: Any) -> None:
    slow = slow_moves(slow_board(state), state.mover)
    found = {tuple(path(int(action))): slow_board(game.result(state, action)) for action in game.actions(state)}
    assert found == slow
    assert game.is_terminal(state) == (not slow or state.quiet >= 80)


def test_random_games_follow_the_slow_rules() -> None:
    game, longest = checkers(), 0
    for seed in range(25):
        rng, state = seeded(seed), game.start_state
        while not game.is_terminal(state):
            same_as_slow(game, state)
            choices = list(game.actions(state))
            action = choices[below(rng, len(choices))]
            longest = max(longest, jumps(action))
            state = game.coerce_state(game.result(state, action))
    assert longest >= 2


def test_random_positions_with_many_kings_follow_the_slow_rules() -> None:
    game, rng, longest = checkers(), np.random.default_rng(7), 0
    for _ in range(400):
        squares = rng.permutation(32)
        black, white = squares[: rng.integers(1, 4)], squares[4 : 4 + rng.integers(1, 12)]
        kings = set(rng.permutation(32)[: rng.integers(8, 32)].tolist()) | {0, 1, 2, 3, 28, 29, 30, 31}
        boards = [sum(1 << BITS[n] for n in group) for group in (black, white, {*black, *white} & kings)]
        state = Position(*map(np.uint64, boards), int(rng.integers(2)), 0)
        assert game.check_state(state) == ""
        same_as_slow(game, state)
        longest = max([longest, *(jumps(action) for action in game.actions(state))])
    assert 4 <= longest <= MOST_JUMPS


def test_a_king_among_nine_men_jumps_over_all_of_them() -> None:
    game = checkers()
    state = game.parse_state("B:W6,7,8,14,15,16,22,23,24:BK1")
    same_as_slow(game, state)
    assert max(jumps(action) for action in game.actions(state)) == MOST_JUMPS


# -- single rules -----------------------------------------------------------------------------------------------


def moves(state: str) -> set[str]:
    game = checkers()
    position = game.parse_state(state)
    return {game.format_action(position, action) for action in game.actions(position)}


def test_whoever_can_jump_must_and_must_jump_to_the_end() -> None:
    assert moves("B:W18:B15,1") == {"15x22"}
    assert moves("W:W22,32:B18,11") == {"22x15x8"}
    assert moves("B:W18,19:B15,K23") == {"15x22", "15x24", "23x14", "23x16"}


def test_a_man_that_becomes_a_king_stops_there() -> None:
    game = checkers()
    state = game.parse_state("B:W26,27:B22")
    assert moves("B:W26,27:B22") == {"22x31"}
    after = game.play_moves(state, "22x31")
    assert game.format_state(after) == "W:W27:BK31"


def test_a_king_may_end_on_the_square_it_came_from() -> None:
    game = checkers()
    assert moves("B:W7,8,15,16:BK3") == {"3x12x19x10x3", "3x10x19x12x3"}
    after = game.play_moves(game.parse_state("B:W7,8,15,16:BK3"), "3x12x19x10x3")
    assert game.format_state(after) == "W:W:BK3" and game.is_terminal(after)


def test_who_cannot_move_has_lost() -> None:
    game = checkers()
    state = game.parse_state("W:W12:B8,3")
    assert game.is_terminal(state)
    assert (game.utility(state, 0), game.utility(state, 1)) == (1, -1)


def test_forty_quiet_moves_of_each_side_are_a_draw() -> None:
    game = checkers()
    state = game.parse_state("B:WK32:BK1:H79")
    assert not game.is_terminal(state)
    after = game.play_moves(state, "1-6")
    assert after.quiet == 80 and game.is_terminal(after) and game.utility(after, 0) == 0
    won = game.parse_state("B:WK10:BK6:H79")
    taken = game.play_moves(won, "6x15")
    assert taken.quiet == 0 and game.utility(taken, 0) == 1
    assert game.play_moves(game.parse_state("B:WK32:B5,K1:H79"), "5-9").quiet == 0
    assert load_game("checkers:limit=2").is_terminal(load_game("checkers:limit=2").parse_state("B:WK32:BK1:H4"))


def test_a_position_that_comes_up_for_the_third_time_is_a_draw() -> None:
    game = checkers()
    states = game.states_along(game.parse_state("B:WK32:BK1"), "1-6 32-27 6-1 27-32 1-6 32-27 6-1 27-32")
    assert not Past(game, states[:4]).is_over(states[4])
    assert Past(game, states[:8]).is_over(states[8])
    assert states[8].quiet == 8  # which is not part of what repeats


def test_the_engine_finds_a_shot() -> None:
    game = checkers()
    state = game.parse_state("W:W22,32:B18,11")
    found = search(game, state, depth=5)
    assert game.format_action(state, found.action) == "22x15x8" and found.value == 1


# -- notation ---------------------------------------------------------------------------------------------------


def test_moves_are_read_in_every_spelling() -> None:
    game = checkers()
    start = game.play_moves(game.start_state, "11-15 23-19")
    assert game.play_moves(game.start_state, "1. 11-15 23-19") == start
    assert game.play_moves(game.start_state, ["11 15", "23:19"]) == start
    shot = game.parse_state("W:W22,32:B18,11")
    for text in ("22x15x8", "22x8", "22-8", "22:15:8", " 22X15X8 "):
        assert game.format_action(shot, game.parse_action(shot, text)) == "22x15x8"


def test_a_jump_with_several_ways_asks_for_the_whole_path() -> None:
    game = checkers()
    state = game.parse_state("B:W7,8,15,16:BK3")
    with pytest.raises(BadInput, match=r"several ways.*3x10x19x12x3 or 3x12x19x10x3"):
        game.parse_action(state, "3x3")


@pytest.mark.parametrize("text", ["11-16-20", "11", "", "x", "33-35", "11-", "9999-3", "11x15", "10-15 x"])
def test_what_is_no_move(text: str) -> None:
    game = checkers()
    if text == "11x15":  # the mark between the squares is not what a move is known by
        assert game.parse_action(game.start_state, text) == game.parse_action(game.start_state, "11-15")
        return
    with pytest.raises(BadInput, match="not a legal move"):
        game.parse_action(game.start_state, text)


def test_positions_are_those_of_pdn() -> None:
    game = checkers()
    state = game.parse_state("W:W18,K30:B5,K7:H0")
    assert game.format_state(state) == "W:W18,K30:B5,K7"
    assert game.parse_state(' "w:B5,k7 : w18,K30." ') == state
    assert game.parse_state("B:W21-32:B1-12") == game.start_state


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "write who moves"),
        ("W21:B1", "write who moves"),
        ("X:W21:B1", "write who moves"),
        ("B:W21:W22", "write who moves"),
        ("B:W21:B1:Hx", "write who moves"),
        ("B:W33:B1", "'33' among White's pieces is no square"),
        ("B:W5-2:B1", "'5-2'"),
        ("B:W21,21:B1", "White has square 21 twice"),
        ("B:W21:B21", "square 21 has a piece of each side"),
        ("B:W21:B30", "the man on 30 would be a king"),
        ("B:W13-28:B1", "White has 16 pieces"),
        ("B:W:B1", "White has no piece left"),
        ("B:WK21:BK1:H81", "81 plies"),
        ("B:W21:BK1:H1", "White has no king"),
        ("W:WK21:B1:H1", "Black has no king"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as told:
        checkers().read_state(text)
    assert "uint64" not in str(told.value)  # what was typed is named, not what it was read as


def test_whoever_is_to_move_may_have_nothing_left() -> None:
    game = checkers()
    assert game.is_terminal(game.read_state("B:W21:B"))


@pytest.mark.parametrize("limit", [0, 1001, "x", 2.5])
def test_parameters_are_checked(limit: object) -> None:
    with pytest.raises(BadInput, match="limit must be"):
        load_game(f"checkers:limit={limit}")


def test_the_picture_has_the_numbers_of_the_squares_and_the_path_of_the_last_move() -> None:
    game = checkers()
    before = game.parse_state("W:W22,K32:B18,11")
    action = game.parse_action(before, "22x15x8")
    shown = game.picture(game.result(before, action), action)
    assert shown.text.splitlines() == [
        " 1   .   .   .   .",
        " 5 .   .   .  [w]",
        " 9   .   .   .   .",
        "13 .   .  [.]  .",
        "17   .   .   .   .",
        "21 .  [.]  .   .",
        "25   .   .   .   .",
        "29 .   .   .   W",
        "White has won",
    ]
    assert ">22<" in shown.svg and "crown" in shown.svg and 'data-place="22"' in shown.svg


# -- PDN ------------------------------------------------------------------------------------------------------------

SHORT = """[Event "A \\"friendly\\" game"]
[White "Bob"] [Black "Ann"]
[Result "*"]

1. 11-15 23-19 {the usual} 2. 8-11! 22-17 ; a comment to the end of the line
3. 9-13 (3. 11-16 24-20) 17-14?! 10x17 $1 4. 21x14 *
"""


def test_a_game_in_pdn_is_read_with_all_that_people_put_into_it() -> None:
    game = checkers()
    start, actions = game.parse_record(SHORT) or (None, [])
    assert start == game.start_state and len(actions) == 8
    assert game.format_game(start, actions) == "11-15 23-19 8-11 22-17 9-13 17-14 10x17 21x14"


@pytest.mark.parametrize("seed", range(4))
def test_games_in_pdn_are_read_back(seed: int) -> None:
    game, rng = checkers(), seeded(seed)
    start = state = game.start_state if seed % 2 else game.parse_state("W:W18,22,K30:B5,6,K7:H1")
    actions: list[int] = []
    while not game.is_terminal(state) and len(actions) < 60:
        choices = list(game.actions(state))
        actions.append(int(choices[below(rng, len(choices))]))
        state = game.coerce_state(game.result(state, actions[-1]))
    notes = [(0.25, 1.5) if ply % 3 else (None, 0.0) for ply in range(len(actions))]
    text = game.format_game(start, actions, "pdn", names=('Ann "A"', "Bob"), payoffs=(-1, 1), notes=notes)
    assert '[Black "Ann \\"A\\""]' in text and text.rstrip().endswith("1-0")
    assert max(map(len, text.splitlines())) <= 120
    assert game.parse_record(text) == (start, actions)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SHORT.rstrip().rstrip("*"), "breaks off after 21x14"),
        (SHORT[: SHORT.index("usual")], "breaks off after 23-19: a comment"),
        (SHORT[: SHORT.index("24-20")], "inside a variation"),
        (SHORT.replace("10x17", "10x1"), r"move 7 of the game, 10x1: '10x1' is not a legal move"),
        (SHORT.replace("22-17", "22-"), "damaged after 8-11: '22-"),
        (SHORT.replace("*\n", "* 11-15\n"), "more after the end"),
        (SHORT.replace("*\n", ") *\n"), "a variation ends there"),
        ('[White "Bob', "no whole tag"),
        ('[White "Bob"]\n[Black "An', "after the tag White"),
        ('[GameType "20"]\n*', "type '20'"),
        ('[FEN "B:W21:W22"]\n*', "tag FEN"),
        ('[FEN "W:W12:B8,3"]\n 12-8 *', "over before"),
    ],
)
def test_damaged_pdn_is_named(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        checkers().parse_record(text)


def test_a_game_cut_anywhere_is_refused_in_a_sentence_or_read_as_what_is_there() -> None:
    game = checkers()
    whole = game.format_game(game.start_state, (game.parse_record(SHORT) or (None, []))[1], "pdn")
    for end in range(12, len(whole) - 2):
        with pytest.raises(BadInput):
            game.parse_record(whole[:end])


# -- the fitted evaluation ------------------------------------------------------------------------------------------


def random_positions(count: int) -> Iterator[Any]:
    rng = seeded(7)
    for _ in range(count):
        state = GAME.start_state
        for _ in range(4 + below(rng, 70)):
            after = GAME.state_after(state, GAME.choices(state)[below(rng, len(GAME.choices(state)))])
            if GAME.is_terminal(after):
                break
            state = after
        yield state


def seen_from_the_other_side(state: Any) -> Any:
    """Turned round, with the colours exchanged."""
    black, white, kings = (
        endings.unpacked(endings.turned_round(endings.packed(board)))
        for board in (state.white, state.black, state.kings)
    )
    return GAME.coerce_state(Position(black, white, kings, 1 - state.mover, state.quiet))


def test_the_fitted_evaluation_is_fair_and_is_the_sum_of_its_terms() -> None:
    fitted = knowledge_of(GAME, "fitted")
    for state in random_positions(60):
        value = fitted.evaluate(state, 0)
        assert value == -fitted.evaluate(state, 1) == -fitted.evaluate(seen_from_the_other_side(state), 0)
        terms = fitted.evaluation_terms(state)
        total = sum(term.worth[0] - term.worth[1] for term in terms)
        assert abs(total / MAN - value) < 1e-9 and terms[-1].name == "patterns of men"


def test_numbers_of_patterns_are_those_of_the_compiled_sum() -> None:
    plan, states = patterns.layout(), list(random_positions(40))
    black = np.array([int(endings.packed(state.black & ~state.kings)) for state in states], np.uint32)
    white = np.array([int(endings.packed(state.white & ~state.kings)) for state in states], np.uint32)
    weights = np.random.default_rng(1).integers(-99, 99, 4 * plan.words * patterns.NUMBERS)
    sums = weights[patterns.pattern_numbers(black, white)].sum(axis=1)
    unused = np.arange(len(plan.patterns), 4 * plan.words) * patterns.NUMBERS
    for one, other, found in zip(black, white, sums, strict=True):
        compiled = patterns.pattern_sum(plan.lanes, weights, 0, plan.words, np.uint64(one), np.uint64(other))
        assert compiled == found + weights[unused].sum()


def test_a_table_keeps_the_evaluation_of_whichever_knowledge_it_was_asked_for() -> None:
    for name in ("fitted", "hand"):
        known = knowledge_of(GAME, name)
        numbering, _ = known.for_tables("3")
        for state in random_positions(5):
            assert numbering.evaluate(state, 0) == known.evaluate(state, 0)
