"""Games against itself in native code, and what their values teach: no Python for a move, nor for a game.

A game is played greedily by the model's own values, or by a shallow search with them, after a random opening and with
some noise where it is asked for. Every state at which a player decided is then brought nearer to the value that
looking ahead had there, and by lambda to those that came later. In games of chance it is the state after the move,
before the dice, that is judged (the afterstate).

By TD-leaf it is not the state itself that learns, but the one at the end of the line that the search expects, whose
value the search took over. By regression nothing is learned on the way: states are kept with what the search said and
how the game ended, and when there are enough of them they are learned from in random order, several times.

`work` holds, besides what the model's `adjust` changes (see `Model.workspace`) and `tally`:

    info, stop, rng                    # counters as below; not 0 to stop; the generator
    moves                              # [max_actions] of the state at hand
    states                             # [PLIES * leaves] the states of the game that were judged
    values, broken                     # [PLIES] their values by looking ahead; 1 where play then went another way
    vectors, target                    # [PLIES * WIDE], [WIDE] the same for a model with several outputs
    line                               # [LINE + 1] the moves and outcomes of the game being played, -1 behind the last
    outcome                            # [2] what the game just played brought the first player, and all games together
    kept, aims, order                  # [KEPT * leaves], [KEPT], [KEPT] for regression
"""

from __future__ import annotations

import math

import numpy as np

from ..bits import float_scratch, read_state, scratch, write_state
from ..compiled import kernel
from ..counters import FAULT, HEADER, NO_ACTIONS, NODES, NOT_A_NUMBER, TOO_MANY_ACTIONS
from ..game import CHANCE
from ..rng import below, draw64

INFO = 16
GAMES, DEPTH, OPENING, LEAVES, LONGEST, WINS, DRAWS, LENGTHS, METHOD, STORED, PASSES, ENDED = range(HEADER, HEADER + 12)
"""NODES counts decisions; OPENING is the most plies that begin a game at random; WINS are the first player's; ENDED are
games that came to their end."""
SETTINGS = 4
LAMBDA, NOISE, TOP, RANDOM = range(SETTINGS)
"""NOISE is the temperature of choices, in utilities; RANDOM the share of moves that are made blindly."""
TD, LEAF, REGRESSION = range(3)
"""METHOD: how the values of a game teach."""
KEPT = 1 << 14
"""States that regression learns from together."""
WIDE = 5
"""Outputs of a model that has several."""
PLIES = 1024
"""States of one game that are learned from together."""
LONG = 1 << 20
"""Decisions of a game that pays along the way at most: others end at PLIES, unfinished, by their estimate."""
LINE = 1 << 12
"""Moves and outcomes of a game that are told where one of its states brings a fault."""
ROLLS = 1 << 14
"""Outcomes of chance between two decisions: a game with more of them ends there, unfinished."""


@kernel
def self_play(game, knowledge, start, games, work):
    """Play and learn from so many games from `start`, or until `work.stop`; returns how many were played."""
    done = 0
    while done < games and work.stop[0] == 0 and work.info[FAULT] == 0:
        length = play_game(game, knowledge, start, work)
        if work.info[FAULT] != 0:
            break
        learn_part(game, knowledge, start, length, work)
        work.outcome[1] += work.outcome[0]
        done += 1
        work.info[GAMES] += 1
    return done


def learn_part(game, knowledge, start, length, work):
    """Learn from so many states: a game, or the last part of one."""
    work.info[LENGTHS] += length
    if work.info[METHOD] == TD:
        learn_game(game, knowledge, start, length, work)
    elif work.info[METHOD] == LEAF:
        learn_leaves(game, knowledge, start, length, work)
    else:
        keep_game(length, work)
        if work.info[STORED] > KEPT - PLIES:
            fit(game, knowledge, start, work)


