"""Files that `plywright new` writes for users."""
