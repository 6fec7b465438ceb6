"""`plywright poker`: how often hands come, what they win, charts for short stacks, strategies for hold'em."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .options import Json

poker_app = typer.Typer(name="poker", help="Poker hands, equities, charts and strategies.", no_args_is_help=True)


@poker_app.callback()
def poker() -> None:
    """Poker hands, equities, charts and strategies."""


@poker_app.command()
def frequencies(
    cards: Annotated[int, typer.Option("--cards", help="Cards in a hand: 5, 6 or 7.")] = 5,
    json: Json = False,
) -> None:
    """Count every hand: frequencies, probabilities, odds against, and how often a hand is at least that good."""
    from rich.table import Table

    from ..games.poker_hands import frequencies as counted
    from .console import busy, out, print_json

    with busy("counting hands"):
        counts = counted(cards)
    total, running = sum(counts.values()), 0
    rows: list[dict[str, Any]] = []
    for name, count in reversed(counts.items()):
        running += count
        against = (total - count) / count if count else None
        rows.append(
            {
                "hand": name,
                "count": count,
                "probability": count / total,
                "odds_against": against,
                "cumulative": running / total,
            }
        )
    if json:
        print_json({"cards": cards, "total": total, "hands": rows})
        return
    table = Table("hand", box=None, header_style="bold")
    for title in ("hands", "probability", "odds against", "this or better"):
        table.add_column(title, justify="right")
    for row in rows:
        odds = "-" if row["odds_against"] is None else f"{odds_text(row['odds_against'])} : 1"
        table.add_row(
            row["hand"],
            f"{row['count']:,}",
            f"{percent(row['probability'])} %",
            odds,
            f"{percent(row['cumulative'])} %",
        )
    table.add_row("all", f"{total:,}", "100 %", "", "")
    out.print(table)


@poker_app.command()
def equity(
    hands: Annotated[list[str], typer.Argument(help="Two to six hands or ranges: AsKs QQ+,AKo random.")],
    board: Annotated[str, typer.Option("--board", help="Three to five cards that lie open: 'Ts 9s 2d'.")] = "",
    samples: Annotated[int | None, typer.Option("--samples", help="Draw so many deals instead of counting.")] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Count all boards, however long it takes.")] = False,
    seed: Annotated[int, typer.Option("--seed", help="What a sample depends on.")] = 1,
    json: Json = False,
) -> None:
    """What share of the pot hands and ranges win on average, exactly, or by a sample with its standard error."""
    from rich.table import Table

    from ..games.equity import equities
    from .console import busy, out, print_json

    with busy("counting boards"):
        found = equities(hands, board, samples=samples, exact=exact, seed=seed)
    if json:
        print_json({"board": board, **found.as_dict()})
        return
    table = Table("hand", box=None, header_style="bold")
    for title in ("equity", "wins", "ties"):
        table.add_column(title, justify="right")
    for name, share, wins, ties in zip(found.hands, found.equity, found.wins, found.ties, strict=True):
        table.add_row(name, f"{100 * share:.3f} %", f"{100 * wins:.3f} %", f"{100 * ties:.3f} %")
    out.print(table)
    how = "all of them" if found.error == 0 else f"drawn; standard error {100 * found.error:.2g} %"
    out.print(f"{found.boards:,} deals, {how}", markup=False)


@poker_app.command()
def preflop(
    hand: Annotated[str, typer.Argument(help="A kind of hand such as AKs; without it, all of them.")] = "",
    rebuild: Annotated[Path | None, typer.Option("--rebuild", help="Count the table anew, into this file.")] = None,
    json: Json = False,
) -> None:
    """What each of the 169 kinds of hands wins against a random one, or one kind against all others."""
    from ..games.holdem import preflop as table
    from .console import busy, out, print_json

    if rebuild is not None:
        with busy("counting boards") as say:
            table.make_table(rebuild, lambda done, of: say(f"counting boards: {done:,} of {of:,}"))
        out.print(f"wrote {rebuild}", markup=False)
        return
    values = table.equity_table()[table.parse_kind(hand)] if hand else table.against_random()
    if json:
        names = {table.kind_name(kind): float(values[kind]) for kind in range(table.KINDS)}
        print_json({"hand": hand or "random", "equity": names})
        return
    out.print(f"equity in % {f'of {hand} against each kind' if hand else 'against a random hand'}", markup=False)
    print_chart(table.chart(100 * values), ".1f")


@poker_app.command()
def pushfold(
    stack: Annotated[float, typer.Option("--stack", help="Stacks in big blinds.")] = 10.0,
    json: Json = False,
) -> None:
    """Heads-up no-limit with short stacks, all-in or fold: an equilibrium, and what it can be exploited for."""
    from ..poker.push_fold import push_fold
    from .console import busy, out, print_json

    with busy("solving the chart"):
        found = push_fold(stack)
    if json:
        print_json(found.as_dict())
        return
    push, call = found.charts()
    out.print(f"small blind pushes with {stack:g} big blinds, in % of the time", markup=False)
    print_chart(100 * push, ".0f")
    out.print("\nbig blind calls", markup=False)
    print_chart(100 * call, ".0f")
    verb = "loses" if found.value < 0 else "wins"
    words = f"the small blind {verb} {abs(found.value):.4f} big blinds a hand; a best answer gains "
    words += f"{found.exploitability:.1e} big blinds a hand at most"
    out.print(f"\n{words}", markup=False)


@poker_app.command()
def train(
    folder: Annotated[Path, typer.Argument(help="Where the run is kept, and gone on with.")],
    minutes: Annotated[float, typer.Option("--minutes", help="How long the run takes in all.")] = 60.0,
    buckets: Annotated[int, typer.Option("--buckets", help="Buckets of cards on flop, turn and river.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="What the deals depend on.")] = 1,
    save: Annotated[Path | None, typer.Option("--save", help="Write the strategy here.")] = None,
    json: Json = False,
) -> None:
    """Train a strategy for heads-up limit hold'em: external-sampling CFR over buckets, resumed where it was ended."""
    from ..errors import BadInput
    from ..poker.training import Training
    from .console import busy, out, print_json

    if not 0 < minutes < 1e6:
        raise BadInput(f"--minutes must be a number above 0, not {minutes}")
    with busy("making buckets") as say:
        run = Training.open(
            folder, buckets=buckets, seed=seed, report=lambda what, done, of: say(f"{what}: {done:,} of {of:,}")
        )
        begun = run.iterations

        def told(now: Training) -> None:
            say(f"{now.iterations:,} iterations, {now.seconds / 60:.1f} of {minutes:g} minutes")

        run.run(60 * minutes, folder, report=told)
        place = save or folder / "holdem.strategy"
        run.strategy().save(place)
    facts = {"iterations": run.iterations, "new": run.iterations - begun, "seconds": run.seconds, "saved": str(place)}
    if json:
        print_json(facts)
        return
    out.print(f"{run.iterations:,} iterations, of which {run.iterations - begun:,} now; wrote {place}", markup=False)


