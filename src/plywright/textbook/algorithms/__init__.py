"""The algorithms of the book, one per file, each beside its pseudocode."""
