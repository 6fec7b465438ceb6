"""The network of chess's evaluation: against a plain account of it, compiled as interpreted, alike for both colours."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import load_game, search
from plywright.bits import SCRATCH, read_state
from plywright.cli import main
from plywright.compiled import Workspace, interpreted, kernel
from plywright.errors import BadInput
from plywright.games.chess.features import first_weights
from plywright.games.chess.knowledge import ChessKnowledge, HandWeights, Material
from plywright.games.chess.network import (
    INPUTS,
    LOUDER,
    Network,
    correction,
    read_network,
    remembered_correction,
    trained_network,
)
from plywright.games.chess.weights import fitted_weights
from plywright.models.loading import make_model

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
trainer = importlib.import_module("chess_network")  # a script that is broken fails here, and is not skipped
games = importlib.import_module("chess_games")
fitting = importlib.import_module("fit_chess")

GAME = load_game("chess")
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4",
    "2kr3r/ppp2ppp/2n1bn2/2b1p1q1/4P3/2NP1N2/PPP1BPPP/R1BQ1RK1 b - - 0 9",
    "8/5pk1/4p1p1/3pP2p/1r1P1P1P/1P2K1P1/8/2R5 w - - 0 40",
    "8/2k5/8/8/3K4/8/4Q3/8 b - - 0 1",
)
KINDS = "pnbrqk"


def random_network(units: int = 32, seed: int = 5) -> Network:
    rng = np.random.default_rng(seed)
    rows = rng.normal(0.0, 0.2, (INPUTS + 1, units)).astype(np.float32)
    return Network.of(rows, rng.normal(0.0, 16 / units, (2, 2, units)).astype(np.float32))


def plain_account(network: Network, fen: str) -> tuple[int, int]:
    """From the letters of the FEN: each view with its own men below and its own king on the right half."""
    board, mover = fen.split()[:2]
    ranks = ["".join("." * int(each) if each.isdigit() else each for each in rank) for rank in board.split("/")]
    white = {(file, 7 - row): man for row, rank in enumerate(ranks) for file, man in enumerate(rank) if man != "."}
    black = {(file, 7 - rank): man.swapcase() for (file, rank), man in white.items()}
    views = [white, black] if mover == "w" else [black, white]
    rows, outputs = network.rows.reshape(-1, network.units), network.outputs.reshape(2, 2, -1)
    found = [0, 0]
    for view, weights in zip(views, outputs, strict=True):
        (king,) = [place for place, man in view.items() if man == "K"]
        heard = rows[INPUTS].astype(int)
        for (file, rank), man in view.items():
            seen_file = 7 - file if king[0] < 4 else file
            heard = heard + rows[128 * KINDS.index(man.lower()) + 64 * man.islower() + 8 * rank + seen_file]
        for way in range(2):
            found[way] += sum(
                min(max(int(each), 0), 255) ** 2 // 32 * int(weight)
                for each, weight in zip(heard, weights[way], strict=True)
            )
    return found[0] // 2048, found[1] // 2048


@kernel
def corrected(game: Any, state: Any, rows: Any, outputs: Any, units: int) -> tuple[int, int]:
    return correction(rows, outputs, units, state)


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize("units", [32, 128])
def test_a_correction_is_what_a_plain_account_makes_of_it(fen: str, units: int) -> None:
    network, state = random_network(units), GAME.read_state(fen)
    given = state, network.rows, network.outputs, network.units
    native = corrected(GAME, *given)
    assert native == plain_account(network, fen)
    with interpreted():
        assert corrected(GAME, *given) == native


@kernel
def corrected_from(game: Any, work: Any, state: Any, rows: Any, outputs: Any, units: int) -> tuple[int, int]:
    return remembered_correction(rows, outputs, units, state, work.lent)


@pytest.mark.parametrize("units", [32, 128])
def test_what_is_remembered_of_other_positions_changes_no_correction(units: int) -> None:
    """Games at random, in which kings change wings, with jumps to other positions, back, and to the other colour."""
    network, rng = random_network(units), np.random.default_rng(3)
    given = network.rows, network.outputs, network.units
    native, plain = (Workspace(lent=np.zeros(SCRATCH, np.int64)) for _ in range(2))
    wings = set()
    for fen in (*POSITIONS, "8/8/3k4/8/8/3K4/8/8 w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"):
        start = state = GAME.read_state(fen)
        for _ in range(120):
            actions = list(GAME.actions(state))
            state = start if GAME.is_terminal(state) else GAME.result(state, actions[rng.integers(len(actions))])
            for seen in (state, start) if rng.random() < 0.1 else (state,):
                found = corrected_from(GAME, native, seen, *given)
                assert found == corrected(GAME, seen, *given)
                wings.add((int(native.lent[0]), int(native.lent[1])))
                with interpreted():
                    assert corrected_from(GAME, plain, seen, *given) == found
    assert len(wings) == 4  # either king on either wing
    assert (native.lent == plain.lent).all()


def test_a_search_remembers_and_a_class_that_evaluates_otherwise_is_asked_that() -> None:
    class Otherwise(ChessKnowledge):
        def evaluate(self, state: Any, player: int) -> float:
            return 0.0

    class With(ChessKnowledge):
        def evaluate_with(self, state: Any, player: int, structure: int) -> float:
            return 0.0

    class Alike(ChessKnowledge):
        pass

    assert ChessKnowledge(GAME).has_memory and Alike(GAME).has_memory
    assert not Otherwise(GAME).has_memory and not With(GAME).has_memory
    assert ChessKnowledge(GAME).remembers and not ChessKnowledge(GAME, fitted_weights()).remembers


class Forgetful(ChessKnowledge):
    """Asked for every evaluation anew."""

    evaluate_with = ChessKnowledge.evaluate_with


def test_a_search_that_remembers_visits_what_one_visits_that_does_not() -> None:
    assert not Forgetful(GAME).has_memory
    for fen in POSITIONS[1:4]:
        state = GAME.read_state(fen)
        found = [search(GAME, state, nodes=20_000, knowledge=kind(GAME)) for kind in (ChessKnowledge, Forgetful)]
        assert len({(each.action, each.value, each.nodes, each.depth, each.line) for each in found}) == 1


def test_a_network_that_is_not_whole_is_refused() -> None:
    network = random_network()
    for wrong in (Network(network.rows[:-1], network.outputs), Network(network.rows, network.outputs[:-1])):
        with pytest.raises(BadInput, match="not whole"):
            ChessKnowledge(GAME, fitted_weights(), wrong)
    for large in (np.nan, 1e9):
        assert not Network.of(np.full((INPUTS + 1, 32), large), np.zeros((2, 2, 32))).is_whole()


def test_models_that_learn_chess_are_no_part_of_its_network() -> None:
    """They have attributes of their own, which chess's must not be."""
    for model in ("network", "tuples"):
        made = make_model(GAME, model)
        assert -1 < made.evaluate(GAME.start_state, 0) < 1


