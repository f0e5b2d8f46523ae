"""[5.31] Events that win hexes beside the landings of an offensive."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.events.units import Controlled, Placed
from pbem.games.empire_of_the_sun.losses import eliminate
from pbem.games.empire_of_the_sun.movement.limits import barred
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State, offensive
from pbem.games.empire_of_the_sun.supply import hostile, supplied
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_place
from pbem.kernel.wording import msg


def bluff_landing(g: State) -> Flow[None]:
    """[J58 to J60] A hex in extended range of an activated air unit, empty or with a lone Dutch regiment, becomes Japanese."""
    o = offensive(g)
    wings = [u for u in o.units if g.counter(u).kind == "air" and g.pieces[u].box == "map"]
    closed = hostile(g, JAPAN)
    open_to = [
        h
        for h, side in sorted(g.control.items())
        if side == ALLIES
        and h not in closed
        and not o.special
        and any(distance(g.pieces[u].at, h) <= g.counter(u).leg for u in wings)
        and not barred(g, JAPAN, JAPAN, h)
        and not any(g.counter(u).type or g.counter(u).nation != "dutch" or g.counter(u).size != 1 for u in g.mine_at(ALLIES, h))
        and len(g.mine_at(ALLIES, h)) <= 1
    ]
    place = yield from choose_place(
        g.board.place_index, JAPAN, "airborne", "5.31", msg("the hex that becomes Japanese"), open_to, none=True
    )
    if place:
        for unit in g.mine_at(ALLIES, place):
            eliminate(g, unit, "5.31")
        emit(g, Controlled(place, JAPAN, "5.31"))


def airborne(g: State) -> Flow[None]:
    """[A69] The 11th Airborne jumps from an airfield with a supplied US air unit onto an empty hex in its range."""
    unit = "11th-airborne-division"
    o = offensive(g)
    piece = g.pieces[unit]
    if piece.box != "map" or unit in o.units or not g.friendly_airfield(ALLIES, piece.at):
        return
    planes = [u for u in g.mine_at(ALLIES, piece.at, "air") if g.counter(u).nation == "us" and supplied(g, u)]
    reach = max((g.counter(u).range if g.counter(u).lrb else g.counter(u).leg for u in planes), default=0)
    closed = hostile(g, ALLIES)
    open_to = [
        h
        for h in g.board.within(piece.at, reach)
        if g.board.hexes[h].is_land
        and h != piece.at
        and h not in closed
        and not g.occupied(JAPAN, h)
        and not g.mine_at(JAPAN, h)
    ]
    place = yield from choose_place(
        g.board.place_index, ALLIES, "airborne", "5.31", msg("where the 11th Airborne jumps"), open_to, none=True
    )
    if place:
        emit(g, Placed(unit, place, "map", "5.31"))
        if g.holds(JAPAN, place):
            emit(g, Controlled(place, ALLIES, "6.5"))


def chronicle(g: State) -> None:
    """[A28] Landings on empty one-hex islands bring in the empty one-hex islands beside them."""
    o = offensive(g)
    landed = [
        h for h in dict.fromkeys(g.pieces[u].at for u, a in o.units.items() if a.mode in ("assault", "organic"))
        if g.board.hexes[h].one_hex_island and not g.occupied(JAPAN, h)
    ]  # fmt: skip
    for h in landed:
        for n in g.board.near[h]:
            if n and g.board.hexes[n].one_hex_island and g.holds(JAPAN, n) and not g.occupied(JAPAN, n):
                emit(g, Controlled(n, ALLIES, "5.31"))
