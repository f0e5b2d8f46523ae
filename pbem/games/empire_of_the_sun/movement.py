"""[8.0] Moves of an offensive: what each stack may do. A plan is a list of events; nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from pbem.games.empire_of_the_sun.board import AIR_FERRY, KUNMING, MALDIVES, PORT_MORESBY, distance
from pbem.games.empire_of_the_sun.burma import NORTHERN_FIELDS
from pbem.games.empire_of_the_sun.events.offensives import BargesUsed, Moved, ReactionShipping, StackMoving, ZoneTouched
from pbem.games.empire_of_the_sun.events.strategy import ShippingUsed
from pbem.games.empire_of_the_sun.events.units import Controlled, Placed
from pbem.games.empire_of_the_sun.lines import route_usable, step_cost
from pbem.games.empire_of_the_sun.orders import ASSAULT, STRATEGIC, Route, where
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, LANDINGS, State, activation, offensive
from pbem.games.empire_of_the_sun.supply import eligible_port, flies_to_china, hostile, in_zone
from pbem.kernel.events import Event
from pbem.kernel.orders import illegal
from pbem.kernel.wording import NO_WORDS, Message, msg

MANCHURIA = msg("no unit enters Manchuria")
CHINESE = msg("Chinese armies stay in Burma, Northern India and Yunnan")
INTERIOR = msg("only Chinese armies enter the interior of China")
PENINSULA = msg("Japanese ground units do not enter peninsular India")


# -- allowances ------------------------------------------------------------------------------------------------------


def naval_allowance(g: State) -> int:
    """[8.1] 5 x operations value; some events give their own figure."""
    o = offensive(g)
    if o.card == "J1":
        return 18
    for effect in g.board.cards[o.card].data.get("effects", ()) if o.event else ():
        if "naval_move" in effect:
            return int(effect["naval_move"])
    return 5 * o.ops


def asp_left(g: State, side: str) -> int:
    """[10.3] Shipping points that are still free this turn; half of them under Japanese rivalry [14.2] B."""
    o = g.offensive
    bonus = o.asp_bonus if o is not None and o.side == side else 0
    total = g.asp[side] + bonus
    if side == JAPAN and JAPAN in g.rivalry:
        total = -(-total // 2)
    return max(0, total - g.asp_used[side])


def may_stand(g: State, unit: str, place: int) -> Message:
    """[8.41] Why a ground unit may not enter a land hex, or nothing."""
    counter = g.counter(unit)
    return barred(g, counter.side, counter.nation, place)


def barred(g: State, side: str, nation: str, place: int) -> Message:
    """[8.41] The same of every ground unit of a nation."""
    here = g.board.hexes[place]
    if here.region == "Manchuria":
        return MANCHURIA
    if nation == "chinese":
        near = {KUNMING, *g.board.near.get(KUNMING, ())}
        return NO_WORDS if here.region in ("Burma", "NIndia") or place in near else CHINESE
    if here.region == "IChina":
        return INTERIOR
    if side == JAPAN and (here.region == "India" or (here.region == "Ceylon" and not g.second and place != MALDIVES)):
        return PENINSULA
    return NO_WORDS


# -- planning one order ----------------------------------------------------------------------------------------------


def plan(g: State, side: str, verb: str, route: Route, reaction: bool) -> list[Event]:
    """[7.23] The events of one move order of one stack. Raises Rejected with the section."""
    o = offensive(g)
    mine = o.reactors if reaction else o.units
    for unit in route.units:
        if unit not in mine:
            raise illegal(msg("{unit} is not activated", unit=g.counter(unit).name), "7.21", where(g, unit))
    _check_stack(g, route, reaction)
    kinds = {g.counter(u).kind for u in route.units}
    if verb == STRATEGIC or route.way == STRATEGIC:
        if reaction:
            raise illegal(msg("no strategic movement in reaction"), "7.26")
        return _strategic(g, side, route, kinds)
    if verb == ASSAULT:
        return _assault(g, side, route, reaction)
    if kinds == {"air"}:
        return _air(g, side, route, offensive(g).ops, False)
    if kinds == {"naval"}:
        return _naval(g, side, route)
    if kinds == {"ground"}:
        return _land(g, side, route, reaction)
    legal = msg("{order}: ground units with their escort", order="`assault`")
    raise illegal(msg("a stack of different kinds moves only in an assault"), "7.23", legal)


def _check_stack(g: State, route: Route, reaction: bool) -> None:
    places = {(g.pieces[u].at, g.pieces[u].box) for u in route.units}
    if len(places) > 1:
        apart = msg("their places: {things}", things=tuple(where(g, u) for u in route.units))
        raise illegal(msg("units of one stack start in one hex"), "7.23", apart)
    for unit in route.units:
        mode = activation(g, unit).mode
        if mode and not (mode == "land" and _goes_on(g, route.units)):
            raise illegal(msg("{unit} has moved", unit=g.counter(unit).name), "7.23")
    if reaction:
        for unit in route.units:
            if g.battle_hex(g.pieces[unit].at) and not g.counter(unit).flies:
                raise illegal(msg("{unit} stays in its battle hex", unit=g.counter(unit).name), "7.26")


def _goes_on(g: State, units: Sequence[str]) -> bool:
    """[8.43] The stack that moved last may use the rest of its movement."""
    o = g.offensive
    return o is not None and list(units) == o.moving


def _moved(
    g: State, route: Route, paths: dict[str, tuple[int, ...]], mode: str, rule: str, **more: int | str | bool
) -> list[Event]:
    o = offensive(g)
    found: list[Event] = []
    for unit, path in paths.items():
        before = path[-2] if len(path) > 1 else 0
        found.append(Moved(unit, path, mode, rule, came_from=before, **more))  # type: ignore[arg-type]
    found.append(StackMoving(tuple(route.units), rule))
    if route.units[0] in o.units and not o.touched and _touches(g, route.units[0], next(iter(paths.values()))):
        found.append(ZoneTouched())
    return found


def _touches(g: State, unit: str, path: Sequence[int]) -> bool:
    """[7.25] E: the stack leaves, enters or crosses a hex of the enemy's zone, neutralised or not."""
    if g.counter(unit).side not in (JAPAN, ALLIES) or len(path) < 2:
        return False
    return any(in_zone(g, FOE[g.counter(unit).side], h) for h in path)


