"""[6.0] Air Points, Air Superiority, Air Defense Fire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.next_war.board import distance
from pbem.games.next_war.charts import Fire, band, fire_result, pick
from pbem.games.next_war.choices import throw, told
from pbem.games.next_war.events.air import AirLevelSet, AirPointLost, AirPointsReceived, AirPointsSpent
from pbem.games.next_war.labels import side_term
from pbem.games.next_war.state import ALLIED, FOE, LEVELS, OPPOSED, SIDES, State
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.orders import illegal
from pbem.kernel.wording import Message, die_for, msg

SAFE = Fire(False, 0, False)


# -- Air Points ----------------------------------------------------------------------------------------------------------


def air_points(g: State) -> Flow[None]:
    """[6.1] Both sides throw for their Air Points; weather cuts them; the difference gives the level [6.4]."""
    for side in g.order():
        total = yield from _receive(g, side)
        emit(g, AirPointsReceived(side, total))
    balanced = g.contested and g.options["contested-air"] == "turn"
    emit(g, AirLevelSet(0 if balanced else level(g)))


def _receive(g: State, side: str) -> Flow[int]:
    fixed = g.p["air_points_fixed"].get(str(g.turn))
    if fixed is not None:
        base = int(fixed[side])
    else:
        label = die_for("Air Points, {side}", side=side_term(side))
        die = yield from throw(label, "6.1")
        lost = sum(x.airbase and g.board.owner(h) == side and g.holds(FOE[side], h) for h, x in g.board.hexes.items())
        column = next(i for i, turns in enumerate(g.p["air_points_turns"]) if _in(str(turns), g.turn))
        row = pick(g.p["air_points_table"], die + lost)
        base = int(row[column][1 if side == ALLIED else 0])
        told(g, label, die, lost, "points", "6.1", base)
    return max(0, weathered(g, side, base + carrier_points(g, side) - g.air_lost[side]))


def _in(turns: str, turn: int) -> bool:
    low, high = band(turns)
    return low <= turn <= high


def weathered(g: State, side: str, points: int) -> int:
    """[4.1.2, 4.1.3] Air Points left by the weather, fractions rounded up."""
    capability = g.p["all_weather_capability"][side]
    divisor = {("overcast", "limited"): 2, ("overcast", "none"): 4, ("storm", "limited"): 4, ("storm", "none"): 0}
    part = divisor.get((g.weather, capability), 1)
    return -(-max(0, points) // part) if part else 0


def carrier_points(g: State, side: str) -> int:
    """[7.3.4] Air Points that carriers give."""
    chart: Mapping[str, int] = g.p["carrier_air_points"]
    total = 0
    for unit in g.pieces:
        counter = g.counter(unit)
        if counter.seat != side or counter.kind not in ("CV", "CVN") or not g.area_of(unit):
            continue
        area = g.board.areas[g.area_of(unit)]
        held = g.sea_control.get(area.id)
        if area.box or held == FOE[side]:
            continue
        if not area.at_sea and held == side:
            total += int(chart.get(counter.nation, chart["other"]))
        elif not g.newer or counter.kind == "CVN":
            total += int(chart["at sea"])
    return total


def level(g: State) -> int:
    """[6.4] The level by the difference of the Air Points received, each side at least 1 [6.3]."""
    have = {side: max(1, g.air_received[side]) for side in SIDES}
    difference = have[ALLIED] - have[OPPOSED]
    name = pick(g.p["air_superiority_table"], abs(difference))
    return LEVELS.index(name) * (1 if difference > 0 else -1)


def spend(g: State, side: str, points: int, rule: str) -> None:
    """[6.2] Air Points are used up."""
    if points:
        emit(g, AirPointsSpent(side, g.air[side] - points, rule))


def lose_air_point(g: State, side: str, rule: str) -> None:
    """[6.3] An Air Point is lost for good."""
    if g.p["air_points_lost_for_good"]:
        emit(g, AirPointLost(side, rule))


def check_escort(g: State, side: str, points: int) -> None:
    """[6.2.2] One or two Air Points. Raises Rejected."""
    if points > g.air[side]:
        raise illegal(msg("Air Points for the escort: {points}; left: {left}", points=points, left=g.air[side]), "6.2.2")


# -- flights -------------------------------------------------------------------------------------------------------------


def exposed(g: State, side: str) -> frozenset[int]:
    """[6.6] Hexes with or next to an enemy ground unit or ship."""
    return g.memo.cached(("exposed", side), lambda: _exposed(g, side))


def _exposed(g: State, side: str) -> frozenset[int]:
    ships = frozenset(g.pieces[u].at for u in g.board.ships[FOE[side]] if g.pieces[u].at)
    return beside_enemies(g, side).union(ships, *(g.board.near[h] for h in sorted(ships)))


def beside_enemies(g: State, side: str) -> frozenset[int]:
    """Hexes with or next to an enemy ground unit."""
    return g.memo.cached(("beside enemies", side), lambda: _beside_enemies(g, side))


def _beside_enemies(g: State, side: str) -> frozenset[int]:
    foes = g.occupied(FOE[side])
    return frozenset(foes) | {n for h in foes for n in g.board.near[h]}


def flight(g: State, side: str, stops: Sequence[int], most: int) -> tuple[int, ...] | None:
    """A path through some hexes of at most `most` hexes: the one least exposed to enemy ground units; None if too far."""
    path: tuple[int, ...] = (stops[0],)
    left = most
    for i, to in enumerate(stops[1:], 1):
        rest = sum(distance(a, b) for a, b in zip(stops[i:], stops[i + 1 :], strict=False))
        leg = _leg(g, side, path[-1], to, left - rest)
        if leg is None:
            return None
        left -= len(leg) - 1
        path += leg[1:]
    return path


def _leg(g: State, side: str, start: int, to: int, most: int) -> tuple[int, ...] | None:
    """The shortest way that is immune; else away from enemy units; else not over them; else any."""
    if distance(start, to) > most:
        return None
    if start == to:
        return (start,)
    danger, foes, home = exposed(g, side), frozenset(g.occupied(FOE[side])), home_sky(g, side)
    if to not in danger:
        closed: list[frozenset[int]] = [danger, foes, frozenset()]
        if to in home and (way := _shortest(g, start, to, most, danger, home)):
            return way
    else:
        closed = [foes, frozenset()]
    for barred in closed:
        if way := _shortest(g, start, to, most, barred, None):
            return way
    return None


def _shortest(
    g: State, start: int, to: int, most: int, barred: frozenset[int], inside: frozenset[int] | None
) -> tuple[int, ...] | None:
    """Looked for first among the hexes of a straight flight: a detour only when all of those are closed."""
    straight = distance(start, to)
    found = _within(g, start, to, straight, barred, inside)
    return found or (_within(g, start, to, most, barred, inside) if straight < most else None)


def _within(
    g: State, start: int, to: int, most: int, barred: frozenset[int], inside: frozenset[int] | None
) -> tuple[int, ...] | None:
    before = {start: 0}
    edge, left = [start], most
    near = g.board.near
    while edge and left:
        left -= 1
        following: list[int] = []
        for place in edge:
            for n in near[place]:
                if n in before or (n != to and (n in barred or (inside is not None and n not in inside))):
                    continue
                if distance(n, to) > left:
                    continue  # no way over this hex is short enough
                before[n] = place
                if n == to:
                    return _walk(before, n)
                following.append(n)
        edge = following
    return None


def _walk(before: Mapping[int, int], at: int) -> tuple[int, ...]:
    found = [at]
    while before[at]:
        at = before[at]
        found.append(at)
    return tuple(reversed(found))


def home_sky(g: State, side: str) -> frozenset[int]:
    """[6.6] Own or allied territory; the sea counts as such unless the enemy controls its Inshore area."""
    return g.memo.cached(("home sky", side), lambda: _home_sky(g, side))


def _home_sky(g: State, side: str) -> frozenset[int]:
    seas = [hexes for area, hexes in g.board.seas.items() if g.sea_control.get(area) != FOE[side]]
    return g.board.lands.get(side, frozenset()).union(*seas)


# -- Air Defense Fire ----------------------------------------------------------------------------------------------------


def immune(g: State, side: str, path: Sequence[int]) -> bool:
    """[6.6] The level is not the enemy's, and the mission stays over own territory away from enemy units."""
    if g.favour(side) < 0 or any(h in exposed(g, side) for h in path):
        return False
    over = (path[0], path[-1]) if g.newer else path
    home = home_sky(g, side)
    return all(h in home for h in over)


