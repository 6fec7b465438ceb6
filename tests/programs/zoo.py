"""A zoo of hostile programs that speak JSON lines: `python zoo.py KIND MARK`. MARK finds what they leave behind."""

import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path


def send(**message):
    print(json.dumps(message), flush=True)


def talk(answer, greet=True):
    """The honest frame: `answer(message, turn)` does what it likes with each `go`."""
    turn = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello" and greet:
            send(type="hello", name="zoo")
        elif message["type"] == "ping":
            send(type="pong", id=message["id"])
        elif message["type"] == "go":
            turn += 1
            answer(message, turn)


def honest(message, turn=0):
    send(type="move", id=message["id"], move=message["legal"][0])


def for_ever():
    while True:
        time.sleep(1)


def late(message, turn):
    time.sleep(2)
    honest(message)


def silent(message, turn):
    pass


def crash_at_start():
    print("out of cheese", file=sys.stderr)
    sys.exit(3)


def mute():
    talk(honest, greet=False)


def crash_mid_game(message, turn):
    if turn == 2:
        print("division by cucumber", file=sys.stderr, flush=True)
        os._exit(7)
    honest(message)


def garbage(message, turn):
    os.write(1, b"\xff\xfe\x00 best move: the middle!\n")


def not_an_object(message, turn):
    print("[1, 2]", flush=True)


def partial_line(message, turn):
    os.write(1, b'{"type": "move", "id"')
    for_ever()


def partial_line_and_gone(message, turn):
    os.write(1, b'{"type": "mo')
    os._exit(0)


def flood(message, turn):
    while True:
        os.write(1, b"x" * 65536)


def flood_of_lines(message, turn):
    while True:
        os.write(1, b'{"type": "info"}\n' * 4096)


def flood_of_errors(message, turn):
    for _ in range(64):
        os.write(2, b"e" * 65536)
    honest(message)


def illegal(message, turn):
    send(type="move", id=message["id"], move="z9")


def no_text(message, turn):
    send(type="move", id=message["id"], move=[1, 2])


def no_id(message, turn):
    send(type="move", move=message["legal"][0])


def wrong_turn(message, turn):
    """Answers a question of the past before the one that is asked."""
    send(type="move", id=message["id"] - 1, move="z9")
    honest(message)


def writes_after_its_turn(message, turn):
    honest(message)
    for _ in range(3):
        honest(message)


def closes_stdin(message, turn):
    os.close(0)
    honest(message)
    for_ever()


def closes_stdout(message, turn):
    os.close(1)
    for_ever()


def leave_daemon():
    """A descendant that has left the family: its own session, no parent, deaf to every polite signal."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            for_ever()
        os._exit(0)
    os.wait()


def forking(message, turn):
    if turn == 1:
        leave_daemon()
    honest(message)


def kills_its_supervisor(message, turn):
    leave_daemon()
    os.kill(os.getppid(), signal.SIGKILL)
    for_ever()


def fork_bomb(message, turn):
    while True:
        with contextlib.suppress(OSError):
            if os.fork() == 0:
                time.sleep(0.01)


def memory_hog(message, turn):
    kept = []
    while True:
        kept.append(bytearray(b"x") * (8 << 20))


def large_file(message, turn):
    with Path("large").open("wb") as file:
        while True:
            file.write(b"x" * (1 << 20))
            file.flush()


def many_files(message, turn):
    number = 0
    while True:
        number += 1
        Path(f"file-{number}").write_bytes(b"x" * (1 << 18))


def ignores_signals(message, turn):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    Path("locked/inside").mkdir(parents=True, exist_ok=True)
    Path("locked").chmod(0)
    for_ever()


def names(folder):
    return [path.name for path in Path(folder).iterdir()]


def writes(path):
    try:
        path.write_text("here I was")
        path.unlink()
    except OSError:
        return False
    return True


def tells(message, turn):
    """What it can see of the outside, as the move it plays."""
    seen = {
        "environment": sorted(os.environ),
        "folder": names("."),
        "processes": sum(name.isdigit() for name in names("/proc")),
        "secret": Path(sys.argv[3].removeprefix("not-for-you:")).exists(),
        "writes": writes(Path(__file__).parent / "left-behind") or writes(Path("/usr/left-behind")),
        "elsewhere": writes(Path("/left-behind")) or writes(Path("/dev/left-behind")),
    }
    try:
        import socket

        socket.create_connection(("127.0.0.1", int(sys.argv[2])), timeout=1).close()
        seen["network"] = True
    except OSError:
        seen["network"] = False
    send(type="move", id=message["id"], move=json.dumps(seen))


ALONE = {"crash_at_start": crash_at_start, "mute": mute}

if __name__ == "__main__":
    kind = sys.argv[1]
    if kind in ALONE:
        ALONE[kind]()
    else:
        talk(globals()[kind])
