"""One game out of a file: a run's record, its export as JSON lines, a notation of the game's, or a line of moves."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ...errors import BadInput, PlywrightError, printable, shown
from ...files import decoded, read_bounded
from ...game import CHANCE, Game
from ...games import load_game
from ...games.registry import GAMES, class_of, is_path
from ...repetition import Past
from ..game_record import GameRecord
from ..schedules.openings import read_moves
from .export import last_attempts
from .replaying import game_meant, recorded_game, steps
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
        is_run = path.is_file() and _is_database(path)  # what is no file, such as a pipe, can be read but once
        data = b"" if is_run else read_bounded(path, LARGEST)
    except OSError as error:
        raise BadInput(f"the game {str(path)!r} cannot be read: {error.strerror or error}") from None
    if is_run:
        return _from_run(path, given, number)
    if data.startswith(DATABASE):
        raise BadInput(f"{path} is no file, and the record of a run cannot be read from a pipe: name its own file")
    text = decoded(data)
    if text is None:
        raise BadInput(f"{path} is no text and no record of a run: there is no game to read in it")
    if not text.strip():
        raise BadInput(f"{path} is empty: there is no game to read in it")
    try:
        if text.lstrip().startswith("{"):
            return _from_json(_numbered(_lines(text), number), given)
        return _from_text(text, given, number)
    except PlywrightError as error:
        raise type(error)(f"{path}: {error}") from None


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(DATABASE)) == DATABASE


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
        numbers = [*record.opening, *(number for ply in record.plies for number in (ply.seat, ply.action))]
        if not isinstance(record.game, str) or not isinstance(record.start, str):
            raise TypeError("no text")
        if any(type(number) is not int for number in numbers):
            raise TypeError("no whole number")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BadInput("this is no line of `plywright export`, or a damaged one") from None
    if given is None and is_path(record.game):
        raise BadInput(f"this is a game of a file, {shown(record.game)}: name the file yourself, --game PATH")
    names = tuple(printable(str(name)) for name in record.players)
    return _from_record(game_meant(record.game, given), record, names)


def _from_text(text: str, given: str | None, number: int | None) -> PlayedGame:
    if given is None:
        return _recognised(text, number)
    game = load_game(given)
    texts = game.split_records(text)
    try:
        if found := _in_notation(game, texts, number):
            _numbered(texts, number)
            return found
        line = _numbered(_lines(text), number)
        return _notation(game, line) or _line_of_moves(game, line)
    except PlywrightError:
        if other := _other_game(game, text):
            raise BadInput(f"this is a game of {other}, not of {game.name}: --game {other} reads it") from None
        raise


def _recognised(text: str, number: int | None) -> PlayedGame:
    """A game in a notation that says whose it is."""
    problems = {}
    for name in GAMES:
        if class_of(name).parse_record is Game.parse_record:
            continue
        game = load_game(name)
        if game.is_foreign(text):
            continue
        texts = game.split_records(text)
        try:
            there = number is not None and 1 <= number <= len(texts)
            found = _in_notation(game, texts, number if there or len(texts) == 1 else 1, stated=True)
            if not found and number is not None:
                texts = _lines(text)
                found = _notation(game, _numbered(texts, number), stated=True)
        except PlywrightError as error:
            problems[name] = error
            continue
        if found:
            _numbered(texts, number)
            return found
    if len({str(error) for error in problems.values()}) == 1:
        raise next(iter(problems.values()))
    if problems:
        read = "; ".join(f"as {name}: {error}" for name, error in problems.items())
        raise BadInput(f"no game can be read here, {read}; --game names the game")
    raise BadInput("this does not say which game was played: name it, such as --game othello")


def _in_notation(game: Game, texts: list[str], number: int | None, stated: bool = False) -> PlayedGame | None:
    """The number-th of the texts in a notation of the game's own; None where they may have one game a line."""
    if len(texts) > 1:
        return _notation(game, _numbered(texts, number), stated)
    try:
        return _notation(game, texts[0], stated)
    except PlywrightError:
        if number is None or type(game).split_records is not Game.split_records:
            raise
        return None


def _other_game(game: Game, text: str) -> str:
    """The other game in whose notation a text is, if any."""
    for name in GAMES:
        if isinstance(game, class_of(name)) or class_of(name).parse_record is Game.parse_record:
            continue
        other = load_game(name)
        with contextlib.suppress(PlywrightError):
            found = _notation(other, other.split_records(text)[0], stated=True)
            if found and found.actions:
                return found.game.name if other.record_rules(text) else name
    return ""


def _notation(game: Game, text: str, stated: bool = False) -> PlayedGame | None:
    """A game in a notation of its own, by rules under which it does not go on after its end, where there are such.

    Where it is `stated` in the text by which rules of that game it was played, those are taken.
    """
    if stated and (name := game.record_rules(text)):
        game = load_game(name)
    first: PlywrightError | None = None
    for rules in (game, *map(load_game, game.looser_rules())):
        try:
            record = rules.parse_record(text)
        except PlywrightError as error:
            first = first or error
            continue
        if record is None:
            return None
        played = PlayedGame(rules, record[0], tuple(map(int, record[1])), _names(rules, text))
        if not game.looser_rules() or not _goes_on(played):
            return played
    if first is not None:
        raise first
    return played


def _names(game: Game, text: str) -> tuple[str, ...]:
    """Who played, by seat; `?` stands for nobody that is known."""
    names = tuple(printable(name.strip().strip("?")) for name in game.record_names(text))
    return names if any(names) else ()


def _goes_on(played: PlayedGame) -> bool:
    """Whether there are moves after the end of the game, by its rules or by repetition."""
    past = Past(played.game)
    for state in states_of(played)[:-1]:
        if past.is_over(state):
            return True
        past.add(state)
    return False


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


def _lines(text: str) -> list[str]:
    """The lines that are no remarks."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _numbered(found: list[str], number: int | None) -> str:
    """The number-th game; the only one where no number is given."""
    if number is None and len(found) > 1:
        raise BadInput(f"there are {len(found)} games: say which, --number 1")
    wanted = 1 if number is None else number
    if not 1 <= wanted <= len(found):
        raise BadInput(f"there is no game {wanted}: there {'is' if len(found) == 1 else 'are'} {len(found)}")
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
