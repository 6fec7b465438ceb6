"""The commands `plywright utility ...` and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import Json

utility_app = typer.Typer(
    name="utility",
    help="Lotteries, preferences and risk: what a gamble is worth and whether preferences make sense.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

LotteryText = Annotated[str, typer.Argument(metavar="LOTTERY", help="As in the books: '[0.5, 1000; 0.5, 0]'.")]
UtilityText = Annotated[
    str,
    typer.Option(
        "--utility",
        help="linear, log, crra:2, cara:0.001, quadratic:0.0005, s-shaped, piecewise:0=0,9=1, table:a=1,b=0.",
    ),
]
Wealth = Annotated[str | None, typer.Option("--wealth", help="What is owned besides, for log and crra.")]
Let = Annotated[list[str] | None, typer.Option("--let", help="Name a lottery: 'A=[0.8, 4000; 0.2, 0]'.")]
Svg = Annotated[Path | None, typer.Option("--svg", help="Write the picture to this file.")]


@utility_app.command()
def evaluate(
    lottery: LotteryText,
    utility: UtilityText = "linear",
    wealth: Wealth = None,
    let: Let = None,
    svg: Svg = None,
    json: Json = False,
) -> None:
    """Expected value and utility, certainty equivalent and premium of a lottery."""
    from .show import show_lottery

    show_lottery(lottery, utility, wealth, let or [], svg=svg, json=json)


@utility_app.command()
def compare(
    first: LotteryText,
    second: LotteryText,
    utility: UtilityText = "linear",
    wealth: Wealth = None,
    let: Let = None,
    json: Json = False,
) -> None:
    """Which of two lotteries is better, and whether everybody would agree."""
    from .show import show_comparison

    show_comparison(first, second, utility, wealth, let or [], json=json)


@utility_app.command()
def check(
    comparisons: Annotated[list[str], typer.Argument(metavar="COMPARISON...", help="'A > B' or 'A ~ B', one or more.")],
    let: Let = None,
    json: Json = False,
) -> None:
    """Whether any utility function explains some preferences; if not, the axiom they break."""
    from .show import show_verdict

    show_verdict(comparisons, let or [], json=json)


@utility_app.command()
def elicit(
    prizes: Annotated[
        str | None, typer.Option("--prizes", help="Prizes to ask about, by commas: '250,500,750'.")
    ] = None,
    worst: Annotated[str | None, typer.Option("--worst", help="The worst prize.", show_default="0")] = None,
    best: Annotated[str | None, typer.Option("--best", help="The best prize.", show_default="1000")] = None,
    precision: Annotated[
        str | None, typer.Option("--precision", help="How precisely to know each utility.", show_default="1/32")
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", help="Keep the answers here and go on from them.")] = None,
    svg: Svg = None,
    json: Json = False,
) -> None:
    """Find your own utilities by questions; with --file you can stop and go on later."""
    from .elicit import hold_talk

    hold_talk(prizes, worst, best, precision, file, svg=svg, json=json)


@utility_app.command()
def decide(
    tree: Annotated[str, typer.Argument(metavar="TREE", help="A JSON file, or oil, treatment or umbrella.")],
    utility: UtilityText = "linear",
    wealth: Wealth = None,
    know: Annotated[str | None, typer.Option("--know", help="The worth of knowing this fact beforehand.")] = None,
    vary: Annotated[str | None, typer.Option("--vary", help="Vary 'oil=wet' or 'drill / dry' ...")] = None,
    low: Annotated[str | None, typer.Option("--from", help="... from here (a probability: from 0)")] = None,
    high: Annotated[str | None, typer.Option("--to", help="... to here (a probability: to 1).")] = None,
    svg: Svg = None,
    json: Json = False,
) -> None:
    """The best choice in a decision tree, with the working."""
    from .show import show_decision

    show_decision(tree, utility, wealth, know=know, vary=vary, low=low, high=high, svg=svg, json=json)


@utility_app.command()
def micromorts(
    activity: Annotated[str | None, typer.Argument(help="scuba, skydiving, car ...; by default all.")] = None,
    amount: Annotated[
        str | None, typer.Option("--amount", help="How many dives, jumps or miles.", show_default="1")
    ] = None,
    instead: Annotated[str | None, typer.Option("--as", help="The same risk in this activity.")] = None,
    json: Json = False,
) -> None:
    """Chances of one in a million of dying, and what they equal."""
    from .show import show_micromorts

    show_micromorts(activity, amount, instead, json=json)
