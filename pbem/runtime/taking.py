"""Taking a file into the log: header, link, signature, then what it decides. A refused file changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.orders import Problem, Rejected
from pbem.kernel.records import to_plain
from pbem.kernel.standing import read_clauses
from pbem.protocol import chain, ids, turnfile
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.hand import FileSupply, Hand
from pbem.runtime.ledger import Chain, Entry, Ledger, Offer, Rolled, Seal, StandingOrder
from pbem.runtime.table import Due, Table

Document = Mapping[str, Any]
Fetch = Callable[[int], Document]
RENEW_BELOW = 64


class Refused(Exception):
    """Orders that the rules refuse, with every problem; nothing has changed."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(str(p) for p in problems))
        self.problems = problems
        self.outcome = Outcome.REFUSED


@dataclass(frozen=True, slots=True)
class Taken:
    """A file that went into the log: the table after it, its orders used, and the dice that its link turned."""

    table: Table
    seq: int
    id: str
    turned: tuple[Rolled, ...]
    events: tuple[Any, ...]  # what happened, for the report


def take(table: Table, document: Document, fetch: Fetch) -> Taken:
    """The table after a received file. `fetch(seq)` gives the earlier files (an undo replays them).

    Raises ProtocolError (signature, place, chain, dice, opening) or Refused (orders); the given table never changes.
    """
    file_id = ids.document_id(dict(document))
    check_place(table, document, file_id)
    turnfile.verify(dict(document), table.ledger.keys[document["player"]])
    after = table.fork()
    show_link(after, document["player"], document["link"], int(document["seq"]), document)
    hand = open_hand(after, document, file_id)
    known = len(after.engine.state.events)
    hand.supply = supply = FileSupply(list(document.get("open") or []))
    play(after, document, hand, file_id, fetch)
    if supply.unused:
        raise ProtocolError(Outcome.BAD_OPENING, f"opens what nobody asked for: {supply.unused[0]}")
    check_brings_something(table.due, document, hand)
    check_record(document, hand, after)
    return Taken(after, hand.seq, file_id, tuple(hand.turned), tuple(after.engine.state.events[known:]))


def check_place(table: Table, document: Document, file_id: str) -> None:
    """One place, one link, one file (rule 2): game, seq, prev and player are those that the log names."""
    game_id, last = table.ledger.entries[0].id, table.last
    if document["game"] != game_id:
        raise ProtocolError(Outcome.FOREIGN_GAME, f"belongs to game {document['game'][:8]}, not {game_id[:8]}")
    seq = int(document["seq"])
    if seq <= last:
        known = table.ledger.entries[seq]
        if known.id == file_id:
            raise ProtocolError(Outcome.ALREADY_KNOWN, f"file {seq} is already in the log")
        raise ProtocolError(Outcome.EQUIVOCATION, f"another file {seq} by {known.player} is already in the log")
    if seq > last + 1:
        raise ProtocolError(Outcome.WAITING, f"file {seq} came before file {last + 1}")
    if document["prev"] != table.ledger.entries[last].id:
        raise ProtocolError(Outcome.BAD_CHAIN, f"file {seq} does not follow the log's file {last}")
    if document["player"] not in table.ledger.keys:
        raise ProtocolError(Outcome.WRONG_KEY, f"{document['player']} does not play in this game")
    if table.due.what == "nothing" or document["player"] != table.due.player:
        who = table.due.player or "nobody: the game is over"
        raise ProtocolError(Outcome.WRONG_KEY, f"file {seq} is due from {who}, not from {document['player']}")


