"""Purchases for a plan, and where the new units go."""

from __future__ import annotations

from typing import Any

from pbem.games.axis_and_allies_pacific.bot.judgement import (
    FAR,
    MARCHING,
    Temper,
    defenders_of,
    is_harbour,
    is_key,
    is_safe,
    is_safe_at_sea,
    is_wanted,
    outlook,
    steps,
    threat,
    worth,
)
from pbem.games.axis_and_allies_pacific.capacity import left, usable_complex
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    SEA,
    SIDES,
    SURFACE_WARSHIPS,
    State,
    Unit,
    is_friendly,
    zone_is_hostile,
)
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.questions import DONE

SITES = 3  # complexes that Japan builds on the mainland


def buy(g: State, ask: Ask, mind: Temper) -> Plain:
    """The next thing on the list that money and complexes allow."""
    power = ask.seat
    options = list(ask.options())
    repair = next((o for o in options if isinstance(o, dict) and "repair" in o and _is_complex(o)), None)
    if repair is not None:
        return repair
    possible = {k for o in options if isinstance(o, dict) and "buy" in o for k in _kinds(o)}
    for kind in _wishes(g, power, mind):
        if kind in possible and (power == "china" or _can_make(g, power, kind)):
            return {"buy": {kind: 1}}
    return DONE


def _is_complex(order: dict[str, Any]) -> bool:
    return str(order["repair"]["facility"]).endswith("-ic")


def _kinds(order: dict[str, Any]) -> list[str]:
    return list(order["buy"])


def _can_make(g: State, power: str, kind: str) -> bool:
    bought = g.purchased[power]
    if kind == "minor-ic":
        return True
    waiting = sum(n for k, n in bought.items() if k in g.board.types)
    room = {t: left(g, t) for t in g.facilities if usable_complex(g, power, t)}
    coastal = sum(n for t, n in room.items() if g.board.coast(t))
    ships = sum(n for k, n in bought.items() if k in SEA)
    return waiting < sum(room.values()) and (kind not in SEA or ships < coastal)


def _wishes(g: State, power: str, mind: Temper) -> list[str]:
    """What is wanted next, best first; what is bought already counts."""
    bought = g.purchased[power]
    have = {k: sum(u.type == k for u in g.of(power)) + bought.get(k, 0) for k in g.board.types}
    home = g.board.capitals.get(power, "")
    if power == "china":
        return ["artillery", "infantry"] if bought.get("artillery", 0) * 2 < bought.get("infantry", 0) else ["infantry"]
    if home and _is_short_of_guards(g, power, home, bought):
        return ["infantry", "fighter"] if g.cash[power] < 40 else ["fighter", "infantry"]
    if power == "japan" and _wants_complex(g, power, bought):
        return ["minor-ic"]
    land = _land_wishes(bought)
    slots = sum(left(g, t) for t in g.facilities if usable_complex(g, power, t)) - sum(bought.values())
    if slots > 0 and g.cash[power] > 8 * slots:
        land = ["fighter", "tactical-bomber", "strategic-bomber", "tank", *land]
    if _is_shut_in(g, power):
        return ["strategic-bomber", "fighter", "tactical-bomber", *land]
    if _is_outgunned(g, power, have, mind):
        return [*_warships(have), *land] if _sea_share(g, power) < 50 + mind.fleet // 2 else [*land, *_warships(have)]
    if _idle_troops(g, power) + sum(bought.get(k, 0) for k in MARCHING) > 2 * have["transport"] + 2:
        return ["transport", *land]
    return land


def _sea_share(g: State, power: str) -> int:
    """Per cent of this turn's money that went into ships."""
    spent = {k: n * g.board.types[k].cost for k, n in g.purchased[power].items() if k in g.board.types}
    return sum(n for k, n in spent.items() if k in SEA) * 100 // max(sum(spent.values()), 1)


def _is_outgunned(g: State, power: str, have: dict[str, int], mind: Temper) -> bool:
    """An enemy has more warships and aircraft than this power wants to allow it, or its transports lack escorts; UK and
    ANZAC leave the enemy's fleet to the United States.
    """
    mine = sum(_reach_at_sea(g, u) for u in g.of(power)) + sum(
        n * g.board.types[k].cost for k, n in g.purchased[power].items() if k in SEA and k != "transport"
    )
    rivals = (p for p in SIDES if SIDES[p] != SIDES[power])
    theirs = max(sum(_reach_at_sea(g, u) for u in g.of(p)) for p in rivals)
    escorts = have["destroyer"] + have["cruiser"] + have["battleship"]
    part = 100 if power in ("japan", "united-states") else 40
    return mine * 100 < theirs * (part + mind.fleet) * part // 100 or escorts < 2 + have["transport"] // 3


