"""The Game protocol: write the rules once, as pure methods over an immutable state.

    class TicTacToe(Game):
        def initial(self): ...                  # a NamedTuple of numbers (or an int, or a tuple)
        def to_move(self, state): ...           # 0 .. players-1, or CHANCE
        def actions(self, state): ...           # yields ints >= 0
        def result(self, state, action): ...    # a new state
        def is_terminal(self, state): ...       # may be left out: terminal means no actions
        def utility(self, state, player): ...   # at terminals, in that player's view

Everything else has a default. What kind of game it is (chance, hidden information, teams) follows
from what the class defines.

The class is put together from four files, each of which builds on the one before: `identity.py` (freezing and the
fingerprint), `facts.py` (what a game says about itself), `rules.py` (states and actions), `notation.py` (texts and
pictures).
"""

from __future__ import annotations

import re

from ..identity import is_shipped
from .facts import FACTS
from .notation import Notation, Problem
from .rules import CHANCE, REQUIRED, RULES


class Game(Notation):
    """Rules of one game. Subclass it; no registration and no `super().__init__()` is needed.

    A game defines `initial`, `to_move`, `actions`, `result` and `utility`; all else has a default:

    - *facts* are class attributes, or set in `__init__`: `players`, `teams`, `utility_range`, `max_actions`, ...
    - *chance*: `to_move` answers `CHANCE`, and `chance` lists the outcomes (or `sample` draws one)
    - *hidden information*: `observation` is what a seat sees, `deal` or `deals` the states that look like it
    - *words and pictures*: `format_action`, `parse_action`, `format_state`, `parse_state`, `picture`
    - *knowledge*: `evaluate`, and everything else that helps a search in a `Knowledge`

    From its first search on a game is frozen: its attributes and its class can no longer be changed.
    `plywright new mygame.py` writes a game to begin from, `plywright doctor ./mygame.py` examines one.
    """

    _protocol = True
    _surveyed = ("fixed_states", "fixed_views", "shapeless", "_outgrown")

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not vars(cls).get("name"):
            type.__setattr__(cls, "name", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower())

    # -- identity: what compiled code is made from, see identity.py -------------------------------------------

    def _roots(self) -> tuple[str, ...]:
        return tuple(rule for rule in RULES if rule != "count_actions" or self.counts_actions)

    def _facts(self) -> tuple[str, ...]:
        return FACTS

    def _base(self) -> str:
        return str(self._start[1])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    def _repr_svg_(self) -> str:
        return self.picture(self.start_state).svg


__all__ = ["CHANCE", "FACTS", "REQUIRED", "RULES", "Game", "Problem", "is_shipped"]
