"""The gallery: all cards by section, each on a page of its own with its numbers worked out, and the curves of order."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..errors import Missing
from ..requests import Reply, Visit, heard, page, picture, plain_page, visit_of, worked
from ..room import Room
from ..search_queue import Waiting
from ..stream import Event, parts, stream, visit
from ..task_channel import TaskChannel
from . import chance_cards, counting_cards, hidden_cards, kuhn_cards, pacman_cards, tree_cards, utility_cards
from .card import Card, Figures, Section
from .counting_cards import BRANCHING, DEPTH, orders, orders_picture

SECTIONS = (
    Section("Minimax and alpha-beta", tree_cards.CARDS),
    Section("Counting and evaluating", counting_cards.CARDS),
    Section("Chance, many players, opponents", chance_cards.CARDS),
    Section("Pac-Man", pacman_cards.CARDS),
    Section("Hidden information", (*hidden_cards.CARDS, *kuhn_cards.CARDS)),
    Section("Utilities", utility_cards.CARDS),
)
CARDS = {card.name: card for section in SECTIONS for card in section.cards}
PATIENCE = 1.5
"""Seconds after which a page says that the figures are being worked out."""


def card_of(name: str) -> Card:
    if name not in CARDS:
        raise Missing(f"there is no card {name[:40]!r} in the gallery")
    return CARDS[name]


def show(call: Visit) -> Reply:
    return page(call, "gallery.html", sections=SECTIONS)


def draw(call: Visit) -> Reply:
    """The picture of a card, or an empty one."""
    card = card_of(call.params["name"])
    return picture(card.picture() if card.picture else '<svg xmlns="http://www.w3.org/2000/svg"/>')


def orders_room(call: Visit) -> Reply:
    """The curves of order with sliders for branching and depth."""
    branching = call.fields.whole("b", 3, *BRANCHING)
    depth = call.fields.whole("d", 6, *DEPTH)
    found = {
        "branching": branching,
        "depth": depth,
        "least": (BRANCHING[0], DEPTH[0]),
        "most": (BRANCHING[1], DEPTH[1]),
    }
    drawn = orders_picture(branching, depth)
    return page(
        call, "gallery_orders.html", card=CARDS["orders"], drawn=drawn, figures=orders(branching, depth), **found
    )


def work(channel: TaskChannel, name: str) -> Figures:
    """In a worker: the figures of a card, however long they take."""
    return card_of(name).figures()


def draw_card(call: Visit, figures: Figures | None) -> Reply:
    """In a worker: the page of a card; figures that take a moment only are worked out here."""
    card = card_of(call.params["name"])
    names = list(CARDS)
    place = names.index(card.name)
    beside = CARDS[names[place - 1]], CARDS[names[(place + 1) % len(names)]]
    found = figures if figures is not None or card.slow else card.figures()
    return page(
        call, "gallery_card.html", card=card, figures=found, beside=beside, drawn=card.picture and card.picture()
    )


async def one(request: Request) -> Response:
    """The page of a card; games that it plays are played on request, and the page says so meanwhile."""
    call = await visit_of(request)
    card, figures = card_of(call.params["name"]), None
    if card.slow and call.fields.ticked("now"):
        figures = await heard(request, request.app.state.background.answer(_key(card), PATIENCE, work, card.name))
        if figures is None:
            words = "the figures are worked out, or wait for their turn"
            return plain_page(
                request, "gallery_waiting.html", words=words, stream=f"/gallery/{card.name}/wait", card=card
            )
    reply: Reply = await request.app.state.search_queue.run(draw_card, call, figures)
    return reply.response()


async def wait(request: Request) -> Response:
    card = card_of(request.path_params["name"])

    async def events() -> AsyncIterator[Event]:
        async with aclosing(request.app.state.background.watch(_key(card), work, card.name)) as watched:
            async for news in watched:
                if isinstance(news, Waiting):
                    words = f"waiting: {news.before} before you" if news.before else "the figures are worked out"
                    yield parts(gallery_waiting=words)
        yield visit(f"/gallery/{card.name}?now=yes")

    return stream(request, events())


def _key(card: Card) -> str:
    return f"card {card.name}"


ROOM = Room(
    "gallery",
    "Gallery",
    "Every classic figure and claim of the field, with its number worked out before your eyes.",
    [
        Route("/gallery", worked(show)),
        Route("/gallery/orders", worked(orders_room)),
        Route("/gallery/{name}", one),
        Route("/gallery/{name}/picture", worked(draw)),
        Route("/gallery/{name}/wait", wait),
    ],
    needs="plywright.pacman",
)
