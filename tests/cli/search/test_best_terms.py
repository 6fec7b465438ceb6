"""`plywright best --explain-evaluation` where there is nothing to explain."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plywright.cli.search import best


def test_an_evaluation_without_terms_is_refused_before_the_search(
    plywright: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_search(*arguments: object, **options: object) -> None:
        raise AssertionError("searched first")

    monkeypatch.setattr(best, "search", no_search)
    status, out, err = plywright("best", "tic-tac-toe", "--knowledge", "none", "--explain-evaluation")
    assert status == 2 and not out and "is no weighted sum of features" in err
