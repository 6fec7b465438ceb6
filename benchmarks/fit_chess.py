"""The weights of chess's evaluation, fitted to games of the engine against itself.

    python benchmarks/fit_chess.py play one.npz --games 1200 --seed 1
    python benchmarks/fit_chess.py play two.npz --games 1200 --seed 2
    python benchmarks/fit_chess.py fit one.npz two.npz       # writes src/plywright/games/chess/weights.csv

`play` lets the engine play itself with the weights that fitting starts from (`first_weights`), some nodes a move, from
openings of random moves that are about even, and knows the game's past, so that it does not repeat itself out of a win.
It keeps quiet positions: no check, no capture that wins anything, and a move that is no capture. Whether the evaluation
agrees with the search is not asked: positions chosen by that would only teach what the weights say already.
`fit` weighs the features: logistic regression to how the game ended and to what the search thought, drawn towards the
weights it starts from. One game in ten is held back, and how much it is drawn is chosen by the error on those. A seed
always gives the same games, and games the same weights.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import plywright.games.chess as package
from plywright import load_game
from plywright.bits import read_state, signed, write_state
from plywright.compiled import Workspace, kernel
from plywright.counters import NODE_LIMIT, NODES, STOPPED, stop_word
from plywright.engine.alphabeta.ordering import HISTORY
from plywright.engine.alphabeta.pvs import BUSY, pvs
from plywright.engine.alphabeta.pvs_counters import AGE, INFINITY, MODE, PAST_MASK, PATH, ROOT_DEPTH, SELECTIVE
from plywright.engine.alphabeta.pvs_workspace import workspace
from plywright.engine.alphabeta.repetition import NOWHERE
from plywright.engine.alphabeta.transposition import new_table
from plywright.games.chess.evaluation import phase, weighed_sides
from plywright.games.chess.features import FEATURES, GROUPS, MATERIAL, SQUARES, TO_MOVE, first_weights
from plywright.games.chess.knowledge import ChessKnowledge, ending
from plywright.games.chess.weights import write_weights
from plywright.rng import below, seeded

WEIGHTS = Path(package.__path__[0]) / "weights.csv"
LONGEST = 300  # plies of a game
WORDS, MINE, THEIRS, KINGS, MOVER = 13, 0, 1, 6, 10  # of a position; some that are looked at here
LEAST_RANDOM, MORE_RANDOM = 6, 4  # plies at random to begin with
DEEPEST = 30
UNEVEN = 0.03  # a lead, in wins, with which no game begins
DECIDED, LASTING = 0.07, 8  # a lead that ends a game when it lasts for so many plies
QUIET = 0.001  # what captures may win in a quiet position
SCALE = 0.016  # the lead that means 73 %
SEARCHED = 0.5  # the part of the aim that is what the search thought; the rest is how the game ended
PULLS = (2e-6, 5e-6, 2e-5)


@kernel
def look(game, like, work, record, ply):
    """What there is to know of a game's position: its legal actions, 0 where it is over, and then White's result."""
    state = read_state(record.words, WORDS * ply, like)
    record.white[0] = 0.0
    if game.is_terminal(state):
        record.white[0] = game.utility(state, 0)
        return 0
    return 0 if happened(game, state, work) >= 3 else game.count_actions(state)


@kernel
def go_on(game, knowledge, like, record, ply, number):
    """Play the action of this number in the list; whether the position before it was quiet but for its captures."""
    state = read_state(record.words, WORDS * ply, like)
    action = -1
    for each in game.actions(state):
        if number == 0:
            action = each
        number -= 1
    write_state(record.words, WORDS * (ply + 1), game.result(state, action))
    return state.checkers == 0 and not knowledge.tactical(state, action)


def happened(game, state, work):
    """Note the position in the game's past; how often it has been there, this time included."""
    key = signed(game.repetition_key(state))
    place = key & work.info[PAST_MASK]
    while work.past[2 * place + 1] != 0 and work.past[2 * place] != key:
        place = (place + 1) & work.info[PAST_MASK]
    work.past[2 * place] = key
    work.past[2 * place + 1] += 1
    return work.past[2 * place + 1]


