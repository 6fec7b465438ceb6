"""`plywright utility`: lotteries, preferences, decisions and micromorts (`elicit` has a file of its own)."""

from __future__ import annotations

import math
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.table import Table

from ..draw import Picture
from ..errors import BadInput
from ..files import write_whole
from ..number import Number, number_text, written_number
from ..utility import Lottery, Preferences, attitude, certainty_equivalent, dominance, money_pump, utility_function
from ..utility import utility_picture as curve
from ..utility.decision import EXAMPLES, DecisionTree, example
from ..utility.notation import parse_definitions
from ..utility.preferences import FALLING
from ..utility.scales import ACTIVITIES, activity, equal_risk, micromorts
from .console import out, print_json

try:  # newer versions of typer bring a click of their own
    from typer._click.globals import get_current_context
except ImportError:
    from click import get_current_context  # type: ignore[no-redef,assignment,unused-ignore]


def show_lottery(text: str, utility: str, wealth: str | None, let: list[str], *, svg: Path | None, json: bool) -> None:
    check_path(svg, "--svg")
    lottery, function = Lottery.parse(text, parse_definitions(let)), utility_function(utility, wealth)
    data = {"lottery": str(lottery), "utility": str(function), **_worth(lottery, function)}
    if json:
        print_json(data)
        _save(svg, lambda: curve(function, lottery))
        return
    _lines([(key.replace("_", " "), value) for key, value in data.items()])
    if data["expected_utility"] == "-inf":
        out.print(f"{function} cannot bear to own nothing: say what is owned besides with --wealth", markup=False)
    _save(svg, lambda: curve(function, lottery))
    _wrote(svg)


def show_comparison(first: str, second: str, utility: str, wealth: str | None, let: list[str], *, json: bool) -> None:
    names, function = parse_definitions(let), utility_function(utility, wealth)
    lotteries = [Lottery.parse(text, names) for text in (first, second)]
    worth = [_worth(lottery, function) for lottery in lotteries]
    sure = [certainty_equivalent(lottery, function) for lottery in lotteries]
    close = math.isclose(sure[0], sure[1], rel_tol=1e-9, abs_tol=1e-12)
    alike = lotteries[0].same_chances(lotteries[1])
    bottomless = not alike and all(one["expected_utility"] == "-inf" for one in worth)
    better = None if bottomless else "same" if alike or close else "first" if sure[0] > sure[1] else "second"
    found = dominance(*lotteries)
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
    else:
        out.print("neither dominates: it is a matter of taste")


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
    low: str,
    high: str,
    svg: Path | None,
    json: bool,
) -> None:
    from ..textbook.decisions import sensitivity, solve, value_of_information, varied_kind

    check_path(svg, "--svg")
    if vary is None and typed_options("low", "high"):
        raise BadInput("--from and --to are the range of --vary: say what to vary, such as --vary oil=wet")
    if vary is not None and varied_kind(vary) == "amount" and typed_options("low", "high") != ["low", "high"]:
        raise BadInput(f"{vary!r} is an amount: say its range with --from and --to (only probabilities go from 0 to 1)")
    typed = name.lstrip().startswith("{")
    tree = DecisionTree(name) if typed else example(name) if name in EXAMPLES or not _is_file(name) else _file(name)
    function = utility_function(utility, wealth)
    linear = utility == "linear"
    decision = solve(tree, None if linear else function)
    data: dict[str, Any] = {
        "decision": tree.title or tree.name,
        "utility": str(function),
        "choice": decision.choice,
        "expected_utility": _number(decision.value),
        "certainty_equivalent": _number(decision.certainty_equivalent or 0.0),
        "choices": {key: _number(value) for key, value in decision.choices.items()},
        "working": decision.working(),
    }
    drawing = decision.picture()
    if know is not None:
        found = value_of_information(tree, know, None if linear else function)
        data["information"] = {"fact": know, "gain": _number(found.gain), "price": _number(found.price)}
    if vary is not None:
        varied = sensitivity(tree, vary, low, high, None if linear else function)
        drawing = varied.picture()
        data["sensitivity"] = {
            "target": vary,
            "kind": varied.kind,
            "from": _number(varied.points[0][0]),
            "to": _number(varied.points[-1][0]),
            "stays_best": varied.stays_best,
            "thresholds": [{"at": _number(x), "below": a, "above": b} for x, a, b in varied.thresholds],
        }
    if json:
        print_json(data)
        _save(svg, lambda: drawing)
        return
    if vary is None:
        out.print(drawing.text, markup=False)
    for line in data["working"]:
        out.print(line, markup=False)
    first = "there is no choice to make at first" if decision.choice is None else f"choose {decision.choice}"
    out.print(f"{first}: expected utility {_text(data['expected_utility'])}", markup=False)
    if know is not None:
        price = _text(data["information"]["price"])
        out.print(f"knowing {know} beforehand is worth up to {price}", markup=False)
    if vary is not None:
        _show_sensitivity(data["sensitivity"])
    _save(svg, lambda: drawing)
    _wrote(svg)


