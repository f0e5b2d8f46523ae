"""Slips taken into the log or lying beside it: who signed them, what they change, and the refusal behind a replacement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.protocol import slips, sshsig
from pbem.protocol.ids import document_id, signed_bytes
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.contents import Document
from pbem.runtime.table import Table


def check(table: Table, slip: Mapping[str, Any]) -> None:
    """Judge a slip: shape, game, signature, and what an equivocation slip must show.

    An audit slip may be signed with any key that the player has had. Raises ProtocolError.
    """
    slips.read_slip(slip)
    player = str(slip["player"])
    if slip["game"] != table.charter.game_id:
        raise ProtocolError(Outcome.FOREIGN_GAME, f"a slip of game {slip['game'][:8]}")
    if player not in table.ledger.keys:
        raise ProtocolError(Outcome.WRONG_KEY, f"{player} does not play in this game")
    keys = [h.key for h in table.ledger.held if h.player == player]
    signed = [key for key in keys if _is_signed(slip, key)]
    if not signed:
        raise ProtocolError(Outcome.BAD_SIGNATURE, f"the {slip['slip']} slip is not signed by {player}")
    if slip["slip"] != "audit" and keys[-1] not in signed:
        raise ProtocolError(Outcome.WRONG_KEY, f"the {slip['slip']} slip is signed with a key that {player} gave up")
    if slip["slip"] == "equivocation":
        check_fork(table, *slip["files"])


def _is_signed(slip: Mapping[str, Any], key: str) -> bool:
    try:
        sshsig.verify(key, signed_bytes(slip), slip["signature"])
    except ProtocolError:
        return False
    return True


def check_fork(table: Table, first: Document, second: Document) -> None:
    """Two different files by one key at one place. Raises ProtocolError when they are no proof of cheating.

    A file that replaces a refused one, with the refusal signed by another player, is no proof by itself.
    """
    player = str(first.get("player"))
    if first.get("game") != table.charter.game_id or player not in table.ledger.keys:
        raise ProtocolError(Outcome.FOREIGN_GAME, "these files are not of this game")
    seq = first.get("seq")
    key = table.ledger.key_at(player, seq if isinstance(seq, int) else 0)
    slips.check_equivocation(first, second, key)
    for one, other in ((first, second), (second, first)):
        if one.get("replaces") == document_id(other) and refusal_in(table, one):
            raise ProtocolError(Outcome.DIVERGED, "one file replaces the other, which was refused: programs disagree")


def note(table: Table, slip: Mapping[str, Any]) -> None:
    """What a slip changes: a resignation counts. A slip that the log has is not taken twice."""
    name = document_id(dict(slip))
    if name in table.ledger.slips:
        return
    table.ledger.slips.append(name)
    if slip["slip"] == "resignation" and slip["player"] not in table.ledger.resigned:
        table.ledger.resigned.append(slip["player"])
        table.advance_nothing()


def take_slips(table: Table, document: Document) -> None:
    """The slips that a file takes into the log, each judged. Raises ProtocolError."""
    heads = {e.id for e in table.ledger.entries}
    for slip in document.get("slips") or []:
        check(table, slip)
        if slip["head"] not in heads:
            raise ProtocolError(Outcome.BAD_CHAIN, f"the {slip['slip']} slip of {slip['player']} names a head not in the log")
        note(table, slip)


def check_replacement(table: Table, document: Document) -> None:
    """A file that replaces a refused one carries the refusal (rule 2). Raises ProtocolError (refused by rule)."""
    if document.get("replaces") and not refusal_in(table, document):
        reason = "replaces a file without the refusal of another player under slips"
        raise ProtocolError(Outcome.REFUSED, reason)


def refusal_in(table: Table, document: Document) -> Document | None:
    """The signed refusal by somebody else of the very file that this one replaces, at this place."""
    for slip in document.get("slips") or []:
        wanted = {"slip": "refusal", "file": document["replaces"], "head": document["prev"]}
        if all(slip.get(k) == v for k, v in wanted.items()) and slip.get("player") != document["player"]:
            try:
                check(table, slip)
            except ProtocolError:
                continue
            return dict(slip)
    return None
