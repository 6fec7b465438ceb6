"""`plywright web`: the page in the browser."""

from __future__ import annotations

import gc
from importlib.util import find_spec
from typing import Annotated

import typer

from ..errors import BadInput

NEEDED = ("starlette", "uvicorn", "jinja2")

web_app = typer.Typer()


@web_app.command()
def web(
    port: Annotated[
        int | None, typer.Option("--port", help="By default 8137, or a free one; 0 for any free one.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
    game: Annotated[list[str] | None, typer.Option("--game", help="A game file of your own (may be repeated).")] = None,
    program: Annotated[
        list[str] | None,
        typer.Option("--program", help="A program that may be seated, such as pipe:./bot (may be repeated)."),
    ] = None,
    knowledge: Annotated[
        list[str] | None,
        typer.Option(
            "--knowledge",
            help="A training whose checkpoints may be seated: FILE.knowledge of `learn --keep` (repeated).",
        ),
    ] = None,
) -> None:
    """Open the page: play, watch searches, step through trees, run the experiments (on this machine only)."""
    if absent := [name for name in NEEDED if find_spec(name) is None]:
        raise BadInput(f"the page needs {', '.join(absent)}: pip install 'plywright[web]'")
    from ..web import serve
    from .console import out

    try:
        serve(
            port,
            browser=browser,
            games=game or [],
            programs=program or [],
            learned=knowledge or [],
            tell=lambda words: out.print(words, markup=False, highlight=False),
        )
    finally:
        gc.freeze()  # the process ends without a last look at all that is left, which takes a while
