"""Decisions that several seats make at once: all but the last are sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.kernel import standing
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Simultaneous
from pbem.kernel.orders import Rejected, judged
from pbem.kernel.wording import verbatim
from pbem.runtime import asking, showing, standing_orders
from pbem.runtime.dues import Due
from pbem.runtime.hand import Hand

if TYPE_CHECKING:
    from pbem.runtime.table import Table


def decide_together(table: Table, request: Simultaneous, hand: Hand) -> Due | None:
    """Of a simultaneous decision all seal but the last, who answers openly; then the seals open.

    A seat whose public standing order answers has said so before: it seals nothing.
    """
    sealed, opened = table.ledger.sealed_answers, table.ledger.open_answers
    for ask in request.asks[:-1]:
        if ask.seat not in sealed and ask.seat not in opened and not _said_before(table, ask, hand):
            return _seal_answer(table, ask, hand)
    last = request.asks[-1]
    if last.seat not in opened and not _said_before(table, last, hand):
        return _answer_openly(table, last, hand)
    for ask in request.asks[:-1]:
        if ask.seat not in opened:
            order = showing.opening(table, sealed[ask.seat], hand)
            if order is showing.MISSING:
                return Due(table.player_of(ask.seat), "open", ask.seat, verbatim(sealed[ask.seat]), ask.rule)
            opened[ask.seat] = order
    answers: dict[str, Plain] = dict(opened)
    sealed.clear()
    opened.clear()
    table.engine.reply(answers)
    return None


def _said_before(table: Table, ask: Ask, hand: Hand) -> bool:
    """A public standing order answers a simultaneous question, unless the file at hand brings orders for it."""
    player = table.player_of(ask.seat)
    if hand.player == player and hand.has_orders and table.no_die_is_known:
        order = hand.orders[hand.next]
        if hand.offers_answer_to(ask) or (isinstance(order, dict) and "sealed" in order):
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
    order, at = asking.next_order(table, hand)
    try:
        judged(ask.read, order)
    except Rejected as wrong:
        hand.problems.extend(wrong.at(at).problems)
        return None
    table.ledger.open_answers[ask.seat] = order
    asking.decided(table, hand)
    return None
