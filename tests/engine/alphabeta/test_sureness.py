"""What a search says once it has reached the end by guessing: no outcome is called proved that an estimate bears."""

from __future__ import annotations

import pytest

from plywright import Game, analyse, load_game, search, solve
from plywright.games.othello.pattern_knowledge import PatternKnowledge, shipped_weights

WIPED_OUT_EARLY = (
    # Lines of two or four plies end these games; all others were guessed, and nobody was at their end.
    "--O-----OOO--O--OOOOOO-OOOOOOOOXOOOOOOOOOOOOOOOO-OOOOOOO----O-O- X",
    "-OOO-----XOOOOOO-OXOOOOO--OOOOOO--OOOOOO---OOOOO---OOOOO---OOOOO X",
)


def misled(game: Game) -> PatternKnowledge:
    """An evaluation that takes every lead for a deficit: what is proved must not depend on it."""
    return PatternKnowledge(game, -shipped_weights()[0])


@pytest.mark.parametrize("text", WIPED_OUT_EARLY)
def test_a_line_that_ends_early_proves_nothing_about_lines_that_were_guessed(text: str) -> None:
    game = load_game("othello:empties=none")
    state = game.read_state(text)
    wins = solve(game, state).value > 0
    for knowledge in (None, misled(game)):
        for found in analyse(game, state, nodes=60_000, confidence=0.99, algorithm="pvs", knowledge=knowledge):
            assert not found.note or found.depth > 6, "nobody is at the end of the game after so few plies"
            if "is proved" in found.note:
                assert ("win" in found.note) == wins, found.note


def test_who_wins_is_still_told_before_the_value_is_proved() -> None:
    game = load_game("othello")
    state = game.read_state("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X")
    notes = [found.note for found in analyse(game, state, nodes=2_000_000)]
    sure = [note for note in notes if note]
    assert sure[0].endswith("80% sure") and "a win is proved; by how much, 99% sure" in sure
    assert notes[-1] == ""  # proved


def test_a_misled_evaluation_proves_nothing_false() -> None:
    """Twelve lopsided positions, each asked at three confidences."""
    game = load_game("othello:empties=none")
    knowledge = misled(game)
    for number in range(12):
        state = game.start_state
        moves = 0
        while not game.is_terminal(state) and moves < 46:
            actions = list(game.actions(state))
            state = game.state_after(state, actions[(7 * moves + number) % len(actions)])
            moves += 1
        if game.is_terminal(state):
            continue
        value = solve(game, state).value
        for confidence in (0.6, 0.8, 0.99):
            for found in analyse(
                game, state, nodes=30_000, confidence=confidence, algorithm="pvs", knowledge=knowledge
            ):
                if "is proved" in found.note or found.proved:
                    claimed = "win" in found.note, "loss" in found.note, "draw" in found.note
                    if found.proved:
                        assert found.value == value
                    else:
                        assert claimed == (value > 0, value < 0, value == 0), (number, found.note, value)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("-XO-X-O-XXXXXXXXXXOXOOXOXOXOOXO-XXXOXOXOXXXXXXX-XXOOOOOXXOOOO-OO O", "d1"),  # 0 by other moves, -14 by this
        ("-XXXXX--OXXOOXX-OXOXXXXXOOOXXOXXOOXOOXXO-XOXXXXOXXOOOOOO-XXXXXX- O", "a6"),
    ],
)
def test_of_actions_that_are_chosen_from_nothing_is_told_that_others_pay(text: str, move: str) -> None:
    game = load_game("othello")
    state = game.read_state(text)
    action = game.parse_action(state, move)
    child = game.state_after(state, action)
    value = solve(game, child).values[int(game.to_move(state))]
    for found in analyse(game, state, nodes=100_000, only=[action]):
        assert found.action == action and "is proved" not in found.note
    assert found.value == value
    every = search(game, state, nodes=100_000, only=[action], all_actions=True)
    assert every.actions == {action: value} and every.action == action and not every.proved
