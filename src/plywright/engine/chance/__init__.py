"""Chance, modelled opponents and many players: expectiminimax, max^n, paranoid and best-reply search."""
