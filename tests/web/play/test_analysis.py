"""The desk of a table by its addresses: analysis, lines to follow, pausing, one's games, a game explained."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from plywright import BadInput, load_game, search
from plywright.games.registry import GAMES
from plywright.models.loading import keep_model, make_model
from plywright.outcome_text import points_text, proof_text
from plywright.result import HEURISTIC, SearchResult, Variation
from plywright.web import application
from plywright.web.play import analysis, game_review
from plywright.web.play.estimates import estimate, estimate_of, nothing_known
from plywright.web.play.found_chances import FOUND, kept_chances
from plywright.web.play.game_replay import GameReplay
from plywright.web.play.position import Position
from plywright.web.play.seats import STRENGTHS
from plywright.web.play.status_text import rules_of
from plywright.web.play.table import Table
from plywright.web.search_queue import SearchQueue
from tables import legal, like, name_of, play, seat


@pytest.fixture(scope="module")
def desk(client: Any) -> Iterator[Any]:
    """A client of a page that compiles nothing."""
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(analysis, "HINT", 0.1)
    monkeypatch.setattr(analysis, "LONGEST", 0.6)
    with like(client, application(search_queue=SearchQueue(interpreted=True))) as found:
        yield found
    monkeypatch.undo()


def events(client: Any, address: str) -> list[tuple[str, str]]:
    mark = "&" if "?" in address else "?"
    text = client.get(f"{address}{mark}token={client.app.state.token}").text
    return re.findall(r"event: (\w+)\ndata: ?(.*)\n", text)


def test_the_analysis_has_as_many_lines_as_asked_for_and_its_moves_are_followed(desk: Any) -> None:
    name = name_of(seat(desk, "tic-tac-toe", "human", moves="a1b1a2b2"))
    shown = desk.submit(f"/play/t/{name}/lines", lines=3)
    assert f"/play/t/{name}/analysis?ply=4" in shown.text
    last = json.loads([data for kind, data in events(desk, f"/play/t/{name}/analysis?ply=4") if kind == "parts"][-1])
    assert last["lines"].count("<li><b") == 3 and 'data-share="100.0"' in last["lines"]
    assert "wins in 1 ply" in last["lines"] and "[[&#34;a3&#34;]" in last["lines"]
    line = re.search(r'name="moves" value="([\d,]+)"', last["lines"])
    assert line is not None
    small = desk.get(f"/play/t/{name}/preview?ply=4&moves={line[1]}")
    assert small.headers["content-type"].startswith("image/svg+xml") and "<svg" in small.text
    study = desk.submit(f"/play/t/{name}/follow", ply=4, moves=line[1])
    assert "X wins." in study.text and "back to the game" in study.text
    back = desk.submit(f"/play/t/{name_of(study)}/move", ply=4, move="c3")
    assert name_of(back) == name_of(study), "a study goes on in its place"
    assert len(Table.load(name).actions) == 4, "the game is as it was"
    assert desk.submit(f"/play/t/{name}/lines", lines=6).status_code == 400
    for nonsense in ("", "x", "99", "1,,2", "-1", "9" * 30):
        assert desk.submit(f"/play/t/{name}/follow", ply=4, moves=nonsense).status_code == 400, nonsense


def test_territory_is_marked_by_the_simulations_of_the_analysis(desk: Any) -> None:
    answer = seat(desk, "go:size=5", "human", moves="c3 b3")
    name = name_of(answer)
    assert ">Territory<" in answer.text and "data-territory" not in answer.text
    shown = desk.submit(f"/play/t/{name}/territory", ply=2)
    assert "data-territory" in shown.text and 'aria-pressed="true"' in shown.text
    assert Table.load(name).lines == 3, "what has to be searched for it is"
    last = json.loads([data for kind, data in events(desk, f"/play/t/{name}/analysis?ply=2") if kind == "parts"][-1])
    owners = json.loads(unescape(re.search(r'data-owners="([^"]*)"', last["lines"])[1]))  # type: ignore[index]
    assert len(owners) == 25 and "e5" in owners and all(-1 <= share <= 1 for share in owners.values())
    assert re.search(r"Black \d+\.\d, White \d+\.\d", last["lines"])
    play(desk, shown, "pass")
    over = desk.submit(f"/play/t/{name}/move", ply=3, move="pass").text
    assert "wins" in over and over.count("pw-owner-") > 0, "at the end the area is what is counted"
    assert "pw-owner-" not in desk.submit(f"/play/t/{name}/territory", ply=4).text.split("</style>", 1)[1]
    assert ">Territory<" not in seat(desk, "tic-tac-toe", "human").text


def test_two_that_are_no_people_are_paused(desk: Any) -> None:
    name = name_of(seat(desk, "tic-tac-toe", "random", seat0="random"))
    paused = desk.submit(f"/play/t/{name}/pause")
    assert "/think" not in paused.text and "Go on" in paused.text
    assert [kind for kind, _ in events(desk, f"/play/t/{name}/think")] == ["visit", "end"]
    assert not Table.load(name).actions
    assert "/think" in desk.submit(f"/play/t/{name}/pause").text


def test_strengths_have_names(desk: Any) -> None:
    page = desk.get("/play/new?game=tic-tac-toe").text
    assert all(name in page for name in STRENGTHS) and "Rules" in page
    shown = seat(desk, "tic-tac-toe", "engine", strength1="1")
    assert "beginner, level 1" in shown.text and Table.load(name_of(shown)).seats == ["human", "level:1"]
    name = name_of(play(desk, shown, "b2"))
    assert events(desk, f"/play/t/{name}/think")[-2][0] == "visit"
    assert len(Table.load(name).actions) == 2
    answer = desk.submit("/play/new", game="tic-tac-toe", seat1="engine", strength1="12")
    assert answer.status_code == 400


def test_a_table_is_set_up_from_a_state_by_either_name(desk: Any) -> None:
    state = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
    pages = [desk.get(f"/play/new?game=chess&{name}={quote(state)}").text for name in ("start", "state")]
    assert all(state in page for page in pages) and state not in desk.get("/play/new?game=chess").text


def test_one_s_games_are_listed_unfinished_ones_first_and_deleted(desk: Any) -> None:
    open_one = name_of(play(desk, seat(desk, "tic-tac-toe", "human"), "b2"))
    over = seat(desk, "tic-tac-toe", "human", moves="a1b1a2b2")
    over = name_of(play(desk, over, "a3"))
    page = desk.get("/play").text
    assert page.index(f'href="/play/t/{open_one}"') < page.index(f'href="/play/t/{over}"')
    assert "X wins." in page
    assert "<svg" in desk.get(f"/play/t/{open_one}/picture").text
    assert f"/play/t/{open_one}" not in desk.submit("/play/forget", name=open_one).text
    assert desk.get(f"/play/t/{open_one}").status_code == 404
    assert desk.submit("/play/forget", name="../../etc").status_code == 404


def test_a_game_is_explained_with_its_turning_points(desk: Any) -> None:
    answer = desk.submit("/play/explain", game="tic-tac-toe", moves="a1 b2 a2 c1 a3")
    assert answer.status_code == 200 and "/judge" in answer.text
    name = name_of(answer)
    told = events(desk, f"/play/t/{name}/judge")
    assert any("of 5 positions judged" in data for kind, data in told if kind == "parts")
    assert ("visit", f"/play/t/{name}/review") in told
    page = desk.get(f"/play/t/{name}/review").text
    assert "100 %" in page and "blunder" in page, "O did not stop the row"
    turn = game_review.Review.kept(Table.load(name))
    assert turn is not None
    lost = next(one for one in turn.turns if one.number == 4)
    assert "The winning chance fell from" in lost.words and "The answer is a3" in lost.words and "<svg" in lost.picture
    assert not re.search(
        r"\d\.\d{3}", lost.words + re.sub("<style>.*?</style>", "", re.sub(r'="[^"]*"', "", lost.picture))
    ), "no value has more digits than a reader wants"
    assert f"/play/t/{name}/retry" in page and "trend-mistake" in page
    again = desk.submit(f"/play/t/{name}/retry", number=4)
    assert Table.load(name_of(again)).seats == ["search", "human"] and len(legal(again)) == 6
    assert desk.submit("/play/explain", game="tic-tac-toe", moves="").status_code == 400
    assert desk.submit("/play/explain", game="kuhn", moves="JQ").status_code == 400


def test_values_are_told_as_people_say_them() -> None:
    chess, othello, ttt = load_game("chess"), load_game("othello"), load_game("tic-tac-toe")
    assert points_text(chess, 0.0029297) == "+0.29 pawns"
    assert points_text(load_game("2048"), -3.2236e8) == "-322 M"
    assert points_text(load_game("backgammon"), 0.0029297) == "0"
    assert points_text(load_game("backgammon"), 0.12345) == "+0.12"
    assert proof_text(ttt, 1, 7) == "wins in 7 plies" and proof_text(ttt, -1, 1) == "loses in 1 ply"
    assert proof_text(othello, -12) == "loses by 12" and proof_text(ttt, 0, 5) == "a draw"
    assert estimate(ttt, ttt.start_state, 0.0).words.startswith("50 %")
    assert estimate(ttt, ttt.start_state, 1.0, True, 5) == ("wins in 5 plies", 1.0)
    assert estimate(chess, chess.start_state, 1.0, False, 7).words == "99 %, mate in 4", "met, and not proved"
    assert estimate(chess, chess.start_state, -1.0, False, 2).words == "1 %, mated in 1"
    assert estimate(chess, chess.start_state, 1.0, False, 1) == ("mate in 1", 1.0), "the move ends the game"
    assert estimate(chess, chess.start_state, 0.0029297).words == "55 %, +0.29 pawns"


def test_what_an_analysis_has_found_is_drawn_in_the_graph(desk: Any) -> None:
    name = name_of(seat(desk, "tic-tac-toe", "human", moves="a1b1a2b2"))
    assert "trend-line" not in desk.get(f"/play/t/{name}?ply=4").text
    desk.submit(f"/play/t/{name}/lines", lines=2)
    events(desk, f"/play/t/{name}/analysis?ply=4")
    later = desk.get(f"/play/t/{name}?ply=4").text
    assert "trend-line" in later and 'data-share="100.0"' in later, "the bar reads it, too"
    table = Table.load(name)
    table.actions[-1] = next(action for action in range(9) if action not in table.actions)
    assert kept_chances(name, table.actions) == {}, "of another game nothing is known"
    assert kept_chances(name, Table.load(name).actions) == {4: 1.0}
    FOUND[name] = {"4": "x", "y": [1, 2], "3": [0.5, 7], "2": None, "-1": [0, 0.5]}
    assert kept_chances(name, table.actions) == {} and desk.get(f"/play/t/{name}").status_code == 200
    desk.submit("/play/forget", name=name)
    assert name not in FOUND


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_has_a_card_with_its_rules(name: str) -> None:
    game = load_game(name)
    assert len(" ".join(rules_of(game))) > 100 or name == "random-tree", "more than a line"


def test_the_checkpoints_of_a_training_are_seated_by_their_level(client: Any, tmp_path: Path) -> None:
    text = "breakthrough:columns=4,rows=4"
    model, last = make_model(load_game(text)), tmp_path / "small.knowledge"
    with pytest.raises(BadInput, match="no checkpoints"):
        application(learned=[str(last)])
    for number, path in enumerate([last.with_name("small-01.knowledge"), last.with_name("small-02.knowledge"), last]):
        keep_model(model, path, {"games": 100 * number})
    app = application(learned=[str(last)], search_queue=SearchQueue(interpreted=True))
    with like(client, app) as page:
        assert "by its checkpoints" in page.get(f"/play/new?game={text}").text
        assert "by its checkpoints" not in page.get("/play/new?game=nim").text
        shown = seat(page, text, "learned", strength1="2")
        assert "learned, novice, level 2" in shown.text
        name = name_of(play(page, shown, legal(shown)[0]))
        assert events(page, f"/play/t/{name}/think")[-2][0] == "visit" and len(Table.load(name).actions) == 2
        assert page.submit("/play/new", game="nim", seat1="learned").status_code == 400


def test_how_sure_a_value_is_hides_it_not() -> None:
    """Othello's search nears its proof step by step and says how sure it is; of another game nothing may be known."""
    game = load_game("othello")
    position = Position.of(GameReplay(game, ""), 0)
    found = SearchResult(
        19, 6.0, (6.0, -6.0), HEURISTIC, False, None, (19,), 20, 1000, 1.0, "pvs", True, note="91% sure, a win"
    )
    told = analysis._Writer(position, 1, "of-a-test").written(found)
    assert "%, +6 discs<" in told.lines and "91% sure, a win" in told.lines and "Not to be told" not in told.lines
    assert "Best is" in told.last_hint and "%, +6 discs for Black" in told.last_hint
    assert estimate_of(found, game, position.state).chance == estimate(game, position.state, 6.0).chance
    assert nothing_known(found, load_game("nim")) == "91% sure, a win"


def test_a_line_is_said_to_be_proved_only_if_it_is() -> None:
    game = load_game("connect-four")
    replay = GameReplay(game, "")
    for column in "271245":
        replay.extend(int(column) - 1)
    lines = (Variation(1.0, 1, (2,), True), Variation(0.125, None, (3,), False), Variation(-1.0, 2, (4,), True))
    found = replace(search(game, replay.states[-1], nodes=100), variations=lines)
    told = analysis._Writer(Position.of(replay, replay.last), 3, "of-a-test").written(found)
    worth = re.findall(r'class="worth">([^<]*)<', told.lines)
    assert worth == ["wins in 1 ply", estimate(game, replay.states[-1], 0.125).words, "loses in 2 plies"]
    assert worth[1].endswith("%")
