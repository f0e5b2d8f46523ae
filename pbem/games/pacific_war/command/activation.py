"""[PW-ACT] Activation: by the operations player, the reaction player, and in the common phase."""

from __future__ import annotations

from collections.abc import Sequence, Set

from msgspec import Struct

from pbem.games.pacific_war.board import FORT
from pbem.games.pacific_war.events import MarkerPlaced
from pbem.games.pacific_war.orders import check_in_play, misread, read_units, unit_parts
from pbem.games.pacific_war.records import Operation
from pbem.games.pacific_war.secret.points import pay
from pbem.games.pacific_war.state import JAPAN, State
from pbem.games.pacific_war.units.changes import activate, join_fleet
from pbem.games.pacific_war.units.fleets import MOST_CAPITAL, MOST_OTHER, reorganize
from pbem.games.pacific_war.units.mustangs import is_mustang
from pbem.games.pacific_war.world.links import reach, surcharge
from pbem.games.pacific_war.world.nations import china_headquarters
from pbem.games.pacific_war.world.options import interrupt_conversion
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow, Reveal
from pbem.kernel.naming import read_number
from pbem.kernel.orders import Rejected, illegal, nearest, split_order, unreadable
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg, quoted, verbatim

MULTIPLE = {14: 1, 21: 2, 28: 3}  # [PW-ACT-07]
REACTION_LEVEL = {"surprise": (0, 0, 0, 1), "intercept": (0, 0, 1, 2), "ambush": (0, 1, 2, 3), "cv-ambush": (0, 1, 2, 3)}
COMMON = 10  # [PW-ACT-12]
EMERGENCY = 2  # [PW-CMD-12] times the price
ENOUGH = 8  # refused units after which a proposal is full


class Activation(Struct, frozen=True):
    """Units activated from one headquarters and what it costs."""

    hq: str
    units: tuple[str, ...]
    days: int
    points: int  # activation points, for the level
    price: int
    named: bool = False  # the length stands in the order: it is no secret
    week: int = 0  # of a sealed activation: what each week more of an operation costs
    handle: str = ""  # the seal behind which the units are
    fleets: tuple[int, ...] = ()  # hexes in which its task forces appear
    ashore: bool = False  # something is activated behind Force markers


def unit_cost(g: State, unit: str) -> int:
    """[PW-ACT-02] Printed points; three times for Japanese units in China [PW-NAT-04]."""
    c = g.counter(unit)
    dear = c.side == JAPAN and g.units[unit].box == "map" and china(g, g.units[unit].at)
    return c.cost * (3 if dear else 1)


def china(g: State, place: int) -> bool:
    """[PW-NAT-04] A hex of China."""
    return "china" in g.board.hex(place).features


