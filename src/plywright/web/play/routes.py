"""The Play room: choose a game, sit down, move by clicking, and watch the others think."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...errors import BadInput, PlywrightError
from ...game import Game
from ...players.player import read_action
from ...players.searching import NAMES
from ..catalogue import Catalogue
from ..fields import Fields
from ..requests import (
    AFTERWARDS,
    Reply,
    Visit,
    download,
    form,
    page,
    picture,
    redirect,
    visit_of,
    worked,
)
from ..room import Room
from ..search_queue import Finished, Waiting
from ..stream import Event, parts, stream, visit
from . import move_search as thinking
from .autoplay import Turn, dismiss, farewell, hurry, latest, step, whose_turn
from .game_replay import GameReplay
from .progress_parts import waiting_html
from .seats import KINDS, USUAL, read_mode, read_seats, seat_words
from .status_text import capital, game_title
from .table import AT_ONCE, IN_VIEW, Table
from .table_view import CHANCE_TURN, MACHINE, WIDEST, TableView, picture_width

LONGEST_TEXT = 60_000
"""Characters of a line of moves or of a state."""
ROLLING = 0.5
"""Seconds for which the dice are in the air."""
MOST_BUTTONS = 200


# -- choosing -----------------------------------------------------------------------------------------------


def choose(call: Visit) -> Reply:
    """The games, each with a picture of its start."""
    return page(call, "play.html", offers=call.site.catalogue.offers())


def set_up(call: Visit) -> Reply:
    """A game, where it begins, and who is to sit there."""
    fields = call.fields
    game, replay = begun(call.site.catalogue, fields)
    state = replay.states[-1]
    picture = "" if not game.overrides("picture") else game.picture(state).svg
    offers = {offer.text: offer.about for offer in call.site.catalogue.offers()}
    text = fields.text("game", "tic-tac-toe", 200)
    return page(
        call,
        "play_new.html",
        game=game,
        text=text,
        title=game_title(game),
        about=offers.get(text.partition(":")[0], offers.get(text, "")),
        start=replay.start,
        moves=replay.moves_text(replay.last),
        picture=picture,
        width=picture_width(picture),
        wide=picture_width(picture) > WIDEST,
        state_text=game.format_state(state),
        seats=[(seat, capital(game.player_name(seat))) for seat in range(game.players)],
        programs=call.site.programs,
        algorithms=NAMES,
        kinds=KINDS,
        usual=USUAL,
        dice=AT_ONCE if game.players == 1 else IN_VIEW,
    )


def begun(catalogue: Catalogue, fields: Fields) -> tuple[Game, GameReplay]:
    """The game that fields name, from its start or another state through its moves, or as it was saved."""
    game = catalogue[fields.text("game", "tic-tac-toe", 200)]
    start, moves = fields.text("start", most=LONGEST_TEXT), fields.text("moves", most=LONGEST_TEXT)
    if (record := game.parse_record(moves)) is not None:
        if start:
            raise BadInput("the moves are a whole game, which has the state it begins from: leave the state empty")
        return game, GameReplay.recorded(game, *record)
    replay = GameReplay(game, start)
    for number, text in enumerate(game.split_moves(moves), 1):
        try:
            replay.extend(game.parse_action(replay.states[-1], text))
        except BadInput as error:
            raise BadInput(f"move {number}: {error}") from None
    return game, replay


def sit_down(call: Visit) -> Reply:
    fields = call.fields
    game, replay = begun(call.site.catalogue, fields)
    mode = read_mode(fields)
    table = Table(
        game=fields.text("game", "tic-tac-toe", 200),
        seats=read_seats(fields, game, call.site.programs, mode),
        mode=str(mode),
        held=fields.ticked("held"),
        seed=fields.whole("seed", secrets.randbelow(2**53), 0, 2**53),
        start=replay.start,
        dice=fields.choice("dice", (IN_VIEW, AT_ONCE)),
        actions=list(replay.actions),
        notes=[{} for _ in replay.actions],
        opening=replay.last,
    )
    return redirect(latest(table.settle(game), game))


def thumbnail(call: Visit) -> Reply:
    """The picture of a game's start, for the cards of the room."""
    game, replay = begun(call.site.catalogue, call.fields)
    return picture(game.picture(replay.states[-1]).svg)


# -- the table ----------------------------------------------------------------------------------------------


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
            table = table.forked(table_view.ply)
        table.add(game, action, **note)
    elif not table_view.secret:
        return redirect(table_view.at(table_view.number + 1))  # it has been played already, perhaps in another tab
    return redirect(_after(table, game, table_view), *left)


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


def asked_about(call: Visit) -> tuple[str, int, int | None]:
    """The table and the ply at which a person asks for advice, and the action that is asked about."""
    table, game = found(call)
    table_view = TableView.of(table, game, call.fields)
    if not table_view.may_move:
        raise BadInput(f"no person is to move there: {table_view.status}")
    position, text = table_view.position, call.fields.text("why", most=300)
    action = read_action(game, position.known, text, position.legal) if call.path.endswith("/why") else None
    return table.name, table_view.ply, action


