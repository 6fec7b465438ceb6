"""Who meets whom, from which openings, in which order, and how far a run has come."""
