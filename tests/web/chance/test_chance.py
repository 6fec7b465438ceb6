"""The room of chance: values, the tree as links, the spread, and what cannot be asked."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plywright import load_game, search
from plywright.errors import Unsuitable
from plywright.utility import CARA
from plywright.web.chance import routes as room
from plywright.web.chance.decision import Question, work_out
from plywright.web.chance.simulation import play_out
from plywright.web.chance.tree import Sketch, average, short, telling
from plywright.web.chance.valuation import Valuation

TURN = "pig:players=1,turns=1,payoff=points"


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """The rules are compiled before anybody waits for them."""
    search(load_game(TURN), depth=3)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages wait for their answers however busy this machine is."""
    monkeypatch.setattr(room, "PATIENCE", 60.0)


def address(**fields: Any) -> str:
    return "/chance?" + urlencode({"game": TURN, "state": "0-0 +19 turn 0", "depth": 6} | fields)


def test_one_turn_of_pig_is_worth_nineteen_and_a_sixth(client: Any) -> None:
    page = client.get("/chance").text
    assert "Best: roll" in page and ">19.17</b>" in page and 'id="deviation">8.668<' in page
    tree = page[page.index('id="tree"') :]
    assert [f"{face}: 1/6" in tree for face in range(1, 7)] == [True] * 6
    assert re.search(r'<a href="[^"]*moves=roll\+4', tree)


def test_aversion_to_risk_changes_the_decision(client: Any) -> None:
    page = client.get(address(utility="crra:0.5")).text
    assert "Best: hold" in page and "The attitude to risk changes the decision" in page


def test_every_link_of_a_decision_answers(client: Any) -> None:
    page = client.get(address(depth=3)).text
    links = {unescape(link) for link in re.findall(r'href="(/chance\?[^"]*)"', page) if "games=" not in link}
    assert len(links) > 12
    for link in sorted(links):
        if "pig" in link:
            assert client.get(link).status_code == 200, link


def test_another_move_can_be_looked_at(client: Any) -> None:
    page = client.get(address(action="hold")).text
    assert "After hold" in page and "No roll comes right after this" in page
    wrong = client.get(address(action="jump"))
    assert wrong.status_code == 400 and "legal: roll, hold" in unescape(wrong.text)


def test_a_roll_becomes_part_of_the_address(client: Any) -> None:
    answer = client.get(address(moves="roll", roll="4"), follow_redirects=False)
    assert answer.status_code == 303
    assert parse_qs(urlsplit(answer.headers["location"]).query)["moves"] == ["roll 4"]
    assert client.get(address(moves="roll", roll="7")).status_code == 400
    assert "nothing is rolled" in client.get(address(roll="4")).text
    before = client.get(address(moves="roll")).text
    assert "Before the roll: 19.17" in before and "every roll" in before


def test_where_somebody_wins_a_value_is_a_winning_chance_too(client: Any) -> None:
    """Pig of two pays 1 and -1: what a move is worth on average is how often it wins."""
    two = {"game": "pig", "state": "70-85 +14 turn 10", "depth": 3}
    page = client.get(address(**two)).text
    found = re.search(r'Worth <b class="number">(\S+)</b> to .*?winning chance of <b class="number">(\d+) %</b>', page)
    assert found is not None and abs(50 + 50 * float(found[1]) - int(found[2])) < 0.6
    assert '<th class="number">wins</th>' in page and not re.search(r">[-+]?\d+\.\d{4,}<", page)
    before = client.get(address(**two, moves="roll")).text
    assert re.search(r"Before the roll: \S+, a winning chance of \d+ %</h2>", before)
    assert "winning chance" not in client.get(address(**two, utility="cara:0.5")).text, "bent amounts are no chances"
    assert "winning chance" not in client.get(address()).text, "nobody is beaten"


