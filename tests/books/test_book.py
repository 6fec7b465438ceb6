"""Opening books: built by search, one checksummed file, refused by name if damaged, played from where time counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, load_game
from plywright.books import Book, book_of, build_book, open_book
from plywright.books.book import LARGEST, book_key
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
