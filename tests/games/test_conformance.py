"""What holds for every game: written once, over the registry and a few other sizes."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from plywright import BadInput, Game, GameError, load_game, perft, search
from plywright.compiled import interpreted
from plywright.dice import roll
from plywright.errors import shown
from plywright.game import CHANCE
from plywright.games import GAMES
from plywright.rng import below, seeded

OTHER_SIZES = [
    "mnk:m=8,n=8,k=5",  # 64 cells: the last one is the sign of a word
    "connect-four:columns=5,rows=4",
    "connect-four:columns=8,rows=7",  # 64 bits with the spare ones
    "othello:size=6,empties=none",
    "breakthrough:columns=5,rows=5",
    "dots-and-boxes:columns=2,rows=2",
    "nim:heaps=1-2-3",
    "pig:target=20,players=1,turns=3,payoff=points",
    "slippery-grid:layout=maze,cost=1,slip=0.5,limit=20",
    "jewels:layout=corridor,moves=6",
]
NAMES = [*GAMES, *OTHER_SIZES]
every_game = pytest.mark.parametrize("name", NAMES)


@functools.cache
def game_of(name: str) -> Game:
    return load_game(name)


def compared(name: str) -> bool:
    """Not mnk, whose defaults are tic-tac-toe; test_chance_games and test_hidden_games compare the others."""
    game = game_of(name)
    return name != "mnk" and game.opposed and not game.has_chance and not game.hidden


COMPILED = [name for name in NAMES if compared(name)]


@functools.cache
def states_of(name: str) -> list[Any]:
    """States of three random games, finished ones included: all of them, or every so many of long games."""
    games = [[state for state, _ in play(game_of(name), seed)] for seed in (1, 2, 3)]
    apart = max(len(states) // 50 for states in games) + 1
    return [state for states in games for state in (*states[:-1:apart], states[-1])]


def choices_of(game: Game, state: Any) -> list[int]:
    """What may happen next; where chance is only drawn from, some of what may come."""
    if game.at_chance(state) and not game.lists_chance:
        return sorted({roll(game, state, seeded(seed)) for seed in range(8)})
    return game.choices(state)


def play(game: Game, seed: int) -> Iterator[tuple[Any, int | None]]:
    """The states of a random game with the action that led to each."""
    rng, state, last = seeded(seed), game.start_state, None
    while True:
        yield state, last
        if game.is_terminal(state):
            return
        choices = choices_of(game, state)
        last = int(choices[below(rng, len(choices))])
        state = game.coerce_state(game.result(state, last))


@every_game
def test_rules_are_pure_and_states_are_values(name: str) -> None:
    game = game_of(name)
    for state in states_of(name):
        before = repr(state)
        if not game.is_terminal(state):
            actions = choices_of(game, state)
            assert actions == choices_of(game, state)
            for action in actions:
                child = game.coerce_state(game.result(state, action))
                again = game.coerce_state(game.result(state, action))
                assert child == again and hash(child) == hash(again)
        assert repr(state) == before
    assert game.coerce_state(game.initial()) == game.start_state


@every_game
def test_actions_are_few_distinct_and_not_negative(name: str) -> None:
    game = game_of(name)
    for state in states_of(name):
        if not game.is_terminal(state):
            actions = choices_of(game, state)
            assert 1 <= len(actions) <= game.max_actions
            assert len(set(actions)) == len(actions) and min(actions) >= 0
            assert (CHANCE if game.has_chance else 0) <= game.to_move(state) < game.players


@every_game
def test_states_are_read_back_as_they_were_written(name: str) -> None:
    game = game_of(name)
    for state in states_of(name):
        text = game.format_state(state)
        assert "\n" not in text
        assert game.parse_state(text) == state, text


@every_game
def test_actions_are_read_back_as_they_were_written(name: str) -> None:
    game = game_of(name)
    for state in states_of(name):
        if not game.is_terminal(state):
            texts = {game.format_action(state, action): action for action in choices_of(game, state)}
            assert len(texts) == len(choices_of(game, state))
            shouted = Counter(text.upper() for text in texts)
            for text, action in texts.items():
                assert game.parse_action(state, text) == action
                if shouted[text.upper()] == 1:  # bxc3 and Bxc3 are two moves of chess
                    assert game.parse_action(state, f" {text.upper()} ") == action


@every_game
def test_a_game_is_read_back_from_its_line_of_moves(name: str) -> None:
    game = game_of(name)
    for seed in (1, 2, 3):
        moves, before, state = [], game.start_state, game.start_state
        for state, last in play(game, seed):
            if last is not None:
                moves.append(game.format_action(before, last))
            before = state
        assert game.split_moves(game.join_moves(moves)) == moves
        assert game.play_moves(game.start_state, game.join_moves(moves)) == state
        with pytest.raises(BadInput, match="over"):
            game.parse_action(state, moves[0])


@every_game
def test_what_one_player_wins_the_other_loses(name: str) -> None:
    game = game_of(name)
    low, high = game.utility_range
    for state in states_of(name):
        if game.is_terminal(state):
            utilities = [game.utility(state, player) for player in range(game.players)]
            assert not game.opposed or utilities[0] == -utilities[1]
            assert game.sum_bound is None or sum(utilities) <= game.sum_bound
            for utility in utilities:
                assert low <= utility <= high
                assert game.step is None or math.isclose(utility / game.step, round(utility / game.step))


@pytest.mark.parametrize("name", [name for name in NAMES if game_of(name).evaluates])
def test_an_evaluation_is_the_utility_at_the_end_and_lies_between_loss_and_win_before(name: str) -> None:
    game = game_of(name)
    low, high = game.utility_range
    for state in states_of(name):
        values = [game.evaluate(state, player) for player in range(game.players)]
        assert not game.opposed or values[0] == -values[1]
        assert game.sum_bound is None or sum(values) <= game.sum_bound + 1e-9
        for player, value in enumerate(values):
            if game.is_terminal(state):
                assert value == game.utility(state, player)
            else:
                assert low < value < high


@every_game
def test_nonsense_is_refused_in_one_sentence(name: str) -> None:
    game = game_of(name)
    start = game.start_state
    legal = game.format_action(start, choices_of(game, start)[0])
    for text in ("", "nonsense", "z99", "-7", "٣", "1000000000000000000000", "9" * 5000):
        with pytest.raises(BadInput) as caught:
            game.parse_action(start, text)
        assert shown(text) in str(caught.value)
        assert legal in str(caught.value) or game.to_move(start) == CHANCE  # a roll says what a roll is
    for text in ("nonsense", "\x00", "1/2/3/4", "XXXX", "9" * 5000):
        with pytest.raises(BadInput) as caught:
            game.parse_state(text)
        assert "\n" not in str(caught.value)
    with pytest.raises(BadInput, match="move 1"):
        game.play_moves(game.start_state, "nonsense")


@every_game
def test_pictures_say_the_same_in_svg_and_in_text(name: str) -> None:
    game = game_of(name)
    for number, (state, last) in enumerate(play(game, 1)):
        if number > 60 and not game.is_terminal(state):
            continue
        picture = game.picture(state, last)
        root = ElementTree.fromstring(picture.svg)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert picture.text.strip()


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_rules_count_the_same_lines(name: str) -> None:
    game = game_of(name)
    depth = 2 if name.startswith(("othello", "mnk:m=8", "nim", "breakthrough", "go")) else 3
    for finished in (True, False):
        with interpreted():
            plain = perft(game, depth, finished=finished)
        assert perft(game, depth, finished=finished) == plain


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_search_is_the_interpreted_one(name: str) -> None:
    game = game_of(name)
    states = [state for state in states_of(name) if not game.is_terminal(state)]
    for state in (states[0], states[len(states) // 3], states[-1]):
        plain = search(game, state, depth=2, algorithm="alphabeta", compiled=False)
        native = search(game, state, depth=2, algorithm="alphabeta")
        assert native.compiled and not plain.compiled
        assert (native.value, native.line, native.nodes) == (plain.value, plain.line, plain.nodes)


def test_a_game_adds_a_notation_by_writing_it() -> None:
    class Listed(type(game_of("nim:heaps=1-2-3"))):  # type: ignore[misc]
        notations = ("text", "list")

    class Written(Listed):
        def write_record(self, start: Any, actions: Any, notation: str, names: Any, payoffs: Any, notes: Any) -> str:
            return f"{notation} {list(actions)} {names[0]} {payoffs}"

    game = Written()
    actions = [next(iter(game.actions(game.start_state)))]
    assert game.format_game(game.start_state, actions, "list", names=["Ann"]) == f"list {actions} Ann None"
    assert game.format_game(game.start_state, actions) == game.format_action(game.start_state, actions[0])
    with pytest.raises(GameError, match=r"notations lists 'list', and no write_record\(\) writes it"):
        Listed().format_game(game.start_state, actions, "list")
