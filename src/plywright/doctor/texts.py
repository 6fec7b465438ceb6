"""Checks of what people read and write: texts of states and actions, pictures."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from ..errors import BadInput
from ..game import CHANCE, Game
from ..rule_guard import Fault
from .subject import Subject, Verdict, passed, skipped
from .surroundings import equal

STATES = 300
"""How many states are written and read back."""
PICTURES = 12


def state_texts(subject: Subject) -> Verdict:
    """parse_state(format_state(state)) gives the state back."""
    game, guard = subject.game, subject.guard
    own = game.overrides("format_state") or game.overrides("parse_state")
    if game.state_shape is None and not own and not _readable(game):
        return skipped("states have no text form: define format_state() and parse_state() to give them one")
    count = 0
    for seen in subject.visits(STATES):
        state = seen.visit.state
        text = guard.call("format_state", state)
        if not isinstance(text, str) or "\n" in text:
            return subject.fail(f"format_state() gives {text!r}", "it must be one line of text")
        try:
            back = guard.settled("parse_state", guard.call("parse_state", text))
        except Fault as fault:
            return subject.fail(
                f"parse_state() does not read {text!r}, which format_state() wrote: {fault.what}",
                "it must read back every text that format_state() writes",
            )
        if not equal(back, state):
            return subject.fail(
                f"parse_state() reads {text!r} as {back!r}, but format_state() wrote it for {state!r}",
                "one must undo the other: write everything the state holds",
            )
        count += 1
    return passed(f"{count:,} states are read back as they were written")


def _readable(game: Game) -> bool:
    """Whether the first state can be read back by default."""
    try:
        return bool(game.parse_state(game.format_state(game.start_state)) == game.start_state)
    except BadInput:
        return False


def action_texts(subject: Subject) -> Verdict:
    """Different actions have different texts, and each is read back; so are outcomes and a whole line of moves."""
    guard, count = subject.guard, 0
    for seen in subject.visits(STATES, over=False):
        if seen.visit.mover == CHANCE and not subject.game.lists_chance:
            continue
        state = seen.visit.state
        texts: dict[str, int] = {}
        for action in seen.visit.choices:
            text = guard.text(state, action)
            if text in texts:
                return subject.fail(
                    f"format_action() writes actions {texts[text]} and {action} both as {text!r}",
                    "each action needs a text of its own",
                )
            texts[text] = action
            if fault := _misread(subject, state, action, text):
                return fault
            count += 1
        if fault := _missplit(subject):
            return fault
    if not count:
        return skipped("no state with actions was seen")
    return passed(f"{count:,} actions are read back as they were written")


def _misread(subject: Subject, state: Any, action: int, text: str) -> Verdict | None:
    try:
        back = subject.guard.call("parse_action", state, text)
    except Fault as fault:
        return subject.fail(
            f"parse_action() does not read {text!r}, which format_action() wrote for {action}: {fault.what}",
            "it must read every text that format_action() writes",
        )
    if back != action:
        return subject.fail(
            f"parse_action() reads {text!r} as {back!r}, but format_action() wrote it for {action}",
            "one must undo the other",
        )
    return None


def _missplit(subject: Subject) -> Verdict | None:
    moves = subject.guard.moves
    text = subject.guard.call("join_moves", list(moves))
    back = subject.guard.call("split_moves", text)
    if list(back) != list(moves):
        return subject.fail(
            f"split_moves() cuts {text!r} into {back!r}", "it must give back the moves that join_moves() joined"
        )
    return None


def pictures(subject: Subject) -> Verdict:
    """picture(state) draws: well-formed SVG, and text for terminals."""
    count = 0
    for seen in subject.visits(PICTURES):
        picture = subject.guard.call("picture", seen.visit.state, seen.last)
        svg, text = getattr(picture, "svg", None), getattr(picture, "text", None)
        if not isinstance(svg, str) or not isinstance(text, str):
            return subject.fail(f"picture() gives {picture!r}", "it must be a plywright.draw.Picture")
        try:
            root = ElementTree.fromstring(svg)
        except ElementTree.ParseError as error:
            return subject.fail(f"picture() gives SVG that is not well-formed ({error})", "escape texts put into it")
        if root.tag.rpartition("}")[2] != "svg":
            return subject.fail(f"picture() gives <{root.tag}> where <svg> should be", "wrap the drawing in <svg>")
        count += 1
    return passed(f"{count} states were drawn")
