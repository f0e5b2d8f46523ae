"""Hints and reviews: what a card could be used for, weighed as the bot weighs it. It knows the cards of the own hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.bots.advice import Advice, Loss, best, greatest
from pbem.games.empire_of_the_sun.activation import hqs
from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.bot import Mind
from pbem.games.empire_of_the_sun.bot.events import event_worth
from pbem.games.empire_of_the_sun.bot.planning import best_plan
from pbem.games.empire_of_the_sun.bot.plans import Plan
from pbem.games.empire_of_the_sun.labels import place, unit
from pbem.games.empire_of_the_sun.state import State
from pbem.games.empire_of_the_sun.supply import supplied
from pbem.games.parts import NOTHING, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.wording import Message, msg

UNIT = msg("points of the bot")
KIND = "use"
NAMED = 5  # hexes that one line names


def advise(g: State, ask: Ask, own: Own = NOTHING, seed: int = 0) -> list[Advice]:
    """The best uses of the card that is played: its event, or an offensive from a headquarters."""
    return best(_uses(Mind(g, ask, dict(own)))) if ask.kind == KIND else []


def review(g: State, ask: Ask, orders: Sequence[Plain], own: Own = NOTHING, seed: int = 0) -> list[Loss]:
    """What the use that was made of a card lost against the best one, as far as that use can be weighed."""
    if ask.kind != KIND or not orders:
        return []
    found = [*_uses(Mind(g, ask, dict(own)))]
    played = next((one for one in found if one.orders == (orders[0],)), None)
    top = best(found, 1)
    if played is None or not top:
        return []
    return greatest([Loss(_value(top[0]) - _value(played), played, top[0])])


def _value(one: Advice) -> int:
    return one.value or 0


def _uses(mind: Mind) -> Iterator[Advice]:
    g = mind.g
    card = g.board.cards[str(mind.ask.facts["card"])]
    if card.type != "military" and mind.legal("event"):
        yield Advice(("event",), 1000 * event_worth(g, card), msg("the event of the card"))
    for hq in (h for h in hqs(g, mind.side) if supplied(g, h)):
        yield from _offensives(mind, card, hq)


def _offensives(mind: Mind, card: Card, hq: str) -> Iterator[Advice]:
    g = mind.g
    for event in (True, False):
        use: Plain = {"event" if event else "operations": hq}
        if (event and card.type != "military") or not mind.legal(use):
            continue
        plan = best_plan(g, hq, card, event)
        yield Advice((use,), 1000 * plan.gain, msg("offensive: {hq}", hq=unit(g, hq)), (*_reasons(g, plan),))


def _reasons(g: State, plan: Plan) -> Iterator[Message]:
    blows = sorted(plan.blows, key=lambda b: (-b.gain, b.place))
    if not blows:
        yield msg("no hex is worth an attack")
    for blow in blows[:NAMED]:
        where = place(g, blow.place)
        if blow.battle:
            yield msg("battle: {place}, units: {n}, gain: {gain}", place=where, n=len(blow.units), gain=blow.gain)
        else:
            yield msg("taken without a battle: {place}, gain: {gain}", place=where, gain=blow.gain)
