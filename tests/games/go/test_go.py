"""Go: captures, ko and superko, suicide, area, texts of positions, and what is refused."""

from __future__ import annotations

import pytest

from plywright import BadInput, load_game
from plywright.bits import SCRATCH
from plywright.games.go import Go
from plywright.games.go.knowledge import GoKnowledge
from plywright.knowledge import knowledge_of
from plywright.outcome_text import owned_text
from plywright.players.playing import Playing

SMALL = Go(size=5)


def after(game: Go, state: str, moves: str) -> str:
    return game.format_state(game.play_moves(game.parse_state(state), moves))


def test_chains_without_liberties_are_taken_off_several_at_once() -> None:
    assert after(SMALL, "...../.XO../XO.O./.XO../..... B", "c3").startswith("...../.XO../X.XO./.XO../..... W")
    assert after(SMALL, "O.O../XXOX./.X.X./...../..... B", "b5").startswith(".XO../XXOX.")
    assert after(SMALL, "OO.OO/XXXXX/...../...../..... B", "c5").startswith("..X../XXXXX")


def test_a_position_in_which_a_chain_does_not_breathe_is_refused() -> None:
    with pytest.raises(BadInput, match="b3 has no liberty"):
        SMALL.parse_state("...../.OO../OXXO./.OO../..... W")
    for text, why in (
        ("...../...../...../..... B", "25 cells"),
        ("...../...../...../...../..... B ko c3", "free point"),
        ("...../...../..X../...../..... B last c3", "not a stone of the player who moved"),
        ("...../...../...../...../..... B last z9", "after last comes a point"),
        ("...../...../...../...../..... B often", "not 'often'"),
    ):
        with pytest.raises(BadInput, match=why):
            SMALL.parse_state(text)


def test_a_ko_is_not_taken_back_at_once_but_later() -> None:
    before = SMALL.parse_state("...../.XO../XO.O./.XO../..... B")
    taken = SMALL.play_moves(before, "c3")
    assert SMALL.format_state(taken).endswith("W last c3 ko b3")
    with pytest.raises(BadInput, match="'b3' is not a legal move"):
        SMALL.parse_action(taken, "b3")
    assert SMALL.parse_action(SMALL.play_moves(taken, "e5 e1"), "b3") == SMALL.point_of("b3")
    two = SMALL.parse_state(".X.../XOX../XO.../XOX../.X... B")
    assert SMALL.play_moves(two, "c3").ko == -1  # three stones are no ko


def test_superko_forbids_what_only_the_whole_game_shows() -> None:
    """Sending two, returning one: no ko, and the board of the start would come about again."""
    playing = Playing(SMALL, SMALL.parse_state("...../...../...../OOX../.X.X. B"))
    for move in ("a1", "c1"):
        playing.step(SMALL.parse_action(playing.state, move))
    assert SMALL.format_state(playing.state) == "...../...../...../OOX../..OX. B last c1"
    again = SMALL.point_of("b1")
    assert again in SMALL.actions(playing.state) and again not in playing.legal()
    playing.step(SMALL.pass_action)  # which repeats no board
    playing.step(SMALL.point_of("e5") or 0)
    assert again in playing.legal()


def test_suicide_is_no_move_and_a_capture_that_looks_like_it_is() -> None:
    eye = SMALL.parse_state("XO.../.O.../OO.../...../..... B")
    assert SMALL.point_of("a4") not in SMALL.actions(eye)
    shared = SMALL.parse_state(".XO../XXO../OOO../...../..... W")
    assert SMALL.point_of("a5") in SMALL.actions(shared)
    assert SMALL.format_state(SMALL.play_moves(shared, "a5")).startswith("O.O../..O../OOO..")


@pytest.mark.parametrize(
    ("rows", "margin"),
    [
        ("...../...../...../...../.....", 0),
        ("...../...../..X../...../.....", 25),
        (".XO../.XO../.XO../.XO../.XO..", -5),  # 10 for Black, 15 for White
        ("..X../..X../..X../..XO./..X.O", 13),  # 15 for Black, two stones for White, the rest is nobody's
    ],
)
def test_area_is_counted_as_tromp_and_taylor_do(rows: str, margin: int) -> None:
    game = Go(size=5, komi=0, score="points")
    state = game.parse_state(f"{rows} B over")
    assert game.utility(state, 0) == margin == -game.utility(state, 1)
    win = Go(size=5, komi=7.5)
    assert win.utility(win.parse_state(f"{rows} B over"), 0) == (1 if margin > 7.5 else -1)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("go:size=4", "size must be a whole number from 5 to 19"),
        ("go:size=20", "from 5 to 19"),
        ("go:komi=0.3", "whole or half points"),
        ("go:komi=nan", "whole or half points"),
        ("go:komi=many", "whole or half points"),
        ("go:score=area", "'win' or its 'points'"),
    ],
)
def test_parameters_that_mean_nothing_are_refused(name: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        load_game(name)


def test_the_picture_has_star_points_the_last_move_and_owners() -> None:
    game = Go(size=9)
    state = game.play_moves(game.start_state, "e5 c3")
    shown = game.picture(state)
    assert "3 . .[O]. . . + . ." in shown.text and "j" in shown.text.splitlines()[0] and "i" not in shown.text[:20]
    owned = game.picture(state, owners=[1.0] * 40 + [0.0] + [-0.9] * 40)
    assert "1 x x x x x x x x x" in owned.text and "9 o o o o o o o o o" in owned.text
    assert owned.svg.count("pw-owner-first") > 30


def test_best_explains_itself_by_chances_visits_and_owners() -> None:
    assert knowledge_of(SMALL).has_owners and not knowledge_of(load_game("tic-tac-toe")).has_owners
    assert owned_text(SMALL, [1.0] * 15 + [-1.0] * 10) == "Black 15.0, White 10.0"
    assert [SMALL.place_name(place) for place in (0, 4, 24)] == ["a1", "e1", "e5"]


@pytest.mark.parametrize("size", [5, 9, 19])
def test_no_cell_of_a_playout_is_outside_its_arrays(size: int) -> None:
    """Compiled code does not look: what is around a1 was read before the first word, which crashed now and then."""
    game = Go(size=size)
    knowledge = GoKnowledge(game)
    far = knowledge.across + 1
    cells = [knowledge.cell_of(point) for point in range(game.points)]
    assert min(cells) - far >= 0 and max(cells) + far < knowledge.cells <= SCRATCH
