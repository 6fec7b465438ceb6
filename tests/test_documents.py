"""README and docs are executed: every `>>>` example and every `$ plywright` command in them."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
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
    runner.run(test, out=output.append)
    assert not runner.failures, "".join(output)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_run_and_print_what_they_say(page: Path, tmp_path: Path) -> None:
    """`$ plywright ...` lines run one after the other in one folder; the lines below must match (... is anything)."""
    checker = doctest.OutputChecker()
    for block in blocks(page, "console"):
        for chunk in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, expected = chunk.partition("\n")
            words = shlex.split(command, comments=True)
            if words[0] != "plywright":
                continue
            if words[1] == "play" and "none" not in words:
                continue  # waits for a person
            done = subprocess.run(
                [sys.executable, "-m", *words],
                cwd=tmp_path,
                env={**os.environ, "COLUMNS": "120"},
                capture_output=True,
                text=True,
                timeout=120,
            )
            assert done.returncode == 0, f"{command}\n{done.stderr}"
            if expected.strip():
                assert checker.check_output(expected.strip() + "\n", done.stdout.strip() + "\n", OPTIONS), (
                    f"{command} printed\n{done.stdout}\ninstead of\n{expected}"
                )


def test_every_picture_and_page_that_is_linked_exists() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)|src=\"([^\":]+)\"", page.read_text(encoding="utf-8")):
            name = target[0] or target[1]
            assert (page.parent / name).exists(), f"{page.name} links to {name}, which is not there"
