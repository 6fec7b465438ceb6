"""Small programs for classes: JSON lines over pipes, which choose by a rule of one line."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from plywright.programs.isolation import bubblewrap_works

BOT = """
    import json, sys, os, time
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"type": "hello"}), flush=True)
        elif message["type"] == "ping":
            print(json.dumps({"type": "pong", "id": message["id"]}), flush=True)
        elif message["type"] == "go":
            legal, count = message["legal"], len(message["moves"])
            move = CHOICE
            print(json.dumps({"type": "move", "id": message["id"], "move": move}), flush=True)
"""

needs_bubblewrap = pytest.mark.skipif(not bubblewrap_works(), reason="no bubblewrap here")


def bot(choice: str) -> str:
    """A program that answers with this expression of `legal` and `count`."""
    return textwrap.dedent(BOT).replace("CHOICE", choice)


def hand_in(folder: Path, name: str, choice: str = "legal[0]", **files: str) -> Path:
    """A submission: bot.py with this choice, and other files."""
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    if choice:
        (place / "bot.py").write_text(bot(choice))
    for file, text in files.items():
        (place / file.replace("__", ".")).write_text(textwrap.dedent(text))
    return place
