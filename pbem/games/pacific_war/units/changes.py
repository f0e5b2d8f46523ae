"""What changes how units, headquarters, installations and shipping stand; nothing happens where nothing changes."""

from __future__ import annotations

from pbem.games.pacific_war.events import InstallationBecame
from pbem.games.pacific_war.postures import (
    Activated,
    Arrived,
    Boarded,
    Closed,
    Deactivated,
    Demoralized,
    Detected,
    FleetJoined,
    FleetLeft,
    Rallied,
    Released,
    ScreenSet,
    Settled,
    WentAshore,
)
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.strategic import EscortsSet, MerchantsSet
from pbem.games.pacific_war.tallies import HqPointsSet
from pbem.kernel.events import emit


def activate(g: State, unit: str, rule: str) -> None:
    """A unit takes part in the operation."""
    if not g.units[unit].active:
        emit(g, Activated(unit, rule))


def deactivate(g: State, unit: str, rule: str) -> None:
    """[PW-ACT-02] A unit takes no part any more and stays out for the month, and so does what it carries."""
    if not g.units[unit].active:
        return
    emit(g, Deactivated(unit, rule))
    close(g, unit, rule)
    for rider in [u for u, x in g.units.items() if x.aboard == unit and x.box == "map"]:
        deactivate(g, rider, rule)


def close(g: State, unit: str, rule: str) -> None:
    """A unit cannot be activated again for now."""
    if not g.units[unit].closed:
        emit(g, Closed(unit, rule))


def demoralize(g: State, unit: str, rule: str) -> None:
    """Troops have failed their test."""
    if not g.units[unit].demoralized:
        emit(g, Demoralized(unit, rule))


def rally_unit(g: State, unit: str, rule: str) -> None:
    """Troops recover."""
    if g.units[unit].demoralized:
        emit(g, Rallied(unit, rule))


def settle(g: State, unit: str, rule: str) -> None:
    """Troops need not attack any more because of how they came."""
    if g.units[unit].landed:
        emit(g, Settled(unit, rule))


def arrive(g: State, unit: str, rule: str) -> None:
    """A unit comes into play."""
    if g.units[unit].box != "map":
        emit(g, Arrived(unit, rule))


def board(g: State, unit: str, ship: str, rule: str) -> None:
    """A unit goes aboard a ship, or off its ship ("")."""
    if g.units[unit].aboard != ship:
        emit(g, Boarded(unit, ship, rule) if ship else WentAshore(unit, rule))
    if ship and not g.units[ship].active:  # [PW-ACT-02] who goes aboard a ship at rest rests with her
        deactivate(g, unit, rule)


def join_fleet(g: State, ship: str, marker: str, screen: bool, rule: str) -> None:
    """A ship is in the core or in the screen of a task force."""
    if g.units[ship].tf != marker:
        emit(g, FleetJoined(ship, marker, rule))
    put_in_screen(g, ship, screen, rule)


def put_in_screen(g: State, ship: str, screen: bool, rule: str) -> None:
    """A ship belongs to the screen, or to the core."""
    if g.units[ship].screen != screen:
        emit(g, ScreenSet(ship, screen, rule))


def leave_fleet(g: State, ship: str, rule: str) -> None:
    """A ship is in no task force."""
    if g.units[ship].tf:
        emit(g, FleetLeft(ship, rule))


def detect(g: State, marker: str, rule: str) -> None:
    """The enemy has found a task force."""
    if not g.markers[marker].detected:
        emit(g, Detected(marker, rule))


def release_fleet(g: State, marker: str, rule: str) -> None:
    """A task force is out of a naval combat."""
    if g.markers[marker].held:
        emit(g, Released(marker, rule))


def set_points(g: State, hq: str, points: int, rule: str) -> None:
    """The command points of a headquarters."""
    if g.hqs[hq].points != points:
        emit(g, HqPointsSet(hq, points, rule))


def set_installation(g: State, kind: str, place: int, hits: int, interdicted: bool, rule: str) -> None:
    """The damage of an installation."""
    base = g.bases(kind)[place]
    if (base.hits, base.interdicted) != (hits, interdicted):
        emit(g, InstallationBecame(kind, place, hits, interdicted, rule))


def set_merchants(g: State, points: int, rule: str) -> None:
    """The points of Japanese merchant shipping."""
    if g.ledger.get("merchants") != points:
        emit(g, MerchantsSet(points, rule))


def set_escorts(g: State, steps: int, rule: str) -> None:
    """The steps of Japanese escorts."""
    if g.ledger.get("escorts") != steps:
        emit(g, EscortsSet(steps, rule))
