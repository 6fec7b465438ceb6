"""What a page tells a seat in a game with hidden information: what the seat may know, and nothing else."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from plywright.arena.lineup import make_player
from plywright.draw.board import board
from plywright.games import load_game
from plywright.players import Playing
from plywright.rng import seeded
from plywright.web.fields import Fields
from plywright.web.play.game_replay import GameReplay
from plywright.web.play.marks import with_last_move
from plywright.web.play.table import Table
from plywright.web.play.table_view import TableView

SAME_VIEWS = [  # two games that look the same to a seat, by their actions, chance included
    ("kuhn", 0, "1 2", "1 3"),
    ("kuhn", 0, "2 1 bet", "2 3 bet"),
    ("kuhn", 1, "2 1 bet", "3 1 bet"),
    ("leduc", 0, "J Q", "J K"),
    ("phantom-tic-tac-toe", 0, "a1 b2", "a1 c3"),
    ("goofspiel:cards=3,order=descending", 1, "1", "2"),
    ("liars-dice", 0, "3 1 1x1", "3 6 1x1"),
    ("holdem", 0, "As Kd 2c 3c call", "As Kd Qh Qs call"),
]


def table_of(game: str, moves: str, seats: list[str]) -> Table:
    rules = load_game(game)
    state, actions, notes = rules.start_state, [], []
    for text in moves.split():
        action = rules.parse_action(state, text)
        actions.append(action)
        notes.append({"text": text, "value": 0.25} if not rules.at_chance(state) else {})
        state = rules.coerce_state(rules.result(state, action))
    return Table(game, seats, "depth:2", 7, actions=actions, notes=notes).keep()


def told(client: Any, table: Table, query: str = "") -> str:
    """The page without the table's name, which alone may differ."""
    answer = client.get(f"/play/t/{table.name}{query}")
    assert answer.status_code == 200, answer.text
    return answer.text.replace(table.name, "NAME")


@pytest.mark.parametrize(("game", "seat", "one", "other"), SAME_VIEWS)
def test_a_page_depends_only_on_what_its_seat_sees(client: Any, game: str, seat: int, one: str, other: str) -> None:
    rules = load_game(game)
    seats = ["human", "random"] if seat == 0 else ["random", "human"]
    states = [table_of(game, moves, seats) for moves in (one, other)]
    ends = [table.replay(client.app.state.catalogue[game]).states[-1] for table in states]
    assert rules.observation(ends[0], seat) == rules.observation(ends[1], seat) and ends[0] != ends[1]
    first, second = (told(client, table) for table in states)
    assert first == second
    assert "value for" not in first and "+0.25" not in first, "what the others think would tell their cards"


def frames(page: str) -> list[str]:
    """The places that are marked as the last move, in the order of the picture; a nameless one is empty."""
    groups = re.findall(r'<g(?: data-place="([^"]*)")?>((?:(?!<g ?[d>]).|<g data-upright)*?)class="play-last"', page)
    return [name for name, _ in groups]


def test_the_last_move_is_marked_as_far_as_the_seat_may_know_it(client: Any) -> None:
    """Its own; and the other's, where the board that it sees has changed since."""
    page = told(client, table_of("phantom-tic-tac-toe", "a1 b2", ["human", "random"]))
    assert frames(page) == ["a1"] and "Your last move: a1." in page
    page = told(client, table_of("phantom-tic-tac-toe", "a1 b2", ["random", "human"]))
    assert frames(page) == ["b2"] and "Your last move: b2." in page
    page = told(client, table_of("kuhn", "1 2 check bet", ["human", "random"]))
    assert frames(page) == [] and "Your last move: check. Since then: player 2 bets." in page
    page = told(client, table_of("liars-dice", "3 5 1x1 2x5", ["human", "random"]))
    assert "Your last move: 1x1. Since then: player 2: two fives." in page
    page = told(client, table_of("leduc", "J Q check raise", ["human", "random"]))
    assert "Your last move: check. Since then: raise." in page
    assert frames(told(client, table_of("liars-dice", "3 5 1x1 liar", ["human", "random"]))) == [""], (
        "the cup is lifted"
    )


