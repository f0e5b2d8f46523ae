"""[7.23] The plan of one move order of one stack, whatever moves and however."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.movement.air import fly
from pbem.games.empire_of_the_sun.movement.land import march
from pbem.games.empire_of_the_sun.movement.landings import assault
from pbem.games.empire_of_the_sun.movement.sea import sail
from pbem.games.empire_of_the_sun.movement.strategic import relocate
from pbem.games.empire_of_the_sun.orders import ASSAULT, STRATEGIC, Route, where
from pbem.games.empire_of_the_sun.state import State, activation, offensive
from pbem.kernel.events import Event
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg


def plan(g: State, side: str, verb: str, route: Route, reaction: bool) -> list[Event]:
    """[7.23] The events of one move order of one stack. Raises Rejected with the section."""
    o = offensive(g)
    mine = o.reactors if reaction else o.units
    for unit in route.units:
        if unit not in mine:
            raise illegal(msg("{unit} is not activated", unit=g.counter(unit).name), "7.21", where(g, unit))
    _check_stack(g, route, reaction)
    kinds = {g.counter(u).kind for u in route.units}
    if verb == STRATEGIC or route.way == STRATEGIC:
        if reaction:
            raise illegal(msg("no strategic movement in reaction"), "7.26")
        return relocate(g, side, route, kinds)
    if verb == ASSAULT:
        return assault(g, side, route, reaction)
    if kinds == {"air"}:
        return fly(g, side, route, o.ops, False)
    if kinds == {"naval"}:
        return sail(g, side, route)
    if kinds == {"ground"}:
        return march(g, side, route, reaction)
    legal = msg("{order}: ground units with their escort", order="`assault`")
    raise illegal(msg("a stack of different kinds moves only in an assault"), "7.23", legal)


def _check_stack(g: State, route: Route, reaction: bool) -> None:
    places = {(g.pieces[u].at, g.pieces[u].box) for u in route.units}
    if len(places) > 1:
        apart = msg("their places: {things}", things=tuple(where(g, u) for u in route.units))
        raise illegal(msg("units of one stack start in one hex"), "7.23", apart)
    for unit in route.units:
        if g.pieces[unit].box not in ("map", "china"):
            raise illegal(msg("{unit} is not on the map", unit=g.counter(unit).name), "8.33", where(g, unit))
        mode = activation(g, unit).mode
        if mode and not (mode == "land" and _goes_on(g, route.units)):
            raise illegal(msg("{unit} has moved", unit=g.counter(unit).name), "7.23")
    if reaction:
        for unit in route.units:
            if g.battle_hex(g.pieces[unit].at) and not g.counter(unit).flies:
                raise illegal(msg("{unit} stays in its battle hex", unit=g.counter(unit).name), "7.26")


def _goes_on(g: State, units: Sequence[str]) -> bool:
    """[8.43] The stack that moved last may use the rest of its movement."""
    o = g.offensive
    return o is not None and list(units) == o.moving
