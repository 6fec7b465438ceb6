"""Texas hold'em: rules, cards up to suits, strengths of hands."""
