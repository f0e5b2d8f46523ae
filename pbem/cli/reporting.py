"""The report command: what happened, in a format and a language, for the player of this folder or for everybody."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.cli import speech, talking
from pbem.cli.spans import Walk, steps_from, table_after
from pbem.cli.speech import speak
from pbem.games.parts import Words
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import ProtocolError
from pbem.report import digest, render, story, trust
from pbem.report.cited import cited
from pbem.report.languages import Language, language, rules_in
from pbem.report.map_set import Maps
from pbem.report.own import own_overviews
from pbem.report.refusal import refusal, unaccepted
from pbem.report.steps import Step, history
from pbem.report.view import Note, RefusalView, ReportView
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused
from pbem.store import talk
from pbem.store.session import Session

LATEST = 20  # private notes that a report shows
SUFFIXES = {".md": "md", ".markdown": "md", ".bbcode": "bbcode", ".html": "html", ".htm": "html", ".txt": "txt"}


class Wanted(Struct, frozen=True):
    """What the reader asked for. Files by their seq, 0: from the start, to the end."""

    first: int = 0
    last: int = 0
    since_mine: bool = False
    form: str = ""
    lang: str = ""
    spectator: bool = False
    board: bool = False
    turn: int = 0
    brief: bool = False


def report(path: Path, wanted: Wanted, out: Path | None) -> str:
    """The report as text, or written to a file. Raises Rejected (format, language), ProtocolError."""
    session = Session.open(path)
    session.check_begun()
    form, tongue = _form(wanted.form, out), _language(session, wanted.lang)
    if wanted.brief:
        steps, last = _steps(session, session.game.words(), wanted)
        return _put(session, render.brief(digest_of(session, steps, last), form, tongue), out)
    view = _view(session, wanted)
    maps = _maps(session, view) if form == "html" else Maps()
    luck = _luck(session) if form == "html" and view.last == session.table.last else ""
    rules = cited(view, rules_in(tongue.code, session.game), session.charter.rules) if form == "html" else {}
    return _put(session, render.report(view, form, tongue, maps, luck, rules), out)


def refused(path: Path, file: Path, wanted: Wanted, out: Path | None) -> str:
    """The report of an order file or a received file that is refused; or that it is not."""
    session = Session.open(path)
    view = _refusal(session, session.game.words(), file)
    if view is None:
        return speak("{file} is not refused", file=str(file))
    return _put(session, render.refusal(view, _form(wanted.form, out), _language(session, wanted.lang)), out)


def brief(session: Session, before: Table) -> str:
    """The digest of the files behind a table as plain text, for a command to print. Uses up the table's state."""
    steps = history(before, session.folder.log.files()[before.last + 1 :], session.folder.fetch)
    return render.brief(digest_of(session, steps, session.table.last), "txt", speech.tongue())


def in_mail(session: Session, document: dict[str, Any], before: Table | None) -> str:
    """The digest of one file, as its mail tells it to the other players: in English. `before` is used up."""
    seq = int(document["seq"])
    steps = steps_from(session, seq, seq) if before is None else history(before, [document], session.folder.fetch)
    with speech.for_others():
        return render.brief(digest_of(session, steps, seq), "txt", speech.tongue())


def digest_of(session: Session, steps: Iterable[Step], last: int) -> digest.Digest:
    """What everybody may know of the files up to `last`, in short; the throws are weighed where the game can do that."""
    table, words, chances = table_after(session, last), session.game.words(), session.game.chances()
    return digest.digest(story.report(words, steps, table, session.folder.fetch, whole=None, chances=chances))


def _luck(session: Session) -> str:
    """The picture of the luck so far; nothing for a game that knows no odds."""
    from pbem.cli import chances

    return chances.plot(session, chances.luck_of(session)) if session.game.chances() is not None else ""


def _form(asked: str, out: Path | None) -> str:
    return asked or (SUFFIXES.get(out.suffix.lower(), "txt") if out else "txt")


def _language(session: Session, asked: str) -> Language:
    if asked:
        return language(asked, (session.game.words().CATALOGUE,))
    return speech.tongue()


def _put(session: Session, text: str, out: Path | None) -> str:
    if out is None:
        return text
    session.folder.disk.replace(out, text.encode())
    return speak("{out} written", out=str(out))


