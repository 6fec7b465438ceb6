"""The rules of each game with hidden information: payoffs, what is seen and what is not, known sizes and values."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from plywright import CHANCE, BadInput, Game, Unsuitable, load_game
from plywright.equilibrium import GameTree, find_equilibrium, nash_conv
from plywright.games import GAMES
from plywright.games.battleship.rules import Battleship
from plywright.games.goofspiel import Goofspiel
from plywright.games.kriegspiel.rules import Kriegspiel
from plywright.games.liars_dice import LiarsDice
from plywright.games.phantom import PhantomTicTacToe
from plywright.games.stratego import Stratego
from plywright.games.tricks import Tricks, dealing
from plywright.rng import seeded


def played(game: Game, moves: str) -> Any:
    return game.play_moves(game.start_state, moves)


def utilities(game: Game, state: Any) -> list[float]:
    assert game.is_terminal(state)
    return [game.utility(state, player) for player in range(game.players)]


# -- Liar's dice -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("3 5 1x3 liar", [1, -1]),
        ("3 5 2x3 liar", [-1, 1]),
        ("3 6 2x3 liar", [1, -1]),  # the six is wild
        ("3 6 1x3 2x6 liar", [1, -1]),  # but a three is no six
        ("6 6 1x1 2x5 liar", [-1, 1]),
    ],
)
def test_liars_dice_payoffs(moves: str, expected: list[float]) -> None:
    game = LiarsDice()
    assert utilities(game, played(game, moves)) == expected


def test_with_three_at_liars_dice_the_bystander_gets_nothing() -> None:
    game = LiarsDice(players=3, dice=1, faces=3)
    assert utilities(game, played(game, "1 2 1 1x1 2x1 liar")) == [0, 1, -1]


def test_bids_rise() -> None:
    game = LiarsDice()
    state = played(game, "3 5 1x6")
    assert [game.format_action(state, a) for a in game.actions(state)] == [
        *(f"2x{face}" for face in range(1, 7)),
        "liar",
    ]


def test_liars_dice_is_the_game_that_open_spiel_has() -> None:
    """liars_dice(dice_sides=4): 1,024 information sets, and NashConv of uniform play 1.3101190476."""
    tree = GameTree.of(LiarsDice(faces=4))
    assert tree.sets == 1024
    assert nash_conv(tree, tree.uniform) == pytest.approx(1.3101190476190476)


# -- Goofspiel -------------------------------------------------------------------------------------------


def test_goofspiel_prizes_go_to_the_only_highest_bid() -> None:
    game = Goofspiel(cards=3, order="descending", payoff="points")
    assert utilities(game, played(game, "1 2 3 3 2 1")) == [-2, 2]  # 3 to the second, 2 to nobody, 1 to the first
    assert utilities(Goofspiel(3, 2, "descending"), played(game, "1 2 3 3 2 1")) == [-1, 1]
    three = Goofspiel(cards=2, players=3, order="ascending")
    assert utilities(three, played(three, "1 2 2 2 1 1")) == [1, -0.5, -0.5]


def test_a_bid_of_the_round_is_not_seen_before_its_end() -> None:
    game = Goofspiel(cards=3, order="descending")
    assert game.observation(played(game, "1"), 1) == game.observation(played(game, "3"), 1)
    assert game.observation(played(game, "1"), 0) != game.observation(played(game, "3"), 0)
    assert game.observation(played(game, "1 2"), 1) != game.observation(played(game, "3 2"), 1)


def test_goofspiel_is_the_game_that_open_spiel_has() -> None:
    """goofspiel(num_cards=3,points_order=random,players=2) bid in turn: NashConv of uniform play."""
    tree = GameTree.of(Goofspiel(cards=3))
    assert nash_conv(tree, tree.uniform) == pytest.approx(4 / 3)


# -- phantom tic-tac-toe ---------------------------------------------------------------------------------


def test_a_try_on_a_taken_cell_shows_it_and_the_player_tries_again() -> None:
    game = PhantomTicTacToe()
    state = played(game, "b2 b2")
    assert game.to_move(state) == 1
    assert game.format_observation(game.observation(state, 1), 1) == "b2x"
    assert 4 not in list(game.actions(state))
    assert game.observation(state, 0) == game.observation(played(game, "b2"), 0)  # X does not hear of it


def test_the_order_of_tries_is_remembered() -> None:
    game = PhantomTicTacToe()
    one, other = played(game, "a1 c3 b1 c2"), played(game, "b1 c3 a1 c2")
    assert game.observation(one, 0) != game.observation(other, 0)
    assert game.observation(one, 1) == game.observation(other, 1)


def test_a_small_phantom_game_has_perfect_recall() -> None:
    tree = GameTree.of(PhantomTicTacToe(2, 2, 2))
    assert tree.histories == _phantom_histories(frozenset(), frozenset(), frozenset(), frozenset())
    assert find_equilibrium(tree.game, iterations=20).values[0] == pytest.approx(1)  # any two cells are a row


def _phantom_histories(mine: frozenset, theirs: frozenset, known: frozenset, known_to_them: frozenset) -> int:
    """Histories of the game on four cells, in which any two marks win, from the mover's side."""
    if len(theirs) == 2 or len(mine) + len(theirs) == 4:
        return 1
    total = 1
    for cell in set(range(4)) - mine - known:
        if cell in theirs:
            total += _phantom_histories(mine, theirs, known | {cell}, known_to_them)
        else:
            total += _phantom_histories(theirs, mine | {cell}, known_to_them, known)
    return total


