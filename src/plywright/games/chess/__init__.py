"""Chess: rules, notation, picture; `knowledge` is what the engine knows of it."""
