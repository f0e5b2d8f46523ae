"""[PW-ACT] Activation: by the operations player, the reaction player, and in the common phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.games.pacific_war.board import FORT
from pbem.games.pacific_war.choices import proposals
from pbem.games.pacific_war.clock import PointsHeld
from pbem.games.pacific_war.command.forms import Purse, activations
from pbem.games.pacific_war.events import MarkerPlaced, Remarked
from pbem.games.pacific_war.orders import misread, read_units, unit_parts
from pbem.games.pacific_war.records import Headquarters, Operation
from pbem.games.pacific_war.secret.aircraft import show_cover
from pbem.games.pacific_war.secret.points import afford, pay
from pbem.games.pacific_war.state import JAPAN, State
from pbem.games.pacific_war.units.changes import activate, join_fleet
from pbem.games.pacific_war.units.fleets import MOST_CAPITAL, MOST_OTHER, reorganize
from pbem.games.pacific_war.units.mustangs import is_mustang
from pbem.games.pacific_war.world.links import reach, surcharge
from pbem.games.pacific_war.world.nations import china_headquarters
from pbem.games.pacific_war.world.options import interrupt_conversion
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Claim, Flow, Reveal
from pbem.kernel.forms import Form, Read
from pbem.kernel.naming import read_number
from pbem.kernel.orders import Rejected, illegal, nearest, split_order, unreadable
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg, recorded_as, verbatim

MULTIPLE = {14: 1, 21: 2, 28: 3}  # [PW-ACT-07]
REACTION_LEVEL = {"surprise": (0, 0, 0, 1), "intercept": (0, 0, 1, 2), "ambush": (0, 1, 2, 3), "cv-ambush": (0, 1, 2, 3)}
COMMON = 10  # [PW-ACT-12]
ENOUGH = 8  # refused units after which a proposal is full


@dataclass(frozen=True, slots=True)
class Activation:
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
    price = sum(unit_cost(g, u) * _dear(g, side, u) for u in others) * MULTIPLE[days]
    price += sum(_dear(g, side, u) for u in boats)
    return points, price + level_of(points) * g.hqs[hq].cost


def _rides(g: State, unit: str, units: Sequence[str]) -> bool:
    """[PW-ACT-02] A carrier brings its aircraft along."""
    return g.counter(unit).kind == "air" and g.units[unit].aboard in units


def may_activate(g: State, unit: str, places: set[int]) -> tuple[Message, str] | None:
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
            msg("there is no headquarters {given}", given=repr(text)),
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


def common_claim(g: State, side: str, o: Operation, price: int, points: int) -> Flow[bool]:
    """[PW-ACT-12] Whether the common activations so far are within ten points for the sealed length of the operation."""

    def truth(reveal: Reveal) -> Plain:
        return price + points * (MULTIPLE[sealed_length(o, reveal)] - 1) <= COMMON

    about = recorded_as(f"{points} points", msg("a common activation for {n} points can be paid", n=points))
    stated = yield Claim(side, "common", about, "PW-ACT-12", truth)
    return bool(stated)


def common_activation(g: State, side: str) -> Flow[None]:
    """[PW-ACT-12] Up to ten command points; the operations player's time multiple applies to him."""
    o = g.operation
    if o is None or (o.last_cycles and side == g.operator):
        return
    yield from show_cover(g)
    spent: dict[str, int] = {"all": 0, "points": 0}
    days = o.days if side == g.operator else 14
    secret = days == 0

    def read(plain: Plain) -> Activation | None:
        return _read_common(g, side, plain, o, days, spent["all"])

    def ideas() -> Iterator[Any]:
        return _joining_ideas(g, side, days or 14, COMMON - spent["all"])

    def options() -> list[Plain]:
        return proposals(read, ideas())

    def form() -> Form:
        left = COMMON - spent["all"]

        def price(hq: str, units: Sequence[str], length: int) -> tuple[int, int]:
            return common_price(g, side, units, days or length)

        return activation_form(g, side, ("activate", DONE), Purse(price, lambda hq: min(left, g.hqs[hq].points)), read)

    while len(proposals(read, ideas(), 1)) > 1:
        prompt = msg("activate units in the common phase, or done")
        a = yield Ask(side, "join", "PW-ACT-12", prompt, read, ("activate", DONE), options=options, form=form)
        if a is None:
            return
        longest = a.points * (MULTIPLE[o.longest] - 1) if secret else 0
        if not (yield from afford(g, side, a.hq, a.price + longest, "PW-ACT-12")):
            return
        if secret:
            within = yield from common_claim(g, side, o, spent["all"] + a.price, spent["points"] + a.points)
            if not within:
                dear = msg("{hq} could not pay for: {units}", hq=a.hq, units=tuple(a.units))
                emit(g, Remarked(dear, "PW-ACT-12"))
                continue
            if a.points or a.hq not in o.held:
                emit(g, PointsHeld(a.hq, a.points))
            pay(g, a.hq, longest, "PW-TIM-02")
        spent["all"] += a.price
        spent["points"] += a.points
        yield from carry_out(g, side, a, "PW-ACT-12")


