"""The pictures of docs/utility.md are those that the library draws today."""

from __future__ import annotations

from pathlib import Path

from plywright.textbook.decisions import sensitivity
from plywright.utility import Lottery, utility_function, utility_picture
from plywright.utility.decision import example

IMAGES = Path(__file__).parent.parent.parent / "docs" / "images"


def pictures() -> dict[str, str]:
    person = utility_function("piecewise:0=0,400=0.5,1000=1")
    return {
        "utility-curve.svg": utility_picture(person, Lottery.parse("[0.5, 1000; 0.5, 0]")).svg,
        "utility-sensitivity.svg": sensitivity(example("oil"), "oil=wet", 0, 1).picture().svg,
    }


def test_the_pictures_are_up_to_date() -> None:
    for name, svg in pictures().items():
        assert (IMAGES / name).read_text(encoding="utf-8") == svg, f"draw {name} again (`python {__file__}`)"


if __name__ == "__main__":
    for file, drawn in pictures().items():
        (IMAGES / file).write_text(drawn, encoding="utf-8")
