"""What is printed: hexes, hexsides, counters, and what follows from them for movement, zones of control and combat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pbem.games.next_war.charts import ROADS, TERRAINS
from pbem.kernel.hexes import Grid, distances
from pbem.kernel.naming import Index, hex_index, words_of
from pbem.kernel.shapes import ScenarioFault
from pbem.kernel.wording import Message, msg

GRID = Grid(odd_lower=True)
FLAT = ("flat", "flat_woods")
HIGH = ("highland", "highland_woods")
PEAKS = ("mountain", "high_mountain")
TWO_HEX_RETREAT = ("flat", "flat_woods", "rough", "rough_woods", "marsh")
VALUES = {"xx": "division", "x": "brigade", "iii": "brigade"}  # rows of the victory point chart by size
MP = 6  # a movement point is six sixths
NEVER = -1


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex. Installations are airbases, ports and sites of the game; `zone` is the Inshore area of a sea hex."""

    id: int
    label: str
    terrain: str  # one of TERRAINS, or sea
    country: str = ""
    name: str = ""
    city: bool = False
    town: bool = False
    airbase: bool = False
    airfield: bool = False
    port: bool = False
    fort: str = ""  # the country whose fortification it is
    sites: int = 0  # installations of the game's own kinds
    beach: bool = False
    zone: str = ""
    extra: bool = False  # needs clearing by the game specific rules
    jungle: bool = False  # over other terrain; the newer charts have it

    @property
    def land(self) -> bool:
        """Ground units may be here."""
        return self.terrain != "sea"

    @property
    def installations(self) -> int:
        """[8.3.1.2] Airbases, ports and others; an airfield is none."""
        return int(self.airbase) + int(self.port) + self.sites

    @property
    def needs_clearing(self) -> bool:
        """[8.4] City, Urban, Installation, or named by the game."""
        return self.city or self.terrain == "urban" or self.installations > 0 or self.extra


@dataclass(frozen=True, slots=True)
class Side:
    """A hexside: river minor or major, water, ferry, road class."""

    river: str = ""
    water: bool = False
    ferry: str = ""  # the country of the ferry
    road: str = ""


