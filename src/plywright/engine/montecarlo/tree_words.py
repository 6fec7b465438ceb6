"""The words of `work.info` and the numbers of `work.scale` by which a Monte Carlo tree is grown, and its sentinels."""

from __future__ import annotations

from ...contracts import BEYOND as BEYOND
from ...contracts import MOST_MOVES as MOST_MOVES
from ...counters import HEADER

INFO = 22
LENGTH, USED, SIZE, FULL, DEEPEST, LONGEST, CUT, WIDTH, VIEW, PROVE, ADAPT, PLIES = range(HEADER, 16)
"""NODES counts simulations; PLIES those played in simulations; CUT the ones that ended at LONGEST plies."""
RIPE, PLAYED, PAST_MASK, TOUCHED, OWNING, OWNED = range(16, INFO)
"""Visits after which a node gets children; whether the knowledge plays the simulations; TOUCHED slots of `who`;
whether `owned` is counted, and in how many simulations it was."""

SCALES = 8
BONUS, EXPLORATION, LEAST, MOST, TOP, MIDDLE, RAVE, URGENCY = range(SCALES)
"""BONUS is the square of exploration times spread; LEAST and MOST hold the spread; TOP is the best utility there is;
RAVE the visits at which a move's own value and its all-moves-as-first value weigh the same; URGENCY how many spreads
an untried move counts below its position."""

UNOPENED = -2
"""The mover of a node whose children are not listed yet."""
DEEPEST_TREE = 1024
"""Plies that the tree itself can have; below them simulations go on at random."""
SAMPLED = 8
"""Ownership is counted in one of this many simulations."""
SLOTS = 4096
"""Slots of the table of who first played an action in a simulation, indexed by the action's lowest bits."""
PAST_PLACES = 4096
"""Slots of the table of states before the root; at most half of them are used."""
