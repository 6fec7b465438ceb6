"""The evaluation bench: features, weights that are changed, and the choice that follows."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest

from plywright.games import load_game
from plywright.games.registry import GAMES
from plywright.web.bench.scales import OFFERED, ranked, scales_of, weighed

LOST = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def bench(client: Any, **fields: Any) -> Any:
    return client.get("/bench?" + urlencode(fields))


def sentence(answer: Any) -> str:
    found = re.search(r'<div id="message" role="alert">(.*?)</div>', answer.text, re.S)
    return html.unescape(found[1]) if found else ""


def test_open_lines_are_whole_numbers_and_another_weight_is_another_choice(client: Any) -> None:
    page = bench(client, game="tic-tac-toe").text
    assert 'id="bench-now">b2<' in page and 'id="bench-sum">0<' in page
    assert "+4" in page, "eight lines are open for X in the centre, four for O"
    changed = bench(client, game="tic-tac-toe", w0=-1).text
    assert 'id="bench-now">b1<' in changed and 'id="bench-before">b2<' in changed
    assert "The choice has changed." in changed and "was 1" in changed
    assert "--weights &#34;open lines=-1&#34;" in changed, "the command that does the same"


def test_chess_material_is_1_3_3_25_5_9(client: Any) -> None:
    page = bench(client, game="chess", knowledge="material", state=LOST).text
    weights = re.findall(r'id="w\d" name="w\d" value="(.*?)"', page)
    assert weights == ["1", "3", "3.25", "5", "9"]
    assert 'id="bench-sum">+9<' in page, "Black has lost the queen"


def test_all_that_chess_knows_is_weighed_by_groups(client: Any) -> None:
    """A group has a factor, one feature its weight; what follows from the others cannot be changed."""
    page = bench(client, game="chess", knowledge="features", state=LOST).text
    rows = dict(re.findall(r'<label for="(w\d+)">(.*?)</label>', html.unescape(page)))
    weights = dict(re.findall(r'name="(w\d+)" value="(.*?)"', page))
    named = {rows[row]: weight for row, weight in weights.items()}
    pieces = ("pawn", "knight", "bishop", "rook", "queen")
    assert named["squares"] == named["knight mobility"] == "×1"
    assert all(re.fullmatch(r"\+\S+ to \+\S+", named[name]) for name in (*pieces, "bishop pair"))
    row_of = {name: row for row, name in rows.items()}
    nothing = {row_of[name]: "0" for name in pieces}
    quiet, best = (
        re.search(r'id="bench-sum">(.*?)<', text)
        for text in (bench(client, game="chess", knowledge="features", state=LOST, **nothing).text, page)
    )
    assert quiet and best and abs(float(quiet[1].replace("−", "-"))) < 1.5 < 5 < float(best[1])
    changed = bench(
        client, game="chess", knowledge="features", state=LOST, **{**weights, row_of["squares"]: "0.5"}
    ).text
    assert f'name="{row_of["squares"]}" value="×0.5"' in changed and "was ×1" in changed
    assert "--weights &#34;squares=0.5&#34;" in changed, "all that is unchanged is left out"
    queen = bench(client, game="chess", knowledge="features", state=LOST, **{**weights, row_of["queen"]: "9"}).text
    assert "--weights &#34;queen=9&#34;" in queen, "a piece is weighed in pawns"


def test_without_an_address_the_first_example_is_shown(client: Any) -> None:
    assert 'name="moves" value="b2"' in client.get("/bench").text


@pytest.mark.slow
def test_every_game_with_a_linear_knowledge_is_offered() -> None:
    left = ("random-tree", "mnk")  # no game to weigh, and one that is there by another name
    assert [name for name in GAMES if name not in left and weighed(load_game(name))] == list(OFFERED)


def test_weights_are_changed_and_every_move_is_weighed() -> None:
    for name in ("othello", "connect-four", "pacman"):
        game = load_game(name)
        scales = scales_of(game)
        state = game.start_state
        terms = scales.terms(state)
        first = terms[0].name
        other = scales.changed({first: 50})
        assert next(term for term in other.terms(state) if term.name == first).weight == "50"
        assert len(ranked(scales, state)) == len(list(game.actions(state)))


def test_pacmans_features_add_up_to_his_evaluation() -> None:
    game = load_game("pacman:layout=small")
    scales = scales_of(game)
    assert sum(term.worth[0] for term in scales.terms(game.start_state)) == pytest.approx(
        game.weighted(game.start_state)  # type: ignore[attr-defined]
    )


def test_what_cannot_be_weighed_is_said(client: Any) -> None:
    for fields, words in (
        ({"game": "nim"}, "no weighted sum"),
        ({"game": "chess", "knowledge": "none"}, "that is a weighted sum; there are features, hand, material"),
        ({"game": "chess", "knowledge": "features", "w0": "×x"}, "w0 must be a number"),
        ({"game": "tic-tac-toe", "moves": "a1 b1 a2 b2 a3"}, "the game is over"),
        ({"game": "tic-tac-toe", "w0": "x"}, "w0 must be a number"),
        ({"game": "tic-tac-toe", "w0": "1e9"}, "w0 must be from"),
        ({"game": "./x.py"}, "not a game of this page"),
        ({"game": "tic-tac-toe", "depth": "9"}, "depth must be from 1 to 4"),
    ):
        answer = bench(client, **fields)
        assert answer.status_code == 400 and words in sentence(answer), (fields, sentence(answer))


@pytest.mark.slow
def test_two_moves_deep_is_searched(browse: Callable[..., Any]) -> None:
    page = browse("/bench?" + urlencode({"game": "tic-tac-toe", "depth": 3, "w0": -1}))
    page.locator("#bench-now").wait_for()
    assert page.locator("#bench-before").inner_text() == "b2"


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1920), ("dark", 1366), ("light", 390)])
def test_a_weight_is_typed_and_the_choice_follows(
    browse: Callable[..., Any], accessible: Callable[[Any], None], scheme: str, width: int
) -> None:
    page = browse("/bench?game=tic-tac-toe", width=width, color_scheme=scheme)
    page.locator("#w0").fill("-1")
    page.locator("#bench-before").wait_for()
    assert page.locator("#bench-now").inner_text() == "b1"
    assert page.evaluate("document.activeElement.id") == "w0", "one can go on typing"
    accessible(page)
    page.goto("/bench?game=pacman:layout=small")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    accessible(page)
