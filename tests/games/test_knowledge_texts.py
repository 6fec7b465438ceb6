"""Knowledge by name and from files, on the command line and in players' texts."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, Game, GameError, Knowledge, learn, load_game, search
from plywright.arena.lineup import make_player
from plywright.cli.app import run
from plywright.games import as_knowledge, know
from plywright.games.mnk import MNKKnowledge
from plywright.knowledge import NoKnowledge, knowledge_of

FILE = """
from plywright import Knowledge

class Backward(Knowledge):
    def __init__(self, game, weight=1):
        super().__init__(game)
        self.weight = weight

    def evaluate(self, state, player):
        return 0.5 * self.weight if player == 0 else -0.5 * self.weight

class Broken(Knowledge):
    def __init__(self, game):
        raise ValueError("no weights")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return path


def test_names_files_objects_and_none(file: Path) -> None:
    game = load_game("tic-tac-toe")
    assert type(as_knowledge(game)) is MNKKnowledge and isinstance(as_knowledge(game, "none"), NoKnowledge)
    found: Any = as_knowledge(game, f"{file}:Backward:weight=0.5")
    assert found.weight == 0.5 and as_knowledge(game, found) is found
    assert search(game, depth=1, knowledge=found, compiled=False).value == 0.25
    assert search(game, depth=1, knowledge=f"{file}:Backward", compiled=False).value == 0.5
    assert search(game, depth=1, knowledge="none", compiled=False).value == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "choose one: {}:Backward, {}:Broken"),
        ("{}:Other", "defines no knowledge 'Other'; it has: Backward, Broken"),
        ("{}:Backward:size=3", "has no parameter 'size'"),
        ("./nowhere.py", "there is no file of knowledge './nowhere.py'; by name tic-tac-toe has none"),
        ("hand", "tic-tac-toe has no knowledge 'hand'; there is none"),
    ],
)
def test_what_is_no_knowledge_is_named(file: Path, text: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        as_knowledge(load_game("tic-tac-toe"), text.replace("{}", str(file)))
    assert words.replace("{}", str(file)) in str(caught.value)


def test_a_constructor_that_raises_is_the_authors(file: Path) -> None:
    with pytest.raises(GameError, match="making a Broken raised ValueError: no weights"):
        as_knowledge(load_game("tic-tac-toe"), f"{file}:Broken")


def test_a_constructor_that_exits_or_loses_its_game_is_the_authors(file: Path) -> None:
    file.write_text(
        "from plywright import Game, Knowledge\n"
        "class Leaves(Knowledge):\n    def __init__(self, game):\n        raise SystemExit(3)\n"
        "class Lost(Knowledge):\n    def __init__(self, game):\n        self.game = 7\n"
        "class Gone(Game):\n    def __init__(self):\n        raise SystemExit(3)\n"
    )
    game = load_game("tic-tac-toe")
    with pytest.raises(GameError, match="making a Leaves raised SystemExit: 3"):
        as_knowledge(game, f"{file}:Leaves")
    with pytest.raises(GameError, match=r"Lost\.game is 7: it must stay the game it was made with"):
        as_knowledge(game, f"{file}:Lost")
    with pytest.raises(GameError, match="making a Gone raised SystemExit: 3"):
        load_game(f"{file}:Gone")


def test_knowledge_of_another_game_is_refused() -> None:
    other = Knowledge(load_game("mnk:m=4,n=4,k=4"))
    with pytest.raises(BadInput, match=r"^Knowledge is knowledge of mnk:m=4,n=4,k=4, not of tic-tac-toe"):
        search(load_game("tic-tac-toe"), depth=1, knowledge=other)


def test_players_and_commands_take_it(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    game = load_game("tic-tac-toe")
    player: Any = make_player(f"alphabeta:depth=1,knowledge={file}:Backward", game)
    assert player.options == {"knowledge": f"{file}:Backward"}
    assert run(["best", "tic-tac-toe", "--depth", "1", "--knowledge", f"{file}:Backward"]) == 0
    assert "+8 open lines" in capfd.readouterr().out
    assert run(["best", "tic-tac-toe", "--depth", "1", "--knowledge", "hand"]) == 2
    assert "has no knowledge 'hand'" in capfd.readouterr().err


def test_a_choice_holds_for_the_game_object(file: Path) -> None:
    game = know(load_game("tic-tac-toe"), "none")
    assert isinstance(knowledge_of(game), NoKnowledge)
    assert not isinstance(knowledge_of(load_game("tic-tac-toe")), NoKnowledge)


class Forgetful(Knowledge):
    """Calls no super().__init__()."""

    def __init__(self, game: Game, lead: float = 0.5) -> None:
        self.lead = lead

    def evaluate(self, state: Any, player: int) -> float:
        return self.lead if player == 0 else -self.lead


def test_no_super_init_is_needed_and_copies_keep_what_is_theirs() -> None:
    game = load_game("tic-tac-toe")
    known = Forgetful(game, 0.25)
    assert search(game, depth=1, knowledge=known, compiled=False).value == 0.25
    for twin in (copy.copy(known), pickle.loads(pickle.dumps(known))):
        assert twin.lead == 0.25 and twin.game.name == "tic-tac-toe" and twin.fingerprint == known.fingerprint
    with pytest.raises(BadInput, match=r"Forgetful\(game\) takes a game first, not 5"):
        Forgetful(5)  # type: ignore[arg-type]


def test_a_learned_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    path, text = tmp_path / "b.knowledge", "breakthrough:columns=4,rows=5"
    game = load_game(text)
    learn(text, games=20, pairs=0, save=path)
    first: Any = as_knowledge(game, str(path))
    assert as_knowledge(game, str(path)) is first  # nothing is read twice
    learn(text, games=300, pairs=0, seed=7, save=path)
    second: Any = as_knowledge(game, str(path))
    assert second.training["games"] == 300 and not np.array_equal(first.weights, second.weights)
    path.write_text("garbage")
    with pytest.raises(BadInput):
        search(game, depth=1, knowledge=str(path))
    path.unlink()
    with pytest.raises(BadInput):
        search(game, depth=1, knowledge=str(path))
