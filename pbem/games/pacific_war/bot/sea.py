"""Ships: searches, the approach, naval combat, submarines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.games.pacific_war.board import X, distance, shortest
from pbem.games.pacific_war.bot import raids
from pbem.games.pacific_war.bot.fetching import called
from pbem.games.pacific_war.bot.harbours import harbours, reached, refuge, voyage
from pbem.games.pacific_war.bot.hunting import guns, prey
from pbem.games.pacific_war.bot.landfall import landing_from
from pbem.games.pacific_war.bot.operations import muster_ports, passengers
from pbem.games.pacific_war.bot.tasks import forward, room
from pbem.games.pacific_war.bot.worth import (
    STRIKE_RANGE,
    enemy_forces,
    goals,
    gunfire,
    held,
    hits_worth,
    nearest,
    wanted_ships,
)
from pbem.games.pacific_war.orders import PASS
from pbem.games.pacific_war.sea.combat import WITHDRAW, allowed_bids, exits, new_range, why_stay
from pbem.games.pacific_war.sea.gunnery import gun, salvo
from pbem.games.pacific_war.sea.searching import best_die, open_targets, reach, searchers
from pbem.games.pacific_war.state import FOE, STRATEGIC, State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected

STAND_OFF = 3  # hexes that carriers keep from where they fight
HUNT = 1  # hexes to which they come where ships are to be sunk: searches from far off seldom find anything [PW-SRC-03]
LONGEST_APPROACH = 40
SHORTEST_OPERATION = 14  # days
LONG_OPERATION, LONGEST_OPERATION = 6, 12  # battle cycles
LAST_CYCLES = 5  # [PW-TIM-05] in which the reaction player brings his ships home
LONGEST_DAYS = 28  # [PW-TIM-02] longer than any operation lasts without penalty time
ENOUGH_CYCLES = 3  # to come for troops and land them
LOST = 50  # percent of the enemy's fire with which a side withdraws


def searches(g: State, ask: Ask) -> list[Plain]:
    """The search with the best chance, undetected task forces first."""
    found = []
    for marker in open_targets(g, ask.seat):
        place = g.markers[marker].at
        for unit in searchers(g, ask.seat, place):
            chance = best_die(g, ask.seat, unit, place, reach(g, unit, place))
            found.append((not g.markers[marker].detected, chance[2], chance[0], marker, unit))
    found.sort(key=lambda row: (not row[0], -row[1], -row[2], row[3], row[4]))
    orders: list[Plain] = [{"search": {row[3]: row[4]}} for row in found[:3]]
    return [*orders, PASS]


# -- sailing -----------------------------------------------------------------------------------------------------------


def sail(g: State, ask: Ask) -> list[Plain]:
    """Each force goes where it is wanted."""
    moves = wanted_moves(g, ask)
    return [{"sail": moves}, "stay"] if moves else ["stay"]


def approach(g: State, ask: Ask) -> list[Plain]:
    """The contact phase ends when everybody is where he wants to be."""
    moves = wanted_moves(g, ask)
    made = int(str(ask.facts.get("increment", 0)))
    return [{"sail": moves}, "end"] if moves and made < LONGEST_APPROACH else ["end"]


def plan(g: State, ask: Ask) -> list[Plain]:
    """[PW-SOL-01] Routes written in advance: the shortest way to where each force wants to be."""
    routes: dict[str, Plain] = {}
    for mover in [m for m, x in g.markers.items() if x.side == ask.seat]:
        at = g.markers[mover].at
        goal = destination(g, ask.seat, mover, at)
        way = shortest(g.board, at, goal, g.board.sea) if goal and goal != at else None
        if way and any(g.is_carrier(s) for s in g.members(mover)):
            way = way[:-STAND_OFF]
        if way and _fits(ask, {"plan": {mover: [*way]}}):
            routes[mover] = [*way[:LONGEST_APPROACH]]
    return [{"plan": routes}, "stay"] if routes else ["stay"]


def _fits(ask: Ask, order: Plain) -> bool:
    try:
        ask.read(order)
    except Rejected:
        return False
    return True


def wanted_moves(g: State, ask: Ask) -> dict[str, Plain]:
    """One hex for each force that wants to go on."""
    found: dict[str, Plain] = {}
    movers = [m for m, x in g.markers.items() if x.side == ask.seat]
    movers += [u for u in g.on_map(ask.seat, "submarine") if g.units[u].active]
    for mover in movers:
        at = g.markers[mover].at if mover in g.markers else g.units[mover].at
        goal = destination(g, ask.seat, mover, at)
        way = course(g, mover, at, goal) if goal and goal != at else None
        if way and _fits(ask, {"sail": {mover: way[0]}}):
            found[mover] = way[0]
    return found


def course(g: State, mover: str, at: int, goal: int) -> list[int] | None:
    """The shortest way of a force; out of a double-coastline hex on the side from which it came [PW-MAP-01]."""
    first = [n for n in g.board.near(at) if g.sails(mover, n)]
    rest = {n: shortest(g.board, n, goal, lambda h: h != at, at) for n in first}
    ways = [[n, *way] for n, way in rest.items() if way is not None]
    return min(ways, key=len, default=None)


def destination(g: State, side: str, mover: str, at: int) -> int:
    """Where a task force or submarine wants to be."""
    if mover not in g.markers:
        near_by = [x.at for x in g.markers.values() if x.side != side]
        return nearest(at, near_by)
    ships = g.members(mover)
    if g.markers[mover].handle or not ships:
        return 0
    if is_over(g, side):
        return haven(g, side, at)
    beach = landing_from(g, side, at)[1] if any(g.cargo(s) for s in ships) else 0
    if not beach and g.operation is None and any(g.cargo(s) for s in ships) and not _beaten(g, ships):
        return nearest(at, [h for h in goals(g, side) if g.board.sea(h)])
    if beach and g.cycle <= LONGEST_OPERATION and distance(at, beach) <= 2 * cycles_left(g, side) + 2:
        return beach
    if not g.cycle and g.level == STRATEGIC and any(g.cargo(s) for s in ships):
        return forward(g, side, at)
    fetched = called(g, side).get(mover, 0)
    if fetched and cycles_left(g, side) > ENOUGH_CYCLES:
        return fetched
    if going_home(g, side, at) and all(room(g, s) and not g.cargo(s) for s in ships):
        return _berth(g, side, at)
    if _beaten(g, ships) or going_home(g, side, at) or any(g.cargo(s) for s in ships):
        return haven(g, side, at)
    places = focus(g, side)
    if g.operation is not None and any(room(g, s) for s in ships):
        return _muster(g, side, at, ships) or (0 if at in places or not g.cycle else _berth(g, side, at))
    hunted = prey(g, side, ships, at) if g.operation is not None else 0
    if hunted:
        near = HUNT if any(g.is_carrier(s) for s in ships) else 0
        return hunted if distance(at, hunted) > near else 0
    raided = _raided(g, side, ships, at) if not places else 0
    if raided:
        return raided if distance(at, raided) > raids.STAND_OFF else 0
    if any(g.is_carrier(s) for s in ships):
        return _carriers(g, side, at, places)
    if not places and g.operation is not None:
        return haven(g, side, at)
    threatened = [h for h in held(g, side) if g.board.sea(h) and enemy_forces(g, side, h, 3)]
    return nearest(at, threatened or places)


def _raided(g: State, side: str, ships: Sequence[str], at: int) -> int:
    """The base that carriers of the operations player strike, if there is time to come home; 0: none."""
    if g.level != STRATEGIC or side != g.operator or g.operation is None:
        return 0
    most = raids.FAR_BY_SURPRISE if not g.cycle else raids.STAND_OFF + 2 * (cycles_left(g, side) - 1)
    return raids.target(g, side, ships, at, most)


def focus(g: State, side: str) -> list[int]:
    """Where the operation is fought: the beaches of those who sail, hexes with troops of both sides; else the objectives."""
    return g.memo.cached(("bot focus", side), lambda: _focus(g, side))


def _focus(g: State, side: str) -> list[int]:
    sailing = {m.at for m in g.markers.values() if m.side == side}
    beaches = {landing_from(g, side, h)[1] for h in sailing} - {0}
    fights = {g.units[u].at for u in g.on_map(side, "ground") if g.ashore(FOE[side], g.units[u].at)}
    coasts = {h for h in fights if g.board.sea(h) and any(g.units[u].active for u in g.ashore(side, h))}
    if g.operation is not None:
        return sorted(beaches | coasts)
    return sorted(beaches | coasts) or [h for h in (goals(g, side) if g.operator == side else held(g, side)) if g.board.sea(h)]


def haven(g: State, side: str, at: int) -> int:
    """The nearest friendly port without enemy ships to which there is a way over the sea; in campaigns a linked one if any.

    Who would come too late there rests in the nearest anchorage [PW-ACT-13]: ships at sea at the end are lost.
    """
    best = reached(g, at, harbours(g, side))
    far = voyage(g, at, best) if best else None
    if g.operation is None or not g.cycle or (far is not None and far <= 2 * (cycles_left(g, side) - 1)):
        return best
    return refuge(g, side, at) or best


def _muster(g: State, side: str, at: int, ships: Sequence[str]) -> int:
    """Empty transports go where troops wait for some; 0: there is no such port, or these are no transports."""
    if g.cycle or not all(room(g, s) for s in ships) or passengers(g, side, at):
        return 0
    return nearest(at, muster_ports(g, side))


def _berth(g: State, side: str, at: int) -> int:
    """Where empty transports end: a port where troops wait, if they come there in time; else the nearest."""
    waiting = [h for h in muster_ports(g, side) if (voyage(g, at, h) or LONGEST_APPROACH) <= 2 * (cycles_left(g, side) - 1)]
    return reached(g, at, waiting) or haven(g, side, at)


def time_is_up(g: State, side: str) -> bool:
    """[PW-TIM-04] In the last cycle of the operations player's time: afterwards he pays and may not start combat."""
    o = g.operation
    return o is not None and side == g.operator and o.elapsed + 2 >= (o.days or SHORTEST_OPERATION)


