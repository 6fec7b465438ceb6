"""The Play room by its addresses: every game, forks, tabs, saving and loading."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from plywright.games import load_game
from plywright.games.registry import GAMES, title_of
from plywright.web.play.table import Table
from tables import legal, name_of, play, seat

# -- every game -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_begun_played_and_answered(table: Any, game: str) -> None:
    assert table.get("/play/new", params={"game": game}).status_code == 200
    assert table.get("/play/picture", params={"game": game}).headers["content-type"] == "image/svg+xml"
    answer = seat(table, game, seed=3, dice="at once")
    moved = thought = 0
    for _ in range(6):
        if moves := legal(answer):
            answer, moved = play(table, answer, moves[len(moves) // 2]), moved + 1
        elif "/think" in answer.text:
            answer, thought = table.submit(f"/play/t/{name_of(answer)}/go"), thought + 1
        assert answer.status_code == 200, answer.text
    moved = moved or "folded" in answer.text  # at poker the other may leave before anybody else has a choice
    assert moved and (thought or GAMES[game].cls in ("TwentyFortyEight", "SlipperyGrid", "HiddenCoin", "Pig"))


def test_games_are_offered_with_the_users_own_first(table: Any) -> None:
    cards = re.findall(r'href="/play/new\?game=([^"]*)"', table.get("/play").text)
    assert cards[0].endswith("pacing.py") and {card.partition("%3A")[0] for card in cards[2:]} == set(GAMES)
    assert "mnk%3Am%3D5%2Cn%3D5%2Ck%3D4" in cards, "where it would be tic-tac-toe"


def test_games_are_called_as_people_call_them(table: Any) -> None:
    page = unescape(table.get("/play").text)
    for title in ("Connect Four", "Texas hold'em", "Liar's dice", "Tic-tac-toe", "Pac-Man", "Othello", "2048"):
        assert f"<b>{title}</b>" in page, title
    assert "<h1>Othello, size 6</h1>" in table.get("/play/new?game=othello:size=6").text
    assert title_of("connect-four") == "Connect Four" and title_of("slippery-grid") == "Slippery grid"


def test_a_game_without_a_picture_shows_its_fields_and_a_button_for_each_move(table: Any) -> None:
    answer = seat(table, table.app.state.catalogue.own[0], "human")
    assert '<th scope="row">at</th><td class="mono">0</td>' in answer.text
    assert "<h1>pacing.py</h1>" in answer.text, "the file, without its folders"
    assert '<button name="move" value="1">' in answer.text and '<button name="move" value="2">' in answer.text


def test_a_hidden_game_that_cannot_deal_is_played_by_what_is_seen(table: Any) -> None:
    answer = seat(table, table.app.state.catalogue.own[1], "human")
    answer = table.submit(f"/play/t/{name_of(answer)}/seat", seat=0)
    answer = play(table, answer, "2", seat=0)
    answer = table.submit(f"/play/t/{name_of(answer)}/seat", seat=1)
    assert '<th scope="row">first</th><td class="mono">0</td>' in answer.text and legal(answer) == ["1", "2"]
    assert "Player 1 wins." in play(table, answer, "1", seat=1).text


def test_a_position_seen_too_often_is_a_draw_in_words(table: Any) -> None:
    answer = seat(table, table.app.state.catalogue.own[0], "human")
    for _ in range(8):
        assert legal(answer)
        answer = play(table, answer, "2")
        if "A draw by repetition." in answer.text:
            break
    else:
        raise AssertionError("the game never ended")
    assert not legal(answer) and "Rematch" in answer.text


# -- a table ----------------------------------------------------------------------------------------------------------


def test_a_whole_game_ends_in_words_and_a_rematch_exchanges_the_seats(table: Any) -> None:
    answer = seat(table, "tic-tac-toe", "random", moves="a1b1a2b2")
    answer = play(table, answer, "a3")
    assert "<b>X wins.</b>" in answer.text, "where only winning counts, no points are told"
    again = table.submit(f"/play/t/{name_of(answer)}/again", swap=1)
    assert name_of(again) != name_of(answer)
    assert Table.load(name_of(again)).seats == ["random", "human"] and len(Table.load(name_of(again)).actions) == 4


def test_a_link_with_moves_shows_the_position(client: Any) -> None:
    page = client.get("/play/new?game=othello&moves=f5d6").text
    assert "Black 3, White 3; Black to move" in page and 'name="moves" value="f5d6"' in page
    wrong = client.get("/play/new?game=othello&moves=f5a1")
    assert wrong.status_code == 400 and "move 2" in wrong.text


def test_a_move_at_an_earlier_ply_begins_a_table_of_its_own(table: Any) -> None:
    answer = seat(table, "tic-tac-toe", "human", moves="a1b1a2")
    first = name_of(answer)
    earlier = table.get(f"/play/t/{first}?ply=1")
    assert "Moment 1 of 3" in earlier.text
    same = table.submit(f"/play/t/{first}/move", ply=1, move="b1")
    assert name_of(same) == first and "ply=2" in str(same.url), "the same move again is the same game"
    other = table.submit(f"/play/t/{first}/move", ply=1, move="c3")
    assert name_of(other) != first
    assert len(Table.load(first).actions) == 3 and len(Table.load(name_of(other)).actions) == 2


def test_what_was_undone_with_dice_brings_the_same_dice(table: Any) -> None:
    answer = seat(table, "pig", "human", seed=11)
    name, rolls = name_of(answer), []
    play(table, answer, "roll")
    table.submit(f"/play/t/{name}/go")
    rolls.append(Table.load(name).actions[1])
    forked = table.submit(f"/play/t/{name}/from", ply=1)
    assert name_of(forked) != name
    again = table.submit(f"/play/t/{name_of(forked)}/go")
    rolls.append(Table.load(name_of(again)).actions[1])
    assert rolls[0] == rolls[1] and re.search(r"Chance brought \d \(probability 1/6\)", again.text)


def test_flipping_is_kept_with_the_table(table: Any) -> None:
    name = name_of(seat(table, "breakthrough:columns=4,rows=4", "human"))
    assert " flipped" not in table.get(f"/play/t/{name}").text
    assert " flipped" in table.submit(f"/play/t/{name}/flip").text
    assert " flipped" in table.get(f"/play/t/{name}").text


def test_a_game_is_saved_and_loaded_in_its_notation(table: Any) -> None:
    name = name_of(seat(table, "othello:size=6", "human", moves="e4c5"))
    saved = table.get(f"/play/t/{name}/save?notation=moves")
    assert saved.text == "e4c5\n" and "attachment" in saved.headers["content-disposition"]
    whole = table.get(f"/play/t/{name}/save?notation=ggf").text
    assert whole.startswith("(;GM[Othello]")
    shown = table.get("/play/new", params={"game": "othello:size=6", "moves": whole}).text
    assert 'name="moves" value="e4c5"' in shown and 'name="start" value=""' in shown
    again = Table.load(name_of(seat(table, "othello:size=6", "human", moves=whole)))
    assert (again.actions, again.start) == (Table.load(name).actions, "")
    dice = seat(table, "backgammon", "human", moves="65 24/13 31")
    moves = table.get(f"/play/t/{name_of(dice)}/save?notation=moves").text.strip()
    assert Table.load(name_of(seat(table, "backgammon", "human", moves=moves))).actions[:3] == [
        *Table.load(name_of(dice)).actions[:3]
    ]


def test_a_game_in_ggf_brings_the_board_it_began_from(table: Any) -> None:
    game = load_game("othello:size=4")
    start = game.play_moves(game.start_state, "b1")
    record = game.format_game(start, [int(action) for action in game.actions(start)][:1], "ggf", names=["A]", "B"])
    found = Table.load(name_of(seat(table, "othello:size=4", "human", moves=record)))
    assert found.start == game.format_state(start) and len(found.actions) == 1
    for wrong, words in (
        ({"start": game.format_state(start)}, "leave the state empty"),
        ({"game": "othello"}, "choose othello:size=4"),
        ({"moves": record[:-2]}, "breaks off after W["),
        ({"moves": record.replace("W[", "B[")}, "it is White's turn there"),
    ):
        answer = table.get("/play/new", params={"game": "othello:size=4", "moves": record, **wrong})
        assert answer.status_code == 400 and words in unescape(answer.text), wrong


def test_a_move_sent_by_the_script_is_answered_by_the_next_page_itself(table: Any) -> None:
    """One request and one worker, not two; without the script it is an address, as for every form."""
    name = name_of(seat(table, "tic-tac-toe", "human"))
    fields = {"token": table.app.state.token, "ply": 0, "move": "b2"}
    answer = table.post(f"/play/t/{name}/move", data=fields, headers={"hx-request": "true"}, follow_redirects=False)
    assert answer.status_code == 200 and answer.headers["hx-push-url"] == f"/play/t/{name}?ply=1"
    assert 'data-ply="1"' in answer.text and "O to move." in answer.text
    plain = table.post(f"/play/t/{name}/move", data={**fields, "ply": 1, "move": "a1"}, follow_redirects=False)
    assert plain.status_code == 303 and plain.headers["location"] == f"/play/t/{name}?ply=2"


def test_two_tabs_do_not_play_twice(table: Any) -> None:
    answer = seat(table, "tic-tac-toe", "first")
    answer = play(table, answer, "b2")
    name = name_of(answer)
    table.submit(f"/play/t/{name}/go")
    table.submit(f"/play/t/{name}/go")
    assert len(Table.load(name).actions) == 2


def test_the_table_names_the_opening(table: Any) -> None:
    answer = seat(table, "othello", "human", moves="f5d6c3d3c4")
    assert "Opening: Tiger." in answer.text
    assert "Opening:" not in seat(table, "othello:size=6", "human", moves="e4c5").text
