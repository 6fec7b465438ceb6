"""Checks of hidden information: what players see, what deals make up, what they remember, searches that see no more."""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

from ..engine import search
from ..engine.chance.opponent_models import Uniform
from ..engine.hidden.beliefs import View
from ..engine.hidden.past import Moment, past_of
from ..engine.hidden.sampling import DealSampler
from ..errors import PlywrightError, Unsuitable
from ..game import CHANCE
from ..games.deal_counts import MOST_LISTED as LISTABLE
from ..number import sums_to_one
from ..result import SearchResult
from ..rng import below, seeded
from ..rule_guard import random_game
from .odds import unlikely
from .subject import Seen, Subject, Verdict, passed, skipped

STATES = 400
DEALT_STATES = 60
DRAWS = 40
"""Deals drawn in each of DEALT_STATES states."""
COUNTED_STATES, COUNTED_DRAWS = 5, 4_000
"""States in which draws are counted and compared with deals(), and how many."""
FALSE_ALARM = 1e-9
"""The probability that an honest deal() is suspected in one view."""
MOST_LISTED = 20_000
"""Deals after which no more are listed."""
REACHABLE = 20_000
"""States of a game that is walked in full, to know which deals are possible."""
RECALL_GAMES, RECALL_PLIES = 150, 300
PAST_GAMES = 8
SEARCHED = 4
NOT_HIDDEN = "nothing is hidden in this game"


def observations(subject: Subject) -> Verdict:
    """What looks the same has the same legal actions, and an observation of an observation is itself."""
    game, guard = subject.game, subject.guard
    if not game.hidden:
        return skipped(NOT_HIDDEN)
    known: dict[Any, list[int]] = {}
    blind = count = 0
    for seen, view in _views(subject, STATES):
        state, mover, legal = seen.visit.state, seen.visit.mover, sorted(seen.visit.choices)
        other = known.setdefault((mover, view), legal)
        if other != legal:
            return subject.fail(
                f"observation() shows {game.player_name(mover)} the same, {view!r}, in two states with different legal "
                f"actions, {other} and {legal}",
                "a player must be able to tell what is legal: put that into observation()",
            )
        if type(view) is type(state) and guard.call("observation", view, mover) != view:
            return subject.fail(
                f"observation() of the observation {view!r} is {guard.call('observation', view, mover)!r}",
                "what is hidden must stay hidden, and the rest as it is",
            )
        views = [guard.call("observation", state, player) for player in range(game.players)]
        blind += any(view != state for view in views)
        count += 1
    if count and not blind:
        return subject.fail(
            f"observation() shows every player the whole state in all {count:,} states seen",
            "leave out what is hidden, or leave observation() out",
        )
    return passed(f"{count:,} observations: what looks the same has the same legal actions")


def deals(subject: Subject) -> Verdict:
    """Deals look like what was seen, are possible, agree in mover and actions, and are drawn as they are listed."""
    game = subject.game
    if not game.hidden:
        return skipped(NOT_HIDDEN)
    listed, drawn = game.lists_deals, game.draws_deals
    if not listed and not drawn:
        return skipped("the game has neither deal() nor deals(): no search over deals can play it")
    reachable = _reachable(subject)
    count = counted = 0
    refusal = ""
    for seen, view in _views(subject, DEALT_STATES):
        odds: dict[Any, float] = {}
        if listed and count < MOST_LISTED and not (drawn and _too_many(subject, seen, view)):
            try:
                verdict, odds = _listed(subject, seen, view, reachable)
            except Unsuitable as error:
                if not drawn:
                    return subject.fail(f"deals() refuses: {error}", "define deal(), which draws one")
                refusal = refusal or f"; where they are too many deals() refuses, as it may: {error}"
                verdict = None
            if verdict is not None:
                return verdict
            count += len(odds)
        if drawn:
            rng = seeded(subject.seed + count)
            counts = Counter(_dealt(subject, view, seen, rng) for _ in range(DRAWS))
            for state in counts:
                if wrong := _wrong(subject, "deal()", state, seen, view, reachable, odds):
                    return wrong
            count += DRAWS
        if listed and drawn and counted < COUNTED_STATES and len(odds) > 1:
            counted += 1
            if wrong := _suspicion(subject, seen, view, odds):
                return wrong
    how = f", and drawn as listed in {counted} of them" if counted else ""
    return passed(f"{count:,} deals look like what was seen{how}{refusal}")