# -- sea -------------------------------------------------------------------------------------------------------------


def sea_path(
    g: State, start: int, stops: Sequence[int], allowance: int, barred: Callable[[int], bool]
) -> tuple[int, ...] | None:
    """[8.21] The shortest way along playable sea hexsides through some stops, or None; `barred` hexes are not entered."""
    path: tuple[int, ...] = (start,)
    for stop in stops:
        leg, length = _sea_leg(g, path[-1], stop, allowance, barred)
        if leg is None:
            return None
        path, allowance = path + leg, allowance - length
    return path


def _sea_leg(
    g: State, start: int, to: int, allowance: int, barred: Callable[[int], bool]
) -> tuple[tuple[int, ...] | None, int]:
    """The way after the start and its length; None when `to` is too far."""
    if start == to:
        return (), 0
    sailing, short = g.board.sailing, not g.board.links
    came, lengths = {start: 0}, {start: 0}
    layers: list[list[int]] = [[start], *([] for _ in range(allowance))]
    for far, layer in enumerate(layers):
        if to in came and lengths[to] == far:
            return _back(came, to), far
        for here in layer:
            if lengths[here] < far:
                continue
            for there, length in sailing[here]:
                total = far + length
                if total > allowance or total >= lengths.get(there, total + 1) or barred(there):
                    continue
                if short and total + distance(there, to) > allowance:
                    continue
                came[there], lengths[there] = here, total
                layers[total].append(there)
    return None, 0


def _back(came: dict[int, int], to: int) -> tuple[int, ...]:
    path = []
    while came[to]:
        path.append(to)
        to = came[to]
    return tuple(reversed(path))


