"""Bridge: boards and their notations, auction, scoring, and the play with all hands seen."""
