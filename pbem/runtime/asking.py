"""A question to one player: what is in force answers, or the file at hand does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.runtime import planned, standing_orders
from pbem.runtime.dues import Due
from pbem.runtime.hand import Hand

if TYPE_CHECKING:
    from pbem.runtime.table import Table


def ask(table: Table, ask: Ask, hand: Hand) -> Due | None:
    """The answer to a question: the only legal order, what is in force, or an order of the file at hand."""
    player = table.answering(ask)
    if ask.forced is not None:
        table.engine.reply(ask.forced)
        return None
    mine = hand.player == player and hand.has_orders
    if mine and table.no_die_is_known and hand.offers_answer_to(ask):
        planned.overrule(table, ask, player, hand)
        return _decide(table, hand, ask.kind)
    done = planned.apply(table, ask, player, hand)
    if done:
        return done if isinstance(done, Due) else None
    due = standing_orders.apply(table, ask, player, hand)
    if due is not None:
        return due if isinstance(due, Due) else None
    if mine:
        return _decide(table, hand, ask.kind)
    return Due(player, "orders", ask.seat, ask.prompt, ask.rule)


def _decide(table: Table, hand: Hand, kind: str) -> Due | None:
    """Take the next order of the file at hand. A mistake is noted and the next order is tried on the same question."""
    order, at = next_order(table, hand, kind)
    try:
        table.engine.reply(order)
    except Rejected as wrong:
        hand.problems.extend(wrong.at(at).problems)
        return None
    decided(table, hand)
    return None


def next_order(table: Table, hand: Hand, kind: str) -> tuple[Plain, int]:
    """The next order of the file at hand and its number, which answers a question of this kind.

    The first one is given at the state that the file states.
    """
    if hand.state is None:
        hand.state = table.engine.state_hash()
        planned.begin(table, hand)
    at = hand.next
    hand.next += 1
    hand.asked.append(kind)
    return hand.orders[at], at


def decided(table: Table, hand: Hand) -> None:
    """An order of this file was taken: dice come from it now."""
    table.ledger.source, table.ledger.rolls = hand.seq, 0
    table.ledger.mark(hand.seq, decides=True)
