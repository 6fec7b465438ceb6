"""The protocol of the computer poker competition: match states in and out, agents at our table, ours at a dealer."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading

import pytest

from plywright import BadInput, load_game
from plywright.arena.referee import play_game
from plywright.game import Game
from plywright.games.holdem.rules import Holdem
from plywright.players import Clock, Mode, Playing, Turn
from plywright.players.simple import RandomPlayer
from plywright.programs.acpc import AcpcPlayer, match_state, read_match_state, sit_down
from plywright.rng import below, seeded

LIMIT, NO_LIMIT = Holdem(), Holdem(betting="no-limit", blinds="50-100", stack="20000")
THREE = Holdem(players=3, betting="no-limit", blinds="50-100", stack="20000")

# lines of the competition's own description, for heads-up limit, heads-up and three-player no-limit
GIVEN = [
    (LIMIT, "MATCHSTATE:0:0::TdAs|", 1),
    (LIMIT, "MATCHSTATE:0:0:r:TdAs|", 0),
    (LIMIT, "MATCHSTATE:0:0:rc/:TdAs|/2c8c3h", 0),
    (LIMIT, "MATCHSTATE:0:0:rc/rc/:TdAs|/2c8c3h/9c", 0),
    (LIMIT, "MATCHSTATE:0:0:rc/rc/cr:TdAs|/2c8c3h/9c", 0),
    (LIMIT, "MATCHSTATE:1:1:cc/r:|Qd7c/5s9hJd", 1),
    (NO_LIMIT, "MATCHSTATE:0:30:r300:9s8h|", 0),
    (NO_LIMIT, "MATCHSTATE:0:30:cr300c/cr500:9s8h|/8c8d5c", 0),
    (NO_LIMIT, "MATCHSTATE:1:31:r300r900c/:|JdTc/6dJc9c", 0),
    (THREE, "MATCHSTATE:2:90:fr300:||AsTs", 1),
]


@pytest.mark.parametrize(("game", "line", "mover"), GIVEN)
def test_a_match_state_is_read_and_written_back(game: Holdem, line: str, mover: int) -> None:
    seat, hand, playing = read_match_state(game, line)
    assert playing.mover() == mover
    view = playing.view(seat)
    assert read_match_state(game, match_state(game, view, seat, hand))[2].view(seat) == view
    assert match_state(game, view, seat, hand).split(":")[:4] == line.split(":")[:4]


@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT, THREE], ids=["limit", "no-limit", "three"])
def test_every_view_of_random_hands_survives_the_line(game: Holdem) -> None:
    rng = seeded(7)
    for hand in range(12):
        playing = Playing(game)
        while not playing.is_over():
            if playing.at_chance():
                playing.roll(rng)
                continue
            for seat in range(game.players):
                line = match_state(game, playing.view(seat), seat, hand)
                at, number, read = read_match_state(game, line)
                assert (at, number, read.view(seat)) == (seat, hand, playing.view(seat))
                assert read.past_of(seat) == playing.past_of(seat)
            legal = playing.legal()
            playing.step(legal[below(rng, min(len(legal), 3))])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("MATCHSTATE:0:0", "no match state"),
        ("HELLO:0:0::AsKs|", "no match state"),
        ("MATCHSTATE:7:0::AsKs|", "positions 0 to 1"),
        ("MATCHSTATE:0:x::AsKs|", "no number of a hand"),
        ("MATCHSTATE:0:0::AsAs|", "twice"),
        ("MATCHSTATE:0:0:cc/:AsKs|/As2c3d", "the card As twice"),
        ("MATCHSTATE:0:0::|AsKs", "two cards in your own"),
        ("MATCHSTATE:0:0:rrrrr:AsKs|", "cannot raise any more"),
        ("MATCHSTATE:0:0:cc/:AsKs|", "which the betting does not lead to|is not over"),
        ("MATCHSTATE:0:0:ccr:AsKs|", "out of turn"),
        ("MATCHSTATE:0:0:x:AsKs|", "no act of hold'em"),
        ("MATCHSTATE:0:0:f:AsKs|/2c3c4c", "does not lead to"),
        ("MATCHSTATE:0:0:r20:AsKs|", "fixed size"),
    ],
)
def test_a_broken_line_is_refused_in_one_line(line: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        read_match_state(LIMIT, line)
    assert "\n" not in str(caught.value)


# as the competition's dealer prints them: once nobody can act, the rounds that are left are empty ones
ALL_IN = [
    ("MATCHSTATE:0:0:r20000c///:AhKs|QdQc/2c3d4h/5s/9c", [20000, -20000]),
    ("MATCHSTATE:1:7:r300c/cr20000c//:AhKs|QdQc/2c3d4h/8s/9c", [-20000, 20000]),
    ("MATCHSTATE:0:8:cc/cc/r20000c/:AhKs|KdQc/2c3d4h/5s/6c", [0, 0]),
]


@pytest.mark.parametrize(("line", "won"), ALL_IN)
def test_an_all_in_has_the_rounds_in_which_nobody_acts(line: str, won: list[float]) -> None:
    seat, hand, playing = read_match_state(NO_LIMIT, line)
    assert playing.is_over() and playing.payoffs() == won
    written = match_state(NO_LIMIT, playing.view(seat), seat, hand)
    assert written.split(":")[3] == line.split(":")[3]


@pytest.mark.parametrize("betting", ["r20000c////", "r20000c///c", "r300c//", "r300f/", "r20000//"])
def test_rounds_without_acts_come_after_an_all_in_alone(betting: str) -> None:
    with pytest.raises(BadInput, match="is not over where the slash is"):
        read_match_state(NO_LIMIT, f"MATCHSTATE:0:0:{betting}:AhKs|QdQc/2c3d4h/5s/9c")


class Caller(RandomPlayer):
    """Checks and calls."""

    def choose(self, game: Game, turn: Turn) -> int:
        return 1


def test_a_dealer_s_all_in_and_folds_are_paid_as_it_says() -> None:
    """Three seats: everybody all-in; all fold but us; one folds and two show. What we won is known each time."""
    hands = [
        ("MATCHSTATE:0:0:r20000:2h2d||", "c", "MATCHSTATE:0:0:r20000cc///:2h2d|3h3d|4h4d/2c7d9h/Ts/Qc", 40000),
        ("", "", "MATCHSTATE:1:1:ff:|2h2d|", 50),
        ("MATCHSTATE:2:2::||2h2d", "c", "MATCHSTATE:2:2:cfc/cc/cc/cc:|3h3d|2h2d/2c7d9h/Ts/Qc", 150),
    ]
    told: list[tuple[int, float | None]] = []
    with socket.create_server(("127.0.0.1", 0)) as dealer:
        answers: list[str] = []

        def deal() -> None:
            connection, _ = dealer.accept()
            with connection, connection.makefile("rw", newline="") as lines:
                assert lines.readline().strip() == "VERSION:2.0.0"
                for asked, _, ended, _ in hands:
                    if asked:
                        lines.write(f"{asked}\r\n")
                        lines.flush()
                        answers.append(lines.readline().strip())
                    lines.write(f"{ended}\r\n")
                    lines.flush()

        thread = threading.Thread(target=deal)
        thread.start()
        port = dealer.getsockname()[1]
        played = sit_down(THREE, Caller(), "127.0.0.1", port, Mode("move", 1.0), lambda *end: told.append(end))
        thread.join()
    assert played == 3 and answers == [f"{asked}:{act}" for asked, act, _, _ in hands if asked]
    assert told == [(number, won) for number, (_, _, _, won) in enumerate(hands)]


def test_a_raise_of_a_wrong_size_becomes_the_nearest_legal_one() -> None:
    """As the competition's dealer mends it; what is no raise at all is a call."""
    agent = AcpcPlayer("0", NO_LIMIT)
    playing = Playing(NO_LIMIT)
    rng = seeded(1)
    while playing.at_chance():
        playing.roll(rng)
    turn = playing.turn(Clock(Mode("move", 1.0)), rng)
    acts = ("r1", "r199", "r200", "r300", "r20001", "r999999999", "raise", "f", "k9", "")
    assert [agent.read_act(act, turn) for act in acts] == [200, 200, 200, 300, 20000, 20000, 1, 0, 1, 1]
    assert agent.calls == 3 and agent.info == {"note": "'' is no legal act: counted as a call"}


