"""The Play room: choose a game, sit down, move by clicking, and watch the others think."""

from __future__ import annotations

import json
import secrets
import time
from typing import Any

from starlette.routing import Route

from ...draw.svg import uncaptioned
from ...errors import BadInput
from ...game import Game
from ...players.player import read_action
from ..requests import AFTERWARDS, Reply, Visit, at_once, download, page, picture, redirect, worked
from ..room import Room
from . import streams
from .analysis import MOST_LINES
from .autoplay import dismiss, farewell, hurry, latest
from .choosing import choose, forget, set_up, sit_down, thumbnail
from .game_replay import GameReplay
from .game_review import explain_record, show_review, try_again
from .seats import seat_words
from .status_text import capital, rules_of
from .table import Table
from .table_view import TableView

MOST_BUTTONS = 200
FIRST_LINES = 3
"""Lines of an analysis that is switched on."""
LONGEST_LINE = 200
"""Moves of a line that is looked into."""


def found(call: Visit) -> tuple[Table, Game]:
    table = Table.load(call.params["name"])
    return table, call.site.catalogue[table.game]


def show(call: Visit) -> Reply:
    table, game = found(call)
    fields = call.fields
    table_view = TableView.of(table, game, fields)
    over = farewell(table, table_view.replay)
    clicked = [[choice.text, choice.ways] for choice in table_view.choices if choice.ways]
    buttons = [choice.text for choice in table_view.choices if not choice.ways][:MOST_BUTTONS]
    if why := fields.text("why", most=200) if table_view.may_move else "":
        read_action(
            game, table_view.position.known, why, table_view.position.legal
        )  # a move that is none is named at once
    shown = page(
        call,
        "play_table.html",
        table_view=table_view,
        table=table,
        clicked=json.dumps(clicked, separators=(",", ":"), ensure_ascii=False),
        buttons=buttons,
        texts=[choice.text for choice in table_view.choices],
        hinted="hint" in fields and table_view.may_move,
        why=why,
        most_lines=MOST_LINES,
        first_lines=FIRST_LINES,
        rules=rules_of(game),
        seat_words=seat_words,
        capital=capital,
    )
    return shown._replace(after=((LEAVE, *over),)) if over else shown


def move(call: Visit) -> Reply:
    """A person's move; at a moment that is not the last one it begins a table of its own."""
    fields = call.fields
    table, game = found(call)
    table_view = TableView.of(table, game, fields)
    if not table_view.may_move:
        raise BadInput(f"no person is to move there: {table_view.status}")
    position = table_view.position
    action = read_action(game, position.known, fields.text("move", most=300), position.legal)
    left: tuple[tuple[Any, ...], ...] = ()
    if table_view.present or table.actions[table_view.ply] != action:
        note: dict[str, Any] = {"text": game.format_action(position.known, action)} if game.hidden else {}
        if table_view.present and table.since is not None:
            note["seconds"] = round(table.thought(), 3)
        if not table_view.present:
            left = ((LEAVE, table.name),)
            table = table.branched(table_view.ply)
        table.add(game, action, **note)
    elif not table_view.secret:
        return at_once(call, table_view.at(table_view.number + 1), show)  # played already, perhaps in another tab
    call = call._replace(params={"name": table.name})
    return at_once(call, _after(table, game, table_view), show, *left)


def _after(table: Table, game: Game, table_view: TableView) -> str:
    """Where a person's move leads: on, and where several share the page to the next of them."""
    replay = table.replay(game)
    again = table_view.secret and len(table.people) > 1 and replay.mover(replay.last) == table_view.seat
    return f"/play/t/{table.name}?seat={table_view.seat}" if again else latest(table, game)


