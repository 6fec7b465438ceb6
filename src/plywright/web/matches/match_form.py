"""A match as a form asks for it: everything that a page may start, and nothing that would read a file or run a program.

Players are written as on the command line. Those that are programs or files can only be chosen where
they were named when the page was started.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...arena.match import MATCH, TOURNAMENT, choose, make_plan
from ...arena.schedules.openings import AUTO
from ...arena.schedules.schedule import Plan
from ...errors import BadInput
from ...games.registry import is_path
from ...players import Mode
from ...players.searching import NAMES, read_options
from ..catalogue import Catalogue, check_offered
from ..fields import Fields

MOST_GAMES = 2000
MOST_PLAYERS = 16
MOST_SECONDS, MOST_BUDGET = 10.0, 120.0
"""Seconds per move, and per game where that is how it is timed."""
MOST_PLIES, MOST_NODES = 40, 10_000_000
PLAIN = ("random", "first")
LIMITS: dict[str, float] = {
    "time": MOST_SECONDS,
    "depth": MOST_PLIES,
    "nodes": MOST_NODES,
    "simulations": MOST_NODES,
    "inner_nodes": MOST_NODES,
    "table": 256,
    "memory": 256,
    "threads": 4,
    "deals": 100_000,
    "outcomes": 100_000,
}
"""The most that an option of a search may say; others have no size."""
_SPEC = r"[a-z-]+(?::[a-z_]+=[A-Za-z0-9.]+(?:,[a-z_]+=[A-Za-z0-9.]+)*)?"
_WEIGHED = rf"[0-9]*\.?[0-9]+\*{_SPEC}"
SPEC, MIXTURE = re.compile(_SPEC), re.compile(rf"mixture:{_WEIGHED}(?:\+{_WEIGHED})*")
OPENINGS = re.compile(r"auto|start|random:[0-9]{1,2}")
EXAMPLES = ("random", "alphabeta:depth=2", "alphabeta:depth=4", "mcts:simulations=500", "search", "first")


def read_plan(fields: Fields, catalogue: Catalogue, programs: Sequence[str]) -> Plan:
    """The plan that a form asks for; raises BadInput with the field that is wrong."""
    kind = fields.choice("kind", (MATCH, TOURNAMENT))
    game = fields.text("game", most=200)
    catalogue[game]  # only what this page offers
    texts = [line.strip() for line in fields.text("players", most=4000).splitlines() if line.strip()]
    if not 2 <= len(texts) <= MOST_PLAYERS:
        raise BadInput(f"players: one per line, from 2 to {MOST_PLAYERS} of them, not {len(texts)}")
    for text in texts:
        check_player(text, programs)
    games = fields.whole("games", 20, 1, MOST_GAMES)
    mode = check_mode(fields.text("mode", "move:0.1s", most=40) or "move:0.1s")
    opening = fields.text("openings", AUTO, most=20) or AUTO
    if not OPENINGS.fullmatch(opening):
        raise BadInput(f"openings are auto, start, or random:4 for four random plies, not {opening!r}")
    asked = fields.whole("seed", 1, 0, 2**53) if fields.text("seed", most=20) else None
    plan, _ = make_plan(
        kind,
        texts,
        game,
        games=games,
        mode=mode,
        opening=opening,
        seed=choose(asked, opening, texts, game, None)[0],
        ready=any(text in programs for text in texts),  # a program may say its name when it starts
    )
    planned = sum(len(each.units) for each in plan.rounds())
    if planned > MOST_GAMES:
        raise BadInput(f"these players would play {planned} games; {MOST_GAMES} are allowed: ask for fewer a pairing")
    return plan


def check_plan(plan: Plan, own: Sequence[str], programs: Sequence[str]) -> None:
    """Refuse a recorded run that this page could not have begun: a record may come from anybody.

    Files and programs are run where `plywright web` was started with them; nothing else of a record is.
    """
    check_offered(plan.game, own)
    for player in plan.players:
        check_player(player.text, programs)
    check_mode(plan.mode)
    if not OPENINGS.fullmatch(plan.source):
        raise BadInput(f"the openings of this run are of the file {plan.source[:80]!r}: go on with it on a terminal")


def check_player(text: str, programs: Sequence[str]) -> None:
    """Refuse a player that would read a file, run a program, or take more than a page may."""
    if text in programs:
        return
    parts = [text]
    if MIXTURE.fullmatch(text):
        parts = [part.partition("*")[2] for part in text.removeprefix("mixture:").split("+")]
    for part in parts:
        kind, _, rest = part.partition(":")
        if not SPEC.fullmatch(part) or kind not in (*NAMES, *PLAIN):
            raise BadInput(
                f"players: {text[:80]!r} cannot be chosen here; there are {', '.join((*PLAIN, *NAMES))} (as in "
                "alphabeta:depth=4 or mcts:simulations=1000), and files and programs that the page was started with: "
                "plywright web --program ./my_player.py"
            )
        if kind in NAMES:
            for name, value in read_options(part, kind, rest).items():
                if name == "knowledge" and is_path(value):
                    raise BadInput("players: the page takes knowledge by its name, not from a file")
                if name in LIMITS and isinstance(value, (int, float)) and not value <= LIMITS[name]:
                    raise BadInput(f"players: {text[:80]!r}: {name} is at most {LIMITS[name]:g} here")


def check_mode(text: str) -> str:
    """How moves are timed, within what a page may take."""
    mode = Mode.parse(text)
    most = {"depth": MOST_PLIES, "nodes": MOST_NODES, "move": MOST_SECONDS, "budget": MOST_BUDGET}[mode.kind]
    if mode.amount > most or mode.increment > MOST_SECONDS:
        words = f"budget:{MOST_BUDGET:g}s+{MOST_SECONDS:g}s" if mode.kind == "budget" else f"{mode.kind}:{most:g}"
        raise BadInput(f"mode: {text!r} is more than a page may take; at most {words}")
    return str(mode)
