"""From text to a game: `othello:size=6`, `figure-6.2`, `./mygame.py:Chomp`, `./mytree.json`."""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.util
import inspect
import sys
import warnings
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from ..errors import BadInput, GameError, LearnedNote, PlywrightError, shown
from ..game import Game
from ..knowledge import Knowledge
from ..models.model_file import SUFFIX, beaten
from .travelling import module_name, register


class Entry(NamedTuple):
    """One line of the registry: where the class is, and one line for people."""

    module: str
    cls: str
    about: str
    title: str = ""
    """The game's name in a heading, where it is not the text that means it with a capital letter."""


GAMES: dict[str, Entry] = {
    "tic-tac-toe": Entry("mnk", "TicTacToe", "three in a row on 3x3", "Tic-tac-toe"),
    "mnk": Entry("mnk", "MNK", "k in a row on m columns by n rows: mnk:m=4,n=4,k=4", "m, n, k in a row"),
    "connect-four": Entry(
        "connect_four", "ConnectFour", "four in a row, stones fall: connect-four:columns=7,rows=6", "Connect Four"
    ),
    "othello": Entry("othello", "Othello", "outflank and turn: othello:size=8 (4, 6 or 8),empties=winner (or none)"),
    "breakthrough": Entry("breakthrough", "Breakthrough", "first pawn across wins: breakthrough:columns=8,rows=8"),
    "checkers": Entry("checkers.rules", "Checkers", "English draughts: jump if you can: checkers:limit=40"),
    "chess": Entry("chess.rules", "Chess", "checkmate: chess:start=518 (0 to 959),draws=claimed (or automatic, none)"),
    "go": Entry("go", "Go", "surround and capture: go:size=9 (5 to 19),komi=7.5,score=win (or points)"),
    "dots-and-boxes": Entry(
        "dots_and_boxes", "DotsAndBoxes", "close a box, move again: dots-and-boxes:columns=3,rows=3", "Dots and Boxes"
    ),
    "nim": Entry("nim", "Nim", "heaps of stones, the last one wins: nim:heaps=3-4-5"),
    "subtraction": Entry("nim", "Subtraction", "one heap, take 1 to k: subtraction:stones=21,most=3"),
    "backgammon": Entry("backgammon", "Backgammon", "race, hit and bear off; gammons count double"),
    "pig": Entry("pig", "Pig", "roll on or hold: pig:target=100,payoff=win (or points),players=2 (or 1),turns=0"),
    "2048": Entry("twenty_forty_eight", "TwentyFortyEight", "one player slides and merges tiles"),
    "slippery-grid": Entry(
        "slippery_grid", "SlipperyGrid", "steps may slide sideways: slippery-grid:layout=classic,cost=0.04,slip=0.2"
    ),
    "dice-race": Entry("dice_race", "DiceRace", "three pawns walk or run: dice-race:length=24"),
    "hidden-coin": Entry("hidden_coin", "HiddenCoin", "bank, or bet on a coin that somebody covers"),
    "jewels": Entry("jewels", "Jewels", "two collectors, one purse: jewels:layout=garden,moves=12"),
    "kuhn": Entry("kuhn", "Kuhn", "one card, one bet: kuhn:players=2", "Kuhn poker"),
    "leduc": Entry("leduc", "Leduc", "two rounds of betting, one card in common", "Leduc poker"),
    "holdem": Entry(
        "holdem.rules",
        "Holdem",
        "Texas hold'em: holdem:players=2,betting=limit (or no-limit),blinds=5-10,stack=0,ranks=13,rounds=4",
        "Texas hold'em",
    ),
    "liars-dice": Entry(
        "liars_dice", "LiarsDice", "bid higher or call: liars-dice:players=2,dice=1,faces=6", "Liar's dice"
    ),
    "goofspiel": Entry(
        "goofspiel",
        "Goofspiel",
        "bid cards for prizes: goofspiel:cards=4,players=2,order=random,payoff=win (or points)",
    ),
    "phantom-tic-tac-toe": Entry(
        "phantom",
        "PhantomTicTacToe",
        "the other's marks are not seen: phantom-tic-tac-toe:m=3,n=3,k=3",
        "Phantom tic-tac-toe",
    ),
    "tricks": Entry(
        "tricks",
        "Tricks",
        "follow suit: tricks:suits=2,ranks=4,players=2,teams=0,hand=0,trump=none (or s, h, d, c),full=no",
    ),
    "bridge": Entry(
        "bridge.notation", "Bridge", "bid and play a deal: bridge:dealer=N,vulnerable=none (or NS, EW, both)"
    ),
    "hearts": Entry(
        "hearts", "Hearts", "avoid hearts and the black lady: hearts:ranks=13,passing=left (across, right, none)"
    ),
    "spades": Entry(
        "spades", "Spades", "bid tricks and take them, spades trump: spades:suits=4,ranks=13,players=4 (or 2)"
    ),
    "battleship": Entry("battleship", "Battleship", "sink a fleet not seen: battleship:size=4,ships=3-2"),
    "kriegspiel": Entry("kriegspiel", "Kriegspiel", "small chess with an umpire: kriegspiel:size=4,pieces=KR,limit=40"),
    "stratego": Entry(
        "stratego", "Stratego", "ranks show in battle: stratego:size=4,pieces=FBMX,limit=60,setup=chance (or players)"
    ),
    "pacman": Entry(
        "pacman", "Pacman", "eat all, do not be caught: pacman:layout=medium (or a file),evaluation=fitted", "Pac-Man"
    ),
    "random-tree": Entry(
        "trees.random_tree", "RandomTree", "uniform trees: random-tree:branching=3,depth=4,seed=1,ordering=random"
    ),
}


