"""The Play room: choose a game, sit down, move by clicking, and watch the others think."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...errors import BadInput
from ...game import Game
from ...players.player import read_action
from ...players.searching import NAMES
from ..desk import Finished, Waiting
from ..pages import Fields, asked, fragment, moved, page, sent
from ..play.course import Course
from ..play.scene import CHANCE_TURN, MACHINE, WIDEST, Scene, picture_width
from ..play.seats import KINDS, USUAL, read_mode, read_seats, seat_words
from ..play.step import dismiss, step
from ..play.table import AT_ONCE, IN_VIEW, Table
from ..play.telling import advice_html, thought_html, waiting_words
from ..play.thinking import hint, why_not
from ..play.words import capital, game_title
from ..room import Room
from ..stream import Event, parts, stream, visit

LONGEST_TEXT = 60_000
"""Characters of a line of moves or of a state."""
ROLLING = 0.5
"""Seconds for which the dice are in the air."""
MOST_BUTTONS = 200


# -- choosing -----------------------------------------------------------------------------------------------


async def choose(request: Request) -> Response:
    """The games, each with a picture of its start."""
    return page(request, "play.html", offers=request.app.state.catalogue.offers())


async def set_up(request: Request) -> Response:
    """A game, where it begins, and who is to sit there."""
    fields = asked(request)
    game, course = begun(request, fields)
    state = course.states[-1]
    picture = "" if type(game).picture is Game.picture else game.picture(state).svg
    offers = {offer.text: offer.about for offer in request.app.state.catalogue.offers()}
    text = fields.text("game", "tic-tac-toe", 200)
    return page(
        request,
        "play_new.html",
        game=game,
        text=text,
        title=game_title(game),
        about=offers.get(text.partition(":")[0], offers.get(text, "")),
        start=course.start,
        moves=course.moves_text(course.last),
        picture=picture,
        width=picture_width(picture),
        wide=picture_width(picture) > WIDEST,
        state_text="" if game.state_shape is None else game.format_state(state),
        seats=[(seat, capital(game.player_name(seat))) for seat in range(game.players)],
        programs=request.app.state.programs,
        algorithms=NAMES,
        kinds=KINDS,
        usual=USUAL,
        dice=AT_ONCE if game.players == 1 else IN_VIEW,
    )


def begun(request: Request, fields: Fields) -> tuple[Game, Course]:
    """The game that fields name, from its start or another state through its moves, or as it was saved."""
    game: Game = request.app.state.catalogue[fields.text("game", "tic-tac-toe", 200)]
    start, moves = fields.text("start", most=LONGEST_TEXT), fields.text("moves", most=LONGEST_TEXT)
    if (record := game.parse_record(moves)) is not None:
        if start:
            raise BadInput("the moves are a whole game, which has the state it begins from: leave the state empty")
        return game, Course.recorded(game, *record)
    course = Course(game, start)
    for number, text in enumerate(game.split_moves(moves), 1):
        try:
            course.extend(game.parse_action(course.states[-1], text))
        except BadInput as error:
            raise BadInput(f"move {number}: {error}") from None
    return game, course


async def sit_down(request: Request) -> Response:
    fields = await sent(request)
    game, course = begun(request, fields)
    mode = read_mode(fields)
    table = Table(
        game=fields.text("game", "tic-tac-toe", 200),
        seats=read_seats(fields, game, request.app.state.programs, mode),
        mode=str(mode),
        held=fields.ticked("held"),
        seed=fields.whole("seed", secrets.randbelow(1_000_000), 0, 2**53),
        start=course.start,
        dice=fields.choice("dice", (IN_VIEW, AT_ONCE)),
        actions=list(course.actions),
        notes=[{} for _ in course.actions],
        opening=course.last,
    )
    return moved(latest(table.settle(game), game))


async def thumbnail(request: Request) -> Response:
    """The picture of a game's start, for the cards of the room."""
    game, course = begun(request, asked(request))
    svg = game.picture(course.states[-1]).svg
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})


# -- the table ----------------------------------------------------------------------------------------------


def found(request: Request) -> tuple[Table, Game]:
    table = Table.load(request.path_params["name"])
    return table, request.app.state.catalogue[table.game]


def latest(table: Table, game: Game) -> str:
    """The address of the present moment; in a hidden game the ply is left to the seat that looks."""
    return f"/play/t/{table.name}" + ("" if game.hidden and table.people else f"?ply={len(table.actions)}")


