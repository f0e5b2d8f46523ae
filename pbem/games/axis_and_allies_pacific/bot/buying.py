"""Purchases for a plan, and where the new units go."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pbem.games.axis_and_allies_pacific.bot.book import opening
from pbem.games.axis_and_allies_pacific.bot.guardians import COVERED, GUARDIANS, danger, guardian_wishes
from pbem.games.axis_and_allies_pacific.bot.judgement import (
    FAR,
    MARCHING,
    Temper,
    defenders_of,
    is_guarded,
    is_harbour,
    is_key,
    is_safe,
    is_wanted,
    outlook,
    spare,
    steps,
    threat,
    worth,
)
from pbem.games.axis_and_allies_pacific.bot.mastery import lift_to_end_it, rules_the_sea
from pbem.games.axis_and_allies_pacific.capacity import left, usable_complex
from pbem.games.axis_and_allies_pacific.landing import CARRIER_AIRCRAFT
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

HOME_MADE = 4  # land units that are bought in a turn to go by sea, at most
WATCH = 3  # land units that a capital has at least, whoever is near
MERCHANTS = 2  # transports that Japan buys in a turn before warships, where troops wait for them
ROAD = 6  # steps on land to the enemy from where troops go to him by themselves
FLOTILLA = 14  # transports that Japan has at most where no troops go to the enemy by themselves any more
SITES = 3  # complexes that Japan has on the mainland at most


def buy(g: State, ask: Ask, mind: Temper) -> Plain:
    """The next thing on the list that money and complexes allow."""
    power = ask.seat
    options = list(ask.options())
    repair = next((o for o in options if isinstance(o, dict) and "repair" in o and _is_complex(o)), None)
    if repair is not None:
        return repair
    possible = {k for o in options if isinstance(o, dict) and "buy" in o for k in _kinds(o)}
    home = g.board.capitals.get(power, "")
    line = {} if home and _is_short_of_guards(g, power, home, g.purchased[power]) else opening(g, power, mind.seed)
    for kind, number in line.items():
        if kind in possible and g.purchased[power].get(kind, 0) < number and _can_make(g, power, kind):
            return {"buy": {kind: 1}}
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
    winged = power == "japan" and 2 * sum(have[k] for k in AIR) >= sum(have[k] for k in MARCHING)
    land = _land_wishes(bought, winged)
    slots = sum(left(g, t) for t in g.facilities if usable_complex(g, power, t)) - sum(bought.values())
    if slots > 0 and g.cash[power] > 8 * slots:
        land = ["tank", *land] if winged else ["fighter", "tactical-bomber", "strategic-bomber", "tank", *land]
    if _is_shut_in(g, power):
        return ["strategic-bomber", "fighter", "tactical-bomber", *land]
    if power in GUARDIANS:
        return guardian_wishes(g, power, have, land)
    if power == "united-states":
        return _by_sea_alone(g, have, land, mind)
    if power == "japan" and bought.get("transport", 0) < MERCHANTS and _lacks_transports(g, power, have["transport"]):
        return ["transport", *land]
    full = power == "japan" and sum(bought.get(k, 0) for k in MARCHING) >= _room_at_the_front(g, power) + _berths(g, power)
    if power == "japan" and not _has_a_harbour(g, power):
        wing = ["fighter", "tactical-bomber"]
        return wing if full else land if winged else [*wing, *land]
    if _is_outgunned(g, power, have, mind):
        if full:
            return _warships(have)
        return [*_warships(have), *land] if _sea_share(g, power) < 50 + mind.fleet // 2 else [*land, *_warships(have)]
    if full:
        wing = [] if winged or bought.get("fighter", 0) >= 2 else ["fighter"]
        return [*wing, *_warships(have)]
    return land


def _by_sea_alone(g: State, have: dict[str, int], land: list[str], mind: Temper) -> list[str]:
    """Warships before transports, transports before troops that could not sail; no more troops than there is room for."""
    power = "united-states"
    fleet, outgunned = _task_force(have), _is_outgunned(g, power, have, mind)
    if outgunned and not _has_a_harbour(g, power):
        return ["strategic-bomber", "fighter", *land]  # ships would be sunk as they are made
    if outgunned and _sea_share(g, power, (*SEA, *CARRIER_AIRCRAFT)) < 60 + mind.fleet // 2:
        return fleet
    if 2 * have["transport"] > _idle_troops(g, power):
        return [k for k in land if k in MARCHING] or ["infantry"]
    if have["transport"] < min(2 + g.round, 8) and g.wars != ["china japan"]:
        return ["transport", *fleet]
    if rules_the_sea(g, power):
        lifts = ["transport"] if have["transport"] < lift_to_end_it(g, power) else []
        return [*lifts, "strategic-bomber", "fighter"]
    return fleet


def _task_force(have: dict[str, int]) -> list[str]:
    """Carriers with two aircraft for each, destroyers for them and for the transports, a submarine for two destroyers."""
    decks, planes = 2 * have["aircraft-carrier"], sum(have[k] for k in CARRIER_AIRCRAFT)
    small = ["destroyer", "submarine"] if have["submarine"] * 2 >= have["destroyer"] else ["submarine", "destroyer"]
    if have["destroyer"] < 1 + have["aircraft-carrier"] + have["transport"] // 2:
        return ["destroyer", "submarine"]
    if planes < decks:
        wing = ["fighter", "tactical-bomber"] if have["fighter"] <= have["tactical-bomber"] else ["tactical-bomber", "fighter"]
        return [*wing, *small]
    return ["aircraft-carrier", *small]


def _room_at_the_front(g: State, power: str) -> int:
    """Land units that complexes can make from where a road leads to the enemy; what is made elsewhere needs ships."""
    home = g.board.capitals.get(power, "")
    makers = [t for t in g.facilities if t != home and usable_complex(g, power, t)]
    return sum(left(g, t) for t in makers if _leads_on(g, power, t))


def _leads_on(g: State, power: str, territory: str) -> bool:
    """Enemy land is a march of few steps away."""
    land = steps(g.board, "land")[territory]
    return any(land.get(t, FAR) <= ROAD for t in g.board.territories if is_wanted(g, power, t))


def _berths(g: State, power: str) -> int:
    """Land units made at home for which transports that are near have room, beside those that wait there already."""
    room = 2 * sum(u.type == "transport" and _comes_home(g, power, u) for u in g.of(power))
    home = g.board.capitals.get(power, "")
    return max(0, min(HOME_MADE, room - sum(u.owner == power and u.type in MARCHING for u in g.at(home))))


def _comes_home(g: State, power: str, ship: Unit) -> bool:
    """A transport is in a harbour of the capital, or reaches one in a turn."""
    sea, coast = steps(g.board, "sea"), g.board.coast(g.board.capitals[power])
    return any(sea[ship.at].get(z, FAR) <= g.board.types[ship.type].move for z in coast)


def _sea_share(g: State, power: str, kinds: Collection[str] = SEA) -> int:
    """Per cent of this turn's money that went into ships, or into some kinds."""
    spent = {k: n * g.board.types[k].cost for k, n in g.purchased[power].items() if k in g.board.types}
    return sum(n for k, n in spent.items() if k in kinds) * 100 // max(sum(spent.values()), 1)


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
    return mine * 100 < theirs * (100 + mind.fleet) or escorts < 2 + have["transport"] // 3


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


