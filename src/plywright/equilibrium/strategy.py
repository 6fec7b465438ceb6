"""A strategy: for every information set how likely each action is. One object to save, load, inspect and play."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from ..files import write_whole
from ..game import Game
from ..number import GIVEN_ROUNDING, sums_to_one
from .tree import GameTree

FORMAT = "plywright strategy 1"


@dataclass(frozen=True)
class Strategy:
    """`chances` by slot of the tree: the actions of information set 0, then of 1, and so on."""

    tree: GameTree
    chances: NDArray[np.float64]

    @property
    def game(self) -> Game:
        return self.tree.game

    def probabilities(self, observation: Any, player: int) -> dict[int, float]:
        """How likely the strategy plays each action where the player sees this."""
        which = self._sets.get((player, self.game.view_key(observation)))
        if which is None:
            text = self.game.format_observation(observation, player)
            raise BadInput(
                f"no state of {self.game.name} looks like {text!r} to {self.game.player_name(player)} to move"
            )
        start = int(self.tree.start[which])
        return {action: float(self.chances[start + place]) for place, action in enumerate(self.tree.actions_of(which))}

    @cached_property
    def _sets(self) -> dict[tuple[int, int], int]:
        found = {}
        for which in range(self.tree.sets):
            observation, owner = self.tree.view_of(which)
            found[owner, self.game.view_key(observation)] = which
        return found

    def table(self) -> list[tuple[int, str, dict[str, float]]]:
        """Every information set as text: who moves, what it sees, how likely it plays each action."""
        rows = []
        for which in range(self.tree.sets):
            state = self.tree.state_of(int(self.tree.sample[which]))
            owner = int(self.tree.owner[which])
            seen = self.game.format_observation(self.game.observation(state, owner), owner)
            start = int(self.tree.start[which])
            acts = {
                self.game.format_action(state, action): float(self.chances[start + place])
                for place, action in enumerate(self.tree.actions_of(which))
            }
            rows.append((owner, seen, acts))
        return sorted(rows, key=lambda row: (row[0], len(row[1]), row[1]))

    def save(self, path: Path | str) -> None:
        """Write it as JSON text: the game, and each information set's probabilities in the game's own words."""
        sets = [{"player": owner, "sees": seen, "plays": acts} for owner, seen, acts in self.table()]
        text = json.dumps({"format": FORMAT, "game": self.game.name, "sets": sets}, indent=1)
        write_whole(Path(path), text.encode())

    @classmethod
    def load(cls, path: Path | str, game: Game, tree: GameTree | None = None) -> Strategy:
        """Read a saved strategy; raises BadInput where it is another game's or no strategy at all."""
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise BadInput(f"the strategy {path} cannot be read: {error.strerror or error}") from None
        except (ValueError, RecursionError):
            raise BadInput(f"{path} is not a saved strategy: it is not JSON") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise BadInput(f"{path} is not a saved strategy of this version ({FORMAT!r})")
        if data.get("game") != game.name:
            raise BadInput(f"{path} is a strategy of {data.get('game')!r}, not of {game.name!r}")
        tree = tree or GameTree.of(game)
        return cls(tree, _chances(tree, data.get("sets"), path))


def _chances(tree: GameTree, sets: Any, path: Path | str) -> NDArray[np.float64]:
    known = {}
    for row in sets if isinstance(sets, list) else ():
        if isinstance(row, dict) and isinstance(row.get("plays"), dict) and isinstance(row.get("sees"), str):
            known[str(row.get("player")), row["sees"]] = row["plays"]
    chances = np.array(tree.uniform)
    for which in range(tree.sets):
        observation, owner = tree.view_of(which)
        seen = tree.game.format_observation(observation, owner)
        plays = known.get((str(owner), seen))
        state = tree.state_of(int(tree.sample[which]))
        names = [tree.game.format_action(state, action) for action in tree.actions_of(which)]
        if plays is None or set(plays) != set(names):
            raise BadInput(f"{path} does not say what {tree.game.player_name(owner)} plays at {seen!r}")
        row = [plays[name] for name in names]
        numbers = all(isinstance(chance, (int, float)) and 0 <= chance <= 1 for chance in row)
        if not numbers or not sums_to_one(sum(row), GIVEN_ROUNDING):
            raise BadInput(f"{path}: the probabilities at {seen!r} are not numbers from 0 to 1 that sum to 1")
        start = int(tree.start[which])
        chances[start : start + len(row)] = row
    return chances
