"""[PW-DEA] [PW-ACT-13] The common phase: deactivation, ground disengagement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.pacific_war.choices import distribute
from pbem.games.pacific_war.command.common import common_activation
from pbem.games.pacific_war.events import Moved, Remarked
from pbem.games.pacific_war.forms import departures
from pbem.games.pacific_war.land.movement import (
    battalions,
    check_embark,
    clear_entries,
    cost,
    has_room,
    room_aboard,
    stack_room,
)
from pbem.games.pacific_war.land.occupation import fall, occupy
from pbem.games.pacific_war.movements import DisengagedFrom
from pbem.games.pacific_war.orders import check_in_play, misread, read_place, read_unit, read_units, unit_parts
from pbem.games.pacific_war.picks import names
from pbem.games.pacific_war.secret.fleets import offer_show
from pbem.games.pacific_war.secret.forces import concealing, dissolve_unseen, rest_hidden, restate_forces, stirring
from pbem.games.pacific_war.secret.meeting import GROUND, NAVAL, anywhere, hexes_with
from pbem.games.pacific_war.state import ENGAGEMENT, FOE, State
from pbem.games.pacific_war.terms import hex_term
from pbem.games.pacific_war.units.changes import board, deactivate, leave_fleet, put_in_screen
from pbem.games.pacific_war.units.damage import drop_empty_markers, hit_steps
from pbem.games.pacific_war.world.nations import interned
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.forms import Form
from pbem.kernel.orders import Rejected, illegal, split_order
from pbem.kernel.picking import Verbs
from pbem.kernel.questions import DONE, accepted
from pbem.kernel.wording import msg

HIDDEN = "hidden"  # the word for all that stirs behind Force markers


def common_phase(g: State) -> Flow[None]:
    """[PW-DEA-01] The operations player, then the other; not in engagements."""
    if g.level == ENGAGEMENT:
        return
    for side in (g.operator, g.reactor):
        yield from offer_show(g, side, "PW-DEA-01")
        yield from deactivations(g, side)
    for side in (g.operator, g.reactor):
        yield from common_activation(g, side)


def deactivations(g: State, side: str) -> Flow[None]:
    """One order after the other until done."""
    while any(may_rest(g, u) for u in g.on_map(side)) or _sealed_to_rest(g, side):
        order: tuple[str, Any] | None = yield Ask(
            side,
            "common",
            "PW-DEA-01",
            msg("deactivate or disengage units, or done"),
            lambda plain: read_common(g, side, plain),
            ("deactivate", "disengage", DONE),
            options=lambda: common_options(g, side),
            form=lambda: _form(g, side),
        )
        if order is None:
            return
        verb, what = order
        if verb == "deactivate":
            yield from _deactivate(g, side, what)
        else:
            yield from _disengage(g, side, *what)


def _form(g: State, side: str) -> Form:
    """Units and sealed markers that rest; troops among enemies, and the neighbour or ship to which they leave."""

    def read(plain: Plain) -> tuple[str, Any] | None:
        return read_common(g, side, plain)

    resting = [*_sealed_to_rest(g, side), *(u for u in g.on_map(side) if may_rest(g, u))]
    fighting = [u for u in g.on_map(side, "ground") if may_rest(g, u) and g.ashore(FOE[side], g.units[u].at)]
    gestures = {"deactivate": names(g, side, "deactivate", resting, read), "disengage": departures(g, side, fighting, read)}
    return Verbs(read, ("deactivate", "disengage", DONE), gestures)


def _sealed_to_rest(g: State, side: str) -> list[str]:
    """What can be deactivated unseen: all that stirs behind Force markers, and sealed task forces where ships may rest."""
    fleets = [m for m, x in g.markers.items() if x.side == side and x.handle and concealing(g) and _haven(g, side, x.at)]
    return [*([HIDDEN] if stirring(g, side) else []), *fleets]


def _haven(g: State, side: str, place: int) -> bool:
    """[PW-ACT-13] A friendly port or an anchorage without enemy ships."""
    port = g.ports.get(place)
    return g.anchorage(place) and (port is None or port.side == side) and not g.afloat(FOE[side], place)


def _deactivate(g: State, side: str, what: Sequence[str]) -> Flow[None]:
    """Units rest; sealed task forces become part of the Force of their hex unseen. Ships do not beside hidden enemy ones."""
    places = [at for at in (_anchored_at(g, name) for name in what) if at]
    barred = yield from hexes_with(g, FOE[side], list(dict.fromkeys(places)), NAVAL, anywhere("ships at rest"), "PW-ACT-13")
    for name in [n for n in what if _anchored_at(g, n) not in barred]:
        if name == HIDDEN:
            rest_hidden(g, side, "PW-DEA-01")
        elif name in g.markers:
            dissolve_unseen(g, name, "PW-ACT-13")
        else:
            rest(g, name, "PW-DEA-01")
    drop_empty_markers(g)
    if any(name not in g.units for name in what):
        yield from restate_forces(g, side, "PW-ACT-13")


def _anchored_at(g: State, name: str) -> int:
    """The hex of a ship or task force; 0 of everything else."""
    if name in g.markers:
        return g.markers[name].at
    return g.units[name].at if name in g.units and g.counter(name).kind == "naval" else 0


def may_rest(g: State, unit: str) -> bool:
    """[PW-ACT-13] Air and ground units anywhere, ships in a friendly port or an anchorage without enemy ships."""
    u, c = g.units[unit], g.counter(unit)
    if not u.active or u.landed or c.kind == "submarine":
        return False
    if c.kind == "naval":
        return _haven(g, c.side, u.at)
    return not u.aboard or may_rest(g, u.aboard)


def rest(g: State, unit: str, rule: str) -> None:
    """A unit is deactivated for the rest of the month or scenario; a ship leaves its task force."""
    deactivate(g, unit, rule)
    if g.counter(unit).kind == "naval":
        leave_fleet(g, unit, rule)
        put_in_screen(g, unit, False, rule)


def read_common(g: State, side: str, plain: Plain) -> tuple[str, Any] | None:
    """Units or task forces to deactivate, a disengagement, or done. Raises Rejected."""
    verb, body = split_order(plain, ("deactivate", "disengage", DONE))
    if verb == DONE:
        return None
    if verb == "disengage":
        return verb, _read_disengagement(g, side, body)
    units: list[str] = []
    for part in unit_parts(g, body):
        if part in _sealed_to_rest(g, side):
            units.append(str(part))
        elif str(part) in g.markers and (g.markers[str(part)].side != side or g.markers[str(part)].handle):
            raise illegal(
                msg("{unit} cannot be deactivated here", unit=str(part)),
                "PW-ACT-13",
                msg("task forces need a friendly port or an anchorage"),
            )
        else:
            units += g.members(str(part)) if str(part) in g.markers else [read_unit(g, part, side)]
    seen = [u for u in units if u not in _sealed_to_rest(g, side)]
    check_in_play(g, seen, "PW-ACT-13")
    for u in seen:
        if g.side(u) != side or g.units[u].box != "map":
            raise illegal(msg("{unit} is not yours to deactivate", unit=u), "PW-ACT-13")
        if not may_rest(g, u):
            raise illegal(
                msg("{unit} cannot be deactivated here", unit=u), "PW-ACT-13", msg("ships need a friendly port or an anchorage")
            )
    return verb, units


def _read_disengagement(g: State, side: str, body: Plain) -> tuple[list[str], int, str]:
    """[PW-DEA-02] `disengage: {units: [...], to: hex or ship}`. Raises Rejected."""
    if not isinstance(body, dict) or not {"units", "to"} <= set(body):
        raise misread("disengage", body, "disengage: {units: [...], to: 1427}")
    units = read_units(g, body["units"], side)
    check_in_play(g, units, "PW-DEA-02")
    places = {g.units[u].at for u in units}
    for u in units:
        if g.side(u) != side or u not in g.ashore(side, g.units[u].at) or not g.units[u].active or g.units[u].landed:
            raise illegal(msg("{unit} cannot disengage", unit=u), "PW-DEA-02")
        if not g.ashore(FOE[side], g.units[u].at):
            raise illegal(msg("{unit} stands among no enemies", unit=u), "PW-DEA-02")
    if len(places) != 1:
        raise illegal(msg("units that leave together come from one hex"), "PW-DEA-02")
    place = places.pop()
    try:
        goal = read_place(g, body["to"])
    except Rejected:
        ship = read_unit(g, body["to"], side)
        for u in units:
            check_embark(g, u, ship)
        if sum(battalions(g, u) for u in units) > room_aboard(g, ship):
            raise illegal(msg("{ship} has no room for all of them", ship=ship), "PW-AMP-02") from None
        return units, place, ship
    _check_way_out(g, side, units, place, goal)
    return units, goal, ""


def _check_way_out(g: State, side: str, units: Sequence[str], place: int, goal: int) -> None:
    arrow = f"{FOE[side]} {goal:04d} {place:04d}"
    barred = goal not in g.board.near(place) or any(cost(g, u, place, goal) is None for u in units)
    if barred or g.ashore(FOE[side], goal) or arrow in g.entries:
        raise illegal(msg("there is no way out to {place}", place=g.board.name(goal)), "PW-DEA-02")
    if g.moved.get(f"{side} left {place:04d}", goal) != goal:
        raise illegal(msg("all units that leave a hex in a phase go to the same hex"), "PW-DEA-02")
    if stack_room(g, side, goal) < sum(g.steps(u) for u in units):
        raise illegal(msg("{place} is full", place=g.board.name(goal)), "PW-MOV-05")


def _no_way(g: State, side: str, units: Sequence[str], goal: int) -> Flow[bool]:
    """[PW-DEA-02] Hidden enemy troops bar the way out, or hidden troops of one's own fill the hex: the units stay."""
    barred = yield from hexes_with(g, FOE[side], [goal], GROUND, anywhere("way out"), "PW-DEA-02")
    if barred:
        emit(g, Remarked(msg("No way out to {place}", place=hex_term(g, goal)), "PW-DEA-02"))
        return True
    room = yield from has_room(g, units[0], goal, *units[1:])
    return not room


