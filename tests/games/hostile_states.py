"""States that nobody has played to, sent where states from outside go: run as a program, so that a crash is seen.

    python hostile_states.py GAME SEED MUTANTS native|interpreted

States of random games are changed a little (one number by an extreme one, by a neighbour, by another's bit) and
offered to the game. What it accepts is played on, drawn, written and read, counted and searched. The last line is
JSON: how many were offered and accepted, and what went wrong. Only BadInput may come out of it.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

from plywright import Game, PlywrightError, load_game, perft, search
from plywright.compiled import interpreted
from plywright.dice import roll
from plywright.engine import ALGORITHMS
from plywright.engine.registry import check_suitable
from plywright.errors import GameError, Unsuitable
from plywright.rng import below, seeded
from plywright.state import leaves, rebuild

EXTREMES = (0, 1, -1, 2, 3, 7, 15, 63, 64, 127, 255, 1000, 65535, 65565, 1 << 20, 1 << 31, 1 << 40, 1 << 62)
EXTREMES = (*EXTREMES, (1 << 63) - 1, -(1 << 63), (1 << 64) - 1, 4611686018427387904, 17768107904860159)
PLIES = 60
SLOW = 20.0


def states_of(game: Game, rng: random.Random, games: int = 3) -> list[Any]:
    found, dice = [], seeded(rng.randrange(1 << 30))
    for _ in range(games):
        state = game.start_state
        for _ in range(400):
            found.append(state)
            if game.is_terminal(state):
                break
            choices = game.choices(state) or [roll(game, state, dice)]  # chance may be drawn from only
            state = game.coerce_state(game.result(state, choices[below(dice, len(choices))]))
    return found


def mutant(game: Game, state: Any, other: Any, rng: random.Random) -> Any:
    """A state like the one given, with one to three of its numbers changed; None where it fits no type."""
    numbers, foreign = leaves(state), leaves(other)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        place = rng.randrange(len(numbers))
        way = rng.randrange(6)
        value = int(numbers[place])
        if way == 0:
            value = rng.choice(EXTREMES)
        elif way == 1:
            value += rng.choice((-1, 1, -2, 2, 16, 64))
        elif way == 2:
            value ^= 1 << rng.randrange(63)
        elif way == 3:
            value = int(numbers[rng.randrange(len(numbers))])
        elif way == 4:
            value = int(foreign[place])
        else:
            value = rng.getrandbits(rng.randrange(1, 64))
        numbers[place] = value
    shape = game.state_shape
    assert shape is not None
    try:
        return rebuild(shape, list(numbers))
    except GameError:
        return None


def searches(game: Game) -> Iterator[str]:
    for name in ALGORITHMS:
        try:
            check_suitable(game, name)
        except PlywrightError:
            continue
        yield name


def send(game: Game, state: Any, rng: random.Random, native: bool, names: list[str]) -> None:
    """Where an accepted state goes: none of it may raise."""
    assert game.format_state(state) and game.picture(state).svg
    assert game.read_state(game.format_state(state)) == state
    place = state
    for _ in range(PLIES):
        if game.is_terminal(place):
            assert all(abs(float(game.utility(place, player))) < 1e12 for player in range(game.players))
            break
        choices = game.choices(place) or [roll(game, place, seeded(rng.randrange(1 << 30)))]
        assert choices and len(choices) <= game.max_actions, "nothing to do, or too much"
        if game.evaluates:
            game.evaluate(place, 0)
        action = rng.choice(choices)
        assert game.parse_action(place, game.format_action(place, action)) == action
        place = game.coerce_state(game.result(place, action))
        assert not game.check_state(place), f"play leads to what is refused: {game.check_state(place)}"
    if not native or game.is_terminal(state):
        return
    perft(game, 2, state)
    if not game.hidden:
        search(game, state, algorithm=rng.choice(names), nodes=300)
    elif not game.at_chance(state):
        seat = int(game.to_move(state))
        search(game, game.observation(state, seat), seat=seat, algorithm=rng.choice(names), nodes=100)


def main(name: str, seed: str, mutants: str, how: str) -> None:
    game, rng = load_game(name), random.Random(f"{name} {seed}")
    states = states_of(game, rng)
    names = list(searches(game)) if how == "native" else []
    faults, accepted, worst = [], 0, 0.0
    for _ in range(int(mutants)):
        state = mutant(game, rng.choice(states), rng.choice(states), rng)
        if state is None:
            continue
        print(repr(state), flush=True)  # the last line before a crash
        began = time.process_time()
        try:
            if not game.check_state(state):
                accepted += 1
                if how == "native":
                    send(game, state, rng, True, names)
                else:
                    with interpreted():
                        send(game, state, rng, False, names)
            elif how == "native" and not game.hidden and rng.random() < 0.05:
                try:
                    search(game, state, depth=1)
                    faults.append(f"{state!r}: searched, although it is refused")
                except PlywrightError:
                    pass
        except Unsuitable:
            pass  # a refusal: too many deals look like this for that search
        except Exception as error:
            faults.append(f"{state!r}: {type(error).__name__}: {error}")
        worst = max(worst, time.process_time() - began)
    if worst > SLOW:
        faults.append(f"a state took {worst:.0f} s of processor time")
    print(json.dumps({"offered": int(mutants), "accepted": accepted, "faults": faults[:5]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
