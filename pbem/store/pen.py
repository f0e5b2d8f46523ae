"""Who may sign, and what: one place is signed once, whatever happens to the folder.

A signature is made in the record outside the folder first (`pbem.store.record`), then everywhere else. A folder is *sure*
when the record of this machine vouches for it: a restored, moved or half copied one is not, and signs nothing until the
other players have said what they hold (`pbem.cli.restoring`). Before anything is signed the folder catches up with what this
machine has signed already, and a place that was signed is never signed with other content.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pbem.kernel.wording import NO_WORDS, Message, linked, msg
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import slips
from pbem.store import heal_record, record
from pbem.store.folder import FORMAT, GameFolder
from pbem.store.log import START
from pbem.store.paths import PLACE, home
from pbem.store.record import Record, Row

if TYPE_CHECKING:
    from pbem.store.session import Session

Document = dict[str, Any]


# -- sure or unsure --------------------------------------------------------------------------------------------------------


def why_unsure(folder: GameFolder, game: str) -> Message:
    """Why this machine's record does not vouch for the folder; empty when it does. `game` is "" for a draft."""
    place = read_place(folder)
    if place is None:
        return msg("nothing in it says which record of signatures vouches for it: it was restored, or copied in part")
    mine = record.known_identity(home(), folder.disk)
    if mine is None or place["record"] != mine["record"]:
        return msg("it comes from another machine, or the folder of keys and signatures (PBEM_HOME) is another one")
    if not record.is_of_this_machine(home(), folder.disk):
        return msg("{home} was copied from another machine, or this machine has a new id", home=str(home()))
    if not game:
        return NO_WORDS
    rows = Record(home(), game, folder.disk)
    if rows.hash_of(int(place["rows"])) != place["last"]:
        return msg("the record of signatures in {home} is older than the folder, or it was changed", home=str(home()))
    since = folder.log.entries[int(place.get("entries", 0)) :]
    return _where_the_pen_is(rows, mine["record"]) or signed_elsewhere(folder, rows, since)


def signed_elsewhere(folder: GameFolder, rows: Record, since: Iterable[Mapping[str, Any]]) -> Message:
    """What of these entries of its log this player has signed at another machine: the pen is there."""
    secrets = folder.secrets()
    player, known = secrets.player if secrets else "", {row["id"] for row in rows.signed()}
    files = folder.log.files()
    first = max((d["seat"]["from"] for d in files if d["type"] == "seat" and d["seat"]["player"] == player), default=0)
    for entry in since:
        document = entry["document"]
        if (document.get("signed_by") or document.get("player")) != player or document_id(document) in known:
            continue
        if entry["kind"] == "file" and document in files[first:]:
            return msg("file {seq} of yours was signed at another machine, or the record has lost it", seq=document["seq"])
        if document.get("slip") == "restored":
            return msg("another machine of yours has asked the others what they hold: go on there, or ask here too")
    return NO_WORDS


def _where_the_pen_is(rows: Record, mine: str) -> Message:
    pens = [row for row in rows.rows if row["kind"] in record.PENS]
    if pens and pens[-1]["kind"] == "left" and pens[-1]["to"] != mine:
        return msg("the pen was left to another machine (`pbem sync`): go on there, or sync again")
    return NO_WORDS


def call_back(session: Session) -> None:
    """The pen is here, after what another machine may have signed is known or answered for: once by each question."""
    mine = record.identity(home(), session.folder.disk)["record"]
    with held(session) as rows:
        enter(session, rows, session.me.player)
        rows.append("took-over", {"from": mine, "to": mine, "head": session.head}, session.now())


def read_place(folder: GameFolder) -> dict[str, Any] | None:
    """What the folder says of the record that vouches for it: `{record, rows, last, entries, left}`."""
    path = folder.path / PLACE
    with suppress(OSError, ValueError, LookupError, RecursionError):
        plain = json.loads(folder.disk.read(path))
        if (
            isinstance(plain, dict)
            and isinstance(plain["rows"], int)
            and plain["rows"] >= 0
            and {"record", "last"} <= plain.keys()
        ):
            return plain
    return None


