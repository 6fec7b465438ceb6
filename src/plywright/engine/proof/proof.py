"""A proof by itself: a move for every position that one side can be brought to, saved, checked and drawn.

The side that has the proof plays the moves it names; the other side may play anything. Either the first side wants to
win and does so in every line, or it only wants not to lose, and then a line may also go round for ever. `check`
believes nothing but the rules of the game, those of repetition among them: no search, no table, no knowledge.
"""

from __future__ import annotations

import json
import time as clock
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from ...contracts import check_facts
from ...draw.picture import Picture
from ...draw.tree import LEAF, MAX, MIN, TreeNode, tree_picture
from ...errors import BadInput, GameError, Unsuitable, shown
from ...files import read_bounded, write_whole
from ...game import Game
from ...models.rules_print import rules_of
from ...repetition import Past
from .recurrence import recurring

FORMAT = "plywright proof 1"
MOST_NODES = 5_000_000
LARGEST = 1 << 30
"""Bytes of a file of a proof."""
"""Positions of a proof that is read."""


class OutOfTime(Exception):
    """The deadline came before all of a proof was looked at."""


def in_time(deadline: float | None) -> None:
    """Raise OutOfTime past the deadline, on the monotonic clock: a proof may have more positions than patience has."""
    if deadline is not None and clock.monotonic() >= deadline:
        raise OutOfTime


def check_provable(game: Game) -> None:
    """Refuse a game of which such a proof says nothing: where chance, secrets or the past decide what may be played."""
    check_facts(game)
    if not game.opposed or game.has_chance or game.hidden or not game.step or game.repetition_forbids:
        raise Unsuitable(
            f"proof-number search is for two opposed sides without chance, hidden cards or forbidden repetition, "
            f"and {game.name} is not such a game"
        )


class Refuted(BadInput):
    """A line of a proof ends in what it should have kept out: it proves nothing."""


class Recurs(BadInput):
    """A line of a proof that should win is drawn by repetition: the moves do not prove what they should."""


class Lines(NamedTuple):
    """All lines of a proof: its states, each after those that it leads to, with the plies to the end from there.

    `after` has the numbers of what follows, and is empty where nobody needs it.
    """

    states: list[Any]
    plies: list[int]
    after: list[list[int]]
    goes_round: bool