def title_of(name: str) -> str:
    """A game's name as a heading: `Connect Four`, `Othello, size 6`; a file is called as it is written."""
    if is_path(name):
        return name
    base, _, parameters = name.partition(":")
    title = (GAMES[base].title if base in GAMES else "") or base[:1].upper() + base[1:].replace("-", " ")
    return ", ".join([title, *(part.replace("=", " ") for part in parameters.split(",") if part)])


def as_game(game: Game | str) -> Game:
    """A game, or the one that a text means."""
    return load_game(game) if isinstance(game, str) else game


def load_game(name: str) -> Game:
    """The game a text means; raises BadInput with the nearest names when it means none."""
    if not isinstance(name, str) or not name.strip():
        raise BadInput("give a game: a name such as 'othello', or a path such as './mygame.py'")
    name = name.strip()
    if is_path(name):
        return _load_file(name)
    base, _, parameters = name.partition(":")
    if base in GAMES:
        return construct(class_of(base), parameters, name)
    from .trees.explicit_tree import FIGURES, ExplicitTree

    if base in FIGURES:
        return ExplicitTree.figure(base)
    close = difflib.get_close_matches(base, [*GAMES, *FIGURES], n=3)
    hint = f"did you mean {' or '.join(close)}?" if close else "`plywright games` lists them"
    raise BadInput(f"there is no game {shown(base)}; {hint} (a file needs a path such as ./mygame.py)")


def class_of(name: str) -> type[Game]:
    """The class of a registered game, without making one: some work out tables when they are made."""
    entry = GAMES[name]
    found: type[Game] = getattr(importlib.import_module(f".{entry.module}", __package__), entry.cls)
    return found


def construct(cls: type[Game], parameters: str, name: str) -> Game:
    """An instance with the parameters written after the colon."""
    given = read_parameters(cls, parameters, name)
    try:
        game = cls(**given)
    except PlywrightError:
        raise
    except (Exception, SystemExit) as error:
        raise GameError(f"{name}: making a {cls.__name__} raised {type(error).__name__}: {error}") from error
    if given or cls.__module__.startswith("plywright.") is False:
        game.__dict__["name"] = name
    return game


def read_parameters(cls: type, parameters: str, name: str) -> dict[str, Any]:
    """What is written after the colon as arguments of a class; raises BadInput for one that it does not have."""
    try:
        signature = inspect.signature(cls)
    except ValueError:
        signature = inspect.Signature()
    given: dict[str, Any] = {}
    for part in filter(None, (piece.strip() for piece in parameters.split(","))):
        key, equals, value = part.partition("=")
        if not equals or key not in signature.parameters:
            known = ", ".join(signature.parameters) or "none"
            raise BadInput(f"{name!r}: {cls.__name__} has no parameter {key!r}; it has: {known}")
        if key in given:
            raise BadInput(f"{name!r}: parameter {key!r} is given twice")
        given[key] = _number(value)
    return given


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def is_path(name: str) -> bool:
    """Whether a text means a game in a file."""
    stem = split_path(name)[0]
    return stem.endswith((".py", ".json", ".txt")) or "/" in stem or "\\" in stem


