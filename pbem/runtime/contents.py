"""What a file brings beside its orders: standing orders, commitments, its own record of dice and state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected
from pbem.kernel.records import to_plain
from pbem.kernel.standing import read_clauses
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import planned
from pbem.runtime.hand import FileSupply, Hand
from pbem.runtime.ledger import Rolled, Seal, StandingOrder
from pbem.runtime.table import Due, Table

Document = Mapping[str, Any]
Fetch = Callable[[int], Document]
NO_ORDERS = ("start", "witness", "draws")  # what is due without an order, an opening or a claim


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
    _take_plan(table, document, hand)


def _take_sealed_standing(table: Table, document: Document, hand: Hand) -> None:
    number = sum(1 for o in hand.orders if isinstance(o, dict) and "sealed" in o)
    for kind, hashes in sorted((document.get("standing_sealed") or {}).items()):
        handles, scopes = [], []
        for value in hashes:
            handle = f"{hand.player}:seal{hand.seq}:{number}"
            shown = value if isinstance(value, dict) else {"seal": value, "scope": ""}
            table.ledger.seals[handle] = Seal(hand.player, hand.seq, number, shown["seal"], kind)
            handles.append(handle)
            scopes.append(shown["scope"])
            number += 1
        _replace_standing(table, StandingOrder(hand.seq, hand.player, kind, [], handles, scopes))


def _take_plan(table: Table, document: Document, hand: Hand) -> None:
    """A plan, which holds from the file's first order on; its sealed steps are numbered behind all other seals."""
    steps = document.get("plan") or []
    try:
        if steps:
            planned.check(table, hand.player, steps)
    except Rejected as wrong:
        hand.problems.extend(wrong.problems)
        return
    number = sum(1 for o in hand.orders if isinstance(o, dict) and "sealed" in o)
    number += sum(len(hashes) for hashes in (document.get("standing_sealed") or {}).values())
    for step in steps:
        handle = ""
        if planned.SEALED in step:
            handle = f"{hand.player}:seal{hand.seq}:{number}"
            table.ledger.seals[handle] = Seal(hand.player, hand.seq, number, step[planned.SEALED], step["at"])
            number += 1
        hand.plan.append(step)
        hand.plan_seals.append(handle)


def _replace_standing(table: Table, order: StandingOrder) -> None:
    """What an open seed still needs stays: orders are looked up by the seed's file, newest first."""
    table.ledger.standing.append(order)


def take_commits(table: Table, document: Document, player: str, *, before: bool) -> None:
    """Commitments owed: to the draws made before this file, and to those that its own link turned."""
    given = {int(c["draw"]): list(c["items"]) for c in document.get("commit") or []}
    committed, seq = table.ledger.committed_in, int(document["seq"])
    again = [j for j in given if committed.get(f"{player} {j}", seq) != seq]
    if again or len(given) != len(document.get("commit") or []):
        raise ProtocolError(Outcome.BAD_OPENING, msg("{player} commits to a draw twice", player=player))
    for made in table.ledger.uncommitted(player):
        if made.j not in given:
            raise ProtocolError(Outcome.BAD_OPENING, msg("{player} owes commitments to draw {j}", player=player, j=made.j))
        if len(given[made.j]) != len(made.handles()):
            raise ProtocolError(Outcome.BAD_OPENING, msg("draw {j} has {number} items", j=made.j, number=len(made.handles())))
        table.ledger.commits[f"{player} {made.j}"] = given[made.j]
        committed[f"{player} {made.j}"] = seq
    unknown = sorted(j for j in given if f"{player} {j}" not in table.ledger.commits)
    if not before and unknown:
        raise ProtocolError(Outcome.BAD_OPENING, msg("commits to draw {unknown}, which was not made", unknown=unknown[0]))


def check_brings_something(due: Due, document: Document, hand: Hand) -> None:
    """A file that brings neither what is asked nor an offer is refused."""
    if hand.plan and not hand.next:
        raise ProtocolError(Outcome.REFUSED, msg("a plan stands behind orders, and this file brings none"))
    if document["type"] != "turn" or due.what in NO_ORDERS or document.get("signed_by"):
        return
    if hand.next == 0 and not hand.openings:
        raise ProtocolError(
            Outcome.REFUSED, msg("brings nothing of what is asked: {what} ({detail})", what=due.what, detail=due.detail)
        )


def check_record(document: Document, hand: Hand, table: Table) -> None:
    """The sender's own record of state and dice must be the same as ours, before anybody plays on."""
    ours = [record(r) for r in hand.turned]
    theirs = document.get("dice") or []
    if theirs != ours:
        at = next((i for i, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), min(len(ours), len(theirs)))
        reason = msg(
            "roll {at}: file says {theirs}, the seed gives {ours}",
            at=at,
            theirs=str(theirs[at : at + 1]),
            ours=str(ours[at : at + 1]),
        )
        raise ProtocolError(Outcome.BAD_DICE, reason, path=f"dice {at}")
    stated, state = document.get("state"), hand.state or table.engine.state_hash()
    if stated is not None and stated != state:
        raise ProtocolError(
            Outcome.DIVERGED,
            msg("state before the orders: file says {stated}, here it is {state}", stated=stated[:16], state=state[:16]),
        )


def record(rolled: Rolled) -> Plain:
    """A roll as a file records it."""
    return {"roll": rolled.index, "label": rolled.label, "sides": rolled.sides, "dice": [*rolled.dice]}


class Received(FileSupply):
    """What a received file opens. An item of a draw that the file itself has turned is committed to first."""

    def __init__(self, table: Table, document: Document) -> None:
        super().__init__(list(document.get("open") or []))
        self._table, self._document = table, document

    def opening(self, handle: str) -> Plain | None:
        if self._table.ledger.uncommitted(self._document["player"]):
            take_commits(self._table, self._document, self._document["player"], before=True)
        return super().opening(handle)
