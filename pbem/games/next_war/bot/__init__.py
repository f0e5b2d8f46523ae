"""A bot that plays either side legally and with simple sense. Everything in this game lies open; it knows no dice to come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pbem.bots.advice import Advice
from pbem.bots.course import Course
from pbem.bots.levels import slip
from pbem.games.next_war.board import distance
from pbem.games.next_war.bot import fighting, marching, sea_and_air, supporting
from pbem.games.next_war.bot.judgement import eliminated, prize
from pbem.games.next_war.orders import read_spot
from pbem.games.next_war.reinforcements import rebuild_hexes, wanting
from pbem.games.next_war.state import FOE, State
from pbem.games.parts import EASY, NORMAL, NOTHING, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.proposals import stands
from pbem.kernel.questions import DONE

Thought = Callable[[State, Ask], Iterable[Plain]]
_COURSE = Course()
AWAY = 6  # hexes from the nearest enemy at which a unit comes back


def choose(g: State, ask: Ask, own: Own = NOTHING, seed: int = 0, level: str = NORMAL) -> Plain:
    """One legal order for the question at hand.

    An easy bot draws from `seed` which of its ideas it follows; a normal one plays one way.
    """
    if ask.forced is not None:
        return ask.forced
    if level == EASY and ask.kind != "movement":  # there its ideas are no whole plan
        idea = _easy_idea(g, ask, own, seed)
        if idea is not None:
            return idea.orders[0]
    thought = _THOUGHTS.get(ask.kind)
    for order in thought(g, ask) if thought else ():
        if stands(ask.read, order):
            return order
    return ask.options()[0]


def _easy_idea(g: State, ask: Ask, own: Own, seed: int) -> Advice | None:
    """What an easy bot makes of its ideas; None where it weighs none."""
    from pbem.games.next_war.bot import hints

    return slip(hints.advise(g, ask, own), g, f"{ask.seat} {ask.kind}", seed)


# -- movement ------------------------------------------------------------------------------------------------------------


def _movement(g: State, ask: Ask) -> Iterator[Plain]:
    """Ships and flights, thought through again after each one; when those are done, what is planned for the ground units."""
    kind = str(ask.facts["segment"])
    name = f"{g.turn} {g.moment} {kind} {ask.seat}"
    orders = _COURSE.rest(g, name)
    if orders is None and kind != "elite":
        yield from sea_and_air.missions(g, ask.seat)
    if orders is None:
        orders = _COURSE.begin(g, name, marching.plan(g, kind, ask.seat))
    for number, order in enumerate(orders, 1):
        _COURSE.give(g, name, orders[number:])
        yield order
    yield DONE


# -- arrivals, replacements, weather -------------------------------------------------------------------------------------


def _weather(g: State, ask: Ask) -> Iterator[Plain]:
    """Clear for the side that chooses: it attacks."""
    yield {"weather": "clear"}


def _arrive(g: State, ask: Ask) -> Iterator[Plain]:
    """As near to the fighting as can be, not next to the enemy; ships take the first place."""
    foes = sorted(g.occupied(FOE[ask.seat]))

    def gap(order: Any) -> tuple[int, str]:
        at, area = read_spot(g, order["arrive"])
        if area or not foes:
            return 0, ""
        near = min(distance(at, f) for f in foes)
        return (near if near > 2 else 50 - near) - prize(g, FOE[ask.seat], at) // 10, str(order)

    yield from sorted(ask.options(), key=gap)


def _replacements(g: State, ask: Ask) -> Iterator[Plain]:
    """Steps for units that are there, the dearest first; others come back where the enemy does not come to at once.

    A unit that comes back has one step and brings the enemy all its points, should he find it.
    """
    foes = sorted(g.occupied(FOE[ask.seat]))

    def gap(place: int) -> int:
        return min((distance(place, f) for f in foes), default=AWAY)

    for unit in sorted(wanting(g, ask.seat), key=lambda u: (not g.pieces[u].at, -eliminated(g, u), u)):
        if g.pieces[unit].at:
            yield {"recover": unit}
        else:
            safe = [h for h in rebuild_hexes(g, unit) if gap(h) >= AWAY]
            for place in sorted(safe, key=lambda h: (gap(h), h))[:3]:
                yield {"rebuild": {"units": unit, "at": g.board.hexes[place].label}}
    yield DONE


_THOUGHTS: Mapping[str, Thought] = {
    "movement": _movement,
    "weather": _weather,
    "arrive": _arrive,
    "replacements": _replacements,
    "sweep": sea_and_air.sweep,
    "flee": sea_and_air.flee,
    "combat": fighting.combat,
    "support": supporting.support,
    "stand": fighting.stand,
    "failed": fighting.failed,
    "retreat": fighting.retreat,
    "advance": fighting.advance,
    "defend": fighting.defend,
    "lose": fighting.lose,
    "clearing-loss": fighting.lose,
    "lead-clearing": fighting.lead_clearing,
}
