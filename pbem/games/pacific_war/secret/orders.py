"""[PW-FOG-01] What each kind of secret order makes of the sealed units of a side. Whether it was legal was stated before."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.pacific_war.orders import example, misread, read_place, read_unit, read_units
from pbem.games.pacific_war.records import Secret, Unit
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.naming import read_number
from pbem.kernel.orders import Rejected, split_order, unreadable
from pbem.kernel.questions import DONE
from pbem.kernel.wording import msg, quoted

Units = dict[str, Unit]


def apply_secret(g: State, side: str, secret: Secret, order: Plain, mine: Units) -> Units:
    """The sealed units that a secret order or fact changes, or brings into play. One that cannot be read changes nothing."""
    try:
        return KINDS[secret.kind](g, side, secret, order, mine)
    except Rejected:
        return {}


def _organize(g: State, side: str, secret: Secret, order: Plain, mine: Units) -> Units:
    """[PW-FOG-02] The task forces of a hex exchange ships; those that have been shown since are no longer concerned."""
    verb, body = split_order(order, ("organize", DONE))
    found: Units = {}
    for marker, part in body.items() if isinstance(body, dict) and verb != DONE else ():
        for key, names in part.items() if isinstance(part, dict) else ():
            for ship in read_units(g, names, side) if names else ():
                if ship in mine and mine[ship].tf in secret.facts["markers"]:
                    found[ship] = replace(mine[ship], tf=str(marker), screen=key == "screen")
    return found


def _activate(g: State, side: str, secret: Secret, order: Plain, mine: Units) -> Units:
    """[PW-ACT-02] Units turn, carriers with their aircraft; ships join the task forces, whose names follow their order."""
    _, body = split_order(order, ("activate",))
    assert isinstance(body, dict)
    named = read_units(g, body["units"], side)
    flown = [n for n, u in mine.items() if u.aboard in named and g.counter(n).kind == "air" and not u.closed]
    turned = {n: u for n, u in mine.items() if n in named or n in flown}
    for u in turned.values():
        u.active = True
    fleets = read_fleets(g, side, body)
    for marker, fleet in zip(secret.facts["markers"], fleets, strict=False):  # a lie may tell another number
        for ship in (*fleet.core, *fleet.screen):
            if ship in turned:
                turned[ship].tf, turned[ship].screen = marker, ship in fleet.screen
    return turned


class Fleet(Struct, frozen=True):
    """A task force of a secret activation; without ships it is a decoy [PW-OPT-04] in a port."""

    core: tuple[str, ...] = ()
    screen: tuple[str, ...] = ()
    decoy: int = 0


def read_fleets(g: State, side: str, body: dict[str, Plain]) -> list[Fleet]:
    """`fleets: [{core: [...], screen: [...]}, {decoy: 1630}]` of an activation. Raises Rejected."""
    rows = body.get("fleets", [])
    return [_read_fleet(g, side, row) for row in (rows if isinstance(rows, list) else [rows])]


def _read_fleet(g: State, side: str, row: Plain) -> Fleet:
    if isinstance(row, dict) and set(row) == {"decoy"}:
        return Fleet(decoy=read_place(g, row["decoy"]))
    if not isinstance(row, dict) or not row or not set(row) <= {"core", "screen"}:
        raise unreadable(
            msg("{given} is no task force", given=quoted(row)), example("{core: [...], screen: [...]}", "{decoy: 1630}")
        )
    core, screen = (tuple(read_units(g, row[k], side)) if row.get(k) else () for k in ("core", "screen"))
    return Fleet(core, screen)


def _dissolve(g: State, side: str, secret: Secret, order: Plain, mine: Units) -> Units:
    """[PW-ACT-13] The ships of a task force rest where it was, with what they carry."""
    ships = [n for n, u in mine.items() if u.tf == secret.facts["marker"]]
    for name in [n for n, u in mine.items() if n in ships or u.aboard in ships]:
        u = mine[name]
        u.at, u.tf, u.screen = secret.facts["place"], "", False
        _at_rest(u)
    return {s: mine[s] for s in ships}


def afloat_in_secret(units: Units, u: Unit) -> bool:
    """A sealed unit is in a task force, or aboard one of its ships."""
    return bool(u.tf or (u.aboard in units and units[u.aboard].tf))


def _rest(g: State, side: str, secret: Secret, order: Plain, mine: Units) -> Units:
    """[PW-ACT-13] Everything behind Force markers rests."""
    idle = {n: u for n, u in mine.items() if not afloat_in_secret(mine, u)}
    for u in idle.values():
        _at_rest(u)
    return idle


def _at_rest(u: Unit) -> None:
    u.closed = u.closed or u.active
    u.active = False


def _month(g: State, side: str, secret: Secret, order: Plain, mine: Units) -> Units:
    """[PW-ACT-02] A new month: what rests may be activated again."""
    for u in mine.values():
        u.closed = u.closed and u.active
    return mine


def _ship(g: State, side: str, secret: Secret, order: Plain, mine: Units) -> Units:
    """[PW-STR-01] Units are shipped to ports."""
    going = {name: goal for name, goal in read_shipments(g, side, order).items() if name in mine}
    return {name: replace(mine[name], at=goal, aboard="") for name, goal in going.items()}


def read_shipments(g: State, side: str, order: Plain) -> dict[str, int]:
    """`ship: {unit: port, ...}`, or done. Raises Rejected."""
    verb, body = split_order(order, ("ship", DONE))
    if verb == DONE:
        return {}
    if not isinstance(body, dict) or not body:
        raise misread("ship", body, "ship: {unit: port, ...}")
    return {read_unit(g, who, side): read_place(g, where) for who, where in body.items()}


def _arrive(g: State, side: str, secret: Secret, order: Plain, mine: Units) -> Units:
    """[PW-RNF-01] A reinforcement comes to a headquarters."""
    unit, place = secret.facts["unit"], read_arrival(g, order)
    return {unit: replace(mine[unit], at=place)} if unit in mine and place else {}


def read_arrival(g: State, order: Plain) -> int:
    """`arrive: 1630`, or done (0): where everybody presumes. Raises Rejected."""
    verb, body = split_order(order, ("arrive", DONE))
    return read_place(g, body) if verb != DONE else 0


# -- replacements and repairs ------------------------------------------------------------------------------------------

REPLACEMENTS, REPAIRS = "replacements", "repairs"
ROWS = ("replace", "rebuild", "break_down", "recombine", "repair")
Row = tuple[str, str, Plain]  # verb, unit, what is said of it


def read_rows(order: Plain) -> list[Row]:
    """`orders: [{replace: {unit: 2}}, {repair: ship}, ...]`, or done. Raises Rejected."""
    verb, body = split_order(order, ("orders", DONE))
    if verb == DONE:
        return []
    if not isinstance(body, list) or not body:
        raise misread("orders", body, "orders: [{replace: {unit: 2}}, {rebuild: {unit: {at: 1630, steps: 3}}}]")
    return [_read_row(row) for row in body]


def _read_row(row: Plain) -> Row:
    verb, body = split_order(row, ROWS)
    if verb == "repair":
        return verb, str(body), None
    if verb == "recombine" and isinstance(body, dict) and set(body) == {"from", "to", "steps"}:
        return "transfer", str(body["to"]), body
    if not isinstance(body, dict) or len(body) != 1:
        raise misread(verb, body, f"{verb}: {{unit: ...}}")
    return verb, *next(iter(body.items()))


def _rows(g: State, side: str, secret: Secret, order: Plain, mine: Units) -> Units:
    """[PW-RPL] [PW-DSP-01] [PW-NRP] One order after the other; those that have been shown since are no longer concerned."""
    found: Units = {}
    units = {n: replace(u) for n, u in mine.items()}
    for verb, who, what in read_rows(order):
        changed = ROW_KINDS[verb](g, side, read_unit(g, who, side), what, units)
        units.update(changed)
        found.update(changed)
    return found


def _replace(g: State, side: str, unit: str, what: Plain, units: Units) -> Units:
    """[PW-RPL-02] [PW-RPL-04] Steps for a unit, which becomes another counter if they lower its level."""
    rest, other = split_becoming(g, side, what)
    found = _mended(g, unit, read_steps(rest)[0], units)
    if other and unit in found:
        u, full = found[unit], g.counter(unit).steps
        found[other] = replace(u, hits=g.counter(other).steps - full + u.hits)
        found[unit] = Unit(box="reserve", hits=full)
    return found


def split_becoming(g: State, side: str, what: Plain) -> tuple[Plain, str]:
    """`{steps: 2, as: counter}` in a secret order: the steps, and the counter that the unit becomes, or "". Raises Rejected."""
    if not isinstance(what, dict) or "as" not in what:
        return what, ""
    return {k: v for k, v in what.items() if k != "as"}, read_unit(g, what["as"], side)


def read_steps(what: Plain) -> tuple[int, int | None]:
    """`3`, or `{steps: 3, level: 0}`. Raises Rejected."""
    if isinstance(what, dict):
        if not {"steps"} <= set(what) <= {"steps", "level"}:
            raise unreadable(
                msg("{given} is no number of steps", given=quoted(what)), example("replace: {unit: {steps: 2, level: 0}}")
            )
        level = read_number(what["level"], 0, 2, "PW-RPL-04") if "level" in what else None
        return read_number(what["steps"], 1, 6, "PW-RPL-02"), level
    return read_number(what, 1, 6, "PW-RPL-02"), None


def _mended(g: State, unit: str, hits: int, units: Units) -> Units:
    return {unit: replace(units[unit], hits=max(0, units[unit].hits - hits))} if unit in units else {}


def _rebuild(g: State, side: str, unit: str, what: Plain, units: Units) -> Units:
    """[PW-RPL-03] [PW-RPL-04] A unit enters play in a hex or aboard a ship, its steps stated."""
    if not isinstance(what, dict) or not {"at", "steps"} <= set(what):
        raise unreadable(
            msg("{given} does not say where and with how many steps", given=quoted(what)),
            example("rebuild: {unit: {at: 1630, steps: 2}}"),
        )
    hits = g.counter(unit).steps - read_number(what["steps"], 1, 6, "PW-RPL-03")
    try:
        return {unit: Unit(read_place(g, what["at"]), "sealed", hits)}
    except Rejected:
        ship = read_unit(g, what["at"], side)
        return {unit: Unit(units[ship].at, "sealed", hits, aboard=ship)} if ship in units else {}


def read_children(g: State, side: str, what: Plain) -> tuple[list[str], int]:
    """`{units: [...], at: 1630}` of a division that breaks down in secret. Raises Rejected."""
    if not isinstance(what, dict) or set(what) != {"units", "at"}:
        raise unreadable(
            msg("{given} does not say who and where", given=quoted(what)),
            example("break_down: {division: {units: [...], at: 1630}}"),
        )
    return read_units(g, what["units"], side), read_place(g, what["at"])


def _break_down(g: State, side: str, unit: str, what: Plain, units: Units) -> Units:
    """[PW-DSP-01] The parts stand where the division is."""
    children, place = read_children(g, side, what)
    found = {child: Unit(place, "sealed") for child in children}
    if unit in units:
        hits = units[unit].hits + sum(g.counter(child).steps for child in children)
        found[unit] = replace(units[unit], hits=hits) if hits < g.counter(unit).steps else Unit(box="removed", hits=hits)
    return found


def _take_in(g: State, side: str, unit: str, what: Plain, units: Units) -> Units:
    """[PW-DSP-01] The parts leave play, their steps are the division's again."""
    children = [child for child in read_units(g, what, side) if child in units]
    steps = sum(g.counter(child).steps - units[child].hits for child in children)
    gone = {child: Unit(box="reserve", hits=g.counter(child).steps) for child in children}
    return {**gone, **_mended(g, unit, steps, units)}


