"""The network that ships: it has learned backgammon from games against itself alone (`benchmarks/td_gammon.py`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from ...models.model import joined
from ...models.model_file import ModelFile, read_model
from ...models.network import Network
from .inputs import CentredKnowledge

SHIPPED = Path(__file__).with_name("network.knowledge")


@cache
def shipped() -> ModelFile:
    """The file with its weights."""
    return read_model(SHIPPED)


class BackgammonNetwork(joined(Network, CentredKnowledge)):  # type: ignore[misc]
    """A net for contact and one for races, with chances to win, to win a gammon and so on; bearing off is known."""

    name = "network"

    def __init__(self, game: Any) -> None:
        file = shipped()
        options = {name: value for name, value in file.options.items() if name != "on"}
        super().__init__(game, file.arrays, **options)
        self._training = file.training
