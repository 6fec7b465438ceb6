"""The Pac-Man room: the address is the game, frames come when they are asked for, experiments fill their table."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plywright.errors import BadInput
from plywright.games.pacman.maze import DIRECTIONS
from plywright.games.pacman.rules import Pacman
from plywright.pacman import make_agent, make_ghost, moments, watch
from plywright.pacman.agents import MYSTERIES
from plywright.pacman.assumptions import assumptions
from plywright.pacman.demonstrations import DEEP, GHOSTS_DEPTH, SHALLOW
from plywright.web.fields import Fields
from plywright.web.pacman import routes as room
from plywright.web.pacman.choice import Choice, read_moves
from plywright.web.pacman.experiments import SCENES, Experiment, play_games, remember
from plywright.web.pacman.watched import WatchedGame, WatchedGames, play_until
from plywright.web.task_channel import TaskChannel

TINY = Choice("tiny", "minimax", 2, "full", "random")
TIMID = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def all_frames(choice: Choice, moves: str = "", most: int = 400) -> tuple[WatchedGame, list[dict[str, Any]]]:
    game, heard = WatchedGame(choice, moves), []
    play_until(game, most, heard.append, lambda: False)
    return game, heard


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, pages wait for their game."""
    monkeypatch.setattr(room, "PATIENCE", 60.0)


def events(answer: Any) -> list[tuple[str, str]]:
    return [found for found in re.findall(r"event: (\w+)\ndata: (.*)\n", answer.text) if found[0] != "end"]


# -- games as frames ---------------------------------------------------------------------------------------------


def test_frames_are_the_game_of_the_command_line() -> None:
    game = Pacman("tiny")
    played = list(moments(game, [make_agent(TINY.agent_text), make_ghost("random")], 1))
    watched, frames = all_frames(TINY)
    assert len(frames) == len(played) and watched.over
    for frame, moment in zip(frames, played, strict=True):
        assert frame["score"] == int(moment.state.score) and frame["p"][0] == int(moment.state.pacman)
        assert frame["mover"] == moment.mover
    assert frames[-1]["over"] == "won"


@pytest.mark.parametrize("choice", [TINY, TINY.but(agent="reflex")])
def test_values_of_all_directions_stand_beside_the_choice(choice: Choice) -> None:
    """As `watch` tells them: the page works out nothing of its own."""
    _, frames = all_frames(choice)
    _, played = watch("tiny", choice.agent_text, "random", 1, values=True)
    told = [moment.info for moment in played if moment.mover == 0]
    assert [frame["values"] for frame in frames if frame["mover"] == 0] == [
        {str(action): round(value, 2) for action, value in info["actions"].items()} for info in told
    ]
    thought = [frame for frame in frames if frame["mover"] == 0]
    for frame in thought:
        values = {int(key): value for key, value in frame["values"].items()}
        assert max(values.values()) == values[frame["action"]] == frame["value"]
        assert len(frame["paths"][0]) >= 1 and frame["nodes"] > 0
    assert frames[-1]["all"] == sum(frame["nodes"] for frame in frames)


def test_dots_that_are_eaten_are_hidden_and_can_come_back() -> None:
    game, frames = all_frames(TINY)
    assert game.picture(frames[0]).svg.count("display:none") == 0
    assert game.picture(frames[-1]).svg.count("display:none") == game.game.maze.pellets
    assert game.picture(frames[-1]).svg.count("data-cell") == game.game.maze.pellets


def test_nothing_is_played_that_nobody_asks_for() -> None:
    game = WatchedGame(TINY)
    heard: list[Any] = []
    play_until(game, 3, heard.append, lambda: False)
    assert len(game.frames) == 4 and [frame["at"] for frame in heard] == [0, 1, 2, 3]
    play_until(game, 6, heard.append, lambda: True)
    assert len(game.frames) == 4
    again: list[Any] = []
    play_until(game, 5, again.append, lambda: False, first=2)
    assert [frame["at"] for frame in again] == [2, 3, 4, 5]


