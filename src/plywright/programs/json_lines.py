"""Our own protocol for any game: one JSON object per line, both ends. `docs/referee.md` has the messages."""

from __future__ import annotations

import json
import math
import numbers
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ..engine.hidden.past import Moment
from ..errors import BadInput, PlywrightError, shown
from ..game import Game
from ..literal import written
from ..number import is_whole
from ..players import Clock, Mode, Offence, Player
from ..players.offence import CRASHED, ILLEGAL
from ..state import Shape, coerce, shape_of
from .answering import Brain
from .figures import is_number
from .process import RAW_CAP
from .program_player import ProgramPlayer, place_of

VERSION = 1
ACCOUNT = ("value", "depth", "nodes")
SHOWN = 10
"""Legal actions named where one is refused."""


class JsonPlayer(ProgramPlayer):
    """A program that speaks JSON lines."""

    protocol = "json"
    farewell = '{"type": "bye"}'

    def __init__(self, command: str, game: Game, name: str = "", options: Mapping[str, str] | None = None) -> None:
        super().__init__(command, game, name, options)
        self.request = 0

    def greet(self, deadline: float) -> None:
        hello = {"type": "hello", "protocol": VERSION, "game": self.game.name, "players": self.game.players}
        self.say(json.dumps(hello), deadline)
        answer = self.wait_for(lambda line: self.read(line, "hello", "error"), deadline)
        if answer["type"] == "error":
            raise Offence(ILLEGAL, str(answer.get("message"))[:RAW_CAP])
        self.introduced(answer.get("name"))

    def new_game(self, deadline: float) -> None:
        self.pipe.drain()
        self.request += 1
        new = {"type": "new", "id": self.request, "seat": self.seat, "seed": self.seed, "mode": str(self.mode)}
        self.say(json.dumps(new), deadline)
        self.say(json.dumps({"type": "ping", "id": self.request}), deadline)
        self.wait_for(lambda line: self.read(line, "pong"), deadline)

    def ask(self, view: Any, clock: Clock) -> int:
        self.request += 1
        game = self.game
        actions = list(self.asked.legal)
        request = {
            "type": "go",
            "id": self.request,
            "seat": self.seat,
            "state": None if game.hidden else game.format_state(view),
            "view": view_json(game, view, self.seat),
            "moves": [text for _, text in self.moves],
            "legal": [game.format_action(self.place, action) for action in actions],
            "actions": actions,
            "clock": clock_as_json(clock),
        }
        if self.asked.history:
            request["history"] = [game.format_state(state) for state in self.asked.history]
        if self.asked.past is not None:
            request["past"] = [
                {"view": view_json(game, moment.view, self.seat), "action": moment.action} for moment in self.asked.past
            ]
        stop = f'{{"type": "stop", "id": {self.request}}}'
        raw, answer = self.exchange(json.dumps(request), self.read_answer, clock, stop)
        move = answer.get("move")
        if not isinstance(move, str):
            raise Offence(ILLEGAL, f"{self.name} sent a move that is no text: {move!r}", raw)
        return self.read_move(view, move, raw)

    def end(self, game: Game, seat: int, payoff: float) -> None:
        if self.process is not None and self.process.alive:
            self.say(json.dumps({"type": "end", "payoff": payoff}))

    def read_answer(self, line: str) -> tuple[str, dict[str, Any]] | None:
        message = self.read(line, "move", "info", "error")
        if message is None:
            return None
        if message["type"] == "error":
            raise Offence(CRASHED, f"{self.name} gave up: {message.get('message')}", line[:RAW_CAP])
        if message["type"] == "info":
            self.info.update({key: message[key] for key in ACCOUNT if is_number(message.get(key))})
            return None
        return line[:RAW_CAP], message

    def read(self, line: str, *kinds: str) -> dict[str, Any] | None:
        """The message if it is of one of these kinds and answers the last request; None for what may be ignored."""
        if not line.strip():
            return None
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            raise Offence(ILLEGAL, f"{self.name} wrote a line that is not JSON", line[:RAW_CAP]) from None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise Offence(ILLEGAL, f"{self.name} wrote a line that is no message with a type", line[:RAW_CAP])
        stale = message["type"] in ("move", "info", "pong") and message.get("id") != self.request
        if stale and message["type"] == "move" and "id" not in message:
            raise Offence(ILLEGAL, f"{self.name} sent a move without the id of its request", line[:RAW_CAP])
        return None if stale or message["type"] not in kinds else message


