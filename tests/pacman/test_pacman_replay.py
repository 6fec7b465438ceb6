"""The page of a game: complete, self-contained, and small."""

from __future__ import annotations

import json
import re

from plywright.games.pacman.rules import Pacman
from plywright.pacman import make_agent, make_ghost, play_episode
from plywright.pacman.replay import replay_page


def test_the_page_has_every_step_and_asks_for_nothing() -> None:
    game = Pacman("loop", rounds=40)
    players = [make_agent("minimax:depth=2"), make_ghost("random")]
    episode = play_episode(game, players, 2, record=True)
    page = replay_page(game, episode.moments, "a <game>")
    assert "a &lt;game&gt;" in page and "{{" not in page
    outside = re.findall(r"(?:src|href)=\"(?!data:)([^\"]+)\"", page)
    assert outside == [] and "default-src 'none'" in page
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
    assert len(data["frames"]) == len(episode.moments)
    assert data["frames"][-1]["score"] == episode.score and data["frames"][-1]["words"] == episode.outcome
    assert data["frames"][0]["value"] == round(episode.moments[0].info["value"], 2) and data["frames"][0]["line"]
    eaten = sum(1 for frame in data["gone"].values() if frame)
    assert eaten == int(game.start_state.left) - int(episode.moments[-1].state.left)
    assert page.count("data-cell=") == game.maze.pellets + game.maze.capsules
    assert len(page) < 60_000
