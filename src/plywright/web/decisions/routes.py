"""The room of decisions: lotteries and risk, the elicitation, Allais' questions, the axioms, micromorts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from starlette.routing import Route

from ...errors import BadInput
from ...utility import FUNCTIONS, Lottery, utility_function
from ...utility.scales import ACTIVITIES, activity, equal_risk, micromorts
from ..fields import Fields
from ..requests import Reply, Visit, download, page, redirect, worked
from ..room import Room
from . import allais, axioms, lotteries
from .dialogue import MOST_PRIZES, PRECISIONS, Dialogue
from .figures import check_size, figure

LONGEST_LOTTERY = 600
PARTS = (
    ("/decisions", "Lotteries and risk"),
    ("/decisions/elicit", "Your utility curve"),
    ("/decisions/allais", "Allais"),
    ("/decisions/axioms", "Axioms and the money pump"),
    ("/decisions/micromorts", "Micromorts"),
)
TRY = (
    ("400 for sure?", {"lottery": "[0.5, 1000; 0.5, 0]", "utility": "piecewise:0=0,400=0.5,1000=1"}),
    ("a house to insure", {"lottery": "[0.99, 300000; 0.01, 20000]", "utility": "crra:2"}),
    ("Allais' first question", {"lottery": "[0.8, 4000; 0.2, 0]", "other": "[1, 3000]", "utility": "crra:0.5"}),
    ("narrow against wide", {"lottery": "[0.5, 9; 0.5, 1]", "other": "[0.5, 10; 0.5, 0]", "utility": "linear"}),
    ("deep in debt", {"lottery": "[0.5, -4000; 0.5, -5000]", "utility": "s-shaped:reference=-500,power=0.5,loss=1"}),
    ("named prizes", {"lottery": "[0.3, ticket; 0.7, dinner]", "utility": "table:ticket=1,dinner=0.4"}),
)
TALKS = (
    ("up to 1000", {"worst": "0", "best": "1000", "prizes": "250, 500, 750", "precision": "1/16"}),
    ("a short one", {"worst": "0", "best": "1000", "prizes": "500", "precision": "1/8"}),
    ("up to a million", {"worst": "0", "best": "$1M", "prizes": "$10k, $100k, $500k", "precision": "1/16"}),
    ("things with names", {"worst": "a walk", "best": "a week by the sea", "prizes": "a book, a concert"}),
)


def lottery(call: Visit) -> Reply:
    """One lottery, or two beside each other, under a utility function."""
    fields = call.fields
    if "lottery" not in fields and "p1" not in fields:
        fields = Fields(TRY[0][1])
    if "p1" in fields:
        return redirect(_built(fields))
    texts = [fields.text(name, most=LONGEST_LOTTERY) for name in ("lottery", "other")]
    utility, wealth = fields.text("utility", "linear", most=300) or "linear", fields.text("wealth", most=40)

    def work() -> dict[str, Any]:
        check_size([], texts)
        function = utility_function(utility, wealth or None)
        found = [lotteries.worth(Lottery.parse(text), function) for text in texts if text]
        if not found:
            raise BadInput("there is no lottery yet: write one such as [0.5, 1000; 0.5, 0]")
        one = found[0].lottery
        return {
            "worths": found,
            "curve": lotteries.curve(one, function),
            "chances": lotteries.chances(one),
            "insurance": lotteries.insurance(one, function),
            "comparison": lotteries.compare(found[0], found[1], function) if len(found) == 2 else None,
            "rows": lotteries.rows(one),
        }

    return _page(
        call,
        "decisions_lotteries.html",
        texts=texts,
        utility=utility,
        wealth=wealth,
        functions=FUNCTIONS,
        examples=[(words, "/decisions?" + urlencode(fields)) for words, fields in TRY],
        **(_counted(work)),
    )


def _counted(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The answer of work with amounts; those too large or too close together for floats are the user's to change."""
    try:
        return work()
    except (ArithmeticError, ValueError):
        raise BadInput("these amounts are too extreme to count with: use another unit, or another utility") from None


def _built(fields: Fields) -> str:
    """The address of the lottery that was put together line by line."""
    lines = [(fields.text(f"p{n}", most=40), fields.text(f"x{n}", most=60)) for n in range(1, lotteries.ROWS + 1)]
    for chance, prize in lines:
        if bool(chance) != bool(prize):
            raise BadInput(f"a line needs both a probability and a prize, and one has only {(chance or prize)!r}")
    text = "; ".join(f"{chance}, {prize}" for chance, prize in lines if chance)
    kept = {name: fields.text(name, most=LONGEST_LOTTERY) for name in ("other", "utility", "wealth")}
    given = {"lottery": f"[{text}]", **{name: value for name, value in kept.items() if value}}
    return f"/decisions?{urlencode(given)}"