def _naval(g: State, side: str, route: Route) -> list[Event]:
    """[8.21] Fleets pass enemy zones; where they may end is judged when battles are declared."""
    start = g.pieces[route.units[0]].at
    allowance = naval_allowance(g)
    path = sea_path(g, start, [*route.via, route.to], allowance, lambda h: False)
    if path is None:
        why = msg("{place} is out of reach by sea; movement allowance: {n}", place=g.board.name(route.to), n=allowance)
        raise illegal(why, "8.21")
    return _moved(g, route, dict.fromkeys(route.units, path), "sea", "8.21")


def _assault(g: State, side: str, route: Route, reaction: bool) -> list[Event]:
    """[8.45] Amphibious assault, with the fleet that escorts it in the same stack."""
    ground = [u for u in route.units if g.counter(u).kind == "ground"]
    fleet = [u for u in route.units if g.counter(u).kind == "naval"]
    if not ground or len(ground) + len(fleet) != len(route.units):
        raise illegal(msg("an assault is made by ground units and their escort"), "8.45")
    for unit in ground:
        _check_lander(g, unit, route)
    _check_beach(g, side, route, ground)
    path = _assault_path(g, side, route, fleet)
    if reaction and not g.battle_hex(route.to):
        raise illegal(msg("reacting units move only to a battle hex"), "7.26")
    mode, ships = _lift(g, side, route, ground, fleet, reaction, path)
    events = _moved(g, route, dict.fromkeys(route.units, path), mode, "8.45")
    return _with_shipping(g, side, events, ground, mode, ships, reaction)


def _check_lander(g: State, unit: str, route: Route) -> None:
    counter = g.counter(unit)
    if not counter.lands:
        raise illegal(msg("{unit} cannot make an amphibious assault", unit=counter.name), "8.45")
    reason = may_stand(g, unit, route.to)
    if reason:
        raise illegal(reason, "8.41")
    if not g.board.hexes[g.pieces[unit].at].coastal:
        raise illegal(msg("{unit} is not on a coast", unit=counter.name), "8.45")


def _check_beach(g: State, side: str, route: Route, ground: Sequence[str]) -> None:
    here = g.board.hexes[route.to]
    if not here.coastal or (here.terrain == "mountain" and route.to != PORT_MORESBY):
        raise illegal(msg("{place} cannot be assaulted from the sea", place=g.board.name(route.to)), "8.45")
    held = g.holds(JAPAN, route.to) and g.occupied(JAPAN, route.to)
    army = [u for u in ground if g.counter(u).nation == "us" and g.counter(u).service == "army"]
    if army and held and here.one_hex_island and not _marines_ashore(g, route.to) and not _army_may_land(g):
        raise illegal(msg("US Army units land on a held one-hex island only after Marines"), "8.45")


def _marines_ashore(g: State, place: int) -> bool:
    """[8.45] D: Marines landed there by an earlier order [MARINES-FIRST]."""
    o = offensive(g)
    active = {**o.units, **o.reactors}
    landed = [u for u in g.mine_at(ALLIES, place, "ground") if u in active and active[u].mode in LANDINGS]
    return any(g.counter(u).marine for u in landed)


def _army_may_land(g: State) -> bool:
    o = g.offensive
    return o is not None and o.event and bool(g.board.cards[o.card].data.get("army_islands"))


def _assault_path(g: State, side: str, route: Route, fleet: Sequence[str]) -> tuple[int, ...]:
    """[8.45] B: no un-neutralised zone unless a carrier sails along; no enemy fleet unless escorted."""
    carrier = any(g.counter(u).carrier for u in fleet)
    closed = frozenset() if carrier else hostile(g, side)
    start = g.pieces[route.units[0]].at
    if start in closed:
        why = msg("{place} is in an enemy zone of influence: no assault leaves it", place=g.board.name(start))
        raise illegal(why, "8.45")
    ships = {g.pieces[u].at for u in g.on_map(FOE[side]) if g.counter(u).kind == "naval"} if not fleet else set()
    allowance = naval_allowance(g)
    path = sea_path(g, start, [*route.via, route.to], allowance, lambda h: h in closed or h in ships)
    if path is None:
        to = g.board.name(route.to)
        why = msg("{place} is out of reach outside enemy zones and fleets; movement allowance: {n}", place=to, n=allowance)
        raise illegal(why, "8.45", msg("with a carrier in the stack zones bar nothing"))
    return path


