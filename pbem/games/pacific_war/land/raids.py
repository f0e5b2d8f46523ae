"""[PW-OPT-19] By option a special forces unit raids: full quality, the smallest row of the chart, then it leaves."""

from __future__ import annotations

from pbem.games.pacific_war.events import Moved
from pbem.games.pacific_war.land.demolition import demolish, demolition_targets
from pbem.games.pacific_war.land.occupation import fall, occupy
from pbem.games.pacific_war.land.retreat import retreat_hexes, transports
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.units.changes import board
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_place, yes_or_no
from pbem.kernel.wording import msg

SMALLEST = 5  # steps: the row of the ground chart


def offer_raid(g: State, side: str, place: int) -> Flow[bool]:
    """One special forces unit alone in the hex may raid."""
    units = g.ashore(side, place)
    if g.options.get("raids") != "yes" or len(units) != 1 or g.counter(units[0]).type != "special":
        return False
    yes = yield from yes_or_no(
        side, "raid", "PW-OPT-19", msg("{unit} raids {place}", unit=units[0], place=g.board.name(place)), reaction=True
    )
    return yes


def end_raid(g: State, side: str, place: int, unit: str) -> Flow[None]:
    """Without enemies left everything there is demolished; the raider goes aboard, or to a neighbour, at once."""
    if g.units[unit].box != "map" or g.units[unit].at != place or g.units[unit].aboard:
        return
    if not g.ashore(FOE[side], place):
        for what in demolition_targets(g, place):
            demolish(g, what, place, "PW-OPT-19")
    ships = transports(g, side, place, [unit])
    if ships:
        board(g, unit, ships[unit], "PW-OPT-19")
        yield from fall(g, [place])
        return
    ways = retreat_hexes(g, side, place)
    goal = yield from choose_place(
        g.board.place_index, side, "to", "PW-OPT-19", msg("where {unit} goes", unit=unit), ways, reaction=True
    )
    if goal:
        emit(g, Moved(unit, goal, "PW-OPT-19"))
        yield from fall(g, [place])
        yield from occupy(g, side, goal)
