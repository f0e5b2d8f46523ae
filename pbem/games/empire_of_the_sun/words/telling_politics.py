"""Politics, control, tracks and markers in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.empire_of_the_sun.events.cards import DealLossSet
from pbem.games.empire_of_the_sun.events.markers import BargesSet, ExpressPlaced, InForce, RouteBuilt
from pbem.games.empire_of_the_sun.events.politics import (
    ChinaMoved,
    EuropeMoved,
    IndiaMoved,
    RivalryBegan,
    RivalryEnded,
    Surrendered,
    WillChanged,
)
from pbem.games.empire_of_the_sun.events.strategy import DivisionsSet, EscortSet, EscortsStopped, PointsSaved, ShippingSet
from pbem.games.empire_of_the_sun.events.turns import PassesSet
from pbem.games.empire_of_the_sun.events.units import Controlled
from pbem.games.empire_of_the_sun.labels import CHINA, INDIA, NATIONS, POINTS, ROUTES, SIDES, block_of, hexes, place
from pbem.games.empire_of_the_sun.state import State, europe_level
from pbem.kernel.wording import Argument, Message, Told, msg, signed


def _controlled(g: State, x: Controlled) -> Told | None:
    before = g.control.get(x.hex, "")
    if before == x.side:
        return None
    args: dict[str, Argument] = {"place": place(g, x.hex), "before": SIDES[before], "after": SIDES[x.side]}
    text = msg("{place}: held by {before} before, by {after} now", **args)
    return Told("control", text, x.rule, block_of(g), hexes(x.hex))


def _surrendered(g: State, x: Surrendered) -> Told:
    nation = NATIONS.get(x.nation, x.nation)
    text = msg("Liberated: {nation}", nation=nation) if x.liberated else msg("Surrenders: {nation}", nation=nation)
    return Told("politics", text, x.rule)


def _will(g: State, x: WillChanged) -> Told:
    now = max(0, min(g.will + x.by, 10))
    text = msg("US Political Will {by}, now {now}: {why}", by=signed(x.by), now=now, why=x.why)
    return Told("politics", text, x.rule, block_of(g))


# -- tracks --------------------------------------------------------------------------------------------------------


def _told(topic: str, text: Message, rule: str, changed: bool = True) -> Told | None:
    return Told(topic, text, rule) if changed else None


def _shipping(g: State, x: ShippingSet) -> Told | None:
    text = msg("Amphibious shipping points of {power}: {n}", power=SIDES[x.side], n=x.points)
    return _told("income", text, x.rule, g.asp.get(x.side) != x.points)


def _passes(g: State, x: PassesSet) -> Told | None:
    text = msg("Passes of {power}: {n}", power=SIDES[x.side], n=x.passes)
    return _told("income", text, x.rule, g.passes.get(x.side) != x.passes)


def _points(g: State, x: PointsSaved) -> Told | None:
    text = msg("Japan has {what}: {n}", what=POINTS[x.pool], n=x.points)
    return _told("income", text, x.rule, g.points.get(x.pool) != x.points)


def _rivalry_began(g: State, x: RivalryBegan) -> Told | None:
    return _told("politics", msg("Inter-Service Rivalry begins: {sides}", sides=SIDES[x.side]), x.rule)


def _rivalry_ended(g: State, x: RivalryEnded) -> Told | None:
    text = msg("Strategic Agreement, the Inter-Service Rivalry ends: {sides}", sides=SIDES[x.side])
    return _told("politics", text, x.rule, x.side in g.rivalry)


def _europe(g: State, x: EuropeMoved) -> Told | None:
    args: dict[str, Argument] = {"points": signed(x.points), "level": europe_level(x.points)}
    return _told("politics", msg("War in Europe: {points} points, level {level}", **args), x.rule, g.europe != x.points)


def _china(g: State, x: ChinaMoved) -> Told | None:
    return _told("politics", msg("China front: {box}", box=CHINA[x.box]), x.rule, g.china != x.box)


def _india(g: State, x: IndiaMoved) -> Told | None:
    return _told("politics", msg("India: {box}", box=INDIA[x.box]), x.rule, g.india != x.box)


def _divisions(g: State, x: DivisionsSet) -> Told | None:
    changed = bool(x.divisions) and x.divisions != g.divisions
    return _told("politics", msg("Japanese divisions in China: {n}", n=x.divisions), x.rule, changed)


def _deal_loss(g: State, x: DealLossSet) -> Told | None:
    changed = bool(x.cards) and x.cards != g.deal_loss
    return _told("income", msg("Cards that Japan loses in the next deal: {n}", n=x.cards), x.rule, changed)


def _escort(g: State, x: EscortSet) -> Told | None:
    changed = bool(x.escort) and x.escort != g.escort
    return _told("build", msg("Japanese escort modifier: {n}", n=x.escort), x.rule, changed)


def _escorts_stopped(g: State, x: EscortsStopped) -> Told | None:
    return _told("politics", msg("Japanese escorts cannot be improved any more"), x.rule, not g.no_escort)


# -- markers -------------------------------------------------------------------------------------------------------


def _barges(g: State, x: BargesSet) -> Told | None:
    text = msg("Japanese barges are available") if x.state == "on" else msg("Japanese barges are stopped")
    return _told("build", text, x.rule, g.barges != x.state)


IN_FORCE: dict[str, tuple[str, Message]] = {
    "interceptors": ("build", msg("Japanese interceptors are in service")),
    "doctrine": ("politics", msg("Japan has a new defence doctrine for islands")),
    "kwai": ("build", msg("The bridge over the River Kwai is built")),
    "hump": ("build", msg("The Hump airlift is open")),
    "doolittle": ("politics", msg("The Doolittle raid has struck Tokyo")),
    "tojo": ("politics", msg("Tojo has resigned")),
    "soviets": ("politics", msg("The Soviets invade Manchuria")),
    "delayed_next": ("politics", msg("Allied reinforcements of the next turn are delayed")),
}


def _in_force(g: State, x: InForce) -> Told | None:
    topic, text = IN_FORCE[x.marker]
    return _told(topic, text, x.rule, not g.has(x.marker))


def _express(g: State, x: ExpressPlaced) -> Told | None:
    return _told("move", msg("Tokyo Express: {place}", place=place(g, x.place)), x.rule)


def _route(g: State, x: RouteBuilt) -> Told | None:
    return _told("build", msg("Transport route built: {route}", route=ROUTES[x.route]), x.rule)


# -- the table -----------------------------------------------------------------------------------------------------


TELL: dict[type, Callable[[State, Any], Told | None]] = {
    Controlled: _controlled,
    Surrendered: _surrendered,
    WillChanged: _will,
    ShippingSet: _shipping,
    PassesSet: _passes,
    PointsSaved: _points,
    RivalryBegan: _rivalry_began,
    RivalryEnded: _rivalry_ended,
    EuropeMoved: _europe,
    ChinaMoved: _china,
    IndiaMoved: _india,
    DivisionsSet: _divisions,
    DealLossSet: _deal_loss,
    EscortSet: _escort,
    EscortsStopped: _escorts_stopped,
    BargesSet: _barges,
    InForce: _in_force,
    ExpressPlaced: _express,
    RouteBuilt: _route,
}
