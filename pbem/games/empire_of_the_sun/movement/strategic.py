"""[8.23] [8.33] [8.44] Strategic movement between bases."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.movement.air import fly
from pbem.games.empire_of_the_sun.movement.limits import may_stand, naval_allowance
from pbem.games.empire_of_the_sun.movement.sea import sea_path
from pbem.games.empire_of_the_sun.movement.stacks import stack_moved
from pbem.games.empire_of_the_sun.orders import Route
from pbem.games.empire_of_the_sun.state import FOE, State, offensive
from pbem.games.empire_of_the_sun.supply import eligible_port, hostile
from pbem.kernel.events import Event
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg


def relocate(g: State, side: str, route: Route, kinds: set[str]) -> list[Event]:
    """[8.23] [8.33] [8.44] Strategic movement: doubled, between bases, never through hostile zones, no battle."""
    if kinds == {"air"}:
        return fly(g, side, route, 2 * offensive(g).ops, True)
    if len(kinds) > 1:
        raise illegal(msg("strategic movement is made by units of one kind"), "8.23")
    start = g.pieces[route.units[0]].at
    by_ground = kinds == {"ground"}
    rule = "8.44" if by_ground else "8.23"
    if not g.friendly_port(side, route.to) or g.battle_hex(route.to):
        raise illegal(msg("{place} is no friendly port outside battle", place=g.board.name(route.to)), rule)
    from_port = g.friendly_port(side, start)
    if by_ground:
        _check_transport(g, side, route, start)
    elif not from_port:
        raise illegal(msg("strategic naval movement starts in a friendly port"), rule)
    closed = hostile(g, side)
    allowance = naval_allowance(g) * (2 if from_port else 1)
    path = None
    if start not in closed and not (by_ground and g.second and g.mine_at(FOE[side], route.to)):
        battles = g.offensive.battles if g.offensive else ()
        path = sea_path(g, start, [*route.via, route.to], allowance, closed.union(battles))
    if path is None:
        to = g.board.name(route.to)
        why = msg("{place} is out of reach outside enemy zones; movement allowance: {n}", place=to, n=allowance)
        raise illegal(why, rule)
    return stack_moved(g, route, dict.fromkeys(route.units, path), "strategic", rule)


def _check_transport(g: State, side: str, route: Route, start: int) -> None:
    for unit in route.units:
        if not g.counter(unit).ships_out:
            raise illegal(msg("{unit} cannot be shipped", unit=g.counter(unit).name), "8.44")
        if may_stand(g, unit, route.to):
            raise illegal(may_stand(g, unit, route.to), "8.41")
    if g.second and not eligible_port(g, side, route.to):
        raise illegal(msg("{place} is no supply-eligible port", place=g.board.name(route.to)), "8.44")
    if not g.board.hexes[start].coastal:
        raise illegal(msg("strategic transport starts on a coast"), "8.44")
