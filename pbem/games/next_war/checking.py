"""Everything that is wrong with a scenario of one's own, each fault with its place: shapes first, then what refers to what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from pbem.games.next_war.board import GRID
from pbem.games.next_war.board_reading import Reader
from pbem.games.next_war.game import GAME
from pbem.games.next_war.parameters import parameters_of
from pbem.games.next_war.scenario_shapes import MAP, OTHERS, UNITS
from pbem.kernel.orders import did_you_mean, nearest
from pbem.kernel.shapes import Fault, Path, fault, lacking
from pbem.kernel.wording import NO_WORDS, Message, msg, quoted

Data = Mapping[str, Any]
COUNTRY, NATION, TYPE, UNIT = msg("country"), msg("nation"), msg("unit type"), msg("unit")
PARTS = {
    "map": msg("the map of the game, or the name of its file"),
    "units": msg("the units of the game, or the name of their file"),
}
ZONE, AREA = msg("sea zone"), msg("sea area")
KINDS = ("port", "airbase", "airfield", "town")  # words of a schedule that stand for many hexes


def faults_of(scenario: Data) -> list[Fault]:
    """Every fault of shape; only where there is none, every fault of reference."""
    p, faults, _ = parameters_of(scenario)
    for part, rule, shape in (("map", "8.3", MAP), ("units", "2.2", UNITS)):
        if part not in scenario:
            faults.append(lacking(part, PARTS[part], "2.1"))
        else:
            faults += [f.under(part, rule=rule) for f in shape(scenario[part])]
    for part, shape in OTHERS.items():
        if part in scenario:
            faults += [f.under(part, rule="2.3.6") for f in shape(scenario[part])]
    return faults or list(_References(scenario, p).faults())


def counts_of(scenario: Data) -> dict[str, Any]:
    """What a scenario without faults holds, in numbers; what it left to defaults; nations whose units are left out.

    Raises ScenarioFault where the board cannot be set up.
    """
    _, _, defaulted = parameters_of(scenario)
    g = GAME.start(dict(scenario), {})
    kinds = [c.kind if c.kind in ("ground", "helo") else "naval" for c in g.board.counters.values()]
    listed = {row["nation"] for rows in scenario["units"].values() for row in rows}
    return {
        "land hexes": sum(x.land for x in g.board.hexes.values()),
        "sea hexes": sum(not x.land for x in g.board.hexes.values()),
        "ground units": kinds.count("ground"),
        "helicopters": kinds.count("helo"),
        "naval units": kinds.count("naval"),
        "turns": scenario["game_length_turns"],
        "left to defaults": defaulted,
        "nations left out": sorted(listed - {n for side in scenario["sides"].values() for n in side["nations"]}),
    }


# -- references ------------------------------------------------------------------------------------------------------------


def _tokens(blocks: Iterable[Any]) -> list[str]:
    return [t for block in blocks for t in (block.split() if isinstance(block, str) else [str(b) for b in block])]


class _References:
    """A scenario whose shapes are right: hexes, hexsides, countries, areas and units that are named have to be there."""

    def __init__(self, scenario: Data, p: Data) -> None:
        self.scenario, self.p, self.map, self.units = scenario, p, scenario["map"], scenario["units"]
        self.reader = Reader(scenario, p)
        self.land = self._labels(self.map["terrain"].values())
        self.sea = self._labels([self.map.get("sea", "")])
        self.areas = {z["at_sea"] for z in p["sea_zones"]} | {a for z in p["sea_zones"] for a in z.get("inshore", ())}
        self.boxes = set(p["naval_boxes"])
        self.nations = {n: side for side, sheet in p["sides"].items() for n in sheet["nations"]}
        self.rows = [(kind, i, row) for kind, rows in self.units.items() for i, row in enumerate(rows)]
        self.ids = [row["id"] for _, _, row in self.rows]
        self.ships = {row["id"] for row in self.units.get("naval", ()) if row["kind"] == "AMPH"}

    def _labels(self, blocks: Iterable[Any]) -> set[str]:
        return {t for t in _tokens(blocks) if self._number(t)}

    def _number(self, label: str) -> int:
        """The hex of a label, 0 for what is no label."""
        return self.reader.number(label) if re.fullmatch(r"[NSEWABCD]?\d{4}", label) else 0

    def faults(self) -> Iterator[Fault]:
        """All of them, the map's first."""
        yield from self._terrain()
        yield from self._features()
        yield from self._countries()
        yield from self._sides()
        yield from self._zones()
        yield from self._counters()
        yield from self._places()
        yield from self._schedule()
        yield from self._tables()

    # -- the map ---------------------------------------------------------------------------------------------------------

    def _terrain(self) -> Iterator[Fault]:
        before: dict[str, str] = {}
        blocks = [(("map", "terrain", kind), kind, block) for kind, block in self.map["terrain"].items()]
        for path, kind, block in [*blocks, (("map", "sea"), "sea", self.map.get("sea", ""))]:
            for token in _tokens([block]):
                if not self._number(token):
                    yield Fault(
                        path, msg("{token!r} is no hex label", token=token), msg("column and row such as 0105"), "2.1", token
                    )
                elif token in before:
                    yield Fault(path, msg("{token} is {kind} already", token=token, kind=before[token]), rule="8.3", word=token)
                before.setdefault(token, kind)

    def _on_map(self, path: Path, labels: Iterable[str], rule: str, land: bool = False, tail: bool = False) -> Iterator[Fault]:
        """Labels that are not on the map, or in the sea. `tail`: they are keys."""
        for label in labels:
            at = (*path, label) if tail else path
            if label not in self.land and label not in self.sea:
                yield Fault(at, msg("{label!r} is no hex of the map", label=label), self._near_label(label), rule, label)
            elif land and label in self.sea:
                yield Fault(at, msg("{label} lies in the sea", label=label), rule=rule, word=label)

    def _near_label(self, label: str) -> Message:
        return nearest(label, sorted(self.land | self.sea))

    def _features(self) -> Iterator[Fault]:
        land = ("cities", "towns", "airbases", "airfields", "ports", "beaches", "sites", "extra_clearing", "jungle", "names")
        for key in land:
            held = self.map.get(key, ())
            keyed = isinstance(held, dict)
            rule = "2.1" if key == "names" else "8.3.1"
            yield from self._on_map(("map", key), _tokens([list(held) if keyed else held]), rule, key != "names", keyed)
        yield from self._on_map(("extra_clearing_hexes",), self.p["extra_clearing_hexes"], "8.4", True)
        for key, rule in (("forts", "8.3.1.10"), ("countries", "2.1"), ("inshore", "7.1")):
            for name, block in self.map.get(key, {}).items():
                yield from self._on_map(("map", key, name), _tokens([block]), rule, key == "forts")
        for key, rule in (("rivers", "8.3.1.1"), ("roads", "8.3.2"), ("ferries", "8.3.1.8")):
            for name, block in self.map.get(key, {}).items():
                yield from self._hexsides(("map", key, name), block, rule)
        yield from self._hexsides(("map", "water"), self.map.get("water", ""), "8.3.3")

    def _hexsides(self, path: Path, block: str, rule: str) -> Iterator[Fault]:
        for pair in block.split():
            one, _, other = pair.partition("-")
            missing = next((label for label in (one, other) if label not in self.land and label not in self.sea), None)
            if missing is not None:
                yield Fault(
                    path,
                    msg("{pair}: {missing!r} is no hex of the map", pair=pair, missing=missing),
                    self._near_label(missing),
                    rule,
                    pair,
                )
            elif self._number(other) not in GRID.neighbours(self._number(one)):
                beside = [h for h in sorted(self.land | self.sea) if self._number(h) in GRID.neighbours(self._number(one))]
                yield Fault(
                    path,
                    msg("{pair}: no two neighbours", pair=pair),
                    msg("next to {one}: {hexes}", one=one, hexes=", ".join(beside)),
                    rule,
                    pair,
                )

    def _countries(self) -> Iterator[Fault]:
        known = list(self.p["countries"])
        for key in ("countries", "forts", "ferries"):
            for name in self.map.get(key, {}):
                yield from self._known(("map", key, name), name, known, COUNTRY, "2.1")
        if "default_country" in self.map:
            yield from self._known(("map", "default_country"), self.map["default_country"], known, COUNTRY, "2.1")
        else:
            placed = set(_tokens(self.map.get("countries", {}).values()))
            bare = sorted(self.land - placed)
            if bare:
                yield Fault(
                    ("map", "countries"),
                    msg("{n} land hexes have no country: {hexes}", n=len(bare), hexes=", ".join(bare[:5])),
                    rule="2.1",
                )

    def _sides(self) -> Iterator[Fault]:
        for seat, sheet in self.p["sides"].items():
            for nation, homes in sheet["countries"].items():
                yield from self._known(("sides", seat, "countries", nation), nation, sheet["nations"], NATION, "2.1")
                for i, country in enumerate(homes):
                    yield from self._known(
                        ("sides", seat, "countries", nation, i), country, list(self.p["countries"]), COUNTRY, "2.1"
                    )

    def _zones(self) -> Iterator[Fault]:
        zones = [z["id"] for z in self.p["sea_zones"]]
        known = sorted(self.areas)
        for i, zone in enumerate(self.p["sea_zones"]):
            for j, other in enumerate(zone.get("adjacent", ())):
                yield from self._known(("sea_zones", i, "adjacent", j), other, zones, ZONE, "7.1")
            for name in zone.get("names", {}):
                yield from self._known(("sea_zones", i, "names", name), name, known, AREA, "7.1")
        for area in self.map.get("inshore", {}) if "playing_area" not in self.scenario else ():
            yield from self._known(("map", "inshore", area), area, known, AREA, "7.1")
        for area in self.p["sea_control_start"]:
            yield from self._known(("sea_control_start", area), area, known, AREA, "7.2")
        for i, area in enumerate(self.p["sea_control_fixed"]):
            yield from self._known(("sea_control_fixed", i), area, known, AREA, "7.2")
        for box, entry in self.p["naval_boxes"].items():
            for i, area in enumerate(entry["touches"]):
                yield from self._known(("naval_boxes", box, "touches", i), area, known, AREA, "8.5.6.3")

    @staticmethod
    def _known(path: Path, name: str, known: Sequence[str], what: Message, rule: str) -> Iterator[Fault]:
        if name not in known:
            few = msg("known: {names}", names=", ".join(known)) if len(known) <= 12 else NO_WORDS
            yield Fault(
                path, msg("there is no {kind} {text}", kind=what, text=quoted(name)), nearest(name, known) or few, rule, name
            )

    # -- the counters ------------------------------------------------------------------------------------------------------

    def _counters(self) -> Iterator[Fault]:
        seen: set[str] = set()
        for kind, i, row in self.rows:
            path: Path = ("units", kind, i)
            if row["id"] in seen:
                yield Fault((*path, "id"), msg("{unit!r} stands there twice", unit=row["id"]), rule="2.2", word=row["id"])
            seen.add(row["id"])
            if self.nations.get(row["nation"], row["side"]) != row["side"]:
                yield Fault(
                    (*path, "nation"),
                    msg("{nation} is a nation of the {side} side", nation=row["nation"], side=self.nations[row["nation"]]),
                    rule="2.2",
                )
            close = get_close_matches(row["nation"], list(self.nations), n=1, cutoff=0.75)
            if row["nation"] not in self.nations and close and len(row["nation"]) > 3:  # a slip; others are left out on purpose
                yield Fault(
                    (*path, "nation"), msg("there is no nation {nation!r}", nation=row["nation"]), did_you_mean(close), "2.2"
                )
            if kind == "ground":
                yield from self._known((*path, "type"), row["type"], list(self.p["unit_types"]), TYPE, "2.2")
            if row.get("flips_to"):
                yield from self._known((*path, "flips_to"), row["flips_to"], self.ids, UNIT, "7.3.2.1")

    def _places(self) -> Iterator[Fault]:
        for kind, i, row in self.rows:
            if "at" in row:
                yield from self._place(("units", kind, i, "at"), kind, str(row["at"]))
        kinds = {row["id"]: kind for kind, _, row in self.rows}
        for unit, place in self.scenario.get("setup", {}).items():
            yield from self._known(("setup", unit), unit, self.ids, UNIT, "2.3.6")
            yield from self._place(("setup", unit), kinds.get(unit, ""), str(place))
        for side, block in self.scenario.get("control", {}).items():
            yield from self._on_map(("control", side), _tokens([block]), "8.4")
        yield from self._on_map(("playing_area",), _tokens([self.scenario.get("playing_area", "")]), "2.1")
        for i, unit in enumerate(self.scenario.get("units_in_play", ())):
            yield from self._known(("units_in_play", i), unit, self.ids, UNIT, "2.2")

    def _place(self, path: Path, kind: str, text: str) -> Iterator[Fault]:
        place = text.removesuffix(" reduced")
        if place == "removed" or place in self.ships or (kind == "naval" and place in self.areas | self.boxes):
            return
        if place in self.areas | self.boxes:
            yield Fault(path, msg("{place} is a sea area, for naval units only", place=place), rule="7.1", word=place)
        elif kind == "ground" and place in self.sea:
            yield Fault(path, msg("{place} lies in the sea", place=place), rule="8.3.3", word=place)
        elif place not in self.land | self.sea:
            known = sorted(self.land | self.areas | self.ships)
            yield Fault(path, msg("there is no place {place!r}", place=place), nearest(place, known), "2.3.6", place)

    # -- schedules and tables ------------------------------------------------------------------------------------------------

    def _schedule(self) -> Iterator[Fault]:
        sides = {row["id"]: row["side"] for _, _, row in self.rows}
        for i, entry in enumerate(self.p["reinforcements"]):
            path: Path = ("reinforcements", i)
            if not entry.get("units") and "airmobile_points" not in entry:
                yield Fault(path, msg("brings nothing"), msg("units, or airmobile_points"), "10.0")
            if entry.get("units") and not entry.get("where"):
                yield Fault(
                    path,
                    msg("does not say where"),
                    msg("a list of hexes, areas, {words}, or countries", words=", ".join(KINDS)),
                    "10.0",
                )
            for j, unit in enumerate(entry.get("units", ())):
                yield from self._known((*path, "units", j), unit, self.ids, UNIT, "10.0")
                if sides.get(unit, entry["side"]) != entry["side"]:
                    yield Fault(
                        (*path, "units", j),
                        msg("{unit} is a unit of the {side} side", unit=unit, side=sides[unit]),
                        rule="10.0",
                        word=unit,
                    )
            for j, rank in enumerate(entry.get("where", ())):
                for place in rank.split("/"):
                    yield from self._arrival((*path, "where", j), place)

    def _arrival(self, path: Path, place: str) -> Iterator[Fault]:
        known = [*KINDS, *sorted(self.areas | self.boxes), *self.p["countries"]]
        if place not in known and place not in self.land:
            yield Fault(
                path,
                msg("there is no place {place!r}", place=place),
                nearest(place, [*known, *sorted(self.land)]),
                "10.0",
                place,
            )

    def _tables(self) -> Iterator[Fault]:
        columns = len(self.p["air_points_turns"])
        for key, row in self.p["air_points_table"].items():
            if len(row) != columns:
                yield self._of(
                    "air_points_table",
                    key,
                    text=msg("has {number} columns, air_points_turns has {columns}", number=len(row), columns=columns),
                    rule="6.1",
                )
        throws = self.p["auto_victory_table"]
        for key, row in throws.get("rows", {}).items():
            if len(row) != len(throws["columns"]):
                text = msg("has {number} columns, not {columns}", number=len(row), columns=len(throws["columns"]))
                yield self._of("auto_victory_table", "rows", key, text=text, rule="12.2")
        yield from self._on_map(("mines_start",), self.p["mines_start"], "7.5", tail=True)
        yield from self._on_map(("port_capacity",), (k for k in self.p["port_capacity"] if k != "other"), "8.3.1.9", tail=True)
        for side, labels in self.p["auto_victory_hexes"].items():
            for i, label in enumerate(labels):
                yield from self._on_map(("auto_victory_hexes", side, i), [label], "12.2")
        for side, labels in self.p["supply_edge_hexes"].items():
            for i, label in enumerate(labels):
                yield from self._on_map(("supply_edge_hexes", side, i), [label], "13.1.2", True)
        yield from self._on_map(("tunnels", "hexes"), self.p["tunnels"]["hexes"], "KOREA-TUNNELS", True)
        for i, unit in enumerate(self.p["fixed_units"]):
            yield from self._known(("fixed_units", i), unit, self.ids, UNIT, "KOREA-FIXED")
        for f in self._on_map((), self.p["vp_chart"].get("capitals", ()), "12.1"):
            yield self._of("vp_chart", "capitals", text=f.text, rule=f.rule, word=f.word)
        for nation in self.p["replacement_points"]:
            yield from self._known(("replacement_points", nation), nation, list(self.nations), NATION, "11.0")

    def _of(self, name: str, *path: str | int, text: Message, rule: str, word: str = "") -> Fault:
        """A fault in a parameter that stands in the scenario, its tables or its charts."""
        part = next((k for k in ("tables", "charts") if name not in self.scenario and name in self.scenario.get(k, {})), "")
        return fault(text, word=word).under(*([part] if part else []), name, *path, rule=rule)
