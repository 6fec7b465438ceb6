"""Whether the evaluations of hidden games help: searches with them against the same searches without, in pairs.

    python benchmarks/evaluations.py              # every match, one file each in benchmarks/matches/
    python benchmarks/evaluations.py battleship   # those whose name begins like that

Each pair has one deal or opening, fixed by its seed, and two games with the seats swapped. The number of games is
fixed before. A record has the setting, what the side with the evaluation got in both games of every pair, their mean
with its 95 % interval over pairs, and how many games are different.
"""

from __future__ import annotations

import json
import math
import statistics
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from plywright import Game, load_game, search
from plywright.dice import roll
from plywright.rng import below, scramble, seeded

RECORDS = Path(__file__).parent / "matches"
GAMES = 200
FIRST_SEED, SEED_STEP = 2_026_000_000, 1_000
"""Seeds of the pairs, fixed before any of these games was played; the trials that chose the settings had 1 to 100."""


class Match(NamedTuple):
    """`given` are the options of both sides."""

    name: str
    game: str
    given: dict[str, Any]
    opening: int  # moves at random, by the seed of the pair


def deals(game: str, depth: int, count: int, opening: int = 0) -> Match:
    name = f"{game.partition(':')[0]}-deals"
    return Match(name, game, {"algorithm": "deals", "depth": depth, "deals": count, "table": 0.5}, opening)


def simulated(game: str, simulations: int, opening: int = 0) -> Match:
    """Simulations that end with the evaluation after the game's own cutoff."""
    name = f"{game.partition(':')[0]}-ismcts"
    given = {"algorithm": "ismcts", "simulations": simulations, "memory": 4.0}
    return Match(name, game, given, opening)


WHIST = "tricks:suits=4,ranks=13,players=4,teams=2,trump=s"
MATCHES = (
    deals(WHIST, 2, 4),
    deals("kriegspiel:size=5,pieces=KQR", 2, 4, opening=4),
    deals("goofspiel:cards=8", 3, 20),
    deals("liars-dice:dice=4", 2, 40),
    simulated("liars-dice:dice=4", 1000),
    simulated("battleship:size=6,ships=4-3-2", 300, opening=6),
    simulated("stratego:size=5,pieces=FBSCMLGX", 400),
)


def without_evaluation(game: Game) -> Game:
    """The same game, whose states are the same, with no evaluation of its own."""
    cls = type(game)
    plain: Any = type(cls)(cls.__name__, (cls,), {"__module__": cls.__module__, "evaluate": Game.evaluate})
    copy: Game = object.__new__(plain)
    copy.__dict__.update({key: value for key, value in vars(game).items() if not key.startswith("_")})
    return copy


def play(match: Match, games: tuple[Game, Game], aided_side: int, seed: int) -> tuple[float, tuple[int, ...]]:
    """What the side with the evaluation got, and what was played."""
    game = games[0]
    state, luck = game.start_state, seeded(scramble(seed))
    moves, decisions = [], 0
    while not game.is_terminal(state):
        if game.at_chance(state):
            action = roll(game, state, luck)
        elif decisions < match.opening:
            legal = list(game.actions(state))
            action, decisions = legal[below(luck, len(legal))], decisions + 1
        else:
            seat = int(game.to_move(state))
            aided = game.team_of[seat] == aided_side
            options = {**match.given, "seed": scramble(seed + len(moves)) >> 1}
            found = search(games[0 if aided else 1], game.observation(state, seat), seat=seat, **options)
            assert found.action is not None
            action = found.action
        moves.append(int(action))
        state = game.coerce_state(game.result(state, action))
    return float(game.utility(state, game.team_of.index(aided_side))), tuple(moves)


def run(match: Match, count: int = GAMES) -> dict[str, Any]:
    game = load_game(match.game)
    games, began = (game, without_evaluation(game)), time.monotonic()
    pairs, played = [], set()
    for number in range(count // 2):
        both = [play(match, games, side, FIRST_SEED + SEED_STEP * number) for side in sorted(set(game.team_of))]
        pairs.append([payoff for payoff, _ in both])
        played |= {(side, moves) for side, (_, moves) in enumerate(both)}
    means = [statistics.fmean(pair) for pair in pairs]
    mean, error = statistics.fmean(means), statistics.stdev(means) / math.sqrt(len(means))
    return {
        "match": match.name,
        "game": match.game,
        "options": match.given,
        "opening_moves": match.opening,
        "first_seed": FIRST_SEED,
        "games": 2 * len(pairs),
        "different_games": len(played),
        "mean": round(mean, 4),
        "interval": [round(mean - 1.96 * error, 4), round(mean + 1.96 * error, 4)],
        "seconds": round(time.monotonic() - began),
        "pairs": pairs,
    }


def main(wanted: list[str]) -> None:
    RECORDS.mkdir(exist_ok=True)
    for match in MATCHES:
        if wanted and not any(match.name.startswith(word) for word in wanted):
            continue
        record = run(match)
        (RECORDS / f"{match.name}.json").write_text(json.dumps(record) + "\n")
        low, high = record["interval"]
        different = f"{record['different_games']} of {record['games']} games different"
        print(f"{match.name:18} {record['mean']:+.3f}  [{low:+.3f}, {high:+.3f}]  {different}, {record['seconds']} s")


if __name__ == "__main__":
    main(sys.argv[1:])
