"""The evaluation bench: what an address says, and its page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...errors import BadInput
from ...outcome_text import with_minus
from ...weighted import Term
from ..fields import Fields
from ..requests import Reply, Visit, heard, page, plain_page, visit_of
from ..room import Room
from ..search_queue import Waiting
from ..stream import Event, parts, stream, visit
from ..task_channel import TaskChannel
from ..worker_pool import here
from .scales import AS_IT_IS, OFFERED, Move, Scales, ranked, scales_of, weighed

DEEPEST = 4
MOST_SHOWN = 12
"""Moves of the table."""
LARGEST = 1e6
PATIENCE = 1.5
TAKES = "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 1"
"""A queen that may take pawns which are protected, as a search of one move does not see."""
EXAMPLES = (
    ("Tic-tac-toe's open lines", {"game": "tic-tac-toe", "moves": "b2"}),
    ("Othello by hand", {"game": "othello", "knowledge": "hand", "moves": "f5 d6 c3"}),
    ("Chess: 1, 3, 3.25, 5, 9", {"game": "chess", "knowledge": "material", "state": TAKES}),
    ("Chess, all it knows", {"game": "chess", "knowledge": "features", "state": TAKES}),
    ("Checkers", {"game": "checkers", "knowledge": "hand"}),
    ("Pac-Man", {"game": "pacman:layout=small"}),
)  # fmt: skip


class Weighed(NamedTuple):
    """One feature as the page shows it: with its weight as it was and as it is."""

    number: int
    term: Term
    before: str
    changed: bool


class Place:
    """The position and the weights that the fields of an address mean."""

    def __init__(self, fields: Fields) -> None:
        self.text = fields.text("game", "tic-tac-toe", most=200) or "tic-tac-toe"
        game = here().catalogue[self.text]
        self.knowledge = fields.text("knowledge", most=60)
        self.state_text, self.moves = fields.text("state", most=500), fields.text("moves", most=1000)
        self.depth = fields.whole("depth", 1, 1, DEEPEST)
        start = game.read_state(self.state_text) if self.state_text else game.start_state
        self.state = game.states_along(start, self.moves)[-1] if self.moves else start
        if game.is_terminal(self.state):
            raise BadInput(f"the game is over in this position of {game.name}: there is nothing to choose")
        if game.at_chance(self.state):
            raise BadInput(f"chance moves in this position of {game.name}: play on to where somebody chooses")
        self.game, self.shipped = game, scales_of(game, self.knowledge)
        before = self.shipped.terms(self.state)
        self.given = {
            term.name: _number(fields, f"w{n}")
            for n, term in enumerate(before)
            if term.weight and fields.text(f"w{n}") not in ("", term.weight)
        }
        self.scales: Scales = self.shipped.changed(self.given)
        now = {term.name: term for term in self.scales.terms(self.state)}
        nothing = (0.0,) * self.game.players
        self.rows = [
            Weighed(
                n, self._weighed(now.get(old.name, old._replace(worth=nothing))), old.weight, old.name in self.given
            )
            for n, old in enumerate(before)
        ]
        known = {old.name for old in before}
        self.rows += [Weighed(-1, term, "", False) for name, term in now.items() if name not in known]

    def _weighed(self, term: Term) -> Term:
        """A term whose weight is what was given for it, as it was written; a group is told by its factor."""
        if term.name not in self.given:
            return term
        sign = "×" if term.weight == AS_IT_IS else ""
        return term._replace(weight=f"{sign}{self.given[term.name]:g}")

    @property
    def names(self) -> list[str]:
        """Whose counts the columns are."""
        sides = len(self.rows[0].term.counts) if self.rows else 1
        return [self.game.player_name(player) for player in range(sides)] if sides > 1 else [""]

    @property
    def totals(self) -> list[float]:
        return [sum(row.term.worth[side] for row in self.rows) for side in range(len(self.names))]

    def address(self, path: str = "/bench", **changed: Any) -> str:
        fields: dict[str, Any] = {
            "game": self.text,
            "knowledge": self.knowledge,
            "state": self.state_text,
            "moves": self.moves,
        }
        fields |= {"depth": self.depth if self.depth > 1 else ""}
        fields |= {f"w{row.number}": f"{self.given[row.term.name]:g}" for row in self.rows if row.changed}
        fields |= changed
        return f"{path}?" + urlencode({name: value for name, value in fields.items() if value != ""})

    @property
    def plain(self) -> str:
        """The address with the weights as they are shipped."""
        return self.address(**{f"w{row.number}": "" for row in self.rows})

    @property
    def command(self) -> str:
        weights = ",".join(f"{name}={value:g}" for name, value in self.given.items())
        words = [f"plywright best {self.text}", f"--depth {self.depth}"]
        words += [f"--knowledge {self.knowledge}"] if self.knowledge else []
        words += [f'--moves "{self.moves}"'] if self.moves else []
        words += [f'--state "{self.state_text}"'] if self.state_text else []
        words += [f'--weights "{weights}"'] if weights else []
        return " ".join([*words, "--explain-evaluation"])


def _number(fields: Fields, name: str) -> float:
    """A weight as it was typed: a number, or a factor with its sign."""
    plain = Fields({name: fields.text(name).strip().removeprefix("×")})
    return plain.number(name, 0.0, -LARGEST, LARGEST)


def search_both(channel: TaskChannel, fields: Fields) -> tuple[Move, Move]:
    """In a worker: what the shipped weights and the changed ones choose at the depth that is asked for."""
    place = Place(fields)
    return place.shipped.best(place.state, place.depth), place.scales.best(place.state, place.depth)


def draw(call: Visit, searched: tuple[Move, Move] | None) -> Reply:
    """In a worker: the page; one move ahead is worked out here."""
    place = Place(call.fields)
    before, now = ranked(place.shipped, place.state), ranked(place.scales, place.state)
    chosen = searched or (before[0], now[0])
    values = {move.action: move.value for move in before}
    return page(
        call,
        "bench.html",
        place=place,
        chosen=chosen,
        moves=[(move, values[move.action]) for move in now[:MOST_SHOWN]],
        more=max(len(now) - MOST_SHOWN, 0),
        picture=place.game.picture(place.state),
        mover=place.game.player_name(int(place.game.to_move(place.state))),
        games=[*call.site.catalogue.own, *OFFERED],
        evaluations=weighed(place.game),
        examples=[(words, "/bench?" + urlencode(fields)) for words, fields in EXAMPLES],
        deepest=DEEPEST,
        points=points,
    )


def points(value: float) -> str:
    """A sum of weights with its sign: four figures, and none for nothing."""
    return with_minus(f"{value:+.4g}") if f"{value:.4g}".strip("-0.") else "0"


async def show(request: Request) -> Response:
    """The page; a search of several plies that takes long is shown as such."""
    call, searched = await visit_of(request), None
    if not call.fields.given:
        call = call._replace(fields=Fields(EXAMPLES[0][1]))
    if call.fields.whole("depth", 1, 1, DEEPEST) > 1:
        answer = request.app.state.background.answer(_key(call.fields), PATIENCE, search_both, call.fields)
        searched = await heard(request, answer)
        if searched is None:
            address = "/bench/wait?" + urlencode(dict(call.fields.given))
            return plain_page(request, "bench_waiting.html", stream=address)
    reply: Reply = await request.app.state.search_queue.run(draw, call, searched)
    return reply.response()


async def wait(request: Request) -> Response:
    call = await visit_of(request)
    given = {name: value for name, value in call.fields.given.items() if name != "token"}
    fields = Fields(given)

    async def events() -> AsyncIterator[Event]:
        async with aclosing(request.app.state.background.watch(_key(fields), search_both, fields)) as watched:
            async for news in watched:
                if isinstance(news, Waiting):
                    words = f"waiting: {news.before} before you" if news.before else "the search runs"
                    yield parts(bench_waiting=words)
        yield visit("/bench?" + urlencode(given))

    return stream(request, events())


def _key(fields: Fields) -> str:
    return f"bench {sorted(fields.given.items())}"


ROOM = Room(
    "bench",
    "Evaluation",
    "What an evaluation sees in a position, feature by feature: change a weight and watch the choice change.",
    [Route("/bench", show), Route("/bench/wait", wait)],
    needs="plywright.engine",
)
