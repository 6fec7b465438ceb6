"""Poker at full size: card abstraction, regret minimisation, strategies, what they lose to a local best response."""