def test_the_end_of_a_game_has_nothing_to_decide(client: Any) -> None:
    assert "The game is over here" in client.get(address(moves="hold")).text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "kuhn"}, "hides something"),
        ({"game": "tic-tac-toe", "state": ""}, "nothing in it is left to chance"),
        ({"game": "./file.py"}, "not a game of this page"),
        ({"game": "pigs"}, "did you mean pig"),
        ({"state": "nowhere"}, "is not a state"),
        ({"moves": "roll 9"}, "move 2"),
        ({"depth": "99"}, "depth must be from 2 to 12"),
        ({"games": "5000"}, "games must be from 0 to 1000"),
        ({"utility": "loud"}, "no utility function"),
        ({"utility": "table:a=1"}, "a game pays amounts"),
        ({"game": "dice-race", "state": "", "utility": "cara:1"}, "leave the attitude to risk neutral"),
        ({"moves": "roll " * 400}, "too long"),
    ],
)
def test_what_cannot_be_asked_is_said_in_a_sentence(client: Any, fields: dict[str, str], words: str) -> None:
    answer = client.get(address(**fields))
    assert answer.status_code == 400 and words in unescape(answer.text)


def test_an_answer_that_takes_longer_follows_in_a_stream(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PATIENCE", 0.0)
    page = client.get(address(state="0-0 +11 turn 0")).text
    stream = unescape(re.search(r'data-stream="([^"]*)"', page)[1])  # type: ignore[index]
    assert "Being worked out" in page and 'http-equiv="refresh"' in page
    assert client.get(stream).status_code == 403
    events = client.get(f"{stream}&token={client.app.state.token}").text
    last = [json.loads(line[6:]) for line in events.splitlines() if line.startswith("data: {")][-1]
    assert "Best: roll" in last["answer"] and "<svg" in last["below"]


def test_games_played_out_show_how_results_are_spread(client: Any) -> None:
    page = client.get(address(games=60)).text
    assert "60 games: first gets" in page and "share of games in %" in page
    game = load_game(TURN)
    rolled = game.play_moves(game.start_state, "roll 6 roll 6 roll")
    played = play_out(game, rolled, 0, 300, seconds=30)
    assert played is not None and len(played.results) == 300
    assert played.results == play_out(game, rolled, 0, 300, seconds=30).results  # type: ignore[union-attr]
    assert min(played.results) == 0 and played.results.count(0.0) == pytest.approx(75, abs=60)
    assert play_out(game, rolled, 0, 10, seconds=0) is None


# -- values -------------------------------------------------------------------------------------------------------


def reference(game: Any, state: Any, depth: int, hero: int, utility: Any) -> float:
    """Expectiminimax as the book has it, depth counted in moves of players."""
    if game.is_terminal(state):
        return float(utility(game.utility(state, hero)))
    if depth == 0:
        return float(utility(game.evaluate(state, hero)))
    if game.at_chance(state):
        return sum(p * reference(game, game.result(state, r), depth, hero, utility) for r, p in game.chance(state))
    values = [reference(game, game.result(state, a), depth - 1, hero, utility) for a in game.actions(state)]
    return max(values) if game.to_move(state) == hero else min(values)


@pytest.mark.parametrize("hero", [0, 1])
@pytest.mark.parametrize("utility", ["linear", "cara:0.1"])
def test_values_are_the_heros_wherever_the_search_begins(hero: int, utility: str) -> None:
    game = load_game("pig:target=30,payoff=points")
    function = CARA("0.1") if utility != "linear" else float
    valuation = Valuation(game, hero, utility)
    for text in ("10-12 +7 turn 2", "10-12 +7 turn 3", "10-12 +7 turn 2 rolling", "20-12 +9 turn 3 rolling"):
        state = game.coerce_state(game.parse_state(text))
        for depth in (0, 2, 3):
            assert valuation.worth(state, depth) == pytest.approx(
                reference(game, state, depth, hero, function), rel=1e-3, abs=1e-3
            )


def test_drawn_outcomes_average_to_the_value_of_the_move() -> None:
    game = load_game("pig:target=30,payoff=points")
    state = game.coerce_state(game.parse_state("10-12 +7 turn 3"))
    valuation = Valuation(game, 1)
    ranked = dict(valuation.ranked(state, 4))
    outcomes = Sketch(valuation, lambda path: "").outcomes(game.coerce_state(game.result(state, 0)), 3)
    assert average(outcomes) == pytest.approx(ranked[0]) and len(outcomes) == 6
    shown, rest = telling(outcomes * 2)
    assert len(shown) == 6 and len(rest) == 6 and max(one.value for one in shown) >= max(one.value for one in rest)


def test_a_forced_reply_is_passed_through_to_the_roll() -> None:
    game = load_game("pig:target=30,payoff=points")
    state = game.coerce_state(game.parse_state("10-12 +7 turn 2"))
    answer = work_out(Question(game, state, 4, action="hold"), lambda path: " ".join(path), str)
    assert answer.spread is not None and answer.spread.after == "hold, then roll"
    assert answer.spread.mean == pytest.approx({line.name: line.value for line in answer.lines}["hold"])
    assert "MIN" in answer.tree.text and answer.tree.svg.count("<a href") > 6


def test_three_players_have_values_but_no_attitude_to_risk() -> None:
    game = load_game("dice-race")
    assert not Valuation(game, 0).two_sides
    with pytest.raises(Unsuitable):
        Valuation(game, 0, "cara:1")


def test_numbers_are_short() -> None:
    assert [short(x) for x in (0, -0.0001, 19.16666, 8.66794, -0.25, 4007968.4)] == [
        "0",
        "0",
        "19.17",
        "8.668",
        "-0.25",
        "4,007,968",
    ]


STRANGE = st.text(alphabet="ab09-+<>&;,=[]:/ \n%é\x00", max_size=24)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    fields=st.fixed_dictionaries(
        {},
        optional={
            "game": st.sampled_from([TURN, "pig:players=1,payoff=points", "kuhn", "nim", "figure-6.2"]) | STRANGE,
            "state": st.sampled_from(["0-0 +19 turn 0", "3-0 +0 turn 0"]) | STRANGE,
            "moves": st.sampled_from(["roll", "roll 4", "roll 1", "hold"]) | STRANGE,
            "depth": st.sampled_from(["2", "3"]) | STRANGE,
            "action": st.sampled_from(["roll", "hold"]) | STRANGE,
            "utility": st.sampled_from(["cara:0.1", "crra:2", "log", "quadratic:0.01", "cara:1000"]) | STRANGE,
            "roll": st.sampled_from(["1", "6"]) | STRANGE,
            "every": STRANGE,
            "token": STRANGE,
        },
    ),
    path=st.sampled_from(["/chance", "/chance/stream"]),
)
def test_no_address_is_a_fault_of_ours(client: Any, fields: dict[str, str], path: str) -> None:
    if "figure" in fields.get("game", ""):
        fields = fields | {"game": "nim"}
    answer = client.get(f"{path}?{urlencode(fields)}")
    assert answer.status_code in (200, 400, 403, 503)


