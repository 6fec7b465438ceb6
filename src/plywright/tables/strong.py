"""Strong solving: every position that can be reached, with its value and its distance, as a table.

    table = solve_strongly("connect-four:columns=5,rows=4", "small.strong")
    table.look_up(state), table.best(state)

The table is a player that never errs (`table:small.strong`) and an oracle for whoever doubts a search or a hook
(`plywright doctor GAME --oracle small.strong`). The value is that of best play; the distance is the plies to the end
where the side ahead hurries and the other delays, and both keep to best play. A position in which nobody is ahead has
none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import mix, signed
from ..compiled import NO_GAME, Workspace
from ..digest import digest
from ..engine.value_iteration.explore import OVER, hash_states
from ..engine.value_iteration.reachable import Reachable
from ..engine.value_iteration.value_iteration import StatesProgress, state_values
from ..errors import BadInput, Unsuitable
from ..files import check_writable, write_whole
from ..game import Game
from ..games import as_game
from ..models.rules_print import rules_of
from ..working_clock import working_clock
from .retrograde import FIRST, FURTHEST, INFO, count_edges, prepare, settle, sum_heads, turn_edges
from .table import Known, numbering_of
from .whole import best_action

MAGIC = b"plywright strong 1\n"
HEADER = 4096
MEGABYTES = 4096.0
LEAST_STEPS, MOST_STEPS = -(1 << 15), (1 << 15) - 1


class Counts(NamedTuple):
    """How many positions there are, and who wins them: the player to move, the other, or nobody."""

    positions: int
    finished: int
    won: int
    drawn: int
    lost: int
    longest: int
    """Plies of the longest win."""


class StrongTable:
    """Values and distances of all positions of a game, by the 64 bits that stand for each; no two share them."""

    def __init__(
        self,
        game: Game,
        keys: NDArray[np.int64],
        steps: NDArray[np.int16],
        distances: NDArray[np.int16],
        counts: Counts,
        seconds: float = 0.0,
        folded: bool = False,
    ) -> None:
        self.game, self.keys, self.steps, self.distances = game, keys, steps, distances
        self.counts, self.seconds, self.folded = counts, seconds, folded

    def look_up(self, state: Any) -> Known | None:
        """The value for the player to move and the plies to the end; None where the state is not in the table."""
        state = self.game.coerce_state(state)
        key = key_of(self.game, self.game.coerce_state(self.game.canonical(state)) if self.folded else state)
        place = int(np.searchsorted(self.keys, key))
        if place == len(self.keys) or int(self.keys[place]) != key:
            return None
        value = float(self.steps[place]) * float(self.game.step or 1)
        team = self.game.team_of[0 if self.game.is_terminal(state) else int(self.game.to_move(state))]
        distance = int(self.distances[place])
        return Known(value if team == self.game.team_of[0] else 0.0 - value, None if distance < 0 else distance, True)

    def best(self, state: Any) -> int:
        """The best action: of wins the soonest, of losses the latest, of equal ones the first."""
        return best_action(self, state)

    @cached_property
    def fingerprint(self) -> str:
        return hashlib.sha256(self.keys.tobytes() + self.steps.tobytes() + self.distances.tobytes()).hexdigest()

    def save(self, path: str | Path) -> None:
        """Write the table as one file: a header with a checksum, keys, values, distances."""
        fields: dict[str, Any] = {"game": self.game.name, "rules": rules_of(self.game), "sha256": self.fingerprint}
        fields["folded"] = self.folded
        head = MAGIC + json.dumps({**fields, **self.counts._asdict()}).encode() + b"\n"
        try:
            parts = (head.ljust(HEADER), self.keys.tobytes(), self.steps.tobytes(), self.distances.tobytes())
            write_whole(Path(path), *parts)
        except OSError as error:
            raise BadInput(f"the table cannot be saved as {path}: {error.strerror}") from None


def load_strong(game: Game | str, path: str | Path) -> StrongTable:
    """The table in a file; raises BadInput where it is none, damaged, or of other rules."""
    game = as_game(game)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
    if not data.startswith(MAGIC):
        raise BadInput(f"{path} is no table of a whole game: `plywright solve GAME --strong --save FILE` makes them")
    try:
        fields = json.loads(data[len(MAGIC) : HEADER])
        counts = Counts(*(int(fields[name]) for name in Counts._fields))
        named = all(isinstance(fields[name], str) for name in ("game", "rules", "sha256")) and counts.positions > 0
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        named = False
    if not named:
        raise BadInput(f"{path} is damaged: its header cannot be read")
    if fields["game"] != game.name:
        raise BadInput(f"{path} is a table of {fields['game']}, not of {game.name}")
    if fields["rules"] != rules_of(game):
        raise BadInput(f"{path} was made with other rules of {game.name}: solve it again")
    count = counts.positions
    if len(data) != HEADER + 12 * count:
        raise BadInput(f"{path} is cut off: it has {len(data):,} bytes of {HEADER + 12 * count:,}")
    keys = np.frombuffer(data, np.int64, count, HEADER)
    steps = np.frombuffer(data, np.int16, count, HEADER + 8 * count)
    distances, folded = np.frombuffer(data, np.int16, count, HEADER + 10 * count), bool(fields.get("folded"))
    table = StrongTable(game, keys, steps, distances, counts, folded=folded)
    if table.fingerprint != fields["sha256"]:
        raise BadInput(f"{path} is damaged: its positions are not as they were written")
    return table


def solve_strongly(
    game: Game | str,
    path: str | Path | None = None,
    *,
    state: Any = None,
    megabytes: float = MEGABYTES,
    up_to_symmetry: bool = False,
    progress: Callable[[StatesProgress], None] | None = None,
    compiled: bool | None = None,
) -> StrongTable:
    """Solve every position that can be reached from a state (the initial one), and keep the table in a file.

    With `up_to_symmetry` positions that the game's `canonical` maps to one are one. Raises Unsuitable for games with
    chance or hidden cards, and where the positions do not fit into the memory.
    """
    game = as_game(game)
    if not game.opposed or game.has_chance or game.hidden or not game.step or game.repetition_forbids:
        raise Unsuitable(
            f"strong solving is for two opposed sides without chance, hidden cards or forbidden repetition, and "
            f"{game.name} is not such a game: `plywright solve {game.name}` chooses what suits it"
        )
    if path is not None:
        try:
            check_writable(Path(path))
        except OSError as error:
            raise BadInput(f"the table cannot be saved as {path}: {error.strerror}") from None
    if up_to_symmetry and not game.has_symmetry:
        raise BadInput(f"{game.name} says nothing of symmetries: it has no canonical()")
    began = working_clock()
    settings: dict[str, Any] = {"megabytes": megabytes, "up_to_symmetry": up_to_symmetry, "compiled": compiled}
    try:
        graph, values = state_values(game, state, progress=progress, **settings)
    except Unsuitable as error:
        raise Unsuitable(f"{error}{_other_ways(game, up_to_symmetry)}") from None
    steps = np.rint(values / game.step)
    if steps.min() < LEAST_STEPS or steps.max() > MOST_STEPS:
        raise Unsuitable(f"{game.name} has utilities of more than {MOST_STEPS:,} steps, and tables hold no more")
    distances = _distances(game, graph, values)
    keys = _keys(game, graph)
    order = np.argsort(keys, kind="stable")
    if (np.diff(keys[order]) == 0).any():
        raise Unsuitable(f"two positions of {game.name} share the 64 bits that stand for them: please report it")
    counts = _counts(game, graph, values, distances)
    arrays = keys[order], steps[order].astype(np.int16), distances[order]
    table = StrongTable(game, *arrays, counts, working_clock() - began, up_to_symmetry)
    if path is not None:
        table.save(path)
    return table


def _other_ways(game: Game, folded: bool) -> str:
    """What else there is for a game with too many positions."""
    ways = ["--symmetric takes positions that are alike for one"] if game.has_symmetry and not folded else []
    numbering = numbering_of(game)
    if numbering.has_index and (tables := numbering.tables):
        ways.append(
            f"`plywright table build {game.name} --pieces {tables[-1]}` solves slice by slice, and goes on later"
        )
    return "".join(f"; {way}" for way in ways)


def key_of(game: Game, state: Any) -> int:
    """The 64 bits by which the table knows a state."""
    return signed(mix(state) if game.fixed_states else digest(state))


def _keys(game: Game, graph: Reachable) -> NDArray[np.int64]:
    if graph.words is None:
        return np.array([key_of(game, graph.state_at(number)) for number in range(graph.count)], np.int64)
    work = Workspace(words=graph.words, keys=np.empty(graph.count, np.int64))
    hash_states(game, graph.state_at(0), graph.count, len(graph.words) // graph.count, work)
    return work.keys  # type: ignore[attr-defined, no-any-return]


def _sides(game: Game, graph: Reachable) -> NDArray[np.bool_]:
    """Whether the first player's team is to move; finished positions are seen from its side."""
    teams = np.array(game.team_of)
    found: NDArray[np.bool_] = (graph.mover == OVER) | (teams[np.maximum(graph.mover, 0)] == game.team_of[0])
    return found


