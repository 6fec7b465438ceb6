"""The analysis of a position: one search, which lines, bar, arrows, hint and "why not?" all read."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any, NamedTuple

from ...arena.lineup import own_player
from ...engine import Limit, algorithm_for, history_option, make_task
from ...engine.alphabeta.explain import explain
from ...game import Game
from ...games import as_knowledge
from ...outcome_text import count_text, owned_text
from ...players import Clock, Mode, Player
from ...result import HEURISTIC, SearchResult, Variation
from ...rng import scramble, seeded
from ..rendering import rendered
from ..task_channel import TaskChannel
from .clicks import choices
from .estimates import estimate, estimate_of, for_first, nothing_known, reason_words
from .found_chances import keep_chances
from .move_search import at_ply, before, halted, keep, seldom
from .position import Position
from .progress_parts import advice_html

MOST_LINES = 5
LONGEST = 90.0
"""Seconds of the analysis of one position."""
HINT = 3.0
"""Seconds after which a hint, or the answer to "why not?", takes what the search has found."""
WHY = 2.0
"""Seconds of the search of another move, to the depth of the hint."""
SHOWN = 14
"""Plies of a line that are shown."""
ANALYSES = -1
"""In place of a seat: the searches of analyses."""


class Move(NamedTuple):
    """One move of a line: its text, and the actions that lead to the position after it."""

    text: str
    actions: str


class Line(NamedTuple):
    """One of the best lines: its value for the player to move, its moves, and the places that the first one names."""

    words: str
    moves: list[Move]
    places: list[str]


class Analysis(NamedTuple):
    """What the search has found so far, as parts of the page, and for the next question."""

    found: SearchResult
    lines: str
    hint: str
    last_hint: str


def analyse(channel: TaskChannel, name: str, ply: int, lines: int, seconds: float) -> Analysis:
    """In a worker: the position at a ply, searched until it is proved, the time is over, or nobody looks."""
    position = at_ply(name, ply)[1]
    writer = _Writer(position, lines, name)
    if (player := own_player(position.game)) is not None:
        return writer.advised(player, channel, min(seconds, HINT))
    options, all_actions = _options(position, lines)
    earlier = before.pop((name, ANALYSES), None)
    limit = Limit(time=seconds)
    task = make_task(position.game, position.view, limit, None, options, all_actions=all_actions, after=earlier)
    with halted(task.stop, channel.stop.is_set):
        found = task.run(seldom(lambda found: channel.report(writer.written(found))))
    if earlier is not None:
        earlier.close()
    if task.hands_on:
        keep((name, ANALYSES), task)
    else:
        task.close()
    return writer.written(found)


def _options(position: Position, lines: int) -> tuple[dict[str, Any], bool]:
    """What the search is asked for beside its time, so that it values as many moves as there are to be lines."""
    game = position.game
    if game.hidden:
        return {"seat": position.seat}, False
    options = history_option(game, position.history)
    if lines > 1 and algorithm_for(game, Limit(time=1.0), {}) == "pvs":
        return {**options, "lines": lines}, False
    return options, lines > 1 or as_knowledge(game).has_owners


class _Writer:
    """Turns what a search finds in one position into parts of the page."""

    def __init__(self, position: Position, lines: int, name: str) -> None:
        self.position, self.count, self.name = position, lines, name
        self.game, self.seat, self.known = position.game, position.seat, position.known
        self.svg = _picture(position)
        self.places: dict[int, list[str]] = {}

    def written(self, found: SearchResult) -> Analysis:
        found = replace(found, trace=None, game=None, state=None)  # it travels to the server
        hints = (advice_html(self.game, self.known, self.seat, found, last) for last in (False, True))
        return Analysis(found, self._lines(found), *hints)

    def advised(self, player: Player, channel: TaskChannel, seconds: float) -> Analysis:
        """What the game's own player would do here, and what that rests on, in the place of a search."""
        began, mode = time.monotonic(), Mode("move", seconds)
        player.mode, player.info = mode, {}
        player.prepare(self.game)
        with halted(player.stop, channel.stop.is_set):
            turn = self.position.turn(Clock(mode, seconds), seeded(scramble(len(self.position.actions))))
            action = int(player.choose(self.game, turn))
        best, why = self.game.format_action(self.known, action), player.reason
        used = time.monotonic() - began
        found = SearchResult(
            action, 0.0, (), HEURISTIC, False, None, (action,), 0, 0, used, player.name, True, (action,)
        )
        rows = [("by", player.name), *([("rests on", why)] if why else [])]
        hint = rendered("play_thought.html", words=f"Best is {best}.", rows=rows, best=best, share="")
        lines = rendered(
            "play_lines.html",
            lines=[Line("", [Move(best, str(action))], self._places(action))],
            more=range(0),
            share="",
            arrows=json.dumps([self._places(action)]),
            owners="",
            said=f"{player.name}{': ' if why else ''}{why}",
            note="",
            proved=False,
        )
        return Analysis(found, lines, hint, hint)

    def _lines(self, found: SearchResult) -> str:
        unknown = nothing_known(found, self.game)
        shown = [self._line(each, bool(unknown)) for each in variations(found)[: self.count]]
        whole = estimate_of(found, self.game, self.known)
        chance = for_first(self.game, self.seat, whole.chance)
        if chance is not None and not self.game.hidden:
            keep_chances(self.name, self.position.actions, {len(self.position.actions): chance})
        said = [f"depth {found.depth}", f"{count_text(found.nodes)} nodes", f"{count_text(found.nodes_per_second)}/s"]
        said += [found.note] if found.note and not unknown else []
        points = f"{owned_text(self.game, found.ownership)}; " if found.ownership else ""
        return rendered(
            "play_lines.html",
            lines=shown,
            more=range(self.count - len(shown)),
            share="" if chance is None else f"{100 * chance:.1f}",
            arrows=json.dumps([line.places for line in shown if line.places]),
            owners=self._owners(found),
            said=f"{points}{self._whose}{found.algorithm}, {', '.join(said)}",
            note=unknown,
            proved=found.proved,
        )

    @property
    def _whose(self) -> str:
        """Whose the values of the lines are: the bar beside the board is always the first player's."""
        return f"for {self.game.player_name(self.seat)}; " if self.game.opposed else ""

    def _owners(self, found: SearchResult) -> str:
        """How sure each place of the picture is somebody's, for the marks on the board; empty where nobody asks."""
        sure = {self.game.place_name(place): round(share, 2) for place, share in enumerate(found.ownership)}
        return json.dumps(sure, separators=(",", ":")) if sure else ""

    def _line(self, one: Variation, unknown: bool) -> Line:
        game, state, moves, actions = self.game, self.known, list[Move](), one.line
        for number, action in enumerate(actions[:SHOWN], 1):
            moves.append(Move(game.format_action(state, action), ",".join(map(str, actions[:number]))))
            if number < min(len(actions), SHOWN):
                state = game.state_after(state, action)
        words = "?" if unknown else estimate(game, self.known, one.value, one.proved, one.distance).words
        return Line(words, moves, self._places(actions[0]))

    def _places(self, action: int) -> list[str]:
        if action not in self.places:
            ways = choices(self.game, self.known, [action], self.svg)[0].ways
            self.places[action] = [place for part in ways[0] for place in part] if ways else []
        return self.places[action]


