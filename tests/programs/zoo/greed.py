"""Offences against the machine and the opponent: processes, memory, disk, processor time, secrets."""

import contextlib
import ctypes
import json
import mmap
import os
import signal
import threading
import time
from pathlib import Path

from frames import write
from manners import for_ever, honest


def leave_daemon(work=for_ever):
    """A descendant that has left the family: its own session, no parent, deaf to every polite signal."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            work()
        os._exit(0)
    os.wait()


def spin():
    while True:
        pass


def forking(turn):
    if turn.number == 1:
        leave_daemon()
    turn.honest()


def kills_its_supervisor(turn):
    leave_daemon()
    os.kill(os.getppid(), signal.SIGKILL)
    for_ever()


def stops_its_supervisor(turn):
    leave_daemon()
    os.kill(os.getppid(), signal.SIGSTOP)
    for_ever()


def fork_bomb(turn):
    while True:
        with contextlib.suppress(OSError):
            if os.fork() == 0:
                time.sleep(0.01)


def memory_hog(turn):
    kept = []
    while True:
        kept.append(bytearray(b"x") * (8 << 20))


def shared_memory(turn):
    """Memory that belongs to no process alone: anonymous and shared."""
    kept = []
    while True:
        kept.append(mmap.mmap(-1, 8 << 20))
        kept[-1].write(b"x" * (8 << 20))
        time.sleep(0.002)


def memory_files(turn):
    """Files in memory that are open and mapped by nobody, each smaller than a file may be."""
    kept = []
    while True:
        kept.append(os.memfd_create("zoo"))
        os.write(kept[-1], b"x" * (1 << 20))
        time.sleep(0.002)


def large_file(turn):
    with Path("large").open("wb") as file:
        while True:
            file.write(b"x" * (1 << 20))
            file.flush()


def many_files(turn):
    number = 0
    while True:
        number += 1
        Path(f"file-{number}").write_bytes(b"x" * (1 << 18))


def spins_at_rest(turn):
    """Answers, and burns a processor while the others think."""
    if turn.number == 1:
        threading.Thread(target=spin, daemon=True).start()
    turn.honest()


def daemons_at_rest(turn):
    """The same with processes that have left the family."""
    if turn.number == 1:
        for _ in range(4):
            leave_daemon(spin)
    turn.honest()


def crowds(turn):
    """In its own turn it fills the machine and answers too late, so that the machine looks overloaded."""
    for _ in range(40):
        with contextlib.suppress(OSError):
            if os.fork() == 0:
                spin()
    time.sleep(1)
    turn.honest()


def two_threads(turn):
    """An honest one: thinks at two places at once, 0.14 s of processor time each, and answers."""
    if helper := os.fork():
        began = time.process_time()
        while time.process_time() - began < 0.14:
            pass
        os.kill(helper, signal.SIGKILL)
        os.waitpid(helper, 0)
        turn.honest()
    else:
        spin()


def new_namespaces(turn):
    """Whether it may make user namespaces, and be root in them."""
    made = ctypes.CDLL(None, use_errno=True).unshare(0x10000000) == 0
    turn.answer(f"namespace made: {made}")


def names(folder):
    return [path.name for path in Path(folder).iterdir()]


def writes(path):
    try:
        path.write_text("here I was")
        path.unlink()
    except OSError:
        return False
    return True


def tells(turn):
    """What it can see of the outside, as the move it plays: `run.py json tells PORT not-for-you:FILE MARK`."""
    import socket
    import sys

    seen = {
        "environment": sorted(os.environ),
        "folder": names("."),
        "processes": sum(name.isdigit() for name in names("/proc")),
        "secret": Path(sys.argv[4].removeprefix("not-for-you:")).exists(),
        "writes": writes(Path(__file__).parent / "left-behind") or writes(Path("/usr/left-behind")),
        "elsewhere": writes(Path("/left-behind")) or writes(Path("/dev/left-behind")),
    }
    try:
        socket.create_connection(("127.0.0.1", int(sys.argv[3])), timeout=1).close()
        seen["network"] = True
    except OSError:
        seen["network"] = False
    turn.answer(json.dumps(seen))


def looks_for_records(turn):
    """Every file below its own folder, with what a record's first bytes are, as the move it plays."""
    found = []
    for path in sorted(Path(__file__).parent.rglob("*")):
        with contextlib.suppress(OSError):
            if path.is_file() and path.read_bytes()[:6] == b"SQLite":
                found.append(path.name)
    notes = (Path(__file__).parent / "results" / "notes.txt").exists()
    turn.answer(json.dumps({"records": found, "notes": notes}))


MYSELF = os.urandom(8).hex()
SEEN = {}


def remembers_deals(turn):
    """Keeps what it saw, in memory and in every file it can write, and says so where a later game could use it."""
    known = [view for game, view in SEEN.items() if game != turn.game]
    SEEN[turn.game] = turn.message["view"]
    places = [os.environ["HOME"], os.environ["TMPDIR"], "."]
    if os.environ["HOME"] == "/private":  # without a sandbox the files of its user are its own, and stay
        places += ["/tmp", "/dev/shm", "/var/tmp", os.environ["PLYWRIGHT_CACHE"], str(Path(__file__).parent)]
    for place in places:
        diary = Path(place) / "diary-of-deals"
        with contextlib.suppress(OSError):
            writer, view = diary.read_text().split(" ", 1)
            known += [view] * (writer != MYSELF)
        with contextlib.suppress(OSError):
            diary.write_text(f"{MYSELF} {turn.message['view']}")
    turn.answer(f"I know {known}") if known else turn.honest()


__all__ = ["honest", "write"]
