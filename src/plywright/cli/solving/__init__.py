"""`plywright solve`: proofs, strong solving, equilibria."""