def test_a_bet_below_the_minimum_is_refused_with_what_is_legal() -> None:
    with pytest.raises(BadInput, match="the least is 200, all-in is 20000"):
        read_match_state(NO_LIMIT, "MATCHSTATE:0:0:r150:AsKs|")


def test_agents_and_our_players_meet_over_the_loopback_address() -> None:
    """Our dealer with an agent's seat, and our own player in the agent's part: all hands are played and agree."""
    dealer = AcpcPlayer("0", LIMIT, "agent")
    port = dealer.listen()
    ended: list[tuple[int, float | None]] = []
    played: list[int] = []

    def agent() -> None:
        hands = sit_down(LIMIT, RandomPlayer(), "127.0.0.1", port, Mode("move", 1.0), lambda *end: ended.append(end))
        played.append(hands)

    thread = threading.Thread(target=agent)
    thread.start()
    results = [
        play_game(
            LIMIT, [dealer, RandomPlayer()] if hand % 2 else [RandomPlayer(), dealer], mode=Mode("move", 1.0), seed=hand
        )
        for hand in range(8)
    ]
    dealer.close()
    thread.join(20)
    assert all(result.payoffs is not None and sum(result.payoffs) == 0 for result in results)
    assert {result.termination for result in results} == {"normal"} and dealer.calls == 0
    assert [number for number, _ in ended] == list(range(8)) and played == [8]
    for hand, (_, won) in enumerate(ended):
        if won is not None:
            assert won == results[hand].payoffs[0 if hand % 2 else 1]


