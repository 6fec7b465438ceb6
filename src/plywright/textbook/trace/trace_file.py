"""Traces as JSON: written by `write_trace`, read and checked by `read_trace`. Infinities are text."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from ...errors import BadInput
from ...number import is_real, is_whole
from .trace import CUTS, KINDS, SIDES, STATUSES, Cut, Step, Trace, TraceNode, View

FORMAT, VERSION = "plywright-trace", 2
_Item = TypeVar("_Item")


def write_trace(trace: Trace) -> str:
    """The whole trace; one line per node and per step, so that it can be read and compared."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "algorithm": trace.algorithm,
        "title": trace.title,
        "game": trace.game,
        "players": list(trace.players),
        "pseudocode": list(trace.pseudocode),
    }
    rows = [f"  {_dump(key)}: {_dump(value)}," for key, value in head.items()]
    nodes = ",\n".join(f"    {_dump(_node_out(node))}" for node in trace.nodes)
    steps = ",\n".join(f"    {_dump(_step_out(step))}" for step in trace.steps)
    body = "\n".join(rows)
    return f'{{\n{body}\n  "nodes": [\n{nodes}\n  ],\n  "steps": [\n{steps}\n  ]\n}}\n'


def read_trace(text: str) -> Trace:
    """The trace in a text; raises BadInput, in one sentence that says where, if it is none."""
    try:
        source = json.loads(text, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise BadInput(f"line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})") from None
    except RecursionError:
        raise BadInput("this is no Plywright trace: it is nested too deeply") from None
    if not isinstance(source, dict) or source.get("format") != FORMAT:
        raise BadInput(f"this is no Plywright trace: its 'format' should be {FORMAT!r}")
    if source.get("version") != VERSION:
        raise BadInput(f"this trace has version {source.get('version')!r}; this Plywright reads version {VERSION}")
    whole = _Reader(source, "the trace")
    nodes = tuple(_node_in(_Reader(item, f"nodes[{i}]"), i) for i, item in enumerate(whole.list("nodes", dict)))
    _check_tree(nodes)
    lines = whole.list("pseudocode", str)
    given = enumerate(whole.list("steps", dict))
    steps = tuple(_step_in(_Reader(item, f"steps[{i}]"), nodes, len(lines)) for i, item in given)
    if not steps:
        raise BadInput("the trace has no steps")
    players = whole.list("players", str)
    if not players:
        raise BadInput("the trace must name its 'players'")
    names = [whole.text(key) for key in ("algorithm", "title", "game")]
    return Trace(names[0], names[1], names[2], tuple(players), tuple(lines), nodes, steps)


# -- out --------------------------------------------------------------------------------------------------


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _number_out(value: float | None) -> float | int | str | None:
    if value is None:
        return None
    if not math.isfinite(value):
        return str(value)
    return int(value) if value == int(value) and abs(value) < 2**53 else value


def _window_out(window: tuple[float, float] | None) -> list[Any] | None:
    return None if window is None else [_number_out(window[0]), _number_out(window[1])]


def _node_out(node: TraceNode) -> dict[str, Any]:
    return {
        "parent": node.parent,
        "action": node.action,
        "move": node.move,
        "path": node.path,
        "side": node.side,
        "value": _number_out(node.value),
        "more": node.more,
        "children": list(node.children),
        "chance": _number_out(node.chance),
        "values": [_number_out(value) for value in node.values],
        "player": node.player,
    }


def _view_out(view: View) -> dict[str, Any]:
    return {
        "status": view.status,
        "entry": _window_out(view.entry),
        "window": _window_out(view.window),
        "interval": _window_out(view.interval),
        "value": _number_out(view.value),
        "best": view.best,
        "reason": view.reason,
        "cutoff": view.cutoff,
        "values": [_number_out(value) for value in view.values],
        "ties": list(view.ties),
    }


def _step_out(step: Step) -> dict[str, Any]:
    cut = step.cut
    return {
        "kind": step.kind,
        "node": step.node,
        "lines": list(step.lines),
        "words": step.words,
        "nodes": step.nodes,
        "leaves": step.leaves,
        "cuts": step.cuts,
        "cut": None
        if cut is None
        else {
            "node": cut.node,
            "kind": cut.kind,
            "deep": cut.deep,
            "by": cut.by,
            "value": _number_out(cut.value),
            "bound": _number_out(cut.bound),
            "reason": cut.reason,
            "pruned": list(cut.pruned),
        },
        "changes": [[node, _view_out(view)] for node, view in step.changes],
    }


# -- in ---------------------------------------------------------------------------------------------------


def _constant(word: str) -> NoReturn:
    raise BadInput(f"the trace has a bare {word}; infinities are written as the texts 'inf' and '-inf'")


class _Reader:
    """Reads the fields of one JSON object, each checked, with the place in every complaint."""

    def __init__(self, source: Any, where: str) -> None:
        if not isinstance(source, dict):
            raise BadInput(f"{where} must be an object, not {source!r}")
        self.source, self.where = source, where

    def bad(self, key: str, wanted: str) -> BadInput:
        found = repr(self.source[key])[:60] if key in self.source else "nothing"
        return BadInput(f"{self.where}: {key!r} must be {wanted}, not {found}")

    def text(self, key: str, among: tuple[str, ...] = ()) -> str:
        value = self.source.get(key)
        if not isinstance(value, str) or (among and value not in among):
            raise self.bad(key, f"one of {', '.join(among)}" if among else "a text")
        return value

    def whole(self, key: str, low: int, high: int | None = None) -> int:
        return self.check_whole(key, self.source.get(key), low, high)

    def check_whole(self, key: str, value: Any, low: int, high: int | None) -> int:
        if not is_whole(value) or value < low or (high is not None and value >= high):
            limit = f" and below {high}" if high is not None else ""
            raise self.bad(key, f"a whole number of at least {low}{limit}")
        return value

    def number(self, key: str) -> float:
        return self.check_number(key, self.source.get(key))

    def check_number(self, key: str, value: Any) -> float:
        if value in ("inf", "-inf"):
            return float(value)
        if not is_real(value):
            raise self.bad(key, "a number, 'inf' or '-inf'")
        return float(value)

    def window(self, key: str) -> tuple[float, float]:
        value = self.source.get(key)
        if not isinstance(value, list) or len(value) != 2:
            raise self.bad(key, "two numbers")
        return self.check_number(key, value[0]), self.check_number(key, value[1])

    def flag(self, key: str) -> bool:
        value = self.source.get(key)
        if not isinstance(value, bool):
            raise self.bad(key, "true or false")
        return value

    def list(self, key: str, kind: type[_Item]) -> list[_Item]:
        value = self.source.get(key)
        if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
            raise self.bad(key, f"a list of {'objects' if kind is dict else 'texts'}")
        return value

    def wholes(self, key: str, high: int | None) -> tuple[int, ...]:
        value = self.source.get(key)
        if not isinstance(value, list):
            raise self.bad(key, "a list of whole numbers")
        return tuple(self.check_whole(key, item, 0, high) for item in value)

    def numbers(self, key: str) -> tuple[float, ...]:
        value = self.source.get(key)
        if not isinstance(value, list):
            raise self.bad(key, "a list of numbers")
        return tuple(self.check_number(key, item) for item in value)

    def optional(self, key: str, read: Callable[[str], _Item]) -> _Item | None:
        return None if self.source.get(key) is None else read(key)


def _node_in(item: _Reader, number: int) -> TraceNode:
    return TraceNode(
        number=number,
        parent=item.whole("parent", -1, max(number, 0)),
        action=item.whole("action", -1),
        move=item.text("move"),
        path=item.text("path"),
        side=item.text("side", SIDES),
        value=item.optional("value", item.number),
        more=item.text("more"),
        children=item.wholes("children", None),
        chance=item.optional("chance", item.number),
        values=item.numbers("values"),
        player=item.text("player"),
    )


def _check_tree(nodes: tuple[TraceNode, ...]) -> None:
    """Every node but the root is the child of its parent, once."""
    if not nodes:
        raise BadInput("the trace has no nodes")
    below: dict[int, list[int]] = {}
    for node in nodes[1:]:
        below.setdefault(node.parent, []).append(node.number)
    for node in nodes:
        if (node.parent == -1) is not (node.number == 0):
            raise BadInput(f"nodes[{node.number}]: only the first node is the root, with 'parent' -1")
        if sorted(node.children) != below.get(node.number, []):
            raise BadInput(f"nodes[{node.number}]: its 'children' are not the nodes whose 'parent' it is")


def _step_in(item: _Reader, nodes: tuple[TraceNode, ...], lines: int) -> Step:
    changes = item.source.get("changes")
    if not isinstance(changes, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in changes):
        raise item.bad("changes", "a list of pairs")
    cut = item.source.get("cut")
    return Step(
        kind=item.text("kind", KINDS),
        node=item.whole("node", 0, len(nodes)),
        lines=item.wholes("lines", lines),
        words=item.text("words"),
        nodes=item.whole("nodes", 0),
        leaves=item.whole("leaves", 0),
        cuts=item.whole("cuts", 0),
        cut=None if cut is None else _cut_in(_Reader(cut, f"{item.where}.cut"), len(nodes)),
        changes=tuple(_change_in(item, node, view, nodes) for node, view in changes),
    )


def _change_in(item: _Reader, number: Any, source: Any, nodes: tuple[TraceNode, ...]) -> tuple[int, View]:
    number = item.check_whole("changes", number, 0, len(nodes))
    view = _view_in(_Reader(source, f"{item.where}.changes"), len(nodes))
    if view.best is not None and view.best not in nodes[number].children:
        raise BadInput(f"{item.where}.changes: 'best' must be a child of node {number}, not {view.best}")
    return number, view


def _cut_in(item: _Reader, nodes: int) -> Cut:
    return Cut(
        node=item.whole("node", 0, nodes),
        kind=item.text("kind", CUTS),
        deep=item.flag("deep"),
        by=item.whole("by", 0, nodes),
        value=item.number("value"),
        bound=item.number("bound"),
        reason=item.text("reason"),
        pruned=item.wholes("pruned", nodes),
    )


def _view_in(item: _Reader, nodes: int) -> View:
    low, high = item.window("interval")
    best = item.source.get("best")
    return View(
        status=item.text("status", STATUSES),
        entry=item.optional("entry", item.window),
        window=item.optional("window", item.window),
        low=low,
        high=high,
        value=item.optional("value", item.number),
        best=None if best is None else item.whole("best", 0, nodes),
        reason=item.text("reason"),
        cutoff=item.text("cutoff"),
        values=item.numbers("values"),
        ties=item.wholes("ties", nodes),
    )
