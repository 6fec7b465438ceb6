"""Time to the same depth and the same value as OpenSpiel's and easyAI's Python alpha-beta."""

from __future__ import annotations

import importlib.util
import random
from typing import Any

import numpy as np

from measure import Row, rate, seconds, short, side_by_side, skipped
from plywright import load_game, search
from plywright.bits import popcount
from plywright.games.connect_four.rules import ConnectFour
from plywright.games.othello.rules import Othello


class DiscCounting(Othello):
    """Othello with the trivial evaluation that the rivals are given too: the disc difference."""

    def evaluate(self, state: Any, player: int) -> float:
        difference = popcount(state.mine) - popcount(state.theirs)
        return difference if player == self.to_move(state) else -difference


class Blind(ConnectFour):
    """Connect Four without knowledge: every unfinished position is worth 0."""

    def evaluate(self, state: Any, player: int) -> float:
        return 0


def have(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def othello_against_open_spiel(depth: int = 6, plies: int = 20) -> Row:
    name, target = f"Othello, alpha-beta to depth {depth}, {plies} random plies in, against OpenSpiel", ">= 100 x"
    if not have("pyspiel"):
        return skipped(name, "open_spiel is not installed", target)
    import pyspiel
    from open_spiel.python.algorithms import minimax

    rng = random.Random(7)
    theirs = pyspiel.load_game("othello").new_initial_state()
    game = DiscCounting()
    state = game.start_state
    for _ in range(plies):
        action = rng.choice(theirs.legal_actions())
        state = game.play_moves(state, theirs.action_to_string(action))
        theirs.apply_action(action)
    mover = theirs.current_player()

    def difference(position: Any) -> float:
        board = str(position).split("\n", 2)[2]
        value = board.count("x") - board.count("o")
        return value if mover == 0 else -value

    search(game, state, depth=1, algorithm="alphabeta")
    a, b, mine, other, ratios = side_by_side(
        lambda: search(game, state, depth=depth, algorithm="alphabeta"),
        lambda: minimax.alpha_beta_search(
            theirs.get_game(), state=theirs, value_function=difference, maximum_depth=depth, maximizing_player_id=mover
        ),
        rounds=3,
    )
    same = mine.value == other[0]
    detail = {"same_value": same, "ratios": ratios, "nodes": mine.nodes}
    return Row(name, short(a), short(b), b / a, target, same and b / a >= 100, detail)


def connect_four_against_open_spiel(depth: int = 10) -> Row:
    name, target = f"Connect Four, alpha-beta to depth {depth}, against OpenSpiel", ">= 200 x"
    if not have("pyspiel"):
        return skipped(name, "open_spiel is not installed", target)
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = Blind()
    search(game, depth=1, algorithm="alphabeta")
    a, b, mine, other, ratios = side_by_side(
        lambda: search(game, depth=depth, algorithm="alphabeta"),
        lambda: minimax.alpha_beta_search(
            pyspiel.load_game("connect_four"), value_function=lambda _: 0.0, maximum_depth=depth
        ),
        rounds=3,
    )
    same = mine.value == other[0]
    detail = {"same_value": same, "ratios": ratios, "nodes": mine.nodes}
    return Row(name, short(a), short(b), b / a, target, same and b / a >= 200, detail)


def connect_four_against_easy_ai(depth: int = 9) -> Row:
    name, target = f"Connect Four, alpha-beta to depth {depth}, against easyAI's Negamax", ">= 2000 x"
    if not have("easyAI"):
        return skipped(name, "easyAI is not installed", target)
    from easyAI import AI_Player, Negamax
    from easyAI.games import ConnectFour as TheirConnectFour

    game = Blind()
    search(game, depth=1, algorithm="alphabeta")
    negamax = Negamax(depth)
    a, b, mine, _, ratios = side_by_side(
        lambda: search(game, depth=depth, algorithm="alphabeta"),
        lambda: negamax(TheirConnectFour([AI_Player(negamax), AI_Player(negamax)])),
        rounds=2,
    )
    same = mine.value == negamax.alpha / 100
    detail = {"same_value": same, "ratios": ratios, "nodes": mine.nodes}
    return Row(name, short(a), short(b), b / a, target, same and b / a >= 2000, detail)


def user_file_against_python_game(path: str) -> Row:
    """A user's own file against the rate of a game written in Python for OpenSpiel."""
    name, target = "your own file (5x5 Breakthrough), against a game written in Python for OpenSpiel", ">= 500 x"
    if not have("pyspiel"):
        return skipped(name, "open_spiel is not installed", target)
    import pyspiel
    from open_spiel.python.algorithms import minimax
    from open_spiel.python.games import tic_tac_toe as _registers_it  # noqa: F401

    their_game = pyspiel.load_game("python_tic_tac_toe")
    theirs = []
    for _ in range(3):
        spent, _ = seconds(lambda: minimax.alpha_beta_search(their_game))
        theirs.append(18_297 / spent)  # the nodes of tic-tac-toe's alpha-beta tree in the order of the squares
    game = load_game(path)
    search(game, depth=1, algorithm="alphabeta")
    ours = [search(game, depth=12, algorithm="alphabeta").nodes_per_second for _ in range(3)]
    ratio = float(np.median(ours) / np.median(theirs))
    rates = rate(float(np.median(ours))), rate(float(np.median(theirs)))
    return Row(name, *rates, ratio, target, ratio >= 500, {"ours": ours, "theirs": theirs})


def rows() -> list[Row]:
    return [othello_against_open_spiel(), connect_four_against_open_spiel(), connect_four_against_easy_ai()]