def _show_sensitivity(data: dict[str, Any]) -> None:
    what = f"the {data['kind']} {data['target']}"
    for one in data["thresholds"]:
        out.print(f"{what} below {_text(one['at'])}: {one['below']}; above: {one['above']}", markup=False)
    if data["stays_best"] is not None:
        span = f"from {_text(data['from'])} to {_text(data['to'])}"
        out.print(f"{data['stays_best']} stays best over the whole range of {what}, {span}", markup=False)


def show_micromorts(name: str | None, amount: str, instead: str | None, *, json: bool) -> None:
    if name is None and (instead is not None or typed_options("amount")):
        raise BadInput("--amount and --as are about one activity: name it, such as plywright utility micromorts scuba")
    chosen = list(ACTIVITIES.values()) if name is None else [activity(name)]
    if name is not None:
        one = chosen[0]
        data: dict[str, Any] = {"activity": name, "amount": amount, "unit": one.units}
        data["micromorts"] = _number(micromorts(name, amount))
        if instead is not None:
            other = activity(instead)
            data["instead"] = {"activity": instead, "amount": _number(equal_risk(name, amount, instead))}
            data["instead"]["unit"] = other.units
        if json:
            print_json(data)
            return
        unit = one.unit if written_number(amount) == 1 else one.units
        out.print(f"{amount} {unit} of {name}: {_text(data['micromorts'])} micromorts", markup=False)
        if instead is not None:
            there = data["instead"]
            out.print(f"as risky as {_text(there['amount'])} {there['unit']} by {instead}", markup=False)
        return
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


# -- shared -----------------------------------------------------------------------------------------------------


def typed_options(*names: str) -> list[str]:
    """Those of the present command's options that the user typed; outside a command line all of them."""
    context = get_current_context(silent=True)
    if context is None:
        return list(names)
    sources = {name: context.get_parameter_source(name) for name in names}
    return [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]


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


def _worth(lottery: Lottery, function: Any) -> dict[str, Any]:
    """The figures that every command gives of a lottery."""
    mean, sure = lottery.expected_value(), certainty_equivalent(lottery, function)
    return {
        "expected_value": _number(mean),
        "expected_utility": _number(lottery.expected_utility(function)),
        "certainty_equivalent": _number(sure),
        "premium": _number(float(mean) - sure),
        "standard_deviation": _number(lottery.standard_deviation()),
        "attitude": attitude(lottery, function),
    }


def _number(value: Number) -> float | int | str:
    """A number for JSON: whole ones as they are, infinities as text, rounding's dust taken off."""
    if isinstance(value, int):
        return value
    found = float(value)
    if not math.isfinite(found):
        return str(found)
    found = float(f"{found:.12g}")
    return int(found) if isinstance(value, Fraction) and value.denominator == 1 else found


def _text(value: Any) -> str:
    return f"{value:,.6g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


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