@poker_app.command()
def measure(
    folder: Annotated[Path, typer.Argument(help="The folder of a training: its buckets are needed.")],
    strategy: Annotated[
        Path | None, typer.Option("--strategy", help="Which strategy; else what was trained so far.")
    ] = None,
    deals: Annotated[
        int, typer.Option("--deals", help="Deals against each rule of thumb, played from both seats.")
    ] = 25_000,
    hands: Annotated[int, typer.Option("--hands", help="Hands of the local best response.")] = 20_000,
    seed: Annotated[int, typer.Option("--seed", help="What the deals depend on.")] = 1,
    json: Json = False,
) -> None:
    """What a strategy wins from rules of thumb in duplicate deals, and what a local best response takes from it."""
    from ..errors import BadInput
    from ..poker import measuring
    from ..poker.strategy_file import HoldemStrategy
    from ..poker.training import bucket_tables
    from .console import busy, out, print_json

    if deals < 2 or hands < 2:
        raise BadInput("--deals and --hands must be at least 2")
    tables = bucket_tables(folder)
    chosen = HoldemStrategy.load(strategy or folder / "holdem.strategy")
    rows = []
    with busy("playing") as say:
        for opponent in measuring.OPPONENTS:
            told = _progress(say, opponent)
            rows.append(measuring.duplicate_match(chosen, tables, opponent, deals, seed, told))
        rows.append(measuring.lbr(chosen, tables, hands, seed, _progress(say, "local best response")))
    if json:
        print_json({"record": chosen.record, "results": [row.as_dict() for row in rows]})
        return
    for row in rows[:-1]:
        out.print(f"wins from {row.name:9} {row} in {row.hands:,} duplicate hands", markup=False)
    out.print(f"loses to a local best response {rows[-1]} in {rows[-1].hands:,} hands", markup=False)


@poker_app.command()
def reduced(
    iterations: Annotated[int, typer.Option("--iterations", help="Iterations of CFR.")] = 100,
    discounted: Annotated[bool, typer.Option("--discounted", help="Discounted CFR in place of CFR+.")] = False,
    json: Json = False,
) -> None:
    """Solve a reduced hold'em (three ranks of four suits, a flop, two rounds), with its exact exploitability."""
    from rich.table import Table

    from ..errors import BadInput
    from ..poker.reduced import DISCOUNT, ReducedHoldem
    from .console import busy, out, print_json

    if not 1 <= iterations <= 1_000_000:
        raise BadInput(f"--iterations must be from 1 to 1000000, not {iterations}")
    solver: ReducedHoldem = ReducedHoldem(DISCOUNT if discounted else None)
    rows = []
    with busy("solving") as say:
        for mark in sorted({0, *(10**power for power in range(6) if 10**power < iterations), iterations}):
            before = solver.done
            if mark > before:
                solver.run(mark - before, lambda done, of: say(f"{solver.done:,} of {iterations:,} iterations"))
            rows.append(solver.result())
    if json:
        named = ("iterations", "value", "exploitability", "mbb")
        results = [{name: getattr(row, name) for name in named} for row in rows]
        print_json({"algorithm": "DCFR" if discounted else "CFR+", "results": results})
        return
    table = Table(box=None, header_style="bold")
    for title in ("iterations", "value for the big blind", "exploitability", "mbb/h"):
        table.add_column(title, justify="right")
    for row in rows:
        table.add_row(f"{row.iterations:,}", f"{row.value:+.4f}", f"{row.exploitability:.6f}", f"{row.mbb:,.2f}")
    out.print(table)
    out.print("value and exploitability in chips of a big blind of 10; exact, by best responses", markup=False)


