"""Proof-number search: verdicts of solved games, proofs that hold by the rules alone, and care with repetition."""

from __future__ import annotations

import json
import random
import time as clock
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cyclic_game import Corridor, slow_values
from plywright import BadInput, Game, Unsuitable, load_game, search
from plywright.counters import NODES
from plywright.engine.alphabeta.solve import solve
from plywright.engine.kernel_runner import run
from plywright.engine.proof import dfpn_search, proof_walk
from plywright.engine.proof.dfpn import filed_key
from plywright.engine.proof.dfpn_search import prove, prove_value
from plywright.engine.proof.proof import Proof, load_proof
from plywright.knowledge import knowledge_of


@pytest.mark.parametrize(
    ("name", "value"),
    [("tic-tac-toe", 0), ("nim:heaps=1-2-3", -1), ("nim:heaps=1-2-4", 1), ("connect-four:columns=4,rows=4", 0)],
)
def test_values_of_solved_games(name: str, value: float) -> None:
    found, answers = prove_value(name)
    assert found == value
    for answer in answers:
        assert answer.proof is not None and answer.proof.check() >= len(answer.proof.moves) > 0


def test_a_game_with_more_utilities_is_halved() -> None:
    game = load_game("dots-and-boxes:columns=2,rows=1")
    found, answers = prove_value(game)
    assert found == search(game, depth=12).value and len(answers) >= 2


@pytest.mark.parametrize("seed", range(12))
def test_graphs_with_cycles_get_their_true_values(seed: int) -> None:
    game = Corridor(seed)
    true = slow_values(game)
    for place in range(10):
        value, answers = prove_value(game, (place, 0), compiled=False, megabytes=0.1)
        assert value == true[place, 0], (seed, place)
        assert all(answer.proof is None or answer.proof.check() for answer in answers)
        assert answers[-1].proof is not None


def test_the_game_before_a_position_counts() -> None:
    """What occurred before is drawn when it comes again: that turns wins into draws, and proofs keep to it."""
    turned = 0
    for seed in range(12):
        game, dice = Corridor(seed), random.Random(seed)
        for place in range(10):
            others = [(other, mover) for other in range(10) if other != place for mover in (0, 1)]
            before = tuple(dice.sample(others, 6))
            true = slow_values(game, frozenset(before))[place, 0]
            value, answers = prove_value(game, (place, 0), history=before, compiled=False, megabytes=0.1)
            assert value == true, (seed, place)
            assert all(answer.proof is None or answer.proof.check() for answer in answers)
            turned += value != slow_values(game)[place, 0]
    assert turned >= 10


class Doubling(Game):
    """Eight places on which what two branches share is counted twice, four times and so on, wherever a cycle leads."""

    utility_range = (-2, 2)
    repetition = ("draw", 2)
    mover = (1, 1, 0, 0, 1, 0, 1, 0)
    pays = (0, 0, 0, 0, 0, 0, -1, -2)
    ways = ((3, 2), (4, 5, 6), (3, 5, 0), (5, 7, 2), (6, 6, 0), (7, 3, 3), (), ())

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def to_move(self, state: Any) -> int:
        return self.mover[state[0]]

    def actions(self, state: Any) -> Iterator[int]:
        yield from range(len(self.ways[state[0]]))

    def result(self, state: Any, action: int) -> Any:
        return self.ways[state[0]][action], 0

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] >= 6)

    def utility(self, state: Any, player: int) -> float:
        return self.pays[state[0]] if player == 0 else -self.pays[state[0]]


def test_numbers_that_grow_without_end_decide_nothing() -> None:
    value, answers = prove_value(Doubling(), compiled=False, megabytes=0.1)
    assert value == 0 and all(answer.verdict is not None for answer in answers)


def test_a_history_that_was_never_played_proves_nothing(tmp_path: Path) -> None:
    """White's king steps away from mate; a file says that the position after it has come twice already."""
    chess = load_game("chess")
    state = chess.read_state("4k3/8/8/8/8/8/3qq3/7K w - - 0 1")
    move = chess.parse_action(state, "Kg1")
    after = chess.state_after(state, move)
    forged = Proof(chess, state, 0, 0, {state: move}, (after, after))
    assert forged.check() == 2, "such a history would prove it"
    forged.save(tmp_path / "forged.proof")
    with pytest.raises(BadInput, match="no game that leads to it"):
        load_proof(chess, tmp_path / "forged.proof")
    with pytest.raises(BadInput, match="is no file"):
        load_proof(chess, "/dev/zero")