def elicit(call: Visit) -> Reply:
    """The next question of an elicitation, or how to begin one, or what came out."""
    fields = call.fields
    return _page(
        call,
        "decisions_elicit.html",
        dialogue=Dialogue(fields) if "prizes" in fields else None,
        precisions=PRECISIONS,
        most=MOST_PRIZES,
        examples=[(words, "/decisions/elicit?" + urlencode(fields)) for words, fields in TALKS],
    )


def elicited(call: Visit) -> Reply:
    """The elicitation as a file that `plywright utility elicit --file` goes on with."""
    elicitation = Dialogue(call.fields).elicitation
    return download(elicitation.to_json() + "\n", "application/json", "elicitation.json")


def questions(call: Visit) -> Reply:
    """Allais' two questions, one after the other, and what the answers together mean."""
    fields = call.fields
    answers = {name: fields.choice(name, ("", *letters, allais.SAME), "") for name, letters in allais.QUESTIONS.items()}
    if answers["two"] and not answers["one"]:
        raise BadInput("the first question comes first: begin at /decisions/allais")
    return _page(
        call,
        "decisions_allais.html",
        answers=answers,
        words=allais.WORDS,
        lotteries=allais.LOTTERIES,
        asked_now=next((name for name, answer in answers.items() if not answer), None),
        letters=allais.QUESTIONS,
        finding=allais.finding(**answers) if all(answers.values()) else None,
        check="/decisions/axioms?" + urlencode({"said": axioms.EXAMPLES[1].said, "let": axioms.EXAMPLES[1].let}),
    )


def preferences(call: Visit) -> Reply:
    """Comparisons checked; where they contradict each other why, and the money pump trade by trade."""
    fields = call.fields
    first = axioms.EXAMPLES[0]
    said, let = fields.text("said", first.said, axioms.LONGEST), fields.text("let", "", axioms.LONGEST)
    price = fields.whole("price", 10, 1, axioms.PURSE)
    found = axioms.check(_lines(said), _lines(let), price)
    step = min(fields.whole("step", 0, 0, 10_000), len(found.trades))

    def address(step: int) -> str:
        given = {"said": said, "let": let, "price": price, "step": step}
        return "/decisions/axioms?" + urlencode({name: value for name, value in given.items() if value not in ("", 0)})

    return _page(
        call,
        "decisions_axioms.html",
        said=said,
        let=let,
        price=price,
        check=found,
        step=step,
        purse=axioms.PURSE,
        address=address,
        examples=[
            (example.words, "/decisions/axioms?" + urlencode({"said": example.said, "let": example.let}))
            for example in axioms.EXAMPLES
        ],
    )


def _lines(text: str) -> str:
    """Forms send their lines with a carriage return, addresses typed by hand may part them by bars."""
    return text.replace("\r", "").replace("|", "\n")


def risks(call: Visit) -> Reply:
    """The micromorts of an activity, and as much of another one."""
    fields = call.fields
    names = tuple(ACTIVITIES)
    name, instead = fields.choice("activity", names, "scuba"), fields.choice("instead", names, "car")
    amount = fields.number("amount", 1, 0, 1e6)
    count, risk, equal = _whole(amount), micromorts(name, _whole(amount)), equal_risk(name, _whole(amount), instead)
    return _page(
        call,
        "decisions_micromorts.html",
        activities=list(ACTIVITIES.values()),
        name=name,
        instead=instead,
        amount=count,
        what=activity(name).words(figure(count), count == 1),
        risk=risk,
        equal=activity(instead).words(figure(equal), equal == 1),
    )


def _whole(number: float) -> float | int:
    return int(number) if number == int(number) else number


def _page(call: Visit, template: str, **context: Any) -> Reply:
    return page(call, template, figure=figure, parts=PARTS, here=call.path, **context)


ROOM = Room(
    "decisions",
    "Decisions",
    "Lotteries, risk and what certainty is worth; find your own utility curve; Allais; axioms and the money pump.",
    [
        Route("/decisions", worked(lottery)),
        Route("/decisions/elicit", worked(elicit)),
        Route("/decisions/elicit.json", worked(elicited)),
        Route("/decisions/allais", worked(questions)),
        Route("/decisions/axioms", worked(preferences)),
        Route("/decisions/micromorts", worked(risks)),
    ],
    needs="plywright.utility",
)
