"""Backgammon against GNU Backgammon, the yardstick: games with the same dice from both sides; errors in millipoints.

    python benchmarks/gnubg.py games my.knowledge --games 2000            # 0-ply on both sides, points a game
    python benchmarks/gnubg.py games my.knowledge --games 200 --plies 2   # our 2-ply against its 0-ply
    python benchmarks/gnubg.py games network --games 20000 --save r.json  # keeps a record, and goes on where it stopped
    python benchmarks/gnubg.py join r.json part-*.json                    # parts (--first) that were played at once
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
from plywright.files import write_whole
from plywright.games import as_knowledge
from plywright.games.backgammon.checkers import counted
from plywright.rng import below, seeded

EVERY = 20.0  # seconds between two states of the record
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
        self.asked.write(json.dumps({"plies": plies, "boards": [board_of(each) for each in states]}) + "\n")
        self.asked.flush()
        return [(equity, CLASSES.get(number, CONTACT)) for equity, number in json.loads(self.told.readline())]

    def played(self, state: Any, dice: tuple[int, int], plies: int = 0) -> Any:
        """The board after its play of these dice, as `boards` writes the state that it leads to."""
        request = {"plies": plies, "boards": [board_of(state)], "dice": dice}
        self.asked.write(json.dumps(request) + "\n")
        self.asked.flush()
        them, us = json.loads(self.told.readline())
        return [us, them]  # the other side is on roll then

    def close(self) -> None:
        self.asked.close()
        self.told.close()
        self.process.wait(10)
        shutil.rmtree(self.folder)


def board_of(state: Any) -> list[list[int]]:
    """Their side and ours, ours on roll."""
    return [side(state.theirs, state.theirs_more), side(state.mine, state.mine_more)]


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


@kernel
def list_plays(game, knowledge, state, work):
    """Write down all plays and what the positions after them are worth to whoever moves; how many there are."""
    mover = game.to_move(state)
    count = 0
    for action in game.actions(state):
        after = game.result(state, action)
        value = 1.0 * game.utility(after, mover) if game.is_terminal(after) else 1.0 * knowledge.evaluate(after, mover)
        work.actions[count], work.values[count] = action, value
        count += 1
    return count


class Ours:
    """Our player, so many plies deep, with move filters.

    At the root the `width` best plays at 0-ply are looked at further, of those that are at most `margin` points behind
    the best of them; deeper each side answers with its best play at 0-ply, as gnubg's own plies do.
    """

    def __init__(self, game: Any, knowledge: Any, plies: int, width: int, margin: float) -> None:
        self.game, self.knowledge, self.plies, self.width, self.margin = game, knowledge, plies, width, margin
        self.work = Workspace(actions=np.zeros(game.max_actions, np.int64), values=np.zeros(game.max_actions))

    def play(self, state: Any) -> int:
        if self.plies == 0:
            return int(best_play(self.game, self.knowledge, state, self.work))
        count = int(list_plays(self.game, self.knowledge, state, self.work))
        values = self.work.values[:count]
        order = np.argsort(-values, kind="stable")[: self.width]
        close = [int(self.work.actions[n]) for n in order if values[n] >= values[order[0]] - self.margin]
        if len(close) == 1:
            return close[0]
        return max(close, key=lambda action: self.worth(state, action))

    def worth(self, state: Any, action: int) -> float:
        """The equity after a play, by search."""
        after = self.game.coerce_state(self.game.result(state, action))
        mine = 1 if int(self.game.to_move(state)) == 0 else -1
        if self.game.is_terminal(after):
            return mine * float(self.game.utility(after, 0))
        found = search(self.game, after, depth=self.plies, knowledge=self.knowledge, width=1)
        return mine * found.value  # where the dice are next, a value is the first player's


class Theirs:
    """gnubg, so many plies deep."""

    def __init__(self, game: Any, gnubg: Gnubg, plies: int = 0) -> None:
        self.game, self.gnubg, self.plies = game, gnubg, plies

    def play(self, state: Any) -> int:
        actions = list(self.game.actions(state))
        if len(actions) == 1:
            return int(actions[0])
        after = [self.game.result(state, action) for action in actions]
        wanted = self.gnubg.played(state, divmod(int(state.roll), 10), self.plies)
        return next(int(action) for action, each in zip(actions, after, strict=True) if board_of(each) == wanted)


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
    """Pairs of games with the same dice; the record has what each pair brought us a game."""
    game = load_game("backgammon")
    names = ("knowledge", "plies", "width", "margin", "seed", "first")
    found: dict[str, Any] = {name: getattr(arguments, name) for name in names} | {"pairs": []}
    if arguments.save and arguments.save.exists():
        kept = json.loads(arguments.save.read_text())
        if any(kept[name] != found[name] for name in found if name != "pairs"):
            raise SystemExit(f"{arguments.save} is the record of another match: name another file with --save")
        found = kept
    pairs = found["pairs"]
    gnubg = Gnubg()
    ours = Ours(game, as_knowledge(game, arguments.knowledge), arguments.plies, arguments.width, arguments.margin)
    theirs = Theirs(game, gnubg)
    began = saved = time.monotonic()
    while len(pairs) < arguments.games // 2:
        seed = arguments.seed * 1_000_000 + arguments.first + len(pairs)
        pairs.append((play(game, [ours, theirs], seed) - play(game, [theirs, ours], seed)) / 2)
        late = bool(arguments.seconds) and time.monotonic() - began > arguments.seconds
        if arguments.save and (late or len(pairs) == arguments.games // 2 or time.monotonic() - saved > EVERY):
            write_whole(arguments.save, json.dumps(found | summary(pairs)).encode())
            saved = time.monotonic()
        if late:
            break
    gnubg.close()
    print(json.dumps({name: value for name, value in found.items() if name != "pairs"} | summary(pairs)))


def join(arguments: argparse.Namespace) -> None:
    """One record of a match that was played in parts at the same time (`--first`)."""
    parts = sorted((json.loads(path.read_text()) for path in arguments.parts), key=lambda part: part["first"])
    names = ("knowledge", "plies", "width", "margin", "seed")
    ends = [part["first"] + len(part["pairs"]) for part in parts]
    same = all(part[name] == parts[0][name] for part in parts for name in names)
    if not same or any(end > part["first"] for end, part in zip(ends, parts[1:], strict=False)):
        raise SystemExit("these are parts of different matches, or pairs are in two of them")
    pairs = [value for part in parts for value in part["pairs"]]
    found = {name: parts[0][name] for name in names} | summary(pairs)
    print(json.dumps(found))
    kept = [{"first": part["first"], "pairs": part["pairs"]} for part in parts]
    write_whole(arguments.save, json.dumps(found | {"parts": kept}).encode())


def summary(pairs: list[float]) -> dict[str, Any]:
    """Points a game and the standard error, by pairs."""
    mean = sum(pairs) / len(pairs)
    error = math.sqrt(sum((p - mean) ** 2 for p in pairs) / max(len(pairs) - 1, 1) / len(pairs))
    return {"games": 2 * len(pairs), "points": round(mean, 4), "error": round(error, 4)}


def errors(arguments: argparse.Namespace) -> None:
    game = load_game("backgammon")
    gnubg = Gnubg()
    ours = Ours(game, as_knowledge(game, arguments.knowledge), arguments.plies, arguments.width, arguments.margin)
    zero = Ours(game, ours.knowledge, 0, 1, 0.0)
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
        command.add_argument("--width", type=int, default=8, help="plays that are looked at further")
        command.add_argument("--margin", type=float, default=0.16, help="points that these may be behind at 0-ply")
        command.add_argument("--seed", type=int, default=1)
        command.set_defaults(run=run)
        if name == "games":
            command.add_argument("--games", type=int, default=2000)
            command.add_argument("--seconds", type=float, default=0)
            command.add_argument("--first", type=int, default=0, help="the first pair, for matches in parts")
            command.add_argument("--save", type=Path, help="the record; a match that was stopped goes on from it")
        else:
            command.add_argument("--positions", type=int, default=1000)
            command.add_argument("--every", type=int, default=5)
            command.add_argument("--seconds", type=float, default=3600)
    command = commands.add_parser("join", help="the records of a match's parts as one")
    command.add_argument("save", type=Path)
    command.add_argument("parts", type=Path, nargs="+")
    command.set_defaults(run=join)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
