"""README and docs are executed: every `>>>` example and every `$ plywright` command in them."""

from __future__ import annotations

import ast
import doctest
import importlib
import importlib.util
import io
import json
import re
import shlex
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from typer.main import get_command

import plywright.cli
import plywright.cli.console
from plywright.cli.app import app

ROOT = Path(__file__).parent.parent
READ = (".py", ".md", ".html", ".txt", ".js")
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: Path, language: str) -> list[str]:
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```", page.read_text(encoding="utf-8"), re.S | re.M)
    return ["\n".join(line[len(indent) :] for line in text.splitlines()) for indent, text in found]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_examples_give_what_they_say(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "\n\n".join(block for block in blocks(page, "python") if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    output: list[str] = []
    with ThreadPoolExecutor(max_workers=1) as pool:  # asyncio.run, in a thread where no browser keeps a loop running
        pool.submit(runner.run, test, out=output.append).result()
    assert not runner.failures, "".join(output)


def in_a_new_process(words: list[str]) -> tuple[int, str, str]:
    done = subprocess.run([sys.executable, "-m", "plywright", *words], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def in_this_process(words: list[str]) -> tuple[int, str, str]:
    out, notes = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(notes), warnings.catch_warnings():
        warnings.simplefilter("default")
        status = plywright.cli.main(words)
    return status, out.getvalue(), notes.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_run_and_print_what_they_say(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`$ plywright ...` lines run one after the other in one folder; the lines below must match (... is anything).

    A block of Python after `<!-- file: NAME -->` is written into that folder first. Those of the README are run as a
    reader runs them, the others in this process: to import a compiler for each would take longer than all the rest.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    for console in (plywright.cli.console.out, plywright.cli.console.notes):  # made when COLUMNS was another
        monkeypatch.setattr(console, "_width", 120)
    run = in_a_new_process if page == ROOT / "README.md" else in_this_process
    checker = doctest.OutputChecker()
    for name, text in re.findall(
        r"^<!-- file: (\S+) -->\n```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for block in blocks(page, "console"):
        for chunk in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, expected = chunk.partition("\n")
            words = shlex.split(command, comments=True)
            if words[0] != "plywright":
                continue
            if words[1] == "play" and "none" not in words:
                continue  # waits for a person
            status, printed, notes = run(words[1:])
            assert status == 0, f"{command}\n{notes}"
            if expected.strip():
                assert checker.check_output(expected.strip() + "\n", printed.strip() + "\n", OPTIONS), (
                    f"{command} printed\n{printed}\ninstead of\n{expected}"
                )


def test_every_picture_and_page_that_is_linked_exists() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)|src=\"([^\":]+)\"", page.read_text(encoding="utf-8")):
            name = target[0] or target[1]
            assert (page.parent / name).exists(), f"{page.name} links to {name}, which is not there"


# -- the README -------------------------------------------------------------------------------------------------


def test_the_readme_is_two_screens() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120 and text.count("<img ") == 3 and len(_table_rows(text)) == 6


def _table_rows(text: str) -> list[str]:
    table = text.split("<!-- speed table: begin -->\n")[1].split("<!-- speed table: end -->")[0]
    return table.splitlines()[2:]


def test_the_tables_of_speed_are_those_that_were_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    measure, speed_table = importlib.import_module("measure"), importlib.import_module("speed_table")
    measured = json.loads((ROOT / "benchmarks" / "results" / "speed.json").read_text(encoding="utf-8"))
    rows = [measure.Row(**row) for row in measured["rows"]]
    for path, chosen in ((speed_table.PAGE, rows), (speed_table.README, speed_table.headlines(rows))):
        text = path.read_text(encoding="utf-8")
        assert text == speed_table.replaced_table(text, chosen), f"{path.name} is not what benchmarks/run.py writes"
    assert len(speed_table.headlines(rows)) == len(speed_table.HEADLINES) == 6


# -- the commands -----------------------------------------------------------------------------------------------


def test_the_page_of_commands_has_every_command_and_no_other_option() -> None:
    known = get_command(app).commands  # type: ignore[attr-defined]
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    shown = set()
    for row in re.findall(r"^\| (`plywright .*?) \|", text, re.M):
        name = ""
        for written in re.findall(r"`([^`]+)`", row):
            words = written.removeprefix("plywright ").split()
            if written.startswith("plywright "):
                name = words.pop(0)
                assert name in known, f"docs/commands.md has {written!r}, and there is no such command"
                shown.add(name)
            command = known[name]
            if hasattr(command, "commands"):
                assert words[0] in command.commands, f"docs/commands.md has {name} {words[0]}, which does not exist"
                shown.add(f"{name} {words[0]}")
                command = command.commands[words[0]]
            flags = {flag for parameter in command.params for flag in (*parameter.opts, *parameter.secondary_opts)}
            for flag in re.findall(r"--[a-z-]+", written):
                assert flag in flags, f"docs/commands.md has {written!r}, and {flag} does not exist"
    every = {f"{name} {each}" for name, group in known.items() for each in getattr(group, "commands", ())}
    assert shown >= every | set(known), f"docs/commands.md lacks {sorted((every | set(known)) - shown)}"


# -- scripts ----------------------------------------------------------------------------------------------------

SCRIPTS = sorted(
    path for folder in ("benchmarks", "docs", "examples") for path in (ROOT / folder).rglob("*.py") if path.is_file()
)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_what_scripts_import_of_plywright_exists(script: Path) -> None:
    """`make bench` and the scripts of the documents are run by hand: what they import is looked at here."""
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "plywright":
            module = importlib.import_module(node.module)
            for name in node.names:
                found = hasattr(module, name.name) or importlib.util.find_spec(f"{node.module}.{name.name}")
                assert found, f"{script.name} imports {name.name} from {node.module}, which does not have it"


# -- the facts --------------------------------------------------------------------------------------------------


def test_every_fact_names_a_test_that_exists() -> None:
    rows = re.findall(r"^\| (\d\S*) \| .* \| (.*) \|$", (ROOT / "docs" / "facts.md").read_text(encoding="utf-8"), re.M)
    assert len(rows) >= 50
    for number, cell in rows:
        file, _, name = cell.strip("`").partition("::")
        source = (ROOT / file).read_text(encoding="utf-8")
        assert f"\ndef {name}(" in source, f"fact {number} is held by {cell}, which does not exist"


def test_no_text_refers_to_what_a_reader_cannot_look_up() -> None:
    """Say the book or the fact itself: nobody outside has been to the lecture, or has a list of facts by number."""
    texts = [p for f in ("src", "docs", "benchmarks", "examples") for p in (ROOT / f).rglob("*") if p.suffix in READ]
    for path in [*texts, ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        found = re.search(r"\b[Ll]ectures?\b|\bFACTS \d", path.read_text(encoding="utf-8"))
        assert not found, f"{path.relative_to(ROOT)} speaks of {found and found[0]!r}"


def test_the_site_lists_every_page() -> None:
    listed = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    algorithms = {page for page in pages if page.startswith("algorithms/")}  # reached from their README.md
    assert sorted(listed) == sorted(pages - algorithms | {"algorithms/README.md"})


def test_the_changelog_has_the_version_below_what_is_unreleased() -> None:
    headings = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert headings[0] == ("Unreleased", "") and headings[1][0] == plywright.__version__ and headings[1][1]