def _lift(
    g: State, side: str, route: Route, ground: Sequence[str], fleet: Sequence[str], reaction: bool, path: Sequence[int]
) -> tuple[str, dict[str, str]]:
    """[8.46] [8.47] How the troops travel: by shipping points, on warships, or on barges."""
    if route.way == "organic":
        ships = [u for u in fleet if g.counter(u).organic]
        if not all(g.counter(u).organic for u in ground) or len(ships) < len(ground):
            raise illegal(msg("each brigade needs a CA, CL or APD of its own in the stack"), "8.46")
        return "organic", dict(zip(ground, ships, strict=False))
    if route.way == "barge":
        o = offensive(g)
        if reaction or side != JAPAN or g.barges != "on" or o.ops != 3 or len(ground) != 1 or fleet or len(path) != 2:
            why = msg("barges carry one unit across one sea hexside in an offensive of operations value 3")
            raise illegal(why, "8.47")
        if o.barge:
            raise illegal(msg("the barges have been used in this offensive"), "8.47")
        return "barge", {}
    return "assault", {}


def _with_shipping(
    g: State, side: str, events: list[Event], ground: Sequence[str], mode: str, ships: dict[str, str], reaction: bool
) -> list[Event]:
    o = offensive(g)
    found: list[Event] = []
    total = 0
    for event in events:
        if isinstance(event, Moved):
            lifted = event.unit in ground
            cost = g.asp_cost(event.unit) if lifted and mode == "assault" else 0
            total += cost
            kind = mode if lifted else "sea"
            event = Moved(event.unit, event.path, kind, event.rule, event.came_from, ship=ships.get(event.unit, ""), asp=cost)
        found.append(event)
    if total > asp_left(g, side):
        raise illegal(
            msg("shipping points that the assault needs: {n}", n=total), "10.3", msg("left: {n}", n=asp_left(g, side))
        )
    if reaction and g.second and o.reaction_asp + total > 1:
        raise illegal(msg("one shipping point at most in reaction"), "8.45")
    card = g.board.cards[o.counter] if reaction and o.counter else None
    if total and card is not None and card.data.get("no_asp"):
        raise illegal(msg("this card allows no shipping points: {card}", card=str(card)), "5.32")
    if total:
        found.append(ShippingUsed(side, g.asp_used[side] + total, "10.3"))
    if reaction and total:
        found.append(ReactionShipping(o.reaction_asp + total))
    if mode == "barge":
        found.append(BargesUsed())
    return found


# -- air -------------------------------------------------------------------------------------------------------------


def _air(g: State, side: str, route: Route, legs: int, strategic: bool) -> list[Event]:
    """[8.31] Legs from airfield to airfield; the shortest chain of normal legs, else of the longest ones."""
    if route.box == "china" or g.pieces[route.units[0]].box == "china":
        return _china_flight(g, side, route, legs, strategic)
    rule = "8.33" if strategic else "8.31"
    start = g.pieces[route.units[0]].at
    _check_field(g, side, route.to)
    for reach, far in ((_shortest_leg(g, route.units, True), False), (_shortest_leg(g, route.units, False), True)):
        path = _legs(g, side, start, route, reach, legs, strategic)
        if path is not None:
            return _moved(g, route, dict.fromkeys(route.units, path), "strategic" if strategic else "air", rule, far=far)
    raise illegal(msg("{place} is out of reach by air; legs: {n}", place=g.board.name(route.to), n=legs), rule)


