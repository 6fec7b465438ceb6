"""Depth-first proof-number search (Nagai 2002): can the attacker reach a utility, whatever the other side does?

Every node has a proof number, the least count of leaves that would have to be proved to prove it, and a disproof
number. The search goes down to the most proving node and stays below a node until one of its numbers reaches a
threshold, at which another branch has become easier. Numbers are kept in a table of fixed size.

Draws are failures of the attacker, and so is a state that repeats one of the line, or that the game before has had so
often that it is drawn when it comes again: that is the same on every line. A disproof that rests on such a
repetition holds on this line only (the graph-history interaction): it is kept under a key that has the line in it, and
serves no other one. A proof never rests on a repetition, and holds everywhere.
"""

from __future__ import annotations

from typing import Any

from ...bits import fold, signed
from ...compiled import kernel
from ...counters import FAULT, HEADER, NO_ACTIONS, NODES, STOPPED, spent
from ...knowledge import Knowledge
from ..alphabeta.repetition import times_past

INFO = 9
MASK, GAVE_UP, PEAK, PROOFS, PAST_MASK = range(HEADER, INFO)
"""GAVE_UP is set where a line was given up for its length: nothing is then disproved. PEAK is the longest line, PROOFS
counts the nodes that were proved."""
INFINITY = 1 << 30
MAX_PLY = 1000
ENTRY = 4  # words: key, proof number, disproof number, nodes below
BUCKET = 4  # entries
NOWHERE = 1 << 20
"""A ply below any line: a result that depends on none of its states."""
SALT = 0x2545F4914F6CDD1D
TURN = 0x5851F42D4C957F2D


@kernel
def dfpn(game, knowledge, state, player, target, ply, proof, disproof, work):
    """Search below `state` until its proof number reaches `proof`, or its disproof number `disproof`.

    `work.out` then holds both numbers, and the highest ply whose state a disproof rests on. (0, INFINITY) proves that
    `player` gets at least `target` units from here, (INFINITY, 0) that it does not. Means nothing once info[STOPPED]
    is set.
    """
    info, out = work.info, work.out
    if spent(work, 0):
        return
    before = info[NODES]
    info[PEAK] = max(info[PEAK], ply)
    is_attacker = game.team(game.to_move(state)) == game.team(player)
    key = filed_key(knowledge, state, is_attacker)
    if game.repeats:
        work.keys[ply] = signed(game.repetition_key(state))
        above = work.paths[ply - 1] if ply > 0 else 0
        work.paths[ply] = above ^ signed(fold(work.keys[ply], SALT))

    # 1. What is known of the successors.
    base = ply * game.max_actions
    count = 0
    for action in game.actions(state):
        if count == game.max_actions:
            break
        work.actions[base + count] = action
        look(game, knowledge, game.result(state, action), player, target, ply + 1, base + count, work)
        count += 1
    if count == 0:
        info[FAULT] = NO_ACTIONS
        info[STOPPED] = 1
        return

    while True:
        # 2. The attacker needs one proof among its moves, the defender one disproof.
        total, least, second, best, rests = 0, INFINITY, INFINITY, 0, NOWHERE
        for row in range(base, base + count):
            easy, hard = work.proof[row], work.disproof[row]
            if not is_attacker:
                easy, hard = hard, easy
            # What lines share is counted more than once, on a cycle without end: only what is decided is infinite.
            total = INFINITY if max(total, hard) >= INFINITY else min(total + hard, INFINITY - 1)
            if easy < least:
                second, least, best = least, easy, row
            elif easy < second:
                second = easy
        first = least if is_attacker else total
        other = total if is_attacker else least
        if first >= INFINITY and other == 0:
            rests = dependence(is_attacker, base, count, best, work)
        if first >= proof or other >= disproof or first == 0 or other == 0:
            break

        # 3. Into the easiest of them, until it is no longer that or this node's threshold is reached.
        patience = max(second + 1, second + (second >> 2))
        if is_attacker:
            next_proof, next_disproof = min(proof, patience), disproof - other + work.disproof[best]
        else:
            next_proof, next_disproof = proof - first + work.proof[best], min(disproof, patience)
        child = game.result(state, work.actions[best])
        if ply + 1 >= MAX_PLY:
            info[GAVE_UP] = 1
            out[0], out[1], out[2] = INFINITY, 0, 0
        else:
            dfpn(game, knowledge, child, player, target, ply + 1, next_proof, next_disproof, work)
            if info[STOPPED] != 0:
                return
        work.proof[best], work.disproof[best], work.rests[best] = out[0], out[1], out[2]
        for row in range(base, base + count):
            if row != best and work.proof[row] != 0 and work.disproof[row] != 0:
                recall(work, row, work.child_keys[row], ply)

    # 4. Keep what was found; a disproof that rests on a state above only for this line.
    if rests < ply:
        store(work, key ^ work.paths[ply - 1], first, other, info[NODES] - before)
    else:
        rests = NOWHERE
        if first == 0:  # when it was proved: its successors were proved before, so a walk along proofs ends
            info[PROOFS] += 1
            other = INFINITY + info[PROOFS]
        store(work, key, first, other, info[NODES] - before)
    out[0], out[1], out[2] = first, other, rests


