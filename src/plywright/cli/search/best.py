"""`plywright best`: one position, one answer."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from ...engine import Limit, analyse, history_option, search
from ...engine.suitability import no_common_step
from ...errors import BadInput
from ...files import write_whole
from ...game import Game
from ...games import know, load_game
from ...knowledge import Term, knowledge_of, named_knowledge
from ...outcome_text import chance_words, error_text, found_text, is_end, owned_text
from ...result import SearchResult
from ...rng import seeded
from ...weighted import read_weights, told_terms
from ..console import busy, count_text, mover_text, notes, out, print_json, states_so_far, value_text, worth_text

if TYPE_CHECKING:
    from ...engine.alphabeta.explain import Explanation
    from ...players import Player

LONGEST_NAME = 50
"""Letters of a feature's name beyond which it is broken, rather than the numbers beside it."""
MOST_SHOWN = 5
"""Moves of a search by simulations that are shown where not all were asked for."""
TRACES = {".html": "html", ".svg": "svg", ".json": "to_json"}
"""The method of a trace that writes it, by the ending of the file's name."""


def show_best(
    name: str,
    state_text: str | None,
    moves: str | None,
    roll: str | None = None,
    *,
    time: float | None,
    depth: int | None,
    nodes: int | None,
    algorithm: str | None,
    knowledge: str | None,
    engine: Mapping[str, Any],
    tables: Sequence[str] = (),
    every: bool,
    why_not: str | None,
    trace: Path | None,
    levels: int,
    terms: bool = False,
    weights: str | None = None,
    json: bool,
) -> None:
    """The answer in the terminal or as JSON, with the refutation of another move and a trace where asked for."""
    limit = Limit(depth, time, nodes) if (depth, time, nodes) != (None, None, None) else Limit(time=1.0)
    game = reweigh(know(load_game(name), knowledge), weights)
    check_open(game, name, trace)
    *history, state = states_so_far(game, state_text, moves, roll)
    engine = {**engine, **read_tables(game, tables, state)}
    weighed = terms_of(game, state) if terms else []  # one without terms is refused before the search
    if game.at_chance(state) and (why_not is not None or trace is not None):
        raise BadInput(f"in this position of {game.name} chance decides, not a player: {roll_hint(game, state)}")
    asked = game.parse_action(state, why_not) if why_not is not None else None
    owned = depth is None and algorithm in (None, "mcts") and knowledge_of(game).has_owners
    result = run_search(game, state, limit, algorithm, every or owned, history, engine)
    why = None
    if asked is not None:
        from ...engine.alphabeta.explain import explain

        as_well = {**engine, **({"exact": True} if every and result.algorithm == "pvs" else {})}
        why = explain(game, state, asked, best=result, limit=limit, history=history, **as_well)
    if trace is not None:
        from ...engine.alphabeta.trace import record

        options = {**engine, **({} if limit.fixed_depth else {"exact": every})}
        found = record(game, state, depth=max(result.depth, 1), levels=levels, history=history, **options)
        write_whole(trace, getattr(found, TRACES[trace.suffix])().encode())
    if json:
        print_json(as_data(game, state, result, why, weighed))
        return
    show_answer(game, state, result)
    if weighed:
        show_terms(game, state, weighed)
    if why is not None:
        out.print()
        out.print(why.words, markup=False)
        out.print(why.picture.text, markup=False)
    if trace is not None:
        out.print(f"wrote {trace}", markup=False)
    if result.actions:
        show_moves(game, state, result, every)


def check_open(game: Game, name: str, trace: Path | None) -> None:
    """Refuse a game that hides something, and a trace that cannot be recorded or written."""
    if trace is not None and trace.suffix not in TRACES:
        raise BadInput(f"a trace is written as {', '.join(TRACES)}, not as {trace.name!r}")
    if game.hidden:
        raise BadInput(
            f"{game.name} hides something from each player: give --seat and --observation, what that seat sees, "
            f"or --seat and --moves, cards and all, from which that is computed"
        )
    if trace is not None and (reason := no_common_step(game, {})):
        raise BadInput(
            f"--trace records alpha-beta, which cannot search {game.name} ({reason}): "
            f"`plywright tree {name} --depth 2 --html FILE` steps through a search that can"
        )