def show_link(table: Table, player: str, link: str, seq: int, document: Document) -> None:
    """The player's next link, checked against the last one shown; a renewed chain takes over at its fixed place."""
    held = table.ledger.chains[player]
    if held.next_tip and _renewal_is_due(table, player, held):
        held.last, held.left, held.next_tip = held.next_tip, held.next_length, ""
    if not chain.verify_link(table.charter.nonce, held.last, link):
        raise ProtocolError(Outcome.BAD_CHAIN, f"the link of file {seq} is not {player}'s next one")
    held.last, held.left, held.shown = link, held.left - 1, held.shown + 1
    renewal = document.get("next_chain")
    if renewal and not held.next_tip:
        held.next_tip, held.next_length, held.announced = renewal["tip"], int(renewal["length"]), seq
    elif renewal:
        raise ProtocolError(Outcome.BAD_CHAIN, f"{player} has announced a next chain already")
    if held.left < RENEW_BELOW and not held.next_tip:
        raise ProtocolError(Outcome.BAD_CHAIN, f"fewer than {RENEW_BELOW} links left: file {seq} must announce next_chain")


def chain_in_use(table: Table, player: str) -> tuple[str, int]:
    """The value before a player's next link and how many links are left, a renewal counted that is due."""
    held = table.ledger.chains[player]
    renewed = held.next_tip and _renewal_is_due(table, player, held)
    return (held.next_tip, held.next_length) if renewed else (held.last, held.left)


def _renewal_is_due(table: Table, player: str, held: Chain) -> bool:
    others = table.ledger.entries[held.announced + 1 :]
    if table.charter.umpire_name == player:
        return any(e.player != player for e in others)
    return any(e.player and table.side_of(e.player) != table.side_of(player) for e in others)


def open_hand(table: Table, document: Document, file_id: str) -> Hand:
    """The file becomes the newest entry of the log; its orders are at hand."""
    seq, player = int(document["seq"]), str(document["player"])
    table.ledger.entries.append(Entry(file_id, player, str(document["type"]), str(document["link"])))
    return Hand(player, seq, list(document.get("orders") or []))


def play(table: Table, document: Document, hand: Hand, file_id: str, fetch: Fetch) -> None:
    """Turn the dice, then let the file do what its type says."""
    match document["type"]:
        case "turn":
            _accept_by_playing(table, document, hand, fetch)
            take_commits(table, document, hand.player, before=True)
            take_standing(table, document, hand)
            table.advance(hand)
            take_commits(table, document, hand.player, before=False)
        case "undo" | "offer" | "seat":
            _make_offer(table, document, hand, file_id)
        case "accept":
            _accept(table, document, hand, fetch)
        case "decline":
            _decline(table, document, hand)
    _finish(table, hand)


def _finish(table: Table, hand: Hand) -> None:
    if hand.problems:
        raise Refused(sorted(hand.problems, key=lambda p: p.order if p.order is not None else -1))
    if hand.has_orders:
        left = hand.orders[hand.next]
        where = f"the game waits for {table.due.player} ({table.due.what})" if table.due.player else "the game is over"
        reason = f"order {left!r} is left over: {where}"
        legal = "what is to hold beyond the dice is a standing order"
        raise Refused([Problem("not allowed", reason, table.due.rule or "protocol", legal, hand.next)])


def take_standing(table: Table, document: Document, hand: Hand) -> None:
    """Public and sealed standing orders, replacing earlier ones of the same kind. They count from this file on."""
    for kind, plain in sorted((document.get("standing") or {}).items()):
        try:
            clauses = read_clauses(kind, plain)
        except Rejected as wrong:
            hand.problems.extend(wrong.problems)
            continue
        _replace_standing(table, StandingOrder(hand.seq, hand.player, kind, [to_plain(c) for c in clauses]))
    _take_sealed_standing(table, document, hand)


def _take_sealed_standing(table: Table, document: Document, hand: Hand) -> None:
    number = sum(1 for o in hand.orders if isinstance(o, dict) and "sealed" in o)
    for kind, hashes in sorted((document.get("standing_sealed") or {}).items()):
        handles = []
        for value in hashes:
            handle = f"{hand.player}:seal{hand.seq}:{number}"
            table.ledger.seals[handle] = Seal(hand.player, hand.seq, number, value, kind)
            handles.append(handle)
            number += 1
        _replace_standing(table, StandingOrder(hand.seq, hand.player, kind, [], handles))


