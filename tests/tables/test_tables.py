"""Endgame tables: built, probed by searches, held against plain search and against themselves."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from plywright import BadInput, Game, GameError, Knowledge, Unsuitable, load_game, search
from plywright.arena.lineup import make_player
from plywright.engine import Limit
from plywright.engine.alphabeta.explain import explain
from plywright.games import know
from plywright.games.checkers import endings
from plywright.knowledge import knowledge_of
from plywright.players.clock import Clock, Mode
from plywright.players.playing import Playing
from plywright.rng import seeded
from plywright.table_blocks import packed, read_number, unpacked
from plywright.tables import Table, build_table, check_table, open_table

PLACEMENTS = {1: 120, 2: 6_972, 3: 261_224, 4: 7_092_774, 5: 148_688_232, 6: 2_503_611_964}


# -- positions by number ---------------------------------------------------------------------------------------


def test_placements_are_as_many_as_published() -> None:
    """Those in which both sides have pieces are numbered; the others, with one side alone, are counted here."""
    ends = {pieces: sum(size for _, size in endings.endings(pieces).slices) for pieces in range(2, 6)}
    for pieces, published in PLACEMENTS.items():
        alone = 2 * sum(
            math.comb(28, men) * math.comb(32 - men, pieces - men) for men in range(pieces + 1)
        )  # of one colour
        numbered = ends[pieces] - ends.get(pieces - 1, 0) if pieces in ends else published - alone
        assert numbered + alone == published


@pytest.mark.parametrize("pieces", [2, 3, 4, 5])
def test_every_number_is_that_of_its_position(pieces: int) -> None:
    game = load_game("checkers")
    knowledge, slices = knowledge_of(game).for_tables(str(pieces))
    total = sum(size for _, size in slices)
    numbers = range(total) if pieces == 2 else np.random.default_rng(1).integers(0, total, 2000).tolist()
    for number in numbers:
        state = knowledge.unindex(number)
        assert game.check_state(state) == "" and knowledge.index(state) == number


def test_a_position_seen_from_the_other_side_has_the_same_number() -> None:
    game = load_game("checkers")
    knowledge, _ = knowledge_of(game).for_tables("4")
    pairs = [("B:W22,K30:B5,K7", "W:W28,K26:B11,K3"), ("W:W22:BK7,3", "B:WK26,30:B11")]
    for one, other in pairs:
        assert knowledge.index(game.parse_state(one)) == knowledge.index(game.parse_state(other)) >= 0
    assert knowledge.index(game.start_state) == -1


def test_numbers_survive_their_compression() -> None:
    rng = np.random.default_rng(3)
    for values in (
        np.zeros(1000, np.int16),
        rng.integers(-3, 4, 777).astype(np.int16),
        rng.integers(-32_000, 32_000, 3000).astype(np.int16),
        np.arange(-128, 128, dtype=np.int16),
        np.array([7], np.int16),
    ):
        data = packed(values)
        assert (unpacked(data, 0, len(values)) == values).all()
        shifted = np.concatenate([np.full(5, 9, np.uint8), data])
        assert read_number(shifted, 5, len(values) - 1) == values[-1]


# -- values ---------------------------------------------------------------------------------------------------------


def brute_force(game: Game, knowledge: Knowledge, count: int) -> list[int]:
    """The numbers of all positions by going over them until nothing changes any more, in plain Python."""
    states = [knowledge.unindex(number) for number in range(count)]
    successors: list[list[int]] = []
    values = [0] * count
    for number, state in enumerate(states):
        after = [game.result(state, action) for action in game.actions(state)]
        successors.append([-1 if game.is_terminal(child) else knowledge.index(child) for child in after])
        values[number] = -1 if not after else 0
    distance = 0
    while True:
        distance += 1
        found = {}
        for number in range(count):
            if values[number] == 0:
                known = [-1 if child < 0 else values[child] for child in successors[number]]
                if any(value == -distance for value in known):
                    found[number] = distance + 1
                elif all(value > 0 for value in known):
                    found[number] = -(distance + 1)
        if not found:
            return values
        for number, value in found.items():
            values[number] = value


@pytest.mark.parametrize("pieces", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_tables_agree_with_brute_force(pieces: int, small: Table) -> None:
    knowledge, slices = knowledge_of(small.game).for_tables(str(pieces))
    count = sum(size for _, size in slices)
    values = np.concatenate(
        [unpacked(small.data, record.place, record.positions) for record in small.records[: len(slices)]]
    )
    assert values.tolist() == brute_force(small.game, knowledge, count)
    assert {np.sign(value) for value in values.tolist()} == {-1, 0, 1}


def test_every_position_follows_from_its_successors(small: Table) -> None:
    report = check_table(small)
    assert report.positions == report.of_positions == small.positions == 199_520
    assert check_table(small, sample=1000).positions == 1000


@pytest.mark.slow
def test_four_pieces_take_under_a_minute_and_are_right(tmp_path: Path) -> None:
    began = time.monotonic()
    table = build_table("checkers", 4, tmp_path)
    assert time.monotonic() - began < 60
    assert check_table(table).positions == 6_408_836
    knowledge, slices = knowledge_of(table.game).for_tables("4")
    assert sum(size for _, size in slices) == table.positions and table.is_complete and knowledge.has_index


def test_without_room_for_moves_the_numbers_are_the_same(small: Table, tmp_path: Path) -> None:
    frugal = build_table("checkers", 2, tmp_path, megabytes=0.02)
    count = len(frugal.records)
    end = frugal.records[-1].place + frugal.records[-1].size
    assert count == len(small.records[:count]) and (frugal.data[4096:end] == small.data[4096:end]).all()
    with pytest.raises(Unsuitable, match="give more --memory"):
        build_table("checkers", 3, tmp_path, megabytes=0.01)


def test_larger_tables_begin_with_smaller_ones_of_the_same_folder(small: Table, tmp_path: Path) -> None:
    build_table("checkers", 2, tmp_path)
    told: list[int] = []
    table = build_table("checkers", 3, tmp_path, progress=lambda progress: told.append(progress.solved))
    assert max(told) == table.positions - 6_972 + 2 * (math.comb(28, 2) + 28 * 31 + math.comb(32, 2))
    assert (table.data == small.data).all()


def test_which_endings_are_asked_for() -> None:
    for which in ("1", "9", "x", "-2", ""):
        with pytest.raises(BadInput, match="2 to 8 pieces"):
            build_table("checkers", which, "nowhere")
    with pytest.raises(BadInput, match="no endgame tables"):
        build_table("tic-tac-toe", "3", "nowhere")
    for name in ("pig", "kuhn"):
        with pytest.raises(Unsuitable, match="two opposed sides"):
            build_table(name, "3", "nowhere")


# -- in a search -----------------------------------------------------------------------------------------------------


def with_table(small: Table) -> Game:
    return know(load_game("checkers"), small.knowledge)


def test_the_table_answers_for_its_positions(small: Table) -> None:
    game = with_table(small)
    state = game.parse_state("W:WK9,K10:BK32")
    found = search(game, state, time=0.2)
    known = small.look_up(state)
    assert known is not None and (found.value, found.distance) == (1, known.distance)
    assert found.proved and found.source == "table" and len(found.line) == known.distance
    assert game.is_terminal(game.play_moves(state, found.line))
    drawn = search(game, game.parse_state("W:WK9:BK32"), depth=3)
    assert (drawn.value, drawn.proved, drawn.distance, drawn.source) == (0, True, None, "table")


def test_a_win_that_the_move_rule_may_end_is_not_proved(small: Table) -> None:
    game = with_table(small)
    distance = small.look_up(game.parse_state("W:WK9,K10:BK32")).distance or 0  # type: ignore[union-attr]
    for quiet, fits in ((80 - distance, True), (80 - distance + 1, False)):
        state = game.parse_state(f"W:WK9,K10:BK32:H{quiet}")
        found = search(game, state, depth=2)
        assert found.proved is fits and small.look_up(state).certain is fits  # type: ignore[union-attr]
        assert found.value == 1 if fits else 0.5 < found.value < 1


def test_a_win_through_states_that_came_up_twice_is_not_proved(small: Table) -> None:
    game = with_table(small)
    states = game.states_along(game.parse_state("W:WK9,K10:BK32"), "10-6 32-28 6-10 28-32 10-6 32-28 6-10")
    found = search(game, states[-1], depth=2, history=states[:-1])
    assert not found.proved and found.value == 0  # for 28-32 repeats the first state once more
    assert search(game, states[-1], depth=2).proved


def test_a_search_meets_the_table_below(small: Table) -> None:
    game = with_table(small)
    state = game.parse_state("W:W11,K15,22:B8,K18")
    found = search(game, state, depth=6)
    assert found.source == "search and table" and found.value == 1 and found.proved
    plain = search(load_game("checkers"), state, depth=6)
    assert plain.source == "" and plain.nodes > found.nodes


def test_a_player_may_have_the_table(small: Table) -> None:
    game = load_game("checkers")
    player = make_player(f"pvs:depth=1,knowledge={small.path}", game)
    player.prepare(game)
    state = game.parse_state("W:WK9,K10:BK32")
    action = player.choose(game, Playing(game, state).turn(Clock(Mode.parse("depth:1")), seeded(1)))
    assert small.number(game.result(state, action)) == -(small.number(state) - 1)


def test_an_explanation_names_the_table(small: Table) -> None:
    game = with_table(small)
    state = game.parse_state("W:WK23,K1:BK32")
    why = explain(game, state, game.parse_action(state, "23-27"), limit=Limit(depth=2))
    assert "by the table" in why.words


def best_values(table: Table, state: Any) -> dict[int, int]:
    """What each move leads to, for the mover: 1 a win, 0 a draw, -1 a loss."""
    game, found = table.game, {}
    for action in game.actions(state):
        child = game.result(state, action)
        number = -1 if game.is_terminal(child) else table.number(child)
        found[int(action)] = -int(np.sign(number))
    return found


def test_no_win_is_missed_and_no_draw_lost(small: Table) -> None:
    game = with_table(small)
    for number in np.random.default_rng(5).integers(0, small.positions, 300).tolist():
        state = game.coerce_state(small.numbering.unindex(number))
        if not game.is_terminal(state):
            found = search(game, state, depth=1)
            moves = best_values(small, state)
            assert moves[found.action or 0] == max(moves.values()) == np.sign(small.number(state))
            assert found.proved or abs(small.number(state)) > 81


@pytest.mark.slow
def test_with_five_pieces_no_win_is_missed_either(tmp_path: Path) -> None:
    table = build_table("checkers", 5, tmp_path)
    assert table.positions == 145_859_644 and check_table(table, sample=1_000_000).positions == 1_000_000
    game, numbers, won = with_table(table), np.random.default_rng(11), 0
    while won < 10_000:
        state = game.coerce_state(table.numbering.unindex(int(numbers.integers(0, table.positions))))
        if not game.is_terminal(state) and table.number(state) > 0:
            won += 1
            assert best_values(table, state)[search(game, state, depth=1).action or 0] == 1


# -- a game of one's own ----------------------------------------------------------------------------------------


class Stones(Game):
    """Take one, two or three stones; who takes one alone goes on. The last stone wins."""

    def __init__(self, stones: int = 30) -> None:
        self.stones = stones

    def initial(self) -> tuple[int, int]:
        return self.stones, 0

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> Iterator[int]:
        for taken in range(1, min(3, state[0]) + 1):
            yield taken

    def result(self, state: Any, action: int) -> Any:
        return state[0] - action, state[1] if action == 1 and state[0] > 1 else 1 - state[1]

    def utility(self, state: Any, player: int) -> float:
        return 1 if player != state[1] else -1


class StonesKnowledge(Knowledge):
    shift = 0

    def index(self, state: Any) -> int:
        return int(state[0]) - 1 + self.shift

    def unindex(self, number: int) -> Any:
        return number + 1, 0

    def for_tables(self, which: str) -> tuple[Knowledge, list[tuple[str, int]]]:
        return self, [("few stones", 10), ("many stones", int(which) - 10)]


def test_a_game_of_ones_own_has_tables_too(tmp_path: Path) -> None:
    game = Stones()
    table = build_table(game, "30", tmp_path, knowledge=StonesKnowledge(game))
    assert check_table(table).positions == 30
    for stones in range(1, 31):
        plain = search(game, (stones, 0), depth=40, algorithm="minimax" if stones < 9 else "pvs")
        known = table.look_up((stones, 0))
        assert known is not None and known.value == plain.value and known.certain
        if stones >= 9:
            assert known.distance == plain.distance


def test_a_game_that_never_mentions_its_range_of_utilities_is_compiled_all_the_same(tmp_path: Path) -> None:
    class Judged(Stones):
        def evaluate(self, state: Any, player: int) -> float:
            return 0.0

    game = Judged()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = build_table(game, "30", tmp_path, knowledge=StonesKnowledge(game))
        assert check_table(table).positions == 30


def test_another_knowledge_of_the_game_may_number_its_positions(tmp_path: Path) -> None:
    class Named(Stones):
        knowledges: ClassVar[dict[str, type[Knowledge]]] = {"numbers": StonesKnowledge}

    game = Named()
    build_table(game, "12", tmp_path)
    assert open_table(game, tmp_path).look_up((5, 0)) is not None


def test_an_index_that_is_no_bijection_is_found_while_building(tmp_path: Path) -> None:
    class Shifted(StonesKnowledge):
        shift = 1

    class Backwards(StonesKnowledge):
        def index(self, state: Any) -> int:
            return 29 - (int(state[0]) - 1)

        def unindex(self, number: int) -> Any:
            return 30 - number, 0

    game = Stones()
    with pytest.raises(GameError, match=r"index\(\) and unindex\(\) do not fit"):
        build_table(game, "30", tmp_path, knowledge=Shifted(game))
    with pytest.raises(GameError, match="leads to a later slice"):
        build_table(game, "30", tmp_path / "b", knowledge=Backwards(game))


def test_a_number_that_different_positions_share_is_found_by_the_check(tmp_path: Path) -> None:
    """The builder cannot see it, and the table is consistent with itself; but it is wrong."""

    class Partisan(Stones):
        """The second player may not take three."""

        def actions(self, state: Any) -> Iterator[int]:
            for taken in range(1, min(3 - state[1], state[0]) + 1):
                yield taken

        def result(self, state: Any, action: int) -> Any:
            return state[0] - action, 1 - state[1]

    game = Partisan()
    table = build_table(game, "30", tmp_path, knowledge=StonesKnowledge(game))
    with pytest.raises(BadInput, match=r"index\(\) gives a position that .* the number of another one"):
        check_table(table)
