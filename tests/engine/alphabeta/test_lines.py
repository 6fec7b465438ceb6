"""Several lines of one search: the best first, and the answer is the first of them."""

from __future__ import annotations

import pytest

from plywright import BadInput, Limit, analyse, load_game, search, solve

ENDGAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"  # 14 squares left
OTHELLO, QUEEN = "f5d6c3d3c4f4c5b3c2e6", "e4 e5 Qh5 Nc6 Bc4"


@pytest.mark.parametrize(
    ("name", "moves", "nodes"),
    [("othello", OTHELLO, 3000), ("chess", QUEEN, 20_000), ("chess", "d4 d5 c4", 20_000)],
)
def test_lines_are_ranked_whichever_was_searched_first(name: str, moves: str, nodes: int) -> None:
    """A selective search may value a later line higher than the first: in each of these it does."""
    game = load_game(name)
    state = game.play_moves(game.start_state, moves)
    found = search(game, state, limit=Limit(nodes=nodes), lines=5)
    values = [one.value for one in found.variations]
    assert len(values) == 5 and values == sorted(values, reverse=True)
    assert (found.value, found.distance, found.line) == found.variations[0][:3]
    assert found.action == found.line[0] and found.values == (found.value, -found.value)[:: 1 - 2 * game.to_move(state)]
    assert len({one.line[0] for one in found.variations}) == 5


@pytest.mark.parametrize("moves", ["271245", "5631753531", "43641127463452617621746242762"])
def test_lines_beside_the_candidates_of_the_knowledge_are_followed_too(moves: str) -> None:
    """Where a move wins at once, or only one does not lose, Connect Four's knowledge names no other."""
    game = load_game("connect-four")
    state = game.play_moves(game.start_state, moves)
    found = search(game, state, nodes=20_000, lines=4)
    assert len({one.line[0] for one in found.variations}) == 4
    for one in found.variations:
        child = game.state_after(state, one.line[0])
        if one.distance is None or game.is_terminal(child):
            continue
        alone = search(game, child, nodes=200_000)
        assert (alone.proved, -alone.value, (alone.distance or 0) + 1) == (True, one.value, one.distance)


def test_of_actions_that_are_no_candidates_the_best_is_chosen() -> None:
    game = load_game("connect-four")
    state = game.play_moves(game.start_state, "42766261341277")  # column 2 must be taken
    found = search(game, state, nodes=1000, only=[3, 4])
    assert found.action in (3, 4) and (found.value, found.distance, found.line[1:]) == (-1, 2, (1,))


@pytest.mark.parametrize(("name", "moves"), [("tic-tac-toe", "a1 b2 c1"), ("connect-four", "441122")])
def test_a_line_is_proved_by_itself(name: str, moves: str) -> None:
    """What is proved of the best line says nothing of the others: they are searched on."""
    game = load_game(name)
    state = game.play_moves(game.start_state, moves)
    found = search(game, state, nodes=50_000, lines=3)
    assert found.proved and found.variations[0].proved and found.variations[0].distance == found.distance
    for one in found.variations[1:]:
        child = game.state_after(state, one.line[0])
        if one.proved:
            alone = search(game, child, nodes=400_000)
            assert alone.proved and -alone.value == one.value
        else:
            assert abs(one.value) < 1 and found.depth > 1


def test_several_lines_of_othello_end_in_proofs_of_their_own() -> None:
    """The step that asks only who wins is left out: its answer need not be the first of the lines."""
    game = load_game("othello")
    state = game.read_state(ENDGAME)
    found = search(game, state, nodes=3_000_000, lines=3)
    assert found.proved and found.action == found.variations[0].line[0]
    for one in found.variations:
        alone = solve(game, game.state_after(state, one.line[0]))
        assert one.proved and abs(alone.value) == abs(one.value)


def test_one_action_is_one_line() -> None:
    game = load_game("chess")
    state = game.read_state("8/8/8/8/7k/5Q2/B3K3/8 b - - 97 90")
    found = search(game, state, depth=1, lines=4)
    assert [line.line[0] for line in found.variations] == [found.action]


def test_no_line_is_worth_more_than_the_best_one_that_is_proved() -> None:
    game = load_game("othello")
    state = game.read_state("XXXXXXOOX-XXXOOXXXXXOXOX-XXXXXOXOXXOXXOXOOOXO-O-OOOOOOO-OOOOO--- X")
    for found in analyse(game, state, depth=11, knowledge="hand", lines=3):
        values = [line.value for line in found.variations]
        assert values == sorted(values, reverse=True) and values[0] == found.value


def test_lines_and_values_of_all_actions_are_not_asked_for_together() -> None:
    with pytest.raises(BadInput, match="ask for one of both"):
        search(load_game("connect-four"), depth=2, lines=2, all_actions=True)