def recall(subject: Subject) -> Verdict:
    """Where perfect_recall is claimed, what a player sees tells all that it saw and did before."""
    game, guard = subject.game, subject.guard
    if not game.hidden or not game.perfect_recall:
        return skipped(NOT_HIDDEN if not game.hidden else "perfect_recall is not claimed: equilibria need it")
    known: dict[tuple[int, Any], tuple[Any, ...]] = {}
    rng, count = seeded(subject.seed), 0
    for _ in range(RECALL_GAMES):
        past: dict[int, tuple[Any, ...]] = {}
        for visit in random_game(guard, rng, RECALL_PLIES):
            if visit.mover is None or visit.mover == CHANCE:
                continue
            view = guard.call("observation", visit.state, visit.mover)
            before = past.get(visit.mover, ())
            other = known.setdefault((visit.mover, view), before)
            if other != before:
                return subject.fail(
                    f"{game.player_name(visit.mover)} sees {view!r} after having acted and seen {before!r}, and also "
                    f"after {other!r}, but perfect_recall is claimed",
                    "put what the player saw and did into observation(), or do not claim it",
                )
            past[visit.mover] = (*before, (view, visit.action))
            count += 1
    if count == len(known):
        return skipped(f"none of {count:,} views was met twice: whether one tells its whole past could not be compared")
    return passed(f"{len(known):,} views, met {count:,} times, each tell one past")


def pasts(subject: Subject) -> Verdict:
    """What a seat remembers is the same whichever state is behind its view, and earlier() leads back along it."""
    game, guard = subject.game, subject.guard
    if not game.hidden:
        return skipped(NOT_HIDDEN)
    if not game.recalls or not (game.draws_deals or game.lists_deals):
        return skipped("the game has no earlier(): beliefs by a past are drawn by playing it from the start")
    rng, count = seeded(subject.seed), 0
    for _ in range(PAST_GAMES):
        states: list[Any] = []
        actions: list[int] = []
        for visit in random_game(guard, rng, RECALL_PLIES):
            states.append(visit.state)
            if visit.mover not in (None, CHANCE) and below(rng, 3) == 0:
                with guard.calling("observation"):
                    past = past_of(game, states, actions, int(visit.mover))
                seen = Seen(visit, guard.moves, len(actions), None)
                wrong = _led_back(subject, seen, past)
                if wrong is None and count < SEARCHED and game.draws_deals:
                    wrong = _searched_by_past(subject, seen, past)
                if wrong is not None:
                    return wrong
                count += 1
            actions.append(visit.action)  # type: ignore[arg-type]
    return passed(f"{count:,} pasts tell no more than was seen, and lead back from the deals of their views")


def _led_back(subject: Subject, seen: Seen, past: tuple[Moment, ...]) -> Verdict | None:
    """What is wrong with a past or with earlier() for the truth and for a state that looks the same."""
    game, guard, seat = subject.game, subject.guard, int(seen.visit.mover or 0)
    view = guard.call("observation", seen.visit.state, seat)
    lookalike = _lookalike(subject, seen, view)
    for state in (seen.visit.state, lookalike):
        if state is None:
            continue
        for moment in past:
            with guard.calling("earlier"):
                before = game.coerce_state(game.earlier(state, moment.view, seat))
            if (looks := guard.call("observation", before, seat)) != moment.view:
                return subject.fail(
                    f"earlier() makes {before!r} of {moment.view!r}, but that looks like {looks!r}",
                    "it is the earlier observation with what the later state knows to be hidden in it, unless "
                    "observation() shows on the way what is hidden",
                )
        with guard.calling("earlier"):
            fits = DealSampler(View(game, view, seat), past, {}).weigh(state) > -math.inf
        if not fits and (state is seen.visit.state or game.perfect_recall):
            who = "the true state" if state is seen.visit.state else f"{state!r}, which looks the same,"
            return subject.fail(
                f"the past of {game.player_name(seat)} does not lead to {who}",
                "earlier() must give the states that led there, or an observation on the way tells what is hidden",
            )
    return None


def _searched_by_past(subject: Subject, seen: Seen, past: tuple[Moment, ...]) -> Verdict | None:
    """Whether a search by a past and a model of the others answers the same for two truths behind one view."""
    game, seat = subject.game, int(seen.visit.mover or 0)
    view = subject.guard.call("observation", seen.visit.state, seat)
    model = {player: Uniform() for player in range(game.players) if player != seat}
    options = {"depth": 1, "deals": 3, "table": 0.1, "beliefs": model, "past": past}
    truths = [state for state in (seen.visit.state, _lookalike(subject, seen, view)) if state is not None]
    try:
        answers = [_sealed_search(subject, seen, view, truth, "deals", options) for truth in truths]
    except PlywrightError as error:
        return subject.fail(f"deals cannot search by what a seat remembers: {error}", "mend what it names")
    return _seeing(subject, seen, view, "deals", answers)


