"""Othello games as GGF, the Generic Game Format of the Othello servers: each from its board to its last move.

    (;GM[Othello]PC[Plywright]PB[Ann]PW[Bob]RE[?]TY[8]BO[8 ---...--- *]B[F5]W[D6/-2.00/1.5];)

BO is the board that the game began from, row by row, and who moved; then B and W say what each of them played: the
square or PA, and if they like the value they saw and the seconds they took.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import BadInput

if TYPE_CHECKING:
    from .rules import Othello

SIZES = (4, 6, 8)
"""Of the boards that there are."""
OPENING, END = "(;", ";)"
TAG = re.compile(r"\s*([A-Z]+)\s*\[((?:\\.|[^\]\\])*)\]", re.S)
BOARD = re.compile(r"\bBO\s*\[\s*([0-9]{1,2})\s")
BETWEEN = re.compile(r"(?<=\];\))\s*(?=\(;)|(?<=\n)(?=\(;[A-Z]+\[)")
"""After the end of a game, or before a line that begins one: no name that is written here holds a bracket."""
SHOWN = 24
"""Characters of a damaged game that a sentence shows."""


class GgfGame(NamedTuple):
    """What was read: the state it began from, the actions, and all its fields by name, the moves left out."""

    start: Any
    actions: list[int]
    fields: dict[str, str]


def looks_like_ggf(text: str) -> bool:
    return text.lstrip().startswith(OPENING) and "GM[1]" not in text[:200]  # which is Go, in SGF


def write_ggf(
    game: Othello,
    start: Any,
    actions: Sequence[int],
    names: Sequence[str] = (),
    payoffs: Sequence[float] | None = None,
    notes: Sequence[tuple[float | None, float]] = (),
) -> str:
    """A game on one line; `notes` are the value that each move's player saw and the seconds it took."""
    black, white = (*map(_without_brackets, names), "", "")[:2]
    result = "?" if payoffs is None else f"{payoffs[0]:+.2f}"
    board, size = ggf_board(game, start), game.size
    text = f"{OPENING}GM[Othello]PC[Plywright]PB[{black}]PW[{white}]RE[{result}]TY[{size}]BO[{board}]"
    state = start
    for action, (value, seconds) in zip(actions, notes or [(None, 0.0)] * len(actions), strict=True):
        move = ggf_move(game.format_action(state, action))
        remarks = [move, "" if value is None else f"{value:.2f}", f"{seconds:.2f}" if seconds >= 0.005 else ""]
        text += f"{'BW'[int(game.to_move(state))]}[{'/'.join(remarks).rstrip('/')}]"
        state = game.state_after(state, action)
    return text + END


def ggf_board(game: Othello, state: Any) -> str:
    """`8`, the squares from a1 and who moves, with * for Black."""
    return f"{game.size} {game.format_state(state).replace('X', '*')}"


def ggf_move(text: str) -> str:
    return "PA" if text == "pass" else text.upper()


def ggf_size(text: str) -> int | None:
    """The size of the board that a game says it was played on; None where it does not say, or there is none."""
    board = BOARD.search(text) if looks_like_ggf(text) else None
    size = int(board[1]) if board else 0
    return size if size in SIZES else None


def split_ggf(text: str) -> list[str]:
    """The games of a text, one after another; a damaged one goes on to the next line that begins a game."""
    if not looks_like_ggf(text):
        return [text]
    return [part.strip() for part in BETWEEN.split(text) if part.strip()]


def read_ggf(game: Othello, text: str) -> GgfGame:
    """The one game of a text; raises BadInput with what is damaged in it, and where."""
    tags = _tags(text.strip())
    fields = {name: value for name, value in tags if name not in ("B", "W")}
    if fields.get("GM", "Othello").strip().lower() != "othello":
        raise BadInput(f"this is a game of {fields['GM'][:SHOWN]!r}, not of Othello")
    start = state = _board(game, fields.get("BO", ""))
    actions: list[int] = []
    for number, (name, value) in enumerate((tag for tag in tags if tag[0] in ("B", "W")), 1):
        mover, legal = "BW".index(name), [] if game.is_terminal(state) else [int(each) for each in game.actions(state)]
        if legal == [game.pass_action] and int(game.to_move(state)) != mover:  # a forced pass that nobody wrote down
            actions += legal
            state = game.state_after(state, legal[0])
        written = f"move {number} of the game, {name}[{value[:SHOWN]}]"
        if game.is_terminal(state):
            raise BadInput(f"{written}: the game was over before it")
        if int(game.to_move(state)) != mover:
            raise BadInput(f"{written}: it is {game.player_name(int(game.to_move(state)))}'s turn there")
        try:
            actions.append(game.parse_action(state, value.split("/")[0].strip().lower()))
        except BadInput as error:
            raise BadInput(f"{written}: {error}") from None
        state = game.state_after(state, actions[-1])
    return GgfGame(start, actions, fields)


def _tags(text: str) -> list[tuple[str, str]]:
    """The fields in their order, each with its value."""
    if not looks_like_ggf(text):
        raise BadInput(f"a game in GGF begins with {OPENING!r} and ends with {END!r}, and this begins {text[:SHOWN]!r}")
    found, place = [], len(OPENING)
    while (tag := TAG.match(text, place)) is not None:
        found.append((tag[1], re.sub(r"\\(.)", r"\1", tag[2])))
        place = tag.end()
    rest = text[place:].strip()
    if rest == END:
        return found
    if rest.startswith(END):
        raise BadInput("there is more after the end of the game: give one game at a time")
    after = f"after {found[-1][0]}[{found[-1][1][:SHOWN]}]" if found else "at its beginning"
    if rest in ("", ";"):
        raise BadInput(f"the game breaks off {after}: a game in GGF ends with {END!r}")
    raise BadInput(f"the game is damaged {after}: {rest[:SHOWN]!r} is no field such as B[f5], and no end {END!r}")


def _board(game: Othello, written: str) -> Any:
    words = written.split()
    if len(words) < 3 or not re.fullmatch("[0-9]{1,2}", words[0]):
        raise BadInput("the game has no board: BO[8 followed by 64 squares of -, * and O, and who moves]")
    if words[0] != str(game.size):
        size = int(words[0])
        other = f"choose othello:size={size}" if size in SIZES else f"there are boards of {', '.join(map(str, SIZES))}"
        raise BadInput(f"the game was played on {size}x{size} squares, and this is {game.name}: {other}")
    try:
        return game.read_state("".join(words[1:-1]) + " " + words[-1])
    except BadInput as error:
        raise BadInput(f"the game's board BO cannot be read: {error}") from None


def _without_brackets(text: str) -> str:
    """A name that ends no field and escapes nothing."""
    return text.replace("[", "(").replace("]", ")").replace("\\", "/")
