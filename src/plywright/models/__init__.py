"""Evaluations that are learned, as knowledge that searches use, and the files they are kept in."""
