"""A cluster plays what one machine plays, and loses nothing when its parts are killed."""

from __future__ import annotations

import contextlib
import random
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dask_processes import ROOT, Dask

pytest.importorskip("distributed")

from plywright.arena.match import play_match
from plywright.arena.records.check import check_record
from plywright.arena.records.run_file import Records
from plywright.arena.tuning import Parameter, Tuning, tune
from plywright.arena.worker import Task
from plywright.cluster import executor as cluster_module
from plywright.cluster.executor import Cluster
from plywright.cluster.parcel import Refused, open_parcel, pack
from plywright.errors import BadInput
from plywright.games import load_game
from plywright.learning.learn import learn

pytestmark = pytest.mark.filterwarnings("ignore")  # those of Dask

PLAYERS = ("random", "first")
SLOW_PLAYER = """
    import time
    from helper import PAUSE
    class Slow:
        def choose(self, game, turn):
            time.sleep(PAUSE)
            return turn.legal[0]
"""
TUNED_PLAYER = """
from plywright import Player
from plywright.rng import uniform

class Tuned(Player):
    def __init__(self, first: float = 0.5):
        self.first = first

    def choose(self, game, turn):
        wins = [a for a in turn.legal if game.result(turn.view, a).stones % 4 == 0]
        return (turn.legal if uniform(turn.rng) < self.first else wins or turn.legal)[0]
"""


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    made = Dask(tmp_path)
    try:
        made.start_scheduler()
        yield made
    finally:
        made.close()


def played(record: Path) -> dict[int, str]:
    """By number the line of every game that counts; none while the file is being made."""
    try:
        with Records.open(record) as records:
            return {outcome.game: outcome.line for outcome in records.outcomes() if outcome.payoffs is not None}
    except BadInput:
        return {}


def slow_player(folder: Path, pause: float) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "slow.py").write_text(textwrap.dedent(SLOW_PLAYER))
    (folder / "helper.py").write_text(f"PAUSE = {pause}")
    return str(folder / "slow.py") + ":Slow"


def test_what_travels_is_done_with_its_files_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole way of a parcel without a cluster: packed in one folder, opened where those files are no more."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "worker"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "worker").mkdir()
    here = tmp_path / "here"
    slow_player(here, 0.0)
    monkeypatch.chdir(here)
    shutil.copy(ROOT / "examples" / "hex.py", here / "mygame.py")
    parcels: list[bytes] = []

    class Packing:
        parallel = 1

        def submit(self, fn: Callable[..., object], task: Task) -> None:
            parcels.append(pack(fn, (task,)))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        game = "./mygame.py:Hex:size=2"
        play_match(["./slow.py", "random"], game, games=2, mode="depth:1", record="run", executor=Packing())  # type: ignore[arg-type]
    shutil.rmtree(here)
    monkeypatch.chdir(tmp_path)
    ((number, record),) = open_parcel(parcels[0])
    assert number == 1 and record["termination"] == "normal" and record["game"] == "./mygame.py:Hex:size=2"
    forged = parcels[0].replace(cluster_module.code_stamp().encode(), b"0" * 16)
    assert isinstance(open_parcel(forged), Refused)


def test_a_cluster_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECTING", 0.5)
    for address in ("tcp://127.0.0.1:9", "nowhere", "local:x", "local:0", "tcp://"):
        with pytest.raises(BadInput, match=r"cluster|Dask|local"):
            Cluster(address)


@contextlib.contextmanager
def listening(said: bytes, context: ssl.SSLContext | None = None) -> Iterator[int]:
    """The port of something that takes every connection, says this, and no more."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept = []

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection = server.accept()[0]
                    kept.append(connection if context is None else context.wrap_socket(connection, server_side=True))
                    kept[-1].sendall(said)

        threading.Thread(target=answer, daemon=True).start()
        yield server.getsockname()[1]
        for connection in kept:
            connection.close()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"", id="silent"),
        pytest.param(b"\xff" * 1000, id="noise", marks=pytest.mark.slow),  # Dask reads for seconds
        pytest.param((1 << 62).to_bytes(8, "little") * 4, id="endless", marks=pytest.mark.slow),
    ],
)
def test_what_is_no_scheduler_is_named(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something that takes the connection and is silent was waited for without end; another one lies of its sizes."""
    monkeypatch.setattr(cluster_module, "CONNECTING", 1.0)
    with listening(said) as port, pytest.raises(BadInput, match="no Dask scheduler answers at"):
        Cluster(f"tcp://127.0.0.1:{port}")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here to make a certificate")
