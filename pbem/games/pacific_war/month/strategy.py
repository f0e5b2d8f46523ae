"""[PW-STB-01] [PW-NRP-05] [PW-AIR-22] [PW-RPL-06] Monthly orders of the strategic game.

Strategic bombers, bought transports, Kamikazes, instructors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, field

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.choices import distribute, proposals
from pbem.games.pacific_war.command.activation import read_hq
from pbem.games.pacific_war.events import Listed, Mended, Moved
from pbem.games.pacific_war.month.forms import Means, strategic_forms
from pbem.games.pacific_war.month.hubs import air_hubs
from pbem.games.pacific_war.month.merchants import BOMBER_RANGE
from pbem.games.pacific_war.month.upkeep import ports_of
from pbem.games.pacific_war.orders import misread, read_place, read_unit
from pbem.games.pacific_war.postures import StepsCounted
from pbem.games.pacific_war.secret.fleets import offer_show
from pbem.games.pacific_war.secret.points import afford, pay
from pbem.games.pacific_war.secret.pools import pools_left, uses_in_secret
from pbem.games.pacific_war.state import ALLIES, JAPAN, SIDES, STRATEGIC, State
from pbem.games.pacific_war.strategic import BomberPointsSet, BombersBased
from pbem.games.pacific_war.tallies import PoolsChanged
from pbem.games.pacific_war.units.changes import arrive, set_merchants
from pbem.games.pacific_war.world.initiative import lead_of, recount
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.games.pacific_war.world.resources import home_hexes
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow
from pbem.kernel.forms import Form, Read
from pbem.kernel.naming import read_number
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.questions import DONE, orders_until_done
from pbem.kernel.wording import msg, recorded_as

GROUPS = {"20th": 15, "21st": 9}  # [PW-STB-01] May and November 1944
BOMBER_POINTS = "bomber points"  # [PW-STB-01] that the schedule gives to neither group
AA_STEP, MOST_AA_STEPS = 3, 3  # [PW-NRP-05] points a step, Allied steps a month
LEAST_LEVEL = 2  # [PW-AIR-22] of the Allied initiative
VERBS = ("bombers", "transports", "kamikaze", "instruct")


def assign_bombers(g: State, side: str, points: int) -> Flow[None]:
    """[PW-STB-01] New points go to one group or the other, for good."""
    room = dict.fromkeys(GROUPS, points)
    given = yield from distribute(g, side, "groups", "PW-STB-01", msg("bomber points for the groups"), room, points)
    for group, n in given.items():
        emit(g, BomberPointsSet(group, g.ledger.get(f"{group} points", 0) + n, "PW-STB-01"))


class Month(Struct):
    """What a side has ordered this month: transport steps, Kamikaze steps, groups of bombers that it withdrew."""

    side: str
    bought: int = 0
    built: int = 0
    withdrawn: list[str] = field(default_factory=list)
    broke: list[str] = field(default_factory=list)  # headquarters that cannot pay, as their owner has stated
    empty: list[str] = field(default_factory=list)  # pools without a step, as their owner has stated


def strategic_orders(g: State) -> Flow[None]:
    """[PW-STB-02] [PW-NRP-05] [PW-AIR-22] [PW-RPL-06] What a side may order once a month beside the other phases."""
    for side in SIDES:
        if any(u.box == "sealed" and u.hits and g.side(n) == side and g.counter(n).type == "AA" for n, u in g.units.items()):
            yield from offer_show(g, side, "PW-NRP-05")
        month = Month(side)

        def read(plain: Plain, month: Month = month) -> tuple[str, ...] | None:
            return _read_order(g, month, plain)

        def options(side: str = side) -> Sequence[Plain]:
            return proposals(read, _ideas(g, side))

        def act(order: tuple[str, ...], month: Month = month) -> Flow[None]:
            if order[0] == "transports" and not (yield from afford(g, month.side, order[2], AA_STEP, "PW-NRP-05")):
                month.broke.append(order[2])
                return
            if order[0] == "instruct" and not (yield from _still_there(g, month, order[1])):
                return
            month.bought += order[0] == "transports"
            month.built += int(order[3]) if order[0] == "kamikaze" else 0
            month.withdrawn += [order[1]] if order[0] == "bombers" and order[2] == "0" else []
            _carry_out(g, month.side, order)

        prompt = msg("bombers, transports, kamikazes, instructors, or done")
        form = partial(_form, g, side, read)
        yield from orders_until_done(side, "strategy", "PW-STB-02", prompt, VERBS, read, options, act, form)


def _form(g: State, side: str, read: Read) -> Form:
    hurt = [u for u in g.on_map(side, "naval") if g.counter(u).type == "AA" and g.units[u].hits]
    fields = [h for h, b in g.airfields.items() if b.side == side]
    means = Means(
        [x for x in GROUPS if side == ALLIES and g.level == STRATEGIC and g.month <= GROUPS[x]],
        fields,
        [u for u in hurt if g.units[u].at in ports_of(g, side)],
        [n for n, h in g.hqs.items() if h.side == side and h.points >= AA_STEP],
        _waiting(g) if side == JAPAN and lead_of(g, ALLIES) >= LEAST_LEVEL else [],
    )
    return strategic_forms(g, side, (*VERBS, DONE), means, read)


def _read_order(g: State, month: Month, plain: Plain) -> tuple[str, ...] | None:
    verb, body = split_order(plain, (*VERBS, DONE))
    if verb == DONE:
        return None
    if verb == "instruct":
        return _read_instruct(g, month)
    if not isinstance(body, dict):
        raise misread(verb, body, "bombers: {20th: 2533}", "transports: {unit: AA1, hq: South Seas}")
    if verb == "bombers":
        return _read_bombers(g, month, body)
    if verb == "transports":
        return _read_transports(g, month, body)
    return _read_kamikaze(g, month.side, body, month.built)


def _ideas(g: State, side: str) -> Iterator[Any]:
    """Everything that could be legal, one kind after the other."""
    if side == JAPAN:
        fields = [h for h, b in g.airfields.items() if b.side == JAPAN and lead_of(g, ALLIES) >= LEAST_LEVEL]
        yield from ({"kamikaze": {"unit": u, "at": h, "steps": n}} for u in _waiting(g) for n in (6, 3, 1) for h in fields)
        yield "instruct"
    hqs = [n for n, h in g.hqs.items() if h.side == side and h.points >= AA_STEP]
    hurt = [u for u in g.on_map(side, "naval") if g.counter(u).type == "AA" and g.units[u].hits]
    yield from ({"transports": {"unit": u, "hq": n}} for u in hurt for n in hqs)
    groups = [x for x in GROUPS if side == ALLIES and g.level == STRATEGIC and g.month <= GROUPS[x]]
    yield from ({"bombers": {x: h}} for x in groups for h in (*(h for h, b in g.airfields.items() if b.side == ALLIES), 0))


def _read_bombers(g: State, month: Month, body: dict[str, Plain]) -> tuple[str, ...]:
    """[PW-STB-01] [PW-STB-02] A group deploys on a large linked airfield near Japan, or withdraws (hex 0)."""
    if len(body) != 1:
        raise misread("bombers", body, "bombers: {20th: 2533}")
    group, where = next(iter(body.items()))
    if month.side != ALLIES or group not in GROUPS or g.month > GROUPS[group] or g.level != STRATEGIC:
        raise illegal(msg("the {group} group is not there", group=group), "PW-STB-01")
    if where == 0:
        if not g.ledger.get(f"{group} at"):
            raise illegal(msg("the {group} group is not deployed", group=group), "PW-STB-02")
        return "bombers", group, "0"
    place = read_place(g, where)
    base = g.airfield(ALLIES, place)
    near = any(distance(place, h) <= BOMBER_RANGE for h in home_hexes(g))
    if base is None or base.size < 18 or base.interdicted or place not in linked_hexes(g, ALLIES) or not near:
        raise illegal(msg("{place} is no base for strategic bombers", place=g.board.name(place)), "PW-STB-02")
    if g.ledger.get(f"{group} at") or group in month.withdrawn:
        raise illegal(msg("the {group} group must withdraw a month before", group=group), "PW-STB-02")
    return "bombers", group, str(place)


def _read_transports(g: State, month: Month, body: dict[str, Plain]) -> tuple[str, ...]:
    """[PW-NRP-05] Transport steps for three points; Japan also pays a merchant shipping point."""
    side = month.side
    unit, hq = read_unit(g, body.get("unit"), side), read_hq(g, side, body.get("hq"))
    u = g.units[unit]
    if g.side(unit) != side or g.counter(unit).type != "AA" or not u.hits or u.at not in ports_of(g, side):
        raise illegal(msg("{unit} takes no steps here", unit=unit), "PW-NRP-05")
    if hq in month.broke or g.hqs[hq].points < AA_STEP or (side == ALLIES and month.bought >= MOST_AA_STEPS):
        raise illegal(msg("no further transport steps can be bought"), "PW-NRP-05")
    if side == JAPAN and g.level == STRATEGIC and not g.ledger.get("merchants"):
        raise illegal(msg("no merchant shipping is left"), "PW-NRP-05")
    return "transports", unit, hq


def _waiting(g: State) -> list[str]:
    counters = [c.id for c in g.board.counters.values() if c.kamikaze]
    return [u for u in counters if u not in g.units or g.units[u].box in ("due", "eliminated")]


def _read_kamikaze(g: State, side: str, body: dict[str, Plain], built: int) -> tuple[str, ...]:
    """[PW-AIR-22] Three steps a month for each level of the Allied initiative, from level 2 on."""
    unit, place = read_unit(g, body.get("unit"), side), read_place(g, body.get("at"))
    base = g.airfield(JAPAN, place)
    allowed = side == JAPAN and lead_of(g, ALLIES) >= LEAST_LEVEL and unit in _waiting(g)
    if not allowed or base is None or place not in air_hubs(g, JAPAN) or place not in linked_hexes(g, JAPAN):
        raise illegal(msg("no kamikazes can be raised in {place}", place=g.board.name(place)), "PW-AIR-22")
    steps = read_number(body.get("steps", 6), 1, 6, "PW-AIR-22")
    if built + steps > 3 * lead_of(g, ALLIES):
        raise illegal(msg("at most {most} steps a month", most=3 * lead_of(g, ALLIES)), "PW-AIR-22")
    return "kamikaze", unit, str(place), str(steps)


def _read_instruct(g: State, month: Month) -> tuple[str, ...]:
    """[PW-RPL-06] One step of level 2 for two of level 0 and one of level 1."""
    side = month.side
    old = [k for k, n in g.pools.get(side, {}).items() if n and k not in month.empty and _is_old(g, k)]
    if side != JAPAN or g.level != STRATEGIC or not old:
        raise illegal(msg("there is no step of level 2 to give up"), "PW-RPL-06")
    return "instruct", old[0]


def _is_old(g: State, pool: str) -> bool:
    return pool.startswith("air from") and int(pool.split()[2]) - g.month >= 25


def _still_there(g: State, month: Month, pool: str) -> Flow[bool]:
    """[PW-FOG-01] Only the owner can say whether he has used up the steps of a pool in secret."""
    side = month.side
    if not uses_in_secret(g, side):
        return True
    about = recorded_as(pool, msg("steps are left in the pool: {pool}", pool=pool))
    stated = yield Claim(side, "steps", about, "PW-RPL-06", lambda reveal: pools_left(g, side, reveal).get(pool, 0) > 0)
    if stated is not True:
        month.empty.append(pool)
    return stated is True


def _carry_out(g: State, side: str, order: tuple[str, ...]) -> None:
    if order[0] == "bombers":
        emit(g, BombersBased(order[1], int(order[2])))
    elif order[0] == "transports":
        pay(g, order[2], AA_STEP, "PW-NRP-05")
        emit(g, Mended(order[1], 1, "PW-NRP-05"))
        recount(g, order[1], -1)
        if side == JAPAN and g.level == STRATEGIC:
            set_merchants(g, g.ledger["merchants"] - 1, "PW-NRP-05")
    elif order[0] == "kamikaze":
        unit = order[1]
        if unit not in g.units:
            emit(g, Listed(unit, "PW-AIR-22"))
        arrive(g, unit, "PW-AIR-22")
        emit(g, Moved(unit, int(order[2]), "PW-AIR-22"))
        emit(g, StepsCounted(unit, g.counter(unit).steps - int(order[3]), "PW-AIR-22"))
    else:
        emit(g, PoolsChanged(side, {order[1]: -1, "air 0": 2, "air 1": 1}, "PW-RPL-06"))
