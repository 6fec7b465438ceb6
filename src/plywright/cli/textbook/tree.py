"""`plywright tree`: a textbook algorithm, step by step."""

from __future__ import annotations

import json as jsonlib
import re
from pathlib import Path

from ...draw.tree import vector_text
from ...errors import BadInput, PlywrightError
from ...files import write_whole
from ...game import Game
from ...games import load_game
from ...games.trees.changes import changed
from ...games.trees.explicit_tree import ExplicitTree
from ...textbook import algorithm as find_algorithm
from ...textbook import usual
from ..console import mover_text, out, place, print_json, value_text, worth_text
from .grown import show_grown


def show_tree(
    name: str,
    algorithm: str | None,
    state_text: str | None,
    moves: str | None,
    roll: str | None = None,
    *,
    depth: int | None,
    steps: bool,
    svg: Path | None,
    html: Path | None,
    json: bool,
    simulations: int | None = None,
    min_as: str = "min",
    leaves: str = "",
) -> None:
    game = read_tree(name)
    before = game
    if min_as != "min" or leaves:
        if not isinstance(game, ExplicitTree):
            raise BadInput(
                f"--min-as and --leaves change trees that are written out, not {game.name}; "
                f"`plywright compare {game.name} --opponent uniform` shows what an opponent at random changes"
            )
        game = changed(game, min_as=min_as, leaves=leaves)
    state = place(game, state_text, moves, roll)
    if algorithm == "mcts":
        show_grown(game, state, simulations, depth=depth, steps=steps, svg=svg, html=html, json=json)
        return
    if simulations is not None:
        raise BadInput(f"{algorithm or usual(game)} runs no simulations: --simulations is for --algorithm mcts")
    chosen = find_algorithm(usual(game, depth is not None) if algorithm is None else algorithm)
    result = chosen.run(game, state, depth=depth)
    trace = result.trace
    assert trace is not None
    for path, text in ((svg, trace.svg), (html, trace.html)):
        if path is not None:
            write_whole(path, text().encode())
    if json:
        over = game.is_terminal(state)
        data = {"game": game.name, "value": result.value} if over else result.as_dict(game, state)
        print_json({**data, "trace": jsonlib.loads(trace.to_json())})
        return
    if steps:
        out.print(trace.steps_text(), markup=False)
        out.print()
    if svg is None and html is None:
        out.print(trace.text(), markup=False)
        out.print()
    move = f"none: {mover_text(game, state)}" if result.action is None else game.format_action(state, result.action)
    worth = vector_text(result.values) if trace.view().values else worth_text(game, trace.view().value or 0.0)
    out.print(f"{chosen.title}: value {worth}, move {move}", markup=False)
    if result.note:
        out.print(result.note, markup=False)
    if len(result.tied) > 1:
        equal = " ".join(game.format_action(state, action) for action in result.tied)
        out.print(f"a tie: {equal} are worth the same to {game.player_name(int(game.to_move(state)))}", markup=False)
    if game is not before:
        out.print(_changed_text(before, game, chosen.name, state, move), markup=False)
    unseen = [node for node in trace.pruned if not node.children]
    stubs = sum(1 for node in unseen if node.more)
    parts = [f"{count(len(trace.examined), 'leaf', 'leaves')} examined", count(len(trace.cuts), "cutoff", "cutoffs")]
    parts.append(f"{count(len(unseen) - stubs, 'leaf', 'leaves')} never looked at")
    if stubs:
        parts.append(f"{count(stubs, 'subtree', 'subtrees')} never entered")
    out.print(", ".join(parts))
    for cut in trace.cuts[:20]:
        out.print(f"  {cut.kind} cutoff at {trace.nodes[cut.node].path}: {cut.reason}", markup=False)
    for path in (svg, html):
        if path is not None:
            out.print(f"wrote {path}", markup=False)


def _changed_text(before: Game, after: Game, algorithm: str, state: int, move: str) -> str:
    """What the decision was in the tree as it is written."""
    if before.is_terminal(state) or before.at_chance(state):
        return "the tree is changed as --min-as and --leaves say"
    usable = algorithm if _takes(algorithm, before) else usual(before)
    found = find_algorithm(usable).run(before, state)
    old = before.format_action(state, found.action) if found.action is not None else "none"
    verdict = "the decision is the same" if old == move else "the decision is another"
    return f"as it is written: value {value_text(found.value)}, move {old} ({usable}): {verdict}"


def _takes(algorithm: str, game: Game) -> bool:
    try:
        find_algorithm(algorithm).check(game, None, None)
    except PlywrightError:
        return False
    return True


def read_tree(text: str) -> Game:
    """A tree typed on the command line, a figure, a file or a game."""
    typed = re.match(r"""\s*([\[{(]|["\w]+\s*(~\S+)?[\[(])""", text) and not Path(text).is_file()
    if not typed:
        return load_game(text)
    try:
        return ExplicitTree(text)
    except BadInput as error:
        raise BadInput(f"the tree cannot be read: {error}") from None


def count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
