"""Game trees: written out, generated or random, as text and as pictures."""
