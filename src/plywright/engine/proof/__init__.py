"""Proof-number search: whether somebody can win, with a proof that others can check."""
