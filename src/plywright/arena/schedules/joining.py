"""Players that join a run which has begun: a plan that has every game of the old one, under the same numbers.

Who joins plays from the next stage on. Where pairings are fixed that is a stage of its own with all games of the
newcomers, and a newcomer may take the place of an earlier player, whose games then count no more. Where pairings follow
from results the newcomer is paired with the others from then on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...errors import BadInput
from ..outcome import Outcome
from .pairing import FixedSystem
from .progress import Progress
from .schedule import Entrant, Plan


def joined(plan: Plan, outcomes: Iterable[Outcome], newcomers: Sequence[Entrant]) -> Plan:
    """The plan with newcomers; one with the name of an earlier player takes its place. BadInput if it is over."""
    if not newcomers:
        return plan
    progress = Progress(plan, outcomes)
    names = {newcomer.name for newcomer in newcomers}
    if not progress.counted and not progress.void:
        kept = tuple(player for player in plan.players if player.name not in names)
        return replace(plan, players=kept + tuple(newcomers))
    stage = len(progress.stages) + bool(progress.stage)
    system = plan.system
    if not isinstance(system, FixedSystem):
        if not progress.stage or stage >= system.stages_at_most:
            raise BadInput(f"the {system} is over: who comes now plays in a new run")
        if again := names.intersection(plan.names):
            raise BadInput(f"{min(again)} cannot be replaced in a {system}: its pairings follow from results")
    taken = {player.name for player in plan.players} | names
    players = [_replaced(player, stage, taken) if player.name in names else player for player in plan.players]
    return replace(plan, players=(*players, *(replace(newcomer, joins=stage) for newcomer in newcomers)))


def _replaced(player: Entrant, stage: int, taken: set[str]) -> Entrant:
    """A player that gives way, under a name that is free."""
    number = 1
    while (name := f"{player.name} (submission {number})") in taken:
        number += 1
    taken.add(name)
    return replace(player, name=name, leaves=stage)
