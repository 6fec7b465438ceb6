"""Perfect opponents or modelled ones: the best move under each assumption, valued under both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import BadInput
from ...game import CHANCE, Game
from ..api import search
from ..limits import Limit
from ..options import SearchOptions
from ..suitability import usual
from .opponent_models import Policy


@dataclass(frozen=True)
class Comparison:
    """The value of every action, to the same depth, under both assumptions about the other players."""

    player: int
    depth: int
    against_best: dict[int, float]
    against_model: dict[int, float]
    algorithms: tuple[str, str]

    @property
    def cautious(self) -> int:
        """What to play against opponents who play their best; among equals, the better against the model."""
        return max(self.against_best, key=lambda action: (self.against_best[action], self.against_model[action]))

    @property
    def knowing(self) -> int:
        """What to play against opponents who play as the model does; among equals, the safer one."""
        return max(self.against_model, key=lambda action: (self.against_model[action], self.against_best[action]))

    @property
    def gain(self) -> float:
        """How much better the knowing choice does against the model."""
        return self.against_model[self.knowing] - self.against_model[self.cautious]

    @property
    def price(self) -> float:
        """How much worse it does against the best."""
        return self.against_best[self.cautious] - self.against_best[self.knowing]


def compare(game: Game, state: Any, policy: Policy, *, limit: Limit) -> Comparison:
    """Search a position twice: with everybody at their best, and with everybody of another team playing by `policy`."""
    state = game.start_state if state is None else game.vouched(state)
    if game.is_terminal(state):
        raise BadInput(f"the game is over in this position of {game.name}: there is nothing to compare")
    player = int(game.to_move(state))
    if player == CHANCE:
        raise BadInput(f"in this position of {game.name} chance decides, not a player: play an outcome first")
    others = [other for other, team in enumerate(game.team_of) if team != game.team_of[player]]
    if not others:
        raise BadInput(f"nobody plays against {game.player_name(player)} in {game.name}: there is no one to model")
    # Simulations have no depth, and what the engine leaves out by guess would count as the opponents' weakness.
    algorithm = usual(game, {})
    options: SearchOptions = {"exact": True} if algorithm == "pvs" else {}
    best = search(game, state, limit=limit, algorithm=algorithm, all_actions=True, **options)
    if not best.actions:
        raise BadInput(f"not even one ply of {game.name} was finished within the limit: give more time, or a depth")
    depth = best.depth
    models = dict.fromkeys(others, policy)
    model = search(game, state, depth=depth, opponents=models, all_actions=True)
    return Comparison(player, depth, dict(best.actions), dict(model.actions), (best.algorithm, model.algorithm))
