"""The evaluation by patterns: its numbers by hand, its symmetry, its file, and how far it is from exact scores."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, load_game, search
from plywright.compiled import interpreted
from plywright.games.othello import pattern_knowledge
from plywright.games.othello.pattern_knowledge import PER_DISC, PatternKnowledge, packed, shipped_weights, unpacked
from plywright.games.othello.patterns import FAMILIES, STAGES, layout, pattern_numbers, stage_of
from plywright.knowledge import knowledge_of
from plywright.models.model_file import read_model
from plywright.models.rules_print import rules_print

GAME = load_game("othello")


def states(count: int, plies: int, seed: int = 1) -> list[Any]:
    rng, found = random.Random(seed), []
    while len(found) < count:
        state = GAME.start_state
        for _ in range(plies):
            if GAME.is_terminal(state):
                break
            state = GAME.coerce_state(GAME.result(state, rng.choice(list(GAME.actions(state)))))
        if not GAME.is_terminal(state):
            found.append(state)
    return found


def image(state: Any, turn: int) -> Any:
    """The board turned or mirrored."""

    def moved(board: int) -> np.uint64:
        found = 0
        for square in range(64):
            row, column = divmod(square, 8)
            row, column = (column, row) if turn & 1 else (row, column)
            row, column = (7 - row if turn & 2 else row), (7 - column if turn & 4 else column)
            found |= (board >> square & 1) << 8 * row + column
        return np.uint64(found)

    return GAME.position(moved(int(state.mine)), moved(int(state.theirs)), int(state.mover))


def test_every_pattern_has_the_number_of_its_squares_in_base_three() -> None:
    plan = layout()
    boards = states(20, 30)
    numbers = pattern_numbers(np.array([s.mine for s in boards]), np.array([s.theirs for s in boards]))
    for state, row in zip(boards, numbers, strict=True):
        for pattern, family, number in zip(plan.patterns, plan.family, row, strict=True):
            digits = [(int(state.mine) >> s & 1) + 2 * (int(state.theirs) >> s & 1) for s in pattern]
            assert number == plan.starts[family] + sum(digit * 3**place for place, digit in enumerate(digits))


def test_families_have_all_their_images_once() -> None:
    plan = layout()
    assert len({frozenset(pattern) for pattern in plan.patterns}) == len(plan.patterns) == 58
    for family, text in enumerate(FAMILIES.values()):
        images = [pattern for pattern, own in zip(plan.patterns, plan.family, strict=True) if own == family]
        assert len(images) in (2, 4, 8) and all(len(pattern) == len(text.split()) for pattern in images)


@pytest.mark.parametrize("plies", [12, 30, 48, 54])
def test_images_of_a_board_are_worth_the_same_and_so_are_colours(plies: int) -> None:
    knowledge = knowledge_of(GAME, "patterns")
    for state in states(4, plies):
        value = knowledge.evaluate(state, int(state.mover))
        assert all(knowledge.evaluate(image(state, turn), int(state.mover)) == value for turn in range(8))
        assert knowledge.evaluate(state, 1 - int(state.mover)) == -value
        other = GAME.position(state.mine, state.theirs, 1 - int(state.mover))
        assert knowledge.evaluate(other, int(other.mover)) == value


def test_compiled_and_interpreted_searches_agree() -> None:
    state = states(1, 20)[0]
    found = search(GAME, state, depth=3, knowledge="patterns")
    with interpreted():
        assert search(GAME, state, depth=3, knowledge="patterns").value == found.value


def test_other_weights_need_no_other_compilation(compilations: list[str]) -> None:
    search(GAME, depth=1)
    compilations.clear()
    flat = PatternKnowledge(GAME, np.full(STAGES * layout().weights, PER_DISC // 8, np.int16))
    assert search(GAME, depth=1, knowledge=flat).value != search(GAME, depth=1).value
    assert compilations == []


def test_the_old_evaluation_stays_and_small_boards_have_it() -> None:
    assert knowledge_of(GAME).name == "patterns" and knowledge_of(GAME, "hand").name == "hand"
    small = load_game("othello:size=6")
    assert knowledge_of(small).name == "hand"
    with pytest.raises(BadInput, match="no knowledge 'patterns'"):
        knowledge_of(small, "patterns")
    with pytest.raises(BadInput, match="8x8"):
        PatternKnowledge(small)  # type: ignore[arg-type]


def test_weights_are_packed_and_unpacked_alike() -> None:
    weights = shipped_weights()
    assert (unpacked(packed(weights)) == weights).all()
    rng = np.random.default_rng(1)
    drawn = rng.integers(-900, 900, (STAGES, layout().weights)).astype(np.int16)[:, layout().twins].ravel()
    assert (unpacked(packed(drawn)) == drawn).all()


def test_stages_go_by_empty_squares() -> None:
    assert [stage_of(left) for left in (0, 8, 9, 11, 12, 47, 48, 60)] == [0, 0, 0, 0, 1, 12, 13, 13]


def test_the_shipped_file_is_small_and_for_these_rules() -> None:
    path = Path(pattern_knowledge.__file__).parent / pattern_knowledge.SHIPPED
    assert path.stat().st_size <= 8_000_000
    assert read_model(path).rules == rules_print(GAME)


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "other"])
def test_a_damaged_file_of_weights_is_named_and_refused(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (Path(pattern_knowledge.__file__).parent / pattern_knowledge.SHIPPED).read_bytes()
    middle = len(data) // 2
    broken = {"cut": data[:middle], "empty": b"", "other": b"[Event x]"}
    broken["changed"] = data[:middle] + bytes([data[middle] ^ 255]) + data[middle + 1 :]
    (tmp_path / pattern_knowledge.SHIPPED).write_bytes(broken[damage])
    monkeypatch.setattr(pattern_knowledge, "files", lambda package: tmp_path)
    shipped_weights.cache_clear()
    try:
        with pytest.raises(BadInput, match=r"patterns\.knowledge"):
            PatternKnowledge(GAME)  # type: ignore[arg-type]
    finally:
        shipped_weights.cache_clear()
