"""Decisions that several seats make at once: all but the last are sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.kernel import standing
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Simultaneous
from pbem.kernel.orders import Rejected, judged
from pbem.kernel.wording import verbatim
from pbem.runtime import asking, planned, showing, standing_orders
from pbem.runtime.dues import Due
from pbem.runtime.hand import Hand

if TYPE_CHECKING:
    from pbem.runtime.table import Table


PLANNED = "plan"  # in place of a seal: the sealed steps of a plan are it


def decide_together(table: Table, request: Simultaneous, hand: Hand) -> Due | None:
    """Of a simultaneous decision all seal but the last, who answers openly; then the seals open.

    A seat whose public standing order or open plan answers has said so before: it seals nothing. One with sealed steps of a
    plan for it has sealed before; the first of them that applies answers when all have decided, the default where none does.
    """
    sealed, opened = table.ledger.sealed_answers, table.ledger.open_answers
    for ask in request.asks[:-1]:
        said = ask.seat in sealed or ask.seat in opened
        if not said and not _planned(table, ask, hand) and not _said_before(table, ask, hand):
            return _seal_answer(table, ask, hand)
    last = request.asks[-1]
    if last.seat not in opened:
        planned_last = _answer_of_plan(table, last, hand)
        if isinstance(planned_last, Due):
            return planned_last
        if not planned_last and not _said_before(table, last, hand):
            return _answer_openly(table, last, hand)
    for ask in request.asks[:-1]:
        if ask.seat not in opened:
            due = _open_one(table, ask, hand)
            if due is not None:
                return due
    answers: dict[str, Plain] = dict(opened)
    sealed.clear()
    opened.clear()
    table.engine.reply(answers)
    return None


def _open_one(table: Table, ask: Ask, hand: Hand) -> Due | None:
    """What a seat has sealed; of sealed steps of a plan the first that applies, else the default."""
    handle, opened = table.ledger.sealed_answers[ask.seat], table.ledger.open_answers
    player = table.player_of(ask.seat)
    if handle == PLANNED:
        given = planned.answer_in_secret(table, ask, player, hand)
        if isinstance(given, Due):
            return given
        opened[ask.seat] = ask.default if given is None else given
        return None
    order = showing.opening(table, handle, hand)
    if order is showing.MISSING:
        return Due(player, "open", ask.seat, verbatim(handle), ask.rule)
    opened[ask.seat] = order
    return None


def has_said(table: Table, ask: Ask) -> bool:
    """A seat needs no file for its part of a simultaneous decision: it has said or sealed it, or what is in force does."""
    ledger, player, nobody = table.ledger, table.player_of(ask.seat), Hand("", table.last)
    if ask.seat in ledger.sealed_answers or ask.seat in ledger.open_answers or planned.seals_answer(table, ask, player):
        return True
    return _answer_of_plan(table, ask, nobody) is True or _said_before(table, ask, nobody)


def _at_hand(table: Table, ask: Ask, hand: Hand) -> bool:
    """The file at hand brings orders for it, while nobody knows a die."""
    if hand.player != table.player_of(ask.seat) or not hand.has_orders or not table.no_die_is_known:
        return False
    order = hand.orders[hand.next]
    return hand.offers_answer_to(ask) or (isinstance(order, dict) and "sealed" in order)


def _planned(table: Table, ask: Ask, hand: Hand) -> bool:
    """A seat that has to seal has done so in its plan, or has said openly there what it does."""
    player = table.player_of(ask.seat)
    if not _at_hand(table, ask, hand) and planned.seals_answer(table, ask, player):
        table.ledger.sealed_answers[ask.seat] = PLANNED
        return True
    return _answer_of_plan(table, ask, hand) is True


def _answer_of_plan(table: Table, ask: Ask, hand: Hand) -> Due | bool:
    """The plan of a seat answers now; an order in the file at hand goes before it, and has done with it."""
    player = table.player_of(ask.seat)
    if _at_hand(table, ask, hand):
        planned.overrule(table, ask, player, hand)
        return False
    given = planned.answer_in_secret(table, ask, player, hand)
    if isinstance(given, Due):
        return given
    if given is None:
        return False
    table.ledger.open_answers[ask.seat] = given
    return True


def _said_before(table: Table, ask: Ask, hand: Hand) -> bool:
    """A public standing order answers a simultaneous question, unless the file at hand brings orders for it."""
    player = table.player_of(ask.seat)
    if _at_hand(table, ask, hand):
        return False
    held = standing_orders.in_force(table, player, ask.kind)
    given = standing_orders.answer_of(table, ask, held) if held is not None and not held.seals else None
    if held is None or not isinstance(given, standing.Answered):
        return False
    table.ledger.open_answers[ask.seat] = given.order
    standing_orders.fire(table, ask, hand, held, given)
    return True


def _seal_answer(table: Table, ask: Ask, hand: Hand) -> Due | None:
    player = table.player_of(ask.seat)
    if hand.player != player or not hand.has_orders:
        return Due(player, "seal", ask.seat, ask.prompt, ask.rule)
    handle = showing.take_seal(table, hand, ask.kind, ask.seat, ask.read)
    if handle is not None:
        table.ledger.sealed_answers[ask.seat] = handle
        asking.decided(table, hand)
    return None


def _answer_openly(table: Table, ask: Ask, hand: Hand) -> Due | None:
    player = table.player_of(ask.seat)
    if hand.player != player or not hand.has_orders:
        return Due(player, "orders", ask.seat, ask.prompt, ask.rule)
    order, at = asking.next_order(table, hand, ask.kind)
    try:
        judged(ask.read, order)
    except Rejected as wrong:
        hand.problems.extend(wrong.at(at).problems)
        return None
    table.ledger.open_answers[ask.seat] = order
    asking.decided(table, hand)
    return None
