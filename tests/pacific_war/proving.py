"""A scenario for tests alone: the strategic phases on the map of Guadalcanal, with what no short scenario has.

Divisions that break down, an island fortress, parachutists beside their aircraft, engineers at work under enemy aircraft,
merchants, bombers in reach of a home hex: one of everything that random play is to reach.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.pacific_war import table

PROVING, PROVING_BASE = "proving ground", "guadalcanal"
DROP_ZONE, DROP_BASE = "drop zone", "coral-sea"
COUNTERS: tuple[dict[str, Any], ...] = (
    {"id": "2nd Division", "side": "japan", "nation": "japan", "kind": "ground", "type": "infantry", "size": "division"}
    | {"steps": 9, "tq": 6, "cost": 3},
    {"id": "5th Division", "side": "japan", "nation": "japan", "kind": "ground", "type": "infantry", "size": "division"}
    | {"steps": 12, "tq": 6, "cost": 3},
    {"id": "Tulagi Fortress", "side": "allies", "nation": "us", "kind": "naval", "type": "FORT", "capacity": 3}
    | {"gun": [4, 2, 0], "aa": 1},
    {"id": "503rd Regiment", "side": "allies", "nation": "us", "kind": "ground", "type": "airborne", "size": "regiment"}
    | {"tq": 7, "steps": 3, "cost": 1},
    {"id": "54th Transport Wing", "side": "allies", "nation": "us", "kind": "air", "type": "2E", "steps": 6, "range": 9}
    | {"aa": 1, "an": 1, "ag": 1, "level": 1, "cost": 1},
)
PLACES = {"2nd Division": "1630", "Tulagi Fortress": "1134", "503rd Regiment": "1134", "54th Transport Wing": "1134"}
AIRFIELDS = {
    "1134": {"side": "allies", "size": 18},
    "1630": {"side": "japan", "size": 18},
    "1626": {"side": "japan", "size": 6},
    "0722": {"side": "allies", "size": 18},
    "0135": {"side": "allies", "size": 18},
    "1426": {"side": "allies", "size": 6},
}
LEDGER = {
    "home 2533": 60,
    "home 2534": 30,
    "resource 1630": 40,
    "merchants": 20,
    "escorts": 10,
    "harassing": 40,
    "20th at": 1134,
    "20th points": 6,
}


@cache
def proving() -> dict[str, Any]:
    """The changes of the scenario of Guadalcanal."""
    plain = table.scenario(PROVING_BASE)
    forces = {h: list(units) for h, units in plain["forces"].items()}
    for unit, place in PLACES.items():
        forces.setdefault(place, []).append(unit)
    return {
        "level": "strategic",
        "month": 10,
        "last_month": 7,
        "initiative": -1,
        "ledger": LEDGER,
        "airfields": AIRFIELDS,
        "control": {"1134": "allies", "1630": "japan", "2533": "japan", "2534": "japan"},
        "schedule": {},
        "forces": forces,
        "more": {"counters": [*plain.get("more", {}).get("counters", ()), *COUNTERS]},
    }


@cache
def drop_zone() -> dict[str, Any]:
    """The changes of the Coral Sea: parachutists and their aircraft at Port Moresby, half the Japanese army beside them."""
    plain = table.scenario(DROP_BASE)
    forces = {h: list(units) for h, units in plain["forces"].items()}
    forces.setdefault("1426", []).extend(
        ["503rd Regiment", "54th Transport Wing", "Tulagi Fortress", "2nd Division", "5th Division"]
    )
    return {"forces": forces, "more": {"counters": [*plain.get("more", {}).get("counters", ()), *COUNTERS]}}
