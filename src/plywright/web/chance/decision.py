"""One decision of a game with chance, worked out: every action ranked, the tree, the spread of the results."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...draw import Picture
from ...draw.bars import Bar, Level, bar_picture
from ...draw.tree import chance_text, tree_picture
from ...game import Game
from .simulation import Played, play_out
from .tree import Outcome, Sketch, average, short
from .valuation import NEUTRAL, Valuation

SECONDS = 2.0
"""For the search of the root; the depth that it reached is what all else is worked out with."""
NATURAL = 8
"""Up to this many outcomes stand in the order of the rules in a chart; more are sorted from the worst to the best."""


class Question(NamedTuple):
    """What was asked: a position, how deep to look, the attitude to risk, the action to look at, games to play out."""

    game: Game
    state: Any
    depth: int
    utility: str = NEUTRAL
    action: str = ""
    every: bool = False
    games: int = 0


class Line(NamedTuple):
    """One action in the table: its value, the sure amount worth as much, and its rank for somebody neutral to risk."""

    name: str
    value: float
    behind: float
    sure: float
    neutral: float | None
    neutral_rank: int | None


@dataclass(frozen=True)
class Answer:
    """What was found; values are from the perspective of `hero`."""

    hero: str
    depth: int
    wanted: int
    value: float
    proved: bool
    nodes: int
    lines: list[Line]
    chosen: str
    neutral_best: str
    tree: Picture
    spread: Spread | None
    played: Played | None
    rolls: list[Outcome] = field(default_factory=list)


class Spread(NamedTuple):
    """How the value is spread over what chance brings next."""

    after: str
    outcomes: list[Outcome]
    mean: float
    deviation: float
    picture: Picture


def work_out(question: Question, address: Callable[[tuple[str, ...]], str], pick: Callable[[str], str]) -> Answer:
    """The answer to a question; the two functions give the addresses that nodes of the tree lead to."""
    game, state = question.game, question.state
    at_chance = game.at_chance(state)
    hero = 0 if at_chance else int(game.to_move(state))
    valuation = Valuation(game, hero, question.utility)
    seconds = SECONDS / 3 if at_chance else SECONDS  # the outcomes of the root are searched once more, one by one
    found = valuation.search(state, question.depth, time=seconds, all_actions=not at_chance)
    sketch = Sketch(valuation, address, every=question.every)
    lines, chosen, neutral_best = list[Line](), "", ""
    if at_chance:
        value = average(sketch.outcomes(state, found.depth))
        tree, after, depth, name = sketch.rolls(state, found.depth, value), state, found.depth, "the roll"
    else:
        ranked = valuation.ranked(state, found.depth, found)
        action = _chosen(game, state, ranked, question.action)
        lines = _lines(valuation, question, ranked, found.depth)
        value, chosen = ranked[0][1], game.format_action(state, action)
        neutral_best = min(lines, key=lambda line: line.neutral_rank or 0).name
        tree = sketch.root(state, found.depth, ranked, action, pick)
        after, depth, name = game.state_after(state, action), found.depth - 1, chosen
    spread = _spread(sketch, after, depth, name)
    played = play_out(game, after, hero, question.games) if question.games else None
    return Answer(
        game.player_name(hero),
        found.depth,
        question.depth,
        value,
        found.proved,
        found.nodes,
        lines,
        chosen,
        neutral_best,
        tree_picture(tree, label=f"the tree below {game.format_state(state)}"),
        spread,
        played,
        sketch.outcomes(state, found.depth) if at_chance else [],
    )


def _chosen(game: Game, state: Any, ranked: Sequence[tuple[int, float]], text: str) -> int:
    """The action that was asked for, or the best one."""
    return int(game.parse_action(state, text)) if text else ranked[0][0]


def _lines(valuation: Valuation, question: Question, ranked: Sequence[tuple[int, float]], depth: int) -> list[Line]:
    game, state = question.game, question.state
    neutral = list(ranked)
    if valuation.function is not None:
        neutral = Valuation(game, valuation.hero).ranked(state, depth)
    plain = {action: (value, rank) for rank, (action, value) in enumerate(neutral, 1)}
    best = ranked[0][1]
    return [
        Line(game.format_action(state, action), value, best - value, valuation.amount(value), *plain[action])
        for action, value in ranked
    ]


def _spread(sketch: Sketch, state: Any, depth: int, name: str) -> Spread | None:
    """What the next outcomes of chance do to the value; None where none comes before somebody chooses."""
    game, steps = sketch.game, [name]
    while depth > 0 and not game.is_terminal(state) and not game.at_chance(state):
        forced = game.choices(state)
        if len(forced) != 1:
            return None
        steps.append(game.format_action(state, forced[0]))
        state, depth = game.state_after(state, forced[0]), depth - 1
    if depth <= 0 or not game.at_chance(state):
        return None
    outcomes = sketch.outcomes(state, depth)
    mean = sum(one.probability * one.value for one in outcomes)
    deviation = math.sqrt(sum(one.probability * (one.value - mean) ** 2 for one in outcomes))
    after = ", then ".join(steps)
    return Spread(after, outcomes, mean, deviation, _chart(sketch.valuation, after, outcomes, mean, deviation))


def _chart(valuation: Valuation, after: str, outcomes: Sequence[Outcome], mean: float, deviation: float) -> Picture:
    order = outcomes if len(outcomes) <= NATURAL else sorted(outcomes, key=lambda one: one.value)
    bars = [
        Bar(
            one.name,
            one.value,
            one.probability,
            f"{short(one.value)}, with probability {chance_text(one.probability)}",
        )
        for one in order
    ]
    levels = [Level(mean, f"mean {short(mean)}")]
    if deviation > 0:
        levels += [Level(mean + way * deviation, f"{sign} deviation") for way, sign in ((1, "+"), (-1, "−"))]
    what = "value" if valuation.function is None else "expected utility"
    return bar_picture(
        bars,
        label=f"{what} after {after}, for everything that chance may bring",
        x_label="what chance brings (a wider bar is likelier)",
        y_label=f"{what} for {valuation.game.player_name(valuation.hero)}",
        baseline=mean,
        levels=levels,
    )