@dataclass(frozen=True)
class Proof:
    """That `player` gets at least `target` from `state`, by the action that `moves` has for each state of its turns.

    `history` is the states of the game before `state`, which count where repetition draws.
    """

    game: Game
    state: Any
    player: int
    target: float
    moves: dict[Any, int] = field(repr=False)
    history: tuple[Any, ...] = field(default=(), repr=False)

    @cached_property
    def past(self) -> Past:
        """The history as counts: by it a state may end the game that the rules would play on from."""
        return Past(self.game, self.history)

    @property
    def may_repeat(self) -> bool:
        """Whether going round for ever is good enough: a draw is."""
        return bool(self.game.repetition_draws and self.target <= self.game.neutral_value)

    def check(self) -> int:
        """Play against every defence, by the rules alone; the positions met. Raises BadInput where the proof fails."""
        return self.measured()[0]

    def measured(self, deadline: float | None = None) -> tuple[int, int | None]:
        """The same, with the plies to the end of the longest line; None where a line may go round.

        Raises OutOfTime past the deadline.
        """
        lines = self.explored(deadline)
        if lines.after:
            self._check_repetition(lines, deadline)
        return len(lines.states), None if lines.goes_round else lines.plies[-1]

    def explored(self, deadline: float | None = None) -> Lines:
        """Every position that the proof comes to, each met once; what repetition does on the way is not looked at."""
        check_provable(self.game)
        numbers = dict[Any, int | None]()  # of each position met; None while the line is still there
        found = Lines([], [], [], False)
        line = list[tuple[Any, list[Any], Iterator[Any]]]()
        waiting, goes_round = iter([self.state]), False
        keeps = self.game.repetition_draws > 0 and not self.may_repeat
        while True:
            in_time(deadline)
            state = next(waiting, None)
            if state is None:
                if not line:
                    return found._replace(goes_round=goes_round)
                state, children, _ = line.pop()
                below = [number for child in children if (number := numbers[child]) is not None]
                numbers[state] = len(found.states)
                found.states.append(state)
                found.plies.append(1 + max((found.plies[number] for number in below), default=-1))
                if keeps:
                    found.after.append(below)
                waiting = line[-1][2] if line else iter(())
            elif state not in numbers:
                numbers[state] = None
                children = self._below(state)
                waiting = iter(children)
                line.append((state, children, waiting))
            elif numbers[state] is None:
                goes_round = True
                if not self.may_repeat:
                    raise BadInput(f"the proof goes round in {self.game.format_state(state)}")

    def _check_repetition(self, lines: Lines, deadline: float | None) -> None:
        """Raises Recurs where a line has a state once too often: states that are not the same may be for repetition."""
        past, draws = self.past, self.game.repetition_draws
        keys = [past.key(state) for state in lines.states]
        place = recurring(keys, lines.after, draws, past.counts, lambda: in_time(deadline))
        if place is not None:
            where = self.game.format_state(lines.states[place])
            raise Recurs(f"the proof fails: a line comes to {where} again, and is drawn by repetition")

    def _below(self, state: Any) -> list[Any]:
        """What a move of the proof, or any move against it, leads to. Raises BadInput where the game ends badly."""
        if not self.past.is_over(state):
            return [self.game.state_after(state, action) for action in self._ways(state)]
        if self.past.utility(state, self.player) < self.target:
            raise Refuted(f"the proof fails: it comes to {self.game.format_state(state)}")
        return []

    def _ways(self, state: Any) -> list[int]:
        """What may happen in a state: the proof's own move, or anything."""
        legal = [int(action) for action in self.game.actions(state)]
        if not legal:
            raise GameError(f"{self.game.name}: actions() yields nothing in {self.game.format_state(state)}")
        if self.game.team_of[int(self.game.to_move(state))] != self.game.team_of[self.player]:
            return legal
        action = self.moves.get(state)
        if action not in legal:
            raise BadInput(f"the proof has no legal move in {self.game.format_state(state)}")
        return [action]

    def lines(self, most: int = 8) -> list[list[str]]:
        """The first lines of the proof in the game's own words, each to its end or to where it goes round."""
        game, found = self.game, list[list[str]]()
        states, words, ways = [self.state], list[str](), [iter(self._ways(self.state))]
        while ways and len(found) < most:
            action = next(ways[-1], None)
            if action is None:
                ways.pop()
                states.pop()
                words[-1:] = []
                continue
            words.append(game.format_action(states[-1], action))
            after = game.state_after(states[-1], action)
            if self.past.is_over(after) or after in states:
                found.append(list(words))
                words.pop()
            else:
                states.append(after)
                ways.append(iter(self._ways(after)))
        return found

    def picture(self, nodes: int = 200) -> Picture:
        """The proof as a tree, as much of it as so many nodes show."""
        left = [nodes]
        words = f"at least {self.target:g} for {self.game.player_name(self.player)}"
        return tree_picture(self._node(self.state, "", "n", left, set()), label=f"{self.game.name}: {words}")

    def _node(self, state: Any, move: str, key: str, left: list[int], seen: set[Any]) -> TreeNode:
        left[0] -= 1
        game = self.game
        if self.past.is_over(state):
            return TreeNode(key, LEAF, f"{self.past.utility(state, self.player):g}", move=move, marks={"done"})
        own = game.team_of[int(game.to_move(state))] == game.team_of[self.player]
        drawing = TreeNode(key, MAX if own else MIN, move=move, marks={"done", "best"} if own else {"done"})
        if state in seen:
            drawing.more = "as above"
            return drawing
        seen.add(state)
        ways = self._ways(state)
        if left[0] < len(ways):
            drawing.more = f"{len(ways)} move{'s' * (len(ways) != 1)}"
            return drawing
        for number, action in enumerate(ways):
            after = game.state_after(state, action)
            text = game.format_action(state, action)
            drawing.children.append(self._node(after, text, f"{key}-{number}", left, seen))
        return drawing

    # -- files ------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the proof as JSON: positions and moves as the game writes them."""
        game = self.game
        fields = {
            "format": FORMAT,
            "game": game.name,
            "rules": rules_of(game),
            "state": game.format_state(self.state),
            "player": self.player,
            "target": self.target,
            **({"history": [game.format_state(each) for each in self.history]} if self.history else {}),
            "moves": {game.format_state(state): game.format_action(state, each) for state, each in self.moves.items()},
        }
        try:
            write_whole(Path(path), json.dumps(fields, ensure_ascii=False, indent=0).encode())
        except OSError as error:
            raise BadInput(f"{path} cannot be written: {error.strerror}") from None


def load_proof(game: Game, path: str | Path) -> Proof:
    """The proof in a file; raises BadInput where it is none, or of other rules. It is not checked by that."""
    try:
        if Path(path).exists() and not Path(path).is_file():  # a device may have no end
            raise BadInput(f"{path} is no file")
        fields = json.loads(read_bounded(Path(path), LARGEST))
    except FileNotFoundError:
        raise BadInput(f"there is no file {path}") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise BadInput(f"{path} is no proof, or one that is cut off or damaged") from None
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise BadInput(f"{path} is no proof: `plywright solve --proof FILE` writes them")
    if fields.get("game") != game.name:
        raise BadInput(f"{path} is a proof for {fields.get('game')}, not for {game.name}")
    if fields.get("rules") != rules_of(game):
        raise BadInput(f"{path} was made with other rules of {game.name}: prove it again")
    moves, target, player = fields.get("moves"), fields.get("target"), fields.get("player")
    low, high = game.utility_range
    if type(player) is not int or not isinstance(target, (int, float)) or not 0 <= player < game.players:
        raise BadInput(f"{path} is damaged: it lacks its player or its target")
    if not low <= target <= high:
        raise BadInput(f"{path} is damaged: no game of {game.name} pays {shown(target)}")
    if not isinstance(moves, dict) or len(moves) > MOST_NODES:
        raise BadInput(f"{path} is damaged: it lacks its moves")
    history = fields.get("history", [])
    if not isinstance(history, list) or not all(isinstance(each, str) for each in history):
        raise BadInput(f"{path} is damaged: its history is no list of positions")
    read: dict[Any, int] = {}
    try:
        for text, move in moves.items():
            state = game.read_state(text)
            read[state] = game.parse_action(state, str(move))
        start = game.read_state(str(fields.get("state")))
        before = tuple(map(game.read_state, history))
    except BadInput as error:
        raise BadInput(f"{path} is damaged: {error}") from None
    past = Past(game)
    for here, after in pairwise((*before, start)):
        if past.is_over(here) or after not in (game.state_after(here, action) for action in game.actions(here)):
            raise BadInput(f"{path} is damaged: the positions before its own are no game that leads to it")
        past.add(here)
    return Proof(game, start, player, float(target), read, before)
