"""`plywright play`: people and the engine at one table, dice rolled in view, in the terminal."""

from __future__ import annotations

import math
import secrets
import sys
import time as clock
from typing import Any

from rich.markup import escape

from ...arena.lineup import make_player, own_player
from ...books import Book, book_of
from ...draw.tree import chance_text
from ...engine import Limit, search
from ...engine.hidden.beliefs import stand_in
from ...errors import BadInput
from ...game import Game
from ...games import know, load_game
from ...games.registry import is_path, split_path
from ...learning.ladder import at_level
from ...models.loading import beside
from ...outcome_text import chance_words, found_text, verdict
from ...players import Clock, Mode, Player, Playing
from ...players.searching import first_view
from ...result import SearchResult
from ...rng import seeded
from ..console import mover_text, out, states_so_far, value_text, worth_text
from .best import reweigh, run_search

HELP = "a move, or: moves (what is legal), hint, undo, quit"


def play_game(
    name: str,
    seat: str,
    state_text: str | None,
    moves: str | None,
    *,
    time: float | None,
    depth: int | None,
    nodes: int | None,
    algorithm: str | None,
    knowledge: str | None,
    seed: int | None,
    weights: str | None = None,
    level: int | None = None,
    against: str | None = None,
) -> None:
    limit = Limit(depth, time, nodes) if (depth, time, nodes) != (None, None, None) else Limit(time=1.0)
    game = reweigh(know(load_game(name), at(name, knowledge, level)), weights)
    states = states_so_far(game, state_text, moves)
    people = seats(game, seat)
    if seed is None:
        seed = secrets.randbelow(1_000_000)
    table = _Table(game, states, people, limit, algorithm, seed)
    if against is None and algorithm is None and knowledge is None and game.own_player:
        against = "search"
    if against is not None:
        table.seat_players(against)
    table.open_book()
    table.play()


def at(name: str, knowledge: str | None, level: int | None) -> str | None:
    """The knowledge that is asked for, or with --level the checkpoint of its training that plays so well.

    Without either, levels are those of the file beside the rules, which the game would be played with as well.
    """
    if level is None:
        return knowledge
    if knowledge is None and is_path(name):
        found = beside(split_path(name)[0])
        knowledge = str(found) if found.is_file() else None
    if knowledge is None:
        raise BadInput("--level chooses among the checkpoints beside a file: give --knowledge FILE.knowledge as well")
    rung = at_level(knowledge, level)
    out.print(f"level {rung.level}: {rung.path.name}, after {rung.games:,} games", markup=False)
    return str(rung.path)


def seats(game: Game, text: str) -> set[int]:
    """The players that people are, from '1', '1+3', 'all' (or 'both') and 'none'."""
    if text in ("all", "both"):
        return set(range(game.players))
    if text == "none":
        return set()
    found = set()
    for word in text.split("+"):
        if not word.strip().isdecimal() or not 1 <= int(word) <= game.players:
            known = ", ".join(str(player + 1) for player in range(min(game.players, 9)))
            raise BadInput(f"unknown seat {text!r}; there are {known}, several joined by +, all and none")
        found.add(int(word) - 1)
    return found


