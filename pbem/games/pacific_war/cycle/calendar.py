"""[PW-TIM] Days, months, the end of operation time, penalty time and reaction time."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.games.pacific_war.clock import DayCame, FalseEndPassed, LengthShown, NextClaimSet, PenaltyBegan, ReactionTimed
from pbem.games.pacific_war.command.activation import MULTIPLE, china, sealed_length, unit_cost
from pbem.games.pacific_war.cycle.common_phase import rest
from pbem.games.pacific_war.events import Removed
from pbem.games.pacific_war.postures import Reopened
from pbem.games.pacific_war.records import Operation, Secret
from pbem.games.pacific_war.secret.fleets import aircraft_near, unveil_side
from pbem.games.pacific_war.secret.forces import concealing, dissolve_unseen, rest_hidden, stirring, unveil_force, whole
from pbem.games.pacific_war.secret.meeting import NAVAL, anywhere, hexes_with
from pbem.games.pacific_war.secret.points import pay, payer
from pbem.games.pacific_war.state import FOE, SIDES, State
from pbem.games.pacific_war.tallies import Stranded
from pbem.games.pacific_war.units.damage import drop_empty_markers
from pbem.games.pacific_war.veils import OrderedInSecret
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow
from pbem.kernel.questions import choose_unit, yes_or_no
from pbem.kernel.wording import msg, recorded_as

SPACES = 31  # 0 to 30
WEEK = 7
STRANDED_MONTHS = 3


def next_claim(g: State, side: str) -> None:
    """[PW-BID-05] A side may begin the next operation without a bid, or nobody may."""
    if g.claims_next != side:
        emit(g, NextClaimSet(side))


def advance(g: State, days: int) -> bool:
    """[PW-TIM-01] The day marker moves; True when the month ends."""
    ends = g.day + days >= SPACES
    emit(g, DayCame((g.day + days) % SPACES, days))
    return ends


def after_days(g: State) -> Flow[None]:
    """What the day marker has reached or passed; the end of the month comes after it [PW-AMB-28]."""
    yield from operation_time(g)
    yield from reaction_time(g)


def operation_time(g: State) -> Flow[None]:
    """[PW-TIM-02] [PW-TIM-03] At the true end marker, and every week from then on, the operation costs penalty time."""
    yield from end_markers(g)
    o = g.operation
    while o is not None and o.days and o.elapsed >= (o.penalty + WEEK if o.penalty else o.days):
        emit(g, PenaltyBegan(o.penalty + WEEK if o.penalty else o.days))
        yield from pay_for(g, g.operator, "PW-TIM-03")


def end_markers(g: State) -> Flow[None]:
    """[PW-TIM-02] A sealed length: the owner says of each end marker that is passed whether it is the true one."""
    o = g.operation
    while o is not None and not o.days:
        due = next(d for d in MULTIPLE if d > o.passed)
        if o.elapsed < due:
            return
        true = due == o.longest
        if not true:
            true = yield _end_claim(g, o, due)
        if true:
            settle_length(g, due)
        else:
            emit(g, FalseEndPassed(due))


def _end_claim(g: State, o: Operation, due: int) -> Claim:
    about = recorded_as(f"after {due} days", msg("the operation ends now, after {n} days", n=due))
    return Claim(g.operator, "end marker", about, "PW-TIM-02", lambda reveal: sealed_length(o, reveal) == due)


def show_length(g: State) -> Flow[None]:
    """[PW-RUL-42] An operation that is over: its length is stated, what was held back for a longer one comes back."""
    o = g.operation
    if o is None or o.days:
        return
    about = recorded_as(f"of {o.longest}", msg("length of the operation, at most {n} days", n=o.longest))
    said = yield Claim(g.operator, "length", about, "PW-TIM-02", lambda reveal: sealed_length(o, reveal))
    settle_length(g, said if isinstance(said, int) and said in MULTIPLE and said <= o.longest else o.longest)


def settle_length(g: State, days: int) -> None:
    """The length is known; the points held back for more come back."""
    o = g.operation
    assert o is not None
    emit(g, LengthShown(days))
    for hq, week in o.held.items():
        pay(g, hq, -week * (MULTIPLE[o.longest] - MULTIPLE[days]), "PW-TIM-02")


def still_active(g: State, side: str) -> list[str]:
    """Activated units of a side; submarines do not count, nor aircraft aboard activated ships."""
    found = []
    for u in g.on_map(side, "air", "naval", "ground"):
        if g.units[u].active and not (g.counter(u).kind == "air" and g.units[u].aboard):
            found.append(u)
    return found


def sealed_active(g: State, side: str) -> list[str]:
    """Activated units of a side behind seals, without the aircraft aboard."""
    sealed = [u for u, x in g.units.items() if x.box == "sealed" and x.active and g.side(u) == side]
    return [u for u in sealed if g.counter(u).kind != "air"]


def in_operation(g: State, side: str) -> bool:
    """A side has activated units, a sealed task force, or something activated behind Force markers."""
    sealed = any(m.side == side and m.handle for m in g.markers.values()) or stirring(g, side)
    return bool(still_active(g, side)) or sealed


def settle_seals(g: State, side: str) -> Flow[None]:
    """[PW-SEQ-05] [PW-OPT-04] Where nobody activated is in sight, the owner says whether anybody is behind his seals: decoys
    alone, or a Force in which nobody stirs any more, keep no operation going."""
    doubtful = stirring(g, side) or g.options.get("decoys") == "yes"
    if g.operation is None or not doubtful or still_active(g, side) or not in_operation(g, side):
        return
    about = recorded_as("behind seals", msg("somebody activated is out of sight"))
    stated = yield Claim(side, "active", about, "PW-SEQ-05", lambda reveal: bool(still_active(whole(g, side, reveal), side)))
    if stated is not False:
        return
    for marker in [m for m, x in g.markers.items() if x.side == side]:
        dissolve_unseen(g, marker, "PW-OPT-04")
    rest_hidden(g, side, "PW-SEQ-05")


def pay_for(g: State, side: str, rule: str) -> Flow[None]:
    """[PW-TIM-03] A side pays for all its activated units; what it cannot pay for is deactivated in the order of the rule.

    [PW-RUL-41] Sealed task forces are shown when it comes to their ships; what they cost together everybody knows.
    """
    if not concealing(g) and any(m.handle and china(g, m.at) for m in g.markers.values() if m.side == side):
        yield from unveil_side(g, side, rule)
    names = [n for n, h in g.hqs.items() if h.side == side and h.box == "map"]
    own = g.operation.hq if g.operation is not None and side == g.operator else ""
    while True:
        units = still_active(g, side)
        hidden = yield from _price_of_sealed(g, side, rule)
        price = sum(unit_cost(g, u) for u in units) + hidden
        if not units and not hidden:
            return
        name = yield from payer(g, side, [own] if own in names else names, price, rule, richest=True)
        if name:
            pay(g, name, price, rule)
            return
        if hidden and not any(g.counter(u).kind == "air" for u in units):
            yield from _show_all(g, side, rule)
            continue
        group = yield from _first_class(g, side, units, rule)
        most = max(group, key=lambda u: unit_cost(g, u))
        unit = yield from choose_unit(
            g.board.unit_index, side, "drop", rule, msg("which unit is deactivated"), group, default=most, reaction=True
        )
        yield from _drop(g, unit, rule)


def _price_of_sealed(g: State, side: str, rule: str) -> Flow[int]:
    """What the activated units behind seals cost: known to everybody, or stated where they were activated in secret."""
    if not concealing(g):
        return sum(unit_cost(g, u) for u in sealed_active(g, side))
    if not stirring(g, side) and not any(m.side == side and m.handle for m in g.markers.values()):
        return 0
    about = recorded_as("of sealed units", msg("command points that sealed units cost"))
    stated = yield Claim(side, "upkeep", about, rule, lambda reveal: _upkeep(whole(g, side, reveal), g, side))
    return max(0, stated) if isinstance(stated, int) else 0


def _upkeep(seen: State, g: State, side: str) -> int:
    """The cost of the activated units that only their owner sees."""
    return sum(unit_cost(seen, u) for u in still_active(seen, side) if u not in g.units or g.units[u].box == "sealed")


def _show_all(g: State, side: str, rule: str) -> Flow[None]:
    """Everything activated behind seals is shown."""
    yield from unveil_side(g, side, rule)
    for place in list(g.forces.get(side, ())) if stirring(g, side) else ():
        yield from unveil_force(g, side, place, rule)


class Enemies(Struct, frozen=True):
    """Hexes of a side's ships with enemy ships in them, and with enemy aircraft within two hexes: seen or stated."""

    ships: list[int]
    air: list[int]

    def catch(self, place: int) -> bool:
        """[PW-TIM-03] A ship at sea that is given up here is lost."""
        return place in self.ships or place in self.air


