"""The evaluation by patterns: its numbers by hand, its symmetry, its file, and how far it is from exact scores."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, MonteCarloTree, load_game, search
from plywright.bits import popcount
from plywright.compiled import interpreted
from plywright.engine.montecarlo import tree_words
from plywright.games.othello import pattern_knowledge
from plywright.games.othello.knowledge import beside
from plywright.games.othello.pattern_knowledge import PER_DISC, PatternKnowledge, packed, shipped_weights, unpacked
from plywright.games.othello.pattern_sums import A_LAYER
from plywright.games.othello.patterns import (
    BLOCKS,
    CORNER,
    FAMILIES,
    HIDDEN,
    INPUTS,
    STAGES,
    WITH_MOVES,
    column_blocks,
    layout,
    pattern_numbers,
    stage_of,
)
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


def numbers_by_hand(state: Any) -> list[int]:
    """The weight of every pattern: a square is empty, mine or theirs, and where moves are read, who may play there."""
    plan = layout()
    mine, theirs, moves = int(state.mine), int(state.theirs), int(state.moves)
    replies = int(GAME.legal(state.theirs, state.mine))
    found: list[int] = []
    block = 0
    readings = [(3, [(0, 0)])] * len(FAMILIES) + [(4, [(3, 0), (0, 3)])] * len(WITH_MOVES) + [(8, [(3, 4)])]
    for family, (base, ways) in enumerate(readings):
        for my, their in ways:
            for squares, own in zip(plan.patterns, plan.family, strict=True):
                if own == family and squares:
                    worth = [(mine >> s & 1) + 2 * (theirs >> s & 1) for s in squares]
                    worth = [
                        digit + my * (moves >> s & 1) + their * (replies >> s & 1)
                        for digit, s in zip(worth, squares, strict=True)
                    ]
                    number = sum(digit * base**place for place, digit in enumerate(worth))
                    found.append(int(plan.starts[block]) + number)
            block += 1
    return found


def boards_of(positions: list[Any]) -> list[Any]:
    replies = [GAME.legal(state.theirs, state.mine) for state in positions]
    columns = [[state.mine for state in positions], [state.theirs for state in positions]]
    return [np.array(column, np.uint64) for column in (*columns, [state.moves for state in positions], replies)]


def test_every_pattern_has_the_number_of_its_squares_and_of_the_moves_there() -> None:
    found = states(20, 30)
    for state, row in zip(found, pattern_numbers(*boards_of(found)), strict=True):
        assert row.tolist() == numbers_by_hand(state)


def test_an_evaluation_is_its_weights_and_what_the_layer_makes_of_the_sums() -> None:
    rng = np.random.default_rng(3)
    plan = layout()
    weights = rng.integers(-20, 20, (STAGES, plan.weights)).astype(np.int16)
    weights[:, -1] = 0
    layer = rng.integers(-999, 999, (STAGES, A_LAYER)).astype(np.float32) / 2**17
    knowledge = PatternKnowledge(GAME, weights.ravel(), layer)  # type: ignore[arg-type]
    for state in states(4, 20) + states(4, 45):
        replies = GAME.legal(state.theirs, state.mine)
        empty = ~(state.mine | state.theirs)
        left = popcount(empty)
        stage = stage_of(left)
        sums = [0] * INPUTS
        for block, number in zip(column_blocks(), numbers_by_hand(state), strict=True):
            sums[block] += int(weights[stage, number])
        starts = [int(start) for start in plan.starts[BLOCKS:]]
        odd = 0
        for quarter in knowledge.quarters:
            here, my, their = (popcount(board & quarter) for board in (empty, state.moves, replies))
            odd += here % 2
            sums[BLOCKS] += int(weights[stage, starts[0] + 16 * here + 4 * min(my, 3) + min(their, 3)])
        counts = [popcount(state.moves), popcount(replies)]
        counts += [popcount(beside(GAME, discs) & empty) for discs in (state.mine, state.theirs)] + [odd, left]
        for place, count in enumerate(counts, 1):
            sums[BLOCKS + place] = int(weights[stage, starts[place] + count])
        begins, rows, adds, more = np.split(layer[stage], np.cumsum([HIDDEN, INPUTS * HIDDEN, HIDDEN]))
        units = np.maximum(np.array(sums) @ rows.reshape(INPUTS, HIDDEN).astype(float) + begins, 0)
        expected = sum(sums) / PER_DISC + float(units @ adds + more[0])
        assert abs(expected) < 63 and any(units > 0)
        assert knowledge.evaluate(state, int(state.mover)) == pytest.approx(expected, abs=1e-3)


def test_families_have_all_their_images_once() -> None:
    plan = layout()
    images = [(own, frozenset(squares)) for own, squares in zip(plan.family, plan.patterns, strict=True) if squares]
    assert len(set(images)) == len(images) == 62
    assert len(plan.patterns) == 4 * plan.words == 64
    texts = [*FAMILIES.values(), *WITH_MOVES.values(), CORNER]
    for family, text in enumerate(texts):
        own = [squares for number, squares in images if number == family]
        assert len(own) in (2, 4, 8) and all(len(squares) == len(text.split()) for squares in own)


def test_the_error_on_held_out_positions_with_16_squares_left() -> None:
    """At most 7 discs, on 2,000 positions of games that were held out: the file keeps them with their exact scores."""
    with np.load(Path(__file__).parents[3] / "benchmarks" / "othello-16.npz") as file:
        mine, theirs, score = file["mine"], file["theirs"], file["score"]
    knowledge = knowledge_of(GAME, "patterns")
    assert len(score) == 2000
    values = [knowledge.evaluate(GAME.position(one, two, 0), 0) for one, two in zip(mine, theirs, strict=True)]
    assert np.sqrt(np.mean((np.array(values) - score) ** 2)) <= 7.0


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
    weights, layer = shipped_weights()
    assert layer.shape == (STAGES, A_LAYER)
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
        with pytest.raises(BadInput, match=r"patterns\.knowledge.*--knowledge hand"):
            PatternKnowledge(GAME)  # type: ignore[arg-type]
    finally:
        shipped_weights.cache_clear()


def test_simulations_end_at_once_with_the_patterns_and_not_with_the_evaluation_by_hand() -> None:
    lengths = [
        MonteCarloTree("othello", knowledge=name, memory=1).pools[0].work.info[tree_words.LONGEST]
        for name in ("patterns", "hand")
    ]
    assert lengths == [0, 1000]


@pytest.mark.parametrize(
    "text", [None, "", '{"pairs": {"3": 1}', '{"pairs": {"3": 1}}', '{"pairs": [3], "sigmas": []}']
)
def test_a_damaged_table_of_probcut_is_named(text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if text is not None:
        (tmp_path / pattern_knowledge.PROBCUT).write_text(text)
    monkeypatch.setattr(pattern_knowledge, "files", lambda package: tmp_path)
    pattern_knowledge.shipped_probcut.cache_clear()  # what is refused is not kept there
    with pytest.raises(BadInput, match=r"probcut.json is missing or damaged: install Plywright again"):
        pattern_knowledge.shipped_probcut()
