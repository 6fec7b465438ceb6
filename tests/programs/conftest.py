"""Programs under test: their commands, and what they may not leave behind."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from program_processes import SOURCE, nothing_runs, running

from plywright.programs import isolation

# Groups at the top of the hierarchy cannot get in the way of whatever started the tests.
os.environ.setdefault(isolation.CGROUP_VARIABLE, "/")

if sys.platform == "win32":
    pytest.skip("programs over pipes need Linux or macOS", allow_module_level=True)


@pytest.fixture
def mark() -> Iterator[str]:
    """A word for a command line, by which its processes are found."""
    yield (text := f"mark-{uuid.uuid4().hex}")
    assert nothing_runs(text), f"processes were left behind: {running(text)}"


@pytest.fixture
def engine(tmp_path: Path) -> Callable[..., str]:
    """The command of `plywright engine` from these sources."""
    script = tmp_path / "engine.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, {str(SOURCE)!r})\n"
        "from plywright.cli import main\nsys.exit(main(['engine', *sys.argv[1:]]))\n"
    )

    def command(game: str, protocol: str, player: str = "first") -> str:
        return f"python {script} {game} --protocol {protocol} --player {player}"

    return command