@pytest.mark.parametrize(
    ("game", "seat"),
    [("stratego", 0), ("battleship:size=4", 0), ("kriegspiel", 0), ("tricks", 0), ("goofspiel:cards=3", 1)],
)
def test_what_is_marked_follows_from_what_the_seat_has_seen(game: str, seat: int) -> None:
    """Random games, put together by all that a seat has seen and done: what it is shown is the same in each."""
    rules, shown, played, marked = load_game(game), {}, set(), 0
    seats = ["human" if seat == number else "random" for number in range(rules.players)]
    for seed in range(14):
        others, mine = random.Random(seed), random.Random(seed // 7)  # the seat does the same in seven games
        replay, notes = GameReplay(rules, ""), []
        while replay.last < 16 and not replay.is_over(replay.last):
            mover = replay.mover(replay.last)
            if mover is None:
                action = replay.draw(seed // 7 if replay.last < 4 else seed)
            else:
                action = (mine if mover == seat else others).choice(replay.at(replay.last).legal())
            notes.append({} if mover is None else {"text": rules.format_action(replay.states[-1], action)})
            replay.extend(action)
            own = [ply for ply in range(replay.last) if replay.mover(ply) == seat]
            seen = [rules.observation(replay.states[ply], seat) for made in own for ply in (made, made + 1)]
            key = str((*seen, rules.observation(replay.states[-1], seat), *(notes[ply]["text"] for ply in own)))
            table_view = TableView.of(
                Table(game, seats, "depth:2", 1, actions=replay.actions, notes=notes), rules, Fields({})
            )
            told = table_view.svg, table_view.last_words, table_view.lines
            assert shown.setdefault(key, told) == told
            marked += "play-last" in table_view.svg
            played.add((key, tuple(replay.actions)))
    assert marked and len(played) > len(shown), "some games differ, and the seat cannot tell"


def test_how_often_the_other_was_asked_is_not_told(client: Any) -> None:
    """In phantom tic-tac-toe the other's failed try is a ply that this seat does not see."""
    met, free = (table_of("phantom-tic-tac-toe", moves, ["human", "random"]) for moves in ("a1 a1 b2", "a1 c3"))
    game = load_game("phantom-tic-tac-toe")
    ends = [table.replay(client.app.state.catalogue["phantom-tic-tac-toe"]).states[-1] for table in (met, free)]
    if game.observation(ends[0], 0) != game.observation(ends[1], 0):
        pytest.skip("this variant tells of failed tries")
    assert told(client, met) == told(client, free)


def test_the_seed_which_makes_the_deal_is_on_no_page(client: Any) -> None:
    table = table_of("kuhn", "1 2", ["human", "random"])
    table.seed = 987654321
    table.keep()
    assert "987654321" not in told(client, table)


def test_only_a_finished_game_is_shown_openly_and_saved(client: Any) -> None:
    running, over = (table_of("kuhn", moves, ["human", "random"]) for moves in ("1 3 check", "1 3 check bet fold"))
    assert told(client, running, "?open=1") == told(client, running)
    assert client.get(f"/play/t/{running.name}/save?open=1").status_code == 400
    assert ">3</text>" not in told(client, over) and ">3</text>" in told(client, over, "?open=1")
    assert client.get(f"/play/t/{over.name}/save?open=1").status_code == 200
    assert 'data-share="50.0"' in told(client, running) and 'data-share="0.0"' in told(client, over), (
        "who won is no secret"
    )


def test_two_people_hand_the_page_over(client: Any) -> None:
    table = table_of("kuhn", "1 3", ["human", "human"])
    first = told(client, table)
    assert "Hand over to" in first and "<svg" not in first, "nothing is seen before somebody takes the seat"
    seated = client.submit(f"/play/t/{table.name}/seat", seat=0)
    assert "seat=0" in str(seated.url) and ">1</text>" in seated.text and ">3</text>" not in seated.text
    assert Table.load(table.name).since is not None
    after = client.submit(f"/play/t/{table.name}/move", ply=0, seat=0, move="bet")
    assert "Hand over to" in after.text and "<svg" not in after.text
    second = client.submit(f"/play/t/{table.name}/seat", seat=1)
    assert ">3</text>" in second.text and ">1</text>" not in second.text
    refused = client.submit(f"/play/t/{table.name}/move", ply=0, seat=0, move="check")
    assert refused.status_code == 200 and "/play/t/" + table.name not in str(refused.url), "an earlier moment is a fork"
    assert client.get(f"/play/t/{table.name}?seat=5").status_code == 400


def test_two_people_and_an_engine_take_turns(client: Any) -> None:
    table = table_of("kuhn:players=3", "1 2 3", ["human", "first", "human"])
    client.submit(f"/play/t/{table.name}/seat", seat=0)
    after = client.submit(f"/play/t/{table.name}/move", ply=0, seat=0, move="check")
    assert "/think" in after.text and "<svg" not in after.text
    client.get(f"/play/t/{table.name}/think?token={client.app.state.token}")
    last = told(client, table)
    assert "Hand over to <b>Player 3</b>" in last and "<svg" not in last


def test_an_engine_in_a_hidden_game_streams_no_value(client: Any) -> None:
    table = table_of("kuhn", "1 3 check", ["human", "first"])
    body = client.get(f"/play/t/{table.name}/think?token={client.app.state.token}").text
    assert "event: visit" in body and "value" not in body
    assert not re.search(r"ply=\d", body)


def test_where_nobody_plays_everything_is_seen(client: Any) -> None:
    table = table_of("kuhn", "1 3", ["first", "first"])
    assert ">1</text>" in told(client, table) and ">3</text>" in told(client, table)


def test_the_strategy_of_hold_em_is_an_engine_of_the_page() -> None:
    from plywright.errors import BadInput
    from plywright.games import load_game
    from plywright.players import Mode
    from plywright.web.play.seats import is_program, read_engine, seated

    assert read_engine("blueprint") == "blueprint" and not is_program("blueprint")
    assert seated("blueprint", load_game("holdem"), Mode("move", 1.0), ()).name == "blueprint"
    assert seated("search", load_game("holdem"), Mode("move", 1.0), ()).name == "blueprint"
    with pytest.raises(BadInput, match="by itself or with numbers"):
        seated("blueprint:/tmp/x", load_game("holdem"), Mode("move", 1.0), ())


def test_the_engine_of_bridge_is_its_own_player() -> None:
    from plywright.errors import BadInput
    from plywright.games import load_game
    from plywright.players import Mode
    from plywright.players.bridge import BridgePlayer
    from plywright.web.play.seats import is_program, read_engine, seated

    game, mode = load_game("bridge"), Mode("move", 1.0)
    assert all(isinstance(seated(text, game, mode, ()), BridgePlayer) for text in ("search", "level:2", "bridge"))
    assert read_engine("bridge:deals=20") == "bridge:deals=20" and not is_program("bridge:deals=20")
    for text in ("bridge:deals=10001", "bridge:deals=x", "bridge:file=x"):
        with pytest.raises(BadInput):
            read_engine(text)


def test_after_a_hand_of_hold_em_the_page_says_how_often_the_strategy_does_what(client: Any) -> None:
    """Of one's own decisions at once, of all of them where everything is shown; while it is played of none."""
    rules = load_game("holdem")
    make_player("search", rules).prepare(rules)  # as when it has played
    playing, rng = Playing(rules), seeded(5)
    texts: list[str] = []
    tables = []
    while not playing.is_over():
        if playing.at_chance():
            playing.roll(rng)
            texts.append("")
            continue
        action = (1, 1, 2, 0)[len(tables)]  # call, check, bet the flop, fold
        tables.append((list(playing.actions), list(texts)))
        texts.append(rules.format_action(playing.state, action))
        playing.step(action)
    tables.append((list(playing.actions), texts))
    pages = []
    for actions, said in (tables[1], tables[-1]):
        notes = [{"text": text} if text else {} for text in said]
        pages.append(Table("holdem", ["human", "search"], "nodes:1", 7, actions=actions, notes=notes).keep())
    assert "strategy: " not in told(client, pages[0])
    own, everything = told(client, pages[1]), told(client, pages[1], "?open=1")
    assert "strategy: check " in everything and "strategy: fold " in everything
    mine = sum(text != "" for ply, text in enumerate(texts) if playing.at(ply).mover() == 0)
    assert own.count("strategy: ") == mine > 0
    assert everything.count("strategy: ") == sum(text != "" for text in texts) > mine
    with_others = Table("holdem", ["human", "random"], "nodes:1", 7, actions=pages[1].actions, notes=pages[1].notes)
    assert "strategy: " not in told(client, with_others.keep())


def test_the_words_below_a_picture_are_no_place_that_has_changed() -> None:
    before, now = (board("X.O.", 2, {}, caption=words).svg for words in ("X to move", "O to move"))
    assert with_last_move(now, "", "", before) == now
    moved = board("XXO.", 2, {}, caption="O to move").svg
    marked = with_last_move(moved, "", "", before)
    assert marked.count("play-last") == 1 and 'class="play-last"' not in marked[marked.index("data-drawing") :]
