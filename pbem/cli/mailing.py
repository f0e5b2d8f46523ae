"""Mail: sending the outbox, fetching the game's files, doing both unattended, reminding."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from pbem.cli import deadlines, faults, speech, waiting
from pbem.cli.receiving import Received, receive_all
from pbem.cli.speech import speak
from pbem.kernel.canon import Plain, canonical, sha256_hex
from pbem.kernel.wording import english, msg
from pbem.protocol import charter, strict_yaml, turnfile
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.store import clock, dues, naming, outgoing, pace, unsending
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder
from pbem.store.session import Session
from pbem.transport.mail import Found, in_mail, in_order, write_eml
from pbem.transport.mailbox import TEMPLATE, Settings, read_settings
from pbem.transport.message import heading

SETTINGS, STATE = "mail.yaml", "mail-state.json"


class State(Struct):
    """What this folder has sent, reminded of and looked at: a note, no proof; without it mail goes out a second time.

    `sent`: key of a mail -> addresses that the server took it for; `reminded`: day of the reminder by file id;
    `seen`: server and folder -> its UIDVALIDITY and the UIDs that need no second look.
    """

    sent: dict[str, list[str]] = field(default_factory=dict)
    reminded: dict[str, str] = field(default_factory=dict)
    seen: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: GameFolder) -> State:
        """The state, empty at first. Raises ProtocolError."""
        path = folder.path / STATE
        if not path.exists():
            return cls()
        try:
            plain = json.loads(folder.disk.read(path))
            state = cls(**plain)
            if all(isinstance(v, dict) for v in plain.values()):
                return state
        except (ValueError, TypeError, AttributeError):
            pass
        raise ProtocolError(
            Outcome.UNREADABLE,
            msg("{path} is damaged; without it mail is sent again, which does no harm: delete it", path=str(path)),
        )

    def write(self, folder: GameFolder) -> None:
        """Forced to disk after each mail."""
        plain = {"sent": self.sent, "reminded": self.reminded, "seen": self.seen}
        folder.disk.replace(folder.path / STATE, json.dumps(plain).encode())


class Letter(Struct, frozen=True):
    """One document for its readers."""

    key: str
    readers: tuple[str, ...]
    body: bytes
    what: str


@contextmanager
def _at_work(path: Path) -> Iterator[tuple[GameFolder, Settings, State]]:
    """One mail program at a time in a game folder; the game itself may go on meanwhile."""
    folder = GameFolder(path)
    folder.check()
    with folder.disk.lock(path / "mail.lock"):
        yield folder, _settings(folder), State.read(folder)


def _settings(folder: GameFolder) -> Settings:
    path = folder.path / SETTINGS
    if not path.exists():
        raise unreadable(msg("{path} is missing: `pbem mail setup` writes one to fill in", path=str(path)))
    return read_settings(folder.disk.read(path))


def setup(path: Path) -> tuple[Plain, str]:
    """A settings file with the other players' names, unless there is one. Raises ProtocolError."""
    folder = GameFolder(path)
    folder.check()
    to = path / SETTINGS
    if to.exists():
        _settings(folder)
        return {"file": str(to), "written": False}, speak("{to} is there and can be read.", to=str(to))
    mine = secrets.player if (secrets := folder.secrets()) else ""
    names = [p.name for p in charter.read_charter(folder.draft()).all_players if p.name != mine]
    players = "\n".join(f"  {name}: {naming.in_game(name, [*names, mine])}@example.org" for name in names or ["opponent"])
    folder.disk.replace(to, TEMPLATE.format(players=players).encode(), 0o600)
    return {"file": str(to), "written": True}, speak(
        "{to} written. Fill in servers and addresses, then: pbem mail send", to=str(to)
    )


# -- sending ------------------------------------------------------------------------------------------------------------


def send(path: Path) -> tuple[Plain, str]:
    """Every file of the outbox to those who do not have it yet. Raises ProtocolError; what is sent stays noted."""
    with _at_work(path) as (folder, settings, state):
        sent = _send(folder, settings, state)
    lines = [speak("{what} sent to {readers}", what=letter.what, readers=", ".join(letter.readers)) for letter in sent]
    return {"sent": [_plain(letter) for letter in sent]}, "\n".join(lines) or speak(
        "Nothing to send: everybody has everything."
    )


