"""The heal command: a log that has parted goes on from one of its versions, when all have signed that (SPEC 9).

A heal is written by whoever likes, passed round and signed like a charter, and taken by every folder when it is complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pbem.cli import deadlines, heal_record, pen
from pbem.cli.heal_draft import Wanted, written
from pbem.cli.play import of_game
from pbem.cli.session import Session
from pbem.kernel.canon import Plain
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.keys import public_text
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.runtime import healing
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused, take_in_place
from pbem.store.record import Row

Document = dict[str, Any]


# -- the command ------------------------------------------------------------------------------------------------------------


def command(path: Path, source: Path | None, wanted: Wanted, anew: bool = False) -> tuple[Plain, str]:
    """Sign a heal that came in, or write one; `anew`: also where one lies here already. Raises ProtocolError."""
    with Session.at_work(path) as session:
        if session.charter.version < 2:
            raise unreadable("games of version 1 of the protocol have no heals")
        if source is not None:
            document = _read(source)
        else:
            here = None if anew or wanted.keep or wanted.at else _waiting_here(session)
            document = here or written(session, wanted, known(session))
        document = _with_known(session, document)
        table = _played(session, document, complete=False)
        why = pen.why_unsure(session.folder, session.charter.game_id)
        if why:
            raise pen.not_sure(why)
        document = heal.sign(document, session.me.player, session.private)
        with pen.held(session) as rows:
            heal_record.sign(session, rows, document, public_text(session.private))
        return _signed(session, document, table)


def sign_for(path: Path, source: Path | None, silent: str) -> tuple[Plain, str]:
    """The umpire signs for a player who is silent, after a time by his own clock. Raises ProtocolError."""
    with Session.at_work(path) as session:
        if session.me.player != session.charter.umpire_name:
            raise ProtocolError(Outcome.REFUSED, "only an umpire signs for somebody else")
        document = _with_known(session, _read(source) if source is not None else _waiting_here(session) or {})
        table = _played(session, document, complete=False)
        if silent in (document.get("signatures") or {}) or silent not in healing.signers(table, document):
            raise ProtocolError(Outcome.REFUSED, f"no signature of {silent} is missing there")
        _check_time(session, document, silent)
        document = heal.sign_for(document, silent, session.private)
        return _signed(session, document, _played(session, document, complete=False))


def _check_time(session: Session, document: Document, silent: str) -> None:
    """The umpire has signed himself, and sent the heal, so long ago as a player may take and the grace."""
    agreed = session.charter.overdue
    if agreed is None:
        raise ProtocolError(Outcome.REFUSED, "the charter names no deadline: nobody is signed for")
    with pen.held(session) as rows:
        since = heal_record.signed_at(rows, document, session.me.player)
    if not since:
        raise ProtocolError(Outcome.WAITING, f"sign it yourself first and send it to {silent}: his time begins then")
    left = deadlines.left_of(session, since, agreed.after + agreed.grace)
    if left > 0:
        raise ProtocolError(Outcome.WAITING, f"{silent} has {deadlines.span(left)} left, {deadlines.CLOCK}")


def drop(path: Path) -> tuple[Plain, str]:
    """Wait no longer for heals that this player has signed: he may sign files again."""
    with Session.at_work(path) as session, pen.held(session) as rows:
        names = heal_record.drop(session, rows)
    if not names:
        return {"dropped": []}, "You have signed no heal that waits for others."
    told = "should all sign it after all, another one is needed, which holds what you sign from now on"
    return {"dropped": [*names]}, f"You wait no longer for the heal {', '.join(n[:12] for n in names)}; {told}."


def _read(source: Path) -> Document:
    from pbem.transport.mail import gather

    found = [d for _, d in gather(source) if isinstance(d, dict) and d.get("type") == heal.TYPE]
    if len(found) != 1:
        raise unreadable(f"{source.name} holds {len(found)} heals: one is signed at a time")
    return heal.read_heal(found[0])


def _signed(session: Session, document: Document, table: Table) -> tuple[Plain, str]:
    """A heal with one signature more is kept and put out; a complete one is taken at once."""
    session.folder.keep_draft(document)
    missing = _missing(table, document)
    lines = [*in_words(document), f"Then {session.in_words(table.due)}" if table.due.player else "Then the game is over."]
    if not missing:
        take(session, document)
    out = session.put_out(document)
    session.back_up()
    if missing:
        lines.append(f"Signed: {out}. Send it on: {', '.join(missing)} to go, each with `pbem heal FILE`.")
    else:
        lines.append(f"Everybody has signed, it holds here: send {out} to all; `pbem receive` takes it.")
    written = session.answer_by_itself()
    lines += [f"written by itself: file {d['seq']}, in {session.folder.path / 'outbox'}" for d in written]
    plain: Plain = {
        "heal": document_id(document),
        "seq": document["seq"],
        "to": document["to"],
        "void": [*(document_id(dict(d)) for d in heal.given_up(document))],
        "missing": [*missing],
        "complete": not missing,
        "file": str(out),
        "due": table.due.player,
    }
    return plain, "\n".join(lines)


def _missing(table: Table, document: Document) -> list[str]:
    return [p for p in healing.signers(table, document) if p not in (document.get("signatures") or {})]


def in_words(document: Document) -> list[str]:
    """What a heal says, line by line."""
    place, void = document["forked"], heal.given_up(document)
    files = ", ".join(f"{d['seq']} of {d['player']} ({document_id(dict(d))[:12]})" for d in void)
    back = "" if heal.kept(document) else ", before the versions part"
    return [
        f"Heal {document_id(document)[:12]}, place {document['seq']}: file {place['seq']} of {place['player']} exists twice.",
        f"All go on from file {document['to']} ({document['prev'][:12]}){back}; {document['chosen_by']} chooses.",
        f"Void: file {files}. Links shown in them are burnt; no dice are turned again.",
    ]


# -- which one --------------------------------------------------------------------------------------------------------------


def known(session: Session) -> list[Document]:
    """Heals that lie here and may still come into force, but for those that others stand instead of."""
    files = session.folder.log.files()
    done = {document_id(d) for d in files} | {name for d in files for name in d.get("instead") or []}
    found = [d for d in session.folder.drafts() if document_id(d) not in done and d.get("game") == session.charter.game_id]
    taken = [d for d in files if d["type"] == heal.TYPE]
    open_ = [d for d in found if not any(t["forked"]["seq"] <= d["forked"]["seq"] < t["seq"] for t in taken)]
    return [dict(d) for d in heal.newest_only(open_)]


def waiting(session: Session) -> list[str]:
    """For status and log: the heals that wait for signatures."""
    lines = []
    for document in known(session):
        names = ", ".join(_missing(session.table, document))
        if names:
            lines.append(
                f"A heal of file {document['forked']['seq']} waits for {names}: pbem heal{of_game(session.folder.path)}"
            )
    return lines


def _waiting_here(session: Session) -> Document | None:
    """The heal that lies here and waits for signatures. Raises ProtocolError where there are several."""
    found = known(session)
    if len(found) > 1:
        names = ", ".join(f"heals/heal-{d['seq']:04d}-{document_id(d)[:12]}.yaml" for d in found)
        raise ProtocolError(Outcome.REFUSED, f"several heals wait for signatures: name one ({names}), or --anew writes another")
    return found[0] if found else None


def _with_known(session: Session, document: Document) -> Document:
    """The heal with the signatures that lie here too."""
    if not document:
        raise ProtocolError(Outcome.WAITING, "no heal waits for signatures here")
    same = [d for d in session.folder.drafts() if document_id(d) == document_id(document)]
    return heal.merged(document, same[0]) if same else document


# -- receiving and taking ----------------------------------------------------------------------------------------------------


def received(session: Session, document: Document) -> tuple[Outcome, str]:
    """A heal that came in: a complete one is taken, another one kept with its signatures. Raises ProtocolError, Refused."""
    document = heal.read_heal(document)
    name, files = document_id(document), session.folder.log.files()
    if any(document_id(d) == name or name in (d.get("instead") or []) for d in files if d["type"] == heal.TYPE):
        return Outcome.ALREADY_KNOWN, f"the heal {name[:12]}, or one that stands instead of it"
    if not _is_signed(session, document):
        raise ProtocolError(Outcome.BAD_SIGNATURE, "nobody who plays in this game has signed this heal")
    document = _with_known(session, document)
    table = _played(session, document, complete=False)
    session.folder.keep_draft(document)
    missing = _missing(table, document)
    if not missing:
        take(session, document)
        return Outcome.DONE, "\n".join(in_words(document))
    me = session.folder.secrets()
    ask = f"`pbem heal{of_game(session.folder.path)}` signs it" if me is not None and me.player in missing else "it is kept"
    return Outcome.WAITING, "\n".join([*in_words(document), f"It is not signed yet by {', '.join(missing)}: {ask}."])


def _is_signed(session: Session, document: Document) -> bool:
    """One of the signatures is good, with any key that its player has had; before the log is played for it."""
    for player in document.get("signatures") or {}:
        for held in session.table.ledger.held:
            with suppress(ProtocolError):
                if held.player == player and heal.signer_of(document, player, held.key) == player:
                    return True
    return False


def _played(session: Session, document: Document, *, complete: bool) -> Table:
    """The table after the heal, all that it keeps judged anew. Raises ProtocolError, Refused."""
    files = heal.line(session.folder.log.files(), document)
    table = Table.start(session.charter, session.game, session.scenario)
    for file in files[1:-1]:
        take_in_place(table, file, lambda seq: files[seq])
    healing.take(table, document, lambda seq: files[seq], complete=complete)
    return table


def take(session: Session, document: Document) -> None:
    """A heal that all have signed into the log, by one entry. Raises ProtocolError, Refused."""
    _check_instead(session, document)
    table = _played(session, document, complete=True)
    secrets = session.folder.secrets()
    if secrets is not None and secrets.player not in healing.check_signatures(table, document):
        with pen.held(session) as rows:
            heal_record.check_holds_all(session.folder.log.files(), rows, document, secrets.player)
    session.folder.add("heal", document, session.now())
    session.forget()
    if secrets is not None:
        with pen.held(session) as rows:
            heal_record.mark(session.folder.log.files(), rows, session.now())
    for file in heal.kept(document):
        session.folder.write_copy("file", dict(file))


def _check_instead(session: Session, document: Document) -> None:
    """A heal that stands in the log gives way only to one that names it, and only while nothing follows it.

    Raises ProtocolError (refused by rule, waiting).
    """
    files, place = session.folder.log.files(), document["forked"]["seq"]
    for seq, other in [(seq, d) for seq, d in enumerate(files) if d["type"] == heal.TYPE and seq >= place]:
        if document_id(other) not in (document.get("instead") or []):
            reason = f"this fork is healed at place {seq} already, and this heal does not stand instead of that one"
            raise ProtocolError(Outcome.REFUSED, reason)
        if seq < len(files) - 1:
            raise ProtocolError(Outcome.WAITING, f"the game has gone on behind the heal at place {seq}: that one holds")


def recover(session: Session, rows: Sequence[Row]) -> bool:
    """A heal that this folder has lost comes back from the record, where this player has gone on behind it."""
    here = {document_id(d) for d in session.folder.log.files()}
    lost = [d for row in rows for d in (row["answered"], row["document"]) if d and d.get("type") == heal.TYPE]
    for document in [*lost, *session.folder.drafts()]:
        if document_id(document) not in here and not _missing(session.table, document):
            with suppress(Exception):  # not all have signed it, or it does not fit this log
                take(session, heal.read_heal(document))
                return True
    return False


def bring(session: Session, other: Session) -> None:
    """The heals of another folder's log that this one can take."""
    here = {document_id(d) for d in session.folder.log.files()}
    for document in [d for d in other.folder.log.files() if d["type"] == heal.TYPE and document_id(d) not in here]:
        with suppress(ProtocolError, Refused):
            take(session, document)
