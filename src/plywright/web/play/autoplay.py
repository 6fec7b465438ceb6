"""A table that goes on by itself: one step of chance, or of a non-human player."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, NamedTuple

from starlette.applications import Starlette

from ...game import Game
from ..search_queue import Call, Finished, Waiting
from ..stream import Event, parts
from ..worker_pool import here
from .game_replay import GameReplay
from .move_search import Thought, ponder, ponder_here
from .progress_parts import waiting_html
from .seats import is_program
from .table import Table
from .table_view import CHANCE_TURN, MACHINE, TableView

THINKING = 150.0
"""Seconds of one move, to compile the rules included; the search itself has `MOST_THINKING`."""


class Turn(NamedTuple):
    """Whose turn it is at a table, and where its page is."""

    name: str
    kind: str
    ply: int
    seat: int | None
    left: float | None
    program: bool
    secret: bool
    """Whether nothing may be told of what is thought."""
    address: str
    paused: bool = False


def whose_turn(name: str) -> Turn:
    """In a worker: how a table stands."""
    table = Table.load(name)
    game = here().catalogue[table.game]
    table_view = TableView.openly(table, game)
    seat, ply = table_view.mover, table_view.replay.last
    left = None if seat is None else table.left(table_view.replay, seat, ply)
    program = seat is not None and is_program(table.seats[seat])
    if program:
        _ = game.fixed_states  # found by random games, in the server, too: what never ends, ends here
    secret = game.hidden and bool(table.people)
    return Turn(name, table_view.turn, ply, seat, left, program, secret, latest(table, game), table.paused)


def latest(table: Table, game: Game) -> str:
    """The address of the present moment; in a hidden game the ply is left to the seat that looks."""
    return f"/play/t/{table.name}" + ("" if game.hidden and table.people else f"?ply={len(table.actions)}")


def go_on(name: str, turn: Turn, thought: Thought | None) -> tuple[Any, ...] | None:
    """In a worker: play what chance brings, or what was thought; what `leave` is to be told where the game is over.

    If the table has gone on meanwhile, in another tab, nothing is played.
    """
    table = Table.load(name)
    game = here().catalogue[table.game]
    if len(table.actions) != turn.ply or table.ended:
        return None
    if thought is None:
        table.add(game, table.replay(game).draw(table.seed))
    elif thought.action is None:
        table.ended, table.loser, table.since = f"{thought.offence}.", turn.seat, None
        table.keep()
    else:
        table.add(game, thought.action, seconds=round(thought.seconds, 3), **thought.info)
    return farewell(table, table.replay(game))


def farewell(table: Table, replay: GameReplay | None = None) -> tuple[Any, ...] | None:
    """What programs are told when a table is left; None where the game goes on."""
    if replay is None:
        return table.name, ()
    if not table.finished(replay):
        return None
    return table.name, tuple(replay.payoffs(replay.last)) if replay.is_over(replay.last) else ()


# -- in the server --------------------------------------------------------------------------------------------


async def step(app: Starlette, turn: Turn) -> AsyncGenerator[Event, None]:
    """One step of chance or of a non-human player: what is seen on the way; then it is played and saved."""
    thought: Thought | None = None
    if turn.kind == MACHINE:
        async with aclosing(_thoughts(app, turn)) as thoughts:
            async for news in thoughts:
                if isinstance(news, Finished):
                    thought = news.answer
                elif isinstance(news, Waiting):
                    yield parts(thought=waiting_html(news))
                else:
                    yield news
    elif turn.kind != CHANCE_TURN:
        return
    over = await app.state.search_queue.run(go_on, turn.name, turn, thought)
    if over is not None:
        await dismiss(app, *over)


async def _thoughts(app: Starlette, turn: Turn) -> AsyncGenerator[Any, None]:
    search_queue = app.state.search_queue
    if turn.program:
        here_ = ponder_here(turn.name, turn.ply, turn.left, app.state.program_pool, app.state.catalogue)
        async with aclosing(search_queue.watch_here(here_)) as watched:
            async for news in watched:
                yield news
        return
    call = Call(ponder, (turn.name, turn.ply, turn.left, turn.secret), THINKING, turn.name)
    with app.state.move_now.hears(turn.name, turn.ply, call):
        async with aclosing(search_queue.watch_call(call)) as watched:
            async for news in watched:
                yield news


async def dismiss(app: Starlette, name: str, payoffs: Sequence[float] = ()) -> None:
    """A table is left: its programs are ended, and told the result of a game that is over."""
    if name not in app.state.program_pool:
        return
    async for _ in app.state.search_queue.watch_here(lambda report, stop: app.state.program_pool.leave(name, payoffs)):
        pass


async def hurry(app: Starlette, name: str, ply: int) -> None:
    app.state.move_now.hurry(name, ply)
