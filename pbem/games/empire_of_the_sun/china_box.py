"""[13.74] [13.75] The ways to China as things stand, and what they feed: the Hump, the Burma Road, the China box."""

from __future__ import annotations

from pbem.games.empire_of_the_sun import burma
from pbem.games.empire_of_the_sun.board import KUNMING
from pbem.games.empire_of_the_sun.burma import eligible_field
from pbem.games.empire_of_the_sun.state import ALLIES, State
from pbem.games.empire_of_the_sun.supply import by_supply, limits_of


def hump_field(g: State) -> bool:
    """[13.75] The Hump has an airfield in Northern India as things stand."""
    return by_supply(g, "hump", lambda: burma.hump_field(g, limits_of(g, ALLIES)))


def flies_to_china(g: State, place: int) -> bool:
    """[13.74] An Allied airfield for flights to China, in the second edition a supply-eligible one."""
    return eligible_field(g, place, limits_of(g, ALLIES)) if g.second else g.friendly_airfield(ALLIES, place)


def burma_road_open(g: State) -> bool:
    """[1e-12.76] Allied hexes from Kunming to Madras. [13.78] Second: along the routes."""
    if KUNMING not in g.board.hexes:
        return True
    return by_supply(g, "burma road", lambda: burma.road(g, limits_of(g, ALLIES)))


def china_box_supplied(g: State) -> bool:
    """[13.74] Units in the China box: the Burma Road is open or the Hump flies."""
    return burma_road_open(g) or (g.has("hump") and hump_field(g))


def wing_in_china_fed(g: State, unit: str) -> bool:
    """[13.74] A unit of the China box is in supply; the first edition asks that of B-29s only."""
    return china_box_supplied(g) or not (g.second or g.counter(unit).b29)
