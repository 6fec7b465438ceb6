"""The zoo once more, judged by a referee that is not root: without its exemptions, and without control groups."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from program_processes import SOURCE
from zoo.verdicts import UNDER_BUBBLEWRAP, VERDICTS

from plywright.programs.isolation import bubblewrap_works

CODE = """
import json, os, sys
from program_processes import nothing_runs
from test_zoo import Visit
from plywright.programs.isolation import bubblewrap_works
assert os.getuid() == 65534
found = {}
for level in ["limits"] + ["bubblewrap"] * bubblewrap_works():
    for protocol, kind, mode in json.loads(sys.argv[1]):
        mark = f"nobody-{protocol}-{kind}-{level}"
        with Visit(kind, mark, level, protocol=protocol) as visit:
            record = visit.play(mode)
        found[f"{protocol} {kind} {level}"] = record.termination, record.note, nothing_runs(mark)
print(json.dumps(found))
"""
KINDS = (
    *("illegal", "flood", "closes_stdin", "closes_stdout", "empty_lines", "crash_mid_game", "dies_by_signal"),
    *("ignores_signals", "stops_itself", "memory_hog", "shared_memory", "memory_files", "large_file", "many_files"),
    *("forking", "spins_at_rest", "daemons_at_rest", "crowds", "fork_bomb"),
)
BECOME = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]


def interpreter() -> str | None:
    """A Python of this version that everybody may run; the one that runs the tests often lies in a home."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    places = [sys.executable, *(f"{folder}/{version}" for folder in ("/usr/local/bin", "/usr/bin"))]
    modules = sysconfig.get_path("purelib")
    for place in places:
        code = f"import os, sys; os.stat(sys.executable); sys.path.append({modules!r}); import numba, pytest"
        if Path(place).exists() and subprocess.run([*BECOME, place, "-c", code], cwd="/").returncode == 0:
            return place
    return None


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter and write to; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory(prefix="plywright-nobody-") as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0 or shutil.which("setpriv") is None, reason="only root can become somebody else")
def test_an_ordinary_user_s_referee_judges_the_same(open_folder: Path) -> None:
    python = interpreter()
    if python is None:
        pytest.skip("there is no Python of this version that an ordinary user may run")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SOURCE / "plywright", open_folder / "src" / "plywright", ignore=ignored)
    shutil.copytree(Path(__file__).parent, open_folder / "tests", ignore=ignored)
    kinds = [("json", kind) for kind in KINDS] + [(each, "illegal") for each in ("uci", "gtp", "nboard", "xy")]
    asked = [(*pair, "move:1s" if "late" in VERDICTS[pair][0] else "move:20s") for pair in kinds]
    environment = {"PATH": os.environ["PATH"], "HOME": str(open_folder), "TMPDIR": str(open_folder)}
    environment["PLYWRIGHT_CACHE"] = str(open_folder / "cache")
    environment["PYTHONPATH"] = f"{open_folder}/src:{open_folder}/tests:{sysconfig.get_path('purelib')}"
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    words = [*BECOME, python, "-c", CODE, json.dumps(asked)]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, cwd=open_folder, timeout=400)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) == len(kinds) * (1 + bubblewrap_works())
    for name, (termination, note, gone) in found.items():
        protocol, kind, level = name.split()
        causes, said = VERDICTS[protocol, kind]
        said = UNDER_BUBBLEWRAP.get(kind, said) if level == "bubblewrap" else said
        assert termination in causes and said in note and gone, (name, termination, note)