def as_data(game: Game, state: Any, result: SearchResult, why: Explanation | None, terms: list[Term]) -> dict[str, Any]:
    """The answer for --json, with what was asked for besides."""
    extra: dict[str, Any] = {}
    if why is not None:
        extra = {"explanation": why.words, "alternative": explained(game, state, why)}
    if result.ownership:
        extra["ownership"] = [round(owner, 3) for owner in result.ownership]
    if terms:
        extra["evaluation"] = [term._asdict() for term in terms]
    return {**result.as_dict(game, state), **extra}


def show_answer(game: Game, state: Any, result: SearchResult) -> None:
    """The position, who is to move, and the answer as labelled lines."""
    owners = result.ownership
    out.print((game.picture_owned(state, owners) if owners else game.picture(state)).text, markup=False)
    if "to move" not in game.picture(state).text:
        out.print(mover_text(game, state), markup=False)
    for label, text in report(game, state, result):
        out.print(f"{label:>10}  {text}", markup=False)
    if owners:
        out.print(f"{'ownership':>10}  {owned_text(game, owners)} of the points, by playouts", markup=False)


def show_moves(game: Game, state: Any, result: SearchResult, every: bool) -> None:
    """The value of every move; of a search by simulations that was not asked for all, those it looked at most."""
    counts = ["simulations"] if result.visits else []
    table = Table("move", "value", *counts, "", box=None, header_style="bold")
    rows = sorted(result.actions.items(), key=lambda item: -item[1])
    if not every:
        rows = sorted(rows, key=lambda item: -result.visits[item[0]])[:MOST_SHOWN]
    for action, value in rows:
        count = [str(result.visits[action])] if counts else []
        best = "best" if action in result.tied and not result.note else ""
        table.add_row(game.format_action(state, action), worth_text(game, value, result.averaged), *count, best)
    out.print(table)


def reweigh(game: Game, weights: str | None) -> Game:
    """The game, whose searches take what it knows with these weights (--weights)."""
    if weights is not None:
        know(game, knowledge_of(game).with_weights(read_weights(weights)))
    return game


def terms_of(game: Game, state: Any) -> list[Term]:
    """The features that the evaluation weighs here; raises BadInput where it is no weighted sum."""
    from ...models.model import Model

    known = knowledge_of(game)
    found = told_terms(known, state)
    if not found:
        named = [name for name, cls in named_knowledge(game).items() if cls.feature_names]
        other = f"; that of --knowledge {named[0]} is" if named else ""
        if isinstance(known, Model):
            inside = "`plywright knowledge show` shows what is in its file"
            if game.knowledge is not None and game.knowledge.feature_names:
                inside += ", and `plywright learn --model linear` learns a weighted sum"
            raise BadInput(
                f"{game.name} is searched with what was learned, a {known.model} model, whose evaluation is no "
                f"weighted sum of features: {inside}{other}"
            )
        raise BadInput(f"the evaluation of {game.name} is no weighted sum of features that could be shown{other}")
    return found


