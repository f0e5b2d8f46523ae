"""The audit: with all keys and contents open, every draw, commitment and claim is computed again (protocol, "Audit")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Checkpoint, Engine, Rules
from pbem.kernel.flow import Claim, Reveal
from pbem.kernel.wording import Message, msg
from pbem.protocol import draws
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.contents import Document, Fetch
from pbem.runtime.knowledge import Knowledge, Unknown
from pbem.runtime.ledger import ClaimMade, DrawMade, Ledger
from pbem.runtime.proofs import fits
from pbem.runtime.table import Table


class Finding(Struct, frozen=True):
    """The first lie that the audit proves: whose, in which file, and what is wrong."""

    player: str
    seq: int
    what: Message


class Disclosure(Struct, frozen=True):
    """An audit slip's contents: draw secrets K_j by j with their Merkle paths, and all openings."""

    player: str
    secrets: Mapping[int, bytes]
    paths: Mapping[int, Sequence[str]]
    openings: Mapping[str, Mapping[str, Any]]


def disclose(table: Table, knowledge: Knowledge, tree: Any) -> dict[str, Any]:
    """What a player's audit slip says. `tree.path(j)` gives the Merkle path of draw key j."""
    mine = [d.j for d in table.ledger.draws if d.player == knowledge.player and _has_key(knowledge, d.j)]
    sealed = sorted(h for h, s in table.ledger.seals.items() if s.player == knowledge.player)
    return {
        "keys": [{"draw": j, "key": knowledge.secrets[j].hex(), "path": tree.path(j)} for j in mine],
        "open": [knowledge.opening(h) for h in sealed if h in knowledge.sealed],
    }


def _has_key(knowledge: Knowledge, j: int) -> bool:
    """False for a draw of whoever held the seat before and kept his keys: he discloses them himself."""
    try:
        return bool(knowledge.secrets[j])
    except LookupError:
        return False


def collect(table: Table, slips: Sequence[Document]) -> list[Disclosure]:
    """One disclosure per player from all audit slips; of a seat that changed hands each holder shows what he has.

    Where two slips of one player differ, the one that fits tree or seal counts.
    """
    found: dict[str, Disclosure] = {}
    for slip in slips:
        one = read_disclosure(str(slip["player"]), slip)
        held = found.setdefault(one.player, Disclosure(one.player, {}, {}, {}))
        keys = [j for j in one.secrets if j not in held.secrets or not _in_tree(table, held, j)]
        sealed = [h for h in one.openings if h in table.ledger.seals]
        opened = [h for h in sealed if h not in held.openings or not _opens(table, h, held.openings[h])]
        found[one.player] = Disclosure(
            one.player,
            {**held.secrets, **{j: one.secrets[j] for j in keys}},
            {**held.paths, **{j: one.paths[j] for j in keys}},
            {**held.openings, **{h: one.openings[h] for h in opened}},
        )
    return list(found.values())


def undisclosed(ledger: Ledger, disclosures: Sequence[Disclosure]) -> list[str]:
    """The players who still have to show a draw key or a sealed content."""
    keys = {(d.player, j) for d in disclosures for j in d.secrets}
    opened = {(d.player, h) for d in disclosures for h in d.openings}
    owing = {d.player for d in ledger.draws if (d.player, d.j) not in keys}
    owing |= {s.player for h, s in ledger.seals.items() if (s.player, h) not in opened}
    return sorted(owing)


def read_disclosure(player: str, slip: Document) -> Disclosure:
    """The contents of an audit slip."""
    keys = {int(k["draw"]): bytes.fromhex(k["key"]) for k in slip["keys"]}
    paths = {int(k["draw"]): list(k["path"]) for k in slip["keys"]}
    return Disclosure(player, keys, paths, {o["handle"]: o for o in slip["open"] if o})


def audit(table: Table, disclosures: Sequence[Disclosure], fetch: Fetch) -> Finding | None:
    """The first lie in the log, or None. A player without a disclosure who has hidden things is found at his first draw.

    Raises ProtocolError (diverged) where this program plays the log otherwise than the programs that wrote it: what it
    then holds for the truth proves nothing against anybody.
    """
    by_player = {d.player: d for d in disclosures}
    for made in table.ledger.draws:
        finding = _audit_draw(table, made, by_player.get(made.player))
        if finding is not None:
            return finding
    return _audit_seals(table, by_player) or _audit_claims(table, by_player, fetch)