def _repair(g: State, side: str, unit: str, what: Plain, units: Units) -> Units:
    """[PW-NRP-01] A hit comes off a ship."""
    return _mended(g, unit, 1, units)


def _transfer(g: State, side: str, unit: str, what: Plain, units: Units) -> Units:
    """[PW-NRP-04] Steps pass from one ship to another."""
    assert isinstance(what, dict)
    giver, n = read_unit(g, what["from"], side), read_number(what["steps"], 1, 6, "PW-NRP-04")
    found = _mended(g, unit, n, units)
    if giver in units:
        hits = units[giver].hits + n
        left = hits < g.counter(giver).capacity
        found[giver] = replace(units[giver], hits=hits) if left else Unit(box="eliminated", hits=hits)
    return found


RowKind = Callable[[State, str, str, Plain, Units], Units]
ROW_KINDS: dict[str, RowKind] = {
    "replace": _replace,
    "rebuild": _rebuild,
    "break_down": _break_down,
    "recombine": _take_in,
    "repair": _repair,
    "transfer": _transfer,
}


# -- moves ------------------------------------------------------------------------------------------------------------

MARCH, FLY = "march", "fly"
WHETHER = {MARCH: "march_hidden", FLY: "fly_hidden"}  # the open question before the sealed one
EMBARK, DEBARK = "embark", "debark"
LAND = (MARCH, EMBARK, DEBARK)


