"""A heal taken into a log (SPEC 9): who may choose which version, which links are burnt, what becomes of dice that are owed.

The table stands behind the files that are kept and the void places. Nothing of the heal enters a seed: dice that are owed come
from the file that was kept, with the link that was due before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from pbem.kernel.wording import msg
from pbem.protocol import chain, heal, sshsig
from pbem.protocol.charter import Charter
from pbem.protocol.ids import document_id, signed_bytes
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.choosing import Choice, check_choice, is_crossed, signer_of
from pbem.runtime.contents import Document, Fetch
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import Chain, Entry, Rolled
from pbem.runtime.replaying import take_back
from pbem.runtime.table import Due, Table
from pbem.runtime.taking import chain_of, check_game

Brought = tuple[str, tuple[Rolled, ...], tuple[Any, ...]]  # id, dice, events
FARTHEST = 1 << 17  # links: more than any chain has


# -- signatures -------------------------------------------------------------------------------------------------------------


def signers(table: Table, document: Document) -> list[str]:
    """Who has to sign: all players who have not resigned, the umpire too; of two honest files for a place the umpire alone.

    Without an umpire all but the player for whom another has signed, since his key is lost to him.
    """
    if document["chosen_by"] == heal.UMPIRE:
        return [table.charter.umpire_name]
    out = [*table.ledger.resigned, *([document["forked"]["player"]] if is_crossed(document) else [])]
    return [p.name for p in table.charter.all_players if p.name not in out]


def check_signatures(table: Table, document: Document) -> list[str]:
    """For whom the umpire has signed. Raises ProtocolError (bad signature) for a signature that is not its player's."""
    umpire, silent = table.charter.umpire_name, []
    for player in document.get("signatures") or {}:
        if player not in table.ledger.keys:
            raise ProtocolError(Outcome.BAD_SIGNATURE, msg("{player} has signed the heal and does not play", player=player))
        key = table.ledger.keys[umpire] if umpire and player != umpire else ""
        silent += [player] if heal.signer_of(document, player, table.ledger.keys[player], key) != player else []
    return silent


def check_complete(table: Table, document: Document) -> None:
    """Raises ProtocolError (waiting) with the names of those who have not signed."""
    missing = [player for player in signers(table, document) if player not in (document.get("signatures") or {})]
    if missing:
        raise ProtocolError(Outcome.WAITING, msg("the heal is not signed yet by {missing}", missing=", ".join(missing)))


def check_silent(table: Table, document: Document, found: Choice, player: str) -> None:
    """Raises ProtocolError (refused by rule) where the umpire may not sign for a player who is silent."""
    agreed = table.charter.overdue
    if agreed is None or agreed.then != "stand-in":
        raise ProtocolError(
            Outcome.REFUSED, msg("the umpire signs for nobody: the charter does not say `stand-in` for who is late")
        )
    if document["chosen_by"] == heal.ALL or (len(found.allowed) > 1 and table.side_of(player) == found.chooser):
        raise ProtocolError(Outcome.REFUSED, msg("{player} has to choose himself: nobody signs for him", player=player))


# -- the versions -----------------------------------------------------------------------------------------------------------


def check(table: Table, document: Document) -> Choice:
    """Everything but who has not signed yet, at a table that stands behind what the heal keeps. Raises ProtocolError."""
    heal.read_heal(document)
    check_game(table, document)
    if document["forked"]["player"] not in table.ledger.keys:
        raise ProtocolError(Outcome.WRONG_KEY, msg("{player} does not play in this game", player=document["forked"]["player"]))
    silent, keys = check_signatures(table, document), _keys(table, document)
    for file in heal.files_of(document):
        _check_signed(table.charter, keys, file)
    place, before = heal.parting(document)
    entries = table.ledger.entries
    if (entries[place].id, entries[document["to"]].id) != (before, document["prev"]):
        raise ProtocolError(Outcome.BAD_CHAIN, msg("the heal keeps another file {to} than this log holds", to=document["to"]))
    _shown(table, document)
    found = check_choice(table, document)
    for player in silent:
        check_silent(table, document, found, player)
    return found


