"""The evaluation bench: an evaluation's features and weights in a position, and what other weights would choose."""
