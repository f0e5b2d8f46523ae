"""[PW-AIR-17] [PW-AIR-18] Landing and reorganization of air units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.pacific_war.air.flight import STRAFE, over
from pbem.games.pacific_war.board import distance, straight
from pbem.games.pacific_war.dice import die
from pbem.games.pacific_war.engagements import AirReady, FlewOn, HaveFlown, MissionLanded, WaveLanded
from pbem.games.pacific_war.events import Hit, Mended, Moved, Removed
from pbem.games.pacific_war.operation_forms import touchdowns
from pbem.games.pacific_war.orders import base_named, misread, read_place, read_places, read_unit
from pbem.games.pacific_war.state import FOE, JAPAN, State
from pbem.games.pacific_war.units.changes import board
from pbem.games.pacific_war.units.damage import hit_steps
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import Rejected, illegal, split_order
from pbem.kernel.questions import ANY, accepted, one_of
from pbem.kernel.wording import msg, verbatim

DITCH = "ditch"  # the base of a unit that finds none with room


def bases_for(g: State, unit: str, place: int, rest: int) -> list[str]:
    """[PW-BAS-01] Bases within the rest of a unit's range: hexes of airfields as four digits, or names of ships.

    No airfield is interdicted while the aircraft of its own mission fly; who was on CAP stays at his.
    """
    c = g.counter(unit)
    found = []
    for h, base in g.airfields.items():
        near = base.side == c.side and distance(place, h) <= rest
        if near and not g.overrun(c.side, h) and not base.interdicted:
            found.append(f"{h:04d}")
    if c.type == "LRA":
        tenders = [s for s, n in g.seaplanes.items() if n > 0 and g.units[s].box == "map" and g.side(s) == c.side]
        found += [s for s in tenders if distance(place, g.units[s].at) <= rest and not _others(g, s, unit)]
    if c.type == "1E" and c.carrier:
        for ship in g.on_map(c.side, "naval"):
            if g.is_carrier(ship) and distance(place, g.units[ship].at) <= rest and _room(g, ship, unit):
                found.append(ship)
    return found


def _others(g: State, ship: str, unit: str) -> list[str]:
    return [u for u in g.air_aboard(ship) if u != unit]


def _room(g: State, ship: str, unit: str) -> bool:
    """[PW-UNT-07] Steps aboard stay within the launch capacity."""
    room: int = g.counter(ship).launch - g.units[ship].hits
    return sum(g.steps(u) for u in _others(g, ship, unit)) + g.steps(unit) <= room


def mission_range(g: State, kind: str, unit: str) -> int:
    """[PW-MOV-06] Range of a unit; by option fighters from land fly further on superiority and as escorts [PW-OPT-06]."""
    c = g.counter(unit)
    far = g.options.get("fighter-range") == "yes" and c.type == "1E" and c.level == 2 and not c.carrier
    return c.range + ((2 if c.side == JAPAN else 4) if far and kind in ("strike", "superiority") else 0)


def escorts_only(g: State, unit: str) -> bool:
    """[PW-OPT-06] A fighter that needs its longer range to come home: it fights in the air, or strafes."""
    m = g.mission
    assert m is not None
    if mission_range(g, m.type, unit) == g.counter(unit).range:
        return False
    return not bases_for(g, unit, m.target, g.counter(unit).range - _way(g, unit))


def _range_home(g: State, unit: str) -> int:
    """The range of a unit that lands: one that struck something has not flown further than its own."""
    m = g.mission
    assert m is not None
    struck = any(t != STRAFE for t in m.targets.get(unit, ()))
    return g.counter(unit).range if struck else mission_range(g, m.type, unit)


def land_all(g: State) -> Flow[None]:
    """[PW-AIR-17] The survivors fly to friendly bases."""
    m = g.mission
    assert m is not None
    units = [u for f in m.flights for u in f.units if g.units[u].box == "map" and u not in m.landed]
    for unit in [u for u in units if g.counter(u).kamikaze]:
        emit(g, Removed(unit, "eliminated", "PW-AIR-22"))
    yield from land(g, [u for u in units if not g.counter(u).kamikaze], m.target)
    waited = tuple(u for u in g.waves if u in m.landed)
    if waited:
        emit(g, WaveLanded(waited))
    emit(g, HaveFlown(tuple(u for f in m.flights for u in f.units)))


def land(g: State, units: Sequence[str], place: int) -> Flow[None]:
    """Units of the mission fly from a hex to bases that their owner names; what has no base is lost."""
    m = g.mission
    assert m is not None
    transfer = m.type == "transfer" and place == m.target
    reach: dict[str, list[str]] = {}
    for unit in units:
        bases = bases_for(g, unit, place, _range_home(g, unit) - _way(g, unit))
        reach[unit] = sorted(bases, key=lambda b: _hex_of(g, b) != place) if transfer else bases
        if not bases:
            emit(g, Removed(unit, "eliminated", "PW-MOV-06"))
    flying = [u for u in units if reach[u]]
    if not flying:
        return
    chosen: dict[str, str] | list[int] = yield _ask(g, m.side, flying, reach, transfer)
    if isinstance(chosen, list):
        yield from _fly_on(g, flying, chosen)
        return
    for unit in [u for u in flying if chosen[u] == DITCH]:
        emit(g, Removed(unit, "eliminated", "PW-MOV-06"))
    for goal in dict.fromkeys(b for b in chosen.values() if b != DITCH):
        yield from _home(g, [u for u in flying if chosen[u] == goal], place, goal)


def _hex_of(g: State, base: str) -> int:
    return int(base) if base[0].isdigit() else g.units[base].at


def _fly_on(g: State, units: Sequence[str], way: Sequence[int]) -> Flow[None]:
    """[PW-AIR-16] A transfer flies on before it lands: its destination need not be named."""
    emit(g, FlewOn(way[-1]))
    for h in way:
        alive = [u for u in units if g.units[u].box == "map"]
        if alive:
            yield from over(g, alive, h, h == way[-1] and any(bases_for(g, u, h, 0) for u in alive))
    yield from land(g, [u for u in units if g.units[u].box == "map"], way[-1])


def _read_onward(g: State, flying: Sequence[str], body: Plain) -> list[int]:
    """`fly_on: [hexes]`: the way to the last of them; every unit must reach a base from there. Raises Rejected."""
    m = g.mission
    assert m is not None
    way, at = [], m.target
    for stop in read_places(g, body):
        way += straight(at, stop)
        at = stop
    if not way:
        raise illegal(msg("the mission is there already"), "PW-AIR-16")
    for unit in flying:
        rest = mission_range(g, m.type, unit) - _way(g, unit) - len(way)
        if rest < 0 or not bases_for(g, unit, at, rest):
            raise illegal(msg("{unit} would reach no base from {place}", unit=unit, place=g.board.name(at)), "PW-MOV-06")
    return way


def _way(g: State, unit: str) -> int:
    m = g.mission
    assert m is not None
    return m.flown.get(unit, 0) + (distance(g.units[unit].at, g.waves[unit]) if unit in g.waves else 0)


def _ask(g: State, side: str, flying: Sequence[str], reach: dict[str, list[str]], onward: bool) -> Ask:
    m = g.mission
    assert m is not None
    usual = _usual(g, flying, reach)
    verbs = ("landing", "fly_on") if onward else ("landing",)

    def read(plain: Plain) -> dict[str, str] | list[int]:
        verb, body = split_order(plain, verbs)
        if verb == "fly_on":
            return _read_onward(g, flying, body)
        if body == "home":
            body = {}
        if not isinstance(body, dict):
            raise misread("landing", body, "landing: home", "landing: {unit: base}")
        wanted = dict(usual)
        for who, where in body.items():
            unit = read_unit(g, who, side)
            if unit not in flying:
                raise illegal(msg("{unit} is not in the air", unit=unit), "PW-AIR-17")
            base = _read_base(g, side, where)
            if base not in reach[unit]:
                raise illegal(
                    msg("{unit} cannot land on {base}", unit=unit, base=base_named(g, base)),
                    "PW-AIR-17",
                    verbatim(*(base_named(g, b) for b in reach[unit][:8])),
                )
            wanted[unit] = base
        _check_decks(g, wanted)
        return wanted

    def options() -> list[Plain]:
        ideas: Iterator[Plain] = ({"landing": {unit: base}} for unit in flying[:3] for base in reach[unit][:4])
        return [{"landing": "home"}, *accepted(read, ideas)]

    return Ask(
        side,
        "landing",
        "PW-AIR-17",
        msg("where the aircraft land"),
        read,
        verbs,
        default={"landing": "home"},
        options=options,
        form=lambda: touchdowns(g, side, verbs, reach, read),
    )


def _usual(g: State, flying: Sequence[str], reach: dict[str, list[str]]) -> dict[str, str]:
    """Home, or the first base with room; the sea where no deck has any."""
    m = g.mission
    assert m is not None
    found: dict[str, str] = {}
    for unit in flying:
        home = m.homes[unit]
        bases = ([home] if home in reach[unit] and m.type != "transfer" else []) + reach[unit]
        found[unit] = next((b for b in bases if b[0].isdigit() or _deck_holds(g, b, unit, found)), DITCH)
    return found


def _deck_holds(g: State, ship: str, unit: str, chosen: dict[str, str]) -> bool:
    landing = [u for u, b in chosen.items() if b == ship and u != unit]
    staying = [u for u in g.air_aboard(ship) if u not in landing and u != unit and u not in chosen]
    room: int = g.counter(ship).launch - g.units[ship].hits
    return g.counter(unit).type == "LRA" or sum(g.steps(u) for u in {*landing, *staying, unit}) <= room


def _check_decks(g: State, wanted: dict[str, str]) -> None:
    for unit, ship in wanted.items():
        if ship != DITCH and not ship[0].isdigit() and not _deck_holds(g, ship, unit, wanted):
            raise illegal(msg("{ship} has no room for {unit}", ship=ship, unit=unit), "PW-UNT-07")


def _read_base(g: State, side: str, where: Plain) -> str:
    if isinstance(where, int) or (isinstance(where, str) and where[:1].isdigit() and where.isdigit()):
        return f"{read_place(g, int(where)):04d}"
    try:
        return read_unit(g, where, side)
    except Rejected:
        return f"{read_place(g, where):04d}"


def _home(g: State, units: Sequence[str], place: int, goal: str) -> Flow[None]:
    """One stack flies home; it may be searched for and intercepted on this way too."""
    m = g.mission
    assert m is not None
    end = _hex_of(g, goal)
    for h in straight(place, end)[:-1]:
        alive = [u for u in units if g.units[u].box == "map"]
        if alive:
            yield from over(g, alive, h, False)
    for unit in units:
        if g.units[unit].box == "map":
            yield from _touch_down(g, unit, goal, end)
    emit(g, MissionLanded(tuple(units)))


def _touch_down(g: State, unit: str, goal: str, end: int) -> Flow[None]:
    if g.light == "dusk":
        rolled = yield from die(g, msg("{unit} lands at dusk", unit=unit), "PW-LUM-03")
        if rolled > 3 * g.counter(unit).level:
            hit_steps(g, unit, 1, "PW-LUM-03")
            if g.units[unit].box != "map":
                return
    emit(g, Moved(unit, end, "PW-AIR-17"))
    board(g, unit, "" if goal[0].isdigit() else goal, "PW-AIR-17")


def rehome(g: State) -> Flow[None]:
    """[PW-AIR-18] Aircraft in the air over the target whose carrier was sunk land elsewhere, nearest bases first."""
    m = g.mission
    assert m is not None
    for unit in [u for u in m.alerted if g.units[u].box == "map" and not g.airborne(u)]:
        ship = g.units[unit].aboard
        if not ship or g.units[ship].box == "map":
            continue
        bases = bases_for(g, unit, m.target, g.counter(unit).range)
        here = [b for b in bases if _hex_of(g, b) == m.target]
        yield from _move_in(g, unit, here or bases, "PW-AIR-18")
    if m.alerted:
        _merge_all(g, g.here(FOE[m.side], m.target, "air"))


def return_waves(g: State) -> Flow[None]:
    """[PW-AIR-19] Waves that did not strike come home; whose carrier is lost or too far lands within the rest of his range."""
    for unit, place in g.waves.items():
        way, most = distance(g.units[unit].at, place), g.counter(unit).range
        if g.units[unit].box != "map" or not g.units[unit].aboard:
            continue
        if g.units[g.units[unit].aboard].box == "map" and 2 * way <= most:
            continue
        rest = most - way
        yield from _move_in(g, unit, bases_for(g, unit, place, rest), "PW-AIR-19")
    if g.waves:
        emit(g, WaveLanded(tuple(g.waves)))


def choose_base(g: State, unit: str, bases: Sequence[str], rule: str, reaction: bool = False) -> Flow[str]:
    """One of some bases, named as at any landing: a ship, or a hex by number or name; "" without any."""
    side, names = g.side(unit), ", ".join(base_named(g, b) for b in bases)

    def read_one(body: Plain) -> str:
        if body == ANY:
            return bases[0]
        try:
            meant = g.board.unit_index.one_among(body, bases, side)
        except Rejected:
            meant = ""
        return meant if meant in bases else _read_base(g, side, body)

    found = yield from one_of(
        side,
        "base",
        rule,
        msg("where {unit} lands", unit=unit),
        bases,
        read_one,
        names,
        str,
        reaction=reaction,
        slot="unit",
        name=lambda slot, value: verbatim(base_named(g, value)),
    )
    return found or ""


def _move_in(g: State, unit: str, bases: Sequence[str], rule: str) -> Flow[None]:
    """A unit whose carrier is gone comes to a base of its owner's choice; without one it is lost."""
    base = yield from choose_base(g, unit, bases, rule, reaction=True)
    if not base:
        emit(g, Removed(unit, "eliminated", rule))
        return
    emit(g, Moved(unit, _hex_of(g, base), rule))
    board(g, unit, "" if base[0].isdigit() else base, rule)