def _keys(table: Table, document: Document) -> dict[str, list[str]]:
    """Every key that a player has had in the log or got in a version."""
    found: dict[str, list[str]] = {}
    for held in table.ledger.held:
        found.setdefault(held.player, []).append(held.key)
    for file in heal.files_of(document):
        if file["type"] == "seat" and file["seat"]["player"] in found:
            found[file["seat"]["player"]].append(file["seat"]["key"])
    return found


def _check_signed(charter: Charter, keys: Mapping[str, Sequence[str]], file: Document) -> None:
    name, umpire = f"file {file['seq']} of {file['player']} in a version", file.get("signed_by") or charter.umpire_name
    if file["player"] not in keys or umpire != charter.umpire_name:
        raise ProtocolError(Outcome.WRONG_KEY, msg("{name}: whoever signed it does not play in this game", name=name))
    for key in keys[signer_of(file)]:
        try:
            sshsig.verify(key, signed_bytes(dict(file)), str(file["signature"]))
        except ProtocolError:
            continue
        return
    raise ProtocolError(
        Outcome.BAD_SIGNATURE,
        msg("{name} is not signed by {signer}: anybody can have written it", name=name, signer=signer_of(file)),
    )


# -- links ------------------------------------------------------------------------------------------------------------------


class _Shown(Struct):
    """The deepest link of a player that a version shows: how far behind the one that the log showed last, and the link.

    `behind_next`: the same on his next chain, of which the log has shown nothing yet.
    """

    behind: int = 0
    link: str = ""
    behind_next: int = 0
    offered: bool = False  # a link of the chain that comes with a seat on offer


class _Chains(Struct):
    """Finds links on the chains of which something is known: each value is hashed once."""

    nonce: bytes
    known: Mapping[str, None]
    found: dict[str, tuple[str, int]] = field(default_factory=dict)

    def place(self, link: str) -> tuple[str, int]:
        """The known value that a link leads back to, and in how many steps. Raises ProtocolError (bad chain)."""
        passed: list[str] = []
        value = link
        while value not in self.known and value not in self.found:
            if len(passed) > FARTHEST:
                raise ProtocolError(Outcome.BAD_CHAIN, msg("the link {link} of a version is on nobody's chain", link=link[:12]))
            passed.append(value)
            value = chain.previous(self.nonce, bytes.fromhex(value)).hex()
        known, steps = self.found.get(value, (value, 0))
        for n, one in enumerate(reversed(passed), 1):
            self.found[one] = (known, steps + n)
        return known, steps + len(passed)


def _shown(table: Table, document: Document) -> dict[str, _Shown]:
    """What the versions show of each player's chain. Raises ProtocolError (bad chain) for a link that is on none."""
    ledger, files = table.ledger, heal.files_of(document)
    tips = [*(p.chain for p in table.charter.all_players), *ledger.tips, *_tips(files), *_offered(table)]
    chains = _Chains(bytes.fromhex(table.charter.nonce), dict.fromkeys([*tips, *(e.link for e in ledger.entries)]))
    shown = {player: _Shown() for player in ledger.chains}
    for file in files:
        known, steps = chains.place(str(file["link"]))
        held, most = ledger.chains[str(file["player"])], shown[str(file["player"])]
        if known == held.last and steps > most.behind:
            most.behind, most.link = steps, str(file["link"])
        if known == held.next_tip:
            most.behind_next = max(most.behind_next, steps)
        most.offered |= known in _offered(table) and steps > 0
    return shown


def _tips(files: Sequence[Document]) -> list[str]:
    announced = [file["next_chain"]["tip"] for file in files if file.get("next_chain")]
    return announced + [file["seat"]["chain"] for file in files if file["type"] == "seat"]


def _offered(table: Table) -> list[str]:
    """The tip of the chain that comes with a seat which is offered and not accepted yet."""
    detail: Any = table.ledger.offer.detail if table.ledger.offer else None
    return [detail["seat"]["chain"]] if detail and "seat" in detail else []


def _burn(held: Chain, links: int) -> None:
    """So many links behind the one shown last are never shown again; nor are, where the one that is due since an earlier heal
    is among them, those that this had burnt behind it."""
    if held.later and links > held.skip:
        links, held.later = max(links, held.skip + 1 + held.later), 0
    more = max(0, links - held.skip)
    held.skip, held.left = held.skip + more, held.left - more


# -- taking -----------------------------------------------------------------------------------------------------------------