def test_a_person_is_waited_for_and_wrong_moves_are_named() -> None:
    mine = Choice("tiny", "keyboard", ghosts="random")
    game, heard = all_frames(mine)
    assert game.frames == [] and heard[-1]["yours"] and heard[-1]["words"] == "your move"
    kept = WatchedGames()
    letter = "NESWX"[heard[-1]["yours"][0]]
    one = kept[mine, letter]
    play_until(one, 400, lambda frame: None, lambda: False)
    assert one.awaits_person and one.person.made == 1
    assert kept[mine, letter + letter] is one
    assert kept[mine, ""] is not one  # a step back begins anew
    wall = next("NESWX"[number] for number in range(5) if number not in heard[-1]["yours"])
    with pytest.raises(BadInput, match="cannot go"):
        all_frames(mine, wall)


def test_a_person_can_be_the_ghost() -> None:
    game, heard = all_frames(TINY.but(mine=True))
    assert len(game.frames) == 1 and heard[-1]["mover"] == 1 and heard[-1]["yours"]


def test_mystery_says_nothing_until_it_is_guessed() -> None:
    secrets = set()
    for seed in range(6):
        game = WatchedGame(Choice("tiny", "mystery", ghosts="random", seed=seed))
        secrets.add(game.secret)
    assert secrets <= set(MYSTERIES) and len(secrets) > 1


def test_addresses_say_the_whole_choice() -> None:
    for choice in (
        TINY,
        Choice(),
        TINY.but(scatter=True, mine=True, seed=7),
        *(c for s in SCENES.values() for _, c in s),
    ):
        given = dict(re.findall(r"([a-z_]+)=([^&]*)", choice.query()))
        assert Choice.read(Fields(given)) == choice


def test_choices_that_cannot_be_played_are_sentences() -> None:
    for wrong, words in (
        ({"layout": "large", "agent": "minimax", "depth": "7"}, "too many for"),
        ({"agent": "keyboard", "mine": "yes"}, "not both"),
        ({"layout": "corridor", "mine": "yes"}, "no ghost"),
        ({"layout": "../../etc/passwd"}, "layout cannot be"),
        ({"depth": "0"}, "depth must be"),
    ):
        with pytest.raises(BadInput, match=words):
            Choice.read(Fields(wrong))
    with pytest.raises(BadInput, match="letters"):
        read_moves(Fields({"moves": "NQ"}))


# -- the table of assumptions --------------------------------------------------------------------------------------


def test_table_is_that_of_the_command_line_however_often_it_is_stopped() -> None:
    experiment = Experiment("den", 4, 3)

    def heard(kind: str, item: Any, spent: bool) -> None:
        remember(*item)
        if len(experiment.left()) == 10:
            channel.stop.set()

    channel = TaskChannel(heard)
    play_games(channel, experiment.left())
    assert len(experiment.left()) == 10
    channel = TaskChannel(heard)
    play_games(channel, experiment.left())
    if experiment.left():
        play_games(TaskChannel(lambda kind, item, spent: remember(*item)), experiment.left())
    expected = [row.tally.mean_score for row in assumptions("den", 4, 3)]
    assert [sum(e.score for e in games) / 4 for games in experiment.played()] == expected


# -- over HTTP -----------------------------------------------------------------------------------------------------


def test_every_address_is_a_whole_page(client: Any) -> None:
    query = TINY.query()
    for address in (
        "/pacman",
        f"/pacman?{query}&at=5",
        f"/pacman?{query}&at=5000",
        "/pacman?layout=tiny&agent=keyboard&ghosts=random",
        "/pacman?layout=tiny&agent=mystery&ghosts=random&guess=alphabeta:depth%3D2",
        "/pacman/assumptions",
        "/pacman/demonstrations",
    ):
        answer = client.get(address)
        assert answer.status_code == 200 and "</html>" in answer.text, address
    assert "won" in client.get(f"/pacman?{query}&at=5000").text
    assert ".pw-afraid{" in client.get("/pacman").text  # ghosts become afraid after the picture was drawn
    picture = client.get("/pacman/layouts/tiny.svg")
    assert picture.headers["content-type"].startswith("image/svg") and picture.text.startswith("<svg")
    assert client.get("/pacman/layouts/..%2fx.svg").status_code == 404


