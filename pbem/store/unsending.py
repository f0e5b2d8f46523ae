"""Taking back what has not left: the newest own files go out of log, outbox and record, as if they had not been signed.

Whatever shows that a file has left keeps it from being taken back: a server took its mail, a command put it into a post, a
page or a text, it is no longer in the outbox, a slip names it, a file that was not taken answers it, a heal or a folder of
somebody else on this machine holds it. What a person has copied by hand nobody can see: he is asked.
"""

from __future__ import annotations

import json
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.kernel.wording import NO_WORDS, Message, msg
from pbem.protocol import heal, strict_yaml
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import backups, heal_record, known, outgoing, pace, pen
from pbem.store.folder import GameFolder
from pbem.store.paths import home, keys_of
from pbem.store.record import SIGNED, Record, row_of

if TYPE_CHECKING:
    from pbem.store.session import Session

HANDED_OUT = "handed-out.json"  # the newest file that has left as far as is known, and which command knows it
KEPT = ("seat", "heal", "void")  # types of files that others may have signed too
Document = dict[str, Any]


def note_handed_out(session: Session, command: str, before: int | None = None) -> None:
    """A command has put all files of the log, as it is now, into something that is made to be handed out; "": the newest own
    file is gone from the outbox. Noted in the folder, which may go to another machine, and for all its copies at this one.
    `before`: only those before this one, which waits.

    Where that cannot be written the command goes on: the person is asked anyway.
    """
    if session.folder.secrets() is None:
        return
    seq = len(session.folder.log.standing()) - 1 if before is None else before - 1
    with ExitStack() as stack:
        with suppress(OSError):  # where nothing can be locked it is noted all the same
            stack.enter_context(_record(session).held())
        for path in _notes(session):
            noted = _read(path)
            with suppress(OSError):
                if noted is None or noted[0] < seq:
                    session.folder.disk.make_folder(path.parent, 0o700)
                    session.folder.disk.replace(path, json.dumps({"seq": seq, "how": command}).encode(), 0o600)


def hand_out(session: Session, command: str, before: int | None = None) -> None:
    """The same right before that is handed out. Raises ProtocolError (waiting) where a file was taken back since then, or has
    to wait for an agreed slot and is handed out too."""
    if before is None:
        pace.check_nothing_waits(session)
    note_handed_out(session, command, before)
    void: set[str] = set()
    if session.folder.secrets() is not None:
        with suppress(OSError, ProtocolError), _record(session).held() as rows:  # a damaged record is told of elsewhere
            void = rows.unsent()
    files, behind = session.folder.log.files(), _newest_of_others(session)
    gone = [seq for seq, file in enumerate(files) if seq > behind and document_id(dict(file)) in void]
    if gone:
        raise ProtocolError(
            Outcome.WAITING,
            msg("file {seq} was taken back meanwhile: nothing was handed out; give the command again", seq=gone[0]),
        )


def _record(session: Session) -> Record:
    """What is taken back and what has left is written one after the other, by whichever program."""
    with keys_of(session.folder.path):
        return Record(home(), session.charter.game_id, session.folder.disk)


def _notes(session: Session) -> list[Path]:
    """Where it is noted: in the folder, and beside the record of signatures."""
    with keys_of(session.folder.path):
        return [session.folder.path / HANDED_OUT, home() / "signed" / f"{session.charter.game_id}.{HANDED_OUT}"]


def _read(path: Path) -> tuple[int, str] | None:
    """Up to which file a note goes and which command wrote it; nothing where there is none, None where it cannot be read."""
    try:
        plain = json.loads(path.read_bytes())
        return int(plain["seq"]), str(plain["how"])
    except FileNotFoundError:
        return -1, ""
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return None


def newest(session: Session) -> list[Document]:
    """The newest own file with a decision and all own ones behind it; nothing where another's file is the newest."""
    entries, files, me = session.table.ledger.entries, session.folder.log.files(), session.me.player
    at = len(files)
    while at > 1 and files[at - 1].get("player") == me and not files[at - 1].get("signed_by"):
        at -= 1
        if files[at]["type"] in KEPT:
            return []
        if entries[at].decides or files[at]["type"] != "turn":
            return [*files[at:]]
    return []


def check(session: Session, files: list[Document]) -> None:
    """Raises ProtocolError (refused) where something shows that one of these files has left this machine."""
    if not files:
        why = msg("the newest file is another player's, or holds no decision of yours")
        raise ProtocolError(Outcome.REFUSED, msg("there is nothing that can be taken back: {why}", why=why))
    with pen.held(session) as rows:
        signed = {row["id"] for row in rows.signed()}
        healing = {document_id(dict(file)) for one in heal_record.signed(rows) for file in heal.files_of(one)}
    for document in files:
        here = document_id(document) in signed
        why = _left(session, document) if here else msg("it was signed at another machine, or the record has lost it")
        if document_id(document) in healing:
            why = msg("a heal that you have signed holds it")
        if why:
            raise stays(int(document["seq"]), why)


def stays(seq: int, why: Message) -> ProtocolError:
    """A file that has left, and what remains to be done."""
    reason = msg("file {seq} stays as it is: {why}", seq=seq, why=why)
    ways = msg("{reason}. `pbem undo {seq}` asks the others to take it back", reason=reason, seq=seq)
    return ProtocolError(Outcome.REFUSED, ways)


def _left(session: Session, document: Document) -> Message:
    """What shows that a file has left; no words where nothing does."""
    if why := _noted(session, document):
        return why
    if not _is_there(session.folder, document):
        return msg("it does not lie in the outbox any more")
    if why := _named_in(session, document) or _shown_by_others(session, document):
        return why
    return next((why for path in known.folders() if (why := _left_from(path, document))), NO_WORDS)