def _audit_draw(table: Table, made: DrawMade, shown: Disclosure | None) -> Finding | None:
    if shown is None or made.j not in shown.secrets:
        return Finding(made.player, made.seq, msg("does not show the key of draw {j}", j=made.j))
    if not _in_tree(table, shown, made.j):
        return Finding(made.player, made.seq, msg("the key of draw {j} is not in the tree that was announced", j=made.j))
    knowledge = _knows(table, shown)
    promised = table.ledger.commits.get(f"{made.player} {made.j}")
    if promised is not None and promised != knowledge.commitments(made):
        return Finding(made.player, _committed_in(table, made), msg("draw {j} gives other items than committed to", j=made.j))
    return None


def _in_tree(table: Table, shown: Disclosure, j: int) -> bool:
    """Whether a disclosed key of a draw is in the tree that was announced for it."""
    made = next((d for d in table.ledger.draws if (d.player, d.j) == (shown.player, j)), None)
    tree = table.ledger.tree_of(shown.player, j, made.source) if made else None
    return tree is not None and draws.verify_key(tree.root, table.charter.nonce, j, shown.secrets[j], shown.paths[j])


def _opens(table: Table, handle: str, entry: Mapping[str, Any]) -> bool:
    """Whether a disclosed opening fits its seal or commitment."""
    return fits(table.ledger, table.charter.game_id, handle, dict(entry))


def _committed_in(table: Table, made: DrawMade) -> int:
    entries = table.ledger.entries
    return next((i for i in range(max(made.seq, 1), len(entries)) if entries[i].player == made.player), made.seq)


def _audit_seals(table: Table, by_player: Mapping[str, Disclosure]) -> Finding | None:
    for handle, seal in table.ledger.seals.items():
        shown = by_player.get(seal.player)
        entry = shown.openings.get(handle) if shown else None
        if entry is None or not _opens(table, handle, entry):
            return Finding(seal.player, seal.seq, msg("the seal {handle} is not opened as it was made", handle=handle))
    return None


def _audit_claims(table: Table, by_player: Mapping[str, Disclosure], fetch: Fetch) -> Finding | None:
    """Replay the whole log with full knowledge; each claim is held against the truth at its moment."""
    if not table.ledger.claims:
        return None
    everything = [_knows(table, d) for d in by_player.values()]

    def reveal(handle: str) -> Plain:
        for knowledge in everything:
            try:
                return knowledge.reveal(handle)
            except (Unknown, KeyError):
                continue
        raise Unknown(handle)

    return _first_lie(table, fetch, reveal)


def _first_lie(table: Table, fetch: Fetch, reveal: Reveal) -> Finding | None:
    """The first claim of the log that is not what was true at its moment, met again in a replay.

    After it nothing is held against the truth any more, which a position made by lies need not have.
    """
    from pbem.runtime.replaying import replay

    found: list[Finding] = []
    met = 0
    again = False  # a change of rules plays the running segment again; its claims were met already

    class Watching(Engine):
        def reply(self, answer: Plain) -> None:
            nonlocal met
            request = self.request
            if isinstance(request, Claim) and not again:
                made = _same_question(table, met, request)
                truth = None if found else request.truth(reveal)
                if not found and not request.allowed(truth, made.value):
                    named = {"kind": made.kind, "about": made.about, "value": repr(made.value), "truth": repr(truth)}
                    what = msg("claim {number} ({kind} {about}) says {value}, not {truth}", number=met, **named)
                    found.append(Finding(made.player, made.seq, what))
                met += 1
            super().reply(answer)

        @classmethod
        def resume(cls, game: Rules, scenario: Plain, checkpoint: Checkpoint) -> Engine:
            nonlocal again
            again = True
            try:
                return super().resume(game, scenario, checkpoint)
            finally:
                again = False

    replay(table, fetch, Watching, records=True)
    return found[0] if found else None


def _same_question(table: Table, n: int, request: Claim) -> ClaimMade:
    """Claim n of the log, which answered this very question."""
    made = table.ledger.claims[n] if n < len(table.ledger.claims) else None
    if made is None or (made.seat, made.kind, made.about) != (request.seat, request.kind, str(request.about)):
        said = msg("the log states nothing")
        if made:
            said = msg("file {seq} states {kind} {about}", seq=made.seq, kind=made.kind, about=made.about)
        raise ProtocolError(
            Outcome.DIVERGED,
            msg(
                "where this program asks {seat} for {kind} {about}, {said}: programs differ",
                seat=request.seat,
                kind=request.kind,
                about=str(request.about),
                said=said,
            ),
        )
    return made


def _knows(table: Table, shown: Disclosure) -> Knowledge:
    return Knowledge(shown.player, shown.secrets, shown.openings, table.ledger, table.charter.game_id)