def test_a_position_that_repetition_has_drawn_is_no_question() -> None:
    with pytest.raises(BadInput, match="drawn by repetition"):
        prove(Corridor(1), (0, 0), history=[(0, 0)], compiled=False)
    with pytest.raises(BadInput, match="history"):
        prove(Corridor(1), (0, 0), history="start", compiled=False)  # type: ignore[arg-type]


def test_a_proof_is_kept_with_the_game_before_it(tmp_path: Path) -> None:
    """Without that game it would say something else, so the file has it."""
    game = load_game("connect-four:columns=4,rows=4")
    assert "history" not in json.loads(saved(prove(game), tmp_path / "a.proof"))
    chess = load_game("chess")
    states = [chess.start_state]
    for text in ("Nf3", "Nf6", "Ng1", "Ng8", "f3", "e5", "g4"):
        states.append(chess.state_after(states[-1], chess.parse_action(states[-1], text)))
    *before, mate_in_one = states
    found = prove(chess, mate_in_one, history=before)
    assert found.verdict is True and found.plies == 1
    read = load_proof(chess, Path(tmp_path / "b.proof")) if saved(found, tmp_path / "b.proof") else None
    assert read is not None and read.history == tuple(before) and read.check() == 2


def saved(answer: Any, path: Path) -> str:
    answer.proof.save(path)
    return path.read_text()