def hand_over(call: Visit) -> Reply:
    """The next person has taken the seat: the clock begins."""
    fields = call.fields
    table, game = found(call)
    seat = fields.whole("seat", -1, 0, game.players - 1)
    if seat not in table.people:
        raise BadInput(f"seat {seat} is not a person's")
    replay = table.replay(game)
    if table.since is None and replay.mover(replay.last) == seat and not table.finished(replay):
        table.since = time.time()
        table.keep()
    return redirect(f"/play/t/{table.name}?seat={seat}")


def now(call: Visit) -> Reply:
    """The engine is to move with the best it has."""
    table, game = found(call)
    return redirect(latest(table, game), (HURRY, table.name, len(table.actions)))


def flip(call: Visit) -> Reply:
    fields = call.fields
    table, game = found(call)
    table.flipped = not table.flipped
    table.keep()
    return redirect(TableView.of(table, game, fields).here)


def switch_analysis(call: Visit) -> Reply:
    """How many lines the analysis shows; none switches it off."""
    table, game = found(call)
    table.lines = call.fields.whole("lines", 0, 0, MOST_LINES)
    table.keep()
    return redirect(TableView.of(table, game, call.fields).here)


def switch_territory(call: Visit) -> Reply:
    """Mark whose the places will be, as the analysis finds it; where that is off, it is switched on, too."""
    table, game = found(call)
    table.territory = not table.territory
    if table.territory and not table.lines:
        table.lines = FIRST_LINES
    table.keep()
    return redirect(TableView.of(table, game, call.fields).here)


def pause(call: Visit) -> Reply:
    """Have the players that are no people wait, or go on."""
    table, game = found(call)
    table.paused = not table.paused
    table.keep()
    return redirect(latest(table, game))


def follow(call: Visit) -> Reply:
    """A study of the position that a line of the analysis leads to."""
    table, game = found(call)
    table_view = TableView.of(table, game, call.fields)
    actions = _actions(call, table_view)
    study = table.studied(table_view.ply)
    line = [*study.actions, *actions]
    GameReplay.recorded(game, table_view.replay.states[0], line)  # what is not possible is not kept
    for action in actions:
        study.add(game, action)
    return redirect(latest(study.settle(game), game))


def preview(call: Visit) -> Reply:
    """The picture of the position that a line of the analysis leads to."""
    table, game = found(call)
    table_view = TableView.of(table, game, call.fields)
    state, actions = table_view.state, _actions(call, table_view)
    for action in actions:
        if game.is_terminal(state) or game.at_chance(state) or action not in game.actions(state):
            raise BadInput("this line is not possible here")
        state = game.state_after(state, action)
    return picture(game.picture(state, actions[-1] if actions else None).svg)


def _actions(call: Visit, table_view: TableView) -> list[int]:
    """The actions of a line, by their numbers."""
    if table_view.game.hidden and table_view.secret:
        raise BadInput("this game hides something from each player: its lines cannot be followed")
    words = call.fields.text("moves", most=20 * LONGEST_LINE).split(",")
    if len(words) > LONGEST_LINE or not all(word.isascii() and word.isdigit() and len(word) < 19 for word in words):
        raise BadInput("a line is written as the numbers of its actions, with commas between them")
    return [int(word) for word in words]


def table_picture(call: Visit) -> Reply:
    """The picture of a table as it stands, for the list of one's games."""
    table, game = found(call)
    return picture(uncaptioned(TableView.of(table, game, call.fields).svg) or EMPTY_PICTURE)._replace(headers=())


EMPTY_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>'


def continue_here(call: Visit) -> Reply:
    """A table of its own that goes on from an earlier moment."""
    fields = call.fields
    table, game = found(call)
    table_view = TableView.of(table, game, fields)
    if table_view.present:
        return redirect(latest(table, game))
    return redirect(latest(table.forked(table_view.ply).settle(game), game), (LEAVE, table.name))


def again(call: Visit) -> Reply:
    """A rematch from the same beginning, with the seats as they are or each one further."""
    fields = call.fields
    table, game = found(call)
    fresh = table.forked(table.opening)
    fresh.seed = secrets.randbelow(2**53)
    if fields.ticked("swap"):
        fresh.seats = [*table.seats[1:], table.seats[0]]
    return redirect(latest(fresh.settle(game), game), (LEAVE, table.name))


