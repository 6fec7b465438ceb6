"""Endgame tables: who wins, and when, of every position that a game's knowledge can number."""

from .build import BuildProgress, build_table
from .check import CheckReport, check_table
from .strong import StrongTable, load_strong, solve_strongly
from .table import Table, open_table

__all__ = [
    "BuildProgress",
    "CheckReport",
    "StrongTable",
    "Table",
    "build_table",
    "check_table",
    "load_strong",
    "open_table",
    "solve_strongly",
]
