"""[9.2.4, 9.2.5, 9.6.1] Combat Support of both sides, and the fire at it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.games.next_war.air import fire, fire_at, lose_air_point, spend
from pbem.games.next_war.board import distance
from pbem.games.next_war.casualties import lose_step
from pbem.games.next_war.combat_forms import supports
from pbem.games.next_war.events.combat import AirSupportNamed, HelicopterSupportNamed, NavalSupportNamed
from pbem.games.next_war.events.turns import UsedUp
from pbem.games.next_war.helicopters import fire_at_start, fly, reach, ready, support_of
from pbem.games.next_war.labels import side_term
from pbem.games.next_war.orders import fields, read_own, split_order
from pbem.games.next_war.state import FOE, Fight, State
from pbem.games.next_war.strength import odds_of
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.naming import read_number
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.questions import NONE
from pbem.kernel.wording import NO_WORDS, Argument, Message, die_for, msg, quoted

MOST_POINTS = {True: 4, False: 2}  # attacking or not
MOST_HELOS = {True: 2, False: 1}


class Support(Struct, frozen=True):
    """What a side commits: Air Points, helicopters, naval units."""

    points: int = 0
    helos: tuple[str, ...] = ()
    ships: tuple[str, ...] = ()


class Means(Struct, frozen=True):
    """What a side could commit."""

    attacking: bool
    points: int
    helos: tuple[str, ...]
    ships: tuple[str, ...]

    @property
    def most_helos(self) -> int:
        """[6.5.3] Helicopters in one combat."""
        return MOST_HELOS[self.attacking]


def ships_in_range(g: State, side: str, target: int) -> list[str]:
    """[7.3] Naval units on sea or Port hexes in range, without enemy ships beside them, that have not fired in the segment."""
    found = []
    for unit in g.on_map(side, "AMPH", "SAG", "CV", "CVN"):
        place, counter = g.pieces[unit].at, g.counter(unit)
        if not counter.support[0] or unit in g.fired or distance(place, target) > counter.range:
            continue
        near = g.board.within(place, 10) if g.newer else (place, *g.board.near[place])
        if not any(g.here(FOE[side], h, "AMPH", "SAG", "CV", "CVN") for h in near):
            found.append(unit)
    return found


def ask_support(g: State, side: str, attacking: bool) -> Flow[Support]:
    """[6.2.1, 6.5.3] A side names its support for the present combat; not asked when it has none."""
    fight = g.fight
    assert fight is not None
    helos, ships = ready(g, side, fight.target), ships_in_range(g, side, fight.target)
    points = min(MOST_POINTS[attacking], g.air[side])
    if not points and not helos and not ships:
        return Support()
    found: Support = yield _ask(g, side, Means(attacking, points, tuple(helos), tuple(ships)))
    return found


def _ask(g: State, side: str, means: Means) -> Ask:
    fight = g.fight
    assert fight is not None
    target = g.board.hexes[fight.target]
    return Ask(
        side,
        "support",
        "9.2.4",
        _prompt(g, fight, means.attacking),
        lambda plain: _read(g, side, means, plain),
        ("support",),
        f"combat:{target.label.lower()}",
        facts={
            "air": means.points,
            "helos": len(means.helos),
            "ships": len(means.ships),
            "attack": means.attacking,
            "column": fight.column,
        },
        options=lambda: _options(means),
        policy=lambda wanted: _policy(g, side, means, wanted),
        reaction=not means.attacking,
        form=lambda: supports(g, side, means.points, means.helos, means.ships, lambda plain: _read(g, side, means, plain)),
    )


def _prompt(g: State, fight: Fight, attacking: bool) -> Message:
    args: dict[str, Argument] = {
        "place": g.board.name(fight.target),
        "ratio": odds_of(g, fight).ratio,
        "column": fight.column,
    }
    if attacking:
        return msg("support for the attack on {place}? Odds {ratio}, column {column}", **args)
    return msg("support for the defense of {place}? Odds {ratio}, column {column}", **args)


def _read(g: State, side: str, means: Means, plain: Plain) -> Support:
    """`support: air 2 helos A, B ships C`, or none. Raises Rejected."""
    _, body = split_order(plain, ("support",))
    if body in (NONE, None):
        return Support()
    f = fields(body, ("air", "helos", "ships"))
    if "units" in f:
        raise illegal(
            msg("{given} is no support", given=quoted(f["units"])),
            "9.2.4",
            msg("for example {example}", example="support: air 2 helos A, B ships C"),
        )
    air = read_number(f.get("air", 0), 0, 99, "6.2.1")
    if air > means.points:
        raise illegal(msg("Air Points: {n}", n=air), "6.2.1", msg("at most {n}", n=means.points))
    flying = read_own(g, f["helos"], side, "6.5.3") if "helos" in f else []
    firing = read_own(g, f["ships"], side, "7.3") if "ships" in f else []
    if len(flying) > means.most_helos:
        raise illegal(msg("helicopters: {n}", n=len(flying)), "6.5.3", msg("at most {n}", n=means.most_helos))
    target = g.board.name(g.fight.target) if g.fight is not None else ""
    for unit in flying:
        if unit not in means.helos:
            raise illegal(
                msg("{unit} cannot fly to {place} now", unit=g.counter(unit).name, place=target), "6.5.3", _able(g, means.helos)
            )
    for unit in firing:
        if unit not in means.ships:
            raise illegal(
                msg("{unit} cannot fire at {place} now", unit=g.counter(unit).name, place=target), "7.3", _able(g, means.ships)
            )
    return Support(air, tuple(flying), tuple(firing))


def _able(g: State, units: Sequence[str]) -> Message:
    """Which units can."""
    return msg("one of: {choices}", choices=tuple(g.counter(u).name for u in units)) if units else NO_WORDS


def _policy(g: State, side: str, means: Means, wanted: Plain) -> Plain:
    """`air: n`, `helos: n` and `ships: all`, as far as they can be had; `none`."""
    if not isinstance(wanted, dict):
        return {"support": NONE} if wanted == NONE else None
    order: dict[str, Plain] = {}
    air, helos = wanted.get("air"), wanted.get("helos")
    if isinstance(air, int):
        order["air"] = min(air, means.points)
    if isinstance(helos, int) and means.helos:
        order["helos"] = list(means.helos[: min(helos, means.most_helos)])
    if wanted.get("ships") == "all" and means.ships:
        order["ships"] = list(means.ships)
    full: Plain = {"support": order or NONE}
    try:
        _read(g, side, means, full)
    except Rejected:
        return None
    return full


def _options(means: Means) -> list[Plain]:
    """All that can be had, nothing, one Air Point."""
    most: dict[str, Plain] = {}
    if means.points:
        most["air"] = means.points
    if means.helos:
        most["helos"] = list(means.helos[: means.most_helos])
    if means.ships:
        most["ships"] = list(means.ships)
    found: list[Plain] = [{"support": most}, {"support": NONE}]
    one: Plain = {"support": {"air": 1}}
    return [*found, one] if means.points and one not in found else found


def commit(g: State, side: str, support: Support) -> None:
    """[6.2, 6.5.2, 7.3] What was named is used up."""
    fight = g.fight
    assert fight is not None
    spend(g, side, support.points, "6.2.1")
    for helo in support.helos:
        fly(g, helo, "6.5.3")
    if support.ships:
        emit(g, UsedUp(tuple(support.ships), "7.3"))
    emit(g, AirSupportNamed(side, support.points))
    emit(g, HelicopterSupportNamed(side, tuple(support.helos)))
    emit(g, NavalSupportNamed(side, tuple(support.ships)))


def under_fire(g: State, side: str) -> Flow[int]:
    """[6.6, 9.2.5] Fire at the Air Points together and at each helicopter; what is left of a side's support."""
    fight = g.fight
    assert fight is not None
    target = fight.target
    total = sum(g.counter(u).support[0] for u in fight.ships.get(side, ()))
    points = fight.points.get(side, 0)
    if points:
        label = die_for("Air Defense Fire at Air Points, {side}", side=side_term(side))
        found = yield from fire(g, side, label, target, (target,), 0, False)
        if found.lost:
            lose_air_point(g, side, "6.3.2")
        total += max(0, points - found.spoiled)
    for helo in fight.helos.get(side, ()):
        rating = support_of(g, helo)
        path = reach(g, helo, target, g.counter(helo).range) or (g.pieces[helo].at, target)
        before = yield from fire_at_start(g, helo)
        if not g.pieces[helo].at:
            continue
        found = yield from fire(g, side, fire_at(g.counter(helo).name), target, path, 0, True)
        if found.lost:
            lose_step(g, helo, "6.6.1.1")
        total += max(0, rating - before.spoiled - found.spoiled)
    return total
