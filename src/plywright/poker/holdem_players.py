"""Players of hold'em: a trained strategy (`blueprint`, `blueprint:FILE`), and rules of thumb to measure others by."""

from __future__ import annotations

import functools
from importlib.resources import as_file, files
from typing import Any

from ..dice import draw
from ..errors import BadInput, Unsuitable
from ..game import Game
from ..games.holdem.notation import card_list
from ..games.holdem.preflop import against_random, kind_of
from ..games.holdem.rules import CALL, FOLD, Holdem
from ..games.holdem.strength import expected_strength
from ..players import Player, Turn
from .betting_tree import BETS, BLINDS
from .match_kernels import STRONG, WEAK
from .strategy_file import HoldemStrategy


def hold_em(game: Game, who: str) -> Holdem:
    if not isinstance(game, Holdem):
        raise Unsuitable(f"{who} plays hold'em, not {game.name}")
    return game


@functools.cache
def shipped_strategy() -> HoldemStrategy:
    """The strategy that comes with the package."""
    with as_file(files("plywright.poker").joinpath("holdem.strategy")) as path:
        return HoldemStrategy.load(path)


class BlueprintPlayer(Player):
    """Draws each act with the share that a strategy for heads-up limit hold'em gives it."""

    draws = True

    def __init__(self, path: str, game: Game, name: str = "") -> None:
        table = hold_em(game, "a strategy for hold'em")
        if not table.is_usual:
            raise BadInput(
                f"a strategy for heads-up limit hold'em cannot play {game.name}: it is for two seats, 52 cards, bets "
                f"of {BETS[0] // BLINDS[0]} and {BETS[2] // BLINDS[0]} big blinds, and stacks that pay them all"
            )
        self.strategy = HoldemStrategy.load(path) if path else shipped_strategy()
        self.name = name or (f"blueprint:{path}" if path else "blueprint")
        self.fingerprint = f"strategy {self.strategy.checksum}"
        self.info = {}

    def prepare(self, game: Game) -> None:
        expected_strength((0, 1), (2, 3, 4))  # compiled before the clocks run

    def choose(self, game: Game, turn: Turn) -> int:
        table = hold_em(game, self.name)
        hand, board = card_list(turn.view.hands[turn.seat]), table.board_list(turn.view)
        shares = self.strategy.play(table.betting_text(turn.view), hand, board)
        words = ("fold", "call" if FOLD in turn.legal else "check", table.raise_word(turn.view))
        self.info = {"probabilities": {words[act]: round(shares[act], 4) for act in turn.legal}}
        legal = [(act, share) for act, share in enumerate(shares) if act in turn.legal and share > 0.0]
        total = sum(share for _, share in legal)
        return int(draw(turn.rng, [(act, share / total) for act, share in legal])) if legal else CALL


class RulePlayer(Player):
    """A rule of thumb: `always-call`, `always-raise`, or `hand-strength`: raise strong hands, fold weak ones."""

    def __init__(self, rule: str, game: Game) -> None:
        hold_em(game, rule)
        self.rule = self.name = rule
        self.info = {}

    def prepare(self, game: Game) -> None:
        if self.rule == "hand-strength":
            expected_strength((0, 1), (2, 3, 4))

    def choose(self, game: Game, turn: Turn) -> int:
        least = next((action for action in turn.legal if action > CALL), CALL)  # the smallest raise
        if self.rule == "always-call":
            return CALL
        if self.rule == "always-raise":
            return least
        strength = self.strength(hold_em(game, self.rule), turn.view, turn.seat)
        self.info = {"value": strength}
        if strength > STRONG:
            return least
        return FOLD if strength < WEAK and FOLD in turn.legal else CALL

    def strength(self, game: Holdem, view: Any, seat: int) -> float:
        """The share of other hands that this one beats in the end."""
        hand, board = card_list(view.hands[seat]), game.board_list(view)
        return expected_strength(hand, board)[0] if board else float(against_random()[kind_of(*hand)])


RULES = ("always-call", "always-raise", "hand-strength")
