"""Othello games in GGF: what is written is read back, and what is damaged is named."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywright.errors import BadInput
from plywright.games.othello.rules import Othello
from plywright.rng import below, seeded

GAMES = {size: Othello(size=size) for size in (4, 6)}


def played(game: Othello, seed: int, skipped: int) -> tuple[object, list[int]]:
    """A random game to its end, from the state after its first moves on."""
    rng, state, states, actions = seeded(seed), game.start_state, [], []
    while not game.is_terminal(state):
        legal = [int(action) for action in game.actions(state)]
        states.append(state)
        actions.append(legal[below(rng, len(legal))])
        state = game.coerce_state(game.result(state, actions[-1]))
    return states[skipped], actions[skipped:]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    size=st.sampled_from([4, 6]),
    skipped=st.integers(0, 3),
    kept=st.integers(0, 40),
    names=st.lists(st.text(max_size=8), max_size=2),
    noted=st.booleans(),
)
def test_a_game_that_is_written_is_read_back(
    seed: int, size: int, skipped: int, kept: int, names: list[str], noted: bool
) -> None:
    game = GAMES[size]
    start, actions = played(game, seed, skipped)
    actions = actions[:kept]
    notes = [(-1.5 if number % 2 else None, 0.25 * number) for number in range(len(actions))] if noted else []
    text = game.format_game(start, actions, "ggf", names=names, payoffs=(2.0, -2.0), notes=notes)
    assert game.parse_record(text) == (start, actions)
    without = text.replace("B[PA]", "").replace("W[PA]", "")  # a pass is forced: some writers leave it out
    found = game.parse_record(without)
    assert found is not None and found[1] == actions[: len(found[1])]
    assert set(actions[len(found[1]) :]) <= {game.pass_action}, "nothing tells of a pass at the very end"


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_what_is_damaged_is_told_in_a_sentence_or_still_a_game(data: st.DataObject) -> None:
    game = GAMES[4]
    text = game.format_game(*played(game, data.draw(st.integers(0, 50)), 0), "ggf", names=["Ann", "Bob"])
    place = data.draw(st.integers(2, len(text)))
    if data.draw(st.booleans()):
        text = text[:place]
    else:
        text = text[:place] + data.draw(st.text("();[]*-OBWGMPA5/\\é \n", max_size=4)) + text[place + 1 :]
    try:
        found = game.parse_record(text)
    except BadInput as error:
        assert str(error)
    else:
        assert found is not None
        state = found[0]
        for action in found[1]:
            assert action in list(game.actions(state))
            state = game.coerce_state(game.result(state, action))


RECORD = "(;GM[Othello]PB[a]PW[b]TY[4]BO[4 -----O*--*O----- *]B[B1]W[A1/-1.0/2];)"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (RECORD[:-1], "breaks off after W"),
        (RECORD.replace("]W", "W"), "move 1 of the game, B.B1W.A1"),
        (RECORD.replace("W[A1/-1.0/2]", "W A1"), "is damaged after B.B1.: 'W A1"),
        (RECORD * 2, "one game at a time"),
        (RECORD.replace("Othello", "Chess"), "a game of 'Chess'"),
        (RECORD.replace("BO[", "XX["), "has no board"),
        (RECORD.replace("BO[4", "BO[8"), "8x8 squares, and this is .*: choose othello:size=8"),
        (RECORD.replace("BO[4", "BO[10"), "10x10 squares, and this is .*: there are boards of 4, 6, 8"),
        (RECORD.replace("BO[4", "BO[99999999"), "the game has no board: BO"),
        (RECORD.replace("BO[4", "BO[\u0668"), "the game has no board: BO"),  # a digit, but no plain one
        (RECORD.replace("-----O", "-?---O"), "board BO cannot be read"),
        (RECORD.replace("B[B1]", "B[Z9]"), "move 1 of the game, B.Z9.: 'z9'"),
        (RECORD.replace("W[A1", "B[A1"), "move 2 of the game, B.A1.*White's turn"),
        ("(;", "breaks off at its beginning"),
    ],
)
def test_damaged_games_are_named(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        GAMES[4].parse_record(text)


def test_a_line_of_moves_is_no_record() -> None:
    assert GAMES[4].parse_record("b1a1") is None and GAMES[4].parse_record("") is None
    assert GAMES[4].parse_record(RECORD) is not None


def test_a_text_of_several_games_is_split_where_each_begins() -> None:
    """The games of a match are one to a line; a broken one ends where the next line begins another."""
    game = GAMES[4]
    named = game.format_game(*played(game, 3, 0), "ggf", names=["x;)(;y", "a\n(;b"])
    assert game.split_records(named) == [named]
    assert game.split_records(f"{RECORD}\n\n{named} {RECORD}\n") == [RECORD, named, RECORD]
    broken = RECORD[:40]
    assert game.split_records(f"{RECORD}\n{broken}\n{RECORD}") == [RECORD, broken, RECORD]
    assert game.split_records(f"{RECORD} and more") == [f"{RECORD} and more"]
    assert game.split_records("b1a1\nb1") == ["b1a1\nb1"]
    assert len(game.split_records("(;A[\n" * 100_000 + ";)" + "\n" * 100_000)) == 100_000