def _reach_at_sea(g: State, unit: Unit) -> int:
    """What a warship costs, half of what a submarine or an aircraft costs."""
    cost = g.board.types[unit.type].cost
    return cost if unit.type in SURFACE_WARSHIPS else cost // 2 if unit.type in (*AIR, "submarine") else 0


def _warships(have: dict[str, int]) -> list[str]:
    """Carriers for the fighters, destroyers and submarines in turn."""
    if have["aircraft-carrier"] * 3 < have["fighter"] and have["aircraft-carrier"] < 4:
        return ["aircraft-carrier", "destroyer", "submarine"]
    return ["destroyer", "submarine"] if have["destroyer"] <= have["submarine"] + 2 else ["submarine", "destroyer"]


def _is_shut_in(g: State, power: str) -> bool:
    """No zone beside an own complex is free of enemy fleets."""
    harbours = [z for z in g.board.zones if is_harbour(g, power, z)]
    return bool(harbours) and all(zone_is_hostile(g, power, z) for z in harbours)


def _idle_troops(g: State, power: str) -> int:
    """Land units with no enemy land within three steps."""
    land = steps(g.board, "land")
    wanted = [t for t in g.board.territories if is_wanted(g, power, t)]
    quiet = {t for t in g.board.territories if all(land[t].get(w, FAR) > 3 for w in wanted)}
    return sum(u.type in MARCHING and u.at in quiet for u in g.of(power))


def _is_short_of_guards(g: State, power: str, home: str, bought: dict[str, int]) -> bool:
    """The capital would fall to what can come, counting what is bought as infantry."""
    if not is_friendly(g, power, home):
        return False
    force = threat(g, power, home)
    here = defenders_of(g, SIDES[power], home)
    if not any(u.type in MARCHING for u in force):
        return False
    more = [u for u in here if u.type == "infantry"][:1] * sum(bought.values())
    return outlook(g, force, [*here, *more]).defence_left < 2000


def _wants_complex(g: State, power: str, bought: dict[str, int]) -> bool:
    mainland = [t for t in g.facilities if g.control[t] == power and t != "japan" and g.facility(t, "minor-ic", "major-ic")]
    return len(mainland) + bought.get("minor-ic", 0) < min(SITES, g.round) and g.cash[power] >= 22 and bool(sites(g, power))


def sites(g: State, power: str) -> list[str]:
    """Land for a new complex, best first: safe, near the enemy, rich."""
    land = steps(g.board, "land")
    goals = [t for t in g.board.territories if is_wanted(g, power, t) and g.board.territories[t].victory_city]
    fit = [
        t
        for t, place in g.board.territories.items()
        if g.control[t] == power
        and g.start.control.get(t) == power
        and place.ipc >= 2
        and not place.island
        and not g.facility(t, "minor-ic", "major-ic")
        and is_safe(g, power, t)
    ]
    return sorted(fit, key=lambda t: (min((land[t].get(x, FAR) for x in goals), default=FAR), -g.board.territories[t].ipc, t))


def _land_wishes(bought: dict[str, int]) -> list[str]:
    """Two infantry to an artillery, now and then a tank or a fighter."""
    foot, guns, tanks, planes = (bought.get(k, 0) for k in ("infantry", "artillery", "tank", "fighter"))
    if foot >= 4 and not planes:
        return ["fighter", "infantry"]
    if foot > 2 * guns:
        return ["artillery", "infantry"]
    return ["tank", "infantry"] if foot + guns > 5 * (tanks + 1) else ["infantry"]


# -- placing -----------------------------------------------------------------------------------------------------------


def place(g: State, ask: Ask, mind: Temper) -> Plain:
    """Facilities at the best site, ships where they are safest, troops where the enemy is near or the capital in danger."""
    power = ask.seat
    options = [o for o in ask.options() if isinstance(o, dict)]
    if not options:
        return DONE
    best = sites(g, power)
    land = steps(g.board, "land")
    goals = [t for t in g.board.territories if is_wanted(g, power, t)]

    def rank(order: dict[str, Any]) -> tuple[int, str]:
        space, kind = str(order["place"]["in"]), next(iter(order["place"]["units"]))
        if kind not in g.board.types:
            return (best.index(space) if space in best else FAR, space)
        if space in g.board.zones:
            return (-60 if is_safe_at_sea(g, power, space, []) and kind in SEA else -40 if kind in SEA else 50, space)
        if is_key(g, space) and not is_safe(g, power, space):
            return (-30 - worth(g, power, space, mind), space)
        return (min((land[space].get(t, FAR) for t in goals), default=FAR), space)

    return min(options, key=rank)
