"""[5.33] Events that move a marker or put one in force."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.burma import NORTHERN_FIELDS
from pbem.games.empire_of_the_sun.events.markers import BargesSet, GroundPenalty, InForce, RouteBuilt
from pbem.games.empire_of_the_sun.events.politics import (
    ChinaMoved,
    EuropeMoved,
    IndiaMoved,
    RivalryBegan,
    RivalryEnded,
    Surrendered,
    WillChanged,
)
from pbem.games.empire_of_the_sun.events.strategy import EscortSet, EscortsStopped, PointsSaved, ShippingSet
from pbem.games.empire_of_the_sun.events.units import Controlled, Placed
from pbem.games.empire_of_the_sun.replacements import replace_steps
from pbem.games.empire_of_the_sun.state import ALLIES, COLLAPSED, INDIA, JAPAN, State, china_coast_lost
from pbem.kernel.events import Event, emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_place
from pbem.kernel.wording import msg, verbatim

Effect = Callable[[State, Card, Any], Flow[None] | None]
WAR_LIMITS = (-7, 3)  # [15.7]


# -- tracks --------------------------------------------------------------------------------------------------------


def points(g: State, card: Card, given: dict[str, int]) -> Flow[None]:
    """[5.33] Japanese steps, used at once as in the Replacement Segment, or saved."""
    left = yield from replace_steps(g, JAPAN, given, "5.33")
    for pool, points in left.items():
        emit(g, PointsSaved(pool, g.points[pool] + points, "5.33"))


def rivalry(g: State, card: Card, turned: dict[str, str]) -> None:
    """[14.0] Rivalry of the services begins or ends."""
    for side, state in turned.items():
        if (side in g.rivalry) != (state == "on"):
            emit(g, RivalryBegan(side) if state == "on" else RivalryEnded(side, "14.0"))


def europe(g: State, card: Card, by_year: dict[str, int]) -> None:
    """[15.0] The War in Europe marker moves by the figure of the year."""
    low, high = WAR_LIMITS
    emit(g, EuropeMoved(max(low, min(high, g.europe + by_year.get(str(g.year), 0)))))


def will(g: State, card: Card, by: int) -> None:
    """[16.44] US Political Will, unless the event needs Manila and Japan does not hold it."""
    if not (card.data.get("needs") == "japan-holds-manila" and not g.holds(JAPAN, 2813)):
        emit(g, WillChanged(by, verbatim(str(card)), "16.44"))


def india(g: State, card: Card, by: int) -> None:
    """[13.62] Towards Revolts, never into surrender; first edition: events reach Unrest."""
    if "india" in g.surrendered:
        return
    top = len(INDIA) - 1 if g.second else 1
    if g.india < top:
        emit(g, IndiaMoved(g.india + by))


def ground_penalty(g: State, card: Card, _: bool) -> None:
    """Gandhi's strike: in the next turn it costs the Commonwealth ground replacements."""
    emit(g, GroundPenalty(g.turn + 1))


# -- China ---------------------------------------------------------------------------------------------------------


def china(g: State, card: Card, by: int) -> None:
    """[13.72] The China front by an event."""
    move_china(g, by, "13.72", event=True)


def move_china(g: State, by: int, rule: str, event: bool, into_stable: bool = False) -> None:
    """[13.72] The China front moves; at its left end the government collapses, in the first edition never by event."""
    if "china" in g.surrendered or (by > 0 and china_coast_lost(g)):
        return
    if by > 0:
        to = g.china + by
        if to >= COLLAPSED and event and not g.second:
            return
        emit(g, ChinaMoved(min(COLLAPSED, to), rule))
        if g.china == COLLAPSED:
            china_surrenders(g)
        return
    lowest = 0 if into_stable or not g.second else min(1, g.china)
    if g.china > lowest:
        emit(g, ChinaMoved(max(lowest, g.china + by), rule))


def china_surrenders(g: State) -> None:
    """[13.73] Chinese units leave the game, air units in China the map."""
    emit(g, Surrendered("china", False, "13.73"))
    for unit, piece in g.pieces.items():
        if g.counter(unit).nation == "chinese" and piece.box != "removed":
            emit(g, Placed(unit, 0, "removed", "13.73"))
    escape = g.second or any(g.friendly_airfield(ALLIES, h) for h in NORTHERN_FIELDS if h in g.board.hexes)
    for unit in g.china_box():
        if escape:
            emit(g, Placed(unit, 0, "schedule", "13.73", due=g.turn + 1))
        else:
            emit(g, Placed(unit, 0, "removed", "13.73"))


def soviets(g: State, card: Card, _: bool) -> None:
    """[5.37] Manchuria's resource hexes are lost to Japan for good; China recovers two boxes."""
    emit(g, InForce("soviets", "5.37"))
    for h in (3302, 3303):
        if h in g.board.hexes and g.holds(JAPAN, h):
            emit(g, Controlled(h, ALLIES, "5.37"))
    move_china(g, -2, "13.72", event=True, into_stable=True)


# -- markers -------------------------------------------------------------------------------------------------------


def simply(event: Event) -> Effect:
    """An effect that only puts a marker in its place."""

    def effect(g: State, card: Card, _: Any) -> None:
        emit(g, event)

    return effect


def escort(g: State, card: Card, by: int) -> None:
    """[12.2] Japanese escorts improve, to four at most."""
    if not g.no_escort:
        emit(g, EscortSet(min(4, g.escort + by)))


def submarine_doctrine(g: State, card: Card, _: bool) -> None:
    """[12.2] Japanese escorts are of no use any more."""
    emit(g, EscortsStopped())


def barges(g: State, card: Card, _: bool) -> None:
    """[8.47] Japanese barges, unless they have been stopped for good."""
    if g.barges != "never":
        emit(g, BargesSet("on"))


def kwai(g: State, card: Card, _: bool) -> None:
    """[13.79] The bridge over the River Kwai, if Japan holds both its ends."""
    if g.holds(JAPAN, 2108) and g.holds(JAPAN, 2109):
        emit(g, InForce("kwai", "13.79"))


def permanent_asp(g: State, card: Card, by: int) -> None:
    """[10.31] More Allied shipping points from now on."""
    emit(g, ShippingSet(ALLIES, g.asp[ALLIES] + by, "10.31"))


def free_route(g: State, card: Card, _: bool) -> Flow[None]:
    """[13.77] Jarhat at once and free, else Ledo or Imphal; the first edition has no such routes."""
    if not g.second or "jarhat" not in g.board.nations.get("routes", {"jarhat": 1}):
        return
    if "jarhat" not in g.routes:
        emit(g, RouteBuilt("jarhat"))
        return
    names = {2205: "ledo", 2105: "imphal"}
    left = [h for h, name in names.items() if name not in g.routes and h in g.board.hexes]
    place = yield from choose_place(g.board.place_index, ALLIES, "route", "13.77", msg("a transport route to build"), left)
    if place:
        emit(g, RouteBuilt(names[place]))
