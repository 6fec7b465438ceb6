"""Opening books: built by search, one checksummed file, refused by name if damaged, played from where time counts."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, load_game
from plywright.books import Book, book_of, build_book, open_book
from plywright.books.book import LARGEST, STEPS, book_key
from plywright.games.othello.rules import Othello
from plywright.models.model_file import read_model, save_model
from plywright.players.clock import Clock, Mode
from plywright.players.searching import SearchPlayer
from plywright.players.turn import Turn
from plywright.rng import seeded

game = load_game("tic-tac-toe")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("books") / "small.book"
    build_book(game, place, expanded=40, nodes=2000)
    yield place


def test_a_book_knows_what_the_moves_are_worth(path: Path) -> None:
    book = open_book(game, path)
    assert 40 < len(book) < 1000
    assert book.value(game.start_state) == 0
    after = game.coerce_state(game.result(game.start_state, 0))
    moves = book.moves(after)
    assert moves[0].action == 4 and moves[0].value == 0  # a corner is answered in the middle
    assert moves[-1].value < 0
    assert book.choose(after, seeded(1)).action == 4


def test_moves_that_a_symmetry_makes_equal_are_known_and_vary(path: Path) -> None:
    book = open_book(game, path)
    assert len(book.moves(game.start_state)) == 9
    corner, other = (game.coerce_state(game.result(game.start_state, action)) for action in (0, 8))
    assert book_key(game, corner) == book_key(game, other)
    chosen = {book.choose(game.start_state, seeded(seed)).action for seed in range(30)}
    assert len(chosen) > 2


def test_the_same_numbers_make_the_same_book(path: Path, tmp_path: Path) -> None:
    build_book(game, tmp_path / "again.book", expanded=40, nodes=2000)
    assert (tmp_path / "again.book").read_bytes() == path.read_bytes()


def test_a_damaged_book_is_refused_by_name(path: Path, tmp_path: Path) -> None:
    whole = path.read_bytes()
    for number, data in enumerate((b"", b"no book", whole[:-20], whole[:100] + b"\0" + whole[101:])):
        damaged = tmp_path / f"damaged-{number}.book"
        damaged.write_bytes(data)
        with pytest.raises(BadInput, match=damaged.name):
            open_book(game, damaged)
    with pytest.raises(BadInput, match=r"none\.book"):
        open_book(game, tmp_path / "none.book")
    large = tmp_path / "large.book"
    with large.open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(BadInput, match="larger than 4 MB"):
        open_book(game, large)


@pytest.mark.parametrize("margin", [float("nan"), float("inf"), -5, 10**400, True, "1"])
def test_a_crafted_margin_is_refused(path: Path, tmp_path: Path, margin: Any) -> None:
    file = read_model(path)
    crafted = tmp_path / "crafted.book"
    save_model(crafted, replace(file, options={**file.options, "margin": margin}))
    with pytest.raises(BadInput, match=r"crafted\.book"):
        open_book(game, crafted)


@pytest.mark.parametrize("value", [STEPS + 1, -STEPS - 1, -(2**15)])
def test_values_beyond_what_the_game_pays_are_refused(path: Path, tmp_path: Path, value: int) -> None:
    file = read_model(path)
    values, crafted = file.arrays["values"].copy(), tmp_path / "crafted.book"
    for last, refused in ((STEPS if value > 0 else -STEPS, False), (value, True)):
        values[-1] = last
        save_model(crafted, replace(file, arrays={**file.arrays, "values": values}))
        if refused:
            with pytest.raises(BadInput, match=r"crafted\.book cannot be used: it is damaged"):
                open_book(game, crafted)
        else:
            assert len(open_book(game, crafted)) == len(values)


def test_a_book_takes_the_place_of_no_other_file(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    weights = Path(book_of(load_game("othello")).path).with_name("patterns.knowledge")
    other = tmp_path / "other.knowledge"
    other.write_bytes(weights.read_bytes())
    for place in (notes, other):
        before = place.read_bytes()
        with pytest.raises(BadInput, match=f"{place.name} is there already, and is no opening book"):
            build_book(game, place, expanded=1, nodes=10)
        assert place.read_bytes() == before
    empty = tmp_path / "empty.book"
    empty.touch()
    for _ in range(2):  # an empty file holds nothing, and a book may take the place of another
        assert len(build_book(game, empty, expanded=1, nodes=10)) > 1


def test_a_book_of_another_game_and_a_file_of_weights_are_refused(path: Path) -> None:
    with pytest.raises(BadInput, match="is not of this"):
        open_book(load_game("connect-four"), path)
    with pytest.raises(BadInput, match="is no opening book"):
        open_book(load_game("othello"), Path(book_of(load_game("othello")).path).with_name("patterns.knowledge"))


def test_games_of_chance_can_have_no_book(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="dice"):
        build_book("pig", tmp_path / "pig.book", expanded=1)


def turn(rules: Any, mode: str) -> Turn:
    state = rules.start_state
    legal = tuple(int(action) for action in rules.actions(state))
    return Turn(state, 0, legal, (), Clock(Mode.parse(mode), 1.0), seeded(1))


def test_a_player_takes_moves_from_the_book_where_time_counts(path: Path) -> None:
    player = SearchPlayer("search", book=str(path))
    player.prepare(game)
    player.choose(game, turn(game, "move:1s"))
    assert player.info["book"] and player.info["nodes"] == 0
    player.choose(game, turn(game, "nodes:50"))
    assert "book" not in player.info and player.info["nodes"] > 0
    without = SearchPlayer("search", book="no")
    without.prepare(game)
    without.choose(game, turn(game, "move:0.1s"))
    assert "book" not in without.info


def test_a_damaged_book_ends_a_player_before_the_game(tmp_path: Path) -> None:
    (tmp_path / "bad.book").write_text("no book")
    with pytest.raises(BadInput, match=r"bad\.book"):
        SearchPlayer("search", book=str(tmp_path / "bad.book")).prepare(game)


def test_othello_comes_with_a_book_that_its_players_use() -> None:
    othello = load_game("othello")
    book = book_of(othello)
    assert isinstance(book, Book) and len(book) > 500
    assert Path(book.path).stat().st_size <= LARGEST
    assert len(book.moves(othello.start_state)) == 4
    reply = othello.play_moves(othello.start_state, "f5")
    best = othello.format_action(reply, book.moves(reply)[0].action)
    assert best in ("d6", "f6")  # the parallel opening is known to be the worst
    assert book_of(load_game("othello:size=6")) is None
    assert SearchPlayer("search").chosen_book(othello) is book
    assert SearchPlayer("search", knowledge="hand").chosen_book(othello) is None
    assert np.all(np.diff(book.keys.astype(np.float64)) >= 0)


@pytest.mark.parametrize("most", [60, pytest.param(9999, marks=pytest.mark.slow)])
def test_where_othellos_book_answers_it_knows_every_move_and_the_best_is_what_the_position_is_worth(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its makers valued all moves in 400 positions, and it answers in no others."""
    othello = load_game("othello")
    book = book_of(othello)
    key_of = cache(book_key)
    monkeypatch.setattr("plywright.books.book.book_key", key_of)  # turning and mirroring take the time
    waiting, seen, answered = [othello.start_state], set(), 0
    while waiting and answered < most:
        state = waiting.pop()
        if (place := key_of(othello, state)) in seen:
            continue
        seen.add(place)
        if moves := book.moves(state):
            answered += 1
            assert sorted(move.action for move in moves) == sorted(othello.actions(state))
            assert moves[0].value == pytest.approx(book.value(state), abs=1.01 * book.step)
            waiting += [othello.state_after(state, move.action) for move in moves]
    assert answered == min(most, 400)