def _shortest_leg(g: State, units: Sequence[str], normal: bool) -> int:
    return min(g.counter(u).range if normal else g.counter(u).leg for u in units)


def _check_field(g: State, side: str, place: int) -> None:
    if not g.friendly_airfield(side, place):
        raise illegal(msg("{place} is no friendly airfield", place=g.board.name(place)), "8.31")
    if place == AIR_FERRY:
        raise illegal(msg("no unit ends its move on the ferry field"), "8.35")
    if g.battle_hex(place):
        raise illegal(msg("{place} is a battle hex", place=g.board.name(place)), "8.31")
    if g.second and g.mine_at(FOE[side], place, "ground"):
        raise illegal(msg("enemy ground units stand in {place}", place=g.board.name(place)), "8.31")


def _legs(g: State, side: str, start: int, route: Route, reach: int, legs: int, strategic: bool) -> tuple[int, ...] | None:
    """A chain of airfields through the named stops, or the shortest one."""
    closed = hostile(g, side) if strategic else frozenset()
    if strategic and (start in closed or not g.friendly_airfield(side, start)):
        return None
    if route.via or distance(start, route.to) <= reach:
        stops = (start, *route.via, route.to)
        short = all(distance(a, b) <= reach for a, b in pairwise(stops))
        stands = all(_stop(g, side, h, closed) for h in stops[1:-1]) and route.to not in closed
        return stops if short and stands and len(stops) - 1 <= legs else None
    return _chain(g, side, start, route.to, reach, legs, closed)


def air_ends(g: State, unit: str, legs: int) -> list[int]:
    """[9.6] Airfields that an air unit reaches in some legs of at most its longest range, its own included."""
    start, side = g.pieces[unit].at, g.counter(unit).side
    leg = g.counter(unit).leg
    found, frontier = {start}, [start]
    for _ in range(legs):
        near = dict.fromkeys(f for h in frontier for f in g.board.fields_near(h, leg))
        fresh = [f for f in near if f not in found and _stop(g, side, f, frozenset())]
        found.update(fresh)
        frontier = fresh
    return sorted(f for f in found if g.friendly_airfield(side, f))


def _stop(g: State, side: str, place: int, closed: frozenset[int]) -> bool:
    """[8.35] A field between two legs; the ferry field serves the Allies while no Japanese ship lies there."""
    if place == AIR_FERRY:
        return side == ALLIES and not g.mine_at(JAPAN, AIR_FERRY, "naval")
    fighting = g.offensive is not None and place in g.offensive.battles and place not in g.offensive.fought
    return g.friendly_airfield(side, place) and not fighting and place not in closed


def _chain(g: State, side: str, start: int, to: int, reach: int, legs: int, closed: frozenset[int]) -> tuple[int, ...] | None:
    came = {start: 0}
    frontier = [start]
    stands: dict[int, bool] = {}
    for left in range(legs, 0, -1):
        fresh = []
        for here in frontier:
            for there in g.board.fields_near(here, reach):
                if there in came or distance(there, to) > reach * (left - 1):
                    continue
                if there not in stands:
                    stands[there] = _stop(g, side, there, closed)
                if stands[there]:
                    came[there] = here
                    fresh.append(there)
        if to in came:
            return (start, *_back(came, to))
        frontier = fresh
    return None


def _china_flight(g: State, side: str, route: Route, legs: int, strategic: bool) -> list[Event]:
    """[13.71] [13.74] Between an airfield of Northern India and the China box: one leg, others before or behind it."""
    if side != ALLIES or "china" in g.surrendered:
        raise illegal(msg("the China box is closed"), "13.71")
    rule = "13.74"
    if not g.second and any(g.counter(u).leg < 4 for u in route.units):
        raise illegal(msg("China is four hexes away"), rule)
    if route.box != "china":
        _check_field(g, side, route.to)
    way = _way_of_the_hump(g, side, route, legs - 1, strategic)
    if way is None:
        raise illegal(msg("the way to China leads over an airfield of Northern India"), rule)
    path, far = way
    mode = "strategic" if strategic else "air"
    if route.box != "china":
        return _moved(g, route, dict.fromkeys(route.units, path), mode, rule, far=far)
    if box_full(g, [*g.china_box(), *route.units]):
        legal = msg("two units at most, one of them a B-29") if g.second else msg("three units at most, one of them a B-29")
        raise illegal(msg("the China box is full"), rule, legal)
    flight = _moved(g, route, dict.fromkeys(route.units, path), mode, rule) if len(path) > 1 else []
    return [*flight, *(Placed(u, 0, "china", rule) for u in route.units), StackMoving(tuple(route.units), rule)]


