"""Runs and single games as pages: the report of a match, the review of a game."""
