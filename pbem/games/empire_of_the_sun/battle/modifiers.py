"""[9.2] [9.4] The modifiers of the two dice of a battle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.empire_of_the_sun.battle.participants import firing_units, ground_units, landed
from pbem.games.empire_of_the_sun.battle.strengths import effects
from pbem.games.empire_of_the_sun.board import SINGAPORE, TERRAIN_DRM, distance
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State, offensive


def air_naval_drm(g: State, side: str, place: int) -> int:
    """[9.2] The modifier of the air-naval die for one side."""
    return sum(by for _, by in air_naval_modifiers(g, side, place))


def air_naval_modifiers(g: State, side: str, place: int) -> list[tuple[str, int]]:
    """[9.2] Surprise for the offensive side, Ambush for the Allies, the year, events."""
    o = offensive(g)
    american = any(g.counter(u).nation == "us" and g.counter(u).flies for u in firing_units(g, ALLIES, place))
    events = (int(e["air_naval"]) for e in effects(g) if "air_naval" in e and e["side"] == side and _holds(g, e, place, side))
    found = [
        ("surprise", 3 if o.condition == "surprise" and side == o.side else 0),
        ("ambush", 4 if o.condition == "ambush" and side == ALLIES else 0),
        ("year", (1 if g.year == 1943 else 3 if g.year >= 1944 else 0) if side == ALLIES and american else 0),
        ("events", sum(events)),
    ]
    return [(name, by) for name, by in found if by]


def _holds(g: State, effect: Mapping[str, Any], place: int, side: str) -> bool:
    """The condition `if` or the place `where` of an effect."""
    here = g.board.hexes[place]
    match effect.get("where", effect.get("if", "")):
        case "":
            return True
        case "one-hex-island":
            return here.one_hex_island
        case "singapore":
            return place == SINGAPORE
        case "malaya-jungle-mixed":
            return here.region == "Malaya" or here.terrain in ("jungle", "mixed")
        case "brigade":
            return any(g.counter(u).size == 1 for u in ground_units(g, side, place))
        case "commonwealth-ships":
            return any(g.counter(u).commonwealth and g.counter(u).kind == "naval" for u in firing_units(g, FOE[side], place))
        case "inactive-carrier-6":
            idle = (u for u in g.on_map(JAPAN) if g.counter(u).type in ("cv", "cvl") and u not in offensive(g).units)
            return any(distance(g.pieces[u].at, place) <= 6 for u in idle)
    return False


def ground_drm(g: State, side: str, place: int) -> int:
    """[9.4] The modifier of the ground die for one side."""
    return sum(by for _, by in ground_modifiers(g, side, place))


def ground_modifiers(g: State, side: str, place: int) -> list[tuple[str, int]]:
    """[9.4] Events; for the attack ships, air superiority and terrain, for the defence a garrison that is landed upon."""
    o = offensive(g)
    own = [e for e in effects(g) if e.get("side") == side and _holds(g, e, place, side)]
    final = [e["ground_final"] for e in own if "ground_final" in e]
    if final:
        return [("event, final", int(final[0]))]
    found = [("events", sum(e["ground"] for e in own if "ground" in e))]
    if side == o.side:
        ships = any(g.counter(u).kind == "naval" and g.pieces[u].at == place for u in firing_units(g, side, place))
        found += [
            ("ships", 2 if ships and not g.mine_at(FOE[side], place, "naval") else 0),
            ("air", 2 if _air_rules(g, side, place) else 0),
            ("terrain", TERRAIN_DRM.get(g.board.hexes[place].terrain, 0)),
        ]
    elif place in o.garrisoned and any(landed(g, u) for u in ground_units(g, o.side, place)):
        found.append(("landing", 3))
    armour = side == ALLIES and "7th-armored-brigade" in ground_units(g, side, place)
    return [(name, by) for name, by in (*found, ("armour", int(armour))) if by]


def _air_rules(g: State, side: str, place: int) -> bool:
    """Only the offensive side has air units or carriers in the battle."""
    mine = any(g.counter(u).flies for u in firing_units(g, side, place))
    return mine and not any(g.counter(u).flies for u in firing_units(g, FOE[side], place))