def _has_a_harbour(g: State, power: str) -> bool:
    """New ships would not be lost beside every own complex."""
    return any(danger(g, power, z) <= COVERED for z in g.board.zones if is_harbour(g, power, z))


def _lacks_transports(g: State, power: str, have: int) -> bool:
    """More shores are wanted than transports can go to, and troops wait for them; a navy comes before a merchant fleet."""
    most = 7 if _room_at_the_front(g, power) else FLOTILLA
    if have >= min(3 + g.round, most) or (power == "united-states" and g.wars == ["china japan"] and have >= 4):
        return False
    sea, home = steps(g.board, "sea"), [z for z in g.board.zones if is_harbour(g, power, z)]
    if not _has_a_harbour(g, power):
        return False
    goals = [t for t in g.board.territories if is_wanted(g, power, t) and not _is_inland(g, power, t)]
    reached = sum(any(sea[h].get(z, FAR) <= 6 for h in home for z in g.board.coast(t)) for t in goals)
    return 2 * have < min(_idle_troops(g, power), 2 * reached)


def _is_inland(g: State, power: str, territory: str) -> bool:
    """It needs no ships: no coast, or troops stand beside it."""
    near = (t for t in g.board.neighbours[territory] if t in g.board.territories)
    return not g.board.coast(territory) or any(u.owner == power and u.type in MARCHING for t in near for u in g.at(t))


