"""Matches and tournaments from what a user asks for: checked, planned, recorded, played."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from ..engine.limits import MARGIN
from ..errors import BadInput
from ..game import Game
from ..games import load_game
from ..players import Mode, Offence, Player
from ..smoke_test import smoke_test
from .adjudication import Adjudication
from .lineup import make_player, runs_program
from .outcome import Outcome
from .records.run_file import Records
from .runner import Runner
from .schedules.openings import AUTO, GENERATED, START, openings, varied
from .schedules.pairing import ROUND_ROBIN, parse_system
from .schedules.progress import Progress
from .schedules.schedule import MATCH, TOURNAMENT, WIDE, Entrant, Plan, check_size, entrants
from .standings import Standings, standings
from .statistics.elo_sprt import Sprt
from .worker import Watch

__all__ = ["MATCH", "TOURNAMENT", "make_plan", "play_match", "run_plan"]


def play_match(
    players: Sequence[str],
    game: str,
    *,
    games: int = 100,
    mode: str = "move:0.1s",
    opening: str | None = None,
    sprt: str | None = None,
    adjudicate: str | None = None,
    seed: int | None = None,
    record: str | Path,
    kind: str = MATCH,
    schedule: str = ROUND_ROBIN,
    jobs: int = 1,
    executor: Executor | None = None,
) -> Standings:
    """Play a match (or a tournament) to its end, or what is left of it in the record, and count it.

    Any `concurrent.futures.Executor` may play the games; what it is given and gives back is plain data.
    Without a seed it is 1, that of the record to go on with, or a new one where programs could guess the dice.
    """
    path = Path(record)
    seed, opening = choose(seed, opening, players, game, path)
    plan, loaded = make_plan(
        kind,
        players,
        game,
        games=games,
        mode=mode,
        opening=opening,
        sprt=sprt,
        seed=seed,
        schedule=schedule,
        adjudicate=adjudicate,
    )
    with Records.begin(path, plan, jobs) as records:
        return standings(run_plan(records, jobs=jobs, executor=executor), loaded)


def make_plan(
    kind: str,
    texts: Sequence[str],
    game_text: str,
    *,
    games: int,
    mode: str,
    opening: str = AUTO,
    sprt: str | None = None,
    seed: int = 1,
    margin: float = MARGIN,
    schedule: str = ROUND_ROBIN,
    ready: bool = True,
    adjudicate: str | None = None,
) -> tuple[Plan, Game]:
    """The plan of a run, and its game; every mistake that can be seen before the first game is refused here.

    Openings that are `auto` vary where games would else be the same.

    With `ready`, the players are made ready once in this process, so that workers find what was
    compiled in the cache instead of all compiling it at the same time.
    """
    game = load_game(game_text)
    smoke_test(game)
    if game.players < 2:
        raise BadInput(f"{game.name} is a game for one: there is nobody to play a match against")
    check_size(kind, len(texts), game.players, games)
    if not 0 <= seed < 1 << 63:
        raise BadInput(f"a seed is a whole number from 0 to 2^63 - 1, not {seed}")
    test = None if sprt is None else Sprt.parse(sprt)
    if test is not None and (game.players != 2 or kind != MATCH):
        raise BadInput("an SPRT compares two players: it needs a match in a game for two")
    if test is not None and games % 2:
        raise BadInput(f"an SPRT counts pairs of games: ask for an even number of games, not {games}")
    if adjudicate is not None:
        Adjudication.parse(adjudicate, game)
    system = parse_system(schedule, len(texts), game.players, games)
    rounds = -(-games // game.players) * system.stages_at_most
    if opening != AUTO:
        chosen = openings(game, opening, rounds, seed)
    players, takes_openings = _introduce(game, [text.strip() for text in texts], Mode.parse(mode), ready)
    if opening == AUTO:
        opening = varied(game, rounds, seed) if takes_openings else START
        chosen = openings(game, opening, rounds, seed)
    plan = Plan(
        kind=kind,
        game=game_text.strip(),
        rules=game.fingerprint,
        seats=game.players,
        players=players,
        mode=str(Mode.parse(mode)),
        games=games,
        source=opening,
        openings=tuple(chosen),
        seed=seed,
        margin=margin,
        sprt=None if test is None else str(test),
        once=not (game.has_chance or game.hidden),
        schedule=str(system),
        adjudicate=adjudicate,
    )
    return plan, game


def _introduce(game: Game, texts: Sequence[str], mode: Mode, ready: bool) -> tuple[tuple[Entrant, ...], bool]:
    """The players by name, with what each is made of, and whether all can be told an opening.

    One that cannot play this game at all is refused.
    """
    made = {text: make_player(text, game) for text in texts}  # check all of them before the first one is started
    found: dict[str, tuple[str, str]] = {}
    try:
        for text, player in made.items():
            player.mode = mode
            if ready:
                with contextlib.suppress(Offence):  # misbehaving programs are judged by the referee
                    player.prepare(game)
                if player.mistake is not None:
                    raise player.mistake
            name = player.name if player.name not in ("", Player.name) else text
            found[text] = name, str(player.fingerprint)
    finally:
        for player in made.values():
            player.close()
    takes_openings = all(player.takes_openings for player in made.values())
    return entrants(texts, [found[text] for text in texts]), takes_openings


def choose(
    seed: int | None, opening: str | None, texts: Sequence[str], game_text: str, record: Path | None
) -> tuple[int, str]:
    """Seed and openings of a run: as asked, else as in the run to go on with, else as suits the game.

    Where programs could guess the deals the seed is a new one. A file of openings is read where it is asked for only.
    """
    held = None
    if record is not None and record.is_file() and record.stat().st_size and (seed is None or opening is None):
        with Records.open(record) as records:
            held = records.plan
    if opening is None:
        opening = held.source if held is not None and GENERATED.fullmatch(held.source) else AUTO
    if seed is None and held is not None:
        seed = held.seed
    if seed is None:
        game = load_game(game_text)
        foreign = any(map(runs_program, texts))
        seed = WIDE + secrets.randbelow((1 << 63) - WIDE) if foreign and (game.hidden or game.has_chance) else 1
    return seed, opening


def run_plan(
    records: Records,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    heard: Callable[[Outcome, Progress], Any] = lambda outcome, progress: None,
    watch: Watch | None = None,
) -> Progress:
    """Play what is left of a recorded run; `watch` is shown the game under way, where one is played at a time."""
    check_jobs(jobs)
    return Runner(records, jobs=jobs, executor=executor, heard=heard, watch=watch).run()


def check_jobs(jobs: int, texts: Sequence[str] = ()) -> None:
    if "human" in texts and jobs > 1:
        raise BadInput(f"a person plays one game at a time: leave out --jobs {jobs}")
    if not 1 <= jobs <= 256:
        raise BadInput(f"--jobs is how many games are played at a time, from 1 to 256, not {jobs}")


def crowded(jobs: int, mode: str) -> str:
    """A warning where clocks would suffer from too many games at a time, or nothing."""
    processors = os.cpu_count() or 1
    if jobs <= processors or not Mode.parse(mode).timed:
        return ""
    return f"{jobs} games at a time on {processors} processors: players have less time than their clocks say"
