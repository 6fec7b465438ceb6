"""Hidden information: determinization, information-set Monte Carlo tree search, beliefs."""
