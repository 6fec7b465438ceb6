"""The Pac-Man room: games to watch, step through and play, and the experiments."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...draw.maze import MAZE_CLASSES, SIZE, Figure, maze
from ...draw.svg import PREFIX, style_sheet
from ...errors import BadInput
from ...games.pacman.knowledge import EVALUATIONS
from ...games.pacman.maze import DIRECTIONS, layout_names
from ...pacman.agents import MYSTERIES
from ..errors import Missing
from ..fields import Fields
from ..requests import Reply, Visit, heard, page, picture, plain_page, query, visit_of, worked
from ..room import Room
from ..search_queue import Finished, Waiting
from ..stream import Event, problem, stream, visit
from ..task_channel import TaskChannel
from .choice import AGENTS, GHOSTS, LETTERS, MYSTERY, PERSON, Choice, maze_of, read_moves
from .experiments import routes as experiment_routes
from .watched import WatchedGames, play_until

MOST_FRAMES = 6000
CHUNK = 60
"""Frames of one answer at most: the browser asks for more when it has shown most of them."""
PATIENCE = 1.5
"""Seconds that a page waits for its frame; after that it says so, and the frame follows."""
LOOK, LONGEST = 8.0, 20.0
"""Seconds for the frame that an address asks for, and for one answer of frames."""
UNTHOUGHT: dict[str, Any] = {"words": "", "value": None, "values": {}, "line": [], "action": None, "yours": []}
"""What a frame lacks before anybody has searched."""
games = WatchedGames()
"""Of this worker."""


class Asked(NamedTuple):
    """What an address asks for: a game, a person's moves in it, a frame, and a guess at who plays."""

    choice: Choice
    moves: str
    at: int
    guess: str

    @classmethod
    def read(cls, fields: Fields) -> Asked:
        at, guess = fields.whole("at", 0, 0, MOST_FRAMES), fields.choice("guess", ("", *MYSTERIES), "")
        return cls(Choice.read(fields), read_moves(fields), at, guess)

    @property
    def subject(self) -> str:
        """What the worker that plays this game remembers it by."""
        return f"pacman {self.choice}"

    @property
    def is_begun(self) -> bool:
        """Whether something has to be played; nothing is for the first frame."""
        return bool(self.at) or self.choice.person >= 0

    def look(self) -> dict[str, Any]:
        """The frame and its picture; may take seconds, and the rules are compiled the first time."""
        choice, moves, at, guess = self
        game = games[choice, moves]
        end = time.monotonic() + LOOK
        try:
            if self.is_begun:
                wanted = at if choice.person < 0 else MOST_FRAMES
                play_until(game, wanted, lambda frame: None, lambda: time.monotonic() > end)
        except BadInput:
            games.forget(game)
            raise
        is_there = at < len(game.frames) and choice.person < 0
        frame = game.frames[at] if is_there else game.frames[-1] if game.over else game.present()
        return {
            "frame": UNTHOUGHT | frame,
            "picture": game.picture(frame),
            "secret": game.secret if guess else "",
            "players": list(game.game.player_names),
        }


def look_on(channel: TaskChannel, call: Visit) -> Reply:
    """In a worker: the page of a game that is under way."""
    return draw(call)


def draw(call: Visit) -> Reply:
    """In a worker: the game that the address means, at the frame that it asks for."""
    wanted = Asked.read(call.fields)
    choice = wanted.choice
    return page(
        call,
        "pacman.html",
        choice=choice,
        moves=wanted.moves,
        guess=wanted.guess,
        agents=AGENTS,
        ghosts=GHOSTS,
        evaluations=EVALUATIONS,
        mysteries=MYSTERIES,
        thinks=choice.agent not in (MYSTERY, PERSON, "random"),
        is_mystery=choice.agent == MYSTERY,
        layouts=[maze_of(name) for name in layout_names()],
        maze=maze_of(choice.layout),
        directions=list(zip(LETTERS, DIRECTIONS, strict=True)),
        size=SIZE,
        prefix=PREFIX,
        style=Markup(style_sheet(MAZE_CLASSES, MAZE_CLASSES)),  # of every figure: a ghost may become afraid
        fields=parse_qsl(choice.query()),
        **wanted.look(),
    )


