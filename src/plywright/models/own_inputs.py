"""Inputs that an author gives a network, asked as Python: what is wrong with them, with phases and known outputs.

    class MyKnowledge(Knowledge):
        input_count = 9
        phases = 2                                          # optional: parts of the network

        def inputs(self, state, places, values):            # writes which inputs are not zero and how large, and
            ...                                             # returns how many

        def phase(self, state):                             # the part that a state is for, from 0 on
            ...

        def known(self, state, found):                      # writes the outputs themselves, where it returns True
            ...

Compiled code trusts neither: it looks at the same places, and says less of them (`network`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..bits import SCRATCH, float_scratch, scratch
from ..errors import shown
from ..rule_guard import Guard
from .linear import LARGEST

UNWRITTEN = -1
"""What is at a place that the author wrote nothing to: compiled code has anything there."""
ROUNDING = 1e-6
"""Outputs may lie beyond their ends by this."""


def examine_inputs(guard: Guard, knowledge: Any, state: Any, entries: int) -> None:
    """Raise Fault where inputs() writes what a network of so many inputs has no place for."""
    places, values = scratch(), float_scratch()
    places[:], values[:] = UNWRITTEN, math.nan
    with guard.calling("inputs"), np.errstate(over="ignore"):
        count = knowledge.inputs(state, places, values)
    if wrong := inputs_fault(count, places, values, entries):
        raise guard.fault("inputs", wrong)


def inputs_fault(count: Any, places: Any, values: Any, entries: int) -> str:
    """What is wrong with the inputs of a state, as the end of a sentence; empty where nothing is."""
    if not hasattr(count, "__index__") or not 0 <= count <= SCRATCH:
        return f"returns {shown(count)}; it returns how many inputs it has written, 0 to {SCRATCH}"
    for n in range(int(count)):
        place, value = int(places[n]), float(values[n])
        if not 0 <= place < entries:
            return (
                f"returns {count}, and places[{n}] is {place}: a place is from 0 to {entries - 1}, as input_count says"
            )
        if not math.isfinite(value):
            return f"gives {value:g} to input {place}: each is a finite number"
        if abs(value) > LARGEST:
            return f"gives {value:g} to input {place}: it lies within plus or minus {LARGEST:g}"
    return ""


def examine_phase(guard: Guard, knowledge: Any, state: Any, phases: int) -> None:
    """Raise Fault where phase() names a part that the network does not have."""
    with guard.calling("phase"):
        part = knowledge.phase(state)
    if not (hasattr(part, "__index__") or isinstance(part, np.bool_)) or not 0 <= part < phases:
        has = "phases, which nobody sets, is 1" if not hasattr(knowledge, "phases") else f"phases is {phases}"
        raise guard.fault("phase", f"is {shown(part)}; it is a whole number from 0 to {phases - 1}, since {has}")


def examine_known(guard: Guard, knowledge: Any, state: Any, outputs: int, least: float) -> bool:
    """Whether known() has written the outputs; raises Fault where one of them does not lie from `least` to 1."""
    found = float_scratch()
    found[:] = math.nan
    with guard.calling("known"), np.errstate(over="ignore"):
        known = bool(knowledge.known(state, found))
    if known:
        for n in range(outputs):
            if not least - ROUNDING <= found[n] <= 1 + ROUNDING:
                raise guard.fault("known", f"leaves {found[n]:g} in found[{n}]; an output is from {least:g} to 1")
    return known
