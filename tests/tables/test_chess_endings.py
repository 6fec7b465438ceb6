"""Small endings of chess by the builder of all tables: as many moves to mate as the books say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, load_game, search
from plywright.cli import main
from plywright.games import know
from plywright.games.chess.endings import ChessEndings
from plywright.knowledge import knowledge_of
from plywright.table_blocks import unpacked
from plywright.tables import Table, build_table, check_table


def built(which: str, folder: Path) -> Table:
    game = load_game("chess")
    return build_table(game, which, folder, knowledge=ChessEndings(game))


def longest(table: Table) -> int:
    """Moves of the longest win of the table's last ending, in which the bare king does its best."""
    record = table.records[-1]
    return (int(unpacked(table.data, record.place, record.positions).max()) - 1 + 1) // 2


@pytest.mark.parametrize(
    ("which", "moves"), [("KQK", 10), ("KRK", 16), ("KPK", 28), pytest.param("KBNK", 33, marks=pytest.mark.slow)]
)
def test_the_longest_mate_is_that_of_the_books(which: str, moves: int, tmp_path: Path) -> None:
    table = built(which, tmp_path)
    assert longest(table) == moves
    assert check_table(table).positions == table.positions


def test_every_number_but_the_holes_is_that_of_its_position() -> None:
    game = load_game("chess")
    knowledge, slices = ChessEndings(game).for_tables("KBNK")
    assert [name for name, _ in slices] == ["KBNK"]
    assert [name for name, _ in ChessEndings(game).for_tables("kpk")[1]] == ["KQK", "KRK", "KPK"]
    for numbering, total in ((knowledge, slices[0][1]), (ChessEndings(game).for_tables("KPK")[0], 425_984)):
        whole = 0
        for number in np.random.default_rng(2).integers(0, total, 400).tolist():
            if not numbering.is_hole(number):
                state = game.coerce_state(numbering.unindex(number))
                whole += 1
                why = game.check_state(state)  # a table has double checks that no move gives, too
                assert (not why or why.endswith("no move can have led to that")) and numbering.index(state) == number
        assert whole > 150


def test_a_position_and_its_mirror_images_share_a_number() -> None:
    game = load_game("chess")
    numbering, _ = ChessEndings(game).for_tables("KRK")
    texts = ("8/8/8/8/2k5/8/1R6/K7 w - - 0 1", "8/8/8/8/5k2/8/6R1/7K w - - 0 1", "k7/1r6/8/2K5/8/8/8/8 b - - 0 1")
    assert len({numbering.index(game.parse_state(text)) for text in texts}) == 1
    assert numbering.index(game.start_state) == -1
    assert numbering.index(game.parse_state("8/8/8/8/2k5/8/1Q6/K7 w - - 0 1")) == -1


def test_the_fifty_moves_bound_what_is_proved(tmp_path: Path) -> None:
    table = built("KRK", tmp_path)
    game = know(load_game("chess"), table.knowledge)
    found = search(game, game.parse_state("8/8/8/3k4/8/8/8/K6R w - - 0 1"), depth=2)
    assert found.proved and found.value == 1 and found.source == "table" and len(found.line) == found.distance
    late = search(game, game.parse_state("8/8/8/3k4/8/8/8/K6R w - - 90 1"), depth=2)
    assert not late.proved and 0.5 < late.value < 1


def test_the_command_line_builds_them_and_best_finds_the_one_that_has_the_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(*arguments: str) -> Any:
        assert main([*arguments, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    for which in ("KQK", "KRK"):
        found = answer("table", "build", "chess", "--pieces", which, "--folder", str(tmp_path))
        assert found["tables"] == which and found["slices"] == found["of_slices"]
    for text, distance in (("8/8/8/3k4/8/8/8/K6R w - - 0 1", 29), ("8/8/8/3K4/8/8/7q/k7 b - - 0 1", None)):
        found = answer("best", "chess", "--table", str(tmp_path), "--state", text, "--depth", "1")
        assert found["proved"] and found["value"] == 1 and found["source"] == "table"
        assert distance is None or found["distance"] == distance


def test_above_its_tables_a_search_knows_what_it_always_knows() -> None:
    game = load_game("chess")
    endings, usual = ChessEndings(game), knowledge_of(game)
    for text in (
        "r3k2r/pppq1ppp/2n2n2/3pp3/3PP3/2N2N2/PPPQ1PPP/R3K2R w KQkq - 0 1",
        "8/5k2/8/8/3K4/8/4R3/7q b - - 3 9",
    ):
        state = game.parse_state(text)
        assert endings.evaluate(state, 0) == usual.evaluate(state, 0) and endings.key(state) == usual.key(state)


def test_what_is_no_ending() -> None:
    game = load_game("chess")
    for which in ("", "KK", "KBK", "KNK", "QK", "KQKR", "KXK", "KPPK", "KQRBNK"):
        with pytest.raises(BadInput, match="tables of chess are named like"):
            ChessEndings(game).for_tables(which)