def split_path(name: str) -> tuple[str, str, str]:
    """path, class name, parameters of './mygame.py:Class:size=4'; a drive letter's colon stays."""
    head, drive = ("", name) if name[1:3] != ":\\" else (name[:2], name[2:])
    path, _, rest = drive.partition(":")
    cls, _, parameters = rest.partition(":")
    if "=" in cls:
        cls, parameters = "", cls
    return head + path, cls, parameters


def _load_file(name: str) -> Game:
    path_text, wanted, parameters = split_path(name)
    path = Path(path_text)
    try:
        folder, file = path.is_dir(), path.is_file()
    except (OSError, ValueError) as error:  # too long a name, or a character that no name has
        raise BadInput(
            f"{shown(path_text)} is no path of a file: {getattr(error, 'strerror', None) or error}"
        ) from None
    if folder:
        raise BadInput(f"{path_text!r} is a folder; a game is a file such as ./mygame.py")
    if not file:
        raise BadInput(f"there is no file {shown(path_text)}")
    if path.suffix in (".json", ".txt"):
        from .trees.explicit_tree import ExplicitTree

        return ExplicitTree.from_file(path)
    module = import_file(path)
    classes = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Game) and value.__module__ == module.__name__
    }
    if wanted and wanted not in classes:
        raise BadInput(f"{path.name} defines no game {wanted!r}; it has: {', '.join(classes) or 'none'}")
    if not classes:
        raise BadInput(f"{path.name} defines no game: write a class that inherits from plywright.Game")
    leaves = [c for c in classes.values() if not any(o is not c and issubclass(o, c) for o in classes.values())]
    if not wanted and len(leaves) > 1:
        raise BadInput(
            f"{path.name} defines several games; choose one: {', '.join(f'{path_text}:{k}' for k in classes)}"
        )
    game = construct(classes[wanted] if wanted else leaves[0], parameters, name)
    if path.with_suffix(SUFFIX).is_file():
        game.__dict__["_learned"] = functools.partial(_learned, game, path)
    return game


def _learned(game: Game, path: Path) -> Knowledge | None:
    """The knowledge beside a game's file, which is told; one of other rules is told of and left alone."""
    from ..models.loading import beside, open_model

    found = beside(path)
    try:
        model = open_model(found, game)
    except BadInput as error:
        warnings.warn(f"{found.name} is not used: {error}", LearnedNote, stacklevel=2)
        return None
    if beaten(model.training):
        warnings.warn(
            f"{found.name} is not used: it lost to the search without it when it was learned; learn for longer, or "
            "name it as the knowledge",
            LearnedNote,
            stacklevel=2,
        )
        return None
    games = model.training.get("games")
    how = f", learned from {games:,} games" if isinstance(games, int) else ""
    warnings.warn(f"{path.name} is searched with {found.name} beside it{how}", LearnedNote, stacklevel=2)
    return model


class _AsWritten(SourceFileLoader):
    """Compiles the text that is there: kept bytecode is taken for it after an edit of equal length in one second."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def import_file(path: Path) -> ModuleType:
    """Import a user's file under a name of its own, so that it never shadows another module."""
    resolved = path.resolve()
    name = module_name(resolved)
    spec = importlib.util.spec_from_file_location(name, resolved)
    if spec is None or spec.loader is None:
        raise BadInput(f"{path} cannot be imported as Python")
    if isinstance(spec.loader, SourceFileLoader):
        spec.loader = _AsWritten(name, str(resolved))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(resolved.parent))  # helpers beside the file
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        where = f", line {error.lineno}" if error.lineno else ""
        raise GameError(f"{path.name}{where}: {error.msg}") from error
    except (Exception, SystemExit) as error:
        place, line = error.__traceback__, 0
        while place is not None:
            if place.tb_frame.f_code.co_filename == str(resolved):
                line = place.tb_lineno
            place = place.tb_next
        raise GameError(f"{path.name}, line {line}, raised {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(resolved.parent))
    register(module, resolved)
    return module