# -- tricks ----------------------------------------------------------------------------------------------


def test_tricks_follow_suit_and_trumps_win() -> None:
    game = Tricks(suits=2, ranks=3, players=2, hand=3, trump="h")
    state = played(game, "1 2 1 2 1 2")  # Qs As Kh | Ks Qh Ah
    assert [game.format_action(state, a) for a in game.actions(state)] == ["Qs", "As", "Kh"]
    state = game.play_moves(state, "As")
    assert [game.format_action(state, a) for a in game.actions(state)] == ["Ks"]
    state = game.play_moves(state, "Ks Qs")
    assert [game.format_action(state, a) for a in game.actions(state)] == ["Qh", "Ah"]
    state = game.play_moves(state, "Qh")
    assert game.to_move(state) == 1
    assert utilities(game, game.play_moves(state, "Ah Kh")) == [-1, 1]


def test_partners_share_tricks_and_others_count_their_own() -> None:
    game = Tricks(suits=1, ranks=4, players=4, teams=2)
    assert utilities(game, played(game, "1 2 3 4 Js Qs Ks As")) == [-1, 1, -1, 1]
    game = Tricks(suits=1, ranks=3, players=3)
    assert utilities(game, played(game, "1 2 3 Qs Ks As")) == [0, 0, 1]


def test_deals_respect_voids() -> None:
    game = Tricks(suits=2, ranks=4, players=2)
    seen = game.parse_observation("JsQs As-Kh", 0)  # the other has shown no spade
    spades = (1 << game.ranks) - 1
    for dealt, _ in game.deals(seen, 0):
        assert dealt.hands[1] & spades == 0
    rng = seeded(2)
    assert all(game.deal(seen, 0, rng).hands[1] & spades == 0 for _ in range(50))


def test_open_hands_are_seen_by_all() -> None:
    game = load_game("tricks:full=yes")
    assert not game.hidden
    state = played(game, "1 2 1 2 1 2 1 2")
    assert game.observation(state, 0) == state == game.deal(state, 0, seeded(1))


def test_a_small_trick_game_can_be_indexed() -> None:
    tree = GameTree.of(Tricks(suits=2, ranks=3, players=2, hand=2))
    assert sum(tree.player == CHANCE) > 0 and tree.sets > 100
    assert find_equilibrium(tree.game, iterations=100).exploitability < 0.05


# -- Battleship ------------------------------------------------------------------------------------------


