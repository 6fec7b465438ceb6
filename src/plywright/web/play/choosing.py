"""Before a game: the games to choose from, one's own unfinished ones, where a game begins and who sits down."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

from ...draw.svg import uncaptioned
from ...errors import BadInput, PlywrightError
from ...game import Game
from ...players import Playing
from ...players.searching import NAMES
from ...rng import draw64, seeded
from ..catalogue import Catalogue
from ..fields import Fields
from ..requests import Reply, Visit, page, picture, redirect
from .autoplay import latest
from .found_chances import forget_chances
from .game_replay import GameReplay
from .seats import FULL, KINDS, STRENGTHS, USUAL, learned_for, read_mode, read_seats, seat_words
from .status_text import capital, game_title, rules_of
from .table import AT_ONCE, IN_VIEW, SAVED_TABLES, Table
from .table_view import WIDEST, picture_width

LONGEST_TEXT = 60_000
"""Characters of a line of moves or of a state."""
SAMPLE, LONGEST_SAMPLE = 7, 60
"""The seed of the game on a card, and its longest."""
RECENT = 24
"""Games of one's own that are listed."""


def choose(call: Visit) -> Reply:
    """One's own games, and all that can be played, each with a picture."""
    return page(call, "play.html", offers=call.site.catalogue.offers(), mine=own_games(call.site.catalogue))


class OwnGame(NamedTuple):
    """A saved game in the list of one's own."""

    name: str
    title: str
    who: str
    moves: int
    state: str
    over: bool


def own_games(catalogue: Catalogue) -> list[OwnGame]:
    """The games of this machine, the last played first and unfinished ones before the others; studies are left out."""
    found: list[OwnGame] = []
    for name in SAVED_TABLES.names():
        try:
            table = Table.load(name)
            title = game_title(catalogue[table.game])
        except PlywrightError:
            continue  # of a file that the page was not started with, or damaged
        if table.study_of or (len(table.actions) == table.opening and found):
            continue
        over = bool(table.ended or table.outcome)
        state = table.ended or table.outcome or ("paused" if table.paused else "unfinished")
        who = " v ".join(seat_words(seat) for seat in table.seats)
        found.append(OwnGame(name, title, who, len(table.actions), state, over))
        if len(found) == RECENT:
            break
    return sorted(found, key=lambda one: one.over)


def forget(call: Visit) -> Reply:
    """A saved game is deleted."""
    name = call.fields.text("name", most=60)
    del SAVED_TABLES[Table.load(name).name]
    forget_chances(name)
    return redirect("/play")


def set_up(call: Visit) -> Reply:
    """A game, where it begins, and who is to sit there."""
    fields = call.fields
    game, replay = begun(call.site.catalogue, fields)
    state = replay.states[-1]
    picture = "" if not game.overrides("picture") else game.picture(state).svg
    offers = {offer.text: offer.about for offer in call.site.catalogue.offers()}
    text = fields.text("game", "tic-tac-toe", 200)
    return page(
        call,
        "play_new.html",
        game=game,
        text=text,
        title=game_title(game),
        about=offers.get(text.partition(":")[0], offers.get(text, "")),
        start=replay.start,
        moves=replay.moves_text(replay.last),
        picture=picture,
        width=picture_width(picture),
        wide=picture_width(picture) > WIDEST,
        state_text=game.format_state(state),
        seats=[(seat, capital(game.player_name(seat))) for seat in range(game.players)],
        programs=call.site.programs,
        strengths=(*STRENGTHS, FULL),
        learned=bool(learned_for(game, call.site.options.learned)),
        rules=rules_of(game),
        algorithms=NAMES,
        kinds=KINDS,
        usual=USUAL,
        dice=AT_ONCE if game.players == 1 else IN_VIEW,
    )


def begun(catalogue: Catalogue, fields: Fields) -> tuple[Game, GameReplay]:
    """The game that fields name, from its start or another state through its moves, or as it was saved."""
    game = catalogue[fields.text("game", "tic-tac-toe", 200)]
    start = fields.text("start", most=LONGEST_TEXT) or fields.text("state", most=LONGEST_TEXT)
    moves = fields.text("moves", most=LONGEST_TEXT)
    if (record := game.parse_record(moves)) is not None:
        if start:
            raise BadInput("the moves are a whole game, which has the state it begins from: leave the state empty")
        return game, GameReplay.recorded(game, *record)
    replay = GameReplay(game, start)
    for number, text in enumerate(game.split_moves(moves), 1):
        try:
            replay.extend(game.parse_action(replay.states[-1], text))
        except BadInput as error:
            raise BadInput(f"move {number}: {error}") from None
    return game, replay


def sit_down(call: Visit) -> Reply:
    fields = call.fields
    game, replay = begun(call.site.catalogue, fields)
    mode = read_mode(fields)
    table = Table(
        game=fields.text("game", "tic-tac-toe", 200),
        seats=read_seats(fields, game, call.site.programs, mode, call.site.options.learned),
        mode=str(mode),
        held=fields.ticked("held"),
        seed=fields.whole("seed", secrets.randbelow(2**53), 0, 2**53),
        start=replay.start,
        dice=fields.choice("dice", (IN_VIEW, AT_ONCE)),
        actions=list(replay.actions),
        notes=[{} for _ in replay.actions],
        opening=replay.last,
    )
    return redirect(latest(table.settle(game), game))


def thumbnail(call: Visit) -> Reply:
    """The picture of a position in the middle of a game, for the cards of the room; a named one where there is one."""
    game, replay = begun(call.site.catalogue, call.fields)
    if replay.last or replay.start:
        return picture(uncaptioned(game.picture(replay.states[-1]).svg))
    return picture(uncaptioned(game.picture(*middle(game)).svg))


def middle(game: Game) -> tuple[Any, int | None]:
    """A position half way through a game at random, always the same one, and the action that led there.

    It is half of the moves that players make: while cards are dealt nothing has happened yet.
    """
    rng = seeded(SAMPLE)
    playing = Playing(game)
    decided: list[int] = []  # plies at which players moved
    while not playing.is_over() and len(decided) < LONGEST_SAMPLE:
        if playing.at_chance():
            playing.roll(rng)
        else:
            legal = playing.legal()
            decided.append(playing.ply)
            playing.step(legal[int(draw64(rng)) % len(legal)])
    ply = decided[(len(decided) + 1) // 2] if len(decided) > 1 else playing.ply
    return playing.states[ply], playing.actions[ply - 1] if ply else None
