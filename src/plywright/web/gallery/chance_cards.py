"""Cards on chance, on more than two players, and on opponents who are not perfect."""

from __future__ import annotations

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
    return Figures(", ".join(row[1] for row in rows), ("search", "root", "leaves", "in this order"), tuple(rows))


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


def _six_five() -> Figures:
    game = load_game("backgammon")
    state = game.read_state(SIX_FIVE)
    ways = {
        "5-10, 5-11": "20/15 20/14",
        "5-11, 19-24": "20/14 6/1",
        "5-10, 10-16": "20/15 15/9",
        "5-11, 11-16": "20/14 14/9",
    }
    results = {words: game.result(state, game.parse_action(state, text)) for words, text in ways.items()}
    numbers = {after: number for number, after in enumerate(dict.fromkeys(results.values()), 1)}
    rows = tuple((words, ways[words], f"result {numbers[after]}") for words, after in results.items())
    legal = len(list(game.actions(state)))
    return Figures(f"{len(ways)} ways, {legal} results", ("counted upward", "as White counts", ""), rows)


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
    """Level 0 moves at random; level k answers level k - 1."""
    tree = ExplicitTree.figure("otherwise")
    random, best = decisions(tree, changed(tree, min_as="chance"))[0], decisions(tree, tree)[0]
    rows = (
        ("0", "both move at random", "", ""),
        ("1", "MAX answers a random MIN", random.after, value_text(random.worth_after[0])),
        ("1", "MIN answers a random MAX", "takes the 9", "9"),
        ("2", "MAX answers that MIN", best.after, value_text(best.worth_after[0])),
        ("3 and above", "nothing changes any more", best.after, value_text(best.worth_after[0])),
    )
    return Figures(f"{rows[1][3]}, then {rows[3][3]}", ("level", "who answers whom", "chooses", "worth"), rows)


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
        None,
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