def test_battleship_tells_hits_and_sinkings_only() -> None:
    game = Battleship()
    state = played(game, "a1-c1 a2-b2 a1-a3 d1-d2 d1 d4 d2")
    assert game.format_observation(game.observation(state, 0), 0) == "a1-c1 a2-b2 | d1+ d2#2 | d4"
    other = played(game, "a1-c1 a2-b2 a4-c4 d1-d2 d1 d4 d2")
    assert game.observation(state, 0) == game.observation(other, 0)
    assert game.observation(state, 1) != game.observation(other, 1)
    end = game.play_moves(state, "d3 a1 c4 a2 b4 a3")
    assert utilities(game, end) == [1, -1]


def test_the_full_fleet_can_be_dealt_but_not_listed() -> None:
    game = Battleship(10, "5-4-3-3-2")
    fleet = "a1-e1 a2-d2 a3-c3 a4-c4 a5-b5"
    state = played(game, f"{fleet} {fleet} a1 j10 j9 j8")
    seen = game.observation(state, 0)
    with pytest.raises(Unsuitable, match="deal"):
        next(game.deals(seen, 0))
    dealt = game.deal(seen, 0, seeded(4))
    assert game.observation(dealt, 0) == seen and dealt != state


# -- Kriegspiel ------------------------------------------------------------------------------------------


def test_the_umpire_refuses_what_hidden_pieces_forbid() -> None:
    game = Kriegspiel()
    state = played(game, "b1c1 d4d3")
    refused = game.play_moves(state, "c1c4")
    assert game.to_move(refused) == 1  # the rook takes the rook on c4
    assert game.format_observation(game.observation(refused, 1), 1) == "Kd3 | KR | 3 | took c4"
    state = played(game, "b1b3 c4c1")  # check along the first row
    assert game.format_observation(game.observation(state, 0), 0) == "Ka1 Rb3 | KR | 2 | check"
    again = game.play_moves(state, "a1b1")
    assert game.to_move(again) == 0
    assert game.format_observation(game.observation(again, 0), 0).endswith("not a1b1")
    assert game.observation(again, 1) == game.observation(state, 1)  # the other hears nothing


def test_checkmate_wins_and_bare_kings_draw() -> None:
    game = Kriegspiel()
    mate = game.parse_state(_position(game, "a3 d1", "a1", 1))
    assert utilities(game, mate) == [1, -1]
    bare = game.parse_state(_position(game, "a3", "a1", 1))
    assert utilities(game, bare) == [0, 0]


def _position(game: Kriegspiel, white: str, black: str, mover: int) -> str:
    """Kings and rooks on those cells as the numbers of a state."""
    sides = []
    for words in (white.split(), black.split()):
        cells = ["abcd".index(word[0]) + 4 * (int(word[1]) - 1) + 1 for word in words]
        sides.append(sum(cell << 6 * place for place, cell in enumerate(cells)))
    return f"{sides[0]},{sides[1]},{mover},0,0,9,0"


# -- Stratego --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "moves", "expected"),
    [
        ("F B M X", "F B M X", "d1d2 b4b3 d2d3 b3b2 d3d4", [1, -1]),  # the marshal takes the flag
        ("F B M X", "B F M X", "d1d2 b4b3 d2d3 b3b2 d3d4", None),  # a bomb stops it
        ("F B X M", "B F M X", "d1d2 b4b3 d2d3 b3b2 d3d4", None),  # a miner clears the bomb
    ],
)
def test_battles(first: str, second: str, moves: str, expected: list[float] | None) -> None:
    game = Stratego()
    state = played(game, f"{first} {second} {moves}")
    assert game.is_terminal(state) == (expected is not None)
    if expected:
        assert utilities(game, state) == expected
    else:
        view = game.format_observation(game.observation(state, 0), 0)
        assert ("B-*" in view) == (first == "F B X M") and ("X-!*" in view) == (first == "F B M X")


def test_ranks_show_in_battle_only_and_what_moved_is_no_bomb() -> None:
    game = Stratego()
    state = played(game, "F B M X F B M X d1d2 b4b3")
    seen = game.observation(state, 0)
    assert game.format_observation(seen, 0) == "Fa1 Bb1 Mc1 Xd2! | ?d4 ?c4 ?b3! ?a4 | 2"
    deals = dict(game.deals(seen, 0))
    assert len(deals) == 12  # two kinds for the one that moved, then any order of three
    assert all(dealt.ranks[1] >> 8 & 15 > 2 for dealt in deals)


