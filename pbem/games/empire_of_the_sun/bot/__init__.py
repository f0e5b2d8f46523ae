"""A bot that plays either side legally and with simple sense. It knows the open position and the cards of its own hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.bots.advice import Advice
from pbem.bots.course import Course
from pbem.bots.levels import slip
from pbem.games.empire_of_the_sun.activation import hqs, logistics
from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.bot.answers import answer
from pbem.games.empire_of_the_sun.bot.events import event_worth
from pbem.games.empire_of_the_sun.bot.openings import Line, drawn
from pbem.games.empire_of_the_sun.bot.planning import best_plan, plan_offensive
from pbem.games.empire_of_the_sun.bot.plans import Plan
from pbem.games.empire_of_the_sun.bot.reacting import counter, intelligence, reaction, reaction_cards
from pbem.games.empire_of_the_sun.cards import hidden, must_play_event, usable, why_no_event, with_handles
from pbem.games.empire_of_the_sun.state import JAPAN, State, offensive
from pbem.games.empire_of_the_sun.supply import supplied
from pbem.games.parts import EASY, NORMAL, NOTHING, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.kernel.questions import AGAIN, DONE

Hand = Mapping[str, str]  # card -> handle of what only the owner knows
COMMANDERS = 4  # HQs for which an offensive is thought through
_COURSE = Course()


def choose(g: State, ask: Ask, own: Own = NOTHING, seed: int = 0, level: str = NORMAL) -> Plain:
    """One legal order for the question at hand, cards by name. `own`: the asked side's hidden cards, card -> handle.

    The seed draws the opening line; an easy bot draws from it which of its ideas it follows.
    """
    if level == EASY:
        idea = _easy_idea(g, ask, own, seed)
        if idea is not None:
            return idea.orders[0]
    mind = Mind(g, ask, dict(own), seed)
    thought = _THOUGHTS.get(ask.kind)
    for order in thought(mind) if thought else ():
        if mind.legal(order):
            return order
    return answer(g, ask)


def _easy_idea(g: State, ask: Ask, own: Own, seed: int) -> Advice | None:
    """What an easy bot makes of its ideas for the use of a card; it plays the cards as every bot does."""
    from pbem.games.empire_of_the_sun.bot import hints

    return slip(hints.advise(g, ask, own) if ask.kind == hints.KIND else (), g, f"{ask.seat} {ask.kind}", seed)


class Mind:
    """The question, the cards that the asked side knows itself to hold, and what is legal."""

    def __init__(self, g: State, ask: Ask, hand: Hand, seed: int = 0) -> None:
        self.g, self.ask, self.hand, self.side, self.seed = g, ask, dict(hand), ask.seat, seed

    def legal(self, order: Plain) -> bool:
        """The order stands, its cards spelled out."""
        try:
            self.ask.read(with_handles(self.g, self.side, order, self.hand))
        except Rejected:
            return False
        return True

    def cards(self) -> list[Card]:
        """The cards that can be played."""
        entries = usable(self.g, self.side)
        held = [c for c, handle in self.hand.items() if handle in entries] + [e for e in entries if not hidden(e)]
        return [self.g.board.cards[c] for c in sorted(set(held))]


# -- cards -----------------------------------------------------------------------------------------------------------


def _card(mind: Mind) -> list[Plain]:
    """Special cards first, then large offensives, reaction cards last."""
    ranked = sorted(mind.cards(), key=lambda c: (-_rank(mind.g, c), c.id))
    orders: list[Plain] = [{word: c.id} for word in ("play", "discard") for c in ranked]
    return [*orders, "pass"]


def _rank(g: State, card: Card) -> int:
    if must_play_event(g, card) or "special" in card.data:
        return 1000
    if card.type == "reaction":
        return card.ops
    size = max((logistics(card, hq) for hq in hqs(g, card.side)), default=0)
    if card.type != "military" or why_no_event(g, card) or not _may_lead(g, card):
        return 20 + 10 * card.ops + (0 if card.type == "military" else -event_worth(g, card))
    return 40 + 10 * max(size, card.ops)


def _may_lead(g: State, card: Card) -> bool:
    allowed = card.data.get("hq", ())
    return not allowed or any(hq in allowed for hq in hqs(g, card.side))


def _use(mind: Mind) -> list[Plain]:
    """The event, or the best offensive among those of a few HQs, whichever is worth more."""
    g = mind.g
    card = g.board.cards[str(mind.ask.facts["card"])]
    if card.type != "military" or "special" in card.data:
        first: list[tuple[int, Plain]] = [(event_worth(g, card), "event")] if mind.legal("event") else []
    else:
        first = []
    if first and (must_play_event(g, card) or "special" in card.data):
        return ["event"]
    found = [*first, *_offensives(mind, card)]
    if card.side == JAPAN and mind.legal("china"):
        found.append((12, "china"))
    if mind.legal("rivalry"):
        found.append((16, "rivalry"))
    ranked = sorted(found, key=lambda x: -x[0])
    return [order for _, order in ranked]


def _offensives(mind: Mind, card: Card) -> list[tuple[int, Plain]]:
    g = mind.g
    found: list[tuple[int, Plain]] = []
    ready = [hq for hq in hqs(g, mind.side) if supplied(g, hq)]
    prospects = sorted(ready, key=lambda hq: (-_prospect(g, hq), hq))[:COMMANDERS]
    for hq in prospects:
        for event in (True, False):
            use: Plain = {"event" if event else "operations": hq}
            if (event and card.type != "military") or not mind.legal(use):
                continue
            plan = best_plan(g, hq, card, event)
            if plan.blows or not (event and _conditional(card)):
                found.append((plan.gain, use))
    return found


def _conditional(card: Card) -> bool:
    return bool(card.data.keys() & {"battles", "landing"})


def _prospect(g: State, hq: str) -> int:
    """Units that the HQ commands, roughly."""
    counter = g.counter(hq)
    near = g.board.within(g.pieces[hq].at, counter.command)
    places = set(near)
    return sum(g.attack(u) for u in g.on_map(counter.side) if g.pieces[u].at in places)


# -- the offensive ---------------------------------------------------------------------------------------------------


def _name(mind: Mind) -> str:
    """What is planned: this offensive, by the line that the seed draws."""
    g, o = mind.g, offensive(mind.g)
    line = mind.seed if o.event and _line(mind) else ""
    return f"{g.turn} {o.card} {o.hq} {len(g.discards[JAPAN])} {len(g.out_of_play[JAPAN])} {line}"


def _orders(plan: Plan) -> list[Plain]:
    units: Plain = list(plan.units) if plan.units else "none"
    return [{"activate": units}, *plan.moves(), *plan.battles()]


def _planned(mind: Mind) -> list[Plain]:
    """The orders of this offensive that have not been given yet; planned now if there is no plan."""
    g, o = mind.g, offensive(mind.g)
    name = _name(mind)
    known = _COURSE.rest(g, name)
    if known is None:
        card, line = g.board.cards[o.card], _line(mind)
        by_book = line.orders() if line and mind.ask.kind == "activate" else []
        known = _COURSE.begin(
            g,
            name,
            by_book
            if by_book and mind.legal(by_book[0])
            else _orders(plan_offensive(g, o.hq, card if o.event else None, o.allowance)),
        )
    return [*known]


def _line(mind: Mind) -> Line | None:
    """The opening line for the card of the offensive under way."""
    o = mind.g.offensive
    return drawn(o.card, mind.seed) if o is not None and o.event else None


def _return(mind: Mind) -> list[Plain]:
    """Where the opening line sends fleets and aircraft; after that, and without one, see `answer`."""
    line = _line(mind)
    return [{"return": to} for to in line.returns] if line else []


def _activate(mind: Mind) -> list[Plain]:
    orders = _planned(mind)
    if orders and "activate" in _words(orders[0]):
        return [_given(mind, orders), {"activate": "none"}]
    return [{"activate": "none"}]


def _move(mind: Mind) -> list[Plain]:
    """The next planned move that is still legal."""
    orders = _planned(mind)
    while orders and not ({"battle", "cover"} & _words(orders[0])):
        order = _given(mind, orders)
        if "activate" not in _words(order) and mind.legal(order):
            return [order]
    return [] if offensive(mind.g).card == "J1" else [DONE]


def _battle(mind: Mind) -> list[Plain]:
    """Planned declarations, then done; what makes it legal; last of all a smaller offensive."""
    orders = _planned(mind)
    while orders:
        order = _given(mind, orders)
        if mind.legal(order):
            return [order]
    if mind.legal(DONE):
        return [DONE]
    more: list[Plain] = [o for o in mind.ask.options() if isinstance(o, dict)]
    if not more:
        _COURSE.give(mind.g, _name(mind), [{"activate": "none"}])
    return [*more, AGAIN]


def _given(mind: Mind, orders: list[Plain]) -> Plain:
    """The next of the orders, which are then one fewer."""
    order = orders.pop(0)
    _COURSE.give(mind.g, _name(mind), orders)
    return order


def _words(order: Any) -> set[str]:
    return set(order) if isinstance(order, dict) else set()


_THOUGHTS: Mapping[str, Callable[[Mind], list[Plain]]] = {
    "card": _card,
    "use": _use,
    "activate": _activate,
    "move": _move,
    "battle": _battle,
    "return": _return,
    "reaction": lambda mind: reaction(mind.g, mind.ask, mind.cards()),
    "intelligence": lambda mind: intelligence(mind.g, mind.ask, mind.cards()),
    "cards": lambda mind: reaction_cards(mind.g, mind.ask, mind.cards()),
    "counter": lambda mind: counter(mind.g, mind.ask),
}
