"""[7.2, 7.5.2] Control of Inshore and At Sea areas; clearing of mines."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.next_war.charts import pick
from pbem.games.next_war.choices import throw, told
from pbem.games.next_war.combat_forms import sweeps
from pbem.games.next_war.events.markers import MinesSet
from pbem.games.next_war.events.sea import MinesSpent, SeaControlSet
from pbem.games.next_war.naval import driven_out
from pbem.games.next_war.orders import only, read_places, split_order
from pbem.games.next_war.state import ALLIED, FOE, OPPOSED, State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.questions import DONE, NONE
from pbem.kernel.wording import die_for, msg

RESULTS = {"allied": ALLIED, "non-allied": OPPOSED, "contested": ""}


def sea_control(g: State) -> Flow[None]:
    """[7.2] Inshore areas first, then At Sea areas; nothing in a Storm."""
    if g.storm or not g.p["sea_control_table"]:
        return
    areas = [a for a in g.board.areas.values() if not a.box and a.id not in g.p["sea_control_fixed"]]
    for area in areas:
        if not area.at_sea and _due(g, area.id):
            yield from _throw(g, area.id)
    for area in areas:
        if area.at_sea:
            yield from _throw(g, area.id)


def _due(g: State, inshore: str) -> bool:
    """[7.2] Thrown for when the At Sea area is nobody's, or the Inshore area is, or the At Sea area is the opponent's.

    Newer rules: not thrown for when the At Sea area is contested.
    """
    at_sea = g.board.zones[g.board.areas[inshore].zone][0]
    above, here = g.sea_control.get(at_sea), g.sea_control.get(inshore)
    if above is None:
        return not g.newer
    return here is None or above == FOE[here]


def _throw(g: State, area: str) -> Flow[None]:
    before = g.sea_control.get(area)
    drm = control_drm(g, area)
    name = g.board.areas[area].name
    label = die_for("sea control, {name}", name=name)
    die = yield from throw(label, "7.2")
    table = pick(g.p["sea_control_table"], g.turn)
    after = RESULTS[str(pick(table, die + drm))] or None
    if g.newer and after is not None:
        present = sides_present(g, area)
        after = None if len(present) == 2 or (after != before and after not in present) else after
    told(g, label, die, drm, after or "contested", "7.2")
    if after == before:
        return
    emit(g, SeaControlSet(area, after))
    if after is not None:
        yield from driven_out(g, FOE[after], area)


def control_drm(g: State, area: str) -> int:
    """[7.2.2, 7.4] Naval units in the area and in the other areas of its zone, submarines, and what the game adds."""
    chart = g.p["sea_control_drms"]
    at_sea, inshore = g.board.zones[g.board.areas[area].zone]
    drm = int(chart.get("areas", {}).get(area, 0))
    kinds, nations = chart.get("kinds", {}), chart.get("nations", {})
    for unit, piece in g.pieces.items():
        counter = g.counter(unit)
        if counter.naval and not piece.at and piece.box in (at_sea, *inshore):
            weight = int(nations[counter.nation]) if counter.nation in nations else int(kinds.get(counter.kind, 0))
            drm += weight if counter.seat == ALLIED else -weight
    if chart.get("tracks"):
        drm += g.asw[ALLIED] - g.asw[OPPOSED] + g.threat[ALLIED] - g.threat[OPPOSED]
    return drm


def sides_present(g: State, area: str) -> set[str]:
    """Sides with carriers or a SAG in an area."""
    kinds = ("SAG", "CV", "CVN")
    return {g.seat(u) for u, p in g.pieces.items() if g.counter(u).kind in kinds and p.box == area and not p.at}


def mine_clearing(g: State) -> Flow[None]:
    """[7.5.2] Up to two of the opponent's markers where the side controls the Inshore area; not on the first turn."""
    if g.turn == 1:
        return
    for side in g.order():
        able = [h for h in sorted(g.mines) if g.mines[h].side == FOE[side] and g.sea_control.get(g.area_at(h)) == side]
        if not able:
            continue
        places: list[int] = yield _ask(g, side, able)
        for place in places:
            yield from _sweep(g, side, place)


def _ask(g: State, side: str, able: Sequence[int]) -> Ask:
    def read(plain: Plain) -> list[int]:
        verb, body = split_order(plain, ("sweep", DONE))
        if verb == DONE:
            only(verb, body)
            return []
        if body == NONE:
            return []
        places = read_places(g, body)
        if len(places) > 2 or len(set(places)) < len(places):
            raise illegal(msg("two different mine markers at most"), "7.5.2")
        for place in places:
            if place not in able:
                raise illegal(
                    msg("there are no mines to clear in {place}", place=g.board.name(place)),
                    "7.5.2",
                    msg("one of: {choices}", choices=tuple(g.board.name(h) for h in able)),
                )
        return places

    def policy(wanted: Plain) -> Plain:
        order: Plain = {"sweep": wanted}
        try:
            read(order)
        except Rejected:
            return None
        return order

    names: list[Plain] = [g.board.hexes[h].label for h in able]
    words: list[Plain] = [{"sweep": names[:2]}, {"sweep": names[:1]}, {"sweep": NONE}]
    return Ask(
        side,
        "sweep",
        "7.5.2",
        msg("clear up to two mine markers"),
        read,
        ("sweep", DONE),
        options=lambda: words,
        policy=policy,
        form=lambda: sweeps(g, ("sweep", DONE), able, 2, read),
    )


def _sweep(g: State, side: str, place: int) -> Flow[None]:
    marker = g.mines[place]
    area = g.board.hexes[place].zone or g.area_at(place)
    drm = -2 if any(g.area_of(u) == area for u in g.pieces if g.counter(u).naval and g.seat(u) == side) else 0
    label = die_for("mine clearing, {name}", name=g.board.name(place))
    die = yield from throw(label, "7.5.2", FOE[side])
    done = die + drm <= 3
    told(g, label, die, drm, "cleared" if done else "not cleared", "7.5.2")
    if not done:
        return
    emit(g, MinesSet(place, marker.side, marker.density - 1, "7.5.2", marker.layer))
    if marker.density == 1:
        emit(g, MinesSpent(marker.side))
