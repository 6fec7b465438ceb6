"""What keeps a program from harming the machine, its opponent and the referee.

Always: limits of the system, a session of its own, an empty private folder, an environment without the
user's, and a supervisor that ends every descendant. Where bubblewrap works: no network, no home, a
read-only system, its own process numbers. Where control groups can be made: a bound on processes and
memory that nobody escapes. `docs/referee.md` says what each level guarantees.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from site import getsitepackages
from typing import Any

from ..compiled import cache_folder
from ..errors import BadInput
from .hiding import masks
from .supervisor import thaw

AUTO, LIMITS, BUBBLEWRAP = "auto", "limits", "bubblewrap"
LEVELS = (AUTO, LIMITS, BUBBLEWRAP)
CGROUP_ROOT = Path("/sys/fs/cgroup")
CGROUP_VARIABLE = "PLYWRIGHT_CGROUP"
"""Names the control group to make new ones in, from the top of the hierarchy; by default the referee's own."""
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
FURTHER = ("/etc/ld.so.cache", "/etc/alternatives", "/opt")
"""Further places that programs are shown, where they are there."""
PRIVATE = "/private"
"""The empty folder of a program inside bubblewrap: memory, gone with it."""
PLYWRIGHT = Path(__file__).resolve().parents[2]
"""The folder that holds this Plywright."""
PATHS = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"


@dataclass(frozen=True)
class Limits:
    """The bounds of one program; sizes are bytes, and `memory` is what it and its children use together."""

    memory: int = 2 << 30
    processes: int = 64
    file: int = 64 << 20
    disk: int = 256 << 20
    open_files: int = 256
    processor_seconds: int = 6 * 3600


@dataclass(frozen=True)
class Isolation:
    """A level as it is in force on this machine."""

    bubble: bool
    groups: bool
    limits: Limits = field(default_factory=Limits)

    def __str__(self) -> str:
        parts = ["bubblewrap"] * self.bubble + ["control groups"] * self.groups
        return " + ".join([*parts, "limits"])

    def config(self, command: list[str], folder: Path, home: Path | None = None) -> dict[str, Any]:
        """What the supervisor is told, with control groups already made.

        A program with a `home` starts there, and is shown nothing else of the user's.
        """
        environment = clean_environment(str(folder))
        if self.bubble:
            command = bubble(command, self.limits, home)
        return {
            "command": command,
            "environment": environment,
            "folder": str(folder),
            "start": str(folder if home is None or self.bubble else home),
            "bubble": self.bubble,
            "limits": asdict(self.limits),
            "groups": [str(group) for group in make_groups(self.limits)] if self.groups else [],
        }


def unbounded(levels: str) -> str:
    """Which bounds do not hold at the levels of a record, as a sentence; nothing where all do."""
    parts = [part for part in levels.split("; ") if part not in ("in process", "none", "")]
    if all("control groups" in part for part in parts):
        return ""
    return (
        "without control groups memory and processes are watched ten times a second and not bounded, and memory that "
        "no process has mapped is counted only in part"
    )


def isolation(level: str = AUTO, limits: Limits | None = None) -> Isolation:
    """The level asked for, or the best there is; raises BadInput where it cannot be had."""
    if level not in LEVELS:
        raise BadInput(f"there is no isolation {level!r}; the levels are {', '.join(LEVELS)}")
    if os.name != "posix":
        raise BadInput("programs over pipes need Linux or macOS; players in Python work everywhere")
    if level == BUBBLEWRAP and not bubblewrap_works():
        raise BadInput("bubblewrap is not installed or may not make namespaces here; isolation=limits does without")
    return Isolation(level != LIMITS and bubblewrap_works(), groups_work(), limits or Limits())


