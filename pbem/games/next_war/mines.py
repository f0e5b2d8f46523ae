"""[7.5] Mines: where they may be, laying them from ships and submarines."""

from __future__ import annotations

from pbem.games.next_war.events.markers import MinesSet
from pbem.games.next_war.events.sea import ThreatSet
from pbem.games.next_war.events.turns import UnitsDone
from pbem.games.next_war.naval import check_can_sail
from pbem.games.next_war.orders import fields, read_own, read_place
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg


def may_mine(g: State, place: int) -> bool:
    """[7.5.1] A sea hex, or a coastal hex with a Port or Beach (newer rules: any coastal hex)."""
    hex_ = g.board.hexes[place]
    coastal = bool(hex_.zone) or any(g.board.hexes[n].terrain == "sea" for n in g.board.near[place])
    return hex_.terrain == "sea" or (coastal and (hex_.port or hex_.beach or g.newer))


def check_markers(g: State, side: str, place: int) -> None:
    """[7.5, 7.5.1] There is a marker for the hex. Raises Rejected."""
    if not may_mine(g, place):
        raise illegal(
            msg("mines cannot be laid in {place}", place=g.board.name(place)), "7.5.1", msg("sea hexes, Ports and Beaches")
        )
    if place in g.mines and g.mines[place].density >= 2:
        raise illegal(msg("the mines there are at density 2"), "7.5.1")
    if place not in g.mines and sum(m.side == side for m in g.mines.values()) >= g.mine_pool[side]:
        raise illegal(msg("no mine marker is left"), "7.5")


def read_mine(g: State, side: str, body: Plain) -> tuple[str, int]:
    """[7.5.1.1] `mine: SAG 1 at 0714`: a naval unit lays mines instead of moving. Raises Rejected."""
    f = fields(body, ("at",), ("units", "at"))
    (ship, *more) = read_own(g, f["units"], side, "7.5.1.1")
    check_can_sail(g, (ship,))
    place = read_place(g, f["at"])
    here = g.pieces[ship].at
    if more or not here or place not in (here, *g.board.near[here]):
        raise illegal(msg("one naval unit lays mines in its own hex or an adjacent one"), "7.5.1.1")
    check_markers(g, side, place)
    return ship, place


def lay(g: State, side: str, ship: str, place: int) -> None:
    """[7.5.1.1] Density 2 (newer rules: 1, or 2 where there are mines)."""
    density = (2 if place in g.mines else 1) if g.newer else 2
    emit(g, MinesSet(place, side, density, "7.5.1.1", ship))
    emit(g, UnitsDone((ship,), "7.5.1.1"))


def read_submine(g: State, side: str, body: Plain) -> int:
    """[7.5.1.2] `submine: 0714`: submarines lay mines; the threat goes down by one, not below one. Raises Rejected."""
    place = read_place(g, body)
    if g.board.hexes[place].terrain != "sea":
        raise illegal(msg("submarines lay mines in sea hexes"), "7.5.1.2")
    if place in g.mines:
        raise illegal(msg("there are mines already"), "7.5.1.2")
    if g.threat[side] < 2:
        raise illegal(msg("the submarine threat is {n}: it does not fall below 1", n=g.threat[side]), "7.5.1.2")
    check_markers(g, side, place)
    return place


def submine(g: State, side: str, place: int) -> None:
    """[7.5.1.2] A marker of density 1."""
    emit(g, ThreatSet(side, g.threat[side] - 1, "7.5.1.2"))
    emit(g, MinesSet(place, side, 1, "7.5.1.2"))
