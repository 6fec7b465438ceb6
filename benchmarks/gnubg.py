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
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np

from plywright import load_game, search
from plywright.bits import read_state, write_state
from plywright.compiled import Workspace, kernel
from plywright.files import write_whole
from plywright.game import CHANCE
from plywright.games import as_knowledge
from plywright.games.backgammon.checkers import counted, packed
from plywright.rng import below, seeded
from td_gammon import best_play, thrown

EVERY = 20.0  # seconds between two states of the record
TOGETHER = 50  # pairs of games that are played at the same time
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

    def played(self, states: list[Any]) -> list[Any]:
        """The boards after its plays at 0-ply, as `board_of` writes the states that they lead to."""
        dice = [divmod(int(state.roll), 10) for state in states]
        self.asked.write(json.dumps({"plies": 0, "boards": [board_of(state) for state in states], "dice": dice}) + "\n")
        self.asked.flush()
        return [[us, them] for them, us in json.loads(self.told.readline())]  # the other side is on roll then

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
def play_on(game, knowledge, state, seat, work):
    """Throw dice and play our best at first sight until the other side has a choice, or the game is over."""
    while not game.is_terminal(state):
        if game.to_move(state) == CHANCE:
            action = thrown(game, state, work.rng)
        elif game.to_move(state) == seat:
            action = best_play(game, knowledge, state)
        else:
            count, action = 0, 0
            for each in game.actions(state):
                count += 1
                action = each
            if count > 1:
                break
        state = game.result(state, action)
    write_state(work.words, 0, state)
    return 0


@kernel
def play_to(game, state, wanted, work):
    """The play that leads to these words of both sides' checkers; -1 where none does."""
    for action in game.actions(state):
        after = game.result(state, action)
        if (after.mine, after.mine_more, after.theirs, after.theirs_more) == wanted:
            return action
    return -1


class Ours:
    """Our player, so many plies deep, with move filters: `search` as anybody may call it.

    At the root the `width` best plays at 0-ply are looked at further, of those that are at most `margin` points behind
    the best of them; deeper each side answers with its best play at 0-ply, as gnubg's own plies do.
    """

    def __init__(self, game: Any, knowledge: Any, plies: int, width: int, margin: float) -> None:
        self.game, self.plies, self.options = game, plies, {"knowledge": knowledge, "depth": plies + 1}
        if plies > 0:
            self.options |= {"width": width, "reply_width": 1, "margin": margin}

    def play(self, state: Any) -> int:
        found = search(self.game, state, **self.options).action
        assert found is not None
        return int(found)

    def play_on(self, state: Any, seat: int, work: Any) -> Any:
        """The next state at which the other side has a choice, or the last one of the game."""
        game = self.game
        if self.plies == 0:
            play_on(game, self.options["knowledge"], state, seat, work)
            return game.coerce_state(read_state(work.words, 0, state))
        while not game.is_terminal(state):
            if game.at_chance(state):
                action = int(thrown(game, state, work.rng))
            elif int(game.to_move(state)) == seat:
                action = self.play(state)
            else:
                actions = list(game.actions(state))
                if len(actions) > 1:
                    break
                action = actions[0]
            state = game.coerce_state(game.result(state, action))
        return state


def game_of(game: Any, ours: Ours, seat: int, seed: int) -> Generator[Any, Any, float]:
    """One game of ours at this seat; yields the states at which gnubg is to play and is sent the board after its play.

    Returns what we get. The dice depend on the seed and on the number of the turn only.
    """
    work: Any = Workspace(rng=seeded(seed), words=np.zeros(6, np.int64))
    state = ours.play_on(game.start_state, seat, work)
    while not game.is_terminal(state):
        theirs, mine = (packed([0, *side]) for side in (yield state))
        action = int(play_to(game, state, (*mine, *theirs), work))
        assert action >= 0, "gnubg has made a play that the rules do not know"
        state = ours.play_on(game.coerce_state(game.result(state, action)), seat, work)
    return float(game.utility(state, seat))


def played_pairs(game: Any, gnubg: Gnubg, ours: Ours, seeds: list[int]) -> list[float]:
    """Pairs of games with the same dice, all at the same time, so that gnubg is asked about many states at once."""
    running = {(seed, seat): game_of(game, ours, seat, seed) for seed in seeds for seat in (0, 1)}
    told: dict[tuple[int, int], Any] = dict.fromkeys(running)
    found: dict[tuple[int, int], float] = {}
    while running:
        asked = {}
        for key, answer in told.items():
            try:
                asked[key] = running[key].send(answer)
            except StopIteration as over:
                found[key] = over.value
                del running[key]
        told = dict(zip(asked, gnubg.played([*asked.values()]), strict=True)) if asked else {}
    return [(found[seed, 0] + found[seed, 1]) / 2 for seed in seeds]


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
    began = saved = time.monotonic()
    while len(pairs) < arguments.games // 2:
        first = arguments.seed * 1_000_000 + arguments.first + len(pairs)
        count = min(TOGETHER, arguments.games // 2 - len(pairs))
        pairs += played_pairs(game, gnubg, ours, [first + n for n in range(count)])
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
    zero = Ours(game, ours.options["knowledge"], 0, 1, 0.0)
    lost: dict[str, list[float]] = {name: [] for name in (CONTACT, CRASHED, RACE, BEAR_OFF)}
    number, wanted = 0, max(arguments.positions // len(lost), 1)
    began = time.monotonic()
    while min(map(len, lost.values())) < wanted and time.monotonic() - began < arguments.seconds:
        rng, state = seeded(arguments.seed * 1_000_000 + number), game.start_state
        number += 1
        while not game.is_terminal(state):
            if game.at_chance(state):
                state = game.coerce_state(game.result(state, int(thrown(game, state, rng))))
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
