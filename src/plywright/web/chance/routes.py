"""The room of chance: a decision in a game with dice, its tree, and how the results are spread."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...errors import BadInput, Unsuitable
from ...game import Game
from ...outcome_text import percent_text
from ..catalogue import Catalogue
from ..doors import Door, doors
from ..fields import Fields
from ..play.estimates import estimate
from ..rendering import rendered
from ..requests import Reply, Visit, heard, page, redirect, visit_of
from ..room import Room
from ..search_queue import Finished
from ..stream import Event, parts, stream
from ..task_channel import TaskChannel
from .decision import Question, work_out
from .examples import EXAMPLES, GAMES, RISKS
from .tree import short
from .valuation import NEUTRAL

PATIENCE = 1.5
"""Seconds that a page waits for its answer; after that it comes without, and the answer follows."""
LONGEST_MOVES, LONGEST_STATE, LONGEST_ACTION = 800, 400, 60
DEPTHS = (2, 12)
MOST_GAMES = 1000
MOST_ROLLS = 64
"""Outcomes that are offered as links."""


def look_at(call: Visit) -> tuple[str, bool]:
    """In a worker: the address of the question that is asked, and whether there is something to work out.

    Another address than the one asked for is where a roll leads.
    """
    place = _place(call)
    if roll := call.fields.text("roll", most=LONGEST_ACTION):
        return place.rolled(roll), False
    return place.address(), not place.over


def worked_out(channel: TaskChannel, call: Visit) -> dict[str, str]:
    """In a worker: the answer, as parts of the page by id."""
    place = _place(call)
    found = {"place": place, "answer": place.work(), "short": short, "chance": place.winning_chance}
    return {name: rendered(f"chance_{name}.html", **found) for name in ("answer", "below")}


def shown(call: Visit, answer: dict[str, str] | None) -> Reply:
    """In a worker: the page, with its answer where that is there."""
    place = _place(call)
    return page(
        call,
        "chance.html",
        place=place,
        answer=answer,
        pending=answer is None and not place.over,
        examples=[(example.words, f"/chance?{urlencode(example.fields)}") for example in EXAMPLES],
        games=[*call.site.catalogue.own, *GAMES],
        risks=RISKS,
        depths=DEPTHS,
    )


async def show(request: Request) -> Response:
    """The page of a decision: whole where the answer is known or comes at once, otherwise the answer follows."""
    call, search_queue = await visit_of(request), request.app.state.search_queue
    if "game" not in call.fields:
        call = call._replace(fields=Fields(EXAMPLES[0].fields))
    address, open_ = await search_queue.run(look_at, call)
    if "roll" in call.fields and call.fields.text("roll", most=LONGEST_ACTION):
        return redirect(address).response()
    answer = None
    if open_:
        answer = await heard(request, request.app.state.background.answer(address, PATIENCE, worked_out, call))
    reply: Reply = await search_queue.run(shown, call, answer)
    return reply.response()


async def follow(request: Request) -> Response:
    """The answer to a page that came without it, and its place in the queue before that."""
    call = await visit_of(request)
    address, _ = await request.app.state.search_queue.run(look_at, call)

    async def events() -> AsyncIterator[Event]:
        async with aclosing(request.app.state.background.watch(address, worked_out, call)) as watched:
            async for news in watched:
                if isinstance(news, Finished):
                    yield parts(**news.answer)
                elif news.before:
                    yield parts(progress=f"waiting: {news.before} before you")
                else:
                    yield parts(progress="thinking; the rules of a game are compiled when it is first asked about")

    return stream(request, events())


ROOM = Room(
    "chance",
    "Chance",
    "Backgammon, Pig and other games with dice: what each move is worth, the tree of rolls, and how results spread.",
    [Route("/chance", show), Route("/chance/stream", follow)],
    needs="plywright.engine",
)


# -- what an address means ------------------------------------------------------------------------------------


class Step(NamedTuple):
    """One move on the way to the position, and the address after it."""

    name: str
    address: str


class Place:
    """The position and the question that the fields of an address mean."""

    def __init__(self, game: Game, text: str, fields: Fields) -> None:
        self.fields = fields
        self.state_text = fields.text("state", most=LONGEST_STATE)
        self.moves = game.split_moves(fields.text("moves", most=LONGEST_MOVES))
        self.utility = fields.text("utility", NEUTRAL, most=80) or NEUTRAL
        self.start = game.read_state(self.state_text) if self.state_text else game.start_state
        self.game, self.game_text = game, text
        self.state = game.states_along(self.start, game.join_moves(self.moves))[-1]
        self.question = Question(
            game,
            self.state,
            fields.whole("depth", 2, *DEPTHS),
            self.utility,
            fields.text("action", most=LONGEST_ACTION),
            fields.ticked("every"),
            fields.whole("games", 0, 0, MOST_GAMES),
        )
        self.over = bool(game.is_terminal(self.state))
        self.at_chance = game.at_chance(self.state)
        if self.question.action and not self.over and not self.at_chance:
            game.parse_action(self.state, self.question.action)
        self.picture = game.picture(self.state)

    def work(self) -> Any:
        """The answer; may take seconds."""
        try:
            return work_out(self.question, lambda path: self.address(moves=[*self.moves, *path]), self.chosen)
        except (ArithmeticError, ValueError):
            if self.utility == NEUTRAL:
                raise
            raise BadInput(
                f"{self.utility} is too extreme for what {self.game.name} pays: take a gentler one"
            ) from None

    def winning_chance(self, value: float) -> str:
        """A value here as a chance to win; nothing where nobody is beaten, or where amounts are bent by a utility."""
        if not self.game.opposed or self.utility != NEUTRAL:
            return ""
        chance = estimate(self.game, self.state, value).chance
        return "" if chance is None else percent_text(chance)

    @property
    def doors(self) -> list[Door]:
        """This position in the other rooms."""
        return doors(self.game, self.game_text, self.state_text, self.game.join_moves(self.moves), "chance")

    def address(self, **changed: Any) -> str:
        """The address of this page with some fields changed; other moves are another question."""
        question = self.question
        fields: dict[str, Any] = {
            "game": self.game_text,
            "state": self.state_text,
            "moves": self.moves,
            "depth": question.depth,
            "utility": "" if self.utility == NEUTRAL else self.utility,
            "every": "yes" if question.every else "",
        }
        if "moves" not in changed:
            fields |= {"action": question.action, "games": question.games or ""}
        fields |= changed
        fields["moves"] = self.game.join_moves(fields["moves"])
        return "/chance?" + urlencode({name: value for name, value in fields.items() if value != ""})

    def chosen(self, action: str) -> str:
        return self.address(action=action, games="")

    def rolled(self, roll: str) -> str:
        """The address after a roll; raises BadInput where nothing is rolled, or not that."""
        if not self.at_chance:
            raise BadInput(f"roll {roll!r}: nothing is rolled in this position of {self.game.name}; leave the roll out")
        self.game.parse_action(self.state, roll)
        return self.address(moves=[*self.moves, roll])

    @property
    def stream(self) -> str:
        return self.address().replace("/chance?", "/chance/stream?", 1)

    @property
    def trail(self) -> list[Step]:
        """The way to the position, each step with its address."""
        start = Step("start" if not self.state_text else self.state_text, self.address(moves=[]))
        return [start, *(Step(move, self.address(moves=self.moves[: n + 1])) for n, move in enumerate(self.moves))]

    @property
    def rolls(self) -> list[Step]:
        """What chance may bring here, each with the address after it."""
        if not self.at_chance:
            return []
        names = [self.game.format_action(self.state, one) for one in self.game.choices(self.state)[:MOST_ROLLS]]
        return [Step(name, self.address(moves=[*self.moves, name])) for name in names]

    @property
    def mover(self) -> str:
        return "" if self.over or self.at_chance else self.game.player_name(int(self.game.to_move(self.state)))


def _place(call: Visit) -> Place:
    text = call.fields.text("game", most=200)
    return Place(_game(call.site.catalogue, text), text, call.fields)


def _game(catalogue: Catalogue, text: str) -> Game:
    """The game with listed chance that a text means."""
    game = catalogue[text]
    if game.hidden:
        raise Unsuitable(f"{game.name} hides something from the players, so its tree is not one of this room")
    if not game.lists_chance:
        why = "its chance cannot be listed" if game.has_chance else "nothing in it is left to chance"
        raise Unsuitable(f"{game.name} has no tree of chance: {why}; choose pig, backgammon or another game with dice")
    return game