def _noted(session: Session, document: Document) -> Message:
    """The same of the notes alone."""
    for note in _notes(session):
        noted = _read(note)
        if noted is None:
            return msg("{path} cannot be read, and it tells what has left", path=str(note))
        seq, how = noted
        if int(document["seq"]) <= seq:
            told = msg("`pbem {command}` has put it into something to hand out", command=how)
            return told if how else msg("it does not lie in the outbox any more")
    return NO_WORDS


def _named_in(session: Session, document: Document) -> Message:
    """A slip beside the log that names it: whoever else has signed one has seen it."""
    name = document_id(document)
    for slip in session.folder.log.slips():
        if slip["player"] == session.me.player:
            if slip["head"] == name:
                return msg("a slip that you have signed ({slip}) names it", slip=slip["slip"])
        elif name in slip.values() or document in (slip.get("files") or []):
            return msg("a slip of {player} ({slip}) names it", player=slip["player"], slip=slip["slip"])
    return NO_WORDS


def _shown_by_others(session: Session, document: Document) -> Message:
    """What came from others and is not in the log: a file that answers it, a heal that holds it."""
    name = document_id(document)
    for file in session.folder.aside():
        if file.get("prev") == name:
            told = msg("file {seq} of {player}, which lies here untaken, answers it", seq=file["seq"], player=file["player"])
            return told
    for one in session.folder.drafts():
        others = sorted(one.get("signatures", {}).keys() - {session.me.player})
        ours = others and one.get("game") == session.charter.game_id
        if ours and name in {document_id(dict(file)) for file in heal.files_of(one)}:
            return msg("a heal that {player} has signed holds it", player=others[0])
    return NO_WORDS


def _left_from(path: Path, document: Document) -> Message:
    """What another folder on this machine shows: one of another player or a spectator has the file, a copy has sent it off."""
    with suppress(OSError, ProtocolError):
        folder = GameFolder(path)
        secrets, wanted = folder.secrets(), document_id(document)
        if any(document_id(file) == wanted for file in folder.log.files()):
            if secrets is None or secrets.player != document["player"]:
                return msg("{path} holds it", path=str(path))
            if not _is_there(folder, document):
                return msg("another copy of this folder, {path}, shows that it has left", path=str(path))
    return NO_WORDS


def _is_there(folder: GameFolder, document: Document) -> bool:
    """It lies in the outbox."""
    with suppress(OSError, ProtocolError):
        return strict_yaml.read_document(folder.disk.read(folder.outgoing(document)))[0] == document
    return False


def take_back(session: Session, files: list[Document]) -> None:
    """These files, the newest of the log, are void. Raises ProtocolError (refused) where one was handed out meanwhile."""
    with pen.held(session) as rows:
        for document in files:
            if why := _noted(session, document):
                raise stays(int(document["seq"]), why)
        _give_up(session, rows, files)
    finish(session)
    pen.vouch(session.folder, session.charter.game_id)


def give_up(session: Session, files: list[Document]) -> None:
    """The same where the record does not vouch for the folder: first in the record of signatures, then in the folder."""
    with pen.held(session) as rows:
        _give_up(session, rows, files)
    finish(session)


def _give_up(session: Session, rows: Record, files: list[Document]) -> None:
    for document in reversed(files):
        rows.append("unsent", {"id": document_id(document), "seq": document["seq"]}, session.now())


def _newest_of_others(session: Session) -> int:
    """The place of the newest file that somebody else has signed: what stands before it has left, whatever one thought."""
    secrets, files = session.folder.secrets(), session.folder.log.files()
    me = secrets.player if secrets else ""
    return max((seq for seq, file in enumerate(files) if (file.get("signed_by") or file.get("player")) != me), default=0)


def _binds_again(session: Session, rows: Record, document: Document) -> None:
    """A file that was taken back and has come back with an answer to it is signed as it was."""
    before = [row for row in rows.rows if row["kind"] in SIGNED and row["id"] == document_id(document)]
    signer, seq = str(document.get("signed_by") or document["player"]), int(document["seq"])
    key, answered = session.table.ledger.key_at(signer, seq), dict(session.folder.fetch(seq - 1))
    row = {k: v for k, v in before[-1].items() if k != "kind"} if before else row_of(document, key, answered)
    rows.append("adopted", row, session.now())


def finish(session: Session) -> None:
    """What the record calls unsent goes out of the folder: at once, or after a crash or a restored backup.

    A file that another player's stands behind has left all the same: it is signed again.
    """
    if session.folder.secrets() is None:
        return
    with pen.held(session) as rows:
        void = rows.unsent()
        behind = _newest_of_others(session) if void else 0
        for document in session.folder.log.files()[1:behind]:
            if document_id(document) in void:
                _binds_again(session, rows, document)
    files = session.folder.log.files() if void else []
    first = len(files)
    while first > 1 and document_id(files[first - 1]) in void:
        first -= 1
        _out_of_the_folder(session, files[first])
    if first < len(files):
        backups.drop_from(session.folder.path, session.folder.disk, first)  # while the log still says what is to be done
        session.withdraw_from(first, unsent=[document_id(document) for document in files[first:]])
        outgoing.back_up(session)


def _out_of_the_folder(session: Session, document: Document) -> None:
    folder = session.folder
    for path in (folder.outgoing(document), folder.outgoing(document).with_suffix(".eml"), folder.copy_of(document)):
        folder.disk.remove(path)
