"""[PW-MOV-02] to [PW-MOV-05] [PW-AMP-01] Movement of ground units, entering enemy hexes, overrun, embarking, landing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.pacific_war.board import COSTS
from pbem.games.pacific_war.events import Moved, Remarked
from pbem.games.pacific_war.forms import land_moves
from pbem.games.pacific_war.land.occupation import contested, fall, occupy
from pbem.games.pacific_war.movements import EntriesCleared, EntryMarked, MoveSpent
from pbem.games.pacific_war.orders import OFF, check_in_play, misread, not_next, read_place, read_places, read_unit
from pbem.games.pacific_war.postures import Landed
from pbem.games.pacific_war.secret.fleets import unveil_hex
from pbem.games.pacific_war.secret.forces import whole
from pbem.games.pacific_war.secret.meeting import GROUND, NAVAL, has_force, room_for, stated_behind
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.terms import hex_term
from pbem.games.pacific_war.units.changes import board
from pbem.games.pacific_war.units.works import abandon_works
from pbem.games.pacific_war.world.nations import closed_to, interned, surrenders
from pbem.games.pacific_war.world.off_map import check_march_off, march_off
from pbem.games.pacific_war.world.weather import closes, slows
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Claim, Flow, Reveal
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.questions import DONE, accepted
from pbem.kernel.wording import Message, msg

ALLOWANCE = 6
LEAVE = "leave"
FULL_STACK = 48
CARRIERS_OF_TROOPS = {"AA": 9, "APD": 3, "DD": 3}  # [PW-AMP-02] in battalions
BATTALIONS = {"battalion": 1, "regiment": 3, "brigade": 3, "division": 9}


def cost(g: State, unit: str, start: int, goal: int) -> int | None:
    """[PW-MOV-02] Movement points to enter a neighbour; None: not at all."""
    there = g.board.hex(goal)
    route = goal in g.board.hex(start).routes
    if goal not in g.board.marches(start) or closed_to(g, unit, goal):
        return None
    if g.counter(unit).type == "armour" and not route and there.land not in ("clear", "atoll"):
        return None
    return 2 if route else COSTS.get(there.land)


def stack_room(g: State, side: str, place: int) -> int:
    """[PW-MOV-05] Ground steps that may still come into a hex."""
    return FULL_STACK - sum(g.steps(u) for u in g.ashore(side, place))


def check_stack(g: State, unit: str, place: int, steps: int | None = None) -> None:
    """[PW-MOV-05] [PW-NAT-04] A ground unit, or so many steps for it, may come to stand in a hex. Raises Rejected."""
    barred = closed_to(g, unit, place)
    if barred:
        raise illegal(*barred)
    if stack_room(g, g.side(unit), place) < (g.steps(unit) if steps is None else steps):
        raise illegal(msg("{place} is full", place=g.board.name(place)), "PW-MOV-05")


def may_stack(g: State, unit: str, place: int) -> bool:
    """[PW-MOV-05] [PW-NAT-04] Whether a ground unit may come to stand in a hex."""
    return stack_room(g, g.side(unit), place) >= g.steps(unit) and not closed_to(g, unit, place)


def land_phase(g: State, side: str, contact: bool, one_hex: bool = False) -> Flow[None]:
    """[PW-MOV-14] The ground units of a side move, embark and land, one order at a time."""
    while any(may_move(g, u) for u in g.on_map(side, "ground")):
        order: tuple[str, str, Any] | None = yield Ask(
            side,
            "land",
            "PW-MOV-02",
            msg("move a ground unit, or done"),
            lambda plain: read_land(g, side, plain, contact, one_hex),
            ("move", "embark", "debark", LEAVE, DONE),
            options=lambda: land_options(g, side, contact, one_hex),
            form=lambda: land_moves(
                g,
                side,
                ("move", "embark", "debark", LEAVE, DONE),
                lambda: [u for u in g.on_map(side, "ground") if may_move(g, u)],
                lambda who, start, goal: cost(g, who, start, goal),
                ALLOWANCE,
                lambda plain: read_land(g, side, plain, contact, one_hex),
            ),
        )
        if order is None:
            return
        verb, unit, what = order
        yield from carry_out(g, verb, unit, what, contact)
        abandon_works(g)


def may_move(g: State, unit: str) -> bool:
    """Activated, not moved in this phase, not among enemies."""
    u = g.units[unit]
    among = not u.aboard and bool(g.ashore(FOE[g.side(unit)], u.at))
    return u.active and u.box == "map" and unit not in g.moved and not among


def read_land(g: State, side: str, plain: Plain, contact: bool, one_hex: bool) -> tuple[str, str, Any] | None:
    """A movement, an embarkation, a landing, or done (None). Raises Rejected."""
    verb, body = split_order(plain, ("move", "embark", "debark", LEAVE, DONE))
    if verb == DONE:
        return None
    if verb == LEAVE:
        body = {body: OFF} if isinstance(body, str) else body
    if not isinstance(body, dict) or len(body) != 1:
        raise misread(verb, body, "move: {unit: [hexes]}", "embark: {unit: ship}", "debark: {unit: hex}")
    who, what = next(iter(body.items()))
    unit = read_unit(g, who, side)
    if g.side(unit) != side or g.counter(unit).kind != "ground":
        raise illegal(msg("{unit} is not one of your ground units", unit=unit), "PW-MOV-02")
    check_in_play(g, [unit], "PW-MOV-02")
    if unit in g.moved:
        raise illegal(msg("{unit} has moved already", unit=unit), "PW-AMP-01" if verb == "debark" else "PW-MOV-02")
    if not g.units[unit].active or g.units[unit].box != "map":
        raise illegal(msg("{unit} is not activated", unit=unit), "PW-MOV-02")
    if not may_move(g, unit):
        raise illegal(msg("{unit} stands among enemies", unit=unit), "PW-MOV-08" if contact else "PW-MOV-14")
    if verb == LEAVE:
        return verb, unit, check_march_off(g, unit)
    if verb == "move":
        path = read_places(g, what)
        _check_march(g, unit, path, contact, one_hex)
        return verb, unit, path
    if verb == "embark":
        ship = read_unit(g, what, side)
        check_embark(g, unit, ship)
        return verb, unit, ship
    place = read_place(g, what)
    _check_landing(g, unit, place, contact)
    return verb, unit, place


def march_way(g: State, side: str, plain: Plain, contact: bool, one_hex: bool) -> Sequence[int]:
    """The way of a `move` order. Raises Rejected."""
    order = read_land(g, side, plain, contact, one_hex)
    return order[2] if order is not None else ()


def _check_march(g: State, unit: str, path: Sequence[int], contact: bool, one_hex: bool) -> None:
    at, points, foe = g.units[unit].at, 0, FOE[g.side(unit)]
    if g.units[unit].aboard:
        raise illegal(msg("{unit} is aboard a ship", unit=unit), "PW-AMP-01")
    if one_hex and len(path) > 1:
        raise illegal(msg("a unit moves only one hex now"), "PW-MOV-12")
    if len(path) > 1 and slows(g, at):
        raise illegal(msg("in the rain over {place} a unit moves only one hex", place=g.board.name(at)), "PW-WX-02")
    for i, step in enumerate(path):
        if step not in g.board.near(at):
            raise not_next(g, step, at, "PW-MOV-02")
        barred = closed_to(g, unit, step)
        if barred:
            raise illegal(*barred)
        price = cost(g, unit, at, step)
        if price is None:
            raise illegal(
                msg("{unit} cannot enter {place} from {origin}", unit=unit, place=g.board.name(step), origin=g.board.name(at)),
                "PW-MOV-02",
            )
        if closes(g, step):
            raise illegal(msg("the monsoon closes {place}", place=g.board.name(step)), "PW-WX-02")
        points += price
        if points > ALLOWANCE:
            raise illegal(
                msg("the way costs {points} movement points", points=points),
                "PW-MOV-02",
                msg("at most: {most}", most=ALLOWANCE),
            )
        enemies = g.ashore(foe, step)
        if enemies and contact:
            raise illegal(msg("nobody enters a hex with enemies in a contact phase"), "PW-MOV-08")
        if enemies and i < len(path) - 1:
            raise illegal(msg("{unit} must stop in {place}", unit=unit, place=g.board.name(step)), "PW-MOV-03")
        if stack_room(g, g.side(unit), step) < g.steps(unit):
            raise illegal(msg("{place} is full", place=g.board.name(step)), "PW-MOV-05")
        at = step


def battalions(g: State, unit: str) -> int:
    """[PW-UNT-01] The size of a ground unit in battalions; a corps or army is more than any ship takes."""
    return 99 if g.counter(unit).size in ("corps", "army") else BATTALIONS.get(g.counter(unit).size, 9)


def room_aboard(g: State, ship: str) -> int:
    """[PW-AMP-02] [PW-AMP-04] Battalions that a transport can still take; 0 for other ships."""
    c = g.counter(ship)
    if c.type == "DD" and c.side != "japan":
        return 0
    return CARRIERS_OF_TROOPS.get(c.type, 0) - sum(battalions(g, t) for t in g.cargo(ship))


def check_embark(g: State, unit: str, ship: str) -> None:
    """[PW-AMP-01] A unit may go aboard. Raises Rejected."""
    c, place = g.counter(unit), g.units[unit].at
    if g.units[unit].aboard:
        raise illegal(msg("{unit} is aboard a ship", unit=unit), "PW-AMP-01")
    if ship not in g.ships(c.side, place):
        raise illegal(msg("{ship} is not in the hex of {unit}", ship=ship, unit=unit), "PW-AMP-01")
    if g.counter(ship).type not in CARRIERS_OF_TROOPS:
        raise illegal(msg("{ship} carries no troops", ship=ship), "PW-AMP-01", msg("AA, APD and Japanese DD do"))
    if room_aboard(g, ship) < battalions(g, unit):
        raise illegal(msg("{ship} has no room for {unit}", ship=ship, unit=unit), "PW-AMP-02")
    if c.type == "armour" and (g.counter(ship).type != "AA" or not _armour_beach(g, place)):
        raise illegal(msg("{unit} cannot embark here", unit=unit), "PW-AMP-01")


def _armour_beach(g: State, place: int) -> bool:
    return g.board.hex(place).land in ("clear", "atoll") or bool(g.board.hex(place).routes)


def _check_landing(g: State, unit: str, place: int, contact: bool) -> None:
    """[PW-AMP-01] A unit may go ashore. Raises Rejected."""
    u, side = g.units[unit], g.side(unit)
    if contact:
        raise illegal(msg("nobody lands in a contact phase"), "PW-AMP-01")
    if not u.aboard or place != u.at:
        raise illegal(msg("{unit} is not aboard a ship in {place}", unit=unit, place=g.board.name(place)), "PW-AMP-01")
    if not g.board.coast(place):
        raise illegal(msg("{place} is no coast", place=g.board.name(place)), "PW-AMP-01")
    if g.afloat(FOE[side], place) and g.units[u.aboard].tf in g.moved:
        raise illegal(msg("{ship} has moved, and enemy ships are in the hex", ship=u.aboard), "PW-AMP-01")
    if g.in_penalty(side) and g.ashore(FOE[side], place):  # [PW-AMP-05] it would have to attack
        raise illegal(msg("nobody lands among enemies in penalty time: {place}", place=g.board.name(place)), "PW-TIM-04")
    if g.counter(unit).type == "armour" and not _armour_beach(g, place):
        raise illegal(msg("{unit} cannot land here", unit=unit), "PW-AMP-01")
    check_stack(g, unit, place)


def carry_out(g: State, verb: str, unit: str, what: Any, contact: bool) -> Flow[None]:
    """The order happens. Entry arrows of combats that are over go first: nobody is to run into one of them [PW-MOV-03]."""
    clear_entries(g)
    emit(g, MoveSpent(unit, ALLOWANCE, "PW-MOV-02"))
    if verb == LEAVE:
        before = contested(g)
        march_off(g, unit, what)
        surrenders(g)  # [PW-NAT-03] the eightieth step may have gone
        yield from fall(g, before)
        return
    if verb == "embark":
        board(g, unit, what, "PW-AMP-01")
        return
    if verb == "debark":
        if not (yield from _can_land(g, unit, what)):
            return
        board(g, unit, "", "PW-AMP-01")
        emit(g, Landed(unit, False, "PW-AMP-05"))
        yield from occupy(g, g.side(unit), what)
        return
    for step in what:
        if not (yield from _open_to(g, unit, step, contact)):
            return
        yield from march_in(g, unit, step, "PW-MOV-02")
        if g.units[unit].box != "map" or g.ashore(FOE[g.side(unit)], step):
            return


def _open_to(g: State, unit: str, place: int, contact: bool) -> Flow[bool]:
    """[PW-MOV-08] Hidden troops close a hex in a contact phase; hidden friends must leave room."""
    if contact and (yield from stated_behind(g, FOE[g.side(unit)], place, GROUND, "PW-MOV-08")):
        emit(g, Remarked(msg("Enemy troops in {place} stop: {unit}", place=hex_term(g, place), unit=unit), "PW-MOV-08"))
        return False
    return (yield from has_room(g, unit, place))


def _can_land(g: State, unit: str, place: int) -> Flow[bool]:
    """[PW-AMP-01] Hidden enemy ships keep those who have moved from landing troops; hidden friends must leave room."""
    moved = g.units[g.units[unit].aboard].tf in g.moved
    if moved and (yield from stated_behind(g, FOE[g.side(unit)], place, NAVAL, "PW-AMP-01")):
        kept = msg("Enemy ships in {place} prevent a landing: {unit}", place=hex_term(g, place), unit=unit)
        emit(g, Remarked(kept, "PW-AMP-01"))
        return False
    return (yield from has_room(g, unit, place))


def has_room(g: State, unit: str, place: int, *others: str) -> Flow[bool]:
    """[PW-MOV-05] [PW-NAT-04] The owner of a Force says whether a unit, with `others` that come along, may stack with it;
    without one, it was judged."""
    side = g.side(unit)
    if not has_force(g, side, place):
        return True

    def truth(reveal: Reveal) -> Plain:
        seen = whole(g, side, reveal)
        steps = sum(seen.steps(u) for u in (unit, *others))
        return stack_room(seen, side, place) >= steps and not closed_to(seen, unit, place)

    stated = yield Claim(side, "room", room_for(g, unit, place), "PW-MOV-05", truth)
    if stated is not True:
        emit(g, Remarked(no_room(g, unit, place), "PW-MOV-05"))
    return stated is True


def no_room(g: State, unit: str, place: int) -> Message:
    """A hex is full."""
    return msg("No room in {place} for: {unit}", place=hex_term(g, place), unit=unit)


def march_in(g: State, unit: str, place: int, rule: str) -> Flow[None]:
    """A unit passes into a neighbour; what is in it is seen [PW-SRC-02]; among enemies an arrow notes where it came from."""
    side, start = g.side(unit), g.units[unit].at
    emit(g, Moved(unit, place, rule))
    interned(g, [unit])
    if g.units[unit].box != "map":
        return
    yield from unveil_hex(g, FOE[side], place, "PW-SRC-02")
    arrow = f"{side} {start:04d} {place:04d}"
    if g.ashore(FOE[side], place) and arrow not in g.entries:
        emit(g, EntryMarked(side, start, place))
    yield from occupy(g, side, place)


def clear_entries(g: State) -> None:
    """[PW-MOV-03] Entry arrows go when only one side is left in the hex."""
    kept = [e for e in g.entries if _contested(g, int(e.split()[2]))]
    if kept != g.entries:
        emit(g, EntriesCleared(tuple(kept)))


def _contested(g: State, place: int) -> bool:
    return bool(g.ashore("japan", place)) and bool(g.ashore("allies", place))


def land_options(g: State, side: str, contact: bool, one_hex: bool) -> list[Plain]:
    """Done, and for a few units: a step to each neighbour, each ship, a landing, the way off the map."""
    found: list[Plain] = [DONE]
    movers = [u for u in g.on_map(side, "ground") if may_move(g, u)]
    for unit in movers[:6]:
        u = g.units[unit]
        ideas: list[Plain] = [{"debark": {unit: u.at}}] if u.aboard else [{"move": {unit: [n]}} for n in g.board.marches(u.at)]
        if not u.aboard:
            ideas += [{"embark": {unit: s}} for s in g.ships(side, u.at)]
            ideas.append({LEAVE: unit})
        found += accepted(lambda plain: read_land(g, side, plain, contact, one_hex), ideas)
    return found