def test_what_is_no_legal_act_counts_as_a_call_and_old_answers_are_left_alone() -> None:
    dealer = AcpcPlayer("0", LIMIT)
    port = dealer.listen()

    def rogue() -> None:
        with (
            contextlib.suppress(OSError),  # the dealer may hang up first
            socket.create_connection(("127.0.0.1", port)) as wire,
            wire.makefile("rw", newline="") as lines,
        ):
            lines.write("VERSION:2.0.0\r\n")
            lines.flush()
            for line in lines:
                if line.strip().split(":")[3] in ("", "c"):
                    lines.write("MATCHSTATE:0:99::AsKs|:f\r\n" + line.strip() + ":r7000\r\n")
                    lines.flush()
                    return

    thread = threading.Thread(target=rogue)
    thread.start()
    result = play_game(LIMIT, [RandomPlayer(), dealer], mode=Mode("move", 2.0), seed=3)
    thread.join(20)
    dealer.close()
    assert dealer.calls == 1
    assert result.termination in ("crashed", "normal")


def test_what_cannot_be_an_agent_is_refused() -> None:
    with pytest.raises(BadInput, match="should have the port"):
        AcpcPlayer("x", LIMIT)
    with pytest.raises(BadInput, match="52 cards and four rounds"):
        AcpcPlayer("0", load_game("leduc"))
    with pytest.raises(BadInput, match="there is no dealer at"):
        sit_down(LIMIT, RandomPlayer(), "127.0.0.1", 1, Mode("move", 1.0), lambda *end: None)


def test_a_port_is_a_small_number() -> None:
    for port in ("", "-1", "65536", "9" * 5000, "٣", "1e3", " 1"):
        with pytest.raises(BadInput, match="should have the port"):
            AcpcPlayer(port, load_game("holdem"))


def test_a_dealer_that_hangs_up_before_our_answer_ends_the_match() -> None:
    with socket.create_server(("127.0.0.1", 0)) as dealer:

        def deal() -> None:
            connection, _ = dealer.accept()
            connection.recv(100)  # we have greeted: a reset before that is no dealer at all
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset, not an end
            connection.sendall(b"MATCHSTATE:1:0:c:|JdTc\r\n")
            connection.close()

        thread = threading.Thread(target=deal)
        thread.start()
        hands = sit_down(
            load_game("holdem"),
            *(RandomPlayer(), "127.0.0.1", dealer.getsockname()[1], Mode.parse("depth:1")),
            lambda number, won: None,
        )
        thread.join()
    assert hands == 0
