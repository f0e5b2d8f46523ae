"""Purchases for a plan, and where the new units go."""

from __future__ import annotations

from typing import Any

from pbem.games.axis_and_allies_pacific.bot.judgement import (
    FAR,
    MARCHING,
    Temper,
    defenders_of,
    is_key,
    is_safe,
    is_safe_at_sea,
    is_wanted,
    outlook,
    steps,
    threat,
    worth,
)
from pbem.games.axis_and_allies_pacific.mobilize import left, usable_complex
from pbem.games.axis_and_allies_pacific.orders import DONE
from pbem.games.axis_and_allies_pacific.state import SEA, SIDES, SURFACE_WARSHIPS, State, is_friendly
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask

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
    room = {t: left(g, t, {}) for t in g.facilities if usable_complex(g, power, t)}
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
    land, sea = _land_wishes(bought), _sea_wishes(g, power, have, mind)
    if power == "united-kingdom":
        return [*land, *(sea if have["transport"] < 2 else [])]
    spent_at_sea = sum(n * g.board.types[k].cost for k, n in bought.items() if k in SEA)
    total = spent_at_sea + sum(n * g.board.types[k].cost for k, n in bought.items() if k in g.board.types and k not in SEA)
    share = mind.fleet + (15 if power == "united-states" else 0)
    return [*sea, *land] if spent_at_sea * 100 <= share * (total + 6) else [*land, *sea]


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


def _sea_wishes(g: State, power: str, have: dict[str, int], mind: Temper) -> list[str]:
    """Transports for the troops, warships while the enemy has more, a destroyer against submarines."""
    transports = {"japan": 6, "united-states": 8, "anzac": 3, "united-kingdom": 2}[power]
    mine = sum(g.board.types[u.type].cost for u in g.of(power) if u.type in SURFACE_WARSHIPS)
    theirs = max(
        sum(g.board.types[u.type].cost for u in g.of(p) if u.type in SURFACE_WARSHIPS)
        for p in SIDES
        if SIDES[p] != SIDES[power]
    )
    escorts = have["destroyer"] + have["cruiser"] + have["battleship"]
    if have["destroyer"] < 2:
        return ["destroyer", "transport"]
    if have["transport"] < transports and have["transport"] <= escorts + 1:
        return ["transport", "infantry"]
    if mine > 2 * theirs and have["transport"] < transports + 4:
        return ["transport", "infantry"]
    if have["aircraft-carrier"] * 2 < have["fighter"] - 2 and have["aircraft-carrier"] < 4:
        return ["aircraft-carrier", "destroyer", "submarine"]
    return ["destroyer", "submarine"] if have["destroyer"] <= have["submarine"] + 2 else ["submarine", "destroyer"]


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
