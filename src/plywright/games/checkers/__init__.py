"""English checkers: rules, PDN, and what the engine is told about the game."""
