"""Matches, tournaments, classes, tuning, and what is in their records."""
