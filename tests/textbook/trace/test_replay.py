"""The one-file replay: self-contained, safe with any names, and its data replays to the trace's frames."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.games.trees.random_tree import RandomTree
from plywright.textbook import run
from plywright.textbook.trace.picture import show
from plywright.textbook.trace.trace import Trace


class Page(HTMLParser):
    """Collects elements, attributes and the embedded data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.data = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "path"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1] == ("script", {"type": "application/json", "id": "data"}):
            self.data += data

    def having(self, attribute: str) -> set[str]:
        return {str(attributes[attribute]) for _, attributes in self.elements if attribute in attributes}


def traced(tree: Any, name: str = "alphabeta", **options: Any) -> Trace:
    trace = run(name, tree, **options).trace
    assert trace is not None
    return trace


def test_the_page_asks_for_nothing_from_outside() -> None:
    text = traced(ExplicitTree.figure("figure-6.2")).html()
    page = Page(text)
    assert not page.having("src") and not page.having("href") and not page.having("xlink:href")
    assert not any(tag in ("link", "iframe", "object", "img") for tag, _ in page.elements)
    addresses = set(re.findall(r"[a-z]+://[^\s\"'<]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}, "only the name of a name space"
    assert "url(" not in text and "@import" not in text and "fetch(" not in text
    assert "default-src 'none'" in text


def test_the_page_has_its_controls_and_every_line_of_pseudocode() -> None:
    trace = traced(ExplicitTree.figure("figure-6.2"))
    page = Page(trace.html())
    assert {"first", "back", "play", "next", "last", "slider", "jump", "speed"} <= page.having("id")
    lines = [attributes for tag, attributes in page.elements if tag == "li" and "data-number" in attributes]
    assert len(lines) == len(trace.pseudocode)
    assert page.open == [], "every element is closed"
    assert {f"n{node.number}" for node in trace.nodes} <= page.having("id")
    buttons = [attributes for tag, attributes in page.elements if tag == "button"]
    assert all("tabindex" not in attributes for attributes in buttons), "buttons are reachable by keyboard as they are"


def test_the_data_replays_to_the_frames_of_the_trace() -> None:
    for trace in (
        traced(ExplicitTree.figure("two-cutoffs")),
        traced(RandomTree(3, 3, 4), "iterative-deepening", depth=3),
        traced(ExplicitTree.figure("figure-6.2"), "minimax"),
    ):
        data = json.loads(Page(trace.html()).data)
        shown = {int(number): value for number, value in data["start"].items()}
        assert len(data["steps"]) == len(trace)
        best = {0, *(node.number for node in trace.line)}
        for step, frame in zip(data["steps"], list(trace.forwards())[1:], strict=True):
            shown.update(dict(step["changes"]))
            last = frame.number == len(trace)
            for number in range(len(trace.nodes)):
                expected = show(trace, frame.views, number, last and number in best)
                assert shown[number] == json.loads(json.dumps(expected)), (frame.number, number)
            assert frame.step is not None
            assert (step["words"], tuple(step["lines"]), step["node"]) == (
                frame.step.words, frame.step.lines, frame.step.node,
            )  # fmt: skip
            assert bool(step["cut"]) is (frame.step.cut is not None)


def test_names_can_contain_anything() -> None:
    nasty = "</script><script>alert(1)</script>"
    tree = ExplicitTree({nasty: {"<b>&amp;": 3, "'{{data}}'": 1}, "ok": [2, 4]}, name="<i>&{{tree}}")
    trace = traced(tree)
    text = trace.html()
    page = Page(text)
    assert [tag for tag, _ in page.elements].count("script") == 2
    tags = [tag for tag, _ in page.elements]
    harmless = [tag for tag, _ in Page(traced(ExplicitTree([[3, 1], [2, 4]])).html()).elements]
    assert tags.count("b") == harmless.count("b") and "i" not in tags
    assert nasty not in text and "alert(1)</script>" not in text
    assert any(nasty in step["words"] for step in json.loads(page.data)["steps"])
    assert "&lt;i&gt;&amp;{{tree}}" in text
    assert nasty not in trace.svg() and "&lt;/script&gt;" in trace.svg()


def test_a_large_trace_makes_a_page_of_bearable_size() -> None:
    trace = traced(RandomTree(6, 5, 1))
    assert len(trace.nodes) > 1000
    data = json.loads(Page(trace.html()).data)
    assert len(data["start"]) <= 500
    assert {step["node"] for step in data["steps"]} <= {int(number) for number in data["start"]}
