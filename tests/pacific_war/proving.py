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
BRINK, BRINK_BASE = "brink", "guadalcanal"
DOGFIGHT, DOGFIGHT_BASE = "dogfight", "guadalcanal"
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


BRINK_COUNTERS: tuple[dict[str, Any], ...] = (
    {"id": "5th Army", "side": "allies", "nation": "china", "kind": "ground", "type": "infantry", "size": "division"}
    | {"steps": 6, "tq": 2, "cost": 1},
)
BRINK_FORCES = {
    "4007": ["144th Regiment"],
    "4008": ["7th Engineers"],
    "3205": ["4th Regiment"],
    "5126": ["35th Regiment", "11th Engineers"],
    "5806": ["Kure Marines"],
    "4923": ["5th Army"],
    "0135": ["CA2 Chicago", "Noumea Catalinas"],
}
BRINK_HQS = {
    "Southern Army": {"side": "japan", "at": "4207", "range": 20, "cost": 1},
    "China Army": {"side": "japan", "at": "4625", "range": 20, "cost": 1},
    "South Pacific": {"side": "allies", "at": "0135", "range": 17, "cost": 2},
    "Malaya": {"side": "allies", "at": "0722", "range": 8, "cost": 1},
}
LAST = {"3908", "3204", "5127", "5705"}  # what Japan lacks: Singapore, a hex of Java, a city of China, one of India


@cache
def brink() -> dict[str, Any]:
    """The changes of Guadalcanal: every nation one hex from its surrender."""
    plain = table.scenario(BRINK_BASE)
    regions = table.begin(BRINK_BASE).state.board.region
    fallen = [f"{h:04d}" for r in ("singapore", "java", "chinese-city", "indian-city") for h in regions(r)]
    ports = {"4207": "japan", "4625": "japan", "5708": "japan", "0135": "allies", "0722": "allies"}
    return {
        "level": "strategic",
        "operator": "japan",
        "month": 12,
        "last_month": 8,
        "initiative": 2,
        "hqs": BRINK_HQS,
        "ports": {h: {"side": side} for h, side in ports.items()},
        "osbs": {},
        "airfields": {"0135": {"side": "allies", "size": 18}},
        "aboard": {},
        "forces": BRINK_FORCES,
        "ledger": {"home 4333": 100, "resource 4212": 100, "merchants": 120, "escorts": 10, "harassing": 5, "exited steps": 79},
        "control": {**{h: "japan" for h in fallen if h not in LAST}, "4333": "japan", "4212": "japan"},
        "pools": {"allies": {"ground china": 4, "ground britain": 4}},
        "schedule": {},
        "more": {"counters": [*plain.get("more", {}).get("counters", ()), *BRINK_COUNTERS]},
    }


ACES: tuple[dict[str, Any], ...] = tuple(
    {"id": name, "side": side, "nation": nation, "kind": "air", "type": "1E", "steps": 6, "range": 10}
    | {"aa": 6, "an": 2, "ag": 2, "level": level, "cost": 1}
    for name, side, nation, level in (
        ("Tainan aces", "japan", "japan", 2),
        ("Flotilla aces", "japan", "japan", 2),
        ("Moresby veterans", "allies", "us", 1),
        ("Moresby aces", "allies", "us", 2),
        ("Henderson aces", "allies", "us", 2),
    )
)


@cache
def dogfight() -> dict[str, Any]:
    """The changes of Guadalcanal: nothing but aircraft five hexes apart, and the counters of those who learn."""
    plain = table.scenario(DOGFIGHT_BASE)
    return {
        "last_month": 35,
        "points": {side: {"36": 60, "35": 60} for side in ("japan", "allies")},
        "airfields": {
            "1630": {"side": "japan", "size": 18},
            "1428": {"side": "japan", "size": 18},
            "1426": {"side": "allies", "size": 18},
            "1328": {"side": "allies", "size": 18},
        },
        "ports": {"2432": {"side": "japan"}, "0135": {"side": "allies"}},
        "aboard": {},
        "forces": {
            "1630": ["Tainan air group", "25th Flotilla fighters", "25th Flotilla bombers", "144th Regiment"],
            "1426": ["Port Moresby fighters", "23rd Marine Air Group", "3rd Bomb Group", "30th Brigade"],
        },
        "schedule": {},
        "more": {"counters": [*plain.get("more", {}).get("counters", ()), *ACES]},
    }
