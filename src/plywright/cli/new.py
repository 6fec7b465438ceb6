"""`plywright new`: a small game to begin from, or a bot that plays through pipes."""

from __future__ import annotations

import shlex
from importlib.resources import files
from pathlib import Path

from ..errors import BadInput
from ..files import write_whole
from .console import choose, out

KINDS = {
    "board": "template.py.txt",
    "dice": "template_dice.py.txt",
    "hidden": "template_hidden.py.txt",
    "many": "template_many.py.txt",
}
BOTS = {"xy": "bot_xy.py.txt", "json": "bot_json.py.txt"}


def write_game(path: Path, kind: str, force: bool) -> None:
    shown = _write(path, choose(kind, KINDS, "kind of game"), force)
    out.print(f"wrote {path}; now try\n  plywright play {shown}\n  plywright doctor {shown}", markup=False)


def write_bot(path: Path, protocol: str, force: bool) -> None:
    shown = _write(path, choose(protocol, BOTS, "protocol for a bot"), force)
    kind = "xy" if protocol == "xy" else "pipe"
    out.print(
        f"wrote {path}; now try\n  plywright match '{kind}:python {shown}' random --game othello --games 2",
        markup=False,
    )


def write_pacman_agent(path: Path, force: bool) -> None:
    shown = _write(path, "pacman_agent.py.txt", force)
    out.print(f"wrote {path}; now try\n  plywright pacman grade {shown}", markup=False)


def _write(path: Path, template: str, force: bool) -> str:
    """Write one of the files that come with Plywright; the path as a shell takes it."""
    if path.suffix != ".py":
        raise BadInput(f"{str(path)!r} should end in .py")
    if path.exists() and not force:
        raise BadInput(f"{str(path)!r} exists already; --force overwrites it")
    if not path.parent.is_dir():
        raise BadInput(f"there is no folder {str(path.parent)!r}")
    write_whole(path, files("plywright.cli").joinpath(template).read_text(encoding="utf-8").encode())
    return shlex.quote(str(path) if path.is_absolute() else f"./{path}")
