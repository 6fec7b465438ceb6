"""A file that fails while it is read."""

from plywright import Game

limit = {}["stones"]


class Broken(Game):
    pass
