"""`plywright utility`: lotteries, preferences, decisions and micromorts (`elicit` has a file of its own)."""

from __future__ import annotations

import math
import os
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from ...draw import Picture
from ...errors import BadInput
from ...files import write_whole
from ...number import Number, number, number_text
from ...utility import (
    Lottery,
    Preferences,
    UtilityFunction,
    attitude,
    certainty_equivalent,
    dominance,
    money_pump,
    utility_function,
)
from ...utility import Table as Named
from ...utility import utility_picture as curve
from ...utility.decision import EXAMPLES, DecisionTree, example
from ...utility.notation import parse_definitions
from ...utility.preferences import FALLING
from ...utility.risk import indistinct
from ...utility.scales import ACTIVITIES, Activity, activity, equal_risk, micromorts
from ..console import out, print_json

if TYPE_CHECKING:
    from ...textbook.decisions import Sensitivity


def show_lottery(text: str, utility: str, wealth: str | None, let: list[str], *, svg: Path | None, json: bool) -> None:
    check_path(svg, "--svg")
    lottery, function = Lottery.parse(text, parse_definitions(let)), utility_function(utility, wealth)
    if svg is not None and isinstance(function, Named):
        raise BadInput("--svg draws a curve over amounts, and a table has none: leave it out")
    data = {"lottery": str(lottery), "utility": str(function), **_worth(lottery, function)}
    if json:
        print_json(data)
        _save(svg, lambda: curve(function, lottery))
        return
    _lines([(key.replace("_", " "), value) for key, value in data.items() if value is not None])
    if data["expected_utility"] == "-inf":
        out.print(f"{function} cannot bear to own nothing: say what is owned besides with --wealth", markup=False)
    _save(svg, lambda: curve(function, lottery))
    _wrote(svg)


def show_comparison(first: str, second: str, utility: str, wealth: str | None, let: list[str], *, json: bool) -> None:
    names, function = parse_definitions(let), utility_function(utility, wealth)
    lotteries = [Lottery.parse(text, names) for text in (first, second)]
    worth = [_worth(lottery, function) for lottery in lotteries]
    alike = lotteries[0].same_chances(lotteries[1])
    bottomless = not alike and all(one["expected_utility"] == "-inf" for one in worth)
    found = dominance(*lotteries) if all(map(_has_amounts, lotteries)) else None
    better = None if bottomless else _better(lotteries, function)
    data: dict[str, Any] = {
        "utility": str(function),
        "first": {"lottery": str(lotteries[0]), **worth[0]},
        "second": {"lottery": str(lotteries[1]), **worth[1]},
        "better": better,
        "dominant": None if found is None else "first" if found[0] is lotteries[0] else "second",
        "dominance_order": None if found is None else found[1],
    }
    if json:
        print_json(data)
        return
    table = Table("", "first", "second", box=None, header_style="bold")
    for key in data["first"]:
        if data["first"][key] is None and data["second"][key] is None:
            continue
        table.add_row(key.replace("_", " "), _text(data["first"][key]), _text(data["second"][key]))
    out.print(table)
    if alike:
        out.print("they are the same lottery")
        return
    if bottomless:
        out.print(
            f"{function} cannot tell them apart, as in both one may own nothing: say what is owned besides ", end=""
        )
        out.print("with --wealth")
    else:
        out.print(
            "both are equally good" if better == "same" else f"the {better} is better under {function}", markup=False
        )
    if found is not None:
        who = "everybody who likes more" if found[1] == 1 else "everybody who is averse to risk"
        out.print(f"{who} prefers the {data['dominant']} (dominance of order {found[1]})")
    elif all(map(_has_amounts, lotteries)):
        out.print("neither dominates: it is a matter of taste")


def _better(lotteries: list[Lottery], function: UtilityFunction) -> str:
    """first, second or same: by certainty equivalents where there are any, otherwise by expected utilities."""
    if isinstance(function, Named):
        gap = float(lotteries[0].expected_utility(function)) - float(lotteries[1].expected_utility(function))
        utilities = [float(value) for value in function.utilities.values()]
        level = 1e-9 * (max(utilities) - min(utilities))
    else:
        sure = [certainty_equivalent(lottery, function) for lottery in lotteries]
        gap, level = sure[0] - sure[1], indistinct(*lotteries)
    return "same" if abs(gap) <= level else "first" if gap > 0 else "second"


