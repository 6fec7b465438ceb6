"""Training of a strategy for heads-up limit hold'em: resumable, with bounded memory, stopped at any time.

    training = Training.open(folder, buckets=128)
    training.run(seconds=3600)
    training.strategy().save("holdem.strategy")

A folder has `buckets.npz` (the card abstraction), `training.npz` (regrets, averages, the generator; written whole after
every batch that ends half a minute or more after the last time) and snapshots of the average strategy by share of the
time. A run that is killed goes on from the last file; the same batches give the same numbers, interrupted or not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..compiled import NO_GAME
from ..errors import BadInput
from ..files import write_whole
from ..rng import scramble, seeded
from .abstraction import MOST_BUCKETS, PREFLOP, BucketTables, packed
from .betting_tree import betting_tree
from .blueprint_cfr import train
from .strategy_file import HoldemStrategy, slot_bases

BATCH = 20_000
"""Iterations after which regrets and averages fade: the k-th batch counts k times as much as the first."""
EVERY = 30.0  # seconds between files


class Training:
    """Regrets and averages of one run."""

    def __init__(self, tables: BucketTables, seed: int, regret: Any, average: Any, rng: Any) -> None:
        self.tables, self.seed = tables, seed
        self.batches, self.seconds, self.worked = 0, 0.0, 0.0  # worked: seconds of the processor
        tree = betting_tree()
        bases, slots = slot_bases(self.buckets)
        self.slots = slots
        self.work = tables.workspace(
            mover=tree.mover,
            street=tree.street,
            child=tree.child,
            paid=tree.paid,
            base=bases,
            regret=np.zeros(slots) if regret is None else regret,
            average=np.zeros(slots) if average is None else average,
            deck=np.arange(52, dtype=np.int64),
            hand=np.zeros(9, np.int64),
            bucket=np.zeros(8, np.int64),
            winner=np.zeros(1, np.int64),
            counted=np.zeros(1, np.int64),
            stop=np.zeros(1, np.int64),
            rng=seeded(scramble(seed)) if rng is None else rng,
        )

    @property
    def buckets(self) -> tuple[int, int, int, int]:
        """How many each street has."""
        flop, turn, river = map(len, self.tables.centres)
        return PREFLOP, flop, turn, river

    @property
    def iterations(self) -> int:
        return self.batches * BATCH

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        buckets: int = 128,
        seed: int = 1,
        report: Callable[[str, int, int], None] = lambda what, done, of: None,
    ) -> Training:
        """The run in a folder: gone on with where there is one, else begun."""
        if not 2 <= buckets <= MOST_BUCKETS:
            raise BadInput(f"buckets must be from 2 to {MOST_BUCKETS} a street, not {buckets}")
        if folder.exists() and not folder.is_dir():
            raise BadInput(f"{folder} is a file: a training is kept in a folder of its own")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "buckets.npz"
        if path.exists():
            tables = _loaded(path, BucketTables.load)
        else:
            tables = BucketTables.make(buckets, seed, report)
            tables.save(path)
        if len(tables.centres[0]) != buckets:
            raise BadInput(f"{path} has {len(tables.centres[0])} buckets a street, not {buckets}: take another folder")
        kept = folder / "training.npz"
        if not kept.exists():
            return cls(tables, seed, None, None, None)
        found: Training = _loaded(kept, lambda path: cls._resumed(path, tables, seed))
        return found

    @classmethod
    def _resumed(cls, path: Path, tables: BucketTables, seed: int) -> Training:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as data:
            header = json.loads(str(data["header"]))
            if header["seed"] != seed:
                raise BadInput(f"{path} was begun with seed {header['seed']}, not {seed}: take another folder")
            kept = {name: data[name] for name in ("regret", "average", "rng", "deck")}
        fresh = cls(tables, seed, None, None, None)
        for name, array in kept.items():
            own = getattr(fresh.work, name)
            if array.shape != own.shape or array.dtype != own.dtype:
                raise BadInput(f"{path} is not of the buckets beside it: take another folder")
        if sorted(kept["deck"].tolist()) != list(range(52)) or not np.isfinite([kept["regret"], kept["average"]]).all():
            raise BadInput(f"{path} is damaged: it has no deck, or numbers that are none; remove it to begin again")
        found = cls(tables, seed, kept["regret"], kept["average"], kept["rng"])
        found.work.deck[:] = kept["deck"]
        found.batches = int(header["batches"])
        found.seconds, found.worked = float(header["seconds"]), float(header["worked"])
        return found

    def run(
        self,
        seconds: float,
        folder: Path | None = None,
        *,
        batches: int | None = None,
        report: Callable[[Training], None] = lambda training: None,
    ) -> None:
        """Train until the run has taken so many seconds in all, or has so many batches; Ctrl-C ends it well."""
        saved = time.monotonic()
        try:
            while self.seconds < seconds and (batches is None or self.batches < batches):
                began, worked = time.monotonic(), time.process_time()
                half = self.seconds < seconds / 2
                train(NO_GAME, BATCH, self.work)
                self.fade()
                self.batches += 1
                self.seconds += time.monotonic() - began
                self.worked += time.process_time() - worked
                report(self)
                if folder is not None and half and self.seconds >= seconds / 2:
                    self.strategy().save(folder / "halfway.strategy")
                if folder is not None and time.monotonic() - saved > EVERY:
                    self.save(folder)
                    saved = time.monotonic()
        finally:
            if folder is not None:
                self.save(folder)

    def fade(self) -> None:
        """Linear discounting: what was learned in the k batches so far counts k / (k + 1) from now on."""
        share = (self.batches + 1) / (self.batches + 2)
        np.multiply(self.work.regret, share, out=self.work.regret)
        np.multiply(self.work.average, share, out=self.work.average)

    def save(self, folder: Path) -> None:
        header = json.dumps(
            {"seed": self.seed, "batches": self.batches, "seconds": self.seconds, "worked": self.worked}
        )
        work = self.work
        write_whole(
            folder / "training.npz",
            packed(
                header=np.array(header),
                regret=work.regret,
                average=work.average,
                rng=work.rng,
                deck=np.array(work.deck),
            ),
        )

    def strategy(self) -> HoldemStrategy:
        """The average strategy so far; where nothing was learned every legal action is as likely."""
        record = {"iterations": self.iterations, "seconds": round(self.worked, 1), "seed": self.seed}
        return HoldemStrategy.of_average(self.tables.centres, np.asarray(self.work.average), record)


def bucket_tables(folder: Path) -> BucketTables:
    """The buckets of the training in a folder; raises BadInput where there are none, or they are damaged."""
    path = folder / "buckets.npz"
    if not path.is_file():
        raise BadInput(f"{folder} is no folder of a training: plywright poker train {folder} makes one")
    found: BucketTables = _loaded(path, BucketTables.load)
    return found


def _loaded(path: Path, load: Callable[[Path], Any]) -> Any:
    try:
        return load(path)
    except BadInput:
        raise
    except Exception as error:  # a zip file, or what is inside, may be broken in many ways
        raise BadInput(f"{path} is damaged ({type(error).__name__}): remove it to begin again") from None
