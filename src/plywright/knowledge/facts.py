"""What a knowledge says about itself: the game it is of, which hooks it defines, what kernels read of that."""

from __future__ import annotations

import numpy as np

from ..game import Game
from ..identity import WORKED_OUT, Identified

HOOKS = (
    *("key", "priority", "candidates", "bounds", "is_quiet", "noisy", "null_move", "is_late", "finish"),
    *("index", "unindex", "is_hole", "foregone", "plies_left"),
    *("extend", "tactical", "margin", "slot", "probcut_row"),
    *("structure_key", "structure", "evaluate_with", "evaluate_from", "evaluate_beside"),
    *("shape", "pattern", "pattern_bits", "needed_for", "relied", "spares", "grounds", "banked"),
    *("playout", "playout_moves", "prior", "owner"),
)
"""What a knowledge may say beside `evaluate`."""
FACTS = (
    *("evaluates", "use_history", "fixed_states"),
    *("has_priority", "has_candidates", "has_bounds", "has_is_quiet", "has_noisy", "has_null_move", "has_is_late"),
    *("has_table", "counts_down", "counts_in_keys"),
    *("has_extend", "has_tactical", "has_margin", "has_slot", "has_probcut", "has_structure"),
    *("has_memory", "has_siblings"),
    "has_patterns",
    *("has_playout", "has_playout_moves", "has_prior", "has_owners", "places"),
)
"""The attributes that kernels read as compile-time constants."""

FINEST = 1 << 14
"""About how many units of the engine a win is worth, where there is an evaluation."""