def show_verdict(comparisons: list[str], let: list[str], *, json: bool) -> None:
    preferences = Preferences(comparisons, parse_definitions(let))
    verdict = preferences.check()
    pump = None if verdict.consistent else money_pump(preferences)
    if json:
        print_json(
            {
                "consistent": verdict.consistent,
                "utilities": None
                if verdict.utilities is None
                else {_prize(prize): _number(value) for prize, value in verdict.utilities.items()},
                "increasing": verdict.increasing,
                "contradiction": [str(comparison) for comparison in verdict.contradiction],
                "weights": [_number(weight) for weight in verdict.weights],
                "axiom": verdict.axiom or None,
                "explanation": verdict.explanation or None,
                "smallest": verdict.smallest,
                "money_pump": None if pump is None else pump.lines(),
            }
        )
        return
    if verdict.utilities is not None:
        falls = f", but {FALLING}" if verdict.increasing is False else ""
        out.print(f"consistent: these utilities explain everything{falls}")
        _lines([(_prize(prize), value) for prize, value in verdict.utilities.items()])
        return
    out.print(f"no utility function fits: {', '.join(map(str, verdict.contradiction))}", markup=False)
    out.print(f"broken axiom: {verdict.axiom}", markup=False)
    out.print(verdict.explanation, markup=False)
    for line in pump.lines() if pump is not None else ():
        out.print(f"  {line}", markup=False)


def show_decision(
    name: str,
    utility: str,
    wealth: str | None,
    *,
    know: str | None,
    vary: str | None,
    low: str | None,
    high: str | None,
    svg: Path | None,
    json: bool,
) -> None:
    from ...textbook.decisions import sensitivity, solve, value_of_information, varied_kind

    check_path(svg, "--svg")
    if vary is None and (low is not None or high is not None):
        raise BadInput("--from and --to are the range of --vary: say what to vary, such as --vary oil=wet")
    if vary is not None and varied_kind(vary) == "amount" and (low is None or high is None):
        raise BadInput(f"{vary!r} is an amount: say its range with --from and --to (only probabilities go from 0 to 1)")
    typed = name.lstrip().startswith("{")
    tree = DecisionTree(name) if typed else example(name) if name in EXAMPLES or not _is_file(name) else _file(name)
    function = utility_function(utility, wealth)
    linear = utility == "linear"
    decision = solve(tree, None if linear else function)
    sure = decision.certainty_equivalent
    data: dict[str, Any] = {
        "decision": tree.title or tree.name,
        "utility": str(function),
        "choice": decision.choice,
        "expected_utility": _number(decision.value),
        "certainty_equivalent": None if sure is None else _number(sure),
        "choices": {key: _number(value) for key, value in decision.choices.items()},
        "working": decision.working(),
    }
    drawing = decision.picture()
    if know is not None:
        found = value_of_information(tree, know, None if linear else function)
        price = None if found.price is None else _number(found.price)
        data["information"] = {"fact": know, "gain": _number(found.gain), "price": price}
    if vary is not None:
        start, end = "0" if low is None else low, "1" if high is None else high
        varied = sensitivity(tree, vary, start, end, None if linear else function)
        drawing, data["sensitivity"] = varied.picture(), _varied(varied)
    if json:
        print_json(data)
        _save(svg, lambda: drawing)
        return
    if vary is None:
        out.print(drawing.text, markup=False)
    for line in data["working"]:
        out.print(line, markup=False)
    first = "there is no choice to make at first" if decision.choice is None else f"choose {decision.choice}"
    worth = "" if linear or sure is None else f", as good as {_text(data['certainty_equivalent'])} for certain"
    out.print(f"{first}: expected utility {_text(data['expected_utility'])}{worth}", markup=False)
    if know is not None:
        gain = f"adds {_text(data['information']['gain'])} to the expected utility"
        worth = gain if price is None else f"is worth up to {_text(price)}"
        out.print(f"knowing {know} beforehand {worth}", markup=False)
    if vary is not None:
        _show_sensitivity(data["sensitivity"])
    _save(svg, lambda: drawing)
    _wrote(svg)


def _varied(found: Sensitivity) -> dict[str, Any]:
    return {
        "target": found.target,
        "kind": found.kind,
        "from": _number(found.points[0][0]),
        "to": _number(found.points[-1][0]),
        "present": _number(found.present),
        "stays_best": found.stays_best,
        "thresholds": [{"at": _number(x), "below": a, "above": b} for x, a, b in found.thresholds],
    }


def _show_sensitivity(data: dict[str, Any]) -> None:
    what = f"the {data['kind']} {data['target']}"
    for one in data["thresholds"]:
        out.print(f"{what} below {_text(one['at'])}: {one['below']}; above: {one['above']}", markup=False)
    if data["stays_best"] is not None:
        span = f"from {_text(data['from'])} to {_text(data['to'])}"
        out.print(f"{data['stays_best']} stays best over the whole range of {what}, {span}", markup=False)


