"""One module a room; each defines `ROOM`."""
