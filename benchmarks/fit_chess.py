"""The weights of chess's evaluation, fitted to our own games: `python benchmarks/fit_chess.py play GAMES.npz`, then
`python benchmarks/fit_chess.py fit GAMES.npz ...`, which writes src/plywright/games/chess/weights.py.

`play` lets the engine play itself at a small depth from random openings, and keeps quiet positions with how the game
ended and what the search thought. `fit` weighs the features (logistic regression, drawn towards the weights it starts
from), on nine tenths of the games, and prints the error on the rest.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywright import load_game
from plywright.bits import read_state, write_state
from plywright.compiled import Workspace, kernel
from plywright.counters import NODES, STOPPED, stop_word
from plywright.engine.alphabeta.ordering import HISTORY
from plywright.engine.alphabeta.pvs import BUSY, pvs
from plywright.engine.alphabeta.pvs_counters import AGE, INFINITY, MODE, PATH, ROOT_DEPTH, SELECTIVE, WIN
from plywright.engine.alphabeta.pvs_search import workspace
from plywright.engine.alphabeta.repetition import NOWHERE
from plywright.engine.alphabeta.transposition import new_table
from plywright.games.chess.features import FEATURES, GROUPS, STARTS, TO_MOVE, first_weights, phase, weighed_side
from plywright.games.chess.knowledge import ChessKnowledge, ending, sides
from plywright.rng import below, seeded

LONGEST = 220  # plies of a game
WORDS = 13
RANDOM_PLIES = 8
DECIDED = 0.08  # a lead, in wins, that ends a game when it lasts
SCALE = 0.016  # the lead that means 73 %
SEARCHED = 0.35  # the part of the aim that is what the search thought; the rest is how the game ended


@kernel
def play_game(game, knowledge, state, depth, most, rng, work, record):
    """Play one game; fills record.words, record.values and record.quiet, returns (plies, White's result * 2)."""
    info = work.info
    lead = 0
    for ply in range(LONGEST):
        if game.is_terminal(state):
            mover = game.to_move(state)
            utility = game.utility(state, mover)
            return ply, int(2 * utility) if mover == 0 else -int(2 * utility)
        key = game.repetition_key(state)
        times = 0
        for before in range(ply):
            times += 1 if record.keys[before] == np.int64(key) else 0
        if times >= 2:
            return ply, 0
        record.keys[ply] = np.int64(key)
        write_state(record.words, WORDS * ply, state)
        mover = game.to_move(state)
        action = -1
        value = 0
        record.quiet[ply] = 0
        if ply < RANDOM_PLIES:
            number = below(rng, game.count_actions(state))
            for each in game.actions(state):
                if number == 0:
                    action = each
                number -= 1
        else:
            info[AGE] = 1 + ply % 31
            first = info[NODES]
            for reach in range(1, depth + 1):
                info[STOPPED] = 0
                info[MODE], info[PATH], info[ROOT_DEPTH] = SELECTIVE, NOWHERE, reach
                value = pvs(game, knowledge, state, mover, reach, 0, -INFINITY, INFINITY, work)
                action = work.line[0]
                if info[NODES] - first > most:
                    break
            static = knowledge.evaluate(state, mover)
            calm = abs(static - value / work.units[0]) < 0.012
            if state.checkers == 0 and not knowledge.tactical(state, action) and abs(value) < info[WIN] and calm:
                record.quiet[ply] = 1
            white = value if mover == 0 else -value
            lead = lead + 1 if white > DECIDED * info[WIN] else (lead - 1 if white < -DECIDED * info[WIN] else 0)
            if abs(lead) >= 6:
                return ply, 2 if lead > 0 else -2
        record.values[ply] = value
        state = game.result(state, action)
    return LONGEST, 0


@kernel
def count_features(game, like, work, number):
    """How often each feature is there, mover's less the opponent's: each is weighed with 1 and all others with 0."""
    for index in range(number):
        state = read_state(work.words, WORDS * index, like)
        mine, theirs = sides(state)
        for feature in range(FEATURES):
            work.unit[2 * feature] = 1.0
            work.counts[FEATURES * index + feature] = (
                weighed_side(work.unit, mine)[0] - weighed_side(work.unit, theirs)[0]
            )
            work.unit[2 * feature] = 0.0
        work.counts[FEATURES * index + TO_MOVE] = 1.0
        work.phases[index] = phase(mine)
        work.scales[2 * index], work.scales[2 * index + 1] = ending(state, 1.0), ending(state, -1.0)
    return 0


def play(path: Path, minutes: float, depth: int, seed: int) -> None:
    game = load_game("chess")
    knowledge = ChessKnowledge(game)
    work = workspace(knowledge, new_table(8), stop_word(), np.zeros(BUSY, np.int64), np.zeros(2 * HISTORY, np.int64))
    record = Workspace(
        words=np.zeros(WORDS * LONGEST, np.int64),
        values=np.zeros(LONGEST, np.int64),
        quiet=np.zeros(LONGEST, np.int64),
        keys=np.zeros(LONGEST, np.int64),
    )
    rng: Any = seeded(seed)
    words, values, results, games = [], [], [], []
    began, number = time.monotonic(), 0
    saved = began
    while time.monotonic() - began < 60 * minutes:
        plies, result = play_game(game, knowledge, game.start_state, depth, 20000, rng, work, record)
        number += 1
        kept = np.flatnonzero(record.quiet[:plies])
        rows = record.words.reshape(LONGEST, WORDS)[kept]
        words.append(rows.copy())
        values.append(record.values[kept] / work.units[0])
        movers = rows[:, 10]
        results.append(np.where(movers == 0, result, -result) / 2)
        games.append(np.full(len(kept), number))
        if time.monotonic() - saved > 30:
            saved = time.monotonic()
            _save(path, words, values, results, games)
            print(f"{number} games, {sum(map(len, values)):,} positions", flush=True)
    _save(path, words, values, results, games)


def _save(path: Path, *columns: list[NDArray[Any]]) -> None:
    names = ("words", "values", "results", "games")
    np.savez_compressed(path, **{name: np.concatenate(column) for name, column in zip(names, columns, strict=True)})


def fit(paths: list[Path], start: NDArray[Any], pull: float) -> NDArray[Any]:
    """New weights for these games: what comes nearest to how they ended, and not far from the weights to begin with."""
    from scipy.optimize import minimize

    words, values, results, games = (
        np.concatenate([np.load(path)[name] for path in paths]) for name in ("words", "values", "results", "games")
    )
    features, taper, scales = _features(words)
    held = games % 10 == 0
    aim = (1 - SEARCHED) * (results + 1) / 2 + SEARCHED / (1 + np.exp(-values / SCALE))
    usual = 0.01 * 0.01 / SCALE  # hundredths of a pawn to the logistic's argument

    parts = [np.flatnonzero(~held), np.flatnonzero(held)]
    tables = [features[rows] for rows in parts]
    turned = tables[0].T.tocsr()
    steep = [1.0, 1.0]

    def guess(weights: NDArray[Any], part: int) -> tuple[NDArray[Any], NDArray[Any]]:
        rows = parts[part]
        early, late = tables[part] @ weights[0::2], tables[part] @ weights[1::2]
        scale = np.where(late > 0, scales[rows, 0], scales[rows, 1])
        lead = early * taper[rows] + late * scale * (1 - taper[rows])
        return 1 / (1 + np.exp(-slopes(part) * lead)), scale

    def slopes(part: int) -> NDArray[Any]:
        """How steeply a lead turns into chances, by the phase: small players win few endgames with what they have."""
        share = taper[parts[part]]
        return usual * (steep[0] * share + steep[1] * (1 - share))

    def error(chance: NDArray[Any], part: int) -> float:
        wanted = aim[parts[part]]
        return float(-np.mean(wanted * np.log(chance + 1e-12) + (1 - wanted) * np.log(1 - chance + 1e-12)))

    def loss(weights: NDArray[Any]) -> tuple[float, NDArray[Any]]:
        rows = parts[0]
        chance, scale = guess(weights, 0)
        off = (chance - aim[rows]) * slopes(0) / len(rows)
        slope = np.empty_like(weights)
        slope[0::2] = turned @ (off * taper[rows])
        slope[1::2] = turned @ (off * scale * (1 - taper[rows]))
        away = (weights - start) / 30
        return error(chance, 0) + pull * float(away @ away), slope + 2 * pull * away / 30

    tried = {}
    for early in np.arange(0.5, 1.6, 0.1):
        for late in np.arange(0.2, 1.6, 0.1):
            steep[:] = [early, late]
            tried[early, late] = error(guess(start, 0)[0], 0)
    steep[:] = min(tried, key=lambda pair: tried[pair])
    print(f"steepness {steep[0]:.1f} with all pieces, {steep[1]:.1f} without")
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    before, after = (error(guess(weights, 1)[0], 1) for weights in (start, found))
    print(f"{len(values):,} positions of {len(np.unique(games)):,} games or more; pull {pull:g}")
    print(
        f"error on games held back: {before:.5f} before, {after:.5f} after; fitted {error(guess(found, 0)[0], 0):.5f}"
    )
    return found


def _features(words: NDArray[Any]) -> tuple[Any, NDArray[Any], NDArray[Any]]:
    """[positions, FEATURES] counts, sparse; the part of the middlegame; what of a lead counts, for either side's."""
    from scipy.sparse import csr_matrix, vstack

    game, parts, phases, scales = load_game("chess"), [], [], []
    for first in range(0, len(words), 2000):
        rows = words[first : first + 2000]
        work: Any = Workspace(
            words=np.ascontiguousarray(rows).ravel(),
            unit=np.zeros(2 * FEATURES),
            counts=np.zeros(len(rows) * FEATURES),
            phases=np.zeros(len(rows)),
            scales=np.zeros(2 * len(rows)),
        )
        count_features(game, game.start_state, work, len(rows))
        parts.append(csr_matrix(work.counts.reshape(len(rows), FEATURES)))
        phases.append(work.phases / 24)
        scales.append(work.scales.reshape(-1, 2))
    return vstack(parts).tocsr(), np.concatenate(phases), np.concatenate(scales)


def write_weights(weights: NDArray[Any], path: Path) -> None:
    """The weights as a Python file, by groups of features."""
    lines = [
        '"""The weights of chess\'s features, middlegame and endgame, in hundredths of a pawn.',
        "",
        "Made by `python benchmarks/fit_chess.py`, from games of the engine against itself.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "WEIGHTS = (",
    ]
    for name, size in GROUPS.items():
        lines.append(f"    # {name}")
        numbers = weights[2 * STARTS[name] : 2 * (STARTS[name] + size)]
        rows = [", ".join(f"{number:.0f}" for number in numbers[at : at + 16]) for at in range(0, len(numbers), 16)]
        lines += [f"    *({row})," for row in rows]
    path.write_text("\n".join([*lines, ")", ""]), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "play":
        play(Path(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
    elif sys.argv[1] == "fit":
        found = fit([Path(name) for name in sys.argv[4:]], first_weights(), float(sys.argv[3]))
        write_weights(found, Path(sys.argv[2]))
