"""The node counts of fixed searches: a refactoring may not move them, a change that does says so."""

from plywright.cli.search.bench import signature

SIGNATURE = 4_891_111


def test_the_searches_visit_the_nodes_they_visited_before() -> None:
    assert signature() == SIGNATURE
