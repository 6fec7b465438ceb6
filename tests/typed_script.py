"""A user's script: mypy --strict passes what is right, and complains where a mistake is marked."""

from plywright import Game, MonteCarloTree, SearchResult, Uniform, analyse, search


class Countdown(Game):
    def initial(self) -> int:
        return 5

    def to_move(self, state: int) -> int:
        return state % 2

    def actions(self, state: int) -> list[int]:
        return [1, 2] if state > 1 else [1] if state else []

    def result(self, state: int, action: int) -> int:
        return state - action

    def utility(self, state: int, player: int) -> float:
        return 1.0 if player else -1.0


def right() -> int | None:
    found: SearchResult = search(Countdown(), depth=3, exact=True, threads=1, knowledge="none")
    search("othello", time=0.1, opponents={1: Uniform()}, pruning="star1")
    tree = MonteCarloTree("tic-tac-toe", seed=1, exploration=1.0, threads=2)
    return found.action if found.proved else tree.search(simulations=10).action


def wrong(tree: MonteCarloTree) -> None:
    search("othello", tabel=12)  # type: ignore[call-arg]
    search("othello", pruning=3)  # type: ignore[arg-type]
    analyse("othello", opponents=3)  # type: ignore[arg-type]
    MonteCarloTree("othello", exploraton=2.0)  # type: ignore[call-arg]
    tree.search(seconds=2)  # type: ignore[call-arg]
