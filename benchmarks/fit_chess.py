"""The weights of chess's evaluation, fitted to games of the engine against itself, from nothing but rules of thumb.

    python benchmarks/fit_chess.py games first.npz --games 24000                    # by the rules of thumb
    python benchmarks/fit_chess.py fit first.npz --out first.csv
    python benchmarks/fit_chess.py games second.npz --games 120000 --seed 2 --weights first.csv
    python benchmarks/fit_chess.py fit second.npz --start first.csv --out src/plywright/games/chess/weights.csv

`games` plays (`chess_games.py`), `fit` weighs the features by logistic regression. It aims at the chance of the mover,
half of which is how the game ended and half what the search thought; how steeply a lead turns into chances is found
first, by the phase of the game, from what the search thought and how games ended. One game in twenty is held back. A
seed always gives the same games, of the same program. Fitting needs PyTorch (extra `[deep]`), and uses a graphics
processor where there is one.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chess_games import WORDS, Positions, play
from plywright import load_game
from plywright.bits import read_state
from plywright.compiled import Workspace, kernel
from plywright.errors import BadInput
from plywright.files import check_writable
from plywright.games.chess.evaluation import phase, weighed_sides
from plywright.games.chess.features import FEATURES, GROUPS, MATERIAL, SQUARES, TO_MOVE, first_weights
from plywright.games.chess.knowledge import PAWN, ending
from plywright.games.chess.network import read_network
from plywright.games.chess.weights import read_weights, write_weights

SCALE = 1.6  # pawns of lead that mean 73 %, before steepness
SEARCHED = 0.5  # the part of the aim that is what the search thought; the rest is how the game ended
HELD = 20  # one game in so many is held back
FEW = 4_500_000  # positions that are enough for features
ROWS = 16_384  # positions in one step
LEAST_NODES = 10  # with fewer no move of a position may be found


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


def features_of(words: NDArray[np.int64]) -> tuple[NDArray[np.int16], NDArray[Any], NDArray[Any]]:
    """[positions, FEATURES] counts; the part of the middlegame; what of a lead counts, for either side's."""
    game = load_game("chess")
    firsts, shifts, masks = digits()
    counts = np.zeros((len(words), FEATURES), np.int16)
    phases, scales = np.zeros(len(words), np.float32), np.zeros((len(words), 2), np.float32)
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
        found = work.counts.reshape(len(rows), FEATURES)
        for kind in range(5):  # the evaluation looks both up in one place
            squares = found[:, SQUARES + 64 * kind : SQUARES + 64 * (kind + 1)]
            found[:, MATERIAL + kind] = squares.sum(axis=1)
        last = first + len(rows)
        counts[first:last], phases[first:last] = found, work.phases / 24
        scales[first:last] = work.scales.reshape(-1, 2)
    return counts, phases, scales


# -- positions on disk --------------------------------------------------------------------------------------


def save(path: Path, found: Positions) -> None:
    new = path.with_suffix(".new.npz")
    np.savez(new, **found._asdict())
    new.replace(path)


def are_positions(found: Positions) -> bool:
    """Whether columns from a file are what `games` writes: kinds, sizes, one king each, at most 32 men."""
    kinds = np.int64, np.float32, np.int8, np.int32
    count = len(found.words)
    for column, kind, shape in zip(found, kinds, ((count, WORDS), (count,), (count,), (count,)), strict=True):
        if column.dtype != kind or column.shape != shape or not count:
            return False
    mine, theirs, kings = (found.words[:, column].view(np.uint64) for column in (0, 1, 6))
    for each in (mine & kings, theirs & kings):
        if not ((each != 0) & (each & (each - np.uint64(1)) == 0)).all():
            return False
    pawns, knights, diagonals, straights = (found.words[:, column].view(np.uint64) for column in (2, 3, 4, 5))
    boards = np.stack([pawns, knights, diagonals | straights, kings])
    if (np.bitwise_or.reduce(boards) != mine | theirs).any():  # nobody where somebody stands, or the other way round
        return False
    if (np.bitwise_count(boards).sum(axis=0) != np.bitwise_count(mine | theirs)).any():  # two on a square
        return False
    sane = np.isfinite(found.values).all() and (abs(found.results) <= 1).all() and (mine & theirs == 0).all()
    return bool(sane and (np.bitwise_count(mine | theirs) <= 32).all())