def is_over(g: State, side: str) -> bool:
    """[PW-TIM-04] [PW-TIM-05] The side may not start combat any more, and its operation costs points every week."""
    o = g.operation
    return o is not None and (g.in_penalty(side) or o.elapsed >= LONGEST_DAYS)


def cycles_left(g: State, side: str) -> int:
    """Battle cycles before the side's time has to be paid for again; without a limit many [PW-TIM-02] [PW-TIM-05]."""
    o = g.operation
    if o is None or not g.cycle:
        return LONGEST_APPROACH
    end = (o.days or SHORTEST_OPERATION) if side == g.operator else o.reaction or SHORTEST_OPERATION
    left = max(1, (end - o.elapsed + 1) // 2)
    return min(left, max(1, LAST_CYCLES - o.last_cycles)) if side != g.operator and o.last_cycles else left


def going_home(g: State, side: str, at: int = 0) -> bool:
    """A long operation is over for a side without a fight, a very long one for everybody; who is far off turns earlier."""
    o = g.operation
    if o is None:
        return False
    near = any(enemy_forces(g, side, m.at, STRIKE_RANGE) for m in g.markers.values() if m.side == side)
    late = bool(at and g.cycle) and (voyage(g, at, refuge(g, side, at) or at) or 0) + 1 > 2 * (cycles_left(g, side) - 1)
    return late or g.cycle > LONGEST_OPERATION or (g.cycle > LONG_OPERATION and not near and o.days <= SHORTEST_OPERATION)


def _beaten(g: State, ships: Sequence[str]) -> bool:
    """More than half of what the ships can take has been taken, or its carriers have no aircraft left."""
    hits, room = sum(g.units[s].hits for s in ships), sum(g.counter(s).capacity for s in ships)
    decks = [s for s in ships if g.is_carrier(s)]
    return 2 * hits > room or (bool(decks) and not any(g.air_aboard(s) for s in decks))


def _carriers(g: State, side: str, at: int, places: Sequence[int]) -> int:
    """Towards enemy task forces that are found, or any if ships are to be sunk; else to a stand-off from the fighting."""
    hunting = bool(wanted_ships(g, side))
    seen = [x.at for x in g.markers.values() if x.side != side and (x.detected or hunting)]
    near = nearest(at, seen)
    if near and distance(at, near) <= (HUNT if hunting else STRIKE_RANGE // 2):
        return 0
    goal = near or nearest(at, places)
    if not goal and g.operation is not None:
        return haven(g, side, at)
    return goal if goal and distance(at, goal) > (HUNT if near and hunting else STAND_OFF) else 0


def stop(g: State, ask: Ask) -> list[Plain]:
    """The enemy is stopped where our aircraft reach a task force of his that we have found."""
    seen = [x.at for x in g.markers.values() if x.side != ask.seat and x.detected]
    planes = [u for u in g.on_map(ask.seat, "air") if g.counter(u).an != X and g.counter(u).type != "LRA"]
    ready = any(2 * distance(g.units[u].at, h) <= 2 * min(STRIKE_RANGE, g.counter(u).range // 2) for u in planes for h in seen)
    return [{"stop": "yes" if ready else "no"}]


# -- combat ------------------------------------------------------------------------------------------------------------


def line(g: State, ask: Ask) -> list[Plain]:
    """The four ships with the most fire at the present range."""
    sea = g.sea
    assert sea is not None
    waiting = [s for s in g.ships(ask.seat, sea.hex) if s not in sea.placed.get(ask.seat, [])]
    waiting.sort(key=lambda s: (-gunfire(g, [s], sea.range), s))
    return [{"line": [*waiting[:4]]}]


def bid(g: State, ask: Ask) -> list[Plain]:
    """The range with the best balance of fire; withdrawal when the enemy has twice ours over all ranges."""
    sea = g.sea
    assert sea is not None
    mine, theirs = g.ships(ask.seat, sea.hex), g.ships(FOE[ask.seat], sea.hex)
    bands = allowed_bids(g, sea.hex)
    balance = {b: gunfire(g, mine, b) - gunfire(g, theirs, b) for b in bands}
    ranked: list[Plain] = [{"bid": b} for b in sorted(bands, key=lambda b: (-_middle(g, sea.range, b, balance), b))]
    hopeless = 100 * sum(gunfire(g, mine, b) for b in bands) < LOST * sum(gunfire(g, theirs, b) for b in bands)
    if hopeless and not why_stay(g, ask.seat, sea.hex):
        ways: list[Plain] = [{"bid": {WITHDRAW: h}} for h in exits(g, ask.seat, sea.hex)[:1]]
        return [*ways, *ranked]
    return ranked


def _middle(g: State, now: str, wanted: str, balance: Mapping[str, int]) -> int:
    """The balance over the enemy's possible bids."""
    results = [new_range(g, now, [wanted, other]) for other in balance]
    return sum(balance.get(r, 0) for r in results)


def fire(g: State, ask: Ask) -> list[Plain]:
    """Every ship fires all it has where a hit counts most; nobody fires at what others should sink."""
    sea = g.sea
    assert sea is not None
    prey = sea.placed.get(FOE[ask.seat], [])
    taken: dict[str, int] = {}
    aims: dict[str, Plain] = {}
    shooters = sorted(sea.placed.get(ask.seat, []), key=lambda s: (-gunfire(g, [s], sea.range), s))
    for ship in shooters:
        guns, torpedoes = gun(g, ship, sea.range) != X, salvo(g, ship, sea.range) != X
        alive = [p for p in prey if g.units[p].box == "map"]
        if not alive or not (guns or torpedoes):
            continue
        hits = gunfire(g, [ship], sea.range)
        target = max(alive, key=lambda p: (hits_worth(g, ask.seat, p, taken.get(p, 0), hits), p))
        taken[target] = taken.get(target, 0) + hits
        aims[ship] = {"at": target, "with": "both" if guns and torpedoes else "guns" if guns else "torpedoes"}
    return [{"fire": aims}] if aims else ["hold"]


def leave(g: State, ask: Ask) -> list[Plain]:
    """Out of a combat that the enemy's guns should win, and in time: ships held among enemies never come home from there."""
    place = g.sea.hex if g.sea is not None else 0
    options = [o for o in ask.options() if o != {"leave": "none"}]
    place = place or _where(g, ask)
    mine, theirs = (guns(g, g.ships(s, place)) for s in (ask.seat, FOE[ask.seat]))
    late = time_is_up(g, ask.seat) or is_over(g, ask.seat)
    return [*options[:1], {"leave": "none"}] if mine < theirs or late else [{"leave": "none"}]


def _where(g: State, ask: Ask) -> int:
    both = [m.at for m in g.markers.values() if m.side == ask.seat and g.ships(FOE[ask.seat], m.at)]
    return both[0] if both else 0


THOUGHTS: Mapping[str, Callable[[State, Ask], Sequence[Plain]]] = {
    "search": searches,
    "sail": sail,
    "contact": approach,
    "plan": plan,
    "stop": stop,
    "line": line,
    "bid": bid,
    "fire": fire,
    "leave": leave,
}
