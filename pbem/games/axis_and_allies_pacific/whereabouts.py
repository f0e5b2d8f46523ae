"""Units by space, owner and ship, and answers about a position: made once, and carried from event to event while they hold."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from pbem.games.axis_and_allies_pacific.stillness import LAND, MOVES, STILL
from pbem.kernel.events import Event

if TYPE_CHECKING:
    from pbem.games.axis_and_allies_pacific.state import Snapshot, Unit

_id = attrgetter("id")


class Places(Struct):
    """Units by space, by owner and by the ship that carries them, and answers computed since the last event (`memo`)."""

    events: int
    count: int
    at: defaultdict[str, list[Unit]] = field(default_factory=lambda: defaultdict(list))
    of: defaultdict[str, list[Unit]] = field(default_factory=lambda: defaultdict(list))
    aboard: defaultdict[int, list[Unit]] = field(default_factory=lambda: defaultdict(list))
    where: dict[int, str] = field(default_factory=dict)  # by id: the space under which a unit is listed
    riding: dict[int, int] = field(default_factory=dict)  # by id: the ship under which a unit is listed
    memo: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    lasting: dict[tuple[Any, ...], Any] | None = None
    facing: dict[str, Facing] = field(default_factory=dict)  # by power


class Facing(Struct):
    """Answers for a power about everybody else's units, and the `memo` of the ground on which they were computed."""

    ground: dict[tuple[Any, ...], Any]
    memo: dict[tuple[Any, ...], Any] = field(default_factory=dict)


class Ground(Struct):
    """Who holds which land, wars and facilities as they were when the answers in `memo` were computed."""

    control: dict[str, str]
    allegiance: dict[str, str]
    captured: dict[str, str]
    wars: list[str]
    start: Snapshot
    facilities: list[tuple[str, str, int, str, str]]  # territory, then the fields of what stands there
    memo: dict[tuple[Any, ...], Any] = field(default_factory=dict)


def listed(units: Mapping[int, Unit], events: int) -> Places:
    """The index as it is made from all units, in their order, which is that of their ids."""
    places = Places(events, len(units))
    at, of, aboard, where, riding = places.at, places.of, places.aboard, places.where, places.riding
    for unit in units.values():
        at[unit.at].append(unit)
        of[unit.owner].append(unit)
        where[unit.id] = unit.at
        if unit.aboard is not None:
            aboard[unit.aboard].append(unit)
            riding[unit.id] = unit.aboard
    return places


def following(before: Places, events: Sequence[Event], units: Mapping[int, Unit]) -> Places | None:
    """The same index behind newer events, with those who moved where they are now; None when it has to be made anew.

    Answers that hold on the same land are kept behind moves and what changes nothing on the map; those about everybody
    else's units, for a power of which alone somebody has moved.
    """
    since: list[Any] = list(events[before.events :])
    if not all(type(event) in STILL or type(event) in MOVES for event in since):
        return None
    places = Places(len(events), before.count, before.at, before.of, before.aboard, before.where, before.riding)
    if not any(type(event) in LAND for event in since):
        places.lasting = before.lasting
    movers = [units[event.unit] for event in since if type(event) in MOVES]
    owners = {unit.owner for unit in movers}
    places.facing = {power: held for power, held in before.facing.items() if owners <= {power}}
    for unit in movers:
        _relist(places, unit)
    return places


def _relist(places: Places, mover: Unit) -> None:
    """A unit that has gone to another space or aboard or ashore, and what it has aboard."""
    was_aboard = places.riding.pop(mover.id, None)
    if mover.aboard is not None:
        places.riding[mover.id] = mover.aboard
    if was_aboard != mover.aboard:
        if was_aboard is not None:
            _strike(places.aboard[was_aboard], mover)
        if mover.aboard is not None:
            insort(places.aboard[mover.aboard], mover, key=_id)
    for unit in (mover, *places.aboard.get(mover.id, ())):
        was = places.where[unit.id]
        if was != unit.at:
            _strike(places.at[was], unit)
            insort(places.at[unit.at], unit, key=_id)
            places.where[unit.id] = unit.at


def _strike(units: list[Unit], unit: Unit) -> None:
    """It is listed here no more."""
    del units[bisect_left(units, unit.id, key=_id)]
