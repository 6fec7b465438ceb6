"""Kuhn poker whose `earlier` takes the own card for the other's."""

from plywright.games.kuhn import CARD, Hand, Kuhn


class Broken(Kuhn):
    def earlier(self, state: Hand, observation: Hand, player: int) -> Hand:
        mine, other = state.cards >> CARD * player & 15, state.cards >> CARD * (1 - player) & 15
        return Hand(other << CARD * player | mine << CARD * (1 - player), observation.betting)
