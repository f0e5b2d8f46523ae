"""What is true of every position, whatever was played."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.capacity import CAPACITY, left, usable_complex
from pbem.games.axis_and_allies_pacific.conduct_combat import able_to_engage
from pbem.games.axis_and_allies_pacific.events.economy import UnitPlaced
from pbem.games.axis_and_allies_pacific.events.turns import PhaseBegan
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.landing import has_room
from pbem.games.axis_and_allies_pacific.paths import flights, reach
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    LAND,
    POWERS,
    SEA,
    State,
    Unit,
    at_war,
    friends,
    movement_points,
    zone_is_hostile,
)
from pbem.kernel.canon import canonical
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask
from pbem.kernel.records import from_plain, to_plain


def check(g: State) -> None:
    """Units are where their kind may be, nothing is negative, cargo fits, facilities keep their limits."""
    for unit in g.units.values():
        assert unit.owner in POWERS or unit.owner == "neutral"
        land = unit.at in g.board.territories
        assert not (unit.type in SEA and land), f"{unit} is a ship ashore"
        assert not (unit.type in LAND and not land and unit.aboard is None), f"{unit} swims"
        if unit.aboard is not None:
            ship = g.units[unit.aboard]
            assert ship.at == unit.at and ship.type in ("transport", "aircraft-carrier")
        assert unit.owner != "china" or unit.at in g.board.territories
    for ship in g.units.values():
        if ship.type == "transport":
            assert sum(g.board.types[c.type].load for c in g.cargo(ship)) <= 5
        if ship.type == "aircraft-carrier":
            assert len(g.cargo(ship)) <= 2
    assert all(n >= 0 for n in g.cash.values()), g.cash
    assert all(n >= 0 for counts in g.purchased.values() for n in counts.values())
    assert 0 <= g.kamikaze_left <= 6
    limits = {"major-ic": 20, "minor-ic": 6, "air-base": 6, "naval-base": 6}
    for place, facilities in g.facilities.items():
        kinds = [f.type for f in facilities]
        assert len(kinds) == len(set(kinds)), place
        assert all(0 <= f.damage <= limits[f.type] for f in facilities), place
        assert sum(kind in CAPACITY for kind in kinds) <= 1, f"two complexes in {place}"
    check_peace_on_land(g)
    check_production(g)


def check_peace_on_land(g: State) -> None:
    """[AMB-ATTACK-IS-DOW] Nobody took land over from under units of a power at peace with him."""
    for unit in g.units.values():
        holder = g.control.get(unit.at, "")
        if holder in POWERS and unit.owner in POWERS:
            assert friends(holder, unit.owner) or at_war(g, holder, unit.owner), f"{unit} in land of {holder}"


def check_production(g: State) -> None:
    """[MOB-02] Never more units in a turn than the complexes of the power can make."""
    if g.phase != "mobilize" or g.power == "china":
        return
    began = max(n for n, e in enumerate(g.events) if isinstance(e, PhaseBegan))
    placed = sum(isinstance(e, UnitPlaced) for e in g.events[began:])
    assert placed <= sum(left(g, t) for t in g.facilities if usable_complex(g, g.power, t))


def check_combat_begins(g: State) -> None:
    """[CM-11] When combat begins, somebody who can do it is where submarines or transports are engaged."""
    if g.phase == "conduct-combat" and not g.battles_done and not g.kamikaze_zones:
        for zone in g.engaged:
            assert able_to_engage(g, g.power, zone), f"nobody engages in {zone}"


def check_retreat(g: State, ask: Ask) -> None:
    """[GC-20] Ships and land units go where an attacker came from, and only to what is friendly."""
    space = ask.scope.partition(":")[2]
    for order in ask.options():
        to = order["retreat"] if isinstance(order, dict) else space
        assert to == space or to in g.attacked_from[space]
        assert to not in g.start.hostile_zones or to == space


def check_promise(g: State, ask: Ask) -> None:
    """[AMB-PLEDGE] With one aircraft waiting and a free carrier that can meet it, the phase cannot be ended."""
    waiting = [g.units[i] for i in g.pledged if i in g.units and g.units[i].aboard is None]
    waiting = [u for u in waiting if u.at in g.board.zones]
    if len(waiting) != 1:
        return
    plane = waiting[0]
    near = flights(g, plane.owner, plane.at, max(0, movement_points(g, plane) - plane.used))
    if any(near.keys() & _voyage(g, ship) and ship.at != plane.at for ship in g.of(g.power) if _is_free(g, ship)):
        over = [u for u in g.at(plane.at) if u.type in AIR and u.aboard is None]
        here = any(has_room(g, u) and friends(u.owner, g.power) for u in g.at(plane.at))
        home = any(t in g.board.territories for t in near)
        assert here or home or len(over) > 1 or "done" not in list(ask.options()) or _may_be_built(g), f"{plane} is left alone"


def _is_free(g: State, ship: Unit) -> bool:
    spent = ship.fought or ship.moved == "combat" or any(c.moved for c in g.cargo(ship))
    return has_room(g, ship) and not spent


def _voyage(g: State, ship: Unit) -> set[str]:
    limit = max(0, movement_points(g, ship) - ship.used)
    return set(reach(g, ship.at, lambda z: z in g.board.zones and not zone_is_hostile(g, g.power, z), limit))


def _may_be_built(g: State) -> bool:
    return g.purchased.get(g.power, {}).get("aircraft-carrier", 0) > 0


def check_between_turns(g: State) -> None:
    """When a turn begins nobody is in the air over the sea, and no submarine is still submerged."""
    for unit in g.units.values():
        if unit.type in AIR and unit.at in g.board.zones:
            assert unit.aboard is not None, f"{unit} hovers"
        assert unit.role != "submerged"
    assert not [i for i in g.pledged if i in g.units and g.units[i].owner != g.power], "a promise outlives the turn"


def check_resume(engine: Engine) -> None:
    """A position saved and read again is the same position, in mid-battle too."""
    again = Engine.resume(engine.game, engine.scenario, engine.checkpoint())
    assert again.state_hash() == engine.state_hash()
    plain = to_plain(engine.state)
    state = from_plain(GAME.state_type, plain)  # type: ignore[type-abstract]
    assert canonical(to_plain(state)) == canonical(plain)


def check_options(ask: Ask) -> None:
    """Every order that is offered is accepted."""
    for order in ask.options():
        ask.read(order)


def check_events_alone(engine: Engine, first: State) -> None:
    """The events, applied to the first position, give the last one; every position between them is sound."""
    for event in engine.state.events:
        emit(first, event)
        check(first)
    assert canonical(to_plain(first)) == canonical(to_plain(engine.state))
