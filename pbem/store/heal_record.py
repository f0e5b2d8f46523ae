"""Heals in the record of signatures: one for a place, unless a later one names it; what a player signs no file beside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pbem.kernel.wording import msg
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import healing
from pbem.runtime.table import Table
from pbem.store import record
from pbem.store.paths import home
from pbem.store.record import Record, Row

if TYPE_CHECKING:
    from pbem.store.session import Session

Document = dict[str, Any]


def sign(session: Session, rows: Record, document: Document, key: str) -> None:
    """The moment of signing: the heal holds every own file behind the parting, and stands instead of those signed before it.

    Raises ProtocolError (refused by rule); not written.
    """
    files, player = session.folder.log.files(), session.me.player
    check_holds_all(files, rows, document, player)
    for other in unsettled(files, rows, player):
        if other != document_id(document) and other not in (document.get("instead") or []):
            reason = msg("you have signed another heal ({other}), and this one does not stand instead of it", other=other[:12])
            raise ProtocolError(Outcome.REFUSED, msg("{reason}: `pbem heal --anew` writes one that does", reason=reason))
    if document_id(document) not in [row["id"] for row in _heals(rows.signed(), player)]:
        rows.append("signed", record.heal_row(document, player, key), session.now())


def note_signed(session: Session, document: Document, table: Table) -> None:
    """A heal that this player has signed at another machine, or before its record was lost, is signed at this machine too."""
    secrets = session.folder.secrets()
    player = secrets.player if secrets else ""
    if player not in (document.get("signatures") or {}) or player in healing.check_signatures(table, document):
        return
    with Record(home(), session.charter.game_id, session.folder.disk).held() as rows:
        if document_id(document) not in [row["id"] for row in _heals(rows.signed(), player)]:
            rows.append("signed", record.heal_row(document, player, table.ledger.keys[player]), session.now())


def signed(rows: Record) -> list[Document]:
    """Every heal that was signed here, those that were dropped since too."""
    return [row["document"] for row in rows.signed() if str(row["about"] or "").startswith("heal ")]


def _heals(rows: Sequence[Row], player: str) -> list[Row]:
    return [row for row in rows if str(row["about"] or "").startswith("heal ") and row["player"] == player]


def check_holds_all(files: Sequence[Document], rows: Record, document: Document, player: str) -> None:
    """Raises ProtocolError (refused by rule) where a file of this player behind the parting is in no version.

    What was signed since the heal was taken here for the first time is behind it.
    """
    name = document_id(document)
    taken = any(row["kind"] == "healed" and row["id"] == name for row in rows.rows)
    mine = _before(rows, name) if taken else [row for row in rows.signed() if row["about"] is None]
    held = {document_id(dict(file)) for file in heal.files_of(document)} | void(files, rows)
    behind = [row for row in mine if row["player"] == player and row["seq"] >= document["forked"]["seq"]]
    missing = [row for row in behind if row["id"] not in held]
    if missing:
        raise _not_held([(row["seq"], row["id"]) for row in missing])


def check_holds_known(session: Session, document: Document) -> None:
    """The same by what lies in the folder, where the record is lost. Raises ProtocolError (refused by rule)."""
    place = int(document["forked"]["seq"])
    known = [d for d in session.folder.log.files() if not heal.is_place(d)] + session.folder.aside()
    behind = [d for d in known if d["type"] != "charter" and d["seq"] >= place]
    held = {document_id(dict(file)) for file in heal.files_of(document)}
    mine = {document_id(d): d["seq"] for d in behind if (d.get("signed_by") or d["player"]) == session.me.player}
    if missing := [(seq, name) for name, seq in mine.items() if name not in held]:
        raise _not_held(missing)


def _not_held(files: Sequence[tuple[int, str]]) -> ProtocolError:
    named = ", ".join(f"{seq} ({name[:12]})" for seq, name in files)
    reason = msg("you have signed file {named}, which the heal does not hold: its link would not be burnt", named=named)
    return ProtocolError(Outcome.REFUSED, msg("{reason}. `pbem heal --anew` writes one that holds it", reason=reason))


def unsettled(files: Sequence[Document], rows: Record, player: str) -> list[str]:
    """Heals that this player has signed and that may still come into force."""
    taken = [d for d in files if d["type"] == heal.TYPE]
    given_up = {row["id"] for row in rows.rows if row["kind"] == "yielded"}
    found = []
    for row in _heals(rows.signed(), player):
        place = row["document"]["forked"]["seq"]
        if row["id"] not in given_up and not any(d["forked"]["seq"] <= place < d["seq"] for d in taken):
            found.append(str(row["id"]))
    return found


def waiting(session: Session) -> list[str]:
    """The ids of the heals that this folder's player has signed and that not all have signed yet."""
    secrets = session.folder.secrets()
    if secrets is None:
        return []
    rows = Record(home(), session.charter.game_id, session.folder.disk)
    return unsettled(session.folder.log.files(), rows, secrets.player)


def check_settled(files: Sequence[Document], rows: Record, player: str) -> None:
    """Beside a heal that he has signed a player signs no file: it would be in none of the versions.

    Raises ProtocolError (waiting).
    """
    for name in unsettled(files, rows, player):
        reason = msg(
            "you have signed a heal ({name}) that not all have signed yet; a file signed now would not be in it", name=name[:12]
        )
        raise ProtocolError(
            Outcome.WAITING, msg("{reason}. Nothing was signed; `pbem heal --drop` waits for it no longer", reason=reason)
        )


def drop(session: Session, rows: Record) -> list[str]:
    """The player waits no longer for heals that he has signed: their ids."""
    names = unsettled(session.folder.log.files(), rows, session.me.player)
    for name in names:
        rows.append("yielded", {"id": name, "seq": None, "to": ""}, session.now())
    return names


def signed_at(rows: Record, document: Document, player: str) -> str:
    """When this machine recorded a player's signature under a heal; "" for never."""
    name = document_id(document)
    for entry in rows.log.entries:
        row = entry["document"]
        if (row.get("id"), row.get("player")) == (name, player) and entry["kind"] == "signed":
            return str(entry["received"])
    return ""


def mark(files: Sequence[Document], rows: Record, when: str) -> None:
    """Every heal of the log has its row: what was signed before it, and does not stand, is void from here on."""
    known = [row["id"] for row in rows.rows if row["kind"] == "healed"]
    for document in (d for d in files if d["type"] == heal.TYPE):
        if document_id(document) not in known:
            rows.append("healed", {"id": document_id(document), "seq": document["seq"]}, when)


def void(files: Sequence[Document], rows: Record) -> set[str]:
    """Signed files that a heal has given up, also those that it does not hold."""
    heals = [d for d in files if d["type"] == heal.TYPE]
    standing = {document_id(d) for d in files} if heals else set()
    found: set[str] = set()
    for document in heals:
        for row in _before(rows, document_id(document)):
            if row["seq"] >= document["forked"]["seq"] and row["id"] not in standing:
                found.add(str(row["id"]))
    return found


def _before(rows: Record, name: str) -> list[Row]:
    """The rows of files that were signed before a heal was taken; none where it was not taken at this machine."""
    kept = rows.rows
    marks = [n for n, row in enumerate(kept) if row["kind"] == "healed" and row["id"] == name]
    return [row for row in kept[: marks[0] if marks else 0] if row["kind"] in record.SIGNED and row["about"] is None]