def _disengage(g: State, side: str, units: list[str], goal: int, ship: str) -> Flow[None]:
    if not ship and (yield from _no_way(g, side, units, goal)):
        return
    place = g.units[units[0]].at
    loss = 3 if any(g.units[u].demoralized for u in units) else 1
    if not ship:
        emit(g, DisengagedFrom(side, place, goal))
    for u in units:
        if ship:
            board(g, u, ship, "PW-DEA-02")
        else:
            emit(g, Moved(u, goal, "PW-DEA-02"))
        deactivate(g, u, "PW-DEA-02")
    room = {u: g.steps(u) for u in units}
    losses = yield from distribute(g, side, "losses", "PW-DEA-02", msg("steps lost in disengaging"), room, loss)
    for u, n in losses.items():
        hit_steps(g, u, n, "PW-DEA-02")
    interned(g, units)
    yield from fall(g, [place])
    if not ship and g.ashore(side, goal):
        yield from occupy(g, side, goal)
    clear_entries(g)


def common_options(g: State, side: str) -> list[Plain]:
    """Done; single units; a disengagement from each contested hex."""
    found: list[Plain] = [DONE]
    able = [u for u in g.on_map(side) if may_rest(g, u)]
    found += [{"deactivate": [u]} for u in [*_sealed_to_rest(g, side), *able[:6]]]
    held = [u for u in able if g.counter(u).kind == "ground" and not g.units[u].aboard and g.ashore(FOE[side], g.units[u].at)]
    ideas: Iterator[Plain] = ({"disengage": {"units": [u], "to": n}} for u in held for n in g.board.near(g.units[u].at))
    return [*found, *accepted(lambda plain: read_common(g, side, plain), ideas)]
