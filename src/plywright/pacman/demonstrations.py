"""What Pac-Man demonstrates about search, each with the figures that must come out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..engine import search
from ..games.pacman.rules import CELL, WON, Pacman
from .agents import make_agent, make_ghost
from .episode import Episode, play_episode
from .many_games import Setting, difference_interval, play_many, play_seeds, share_interval, tally

Heard = Callable[[int], None]
SHUTTLE_ROUNDS = 60
SHALLOW, DEEP = 2, 10
GHOSTS_DEPTH = 5


@dataclass(frozen=True)
class Demonstration:
    """What was shown: lines for people, figures for programs, and whether they came out as expected."""

    name: str
    lines: tuple[str, ...]
    figures: dict[str, Any]
    holds: bool


def corridor(games: int = 1, seed: int = 1, jobs: int = 1, heard: Heard = lambda count: None) -> Demonstration:
    """The value of a state is the best that can be reached: a pellet two steps to the west, nobody else."""
    game = Pacman("corridor", "score")
    found = search(game, game.start_state, depth=4, algorithm="expectimax")
    value = found.value - WON
    heard(1)
    lines = (
        game.picture(game.start_state).text,
        f"value {found.value:g}: two steps cost 2, the pellet pays 10, which makes {value:g}, and {WON} for winning",
        "best line: " + " ".join(found.line_text(game, game.start_state)),
    )
    return Demonstration("corridor", lines, {"value": value, "with_win": found.value}, value == 8)


def trapped(games: int = 40, seed: int = 1, jobs: int = 1, heard: Heard = lambda count: None) -> Demonstration:
    """Between two ghosts minimax runs into the nearer one, since a step less is a point more; expectimax gambles."""
    figures: dict[str, Any] = {}
    lines = []
    for name in ("minimax", "expectimax"):
        game = Pacman("trapped", rounds=200)
        episodes = []
        for number in range(games):
            agent = make_agent(f"{name}:depth=3,evaluation=score")
            ghosts = [make_ghost("random") for _ in range(game.ghosts)]
            episodes.append(play_episode(game, [agent, *ghosts], seed * 1000 + number, record=True))
            heard(1)
        first = episodes[0].moments[0]
        found = tally(episodes)
        figures[name] = {
            "first": game.format_action(first.state, first.action),
            "value": first.info["value"],
            "wins": found.wins,
            "games": games,
            "mean_score": found.mean_score,
        }
        lines.append(
            f"{name:10} first goes {figures[name]['first']}, expects {first.info['value']:g}; "
            f"against random ghosts gets away in {found.wins} of {games} games, mean score {found.mean_score:.0f}"
        )
    minimax, expectimax = figures["minimax"], figures["expectimax"]
    gap = (expectimax["wins"] - minimax["wins"]) / games
    holds = minimax["first"] == "West" and minimax["value"] == -501 and expectimax["value"] > -400 and gap >= 0.15
    start = Pacman("trapped")
    return Demonstration("trapped", (start.picture(start.start_state).text, *lines), figures, holds)


def starvation(games: int = 1, seed: int = 1, jobs: int = 1, heard: Heard = lambda count: None) -> Demonstration:
    """To eat now or a step later looks the same to a score-only search of two rounds, so that he never eats."""
    figures: dict[str, Any] = {}
    for evaluation in ("score", "food"):
        game = Pacman("starvation", rounds=SHUTTLE_ROUNDS + 3)
        agent = make_agent(f"minimax:depth=2,evaluation={evaluation}")
        episode = play_episode(game, [agent, make_ghost("random")], seed, record=True)
        states = [moment.state for moment in episode.moments if moment.mover == 0][:SHUTTLE_ROUNDS]
        figures[evaluation] = {
            "eaten": int(game.start_state.left)
            - int((states[-1] if len(states) == SHUTTLE_ROUNDS else _end(episode)).left),
            "places": len({int(state.pacman) for state in states}),
            "rounds": min(episode.rounds, SHUTTLE_ROUNDS),
            "won": episode.won,
        }
        heard(1)
    hungry, fed = figures["score"], figures["food"]
    game = Pacman("starvation")
    lines = (
        game.picture(game.start_state).text,
        f"score only:    {hungry['eaten']} pellets after {hungry['rounds']} rounds, between {hungry['places']} places",
        f"food distance: {fed['eaten']} pellets after {fed['rounds']} rounds" + (", won" if fed["won"] else ""),
    )
    return Demonstration("starvation", lines, figures, hungry["eaten"] == 0 and hungry["places"] == 2 and fed["won"])


def depth(games: int = 200, seed: int = 1, jobs: int = 1, heard: Heard = lambda count: None) -> Demonstration:
    """The same weak evaluation, two and ten rounds deep."""
    settings = [
        Setting.on("two-rooms", f"alphabeta:depth={rounds},evaluation=score", "directional", rounds=300)
        for rounds in (SHALLOW, DEEP)
    ]
    shallow, deep = (tally(episodes) for episodes in play_many(settings, games, seed, jobs=jobs, heard=heard))
    figures = {
        f"depth_{rounds}": {"wins": found.wins, "games": games, "mean_score": found.mean_score}
        for rounds, found in ((SHALLOW, shallow), (DEEP, deep))
    }
    lines = [
        f"depth {rounds:2}: wins {found.win_rate:.0%} of {games}, mean score {found.mean_score:.0f}"
        for rounds, found in ((SHALLOW, shallow), (DEEP, deep))
    ]
    return Demonstration("depth", tuple(lines), figures, deep.win_rate - shallow.win_rate >= 0.2)


def ghosts(games: int = 40, seed: int = 1, jobs: int = 1, heard: Heard = lambda count: None) -> Demonstration:
    """Two ghosts that search as a team surround Pac-Man, and catch him more often than two that each search alone."""
    figures: dict[str, Any] = {}
    lines, tallies = [], []
    for name in ("coordinated", "searching"):
        setting = Setting.on("pincer", "alphabeta:depth=4,evaluation=full", f"{name}:depth={GHOSTS_DEPTH}", rounds=100)
        episodes: list[Episode] = []
        for number in range(games):
            episodes += play_seeds(setting, [seed * 1000 + number], record=True)
            heard(1)
        found = tally(episodes)
        game = setting.game()
        chosen = [[moment.state for moment in episode.moments if moment.mover == 0] for episode in episodes]
        around = sum(
            surrounded(game, states[-1]) for states, episode in zip(chosen, episodes, strict=True) if episode.caught
        )
        share = sum(surrounded(game, state) for states in chosen for state in states) / sum(map(len, chosen))
        low, high = share_interval(found.caught, games)
        figures[name] = {"caught": found.caught, "from_two_sides": around, "games": games, "interval": [low, high]}
        figures[name]["between"] = share
        lines.append(
            f"{name:12} caught him in {found.caught} of {games} games ({low:.0%} to {high:.0%}), {around} times from "
            f"two sides; he stood between them at {share:.0%} of his moves"
        )
        tallies.append(found)
    low, high = difference_interval(*((found.caught, games) for found in tallies))
    figures["difference"] = [low, high]
    lines.append(f"the team catches {100 * low:.0f} to {100 * high:.0f} percentage points more (95 % interval)")
    team = figures["coordinated"]
    return Demonstration("ghosts", tuple(lines), figures, low > 0 and 2 * team["from_two_sides"] > team["caught"])


def surrounded(game: Pacman, state: Any) -> bool:
    """Whether the ghosts' shortest ways to Pac-Man end on different sides of him."""
    cells = len(game.pellet_at)
    ways = []
    for word in state.ghosts:
        there = int(word) & CELL
        near = [int(game.steps[5 * state.pacman + direction]) for direction in range(4)]
        far = int(game.apart[state.pacman * cells + there])
        ways.append({cell for cell in near if cell >= 0 and int(game.apart[cell * cells + there]) < far})
    return not set.intersection(*ways)


DEMONSTRATIONS: dict[str, tuple[Callable[..., Demonstration], int]] = {
    "corridor": (corridor, 1),
    "trapped": (trapped, 40),
    "starvation": (starvation, 1),
    "depth": (depth, 200),
    "ghosts": (ghosts, 40),
}
"""Each with the games it plays unless told otherwise."""


def _end(episode: Episode) -> Any:
    return episode.moments[-1].state
