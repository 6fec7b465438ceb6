"""Games of Go as SGF (FF[4]): one game, its main line, out and in.

    (;FF[4]GM[1]CA[UTF-8]AP[Plywright]SZ[9]KM[7.5]PB[Ann]PW[Bob]RE[B+3.5];B[ee];W[gc];B[])

Points are two letters, column from the left and row from the top; an empty value, or tt on boards up to 19, is a pass.
AB, AW and PL in the first node are the position that the game began from, and HA says that it is a handicap. Variations
are skipped: `SgfGame.skipped` counts them, and readers are told (`SkippedNote`).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import BadInput, SkippedNote, shown
from ...repetition import Past

if TYPE_CHECKING:
    from .rules import Go

LETTERS = "abcdefghijklmnopqrstuvwxyz"
TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)\s*((?:\[(?:\\.|[^\]\\])*\]\s*)+))", re.S)
VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.S)
SHOWN = 24
"""Characters of a damaged game that a sentence shows."""
COLOURS = "BW"
KOMI = r"[+-]?[0-9]{1,4}(\.[0-9]{0,6})?"
SETUP = ("AB", "AW", "AE", "PL")

Node = dict[str, list[str]]


class SgfGame(NamedTuple):
    """What was read: the state it began from, the actions, the fields of the first node, and variations left out."""

    start: Any
    actions: list[int]
    fields: dict[str, str]
    skipped: int


def looks_like_sgf(text: str) -> bool:
    return re.match(r"\s*\(\s*;", text.lstrip("\ufeff")) is not None and "GM[Othello]" not in text[:200]


def write_sgf(
    game: Go, start: Any, actions: Sequence[int], names: Sequence[str] = (), payoffs: Sequence[float] | None = None
) -> str:
    """A whole game on one line."""
    black, white = (*names, "", "")[:2]
    text = (
        f"(;FF[4]GM[1]CA[UTF-8]AP[Plywright]SZ[{game.size}]KM[{game.komi:g}]PB[{_escaped(black)}]PW[{_escaped(white)}]"
    )
    stones = ["".join(f"[{sgf_point(game, p)}]" for p in range(game.points) if game.sign(start, p) == s) for s in "XO"]
    text += "".join(f"A{colour}{points}" for colour, points in zip(COLOURS, stones, strict=True) if points)
    if start != game.start_state:
        text += f"PL[{COLOURS[int(start.mover)]}]"
    state, moves = start, ""
    for action in actions:
        moves += f";{COLOURS[int(state.mover)]}[{sgf_point(game, int(action))}]"
        state = game.state_after(state, action)
    return f"{text}RE[{_result(game, state, payoffs)}]{moves})"


def _result(game: Go, state: Any, payoffs: Sequence[float] | None) -> str:
    """`B+3.5` of a game that was played out; who won otherwise, such as by the other's fault; ? where nobody has."""
    if game.is_terminal(state):
        return game.score_text(state)
    if payoffs is None:
        return "?"
    return "0" if payoffs[0] == payoffs[1] else f"{COLOURS[payoffs[1] > payoffs[0]]}+F"


def sgf_point(game: Go, action: int) -> str:
    """Two letters, or nothing for a pass."""
    if action == game.pass_action:
        return ""
    row, column = divmod(action, game.size)
    return LETTERS[column] + LETTERS[game.size - 1 - row]