def look(game, knowledge, child, player, target, ply, row, work):
    """Put what is known of a successor, at `ply`, into its row: finished, repeating, met before, or new."""
    work.child_keys[row] = 0
    work.rests[row] = NOWHERE
    if game.is_terminal(child):
        is_reached = game.utility(child, player) * work.units[0] > target - 0.5
        work.proof[row] = 0 if is_reached else INFINITY
        work.disproof[row] = INFINITY if is_reached else 0
        return
    if game.repeats:
        key = signed(game.repetition_key(child))
        if times_past(key, work.past, work.info[PAST_MASK]) != 0:
            work.proof[row], work.disproof[row] = INFINITY, 0
            return
        for above in range(ply):
            if work.keys[above] == key:
                work.proof[row], work.disproof[row], work.rests[row] = INFINITY, 0, above
                return
    is_attacker = game.team(game.to_move(child)) == game.team(player)
    work.child_keys[row] = filed_key(knowledge, child, is_attacker)
    work.proof[row] = 0
    if not recall(work, row, work.child_keys[row], ply - 1):
        # A new node: the more moves somebody has, the harder it is to show that none of them helps.
        moves = 0
        for _ in game.actions(child):
            moves += 1
        work.proof[row] = 1 if is_attacker else moves
        work.disproof[row] = moves if is_attacker else 1


def filed_key(knowledge: Knowledge, state: Any, is_attacker: bool) -> int:
    """What an entry is filed under: all that decides who reaches the target.

    A key may leave out who is to move, since values are the mover's, and counters that end a game. The numbers here are
    the attacker's, and a proof may take longer than another counter leaves.
    """
    rest = 1 if is_attacker else 0
    if knowledge.counts_down:
        rest += 2 * knowledge.plies_left(state) + 2
    return signed(knowledge.key(state)) ^ signed(fold(rest + 1, TURN))


def dependence(is_attacker, base, count, best, work):
    """The highest ply that a disproof of the node rests on: all of the attacker's moves, or one of the defender's."""
    if not is_attacker:
        rests = 0
        for row in range(base, base + count):  # of several disproofs the one that rests on least
            if work.disproof[row] == 0:
                rests = max(rests, work.rests[row])
        return rests
    rests = NOWHERE
    for row in range(base, base + count):
        rests = min(rests, work.rests[row])
    return rests


def recall(work, row, key, ply):
    """Put the table's numbers for a key into a row, if it has any: for every line, or for the one down to `ply`."""
    at = find(work, key)
    if at >= 0:
        work.proof[row], work.disproof[row] = work.table[at + 1], work.table[at + 2]
        if work.table[at + 2] == 0 or work.table[at + 1] == 0:
            work.rests[row] = NOWHERE
            return True
    if work.paths[ply] != 0:
        there = find(work, key ^ work.paths[ply])
        if there >= 0 and work.table[there + 2] == 0:
            work.proof[row], work.disproof[row], work.rests[row] = INFINITY, 0, 0
            return True
    return at >= 0


def find(work, key):
    """Where the entry of a key is; -1 where there is none."""
    bucket = (key >> 20 & work.info[MASK]) * ENTRY * BUCKET
    for entry in range(BUCKET):
        at = bucket + entry * ENTRY
        if work.table[at] == key and work.table[at + 3] != 0:
            return at
    return -1


def store(work, key, proof, disproof, nodes):
    """Keep the numbers of a key, in place of what took fewest nodes in its bucket; decided entries weigh more."""
    table = work.table
    bucket = (key >> 20 & work.info[MASK]) * ENTRY * BUCKET
    place, least = bucket, -1
    for entry in range(BUCKET):
        at = bucket + entry * ENTRY
        if table[at] == key or table[at + 3] == 0:
            place = at
            break
        weight = table[at + 3] * (4 if table[at + 1] == 0 or table[at + 2] == 0 else 1)
        if least < 0 or weight < least:
            place, least = at, weight
    table[place], table[place + 1], table[place + 2], table[place + 3] = key, proof, disproof, max(nodes, 1)
