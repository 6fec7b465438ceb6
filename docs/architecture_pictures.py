"""Draws the two pictures of docs/architecture.md anew: `python docs/architecture_pictures.py`."""

from __future__ import annotations

from pathlib import Path

from plywright.draw.diagram import Box, Row, diagram

IMAGES = Path(__file__).parent / "images"

LAYERS = (
    Row((Box("cli/", ("the command plywright",)), Box("web/", ("the page",)))),
    Row((Box("doctor/", ("examines games",)), Box("pacman/", ("agents, grading",)), Box("learning/", ("self-play",)))),
    Row(
        (
            Box("arena/", ("referee, matches, Elo, SPRT",)),
            Box("programs/", ("pipes, sandbox",)),
            Box("players/", ("who chooses",)),
        )
    ),
    Row(
        (
            Box("engine/", ("compiled searches",)),
            Box("equilibrium/", ("CFR",)),
            Box("tables/", ("endgames",)),
            Box("textbook/", ("traced, the oracle",)),
        )
    ),
    Row(
        (
            Box("games/", ("rules, notation, pictures",)),
            Box("models/", ("learned weights",)),
            Box("utility/", ("lotteries",)),
            Box("draw/", ("SVG",)),
        )
    ),
    Row(
        (
            Box("smoke_test, contracts", ("is the game sound?",)),
            Box("native/", ("Numba",)),
            Box("compiled", ("@kernel, Workspace",)),
        )
    ),
    Row((Box("knowledge", ("what a search knows",)), Box("result, repetition"), Box("game", ("the protocol",)))),
    Row((Box("identity, fingerprint"), Box("state, survey"), Box("bits, rng, errors, files"))),
)

SEARCH = (
    Row((Box("search(game, state, time=1)", ("engine/api.py",)),), "game, state, limits, options"),
    Row(
        (
            Box("Is the game sound?", ("contracts.py, smoke_test.py, survey.py",)),
            Box("Which search suits it?", ("engine/suitability.py",)),
        ),
        "algorithm, knowledge",
    ),
    Row(
        (
            Box(
                "A Task owns the search",
                ("engine/task.py, alphabeta/pvs_search.py", "run() and stop(), workspace, transposition table"),
            ),
        ),
        "depth 1, 2, 3, ...",
    ),
    Row(
        (
            Box(
                "The kernel for these rules",
                ("compiled.py: fingerprint.py, native/codecache.py", "or native/pipeline.py the first time"),
            ),
            Box("A thread without the GIL", ("engine/kernel_runner.py", "keeps the time, hears Ctrl-C")),
        ),
        "game, knowledge, state, depth, window",
    ),
    Row(
        (
            Box(
                "The kernel searches",
                (
                    "alphabeta/pvs.py with ordering.py, transposition.py",
                    "calls the rules and the knowledge as native code",
                ),
            ),
        ),
        "value, line, nodes, how much was estimated",
    ),
    Row(
        (
            Box("Next depth, or enough?", ("engine/task.py, engine/limits.py",)),
            Box("A proof is completed", ("alphabeta/proved_line.py",)),
        )
    ),
    Row((Box("SearchResult", ("result.py: action, value, bound, proved, line, nodes",)),)),
)


def pictures() -> dict[str, str]:
    """The name and the SVG of each picture."""
    return {
        "layers.svg": diagram(LAYERS, "The layers of Plywright; imports go downward only", arrow_height=20).svg,
        "search.svg": diagram(SEARCH, "The way of a search from call to answer").svg,
    }


def main() -> None:
    for name, picture in pictures().items():
        (IMAGES / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
