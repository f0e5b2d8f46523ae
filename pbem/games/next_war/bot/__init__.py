"""A bot that plays either side legally and with simple sense. Everything in this game lies open; it knows no dice to come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from pbem.bots.advice import Advice
from pbem.bots.levels import slip
from pbem.games.next_war.board import distance
from pbem.games.next_war.bot import fighting, marching, sea_and_air
from pbem.games.next_war.bot.judgement import danger, eliminated, prize
from pbem.games.next_war.orders import read_spot
from pbem.games.next_war.reinforcements import rebuild_hexes, wanting
from pbem.games.next_war.state import FOE, State
from pbem.games.parts import EASY, NORMAL, NOTHING, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.proposals import stands
from pbem.kernel.questions import DONE

Thought = Callable[[State, Ask], Iterable[Plain]]
_PLANS: dict[int, tuple[State, str, Iterator[Plain]]] = {}  # the position that was planned for, the segment, orders to come


def choose(g: State, ask: Ask, own: Own = NOTHING, seed: int = 0, level: str = NORMAL) -> Plain:
    """One legal order for the question at hand.

    An easy bot draws from `seed` which of its ideas it follows; a normal one plays one way.
    """
    if ask.forced is not None:
        return ask.forced
    if level == EASY:
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


def _movement(g: State, ask: Ask) -> Iterable[Plain]:
    """What has been planned for this segment, then done."""
    kind = str(ask.facts["segment"])
    key = f"{g.turn} {g.moment} {kind} {ask.seat}"
    known = _PLANS.get(id(g))
    if known is None or known[0] is not g or known[1] != key:
        while len(_PLANS) >= 8:
            del _PLANS[next(iter(_PLANS))]
        known = _PLANS[id(g)] = (g, key, _planned(g, kind, ask.seat))
    return chain(known[2], (DONE,))  # a generator here would close the plan with the first order that is taken


def _planned(g: State, kind: str, side: str) -> Iterator[Plain]:
    """Ships and flights first; the ground units are thought about when those are done."""
    if kind != "elite":
        yield from _repeated(g, side)
    yield from marching.plan(g, kind, side)


def _repeated(g: State, side: str) -> Iterator[Plain]:
    """Missions, thought through again after each one that was flown or sailed."""
    tried: set[str] = set()
    while True:
        order = next((o for o in sea_and_air.missions(g, side) if str(o) not in tried), None)
        if order is None:
            return
        tried.add(str(order))
        yield order


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
    """The unit that is worth most gets a step or comes back, as near to the enemy as it may but not beside him."""
    heat, foes = danger(g, ask.seat), sorted(g.occupied(FOE[ask.seat]))

    def gap(place: int) -> tuple[int, int, int]:
        return heat.get(place, 0), min((distance(place, f) for f in foes), default=0), place

    for unit in sorted(wanting(g, ask.seat), key=lambda u: (-eliminated(g, u), u)):
        if g.pieces[unit].at:
            yield {"recover": unit}
        else:
            for place in sorted(rebuild_hexes(g, unit), key=gap)[:3]:
                yield {"rebuild": {"units": unit, "at": g.board.hexes[place].label}}
    yield DONE


_THOUGHTS: Mapping[str, Thought] = {
    "movement": _movement,
    "weather": _weather,
    "arrive": _arrive,
    "replacements": _replacements,
    "combat": fighting.combat,
    "support": fighting.support,
    "stand": fighting.stand,
    "failed": fighting.failed,
    "retreat": fighting.retreat,
    "advance": fighting.advance,
    "defend": fighting.defend,
    "lose": fighting.lose,
    "clearing-loss": fighting.lose,
    "lead-clearing": fighting.lead_clearing,
}
