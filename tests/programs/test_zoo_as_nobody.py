"""The zoo once more, judged by a referee that is not root: without its exemptions, and without control groups."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from keeper import SOURCE, ZOO
from zoo.verdicts import VERDICTS

CODE = """
import json, sys
sys.path[:0] = [{source!r}, {here!r}]
from test_zoo import Visit
from plywright.programs.isolation import bubblewrap_works
found = {{}}
for level in ["limits"] + ["bubblewrap"] * bubblewrap_works():
    for protocol, kind, mode in json.loads({kinds!r}):
        with Visit(kind, "nobody", level, protocol=protocol) as visit:
            found[f"{{protocol}} {{kind}} {{level}}"] = visit.play(mode).termination
print(json.dumps(found))
"""
KINDS = ["illegal", "closes_stdout", "empty_lines", "memory_hog", "forking", "spins_at_rest", "fork_bomb"]


@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0 or shutil.which("setpriv") is None, reason="only root can become somebody else")
def test_an_ordinary_user_s_referee_judges_the_same(tmp_path: Path) -> None:
    become = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    if subprocess.run([*become, "test", "-x", sys.executable, "-a", "-r", str(ZOO)]).returncode:
        pytest.skip("an ordinary user cannot read this checkout")
    tmp_path.chmod(0o777)
    for folder in tmp_path.parents:
        if folder.name.startswith("pytest-"):
            folder.chmod(0o755)
    kinds = [("json", kind, "move:1s" if "late" in VERDICTS["json", kind][0] else "move:20s") for kind in KINDS]
    kinds += [(protocol, "illegal", "move:20s") for protocol in ("uci", "gtp", "nboard", "xy")]
    code = CODE.format(source=str(SOURCE), here=str(Path(__file__).parent), kinds=json.dumps(kinds))
    words = [*become, sys.executable, "-c", code]
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    environment["PLYWRIGHT_CACHE"] = str(tmp_path / "cache")
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run(words, capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=200)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) >= len(kinds) and ZOO.exists()
    for name, termination in found.items():
        protocol, kind, _ = name.split()
        assert termination in VERDICTS[protocol, kind][0], (name, termination)
