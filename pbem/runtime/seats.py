"""Change of key or of player: who may sign a `seat` file, what it must say, and what holds afterwards."""

from __future__ import annotations

from typing import Any

from pbem.kernel.wording import Message, msg
from pbem.protocol import sshsig
from pbem.protocol.escrow import is_well_formed
from pbem.protocol.ids import signed_bytes
from pbem.protocol.keys import key_bytes
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import overdue
from pbem.runtime.contents import Document
from pbem.runtime.ledger import Chain, DrawTree, KeyHeld, OtherLink
from pbem.runtime.table import Table


def by_umpire(table: Table, document: Document) -> bool:
    """The umpire replaces a lost key alone, where the charter or his ruling, which the file then brings, says so."""
    return document["player"] == table.charter.umpire_name and _who_may(table, document) == "umpire"


def _who_may(table: Table, document: Document) -> str:
    """Who may sign this file for a player whose key is lost, or who gets a substitute because he is late."""
    player, rulings = str(document["seat"]["player"]), overdue.rulings_in(document)
    return overdue.substitute(table, player, int(document["seq"]), rulings) or table.charter.lost_keys


def may_fill(table: Table, document: Document) -> bool:
    """Whether a place due from a player whose key is lost may be filled by this `seat` file of somebody else.

    By the umpire at any place; by the first other player of his side where he has orders to give.
    """
    if document["type"] != "seat" or document["seat"]["player"] != table.due.player:
        return False
    if by_umpire(table, document):
        return table.due.what != "accept"
    allies = [p for p in _others(table, table.due.player) if table.side_of(p) == table.side_of(table.due.player)]
    return _who_may(table, document) == "others" and table.due.what == "orders" and document["player"] in allies[:1]


# -- dice that the link of a replaced player owes -------------------------------------------------------------------------


OWING = ("witness", "open", "claim")  # what is due where the link of its file turns the dice of another


def dice_owed(table: Table, seq: int = 0) -> int:
    """The file whose dice the link of the file due turns if they are asked for (SPEC 6: k); 0 where there is none.

    With a witness file they are, with an opening or a claim they may be; orders make another file the source.
    `seq`: a file that is in the log already and fills this place.
    """
    ledger, k = table.ledger, table.ledger.source
    if k < 1 or ledger.behind(k) not in (0, seq):
        return 0
    return 0 if table.side_of(ledger.entries[k].player) == table.side_of(table.due.player) else k


def link_comes_first(table: Table) -> bool:
    """Whether the umpire can show the link that is due, and would turn its dice otherwise by giving the seat away."""
    return table.charter.umpire_role == "escrow" and table.due.what in OWING and dice_owed(table) > 0


def why_link_first(table: Table) -> Message:
    """Why the seat of the player who is due is not given away now, and what comes before."""
    return msg(
        "{player} owes the link that turns the dice of file {file}; a new key now would turn other dice: first show his link, "
        "`pbem umpire stand-in`, and give the seat away when he is due again",
        player=table.due.player,
        file=dice_owed(table),
    )


def check_link_shown(table: Table, document: Document) -> None:
    """An umpire who holds the escrow writes no `seat` file in place of a link that turns dice (SPEC 9).

    Raises ProtocolError (refused by rule). For what is composed alone: such a file is taken from others, and told for good.
    """
    whose = document["seat"]["player"]
    if whose == table.due.player and by_umpire(table, document) and link_comes_first(table):
        raise ProtocolError(Outcome.REFUSED, why_link_first(table))


def note_other_link(table: Table, document: Document) -> None:
    """Remember a `seat` file of the umpire's that shows another link than the one which was owed to the dice of a file."""
    seq, player, by = int(document["seq"]), str(document["seat"]["player"]), str(document["player"])
    source = dice_owed(table, seq)
    if source:
        table.ledger.other_links.append(OtherLink(seq, source, player, by))


def _others(table: Table, player: str) -> list[str]:
    return [p for p in table.charter.players_in_order if p != player]


def check(table: Table, record: Document, seq: int) -> None:
    """Judge the new key, tip and root of file `seq`. Raises ProtocolError (refused by rule, wrong key)."""
    player = str(record["player"])
    if player not in table.ledger.keys or player == table.charter.umpire_name:
        raise ProtocolError(Outcome.REFUSED, msg("{player} holds no seat in this game", player=player))
    signer = table.ledger.entries[-1].player
    if signer != player and not _is_replaced_by(table, signer, player, seq):
        raise ProtocolError(
            Outcome.WRONG_KEY, msg("only {player} himself can change his key: the charter allows nobody else", player=player)
        )
    since = first_file(table, signer, player, seq)
    if int(record["from"]) != since:
        raise ProtocolError(
            Outcome.REFUSED, msg("the new key holds from file {since}, not {since2}", since=since, since2=record["from"])
        )
    key_bytes(str(record["key"]))
    check_escrow(table, record)
    check_fresh(table, "key", str(record["key"]))
    check_fresh(table, "tip", str(record["chain"]))
    check_fresh(table, "root", str(record["draws"]))


