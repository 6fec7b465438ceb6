"""What the Pac-Man room is made of: the choice in its address, games watched, and experiments as they run."""
