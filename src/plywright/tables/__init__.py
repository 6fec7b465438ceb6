"""Endgame tables: who wins, and when, of every position that a game's knowledge can number."""

from .build import BuildProgress, build_table
from .check import CheckReport, check_table
from .table import Table, open_table

__all__ = ["BuildProgress", "CheckReport", "Table", "build_table", "check_table", "open_table"]
