"""Card abstraction of hold'em: hands that are about as good, and may become as good, share a bucket.

Before the flop there are 169 buckets, one for each hand up to suits. Later a hand is a point: its expected strength
and that strength's standard deviation over the cards to come (`games/holdem/strength.py`). Points are clustered by
k-means, street by street, weighed by how often they come; a hand belongs to the nearest centre. So a bucket follows
from the cards alone, and a strategy needs no more than the centres.

`BucketTables` has the bucket of every hand on every flop and turn for those who look up millions of them (24 MB, made
once and kept); on the river it is worked out.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled import NO_GAME, Workspace, kernel
from ..files import write_whole
from ..games.holdem.strength import expected_strength, rate_board, rate_boards, strength_workspace
from ..games.holdem.suits import (
    COMBINATIONS,
    PERMUTATIONS,
    Boards,
    binomials,
    choose_number,
    moved_card,
    pair_number,
    permuted,
)

STREETS = ("preflop", "flop", "turn", "river")
PREFLOP = 169
SAMPLE = 60_000
"""Points from which the centres of a street are made."""
ROUNDS = 40
SPREAD = 0.5
"""How much a difference of standard deviations counts beside one of means."""
MOST_BUCKETS = 255

Centres = NDArray[np.float64]
Report = Callable[[str, int, int], None]


def preflop_bucket(one: int, two: int) -> int:
    """The number of a hand before the flop: 13 high + low for suited hands and pairs, 13 low + high for others."""
    high, low = max(one >> 2, two >> 2), min(one >> 2, two >> 2)
    return 13 * high + low if one & 3 == two & 3 or high == low else 13 * low + high


def preflop_buckets() -> NDArray[np.int16]:
    """By pair of cards."""
    return np.array([preflop_bucket(low, high) for high in range(52) for low in range(high)], np.int16)


def nearest_bucket(hand: Sequence[int], board: Sequence[int], centres: Sequence[Centres]) -> int:
    """The bucket of a hand on a board; before the flop its number among 169."""
    if not board:
        return preflop_bucket(*hand)
    mean, deviation = expected_strength(hand, board)
    points = centres[len(board) - 3]
    return int(np.argmin((points[:, 0] - mean) ** 2 + (points[:, 1] - SPREAD * deviation) ** 2))


def packed(**arrays: NDArray[Any]) -> bytes:
    """Arrays as the bytes of an npz file."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


def compressed(**arrays: NDArray[Any]) -> bytes:
    """The same, compressed: for files that travel."""
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


class BucketTables:
    """Centres of flop, turn and river, and the bucket of every hand on every flop and every turn up to suits."""

    def __init__(self, centres: Sequence[Centres], flops: NDArray[np.uint8], turns: NDArray[np.uint8]) -> None:
        self.centres = [np.ascontiguousarray(points, np.float64) for points in centres]
        self.flops, self.turns = flops, turns  # [boards, COMBINATIONS]

    @classmethod
    def make(cls, buckets: int, seed: int = 1, report: Report = lambda what, done, of: None) -> BucketTables:
        """Rate every hand on every flop and turn, and cluster; some minutes of one core."""
        flops, turns = Boards(3), Boards(4)
        flop_points, turn_points = rated_boards(flops, turns, report)
        river = _river_points(seed)
        centres = [
            clustered(*_drawn(flop_points, flops.weights, seed), buckets, seed),
            clustered(*_drawn(turn_points, turns.weights, seed), buckets, seed),
            clustered(river, np.ones(len(river)), buckets, seed),
        ]
        report("assigning hands", 0, 1)
        return cls(centres, _assigned(flop_points, centres[0]), _assigned(turn_points, centres[1]))

    def save(self, path: Path) -> None:
        names = {f"centres{street}": points for street, points in enumerate(self.centres)}
        write_whole(path, packed(flops=self.flops, turns=self.turns, **names))

    @classmethod
    def load(cls, path: Path) -> BucketTables:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as data:
            found = cls([data[f"centres{street}"] for street in range(3)], data["flops"], data["turns"])
        for held, centres, cards in ((found.flops, found.centres[0], 3), (found.turns, found.centres[1], 4)):
            whole = held.dtype == np.uint8 and held.shape == (len(Boards(cards).weights), COMBINATIONS)
            if not whole or int(held.max()) >= len(centres):
                raise ValueError(f"the buckets of {cards} cards are not of every board")
        return found

    def workspace(self, **more: NDArray[Any]) -> Any:
        """What kernels need to look up the bucket of any hand on any board."""
        flops, turns = Boards(3), Boards(4)
        river = self.centres[2][:, 0]
        order = np.argsort(river)
        return strength_workspace(
            preflop=preflop_buckets().astype(np.int64),
            flop_buckets=np.ascontiguousarray(self.flops).reshape(-1),
            turn_buckets=np.ascontiguousarray(self.turns).reshape(-1),
            flop_classes=flops.classes.astype(np.int64),
            flop_turns=flops.turns.astype(np.int64),
            turn_classes=turns.classes.astype(np.int64),
            turn_turns=turns.turns.astype(np.int64),
            permutations=PERMUTATIONS.reshape(-1),
            binomials=binomials(),
            river_bounds=np.ascontiguousarray((river[order][1:] + river[order][:-1]) / 2),
            river_order=order.astype(np.int64),
            river_count=np.array([len(river) - 1], np.int64),
            **more,
        )


