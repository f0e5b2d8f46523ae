"""[5.31] [5.33] Events that bring in units, take them out of the game, or give them steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.empire_of_the_sun.board import Card, distance
from pbem.games.empire_of_the_sun.deployment import entry_hexes, may_enter_china_box
from pbem.games.empire_of_the_sun.events.units import Placed, Recovered
from pbem.games.empire_of_the_sun.replacements import chinese_fed, pool_of, rebuildable, replace_steps
from pbem.games.empire_of_the_sun.state import ALLIES, State
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_place, choose_unit
from pbem.kernel.wording import msg

DUTCH_ISLANDS = ("Java", "Borneo", "Sumatra", "Celebes")


def arrives(g: State, card: Card, unit: str) -> Flow[None]:
    """[5.31] C, [5.33] A unit comes in by the event, or is out of the game when it cannot."""
    if g.pieces[unit].box != "event":
        return
    places = arrival_hexes(g, unit)
    prompt = msg("where {unit} arrives", unit=g.counter(unit).name)
    place = yield from choose_place(g.board.place_index, card.side, "arrives", "5.33", prompt, places)
    if place:
        emit(g, Placed(unit, place, "map", "5.33"))
    else:
        emit(g, Placed(unit, 0, "removed", "5.33"))


def arrival_hexes(g: State, unit: str) -> list[int]:
    """Where the unit of an event may be put."""
    found = entry_hexes(g, unit)
    if unit == "hq-abda":
        return [h for h in found if g.board.hexes[h].region in DUTCH_ISLANDS]
    if unit == "7th-armored-brigade":
        return [h for h in found if g.board.hexes[h].region in ("India", "NIndia", "Burma")]
    return found


def chennault(g: State, card: Card, _: bool) -> Flow[None]:
    """The 14th Air Force takes the place of the AVG."""
    if g.pieces["avg"].box not in ("removed",):
        emit(g, Placed("avg", 0, "removed", "5.31"))
    if g.pieces["14-af"].box != "event":
        return
    everywhere = entry_hexes(g, "14-af")
    near = [h for h in everywhere if g.board.hexes[h].region == "NIndia"]
    box = may_enter_china_box(g, "14-af")
    place = yield from choose_place(
        g.board.place_index,
        ALLIES,
        "airfield",
        "5.31",
        msg("where {unit} arrives", unit=g.counter("14-af").name),
        near or ([] if box else everywhere),
        none=box,
    )
    if place:
        emit(g, Placed("14-af", place, "map", "5.31"))
    elif box:
        emit(g, Placed("14-af", 0, "china", "5.31"))
    else:
        emit(g, Placed("14-af", 0, "removed", "5.31"))


def halsey(g: State, card: Card, _: bool) -> Flow[None]:
    """Halsey takes over Ghormley's command where it stands."""
    old = g.pieces["hq-ghormley"]
    at, box = old.at, old.box
    emit(g, Placed("hq-ghormley", 0, "removed", "5.31"))
    if g.pieces["hq-halsey"].box != "event":
        return
    if box == "map":
        emit(g, Placed("hq-halsey", at, "map", "5.31"))
    else:
        yield from arrives(g, card, "hq-halsey")


def vengeance(g: State, card: Card, _: bool) -> None:
    """Ozawa follows Yamamoto where he stands, on the map or on the turn track."""
    old = g.pieces["hq-yamamoto"]
    at, box, due = old.at, old.box, old.due
    if g.pieces["hq-ozawa"].box != "event" or box == "removed":
        return
    emit(g, Placed("hq-yamamoto", 0, "removed", "5.33"))
    emit(g, Placed("hq-ozawa", at, box, "5.33", due=due, undelayable=True))


# -- steps ---------------------------------------------------------------------------------------------------------


def ground_points(g: State, card: Card, given: dict[str, Any]) -> Flow[None]:
    """Ground steps to be used at once: near a hex, or for one nation."""

    def near(h: int) -> bool:
        return "within" not in given or distance(h, given["of"]) <= given["within"]

    def may(unit: str) -> bool:
        piece = g.pieces[unit]
        return given.get("nation", g.counter(unit).nation) == g.counter(unit).nation and (piece.box != "map" or near(piece.at))

    def places(unit: str) -> list[int]:
        home = "Australia" if given.get("nation") == "australian" else ""
        return [h for h in entry_hexes(g, unit) if near(h) and home in ("", g.board.hexes[h].region)]

    yield from replace_steps(g, card.side, {"ground": given["steps"]}, "5.33", may, places)


def naval_points(g: State, card: Card, steps: int) -> Flow[None]:
    """Steps for US ships."""
    yield from replace_steps(g, ALLIES, {"us-naval": steps}, "5.33")


def sextant(g: State, card: Card, _: bool) -> Flow[None]:
    """An Allied air step, and three Chinese steps while China is fed."""
    yield from replace_steps(g, ALLIES, {"chinese": 3 if chinese_fed(g) else 0, "air": 1}, "5.33")


def new_china(g: State, card: Card, _: bool) -> Flow[None]:
    """One step for a Chinese army on the map."""
    yield from replace_steps(g, ALLIES, {"chinese": 1}, "5.33", lambda unit: g.pieces[unit].box == "map")


def airlift(g: State, card: Card, _: bool) -> Flow[None]:
    """One step for the AVG or a 14th Air Force unit; the latter may come back in Northern India or Burma."""
    units = ("avg", "14-af", "14-af-lrb")
    theatre = ("NIndia", "Burma")
    reduced = [u for u in units if g.pieces[u].reduced and _in_theatre(g, u, theatre)]
    gone = [u for u in units if rebuildable(g, u) and pool_of(g.counter(u))]
    unit = yield from choose_unit(
        g.board.unit_index, ALLIES, "airlift", "5.33", msg("the unit that gains a step"), [*reduced, *gone], none=True
    )
    if unit in reduced:
        emit(g, Recovered(unit, "5.33"))
    elif unit:
        places = [h for h in entry_hexes(g, unit) if g.board.hexes[h].region in theatre]
        place = yield from choose_place(
            g.board.place_index, ALLIES, "airfield", "5.33", msg("where {unit} comes back", unit=g.counter(unit).name), places
        )
        if place:
            emit(g, Placed(unit, place, "map", "5.33", reduced=True))


def _in_theatre(g: State, unit: str, regions: Sequence[str]) -> bool:
    piece = g.pieces[unit]
    return piece.box == "china" or (piece.box == "map" and g.board.hexes[piece.at].region in regions)
