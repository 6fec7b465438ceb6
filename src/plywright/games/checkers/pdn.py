"""Checkers games as PDN, the Portable Draughts Notation: tags in brackets, then the moves and the result.

    [White "Bob"]
    [Black "Ann"]
    [Result "0-1"]
    [GameType "21"]

    1. 11-15 23-19 2. 8-11 22-17 0-1

1-0 is a win for White, who moves second. A game that begins elsewhere has the tags SetUp and FEN. Comments in braces
or after a semicolon, variations in parentheses and marks such as `!` and `$3` are read over.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import BadInput
from ..notation import MOST_TAGS

if TYPE_CHECKING:
    from .rules import Checkers

ENGLISH = "21"  # the number of English checkers among the kinds of draughts
TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_]+)\s*"((?:\\.|[^"\\])*)"\s*\]')
SKIPPED = re.compile(r"\s+|\{[^}]*\}|;[^\n]*|\$[0-9]+|[0-9]+\.+(?!\S{0,99}/)|[!?]+")
FOREIGN = re.compile(r"\]\s*1\s*\.\s*[A-Za-z]")  # a first move as in chess, right behind the header
VARIATION = re.compile(r"[^(){;]+")  # what is read over in one: not what may hold its end
RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2|2-0|0-2|1-1|0-0|\*)(?=\s|$)")
MOVE = re.compile(r"([0-9]{1,2}(?:[-x:][0-9]{1,2})+)[*!?]*(?=[\s{;($)]|$)", re.IGNORECASE)
RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
WIDTH = 80
SHOWN = 24
"""Characters of a damaged game that a sentence shows."""


class PdnGame(NamedTuple):
    """What was read: the state it began from, the actions, and the tags by name."""

    start: Any
    actions: list[int]
    tags: dict[str, str]


def looks_like_pdn(text: str) -> bool:
    return TAG.match(text) is not None or re.match(r'\s*\[\s*[A-Za-z]+\s*"', text) is not None


def write_pdn(
    game: Checkers,
    start: Any,
    actions: Sequence[int],
    names: Sequence[str] = (),
    payoffs: Sequence[float] | None = None,
    notes: Sequence[tuple[float | None, float]] = (),
) -> str:
    """A game with its tags; `notes`, the value that each move's player saw and the seconds, become comments."""
    black, white = (*names, "?", "?")[:2]
    result = "*" if payoffs is None else RESULTS.get(round(payoffs[1]), "*")
    tags = {"Event": "?", "White": white or "?", "Black": black or "?", "Result": result, "GameType": ENGLISH}
    if start != game.start_state:
        tags |= {"SetUp": "1", "FEN": game.format_state(start)}
    words: list[str] = []
    state = start
    for ply, (action, (value, seconds)) in enumerate(
        zip(actions, notes or [(None, 0.0)] * len(actions), strict=True), int(game.to_move(start))
    ):
        if ply % 2 == 0 or not words:
            words.append(f"{ply // 2 + 1}." if ply % 2 == 0 else f"{ply // 2 + 1}...")
        words.append(game.format_action(state, action))
        remarks = ([] if value is None else [f"{value:+.2f}"]) + ([f"{seconds:.2f}s"] if seconds >= 0.005 else [])
        words += ["{" + "/".join(remarks) + "}"] if remarks else []
        state = game.state_after(state, action)
    head = "".join(f'[{name} "{_escaped(text)}"]\n' for name, text in tags.items())
    moves = textwrap.fill(" ".join([*words, result]), WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{head}\n{moves}\n"


def read_pdn(game: Checkers, text: str) -> PdnGame:
    """The one game of a text; raises BadInput with what is damaged in it, and where."""
    tags, place = _tags(text)
    if tags.get("GameType", ENGLISH).split(",")[0].strip() != ENGLISH:
        kind = tags["GameType"][:SHOWN]
        raise BadInput(f"this is a game of type {kind!r}, and English checkers is type {ENGLISH}")
    start = game.start_state
    if "FEN" in tags:
        try:
            start = game.read_state(tags["FEN"])
        except BadInput as error:
            raise BadInput(f"the position that the game begins from, its tag FEN, cannot be read: {error}") from None
    return PdnGame(start, _moves(game, start, text, place), tags)


def _tags(text: str) -> tuple[dict[str, str], int]:
    """The tags, and where they end."""
    tags: dict[str, str] = {}
    place = count = 0
    while (tag := TAG.match(text, place)) is not None:
        tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        place, count = tag.end(), count + 1
        if count > MOST_TAGS:
            raise BadInput(f"the game has more than {MOST_TAGS:,} tags")
    rest = text[place:].lstrip()
    if rest.startswith("["):
        after = f" after the tag {list(tags)[-1]}" if tags else ""
        raise BadInput(f'the game is damaged{after}: {rest[:SHOWN]!r} is no whole tag such as [White "Ann"]')
    return tags, place


def _moves(game: Checkers, start: Any, text: str, place: int) -> list[int]:
    state, actions = start, list[int]()
    depth, last = 0, "its tags"  # depth counts the variations around this place
    while place < len(text):
        if text[place] in "()":
            depth += 1 if text[place] == "(" else -1
            place += 1
            if depth < 0:
                raise BadInput(f"the game is damaged after {last}: a variation ends there that did not begin")
        elif depth and (passed := VARIATION.match(text, place)):
            place = passed.end()
        elif skipped := SKIPPED.match(text, place):
            place = skipped.end()
        elif found := RESULT.match(text, place):
            _at_the_end(text, found.end())
            return actions
        elif move := MOVE.match(text, place):
            written = f"move {len(actions) + 1} of the game, {move[1][:SHOWN]}"
            if game.is_terminal(state):
                raise BadInput(f"{written}: the game was over before it")
            try:
                actions.append(game.parse_action(state, move[1]))
            except BadInput as error:
                raise BadInput(f"{written}: {error}") from None
            state = game.state_after(state, actions[-1])
            place, last = move.end(), move[1]
        elif text[place] == "{":
            raise BadInput(f"the game breaks off after {last}: a comment begins there and does not end")
        else:
            found_there = repr(text[place : place + SHOWN])
            raise BadInput(f"the game is damaged after {last}: {found_there} is no move such as 11-15, and no result")
    inside = " inside a variation" if depth else ""
    raise BadInput(f"the game breaks off after {last}{inside}: a game in PDN ends with 1-0, 0-1, 1/2-1/2 or *")


def _at_the_end(text: str, place: int) -> None:
    while skipped := SKIPPED.match(text, place):
        place = skipped.end()
    if place < len(text):
        raise BadInput("there is more after the end of the game: give one game at a time")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
