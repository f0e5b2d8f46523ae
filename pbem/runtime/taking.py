"""Taking a file into the log: header, link, signature, then what it decides. A refused file changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from pbem.kernel.orders import Problem
from pbem.protocol import chain, ids, turnfile
from pbem.protocol.draws import LEAVES
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import offers, seats, slips, umpire
from pbem.runtime.contents import (
    Document,
    Fetch,
    Received,
    check_brings_something,
    check_record,
    take_commits,
    take_standing,
)
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import Chain, DrawTree, Rolled
from pbem.runtime.table import Table

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
    file_id = _check(table, document)
    return _carry_out(table.fork(), document, file_id, fetch)


def take_in_place(table: Table, document: Document, fetch: Fetch) -> Taken:
    """The same without a copy, for a log that is played again: on an error the table is of no more use."""
    file_id = _check(table, document)
    return _carry_out(table, document, file_id, fetch)


def _check(table: Table, document: Document) -> str:
    """What can be judged before the file does anything; its id."""
    file_id = ids.document_id(dict(document))
    turnfile.read_turn(document)
    check_place(table, document, file_id)
    seats.check_signature(table, document)
    umpire.check_stand_in(table, document)
    slips.check_replacement(table, document)
    return file_id


def _carry_out(after: Table, document: Document, file_id: str, fetch: Fetch) -> Taken:
    due = after.due
    show_link(after, document["player"], document["link"], int(document["seq"]), document)
    hand = open_hand(after, document, file_id)
    known = len(after.engine.state.events)
    hand.supply = supply = Received(after, document)
    play(after, document, hand, file_id, fetch)
    if supply.unused:
        raise ProtocolError(Outcome.BAD_OPENING, f"opens what nobody asked for: {supply.unused[0]}")
    check_brings_something(due, document, hand)
    check_record(document, hand, after)
    return Taken(after, hand.seq, file_id, tuple(hand.turned), tuple(after.engine.state.events[known:]))


def check_place(table: Table, document: Document, file_id: str) -> None:
    """One place, one link, one file (rule 2): game, seq, prev and player are those that the log names."""
    game_id, last = table.ledger.entries[0].id, table.last
    if document["game"] != game_id:
        raise ProtocolError(Outcome.FOREIGN_GAME, f"belongs to game {document['game'][:8]}, not {game_id[:8]}")
    seq = int(document["seq"])
    if document["player"] not in table.ledger.keys:
        raise ProtocolError(Outcome.WRONG_KEY, f"{document['player']} does not play in this game")
    if seq <= last:
        _explain_filled(table, document, file_id)
    if seq > last + 1:
        raise ProtocolError(Outcome.WAITING, f"file {seq} came before file {last + 1}")
    if document["prev"] != table.ledger.entries[last].id:
        raise ProtocolError(Outcome.BAD_CHAIN, f"file {seq} does not follow the log's file {last}")
    if table.due.what == "nothing" or (document["player"] != table.due.player and not seats.may_fill(table, document)):
        who = table.due.player or "nobody: the game is over"
        raise ProtocolError(Outcome.WRONG_KEY, f"file {seq} is due from {who}, not from {document['player']}")


def _explain_filled(table: Table, document: Document, file_id: str) -> NoReturn:
    """The place is filled: by this file, by another one of the same key (proof of cheating), or by somebody else's."""
    seq = int(document["seq"])
    known = table.ledger.entries[seq]
    if known.id == file_id:
        raise ProtocolError(Outcome.ALREADY_KNOWN, f"file {seq} is already in the log")
    if known.player != document["player"]:
        raise ProtocolError(Outcome.WRONG_KEY, f"file {seq} in the log is by {known.player}")
    seats.check_signature(table, document)
    if known.signed_by != (document.get("signed_by") or ""):
        raise ProtocolError(Outcome.ALREADY_KNOWN, f"file {seq} has been turned with the same link: the dice are the same")
    if document.get("replaces") == known.id and slips.refusal_in(table, document):
        reason = f"file {seq} was refused by another player and replaced, but this program finds it valid: programs disagree"
        raise ProtocolError(Outcome.DIVERGED, reason + "; log, file and refusal let a third judge")
    raise ProtocolError(Outcome.EQUIVOCATION, f"another file {seq} by {known.player} is already in the log")


