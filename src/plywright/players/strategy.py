"""A player that follows a saved strategy: `policy:FILE`, as `plywright solve GAME --equilibrium --save FILE` writes."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ..equilibrium import Strategy
from ..errors import BadInput
from ..game import Game
from .policy import PolicyPlayer


class StrategyPlayer(PolicyPlayer):
    """Draws each action with the probability that the strategy gives it where the seat sees what it sees."""

    def __init__(self, path: str, game: Game, name: str = "") -> None:
        if not path.strip():
            raise BadInput("policy: needs the file of a strategy, such as policy:kuhn.json")
        strategy = Strategy.load(path, game)
        super().__init__(lambda game, view, seat: strategy.probabilities(view, seat), name or f"policy:{path}")
        self.fingerprint = f"strategy {hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]}"
