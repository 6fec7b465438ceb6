"""What a position is worth, as people understand it: a winning chance, a proved result, or the game's own points."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...engine.alphabeta.explain import Explanation
from ...game import Game
from ...games import as_knowledge
from ...outcome_text import is_end, percent_text, points_text, proof_text, seen_text, with_minus
from ...result import SearchResult


class Estimate(NamedTuple):
    """A value in words, and the winning chance of whoever has it; None where there is none to tell."""

    words: str
    chance: float | None

    @property
    def share(self) -> str:
        """The chance as the bar beside a board shows it."""
        return "" if self.chance is None else f"{100 * self.chance:.1f}"


def estimate(
    game: Game, state: Any, value: float, proved: bool = False, distance: int | None = None, averaged: bool = False
) -> Estimate:
    """Of a value that a search found for somebody in this state; `averaged`: a mean of simulated games."""
    certain = proved and not averaged_values(game)
    if not game.opposed:
        return Estimate(with_minus(points_text(game, value)), None)
    if certain:
        return Estimate(with_minus(proof_text(game, value, distance)), 0.5 + 0.5 * ((value > 0) - (value < 0)))
    chance = _chance(game, state, value, averaged)
    words = percent_text(chance)
    if is_end(game, value) and (distance or _has_points(game)):
        if distance == 1 and value > 0:
            return Estimate(proof_text(game, value, distance), 1.0)  # the line ends the game: no more is to be proved
        return Estimate(f"{words}, {seen_text(game, value, distance)}", chance)
    if _has_points(game) and not (averaged and game.evaluation_unit is not None):
        words = f"{words}, {with_minus(points_text(game, value))}"
    return Estimate(words, chance)


def estimate_of(found: SearchResult, game: Game, state: Any) -> Estimate:
    """Of what a search found for the player to move; nothing where it knows nothing."""
    if nothing_known(found, game):
        return Estimate("not known", None)
    return estimate(game, state, found.value, found.proved, found.distance, found.averaged)


def nothing_known(found: SearchResult, game: Game) -> str:
    """Why a search has no value to tell; empty where it has one, whatever its note says of how sure that is."""
    return "" if as_knowledge(game).evaluates else found.note


def averaged_values(game: Game) -> bool:
    """Whether the values of its searches are means over what chance decides or others hide."""
    return game.has_chance or game.hidden


def _has_points(game: Game) -> bool:
    """Whether the game's own values say more than who wins."""
    return game.evaluation_unit is not None or max(map(abs, game.utility_range)) > 1


def _chance(game: Game, state: Any, value: float, averaged: bool) -> float:
    """A winning chance: of a mean of wins and losses that mean, of an evaluation what its knowledge says."""
    knowledge = as_knowledge(game)
    of_results = averaged or averaged_values(game) or not knowledge.evaluates
    if of_results and tuple(game.utility_range) == (-1, 1):
        return min(max((value + 1) / 2, 0.0), 1.0)
    return knowledge.chance(value, state)


def for_first(game: Game, seat: int, chance: float | None) -> float | None:
    """A seat's winning chance as that of the first player's side."""
    if chance is None:
        return None
    return chance if game.team_of[seat] == game.team_of[0] else 1 - chance


def reason_words(game: Game, state: Any, told: Explanation) -> str:
    """Why a move is not the best one, in sentences: what both are worth, the answer, and where the loss shows."""
    best, names, here = told.best, [], state
    for action in told.line:
        names.append(game.format_action(here, action))
        here = game.state_after(here, action)
    top = game.format_action(state, best.action) if best.action is not None else ""
    distance = best.distance if told.action == best.action else None
    mine, theirs = estimate(game, state, told.value, best.proved, distance), estimate_of(best, game, state)
    if told.action == best.action:
        return f"{names[0]} is the best move: {mine.words}."
    if told.value > best.value:  # the best move's search had guessed
        return f"{names[0]}, searched by itself, is no worse than {top}: {mine.words}, and {top} {theirs.words}."
    if told.value == best.value or mine.words == theirs.words:
        return f"{names[0]} is as good as {top}, as far as the search sees: {mine.words}."
    words = [f"With {names[0]}: {mine.words}; with {top}: {theirs.words}."]
    if len(names) > 1:
        words.append(f"The answer is {names[1]}; the line goes {game.join_moves(names)}.")
    if told.turn is not None and told.turn > 1:
        words.append(f"The loss shows after {names[told.turn - 1]}, {told.turn} plies on.")
    return " ".join(words)