def show_terms(game: Game, state: Any, found: list[Term]) -> None:
    """Each feature with its weight, what each side has of it and what that is worth, and the sum.

    Where no feature has a weight of its own, nothing is said of weights and of how much there is."""
    names = [game.player_name(player) for player in range(game.players)]
    known = knowledge_of(game)
    weighed = any(term.weight for term in found)
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column("feature", overflow="fold", no_wrap=max(len(term.name) for term in found) <= LONGEST_NAME)
    worth = [f"{known.terms_unit}: {name}" if n == 0 else name for n, name in enumerate(names)]
    for heading in (*(("weight", *names) if weighed else ()), *worth, *(("lead",) if len(names) == 2 else ())):
        table.add_column(heading, justify="right", no_wrap=heading == "weight")
    worths = [value for term in found for value in term.worth]
    decimals = 0 if all(value == round(value) for value in worths) else 2 if max(map(abs, worths)) >= 0.5 else 4

    def numbers(worth: Sequence[float]) -> list[str]:
        """What each side has, and for two how much the first one leads."""
        lead = [worth[0] - worth[1]] if len(worth) == 2 else []
        return [f"{value:+z.{decimals}f}" for value in (*worth, *lead)]

    for term in found:
        counts = [f"{count:g}" if term.weight else "" for count in term.counts]
        table.add_row(term.name, *([term.weight, *counts] if weighed else []), *numbers(term.worth))
    totals = [sum(term.worth[player] for term in found) for player in range(len(names))]
    blank = [""] * (1 + len(names)) if weighed else []
    table.add_row("sum", *blank, *numbers(totals), style="bold")
    out.print(table)
    if len(names) == 2:
        other = f", and the value above that of {names[1]}, who is to move" if game.to_move(state) == 1 else ""
        out.print(f"the lead is that of {names[0]}{other}", markup=False)
    if known.terms_note:
        out.print(known.terms_note, markup=False)


def read_tables(game: Game, given: Sequence[str], state: Any) -> dict[str, float]:
    """The memory that --table gives the search; an endgame table among them becomes part of what the game knows."""
    memory: dict[str, float] = {}
    for text in given:
        try:
            memory["table"] = float(text)
        except ValueError:
            from ...tables import open_table

            found = open_table(game, text, state=state)
            if not found.is_complete:
                part = f"it has {len(found.records):,} of {len(found.slices):,} slices"
                build = f"`plywright table build {game.name} --pieces {found.which} --folder {found.path.parent}`"
                notes.print(f"{found.path} is not complete: {part}; {build} goes on with it", markup=False)
            know(game, found.knowledge)
    return memory


def roll_hint(game: Game, state: Any) -> str:
    """How to ask for what comes after chance has spoken."""
    outcome = game.format_action(state, game.choices(state)[0]) if game.lists_chance else "OUTCOME"
    return f"give --roll, such as {outcome}"


def by_table(game: Game, result: SearchResult) -> str:
    """The word of an endgame table, or of a search that met one."""
    win = game.utility_range[1]
    outcome = "won" if result.value >= win else "lost" if result.value <= -win else "drawn"
    end = "" if result.distance is None else f" in {result.distance} {'ply' if result.distance == 1 else 'plies'}"
    if result.source == "table":
        if result.proved:
            return f"{outcome}{end}, by the table"
        if result.value == 0:
            return f"{result.bound}, depth {result.depth}: the table says otherwise, but a rule ends the game in a draw"
        outcome = "won" if result.value > 0 else "lost"
        return f"{outcome} by the table, move rule apart: the rule on moves without progress may end the game before"
    if result.proved:
        return f"proved{result.condition(game)}: {outcome}{end}, by search and table"
    return f"{result.bound}, depth {result.depth}, with the table"


def show_own(game: Game, player: Player, view: Any, seat: int, state: Any, limit: Limit, json: bool) -> None:
    """What the game's own player would do, and what that rests on: it plays better than a search."""
    from ...players import Clock, Mode, Turn

    mode = Mode.of(limit)
    player.mode, player.info = mode, {}
    legal = tuple(int(action) for action in game.actions(state))
    with busy(f"asking {player.name}"):
        player.prepare(game)
        turn = Turn(view, seat, legal, (), Clock(mode, limit.time or math.inf), seeded(1))
        action = int(player.choose(game, turn))
    move, fit = game.format_action(state, action), game.count_deals(view, seat)
    if json:
        seen = {"seat": seat + 1, "observation": game.format_observation(view, seat), "deals_that_fit": fit}
        print_json({"action": action, "move": move, "by": player.name, **player.info, **seen})
        return
    out.print(game.picture_for(view, seat).text, markup=False)
    out.print(f"{game.player_name(seat)} to move", markup=False)
    rows = [("best", move), ("by", player.name), *([("rests on", player.reason)] if player.reason else [])]
    for label, text in rows:
        out.print(f"{label:>10}  {text}", markup=False)


