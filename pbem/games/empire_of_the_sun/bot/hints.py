"""Hints and reviews: which card, and what it could be used for, weighed as the bot weighs it. It knows the own hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.advice import Advice, Loss, best, greatest
from pbem.games.empire_of_the_sun.activation import hqs
from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.bot import Mind
from pbem.games.empire_of_the_sun.bot.events import event_worth
from pbem.games.empire_of_the_sun.bot.planning import best_plan
from pbem.games.empire_of_the_sun.bot.plans import Plan
from pbem.games.empire_of_the_sun.impulse.uses import ask_use
from pbem.games.empire_of_the_sun.labels import place, unit
from pbem.games.empire_of_the_sun.odds.endings import odds_of
from pbem.games.empire_of_the_sun.operations.battle_hexes import Declaration
from pbem.games.empire_of_the_sun.operations.declaration import declare
from pbem.games.empire_of_the_sun.rehearsal import rehearse
from pbem.games.empire_of_the_sun.state import State
from pbem.games.empire_of_the_sun.supply import supplied
from pbem.games.parts import NOTHING, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.wording import Message, msg
from pbem.odds.decimals import percent

UNIT = msg("points of the bot")
KIND = "use"
NAMED = 5  # hexes that one line names


class Use(Struct, frozen=True):
    """A card put to a use, with the offensive that it would be, where it is one."""

    advice: Advice
    plan: Plan | None = None


def advise(g: State, ask: Ask, own: Own = NOTHING, seed: int = 0) -> list[Advice]:
    """The best uses of the card that is played: its event, or an offensive from a headquarters; before it, the best of each."""
    mind = Mind(g, ask, dict(own))
    found = [*_cards(mind)] if ask.kind == "card" else [*_uses(mind)] if ask.kind == KIND else []
    return [_explained(g, one, found) for one in best(use.advice for use in found)]


def review(g: State, ask: Ask, orders: Sequence[Plain], own: Own = NOTHING, seed: int = 0) -> list[Loss]:
    """What the use that was made of a card lost against the best one, as far as that use can be weighed."""
    if ask.kind != KIND or not orders:
        return []
    found = [*_uses(Mind(g, ask, dict(own)))]
    played = next((use.advice for use in found if use.advice.orders == (orders[0],)), None)
    top = best((use.advice for use in found), 1)
    if played is None or not top:
        return []
    lost = _value(top[0]) - _value(played)
    return greatest([Loss(lost, _explained(g, played, found), _explained(g, top[0], found))])


def _value(one: Advice) -> int:
    return one.value or 0


def _explained(g: State, one: Advice, found: Sequence[Use]) -> Advice:
    """With the reasons, which are found only for what is shown: exact odds take their time."""
    plan = next(use.plan for use in found if use.advice.orders == one.orders)
    return replace(one, reasons=(*_reasons(g, plan),)) if plan is not None else one


def _cards(mind: Mind) -> Iterator[Use]:
    """Each card that can be played, with the best use of it."""
    for card in mind.cards():
        play: Plain = {"play": card.id}
        if not mind.legal(play):
            continue
        uses = [*_uses(Mind(mind.g, ask_use(mind.g, mind.side, card, seized=False), mind.hand))]
        for one in best((use.advice for use in uses), 1):
            plan = next(use.plan for use in uses if use.advice == one)
            yield Use(replace(one, orders=(play, *one.orders)), plan)


def _uses(mind: Mind) -> Iterator[Use]:
    g = mind.g
    card = g.board.cards[str(mind.ask.facts["card"])]
    if card.type != "military" and mind.legal("event"):
        yield Use(Advice(("event",), 1000 * event_worth(g, card), msg("the event of the card")))
    for hq in (h for h in hqs(g, mind.side) if supplied(g, h)):
        yield from _offensives(mind, card, hq)


def _offensives(mind: Mind, card: Card, hq: str) -> Iterator[Use]:
    g = mind.g
    for event in (True, False):
        use: Plain = {"event" if event else "operations": hq}
        if (event and card.type != "military") or not mind.legal(use):
            continue
        plan = best_plan(g, hq, card, event)
        yield Use(Advice((use,), 1000 * plan.gain, msg("offensive: {hq}", hq=unit(g, hq))), plan)


# -- why ---------------------------------------------------------------------------------------------------------------


def _reasons(g: State, plan: Plan) -> Iterator[Message]:
    blows = sorted(plan.blows, key=lambda b: (-b.gain, b.place))
    if not blows:
        yield msg("no hex is worth an attack")
    fought = _declared(plan)
    for blow in blows[:NAMED]:
        where = place(g, blow.place)
        if blow.battle:
            yield msg(
                "battle: {place}, units: {n}, won without a reaction: {chance} (exact), gain: {gain}",
                place=where,
                n=len(blow.units),
                chance=percent(_won(fought, blow.place)),
                gain=blow.gain,
            )
        else:
            yield msg("taken without a battle: {place}, gain: {gain}", place=where, gain=blow.gain)


def _declared(plan: Plan) -> State:
    """The position once the offensive has moved and its battles are declared."""
    later = rehearse(plan.copy)
    declare(later, Declaration({b.place: [*b.from_afar] for b in plan.blows if b.from_afar}))
    return later


def _won(fought: State, at: int) -> float:
    return sum(chance for ending, chance in odds_of(fought, at, lambda seat, kind: ()).chances.items() if ending.won)
