"""[PW-FOG-01] What each kind of secret order makes of the sealed units of a side. Whether it was legal was stated before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pbem.games.pacific_war.orders import DONE, read_place, read_unit, read_units
from pbem.games.pacific_war.state import Secret, State, Unit
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected, split_order, unreadable

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
    for marker, fleet in zip(secret.facts["markers"], read_fleets(g, side, body), strict=True):
        for ship in (*fleet.core, *fleet.screen):
            if ship in turned:
                turned[ship].tf, turned[ship].screen = marker, ship in fleet.screen
    return turned


@dataclass(frozen=True, slots=True)
class Fleet:
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
        raise unreadable(f"{row!r} is no task force", "{core: [...], screen: [...]}, or {decoy: 1630}")
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


def _rest(g: State, side: str, secret: Secret, order: Plain, mine: Units) -> Units:
    """[PW-ACT-13] Everything behind Force markers rests."""
    idle = {n: u for n, u in mine.items() if not u.tf and not (u.aboard in mine and mine[u.aboard].tf)}
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
    going = read_shipments(g, side, order)
    for name, goal in going.items():
        mine[name].at, mine[name].aboard = goal, ""
    return {n: mine[n] for n in going}


def read_shipments(g: State, side: str, order: Plain) -> dict[str, int]:
    """`ship: {unit: port, ...}`, or done. Raises Rejected."""
    verb, body = split_order(order, ("ship", DONE))
    if verb == DONE:
        return {}
    if not isinstance(body, dict) or not body:
        raise unreadable(f"ship: {body!r}", "ship: {unit: port, ...}")
    return {read_unit(g, who, side): read_place(g, where) for who, where in body.items()}


Apply = Callable[[State, str, Secret, Plain, Units], Units]
KINDS: dict[str, Apply] = {
    "organize": _organize,
    "activate": _activate,
    "dissolve": _dissolve,
    "rest": _rest,
    "month": _month,
    "ship": _ship,
}
