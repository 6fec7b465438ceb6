"""Evaluations learned from play: games against itself, what they teach, and how strong that has become."""
