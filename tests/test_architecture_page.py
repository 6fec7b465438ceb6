"""docs/architecture.md is true: its layers, the files that it names, its table of questions, its pictures."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "plywright"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def rows(title: str) -> list[list[str]]:
    """The cells of the first table below a heading."""
    table = PAGE.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines() if line[:3] == "| `"]


def test_the_layers_are_those_of_the_linter() -> None:
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = next(contract["layers"] for contract in linter["contracts"] if "layers" in contract)
    expected = [set(re.findall(r"plywright\.(\w+)", layer)) for layer in layers]
    for layer in expected:
        for name in layer:
            assert (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()
    shown = [set(re.findall(r"`(\w+)`", cells[0])) for cells in rows("Layers")]
    order = [name for layer in expected for name in sorted(layer)]
    place = {name: number for number, layer in enumerate(expected) for name in layer}
    assert sorted(name for layer in shown for name in layer) == sorted(order), "each layer stands in the table once"
    numbers = [place[name] for layer in shown for name in layer]
    assert numbers == sorted(numbers), "the table goes from the top layer to the lowest"


QUESTIONS = [
    re.findall(r"^\| (.*?) \| `([\w/]+\.py)` \| (.*) \|$", line)[0]
    for line in PAGE.split("\n## Where do I find ...?\n", 1)[1].split("\n## ", 1)[0].splitlines()
    if line.endswith("` |")
]


def test_at_least_thirty_questions_are_answered() -> None:
    assert len(QUESTIONS) >= 50 and len({question for question, _, _ in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize(("question", "file", "words"), QUESTIONS, ids=[question for question, _, _ in QUESTIONS])
def test_where_do_i_find(question: str, file: str, words: str) -> None:
    source = (PACKAGE / file).read_text(encoding="utf-8")
    wanted = re.findall(r"`([^`]+)`", words)
    assert wanted and all(word in source for word in wanted), f"{question}: {file} lacks {wanted}"


MENTIONED = [
    (page.relative_to(ROOT), name)
    for page in sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
    for name in sorted(set(re.findall(r"`((?:\w+/)*\w+\.(?:py|json))`", page.read_text(encoding="utf-8"))))
]
OWN = {"bot.py", "check_bot.py", "mygame.py", "my_player.py", "squares.py", "cards.py"}
"""Files that a reader of the pages writes."""


@pytest.mark.parametrize(("page", "name"), MENTIONED, ids=lambda value: str(value))
def test_files_that_pages_name_exist(page: Path, name: str) -> None:
    """By their path from the root, the package, or one of its folders: `pvs.py`, `engine/perft.py`."""
    if name in OWN or (ROOT / name).is_file():
        return
    places = [ROOT / "src", PACKAGE, ROOT / "tests", ROOT / "docs", ROOT / "benchmarks", ROOT / "examples"]
    assert any(found.as_posix().endswith(f"/{name}") for place in places for found in place.rglob(Path(name).name)), (
        f"{page} names {name}, which does not exist"
    )


def test_the_pictures_are_up_to_date() -> None:
    path = ROOT / "docs" / "architecture_pictures.py"
    spec = importlib.util.spec_from_file_location("architecture_pictures", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, picture in module.pictures().items():
        assert (module.IMAGES / name).read_text(encoding="utf-8") == picture, (
            "run `python docs/architecture_pictures.py`"
        )
        for words in re.findall(r">([\w/., :]+\.py[\w/., :]*)<", picture):
            for file in re.findall(r"[\w/]+\.py", words):
                places = (PACKAGE / file, PACKAGE / "engine" / file, PACKAGE / "engine" / "alphabeta" / file)
                assert any(place.is_file() for place in places), f"{name} names {file}, which does not exist"


def test_tests_lie_where_the_package_has_what_they_test() -> None:
    tests = ROOT / "tests"
    for folder in sorted({file.parent for file in tests.rglob("test_*.py")} - {tests}):
        assert (PACKAGE / folder.relative_to(tests)).is_dir(), f"tests/{folder.relative_to(tests)} mirrors no package"
    for package in sorted(place.name for place in (PACKAGE / "games").iterdir() if (place / "rules.py").is_file()):
        flat = [file.name for file in (tests / "games").glob(f"test_{package}*.py")]
        assert not flat, f"{flat}: the tests of a game of several files lie in tests/games/{package}"
    for room in sorted(place.name for place in (PACKAGE / "web").iterdir() if (place / "routes.py").is_file()):
        flat = [file.name for file in (tests / "web").glob(f"test_{room}*.py")]
        assert not flat, f"{flat}: the tests of a room lie in tests/web/{room}"
