"""Strategies for hold'em: the betting tree is the rules', files are checked, training survives kill -9."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from plywright import BadInput, Unsuitable, load_game
from plywright.arena.lineup import make_player
from plywright.games.holdem.rules import Holdem
from plywright.players import Clock, Mode, Playing
from plywright.poker import measuring
from plywright.poker.abstraction import BucketTables, nearest_bucket, preflop_bucket, table_place
from plywright.poker.betting_tree import betting_tree
from plywright.poker.holdem_players import shipped_strategy
from plywright.poker.reduced import ReducedHoldem
from plywright.poker.strategy_file import HoldemStrategy
from plywright.poker.training import BATCH, Training, bucket_tables
from plywright.rng import below, seeded


def test_the_betting_tree_is_that_of_the_rules() -> None:
    game, tree, rng = Holdem(), betting_tree(), seeded(3)
    assert tree.decisions == [8, 70, 630, 5670]
    for _ in range(60):
        playing, node = Playing(game), 0
        while not playing.is_over():
            if playing.at_chance():
                playing.roll(rng)
                continue
            state, legal = playing.state, playing.legal()
            assert tree.texts[node] == game.betting_text(state)
            assert (tree.mover[node], tree.street[node]) == (state.mover, state.street)
            assert [act for act in range(3) if tree.child[3 * node + act] >= 0] == legal
            assert tuple(tree.paid[2 * node : 2 * node + 2]) == state.paid
            action = legal[below(rng, len(legal))]
            node = int(tree.child[3 * node + action])
            playing.step(action)
        assert tree.mover[node] < 0 and tuple(tree.paid[2 * node : 2 * node + 2]) == playing.state.paid


def test_the_shipped_strategy_is_small_and_plays_by_the_rules() -> None:
    strategy = shipped_strategy()
    assert strategy.plays.nbytes < 10 << 20 and min(strategy.buckets[1:]) >= 100
    game, player = Holdem(), make_player("blueprint", Holdem())
    player.prepare(game)
    rng = seeded(5)
    for _ in range(3):
        playing = Playing(game)
        while not playing.is_over():
            if playing.at_chance():
                playing.roll(rng)
            else:
                turn = playing.turn(Clock(Mode.parse("move:1s")), rng)
                action = player.choose(game, turn)
                assert action in turn.legal and sum(player.info["probabilities"].values()) == pytest.approx(1, abs=1e-3)
                named = [game.format_action(playing.state, legal) for legal in turn.legal]
                assert list(player.info["probabilities"]) == named  # check and bet are not called call and raise
                playing.step(action)
    fold, _, more = strategy.play("", [51, 50], [])  # aces on the button are never thrown away, and mostly raised
    assert fold < 0.05 < more
    assert len({preflop_bucket(low, high) for high in range(52) for low in range(high)}) == 169


def test_a_strategy_for_another_game_and_a_damaged_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Unsuitable, match="plays hold'em, not leduc"):
        make_player("blueprint", load_game("leduc"))
    for name in ("holdem:players=3", "holdem:betting=no-limit", "holdem:ranks=5"):
        with pytest.raises(BadInput, match="heads-up limit hold'em cannot play"):
            make_player("blueprint", load_game(name))
    path = tmp_path / "x.strategy"
    with pytest.raises(BadInput, match="there is no strategy"):
        HoldemStrategy.load(path)
    shipped_strategy().save(path)
    whole = path.read_bytes()
    assert HoldemStrategy.load(path).checksum == shipped_strategy().checksum
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadInput, match="or damaged"):
        HoldemStrategy.load(path)
    other = {"format": "plywright hold'em strategy 1", "game": "omaha", "record": {}, "checksum": ""}
    arrays = {f"centres{n}": points for n, points in enumerate(shipped_strategy().centres)}
    np.savez(path.with_suffix(".npz"), header=np.array(json.dumps(other)), plays=shipped_strategy().plays, **arrays)
    with pytest.raises(BadInput, match="is a strategy for 'omaha'"):
        HoldemStrategy.load(path.with_suffix(".npz"))
    with pytest.raises(BadInput, match="no betting of heads-up limit"):
        shipped_strategy().play("rrrrrr", [51, 50], [])
    for byte in (0, 255):  # with a right checksum: compiled matches would follow an illegal raise
        HoldemStrategy(shipped_strategy().centres, np.full_like(shipped_strategy().plays, byte), {}).save(path)
        with pytest.raises(BadInput, match="plays what nobody may"):
            HoldemStrategy.load(path)


def test_buckets_that_are_none_are_named(tmp_path: Path) -> None:
    """`poker measure` called a damaged file a bug of Plywright."""
    with pytest.raises(BadInput, match="is no folder of a training"):
        bucket_tables(tmp_path)
    for damage in (b"nonsense", b"PK\x03\x04", (Path(measuring.__file__).parent / "holdem.strategy").read_bytes()):
        (tmp_path / "buckets.npz").write_bytes(damage)
        with pytest.raises(BadInput, match=r"buckets.npz is damaged \(\w+\): remove it to begin again"):
            bucket_tables(tmp_path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A training with few buckets."""
    place = tmp_path_factory.mktemp("training")
    Training.open(place, buckets=12).run(1e9, place, batches=1)
    return place


