"""Hidden things: opening, stating, sealing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Claim, Commit, Open, Reveal
from pbem.kernel.orders import Problem, Rejected, unreadable, verb_of
from pbem.kernel.wording import linked, msg, verbatim
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.schema import hex32
from pbem.runtime import asking, planned, proofs
from pbem.runtime.dues import Due
from pbem.runtime.hand import Hand, Unsealed
from pbem.runtime.knowledge import Unknown
from pbem.runtime.ledger import ClaimMade, Seal

if TYPE_CHECKING:
    from pbem.runtime.table import Table


MISSING: Any = object()


def opening(table: Table, handle: str, hand: Hand) -> Plain:
    """What is behind a handle, from the ledger or the file at hand; MISSING where it has still to be shown."""
    if handle in table.ledger.opened:
        return table.ledger.opened[handle]
    if _owner(table, handle) != hand.player:
        return cast(Plain, MISSING)
    entry = hand.supply.opening(handle)
    if entry is None:
        return cast(Plain, MISSING)
    item = proofs.check_opening(table, handle, entry)
    hand.openings.append(entry)
    table.ledger.opened[handle] = item
    return item


def _owner(table: Table, handle: str) -> str:
    if handle in table.ledger.seals:
        return table.ledger.seals[handle].player
    made = table.ledger.draw_of(handle)
    return made.player if made else ""


def show(table: Table, request: Open, hand: Hand) -> Due | None:
    """Its owner shows what is behind a handle. Raises ProtocolError (bad opening)."""
    item = opening(table, request.handle, hand)
    if item is MISSING:
        return Due(table.player_of(request.seat), "open", request.seat, verbatim(request.handle), request.rule)
    if request.shows is not None and item != request.shows:
        why = msg(
            "{handle} is not {shows}: the order names another card than the hand holds",
            handle=request.handle,
            shows=str(request.shows),
        )
        raise ProtocolError(Outcome.BAD_OPENING, why)
    table.engine.reply(item)
    return None


def state(table: Table, request: Claim, hand: Hand) -> Due | None:
    """Its owner states something about hidden things."""
    player, n = table.player_of(request.seat), len(table.ledger.claims)
    entry = hand.supply.claim(n, request) if hand.player == player else None
    if not isinstance(entry, dict):
        return Due(player, "claim", request.seat, linked(" ", request.kind, request.about), request.rule)
    hand.openings.append(entry)
    made = ClaimMade(n, player, request.seat, request.kind, str(request.about), request.rule, entry["value"], hand.seq)
    table.ledger.claims.append(made)
    try:
        table.engine.reply(entry["value"])
    except Rejected as wrong:
        hand.problems.extend(wrong.problems)
        return Due(player, "claim", request.seat, linked(" ", request.kind, request.about), request.rule)
    return None


def take_seal(table: Table, hand: Hand, kind: str, seat: str, read: Callable[[Plain], Any]) -> str | None:
    """The next order of the file as a sealed one: its handle, or None with the problem noted."""
    order, at = asking.next_order(table, hand, kind)
    if not (isinstance(order, dict) and order.keys() == {"sealed"} and not hex32(order["sealed"])):
        hand.unsealed = Unsealed(at, seat, read)
        hand.problems.append(
            Problem("cannot be read", msg("{kind} must be sealed", kind=kind), "protocol", verbatim("sealed: <hash>"), at)
        )
        hand.next = len(hand.orders)  # what stands behind it belongs to later questions
        return None
    handle = f"{seat}:seal{hand.seq}:{hand.seals}"
    table.ledger.seals[handle] = Seal(hand.player, hand.seq, hand.seals, str(order["sealed"]), kind)
    hand.seals += 1
    return handle


def commit(table: Table, request: Commit, hand: Hand) -> Due | None:
    """A seat hides contents: in its plan, or by the file at hand, which goes first while nobody knows a die."""
    player = table.player_of(request.seat)
    at_hand = table.no_die_is_known and _at_hand(table, request, hand, player)
    planned_seal = "" if at_hand else planned.seal_of(table, request, player, hand)
    if planned_seal:
        table.engine.reply(planned_seal)
        return None
    if hand.player != player or not hand.has_orders:
        return Due(player, "seal", request.seat, request.prompt, request.rule)
    if at_hand:
        planned.overrule(table, request, player, hand)
    handle = take_seal(table, hand, request.kind, request.seat, request.read)
    if handle is not None:
        _judge(request, handle, hand)
        table.engine.reply(handle)
        asking.decided(table, hand)
    return None


def _at_hand(table: Table, request: Commit, hand: Hand, player: str) -> bool:
    """The file at hand brings a seal next, or, while it is written, what would be sealed here."""
    if hand.player != player or not hand.has_orders:
        return False
    order = hand.orders[hand.next]
    return (isinstance(order, dict) and "sealed" in order) or verb_of(order) in planned.verbs_of_seal(table, request)


def _judge(request: Commit, handle: str, hand: Hand) -> None:
    """The author's own program looks at what he is about to seal; everybody else takes it as it is."""
    reveal, at = hand.supply.reveal, hand.next - 1
    if reveal is None:
        return
    try:
        request.check(_contents(handle, reveal), reveal)
    except Rejected as wrong:
        hand.problems.extend(wrong.at(at).problems)


def _contents(handle: str, reveal: Reveal) -> Plain:
    """What is behind an own seal. Raises Rejected when it was sealed for another seat."""
    try:
        return reveal(handle)
    except Unknown:
        raise unreadable(msg("sealed for another seat than {partition}", partition=handle.partition(":")[0])) from None
