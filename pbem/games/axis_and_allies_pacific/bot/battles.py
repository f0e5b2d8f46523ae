"""Attacks that a power could make on one space, each with the forces that it needs and what is expected of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from pbem.bots.operation import Operation
from pbem.games.axis_and_allies_pacific.bot.afloat import defending, met, rising
from pbem.games.axis_and_allies_pacific.bot.exact import Verdict, verdict
from pbem.games.axis_and_allies_pacific.bot.forces import by_air, by_land, orders_for, ships_for
from pbem.games.axis_and_allies_pacific.bot.homing import homecoming
from pbem.games.axis_and_allies_pacific.bot.judgement import MARCHING, Temper, is_harbour, outlook
from pbem.games.axis_and_allies_pacific.bot.lifts import Lift, announced, lifts_to
from pbem.games.axis_and_allies_pacific.bot.value import comes_to, counter, exposure, gain, judged, nearness
from pbem.games.axis_and_allies_pacific.landing import has_home
from pbem.games.axis_and_allies_pacific.paths import flights
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    SEA,
    SIDES,
    SURFACE_WARSHIPS,
    State,
    Unit,
    enemy_units,
    movement_points,
    side_of,
    zone_is_hostile,
)
from pbem.kernel.canon import Plain

SHARES = (0, 1, 2, 3, 4, 6, 8, 11, 15, 20, 26)  # numbers of aircraft that are tried
SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30)  # numbers of land units
FLEETS = (0, 1, 2, 3, 4, 6, 9, 13, 18)  # numbers of warships
CONVOYS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16)  # numbers of transports
LEVELS = (550, 750, 900, 970)  # chances in thousandths for which the least force is looked for
TRIP, FLIGHT, MARCH = 1200, 120, 60  # what a transport, an aircraft, a land unit could do elsewhere
SORTIE, CRUISE = 400, 1000  # the same of an aircraft of a carrier, that has to come for it, and of a warship
RAID_WON = 600  # chance below which aircraft alone attack nothing on land, in thousandths
LEAST = 300  # chance below which nothing is attacked


class Front(Struct, frozen=True):
    """One space that may be attacked, and who could come."""

    target: str
    theirs: tuple[Unit, ...]
    walking: tuple[Unit, ...]
    flying: tuple[Unit, ...]
    now: int
    lasting: int


def on_land(g: State, power: str, target: str, mind: Temper, taken: frozenset[int]) -> list[Operation]:
    """Attacks on a territory over land, from the sea, and both."""
    theirs = tuple(u for u in enemy_units(g, power, target) if u.type != "aa-gun")
    walking = tuple(u for u in by_land(g, power, target) if u.id not in taken)
    flying = tuple(_fliers(g, power, target, taken))
    front = Front(target, theirs, walking, flying, *gain(g, power, target, mind))
    found = [*_by_walking(g, power, front, mind), *_by_air_alone(g, front, mind)]
    for zone in g.board.coast(target):
        found += _by_landing(g, power, front, zone, mind, taken)
    return found


def _nearest(g: State, power: str, planes: Sequence[Unit], target: str) -> list[Unit]:
    """Those that are near and can do little else first; each tactical bomber after a fighter."""
    far = {u.id: flights(g, power, u.at, movement_points(g, u)).get(target, 9) for u in planes}
    return sorted(planes, key=lambda u: (u.aboard is not None, far[u.id], u.type == "strategic-bomber", u.id))


def _fliers(g: State, power: str, space: str, taken: frozenset[int]) -> list[Unit]:
    """Aircraft that could attack there, in the order in which they are sent: of those on land that come home to no land as
    many as find room on decks.
    """
    planes = _nearest(g, power, [u for u in by_air(g, power, space) if u.id not in taken], space)
    far = [u for u in planes if u.aboard is None and not _has_land(g, u, space)]
    flown = sum(u.type in AIR and bool(u.moved) and not has_home(g, u, u.at, u.used) for u in g.of(power))
    room = sum(2 - len(g.cargo(u)) for u in g.of(power) if u.type == "aircraft-carrier") - flown
    stay = {u.id for u in far[max(0, room) :]}
    return [u for u in planes if u.id not in stay]


def _by_walking(g: State, power: str, front: Front, mind: Temper) -> Iterator[Operation]:
    if not front.walking:
        return
    if not front.theirs:
        for number in (1, 2, 3, 5, 8):
            if number <= len(front.walking):
                yield _operation(g, power, front, front.walking[:number], (), mind)
        return
    for ground, planes in _forces(g, front, (), ()):
        yield _operation(g, power, front, ground, planes, mind)


def _by_air_alone(g: State, front: Front, mind: Temper) -> Iterator[Operation]:
    """Aircraft that come home to land against units that cost more than what is lost in it; nobody takes the land."""
    able = [u for u in front.flying if u.aboard is None and _has_land(g, u, front.target)]
    if not front.theirs or not able:
        return
    guns = any(u.type == "aa-gun" for u in enemy_units(g, able[0].owner, front.target))
    for share in dict.fromkeys(min(n, len(able)) for n in SHARES if n):
        planes = able[:share]
        battle = verdict(g, planes, front.theirs)
        shot = 1000 * sum(g.board.types[u.type].cost for u in planes) // 6 if guns else 0
        lost = homecoming(g, able[0].owner, planes, front.target) * mind.fear // 100
        value = (battle.swing - shot - lost - effort(planes)) * mind.fancy(front.target) // 1000
        if value > 0 and battle.won >= RAID_WON:
            reasons = {"won": battle.won, "mine": battle.mine_lost + shot, "theirs": battle.theirs_lost}
            steps = tuple(orders_for(planes, front.target))
            yield Operation(front.target, frozenset(u.id for u in planes), value, steps, reasons)


def _has_land(g: State, plane: Unit, space: str) -> bool:
    """It flies to a space and from there to land, without a deck."""
    return has_home(g, plane, space, flights(g, plane.owner, plane.at, movement_points(g, plane)).get(space, 0))


def _forces(
    g: State, front: Front, landed: Sequence[Unit], guns: Sequence[Unit]
) -> Iterator[tuple[tuple[Unit, ...], tuple[Unit, ...]]]:
    """The least land units for each number of aircraft and each level of confidence; what lands goes in any case."""
    sizes = [n for n in (*((0,) if landed else ()), *SIZES) if n < len(front.walking)] + [len(front.walking)]
    for share in dict.fromkeys(min(n, len(front.flying)) for n in SHARES):
        planes, levels = front.flying[:share], list(LEVELS)
        for size in sizes:
            ground = front.walking[:size]
            force = [*landed, *ground, *planes]
            if not force or (outlook(g, force, front.theirs).attack_left * 5 < len(force) * 1000 and size < sizes[-1]):
                continue
            won = verdict(g, force, front.theirs, guns).won
            if levels and won >= levels[0]:
                yield ground, planes
                levels = [level for level in levels if level > won]
            if not levels:
                break
        else:
            if len(levels) == len(LEVELS) and won >= LEAST:
                yield front.walking, planes


def _operation(
    g: State,
    power: str,
    front: Front,
    ground: Sequence[Unit],
    planes: Sequence[Unit],
    mind: Temper,
    landed: Sequence[Unit] = (),
    guns: Sequence[Unit] = (),
    before: Sequence[Plain] = (),
    others: Sequence[Unit] = (),
    cost: int = 0,
    chance: int = 1000,
    least: int = LEAST,
    stand: str = "",
    lone: int = 0,
) -> Operation:
    """`before`: orders of ships; `others`: those ships; `cost`: what they risk; `chance`: that they clear the way; `least`:
    the chance below which it is worth less than nothing; `stand`: where they stay; `lone`: what they risk more there alone.
    """
    battle = verdict(g, [*landed, *ground, *planes], front.theirs, guns)
    held = held_by(g, [*landed, *ground], battle)
    answer = counter(g, power, front.target, held, frozenset(u.id for u in front.theirs))
    keeps, answered = judged(answer, front.lasting, comes_to(g, front.target))
    won = battle.won * chance // 1000
    value = won * (front.now + front.lasting * keeps // 1000 - answered * mind.fear // 100) // 1000
    lost = cost + homecoming(g, power, planes, front.target)
    value += battle.swing * chance // 1000 - lost * mind.fear // 100 - _left_open(g, power, ground)
    value -= effort([*planes, *ground]) + (way_off(g, power, others, mind) if others else 0)
    value = value * mind.fancy(front.target) // 1000
    reasons = {"won": won, "held": keeps, "mine": battle.mine_lost, "theirs": battle.theirs_lost, "ships": cost}
    return Operation(
        front.target,
        frozenset(u.id for u in (*landed, *ground, *planes, *others)),
        value if won >= least else -1,
        (*before, *orders_for([*planes, *ground], front.target)),
        reasons,
        stand,
        lone,
    )


def way_off(g: State, power: str, ships: Sequence[Unit], mind: Temper, zone: str = "") -> int:
    """What ships could do elsewhere, more where they leave the waters that matter."""
    near = nearness(g, power, mind)
    lost = max(0, max((near[u.at] for u in ships), default=0) - near[zone]) if zone else 0
    return effort(ships) + 3 * lost * sum(u.type in SURFACE_WARSHIPS or u.type in AIR for u in ships)


def effort(units: Sequence[Unit]) -> int:
    """What units could do elsewhere."""
    cost = 0
    for unit in units:
        if unit.type in AIR:
            cost += FLIGHT if unit.aboard is None else SORTIE
        else:
            cost += TRIP if unit.type == "transport" else CRUISE if unit.type in SEA else MARCH
    return cost


def held_by(g: State, ground: Sequence[Unit], battle: Verdict) -> list[Unit]:
    """The land units that are left on the mean, the dearest."""
    number = max(1, (battle.ground + 500) // 1000) if ground else 0
    return sorted(ground, key=lambda u: (-g.board.types[u.type].cost, u.id))[:number]


def _left_open(g: State, power: str, leaving: Sequence[Unit]) -> int:
    """Own land without anybody, beside an enemy: he walks in."""
    cost, ids = 0, {u.id for u in leaving}
    for at in dict.fromkeys(u.at for u in leaving):
        staying = any(u.id not in ids and u.type in MARCHING and side_of(g, u.owner) == SIDES[power] for u in g.at(at))
        near = (t for t in g.board.neighbours[at] if t in g.board.territories)
        if not staying and any(u.type in MARCHING for t in near for u in enemy_units(g, power, t)):
            cost += 1200 * g.board.territories[at].ipc + 300
    return cost


# -- from the sea --------------------------------------------------------------------------------------------------------


def _by_landing(g: State, power: str, front: Front, zone: str, mind: Temper, taken: frozenset[int]) -> Iterator[Operation]:
    lifts = lifts_to(g, power, zone, taken)
    if not lifts:
        return
    for escort, cost, chance, guns in _escorts(g, power, zone, taken):
        away = [u for u in escort if u.at != zone]
        open_sea = not enemy_units(g, power, zone)  # aircraft may go there once a landing is announced
        first, then = ([u for u in away if (u.type in AIR and open_sea) == late] for late in (False, True))
        for chosen in _choices(front, lifts):
            landed = [u for lift in chosen for u in lift.cargo]
            firing = guns[: len(landed)]
            ships = [*escort, *(lift.ship for lift in chosen)]
            covered, lone = _risk(g, power, zone, ships)
            risk = cost + covered
            before = [*orders_for(first, zone), *announced(chosen, zone, front.target), *orders_for(then, zone)]
            free = tuple(u for u in front.flying if u not in escort)
            walking = tuple(u for u in front.walking if u not in landed)
            there = Front(front.target, front.theirs, walking, free, front.now, front.lasting)
            for ground, planes in _forces(g, there, landed, firing) if front.theirs else [((), ())]:
                yield _operation(
                    g, power, there, ground, planes, mind, landed, firing, before, ships, risk, chance, stand=zone, lone=lone
                )


def _choices(front: Front, lifts: Sequence[Lift]) -> list[Sequence[Lift]]:
    """Single transports against what is empty or weak, and the nearest two, three and so on together."""
    taken = {lift.ship.at: lift for lift in reversed(lifts) if _comes_laden(lift)}  # by an order for one of those in a zone
    single = [[lift] for lift in lifts[:5] if not _comes_laden(lift) or taken[lift.ship.at] is lift]
    single = single if len(front.theirs) <= 2 else []
    sizes = dict.fromkeys(min(n, len(lifts)) for n in CONVOYS)
    return [*single, *(lifts[:n] for n in sizes if n >= (2 if single else 1))]


def _comes_laden(lift: Lift) -> bool:
    """It has its cargo aboard already and has to sail."""
    return bool(lift.distance) and all(u.aboard == lift.ship.id for u in lift.cargo)


def _escorts(g: State, power: str, zone: str, taken: frozenset[int]) -> list[tuple[list[Unit], int, int, list[Unit]]]:
    """Ships and aircraft that clear a zone or come along: who, what that costs, its chance, whose guns fire ashore."""
    fleet = [u for u in ships_for(g, power, zone) if u.id not in taken and u.type not in ("transport", "aircraft-carrier")]
    above = rising(g, power, zone)
    if not above and not zone_is_hostile(g, power, zone):
        guns = [u for u in fleet if g.board.types[u.type].bombard]
        guns.sort(key=lambda u: (-g.board.types[u.type].bombard, u.id))
        quiet = not enemy_units(g, power, zone)
        found: list[tuple[list[Unit], int, int, list[Unit]]] = [([], 0, 1000, [])] if quiet else []
        return [*found, *((guns[:n], 0, 1000, guns[:n]) for n in (1, 2, 4) if 0 < n <= len(guns))]
    there = defending(g, power, zone)
    planes = _fliers(g, power, zone, taken)
    surface = sorted((u for u in fleet if u.type in SURFACE_WARSHIPS), key=lambda u: (-g.board.types[u.type].cost, u.id))
    found = []
    for share in (0, 2, 4, 7):
        for number in range(1, len(surface) + 1):
            force = [*surface[:number], *planes[:share]]
            battle = verdict(g, force, [*there, *above])
            if battle.won >= 850:
                swing = min(battle.swing, verdict(g, force, there).swing) if above else battle.swing
                found.append((force, -swing, battle.won, []))
                break
    return found[:3]


def _risk(g: State, power: str, zone: str, ships: Sequence[Unit]) -> tuple[int, int]:
    """What the answer at sea would cost with all that can still come to cover in Noncombat Move, and how much more without."""
    memo, question = g.memo(), ("bot cover", power, zone)
    if question not in memo:
        memo[question] = [u for u in ships_for(g, power, zone) if u.type in SURFACE_WARSHIPS]
    ids = {u.id for u in ships}
    cover = [u for u in memo[question] if u.id not in ids]
    decks = [c for u in cover if u.type == "aircraft-carrier" for c in g.cargo(u)]
    dead = frozenset(u.id for u in enemy_units(g, power, zone))
    covered = exposure(g, power, zone, [*ships, *cover, *decks], dead) * 3 // 4
    return covered, max(0, exposure(g, power, zone, [*ships, *_anchored(g, power, zone, ids)], dead) * 3 // 4 - covered)


def _anchored(g: State, power: str, zone: str, ids: Collection[int]) -> list[Unit]:
    """Ships of the side that lie in a zone already, and what stands on their decks."""
    ours = [u for u in g.at(zone) if side_of(g, u.owner) == SIDES[power] and u.id not in ids]
    return [u for u in ours if u.type in SEA or (u.type in AIR and u.aboard is not None)]


# -- at sea ----------------------------------------------------------------------------------------------------------------


def at_sea(g: State, power: str, zone: str, mind: Temper, taken: frozenset[int]) -> list[Operation]:
    """Attacks on the ships in a zone."""
    there = defending(g, power, zone)
    fighting = [u for u in there if u.type != "transport"]
    pool = [u for u in ships_for(g, power, zone) if u.type not in ("transport", "aircraft-carrier") and u.id not in taken]
    pool.sort(key=lambda u: (u.type != "destroyer", g.board.types[u.type].cost, u.id))
    planes = _fliers(g, power, zone, taken)
    above = rising(g, power, zone)
    hidden = bool(fighting) and all(u.type == "submarine" for u in fighting)
    if hidden:
        planes = planes if any(u.type == "destroyer" for u in pool) else []
    found = []
    for share in dict.fromkeys(min(n, len(planes)) for n in SHARES):
        for number in dict.fromkeys(min(n, len(pool)) for n in FLEETS):
            force = [*pool[:number], *planes[:share]]
            if not force or (hidden and not number):
                continue
            battle = met(g, force, fighting, above)
            if battle.won >= 600:
                found.append(_sea_operation(g, power, zone, there, force, battle, mind))
    return found


def _sea_operation(
    g: State, power: str, zone: str, there: Sequence[Unit], force: Sequence[Unit], battle: Verdict, mind: Temper
) -> Operation:
    fighting = [u for u in there if u.type != "transport"]
    transports = [u for u in there if u.type == "transport"]
    cargo = sum(g.board.types[c.type].cost for u in transports for c in g.cargo(u))
    prize = battle.swing + battle.won * (8 * len(transports) + cargo)
    ships = [u for u in force if u.type in SEA]
    deck = _deck_for(g, power, zone, force)
    dead = frozenset(u.id for u in there)
    risk = exposure(g, power, zone, [*ships, *deck, *_still_to_come(g, power, zone, [*ships, *deck])], dead) * 3 // 4
    lone = exposure(g, power, zone, [*ships, *deck], dead) * 3 // 4 - risk
    based = [u for u in force if u.type in AIR and u.aboard is None]
    value = (
        prize
        - (risk + homecoming(g, power, based, zone)) * mind.fear // 100
        - effort(based)
        - way_off(g, power, [u for u in force if u not in based], mind, zone)
        + (15_000 if is_harbour(g, power, zone) else 0)
    )
    orders: list[Plain] = orders_for([u for u in force if u.at != zone], zone)
    if not any(u.type in SURFACE_WARSHIPS for u in fighting):
        kinds = [k for k in ("submarine", "transport") if any(u.type == k for u in there)]
        orders.append({"engage": " and ".join(k + "s" for k in kinds) + f" in {g.board.name(zone)}"})
    reasons: Mapping[str, int] = {"won": battle.won, "mine": battle.mine_lost, "theirs": battle.theirs_lost, "ships": risk}
    units = frozenset(u.id for u in force)
    return Operation(zone, units, value * mind.fancy(zone) // 1000, tuple(orders), reasons, zone, max(0, lone))


def _deck_for(g: State, power: str, zone: str, force: Sequence[Unit]) -> list[Unit]:
    """Carriers that have to come to a battle at sea, because aircraft in it reach no land, with those aircraft."""
    planes = [u for u in force if u.type in AIR]
    far = [u for u in planes if not _has_land(g, u, zone)]
    ships = [u for u in ships_for(g, power, zone) if u.type == "aircraft-carrier"] if far else []
    carriers = sorted(ships, key=lambda u: (u.id not in {p.aboard for p in far}, u.id))[: (len(far) + 1) // 2]
    return [*carriers, *far]


def _still_to_come(g: State, power: str, zone: str, ships: Sequence[Unit]) -> list[Unit]:
    ids = {u.id for u in ships}
    cover = [u for u in ships_for(g, power, zone) if u.type in SURFACE_WARSHIPS and u.id not in ids]
    return [*cover, *(c for u in cover if u.type == "aircraft-carrier" for c in g.cargo(u))] if ships else []


# -- attacks that somebody has made ------------------------------------------------------------------------------------------


def land_attack(
    g: State, power: str, target: str, ground: Sequence[Unit], landed: Sequence[Unit], ships: Sequence[Unit], mind: Temper
) -> Operation:
    """An attack on a territory by these units, aircraft among `ground`, weighed like those that are proposed, however small
    its chance. `landed`: who comes by `ships`.
    """
    theirs = tuple(u for u in enemy_units(g, power, target) if u.type != "aa-gun")
    planes = [u for u in ground if u.type in AIR]
    front = Front(target, theirs, (), (), *gain(g, power, target, mind))
    walking = [u for u in ground if u not in planes]
    zones = dict.fromkeys(u.at for u in ships)
    risk = sum(sum(_risk(g, power, zone, [u for u in ships if u.at == zone])) for zone in zones)
    return _operation(g, power, front, walking, planes, mind, landed, others=ships, cost=risk, least=0)


def sea_attack(g: State, power: str, zone: str, force: Sequence[Unit], mind: Temper) -> Operation:
    """An attack on the ships in a zone by these, weighed in the same way."""
    there = defending(g, power, zone)
    fighting = [u for u in there if u.type != "transport"]
    battle = met(g, force, fighting, rising(g, power, zone))
    return _sea_operation(g, power, zone, there, force, battle, mind)
