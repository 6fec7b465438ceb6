"""Whose fault an exception is: one that passed through a user's own file is that file's."""

from __future__ import annotations

import traceback
from pathlib import Path

from ..games.travelling import PREFIX


def fault_in_file(error: BaseException) -> str | None:
    """The place in the user's file and what was raised, as a sentence; None where no such file is concerned."""
    found = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        if str(frame.f_globals.get("__name__", "")).startswith(PREFIX):
            found = f"{frame.f_code.co_name}() in {Path(frame.f_code.co_filename).name}, line {line},"
    return None if found is None else f"{found} raised {type(error).__name__}: {error}"
