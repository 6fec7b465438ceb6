"""Hidden information at the referee's table: nobody sees the state, deals are duplicated, winnings are counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plywright.arena import referee
from plywright.arena.lineup import make_player
from plywright.arena.match import play_match
from plywright.arena.outcome import Outcome
from plywright.arena.referee import play_game
from plywright.arena.standings import as_data
from plywright.arena.statistics.bankroll import Count, bankroll, instant_runoff, runoff_order
from plywright.doctor.views import PeekError, Sealed
from plywright.equilibrium import GameTree, Strategy, exploitability, find_equilibrium
from plywright.errors import BadInput
from plywright.games.hidden_coin import HiddenCoin
from plywright.games.kuhn import Kuhn
from plywright.games.leduc import Leduc
from plywright.games.tricks import Tricks
from plywright.players import Mode, Player, Turn
from plywright.players.agents import compare_agents, information_set_mcts, strategy_of, weighted_minimax

NODES = Mode.parse("nodes:40")


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a player thinks, the table holds a poisoned object in the place of the game."""

    class Blindfold(Player):
        def __init__(self, inner: Player, table: Any) -> None:
            self.inner, self.table, self.info, self.name = inner, table, {}, inner.name

        def choose(self, game: Any, turn: Turn) -> int:
            playing, self.table.playing = self.table.playing, Sealed()
            if isinstance(self.inner, Peeping):
                self.inner.table = self.table
            try:
                return self.inner.choose(game, turn)
            finally:
                self.table.playing = playing

    plain = referee._Table.ask

    def ask(table: Any, seat: int, legal: list[int]) -> Any:
        player = table.players[seat]
        if not isinstance(player, Blindfold):
            table.players[seat] = Blindfold(player, table)
        return plain(table, seat, legal)

    monkeypatch.setattr(referee._Table, "ask", ask)


class Peeping(Player):
    """Reaches for the table."""

    name = "peeping"
    table: Any = None

    def choose(self, game: Any, turn: Turn) -> int:
        return int(self.table.playing.state.cards) % 2


@pytest.mark.usefixtures("sealed")
def test_searches_play_with_the_true_state_sealed() -> None:
    game = Kuhn()
    players = [make_player("deals:deals=8,depth=4", game), make_player("ismcts:simulations=40", game)]
    for seed in range(4):
        record = play_game(game, players, mode=NODES, seed=seed)
        assert record.termination == "normal", record.note
    assert all(player.start is None for player in players)


@pytest.mark.usefixtures("sealed")
def test_a_player_that_reaches_for_the_table_loses_at_once() -> None:
    game = Kuhn()
    record = play_game(game, [Peeping(), make_player("first", game)], mode=NODES, seed=1)
    assert record.termination != "normal" and "a search has looked at the true state" in str(record.note)


def test_whoever_looks_at_what_is_sealed_is_found_out() -> None:
    for look in (lambda s: s.cards, lambda s: s[0], lambda s: s == 1, bool, hash, repr, list, int):
        with pytest.raises(PeekError):
            look(Sealed())


def test_the_same_deal_is_played_from_both_seats(tmp_path: Path) -> None:
    play_match(["first", "random"], "kuhn", games=40, mode="nodes:1", record=tmp_path / "run.db")
    seen: dict[int, list[tuple[int, ...]]] = {}
    from plywright.arena.records.run_file import Records

    with Records.open(tmp_path / "run.db") as records:
        for number in range(1, 41):
            _, record = records.game(number)
            seen.setdefault(record.seed, []).append(tuple(ply.action for ply in record.plies[:2]))
    assert len(seen) == 20
    assert all(len(deals) == 2 and deals[0] == deals[1] for deals in seen.values())


def test_a_saved_strategy_plays(tmp_path: Path) -> None:
    game = Kuhn()
    path = tmp_path / "kuhn.json"
    find_equilibrium(game, iterations=500).strategy.save(path)
    player = make_player(f"policy:{path}", game)
    record = play_game(game, [player, make_player("random", game)], mode=NODES, seed=3)
    assert record.termination == "normal"
    assert set(record.plies[2].info["probabilities"]) == {"0", "1"}
    with pytest.raises(BadInput, match="strategy of 'kuhn', not of 'leduc'"):
        make_player(f"policy:{path}", Leduc())
    with pytest.raises(BadInput, match="cannot be read"):
        make_player("policy:nowhere.json", game)
    with pytest.raises(BadInput, match="needs the file"):
        make_player("policy:", game)
    with pytest.raises(BadInput, match="deals takes no simulations"):
        make_player("deals:simulations=4", game)


