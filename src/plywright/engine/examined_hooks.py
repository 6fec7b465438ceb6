"""What a proof rests on beside the rules: the hooks of users, and whether the doctor has passed them.

A wrong candidates() or bounds() makes a wrong proof, and no search can see that. So a proof names those hooks until
the doctor has examined the same rules, data and engine. That is remembered beside the compiled code, in a folder that
nobody else can write to; rules that are edited have another fingerprint and are examined anew.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ..compiled import cache_folder
from ..files import write_whole
from ..identity import is_shipped
from ..knowledge import Knowledge

FOR_PROOFS = (
    *("candidates", "bounds", "is_late", "finish", "key", "repetition_key"),
    *("shape", "pattern", "pattern_bits", "needed_for", "relied", "spares", "grounds", "banked"),
)
"""The hooks whose faults can make a proof wrong; a fault in any other hook only makes the search slower."""


def unexamined(knowledge: Knowledge, hooks: Sequence[str]) -> tuple[str, ...]:
    """The hooks of a user's own game or knowledge that the doctor has not passed."""
    own = [] if is_shipped(knowledge) else [hook for hook in knowledge.hooks if hook in hooks]
    game = knowledge.game
    if not is_shipped(game) and "repetition_key" in hooks and game.overrides("repetition_key"):
        own.append("repetition_key")
    found = tuple(own)
    if not found:
        return ()
    from .alphabeta.table_file import identity  # imported late: the doctor imports the engine, which imports this

    return () if was_passed(identity(knowledge)) else found


def was_passed(rules: str) -> bool:
    from ..native.codecache import own_folder

    try:
        return own_folder() and json.loads(_place(rules).read_bytes()) == {"passed": rules}
    except (OSError, ValueError, RecursionError):
        return False


def remember_passed(rules: str) -> None:
    """Remember that the doctor has passed rules of this identity; does nothing where there is no cache folder."""
    from ..native.codecache import own_folder

    if not own_folder():
        return
    try:
        _place(rules).parent.mkdir(exist_ok=True, mode=0o700)
        write_whole(_place(rules), json.dumps({"passed": rules}).encode())
    except OSError:
        return


def _place(rules: str) -> Path:
    return cache_folder() / "examined" / f"{rules}.json"