def _march(g: State, side: str, secret: Secret, order: Plain, mine: Units) -> Units:
    """[PW-MOV-08] [PW-AMP-01] Ground units march, go aboard and come ashore; those that have been shown since do not."""
    found: Units = {}
    for verb, name, what in read_land_rows(g, side, order):
        u = found.get(name, mine.get(name))
        if u is not None and verb == MARCH:
            found[name] = replace(u, at=read_place(g, _listed(what)[-1]), shore=0)
        elif u is not None:
            found[name] = replace(u, aboard=read_unit(g, what, side) if verb == EMBARK else "")
            found[name].at = read_place(g, what) if verb == DEBARK else u.at
    return found


def read_land_rows(g: State, side: str, order: Plain) -> list[tuple[str, str, Plain]]:
    """`march: {unit: [hexes]}`, `embark: {unit: ship}`, `debark: {unit: hex}`, several as `orders: [...]`, or done: verb, unit
    and what is said of it, in this order. Raises Rejected."""
    verb, body = split_order(order, (*LAND, "orders", DONE))
    if verb == "orders":
        if not isinstance(body, list) or not body:
            raise misread(verb, body, "orders: [{march: {unit: [1427]}}, {embark: {unit: ship}}, {debark: {unit: 1428}}]")
        return [row for part in body for row in read_land_rows(g, side, _one_row(part))]
    written = {
        MARCH: "march: {unit: [1427, 1428], ...}",
        EMBARK: "embark: {unit: ship, ...}",
        DEBARK: "debark: {unit: 1428, ...}",
    }
    rows = _read_moves(g, side, order, verb, written.get(verb, ""))
    return [(verb, name, _listed(what) if verb == MARCH else what) for name, what in rows.items()]


