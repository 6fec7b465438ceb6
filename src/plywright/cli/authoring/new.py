"""`plywright new`: a small game to begin from, a bot that plays through pipes, or the folder of a course project."""

from __future__ import annotations

import shlex
from importlib.resources import files
from pathlib import Path

from ...errors import BadInput
from ...files import write_whole
from ..console import choose, out

KINDS = {
    "board": "template.py.txt",
    "dice": "template_dice.py.txt",
    "hidden": "template_hidden.py.txt",
    "many": "template_many.py.txt",
}
BOTS = {"xy": "bot_xy.py.txt", "json": "bot_json.py.txt"}
KITS: dict[str, dict[str, str]] = {
    "othello-project": {
        "ASSIGNMENT.md": "othello_project/ASSIGNMENT.md",
        "check_bot.py": "othello_project/check_bot.py.txt",
        "python/bot.py": "bot_xy.py.txt",
        "java/Bot.java": "othello_project/Bot.java",
        "c/bot.c": "othello_project/bot.c",
        "javascript/bot.js": "othello_project/bot.js",
    },
}
"""Folders that a course hands out: where each file of them goes, and the one it is made from."""


def template(name: str) -> str:
    """The text of a file that comes with Plywright, to be written for a user."""
    return files("plywright.cli.authoring.templates").joinpath(name).read_text(encoding="utf-8")


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


def write_kit(kit: str, folder: Path, force: bool) -> None:
    """Write what a course hands out; nothing that is there already is touched without `force`."""
    parts = choose(kit, KITS, "kit")
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{str(folder)!r} is a file, not a folder")
    if not force and (there := [name for name in parts if (folder / name).exists()]):
        raise BadInput(f"{str(folder / there[0])!r} exists already; --force overwrites it")
    for name in parts:
        _check_place(folder, name)
    for name, source in parts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, template(source).encode())
    inside = shlex.quote(str(folder))
    command = 'python check_bot.py "python python/bot.py"'
    out.print(f"wrote {len(parts)} files to {folder}; now try\n  cd {inside} && {command}", markup=False)


def _check_place(folder: Path, name: str) -> None:
    """Refuse, before anything is written, where a file of a kit would go through a link or into what is no folder."""
    path = folder / name
    for place in (path, *path.parents):
        if place != folder and folder in place.parents and place.is_symlink():
            raise BadInput(f"{str(place)!r} is a link: remove it, or name another folder")
        if place != path and (place.exists() or place.is_symlink()) and not place.is_dir():
            raise BadInput(f"{str(place)!r} is no folder: remove it, or name another one")


def write_pacman_agent(path: Path, force: bool) -> None:
    shown = _write(path, "pacman_agent.py.txt", force)
    out.print(f"wrote {path}; now try\n  plywright pacman grade {shown}", markup=False)


def _write(path: Path, source: str, force: bool) -> str:
    """Write one of the files that come with Plywright; the path as a shell takes it."""
    if path.suffix != ".py":
        raise BadInput(f"{str(path)!r} should end in .py")
    if path.exists() and not force:
        raise BadInput(f"{str(path)!r} exists already; --force overwrites it")
    if not path.parent.is_dir():
        raise BadInput(f"there is no folder {str(path.parent)!r}")
    write_whole(path, template(source).encode())
    return shlex.quote(str(path) if path.is_absolute() else f"./{path}")
