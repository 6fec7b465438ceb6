"""`plywright utility elicit`: the questions of an elicitation as a dialogue that can be left and taken up again."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..files import write_whole
from ..utility import Elicitation, Inconsistent, utility_picture
from ..utility.number import number_text, written_number
from .console import print_json

HELP = "answer p (the prize), l (the lottery) or s (the same); undo takes the last answer back, quit leaves"
WORDS = {"p": "prize", "prize": "prize", "l": "lottery", "lottery": "lottery", "s": "same", "same": "same"}


def hold_talk(
    prizes: str, worst: str, best: str, precision: str, file: Path | None, *, svg: Path | None, json: bool
) -> None:
    talk = _begun(prizes, worst, best, precision, file)
    tell = _to_stderr if json else print
    if talk.replies:
        tell(f"going on after {len(talk.replies)} answers")
    tell(HELP)
    while talk.question is not None:
        try:
            print(f"{talk.question} ", end="", file=sys.stderr if json else sys.stdout, flush=True)
            word = input().strip().lower()
        except EOFError:
            tell("")
            break
        if word in ("quit", "q", "exit"):
            break
        try:
            _take(talk, word, tell)
        except BadInput as error:
            tell(str(error))
            continue
        if file is not None:
            write_whole(file, talk.to_json().encode())
    _report(talk, file, svg, json)


def _begun(prizes: str, worst: str, best: str, precision: str, file: Path | None) -> Elicitation:
    if file is not None and file.exists():
        try:
            return Elicitation.from_json(file.read_text(encoding="utf-8"))
        except (BadInput, UnicodeDecodeError) as error:
            raise BadInput(f"{file}: {error}") from None
    if not prizes.strip():
        raise BadInput("say which prizes to ask about, such as --prizes 250,500,750")
    listed = [_prize(word) for word in prizes.split(",") if word.strip()]
    return Elicitation(_prize(worst), _prize(best), listed, precision=precision)


def _take(talk: Elicitation, word: str, tell: Any) -> None:
    """One answer; where it contradicts earlier ones the person chooses which holds."""
    if word == "undo":
        talk.undo()
        return
    if word not in WORDS:
        raise BadInput(HELP)
    try:
        talk.answer(WORDS[word])
    except Inconsistent as error:
        tell(f"{error}; which holds, the new answer or the old? (new/old) ")
        try:
            chosen = input().strip().lower()
        except EOFError:
            chosen = "old"
        if chosen.startswith("n"):
            talk.answer(WORDS[word], insist=True)
        else:
            question = talk.question
            assert question is not None
            talk.tell(question.prize, question.probability, _implied(talk, question.prize, question.probability))


def _implied(talk: Elicitation, prize: Any, probability: Fraction) -> str:
    """The answer that those about this prize already imply."""
    low, _ = talk.interval(prize)
    return "prize" if probability <= low else "lottery"


def _report(talk: Elicitation, file: Path | None, svg: Path | None, json: bool) -> None:
    if svg is not None:
        write_whole(svg, utility_picture(talk.curve()).svg.encode())
    if json:
        print_json(
            {
                "finished": talk.finished,
                "answers": len(talk.replies),
                "utilities": {_name(prize): float(value) for prize, value in talk.utilities.items()},
                "intervals": {_name(prize): [float(end) for end in talk.interval(prize)] for prize in talk.prizes},
            }
        )
        return
    print("your utilities:" if talk.finished else "so far:")
    for prize, value in talk.utilities.items():
        low, high = talk.interval(prize) if prize in talk.prizes else (value, value)
        range_text = f"  (between {float(low):.3f} and {float(high):.3f})" if low != high else ""
        print(f"  {_name(prize):>8}  {float(value):.3f}{range_text}")
    if file is not None and talk.replies:
        print(f"kept in {file}: the same command goes on from there" if not talk.finished else f"kept in {file}")
    if svg is not None:
        print(f"wrote {svg}")


def _prize(word: str) -> Any:
    found = written_number(word)
    return word.strip() if found is None else found


def _name(prize: Any) -> str:
    return number_text(prize) if isinstance(prize, (int, float, Fraction)) else str(prize)


def _to_stderr(text: str) -> None:
    print(text, file=sys.stderr)