def fire(
    g: State, side: str, label: Message, target: int, path: Sequence[int], drm: int, flew: bool, rule: str = "6.6.1"
) -> Flow[Fire]:
    """[6.6.1] Air Defense Fire at a mission of `side`: a die unless it is immune. `flew`: a helicopter or airmobile unit.

    `label`: `fire_at` whom.
    """
    if immune(g, side, path):
        return SAFE
    drm, column = aimed(g, side, target, path, drm, flew)
    die = yield from throw(label, rule, side)
    text = str(pick(g.p["adf_table"], die + drm)[column])
    told(g, label, die, drm, text, rule)
    return fire_result(text)


def aimed(g: State, side: str, target: int, path: Sequence[int], drm: int, flew: bool) -> tuple[int, int]:
    """[6.6.1] Modifiers of the die, those of the mission's own among them, and the column of the table."""
    chart: Mapping[str, Any] = g.p["adf_drms"]
    drm += near_drm(g, side, target, chart)
    if flew and any(h in g.occupied(FOE[side]) for h in path[:-1]):
        drm += int(chart.get("flew_over_enemy", 0))
    return drm, 3 + g.favour(side)


def fires(g: State, side: str, target: int, path: Sequence[int], drm: int, flew: bool) -> list[Fire]:
    """[6.6.1] What each of the ten faces would bring; nothing, where the mission is immune."""
    if immune(g, side, path):
        return [SAFE] * 10
    drm, column = aimed(g, side, target, path, drm, flew)
    return [fire_result(str(pick(g.p["adf_table"], die + drm)[column])) for die in range(10)]


def fire_at(name: str) -> Message:
    """The label of Air Defense Fire at a unit or a lift."""
    return die_for("Air Defense Fire at {name}", name=name)


def near_drm(g: State, side: str, target: int, chart: Mapping[str, Any]) -> int:
    """Modifiers by what the enemy has near the target hex."""
    foe, drm = FOE[side], 0
    if chart.get("near_enemy_armor"):
        close = (target, *g.board.near[target])
        if any(g.counter(u).klass in ("armor", "mechanized") for h in close for u in g.ground(foe, h)):
            drm += int(chart["near_enemy_armor"])
    if chart.get("near_enemy_installation"):
        for h in g.board.within(target, 2):
            hex_ = g.board.hexes[h]
            if ((hex_.airfield or hex_.installations) and g.holds(foe, h)) or g.here(foe, h, "SAG", "CV", "CVN", "AMPH"):
                return drm + int(chart["near_enemy_installation"])
    return drm