def _way_of_the_hump(g: State, side: str, route: Route, legs: int, strategic: bool) -> tuple[tuple[int, ...], bool] | None:
    """Legs between the stack's end on the map and an airfield of Northern India, and whether longer than normal; or None."""
    end = g.pieces[route.units[0]].at if route.box == "china" else route.to
    gates = [h for h in NORTHERN_FIELDS if h in g.board.hexes and flies_to_china(g, h)]
    if end in gates:
        return (end,), False
    for normal in (True, False):
        reach = _shortest_leg(g, route.units, normal)
        for gate in gates:
            start, to = (end, gate) if route.box == "china" else (gate, end)
            path = _legs(g, side, start, Route(route.units, to, route.via), reach, legs, strategic) if legs else None
            if path is not None:
                return path, not normal
    return None


def box_full(g: State, units: Sequence[str]) -> bool:
    """[13.71] [13.74] More units than the China box holds."""
    limit = 2 if g.second else 3
    return len(units) > limit or sum(g.counter(u).b29 for u in units) > 1


# -- land ------------------------------------------------------------------------------------------------------------


def _land(g: State, side: str, route: Route, reaction: bool) -> list[Event]:
    """[8.42] Overland: terrain cost, half a point along routes, stop on meeting the enemy."""
    spent = max(activation(g, u).spent for u in route.units)
    budget = 2 * offensive(g).ops - spent
    start = g.pieces[route.units[0]].at
    if g.battle_hex(start) or (g.mine_at(FOE[side], start, "ground", "air", "hq") and spent):
        raise illegal(msg("the units stay in the battle"), "8.42")
    path, cost = land_path(g, side, route.units, start, [*route.via, route.to], budget, reaction)
    if not path:
        why = msg("{place} is out of reach by land; movement points: {n}", place=g.board.name(route.to), n=f"{budget / 2:g}")
        raise illegal(why, "8.42")
    events = _moved(g, route, dict.fromkeys(route.units, path), "land", "8.42", spent=spent + cost)
    return [*events, *_passing(g, side, path)]


def _passing(g: State, side: str, path: Sequence[int]) -> list[Event]:
    """[6.5] Empty hexes that ground units enter or cross change hands at once."""
    enemy = FOE[side]
    taken = [h for h in path[1:] if g.holds(enemy, h) and not g.mine_at(enemy, h) and not (side == ALLIES and g.intrinsic(h))]
    return [Controlled(h, side, "6.5") for h in taken]


def land_path(
    g: State, side: str, units: Sequence[str], start: int, stops: Sequence[int], budget: int, reaction: bool
) -> tuple[tuple[int, ...], int]:
    """The cheapest overland way through some stops and its cost in half points, or ((), 0)."""
    path: tuple[int, ...] = (start,)
    cost = 0
    enemy, armour = g.occupied_hexes(FOE[side]), "7th-armored-brigade" in units
    for stop in stops:
        leg, price = _land_leg(g, side, units, path[-1], stop, budget - cost, reaction)
        if not leg or (len(path) > 1 and _must_stop(g, path[-1], enemy, armour, path[-2])):
            return (), 0
        path, cost = (*path, *leg), cost + price
    return path, cost


def _land_leg(
    g: State, side: str, units: Sequence[str], start: int, to: int, budget: int, reaction: bool
) -> tuple[tuple[int, ...], int]:
    costs, came = land_costs(g, side, units, start, budget, reaction)
    return (_back(came, to), costs[to]) if to in costs and to != start else ((), 0)


