"""Players as they are written on the command line, and one sentence for every mistake."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from plywright import BadInput, load_game
from plywright.arena.lineup import make_player
from plywright.arena.referee import play_game
from plywright.compiled import interpreted
from plywright.errors import GameError, Unsuitable
from plywright.games.mnk import TicTacToe
from plywright.players import Clock, Mode, Playing
from plywright.players.level import LEVELS
from plywright.players.mixture import MixturePlayer
from plywright.players.offence import NORMAL
from plywright.players.person import HumanPlayer
from plywright.players.policy import PolicyPlayer
from plywright.players.searching import SearchPlayer
from plywright.players.simple import FirstPlayer, RandomPlayer
from plywright.rng import seeded

GAME = load_game("tic-tac-toe")
FREE = Mode.parse("depth:2")


def test_searches_keep_to_their_own_limits_and_to_the_clock() -> None:
    own = make_player("alphabeta:depth=4", GAME)
    assert isinstance(own, SearchPlayer) and own.name == "alphabeta:depth=4"
    assert own.limit(Clock(Mode.parse("depth:9"))).depth == 4
    timed = own.limit(Clock(Mode.parse("move:2s"), 2.0))
    assert timed.depth == 4 and timed.time is not None and timed.time <= 2
    half = make_player("pvs:time=0.5", GAME)
    assert isinstance(half, SearchPlayer)
    assert half.limit(Clock(FREE)).time == 0.5
    assert (half.limit(Clock(Mode.parse("move:0.1s"), 0.1)).time or 9) <= 0.1
    mode = make_player("search", GAME)
    assert isinstance(mode, SearchPlayer) and mode.limit(Clock(Mode.parse("depth:7"))).depth == 7
    assert mode.limit(Clock(Mode.parse("nodes:900"))).nodes == 900
    assert (mode.limit(Clock(Mode.parse("budget:9s"), 0.0)).time or 0) > 0  # even with nothing left


def test_a_search_never_loses_at_tic_tac_toe_and_says_what_it_saw() -> None:
    player = make_player("alphabeta:depth=9", GAME)
    for seed in range(4):
        players = [player, RandomPlayer()]
        record = play_game(GAME, players, mode=FREE, seed=seed)
        assert record.payoffs is not None and record.payoffs[0] >= 0
        assert record.plies[0].info["depth"] == 9 and record.plies[0].info["nodes"] > 0
    assert player.describe() == {
        "name": "alphabeta:depth=9",
        "fingerprint": player.fingerprint,
        "isolation": "in process",
    }


def test_the_engine_can_be_stopped_and_reports_its_depths() -> None:
    game = load_game("connect-four")
    player = make_player("pvs", game)
    assert isinstance(player, SearchPlayer)
    player.prepare(game)
    depths: list[int] = []

    def report(found: Any) -> None:
        depths.append(found.depth)
        if found.depth == 4:
            player.stop()

    player.report = report
    action = player.choose(game, Playing(game).turn(Clock(Mode.parse("depth:500")), seeded(1)))
    assert depths == [1, 2, 3, 4] and action in game.actions(game.start_state)


def test_every_search_takes_the_options_of_its_algorithm() -> None:
    simulated = make_player("mcts:simulations=40,exploration=0.7,prove=no", GAME)
    assert isinstance(simulated, SearchPlayer) and simulated.own is not None and simulated.own.nodes == 40
    assert simulated.options == {"exploration": 0.7, "prove": False}
    dice = make_player("expectiminimax:depth=2,outcomes=3,pruning=none", GAME)
    assert isinstance(dice, SearchPlayer) and dice.options == {"outcomes": 3, "pruning": "none"}
    narrow = make_player("search:depth=3,width=8,margin=0.08,reply_width=1", load_game("backgammon"))
    assert isinstance(narrow, SearchPlayer)
    assert narrow.options == {"width": 8, "margin": 0.08, "reply_width": 1}
    with interpreted():
        record = play_game(GAME, [simulated, dice], mode=FREE, seed=2)
        again = [play_game(GAME, [simulated, RandomPlayer()], mode=FREE, seed=seed) for seed in (2, 2, 3)]
    assert record.termination == NORMAL, record.note
    assert {ply.info["nodes"] for ply in record.plies if ply.seat == 0} == {40}
    lines = [[(ply.action, ply.info.get("value")) for ply in record.plies] for record in again]
    assert lines[0] == lines[1] != lines[2]  # its chance is that of the game's seed
    with pytest.raises(Unsuitable, match="no depth to search to in mode depth:2: write mcts:simulations=1000"):
        play_game(GAME, [make_player("mcts", GAME), FirstPlayer()], mode=FREE)


def test_a_mixture_plays_its_parts_as_often_as_it_says() -> None:
    player = make_player("mixture:0.75*first+0.25*random", GAME)
    assert isinstance(player, MixturePlayer) and [weight for weight, _ in player.parts] == [0.75, 0.25]
    rng = seeded(7)
    by = []
    for _ in range(2000):
        player.choose(GAME, Playing(GAME).turn(Clock(FREE), rng))
        by.append(player.info["by"])
    assert abs(by.count("first") / 2000 - 0.75) < 0.04


def test_an_opponent_who_errs_now_and_then_can_be_written() -> None:
    player = make_player("mixture:0.8*alphabeta:depth=2+0.2*random", GAME)
    assert isinstance(player, MixturePlayer)
    assert [part.name for _, part in player.parts] == ["alphabeta:depth=2", "random"]
    assert play_game(GAME, [player, FirstPlayer()], mode=FREE).termination == "normal"


def test_a_policy_of_probabilities_is_drawn_from() -> None:
    player = PolicyPlayer(lambda game, view, seat: {4: 0.5, 0: 0.5})
    rng = seeded(3)
    drawn = {player.choose(GAME, Playing(GAME).turn(Clock(FREE), rng)) for _ in range(40)}
    assert drawn == {0, 4}
    with pytest.raises(BadInput, match="sum to 1"):
        PolicyPlayer(lambda *_: {4: 0.4}).choose(GAME, Playing(GAME).turn(Clock(FREE), rng))


OWN = """
from plywright.players import Player

