"""Runs one program and cleans up after it: `python -I -S supervisor.py CONFIG`, a process of its own.

It stands between the referee and the program: starts the program with its limits, adopts whatever the
program leaves behind, watches numbers and sizes that no limit of the system covers, and when the
program or the referee ends, ends every descendant and removes the folder and the control groups. It
never touches the program's pipes. Only the standard library, since nothing else is imported with -I -S.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import shutil
import signal
import sys
import time
from typing import Any

MARK = "PLYWRIGHT_PROGRAM"
"""The variable by which a program's processes are known should its supervisor be killed."""
TICK = 0.1
"""Seconds between two looks at the descendants."""
STARTING = 1.0
"""Seconds after which a program must have its pipes: one that closes them at once is never seen with them."""
CLOSED = 0.3
"""Seconds after which a pipe that nobody holds counts as closed: an ending process has closed it as well."""
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38


def main() -> None:
    config = json.loads(sys.argv[1])
    wake_read, wake_write = os.pipe()
    for end in (wake_read, wake_write):
        os.set_blocking(end, False)
    process_control(PR_SET_CHILD_SUBREAPER, 1)
    pipes = [link_of(f"/proc/self/fd/{end}") for end in (0, 1)]
    enter(config, [])
    child = os.fork()
    if child == 0:
        launch(config)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    with contextlib.suppress(OSError):
        os.nice(-5)  # ahead of what it must end, where that is allowed
    reason = watch(config, child, wake_read, pipes)
    with contextlib.suppress(OSError):
        os.write(config["status"], reason.encode())
        os.close(config["status"])
    end_all(child, config["groups"])
    remove(config["folder"])
    for group in config["groups"]:
        leave_group(group)
    with contextlib.suppress(OSError):
        os.unlink(config["entry"])  # noqa: PTH108


