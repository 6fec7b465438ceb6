"""The referee: rules, seats, dice, views, clocks and verdicts, with players in Python."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from plywright import CHANCE, BadInput, Game, GameError, load_game
from plywright.arena.game_record import GameRecord
from plywright.arena.heartbeat import NOTABLE, Heartbeat
from plywright.arena.referee import own_seed, play_game
from plywright.dice import roll
from plywright.players import Mode, Offence, Player, Turn
from plywright.players.offence import CRASHED, CUT, ILLEGAL, LATE, NORMAL, VOID
from plywright.players.simple import FirstPlayer, RandomPlayer
from plywright.rng import seeded

FREE = Mode.parse("depth:2")
TIC_TAC_TOE = load_game("tic-tac-toe")


class Stones(NamedTuple):
    taken: tuple[int, int, int]
    turn: int
    rolled: int


class Dice(Game):
    """Three players roll in turn, take 0 or 1 of what they rolled, nine rounds; the dice are public."""

    players = 3
    utility_range = (0, 54)

    def initial(self) -> Stones:
        return Stones((0, 0, 0), 0, 0)

    def to_move(self, state: Stones) -> int:
        return state.turn % 3 if state.rolled else CHANCE

    def actions(self, state: Stones) -> Iterator[int]:
        if state.rolled and state.turn < 9:
            yield 0
            yield 1

    def chance(self, state: Stones) -> Iterator[tuple[int, float]]:
        for face in range(1, 7):
            yield face, 1 / 6

    def result(self, state: Stones, action: int) -> Stones:
        if not state.rolled:
            return Stones(state.taken, state.turn, action)
        seat = state.turn % 3
        gain = state.rolled * action
        taken = tuple(had + (gain if seat == place else 0) for place, had in enumerate(state.taken))
        return Stones(taken, state.turn + 1, 0)  # type: ignore[arg-type]

    def is_terminal(self, state: Stones) -> bool:
        return state.turn >= 9

    def utility(self, state: Stones, player: int) -> float:
        return state.taken[player]


class Hand(NamedTuple):
    first: int
    second: int
    turn: int


class Cards(Game):
    """Each is dealt a card from 1 to 5 and sees its own only; both say a number, the higher card wins."""

    utility_range = (-1, 1)

    def initial(self) -> Hand:
        return Hand(0, 0, 0)

    def to_move(self, state: Hand) -> int:
        return CHANCE if state.turn < 2 else state.turn - 2

    def actions(self, state: Hand) -> Iterator[int]:
        if 2 <= state.turn < 4:
            yield 0
            yield 1

    def chance(self, state: Hand) -> Iterator[tuple[int, float]]:
        for card in range(1, 6):
            if card != state.first:
                yield card, 1 / (5 if state.first == 0 else 4)

    def result(self, state: Hand, action: int) -> Hand:
        if state.turn == 0:
            return Hand(action, 0, 1)
        return Hand(state.first, action, 2) if state.turn == 1 else state._replace(turn=state.turn + 1)

    def is_terminal(self, state: Hand) -> bool:
        return state.turn >= 4

    def utility(self, state: Hand, player: int) -> float:
        return (1 if state.first > state.second else -1) * (1 if player == 0 else -1)

    def observation(self, state: Hand, player: int) -> Hand:
        return state._replace(second=0) if player == 0 else state._replace(first=0)


class Spy(FirstPlayer):
    """Plays the first action and keeps everything it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.told.append(("begin", seat, seed, self.start, self.opening, self.mode))

    def choose(self, game: Game, turn: Turn) -> int:
        self.told.append(("choose", turn.view, turn.seat, turn.clock.left))
        return super().choose(game, turn)

    def observe(self, game: Game, view: Any, seat: int, mover: int, action: int | None) -> None:
        self.told.append(("observe", view, mover, action))

    def end(self, game: Game, seat: int, payoff: float) -> None:
        self.told.append(("end", seat, payoff))


class Odd(Player):
    """Does what a function does."""

    name = "odd"

    def __init__(self, act: Callable[..., Any]) -> None:
        self.act = act

    def choose(self, game: Game, turn: Turn) -> int:
        return self.act(game, turn.view)  # type: ignore[no-any-return]


class Beat(Heartbeat):
    """A machine that lost so many seconds since whenever it is asked."""

    def __init__(self, lost: float) -> None:
        super().__init__()
        self.lost = lost

    def delay_since(self, moment: float) -> float:
        return self.lost


def replayed(game: Game, record: GameRecord, state: Any = None) -> Any:
    state = game.start_state if state is None else state
    for action in (*record.opening, *(ply.action for ply in record.plies)):
        state = game.result(state, action)
    return state


# -- rules, seats, dice ------------------------------------------------------------------------------------------------