# -- reorganization --------------------------------------------------------------------------------------------------


def reorganize_bases(g: State, side: str) -> None:
    """[PW-AIR-18] At each base units of one type and level are filled up to six steps."""
    _merge_all(g, list(g.on_map(side, "air")))
    if "flown" in g.script or "weathered" in g.script:
        emit(g, AirReady())


def _merge_all(g: State, air: Sequence[str]) -> None:
    groups: dict[tuple[str, ...], list[str]] = {}
    for unit in air:
        c, u = g.counter(unit), g.units[unit]
        if c.type != "LRA" and not g.airborne(unit):
            kind = (c.type, str(c.level), str(c.carrier), str(c.kamikaze), c.nation)
            same = (u.aboard or f"{u.at:04d}", *kind, str(u.active))
            groups.setdefault(same, []).append(unit)
    for units in groups.values():
        merge(g, units)


def merge(g: State, units: Sequence[str]) -> None:
    """Steps go from the weakest to the strongest until only one unit has fewer than its full steps."""
    weak = sorted((u for u in units if g.units[u].hits), key=lambda u: (g.units[u].hits, units.index(u)))
    while len(weak) > 1:
        strong, weakest = weak[0], weak[-1]
        n = min(g.units[strong].hits, g.steps(weakest))
        emit(g, Mended(strong, n, "PW-AIR-18"))
        emit(g, Hit(weakest, n, "PW-AIR-18", "eliminated" if n == g.steps(weakest) else ""))
        weak = sorted((u for u in weak if g.units[u].hits and g.units[u].box == "map"), key=lambda u: (g.units[u].hits, u))
