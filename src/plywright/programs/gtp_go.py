"""GTP of Go itself: sizes and komi that change, handicaps, moves of either colour, dead stones and scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.montecarlo.ownership import ownership
from ..errors import BadInput, shown
from ..games.go import Go
from ..games.go.rules import LARGEST, SMALLEST
from ..players import Player
from .answering import Brain
from .figures import real
from .gtp import Server

STATUSES = ("alive", "dead", "seki")
BLACK, WHITE = 0, 1


class GoServer(Server):
    """A GTP program that plays Go."""

    game: Go

    def __init__(self, game: Go, player: Player) -> None:
        super().__init__(game, player)
        self.game = game

    def change(self, size: int, komi: float) -> None:
        """Play on another board from now on; one that was compiled before is at hand at once."""
        if (size, komi) == (self.game.size, self.game.komi):
            return
        self.game = Go(size, komi, self.game.score)
        self.game.__dict__["name"] = f"go:size={size},komi={komi:g}"
        self.brain = Brain(self.game, self.player)

    def do_boardsize(self, size: str) -> str:
        if not size.isascii() or not size.isdecimal():
            raise BadInput("syntax error")
        if len(size) > 3 or not SMALLEST <= int(size) <= LARGEST:
            raise BadInput("unacceptable size")
        self.change(int(size), self.game.komi)
        self.begin()
        return ""

    def do_komi(self, komi: str) -> str:
        number = real(komi)
        if number is None:
            raise BadInput("syntax error")
        before = self.playing
        try:
            self.change(self.game.size, number)
        except BadInput as error:
            raise BadInput(f"unacceptable komi: {error}") from None
        if self.playing.game is not self.game:  # the position stays
            self.playing = type(before)(self.game, before.states[0])
            for action in before.actions:
                self.playing.step(action)
        return ""

    def hand_over(self, seat: int) -> None:
        """Either colour may move: who is passed over has passed."""
        if self.playing.is_over():
            raise BadInput("the game is over")
        if self.playing.mover() != seat:
            self.playing.step(self.game.pass_action)
            if self.playing.is_over():
                raise BadInput("the game is over")

    def read_move(self, text: str) -> int:
        game, word = self.game, text.strip().lower()
        action = game.pass_action if word == "pass" else game.point_of(word)
        if action is None:
            raise BadInput(f"{shown(text)} is no point of a board of {game.size}x{game.size}")
        if action not in self.playing.legal():
            raise BadInput(game.why_illegal(self.playing.state, action))
        return action

    def do_reg_genmove(self, colour: str) -> str:
        """A move that is not played."""
        answer = self.do_genmove(colour)
        if answer != "resign" and self.turns:
            self.do_undo()
        return answer

    # -- handicaps ---------------------------------------------------------------------------------

    def do_fixed_handicap(self, stones: str) -> str:
        return self.give(self.fixed_points(stones))

    def do_place_free_handicap(self, stones: str) -> str:
        """Free to choose, it chooses the fixed points; more stones than those have are not placed."""
        return self.give(self.fixed_points(stones))

    def do_set_free_handicap(self, *vertices: str) -> str:
        points = [self.game.point_of(vertex) for vertex in vertices]
        found = [point for point in points if point is not None]
        if len(found) < max(len(points), 2) or len(set(found)) < len(found):
            raise BadInput("bad vertex list")
        self.give(found)
        return ""

    def fixed_points(self, stones: str) -> list[int]:
        if not stones.isascii() or not stones.isdecimal() or len(stones) > 3:
            raise BadInput("syntax error")
        try:
            return self.game.handicap_points(int(stones))
        except BadInput as error:
            raise BadInput(f"invalid number of stones: {error}") from None

    def give(self, points: Sequence[int]) -> str:
        """Begin with Black's stones there and White to move."""
        if any(self.playing.state.rows):
            raise BadInput("board not empty")
        self.begin(self.game.with_stones(points, (), WHITE))
        return " ".join(self.game.point_name(point).upper() for point in points)

    # -- the end -----------------------------------------------------------------------------------

    def owners(self) -> tuple[float, ...]:
        return ownership(self.game, self.position_in_play())

    def position_in_play(self) -> Any:
        """The position as if nobody had passed: playouts go on from it."""
        return self.playing.state._replace(passes=0)

    def do_final_score(self) -> str:
        """What the area is worth when stones that playouts call dead are taken off."""
        return self.game.score_text(self.game.without_dead(self.playing.state, self.owners()))

    def do_final_status_list(self, status: str) -> str:
        if status not in STATUSES:
            raise BadInput(f"syntax error: the statuses are {', '.join(STATUSES)}")
        state, game = self.playing.state, self.game
        if status == "seki":
            return ""  # stones that neither can take are the owner's here: area counts them
        kept = game.without_dead(state, self.owners())
        stones = [point for point in range(game.points) if game.sign(state, point) != "."]
        chosen = [point for point in stones if (game.sign(kept, point) != ".") == (status == "alive")]
        return "\n".join(" ".join(game.point_name(point).upper() for point in chain) for chain in self.chains(chosen))

    def chains(self, points: Sequence[int]) -> list[list[int]]:
        """The points grouped by chain, as a status list has them: one chain a line."""
        left, found = set(points), []
        state, game = self.playing.state, self.game
        while left:
            chain, waiting = [], [min(left)]
            left.discard(waiting[0])
            while waiting:
                point = waiting.pop()
                chain.append(point)
                same = [
                    p for p in game.neighbours(point) if p in left and game.sign(state, p) == game.sign(state, point)
                ]
                left.difference_update(same)
                waiting += same
            found.append(sorted(chain))
        return found

    def do_showboard(self) -> str:
        """The board, komi and whose turn it is."""
        return f"{super().do_showboard()}, komi {self.game.komi:g}"
