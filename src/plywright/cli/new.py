"""`plywright new`: a small game to begin from."""

from __future__ import annotations

import shlex
from importlib.resources import files
from pathlib import Path

from ..errors import BadInput
from ..files import write_whole
from .console import out


def write_game(path: Path, force: bool) -> None:
    if path.suffix != ".py":
        raise BadInput(f"{str(path)!r} should end in .py")
    if path.exists() and not force:
        raise BadInput(f"{str(path)!r} exists already; --force overwrites it")
    if not path.parent.is_dir():
        raise BadInput(f"there is no folder {str(path.parent)!r}")
    template = files("plywright.cli").joinpath("template.py.txt").read_text(encoding="utf-8")
    write_whole(path, template.encode())
    shown = shlex.quote(str(path) if path.is_absolute() else f"./{path}")
    out.print(f"wrote {path}; now try\n  plywright play {shown}\n  plywright doctor {shown}", markup=False)