# -- in a browser -------------------------------------------------------------------------------------------------


def test_a_pig_decision_and_its_tree_in_a_browser(browse: Any, accessible: Any) -> None:
    page = browse(address())
    page.wait_for_selector("#tree svg")
    assert page.inner_text("#answer h2") == "Best: roll"
    link = page.locator("#tree svg a", has_text="23").first
    assert link.evaluate("node => node.namespaceURI") == "http://www.w3.org/2000/svg"
    accessible(page)
    link.click()
    page.wait_for_selector(".trail b:text-is('4')")
    assert "moves=roll+4" in page.url and page.inner_text("#answer h2") == "Best: hold"
    page.click("#ranking a:text-is('roll')")
    page.wait_for_selector("tr.chosen:has-text('roll')")
    page.go_back()
    page.wait_for_selector("tr.chosen:has-text('hold')")
    page.go_back()
    page.wait_for_selector(".trail b:text-is('0-0 +19 turn 0')")
    assert page.inner_text("#mean") == "19.17"
    page.click("#simulate")
    page.wait_for_selector("#finals-picture svg")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_page_works_in_the_dark_on_a_phone_and_without_scripts(browse: Any, accessible: Any) -> None:
    page = browse(address(moves="roll"), width=390, color_scheme="dark")
    page.wait_for_selector("#tree svg")
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    bare = browse(address(), java_script_enabled=False)
    bare.click("#tree svg a >> nth=1")
    bare.wait_for_selector(".trail b")
    assert bare.locator("#tree svg").count() == 1
