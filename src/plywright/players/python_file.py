"""A player from a file of one's own: `./my_player.py:Player`, with parameters `./my_player.py:Player:depth=3`."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
from pathlib import Path
from typing import Any

from ..errors import BadInput, PlywrightError
from ..game import Game
from ..games.registry import import_file, read_parameters
from .player import Player, takes_parts
from .policy import PolicyPlayer
from .turn import Turn


def load_player(text: str) -> Player:
    """The player that a path names: a class with `choose`, or a function policy(game, view, seat)."""
    place, _, rest = text.partition(".py")
    path = Path(f"{place}.py")
    wanted, _, parameters = rest.removeprefix(":").partition(":")
    if "=" in wanted:
        wanted, parameters = "", wanted
    if not path.is_file():
        raise BadInput(f"there is no file {str(path)!r}")
    found = _pick(path, vars(import_file(path)), wanted)
    if not isinstance(found, type):
        player: Player = PolicyPlayer(found, text)
    else:
        player = _construct(found, parameters, text)
    player.name = text
    player.fingerprint = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return player


def _pick(path: Path, names: dict[str, Any], wanted: str) -> Any:
    module = names["__name__"]
    offered = {
        name: value
        for name, value in names.items()
        if isinstance(value, type) and value.__module__ == module and callable(getattr(value, "choose", None))
    }
    if wanted:
        found = names.get(wanted)
        if isinstance(found, type) and wanted not in offered:
            raise BadInput(f"{path.name}: {wanted} is no player: it has no choose(game, turn)")
        if callable(found):
            return found
        raise BadInput(f"{path.name} defines no player {wanted!r}; it has: {', '.join(offered) or 'none'}")
    if len(offered) == 1:
        return next(iter(offered.values()))
    if not offered and callable(names.get("policy")):
        return names["policy"]
    which = f"several: {', '.join(offered)}; write {path}:NAME" if offered else "none: write a class with choose"
    raise BadInput(f"{path.name} defines {which}")


def _construct(cls: type, parameters: str, text: str) -> Player:
    given = read_parameters(cls, parameters, text)
    try:
        made = cls(**given)
    except PlywrightError:
        raise
    except (Exception, SystemExit) as error:
        raise BadInput(f"{text}: making a {cls.__name__} raised {type(error).__name__}: {error}") from error
    _check_choose(made, text)
    return made if isinstance(made, Player) else _Adapted(made)


def _check_choose(made: Any, text: str) -> None:
    """Refuse a `choose` that cannot be called as the referee calls it, before a game is lost by it."""
    try:
        signature = inspect.signature(made.choose)
    except (TypeError, ValueError):
        return
    for count in (2, 5):  # choose(game, turn), or the parts of a turn
        with contextlib.suppress(TypeError):
            signature.bind(*range(count))
            return
    raise BadInput(f"{text}: choose{signature} cannot be called; write choose(self, game, turn)")


class _Adapted(Player):
    """A class that has `choose` and does not inherit from Player; what else it has is called too."""

    def __init__(self, made: Any) -> None:
        self.made, self.takes_parts = made, takes_parts(made.choose, bound=True)
        self.info = {}
        for name in ("prepare", "begin", "observe", "end", "close"):
            if callable(getattr(made, name, None)):
                setattr(self, name, getattr(made, name))

    def choose(self, game: Game, turn: Turn) -> int:
        if self.takes_parts:
            self.made.legal, self.made.history = turn.legal, turn.history
            action = self.made.choose(game, turn.view, turn.seat, turn.clock, turn.rng)
        else:
            action = self.made.choose(game, turn)
        self.info = dict(getattr(self.made, "info", None) or {})
        return action  # type: ignore[no-any-return]  # judged by the referee
