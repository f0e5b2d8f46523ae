"""[9.8] Ignoring a retreat, retreating on the ground, by helicopter or aboard ship, and failing to retreat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set

from msgspec import Struct

from pbem.games.next_war.air import fire, fire_at, flight
from pbem.games.next_war.airmobile import own_wings
from pbem.games.next_war.board import HIGH, NEVER, PEAKS, TWO_HEX_RETREAT, distance
from pbem.games.next_war.casualties import destroy, left_marker, lose_step
from pbem.games.next_war.choices import throw, told
from pbem.games.next_war.combat_forms import retreats
from pbem.games.next_war.control import occupy
from pbem.games.next_war.events.air import AirmobilePointsSet, LiftUsed
from pbem.games.next_war.events.combat import MustRetreat
from pbem.games.next_war.events.moves import Fled, Moved, Placed
from pbem.games.next_war.obstacles import bridge_key, hostile_place
from pbem.games.next_war.orders import fields, read_place, read_places, read_unit, split_order
from pbem.games.next_war.stacking import efficiency
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.zoc import zone
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Facts, Flow
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.questions import choose_unit, choose_word
from pbem.kernel.wording import Message, die_for, msg


class Way(Struct, frozen=True):
    """A retreat: the hexes, the ship that takes the unit aboard, or the base that it flies to."""

    path: tuple[int, ...]
    ship: str = ""
    air: bool = False


def retreat_phase(g: State) -> Flow[None]:
    """[9.7.2, 9.8] The defenders stand, lose a step, or go."""
    f = g.fight
    assert f is not None
    side, place = FOE[f.side], f.target
    units = g.ground(side, place)
    if not units:
        return
    steady = [u for u in units if g.refugees.get(u) != place]
    if may_ignore(g, side, place) and steady and (yield from _ignore(g, side, place, steady)):
        return
    emit(g, MustRetreat(length(g, place), "9.8.1"))
    steady = [u for u in g.ground(side, place) if u in steady]
    yield from run(g, side, place, steady, [u for u in g.ground(side, place) if u not in steady])


def length(g: State, place: int) -> int:
    """[9.8.1] Two hexes from open ground without City or Fortification, one from elsewhere."""
    hex_ = g.board.hexes[place]
    fortified = bool(hex_.fort) and place not in g.fallen
    return 2 if hex_.terrain in TWO_HEX_RETREAT and not hex_.city and not hex_.jungle and not fortified else 1


def may_ignore(g: State, side: str, place: int) -> bool:
    """[9.8.4, 8.4.1.5] Terrain in which a stack may try to ignore a retreat; no terrain helps under a Clearing marker."""
    hex_ = g.board.hexes[place]
    beachhead = place in g.beachheads and g.beachheads[place].side == side
    if g.under_marker(place, side) and not g.newer:
        return beachhead
    return hex_.terrain in ("urban", *HIGH, *PEAKS) or hex_.city or hex_.jungle or g.works_fort(place, side) or beachhead


def _ignore(g: State, side: str, place: int, units: Sequence[str]) -> Flow[bool]:
    """[9.8.4] One check by the lowest Efficiency Rating; failing it means retreat or a step. True when the stack stays."""
    scope = combat_scope(g, place)
    facts: Facts = {
        "units": len(units),
        "steps": sum(g.steps(u) for u in units),
        "efficiency": min(efficiency(g, u) for u in units),
    }
    word = yield from choose_word(
        side,
        "stand",
        "9.8.4",
        msg("does the stack in {place} try to ignore the retreat?", place=g.board.name(place)),
        ("yes", "no"),
        reaction=True,
        scope=scope,
        facts=facts,
    )
    if word == "no":
        return False
    label = die_for("efficiency check, ignoring a retreat")
    if (yield from check(g, min(efficiency(g, u) for u in units), label, "9.8.4", side)):
        return True
    word = yield from choose_word(
        side,
        "failed",
        "9.8.4",
        msg("the stack does not hold: retreat, or lose a step?"),
        ("retreat", "step"),
        reaction=True,
        scope=scope,
        facts=facts,
    )
    if word == "retreat":
        return False
    victim = yield from choose_unit(
        g.board.unit_index,
        side,
        "lose",
        "9.8.4",
        msg("which unit loses a step?"),
        units,
        reaction=True,
        scope=scope,
    )
    lose_step(g, victim, "9.8.4")
    return True


def combat_scope(g: State, place: int) -> str:
    """The scope of standing orders for one attacked hex."""
    return f"combat:{g.board.hexes[place].label.lower()}"


def check(g: State, rating: int, label: Message, rule: str, side: str) -> Flow[bool]:
    """[2.3.3] An Efficiency check: one die, passed at or below the rating."""
    die = yield from throw(label, rule, side)
    told(g, label, die, 0, "passed" if die <= rating else "failed", rule)
    return die <= rating


def check_unit(g: State, unit: str, label: str, rule: str, side: str) -> Flow[bool]:
    """The same by the rating of one unit, whose `{name}` stands in the label."""
    return (yield from check(g, efficiency(g, unit), die_for(label, name=g.counter(unit).name), rule, side))


def run(g: State, side: str, place: int, units: Sequence[str], sheltered: Sequence[str] = ()) -> Flow[None]:
    """[9.8.1] Each unit by itself; those that cannot go stay and one of them may lose a step [9.8.3].

    The sheltered go along while one of the others stays; without them they flee again after the combat [9.8.6].
    """
    stuck: list[str] = []
    everybody = (*units, *sheltered)
    for unit in everybody:
        if not g.pieces[unit].at or (unit in sheltered and not stuck):
            continue
        if unit in g.p["fixed_units"]:
            destroy(g, unit, "KOREA-FIXED")
            continue
        ways = ways_out(g, side, unit, place)
        if not ways:
            stuck.append(unit)
            continue
        way: Way = yield _ask(g, side, unit, place, ways)
        yield from _go(g, side, unit, way, everybody)
        left_marker(g, place)
    if stuck:
        worst = min(stuck, key=lambda u: (efficiency(g, u), u))
        if not (yield from check_unit(g, worst, "efficiency check, {name} cannot retreat", "9.8.3", side)):
            lose_step(g, worst, "9.8.3")


def _ask(g: State, side: str, unit: str, place: int, ways: Sequence[Way]) -> Ask:
    name, foes = g.counter(unit).name, zone(g, FOE[side]) - g.occupied(side).keys()
    words = [_order(g, w) for w in ways]

    def read(plain: Plain) -> Way:
        _, body = split_order(plain, ("retreat",))
        f = fields(body, ("to", "via", "on", "by"))
        if "units" in f and read_unit(g, f["units"], side) != unit:
            raise illegal(msg("it is the retreat of {unit} now", unit=name), "9.8.1")
        wanted = _meant(g, side, ways, f)
        if not wanted:
            raise illegal(
                msg("{unit} cannot retreat so", unit=name),
                "9.8.2",
                msg("one of: {choices}", choices=tuple(_spoken(g, w) for w in ways[:6])),
            )
        return min(wanted, key=lambda w: (sum(h in foes for h in w.path[1:]), w.path))

    def policy(wanted: Plain) -> Plain:
        """Hexes, the first that can be reached; `any`: the way through the fewest enemy zones, then the nearest to home."""
        for item in wanted if isinstance(wanted, list) else [wanted]:
            if item == "any":
                return _order(g, min(ways, key=lambda w: _hardship(g, side, w, foes)))
            order: Plain = {"retreat": item if isinstance(item, dict) else {"to": item}}
            try:
                read(order)
            except Rejected:
                continue
            return order
        return None

    ground = [w for w in ways if not w.air and not w.ship]
    return Ask(
        side,
        "retreat",
        "9.8.1",
        msg("{unit} retreats from {place}: where to?", unit=name, place=g.board.name(place)),
        read,
        ("retreat",),
        combat_scope(g, place),
        facts={"ways": len(ways)},
        forced=words[0] if len(ways) == 1 and ground else None,
        options=lambda: words,
        policy=policy,
        reaction=True,
        form=lambda: retreats(g, side, ways, read),
    )


def _meant(g: State, side: str, ways: Sequence[Way], f: Mapping[str, Plain]) -> list[Way]:
    """The ways that an order can mean: `on` a ship, or `to` a hex, by the hexes of `via`, `by` air. Raises Rejected."""
    if "on" in f:
        return [w for w in ways if w.ship == read_unit(g, f["on"], side)]
    to = read_place(g, f.get("to"))
    via = read_places(g, f["via"]) if "via" in f else []
    wanted = [w for w in ways if not w.ship and w.path[-1] == to and w.air == (f.get("by") == "air")]
    return [w for w in wanted if w.air or all(h in w.path for h in via)]


def _hardship(g: State, side: str, way: Way, foes: Set[int]) -> tuple[bool, int, int, tuple[int, ...]]:
    """Ground before ship and helicopters, few zones, near the own edge."""
    zones = sum(h in foes for h in way.path[1:])
    return bool(way.ship or way.air), zones, edge_distance(g, side, way.path[-1]) if way.path else 0, way.path


def _order(g: State, way: Way) -> Plain:
    if way.ship:
        return {"retreat": {"on": way.ship}}
    body: dict[str, Plain] = {"to": g.board.hexes[way.path[-1]].label}
    if way.air:
        body["by"] = "air"
    elif len(way.path) > 2:
        body["via"] = [g.board.hexes[h].label for h in way.path[1:-1]]
    return {"retreat": body}


def _spoken(g: State, way: Way) -> Message | str:
    """Where a retreat leads, in words."""
    if way.ship:
        return msg("aboard {ship}", ship=g.counter(way.ship).name)
    to = g.board.name(way.path[-1])
    return msg("{place}, by air", place=to) if way.air else to


# -- ways ----------------------------------------------------------------------------------------------------------------


def ways_out(g: State, side: str, unit: str, place: int) -> list[Way]:
    """[9.8.1, 9.8.2] Legal retreats: on the ground toward the own map edge as far as that is possible; ship; helicopters."""
    steps = length(g, place)
    paths = [p for p in _paths(g, side, unit, (place,), steps) if distance(place, p[-1]) == steps and _may_end(g, side, p[-1])]
    homeward = [p for p in paths if edge_distance(g, side, p[-1]) < edge_distance(g, side, place)]
    found = [Way(p) for p in (_by_priority(g, side, paths) if g.newer else homeward or paths)]
    return found + _by_ship(g, side, unit, place) + _by_air(g, side, unit, place)


def _by_priority(g: State, side: str, paths: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """[9.8.1] Newer rules, for each hex entered: homeward and free of zones, free of zones, homeward, any."""
    zones = zone(g, FOE[side]) - g.occupied(side).keys()
    kept = list(paths)
    for i in range(1, max(map(len, paths), default=1)):
        for before in dict.fromkeys(p[:i] for p in kept):
            following = [p for p in kept if p[:i] == before]
            best = min(_priority(g, side, p[i - 1], p[i], zones) for p in following)
            kept = [p for p in kept if p[:i] != before or _priority(g, side, p[i - 1], p[i], zones) == best]
    return kept


def _priority(g: State, side: str, a: int, b: int, zones: Collection[int]) -> int:
    return 2 * (b in zones) + (edge_distance(g, side, b) >= edge_distance(g, side, a))


def edge_distance(g: State, side: str, place: int) -> int:
    """[9.8.1] How far a hex is from the side's own map edge, in half hexes, up to a constant."""
    edge = g.p["friendly_map_edge"][side]
    column, row = divmod(place, 100)
    height = 2 * row + column % 2
    return {"north": height, "south": -height, "west": 2 * column, "east": -2 * column}[edge]


