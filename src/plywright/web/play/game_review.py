"""A played game explained: what every move lost, the accuracy of each side, and the turning points with their reasons.

The judgement is `arena.review`; a turning point has the refutation of what was played beside the best move. What was
found is kept with the table, so that it is searched once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ...arena.records.game_file import PlayedGame
from ...arena.reports.review import VERDICTS, Judgement, review, summary
from ...draw.trend import trend
from ...engine import Limit
from ...engine.alphabeta.explain import explain
from ...errors import BadInput
from ...game import Game
from ...outcome_text import percent_text
from ...players import Mode
from ..errors import Lost, Missing
from ..json_store import JsonStore
from ..rendering import rendered
from ..requests import Reply, Visit, page, redirect
from ..task_channel import TaskChannel
from .autoplay import latest
from .choosing import begun
from .estimates import for_first, reason_words
from .found_chances import keep_chances
from .seats import HUMAN, is_human
from .status_text import capital, game_title
from .table import Table
from .table_view import TableView, picture_height, picture_width

REVIEWS = JsonStore("reviews")
WHOLE = 40.0
"""Seconds that all positions of a game get together."""
LEAST, MOST = 0.04, 0.4
"""Seconds of one of their searches."""
TURNS = 6
"""Turning points that are explained."""
PATIENCE = 900.0
"""Seconds after which a review is given up."""
LONGEST = 400
"""Moves of a game that can be explained."""


class Move(NamedTuple):
    """One judged move, as it is kept."""

    number: int
    seat: int
    text: str
    best: str
    points: float
    chance: float
    """The first side's winning chance after it."""
    before: float
    """And after the best move."""
    verdict: str


class Turn(NamedTuple):
    """A turning point: the move, why it was none of the best, and the tree of both lines."""

    number: int
    words: str
    picture: str


class Side(NamedTuple):
    """What one seat's moves come to."""

    seat: int
    accuracy: float
    counts: dict[str, int]


@dataclass(frozen=True)
class Review:
    """A game explained."""

    actions: list[int]
    moves: list[Move]
    sides: list[Side]
    turns: list[Turn]

    def as_dict(self) -> dict[str, Any]:
        return {
            "actions": self.actions,
            "moves": [list(one) for one in self.moves],
            "sides": [list(one) for one in self.sides],
            "turns": [list(one) for one in self.turns],
        }

    @classmethod
    def kept(cls, table: Table) -> Review | None:
        """What was found for the game of a table, if it has been explained as it stands."""
        try:
            found = REVIEWS[table.name]
            if found["actions"] != table.actions:
                return None
            return cls(
                list(found["actions"]),
                [Move(*one) for one in found["moves"]],
                [Side(*one) for one in found["sides"]],
                [Turn(*one) for one in found["turns"]],
            )
        except (Missing, KeyError, TypeError):
            return None


def explain_game(channel: TaskChannel, name: str) -> None:
    """In a worker: search every position of a table's game and its turning points, and keep what was found."""
    table = Table.load(name)
    game = _reviewable(table)
    replay = table.replay(game)
    played = PlayedGame(game, replay.states[0], tuple(replay.actions))
    limit = Limit(time=min(max(WHOLE / (3 * len(replay.actions)), LEAST), MOST))  # the second search takes two

    def heard(done: int, of: int) -> None:
        if channel.stop.is_set():
            raise Lost("nobody waits for this review any more")
        channel.report(rendered("play_progress.html", done=done, of=of))

    judged = review(played, limit, heard=heard)
    worst = sorted((one for one in judged if one.verdict), key=lambda one: -one.points)[:TURNS]
    turns = []
    for one in sorted(worst, key=lambda one: one.number):
        heard(len(judged), len(judged))
        turns.append(_turn(game, replay.states, one, limit))
    sides = [Side(seat, one.accuracy, one.verdicts) for seat, one in summary(game, judged).items()]
    found = Review(list(table.actions), [_move(game, one) for one in judged], sides, turns)
    REVIEWS[name] = found.as_dict()
    keep_chances(name, table.actions, {one.number: one.chance for one in found.moves})


def _reviewable(table: Table) -> Game:
    game: Game = _game(table)
    if game.hidden:
        raise BadInput(f"{game.name} hides something from its players: what a move lost cannot be told from outside")
    if not table.actions:
        raise BadInput("no move was played in this game: there is nothing to explain")
    if len(table.actions) > LONGEST:
        raise BadInput(f"this game has {len(table.actions)} moves; at most {LONGEST} can be explained")
    return game


