"""The tree lab without a browser: addresses, limits, downloads, worksheets, and strange requests."""

from __future__ import annotations

import html
import json
import re
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywright.errors import BadInput
from plywright.textbook.trace.trace import Trace
from plywright.web.catalogue import Catalogue
from plywright.web.fields import Fields
from plywright.web.lab.lesson import LimitedRecorder, make_lesson
from plywright.web.lab.setup import Setup, read_setup


def lab(client: Any, page: str = "", **fields: Any) -> Any:
    return client.get(f"/lab{page}?{urlencode({'from' if k == 'source' else k: v for k, v in fields.items()})}")


def data_of(answer: Any) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', answer.text, re.S)
    assert found is not None, answer.text[:500]
    return json.loads(found[1])


def lit(answer: Any) -> list[str]:
    return [
        html.unescape(line) for line in re.findall(r'<li data-number="\d+" class="lit"[^>]*>(.*?)</li>', answer.text)
    ]


def sentence(answer: Any) -> str:
    found = re.search(r'<div id="message" role="alert">(.*?)</div>', answer.text, re.S)
    return html.unescape(found[1]) if found else ""


def test_a_bare_address_shows_the_two_ply_figure_from_the_beginning(client: Any) -> None:
    answer = client.get("/lab")
    assert answer.status_code == 200
    assert "Alpha-beta (fail-soft) on figure-6.2" in answer.text and "leaves <b" in answer.text
    assert "of 9" in answer.text and "(plain minimax)" in answer.text
    assert data_of(answer)["step"] == 0 and lit(answer) == []


def test_a_step_in_the_address_is_drawn_without_any_script(client: Any) -> None:
    answer = lab(client, figure="figure-6.2", step=14)
    assert lit(answer) == ["        if v ≤ α then return v, move"]
    assert "MIN already has 2 here; MAX has 3 at the root" in answer.text
    assert 'href="/lab?figure=figure-6.2&amp;step=13"' in answer.text
    assert 'href="/lab?figure=figure-6.2&amp;step=15"' in answer.text
    beyond = lab(client, figure="figure-6.2", step=9999)
    assert data_of(beyond)["step"] == len(data_of(beyond)["steps"])


def test_an_address_says_everything_and_reads_back_as_the_same_setup() -> None:
    for setup in (
        Setup(),
        Setup(source="typed", tree="[[3, 12], [2, 4]]", algorithm="minimax", step=3),
        Setup(source="generated", branching=2, levels=4, seed=7, ordering="worst", predict="child"),
        Setup(source="game", game="othello:size=4", moves="a2", depth=3, algorithm="h-minimax"),
        Setup(figure="three-players", algorithm="maxn"),
    ):
        _, _, query = setup.address().partition("?")
        assert read_setup(Fields(dict(parse_qsl(query)))) == setup


@pytest.mark.parametrize(
    "tree",
    ["[[3, 12, 8], [2, 4, 6]]", "max(a: (1/2: 8, 1/3: 24, 1/6: -12), b: 9)", '{"player": "MAX", "moves": [1, 2]}',
     "players(A, B, C) ((<1, 2, 6>, <4, 2, 3>), (<6, 1, 2>, <7, 4, 1>))"],
)  # fmt: skip
def test_a_tree_is_typed_in_any_notation(client: Any, tree: str) -> None:
    answer = client.submit("/lab/typed", tree=tree)
    assert answer.status_code == 200 and "on your tree" in answer.text
    assert answer.url.query and html.escape(tree, quote=False)[:10] in answer.text.replace("&#34;", '"')


