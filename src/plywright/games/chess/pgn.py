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

TAG = re.compile(
    r"\s*\[\s*(?P<name>[A-Za-z0-9_+#=:-]+)\s+"
    r'(?:"(?P<text>(?:\\.|[^"\\])*)"\s*\]|"(?P<loose>[^\n]*?)"[ \t]*\](?=[ \t]*(?:\n|\[|\Z)))'
)
"""A header; one with a bare quotation mark in its text ends with its line or before the next."""
BLANK_BETWEEN = re.compile(r"\][ \t]*\n[ \t]*\n\s*\[")
"""An empty line between headers: what comes after it may be the next game, after one without moves."""
FOREIGN = re.compile(r"(?:\A|\])\s*1\s*\.\s*[1-9][0-9]?[-x][1-9]")  # a first move as in draughts
SYMBOLS = "±∓⩲⩱∞≈≅⯹□○●⟳⟲⇄⇆↑→⊕⌓∆△Δ"
"""Signs for what is thought of a move or a position, which are skipped as comments are."""
TOKEN = re.compile(
    r"(?P<comment>\{[^}]*\}|;[^\n]*)|(?P<escape>(?m:^%[^\n]*))|(?P<nag>\$\d*|[!?"
    rf"{SYMBOLS}]+|e\.?p\b\.?)|(?P<open>\()|(?P<close>\))"
    r"|(?P<result>1-0|0-1|1/2-1/2|1/2|½-½|\*)|(?P<number>\d+\s*\.+|\.+)"
    rf"|(?P<move>[a-h][1-8]?[x:]?[a-h][36](?=e\.p\.)|[^\s{{}}();$!?.*{SYMBOLS}]+(?:\([QRBNqrbn]\)[+#]?)?)|(?P<space>\s+)"
)
ASSESSMENT = re.compile(r"(?:\+--?|--?\+|[-+]/[-+=]|=/[-+]|\+=|=\+|=)\Z")
"""Who stands better, as a sign by itself or at the end of a move."""
WORDS = ("N", "D")
"""A novelty and a diagram, where they are no part of a move."""
RESULTS = {name: name for name in ("1-0", "0-1", "1/2-1/2", "*")} | {"1/2": "1/2-1/2", "½-½": "1/2-1/2"}
UNREADABLE = {
    "{": "a comment that nobody closes",
    "}": "a comment is closed that is not open (comments do not nest: the first '}' closes one)",
}
"""What is wrong where a text goes on with one of these."""
RESULT_SIGN = re.compile(r'(?:1-0|0-1|1/2(?:-1/2)?+|½-½|\*)(?!")')
FIRST_MOVE = re.compile(r"(?<!\d)1\s*\.(?!\.)")
"""A result outside of headers, and the number of White's first move: one game has one of each, but for comments."""
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
SPELLINGS = {name.lower(): name for name in (*ROSTER, "FEN", "SetUp", "Variant")}
"""Headers that mean something here, by their names in small letters."""
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
    """One game as read: its headers, the state it began from, the actions, and how it ended (1-0, 0-1, 1/2-1/2, *).

    `error` is empty, or the reason why the game cannot be read further than that.
    """

    headers: dict[str, str]
    start: Any
    actions: list[int]
    result: str
    error: str = ""


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


def read_pgn(game: Chess, text: str, strict: bool = True) -> list[PgnGame]:
    """All games of a text; raises BadInput that names the game, the move and what is wrong.

    With `strict=False` a game that cannot be read is among them, as far as it can be, with the reason as its `error`.
    Moves after a draw that nobody claimed are read: see `Chess.looser_rules`.
    """
    games: list[PgnGame] = []
    line = 1
    for part in split_pgn(text):
        if _content(part, 0) < len(part):
            games.append(_read(game, part, f"game {len(games) + 1} of the PGN", line))
            if strict and games[-1].error:
                raise BadInput(games[-1].error)
        line += part.count("\n")
    return games


def _read(game: Chess, text: str, name: str, line: int) -> PgnGame:
    """The game of a text that has one, which begins on that line of the whole."""
    headers: dict[str, str] = {}
    try:
        headers, place = _headers(text, _content(text, 0), name)
        moves, result, _ = _moves(text, place, name, line)
        if not headers and not moves and result in ("", "*"):
            raise BadInput(f"{name} has no headers and no moves")
        return _played(game, headers, moves, result or RESULTS.get(headers.get("Result", ""), "*"), name)
    except BadInput as error:
        return PgnGame(headers, game.start_state, [], "*", str(error))


def split_pgn(text: str) -> list[str]:
    """The games of a text: one begins with its first header, after a result, or with move 1; else there is one.

    Where a game is damaged the next one begins with headers; what is wrong is said when the damaged one is read.
    """
    return [game for part in split_tagged(_plain(text)) for game in _split_untagged(part)]