def read_sgf(game: Go, text: str) -> SgfGame:
    """The main line of the one game of a text; raises BadInput with what is damaged in it, and where."""
    nodes, skipped = _nodes(text)
    first = nodes[0]
    _check_kind(game, first)
    start = state = _start(game, nodes)
    past, actions = Past(game), []
    for number, (colour, value) in enumerate(_moves(nodes), 1):
        written = f"move {number} of the game, {colour}[{value[:SHOWN]}]"
        action = _action(game, value, written)
        mover = COLOURS.index(colour)
        if int(state.mover) != mover and not game.is_terminal(state):  # the other passed, and nobody wrote it down
            past.add(state)
            actions.append(game.pass_action)
            state = game.state_after(state, game.pass_action)
        if game.is_terminal(state):
            raise BadInput(f"{written}: two passes had ended the game before it")
        if not past.allows(state, action):
            raise BadInput(f"{written}: {game.why_illegal(state, action)}")
        past.add(state)
        actions.append(action)
        state = game.state_after(state, action)
    if skipped:
        what = "a variation was" if skipped == 1 else f"{skipped} variations were"
        warnings.warn(f"{what} skipped: the main line of the game is read", SkippedNote, stacklevel=3)
    return SgfGame(start, actions, {name: values[0] for name, values in first.items()}, skipped)


def sgf_names(text: str) -> tuple[str, str]:
    """Who played Black and White, as the first node says."""
    first = _nodes(text)[0][0]
    return first.get("PB", [""])[0], first.get("PW", [""])[0]


def sgf_rules(game: Go, text: str) -> str:
    """`go:size=13,komi=6.5`, where the first node says so and this game is another one; else empty."""
    try:
        first = _nodes(text)[0][0]
    except BadInput:
        return ""
    size = re.fullmatch(r"([0-9]{1,3})(:\1)?", first.get("SZ", ["19"])[0].strip())
    komi = re.fullmatch(KOMI, first.get("KM", [""])[0].strip() or f"{game.komi:g}")
    if size is None or komi is None or first.get("GM", ["1"])[0].strip() != "1":
        return ""
    other = [] if int(size[1]) == game.size else [f"size={int(size[1])}"]
    other += [] if float(komi[0]) == game.komi else [f"komi={float(komi[0]):g}"]
    return f"go:{','.join(other)}" if other else ""


def _nodes(text: str) -> tuple[list[Node], int]:
    return _main_line(text.strip().lstrip("\ufeff"))


def _check_kind(game: Go, first: Node) -> None:
    fields = {name: values[0].strip() for name, values in first.items()}
    if fields.get("GM", "1") != "1":
        raise BadInput(f"GM[{fields['GM'][:SHOWN]}] is another game than Go, which is GM[1]")
    size = fields.get("SZ", "19")
    if not re.fullmatch(r"[0-9]{1,3}(:[0-9]{1,3})?", size):
        raise BadInput(f"the size of the board, SZ[{size[:SHOWN]}], is no number such as 9")
    if size not in (str(game.size), f"{game.size}:{game.size}"):
        lines = size.partition(":")[0]
        raise BadInput(f"the game was played on {lines}x{lines}, and this is {game.name}: choose go:size={lines}")
    komi = fields.get("KM", "")
    if not komi:
        return
    if not re.fullmatch(KOMI, komi):
        raise BadInput(f"the komi, KM[{komi[:SHOWN]}], is no number such as 7.5")
    if float(komi) != game.komi:
        raise BadInput(
            f"the game was played with komi {float(komi):g}, and this is {game.name} with {game.komi:g}: choose "
            f"go:size={game.size},komi={float(komi):g}"
        )


def _start(game: Go, nodes: list[Node]) -> Any:
    """The position of the first node; who moves is said by PL, else by the first move, else White has a handicap."""
    first = nodes[0]
    for number, node in enumerate(nodes[1:], 1):
        if name := next((name for name in SETUP if name in node), None):
            raise BadInput(f"node {number} changes the position by {name}: only the first may, behind it come moves")
    stones = {colour: _points(game, first.get(f"A{colour}", ()), f"A{colour}") for colour in COLOURS}
    side = first.get("PL", [""])[0].strip().upper()[:1]
    handicap = first.get("HA", ["0"])[0].strip()
    if not re.fullmatch("[0-9]{1,2}", handicap):
        raise BadInput(f"the handicap, HA[{handicap[:SHOWN]}], is no number of stones")
    if side not in ("", "B", "W"):
        raise BadInput(f"PL[{first['PL'][0][:SHOWN]}] does not say who moves: B or W")
    side = side or next((colour for colour, _ in _moves(nodes)), "")
    if not any(stones.values()) and side in ("", "B"):
        return game.start_state
    mover = COLOURS.index(side) if side else 1 if int(handicap) > 1 or (stones["B"] and not stones["W"]) else 0
    if double := set(stones["B"]) & set(stones["W"]):
        raise BadInput(f"AB and AW both put a stone on {game.point_name(min(double))}")
    return game.with_stones(stones["B"], stones["W"], mover)


