"""The stage of the Next War series: SETUP and THEN lines of its cases (tests/cases/README.md lists them)."""

from __future__ import annotations

import copy
from typing import Any

from pbem.games.next_war.charts import combat_result, pick
from pbem.games.next_war.events.combat import CombatThrown, Thrown
from pbem.games.next_war.game import GAME
from pbem.games.next_war.orders import read_place, read_spot, read_unit, read_units
from pbem.games.next_war.searches import reach
from pbem.games.next_war.stacking import efficiency
from pbem.games.next_war.state import FOE, SIDES, Beachhead, Clearing, Mines, Piece, State
from pbem.games.next_war.strength import attack_strength, defense_strength, is_soft, modifiers, odds, shifts
from pbem.games.next_war.zoc import zone
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Request
from pbem.kernel.shapes import ScenarioFault
from pbem.protocol.strict_yaml import read_document
from tests.case_driver import Stage, read_options, read_value
from tests.next_war import table

FIRST = ("SCENARIO", "START", "OPTION", "PARAMETER", "PRINT", "MAP", "TYPE")


class GameStage(Stage):
    """A case being played. Dice show 0 to 9."""

    def face(self, shown: int, sides: int) -> int:
        return 10 if sides == 10 and shown == 0 else shown

    def chance(self, request: Request) -> Plain:
        raise AssertionError(f"nothing answers {request}")

    # -- SETUP ----------------------------------------------------------------------------------------------------------

    def set_up(self) -> Engine:
        lines = [(w, r) for w, _, r in (line.partition(" ") for line in self.case.setup)]
        first = {w: r for w, r in lines if w in FIRST}
        options = read_options(self.case.setup, GAME.options)
        scenario = self._scenario(first.get("SCENARIO", "training"), lines)
        g = GAME.start(scenario, options)
        if "SCENARIO" not in first:
            clear(g)
        for word, rest in lines:
            if word not in FIRST:
                getattr(self, f"_set_{word.lower()}")(g, rest)
        if "SCENARIO" not in first or "START" in first:
            name, *arguments = first.get("START", "movement basic allied").split()
            g.stack = [Cursor(name, [read_value(a) for a in arguments])]
        g.forget()
        return Engine(GAME, scenario, g)

    def _scenario(self, name: str, lines: list[tuple[str, str]]) -> Any:
        """The scenario; PARAMETER lines replace values, PRINT lines add a unit, TYPE lines a unit type, MAP lines a feature."""
        scenario: Any = table.scenario(name)
        for word, rest in lines:
            if word in ("PARAMETER", "PRINT", "MAP", "TYPE") and scenario is table.scenario(name):
                scenario = copy.deepcopy(scenario)
            if word == "PARAMETER":
                key, _, value = rest.partition(" ")
                scenario[key] = read_document(f"value: {value}\n")[0]["value"]
            elif word == "PRINT":
                row = read_document(f"value: {rest}\n")[0]["value"]
                scenario["units"]["ground"].append(row)
            elif rest.startswith("terrain "):
                for kind, labels in read_document(f"value: {rest.removeprefix('terrain ')}\n")[0]["value"].items():
                    scenario["map"]["terrain"][kind] += f" {labels}"
            elif word in ("MAP", "TYPE"):
                key, _, value = rest.partition(" ")
                scenario["map" if word == "MAP" else "unit_types"][key] = read_document(f"value: {value}\n")[0]["value"]
        return scenario

    def _set_units(self, g: State, rest: str) -> None:
        """UNITS place: unit, unit reduced. A place is a hex, a sea area, or an AMPH."""
        place, _, units = rest.partition(":")
        for text in units.split(","):
            unit, reduced = _unit_and_side(g, text)
            if place.strip() in g.board.counters:
                ship = g.pieces[place.strip()]
                g.pieces[unit] = Piece(ship.at, ship.box, reduced, place.strip())
            else:
                at, box = read_spot(g, place.strip())
                for passenger in g.cargo(unit):
                    g.pieces[passenger].at, g.pieces[passenger].box = at, box
                g.pieces[unit] = Piece(at, box, reduced)
        g.forget()

    def _set_box(self, g: State, rest: str) -> None:
        """BOX eliminated|removed|due N: units."""
        box, _, units = rest.partition(":")
        name, *due = box.split()
        for unit in read_units(g, units.strip()):
            g.pieces[unit] = Piece(0, name, due=int(due[0]) if due else 0)

    def _set_own(self, g: State, rest: str) -> None:
        side, _, places = rest.partition(":")
        for place in places.split(","):
            g.control[read_place(g, place.strip())] = side.strip()

    def _set_sea(self, g: State, rest: str) -> None:
        """SEA side: areas; `SEA nobody: areas`."""
        side, _, areas = rest.partition(":")
        for area in areas.split(","):
            g.sea_control.pop(area.strip(), None)
            if side != "nobody":
                g.sea_control[area.strip()] = side

    def _set_marker(self, g: State, rest: str) -> None:
        """MARKER side hex [number]."""
        side, place, *number = rest.split()
        g.clearing[read_place(g, place)] = Clearing(side, int(number[0]) if number else 0)

    def _set_mines(self, g: State, rest: str) -> None:
        """MINES side hex density."""
        side, place, density = rest.split()
        g.mines[read_place(g, place)] = Mines(side, int(density))

    def _set_beachhead(self, g: State, rest: str) -> None:
        """BEACHHEAD side hex [n]: put down after so many Movement Segments."""
        side, place, *placed = rest.split()
        g.beachheads[read_place(g, place)] = Beachhead(side, 1, int(placed[0]) if placed else -1)

    def _set_poised(self, g: State, rest: str) -> None:
        """POISED hex: units aboard that are about to assault it."""
        place, _, units = rest.partition(":")
        for unit in read_units(g, units.strip()):
            g.poised[unit] = read_place(g, place)

    def _set_mark(self, g: State, rest: str) -> None:
        """MARK name value, `MARK air allied 4`: a field of the state; units in lists by name."""
        name, *words = rest.split(" ")
        held = getattr(g, name)
        if isinstance(held, dict):
            text = " ".join(words[:-1])
            key: Any = read_unit(g, text) if name in UNITS and text not in SIDES else int(text) if text.isdigit() else text
            held[key] = read_value(words[-1])
        elif isinstance(held, list):
            setattr(g, name, read_units(g, " ".join(words)) if name in UNITS else [int(w) for w in words])
        elif isinstance(held, bool):
            setattr(g, name, words[0] in ("true", "on", "yes"))
        elif isinstance(held, int):
            setattr(g, name, int(words[0]))
        else:
            setattr(g, name, words[0])

    # -- THEN -----------------------------------------------------------------------------------------------------------

    def _then_units(self, g: State, rest: str, line: str) -> None:
        """UNITS place: exactly these units in a hex, sea area or AMPH, or none."""
        place, _, units = rest.partition(":")
        if place.strip() in g.board.counters:
            there = g.cargo(place.strip())
        else:
            at, box = read_spot(g, place.strip())
            there = (
                list(g.by_hex().get(at, ()))
                if at
                else [u for u, p in g.pieces.items() if p.box == box and not p.at and not p.aboard]
            )
        found = {(u, g.pieces[u].reduced) for u in there}
        wanted = set() if units.strip() == "none" else {_unit_and_side(g, t) for t in units.split(",")}
        assert found == wanted, f"{line}: there are {sorted(found)}"

    def _then_at(self, g: State, rest: str, line: str) -> None:
        """AT place: among others these units."""
        place, _, units = rest.partition(":")
        at, box = read_spot(g, place.strip())
        for text in units.split(","):
            unit, reduced = _unit_and_side(g, text)
            piece = g.pieces[unit]
            assert (piece.at, piece.box, piece.reduced) == (at, box, reduced), f"{line}: {unit} {piece}"

    def _then_box(self, g: State, rest: str, line: str) -> None:
        """BOX name [turn]: units."""
        box, _, units = rest.partition(":")
        name, *due = box.split()
        for unit in read_units(g, units.strip()):
            piece = g.pieces[unit]
            assert piece.box == name and (not due or piece.due == int(due[0])), f"{line}: {unit} {piece}"

    def _then_own(self, g: State, rest: str, line: str) -> None:
        side, _, places = rest.partition(":")
        for place in places.split(","):
            held = g.control[read_place(g, place.strip())]
            assert held == side.strip(), f"{line}: {place} held by {held}"

    def _then_sea(self, g: State, rest: str, line: str) -> None:
        side, _, areas = rest.partition(":")
        for area in areas.split(","):
            assert g.sea_control.get(area.strip(), "nobody") == side, f"{line}: {g.sea_control}"

    def _then_mark(self, g: State, rest: str, line: str) -> None:
        """MARK name value; for records `MARK vp_turn allied 4`."""
        name, *words = rest.split(" ")
        held = getattr(g, name)
        if isinstance(held, dict):
            text = " ".join(words[:-1])
            key: Any = text if text in held or not text.isdigit() else int(text)
            assert str(held.get(key, "none")) == words[-1], f"{line}: {held}"
        elif isinstance(held, list):
            assert [str(h) for h in held] == [w.strip() for w in " ".join(words).split(",") if w != "none"], f"{line}: {held}"
        else:
            assert str(held).lower() == " ".join(words), f"{line}: {held}"

    def _then_marker(self, g: State, rest: str, line: str) -> None:
        """MARKER hex side|none [number]."""
        place, side, *number = rest.split()
        marker = g.clearing.get(read_place(g, place))
        assert (marker.side if marker else "none") == side, f"{line}: {marker}"
        assert not number or (marker is not None and marker.number == int(number[0])), f"{line}: {marker}"

    def _then_mines(self, g: State, rest: str, line: str) -> None:
        """MINES hex density."""
        place, density = rest.split()
        found = g.mines.get(read_place(g, place))
        assert (found.density if found else 0) == int(density), f"{line}: {found}"

    def _then_beachhead(self, g: State, rest: str, line: str) -> None:
        """BEACHHEAD hex side|none."""
        place, side = rest.split()
        found = g.beachheads.get(read_place(g, place))
        assert (found.side if found else "none") == side, f"{line}: {found}"

    def _then_efficiency(self, g: State, rest: str, line: str) -> None:
        """EFFICIENCY n: units."""
        number, _, units = rest.partition(":")
        for unit in read_units(g, units.strip()):
            assert efficiency(g, unit) == int(number), f"{line}: {efficiency(g, unit)}"

    def _then_zone(self, g: State, rest: str, line: str) -> None:
        """ZONE side: hexes in its zones of control; NOZONE the opposite."""
        side, _, places = rest.partition(":")
        for place in places.split(","):
            assert read_place(g, place.strip()) in zone(g, side), f"{line}: {place}"

    def _then_nozone(self, g: State, rest: str, line: str) -> None:
        side, _, places = rest.partition(":")
        for place in places.split(","):
            assert read_place(g, place.strip()) not in zone(g, side), f"{line}: {place}"

    def _then_cost(self, g: State, rest: str, line: str) -> None:
        """COST sixths unit: hex: what the cheapest march there costs; COST none unit: hex."""
        number, _, more = rest.partition(" ")
        units, _, place = more.partition(":")
        names = read_units(g, units)
        path = reach(g, g.seat(names[0]), names, g.pieces[names[0]].at).end(read_place(g, place.strip()))
        assert str(path.spent if path else "none") == number, f"{line}: {path}"

    def _then_strength(self, g: State, rest: str, line: str) -> None:
        """STRENGTH n unit: hex: attack strength of a unit against a hex as it is held now."""
        number, _, more = rest.partition(" ")
        name, _, place = more.partition(":")
        unit, target = read_unit(g, name), read_place(g, place.strip())
        soft = is_soft(g, g.ground(FOE[g.seat(unit)], target))
        found = attack_strength(g, unit, target, unit in g.poised, soft)
        assert found == int(number), f"{line}: {found}"

    def _then_defense(self, g: State, rest: str, line: str) -> None:
        """DEFENSE n side: hex: defense strength of all units there."""
        number, _, more = rest.partition(" ")
        side, _, place = more.partition(":")
        target = read_place(g, place.strip())
        found = defense_strength(g, side, target, g.ground(side, target))
        assert found == int(number), f"{line}: {found}"

    def _then_odds(self, g: State, rest: str, line: str) -> None:
        """ODDS hex attack defense: ratio column drm."""
        given, _, wanted = rest.partition(": ")
        place, attack, defense = given.split()
        found = odds(g, read_place(g, place), int(attack), int(defense))
        assert f"{found.ratio} {found.column} {found.drm}" == wanted, f"{line}: {found}"

    def _then_crt(self, g: State, rest: str, line: str) -> None:
        """CRT die column: result."""
        given, _, wanted = rest.partition(": ")
        die, column = (int(w) for w in given.split())
        found = pick(g.p["crt"]["results"], die)[column - 1]
        assert found == wanted and combat_result(found), f"{line}: {found}"

    def _then_shifts(self, g: State, rest: str, line: str) -> None:
        """SHIFTS rule value, rule value: all shifts of the combat that is going on, or none."""
        assert g.fight is not None, f"{line}: no combat"
        _check_parts(shifts(g, g.fight), rest, line)

    def _then_drms(self, g: State, rest: str, line: str) -> None:
        """DRMS rule value, ...: all modifiers of the combat but those of odds and support, or none."""
        assert g.fight is not None, f"{line}: no combat"
        _check_parts([p for p in modifiers(g, g.fight) if p.rule != "9.6.1"], rest, line)

    def _then_faulty(self, g: State, rest: str, line: str) -> None:
        """FAULTY words: {setup.Falcon 1: "0305"}: a scenario with these values, by their path, is refused in such words."""
        wanted, _, values = rest.partition(": ")
        scenario = copy.deepcopy(self._scenario("training", []))
        changes: Any = read_document(f"value: {values}\n")[0]
        for path, value in changes["value"].items():
            *above, key = str(path).split(".")
            held = scenario
            for name in above:
                held = held.setdefault(name, {})
            held[key] = value
        try:
            GAME.start(scenario, {})
        except ScenarioFault as refusal:
            assert any(wanted in str(f) for f in refusal.faults), f"{line}: {refusal}"
        else:
            raise AssertionError(f"{line}: it is no fault")

    def _then_fight(self, g: State, rest: str, line: str) -> None:
        """FIGHT field value."""
        name, _, wanted = rest.partition(" ")
        assert str(getattr(g.fight, name)) == wanted, f"{line}: {g.fight}"

    def _then_thrown(self, g: State, rest: str, line: str) -> None:
        """THROWN label: die drm outcome: a die of this label had this modifier and outcome."""
        label, _, wanted = rest.partition(": ")
        thrown = [e for e in g.events if isinstance(e, Thrown | CombatThrown) and label in str(e.label)]
        found = [f"{e.die} {e.drm} {_outcome(e)}" for e in thrown]
        assert wanted in found, f"{line}: {found}"


