"""Portable Bridge Notation: boards in and out (`[Deal "N:..."]`, auction, play)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...errors import BadInput, shown
from .auction import Contract, call_text, checked_calls, contract_of, is_over, read_call
from .boards import SEAT_NAMES, VULNERABLE, Board, card_of, card_text, deal_text, read_deal, read_seat, read_vulnerable
from .play import checked_plays, in_columns, seats_in_order, tricks_made
from .scoring import score_for_ns
from .trick import SEATS

TAG = re.compile(r'\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
NOTE = re.compile(r"=\d+=|\$\d+|[!?]+|\{[^}]*\}")
IN_PBN = {"none": "None", "NS": "NS", "EW": "EW", "both": "All"}


def parse_pbn(text: str) -> list[Board]:
    """The boards of a PBN file; raises BadInput with the board's number where one is broken."""
    boards: list[Board] = []
    tags: dict[str, str] = {}
    sections: dict[str, list[str]] = {}
    section = ""
    in_comment = False

    def finish() -> None:
        if "Deal" in tags:
            boards.append(_board(tags, sections, len(boards) + 1))

    for number, raw in enumerate(text.replace("\ufeff", "").splitlines(), 1):
        line = raw.strip()
        if in_comment or line.startswith(("%", ";")):
            in_comment = in_comment and "}" not in line
            continue
        if line.startswith("{"):
            in_comment = "}" not in line
            continue
        if line.startswith("["):
            match = TAG.fullmatch(line)
            if match is None:
                raise BadInput(f'line {number}: {shown(line)} is no PBN tag; write [Name "value"]')
            name, value = match[1], match[2]
            if (name == "Event" and tags) or name in tags:
                finish()
                tags, sections = {}, {}
            tags[name] = value
            section = name
        elif line:
            sections.setdefault(section, []).append(line.partition(";")[0])
    finish()
    if not boards:
        raise BadInput('this is no PBN: there is no [Deal "N:..."] in it')
    return boards


def _board(tags: dict[str, str], sections: dict[str, list[str]], number: int) -> Board:
    name = tags.get("Board") or str(number)
    try:
        hands = read_deal(tags["Deal"], whole=True)
        dealer = read_seat(tags.get("Dealer") or tags["Deal"].strip()[:1])
        vulnerable = read_vulnerable(tags.get("Vulnerable") or "none")
        calls: tuple[int, ...] = ()
        plays: tuple[int, ...] = ()
        if "Auction" in tags:
            dealer = read_seat(tags["Auction"]) if tags["Auction"].strip() else dealer
            calls = checked_calls(_calls(sections.get("Auction", [])), dealer)
        if "Play" in tags and is_over(calls):
            contract = contract_of(calls, dealer)
            columns = _words(sections.get("Play", []))
            plays = checked_plays(hands, contract, _plays(columns, contract, tags["Play"]))
        names = tuple(tags.get(seat, "") for seat in SEAT_NAMES)
        return Board(hands, dealer, vulnerable, name, calls, plays, names)  # type: ignore[arg-type]
    except BadInput as error:
        raise BadInput(f"board {name}: {error}") from None


def _words(lines: Iterable[str]) -> list[str]:
    return [word for line in lines for word in NOTE.sub(" ", line).split() if word not in ("*", "+")]


def _calls(lines: Iterable[str]) -> list[int]:
    calls: list[int] = []
    for word in _words(lines):
        if word.upper() == "AP":
            while not is_over(calls):
                calls.append(0)
        else:
            calls.append(read_call(word))
    return calls


def _plays(words: Sequence[str], contract: Contract, first: str) -> list[int]:
    """Cards in the order of play from PBN's columns, which always begin with the seat that led first."""
    cards = [None if word == "-" else card_of(word) for word in words]
    return seats_in_order(cards, contract, read_seat(first) if first.strip() else None)


def format_pbn(boards: Iterable[Board]) -> str:
    """Boards as a PBN file."""
    return "\n".join(_format(board, number) for number, board in enumerate(boards, 1))


def _format(board: Board, number: int) -> str:
    over = is_over(board.calls)
    contract = contract_of(board.calls, board.dealer) if over else None
    made = None if contract is None else tricks_made(board.hands, contract, board.plays)
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
    if board.plays and contract is not None:
        lines.append(f'[Play "{SEATS[(contract.declarer + 1) & 3]}"]')
        lines += [
            " ".join("-" if card is None else card_text(card) for card in row)
            for row in in_columns(board.plays, contract)
        ]
        if len(board.plays) < 52:
            lines.append("*")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
