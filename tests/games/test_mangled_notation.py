"""Texts of states, observations and moves with something wrong in them: read, or refused in a sentence."""

from __future__ import annotations

import random
from typing import Any

import pytest

from plywright import BadInput, Game, load_game
from plywright.dice import roll
from plywright.games import GAMES
from plywright.rng import below, seeded

NASTY = (
    *("", " ", "\0", "\n", "\x1b[2J", "\ud800", "é", "٣", "²", "𝟘", "-", "--1", "1_0", "0x10", "1e999", "nan", "inf"),
    *(
        "9" * 400,
        "9" * 5000,
        "-" + "9" * 20,
        "1.5",
        "1e3",
        "True",
        "None",
        "[" * 2000,
        "{" * 50,
        "(),",
        "'",
        '"',
        ";",
        "/",
    ),
    *(
        "../../etc/passwd",
        "<script>",
        "%s%n",
        "{0}",
        "\\",
        "a" * 3000,
        "pass",
        "0",
        "1",
        "63",
        "64",
        "65535",
        "18446744073709551616",
    ),
)


def texts_of(game: Game, dice: random.Random) -> list[tuple[str, Any, str]]:
    """States, observations and moves of a random game, as they are written: (which, where, text)."""
    found: list[tuple[str, Any, str]] = []
    state, rng = game.start_state, seeded(dice.randrange(1 << 30))
    for _ in range(60):
        found.append(("state", state, game.format_state(state)))
        if game.is_terminal(state):
            break
        choices = game.choices(state) or [roll(game, state, rng)]  # chance may be drawn from only
        action = choices[below(rng, len(choices))]
        if not game.at_chance(state):
            found.append(("move", state, game.format_action(state, action)))
            if game.hidden:
                seat = int(game.to_move(state))
                found.append(("observation", state, game.format_observation(game.observation(state, seat), seat)))
        state = game.coerce_state(game.result(state, action))
    return found


def mangled(text: str, dice: random.Random) -> str:
    for _ in range(dice.choice((1, 1, 2, 4))):
        place, way = dice.randrange(len(text) + 1), dice.randrange(6)
        if way == 0:
            text = text[:place] + dice.choice(NASTY) + text[place:]
        elif way == 1:
            text = text[:place] + text[place + 1 :]
        elif way == 2:
            text = text[:place] + chr(dice.choice((dice.randrange(128), dice.randrange(0xD800)))) + text[place + 1 :]
        elif way == 3:
            text = dice.choice(NASTY)
        elif way == 4:
            text = text[:place] + text[dice.randrange(len(text) + 1) :]
        else:
            words = text.split(",")
            words[dice.randrange(len(words))] = dice.choice(NASTY)
            text = ",".join(words)
    return text


def send(name: str, count: int) -> int:
    """So many mangled texts to one game; how many were refused."""
    game, dice, refused = load_game(name), random.Random(name), 0
    known = texts_of(game, dice)
    for _ in range(count):
        which, state, right = dice.choice(known)
        text = mangled(right, dice)
        try:
            if which == "state":
                game.read_state(text)
            elif which == "move":
                game.parse_action(state, text)
            else:
                game.read_observation(text, int(game.to_move(state)))
        except BadInput:
            refused += 1
        except Exception as error:
            pytest.fail(f"{name}: the {which} {text[:200]!r} raised {type(error).__name__}: {error}")
    return refused


@pytest.mark.parametrize("name", GAMES)
def test_a_mangled_text_is_read_or_refused(name: str) -> None:
    assert send(name, 2000)
