"""[PW-RNF] [PW-NRP] Reinforcements, naval repair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.games.pacific_war.accounts import pay, payer
from pbem.games.pacific_war.barges import station_boats
from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.choices import pick_place, proposals
from pbem.games.pacific_war.covert import SECRET, check_sealed, give_in_secret, orders_or_secret, row_ideas, states, trial
from pbem.games.pacific_war.damage import hit_steps
from pbem.games.pacific_war.dispersal import is_part
from pbem.games.pacific_war.events import HqBecame, Mended, Moved, Noted, Told, UnitBecame
from pbem.games.pacific_war.hidden import concealed, concealing, roster, whole
from pbem.games.pacific_war.initiative import recount
from pbem.games.pacific_war.landings import bases_for
from pbem.games.pacific_war.landmoves import stack_room
from pbem.games.pacific_war.links import linked_hexes, reach
from pbem.games.pacific_war.merchants import home_hexes, note
from pbem.games.pacific_war.nations import lost_steps, surrenders
from pbem.games.pacific_war.offmap import ABROAD, advance_boxes, come_back, ready, yard_abroad
from pbem.games.pacific_war.orders import DONE, read_number, read_place, read_unit
from pbem.games.pacific_war.pools import uses_in_secret
from pbem.games.pacific_war.secretly import REPAIRS, read_arrival, read_rows
from pbem.games.pacific_war.shipping import merchant_points, submarines
from pbem.games.pacific_war.state import FOE, JAPAN, SIDES, State
from pbem.games.pacific_war.strategy import BOMBER_POINTS, assign_bombers
from pbem.games.pacific_war.unusual import CONVERSIONS, begin_conversion, convert_month, convertible, extra_arrivals
from pbem.games.pacific_war.upkeep import ports_of
from pbem.games.pacific_war.veil import offer_show
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow, Reveal
from pbem.kernel.orders import Rejected, illegal, split_order, unreadable
from pbem.kernel.questions import one_of, orders_until_done

YARDS = {2860: 3, 3819: 1, 5402: 2, 5502: 2}  # [PW-NRP-01] Oahu is known, the others are reconstructed
HOME_YARD = 2
COMPLETE = ("CV", "CVL", "CVS", "BB", "BC")  # [PW-NRP-02]
LONE_SHIPS = (
    "CA9 Houston",
    "CA10 Wichita",
    "CA4 Exeter",
    "CL2 Perth",
    "CA1 DeRuyter",
    "CL1 Tromp",
    "CL4 Kuma",
    "CL8 Yubari",
    "CL15 Oyodo",
)
HALF = ("CVE", "CA", "CL")  # [PW-NRP-03]
SHARED = ("DD", "DE", "APD", "ST")  # [PW-NRP-04]
LINK_PRICE, LINK_UPKEEP, LINK_HEXES = 5, 2, 8  # [PW-CMD-10] to [PW-CMD-12]
EXPRESS_STEPS = 6
CONVERT = "convert"


def reinforcements(g: State) -> Flow[None]:
    """[PW-RNF-01] What is due this month comes to a headquarters; replacement steps go to the pools."""
    due = g.schedule.get(str(g.month), {})
    stranded = g.schedule.get("stranded", {}).get(str(g.month), [])
    for side in SIDES:
        yield from _headquarters(g, side)
        late = [u for u in [*stranded, *ready(g)] if g.side(u) == side]
        for unit in [*due.get(side, []), *late, *extra_arrivals(g, side)]:
            yield from _arrive(g, side, unit)
        _pool(g, side, due.get("steps", {}).get(side, {}))
        for key, n in due.get("points", {}).get(side, {}).items():
            if key == BOMBER_POINTS:
                yield from assign_bombers(g, side, n)
            else:
                note(g, key, g.ledger.get(key, 0) + n, "PW-RNF-01")
        yield from submarines(g, side, due.get("submarines", {}).get(side, 0))
        if side == JAPAN:
            yield from merchant_points(g, due.get("shipping", 0))
        yield from emergency_links(g, side)
    yield from station_boats(g)
    surrenders(g)


def _pool(g: State, side: str, steps: dict[str, int]) -> None:
    """[PW-RPL-01] Replacement steps wait on the sheet; in the strategic game aircraft are trained from their month on."""
    if not steps:
        return
    mine = dict(g.pools.get(side, {}))
    for key, n in steps.items():
        if lost_steps(g, key):
            continue
        name = f"air from {g.month}" if key == "air" else key
        mine[name] = mine.get(name, 0) + n
    emit(g, Noted("pools", {**g.pools, side: mine}, "PW-RPL-01"))


def hq_hexes(g: State, side: str) -> list[int]:
    """[PW-RNF-01] Hexes of linked headquarters."""
    return sorted({g.hqs[n].at for n in reach(g, side)})


def _headquarters(g: State, side: str) -> Flow[None]:
    """[PW-HQ-01] A dispersed headquarters that was paid for comes to a friendly linked port; without one it waits."""
    due = [n for n, h in g.hqs.items() if h.side == side and h.box not in ("map", "gone") and h.due >= g.month]
    places = ports_of(g, side)
    for name in due if places else ():
        place = yield from pick_place(g, side, "arrive", "PW-HQ-01", f"where {name} arrives", places)
        for key, value in (("box", "map"), ("due", 0), ("at", place)):
            emit(g, HqBecame(name, key, value, "PW-HQ-01"))


def _arrive(g: State, side: str, unit: str) -> Flow[None]:
    if g.units[unit].box == "map" or (yield from _raised_in_secret(g, side, unit)):  # [PW-DSP-01] from a division before
        return
    places = hq_hexes(g, side)
    if g.counter(unit).kind == "submarine":
        places = ports_of(g, side)
    if g.counter(unit).kind == "ground":
        places = [h for h in places if stack_room(g, side, h) >= g.steps(unit)]
    if g.counter(unit).kind == "air":
        places = [h for h in places if bases_for(g, unit, h, 0)]
    if not places and unit in g.abroad:
        return
    away = unit in g.abroad
    place = yield from _where(g, side, unit, places, none=away)
    if not place:  # it stays off the map, waits, or has come unseen
        if not away and g.units[unit].box != "sealed":
            _wait(g, side, unit)
        return
    riders = come_back(g, unit) if away else []
    if g.units[unit].box == "eliminated":
        emit(g, Mended(unit, g.units[unit].hits, "PW-RNF-01"))
    for name in (unit, *riders):
        emit(g, UnitBecame(name, "box", "map", "PW-RNF-01"))
        emit(g, Moved(name, place, "PW-RNF-01"))
    if g.counter(unit).kind == "air":
        decks = [b for b in bases_for(g, unit, place, 0) if not b[0].isdigit()]
        emit(g, UnitBecame(unit, "aboard", decks[0] if decks else "", "PW-RNF-01"))


def _wait(g: State, side: str, unit: str) -> None:
    """[PW-RNF-01] There is no room this month."""
    late = str(g.month - 1)
    coming = g.schedule.get(late, {})
    waiting = {**coming, side: [*coming.get(side, []), unit]}
    emit(g, Noted("schedule", {**g.schedule, late: waiting}, "PW-RNF-01"))


def _raised_in_secret(g: State, side: str, unit: str) -> Flow[bool]:
    """[PW-DSP-01] The owner must say whether a part of a division that is due is in play already."""
    if not (uses_in_secret(g, side) and is_part(g, unit)):
        return False
    stated = yield Claim(side, "in play", unit, "PW-DSP-01", lambda reveal: unit in roster(g, side, reveal))
    return stated is True


def _where(g: State, side: str, unit: str, places: list[int], none: bool) -> Flow[int]:
    """[PW-RNF-01] The hex in which a unit arrives; 0 if it stays away or comes in secret. Where its side has sealed troops,
    it says itself whether there is room."""
    left = [*places]
    hides = concealing(g) and not none and g.counter(unit).kind in ("air", "ground", "naval")
    while left:
        words: list[int | str] = [*left, *([SECRET] if hides and len(left) > 1 else [])]
        place = yield from one_of(
            side,
            "arrive",
            "PW-RNF-01",
            f"where {unit} arrives",
            words,
            lambda body: SECRET if body == SECRET else read_place(g, body),
            ", ".join(g.board.name(p) for p in left[:8]),
            lambda word: word,
            none=none,
        )
        if place == SECRET:
            if (yield from states(g, side, "room", unit, "PW-MOV-05", lambda seen: _check_somewhere(seen, unit, left))):
                yield from _arrive_in_secret(g, side, unit, left)
            return 0
        if not isinstance(place, int):
            return 0
        sure = place not in g.forces.get(side, ()) or g.counter(unit).kind not in ("air", "ground")
        if sure or (yield from _fits(g, side, unit, place)):
            return place
        left.remove(place)
    return 0


def _fits(g: State, side: str, unit: str, place: int) -> Flow[bool]:
    stated = yield from states(
        g, side, "room", f"{place:04d} {unit}", "PW-MOV-05", lambda seen: _check_arrival(seen, unit, place)
    )
    return stated


def _check_somewhere(seen: State, unit: str, places: Sequence[int]) -> None:
    """Raises Rejected where a unit has room in none of these hexes."""
    for place in places:
        try:
            _check_secret_arrival(seen, unit, place)
            return
        except Rejected:
            continue
    raise illegal(f"{unit} finds no room", "PW-MOV-05")


def _check_secret_arrival(seen: State, unit: str, place: int) -> None:
    tried = trial(seen)
    tried.units[unit].box = "due"
    _check_arrival(tried, unit, place)
    if seen.counter(unit).kind == "air" and seen.airfield(seen.side(unit), place) is None:
        raise illegal(f"{place:04d} has no airfield", "PW-BAS-01")


def _check_arrival(seen: State, unit: str, place: int) -> None:
    """Raises Rejected where there is no room, or no airfield."""
    side, kind = seen.side(unit), seen.counter(unit).kind
    if kind == "ground" and stack_room(seen, side, place) < seen.steps(unit):
        raise illegal(f"{place:04d} is full", "PW-MOV-05")
    if kind == "air" and not bases_for(seen, unit, place, 0):
        raise illegal(f"{unit} finds no base in {place:04d}", "PW-BAS-01")


def _arrive_in_secret(g: State, side: str, unit: str, places: list[int]) -> Flow[None]:
    """`arrive: 1630`, one of these hexes; aircraft come to an airfield. Until it is known the first of them is presumed."""

    def judge(seen: State, plain: Plain) -> None:
        place = read_arrival(g, plain)
        if place not in (0, *places):
            raise illegal(f"{unit} does not arrive in {place:04d}", "PW-RNF-01", ", ".join(f"{h:04d}" for h in places))
        _check_secret_arrival(seen, unit, place or places[0])

    if g.units[unit].box == "eliminated":
        emit(g, Mended(unit, g.units[unit].hits, "PW-RNF-01"))
    since = len(g.in_secret.get(side, ()))
    for name, value in (("at", places[0]), ("since", since), ("box", "sealed"), ("aboard", "")):
        emit(g, UnitBecame(unit, name, value, "PW-FOG-01"))
    ideas: list[Plain] = [{"arrive": h} for h in places]
    prompt, facts = f"where {unit} arrives, in secret", {"unit": unit}
    yield from give_in_secret(
        g, side, "arrive", "PW-RNF-01", prompt, judge, lambda plain: read_arrival(g, plain), lambda seen: ideas, facts
    )


def emergency_links(g: State, side: str) -> Flow[None]:
    """[PW-CMD-10] [PW-CMD-11] [PW-CMD-12] New links at five points, then the upkeep of those that are not dropped."""
    if side == JAPAN and any(h in ports_of(g, side) for h in g.forces.get(side, ())):
        yield from offer_show(g, side, "PW-CMD-10")
    old = [n for n in g.express if n.startswith("express") == (side == JAPAN)]
    closed: list[list[int]] = []  # routes that hidden fighters close, as the enemy has stated
    names = ["express"] if side == JAPAN else ["route 1", "route 2"]
    broke: list[str] = []  # the side, once it has stated that it cannot pay

    def read(plain: Plain) -> tuple[str, list[int]] | None:
        verb, body = split_order(plain, ("link", "drop", DONE))
        if verb == DONE:
            return None
        if verb == "drop":
            if body not in old:
                raise illegal(f"there is no emergency link {body}", "PW-CMD-12", ", ".join(old))
            return str(body), []
        if not isinstance(body, dict) or set(body) != {"from", "to"}:
            raise unreadable(f"link: {body!r}", "link: {from: 1630, to: 1134}")
        start, end = read_place(g, body["from"]), read_place(g, body["to"])
        if all(n in g.express for n in names):
            raise illegal("no further emergency link", "PW-CMD-10")
        if not _link_stands(g, side, start, end) or [start, end] in closed:
            raise illegal(f"no link from {start:04d} to {end:04d}", "PW-CMD-10" if side == JAPAN else "PW-CMD-11")
        if broke or not _able(g, side, LINK_PRICE):
            raise illegal("no headquarters has five points", "PW-CMD-10")
        return "", [start, end]

    def options() -> list[Plain]:
        able = not broke and _able(g, side, LINK_PRICE) and not all(n in g.express for n in names)
        drops: list[Plain] = [{"drop": n} for n in old]
        return [*proposals(read, _link_ideas(g, side) if able else ()), *drops]

    def act(order: tuple[str, list[int]]) -> Flow[None]:
        dropped, ends = order
        if dropped:
            old.remove(dropped)
            _drop_link(g, dropped)
            return
        if side != JAPAN and (yield from _hidden_fighters(g, FOE[side], ends[1])):
            closed.append(ends)
            return
        hq = yield from payer(g, side, _paying(g, side), LINK_PRICE, "PW-CMD-10")
        if not hq:
            broke.append(side)
        else:
            pay(g, hq, LINK_PRICE, "PW-CMD-10")
            name = next(n for n in names if n not in g.express)
            emit(g, Noted("express", {**g.express, name: ends}, "PW-CMD-10"))

    prompt = "establish or drop an emergency link, or done"
    yield from orders_until_done(side, "links", "PW-CMD-10", prompt, ("link", "drop"), read, options, act)
    for name in old:
        hq = yield from payer(g, side, _paying(g, side), LINK_UPKEEP, "PW-CMD-12")
        if hq:
            pay(g, hq, LINK_UPKEEP, "PW-CMD-12")
        else:
            _drop_link(g, name)


def _hidden_fighters(g: State, foe: str, end: int) -> Flow[bool]:
    """[PW-CMD-11] The enemy must say whether hidden fighters are within two hexes of the end of an air transport route."""
    sealed = [m.at for m in g.markers.values() if m.side == foe and m.handle] + g.forces.get(foe, [])
    if not any(distance(place, end) <= 2 for place in sealed):
        return False

    def truth(reveal: Reveal) -> Plain:
        return whole(g, foe, reveal).near_air(foe, end, 2, "1E")

    stated = yield Claim(foe, "fighters", f"{end:04d}", "PW-CMD-11", truth)
    if stated:
        emit(g, Told(f"no air transport route to {end:04d}", "PW-CMD-11"))
    return bool(stated)


def _drop_link(g: State, name: str) -> None:
    emit(g, Noted("express", {n: e for n, e in g.express.items() if n != name}, "PW-CMD-12"))


def _link_ideas(g: State, side: str) -> Iterator[Plain]:
    """To troops that are cut off first, then to every other place where a link can end."""
    fields = [h for h, b in g.airfields.items() if b.side == side and not b.interdicted]
    starts = ports_of(g, side) if side == JAPAN else fields
    cut_off = {g.units[u].at for u in g.on_map(side, "ground")} - linked_hexes(g, side)
    for start in starts:
        ends = g.board.within(start, LINK_HEXES) if side == JAPAN else fields
        for end in sorted(ends, key=lambda h: (h not in cut_off, h)):
            if _link_stands(g, side, start, end):
                yield {"link": {"from": start, "to": end}}


def _paying(g: State, side: str) -> list[str]:
    return [n for n, h in g.hqs.items() if h.side == side and h.box == "map"]


def _able(g: State, side: str, points: int) -> bool:
    """As far as everybody knows a headquarters has so many points."""
    return any(g.hqs[n].points >= points for n in _paying(g, side))


def _link_stands(g: State, side: str, start: int, end: int) -> bool:
    """Tokyo Express: a linked port with six steps of idle destroyers to a coast; air route: airfield to airfield."""
    if distance(start, end) > LINK_HEXES or start == end:
        return False
    if side == JAPAN:
        idle = [u for u in g.ships(side, start) if g.counter(u).type == "DD" and not g.units[u].active]
        return start in ports_of(g, side) and sum(g.steps(u) for u in idle) >= EXPRESS_STEPS and g.board.coast(end)
    ends = [g.airfield(side, h) for h in (start, end)]
    working = all(b is not None and not b.interdicted for b in ends)
    taken = [e for e in g.express.values() if e != [start, end]]
    alone = all(start != e[0] and end != e[1] for e in taken)
    return working and alone and start in linked_hexes(g, side) and not g.near_air(FOE[side], end, 2, "1E")


# -- naval repair ------------------------------------------------------------------------------------------------------


def naval_repair(g: State) -> Flow[None]:
    """[PW-NRP-01] One hit off each of a few ships in each yard; destroyers exchange steps [PW-NRP-04]."""
    for ship in [s for s in CONVERSIONS if s in g.units]:
        convert_month(g, ship, in_yard(g, ship))
    advance_boxes(g)
    for side in SIDES:
        done: dict[int, list[str]] = {}

        def read(plain: Plain, side: str = side, done: dict[int, list[str]] = done) -> tuple[str, str, int] | None:
            verb, body = split_order(plain, ("repair", "recombine", "convert", DONE))
            if verb == DONE:
                return None
            if verb == "convert":
                ship = read_unit(g, body, side)
                if not convertible(g, ship, in_yard(g, ship)) or f"converting {ship}" in g.ledger:
                    raise illegal(f"{ship} cannot be converted now", "PW-OPT-21")
                return ship, CONVERT, 0
            if verb == "repair":
                ship = read_unit(g, body, side)
                check_repair(g, side, ship, done)
                return ship, "", 1
            return read_recombination(g, side, body)

        def options(side: str = side, done: dict[int, list[str]] = done) -> list[Plain]:
            found: list[Plain] = [DONE]
            for ship in [
                *g.on_map(side, "naval"),
                *(u for u in g.abroad if g.counter(u).kind == "naval" and g.side(u) == side),
            ]:
                if g.units[ship].hits:
                    try:
                        check_repair(g, side, ship, done)
                    except Rejected:
                        continue
                    found.append({"repair": ship})
                elif convertible(g, ship, in_yard(g, ship)) and f"converting {ship}" not in g.ledger:
                    found.append({"convert": ship})
            return [*found, *_recombinations(g, side)]

        def act(order: tuple[str, str, int], done: dict[int, list[str]] = done) -> Flow[None]:
            ship, giver, n = order
            if giver == CONVERT:
                begin_conversion(g, ship)
                return
            emit(g, Mended(ship, n, "PW-NRP-04" if giver else "PW-NRP-01"))
            recount(g, ship, -n)
            if giver:
                hit_steps(g, giver, n, "PW-NRP-04")
                recount(g, giver, n)
            else:
                done.setdefault(g.units[ship].at, []).append(ship)
            return
            yield

        def in_secret(side: str = side, done: dict[int, list[str]] = done) -> Flow[None]:
            yield from _repair_in_secret(g, side, done)

        prompt, verbs = "repair a ship, or done", ("repair", "recombine", "convert")
        hidden = concealed(g, side) and any(h in ports_of(g, side) for h in g.forces.get(side, ()))
        yield from orders_or_secret(
            side, "repairs", "PW-NRP-01", prompt, verbs, read, options, act, in_secret if hidden else None
        )


def _repair_in_secret(g: State, side: str, done: dict[int, list[str]]) -> Flow[None]:
    """`orders: [{repair: ship}, {recombine: {from: DD5, to: DD3, steps: 2}}]` for sealed ships."""

    def judge(seen: State, plain: Plain) -> None:
        tried, mended = trial(seen), {place: [*ships] for place, ships in done.items()}
        for verb, who, what in read_rows(plain):
            if verb not in ("repair", "transfer"):
                raise illegal(f"{verb} is not for this phase", "PW-NRP-01")
            _try_row(g, tried, side, mended, who, what)

    def ideas(seen: State) -> Iterable[Plain]:
        ships = [s for s in seen.on_map(side, "naval") if seen.units[s].hits and g.units[s].box == "sealed"]
        repairs: list[Plain] = [{"repair": s} for s in ships]
        return row_ideas(lambda plain: judge(seen, plain), [*repairs, *_recombinations(seen, side)])

    prompt = "repair sealed ships in secret"
    yield from give_in_secret(g, side, REPAIRS, "PW-NRP-01", prompt, judge, read_rows, ideas)


def _try_row(g: State, tried: State, side: str, mended: dict[int, list[str]], who: str, what: Plain) -> None:
    """Carries out a row of a secret order on a trial. Raises Rejected."""
    if what is not None:
        taker, giver, n = read_recombination(tried, side, what)
        check_sealed(g, [taker, giver])
        if tried.units[taker].box != "map" or tried.units[giver].box != "map":
            raise illegal(f"{taker} and {giver} are not both in play", "PW-NRP-04")
        emit(tried, Mended(taker, n, "PW-NRP-04"))
        hit_steps(tried, giver, n, "PW-NRP-04")
        return
    ship = read_unit(g, who, side)
    check_sealed(g, [ship])
    if ship not in tried.units or tried.units[ship].box != "map":
        raise illegal(f"{ship} is not in play", "PW-NRP-01")
    check_repair(tried, side, ship, mended)
    emit(tried, Mended(ship, 1, "PW-NRP-01"))
    mended.setdefault(tried.units[ship].at, []).append(ship)


def in_yard(g: State, ship: str) -> bool:
    """The ship lies where its side has a working yard."""
    return g.units[ship].box == "map" and yard(g, g.side(ship), g.units[ship].at) > 0


def yard(g: State, side: str, place: int) -> int:
    """[PW-NRP-01] How many ships a yard mends in a phase."""
    if place not in ports_of(g, side):
        return 0
    if side == JAPAN:
        return HOME_YARD if home_hexes(g).get(place) else 0
    return YARDS.get(place, 0)


def least_hits(g: State, ship: str) -> int:
    """[PW-NRP-02] [PW-NRP-03] Hits that can never come off again."""
    c = g.counter(ship)
    if c.type in COMPLETE or ship in LONE_SHIPS:
        return 0
    if c.type in HALF:
        return 0 if 2 * g.units[ship].hits < c.capacity else -(-c.capacity // 2)
    return g.units[ship].hits


def check_repair(g: State, side: str, ship: str, done: dict[int, list[str]]) -> None:
    """A ship may lose a hit in the yard it lies in. Raises Rejected."""
    place, box = g.units[ship].at, g.units[ship].box
    if g.side(ship) != side or g.counter(ship).kind != "naval" or box not in ("map", ABROAD):
        raise illegal(f"{ship} is not one of your ships", "PW-NRP-01")
    if any(ship in mended for mended in done.values()):
        raise illegal(f"{ship} has lost its hit of this month", "PW-NRP-01")
    where, room = yard_abroad(g, ship)
    here = [s for s in done.get(place, []) if yard_abroad(g, s)[0] == where]
    if len(here) >= (room if box == ABROAD else yard(g, side, place)):
        raise illegal(f"no yard {f'beyond the {where} edge' if where else f'in {place:04d}'} has room for {ship}", "PW-NRP-01")
    if g.units[ship].hits <= least_hits(g, ship):
        raise illegal(f"{ship} cannot be mended further", "PW-NRP-03")


def _recombinations(g: State, side: str) -> list[Plain]:
    """A step from one unit to another for each harbour where that can be."""
    found: list[Plain] = []
    hurt = [u for u in g.on_map(side, "naval") if g.counter(u).type in SHARED and g.units[u].hits]
    for taker in hurt:
        for giver in g.ships(side, g.units[taker].at):
            order: Plain = {"from": giver, "to": taker, "steps": 1}
            if _may_recombine(g, side, order):
                found.append({"recombine": order})
                break
    return found


def _may_recombine(g: State, side: str, order: Plain) -> bool:
    try:
        read_recombination(g, side, order)
    except Rejected:
        return False
    return True


def read_recombination(g: State, side: str, body: Plain) -> tuple[str, str, int]:
    """[PW-NRP-04] `recombine: {from: DD5, to: DD3, steps: 2}`. Raises Rejected."""
    if not isinstance(body, dict) or set(body) != {"from", "to", "steps"}:
        raise unreadable(f"recombine: {body!r}", "recombine: {from: DD5, to: DD3, steps: 2}")
    giver, taker = read_unit(g, body["from"], side), read_unit(g, body["to"], side)
    n = read_number(body["steps"], 1, 6, "PW-NRP-04")
    a, b = g.counter(giver), g.counter(taker)
    if a.side != side or b.side != side or a.type != b.type or a.type not in SHARED or giver == taker:
        raise illegal(f"{giver} and {taker} cannot exchange steps", "PW-NRP-04")
    if g.units[giver].at != g.units[taker].at or g.units[giver].at not in ports_of(g, side):
        raise illegal("both must lie in one friendly linked port", "PW-NRP-04")
    if b.gun[0] > a.gun[0] or b.torpedo[0] > a.torpedo[0] or b.asw > a.asw:
        raise illegal(f"{taker} is better than {giver}", "PW-NRP-04")
    if n > g.units[taker].hits or n > g.steps(giver):
        raise illegal(f"{n} steps cannot be moved", "PW-NRP-04")
    return taker, giver, n
