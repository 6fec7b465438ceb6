"""The gallery: every classic figure and claim of the field as a card, with its numbers worked out when it is opened."""