def _one_row(part: Plain) -> Plain:
    """No list of rows in a row."""
    split_order(part, LAND)
    return part


def read_marches(g: State, side: str, order: Plain) -> dict[str, list[Plain]]:
    """`march: {unit: [hexes], ...}`, or done: the hexes of each way. Raises Rejected."""
    found = _read_moves(g, side, order, MARCH, "march: {unit: [1427, 1428], ...}")
    return {name: _listed(way) for name, way in found.items()}


def _fly(g: State, side: str, secret: Secret, order: Plain, mine: Units) -> Units:
    """[PW-MOV-08] Air units fly from base to base."""
    goals = {name: read_place(g, legs[-1]) for name, legs in read_flights(g, side, order).items()}
    return {name: replace(mine[name], at=goal, aboard="") for name, goal in goals.items() if name in mine}


def read_flights(g: State, side: str, order: Plain) -> dict[str, list[Plain]]:
    """`fly: {unit: airfield, or a list of two, ...}`, or done: the bases it flies to. Raises Rejected."""
    found = _read_moves(g, side, order, FLY, "fly: {unit: 1630, ...}")
    flights = {name: _listed(legs) for name, legs in found.items()}
    for base in [leg for legs in flights.values() for leg in legs]:
        read_place(g, base)  # ships are no bases of a secret flight
    return flights


def _listed(what: Plain) -> list[Plain]:
    return [*what] if isinstance(what, list) else [what]


def _read_moves(g: State, side: str, order: Plain, verb: str, written: str) -> dict[str, Plain]:
    given, body = split_order(order, (verb, DONE))
    if given == DONE:
        return {}
    if not isinstance(body, dict) or not body or not all(body.values()):
        raise misread(verb, body, written)
    return {read_unit(g, who, side): what for who, what in body.items()}


Apply = Callable[[State, str, Secret, Plain, Units], Units]
KINDS: dict[str, Apply] = {
    "organize": _organize,
    "activate": _activate,
    "dissolve": _dissolve,
    "rest": _rest,
    "month": _month,
    "transport": _ship,
    "arrive": _arrive,
    REPLACEMENTS: _rows,
    REPAIRS: _rows,
    MARCH: _march,
    FLY: _fly,
}
