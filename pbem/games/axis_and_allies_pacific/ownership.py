"""[CAP] [LIB] Capture, liberation, capitals and their money."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.events.conquest import (
    ComplexRemoved,
    ControlChanged,
    FacilitiesTaken,
    JapanFell,
    KamikazeEnabled,
    OwnerChanged,
    TreasuryTaken,
)
from pbem.games.axis_and_allies_pacific.state import SIDES, State, capital_lost, friends
from pbem.kernel.events import emit

KEEPS_WHAT_IT_TAKES = ("netherlands", "france")  # [LIB-03] [AMB-FRENCH-NH]


def capture(g: State, territory: str, power: str) -> None:
    """[CAP-03] [LIB-01] Land units of a power hold a territory that was not friendly: who controls it now?"""
    before = g.control[territory]
    new = new_controller(g, territory, power)
    emit(g, ControlChanged(territory, new, before, "CAP-03" if new == power else "LIB-01"))
    _take_facilities(g, territory, power)
    for gun in [u for u in g.at(territory) if u.type == "aa-gun"]:
        emit(g, OwnerChanged(gun.id, new, "CAP-04" if new == power else "LIB-01"))
    _enable_kamikazes(g, territory, power)
    _capital(g, territory, power)


def new_controller(g: State, territory: str, power: str) -> str:
    """[LIB-01] [LIB-03] [LIB-04] [CHN-05] The captor, or the friend the territory goes back to."""
    place = g.board.territories[territory]
    if power == "china" and not place.chinese:
        return "united-kingdom"  # [CHN-05] Kwangtung and Burma are never China's
    original = place.original
    if original not in SIDES or not friends(original, power) or original in KEEPS_WHAT_IT_TAKES:
        return power
    if g.board.capitals.get(original) == territory:
        return original  # [CAP-09] the capital itself is free
    return power if capital_lost(g, original) else original  # [LIB-04]


def _take_facilities(g: State, territory: str, power: str) -> None:
    if not g.facilities.get(territory):
        return
    place, new = g.board.territories[territory], g.control[territory]
    if place.chinese and SIDES[power] == "allies" and g.facility(territory, "minor-ic", "major-ic"):
        emit(g, ComplexRemoved(territory))
    shrinks = g.options["captured-major-complex"] == "becomes-minor"  # [AMB-CAP-MAJOR]
    emit(g, FacilitiesTaken(territory, new, int(shrinks and new == power), "CAP-05"))


def _enable_kamikazes(g: State, territory: str, power: str) -> None:
    """[KAM-01] An Allied power takes one of the four islands from Japan."""
    islands = g.board.kamikaze_triggers
    if territory in islands and SIDES[power] == "allies" and not g.kamikaze_enabled:
        emit(g, KamikazeEnabled())


def _capital(g: State, territory: str, power: str) -> None:
    loser = next((p for p, c in g.board.capitals.items() if c == territory), None)
    if loser is None:
        return
    if not friends(loser, power):
        if g.cash[loser]:
            emit(g, TreasuryTaken(loser, power, g.cash[loser]))
        if loser == "japan" and (power != "united-kingdom" or g.options["captor-of-japan"] == "any-ally"):  # [AMB-VIC-UK]
            emit(g, JapanFell(g.turns_taken.get("japan", 0) + 1))
        return
    if loser == "japan":
        emit(g, JapanFell(0))
    _give_back(g, loser)


def _give_back(g: State, owner: str) -> None:
    """[CAP-09] With the capital free, what friends hold of its original territory goes back."""
    for territory, place in g.board.territories.items():
        holder = g.control[territory]
        if place.original == owner and holder != owner and friends(holder, owner):
            emit(g, ControlChanged(territory, owner, holder, "CAP-09"))


def settle_liberations(g: State) -> None:
    """[LIB-04] [AMB-LIB-TIMING] At the end of the turn AA guns of friends follow the land that was taken back."""
    for gun in [u for u in g.units.values() if u.type == "aa-gun" and u.at in g.captured]:
        holder = g.control[gun.at]
        if holder != gun.owner:
            emit(g, OwnerChanged(gun.id, holder, "AMB-LIB-AA"))