def test_a_record_replays_to_its_payoffs_and_survives_json() -> None:
    game = load_game("othello:size=4")
    record = play_game(game, [RandomPlayer(), RandomPlayer()], mode=FREE, seed=5)
    end = replayed(game, record)
    assert game.is_terminal(end) and record.termination == NORMAL
    assert record.payoffs == (game.utility(end, 0), game.utility(end, 1))
    assert GameRecord.from_dict(record.as_dict()) == record


def test_the_same_seed_is_the_same_game_and_another_is_another() -> None:
    def actions(seed: int) -> list[int]:
        return [p.action for p in play_game(TIC_TAC_TOE, [RandomPlayer(), RandomPlayer()], mode=FREE, seed=seed).plies]

    assert actions(1) == actions(1)
    assert len({tuple(actions(seed)) for seed in range(8)}) > 4


def test_dice_depend_on_the_seed_alone_whoever_sits_where() -> None:
    def dice(players: list[Player], seed: int) -> list[int]:
        record = play_game(Dice(), players, mode=FREE, seed=seed)
        return [ply.action for ply in record.plies if ply.seat == CHANCE]

    first = dice([RandomPlayer(), FirstPlayer(), RandomPlayer()], 3)
    assert len(first) == 9
    assert first == dice([FirstPlayer(), RandomPlayer(), FirstPlayer()], 3) != dice([RandomPlayer()] * 3, 4)


def test_outcomes_come_as_often_as_their_probability_says() -> None:
    class Biased(Dice):
        def chance(self, state: Stones) -> Iterator[tuple[int, float]]:
            yield 1, 0.7
            yield 2, 0.3

    rng = seeded(1)
    drawn = [roll(Biased(), Biased().initial(), rng) for _ in range(4000)]
    assert abs(drawn.count(1) / 4000 - 0.7) < 0.03


def test_players_are_told_what_happens_and_the_opening_before_it() -> None:
    spy = Spy()
    record = play_game(TIC_TAC_TOE, [FirstPlayer(), spy], mode=Mode.parse("budget:9s"), opening=[4, 8], seed=6)
    kinds = [entry[0] for entry in spy.told]
    assert spy.told[0] == ("begin", 1, own_seed(6, 1, 1), TIC_TAC_TOE.start_state, (4, 8), Mode.parse("budget:9s"))
    assert kinds[:3] == ["begin", "observe", "observe"] and kinds[-1] == "end"
    seen = [entry[2:] for entry in spy.told if entry[0] == "observe"]
    assert seen == [(0, 4), (1, 8), *((ply.seat, ply.action) for ply in record.plies)]
    assert record.opening == (4, 8) and record.plies[0].seat == 0
    assert record.start == TIC_TAC_TOE.format_state(TIC_TAC_TOE.play_moves(TIC_TAC_TOE.start_state, "b2 c3"))


def test_no_player_of_a_hidden_game_ever_sees_the_other_card() -> None:
    spies = [Spy(), Spy()]
    record = play_game(Cards(), spies, mode=FREE, seed=2)
    assert record.termination == NORMAL
    for seat, spy in enumerate(spies):
        views = [entry[1] for entry in spy.told if entry[0] in ("choose", "observe")]
        assert views and all(view[1 - seat] == 0 for view in views)
        assert spy.told[0][3] is None  # nor the start
        assert all(entry[3] is None for entry in spy.told if entry[0] == "observe" and entry[2] != seat)


def test_a_start_and_an_opening_that_are_not_legal_are_the_caller_s_mistake() -> None:
    with pytest.raises(BadInput, match="move 2 of the opening, 4,"):
        play_game(TIC_TAC_TOE, [FirstPlayer(), FirstPlayer()], mode=FREE, opening=[4, 4])
    with pytest.raises(BadInput, match="for 2, not for 1"):
        play_game(TIC_TAC_TOE, [FirstPlayer()], mode=FREE)
    spy = Spy()
    with pytest.raises(BadInput, match="keeps to one seat"):
        play_game(TIC_TAC_TOE, [spy, spy], mode=FREE)
    with pytest.raises(GameError):
        play_game(TIC_TAC_TOE, [FirstPlayer(), FirstPlayer()], mode=FREE, start=(1, 2, 3, 4, 5, 6))


# -- verdicts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [99, -1, 2.5, "a1", None, [3], float("nan"), 10**30])
def test_an_answer_that_is_no_legal_action_loses_and_is_kept(answer: Any) -> None:
    record = play_game(TIC_TAC_TOE, [FirstPlayer(), Odd(lambda *_: answer)], mode=FREE)
    assert (record.termination, record.offender, record.payoffs) == (ILLEGAL, 1, (1.0, -1.0))
    assert record.raw == repr(answer)