def _points(game: Go, values: Sequence[str], field: str) -> list[int]:
    """The points of a list, in which `aa:cc` is a rectangle."""
    found = []
    for value in values:
        corners = [_action(game, part, f"{field}[{value[:SHOWN]}]") for part in value.split(":")[:2]]
        if game.pass_action in corners:
            raise BadInput(f"{field}[{value[:SHOWN]}] is no point")
        rows, columns = (sorted(corner // game.size for corner in corners), sorted(c % game.size for c in corners))
        found += [r * game.size + c for r in range(rows[0], rows[-1] + 1) for c in range(columns[0], columns[-1] + 1)]
    return found


def _action(game: Go, value: str, where: str) -> int:
    word = value.strip()
    if not word or (word == "tt" and game.size <= 19):
        return game.pass_action
    places = [LETTERS.find(letter) for letter in word]
    if len(places) != 2 or min(places) < 0:
        raise BadInput(f"{where}: a point is two small letters, column and row, such as ee")
    if max(places) >= game.size:
        raise BadInput(f"{where}: that point is outside a board of {game.size}x{game.size}")
    return (game.size - 1 - places[1]) * game.size + places[0]


def _moves(nodes: list[Node]) -> list[tuple[str, str]]:
    found = []
    for number, node in enumerate(nodes):
        here = [(colour, node[colour][0]) for colour in COLOURS if colour in node]
        if len(here) > 1:
            raise BadInput(f"node {number} has moves of both colours, and a node has one")
        found += here
    return found


def _main_line(text: str) -> tuple[list[Node], int]:
    """The nodes of the first variation of the first game, and how many variations beside it there were."""
    nodes: list[Node] = []
    place, depth, skipped = 0, 0, 0
    finished = 0  # the depth at which the main line has ended: what opens there is another variation
    ended = False
    while place < len(text) and not (ended and depth == 0):
        token = TOKEN.match(text, place)
        if token is None:
            raise BadInput(_damage(text, place, nodes))
        place = token.end()
        sign, name, values = token.groups()
        if sign == "(":
            depth += 1
            skipped += ended and depth <= finished + 1
        elif sign == ")":
            if not ended:
                ended, finished = True, depth
            depth -= 1
            finished = min(finished, depth)
        elif ended:
            continue
        elif sign == ";":
            nodes.append({})
        elif not nodes:
            raise BadInput(f"the game is damaged at its beginning: {name[:SHOWN]} stands before the first ;")
        else:
            key = "".join(letter for letter in name if letter.isupper())
            nodes[-1].setdefault(key, []).extend(_plain(value) for value in VALUE.findall(values))
    if depth or not ended:
        raise BadInput("the game breaks off: a game in SGF ends with the bracket ) of its beginning")
    if text[place:].strip():
        raise BadInput("there is more after the end of the game: give one game at a time")
    if not nodes:
        raise BadInput("the game has no node: a game in SGF begins with (;")
    return nodes, skipped


def _damage(text: str, place: int, nodes: list[Node]) -> str:
    rest = text[place:].strip()
    if not rest:
        return "the game breaks off: a game in SGF ends with the bracket ) of its beginning"
    behind = f"in node {len(nodes) - 1}" if nodes else "at its beginning"
    return f"the game is damaged {behind}: {shown(rest[:SHOWN])} is no field such as B[ee], no ; and no bracket"


def _plain(value: str) -> str:
    return re.sub(r"\\(\r\n|\n\r|.)", lambda found: "" if found[1][0] in "\r\n" else found[1], value, flags=re.S)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
