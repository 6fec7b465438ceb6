"""What an address of the tree lab says: which tree, which algorithm, how deep, and the step to show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from html import escape
from typing import Any, NamedTuple
from urllib.parse import urlencode

from ...errors import BadInput, PlywrightError
from ...game import Game
from ...games.trees.changes import Decision, Opponent, changed, decisions
from ...games.trees.explicit_tree import FIGURES, ExplicitTree
from ...games.trees.generated_tree import KINDS, ORDERINGS, generated_tree
from ...textbook import ALGORITHMS, algorithm, usual
from ...textbook.algorithms.mcts import check as check_simulated
from ...textbook.trace.mcts_trace import TITLE as MCTS_TITLE
from ...textbook.trace.trace import MCTS
from ..catalogue import Catalogue
from ..fields import Fields
from ..json_store import JsonStore

SOURCES = ("figure", "typed", "generated", "game")
OF_SOURCE: dict[str, tuple[str, ...]] = {
    "figure": ("figure",),
    "typed": ("tree", "kept"),
    "generated": ("branching", "levels", "seed", "ordering", "kind"),
    "game": ("game", "state", "moves"),
}
"""The fields that say which tree of a source is meant."""
PREDICTIONS = ("no", "pruned", "child")
TREES = JsonStore("trees")
"""Trees that are too long for an address."""

LONGEST = 3000
"""Characters of a tree in an address; longer ones are kept as files."""
LONGEST_TYPED = 100_000
MOST_NODES = 5000
"""Nodes of a tree that is shown, and of a search that is followed."""
MOST_LEVELS = 12
MOST_BRANCHING = 20
DEEPEST = 12
DEFAULT_DEPTH = 2
LARGEST_SEED = 10**12

ENGINE = "engine"
"""The engine's own search, whose first plies are followed; it is no algorithm of the textbook."""
ENGINE_DEPTHS = 8
ENGINE_LEVELS = 2
DEFAULT_SIMULATIONS = 40
MOST_SIMULATIONS = 400


class Tree(NamedTuple):
    """What is searched: a game and the state at the root."""

    game: Game
    state: Any


@dataclass(frozen=True)
class Setup:
    """All that an address says; `algorithm` is empty where the usual one is meant, `depth` 0 for the usual depth."""

    source: str = "figure"
    figure: str = "figure-6.2"
    tree: str = ""
    kept: str = ""
    branching: int = 3
    levels: int = 3
    seed: int = 1
    ordering: str = "random"
    kind: str = "two-players"
    game: str = "tic-tac-toe"
    state: str = ""
    moves: str = ""
    algorithm: str = ""
    depth: int = 0
    budget: int = 0
    simulations: int = DEFAULT_SIMULATIONS
    predict: str = "no"
    min_as: str = "min"
    leaves: str = ""
    beside: str = ""
    """A second algorithm, stepped along with the first."""
    boards: str = "yes"
    """Whether nodes of a game's tree show their positions."""
    edit: str = ""
    folded: str = ""
    """Numbers of nodes whose subtrees are folded."""
    step: int = 0

    def query(self, **changes: Any) -> str:
        """The part of the address after `?`: what differs from a bare /lab, and every field of a user's own tree."""
        setup = replace(self, **changes)
        named = {field.name: getattr(setup, field.name) for field in fields(setup)}
        skipped = {name for source, names in OF_SOURCE.items() if source != setup.source for name in names}
        usual_values = Setup()
        chosen = {
            name: value
            for name, value in named.items()
            if name not in skipped and (value != getattr(usual_values, name) or name in ("figure", "game"))
        }
        if chosen == {"figure": usual_values.figure}:
            return ""
        return urlencode({"from" if name == "source" else name: value for name, value in chosen.items()})

    def address(self, page: str = "/lab", **changes: Any) -> str:
        query = self.query(**changes)
        return f"{page}?{query}" if query else page

    def hidden(self, *left_out: str) -> list[tuple[str, str]]:
        """The fields that a form carries on unseen."""
        from urllib.parse import parse_qsl

        return [pair for pair in parse_qsl(self.query(step=0)) if pair[0] not in left_out]

    @property
    def opponent(self) -> tuple[str, str]:
        """Who moves at MIN's nodes, as the form has it: the kind, and the probabilities that go with it."""
        kind, colon, odds = self.min_as.partition(":")
        return ("given" if kind == "chance" and colon else "chance" if kind == "uniform" else kind), odds

    @property
    def is_changed(self) -> bool:
        """Whether the tree is not searched as it is written."""
        return self.min_as != "min" or bool(self.leaves)

    @property
    def typed(self) -> str:
        """The tree as it was typed, wherever it is kept."""
        return self.tree or (str(TREES[self.kept]) if self.kept else "")


