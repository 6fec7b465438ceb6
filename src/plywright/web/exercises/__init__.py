"""Exercises: trees to be searched by hand, for every algorithm, scored and kept."""