def _split_untagged(text: str) -> list[str]:
    """The games of a text with headers at its beginning at most, or of games without moves."""
    once = all(len(sign.findall(text)) < 2 for sign in (RESULT_SIGN, FIRST_MOVE))
    if not looks_like_pgn(text) or (once and not BLANK_BETWEEN.search(text)):
        return [text]  # most texts, which need not be read through for it
    begins, place = [0], _content(text, 0)
    with contextlib.suppress(BadInput):
        while place < len(text):
            headers, end = _headers(text, place)
            moves, _, end = _moves(text, end)
            if place > begins[-1] and (headers or moves):
                begins.append(place)
            place = _content(text, end)
    return [text[begin:end] for begin, end in pairwise([*begins, len(text)])]


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _headers(text: str, place: int, name: str = "") -> tuple[dict[str, str], int]:
    """The headers of a game from a place on, and where they end.

    One that is there already and comes again after an empty line is the next game's: this one has no moves.
    """
    headers: dict[str, str] = {}
    count = 0
    while found := TAG.match(text, place):
        header = SPELLINGS.get(found["name"].lower(), found["name"])
        if header in headers and text[place : found.start("name")].count("\n") > 1:
            break
        value = found["text"] if found["loose"] is None else found["loose"]
        headers[header] = re.sub(r"\\(.)", r"\1", value)
        place, count = found.end(), count + 1
        if count > MOST_TAGS:
            raise BadInput(f"{name} has more than {MOST_TAGS:,} headers")
    return headers, place


def _content(text: str, place: int) -> int:
    """Where something other than white space and comments comes next."""
    while (found := TOKEN.match(text, place)) and found.lastgroup in ("space", "comment", "escape"):
        place = found.end()
    return place


def _tokens(text: str, place: int, name: str, line: int) -> Iterator[tuple[str, str, int]]:
    """Kind, text and end of each token from a place on."""
    while place < len(text):
        found = TOKEN.match(text, place)
        if found is None:
            what = UNREADABLE.get(text[place]) or shown(text[place : place + 20])
            raise BadInput(f"{name}: {what} on line {line + text.count(chr(10), 0, place)}")
        place = found.end()
        yield str(found.lastgroup), found[0], place


def _moves(text: str, place: int, name: str = "", line: int = 1) -> tuple[list[str], str, int]:
    """The moves of the main line from a place on, the result if there is one, and where the game ends."""
    moves: list[str] = []
    depth, begun = 0, False
    for kind, token, end in _tokens(text, place, name, line):
        if depth == 0 and kind == "space" and "\n" in token and TAG.match(text, end):
            return moves, "", end
        if kind == "number" and depth == 0 and FIRST_MOVE.fullmatch(token):
            if begun and moves:  # no game has a first move twice
                return moves, "", place
            begun = True
        elif kind == "open":
            depth += 1
        elif kind == "close":
            if depth == 0:
                raise BadInput(f"{name} closes a variation that it did not open")
            depth -= 1
        elif kind == "result" and depth == 0:
            return moves, RESULTS[token], end
        elif kind == "move" and depth == 0 and not token.isdecimal():
            if token.startswith("["):
                raise BadInput(f"{name}: {shown(text[end - len(token) : end + 20])} is no header")
            if move := ASSESSMENT.sub("", token):
                moves.append(re.sub(r"\((.)\)", r"=\1", move))
        place = end
    if depth:
        raise BadInput(f"{name} ends inside a variation")
    return moves, "", len(text)


def _played(game: Chess, headers: dict[str, str], moves: list[str], result: str, name: str) -> PgnGame:
    """The moves as actions, played from the start that the headers name, up to one that cannot be played."""
    variant = re.sub(r"[^a-z0-9?]", "", headers.get("Variant", "").lower())
    if variant not in VARIANTS:
        raise BadInput(f"{name} is of another variant, {shown(headers['Variant'])}: this reads chess and Chess960")
    try:
        start = state = game.read_state(headers["FEN"]) if "FEN" in headers else game.start_state
    except BadInput as error:
        raise BadInput(f"{name}: {error}") from None
    rules, actions = game, list[int]()
    for place, move in enumerate(moves):
        if rules is game and game.is_drawn(state):
            rules = _loosest(game)
        number = len(actions) // 2 + 1
        try:
            if move in WORDS and _is_a_word(rules, state, moves[place : place + 2]):
                continue
            action = rules.parse_action(state, move)
        except BadInput as error:
            passes = move in ("--", "Z0")
            why = f" passes at move {number}: no player may" if passes else f", move {number}: {error}"
            return PgnGame(headers, start, actions, result, name + why)
        actions.append(action)
        state = game.state_after(state, action)
    return PgnGame(headers, start, actions, result)


def _loosest(game: Chess) -> Chess:
    """The rules by which a record may go on after every draw that these claim."""
    from .. import load_game

    looser: list[Any] = [load_game(text) for text in game.looser_rules()[-1:]]
    return looser[0] if looser else game


def _is_a_word(game: Chess, state: Any, words: list[str]) -> bool:
    """Whether a letter is a remark on the move before it, and no piece that stands apart from its square."""
    try:
        game.parse_action(state, "".join(words))
    except BadInput:
        return True
    return False
