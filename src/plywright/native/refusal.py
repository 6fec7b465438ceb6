"""Why a game could not be compiled: Numba's message, boiled down to a line and a reason."""

from __future__ import annotations

import re
import types as pytypes
from collections.abc import Sequence

from ..compiled import Uncompilable
from ..identity import Identified

_LOCATION = re.compile(r'File "([^"]+)", line (\d+)|(?:at|[Rr]aised from) (\S+) \((\d+)\)')
_NOISE = re.compile(
    r"^(Failed in|- Resolution failure|Invalid use of|Known signatures|During:|There are|Overload|File |None$|"
    r"[Rr]aised from|Enable|This error|- |\^|\*|<source|def |$)"
)
_SETS = "a constant set is compiled if it holds whole numbers, or tuples of them all of one length, and is not empty"
_HINTS = {
    "yield in a closure": "generator expressions, as in any(x for x in ...), are not compiled: write a loop",
    "GET_YIELD_FROM_ITER": "`yield from` is not compiled: write `for x in ...: yield x`",
    "IMPORT_NAME": "an import inside a rule is not compiled: import at the top of the file",
    "name 'super'": "super() is not compiled: call the base class's rule under a name of its own",
    "Cannot determine Numba type of <class 'dict'>": (
        "a constant dict is compiled if its keys are whole numbers or tuples of them, its values numbers, or tuples "
        "and lists of numbers, all alike, and it is not empty; number other keys"
    ),
    "Cannot determine Numba type of <class 'set'>": _SETS,
    "Cannot determine Numba type of <class 'frozenset'>": _SETS,
    "constant set(": "a constant set is asked with `in` alone: to go through it, write a tuple or a list",
    "getitem(Tuple(": (
        "rows of different kinds are not compiled: lists of lists of numbers are, all of the same depth, of any length"
    ),
    "setitem(UniTuple": "a tuple does not change: write board = replaced(board, index, value), from plywright",
    "Exception object cannot be stored": "`except ... as error` is not compiled: leave out `as error`",
}


def explain(error: Exception, subjects: Sequence[Identified]) -> Uncompilable:
    """Numba's message, boiled down to a place in the author's file and one reason."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    file, line = _place(text, subjects)
    rows = [row.strip() for row in text.splitlines()]
    reason = next((row for row in rows if not _NOISE.match(row)), type(error).__name__)
    if call := re.search(r">>> (.+)", text):
        reason = f"{call[1]} has no compiled form"
    reason = next((hint for sign, hint in _HINTS.items() if sign in text), reason)
    if re.search(r"uint64|(and_?|or_?|shift|invert)\(.*float64", reason) and "float64" in text:
        reason += "; np.uint64 mixed with plain ints gives floats: write np.uint64(1) for 1"
    return Uncompilable(reason[:300], file, line)


def _place(text: str, subjects: Sequence[Identified]) -> tuple[str | None, int | None]:
    """The innermost line of the author's own sources that the message names; else the rule it names."""
    own = {
        member.__code__.co_filename
        for subject in subjects
        for cls in type(subject).__mro__
        if issubclass(cls, Identified) and not vars(cls)["_protocol"]
        for member in vars(cls).values()
        if isinstance(member, pytypes.FunctionType)
    }
    for match in _LOCATION.finditer(text):
        named, number = match[1] or match[3], int(match[2] or match[4])
        for candidate in own:
            if candidate == named or candidate.endswith("/" + named.lstrip("./")):
                return candidate, number
    if rule := re.search(r"\('plywright', '(\w+)'\)", text):
        for subject in reversed(subjects):
            function = getattr(type(subject), rule[1], None)
            if isinstance(function, pytypes.FunctionType):
                return function.__code__.co_filename, function.__code__.co_firstlineno
    return None, None