def _plain(letter: Letter) -> Plain:
    return {"mail": letter.what, "to": [*letter.readers]}


def _send(folder: GameFolder, settings: Settings, state: State, automatic: bool = False) -> list[Letter]:
    from pbem.transport.sending import Envelope, deliver, open_smtp

    if not (letters := [left for one in _letters(folder, settings) if (left := _unsent(one, settings, state)).readers]):
        return []
    server, thread = settings.server("smtp"), _thread(folder)
    with open_smtp(server) as connection:
        if folder.is_running:  # before, not after: a crash or a full disk must not leave a mail that nobody knows of
            unsending.hand_out(session := Session(folder), "mail", pace.shown(session))
        for letter in letters:
            to = [settings.address(p) for p in letter.readers]
            deliver(connection, server, settings.sender, Envelope(letter.key, thread, to, letter.body, automatic))
            state.sent[letter.key] = [*state.sent.get(letter.key, []), *to]
            state.write(folder)
    return letters


def _unsent(letter: Letter, settings: Settings, state: State) -> Letter:
    done = state.sent.get(letter.key, [])
    return Letter(letter.key, tuple(p for p in letter.readers if settings.address(p) not in done), letter.body, letter.what)


def _thread(folder: GameFolder) -> str:
    """Common to all mails of a game: drafts of a charter keep their nonce."""
    return sha256_hex(str(folder.draft().get("nonce")).encode())[:16]


def _letters(folder: GameFolder, settings: Settings) -> Iterator[Letter]:
    """The charter and the outbox, oldest first; each for the players who have shown no file behind it."""
    running = folder.is_running
    session = Session(folder)
    me = secrets.player if (secrets := folder.secrets()) else ""
    entries = session.table.ledger.entries if running else []
    players = sorted({*session.table.ledger.keys} if running else {*settings.addresses})
    latest = {e.player: seq for seq, e in enumerate(entries)}
    end = pace.shown(session) if running else 0
    for name, document, body in _outgoing(folder, session):
        if document.get("type") == "note":
            to = tuple(p for p in players if p != me and p == document.get("to", p))
            yield Letter(f"{name}.{sha256_hex(canonical(document))[:16]}", to, body, name)
            continue
        seq = document.get("seq", 0) if document.get("type") != "slip" else len(entries)
        held = document.get("type") in turnfile.TYPES and seq >= end
        readers = tuple(p for p in players if p != me and latest.get(p, -1) <= seq and not held)
        claimed = _claimed(session, seq, me) if running and document.get("type") != "slip" else ""
        yield Letter(f"{name}.{sha256_hex(canonical(document))[:16]}{claimed}", readers, body, name)


def _claimed(session: Session, seq: int, me: str) -> str:
    """A mark for each player who claims that an own file is overdue: it goes out once more, as the other mail was lost."""
    claimants = {c.by for c in session.table.ledger.overdue if c.place == seq and c.due == me}
    return f".{len(claimants)}" if claimants else ""


def _outgoing(folder: GameFolder, session: Session) -> Iterator[tuple[str, dict[str, Any], bytes]]:
    game = charter.read_charter(folder.draft()).game_id[:8]
    due = "A charter: read it, compare it, then `pbem join` or `pbem accept`."
    yield "charter", folder.draft(), write_eml(folder.draft(), game, english(dues.told(session)) if folder.is_running else due)
    for path in sorted((folder.path / "outbox").glob("*.yaml")):
        document, _ = strict_yaml.read_document(folder.disk.read(path))
        yield path.stem, document, _body(session, path.with_suffix(".eml"), document)


def _body(session: Session, mail: Path, document: dict[str, Any]) -> bytes:
    """The mail of the outbox, or where there is none, of a slip say, one that is made now."""
    return session.folder.disk.read(mail) if mail.exists() else outgoing.mail_of(session, document)


# -- fetching -----------------------------------------------------------------------------------------------------------


def fetch(path: Path) -> tuple[Plain, str, int]:
    """Files of this game out of the mailbox into the log. Raises ProtocolError; what was taken before stays taken."""
    received, lines = fetched(path)
    return received.plain, "\n".join([received.text, *lines]), received.code


