"""The auction: which calls are legal, and the contract that they lead to.

A call is a number: 0 pass, 1 double, 2 redouble, 3 to 37 the bids from one club to seven no trumps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...errors import BadInput, shown
from .boards import SEAT_NAMES, read_seat
from .trick import SEATS, STRAINS

PASS, DOUBLE, REDOUBLE, FIRST_BID = 0, 1, 2, 3
CALLS = FIRST_BID + 35
STRAIN_SIGNS = ("♣", "♦", "♥", "♠", "NT")


class Contract(NamedTuple):
    """What is to be made, by whom; `level` 0 means that everybody has passed."""

    level: int
    strain: int
    declarer: int
    doubled: int
    """1 doubled, 2 redoubled."""

    @property
    def text(self) -> str:
        """As it is written: `4SXN`, by whom last."""
        if not self.level:
            return "Pass"
        return f"{self.level}{STRAINS[self.strain]}{'X' * self.doubled}{SEATS[self.declarer]}"

    @property
    def words(self) -> str:
        """As it is said: `4♠ doubled by North`."""
        if not self.level:
            return "passed out"
        doubled = ("", " doubled", " redoubled")[self.doubled]
        return f"{self.level}{STRAIN_SIGNS[self.strain]}{doubled} by {SEAT_NAMES[self.declarer]}"


def bid_of(level: int, strain: int) -> int:
    """The number of a bid."""
    return FIRST_BID + 5 * (level - 1) + strain


def level_of(call: int) -> int:
    return (call - FIRST_BID) // 5 + 1


def strain_of(call: int) -> int:
    return (call - FIRST_BID) % 5


def call_text(call: int) -> str:
    """A call as it is written: `Pass`, `X`, `XX`, `1NT`, `4S`."""
    if call < FIRST_BID:
        return ("Pass", "X", "XX")[call]
    return f"{level_of(call)}{'NT' if strain_of(call) == 4 else STRAINS[strain_of(call)]}"


def read_call(text: str) -> int:
    """The call that a text means; raises BadInput."""
    word = text.strip().upper().rstrip("!")
    for sign, strain in zip("♣♦♥♠", STRAINS, strict=False):
        word = word.replace(sign, strain)
    words = {"P": 0, "PASS": 0, "X": 1, "D": 1, "DBL": 1, "DOUBLE": 1}
    words |= {"XX": 2, "R": 2, "RDBL": 2, "REDOUBLE": 2}
    if word in words:
        return words[word]
    level, strain = word[:1], word[1:].removesuffix("T") if word[1:] == "NT" else word[1:]
    if level in tuple("1234567") and len(strain) == 1 and strain in STRAINS:
        return bid_of(int(level), STRAINS.index(strain))
    raise BadInput(f"{shown(text)} is no call; write Pass, X, XX or a bid such as 1NT or 4S")


def read_contract(text: str) -> Contract:
    """A contract such as `4S N`, `3NTX-E` or `Pass`; raises BadInput."""
    word = text.strip().upper().replace(" ", "").replace("-", "").replace("♣", "C").replace("♦", "D")
    word = word.replace("♥", "H").replace("♠", "S").replace("BY", "")
    if word in ("PASS", "P", "AP"):
        return Contract(0, 0, 0, 0)
    level, rest = word[:1], word[1:]
    for name in ("NT", *STRAINS):
        if rest.startswith(name):
            after = rest[len(name) :]
            doubled = 2 if after.startswith("XX") else 1 if after.startswith("X") else 0
            seat = after[doubled:]
            if level in tuple("1234567") and seat in tuple(SEATS):
                return Contract(int(level), STRAINS.index(name[0]), read_seat(seat), doubled)
    raise BadInput(f"{shown(text)} is no contract; write level, strain and declarer, such as 4SN or 3NTXE")


def is_over(calls: Sequence[int]) -> bool:
    """Whether the auction has ended: three passes after a bid, or four at the start."""
    passes = 0
    for call in reversed(calls):
        if call != PASS:
            break
        passes += 1
    return passes == 4 or (passes == 3 and len(calls) > 3)


def last_bid(calls: Sequence[int]) -> tuple[int, int, int]:
    """The last bid (0 where there is none), the place of it in the auction, and how often it is doubled."""
    doubled = 0
    for place in range(len(calls) - 1, -1, -1):
        if calls[place] >= FIRST_BID:
            return calls[place], place, doubled
        doubled = max(doubled, calls[place])
    return 0, -1, 0


def legal_calls(calls: Sequence[int]) -> list[int]:
    """The calls that the next seat may make; none where the auction is over."""
    if is_over(calls):
        return []
    bid, place, doubled = last_bid(calls)
    ours = (len(calls) - place) % 2 == 0
    legal = [PASS]
    if bid and doubled == 0 and not ours:
        legal.append(DOUBLE)
    if bid and doubled == 1 and ours:
        legal.append(REDOUBLE)
    return legal + list(range(max(bid + 1, FIRST_BID), CALLS))


def checked_calls(calls: Sequence[int], dealer: int) -> tuple[int, ...]:
    """The same calls, each of them legal; raises BadInput that says what is wrong with the first that is not."""
    for number, call in enumerate(calls):
        if call not in legal_calls(calls[:number]):
            raise BadInput(why_illegal(calls[:number], call, dealer))
    return tuple(calls)


def why_illegal(calls: Sequence[int], call: int, dealer: int) -> str:
    """What is wrong with a call after others, in one line."""
    seat = SEAT_NAMES[(dealer + len(calls)) & 3]
    who = f"call {len(calls) + 1}, {seat}'s {call_text(call)}"
    if is_over(calls):
        return f"{who}: the auction is over"
    bid, _, doubled = last_bid(calls)
    if call >= FIRST_BID:
        return f"{who} is insufficient: the last bid is {call_text(bid)}"
    if not bid:
        return f"{who}: nothing has been bid yet"
    if call == DOUBLE and not doubled:
        return f"{who}: {call_text(bid)} is the side's own bid"
    if call == REDOUBLE and doubled == 0:
        return f"{who}: nobody has doubled"
    return f"{who}: {call_text(bid)} is {'redoubled' if doubled == 2 else 'doubled'} already"


def contract_of(calls: Sequence[int], dealer: int) -> Contract:
    """The contract that an auction has led to: the declarer named the strain first for the side."""
    bid, place, doubled = last_bid(calls)
    if not bid:
        return Contract(0, 0, 0, 0)
    for first in range(place % 2, place + 1, 2):
        if calls[first] >= FIRST_BID and strain_of(calls[first]) == strain_of(bid):
            return Contract(level_of(bid), strain_of(bid), (dealer + first) & 3, doubled)
    raise AssertionError("the bid itself names its strain")
