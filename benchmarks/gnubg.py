"""Backgammon against GNU Backgammon, the yardstick: games with the same dice from both sides; errors in millipoints.

    python benchmarks/gnubg.py games my.knowledge --games 2000            # 0-ply on both sides, points a game
    python benchmarks/gnubg.py games my.knowledge --games 200 --plies 2   # our 2-ply against its 0-ply
    python benchmarks/gnubg.py errors my.knowledge --positions 1000       # by class, as its 2-ply sees them

Plies are counted as gnubg does: 0 is the value of the position after the move. Games are without the cube, gammons and
backgammons count. gnubg judges each legal play (`gnubg_server.py`, in its own Python); nothing is learned from it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from plywright import load_game, search
from plywright.compiled import Workspace, kernel
from plywright.games import as_knowledge
from plywright.games.backgammon.checkers import counted
from plywright.rng import below, seeded

SERVER = Path(__file__).with_name("gnubg_server.py")
BEAR_OFF, RACE, CRASHED, CONTACT = "bear-off", "race", "crashed", "contact"
CLASSES = {4: BEAR_OFF, 5: BEAR_OFF, 6: BEAR_OFF, 7: BEAR_OFF, 8: RACE, 9: CRASHED, 10: CONTACT}


class Gnubg:
    """gnubg as a child process that answers."""

    def __init__(self) -> None:
        program = shutil.which("gnubg") or "/usr/games/gnubg"
        self.folder = Path(tempfile.mkdtemp())
        pipes = [self.folder / name for name in ("asked", "told")]
        for pipe in pipes:
            os.mkfifo(pipe)
        environment = {**os.environ, "GNUBG_PIPES": ",".join(map(str, pipes)), "HOME": str(self.folder)}
        command = [program, "-t", "-q", "-r", "-p", str(SERVER)]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, env=environment, **quiet)  # type: ignore[call-overload]
        self.asked, self.told = pipes[0].open("w"), pipes[1].open()

    def values(self, states: list[Any], plies: int = 0) -> list[tuple[float, str]]:
        """The equity of whoever is on roll, and the class, of states before the roll."""
        boards = [[side(s.theirs, s.theirs_more), side(s.mine, s.mine_more)] for s in states]
        self.asked.write(json.dumps({"plies": plies, "boards": boards}) + "\n")
        self.asked.flush()
        return [(equity, CLASSES.get(number, CONTACT)) for equity, number in json.loads(self.told.readline())]

    def close(self) -> None:
        self.asked.close()
        self.told.close()
        self.process.wait(10)
        shutil.rmtree(self.folder)


def side(word: int, more: int) -> list[int]:
    """Points 1 to 24 and the bar."""
    return [int(n) for n in counted(word, more)[1:26]]


@kernel
def best_play(game, knowledge, state, work):
    """The action after which the position is worth most to whoever moves."""
    mover = game.to_move(state)
    best, chosen = -math.inf, 0
    for action in game.actions(state):
        after = game.result(state, action)
        value = 1.0 * game.utility(after, mover) if game.is_terminal(after) else 1.0 * knowledge.evaluate(after, mover)
        if value > best:
            best, chosen = value, action
    return chosen


class Ours:
    """Our player, so many plies deep."""

    def __init__(self, game: Any, knowledge: Any, plies: int, width: int) -> None:
        self.game, self.knowledge, self.plies, self.width = game, knowledge, plies, width
        self.work = Workspace(room=np.zeros(1))

    def play(self, state: Any) -> int:
        if self.plies == 0:
            return int(best_play(self.game, self.knowledge, state, self.work))
        options = {"width": self.width} if self.width else {}
        found = search(self.game, state, depth=self.plies + 1, knowledge=self.knowledge, **options)
        assert found.action is not None
        return found.action


class Theirs:
    """gnubg, so many plies deep."""

    def __init__(self, game: Any, gnubg: Gnubg, plies: int = 0) -> None:
        self.game, self.gnubg, self.plies = game, gnubg, plies

    def play(self, state: Any) -> int:
        actions = list(self.game.actions(state))
        if len(actions) == 1:
            return int(actions[0])
        after = [self.game.result(state, action) for action in actions]
        ended = [n for n, each in enumerate(after) if self.game.is_terminal(each)]
        if ended:
            return int(actions[ended[0]])
        values = self.gnubg.values(after, self.plies)
        return int(actions[min(range(len(actions)), key=lambda n: values[n][0])])


def play(game: Any, players: list[Any], seed: int) -> float:
    """One game; what the first player gets. The dice depend on the seed and on the number of the turn only."""
    dice, state = seeded(seed), game.start_state
    while not game.is_terminal(state):
        if game.at_chance(state):
            state = game.coerce_state(game.result(state, thrown(game, state, dice)))
        else:
            state = game.coerce_state(game.result(state, players[int(game.to_move(state))].play(state)))
    return float(game.utility(state, 0))


def thrown(game: Any, state: Any, dice: Any) -> int:
    """An outcome of the dice, as likely as it is."""
    outcomes = [outcome for outcome, chance in game.chance(state) for _ in range(round(chance * 180))]
    return int(outcomes[below(dice, len(outcomes))])


def games(arguments: argparse.Namespace) -> None:
    game = load_game("backgammon")
    gnubg = Gnubg()
    ours = Ours(game, as_knowledge(game, arguments.knowledge), arguments.plies, arguments.width)
    theirs = Theirs(game, gnubg)
    pairs: list[float] = []
    began = time.monotonic()
    for number in range(arguments.games // 2):
        seed = arguments.seed * 1_000_000 + number
        pairs.append((play(game, [ours, theirs], seed) - play(game, [theirs, ours], seed)) / 2)
        if arguments.seconds and time.monotonic() - began > arguments.seconds:
            break
    gnubg.close()
    mean = sum(pairs) / len(pairs)
    error = math.sqrt(sum((p - mean) ** 2 for p in pairs) / max(len(pairs) - 1, 1) / len(pairs))
    found = {"knowledge": arguments.knowledge, "plies": arguments.plies, "games": 2 * len(pairs)}
    print(json.dumps({**found, "points": round(mean, 4), "error": round(error, 4), "seed": arguments.seed}))


def errors(arguments: argparse.Namespace) -> None:
    game = load_game("backgammon")
    gnubg = Gnubg()
    ours = Ours(game, as_knowledge(game, arguments.knowledge), arguments.plies, arguments.width)
    zero = Ours(game, ours.knowledge, 0, 0)
    lost: dict[str, list[float]] = {name: [] for name in (CONTACT, CRASHED, RACE, BEAR_OFF)}
    number, wanted = 0, max(arguments.positions // len(lost), 1)
    began = time.monotonic()
    while min(map(len, lost.values())) < wanted and time.monotonic() - began < arguments.seconds:
        rng, state = seeded(arguments.seed * 1_000_000 + number), game.start_state
        number += 1
        while not game.is_terminal(state):
            if game.at_chance(state):
                state = game.coerce_state(game.result(state, thrown(game, state, rng)))
                continue
            chosen = zero.play(state)
            if below(rng, arguments.every) == 0:
                judge(game, gnubg, ours, state, lost, wanted)
            state = game.coerce_state(game.result(state, chosen))
    gnubg.close()
    rows = {
        name: {"positions": len(some), "millipoints": round(1000 * sum(some) / max(len(some), 1), 2)}
        for name, some in lost.items()
    }
    every = [error for some in lost.values() for error in some]
    total = round(1000 * sum(every) / max(len(every), 1), 2)
    print(json.dumps({"knowledge": arguments.knowledge, "plies": arguments.plies, "millipoints": total, **rows}))


def judge(game: Any, gnubg: Gnubg, ours: Ours, state: Any, lost: dict[str, list[float]], wanted: int) -> None:
    """What our play gives away, as gnubg's 2-ply sees the best plays of its 0-ply and ours."""
    actions = list(game.actions(state))
    after = [game.coerce_state(game.result(state, action)) for action in actions]
    if len(actions) < 2 or any(map(game.is_terminal, after)):
        return
    kind = gnubg.values([state._replace(roll=0)])[0][1]
    if len(lost[kind]) >= wanted:
        return
    quick = gnubg.values(after)
    mine = actions.index(ours.play(state))
    close = sorted(range(len(actions)), key=lambda n: quick[n][0])[:6]
    looked = [*dict.fromkeys([*close, mine])]
    deep = dict(zip(looked, gnubg.values([after[n] for n in looked], 2), strict=True))
    lost[kind].append(deep[mine][0] - min(value for value, _ in deep.values()))


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    for name, run in (("games", games), ("errors", errors)):
        command = commands.add_parser(name)
        command.add_argument("knowledge", help="a file, or hand")
        command.add_argument("--plies", type=int, default=0)
        command.add_argument("--width", type=int, default=0, help="moves that a deeper search looks at")
        command.add_argument("--seed", type=int, default=1)
        command.set_defaults(run=run)
        if name == "games":
            command.add_argument("--games", type=int, default=2000)
            command.add_argument("--seconds", type=float, default=0)
        else:
            command.add_argument("--positions", type=int, default=1000)
            command.add_argument("--every", type=int, default=5)
            command.add_argument("--seconds", type=float, default=3600)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
