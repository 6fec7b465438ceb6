"""Knowledge: everything that makes a search of a game better and changes no value.

    class ChompKnowledge(Knowledge):
        def evaluate(self, state, player): ...          # an estimate, from the player's perspective
        def priority(self, state, action, depth): ...   # which action to try first

    class Chomp(Game):
        knowledge = ChompKnowledge                      # the default; search(..., knowledge=...) takes another

The rules say what is legal and what it pays; a `Knowledge` stands beside them, with `self.game` at hand. All of it is
optional, and what a knowledge does not define costs nothing. Its arrays are data at run time: ten sets of weights
share one compilation. `docs/knowledge.md` has the contracts, `plywright doctor` holds them against the rules.

The class is put together from three files, each of which builds on the one before: `facts.py` (what follows from what
a knowledge defines), `hooks.py` (what searches ask), `knowledge.py` (its making, and what it tells people);
`choice.py` finds the knowledge of a search.
"""

from __future__ import annotations

from ..weighted import Term
from .choice import NoKnowledge, knowledge_of, named_knowledge, old_hooks_note
from .facts import HOOKS
from .knowledge import Knowledge

__all__ = ["HOOKS", "Knowledge", "NoKnowledge", "Term", "knowledge_of", "named_knowledge", "old_hooks_note"]
