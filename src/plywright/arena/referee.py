"""The referee: owns rules, seats, dice, deals and clocks, asks the players, and judges what they answer.

`docs/referee.md` has the table of judgements. Nothing that a player does raises here: it ends in a
record. What raises is the caller's to mend (a player that cannot play this game at all, an illegal
opening).
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from ..contracts import BrokenPromise, check_utilities
from ..dice import roll
from ..engine.limits import MARGIN
from ..errors import BadInput, GameError, PlywrightError
from ..game import CHANCE, Game
from ..players import Clock, Mode, Offence, Player, Playing
from ..players.offence import ADJUDICATED, CRASHED, CUT, DISTURBED, ILLEGAL, LATE, NO_GREETING, NORMAL, REPETITION, VOID
from ..rng import scramble, seeded
from .adjudication import Adjudication
from .game_record import GameRecord, Ply
from .heartbeat import Heartbeat, heartbeat

MOVE_LIMIT = 10_000
"""Plies after which a game is cut and counts as even."""
GRAIN = 0.005
"""Seconds by which two readings of one delay may differ."""
PATIENCE = 60.0
"""Seconds after which a player without a clock is given up."""


def play_game(
    game: Game,
    players: Sequence[Player],
    *,
    mode: Mode,
    opening: Sequence[int] = (),
    start: Any = None,
    seed: int = 0,
    places: Sequence[int] = (),
    margin: float = MARGIN,
    move_limit: int = MOVE_LIMIT,
    patience: float = PATIENCE,
    beat: Heartbeat | None = None,
    warned: Sequence[int] = (),
    watch: Callable[[Playing], object] | None = None,
    adjudication: Adjudication | None = None,
) -> GameRecord:
    """One game from `start` (by default the initial state) after the moves of `opening`, as a record.

    The dice and deals depend on the seed alone, so the same seed with other seats duplicates them; each
    player's generator depends on the seed, the seat and its place in the line-up (by default the seat), and
    tells nothing about the dice. A record with termination "void" says nothing
    about the players and should be played again; one with "no greeting" names a program that never
    spoke, and has no payoffs either. `warned` are the seats that made this game void before: who does it
    again loses it. `watch` is shown the game after each move, outside every clock. With an `adjudication` a game ends
    as soon as both players agree by its rule on how it stands.
    """
    if len(players) != game.players:
        raise BadInput(f"{game.name} is a game for {game.players}, not for {len(players)} players")
    for player in players:
        if sum(other is player for other in players) > 1 and type(player).observe is not Player.observe:
            raise BadInput(f"{player.name!r} keeps to one seat: make a second player of the same text for the other")
    if places and len(places) != len(players):
        raise BadInput(f"give a place in the line-up for each of the {len(players)} players, not {len(places)}")
    table = _Table(game, players, mode, seed, places or range(game.players), margin, patience, beat or heartbeat())
    table.warned, table.watch, table.adjudication = frozenset(warned), watch, adjudication
    table.set_up(game.start_state if start is None else game.vouched(start), opening)
    for player in dict.fromkeys(players):
        player.mode = mode
        player.prepare(game)
    return table.play(move_limit)


class _Table:
    """One game in progress."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        mode: Mode,
        seed: int,
        places: Sequence[int],
        margin: float,
        patience: float,
        beat: Heartbeat,
    ) -> None:
        self.game, self.players, self.mode, self.seed = game, list(players), mode, seed
        self.margin, self.patience, self.beat = margin, patience, beat
        self.left = [mode.amount if mode.timed else math.inf] * game.players
        self.chance = seeded(scramble(seed ^ 0x5DEECE66D))
        self.seeds = [own_seed(seed, seat, place) for seat, place in enumerate(places)]
        self.rngs = [seeded(scramble(own)) for own in self.seeds]
        self.plies: list[Ply] = []
        self.offences: list[tuple[int, Offence]] = []
        self.warned: frozenset[int] = frozenset()
        self.watch: Callable[[Playing], object] | None = None
        self.adjudication: Adjudication | None = None
        self.blamed: int | None = None
        self.watching = [type(player).observe is not Player.observe for player in players]

    def set_up(self, state: Any, opening: Sequence[int]) -> None:
        """Check the opening and note where it leads; raises BadInput where a move of it is not legal."""
        self.playing, self.opening = Playing(self.game, state), tuple(int(action) for action in opening)
        trial = Playing(self.game, state)
        for number, action in enumerate(self.opening, 1):
            if not trial.is_open(action):
                raise BadInput(f"move {number} of the opening, {action}, is not legal in {self.game.name}")
            trial.step(action)
        self.start = self.game.format_state(trial.state)

    # -- the game ------------------------------------------------------------------------------------------

    def play(self, move_limit: int) -> GameRecord:
        self.began = time.monotonic()
        try:
            return self.finished(*self.run(move_limit))
        except Offence as offence:  # of the whole table: void
            return self.record(offence.cause, None, self.blamed, note=offence.note)

    def run(self, move_limit: int) -> tuple[str, tuple[float, ...] | None]:
        """Play to the end: the termination and the payoffs."""
        early = self.begin()
        if early is not None:
            return early
        for action in self.opening:
            self.apply(Ply(self.playing.mover(), action))
        self.plies.clear()
        playing = self.playing
        while not self.rules("is_terminal", playing.is_over):
            if len(self.plies) >= move_limit:
                return CUT, (sum(self.game.utility_range) / 2,) * self.game.players
            mover = self.rules("to_move", playing.mover)
            if mover >= self.game.players or (mover < 0 and mover != CHANCE):
                raise self.broken(f"to_move() is {mover}, in a game for {self.game.players}")
            try:
                self.roll() if mover == CHANCE else self.move(mover)
            except _Judged as judged:
                return judged.cause, self.lost()
            if self.adjudication is not None and (agreed := self.agreed(self.adjudication)) is not None:
                return ADJUDICATED, agreed
        repeated = playing.is_repeated()
        utilities = [float(self.rules("utility", playing.utility, seat)) for seat in range(self.game.players)]
        try:
            check_utilities(self.game, tuple(utilities))
        except BrokenPromise as broken:
            raise self.broken(broken.what, broken.remedy) from None
        for seat, _ in self.offences:
            utilities[seat] = float(self.game.utility_range[0])
        ending = REPETITION if repeated else NORMAL
        return (self.offences[0][1].cause if self.offences else ending), tuple(utilities)

    def agreed(self, adjudication: Adjudication) -> tuple[float, ...] | None:
        """The payoffs where both players agree on how a game stands that is not over by its rules."""
        winner = adjudication.winner(self.plies, len(self.opening))
        if winner is None or self.rules("is_terminal", self.playing.is_over):
            return None
        low, high = map(float, self.game.utility_range)
        return ((low + high) / 2,) * 2 if winner < 0 else tuple(high if seat == winner else low for seat in (0, 1))

    def begin(self) -> tuple[str, tuple[float, ...] | None] | None:
        """Seat the players; a verdict where the game is over before its first move."""
        for seat, player in enumerate(self.players):
            player.start = None if self.game.hidden else self.playing.state
            player.opening, player.mode = () if self.game.hidden else self.opening, self.mode
            try:
                player.begin(self.game, seat, self.seeds[seat])
            except PlywrightError:
                raise
            except Offence as offence:
                self.offences.append((seat, offence))
                if offence.cause == NO_GREETING:
                    return NO_GREETING, None
            except (Exception, SystemExit) as error:
                self.offences.append((seat, _crash(player, error)))
            if self.offences and not self.goes_on():
                return self.offences[-1][1].cause, self.lost()
        return None

    def rules(self, name: str, rule: Any, *args: Any) -> Any:
        """Call a rule of the game; if it raises, no player loses: the fault is the author's."""
        try:
            return rule(*args)
        except GameError as error:
            raise self.broken(str(error).removeprefix(f"{self.game.name}: ")) from error
        except (Exception, SystemExit) as error:
            raise self.broken(f"{name}() raised {type(error).__name__}: {error}") from error

    def broken(self, what: str, remedy: str = "mend the rule") -> GameError:
        """The rules are at fault: what they did and where."""
        actions = [*self.opening, *(ply.action for ply in self.plies)]
        where = f"after the actions {' '.join(map(str, actions))}" if actions else "at the start"
        return GameError(f"{self.game.name}: {what} {where}; {remedy} (plywright doctor examines a game's rules)")

    def roll(self) -> None:
        self.apply(Ply(CHANCE, self.rules("chance", roll, self.game, self.playing.state, self.chance)))

    def move(self, seat: int) -> None:
        legal = self.rules("actions", self.playing.legal)
        if not legal:
            raise self.broken("actions() yields nothing, but is_terminal() is false")
        if any(offender == seat for offender, _ in self.offences):
            self.apply(Ply(seat, legal[0]))  # the policy that replaces an offender for the rest of the game
            return
        try:
            ply = self.ask(seat, legal)
        except Offence as offence:
            if offence.cause == VOID:
                raise
            self.offences.append((seat if offence.seat is None else offence.seat, offence))
            if not self.goes_on():
                raise _Judged(offence.cause) from None
            ply = Ply(seat, legal[0])
        self.apply(ply)

    def ask(self, seat: int, legal: list[int]) -> Ply:
        """The player's answer, legal and in time; anything else raises Offence."""
        player, left = self.players[seat], self.left[seat]
        patience = left + self.margin if self.mode.timed else self.patience
        clock = Clock(self.mode, max(left, 0.0), patience, self.beat.delay_since)
        turn = self.rules("observation", self.playing.turn, clock, self.rngs[seat], legal)
        player.info, player.elapsed = {}, None
        offence: Offence | None = None
        began, worked = time.monotonic(), time.process_time()
        try:
            answer = player.choose(self.game, turn)
        except Offence as caught:
            offence = caught
        except (Exception, SystemExit) as error:
            offence = _crash(player, error)
        seconds = time.monotonic() - began if player.elapsed is None else player.elapsed
        worked = time.process_time() - worked if player.elapsed is None else player.worked
        if offence is None and self.mode.timed and seconds > clock.patience:
            offence = Offence(LATE, f"{player.name} answered after {seconds:.3f} s")
        if offence is not None and offence.cause == LATE:
            offence.note += f" (move {len(self.opening) + len(self.plies) + 1}; {self.limit_text(left)})"
            self.excuse(seat, began, seconds, worked, clock, offence)
        if offence is not None:
            raise offence
        action = _whole(answer)
        if action is None or action not in legal:
            raise Offence(ILLEGAL, f"{player.name} answered {answer!r}, which is not legal here", repr(answer))
        if self.mode.kind == "budget":
            self.left[seat] = left - seconds + self.mode.increment
        return Ply(seat, action, seconds, account(player.info))

    def limit_text(self, left: float) -> str:
        """What a player had for the move that it was asked for, with so many seconds left."""
        if self.mode.kind == "budget":
            more = f" and {self.mode.increment:g} s a move" if self.mode.increment else ""
            return f"it had {self.mode.amount:g} s for the game{more}, and {max(left, 0.0):.3f} s of them left"
        if self.mode.kind == "move":
            return f"it had {self.mode.amount:g} s"
        return f"the referee waits {self.patience:g} s"

    def excuse(self, seat: int, began: float, seconds: float, worked: float, clock: Clock, offence: Offence) -> None:
        """Void instead of late where the machine used up the time, and charged to whoever caused it."""
        delay = clock.lost(began)
        if delay <= GRAIN or seconds - delay > clock.patience - GRAIN:
            return
        late = self.players[seat]
        if late.is_own_doing or (late.elapsed is None and worked > clock.patience):
            threads = f", {late.threads} threads" if late.threads > 1 else ""
            offence.note += f" (it had {worked:.3f} s of processor time itself{threads})"
            return
        for other, player in enumerate(self.players):
            note = player.disturbance(seconds) if other != seat and self.game.players == 2 else ""
            if note:
                disturbed = Offence(DISTURBED, note)
                disturbed.seat = other
                raise disturbed
        if seat in self.warned:
            offence.note += f" (the machine was overloaded for {delay:.3f} s, as when it made this game void before)"
            return
        self.blamed = seat
        raise Offence(VOID, f"the machine was overloaded for {delay:.3f} s: {offence.note}")

    def apply(self, ply: Ply) -> None:
        self.rules("result", self.playing.step, ply.action)
        self.plies.append(ply)
        if self.watch is not None:
            self.watch(self.playing)
        for seat, player in enumerate(self.players):
            if self.watching[seat]:
                view = self.rules("observation", self.playing.view, seat)
                known = ply.action if not self.game.hidden or seat == ply.seat else None
                self.tell(seat, player.observe, self.game, view, seat, ply.seat, known)

    def tell(self, seat: int, method: Any, *args: Any) -> None:
        """Notify a player; one that fails here is found out when it is next asked for a move."""
        try:
            method(*args)
        except Offence as offence:
            self.players[seat].info = {"fault": offence.note}
        except (Exception, SystemExit) as error:
            self.players[seat].info = {"fault": f"{type(error).__name__}: {error}"}

    # -- judgement -----------------------------------------------------------------------------------------

    def goes_on(self) -> bool:
        """Whether a game goes on after an offence: with more than two players, as long as two are honest."""
        return self.game.players > 2 and self.game.players - len(self.offences) >= 2

    def lost(self) -> tuple[float, ...]:
        """The payoffs where the game ends at an offence: the least for the offender's team, the most for the others."""
        low, high = map(float, self.game.utility_range)
        if self.game.players > 2:
            seats = {seat for seat, _ in self.offences}
            return tuple(low if seat in seats else high for seat in range(self.game.players))
        team = self.game.team_of[self.offences[-1][0]]
        return tuple(low if other == team else high for other in self.game.team_of)

    def finished(self, termination: str, payoffs: tuple[float, ...] | None) -> GameRecord:
        for seat, player in enumerate(self.players):
            if payoffs is not None:
                self.tell(seat, player.end, self.game, seat, payoffs[seat])
        if not self.offences:
            return self.record(termination, payoffs)
        seat, offence = self.offences[0]
        note = "; ".join(f"seat {seat + 1}: {offence.note}" for seat, offence in self.offences)
        return self.record(termination, payoffs, seat, offence.raw, note)

    def record(
        self,
        termination: str,
        payoffs: tuple[float, ...] | None,
        offender: int | None = None,
        raw: str = "",
        note: str = "",
    ) -> GameRecord:
        return GameRecord(
            game=self.game.name,
            players=tuple(player.name for player in self.players),
            start=self.start,
            opening=self.opening,
            plies=tuple(self.plies),
            payoffs=payoffs,
            termination=termination,
            offender=offender,
            raw=raw,
            note=note,
            seed=self.seed,
            mode=str(self.mode),
            isolation="; ".join(dict.fromkeys(player.isolation for player in self.players)),
            seconds=time.monotonic() - self.began,
            offences=tuple((seat, offence.cause) for seat, offence in self.offences),
        )


