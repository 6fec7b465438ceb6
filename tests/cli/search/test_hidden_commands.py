"""Commands for hidden information: answers by what a seat sees, equilibria, and one clear line for every mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plywright import load_game
from plywright.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_best_by_what_a_seat_sees(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(
        capsys, "best", "kuhn", "--seat", "2", "--observation", "2 b", "--algorithm", "weighted", "--json"
    )
    data = json.loads(out)
    assert status == 0
    assert (data["action"], data["actions"], data["seat"]) == ("call", {"fold": -1.0, "call": 0.0}, 2)
    status, out, _ = run(capsys, "best", "kuhn", "--seat", "1", "--observation", "3 -", "--nodes", "100")
    assert status == 0 and "##" in out and "ismcts" in out


def test_solve_prints_what_is_promised_and_saves(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "kuhn.json"
    arguments = ["solve", "kuhn", "--equilibrium", "--algorithm", "cfr+", "--iterations", "2000", "--save", str(path)]
    status, out, _ = run(capsys, *arguments, "--json", "--show")
    data = json.loads(out)
    assert status == 0
    assert data["value"] == pytest.approx(-1 / 18, abs=1e-4)
    assert 0 <= data["exploitability"] < 1e-3
    assert data["iterations"] == 2000
    assert data["seconds"] > 0 and data["iterations_per_second"] > 0
    assert len(data["strategy"]) == 12
    assert json.loads(path.read_text())["game"] == "kuhn"
    status, out, _ = run(capsys, *arguments[:3], "--iterations", "100", "--show")
    assert status == 0 and "exploitability" in out and "3 pb" in out


def test_frequencies_of_hands(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "poker", "frequencies", "--json")
    data = json.loads(out)
    rows = {row["hand"]: row for row in data["hands"]}
    assert status == 0 and data["total"] == 2_598_960
    assert rows["royal flush"]["odds_against"] == 649_739
    assert rows["one pair"]["probability"] == pytest.approx(0.423, abs=5e-4)
    assert rows["high card"]["odds_against"] == pytest.approx(0.995, abs=5e-4)
    assert rows["high card"]["cumulative"] == 1
    status, out, _ = run(capsys, "poker", "frequencies")
    assert "649,739 : 1" in out and "0.000154 %" in out and "1.366 : 1" in out


def test_play_shows_no_card_of_the_others(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["moves", "check", "check", "fold", "call", "check", "fold"])

    def answer(prompt: str = "") -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)
    status, out, _ = run(capsys, "play", "kuhn", "--seed", "3", "--nodes", "50")
    assert status == 0
    assert "game over" in out and "player 2 has moved" in out and "check bet" in out
    play, _, hidden = out.partition("what was hidden:")
    seconds = [line for line in play.splitlines() if line.startswith("player 2:")]
    assert seconds and all("##" in line for line in seconds)
    assert "##" not in hidden and "player 2:" in hidden
    assert "chance:" not in out


def test_play_does_not_tell_how_many_tries_a_hidden_turn_took(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second player's search is made to try the centre, which is taken, before another cell."""
    from dataclasses import replace

    from plywright.cli.search import play

    tries = iter([4, 0, 1, 2])
    honest = play.search

    def stubborn(game: Any, view: Any, **options: Any) -> Any:
        found = honest(game, view, **options)
        return replace(found, action=next(tries)) if options.get("limit") is not None else found

    lines = iter(["b2", "quit"])
    monkeypatch.setattr(play, "search", stubborn)
    monkeypatch.setattr("builtins.input", lambda prompt="": next(lines))
    status, out, _ = run(capsys, "play", "phantom-tic-tac-toe", "--nodes", "20")
    assert status == 0 and next(tries) == 1  # two tries were made
    assert out.count("O has moved") == 1 and "O to move" not in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["best", "kuhn"], "hides something from each player: give --seat and --observation"),
        (["best", "kuhn", "--seat", "1"], "give --observation"),
        (["best", "kuhn", "--observation", "2 -"], "--seat is the player who looks, 1 to 2"),
        (["best", "kuhn", "--seat", "1", "--observation", "9 -"], "is not what a player of kuhn sees"),
        (["best", "kuhn", "--seat", "2", "--observation", "2 -"], "player 2 of kuhn is not to move"),
        (["best", "tic-tac-toe", "--seat", "1", "--observation", "x"], "everybody sees everything in tic-tac-toe"),
        (
            ["best", "kuhn", "--seat", "1", "--observation", "2 -", "--algorithm", "pvs"],
            "needs ismcts, deals or weighted",
        ),
        (["solve", "kuhn", "--equilibrium", "--algorithm", "nash"], "no algorithm 'nash' for equilibria"),
        (["solve", "kuhn", "--equilibrium", "--iterations", "0"], "--iterations must be at least 1"),
        (
            ["solve", "kuhn", "--equilibrium", "--iterations", "999999999", "--save", "none/x.json"],
            "there is no folder",
        ),
        (["best", "kuhn", "--seat", "1", "--observation", "2", "--trace", "x.svg"], "--trace does not go with"),
        (["best", "pig", "--trace", "x.svg"], "`plywright tree pig --depth 2 --html FILE`"),
        (["solve", "kuhn"], "`plywright solve kuhn --equilibrium` finds mixed strategies"),
        (["solve", "tic-tac-toe", "--agents"], "--agents is about mixed strategies: give --equilibrium too"),
        (["poker", "frequencies", "--cards", "9"], "hands have five, six or seven cards"),
        (["match", "policy:no.json", "random", "--game", "kuhn"], "the strategy no.json cannot be read"),
    ],
)
def test_mistakes_are_one_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, *arguments)
    assert status == 2 and not out
    assert err.count("\n") == 1 and err.startswith("plywright: ") and sentence in err


