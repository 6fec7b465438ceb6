"""plywright book: built, looked into, refused in one line."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from plywright import load_game
from plywright.cli.knowledge.book import default_path
from plywright.games.chess.polyglot import polyglot_key

Invoke = Callable[..., tuple[int, str, str]]


def test_a_book_is_built_and_looked_into(plywright: Invoke) -> None:
    status, out, err = plywright(
        "book", "build", "tic-tac-toe", "--positions", "6", "--nodes", "5000", "--to", "my.book"
    )
    assert status == 0 and "wrote my.book: " in out, err
    status, out, err = plywright("book", "show", "tic-tac-toe", "my.book", "--moves", "a1", "--json")
    found = json.loads(out)
    assert status == 0 and found["moves"]["b2"] == 0 and found["opening"] == "", err
    status, out, err = plywright("book", "show", "tic-tac-toe", "my.book", "--moves", "a1 b2 c3 c1 a3 a2 b3")
    assert status == 0 and "the game is over here" in out, err
    status, out, err = plywright("book", "show", "tic-tac-toe", "my.book", "--moves", "a1 a2 a3 b1 b3 b2")
    assert status == 0 and "does not have this position" in out, err


def test_othello_shows_its_own_book_with_names(plywright: Invoke) -> None:
    status, out, err = plywright("book", "show", "othello", "--moves", "f5d6")
    assert status == 0 and "opening: Perpendicular" in out and "c3" in out, err
    status, out, err = plywright("book", "show", "othello", "--moves", "f5d6c4f4f6d3")
    assert status == 0 and "a line of the book ends here" in out and "+10.82 discs for Black" in out, err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show", "tic-tac-toe"), "comes without a book"),
        (("show", "tic-tac-toe", "none.book"), "none.book"),
        (("show", "tic-tac-toe", "bad.book"), "bad.book"),
        (("build", "pig"), "dice"),
        (("build", "tic-tac-toe", "--to", "no/folder/my.book", "--positions", "1", "--nodes", "10"), "my.book"),
        (("build", "tic-tac-toe", "--positions", "0"), "positions"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(plywright: Invoke, words: tuple[str, ...], told: str) -> None:
    Path("bad.book").write_bytes(b"PK no book")
    status, _, err = plywright("book", *words)
    assert status == 2 and told in err and "Traceback" not in err


def test_a_book_that_was_built_is_found_again_by_what_is_said(plywright: Invoke) -> None:
    status, out, err = plywright("book", "build", "mnk:m=3,n=3,k=3", "--positions", "1", "--nodes", "10")
    assert status == 0 and "plywright book show mnk:m=3,n=3,k=3 mnk-m-3-n-3-k-3.book" in out, err
    status, _, err = plywright("book", "show", "mnk:m=3,n=3,k=3")
    assert status == 2 and "mnk-m-3-n-3-k-3.book is here: `plywright book show mnk" in err
    assert default_path("./some/mygame.py:Mine") == Path("mygame.book")


def test_a_book_of_polyglot_is_called_that(plywright: Invoke) -> None:
    game = load_game("chess")
    Path("own.bin").write_bytes(struct.pack(">QHHI", polyglot_key(game.start_state), 12 << 6 | 28, 7, 0))
    status, _, err = plywright("book", "show", "chess", "own.bin")
    assert status == 2 and "own.bin cannot be used: it is a book of another kind, such as Polyglot's" in err
    assert "UCI's option BookFile reads it" in " ".join(err.split()) and "BadZipFile" not in err
    Path("bad.bin").write_bytes(b"PK no book")
    status, _, err = plywright("book", "show", "chess", "bad.bin")
    assert status == 2 and "Polyglot" not in err