def fetched(path: Path, in_short: bool = True) -> tuple[Received, list[str]]:
    """The same, and what could not be marked on the server."""
    with _at_work(path) as (folder, settings, state):
        return _fetch(folder, settings, state, in_short)


class _Mail(Struct):
    uid: int
    where: str
    found: list[dict[str, Any] | ProtocolError]
    outcomes: list[Outcome] = field(default_factory=list)
    is_here: bool = True  # the server has given it


def _fetch(folder: GameFolder, settings: Settings, state: State, in_short: bool = True) -> tuple[Received, list[str]]:
    from pbem.transport.fetching import open_mailbox

    server = settings.server("imap")
    with open_mailbox(server) as box:
        seen = _seen(state, f"{server.name}/{server.folder}", box.validity)
        looked_at = set(seen)
        mails = _look_through(box, [uid for uid in box.candidates() if uid not in looked_at])
        received = _take(folder, mails, in_short)
        lines = _mark(box, [m.uid for m in mails if {Outcome.DONE, Outcome.ALREADY_KNOWN} & {*m.outcomes}])
        seen += [m.uid for m in mails if m.is_here and not _AGAIN & {*m.outcomes}]
    state.write(folder)
    return received, lines


_AGAIN = {Outcome.WAITING, Outcome.NOT_WRITTEN, Outcome.FAULT}  # such a mail is looked at the next time too


def _look_through(box: Any, uids: list[int]) -> list[_Mail]:
    """The messages. One that the server does not give is told and keeps no other from being read; after two it is enough."""
    mails: list[_Mail] = []
    known: dict[bytes, list[dict[str, Any] | ProtocolError]] = {}
    failed = 0
    for uid in uids:
        try:
            mail = _look(box, uid, known)
            failed = 0
        except ProtocolError as error:
            mail, failed = _Mail(uid, speak("message {uid}", uid=uid), [error], is_here=False), failed + 1
        mails += [mail] if mail else []
        if failed == 2:
            break
    return mails


def _mark(box: Any, uids: list[int]) -> list[str]:
    """Mark what was taken; without the mark it is known the next time all the same."""
    try:
        for uid in uids:
            box.mark(uid)
    except ProtocolError as error:
        return [speak("not every mail could be marked as taken: {error}", error=error.told)]
    return []


def _seen(state: State, name: str, validity: int) -> list[int]:
    """The UIDs looked at; none when the server has numbered its messages anew."""
    kept = state.seen.get(name)
    if kept is None or kept.get("validity") != validity:
        kept = state.seen[name] = {"validity": validity, "uids": []}
    found: list[int] = kept["uids"]
    return found


def _look(box: Any, uid: int, known: dict[bytes, list[dict[str, Any] | ProtocolError]]) -> _Mail | None:
    """A message and what it holds; None when it went away meanwhile. `known`: what is in those read before, by hash."""
    from pbem.transport.fetching import MAX_MESSAGE

    size = box.size(uid)
    if size is not None and size > MAX_MESSAGE:
        return _Mail(
            uid,
            speak("message {uid}", uid=uid),
            [ProtocolError(Outcome.TOO_LARGE, msg("{size} bytes: it stays on the server", size=size))],
        )
    data = box.message(uid) if size is not None else None
    if data is None:
        return None
    name = hashlib.sha256(data).digest()
    if name not in known:
        known[name] = in_mail(data)
    return _Mail(uid, heading(data), known[name])


def _take(folder: GameFolder, mails: list[_Mail], in_short: bool) -> Received:
    """Documents of all mails, by their place in the game; those of other games are passed over."""
    pairs = in_order([(mail, document) for mail in mails for document in mail.found])
    found: list[Found] = [(mail.where, document) for mail, document in pairs]
    received = receive_all(folder.path, found, passing_over=(Outcome.FOREIGN_GAME,), in_short=in_short)
    for (mail, document), outcome in zip(pairs, received.outcomes, strict=True):
        mail.outcomes.append(_kept(folder, document, outcome))
    return received


def _kept(folder: GameFolder, document: dict[str, Any] | ProtocolError, outcome: Outcome) -> Outcome:
    """A charter is for its reader to judge: it waits in the folder `inbox`. A late one of a game that runs is old."""
    if isinstance(document, ProtocolError) or document.get("type") != "charter" or outcome is not Outcome.WAITING:
        return outcome
    if folder.is_running:
        return Outcome.FOREIGN_GAME
    folder.disk.make_folder(folder.path / "inbox")
    copy = folder.path / "inbox" / f"charter-{sha256_hex(canonical(document))[:12]}.yaml"
    folder.disk.replace(copy, strict_yaml.write_document(document).encode())
    return outcome


