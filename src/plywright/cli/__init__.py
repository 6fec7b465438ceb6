"""The command `plywright`. Each command imports what it needs when it runs, so `--help` is quick."""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status (0 fine, 1 the doctor found faults, 2 bad input, 130 Ctrl-C)."""
    try:
        from .app import run
    except KeyboardInterrupt:  # while the first modules are read: nothing has begun that there is to tell of
        return 130
    return run(sys.argv[1:] if arguments is None else arguments)