def clean_environment(home: str) -> dict[str, str]:
    """Nothing of the user's: where to find programs, a home that is the private folder, one thread for BLAS.

    Programs that are Plywright too find this one, where Python alone would not (a user's own packages, PYTHONPATH),
    and share its compiled code; inside bubblewrap they can only read it.
    """
    found_anyway = str(PLYWRIGHT) in getsitepackages()
    return {
        **({} if found_anyway else {"PYTHONPATH": str(PLYWRIGHT)}),
        "PLYWRIGHT_CACHE": str(cache_folder().absolute()),
        "PATH": PATHS,
        "HOME": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


# -- bubblewrap --------------------------------------------------------------------------------------------


def bubble(command: list[str], limits: Limits, home: Path | None = None) -> list[str]:
    """The command inside namespaces of its own; only the system and the program's own folders are there.

    With a `home` that is its folder, and what its files say (a first line with an interpreter) opens no other.
    """
    words = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
    if nested_can_be_forbidden():
        words += ["--unshare-user", "--disable-userns"]
    words += ["--cap-drop", "ALL", "--uid", "65534", "--gid", "65534", "--ro-bind", "/usr", "/usr"]
    for place in SYSTEM[1:]:
        path = Path(place)
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), place]
        elif path.is_dir():
            words += ["--ro-bind", place, place]
    for place in (*FURTHER, *java_settings()):
        words += ["--ro-bind-try", place, place]
    words += ["--proc", "/proc", "--dev", "/dev", "--size", str(limits.disk), "--tmpfs", "/tmp"]
    words += ["--size", str(limits.disk), "--tmpfs", PRIVATE]
    words += ["--size", str(limits.file), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    for readable in own_folders(command) if home is None else [*own_folders([sys.executable]), home]:
        words += ["--ro-bind", str(readable), str(readable)]
        words += masks(readable) if readable.is_dir() else []
    cache = str(cache_folder().absolute())
    words += ["--ro-bind-try", cache, cache]
    for name, value in clean_environment(PRIVATE).items():
        words += ["--setenv", name, value]
    return [*words, "--remount-ro", "/", "--chdir", PRIVATE if home is None else str(home), "--", *command]


def seen_by_all() -> list[Path]:
    """What every program can read inside bubblewrap, whatever its own folder is."""
    return [*map(Path, (*SYSTEM, *FURTHER)), *own_folders([sys.executable]), cache_folder().absolute()]


def java_settings() -> list[str]:
    """Where systems keep the settings of Java, to which links in its own folder lead; without them nothing compiles."""
    return sorted(map(str, Path("/etc").glob("java*")))


def own_folders(command: list[str]) -> list[Path]:
    """What a program must read to run: the folders of the files its command names, and an interpreter's tree.

    Of a home, or of another folder that holds everything, only the file itself is shown.
    """
    crowded = {Path("/"), Path("/tmp"), Path("/home"), Path("/root"), Path.home()}
    found = [PLYWRIGHT]  # should it be the program
    executables = [Path(command[0]), *interpreter(Path(command[0]))]
    for place in [place for path in executables for place in (path, path.resolve())]:
        around = [place.parent.parent] if place.parent.name == "bin" else []
        found.append(next((folder for folder in [*around, place.parent] if folder not in crowded), place))
    for path in map(Path, command[1:]):
        if path.is_absolute() and is_file(str(path)):
            found.append(path if path.parent in crowded else path.parent)
        elif path.is_absolute() and os.path.isdir(path) and path not in crowded:  # noqa: PTH112
            found.append(path)
    return sorted({path for path in found if not _within(path, SYSTEM)})


def is_file(word: str) -> bool:
    """Whether a word of a command is a file; not so where we may not look, which Path.is_file() raises for."""
    return os.path.isfile(word)  # noqa: PTH113


def interpreter(program: Path) -> list[Path]:
    """What runs a script, as its first line names it; nothing for any other program."""
    try:
        with program.open("rb") as file:
            first = file.readline(256)
    except OSError:
        return []
    words = first[2:].decode("utf-8", "replace").split() if first.startswith(b"#!") else []
    return [Path(words[0])] if words and Path(words[0]).is_absolute() else []


def _within(path: Path, places: tuple[str, ...]) -> bool:
    return any(path == Path(place) or Path(place) in path.parents for place in places)


@lru_cache(maxsize=1)
def nested_can_be_forbidden() -> bool:
    """Whether this bubblewrap can forbid namespaces within its own: since version 0.8."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        shown = subprocess.run(["bwrap", "--help"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
        return b"--disable-userns" in shown.stdout + shown.stderr
    return False


@lru_cache(maxsize=1)
def bubblewrap_works() -> bool:
    """Tried once: some systems have it and forbid what it does."""
    if not sys.platform.startswith("linux") or shutil.which("bwrap") is None:
        return False
    try:
        words = bubble(["/usr/bin/env", "true"], Limits())
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


# -- control groups ----------------------------------------------------------------------------------------


def make_groups(limits: Limits) -> list[Path]:
    """New groups that bound processes and memory, ready to be joined; empty where that is not allowed."""
    name = f"plywright-{uuid.uuid4().hex[:12]}"
    made: list[Path] = []
    try:
        bounded, further = _group_parents(limits)
        for parent, bounds in bounded:
            group = parent / name
            group.mkdir()
            made.append(group)
            for file, value in bounds.items():
                (group / file).write_text(str(value))
    except OSError:
        for group in made:
            with contextlib.suppress(OSError):
                group.rmdir()
        return []
    for parent in further:
        with contextlib.suppress(OSError):
            (parent / name).mkdir()
            made.append(parent / name)
    return made


def _group_parents(limits: Limits) -> tuple[list[tuple[Path, dict[str, int]]], list[Path]]:
    """Where groups may be made, each with the files that bound it: two hierarchies in version 1, one in version 2.

    Then those of version 1 that would be good to have: an equal share of the processors, their time, the freezer.
    """
    own: dict[str, str] = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            own[controller] = os.environ.get(CGROUP_VARIABLE, path).lstrip("/")
    if "pids" in own:
        bounded = [
            (CGROUP_ROOT / "pids" / own["pids"], {"pids.max": limits.processes}),
            (CGROUP_ROOT / "memory" / own["memory"], {"memory.limit_in_bytes": limits.memory}),
        ]
        unified = CGROUP_ROOT / "unified"
        freezer = unified / own.get("", "") if unified.is_dir() else CGROUP_ROOT / "freezer" / own.get("freezer", "")
        shares = [CGROUP_ROOT / name / own[name] for name in ("cpu", "cpuacct") if name in own]
        return bounded, [*shares, freezer]
    bounds = {"pids.max": limits.processes, "memory.max": limits.memory}
    return [(CGROUP_ROOT / own[""], bounds)], []


def end_group(group: Path) -> None:
    """End whatever is still in a group and remove it: for where the supervisor itself was killed."""
    for _ in range(100):
        thaw([str(group)])
        with contextlib.suppress(OSError, ValueError):
            for process in (group / "cgroup.procs").read_text().split():
                os.kill(int(process), signal.SIGKILL)
        with contextlib.suppress(OSError):
            group.rmdir()
        if not group.exists():
            return
        time.sleep(0.005)


@lru_cache(maxsize=1)
def groups_work() -> bool:
    try:
        made = make_groups(Limits())
        for group in made:
            group.rmdir()
    except (OSError, KeyError, ValueError):
        return False
    return bool(made)
