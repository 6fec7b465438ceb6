"""The page: a web app on this machine alone, where games are played, searches watched and trees stepped through.

    from plywright.web import application, serve

`serve` binds to the loopback address and opens the browser; `application` is the app itself, for
a server of your own. Every address gives a whole page that works without any script; with scripts
only what changed is exchanged. Nothing is kept in memory that a restart would lose: what a page shows
is in its address or in a saved file (`json_store.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .server import serve

if TYPE_CHECKING:
    from .app import application

__all__ = ["application", "serve"]


def __getattr__(name: str) -> Any:
    """The app is imported when it is asked for: `serve` starts a worker before."""
    if name != "application":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .app import application

    return application
