"""Cards on utilities: lotteries, axioms, attitudes to risk, and what people say."""

from __future__ import annotations

from math import isclose
from urllib.parse import urlencode

from ...errors import BadInput
from ...number import number_text
from ...utility import (
    AXIOMS,
    CRRA,
    Elicitation,
    Lottery,
    Piecewise,
    Preferences,
    Scaled,
    SShaped,
    attitude,
    bargain,
    certainty_equivalent,
    money_pump,
    risk_premium,
    same_behaviour,
    utility_function,
    utility_picture,
)
from ...utility.scales import ACTIVITIES
from .card import Card, Door, Figures

COIN = Lottery.parse("[0.5, 1000; 0.5, 0]")
TAKES_400 = Piecewise([(0, 0), (400, 0.5), (1000, 1)])
ALLAIS = {"A": "[0.8, 4000; 0.2, 0]", "B": "[1, 3000]", "C": "[0.2, 4000; 0.8, 0]", "D": "[0.25, 3000; 0.75, 0]"}
ROOT, PRIZE = CRRA(0.5), 625
AIRPORT = "[0.25, 20; 0.5, 30; 0.25, 60]"


def _lottery(text: str, **more: str) -> str:
    return "/decisions?" + urlencode({"lottery": text} | more)


def _expected() -> Figures:
    prizes = Lottery.parse("[1/2, 8; 1/3, 24; 1/6, -12]")
    rows = tuple(
        (number_text(chance), number_text(prize), number_text(chance * prize)) for chance, prize in prizes.outcomes
    )
    return Figures(number_text(prizes.expected_value()), ("probability", "utility", "product"), rows)


def _axioms() -> Figures:
    circle = Preferences(["A > B", "B > C", "C > A"])
    verdict = circle.check()
    pump = money_pump(circle)
    rows = [(name, words) for name, words in AXIOMS.items()]
    note = f"A > B, B > C, C > A breaks {verdict.axiom}; " + (str(pump) if pump is not None else "")
    return Figures(f"{len(AXIOMS)} axioms; {verdict.axiom}", ("axiom", "says"), tuple(rows), " ".join(note.split()))


def _affine() -> Figures:
    curve = utility_function("crra:0.5")
    rows = []
    for words, other in (("3U + 7", Scaled(curve, 3, 7)), ("U²", utility_function("linear"))):
        found = same_behaviour(curve, other)
        rows.append((words, "the same" if found.same else "another"))
    return Figures(rows[0][1], ("instead of U = √x", "behaviour"), tuple(rows))


def _premium() -> Figures:
    emv, sure, premium = COIN.expected_value(), certainty_equivalent(COIN, TAKES_400), risk_premium(COIN, TAKES_400)
    rows = (
        ("expected monetary value", f"${float(emv):g}"),
        ("certainty equivalent", f"${float(sure):g}"),
        ("insurance premium", f"${float(premium):g}"),
        ("U(L)", f"{float(COIN.expected_utility(TAKES_400)):g}"),
        ("U(EMV(L))", f"{float(TAKES_400(500)):.4g}"),
        ("attitude", attitude(COIN, TAKES_400)),
    )
    return Figures(f"${float(emv):g}, ${float(sure):g}, ${float(premium):g}", ("", ""), rows)


def _elicited() -> Figures:
    """Somebody whose utility is the square root is asked about $625 between $0 and $1600, and answers by it."""
    asked, rows = Elicitation(0, 1600, [PRIZE], checks=False), list[tuple[str, ...]]()
    while (question := asked.question) is not None:
        p = question.probability
        sure, gamble = ROOT(PRIZE), p * ROOT(1600) + (1 - p) * ROOT(0)
        answer = "same" if isclose(sure, gamble) else "prize" if sure > gamble else "lottery"
        words = {"same": "either", "prize": f"${PRIZE}", "lottery": "the lottery"}[answer]
        rows.append((str(len(rows) + 1), f"[{float(p):g}, $1600; {float(1 - p):g}, $0]", words))
        asked.answer(answer)
    low, high = asked.interval(PRIZE)
    return Figures(f"{float((low + high) / 2):g}", ("question", f"${PRIZE} or", "answer"), tuple(rows))