def take(table: Table, document: Document, fetch: Fetch, *, complete: bool = True) -> Brought:
    """A void place or a heal into the log, in place: its id, the dice that it turned, what happened. Raises ProtocolError.

    `complete`: all signatures are there; else the heal is only tried.
    """
    entries = table.ledger.entries
    if document["seq"] != len(entries):
        raise ProtocolError(
            Outcome.WAITING, msg("place {seq} comes behind place {number}", seq=document["seq"], number=len(entries))
        )
    if document["type"] == heal.VOID:
        entries.append(Entry("", "", heal.VOID))
        return "", (), ()
    found = check(table, document)
    if complete:
        check_complete(table, document)
    known = len(table.engine.state.events)
    hand = _apply(table, document, found, fetch)
    return entries[-1].id, tuple(hand.turned), tuple(table.engine.state.events[known:])


def _apply(table: Table, document: Document, found: Choice, fetch: Fetch) -> Hand:
    ledger, owed = table.ledger, _owed(table)
    for player in ledger.chains:
        chain_of(table, player)
    shown = _shown(table, document)
    ledger.entries.append(Entry(document_id(dict(document)), "", heal.TYPE))
    void = heal.given_up(document)
    ledger.gone += [document_id(dict(file)) for file in void]
    ledger.tips += [tip for tip in _tips(void) if tip not in ledger.tips]
    ledger.roots += [file["next_draws"] for file in void if file.get("next_draws")]
    ledger.roots += [file["seat"]["draws"] for file in void if file["type"] == "seat"]
    _use_up_draws(table, void)
    back = _settle(table, owed, found, shown[owed.player], int(document["to"])) if owed else 0
    for player, deepest in shown.items():
        held = ledger.chains[player]
        _burn(held, deepest.behind)
        held.next_skip = max(held.next_skip, deepest.behind_next)  # an earlier heal may have burnt more
        if deepest.offered:
            ledger.offer = None  # a chain that is known already is not taken into use
    if back:
        take_back(table, back, fetch)
    hand = Hand("", int(document["seq"]))
    if ledger.offer is None:  # an offer goes on waiting for its answer
        table.advance(hand)
    return hand


def _use_up_draws(table: Table, void: Sequence[Document]) -> None:
    """Draw numbers to which a void file has committed are never used again."""
    counts = table.ledger.draw_counts
    for file in void:
        for commit in file.get("commit") or []:
            counts[str(file["player"])] = max(counts.get(str(file["player"]), 0), int(commit["draw"]) + 1)


def _owed(table: Table) -> Due | None:
    """Who owes a link that turns, or may turn, the dice of the newest file; None where nobody does."""
    ledger, due = table.ledger, table.due
    if due.what == "witness":
        return due
    opens = due.what in ("open", "claim") and table.seed() is None and ledger.source == ledger.newest
    return due if opens and table.side_of(due.player) != table.side_of(ledger.entries[ledger.newest].player) else None


def _settle(table: Table, owed: Due, found: Choice, deepest: _Shown, to: int) -> int:
    """Dice that are owed with a link that a version has shown. Gives the file whose orders are void for that, or 0.

    Owed by the side that forked: the very same link turns them, known as it is. Owed by another: the orders are asked again,
    for another link.
    """
    ledger, held = table.ledger, table.ledger.chains[owed.player]
    extra = deepest.behind - held.skip - 1
    if extra < 0:
        return 0
    if table.side_of(owed.player) not in found.forked:
        decided = [seq for seq in range(to + 1) if ledger.entries[seq].decides and seq not in ledger.voided]
        return decided[-1] if decided else 0
    deepest.behind = 0
    if owed.what != "witness":  # what is to be opened comes with the same link in a file of his
        held.later = max(held.later, extra)
        return 0
    link = _before(table.charter.nonce, deepest.link, extra)
    held.last, held.left, held.shown, held.skip = link, held.left - 1, held.shown + 1, 0
    ledger.mark(to + 1, link=link, of=owed.player)
    deepest.behind = extra
    return 0


def _before(nonce: str, link: str, steps: int) -> str:
    value = bytes.fromhex(link)
    for _ in range(steps):
        value = chain.previous(bytes.fromhex(nonce), value)
    return value.hex()