class Facts(Identified):
    """What follows from what a knowledge defines."""

    _protocol = True
    _surveyed = ("fixed_states",)

    game: Game
    """The rules that this is knowledge of."""

    @property
    def evaluates(self) -> bool:
        """Whether there is an evaluation: here, or in the rules."""
        return self.overrides("evaluate") or self.game.evaluates

    @property
    def fixed_states(self) -> bool:
        """Whether all states are alike, so that their numbers mix to a key."""
        return self.game.fixed_states

    @property
    def lasting_keys(self) -> bool:
        """Whether another process gives states the same keys."""
        return self.overrides("key") or self.game.fixed_states or self.game._survey.lasting

    @property
    def has_priority(self) -> bool:
        """Whether it orders actions: the class defines `priority`."""
        return self.overrides("priority")

    @property
    def has_candidates(self) -> bool:
        """Whether it leaves actions out: the class defines `candidates`."""
        return self.overrides("candidates")

    @property
    def has_bounds(self) -> bool:
        """Whether it proves intervals: the class defines `bounds`."""
        return self.overrides("bounds")

    @property
    def has_is_quiet(self) -> bool:
        """Whether it tells quiet states from others: the class defines `is_quiet`."""
        return self.overrides("is_quiet")

    @property
    def has_null_move(self) -> bool:
        """Whether passing can be tried: the class defines `null_move`."""
        return self.overrides("null_move")

    @property
    def has_noisy(self) -> bool:
        """Whether there are actions to look at beyond the depth limit: the class defines `noisy`."""
        return self.overrides("noisy")

    @property
    def has_is_late(self) -> bool:
        """Whether `finish` may take over: the class defines `is_late`."""
        return self.overrides("is_late")

    @property
    def has_index(self) -> bool:
        """Whether it numbers positions for endgame tables: the class defines `index`."""
        return self.overrides("index")

    @property
    def has_table(self) -> bool:
        """Whether searches have a table to look positions up in."""
        return "table_data" in vars(self)

    @property
    def has_extend(self) -> bool:
        """Whether it has states searched deeper: the class defines `extend`."""
        return self.overrides("extend")

    @property
    def has_tactical(self) -> bool:
        """Whether it tells tactical actions from others: the class defines `tactical`."""
        return self.overrides("tactical")

    @property
    def has_margin(self) -> bool:
        """Whether it says how far values stray from evaluations: the class defines `margin`."""
        return self.overrides("margin")

    @property
    def has_slot(self) -> bool:
        """Whether it says which actions are alike: the class defines `slot`."""
        return self.overrides("slot")

    @property
    def has_probcut(self) -> bool:
        """Whether it says how far deep searches differ from shallow ones: `probcut` is set."""
        return vars(self).get("probcut") is not None

    @property
    def has_structure(self) -> bool:
        """Whether a part of its evaluation is worth keeping; a class that redefines `evaluate` alone has none."""
        if not all(self.overrides(hook) for hook in ("structure_key", "structure", "evaluate_with")):
            return False
        return self._made_with_evaluate("evaluate_with")

    @property
    def has_memory(self) -> bool:
        """Whether an evaluation helps the next ones; a class that redefines `evaluate` alone does without."""
        return self._made_with_evaluate("evaluate_from")

    @property
    def has_siblings(self) -> bool:
        """Whether states that one state leads to share work; a class that redefines `evaluate` alone does without."""
        return self._made_with_evaluate("evaluate_beside")

    def _made_with_evaluate(self, hook: str) -> bool:
        """Whether a hook is defined, and nobody has evaluated otherwise since."""
        if not self.overrides(hook):
            return False
        made = next(cls for cls in type(self).__mro__ if {"evaluate", "evaluate_with", hook} & vars(cls).keys())
        return hook in vars(made)

    @property
    def has_patterns(self) -> bool:
        """Whether it can tell what values rest on: the class defines `shape` and `pattern`."""
        return self.overrides("shape") and self.overrides("pattern")

    @property
    def has_playout(self) -> bool:
        """Whether it plays simulations itself: the class defines `playout`."""
        return self.overrides("playout")

    @property
    def has_playout_moves(self) -> bool:
        """Whether it tells which moves its simulations made: the class defines `playout_moves`."""
        return self.overrides("playout_moves")

    @property
    def has_prior(self) -> bool:
        """Whether it says which actions look promising: the class defines `prior`."""
        return self.overrides("prior")

    @property
    def has_owners(self) -> bool:
        """Whether its simulations tell whose places will be: it has `places`, `owner`, `playout`, and two players."""
        told = bool(getattr(self, "places", 0)) and self.overrides("owner") and self.has_playout
        return told and self.game.players == 2 and not self.game.hidden

    @property
    def counts_down(self) -> bool:
        """Whether a counter that the key may leave out can end the game."""
        return self.overrides("plies_left") and self.overrides("key")

    @property
    def counts_in_keys(self) -> bool:
        """Whether searches put that counter into the keys themselves.

        A win takes so many plies, and fewer left never help to avoid a draw: in a game of wins and draws alone a value
        of other plies left can be told from its distance. What lies between a draw and a win has none.
        """
        return self.counts_down and not self.game.only_draws_between

    @property
    def hooks(self) -> list[str]:
        """The hooks that this knowledge defines."""
        return [hook for hook in HOOKS if self.overrides(hook)]

    @property
    def units(self) -> float:
        """How many of the engine's units are one utility: whole numbers for utilities, a fine scale for evaluations."""
        game = self.game
        if not game.step:
            return 0.0
        steps = max(abs(game.utility_range[0]), abs(game.utility_range[1])) / game.step
        fine = max(1, int(FINEST / max(steps, 1))) if self.evaluates else 1
        return fine / game.step

    def runtime_names(self) -> tuple[str, ...]:
        """Names of the attributes that travel as data: those declared, and all arrays."""
        own = (name for name in vars(self) if name not in WORKED_OUT)
        arrays = [name for name in own if isinstance(vars(self)[name], np.ndarray)]
        return tuple(dict.fromkeys((*self.runtime, *sorted(arrays))))

    def _roots(self) -> tuple[str, ...]:
        return "evaluate", "key", "candidates", *self.hooks  # of the others nothing is compiled

    def _facts(self) -> tuple[str, ...]:
        return FACTS

    def _base(self) -> str:
        return f"{self.game.fingerprint}"

    def _named_parts(self) -> tuple[tuple[str, Identified], ...]:
        return (("game", self.game),)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.name}>"
