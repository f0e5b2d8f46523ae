"""Hints and reviews: which attack promises most, to be prepared or made, by the ten faces of the die. Everything lies open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.bots.advice import Advice, Loss, best, greatest
from pbem.games.next_war.bot.fighting import best_attack
from pbem.games.next_war.bot.judgement import POINT, defended, driven_out, expect_support, forecast, prize
from pbem.games.next_war.bot.marching import March
from pbem.games.next_war.combat import targets
from pbem.games.next_war.labels import place
from pbem.games.next_war.state import Fight, State
from pbem.games.parts import NOTHING, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.kernel.proposals import stands
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg

UNIT = msg("VP")
KIND, MOVEMENT = "combat", "movement"
FACES = 10


def advise(g: State, ask: Ask, own: Own = NOTHING, seed: int = 0) -> list[Advice]:
    """The attacks that promise most, one for each hex, and to make none; in a Movement Segment those that can be prepared, and
    places to be entered.
    """
    if ask.kind == MOVEMENT:
        return best(_preparations(g, ask))
    return best(_attacks(g, ask)) if ask.kind == KIND else []


def review(g: State, ask: Ask, orders: Sequence[Plain], own: Own = NOTHING, seed: int = 0) -> list[Loss]:
    """What the first order of a Combat Segment lost: a weak attack, or that none was made.

    Attacks of one segment do not exclude each other, so that only one that promises less than nothing has lost something;
    `done` loses the best attack that was left.
    """
    if ask.kind != KIND or not orders:
        return []
    played = _none() if orders[0] == DONE else _weighed(g, ask, orders[0])
    if played is None:
        return []
    if orders[0] != DONE:
        return greatest([Loss(-(played.value or 0), played, None)])
    top = best(_attacks(g, ask), 1)[0]
    return greatest([Loss(top.value or 0, played, top)])


def _none() -> Advice:
    return Advice((DONE,), 0, msg("no further attack"))


def _attacks(g: State, ask: Ask) -> Iterator[Advice]:
    for target in sorted(targets(g, ask.seat)):
        found = _weighed(g, ask, best_attack(g, ask, target)[1])
        if found is not None:
            yield found
    yield _none()


def _preparations(g: State, ask: Ask) -> Iterator[Advice]:
    """Moves that make an attack possible, or that take what nobody defends; in Elite Reaction only the latter."""
    kind = str(ask.facts["segment"])
    march = March(g, kind, ask.seat)
    for blow in march.blows() if kind != "elite" else ():
        orders = _legal(ask, march.moves(blow.places))
        if orders and blow.worth > 0:
            seen, fight = march.fight(blow.target, blow.places)
            goal = msg("prepare an attack: {place}", place=place(g, blow.target))
            yield Advice(orders, _in_points(forecast(seen, fight)), goal, _odds(seen, fight))
    for at, unit in march.grabs():
        orders = _legal(ask, march.moves({unit: at}))
        if orders:
            why = (msg("nobody is there to defend it"),)
            yield Advice(orders, 1000 * prize(g, ask.seat, at) // POINT, msg("enter: {place}", place=place(g, at)), why)


def _legal(ask: Ask, orders: Sequence[Plain]) -> tuple[Plain, ...]:
    """The orders that stand, no unit in two of them."""
    found, sent = list[Plain](), set[str]()
    for order in orders:
        assert isinstance(order, dict) and isinstance(order["move"], dict)
        units = {str(unit) for unit in order["move"]["units"]}  # type: ignore[union-attr]
        if sent.isdisjoint(units) and stands(ask.read, order):
            found.append(order)
            sent |= units
    return tuple(found)


def _weighed(g: State, ask: Ask, order: Plain) -> Advice | None:
    """An attack by what it gains and loses on the mean of the die; None for what is no legal attack."""
    if not isinstance(order, dict) or "attack" not in order:
        return None
    try:
        fight = ask.read(order)[1]
    except Rejected:
        return None
    seen = expect_support(g, defended(g, fight))
    return Advice((order,), _in_points(forecast(g, seen)), msg("attack: {place}", place=place(g, fight.target)), _odds(g, seen))


def _in_points(total: int) -> int:
    """Thousandths of a Victory Point, of a sum over the faces of the die."""
    return 1000 * total // (FACES * POINT)


def _odds(g: State, fight: Fight) -> tuple[Message, ...]:
    return (
        msg("the hex falls on {n} of 10 faces of the die (exact, with the support to be expected)", n=driven_out(g, fight)),
        msg("units that attack: {n}", n=len(fight.units)),
    )