class Last(Player):
    def __init__(self, back: int = 1):
        self.back = back
        self.info = {}
    def choose(self, game, view, seat, clock, rng):
        return list(game.actions(view))[-self.back]

class Plain:
    seen = 0
    def begin(self, game, seat, seed):
        Plain.seen += 1
    def choose(self, game, view, seat, clock, rng):
        return next(iter(game.actions(view)))

class Newer(Player):
    def choose(self, game, turn):
        assert turn.seat == 0 and turn.history == () and not turn.clock.mode.timed
        return turn.legal[-3]

class PlainNewer:
    def choose(self, game, turn):
        return turn.legal[3]

class Careful(Player):
    def choose(self, game, view, seat, clock, rng):
        assert self.legal_actions(game, view) == list(self.legal) == list(range(9))
        return self.legal[4]

class Empty:
    pass

class Lonely:
    def choose(self, game):
        return 0

def policy(game, view, seat):
    return max(game.actions(view))
"""


def test_players_from_a_file_of_one_s_own(tmp_path: Path) -> None:
    path = tmp_path / "my_player.py"
    path.write_text(OWN)

    def first_action(text: str) -> int:
        return play_game(GAME, [make_player(text, GAME), RandomPlayer()], mode=FREE).plies[0].action

    assert first_action(f"{path}:Last") == 8 and first_action(f"{path}:Last:back=2") == 7
    assert first_action(f"{path}:Newer") == 6 and first_action(f"{path}:PlainNewer") == 3
    assert first_action(f"{path}:Careful") == 4
    assert first_action(f"{path}:Plain") == 0 and first_action(f"{path}:policy") == 8
    player = make_player(f"{path}:Last", GAME)
    assert len(player.fingerprint) == 16 and player.name == f"{path}:Last"
    for text, message in [
        (f"{path}", "several: Last, Plain, Newer"),
        (f"{path}:Nobody", "no player 'Nobody'"),
        (f"{path}:Empty", "no choose"),
        (f"{path}:Lonely", r"choose\(game\) cannot be called; write choose\(self, game, turn\)"),
        (f"{path}:Last:front=2", "no parameter 'front'"),
        (f"{tmp_path}/absent.py:Last", "there is no file"),
    ]:
        with pytest.raises(BadInput, match=message):
            make_player(text, GAME)


def test_a_person_is_asked_until_the_move_is_legal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("z9\nmoves\nb2\n"))
    assert HumanPlayer().choose(GAME, Playing(GAME).turn(Clock(Mode.parse("move:5s"), 5.0), seeded(1))) == 4
    shown = capsys.readouterr()
    assert "'z9' is not a legal move" in shown.err and "legal: a1" in shown.err and "5 s left" in shown.err
    assert shown.out == ""  # standard output is the command's
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(KeyboardInterrupt):
        HumanPlayer().choose(GAME, Playing(GAME).turn(Clock(FREE), seeded(1)))


MISTAKES = [
    ("", "give a player"),
    ("alphabet", "did you mean alphabeta"),
    ("stockfish", "there is no player 'stockfish'; there are search"),
    ("alphabeta:depth=x", "'x' is not a whole number"),
    ("alphabeta:breadth=2", "'breadth=2' is not one of depth"),
    ("alphabeta:depth=0", "depth must be"),
    ("alphabeta:threads=2", "takes no threads"),
    ("alphabeta:simulations=9", "alphabeta takes no simulations; that is for mcts; it takes depth, nodes, time"),
    ("mcts:depth=4", "mcts takes no depth"),
    ("mcts:nodes=9,simulations=9", "either nodes or simulations"),
    ("mcts:prove=perhaps", "'perhaps' should be yes or no"),
    ("mixture:0.5*first", "sum to 1"),
    ("mixture:first+random", "write a mixture as"),
    ("mixture:0.5*first+0.5*nobody", "there is no player 'nobody'"),
    ("pipe:", "give the command"),
    ("pipe:no-such-program-here", "'no-such-program-here' cannot be run: there is no such program"),
    ("pipe:python no_such_bot.py", "there is no file 'no_such_bot.py'"),
    ("pipe:python 'half a quote", "cannot be read"),
    ("pipe:python?speed=9", "there is no option 'speed'"),
    ("pipe:python?isolation=moon", "there is no isolation 'moon'"),
    ("pipe:python?memory=lots", "should be a whole number of megabytes"),
    ("xy:python", "the protocol xy is Othello's"),
    ("nboard:python", "the protocol nboard is Othello's"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES, ids=[row[0] or "nothing" for row in MISTAKES])
def test_a_mistake_is_one_sentence(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        make_player(text, GAME)
    assert "\n" not in str(caught.value)


def test_a_search_that_cannot_play_the_game_says_so_before_it_begins() -> None:
    class Three(type(GAME)):  # type: ignore[misc]
        players = 3

    game = Three()
    with pytest.raises(Unsuitable):
        play_game(game, [make_player("alphabeta", game), FirstPlayer(), FirstPlayer()], mode=FREE)


def test_levels_are_graded_opponents_in_any_game() -> None:
    weak, strong = make_player("level:1", GAME), make_player("level:10", GAME)
    assert isinstance(weak, MixturePlayer) and weak.name == "level:1"
    assert isinstance(strong, SearchPlayer) and strong.name == "level:10"
    payoffs = [
        play_game(GAME, [weak, strong] if seed % 2 else [strong, weak], mode=FREE, seed=seed).payoffs
        for seed in range(8)
    ]
    assert all(pair is not None and pair[seed % 2] >= 0 for seed, pair in enumerate(payoffs))
    for text in ("level:0", "level:11", "level:", "level:x", "level:1.5"):
        with pytest.raises(BadInput, match="level:1 to level:10"):
            make_player(text, GAME)


def test_each_level_searches_more_or_errs_less_than_the_one_before() -> None:
    for (chance, nodes), (next_chance, next_nodes) in itertools.pairwise(LEVELS):
        assert next_chance < chance or next_nodes > nodes
        assert next_chance <= chance and next_nodes >= nodes


def test_a_game_that_names_a_player_which_is_none_is_at_fault() -> None:
    class Own(TicTacToe):
        own_player = "first"

    assert isinstance(make_player("search", Own()), FirstPlayer)
    assert isinstance(make_player("level:9", Own()), SearchPlayer), "it has no levels of its own"
    for text, words in (
        ("nobody", "no player 'nobody'"),
        ("level:3", "not made of"),
        ("search", "not made of"),
    ):
        Own.own_player = text
        with pytest.raises(GameError, match=words):
            make_player("search", Own())


@pytest.mark.parametrize("number", ["²", "٣", "9" * 5000, "-1", ""])
def test_numbers_in_texts_of_players_are_plain_and_small(number: str) -> None:
    for text in (f"level:{number}", f"pipe:python x.py?memory={number or 'x'}"):
        with pytest.raises(BadInput):
            make_player(text, load_game("tic-tac-toe"))
