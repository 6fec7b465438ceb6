"""Players as people write them: `alphabeta:depth=4`, `random`, `./my_player.py:Player`, `gtp:gtp-rhino`."""

from __future__ import annotations

import difflib
import re

from ..errors import BadInput, GameError
from ..game import Game
from ..players import Player
from ..players.bridge import BRIDGE, bridge_player
from ..players.level import level_player
from ..players.mixture import MixturePlayer
from ..players.person import HumanPlayer
from ..players.python_file import load_player
from ..players.searching import NAMES, SearchPlayer, read_options
from ..players.simple import FirstPlayer, RandomPlayer
from ..players.strategy import StrategyPlayer
from ..players.table import TablePlayer
from ..poker.holdem_players import RULES, BlueprintPlayer, RulePlayer
from ..programs.acpc import AcpcPlayer
from ..programs.gtp import GtpPlayer
from ..programs.json_lines import JsonPlayer
from ..programs.nboard import NboardPlayer
from ..programs.program_player import ProgramPlayer
from ..programs.uci import UciPlayer
from ..programs.xy import XyPlayer

PLAIN: dict[str, type[Player]] = {"random": RandomPlayer, "first": FirstPlayer, "human": HumanPlayer}
OWN = (*BRIDGE, "blueprint", *RULES)
"""Players of one game each, which run in process; after a colon a strategy may have a file."""
PROGRAMS: dict[str, type[ProgramPlayer]] = {
    "pipe": JsonPlayer,
    "json": JsonPlayer,
    "xy": XyPlayer,
    "uci": UciPlayer,
    "gtp": GtpPlayer,
    "nboard": NboardPlayer,
}
EXISTING = (
    f"{', '.join(NAMES)} (with depth=4, time=0.5, nodes=1000; mcts:simulations=1000), {', '.join(PLAIN)}, "
    f"level:1 to level:10, bridge:deals=10 and bridge-greedy (in bridge), "
    f"./my_player.py:Player, policy:FILE (a saved strategy), table:FILE (a solved game), "
    f"mixture:0.8*alphabeta:depth=2+0.2*random, acpc:PORT (a poker agent that connects), "
    f"blueprint (hold'em, with :FILE another strategy), {', '.join(RULES)}, "
    f"or a program: {', '.join(f'{kind}:COMMAND' for kind in PROGRAMS)}"
)
_PART = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*\*\s*(.+?)\s*", re.S)


def make_player(text: str, game: Game) -> Player:
    """The player a text means; raises BadInput with what exists when it means none."""
    if not isinstance(text, str) or not text.strip():
        raise BadInput(f"give a player: {EXISTING}")
    text = text.strip()
    kind, colon, rest = text.partition(":")
    if kind in PROGRAMS and colon:
        return _program(text, kind, rest, game)
    if kind == "mixture":
        return _mixture(text, rest, game)
    if kind == "policy" and colon:
        return StrategyPlayer(rest, game, text)
    if kind == "blueprint":
        return BlueprintPlayer(rest, game, text)
    if text in RULES:
        return RulePlayer(text, game)
    if kind == "acpc" and colon:
        return AcpcPlayer(rest, game, text)
    if kind == "table" and colon:
        return TablePlayer(rest, game, text)
    if kind == "level":
        return level_player(text, rest, own_player(game))
    if kind in BRIDGE:
        return bridge_player(text, kind, rest)
    if text == "search" and (own := own_player(game)) is not None:
        return own
    if kind in NAMES:
        return SearchPlayer(kind, text, **read_options(text, kind, rest))
    if text in PLAIN:
        return PLAIN[text]()
    if re.match(r".*\.py(:|$)", text):
        return load_player(text)
    named = [*NAMES, *PLAIN, *OWN, *PROGRAMS, "mixture", "policy", "table", "level", "acpc"]
    close = difflib.get_close_matches(kind, named, n=1)
    hint = f" (did you mean {close[0]}?)" if close and close[0] != kind else ""
    raise BadInput(f"there is no player {text!r}{hint}; there are {EXISTING}")


def own_player(game: Game) -> Player | None:
    """The player that a game names as its own; None where the engine's search plays it.

    Raises GameError where it names none: that is the game's fault, whatever was asked for.
    """
    text = game.own_player
    if not text:
        return None
    if not isinstance(text, str) or text.strip().partition(":")[0] in ("search", "level"):
        raise GameError(f"own_player of {game.name} is {text!r}: name a player that is not made of it, or none")
    try:
        return make_player(text, game)
    except BadInput as error:
        raise GameError(f"own_player of {game.name} is {text!r}: {error}") from None


def runs_program(text: str) -> bool:
    """Whether a player, or a part of a mixture, is a program."""
    return any(re.search(rf"(^|\*)\s*{kind}:", text) for kind in PROGRAMS)


def _program(text: str, kind: str, rest: str, game: Game) -> ProgramPlayer:
    """`KIND:COMMAND?option=value&option=value`; quotes around the command may be left in."""
    command, question, written = rest.rpartition("?")
    if not question or not re.match(r"[A-Za-z][\w ]*=", written):
        command, written = rest, ""
    options: dict[str, str] = {}
    for part in filter(None, written.split("&")):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise BadInput(f"{text!r}: write options as ?name=value&name=value, not {part!r}")
        options[key.strip()] = value.strip()
    command = command.strip()
    if len(command) > 1 and command[0] == command[-1] and command[0] in "\"'":
        command = command[1:-1]
    return PROGRAMS[kind](command, game, text, options)


def _mixture(text: str, rest: str, game: Game) -> MixturePlayer:
    parts: list[tuple[float, Player]] = []
    for piece in re.split(r"\+(?=\s*[0-9]*\.?[0-9]+\s*\*)", rest):
        found = _PART.fullmatch(piece)
        if found is None:
            raise BadInput(f"{text!r}: write a mixture as mixture:0.8*alphabeta:depth=2+0.2*random, not {piece!r}")
        parts.append((float(found[1]), make_player(found[2], game)))
    return MixturePlayer(parts, text)