def show_view(
    name: str,
    observation: str | None,
    number: int | None,
    *,
    place: tuple[str | None, str | None, str | None],
    time: float | None,
    depth: int | None,
    nodes: int | None,
    algorithm: str | None,
    knowledge: str | None,
    foreign: Mapping[str, object],
    json: bool,
) -> None:
    """The best move by what one seat sees: an observation, or what it sees of the `place` (--state, --moves, --roll).

    `foreign` are options that belong to games in which all is seen. Seats are counted from 1 here.
    """
    from ...arena.lineup import own_player
    from ...engine.hidden.beliefs import stand_in

    limit = Limit(depth, time, nodes) if (depth, time, nodes) != (None, None, None) else Limit(time=1.0)
    game = know(load_game(name), knowledge)
    if not game.hidden:
        raise BadInput(f"everybody sees everything in {game.name}: give --state or --moves instead of --observation")
    if given := [option for option, value in foreign.items() if value]:
        raise BadInput(f"{given[0]} does not go with --observation: who sees a part only has no whole position")
    if number is not None and not 1 <= number <= game.players:
        raise BadInput(f"--seat is the player who looks, 1 to {game.players}, not {number}")
    if any(place):
        if observation is not None:
            raise BadInput("give either --observation or a position with --moves or --state, not both")
        view, seat = _seen_from(game, number, place)
    else:
        if number is None:
            raise BadInput(f"--seat is the player who looks, 1 to {game.players}")
        seat = number - 1
        if observation is None:
            raise BadInput(
                f"give --observation: what seat {number} of {game.name} sees, as the game writes it; "
                f"or --moves, from which that is computed"
            )
        view = game.read_observation(observation, seat)
    state = stand_in(game, view, seat)
    if algorithm is None and knowledge is None and (player := own_player(game)) is not None:
        show_own(game, player, view, seat, state, limit, json)
        return
    with busy(f"searching {game.name}"):
        result = search(game, view, seat=seat, limit=limit, algorithm=algorithm)
    fit = game.count_deals(view, seat)
    if json:
        data = {**result.as_dict(game, state), "seat": seat + 1, "observation": game.format_observation(view, seat)}
        data["deals_that_fit"] = fit
        print_json({**data, "values": [None if value != value else value for value in result.values]})
        return
    out.print(game.picture_for(view, seat).text, markup=False)
    out.print(f"{game.player_name(seat)} to move", markup=False)
    for label, text in report(game, state, result):
        out.print(f"{label:>10}  {text}", markup=False)
    if fit is not None:
        out.print(f"{'deals':>10}  {fit:,} fit what is seen; {_drawn(result)}", markup=False)
    table = Table("move", "value", "simulations" if result.algorithm == "ismcts" else "deals", box=None)
    for action, value in sorted(result.actions.items(), key=lambda item: -item[1]):
        table.add_row(game.format_action(state, action), value_text(value), str(result.visits[action]))
    out.print(table)


def _drawn(result: SearchResult) -> str:
    """How many deals an answer rests on, and what that leaves open."""
    if result.algorithm.startswith("weighted"):
        return "all of them were searched"
    if result.algorithm == "ismcts":
        return f"{sum(result.visits.values()):,} drawn, one for each simulation"
    error = "" if result.error is None else f", standard error {result.error:.2g}"
    return f"{max(result.visits.values(), default=0):,} drawn{error}"


def _seen_from(game: Game, number: int | None, place: tuple[str | None, str | None, str | None]) -> tuple[Any, int]:
    """What the seat to move sees of a position, and which seat that is."""
    state = states_so_far(game, *place)[-1]
    if game.is_terminal(state):
        raise BadInput(f"the game is over in this position of {game.name}: there is nothing to search")
    if game.at_chance(state):
        raise BadInput(f"in this position of {game.name} chance decides, not a player: {roll_hint(game, state)}")
    mover = int(game.to_move(state))
    if number is not None and number - 1 != mover:
        raise BadInput(f"seat {number} is not to move in this position of {game.name}: seat {mover + 1} is")
    return game.observation(state, mover), mover


