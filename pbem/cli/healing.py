"""The heal command: a log that has parted goes on from one of its versions, when all have signed that (SPEC 9).

A heal is written by whoever likes, passed round and signed like a charter, and taken by every folder when it is complete.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from pbem.cli import deadlines, restoring
from pbem.cli.heal_draft import Wanted, written
from pbem.cli.play import of_game
from pbem.cli.speech import make_sure, speak, text
from pbem.kernel.canon import Plain
from pbem.kernel.wording import Argument, msg
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.keys import public_text
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.runtime import healing
from pbem.runtime.table import Table
from pbem.store import dues, heal_record, heals, outgoing, pen
from pbem.store.session import Session

Document = dict[str, Any]


# -- the command ------------------------------------------------------------------------------------------------------------


def command(path: Path, source: Path | None, wanted: Wanted, anew: bool = False, *, sure: bool = True) -> tuple[Plain, str]:
    """Sign a heal that came in, or write one; `anew`: also where one lies here already. Raises ProtocolError.

    Who is not `sure` and sits at a terminal is told what it says and asked; nothing is locked meanwhile.
    """
    seen = "" if sure else _seen(Session.open(path), source, wanted, anew)
    with Session.at_work(path) as session:
        document, table = _to_sign(session, source, wanted, anew)
        if seen and document_id(document) != seen:
            raise ProtocolError(
                Outcome.REFUSED, msg("nothing is signed: something has come since, and the heal is another one")
            )
        why = session.why_unsure()
        if why and not restoring.has_heard_all(session):
            raise pen.not_sure(why)
        if why:
            heal_record.check_holds_known(session, document)
        document = heal.sign(document, session.me.player, session.private)
        with pen.held(session) as rows:
            heal_record.sign(session, rows, document, public_text(session.private))
        return _signed(session, document, table)


def _to_sign(session: Session, source: Path | None, wanted: Wanted, anew: bool) -> tuple[Document, Table]:
    """The heal that is to be signed, and the table behind it."""
    if session.charter.version < 2:
        raise unreadable(msg("games of version 1 of the protocol have no heals"))
    if source is not None:
        document = _read(source)
    else:
        here = None if anew or wanted.keep or wanted.at else _waiting_here(session)
        document = here or written(session, wanted, heals.known(session))
    document = heals.with_known(session, document)
    return document, heals.played(session, document, complete=False)


def _seen(session: Session, source: Path | None, wanted: Wanted, anew: bool) -> str:
    """The id of the heal that somebody at the terminal has seen and means; "" where nobody sits there."""
    if not sys.stdin.isatty():
        return ""
    document, table = _to_sign(session, source, wanted, anew)
    make_sure([*in_words(document), _then(table)], msg("nothing is signed"))
    return document_id(document)


def _then(table: Table) -> str:
    return speak("Then {due}", due=dues.clause(table.due)) if table.due.player else speak("Then the game is over.")


def sign_for(path: Path, source: Path | None, silent: str) -> tuple[Plain, str]:
    """The umpire signs for a player who is silent, after a time by his own clock. Raises ProtocolError."""
    with Session.at_work(path) as session:
        if session.me.player != session.charter.umpire_name:
            raise ProtocolError(Outcome.REFUSED, msg("only an umpire signs for somebody else"))
        document = heals.with_known(session, _read(source) if source is not None else _waiting_here(session) or {})
        table = heals.played(session, document, complete=False)
        if silent in (document.get("signatures") or {}) or silent not in healing.signers(table, document):
            raise ProtocolError(Outcome.REFUSED, msg("no signature of {silent} is missing there", silent=silent))
        _check_time(session, document, silent)
        document = heal.sign_for(document, silent, session.private)
        return _signed(session, document, heals.played(session, document, complete=False))


def _check_time(session: Session, document: Document, silent: str) -> None:
    """The umpire has signed himself, and sent the heal, so long ago as a player may take and the grace."""
    agreed = session.charter.overdue
    if agreed is None:
        raise ProtocolError(Outcome.REFUSED, msg("the charter names no deadline: nobody is signed for"))
    with pen.held(session) as rows:
        since = heal_record.signed_at(rows, document, session.me.player)
    if not since:
        raise ProtocolError(
            Outcome.WAITING, msg("sign it yourself first and send it to {silent}: his time begins then", silent=silent)
        )
    left = deadlines.left_of(session, since, agreed.after + agreed.grace)
    if left > 0:
        raise ProtocolError(
            Outcome.WAITING,
            msg("{silent} has {span} left, {clock}", silent=silent, span=deadlines.span(left), clock=deadlines.CLOCK),
        )


def drop(path: Path) -> tuple[Plain, str]:
    """Wait no longer for heals that this player has signed: he may sign files again."""
    with Session.at_work(path) as session, pen.held(session) as rows:
        names = heal_record.drop(session, rows)
    if not names:
        return {"dropped": []}, speak("You have signed no heal that waits for others.")
    told = speak("should all sign it after all, another one is needed, which holds what you sign from now on")
    return {"dropped": [*names]}, speak(
        "You wait no longer for the heal {names}; {told}.", names=", ".join(n[:12] for n in names), told=told
    )


def _read(source: Path) -> Document:
    from pbem.transport.mail import gather

    found = [d for _, d in gather(source) if isinstance(d, dict) and d.get("type") == heal.TYPE]
    if len(found) != 1:
        raise unreadable(msg("{name} holds {number} heals: one is signed at a time", name=source.name, number=len(found)))
    return heal.read_heal(found[0])


def _signed(session: Session, document: Document, table: Table) -> tuple[Plain, str]:
    """A heal with one signature more is kept and put out; a complete one is taken at once."""
    session.folder.keep_draft(document)
    missing = heals.missing(table, document)
    lines = [*in_words(document), _then(table)]
    if not missing:
        heals.take(session, document)
    out = outgoing.put_out(session, document)
    outgoing.back_up(session)
    if missing:
        lines.append(
            speak(
                "Signed: {out}. Send it on: {missing} to go, each with `pbem heal FILE`.",
                out=str(out),
                missing=", ".join(missing),
            )
        )
    else:
        lines.append(speak("Everybody has signed, it holds here: send {out} to all; `pbem receive` takes it.", out=str(out)))
    written = session.answer_by_itself()
    lines += [
        speak("written by itself: file {seq}, in {path}", seq=d["seq"], path=str(session.folder.path / "outbox"))
        for d in written
    ]
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


def in_words(document: Document) -> list[str]:
    """What a heal says, line by line."""
    place, void = document["forked"], heal.given_up(document)
    files = ", ".join(
        speak("{seq} of {player} ({id})", seq=d["seq"], player=d["player"], id=document_id(dict(d))[:12]) for d in void
    )
    on: dict[str, Argument] = {"to": document["to"], "prev": document["prev"][:12], "chooser": document["chosen_by"]}
    all_go_on = msg("All go on from file {to} ({prev}); {chooser} chooses.", **on)
    if not heal.kept(document):
        all_go_on = msg("All go on from file {to} ({prev}), before the versions part; {chooser} chooses.", **on)
    return [
        speak(
            "Heal {id}, place {seq}: file {seq2} of {player} exists twice.",
            id=document_id(document)[:12],
            seq=document["seq"],
            seq2=place["seq"],
            player=place["player"],
        ),
        text(all_go_on),
        speak("Void: file {files}. Links shown in them are burnt; no dice are turned again.", files=files),
    ]


# -- which one --------------------------------------------------------------------------------------------------------------


def waiting(session: Session) -> list[str]:
    """For status and log: the heals that wait for signatures."""
    lines = []
    for document in heals.known(session):
        names = ", ".join(heals.missing(session.table, document))
        if names:
            lines.append(
                speak(
                    "A heal of file {seq} waits for {names}: pbem heal{option}",
                    seq=document["forked"]["seq"],
                    names=names,
                    option=of_game(session.folder.path),
                )
            )
    return lines


def _waiting_here(session: Session) -> Document | None:
    """The heal that lies here and waits for signatures. Raises ProtocolError where there are several."""
    found = heals.known(session)
    if len(found) > 1:
        names = ", ".join(f"heals/heal-{d['seq']:04d}-{document_id(d)[:12]}.yaml" for d in found)
        raise ProtocolError(
            Outcome.REFUSED, msg("several heals wait for signatures: name one ({names}), or --anew writes another", names=names)
        )
    return found[0] if found else None


# -- receiving and taking ----------------------------------------------------------------------------------------------------


def received(session: Session, document: Document) -> tuple[Outcome, str]:
    """A heal that came in: a complete one is taken, another one kept with its signatures. Raises ProtocolError, Refused."""
    document = heal.read_heal(document)
    name, files = document_id(document), session.folder.log.files()
    if any(document_id(d) == name or name in (d.get("instead") or []) for d in files if d["type"] == heal.TYPE):
        return Outcome.ALREADY_KNOWN, speak("the heal {name}, or one that stands instead of it", name=name[:12])
    if not _is_signed(session, document):
        raise ProtocolError(Outcome.BAD_SIGNATURE, msg("nobody who plays in this game has signed this heal"))
    document = heals.with_known(session, document)
    table = heals.played(session, document, complete=False)
    session.folder.keep_draft(document)
    missing = heals.missing(table, document)
    if not missing:
        heals.take(session, document)
        return Outcome.DONE, "\n".join(in_words(document))
    heal_record.note_signed(session, document, table)
    me = session.folder.secrets()
    ask = (
        speak("`pbem heal{option}` signs it", option=of_game(session.folder.path))
        if me is not None and me.player in missing
        else speak("it is kept")
    )
    return Outcome.WAITING, "\n".join(
        [*in_words(document), speak("It is not signed yet by {missing}: {ask}.", missing=", ".join(missing), ask=ask)]
    )


def _is_signed(session: Session, document: Document) -> bool:
    """One of the signatures is good, with any key that its player has had; before the log is played for it."""
    for player in document.get("signatures") or {}:
        for held in session.table.ledger.held:
            with suppress(ProtocolError):
                if held.player == player and heal.signer_of(document, player, held.key) == player:
                    return True
    return False
