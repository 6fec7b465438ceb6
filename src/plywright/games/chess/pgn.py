"""PGN, the text in which chess games are kept: headers, moves, comments, NAGs, variations; several games a text."""

from __future__ import annotations

import contextlib
import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import BadInput, shown
from ..notation import MOST_TAGS, split_tagged
from .start import CLASSICAL

if TYPE_CHECKING:
    from .rules import Chess

TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_+#=:-]+)\s+"((?:\\.|[^"\\])*)"\s*\]')
FOREIGN = re.compile(r"(?:\A|\])\s*1\s*\.\s*[1-9][0-9]?[-x][1-9]")  # a first move as in draughts
TOKEN = re.compile(
    r"(?P<comment>\{[^}]*\}|;[^\n]*)|(?P<escape>(?m:^%[^\n]*))|(?P<nag>\$\d*|[!?]+|e\.p\.)|(?P<open>\()|(?P<close>\))"
    r"|(?P<result>1-0|0-1|1/2-1/2|1/2|½-½|\*)|(?P<number>\d+\s*\.+|\.+)|(?P<move>[^\s{}();$!?.*]+(?:\([QRBNqrbn]\)[+#]?)?)|(?P<space>\s+)"
)
RESULTS = {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0), "1/2-1/2": (0.0, 0.0), "*": None}
RESULT_SIGN = re.compile(r'(?:1-0|0-1|1/2(?:-1/2)?+|½-½|\*)(?!")')
FIRST_MOVE = re.compile(r"(?<!\d)1\s*\.(?!\.)")
"""A result outside of headers, and the number of White's first move: one game has one of each, but for comments."""
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
TERMINATIONS = {
    "late": "time forfeit",
    "illegal": "rules infraction",
    "crashed": "abandoned",
    "move limit": "adjudication",
    "adjudicated": "adjudication",
    "resigned": "normal",
    "repetition": "normal",
    "void": "unterminated",
}
"""PGN's words for what a referee says."""
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


def with_termination(text: str, ending: str) -> str:
    """A game as written, with a header that says how it ended, in PGN's words where it has one for that."""
    headers, moves = text.split("\n\n", 1)
    return f'{headers}\n[Termination "{_escaped(TERMINATIONS.get(ending, ending))}"]\n\n{moves}'


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
    text = _plain(text)
    while (place := _content(text, place)) < len(text):
        headers, place = _headers(text, place, len(games) + 1)
        moves, result, place = _moves(text, place, len(games) + 1)
        if not headers and not moves and result == "*":
            raise BadInput(f"game {len(games) + 1} of the PGN has no headers and no moves")
        games.append(_played(game, headers, moves, result, len(games) + 1))
    return games


def split_pgn(text: str) -> list[str]:
    """The games of a text: one begins with its first header, after a result, or with move 1; else there is one.

    Where a game is damaged the next one begins with headers; what is wrong is said when the damaged one is read.
    """
    return [game for part in split_tagged(_plain(text)) for game in _split_untagged(part)]


def _split_untagged(text: str) -> list[str]:
    """The games of a text with headers at its beginning at most."""
    if not looks_like_pgn(text) or all(len(sign.findall(text)) < 2 for sign in (RESULT_SIGN, FIRST_MOVE)):
        return [text]  # most texts, which need not be read through for it
    begins, place = [0], _content(text, 0)
    with contextlib.suppress(BadInput):
        while place < len(text):
            headers, end = _headers(text, place, len(begins))
            moves, _, end = _moves(text, end, len(begins))
            if place > begins[-1] and (headers or moves):
                begins.append(place)
            place = _content(text, end)
    return [text[begin:end] for begin, end in pairwise([*begins, len(text)])]


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _headers(text: str, place: int, number: int) -> tuple[dict[str, str], int]:
    """The headers of a game from a place on, and where they end."""
    headers: dict[str, str] = {}
    count = 0
    while found := TAG.match(text, place):
        headers[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        place, count = found.end(), count + 1
        if count > MOST_TAGS:
            raise BadInput(f"game {number} of the PGN has more than {MOST_TAGS:,} headers")
    return headers, place


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
    depth, begun = 0, False
    for kind, token, end in _tokens(text, place, number):
        if depth == 0 and kind == "space" and "\n" in token and TAG.match(text, end):
            if moves:
                return moves, "*", end
        elif kind == "number" and depth == 0 and FIRST_MOVE.fullmatch(token):
            if begun and moves:  # no game has a first move twice
                return moves, "*", place
            begun = True
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
            moves.append(re.sub(r"\((.)\)", r"=\1", token))
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
