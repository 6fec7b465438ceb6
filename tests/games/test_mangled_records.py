"""Games, boards, suites, match states and ranges with something wrong in them: read, or refused in a sentence."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from test_mangled_notation import mangled

from plywright import Game, load_game
from plywright.errors import PlywrightError
from plywright.games.bridge.lin import format_lin, parse_lin
from plywright.games.bridge.pbn import format_pbn, parse_pbn
from plywright.games.equity import parse_range
from plywright.players.playing import Playing
from plywright.programs.acpc import hold_em, read_match_state
from plywright.rng import below, seeded

BOARD = """[Board "1"]
[Dealer "N"]
[Vulnerable "NS"]
[Deal "N:KJT9.43.AK62.QJ5 A84.QT2.QJ4.AT73 Q72.AJ95.985.K62 653.K876.T73.984"]
[Auction "N"]
1NT Pass 3NT Pass
Pass Pass
[Play "E"]
HT HA H6 H4
"""
SUITE = 'r1bqk1r1/1p1p1n2/p1n2pN1/2p1b2Q/2P1Pp2/1PN5/PB4PP/R4RK1 w q - bm Rxf4; am Qh4; id "one"; c0 "two";'
STATES = ("MATCHSTATE:0:30::9s8h|", "MATCHSTATE:1:30:c:|JdTc", "MATCHSTATE:0:30:crc/rc/cc/rf:9s8h|JdTc/8c8d5c/6s/2d")
RANGES = ("AsKs", "QQ+,AKo", "TT-77,A5s-A2s", "22+,KTs+,random")


def written(game: Game, notation: str) -> str:
    """A random game in a notation, with names that need care."""
    playing, rng = Playing(game), seeded(5)
    while not playing.is_over() and playing.ply < 30:
        legal = playing.legal()
        playing.step(legal[below(rng, len(legal))])
    return game.format_game(game.start_state, playing.actions, notation, names=["A]nn", 'B"ob'])


def records(name: str, notation: str) -> tuple[list[str], Callable[[str], Any]]:
    game = load_game(name)
    return [written(game, notation)], lambda text: [game.parse_record(one) for one in game.split_records(text)]


def kinds() -> dict[str, tuple[list[str], Callable[[str], Any]]]:
    """What is read, by name: right texts of it, and what reads them."""
    boards, dealt = parse_pbn(BOARD), hold_em(load_game("holdem"))
    return {
        "pgn": records("chess", "pgn"),
        "pdn": records("checkers", "pdn"),
        "ggf": records("othello", "ggf"),
        "sgf": records("go:size=5", "sgf"),
        "epd": ([SUITE], load_game("chess").parse_suite),
        "pbn": ([BOARD, format_pbn(boards)], parse_pbn),
        "lin": ([format_lin(boards)], parse_lin),
        "acpc": (list(STATES), lambda text: read_match_state(dealt, text)),
        "range": (list(RANGES), parse_range),
    }


@pytest.mark.parametrize("rounds", [40, pytest.param(1500, marks=pytest.mark.slow)])
def test_a_mangled_record_is_read_or_refused(rounds: int) -> None:
    for kind, (right, read) in kinds().items():
        dice, refused = random.Random(kind), 0
        for text in right:
            read(text)  # as it is written it can be read
        for _ in range(rounds):
            text = mangled(dice.choice(right), dice)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # variations that are skipped
                    read(text)
            except PlywrightError as error:
                refused += 1
                assert str(error).strip() and len(str(error)) < 3000, (kind, text[:200], str(error)[:200])
            except Exception as error:
                pytest.fail(f"{kind}: {text[:200]!r} raised {type(error).__name__}: {error}")
        assert refused > rounds // 4, kind