def _allais() -> Figures:
    verdict = Preferences(["B > A", "C > D"], ALLAIS).check()
    refused = ""
    try:
        Lottery.parse("[0.2, 3000; 0.75, 0]")
    except BadInput as error:
        refused = str(error)
    rows = tuple((name, text) for name, text in ALLAIS.items())
    note = f"B > A and C > D: {verdict.explanation} A printed D with 0.2 and 0.75 is refused: {refused}"
    return Figures(
        "no utility fits" if not verdict.consistent else "consistent", ("lottery", ""), rows, " ".join(note.split())
    )


def _micromorts() -> Figures:
    rows = tuple(
        (one.name, f"{one.micromorts:,}", f"{one.amount:,} {one.unit if one.amount == 1 else one.units}")
        for one in ACTIVITIES.values()
    )
    return Figures(f"{ACTIVITIES['everest'].micromorts:,}", ("activity", "micromorts", "for"), rows)


def _evidence() -> Figures:
    traffic = Lottery.parse("[0.25, heavy; 0.75, light]")
    after = traffic.given({"heavy": "0.9", "light": "0.2"})
    rows = (
        ("P(heavy)", "0.25"),
        ("P(8 am | heavy)", "0.9"),
        ("P(8 am | light)", "0.2"),
        ("P(heavy | 8 am) = 0.225 / (0.225 + 0.15)", f"{float(after.probability('heavy')):g}"),
    )
    return Figures(f"0.25 → {float(after.probability('heavy')):.2f}", ("", ""), rows)


def _debt() -> Figures:
    curve = SShaped(reference=-500, power=0.5, loss=1)
    debt = COIN.map(lambda prize: prize - 5000)
    rows = (("$1000 or nothing", attitude(COIN, curve)), ("the same, $5000 in debt", attitude(debt, curve)))
    good = bargain(COIN, curve)
    return Figures(
        ", ".join(row[1] for row in rows),
        ("the same curve, offered", "is"),
        rows,
        f"An insurer with a linear curve gains from the first: {good.words()}",
    )


def _airport() -> Figures:
    time = Lottery.parse(AIRPORT)
    rows = tuple(
        (f"{number_text(prize)} minutes", number_text(chance), number_text(chance * prize))
        for chance, prize in time.outcomes
    )
    return Figures(f"{number_text(time.expected_value())} minutes", ("", "probability", "product"), rows)


def _curve() -> str:
    return utility_picture(TAKES_400, low=0, high=1000).svg


def _root() -> str:
    return utility_picture(ROOT, low=0, high=1600).svg


CARDS = (
    Card(
        "expected-utility",
        _expected,
        (Door("Type a lottery", _lottery("[1/2, 8; 1/3, 24; 1/6, -12]")),),
        None,
        'plywright utility value "[1/2, 8; 1/3, 24; 1/6, -12]"',
    ),
    Card(
        "axioms",
        _axioms,
        (Door("Lead somebody round", "/decisions/axioms"),),
    ),
    Card(
        "affine",
        _affine,
        (Door("Compare curves", "/decisions"),),
    ),
    Card(
        "premium",
        _premium,
        (Door("The risk curve", _lottery("[0.5, 1000; 0.5, 0]", utility="piecewise:0=0,400=0.5,1000=1")),),
        _curve,
    ),
    Card(
        "elicitation",
        _elicited,
        (Door("Find yours", "/decisions/elicit"),),
        _root,
    ),
    Card(
        "allais",
        _allais,
        (Door("Answer both", "/decisions/allais"),),
    ),
    Card(
        "micromorts",
        _micromorts,
        (Door("Compare risks", "/decisions/micromorts"),),
        None,
        "plywright utility micromorts everest",
    ),
    Card(
        "evidence",
        _evidence,
        (
            Door(
                "The minutes on the way, before and after", _lottery("[0.25, 60; 0.75, 25]", other="[0.6, 60; 0.4, 25]")
            ),
        ),
    ),
    Card(
        "debt",
        _debt,
        (Door("The same curve", _lottery("[0.5, 1000; 0.5, 0]", utility="s-shaped:reference=-500,power=0.5,loss=1")),),
    ),
    Card(
        "airport",
        _airport,
        (Door("As a lottery", _lottery(AIRPORT)),),
    ),
)