def rated_boards(flops: Boards, turns: Boards, report: Report) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean and scaled deviation of every pair on every flop and turn, NaN where a card is on it: [boards, pairs, 2].

    Every board of five up to suits is rated once, for all pairs, and counts for the flops and turns within it.
    """
    rivers = Boards(5)
    tables: dict[str, NDArray[Any]] = {}
    for name, boards in (("flop", flops), ("turn", turns)):
        size = len(boards) * COMBINATIONS
        tables |= {f"{name}_sum": np.zeros(size, np.float32), f"{name}_square": np.zeros(size, np.float32)}
        tables |= {f"{name}_ways": np.zeros(size, np.int32)}
        tables |= {f"{name}_classes": boards.classes.astype(np.int64), f"{name}_turns": boards.turns.astype(np.int64)}
    work = strength_workspace(
        words=rivers.words,
        weights=rivers.weights,
        moved=moved_pairs().reshape(-1),
        binomials=binomials(),
        five=np.zeros(5, np.int64),
        **tables,
    )
    for first in range(0, len(rivers), 256):
        spread_rivers(NO_GAME, first, min(first + 256, len(rivers)), work)
        report("rating boards", first, len(rivers))
    return _points(flops, work, "flop"), _points(turns, work, "turn")


def moved_pairs() -> NDArray[np.int64]:
    """By permutation of suits and pair: the pair that becomes of it."""
    cards = np.arange(52)
    lows = np.array([low for high in range(52) for low in range(high)])
    highs = np.array([high for high in range(52) for _ in range(high)])
    rows = []
    for permutation in PERMUTATIONS:
        to = cards & ~3 | permutation[cards & 3]
        one, two = to[lows], to[highs]
        high, low = np.maximum(one, two), np.minimum(one, two)
        rows.append(high * (high - 1) // 2 + low)
    return np.array(rows, np.int64)


def _points(boards: Boards, work: Any, name: str) -> NDArray[np.float32]:
    """The sums as points; pairs that a permutation which leaves the board alone makes of each other share theirs."""
    shape = (len(boards), COMBINATIONS)
    sums, squares, ways = (
        np.asarray(getattr(work, f"{name}_{part}")).reshape(shape) for part in ("sum", "square", "ways")
    )
    points = np.full((*shape, 2), np.nan, np.float32)
    moved, flat = moved_pairs(), PERMUTATIONS.reshape(-1)
    for number, word in enumerate(boards.words):
        keeps = [turn for turn in range(24) if permuted(int(word), turn, flat) == word]
        alike = moved[keeps]
        count = ways[number][alike].sum(0)
        there = count > 0
        mean = sums[number][alike].sum(0)[there] / count[there]
        square = squares[number][alike].sum(0)[there] / count[there]
        points[number, there, 0] = mean
        points[number, there, 1] = SPREAD * np.sqrt(np.maximum(square - mean * mean, 0.0))
    return points


def _river_points(seed: int) -> Centres:
    """The strengths of all hands on boards of five drawn at random."""
    rng = np.random.default_rng(seed)
    work = strength_workspace()
    found = []
    for _ in range(max(SAMPLE // 1081, 1)):
        board = rng.choice(52, 5, replace=False)
        rate_boards(NO_GAME, sum(1 << int(card) for card in board), 0, work)
        mean = np.asarray(work.mean)[np.asarray(work.ways) > 0]
        found.append(np.stack([mean, np.zeros_like(mean)], 1))
    return np.concatenate(found)


def _drawn(points: NDArray[np.float32], weights: NDArray[np.int64], seed: int) -> tuple[Centres, NDArray[np.float64]]:
    """Points of boards drawn by how many look like them."""
    rng = np.random.default_rng(seed)
    boards = rng.choice(len(weights), SAMPLE, p=weights / weights.sum())
    chosen = points[boards, rng.integers(0, COMBINATIONS, SAMPLE)]
    chosen = chosen[~np.isnan(chosen[:, 0])]
    return chosen.astype(np.float64), np.ones(len(chosen))


def clustered(points: Centres, weights: NDArray[np.float64], count: int, seed: int) -> Centres:
    """So many centres by k-means (Lloyd), begun with k-means++; in the order of their means."""
    rng = np.random.default_rng(seed)
    centres = [points[rng.integers(len(points))]]
    nearest = np.full(len(points), np.inf)
    for _ in range(count - 1):
        nearest = np.minimum(nearest, ((points - centres[-1]) ** 2).sum(1))
        odds = nearest * weights
        centres.append(points[rng.choice(len(points), p=odds / odds.sum())])
    work: Any = Workspace(
        points=np.ascontiguousarray(points).reshape(-1),
        weights=np.ascontiguousarray(weights),
        centres=np.array(centres).reshape(-1),
        sums=np.zeros(3 * count),
    )
    for _ in range(ROUNDS):
        if lloyd(NO_GAME, len(points), count, work) < 1e-9:
            break
    found: Centres = np.array(work.centres).reshape(count, 2)
    return found[np.argsort(found[:, 0], kind="stable")]


def _assigned(points: NDArray[np.float32], centres: Centres) -> NDArray[np.uint8]:
    flat = np.nan_to_num(points.reshape(-1, 2), nan=-9.0).astype(np.float32)
    found = np.zeros(len(flat), np.uint8)
    work = Workspace(points=np.ascontiguousarray(flat).reshape(-1), centres=centres.reshape(-1), found=found)
    assign(NO_GAME, len(flat), len(centres), work)
    return found.reshape(points.shape[:2])


@kernel
def spread_rivers(game, first, last, work):
    """Rate boards of five, and add each pair's share to the flops and turns within them."""
    for river in range(first, last):
        board, weight = work.words[river], work.weights[river]
        rate_board(game, board, work)
        rest = board
        for place in range(5):
            work.five[place] = rest & -rest
            rest &= rest - 1
        for one in range(5):
            turn = board ^ work.five[one]
            number = choose_number(turn, work.binomials)
            board_class, moves = work.turn_classes[number], work.turn_turns[number]
            add_shares(board_class, moves, weight, work.turn_sum, work.turn_square, work.turn_ways, work)
            for two in range(one):
                number = choose_number(turn ^ work.five[two], work.binomials)
                board_class, moves = work.flop_classes[number], work.flop_turns[number]
                add_shares(board_class, moves, weight, work.flop_sum, work.flop_square, work.flop_ways, work)
    return 0