def play_game(game, knowledge, start, work):
    """One game; returns how many of its states are to be judged.

    A game that is longer than there is room for is learned from in parts, each of which ends with its estimate.
    """
    info = work.info
    state = start
    anchor = start
    blind = below(work.rng, info[OPENING] + 1)
    length = 0
    plies = 0
    rolled = False  # since `anchor`
    rolls = 0
    told = 0
    work.line[0] = -1
    while plies < info[LONGEST] and rolls < ROLLS:
        if length == PLIES:
            learn_part(game, knowledge, start, length, work)
            length = 0
            if info[FAULT] != 0:
                break
        if game.is_terminal(state):
            value = 1.0 * game.utility(state, 0)
            info[ENDED] += 1
            info[WINS] += value > 0.0
            info[DRAWS] += value == 0.0
            work.outcome[0] = value
            if rolled:  # chance ended the game: what that brought is the value of the state before it
                write_state(work.states, length * info[LEAVES], anchor)
                work.values[length] = value
                work.broken[length] = 0
                if knowledge.several:
                    knowledge.outcome(value, work.vectors, length * WIDE)
                length += 1
            break
        mover = game.to_move(state)
        if mover == CHANCE:
            outcome = draw(game, state, work)
            told = tell(outcome, told, work)
            state = game.result(state, outcome)
            rolled = True
            rolls += 1
            continue
        plies += 1
        rolls = 0
        info[NODES] += 1
        count = list_moves(game, state, work)
        if info[FAULT] != 0:
            break
        if plies <= blind:
            chosen = below(work.rng, count)
            told = tell(work.moves[chosen], told, work)
            state = game.result(state, work.moves[chosen])
            anchor = state
            rolled = False
            continue
        best = -math.inf
        favourite = -math.inf
        chosen = 0
        first = 0
        near, inputs, sums = scratch(), float_scratch(), float_scratch()
        near[0] = 0
        for n in range(count):
            child = game.result(state, work.moves[n])
            if knowledge.has_siblings and info[DEPTH] == 1 and not game.is_terminal(child):
                value = 1.0 * knowledge.evaluate_beside(child, mover, near, inputs, sums)
            else:
                value = look(game, knowledge, child, mover, info[DEPTH] - 1, -math.inf, math.inf, work)
            if value != value:
                info[FAULT] = NOT_A_NUMBER
                break
            if value > best:
                best = value
                first = n
            liking = value
            if work.settings[NOISE] > 0.0:
                liking = value - work.settings[NOISE] * math.log(-math.log(fraction(work.rng)))
            if liking > favourite:
                favourite = liking
                chosen = n
        if info[FAULT] != 0:
            break
        if work.settings[RANDOM] > 0.0 and fraction(work.rng) < work.settings[RANDOM]:
            chosen = below(work.rng, count)
        if not game.lists_chance and not knowledge.chancy:
            anchor = state
        if info[METHOD] == LEAF:
            anchor = expected(game, knowledge, game.result(state, work.moves[first]), info[DEPTH] - 1, work)
        write_state(work.states, length * info[LEAVES], anchor)
        work.values[length] = best if mover == 0 else -best
        work.outcome[0] = work.values[length]
        work.broken[length] = chosen != first
        if knowledge.several:
            child = game.result(state, work.moves[first])
            if game.is_terminal(child):
                knowledge.outcome(1.0 * game.utility(child, 0), work.vectors, length * WIDE)
            else:
                knowledge.chances(child, 0, work.vectors, length * WIDE)
        length += 1
        told = tell(work.moves[chosen], told, work)
        state = game.result(state, work.moves[chosen])
        anchor = state
        rolled = False
    return length


def tell(action, told, work):
    """Write a move or an outcome behind those before it, as long as there is room; how many there are then."""
    if told < LINE:
        work.line[told] = action
        work.line[told + 1] = -1
    return told + 1


def learn_game(game, knowledge, start, length, work):
    """From the last state to the first: what looking ahead found, and by lambda what came of it."""
    target = 0.0
    for n in range(length - 1, -1, -1):
        value = work.values[n]
        if n == length - 1 or work.broken[n] != 0:
            target = value
        else:
            target = value + work.settings[LAMBDA] * (target - value)
        if knowledge.several:
            fresh = n == length - 1 or work.broken[n] != 0
            for k in range(WIDE):
                value = work.vectors[n * WIDE + k]
                work.target[k] = value if fresh else value + work.settings[LAMBDA] * (work.target[k] - value)
        state = read_state(work.states, n * work.info[LEAVES], start)
        error = knowledge.adjust(state, target, work)
        if error != error:
            work.info[FAULT] = NOT_A_NUMBER
            break