def level_of(points: int) -> int:
    """[PW-ACT-04] Operation level: 10, 20, 30 points."""
    return min(3, max(0, -(-points // 10) - 1))


def price_of(g: State, side: str, hq: str, units: Sequence[str], days: int) -> tuple[int, int]:
    """[PW-ACT-03] Activation points and command points for a group of units, with the headquarters' cost."""
    boats = [u for u in units if g.counter(u).kind == "submarine"]
    others = [u for u in units if u not in boats and not _rides(g, u, units)]
    points = sum(unit_cost(g, u) for u in others)
    price = sum(unit_cost(g, u) * dear(g, side, u) for u in others) * MULTIPLE[days]
    price += sum(dear(g, side, u) for u in boats)
    return points, price + level_of(points) * g.hqs[hq].cost


def _rides(g: State, unit: str, units: Sequence[str]) -> bool:
    """[PW-ACT-02] A carrier brings its aircraft along."""
    return g.counter(unit).kind == "air" and g.units[unit].aboard in units


def may_activate(g: State, unit: str, places: Set[int]) -> tuple[Message, str] | None:
    """Why a unit cannot be activated from a headquarters: reason and rule."""
    u = g.units[unit]
    if u.box != "map":
        return msg("{unit} is not on the map", unit=unit), "PW-ACT-02"
    if g.counter(unit).type == FORT:
        return msg("{unit} is a fortification", unit=unit), "PW-BAS-05"
    if u.active:
        return msg("{unit} is activated already", unit=unit), "PW-ACT-02"
    if u.closed:
        return msg("{unit} has been deactivated this month", unit=unit), "PW-ACT-02"
    if u.at not in places:
        return msg("{unit} is not linked to this headquarters", unit=unit), "PW-ACT-02"
    return None


def not_from_here(g: State, unit: str, hq: str) -> tuple[Message, str] | None:
    """[PW-OPT-03] [PW-OPT-10] By option two ships are the Combined Fleet's own, and the P-51 always count as activated."""
    if is_mustang(g, unit):
        return msg("{unit} flies no missions and counts as activated", unit=unit), "PW-OPT-10"
    if g.options.get("flagships") == "yes" and hq != "Combined Fleet" and any(n in unit for n in ("Yamato", "Musashi")):
        return msg("only the headquarters {hq} activates {unit}", hq="Combined Fleet", unit=unit), "PW-OPT-03"
    return None


def read_activation(
    g: State, side: str, plain: Plain, most: int, top_level: int, days: bool, more: frozenset[str] = frozenset()
) -> Activation | None:
    """`activate: {hq: X, units: [...], days: 21}`, or none; `more`: words that another reader takes. Raises Rejected."""
    verb, body = split_order(plain, ("activate", DONE))
    if verb == DONE:
        return None
    if not isinstance(body, dict) or not {"hq", "units"} <= set(body) <= {"hq", "units", "days"} | more:
        raise misread("activate", body, "activate: {hq: South Seas, units: [...], days: 14}")
    name, linked = read_hq(g, side, body["hq"]), reach(g, side)
    if name not in linked:
        raise illegal(msg("{hq} is not linked", hq=name), "PW-ACT-03", verbatim(*linked))
    units: list[str] = []
    for part in unit_parts(g, body["units"]):
        units += read_units(g, [part], side)
    check_in_play(g, units, "PW-ACT-02")
    units += [a for s in units if g.is_carrier(s) for a in _air_steps(g, s) if a not in units]
    for unit in units:
        if g.side(unit) != side:
            raise illegal(msg("{unit} is not yours", unit=unit), "PW-ACT-02")
        reason = may_activate(g, unit, linked[name]) or not_from_here(g, unit, name) or china_headquarters(g, unit, name)
        if reason:
            raise illegal(*reason)
        ship = g.units[unit].aboard
        if ship and not g.units[ship].active and ship not in units:
            raise illegal(msg("{unit} is aboard {ship}, which is not activated", unit=unit, ship=ship), "PW-ACT-02")
    length = read_number(body.get("days", 14), 14, 28, "PW-TIM-02") if days else 14
    if length not in MULTIPLE:
        raise illegal(msg("an operation does not last {days} days", days=length), "PW-TIM-02", msg("14, 21 or 28 days"))
    points, price = price_of(g, side, name, units, length)
    if level_of(points) > top_level:
        raise illegal(
            msg("{points} points are operation level {level}", points=points, level=level_of(points)),
            "PW-ACT-11",
            msg("at most level {level}", level=top_level),
        )
    if price > min(most, g.hqs[name].points):
        raise illegal(
            msg("this costs too many command points: {price}", price=price),
            "PW-ACT-03",
            msg("from {hq} at most {most}", hq=name, most=min(most, g.hqs[name].points)),
        )
    return Activation(name, tuple(dict.fromkeys(units)), length, points, price, "days" in body)


def _air_steps(g: State, ship: str) -> list[str]:
    """[PW-ACT-02] The aircraft that a carrier brings along: not those that are activated or have been deactivated."""
    return [a for a in g.air_aboard(ship) if not (g.units[a].active or g.units[a].closed)]


def read_hq(g: State, side: str, text: Plain) -> str:
    """A headquarters by name. Raises Rejected."""
    names = {n.lower(): n for n, h in g.hqs.items() if h.side == side and h.box != "gone"}
    if str(text).lower() not in names:
        raise unreadable(
            msg("there is no headquarters {given}", given=quoted(text)),
            nearest(str(text).lower(), list(names)) or verbatim(*names),
        )
    return names[str(text).lower()]


def carry_out(g: State, side: str, a: Activation, rule: str) -> Flow[None]:
    """The units are turned, ships form task forces, the headquarters pays."""
    pay(g, a.hq, a.price, rule)
    for unit in a.units:
        activate(g, unit, rule)
        interrupt_conversion(g, unit)
    ships: dict[int, list[str]] = {}
    for unit in a.units:
        if g.counter(unit).kind == "naval":
            ships.setdefault(g.units[unit].at, []).append(unit)
    for place, group in ships.items():
        form(g, side, place, group, rule)
        yield from reorganize(g, side, place, "PW-FOG-02")


def form(g: State, side: str, place: int, ships: Sequence[str], rule: str) -> None:
    """[PW-FOG-02] Ships are put into task forces as large as the rules allow, half of each in the screen."""
    rest = sorted(ships, key=lambda s: not g.counter(s).capital)
    while rest:
        capital = [s for s in rest if g.counter(s).capital][:MOST_CAPITAL]
        others = [s for s in rest if not g.counter(s).capital][:MOST_OTHER]
        group = capital + others
        marker = new_name(g, side)
        emit(g, MarkerPlaced(marker, side, place, rule))
        for i, ship in enumerate(group):
            join_fleet(g, ship, marker, i >= -(-len(group) // 2), rule)
        rest = [s for s in rest if s not in group]


def new_name(g: State, side: str, taken: Sequence[str] = ()) -> str:
    """The next name of a task force that nobody has."""
    letter = "J" if side == JAPAN else "A"
    number = 1
    while f"{letter}{number}" in g.markers or f"{letter}{number}" in taken:
        number += 1
    return f"{letter}{number}"


def read_length(o: Operation, plain: Plain) -> int:
    """`days: 21`. Raises Rejected."""
    _, body = split_order(plain, ("days",))
    days = read_number(body, 14, o.longest, "PW-TIM-02")
    if days not in MULTIPLE:
        raise illegal(msg("an operation does not last {days} days", days=days), "PW-TIM-02", msg("14, 21 or 28 days"))
    return days


def sealed_length(o: Operation, reveal: Reveal) -> int:
    """The length behind the seal, for its owner and the audit; one that is not legal counts as 14 days."""
    try:
        return read_length(o, reveal(o.length))
    except Rejected:
        return 14


def common_price(g: State, side: str, units: Sequence[str], days: int) -> tuple[int, int]:
    """[PW-ACT-12] What each week of the operation costs and the whole price, without a headquarters' cost."""
    boats = [u for u in units if g.counter(u).kind == "submarine"]
    others = [u for u in units if u not in boats and not _rides(g, u, units)]
    points = sum(unit_cost(g, u) * dear(g, side, u) for u in others)
    return points, points * MULTIPLE[days] + sum(dear(g, side, u) for u in boats)


def dear(g: State, side: str, unit: str) -> int:
    """[PW-CMD-12] Each point spent through an emergency link costs one more."""
    return EMERGENCY if surcharge(g, side, g.units[unit].at) else 1