def _replace_standing(table: Table, order: StandingOrder) -> None:
    """What an open seed still needs stays: orders are looked up by the seed's file, newest first."""
    table.ledger.standing.append(order)


def take_commits(table: Table, document: Document, player: str, *, before: bool) -> None:
    """Commitments owed: to the draws made before this file, and to those that its own link turned."""
    given = {int(c["draw"]): list(c["items"]) for c in document.get("commit") or []}
    for made in table.ledger.uncommitted(player):
        if made.j not in given:
            if before and made.seq == int(document["seq"]):
                continue
            raise ProtocolError(Outcome.BAD_OPENING, f"{player} owes commitments to draw {made.j}")
        if len(given[made.j]) != len(made.handles()):
            raise ProtocolError(Outcome.BAD_OPENING, f"draw {made.j} has {len(made.handles())} items")
        table.ledger.commits[f"{player} {made.j}"] = given[made.j]
    unknown = sorted(j for j in given if f"{player} {j}" not in table.ledger.commits)
    if not before and unknown:
        raise ProtocolError(Outcome.BAD_OPENING, f"commits to draw {unknown[0]}, which was not made")


def check_brings_something(due: Due, document: Document, hand: Hand) -> None:
    """A file that brings neither what is asked nor an offer is refused."""
    if document["type"] != "turn" or due.what in ("start", "witness"):
        return
    if hand.next == 0 and not hand.openings:
        raise ProtocolError(Outcome.REFUSED, f"brings nothing of what is asked: {due.what} ({due.detail})")


def check_record(document: Document, hand: Hand, table: Table) -> None:
    """The sender's own record of state and dice must be the same as ours, before anybody plays on."""
    ours = [record(r) for r in hand.turned]
    theirs = document.get("dice") or []
    if theirs != ours:
        at = next((i for i, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), min(len(ours), len(theirs)))
        raise ProtocolError(Outcome.BAD_DICE, f"roll {at}: file says {theirs[at : at + 1]}, the seed gives {ours[at : at + 1]}")
    stated, state = document.get("state"), hand.state or table.engine.state_hash()
    if stated is not None and stated != state:
        raise ProtocolError(Outcome.DIVERGED, f"state before the orders: file says {stated[:16]}, here it is {state[:16]}")


def record(rolled: Rolled) -> Plain:
    """A roll as a file records it."""
    return {"roll": rolled.index, "label": rolled.label, "sides": rolled.sides, "dice": [*rolled.dice]}


# -- offers -----------------------------------------------------------------------------------------------------------


def _make_offer(table: Table, document: Document, hand: Hand, file_id: str) -> None:
    """Undo, draw, rules version, seat: by the player to act, with the dice so far shown and none to come."""
    table.advance(hand)
    if table.due.player != hand.player or table.due.what != "orders":
        raise ProtocolError(Outcome.REFUSED, "an offer is made by the player who has orders to give, with no dice to come")
    if table.ledger.offer is not None:
        raise ProtocolError(Outcome.REFUSED, "one offer between two turn files")
    to = int(document.get("to", 0))
    if document["type"] == "undo" and not (0 < to <= table.last and table.ledger.entries[to].decides):
        raise ProtocolError(Outcome.REFUSED, f"file {to} holds no orders to take back")
    waiting = [p for p in table.charter.players_in_order if p != hand.player]
    detail = {k: v for k, v in document.items() if k in ("offer", "seat", "new")}
    table.ledger.offer = Offer(hand.seq, file_id, hand.player, str(document["type"]), to, waiting, detail)
    table.due = Due(waiting[0], "accept", "", f"{document['type']} offered by {hand.player}")


