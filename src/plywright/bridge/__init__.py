"""Bridge beyond its rules: the double-dummy table, par, players and duplicate matches.

from plywright.bridge import double_dummy, lead_tricks, read_deal

hands = read_deal("N:...")
table = double_dummy(hands)          # table[strain, seat]: the declarer's tricks
"""

from ..games.bridge.boards import Board, deal_text, read_deal
from ..games.bridge.lin import format_lin, parse_lin
from ..games.bridge.pbn import format_pbn, parse_pbn
from ..games.bridge.scoring import contract_score, imps, par
from .double_dummy import double_dummy, lead_tricks, tricks_from

__all__ = [
    "Board",
    "contract_score",
    "deal_text",
    "double_dummy",
    "format_lin",
    "format_pbn",
    "imps",
    "lead_tricks",
    "par",
    "parse_lin",
    "parse_pbn",
    "read_deal",
    "tricks_from",
]
