"""Portable Bridge Notation: boards in and out (`[Deal "N:..."]`, auction, play)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ...errors import BadInput, shown
from .auction import Contract, call_text, checked_calls, is_over, read_call, read_contract
from .boards import SEAT_NAMES, VULNERABLE, Board, card_of, card_text, deal_text, read_deal, read_seat, read_vulnerable
from .play import board_tricks, checked_plays, contract_played, in_columns, seats_in_order
from .scoring import score_for_ns
from .trick import SEATS, TRICKS

IN_PBN = {"none": "None", "NS": "NS", "EW": "EW", "both": "All"}
PIECE = re.compile(
    r"""(?P<space>\s+)
    | (?P<escape>^%[^\n]*) | (?P<comment>;[^\n]*|\{[^}]*\})
    | \[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
    | (?P<word>"(?:[^"\\\n]|\\.)*"|[^\s{;\[]+)""",
    re.VERBOSE | re.MULTILINE,
)
"""White space, an escaped line, a comment, a tag, or a word of a section."""
TOKEN = re.compile(r"=\d+=|\$\d+|[!?]+|\^.?|[*+]|[^=$!?^*+]+|.")
NOTES = ("=", "$", "!", "?")
IRREGULAR = {
    "^I": "an insufficient bid that was accepted",
    "^S": "a call out of rotation",
    "^R": "a revoke",
    "^L": "a lead out of turn",
}
NEVER_FIRST = ("Auction", "Play", "Note")
"""Tags that rest on others of their game, so that no game begins with them, whatever stands between."""
INHERITED = ("Board", *SEAT_NAMES)
"""Tags read here whose value may come from the game before."""
RESULT = re.compile(r"\^?(?:(?P<side>NS|EW)\s+)?(?P<tricks>\d+)(?:\s+(?:NS|EW)\s+\d+)?", re.IGNORECASE)


@dataclass
class Tag:
    """A tag of a game, with the words of the section that follows."""

    name: str
    value: str
    words: list[str] = field(default_factory=list)


