"""A record as a Parquet file for data frames: one row per game, its moves as lists. Needs pyarrow."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...errors import BadInput
from ...game import Game
from .export import last_attempts
from .replaying import steps
from .run_file import Records

CHUNK = 2_000
"""Games of a row group."""


def write_parquet(
    game: Game, records: Records, path: Path, progress: Callable[[int, int], None] = lambda done, of: None
) -> int:
    """Write every game of a run; returns how many. The file is written whole or not at all."""
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise BadInput('Parquet files are written with pyarrow: pip install "plywright[parquet]"') from None
    schema = arrow.schema(
        [
            ("game", arrow.int64()),
            ("round", arrow.int64()),
            ("attempt", arrow.int64()),
            ("players", arrow.list_(arrow.string())),
            ("payoffs", arrow.list_(arrow.float64())),
            ("termination", arrow.string()),
            ("offender", arrow.int64()),
            ("note", arrow.string()),
            ("seed", arrow.int64()),
            ("mode", arrow.string()),
            ("isolation", arrow.string()),
            ("seconds", arrow.float64()),
            ("start", arrow.string()),
            ("opening", arrow.list_(arrow.int64())),
            ("actions", arrow.list_(arrow.int64())),
            ("moves", arrow.list_(arrow.string())),
            ("seats", arrow.list_(arrow.int64())),
            ("times", arrow.list_(arrow.float64())),
            ("values", arrow.list_(arrow.float64())),
            ("nodes", arrow.list_(arrow.int64())),
        ],
        metadata={"plywright_plan": json.dumps(records.plan.as_dict())},
    )
    numbers = [outcome.game for outcome in last_attempts(records)]
    temporary = path.with_name(f".part-{path.name}")
    try:
        with parquet.ParquetWriter(temporary, schema, compression="zstd") as writer:
            for first in range(0, len(numbers), CHUNK):
                rows = [_row(game, records, number) for number in numbers[first : first + CHUNK]]
                writer.write_table(arrow.Table.from_pylist(rows, schema=schema))
                progress(min(first + CHUNK, len(numbers)), len(numbers))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return len(numbers)


def _row(game: Game, records: Records, number: int) -> dict[str, Any]:
    outcome, record = records.game(number)
    played = list(steps(game, record))[1:]

    def figure(name: str, kind: type) -> list[Any]:
        found = [(step.info or {}).get(name) for step in played]
        return [kind(value) if isinstance(value, (int, float)) and value == value else None for value in found]

    return {
        "game": number,
        "round": outcome.round,
        "attempt": outcome.attempt,
        "players": [records.plan.names[player] for player in outcome.seats],
        "payoffs": None if record.payoffs is None else list(map(float, record.payoffs)),
        "termination": record.termination,
        "offender": record.offender,
        "note": record.note,
        "seed": record.seed,
        "mode": record.mode,
        "isolation": record.isolation,
        "seconds": record.seconds,
        "start": record.start,
        "opening": list(record.opening),
        "actions": [step.action for step in played],
        "moves": [step.text for step in played],
        "seats": [step.seat for step in played],
        "times": [step.seconds for step in played],
        "values": figure("value", float),
        "nodes": figure("nodes", int),
    }
