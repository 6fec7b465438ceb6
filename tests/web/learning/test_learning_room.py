"""The learning room: a training that runs, its curve and what it weighs, and checkpoints as opponents."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plywright.errors import BadInput
from plywright.web.errors import Missing
from plywright.web.learning.routes import curve_of, score_of
from plywright.web.learning.trainings import (
    Plan,
    checkpoint_words,
    is_checkpoint,
    learning_folder,
    new_training,
    path_of,
    read_training,
)
from plywright.web.play.seats import read_engine

GAME = "breakthrough:columns=4,rows=4"


def sentence(answer: Any) -> str:
    found = re.search(r'<div id="message" role="alert">(.*?)</div>', answer.text, re.S)
    return html.unescape(found[1]) if found else ""


def written(*strengths: tuple[int, int, int]) -> str:
    """A training whose folder is as one leaves it, but for the weights."""
    name = new_training(Plan(GAME, 1.0, 4, 1))
    lines = []
    for number, (wins, draws, losses) in enumerate(strengths, 1):
        strength = {"games": 8, "wins": wins, "draws": draws, "losses": losses, "mode": "move:0.01s"}
        strength |= {"elo": None if not losses else 100.0, "low": -5.0, "high": None}
        lines.append({"checkpoint": number, "games": 100 * number, "seconds": 6.0 * number, "loss": 0.5 / number,
                      "games_per_second": 20.0, "strength": strength})  # fmt: skip
        (path_of(name) / f"learned-{number:02d}.knowledge").write_bytes(b"")
    (path_of(name) / "learned.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return name


def test_a_training_is_shown_from_what_is_in_its_folder(client: Any) -> None:
    name = written((4, 0, 4), (8, 0, 0), (7, 1, 0))
    page = client.get(f"/learning/{name}").text
    assert "stopped; 300 games" in page and "with 95 % intervals" in page and "every game won" in page
    assert page.count("Play against checkpoint") == 3
    assert f'href="/learning/{name}"' in client.get("/learning").text


def test_a_damaged_training_is_shown_as_far_as_it_can_be_read(client: Any) -> None:
    name = written((4, 0, 4))
    folder = path_of(name)
    good = (folder / "learned.jsonl").read_text()
    for line in (
        "{bad",
        "null",
        "[" * 100_000,
        '{"checkpoint": "x", "games": 1, "seconds": []}',
        good.replace('"wins": 4', '"wins": "4"'),
    ):
        (folder / "learned.jsonl").write_text(f"{line}\n" if line == "{bad" else f"{good}{line}\n")
        (folder / "progress.json").write_text('{"games": "many"}')
        (folder / "learned.knowledge").write_bytes(b"PK damaged")
        assert client.get(f"/learning/{name}").status_code == 200, line
        assert len(read_training(name).checkpoints) <= 1
        assert client.get("/learning").status_code == 200
    (folder / "progress.json").write_text("[" * 100_000)
    assert client.get(f"/learning/{name}").status_code == 200 and client.get("/learning").status_code == 200
    for plan in ('{"game": 5, "minutes": "x", "pairs": 1, "seed": 1}', "[" * 100_000):
        (folder / "plan.json").write_text(plan)
        assert client.get(f"/learning/{name}").status_code == 404 and client.get("/learning").status_code == 200


def test_scores_have_intervals_even_where_every_game_is_won() -> None:
    share, low, high = score_of({"wins": 8, "draws": 0, "losses": 0})
    assert share == 1 and 0.6 < low < 0.7 and high == pytest.approx(1)
    assert score_of({"wins": 1, "draws": 0, "losses": 1})[0] == 0.5
    first = curve_of(read_training(written((8, 0, 0))))
    assert first.count("<svg") == 1 and "100 [67.56, 100]" in first, "there is something to see from the first match on"
    second = curve_of(read_training(written((8, 0, 0), (7, 0, 1))))
    assert second.count("<svg") == 2 and "mean squared error" in second, "and from the second checkpoint on the error"


def test_only_checkpoints_of_the_page_are_opponents(tmp_path: Path, data_folder: str) -> None:
    name = written((4, 0, 4))
    own = path_of(name) / "learned-01.knowledge"
    assert (
        read_engine(f"search:knowledge={own}")
        and checkpoint_words(f"search:knowledge={own}") == f"checkpoint 1 of {name}"
    )
    other = tmp_path / "learned-01.knowledge"
    other.write_bytes(b"")
    for path in (
        other,
        learning_folder() / name / ".." / name / "learned-01.knowledge",
        learning_folder() / "x.knowledge",
    ):
        assert not is_checkpoint(str(path))
        with pytest.raises(BadInput, match="not from a file"):
            read_engine(f"search:knowledge={path}")
    for nonsense in ("../plan", "", "x" * 200, "breakthrough"):
        with pytest.raises(Missing):
            path_of(nonsense)


def test_a_training_that_is_over_has_nothing_to_stop(client: Any) -> None:
    """Whoever watched its last moments is led to its page as it stands now."""
    name = written((4, 0, 4))
    told = client.get(f"/learning/{name}/stream?token={client.app.state.token}").text
    assert f"event: visit\ndata: /learning/{name}\n" in told
    page = client.get(f"/learning/{name}").text
    assert "/stop" not in page and "data-stream" not in page and "<h1>Breakthrough, columns" in page


def test_what_cannot_be_learned_is_said(client: Any) -> None:
    for fields, words in (
        ({"game": "kuhn"}, "in which all is seen"),
        ({"game": "nonsense"}, "there is no game"),
        ({"game": GAME, "minutes": 99}, "minutes must be from 0.1 to 30"),
        ({"game": GAME, "pairs": 1000}, "pairs must be from 0 to 50"),
        ({"game": "./x.py"}, "not a game of this page"),
    ):
        answer = client.submit("/learning", **fields)
        assert answer.status_code == 400 and words in sentence(answer), (fields, sentence(answer))
    assert client.get("/learning/nothing-1").status_code == 404


@pytest.mark.slow
def test_a_training_is_watched_and_played_against(
    browse: Callable[..., Any], accessible: Callable[[Any], None]
) -> None:
    page = browse("/learning")
    accessible(page)
    page.locator("#learning-game").fill(GAME)
    page.locator("input[name=minutes]").fill("0.1")
    page.locator("input[name=pairs]").fill("1")
    page.get_by_role("button", name="Learn").click()
    page.get_by_text("finished;").wait_for(timeout=240_000)
    assert page.locator("#learning-curve svg").count() == 2 and page.locator("#learning-heat svg").count() == 1
    accessible(page)
    page.get_by_role("button", name="Play against checkpoint 2").click()
    page.wait_for_url("**/play/t/**")
    assert "checkpoint 2 of breakthrough" in page.locator("#room").inner_text()


@pytest.mark.slow
def test_a_training_that_is_stopped_keeps_what_it_has(client: Any) -> None:
    answer = client.submit("/learning", game=GAME, minutes=5, pairs=0)
    name = str(answer.url).rsplit("/", 1)[1]
    stopped = client.submit(f"/learning/{name}/stop")
    assert stopped.status_code == 200 and read_training(name).plan.minutes == 5