def test_a_long_tree_is_kept_and_named_in_the_address(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywright.web.lab.routes.PATIENCE", 60.0)  # a busy machine takes its time
    tree = str([[[n, n + 1, n + 2, n + 3] for n in range(8)] for _ in range(30)])
    answer = client.submit("/lab/typed", tree=tree, algorithm="minimax")
    assert answer.status_code == 200 and "kept=" in str(answer.url) and len(str(answer.url)) < 200
    assert client.get(str(answer.url)).text.count("of 1,231") == 1
    assert client.get("/lab?kept=nothing").status_code == 404


def test_mistakes_and_limits_are_sentences(client: Any) -> None:
    for fields, words in (
        ({"tree": "[[3, 12"}, "never closed"),
        ({"source": "typed"}, "type a tree first"),
        ({"figure": "figure-9"}, "figure cannot be"),
        ({"source": "generated", "branching": 9, "levels": 5}, "up to 5,000"),
        ({"source": "generated", "branching": 21}, "branching must be from 1 to 20"),
        ({"source": "game", "game": "nonsense"}, "there is no game"),
        ({"source": "game", "game": "./x.py"}, "not a game of this page"),
        ({"source": "game", "game": "tic-tac-toe", "moves": "z9"}, "move 1"),
        ({"source": "game", "game": "tic-tac-toe", "moves": "a1 b1 a2 b2 a3"}, "the game is over"),
        ({"source": "game", "game": "kuhn"}, "players do not see the whole state"),
        ({"algorithm": "guess"}, "algorithm cannot be"),
        ({"step": "x"}, "whole number"),
    ):
        answer = lab(client, **fields)
        assert answer.status_code == 400 and words in sentence(answer), (fields, sentence(answer))


def test_a_search_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    typed, catalogue = Setup(source="typed", tree="[[1, 2], [3, 4], [5, 6]]"), Catalogue()
    monkeypatch.setattr("plywright.web.lab.lesson.SECONDS", -1.0)
    with pytest.raises(BadInput, match="seconds to follow"):
        make_lesson(typed, catalogue)
    monkeypatch.undo()
    monkeypatch.setattr("plywright.web.lab.lesson.MOST_STEPS", 5)
    with pytest.raises(BadInput, match="more than 5 steps"):
        make_lesson(typed, catalogue)
    assert LimitedRecorder.__mro__[1].__name__ == "Recorder"


def test_algorithms_that_do_not_suit_are_disabled_with_the_reason(client: Any) -> None:
    text = lab(client, figure="three-players").text
    assert re.search(r'<option value="alphabeta" disabled>', text)
    assert re.search(r'<option value="maxn" selected>', text)
    assert "alphabeta cannot search three-players: it needs two teams whose utilities cancel" in html.unescape(text)
    shown = lab(client, figure="three-players", algorithm="alphabeta")
    assert shown.status_code == 200 and "Shown instead: Max^n." in shown.text


@pytest.mark.parametrize("name", ["expectiminimax", "h-expectiminimax", "star1", "star2", "paranoid", "best-reply"])
def test_chance_nodes_are_searched_by_every_algorithm_for_them(client: Any, name: str) -> None:
    answer = lab(client, figure="coins", algorithm=name)
    steps = data_of(answer)["steps"]
    assert answer.status_code == 200 and "a1" in steps[-1]["words"]


def test_a_tree_grows_from_a_position_of_a_game(client: Any) -> None:
    answer = lab(client, source="game", game="tic-tac-toe", moves="b2 a1", depth=2)
    assert answer.status_code == 200 and "X is MAX" in answer.text
    assert "leaves <b" in answer.text and "of 42" in answer.text, "7 moves times 6 replies"
    assert "lab-position" in answer.text and 'value="b2 a1"' in answer.text
    deeper = lab(client, source="game", game="othello:size=4", algorithm="iterative-deepening", depth=3)
    begun = [step["words"] for step in data_of(deeper)["steps"] if step["words"].startswith("Look ")]
    assert len(begun) == 3, begun


@pytest.mark.slow
def test_the_engines_own_search_is_stepped_through(client: Any) -> None:
    query = "from=game&game=tic-tac-toe&moves=a1+b2+c3&algorithm=engine&depth=3"
    client.get(f"/lab/wait?{query}&token={client.app.state.token}")  # it compiles
    answer = client.get(f"/lab?{query}")
    assert "The engine at depth 3, its first 2 plies on tic-tac-toe" in answer.text
    assert "PVS(state, depth" in answer.text and len(data_of(answer)["steps"]) > 20


def test_simulations_are_stepped_through_like_any_search(client: Any) -> None:
    answer = lab(client, source="game", game="tic-tac-toe", algorithm="mcts", simulations=12, step=3)
    assert "Monte Carlo tree search on tic-tac-toe" in answer.text and 'name="simulations"' in answer.text
    assert len(data_of(answer)["steps"]) == 37 and lit(answer)[0].split()[0].startswith("BACK-PROPAGATE")
    assert "simulations <b" in answer.text
    assert lab(client, figure="three-players", algorithm="mcts").status_code == 200
    assert "from 1 to 400" in sentence(lab(client, algorithm="mcts", simulations=401))


def test_a_prediction_has_the_questions_of_the_trace(client: Any) -> None:
    asked = data_of(lab(client, figure="figure-6.2", predict="pruned"))["questions"]
    assert [(q["at"], q["step"], q["right"]) for q in asked] == [(0, 14, [8, 9]), (14, 26, [])]
    assert len(data_of(lab(client, figure="figure-6.2", predict="child"))["questions"]) == 7
    assert "questions" not in data_of(client.get("/lab"))


def test_downloads_are_files(client: Any) -> None:
    query = {"figure": "two-cutoffs", "step": 5}
    svg, page, trace = (lab(client, name, **query) for name in ("/tree.svg", "/replay.html", "/trace.json"))
    for answer, name in ((svg, "tree-step-5.svg"), (page, "alphabeta.html"), (trace, "alphabeta.json")):
        assert answer.status_code == 200 and answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert svg.text.startswith("<svg") and "step 5 of" in svg.text
    assert "default-src 'none'" in page.text and "function Replay(" in page.text
    found = Trace.from_json(trace.text)
    assert svg.text == found.svg(5) and [found.nodes[n.number].value for n in found.pruned if n.value] == [8, 20, 4]


def test_a_worksheet_has_exercises_without_values_and_a_key_with_them(client: Any) -> None:
    answer = client.get("/lab/worksheet?count=4&seed=3")
    assert answer.status_code == 200
    assert answer.text.count('id="exercise-') == 4 == answer.text.count('id="answer-')
    ids = re.findall(r' id="([^"]+)"', answer.text)
    assert len(ids) == len(set(ids)), "every drawing has ids of its own"
    assert client.get("/lab/worksheet?count=4&seed=3").text == answer.text
    assert client.get("/lab/worksheet?count=4&seed=4").text != answer.text
    for link in re.findall(r'href="(/lab\?[^"]+)"', answer.text):
        assert client.get(html.unescape(link)).status_code == 200


def test_worksheets_exist_for_chance_and_for_three_players_and_have_limits(client: Any) -> None:
    for query, status in (
        ("kind=chance&algorithm=star1&branching=2&levels=3&count=2", 200),
        ("kind=three-players&algorithm=maxn&branching=2&levels=3&count=2", 200),
        ("algorithm=ordered-alphabeta&branching=2&levels=3&count=2", 200),
        ("branching=9&levels=2", 400),
        ("count=21", 400),
        ("kind=three-players&algorithm=alphabeta", 400),
    ):
        answer = client.get(f"/lab/worksheet?{query}")
        assert answer.status_code == status, (query, sentence(answer))


def test_a_search_that_waits_is_a_page_that_says_so(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywright.web.lab.routes.PATIENCE", 0.0)
    query = "from=generated&branching=5&seed=77"
    answer = client.get(f"/lab?{query}")
    assert answer.status_code == 200 and f'data-stream="/lab/wait?{query.replace("&", "&amp;")}"' in answer.text
    assert client.get(f"/lab/wait?{query}").status_code == 403, "a stream needs the token"
    events = client.get(f"/lab/wait?{query}&token={client.app.state.token}").text
    assert f"event: visit\ndata: /lab?{query}\n" in events
    failing = client.get(f"/lab/wait?tree=x&token={client.app.state.token}").text
    assert "event: problem" in failing and "cannot be read" in failing


def test_names_in_a_tree_are_escaped(client: Any) -> None:
    nasty = "</script><script>alert(1)</script>"
    answer = client.submit("/lab/typed", tree=json.dumps({nasty: {"<b>": 3, "x": 1}, "ok": [2, 4]}))
    assert answer.status_code == 200 and "<script>alert" not in answer.text and nasty not in answer.text
    assert "<b>" not in answer.text.split("<svg")[1].split("</svg>")[0]
    assert any(nasty in step["words"] for step in data_of(answer)["steps"])


# -- strange requests -----------------------------------------------------------------------------------------

NAMES = ("from", "figure", "tree", "kept", "branching", "levels", "seed", "ordering", "kind", "state", "moves",
         "game", "algorithm", "depth", "budget", "simulations", "predict", "step", "count")  # fmt: skip
VALUES = st.one_of(
    st.sampled_from(
        ["", "0", "1", "2", "-1", "1e9", "nan", "typed", "generated", "figure", "game", "[[1,2],[3]]",
         "(1/2: 3, 1/2: 4)", "<script>", "alphabeta", "maxn", "star1", "h-minimax", "engine?", "coins", "three-players",
         "chance", "mcts", "worst", "pruned", "child", "\x00", "a1 b2", "tic-tac-toe", "nim", "./x.py"]
    ),
    st.text(max_size=12),
)  # fmt: skip
QUERIES = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6)


@pytest.mark.parametrize("page", ["", "/wait", "/tree.svg", "/replay.html", "/trace.json", "/worksheet"])
def test_strange_addresses_are_never_a_fault(client: Any, page: str) -> None:
    @settings(max_examples=50, deadline=None)
    @given(QUERIES)
    def ask(query: dict[str, str]) -> None:
        if page == "/worksheet":
            query = {**query, "count": "1"} if query.get("count", "").isdecimal() else query
        answer = client.get(f"/lab{page}?{urlencode({**query, 'token': client.app.state.token})}")
        assert answer.status_code in (200, 400, 404), (query, answer.text[:300])

    ask()


def test_strange_forms_are_never_a_fault(client: Any) -> None:
    @settings(max_examples=50, deadline=None)
    @given(QUERIES, st.booleans())
    def send(form: dict[str, str], with_token: bool) -> None:
        token = {"token": client.app.state.token} if with_token else {}
        answer = client.post("/lab/typed", data={**form, **token})
        assert answer.status_code in ((200, 400, 404) if with_token else (403,)), (form, answer.text[:300])

    send()
    assert client.get("/lab/typed").status_code == 405


def test_min_as_chance_and_maps_of_leaves_are_switches_of_the_lab(client: Any) -> None:
    plain = lab(client, "/trace.json", figure="otherwise").text
    assert '"54.5"' not in plain and "54.5," not in plain
    page = lab(client, figure="otherwise", min_as="chance").text
    assert "Expectimax" in page and 'id="lab-leaves"' in page
    assert "54.5" in lab(client, "/trace.json", figure="otherwise", min_as="chance").text
    assert "40.9" in lab(client, "/trace.json", figure="order-preserving", leaves="1=1,2=20,3=30,4=400").text
    assert "no map of leaves" in lab(client, figure="order-preserving", leaves="cube").text


def test_changed_decisions_are_marked_in_the_drawing(client: Any) -> None:
    """A map that keeps the order changes what expectimax chooses at the root: a ring there, and the old way dotted."""
    page = lab(client, figure="order-preserving", leaves="1=1,2=20,3=30,4=400").text
    assert re.search(r'<g id="n0" class="differs" aria-label="root: a2 is chosen now, a1 was">', page)
    number = re.search(r'"(\d+)": ?"a1"', page)
    assert number is not None and f'<g id="n{number[1]}-edge" class="was-chosen">' in page
    assert page.count('class="was-chosen"') == page.count('class="differs" aria-label') == 1 and "dashed ring" in page
    same = lab(client, figure="order-preserving", leaves="affine:2,1").text
    assert 'class="was-chosen"' not in same and "dashed ring" not in same, "nothing has changed"


def test_a_tree_or_a_search_of_too_many_nodes_is_refused() -> None:
    with pytest.raises(BadInput, match="6,001 nodes; the lab shows up to 5,000"):
        make_lesson(Setup(source="typed", tree=str([0] * 6000)), Catalogue())
    with pytest.raises(BadInput, match="more than 5,000 nodes"):
        make_lesson(Setup(source="game", game="tic-tac-toe", algorithm="minimax"), Catalogue())


def test_a_tree_is_edited_by_a_form_that_needs_no_script(client: Any) -> None:
    page = lab(client, figure="figure-6.2", edit="yes").text
    assert 'id="lab-edit"' in page and "<option>a1 b1</option>" in page
    answer = client.submit("/lab/edit", figure="figure-6.2", algorithm="minimax", node="a1", act="mover:chance")
    assert answer.status_code == 200 and "a1: chance(b1 1/3: 3" in html.unescape(answer.text)
    assert "from=typed" in str(answer.url) and "edit=yes" in str(answer.url)
    refused = client.submit("/lab/edit", figure="figure-6.2", node="a1", act="value", given="x")
    assert refused.status_code == 400 and "a1 is no leaf" in sentence(refused)
    assert "follows from its rules" in sentence(client.submit("/lab/edit", **{"from": "game", "act": "add"}))
    assert "not a legal move" in sentence(client.submit("/lab/edit", figure="figure-6.2", node="z9", act="add"))


def test_two_algorithms_and_an_opponent_who_errs_are_in_the_address(client: Any) -> None:
    page = lab(client, figure="figure-6.2", beside="minimax", step=14).text
    assert 'id="b-tree"' in page and "Step 14 of 30" in page and "Step 14 of 26" in page
    page = lab(client, figure="otherwise", min_as="model", odds="0.8", step=99).text
    assert "1 of 1 decision changes" in page and "right (18.1)" in page
    assert "All 3 decisions stay" in lab(client, figure="otherwise", leaves="affine:2,1").text
    assert "write the probabilities" in sentence(lab(client, figure="otherwise", min_as="given"))
    assert "sum to 1.2" in sentence(lab(client, figure="otherwise", min_as="given", odds="0.6,0.6"))


def test_players_have_shapes_of_their_own_and_only_the_mover_a_bound(client: Any) -> None:
    page = lab(client, figure="three-players", step=12).text
    assert "◆ C" in page and 'class="pw-diamond' in page
    assert "(6, 1, ≥2)" in page and "≥(" not in page


def test_simulations_show_their_upper_confidence_bounds(client: Any) -> None:
    data = data_of(lab(client, figure="figure-6.2", algorithm="mcts", simulations=5))
    notes = [note for step in data["steps"] for _, shown in step["changes"] for note in shown[2]]
    assert any(re.fullmatch(r"2 visits, UCB -?[\d.]+", note) for note in notes) and "UCB ∞" in notes