# -- bad input -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "player"),
    [
        ("liars-dice", "7", 0),
        ("liars-dice", "3 2x1 1x1", 0),
        ("liars-dice", "3 1x1", 0),
        ("goofspiel", "3:1/1 3:./.", 0),  # a prize twice
        ("goofspiel", "3:1/2 1:1/.", 1),
        ("goofspiel:order=descending", "3:./.", 0),
        ("phantom-tic-tac-toe", "b2 a1 c1x b2", 0),
        ("phantom-tic-tac-toe", "b2x c1x", 0),  # two of the other's marks before the first own
        ("tricks", "QsQsAs", 0),
        ("tricks", "JhQh As-Kh", 0),  # two more cards that are no spades: there is one only
        ("battleship", "a1-c1 a1-a2 | - | -", 0),
        ("battleship", "a1-c1 a2-b2 | a1+ a4+ d1+ | b3 b4 c4", 0),
        ("kriegspiel", "Ka1 Rb1 | KR | 1", 0),
        ("kriegspiel", "Ka1 Ra1 | KR | 2", 0),
        ("stratego", "Fa1 Bb1 Mc1 Xd2! | ?d4! ?c4! ?b3! ?a4! | 8", 0),  # four that moved, and one is the flag
        ("stratego", "Fa1 Bb1 Mc1 | ?d4 ?c4 ?b4 ?a4 | 0", 0),
    ],
)
def test_views_that_no_state_has_are_refused(name: str, text: str, player: int) -> None:
    with pytest.raises(BadInput) as caught:
        load_game(name).parse_observation(text, player)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "liars-dice:players=6,dice=5,faces=6",
        "goofspiel:order=up",
        "phantom-tic-tac-toe:m=6,n=6",
        "tricks:players=4,teams=3",
        "tricks:trump=x",
        "battleship:ships=9",
        "battleship:ships=4-4-4-4",
        "kriegspiel:pieces=QR",
        "stratego:pieces=FFB",
        "stratego:setup=me",
    ],
)
def test_impossible_parameters_are_refused(name: str) -> None:
    with pytest.raises(BadInput):
        load_game(name)


def test_every_hidden_game_says_whether_it_has_perfect_recall() -> None:
    solvable = {name for name in GAMES if load_game(name).hidden and load_game(name).perfect_recall}
    small = {"kuhn", "leduc", "liars-dice", "goofspiel", "phantom-tic-tac-toe", "tricks", "hidden-coin"}
    assert solvable == {*small, "bridge", "hearts", "holdem", "spades"}


@pytest.mark.parametrize(
    ("name", "moves", "seat", "shown", "not_shown"),
    [
        ("tricks", "1 1 1 2 2 2 stock stock Js As", 0, "last trick: J♠ A♠", "Q♥"),
        ("goofspiel:cards=3,order=descending", "1 2 3", 1, "hand: 1 3", "player 1: 1 3"),
        ("kriegspiel", "b1b3 c4c1 a1b1", 0, "the other has king and rook; 2 moves made; check; refused: a1b1", "r"),
        ("battleship:size=3,ships=1", "a1-a1 c3-c3 b1 a1", 1, "the other's, sunk ship 1", "own sea, lost"),
    ],
)
def test_pictures_tell_what_a_seat_has_seen(name: str, moves: str, seat: int, shown: str, not_shown: str) -> None:
    game = load_game(name)
    state = game.play_moves(game.start_state, moves)
    text = game.picture_for(game.observation(state, seat), seat).text
    assert shown in text and not_shown not in text.replace(shown, "")


def test_trick_games_have_cards_of_rules_of_their_own() -> None:
    """Each inherits from `tricks`, whose card was theirs until each had its own."""
    assert len({load_game(name).how_to_play for name in ("tricks", "hearts", "bridge", "spades")}) == 4