def _joining_ideas(g: State, side: str, days: int, left: int) -> Iterator[Any]:
    """What a headquarters could activate in the common phase when so many points may still be spent."""
    yield from _activations(g, side, COMMON, 0, False)
    idle = _idle(g, side)
    for name, places in reach(g, side).items():
        most = min(left, g.hqs[name].points)
        able = [u for u in idle if g.units[u].at in places and common_price(g, side, [u], days)[1] <= most]
        yield from ({"activate": {"hq": name, "units": [u]}} for u in able)


def _read_common(g: State, side: str, plain: Plain, o: Operation, days: int, spent: int) -> Activation | None:
    """[PW-ACT-12] An activation that its headquarters can pay, after what was spent; `days` 0: sealed. Raises Rejected."""
    a = read_activation(g, side, plain, 9999, 3, False)
    if a is None:
        return None
    points, price = common_price(g, side, a.units, days or 14)
    has = g.hqs[a.hq].points
    if not days and points * MULTIPLE[o.longest] + price - points > has:
        why = msg("{hq} could not pay for {days} days", hq=a.hq, days=o.longest)
        raise illegal(why, "PW-ACT-12", msg("its command points: {points}", points=has))
    if spent + price > COMMON:
        why = msg("this costs too many command points: {price}", price=price)
        raise illegal(why, "PW-ACT-12", msg("at most: {most}", most=COMMON - spent))
    if price > has:
        raise illegal(msg("{hq} has too few command points: {points}", hq=a.hq, points=has), "PW-ACT-12")
    return Activation(a.hq, a.units, days or 14, points, price)


def common_price(g: State, side: str, units: Sequence[str], days: int) -> tuple[int, int]:
    """[PW-ACT-12] What each week of the operation costs and the whole price, without a headquarters' cost."""
    boats = [u for u in units if g.counter(u).kind == "submarine"]
    others = [u for u in units if u not in boats and not _rides(g, u, units)]
    points = sum(unit_cost(g, u) * _dear(g, side, u) for u in others)
    return points, points * MULTIPLE[days] + sum(_dear(g, side, u) for u in boats)


def _dear(g: State, side: str, unit: str) -> int:
    """[PW-CMD-12] Each point spent through an emergency link costs one more."""
    return 2 if surcharge(g, side, g.units[unit].at) else 1


def activation_options(g: State, side: str, most: int, top: int, days: bool) -> list[Plain]:
    """Nothing; from each headquarters its linked units until the points are gone, ships first; single units."""
    return [DONE, *_activations(g, side, most, top, days)]


def activation_form(g: State, side: str, verbs: Sequence[str], purse: Purse, read: Read) -> Form:
    """An activation pick by pick."""

    def callable_from(hq: str) -> list[str]:
        ready = [u for u in _idle(g, side) if not g.units[u].aboard or g.units[g.units[u].aboard].active]
        there = [u for u in ready if g.units[u].at in reach(g, side)[hq]]
        return [u for u in there if not (not_from_here(g, u, hq) or china_headquarters(g, u, hq))]

    hqs = [h for h in reach(g, side) if callable_from(h)]
    return activations(g, side, verbs, hqs, callable_from, lambda plain: read_hq(g, side, plain), purse, read)


def _idle(g: State, side: str) -> list[str]:
    """Units that could be activated by some headquarters, for all that they are themselves."""
    resting = [u for u in g.on_map(side) if not (g.units[u].active or g.units[u].closed)]
    return [u for u in resting if may_activate(g, u, {g.units[u].at}) is None]


def _activations(g: State, side: str, most: int, top: int, days: bool) -> Iterator[Plain]:
    idle = [u for u in _idle(g, side) if not g.units[u].aboard]
    for name, places in reach(g, side).items():
        able = [u for u in idle if g.units[u].at in places]
        able = [u for u in able if not (not_from_here(g, u, name) or china_headquarters(g, u, name))]
        able.sort(key=lambda u: (g.counter(u).kind != "naval", g.counter(u).kind != "ground"))
        for length in (14, 28) if days else (14,):
            group = _affordable(g, side, g.hqs[name], able, min(most, g.hqs[name].points), top, length)
            if group:
                body: dict[str, Plain] = {"hq": name, "units": group}
                yield {"activate": {**body, "days": length} if days else body}
        for unit in dict.fromkeys([*able[:3], *sorted(able, key=lambda u: unit_cost(g, u))[:1]]):
            single: dict[str, Plain] = {"hq": name, "units": [unit]}
            if _affordable(g, side, g.hqs[name], [unit], min(most, g.hqs[name].points), top, 14):
                yield {"activate": {**single, "days": 14} if days else single}


def _affordable(g: State, side: str, hq: Headquarters, able: Sequence[str], most: int, top: int, days: int) -> list[Plain]:
    """Of units that no ship carries those that can be paid for together, in their order."""
    group: list[Plain] = []
    refused = points = paid = 0
    for unit in able:
        boat, dear = g.counter(unit).kind == "submarine", _dear(g, side, unit)
        more = 0 if boat else unit_cost(g, unit)
        price = paid + (dear if boat else more * dear * MULTIPLE[days])
        if price + level_of(points + more) * hq.cost <= most and level_of(points + more) <= top:
            group.append(unit)
            points, paid = points + more, price
        else:
            refused += 1
        if refused >= ENOUGH:
            break
    return group
