"""`plywright bridge`: double-dummy tables, par, boards in PBN and LIN."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BadInput

if TYPE_CHECKING:
    from ..games.bridge.auction import Contract
    from ..games.bridge.boards import Board

bridge_app = typer.Typer(name="bridge", help="Bridge: double-dummy results, par, PBN and LIN.", no_args_is_help=True)

DealText = Annotated[str, typer.Argument(help='A deal such as "N:AKQ... ... ... ...", or a file in PBN or LIN.')]
BoardNumber = Annotated[int, typer.Option("--board", help="Which board of a file, from 1.")]
LONGEST = 10_000_000  # bytes of a file of boards


@bridge_app.callback()
def bridge() -> None:
    """Bridge: double-dummy results, par, PBN and LIN."""


@bridge_app.command()
def solve(
    deal: DealText,
    board: BoardNumber = 1,
    contract: Annotated[
        str, typer.Option(help="The contract whose leads are shown, such as 4SN; default: par's.")
    ] = "",
    vulnerable: Annotated[str, typer.Option(help="none, NS, EW or both; a file says so itself.")] = "",
    dealer: Annotated[str, typer.Option(help="N, E, S or W; a file says so itself.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")] = False,
) -> None:
    """Prove the tricks of every declarer in every strain, par, and the tricks of every opening lead."""
    from ..bridge import double_dummy, lead_tricks, par
    from ..games.bridge.auction import read_contract
    from ..games.bridge.boards import read_seat, read_vulnerable
    from ..working_clock import working_clock
    from .console import busy, print_json

    found = _read_board(deal, board)
    sides = read_vulnerable(vulnerable) if vulnerable else found.vulnerable
    first = read_seat(dealer) if dealer else found.dealer
    chosen = read_contract(contract) if contract else None
    if chosen is not None and not chosen.level:
        raise BadInput("nobody leads to a board that is passed out; give a contract such as 4SN")
    whole = found.hands[0].bit_count() == 13
    began = working_clock()
    with busy("solving the deal") as say:
        table = double_dummy(found.hands, lambda done, of: say(f"solving the deal: {done} of {of} results"))
        best = par(lambda strain, seat: table[strain, seat], sides, first) if whole else None
        if chosen is None and best is not None and best.contracts[0].level:
            chosen = best.contracts[0]
        leads = lead_tricks(found.hands, chosen.strain, chosen.declarer) if chosen is not None else {}
    seconds = working_clock() - began
    answer = _answer(found, table, best, chosen, leads, sides, first, seconds)
    if json:
        print_json(answer)
    else:
        _print(found, answer)


@bridge_app.command()
def convert(
    file: Annotated[str, typer.Argument(help="A file in PBN or LIN, or a deal as text.")],
    to: Annotated[str, typer.Option("--to", help="pbn or lin.")] = "pbn",
    output: Annotated[Path | None, typer.Option("--output", help="Where to write; default: standard output.")] = None,
) -> None:
    """Write boards in the other notation: deal, auction and play."""
    from ..bridge import format_lin, format_pbn
    from ..files import check_writable, write_whole

    if to not in ("pbn", "lin"):
        raise BadInput(f"--to is pbn or lin, not {to!r}")
    boards = _read_boards(file)
    text = format_pbn(boards) if to == "pbn" else format_lin(boards)
    if output is None:
        typer.echo(text, nl=False)
    else:
        check_writable(output)
        write_whole(output, text.encode())
        typer.echo(f"{len(boards)} board{'s' if len(boards) != 1 else ''} in {output}")


@bridge_app.command()
def score(
    contract: Annotated[str, typer.Argument(help="Level, strain, doubles and declarer: 4SN, 3NTXE.")],
    tricks: Annotated[int, typer.Argument(help="The declarer's tricks, 0 to 13.")],
    vulnerable: Annotated[str, typer.Option(help="none, NS, EW or both.")] = "none",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")] = False,
) -> None:
    """The duplicate score of a contract."""
    from ..games.bridge.auction import read_contract
    from ..games.bridge.boards import SEAT_NAMES, read_vulnerable
    from ..games.bridge.scoring import score_for_ns
    from .console import print_json

    if not 0 <= tricks <= 13:
        raise BadInput(f"a declarer makes 0 to 13 tricks, not {tricks}")
    made, sides = read_contract(contract), read_vulnerable(vulnerable)
    for_ns = score_for_ns(made, sides, tricks)
    for_declarer = -for_ns if made.declarer & 1 else for_ns
    if json:
        print_json({"contract": made.text, "tricks": tricks, "score": for_declarer, "score_ns": for_ns})
        return
    typer.echo(f"{made.words}, {tricks} tricks: {for_declarer:+d} for {SEAT_NAMES[made.declarer]}'s side")


def _read_board(text: str, number: int) -> Board:
    """One board, all of whose hands are given."""
    from ..games.bridge.boards import missing_hand

    boards = _read_boards(text)
    if not 1 <= number <= len(boards):
        raise BadInput(f"--board {number}: there {'are' if len(boards) > 1 else 'is'} {len(boards)} in it")
    board = boards[number - 1]
    if 0 in board.hands:
        raise BadInput(f"board {board.name or number}: {missing_hand(board.hands)}, so that there is nothing to prove")
    return board


def _read_boards(text: str) -> list[Board]:
    """The boards of a file in PBN or LIN, of a LIN line, or the one deal that is written."""
    from ..bridge import Board, parse_lin, parse_pbn, read_deal

    path = Path(text)
    try:
        is_file = path.is_file()
    except OSError:  # too long for a name, which a deal may be
        is_file = False
    if not is_file:
        if text.lower().endswith((".pbn", ".lin")):
            raise BadInput(f"there is no file {text}")
        return parse_lin(text) if "|" in text else [Board(read_deal(text, all_given=False))]
    if path.stat().st_size > LONGEST:
        raise BadInput(f"{text} is larger than a file of boards should be ({LONGEST // 1_000_000} MB)")
    try:
        content = path.read_bytes().decode("utf-8", errors="strict")
    except UnicodeDecodeError:
        content = path.read_bytes().decode("latin-1")
    except OSError as error:
        raise BadInput(f"{text} cannot be read: {error.strerror}") from None
    try:
        if "|" in content and "[" not in content.partition("|")[0]:
            return parse_lin(content)
        return parse_pbn(content)
    except BadInput as error:
        raise BadInput(f"{text}: {error}") from None


def _answer(
    board: Board,
    table: dict[tuple[int, int], int],
    best: Any,
    chosen: Contract | None,
    leads: dict[int, int],
    vulnerable: int,
    dealer: int,
    seconds: float,
) -> dict[str, Any]:
    from ..games.bridge.boards import VULNERABLE, card_text, deal_text
    from ..games.bridge.trick import SEATS, STRAINS

    answer: dict[str, Any] = {
        "deal": deal_text(board.hands),
        "dealer": SEATS[dealer],
        "vulnerable": VULNERABLE[vulnerable],
        "tricks": {STRAINS[s]: {SEATS[d]: table[s, d] for d in range(4)} for s in (4, 3, 2, 1, 0)},
    }
    if best is not None:
        answer["par"] = {"score_ns": best.score, "contracts": [contract.text for contract in best.contracts]}
    if chosen is not None:
        answer["contract"] = chosen.text
        answer["leads"] = {card_text(card): tricks for card, tricks in leads.items()}
    return answer | {"seconds": round(seconds, 3), "proved": True}


def _print(board: Board, answer: dict[str, Any]) -> None:
    from rich.table import Table

    from ..games.bridge.auction import STRAIN_SIGNS, read_contract
    from ..games.bridge.boards import SEAT_NAMES, SIGNS, hand_text
    from ..games.bridge.trick import SEATS, STRAINS
    from .console import out

    for seat in range(4):
        suits = hand_text(board.hands[seat]).split(".")
        held = "  ".join(f"{SIGNS[3 - place]} {ranks or '-'}" for place, ranks in enumerate(suits))
        out.print(f"{SEAT_NAMES[seat]:>5}  {held}", highlight=False)
    out.print()
    table = Table("declarer", box=None, header_style="bold")
    for strain in (4, 3, 2, 1, 0):
        table.add_column(STRAIN_SIGNS[strain], justify="right")
    for seat in (0, 2, 1, 3):
        row = (str(answer["tricks"][STRAINS[strain]][SEATS[seat]]) for strain in (4, 3, 2, 1, 0))
        table.add_row(SEAT_NAMES[seat], *row)
    out.print(table)
    if "par" in answer:
        contracts = ", ".join(read_contract(text).words for text in answer["par"]["contracts"])
        out.print(
            f"\npar: {answer['par']['score_ns']:+d} for North and South ({contracts}); "
            f"dealer {answer['dealer']}, vulnerable {answer['vulnerable']}",
            highlight=False,
            soft_wrap=True,
        )
    if "leads" in answer:
        made = read_contract(answer["contract"])
        out.print(f"\ntricks of {made.words} after each opening lead", highlight=False)
        by_tricks: dict[int, list[str]] = {}
        for card, tricks in answer["leads"].items():
            by_tricks.setdefault(tricks, []).append(f"{SIGNS['CDHS'.index(card[0])]}{card[1]}")
        for tricks in sorted(by_tricks):
            out.print(f"  {tricks:>2}  {' '.join(by_tricks[tricks])}", highlight=False)
    out.print(f"\n20 results proved, {answer['seconds']:.2f} s in all", highlight=False)


@bridge_app.command()
def match(
    one: Annotated[str, typer.Argument(help="The first team: bridge:deals=10, bridge-greedy, random, ./mine.py.")],
    two: Annotated[str, typer.Argument(help="The second team.")],
    boards: Annotated[int, typer.Option(help="Boards, each played at two tables.")] = 16,
    seed: Annotated[int, typer.Option(help="Decides the deals.")] = 1,
    record: Annotated[Path | None, typer.Option(help="Write both tables of every board to this PBN file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")] = False,
) -> None:
    """A duplicate match of two teams at two tables, in IMPs with an interval."""
    from ..arena.duplicate import BoardResult, duplicate_match
    from ..bridge import format_pbn
    from ..files import check_writable, write_whole
    from .console import out, print_json

    if record is not None:
        check_writable(record)
    done: list[Any] = []

    def tell(result: BoardResult) -> None:
        if not json:
            out.print(
                f"board {result.number:>3}  {result.words[0]}  |  {result.words[1]}  |  {result.imps:+d} IMPs",
                highlight=False,
                soft_wrap=True,
            )
        done.extend(result.boards)
        if record is not None:
            write_whole(record, format_pbn(done).encode())

    found = duplicate_match(one, two, boards=boards, seed=seed, tell=tell)
    low, high = found.interval
    if json:
        rows = [{"board": row.number, "scores_ns": list(row.scores), "imps": row.imps} for row in found.boards]
        bounds = None if len(rows) < 2 else [round(low, 3), round(high, 3)]
        answer = {"teams": [one, two], "seed": seed, "boards": rows, "imps": found.total}
        print_json(answer | {"imps_per_board": round(found.mean, 3), "interval_95": bounds})
        return
    interval = f", 95 % interval {low:+.2f} to {high:+.2f}" if len(found.boards) > 1 else ""
    played = f"{len(found.boards)} board{'s' if len(found.boards) != 1 else ''}"
    out.print(
        f"{one}: {found.total:+d} IMPs over {played}, {found.mean:+.2f} a board{interval}",
        highlight=False,
        soft_wrap=True,
    )
