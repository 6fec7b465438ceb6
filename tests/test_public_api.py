"""What a stranger finds with help(): every public name explains itself, and only an override counts as a rule."""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import pydoc
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plywright
from plywright import CHANCE, Game, GameError, Knowledge, Limit, Policy, SearchResult, search
from plywright.engine.chance import opponent_models
from plywright.fingerprint import toolkit_sources
from plywright.game import REQUIRED
from plywright.players import Player
from plywright.smoke_test import missing_rules

CLASSES = [Game, Knowledge, SearchResult, Limit, Player, plywright.MonteCarloTree]
CLASSES += [value for value in vars(opponent_models).values() if isinstance(value, type) and issubclass(value, Policy)]


def members(cls: type) -> Iterator[str]:
    """The public members of a class, its own and inherited, fields without a default included."""
    for owner in cls.__mro__[:-1]:
        names = {**vars(owner), **getattr(owner, "__annotations__", {})}
        for name in names:
            if not name.startswith("_"):
                yield name


@functools.cache
def attribute_docs(owner: type) -> set[str]:
    """The class attributes that a text right below explains."""
    body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0].body  # type: ignore[attr-defined]
    found = set()
    for statement, below in itertools.pairwise(body):
        target = statement.target if isinstance(statement, ast.AnnAssign) else None
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(target, ast.Name):
            found.add(target.id)
    return found


def explained(cls: type, name: str) -> bool:
    value = inspect.getattr_static(cls, name, None)
    if inspect.isfunction(value) or isinstance(value, (property, functools.cached_property, classmethod, staticmethod)):
        return bool(inspect.getdoc(getattr(cls, name)))
    return any(name in attribute_docs(base) for base in cls.__mro__ if base.__module__.startswith("plywright"))


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_public_member_has_a_docstring(cls: type) -> None:
    assert cls.__doc__
    assert not [name for name in members(cls) if not explained(cls, name)]


def test_every_public_name_has_a_docstring_and_help_lists_it() -> None:
    shown = pydoc.render_doc(plywright, renderer=pydoc.plaintext)
    for name in plywright.__all__:
        value = getattr(plywright, name)
        assert name in dir(plywright)
        assert name in shown
        assert isinstance(value, int) or value.__doc__, name


def test_public_names_are_typed_lazy_and_all_told_in_the_docstring() -> None:
    wanted = {"solve", "play_match", "examine", "Player", "Knowledge", "find_equilibrium", "search", "analyse"}
    assert wanted <= set(plywright.__all__) == set(plywright._HOME)
    tree = ast.parse(inspect.getsource(plywright))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {name.name for node in block.body if isinstance(node, ast.ImportFrom) for name in node.names}
    assert typed == set(plywright.__all__)  # what is not there is Any to a type checker
    assert not [name for name in plywright.__all__ if not re.search(rf"\b{name}\b", plywright.__doc__ or "")]


def test_every_public_name_is_in_the_reference() -> None:
    folder = Path(__file__).parent.parent / "docs" / "reference"
    shown = re.findall(r"^::: \S*?(\w+)$", "\n".join(page.read_text() for page in folder.glob("*.md")), re.M)
    assert not [name for name in plywright.__all__ if name not in (*shown, "Quantal")]  # Softmax by another name
    assert all(f"`{name}`" in (folder / "index.md").read_text() for name in plywright.__all__)


def test_importing_the_package_imports_next_to_nothing() -> None:
    heavy = "import sys, plywright; print({'numpy', 'numba', 'plywright.game', 'typer'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True).stdout == "set()\n"


def test_the_example_in_the_docstring_is_right() -> None:
    code = textwrap.dedent((plywright.__doc__ or "").partition("\n\n")[2].partition("\nRules and")[0])
    scope: dict[str, Any] = {"__name__": "example"}
    exec(code.replace("search(Nim(), depth=10)", "found = search(Nim(), depth=10, compiled=False)"), scope)
    assert scope["found"] == 2


class Count(NamedTuple):
    left: int


class Countdown(Game):
    """Two players take one or two; who takes the last wins. Its helpers have names that once meant something else."""

    def initial(self) -> Count:
        return Count(4)

    def to_move(self, state: Count) -> int:
        return state.left % 2

    def actions(self, state: Count) -> Any:
        for take in range(1, min(2, state.left) + 1):
            yield take

    def result(self, state: Count, action: int) -> Count:
        return Count(state.left - action)

    def utility(self, state: Count, player: int) -> float:
        return 1 if player else -1

    def outcomes(self, state: Count) -> int:
        return state.left


@pytest.mark.parametrize("rule", REQUIRED)
def test_a_rule_counts_where_the_class_overrides_it(rule: str) -> None:
    assert missing_rules(Countdown()) == ""
    cls = type("Partial", (Game,), {name: vars(Countdown)[name] for name in REQUIRED if name != rule})
    assert f"has no method '{rule}'" in missing_rules(cls())
    with pytest.raises(GameError, match=f"Partial has no method '{rule}'; a game needs initial, to_move"):
        search(cls(), depth=1)
    with pytest.raises(GameError, match=f"no method '{rule}'"):
        getattr(Game(), rule)(*[0] * (getattr(Game, rule).__code__.co_argcount - 1))


def test_a_rule_that_cannot_be_called_is_none() -> None:
    cls = type("Wrong", (Countdown,), {"actions": (1, 2)})
    assert "has no method 'actions'" in missing_rules(cls())


def test_a_plain_mixin_s_rules_count() -> None:
    class Mixin:
        def evaluate(self, state: Count, player: int) -> float:
            return 0.5

    class Mixed(Mixin, Countdown):  # type: ignore[misc]
        pass

    assert Mixed().evaluates and not Countdown().evaluates


def test_chance_and_deals_count_where_they_are_overridden() -> None:
    game = Countdown()
    assert not game.has_chance and not game.lists_chance and not game.draws_chance and not game.hidden
    assert not game.draws_deals and not game.lists_deals
    assert list(game.chance(Count(4))) == []

    class Rolled(Countdown):
        def to_move(self, state: Count) -> int:
            return CHANCE

        def sample(self, state: Count, rng: Any) -> int:
            return 1

        def deal(self, observation: Any, player: int, rng: Any) -> Any:
            return observation

    game = Rolled()
    assert game.has_chance and game.draws_chance and not game.lists_chance
    assert game.draws_deals and not game.lists_deals
    with pytest.raises(GameError, match="Countdown has no method 'deals'"):
        Countdown().deals(0, 0)


def test_compiled_code_depends_on_every_file_that_game_is_made_of() -> None:
    assert {inspect.getfile(cls) for cls in Knowledge.__mro__[:-1] + Game.__mro__[:-1]} <= set(
        map(str, toolkit_sources())
    )


def test_nobody_asks_whether_a_rule_is_there() -> None:
    """Every rule is there, by default the toolkit's: game.overrides() and the facts say whether it is the game's."""
    rules = "|".join((*REQUIRED, "chance", "sample", "deal", "deals", "observation", "is_terminal", "evaluate"))
    asking = re.compile(rf"""(hasattr|getattr)\([^()]*(\([^()]*\))?[^()]*, ["']({rules})["']""")
    package = Path(inspect.getfile(plywright)).parent
    assert not [path.name for path in package.rglob("*.py") if asking.search(path.read_text(encoding="utf-8"))]