def _paths(g: State, side: str, unit: str, so_far: tuple[int, ...], steps: int) -> list[tuple[int, ...]]:
    if not steps:
        return [so_far]
    found = []
    for n in g.board.land_near[so_far[-1]]:
        if n not in so_far and _may_pass(g, side, unit, so_far[-1], n):
            found += _paths(g, side, unit, (*so_far, n), steps - 1)
    return found


def _may_pass(g: State, side: str, unit: str, a: int, b: int) -> bool:
    if g.ground(FOE[side], b):
        return False
    edge = g.board.edge(g.values(unit).mobility, int(g.storm), a, b)
    bridge = bool(g.board.side(a, b).road) and bridge_key(a, b) not in g.bridges_down
    if g.board.side(a, b).river and not bridge and (g.board.side(a, b).river == "major" or not g.counter(unit).yellow):
        return False
    return edge is not None and (edge.off != NEVER or (edge.road != NEVER and bridge))


def _may_end(g: State, side: str, place: int) -> bool:
    """[9.8.2] Not in an enemy zone without own units, not where a Clearing marker would be needed."""
    own = bool(g.ground(side, place))
    if place in zone(g, FOE[side]) and not own:
        return False
    return not hostile_place(g, side, place) and (own or not _enemy_installation(g, side, place))


