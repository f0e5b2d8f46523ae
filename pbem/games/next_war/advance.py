"""[9.2.8, 9.9] Advance after combat; landings on an empty Beach; units that fled into a hex that falls [9.8.6]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.games.next_war.board import HIGH, NEVER, PEAKS
from pbem.games.next_war.casualties import lose_step
from pbem.games.next_war.combat_forms import advances
from pbem.games.next_war.control import enter
from pbem.games.next_war.events.moves import Landed, Moved, Placed
from pbem.games.next_war.obstacles import bridge_key
from pbem.games.next_war.orders import fields, read_own, read_place, read_unit, split_order
from pbem.games.next_war.retreat import check_unit, run
from pbem.games.next_war.stacking import halves
from pbem.games.next_war.state import FOE, Fight, State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.wording import msg


class Advance(Struct, frozen=True):
    """Who enters the hex, and who goes on to a second one."""

    units: tuple[str, ...]
    beyond: tuple[tuple[str, int], ...] = ()


def advance(g: State) -> Flow[None]:
    """[9.2.8] The attacker enters a hex that is empty, with at least one unit."""
    f = g.fight
    assert f is not None
    foe = FOE[f.side]
    yield from flee_again(g, f, foe)
    if g.ground(foe, f.target):
        return
    able = [u for u in f.units if g.pieces[u].at and u not in f.amphibious and u not in g.p["fixed_units"]]
    marines = [u for u in f.amphibious if g.pieces[u].at]
    if not able and not marines:
        return
    chosen: Advance = yield _ask(g, f, able, marines)
    if marines:
        yield from _ashore(g, f.side, marines, f.target)
    starts = dict.fromkeys(g.pieces[u].at for u in chosen.units if u not in marines)
    for start in starts:
        group = tuple(u for u in chosen.units if u not in marines and g.pieces[u].at == start)
        emit(g, Moved(group, (start, f.target), "advance", "9.9"))
        yield from enter(g, f.side, (start, f.target), "9.9.2")
    for unit, to in chosen.beyond:
        emit(g, Moved((unit,), (f.target, to), "advance", "9.9.1"))
        yield from enter(g, f.side, (f.target, to), "9.9.1")


def flee_again(g: State, f: Fight, foe: str) -> Flow[None]:
    """[9.8.6] Units that fled here before go on when no defender is left: an Efficiency check first."""
    fled = [u for u in g.ground(foe, f.target) if g.refugees.get(u) == f.target]
    if not fled or len(fled) < len(g.ground(foe, f.target)):
        return
    for unit in fled:
        if not (yield from check_unit(g, unit, "efficiency check, {name} flees again", "9.8.6", foe)):
            lose_step(g, unit, "9.8.6")
    yield from run(g, foe, f.target, g.ground(foe, f.target))


def _ashore(g: State, side: str, units: Sequence[str], beach: int) -> Flow[None]:
    """[9.9.4] All units of a successful assault enter the hex."""
    start = g.pieces[units[0]].at
    for unit in units:
        emit(g, Placed(unit, beach, "", "9.9.4"))
        emit(g, Landed(unit, "amphibious", "9.9.4"))
    emit(g, Moved(tuple(units), (start, beach), "assault", "9.9.4"))
    yield from enter(g, side, (start, beach), "9.9.4")


def landed(g: State, side: str, units: Sequence[str]) -> Flow[None]:
    """[8.5.8.1] An assault on an empty Beach succeeds."""
    yield from _ashore(g, side, units, g.poised[units[0]])


def room(g: State, f: Fight, marines: Sequence[str]) -> int:
    """[9.2.8] Half stacking points that may advance: four points, three into mountains."""
    most = 6 if g.board.hexes[f.target].terrain in PEAKS else 8
    return max(0, most - g.stack_points(marines))


def may_enter(g: State, unit: str, a: int, b: int) -> bool:
    """The unit can enter the hex from its own, by a road too."""
    edge = g.board.edge(g.values(unit).mobility, int(g.storm), a, b)
    return edge is not None and (edge.off, edge.road) != (NEVER, NEVER)


def second_hexes(g: State, f: Fight, unit: str) -> list[int]:
    """[9.9.1] Where a vehicle may go on to after a retreat of two hexes."""
    if not goes_on(g, f) or g.values(unit).mobility not in ("mot", "mech"):
        return []
    return [n for n in g.board.land_near[f.target] if _second(g, f, unit, n)]


def goes_on(g: State, f: Fight) -> bool:
    """[9.9.1, 4.1.3] Not in Storm, after an assault from the sea, or out of Urban, City or Installation."""
    hex_ = g.board.hexes[f.target]
    return f.retreated == 2 and not g.storm and not f.amphibious and not hex_.needs_clearing


def _second(g: State, f: Fight, unit: str, place: int) -> bool:
    hex_, side = g.board.hexes[place], g.board.side(f.target, place)
    road = bool(side.road) and bridge_key(f.target, place) not in g.bridges_down
    fort = hex_.fort and place not in g.fallen
    if g.ground(FOE[f.side], place) or fort or hex_.needs_clearing or not may_enter(g, unit, f.target, place):
        return False
    return not (hex_.terrain in (*PEAKS, *HIGH) or side.river) or road


def _ask(g: State, f: Fight, able: Sequence[str], marines: Sequence[str]) -> Ask:
    entering = [u for u in able if may_enter(g, u, g.pieces[u].at, f.target) and g.values(u).sp <= room(g, f, marines)]
    forced: Plain = None

    def beyond(unit: str) -> Sequence[int]:
        return second_hexes(g, f, unit)

    if not entering:
        forced = {"advance": "none"}
    elif len(entering) == 1 and not marines and not second_hexes(g, f, entering[0]):
        forced = {"advance": {"units": [entering[0]]}}
    return Ask(
        f.side,
        "advance",
        "9.9",
        msg("who advances into {place}?", place=g.board.name(f.target)),
        lambda plain: _read(g, f, entering, marines, plain),
        ("advance",),
        facts={"able": len(entering)},
        forced=forced,
        options=lambda: _options(g, f, entering, marines),
        policy=lambda wanted: _policy(g, f, entering, room(g, f, marines), wanted),
        form=lambda: advances(g, f.side, entering, beyond, lambda plain: _read(g, f, entering, marines, plain)),
    )


def _read(g: State, f: Fight, entering: Sequence[str], marines: Sequence[str], plain: Plain) -> Advance:
    """`advance: 3/II, 6/II then 6/II to N2817`, or none. Raises Rejected."""
    _, body = split_order(plain, ("advance",))
    if body == "none":
        if entering and not marines:
            raise illegal(
                msg("at least one unit advances"),
                "9.2.8",
                msg("one of: {choices}", choices=tuple(g.counter(u).name for u in entering[:4])),
            )
        return Advance(())
    f_ = fields(body if not isinstance(body, list) else {"units": body}, ("then", "to"), ("units",))
    units = read_own(g, f_["units"], f.side, "9.9")
    for unit in units:
        if unit not in entering:
            raise illegal(
                msg("{unit} cannot advance into {place}", unit=g.counter(unit).name, place=g.board.name(f.target)), "9.2.8"
            )
    if g.stack_points(units) > room(g, f, marines):
        raise illegal(msg("at most {points} stacking points advance", points=halves(room(g, f, marines))), "9.2.8")
    if "to" in f_ and "then" not in f_:
        raise unreadable(msg("{to} is the second hex of those named after {then}", to="`to`", then="`then`"))
    return Advance(tuple(units), _read_beyond(g, f, units, f_) if "then" in f_ else ())


def _read_beyond(g: State, f: Fight, units: Sequence[str], f_: Mapping[str, Plain]) -> tuple[tuple[str, int], ...]:
    """[9.9.1] Who goes on to a second hex. Raises Rejected."""
    beyond = []
    for unit in read_own(g, f_["then"], f.side, "9.9.1"):
        to = read_place(g, f_.get("to"))
        if unit not in units or to not in second_hexes(g, f, unit):
            raise illegal(msg("{unit} does not go on to {place}", unit=g.counter(unit).name, place=g.board.name(to)), "9.9.1")
        beyond.append((unit, to))
    return tuple(beyond)


def _options(g: State, f: Fight, entering: Sequence[str], marines: Sequence[str]) -> list[Plain]:
    """One unit, as many as there is room for, one that goes on."""
    found: list[Plain] = [{"advance": {"units": [u]}} for u in entering[:3]]
    group = _as_many(g, entering, room(g, f, marines))
    if len(group) > 1:
        found.append({"advance": {"units": list(group)}})
    for unit in entering[:3]:
        for to in second_hexes(g, f, unit)[:2]:
            found.append({"advance": {"units": [unit], "then": [unit], "to": g.board.hexes[to].label}})
    return found if entering and not marines else [*found, {"advance": "none"}]


def _policy(g: State, f: Fight, entering: Sequence[str], space: int, wanted: Plain) -> Plain:
    """`all` that there is room for, `one`, `none`, or a list of units: the first that can enter does."""
    if wanted == "all":
        return {"advance": {"units": [*_as_many(g, entering, space)]}}
    if wanted == "one":
        return {"advance": {"units": list(entering[:1])}}
    for item in wanted if isinstance(wanted, list) else [wanted]:
        if item == "none":
            return {"advance": "none"}
        unit = read_unit(g, item, f.side) if isinstance(item, str) else ""
        if unit in entering:
            return {"advance": {"units": [unit]}}
    return None


def _as_many(g: State, entering: Sequence[str], space: int) -> list[str]:
    """Units in their order, as far as there is room (in half stacking points)."""
    group: list[str] = []
    for unit in entering:
        if g.stack_points([*group, unit]) <= space:
            group.append(unit)
    return group