def show_link(table: Table, player: str, link: str, seq: int, document: Document) -> None:
    """The player's next link, checked against the last one shown; a renewed chain takes over at its fixed place."""
    held = table.ledger.chains[player]
    if held.next_tip and _renewal_is_due(table, player, held):
        held.last, held.left, held.next_tip = held.next_tip, held.next_length, ""
    if not chain.verify_link(table.charter.nonce, held.last, link):
        raise ProtocolError(Outcome.BAD_CHAIN, f"the link of file {seq} is not {player}'s next one")
    held.last, held.left, held.shown = link, held.left - 1, held.shown + 1
    _announce(table, player, seq, document)
    if document.get("signed_by"):
        return
    if held.left < RENEW_BELOW and not held.next_tip:
        raise ProtocolError(Outcome.BAD_CHAIN, f"fewer than {RENEW_BELOW} links left: file {seq} must announce next_chain")
    if table.ledger.draw_keys_left(player) < RENEW_BELOW:
        reason = f"fewer than {RENEW_BELOW} draw keys left: file {seq} must announce next_draws"
        raise ProtocolError(Outcome.BAD_CHAIN, reason)


def _announce(table: Table, player: str, seq: int, document: Document) -> None:
    """A next chain and a next draw tree, each once and each with a fixed place at which it takes over."""
    ledger, held = table.ledger, table.ledger.chains[player]
    renewal, root = document.get("next_chain"), document.get("next_draws")
    if renewal and held.next_tip:
        raise ProtocolError(Outcome.BAD_CHAIN, f"{player} has announced a next chain already")
    if renewal:
        seats.check_fresh(table, "tip", renewal["tip"])
        if player != table.charter.umpire_name:
            seats.check_escrow(table, renewal)
        held.next_tip, held.next_length, held.announced = renewal["tip"], int(renewal["length"]), seq
        ledger.tips.append(renewal["tip"])
    if root and ledger.draw_keys_left(player) > LEAVES:
        raise ProtocolError(Outcome.BAD_CHAIN, f"{player} has announced next draw keys already")
    if root:
        seats.check_fresh(table, "root", root)
        newest = [t for t in ledger.trees if t.player == player][-1]
        ledger.trees.append(DrawTree(player, root, newest.first + LEAVES, seq))


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
    table.ledger.entries.append(umpire.entry(document, file_id))
    return Hand(player, seq, list(document.get("orders") or []))


def play(table: Table, document: Document, hand: Hand, file_id: str, fetch: Fetch) -> None:
    """Turn the dice, then let the file do what its type says; the slips that it takes into the log count last."""
    match document["type"]:
        case "turn" if document.get("signed_by"):
            table.advance(hand)
        case "turn":
            offers.accept_by_playing(table, document, hand, fetch)
            take_commits(table, document, hand.player, before=True)
            take_standing(table, document, hand)
            table.advance(hand)
            take_commits(table, document, hand.player, before=False)
        case "undo" | "offer" | "seat":
            offers.make_offer(table, document, hand, file_id)
        case "accept":
            offers.accept(table, document, hand, fetch)
        case "decline":
            offers.decline(table, document, hand)
    slips.take_slips(table, document)
    _finish(table, hand)


def _finish(table: Table, hand: Hand) -> None:
    if hand.problems:
        raise Refused(sorted(hand.problems, key=lambda p: p.order if p.order is not None else -1))
    if hand.has_orders:
        waits = table.due.player not in ("", hand.player)
        where = f"the game waits for {table.due.player} ({table.due.what})" if table.due.player else "the game is over"
        reason = f"this order and what follows it is left over: {where}"
        legal = "what is to hold beyond the dice is a standing order" if hand.next or not waits else "it is not your turn"
        raise Refused([Problem("not allowed", reason, table.due.rule or "protocol", legal, hand.next)])
