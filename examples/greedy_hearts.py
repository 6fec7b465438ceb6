"""A greedy player of Hearts, by simple rules: pass the highest cards, duck where possible, get rid of points.

    plywright match ismcts:simulations=500 ./examples/greedy_hearts.py --game hearts

A policy is a function of the game, what the seat sees, and the seat; it returns an action.
"""

from plywright.games.hearts import HEARTS, Hand, Hearts
from plywright.games.tricks import play_at


def policy(game: Hearts, view: Hand, seat: int) -> int:
    legal = list(game.actions(view))
    ranks = game.ranks

    def danger(card: int) -> tuple[int, int]:
        return (card == game.queen) * 40 + (card // ranks == HEARTS) * 5 + card % ranks, card

    if view.chosen < game.choices_made:  # three cards to pass on, the most dangerous ones
        return max(legal, key=danger)
    turn = view.played % 4
    if turn == 0:  # lead low
        return min(legal, key=lambda card: (card % ranks, card // ranks))
    start = view.played - turn
    led = play_at(view.plays, start) // ranks
    on_table = [play_at(view.plays, number) for number in range(start, view.played)]
    best = max(card for card in on_table if card // ranks == led)
    following = [card for card in legal if card // ranks == led]
    if not following:
        return max(legal, key=danger)
    under = [card for card in following if card < best]
    if under:
        return max(under)
    points = any(game.worth(card) for card in on_table)
    return max(following) if turn == 3 and not points else min(following)
