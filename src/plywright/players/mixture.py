"""A player that is one of several by chance, drawn anew for every move: an opponent who errs now and then."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..dice import draw
from ..errors import BadInput
from ..game import Game
from ..number import sums_to_one
from .player import Player
from .turn import Turn


class MixturePlayer(Player):
    """With probability p_i the choice of player i; the probabilities sum to one."""

    def __init__(self, parts: Sequence[tuple[float, Player]], name: str = "") -> None:
        total = math.fsum(probability for probability, _ in parts)
        if not parts or any(not 0 < probability <= 1 for probability, _ in parts) or not sums_to_one(total):
            shown = " + ".join(f"{probability:g}" for probability, _ in parts)
            raise BadInput(f"the probabilities of a mixture are above 0 and sum to 1; these are {shown} = {total:g}")
        self.parts = list(parts)
        self.name = name or "mixture:" + "+".join(f"{weight:g}*{player.name}" for weight, player in parts)
        self.fingerprint = " ".join(player.fingerprint for _, player in parts).strip()
        self.isolation = "; ".join(dict.fromkeys(player.isolation for _, player in parts))
        self.info = {}

    def players(self) -> list[Player]:
        return [player for _, player in self.parts]

    def prepare(self, game: Game) -> None:
        for player in self.players():
            player.mode = self.mode
            player.prepare(game)
            self.mistake = self.mistake or player.mistake

    def begin(self, game: Game, seat: int, seed: int) -> None:
        for player in self.players():
            player.start, player.opening, player.mode = self.start, self.opening, self.mode
            player.begin(game, seat, seed)

    def choose(self, game: Game, turn: Turn) -> int:
        chosen = draw(turn.rng, [(player, probability) for probability, player in self.parts])
        chosen.info, chosen.elapsed = {}, None
        try:
            return chosen.choose(game, turn)
        finally:
            self.info, self.elapsed = {**chosen.info, "by": chosen.name}, chosen.elapsed

    def observe(self, game: Game, view: Any, seat: int, mover: int, action: int | None) -> None:
        for player in self.players():
            player.observe(game, view, seat, mover, action)

    def end(self, game: Game, seat: int, payoff: float) -> None:
        for player in self.players():
            player.end(game, seat, payoff)

    def stop(self) -> None:
        for player in self.players():
            player.stop()

    def close(self) -> None:
        for player in self.players():
            player.close()