def _idle_troops(g: State, power: str) -> int:
    """Land units with no enemy land within three steps, where a complex or many of them are, and what is bought."""
    land = steps(g.board, "land")
    wanted = [t for t in g.board.territories if is_wanted(g, power, t)]
    quiet = [t for t in g.board.territories if all(land[t].get(w, FAR) > 3 for w in wanted)]
    waiting = (sum(u.owner == power and u.type in MARCHING for u in g.at(t)) for t in quiet)
    return sum(n for n in waiting if n > 1) + sum(g.purchased[power].get(k, 0) for k in MARCHING)


def _is_short_of_guards(g: State, power: str, home: str, bought: dict[str, int]) -> bool:
    """The capital would fall to what can come, counting what is bought as infantry."""
    if not is_friendly(g, power, home):
        return False
    force = threat(g, power, home)
    here = defenders_of(g, SIDES[power], home)
    if sum(u.type in MARCHING for u in here) + sum(bought.get(k, 0) for k in MARCHING) < WATCH:
        return True  # a single transport from afar would do
    if not any(u.type in MARCHING for u in force):
        return False
    more = [u for u in here if u.type == "infantry"][:1] * sum(bought.get(k, 0) for k in (*MARCHING, *AIR))
    return outlook(g, force, [*here, *more]).defence_left < spare(force)


def _wants_complex(g: State, power: str, bought: dict[str, int]) -> bool:
    mainland = [t for t in g.facilities if g.control[t] == power and t != "japan" and g.facility(t, "minor-ic", "major-ic")]
    have = len(mainland) + bought.get("minor-ic", 0)
    return (
        have < min(SITES, g.round)
        and g.cash[power] >= 22 + 6 * max(0, have - 1)
        and sum(_leads_on(g, power, t) for t in sites(g, power)) > bought.get("minor-ic", 0)
    )


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


def _land_wishes(bought: dict[str, int], winged: bool = False) -> list[str]:
    """Two infantry to an artillery, now and then a tank, and a fighter where there are not too many (`winged`) already."""
    foot, guns, tanks, planes = (bought.get(k, 0) for k in ("infantry", "artillery", "tank", "fighter"))
    if foot >= 4 and not planes and not winged:
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
    land, home = steps(g.board, "land"), g.board.capitals.get(power, "")
    goals = [t for t in g.board.territories if is_wanted(g, power, t)]

    def rank(order: dict[str, Any]) -> tuple[int, str]:
        space, kind = str(order["place"]["in"]), next(iter(order["place"]["units"]))
        if kind not in g.board.types:
            return (best.index(space) if space in best else FAR, space)
        if space in g.board.zones:
            return (danger(g, power, space) // 500 - 60 if kind in SEA else 50, space)
        if kind in MARCHING and space == home and sum(u.type in MARCHING for u in g.at(home)) < WATCH:
            return (-FAR * FAR, space)
        if is_key(g, space) and not is_guarded(g, power, space):
            return (-30 - worth(g, power, space, mind), space)
        return (min((land[space].get(t, FAR) for t in goals), default=FAR), space)

    return min(options, key=rank)
