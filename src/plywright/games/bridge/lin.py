"""LIN, the notation of Bridge Base: `md|3S...,...|sv|o|mb|1N|...|pc|SA|`, boards in and out."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator

from ...errors import BadInput, SkippedNote, shown
from .auction import call_text, checked_calls, contract_of, is_over, read_call
from .boards import SEAT_NAMES, Board, card_of, card_text, cards_in, checked_hands
from .play import checked_plays
from .trick import RANKS, TRICKS

FIRST = (2, 3, 0, 1)
"""LIN's order of hands: South, West, North, East."""
SIDES = {"o": 0, "0": 0, "-": 0, "n": 1, "e": 2, "b": 3}
SUIT_ORDER = "SHDC"
CALL = re.compile(r"(?:[1-7](?:NT?|[CDHS])|PASS|P|XX|X|RDBL|R|DBL|D)!?", re.IGNORECASE)
CARD = re.compile(r"[SHDC](?:10|[2-9TJQKA])", re.IGNORECASE)

Pairs = list[tuple[str, str]]


def parse_lin(text: str) -> list[Board]:
    """The boards of a LIN file; raises BadInput with the board's number where one is broken."""
    if text.count("|") < 2:
        raise BadInput("this is no LIN: it is words and values with | between, such as md|3S...|mb|1C|")
    parts = text.replace("\ufeff", "").replace("\r", "").replace("\n", "").split("|")
    pairs = [(parts[i].strip().lower(), parts[i + 1].strip()) for i in range(0, len(parts) - 1, 2)]
    if not any(word == "md" for word, _ in pairs):
        raise BadInput("this is no LIN: no hands are dealt in it (md|...|)")
    boards: list[Board] = []
    names = ""
    for board in _parted(pairs):
        names = next((value for word, value in board if word == "pn"), names)
        boards.append(_board(board, names, len(boards) + 1))
    return boards


def _parted(pairs: Pairs) -> Iterator[Pairs]:
    """The words of each board: it begins with its label (qx), else names after the last one's play, or its hands."""
    starts: list[int] = []
    label, names, played = -1, -1, False
    for place, (word, _) in enumerate(pairs):
        if word in ("mb", "pc", "mc"):
            played, names = True, -1
        elif word == "qx" and label < 0:
            label = place
        elif word == "pn" and played:
            names = place
        elif word == "md":
            starts.append(label if label >= 0 else names if names >= 0 else place)
            label, names, played = -1, -1, False
    starts[0] = 0
    for start, end in zip(starts, [*starts[1:], len(pairs)], strict=True):
        yield pairs[start:end]


def _board(pairs: Pairs, names: str, number: int) -> Board:
    found = dict(reversed(pairs))  # the first of each
    label = found.get("qx", "")
    name = found.get("ah", label).removeprefix("Board ").strip() or str(number)
    try:
        hands, dealer = _hands(found["md"])
        vulnerable = SIDES.get(found.get("sv", "o").lower()[:1] or "o")
        if vulnerable is None:
            raise BadInput(f"sv is o, n, e or b, not {shown(found['sv'])}")
        calls = checked_calls([read_call(call) for call in _split(pairs, "mb", CALL)], dealer)
        cards = [card_of(card) for card in _split(pairs, "pc", CARD)]
        if cards and not is_over(calls):
            raise BadInput("cards were played before the auction was over")
        plays = checked_plays(hands, contract_of(calls, dealer), cards) if cards else ()
        claimed = _claimed(found.get("mc", "")) if is_over(calls) and any(calls) and len(plays) < 4 * TRICKS else None
        return Board(hands, dealer, vulnerable, name, calls, plays, _players(names, label), claimed=claimed)
    except BadInput as error:
        raise BadInput(f"board {name}: {error}") from None


def _split(pairs: Pairs, wanted: str, one: re.Pattern[str]) -> Iterator[str]:
    """The calls or cards of a board, of which a word may hold several."""
    for word, value in pairs:
        if word == wanted and value:
            several = one.findall(value)
            yield from several if "".join(several) == value else [value]


