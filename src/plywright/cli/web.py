"""`plywright web`: the page in the browser."""

from __future__ import annotations

import gc
from importlib.util import find_spec

from ..errors import BadInput
from .console import out

NEEDED = ("starlette", "uvicorn", "jinja2")


def open_page(port: int | None, browser: bool, games: list[str], programs: list[str], learned: list[str]) -> None:
    """Serve the page until Ctrl-C; raises BadInput where the extra is not installed."""
    if absent := [name for name in NEEDED if find_spec(name) is None]:
        raise BadInput(f"the page needs {', '.join(absent)}: pip install 'plywright[web]'")
    from ..web import serve

    try:
        serve(
            port,
            browser=browser,
            games=games,
            programs=programs,
            learned=learned,
            tell=lambda words: out.print(words, markup=False, highlight=False),
        )
    finally:
        gc.freeze()  # the process ends without a last look at all that is left, which takes a while
