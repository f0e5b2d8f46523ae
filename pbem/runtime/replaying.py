"""The log's orders played again: what an undo leaves, and what the audit watches."""

from __future__ import annotations

from pbem.kernel.engine import Engine
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.contents import Document, Fetch, take_standing
from pbem.runtime.hand import FileSupply, Hand
from pbem.runtime.ledger import Entry, Ledger
from pbem.runtime.table import Table


def take_back(table: Table, to: int, fetch: Fetch) -> None:
    """Replay leaves out what file `to` decided, sealed and drew and all that followed; its dice and links stay."""
    ledger = table.ledger
    ledger.voided = sorted({*ledger.voided, *range(to, len(ledger.entries))})
    fresh = replay(table, fetch, Engine, dice_only=to)
    ledger.mark(to, decides=False)
    for name in (
        "source",
        "rolls",
        "rolled",
        "standing",
        "fired",
        "plans",
        "opened",
        "claims",
        "seals",
        "sealed_answers",
        "draws",
    ):
        setattr(ledger, name, getattr(fresh.ledger, name))
    ledger.open_answers, table.engine, table.game = fresh.ledger.open_answers, fresh.engine, fresh.game


def replay(table: Table, fetch: Fetch, engine_type: type[Engine], dice_only: int = 0, *, records: bool = False) -> Table:
    """The log's orders played again from the start, without what was taken back, on an engine of this type.

    `dice_only`: the file whose link still turns its dice though its orders are void, as is what follows it.
    `records`: the state that each file names must come out again. Raises ProtocolError (diverged): the log was
    taken by a program that played otherwise.
    """
    ledger = table.ledger
    fresh = Table.start(table.charter, table.module, table.engine.scenario, engine_type)
    for name in ("keys", "held", "trees", "commits", "committed_in"):
        setattr(fresh.ledger, name, getattr(ledger, name))
    played = [Entry(e.id, e.player, e.type, e.link) for e in ledger.entries]
    for seq in range(1, len(ledger.entries)):
        _switch_rules(fresh, ledger, seq)
        if seq in ledger.voided and seq not in _dice_kept(ledger, dice_only):
            continue
        fresh.ledger.entries = played[: seq + 1]
        for made in reversed(ledger.draws):
            if made.seq == seq:
                fresh.ledger.draw_counts[made.player] = made.j
        _replay_step(fresh, fetch(seq), seq, orders_count=seq not in ledger.voided, records=records)
    _switch_rules(fresh, ledger, len(ledger.entries))
    return fresh


def _switch_rules(fresh: Table, ledger: Ledger, seq: int) -> None:
    """The rules version of file `seq`, unless it is in force already."""
    for rules in ledger.rules[len(fresh.ledger.rules) :]:
        if rules.since <= seq:
            fresh.switch_rules(rules.version)
            fresh.ledger.rules.append(rules)


def _dice_kept(ledger: Ledger, dice_only: int) -> set[int]:
    """The first file of each stretch that was taken back: its orders are void, the dice that its link turned are not."""
    return {v for v in ledger.voided if v - 1 not in ledger.voided} | {dice_only}


def _replay_step(table: Table, document: Document, seq: int, *, orders_count: bool, records: bool) -> None:
    if document["type"] == "heal":
        table.advance(Hand("", seq))
    if document["type"] != "turn":
        return
    orders = list(document.get("orders") or []) if orders_count else []
    hand = Hand(document["player"], seq, orders, FileSupply(list(document.get("open") or [])))
    if orders_count:
        take_standing(table, document, hand)
    table.advance(hand)
    if records and orders_count:
        _same_record(document, hand)


def _same_record(document: Document, hand: Hand) -> None:
    """The state before the file's orders is the one that its author's program found."""
    stated = document.get("state")
    if hand.problems or (stated and hand.state and stated != hand.state):
        reason = msg(
            "file {seq} played again begins in another state than its author's program found: programs differ", seq=hand.seq
        )
        raise ProtocolError(Outcome.DIVERGED, reason)
