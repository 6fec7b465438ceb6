"""Mistakes with a Knowledge are told in a sentence that blames the right one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plywright import BadInput, Game, GameError, Knowledge, load_game, search
from plywright.games.connect_four.knowledge import ConnectFourKnowledge
from plywright.games.connect_four.rules import ConnectFour
from plywright.games.othello.rules import Othello
from plywright.knowledge import knowledge_of

NIM = "nim:heaps=2-3"


class Weighed(Knowledge):
    def __init__(self, game: Any) -> None:
        self.game = game
        self.weights = np.array([0.5])

    def evaluate(self, state: Any, player: int) -> float:
        lead = self.weights[len(self.weights) - 1]
        return float(lead if player == self.game.to_move(state) else -lead)


class Scaled(Knowledge):
    scale = "x"  # type: ignore[assignment]


class Told(Knowledge):
    def is_late(self, state: Any) -> bool:
        return True

    def finish(self, state: Any, low: int, high: int, work: Any) -> int:
        return "won"  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ([], "a name of the game's, a file or a Knowledge, not \\[\\]"),
        (7, "not 7"),
        (Weighed, r"knowledge is an object: Weighed\(game\), not the class"),
        (ConnectFourKnowledge, r"ConnectFourKnowledge\(game\)"),
    ],
)
def test_what_is_no_knowledge_is_refused(wrong: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        search(NIM, depth=2, knowledge=wrong)


class Centipawns(Knowledge):
    def evaluate(self, state: Any, player: int) -> float:
        return 35.0 if player == self.game.to_move(state) else -35.0


class Negamax(Knowledge):
    """For whoever is to move, whoever is asked for."""

    def evaluate(self, state: Any, player: int) -> float:
        return 0.25


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Centipawns, r"evaluate\(state, 0\) is 35 .*strictly inside utility_range, -1 to 1: scale it"),
        (Negamax, r"evaluate\(state, 0\) is 0.25, but evaluate\(state, 1\) is 0.25 .*in the view of `player`"),
    ],
)
def test_evaluations_that_are_no_utilities_are_refused_before_the_search(kind: type[Knowledge], words: str) -> None:
    game = load_game("tic-tac-toe")
    with pytest.raises(GameError, match=words):
        search(game, depth=2, knowledge=kind(game))


def test_knowledge_of_another_game_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^\w.* is knowledge of connect-four, not of nim"):
        search(NIM, depth=2, knowledge=ConnectFourKnowledge(load_game("connect-four")))


class Heap(Game):
    """The last of `size` things is for whoever takes it."""

    def __init__(self, size: int = 4) -> None:
        self.size = size

    def initial(self) -> Any:
        return self.size, 0

    def to_move(self, state: Any) -> int:
        return state[1]  # type: ignore[no-any-return]

    def actions(self, state: Any) -> Any:
        yield from range(1, min(state[0], 2) + 1)

    def result(self, state: Any, action: int) -> Any:
        return state[0] - action, 1 - state[1]

    def utility(self, state: Any, player: int) -> float:
        return 1 if player != state[1] else -1


def test_knowledge_of_a_game_with_other_parameters_says_which() -> None:
    words = "is knowledge of heap with size=5, and this one has size=4: take the game"
    with pytest.raises(BadInput, match=words):
        search(Heap(), depth=2, knowledge=Knowledge(Heap(5)))


def test_a_scale_that_is_no_number_is_the_authors() -> None:
    game = load_game(NIM)
    with pytest.raises(GameError, match="Scaled: scale is 'x': it is the lead, a number above 0"):
        search(game, depth=2, knowledge=Scaled(game))


def test_a_finish_that_brings_words_is_the_authors() -> None:
    game = load_game(NIM)
    with pytest.raises(GameError, match=r"finish\(\) is 'won'.*whole steps"):
        search(game, depth=2, knowledge=Told(game))


def test_an_array_that_was_resized_after_its_first_use_is_read_anew() -> None:
    game = load_game("nim:heaps=9-9-9")
    knowledge = Weighed(game)
    assert search(game, depth=1, knowledge=knowledge).value == pytest.approx(-0.5, abs=1e-3)
    knowledge.weights.resize(4096, refcheck=False)
    knowledge.weights[-1] = 0.25
    assert search(game, depth=1, knowledge=knowledge).value == pytest.approx(-0.25, abs=1e-3)


def test_knowledge_that_was_made_without_a_game_is_the_authors() -> None:
    class Alone(Knowledge):
        def __init__(self) -> None:
            self.weight = 1

    with pytest.raises(GameError, match=r"Alone was made without a game: write __init__\(self, game"):
        search(NIM, depth=2, knowledge=Alone())


def test_a_kept_depth_that_is_no_number_is_the_authors() -> None:
    class Kept(Knowledge):
        kept_depth = "x"  # type: ignore[assignment]

    game = load_game(NIM)
    with pytest.raises(GameError, match="Kept: kept_depth is 'x': it is a number of plies"):
        search(game, depth=2, knowledge=Kept(game))


@pytest.mark.parametrize("scale", [0.001, 1e-300, 5e-324])
def test_a_small_scale_makes_chances_small_and_no_error(scale: float) -> None:
    class Sharp(Knowledge):
        pass

    game = load_game(NIM)
    knowledge = Sharp(game)
    knowledge.scale = scale
    assert knowledge.chance(-0.9, game.start_state) == pytest.approx(0.0)
    assert knowledge.chance(0.0, game.start_state) == 0.5
    assert knowledge.chance(0.9, game.start_state) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("use_history", "x", "use_history is 'x': it is True or False"),
        ("probcut", "x", "probcut is 'x': it is a table that"),
        ("probcut", np.zeros(3), "probcut is .*: it is a table that"),
    ],
)
def test_facts_of_a_wrong_kind_are_the_authors(name: str, value: Any, message: str) -> None:
    class Odd(Knowledge):
        pass

    game = load_game(NIM)
    knowledge = Odd(game)
    setattr(knowledge, name, value)
    with pytest.raises(GameError, match=message):
        search(game, depth=2, knowledge=knowledge)


def test_an_array_that_was_reshaped_in_place_is_named() -> None:
    class Reshaped(Knowledge):
        runtime = ("weights",)

        def __init__(self, game: Game) -> None:
            self.weights = np.zeros(4)

        def evaluate(self, state: Any, player: int) -> float:
            return float(self.weights[0])

    game = load_game(NIM)
    knowledge = Reshaped(game)
    search(game, depth=2, knowledge=knowledge)
    knowledge.weights.shape = (2, 2)
    with pytest.raises(GameError, match=r"Reshaped\.weights has 2 dimensions by now, and had 1"):
        search(game, depth=2, knowledge=knowledge)


def test_a_subclass_with_its_own_evaluation_means_that_one() -> None:
    class Worthless(ConnectFour):
        def evaluate(self, state: Any, player: int) -> float:
            return 0.0

    class Named(ConnectFour):
        knowledge = ConnectFourKnowledge

        def evaluate(self, state: Any, player: int) -> float:
            return 0.0

    class Discs(Othello):
        def evaluate(self, state: Any, player: int) -> float:
            return 0.0

    class Larger(Othello):
        pass

    assert type(knowledge_of(Worthless())) is Knowledge and type(knowledge_of(Discs())) is Knowledge
    assert type(knowledge_of(Named())) is ConnectFourKnowledge
    assert type(knowledge_of(Larger())) is type(knowledge_of(Othello())) is not Knowledge
