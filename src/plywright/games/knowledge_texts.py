"""From text to knowledge: `hand`, `none`, `my.knowledge`, `./my.py:MyKnowledge`, `./my.py:MyKnowledge:size=4`."""

from __future__ import annotations

from pathlib import Path

from ..errors import BadInput, GameError, PlywrightError, shown
from ..game import Game
from ..knowledge import Knowledge, knowledge_of, named_knowledge
from ..models.model_file import SUFFIX
from .registry import import_file, is_path, read_parameters, split_path


def as_knowledge(game: Game, chosen: Knowledge | str | None = None) -> Knowledge:
    """The knowledge to search a game with: an object, a name, a file's, or the game's default where none is given."""
    if isinstance(chosen, str) and chosen.endswith(SUFFIX):
        return _learned_knowledge(game, chosen)
    if isinstance(chosen, str) and is_path(chosen):
        kept: dict[str | None, Knowledge] = game.__dict__.setdefault("_knowledge", {})
        if chosen not in kept:
            kept[chosen] = _from_file(game, chosen)
        return kept[chosen]
    return knowledge_of(game, chosen)


def _learned_knowledge(game: Game, text: str) -> Knowledge:
    """The model in a file, which is read again when it has changed: learning writes it anew."""
    from ..models.loading import open_model  # which takes a while: a search of a shipped game needs none

    opened: dict[str, tuple[object, Knowledge]] = game.__dict__.setdefault("_learned_files", {})
    stamp = _stamp(text)
    if text not in opened or stamp is None or opened[text][0] != stamp:
        opened.pop(text, None)  # where it cannot be read any more, nothing of it is left
        opened[text] = stamp, open_model(text, game)
    return opened[text][1]


def _stamp(path: str) -> tuple[int, ...] | None:
    """What changes with a file: which one it is, when it was written, and its size; None where there is none."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size


def know(game: Game, chosen: Knowledge | str | None) -> Game:
    """The game, whose searches take this knowledge from now on unless they are told otherwise."""
    if chosen is not None:
        game.__dict__.setdefault("_knowledge", {})[None] = as_knowledge(game, chosen)
    return game


def _from_file(game: Game, text: str) -> Knowledge:
    path_text, wanted, parameters = split_path(text)
    path = Path(path_text)
    if path.suffix != ".py" or not path.is_file():
        known = ", ".join(named_knowledge(game))
        raise BadInput(f"there is no file of knowledge {shown(path_text)}; by name {game.name} has {known}")
    module = import_file(path)
    classes = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Knowledge) and value.__module__ == module.__name__
    }
    if not classes:
        raise BadInput(f"{path.name} defines no knowledge: write a class that inherits from plywright.Knowledge")
    if wanted and wanted not in classes:
        raise BadInput(f"{path.name} defines no knowledge {wanted!r}; it has: {', '.join(classes)}")
    if not wanted and len(classes) > 1:
        choices = ", ".join(f"{path_text}:{name}" for name in classes)
        raise BadInput(f"{path.name} defines several kinds of knowledge; choose one: {choices}")
    cls = classes[wanted or next(iter(classes))]
    given = read_parameters(cls, parameters, text)
    try:
        made = cls(game, **given)
    except PlywrightError:
        raise
    except (Exception, SystemExit) as error:
        raise GameError(f"{text}: making a {cls.__name__} raised {type(error).__name__}: {error}") from error
    return knowledge_of(game, made)