def variations(found: SearchResult) -> list[Variation]:
    """The lines that a search has, the best first."""
    if found.variations:
        return list(found.variations)
    if found.action is None:
        return []
    first = Variation(found.value, found.distance, found.line or (found.action,), found.proved)
    others = [action for action in found.actions if action != found.action]
    others.sort(key=lambda action: (-found.visits.get(action, 0), -found.actions[action]))
    return [first, *(Variation(found.actions[action], None, (action,), found.proved) for action in others)]


def _picture(position: Position) -> str:
    """What the mover sees."""
    game = position.game
    if game.hidden:
        return game.picture_for(position.view, position.seat).svg if game.overrides("picture_for") else ""
    return game.picture(position.state).svg if game.overrides("picture") else ""


# -- why not? -----------------------------------------------------------------------------------------------


def why_not(channel: TaskChannel, name: str, ply: int, action: int, found: SearchResult, seconds: float) -> str:
    """In a worker: HTML about an action beside the best one of a search, the same that gave the hint."""
    position = at_ply(name, ply)[1]
    game = position.game
    if game.hidden:
        return rendered("play_reason.html", words=_why_hidden(position, action, found), picture="")
    limit = Limit(time=seconds)
    told = explain(game, position.state, action, best=found, limit=limit, history=position.history)
    unknown = nothing_known(found, game)
    words = f"Not to be told: {unknown}." if unknown else reason_words(game, position.state, told)
    return rendered("play_reason.html", words=words, picture=told.picture.svg)


def _why_hidden(position: Position, action: int, found: SearchResult) -> str:
    """What both are worth by what the seat sees: there is no line of play to refute it."""
    game: Game = position.game
    known, mine = position.known, found.actions.get(action)
    if found.action is None or mine is None:
        return "The search says nothing about this move; a hint may say more."
    if unknown := nothing_known(found, game):
        return f"Not to be told: {unknown}."
    name, best = game.format_action(known, action), game.format_action(known, found.action)
    counted = f", over {sum(found.visits.values()):,} {'simulations' if found.algorithm == 'ismcts' else 'deals'}"
    worth = estimate(game, known, mine).words
    if action == found.action:
        return f"{name} is the best move as far as this seat can know: {worth}{counted}."
    top = estimate(game, known, found.actions.get(found.action, found.value)).words
    return f"{name} gives {worth} as far as this seat can know, {best} {top}{counted}."
