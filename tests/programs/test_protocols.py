"""Every protocol, both ends: what a program plays through it is what the same player plays in process."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from program_processes import ROOT

from plywright import BadInput, load_game
from plywright.arena.game_record import GameRecord
from plywright.arena.lineup import make_player
from plywright.arena.match import make_plan, run_plan
from plywright.arena.records.run_file import Records
from plywright.arena.referee import play_game
from plywright.cli import main
from plywright.cli.authoring.new import BOTS, template
from plywright.players import Mode, Player
from plywright.players.offence import CRASHED, ILLEGAL, LATE, NO_GREETING, NORMAL, RESIGNED, VOID
from plywright.players.simple import FirstPlayer, RandomPlayer
from plywright.programs import json_lines, program_player

OTHELLO, TIC_TAC_TOE = load_game("othello"), load_game("tic-tac-toe")
FREE = Mode.parse("depth:2")


def moves(record: GameRecord) -> list[tuple[int, int]]:
    assert record.termination == NORMAL, record.note
    return [(ply.seat, ply.action) for ply in record.plies]


def against_random(game: Any, player: Player, seat: int, **options: Any) -> GameRecord:
    players = [RandomPlayer(), RandomPlayer()]
    players[seat] = player  # type: ignore[call-overload]
    return play_game(game, players, **{"mode": FREE, "seed": 4, **options})


# -- whole games through pipes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["json", "xy", "gtp", "nboard", "uci"])
def test_a_program_plays_what_the_same_player_plays_in_process(protocol: str, engine: Callable[..., str]) -> None:
    program = make_player(f"{protocol}:{engine('othello', protocol)}?isolation=limits", OTHELLO)
    opening = [OTHELLO.parse_action(OTHELLO.start_state, "f5")]
    try:
        for seat, mode, start in [
            (0, "depth:2", ()),
            (1, "move:20s", ()),
            (0, "budget:60s+1s", opening),
            (1, "depth:3", opening),
        ]:
            options = {"mode": Mode.parse(mode), "opening": start}
            expected = moves(against_random(OTHELLO, FirstPlayer(), seat, **options))
            assert moves(against_random(OTHELLO, program, seat, **options)) == expected
    finally:
        program.close()


HIDDEN = '''
from typing import NamedTuple
from plywright import CHANCE, Game

class Hand(NamedTuple):
    first: int
    second: int
    turn: int

class Guess(Game):
    """Each sees its own card; both may say yes (1) or no (0)."""
    def initial(self): return Hand(0, 0, 0)
    def to_move(self, state): return CHANCE if state.turn < 2 else state.turn - 2
    def actions(self, state):  # of a state: from a view they cannot be told
        if state.first and state.second and 2 <= state.turn < 4:
            yield 0
            yield 1
    def chance(self, state):
        for card in range(1, 4):
            yield card, 1 / 3
    def result(self, state, action):
        if state.turn == 0: return Hand(action, 0, 1)
        if state.turn == 1: return Hand(state.first, action, 2)
        return Hand(state.first, state.second, state.turn + 1)
    def is_terminal(self, state): return state.turn >= 4
    def utility(self, state, player):
        sign = (state.first > state.second) - (state.first < state.second)
        return sign if player == 0 else -sign
    def observation(self, state, player):
        return state._replace(second=0) if player == 0 else state._replace(first=0)
'''


def test_json_carries_a_hidden_game_and_only_the_seat_s_view(tmp_path: Path, engine: Callable[..., str]) -> None:
    path = tmp_path / "guess.py"
    path.write_text(HIDDEN)
    game = load_game(str(path))
    program = make_player(f"pipe:{engine(str(path), 'json')}?isolation=limits", game)
    try:
        assert moves(against_random(game, program, 1)) == moves(against_random(game, FirstPlayer(), 1))
    finally:
        program.close()


def test_a_start_that_is_not_the_game_s_goes_with_the_request(engine: Callable[..., str]) -> None:
    start = TIC_TAC_TOE.play_moves(TIC_TAC_TOE.start_state, "b2 a1")
    for protocol in ("json", "uci"):
        program = make_player(f"{protocol}:{engine('tic-tac-toe', protocol)}?isolation=limits", TIC_TAC_TOE)
        expected = moves(against_random(TIC_TAC_TOE, FirstPlayer(), 0, start=start))
        assert moves(against_random(TIC_TAC_TOE, program, 0, start=start)) == expected
        program.close()


@pytest.mark.parametrize("protocol", ["uci", "gtp", "nboard"])
def test_a_protocol_that_a_program_does_not_speak_is_one_sentence(
    protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_player, "GREETING", 0.5)
    bot = tmp_path / "bot.py"
    assert main(["new", str(bot), "--protocol", "xy"]) == 0
    program = make_player(f"{protocol}:python {bot}?isolation=limits", OTHELLO)
    record = against_random(OTHELLO, program, 0)
    assert record.termination == NO_GREETING and f"does not speak {protocol}" in record.note
    assert "\n" not in record.note and record.payoffs is None


GRHINO = shutil.which("gtp-rhino") or shutil.which("gtp-rhino", path="/usr/games:/usr/local/games")


@pytest.mark.skipif(GRHINO is None, reason="gtp-rhino (Debian package grhino) is not installed")
@pytest.mark.parametrize("seat", [0, 1])
def test_gtp_rhino_plays_whole_games(seat: int) -> None:
    program = make_player("gtp:gtp-rhino", OTHELLO)
    try:
        for seed in range(2):
            record = against_random(OTHELLO, program, seat, seed=seed, mode=Mode.parse("move:10s"))
            assert record.payoffs is not None and record.payoffs[seat] > 0 and len(moves(record)) > 50
    finally:
        program.close()


# -- bots to begin from ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("protocol", "kind"), [("xy", "xy"), ("json", "pipe")])
def test_a_new_bot_plays_legally_at_once(
    protocol: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = tmp_path / "bot.py"
    assert main(["new", str(bot), "--protocol", protocol]) == 0
    assert f"{kind}:python {bot}" in capsys.readouterr().out
    assert "plywright" not in [line.split()[1] for line in bot.read_text().splitlines() if line.startswith("import ")]
    program = make_player(f"{kind}:python {bot}", OTHELLO)
    opening = [OTHELLO.parse_action(OTHELLO.start_state, "f5")]
    for seat in (0, 1):
        for seed, start in enumerate([(), opening, ()]):
            moves(against_random(OTHELLO, program, seat, seed=seed, opening=start, mode=Mode.parse("move:20s")))
    program.close()


def test_a_bot_is_one_of_the_protocols_offered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", str(tmp_path / "bot.py"), "--protocol", "smoke"]) == 2
    assert "unknown protocol for a bot 'smoke'; there are xy, json" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_bot_in_c_plays_legally(tmp_path: Path) -> None:
    subprocess.run(["cc", "-O1", "-o", tmp_path / "bot", ROOT / "examples" / "othello_bot.c"], check=True)
    program = make_player(f"xy:{tmp_path / 'bot'}", OTHELLO)
    opening = [OTHELLO.parse_action(OTHELLO.start_state, "f5")]
    for seat, start in [(0, ()), (1, ()), (0, opening), (1, opening)]:
        record = against_random(OTHELLO, program, seat, opening=start, mode=Mode.parse("budget:60s"))
        assert len(moves(record)) > 20
    program.close()


def test_xy_programs_may_take_their_colour_on_the_command_line(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    assert main(["new", str(bot), "--protocol", "xy"]) == 0
    text = bot.read_text().replace(
        'board, mine = new_board(), "black"\n', "board, mine = new_board(), sys.argv[1]\n", 1
    )
    bot.write_text(
        text.replace("for line in sys.stdin:", 'if mine == "black": answer(board, mine)\nfor line in sys.stdin:')
    )
    program = make_player(f"xy:python {bot} {{colour}} {{depth}}", OTHELLO)
    for seat in (0, 1):
        moves(against_random(OTHELLO, program, seat, mode=Mode.parse("depth:4")))
    with pytest.raises(BadInput, match="cannot be told an opening"):
        against_random(OTHELLO, program, 0, opening=[OTHELLO.parse_action(OTHELLO.start_state, "f5")])
    program.close()


def test_xy_programs_may_remark_on_their_moves(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    assert main(["new", str(bot), "--protocol", "xy"]) == 0
    text = "import builtins\n\ndef print(*words, **more):\n"
    text += "    builtins.print('# the next move', flush=True)\n"
    text += "    builtins.print(*words, '# a remark', **more)\n"
    head, future, rest = bot.read_text().partition("from __future__ import annotations\n")
    bot.write_text(head + future + text + rest if future else text + head)
    program = make_player(f"xy:python {bot}", OTHELLO)
    moves(against_random(OTHELLO, program, 0, mode=Mode.parse("depth:4")))
    program.close()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("4 3  # why not", r"wrote '4 3  # why not' (d6), which is not legal; legal: 4 6 (d3), 3 5 (c4), 6 4 (f5), "),
        ("pass", "wrote 'pass', which is not legal; legal: 4 6 (d3), "),
        ("d3", "wrote 'd3', which is no move: a move is two numbers from 1 to 8, or pass"),
    ],
)
def test_an_illegal_move_in_xy_is_told_in_numbers_as_it_was_written(tmp_path: Path, line: str, told: str) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(f"input()\nprint({line!r}, flush=True)\ninput()\n")
    program = make_player(f"xy:python {bot}", OTHELLO)
    record = play_game(OTHELLO, [program, FirstPlayer()], mode=Mode.parse("move:20s"))
    program.close()
    assert record.termination == ILLEGAL and told in record.note, record.note
    assert record.raw == line


def test_a_crash_says_in_which_line_and_a_late_answer_which_limit(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("input()\n1 / 0\n")
    record = play_game(OTHELLO, [make_player(f"xy:python {bot}", OTHELLO), FirstPlayer()], mode=Mode.parse("move:20s"))
    assert record.termination == CRASHED and "division by zero (File " in record.note, record.note
    assert 'bot.py", line 2)' in record.note, record.note
    bot.write_text("while True:\n    input()\n")
    player = make_player(f"xy:python {bot}?start=0", OTHELLO)
    for _ in range(20):  # a game is void where the machine itself stood still, and played again
        record = play_game(OTHELLO, [FirstPlayer(), player], mode=Mode.parse("budget:0.1s+0.1s"), margin=0.01)
        if record.termination != VOID:
            break
    told = "did not answer in time (move 2; it had 0.1 s for the game and 0.1 s a move, and 0.100 s of them left)"
    assert record.termination == LATE and told in record.note, record.note


def test_a_program_is_called_what_it_says_when_it_greets(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    assert main(["new", str(bot), "--protocol", "json"]) == 0
    assert "name=NAME" in bot.read_text()
    bot.write_text(bot.read_text().replace("name=NAME", r'name="Deep \x1b[31mRed"'))
    text = f"pipe:python {bot}"
    plan, _ = make_plan("match", [text, text], "tic-tac-toe", games=2, mode="depth:1")
    assert plan.names == (r"Deep \x1b[31mRed", r"Deep \x1b[31mRed (2)")
    plan, _ = make_plan("match", [f"{text}?name=mine", "random"], "tic-tac-toe", games=2, mode="depth:1")
    assert plan.names == ("mine", "random")
    with Records.begin(tmp_path / "run", plan) as records:
        run_plan(records)
        assert set(records.game(1)[1].players) == {"mine", "random"}  # greeted anew, it keeps its name in the run


# -- programs with something of their own ------------------------------------------------------------------------------

UCI_PROGRAM = """
import sys
for line in sys.stdin:
    words = line.split()
    print(line.strip(), file=sys.stderr, flush=True)
    if words[0] == "uci":
        print("id name fake")
        print("option name UCI_Elo type spin default 1320 min 1320 max 3190")
        print("option name UCI_LimitStrength type check default false")
        print("option name UCI_Variant type combo default chess var chess var mini shogi")
        for name in sys.argv[2:]:
            print("option name " + name + " type check default false")
        print("uciok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "go":
        print("info depth 3 score cp -25 nodes 99 pv a1")
        print("bestmove " + sys.argv[1])
    sys.stdout.flush()
"""


def fake_uci(tmp_path: Path, answer: str, options: str = "") -> Player:
    path = tmp_path / "fake.py"
    path.write_text(UCI_PROGRAM)
    return make_player(f"uci:python {path} {answer}?isolation=limits{options}", TIC_TAC_TOE)


def test_uci_options_are_sent_and_must_exist(tmp_path: Path) -> None:
    player = fake_uci(tmp_path, "a1", "&UCI_Elo=1800")
    record = play_game(TIC_TAC_TOE, [player, RandomPlayer()], mode=Mode.parse("move:5s"), seed=1)
    player.close()
    sent = player.log.splitlines()  # type: ignore[attr-defined]
    assert "setoption name UCI_Elo value 1800" in sent and "setoption name UCI_LimitStrength value true" in sent
    assert any(line.startswith("go movetime 5000") for line in sent)
    line, _ = TIC_TAC_TOE.evaluation_unit  # what a score counts in, as our own engine tells it
    assert record.plies[0].info == {"depth": 3, "nodes": 99, "value": -0.25 * line}
    assert [player.utility_of(*told) for told in ((-3, True), (99_999, False))] == [-1, 1]  # type: ignore[attr-defined]
    assert record.termination == ILLEGAL and "bestmove a1" in record.raw  # a1 again, and it is taken
    for option, message in [
        ("Elo=9", "has no option 'Elo'; it has: UCI_Elo, UCI_LimitStrength"),
        ("UCI_Variant=go", "UCI_Variant is one of chess, mini shogi, not 'go'"),
    ]:
        mistaken = fake_uci(tmp_path, "a1", f"&{option}")
        mistaken.prepare(TIC_TAC_TOE)
        assert message in str(mistaken.mistake)


@pytest.mark.parametrize(("answer", "cause"), [("(none)", ILLEGAL), ("resign", RESIGNED)])
def test_uci_answers_without_a_move(answer: str, cause: str, tmp_path: Path) -> None:
    player = fake_uci(tmp_path, f"'{answer}'")
    record = play_game(TIC_TAC_TOE, [player, RandomPlayer()], mode=FREE)
    player.close()
    assert (record.termination, record.payoffs) == (cause, (-1.0, 1.0))


def test_uci_tells_a_start_that_is_not_the_usual_one(tmp_path: Path) -> None:
    """To a foreign program `startpos` is the classical array, and without UCI_Chess960 it castles as there."""
    game = load_game("chess:start=0")
    path = tmp_path / "fake.py"
    path.write_text(UCI_PROGRAM)
    player = make_player(f"uci:python {path} a2a3 UCI_Chess960?isolation=limits", game)
    against_random(game, player, 0)
    player.close()
    sent = player.log.splitlines()  # type: ignore[attr-defined]
    assert "setoption name UCI_Chess960 value true" in sent
    assert "position fen bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1" in sent
    without = make_player(f"uci:python {path} a2a3?isolation=limits", game)
    with pytest.raises(BadInput, match="cannot play chess:start=0: that takes the option UCI_Chess960, and it has:"):
        make_plan("match", [without.name, "first"], "chess:start=0", games=2, mode="depth:1")


@pytest.mark.skipif(shutil.which("stockfish") is None, reason="Stockfish is not installed")
def test_stockfish_plays_chess960() -> None:
    game = load_game("chess:start=0")
    player = make_player("uci:stockfish?isolation=limits", game)
    assert against_random(game, player, 1).termination == NORMAL
    player.close()


def test_gtp_refuses_a_program_for_another_game(engine: Callable[..., str]) -> None:
    program = make_player(f"gtp:{engine('tic-tac-toe', 'gtp')}?isolation=limits", OTHELLO)
    with pytest.raises(BadInput, match="cannot play othello: it plays Tic-Tac-Toe"):
        make_plan("match", [program.name, "first"], "othello", games=2, mode="depth:1")
    record = against_random(OTHELLO, program, 0)  # once a run has begun nothing that a program says stops it
    assert record.termination == NO_GREETING and "it plays Tic-Tac-Toe" in record.note
    program.close()


STRANGE_GTP = """
import sys, time
kind = sys.argv[1]
for line in sys.stdin:
    number, word, *rest = line.split()
    if kind == "number":
        print("=" + "9" * 6000 + " 2\\n", flush=True)
        continue
    if word == "play" and kind == "thinker":
        time.sleep(0.7)
    reply = {"list_commands": "play", "genmove": "resign \\x1b[31m"}.get(word, "")
    print(f"={number} {reply}\\n", flush=True)
"""


@pytest.mark.parametrize(("kind", "cause"), [("number", NO_GREETING), ("thinker", LATE), ("painter", ILLEGAL)])
def test_gtp_programs_with_strange_ideas(
    kind: str, cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_player, "GREETING", 2.0)
    script = tmp_path / "strange.py"
    script.write_text(STRANGE_GTP)
    program = make_player(f"gtp:python {script} {kind}?isolation=limits", OTHELLO)
    record = against_random(OTHELLO, program, 1, mode=Mode.parse("move:0.2s"))
    program.close()
    assert record.termination == cause, record.note  # `play` is on the clock, or it would be time for nothing
    assert record.note.isprintable()


def test_json_refuses_a_program_for_another_game(engine: Callable[..., str]) -> None:
    program = make_player(f"pipe:{engine('tic-tac-toe', 'json')}?isolation=limits", OTHELLO)
    record = against_random(OTHELLO, program, 0)
    program.close()
    assert record.termination == NO_GREETING and "this program plays tic-tac-toe, not othello" in record.note


def test_the_engine_command_says_what_it_cannot_do(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in [
        (["othello", "--protocol", "morse"], "unknown protocol 'morse'; there are json, xy, uci, gtp, nboard"),
        (["tic-tac-toe", "--protocol", "xy"], "the protocol xy is Othello's"),
        (["othello", "--player", "human"], "a person cannot be the engine"),
        (["othello", "--player", "nobody"], "there is no player 'nobody'"),
    ]:
        assert main(["engine", *arguments]) == 2
        assert message in capsys.readouterr().err


def test_fingerprints_follow_the_program_s_files(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("1")
    first = make_player(f"pipe:{sys.executable} {bot}", TIC_TAC_TOE).describe()
    bot.write_text("2")
    second = make_player(f"pipe:{sys.executable} {bot}", TIC_TAC_TOE).describe()
    assert first["fingerprint"] != second["fingerprint"] and first["name"] == second["name"]
    assert "limits" in first["isolation"]


@pytest.mark.parametrize(("name", "words"), [("kuhn", ["check", "bet"]), ("leduc", ["check", "raise"])])
def test_json_calls_actions_by_their_names_from_every_seat(name: str, words: list[str], tmp_path: Path) -> None:
    """The view of the first seat looks like a state in which the second card is still to be dealt."""
    game = load_game(name)
    asked: list[str] = []

    class Listening(json_lines.JsonPlayer):
        def exchange(self, request: str, *rest: Any) -> Any:
            asked.append(request)
            return super().exchange(request, *rest)

    bot = tmp_path / "bot.py"
    bot.write_text(template(BOTS["json"]))
    player = Listening(f"python {bot}", game, "bot", {"isolation": "limits"})
    record = play_game(game, [player, FirstPlayer()], mode=Mode.parse("move:5s"), seed=3)
    player.close()
    assert record.termination == NORMAL and json.loads(asked[0])["legal"] == words
    assert all(text in ("check", "bet", "fold", "call", "raise") for _, text in player.moves)


def test_json_carries_a_seat_s_past(tmp_path: Path) -> None:
    """What the program is told of its past is what a player in process is given."""
    game, told = load_game("leduc"), tmp_path / "told"
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['type'] == 'hello': print(json.dumps({'type': 'hello', 'name': 'b'}), flush=True)\n"
        "    if m['type'] == 'ping': print(json.dumps({'type': 'pong', 'id': m['id']}), flush=True)\n"
        "    if m['type'] == 'go':\n"
        f"        open({str(told)!r}, 'a').write(json.dumps(m) + '\\n')\n"
        "        print(json.dumps({'type': 'move', 'id': m['id'], 'move': m['legal'][0]}), flush=True)\n"
    )

    pasts: list[Any] = []

    class Noting(FirstPlayer):
        def choose(self, game: Any, turn: Any) -> int:
            pasts.append(turn.past)
            return super().choose(game, turn)

    program = make_player(f"pipe:{sys.executable} {bot}?isolation=limits", game)
    try:
        against_random(game, program, 1)
    finally:
        program.close()
    against_random(game, Noting(), 1)
    requests = [json.loads(line) for line in told.read_text().splitlines()]
    read = [json_lines.read_past(game, request, 1) for request in requests]
    assert read == pasts and any(read)
    wrong = {"past": [{"view": requests[0]["view"], "action": "x"}]}
    with pytest.raises(BadInput, match="moment 1 of the past"):
        json_lines.read_past(game, wrong, 1)