def learn_leaves(game, knowledge, start, length, work):
    """Each leaf from what came after: the next values, by lambda those after them, and at last the outcome.

    What came after another move than the best says nothing of a leaf of the best one's line.
    """
    target = work.outcome[0]
    for n in range(length - 1, -1, -1):
        state = read_state(work.states, n * work.info[LEAVES], start)
        if not game.is_terminal(state) and work.broken[n] == 0:
            error = knowledge.adjust(state, target, work)
            if error != error:
                work.info[FAULT] = NOT_A_NUMBER
                break
        value = work.values[n]
        target = value if work.broken[n] != 0 else value + work.settings[LAMBDA] * (target - value)


def keep_game(length, work):
    """Add the states of a game, each with the search's value mixed with the outcome by lambda."""
    leaves = work.info[LEAVES]
    for n in range(length):
        place = work.info[STORED]
        for k in range(leaves):
            work.kept[place * leaves + k] = work.states[n * leaves + k]
        work.aims[place] = work.values[n] + work.settings[LAMBDA] * (work.outcome[0] - work.values[n])
        work.info[STORED] += 1


@kernel
def fit(game, knowledge, start, work):
    """Learn from all states that are kept, in an order drawn anew for each pass; returns how many steps were taken."""
    count = work.info[STORED]
    steps = 0
    for n in range(count):
        work.order[n] = n
    for _ in range(work.info[PASSES]):
        for n in range(count - 1, 0, -1):
            other = below(work.rng, n + 1)
            mine = work.order[n]
            work.order[n] = work.order[other]
            work.order[other] = mine
        for n in range(count):
            place = work.order[n]
            state = read_state(work.kept, place * work.info[LEAVES], start)
            error = knowledge.adjust(state, work.aims[place], work)
            steps += 1
            if error != error:
                work.info[FAULT] = NOT_A_NUMBER
                return steps
    work.info[STORED] = 0
    return steps


def expected(game, knowledge, state, depth, work):
    """The last state of the line that a search of so many plies expects from here."""
    while depth > 0 and not game.is_terminal(state) and game.to_move(state) != CHANCE:
        mover = game.to_move(state)
        best = -math.inf
        chosen = 0
        for action in game.actions(state):
            child = game.result(state, action)
            value = look(game, knowledge, child, mover, depth - 1, best, math.inf, work)
            if value > best:
                best = value
                chosen = action
        state = game.result(state, chosen)
        depth -= 1
    return state


@kernel
def look(game, knowledge, state, player, depth, alpha, beta, work):
    """The value of a state for `player` by a search of so many plies; chance ends it."""
    if game.is_terminal(state):
        return 1.0 * game.utility(state, player)
    mover = game.to_move(state)
    if depth <= 0 or mover == CHANCE:
        if knowledge.has_bounds and mover != CHANCE:  # what a search proves by itself
            least, most = knowledge.bounds(state)
            if least >= most:
                return 1.0 * least if mover == player else -1.0 * least
        return 1.0 * knowledge.evaluate(state, player)
    best = -math.inf
    low = alpha if mover == player else -beta
    high = beta if mover == player else -alpha
    for action in game.actions(state):
        value = look(game, knowledge, game.result(state, action), mover, depth - 1, low, high, work)
        if value > best or value != value:
            best = value
            low = max(low, value)
            if not low < high:
                break
    return best if mover == player else -best


def list_moves(game, state, work):
    """Write the actions down; how many there are."""
    count = 0
    for action in game.actions(state):
        if count >= game.max_actions:
            work.info[FAULT] = TOO_MANY_ACTIONS
            break
        work.moves[count] = action
        count += 1
    if count == 0:
        work.info[FAULT] = NO_ACTIONS
    return count


def draw(game, state, work):
    """What chance brings."""
    if not game.lists_chance:
        return game.sample(state, work.rng)
    left = fraction(work.rng)
    found = 0
    for outcome, probability in game.chance(state):
        found = outcome
        left -= probability
        if left < 0.0:
            break
    return found


def fraction(rng):
    """A random number above 0 and below 1."""
    return (np.int64(np.uint64(draw64(rng)) >> np.uint64(12)) + 0.5) * (1.0 / (1 << 52))