# -- both, and reminders --------------------------------------------------------------------------------------------------


def run(path: Path) -> tuple[Plain, str, int]:
    """Fetch, answer what holds no decision, send. What fails does not keep the rest from being done."""
    lines: list[str] = []
    codes: list[int] = []
    plain: dict[str, Plain] = {"fetched": None, "sent": []}
    with _at_work(path) as (folder, settings, state):
        if "imap" in settings.servers:
            with _noting(path, lines, codes):
                received, unmarked = _fetch(folder, settings, state)
                plain["fetched"] = received.plain
                lines += [received.text, *unmarked]
                codes.append(received.code)
        if "smtp" in settings.servers:
            with _noting(path, lines, codes):
                sent = _send(GameFolder(path), settings, state, automatic=True)
                lines += [
                    speak("{what} sent to {readers}", what=letter.what, readers=", ".join(letter.readers)) for letter in sent
                ]
                plain["sent"] = [_plain(letter) for letter in sent]
    plain["lines"] = [*lines]
    return plain, "\n".join(line for line in lines if line), next((c for c in codes if c), 0)


@contextmanager
def _noting(path: Path, lines: list[str], codes: list[int]) -> Iterator[None]:
    """What fails is told, whatever it is."""
    try:
        yield
    except Exception as error:
        outcome, said = faults.judged(error)
        lines += [f"{outcome.word}: {line}" for line in said]
        codes.append(outcome.code)
        if trace := faults.trace_of(error):
            lines.append(faults.please(faults.report(path / "aside", Disk(), trace, "")))


def remind(path: Path, after: int) -> tuple[Plain, str]:
    """A mail to whoever's turn it is, with the newest file; `after` hours of waiting, once a day and file."""
    from pbem.transport.sending import Envelope, deliver, open_smtp

    with _at_work(path) as (folder, settings, state):
        session = Session(folder)
        due, newest = session.table.due.player, session.table.ledger.entries[-1].id
        reason = _no_reminder(session, state, newest, after)
        if reason:
            return {"reminded": None, "reason": reason}, speak("No reminder: {reason}", reason=reason)
        server, day = settings.server("smtp"), clock.now()[:10]
        to = settings.sender if (mine := folder.secrets()) and due == mine.player else settings.address(due)
        subject = outgoing.subject(session, session.table.last)
        body = write_eml(folder.log.files()[-1], session.charter.game_id[:8], _reminder(session), True, subject)
        with open_smtp(server) as connection:
            envelope = Envelope(f"reminder.{day}.{newest[:16]}", _thread(folder), [to], body, automatic=True)
            deliver(connection, server, settings.sender, envelope)
        state.reminded = {newest: day}
        state.write(folder)
    return {"reminded": due, "reason": ""}, speak("{due} is reminded.", due=due)


def _no_reminder(session: Session, state: State, newest: str, after: int) -> str:
    """Why nobody is reminded now; empty when somebody is."""
    if session.table.result is not None or not session.table.due.player:
        return speak("the game is over")
    if held := waiting.for_slot(session):
        return held[0]
    if state.reminded.get(newest) == clock.now()[:10]:
        return speak("there was one today")
    return "" if _waited(session) >= after else speak("the newest file came less than {after} hours ago", after=after)


def _waited(session: Session) -> float:
    """Hours since the newest file came."""
    form = "%Y-%m-%dT%H:%M:%SZ"
    came, present = (datetime.datetime.strptime(t, form) for t in (session.folder.log.entries[-1]["received"], clock.now()))
    return (present - came).total_seconds() / 3600


def _reminder(session: Session) -> str:
    came = session.folder.log.entries[-1]["received"]
    lost = "The newest file is in this mail again, in case it was lost."
    with speech.for_others():
        told = "\n".join([speech.text(dues.told(session)), *waiting.reminding(session), *deadlines.lines(session)])
    return f"A reminder: {told}\nThe newest file, #{session.table.last}, came on {came}. {lost}"