class _Judged(Exception):
    """The game is over by this offence."""

    def __init__(self, cause: str) -> None:
        self.cause = cause


def own_seed(seed: int, seat: int, place: int) -> int:
    """The seed of one player in one game; a hash, since whoever knew the game's seed would know its dice."""
    return int.from_bytes(hashlib.sha256(f"player/{seed}/{seat}/{place}".encode()).digest()[:6], "big")


def _crash(player: Player, error: BaseException) -> Offence:
    return Offence(CRASHED, f"{player.name} raised {type(error).__name__}: {error}", repr(error))


def account(info: Any) -> dict[str, Any]:
    """A player's account as JSON can hold it: numbers, texts, and lists and objects of them."""
    try:
        return _plain(info) if info and isinstance(info, dict) else {}
    except Exception as error:  # the player writes it, and no verdict depends on it
        return {"fault": f"the player's account of its move cannot be read: {type(error).__name__}"}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    try:
        number = int(value) if value == int(value) and not isinstance(value, float) else float(value)
    except (TypeError, ValueError, OverflowError):
        return str(value)
    if isinstance(number, int):
        return number if abs(number) < 1 << 63 else "a number of more than 64 bits"
    return number if math.isfinite(number) else str(number)


def _whole(answer: object) -> int | None:
    try:
        number = int(answer)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if number == answer and not isinstance(answer, (str, bytes)) else None