@poker_app.command()
def adjust(
    run: Annotated[Path, typer.Argument(help="The record of a match of hold'em.")],
    json: Json = False,
) -> None:
    """Winnings of a match with and without the luck of the board after all-ins, with their 95 % intervals."""
    from ..arena.records.export import last_attempts
    from ..arena.records.replaying import recorded_game, steps
    from ..arena.records.run_file import Records
    from ..errors import BadInput
    from ..games.holdem.rules import Holdem
    from ..poker.all_in import adjusted_payoffs, mean_of
    from .console import busy, out, print_json

    with Records.open(run) as records, busy("counting boards") as say:
        game, _ = recorded_game(records)
        if not isinstance(game, Holdem):
            raise BadInput(f"{run} is a match of {game.name}: all-ins are hold'em's")
        names = records.plan.names
        played = [outcome for outcome in last_attempts(records) if outcome.payoffs is not None]
        rows: list[tuple[dict[int, float], dict[int, float]]] = []  # by deal: raw and adjusted, by player
        for number, outcome in enumerate(played):
            say(f"hand {number:,} of {len(played):,}")
            if number == 0 or outcome.round != played[number - 1].round:
                rows.append(({}, {}))
            wins = adjusted_payoffs(game, (step.state for step in steps(game, records.game(outcome.game)[1])))
            for seat, player in enumerate(outcome.seats):
                for found, payoffs in zip(rows[-1], (outcome.payoffs or (), wins), strict=True):
                    found[player] = found.get(player, 0.0) + float(payoffs[seat])
    if len(rows) < 2:
        raise BadInput(f"{run} has fewer than two deals: there is nothing to average")
    means = {
        names[player]: [mean_of([row[kind][player] for row in rows if player in row[kind]]) for kind in range(2)]
        for player in range(len(names))
    }
    if json:
        parts = ("raw", "adjusted")
        print_json({name: {p: vars(m) for p, m in zip(parts, pair, strict=True)} for name, pair in means.items()})
        return
    out.print(f"chips a deal from all seats, {len(rows):,} deals, 95 % intervals", markup=False)
    for name, (raw, fair) in means.items():
        out.print(f"{name:20} as played {raw}   all-ins by equity {fair}", markup=False)


def _progress(say: Any, name: str) -> Any:
    return lambda done, of: say(f"{name}: {done:,} of {of:,}")


@poker_app.command()
def join(
    host: Annotated[str, typer.Argument(help="The dealer's machine.")],
    port: Annotated[int, typer.Argument(help="The port of our seat.")],
    player: Annotated[str, typer.Option("--player", help="Who plays.")] = "search",
    game: Annotated[str, typer.Option("--game", help="The dealer's game.")] = "holdem",
    mode: Annotated[str, typer.Option("--mode", help="Time for an answer: move:1s.")] = "move:1s",
    json: Json = False,
) -> None:
    """Seat a player at a dealer of the Annual Computer Poker Competition, until it hangs up."""
    from ..arena.lineup import make_player
    from ..games import load_game
    from ..players import Mode
    from ..programs.acpc import hold_em, sit_down
    from .console import busy, out, print_json

    table = hold_em(load_game(game))
    seated = make_player(player, table)
    won: list[float] = []
    try:
        with busy("playing") as say:

            def told(number: int, amount: float | None) -> None:
                won.extend([] if amount is None else [amount])
                say(f"hand {number}: {sum(won):+g}")

            hands = sit_down(table, seated, host, port, Mode.parse(mode), told)
    finally:
        seated.close()
    if json:
        print_json({"hands": hands, "known": len(won), "won": sum(won)})
        return
    kept = "" if len(won) == hands else f" in the {len(won):,} whose cards were shown"
    out.print(f"{hands:,} hands, {sum(won):+g} chips{kept}", markup=False)


def print_chart(values: Any, form: str) -> None:
    """A chart of 13 by 13: aces first, suited hands above the diagonal."""
    from ..games.poker_hands import RANKS
    from .console import out

    ranks = RANKS[::-1]
    out.print("    " + "".join(f"{rank:>6}" for rank in ranks), markup=False)
    for rank, row in zip(ranks, values, strict=True):
        out.print(f"{rank:>4}" + "".join(f"{format(value, form):>6}" for value in row), markup=False)
    out.print("suited hands above the diagonal", markup=False)


def percent(share: float) -> str:
    """Three digits that matter, also of what is rare."""
    return f"{100 * share:.3g}"


def odds_text(odds: float) -> str:
    return f"{odds:,.0f}" if odds >= 100 else f"{odds:.4g}"
