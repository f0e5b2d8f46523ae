"""[PW-SIE-01] Sieges: declared at the start of an operation, over when two to one is lost or the besieger goes."""

from __future__ import annotations

from pbem.games.pacific_war.engagements import Besieged, SiegesOver
from pbem.games.pacific_war.selection import some_places
from pbem.games.pacific_war.state import FOE, State
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.wording import msg


def declare_sieges(g: State) -> Flow[None]:
    """[PW-SIE-01] The operations player besieges where his troops stand two to one, never on a single-hex island."""
    side = g.operator
    if g.sieges:
        emit(g, SiegesOver(tuple(g.sieges)))
    places = [h for h in dict.fromkeys(g.units[u].at for u in g.on_map(side, "ground")) if _besiegeable(g, side, h)]
    chosen = yield from some_places(g, side, "besiege", "PW-SIE-01", msg("in which hexes a siege is declared"), sorted(places))
    if chosen:
        emit(g, Besieged(side, tuple(chosen)))


def _besiegeable(g: State, side: str, place: int) -> bool:
    return not g.board.single_island(place) and _two_to_one(g, side, place)


def _two_to_one(g: State, side: str, place: int) -> bool:
    mine, theirs = (sum(g.steps(u) for u in g.ashore(s, place)) for s in (side, FOE[side]))
    return theirs > 0 and mine >= 2 * theirs


def lift_sieges(g: State) -> None:
    """[PW-SIE-01] A siege ends for good under two to one."""
    over = tuple(h for h, side in g.sieges.items() if not _two_to_one(g, side, h))
    if over:
        emit(g, SiegesOver(over))
