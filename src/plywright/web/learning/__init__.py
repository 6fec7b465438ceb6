"""The learning room: a training as it runs, its curve, what it has learned, and its checkpoints as opponents."""
