"""Mangled texts for every place of the command line that reads one: states, moves, views, trees, files, numbers."""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

ODD = [
    "",
    " ",
    "-",
    "--",
    "x",
    "|",
    "||",
    ":",
    "=",
    ",",
    "'",
    '"',
    "\\",
    "\t",
    "\n",
    "{}",
    "[]",
    "[",
    "(",
    "%s",
    "٣",
    "½",
]
ODD += ["é", "🎲", "\x1b[31m", "nan", "inf", "-inf", "-0", "1e999", "-1e999", "1e300", "0x10", "1_0", "None", "True"]
ODD += [
    "9" * 30,
    "-" + "9" * 30,
    "9" * 5000,
    "1." + "3" * 5000,
    "(" * 3000,
    "[" * 3000,
    "a" * 6000,
    "../" * 50,
    "~",
    ".",
]
NUMBERS = ["", "x", "-1", "0", "nan", "inf", "-inf", "1e999", "9" * 5000, "-" + "9" * 30, "٣", "½", "0x10", "1_0", "--"]
HUGE = ["1e300", "9" * 30, "1e18"]
"""For numbers whose size is no work: limits that a small game never reaches, or sizes that must be refused."""


class Place(NamedTuple):
    """A command with one hole, and texts that belong there."""

    command: tuple[str, ...]
    good: tuple[str, ...]
    numbers: bool = False


HOLE = "{}"
SMALL = ("--depth", "2")


def option(command: str, name: str, *good: str, numbers: bool = False) -> Place:
    return Place((*command.split(" "), f"{name}={HOLE}"), good, numbers)


