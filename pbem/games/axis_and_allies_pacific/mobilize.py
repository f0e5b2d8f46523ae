"""[MOB] Phase 5: new units go on the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from pbem.games.axis_and_allies_pacific.capacity import CAPACITY, Used, makers_for, room_for, usable_complex
from pbem.games.axis_and_allies_pacific.counting import Placements
from pbem.games.axis_and_allies_pacific.events.economy import FacilityBuilt, Refunded, UnitPlaced
from pbem.games.axis_and_allies_pacific.events.turns import PhaseBegan
from pbem.games.axis_and_allies_pacific.landing import board_waiting, crash
from pbem.games.axis_and_allies_pacific.orders import Group, read_units_in, split_order
from pbem.games.axis_and_allies_pacific.pledges import check_end_of_placing, check_placing, waiting_for_carriers
from pbem.games.axis_and_allies_pacific.purchase import FACILITIES, UPGRADE, price
from pbem.games.axis_and_allies_pacific.state import AIR, SEA, State, Unit
from pbem.games.axis_and_allies_pacific.terms import OWNERS, some
from pbem.games.axis_and_allies_pacific.terms import place as place_of
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import Rejected, illegal, unreadable
from pbem.kernel.proposals import Found
from pbem.kernel.questions import DONE, accepted
from pbem.kernel.wording import msg

Placement = tuple[str, str, int]  # type, space, number


def mobilize(g: State, power: str) -> Flow[None]:
    """[MOB-01] Place what was bought; what is left over is refunded."""
    emit(g, PhaseBegan(power, "mobilize"))
    used: dict[tuple[str, ...], int] = {}
    while any(g.purchased.get(power, {}).values()):
        order = yield _ask(g, power, dict(used))
        if order == DONE:
            break
        for kind, space, count in order:
            place(g, power, kind, space, count, used)
    crash(g, power)
    rest = sum(n * price(g, kind) for kind, n in g.purchased.get(power, {}).items())
    if rest:
        emit(g, Refunded(power, rest))


def place(g: State, power: str, kind: str, space: str, count: int, used: dict[tuple[str, ...], int]) -> None:
    """Put units or a facility on the map and count them against the complexes that can make them."""
    if kind in FACILITIES:
        emit(g, FacilityBuilt(power, space, kind, "E-03" if kind == UPGRADE else "MOB-06"))
        return
    makers = source(g, power, kind, space, count, used)
    for _ in range(count):
        deck = room_on_carrier(g, power, space) if kind in AIR and space in g.board.zones else None
        emit(g, UnitPlaced(g.next_id, kind, power, space, deck.id if deck else None, 1, "MOB-03"))
    if makers:
        used[makers] = used.get(makers, 0) + count
    if kind == "aircraft-carrier":
        board_waiting(g, power, space)  # [NCM-06]


def _ask(g: State, power: str, used: Used) -> Ask:
    waiting = tuple(some(k, n) for k, n in g.purchased[power].items() if n)
    found = Found(options(g, power, used))
    return Ask(
        power,
        "mobilize",
        "MOB-01",
        msg("{power}: place {things}", power=OWNERS[power], things=waiting),
        lambda plain: read(g, power, plain, used),
        ("place", DONE),
        forced=DONE if next(iter(found), None) == DONE else None,
        options=lambda: [*found],
        form=lambda: Placements(g, g.purchased[power], _spaces(g, power), lambda plain: read(g, power, plain, used)),
        series=True,
    )


def read(g: State, power: str, plain: Plain, used: Used) -> list[Placement] | str:
    """[MOB] Placements that fit the limits. Raises Rejected."""
    verb, body = split_order(plain, ("place", DONE))
    if verb == DONE:
        check_end_of_placing(g, power, used)
        return DONE
    return judge(g, power, *read_units_in(g.board, body, "in"), used)


def judge(g: State, power: str, groups: Sequence[Group], space: str, used: Used) -> list[Placement]:
    """[MOB] What is left to judge of placements in one space when their words have been read. Raises Rejected."""
    taken = dict(used)
    placed = [_read_group(g, power, group, space, taken) for group in groups]
    check_placing(g, power, placed, used, taken)
    return placed


def _read_group(g: State, power: str, group: Group, space: str, taken: dict[tuple[str, ...], int]) -> Placement:
    have = g.purchased.get(power, {}).get(group.type, 0)
    if group.mark:
        raise unreadable(msg("new units are not {mark}", mark=group.mark))
    if group.count > have:
        raise illegal(
            msg("{power} has to place: {have}, not {want}", power=OWNERS[power], have=some(group.type, have), want=group.count),
            "PUR-05",
        )
    if group.type in FACILITIES:
        check_facility(g, power, group, space)
        return group.type, space, group.count
    makers = source(g, power, group.type, space, group.count, taken)
    if makers:
        taken[makers] = taken.get(makers, 0) + group.count
    if group.type in AIR and space in g.board.zones:
        free = sum(2 - len(g.cargo(c)) for c in carriers(g, power, space))
        if free < group.count:
            raise illegal(msg("room on own carriers in {place}: {n}", place=place_of(g, space), n=free), "MOB-05")
    return group.type, space, group.count


def source(g: State, power: str, kind: str, space: str, count: int, used: Used) -> tuple[str, ...]:
    """[MOB-02] The complexes that together make these units there; none for China. Raises Rejected."""
    if power == "china":
        _check_china(g, space)
        return ()
    makers = makers_for(g, power, kind, space)
    if not makers:
        raise illegal(
            msg(
                "no complex that {power} has held since its turn began makes for {place}: {things}",
                power=OWNERS[power],
                place=place_of(g, space),
                things=some(kind),
            ),
            _rule(kind),
        )
    able = room_for(g, makers, used)
    if able < count:
        where = tuple(place_of(g, t) for t in makers)
        raise illegal(msg("{place} can still make this turn: {n}, not {want}", place=where, n=able, want=count), "MOB-02")
    return makers


def _rule(kind: str) -> str:
    return "MOB-04" if kind in SEA else "MOB-05" if kind in ("fighter", "tactical-bomber") else "MOB-03"


def _check_china(g: State, space: str) -> None:
    """[CHN-09] Any Chinese territory that China controls, captured this turn or not."""
    here = g.board.territories.get(space)
    if here is None or not here.chinese or g.control[space] != "china":
        raise illegal(msg("China does not control {place}", place=place_of(g, space)), "CHN-09")


def check_facility(g: State, power: str, group: Group, space: str) -> None:
    """[MOB-06] [AMB-BASE-BUILD] One of each kind, on land held since before the turn; complexes not on islands."""
    territory = g.board.territories.get(space)
    if territory is None or g.start.control.get(space) != power or g.control[space] != power:
        raise illegal(
            msg("{power} has not held {place} since before this turn", power=OWNERS[power], place=place_of(g, space)), "MOB-06"
        )
    _check_place(g, group, space)
    if group.type in ("air-base", "naval-base"):
        return
    needed = 2 if group.type == "minor-ic" else 3
    if territory.ipc < needed or (territory.island and not territory.ic_allowed):
        where = place_of(g, space)
        if territory.island:
            raise illegal(msg("{place} is an island", place=where), "MOB-06")
        raise illegal(msg("{place} has value {value}, not {needed}", place=where, value=territory.ipc, needed=needed), "MOB-06")


def _check_place(g: State, group: Group, space: str) -> None:
    """[MOB-06] [E-03] One base of a kind, one complex of any size; only a minor complex is enlarged."""
    where = place_of(g, space)
    if group.type == UPGRADE and g.facility(space, "minor-ic") is None:
        raise illegal(msg("there is no minor complex in {place} to be enlarged", place=where), "E-03")
    if group.type in CAPACITY and g.facility(space, *CAPACITY) is not None:
        reason = msg("there is a complex in {place} already: one of any size in a territory", place=where)
        raise illegal(reason, "MOB-06", msg("a minor complex is enlarged: {things}", things=some(UPGRADE)))
    if group.count != 1 or g.facility(space, group.type) is not None:
        raise illegal(msg("only one in a territory: {things}", things=some(group.type)), "MOB-06")


def carriers(g: State, power: str, zone: str) -> list[Unit]:
    """[MOB-05] [E-04] Own undamaged carriers in a zone."""
    return [u for u in g.at(zone) if u.type == "aircraft-carrier" and u.owner == power and not u.damaged]


def room_on_carrier(g: State, power: str, zone: str) -> Unit | None:
    """The first own carrier there with room."""
    return next((c for c in carriers(g, power, zone) if len(g.cargo(c)) < 2), None)


def options(g: State, power: str, used: Used) -> Iterator[Plain]:
    """Every single unit in every space where it may go, then done; that anything can be placed is known from the first."""
    spaces, built = _spaces(g, power), _spaces_of_makers(g, power)
    promised, room = bool(waiting_for_carriers(g, power)), cache(lambda makers: room_for(g, makers, used))
    for kind in [kind for kind, count in g.purchased.get(power, {}).items() if count]:
        made = kind not in FACILITIES and power != "china"
        for space in built if made else spaces:
            makers = makers_for(g, power, kind, space) if made else ()
            if made and not (makers and room(makers)):
                continue
            known = made and not promised and not (kind in AIR and space in g.board.zones)  # nothing else could be refused
            if known or _fits(g, power, kind, space, used):
                yield {"place": {"units": {kind: 1}, "in": space}}
    yield from accepted(lambda order: read(g, power, order, used), [DONE])


def _fits(g: State, power: str, kind: str, space: str, used: Used) -> bool:
    try:
        judge(g, power, (Group(kind, 1),), space, used)
    except Rejected:
        return False
    return True


def _spaces(g: State, power: str) -> list[str]:
    """Own territories, and the sea zones beside those with a complex."""
    own = [t for t, holder in g.control.items() if holder == power]
    coasts = {z: None for t in own if g.facility(t, *CAPACITY) for z in g.board.coast(t)}
    return [*own, *coasts]


def _spaces_of_makers(g: State, power: str) -> list[str]:
    """[MOB-01] Those of them in which, or beside which, a complex works."""
    makers = [t for t in g.facilities if usable_complex(g, power, t)]
    near = {space for t in makers for space in (t, *g.board.coast(t))}
    return [space for space in _spaces(g, power) if space in near]
