"""Hints and reviews: which attack promises most, to be prepared or made, what support is worth, which flight its risk, by the
faces of the dice. Everything lies open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.bots.advice import Advice, Loss, best, greatest
from pbem.games.next_war.bot.entering import Grab
from pbem.games.next_war.bot.fighting import best_attack
from pbem.games.next_war.bot.flying import flights
from pbem.games.next_war.bot.judgement import POINT, danger, defended, driven_out, expect_support, forecast, steps_lost
from pbem.games.next_war.bot.marching import March
from pbem.games.next_war.bot.supporting import FACES, Choice, Weighing, at_helicopter, at_points, choices, lost
from pbem.games.next_war.combat import targets
from pbem.games.next_war.labels import place
from pbem.games.next_war.state import Fight, State
from pbem.games.next_war.support import ships_in_range
from pbem.games.parts import NOTHING, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.kernel.proposals import stands
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg

UNIT = msg("VP")
KIND, MOVEMENT, SUPPORT = "combat", "movement", "support"


def advise(g: State, ask: Ask, own: Own = NOTHING, seed: int = 0) -> list[Advice]:
    """The attacks that promise most, one for each hex, and to make none; in a Movement Segment those that can be prepared,
    flights, and places to be entered; what support brings more than none.
    """
    weigh = _WEIGHED.get(ask.kind)
    return best(weigh(g, ask)) if weigh else []


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
    if kind != "elite" and not g.storm:
        yield from _flights(g, ask)
    for grab in march.grabs():
        orders = _legal(ask, march.moves(dict.fromkeys(grab.units, grab.place)))
        if orders:
            yield Advice(orders, 1000 * grab.worth // POINT, msg("enter: {place}", place=place(g, grab.place)), _entry(g, grab))


def _entry(g: State, grab: Grab) -> tuple[Message, ...]:
    side = g.seat(grab.units[0])
    found = [msg("nobody is there to defend it")]
    if grab.chance < 1000:
        found.append(msg("it is cleared in {n} of 100 cases (exact)", n=grab.chance // 10))
    return (*found, _near(g, side, grab.place, grab.units))


def _near(g: State, side: str, at: int, units: Sequence[str]) -> Message:
    defense = sum(g.values(u).defense for u in units)
    return msg("attack strength that the enemy has near: {n}, against defense {m}", n=danger(g, side).get(at, 0), m=defense)


def _flights(g: State, ask: Ask) -> Iterator[Advice]:
    """The best flight of each unit."""
    seen: set[str] = set()
    for one in flights(g, ask.seat):
        if one.unit not in seen and stands(ask.read, one.order):
            seen.add(one.unit)
            goal = msg("take by air: {place}, {unit}", place=place(g, one.place), unit=g.counter(one.unit).name)
            why = [msg("it arrives in {n} of 100 cases, is hit in {m} (exact)", n=one.arrives // 10, m=one.harmed // 10)]
            if one.cleared < 1000:
                why.append(msg("it is cleared in {n} of 100 cases (exact)", n=one.cleared // 10))
            yield Advice((one.order,), _in_points(one.worth), goal, (*why, _near(g, ask.seat, one.place, [one.unit])))


def _supports(g: State, ask: Ask) -> Iterator[Advice]:
    """What can be sent, against ships alone; the cost of Air Points that later combats will miss included."""
    fight = g.fight
    assert fight is not None
    weigh = Weighing(g, fight, ask.seat)
    ships = ships_in_range(g, ask.seat, fight.target)
    for one in choices(g, ask):
        goal = msg("support: Air Points: {n}, helicopters: {m}", n=one.points, m=len(one.helos))
        falls = msg(
            "the hex falls in {n} of 100 cases (exact, fire at support included)", n=weigh.falls(one.points, one.helos, ships)
        )
        yield Advice((one.order,), _in_points(one.worth), goal, (falls, *_fired_at(g, fight, ask.seat, one)))


def _fired_at(g: State, fight: Fight, side: str, one: Choice) -> Iterator[Message]:
    if one.points:
        yield msg("an Air Point is lost for good in {n} of 100 cases (exact)", n=lost(at_points(g, fight, side, one.points)))
    for helo in one.helos:
        yield msg(
            "{unit} loses a step in {n} of 100 cases (exact)", unit=g.counter(helo).name, n=lost(at_helicopter(g, fight, helo))
        )


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
    mine, theirs = steps_lost(g, fight)
    return (
        msg("the hex falls on {n} of 10 faces of the die (exact, with the support to be expected)", n=driven_out(g, fight)),
        msg("units that attack: {n}", n=len(fight.units)),
        msg("steps lost on the ten faces together: attacker {n}, defender {m}", n=mine, m=theirs),
    )


_WEIGHED: Mapping[str, Callable[[State, Ask], Iterator[Advice]]] = {
    MOVEMENT: _preparations,
    KIND: _attacks,
    SUPPORT: _supports,
}
