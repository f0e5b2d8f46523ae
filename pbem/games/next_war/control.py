"""[8.4] Clearing Operations and control of hexes, in the Reorganization Phase; what happens when a hex is entered."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.next_war.air import lose_air_point
from pbem.games.next_war.board import Hex
from pbem.games.next_war.casualties import left_marker, lose_step
from pbem.games.next_war.charts import pick
from pbem.games.next_war.choices import throw, told
from pbem.games.next_war.events.air import AirmobilePointsSet
from pbem.games.next_war.events.markers import BeachheadGone, ControlTaken, MarkerDrawn, MarkerGone, MarkerTurned
from pbem.games.next_war.events.moves import FerryLost, HexEntered
from pbem.games.next_war.events.turns import EntriesForgotten, PhaseBegan, Reorganized, Scored
from pbem.games.next_war.events.victory import CapitalTaken
from pbem.games.next_war.helicopters import crowded_out, flee, lose_base
from pbem.games.next_war.labels import side_term
from pbem.games.next_war.naval import port_lost
from pbem.games.next_war.obstacles import bridge_key, hostile_place
from pbem.games.next_war.stacking import efficiency
from pbem.games.next_war.state import FOE, SIDES, State
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow, Roll
from pbem.kernel.questions import choose_unit
from pbem.kernel.wording import die_for, msg

# -- entering a hex ------------------------------------------------------------------------------------------------------


def enter(g: State, side: str, path: Sequence[int], rule: str) -> Flow[None]:
    """[8.4, 8.4.1] Ground units have come to stay in the last hex of a path: marker, ferries, helicopters, ships."""
    place = path[-1]
    left_marker(g, path[0])
    emit(g, HexEntered(place, side, "8.4"))
    if g.on("passed-fortifications"):
        for h in path[1:-1]:
            if g.board.hexes[h].fort and not g.holds(side, h):
                emit(g, HexEntered(h, side, "8.3.1.10"))
    put_marker(g, side, place, rule)
    foe = FOE[side]
    occupy(g, side, place)
    yield from port_lost(g, foe, place)
    for helo in g.here(foe, place, "helo"):
        yield from flee(g, helo, False)


def occupy(g: State, side: str, place: int) -> None:
    """[8.3.1.8, 8.5.8.2.1] Ground units that stand in a hex, by whatever way they came, spoil enemy ferries and a Beachhead."""
    for n in g.board.near[place]:
        country = g.board.side(place, n).ferry
        key = bridge_key(place, n)
        if country and g.p["countries"].get(country) != side and key not in g.ferries_lost:
            emit(g, FerryLost(key))
    if place in g.beachheads and g.beachheads[place].side == FOE[side]:
        emit(g, BeachheadGone(place, "8.5.8.2.1"))


def put_marker(g: State, side: str, place: int, rule: str) -> None:
    """[8.4.1] A Clearing marker, unless there is one or one was taken off this turn."""
    if hostile_place(g, side, place) and place not in g.clearing and place not in g.cleared:
        emit(g, MarkerDrawn(place, side, rule))


# -- Reorganization ------------------------------------------------------------------------------------------------------


def reorganization(g: State) -> Flow[None]:
    """[SOP] Helicopters ready, Air Points to zero, airmobile points reset, Clearing, control of hexes."""
    emit(g, PhaseBegan(g.turn, "Reorganization Phase", "3.0"))
    crowded_out(g)
    emit(g, Reorganized())
    for side in g.order():
        for place in sorted(g.clearing):
            if g.clearing[place].side == side:
                yield from _clear(g, side, place)
    yield from _take_hexes(g)
    emit(g, EntriesForgotten())
    for side in SIDES:
        for place in sorted(g.occupied(side)):
            put_marker(g, side, place, "8.4.1")


def _clear(g: State, side: str, place: int) -> Flow[None]:
    """[8.4.1] One Clearing Operation."""
    units = g.ground(side, place)
    lead = yield from choose_unit(
        g.board.unit_index,
        side,
        "lead-clearing",
        "8.4.1",
        msg("who leads the clearing of {place}?", place=g.board.name(place)),
        units,
    )
    number = g.clearing[place].number
    if not number:
        number = yield from _turn_up(g, side, place)
    drm = clearing_drm(g, side, place, lead, number)
    label = die_for("clearing {name}", name=g.board.name(place))
    die = yield from throw(label, "8.4.1.2", FOE[side])
    done = die + drm >= number
    told(g, label, die, drm, "cleared" if done else "not cleared", "8.4.1.2")
    if done:
        emit(g, MarkerGone(place, "8.4.1.2"))
        yield from take(g, side, place, "8.4.1.2")
    elif g.stack_points(units) < 2 * mssp(g, g.board.hexes[place]):
        victim = yield from choose_unit(
            g.board.unit_index, side, "clearing-loss", "8.4.1.2", msg("which unit loses a step?"), units
        )
        lose_step(g, victim, "8.4.1.2")


def _turn_up(g: State, side: str, place: int) -> Flow[int]:
    """[8.4.1] One of the markers that do not lie open on the map."""
    left = {int(n): int(count) for n, count in g.p["clearing_markers"].items()}
    for marker in g.clearing.values():
        if marker.number:
            left[marker.number] -= 1
    heap = [n for n in sorted(left) for _ in range(left[n])]
    (face,) = yield Roll(die_for("Clearing marker, {place}", place=g.board.name(place)), 1, len(heap), "8.4.1", FOE[side])
    emit(g, MarkerTurned(place, heap[int(face) - 1]))
    return heap[int(face) - 1]


def mssp(g: State, hex_: Hex) -> int:
    """[8.4.1.1] Minimum safe stacking points: the highest of those that apply."""
    chart = g.p["clearing_mssp"]
    found = [int(chart["urban"])] if hex_.terrain == "urban" else []
    if hex_.city:
        found.append(int(chart["city"]))
    if hex_.installations or hex_.extra:
        found.append(int(chart["installation"]))
    return max(found, default=0)


def clearing_drm(g: State, side: str, place: int, lead: str, number: int) -> int:
    """[8.4.1.1] All modifiers of a Clearing Operation."""
    units, hex_ = g.ground(side, place), g.board.hexes[place]
    drm = efficiency(g, lead) - number
    short = 2 * mssp(g, hex_) - g.stack_points(units)
    if short > 0:
        drm -= (short + 1) // 2
    more = hex_.installations - (0 if hex_.city or hex_.terrain == "urban" else 1)
    drm -= max(0, more)
    if any(u in g.landed for u in units):
        drm -= 1
    kinds = {g.counter(u).klass for u in units}
    combined = "mechanized" in kinds if g.newer else {"mechanized", "leg"} <= kinds or {"mechanized", "armor"} <= kinds
    drm += int(combined or (g.newer and {"leg", "armor"} <= kinds))
    if g.newer and g.board.owner(place) == side:
        drm += 3
    return drm


def _take_hexes(g: State) -> Flow[None]:
    """[8.4, SOP] Hexes that need no clearing go to whoever came last; own ones go back without clearing [8.4.1.6]."""
    for place in sorted({*g.entered, *(h for s in SIDES for h in g.occupied(s))}):
        side = next((s for s in SIDES if g.ground(s, place)), g.entered.get(place, ""))
        if not side or g.holds(side, place) or hostile_place(g, side, place):
            continue
        yield from take(g, side, place, "8.4.1.6" if g.board.hexes[place].needs_clearing else "8.4")


def take(g: State, side: str, place: int, rule: str) -> Flow[None]:
    """A hex changes hands, with its points and losses."""
    foe, hex_ = FOE[side], g.board.hexes[place]
    emit(g, ControlTaken(place, side, rule))
    points = worth(g, side, place)
    if points:
        emit(g, Scored(side, points, msg("taken: {name}", name=g.board.name(place)), "12.1"))
    if place in capital_hexes(g, side):
        emit(g, CapitalTaken(side))
    if hex_.airbase and g.board.owner(place) == foe:
        yield from _lose_point(g, foe, "air point", "6.3.1")
        if not g.newer and g.lift_points[foe] > 0:
            yield from _lose_point(g, foe, "airmobile point", "8.5.4.2")
    yield from lose_base(g, place, side)


def _lose_point(g: State, side: str, what: str, rule: str) -> Flow[None]:
    what_for = "loss of an air point, {side}" if what == "air point" else "loss of an airmobile point, {side}"
    label = die_for(what_for, side=side_term(side))
    die = yield from throw(label, rule, side)
    found = str(pick(g.p["point_loss_table"], die))
    told(g, label, die, 0, found, rule)
    if found != "lost":
        return
    if what == "air point":
        lose_air_point(g, side, rule)
    else:
        emit(g, AirmobilePointsSet(side, g.lift_points[side] - 1, rule))


def capital_hexes(g: State, side: str) -> list[int]:
    """[12.2] Hexes whose capture gives this side a throw for Automatic Victory."""
    places = [g.board.labels.get(str(label).lower()) for label in g.p["auto_victory_hexes"].get(side, ())]
    return [place for place in places if place is not None]


def worth(g: State, side: str, place: int) -> int:
    """[12.1] Victory Points for taking a hex: a capital counts more when it is the enemy's."""
    chart, hex_ = g.p["vp_chart"], g.board.hexes[place]
    points = 0
    if hex_.terrain == "urban":
        capital = hex_.label in chart.get("capitals", ()) and g.board.owner(place) == FOE[side]
        points += int(chart["capital" if capital else "urban"])
    if hex_.city:
        points += int(chart["city"])
    points += (int(hex_.airbase) + int(hex_.port)) * int(chart["installation"])
    points += hex_.sites * int(chart.get("site", {}).get(side, 0))
    return points + (int(hex_.airfield) + int(hex_.town)) * int(chart["airfield_or_town"])
