"""Who may sit at a table: people, the engine, chance players, and the programs that the page was started with.

A browser names an engine by the same texts as a match does (`pvs:depth=6`), but neither files nor commands:
those would be code that whoever has the page's token can run. Programs are named on the command line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ...arena.lineup import OWN, PROGRAMS, make_player
from ...engine.registry import check_suitable
from ...errors import BadInput
from ...game import Game
from ...games.registry import is_path
from ...players import Mode, Player
from ...players.level import level_player
from ...players.searching import NAMES, SearchPlayer, read_options
from ...players.simple import FirstPlayer, RandomPlayer
from ..fields import Fields
from ..learning.trainings import checkpoint_words, is_checkpoint

HUMAN, ENGINE, RANDOM, FIRST, LEVEL, LEARNED = "human", "engine", "random", "first", "level", "learned"
STRENGTHS = (
    "beginner",
    "novice",
    "learner",
    "casual player",
    "keen player",
    "club player",
    "strong player",
    "expert",
    "candidate master",
    "master",
)
"""The names of level:1 to level:10."""
FULL = "full strength"
"""The engine with all it knows, at the pace of the table."""
MOST = {
    "time": 60.0,
    "table": 512.0,
    "memory": 512.0,
    "threads": 4,
    "depth": 99,
    "nodes": 10**9,
    "deals": 10_000,
    "simulations": 10**9,
    "inner_nodes": 10**9,
    "outcomes": 100_000,
}
"""The largest value of each option of an engine; in any case it thinks no longer than MOST_THINKING."""
MOST_THINKING = 120.0
KINDS = {
    "move": "seconds per move",
    "budget": "seconds per game",
    "depth": "plies deep",
    "nodes": "nodes per move",
}
RANGES = {"move": (0.05, 60.0), "budget": (1.0, 7200.0), "depth": (1, 60), "nodes": (1, 10**9)}
USUAL = {"move": 1.0, "budget": 300.0, "depth": 6, "nodes": 100_000}


def check_programs(programs: Sequence[str]) -> tuple[str, ...]:
    """The programs and files of the command line; raises BadInput for what is neither."""
    for text in programs:
        kind, _, rest = text.partition(":")
        if not (kind in (*PROGRAMS, "policy") and rest.strip()) and ".py" not in text:
            known = ", ".join(f"{kind}:COMMAND" for kind in PROGRAMS)
            raise BadInput(f"{text!r} is no program: write {known}, ./my_player.py or policy:FILE, as for a match")
    return tuple(dict.fromkeys(programs))


def check_learned(files: Sequence[str]) -> tuple[str, ...]:
    """The trainings of the command line; raises BadInput for a file that is none, or has no checkpoints beside it."""
    from ...learning.ladder import ladder  # a page without a training need not know how to train

    for each in files:
        ladder(each)
    return tuple(str(Path(each).resolve()) for each in files)


def learned_for(game: Game, files: Sequence[str]) -> str:
    """The first of these trainings that is of this game; empty where none is."""
    if not files:
        return ""
    from ...models.model_file import read_header

    return next((each for each in files if read_header(each).fits(game)), "")


def read_seats(
    fields: Fields, game: Game, programs: Sequence[str], mode: Mode, learned: Sequence[str] = ()
) -> list[str]:
    """The seats of a form: `seat0`, and for an engine `engine0` and `strength0`.

    Raises BadInput where nobody can sit so, and Unsuitable where that engine cannot play the game at that pace.
    """
    seats = []
    for seat in range(game.players):
        usual = HUMAN if seat == 0 else ENGINE
        trained = [LEARNED] if learned_for(game, learned) else []
        chosen = fields.choice(f"seat{seat}", (HUMAN, ENGINE, RANDOM, FIRST, *trained, *programs), usual)
        if chosen == LEARNED:
            strength = fields.whole(f"strength{seat}", len(STRENGTHS), 1, len(STRENGTHS) + 1)
            chosen = f"{LEARNED}:{min(strength, len(STRENGTHS))}"
        if chosen == ENGINE:
            chosen = _engine(fields, seat)
            player = make_player(chosen, game)
            if isinstance(player, SearchPlayer) and player.algorithm is not None:
                check_suitable(game, player.algorithm, player.options)
                player.check_mode(mode)
        seats.append(chosen)
    return seats


def _engine(fields: Fields, seat: int) -> str:
    """The engine of a seat: the search that was written, or the strength that was chosen."""
    written = fields.text(f"engine{seat}", "search", 200) or "search"
    strength = fields.whole(f"strength{seat}", len(STRENGTHS) + 1, 1, len(STRENGTHS) + 1)
    if written == "search" and strength <= len(STRENGTHS):
        return f"{LEVEL}:{strength}"
    return read_engine(written)


def read_engine(text: str) -> str:
    """The text of an engine, checked; raises BadInput for what is none, or asks for too much."""
    kind, _, rest = text.partition(":")
    if kind in OWN:
        return _own(text, kind, rest)
    if kind == LEVEL:
        level_player(text, rest)
        return text
    if kind not in NAMES:
        raise BadInput(f"{text[:60]!r} is no engine of the page; there are {', '.join(NAMES)}, such as pvs:depth=6")
    for option, value in read_options(text, kind, rest).items():
        if option == "knowledge" and is_path(value) and not is_checkpoint(value):
            raise BadInput("the page takes knowledge by its name, not from a file")
        if option in MOST and not value <= MOST[option]:
            raise BadInput(f"{option}={str(value)[:40]} is too much for the page: at most {MOST[option]:g}")
    return text


def _own(text: str, kind: str, rest: str) -> str:
    """The text of a player of one game, checked: it takes numbers, but no file."""
    for part in filter(None, rest.split(",")):
        option, _, value = part.partition("=")
        if option not in MOST:
            raise BadInput(f"{text[:60]!r}: the page takes {kind} by itself or with numbers such as deals=20")
        if not value.isdecimal() or not float(value) <= MOST[option]:
            raise BadInput(f"{text[:60]!r}: {option} is a whole number of at most {MOST[option]:g} on the page")
    return text


def read_mode(fields: Fields) -> Mode:
    """The pace of a form."""
    kind = fields.choice("pace", tuple(KINDS), "move")
    least, most = RANGES[kind]
    amount = fields.number("amount", USUAL[kind], least, most)
    increment = fields.number("increment", 0.0, 0.0, 600.0)
    if kind in ("depth", "nodes"):
        return Mode(kind, int(amount))
    return Mode(kind, amount, increment if kind == "budget" else 0.0)


def is_human(text: str) -> bool:
    return text == HUMAN


def is_program(text: str) -> bool:
    """Whether it is a player that only the command line may name."""
    return text.partition(":")[0] not in (HUMAN, RANDOM, FIRST, LEVEL, LEARNED, *NAMES, *OWN)


def seat_words(text: str) -> str:
    """Who sits there, in a word or two."""
    kind, _, number = text.partition(":")
    if kind in (LEVEL, LEARNED) and re.fullmatch("[0-9]{1,4}", number) and 1 <= int(number) <= len(STRENGTHS):
        return f"{'learned, ' if kind == LEARNED else ''}{STRENGTHS[int(number) - 1]}, level {number}"
    words = {HUMAN: "a person", RANDOM: "random moves", FIRST: "the first legal move", "search": "the engine"}
    return words.get(text, text if is_program(text) else checkpoint_words(text) or f"the engine ({text})")


def seated(text: str, game: Game, mode: Mode, programs: Sequence[str], learned: Sequence[str] = ()) -> Player:
    """The player of a seat; raises BadInput for a program that this start of the page was not given."""
    if text in (RANDOM, FIRST):
        return RandomPlayer() if text == RANDOM else FirstPlayer()
    if text.partition(":")[0] == LEARNED:
        from ...learning.ladder import at_level

        file, level = learned_for(game, learned), text.partition(":")[2]
        if not file or not re.fullmatch("[0-9]{1,4}", level):
            raise BadInput(f"a training of {game.name} sits here: start the page with plywright web --knowledge FILE")
        return SearchPlayer("search", text, knowledge=str(at_level(file, int(level)).path), book="no")
    if is_program(text) and text not in programs:
        raise BadInput(f"{text!r} sits here, but the page was not started with it: plywright web --program {text!r}")
    player = make_player(text if is_program(text) else read_engine(text), game)
    player.mode = mode
    return player