def vouch(folder: GameFolder, game: str, left: Mapping[str, Any] | None = None, mark: tuple[int, str] | None = None) -> None:
    """The record of this machine vouches for the folder from now on. `left`: to which machine the pen was left, by the row
    that is the last of this `mark`; without one the record's newest."""
    rows, last = mark or (Record(home(), game, folder.disk).mark if game else (0, START))
    name = record.identity(home(), folder.disk)["record"]
    entries = len(folder.log.entries) if game else 0
    plain = {"record": name, "rows": rows, "last": last, "entries": entries, "left": left}
    if plain != read_place(folder):
        folder.disk.replace(folder.path / PLACE, json.dumps(plain).encode(), 0o600)


def adopt(session: Session) -> None:
    """A folder from before the record: what it has signed goes into the record once."""
    folder = session.folder
    if folder.format == FORMAT:
        return
    secrets = folder.secrets()
    if secrets is not None and not secrets.restored:
        with held(session) as rows:
            enter(session, rows, secrets.player)
        vouch(folder, session.charter.game_id)
    folder.set_format()


def enter(session: Session, rows: Record, player: str) -> None:
    """What the log holds of this player's files and slips gets the rows that it lacks: no other folder here signs beside it."""
    known = {row["id"] for row in rows.signed()}
    for document, answered in _own_files(session, player):
        if document_id(document) not in known:
            key = session.table.ledger.key_at(player, int(document["seq"]))
            rows.append("adopted", record.row_of(document, key, answered), session.now())
    for slip in session.folder.log.slips():
        if slip["player"] != player or document_id(slip) in known:
            continue
        if keys := slips.signing_keys(session.table, slip):
            rows.append("adopted", record.slip_row(slip, keys[-1], about(slip)), session.now())


def _own_files(session: Session, player: str) -> Iterator[tuple[Document, Document]]:
    files = session.folder.log.files()
    for answered, document in pairwise(files):
        if (document.get("signed_by") or document.get("player")) == player:
            yield document, answered


@contextmanager
def held(session: Session) -> Iterator[Record]:
    """The rows of this game, nobody else writing meanwhile."""
    with Record(home(), session.charter.game_id, session.folder.disk).held() as rows:
        yield rows


# -- signing ----------------------------------------------------------------------------------------------------------------


def write_row(session: Session, document: Document, key: str, kept: Mapping[str, Any]) -> None:
    """The moment of signing: the document, which no one has seen yet, goes into the record; R1 to R6.

    Raises ProtocolError: refused (signed already, or another file answered), waiting (not sure), not written.
    """
    with held(session) as rows:
        why = why_unsure(session.folder, session.charter.game_id)
        if why:
            raise not_sure(why)
        heal_record.check_settled(session.folder.log.files(), rows, session.me.player)
        _guard(session, rows, document, key)
        _check_not_shown(session, rows, document)
        answered = dict(session.folder.fetch(int(document["seq"]) - 1))
        rows.append("signed", record.row_of(document, key, answered, keep(session, kept)), session.now())


def check_all_is_here(session: Session, rows: Record) -> None:
    """The pen goes with what the folder holds, the record stays: a link that only the record knows would be shown again there.

    Raises ProtocolError (refused) where this player has signed a file, or the umpire one for him, that the log lacks.
    """
    here = {entry.id for entry in session.table.ledger.entries} | {*session.table.ledger.gone}
    here |= {d["id"] for d in session.withdrawn() if d["refusal"]} | {r["id"] for r in rows.rows if r["kind"] == "yielded"}
    here |= heal_record.void(session.folder.log.files(), rows)
    mine = [row for row in rows.signed() if row["about"] is None and row["player"] == session.me.player]
    for row in [*mine, *_shown(session, rows)]:
        if row["id"] not in here:
            reason = msg("file {seq} ({id}) is signed and not in this log", seq=row["seq"], id=row["id"][:12])
            way = msg("another machine would not know of it, and might sign there again: the pen stays here")
            raise ProtocolError(Outcome.REFUSED, linked(": ", reason, way))


