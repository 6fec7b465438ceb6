"""Where games begin: a file of lines, or random plies; each opening is played from every seat.

f5d6c3                  a line of moves
---...OX...--- X        or a position, both in the game's own notation
(;GM[Othello]...;)      or a whole game, where the game has a notation for it
# a remark, or an empty line, is skipped
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...dice import roll
from ...errors import BadInput, PlywrightError
from ...game import CHANCE, Game
from ...repetition import Past
from ...rng import below, seeded

START, AUTO = "start", "auto"
GENERATED = re.compile(r"start|random(?::([0-9]{1,4}))?")
"""Openings that need no file."""
MOST_PLIES = 8
SHARE = 3
"""Openings that are chosen for a game are at most so many plies, and at most this part of a random game."""
PATIENCE = 100, 20
"""Random lines in a row without anything new, at first and per opening found, before the search is given up."""


@dataclass(frozen=True)
class Opening:
    """The actions played first; or a position, as the game writes it, to begin from."""

    actions: tuple[int, ...] = ()
    position: str | None = None
    text: str = ""
    """As a person reads it."""


def openings(game: Game, source: str, count: int, seed: int) -> list[Opening]:
    """Up to `count` different openings: of `start`, `random:8` or the lines of a file.

    There may be fewer, when a file is short or a game has no more; they are then used in turn.
    Raises BadInput for an illegal line, with its number, and where no opening can be found.
    """
    if source == START:
        return [Opening()]
    found = GENERATED.fullmatch(source)
    if found is not None:
        return _random(game, int(found[1] or 8), count, seed)
    if source.startswith("random"):
        raise BadInput(f"{source!r} is not a kind of opening: write random:8 for eight random plies")
    return _read(game, Path(source))[:count]


def varied(game: Game, rounds: int, seed: int) -> str:
    """The openings that a run of so many rounds has by default: from the start where that gives different games.

    So it is for a single round, and where chance makes each game another one. Else players who always
    answer alike would play the same game over and over: a few random plies come first, as few as give an
    opening to each round, or as many as leave a game.
    """
    if rounds < 2 or game.has_chance:
        return START
    most = min(MOST_PLIES, min(_random_length(game, seed + number) for number in range(5)) // SHARE)
    found = {plies: len(_lines(game, plies, rounds, seed)) for plies in (most,)} if 0 < most < 2 else {}
    for plies in range(2, most + 1, 2):
        found[plies] = len(_lines(game, plies, rounds, seed))
        if found[plies] >= rounds:
            break
    best = max(found, key=lambda plies: found[plies], default=0)
    return f"random:{best}" if best and found[best] > 1 else START


def _random_length(game: Game, seed: int) -> int:
    """The plies of a random game, as far as that matters here."""
    rng, state, past, length = seeded(seed), game.start_state, Past(game), 0
    while length < MOST_PLIES * SHARE and not past.is_over(state):
        legal = past.actions(state)
        past.add(state)
        state = game.state_after(state, legal[below(rng, len(legal))])
        length += 1
    return length


def _read(game: Game, path: Path) -> list[Opening]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise BadInput(f"there is no openings file {str(path)!r}; write random:8 for random openings") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"the openings file {str(path)!r} cannot be read: {error}") from None
    read = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            opening, state, past = _opening(game, text)
        except PlywrightError as error:
            raise BadInput(f"{path}, line {number}: {error}") from None
        if past.is_over(state):
            raise BadInput(f"{path}, line {number}: the game is over after {text!r}; an opening must leave a game")
        read.append(opening)
    if not read:
        raise BadInput(f"the openings file {str(path)!r} has no openings: one line of moves or one position a line")
    return read


def _opening(game: Game, text: str) -> tuple[Opening, Any, Past]:
    """The opening of a line, where it leads and by which way: moves if they can be played, else a position."""
    record = game.parse_record(text)
    if record is not None:
        return _record(game, *record)
    try:
        return read_moves(game, text)
    except PlywrightError as problem:
        try:
            state = game.read_state(text)
        except PlywrightError as other:
            # The nearer miss is the one to tell: a line that begins with a legal move was meant as moves.
            looks_like_moves = not str(problem).startswith("move 1:") or len(game.split_moves(text)) > 2
            raise (problem if looks_like_moves else BadInput(f"{problem}; and as a position: {other}")) from None
        return Opening((), game.format_state(state), text), state, Past(game)


def read_moves(game: Game, text: str) -> tuple[Opening, Any, Past]:
    """The actions of a line of moves, one by one; forced moves that a transcript leaves out are filled in."""
    state, past = game.start_state, Past(game)
    actions: list[int] = []
    for number, word in enumerate(game.split_moves(text), 1):
        try:
            action = game.parse_action(state, word)
        except BadInput as error:
            forced = [] if game.is_terminal(state) else list(game.actions(state))
            try:
                if len(forced) != 1:
                    raise error
                after = game.state_after(state, forced[0])
                action = game.parse_action(after, word)
            except BadInput:
                raise BadInput(f"move {number}: {error}") from None
            actions.append(int(forced[0]))
            past.add(state)
            state = after
        if past.is_drawn(state) or (game.repetition_forbids and action not in past.actions(state)):
            raise BadInput(f"move {number}: {word!r} cannot be played: repetition forbids it or has ended the game")
        actions.append(action)
        past.add(state)
        state = game.state_after(state, action)
    return Opening(tuple(actions), None, text), state, past


def _record(game: Game, start: Any, actions: list[int]) -> tuple[Opening, Any, Past]:
    """The opening of a whole game: its actions, or where they lead if it began elsewhere than games do."""
    state, past, texts = start, Past(game), []
    for action in actions:
        texts.append(game.format_action(state, action))
        past.add(state)
        state = game.state_after(state, action)
    text = game.join_moves(texts)
    if start != game.start_state:
        return Opening((), game.format_state(state), text), state, Past(game)
    return Opening(tuple(actions), None, text), state, past


def _random(game: Game, plies: int, count: int, seed: int) -> list[Opening]:
    """Random lines of so many plies that lead to different, unfinished states; dice fall as they may."""
    found = _lines(game, plies, count, seed)
    if not found:
        raise BadInput(f"no game of {game.name} lasts {plies} random plies: ask for fewer, such as random:2")
    return found


def _lines(game: Game, plies: int, count: int, seed: int) -> list[Opening]:
    rng = seeded(seed)
    found: dict[str, Opening] = {}
    barren = 0
    while len(found) < count and barren < PATIENCE[0] + PATIENCE[1] * len(found):
        line = _random_line(game, plies, rng)
        barren += 1
        if line is not None and _identity(game, line[0]) not in found:
            found[_identity(game, line[0])] = line[1]
            barren = 0
    return list(found.values())


def _random_line(game: Game, plies: int, rng: Any) -> tuple[Any, Opening] | None:
    state, past = game.start_state, Past(game)
    actions: list[int] = []
    texts: list[str] = []
    while len(texts) < plies:
        if past.is_over(state):
            return None
        if game.to_move(state) == CHANCE:
            action = roll(game, state, rng)
        else:
            legal = past.actions(state)
            action = legal[below(rng, len(legal))]
            texts.append(game.format_action(state, action))
        actions.append(action)
        past.add(state)
        state = game.state_after(state, action)
    return None if past.is_over(state) else (state, Opening(tuple(actions), None, game.join_moves(texts)))


def _identity(game: Game, state: Any) -> str:
    return game.format_state(state) if game.state_shape is None else repr(state)
