"""The notebooks of `examples/`: they run, they say what is stored in them, and boards and trees are inside."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
NOTEBOOKS = ("search", "chance", "hidden", pytest.param("learning", marks=pytest.mark.slow))


def runner() -> Any:
    spec = importlib.util.spec_from_file_location("run_notebooks", FOLDER / "run_notebooks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))


def said(outputs: list[dict[str, Any]]) -> list[str]:
    """What a cell printed and ended with, pictures as the text that stands for them."""
    return ["".join(output.get("text") or output["data"]["text/plain"]) for output in outputs]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_says_what_is_stored_in_it(name: str) -> None:
    notebook = read(name)
    stored = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    found = runner().run_notebook(notebook)
    told = "run `python examples/run_notebooks.py`"
    assert [said(outputs) for outputs in found] == [said(outputs) for outputs in stored], told
    pictures = [[sorted(output.get("data", {})) for output in outputs] for outputs in found]
    assert pictures == [[sorted(output.get("data", {})) for output in outputs] for outputs in stored], told


@pytest.mark.parametrize("name", ("search", "chance", "hidden", "learning"))
def test_boards_and_trees_are_inside(name: str) -> None:
    notebook = read(name)
    assert notebook["nbformat"] == 4 and len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    drawn = [
        "".join(output["data"]["image/svg+xml"]) for output in outputs if "image/svg+xml" in output.get("data", {})
    ]
    assert len(drawn) >= 2 and all(svg.startswith("<svg") for svg in drawn)
    assert not [output for output in outputs if output["output_type"] == "error"]
