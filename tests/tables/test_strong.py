"""Strong solving: every position of small games, as a table, a player and an oracle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cyclic_game import Corridor, slow_values
from plywright import BadInput, Game, Unsuitable, load_game, search
from plywright.arena.lineup import make_player
from plywright.doctor import examine
from plywright.players import Clock, Mode, Playing
from plywright.rng import below, seeded
from plywright.tables import StrongTable, load_strong, solve_strongly


@pytest.fixture(scope="module")
def tic_tac_toe(tmp_path_factory: pytest.TempPathFactory) -> tuple[StrongTable, Path]:
    path = tmp_path_factory.mktemp("strong") / "tic-tac-toe.strong"
    return solve_strongly("tic-tac-toe", path), path


def random_state(game: Game, seed: int, plies: int) -> Any:
    rng, state = seeded(seed), game.start_state
    for _ in range(plies):
        choices = list(game.actions(state))
        after = game.coerce_state(game.result(state, choices[below(rng, len(choices))]))
        if game.is_terminal(after):
            break
        state = after
    return state


def test_tic_tac_toe_has_as_many_positions_as_the_books_say(tic_tac_toe: tuple[StrongTable, Path]) -> None:
    counts = tic_tac_toe[0].counts
    assert (counts.positions, counts.finished) == (5478, 958)
    assert counts.won + counts.drawn + counts.lost == 5478 - 958 and counts.longest == 5


@pytest.mark.parametrize(
    "name",
    [
        "tic-tac-toe",
        "connect-four:columns=4,rows=4",
        pytest.param("breakthrough:columns=3,rows=5", marks=pytest.mark.slow),
        "dots-and-boxes:columns=2,rows=2",
    ],
)
def test_values_and_distances_are_those_of_a_search(name: str) -> None:
    game = load_game(name)
    table = solve_strongly(game)
    decided = 0
    for seed in range(12):
        state = random_state(game, seed, 3 + seed % 4)
        found = search(game, state, depth=30, algorithm="pvs", exact=True)
        known = table.look_up(state)
        assert known is not None and found.proved and known.value == found.value
        after = game.coerce_state(game.result(state, table.best(state)))
        if not game.is_terminal(after):
            best = search(game, after, depth=30, algorithm="pvs", exact=True).value
            assert best == (found.value if game.to_move(after) == game.to_move(state) else -found.value)
        if abs(found.value) == game.utility_range[1]:
            decided += 1
            assert known.distance == found.distance
    assert decided or name.startswith("dots")


def test_games_that_go_round_for_ever_are_drawn() -> None:
    for seed in range(4):
        game = Corridor(seed)
        table, true = solve_strongly(game, compiled=False), slow_values(game)
        for state, value in true.items():
            known = table.look_up(state)
            if known is not None and not game.is_terminal(state):
                assert known.value == (value if state[1] == 0 else -value)
                assert (known.distance is None) == (value == 0)


def test_what_cannot_be_solved_strongly() -> None:
    for name in ("pig", "kuhn", "backgammon"):
        with pytest.raises(Unsuitable, match="strong solving is for"):
            solve_strongly(name)
    with pytest.raises(Unsuitable, match=r"do not fit into.*table build breakthrough:columns=5,rows=5 --pieces 20"):
        solve_strongly("breakthrough:columns=5,rows=5", megabytes=2)
    with pytest.raises(Unsuitable, match=r"do not fit into.*--symmetric"):
        solve_strongly("dots-and-boxes", megabytes=2)
    with pytest.raises(BadInput, match="says nothing of symmetries"):
        solve_strongly("nim", up_to_symmetry=True)


@pytest.mark.parametrize("name", ["tic-tac-toe", "dots-and-boxes:columns=2,rows=2", "dots-and-boxes:columns=3,rows=1"])
def test_positions_that_are_alike_are_one_and_all_of_them_are_known(name: str, tmp_path: Path) -> None:
    game = load_game(name)
    whole, folded = solve_strongly(game), solve_strongly(game, tmp_path / "f.strong", up_to_symmetry=True)
    assert folded.counts.positions < whole.counts.positions / 2
    assert folded.counts.longest == whole.counts.longest
    back = load_strong(game, tmp_path / "f.strong")
    for seed in range(40):
        state = random_state(game, seed, seed % 8)
        assert whole.look_up(state) == folded.look_up(state) == back.look_up(state)
        assert whole.look_up(game.result(state, whole.best(state))) == whole.look_up(
            game.result(state, folded.best(state))
        )
    if name == "tic-tac-toe":
        assert folded.counts.positions == 765


@pytest.mark.slow
def test_dots_and_boxes_of_nine_is_solved_up_to_symmetry() -> None:
    game = load_game("dots-and-boxes")
    table = solve_strongly(game, up_to_symmetry=True)
    known = table.look_up(game.start_state)
    assert known is not None and known.value == -3 and table.counts.positions == 3_712_146


# -- a file, a player, an oracle ------------------------------------------------------------------------------------


def test_a_table_is_read_back(tic_tac_toe: tuple[StrongTable, Path]) -> None:
    table, path = tic_tac_toe
    back = load_strong("tic-tac-toe", path)
    assert back.counts == table.counts and (back.keys == table.keys).all() and (back.steps == table.steps).all()
    assert back.look_up(back.game.start_state) == table.look_up(table.game.start_state)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data[:-7], "is cut off"),
        (lambda data: data[:5000] + bytes([data[5000] ^ 1]) + data[5001:], "not as they were written"),
        (lambda data: b"else" + data, "is no table of a whole game"),
        (lambda data: data[:20] + b"}" + data[21:], "header cannot be read"),
        (lambda data: data.split(b"\n", 1)[0] + b"\n" + b"[" * 4000 + data[4096:], "header cannot be read"),
        (lambda data: data.replace(b'"sha256"', b'"sha512"'), "header cannot be read"),
        (lambda data: data.replace(b'"tic-tac-toe"', b'"connect-fou"'), "is a table of connect-fou"),
    ],
)
def test_damaged_files_are_named(
    tic_tac_toe: tuple[StrongTable, Path], tmp_path: Path, change: Any, words: str
) -> None:
    path = tmp_path / "damaged.strong"
    path.write_bytes(change(tic_tac_toe[1].read_bytes()))
    with pytest.raises(BadInput, match=words):
        load_strong("tic-tac-toe", path)


def test_a_file_that_cannot_be_written_is_told_before_anything_is_solved(tmp_path: Path) -> None:
    def heard(progress: Any) -> None:
        pytest.fail("it was solved for nothing")

    for place in (tmp_path, Path("/proc/x.strong"), tmp_path / "none" / "x.strong"):
        with pytest.raises(BadInput, match="the table cannot be saved as"):
            solve_strongly("tic-tac-toe", place, progress=heard)


def test_the_player_never_loses(tic_tac_toe: tuple[StrongTable, Path]) -> None:
    game = load_game("tic-tac-toe")
    player, ends = make_player(f"table:{tic_tac_toe[1]}", game), []
    for seed in range(20):
        rng, state, seat = seeded(seed), game.start_state, seed % 2
        while not game.is_terminal(state):
            choices = list(game.actions(state))
            own = game.to_move(state) == seat
            action = (
                player.choose(game, Playing(game, state).turn(Clock(Mode("depth", 1)), rng))
                if own
                else choices[below(rng, len(choices))]
            )
            state = game.coerce_state(game.result(state, action))
        ends.append(game.utility(state, seat))
    assert min(ends) >= 0 and sum(ends) > 10
    with pytest.raises(BadInput, match="needs the file"):
        make_player("table:", game)


@pytest.mark.slow
def test_the_doctor_asks_the_oracle(tic_tac_toe: tuple[StrongTable, Path], tmp_path: Path) -> None:
    report = examine("tic-tac-toe", oracle=tic_tac_toe[1], seconds=0.5)
    check = next(check for check in report.checks if check.name == "oracle")
    assert check.status == "passed" and "states agree with the table" in check.sentence
    file = tmp_path / "mine.py"
    file.write_text(WRONG)
    path = tmp_path / "mine.strong"
    solve_strongly(load_game(str(file)), path)
    report = examine(str(file), oracle=path, seconds=0.5)
    check = next(check for check in report.checks if check.name == "oracle")
    assert check.status == "failed" and "bounds() is" in check.sentence


WRONG = """
from plywright import Game, Knowledge


class Doubtful(Knowledge):
    def bounds(self, state):
        return (1, 1) if state[0] == 8 else (-1, 1)


class Stones(Game):
    knowledge = Doubtful

    def initial(self):
        return 13, 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        for taken in range(1, min(3, state[0]) + 1):
            yield taken

    def result(self, state, action):
        return state[0] - action, 1 - state[1]

    def utility(self, state, player):
        return 1 if player != state[1] else -1
"""