class Sealed:
    """What stands for the true state while a search thinks: whatever is asked of it is refused."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise PeekError("a search has looked at the true state")

    __getattr__ = __getitem__ = __iter__ = __len__ = __eq__ = __hash__ = __bool__ = __int__ = __index__ = _refuse
    __float__ = __repr__ = __str__ = __lt__ = __gt__ = __contains__ = _refuse


class PeekError(Exception):
    """The true state was looked at."""


def blind_search(subject: Subject) -> Verdict:
    """A search answers by what a seat sees alone: alike where the truth is another, and with the true state sealed."""
    game = subject.game
    if not game.hidden:
        return skipped(NOT_HIDDEN)
    listed, drawn = game.lists_deals, game.draws_deals
    if not listed and not drawn:
        return skipped("the game has neither deal() nor deals()")
    ways: dict[str, dict[str, Any]] = {"ismcts": {"nodes": 24, "longest": 400, "memory": 1.0}}
    if drawn:
        ways["deals"] = {"depth": 2, "deals": 4, "table": 0.1}
    count = compared = 0
    for seen, view in _views(subject, SEARCHED):
        other = _lookalike(subject, seen, view)
        for algorithm, options in ways.items():
            answers = []
            for truth in (seen.visit.state, other):
                if truth is not None:
                    try:
                        answers.append(_sealed_search(subject, seen, view, truth, algorithm, options))
                    except PlywrightError as error:
                        return subject.fail(
                            f"{algorithm} cannot search from what a seat sees: {error}", "mend what it names"
                        )
            if wrong := _seeing(subject, seen, view, algorithm, answers):
                return wrong
            count += 1
            compared += len(answers) > 1
    return passed(
        f"{count} searches chose legal actions by what a seat sees alone, {compared} with two truths behind it"
    )


# -- parts -----------------------------------------------------------------------------------------------------------


def _views(subject: Subject, most: int) -> Any:
    """Decisions of the sample with what the mover sees there."""
    for seen in subject.visits(over=False):
        if most and seen.visit.mover not in (None, CHANCE):
            most -= 1
            yield seen, subject.guard.call("observation", seen.visit.state, seen.visit.mover)


def _lookalike(subject: Subject, seen: Seen, view: Any) -> Any:
    """Another state that looks like the true one to the mover; None where none was dealt."""
    rng, mover = seeded(subject.seed), int(seen.visit.mover or 0)
    for _ in range(DRAWS):
        if subject.game.draws_deals:
            state = _dealt(subject, view, seen, rng)
        else:
            with subject.guard.calling("deals"):
                states = [subject.game.coerce_state(state) for state, _ in subject.game.deals(view, mover)]
            state = states[below(rng, len(states))]
        if state != seen.visit.state:
            return state
    return None


def _sealed_search(
    subject: Subject, seen: Seen, view: Any, truth: Any, algorithm: str, options: dict[str, Any]
) -> SearchResult:
    """The answer of a search where this is the true state: the rules meet it first, then what is sealed.

    A rule that keeps aside what it was given, for another rule to look at, has either the truth or the seal.
    """
    game, guard, mover = subject.game, subject.guard, int(seen.visit.mover or 0)
    guard.call("observation", truth, mover)
    with contextlib.suppress(Exception):
        game.observation(Sealed(), mover)
    with guard.calling("search"):
        return search(game, view, seat=mover, algorithm=algorithm, compiled=False, **options)


def _seeing(subject: Subject, seen: Seen, view: Any, algorithm: str, answers: list[SearchResult]) -> Verdict | None:
    """What the answers of one search, given the same view of different truths, tell that they must not."""
    legal = list(seen.visit.choices)
    for found in answers:
        if found.action not in legal:
            return subject.fail(
                f"{algorithm}, which sees {view!r}, chooses {found.action}, but the legal actions are {legal}",
                "deals of a view must have the legal actions of the true state",
            )
    if len({(found.action, found.value) for found in answers}) > 1:
        values = " and ".join(f"{found.action} worth {found.value:g}" for found in answers)
        return subject.fail(
            f"{algorithm}, which sees {view!r}, finds {values} for two true states that look the same",
            "a rule passes on what is hidden: deal() must depend on the observation and the generator alone",
        )
    return None


def _reachable(subject: Subject) -> set[Any] | None:
    """Every state that play can reach, or None where there are too many."""
    guard = subject.guard
    start = guard.settled("initial", guard.call("initial"))
    known, walk, rng = {start}, [start], seeded(1)
    if subject.game.has_chance and not subject.game.lists_chance:
        return None
    while walk:
        state = walk.pop()
        if guard.terminal(state):
            continue
        for action in guard.choices(state, guard.mover(state), rng):
            after = guard.settled("result", guard.call("result", state, action))
            if after not in known:
                known.add(after)
                walk.append(after)
        if len(known) > REACHABLE:
            return None
    return known


def _listed(
    subject: Subject, seen: Seen, view: Any, reachable: set[Any] | None
) -> tuple[Verdict | None, dict[Any, Any]]:
    """The deals that deals() lists, by state; or what is wrong with them."""
    guard, mover = subject.guard, int(seen.visit.mover or 0)
    refusal: Unsuitable | None = None
    with guard.calling("deals"):
        try:
            pairs = [(subject.game.coerce_state(state), float(odds)) for state, odds in subject.game.deals(view, mover)]
        except Unsuitable as error:
            refusal = error
    if refusal is not None:
        raise refusal
    odds: dict[Any, float] = {}
    for state, probability in pairs:
        odds[state] = odds.get(state, 0.0) + probability
        if wrong := _wrong(subject, "deals()", state, seen, view, reachable, {}):
            return wrong, odds
        if not 0 < probability <= 1:
            return subject.fail(f"deals() gives {state!r} the probability {probability:g}", "it must be above 0"), odds
    total = math.fsum(odds.values())
    if not sums_to_one(total):
        return subject.fail(f"deals() yields probabilities that sum to {total:.9g}", "they must sum to 1"), odds
    if seen.visit.state not in odds:
        return subject.fail(
            f"deals() of {view!r} leaves out the true state {seen.visit.state!r}",
            "it must list every state that looks like this",
        ), odds
    return None, odds


def _too_many(subject: Subject, seen: Seen, view: Any) -> bool:
    """Whether the game counts more deals than are listed here, but fewer than it refuses to list."""
    counted = subject.guard.call("count_deals", view, int(seen.visit.mover or 0))
    return counted is not None and MOST_LISTED < counted <= LISTABLE


def _dealt(subject: Subject, view: Any, seen: Seen, rng: Any) -> Any:
    with subject.guard.calling("deal"):
        return subject.game.coerce_state(subject.game.deal(view, int(seen.visit.mover or 0), rng))


def _wrong(
    subject: Subject, rule: str, state: Any, seen: Seen, view: Any, reachable: set[Any] | None, odds: dict[Any, float]
) -> Verdict | None:
    """What is wrong with a dealt state; None where nothing is."""
    guard, mover = subject.guard, int(seen.visit.mover or 0)
    looks = guard.call("observation", state, mover)
    if looks != view:
        return subject.fail(
            f"{rule} makes {state!r} of the observation {view!r}, but that looks like {looks!r}",
            "either it deals what the player knows to be otherwise, or observation() tells what is hidden",
        )
    if (reachable is not None and state not in reachable) or (odds and state not in odds):
        known = "no play leads to" if reachable is not None and state not in reachable else "deals() does not list"
        return subject.fail(f"{rule} deals {state!r}, which {known}", "deal only what is possible")
    if guard.terminal(state) or guard.mover(state) != mover:
        return subject.fail(
            f"{rule} makes {state!r} of {view!r}, in which {subject.game.player_name(mover)} is not to move",
            "whoever sees something to decide must be to move in every deal of it",
        )
    legal, truly = sorted(guard.actions(state)), sorted(seen.visit.choices)
    if legal != truly:
        return subject.fail(
            f"{rule} makes {state!r} of {view!r}, with the legal actions {legal} instead of {truly}",
            "states that look the same to the mover must have the same legal actions",
        )
    return None


def _suspicion(subject: Subject, seen: Seen, view: Any, odds: dict[Any, float]) -> Verdict | None:
    """A state that deal() draws far more or less often than deals() says; None where all agree."""
    rng = seeded(subject.seed)
    counts = Counter(_dealt(subject, view, seen, rng) for _ in range(COUNTED_DRAWS))
    suspect = unlikely(counts, odds, COUNTED_DRAWS, FALSE_ALARM / len(odds))
    if suspect is None:
        return None
    return subject.fail(
        f"deal() draws {suspect!r} in {counts[suspect]:,} of {COUNTED_DRAWS:,} cases, but deals() gives it the "
        f"probability {odds[suspect]:g}",
        "draw with the probabilities that deals() lists",
    )


VIEW_CHECKS: list[tuple[str, Callable[[Subject], Verdict]]] = [
    ("observations", observations),
    ("deals", deals),
    ("recall", recall),
    ("pasts", pasts),
    ("blind search", blind_search),
]
