"""[PW-ACT-02] [PW-ACT-03] Which units each headquarters could activate, and the activations that a question proposes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from operator import attrgetter
from typing import NamedTuple

from pbem.games.pacific_war.board import FORT
from pbem.games.pacific_war.command.activation import (
    EMERGENCY,
    MULTIPLE,
    level_of,
    not_from_here,
    read_activation,
    read_hq,
    unit_cost,
)
from pbem.games.pacific_war.operation_forms import Purse, activations
from pbem.games.pacific_war.records import Headquarters
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.world.links import reach, usually_linked
from pbem.games.pacific_war.world.nations import china_headquarters
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Read
from pbem.kernel.memo import PLACES
from pbem.kernel.orders import Rejected
from pbem.kernel.questions import DONE

ENOUGH = 8  # refused units after which a proposal is full
KINDS = {"naval": 0, "ground": 1}  # these first


class Linked(NamedTuple):
    """A unit on the map as long as nothing moves: the ship that carries it, its activation points (`counted` for the level of
    an operation) and what it costs: so much for each week, and once."""

    unit: str
    at: int
    ship: str
    kind: str
    points: int
    counted: int
    weekly: int
    once: int


def callable_units(g: State, side: str) -> dict[str, list[Linked]]:
    """By linked headquarters the idle units that it could activate by themselves: those aboard only with an active ship."""
    idle = _idle(g, side)
    return {
        hq: [x for x in linked if x.unit in idle and (not x.ship or g.units[x.ship].active)]
        for hq, linked in _linked_units(g, side).items()
    }


def nobody_to_call(g: State, side: str, top: int) -> bool:
    """[PW-ACT-03] No unit that everybody sees can be activated up to this level, alone or with others."""
    return not any(_may_be_called(g, side, hq, x.unit, top) for hq, linked in callable_units(g, side).items() for x in linked)


def _may_be_called(g: State, side: str, hq: str, unit: str, top: int) -> bool:
    try:
        read_activation(g, side, {"activate": {"hq": hq, "units": [unit]}}, g.hqs[hq].points, top, False)
    except Rejected:
        return False
    return True


def _idle(g: State, side: str) -> set[str]:
    return {u for u in g.on_map(side) if not (g.units[u].active or g.units[u].closed)}


def _linked_units(g: State, side: str) -> dict[str, list[Linked]]:
    """Units in hexes linked to each headquarters that no rule keeps from it, active or not."""

    def find() -> dict[str, list[Linked]]:
        usual = usually_linked(g, side)
        mine = [_linked(g, u, usual) for u in g.on_map(side) if g.counter(u).type != FORT]
        bound = {x.unit for x in mine if not _free(g, x.unit, "")}
        return {
            hq: [x for x in mine if x.at in places and (x.unit not in bound or _free(g, x.unit, hq))]
            for hq, places in reach(g, side).items()
        }

    return g.memo.cached(("linked units", side), find, PLACES)


def _ships_first(g: State, side: str) -> dict[str, list[Linked]]:
    """The same in the order in which a proposal takes them; none aboard."""

    def find() -> dict[str, list[Linked]]:
        found = {hq: [x for x in linked if not x.ship] for hq, linked in _linked_units(g, side).items()}
        return {hq: sorted(able, key=lambda x: KINDS.get(x.kind, len(KINDS))) for hq, able in found.items()}

    return g.memo.cached(("linked units, ships first", side), find, PLACES)


def _free(g: State, unit: str, hq: str) -> bool:
    """No rule keeps a unit from a headquarters; "": from any."""
    return not (not_from_here(g, unit, hq) or china_headquarters(g, unit, hq))


def _linked(g: State, unit: str, usual: Set[int]) -> Linked:
    c, cost, at = g.counter(unit), unit_cost(g, unit), g.units[unit].at
    times = 1 if at in usual else EMERGENCY
    if c.kind == "submarine":
        return Linked(unit, at, g.units[unit].aboard, c.kind, cost, 0, 0, times)
    return Linked(unit, at, g.units[unit].aboard, c.kind, cost, cost, cost * times, 0)


def activation_options(g: State, side: str, most: int, top: int, days: bool) -> list[Plain]:
    """Nothing; from each headquarters its linked units until the points are gone, ships first; single units."""
    return [DONE, *(_order(*found, days) for found in groups(g, side, most, top, days))]


def _order(hq: str, group: Sequence[Linked], length: int, days: bool) -> Plain:
    body: dict[str, Plain] = {"hq": hq, "units": [x.unit for x in group]}
    return {"activate": {**body, "days": length} if days else body}


def groups(g: State, side: str, most: int, top: int, days: bool) -> Iterator[tuple[str, list[Linked], int]]:
    """What each headquarters could activate and for how long; most: command points; top: the level."""
    idle = _idle(g, side)
    for name, linked in _ships_first(g, side).items():
        able = [x for x in linked if x.unit in idle]
        purse = min(most, g.hqs[name].points)
        for length in (14, 28) if days else (14,):
            group = _affordable(g.hqs[name], able, purse, top, length)
            if group:
                yield name, group, length
        cheapest = [min(able, key=attrgetter("points"))] if able else []
        for single in dict.fromkeys([*able[:3], *cheapest]):
            if _affordable(g.hqs[name], [single], purse, top, 14):
                yield name, [single], 14


def _affordable(hq: Headquarters, able: Sequence[Linked], most: int, top: int, days: int) -> list[Linked]:
    """Of units that no ship carries those that can be paid for together, in their order."""
    group: list[Linked] = []
    refused = points = paid = 0
    for x in able:
        price, level = paid + x.once + x.weekly * MULTIPLE[days], level_of(points + x.counted)
        if price + level * hq.cost <= most and level <= top:
            group.append(x)
            points, paid = points + x.counted, price
        else:
            refused += 1
        if refused >= ENOUGH:
            break
    return group


def activation_form(g: State, side: str, verbs: Sequence[str], purse: Purse, read: Read) -> Form:
    """An activation pick by pick."""

    def callable_from(hq: str) -> list[str]:
        return [x.unit for x in callable_units(g, side)[hq]]

    hqs = [hq for hq, ready in callable_units(g, side).items() if ready]
    return activations(g, side, verbs, hqs, callable_from, lambda plain: read_hq(g, side, plain), purse, read)
