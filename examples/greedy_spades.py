"""A greedy player of Spades, by simple rules: bid what is high, take what can be taken as cheaply as possible.

    plywright match ismcts:simulations=500 ./examples/greedy_spades.py ismcts:simulations=500 \\
        ./examples/greedy_spades.py --game spades

A policy is a function of the game, what the seat sees, and the seat; it returns an action.
"""

from plywright.games.spades import Bidding, Spades
from plywright.games.tricks import play_at


def policy(game: Spades, view: Bidding, seat: int) -> int:
    legal = list(game.actions(view))
    ranks = game.ranks
    if game.is_bidding(view):
        held = [card for card in range(game.cards) if view.hands[seat] >> card & 1]
        high = sum(card % ranks >= ranks - 2 for card in held)  # aces and kings
        spades = sum(card < ranks for card in held)
        return min(max(high + max(spades - 3, 0), 1), game.hand)

    def cost(card: int) -> tuple[bool, int]:
        return card < ranks, card % ranks  # spades are dear

    if view.played % game.players == 0:
        return max(legal, key=lambda card: (card >= ranks, card % ranks))
    start = view.played - view.played % game.players
    turns = view.played - start
    place = game.best_play(view.plays, start, turns, 0)
    best = play_at(view.plays, start + place)
    partner_has_it = turns > 1 and place == turns - 2
    over = [card for card in legal if (card // ranks == best // ranks and card > best) or card < ranks <= best]
    nil = view.bids[seat] == 1
    if nil or partner_has_it or not over:
        under = [card for card in legal if card not in over]
        return (max if nil else min)(under or legal, key=cost)
    return min(over, key=cost)
