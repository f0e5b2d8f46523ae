"""[PW-MOV-04] What falls to the side whose troops are alone in a hex: whether they came in or the enemy's are gone."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.events import InstallationTaken, Removed
from pbem.games.pacific_war.movements import AnchorageFell
from pbem.games.pacific_war.secret.fleets import unveil_hex
from pbem.games.pacific_war.state import FOE, JAPAN, SIDES, State
from pbem.games.pacific_war.strategic import BombersBased
from pbem.games.pacific_war.tallies import HqDispersed
from pbem.games.pacific_war.units.changes import set_points, settle
from pbem.games.pacific_war.world.initiative import overrun
from pbem.games.pacific_war.world.nations import capture, surrenders
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import yes_or_no
from pbem.kernel.wording import msg


def contested(g: State) -> list[int]:
    """Hexes with ground units of both sides ashore."""
    found = {g.units[u].at for u in g.on_map(JAPAN, "ground") if g.ashore(FOE[JAPAN], g.units[u].at)}
    return sorted(h for h in found if g.ashore(JAPAN, h))


def fall(g: State, places: Sequence[int]) -> Flow[None]:
    """Hexes that were contested: where one side is alone now, they are its own."""
    for place in places:
        for side in SIDES:
            if g.overrun(FOE[side], place):
                yield from occupy(g, side, place)


def occupy(g: State, side: str, place: int) -> Flow[None]:
    """A side's ground units stand in a hex. What is hidden there is seen [PW-SRC-02]; if they are alone, it is theirs."""
    foe = FOE[side]
    yield from unveil_hex(g, foe, place, "PW-SRC-02")
    if g.ashore(foe, place):
        return
    for unit in g.ashore(side, place):
        settle(g, unit, "PW-AMP-06")
    capture(g, side, place)
    ships = g.here(foe, place, "naval", "submarine") or g.afloat(foe, place)
    if (g.port(foe, place) or (ships and g.anchorage(place))) and g.fallen.get(place) != side:
        emit(g, AnchorageFell(place, side))
    if g.fort(foe, place):
        emit(g, Removed(g.fort(foe, place), "eliminated", "PW-BAS-05"))
    field = g.airfield(foe, place)
    if field is not None:
        for u in [u for u in g.here(foe, place, "air") if not g.units[u].aboard]:
            emit(g, Removed(u, "eliminated", "PW-MOV-04"))
        for group in g.bombers(place):  # [PW-STB-02] they leave without a loss
            emit(g, BombersBased(group, 0))
        overrun(g, side, place, "airfields")
        yield from _take_airfield(g, side, place, field.size)
    if g.port(foe, place) is not None:
        emit(g, InstallationTaken("port", place, side, "PW-MOV-04"))
        overrun(g, side, place, "ports")
    for name, hq in g.hqs.items():
        if hq.side == foe and hq.box == "map" and hq.at == place:  # [PW-HQ-01]
            emit(g, HqDispersed(name, "involuntary"))
            set_points(g, name, 0, "PW-HQ-01")
    if place in g.osbs and g.osbs[place].side == foe:
        emit(g, InstallationTaken("osb", place, "", "PW-MOV-04"))
    if side == JAPAN:
        before = contested(g)
        surrenders(g)
        yield from fall(g, before)


def _take_airfield(g: State, side: str, place: int, size: int) -> Flow[None]:
    """The overrunner may replace an airfield by one of his own; otherwise it stays, and nobody uses it."""
    prompt = msg("the airfield in {place} becomes yours", place=g.board.name(place))
    yes = yield from yes_or_no(side, "take_airfield", "PW-MOV-04", prompt, default="yes")
    if yes:
        emit(g, InstallationTaken("airfield", place, side, "PW-MOV-04", size))