def not_sure(why: Message) -> ProtocolError:
    """What a folder says that may not sign."""
    reason = msg("this folder may lack something that you have signed: {why}. Nothing was signed", why=why)
    return ProtocolError(
        Outcome.WAITING, msg("{reason}. `pbem restored` asks the other players what they hold of you", reason=reason)
    )


def _guard(session: Session, rows: Record, document: Document, key: str) -> None:
    """R2 to R4: one place, one link, one file."""
    seq, before = document["seq"], document["prev"]
    refused = [d["id"] for d in session.withdrawn() if d["refusal"] and d["refusal"]["head"] == before]
    player = document.get("signed_by") or document["player"]
    mine = [row for row in rows.signed() if row["about"] is None and (row["key"] == key or row["player"] == player)]
    given_up = {row["id"] for row in rows.rows if row["kind"] == "yielded"}
    anew = bool(given_up) and slips.stands(session.table, document)
    void = heal_record.void(session.folder.log.files(), rows)  # only a heal may ask for a link again
    for row in (row for row in mine if row["id"] not in void):
        same_place = row["seq"] == seq and row["before"] == before
        if same_place and (row["id"] == document_id(document) or row["id"] in refused):
            continue
        if same_place and not (anew and row["id"] in given_up):
            raise _signed_already(row, "with other content")
        if row["link"] == document["link"] and row["before"] != before:
            raise _answered_another(row, seq)
        if row["seq"] == seq and row["id"] not in given_up:
            raise _answered_another(row, seq)
        if row["seq"] > seq and row["id"] not in given_up:
            reason = msg(
                "you have signed file {seq} already, which this folder lacks: receive what came before it", seq=row["seq"]
            )
            raise ProtocolError(Outcome.WAITING, msg("{reason}; nothing was signed", reason=reason))
    if any(row["about"] == about_refusal(before) for row in rows.signed()):
        raise ProtocolError(
            Outcome.REFUSED, msg("you have refused file {seq}: who refuses a file does not answer it", seq=seq - 1)
        )


def note_shown(session: Session, document: Document) -> None:
    """A file that the umpire has signed for this player shows his link: the record keeps that, whatever the folder loses."""
    by, player = document.get("signed_by"), document["player"]
    if not by or not session.is_seated or player != session.me.player:
        return
    row = {"id": document_id(document), **{name: document[name] for name in ("seq", "prev", "link")}, "by": by, "for": player}
    with held(session) as rows:
        if row not in rows.shown():
            rows.append("shown", row, session.now())


def has_another_stand_in(session: Session) -> bool:
    """The umpire has signed the file of this player that is due next, behind another one than the newest here."""
    if not session.is_seated or not session.charter.escrow_key:  # who holds no escrow shows nobody else's link
        return False
    with held(session) as rows:
        found = _shown(session, rows)
    return any(row["seq"] == session.table.last + 1 and row["prev"] != session.head for row in found)


def _shown(session: Session, rows: Record) -> list[Row]:
    gone = session.table.ledger.gone  # only a heal may ask for a link again
    return [row for row in rows.shown() if row["for"] == session.me.player and row["id"] not in gone]


def _check_not_shown(session: Session, rows: Record, document: Document) -> None:
    """A link that the umpire has shown answers no second file: his came before the one that it answers, or a backup lacks it.

    Where all others have answered (9b), or he goes on upon his own word, a player need not wait for what never comes.
    """
    if slips.restored_by(document):
        return
    for row in _shown(session, rows):
        if row["link"] == document["link"] and row["prev"] != document["prev"]:
            raise not_sure(
                msg("file {seq}, which {umpire} has signed for you, follows another file", seq=row["seq"], umpire=row["by"])
            )