@kernel
def count_features(game, like, work, number, passes):
    """How often each feature is there, mover's less the opponent's: those of a pass are weighed at once, each with
    a power of two of its own (`shifts`), and all others with 0."""
    for index in range(number):
        state = read_state(work.words, WORDS * index, like)
        for turn in range(passes):
            for feature in range(work.firsts[turn], work.firsts[turn + 1]):
                work.unit[feature] = 1 << work.shifts[feature]
            mine, theirs = weighed_sides(work.unit, state)
            for feature in range(work.firsts[turn], work.firsts[turn + 1]):
                shift, mask = work.shifts[feature], work.masks[feature]
                work.counts[FEATURES * index + feature] = (mine >> shift & mask) - (theirs >> shift & mask)
                work.unit[feature] = 0
        work.counts[FEATURES * index + TO_MOVE] = 1
        work.phases[index] = phase(state)
        work.scales[2 * index], work.scales[2 * index + 1] = ending(state, 1), ending(state, -1)
    return 0


def digits() -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Where each pass of features begins, and each feature's shift and mask: a feature of its own may count to
    thousands, those of a group (squares, ranks, numbers of moves) to fifteen."""
    firsts, shifts, masks = [0], [], []
    used, feature = 0, 0
    for size in GROUPS.values():
        bits = 16 if size == 1 else 4
        for _ in range(size):
            if used + bits > 60:
                firsts.append(feature)
                used = 0
            shifts.append(used)
            masks.append((1 << bits) - 1)
            used += bits
            feature += 1
    return np.array([*firsts, FEATURES]), np.array(shifts), np.array(masks)


class Players:
    """The engine on both sides of games that are played one after another."""

    def __init__(self, nodes: int, seed: int) -> None:
        self.game, self.nodes = load_game("chess"), nodes
        self.knowledge = ChessKnowledge(self.game, first_weights())
        room = dict.fromkeys(range(1, LONGEST + 1), 1)  # for the positions of a game
        history, busy = np.zeros(2 * HISTORY, np.int64), np.zeros(BUSY, np.int64)
        self.work = workspace(self.knowledge, new_table(4), stop_word(), busy, history, room)
        self.record: Any = Workspace(words=np.zeros(WORDS * (LONGEST + 1), np.int64), white=np.zeros(1))
        self.rng: Any = seeded(seed)
        start = self.game.start_state
        self.search = pvs.entry(self.game, self.knowledge, start, 0, 0, 0, -INFINITY, INFINITY, self.work)[0]

    def thought(self, state: Any, ply: int) -> tuple[int, float, float]:
        """The action for so many nodes, its value, and what captures alone make of the position."""
        work, info = self.work, self.work.info
        info[AGE], info[NODE_LIMIT] = 1 + ply % 31, info[NODES] + self.nodes
        action, values = -1, [0]
        for depth in range(DEEPEST):
            info[STOPPED], info[MODE], info[PATH], info[ROOT_DEPTH] = 0, SELECTIVE, NOWHERE, depth
            value = self.search(self.game, self.knowledge, state, int(state.mover), depth, 0, -INFINITY, INFINITY, work)
            if info[STOPPED]:
                break
            action = int(work.line[0]) if depth else action
            values = [values[0] if depth else int(value), int(value)]
        return action, values[-1] / work.units[0], values[0] / work.units[0]

    def one_game(self) -> tuple[list[int], list[float], int]:
        """Plies of quiet positions, what the search thought of them, and White's result; none of an uneven opening."""
        game, record, rng = self.game, self.record, self.rng
        self.work.past[:] = 0
        write_state(record.words, 0, game.start_state)
        opening = LEAST_RANDOM + below(rng, MORE_RANDOM)
        plies: list[int] = []
        values: list[float] = []
        lead = 0
        for ply in range(LONGEST):
            count = look(game, game.start_state, self.work, record, ply)
            if count == 0:
                return plies, values, round(float(record.white[0]))
            if ply < opening:
                go_on(game, self.knowledge, game.start_state, record, ply, below(rng, count))
                continue
            state = read_state(record.words, WORDS * ply, game.start_state)
            action, value, captures = self.thought(state, ply)
            if ply == opening and abs(value) > UNEVEN:
                break
            number = list(game.actions(state)).index(action) if action >= 0 else 0  # checks may use up all nodes
            calm = go_on(game, self.knowledge, game.start_state, record, ply, number)
            if calm and abs(value) < 1 and captures - self.knowledge.evaluate(state, int(state.mover)) < QUIET:
                plies.append(ply)
                values.append(value)
            white = value if state.mover == 0 else -value
            lead = lead + 1 if white > DECIDED else lead - 1 if white < -DECIDED else 0
            if abs(lead) >= LASTING:
                return plies, values, 1 if lead > 0 else -1
        return plies, values, 0


