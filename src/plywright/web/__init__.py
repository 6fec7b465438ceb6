"""The page: a web app on this machine alone, where games are played, searches watched and trees stepped through.

    from plywright.web import application, serve

`serve` binds to the loopback address and opens the browser; `application` is the app itself, for
whoever brings a server. Every address gives a whole page that works without any script; with scripts
only what changed is exchanged. Nothing is kept in memory that a restart would lose: what a page shows
is in its address or in a saved file (`saved.py`).
"""

from __future__ import annotations

from .application import application
from .server import serve

__all__ = ["application", "serve"]
