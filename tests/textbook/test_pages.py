"""The pages of the algorithms show the pseudocode, the code and the pictures of today."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from plywright.textbook import ALGORITHMS

FOLDER = Path(__file__).parent.parent.parent / "docs" / "algorithms"


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("algorithm_pages", FOLDER / "pages.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", [*ALGORITHMS, "README"])
def test_the_page_is_up_to_date(pages: ModuleType, name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert text == pages.refreshed(text), "run `python docs/algorithms/pages.py`"
    if name != "README":
        assert str(ALGORITHMS[name].pseudocode) in text and ">>> " in text and ".svg)" in text


def test_the_pictures_are_up_to_date(pages: ModuleType) -> None:
    for name, picture in pages.pictures().items():
        assert (pages.IMAGES / name).read_text(encoding="utf-8") == picture, "run `python docs/algorithms/pages.py`"
