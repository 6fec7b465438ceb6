"""`plywright pacman`: games of it, demonstrations, grading."""
