"""`plywright utility elicit`: the questions of an elicitation as a dialogue that can be left and taken up again."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...errors import BadInput
from ...files import write_whole
from ...number import exactly, number, number_text, written_number
from ...utility import Elicitation, Inconsistent, utility_picture
from ..console import print_json
from .show import check_path

HELP = "answer p (the prize), l (the lottery) or s (the same); undo takes the last answer back, quit leaves"
WORDS = {"p": "prize", "prize": "prize", "l": "lottery", "lottery": "lottery", "s": "same", "same": "same"}


def hold_talk(
    prizes: str | None,
    worst: str | None,
    best: str | None,
    precision: str | None,
    file: Path | None,
    *,
    svg: Path | None,
    json: bool,
) -> None:
    check_path(svg, "--svg")
    check_path(file, "--file")
    talk = _begun({"prizes": prizes, "worst": worst, "best": best, "precision": precision}, file)
    if svg is not None and not talk.ordered:
        raise BadInput("--svg draws a curve over amounts, and these prizes have only names: leave it out")
    tell = _to_stderr if json else print
    if talk.replies:
        tell(f"going on after {len(talk.replies)} answer{'' if len(talk.replies) == 1 else 's'}")
    tell(HELP)
    try:
        _ask_all(talk, file, tell, json)
    except KeyboardInterrupt:
        kept = f"the answers are kept in {file}" if file is not None else "nothing is kept: --file FILE keeps answers"
        tell(f"\n{kept if talk.replies else 'nothing was answered'}")
        raise
    _report(talk, file, svg, json)


def _ask_all(talk: Elicitation, file: Path | None, tell: Any, json: bool) -> None:
    """Questions until all is known or the person leaves; the file is written after every answer."""
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
            _write(file, talk.to_json())


def _begun(options: dict[str, str | None], file: Path | None) -> Elicitation:
    """The dialogue that the file holds, or a new one; `options` are None where they were not typed."""
    typed = {name: word for name, word in options.items() if word is not None}
    if file is not None and file.exists():
        try:
            talk = Elicitation.from_json(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise BadInput(f"{file} cannot be read: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise BadInput(f"{file} cannot be read: it is not UTF-8 text") from None
        except BadInput as error:
            raise BadInput(f"{file}: {error}") from None
        _compare_options(talk, file, typed)
        return talk
    if not typed.get("prizes", "").strip():
        raise BadInput("say which prizes to ask about, such as --prizes 250,500,750")
    chosen = {"worst": "0", "best": "1000", "precision": "1/32"} | typed
    prizes = _listed(chosen["prizes"])
    return Elicitation(_prize(chosen["worst"]), _prize(chosen["best"]), prizes, precision=chosen["precision"])


def _compare_options(talk: Elicitation, file: Path, options: dict[str, str]) -> None:
    """Refuse options that say something else than the dialogue that is taken up again."""
    for name, word in options.items():
        if name == "prizes":
            same, kept = set(_listed(word)) == set(talk.prizes), ",".join(map(_name, talk.prizes))
        elif name == "precision":
            same, kept = exactly(number(word, "the precision")) == talk.precision, str(talk.precision)
        else:
            prize = talk.worst if name == "worst" else talk.best
            same, kept = _prize(word) == prize, _name(prize)
        if not same:
            raise BadInput(f"{file} holds a talk with --{name} {kept}: leave --{name} out, or give another --file")


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
    if json:
        print_json(
            {
                "finished": talk.finished,
                "answers": len(talk.replies),
                "utilities": {_name(prize): float(value) for prize, value in talk.utilities.items()},
                "intervals": {_name(prize): [float(end) for end in talk.interval(prize)] for prize in talk.prizes},
                "remarks": talk.remarks,
            }
        )
    else:
        _print_report(talk, file)
    if svg is not None:
        _write(svg, utility_picture(talk.curve()).svg)
        if not json:
            print(f"wrote {svg}")


def _print_report(talk: Elicitation, file: Path | None) -> None:
    print("your utilities:" if talk.finished else "so far:")
    for prize, value in talk.utilities.items():
        low, high = talk.interval(prize) if prize in talk.prizes else (value, value)
        range_text = f"  (between {float(low):.3f} and {float(high):.3f})" if low != high else ""
        print(f"  {_name(prize):>8}  {float(value):.3f}{range_text}")
    for remark in talk.remarks:
        print(f"note: {remark}")
    if file is not None and talk.replies:
        print(f"kept in {file}: the same command goes on from there" if not talk.finished else f"kept in {file}")


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror or error}") from None


def _listed(prizes: str) -> list[Any]:
    return [_prize(word) for word in prizes.split(",") if word.strip()]


def _prize(word: str) -> Any:
    found = written_number(word)
    if found is None and word.strip().lower().lstrip("+-$ ") in ("nan", "inf", "infinity"):
        raise BadInput(f"a prize must be a finite number or a name, not {word.strip()}")
    return word.strip() if found is None else found


def _name(prize: Any) -> str:
    return number_text(prize) if isinstance(prize, (int, float, Fraction)) else str(prize)


def _to_stderr(text: str) -> None:
    print(text, file=sys.stderr)