def outcome(number: int, seats: tuple[int, ...], payoffs: tuple[float, ...] | None) -> Outcome:
    return Outcome(number, 1, number, seats, payoffs, "normal", None, (), 0.0, "", "")


def test_bankroll_and_instant_runoff() -> None:
    """0 lives on 3, and falls behind when 3 is gone."""
    games = [
        outcome(1, (0, 1, 2), (-2, 1, 1)),
        outcome(2, (1, 0, 3), (1, 9, -10)),
        outcome(3, (2, 3, 0), (1, -10, 9)),
        outcome(4, (1, 2, 3), (2, 1, -3)),
        outcome(5, (0, 1, 2), None),
    ]
    assert bankroll(games, 4) == [16, 4, 3, -23]
    counts = instant_runoff(games, 4, 3)
    assert counts == [Count({0: 16, 1: 4, 2: 3, 3: -23}, 4, 3), Count({0: -2, 1: 1, 2: 1}, 1, None)]
    assert runoff_order(counts) == [1, 2, 0, 3]


def test_three_player_kuhn_is_counted_both_ways(tmp_path: Path) -> None:
    texts = ["first", "random", "mixture:0.5*first+0.5*random", "mixture:0.2*first+0.8*random"]
    found = play_match(texts, "kuhn:players=3", games=6, mode="nodes:1", record=tmp_path / "run.db", kind="tournament")
    data = as_data(found)
    assert sum(data["bankroll"].values()) == pytest.approx(0)
    assert sorted(data["runoff"]["order"]) == sorted(texts)
    assert [count["dropped"] for count in data["runoff"]["counts"]][-1] is None
    assert data["runoff"]["counts"][0]["winnings"] == pytest.approx(data["bankroll"])


# -- how far searches can be exploited ---------------------------------------------------------------------------------


def test_sampling_deals_is_exploitable_where_an_equilibrium_is_not() -> None:
    """Strategy fusion, with both exploitabilities computed."""
    rows = compare_agents(HiddenCoin(), deals=100, simulations=1500, iterations=400)
    uniform, sampled, ismcts, equilibrium = rows
    assert uniform.exploitability == pytest.approx(0.25)
    assert sampled.exploitability >= 1
    assert sampled.guarantees is not None and sampled.guarantees[0] == -3  # the seeker bets, and says the wrong side
    assert ismcts.guarantees is not None and ismcts.guarantees[0] == 1  # the seeker banks
    assert equilibrium.exploitability < 1e-3
    assert equilibrium.guarantees == pytest.approx((1, -1), abs=2e-3)


def test_agents_of_kuhn() -> None:
    tree = GameTree.of(Kuhn())
    weighted = exploitability(tree, strategy_of(tree, weighted_minimax).chances)
    searched = exploitability(tree, strategy_of(tree, information_set_mcts(400)).chances)
    solved = find_equilibrium(Kuhn(), iterations=200).exploitability
    assert solved < 0.001 < searched
    assert weighted > 0.1
    again = strategy_of(tree, information_set_mcts(400))
    assert isinstance(again, Strategy) and exploitability(tree, again.chances) == searched


def test_a_trick_game_in_which_strategy_fusion_costs_something() -> None:
    """Three suits of two cards, two in each hand: which suit is kept must be guessed, and guessed at random."""
    game = Tricks(suits=3, ranks=2, hand=2)
    tree = GameTree.of(game)
    asked: list[tuple[int, int]] = []
    weighted = strategy_of(tree, weighted_minimax, lambda done, of: asked.append((done, of)))
    assert asked[-1] == (51, 51) and tree.sets == 483  # nobody is asked where one card is legal
    uniform, solved = exploitability(tree, tree.uniform), find_equilibrium(game, iterations=300).exploitability
    assert uniform == pytest.approx(2 / 15)
    assert uniform > 5 * exploitability(tree, weighted.chances) > 50 * solved
