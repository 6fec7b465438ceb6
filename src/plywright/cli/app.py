"""The commands and their options; what goes wrong becomes one line and exit status 2."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
import warnings
from typing import Annotated, Any

import typer

from ..errors import LearnedNote, PlywrightError, SkippedNote, printable
from .arena.app import arena_app
from .arena.record_app import record_app
from .authoring.app import authoring_app
from .bridge import bridge_app
from .knowledge.app import knowledge_app
from .knowledge.book import book_app
from .knowledge.learn_app import learn_app
from .knowledge.table import table_app
from .pacman.app import pacman_app
from .poker import poker_app
from .search.app import search_app
from .solving.app import solving_app
from .textbook.app import textbook_app
from .utility.app import utility_app
from .web import web_app

app = typer.Typer(
    name="plywright",
    help="Write a game's rules once, in Python; play, explain, solve and examine it at native speed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for part in (search_app, solving_app, textbook_app, authoring_app, learn_app, web_app, arena_app):
    app.add_typer(part)
for group in (utility_app, pacman_app, poker_app, bridge_app, table_app, book_app, knowledge_app, record_app):
    app.add_typer(group)


def run(arguments: list[str]) -> int:
    """Run one command; every error that is not ours to mend is one line on standard error."""
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    warnings.showwarning = _one_line_warning
    try:
        status = app(args=arguments, standalone_mode=False, prog_name="plywright")
        sys.stdout.flush()
        if debug:
            _note_short_cuts()
        return int(status or 0)
    except PlywrightError as error:
        caught: Exception = error
        message = str(error)
    except typer.Exit as error:
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        caught = error
        if type(error).__name__ == "NoArgsIsHelpError":
            with contextlib.suppress(BrokenPipeError):
                print(error.ctx.get_help(), file=sys.stderr)  # type: ignore[attr-defined]
            return 2
        usage = getattr(error, "format_message", None)  # the command line itself was wrong
        if usage is not None:
            where = getattr(getattr(error, "ctx", None), "command_path", "") or "plywright"
            message = f"{usage()} (try {where} --help)"
        elif isinstance(error, OSError):
            message = f"{error.strerror or error}: {error.filename}" if error.filename else str(error)
        elif (fault := _fault_in_file(error)) is not None:
            message = f"{fault}; `plywright doctor` examines the game (--debug shows the traceback)"
        else:
            message = f"{type(error).__name__}: {error} (this is a bug in Plywright: --debug shows where)"
    if debug:
        traceback.print_exception(caught)
    print("plywright: " + printable(" ".join(message.split())), file=sys.stderr)
    return 2


def _note_short_cuts() -> None:
    """With --debug: that something was compiled by Numba's ordinary way, which is slower, and why."""
    internals = sys.modules.get("plywright.native.numba_internals")
    for note in internals.notes() if internals is not None else ():
        print(f"plywright: note: {note}", file=sys.stderr)


def _fault_in_file(error: Exception) -> str | None:
    from .blame import fault_in_file

    return fault_in_file(error)


def _one_line_warning(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
    kind = "" if issubclass(category, (LearnedNote, SkippedNote)) else "warning: "
    print(f"plywright: {kind}{message}", file=sys.stderr)


@app.callback(invoke_without_command=True)
def options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """--debug, anywhere on the line, shows the traceback of an error."""
    if version:
        from .. import __version__

        print(f"plywright {__version__}")
        raise typer.Exit
    from .console import announce_compilations

    announce_compilations()
