"""Leduc whose view at the other's turn shows the other's card: only what a seat remembers betrays it."""

from plywright.games.leduc import Leduc, Table


class Broken(Leduc):
    def observation(self, state: Table, player: int) -> Table:
        return super().observation(state, player) if state.mover == player else state

    def earlier(self, state: Table, observation: Table, player: int) -> Table:
        return observation._replace(first=state.first, second=state.second)
