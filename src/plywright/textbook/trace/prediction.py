"""Questions about what a search does next, whose answers are in its trace.

    for question in pruned_next(trace):
        question.words, question.right      # "Which leaf is pruned next?" and the nodes that are right

A question is asked after `at` steps and answered by step `step`.
"""

from __future__ import annotations

from typing import NamedTuple

from ...draw.tree import value_text, vector_text
from .picture import window_text
from .step_text import joined
from .trace import PRUNED, UNSEEN, Trace, TraceNode, View

MOST_NAMED = 6
"""More leaves than this are counted, not named."""


class Question(NamedTuple):
    """One question: the nodes that answer it, none where that is the answer, and why."""

    at: int  # steps done when it is asked
    step: int  # the step that shows the answer
    node: int  # what it is about
    words: str
    right: tuple[int, ...]
    why: str


def pruned_next(trace: Trace) -> list[Question]:
    """Which leaf is pruned next: asked at the beginning and after every cutoff, in each round anew.

    Right are all the leaves (and subtrees not listed) that the next cutoff prunes; none after the last.
    """
    begins = [number for number, step in enumerate(trace.steps, 1) if step.kind == "begin"]
    rounds = list(zip(begins or [0], [*begins[1:], len(trace) + 1], strict=False))
    found = []
    for begin, end in rounds:
        asked = begin
        for number in range(begin + 1, end):
            step = trace.steps[number - 1]
            if step.cut is None:
                continue
            right = _lowest(trace, [node for node, view in step.changes if view.status == PRUNED])
            words = _which(trace, asked, len(rounds) > 1)
            found.append(Question(asked, number, step.cut.node, words, tuple(right), _told(trace, number, right)))
            asked = number
        last = min(end - 1, len(trace))
        if asked < last:
            words = _which(trace, asked, len(rounds) > 1)
            why = "No further leaf is pruned: all the others are looked at." if found else "No leaf is pruned."
            found.append(Question(asked, last, 0, words, (), why))
    return found


def looked_at(trace: Trace) -> list[Question]:
    """Whether the next move of a node is looked at: asked after every value that comes back to it.

    Right is the move itself where it is looked at, and nothing where it is pruned.
    """
    views = [View()] * len(trace.nodes)
    found = []
    for number, step in enumerate(trace.steps, 1):
        for node, view in step.changes:
            views[node] = view
        if step.kind != "back-up" or number == len(trace):
            continue
        after, here = trace.steps[number], trace.nodes[step.node].path
        if after.kind == "cut" and after.node == step.node and after.cut is not None:
            child, right = after.cut.pruned[0], tuple[int, ...]()
            why = f"It is pruned: {after.cut.reason}."
        elif after.node in trace.nodes[step.node].children and views[after.node].status == UNSEEN:
            child, right = after.node, (after.node,)
            why = f"It is looked at: there is no cutoff at {here} now{_open_window(trace, views[step.node])}."
        else:
            continue
        words = f"{step.words.rstrip('.')}. Will the search look at {trace.nodes[child].path} now, or leave {here}?"
        found.append(Question(number, number + 1, child, words, right, why))
    return found


def _which(trace: Trace, asked: int, rounds: bool) -> str:
    done = trace.steps[asked - 1].cut is not None if asked else False
    where = " in this round" if rounds else ""
    return f"Which leaf is pruned {'next' if done else 'first'}{where}?"


def _told(trace: Trace, number: int, right: list[int]) -> str:
    cut = trace.steps[number - 1].cut
    assert cut is not None
    names = [leaf_text(trace.nodes[node]) for node in right]
    if len(names) > MOST_NAMED:
        names = [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} more"]
    verb = "is" if len(names) == 1 else "are"
    return f"{joined(names)} {verb} pruned, at step {number}: {cut.reason}."


def leaf_text(node: TraceNode) -> str:
    """A leaf by its path and its value."""
    if node.value is None:
        return f"what lies below {node.path}"
    return f"{node.path} ({vector_text(node.values) if node.values else value_text(node.value)})"


def _lowest(trace: Trace, nodes: list[int]) -> list[int]:
    """Those of the nodes below which none of them is."""
    among = set(nodes)
    return [node for node in nodes if among.isdisjoint(trace.nodes[node].children)]


def _open_window(trace: Trace, view: View) -> str:
    if view.window is None or trace.each_for_itself:
        return ""
    return f", since {window_text(view.window).replace(' ', ' is still below ')}"