def play_on(channel: TaskChannel, choice: Choice, moves: str, first: int, count: int) -> None:
    """In a worker: play frames from a number on, each reported."""
    game = games[choice, moves]
    end = time.monotonic() + LONGEST
    try:
        play_until(
            game, first + count - 1, channel.report, lambda: channel.stop.is_set() or time.monotonic() > end, first
        )
    except BadInput:
        games.forget(game)
        raise


def thumbnail(call: Visit) -> Reply:
    """A layout as it begins, as a picture of its own."""
    name = call.params["name"]
    if name not in layout_names():
        raise Missing(f"there is no layout {name[:40]!r}")
    found = maze_of(name)
    rows = ["".join(sign if sign in "%.o" else " " for sign in row) for row in found.rows]
    ghosts = [Figure(cell, "ghost", None, number) for number, cell in enumerate(found.ghosts)]
    return picture(maze(rows, [Figure(found.pacman, "eater", 1), *ghosts]).svg)


# -- in the server --------------------------------------------------------------------------------------------


async def show(request: Request) -> Response:
    """The page; where its frame has to be played first and that takes long, one that says so."""
    call = await visit_of(request)
    wanted = Asked.read(call.fields)
    if not wanted.is_begun:
        first: Reply = await request.app.state.search_queue.run(draw, call)
        return first.response()
    options = {"subject": wanted.subject, "keep": False}
    looking = request.app.state.background.answer(_key(wanted), PATIENCE, look_on, call, **options)
    reply: Reply | None = await heard(request, looking)
    if reply is None:
        return plain_page(request, "pacman_waiting.html", stream=f"/pacman/wait?{request.url.query}")
    return reply.response()


async def wait(request: Request) -> Response:
    """For a page that came without its game: shows it when it is there."""
    call = await visit_of(request)
    wanted = Asked.read(call.fields)
    shown = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != "token"])

    async def events() -> AsyncIterator[Event]:
        looking = request.app.state.background.watch(_key(wanted), look_on, call, subject=wanted.subject, keep=False)
        async with aclosing(looking) as watched:
            async for _ in watched:
                pass
        yield visit(f"/pacman?{shown}")

    return stream(request, events())


def _key(wanted: Asked) -> str:
    return f"pacman {wanted}"


async def frames(request: Request) -> Response:
    """Frames from a number on, as they are played; leaving stops the search before its next move."""
    fields = query(request)
    wanted = Asked(Choice.read(fields), read_moves(fields), 0, "")
    first = fields.whole("from", 0, 0, MOST_FRAMES)
    count = fields.whole("count", 1, 1, CHUNK)
    return stream(request, _frames(request, wanted, first, count))


async def _frames(request: Request, wanted: Asked, first: int, count: int) -> AsyncIterator[Event]:
    task = (play_on, wanted.choice, wanted.moves, first, count)
    async with aclosing(request.app.state.search_queue.watch(*task, subject=wanted.subject)) as news:
        async for item in news:
            if isinstance(item, Waiting):
                yield problem(f"waiting: {item.before} before you")
            elif not isinstance(item, Finished):
                yield Event("frame", json.dumps(item, separators=(",", ":")))


ROOM = Room(
    "pacman",
    "Pac-Man",
    "Watch agents search, see the value of every direction on the board, take the joystick, and run the table of "
    "assumptions.",
    [
        Route("/pacman", show),
        Route("/pacman/wait", wait),
        Route("/pacman/frames", frames),
        Route("/pacman/layouts/{name}.svg", worked(thumbnail)),
        *experiment_routes,
    ],
    needs="plywright.pacman",
)