def play(path: Path, games: int, nodes: int, seed: int) -> None:
    players = Players(nodes, seed)
    words, values, results, numbers = [], [], [], []
    said = time.monotonic()
    number = 0
    while number < games:
        kept, thoughts, result = players.one_game()
        if not kept:
            continue
        number += 1
        rows = players.record.words.reshape(LONGEST + 1, WORDS)[kept]
        words.append(rows.copy())
        values.append(np.array(thoughts))
        results.append(np.where(rows[:, MOVER] == 0, result, -result))
        numbers.append(np.full(len(kept), number))
        if time.monotonic() - said > 20:
            said = time.monotonic()
            save(path, words, values, results, numbers)
            print(f"{number} of {games} games, {sum(map(len, values)):,} positions", flush=True)
    save(path, words, values, results, numbers)


def save(path: Path, *columns: list[NDArray[Any]]) -> None:
    names = ("words", "values", "results", "games")
    new = path.with_suffix(".new.npz")
    np.savez_compressed(new, **{name: np.concatenate(column) for name, column in zip(names, columns, strict=True)})
    new.replace(path)


def read(paths: list[Path]) -> tuple[NDArray[Any], ...]:
    """Positions, the search's values, results and numbers of games; left out are those that came up before, and those
    with a lone king: what few nodes make of them says nothing of weights."""
    parts, first = [], 0
    for path in paths:
        with np.load(path) as file:
            parts.append([file["words"], file["values"], file["results"], file["games"] + first])
        first = int(parts[-1][3].max())
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    _, places = np.unique(columns[0][:, :MOVER], axis=0, return_index=True)
    mine, theirs, kings = (columns[0][:, word] for word in (MINE, THEIRS, KINGS))
    lone = (mine & ~kings == 0) | (theirs & ~kings == 0)
    places = np.sort(places[~lone[places]])
    return tuple(column[places] for column in columns)


