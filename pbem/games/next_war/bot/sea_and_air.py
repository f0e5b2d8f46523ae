"""Ships, helicopters, paratroops, airmobile units: what is worth trying before the ground units march."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.next_war.board import distance
from pbem.games.next_war.bot import fleets
from pbem.games.next_war.bot.flying import MOST, flights
from pbem.games.next_war.bot.judgement import danger, defended, expect_support, forecast, prize, prizes, threatened
from pbem.games.next_war.bot.supporting import FACES
from pbem.games.next_war.charts import pick
from pbem.games.next_war.helicopters import basing_limit, room
from pbem.games.next_war.naval import mine_fields, sea_drm
from pbem.games.next_war.sealift import can_assault
from pbem.games.next_war.state import FOE, Fight, State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask

SAFE = 8  # of ten faces on which a ship has to come past mines
NEAR_SHORE = 3  # hexes from a Beach in which prizes draw a landing


def missions(g: State, side: str) -> Iterator[Plain]:
    """Orders worth trying, the best of each unit first; not all are legal."""
    yield from _rebases(g, side)
    if g.storm:
        return
    yield from _minefields(g, side)
    yield from _embarkations(g, side)
    yield from _landings(g, side)
    yield from _gunfire(g, side)
    yield from _to_marines(g, side)
    yield from fleets.stations(g, side)
    for flight in flights(g, side):
        yield flight.order


def _label(g: State, place: int) -> str:
    return g.board.hexes[place].label


# -- helicopters ---------------------------------------------------------------------------------------------------------


def _rebases(g: State, side: str) -> Iterator[Plain]:
    """A helicopter that reaches no enemy goes to the base nearest to one, not next to one."""
    foes = sorted(g.occupied(FOE[side]))
    if not foes:
        return
    bases = [h for h, x in g.board.hexes.items() if (x.airbase or x.airfield or x.city) and g.holds(side, h)]
    for helo in g.on_map(side, "helo"):
        at, reach = g.pieces[helo].at, g.counter(helo).range
        near = min(distance(at, f) for f in foes)
        if near <= reach or g.pieces[helo].aboard or helo in g.moved or helo in g.grounded or g.missions.get(helo):
            continue
        gap = {h: min(distance(h, f) for f in foes) for h in bases if distance(h, at) <= 2 * reach and room(g, side, h) > 0}
        for base in sorted((h for h, d in gap.items() if 2 <= d < near), key=lambda h: (gap[h], h))[:2]:
            yield {"rebase": {"units": helo, "to": _label(g, base)}}


def flee(g: State, ask: Ask) -> Iterator[Plain]:
    """From a base that is lost to one with room that no enemy comes near to at once; of these the nearest to the fighting."""
    side, foes, heat = ask.seat, sorted(g.occupied(FOE[ask.seat])), danger(g, ask.seat)
    bases = [h for h in g.board.hexes if basing_limit(g, side, h)]

    def later(place: int) -> tuple[bool, bool, int, int]:
        gap = min((distance(place, f) for f in foes), default=0)
        return room(g, side, place) <= 0, heat.get(place, 0) > 0, gap, place

    for base in sorted(bases, key=later):
        yield {"flee": _label(g, base)}


# -- ships ---------------------------------------------------------------------------------------------------------------


def _landings(g: State, side: str) -> Iterator[Plain]:
    """Ships with Marines go Inshore, and from there to the Beaches where those that find room there do most together."""
    laden = [u for u in _ships(g, side, "AMPH") if _marines(g, u)]
    for vessel in laden:
        area, at = g.board.areas[g.area_of(vessel)], g.pieces[vessel].at
        if at and not g.board.hexes[at].land:
            yield from _back(g, side, vessel)
        elif at:
            if g.own_port(side, at) and _beaches(g, side, area.id, _marines(g, vessel)):
                yield {"sail": {"units": vessel, "to": area.id}}
        elif area.at_sea or area.box:
            for to in area.near:
                if g.sea_control.get(to) != FOE[side] and not g.board.areas[to].box:
                    yield {"sail": {"units": vessel, "to": to}}
    for area_id in g.board.areas:
        waiting = [v for v in laden if g.pieces[v].box == area_id and not g.pieces[v].at]
        if waiting and not g.board.areas[area_id].at_sea:
            yield from _assaults(g, side, area_id, waiting)


def _marines(g: State, vessel: str) -> list[str]:
    return [c for c in g.cargo(vessel) if g.counter(c).ground]


def _back(g: State, side: str, vessel: str) -> Iterator[Plain]:
    """Whoever could not land goes ashore by a Beachhead, or back to where an assault starts."""
    at = g.pieces[vessel].at
    for head in (h for h in g.board.near[at] if h in g.beachheads and g.beachheads[h].side == side):
        for unit in _marines(g, vessel) if not g.ground(FOE[side], head) else ():
            yield {"disembark": {"units": [unit], "to": _label(g, head)}}
    area = g.area_of(vessel)
    if _beaches(g, side, area, _marines(g, vessel)):
        yield {"sail": {"units": vessel, "to": area}}


def _assaults(g: State, side: str, area: str, waiting: Sequence[str]) -> Iterator[Plain]:
    """The strongest ship to the Beach that promises most with all that still finds room beside it."""
    ranked = sorted(waiting, key=lambda v: (-sum(g.values(u).attack for u in _marines(g, v)), v))
    seas = _shores(g, side, area)
    promised: dict[int, int] = {}
    for beach, free in seas.items():
        there = [u for u, b in g.poised.items() if b == beach]
        force = [u for v in ranked[: len(free)] for u in _marines(g, v)]
        promised[beach] = _landing_worth(g, side, beach, [*there, *force])
    able = [b for b in seas if promised[b] > 0]
    for beach in sorted(able, key=lambda b: (b not in g.poised.values(), -promised[b], b))[:MOST]:
        for vessel in ranked:
            yield {"poise": {"units": vessel, "to": _label(g, seas[beach][0]), "at": _label(g, beach)}}


def _embarkations(g: State, side: str) -> Iterator[Plain]:
    """Marines that no enemy is near to go aboard in Port, where a landing in this area promises something."""
    for vessel in (u for u in g.board.ships[side] if g.counter(u).kind == "AMPH" and g.area_of(u)):
        at = g.pieces[vessel].at
        if at and g.own_port(side, at):
            for unit in _for_a_landing(g, side, vessel, at):
                yield {"embark": {"units": [unit], "on": vessel}}


def _for_a_landing(g: State, side: str, vessel: str, port: int) -> list[str]:
    """Marines in a Port that a ship takes to a landing that promises something, the strongest first."""
    if threatened(g, side, port):
        return []
    nation = g.counter(vessel).nation
    able = [u for u in g.ground(side, port) if can_assault(g, u) and u not in g.moved and not g.pieces[u].aboard]
    able = [u for u in able if not g.p["countries"] or g.counter(u).nation == nation]
    able.sort(key=lambda u: (-g.values(u).attack, u))
    return able if able and _beaches(g, side, g.area_at(port), able) else []


def _to_marines(g: State, side: str) -> Iterator[Plain]:
    """Empty AMPH sail to Ports where Marines wait for a landing."""
    ports = [h for h in g.board.ports if g.own_port(side, h) and g.sea_control.get(g.area_at(h)) != FOE[side]]
    for vessel in _ships(g, side, "AMPH"):
        if g.cargo(vessel) or fleets.busy(g, vessel):
            continue
        found = {h: _for_a_landing(g, side, vessel, h) for h in ports}
        for port in sorted((h for h in ports if found[h]), key=lambda h: (-g.stack_points(found[h]), h)):
            yield {"sail": {"units": vessel, "to": _label(g, port)}}


def _ships(g: State, side: str, *kinds: str) -> list[str]:
    able = [u for u, c in g.board.counters.items() if c.seat == side and c.kind in kinds and u not in g.moved]
    return [u for u in able if g.area_of(u)]


def _shores(g: State, side: str, area: str) -> dict[int, list[int]]:
    """Beaches of an area that nobody of this side holds, each with the free sea hexes beside it, the safest first."""
    found: dict[int, list[int]] = {}
    for sea in sorted(g.board.seas.get(area, ()), key=lambda h: (-_safety(g, side, h), h)):
        if not g.here(side, sea, "AMPH", "SAG", "CV", "CVN") and _safety(g, side, sea) >= SAFE:
            for beach in g.board.near[sea]:
                if g.board.hexes[beach].beach and not g.ground(side, beach):
                    found.setdefault(beach, []).append(sea)
    return found


def _safety(g: State, side: str, sea: int) -> int:
    """On how many of the ten faces a ship comes past the mines of a sea hex."""
    fields = mine_fields(g, sea)
    if not fields:
        return FACES
    drm = sea_drm(g, side, (sea, ""), g.mines[fields[0]].density)
    return sum(str(pick(g.p["contested_sea_table"], face + drm)) == "ok" for face in range(FACES))


def _beaches(g: State, side: str, area: str, units: Sequence[str]) -> list[tuple[int, int]]:
    """Beaches with a free sea hex beside them where these units together promise something, best first."""
    found = _shores(g, side, area)
    worth = {b: _landing_worth(g, side, b, units) for b in found}
    able = [b for b in found if worth[b] > 0]
    return [(b, found[b][0]) for b in sorted(able, key=lambda b: (-worth[b], b))]


def _landing_worth(g: State, side: str, beach: int, units: Sequence[str]) -> int:
    """Points for the Beach and for what lies behind it, and for the fight, if there is one."""
    near = [h for h in prizes(g, side) if distance(h, beach) <= NEAR_SHORE]
    worth = sum(2 * prize(g, side, h) // (1 + distance(h, beach)) for h in near)
    if g.ground(FOE[side], beach):
        lead = max(units, key=lambda u: (g.values(u).er, g.steps(u), u))
        fight = defended(g, Fight(side, beach, list(units), lead, list(units)))
        promised = forecast(g, expect_support(g, fight))
        return worth + promised if promised > 0 else 0
    defense = sum(g.values(u).defense for u in units)
    return worth - max(0, danger(g, side).get(beach, 0) - 2 * defense)


def _minefields(g: State, side: str) -> Iterator[Plain]:
    """Mines before the Beaches where laden ships of the enemy would do most: by ships that are there, else by submarines."""
    foe = FOE[side]
    units = [c for v in g.board.ships[foe] if g.area_of(v) and g.counter(v).kind == "AMPH" for c in _marines(g, v)]
    units = [c for c in units if can_assault(g, c)]
    layers = [u for u in _ships(g, side, "SAG", "AMPH") if g.pieces[u].at and not g.cargo(u)]
    if not units or (not layers and g.threat[side] < 2):
        return
    shores = {beach: seas for area in g.board.areas for beach, seas in _shores(g, foe, area).items()}
    worth = {beach: _landing_worth(g, foe, beach, units) for beach in shores}
    ranked = sorted((beach for beach in shores if worth[beach] > 0), key=lambda b: (-worth[b], b))
    for ship, sea in ((ship, sea) for beach in ranked for sea in shores[beach] for ship in layers):
        if sea in (g.pieces[ship].at, *g.board.near[g.pieces[ship].at]):
            yield {"mine": {"units": ship, "at": _label(g, sea)}}
    for beach in ranked[:MOST] if g.threat[side] > 1 else ():
        yield {"submine": _label(g, shores[beach][0])}


def _gunfire(g: State, side: str) -> Iterator[Plain]:
    """Ships with guns go where they reach enemies that can be attacked, over safe water."""
    wanted = {h for h in g.occupied(FOE[side]) if any(g.ground(side, n) for n in g.board.near[h])}
    wanted |= {b for b in g.poised.values() if g.ground(FOE[side], b)}
    for ship in _ships(g, side, "SAG"):
        area, at, reach = g.area_of(ship), g.pieces[ship].at, g.counter(ship).range
        if not g.counter(ship).support[0] or (at and any(distance(at, h) <= reach for h in wanted)):
            continue
        inshore = (
            [area] if not g.board.areas[area].at_sea else [a for a in g.board.areas[area].near if not g.board.areas[a].at_sea]
        )
        seas = [h for a in inshore if g.sea_control.get(a) == side for h in sorted(g.board.seas.get(a, ())) if h not in g.mines]
        reached = {h: sum(distance(h, w) <= reach for w in wanted) for h in seas}
        for sea in sorted((h for h, n in reached.items() if n), key=lambda h: (-reached[h], h))[:2]:
            yield {"sail": {"units": ship, "to": _label(g, sea)}}


def sweep(g: State, ask: Ask) -> Iterator[Plain]:
    """Two markers: those that own ships help to clear, then thin ones, then those nearest to what the enemy holds."""
    side = ask.seat
    wanted = prizes(g, side)
    sailed = {g.area_of(u) for u in g.board.ships[side] if u in g.pieces}

    def later(place: int) -> tuple[bool, int, int, int]:
        gap = min((distance(place, h) for h in wanted), default=0)
        return g.area_at(place) not in sailed, g.mines[place].density, gap, place

    able = [h for h, m in g.mines.items() if m.side == FOE[side] and g.sea_control.get(g.area_at(h)) == side]
    for number in (2, 1):
        yield {"sweep": [_label(g, h) for h in sorted(able, key=later)[:number]]}
