"""Pac-Man's agents and ghosts: legal, repeatable, and each with the one thing it is for."""

from __future__ import annotations

import io
import os
import threading
from typing import Any

import pytest

from plywright.errors import BadInput
from plywright.games.pacman.maze import STOP, read_maze
from plywright.games.pacman.rules import CELL, Pacman
from plywright.pacman import make_agent, make_ghost, play_episode, watch
from plywright.pacman.agents import MYSTERIES, KeyboardAgent, MysteryAgent, pressed_key
from plywright.pacman.episode import FREE
from plywright.players import Playing
from plywright.rng import seeded

AGENTS = ["reflex", "minimax:depth=2", "alphabeta:depth=2", "expectimax:depth=2", "maxn:depth=1", "mcts:simulations=60"]
GHOSTS = ["random", "directional:chase=0.5", "searching:depth=1", "coordinated:depth=1"]


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_play_the_same_game_twice(agent: str) -> None:
    game = Pacman("loop", rounds=25)
    games = [play_episode(game, [make_agent(agent), make_ghost("random")], 3, record=True) for _ in range(2)]
    first, second = ([moment.action for moment in episode.moments] for episode in games)
    assert first == second and games[0].score == games[1].score
    for moment in games[0].moments[:-1]:
        assert moment.action in list(game.actions(moment.state))
    assert games[0].moments[0].info["nodes"] > 0 or agent == "random"


@pytest.mark.parametrize("ghost", GHOSTS)
def test_ghosts_play_the_same_game_twice_and_another_seed_is_another_game(ghost: str) -> None:
    game = Pacman("loop", rounds=25)

    def moves(seed: int) -> list[int]:
        shuffled = game.shuffled(seed)
        start = shuffled.scattered(seed)
        episode = play_episode(shuffled, [make_agent("random"), make_ghost(ghost)], seed, start=start, record=True)
        return [moment.action for moment in episode.moments]

    assert moves(1) == moves(1)
    assert len({tuple(moves(seed)) for seed in range(4)}) > 1


def test_minimax_and_alphabeta_agree_on_the_value() -> None:
    game = Pacman("loop")
    for seed in range(5):
        state = game.scattered(seed)
        plain = make_agent("minimax:depth=2").search(game, state, 0)  # type: ignore[attr-defined]
        pruned = make_agent("alphabeta:depth=2").search(game, state, 0)  # type: ignore[attr-defined]
        assert pruned.value == pytest.approx(plain.value, abs=0.6)


def test_a_chasing_ghost_comes_nearer_and_a_scared_one_flees() -> None:
    game = Pacman(read_maze("%%%%%%%%\n%.   G %\n% %%%% %\n%o    P%\n%%%%%%%%", "square"))
    state = game.coerce_state(game.result(game.start_state, STOP))
    cells = len(game.pellet_at)

    def far(state: Any) -> int:
        return int(game.apart[int(state.pacman) * cells + (int(state.ghosts[0]) & CELL)])

    ghost = make_ghost("directional:chase=1")
    action = ghost.choose(game, Playing(game, state).turn(FREE, seeded(1)))
    assert far(game.result(state, action)) < far(state)
    scared = game.coerce_state(state._replace(ghosts=(int(state.ghosts[0]) | 40 << 20,)))
    action = ghost.choose(game, Playing(game, scared).turn(FREE, seeded(1)))
    assert far(game.result(scared, action)) > far(scared)


def test_a_searching_ghost_catches_whom_it_can_reach() -> None:
    game = Pacman(read_maze("%%%%%%%\n%.P G.%\n%%%%%%%", "short"))
    state = game.coerce_state(game.result(game.start_state, 1))
    action = make_ghost("searching:depth=1").choose(game, Playing(game, state).turn(FREE, seeded(1)))
    assert game.result(state, action).caught


def test_the_mystery_agent_is_one_of_three_and_says_which_at_the_end() -> None:
    game = Pacman("loop", rounds=3)
    secrets = set()
    for seed in range(12):
        agent = MysteryAgent()
        episode = play_episode(game, [agent, make_ghost("random")], seed, record=True)
        assert episode.moments[0].info == {}
        secrets.add(agent.secret)
    assert len(secrets) == len(MYSTERIES) == 3


