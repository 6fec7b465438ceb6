"""The history wall: six programs that changed the field, and what does the same in small here."""
