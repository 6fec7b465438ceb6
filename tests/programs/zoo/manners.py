"""Offences of behaviour, whatever the protocol: time, pipes, floods."""

import fcntl
import os
import signal
import sys
import time
from pathlib import Path

from frames import write


def for_ever():
    while True:
        time.sleep(1)


def honest(turn):
    turn.honest()


def late(turn):
    time.sleep(2)
    turn.honest()


def silent(turn):
    pass


def drips(turn):
    """A byte now and then: something is always heard, and no line is ever finished."""
    while True:
        write(b"x")
        time.sleep(0.05)


def crash_mid_game(turn):
    if turn.number == 2:
        print("division by cucumber", file=sys.stderr, flush=True)
        os._exit(7)
    turn.honest()


def dies_by_signal(turn):
    os.kill(os.getpid(), signal.SIGSEGV)


def garbage(turn):
    write(b"\xff\xfe\x00 best move: the middle!\n")


def partial_line(turn):
    write(b'{"type": "move", "id"')
    for_ever()


def partial_line_and_gone(turn):
    write(b'{"type": "mo')
    os._exit(0)


def flood(turn):
    while True:
        write(b"x" * 65536)


def flood_of_lines(turn):
    while True:
        write(b'{"type": "info"}\n' * 4096)


def empty_lines(turn):
    """Fewer bytes than a flood has, and a legal answer in the end."""
    write(b"\n" * 1_500_000)
    turn.honest()


def flood_of_errors(turn):
    for _ in range(64):
        os.write(2, b"e" * 65536)
    turn.honest()


def errors_without_end(turn):
    while True:
        os.write(2, b"e" * 65536)


def illegal(turn):
    turn.answer("z9" if "pass" not in turn.legal else "a1")


def writes_after_its_turn(turn):
    turn.honest()
    write(b"\n\n")


def closes_stdin(turn):
    os.close(0)
    for_ever()


def closes_stdout(turn):
    os.close(1)
    for_ever()


def closes_both(turn):
    os.close(0)
    os.close(1)
    for_ever()


def shrinks_its_pipe(turn):
    turn.honest()


def slowly():
    """The lines of its input, which it has made small: a long request takes as long as it likes to read it."""
    fcntl.fcntl(0, 1031, 4096)  # F_SETPIPE_SZ
    kept = b""
    while data := os.read(0, 512):
        kept += data
        if len(kept) > 2048:
            time.sleep(0.05)
        *lines, kept = kept.split(b"\n")
        yield from (line.decode() for line in lines)


def ignores_signals(turn):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    Path("locked/inside").mkdir(parents=True, exist_ok=True)
    Path("locked").chmod(0)
    for_ever()


def stops_itself(turn):
    os.kill(os.getpid(), signal.SIGSTOP)
