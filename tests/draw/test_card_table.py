"""A table of four: who sits where, whose card of a trick is whose, what can be pointed at."""

from __future__ import annotations

import re
from typing import Any

import pytest

from plywright import load_game
from plywright.draw import Picture
from plywright.draw.card_table import BROAD, DEEP, Auction, card_table
from plywright.draw.cards import Card
from plywright.games.tricks import play_at
from plywright.web.play.marks import with_last_move

NAMES = ("North", "East", "South", "West")
HANDS: list[list[str | Card]] = [[Card("A♠", "As"), Card("K♥", "Kh")], ["", ""], ["", ""], ["", ""]]


def written(picture: Picture) -> dict[str, tuple[float, float]]:
    """Where each text stands."""
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]+)<', picture.svg)
    return {text: (float(x), float(y)) for x, y, text in found}


@pytest.mark.parametrize("bottom", range(4))
def test_seats_go_round_clockwise_from_the_one_below(bottom: int) -> None:
    picture = card_table(HANDS, NAMES, bottom=bottom, trick=dict(enumerate(("9♠", "8♥", "7♦", "6♣"))), words="so")
    at = written(picture)
    for places in ([at[name] for name in NAMES], [at[rank] for rank in "9876"]):
        below, left, above, right = (places[(bottom + turn) % 4] for turn in range(4))
        assert below[1] > max(left[1], right[1]) and min(left[1], right[1]) > above[1]
        assert left[0] < below[0] == above[0] < right[0]
    assert picture.text == "so" and picture.svg.count('data-place="') == 2


def test_an_auction_stands_beside_the_box_and_nothing_leaves_the_page() -> None:
    box = [["Pass", "", ""], ["1C", "1D", "1H", "1S", "1NT"]]
    picture = card_table(HANDS, NAMES, auction=Auction(["Pass", "1D", "X"], 1), box=box, chosen=["2♣"])
    at = written(picture)
    assert at["X"][0] == at["West"][0] and at["X"][1] > at["West"][1] > DEEP  # East dealt
    assert all(0 <= x <= BROAD for x, _ in at.values()) and "1♥" in at
    assert set(re.findall(r'data-place="(\w+)"', picture.svg)) >= {"Pass", "1C", "1D", "1H", "1S", "1NT", "As", "Kh"}


def played(name: str, moves: int) -> tuple[Any, Any]:
    game = load_game(name)
    state = game.start_state
    while game.at_chance(state):
        state = game.result(state, game.choices(state)[0])
    for number in range(moves):
        bid = name == "bridge" and number == 0  # one club, and everybody passes
        state = game.result(state, game.choices(state)[1 if bid else 0])
    return game, state


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("hearts:passing=none", 6),
        ("spades", 11),
        ("tricks:suits=4,ranks=5,players=4,teams=2,trump=s", 7),
        ("bridge", 10),
    ],
)
def test_a_trick_shows_whose_card_is_whose_and_the_one_before(name: str, moves: int) -> None:
    game, state = played(name, moves)
    trick, before = game.tricks_by_seat(state)
    part = int(state.played) % 4
    assert len(before) == 4 and 0 < len(trick) == part
    lead = game.card_sign(int(play_at(state.plays, int(state.played) - part)))
    assert trick[int(state.leader)] == lead
    start = int(state.played) - part - 4
    best = int(play_at(state.plays, start + game.taken_by(state, start)))
    assert before[int(state.leader)] == game.card_sign(best), "who leads now has taken the last trick"
    for seat in range(4):
        view = game.observation(state, seat)
        picture = game.picture_for(view, seat)
        assert "last trick" in picture.svg
        hidden = sum(face == "" for other in range(4) for face in game.fan(view, other))
        assert all(isinstance(card, Card) for card in game.fan(view, seat))
        assert picture.text.count("##") == hidden > 0


@pytest.mark.parametrize("turn", (1, 2, 3))
def test_what_the_others_did_is_marked_and_nothing_else(turn: int) -> None:
    """Cards of the trick that came since; no card of a fan has moved because there is one less."""
    game, state = played("hearts:passing=none", 8)
    seat = (game.to_move(state) + turn) % 4
    after = game.picture_for(game.observation(state, seat), seat).svg
    state = game.result(state, game.choices(state)[0])
    now = game.picture_for(game.observation(state, seat), seat).svg
    assert with_last_move(now, "", "", after).count("play-last") == 1
