"""[17.11] The two Japanese cards of 7 December 1941: what their fleets and landings may do."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.lines import sea_reach
from pbem.games.empire_of_the_sun.losses import lose_step
from pbem.games.empire_of_the_sun.orders import ASSAULT, MOVE, Route
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, LANDINGS, State, offensive
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg

MALAYA_GUNS = (2813, 2015)


def check_operation_1(g: State, verb: str, route: Route) -> None:
    """[17.11] Card J1 sails to Oahu in one stack; J2 lands within five hexes of a Japanese port, under escort at bases."""
    o = offensive(g)
    special = g.board.cards[o.card].data.get("special") if o.event else ""
    if special == "operation-z" and (verb != MOVE or set(route.units) != set(o.units)):
        raise illegal(msg("the fleet of Operation Z sails in one stack"), "17.11")
    check_open_sea(g, route.to)
    if special != "operation-1" or verb != ASSAULT:
        return
    if _sea_distance_to_port(g, route.to) > 5:
        why = msg("{place} is farther than five hexes from every Japanese port", place=g.board.name(route.to))
        raise illegal(why, "17.11")
    ships = [u for u in route.units if g.counter(u).kind == "naval"]
    here = g.board.hexes[route.to]
    if (here.port or here.resource) and not ships and not g.mine_at(JAPAN, route.to, "naval"):
        why = msg("submarines guard ports and resource hexes: the landing needs an escort")
        raise illegal(why, "17.11")


def check_open_sea(g: State, place: int) -> None:
    """[17.11] Card J1 attacks no Allied fleet at sea."""
    o = offensive(g)
    if not o.event or g.board.cards[o.card].data.get("special") != "operation-z":
        return
    if not g.board.hexes[place].is_land and g.mine_at(ALLIES, place):
        raise illegal(msg("Operation Z attacks no Allied fleet at sea"), "17.11")


def _sea_distance_to_port(g: State, to: int) -> int:
    reach = sea_reach(g, [to], frozenset(), 5)
    return min((n for h, n in reach.items() if g.friendly_port(JAPAN, h)), default=99)


def coast_guns(g: State) -> None:
    """[17.11] Manila and Singapore: every ship that escorts a landing there loses a step before the battle."""
    o = offensive(g)
    for place in MALAYA_GUNS:
        landing = any(a.mode in LANDINGS and g.pieces[u].at == place for u, a in o.units.items())
        escorts = [u for u in g.mine_at(JAPAN, place, "naval") if u in o.units]
        if landing and g.holds(ALLIES, place):
            for unit in escorts:
                lose_step(g, unit, "17.11")
