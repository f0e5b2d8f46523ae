"""[9.7, 12.1] Step losses and destruction, with the Victory Points that they bring."""

from __future__ import annotations

from pbem.games.next_war.events.losses import Eliminated, StepLost
from pbem.games.next_war.events.markers import MarkerGone
from pbem.games.next_war.events.turns import Scored
from pbem.games.next_war.state import FOE, State
from pbem.kernel.events import emit
from pbem.kernel.wording import msg


def lose_step(g: State, unit: str, rule: str) -> None:
    """A unit loses a step; its last one destroys it."""
    if g.steps(unit) > 1:
        emit(g, StepLost(unit, rule))
    else:
        destroy(g, unit, rule)


def destroy(g: State, unit: str, rule: str) -> None:
    """[12.1] A unit is destroyed; the other side scores."""
    place = g.pieces[unit].at
    points = int(g.p["vp_chart"].get("eliminated", {}).get(g.counter(unit).value, 0))
    if points:
        emit(g, Scored(FOE[g.seat(unit)], points, msg("destroyed: {name}", name=g.counter(unit).name), "12.1"))
    emit(g, Eliminated(unit, "eliminated" if g.counter(unit).ground else "removed", rule))
    left_marker(g, place)


def left_marker(g: State, place: int) -> None:
    """[8.4.1.3] The Clearing marker goes when nobody is under it any more."""
    marker = g.clearing.get(place)
    if marker is not None and not g.ground(marker.side, place):
        emit(g, MarkerGone(place, "8.4.1.3"))