async def show(request: Request) -> Response:
    table, game = found(request)
    fields = asked(request)
    scene = Scene.of(table, game, fields)
    if table.finished(scene.course):
        await dismiss(request.app, table, scene.course)
    clicked = [[choice.text, choice.ways] for choice in scene.choices if choice.ways]
    buttons = [choice.text for choice in scene.choices if not choice.ways][:MOST_BUTTONS]
    if why := fields.text("why", most=200) if scene.may_move else "":
        read_action(game, scene.position.known, why, scene.position.legal)  # a move that is none is named at once
    return page(
        request,
        "play_table.html",
        scene=scene,
        table=table,
        clicked=json.dumps(clicked, separators=(",", ":"), ensure_ascii=False),
        buttons=buttons,
        texts=[choice.text for choice in scene.choices],
        hinted="hint" in fields and scene.may_move,
        why=why,
        seat_words=seat_words,
        capital=capital,
    )


async def move(request: Request) -> Response:
    """A person's move; at a moment that is not the last one it begins a table of its own."""
    fields = await sent(request)
    table, game = found(request)
    scene = Scene.of(table, game, fields)
    if not scene.may_move:
        raise BadInput(f"no person is to move there: {scene.status}")
    position = scene.position
    action = read_action(game, position.known, fields.text("move", most=300), position.legal)
    if scene.present or table.actions[scene.ply] != action:
        note: dict[str, Any] = {"text": game.format_action(position.known, action)} if game.hidden else {}
        if scene.present and table.since is not None:
            note["seconds"] = round(table.thought(), 3)
        if not scene.present:
            await dismiss(request.app, table)
            table = table.forked(scene.ply)
        table.add(game, action, **note)
    elif not scene.secret:
        return moved(scene.at(scene.number + 1))  # it has been played already, perhaps in another tab
    return moved(_after(table, game, scene))


def _after(table: Table, game: Game, scene: Scene) -> str:
    """Where a person's move leads: on, and where several share the page to whoever is next."""
    course = table.course(game)
    again = scene.secret and len(table.people) > 1 and course.mover(course.last) == scene.seat
    return f"/play/t/{table.name}?seat={scene.seat}" if again else latest(table, game)


async def hand_over(request: Request) -> Response:
    """The next person has taken the seat: the clock begins."""
    fields = await sent(request)
    table, game = found(request)
    seat = fields.whole("seat", -1, 0, game.players - 1)
    if seat not in table.people:
        raise BadInput(f"seat {seat} is not a person's")
    course = table.course(game)
    if table.since is None and course.mover(course.last) == seat and not table.finished(course):
        table.since = time.time()
        table.keep()
    return moved(f"/play/t/{table.name}?seat={seat}")


async def go_on(request: Request) -> Response:
    """One step of whoever is no person, for browsers without scripts."""
    await sent(request)
    table, game = found(request)
    async with aclosing(step(request.app, table, game)) as steps:
        async for _ in steps:
            pass
    return moved(latest(Table.load(table.name), game))


async def now(request: Request) -> Response:
    """The engine is to move with the best it has."""
    await sent(request)
    table, game = found(request)
    request.app.state.ear.hurry(table.name, len(table.actions))
    return moved(latest(table, game))


async def flip(request: Request) -> Response:
    fields = await sent(request)
    table, game = found(request)
    table.flipped = not table.flipped
    table.keep()
    return moved(Scene.of(table, game, fields).here)


async def continue_here(request: Request) -> Response:
    """A table of its own that goes on from an earlier moment."""
    fields = await sent(request)
    table, game = found(request)
    scene = Scene.of(table, game, fields)
    if scene.present:
        return moved(latest(table, game))
    await dismiss(request.app, table)
    return moved(latest(table.forked(scene.ply).settle(game), game))


async def again(request: Request) -> Response:
    """A rematch from the same beginning, with the seats as they are or each one further."""
    fields = await sent(request)
    table, game = found(request)
    await dismiss(request.app, table)
    fresh = table.forked(table.opening)
    fresh.seed = secrets.randbelow(1_000_000)
    if fields.ticked("swap"):
        fresh.seats = [*table.seats[1:], table.seats[0]]
    return moved(latest(fresh.settle(game), game))


