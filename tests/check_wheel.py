"""`make wheel`: what was built holds what it should, and works in an environment without extras or a checkout.

python tests/check_wheel.py DIST ENVIRONMENT
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

NEEDED = ("plywright/py.typed", "plywright/games/perft.json")
FOREIGN = ("tests", "docs", "benchmarks", "examples")
COMMANDS = {
    ("games",): "tic-tac-toe",
    ("best", "tic-tac-toe", "--depth", "3"): "value",
    ("--version",): "",
}
SCRIPT = """
import pydoc, plywright
text = pydoc.render_doc(plywright, renderer=pydoc.plaintext) + pydoc.render_doc(plywright.Game)
assert "find_equilibrium" in text and "initial" in text
print(plywright.search("nim:heaps=1-2", depth=3).action, plywright.__version__)
"""


def check_contents(wheel: Path) -> None:
    """The package with its data and nothing beside it."""
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    if missing := [name for name in NEEDED if name not in names]:
        sys.exit(f"{wheel.name} lacks {', '.join(missing)}")
    if foreign := [name for name in names if name.split("/")[0] in FOREIGN]:
        sys.exit(f"{wheel.name} should not hold {foreign[0]}")
    source = Path(__file__).parent.parent / "src"
    for path in (source / "plywright").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts and str(path.relative_to(source)) not in names:
            sys.exit(f"{wheel.name} lacks {path.relative_to(source)}")


def run(command: list[str], wanted: str, folder: str) -> None:
    """One command in the bare environment, far from the checkout."""
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PLYWRIGHT"))}
    settings["PLYWRIGHT_CACHE"] = f"{folder}/cache"
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, timeout=300)
    if done.returncode or wanted not in done.stdout or "Traceback" in done.stderr:
        sys.exit(f"{' '.join(command)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")


def main(dist: Path, environment: Path) -> None:
    wheel = next(dist.glob("*.whl"))
    check_contents(wheel)
    home = environment.resolve() / "bin"
    with tempfile.TemporaryDirectory() as folder:
        for words, wanted in COMMANDS.items():
            run([str(home / "plywright"), *words], wanted, folder)
        run([str(home / "python"), "-c", SCRIPT], "", folder)
    print(f"{wheel.name} works in an environment of its own")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
