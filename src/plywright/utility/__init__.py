"""Lotteries, preferences and risk: why a rational player averages.

Lottery([(0.8, 4000), (0.2, 0)]).expected_utility(utility_function("crra:0.5"))
"""

from .axioms import AXIOMS
from .decision import DecisionTree
from .dominance import dominance, dominates
from .elicitation import Elicitation, Inconsistent, Question
from .equivalence import Behaviour, same_behaviour
from .function_text import FUNCTIONS, utility_function
from .functions import CARA, CRRA, Linear, Log, Quadratic, Scaled, SShaped, Table, UtilityFunction
from .lottery import Lottery
from .persons import Person, interview
from .piecewise import Piecewise
from .plot import utility_picture
from .preferences import Comparison, Preferences, Verdict, parse_comparison
from .pump import MoneyPump, money_pump
from .risk import Bargain, approximate_premium, attitude, bargain, certainty_equivalent, risk_premium
from .scales import equal_risk, micromorts, normalised, qalys
from .valued import Valued

__all__ = [
    "AXIOMS",
    "CARA",
    "CRRA",
    "FUNCTIONS",
    "Bargain",
    "Behaviour",
    "Comparison",
    "DecisionTree",
    "Elicitation",
    "Inconsistent",
    "Linear",
    "Log",
    "Lottery",
    "MoneyPump",
    "Person",
    "Piecewise",
    "Preferences",
    "Quadratic",
    "Question",
    "SShaped",
    "Scaled",
    "Table",
    "UtilityFunction",
    "Valued",
    "Verdict",
    "approximate_premium",
    "attitude",
    "bargain",
    "certainty_equivalent",
    "dominance",
    "dominates",
    "equal_risk",
    "interview",
    "micromorts",
    "money_pump",
    "normalised",
    "parse_comparison",
    "qalys",
    "risk_premium",
    "same_behaviour",
    "utility_function",
    "utility_picture",
]