def land_costs(
    g: State, side: str, units: Sequence[str], start: int, budget: int, reaction: bool
) -> tuple[dict[int, int], dict[int, int]]:
    """Every hex in overland reach: cost in half points, and the hex before it on the cheapest way."""
    enemy = g.occupied_hexes(FOE[side])
    armour = "7th-armored-brigade" in units
    costs, came, heap = {start: 0}, {start: 0}, [(0, start)]
    while heap:
        spent, here = heappop(heap)
        if spent > costs[here] or (here != start and _must_stop(g, here, enemy, armour, came[here])):
            continue
        for there in g.board.by_land[here]:
            if any(may_stand(g, u, there) for u in units) or (reaction and g.battle_hex(here) and here != start):
                continue
            price = step_cost(g, here, there, there in enemy and not (reaction and not g.second and g.battle_hex(there)))
            if armour and g.second and g.board.hexes[there].terrain == "mountain" and not g.board.route(here, there):
                continue
            total = spent + price
            if total <= budget and total < costs.get(there, budget + 1):
                costs[there], came[there] = total, here
                heappush(heap, (total, there))
    return costs, came


def _must_stop(g: State, here: int, enemy: frozenset[int], armour: bool, before: int) -> bool:
    """[8.4] Enemy ground unit, air unit or HQ; a declared battle; the armoured brigade off the road in rough country [8.49]."""
    if here in enemy or g.battle_hex(here):
        return True
    on_route = before != 0 and g.board.route(before, here) and route_usable(g, before, here)
    return armour and not g.second and g.board.hexes[here].terrain != "open" and not on_route


# -- strategic -------------------------------------------------------------------------------------------------------


def _strategic(g: State, side: str, route: Route, kinds: set[str]) -> list[Event]:
    """[8.23] [8.33] [8.44] Strategic movement: doubled, between bases, never through hostile zones, no battle."""
    if kinds == {"air"}:
        return _air(g, side, route, 2 * offensive(g).ops, True)
    if len(kinds) > 1:
        raise illegal(msg("strategic movement is made by units of one kind"), "8.23")
    start = g.pieces[route.units[0]].at
    by_ground = kinds == {"ground"}
    rule = "8.44" if by_ground else "8.23"
    if not g.friendly_port(side, route.to) or g.battle_hex(route.to):
        raise illegal(msg("{place} is no friendly port outside battle", place=g.board.name(route.to)), rule)
    from_port = g.friendly_port(side, start)
    if by_ground:
        _check_transport(g, side, route, start)
    elif not from_port:
        raise illegal(msg("strategic naval movement starts in a friendly port"), rule)
    closed = hostile(g, side)
    allowance = naval_allowance(g) * (2 if from_port else 1)
    path = None
    if start not in closed and not (by_ground and g.second and g.mine_at(FOE[side], route.to)):
        path = sea_path(g, start, [*route.via, route.to], allowance, lambda h: h in closed or g.battle_hex(h))
    if path is None:
        to = g.board.name(route.to)
        why = msg("{place} is out of reach outside enemy zones; movement allowance: {n}", place=to, n=allowance)
        raise illegal(why, rule)
    return _moved(g, route, dict.fromkeys(route.units, path), "strategic", rule)


def _check_transport(g: State, side: str, route: Route, start: int) -> None:
    for unit in route.units:
        if not g.counter(unit).ships_out:
            raise illegal(msg("{unit} cannot be shipped", unit=g.counter(unit).name), "8.44")
        if may_stand(g, unit, route.to):
            raise illegal(may_stand(g, unit, route.to), "8.41")
    if g.second and not eligible_port(g, side, route.to):
        raise illegal(msg("{place} is no supply-eligible port", place=g.board.name(route.to)), "8.44")
    if not g.board.hexes[start].coastal:
        raise illegal(msg("strategic transport starts on a coast"), "8.44")
