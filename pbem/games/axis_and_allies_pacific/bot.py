"""A bot that plays every power legally and attacks where the odds are good. It knows only what everybody sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.axis_and_allies_pacific.casualties import combat_strength
from pbem.games.axis_and_allies_pacific.moves import read_move
from pbem.games.axis_and_allies_pacific.orders import DONE, Group, Route
from pbem.games.axis_and_allies_pacific.paths import is_open, reach
from pbem.games.axis_and_allies_pacific.politics import why_not_enter
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    LAND,
    SIDES,
    State,
    Unit,
    enemy_units,
    is_friendly,
    is_hostile,
    movement_points,
)
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected

GOOD_ODDS = 150  # own strength in per cent of the defender's
SHOPPING = {  # in turn, as money allows
    "japan": ("transport", "infantry", "artillery", "tank", "infantry", "fighter", "destroyer"),
    "united-states": ("transport", "infantry", "submarine", "destroyer", "tank", "fighter", "infantry"),
    "china": ("artillery", "infantry"),
    "united-kingdom": ("infantry", "artillery", "infantry", "fighter", "destroyer"),
    "anzac": ("infantry", "submarine", "infantry", "destroyer", "artillery"),
}


def choose(g: State, ask: Ask) -> Plain:
    """One legal order for the question at hand."""
    match ask.kind:
        case "purchase":
            return _buy(g, ask)
        case "combat-move":
            return _attack(g, ask)
        case "noncombat-move":
            return _redeploy(g, ask)
        case "mobilize":
            return next(iter(ask.options()))
        case "retreat":
            return _press(ask)
        case "scramble" | "submarines" | "us-entry":
            return next(iter(ask.options()))
        case "intercept":
            return list(ask.options())[-1]
    options = list(ask.options())
    return options[min(1, len(options) - 1)] if ask.kind == "kamikaze" else options[0]


def _press(ask: Ask) -> Plain:
    mine, theirs = ask.facts["own-strength"], ask.facts["enemy-strength"]
    losing = int(mine) * 10 < int(theirs) * 7 and int(ask.facts["own-units"]) < int(ask.facts["enemy-units"])
    return list(ask.options())[1] if losing else "press"


def _buy(g: State, ask: Ask) -> Plain:
    """Down the shopping list, beginning where the last purchase stopped; no more than the complexes can make."""
    waiting = sum(g.purchased[ask.seat].values())
    if ask.seat != "china" and waiting >= 10:
        return DONE
    wanted = SHOPPING[ask.seat]
    possible = [o for o in ask.options() if isinstance(o, dict) and "buy" in o]
    for i in range(len(wanted)):
        kind = wanted[(waiting + i) % len(wanted)]
        if {"buy": {kind: 1}} in possible and (ask.seat == "china" or _can_make(g, ask.seat)):
            return {"buy": {kind: 1}}
    return DONE


def _can_make(g: State, power: str) -> bool:
    from pbem.games.axis_and_allies_pacific.mobilize import left, usable_complex

    room = sum(left(g, t, {}) for t in g.facilities if usable_complex(g, power, t))
    return sum(g.purchased[power].values()) < room


# -- attacking --------------------------------------------------------------------------------------------------------


def _attack(g: State, ask: Ask) -> Plain:
    power, options = ask.seat, list(ask.options())
    war = next((o for o in options if isinstance(o, dict) and "declare war" in o), None)
    if war is not None and (power != "japan" or g.round >= 2) and (power == "japan" or g.round >= 3):
        return war
    order = _land_attack(g, power) or _sea_attack(g, power, options) or _landing(g, power, options)
    if order is not None:
        return order
    return DONE if DONE in options else next(o for o in options if not (isinstance(o, dict) and "declare war" in o))


def _strength(g: State, units: Sequence[Unit], attacking: int) -> int:
    return combat_strength(g, units, attacking)


def _land_attack(g: State, power: str) -> Plain:
    """The most valuable land that adjacent units can take with good odds, one stack at a time."""
    targets = []
    for name, place in g.board.territories.items():
        if is_hostile(g, power, name) and why_not_enter(g, power, name) is None:
            here = [u for u in g.at(name) if u.owner == power]
            near = _neighbours_of(g, power, name)
            ready = _strength(g, [*here, *near], 1)
            needed = _strength(g, enemy_units(g, power, name), 0) * GOOD_ODDS // 100
            if near and ready >= needed and _strength(g, here, 1) < max(needed, 1) + 2:
                targets.append((place.ipc, -needed, name, near))
    for _, _, name, near in sorted(targets, key=lambda t: (-t[0], -t[1], t[2])):
        order = _send(g, power, near, name)
        if order is not None:
            return order
    return None


def _neighbours_of(g: State, power: str, target: str) -> list[Unit]:
    near = [s for s in g.board.neighbours[target] if s in g.board.territories]
    return [
        u
        for s in near
        for u in g.at(s)
        if u.owner == power and u.type in (*LAND[:4], *AIR[:2]) and u.moved == "" and u.aboard is None and u.role == ""
    ]


def _send(g: State, power: str, near: Sequence[Unit], to: str) -> Plain:
    """Land units first; aircraft only where a land unit goes along."""
    joined = any(u.owner == power and u.type in LAND for u in g.at(to))
    for unit in sorted(near, key=lambda u: (u.type in AIR, u.id)):
        if unit.type in AIR and not joined:
            continue
        count = sum(u.type == unit.type and u.at == unit.at for u in near)
        for number in (count, 1):
            if _is_legal(g, power, unit.type, number, unit.at, to):
                return {"move": {"units": {unit.type: number}, "from": unit.at, "to": to}}
    return None


def _is_legal(g: State, power: str, kind: str, number: int, origin: str, to: str) -> bool:
    try:
        read_move(g, power, Route((Group(kind, number),), origin, to))
    except Rejected:
        return False
    return True


def _sea_attack(g: State, power: str, options: Sequence[Plain]) -> Plain:
    """Ships and aircraft against weaker fleets."""
    for order in options:
        body = order.get("move") if isinstance(order, dict) else None
        if isinstance(body, dict) and str(body["to"]).startswith("sz-") and "loaded transport" not in str(body["units"]):
            zone = str(body["to"])
            mine = [u for u in g.of(power) if u.moved == "" and u.at == body["from"]]
            theirs = enemy_units(g, power, zone)
            if _strength(g, mine, 1) >= 2 * _strength(g, theirs, 0) > 0:
                return order
    return None


def _landing(g: State, power: str, options: Sequence[Plain]) -> Plain:
    """Load, sail and land where the shore is weakly held."""
    for order in options:
        if not isinstance(order, dict):
            continue
        if "assault" in order or "load" in order:
            return order
        body = order.get("move")
        if isinstance(body, dict) and "loaded transport" in str(body["units"]):
            return order
    return None


# -- redeploying ------------------------------------------------------------------------------------------------------


def _redeploy(g: State, ask: Ask) -> Plain:
    """Aircraft land first, then land units of the rear go towards the front."""
    options = list(ask.options())
    for order in options:
        body = order.get("move") if isinstance(order, dict) else None
        if isinstance(body, dict) and any(k in AIR for k in _kinds(body)):
            return order
    return _to_the_front(g, ask.seat) or DONE


def _kinds(body: dict[str, Any]) -> list[str]:
    return list(body["units"])


def _to_the_front(g: State, power: str) -> Plain:
    fronts = {t for t in g.board.territories if is_friendly(g, power, t) and _touches_enemy(g, power, t)}
    for unit in g.of(power):
        if unit.type not in LAND[:4] or unit.moved or unit.aboard or unit.fought or unit.at in fronts:
            continue
        open_land = reach(g, unit.at, lambda s: is_open(g, power, s) and why_not_enter(g, power, s) is None, 6)
        ahead = [(d, t) for t, d in open_land.items() if t in fronts]
        if not ahead:
            continue
        goal = min(ahead)[1]
        back = reach(g, goal, lambda s: is_open(g, power, s), 6)
        steps = [t for t, d in open_land.items() if 0 < d <= movement_points(g, unit) and t in back]
        best = min(steps, key=lambda t: (back[t], t), default="")
        if best and back[best] < back.get(unit.at, 99) and _is_legal(g, power, unit.type, 1, unit.at, best):
            return {"move": {"units": {unit.type: 1}, "from": unit.at, "to": best}}
    return None


def _touches_enemy(g: State, power: str, territory: str) -> bool:
    near = (s for s in g.board.neighbours[territory] if s in g.board.territories)
    return any(is_hostile(g, power, s) and SIDES.get(power) for s in near)
