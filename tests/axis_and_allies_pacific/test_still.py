"""Events that move nobody, or one unit: an index of the units that was made before one of them is what a new one would be."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific import move_options
from pbem.games.axis_and_allies_pacific.events.combat import FacilityDamaged
from pbem.games.axis_and_allies_pacific.events.conquest import ControlChanged
from pbem.games.axis_and_allies_pacific.events.economy import FacilityBuilt
from pbem.games.axis_and_allies_pacific.events.moves import Moved
from pbem.games.axis_and_allies_pacific.events.turns import TurnBegan, WarDeclared
from pbem.games.axis_and_allies_pacific.move_options import hostile_shores
from pbem.games.axis_and_allies_pacific.paths import halts
from pbem.games.axis_and_allies_pacific.state import POWERS, Snapshot, State, hostile_zones, zone_is_hostile
from pbem.games.axis_and_allies_pacific.stillness import LAND, MOVES, STILL
from pbem.games.axis_and_allies_pacific.whereabouts import Places
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import DiceThrown, emit
from pbem.kernel.flow import Ask
from pbem.kernel.wording import msg
from tests.axis_and_allies_pacific import random_play
from tests.axis_and_allies_pacific.table import engine_at, start


def ids(places: Places) -> list[dict[str, list[int]]]:
    """The units of an index, without spaces that were only asked for."""
    return [
        {str(k): [u.id for u in units] for k, units in part.items() if units} for part in (places.at, places.of, places.aboard)
    ]


def about_others(g: State) -> dict[tuple[object, ...], object]:
    """What is kept for each power about everybody else's units."""
    found: dict[tuple[object, ...], object] = {}
    for power in POWERS:
        found[power, "hostile"], found[power, "prey"] = hostile_zones(g, power), move_options._prey(g, power)
        found[power, "destroyers"], found[power, "targets"] = halts(g, power, "submarine"), move_options._air_targets(g, power)
        for zone in [*g.board.zones][:6]:
            found[power, "shores", zone] = hostile_shores(g, power, zone)
            found[power, "met", zone] = move_options._met_at_sea(g, power, "cruiser", zone, 1)
    return found


def test_the_index_of_units_is_what_a_new_one_would_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a random game, asked after every single event."""
    kept = relisted = faced = 0

    def compare(g: State) -> None:
        nonlocal kept, relisted, faced
        before, land = g.places, g.lasting()
        own = before.facing.get(g.power) if before is not None else None
        found = g._by_place()
        again = before is not None and before is not found and before.at is found.at
        kept += again
        relisted += again and type(g.events[-1]) in MOVES
        fresh = Places(0, 0)
        for unit in g.units.values():
            fresh.at[unit.at].append(unit)
            fresh.of[unit.owner].append(unit)
            if unit.aboard is not None:
                fresh.aboard[unit.aboard].append(unit)
        assert ids(found) == ids(fresh), g.events[-1]
        assert found.where == {unit.id: unit.at for unit in g.units.values()}
        assert found.riding == {unit.id: unit.aboard for unit in g.units.values() if unit.aboard is not None}
        found.lasting = None
        assert g.lasting() is land, "land, wars and facilities as they are now"
        faced += own is not None and found is not before and found.facing.get(g.power) is own and type(g.events[-1]) in MOVES
        told, places, ground = about_others(g), g.places, g.ground
        g.forget()
        assert told == about_others(g), g.events[-1]
        g.places, g.ground = places, ground

    def at_random(engine: Engine, ask: Ask, dice: random.Random) -> Plain:
        compare(engine.state)
        return random_play.at_random(engine, ask, dice)

    for kind in STILL | MOVES:
        if kind.__module__.startswith("pbem.games"):
            monkeypatch.setattr(kind, "apply", _watched(kind.apply, compare))
    random_play.play(4, 2, at_random)
    assert kept > 300
    assert relisted > 100
    assert faced > 50


def test_answers_about_others_are_found_anew_when_one_of_them_moves() -> None:
    """They are kept behind own moves; not behind a move of anybody else, and not when war is declared."""
    g: Any = engine_at(start(), "japan", "combat-move").state
    own, other = (next(u for u in g.of(p) if u.type == "destroyer") for p in ("japan", "united-states"))
    assert not zone_is_hostile(g, "japan", other.at)
    emit(g, WarDeclared("japan", "united-states", "axis", "POL-JP-01"))
    assert zone_is_hostile(g, "japan", other.at)
    held = g.places.facing["japan"]
    emit(g, Moved(own.id, "sz-1", own.at, 1, "combat", "", "CM-10"))
    assert not zone_is_hostile(g, "japan", "sz-2")
    assert g.places.facing["japan"] is held
    assert zone_is_hostile(g, "united-states", "sz-1")
    emit(g, Moved(other.id, "sz-2", other.at, 1, "combat", "", "CM-10"))
    assert zone_is_hostile(g, "japan", "sz-2")


ON_LAND = (
    TurnBegan("china", Snapshot(), "SEQ-01"),
    WarDeclared("japan", "united-states", "axis", "POL-JP-01"),
    ControlChanged("kwangtung", "japan", "united-kingdom", "CAP-03"),
    FacilityDamaged("japan", "major-ic", 3, "SBR-05"),
    FacilityBuilt("japan", "kwangtung", "airbase"),
)


@pytest.mark.parametrize("event", ON_LAND, ids=lambda event: type(event).__name__)
def test_answers_about_land_are_found_anew_when_it_changes(event: Any) -> None:
    """They are kept behind what changes neither land nor a war nor a facility, such as a die."""
    g: Any = engine_at(start(), "japan", "combat-move").state
    g.purchased["japan"] = {"airbase": 1}
    land = g.lasting()
    emit(g, DiceThrown(msg("a die"), (1,), 6, "GC-08"))
    assert g.lasting() is land
    emit(g, event)
    assert g.lasting() is not land


def test_each_kind_of_event_that_may_change_land_is_tried() -> None:
    assert {type(event) for event in ON_LAND} == LAND


def _watched(apply: object, compare: object) -> object:
    def applied(event: object, g: State) -> None:
        apply(event, g)  # type: ignore[operator]
        g.events.append(event)  # type: ignore[arg-type]
        compare(g)  # type: ignore[operator]
        g.events.pop()

    return applied
