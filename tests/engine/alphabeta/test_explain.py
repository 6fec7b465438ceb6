"""Why not this move: values that agree with the search, lines that are legal, words that say it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from plywright import BadInput, Limit, SearchResult, load_game, search
from plywright.cli import main
from plywright.engine.alphabeta import explain as explaining
from plywright.engine.alphabeta.explain import explain
from plywright.outcome_text import worth_text


def test_a_refutation_has_the_alternative_s_exact_value() -> None:
    game = load_game("tic-tac-toe")
    state = game.play_moves(game.start_state, "b2 a2")  # an edge answers the centre: lost
    best = search(game, state, depth=12, algorithm="pvs", exact=True)
    every = search(game, state, depth=12, algorithm="alphabeta", all_actions=True).actions
    assert best.value == 1
    for action, value in every.items():
        found = explain(game, state, action, best=best)
        assert found.value == value
        place = state
        for step in found.line:
            assert step in list(game.actions(place))
            place = game.result(place, step)
        if value < best.value:
            assert "less than" in found.words and found.picture.text.startswith("MAX 1")
    assert "is the best move" in explain(game, state, best.action or 0, best=best).words


def test_the_loss_is_located() -> None:
    game = load_game("nim:heaps=1-1")
    best = search(game, depth=9, algorithm="pvs", exact=True)
    assert best.value == -1
    better = load_game("nim:heaps=1-2")
    result = search(better, depth=9, algorithm="pvs", exact=True)
    wrong = next(a for a in better.actions(better.start_state) if a != result.action)
    found = explain(better, better.start_state, wrong, best=result)
    assert found.value == -1 and found.turn is not None and 1 <= found.turn <= len(found.line)


def test_the_alternative_is_searched_within_the_limit_of_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    game, searches = load_game("othello"), []

    def watched(*arguments: Any, **options: Any) -> SearchResult:
        searches.append(search(*arguments, **options))
        return searches[-1]

    monkeypatch.setattr(explaining, "search", watched)
    for action in game.actions(game.start_state):
        searches.clear()
        found = explain(game, game.start_state, action, limit=Limit(nodes=3000))
        assert searches[0] is found.best and all(result.nodes <= 3000 for result in searches)
        if action == found.best.action:
            assert len(searches) == 1 and found.value == found.best.value and found.line == found.best.line
            assert f"as far as depth {found.best.depth} shows, {worth_text(game, found.value)}." in found.words
        else:
            assert f"as far as depth {searches[1].depth + 1} shows" in found.words


def test_a_simulated_best_move_is_explained_by_simulations() -> None:
    game = load_game("othello")
    best = search(game, nodes=200, algorithm="mcts", seed=1)
    other = next(action for action in game.actions(game.start_state) if action != best.action)
    assert "as far as 200 simulations show" in explain(game, game.start_state, other, best=best, seed=1).words


def test_an_alternative_that_looks_better_by_itself_is_not_called_equal() -> None:
    game = load_game("connect-four")
    best = search(game, depth=4)
    other = next(action for action in game.actions(game.start_state) if action != best.action)
    words = explain(game, game.start_state, other, best=replace(best, value=-0.75)).words
    assert "no worse than" in words and "-0.75" in words and "both" not in words


def test_an_illegal_alternative_is_refused() -> None:
    game = load_game("tic-tac-toe")
    with pytest.raises(BadInput, match="is no action"):
        explain(game, game.start_state, 99)


def test_the_command_explains(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["best", "tic-tac-toe", "--moves", "b2 a2", "--depth", "12", "--explain", "c2", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["alternative"]["action"] == "c2" and data["alternative"]["value"] == 0
    assert "1 less than" in data["explanation"]
    assert main(["best", "tic-tac-toe", "--explain", "z9"]) == 2


def test_the_tree_counts_in_the_unit_of_the_evaluation_and_a_win_is_no_number_of_them() -> None:
    game = load_game("chess")
    state = game.play_moves(game.start_state, "e4 e5 Qh5 Nc6 Bc4 Nf6")
    best = search(game, state, depth=3)
    told = explain(game, state, game.parse_action(state, "a3"), best=best)
    assert ">win<" in told.picture.svg and f">{told.value / 0.01:.2f}<" in told.picture.svg
    assert (
        f"{told.value / 0.01:+.2f} pawns, less than Qxf7# (+1, mate in 1)." in told.words
    )  # and by no number of pawns
    level = search(game, game.start_state, depth=2)
    words = explain(game, game.start_state, game.parse_action(game.start_state, "f3"), best=level).words
    assert re.search(r"shows, [+-]\d\.\d\d pawns, \d\.\d\d pawns less than \w+ \([+-]\d\.\d\d pawns\)", words), words
    mate = explain(game, state, game.parse_action(state, "Qxf7#"), best=best).words
    assert mate.startswith("Qxf7# is the best move: it is worth") and mate.endswith(" +1 (mate in 1).")