def serve(game: Game, player: Player, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Be the program: answer the messages in `lines` until they end or say bye."""
    brain, seat, seed = Brain(game, player), 0, 0

    def tell(**message: Any) -> None:
        write(json.dumps(message))

    for line in lines:
        try:
            message = json.loads(line)
            kind = message.get("type")
        except (ValueError, AttributeError, RecursionError):
            tell(type="error", message="a message is one JSON object with a type on a line of its own")
            continue
        if kind == "hello":
            asked = message.get("game", game.name)
            if asked != game.name and not _same_file(asked, game.name):
                tell(type="error", message=f"this program plays {game.name}, not {asked}")
                continue
            brain.prepare()
            tell(type="hello", name=player.name, version="1", protocol=VERSION)
        elif kind == "ping":
            brain.stop()
            tell(type="pong", id=message.get("id"))
        elif kind == "new":
            brain.stop()
            try:
                seat, seed = _number(message, "seat", game.players), _number(message, "seed", 1 << 64)
            except BadInput as error:
                tell(type="error", message=str(error))
                continue
            brain.begin(seat, seed)
        elif kind == "go":
            _go(game, brain, message, tell)
        elif kind == "stop":
            brain.stop()
        elif kind == "bye":
            break
    brain.stop()


def _same_file(asked: Any, name: str) -> bool:
    """Whether both are a game of a file of that name: either side has its own path to it."""
    return ".py" in name and isinstance(asked, str) and asked.rpartition("/")[2] == name.rpartition("/")[2]


def _go(game: Game, brain: Brain, message: dict[str, Any], tell: Callable[..., None]) -> None:
    number = message.get("id")
    try:
        seat = _number(message, "seat", game.players)
        view = read_view(game, message, seat)
        clock = clock_from_json(message.get("clock", {}))
        history = [game.read_state(text) for text in _list(message, "history")]
        past = read_past(game, message, seat)
        place = place_of(game, view, seat)
        known = None if game.hidden and place is view else place
        legal = read_actions(game, message, known)
        if game.hidden and not legal and known is not None and not game.is_terminal(known):
            legal = tuple(int(action) for action in game.actions(known))
    except Exception as error:  # the rules are asked, too, which may be anybody's
        told = isinstance(error, (PlywrightError, ValueError, TypeError, OverflowError))
        tell(type="error", id=number, message=str(error) if told else f"{type(error).__name__}: {error}")
        return
    brain.failed = lambda text: tell(type="error", id=number, message=text)
    brain.report = lambda found: tell(type="info", id=number, depth=found.depth, value=found.value, nodes=found.nodes)

    def answer(action: int) -> None:
        tell(type="move", id=number, move=game.format_action(place, action))

    brain.go(view, seat, clock, answer, history, legal, past)


# -- values as JSON ----------------------------------------------------------------------------------------


def as_json(value: Any) -> Any:
    """A view: a named tuple as an object, a tuple as a list, numbers and texts as they are, others as texts."""
    if hasattr(value, "_fields"):
        return {name: as_json(part) for name, part in zip(value._fields, value, strict=True)}
    if isinstance(value, tuple):
        return [as_json(part) for part in value]
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return float(value)
    return int(value) if isinstance(value, (int, np.integer, np.bool_, numbers.Integral)) else written(value)


def view_json(game: Game, view: Any, seat: int) -> Any:
    """What a seat sees: as numbers where all views have one form, else as the game writes it."""
    return as_json(view) if game.fixed_views else game.format_observation(view, seat)


def read_past(game: Game, message: Mapping[str, Any], seat: int) -> tuple[Moment, ...] | None:
    """What the seat saw and did, as the asker tells it; None where it does not, or where views are texts.

    A view in which the seat was to move is held to the rules, as the one of the request is.
    """
    if message.get("past") is None or not game.fixed_views or not game.hidden:
        return None
    moments = []
    for number, moment in enumerate(_list(message, "past"), 1):
        if not isinstance(moment, dict) or set(moment) != {"view", "action"}:
            raise BadInput(f"moment {number} of the past is no object with a view and an action: {shown(moment)}")
        view, action = moment["view"], moment["action"]
        if action is not None and (not is_whole(action) or not 0 <= action < 1 << 63):
            raise BadInput(f"moment {number} of the past: an action is a whole number or null, not {shown(action)}")
        shape = shape_of(game.observation(game.start_state, seat))
        seen = coerce(shape, _tuples(view, shape), "view")
        if action is not None and (why := game.check_observation(seen, seat)):
            raise BadInput(f"moment {number} of the past cannot be what seat {seat} of {game.name} saw: {why}")
        moments.append(Moment(seen, action))
    return tuple(moments)


def read_view(game: Game, message: Mapping[str, Any], seat: int) -> Any:
    """The view of a request: from the state's text, or from the numbers of what the seat sees."""
    if message.get("state") is not None:
        state = game.read_state(message["state"])
        return game.observation(state, seat) if game.hidden else state
    if not game.fixed_views:
        return game.read_observation(message.get("view", ""), seat)
    shape = shape_of(game.observation(game.start_state, seat))
    view = coerce(shape, _tuples(message.get("view"), shape), "view")
    if not game.hidden:
        return game.checked(view)
    if why := game.check_observation(view, seat):
        raise BadInput(f"{shown(view)} cannot be what seat {seat} of {game.name} sees: {why}")
    return view


def _tuples(value: Any, shape: Shape) -> Any:
    """What JSON has for a view as tuples: an object by the names of the fields, whatever their order."""
    if isinstance(value, dict):
        names = getattr(shape.cls, "_fields", ())
        if set(value) != set(names):
            wanted = f"the fields {', '.join(names)}" if names else "no object"
            raise BadInput(f"{shown(value)} should be {wanted}")
        value = [value[name] for name in names]
    if not isinstance(value, list) or len(value) != len(shape.items):
        return value
    return tuple(_tuples(part, item) for part, item in zip(value, shape.items, strict=True))


def read_actions(game: Game, message: Mapping[str, Any], place: Any) -> tuple[int, ...]:
    """The legal actions of a request, none where it lists none; held to the rules where a state is known."""
    given = _list(message, "actions")
    for action in given:
        if not is_whole(action) or not 0 <= action < 1 << 63:
            raise BadInput(f"an action is a whole number from 0 to 2**63 - 1, not {shown(action)}")
    if len(set(given)) < len(given) or len(given) > game.max_actions:
        raise BadInput(f"actions lists each legal action once, and at most {game.max_actions} of them")
    if given and place is not None:
        is_over = game.is_terminal(place) or game.at_chance(place)
        legal = [] if is_over else [int(action) for action in game.actions(place)]
        if wrong := [action for action in given if action not in legal]:
            there = f"legal are {', '.join(map(str, legal[:SHOWN]))}" if legal else "nobody is to move"
            more = ", ..." if len(legal) > SHOWN else ""
            raise BadInput(f"the action {wrong[0]} is not legal in {game.name} here: {there}{more}")
    return tuple(given)


def _list(message: Mapping[str, Any], name: str) -> list[Any]:
    """A list of a message, empty where it has none."""
    value = message.get(name, [])
    if not isinstance(value, list):
        raise BadInput(f"{name} must be a list, not {shown(value)}")
    return value


def _number(message: Mapping[str, Any], name: str, below: int) -> int:
    """A whole number of a message, 0 where it has none."""
    value = message.get(name, 0)
    if not is_whole(value) or not 0 <= value < below:
        raise BadInput(f"{name} must be a whole number from 0 to {below - 1}, not {shown(value)}")
    return value


def clock_as_json(clock: Clock) -> dict[str, Any]:
    mode = clock.mode
    return {
        "mode": str(mode),
        "left": clock.left if math.isfinite(clock.left) else None,
        "increment": mode.increment,
        "depth": int(mode.amount) if mode.kind == "depth" else None,
        "nodes": int(mode.amount) if mode.kind == "nodes" else None,
    }


def clock_from_json(data: Mapping[str, Any]) -> Clock:
    if not isinstance(data, Mapping):
        raise BadInput(f'a clock is an object such as {{"mode": "move:1s"}}, not {shown(data)}')
    mode = Mode.parse(str(data.get("mode", "move:1s")))
    left = data.get("left")
    if left is not None and not (is_number(left) and left >= 0):
        raise BadInput(f"the seconds left must be a number, not {shown(left)}")
    return Clock(mode, math.inf if left is None else float(left))
