"""What is printed: the map, the counters and the cards. Never changes during a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from pbem.games.empire_of_the_sun.fields import Field, Fields, build
from pbem.kernel.hexes import SIDES, Grid, distances
from pbem.kernel.naming import Index, hex_index, hex_number
from pbem.kernel.wording import Message, linked, verbatim

GRID = Grid(odd_lower=True)
TERRAIN_COST = {"open": 2, "jungle": 4, "mixed": 4, "mountain": 6, "atoll": 4}  # [8.42] half movement points
ROUTE_COST = 1
TERRAIN_DRM = {"jungle": -1, "mixed": -2, "mountain": -3}  # [9.4]
CARRIERS = ("cv", "cvl", "cve")
TOKYO, OAHU, KUNMING, LASHIO, MADRAS, RANGOON, CALCUTTA, PORT_MORESBY = 3706, 5808, 2407, 2206, 1406, 2008, 1805, 3823
KWAI, RAILWAY = (2108, 2109), (2008, 2108, 2109, 2010, 2110)  # [13.79] the bridge, the railway from Rangoon to Bangkok
MANILA, SINGAPORE, MALDIVES, AIR_FERRY = 2813, 2015, 1005, 5408  # [8.35] the ferry hex serves only as a stop between legs

_ORDINAL = re.compile(r"(?<=[0-9])(st|nd|rd|th)\b")


class Hex(Struct, frozen=True):
    """One hex. `sides` N to NW: W sea, L land, R transport route, w/l present but not playable, - closed."""

    id: int
    terrain: str
    kind: str  # sea, land, coast, island (one-hex island), atoll
    sides: tuple[str, ...]
    name: str = ""
    region: str = ""
    port: bool = False
    airfield: bool = False
    resource: bool = False
    city: str = ""  # plain, homeland (militia 12-12), garrison (9-12)
    source: str = ""
    japan: bool = False

    @property
    def is_land(self) -> bool:
        """Anything that a ground unit can stand on."""
        return self.kind != "sea"

    @property
    def one_hex_island(self) -> bool:
        """[1.3] The island lies wholly in this hex; atolls are such islands."""
        return self.kind in ("island", "atoll")

    @property
    def coastal(self) -> bool:
        """Land with a sea hexside."""
        return self.is_land and any("W" in s for s in self.sides)

    @property
    def base(self) -> bool:
        """[7.27] A city, port or airfield."""
        return self.port or self.airfield or bool(self.city)

    @property
    def named(self) -> bool:
        """[1.3] Named location, second edition: resource hexes as well."""
        return self.base or self.resource


class Counter(Struct, frozen=True):
    """A unit as printed [1.23]. Strengths in points, ranges in hexes, `size` 4 army to 1 brigade."""

    id: str
    name: str
    side: str
    kind: str  # ground, air, naval, hq
    nation: str
    service: str = ""
    type: str = ""
    size: int = 0
    attack: int = 0
    reduced: int = 0
    defense: int = 0
    steps: int = 2
    range: int = 0
    extended: int = 0
    parenthesis: bool = False
    command: int = 0
    efficiency: int = 0
    asp: int = 0
    reduced_asp: int = 0
    prewar: bool = False
    replaced_by: str = ""
    lrb: bool = False
    b29: bool = False
    marine: bool = False
    organic: bool = False
    burma: bool = False

    @property
    def carrier(self) -> bool:
        """[1.3] CV, CVL and CVE."""
        return self.type in CARRIERS

    @property
    def flies(self) -> bool:
        """Air units and carriers: they fight at a distance and have a zone of influence."""
        return self.kind == "air" or self.carrier

    @property
    def reach(self) -> int:
        """The longest distance at which it can fight."""
        return self.range if self.parenthesis or not self.extended else self.extended

    @property
    def leg(self) -> int:
        """The longest leg of an air move."""
        return self.extended or self.range

    @property
    def allegiance(self) -> str:
        """What decides which HQs may command it [6.12]."""
        if self.nation == "us" and self.kind == "air":
            return "us marine air" if self.service == "navy" else "us air"
        return "commonwealth" if self.commonwealth else self.nation

    @property
    def commonwealth(self) -> bool:
        """[1.3] British, Australian, New Zealand, Indian."""
        return self.nation in ("british", "australian", "new-zealand", "indian")

    @property
    def lands(self) -> bool:
        """[1.3] Able to assault from the sea."""
        able = self.nation in ("japan", "us", "british", "australian", "new-zealand")
        return self.kind == "ground" and able and self.id != "7th-armored-brigade"

    @property
    def ships_out(self) -> bool:
        """[8.44] [8.49] Able to go by strategic sea transport."""
        return self.lands or self.id == "7th-armored-brigade"


class Card(Struct, frozen=True):
    """A strategy card: `data` holds the keys of its event."""

    id: str
    name: str
    type: str  # military, reaction, resource, political
    ops: int
    kind: str = ""  # of a reaction card: intelligence, counteroffensive, attack, weather, personage
    oc: int | None = None
    ec: int | None = None
    draw: bool = False
    remove: bool = False
    reshuffle: bool = False
    data: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @property
    def side(self) -> str:
        """Whose deck it is in."""
        return "japan" if self.id[0] == "J" else "allies"

    @property
    def surprise(self) -> bool:
        """[5.31] B: the event prints Surprise Attack."""
        return bool(self.data.get("surprise"))

    def __str__(self) -> str:
        return f"{self.id} {self.name}"

    @property
    def told(self) -> Message:
        """Number and title, the title in the language of whoever reads it."""
        return linked(" ", verbatim(self.id), Message(self.name))


@dataclass(frozen=True)
class Board:
    """Map, counters, cards and national areas of one scenario."""

    hexes: Mapping[int, Hex]
    counters: Mapping[str, Counter]
    cards: Mapping[str, Card]
    nations: Mapping[str, Mapping[str, Any]]
    edges: tuple[int, int]  # westernmost and easternmost column
    links: Mapping[tuple[int, int], int] = field(default_factory=dict)  # ways to off-map boxes of the small maps, in hexes
    japan_began: frozenset[int] = frozenset()  # what is Japan's when the scenario begins

    @cached_property
    def near(self) -> Mapping[int, tuple[int, ...]]:
        """The six neighbours, 0 where there is none on the map."""
        return {h: tuple(n if n in self.hexes else 0 for n in GRID.neighbours(h)) for h in self.hexes}

    @cached_property
    def by_sea(self) -> Mapping[int, tuple[int, ...]]:
        """Neighbours across a playable sea hexside."""
        return {h: self._across(h, "W") for h in self.hexes}

    @cached_property
    def sailing(self) -> Mapping[int, tuple[tuple[int, int], ...]]:
        """Neighbours across a playable sea hexside and ends of long ways by sea, each with the hexes to it."""
        long = {h: tuple((b, n) for (a, b), n in self.links.items() if a == h and b in self.hexes) for h in self.hexes}
        return {h: tuple((n, 1) for n in near) + long[h] for h, near in self.by_sea.items()}

    @cached_property
    def by_land(self) -> Mapping[int, tuple[int, ...]]:
        """Neighbours across a playable land hexside."""
        return {h: self._across(h, "L") for h in self.hexes}

    def _across(self, here: int, mark: str) -> tuple[int, ...]:
        return tuple(n for n, s in zip(self.near[here], self.hexes[here].sides, strict=True) if n and mark in s)

    def side_between(self, one: int, other: int) -> str:
        """The marks of the hexside between two neighbours."""
        i = self.near[one].index(other)
        return self.hexes[one].sides[i]

    def route(self, one: int, other: int) -> bool:
        """A strategic transport route crosses this hexside."""
        return "R" in self.side_between(one, other)

    @cached_property
    def rings(self) -> Mapping[int, tuple[int, ...]]:
        """[6.4] Every hex within two hexes: how far a zone of influence reaches."""
        return {h: tuple(n for n in GRID.within(h, 2) if n in self.hexes) for h in self.hexes}

    @cached_property
    def fields(self) -> Fields:
        """The map as bit fields: steps by sea, by land, along routes, across any sea or land hexside."""
        marks = {"sea": "W", "land": "L", "route": "R", "any sea": "Ww", "any land": "Ll"}
        hexes = self.hexes

        def kind(wanted: str) -> Callable[[int, int], bool]:
            return lambda h, i: any(m in hexes[h].sides[i] for m in wanted)

        return build(self.near, {k: kind(m) for k, m in marks.items()}, self.rings, self.links)

    @cached_property
    def flyers(self) -> Mapping[str, tuple[str, ...]]:
        """Side -> its air units and carriers."""
        return self._by_side(lambda c: c.flies)

    @cached_property
    def hqs(self) -> Mapping[str, tuple[str, ...]]:
        """Side -> its HQs."""
        return self._by_side(lambda c: c.kind == "hq")

    def _by_side(self, test: Callable[[Counter], bool]) -> Mapping[str, tuple[str, ...]]:
        return {s: tuple(u for u, c in self.counters.items() if c.side == s and test(c)) for s in ("japan", "allies")}

    @cached_property
    def allegiances(self) -> Mapping[str, tuple[str, ...]]:
        """[6.12] Side -> how commands tell its units apart."""
        return {s: tuple(dict.fromkeys(self.counters[u].allegiance for u in units)) for s, units in self._by_side(bool).items()}

    @cached_property
    def allegiance(self) -> Mapping[str, str]:
        """[6.12] Unit -> what decides which HQs may command it."""
        return {u: c.allegiance for u, c in self.counters.items()}

    @cached_property
    def railway(self) -> int:
        """[13.79] The railway from Rangoon to Bangkok, as a bit field."""
        return self.fields.of(h for h in RAILWAY if h in self.hexes)

    @cached_property
    def terrain(self) -> Mapping[int, int]:
        """Half movement points of entry -> the hexes that cost so much, as a bit field."""
        costs: dict[int, list[int]] = {}
        for h, x in self.hexes.items():
            if x.is_land:
                costs.setdefault(TERRAIN_COST[x.terrain], []).append(h)
        return {cost: self.fields.of(places) for cost, places in costs.items()}

    @cached_property
    def unit_index(self) -> Index[str]:
        """Units by id and name, with `22nd` or `22`."""
        names = [(name, u) for u, c in self.counters.items() for name in (c.name, _ORDINAL.sub("", c.name))]
        return Index(names, ids=self.counters, title=lambda u: self.counters[u].name, side=lambda u: self.counters[u].side)

    @cached_property
    def place_index(self) -> Index[int]:
        """Hexes by number and name."""
        listed = ((h, f"{h:04}", x.name) for h, x in self.hexes.items())
        return hex_index(listed, self.name, lambda word: h if (h := hex_number(word)) in self.hexes else None)

    def fields_near(self, place: int, radius: int) -> tuple[int, ...]:
        """Airfields at most `radius` away, in the order of the map."""
        if (place, radius) not in self._kept:
            self._kept[place, radius] = tuple(f for f in self.airfields if distance(place, f) <= radius)
        found: tuple[int, ...] = self._kept[place, radius]
        return found

    @cached_property
    def _kept(self) -> dict[tuple[int | str, ...], Any]:
        return {}

    def within(self, centre: int, radius: int) -> list[int]:
        """Hexes of the map at most `radius` away."""
        return [n for n in GRID.within(centre, radius) if n in self.hexes]

    @cached_property
    def ports(self) -> tuple[int, ...]:
        """Every port hex."""
        return tuple(h for h, x in self.hexes.items() if x.port)

    @cached_property
    def airfields(self) -> tuple[int, ...]:
        """Every airfield hex."""
        return tuple(h for h, x in self.hexes.items() if x.airfield)

    @cached_property
    def on_routes(self) -> tuple[int, ...]:
        """Hexes with a strategic transport route."""
        return tuple(h for h, x in self.hexes.items() if any("R" in s for s in x.sides))

    @cached_property
    def garrisoned(self) -> tuple[int, ...]:
        """[13.76] [13.94] Cities with intrinsic Japanese troops."""
        return tuple(h for h, x in self.hexes.items() if x.city in ("garrison", "homeland"))

    @cached_property
    def garrison_field(self) -> Field:
        """The same as a bit field."""
        return self.fields.of(self.garrisoned)

    @cached_property
    def named(self) -> tuple[int, ...]:
        """Hexes with a city, port, airfield or resource."""
        return tuple(h for h, x in self.hexes.items() if x.named)

    @cached_property
    def resources(self) -> tuple[int, ...]:
        """[12.11] The resource hexes."""
        return tuple(h for h, x in self.hexes.items() if x.resource)

    @cached_property
    def port_field(self) -> Field:
        """The ports as a bit field."""
        return self.fields.of(self.ports)

    @cached_property
    def airfield_field(self) -> Field:
        """The airfields as a bit field."""
        return self.fields.of(self.airfields)

    @cached_property
    def sources(self) -> Mapping[str, Field]:
        """[6.22] Ultimate supply sources by printed place, as bit fields; Japan's must also be controlled by Japan."""
        west, east = self.edges
        allied = [h for h, x in self.hexes.items() if x.source == "allies" or h // 100 in (west, east)]
        japan = [h for h, x in self.hexes.items() if x.source == "japan" or x.city == "homeland"]
        return {"allies": self.fields.of(allied), "japan": self.fields.of(japan)}

    @cached_property
    def east_edge(self) -> Field:
        """[6.25] Sources on the east map edge, as a bit field."""
        return self.fields.of(h for h in self.hexes if h // 100 == self.edges[1])

    def region(self, *names: str) -> list[int]:
        """Hexes of one or more printed regions; for reading only."""
        if names not in self._kept:
            self._kept[names] = [h for h, x in self.hexes.items() if x.region in names]
        found: list[int] = self._kept[names]
        return found

    def name(self, place: int) -> str:
        """A hex in words: `Rabaul 4021`."""
        found = self.hexes.get(place)
        return f"{found.name} {place:04}" if found and found.name else f"{place:04}"


EMPTY_BOARD = Board({}, {}, {}, {}, (0, 0))
distance = distances(GRID)  # [1.3] in hexes


PRINTED = ("name", "region", "port", "airfield", "resource", "city", "source", "japan")  # what a map file says of some hexes


def read_hexes(plain: Mapping[str, Any]) -> dict[int, Hex]:
    """The hexes of a map file."""
    sea = ("W",) * 6
    found = {h: Hex(h, "ocean", "sea", sea) for h in plain["ocean"]}
    for number, d in plain["hexes"].items():
        h = int(number)
        found[h] = Hex(h, d["t"], d["k"], tuple(d["e"].split("/")), **{name: d[name] for name in PRINTED if name in d})
    return dict(sorted(found.items()))


def read_counters(rows: Iterable[Mapping[str, Any]]) -> dict[str, Counter]:
    """The counters of a counter file, in its order."""
    named = ({("kind" if k == "class" else k): v for k, v in row.items()} for row in rows)
    return {row["id"]: Counter(**row) for row in named}


__all__ = ["EMPTY_BOARD", "SIDES", "Board", "Card", "Counter", "Hex", "distance"]
