"""PGN, the text in which chess games are kept: headers, moves, comments, NAGs, variations; several games a text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import BadInput, shown
from .start import CLASSICAL

if TYPE_CHECKING:
    from .rules import Chess

TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_+#=:-]+)\s+"((?:\\.|[^"\\])*)"\s*\]')
TOKEN = re.compile(
    r"(?P<comment>\{[^}]*\}|;[^\n]*)|(?P<escape>(?m:^%[^\n]*))|(?P<nag>\$\d+|[!?]+)|(?P<open>\()|(?P<close>\))"
    r"|(?P<result>1-0|0-1|1/2-1/2|1/2|½-½|\*)|(?P<number>\d+\s*\.+|\.+)|(?P<move>[^\s{}();$!?.*]+)|(?P<space>\s+)"
)
RESULTS = {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0), "1/2-1/2": (0.0, 0.0), "*": None}
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
WIDTH = 80
VARIANTS = (
    "",
    "?",
    "-",
    "standard",
    "chess",
    "normal",
    "fromposition",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "960",
)
"""What a header `Variant` may say, in small letters without spaces and signs: these rules, from whatever start."""


class PgnGame(NamedTuple):
    """One game as read: its headers, the state it began from, the actions, and how it ended (1-0, 0-1, 1/2-1/2, *)."""

    headers: dict[str, str]
    start: Any
    actions: list[int]
    result: str


def looks_like_pgn(text: str) -> bool:
    """Whether a text begins with a header or with `1.`."""
    return TAG.match(text.lstrip("\ufeff")) is not None or re.match(r"\s*1\s*\.", text) is not None


def write_pgn(
    game: Chess,
    start: Any,
    actions: Sequence[int],
    names: Sequence[str] = (),
    payoffs: Sequence[float] | None = None,
    notes: Sequence[tuple[float | None, float]] = (),
) -> str:
    """A game with its seven headers and what its players noted: the value they saw and the seconds they took."""
    white, black = (*names, "?", "?")[:2]
    result = "*" if payoffs is None else "1-0" if payoffs[0] > 0 else "0-1" if payoffs[0] < 0 else "1/2-1/2"
    headers = dict.fromkeys(ROSTER, "?") | {"Date": "????.??.??", "White": white, "Black": black, "Result": result}
    if game.start != CLASSICAL:
        headers["Variant"] = "Chess960"
    if start != type(game)().start_state:
        headers |= {"SetUp": "1", "FEN": game.format_state(start)}
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in headers.items()]
    words, state, remarked = [], start, True
    for index, action in enumerate(actions):
        if state.mover == 0 or remarked:
            words.append(f"{int(state.number)}.{'' if state.mover == 0 else '..'}")
        words.append(game.format_action(state, action))
        remark = _remark(game, *notes[index]) if index < len(notes) else ""
        words += [remark] if remark else []
        remarked = bool(remark)
        state = game.state_after(state, action)
    moves = textwrap.fill(" ".join([*words, result]), WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", moves, ""])


def _remark(game: Chess, value: float | None, seconds: float) -> str:
    """A value in pawns, or that a mate was seen (M), and the seconds."""
    parts = ["", f"{seconds:.2f}s" if seconds >= 0.005 else ""]
    if value is not None:
        parts[0] = f"{value / game.evaluation_unit[0]:+.2f}" if abs(value) < 1 else "+M" if value > 0 else "-M"
    return f"{{{' '.join(part for part in parts if part)}}}" if any(parts) else ""


def _escaped(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("\\", "\\\\").replace('"', '\\"')


def read_pgn(game: Chess, text: str) -> list[PgnGame]:
    """All games of a text; raises BadInput that names the game, the move and what is wrong."""
    games: list[PgnGame] = []
    place = 0
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    while (place := _content(text, place)) < len(text):
        headers: dict[str, str] = {}
        while found := TAG.match(text, place):
            headers[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
            place = found.end()
        moves, result, place = _moves(text, place, len(games) + 1)
        if not headers and not moves and result == "*":
            raise BadInput(f"game {len(games) + 1} of the PGN has no headers and no moves")
        games.append(_played(game, headers, moves, result, len(games) + 1))
    return games


def _content(text: str, place: int) -> int:
    """Where something other than white space and comments comes next."""
    while (found := TOKEN.match(text, place)) and found.lastgroup in ("space", "comment", "escape"):
        place = found.end()
    return place


def _tokens(text: str, place: int, number: int) -> Iterator[tuple[str, str, int]]:
    """Kind, text and end of each token from a place on."""
    while place < len(text):
        found = TOKEN.match(text, place)
        if found is None:
            what = "a comment that nobody closes" if text[place] == "{" else shown(text[place : place + 20])
            raise BadInput(f"game {number} of the PGN: {what} on line {text.count(chr(10), 0, place) + 1}")
        place = found.end()
        yield str(found.lastgroup), found[0], place


def _moves(text: str, place: int, number: int) -> tuple[list[str], str, int]:
    """The moves of the main line from a place on, the result, and where the game ends; variations are skipped."""
    moves: list[str] = []
    depth = 0
    for kind, token, end in _tokens(text, place, number):
        if depth == 0 and kind == "space" and "\n" in token and TAG.match(text, end):
            if moves:
                return moves, "*", end
        elif kind == "open":
            depth += 1
        elif kind == "close":
            if depth == 0:
                raise BadInput(f"game {number} of the PGN closes a variation that it did not open")
            depth -= 1
        elif kind == "result" and depth == 0:
            return moves, {"1/2": "1/2-1/2", "½-½": "1/2-1/2"}.get(token, token), end
        elif kind == "move" and depth == 0 and not token.isdecimal():
            if token.startswith("["):
                raise BadInput(f"game {number} of the PGN: {shown(text[end - len(token) : end + 20])} is no header")
            moves.append(token)
        place = end
    if depth:
        raise BadInput(f"game {number} of the PGN ends inside a variation")
    return moves, "*", len(text)


def _played(game: Chess, headers: dict[str, str], moves: list[str], result: str, number: int) -> PgnGame:
    """The moves as actions, played from the start that the headers name."""
    variant = next((text for name, text in headers.items() if name.lower() == "variant"), "")
    if re.sub(r"[^a-z0-9?]", "", variant.lower()) not in VARIANTS:
        raise BadInput(
            f"game {number} of the PGN is of another variant, {shown(variant)}: this reads chess and Chess960"
        )
    try:
        start = state = game.read_state(headers["FEN"]) if "FEN" in headers else game.start_state
    except BadInput as error:
        raise BadInput(f"game {number} of the PGN: {error}") from None
    actions = []
    for ply, move in enumerate(moves):
        if move in ("--", "Z0"):
            raise BadInput(f"game {number} of the PGN passes at move {ply // 2 + 1}: no player may")
        try:
            action = game.parse_action(state, move)
        except BadInput as error:
            raise BadInput(f"game {number} of the PGN, move {ply // 2 + 1}: {error}") from None
        actions.append(action)
        state = game.state_after(state, action)
    return PgnGame(headers, start, actions, result)
