"""How often a move gives away the exact value, in positions in which some moves do and others do not.

    python benchmarks/critical.py prepare connect-four --plies 12 --positions 200 --out four.json   # solved once
    python benchmarks/critical.py measure four.json --knowledge my.knowledge                        # 20 ms a move

Positions are random lines of so many plies from a fixed seed, different ones; their actions' values are proved.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

from plywright import load_game, search, solve
from plywright.games import as_knowledge
from plywright.rng import below, seeded


def random_line(game: Any, plies: int, rng: Any) -> list[int] | None:
    """The actions of a random line that is not over; None where it ended."""
    state, line = game.start_state, []
    for _ in range(plies):
        actions = list(game.actions(state))
        line.append(int(actions[below(rng, len(actions))]))
        state = game.coerce_state(game.result(state, line[-1]))
        if game.is_terminal(state):
            return None
    return line


def state_after(game: Any, line: list[int]) -> Any:
    state = game.start_state
    for action in line:
        state = game.coerce_state(game.result(state, action))
    return state


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


def prepare(arguments: argparse.Namespace) -> None:
    game, rng = load_game(arguments.game), seeded(arguments.seed)
    found: list[dict[str, Any]] = []
    tried = set()
    while len(found) < arguments.positions:
        line = random_line(game, arguments.plies, rng)
        if line is None:
            continue
        state = state_after(game, line)
        if state in tried:
            continue
        tried.add(state)
        mover, values = int(game.to_move(state)), {}
        for action in game.actions(state):
            after = game.coerce_state(game.result(state, action))
            if game.is_terminal(after):
                values[int(action)] = sign(game.utility(after, mover))
            else:
                other = int(game.to_move(after))
                values[int(action)] = sign(solve(game, after, table_megabytes=32).value) * (1 if other == mover else -1)
        if len(set(values.values())) > 1:  # whoever wins, draws or loses, and not how high
            found.append({"line": line, "values": values})
            print(f"{len(found)} of {arguments.positions}", flush=True)
    arguments.out.write_text(json.dumps({"game": arguments.game, "seed": arguments.seed, "positions": found}))


def measure(arguments: argparse.Namespace) -> None:
    asked = json.loads(arguments.file.read_text())
    game = load_game(asked["game"])
    report: dict[str, Any] = {"game": asked["game"], "positions": len(asked["positions"]), "time": arguments.time}
    counts = [int(count) for count in arguments.nodes.split(",")] if arguments.nodes else []
    for number, text in enumerate(arguments.knowledge):
        knowledge = as_knowledge(game, text) if text != "default" else as_knowledge(game)
        limit: Any = {"nodes": counts[number]} if counts else {"time": arguments.time}
        search(game, **limit, knowledge=knowledge)  # compiled before the clock
        lost = 0
        for place in asked["positions"]:
            state = state_after(game, place["line"])
            values = {int(action): value for action, value in place["values"].items()}
            chosen = search(game, state, **limit, knowledge=knowledge).action
            lost += values[int(chosen)] < max(values.values())  # type: ignore[arg-type]
        share = lost / len(asked["positions"])
        error = math.sqrt(share * (1 - share) / len(asked["positions"]))
        report[text] = {
            **({} if not counts else limit),
            "lost": lost,
            "share": round(share, 4),
            "error": round(error, 4),
        }
    print(json.dumps(report))


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    preparing = commands.add_parser("prepare")
    preparing.add_argument("game")
    preparing.add_argument("--plies", type=int, default=12)
    preparing.add_argument("--positions", type=int, default=200)
    preparing.add_argument("--seed", type=int, default=1)
    preparing.add_argument("--out", type=Path, required=True)
    preparing.set_defaults(run=prepare)
    measuring = commands.add_parser("measure")
    measuring.add_argument("file", type=Path)
    measuring.add_argument("--knowledge", nargs="+", default=["default"])
    measuring.add_argument("--time", type=float, default=0.02)
    measuring.add_argument("--nodes", help="in the place of time: nodes for each knowledge, such as 60000,30000")
    measuring.set_defaults(run=measure)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
