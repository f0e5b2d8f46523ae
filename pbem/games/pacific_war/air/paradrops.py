"""[PW-AIR-20] Paradrops: who is carried by what, and the landing."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.events import Moved, Remarked
from pbem.games.pacific_war.land.movement import has_room, no_room, stack_room
from pbem.games.pacific_war.land.occupation import occupy
from pbem.games.pacific_war.orders import read_units
from pbem.games.pacific_war.postures import Landed
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg


def paradrop_cargo(g: State, side: str, body: Plain, aircraft: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """`drops: [unit, ...]`: airborne units in the hex of the aircraft, one step for each air step. Raises Rejected."""
    troops = read_units(g, body, side)
    room = {a: g.steps(a) for a in aircraft}
    found = []
    for troop in troops:
        c, u = g.counter(troop), g.units[troop]
        if c.side != side or c.type != "airborne" or not u.active or u.box != "map" or u.aboard:
            raise illegal(msg("{unit} cannot be dropped", unit=troop), "PW-AIR-20", msg("activated airborne units can"))
        able = [a for a in aircraft if g.units[a].at == u.at and room[a] >= g.steps(troop)]
        if not able:
            raise illegal(
                msg("no aircraft has room for {unit}", unit=troop),
                "PW-AIR-20",
                msg("one air step for each step, in the same hex"),
            )
        room[able[0]] -= g.steps(troop)
        found.append((troop, able[0]))
    return tuple(found)


def _room_below(g: State, troop: str, place: int) -> Flow[bool]:
    """[PW-MOV-05] Friends in the target hex, seen or not, may fill it."""
    if stack_room(g, g.side(troop), place) < g.steps(troop):
        emit(g, Remarked(no_room(g, troop, place), "PW-MOV-05"))
        return False
    return (yield from has_room(g, troop, place))


def drop(g: State) -> Flow[None]:
    """[PW-AIR-20] The troops come down; among enemies they must attack with half quality. Who finds no room flies home."""
    m = g.mission
    assert m is not None
    for troop, air in m.cargo.items():
        able = g.units[troop].box == "map" and g.units[air].box == "map" and air not in m.aborted
        if able and (yield from _room_below(g, troop, m.target)):
            emit(g, Moved(troop, m.target, "PW-AIR-20"))
            emit(g, Landed(troop, True, "PW-AIR-20"))
            yield from occupy(g, m.side, m.target)