class _Table:
    """One game at the terminal: the states so far, the clocks, the dice and who sits where."""

    def __init__(
        self, game: Game, states: list[Any], people: set[int], limit: Limit, algorithm: str | None, seed: int
    ) -> None:
        self.game, self.people, self.limit, self.algorithm = game, people, limit, algorithm
        self.seed, self.rng = seed, seeded(seed)
        self.playing = Playing(game, states[-1], states[:-1])
        self.words: list[int] = []  # of the dice before each move, so that taking it back brings the same roll
        self.clock = [0.0] * game.players
        self.book: Book | None = None
        self.others: dict[int, Player] = {}  # players of another kind than the search, by seat
        self.frequencies: list[str] = []  # what those who draw their moves would have done, and how often

    @property
    def state(self) -> Any:
        return self.playing.state

    def seat_players(self, text: str) -> None:
        """Seat the player that a text means wherever no person sits."""
        for seat in range(self.game.players):
            if seat not in self.people:
                player = make_player(text, self.game)
                player.mode = self.mode
                player.prepare(self.game)
                player.begin(self.game, seat, self.seed)
                self.others[seat] = player

    def open_book(self) -> None:
        """Have the game's own book read, where the engine plays here and time counts."""
        engine = len(self.people) + len(self.others) < self.game.players
        if engine and self.limit.time is not None and self.algorithm is None:
            self.book = book_of(self.game, "a limit by --nodes or --depth")

    @property
    def mode(self) -> Mode:
        return Mode.of(self.limit)

    def chosen(self, player: Player) -> int:
        """What a seated player does; where it draws by probabilities, they are kept for the end of the game."""
        turn = self.playing.turn(Clock(self.mode, self.limit.time or math.inf), self.rng)
        player.info = {}
        action = int(player.choose(self.game, turn))
        name, text = self.game.player_name(turn.seat), self.game.format_action(self.known, action)
        if "probabilities" in player.info:
            self.frequencies.append(f"{name} did {text} out of {player.reason}")
        if not self.game.hidden or not self.people:
            out.print(f"{name} plays {text}", markup=False)
        return action

    def play(self) -> None:
        dice = f"   dice: --seed {self.seed}" if self.game.has_chance else ""
        out.print(f"[bold]{escape(self.game.name)}[/bold]: {HELP}{dice}")
        if (
            len(self.people) + len(self.others) < self.game.players
            and not (self.game.has_chance or self.game.hidden)
            and not self.playing.is_over()
        ):
            search(self.game, self.state, nodes=1, algorithm=self.algorithm)  # compiled before the clocks start
        if len(self.people) + len(self.others) < self.game.players and self.game.hidden:
            view, seat = first_view(self.game)
            search(self.game, view, seat=seat, nodes=1, algorithm=self.algorithm)
        while not self.playing.is_over():
            if self.playing.at_chance():
                self.roll()
                continue
            mover = self.playing.mover()
            if not self.secret(mover):
                self.show()
            began = clock.monotonic()
            action = self.ask() if mover in self.people else self.think()
            self.clock[mover] += clock.monotonic() - began
            if action is None:
                return
            if action >= 0:
                self.advance(action)
                self.told(mover)
        self.finish()

    def secret(self, mover: int) -> bool:
        """Whether people at the table must not see how a turn goes: only that it is over."""
        return self.game.hidden and bool(self.people) and mover not in self.people

    def told(self, mover: int) -> None:
        """Say that a secret turn is over. How many tries it took is nobody else's business."""
        if self.secret(mover):
            over = self.playing.is_over() or self.playing.mover() != mover
            if over:
                out.print(f"\n{self.game.player_name(mover)} has moved", markup=False)

    def advance(self, action: int) -> None:
        self.words.append(int(self.rng[0]))
        self.playing.step(action)

    def roll(self) -> None:
        """Chance decides, in view."""
        game, state = self.game, self.state
        self.words.append(int(self.rng[0]))
        outcome = self.playing.roll(self.rng)
        if game.hidden:  # what everybody may know of it, their views show
            return
        text = game.format_action(state, outcome)
        odds = dict(game.chance(state)).get(outcome) if game.lists_chance else None
        out.print(f"chance: {text}" + (f"   (probability {chance_text(float(odds))})" if odds else ""), markup=False)

    def show(self) -> None:
        out.print()
        mover = mover_text(self.game, self.state)
        self.picture(self.playing.mover(), told=mover)
        names = [self.game.player_name(player) for player in range(self.game.players)]
        clocks = "   ".join(f"{name} {used:.1f} s" for name, used in zip(names, self.clock, strict=True))
        opening = self.game.opening_name(self.playing.states[0], self.playing.actions)
        name = f"   opening: {opening}" if opening else ""
        out.print(f"{mover}   clock: {clocks}{name}", markup=False)

    def picture(self, seat: int, told: str | None = None) -> None:
        """The position; where something is hidden, as the seat sees it, and for a seat of the engine not at all.

        A last line of the picture that is `told` beside the clocks is left out.
        """
        game = self.game
        if not game.hidden:
            last = self.playing.actions[-1] if self.playing.ply else None
            lines = game.picture(self.state, last).text.split("\n")
            out.print("\n".join(lines[:-1] if lines[-1] == told else lines), markup=False)
        elif seat in self.people or not self.people:
            out.print(game.picture_for(self.playing.view(seat), seat).text, markup=False)

    @property
    def known(self) -> Any:
        """What names moves: the state, or where something is hidden any state that looks the same to the mover."""
        game = self.game
        if not game.hidden:
            return self.state
        mover = self.playing.mover()
        return stand_in(game, self.playing.view(mover), mover)

    def search(self) -> SearchResult:
        if self.game.hidden:
            mover = self.playing.mover()
            view = self.playing.view(mover)
            luck = int(self.rng[0]) % (1 << 32)
            return search(self.game, view, seat=mover, limit=self.limit, algorithm=self.algorithm, seed=luck)
        return run_search(self.game, self.state, self.limit, self.algorithm, False, self.playing.history)

    def from_book(self) -> int | None:
        """What the game's opening book plays here, said aloud; None where it ends."""
        found = None if self.book is None else self.book.choose(self.state, self.rng)
        if found is None or found.action not in self.playing.legal():
            return None
        mover = self.game.player_name(self.playing.mover())
        text, value = self.game.format_action(self.state, found.action), worth_text(self.game, found.value)
        out.print(f"{mover} plays {text}   value {value} for {mover}   from the book", markup=False)
        return found.action

    def think(self) -> int:
        if (player := self.others.get(self.playing.mover())) is not None:
            return self.chosen(player)
        known = self.from_book()
        if known is not None:
            return known
        result = self.search()
        assert result.action is not None
        if self.game.hidden:
            if not self.people:
                mover = self.game.player_name(int(self.game.to_move(self.state)))
                out.print(f"{mover} plays {self.game.format_action(self.known, result.action)}", markup=False)
            return result.action
        line = self.game.join_moves(result.line_text(self.game, self.state))
        value = (
            f"{found_text(self.game, result.value, result.distance, result.averaged)}"
            f"{f' proved{result.condition(self.game)}' if result.proved else ''}"
        )
        chance = chance_words(result.chance, "   ")
        mover = self.game.player_name(int(self.game.to_move(self.state)))
        text = self.game.format_action(self.state, result.action)
        out.print(
            f"{mover} plays {text}   value {value} for {mover}{chance}   depth {result.depth}   line {line}",
            markup=False,
        )
        return result.action

    def ask(self) -> int | None:
        """The person's action; -1 when something else was done, None to leave."""
        try:
            text = input("your move: ").strip()
        except EOFError:
            out.print("\nbye")
            return None
        if not sys.stdin.isatty():
            print(text)
        word = text.lower()
        if word in ("quit", "exit", "q"):
            return None
        if word in ("", "help", "?"):
            out.print(HELP)
        elif word == "moves":
            known = self.known
            legal = [self.game.format_action(known, action) for action in self.playing.legal()]
            out.print(" ".join(legal), markup=False)
        elif word == "undo":
            self.undo()
        elif word == "hint" and self.algorithm is None and (player := own_player(self.game)) is not None:
            self.advise(player)
        elif word == "hint":
            result = self.search()
            line = self.game.join_moves(result.line_text(self.game, self.known))
            out.print(
                f"hint: {line}   value {found_text(self.game, result.value, result.distance, result.averaged)}"
                f"{chance_words(result.chance, '   ')}",
                markup=False,
            )
        else:
            try:
                action = self.game.parse_action(self.known, text)
                if action in self.playing.legal():
                    return action
                out.print(f"{text} would repeat a position too often", markup=False)
            except BadInput as error:
                out.print(str(error), markup=False)
        return -1

    def advise(self, player: Player) -> None:
        """Say what the game's own player would do in the person's place, and what that rests on."""
        player.mode, player.info = self.mode, {}
        player.prepare(self.game)
        luck = seeded(int(self.rng[0]) >> 1)
        action = int(player.choose(self.game, self.playing.turn(Clock(self.mode, self.limit.time or math.inf), luck)))
        why = f"   {player.reason}" if player.reason else ""
        out.print(f"hint: {self.game.format_action(self.known, action)}{why}", markup=False)

    def undo(self) -> None:
        """Back to the last position in which a person was to move; the dice will fall as they fell."""
        earlier = enumerate(self.playing.states[:-1])
        back = [ply for ply, state in earlier if int(self.game.to_move(state)) in self.people]
        if not back:
            out.print("there is nothing to take back")
            return
        self.rng[0] = self.words[back[-1]]
        self.playing.undo(self.playing.ply - back[-1])
        del self.words[back[-1] :]

    def finish(self) -> None:
        out.print()
        for seat in sorted(self.people) or range(self.game.players):
            self.picture(seat)
            if not self.game.hidden:
                break
        scores = {self.game.player_name(seat): worth for seat, worth in enumerate(self.playing.payoffs())}
        repeated = self.playing.is_repeated()
        ending = "a draw by repetition" if repeated else verdict(self.game, list(scores.values()))
        listed = "   ".join(f"{name} {value_text(score)}" for name, score in scores.items())
        out.print(f"game over: {ending}   {listed}", markup=False)
        if self.game.hidden:
            out.print("what was hidden:", markup=False)
            out.print(self.game.picture(self.state).text, markup=False)
            for line in self.frequencies:
                out.print(line, markup=False)
            return
        pairs = zip(self.playing.states, self.playing.actions, strict=False)
        texts = [self.game.format_action(state, action) for state, action in pairs]
        out.print(f"moves: {self.game.join_moves(texts)}", markup=False)
