"""Every game's picture can be read: text has a contrast of 4.5 to what is under it, pieces and marks of 3."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plywright.games import load_game
from plywright.games.registry import GAMES
from plywright.players import Playing
from plywright.rng import draw64, seeded

PAGE = """<!doctype html><meta name="color-scheme" content="light dark">
<style>body {{ margin: 0; background: #fff }} @media (prefers-color-scheme: dark) {{ body {{ background: #20262d }} }}
svg {{ display: block; width: auto; height: 400px }}</style>{figures}"""

FAINT = (Path(__file__).parent / "contrast.js").read_text().partition("\n")[2]


def pictures(name: str) -> list[str]:
    """A game at its start, in its middle and at its end, each with its last move."""
    game = load_game(name)
    playing, rng, last = Playing(game), seeded(7), None
    shown = [game.picture(playing.state).svg]
    while not playing.is_over() and playing.ply < 60:
        if playing.at_chance():
            last = playing.roll(rng)
        else:
            legal = playing.legal()
            last = legal[int(draw64(rng)) % len(legal)]
            playing.step(last)
        if playing.ply in (4, 14):
            shown.append(game.picture(playing.state, last).svg)
    shown.append(game.picture(playing.state, last).svg)
    if game.hidden:
        shown += [game.picture_for(game.observation(playing.states[-2], seat), seat).svg for seat in range(2)]
    return shown


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_pieces_and_marks_of_every_game_stand_out(chromium: Any, scheme: str) -> None:
    assert _faint(chromium, scheme, [name for name in GAMES if name != "pacman"]) == []


def test_text_pieces_and_marks_stand_out(chromium: Any) -> None:
    games = ["othello", "chess", "backgammon", "tic-tac-toe", "connect-four", "2048", "battleship", "stratego", "pig"]
    assert _faint(chromium, "dark", games) == []


def _faint(chromium: Any, scheme: str, names: list[str]) -> list[str]:
    figures = "".join(f'<figure data-game="{name}">{svg}</figure>' for name in names for svg in pictures(name))
    context = chromium.new_context(viewport={"width": 1600, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.set_content(PAGE.format(figures=figures))
    found: list[str] = page.evaluate(FAINT)
    context.close()
    return found