def _is_replaced_by(table: Table, signer: str, player: str, seq: int) -> bool:
    allowed = overdue.substitute(table, player, seq, table.ledger.rulings) or table.charter.lost_keys
    if allowed == "umpire":
        return signer == table.charter.umpire_name
    return allowed == "others" and table.side_of(signer) == table.side_of(player)


def check_escrow(table: Table, record: Document) -> None:
    """An umpire who holds the escrow gets the secret of every new chain. Raises ProtocolError (bad chain)."""
    wanted = table.charter.umpire_role == "escrow"
    if wanted != bool(record.get("escrow")) or (wanted and not is_well_formed(record["escrow"])):
        raise ProtocolError(Outcome.BAD_CHAIN, msg("a new chain brings its escrow where the umpire holds one, else none"))


def check_fresh(table: Table, what: str, value: str) -> None:
    """A new key, tip or root is nobody's already: none is copied, none is used twice. Raises ProtocolError (refused)."""
    ledger = table.ledger
    known = {
        "key": {h.key for h in ledger.held},
        "tip": {*(p.chain for p in table.charter.all_players), *ledger.tips},
        "root": {*(t.root for t in ledger.trees), *ledger.roots},
    }
    if value in known[what]:
        raise ProtocolError(
            Outcome.REFUSED, msg("this {what} is in the log already: one of two has copied the other's", what=what)
        )


def first_file(table: Table, signer: str, player: str, seq: int) -> int:
    """The `from` of a `seat` file at place `seq`: after the last acceptance, at once when the umpire decides alone."""
    allowed = overdue.substitute(table, player, seq, table.ledger.rulings) or table.charter.lost_keys
    if allowed == "umpire" and signer == table.charter.umpire_name:
        return seq + 1
    return seq + len([p for p in table.charter.players_in_order if p not in (signer, player)]) + 1


def take_over(table: Table, record: Any, since: int) -> None:
    """The new key signs, the new chain is shown and the new draw keys serve from file `since` on."""
    ledger, player = table.ledger, str(record["player"])
    ledger.keys[player] = str(record["key"])
    ledger.held.append(KeyHeld(player, str(record["key"]), since, str(record.get("holder") or "")))
    ledger.chains[player] = Chain(str(record["chain"]), int(record["chain_length"]))
    ledger.tips.append(str(record["chain"]))
    ledger.trees.append(DrawTree(player, str(record["draws"]), ledger.draw_counts.get(player, 0), since))


def check_signer(table: Table, document: Document) -> None:
    """Who plays here, or the umpire with the escrow for him, signs a file. Raises ProtocolError (wrong key)."""
    player, signer = document["player"], document.get("signed_by")
    if player not in table.ledger.keys:
        raise ProtocolError(Outcome.WRONG_KEY, msg("{player} does not play in this game", player=player))
    if signer is not None and not (table.charter.umpire_role == "escrow" and signer == table.charter.umpire_name):
        raise ProtocolError(Outcome.WRONG_KEY, msg("only an umpire who holds the escrow signs for another player"))


def check_signature(table: Table, document: Document) -> None:
    """The key that signs this place. Raises ProtocolError: wrong key for a key that was given up, else bad signature.

    Behind a gap that key need not be known yet: any key of the signer's will do until the gap is filled.
    """
    seq = int(document["seq"])
    signer = str(document.get("signed_by") or document["player"])
    try:
        sshsig.verify(table.ledger.key_at(signer, seq), signed_bytes(dict(document)), str(document["signature"]))
    except ProtocolError:
        if not any(_signed(held.key, document) for held in table.ledger.held if held.player == signer):
            raise
        if seq <= table.last + 1:
            raise ProtocolError(Outcome.WRONG_KEY, msg("signed with a key that does not hold at file {seq}", seq=seq)) from None


def _signed(key: str, document: Document) -> bool:
    try:
        sshsig.verify(key, signed_bytes(dict(document)), str(document["signature"]))
    except ProtocolError:
        return False
    return True
