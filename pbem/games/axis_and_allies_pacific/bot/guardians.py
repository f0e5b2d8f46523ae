"""Purchases of the United Kingdom and ANZAC: a garrison that holds, ships for the islands, aircraft with the rest."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.axis_and_allies_pacific.bot.forces import without_guards
from pbem.games.axis_and_allies_pacific.bot.judgement import FAR, MARCHING, is_harbour, is_wanted, steps
from pbem.games.axis_and_allies_pacific.bot.mastery import rules_the_sea
from pbem.games.axis_and_allies_pacific.bot.value import exposure
from pbem.games.axis_and_allies_pacific.state import SIDES, State, Unit, is_cargo, side_of

GUARDIANS = ("united-kingdom", "anzac")  # they leave the enemy's fleet to the United States
MERCHANTS, CONVOY = 2, 6  # transports at most, and where the enemy's fleet is beaten
COVERED = 2500  # danger up to which a transport is bought, in thousandths of an IPC
VOYAGE = 4  # zones to a shore that is worth a ship: two turns
MARCH = 2  # steps on land from a complex to troops that its ships can fetch
HOST = 6  # troops beside the garrison and those for the transports that are enough to march with


def guardian_wishes(g: State, power: str, have: Mapping[str, int], land: list[str]) -> list[str]:
    """What a guardian whose capital is safe buys next, best first. It saves up for aircraft where it has men enough."""
    spare = spare_troops(g, power)
    ruled = rules_the_sea(g, power)
    most, far = (CONVOY, FAR) if ruled else (MERCHANTS, VOYAGE)
    if have["transport"] < most and spare > 2 * have["transport"] and _has_a_voyage(g, power, far):
        return ["transport", *land]
    if spare >= HOST + 2 * (have["transport"] + _raiders(g, power)):
        return ["fighter"]
    wing = ["fighter"] if g.cash[power] >= 16 and not g.purchased[power].get("fighter", 0) else []
    return [*wing, *land]


def spare_troops(g: State, power: str) -> int:
    """Land units at and near its complexes that the complexes do not need to be safe, and those that are bought."""
    land = steps(g.board, "land")
    homes = [t for t in g.facilities if g.control[t] == power and g.facility(t, "minor-ic", "major-ic")]
    near = [t for t in g.board.territories if any(land[h].get(t, FAR) <= MARCH for h in homes)]
    idle = sum(len(without_guards(g, power, t, _troops(g, power, t))) for t in near)
    return idle + sum(g.purchased[power].get(k, 0) for k in MARCHING)


def _raiders(g: State, power: str) -> int:
    """Transports of the enemy that are two turns or less from the capital, whatever they carry now."""
    sea, coast = steps(g.board, "sea"), g.board.coast(g.board.capitals[power])
    ships = [u for u in g.units.values() if u.type == "transport" and side_of(g, u.owner) not in ("", SIDES[power])]
    return sum(any(sea[u.at].get(z, FAR) <= VOYAGE for z in coast) for u in ships)


def _troops(g: State, power: str, territory: str) -> list[Unit]:
    return [u for u in g.at(territory) if u.owner == power and u.type in MARCHING and u.aboard is None]


def _has_a_voyage(g: State, power: str, far: int) -> bool:
    """From a harbour where a new transport is not lost, an island that is worth having is so far away at most."""
    sea = steps(g.board, "sea")
    harbours = [z for z in g.board.zones if is_harbour(g, power, z) and danger(g, power, z) <= COVERED]
    islands = [t for t, place in g.board.territories.items() if place.island and is_wanted(g, power, t)]
    return any(sea[h].get(z, FAR) <= far for h in harbours for t in islands for z in g.board.coast(t))


def danger(g: State, power: str, zone: str) -> int:
    """What a new transport adds to what an answer at sea would cost in a zone, in thousandths of an IPC."""
    there = [u for u in g.at(zone) if side_of(g, u.owner) == SIDES[power] and not is_cargo(u)]
    return exposure(g, power, zone, [*there, Unit(0, "transport", power, zone)]) - exposure(g, power, zone, there)