def _enemy_installation(g: State, side: str, place: int) -> bool:
    return g.board.hexes[place].installations > 0 and g.holds(FOE[side], place)


def _by_ship(g: State, side: str, unit: str, place: int) -> list[Way]:
    """[9.8.2] Marines on a Port or Beachhead may go aboard an AMPH."""
    counter = g.counter(unit)
    if not counter.marine or not (g.board.hexes[place].port or place in g.beachheads):
        return []
    found = []
    for h in (place, *g.board.near[place]):
        for ship in g.here(side, h, "AMPH"):
            vessel = g.counter(ship)
            load = g.stack_points([u for u in g.cargo(ship) if g.counter(u).ground])
            if vessel.nation == counter.nation and load + g.values(unit).sp <= vessel.capacity:
                found.append(Way((place, h), ship))
    return found


def _by_air(g: State, side: str, unit: str, place: int) -> list[Way]:
    """[9.8.2] Airmobile units, and airmobile-capable ones with points, may fly to an own Airbase or Airfield."""
    counter = g.counter(unit)
    if not counter.yellow or g.storm or (not own_wings(g, unit) and g.lift[side] < g.values(unit).sp):
        return []
    own = [h for h in g.board.bases if g.base(side, h)]
    if not own:
        return []
    most = 24 - min(distance(h, place) for h in own) - int(place in zone(g, FOE[side]))  # [8.5.4.3] base, unit, base
    bases = [h for h in own if h != place and distance(h, place) <= most and _may_end(g, side, h)]
    return [Way((place, h), "", True) for h in sorted(bases, key=lambda h: (distance(place, h), h))]