@pytest.mark.parametrize(("name", "ranks"), [("tricks", 2), ("tricks", 3), ("spades", 3)])
def test_deals_come_equally_often_where_everybody_lacks_another_suit(name: str, ranks: int) -> None:
    """The cards of three suits fit in few ways; each of them is drawn, as often as any other."""
    game = load_game(f"tricks:suits=4,ranks={ranks},players=4" if name == "tricks" else f"spades:ranks={ranks}")
    lacks = {1: (1,), 2: (2,), 3: (3, 0)[: ranks - 1]}  # seat: suits
    voids = sum(1 << seat * 4 + suit for seat, suits in lacks.items() for suit in suits)
    hand = sum(1 << suit * ranks for suit in range(game.hand))  # the lowest of a suit each
    view = game.start_state._replace(dealt=game.cards, voids=voids, hands=(hand, 0, 0, 0))
    listed = [state for state, _ in game.deals(view, 0)]
    assert 1 < len(listed) < 400 and len(listed) == game.count_deals(view, 0)
    rng, draws = seeded(5), 40 * len(listed)
    counts = Counter(game.deal(view, 0, rng) for _ in range(draws))
    assert set(counts) == set(listed)
    assert all(abs(count - 40) < 5 * 40**0.5 for count in counts.values())


def test_a_deal_is_drawn_at_once_where_hardly_any_fits() -> None:
    """Each of the others lacks one suit of thirteen cards, or two share three: tries would never end."""
    game = load_game("tricks:suits=4,ranks=13,players=4,teams=2,trump=s")
    suit = (1 << 13) - 1
    for lacks in ({1: (1,), 2: (2,), 3: (3,)}, {1: (1, 2, 3)}, {1: (1, 2), 2: (2, 3)}):
        voids = sum(1 << seat * 4 + one for seat, suits in lacks.items() for one in suits)
        hands = suit if 1 not in lacks or lacks[1] != (1, 2, 3) else suit << 13
        view = game.start_state._replace(dealt=52, voids=voids, hands=(hands, 0, 0, 0))
        for number in range(20):
            drawn = game.deal(view, 0, seeded(number))
            assert sorted(int(hand).bit_count() for hand in drawn.hands) == [13] * 4
            for seat, suits in lacks.items():
                assert not any(drawn.hands[seat] & suit << 13 * one for one in suits)


@pytest.mark.parametrize("tries", [0, pytest.param(100, marks=pytest.mark.slow)])
def test_deals_come_equally_often_with_four_unseen_piles(tries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three hands and the stock: counted, or tried and then counted, each of the ways is as likely."""
    monkeypatch.setattr(dealing, "MOST_TRIES", tries)
    game = load_game("tricks:suits=4,ranks=2,players=4,hand=1")
    voids = sum(1 << seat * 4 + suit for seat, suit in ((1, 0), (1, 1), (2, 2), (3, 1), (3, 3)))
    view = game.start_state._replace(dealt=game.cards, voids=voids, hands=(1, 0, 0, 0))
    listed = [state for state, _ in game.deals(view, 0)]
    assert len(listed) == 40
    rng = seeded(5)
    counts = Counter(game.deal(view, 0, rng) for _ in range(25 * len(listed)))
    assert set(counts) == set(listed)
    assert all(abs(count - 25) < 5 * 25**0.5 for count in counts.values())


def test_a_deal_to_four_is_drawn_at_once_where_hardly_any_fits() -> None:
    """Of five players each of the four others lacks another suit: one try in some ten thousand fits."""
    placed = []

    class Watched(Tricks):
        def seat_at(self, *what: Any) -> int:
            placed.append(1)
            return super().seat_at(*what)

    game = Watched(suits=4, ranks=5, players=5, hand=4)
    suit = (1 << 5) - 1
    view = game.start_state._replace(
        dealt=20,
        voids=sum(1 << (one + 1) * 4 + one for one in range(4)),
        hands=(1 | 1 << 5 | 1 << 10 | 1 << 15, 0, 0, 0, 0),
    )
    for number in range(4):
        drawn = game.deal(view, 0, seeded(number))
        assert [int(hand).bit_count() for hand in drawn.hands] == [4] * 5 and sum(drawn.hands) == (1 << 20) - 1
        assert not any(drawn.hands[one + 1] & suit << 5 * one for one in range(4))
    assert len(placed) <= 4 * dealing.MOST_TRIES * 16
