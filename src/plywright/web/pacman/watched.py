"""A game of Pac-Man as frames that are played when somebody asks for them, and not far ahead.

    game = watched_games[choice, ""]
    game.frames            # what has been played
    game.advance()         # one move more: the frame of the state in which it is made

Games are kept in memory only to spare playing them again: the same choice gives the same frames.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ...draw.maze import Figure, maze
from ...draw.picture import Picture
from ...errors import BadInput
from ...games.pacman.maze import DIRECTIONS, STOP
from ...games.pacman.rules import CELL, FACING, SCARED
from ...pacman import Moment, begun, make_agent, watch
from ...pacman.agents import MysteryAgent, mystery
from ...pacman.replay import eaten
from ...players import Player, Turn
from .choice import LETTERS, Choice, maze_of

KEPT = 16
Frame = dict[str, Any]


class Person(Player):
    """Somebody at the page: moves that have been sent, in their order."""

    name = "you"

    def __init__(self, moves: str) -> None:
        self.moves, self.made = moves, 0
        self.info: dict[str, Any] = {}

    @property
    def is_asked(self) -> bool:
        """Whether there is no move to make."""
        return self.made >= len(self.moves)

    def choose(self, game: Any, turn: Turn) -> int:
        action = LETTERS.index(self.moves[self.made])
        if action not in turn.legal:
            raise BadInput(f"you cannot go {DIRECTIONS[action].lower()} there: move {self.made + 1} of yours")
        self.made += 1
        return action


class WatchedGame:
    """One game so far."""

    def __init__(self, choice: Choice, moves: str = "") -> None:
        self.choice = choice
        self.person = Person(moves)
        self.agent = self.person if choice.agent == "keyboard" else make_agent(choice.agent_text)
        maze = maze_of(choice.layout)
        ghosts: list[str | Player] = [choice.ghost_text] * len(maze.ghosts)
        if choice.mine:
            ghosts[0] = self.person
        _, self.state = begun(maze, choice.seed, scatter=choice.scatter)
        self.game, self.source = watch(maze, self.agent, ghosts, choice.seed, scatter=choice.scatter, values=True)
        self.frames: list[Frame] = []
        self.facing, self.nodes = 1, 0
        self.gone: set[int] = set(eaten(self.game, self.state))
        self.over = False

    @property
    def awaits_person(self) -> bool:
        """Whether a person is to move and has not."""
        return not self.over and int(self.state.turn) == self.choice.person and self.person.is_asked

    def advance(self) -> Frame | None:
        """The next frame, played now; None at the end and where a person is to move."""
        if self.over or (self.awaits_person and not self.game.is_terminal(self.state)):
            return None
        moment = next(self.source)
        frame = self._frame(moment)
        self.frames.append(frame)
        if moment.mover < 0:
            self.over = True
            return frame
        if moment.mover == 0 and moment.action != STOP:
            self.facing = int(moment.action)
        self.state = self.game.state_after(moment.state, moment.action)
        return frame

    def present(self) -> Frame:
        """The state in which nobody has moved yet, as a frame; with the directions open to a person."""
        frame = self._scene(self.state)
        if self.awaits_person:
            frame["yours"] = [int(action) for action in self.game.actions(self.state)]
            frame["words"] = "your move"
        return frame

    def picture(self, frame: Frame) -> Picture:
        """The maze as the frame has it, with names for the script that moves things in it."""
        rows = ["".join(sign if sign in "%.o" else " " for sign in row) for row in self.game.maze.rows]
        figures = [Figure(frame["p"][0], "eater", frame["p"][1])]
        for number, (cell, facing, scared) in enumerate(frame["g"]):
            look = facing if facing < STOP else None
            figures.append(Figure(cell, "afraid" if scared else "ghost", look, number))
        gone = {cell for each in self.frames[: frame["at"] + 1] for cell in each["gone"]} | set(frame["gone"])
        return maze(rows, figures, live=True, gone=gone)

    @property
    def secret(self) -> str:
        """Who the mystery agent is, one of MYSTERIES; empty where there is none."""
        return mystery(self.choice.seed) if isinstance(self.agent, MysteryAgent) else ""

    # -- frames --------------------------------------------------------------------------------------

    def _scene(self, state: Any) -> Frame:
        """Where everybody is, what has been eaten since the frame before, score and round."""
        gone = set(eaten(self.game, state))
        new = sorted(gone - self.gone) if self.frames else sorted(gone)
        words = state.ghosts[: self.game.ghosts]
        return {
            "at": len(self.frames),
            "p": [int(state.pacman), self.facing],
            "g": [[int(word) & CELL, int(word) >> FACING & 15, int(word) >> SCARED] for word in words],
            "gone": new,
            "score": int(state.score),
            "round": int(state.rounds),
            "mover": int(state.turn),
            "nodes": 0,
            "all": self.nodes,
        }

    def _frame(self, moment: Moment) -> Frame:
        frame = self._scene(moment.state)
        self.gone |= set(frame["gone"])
        frame["mover"] = moment.mover
        if moment.mover < 0:
            state = moment.state
            frame["over"] = "caught" if state.caught else "won" if state.left == 0 else "out of time"
            frame["words"] = frame["over"]
            return frame
        frame["words"] = f"{self.game.player_name(moment.mover)} goes {DIRECTIONS[moment.action].lower()}"
        if moment.action == STOP:
            frame["words"] = f"{self.game.player_name(moment.mover)} stays"
        if moment.mover == 0:
            frame["action"] = int(moment.action)
            self._account(frame, moment)
        return frame

    def _account(self, frame: Frame, moment: Moment) -> None:
        """What Pac-Man thought: his value, the value of every direction, the line he expects."""
        if "value" not in moment.info:
            return
        self.nodes += int(moment.info["nodes"])
        frame |= {"value": _rounded(moment.info["value"]), "nodes": int(moment.info["nodes"]), "all": self.nodes}
        line = [int(action) for action in moment.info.get("expected", moment.info.get("line", ()))]
        frame["line"] = [DIRECTIONS[action] for action in line]
        frame["paths"] = self._paths(moment.state, line)
        frame["values"] = {str(action): _rounded(value) for action, value in moment.info["actions"].items()}

    def _paths(self, state: Any, line: list[int]) -> list[list[int]]:
        """The cells that everybody goes through along a line, Pac-Man first, as far as the search saw."""
        paths: list[list[int]] = [[] for _ in range(self.game.players)]
        for action in line:
            if self.game.is_terminal(state) or action not in self.game.actions(state):
                break
            mover = int(state.turn)
            state = self.game.state_after(state, action)
            cell = int(state.pacman) if mover == 0 else int(state.ghosts[mover - 1]) & CELL
            paths[mover].append(cell)
        return paths


def _rounded(value: float) -> float:
    return round(float(value), 2)


class WatchedGames:
    """The games last asked for, of one worker."""

    def __init__(self) -> None:
        self.kept: OrderedDict[Choice, WatchedGame] = OrderedDict()

    def __getitem__(self, key: tuple[Choice, str]) -> WatchedGame:
        """The game of a choice and a person's moves: one that is under way if these are its moves and more."""
        choice, moves = key
        found = self.kept.get(choice)
        if found is None or not self._goes_on(found, moves):
            found = self.kept[choice] = WatchedGame(choice, moves)
        self.kept.move_to_end(choice)
        while len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return found

    def forget(self, game: WatchedGame) -> None:
        """A game that cannot go on, since a move in it was wrong, is begun anew when next asked for."""
        if self.kept.get(game.choice) is game:
            del self.kept[game.choice]

    def _goes_on(self, game: WatchedGame, moves: str) -> bool:
        """Whether the game is one in which these moves were made, at most with more of them to come."""
        if game.choice.person < 0:
            return True
        if not moves.startswith(game.person.moves[: game.person.made]):
            return False
        game.person.moves = moves
        return True


def play_until(
    game: WatchedGame, wanted: int, heard: Callable[[Frame], Any], is_stopped: Callable[[], bool], first: int = 0
) -> None:
    """Have the frames up to number `wanted` played; `heard` is given every one from `first` on."""
    for frame in game.frames[first : wanted + 1]:
        heard(frame)
    while len(game.frames) <= wanted and not is_stopped():
        played = game.advance()
        if played is None:
            break
        if played["at"] >= first:
            heard(played)
    if game.awaits_person and len(game.frames) <= wanted:
        heard(game.present())