def read_setup(given: Fields) -> Setup:
    """The setup that an address or a form means; raises BadInput for what is outside the limits."""
    default = Setup()
    guess = next(
        (source for source, names in OF_SOURCE.items() if any(given.text(n, most=LONGEST_TYPED) for n in names)),
        "figure",
    )
    return Setup(
        source=given.choice("from", SOURCES, guess),
        figure=given.choice("figure", tuple(FIGURES), default.figure),
        tree=given.text("tree", most=LONGEST_TYPED),
        kept=given.text("kept", most=40),
        branching=given.whole("branching", default.branching, 1, MOST_BRANCHING),
        levels=given.whole("levels", default.levels, 1, MOST_LEVELS),
        seed=given.whole("seed", default.seed, 0, LARGEST_SEED),
        ordering=given.choice("ordering", ORDERINGS),
        kind=given.choice("kind", KINDS),
        game=given.text("game", default.game, most=200) or default.game,
        state=given.text("state", most=500),
        moves=given.text("moves", most=1000),
        algorithm=given.choice("algorithm", ("", *ALGORITHMS, MCTS, ENGINE), ""),
        depth=given.whole("depth", 0, 0, DEEPEST),
        budget=given.whole("budget", 0, 0, 100_000),
        simulations=given.whole("simulations", DEFAULT_SIMULATIONS, 1, MOST_SIMULATIONS),
        predict=given.choice("predict", PREDICTIONS),
        min_as=_opponent(given),
        leaves=given.text("leaves", most=500),
        beside=given.choice("beside", ("", *ALGORITHMS, MCTS, ENGINE), ""),
        boards=given.choice("boards", ("yes", "no")),
        edit=given.choice("edit", ("", "yes"), ""),
        folded=given.text("folded", most=2000),
        step=given.whole("step", 0, 0, 10**6),
    )


def _opponent(given: Fields) -> str:
    """Who moves at MIN's nodes; a form has the kind and the probabilities apart."""
    kind, odds = given.text("min_as", "min", most=200) or "min", given.text("odds", most=200)
    if kind in ("given", "model"):
        if kind == "given" and not odds:
            raise BadInput("write the probabilities of MIN's moves with commas between them, such as 0.9, 0.1")
        kind = f"chance:{odds}" if kind == "given" else f"model:{odds or '0.8'}"
    Opponent.read(kind)
    return kind


def kept_apart(setup: Setup) -> Setup:
    """The same with a long tree saved in the store, so that an address can name it."""
    if len(setup.tree) <= LONGEST:
        return replace(setup, kept="")
    return replace(setup, tree="", kept=TREES.add(setup.tree))


# -- the tree -------------------------------------------------------------------------------------------------


def find_tree(setup: Setup, catalogue: Catalogue) -> Tree:
    """The game and the state; raises BadInput where the tree cannot be read or is too large."""
    if setup.source == "game":
        game = catalogue[setup.game]
        start = game.read_state(setup.state) if setup.state else game.start_state
        state = game.states_along(start, setup.moves)[-1] if setup.moves else start
        if game.is_terminal(state):
            raise BadInput(f"the game is over in this position of {game.name}: there is no tree below it")
        return Tree(game, state)
    explicit = changed(written_tree(setup), min_as=setup.min_as, leaves=setup.leaves)
    if (size := len(explicit.parents)) > MOST_NODES:
        raise BadInput(f"this tree has {size:,} nodes; the lab shows up to {MOST_NODES:,}")
    return Tree(explicit, explicit.start_state)


def changed_decisions(setup: Setup) -> list[Decision]:
    """What is chosen in the tree as it is written and as it is searched, those that differ first."""
    before = written_tree(setup)
    found = decisions(before, changed(before, min_as=setup.min_as, leaves=setup.leaves))
    return sorted(found, key=lambda one: not one.differs)