@pytest.mark.slow
def test_training_goes_on_where_it_was_killed(folder: Path, tmp_path: Path) -> None:
    """Two batches in one go, and with a kill -9 in between, give the same numbers."""
    killed = tmp_path / "killed"
    shutil.copytree(folder, killed)
    whole = Training.open(folder, buckets=12)
    whole.run(1e9, batches=3)
    script = (
        "import sys; from pathlib import Path; from plywright.poker import training\n"
        "training.EVERY = 0.0\n"
        "run = training.Training.open(Path(sys.argv[1]), buckets=12)\n"
        "run.run(1e9, Path(sys.argv[1]), report=lambda now: print(now.batches, flush=True))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(killed)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    again = Training.open(killed, buckets=12)
    assert again.batches >= 1
    if again.batches < 3:
        again.run(1e9, batches=3)
        assert again.iterations == 3 * BATCH
        assert np.array_equal(again.work.regret, whole.work.regret)
        assert np.array_equal(again.work.average, whole.work.average)
    (killed / "training.npz").write_bytes(b"nonsense")
    with pytest.raises(BadInput, match="is a file: a training is kept in a folder"):
        Training.open(Path(__file__))
    with pytest.raises(BadInput, match=r"training.npz is damaged"):
        Training.open(killed, buckets=12)
    with pytest.raises(BadInput, match="has 12 buckets a street, not 13"):
        Training.open(folder, buckets=13)


@pytest.mark.slow
def test_buckets_by_table_are_those_worked_out_from_the_cards(folder: Path) -> None:
    tables = BucketTables.load(folder / "buckets.npz")
    work, rng = tables.workspace(), np.random.default_rng(3)
    for _ in range(30):
        cards = [int(card) for card in rng.choice(52, 6, replace=False)]
        low, high = sorted(cards[:2])
        for size, name in ((3, "flop"), (4, "turn")):
            board = cards[2 : 2 + size]
            classes, turns = getattr(work, f"{name}_classes"), getattr(work, f"{name}_turns")
            place = table_place(sum(1 << card for card in board), low, high, classes, turns, work)
            assert int(getattr(work, f"{name}_buckets")[place]) == nearest_bucket(cards[:2], board, tables.centres)


@pytest.mark.slow
def test_training_makes_a_strategy_stronger(folder: Path) -> None:
    run = Training.open(folder, buckets=12)
    run.run(1e9, batches=20)
    tables = run.tables
    fresh, trained = HoldemStrategy.uniform(tables.centres), run.strategy()
    before, after = (measuring.lbr(strategy, tables, 4000) for strategy in (fresh, trained))
    assert after.mean + after.margin < before.mean - before.margin
    for opponent in measuring.OPPONENTS:
        found = measuring.duplicate_match(trained, tables, opponent, 6000)
        assert found.mean - found.margin > 0, (opponent, str(found))


@pytest.mark.slow
@pytest.mark.parametrize("discount", [None, (1.5, 0.0, 2.0)], ids=["CFR+", "discounted"])
def test_reduced_holdem_goes_to_an_equilibrium(discount: tuple[float, float, float] | None) -> None:
    solver = ReducedHoldem(discount)
    first = solver.result()
    solver.run(60)
    found = solver.result()
    assert 0 < found.exploitability < first.exploitability / 50
    assert -0.45 < found.value < -0.2
