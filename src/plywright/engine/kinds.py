"""Which search a game's kind asks for, beyond two opposed teams without chance; and who may search what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import BadInput, Unsuitable
from ..game import Game
from .expectation import Expectation
from .limit import Limit
from .many_players import ManyPlayers
from .task import Task

AVERAGING = ("expectimax", "expectiminimax", "paranoid", "best-reply")
"""What the kernel of averages does: chance, opponents' policies and utility functions come in here."""
ALGORITHMS = (*AVERAGING, "maxn")
OPTIONS = ("opponents", "utility", "outcomes", "pruning", "table", "seed")
TELLING = ("opponents", "utility", "outcomes", "pruning")
"""Options that only a search of averages has a use for: naming one chooses it."""


def usual(game: Game, options: Mapping[str, Any]) -> str | None:
    """The algorithm here that the game's kind, and the options, ask for; None for two opposed teams without chance."""
    if len(deciding_teams(game, options.get("opponents"))) <= 1:
        return "expectimax"
    if not game.opposed:
        return "maxn"
    return "expectiminimax" if game.has_chance or any(options.get(name) is not None for name in TELLING) else None


def task_for(
    game: Game,
    view: Any,
    limit: Limit,
    algorithm: str | None,
    all_actions: bool,
    compiled: bool | None,
    options: dict[str, Any],
) -> Task | None:
    """The task where one of the algorithms here is named, or is the one for the game; None where it is another's."""
    if not isinstance(game, Game) or game.hidden:
        return None
    algorithm = algorithm or usual(game, options)
    if algorithm not in ALGORITHMS:
        return None
    check_suitable(game, algorithm, options.get("opponents"))
    names = OPTIONS if algorithm in AVERAGING else ("opponents", "table")
    for name in options:
        if name not in names:
            raise BadInput(f"{algorithm} takes no {name}; it takes {', '.join(names)}")
    if algorithm == "maxn":
        return ManyPlayers(game, view, limit, all_actions=all_actions, compiled=compiled, **options)
    return Expectation(game, view, limit, algorithm=algorithm, all_actions=all_actions, compiled=compiled, **options)


def deciding_teams(game: Game, opponents: Any) -> set[int]:
    """The teams of the players that no policy plays for."""
    modelled = opponents if isinstance(opponents, Mapping) else {}
    return {team for player, team in enumerate(game.team_of) if player not in modelled}


def check_suitable(game: Game, algorithm: str, opponents: Any = None) -> None:
    """Refuse, in one sentence that names what to use instead, a game that the algorithm cannot search."""
    if len(deciding_teams(game, opponents)) <= 1:
        return
    if algorithm == "expectimax":
        other = "expectiminimax" if game.opposed else "maxn"
        raise Unsuitable(
            f"expectimax cannot search {game.name}: more than one team decides, which needs {other}, "
            f"or policies for the others as opponents"
        )
    if algorithm == "expectiminimax" and not game.opposed:
        raise Unsuitable(
            f"expectiminimax cannot search {game.name}: it needs two teams whose utilities cancel; maxn does not"
        )
