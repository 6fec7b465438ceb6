"""What a position of Pac-Man is worth before it is over: weighted features, as tables.

A negative weight of a distance draws Pac-Man nearer. Distances are true ones, through the maze. The
ghosts see the same number with the other sign, so what draws Pac-Man away from them draws them to him.
"""

from __future__ import annotations

FEATURES = (
    "score",  # so far
    "pellets left",
    "power pellets left",
    "steps to food",  # to the nearest pellet
    "danger",  # 1 / (1 + steps) for each ghost that is not scared
    "steps to ghosts",  # summed over ghosts that are not scared
    "prey",  # 1 / (1 + steps) for each ghost scared long enough to be reached
)

EVALUATIONS: dict[str, dict[str, float]] = {
    "score": {"score": 1},
    "food": {"score": 1, "steps to food": -1},
    "full": {"score": 1, "steps to food": -1.5, "power pellets left": -20, "danger": -12, "prey": 150},
    "seek": {"score": 1, "steps to ghosts": 4},
}
"""Score only; that and food; all of it; and how a ghost sees the world that only seeks Pac-Man."""
