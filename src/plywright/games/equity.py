"""Equities: what share of the pot hands and ranges win on average, counted over all boards or over a sample of them.

    equities(["AsKs", "QQ+,AKo"], board="Ts 9s 2d")

A range is a list of hands with commas: `AsKs` (one hand), `QQ` (a pair of any suits), `AKs` and `AKo` (suited and not),
`AK` (both), `QQ+` (that pair and higher ones), `A9s+` (the kicker up to one below), `77-99`, `A2s-A5s`, `random`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bits import popcount
from ..compiled import NO_GAME, kernel
from ..errors import BadInput, shown
from ..rng import below, seeded
from .hand_tables import BIAS, strength_of, workspace
from .poker_hands import RANKS, SUITS, format_card, parse_cards

MOST_PLAYERS = 6
MOST_COUNTED = 1_500_000_000
"""Hands that are rated before a sample stands in for all boards; some seconds."""
MOST_SAMPLES = 1_000_000_000
SAMPLES = 1_000_000


@dataclass(frozen=True)
class Equity:
    """What each hand or range wins of the pot on average, how often it wins alone and how often it shares."""

    hands: tuple[str, ...]
    equity: tuple[float, ...]
    wins: tuple[float, ...]
    ties: tuple[float, ...]
    error: float
    """The standard error of the largest equity; 0 where everything was counted."""
    boards: int
    """How many deals were counted or drawn."""

    def as_dict(self) -> dict[str, Any]:
        rows = zip(self.hands, self.equity, self.wins, self.ties, strict=True)
        names = ("hand", "equity", "win", "tie")
        return {
            "hands": [dict(zip(names, row, strict=True)) for row in rows],
            "error": self.error,
            "exact": self.error == 0.0,
            "deals": self.boards,
        }


def parse_range(text: str) -> list[int]:
    """The hands of two cards that a text means, as sets of bits, each once; raises BadInput."""
    found: dict[int, None] = {}
    for part in (piece.strip() for piece in text.split(",")):
        if not part:
            raise BadInput(f"{shown(text)} has an empty part: write hands with commas between, such as QQ+,AKo")
        found |= dict.fromkeys(_part(part))
    return list(found)


def _part(part: str) -> list[int]:
    if part.lower() in ("random", "any"):
        return [1 << low | 1 << high for high in range(52) for low in range(high)]
    if len(part) == 4 and part[1].lower() in SUITS and part[3].lower() in SUITS:
        one, two = parse_cards(f"{part[:2]} {part[2:]}")
        return [1 << one | 1 << two]
    low, dash, high = part.partition("-")
    if dash:
        return _between(_kind(low, part), _kind(high, part), part)
    plus = part.endswith("+")
    top, kicker, kind = _kind(part[:-1] if plus else part, part)
    if not plus:
        return _suits(top, kicker, kind)
    if top == kicker:
        return [hand for rank in range(top, 13) for hand in _suits(rank, rank, kind)]
    return [hand for rank in range(kicker, top) for hand in _suits(top, rank, kind)]


def _kind(text: str, whole: str) -> tuple[int, int, str]:
    """The higher rank, the lower one, and s, o or nothing."""
    ranks, kind = text[:2].upper(), text[2:].lower()
    if len(text) not in (2, 3) or any(rank not in RANKS for rank in ranks) or kind not in ("", "s", "o"):
        raise BadInput(f"{shown(whole)} is no hand or range: write AsKs, QQ, AKs, AKo, QQ+, A9s+, 77-99 or random")
    one, two = (RANKS.index(rank) for rank in ranks)
    if one == two and kind:
        raise BadInput(f"{shown(whole)}: a pair is of two suits, so leave the {kind} out")
    return max(one, two), min(one, two), kind


def _between(one: tuple[int, int, str], two: tuple[int, int, str], whole: str) -> list[int]:
    low, high = sorted((one, two))
    pairs = low[0] == low[1] and high[0] == high[1]
    if one[2] != two[2] or not (pairs or (low[0] == high[0] and low[0] != low[1] and high[0] != high[1])):
        raise BadInput(
            f"{shown(whole)}: the ends of a range are two pairs, or two hands with the same high card and kind"
        )
    if pairs:
        return [hand for rank in range(low[0], high[0] + 1) for hand in _suits(rank, rank, "")]
    return [hand for rank in range(low[1], high[1] + 1) for hand in _suits(low[0], rank, low[2])]


def _suits(top: int, kicker: int, kind: str) -> list[int]:
    if top == kicker:
        return [1 << 4 * top + a | 1 << 4 * top + b for a, b in itertools.combinations(range(4), 2)]
    suited = [1 << 4 * top + suit | 1 << 4 * kicker + suit for suit in range(4)]
    others = [1 << 4 * top + a | 1 << 4 * kicker + b for a in range(4) for b in range(4) if a != b]
    return suited if kind == "s" else others if kind == "o" else suited + others


def equities(
    hands: Sequence[str], board: str = "", *, samples: int | None = None, exact: bool = False, seed: int = 1
) -> Equity:
    """What each hand or range wins. All boards are counted where that takes some seconds at most, or with `exact`.

    Otherwise, or with `samples`, so many deals are drawn, and `error` is the standard error of the answer.
    """
    if not 2 <= len(hands) <= MOST_PLAYERS:
        raise BadInput(f"equity is between 2 to {MOST_PLAYERS} hands or ranges, not {len(hands)}")
    if samples is not None and (exact or not 2 <= samples <= MOST_SAMPLES):
        raise BadInput(f"samples must be from 2 to {MOST_SAMPLES:,}, and goes without exact, not {samples}")
    ranges, common = [parse_range(text) for text in hands], _board(board)
    ranges = [_without(held, common, text) for held, text in zip(ranges, hands, strict=True)]
    missing = 5 - popcount(common)
    boards = math.comb(52 - popcount(common) - 2 * len(hands), missing)
    pairings = math.prod(map(len, ranges))
    counted = pairings * boards * len(hands)
    if samples is None and (exact or counted <= MOST_COUNTED):
        matches = _matches(ranges, hands)
        sums = _counted(matches, common, missing)
        total = len(matches) * boards
        error = 0.0
    else:
        total = samples or SAMPLES
        sums = _drawn(ranges, common, missing, total, seed, hands)
        means = sums[0] / total
        best = int(np.argmax(means))
        error = math.sqrt(max(float(sums[3][best]) / total - float(means[best]) ** 2, 0.0) / (total - 1))
    shares, wins, ties = (tuple(float(part) / total for part in row) for row in sums[:3])
    return Equity(tuple(hands), shares, wins, ties, error, total)


def _board(text: str) -> int:
    cards = parse_cards(_blanks(text)) if text.strip() else []
    if len(cards) not in (0, 3, 4, 5):
        raise BadInput(f"a board has 3, 4 or 5 cards, or none yet, not {len(cards)}: {shown(text)}")
    return sum(1 << card for card in cards)


def _blanks(text: str) -> str:
    letters = text.replace(" ", "").replace(",", "").replace("10", "T")
    return " ".join(letters[place : place + 2] for place in range(0, len(letters), 2))


def _without(held: list[int], common: int, text: str) -> list[int]:
    """The hands of a range that the board leaves."""
    left = [hand for hand in held if not hand & common]
    if not left:
        twice = next(format_card(card) for card in range(52) if held[0] & common & 1 << card)
        raise BadInput(f"{text}: {twice} is on the board, so nobody can hold it")
    return left


def _matches(ranges: list[list[int]], texts: Sequence[str]) -> NDArray[np.int64]:
    """Every choice of one hand from each range in which no card is there twice."""
    rows: list[tuple[int, ...]] = [()]
    for held in ranges:
        rows = [(*row, hand) for row in rows for hand in held if not any(hand & other for other in row)]
    if not rows:
        raise BadInput(f"{' and '.join(texts)} need the same card: a deck has one of each")
    return np.array(rows, np.int64)


def hand_equities(hands: Sequence[int], board: int, dead: int) -> list[float]:
    """What each of some hands wins of the pot, exactly; all are sets of bits, `dead` has cards that cannot come."""
    matches = np.array([hands], np.int64)
    gone = popcount(board | dead | int(np.bitwise_or.reduce(matches[0])))
    missing = 5 - popcount(board)
    sums = _counted(matches, board, missing, dead)
    return [float(share) / math.comb(52 - gone, missing) for share in sums[0]]


def _counted(matches: NDArray[np.int64], common: int, missing: int, dead: int = 0) -> Any:
    count, players = matches.shape
    work = workspace(
        hands=matches.reshape(-1),
        deck=np.zeros(52, np.int64),
        place=np.zeros(8, np.int64),
        base=np.zeros(players, np.int64),
        found=np.zeros(players, np.int64),
        sums=np.zeros(4 * players),
    )
    for number in range(count):
        count_boards(NO_GAME, number, players, common, missing, dead, work)
    return np.array(work.sums).reshape(4, players)


def _drawn(ranges: list[list[int]], common: int, missing: int, total: int, seed: int, texts: Sequence[str]) -> Any:
    players = len(ranges)
    starts = np.cumsum([0, *map(len, ranges)])
    work = workspace(
        hands=np.concatenate([np.array(held, np.int64) for held in ranges]),
        starts=starts.astype(np.int64),
        held=np.zeros(players, np.int64),
        found=np.zeros(players, np.int64),
        sums=np.zeros(4 * players),
        rng=seeded(seed),
    )
    if draw_boards(NO_GAME, players, common, missing, total, work) < total:
        raise BadInput(f"{' and '.join(texts)} hardly ever come together: they need the same cards")
    return np.array(work.sums).reshape(4, players)


@kernel
def count_boards(game, number, players, common, missing, gone, work):
    """Add up, over all ways to complete the board, what each hand of a match wins: shares, wins, ties, squares."""
    dead = common | gone
    for player in range(players):
        dead |= work.hands[number * players + player]
    left = 0
    for card in range(52):
        if dead >> card & 1 == 0:
            work.deck[left] = card
            left += 1
    for player in range(players):
        work.base[player] = BIAS + sum_of(common | work.hands[number * players + player], work)
    if missing == 0:
        settle(number * players, players, common, 0, work)
        return 0
    for place in range(missing):
        work.place[place] = place
    outer = missing - 1
    while True:
        total, cards = 0, common
        for place in range(outer):
            card = work.deck[work.place[place]]
            total += work.parts[card]
            cards |= 1 << card
        start = work.place[outer - 1] + 1 if outer > 0 else 0
        for place in range(start, left):
            card = work.deck[place]
            settle(number * players, players, cards | 1 << card, total + work.parts[card], work)
        level = outer - 1  # the next choice of the outer cards
        while level >= 0 and work.place[level] == left - missing + level:
            level -= 1
        if level < 0:
            return 0
        work.place[level] += 1
        for place in range(level + 1, outer):
            work.place[place] = work.place[place - 1] + 1


@kernel
def draw_boards(game, players, common, missing, count, work):
    """The same over so many deals at random; returns how many could be drawn."""
    done, vain = 0, 0
    while done < count and vain < 1000000:
        dead, fits = common, True
        for player in range(players):
            start, end = work.starts[player], work.starts[player + 1]
            hand = work.hands[start + below(work.rng, end - start)]
            fits = fits and dead & hand == 0
            dead |= hand
            work.held[player] = hand
        if fits:
            cards, total = common, sum_of(common, work)
            for _ in range(missing):
                card = below(work.rng, 52)
                while dead >> card & 1:
                    card = below(work.rng, 52)
                dead |= 1 << card
                cards |= 1 << card
                total += work.parts[card]
            score(players, cards, total, work)
            done += 1
            vain = 0
        else:
            vain += 1
    return done


def sum_of(cards, work):
    """The parts of a set of cards added up."""
    total = 0
    for card in range(52):
        if cards >> card & 1:
            total += work.parts[card]
    return total


def settle(first, players, board, total, work):
    """One full board: who wins."""
    for player in range(players):
        hand = work.hands[first + player]
        work.found[player] = strength_of(work.base[player] + total, board | hand, work)
    share_out(players, work)


def score(players, board, total, work):
    """The same of hands that were drawn."""
    for player in range(players):
        hand = work.held[player]
        work.found[player] = strength_of(BIAS + total + sum_of(hand, work), board | hand, work)
    share_out(players, work)


def share_out(players, work):
    """Add what each player wins by the strengths in work.found."""
    best, count = 0, 0
    for player in range(players):
        if work.found[player] > best:
            best = work.found[player]
            count = 0
        if work.found[player] == best:
            count += 1
    for player in range(players):
        if work.found[player] == best:
            share = 1.0 / count
            work.sums[player] += share
            work.sums[(1 if count == 1 else 2) * players + player] += 1.0
            work.sums[3 * players + player] += share * share