def explained(game: Game, state: Any, reason: Explanation) -> dict[str, Any]:
    """The alternative of an explanation, JSON-ready."""
    line, place = [], state
    for action in reason.line:
        line.append(game.format_action(place, action))
        place = game.state_after(place, action)
    return {"action": line[0], "value": reason.value, "line": line, "turn": reason.turn}


def run_search(
    game: Game,
    state: Any,
    limit: Limit,
    algorithm: str | None,
    every: bool,
    history: Sequence[Any] = (),
    engine: Mapping[str, Any] | None = None,
) -> SearchResult:
    """Search with progress shown; Ctrl-C ends it with the best answer so far."""
    options: dict[str, Any] = {"limit": limit, "algorithm": algorithm, "all_actions": every, **(engine or {})}
    options |= history_option(game, history, algorithm)
    if limit.fixed_depth or not notes.is_terminal or (limit.time is not None and limit.time <= 1):
        with busy(f"searching {game.name}"):
            return search(game, state, **options)
    last = None
    for last in analyse(game, state, **options):
        line = game.join_moves(last.line_text(game, state)[:12])
        value = found_text(game, last.value, last.distance, last.averaged)
        print(f"\rdepth {last.depth}  value {value}  {line}\x1b[K", end="", file=sys.stderr)
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    assert last is not None
    return last


def report(game: Game, state: Any, result: SearchResult) -> list[tuple[str, str]]:
    """The answer as labelled lines."""
    kind = f"{result.bound}, depth {result.depth}"
    met = not result.proved and result.distance is not None and is_end(game, result.value)
    if result.error is not None:
        kind += f", standard error {error_text(game, result.error, result.averaged)}"
    if result.depth == 0:
        kind = "stopped before anything was finished: a legal move, with its evaluation"
    if result.note:
        kind = result.note
    kind += chance_words(result.chance, ", ")
    if met:
        kind = f"met at depth {result.depth}, not proved"
    if met and result.distance == 1 and result.value > 0:
        kind = "this move ends the game"
    if result.proved:
        kind = f"proved{result.condition(game)}: the whole game below was searched"
        plies = "ply" if result.distance == 1 else "plies"
        kind += "" if result.distance is None else f"; this line ends after {result.distance} {plies}"
    if result.source:
        kind = by_table(game, result)
    speed = f"{count_text(result.nodes)} in {result.seconds:.3g} s, {count_text(result.nodes_per_second)}/s"
    everybody = []
    if game.players > 1 and not game.opposed and not any(map(math.isnan, result.values)):
        names = [game.player_name(player) for player in range(game.players)]
        worth = ", ".join(f"{name} {value_text(value)}" for name, value in zip(names, result.values, strict=True))
        everybody = [("values", worth)]
    ends = met or (result.proved and not result.source)  # a table has words of its own
    worth = found_text(game, result.value, result.distance if ends else None, result.averaged)
    if len(result.tied) > 1:
        everybody.append(("tied", " ".join(game.format_action(state, action) for action in result.tied)))
    if result.action is None:  # chance is to move, and the value is the first player's
        best, whose = f"none: chance decides here; for a move {roll_hint(game, state)}", f" for {game.player_name(0)}"
    else:
        best, whose = game.format_action(state, result.action), ""
        if result.note and result.actions:
            best = f"none is better than another, as far as this search sees; the first is {best}"
    return [
        ("best", best),
        ("value", f"{worth}{whose}  ({kind})"),
        *everybody,
        ("line", game.join_moves(result.line_text(game, state))),
        ("nodes", f"{speed}, {result.algorithm}, {'compiled' if result.compiled else 'interpreted'}"),
    ]
