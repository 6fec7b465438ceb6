"""What a position of Pac-Man is worth before it is over: weighted features, as tables.

A negative weight of a distance draws Pac-Man nearer. Distances are true ones, through the maze. The
ghosts see the same number with the other sign, so what draws Pac-Man away from them draws them to him.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import BadInput

FEATURES = (
    "score",  # so far
    "pellets left",
    "power pellets left",
    "steps to food",  # to the nearest pellet
    "danger",  # 1 / (1 + steps) for each ghost that is not scared
    "steps to ghosts",  # summed over ghosts that are not scared
    "prey",  # 1 / (1 + steps) for each ghost scared long enough to be reached
    "trapped",  # 1 in a dead end whose mouth a ghost that is not scared reaches as soon as he does
    "cornered",  # "danger" where no direction leads away from every ghost that is not scared
)

# A step nearer to food is worth less than a pellet divided by the steps to the next one: otherwise the
# last pellet of a corner is left, since without it the nearest is far away.
EVALUATIONS: dict[str, dict[str, float]] = {
    "score": {"score": 1},
    "food": {"score": 1, "steps to food": -0.3},
    "full": {"score": 1, "steps to food": -0.3, "power pellets left": -20, "danger": -12, "prey": 150},
    "fitted": {
        "score": 1,
        "pellets left": -3.15,
        "power pellets left": -17.7,
        "steps to food": -0.676,
        "danger": -6.6,
        "steps to ghosts": -0.054,
        "prey": 177,
        "trapped": -100,
        "cornered": -39,
    },
    "careful": {"score": 1, "steps to food": -25, "danger": -200},
    "seek": {"score": 1, "steps to ghosts": 4},
}
"""Score only; that and food; most of it, by hand; all of it, as `benchmarks/fit_pacman.py` fitted it;
food, but above all away from ghosts; and how a ghost that only seeks Pac-Man sees the world."""
USUAL = "fitted"
"""What a searching Pac-Man goes by where nothing else is said."""

Evaluation = str | Mapping[str, float]
"""The name of a table above, or a table of one's own."""


def weights_of(evaluation: Evaluation) -> list[float]:
    """The weight of every feature; raises BadInput where a table or a feature is not known."""
    if isinstance(evaluation, str) and evaluation not in EVALUATIONS:
        raise BadInput(f"there is no evaluation {evaluation!r}; there are {', '.join(EVALUATIONS)}")
    table = EVALUATIONS[evaluation] if isinstance(evaluation, str) else evaluation
    for name, weight in table.items():
        if name not in FEATURES:
            raise BadInput(f"there is no feature {name!r} to weigh; there are {', '.join(FEATURES)}")
        if not isinstance(weight, (int, float)) or isinstance(weight, bool) or not -1e6 <= weight <= 1e6:
            raise BadInput(f"the weight of {name!r} is a number from -1000000 to 1000000, not {weight!r}")
    return [float(table.get(name, 0.0)) for name in FEATURES]
