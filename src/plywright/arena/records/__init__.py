"""The file of a run: written, read, checked, merged, replayed, and exported for other programs."""
