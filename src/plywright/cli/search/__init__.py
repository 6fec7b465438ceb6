"""Commands about one position, or one game: best, compare, play, perft, positions, suites, speed."""