@pytest.mark.parametrize("units", [0, 992, 1024])
def test_networks_that_no_memory_holds_are_asked_anew(units: int) -> None:
    """The largest one that it holds is remembered."""
    knowledge = ChessKnowledge(GAME, fitted_weights(), random_network(units) if units else None)
    assert knowledge.remembers == (units == 992)
    state, memory = GAME.read_state(POSITIONS[1]), np.zeros(SCRATCH, np.int64)
    for action in list(GAME.actions(state))[:5]:
        child = GAME.result(state, action)
        with_it = knowledge.evaluate_from(child, 0, knowledge.structure(child), memory)
        assert with_it == knowledge.evaluate(child, 0)


@pytest.mark.parametrize("fen", POSITIONS)
def test_the_network_that_is_shipped_is_the_same_for_both_colours_and_both_wings(fen: str) -> None:
    board, mover, *_ = fen.split()
    turned = "/".join(rank.swapcase() for rank in reversed(board.split("/")))
    mirrored = "/".join(rank[::-1] for rank in board.split("/"))
    knowledge, plain = ChessKnowledge(GAME), ChessKnowledge(GAME, fitted_weights())
    assert knowledge.network_units > 0 == plain.network_units
    values = []
    for text in (f"{board} {mover}", f"{turned} {'b' if mover == 'w' else 'w'}", f"{mirrored} {mover}"):
        state = GAME.read_state(f"{text} - - 0 1")
        network = trained_network()
        values.append(corrected(GAME, state, network.rows, network.outputs, network.units))
    assert len(set(values)) == 1
    state = GAME.read_state(fen)
    if "Q3" not in fen and "pppppppp/8" not in fen:
        assert knowledge.evaluate(state, 0) != plain.evaluate(state, 0)


def test_searching_with_it_is_the_same_compiled_and_interpreted() -> None:
    state = GAME.read_state(POSITIONS[2])
    native = search(GAME, state, depth=1)
    plain = search(GAME, state, depth=1, compiled=False)
    assert (native.action, native.value, native.nodes) == (plain.action, plain.value, plain.nodes)