def add_shares(board_class: Any, turn: Any, weight: Any, sums: Any, squares: Any, ways: Any, work: Any) -> None:
    """Add what each pair won to its sums on a flop or turn, whose class and permutation of suits are given."""
    base, moves = board_class * COMBINATIONS, turn * COMBINATIONS
    for pair in range(COMBINATIONS):
        share = work.share[pair]
        if share >= 0.0:
            spot = base + work.moved[moves + pair]
            sums[spot] += weight * share
            squares[spot] += weight * share * share
            ways[spot] += weight


@kernel
def lloyd(game, count, centres, work):
    """One round of k-means; returns how far the centres have moved."""
    for place in range(3 * centres):
        work.sums[place] = 0.0
    for point in range(count):
        x, y = work.points[2 * point], work.points[2 * point + 1]
        best = nearest_centre(x, y, centres, work)
        work.sums[3 * best] += work.weights[point]
        work.sums[3 * best + 1] += work.weights[point] * x
        work.sums[3 * best + 2] += work.weights[point] * y
    moved = 0.0
    for centre in range(centres):
        weight = work.sums[3 * centre]
        if weight > 0.0:
            x, y = work.sums[3 * centre + 1] / weight, work.sums[3 * centre + 2] / weight
            moved += abs(x - work.centres[2 * centre]) + abs(y - work.centres[2 * centre + 1])
            work.centres[2 * centre] = x
            work.centres[2 * centre + 1] = y
    return moved


@kernel
def assign(game, count, centres, work):
    """The nearest centre of each point; points outside (-9) go to 0."""
    for point in range(count):
        x, y = work.points[2 * point], work.points[2 * point + 1]
        if x >= 0.0:
            work.found[point] = nearest_centre(x, y, centres, work)
    return 0


def nearest_centre(x: Any, y: Any, centres: Any, work: Any) -> Any:
    """Of so many centres; the first of those that are equally near."""
    best, least = 0, 1e300
    for centre in range(centres):
        a, b = work.centres[2 * centre] - x, work.centres[2 * centre + 1] - y
        if a * a + b * b < least:
            least = a * a + b * b
            best = centre
    return best


def table_place(cards: Any, low: Any, high: Any, classes: Any, turns: Any, work: Any) -> Any:
    """Where a hand on a board stands in a table by classes of boards: flop or turn, whichever's classes are given."""
    number = choose_number(cards, work.binomials)
    turn = turns[number]
    one, two = moved_card(low, turn, work.permutations), moved_card(high, turn, work.permutations)
    return classes[number] * COMBINATIONS + pair_number(one, two)


def river_bucket(share: Any, work: Any) -> Any:
    """The bucket of a hand on a full board by the part of other hands it beats; by bisection of the centres."""
    bounds = work.river_bounds
    low, high = 0, work.river_count[0]
    while low < high:
        middle = (low + high) // 2
        if share < bounds[middle]:
            high = middle
        else:
            low = middle + 1
    return work.river_order[low]