def test_a_line_of_othellos_book_ends_where_only_some_moves_are_valued() -> None:
    othello = load_game("othello")
    state = othello.play_moves(othello.start_state, "f5d6c4f4f6d3")
    book = book_of(othello)
    assert book.value(state) > 10 and book.value(othello.play_moves(state, "c3")) > 0  # c3 gives 12 discs away
    assert book.moves(state) == [] and book.choose(state, seeded(1)) is None


def test_moves_that_end_the_game_count_by_what_they_pay(tmp_path: Path) -> None:
    """Two in a row on two by two squares: whoever begins wins with the second move, whatever it is."""
    row = load_game("mnk:m=2,n=2,k=2")
    book = build_book(row, tmp_path / "row.book", expanded=40, nodes=50)
    second = row.play_moves(row.start_state, "a1 b1")
    assert [move.value for move in book.moves(second)] == [1.0, 1.0]
    assert book.choose(second, seeded(1)).value == book.value(second) == book.value(row.start_state) == 1.0


def test_a_book_that_cannot_be_saved_is_not_begun(tmp_path: Path) -> None:
    game, begun = load_game("tic-tac-toe"), []
    for place, why in [
        (tmp_path / "missing" / "x.book", f"there is no folder {tmp_path / 'missing'}"),
        (tmp_path, "that is a folder"),
        (Path("/proc/x.book"), "the folder /proc cannot be written to"),
    ]:
        with pytest.raises(BadInput, match=f"the book cannot be saved as {place}: {why}"):
            build_book(game, place, expanded=2, nodes=50, progress=begun.append)
    assert begun == [] and list(tmp_path.iterdir()) == []


def test_ctrl_c_ends_a_book_with_what_there_is(tmp_path: Path) -> None:
    """It falls into one of the searches, which takes it for its own end."""
    othello, place = load_game("othello"), tmp_path / "part.book"
    sent, began = [], time.monotonic()

    def interrupt(progress: Any) -> None:
        if not sent:
            sent.append(progress.expanded)
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()

    book = build_book(othello, place, expanded=100_000, nodes=20_000, seconds=60, progress=interrupt)
    assert sent and len(open_book(othello, place)) == len(book) and time.monotonic() - began < 30
    before = place.read_bytes()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):  # nothing yet: a book that is there stays
        build_book(othello, place, expanded=10, nodes=100_000_000)
    assert place.read_bytes() == before


def test_the_book_of_a_broken_installation_is_named_with_how_to_play_without(
    tmp_path: Path,
) -> None:
    """Whoever asks says which option of theirs does without it; a file that the user names is no part of Plywright."""
    broken = tmp_path / "broken.book"
    broken.write_bytes(b"no book")

    class Broken(Othello):
        def opening_book(self) -> Path:
            return broken

    othello = Broken(size=6)
    with pytest.raises(
        BadInput, match=r"broken\.book cannot be used: .*: install Plywright again; book=no does without"
    ):
        SearchPlayer("search").chosen_book(othello)
    with pytest.raises(BadInput, match=r"install Plywright again$"):
        book_of(othello)
    with pytest.raises(BadInput, match=r"cannot be used: .*; book=no does without") as named:
        SearchPlayer("search", book=str(broken)).chosen_book(othello)
    assert "install" not in str(named.value)