def test_an_exception_of_a_player_is_its_loss_and_nobody_else_s_trouble() -> None:
    record = play_game(TIC_TAC_TOE, [Odd(lambda *_: 1 // 0), FirstPlayer()], mode=FREE)
    assert (record.termination, record.offender) == (CRASHED, 0) and "ZeroDivisionError" in record.note


class Leaver(FirstPlayer):
    """Leaves the program in one of its methods."""

    def __init__(self, method: str) -> None:
        super().__init__()
        setattr(self, method, self.leave)

    def leave(self, *_: Any) -> int:
        raise SystemExit(0)


@pytest.mark.parametrize(("method", "termination"), [("begin", CRASHED), ("choose", CRASHED), ("observe", NORMAL)])
def test_a_player_that_leaves_the_program_ends_no_match(method: str, termination: str) -> None:
    record = play_game(TIC_TAC_TOE, [Leaver(method), FirstPlayer()], mode=FREE)
    assert record.termination == termination and (termination == NORMAL or record.offender == 0)


def test_rules_that_raise_are_nobody_s_loss_and_are_named() -> None:
    class Broken(type(TIC_TAC_TOE)):  # type: ignore[misc]
        def result(self, state: Any, action: int) -> Any:
            raise RuntimeError("out of squares")

    with pytest.raises(GameError, match=r"result\(\) raised RuntimeError: out of squares at the start"):
        play_game(Broken(), [FirstPlayer(), FirstPlayer()], mode=FREE)


def test_utilities_beyond_their_range_are_named_with_the_line_that_led_there() -> None:
    class Generous(type(TIC_TAC_TOE)):  # type: ignore[misc]
        def utility(self, state: Any, player: int) -> float:
            return 5.0 * super().utility(state, player)

    with pytest.raises(GameError, match=r"utility\(state, 0\) is 5 after the actions 0 1 2 3 4 5 6"):
        play_game(Generous(), [FirstPlayer(), FirstPlayer()], mode=FREE)


def test_a_game_that_goes_on_for_ever_is_cut_and_even() -> None:
    record = play_game(Dice(), [FirstPlayer()] * 3, mode=FREE, move_limit=5)
    assert record.termination == CUT and len(record.plies) == 5 and record.payoffs == (27.0, 27.0, 27.0)


def test_with_three_players_the_offender_gets_the_least_and_its_seat_is_played_on() -> None:
    record = play_game(Dice(), [Odd(lambda *_: 1), Odd(lambda *_: 7), Odd(lambda *_: 1)], mode=FREE, seed=1)
    assert record.termination == ILLEGAL and record.offender == 1 and record.offences == ((1, ILLEGAL),)
    assert [ply.action for ply in record.plies if ply.seat == 1] == [0, 0, 0]  # the first legal action, three times
    end = replayed(Dice(), record)
    assert record.payoffs == (end.taken[0], 0.0, end.taken[2]) and end.turn == 9


def test_with_two_offenders_of_three_the_last_one_standing_wins() -> None:
    record = play_game(Dice(), [Odd(lambda *_: 7), Odd(lambda *_: 1), Odd(lambda *_: 1 // 0)], mode=FREE)
    assert record.offences == ((0, ILLEGAL), (2, CRASHED)) and record.offender == 0
    assert record.payoffs == (0.0, 54.0, 0.0)


def test_a_player_s_account_is_kept_as_json_can_hold_it() -> None:
    import json

    import numpy as np

    account = {"value": np.float64(0.5), "nodes": np.int64(7), "worst": float("inf"), 3: [1, (2,)], "what": {1, 2}}

    class Chatty(FirstPlayer):
        def choose(self, game: Game, turn: Turn) -> int:
            self.info = account  # type: ignore[assignment]
            return super().choose(game, turn)

    kept = play_game(TIC_TAC_TOE, [Chatty(), FirstPlayer()], mode=FREE).plies[0].info
    assert kept == {"value": 0.5, "nodes": 7, "worst": "inf", "3": [1, [2]], "what": "{1, 2}"}
    assert json.loads(json.dumps(kept, allow_nan=False)) == kept


# -- clocks ------------------------------------------------------------------------------------------------------------


def slow(seconds: float) -> Odd:
    def act(game: Game, view: Any) -> int:
        time.sleep(seconds)
        return int(next(iter(game.actions(view))))

    return Odd(act)


def test_late_is_a_loss_after_the_margin_and_not_before() -> None:
    late = play_game(TIC_TAC_TOE, [slow(0.1), FirstPlayer()], mode=Mode.parse("move:10ms"), margin=0.01, beat=Beat(0))
    assert (late.termination, late.offender, late.payoffs) == (LATE, 0, (-1.0, 1.0))
    assert late.note.endswith(" s (move 1; it had 0.01 s)")
    forgiven = play_game(
        TIC_TAC_TOE, [slow(0.02), FirstPlayer()], mode=Mode.parse("move:1ms"), margin=30.0, beat=Beat(0)
    )
    assert forgiven.termination == NORMAL


def test_an_overloaded_machine_voids_the_game_unless_the_player_itself_was_busy() -> None:
    def play(player: Player, lost: float) -> GameRecord:
        mode = Mode.parse("move:10ms")
        return play_game(TIC_TAC_TOE, [player, FirstPlayer()], mode=mode, margin=0.01, beat=Beat(lost))

    def busy(game: Game, view: Any) -> int:
        until = time.process_time() + 0.06
        while time.process_time() < until:
            pass
        return int(next(iter(game.actions(view))))

    void = play(slow(0.05), 60.0)
    assert void.termination == VOID and void.payoffs is None and "overloaded" in void.note
    assert play(slow(0.05), 0.008).termination == LATE  # so little does not explain it
    assert play(Odd(busy), 60.0).termination == LATE


def test_a_budget_is_used_up_over_the_game_and_increments_come_back() -> None:
    spy = Spy()
    play_game(TIC_TAC_TOE, [spy, FirstPlayer()], mode=Mode.parse("budget:50s"))
    left = [entry[3] for entry in spy.told if entry[0] == "choose"]
    assert left[0] == 50 and left == sorted(left, reverse=True) and left[-1] < 50
    spy = Spy()
    play_game(TIC_TAC_TOE, [spy, FirstPlayer()], mode=Mode.parse("budget:50s+5s"))
    left = [entry[3] for entry in spy.told if entry[0] == "choose"]
    assert left[0] == 50 and left == sorted(left) and 54 < left[1] < 55


def test_a_budget_s_margin_is_given_once_and_not_for_every_move() -> None:
    record = play_game(
        TIC_TAC_TOE, [slow(0.03), FirstPlayer()], mode=Mode.parse("budget:10ms"), margin=0.05, beat=Beat(0)
    )
    assert record.termination == LATE and 1 <= sum(ply.seat == 0 for ply in record.plies) <= 2
    number, left = re.search(
        r"\(move ([0-9]+); it had 0\.01 s for the game, and (\S+) s of them left\)", record.note
    ).groups()
    assert int(number) == len(record.plies) + 1 and float(left) < 0.01


def test_preparing_is_outside_the_clock() -> None:
    class Slow(FirstPlayer):
        def prepare(self, game: Game) -> None:
            time.sleep(0.1)

    record = play_game(TIC_TAC_TOE, [Slow(), FirstPlayer()], mode=Mode.parse("move:20ms"), margin=0.03, beat=Beat(0))
    assert record.termination == NORMAL


def test_a_void_offence_of_a_player_is_passed_on() -> None:
    def gives_up(*_: Any) -> int:
        raise Offence(VOID, "the disk is full")

    assert play_game(TIC_TAC_TOE, [Odd(gives_up), FirstPlayer()], mode=FREE).termination == VOID


# -- the heartbeat -----------------------------------------------------------------------------------------------------


def test_delays_are_counted_from_the_moment_that_is_asked_about() -> None:
    beat = Heartbeat()
    now = time.monotonic()
    beat.due = now + 1000
    beat.note(now - 10, 2.0)  # from 10 to 8 seconds ago
    beat.note(now - 5, 1.0)  # from 5 to 4 seconds ago
    beat.note(now - 3, NOTABLE / 2)  # the everyday
    assert beat.delay_since(now - 20) == pytest.approx(3.0)
    assert beat.delay_since(now - 9) == pytest.approx(2.0)
    assert beat.delay_since(now - 1) == 0.0
    beat.due = now - 2  # a beat that has not come for two seconds
    assert beat.delay_since(now - 1) == pytest.approx(1.0, abs=0.5)


def test_players_of_chance_do_not_mirror_each_other_and_know_nothing_of_the_dice() -> None:
    pair = [
        play_game(TIC_TAC_TOE, [RandomPlayer(), RandomPlayer()], mode=FREE, seed=3, places=places)
        for places in ((0, 1), (1, 0), (0, 1))
    ]
    lines = [[ply.action for ply in record.plies] for record in pair]
    assert lines[0] == lines[2] != lines[1]
    seeds = {own_seed(seed, seat, place) for seed in range(20) for seat in range(2) for place in range(2)}
    assert len(seeds) == 80 and not seeds & set(range(20))
    with pytest.raises(BadInput, match="a place in the line-up for each of the 2 players, not 1"):
        play_game(TIC_TAC_TOE, [RandomPlayer(), RandomPlayer()], mode=FREE, places=[0])


def test_the_deal_in_an_opening_is_not_told() -> None:
    spy = Spy()
    game = Cards()
    play_game(game, [FirstPlayer(), spy], mode=FREE, opening=[3, 4])
    assert spy.told[0][4] == ()