def parse_pbn(text: str) -> list[Board]:
    """The boards of a PBN file; raises BadInput with the board's number where one is broken."""
    boards: list[Board] = []
    before: dict[str, str] = {}
    for_all: dict[str, str] = {}
    for tags in _games(text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")):
        first = {tag.name: tag for tag in reversed(tags)}  # a tag that already occurred is ignored
        for name in INHERITED:
            value = first[name].value if name in first else for_all.get(name, "")
            if value.startswith("##"):
                value = for_all[name] = value[2:]
            before[name] = before.get(name, "") if value == "#" else value
            first[name] = Tag(name, before[name])
        if "Deal" in first and first["Deal"].value.strip() not in ("", "?"):
            boards.append(_board(first, len(boards) + 1))
    if not boards:
        raise BadInput('this is no PBN: there is no [Deal "N:..."] in it')
    return boards


def _games(text: str) -> Iterator[list[Tag]]:
    """The tags of each game: an empty line ends one; where it is missing, a tag that comes again begins the next."""
    tags: list[Tag] = []
    for tag, after_empty in _tags(text):
        if after_empty and tags and tag.name not in NEVER_FIRST:
            yield from _parted(tags)
            tags = []
        tags.append(tag)
    yield from _parted(tags)


def _parted(tags: list[Tag]) -> Iterator[list[Tag]]:
    """Games between which there is no empty line: more than one deal shows that there are some."""
    several = sum(tag.name == "Deal" for tag in tags) > 1
    game: list[Tag] = []
    for tag in tags:
        if several and game and tag.name != "Note" and any(tag.name == other.name for other in game):
            yield game
            game = []
        game.append(tag)
    yield game


def _tags(text: str) -> Iterator[tuple[Tag, bool]]:
    """Each tag with the words after it, and whether an empty line came before it."""
    tag: Tag | None = None
    empty, empty_before, place = False, False, 0
    while place < len(text):
        piece = PIECE.match(text, place)
        if piece is None:
            line = text.count("\n", 0, place) + 1
            if text[place] == "{":
                raise BadInput(f"line {line}: a comment begins with {{ and does not end")
            broken = text[place:].partition("\n")[0]
            raise BadInput(f'line {line}: {shown(broken)} is no PBN tag; write [Name "value"]')
        place = piece.end()
        if piece["space"]:
            empty = empty or piece["space"].count("\n") > 1
        elif piece["name"]:
            if tag is not None:
                yield tag, empty_before
            value = re.sub(r"\\(.)", r"\1", piece["value"])
            tag, empty_before, empty = Tag(piece["name"], value), empty, False
        elif piece["word"] and tag is not None:
            tag.words.append(piece["word"])
    if tag is not None:
        yield tag, empty_before


def _board(tags: dict[str, Tag], number: int) -> Board:
    def value(name: str) -> str:
        """What a tag says; nothing where it is missing or unknown."""
        text = tags[name].value.strip() if name in tags else ""
        return "" if text == "?" else text

    name = value("Board") or str(number)
    try:
        hands = read_deal(value("Deal"), all_given=False)
        dealer = read_seat(value("Dealer") or (value("Deal")[:1] if ":" in value("Deal") else "N"))
        vulnerable = read_vulnerable(value("Vulnerable") or "none")
        ending = 0 < max(hand.bit_count() for hand in hands) < TRICKS
        names = tuple(value(seat) for seat in SEAT_NAMES)
        board = Board(hands, dealer, vulnerable, name, players=names)  # type: ignore[arg-type]
        if "Auction" in tags and not ending:
            dealer, calls = _auction(tags["Auction"].words, value("Auction"), dealer)
            board = replace(board, dealer=dealer, calls=checked_calls(calls, dealer))
        if not is_over(board.calls) and not ending:
            board = replace(board, contract=_contract(value("Contract"), value("Declarer")))
        contract = contract_played(board)
        if contract is None or not contract.level:
            return board
        words = tags["Play"].words if "Play" in tags else []
        board = replace(board, plays=checked_plays(hands, contract, _plays(words, contract, value("Play"))))
        partial = any("+" in word for word in words)
        if len(board.plays) < 4 * TRICKS and not partial:
            board = replace(board, claimed=_result(value("Result"), contract.declarer))
        return board
    except BadInput as error:
        raise BadInput(f"board {name}: {error}") from None


def _tokens(words: Iterable[str]) -> list[str]:
    """Calls or cards without what is noted about them; `*` ends them."""
    tokens = [token for word in words for token in TOKEN.findall(word) if not token.startswith(NOTES)]
    for token in tokens:
        if token.startswith("^"):
            raise BadInput(f"{token}, {IRREGULAR.get(token.upper(), 'an irregularity')}, is not read")
    return tokens[: tokens.index("*")] if "*" in tokens else tokens


def _auction(words: Iterable[str], first: str, dealer: int) -> tuple[int, list[int]]:
    """Who calls first, and the calls; columns may begin with another seat, whose `-` says that its turn comes later."""
    calls: list[int] = []
    caller = read_seat(first) if first else dealer
    for token in _tokens(words):
        if token == "-" and not calls:
            caller = (caller + 1) & 3
        elif token.upper() == "AP":
            while not is_over(calls):
                calls.append(0)
        elif token != "+":
            calls.append(read_call(token))
    return (caller if calls else dealer), calls


def _plays(words: Iterable[str], contract: Contract, first: str) -> list[int]:
    """Cards in the order of play from PBN's columns, which begin with one seat in every trick."""
    cards = [None if token in ("-", "+") else card_of(token) for token in _tokens(words)]
    return seats_in_order(cards, contract, read_seat(first) if first else None)


def _contract(text: str, declarer: str) -> Contract | None:
    """The contract that the tags name; None where they do not."""
    if text.upper() == "PASS":
        return read_contract(text)
    if declarer.startswith("^"):
        raise BadInput(f"{declarer}, declarer and dummy exchanged, is not read")
    return read_contract(text + declarer) if text and declarer else None


def _result(text: str, declarer: int) -> int | None:
    """The declarer's tricks that a Result names; None where it does not."""
    if not text:
        return None
    found = RESULT.fullmatch(text)
    if found is None or int(found["tricks"]) > TRICKS:
        raise BadInput(f"{shown(text)} is no result; write the declarer's tricks, 0 to {TRICKS}")
    tricks = int(found["tricks"])
    return TRICKS - tricks if (found["side"] or "").upper() == ("NS", "EW")[1 - declarer % 2] else tricks


def format_pbn(boards: Iterable[Board]) -> str:
    """Boards as a PBN file."""
    return "\n".join(_format(board, number) for number, board in enumerate(boards, 1))


def _format(board: Board, number: int) -> str:
    contract, made = contract_played(board), board_tricks(board)
    tags = {"Event": "", "Site": "", "Date": "", "Board": board.name or str(number)}
    tags |= dict(zip(("West", "North", "East", "South"), (board.players[seat] for seat in (3, 0, 1, 2)), strict=True))
    tags |= {"Dealer": SEATS[board.dealer], "Vulnerable": IN_PBN[VULNERABLE[board.vulnerable]]}
    tags |= {"Deal": deal_text(board.hands, board.dealer), "Scoring": "IMP"}
    tags["Declarer"] = SEATS[contract.declarer] if contract and contract.level else ""
    tags["Contract"] = "" if contract is None else contract.text[:-1] if contract.level else "Pass"
    if contract and contract.level and contract.strain == 4:
        tags["Contract"] = tags["Contract"].replace("N", "NT", 1)
    tags["Result"] = "" if made is None else str(made)
    if contract is not None and made is not None:
        tags["Score"] = f"NS {score_for_ns(contract, board.vulnerable, made)}"
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    if board.calls:
        lines.append(f'[Auction "{SEATS[board.dealer]}"]')
        texts = [call_text(call) for call in board.calls]
        lines += [" ".join(texts[start : start + 4]) for start in range(0, len(texts), 4)]
        if not is_over(board.calls):
            lines.append("*")
    if board.plays and contract is not None:
        lines.append(f'[Play "{SEATS[(contract.declarer + 1) & 3]}"]')
        lines += [
            " ".join("-" if card is None else card_text(card) for card in row)
            for row in in_columns(board.plays, contract)
        ]
        if len(board.plays) < 4 * TRICKS:
            lines.append("*")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return re.sub(r"\s", " ", text).replace("\\", "\\\\").replace('"', '\\"')
