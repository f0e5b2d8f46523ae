"""Distances and ways on the board for land, sea and air units."""

from __future__ import annotations

from collections.abc import Callable, Container

from pbem.games.axis_and_allies_pacific.politics import why_not_fly
from pbem.games.axis_and_allies_pacific.state import (
    State,
    Unit,
    hostile_zones,
    is_enemy_unit,
    is_friendly,
    is_neutral,
)

Enter = Callable[[str], bool]


def shortest(g: State, origin: str, to: str, may_pass: Enter, limit: int) -> tuple[str, ...] | None:
    """A shortest way from `origin` to `to` whose inner spaces `may_pass` allows; without the origin. Ties: by name."""
    came: dict[str, str] = {origin: ""}
    ring = [origin]
    for _ in range(limit):
        following: list[str] = []
        for space in ring:
            for near in g.board.neighbours[space]:
                if near in came:
                    continue
                came[near] = space
                if near == to:
                    return _way(came, to)
                if may_pass(near):
                    following.append(near)
        ring = following
    return None


def _way(came: dict[str, str], to: str) -> tuple[str, ...]:
    way = [to]
    while came[way[-1]]:
        way.append(came[way[-1]])
    return tuple(reversed(way[:-1]))


def reach(g: State, origin: str, may_pass: Enter, limit: int) -> dict[str, int]:
    """Every space within `limit` steps through spaces that `may_pass` allows, with its distance."""
    found = {origin: 0}
    ring = [origin]
    for distance in range(1, limit + 1):
        following: list[str] = []
        for space in ring:
            for near in g.board.neighbours[space]:
                if near not in found and may_pass(near):
                    found[near] = distance
                    following.append(near)
        ring = following
    return found


def flight(g: State, plane: Unit, limit: int) -> dict[str, int]:
    """[CM-03] Where an aircraft can fly from where it is, over anything but neutral and closed land."""
    return flights(g, plane.owner, plane.at, limit)


def flights(g: State, power: str, origin: str, limit: int) -> dict[str, int]:
    """[CM-03] Spaces that aircraft of a power reach within `limit` steps, nearest first, with their distances."""
    memo, question = g.lasting(), ("flights", power, origin, limit)
    if question not in memo:
        memo[question] = reach(g, origin, lambda s: may_fly_over(g, power, s), limit)
    found: dict[str, int] = memo[question]
    return found


def may_fly_over(g: State, power: str, space: str) -> bool:
    """[CM-03] [NEUT-06] Whether aircraft of a power may pass a space."""
    memo, question = g.lasting(), ("over", power, space)
    if question not in memo:
        memo[question] = why_not_fly(g, power, space, "") is None
    return bool(memo[question])


def flight_path(g: State, power: str, origin: str, to: str, limit: int) -> tuple[str, ...] | None:
    """A shortest flight to a target, which may itself be neutral land that is attacked."""
    memo, question = g.lasting(), ("flight", power, origin, to, limit)
    if question not in memo:
        memo[question] = shortest(g, origin, to, lambda s: s == to or may_fly_over(g, power, s), limit)
    found: tuple[str, ...] | None = memo[question]
    return found


def stops(g: State, power: str, kind: str, zone: str) -> bool:
    """[CM-12] [SUBM-01] [TRN-01] Whether a ship of this type must stop on entering a zone."""
    return zone in halts(g, power, kind)


def halts(g: State, power: str, kind: str) -> Container[str]:
    """[CM-12] [SUBM-01] [TRN-01] Every zone in which it must."""
    if kind == "submarine":
        return _destroyers(g, power)
    return hostile_zones(g, power)


def _destroyers(g: State, power: str) -> Container[str]:
    memo, question = g.facing(power), ("destroyers",)
    if question not in memo:
        memo[question] = frozenset(u.at for u in g.units.values() if u.type == "destroyer" and is_enemy_unit(g, power, u))
    zones: Container[str] = memo[question]
    return zones


def sail(g: State, ships: list[Unit], to: str, limit: int) -> tuple[str, ...] | None:
    """A shortest way for these ships, none of which may have to stop on the way."""
    power, at = ships[0].owner, ships[0].at
    closed = [halts(g, power, kind) for kind in sorted({s.type for s in ships})]

    def may_pass(space: str) -> bool:
        return space in g.board.zones and not any(space in zones for zones in closed)

    return shortest(g, at, to, may_pass, limit)


def is_open(g: State, power: str, territory: str) -> bool:
    """[CM-04] Friendly land that land units may pass."""
    return territory in g.board.territories and is_friendly(g, power, territory)


def is_empty_hostile(g: State, power: str, territory: str) -> bool:
    """[BLZ-04] No unit, no AA gun, no facility: tanks may blitz through."""
    return (
        territory in g.board.territories
        and not is_neutral(g, territory)
        and not is_friendly(g, power, territory)
        and not [u for u in g.at(territory) if u.owner != power]
        and not g.facilities.get(territory)
    )
