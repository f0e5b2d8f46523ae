"""Signed files beside the line: forks, places that others fill, files behind one that is not here (protocol, 12)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.wording import Message, msg
from pbem.protocol import slips as slip_shapes
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import slips
from pbem.runtime.evidence import HEALED, Document, Evidence, Piece, Remark
from pbem.runtime.slips import restored_by
from pbem.runtime.table import Table
from pbem.runtime.verdicts import CUT, Fault, Fork

TRIED = 8  # of several files at one place, so many are held against the others


def forks_of(evidence: Evidence, line: Sequence[Piece], table: Table | None) -> list[Fork]:
    """Every place for which one key signed two different files behind the same one, by place; `line`: the files that count."""
    places: dict[tuple[str, int, str, str], list[Piece]] = {}
    for file in evidence.files.values():
        places.setdefault(file.place, []).append(file)
    counted = {file.id for file in line}
    found = [_versions(evidence, table, sorted(files, key=lambda f: f.id not in counted)) for files in places.values()]
    return sorted((_fork(evidence, line, versions) for versions in found if versions), key=lambda f: f.seq)


def _versions(evidence: Evidence, table: Table | None, files: Sequence[Piece]) -> list[Piece]:
    """Of files at one place the first, by which others are proved to be second ones, and these; none without a proof."""
    for n, first in enumerate(files[:TRIED]):
        second = [f for f in files[n + 1 :] if _is_proof(evidence, table, first.document, f.document)]
        if second:
            return [first, *second]
    return []


def _fork(evidence: Evidence, line: Sequence[Piece], versions: Sequence[Piece]) -> Fork:
    first = versions[0]
    lengths = tuple((v.id, (evidence.depth[v.id] - 1) % HEALED) for v in versions)
    restored = any(restored_by(v.document) is not None for v in versions)
    heals = [h.document for h in line if h.id in evidence.heals]
    healed = next((int(h["seq"]) for h in heals if h["forked"]["seq"] <= first.seq < h["seq"]), 0)
    return Fork(first.signer, first.seq, lengths, restored, healed)


def _is_proof(evidence: Evidence, table: Table | None, first: Document, second: Document) -> bool:
    try:
        if table is None:
            key = evidence.charter.player(str(first.get("signed_by") or first["player"])).key
            slip_shapes.check_equivocation(first, second, key)
            return not slips.takes_the_log(first, second)
        slips.check_fork(table, first, second)
    except (ProtocolError, LookupError):
        return False
    return True


def passed_over(evidence: Evidence, line: Sequence[Piece], table: Table | None, forks: Sequence[Fork]) -> list[Remark]:
    """Signed files for places that others fill: who was not due, or the umpire's and the player's with one link."""
    gone = table.ledger.gone if table is not None else []
    told = {name for fork in forks for name, _ in fork.versions} | {f.id for f in line} | {*gone}
    replaced = {name for f in line for name in replaced_by(f.document)}
    found = []
    for file in [f for f in line if f.id in evidence.files]:
        for other in evidence.behind.get(str(file.document["prev"]), ()):
            if other.seq == file.seq and other.id not in told | replaced:
                same = other.document["player"] == file.document["player"]
                outcome = Outcome.ALREADY_KNOWN if same else Outcome.WRONG_KEY
                reason = msg(
                    "file {seq} of {player}: the place is filled by {who}", seq=other.seq, player=other.signer, who=file.signer
                )
                found.append(Remark(other.where, outcome, reason))
    return found


def replaced_by(document: Document) -> list[str]:
    """The refused files whose place a file says that it takes: ids of those whose refusals it brings."""
    refusals = [s for s in document.get("slips") or [] if s.get("slip") == "refusal"]
    return list(dict.fromkeys(str(slip.get("file")) for slip in refusals)) if document.get("replaces") else []


def orphan(evidence: Evidence) -> Fault | None:
    """The first file that follows one that is not here, though a player of the game has signed it."""
    known = evidence.known
    lost = [f for f in evidence.files.values() if f.document["prev"] not in known]
    first = min(lost, key=lambda f: f.seq, default=None)
    if first is None:
        return None
    told = msg(
        "file {seq} of {player} follows a file {before} that is not here: {id}",
        seq=first.seq,
        player=first.signer,
        before=first.seq - 1,
        id=str(first.document["prev"])[:16],
    )
    return cut(told, first.seq - 1)


def cut(reason: Message, seq: int | None = None) -> Fault:
    """A file that others name is not here."""
    return Fault(Outcome.BAD_CHAIN, reason, seq, section="protocol 5", word=CUT)
