"""A strategy for heads-up limit hold'em as a file: centres of the buckets, for each decision and bucket three bytes.

An npz archive without pickle: `header` (JSON: format, game, buckets, training record, checksum), `centres0` to
`centres2`, and `plays`, how often of 255 times each action is taken. A file for another game is refused.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from ..files import write_whole
from .abstraction import PREFLOP, Centres, compressed, nearest_bucket
from .betting_tree import betting_tree

FORMAT = "plywright hold'em strategy 1"
GAME = "holdem"
FULL = 255


@functools.cache
def slot_bases(buckets: tuple[int, ...]) -> tuple[NDArray[np.int64], int]:
    """The first slot of each decision, three for each bucket of its street, and how many slots there are."""
    tree = betting_tree()
    offsets = np.cumsum([0, *(3 * count * size for count, size in zip(tree.decisions, buckets, strict=True))])
    sizes = np.array(buckets)
    bases = offsets[tree.street] + 3 * sizes[tree.street] * tree.number
    return np.where(tree.mover >= 0, bases, -1).astype(np.int64), int(offsets[-1])


class HoldemStrategy:
    """How often to fold, call and raise, by betting and bucket."""

    def __init__(self, centres: Sequence[Centres], plays: NDArray[np.uint8], record: dict[str, Any]) -> None:
        self.centres = [np.ascontiguousarray(points, np.float64) for points in centres]
        self.plays, self.record = plays, record
        self.bases, slots = slot_bases(self.buckets)
        if plays.dtype != np.uint8 or plays.shape != (slots,):
            raise BadInput(f"a strategy with these buckets has {slots:,} bytes of play, not {plays.size:,}")

    @property
    def buckets(self) -> tuple[int, int, int, int]:
        flop, turn, river = map(len, self.centres)
        return PREFLOP, flop, turn, river

    @classmethod
    def of_average(
        cls, centres: Sequence[Centres], average: NDArray[np.float64], record: dict[str, Any]
    ) -> HoldemStrategy:
        """From sums of strategies; what was never met plays every legal action alike."""
        rows = average.reshape(-1, 3)
        total = rows.sum(1, keepdims=True)
        shares = np.divide(rows, total, out=np.zeros_like(rows), where=total > 0)
        shares = np.where(total > 0, shares, _legal_shares(tuple(map(len, centres))))
        return cls(centres, _bytes_of(shares).reshape(-1), record)

    @classmethod
    def uniform(cls, centres: Sequence[Centres]) -> HoldemStrategy:
        _, slots = slot_bases((PREFLOP, *map(len, centres)))
        return cls.of_average(centres, np.zeros(slots), {"iterations": 0})

    def shares(self, node: int, bucket: int) -> tuple[float, float, float]:
        """How often to fold, call and raise at a decision of the betting tree."""
        slot = int(self.bases[node]) + 3 * bucket
        fold, call, more = (int(byte) / FULL for byte in self.plays[slot : slot + 3])
        return fold, call, more

    def play(self, betting: str, hand: Sequence[int], board: Sequence[int]) -> tuple[float, float, float]:
        """The same by how the betting went (crc/cr), the two cards and the board."""
        node = betting_tree().node_of.get(betting)
        if node is None or betting_tree().mover[node] < 0:
            raise BadInput(f"{betting!r} is no betting of heads-up limit hold'em in which somebody is to act")
        return self.shares(node, nearest_bucket(hand, board, self.centres))

    def save(self, path: str | Path) -> None:
        header = {"format": FORMAT, "game": GAME, "record": self.record, "checksum": self.checksum}
        names = {f"centres{street}": points for street, points in enumerate(self.centres)}
        write_whole(Path(path), compressed(header=np.array(json.dumps(header)), plays=self.plays, **names))

    @property
    def checksum(self) -> str:
        parts = [self.plays.tobytes(), *(points.tobytes() for points in self.centres)]
        return hashlib.sha256(b"".join(parts)).hexdigest()[:16]

    @classmethod
    def load(cls, path: str | Path) -> HoldemStrategy:
        """Read one; raises BadInput for what is no strategy, is damaged, or is of another game."""
        place = Path(path)
        if not place.is_file():
            raise BadInput(f"there is no strategy {path}; plywright poker train makes one")
        try:
            with place.open("rb") as stream, np.load(stream, allow_pickle=False) as data:
                header = json.loads(str(data["header"]))
                arrays = {name: data[name] for name in ("plays", "centres0", "centres1", "centres2")}
        except Exception as error:  # a zip file, or what is inside, may be broken in many ways
            raise BadInput(f"{path} is no strategy for hold'em, or damaged ({type(error).__name__})") from None
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise BadInput(f"{path} is no strategy of this kind: it should begin with {FORMAT!r}")
        if header.get("game") != GAME:
            raise BadInput(f"{path} is a strategy for {header.get('game')!r}, not for heads-up limit hold'em")
        centres = [arrays[f"centres{street}"] for street in range(3)]
        if not all(_are_centres(points) for points in centres):
            raise BadInput(f"{path} is damaged: its buckets have no centres")
        found = cls(centres, arrays["plays"], dict(header.get("record") or {}))
        if found.checksum != header.get("checksum"):
            raise BadInput(f"{path} is damaged: its checksum is another")
        rows, legal = found.plays.reshape(-1, 3), _legal_shares(found.buckets[1:]) > 0
        if np.any(rows[~legal]) or np.any(rows.sum(1, dtype=np.int64)[legal.any(1)] != FULL):
            raise BadInput(f"{path} plays what nobody may: it is no strategy for heads-up limit hold'em")
        return found


def _are_centres(points: NDArray[Any]) -> bool:
    """Whether these are points that buckets lie around: rows of two finite numbers, as many as a byte tells apart."""
    shaped = points.dtype.kind == "f" and points.ndim == 2 and points.shape[1] == 2
    return shaped and 1 <= len(points) <= 256 and bool(np.isfinite(points).all())


@functools.cache
def _legal_shares(sizes: tuple[int, ...]) -> NDArray[np.float64]:
    """By slot, as rows of three: every legal action alike."""
    tree = betting_tree()
    buckets = (PREFLOP, *sizes)
    bases, slots = slot_bases(buckets)
    shares = np.zeros((slots // 3, 3))
    for node in np.flatnonzero(tree.mover >= 0):
        legal = tree.child[3 * node : 3 * node + 3] >= 0
        first = int(bases[node]) // 3
        shares[first : first + buckets[int(tree.street[node])]] = legal / legal.sum()
    return shares


def _bytes_of(shares: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Shares as bytes that sum to 255: rounded down, and what is left goes to the largest parts lost."""
    scaled = shares * FULL
    whole = np.floor(scaled)
    missing = np.rint(FULL - whole.sum(1)).astype(np.int64)
    order = np.argsort(-(scaled - whole), axis=1, kind="stable")
    places = np.argsort(order, axis=1)
    found: NDArray[np.uint8] = (whole + (places < missing[:, None])).astype(np.uint8)
    return found
