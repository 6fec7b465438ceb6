"""Endgame tables: who wins, and when, of every position that a game's knowledge can number."""

from .build import BuildProgress, build_table
from .check import CheckReport, check_table
from .strong import StrongTable, load_strong, solve_strongly
from .table import Table, open_table
from .whole import Tally, load_whole, tally

__all__ = [
    "BuildProgress",
    "CheckReport",
    "StrongTable",
    "Table",
    "Tally",
    "build_table",
    "check_table",
    "load_strong",
    "load_whole",
    "open_table",
    "solve_strongly",
    "tally",
]