def places(folder: Path) -> list[Place]:
    """Every hole; files lie in the folder, where `good.json` is a decision tree and `run.db` a record."""
    run, tree = str(folder / "run.db"), str(folder / "good.json")
    files = ("nothing.db", run, tree, str(folder))
    best, lottery = "best nim:heaps=1-2 --depth 2", "utility evaluate [0.5,1000;0.5,0]"
    found = [
        Place(
            ("best", HOLE, *SMALL), ("nim:heaps=1-2", "tic-tac-toe", "mnk:m=3,n=3,k=3", "./game.py:Class", "figure-6.2")
        ),
        option("best nim:heaps=3-4 --depth 2", "--state", "3,4,0", "1,0,1"),
        option("best tic-tac-toe --depth 2", "--state", "x.o/.../...", "0,0"),
        option("best tic-tac-toe --depth 2", "--moves", "b2 a1", "a1,b2,c3"),
        option("best kuhn --seat 1", "--observation", "2 pb", "1"),
        option("best pig:target=10 --depth 1", "--roll", "3", "1"),
        option("best pig:target=10 --depth 1", "--state", "0-0 +0", "3-4 +5 rolling"),
        option(best, "--explain", "1-1", "2"),
        option(best, "--algorithm", "pvs", "alphabeta", "mcts", "minimax:depth=2"),
        *(option("best nim:heaps=1-2", name, "1", "3", numbers=True) for name in ("--depth", "--nodes", "--time")),
        *(option(best, name, "1", numbers=True) for name in ("--threads", "--table", "--levels")),
        option("best kuhn --observation 2", "--seat", "1", numbers=True),
        option("compare nim:heaps=1-2 --depth 2", "--opponent", "uniform", "minimax:2", "softmax:2,0.5", "level:1,2"),
        option("compare nim:heaps=1-2 --depth 2", "--state", "1,2,0"),
        option("solve nim:heaps=1-2", "--state", "1,2,0"),
        option("solve nim:heaps=1-2", "--moves", "1-1"),
        *(option("solve nim:heaps=1-2", name, "1", numbers=True) for name in ("--table", "--threads", "--tolerance")),
        option("solve nim:heaps=1-2", "--algorithm", "proof", "value-iteration"),
        option("solve kuhn --equilibrium --iterations 2", "--seed", "1", numbers=True),
        Place(("tree", HOLE), ("[[3,12],[2,4]]", "(1/2: 8, 1/2: [1,2])", "figure-6.2", tree, "[3,[1,2],<4,5>]")),
        option("tree [[3,12],[2,4]]", "--algorithm", "alphabeta", "mcts", "maxn"),
        option("tree [[3,12],[2,4]]", "--leaves", "affine:2,1", "square"),
        option("tree [[3,12],[2,4]]", "--min-as", "chance", "min"),
        option("tree [[3,12],[2,4]]", "--depth", "1", numbers=True),
        option("tree [[3,12],[2,4]]", "--moves", "1", "a b"),
        option("tree [[3,12],[2,4]] --algorithm mcts", "--simulations", "3", numbers=True),
        Place(("perft", "nim:heaps=1-2", HOLE), ("2",), numbers=True),
        option("perft nim:heaps=1-2 2", "--state", "1,2,0"),
        option("positions nim:heaps=1-2", "--state", "1,2,0"),
        option("positions nim:heaps=1-2", "--table", "1", numbers=True),
        option("play nim:heaps=1-2 --seat none --depth 1", "--state", "1,2,0"),
        option("play nim:heaps=1-2 --depth 1", "--seat", "none"),
        option("play nim:heaps=1-2 --seat none --depth 1", "--seed", "1", numbers=True),
        *(Place((command, HOLE), files) for command in ("replay", "report", "export")),
        Place(("replay", run, HOLE), ("1",), numbers=True),
        option(f"export {run}", "--format", "jsonl", "text", "ggf"),
        Place(("match", HOLE, "random", "--game", "nim:heaps=1-2", "--games", "2"), ("random", "alphabeta:depth=1")),
        option("match random random --games 2", "--game", "nim:heaps=1-2"),
        *(
            option("match random random --game nim:heaps=1-2 --games 2", name, good)
            for name, good in (("--mode", "depth:1"), ("--openings", "random:1"), ("--sprt", "0,10"))
        ),
        option("match random random --game nim:heaps=1-2 --games 2", "--seed", "1", numbers=True),
        option("engine nim:heaps=1-2", "--protocol", "json", "uci"),
        option("engine nim:heaps=1-2", "--player", "random", "alphabeta:depth=1"),
        Place(("utility", "evaluate", HOLE), ("[0.5, 1000; 0.5, 0]", "[1/2, [1/3, 1; 2/3, 2]; 1/2, 0]")),
        Place(("utility", "compare", "[1, 5]", HOLE), ("[0.5, 1000; 0.5, 0]",)),
        Place(("utility", "check", HOLE), ("[1, 5] > [0.5, 10; 0.5, 0]", "A ~ B")),
        option(lottery, "--utility", "log", "crra:2", "cara:0.001", "0=0,500=0.7,1000=1"),
        option(lottery, "--wealth", "100", numbers=True),
        option(lottery, "--let", "A=[0.8, 4000; 0.2, 0]"),
        Place(("utility", "decide", HOLE), ("oil", tree, "umbrella")),
        option("utility decide oil", "--know", "oil"),
        option("utility decide oil", "--vary", "oil=wet"),
        option("utility decide oil --vary oil=wet", "--from", "0", numbers=True),
        option("utility micromorts", "--amount", "2", numbers=True),
        Place(("pacman", "layouts", HOLE), ("capsules", "classic")),
    ]
    return found


def mangled(text: str, rng: random.Random) -> str:
    """The text with one to three small wrongs."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        here = rng.randrange(len(text) + 1)
        there = rng.randrange(here, len(text) + 1)
        way = rng.randrange(8)
        if way == 0:
            text = text[:here] + rng.choice(ODD) + text[here:]
        elif way == 1:
            text = text[:here] + text[there:]
        elif way == 2:
            text = text[:here] + text[here:there] * rng.choice((2, 3, 200)) + text[there:]
        elif way == 3:
            text = text[:here] + rng.choice(ODD) + text[there:]
        elif way == 4:
            text = text[::-1]
        elif way == 5:
            text = text[:here]
        elif way == 6:
            text = text.swapcase()
        else:
            text = rng.choice(ODD)
    return text[:20_000]


def arguments(place: Place, rng: random.Random) -> list[str]:
    if place.numbers:
        text = rng.choice(NUMBERS + (HUGE if rng.random() < 0.5 else []))
    else:
        text = mangled(rng.choice(place.good), rng)
    return [part.replace(HOLE, text) if part.endswith(HOLE) else part for part in place.command]


DECISION = '{"name": "umbrella", "choices": {"take": 5, "leave": {"rain": [0.3, -10], "dry": [0.7, 10]}}}'