def _view(session: Session, wanted: Wanted) -> ReportView:
    words, fetch = session.game.words(), session.folder.fetch
    steps, last = _steps(session, words, wanted)
    table = table_after(session, last)
    secrets = table is session.table and not wanted.spectator and session.folder.secrets() is not None
    if secrets and not session.sees_hidden:
        print(speak("Mind: this is what everybody may know; your own part needs your passphrase."), file=sys.stderr)
        secrets = False
    knowledge = session.knowledge() if secrets else None
    view = story.report(words, steps, table, fetch, knowledge=knowledge, whole=wanted.board)
    own = own_overviews(words, knowledge, table) if knowledge else ()
    told = trust.told(session.folder.log.files(), session.folder.log.slips(), session.table.ledger)
    heard = talk.own(session) if secrets else []
    secret = [(msg("{who} to {reader}, file {seq}", who=s.who, reader=s.to, seq=s.seq), s.text or "") for s in heard]
    pinned = [(name, text) for name, text in talking.named_pins(session)] if secrets else []
    said = [Note(s.who, s.seq, s.text or "") for s in talk.public(session)]
    notes = tuple(note for note in said if _is_in(note.seq, view))
    lapsed = [(msg("sealed and lapsed"), line) for line in _lapsed(session, view)] if secrets else []
    private = (*view.private, *lapsed, *secret[-LATEST:], *pinned)
    return replace(view, overviews=(*view.overviews, *own), remarks=(*told, *view.remarks), notes=notes, private=private)


def _lapsed(session: Session, view: ReportView) -> list[str]:
    """The sealed steps of the reader's plans that lapsed in the files of a report."""
    from pbem.cli import unanswered

    return unanswered.lapses(session, range(view.first, view.last + 1))


def _is_in(seq: int, view: ReportView) -> bool:
    """Said behind one of the files of the report, or before the first, where it begins with that."""
    return (view.first <= seq or (view.first == 1 and seq == 0)) and seq <= view.last


def _steps(session: Session, words: Words, wanted: Wanted) -> tuple[Iterable[Step], int]:
    """The files that were asked for, of a turn, or from one to another, and the last of them."""
    documents = session.folder.log.files()[1:]
    last = wanted.last or len(documents)
    first = _mine(session) if wanted.since_mine else wanted.first or 1
    if not (1 <= first <= last <= len(documents)) and documents:
        raise unreadable(
            msg("there are no files {first} to {last}", first=first, last=last), msg("1 to {number}", number=len(documents))
        )
    if not wanted.turn:
        return steps_from(session, first, last), last
    found = Walk(session, last).of_turn(words, wanted.turn)
    if not found:
        raise unreadable(
            msg("turn {turn} is not in the log", turn=wanted.turn),
            msg("1 to {turn}", turn=words.turn(session.table.engine.state)),
        )
    return found, found[-1].taken.seq


def _mine(session: Session) -> int:
    """The latest file in which this player gave orders."""
    entries, me = session.table.ledger.entries, session.me.player
    return max((seq for seq, e in enumerate(entries) if e.player == me and e.decides), default=1)


def _maps(session: Session, view: ReportView) -> Maps:
    """The maps after the last file with what happened in its round; none for a game without a board."""
    from pbem.cli import look

    wanted = look.Chart(view.last, "round", since=view.first)
    return look.maps(session, wanted) if session.game.picture() is not None else Maps()


def _refusal(session: Session, words: Words, file: Path) -> RefusalView | None:
    from pbem.cli.sending import read_orders
    from pbem.protocol import strict_yaml
    from pbem.protocol.turnfile import read_turn

    try:
        document, marks = strict_yaml.read_document(file.read_bytes())
        listed = document.get("orders")
        orders = listed if isinstance(listed, list) else []
        lines = {i: marks["orders", i][0] for i in range(len(orders)) if ("orders", i) in marks}
        if "pbem" in document:
            from pbem.runtime.taking import take

            take(session.table, read_turn(document), session.folder.fetch)
        else:
            said = read_orders(session, file.read_bytes())
            try:
                session.try_out(said.draft)
            except Refused as error:
                raise Refused(said.placed(error)) from None
    except Refused as error:
        return refusal(words, session.table, file.name, orders, error.problems, lines)
    except ProtocolError as error:
        return unaccepted(words, session.table, file.name, error)
    return None