def test_best_computes_what_the_seat_to_move_sees(capsys: pytest.CaptureFixture[str]) -> None:
    from plywright import load_game

    game = load_game("kuhn")
    state = game.start_state
    while game.at_chance(state):
        state = game.result(state, next(iter(game.chance(state)))[0])
    text, options = game.format_state(state), ["--algorithm", "weighted", "--json"]
    status, out, _ = run(capsys, "best", "kuhn", "--seat", "1", "--state", text, *options)
    seen = game.format_observation(game.observation(state, 0), 0)
    assert status == 0 and json.loads(out)["observation"] == seen and json.loads(out)["seat"] == 1
    status, _, err = run(capsys, "best", "kuhn", "--seat", "2", "--state", text)
    assert status == 2 and "seat 2 is not to move" in err and "seat 1 is" in err
    status, _, err = run(capsys, "best", "kuhn", "--seat", "0", "--state", text)
    assert status == 2 and "1 to 2" in err


def test_truth_values_in_observations_and_states() -> None:
    from plywright.game import Game

    class Switch(Game):
        def initial(self) -> tuple[bool, int]:
            return False, 3

        def to_move(self, state: tuple[bool, int]) -> int:
            return 0

        def actions(self, state: tuple[bool, int]) -> list[int]:  # type: ignore[override]
            return []

        def result(self, state: tuple[bool, int], action: int) -> tuple[bool, int]:
            return state

        def utility(self, state: tuple[bool, int], player: int) -> float:
            return 0

        def observation(self, state: tuple[bool, int], player: int) -> tuple[bool, int]:
            return state

    assert Switch().parse_observation("True, 3", 0) == (True, 3)
    assert Switch().parse_state("false 3") == (False, 3)


def test_how_many_deals_fit_is_counted_and_said(capsys: pytest.CaptureFixture[str]) -> None:
    view = ("--seat", "1", "--observation", "JsQsAs")
    status, out, err = run(capsys, "best", "tricks", *view, "--algorithm", "weighted", "--depth", "2")
    assert status == 0 and "fit what is seen; all of them were searched" in out, err
    status, out, err = run(capsys, "best", "tricks", *view, "--algorithm", "deals", "--depth", "2", "--json")
    game = load_game("tricks")
    seen = game.parse_observation("JsQsAs", 0)
    fit = len(list(game.deals(seen, 0)))
    assert status == 0 and json.loads(out)["deals_that_fit"] == fit == game.count_deals(seen, 0), err


def test_deals_too_many_to_list_are_counted() -> None:
    game = load_game("tricks:suits=3,ranks=13,players=3")
    hand = (1 << 13) - 1
    view = game.observation(game.initial()._replace(hands=(hand, 0, 0), dealt=39), 0)
    assert game.count_deals(view, 0) == 10_400_600  # 26 cards, thirteen to each of the others
