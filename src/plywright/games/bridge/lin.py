"""LIN, the notation of Bridge Base: `md|3S...,...|sv|o|mb|1N|...|pc|SA|`, boards in and out."""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import BadInput, shown
from .auction import call_text, checked_calls, contract_of, is_over, read_call
from .boards import DECK, SEAT_NAMES, Board, card_of, card_text, cards_in, checked_hands
from .play import checked_plays
from .trick import RANKS

FIRST = (2, 3, 0, 1)
"""LIN's order of hands: South, West, North, East."""
SIDES = {"o": 0, "0": 0, "n": 1, "e": 2, "b": 3}
SUIT_ORDER = "SHDC"


def parse_lin(text: str) -> list[Board]:
    """The boards of a LIN file; raises BadInput with the board's number where one is broken."""
    if text.count("|") < 2:
        raise BadInput("this is no LIN: it is words and values with | between, such as md|3S...|mb|1C|")
    parts = text.replace("\r", "").replace("\n", "").split("|")
    pairs = [(parts[i].strip().lower(), parts[i + 1]) for i in range(0, len(parts) - 1, 2)]
    boards: list[Board] = []
    current: list[tuple[str, str]] = []
    for word, value in pairs:
        if word == "md" and any(other == "md" for other, _ in current):
            boards.append(_board(current, len(boards) + 1))
            current = [pair for pair in current if pair[0] == "pn"][:1]
        current.append((word, value))
    if not any(word == "md" for word, _ in current):
        raise BadInput("this is no LIN: no hands are dealt in it (md|...|)")
    return [*boards, _board(current, len(boards) + 1)]


def _board(pairs: list[tuple[str, str]], number: int) -> Board:
    found = dict(reversed(pairs))  # the first of each
    name = found.get("ah", found.get("qx", str(number))).strip()
    name = name.removeprefix("Board ") or str(number)
    try:
        hands, dealer = _hands(found["md"])
        vulnerable = SIDES.get(found.get("sv", "o").strip().lower()[:1] or "o")
        if vulnerable is None:
            raise BadInput(f"sv is o, n, e or b, not {shown(found['sv'])}")
        calls = checked_calls([read_call(value) for word, value in pairs if word == "mb"], dealer)
        cards = [card_of(value) for word, value in pairs if word == "pc" and value.strip()]
        if cards and not is_over(calls):
            raise BadInput("cards were played before the auction was over")
        plays = checked_plays(hands, contract_of(calls, dealer), cards) if cards else ()
        names = [*found.get("pn", "").split(","), "", "", "", ""]
        players = [""] * 4
        for seat, player in zip(FIRST, names, strict=False):
            players[seat] = player
        return Board(hands, dealer, vulnerable, name, calls, plays, tuple(players))  # type: ignore[arg-type]
    except BadInput as error:
        raise BadInput(f"board {name}: {error}") from None


def _hands(text: str) -> tuple[tuple[int, int, int, int], int]:
    text = text.strip()
    if not text or text[0] not in "1234":
        raise BadInput(f"md begins with the dealer, 1 South to 4 East, not {shown(text[:1])}")
    words = text[1:].split(",")
    if not 3 <= len(words) <= 4:
        raise BadInput(f"md has three or four hands with commas between, not {len(words)}")
    hands = [0, 0, 0, 0]
    for seat, word in zip(FIRST, words, strict=False):
        hands[seat] = _hand(word, seat)
    if len(words) == 3 or not words[3].strip():
        hands[FIRST[3]] = DECK & ~(hands[0] | hands[2] | hands[3])
    return checked_hands(hands), FIRST["1234".index(text[0])]


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
    """Boards as a LIN file, one line each."""
    return "".join(_format(board, number) + "\n" for number, board in enumerate(boards, 1))


def _format(board: Board, number: int) -> str:
    hands = [
        "".join(
            SUIT_ORDER[3 - suit]
            + "".join(RANKS[c & 15] for c in reversed(cards_in(board.hands[seat])) if c >> 4 == suit)
            for suit in (3, 2, 1, 0)
        )
        for seat in FIRST
    ]
    words = [f"pn|{','.join(board.players[seat] for seat in FIRST)}"]
    words.append(f"md|{FIRST.index(board.dealer) + 1}{','.join(hands)}")
    words += [f"ah|Board {board.name or number}", f"sv|{'oneb'[board.vulnerable]}"]
    short = {"Pass": "p", "X": "d", "XX": "r"}
    words += [f"mb|{short.get(call_text(call), call_text(call).removesuffix('T'))}" for call in board.calls]
    words += [f"pc|{card_text(card)}" for card in board.plays]
    return "|".join(words) + "|"
