"""Cards on chance, on more than two players, and on opponents who are not perfect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from ...draw.bars import Bar, bar_picture
from ...draw.tree import chance_text, value_text
from ...games import load_game
from ...games.trees.changes import changed, decisions
from ...games.trees.explicit_tree import ExplicitTree
from ...textbook import algorithm, run
from .card import Card, Door, Figures
from .tree_cards import drawn, lab, leaves_of, searched, traced, tree_card, value

MAPPED = "1=1,2=20,3=30,4=400"
SIX_FIVE = "20:2 6:13 | 12:7 13:8 white 65"
OPENED = "31 8/5 6/5"
MODELLED = "max(left: (0.9: 10, 0.1: 10), right: (0.9: 9, 0.1: 100))"
CORRIDOR = "slippery-grid:layout=corridor,cost=1,slip=0"


def _values(tree: str, name: str, paths: tuple[str, ...]) -> list[str]:
    trace = traced(tree, name)
    return [value_text(round(trace.view(path).value or 0.0, 9)) for path in paths]


def _equal_chances() -> Figures:
    found = _values("equal-chances", "expectimax", ("a1", "a2", "a3"))
    sums = ("(3 + 12 + 9) / 3", "(2 + 4 + 6) / 3", "(15 + 6 + 0) / 3")
    return Figures(
        ", ".join(found), ("move", "arithmetic", "worth"), tuple(zip(("a1", "a2", "a3"), sums, found, strict=True))
    )


def _mapped() -> Figures:
    tree = ExplicitTree.figure("order-preserving")
    rows = []
    for words, leaves in (
        ("as it is", ""),
        ("2u + 1", "affine:2,1"),
        ("u²", "square"),
        ("1, 2, 3, 4 → 1, 20, 30, 400", MAPPED),
    ):
        found = changed(tree, leaves=leaves)
        (decision,) = decisions(tree, found)
        trace = algorithm("expectimax").run(found).trace
        assert trace is not None
        worth = [value_text(round(trace.view(path).value or 0.0, 9)) for path in ("a1", "a2")]
        rows.append((words, *worth, decision.after))
    return Figures(
        f"{rows[0][1]}, {rows[0][2]} → {rows[3][1]}, {rows[3][2]}", ("map", "a1", "a2", "choice"), tuple(rows)
    )


def _star() -> Figures:
    rows = []
    for name in ("expectiminimax", "star1", "star2"):
        trace = traced("coins", name)
        rows.append((trace.title, value(trace), str(len(trace.examined)), leaves_of(trace)))
    note = (
        "Star2 looks at one move of every outcome first, so at some leaves twice: it pays where nodes have many moves."
    )
    head = ("search", "root", "leaves", "in this order")
    return Figures(", ".join(row[1] for row in rows), head, tuple(rows), note)


def rolls() -> list[tuple[str, float]]:
    """The different rolls of two dice as backgammon lists them in the middle of a game."""
    game = load_game("backgammon")
    state = game.play_moves(game.start_state, OPENED)
    return [(game.format_action(state, int(outcome)), float(odds)) for outcome, odds in game.chance(state)]


def _rolls() -> Figures:
    found = rolls()
    rows = tuple((name, chance_text(odds)) for name, odds in found)
    doubles = sum(1 for _, odds in found if odds < 1 / 30)
    total = sum(odds for _, odds in found)
    note = f"{doubles} doubles at 1/36 and {len(found) - doubles} others at 1/18; they add up to {total:g}."
    return Figures(str(len(found)), ("roll", "probability"), rows, note)


def ways_to_play(dice: tuple[int, int], men: Mapping[int, int], blocked: Callable[[int], bool]) -> list[str]:
    """Every way to play both dice, counted upward: which men go where, in whatever order; bearing off is none of it."""
    found: dict[tuple[tuple[int, int], ...], None] = {}
    for first, second in (dice, dice[::-1]):
        for start in sorted(men):
            moved = Counter(men)
            moved.subtract({start: 1, start + first: -1})
            if start + first > 24 or blocked(start + first):
                continue
            for again in sorted(moved):
                if moved[again] > 0 and again + second <= 24 and not blocked(again + second):
                    found[tuple(sorted([(start, start + first), (again, again + second)]))] = None
    return [", ".join(f"{a}-{b}" for a, b in way) for way in sorted(found)]


def _six_five() -> Figures:
    """The ways by brute force over the points, the results by the rules of the game."""
    game = load_game("backgammon")
    state = game.read_state(SIX_FIVE)
    ways = ways_to_play((6, 5), {5: 2, 19: 13}, lambda point: 25 - point in (12, 13))
    rows, results = [], dict[Any, int]()
    for words in ways:
        text = re.sub(r"(\d+)-(\d+),?", lambda step: f"{25 - int(step[1])}/{25 - int(step[2])}", words)
        after = game.result(state, game.parse_action(state, text))
        rows.append((words, text, f"result {results.setdefault(after, len(results) + 1)}"))
    legal = {game.result(state, action) for action in game.actions(state)}
    stated = f"{len(ways)} ways, {len(legal & results.keys())} results"
    return Figures(stated, ("counted upward", "as White counts", ""), tuple(rows))


def _otherwise() -> Figures:
    tree = ExplicitTree.figure("otherwise")
    rows = []
    for words, who in (
        ("MIN, who plays best", "min"),
        ("chance: moves at random", "chance"),
        ("model: best with 0.8", "model:0.8"),
    ):
        decision = decisions(tree, changed(tree, min_as=who))[0]
        rows.append((words, decision.after, value_text(round(decision.worth_after[0], 9))))
    return Figures(
        f"{rows[0][2]} left, {rows[1][2]} right", ("who moves at MIN's nodes", "MAX goes", "worth"), tuple(rows)
    )


def _model() -> Figures:
    figures = _otherwise()
    return Figures(
        figures.rows[2][2],
        figures.head,
        figures.rows,
        "0.9 × 9 + 0.1 × 100 = 18.1: at random half of the 0.2 is the best move too.",
    )


def _levels() -> Figures:
    """Level 0 moves at random; level k answers level k - 1, on both sides."""
    left, right = (10.0, 10.0), (9.0, 100.0)  # the leaves of the figure
    mean = {"left": sum(left) / 2, "right": sum(right) / 2}
    least = {"left": min(left), "right": min(right)}
    rows = [("0", "both move at random", "", value_text(sum(mean.values()) / 2))]
    reply = mean  # what MAX expects of each move, from MIN of the level below
    for level in (1, 2, 3):
        choice = max(reply, key=lambda move: reply[move])
        rows.append((str(level), f"MAX answers MIN of level {level - 1}", choice, value_text(reply[choice])))
        if level == 1:
            rows.append(("1", "MIN answers a random MAX", "10 and 9", value_text(sum(least.values()) / 2)))
        reply = least  # from level 1 on MIN takes the smaller leaf of either node
    tree = ExplicitTree.figure("otherwise")
    random, best = decisions(tree, changed(tree, min_as="chance"))[0], decisions(tree, tree)[0]
    assert (rows[1][2:], rows[3][2:]) == tuple((one.after, value_text(one.worth_after[0])) for one in (random, best))
    note = "Level 3 chooses as level 2 does, and so does every level above: that is minimax."
    return Figures(
        f"{rows[1][3]}, then {rows[3][3]}", ("level", "who answers whom", "chooses", "worth"), tuple(rows), note
    )


def _slippery() -> Figures:
    game = load_game("slippery-grid")
    state = game.start_state
    after = game.result(state, next(iter(game.actions(state))))
    found = [(game.format_action(after, int(outcome)), float(odds)) for outcome, odds in game.chance(after)]
    rows = tuple((name, chance_text(odds)) for name, odds in found)
    return Figures(
        ", ".join(chance_text(odds) for _, odds in sorted(found, key=lambda one: -one[1])),
        ("the step goes", "with"),
        rows,
    )


def _corridor() -> Figures:
    game = load_game(CORRIDOR)
    found = run("expectimax", game, depth=4)
    rows = (("two steps", "-2"), ("the pellet", "+10"), ("worth", value_text(found.value)))
    return Figures(value_text(found.value), ("", ""), rows)


def _picture(name: str, state: str = "") -> str:
    game = load_game(name)
    return game.picture(game.read_state(state) if state else game.start_state).svg


CARDS = (
    tree_card(
        "expected-value",
        value,
        "expectimax",
    ),
    Card(
        "equal-chances",
        _equal_chances,
        (Door("Step through it", lab("equal-chances")),),
        drawn("equal-chances", "expectimax"),
        "plywright tree equal-chances",
    ),
    tree_card(
        "coins",
        value,
        "expectiminimax",
    ),
    Card(
        "order-preserving",
        _mapped,
        (Door("Turn the switch", lab("order-preserving", leaves=MAPPED)),),
        drawn("order-preserving", "expectimax"),
        f'plywright tree order-preserving --leaves "{MAPPED}"',
    ),
    Card(
        "star",
        _star,
        (Door("Star1 and expectiminimax", lab("coins", "star1", beside="expectiminimax")),),
        drawn("coins", "star1"),
        "plywright tree coins --algorithm star1",
    ),
    Card(
        "rolls",
        _rolls,
        (Door("Before a roll", "/chance?game=backgammon&moves=43+13%2F10+13%2F9&depth=2"),),
        lambda: bar_picture([Bar(name, odds * 36) for name, odds in rolls()], x_label="roll", y_label="in 36").svg,
    ),
    Card(
        "six-five",
        _six_five,
        (
            Door("Play from here", "/play/new?game=backgammon&state=20%3A2+6%3A13+%7C+12%3A7+13%3A8+white+65"),
            Door("What each is worth", "/chance?game=backgammon&state=20%3A2+6%3A13+%7C+12%3A7+13%3A8+white+65"),
        ),
        lambda: _picture("backgammon", SIX_FIVE),
    ),
    Card(
        "three-players",
        searched("three-players", "maxn", lambda trace: f"{value(trace)}{', a tie' if trace.view().ties else ''}"),
        (
            Door("Step through max^n", lab("three-players")),
            Door("Paranoid beside it", lab("three-players", "maxn", beside="paranoid")),
        ),
        drawn("three-players", "maxn"),
        "plywright tree three-players",
    ),
    Card(
        "otherwise",
        _otherwise,
        (Door("Turn the switch", lab("otherwise", min_as="chance")),),
        drawn("otherwise", "minimax"),
        "plywright tree otherwise --min-as chance",
    ),
    Card(
        "model",
        _model,
        (Door("Change how often", lab("otherwise", min_as="model:0.8")),),
        drawn(MODELLED, "expectimax"),
        "plywright tree otherwise --min-as model:0.8",
    ),
    Card(
        "levels",
        _levels,
        (Door("Level 1", lab("otherwise", min_as="chance")), Door("Level 2", lab("otherwise"))),
        drawn("otherwise", "minimax"),
        "plywright compare tic-tac-toe --opponent level:2",
    ),
    Card(
        "slippery",
        _slippery,
        (Door("A bridge to cross", "/chance?game=slippery-grid%3Alayout%3Dbridge&depth=6"),),
        lambda: _picture("slippery-grid"),
        "plywright best slippery-grid",
    ),
    Card(
        "corridor",
        _corridor,
        (Door("The corridor", "/chance?game=slippery-grid%3Alayout%3Dcorridor%2Ccost%3D1%2Cslip%3D0&depth=6"),),
        lambda: _picture(CORRIDOR),
        f'plywright best "{CORRIDOR}"',
    ),
)