def read(path: Path) -> Positions:
    """Without positions that came up before, and those with a lone king: what few nodes make of these says nothing."""
    try:
        with np.load(path, allow_pickle=False) as file:
            found = Positions(*(file[name] for name in Positions._fields))
        whole = are_positions(found)
    except FileNotFoundError:
        raise BadInput(f"there is no file {path}") from None
    except Exception:  # whatever NumPy and zlib make of bytes that are no npz, or a damaged one
        whole = False
    if not whole:
        raise BadInput(f"{path} is no file of games: play some with fit_chess.py games {path}")
    keys = np.zeros(len(found.words), np.uint64)
    for column in range(8):
        keys = (keys ^ found.words[:, column].view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
    new = np.unique(keys, return_index=True)[1]  # each where it came up first
    mine, theirs, kings = (found.words[:, column] for column in (0, 1, 6))
    lone = (mine & ~kings == 0) | (theirs & ~kings == 0)
    places = np.sort(new)
    places = places[~lone[places]]
    return Positions(*(column[places] for column in found))


# -- chances --------------------------------------------------------------------------------------------------


class Chances:
    """How a lead turns into a chance, by the phase, and what the mover's chances are to be."""

    def __init__(self, torch: Any, found: Positions, phases: Any) -> None:
        self.torch = torch
        values = torch.from_numpy(found.values).to(phases.device) / PAWN
        ended = (torch.from_numpy(found.results).to(phases.device).float() + 1) / 2
        steep = torch.tensor([1.0, 1.0], device=phases.device, requires_grad=True)
        best = torch.optim.LBFGS([steep], max_iter=50)

        def closure() -> Any:
            best.zero_grad()
            loss = self.error(self.lead(values, phases, steep), ended)
            loss.backward()
            return loss

        best.step(closure)
        self.steep = steep.detach()
        print(f"steepness {float(self.steep[0]):.2f} with all pieces, {float(self.steep[1]):.2f} without", flush=True)
        self.aims = (1 - SEARCHED) * ended + SEARCHED * torch.sigmoid(self.lead(values, phases, self.steep))

    def lead(self, pawns: Any, phases: Any, steep: Any) -> Any:
        return pawns * (steep[0] * phases + steep[1] * (1 - phases)) / SCALE

    def error(self, logits: Any, aims: Any) -> Any:
        """The mean of -log likelihood."""
        return self.torch.nn.functional.binary_cross_entropy_with_logits(logits, aims)


def parts(torch: Any, found: Positions, device: Any) -> tuple[Any, Any]:
    """The places of positions to fit to, and of those held back."""
    held = torch.from_numpy(found.games % HELD == 0).to(device)
    return torch.nonzero(~held).ravel(), torch.nonzero(held).ravel()


def chosen_device(torch: Any) -> Any:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def steps_of(torch: Any, places: Any, epochs: int, rate: float, parameters: list[Any]) -> Iterator[Any]:
    """Batches of shuffled places with an optimiser whose steps shrink to nothing; it is stepped after each batch."""
    adam = torch.optim.Adam(parameters, lr=rate)
    number, total = 0, epochs * math.ceil(len(places) / ROWS)
    for _ in range(epochs):
        shuffled = places[torch.randperm(len(places), device=places.device)]
        for rows in shuffled.split(ROWS):
            for group in adam.param_groups:
                group["lr"] = rate * 0.5 * (1 + math.cos(math.pi * number / total))
            adam.zero_grad()
            yield rows
            adam.step()
            number += 1


# -- weights of features ----------------------------------------------------------------------------------------


def levelled(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same evaluation with squares that are worth nothing on average: what they all have belongs to the piece."""
    pairs = np.round(pairs, 1)
    for kind in range(5):
        squares = pairs[SQUARES + 64 * kind : SQUARES + 64 * (kind + 1)]
        used = slice(8, 56) if kind == 0 else slice(0, 64)
        mean = np.round(squares[used].mean(axis=0), 1)
        pairs[MATERIAL + kind] += mean
        squares[used] -= mean
    return np.round(pairs, 1).ravel()


def fit(path: Path, start: NDArray[np.float64], out: Path, epochs: int, pull: float) -> None:
    import torch

    torch.manual_seed(1)
    device = chosen_device(torch)
    found = read(path)
    if len(found.values) > FEW:
        stride = -(-len(found.values) // FEW)
        found = Positions(*(column[::stride] for column in found))
    print(f"{len(found.values):,} positions", flush=True)
    counts, phases, scales = (torch.from_numpy(each).to(device) for each in features_of(found.words))
    chances = Chances(torch, found, phases)
    first = torch.tensor(start.reshape(FEATURES, 2), dtype=torch.float32, device=device)
    width = torch.clamp(first.abs() / 4, min=10.0)
    moved = torch.zeros_like(first, requires_grad=True)  # in widths, so that all weights move alike

    def logits(rows: Any) -> Any:
        scores = counts[rows].float() @ (first + width * moved)
        late = scores[:, 1]
        late = late * torch.where(late > 0, scales[rows, 0], scales[rows, 1])
        pawns = 0.01 * (phases[rows] * scores[:, 0] + (1 - phases[rows]) * late)
        return chances.lead(pawns, phases[rows], chances.steep)

    def error(rows: Any) -> float:
        with torch.no_grad():
            each = [len(part) * chances.error(logits(part), chances.aims[part]) for part in rows.split(8 * ROWS)]
            return float(sum(each)) / len(rows)

    train, held = parts(torch, found, device)
    print(f"before: error {error(train):.5f}, on games held back {error(held):.5f}", flush=True)
    for rows in steps_of(torch, train, epochs, 0.02, [moved]):
        (chances.error(logits(rows), chances.aims[rows]) + pull * (moved * moved).sum()).backward()
    print(f"after: error {error(train):.5f}, on games held back {error(held):.5f}", flush=True)
    write_weights(out, levelled((first + width * moved).detach().cpu().numpy().astype(np.float64)))
    print(f"written to {out}", flush=True)


def at_least(least: int) -> Callable[[str], int]:
    """A whole number from here on, as an option's type."""

    def number(text: str) -> int:
        if int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is less than {least}")
        return int(text)

    number.__name__ = "whole number"
    return number


def answered(act: Callable[[], None]) -> None:
    """Run a script: what is wrong with its options or files is told in a line, with exit status 2."""
    try:
        act()
    except (BadInput, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("stopped; nothing was written", file=sys.stderr)
        sys.exit(130)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    acts = parser.add_subparsers(dest="act", required=True)
    playing = acts.add_parser("games")
    playing.add_argument("--games", type=at_least(1), default=30_000)
    playing.add_argument("--nodes", type=at_least(LEAST_NODES), default=600, help="a move")
    playing.add_argument("--seed", type=at_least(0), default=1)
    playing.add_argument("--processes", type=at_least(1), default=2)
    playing.add_argument("--weights", type=Path, help="of the players; rules of thumb where none are given")
    playing.add_argument("--network", type=Path, help="of the players; none where none is given")
    weighing = acts.add_parser("fit")
    weighing.add_argument("--start", type=Path, help="weights to begin with; rules of thumb where none are given")
    weighing.add_argument("--epochs", type=at_least(1), default=12)
    weighing.add_argument("--pull", type=float, default=1e-6, help="towards the weights to begin with")
    weighing.add_argument("--out", type=Path, required=True)
    for act in (playing, weighing):
        act.add_argument("path", type=Path, help="of the games, an npz file")
    given = parser.parse_args()
    check_writable(given.path if given.act == "games" else given.out)
    if given.act == "games":
        weights = read_weights(given.weights) if given.weights else first_weights()
        network = read_network(given.network) if given.network else None
        batches = list(play(weights, given.games, given.nodes, given.seed, given.processes, network))
        batches.sort(key=lambda found: int(found.games[0]))
        save(given.path, Positions(*map(np.concatenate, zip(*batches, strict=True))))
    else:
        start = read_weights(given.start) if given.start else first_weights()
        fit(given.path, start, given.out, given.epochs, given.pull)


if __name__ == "__main__":
    answered(main)
