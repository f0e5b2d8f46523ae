"""Offers between two turn files: undo, draw, rules version, change of key or player (protocol, "Undo")."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.kernel.wording import Message, msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import seats
from pbem.runtime.contents import Document, Fetch
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import Offer, RulesInForce
from pbem.runtime.replaying import take_back
from pbem.runtime.table import Due, Table

OFFERED = {
    "undo": msg("undo offered by {player}"),
    "offer": msg("offer offered by {player}"),
    "seat": msg("seat offered by {player}"),
}


def _offered(kind: str, player: str) -> Message:
    return replace(OFFERED[kind], args={"player": player})


def make_offer(table: Table, document: Document, hand: Hand, file_id: str) -> None:
    """Undo, draw, rules version, seat: by the player to act, with the dice so far shown and none to come."""
    due = table.due
    alone = document["type"] == "seat" and seats.by_umpire(table, document)
    if alone:
        seats.note_other_link(table, document)
    table.advance(hand)
    if alone:
        seats.check(table, document["seat"], hand.seq)
        seats.take_over(table, document["seat"], hand.seq + 1)
        table.advance(Hand("", hand.seq))
        return
    if table.due.what != "orders" or table.due.player not in (hand.player, due.player):
        raise ProtocolError(Outcome.REFUSED, msg("an offer is made by the player who has orders to give, with no dice to come"))
    if table.ledger.offer is not None:
        raise ProtocolError(Outcome.REFUSED, msg("one offer between two turn files"))
    waiting = [p for p in table.charter.players_in_order if p != hand.player]
    if document["type"] == "seat":
        waiting = [p for p in waiting if p != document["seat"]["player"]]
        seats.check(table, document["seat"], hand.seq)
    to = int(document.get("to", 0))
    stands = to in range(1, table.last) and table.ledger.entries[to].decides and to not in table.ledger.voided
    if document["type"] == "undo" and not stands:
        raise ProtocolError(Outcome.REFUSED, msg("file {to} holds no orders to take back", to=to))
    detail = {k: v for k, v in document.items() if k in ("offer", "seat")}
    table.ledger.offer = Offer(hand.seq, file_id, hand.player, str(document["type"]), to, waiting, detail)
    table.due = Due(waiting[0], "accept", "", _offered(str(document["type"]), hand.player))


def accept(table: Table, document: Document, hand: Hand, fetch: Fetch) -> None:
    offer = table.ledger.offer
    if offer is None or document.get("accepts") != offer.id:
        raise ProtocolError(Outcome.REFUSED, msg("there is no such offer to accept"))
    if hand.player not in offer.waiting:
        raise ProtocolError(
            Outcome.REFUSED, msg("the offer of file {seq} waits for {waiting}", seq=offer.seq, waiting=", ".join(offer.waiting))
        )
    offer.waiting.remove(hand.player)
    if offer.waiting:
        table.due = Due(offer.waiting[0], "accept", "", _offered(offer.type, offer.by))
        return
    _carry_out(table, offer, fetch)
    table.advance(Hand("", hand.seq))


def decline(table: Table, document: Document, hand: Hand) -> None:
    if table.ledger.offer is None:
        raise ProtocolError(Outcome.REFUSED, msg("there is no offer to decline"))
    table.ledger.offer = None
    table.advance(Hand("", hand.seq))


def accept_by_playing(table: Table, document: Document, hand: Hand, fetch: Fetch) -> None:
    """New orders by the one who has to accept, for the very place that the undo gives back to him, accept it."""
    offer = table.ledger.offer
    if offer is None:
        return
    is_author = offer.type == "undo" and table.ledger.entries[offer.to].player == hand.player
    if is_author and offer.waiting == [hand.player]:
        _carry_out(table, offer, fetch)
        return
    raise ProtocolError(Outcome.REFUSED, msg("answer the offer of file {seq} first: accept or decline", seq=offer.seq))


def _carry_out(table: Table, offer: Offer, fetch: Fetch) -> None:
    table.ledger.offer = None
    if offer.type == "undo":
        take_back(table, offer.to, fetch)
        return
    assert isinstance(offer.detail, dict)
    if offer.type == "seat":
        seats.take_over(table, offer.detail["seat"], table.last + 1)
        return
    what = offer.detail["offer"]
    assert isinstance(what, dict)
    if "rules_version" in what:
        version = int(str(what["rules_version"]))
        table.switch_rules(version)
        table.ledger.rules.append(RulesInForce(version, table.last + 1))
    elif offer.is_draw:
        table.ledger.agreed = "draw"