def test_a_person_plays_without_scripts(client: Any) -> None:
    page = client.get("/pacman?layout=tiny&agent=keyboard&ghosts=random&move=E").text
    assert 'data-moves="E"' in page and "round 1" in page


def test_a_game_that_takes_its_time_is_announced_and_follows(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PATIENCE", 0.0)
    page = client.get("/pacman?layout=tiny&at=2")
    assert page.status_code == 200 and "on its way" in page.text
    stream = re.search(r'data-stream="(/pacman/wait[^"]*)"', page.text)
    assert stream is not None
    answer = client.get(stream[1].replace("&amp;", "&") + f"&token={client.app.state.token}")
    assert events(answer) == [("visit", "/pacman?layout=tiny&at=2")]


def test_frames_are_streamed_from_where_they_are_wanted(client: Any) -> None:
    token = client.app.state.token
    found = events(client.get(f"/pacman/frames?{TINY.query()}&from=2&count=3&token={token}"))
    assert [json.loads(data)["at"] for name, data in found if name == "frame"] == [2, 3, 4]
    assert client.get(f"/pacman/frames?{TINY.query()}&token=wrong").status_code == 403
    wrong = events(client.get(f"/pacman/frames?layout=tiny&agent=keyboard&moves=NNNN&token={token}"))
    assert wrong[-1][0] == "problem" and "cannot go" in wrong[-1][1]


def test_table_and_demonstration_are_streamed(client: Any) -> None:
    token = client.app.state.token
    found = events(client.get(f"/pacman/assumptions/stream?layout=den&games=4&seed=3&token={token}"))
    assert found[-1] == ("visit", "/pacman/assumptions?layout=den&games=4&seed=3")
    assert "16 of 16" in client.get("/pacman/assumptions?layout=den&games=4&seed=3").text
    found = events(client.get(f"/pacman/demonstrations/stream?name=corridor&token={token}"))
    assert found[-1][0] == "visit"
    assert "which makes 8" in client.get("/pacman/demonstrations?name=corridor").text


odd = st.sampled_from(["", "0", "-1", "1e99", "nan", "<odd>", "x" * 3000, "tiny", "minimax", "yes", "\u0000é", "../x"])
names = ["layout", "agent", "depth", "evaluation", "ghosts", "ghost_depth", "chase", "seed", "scatter", "mine"]
names += ["at", "moves", "move", "guess", "from", "count", "games", "name", "go", "token"]


@TIMID
@given(
    place=st.sampled_from(["", "/frames", "/assumptions", "/assumptions/stream", "/demonstrations"]),
    fields=st.dictionaries(st.sampled_from(names), odd, max_size=4),
)
def test_strange_fields_are_never_a_fault(client: Any, place: str, fields: dict[str, str]) -> None:
    answer = client.get(f"/pacman{place}", params={"layout": "tiny", "agent": "minimax", "depth": "1", **fields})
    assert answer.status_code in (200, 400, 403)
    assert "<odd>" not in answer.text


# -- in the browser ------------------------------------------------------------------------------------------------


def test_watch_a_game_to_its_end_and_step_through_it(browse: Any) -> None:
    page = browse(f"/pacman?{TINY.query()}")
    page.locator("#viewer[data-shown='0']").wait_for()
    page.locator("#speed").fill("6")
    page.locator("#play").click()
    page.get_by_text("won", exact=True).wait_for()
    last = int(page.locator("#viewer").get_attribute("data-shown"))
    assert int(page.locator("#score").inner_text()) > 500 and f"at={last}" in page.url
    assert page.locator("#play").inner_text() == "Play"
    page.locator("#back").click()
    page.locator(f"#viewer[data-shown='{last - 1}']").wait_for()
    page.keyboard.press("Home")
    page.locator("#viewer[data-shown='0']").wait_for()
    assert page.locator("#thoughts text").count() >= 2
    assert page.locator("#thoughts text").first.evaluate("e => e.namespaceURI") == "http://www.w3.org/2000/svg"
    page.keyboard.press("ArrowRight")
    page.locator("#viewer[data-shown='1']").wait_for()
    page.reload()
    page.locator("#viewer[data-shown='1']").wait_for()


def test_pause_stops_the_search_and_other_games_begin_anew(browse: Any) -> None:
    page = browse("/pacman?layout=small&agent=minimax&depth=1&ghosts=random")
    page.locator("#viewer[data-shown='0']").wait_for()
    page.locator("#play").click()
    page.locator("#viewer:not([data-shown='0'])").wait_for()
    page.locator("#play").click()
    there = page.locator("#step").inner_text()
    page.wait_for_timeout(400)
    assert page.locator("#step").inner_text() == there and int(there.split(",")[0]) < 60
    page.locator("label", has_text="tiny").locator("input").check()
    page.get_by_role("button", name="Set it up").click()
    page.wait_for_url("**layout=tiny**")
    page.locator("#viewer[data-shown='0']").wait_for()
    page.go_back()
    page.wait_for_url("**agent=minimax**")


def test_play_with_keys_and_buttons(browse: Any) -> None:
    page = browse("/pacman?layout=tiny&agent=keyboard&ghosts=random&seed=3", width=390, height=800)
    page.locator("#pad .to-E:enabled").wait_for()
    page.keyboard.press("d")
    page.get_by_text("2, round 1").wait_for()
    page.locator("#pad button:enabled").first.click()
    page.wait_for_url(re.compile("moves=E[NESWX]$"))
    for _ in range(3):  # buttons go on working after a move, and move once a click
        before = page.url
        page.locator("#pad button:enabled").first.click()
        page.wait_for_url(re.compile(re.escape(before) + "[NESWX]$"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_room_is_accessible(browse: Any, accessible: Any, scheme: str) -> None:
    for address in (f"/pacman?{TINY.query()}", "/pacman?layout=tiny&agent=keyboard", "/pacman/assumptions"):
        page = browse(address, color_scheme=scheme)
        page.wait_for_timeout(300)
        accessible(page)
    accessible(browse("/pacman/demonstrations", color_scheme=scheme))


def test_scenes_are_watched_at_the_depths_of_the_figures() -> None:
    team, alone = (choice for _, choice in SCENES["ghosts"])
    assert (team.depth, team.ghost_depth, team.ghosts) == (4, GHOSTS_DEPTH, "coordinated")
    assert (alone.depth, alone.ghost_depth, alone.ghosts) == (4, GHOSTS_DEPTH, "searching")
    assert [choice.depth for _, choice in SCENES["depth"]] == [SHALLOW, DEEP]
    for scenes in SCENES.values():
        for _, choice in scenes:
            choice.check()


def test_expectimax_s_line_does_not_end_at_the_first_ghost() -> None:
    """Two rounds deep is two moves of Pac-Man and two of the ghost, wherever nobody is caught before."""
    game = WatchedGame(TINY.but(agent="expectimax", depth=2))
    frame = game.advance()
    assert frame is not None and len(frame["line"]) == 4 == sum(map(len, frame["paths"]))
    state = game.game.start_state
    for word in frame["line"]:
        action = DIRECTIONS.index(word)
        assert action in game.game.actions(state)
        state = game.game.state_after(state, action)


def test_the_line_has_everybody_s_way_as_far_as_the_search_saw() -> None:
    game = WatchedGame(Choice("trapped", "minimax", 3, "score", "random"))
    frame = game.advance()
    assert frame is not None and len(frame["paths"]) == 3
    assert len(frame["paths"][0]) >= 1 and any(frame["paths"][1:]), "the ghosts' ways are there, too"