def _accept(table: Table, document: Document, hand: Hand, fetch: Fetch) -> None:
    offer = table.ledger.offer
    if offer is None or document.get("accepts") != offer.id:
        raise ProtocolError(Outcome.REFUSED, "there is no such offer to accept")
    offer.waiting.remove(hand.player)
    if offer.waiting:
        table.due = Due(offer.waiting[0], "accept", "", f"{offer.type} offered by {offer.by}")
        return
    _carry_out(table, offer, fetch)
    table.advance(Hand("", hand.seq))


def _decline(table: Table, document: Document, hand: Hand) -> None:
    if table.ledger.offer is None:
        raise ProtocolError(Outcome.REFUSED, "there is no offer to decline")
    table.ledger.offer = None
    table.advance(Hand("", hand.seq))


def _accept_by_playing(table: Table, document: Document, hand: Hand, fetch: Fetch) -> None:
    """New orders by the one who has to accept, for the very place that the undo gives back to him, accept it."""
    offer = table.ledger.offer
    if offer is None:
        return
    author = table.ledger.entries[offer.to].player if offer.type == "undo" else ""
    if offer.waiting == [hand.player] and author == hand.player:
        _carry_out(table, offer, fetch)
        return
    raise ProtocolError(Outcome.REFUSED, f"answer the offer of file {offer.seq} first: accept or decline")


def _carry_out(table: Table, offer: Offer, fetch: Fetch) -> None:
    table.ledger.offer = None
    if offer.type == "undo":
        take_back(table, offer.to, fetch)
    elif offer.type == "offer" and offer.detail == {"offer": {"draw": True}}:
        table.ledger.agreed = "draw"


def take_back(table: Table, to: int, fetch: Fetch) -> None:
    """Replay leaves out what file `to` decided, sealed and drew and all that followed; its dice and links stay."""
    ledger = table.ledger
    ledger.voided = sorted({*ledger.voided, *range(to, len(ledger.entries))})
    fresh = replay(table, fetch, Engine, dice_only=to)
    ledger.entries[to].decides = False
    for name in (
        "source",
        "rolls",
        "rolled",
        "standing",
        "fired",
        "opened",
        "claims",
        "seals",
        "sealed_answers",
        "draws",
    ):
        setattr(ledger, name, getattr(fresh.ledger, name))
    ledger.open_answers, table.engine = fresh.ledger.open_answers, fresh.engine


def replay(table: Table, fetch: Fetch, engine_type: type[Engine], dice_only: int = 0) -> Table:
    """The log's orders played again from the start, without what was taken back, on an engine of this type.

    `dice_only`: the file whose link still turns its dice though its orders are void; what follows it is not played.
    """
    ledger = table.ledger
    fresh = Table.start(table.charter, table.game, table.engine.scenario, engine_type)
    fresh.ledger.keys, fresh.ledger.commits = ledger.keys, ledger.commits
    for seq in range(1, dice_only + 1 if dice_only else len(ledger.entries)):
        if seq in ledger.voided and seq not in _dice_kept(ledger, dice_only):
            continue
        fresh.ledger.entries = [Entry(e.id, e.player, e.type, e.link) for e in ledger.entries[: seq + 1]]
        for made in reversed(ledger.draws):
            if made.seq == seq:
                fresh.ledger.draw_counts[made.player] = made.j
        _replay_step(fresh, fetch(seq), seq, orders_count=seq not in ledger.voided)
    return fresh


def _dice_kept(ledger: Ledger, dice_only: int) -> set[int]:
    """The first file of each stretch that was taken back: its orders are void, the dice that its link turned are not."""
    return {v for v in ledger.voided if v - 1 not in ledger.voided} | {dice_only}


def _replay_step(table: Table, document: Document, seq: int, *, orders_count: bool) -> None:
    if document["type"] != "turn":
        return
    orders = list(document.get("orders") or []) if orders_count else []
    hand = Hand(document["player"], seq, orders, FileSupply(list(document.get("open") or [])))
    if orders_count:
        take_standing(table, document, hand)
    table.advance(hand)