def test_silence_behind_tls_is_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, certificate = str(tmp_path / "key"), str(tmp_path / "certificate")
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=here", "-days", "1"]
    subprocess.run([*words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context(cafile=certificate)
    server.load_cert_chain(certificate, key)
    client.check_hostname = False
    monkeypatch.setattr(cluster_module, "CONNECTING", 1.0)
    monkeypatch.setattr("distributed.Security.get_connection_args", lambda *role: {"ssl_context": client})
    with listening(b"", server) as port, pytest.raises(BadInput, match="no Dask scheduler answers at"):
        Cluster(f"tls://127.0.0.1:{port}")


def test_a_small_cluster_plays_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "PATIENCE", 120.0)
    cluster = Cluster("local:1")
    try:
        assert cluster.link.startswith("http://127.0.0.1:")
        facts = {"games": 6, "mode": "depth:1", "opening": "random:2"}
        play_match(PLAYERS, "tic-tac-toe", record=tmp_path / "there", executor=cluster, **facts)  # type: ignore[arg-type]
        play_match(PLAYERS, "tic-tac-toe", record=tmp_path / "here", **facts)  # type: ignore[arg-type]
        assert played(tmp_path / "there") == played(tmp_path / "here") and len(played(tmp_path / "here")) == 6
    finally:
        cluster.shutdown()


@pytest.mark.slow
def test_workers_and_scheduler_are_killed_and_nothing_is_lost(dask: Dask, tmp_path: Path) -> None:
    """kill -9 of workers mid-game, then of the scheduler; every game is recorded once, and as a local run has it."""
    player = slow_player(tmp_path / "player", 0.02)
    facts = {"games": 60, "mode": "depth:1", "opening": "random:2"}
    for _ in range(2):
        dask.start_worker()
    told: list[str] = []
    cluster = Cluster(dask.address, told.append)
    rng = random.Random(1)
    count = lambda: len(played(tmp_path / "run"))  # noqa: E731

    def disturb() -> None:
        for kills in range(4):
            while count() < 5 + 8 * kills:
                time.sleep(0.05)
            time.sleep(rng.random() * 0.3)
            victim = dask.workers[-1 - kills % 2]
            dask.kill(victim)
            dask.start_worker()
        while count() < 40:
            time.sleep(0.05)
        dask.kill(dask.scheduler)
        for worker in dask.workers:
            dask.kill(worker)
        time.sleep(1)
        dask.start_scheduler()
        dask.start_worker()

    thread = threading.Thread(target=disturb, daemon=True)
    thread.start()
    try:
        found = play_match([player, "random"], "tic-tac-toe", record=tmp_path / "run", executor=cluster, **facts)  # type: ignore[arg-type]
    finally:
        cluster.shutdown(cancel_futures=True)
    thread.join(60)
    assert found.played == 60 and not found.progress.void
    play_match([player, "random"], "tic-tac-toe", record=tmp_path / "alone", **facts)  # type: ignore[arg-type]
    assert played(tmp_path / "run") == played(tmp_path / "alone")
    with Records.open(tmp_path / "run") as records:
        assert check_record(records, load_game("tic-tac-toe")).sound


@pytest.mark.slow
def test_the_runner_is_killed_and_goes_on(dask: Dask, tmp_path: Path) -> None:
    dask.start_worker()
    player = slow_player(tmp_path / "player", 0.02)
    words = [sys.executable, "-m", "plywright", "match", player, "random", "--game", "tic-tac-toe", "--games", "30"]
    words += ["--mode", "depth:1", "--record", "run", "--openings", "random:2", "--cluster", dask.address]
    rng = random.Random(2)
    for kills in range(3):
        runner = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = len(played(tmp_path / "run"))
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and runner.poll() is None:
            if len(played(tmp_path / "run")) >= before + 4:
                break
            time.sleep(0.1)
        time.sleep(rng.random() * 0.2)
        if kills < 2:
            runner.send_signal(signal.SIGKILL)
        runner.wait(timeout=120)
    found = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert found.returncode == 0 and "dashboard: http" in found.stderr
    assert len(played(tmp_path / "run")) == 30
    play_match(
        [player, "random"], "tic-tac-toe", games=30, mode="depth:1", opening="random:2", record=tmp_path / "alone"
    )
    assert played(tmp_path / "run") == played(tmp_path / "alone")


@pytest.mark.slow
def test_a_worker_with_other_code_is_left_out(dask: Dask, tmp_path: Path) -> None:
    """One worker has another Plywright on its path: it is named, and the others play."""
    other = tmp_path / "other"
    shutil.copytree(ROOT / "src" / "plywright", other / "plywright", ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "plywright" / "rng.py").open("a") as file:
        file.write("\n# another version\n")
    dask.start_worker(PYTHONPATH=str(other))
    told: list[str] = []
    cluster = Cluster(dask.address, told.append)
    try:
        deadline = time.monotonic() + 60
        while not told and time.monotonic() < deadline:
            time.sleep(0.2)
        assert told and "left out" in told[0] and "other code" in told[0]
        with pytest.raises(Exception, match="other code"):  # nobody else is there
            play_match(PLAYERS, "tic-tac-toe", games=2, mode="depth:1", record=tmp_path / "none", executor=cluster)
        dask.start_worker()
        assert cluster.count() == 1 and cluster.workers
        found = play_match(PLAYERS, "tic-tac-toe", games=4, mode="depth:1", record=tmp_path / "run", executor=cluster)
        assert found.played == 4
    finally:
        cluster.shutdown(cancel_futures=True)


@pytest.mark.slow
def test_a_game_that_ends_every_worker_is_void_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text("import os\n\ndef policy(game, view, seat):\n    os._exit(1)\n")
    cluster = Cluster("local:2")
    try:
        players = [str(tmp_path / "deadly.py"), "first", "random"]
        found = play_match(
            *(players, "tic-tac-toe"),
            games=2,
            kind="tournament",
            mode="depth:1",
            record=tmp_path / "run",
            executor=cluster,
        )
        assert found.played == 2 and sum(found.progress.void.values()) == 4 * 3
    finally:
        cluster.shutdown(cancel_futures=True)


@pytest.mark.slow
def test_learning_on_executors_is_the_same_everywhere(tmp_path: Path) -> None:
    from plywright.arena.worker import Inline

    facts = {"games": 60, "workers": 2, "seed": 3, "pairs": 0, "model": "linear"}
    one = learn("tic-tac-toe", executor=Inline(), save=tmp_path / "one.knowledge", **facts)  # type: ignore[misc]
    cluster = Cluster("local:2")
    try:
        two = learn("tic-tac-toe", executor=cluster, save=tmp_path / "two.knowledge", **facts)  # type: ignore[misc]
    finally:
        cluster.shutdown()
    assert all((array == two.arrays[name]).all() for name, array in one.arrays.items())
    assert any(array.any() for array in one.arrays.values() if array.dtype.kind == "f")


@pytest.mark.slow
def test_tuning_on_a_cluster_takes_the_same_steps(tmp_path: Path) -> None:
    player = slow_player(tmp_path / "player", 0.0)
    (tmp_path / "player" / "slow.py").write_text(TUNED_PLAYER)
    parameters = (Parameter.parse("first=0.5,0.0,1.0"),)
    text = player.replace(":Slow", ":Tuned:first={first}")
    tuning = Tuning(text, "subtraction:stones=22,most=3", parameters, mode="depth:1", iterations=8, pairs=2)
    here = tune(tuning, tmp_path / "here.tune")
    cluster = Cluster("local:2")
    try:
        there = tune(tuning, tmp_path / "there.tune", executor=cluster)
    finally:
        cluster.shutdown()
    assert there.places == here.places and there.scores == here.scores and any(here.scores)
