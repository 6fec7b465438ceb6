"""What was handed in: one folder, or one file, for each student, and how it is built and run.

A folder says it in a file `run` (one line, `python bot.py` or `xy: ./bot`) and, where it must be built, in `build`
(shell commands). Without them a file of a known language is enough. Nothing is executed here, and links are not
followed.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from ..arena.lineup import PROGRAMS
from ..errors import BadInput, nearest, printable

LARGEST = 64 << 20
"""Bytes of one submission."""
MOST_FILES = 5_000
LONGEST_LINE = 1_000
LONGEST_NAME = 60
MOST_NAMED = 10
"""Things that are none, named in one sentence."""
CHIEF = ("bot", "main", "player", "agent", "engine")
"""What the file that is run is called, where there are several of a language."""
IGNORED = {"__pycache__", "__MACOSX", "node_modules"}
SPECIAL = ("run", "build")

Files = dict[str, tuple[bytes, bool]]
"""By path: the content, and whether it may be executed."""


@dataclass(frozen=True)
class Language:
    """How programs of a language are built and run; `{file}` is the chief one, `{stem}` without its ending."""

    name: str
    step: str
    command: str


LANGUAGES = {
    ".py": Language("Python", "", "python {file}"),
    ".js": Language("JavaScript", "", "node {file}"),
    ".c": Language("C", "cc -O2 -o program *.c -lm", "./program"),
    ".cpp": Language("C++", "c++ -O2 -std=c++17 -o program *.cpp", "./program"),
    ".cc": Language("C++", "c++ -O2 -std=c++17 -o program *.cc", "./program"),
    ".java": Language("Java", "javac *.java", "java -Xshare:auto -XX:+UseSerialGC -cp . {stem}"),
    ".jar": Language("Java", "", "java -XX:+UseSerialGC -jar {file}"),
    ".rs": Language("Rust", "rustc -O -o program {file}", "./program"),
    ".go": Language("Go", "go build -o program *.go", "./program"),
}


@dataclass(frozen=True)
class Submission:
    """One student's program as it was handed in."""

    name: str
    place: Path
    files: Files = field(default_factory=dict, repr=False)
    protocol: str = "json"
    command: str = ""
    step: str = ""
    """The build step, a shell script; empty where there is none."""
    about: str = ""
    """What it is, for people: `C, bot.c`."""
    fault: str = ""
    """Why it cannot be used, for the student; empty where it can."""
    hint: str = ""
    """What to tell the student where the program does not greet."""

    @property
    def digest(self) -> str:
        """What was handed in, as one short text."""
        total = hashlib.sha256("\0".join((self.protocol, self.command, self.step)).encode())
        for path, (content, executable) in sorted(self.files.items()):
            total.update(f"\0{path}\0{int(executable)}\0".encode("utf-8", "surrogateescape"))
            total.update(hashlib.sha256(content).digest())
        return total.hexdigest()[:16]

    @property
    def content(self) -> str:
        """What its files hold as one short text, whatever they are called."""
        held = sorted(
            hashlib.sha256(content).digest() for path, (content, _) in self.files.items() if path not in SPECIAL
        )
        return hashlib.sha256(b"".join(held)).hexdigest()[:16]


def find_submissions(folder: Path, game: str, protocol: str) -> list[Submission]:
    """The submissions in a folder by name, or the folder itself if it is one; raises BadInput where there is none.

    `game` is the game as a program's folder has it, for players that are classes of Plywright's.
    """
    if not folder.exists():
        raise BadInput(f"there is no folder {str(folder)!r}: name the one that holds a folder for each program")
    if not folder.is_dir() or is_submission(folder):
        return [read_submission(folder, game, protocol)]
    places = [place for place in sorted(folder.iterdir(), key=lambda place: place.name) if _may_be_one(place)]
    if not places:
        raise BadInput(f"{str(folder)!r} holds no submissions: each is a folder, or a file such as alice.py")
    found = [read_submission(place, game, protocol) for place in places]
    names = Counter(each.name.casefold() for each in found)
    return [_one_of_several(each, found) if names[each.name.casefold()] > 1 else each for each in found]


def left_aside(folder: Path) -> str:
    """What lies beside the submissions and is none, for the teacher; empty where there is nothing."""
    if not folder.is_dir() or is_submission(folder):
        return ""
    found = [place for place in folder.iterdir() if place.name[0] != "." and place.name not in IGNORED]
    names = sorted(printable(place.name)[:LONGEST_NAME] for place in found if not _may_be_one(place))
    if not names:
        return ""
    shown = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    return f"left aside: {shown} (links are not followed, and archives not unpacked; names with _ are yours)"


def is_submission(folder: Path) -> bool:
    """Whether a folder is a program rather than a folder of programs."""
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
    chiefs = {f"{chief}{ending}" for chief in CHIEF for ending in LANGUAGES}
    return any(name in SPECIAL or name.lower() in {chief.lower() for chief in chiefs} for name in names)


def read_submission(place: Path, game: str, protocol: str) -> Submission:
    """One student's folder or file; what is wrong with it is its `fault`."""
    name = printable(place.stem if place.is_file() else place.resolve().name)[:LONGEST_NAME].strip() or "?"
    try:
        files = _gather(place)
        return _understood(name, place, files, game, protocol)
    except BadInput as error:
        return Submission(name, place, fault=str(error))
    except OSError as error:
        return Submission(name, place, fault=f"it cannot be read: {error.strerror or error}")


def _may_be_one(place: Path) -> bool:
    if place.name[0] in "._" or place.name in IGNORED or place.is_symlink():
        return False
    return place.is_dir() or place.suffix.lower() in LANGUAGES


