"""[5.33] Events of the Japanese fleet: an evacuation, a fleet that follows its oil, the Tokyo Express."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.board import Card, distance
from pbem.games.empire_of_the_sun.events.markers import ExpressPlaced
from pbem.games.empire_of_the_sun.events.units import Placed, Returned
from pbem.games.empire_of_the_sun.movement.sea import sea_path
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State
from pbem.games.empire_of_the_sun.supply import hostile, supplied
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_place, choose_unit
from pbem.kernel.wording import msg


def evacuation(g: State, card: Card, most: int) -> Flow[None]:
    """Operation KE: up to three ground units of one coastal hex and its neighbours sail to one friendly port, zones ignored."""
    coast = [h for h, x in g.board.hexes.items() if x.coastal and g.mine_at(JAPAN, h) and _leaving(g, h)]
    centre = yield from choose_place(
        g.board.place_index, JAPAN, "evacuate", "5.33", msg("the coastal hex that is evacuated"), coast, none=True
    )
    if not centre:
        return
    ready = _leaving(g, centre)
    ports = [p for p in g.board.ports if g.friendly_port(JAPAN, p) and p != centre and not g.mine_at(ALLIES, p)]
    port = yield from choose_place(g.board.place_index, JAPAN, "port", "5.33", msg("the port they sail to"), ports)
    for _ in range(most):
        reachable = [u for u in ready if port and _sails(g, u, port)]
        unit = yield from choose_unit(
            g.board.unit_index, JAPAN, "evacuate unit", "5.33", msg("a unit that sails"), reachable, none=True
        )
        if not unit:
            return
        path = sea_path(g, g.pieces[unit].at, [port], 30)
        emit(g, Returned(unit, path or (port,), "5.33"))


def _leaving(g: State, centre: int) -> list[str]:
    """Ground units in a hex and beside it that can go by sea."""
    near = [centre, *(n for n in g.board.near[centre] if n)]
    return [u for h in near for u in g.mine_at(JAPAN, h, "ground") if g.counter(u).ships_out]


def _sails(g: State, unit: str, port: int) -> bool:
    return bool(sea_path(g, g.pieces[unit].at, [port], 30)) and g.pieces[unit].at != port


def redeploy(g: State, card: Card, most: int) -> Flow[None]:
    """Fuel shortage: Combined Fleet HQ and up to four ships may go to a port within three hexes of a resource hex."""
    closed = hostile(g, JAPAN)
    oil = [p for p in g.board.ports if g.friendly_port(JAPAN, p) and p not in closed and _near_resource(g, p)]
    port = yield from choose_place(
        g.board.place_index, JAPAN, "port", "5.33", msg("the port the fleet goes to"), oil, none=True
    )
    if not port:
        return
    fleet = [h for h in ("hq-yamamoto", "hq-ozawa") if g.pieces[h].box == "map" and _reaches(g, h, port)]
    free = not any(g.counter(u).kind == "hq" for u in g.units_at(port))
    what = msg("the headquarters that goes along")
    hq = yield from choose_unit(g.board.unit_index, JAPAN, "headquarters", "5.33", what, fleet if free else [], none=True)
    if hq:
        emit(g, Placed(hq, port, "map", "5.33"))
    for _ in range(most):
        ships = [u for u in g.on_map(JAPAN) if g.counter(u).kind == "naval" and g.pieces[u].at != port and _reaches(g, u, port)]
        unit = yield from choose_unit(
            g.board.unit_index, JAPAN, "ship", "5.33", msg("a ship that goes along"), ships, none=True
        )
        if not unit:
            return
        emit(g, Placed(unit, port, "map", "5.33"))


def _near_resource(g: State, place: int) -> bool:
    return any(distance(place, r) <= 3 for r in g.board.resources)


def _reaches(g: State, unit: str, port: int) -> bool:
    closed = hostile(g, JAPAN)
    return sea_path(g, g.pieces[unit].at, [port], 60, closed) is not None


def tokyo_express(g: State, card: Card, _: bool) -> Flow[None]:
    """[6.23] The marker goes to a hex in command range of a supplied HQ; first edition: of any."""
    fed = [h for h in g.on_map(JAPAN) if g.counter(h).kind == "hq" and (supplied(g, h) or not g.second)]
    held = [h for h in g.board.hexes if any(distance(g.pieces[q].at, h) <= g.counter(q).command for q in fed)]
    place = yield from choose_place(
        g.board.place_index, JAPAN, "tokyo express", "6.23", msg("the hex of the Tokyo Express"), held, none=True
    )
    if place:
        emit(g, ExpressPlaced(place))
