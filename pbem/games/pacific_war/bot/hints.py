"""Hints and reviews of the strategic game: which operation each headquarters would plan, at what price."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.bots.advice import Advice, Loss, best, greatest
from pbem.games.pacific_war.bot import legal
from pbem.games.pacific_war.bot.operations import Plan, plan_of
from pbem.games.pacific_war.secret.forces import concealed, presumed
from pbem.games.pacific_war.state import STRATEGIC, State
from pbem.games.pacific_war.terms import place
from pbem.games.pacific_war.world.links import reach
from pbem.games.parts import NOTHING, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg

UNIT = msg("points of the bot")
BID, ACTIVATE = "operation-bid", "activate"
NAMED = 6  # hexes that one line names


def advise(g: State, ask: Ask, own: Own = NOTHING, seed: int = 0) -> list[Advice]:
    """The best operations of all headquarters: what to bid for them, or whom to activate.

    Nobody in secret is known to it, not even the asker's own: they are where everybody saw them.
    """
    if g.level != STRATEGIC or ask.kind not in (BID, ACTIVATE):
        return []
    return best(one for one in _operations(g, ask) if legal(ask, one.orders[0]))


def review(g: State, ask: Ask, orders: Sequence[Plain], own: Own = NOTHING, seed: int = 0) -> list[Loss]:
    """What the operation that was begun lost against the best one, by the plans of the headquarters."""
    if g.level != STRATEGIC or ask.kind != ACTIVATE or not orders:
        return []
    found = advise(g, ask)
    everything = [one for one in _operations(g, ask) if _hq(one.orders[0]) == _hq(orders[0])]
    if not found or found[0].orders == (DONE,) or (orders[0] != DONE and not everything):
        return []
    played = everything[0] if orders[0] != DONE else Advice((DONE,), 0)
    return greatest([Loss((found[0].value or 0) - (played.value or 0), played, found[0])])


def _hq(order: Plain) -> str:
    body = order.get(ACTIVATE) if isinstance(order, dict) else None
    return str(body["hq"]) if isinstance(body, dict) and "hq" in body else ""


def _operations(g: State, ask: Ask) -> Iterator[Advice]:
    side = ask.seat
    most = int(str(ask.facts.get("most" if ask.kind == BID else "bid", 0)))
    seen = presumed(g, side) if concealed(g, side) else g
    for hq in reach(seen, side):
        plan = plan_of(seen, side, hq, min(most, seen.hqs[hq].points))
        if plan is not None:
            yield Advice((_order(ask, plan),), 1000 * plan.gain, msg("operation: {hq}", hq=hq), (*_reasons(g, plan),))
    yield Advice(({"bid": 0} if ask.kind == BID else DONE,), 0, msg("no operation"))


def _order(ask: Ask, plan: Plan) -> Plain:
    if ask.kind == BID:
        return {"bid": plan.price}
    return {"activate": {"hq": plan.hq, "units": [*plan.units], "days": plan.days}}


def _reasons(g: State, plan: Plan) -> Iterator[Message]:
    yield msg("price in command points: {price}; days: {days}; units: {n}", price=plan.price, days=plan.days, n=len(plan.units))
    goals = sorted(plan.tasks, key=lambda t: (-t.worth, t.goal))[:NAMED]
    if goals:
        yield msg("it goes for: {places}", places=tuple(place(g, t.goal) for t in goals))
