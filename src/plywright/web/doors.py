"""From a position in one room to the same position in another: the addresses, and short ones to share."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ..errors import BadInput
from ..game import Game
from .json_store import JsonStore
from .requests import form, is_partial, plain_page

LONGEST = 1000
"""Characters of moves or of a state that the lab and Chance take."""
LONGEST_ADDRESS = 4000
LINKS = JsonStore("links")
ADDRESS = re.compile(r"/[a-z]+(/[A-Za-z0-9_./-]*)?(\?[^\s#<>\"']*)?")


class Door(NamedTuple):
    """Another room, and where this position is in it."""

    title: str
    address: str


def doors(game: Game, text: str, start: str, moves: str, here: str = "") -> list[Door]:
    """The rooms, but the one that is `here`, that can show a position: a game, where it begins, and the moves since."""
    short = len(moves) <= LONGEST and len(start) <= LONGEST // 2
    position = {"game": text, "state": start, "moves": moves}
    found = {"play": Door("Play", f"/play/new?{_query(game=text, start=start, moves=moves)}")}
    if short and not game.hidden:
        found["lab"] = Door("Tree lab", f"/lab?{_query(**{'from': 'game'}, **position)}")
    if short and not game.hidden and game.lists_chance:
        found["chance"] = Door("Chance", f"/chance?{_query(**position)}")
    found["matches"] = Door("Matches", f"/matches?{_query(game=text)}")
    return [door for room, door in found.items() if room != here]


def _query(**fields: str) -> str:
    return urlencode({name: value for name, value in fields.items() if value})


# -- short links ----------------------------------------------------------------------------------------------


async def share(request: Request) -> Response:
    """A short address for one of this page's; the script gets it as JSON, a browser without one as a page."""
    fields = await form(request)
    address = fields.text("place", most=LONGEST_ADDRESS)
    if not ADDRESS.fullmatch(address):
        raise BadInput("only an address of this page can be shared, such as /play/new?game=othello")
    digest = hashlib.sha256(address.encode()).digest()
    code = base64.urlsafe_b64encode(digest)[:8].decode()
    if code not in LINKS:
        LINKS[code] = address
    link = f"{request.url.scheme}://{request.url.netloc}/to/{code}"
    if is_partial(request) or "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"link": link})
    return plain_page(request, "share.html", link=link, address=address)


async def follow(request: Request) -> Response:
    """Where a short address leads."""
    address = LINKS[request.path_params["code"]]
    if not isinstance(address, str) or not ADDRESS.fullmatch(address):
        raise BadInput("this short address leads nowhere")
    return RedirectResponse(address, 303)


ROUTES = [Route("/share", share, methods=["POST"]), Route("/to/{code}", follow)]
