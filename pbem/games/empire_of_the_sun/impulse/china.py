"""[13.72] China offensives of the Japanese player."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.china_box import burma_road_open, china_box_supplied, hump_field
from pbem.games.empire_of_the_sun.d10 import throw
from pbem.games.empire_of_the_sun.events.politics import ChinaOffensiveMade, ChinaRolled
from pbem.games.empire_of_the_sun.happenings.tracks import move_china
from pbem.games.empire_of_the_sun.state import ALLIES, State
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.wording import die_for

BURMA_ROAD_SUPPORT = {"open": 8, "hump": 4, "closed": 0}  # Burma Road track


def china_offensive(g: State, card: Card) -> Flow[None]:
    """[13.72] d10 and one for each supporting air unit against the divisions in China less the Burma Road's support."""
    emit(g, ChinaOffensiveMade())
    value = g.divisions - burma_road_support(g)
    wings = supporting_wings(g)
    label = die_for("China offensive")
    die = yield from throw(label, "13.72", ALLIES)
    success = die + wings <= value
    emit(g, ChinaRolled(label, value, wings, die, success))
    if success:
        move_china(g, 1, "13.72", event=False)
    elif wings or (g.china_box() and not g.second):
        move_china(g, -1, "13.72", event=False)


def burma_road_support(g: State) -> int:
    """[13.78] E: what the state of the road takes from a China offensive."""
    if burma_road_open(g):
        return BURMA_ROAD_SUPPORT["open"]
    return BURMA_ROAD_SUPPORT["hump" if g.has("hump") and hump_field(g) else "closed"]


def supporting_wings(g: State) -> int:
    """[13.72] B: non-LRB air units in the China box, and the 14th Air Force LRB; supplied ones only in the second edition."""
    if g.second and not china_box_supplied(g):
        return 0
    return sum(not g.counter(u).lrb or u == "14-af-lrb" for u in g.china_box())