# -- going ---------------------------------------------------------------------------------------------------------------


def _go(g: State, side: str, unit: str, way: Way, fleeing: Sequence[str]) -> Flow[None]:
    if way.ship:
        piece = g.pieces[way.ship]
        emit(g, Placed(unit, piece.at, piece.box, "9.8.2", aboard=way.ship))
        return
    if way.air:
        yield from _fly_out(g, side, unit, way)
        if g.pieces[unit].at:
            _shelter(g, side, unit, fleeing)
        return
    foes = zone(g, FOE[side])
    for place in way.path[1:]:
        through = place in foes and not g.ground(side, place)
        if through and not (yield from check_unit(g, unit, "efficiency check, {name} passes an enemy zone", "9.8.5", side)):
            lose_step(g, unit, "9.8.5")
            if not g.pieces[unit].at:
                return
    emit(g, Moved((unit,), way.path, "retreat", "9.8.1"))
    occupy(g, side, way.path[-1])
    _shelter(g, side, unit, fleeing)


def _shelter(g: State, side: str, unit: str, fleeing: Sequence[str]) -> None:
    """[9.8.6] Who retreats to own units that have not fled with it only shelters there; alone it defends as any unit."""
    place = g.pieces[unit].at
    if any(u not in fleeing for u in g.ground(side, place)):
        emit(g, Fled(unit, place))


def _fly_out(g: State, side: str, unit: str, way: Way) -> Flow[None]:
    """[9.8.2] Air Defense Fire at the start, in an enemy zone; Abort is ignored."""
    counter, start, lifted = g.counter(unit), way.path[0], not own_wings(g, unit)
    if lifted:
        sp = g.values(unit).sp
        emit(g, LiftUsed(side, max(0, g.lift[side] - sp - sp % 2)))
    found = yield from fire(g, side, fire_at(counter.name), start, (start,), 0, True, "9.8.2")
    if found.lost:
        lose_step(g, unit, "6.6.1.1")
        if lifted and g.lift_points[side]:
            emit(g, AirmobilePointsSet(side, g.lift_points[side] - 1, "8.5.4.2"))
    if g.pieces[unit].at:
        path = flight(g, side, way.path, 24) or way.path
        emit(g, Moved((unit,), path, "airmobile retreat", "9.8.2"))