@dataclass(frozen=True, slots=True)
class Strength:
    """One side of a ground counter; `sp` in half stacking points; `paren`: the defense strength is in parentheses."""

    attack: int
    defense: int
    move: int
    er: int
    sp: int
    mobility: str = "leg"  # leg, li, mot, mech; airmobile ones are li
    paren: bool = False


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter. `kind`: ground, helo, AMPH, SAG, CV, CVN."""

    id: str
    name: str
    seat: str
    nation: str
    kind: str
    type: str = ""
    size: str = ""
    klass: str = ""  # leg, motorized, mechanized, armor
    marine: bool = False
    airborne: bool = False
    airmobile: bool = False  # movement allowance of 24
    mountain: bool = False  # mountain infantry, a trait of the newer rules
    formation: str = ""
    division: str = ""
    front: Strength | None = None
    back: Strength | None = None
    support: tuple[int, ...] = ()  # combat support of front and back
    range: int = 0
    usmc: bool = False
    capacity: int = 0  # half stacking points that an AMPH carries
    lift: int = 0  # airmobile points of an AMPH
    flips_to: str = ""  # SAG: an AMPH with one on its back
    value: str = ""  # row of the victory point chart

    @property
    def ground(self) -> bool:
        """A ground unit."""
        return self.kind == "ground"

    @property
    def naval(self) -> bool:
        """A naval unit."""
        return self.kind in ("AMPH", "SAG", "CV", "CVN")

    @property
    def yellow(self) -> bool:
        """[8.5] Airmobile or airmobile-capable, and so Light Infantry."""
        return self.front is not None and self.front.mobility == "li"

    @property
    def steps(self) -> int:
        """[9.7.1] A two-sided counter has two steps."""
        return 1 + int(self.back is not None or len(self.support) == 2)


@dataclass(frozen=True, slots=True)
class Area:
    """[7.1] An At Sea or Inshore area."""

    id: str
    name: str
    zone: str
    at_sea: bool
    near: tuple[str, ...]  # areas that a naval unit may go to from here
    box: str = ""  # a reinforcement box of the game: whose


@dataclass(frozen=True, slots=True)
class Edge:
    """One way out of a hex for a mobility class: cost in sixths off the road and by road, NEVER where forbidden."""

    to: int
    off: int
    road: int
    bridge: bool
    ferry: str
    bare: int  # off the road when the bridge is down


@dataclass(slots=True, eq=False)
class Board:
    """Everything that never changes in a game."""

    hexes: dict[int, Hex]
    sides: dict[tuple[int, int], Side]
    counters: dict[str, Counter]
    areas: dict[str, Area]
    zones: dict[str, tuple[str, tuple[str, ...]]]  # zone -> at sea area, inshore areas
    p: Mapping[str, Any]
    near: dict[int, tuple[int, ...]] = field(default_factory=dict)
    land_near: dict[int, tuple[int, ...]] = field(default_factory=dict)  # not across water
    zoc_near: dict[int, tuple[int, ...]] = field(default_factory=dict)  # [8.2.3] where a zone extends
    _edges: dict[tuple[str, int, int], tuple[Edge, ...]] = field(default_factory=dict)
    _costs: dict[tuple[str, int], Costs] = field(default_factory=dict)
    _ways_in: dict[tuple[str, int], WaysIn] = field(default_factory=dict)
    ferries: frozenset[int] = frozenset()  # hexes at a ferry
    beside_roads: dict[int, tuple[int, ...]] = field(default_factory=dict)  # hex with a road -> its neighbours on land
    havens: tuple[int, ...] = ()  # City, Urban and Port hexes
    lands: dict[str, frozenset[int]] = field(default_factory=dict)  # side -> hexes of its country
    seas: dict[str, frozenset[int]] = field(default_factory=dict)  # Inshore area -> its sea hexes
    sea_hexes: dict[str, tuple[int, ...]] = field(default_factory=dict)  # the same, in order
    sea_near: dict[int, tuple[int, ...]] = field(default_factory=dict)  # [8.5.6.4] sea hexes beside a hex, in order
    prizes: tuple[int, ...] = ()  # land hexes that are worth taking
    bases: tuple[int, ...] = ()  # Airbases and Airfields
    ports: tuple[int, ...] = ()
    ships: dict[str, tuple[str, ...]] = field(default_factory=dict)  # side -> naval units
    armies: dict[str, tuple[str, ...]] = field(default_factory=dict)  # side -> ground units
    to_clear: tuple[int, ...] = ()
    forts: tuple[int, ...] = ()
    urban: frozenset[int] = frozenset()
    rough: frozenset[int] = frozenset()  # neither Flat nor Flat Woods
    unit_index: Index[str] = field(default_factory=lambda: Index(()))
    place_index: Index[int] = field(default_factory=lambda: Index(()))
    labels: dict[str, int] = field(default_factory=dict)
    area_names: dict[str, str] = field(default_factory=dict)

    def side(self, a: int, b: int) -> Side:
        """The hexside between two neighbours."""
        return self.sides.get((a, b) if a < b else (b, a), PLAIN)

    def edges(self, mobility: str, storm: int, place: int) -> tuple[Edge, ...]:
        """Ways out of a hex for a mobility class, to its land neighbours in one order for all classes."""
        key = (mobility, storm, place)
        found = self._edges.get(key)
        if found is None:
            found = self._edges[key] = tuple(_edges(self, place, mobility, storm))
        return found

    def costs(self, mobility: str, storm: int) -> Costs:
        """For each hex the neighbours that a class can enter, with the lower of both costs."""
        found = self._costs.get((mobility, storm))
        if found is None:
            found = self._costs[mobility, storm] = Costs(self, mobility, storm)
        return found

    def ways_in(self, mobility: str, storm: int) -> WaysIn:
        """For each hex the neighbours from which a class can enter it, all bridges standing, all ferries running."""
        found = self._ways_in.get((mobility, storm))
        if found is None:
            found = self._ways_in[mobility, storm] = WaysIn(self, mobility, storm)
        return found

    def edge(self, mobility: str, storm: int, place: int, to: int) -> Edge | None:
        """The way from one hex to a neighbour, if any."""
        return next((e for e in self.edges(mobility, storm, place) if e.to == to), None)

    def owner(self, place: int) -> str:
        """The seat whose country a hex is in."""
        return str(self.p["countries"].get(self.hexes[place].country, ""))

    def name(self, place: int) -> str:
        """A hex in words."""
        hex_ = self.hexes[place]
        return f"{hex_.name} ({hex_.label})" if hex_.name else hex_.label

    def within(self, place: int, radius: int) -> Iterator[int]:
        """Hexes of the map at most so far away."""
        return (h for h in GRID.within(place, radius) if h in self.hexes)

    def has_road(self, place: int) -> bool:
        """A road or highway runs through the hex."""
        return place in self.beside_roads


class Costs(dict[int, tuple[tuple[int, int], ...]]):
    """Ways out of each hex, made when a hex is first asked for."""

    def __init__(self, board: Board, mobility: str, storm: int) -> None:
        super().__init__()
        self.board, self.mobility, self.storm = board, mobility, storm

    def __missing__(self, place: int) -> tuple[tuple[int, int], ...]:
        ways = [(e.to, [c for c in (e.off, e.road) if c != NEVER]) for e in self.board.edges(self.mobility, self.storm, place)]
        found = self[place] = tuple((to, min(costs)) for to, costs in ways if costs)
        return found


class WaysIn(dict[int, tuple[int, ...]]):
    """Neighbours from which each hex can be entered, found when a hex is first asked for."""

    def __init__(self, board: Board, mobility: str, storm: int) -> None:
        super().__init__()
        self.board, self.mobility, self.storm = board, mobility, storm

    def __missing__(self, place: int) -> tuple[int, ...]:
        ways = [(n, self.board.edge(self.mobility, self.storm, n, place)) for n in self.board.near[place]]
        found = self[place] = tuple(n for n, e in ways if e is not None and (e.off, e.road) != (NEVER, NEVER))
        return found


PLAIN = Side()
EMPTY_BOARD = Board({}, {}, {}, {}, {}, {})


distance = distances(GRID)


# -- reading -----------------------------------------------------------------------------------------------------------


class Reader:
    """Reads the map, counters and sea areas of a scenario; gathers every fault before it complains."""

    def __init__(self, scenario: Mapping[str, Any], p: Mapping[str, Any]) -> None:
        self.map, self.counters, self.p = scenario["map"], scenario["units"], p
        self.area_of_play = scenario.get("playing_area")
        self.kept = scenario.get("units_in_play")
        self.faults: list[Message] = []
        self.labels: dict[str, int] = {}

    @cached_property
    def _sheets(self) -> Mapping[str, Mapping[str, int]]:
        found: Mapping[str, Mapping[str, int]] = self.map.get("sheets", {"": {"column": 0, "even": 0, "odd": 0}})
        return found

    def number(self, label: str) -> int:
        """The hex id of a printed label. A fault when the label is malformed."""
        sheet, digits = label.rstrip("0123456789"), label.lstrip("NSEWABCD")
        if sheet not in self._sheets or len(digits) != 4:
            self.faults.append(msg("map: {label!r} is no hex label", label=label))
            return 0
        shift = self._sheets[sheet]
        column = int(digits[:2]) + shift["column"]
        return 100 * column + int(digits[2:]) + shift["odd" if column % 2 else "even"]

    def list(self, key: str) -> list[str]:
        """Labels of a list, a block of words, or the keys of a mapping."""
        value = self.map.get(key, [])
        return value.split() if isinstance(value, str) else [str(v) for v in value]

    def pairs(self, text: str) -> Iterator[tuple[int, int]]:
        """Hexsides written `0101-0102`."""
        for pair in text.split():
            one, dash, other = pair.partition("-")
            a, b = self.number(one), self.number(other)
            if not dash or b not in GRID.neighbours(a):
                self.faults.append(msg("map: {pair!r} is no hexside", pair=pair))
            yield (a, b) if a < b else (b, a)

    def board(self) -> Board:
        """The board. Raises ScenarioFault."""
        hexes, sides = self._hexes(), self._sides()
        counters, (areas, zones) = self._counters(), self._areas()
        if self.area_of_play:
            kept = {self.number(label) for label in str(self.area_of_play).split()}
            hexes = {h: x for h, x in hexes.items() if h in kept}
        if self.faults:
            raise ScenarioFault(self.faults)
        board = Board(hexes, sides, counters, areas, zones, self.p)
        _connect(board)
        return board

    def _hexes(self) -> dict[int, Hex]:
        features: dict[str, set[str]] = {
            key: set(self.list(key))
            for key in ("cities", "towns", "airbases", "airfields", "ports", "beaches", "extra_clearing", "jungle")
        }
        features["extra_clearing"] |= {str(label) for label in self.p["extra_clearing_hexes"]}
        forts = {label: country for country, block in self.map.get("forts", {}).items() for label in block.split()}
        sites: dict[str, int] = {}
        for label in self.list("sites"):
            sites[label] = sites.get(label, 0) + 1
        names = {str(k): str(v) for key in ("names", "cities", "towns", "ports") for k, v in _named(self.map.get(key))}
        names |= {str(k): str(v) for k, v in _named(self.map.get("names"))}
        zones = {label: area for area, block in self.map.get("inshore", {}).items() for label in block.split()}
        country = {label: c for c, block in self.map.get("countries", {}).items() for label in block.split()}
        default = self.map.get("default_country", "")
        hexes: dict[int, Hex] = {}
        terrain = {label: t for t, block in self.map["terrain"].items() for label in block.split()}
        terrain |= dict.fromkeys(self.list("sea"), "sea")
        for kind in self.map["terrain"]:
            if kind not in TERRAINS:
                self.faults.append(msg("map: there is no terrain {kind!r}", kind=kind))
        by_id = {self.number(label): (label, t) for label, t in terrain.items()}
        for number in sorted(by_id):
            label, kind = by_id[number]
            self.labels[label] = number
            hexes[number] = Hex(
                number,
                label,
                kind,
                "" if kind == "sea" else country.get(label, default),
                names.get(label, ""),
                city=label in features["cities"],
                town=label in features["towns"],
                airbase=label in features["airbases"],
                airfield=label in features["airfields"],
                port=label in features["ports"],
                fort=forts.get(label, ""),
                sites=sites.get(label, 0),
                beach=label in features["beaches"] or (not features["beaches"] and self._coastal(number, kind, by_id)),
                zone=zones.get(label, ""),
                extra=label in features["extra_clearing"],
                jungle=label in features["jungle"],
            )
        for key, labels in features.items():
            self.faults += [
                msg("map: {key}: {label} is not on the map", key=key, label=label)
                for label in sorted(labels - set(self.labels))
            ]
        return hexes

    def _coastal(self, number: int, kind: str, hexes: Mapping[int, tuple[str, str]]) -> bool:
        """[8.3.1.7] A coastal Flat or Flat Woods hex; marsh counts as flat in winter."""
        flat = (*FLAT, "marsh") if self.p["season_is_winter"] else FLAT
        return kind in flat and any(hexes.get(n, ("", ""))[1] == "sea" for n in GRID.neighbours(number))

    def _sides(self) -> dict[tuple[int, int], Side]:
        found: dict[tuple[int, int], dict[str, Any]] = {}
        for river, block in self.map.get("rivers", {}).items():
            for pair in self.pairs(block):
                found.setdefault(pair, {})["river"] = river
        for pair in self.pairs(self.map.get("water", "")):
            found.setdefault(pair, {})["water"] = True
        for country, block in self.map.get("ferries", {}).items():
            for pair in self.pairs(block):
                found.setdefault(pair, {})["ferry"] = country
        for road in ROADS:
            for pair in self.pairs(self.map.get("roads", {}).get(road, "")):
                found.setdefault(pair, {})["road"] = road
        return {pair: Side(**entry) for pair, entry in found.items()}

    def _areas(self) -> tuple[dict[str, Area], dict[str, tuple[str, tuple[str, ...]]]]:
        areas: dict[str, Area] = {}
        zones: dict[str, tuple[str, tuple[str, ...]]] = {}
        at_sea = {z["id"]: z["at_sea"] for z in self.p["sea_zones"]}
        for zone in self.p["sea_zones"]:
            inshore = tuple(zone.get("inshore", ()))
            zones[zone["id"]] = (zone["at_sea"], inshore)
            near = [at_sea[z] for z in zone.get("adjacent", ())] + list(inshore)
            near += [box for box, entry in self.p["naval_boxes"].items() if zone["at_sea"] in entry["touches"]]
            names = zone.get("names", {})
            areas[zone["at_sea"]] = Area(
                zone["at_sea"], names.get(zone["at_sea"], zone["at_sea"]), zone["id"], True, tuple(near)
            )
            for area in inshore:
                areas[area] = Area(area, names.get(area, area), zone["id"], False, (zone["at_sea"],))
        for box, entry in self.p["naval_boxes"].items():
            areas[box] = Area(box, entry.get("name", box), "", True, tuple(entry["touches"]), box=entry["side"])
        return areas, zones

    def _counters(self) -> dict[str, Counter]:
        found: dict[str, Counter] = {}
        for row in self.counters.get("ground", ()):
            self._ground(found, row)
        for row in self.counters.get("helicopters", ()):
            support = tuple(row["cs"]) if isinstance(row["cs"], list) else (row["cs"],)
            self._add(
                found,
                row,
                Counter(
                    row["id"],
                    row.get("name", row["id"]),
                    row["side"],
                    row["nation"],
                    "helo",
                    support=support,
                    range=row["range"],
                    usmc=bool(row.get("usmc")),
                    value=row.get("value", "helicopter"),
                ),
            )
        for row in self.counters.get("naval", ()):
            self._add(
                found,
                row,
                Counter(
                    row["id"],
                    row.get("name", row["id"]),
                    row["side"],
                    row["nation"],
                    row["kind"],
                    support=(row["cs"],),
                    range=row["range"],
                    capacity=2 * row.get("capacity", 0),
                    lift=row.get("air", 0),
                    flips_to=row.get("flips_to", ""),
                ),
            )
        nations = {n for side in self.p["sides"].values() for n in side["nations"]}
        found = {u: c for u, c in found.items() if c.nation in nations}
        if self.kept is not None:
            self.faults += [msg("units_in_play: there is no unit {unit!r}", unit=u) for u in self.kept if u not in found]
            found = {u: c for u, c in found.items() if u in self.kept}
        return found

    def _add(self, found: dict[str, Counter], row: Mapping[str, Any], counter: Counter) -> None:
        if counter.id in found:
            self.faults.append(msg("units: {unit!r} stands there twice", unit=counter.id))
        if counter.seat not in self.p["sides"]:
            self.faults.append(msg("units: {unit}: there is no side {side!r}", unit=counter.id, side=row["side"]))
        found[counter.id] = counter

    def _ground(self, found: dict[str, Counter], row: Mapping[str, Any]) -> None:
        kind = self.p["unit_types"].get(row["type"])
        if kind is None:
            self.faults.append(msg("units: {unit}: unit_types has no {type!r} [2.2]", unit=row["id"], type=row["type"]))
            return
        front = self._strength(row["id"], f"{row['front']}/{row['er']}/{row['sp']}")
        back = self._strength(row["id"], row["back"]) if row.get("back") else None
        formation = row.get("formation", row["id"].rpartition("/")[2] if "/" in row["id"] else "")
        self._add(
            found,
            row,
            Counter(
                row["id"],
                row.get("name", row["id"]),
                row["side"],
                row["nation"],
                "ground",
                row["type"],
                row.get("size", "x"),
                kind["class"],
                bool(row.get("marine", kind.get("marine"))),
                bool(kind.get("airborne")),
                "-24" in row["front"],
                bool(kind.get("mountain")),
                formation,
                row.get("division", ""),
                front,
                back,
                value=row.get("value", kind.get("value", VALUES.get(row.get("size", "x"), ""))),
            ),
        )

    def _strength(self, unit: str, text: str) -> Strength:
        found = re.fullmatch(r"(\d+)-(\(?)(\d+)\)?-(\d+)([mkL]?)/(\d+)/(\d+|1/2)", text)
        if found is None:
            self.faults.append(
                msg("units: {unit}: {text!r} is not attack-defense-move/efficiency/stacking points [2.3]", unit=unit, text=text)
            )
            return Strength(0, 0, 0, 1, 0)
        move = int(found[4])
        mobility = "li" if move == 24 else {"m": "mot", "k": "mech", "L": "li", "": "leg"}[found[5]]
        sp = 1 if found[7] == "1/2" else 2 * int(found[7])
        return Strength(int(found[1]), int(found[3]), 4 if move == 24 else move, int(found[6]), sp, mobility, bool(found[2]))


def _named(value: Any) -> Iterable[tuple[Any, Any]]:
    return value.items() if isinstance(value, dict) else ()


# -- what follows ------------------------------------------------------------------------------------------------------


def _connect(board: Board) -> None:
    for h in board.hexes:
        board.near[h] = tuple(n for n in GRID.neighbours(h) if n in board.hexes)
        land = [n for n in board.near[h] if board.hexes[n].land and board.hexes[h].land and not board.side(h, n).water]
        board.land_near[h] = tuple(land)
        board.zoc_near[h] = tuple(n for n in land if _zone_crosses(board, h, n))
    owners, seas = {board.owner(h) for h in board.hexes}, {x.zone for x in board.hexes.values() if not x.land}
    board.lands = {o: frozenset(h for h, x in board.hexes.items() if x.land and board.owner(h) == o) for o in sorted(owners)}
    board.seas = {z: frozenset(h for h, x in board.hexes.items() if not x.land and x.zone == z) for z in sorted(seas)}
    board.sea_hexes = {zone: tuple(sorted(hexes)) for zone, hexes in board.seas.items()}
    zoned = {h for h, x in board.hexes.items() if x.terrain == "sea" and x.zone}
    board.sea_near = {h: tuple(n for n in sorted(near) if n in zoned) for h, near in board.near.items()}
    board.prizes = tuple(h for h, x in board.hexes.items() if x.land and (x.needs_clearing or x.town or x.airfield))
    board.ships = {s: tuple(u for u, c in board.counters.items() if c.naval and c.seat == s) for s in board.p["sides"]}
    board.armies = {s: tuple(u for u, c in board.counters.items() if c.ground and c.seat == s) for s in board.p["sides"]}
    board.bases = tuple(h for h, x in board.hexes.items() if x.airbase or x.airfield)
    board.ports = tuple(h for h, x in board.hexes.items() if x.port)
    board.ferries = frozenset(h for pair, side in board.sides.items() if side.ferry for h in pair)
    roads = {h for pair, side in board.sides.items() if side.road for h in pair if set(pair) <= board.hexes.keys()}
    board.beside_roads = {h: tuple(n for n in board.near[h] if board.hexes[n].land) for h in sorted(roads)}
    board.havens = tuple(h for h, x in board.hexes.items() if x.city or x.terrain == "urban" or x.port)
    board.to_clear = tuple(h for h, x in board.hexes.items() if x.needs_clearing)
    board.forts = tuple(h for h, x in board.hexes.items() if x.fort)
    board.urban = frozenset(h for h, x in board.hexes.items() if x.terrain == "urban")
    board.rough = frozenset(h for h, x in board.hexes.items() if x.land and x.terrain not in FLAT)
    board.labels = {x.label.lower(): h for h, x in board.hexes.items()}
    listed = ((h, x.label, x.name) for h, x in board.hexes.items())
    board.place_index = hex_index(listed, board.name, board.labels.get)
    names = [(c.name, u) for u, c in board.counters.items()]
    counters = board.counters
    board.unit_index = Index(names, ids=counters, title=lambda u: counters[u].name, side=lambda u: counters[u].seat)
    board.area_names = {words_of(a.id): a.id for a in board.areas.values()}
    board.area_names |= {words_of(a.name): a.id for a in board.areas.values()}


def _zone_crosses(board: Board, a: int, b: int) -> bool:
    """[8.2.3] Not into mountains or Urban, not across rivers or water."""
    return board.hexes[b].terrain not in (*PEAKS, "urban") and not board.side(a, b).river


def _edges(board: Board, a: int, mobility: str, storm: int) -> Iterator[Edge]:
    roads, on_foot = board.p["road_effects"], "leg" if mobility == "mtn" else mobility
    for b in board.near[a]:
        side, there = board.side(a, b), board.hexes[b]
        if not there.land or not board.hexes[a].land:
            continue
        road = sixths(roads[side.road][on_foot][storm]) if side.road else NEVER
        if there.terrain == "urban":
            both = board.hexes[a].terrain == "urban"
            bare = sixths(roads["primary"][on_foot][storm]) if both else MP
            off = road if side.road and not both else bare
        else:
            off = bare = _entry(board, there, mobility, storm)
        if side.river == "major" or (side.water and not side.ferry):
            bare = NEVER
        elif bare != NEVER and (side.river or side.ferry):
            bare += sixths(board.p["river_effects"][on_foot])
        bridge = bool(side.road and (side.river or side.water))
        over = off if side.road else bare
        yield Edge(b, over, road, bridge, side.ferry, bare if bridge else over)


def _entry(board: Board, there: Hex, mobility: str, storm: int) -> int:
    """What a hex costs off the road: its terrain, mountain infantry's own cost, jungle over it."""
    on_foot = "leg" if mobility == "mtn" else mobility
    own = board.p["mountain_infantry_effects"].get(there.terrain) if mobility == "mtn" else None
    cost = sixths((own or board.p["terrain_effects"][there.terrain][on_foot])[storm])
    more = sixths(board.p["jungle_effects"][on_foot][storm]) if there.jungle else 0
    return NEVER if NEVER in (cost, more) else cost + more


def sixths(cost: Any) -> int:
    """A printed cost in sixths: 2, `1/2`, `1/3`; P is NEVER."""
    text = str(cost).strip().lstrip("+")
    if text == "P":
        return NEVER
    whole, slash, part = text.partition("/")
    return MP * int(whole) // int(part) if slash else MP * int(whole)