def save(call: Visit) -> Reply:
    """The game in its own notation, as a file; nothing of a hidden game that is not over."""
    fields = call.fields
    table, game = found(call)
    table_view = TableView.of(table, game, fields)
    if table_view.secret:
        raise BadInput("this game hides something from each player: it is saved when it is over and shown openly")
    replay = table_view.replay
    notation = fields.choice("notation", ("moves", *game.notations))
    if notation == "moves":
        text = replay.moves_text(replay.last)
    else:
        over = replay.is_over(replay.last)
        text = game.format_game(
            replay.states[0],
            replay.actions,
            notation,
            names=[seat_words(seat) for seat in table.seats],
            payoffs=replay.payoffs(replay.last) if over else None,
            notes=[(note.get("value"), float(note.get("seconds", 0.0))) for note in table.notes],
        )
    name = f"{game.name.partition(':')[0].rpartition('/')[2]}-{table.name[:6]}.{'txt' if notation != 'ggf' else 'ggf'}"
    safe = "".join(letter for letter in name if letter.isascii() and (letter.isalnum() or letter in "-._"))
    return download(text + "\n", "text/plain", safe)


# -- in the server --------------------------------------------------------------------------------------------

LEAVE, HURRY = "play: leave", "play: hurry"
AFTERWARDS[LEAVE] = dismiss
AFTERWARDS[HURRY] = hurry

ROOM = Room(
    "play",
    "Play",
    "Every game, against the engine, a program or each other; watch it think, take back, ask why not.",
    [
        Route("/play", worked(choose)),
        Route("/play/new", worked(set_up), methods=["GET"]),
        Route("/play/new", worked(sit_down), methods=["POST"]),
        Route("/play/picture", worked(thumbnail)),
        Route("/play/forget", worked(forget), methods=["POST"]),
        Route("/play/t/{name}", worked(show), methods=["GET"]),
        Route("/play/t/{name}/move", worked(move), methods=["POST"]),
        Route("/play/t/{name}/seat", worked(hand_over), methods=["POST"]),
        Route("/play/t/{name}/go", streams.go_on, methods=["POST"]),
        Route("/play/t/{name}/lines", worked(switch_analysis), methods=["POST"]),
        Route("/play/t/{name}/territory", worked(switch_territory), methods=["POST"]),
        Route("/play/t/{name}/pause", worked(pause), methods=["POST"]),
        Route("/play/t/{name}/follow", worked(follow), methods=["POST"]),
        Route("/play/t/{name}/preview", worked(preview), methods=["GET"]),
        Route("/play/t/{name}/picture", worked(table_picture), methods=["GET"]),
        Route("/play/t/{name}/now", worked(now), methods=["POST"]),
        Route("/play/t/{name}/flip", worked(flip), methods=["POST"]),
        Route("/play/t/{name}/from", worked(continue_here), methods=["POST"]),
        Route("/play/t/{name}/again", worked(again), methods=["POST"]),
        Route("/play/t/{name}/save", worked(save), methods=["GET"]),
        Route("/play/explain", worked(explain_record), methods=["POST"]),
        Route("/play/t/{name}/review", worked(show_review), methods=["GET"]),
        Route("/play/t/{name}/judge", streams.judge, methods=["GET"]),
        Route("/play/t/{name}/retry", worked(try_again), methods=["POST"]),
        Route("/play/t/{name}/think", streams.think, methods=["GET"]),
        Route("/play/t/{name}/watch", streams.watch, methods=["GET"]),
        Route("/play/t/{name}/analysis", streams.analyse, methods=["GET"]),
        Route("/play/t/{name}/hint", streams.give_hint, methods=["GET"]),
        Route("/play/t/{name}/why", streams.refute, methods=["GET"]),
    ],
)
