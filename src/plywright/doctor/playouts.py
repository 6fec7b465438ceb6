"""Random games inside native code: one kernel that plays and looks at every promise a state makes."""

from __future__ import annotations

from typing import Any

from ..compiled import kernel
from ..rng import below

# tally: [10], of finished games; the last five are sums for the branching factor
GAMES, PLIES, LEAST, GREATEST, CUT, A, D, AA, AD, DD = range(10)


@kernel
def play_games(
    game: Any, start: Any, chunk: int, longest: int, opposed: int, low: float, high: float, rng: Any, work: Any
) -> int:
    """Play at random for about `chunk` plies; returns 1, or 0 at once when a game breaks a promise.

    `work.word` is then the generator's word at the beginning of that game. Promises looked at: movers
    in range, actions at least 0 and 1 to max_actions of them, values within `low` and `high` (evaluations
    strictly), finite, and cancelling between opposed teams.
    """
    tally = work.tally
    played = 0
    while played < chunk:
        work.word[0] = rng[0]
        state = start
        plies = 0
        wide = 0
        over = game.is_terminal(state)
        while not over and plies < longest:
            mover = game.to_move(state)
            if mover < 0 or mover >= game.players:
                return 0
            if game.evaluates:
                for player in range(game.players):
                    value = 1.0 * game.evaluate(state, player)
                    first = 1.0 * game.evaluate(state, 0)
                    if not (low < value < high) or (opposed != 0 and not cancels(game, player, value, first)):
                        return 0
            count = 0
            for action in game.actions(state):
                count += 1
                if action < 0 or count > game.max_actions:
                    return 0
            if count == 0:
                return 0
            wide += count
            chosen = below(rng, count)
            taken = 0
            for action in game.actions(state):
                if chosen == 0:
                    taken = action
                    break
                chosen -= 1
            state = game.result(state, taken)
            plies += 1
            over = game.is_terminal(state)
        played += plies + 1
        if not over:
            tally[CUT] += 1.0
            continue
        for player in range(game.players):
            value = 1.0 * game.utility(state, player)
            first = 1.0 * game.utility(state, 0)
            if not (low - 1e-9 <= value <= high + 1e-9) or (opposed != 0 and not cancels(game, player, value, first)):
                return 0
        note_game(tally, plies, wide)
    return 1


def cancels(game: Any, player: int, value: float, first: float) -> bool:
    """Whether a player's number is player 0's, with the sign of the player's team."""
    wanted = first if game.team(player) == game.team(0) else -first
    return abs(value - wanted) <= 1e-9 * max(1.0, abs(value))


def note_game(tally: Any, plies: int, wide: int) -> None:
    """Add a finished game of so many plies, with so many actions in all its states together."""
    tally[LEAST] = plies if tally[GAMES] == 0 else min(tally[LEAST], 1.0 * plies)
    tally[GREATEST] = max(tally[GREATEST], 1.0 * plies)
    tally[GAMES] += 1.0
    tally[PLIES] += plies
    tally[A] += wide
    tally[D] += plies
    tally[AA] += 1.0 * wide * wide
    tally[AD] += 1.0 * wide * plies
    tally[DD] += 1.0 * plies * plies
