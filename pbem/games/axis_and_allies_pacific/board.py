"""The printed board and the unit chart: fixed data, read once from the scenario, never part of the state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct


class Territory(Struct, frozen=True):
    """A land territory as printed. `original` is the power it goes back to when it is liberated."""

    id: str
    name: str
    ipc: int
    owner: str
    original: str
    island: bool  # [ISL-01]
    chinese: bool  # [CHN-03] carries the Chinese emblem
    chinese_may_enter: bool  # [CHN-05] Kwangtung and Burma
    garrison: int  # [NEUT-01]
    victory_city: str
    ic_allowed: bool  # [MOB-06]


class SeaZone(Struct, frozen=True):
    """A sea zone with its symbols."""

    id: str
    name: str
    convoy: bool  # [CONV-01]
    kamikaze: bool  # [KAM-02]


class UnitType(Struct, frozen=True):
    """A row of the unit chart. `load` is its weight aboard a transport (5 fit), `raid` its convoy loss."""

    id: str
    kind: str  # land, air, sea
    cost: int
    attack: int
    defense: int
    move: int
    load: int
    raid: int
    bombard: int


@dataclass(frozen=True, slots=True)
class Board:
    """The map, the charts and the lists printed on the board."""

    territories: Mapping[str, Territory] = field(default_factory=dict)
    zones: Mapping[str, SeaZone] = field(default_factory=dict)
    neighbours: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    types: Mapping[str, UnitType] = field(default_factory=dict)
    facility_cost: Mapping[str, int] = field(default_factory=dict)
    capitals: Mapping[str, str] = field(default_factory=dict)
    victory_cities: Mapping[str, str] = field(default_factory=dict)  # city -> territory
    objectives: tuple[Mapping[str, Any], ...] = ()
    burma_road: tuple[str, ...] = ()
    kamikaze_triggers: tuple[str, ...] = ()
    terms: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)  # spaces as sentences name them

    def name(self, space: str) -> str:
        """A space's printed name."""
        return self.territories[space].name if space in self.territories else self.zones[space].name

    def named(self, name: str) -> str:
        """The space with this printed name."""
        return next(s for s in self.neighbours if self.name(s) == name)

    def is_land(self, space: str) -> bool:
        """A territory, not a sea zone."""
        return space in self.territories

    def coast(self, territory: str) -> tuple[str, ...]:
        """The sea zones that touch a territory."""
        return tuple(s for s in self.neighbours[territory] if s in self.zones)


EMPTY_BOARD = Board()
