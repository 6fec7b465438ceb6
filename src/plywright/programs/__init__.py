"""Programs over pipes: isolation, processes, and the languages they speak, from both ends."""