def _game(table: Table) -> Game:
    from ..worker_pool import here

    return here().catalogue[table.game]


def _move(game: Game, one: Judgement) -> Move:
    after, best = (for_first(game, one.seat, chance) or 0.0 for chance in (one.chance, one.best_chance))
    return Move(one.number, one.seat, one.text, one.best_text, max(one.points, 0.0), after, best, one.verdict)


def _turn(game: Game, states: list[Any], one: Judgement, limit: Limit) -> Turn:
    """Why a move was none of the best: its refutation."""
    history = states[: one.number - 1] if game.repeats else ()
    told = explain(game, one.state, one.action, limit=limit, history=history)
    lost = f"The winning chance fell from {percent_text(one.best_chance)} to {percent_text(one.chance)}."
    return Turn(
        one.number, f"{lost} Both moves searched again: {reason_words(game, one.state, told)}", told.picture.svg
    )


# -- pages --------------------------------------------------------------------------------------------------


def show_review(call: Visit) -> Reply:
    """The game of a table explained, or the page on which that is awaited."""
    table = Table.load(call.params["name"])
    game = _reviewable(table)
    found = Review.kept(table)
    base = f"/play/t/{table.name}"
    if found is None:
        return page(call, "play_review_wait.html", title=game_title(game), base=base)
    replay = table.replay(game)
    ply = call.fields.whole("ply", found.turns[0].number if found.turns else replay.last, 0, replay.last)
    svg = game.picture(replay.states[ply], replay.actions[ply - 1] if ply else None).svg
    view = TableView.openly(table, game)
    links = {number: f"{base}/review?ply={number}" for number in range(replay.last + 1)}
    points = [(one.number, one.chance) for one in found.moves]
    marks = {
        one.number: "inaccuracy" if one.verdict == VERDICTS[-1][1] else "mistake" for one in found.moves if one.verdict
    }
    label = f"Winning chance of {game.player_name(0)}, ply by ply"
    return page(
        call,
        "play_review.html",
        title=game_title(game),
        base=base,
        ply=ply,
        last=replay.last,
        picture=svg,
        width=picture_width(svg),
        height=picture_height(svg),
        flipped=table.flipped,
        graph=trend(points, replay.last, here=ply, links=links, marks=marks, label=label).svg if points else "",
        moves=found.moves,
        turns={one.number: one for one in found.turns},
        here=next((one for one in found.moves if one.number == ply), None),
        sides=[(capital(game.player_name(one.seat)), view.colour(one.seat), one) for one in found.sides],
        names=[capital(game.player_name(seat)) for seat in range(game.players)],
        verdicts=[name for _, name in VERDICTS],
        ending=table.ended or table.outcome,
    )


def explain_record(call: Visit) -> Reply:
    """A game that was loaded in one of its notations: a table of it, and the way to its review."""
    game, replay = begun(call.site.catalogue, call.fields)
    table = Table(
        game=call.fields.text("game", "tic-tac-toe", 200),
        seats=[HUMAN] * game.players,
        mode=str(Mode("move", 1.0)),
        seed=0,
        start=replay.start,
        actions=list(replay.actions),
        notes=[{} for _ in replay.actions],
        opening=replay.last,
    )
    if not replay.actions:
        raise BadInput("write the moves of a game, or choose its file: there is nothing to explain yet")
    return redirect(f"/play/t/{table.settle(game).name}/review")


def try_again(call: Visit) -> Reply:
    """A table of its own before a move of the game, with a person in the seat that made it."""
    table = Table.load(call.params["name"])
    game = call.site.catalogue[table.game]
    replay = table.replay(game)
    number = call.fields.whole("number", 1, 1, max(replay.last, 1))
    mover = replay.mover(number - 1)
    if mover is None:
        raise BadInput("chance decided there: nobody can try that again")
    fresh = table.forked(number - 1)
    others_play = not all(is_human(seat) for seat in table.seats)
    fresh.seats = [
        HUMAN if seat == mover else (text if others_play and not is_human(text) else "search")
        for seat, text in enumerate(table.seats)
    ]
    fresh.study_of, fresh.paused = "", False
    return redirect(latest(fresh.settle(game), game))
