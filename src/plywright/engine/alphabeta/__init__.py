"""Two opposed sides: plain alpha-beta, principal-variation search, and the proofs that rest on them."""