def _signed_already(row: Row, how: str) -> ProtocolError:
    reason = msg("file {seq} is signed already, {how}, and may be with the others: it stays as it is", seq=row["seq"], how=how)
    ways = msg("`pbem undo {seq}` offers to take it back; a signed refusal of theirs lets it be replaced", seq=row["seq"])
    return ProtocolError(Outcome.REFUSED, linked(". ", reason, ways))


def _answered_another(row: Row, seq: int) -> ProtocolError:
    reason = msg(
        "you have answered another file {seq} with your file {seq2} ({id}), and shown your link",
        seq=seq - 1,
        seq2=row["seq"],
        id=row["id"][:12],
    )
    told = msg("your opponent has signed two files, or you have lost one: nothing is signed, the two files are the proof")
    return ProtocolError(Outcome.REFUSED, linked(": ", reason, told))


def about(slip: Document) -> str:
    """What a slip is about: of each kind and subject there is one; an answer after a loss is given once by each key."""
    kind = str(slip["slip"])
    match kind:
        case "refusal":
            return about_refusal(str(slip["file"]))
        case "head":
            return f"head {slip.get('answers') or 'at ' + slip['head']}"
        case "equivocation":
            return f"equivocation {' '.join(sorted(document_id(f) for f in slip['files']))}"
    return f"{kind} {document_id({k: v for k, v in slip.items() if k != 'head'})}"


def about_refusal(file_id: str) -> str:
    """What a refusal of a file is about."""
    return f"refusal {file_id}"


def write_slip_row(session: Session, slip: Document, key: str, about: str) -> Document:
    """The same for a slip: one of each kind and subject; a second one is the first, given out again (R7)."""
    with held(session) as rows:
        for row in rows.signed():
            if row["about"] == about and row["player"] == slip["player"] and (not slip.get("answers") or row["key"] == key):
                return dict(row["document"])
            if row["about"] is None and about == about_refusal(str(row["before"])):
                reason = msg(
                    "you have answered that file with your file {seq}: who answers a file does not refuse it", seq=row["seq"]
                )
                raise ProtocolError(Outcome.REFUSED, reason)
        here = {"asked_in": record.identity(home(), session.folder.disk)["record"]} if slip["slip"] == "restored" else {}
        rows.append("signed", {**record.slip_row(slip, key, about), **here}, session.now())
    return slip


def is_mine(session: Session, document: Document) -> bool:
    """Signed by this folder's player."""
    secrets = session.folder.secrets()
    return secrets is not None and (document.get("signed_by") or document.get("player")) == secrets.player


def keep(session: Session, kept: Mapping[str, Any]) -> Any:
    """Seals as the record keeps them: encrypted where the folder's secrets are."""
    return session.folder.private.wrap("sealed", dict(kept)) if kept else None


# -- charters ---------------------------------------------------------------------------------------------------------------


def draft_row(folder: GameFolder, tip: str, charter_id: str) -> None:
    """A tip is signed under one charter only, also from a copied or restored draft. Raises ProtocolError."""
    if folder.format != FORMAT and not folder.is_running:
        vouch(folder, "")
        folder.set_format()
    why = why_unsure(folder, "")
    if why:
        reason = msg("this draft may have been signed elsewhere: {why}. Nothing was signed", why=why)
        raise ProtocolError(
            Outcome.WAITING, msg("{reason}. Go on where you joined, or join anew in a new folder", reason=reason)
        )
    with Record(home(), record.CHARTERS, folder.disk).held() as rows:
        for row in rows.signed():
            if row["link"] == tip and row["id"] != charter_id:
                reason = msg("a tip is signed under one charter only; a changed text needs a new game folder")
                raise ProtocolError(Outcome.REFUSED, reason)
        if not any(row["id"] == charter_id and row["link"] == tip for row in rows.signed()):
            rows.append("signed", {"id": charter_id, "link": tip, "about": "charter"}, "")
