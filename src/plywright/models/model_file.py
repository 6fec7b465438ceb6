"""Learned weights as a file: arrays, and one header in JSON that says what they are for.

A file is NumPy's npz without pickle: any reader of npz can open it. The array `header` holds the JSON as bytes: format,
the game with its parameters, a print of its rules, the model with its options, how it was trained, and a SHA-256 over
all the rest. A file for other rules, a damaged one and one of another kind are refused in a sentence.

    save_model(path, ModelFile.of(game, "patterns", {"weights": weights}, options={"stages": 12}, training={...}))
    weights = load_model(path, game).arrays["weights"]
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput, PlywrightError, brief, printable, shown
from ..files import write_whole
from ..game import Game
from ..game.parameters import parameters_of, unlike
from .rules_print import rules_print

SUFFIX = ".knowledge"
FORMAT = "plywright-knowledge"
VERSION = 1
HEADER = "header"
LARGEST = 1 << 28
"""Bytes that the arrays of a file may have, unpacked, where nobody says what they should have."""
LARGEST_HEADER = 1 << 20
"""Bytes of the header, which is looked at before anything else is unpacked."""


@dataclass(frozen=True)
class ModelFile:
    """What is in a file."""

    game: str
    parameters: dict[str, Any]
    rules: str
    """The print of the rules that it was learned for, see `rules_print`."""
    model: str
    options: dict[str, Any]
    """What the model was made with: it is made again with the same, then given the arrays."""
    arrays: dict[str, NDArray[Any]]
    training: dict[str, Any] = field(default_factory=dict)
    checksum: str = ""

    @classmethod
    def of(
        cls,
        game: Game,
        model: str,
        arrays: Mapping[str, NDArray[Any]],
        *,
        options: Mapping[str, Any] | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> ModelFile:
        """The file for a game as it is here."""
        return cls(
            *(game.name, parameters_of(game), rules_print(game), model, dict(options or {}), dict(arrays)),
            dict(training or {}),
        )

    def fits(self, game: Game) -> bool:
        """Whether it was learned for these rules with these parameters."""
        return self.rules == rules_print(game) and self.parameters == parameters_of(game)

    def same_rules(self, other: ModelFile) -> bool:
        """Whether two files were learned for the same rules with the same parameters."""
        return self.rules == other.rules and self.parameters == other.parameters

    def check(self, game: Game, path: str | Path) -> None:
        """Refuse a game that it was not learned for."""
        if self.fits(game):
            return
        if written := unlike(self.parameters, parameters_of(game)):
            why = f"its {printable(brief(self.game))} has {printable(brief(written))}"
        elif game.name != self.game:
            why = f"the rules are not those of {printable(brief(self.game))}, which taught it"
        else:
            why = "the rules have changed since"
        raise BadInput(f"{path} was not learned for this {game.name}: {why}; learn it anew with `plywright learn`")


def beaten(training: Mapping[str, Any]) -> bool:
    """Whether the last match of a training was lost for certain against what the engine played before it."""
    strength = training.get("strength")
    if not isinstance(strength, dict):
        return False
    high = strength.get("high")
    if high is None:  # all of it won, or lost
        return strength.get("wins") == 0 and strength.get("draws") == 0
    return isinstance(high, (int, float)) and high < 0


def save_model(path: str | Path, file: ModelFile) -> None:
    """Write the file, whole or not at all; raises BadInput where it cannot be written."""
    arrays = {name: np.ascontiguousarray(array) for name, array in file.arrays.items()}
    if HEADER in arrays or any(array.dtype.hasobject for array in arrays.values()):
        raise ValueError(f"a model's arrays are of plain numbers, and none is called {HEADER!r}")
    header: dict[str, Any] = {"format": FORMAT, "version": VERSION, "game": file.game, "parameters": file.parameters}
    header |= {"rules": file.rules, "model": file.model, "options": file.options, "training": file.training}
    header["sha256"] = _checksum(header, arrays)
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **{HEADER: text, **arrays})  # type: ignore[arg-type]
    try:
        write_whole(Path(path), buffer.getbuffer())
    except OSError as error:
        raise BadInput(f"the weights cannot be saved as {path}: {error.strerror or error}") from None


def read_header(path: str | Path) -> ModelFile:
    """What a file says of itself, without its arrays and not held against its checksum; raises as `read_model`."""
    return _read(path, lambda file: LARGEST, arrays=False)


def read_model(path: str | Path, room: Callable[[ModelFile], int] = lambda file: LARGEST) -> ModelFile:
    """What is in a file, for whichever game; raises BadInput, saying why, for one that is damaged or something else.

    `room` is told the header and says how many bytes such arrays have: a file with more is not unpacked.
    """
    return _read(path, room, arrays=True)


def load_model(path: str | Path, game: Game, room: Callable[[ModelFile], int] = lambda file: LARGEST) -> ModelFile:
    """What is in a file that was learned for this game; raises BadInput for any other, before it is unpacked."""

    def fitting(file: ModelFile) -> int:
        file.check(game, path)
        return room(file)

    return read_model(path, fitting)


def _read(path: str | Path, room: Callable[[ModelFile], int], *, arrays: bool) -> ModelFile:
    try:
        if Path(path).exists() and not Path(path).is_file():  # a device may have no end
            raise BadInput(f"{path} is no file")
        sizes = _sizes(path)
        if sizes.get(f"{HEADER}.npy", 0) > LARGEST_HEADER:
            raise BadInput(f"{path} is too large for a file of knowledge: its header has more than a megabyte")
        with np.load(path, allow_pickle=False) as stored:
            header = _header(stored[HEADER] if HEADER in stored.files else None, path)
            fields = {name: header[name] for name in header if name not in ("format", "version", "sha256")}
            file = ModelFile(**fields, arrays={}, checksum=header["sha256"])
            if not arrays:
                return file
            most = room(file)
            if sum(sizes.values()) > most + LARGEST_HEADER:
                raise BadInput(
                    f"{path} is too large: unpacked it has more than the {most:,} bytes that such arrays have"
                )
            found = {name: stored[name] for name in stored.files if name != HEADER}
    except PlywrightError:
        raise
    except OSError as error:
        raise BadInput(f"the knowledge {path} cannot be read: {error.strerror or error}") from None
    except Exception as error:  # whatever NumPy and zlib make of bytes that are no npz, or a damaged one
        raise BadInput(f"{path} is no file of knowledge, or a damaged one ({type(error).__name__})") from None
    if header.pop("sha256") != _checksum(header, found):
        raise BadInput(f"{path} is damaged: its checksum is not that of its header")
    return replace(file, arrays=found)


def _sizes(path: str | Path) -> dict[str, int]:
    """The bytes of each member, unpacked, by its name; raises BadInput for members that NumPy does not write.

    NumPy looks up `header` before `header.npy`, and unpacks a member of another name whole, whatever it has in it.
    """
    with zipfile.ZipFile(path) as packed:
        members = packed.infolist()
    sizes = {member.filename: member.file_size for member in members}
    strange = next((name for name in sizes if not name.endswith(".npy")), None)
    if strange is not None:
        raise BadInput(f"{path} is no file of knowledge, or a damaged one: it has {shown(strange)}, which is no array")
    if len(sizes) < len(members):
        raise BadInput(f"{path} is no file of knowledge, or a damaged one: it has two arrays of one name")
    return sizes


def _header(text: NDArray[Any] | None, path: str | Path) -> dict[str, Any]:
    header: Any = None
    if text is not None and text.dtype == np.uint8:
        try:
            header = json.loads(text.tobytes())
        except (ValueError, RecursionError):
            header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise BadInput(f"{path} is no file of knowledge of Plywright")
    if header.get("version") != VERSION:
        raise BadInput(f"{path} is of version {shown(header.get('version'))}; this Plywright reads version {VERSION}")
    kinds = {"game": str, "parameters": dict, "rules": str, "model": str, "options": dict, "training": dict}
    whole = {*kinds, "format", "version", "sha256"} == set(header)
    if not whole or not all(isinstance(header[name], kind) for name, kind in kinds.items()):
        raise BadInput(f"{path} is damaged: its header makes no sense")
    return header


def _checksum(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    """SHA-256 over the header, without itself, and over the arrays with their names, types and shapes."""
    found = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        found.update(f"{name};{array.dtype.str};{array.shape};".encode())
        found.update(array.reshape(-1).view(np.uint8).data)
    return found.hexdigest()


__all__ = ["FORMAT", "SUFFIX", "ModelFile", "beaten", "load_model", "read_header", "read_model", "save_model"]