def _distances(game: Game, graph: Reachable, values: NDArray[np.float64]) -> NDArray[np.int16]:
    """Plies to the end along moves that keep the value: retrograde analysis of the graph of those moves."""
    count = graph.count
    first_side, ahead = _sides(game, graph), np.sign(values - game.neutral_value).astype(np.int16)
    source = np.repeat(np.arange(count, dtype=np.int32), np.diff(graph.first))
    kept = (ahead[source] != 0) & (np.abs(values[graph.target] - values[source]) < 1e-6)
    source, target = source[kept], graph.target[kept]
    edges = (target << 1 | (first_side[source] == first_side[target])).astype(np.int32)
    status = np.where(graph.mover == OVER, ahead, 0).astype(np.int16)
    work: Any = Workspace(
        info=np.zeros(INFO, np.int64),
        stop=np.zeros(1, np.int64),
        status=status,
        win=np.zeros(count, np.int16),
        worst=np.where(ahead == 0, -1, 0).astype(np.int16),
        degree=np.bincount(source, minlength=count).astype(np.int32),
        heads=np.zeros(count + 2, np.uint32),
        parents=np.empty(max(len(edges), 1), np.int32),
        decided=np.empty(count, np.int32),
        later=np.empty(count, np.int32),
        due=np.zeros(FURTHEST + 2, np.int32),
        fresh=np.zeros(1, np.int32),
        edges=edges if len(edges) else np.zeros(1, np.int32),
    )
    work.info[FIRST] = 0
    count_edges(NO_GAME, len(edges), work)
    sum_heads(NO_GAME, count, work)
    turn_edges(NO_GAME, 0, count, work)
    prepare(NO_GAME, 0, count, work)
    settle(NO_GAME, 1, 1, work)
    return np.where(status == 0, -1, np.abs(status) - 1).astype(np.int16)


def _counts(game: Game, graph: Reachable, values: NDArray[np.float64], distances: NDArray[np.int16]) -> Counts:
    over = graph.mover == OVER
    mine = np.where(_sides(game, graph), 1, -1) * np.sign(values - game.neutral_value)
    won, lost = int((mine[~over] > 0).sum()), int((mine[~over] < 0).sum())
    drawn = graph.count - int(over.sum()) - won - lost
    return Counts(graph.count, int(over.sum()), won, drawn, lost, int(max(distances.max(), 0)))
