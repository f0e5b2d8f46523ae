"""[PW-RPL] [PW-DSP-01] Replacement steps, eliminated units that are rebuilt, divisions that break down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.games.pacific_war.air.exchange import OUT_OF_PLAY, exchange, spares
from pbem.games.pacific_war.choices import proposals
from pbem.games.pacific_war.events import Listed, Mended, Moved, Remarked
from pbem.games.pacific_war.land.movement import check_stack
from pbem.games.pacific_war.month.forms import refits
from pbem.games.pacific_war.month.hubs import air_bridge, air_hubs, hubs
from pbem.games.pacific_war.orders import example, misread, read_place, read_unit, read_units
from pbem.games.pacific_war.secret.forces import concealing, whole
from pbem.games.pacific_war.secret.orders import REPLACEMENTS, Row, read_children, read_rows, read_steps, split_becoming
from pbem.games.pacific_war.secret.phases import check_sealed, give_in_secret, orders_or_secret, row_ideas, run, trial
from pbem.games.pacific_war.secret.pools import level_of_pool, pool_for, uses_in_secret
from pbem.games.pacific_war.state import FOE, SIDES, State
from pbem.games.pacific_war.tallies import PoolsChanged
from pbem.games.pacific_war.terms import side_term
from pbem.games.pacific_war.units.changes import arrive, board, rally_unit, settle
from pbem.games.pacific_war.units.dispersal import break_down, dispersal_options, read_dispersal, recombine
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow, Reveal
from pbem.kernel.forms import Form, Read
from pbem.kernel.naming import read_number
from pbem.kernel.orders import Rejected, illegal, split_order, unreadable
from pbem.kernel.questions import DONE
from pbem.kernel.wording import msg, quoted, recorded_as

HUB_STEPS, ELSEWHERE_STEPS, REBUILT_TQ = 3, 1, 4  # [PW-RPL-02] [PW-RPL-03]
AIR_STEPS, NEW_AIR_STEPS = 5, 6  # [PW-RPL-04]
VERBS = ("replace", "rebuild", "break_down", "recombine")


class Month(Struct):
    """What a side has done in this Replacement Phase: steps given to each unit, untrained ones, steps before."""

    side: str
    given: dict[str, int] = field(default_factory=dict)
    untrained: dict[str, int] = field(default_factory=dict)
    before: dict[str, int] = field(default_factory=dict)
    dispersed: dict[str, str] = field(default_factory=dict)  # division -> what it does: break down, or recombine
    refused: list[Plain] = field(default_factory=list)  # open orders that do not hold, as their owner has stated
    known: bool = True  # nothing was used in secret, or the pools are read by their owner


class Steps(Struct, frozen=True):
    """Steps from a pool for a unit; a rebuilt one comes to a hex or a ship."""

    unit: str
    number: int
    pool: str
    place: int = 0
    ship: str = ""


def replacements(g: State, becoming: bool = True) -> Flow[None]:
    """[PW-RPL-02] [PW-RPL-03] [PW-RPL-04] [PW-DSP-01] Each side in turn, one order after the other. Whether steps that lower a
    level can be given in secret (`becoming`) is a matter of the rules version."""
    for side in SIDES:
        month = Month(side, known=not uses_in_secret(g, side))

        def read(plain: Plain, month: Month = month) -> tuple[Plain, Any] | None:
            if plain in month.refused:
                raise illegal(msg("this cannot be done"), "PW-RPL-01")
            order = read_order(g, month, plain)
            return None if order is None else (plain, order)

        def options(month: Month = month) -> Sequence[Plain]:
            return proposals(lambda plain: read(plain, month), _ideas(g, month.side))

        def act(given: tuple[Plain, Any], month: Month = month) -> Flow[None]:
            order = yield from _in_truth(g, month, *given)
            if order is None:
                month.refused.append(given[0])
            else:
                yield from _carry_out(g, month, order)

        def in_secret(month: Month = month) -> Flow[None]:
            yield from _replace_in_secret(g, month, becoming)

        def form(verbs: Sequence[str], read: Read, side: str = side) -> Form:
            return refits(g, side, verbs, lambda: _short(g, side), lambda: _lost(g, side), AIR_STEPS, read)

        prompt = msg("replacement steps, divisions that break down, or done")
        hidden = concealing(g) and (g.forces.get(side) or any(g.pools.get(side, {}).values()))
        yield from orders_or_secret(
            side, "replacements", "PW-RPL-01", prompt, VERBS, read, options, act, in_secret if hidden else None, form
        )


def _in_truth(g: State, month: Month, plain: Plain, order: Any) -> Flow[Any]:
    """[PW-FOG-01] An open order as it stands with everything that its owner hides, as he states it; None if it does not."""
    side = month.side
    if month.known and not any(h in g.forces.get(side, ()) for h in _places(g, order)):
        return order

    def truth(reveal: Reveal) -> Plain:
        try:
            found = read_order(whole(g, side, reveal), replace(month, known=True), plain)
        except Rejected:
            return {}
        return {"pool": found.pool, "steps": found.number} if isinstance(found, Steps) else {"pool": "", "steps": 0}

    unit = order.unit if isinstance(order, Steps) else order[1]
    about = recorded_as(unit, msg("the pool from which steps come: {unit}", unit=unit))
    stated = yield Claim(side, "pool", about, "PW-RPL-01", truth)
    return _sound(g, side, order, stated)


def _places(g: State, order: Any) -> list[int]:
    """Hexes whose room an order needs."""
    return [order.place or g.units[order.unit].at] if isinstance(order, Steps) else []


def _sound(g: State, side: str, order: Any, stated: object) -> Any:
    """Only steps that the pools can have; the audit catches the rest of a lie."""
    if isinstance(stated, dict) and set(stated) == {"pool", "steps"}:
        if not isinstance(order, Steps):
            return order
        pool, n = stated["pool"], stated["steps"]
        if isinstance(n, int) and 0 < n <= order.number and g.pools.get(side, {}).get(str(pool), 0) >= n:
            return replace(order, pool=str(pool), number=n)
    emit(g, Remarked(msg("{power}: what was ordered cannot be done", power=side_term(side)), "PW-RPL-01"))
    return None


def read_order(g: State, month: Month, plain: Plain) -> Any:
    """An order of the phase, or done (None). Raises Rejected."""
    verb, body = split_order(plain, (*VERBS, DONE))
    if verb == DONE:
        return None
    if not isinstance(body, dict) or len(body) != 1:
        raise misread(verb, body, "replace: {unit: steps}", "rebuild: {unit: hex}", "break_down: {division: [units]}")
    who, what = next(iter(body.items()))
    unit = read_unit(g, who, month.side)
    if g.side(unit) != month.side or (unit not in g.units and verb != "rebuild"):
        raise illegal(msg("{unit} is not yours, or not in play", unit=unit), "PW-RPL-01")
    if verb == "rebuild":
        return _check_rebuild(g, month.side, unit, what)
    if verb == "replace":
        return _check_replace(g, month, unit, what)
    if month.dispersed.get(unit, verb) != verb:
        raise illegal(msg("{unit} does not both break down and recombine in one month", unit=unit), "PW-DSP-01")
    return verb, unit, read_dispersal(g, month.side, verb, unit, what)


# -- in secret ---------------------------------------------------------------------------------------------------------


def _replace_in_secret(g: State, month: Month, becoming: bool) -> Flow[None]:
    """`orders: [...]` for sealed units and new ones: rebuilt with their steps named, divisions with their hex, units whose
    level falls with the counter that they become."""
    side = month.side

    def judge(seen: State, plain: Plain) -> None:
        tried, said = trial(seen), copy(month)
        said.known, said.given, said.before = True, {**month.given}, {**month.before}
        said.untrained, said.dispersed = {**month.untrained}, {**month.dispersed}
        for verb, who, what in read_rows(plain):
            if verb not in VERBS:
                raise illegal(msg("this order does not belong to this phase: {order}", order=verb), "PW-RPL-01")
            rest, other = split_becoming(tried, side, what) if becoming and verb == "replace" else (what, "")
            _try_row(g, tried, said, (verb, read_unit(g, who, side), rest), other)

    def ideas(seen: State) -> Iterable[Plain]:
        return row_ideas(lambda plain: judge(seen, plain), _secret_rows(g, seen, side))

    facts = {"month": g.month, "pools": {**g.pools.get(side, {})}}
    prompt = msg("replacement steps and divisions that break down, in secret")
    yield from give_in_secret(g, side, REPLACEMENTS, "PW-RPL-01", prompt, judge, read_rows, ideas, facts)


def _try_row(g: State, tried: State, month: Month, row: Row, other: str) -> None:
    """Carries out a row of a secret order on a trial. `other`: the counter that the unit becomes. Raises Rejected."""
    verb, unit, what = row
    named: list[str] = [unit]
    if verb == "break_down":
        children, place = read_children(g, month.side, what)
        if unit not in tried.units or tried.units[unit].at != place or tried.units[unit].demoralized:
            raise illegal(msg("{unit} does not break down in {place}", unit=unit, place=g.board.name(place)), "PW-DSP-01")
        what, named = [*children], [*named, *children]
    elif verb == "recombine":
        named += read_units(g, what, month.side)
    elif verb == "rebuild" and not (isinstance(what, dict) and "steps" in what):
        raise illegal(
            msg("in secret the steps of a rebuilt unit are named"),
            "PW-RPL-03",
            example("rebuild: {unit: {at: 1630, steps: 2}}"),
        )
    order = read_order(tried, month, {verb: {unit: what}})
    check_sealed(g, [*named, *([order.ship] if isinstance(order, Steps) and order.ship else ())])
    falls = isinstance(order, Steps) and _waters_down(tried, month, order)
    if other and not falls:
        raise illegal(msg("{unit} keeps its level", unit=unit), "PW-RPL-04")
    if falls and not other:
        raise illegal(
            msg("{unit} falls to level 0", unit=unit), "PW-RPL-04", example("replace: {unit: {steps: 2, as: counter}}")
        )
    run(_carry_out(tried, month, order, other))


def _secret_rows(g: State, seen: State, side: str) -> Iterator[Plain]:
    """Rows that could be legal: the ideas for open orders, as far as they are for sealed units."""
    for row in _ideas(seen, side):
        assert isinstance(row, dict)
        verb, body = next(iter(row.items()))
        assert isinstance(body, dict)
        unit, what = next(iter(body.items()))
        if unit in g.units and g.units[unit].box == "map":
            continue
        if verb == "rebuild":
            yield {verb: {unit: what if isinstance(what, dict) else {"at": what, "steps": 1}}}
        elif verb == "break_down":
            yield {verb: {unit: {"units": what, "at": seen.units[unit].at}}}
        else:
            yield row
            for other in spares(seen, unit, 0)[:1]:
                yield {verb: {unit: {"steps": seen.units[unit].hits, "as": other}}}


def _ideas(g: State, side: str) -> Iterator[Plain]:
    """Everything that could be legal, one kind after the other."""
    for unit in _short(g, side):
        yield {"replace": {unit: 1}}
    for unit, bases in _lost(g, side).items():
        flies = g.counter(unit).kind == "air"
        for base in bases:
            if flies and base.isdecimal() and g.airfield(side, int(base)) is None:
                continue
            yield {"rebuild": {unit: int(base) if base.isdecimal() else {"at": base, "steps": 1}}}
    yield from dispersal_options(g, side)


def _short(g: State, side: str) -> list[str]:
    """Units that lack steps, while there are any for them."""
    full = not any(g.pools.get(side, {}).values())
    return [] if full else [u for u in g.on_map(side, "air", "ground") if g.units[u].hits]


def _lost(g: State, side: str) -> dict[str, list[str]]:
    """Units for which a pool has steps, with the hexes and carriers to which they could come back."""
    if not any(g.pools.get(side, {}).values()):
        return {}
    lost = [u for u, x in g.units.items() if x.box in OUT_OF_PLAY and g.side(u) == side]
    lost += [c.id for c in g.board.counters.values() if c.side == side and c.kind == "air" and c.id not in g.units]
    of_air = [(place, [s for s in g.ships(side, place) if g.is_carrier(s)]) for place in air_hubs(g, side)]
    of_ground: list[tuple[int, list[str]]] = [(place, []) for place in hubs(g, side)]
    found: dict[str, list[str]] = {}
    for unit in [u for u in lost if pool_for(g, side, u, new=True)]:
        bases, c = found.setdefault(unit, []), g.counter(unit)
        for place, ships in of_air if c.kind == "air" else of_ground:
            bases += [f"{place:04d}", *(ships if c.carrier else ())]
    return found


def _carry_out(g: State, month: Month, order: Any, other: str = "") -> Flow[None]:
    """`other`: the counter that a unit becomes whose level falls; "": its owner is asked."""
    if not isinstance(order, Steps):
        verb, unit, children = order
        month.dispersed[unit] = verb
        (break_down if verb == "break_down" else recombine)(g, unit, children)
        return
    unit, n = order.unit, order.number
    if unit not in g.units:
        emit(g, Listed(unit, "PW-RPL-04"))
    month.before.setdefault(unit, g.steps(unit))
    emit(g, PoolsChanged(month.side, {order.pool: -n}, "PW-RPL-01"))
    emit(g, Mended(unit, n, "PW-RPL-02"))
    if order.place:
        for turn in (arrive, rally_unit, settle):
            turn(g, unit, "PW-RPL-03")
        emit(g, Moved(unit, order.place, "PW-RPL-03"))
        board(g, unit, order.ship, "PW-RPL-04")
    month.given[unit] = month.given.get(unit, 0) + n
    if _waters_down(g, month, order):
        yield from exchange(g, unit, 0, "PW-RPL-04", other)
    elif level_of_pool(g, month.side, order.pool) == 0:
        month.untrained[unit] = month.untrained.get(unit, 0) + n


def _waters_down(g: State, month: Month, order: Steps) -> bool:
    """[PW-RPL-04] A unit of level 1 that takes more untrained steps than half its size before falls to level 0."""
    c = g.counter(order.unit)
    if c.kind != "air" or c.level != 1 or order.place or level_of_pool(g, month.side, order.pool) != 0:
        return False
    raw = month.untrained.get(order.unit, 0) + order.number
    return 2 * raw > month.before.get(order.unit, g.steps(order.unit))


# -- orders ----------------------------------------------------------------------------------------------------------


def _check_replace(g: State, month: Month, unit: str, what: Plain) -> Steps:
    side, u, c = month.side, g.units[unit], g.counter(unit)
    n, level = read_steps(what)
    if u.box != "map" or c.kind not in ("air", "ground") or n > u.hits:
        raise illegal(msg("{unit} does not need so many steps: {n}", unit=unit, n=n), "PW-RPL-02")
    if u.demoralized or (c.kind == "ground" and g.ashore(FOE[side], u.at)):
        raise illegal(msg("{unit} is demoralized or among enemies", unit=unit), "PW-RPL-02")
    if u.at not in linked_hexes(g, side):
        raise illegal(msg("{unit} is isolated", unit=unit), "PW-ISO-01")
    hub = u.at in (hubs(g, side) if c.kind == "ground" else air_hubs(g, side))
    most = (HUB_STEPS if c.kind == "ground" else AIR_STEPS) if hub else ELSEWHERE_STEPS
    if month.given.get(unit, 0) + n > most:
        raise illegal(
            msg("steps that {unit} takes here at most: {most}", unit=unit, most=most),
            "PW-RPL-02" if c.kind == "ground" else "PW-RPL-04",
        )
    if c.kind == "air" and not hub and not air_bridge(g, side, unit):
        raise illegal(msg("no air bridge reaches {unit}", unit=unit), "PW-RPL-08")
    _check_room(g, side, unit, u.at, u.aboard, n)
    pool = pool_for(g, side, unit, wanted=level, known=month.known)
    if not pool or g.pools[side][pool] < n:
        raise illegal(msg("so many steps are not there for {unit}: {n}", unit=unit, n=n), "PW-RPL-01")
    order = Steps(unit, n, pool)
    if _waters_down(g, month, order) and not spares(g, unit, 0):
        raise illegal(msg("no counter of level 0 can take the place of {unit}", unit=unit), "PW-RPL-04")
    return order


def _check_room(g: State, side: str, unit: str, place: int, ship: str, n: int) -> None:
    """[PW-MOV-05] [PW-UNT-07] The hex or the carrier holds the steps. Raises Rejected."""
    if g.counter(unit).kind == "ground":
        if not ship:
            check_stack(g, unit, place, n)
    elif ship and g.is_carrier(ship) and sum(g.steps(u) for u in g.air_aboard(ship)) + n > g.launch(ship):
        raise illegal(msg("{ship} has no room for so many steps: {n}", ship=ship, n=n), "PW-UNT-07")


def _check_rebuild(g: State, side: str, unit: str, what: Plain) -> Steps:
    """`rebuild: {unit: hex}` or `{unit: {at: hex or carrier, steps: 2}}`. Raises Rejected."""
    c, box = g.counter(unit), g.units[unit].box if unit in g.units else "reserve"
    given = what if isinstance(what, dict) else {"at": what}
    if not {"at"} <= set(given) <= {"at", "steps"}:
        raise unreadable(msg("{given} is no place", given=quoted(what)), example("rebuild: {unit: {at: 1630, steps: 2}}"))
    lost = box == "eliminated" and c.kind == "ground" and c.tq <= REBUILT_TQ
    if not lost and not (box in OUT_OF_PLAY and c.kind == "air"):
        raise illegal(msg("{unit} cannot be rebuilt", unit=unit), "PW-RPL-03")
    place, ship = _where(g, side, unit, given["at"])
    most = min(c.steps, HUB_STEPS if c.kind == "ground" else NEW_AIR_STEPS)
    pool = pool_for(g, side, unit, new=True)
    n = min(most, g.pools[side][pool] if pool else 0)
    if "steps" in given:
        wanted = read_number(given["steps"], 1, most, "PW-RPL-03" if c.kind == "ground" else "PW-RPL-04")
        n = wanted if wanted <= n else 0
    if not n:
        raise illegal(msg("there are no steps for {unit}", unit=unit), "PW-RPL-01")
    _check_room(g, side, unit, place, ship, n)
    return Steps(unit, n, pool, place, ship)


def _is_ship_alone(g: State, text: Plain) -> bool:
    """The name of a unit, and of nothing on the map."""
    return isinstance(text, str) and text in g.units and not g.board.place_index.knows(text)


def _where(g: State, side: str, unit: str, text: Plain) -> tuple[int, str]:
    """Hub and, for carrier-capable aircraft, the carrier in it. Raises Rejected."""
    c, ship = g.counter(unit), ""
    try:
        place = 0 if _is_ship_alone(g, text) else read_place(g, text)
    except Rejected:
        place = 0
    if not place:
        ship = read_unit(g, text, side)
        place = g.units[ship].at if ship in g.units and g.units[ship].box == "map" else 0
    if place not in (hubs(g, side) if c.kind == "ground" else air_hubs(g, side)):
        raise illegal(
            msg("{unit} cannot be rebuilt in {place}", unit=unit, place=g.board.name(place)),
            "PW-RPL-03" if c.kind == "ground" else "PW-RPL-04",
        )
    if ship and not (g.side(ship) == side and g.is_carrier(ship) and c.type == "1E" and c.carrier):
        raise illegal(msg("{unit} is not based on {ship}", unit=unit, ship=ship), "PW-BAS-01")
    if c.kind == "air" and not ship and g.airfield(side, place) is None:
        raise illegal(msg("{place} has no airfield", place=g.board.name(place)), "PW-RPL-04")
    return place, ship