# -- in the server --------------------------------------------------------------------------------------------

LEAVE, HURRY = "play: leave", "play: hurry"
AFTERWARDS[LEAVE] = dismiss
AFTERWARDS[HURRY] = hurry


async def go_on(request: Request) -> Response:
    """One step of a non-human player, for browsers without scripts."""
    await form(request)
    search_queue, name = request.app.state.search_queue, request.path_params["name"]
    async with aclosing(step(request.app, await search_queue.run(whose_turn, name))) as steps:
        async for _ in steps:
            pass
    turn: Turn = await search_queue.run(whose_turn, name)
    return redirect(turn.address).response()


async def think(request: Request) -> Response:
    """The stream of a table at which somebody thinks, or the dice roll; at its end, where to go."""
    search_queue, name = request.app.state.search_queue, request.path_params["name"]
    first: Turn = await search_queue.run(whose_turn, name)

    async def events() -> AsyncIterator[Event]:
        turn = first
        while turn.kind in (MACHINE, CHANCE_TURN):
            if turn.kind == CHANCE_TURN:
                await asyncio.sleep(ROLLING)
            async with aclosing(step(request.app, turn)) as steps:
                async for event in steps:
                    yield event
            turn = await search_queue.run(whose_turn, name)
            if not turn.secret:
                break
        yield visit(turn.address)

    return stream(request, events())


async def give_hint(request: Request) -> Response:
    """The stream of an analysis of the position that a person is in."""
    name, ply, _ = await request.app.state.search_queue.run(asked_about, await visit_of(request))

    async def events() -> AsyncGenerator[Event, None]:
        async with aclosing(_advice(request, name, ply)) as watched:
            async for news in watched:
                if isinstance(news, Waiting):
                    yield parts(advice=waiting_html(news))
                else:
                    yield parts(advice=news.answer.html if isinstance(news, Finished) else news)

    return stream(request, _settled(events(), "advice"))


async def _settled(events: AsyncGenerator[Event, None], part: str) -> AsyncGenerator[Event, None]:
    """The events; where none will follow, that part of the page does not say that somebody thinks."""
    async with aclosing(events) as watched:
        try:
            async for event in watched:
                yield event
        except PlywrightError:
            yield parts(**{part: "no answer"})
            raise


def _advice(request: Request, name: str, ply: int) -> AsyncGenerator[Any, None]:
    """The one search of a position that hint and why-not share, and that is done once."""
    found: AsyncGenerator[Any, None] = request.app.state.background.watch(
        f"advice {name} {ply}", thinking.advise, name, ply, thinking.HINT, subject=name
    )
    return found


async def refute(request: Request) -> Response:
    """The stream that ends with why a move is not the best."""
    name, ply, action = await request.app.state.search_queue.run(asked_about, await visit_of(request))

    async def events() -> AsyncGenerator[Event, None]:
        best: Any = None
        async with aclosing(_advice(request, name, ply)) as watched:
            async for news in watched:
                if isinstance(news, Waiting):
                    yield parts(reason=waiting_html(news))
                elif isinstance(news, Finished):
                    best = news.answer.found
        why = request.app.state.search_queue.watch(thinking.why_not, name, ply, action, best, thinking.WHY)
        async with aclosing(why) as watched:
            async for news in watched:
                if isinstance(news, Waiting):
                    yield parts(reason=waiting_html(news))
                elif isinstance(news, Finished):
                    yield parts(reason=news.answer)

    return stream(request, _settled(events(), "reason"))


ROOM = Room(
    "play",
    "Play",
    "Every game, against the engine, a program or each other; watch it think, take back, ask why not.",
    [
        Route("/play", worked(choose)),
        Route("/play/new", worked(set_up), methods=["GET"]),
        Route("/play/new", worked(sit_down), methods=["POST"]),
        Route("/play/picture", worked(thumbnail)),
        Route("/play/t/{name}", worked(show), methods=["GET"]),
        Route("/play/t/{name}/move", worked(move), methods=["POST"]),
        Route("/play/t/{name}/seat", worked(hand_over), methods=["POST"]),
        Route("/play/t/{name}/go", go_on, methods=["POST"]),
        Route("/play/t/{name}/now", worked(now), methods=["POST"]),
        Route("/play/t/{name}/flip", worked(flip), methods=["POST"]),
        Route("/play/t/{name}/from", worked(continue_here), methods=["POST"]),
        Route("/play/t/{name}/again", worked(again), methods=["POST"]),
        Route("/play/t/{name}/save", worked(save), methods=["GET"]),
        Route("/play/t/{name}/think", think, methods=["GET"]),
        Route("/play/t/{name}/hint", give_hint, methods=["GET"]),
        Route("/play/t/{name}/why", refute, methods=["GET"]),
    ],
)
