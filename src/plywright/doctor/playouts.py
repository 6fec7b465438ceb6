"""Random games inside native code: one kernel that plays and looks at every promise a state makes."""

from __future__ import annotations

from typing import Any

from ..compiled import kernel
from ..game import CHANCE
from ..number import ROUNDING, sums_to_one
from ..rng import below

# tally: [10], of finished games; the last five are sums for the branching factor
GAMES, PLIES, LEAST, GREATEST, CUT, A, D, AA, AD, DD = range(10)


@kernel
def play_games(
    game: Any,
    knowledge: Any,
    start: Any,
    chunk: int,
    longest: int,
    opposed: int,
    low: float,
    high: float,
    listed: int | None,
    drawn: int | None,
    rng: Any,
    work: Any,
) -> int:
    """Play at random for about `chunk` plies; returns 1, or 0 at once when a game breaks a promise.

    `work.word` is then the generator's word at the beginning of that game. Promises looked at: movers
    in range, actions and outcomes at least 0 and 1 to max_actions of them, probabilities that sum to 1, values
    within `low` and `high` (evaluations strictly), finite, and cancelling between opposed teams. `listed` and
    `drawn` say which kind of chance the game has; where it is listed every outcome is as likely as any other,
    and the random words are spent as `rule_guard.random_game` spends them.
    """
    tally = work.tally
    played = 0
    while played < chunk:
        work.word[0] = rng[0]
        state = start
        plies = 0
        decisions = 0
        wide = 0
        over = game.is_terminal(state)
        while not over and plies < longest:
            mover = game.to_move(state)
            if knowledge.evaluates:
                for player in range(game.players):
                    value = 1.0 * knowledge.evaluate(state, player)
                    first = 1.0 * knowledge.evaluate(state, 0)
                    if not (low < value < high) or (opposed != 0 and not cancels(game, player, value, first)):
                        return 0
            taken = -1
            if mover == CHANCE:
                if listed is not None:
                    taken = listed_outcome(game, state, rng)
                elif drawn is not None:
                    taken = int(game.sample(state, rng))
                    below(rng, 1)
            elif 0 <= mover < game.players:
                count = legal_actions(game, state)
                if count > 0:
                    taken = action_at(game, state, below(rng, count))
                    wide += count
                    decisions += 1
            if taken < 0:
                return 0
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
        note_game(tally, plies, decisions, wide)
    return 1


def cancels(game: Any, player: int, value: float, first: float) -> bool:
    """Whether a player's number is player 0's, with the sign of the player's team."""
    wanted = first if game.team(player) == game.team(0) else -first
    return abs(value - wanted) <= 1e-9 * max(1.0, abs(value))


def legal_actions(game: Any, state: Any) -> int:
    """How many actions there are; -1 where one of them, or their number, breaks a promise."""
    count = 0
    for action in game.actions(state):
        count += 1
        if action < 0 or count > game.max_actions:
            return -1
    return count


def action_at(game: Any, state: Any, place: int) -> int:
    for action in game.actions(state):
        if place == 0:
            return int(action)
        place -= 1
    return -1


def listed_outcome(game: Any, state: Any, rng: Any) -> int:
    """One of the outcomes of chance, each as likely as any other; -1 where they break a promise."""
    count = 0
    total = 0.0
    for outcome, probability in game.chance(state):
        count += 1
        total += probability
        if outcome < 0 or count > game.max_actions or not 0.0 < probability <= 1.0 + ROUNDING:
            return -1
    if count == 0 or not sums_to_one(total):
        return -1
    place = below(rng, count)
    for outcome, _probability in game.chance(state):
        if place == 0:
            return int(outcome)
        place -= 1
    return -1


def note_game(tally: Any, plies: int, decisions: int, wide: int) -> None:
    """Add a finished game of so many plies, and so many decisions with so many actions in all of them together."""
    tally[LEAST] = plies if tally[GAMES] == 0 else min(tally[LEAST], 1.0 * plies)
    tally[GREATEST] = max(tally[GREATEST], 1.0 * plies)
    tally[GAMES] += 1.0
    tally[PLIES] += plies
    tally[A] += wide
    tally[D] += decisions
    tally[AA] += 1.0 * wide * wide
    tally[AD] += 1.0 * wide * decisions
    tally[DD] += 1.0 * decisions * decisions
