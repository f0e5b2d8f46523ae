"""[PW-LND-03] to [PW-LND-10] After a ground combat: retreats, pursuit, step losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.pacific_war.choices import distribute
from pbem.games.pacific_war.engagements import SiegesOver
from pbem.games.pacific_war.events import Moved, Removed
from pbem.games.pacific_war.land.movement import battalions, cost, room_aboard, stack_room
from pbem.games.pacific_war.land.occupation import fall, occupy
from pbem.games.pacific_war.land.quality import passes
from pbem.games.pacific_war.movements import EntryMarked, WaysClosed
from pbem.games.pacific_war.secret.fleets import unveil_hex
from pbem.games.pacific_war.secret.forces import whole
from pbem.games.pacific_war.secret.meeting import GROUND, around, has_force, hexes_with
from pbem.games.pacific_war.state import ALLIES, FOE, SIDES, State
from pbem.games.pacific_war.terms import hex_term
from pbem.games.pacific_war.units.changes import board, deactivate, demoralize, settle
from pbem.games.pacific_war.units.damage import hit_steps, interdict
from pbem.games.pacific_war.world.nations import interned
from pbem.games.pacific_war.world.weather import closes
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow, Reveal
from pbem.kernel.questions import choose_place, yes_or_no
from pbem.kernel.wording import msg, recorded_as

Losses = dict[str, int]
AFTER = recorded_as("after the result", msg("after the combat"))


def half_up(n: int) -> int:
    """Half, rounded up."""
    return -(-n // 2)


def resolve(
    g: State,
    place: int,
    attacker: str,
    leaders: Mapping[str, str],
    halved: Mapping[str, bool],
    losses: Losses,
    must_retreat: str,
) -> Flow[None]:
    """What follows the result of a combat."""
    yield from _ask_around(g, place)
    if must_retreat and not fortified(g, must_retreat, place):
        yield from _mandatory(g, place, must_retreat, leaders, dict(halved), dict(losses))
        return
    for side in (g.operator, g.reactor):
        ways = retreat_hexes(g, side, place)
        if not ways or must_retreat or fortified(g, side, place):
            continue
        yes = yield from yes_or_no(
            side,
            "retreat",
            "PW-LND-03",
            msg("retreat from {place}, steps lost: {n}", place=g.board.name(place), n=losses[side]),
            reaction=True,
        )
        if yes:
            yield from _by_choice(g, place, side, leaders, halved, losses)
            return
    yield from _suffer(g, place, leaders, losses)


def _by_choice(
    g: State, place: int, side: str, leaders: Mapping[str, str], halved: Mapping[str, bool], losses: Losses
) -> Flow[None]:
    """[PW-LND-03] Who chooses to retreat tests its quality too: passed, half the losses; failed, all of them, demoralized."""
    leader = leaders[side]
    if g.units[leader].demoralized:
        loss = losses[side] + 1
    elif (yield from passes(g, leader, AFTER, "PW-LND-04", half=halved[side])):
        loss = half_up(losses[side])
    else:
        loss = losses[side]
        for u in g.ashore(side, place):
            demoralize(g, u, "PW-LND-04")
    yield from _withdraw(g, place, side, leaders, halved, {**losses, side: loss})


def fortified(g: State, side: str, place: int) -> bool:
    """[PW-BAS-05] A fortification keeps its garrison, unless the enemy came into the hex by land."""
    by_land = any(e.startswith(FOE[side]) and e.endswith(f" {place:04d}") for e in g.entries)
    return bool(g.fort(side, place)) and not by_land


def retreat_hexes(g: State, side: str, place: int) -> list[int]:
    """[PW-LND-05] Neighbours to which all ground units of a side in a hex may retreat; a besieged side has none."""
    if g.sieges.get(place) == FOE[side]:
        return []
    units = g.ashore(side, place)
    steps = sum(g.steps(u) for u in units)
    found = []
    for n in g.board.near(place):
        arrow = f"{FOE[side]} {n:04d} {place:04d}"
        if f"{side} {n:04d}" in g.barred:
            continue
        open_to_all = all(cost(g, u, place, n) is not None for u in units)
        if open_to_all and not g.ashore(FOE[side], n) and stack_room(g, side, n) >= steps and arrow not in g.entries:
            found.append(n)
    return found


def _ask_around(g: State, place: int) -> Flow[None]:
    """[PW-LND-05] Where hidden troops bar a retreat, or hidden friends leave no room: their owners say it of the neighbours."""
    barred: list[str] = []
    near = list(g.board.marches(place))
    for side in SIDES:
        about = around(g, "retreat", place)
        shut = yield from hexes_with(g, FOE[side], near, GROUND, about, "PW-LND-05")
        full = yield from _full_hexes(g, side, place, near)
        barred += [f"{side} {n:04d}" for n in (*shut, *full)]
    if barred != g.barred:
        emit(g, WaysClosed(tuple(barred), "PW-LND-05"))


def _full_hexes(g: State, side: str, place: int, near: Sequence[int]) -> Flow[list[int]]:
    marked = [n for n in near if has_force(g, side, n)]
    if not marked:
        return []
    steps = sum(g.steps(u) for u in g.ashore(side, place))

    def truth(reveal: Reveal) -> Plain:
        seen = whole(g, side, reveal)
        return [n for n in marked if stack_room(seen, side, n) < steps]

    about = recorded_as(f"{place:04d}", msg("hexes around {place} that hidden units fill", place=hex_term(g, place)))
    stated = yield Claim(side, "full", about, "PW-MOV-05", truth)
    return [n for n in marked if isinstance(stated, list | tuple) and n in stated]


def transports(g: State, side: str, place: int, units: Sequence[str]) -> dict[str, str]:
    """[PW-AMP-06] Ships that take landed units aboard again: unit -> ship; empty if not all find room."""
    room = {s: room_aboard(g, s) for s in g.ships(side, place)}
    found = {}
    for u in units:
        need = battalions(g, u)
        ship = next((s for s, n in room.items() if n >= need), None)
        if ship is None:
            return {}
        room[ship] -= need
        found[u] = ship
    return found


def _mandatory(
    g: State, place: int, side: str, leaders: Mapping[str, str], halved: dict[str, bool], losses: Losses
) -> Flow[None]:
    """[PW-LND-04] The side named must retreat, unless its quality holds."""
    base = g.airfield(side, place)
    if base is not None and not base.interdicted:
        interdict(g, "airfield", place, "PW-BAS-02")
    leader = leaders[side]
    assault = halved[side]
    if g.units[leader].demoralized:
        losses[side] += 1
    else:
        good = yield from passes(g, leader, AFTER, "PW-LND-04", half=assault)
        if good:
            yield from _held(g, place, side, leaders, halved, losses, assault)
            return
        for u in g.ashore(side, place):
            demoralize(g, u, "PW-LND-04")
    if assault:
        losses[side] *= 2  # [PW-AMP-06]
        seaborne = [u for u in g.ashore(side, place) if not g.units[u].dropped]
        if transports(g, side, place, seaborne):
            yield from _reembark(g, place, side, leaders, losses)
            losses = dict.fromkeys(losses, 0)
            if not g.ashore(side, place):  # [PW-AIR-20] what was dropped does not go aboard
                return
    if retreat_hexes(g, side, place):
        yield from _withdraw(g, place, side, leaders, halved, losses)
    else:
        yield from _cornered(g, place, side, leaders, losses)


def _held(
    g: State,
    place: int,
    side: str,
    leaders: Mapping[str, str],
    halved: Mapping[str, bool],
    losses: Losses,
    assault: bool,
) -> Flow[None]:
    """[PW-LND-04] The test is passed: retreat with half the losses, or stay with all."""
    ways = [] if assault else retreat_hexes(g, side, place)
    if ways:
        yes = yield from yes_or_no(
            side, "retreat", "PW-LND-04", msg("retreat from {place}", place=g.board.name(place)), reaction=True
        )
        if yes:
            final = {**losses, side: half_up(losses[side])}
            yield from _withdraw(g, place, side, leaders, halved, final)
            return
    yield from _suffer(g, place, leaders, losses)


def _reembark(g: State, place: int, side: str, leaders: Mapping[str, str], losses: Losses) -> Flow[None]:
    """[PW-AMP-06] Those who landed go aboard again; the other side, which does not pursue, loses half [PW-LND-07]."""
    foe = FOE[side]
    yield from _lose(g, side, place, leaders[side], losses[side])
    left = [u for u in g.ashore(side, place) if not g.units[u].dropped]
    yield from _lose(g, foe, place, leaders[foe], half_up(losses[foe]) if left else losses[foe])
    for u, ship in transports(g, side, place, left).items():
        board(g, u, ship, "PW-AMP-06")
        deactivate(g, u, "PW-AMP-06")
        settle(g, u, "PW-AMP-06")
    yield from fall(g, [place])


def _cornered(g: State, place: int, side: str, leaders: Mapping[str, str], losses: Losses) -> Flow[None]:
    """[PW-LND-06] No hex to retreat to."""
    foe = FOE[side]
    mine, theirs = (sum(g.steps(u) for u in g.ashore(s, place)) for s in (side, foe))
    if side == ALLIES:
        for u in g.ashore(side, place):
            emit(g, Removed(u, "surrendered", "PW-LND-06"))
        yield from _occupy(g, foe, place)
    elif theirs <= mine:
        yield from _suffer(g, place, leaders, losses)
    else:
        for u in g.ashore(side, place):
            emit(g, Removed(u, "eliminated", "PW-LND-06"))
        yield from _lose(g, foe, place, leaders[foe], half_up(mine))
        yield from _occupy(g, foe, place)


def _occupy(g: State, side: str, place: int) -> Flow[None]:
    if g.ashore(side, place):
        yield from occupy(g, side, place)


def _withdraw(
    g: State,
    place: int,
    side: str,
    leaders: Mapping[str, str],
    halved: Mapping[str, bool],
    losses: Losses,
) -> Flow[None]:
    """One hex back, deactivated; the other side may pursue [PW-LND-07]; then the losses."""
    goal = yield from choose_place(
        g.board.place_index,
        side,
        "to",
        "PW-LND-03",
        msg("the hex of the retreat"),
        retreat_hexes(g, side, place),
        reaction=True,
    )
    retreating = g.ashore(side, place)
    for u in retreating:
        emit(g, Moved(u, goal, "PW-LND-03"))
        settle(g, u, "PW-LND-03")
        deactivate(g, u, "PW-LND-04")
    interned(g, retreating)
    yield from _occupy(g, side, goal)
    if g.sieges.get(place) == side:
        emit(g, SiegesOver((place,)))
    foe = FOE[side]
    yield from _lose_from(g, side, retreating, leaders[side], losses[side])
    survivors = [u for u in retreating if g.units[u].box == "map"]
    if not survivors:
        yield from _lose(g, foe, place, leaders[foe], losses[foe])
        yield from _occupy(g, foe, place)
        return
    yield from _pursuit(g, place, foe, goal, leaders[foe], losses[foe], halved[foe])


def _pursuit(g: State, place: int, side: str, goal: int, leader: str, loss: int, assault: bool) -> Flow[None]:
    units = [u for u in g.ashore(side, place) if g.units[u].active]
    legal = [] if closes(g, goal) else [u for u in units if cost(g, u, place, goal) is not None]
    wants = False
    if legal and not assault:
        wants = yield from yes_or_no(
            side, "pursue", "PW-LND-07", msg("pursue into {place}", place=g.board.name(goal)), reaction=True
        )
    if not wants:
        yield from _lose(g, side, place, leader, half_up(loss))
        yield from _occupy(g, side, place)
        return
    tester = leader if leader in legal else legal[0]
    good = yield from passes(g, tester, msg("pursuit"), "PW-LND-07")
    yield from _lose(g, side, place, leader, loss)
    yield from _occupy(g, side, place)
    for u in [u for u in legal if g.units[u].box == "map"]:
        if good:
            emit(g, Moved(u, goal, "PW-LND-07"))
            arrow = f"{side} {place:04d} {goal:04d}"
            if arrow not in g.entries:
                emit(g, EntryMarked(side, place, goal))
            yield from unveil_hex(g, FOE[side], goal, "PW-SRC-02")
        else:
            deactivate(g, u, "PW-LND-07")


def _suffer(g: State, place: int, leaders: Mapping[str, str], losses: Losses) -> Flow[None]:
    """Both sides lose what the chart says and stay."""
    for side in (g.operator, g.reactor):
        yield from _lose(g, side, place, leaders[side], losses[side])
    yield from fall(g, [place])


def _lose(g: State, side: str, place: int, leader: str, loss: int) -> Flow[None]:
    yield from _lose_from(g, side, g.ashore(side, place), leader, loss)


def _lose_from(g: State, side: str, units: Sequence[str], leader: str, loss: int) -> Flow[None]:
    """[PW-LND-10] The unit whose quality counted loses first."""
    loss = min(loss, sum(g.steps(u) for u in units if g.units[u].box == "map"))
    if loss <= 0 or leader not in units:
        return
    others = [u for u in units if u != leader and g.units[u].box == "map"]
    first, rest = leader_losses(g.steps(leader), [g.steps(u) for u in others], loss)
    hit_steps(g, leader, first, "PW-LND-10")
    spare = 1 if g.units[leader].box == "map" else 0
    room = {u: g.steps(u) - spare for u in others}
    shares = yield from distribute(g, side, "losses", "PW-LND-10", msg("steps lost"), room, rest, reaction=True)
    for u, n in shares.items():
        hit_steps(g, u, n, "PW-LND-10")


def leader_losses(leader: int, others: Sequence[int], loss: int) -> tuple[int, int]:
    """[PW-LND-10] Steps that the unit whose quality counted loses, and the rest for the others."""
    first = min(loss, max(1, leader - 1))
    rest = loss - first
    if first < leader and rest > sum(n - 1 for n in others):
        first, rest = first + 1, rest - 1
    return first, rest