async def save(request: Request) -> Response:
    """The game in its own notation, as a file; nothing of a hidden game that is not over."""
    fields = asked(request)
    table, game = found(request)
    scene = Scene.of(table, game, fields)
    if scene.secret:
        raise BadInput("this game hides something from each player: it is saved when it is over and shown openly")
    course = scene.course
    notation = fields.choice("notation", ("moves", *game.notations))
    if notation == "moves":
        text = course.moves_text(course.last)
    else:
        over = course.is_over(course.last)
        text = game.format_game(
            course.states[0],
            course.actions,
            notation,
            names=[seat_words(seat) for seat in table.seats],
            payoffs=course.payoffs(course.last) if over else None,
            notes=[(note.get("value"), float(note.get("seconds", 0.0))) for note in table.notes],
        )
    name = f"{game.name.partition(':')[0].rpartition('/')[2]}-{table.name[:6]}.{'txt' if notation != 'ggf' else 'ggf'}"
    safe = "".join(letter for letter in name if letter.isascii() and (letter.isalnum() or letter in "-._"))
    kept = {"content-disposition": f'attachment; filename="{safe}"'}
    return Response(text + "\n", media_type="text/plain; charset=utf-8", headers=kept)


# -- thinking -----------------------------------------------------------------------------------------------


async def think(request: Request) -> Response:
    """The stream of a table at which somebody thinks, or the dice roll; at its end, where to go."""
    table, game = found(request)

    async def events() -> AsyncIterator[Event]:
        present = table
        secret = game.hidden and bool(table.people)
        while True:
            scene = Scene.openly(present, game)
            state, mover = scene.state, scene.mover
            if scene.turn not in (MACHINE, CHANCE_TURN):
                break
            if scene.turn == CHANCE_TURN:
                await asyncio.sleep(ROLLING)
            async with aclosing(step(request.app, Table.load(present.name), game)) as steps:
                async for news in steps:
                    yield parts(thought=thought_html(game, state, mover, news, secret))
            present = Table.load(present.name)
            if not secret:
                break
        yield visit(latest(present, game))

    return stream(request, events())


async def give_hint(request: Request) -> Response:
    """The stream of an analysis of the position that a person is in."""
    table, game = found(request)
    scene = Scene.of(table, game, asked(request))
    if not scene.may_move:
        raise BadInput(f"no person is to move there: {scene.status}")
    position = scene.position
    known = position.known

    async def events() -> AsyncIterator[Event]:
        async with aclosing(request.app.state.desk.watch(hint(position))) as watched:
            async for news in watched:
                last = isinstance(news, Finished)
                found = news.answer if isinstance(news, Finished) else news
                yield parts(advice=advice_html(game, known, position.seat, found, last))

    return stream(request, events())


async def refute(request: Request) -> Response:
    """The stream that ends with why a move is not the best."""
    table, game = found(request)
    fields = asked(request)
    scene = Scene.of(table, game, fields)
    if not scene.may_move:
        raise BadInput(f"no person is to move there: {scene.status}")
    position = scene.position
    action = read_action(game, position.known, fields.text("why", most=300), position.legal)

    async def events() -> AsyncIterator[Event]:
        async with aclosing(request.app.state.desk.watch(why_not(position, action))) as watched:
            async for news in watched:
                if isinstance(news, Waiting):
                    yield parts(reason=fragment("play_reason.html", words=waiting_words(news), picture=""))
                elif isinstance(news, Finished):
                    words, picture = news.answer
                    yield parts(reason=fragment("play_reason.html", words=words, picture=picture))

    return stream(request, events())


ROOM = Room(
    "play",
    "Play",
    "Every game, against the engine, a program or each other; watch it think, take back, ask why not.",
    [
        Route("/play", choose),
        Route("/play/new", set_up, methods=["GET"]),
        Route("/play/new", sit_down, methods=["POST"]),
        Route("/play/picture", thumbnail),
        Route("/play/t/{name}", show, methods=["GET"]),
        Route("/play/t/{name}/move", move, methods=["POST"]),
        Route("/play/t/{name}/seat", hand_over, methods=["POST"]),
        Route("/play/t/{name}/go", go_on, methods=["POST"]),
        Route("/play/t/{name}/now", now, methods=["POST"]),
        Route("/play/t/{name}/flip", flip, methods=["POST"]),
        Route("/play/t/{name}/from", continue_here, methods=["POST"]),
        Route("/play/t/{name}/again", again, methods=["POST"]),
        Route("/play/t/{name}/save", save, methods=["GET"]),
        Route("/play/t/{name}/think", think, methods=["GET"]),
        Route("/play/t/{name}/hint", give_hint, methods=["GET"]),
        Route("/play/t/{name}/why", refute, methods=["GET"]),
    ],
)