def _claimed(text: str) -> int | None:
    """The declarer's tricks that were claimed."""
    if text and not (text.isdecimal() and int(text) <= TRICKS):
        raise BadInput(f"mc is the declarer's tricks, 0 to {TRICKS}, not {shown(text)}")
    return int(text) if text else None


def _players(names: str, label: str) -> tuple[str, str, str, str]:
    """The names of a table by seat; of eight the last four sit in the closed room, whose labels begin with c."""
    words = [*names.split(","), *("",) * 8]
    south, west, north, east = words[4:8] if label.lower().startswith("c") and names.count(",") >= 7 else words[:4]
    return north, east, south, west


def _hands(text: str) -> tuple[tuple[int, int, int, int], int]:
    if not text or text[0] not in "1234":
        raise BadInput(f"md begins with the dealer, 1 South to 4 East, not {shown(text[:1])}")
    words = text[1:].split(",")
    if not 3 <= len(words) <= 4:
        raise BadInput(f"md has three or four hands with commas between, not {len(words)}")
    hands = [0, 0, 0, 0]
    for seat, word in zip(FIRST, words, strict=False):
        hands[seat] = _hand(word, seat)
    hidden = {seat for seat in range(4) if not hands[seat]}
    return checked_hands(hands, hidden=hidden), FIRST["1234".index(text[0])]


def _hand(text: str, seat: int) -> int:
    hand, suit = 0, -1
    for letter in text.strip().upper().replace("10", "T"):
        if letter in SUIT_ORDER:
            suit = 3 - SUIT_ORDER.index(letter)
        elif suit < 0 or letter not in RANKS:
            raise BadInput(f"{shown(text)} is no hand of LIN; write suits and ranks, such as SAK2HQJDT98C7654")
        else:
            card = 1 << 16 * suit + RANKS.index(letter)
            if hand & card:
                raise BadInput(f"{SEAT_NAMES[seat]} has {SUIT_ORDER[3 - suit]}{letter} twice")
            hand |= card
    return hand


def format_lin(boards: Iterable[Board]) -> str:
    """Boards as a LIN file, one line each; raises BadInput for an ending, and warns of what LIN cannot say."""
    return "".join(_format(board, number) + "\n" for number, board in enumerate(boards, 1))


def _format(board: Board, number: int) -> str:
    name = _plain(board.name) or str(number)
    if any(hand and hand.bit_count() != TRICKS for hand in board.hands):
        raise BadInput(f"board {name} is an ending, which LIN has no words for; PBN has")
    if board.contract is not None:
        text = f"board {name}: {board.contract.words} is left out with its play, since LIN has none without an auction"
        warnings.warn(text, SkippedNote, stacklevel=3)
    hands = [
        "".join(
            SUIT_ORDER[3 - suit]
            + "".join(RANKS[c & 15] for c in reversed(cards_in(board.hands[seat])) if c >> 4 == suit)
            for suit in (3, 2, 1, 0)
        )
        if board.hands[seat]
        else ""
        for seat in FIRST
    ]
    words = [f"pn|{','.join(_plain(board.players[seat]) for seat in FIRST)}"]
    words.append(f"md|{FIRST.index(board.dealer) + 1}{','.join(hands)}")
    words += [f"ah|Board {name}", f"sv|{'oneb'[board.vulnerable]}"]
    short = {"Pass": "p", "X": "d", "XX": "r"}
    words += [f"mb|{short.get(call_text(call), call_text(call).removesuffix('T'))}" for call in board.calls]
    if is_over(board.calls):
        words += [f"pc|{card_text(card)}" for card in board.plays]
        words += [f"mc|{board.claimed}"] if board.claimed is not None else []
    return "|".join(words) + "|"


def _plain(text: str) -> str:
    """A name without what parts words in LIN."""
    return " ".join(re.sub(r"[|,\s]", " ", text).split())
