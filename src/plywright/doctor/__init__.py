"""The doctor: a conformance suite that anyone can run on their own game."""

from .examination import examine
from .report import Check, Facts, Report

__all__ = ["Check", "Facts", "Report", "examine"]
