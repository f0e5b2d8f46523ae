"""Random play with counters that the scenarios do not have: divisions that break down, a fortification, parachutists."""

from __future__ import annotations

from typing import Any

from pbem.games.pacific_war.state import State
from pbem.kernel.engine import Engine
from tests.pacific_war import random_play, table

DIVISION = {"id": "2nd Division", "side": "japan", "nation": "japan", "kind": "ground", "type": "infantry", "size": "division"}
FORTRESS = {"id": "Moresby Fortress", "side": "allies", "nation": "us", "kind": "naval", "type": "FORT", "capacity": 3}
PARACHUTISTS = {"id": "503rd Regiment", "side": "allies", "kind": "ground", "type": "airborne", "tq": 7, "steps": 3}


def added(name: str, place: str, *counters: dict[str, Any]) -> dict[str, Any]:
    """Changes of a scenario: counters more, all in one hex."""
    plain = table.scenario(name)
    forces = {h: list(units) for h, units in plain["forces"].items()}
    forces[place] = [*forces.get(place, ()), *(c["id"] for c in counters)]
    return {"forces": forces, "more": {"counters": [*plain.get("more", {}).get("counters", ()), *counters]}}


def japanese_steps(g: State) -> int:
    return sum(g.steps(u) for u in g.on_map("japan", "ground"))


def test_a_division_that_breaks_down_loses_and_wins_no_step() -> None:
    changes = added("guadalcanal", "1630", {**DIVISION, "steps": 9, "tq": 6})
    before: list[int] = []
    moments = 0

    def watch(engine: Engine) -> None:
        nonlocal moments
        events = engine.state.events
        split = len(events) > 1 and events[-1].rule == events[-2].rule == "PW-DSP-01"
        if split and before:
            assert japanese_steps(engine.state) == before[-1]
            moments += 1
        before[:] = [japanese_steps(engine.state)]

    for seed in range(4):
        before.clear()
        random_play.play("guadalcanal", seed, watch, changes=changes)
    assert moments >= 5


def test_a_fortification_stays_where_it_is() -> None:
    changes = added("coral-sea", "1426", {**FORTRESS, "gun": [4, 2, 0], "aa": 1}, PARACHUTISTS)

    def watch(engine: Engine) -> None:
        fort = engine.state.units["Moresby Fortress"]
        assert (fort.box, fort.at, fort.tf, fort.active) in (("map", 1426, "", False), ("eliminated", 0, "", False))

    for seed in range(4):
        random_play.play("coral-sea", seed, watch, changes=changes)