def _enemies(g: State, side: str, units: Sequence[str], rule: str) -> Flow[Enemies]:
    """[PW-TIM-03] Who is about where the ships among these units are; of hidden ones their owner says it."""
    foe = FOE[side]
    places = sorted({g.units[u].at for u in units if g.counter(u).kind == "naval"})
    ships = [h for h in places if g.afloat(foe, h)]
    ships += yield from hexes_with(g, foe, [h for h in places if h not in ships], NAVAL, anywhere("ships given up"), rule)
    air = []
    for h in places:
        if g.near_air(foe, h, 2) or (yield from aircraft_near(g, side, [h])):
            air.append(h)
    return Enemies(ships, air)


def _first_class(g: State, side: str, units: Sequence[str], rule: str) -> Flow[list[str]]:
    """[PW-TIM-03] Air, ground, ships in anchorages, ships at sea out of the enemy's reach, ships in his reach."""
    air = [u for u in units if g.counter(u).kind == "air"]
    ground = [u for u in units if g.counter(u).kind == "ground"]
    if air or ground:
        return air or ground
    enemies = yield from _enemies(g, side, units, rule)
    safe = [u for u in units if g.anchorage(g.units[u].at) and g.units[u].at not in enemies.ships]
    away = [u for u in units if not enemies.catch(g.units[u].at)]
    return safe or away or list(units)