class Layered(Game):
    """A graph drawn by lot: lines meet again, a player may move twice in a row, and more than winning counts."""

    LAYERS, WIDE = 6, 5

    def __init__(self, seed: int = 0) -> None:
        dice = random.Random(seed)
        self.utility_range = (-2, 2)
        count = self.LAYERS * self.WIDE
        self.mover = tuple(dice.randrange(2) for _ in range(count))
        self.pays = tuple(dice.randint(-2, 2) for _ in range(count))
        self.ends = tuple(place >= count - self.WIDE or (place > 0 and dice.random() < 0.15) for place in range(count))
        self.ways = tuple(tuple(dice.sample(range(self.WIDE), dice.randint(1, 4))) for _ in range(count))

    def initial(self) -> tuple[int, int]:
        return 0, self.mover[0]

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> Iterator[int]:
        yield from self.ways[state[0]]

    def result(self, state: Any, action: int) -> Any:
        place = (state[0] // self.WIDE + 1) * self.WIDE + action
        return place, self.mover[place]

    def is_terminal(self, state: Any) -> bool:
        return self.ends[state[0]]

    def utility(self, state: Any, player: int) -> float:
        return self.pays[state[0]] if player == 0 else -self.pays[state[0]]


def slow_value(game: Game, state: Any) -> float:
    """For the first player, by looking at everything."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    values = [slow_value(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == 0 else min(values)


@pytest.mark.parametrize("seeds", [range(25), pytest.param(range(25, 400), marks=pytest.mark.slow)])
def test_random_games_get_the_values_of_alpha_beta_and_of_looking_at_everything(seeds: range) -> None:
    for seed in seeds:
        game = Layered(seed)
        value, answers = prove_value(game, compiled=False, megabytes=0.1)
        true = slow_value(game, game.start_state) * (1 if game.mover[0] == 0 else -1)
        assert value == true == solve(game, compiled=False, table_megabytes=0.1).value, seed
        assert all(answer.proof is not None and answer.proof.check() for answer in answers)


@pytest.mark.slow
def test_an_endgame_of_checkers_that_takes_long() -> None:
    game = load_game("checkers")
    state = game.parse_state("W:WK9,K10:BK32")
    found = prove(game, state)
    assert found.verdict is True and found.proof is not None and found.proof.check() > 40
    assert search(game, state, nodes=found.nodes).value < 1
    other = prove(game, game.parse_state("B:WK9,K10:BK32"), player=0, target=0, keep=False)
    assert other.verdict is False


def test_a_limit_leaves_the_question_open() -> None:
    found = prove("othello:size=6", nodes=500)
    assert found.verdict is None and found.proof is None and 500 <= found.nodes + 1 <= 600


def test_what_cannot_be_asked() -> None:
    for name in ("pig", "kuhn", "backgammon"):
        with pytest.raises(Unsuitable, match="proof-number search is for"):
            prove(name)
    with pytest.raises(BadInput, match="no player 7"):
        prove("tic-tac-toe", player=7)
    with pytest.raises(BadInput, match="megabytes"):
        prove("tic-tac-toe", megabytes=0)


# -- proofs -----------------------------------------------------------------------------------------------------


def proof_of(name: str) -> Proof:
    proof = prove(name).proof
    assert proof is not None
    return proof


def test_a_proof_is_read_back_and_checked(tmp_path: Path) -> None:
    proof = proof_of("nim:heaps=1-2-4")
    proof.save(tmp_path / "proof.json")
    back = load_proof(proof.game, tmp_path / "proof.json")
    assert back == proof and back.check() == proof.check()


def test_a_false_proof_is_found_out(tmp_path: Path) -> None:
    proof = proof_of("nim:heaps=1-2-4")
    game = proof.game
    for state, action in proof.moves.items():
        others = [other for other in game.actions(state) if other != action]
        for other in others[:1]:
            wrong = Proof(game, proof.state, proof.player, proof.target, {**proof.moves, state: int(other)})
            if state == proof.state:
                with pytest.raises(BadInput, match=r"fails|no legal move"):
                    wrong.check()
    with pytest.raises(BadInput, match="no legal move"):
        Proof(game, proof.state, proof.player, proof.target, {}).check()


@pytest.mark.parametrize(("name", "player"), [("kuhn", 0), ("hidden-coin", 0), ("pig:target=2", 0), ("go:size=5", 0)])
def test_nothing_is_proved_of_games_that_chance_or_secrets_or_the_past_decide(name: str, player: int) -> None:
    """Where nobody is to move there is no defence to try, and a proof without a single move would hold."""
    game = load_game(name)
    claim = Proof(game, game.start_state, player, 1.0, {game.start_state: 0})
    with pytest.raises(Unsuitable, match="proof-number search is for two opposed sides without chance"):
        claim.check()


def test_a_proof_that_goes_round_wins_nothing() -> None:
    game = load_game("checkers")
    state = game.parse_state("B:WK32:BK1")
    moves, place = {}, state
    for _ in range(200):
        if game.is_terminal(place):
            break
        action = next(iter(game.actions(place)))
        moves[place] = int(action)
        place = game.coerce_state(game.result(place, action))
    with pytest.raises(BadInput):
        Proof(game, state, 0, 1.0, moves).check()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[: len(text) // 2], "cut off or damaged"),
        (lambda text: "[]", "is no proof"),
        (lambda text: text.replace("plywright proof 1", "another"), "is no proof"),
        (lambda text: text.replace('"nim:heaps=1-2-4"', '"othello"'), "is a proof for othello"),
        (lambda text: json.dumps({**json.loads(text), "moves": 3}), "lacks its moves"),
        (lambda text: json.dumps({**json.loads(text), "player": 9}), "lacks its player"),
        (lambda text: json.dumps({**json.loads(text), "player": True}), "lacks its player"),
        (lambda text: json.dumps({**json.loads(text), "target": None}), "lacks its player or its target"),
        (lambda text: json.dumps({**json.loads(text), "target": float("nan")}), "no game of .* pays nan"),
        (lambda text: json.dumps({**json.loads(text), "target": 7}), "no game of .* pays 7"),
        (lambda text: json.dumps({**json.loads(text), "rules": "0" * 32}), "made with other rules"),
        (lambda text: json.dumps({**json.loads(text), "state": "x"}), "is not a state"),
    ],
)
def test_damaged_proofs_are_named(tmp_path: Path, change: Any, words: str) -> None:
    proof = proof_of("nim:heaps=1-2-4")
    path = tmp_path / "proof.json"
    proof.save(path)
    path.write_text(change(path.read_text()))
    with pytest.raises(BadInput, match=words):
        load_proof(proof.game, path)
    with pytest.raises(BadInput, match="there is no file"):
        load_proof(proof.game, tmp_path / "none.json")


def test_a_proof_of_other_rules_is_refused(tmp_path: Path) -> None:
    proof = proof_of("nim:heaps=1-2-4")
    proof.save(tmp_path / "proof.json")

    class Other(type(proof.game)):  # type: ignore[misc]
        """The same name, but who takes the last one loses."""

        def utility(self, state: Any, player: int) -> float:
            return -float(super().utility(state, player))

    other = Other(heaps="1-2-4")
    other.name = proof.game.name
    with pytest.raises(BadInput, match="made with other rules"):
        load_proof(other, tmp_path / "proof.json")


def test_lines_of_a_long_proof_need_no_deep_recursion() -> None:
    game = Walk()
    proof = Proof(game, (900, 0), 0, 1.0, {(left, 0): 1 for left in range(1, 901)})
    lines = proof.lines(3)
    assert len(lines) == 1 and len(lines[0]) == 900 and proof.measured() == (901, 900)


class Walk(Game):
    """One step at a time, all by the first player."""

    players = 2
    player_names = ("first", "second")

    def initial(self) -> tuple[int, int]:
        return 900, 0

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> Iterator[int]:
        if state[0] > 0:
            yield 1

    def result(self, state: Any, action: int) -> Any:
        return state[0] - 1, 0

    def utility(self, state: Any, player: int) -> float:
        return 1 if player == 0 else -1


def test_limits_are_for_all_questions_together_and_leave_them_open() -> None:
    value, answers = prove_value("othello:size=6", nodes=700)
    assert value is None and answers[-1].verdict is None and "limit came first" in answers[-1].note
    assert sum(answer.nodes for answer in answers) < 900
    value, answers = prove_value("othello:size=6", time=0.2)
    assert value is None and sum(answer.seconds for answer in answers) < 2
    for limits in ({"time": 0}, {"time": float("nan")}, {"nodes": 0}, {"nodes": 1.5}, {"nodes": 10**30}, {"time": "x"}):
        with pytest.raises(BadInput, match=r"time must be|nodes must be"):
            prove_value("tic-tac-toe", **limits)  # type: ignore[arg-type]


def slow_tic_tac_toe(monkeypatch: pytest.MonkeyPatch) -> Game:
    """As fast as ever to search, and to walk through its proofs takes seconds."""
    game = load_game("tic-tac-toe")
    state_after = game.state_after

    def slowly(state: Any, action: int) -> Any:
        clock.sleep(0.01)
        return state_after(state, action)

    monkeypatch.setattr(game, "state_after", slowly)
    return game


def test_to_collect_a_proof_takes_no_more_time_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    value, answers = prove_value(slow_tic_tac_toe(monkeypatch), time=1.0)
    assert value == 0 and [answer.verdict for answer in answers] == [False, True]
    assert all(answer.proof is None and "no time to collect" in answer.note for answer in answers)
    assert sum(answer.seconds for answer in answers) < 2.5
    assert answers[0].seconds < 0.9  # the second question had its share


def test_a_proof_that_is_kept_only_if_it_comes_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    value, answers = prove_value("tic-tac-toe", keep="soon")
    assert value == 0 and answers[0].proof is None and not answers[0].note and answers[1].proof is not None
    monkeypatch.setattr(dfpn_search, "SOON", 0.2)
    late = prove_value(slow_tic_tac_toe(monkeypatch), keep="soon")[1][-1]
    assert late.verdict is True and late.proof is None and "no time to collect" in late.note


def test_a_proof_that_is_too_large_leaves_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_walk, "MOST_POSITIONS", 50)
    found = prove("tic-tac-toe")
    assert found.verdict is False and found.proof is None and "too many to be kept" in found.note


def test_what_the_table_has_lost_costs_no_more_than_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    again = list[int]()

    def counted(*args: Any, **options: Any) -> Any:
        found = run(*args, **options)
        again.append(int(args[3].info[NODES]))
        return found

    monkeypatch.setattr(proof_walk, "run", counted)
    monkeypatch.setattr(proof_walk, "AGAIN_NODES", 10)
    found = prove("tic-tac-toe", megabytes=0.001)
    assert found.verdict is False
    assert len(again) > 1 and sum(again) <= 10 + found.nodes, (again, found)


def test_a_proof_is_drawn_and_written_as_lines() -> None:
    proof = proof_of("nim:heaps=1-2-4")
    assert proof.picture().svg.startswith("<svg") and len(proof.picture(20).text.splitlines()) <= 60
    for line in proof.lines(5):
        last = proof.game.play_moves(proof.state, " ".join(line))
        assert proof.game.is_terminal(last) and proof.game.utility(last, proof.player) == 1


PROBLEMS = [
    line.split(" ", 2)
    for line in Path(__file__).with_name("problems.txt").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.slow
@pytest.mark.parametrize(("nodes", "name", "text"), PROBLEMS, ids=[problem[2] for problem in PROBLEMS])
def test_problems_that_the_engine_does_not_solve_in_the_same_nodes(nodes: str, name: str, text: str) -> None:
    game = load_game(name)
    state = game.parse_state(text)
    found = prove(game, state, nodes=int(nodes) + 1)
    assert found.verdict is True and found.proof is not None and found.proof.check()
    assert search(game, state, nodes=int(nodes)).value < 1


@pytest.mark.parametrize(
    ("fen", "wins"),
    [
        ("8/8/1K6/3Q4/8/k7/8/8 w - - 93 1", False),  # seven plies are left, and the shortest mate takes nine
        ("8/8/1K6/3Q4/8/k7/8/8 w - - 90 1", True),
        ("8/7k/8/7K/8/4Q3/8/8 w - - 94 1", True),
        ("8/7k/8/7K/8/4Q3/8/8 w - - 96 1", False),
        ("8/1Q6/8/8/7k/8/6K1/8 w - - 94 1", True),
    ],
)
def test_a_mate_is_proved_only_where_it_comes_before_the_counter_ends_the_game(fen: str, wins: bool) -> None:
    """Keys leave the counter out: what was proved with other plies left is filed apart."""
    chess = load_game("chess")
    answer = prove(chess, chess.read_state(fen), target=1, keep=wins)
    assert answer.verdict is wins
    if wins:
        assert answer.proof is not None and answer.proof.check() > 0


def test_a_proof_that_comes_to_positions_again_is_made_straight(monkeypatch: pytest.MonkeyPatch) -> None:
    """States that differ in the counter of moves are one position for repetition: the moves found first lead round."""
    chess = load_game("chess")
    state = chess.read_state("4k3/8/8/3p4/8/6Q1/7K/8 w - - 60 1")
    straight = prove(chess, state, target=1)
    assert straight.verdict is True and straight.proof is not None and straight.proof.check() > 100
    monkeypatch.setattr(dfpn_search, "straightened", lambda proof, *_: proof)
    first = prove(chess, state, target=1)
    assert first.verdict is True and first.proof is None and "which repetition draws" in first.note


def test_entries_are_filed_by_who_is_to_move_as_well() -> None:
    chess = load_game("chess")
    knowledge = knowledge_of(chess)
    state = chess.read_state("8/8/8/8/4k3/8/3Q4/4K3 w - - 0 1")
    turned = chess.read_state("4k3/3q4/8/4K3/8/8/8/8 b - - 0 1")
    assert knowledge.key(state) == knowledge.key(turned)
    assert filed_key(knowledge, state, True) != filed_key(knowledge, turned, False)
    later = chess.read_state("8/8/8/8/4k3/8/3Q4/4K3 w - - 10 20")
    assert filed_key(knowledge, state, True) != filed_key(knowledge, later, True)


def test_a_proof_that_fails_its_check_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where two positions shared a number in the table: whoever has the proof plays the first move everywhere."""

    def first_moves(knowledge: Any, state: Any, *_: Any, **__: Any) -> dict[Any, int]:
        game, moves, waiting = knowledge.game, {}, [state]
        while waiting:
            here = waiting.pop()
            if not game.is_terminal(here) and here not in moves:
                moves[here] = next(iter(game.actions(here)))
                waiting += [game.state_after(here, action) for action in game.actions(here)]
        return moves

    monkeypatch.setattr(dfpn_search, "strategy", first_moves)
    answer = prove("tic-tac-toe", target=0)
    assert answer.verdict is None and answer.proof is None and "the proof fails: it comes to" in answer.note
    assert prove_value("tic-tac-toe")[0] is None
