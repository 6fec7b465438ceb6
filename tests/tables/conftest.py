"""Shared by the tests of tables."""

from __future__ import annotations

import pytest

from plywright.tables import Table, build_table


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """The tables of checkers with up to three pieces, once for a worker."""
    return build_table("checkers", 3, tmp_path_factory.mktemp("tables"), threads=2)