def _drop(g: State, unit: str, rule: str) -> Flow[None]:
    u = g.units[unit]
    enemies = yield from _enemies(g, g.side(unit), [unit], rule)
    if g.counter(unit).kind != "naval" or (g.anchorage(u.at) and u.at not in enemies.ships):
        rest(g, unit, rule)
        drop_empty_markers(g)
        return
    caught = enemies.catch(u.at)
    riders = [*g.air_aboard(unit), *g.cargo(unit)]
    for name in [unit, *riders]:
        emit(g, Removed(name, "eliminated" if caught else "stranded", rule))
    if not caught:
        emit(g, Stranded((unit, *riders), g.month - STRANDED_MONTHS, rule))
    drop_empty_markers(g)


def reaction_time(g: State) -> Flow[None]:
    """[PW-TIM-05] The reaction player extends his time by a week, or stops."""
    o = g.operation
    while o is not None and o.reaction and o.elapsed >= o.reaction and in_operation(g, g.reactor):
        emit(g, ReactionTimed(o.reaction + WEEK))
        more = yield from yes_or_no(g.reactor, "extend", "PW-TIM-05", msg("pay for another week"), reaction=True)
        if more:
            yield from pay_for(g, g.reactor, "PW-TIM-05")
        else:
            yield from stand_down(g, g.reactor)


def stand_down(g: State, side: str) -> Flow[None]:
    """[PW-AMB-56] Everything of a side is deactivated by the penalty procedure."""
    yield from unveil_side(g, side, "PW-TIM-05")
    rest_hidden(g, side, "PW-TIM-05")
    for unit in still_active(g, side):
        if g.units[unit].box == "map" and g.units[unit].active:
            yield from _drop(g, unit, "PW-TIM-05")


def refresh(g: State) -> None:
    """[PW-ACT-02] A new month: units may be activated again."""
    for unit, u in g.units.items():
        if u.closed and not u.active:
            emit(g, Reopened(unit))
    for side in SIDES:
        if g.forces.get(side) or any(u.box == "sealed" and g.side(n) == side for n, u in g.units.items()):
            emit(g, OrderedInSecret(side, Secret("month"), "PW-ACT-02"))
