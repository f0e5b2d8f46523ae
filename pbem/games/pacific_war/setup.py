"""[PW-GEN-02] The set-up of a scenario: units, installations, headquarters, the frame of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.pacific_war.board import X
from pbem.games.pacific_war.records import Base, Headquarters, Marker, Unit
from pbem.games.pacific_war.state import ALLIES, BATTLE, CAMPAIGN, ENGAGEMENT, JAPAN, STRATEGIC, State
from pbem.games.pacific_war.world.initiative import note_hits
from pbem.games.pacific_war.world.options import waiting_ships
from pbem.kernel.events import Cursor
from pbem.kernel.shapes import Fault, ScenarioFault
from pbem.kernel.wording import msg


def set_up(g: State, scenario: Mapping[str, Any]) -> None:
    """Units, installations and frame of a scenario."""
    g.scenario, g.level = scenario["name"], scenario.get("level", BATTLE)
    g.month, g.days, g.cycles = scenario.get("month", 44), scenario.get("days", 0), scenario.get("cycles", 0)
    g.operator, g.condition = scenario.get("operator", JAPAN), scenario.get("condition", "intercept")
    g.victory, g.script = scenario.get("victory", {}), dict(scenario.get("script", {}))
    g.control = {int(h): side for h, side in scenario.get("control", {}).items()}
    for kind in ("airfields", "ports", "osbs"):
        rows = scenario.get(kind, {})
        found = {int(h): Base(b["side"], b.get("size", 0), flak=b.get("flak", X)) for h, b in rows.items()}
        setattr(g, kind, found)
    _place_fleets(g, scenario.get("fleets", {}))
    _place_forces(g, scenario.get("forces", {}))
    _load(g, scenario.get("aboard", {}))
    active = g.level in (ENGAGEMENT, BATTLE)  # [PW-GEN-02] everything is activated
    for unit, u in g.units.items():
        c = g.counter(unit)
        u.active = active and not (c.kind == "naval" and not u.tf) and c.side not in scenario.get("inactive", ())
    for marker in g.script.get("spotted", ()):
        g.markers[marker].detected = True
    for ship in scenario.get("seaplanes", ()):
        g.seaplanes[ship] = 1
    g.stack = [Cursor("begin", [])]
    if g.level in (CAMPAIGN, STRATEGIC):
        _set_up_campaign(g, scenario)


def _set_up_campaign(g: State, scenario: Mapping[str, Any]) -> None:
    """Headquarters, command points, schedules, the counts of the strategic game; the first month begins."""
    g.hqs = {n: Headquarters(h["side"], int(h["at"]), h["range"], h["cost"]) for n, h in scenario["hqs"].items()}
    g.last_month, g.points_table = scenario["last_month"], scenario.get("points", {})
    g.schedule, g.pools = scenario.get("schedule", {}), scenario.get("pools", {})
    g.initiative, g.ledger = scenario.get("initiative", 0), scenario.get("ledger", {})
    for row in g.schedule.values():
        for side in (JAPAN, ALLIES):
            for name in row.get(side, ()):
                _unit(g, name, 0).box = "due"
    for option, forces in scenario.get("by_option", {}).items():
        if g.options[option] == "yes":
            _place_forces(g, forces)
    for name in waiting_ships(g):
        _unit(g, name, 0).box = "due"
    note_hits(g)
    g.events.clear()
    g.stack = [Cursor("month", [g.month])]


def _unit(g: State, name: str, at: int) -> Unit:
    if name not in g.board.counters:
        raise ScenarioFault([Fault((), msg("there is no counter {name!r}", name=name), word=name)])
    if name in g.units:
        raise ScenarioFault([Fault((), msg("{name} is placed twice", name=name), word=name)])
    c = g.counter(name)
    unit = Unit(at, hits=c.steps - c.start if c.start else 0)
    g.units[name] = unit
    return unit


def _place_fleets(g: State, fleets: Mapping[str, Any]) -> None:
    for marker, row in fleets.items():
        at = int(row["at"])
        g.markers[marker] = Marker(row["side"], at)
        for part in ("core", "screen"):
            for ship in row.get(part, ()):
                unit = _unit(g, ship, at)
                unit.tf, unit.screen = marker, part == "screen"


def _place_forces(g: State, forces: Mapping[str, Any]) -> None:
    for place, units in forces.items():
        for text in units:
            name, _, hits = text.partition(" less ")
            unit = _unit(g, name, int(place))
            unit.hits += int(hits or 0)


def _load(g: State, aboard: Mapping[str, Any]) -> None:
    """Air units and troops on ships: ship -> units."""
    for ship, units in aboard.items():
        for text in units:
            name, _, hits = text.partition(" less ")
            unit = _unit(g, name, g.units[ship].at)
            unit.aboard = ship
            unit.hits += int(hits or 0)