def _one_of_several(each: Submission, found: list[Submission]) -> Submission:
    others = ", ".join(sorted(other.place.name for other in found if other.name.casefold() == each.name.casefold()))
    fault = f"there are several submissions of the name {each.name!r} ({others}): rename all but one"
    return Submission(each.name, each.place, fault=fault)


def _gather(place: Path) -> Files:
    """The plain files of a submission; a folder that holds nothing but another one is that one."""
    if place.is_file():
        return {place.name: (_content(place), False)}
    inner = [entry for entry in place.iterdir() if entry.name[0] != "." and entry.name not in IGNORED]
    while len(inner) == 1 and inner[0].is_dir() and not inner[0].is_symlink():
        place = inner[0]
        inner = [entry for entry in place.iterdir() if entry.name[0] != "." and entry.name not in IGNORED]
    files: Files = {}
    size, links = 0, False
    for root, folders, names in os.walk(place):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in IGNORED)
        for name in sorted(names):
            path = Path(root) / name
            if path.is_symlink() or not path.is_file():
                links = links or path.is_symlink()
                continue
            size += path.stat().st_size
            if size > LARGEST or len(files) >= MOST_FILES:
                raise BadInput(f"it is too large: at most {LARGEST >> 20} MB in {MOST_FILES:,} files")
            files[path.relative_to(place).as_posix()] = _content(path), os.access(path, os.X_OK)
    if not files and links:
        raise BadInput("the folder has links and no files, and links are not followed: hand in the files themselves")
    if not files:
        raise BadInput("the folder is empty: it needs a program, or a file `run` with the line that starts it")
    return files


def _content(path: Path) -> bytes:
    if path.stat().st_size > LARGEST:
        raise BadInput(f"{path.name} is too large: at most {LARGEST >> 20} MB")
    return path.read_bytes()


def _understood(name: str, place: Path, files: Files, game: str, protocol: str) -> Submission:
    """How the files are built and run."""
    step = _text(files, "build") if "build" in files else ""
    if "run" in files:
        protocol, command = _run_line(_text(files, "run"), protocol)
        if not step and any(path in files for path in ("Makefile", "makefile")):
            step = "make"
        return Submission(name, place, files, protocol, command, step, f"run: {command}")
    language, chief = _chief(files)
    words = {"file": chief, "stem": chief.rpartition(".")[0]}
    command = language.command.format(**words)
    hint = ""
    if language.name == "Python":
        if player := _player_class(files[chief][0]):
            # A class for Plywright's own players: it runs as a program like all the others, and in their sandbox.
            protocol, command = "json", f"python -m plywright engine {game} --protocol json --player ./{chief}:{player}"
        elif not _reads_lines(files[chief][0]):
            hint = (
                f"{chief} was run as a program, and reads no lines; as a player it would define one class with "
                "choose(self, game, turn), or policy(game, view, seat)"
            )
    step = step or language.step.format(**words)
    return Submission(name, place, files, protocol, command, step, f"{language.name}, {chief}", hint=hint)


def _text(files: Files, name: str) -> str:
    try:
        text = files[name][0].decode()
    except UnicodeDecodeError:
        raise BadInput(f"its file `{name}` is no text") from None
    if "\0" in text:
        raise BadInput(f"its file `{name}` is no text")
    return text


def _run_line(text: str, protocol: str) -> tuple[str, str]:
    """Protocol and command of a `run` file."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
    if len(lines) != 1 or len(lines[0]) > LONGEST_LINE:
        raise BadInput(f"its file `run` has {len(lines)} lines: it needs one, such as python bot.py, or xy: ./bot")
    found = re.fullmatch(r"([A-Za-z]+)\s*:\s*(.+)", lines[0])
    if found is None:
        return protocol, lines[0]
    if found[1] not in PROGRAMS:
        hint = f" (did you mean {near}?)" if (near := nearest(found[1], PROGRAMS)) else ""
        raise BadInput(f"its file `run` names no protocol with {found[1]!r}{hint}: there are {', '.join(PROGRAMS)}")
    return found[1], found[2]


def _chief(files: Files) -> tuple[Language, str]:
    """The file that is run, and its language; raises BadInput where that cannot be told."""
    top = [path for path in files if "/" not in path and Path(path).suffix.lower() in LANGUAGES]
    if not top:
        known = ", ".join(sorted({language.name for language in LANGUAGES.values()}))
        raise BadInput(f"it has no file of a known language ({known}) and no file `run` with the line that starts it")
    named = [path for path in top if Path(path).stem.lower() in CHIEF]
    starting = [path for path in top if path.endswith(".java") and b"static void main" in files[path][0]]
    chiefs = named if len(named) == 1 else starting if len(starting) == 1 else top
    endings = {Path(path).suffix.lower() for path in top}
    if len(chiefs) > 1 and (len(endings) > 1 or endings & {".py", ".js", ".jar", ".java", ".rs"}):
        raise BadInput(
            f"it has several files ({', '.join(sorted(top)[:5])}): call the one to run bot{Path(top[0]).suffix}, or "
            "write a file `run` with the line that starts it"
        )
    chief = min(chiefs)
    if not re.fullmatch(r"[\w.+-]+", chief):
        raise BadInput(f"its file {chief!r} has an odd name: use letters, digits, dots and hyphens")
    return LANGUAGES[Path(chief).suffix.lower()], chief


def _reads_lines(source: bytes) -> bool:
    return b"stdin" in source or b"input(" in source


def _player_class(source: bytes) -> str:
    """The class of a player, or `policy`, that a file defines for Plywright; empty for any other program."""
    if _reads_lines(source):
        return ""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    classes = [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        and any(isinstance(part, ast.FunctionDef) and part.name == "choose" for part in node.body)
    ]
    if len(classes) == 1:
        return classes[0]
    policies = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "policy"]
    return "policy" if policies and len(policies[0].args.args) == 3 else ""
