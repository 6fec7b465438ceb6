"""The room of decisions: figures of lotteries, dialogues that stand in their address, contradictions, the pump."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plywright.errors import BadInput
from plywright.utility import Elicitation, Person, utility_function
from plywright.web.decisions import allais, axioms
from plywright.web.decisions.dialogue import Dialogue
from plywright.web.decisions.figures import check_size, figure
from plywright.web.fields import Fields

TALK = {"worst": "0", "best": "1000", "prizes": "250, 500, 750", "precision": "1/16"}


def words(answer: Any) -> str:
    """The text of a page as people read it."""
    assert answer.status_code == 200
    return " ".join(unescape(re.sub(r"<svg.*?</svg>|<[^>]+>", " ", answer.text, flags=re.S)).split())


# -- lotteries ----------------------------------------------------------------------------------------------------


def test_a_lottery_has_its_certainty_equivalent_and_premium(client: Any) -> None:
    page = words(client.get("/decisions"))
    for told in (
        "expected value 500",
        "expected utility 0.5",
        "certainty equivalent 400",
        "risk premium 100",
        "Risk-averse",
    ):
        assert told in page
    assert "the person gives up 100" in page and "pays up to 600" in page
    assert client.get("/decisions").text.count("<svg") == 2


def test_two_lotteries_are_compared_by_taste_and_by_dominance(client: Any) -> None:
    given = {"lottery": "[0.5, 9; 0.5, 1]", "other": "[0.5, 10; 0.5, 0]"}
    assert "Both are equally good The first dominates to the second order" in words(
        client.get("/decisions", params=given)
    )
    averse = words(client.get("/decisions", params=given | {"utility": "cara:0.1"}))
    assert "The first is better under cara:0.1" in averse
    better = {"lottery": "[1, 3]", "other": "[0.5, 4; 0.5, 3]"}
    assert "The second dominates to the first order" in words(client.get("/decisions", params=better))
    taste = {"lottery": "[0.8, 4000; 0.2, 0]", "other": "[1, 3000]"}
    assert "Neither dominates" in words(client.get("/decisions", params=taste))
    same = {"lottery": "[0.5, 1; 0.5, 2]", "other": "[0.5, 2; 0.5, 1]"}
    assert "They are the same lottery" in words(client.get("/decisions", params=same))


def test_a_lottery_is_put_together_line_by_line(client: Any) -> None:
    lines = {"p1": "0.25", "x1": "100", "p2": "3/4", "x2": "$2k", "p3": "", "x3": "", "utility": "crra:2"}
    answer = client.get("/decisions", params=lines, follow_redirects=False)
    assert answer.status_code == 303
    kept = parse_qs(urlsplit(answer.headers["location"]).query)
    assert kept == {"lottery": ["[0.25, 100; 3/4, $2k]"], "utility": ["crra:2"]}
    assert "expected value 1,525" in words(client.get("/decisions", params=lines))
    assert client.get("/decisions", params={"p1": "0.5"}).status_code == 400


def test_prizes_with_names_have_utilities_but_no_curve(client: Any) -> None:
    given = {"lottery": "[0.3, ticket; 0.7, dinner]", "utility": "table:ticket=1,dinner=0.4"}
    page = client.get("/decisions", params=given)
    assert "expected utility 0.58" in words(page) and 'id="curve"' not in page.text


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"lottery": "[0.2, 3000; 0.75, 0]"}, "the probabilities sum to 0.95"),
        ({"lottery": "[0.5, 1000"}, "is no lottery"),
        ({"lottery": " "}, "there is no lottery yet"),
        ({"lottery": "[1, 5]", "utility": "loud"}, "there is no utility function"),
        ({"lottery": "[0.5, -5; 0.5, 5]", "utility": "log"}, "a debt"),
        ({"lottery": "x" * 700}, "too long"),
    ],
)
def test_mistakes_in_lotteries_are_told(client: Any, given: dict[str, str], told: str) -> None:
    answer = client.get("/decisions", params=given)
    assert answer.status_code == 400 and told in unescape(answer.text)


def test_figures_are_written_for_people() -> None:
    assert [figure(x) for x in (None, 0.5, -1525, 123456.789, float("-inf"), 2 / 3)] == [
        "",
        "0.5",
        "−1,525",
        "123,456.79",
        "−∞",
        "0.666667",
    ]


# -- elicitation --------------------------------------------------------------------------------------------------


def link(page: str, name: str) -> str:
    found = re.search(rf'id="{name}"[^>]*?href="([^"]*)"', page)
    assert found is not None, name
    return unescape(found[1])


def test_following_the_links_finds_a_persons_curve(client: Any) -> None:
    person, elicitation = Person(utility_function("crra:0.5")), Elicitation(0, 1000, [250, 500, 750], precision="1/16")
    page = client.get("/decisions/elicit", params=TALK).text
    while elicitation.question is not None:
        choice = person.choose(elicitation.question)
        page = client.get(link(page, choice)).text
        elicitation.answer(choice)
    assert "This is your curve" in page and "<b>risk-averse</b>" in page
    download = client.get(link(page, "download"))
    assert "attachment" in download.headers["content-disposition"]
    assert Elicitation.from_json(download.text).utilities == elicitation.utilities
    used = words(client.get(link(page, "use")))
    assert "Risk-averse" in used


def test_answers_that_exclude_each_other_are_told_and_either_can_hold(client: Any) -> None:
    given = TALK | {"prizes": "500", "precision": "1/8"}
    page = client.get("/decisions/elicit", params=given | {"answers": "pls"}).text
    dialogue = Dialogue(Fields(given | {"answers": "pll"}))
    assert dialogue.elicitation.question is not None and dialogue.elicitation.question.again
    page = client.get(dialogue.answering("p")).text
    assert "contradicts an earlier answer" in page
    kept, changed = client.get(link(page, "old")), client.get(link(page, "new"))
    assert "This is your curve" in kept.text and "These exclude" not in changed.text
    assert Dialogue(Fields(given | {"answers": "pllP"})).elicitation.replies[-1].choice == "prize"
    assert dialogue.left == 1 and Dialogue(Fields(given)).left >= 3


def test_things_with_names_can_be_asked_about(client: Any) -> None:
    page = client.get(
        "/decisions/elicit", params={"worst": "walk", "best": "sea", "prizes": "book", "precision": "1/8"}
    ).text
    assert "<b>book</b> for certain" in page
    for _ in range(9):
        if "This is your curve" in page:
            break
        page = client.get(link(page, "lottery")).text
    assert "This is your curve" in page and 'id="use"' not in page


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"prizes": ""}, "nothing to ask about"),
        ({"prizes": "5000"}, "must lie between"),
        ({"answers": "x"}, "is no answer"),
        ({"prizes": "500", "precision": "1/8", "answers": "pllll"}, "more answers in this address"),
        ({"prizes": ",".join(map(str, range(1, 20)))}, "too many"),
        ({"precision": "1/3"}, "precision cannot be"),
        ({"best": "inf"}, "finite"),
    ],
)
def test_mistakes_in_a_talk_are_told(client: Any, given: dict[str, str], told: str) -> None:
    for path in ("/decisions/elicit", "/decisions/elicit.json"):
        answer = client.get(path, params=TALK | given)
        assert answer.status_code == 400 and told in unescape(answer.text)


# -- Allais and the axioms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("one", ["A", "B", "same"])
@pytest.mark.parametrize("two", ["C", "D", "same"])
def test_allais_answers_fit_where_both_say_the_same(client: Any, one: str, two: str) -> None:
    fits = (one, two) in (("A", "C"), ("B", "D"), ("same", "same"))
    found = allais.finding(one, two)
    assert found.consistent == fits and found.usual == ((one, two) == ("B", "C"))
    page = words(client.get("/decisions/allais", params={"one": one, "two": two}))
    assert ("Your answers fit together" in page) == fits
    if not fits:
        assert "substitutability" in page and "C is [0.25, A; 0.75, 0]" in page
    assert client.get("/decisions/allais", params={"two": two}).status_code == 400


def test_the_money_pump_takes_the_whole_purse(client: Any) -> None:
    found = axioms.check("A > B\nB > C\nC > A", "", 30)
    assert [trade.purse for trade in found.trades] == [70, 40, 10] and found.trades[-1].trader == 90
    assert (found.trades[-1].receives, found.verdict.axiom) == (found.pump.holding, "transitivity")  # type: ignore[union-attr]
    page = client.get("/decisions/axioms", params={"said": "A > B|B > C|C > A", "price": 30, "step": 3})
    assert "back where it began, and poorer" in words(page) and "10 cents" in words(page)
    assert "3 of 3 trades" in words(page)
    begun = client.get("/decisions/axioms", params={"said": "A > B|B > C|C > A", "price": 30})
    assert "0 of 3 trades" in words(begun)


def test_the_smallest_contradiction_is_shown_with_its_axiom(client: Any) -> None:
    long = axioms.EXAMPLES[3]
    page = words(client.get("/decisions/axioms", params={"said": long.said}))
    assert "(5 of 7)" in page and "It breaks transitivity" in page
    mixed = axioms.EXAMPLES[2]
    page = words(client.get("/decisions/axioms", params={"said": mixed.said}))
    assert "It breaks monotonicity" in page and "no circle" in page
    fine = axioms.EXAMPLES[4]
    page = words(client.get("/decisions/axioms", params={"said": fine.said}))
    assert "Consistent" in page and "pear 0.5" in page


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"said": "A >= B"}, "is no comparison"),
        ({"said": ""}, "nothing to check"),
        ({"said": "A > B\n" * 41}, "too many lines"),
        ({"said": "A > B", "let": "A=[0.5, 1]"}, "sum to 0.5"),
        ({"said": "A > B", "price": "0"}, "price must be from 1"),
        ({"said": "A > B", "step": "-1"}, "step must be"),
    ],
)
def test_mistakes_in_preferences_are_told(client: Any, given: dict[str, str], told: str) -> None:
    answer = client.get("/decisions/axioms", params=given)
    assert answer.status_code == 400 and told in unescape(answer.text)


def test_lotteries_that_double_and_double_are_refused_before_they_are_made() -> None:
    doubling = ["L0=[1/2, 1; 1/2, 2]", *(f"L{n + 1}=[1/2, L{n}; 1/2, L{n}]" for n in range(40))]
    with pytest.raises(BadInput, match="too large"):
        axioms.check("L40 > 1", "\n".join(doubling[:40]), 1)
    with pytest.raises(BadInput, match="too large"):
        check_size([], ["[1, 1;" * 2000])


def test_micromorts_compare_activities(client: Any) -> None:
    assert "1 scuba dive: 5 micromorts As risky as 1,150 miles by car" in words(client.get("/decisions/micromorts"))
    half = client.get("/decisions/micromorts", params={"activity": "everest", "amount": "0.5", "instead": "train"})
    assert "19,000 micromorts" in words(half)
    assert client.get("/decisions/micromorts", params={"activity": "chess"}).status_code == 400


def test_every_example_of_the_room_answers(client: Any) -> None:
    for path in ("/decisions", "/decisions/elicit", "/decisions/allais", "/decisions/axioms", "/decisions/micromorts"):
        for found in re.findall(r'href="(/decisions[^"]*)"', client.get(path).text):
            assert client.get(unescape(found)).status_code == 200, found


STRANGE = st.text(alphabet="abAB09-+.<>~&;,=[]:/ \n%$é\x00\"'", max_size=30)
GIVEN = {
    "lottery": st.sampled_from(["[0.5, 1000; 0.5, 0]", "[1, -5]", "[0.5, 1e300; 0.5, 0]", "ticket"]) | STRANGE,
    "other": st.sampled_from(["", "[1, 400]"]) | STRANGE,
    "utility": st.sampled_from(["log", "crra:2", "cara:5", "cara:-9", "quadratic:1", "s-shaped", "piecewise:0=0,1=1"])
    | STRANGE,
    "wealth": st.sampled_from(["", "1000", "-1"]) | STRANGE,
    "p1": STRANGE,
    "x1": STRANGE,
    "worst": st.sampled_from(["0", "-10"]) | STRANGE,
    "best": st.sampled_from(["1000", "1e300"]) | STRANGE,
    "prizes": st.sampled_from(["250, 500", "a, b"]) | STRANGE,
    "precision": st.sampled_from(["1/8", "1/64"]) | STRANGE,
    "answers": st.text(alphabet="plsPLSo", max_size=20) | STRANGE,
    "one": st.sampled_from(["A", "B", "same"]) | STRANGE,
    "two": st.sampled_from(["C", "D", "same"]) | STRANGE,
    "said": st.sampled_from(["A > B|B > A", "1 > 2|A ~ B", "[0.5, 1; 0.5, 2] > 3"]) | STRANGE,
    "let": st.sampled_from(["A=[1, 5]", "B=[0.5, A; 0.5, 1]"]) | STRANGE,
    "price": st.sampled_from(["5"]) | STRANGE,
    "step": st.sampled_from(["0", "2", "99"]) | STRANGE,
    "activity": st.sampled_from(["car", "foot"]) | STRANGE,
    "amount": st.sampled_from(["0", "2.5", "1e6"]) | STRANGE,
}
NEEDED = {
    "/decisions": ("lottery", "other", "utility", "wealth", "p1", "x1"),
    "/decisions/elicit": ("worst", "best", "prizes", "precision", "answers"),
    "/decisions/elicit.json": ("worst", "best", "prizes", "precision", "answers"),
    "/decisions/allais": ("one", "two"),
    "/decisions/axioms": ("said", "let", "price", "step"),
    "/decisions/micromorts": ("activity", "amount"),
}


@pytest.mark.parametrize("path", NEEDED)
def test_no_address_is_a_fault_of_ours(client: Any, path: str) -> None:
    fields = {name: GIVEN[name] for name in NEEDED[path]}

    @settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(given=st.fixed_dictionaries({}, optional=fields))
    def ask(given: dict[str, str]) -> None:
        assert client.get(f"{path}?{urlencode(given)}").status_code in (200, 400)

    ask()


# -- in a browser -------------------------------------------------------------------------------------------------


def test_the_elicitation_is_driven_to_its_end_by_clicking(browse: Any, accessible: Any) -> None:
    page = browse("/decisions/elicit")
    page.fill("input[name=prizes]", "300, 600")
    page.select_option("select[name=precision]", "1/8")
    page.click("text=Begin")
    page.wait_for_selector("#prize")
    accessible(page)
    person, elicitation = Person(utility_function("crra:0.5")), Elicitation(0, 1000, [300, 600], precision="1/8")
    first = page.url
    while elicitation.question is not None:
        choice = person.choose(elicitation.question)
        elicitation.answer(choice)
        page.click(f"#{choice}")
        page.wait_for_function(
            "count => document.querySelectorAll('.said li').length === count", arg=len(elicitation.replies)
        )
        if len(elicitation.replies) == 1:
            page.go_back()
            page.wait_for_function("() => document.querySelectorAll('.said li').length === 0")
            assert page.url == first
            page.go_forward()
            page.wait_for_function("() => document.querySelectorAll('.said li').length === 1")
    page.wait_for_selector("#finished")
    shown = page.locator("#ranges tbody tr td:nth-child(2)").all_inner_texts()
    assert shown == [f"{float(value):.3f}" for value in elicitation.utilities.values()]
    with page.expect_download() as download:
        page.click("#download")
    kept = download.value.path().read_text(encoding="utf-8")
    assert json.loads(kept)["format"] == "plywright-elicitation" and Elicitation.from_json(kept).finished
    page.reload()
    page.wait_for_selector("#finished")
    accessible(page)


def test_a_contradiction_is_settled_by_clicking(browse: Any) -> None:
    page = browse("/decisions/elicit?" + urlencode(TALK | {"prizes": "500", "precision": "1/8", "answers": "pll"}))
    page.click("#prize")
    page.wait_for_selector("#conflict")
    assert "contradicts an earlier answer" in page.inner_text("#conflict")
    page.click("#new")
    page.wait_for_selector("#conflict", state="detached")
    assert page.locator(".said li").count() < 4


def test_allais_in_a_browser(browse: Any, accessible: Any) -> None:
    page = browse("/decisions/allais", color_scheme="dark")
    accessible(page)
    page.click("#choose-B")
    page.wait_for_selector("#choose-C")
    page.click("#choose-C")
    page.wait_for_selector("#axiom")
    assert "substitutability" in page.inner_text("#axiom")
    accessible(page)
    page.go_back()
    page.wait_for_selector("#choose-D")
    page.click("#choose-D")
    page.wait_for_selector("text=Your answers fit together")


def test_the_money_pump_steps_and_plays(browse: Any, accessible: Any) -> None:
    page = browse("/decisions/axioms", width=390)
    page.fill("textarea[name=said]", "a > b\nb > c\nc > a")
    page.fill("input[name=price]", "30")
    page.click("text=Check")
    page.wait_for_selector("text=0 of 3 trades")
    page.click("#pump-next")
    page.wait_for_selector("text=1 of 3 trades")
    assert "70 cents" in page.inner_text("#pump-words")
    page.click("#pump-play")
    page.wait_for_selector("text=3 of 3 trades")
    assert "10 cents" in page.inner_text("#pump-words") and "step=3" in page.url
    page.wait_for_selector("#pump-play:disabled")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    accessible(page)
    page.go_back()
    page.wait_for_selector("text=0 of 3 trades")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_other_parts_are_accessible(browse: Any, accessible: Any, scheme: str) -> None:
    page = browse("/decisions", color_scheme=scheme)
    accessible(page)
    page.click("text=Put a lottery together")
    page.fill("input[name=x1]", "800")
    page.click("text=Use these lines")
    page.wait_for_selector("#figures td:has-text('800')")
    for path in ("/decisions/axioms", "/decisions/micromorts", "/decisions/allais?one=B&two=C"):
        page.goto(path)
        accessible(page)