def test_the_keyboard_reads_lines_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Pacman("corridor")
    monkeypatch.setattr("sys.stdin", io.StringIO("north\nq\n"))
    with pytest.raises(KeyboardInterrupt):
        KeyboardAgent().choose(game, Playing(game, game.start_state).turn(FREE, seeded(1)))
    monkeypatch.setattr("sys.stdin", io.StringIO("north\na\n"))  # a wall in the north, then west
    assert KeyboardAgent().choose(game, Playing(game, game.start_state).turn(FREE, seeded(1))) == 3
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert pressed_key() == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nobody", "there is no agent"),
        ("minimax:depth=0", "from 1 to 20"),
        ("minimax:depth=two", "depth=two"),
        ("minimax:evaluation=none", "no evaluation 'none'"),
        ("minimax:simulations=5", "there is no agent"),
        ("reflex:depth=2", "there is no agent"),
    ],
)
def test_agents_that_do_not_exist(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make_agent(text)


@pytest.mark.parametrize("text", ["nobody", "random:depth=2", "directional:chase=2", "searching:chase=0.5"])
def test_ghosts_that_do_not_exist(text: str) -> None:
    with pytest.raises(BadInput):
        make_ghost(text)


def test_own_weights_are_checked() -> None:
    assert Pacman("loop", {"score": 1, "danger": -3}).weights[4] == -3
    with pytest.raises(BadInput, match="no feature 'fear'"):
        Pacman("loop", {"fear": 1})
    with pytest.raises(BadInput, match="is a number"):
        Pacman("loop", {"score": "much"})  # type: ignore[dict-item]


def test_scattered_within_reach_keeps_everybody_near_home() -> None:
    game = Pacman("den")
    cells = len(game.pellet_at)
    places = set()
    for seed in range(40):
        state = game.scattered(seed, 2)
        assert game.apart[game.maze.pacman * cells + int(state.pacman)] <= 2
        assert game.apart[game.maze.ghosts[0] * cells + (int(state.ghosts[0]) & CELL)] <= 2
        places.add((int(state.pacman), int(state.ghosts[0])))
    assert len(places) > 15


@pytest.mark.parametrize("agent", ["minimax:depth=2", "expectimax:depth=2", "reflex"])
def test_a_game_of_texts_can_be_watched_a_move_at_a_time(agent: str) -> None:
    """Each of Pac-Man's moments has the value of every move, and he plays the first of the best."""
    game, seen = watch("loop", agent, "random", 3, scatter=True, rounds=6, values=True)
    first = next(seen)
    assert first.mover == 0 and set(first.info["actions"]) == set(game.actions(first.state))
    assert max(first.info["actions"].values()) == pytest.approx(first.info["value"])
    assert first.info["line"][0] == first.action
    rest = list(seen)
    assert rest[-1].mover == -1 and game.is_terminal(rest[-1].state)
    again = list(watch("loop", make_agent(agent), ["random"], 3, scatter=True, rounds=6)[1])
    assert [moment.action for moment in again] == [first.action, *(moment.action for moment in rest)]
    assert again[0].info == {key: said for key, said in first.info.items() if key not in ("actions", "expected")}, (
        "watching costs nothing"
    )
    with pytest.raises(BadInput, match="has 1 ghosts, and 2 are given"):
        watch("loop", agent, ["random", "random"])


def test_keys_come_one_by_one_from_a_terminal() -> None:
    """Arrows in both spellings, the escape key alone, letters; afterwards the terminal is as it was."""
    termios = pytest.importorskip("termios")
    master, slave = os.openpty()
    before = termios.tcgetattr(slave)
    with os.fdopen(slave, encoding="utf-8") as keyboard, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", keyboard)
        seen = []
        for pressed in (b"\x1b[D", b"\x1bOA", b"\x1b", b"q"):
            os.write(master, pressed)
            seen.append(pressed_key())
        assert seen == ["\x1b[D", "\x1bOA", "\x1b", "q"]
        os.write(master, b"\x1b")
        timer = threading.Timer(0.3, os.write, (master, b"\x1b[Da"))
        timer.start()
        game = Pacman("corridor")
        assert KeyboardAgent().choose(game, Playing(game, game.start_state).turn(FREE, seeded(1))) == 3
        timer.join()
        assert termios.tcgetattr(keyboard.fileno()) == before
    os.close(master)