UNITS = (
    "moved",
    "fought",
    "unsupplied",
    "missions",
    "grounded",
    "assaulted",
    "zones_entered",
    "refugees",
    "flown",
    "may_attack",
    "overrun",
    "landed",
    "poised",
)


def _check_parts(parts: Any, rest: str, line: str) -> None:
    found = sorted(f"{p.rule} {p.value:+d}" for p in parts)
    wanted = sorted(w.strip() for w in rest.split(",")) if rest != "none" else []
    assert found == wanted, f"{line}: {found}"


def clear(g: State) -> None:
    """No units, the printed control, turn 2, clear weather, nobody's sea, no Air Points."""
    g.pieces = {u: Piece(0, "removed") for u in g.board.counters}
    g.turn, g.moment, g.sea_control, g.mines = 2, 3, {}, {}
    g.threat, g.asw = dict.fromkeys(g.threat, 0), dict.fromkeys(g.asw, 0)
    g.first = "allied"
    g.lift_points = dict.fromkeys(g.lift_points, 0)


def _unit_and_side(g: State, text: str) -> tuple[str, bool]:
    name = text.strip()
    reduced = name.endswith(" reduced")
    return read_unit(g, name.removesuffix(" reduced")), reduced


def _outcome(e: Thrown | CombatThrown) -> str:
    """What came of a die, as cases write it."""
    return e.outcome if isinstance(e, CombatThrown) or e.number is None else str(e.number)
