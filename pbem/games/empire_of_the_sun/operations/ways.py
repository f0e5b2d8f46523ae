"""[7.23] The way that a move takes which names its end alone, for who writes it; and another one as short."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.games.empire_of_the_sun.events.offensives import Moved
from pbem.games.empire_of_the_sun.operations.moves import moved
from pbem.games.empire_of_the_sun.orders import MOVE, Route
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.events import Event
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected, judged
from pbem.kernel.stretches import swapped
from pbem.kernel.wording import Message, msg


def chosen_way(g: State, ask: Ask, order: Plain) -> Message | None:
    """The hexes of a move; None for other orders, and where there is no hex between. The order may not stand."""
    if ask.kind != MOVE:
        return None
    try:
        events, route, verb = judged(ask.read, order)
    except Rejected:
        return None
    first = _first(events)
    if route is None or first is None or len(first.path) < 3:
        return None
    told = {
        "units": ", ".join(g.counter(u).name for u in route.units),
        "way": ", ".join(f"{h:04}" for h in first.path[1:-1]),
    }
    other = _another(g, verb, route, first)
    if other is None:
        return msg("{units}: by way of {way}", **told)
    return msg(
        "{units}: by way of {way}; over {place} it is as short, and what may react to it can differ (`via` names hexes)",
        place=f"{other:04}",
        **told,
    )


def _first(events: list[Event]) -> Moved | None:
    return next((e for e in events if isinstance(e, Moved)), None)


def _another(g: State, verb: str, route: Route, known: Moved) -> int | None:
    """A hex over which another way as short leads; none where hexes were named."""
    if route.via:
        return None
    for place, way in swapped(known.path, lambda at: g.board.near[at]):
        try:
            found = _first(moved(g, verb, replace(route, via=(place,))))
        except Rejected:
            continue
        if found is not None and (found.path, found.spent) == (way, known.spent):
            return place
    return None
