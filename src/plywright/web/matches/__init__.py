"""What the Matches room is made of: what may be asked for, the runs on disk, and who plays them in the background."""