def marked(drawing: str, paths: Mapping[int, str], found: Sequence[Decision]) -> str:
    """The drawing with a mark at every node whose decision changed, and at the way that was chosen there before.

    `paths` are those of the nodes that are drawn.
    """
    numbers = {path: number for number, path in paths.items()}
    for one in found:
        if not one.differs or one.path not in numbers:
            continue
        here = numbers[one.path]
        words = f"{one.path}: {one.after} is chosen now, {one.before} was"
        drawing = drawing.replace(
            f'<g id="n{here}">', f'<g id="n{here}" class="differs" aria-label="{escape(words, quote=True)}">', 1
        )
        before = numbers.get(one.before if one.path == "root" else f"{one.path} {one.before}")
        if before is not None:
            drawing = drawing.replace(f'<g id="n{before}-edge">', f'<g id="n{before}-edge" class="was-chosen">', 1)
    return drawing


def written_tree(setup: Setup) -> ExplicitTree:
    """The tree as it is written, before any switch."""
    if setup.source == "figure":
        return ExplicitTree.figure(setup.figure)
    if setup.source == "generated":
        size = sum(setup.branching**level for level in range(setup.levels + 1))
        if size > MOST_NODES:
            raise BadInput(
                f"branching {setup.branching} and {setup.levels} levels make {size:,} nodes; "
                f"the lab shows up to {MOST_NODES:,}"
            )
        ordering = setup.ordering if setup.kind == "two-players" else "random"
        return generated_tree(setup.branching, setup.levels, setup.seed, ordering, setup.kind)
    text = setup.typed
    if not text:
        raise BadInput("type a tree first, for example [[3, 12, 8], [2, 4, 6], [14, 5, 2]]")
    try:
        return ExplicitTree(text, name="your tree")
    except BadInput as error:
        raise BadInput(f"the tree cannot be read: {error}") from None


# -- the algorithm --------------------------------------------------------------------------------------------


class Choice(NamedTuple):
    """An algorithm to choose, or the sentence why it cannot search this tree."""

    name: str
    title: str
    about: str
    refusal: str


def choices(game: Game) -> list[Choice]:
    """Every algorithm, those that do not suit the game with the reason."""
    found = [Choice(name, entry.title, entry.about, _refusal(name, game)) for name, entry in ALGORITHMS.items()]
    return [
        *found,
        Choice(MCTS, MCTS_TITLE, "simulated games grow the tree", _refusal(MCTS, game)),
        Choice(ENGINE, "The engine's own search", "the first plies of the real one", _refusal(ENGINE, game)),
    ]


def _refusal(name: str, game: Game) -> str:
    """Why an algorithm cannot search the game; the engine's search takes what alpha-beta takes."""
    try:
        if name == MCTS:
            check_simulated(game, game.start_state, 1)
            return ""
        algorithm("alphabeta" if name == ENGINE else name).check(game, None, None)
    except PlywrightError as error:
        return str(error).replace("alphabeta", "the engine's search", 1) if name == ENGINE else str(error)
    return ""


class Chosen(NamedTuple):
    """The algorithm that is run, with its depth where it takes one, and what to say where another was asked for."""

    name: str
    depth: int | None
    remark: str = ""


def choose(setup: Setup, game: Game) -> Chosen:
    """The algorithm asked for, or the usual one where none was, or where that does not suit the game."""
    refusal = _refusal(setup.algorithm, game) if setup.algorithm else ""
    if not setup.algorithm or refusal:
        name = usual(game, limited=setup.source == "game")
        if also := _refusal(name, game):
            raise BadInput(also)
        remark = f"{refusal[0].upper()}{refusal[1:]}. Shown instead: {ALGORITHMS[name].title}." if refusal else ""
        return Chosen(name, _depth(setup, name), remark)
    return Chosen(setup.algorithm, _depth(setup, setup.algorithm))


def takes_depth(name: str) -> bool:
    if name == MCTS:
        return False
    return name == ENGINE or ALGORITHMS[name].limited or ALGORITHMS[name].may_be_limited


def _depth(setup: Setup, name: str) -> int | None:
    """How deep to look; None is to the end."""
    if not takes_depth(name):
        return None
    if name == ENGINE:
        return min(setup.depth or 4, ENGINE_DEPTHS)
    if setup.depth:
        return setup.depth
    return DEFAULT_DEPTH if ALGORITHMS[name].limited or setup.source == "game" else None
