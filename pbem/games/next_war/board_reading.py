"""[2.1, 2.2, 8.3] The board out of a scenario: its map, counters and sea areas read, and what follows from where they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from pbem.games.next_war.board import FLAT, GRID, PEAKS, Area, Board, Counter, Hex, Side, Strength
from pbem.games.next_war.charts import ROADS, TERRAINS
from pbem.kernel.naming import Index, hex_index, words_of
from pbem.kernel.shapes import ScenarioFault
from pbem.kernel.wording import Message, msg

VALUES = {"xx": "division", "x": "brigade", "iii": "brigade"}  # rows of the victory point chart by size


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
    board.land = frozenset(h for h, x in board.hexes.items() if x.land)
    board.beside_roads = {h: tuple(n for n in board.near[h] if board.hexes[n].land) for h in sorted(roads)}
    board.havens = tuple(h for h, x in board.hexes.items() if x.city or x.terrain == "urban" or x.port)
    board.to_clear = tuple(h for h, x in board.hexes.items() if x.needs_clearing)
    board.forts = tuple(h for h, x in board.hexes.items() if x.fort)
    lands = {h: board.owner(h) for h, x in board.hexes.items() if x.land}
    board.dmz = frozenset(h for h, side in lands.items() if any(lands.get(n, side) != side for n in board.near[h]))
    board.tunnels = frozenset(h for h, x in board.hexes.items() if x.label in board.p["tunnels"]["hexes"])
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