def show_micromorts(name: str | None, amount: str | None, instead: str | None, *, json: bool) -> None:
    if name is not None:
        _show_activity(
            activity(name), "1" if amount is None else amount, None if instead is None else activity(instead), json
        )
        return
    if instead is not None or amount is not None:
        raise BadInput("--amount and --as are about one activity: name it, such as plywright utility micromorts scuba")
    chosen = list(ACTIVITIES.values())
    if json:
        print_json(
            {one.name: {"micromorts": one.micromorts, "amount": one.amount, "unit": one.units} for one in chosen}
        )
        return
    table = Table("activity", "micromorts", "for", box=None, header_style="bold")
    for one in chosen:
        unit = one.unit if one.amount == 1 else one.units
        table.add_row(one.name, f"{one.micromorts:,}", f"{one.amount:,} {unit}")
    out.print(table)


def _show_activity(one: Activity, amount: str, other: Activity | None, json: bool) -> None:
    """The risk of so much of one activity, and how much of another costs the same."""
    risk, count = micromorts(one.name, amount), _number(number(amount, f"the number of {one.units}"))
    data: dict[str, Any] = {"activity": one.name, "amount": count, "unit": one.units, "micromorts": _number(risk)}
    if other is not None:
        equal = _number(equal_risk(one.name, amount, other.name))
        data["instead"] = {"activity": other.name, "amount": equal, "unit": other.units}
    if json:
        print_json(data)
        return
    cost = f"{_text(data['micromorts'])} micromort{'' if risk == 1 else 's'}"
    out.print(f"{one.words(_text(count), count == 1)}: {cost}", markup=False)
    if other is not None:
        out.print(f"as risky as {other.words(_text(equal), equal == 1)}", markup=False)


# -- shared -----------------------------------------------------------------------------------------------------


def check_path(path: Path | None, option: str) -> None:
    """Refuse, before any work is done, a file that could not be written."""
    if path is None:
        return
    if path.is_dir():
        raise BadInput(f"{option} {path} is a folder: give the name of a file")
    if not path.parent.is_dir():
        raise BadInput(f"{option} {path} cannot be written: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise BadInput(f"{option} {path} cannot be written: the folder {path.parent} is write-protected")


def _worth(lottery: Lottery, function: UtilityFunction) -> dict[str, Any]:
    """The figures that every command gives of a lottery; None for those that need amounts where there are names."""
    if isinstance(function, Named):
        expected, amounts = lottery.expected_utility(function), _has_amounts(lottery)
        return {
            "expected_value": _number(lottery.expected_value()) if amounts else None,
            "expected_utility": _number(expected),
            "certainty_equivalent": None,
            "premium": None,
            "standard_deviation": _number(lottery.standard_deviation()) if amounts else None,
            "attitude": None,
        }
    mean, sure = lottery.expected_value(), certainty_equivalent(lottery, function)
    return {
        "expected_value": _number(mean),
        "expected_utility": _number(lottery.expected_utility(function)),
        "certainty_equivalent": _number(sure),
        "premium": _number(float(mean) - sure),
        "standard_deviation": _number(lottery.standard_deviation()),
        "attitude": attitude(lottery, function),
    }


def _has_amounts(lottery: Lottery) -> bool:
    return all(isinstance(prize, (int, float, Fraction)) for prize in lottery.prizes)


def _number(value: Number) -> float | int | str:
    """A number for JSON: whole ones as they are, infinities as text, rounding errors removed."""
    if isinstance(value, int):
        return value
    found = float(value)
    if not math.isfinite(found):
        return str(found)
    found = float(f"{found:.12g}")
    return int(found) if isinstance(value, Fraction) and value.denominator == 1 else found


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):  # six figures, or the whole ones and two more
        return f"{value:,.2f}".rstrip("0").rstrip(".") if 1e5 <= abs(value) < 1e15 else f"{value:,.6g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _prize(prize: Any) -> str:
    return number_text(prize) if isinstance(prize, (int, float, Fraction)) else str(prize)


def _lines(rows: list[tuple[str, Any]]) -> None:
    width = max(len(label) for label, _ in rows)
    for label, value in rows:
        out.print(
            f"{label:>{width}}  {number_text(value) if isinstance(value, Fraction) else _text(value)}", markup=False
        )


def _is_file(name: str) -> bool:
    return name.endswith(".json") or "/" in name or Path(name).is_file()


def _file(name: str) -> DecisionTree:
    return DecisionTree.from_file(name)


def _save(path: Path | None, picture: Any) -> None:
    if path is not None:
        drawn: Picture = picture()
        try:
            write_whole(path, drawn.svg.encode())
        except OSError as error:
            raise BadInput(f"{path} cannot be written: {error.strerror or error}") from None


def _wrote(path: Path | None) -> None:
    if path is not None:
        out.print(f"wrote {path}", markup=False)
