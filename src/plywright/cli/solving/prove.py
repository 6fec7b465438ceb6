"""`plywright solve --algorithm dfpn`: a position's worth by proof-number search, with proofs to keep and check."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from ...engine.options import ProofOptions
from ...engine.proof.dfpn_search import MEGABYTES, Answer, ProofProgress, prove_value
from ...engine.proof.proof import Proof, load_proof
from ...errors import BadInput
from ...files import check_writable, write_whole
from ...game import Game
from ...games import load_game
from ...outcome_text import is_end, seen_text
from ..console import busy, count_text, out, print_json, value_text

LINES = 4
PICTURES = {".svg": "svg", ".txt": "text"}
"""Endings of a file that get the proof as a tree; any other gets it as JSON, which `--check` reads."""


def show_proof_numbers(
    name: str,
    game: Game,
    state: Any,
    history: tuple[Any, ...],
    *,
    table: float | None,
    time: float | None,
    proof: Path | None,
    why: str,
    json: bool,
) -> None:
    if proof is not None:
        try:
            check_writable(proof)
        except OSError as error:
            raise BadInput(f"the proof cannot be saved as {proof}: {error.strerror}") from None
    with busy(f"solving {name}") as say:

        def tell(progress: ProofProgress) -> None:
            speed = (
                f"{count_text(progress.nodes)} positions, {count_text(progress.nodes / max(progress.seconds, 1e-9))}/s"
            )
            say(f"solving {name}: {speed}, lines of up to {progress.depth} moves")

        megabytes = MEGABYTES if table is None else table
        keep: Literal[True, "soon"] = "soon" if proof is None else True
        settings: ProofOptions = {"megabytes": megabytes, "time": time, "keep": keep, "history": history}
        settings["progress"] = tell
        value, answers = prove_value(game, state, **settings)
    proofs = [answer.proof for answer in answers if answer.proof is not None]
    if proof is not None:
        _save(proofs, proof, answers)
    if json:
        found = {"game": game.name, "state": game.format_state(state), "value": value, "algorithm": "dfpn"}
        print_json({**found, "why": why, "questions": [_question(game, answer) for answer in answers]})
        return
    out.print(game.picture(state).text, markup=False)
    shown = f"not decided: {_known(game, answers)}" if value is None else f"{value_text(value)}  (proved)"
    out.print(f"     value  {shown}", markup=False)
    out.print(f"    solver  proof-number search: {why}", markup=False)
    for answer in answers:
        out.print(f"  question  {_words(game, answer)}", markup=False)
        if answer.note:
            out.print(f"            {answer.note}", markup=False)
    for label, line in zip(["     lines", *[" " * 10] * LINES], _lines(proofs), strict=False):
        out.print(f"{label}  {line}", markup=False)
    if proof is not None:
        out.print(f"wrote {proof}", markup=False)


def show_check(name: str, path: Path, json: bool) -> None:
    """Whether the proof in a file holds, by the rules alone."""
    game = load_game(name)
    found = load_proof(game, path)
    with busy(f"checking {path}"):
        positions = found.check()
    words = f"at least {value_text(found.target)} for {game.player_name(found.player)}"
    if json:
        print_json(
            {
                "game": game.name,
                "file": str(path),
                "player": found.player,
                "target": found.target,
                "positions": positions,
                "moves_before": len(found.history),
            }
        )
        return
    out.print(game.picture(found.state).text, markup=False)
    before = len(found.history)
    after = f" after the {before} move{'s' * (before != 1)} that led here" if before else ""
    out.print(f"    proved  {words}{after}: the proof holds in all {positions:,} positions it comes to", markup=False)
    for label, line in zip(["     lines", *[" " * 10] * LINES], _lines([found]), strict=False):
        out.print(f"{label}  {line}", markup=False)


def _save(proofs: list[Proof], path: Path, answers: list[Answer]) -> None:
    if not proofs:
        note = next((answer.note for answer in answers if answer.note), "nothing was proved")
        raise BadInput(f"there is no proof to save: {note}")
    if path.suffix in PICTURES:
        write_whole(path, getattr(proofs[-1].picture(), PICTURES[path.suffix]).encode())
    else:
        proofs[-1].save(path)


def _lines(proofs: list[Proof]) -> list[str]:
    """Some lines of the last proof: the side that has it plays its moves, the other whatever it likes."""
    return [proofs[-1].game.join_moves(line) for line in proofs[-1].lines(LINES)] if proofs else []


def _question(game: Game, answer: Answer) -> dict[str, Any]:
    return {
        "player": game.player_name(answer.player),
        "at_least": answer.target,
        "verdict": answer.verdict,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 6),
        "nodes_per_second": round(answer.nodes_per_second),
        "plies": answer.plies,
        "end": _end(game, answer).removeprefix(", ") or None,
        "proof_moves": None if answer.proof is None else len(answer.proof.moves),
        "note": answer.note,
    }


def _known(game: Game, answers: list[Answer]) -> str:
    """What is known of a value that was not decided: between which bounds it lies."""
    low, high = game.utility_range
    step = game.step or 1
    for answer in answers:
        if answer.verdict is not None:
            low, high = (answer.target, high) if answer.verdict else (low, answer.target - step)
    known = f"it lies from {value_text(low)} to {value_text(high)}"
    return f"{known}, which the rules say already" if (low, high) == game.utility_range else known


def _words(game: Game, answer: Answer) -> str:
    verdict = {True: "yes", False: "no", None: "not decided"}[answer.verdict]
    size = _end(game, answer)
    if answer.proof is not None:
        size += f", proof of {len(answer.proof.moves):,} {'move' if len(answer.proof.moves) == 1 else 'moves'}"
    speed = f"{count_text(answer.nodes)} {'node' if answer.nodes == 1 else 'nodes'} in {answer.seconds:.3g} s"
    asked = f"at least {value_text(answer.target)} for {game.player_name(answer.player)}?"
    return f"{asked} {verdict}{size}; {speed}"


def _end(game: Game, answer: Answer) -> str:
    """How soon the proof wins against every defence; another may win sooner. Nothing where it only holds a draw."""
    proof = answer.proof
    if proof is None or not is_end(game, proof.target) or proof.target <= 0:
        return ""
    plies = answer.plies
    whose = "" if proof.player == answer.player else f" for {game.player_name(proof.player)}"
    soonest = "" if plies == 1 else " at the latest"
    return "" if not plies else f", {seen_text(game, proof.target, plies)}{whose}{soonest}"