def process_control(option: int, value: int) -> None:
    """prctl(2) where there is one."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


# -- the program's side of the fork ------------------------------------------------------------------------


def launch(config: dict[str, Any]) -> None:
    """Become the program; never returns."""
    try:
        os.setsid()
        process_control(PR_SET_PDEATHSIG, signal.SIGKILL)
        if not config["bubble"]:
            process_control(PR_SET_NO_NEW_PRIVS, 1)
        for group in config["groups"]:
            with open(os.path.join(group, "cgroup.procs"), "w") as file:  # noqa: PTH118, PTH123
                file.write(str(os.getpid()))
        set_limits(config["limits"])
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and ignoring is inherited
            signal.signal(number, signal.SIG_DFL)
        os.chdir(config["start"])
        os.closerange(3, 1024)
        os.execve(config["command"][0], config["command"], config["environment"])
    except BaseException as error:
        os.write(2, f"cannot start {config['command'][0]}: {error}\n".encode())
    os._exit(127)


def set_limits(limits: dict[str, int]) -> None:
    wanted = {
        resource.RLIMIT_AS: 4 * limits["memory"],  # address space; what is used of it is watched below
        resource.RLIMIT_FSIZE: limits["file"],
        resource.RLIMIT_NOFILE: limits["open_files"],
        resource.RLIMIT_CPU: limits["processor_seconds"],
        resource.RLIMIT_CORE: 0,
    }
    if os.getuid() != 0:  # the system counts all processes of the user, and exempts root
        wanted[resource.RLIMIT_NPROC] = own_threads() + limits["processes"]
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most))


def own_threads() -> int:
    """How many threads this user has now."""
    count = 0
    with contextlib.suppress(OSError):
        for entry in os.scandir("/proc"):
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == os.getuid():
                    count += len(os.listdir(f"/proc/{entry.name}/task"))  # noqa: PTH208
    return count


# -- the watch ---------------------------------------------------------------------------------------------


def watch(config: dict[str, Any], child: int, wake: int, pipes: list[str]) -> str:
    """Until the program ends, the referee does, or a limit is broken: why."""
    poll = select.poll()
    for end in (config["control"], wake):
        poll.register(end, select.POLLIN | select.POLLHUP)
    limits, looks, known, lost = config["limits"], 0, [child], [0.0, 0.0]
    began, holding = time.monotonic(), False  # whether the program was seen with its pipes, or has had time to be
    while True:
        ready = {end for end, _ in poll.poll(TICK * 1000)}
        if wake in ready:
            with contextlib.suppress(OSError):
                os.read(wake, 4096)
        ended = reap(child)
        if ended is not None:
            return ended
        if config["control"] in ready:
            return "asked to end"
        family = descendants(os.getpid())
        if len(family) > limits["processes"] + (2 if config["bubble"] else 0):
            return f"had more than {limits['processes']} processes"
        if family != known:
            known = family
            enter(config, family)
        own = [process for process in family if process != child] if config["bubble"] else family
        own = [process for process in own if process not in children_of(child)] if config["bubble"] else own
        held = held_pipes(own, pipes) if own else [True, True]
        holding = holding or (bool(own) and (all(held) or time.monotonic() - began > STARTING))
        lost = [0.0 if held[end] or not holding else lost[end] or time.monotonic() for end in (0, 1)]
        for end, what in ((0, "no longer reads its input"), (1, "closed its output")):
            if lost[end] and time.monotonic() - lost[end] > CLOSED:
                return what
        if sum(map(resident, family)) + sum(map(memory_files, family)) > limits["memory"]:
            return f"used more than {limits['memory'] >> 20} MB of memory"
        looks += 1
        if looks % 5 == 0 and folder_size(config["folder"], limits["disk"]) > limits["disk"]:
            return f"wrote more than {limits['disk'] >> 20} MB"


def reap(child: int) -> str | None:
    """Collect whatever has ended; a sentence if the program itself is among it."""
    found = None
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found or "ended"
        if process == 0:
            return found
        if process == child:
            code = os.waitstatus_to_exitcode(status)
            found = f"ended with status {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"


def descendants(process: int) -> list[int]:
    """All of them, the nearest first; empty where the system does not tell."""
    found, pending = [], [process]
    while pending:
        parent = pending.pop()
        children: list[int] = []
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{parent}/task"):  # noqa: PTH208
                with (
                    contextlib.suppress(OSError),
                    open(f"/proc/{parent}/task/{task}/children") as file,  # noqa: PTH123
                ):
                    children += map(int, file.read().split())
        found += children
        pending += children
    return found


def children_of(process: int) -> list[int]:
    with contextlib.suppress(OSError), open(f"/proc/{process}/task/{process}/children") as file:  # noqa: PTH123
        return [int(word) for word in file.read().split()]
    return []


def link_of(path: str) -> str:
    try:
        return os.readlink(path)  # noqa: PTH115
    except OSError:
        return ""


def held_pipes(family: list[int], pipes: list[str]) -> list[bool]:
    """Whether somebody has the input, and the output; what cannot be seen is taken for held."""
    held = [not pipe for pipe in pipes]
    for process in family:
        for end, pipe in enumerate(pipes):
            held[end] = held[end] or link_of(f"/proc/{process}/fd/{end}") == pipe
        if all(held):
            return held
    for process in family:
        try:
            links = {link_of(f"/proc/{process}/fd/{end}") for end in os.listdir(f"/proc/{process}/fd")}  # noqa: PTH208
        except OSError:
            return [True, True]
        held = [one or pipe in links for one, pipe in zip(held, pipes, strict=True)]
    return held


def resident(process: int) -> int:
    """Bytes of memory in use, its part of what is shared included, less what only mirrors files on a disk."""
    kinds = ("Pss_Anon:", "Pss_Shmem:")
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{process}/smaps_rollup") as file:  # noqa: PTH123
        return sum(int(line.split()[1]) << 10 for line in file if line.startswith(kinds))
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{process}/statm") as file:  # noqa: PTH123
        words = file.read().split()
        return (int(words[1]) - int(words[2])) * resource.getpagesize()
    return 0


def memory_files(process: int) -> int:
    """Bytes of the files in memory that it has open: they need not be mapped."""
    total = 0
    with contextlib.suppress(OSError):
        for end in os.listdir(f"/proc/{process}/fd"):  # noqa: PTH208
            place = f"/proc/{process}/fd/{end}"
            if link_of(place).startswith("/memfd:"):
                with contextlib.suppress(OSError):
                    total += os.stat(place).st_blocks * 512  # noqa: PTH116
    return total


def started(process: int) -> str:
    """When a process began: with its number it is one process for ever; empty where it is gone."""
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{process}/stat") as file:  # noqa: PTH123
        return file.read().rpartition(")")[2].split()[19]
    return ""


def enter(config: dict[str, Any], family: list[int]) -> None:
    """Note which processes there are, for the clean-up if this process is killed."""
    own = os.getpid()
    data = {"supervisor": [own, started(own)], "folder": config["folder"], "family": [[p, started(p)] for p in family]}
    with contextlib.suppress(OSError):
        with open(f"{config['entry']}.new", "w") as file:  # noqa: PTH123
            json.dump(data, file)
        os.replace(f"{config['entry']}.new", config["entry"])  # noqa: PTH105


def folder_size(folder: str, enough: int) -> int:
    """Bytes below a folder; stops counting above `enough`."""
    total, pending = 0, [folder]
    while pending and total <= enough:
        with contextlib.suppress(OSError):
            for entry in os.scandir(pending.pop()):
                total += 4096 + entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
    return total


# -- the end -----------------------------------------------------------------------------------------------


def end_all(child: int, groups: list[str]) -> None:
    """Kill until nothing is left: what is forked meanwhile is found in the next round."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        family = descendants(os.getpid())
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        for process in family:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        thaw(groups)
        reap(child)
        if not family:
            try:
                os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
        time.sleep(0.001)


def thaw(groups: list[str]) -> None:
    """Who is frozen does not die."""
    for group in groups:
        for name, text in (("freezer.state", "THAWED"), ("cgroup.freeze", "0")):
            with contextlib.suppress(OSError), open(os.path.join(group, name), "r+") as file:  # noqa: PTH118, PTH123
                file.write(text)


def remove(folder: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.exists(folder):  # noqa: PTH110
        for command in (["chmod", "-R", "u+rwX", folder], ["rm", "-rf", folder]):  # folders closed or nested too deep
            with contextlib.suppress(OSError):
                os.waitpid(os.posix_spawnp(command[0], command, {"PATH": os.defpath}), 0)


def leave_group(group: str) -> None:
    for _ in range(200):
        try:
            os.rmdir(group)  # noqa: PTH106
            return
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.005)  # the last ones are still leaving


if __name__ == "__main__":
    main()
