"""One game out of a file: a run's record, its export as JSON lines, a notation of the game's, or a line of moves."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ...errors import BadInput, PlywrightError, shown
from ...files import read_bounded
from ...game import CHANCE, Game
from ...games import load_game
from ...games.registry import GAMES, class_of, is_path
from ..game_record import GameRecord
from ..schedules.openings import read_moves
from .export import last_attempts
from .replaying import recorded_game, steps
from .run_file import Records

DATABASE = b"SQLite format 3\x00"
LARGEST = 64_000_000
"""Bytes of a file of games."""
FROM = "from "
"""Before the position that a line of moves begins from."""


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played: where it began, the actions, and who played, where the file says so."""

    game: Game
    start: Any
    actions: tuple[int, ...]
    names: tuple[str, ...] = ()


def read_game(path: Path, given: str | None = None, number: int | None = None) -> PlayedGame:
    """The game in a file, or its `number`-th; `given` is the game's name where the file does not say it.

    Raises BadInput for a file that holds no game, or one that the rules do not allow, with the place.
    """
    try:
        with path.open("rb") as file:
            is_run = file.read(len(DATABASE)) == DATABASE
        data = b"" if is_run else read_bounded(path, LARGEST)
    except OSError as error:
        raise BadInput(f"the game {str(path)!r} cannot be read: {error.strerror or error}") from None
    if is_run:
        return _from_run(path, given, number)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{path} is no text and no record of a run: there is no game to read in it") from None
    if not text.strip():
        raise BadInput(f"{path} is empty: there is no game to read in it")
    try:
        if text.lstrip().startswith("{"):
            return _from_json(_one(text.splitlines(), number, path), given)
        return _from_text(text, given, number, path)
    except PlywrightError as error:
        raise type(error)(f"{path}: {error}") from None


def _from_run(path: Path, given: str | None, number: int | None) -> PlayedGame:
    with Records.open(path) as records:
        game, _ = recorded_game(records, given)
        numbers = [outcome.game for outcome in last_attempts(records)]
        if number is None and len(numbers) != 1:
            raise BadInput(f"{path} has {len(numbers)} games: say which, --number {numbers[0] if numbers else 1}")
        outcome, record = records.game(numbers[0] if number is None else number)
        names = tuple(records.plan.names[player] for player in outcome.seats)
        return _from_record(game, record, names)


def _from_record(game: Game, record: GameRecord, names: tuple[str, ...]) -> PlayedGame:
    first, *played = steps(game, record)
    return PlayedGame(game, first.state, tuple(int(step.action) for step in played if step.action is not None), names)


def _from_json(line: str, given: str | None) -> PlayedGame:
    """A line of `plywright export`."""
    try:
        data = json.loads(line)
        record = GameRecord.from_dict(
            {field.name: data[field.name] for field in fields(GameRecord) if field.name in data}
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BadInput("this is no line of `plywright export`, or a damaged one") from None
    if given is None and is_path(record.game):
        raise BadInput(f"this is a game of a file, {shown(record.game)}: name the file yourself, --game PATH")
    return _from_record(load_game(given or record.game), record, tuple(map(str, record.players)))


def _from_text(text: str, given: str | None, number: int | None, path: Path) -> PlayedGame:
    if given is None:
        return _recognised(text, number, path)
    game = load_game(given)
    if len(texts := game.split_records(text)) > 1:
        return _notation(game, _numbered(texts, number)) or _line_of_moves(game, _one(text.splitlines(), number, path))
    if number is None and (found := _notation(game, text)):
        return found
    line = _one(text.splitlines(), number, path)
    return _notation(game, line) or _line_of_moves(game, line)


def _recognised(text: str, number: int | None, path: Path) -> PlayedGame:
    """A game in a notation that says whose it is."""
    problems = {}
    for name in GAMES:
        if class_of(name).parse_record is Game.parse_record:
            continue
        game = load_game(name)
        texts = game.split_records(text)
        try:
            if len(texts) > 1:
                found = _notation(game, _numbered(texts, 1 if number is None else number))
            else:
                found = _notation(game, text if number is None else _one(text.splitlines(), number, path))
        except PlywrightError as error:
            problems[name] = error
            continue
        if found:
            _numbered(texts, number if len(texts) > 1 else 1)
            return found
    if len({str(error) for error in problems.values()}) == 1:
        raise next(iter(problems.values()))
    if problems:
        read = "; ".join(f"as {name}: {error}" for name, error in problems.items())
        raise BadInput(f"no game can be read here, {read}; --game names the game")
    raise BadInput("this does not say which game was played: name it, such as --game othello")


def _notation(game: Game, text: str) -> PlayedGame | None:
    record = game.parse_record(text)
    return None if record is None else PlayedGame(game, record[0], tuple(map(int, record[1])))


def _line_of_moves(game: Game, line: str) -> PlayedGame:
    """`f5 d6 c3`, or `from POSITION: c3`."""
    if game.has_chance:
        raise BadInput(f"a line of moves does not say what chance did in {game.name}: give the record of a run")
    if not line.startswith(FROM):
        return PlayedGame(game, game.start_state, read_moves(game, line)[0].actions)
    position, colon, moves = line[len(FROM) :].rpartition(": ")
    if not colon:
        raise BadInput(f"{shown(line)} is no line of moves: after `from` come a position, a colon and moves")
    start = state = game.read_state(position)
    actions = []
    for word in game.split_moves(moves):
        actions.append(int(game.parse_action(state, word)))
        state = game.state_after(state, actions[-1])
    return PlayedGame(game, start, tuple(actions))


def _one(lines: list[str], number: int | None, path: Path) -> str:
    """The one line that is no remark, or the number-th of them."""
    return _numbered([line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")], number)


def _numbered(found: list[str], number: int | None) -> str:
    """The number-th game; the only one where no number is given."""
    if number is None and len(found) > 1:
        raise BadInput(f"there are {len(found)} games: say which, --number 1")
    wanted = 1 if number is None else number
    if not 1 <= wanted <= len(found):
        raise BadInput(f"there is no game {wanted}: there are {len(found)}")
    return found[wanted - 1]


def states_of(played: PlayedGame) -> list[Any]:
    """The states from the start to the last."""
    game, states = played.game, [played.start]
    for action in played.actions:
        states.append(game.state_after(states[-1], action))
    return states


def is_choice(game: Game, state: Any) -> bool:
    """Whether somebody decides here, and not chance."""
    return int(game.to_move(state)) != CHANCE