def test_who_gives_weights_gets_no_network_and_material_has_none() -> None:
    assert (
        ChessKnowledge(GAME, first_weights()).network_units
        == HandWeights(GAME).network_units
        == Material(GAME).network_units
        == 0
    )
    assert ChessKnowledge(GAME, first_weights(), random_network()).network_units == 32


def test_its_factor(capsys: pytest.CaptureFixture[str]) -> None:
    """With 0 nothing is left of it, with 1 all, and in between about as much."""
    state = GAME.read_state(POSITIONS[1])
    knowledge = ChessKnowledge(GAME)
    plain, whole = ChessKnowledge(GAME, fitted_weights()).evaluate(state, 0), knowledge.evaluate(state, 0)
    assert knowledge.with_weights({"network": 0}).evaluate(state, 0) == plain
    assert knowledge.with_weights({"network": 1}).evaluate(state, 0) == whole
    assert knowledge.with_weights({"network": 0.5}).evaluate(state, 0) == pytest.approx((plain + whole) / 2, abs=3e-5)
    twice = knowledge.with_weights({"network": 2, "queen": 9}).with_weights({"network": 0.5})
    assert twice.evaluate(state, 0) == pytest.approx(knowledge.with_weights({"queen": 9}).evaluate(state, 0), abs=3e-5)
    for wrong in (-0.5, LOUDER + 1, float("nan")):
        with pytest.raises(BadInput, match="network"):
            knowledge.with_weights({"network": wrong})
    with pytest.raises(BadInput, match="louder already"):  # and not a sum that wraps
        for _ in range(12):
            twice = twice.with_weights({"network": LOUDER})
    assert "network" in knowledge.about_itself() and "network" not in HandWeights(GAME).about_itself()
    with pytest.raises(BadInput):
        HandWeights(GAME).with_weights({"network": 0})
    arguments = ["best", "chess", "--state", POSITIONS[1], "--depth", "1", "--explain-evaluation"]
    assert main(arguments) == 0 and "network" in capsys.readouterr().out
    assert main([*arguments, "--weights", "network=0"]) == 0 and main([*arguments, "--weights", "network=9"]) == 2
    assert "between 0 and 4" in capsys.readouterr().err


def test_no_sum_can_overflow() -> None:
    """The loudest network that is called whole, with as many men as there may be."""
    rows = np.full((INPUTS + 1, 32), Network.MOST_ROW, np.float32)
    loudest = Network.of(rows, np.full((2, 2, 32), Network.MOST_OUTPUT, np.float32))
    assert loudest.is_whole()
    for network in (loudest, Network(-loudest.rows, loudest.outputs), Network(loudest.rows, -loudest.outputs)):
        state = GAME.read_state(POSITIONS[0])
        found = corrected(GAME, state, network.rows, network.outputs * np.int16(LOUDER), network.units)
        assert found == plain_account(Network(network.rows, network.outputs * np.int16(LOUDER)), POSITIONS[0])
    assert not Network(loudest.rows + np.int16(101), loudest.outputs).is_whole()