class Data:
    """Positions with their features and what the evaluation should say of them: a part to fit to, and one held back."""

    def __init__(self, paths: list[Path]) -> None:
        words, values, results, games = read(paths)
        self.games = len(np.unique(games))
        features, taper, scales = features_of(words)
        aim = (1 - SEARCHED) * (results + 1) / 2 + SEARCHED / (1 + np.exp(-values / SCALE))
        held = games % 10 == 0
        self.parts = [
            (features[rows], taper[rows], scales[rows], aim[rows]) for rows in map(np.flatnonzero, (~held, held))
        ]
        self.steep = [1.0, 1.0]

    def chances(self, weights: NDArray[Any], part: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The winning chance of each position, by how much it changes with the two scores."""
        features, taper, scales, _ = self.parts[part]
        late = features @ weights[1::2]
        scale = np.where(late > 0, scales[:, 0], scales[:, 1])
        slope = 0.01 * 0.01 / SCALE * (self.steep[0] * taper + self.steep[1] * (1 - taper))  # of a hundredth of a pawn
        early, late_slope = slope * taper, slope * (1 - taper) * scale
        return 1 / (1 + np.exp(-early * (features @ weights[0::2]) - late_slope * late)), early, late_slope

    def error(self, weights: NDArray[Any], part: int) -> float:
        """The mean of -log likelihood."""
        chance, wanted = self.chances(weights, part)[0], self.parts[part][3]
        return float(-np.mean(wanted * np.log(chance + 1e-12) + (1 - wanted) * np.log(1 - chance + 1e-12)))

    def find_steepness(self, weights: NDArray[Any]) -> None:
        """How steeply a lead turns into chances, by the phase: quick players win few endgames with what they have."""
        tried = {}
        for early in np.arange(0.5, 1.6, 0.1):
            for late in np.arange(0.2, 1.6, 0.1):
                self.steep = [early, late]
                tried[early, late] = self.error(weights, 0)
        self.steep = list(min(tried, key=lambda pair: tried[pair]))
        print(f"steepness {self.steep[0]:.1f} with all pieces, {self.steep[1]:.1f} without")

    def fitted(self, start: NDArray[Any], pull: float) -> NDArray[Any]:
        """What comes nearest to the aims, and not far from the weights to begin with."""
        from scipy.optimize import minimize

        features, _, _, aim = self.parts[0]
        turned = features.T.tocsr()
        width = np.maximum(np.abs(start) / 4, 10)

        def loss(weights: NDArray[Any]) -> tuple[float, NDArray[Any]]:
            chance, early, late = self.chances(weights, 0)
            off = (chance - aim) / len(aim)
            slope = np.empty_like(weights)
            slope[0::2], slope[1::2] = turned @ (off * early), turned @ (off * late)
            away = (weights - start) / width
            return self.error(weights, 0) + pull * float(away @ away), slope + 2 * pull * away / width

        found: NDArray[Any] = minimize(
            loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400, "ftol": 3e-10, "gtol": 1e-9}
        ).x
        return found


def features_of(words: NDArray[Any]) -> tuple[Any, NDArray[Any], NDArray[Any]]:
    """[positions, FEATURES] counts, sparse; the part of the middlegame; what of a lead counts, for either side's."""
    from scipy.sparse import csr_matrix, vstack

    game, parts, phases, scales = load_game("chess"), [], [], []
    firsts, shifts, masks = digits()
    for first in range(0, len(words), 2000):
        rows = words[first : first + 2000]
        work: Any = Workspace(
            words=np.ascontiguousarray(rows).ravel(),
            unit=np.zeros(FEATURES, np.int64),
            firsts=firsts,
            shifts=shifts,
            masks=masks,
            counts=np.zeros(len(rows) * FEATURES, np.int64),
            phases=np.zeros(len(rows)),
            scales=np.zeros(2 * len(rows)),
        )
        count_features(game, game.start_state, work, len(rows), len(firsts) - 1)
        counts = work.counts.reshape(len(rows), FEATURES)
        for kind in range(5):  # the evaluation looks both up in one place
            squares = counts[:, SQUARES + 64 * kind : SQUARES + 64 * (kind + 1)]
            counts[:, MATERIAL + kind] = squares.sum(axis=1)
        parts.append(csr_matrix(counts.astype(np.float64)))
        phases.append(work.phases / 24)
        scales.append(work.scales.reshape(-1, 2))
    return vstack(parts).tocsr(), np.concatenate(phases), np.concatenate(scales)


def fit(paths: list[Path]) -> None:
    """Write the weights that do best on the games held back; where that is the first ones, nothing is written."""
    start, data = first_weights(), Data(paths)
    size = sum(len(part[3]) for part in data.parts)
    print(f"{size:,} positions of {data.games:,} games")
    data.find_steepness(start)
    print(f"first weights: error {data.error(start, 0):.5f}, on games held back {data.error(start, 1):.5f}")
    tried = {}
    for pull in PULLS:
        weights = np.round(data.fitted(start, pull), 1)
        tried[pull] = data.error(weights, 1), weights
        print(f"pull {pull:g}: error {data.error(weights, 0):.5f}, on games held back {tried[pull][0]:.5f}", flush=True)
    least, weights = min(tried.values(), key=lambda pair: pair[0])
    if least < data.error(start, 1):
        write_weights(WEIGHTS, weights)
        print(f"written to {WEIGHTS}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    acts = parser.add_subparsers(dest="act", required=True)
    playing = acts.add_parser("play")
    playing.add_argument("path", type=Path)
    playing.add_argument("--games", type=int, default=6000)
    playing.add_argument("--nodes", type=int, default=1000, help="a move")
    playing.add_argument("--seed", type=int, default=1)
    fitting = acts.add_parser("fit")
    fitting.add_argument("paths", type=Path, nargs="+")
    given = parser.parse_args()
    if given.act == "play":
        play(given.path, given.games, given.nodes, given.seed)
    else:
        fit(given.paths)


if __name__ == "__main__":
    main()