DAMAGES = "cut", "text", "kind", "odd", "short", "loud", "objects", "empty", "missing", "vast"


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_network_is_named(tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "network.npz"
    network = random_network()
    network.write(path)
    assert np.array_equal(read_network(path).rows, network.rows)
    data = path.read_bytes()
    arrays: dict[str, dict[str, Any]] = {
        "kind": {"rows": network.rows.astype(np.int32), "outputs": network.outputs},
        "odd": {"rows": network.rows[: (INPUTS + 1) * 31], "outputs": network.outputs[: 4 * 31]},
        "short": {"rows": network.rows, "outputs": network.outputs[:-1]},
        "loud": {"rows": network.rows, "outputs": np.full(128, 32767, np.int16)},
        "objects": {"rows": np.array([None], object), "outputs": network.outputs},
        "empty": {"rows": network.rows[:0], "outputs": network.outputs[:0]},
        "missing": {"rows": network.rows},
        "vast": {"rows": network.rows, "outputs": np.zeros(1 << 24, np.int16)},
    }
    if damage in arrays:
        np.savez_compressed(path, **arrays[damage])
    else:
        path.write_bytes(data[:700] if damage == "cut" else b"no network\n")
    with pytest.raises(BadInput, match=f"{path} holds no whole network of chess"):
        read_network(path)
    monkeypatch.setattr("plywright.games.chess.network.files", lambda package: tmp_path)
    with pytest.raises(BadInput, match="damaged: install Plywright again"):
        read_network()
    path.unlink()
    with pytest.raises(BadInput, match="damaged: install Plywright again"):
        read_network()


def test_training_is_the_same_from_the_same_seed_and_lessens_the_error(tmp_path: Path) -> None:
    """What the whole numbers say is what the trainer's numbers said, but for rounding."""
    path = tmp_path / "games.npz"
    found = games.batch(first_weights(), 0, 40, 100, seed=7)
    np.savez(path, **found._asdict())
    examples = trainer.Examples([path], fitted_weights())
    assert len(examples.counts) > 500
    networks = []
    for _ in range(2):
        training = trainer.Trainer(examples, 32, 0.5, seed=3)
        training.train(8, 2e-3)
        networks.append(Network.of(training.rows, training.outputs))
    assert np.array_equal(networks[0].rows, networks[1].rows) and networks[0].is_whole()
    train = np.flatnonzero(~examples.held)
    after = training.error(train)
    kept, training.outputs = training.outputs, np.zeros_like(training.outputs)
    assert after < training.error(train) - 0.01
    quiet = trainer.read(path)
    for place in range(0, len(quiet.values), len(quiet.values) // 40):
        state = read_state(quiet.words[place], 0, GAME.start_state)
        wanted = np.zeros(2)
        for turn, outputs in zip((0, examples.turns[place]), kept, strict=True):
            inputs = examples.inputs[place, : examples.counts[place]] ^ turn
            heard = training.rows[[INPUTS, *inputs]].sum(axis=0)
            wanted += outputs @ np.clip(heard, 0, 1) ** 2
        given = state, networks[1].rows, networks[1].outputs, networks[1].units
        assert np.array(corrected(GAME, *given)) / 1000 == pytest.approx(wanted, abs=0.02)


def run(script: Any, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What a script says on being refused, with exit status 2."""
    monkeypatch.setattr(sys, "argv", ["script", *arguments])
    with pytest.raises(SystemExit) as ended:
        fitting.answered(script.main)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return said


def test_scripts_refuse_what_they_cannot_use_before_they_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    games_file, out = str(tmp_path / "games.npz"), str(tmp_path / "out.npz")
    small = tmp_path / "small.npz"
    random_network().write(small)
    nowhere = str(tmp_path / "no" / "out.npz")
    for script, arguments, reason in (
        (trainer, ["--out", nowhere], "no folder"),
        (trainer, ["--out", out, "--units", "33"], "multiple of 32"),
        (trainer, ["--out", out, "--units", "64", "--start", str(small)], "--start has its own"),
        (trainer, ["--out", out, "--rate", "nan"], "lie between"),
        (trainer, ["--out", out, "--searched", "5"], "lie between"),
        (trainer, ["--out", out, "--epochs", "0"], "less than 1"),
        (trainer, ["--out", out, "--start", out], "there is no file"),
        (trainer, ["--out", out], "there is no file"),
        (fitting, ["--nodes", "0"], "less than 10"),
        (fitting, ["--games", "0"], "less than 1"),
        (fitting, ["--network", out], "there is no file"),
    ):
        given = [games_file, *arguments] if script is trainer else ["games", games_file, *arguments]
        assert reason in run(script, given, monkeypatch, capsys), arguments
    assert sorted(tmp_path.iterdir()) == [small]


@pytest.mark.parametrize("damage", ["text", "columns", "kings", "men", "twice", "numbers", "empty", "objects"])
def test_a_file_that_holds_no_games_is_named(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "games.npz"
    columns = games.batch(first_weights(), 0, 1, 40, seed=7)._asdict()
    np.savez(path, **columns)
    assert len(fitting.read(path).values)
    if damage == "columns":
        columns["words"] = columns["words"][:, :12]
    elif damage == "kings":
        columns["words"][0, 6] = 0
    elif damage == "men":
        columns["words"][0, 0] = -1
    elif damage == "twice":
        columns["words"][0, 3] |= columns["words"][0, 2]  # a knight on every pawn's square
    elif damage == "numbers":
        columns["values"][0] = np.nan
    elif damage == "empty":
        columns = {name: column[:0] for name, column in columns.items()}
    elif damage == "objects":
        columns["values"] = np.array([None], object)
    np.savez(path, **columns)
    if damage == "text":
        path.write_text("no games")
    with pytest.raises(BadInput, match="no file of games"):
        fitting.read(path)


def test_too_few_games_to_learn_from_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.npz"
    np.savez(path, **games.batch(first_weights(), 1, 1, 40, seed=7)._asdict())
    training = trainer.Trainer(trainer.Examples([path], fitted_weights()), 32, 0.5, seed=3)
    with pytest.raises(BadInput, match="too few games"):
        training.train(1, 1e-3)
