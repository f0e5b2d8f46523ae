"""Receiving: every document that comes in stands alone, whatever it does; what is not taken is named and kept aside."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from pbem.cli import faults, speech, unanswered, waiting
from pbem.cli.speech import speak
from pbem.kernel.canon import Plain, canonical
from pbem.kernel.wording import linked, msg
from pbem.protocol import slips, strict_yaml
from pbem.protocol.ids import document_id, scenario_hash
from pbem.protocol.outcomes import Outcome, ProgramFault, ProtocolError
from pbem.runtime import overdue, trust
from pbem.runtime.slips import check as check_slip
from pbem.runtime.slips import resignations
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused, take
from pbem.store import dues, early, pen
from pbem.store.folder import GameFolder
from pbem.store.session import Session

Document = dict[str, Any]
Found = tuple[str, Document | ProtocolError]
FEW_KNOWN = 3  # documents that were here already of which each is named; more of them are counted
TOLD = 50  # lines about documents; of more only how many there are
NOT_KEPT = (Outcome.DONE, Outcome.ALREADY_KNOWN, Outcome.FOREIGN_GAME, Outcome.WAITING, Outcome.NOT_WRITTEN)


class Received(Struct, frozen=True):
    """What became of each document that came in, in order (`told` in words), and behind them all (`after`) of the game."""

    plain: Plain
    text: str
    outcomes: list[Outcome]
    code: int
    told: list[str]
    after: list[str]


class _Run(Struct):
    """One command's work: what it has to tell, and the outcomes of what follows from the documents."""

    session: Session
    lines: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)  # what became of each document
    hidden: int = 0
    behind: list[Outcome] = field(default_factory=list)

    def tell(self, line: str) -> None:
        """A line about a document, unless there are too many."""
        self.hidden += len(self.lines) >= TOLD
        self.lines += [line] if len(self.lines) < TOLD else []

    def guarded(self, doing: str, work: Callable[[], list[str]]) -> list[str]:
        """What some work after the documents has to tell; its failure is told and keeps nothing else from being done."""
        try:
            return work()
        except Exception as error:
            outcome, told = _failure(self.session, error, None)
            self.behind.append(outcome)
            return [speech.labelled(outcome.told, speech.labelled(doing, told))]


def receive(path: Path, source: str, wait: bool | None = None) -> tuple[Plain, str, int]:
    """Take everything that a file, a folder or standard input holds. `wait`: see `receive_all`."""
    from pbem.transport.mail import gather

    received = receive_all(path, gather(sys.stdin.read() if source == "-" else _of_game(Path(source))), wait=wait)
    return received.plain, received.text, received.code


def _of_game(source: Path) -> Path:
    """Of a game folder, another player's on this disk, the folder in which lies what he sends."""
    return source / "outbox" if GameFolder(source).is_running else source


def receive_all(
    path: Path,
    found: Sequence[Found],
    passing_over: Sequence[Outcome] = (),
    in_short: bool = True,
    *,
    wait: bool | None = None,
) -> Received:
    """Take everything that can be taken, in order; then answer what holds no decision.

    `found`: where, and which document or why there is none. Outcomes that are passed over go unmentioned. `in_short`: with
    the digest of what came in. `wait`: a file behind which this player is asked waits for his orders; None: as
    the folder has it.
    """
    with Session.at_work(path) as session:
        run = _Run(session)
        before = _before(session)
        outcomes = _each(run, found, passing_over)
        lines = [*run.lines, *([speak("and {hidden} more", hidden=run.hidden)] if run.hidden else [])]
        after: list[str] = []
        written: list[Document] = []
        if session.folder.is_running:
            after += run.guarded(speak("what follows is not done"), lambda: _looked_after(session, found, outcomes))
            after += run.guarded(speak("what holds no decision is not answered"), lambda: _answered(session, written, wait))
        after += waiting.by_itself(session, written)
        after += run.guarded(speak("why you are asked is not told"), lambda: unanswered.behind(session, before))
    lines += [*after, *([] if found else [speak("nothing of pbem is in there")])]
    if session.folder.is_running:
        lines += run.guarded(speak("the log cannot be played"), lambda: [speech.text(dues.told(session))])
    short = (
        run.guarded(speak("what came is not told in short"), lambda: _in_short(session, before)) if before and in_short else []
    )
    good = (Outcome.DONE, Outcome.ALREADY_KNOWN, *passing_over)
    worst = next((o for o in [*reversed(outcomes), *run.behind] if o not in good), Outcome.DONE)
    plain: Plain = {"outcome": worst.word, "lines": [*lines], "written": [d["seq"] for d in written], "digest": [*short]}
    return Received(plain, "\n".join([*lines, *([""] if short else []), *short]), outcomes, worst.code, run.told, after)


def _each(run: _Run, found: Sequence[Found], passing_over: Sequence[Outcome]) -> list[Outcome]:
    """The outcome of each document. One that comes again in the same run is looked at once."""
    outcomes: list[Outcome] = []
    known: dict[bytes, Outcome] = {}
    lines: list[tuple[Outcome, str]] = []
    for where, document in found:
        name = canonical(document) if isinstance(document, dict) else b""
        if name in known:
            outcomes.append(Outcome.ALREADY_KNOWN if known[name] is Outcome.DONE else known[name])
            run.told.append("")
            continue
        outcome, told = receive_one(run.session, document)
        outcomes.append(outcome)
        run.told.append(speech.labelled(outcome.told, told))
        if isinstance(document, dict):
            known[name] = outcome
        if outcome not in passing_over:
            lines.append((outcome, speech.labelled(where, run.told[-1])))
    known_already = sum(outcome is Outcome.ALREADY_KNOWN for outcome, _ in lines)
    for outcome, line in lines:
        if outcome is not Outcome.ALREADY_KNOWN or known_already <= FEW_KNOWN:
            run.tell(line)
    if known_already > FEW_KNOWN:
        run.tell(speech.speak_counted("{n} document was here already", "{n} documents were here already", known_already))
    return outcomes


def receive_one(session: Session, document: Document | ProtocolError) -> tuple[Outcome, str]:
    """What becomes of one document, and the words about it. Nothing is raised, and what is not taken leaves no trace but
    a copy in the folder `aside`."""
    try:
        if isinstance(document, ProtocolError):
            raise document
        return _take_one(session, document)
    except Exception as error:
        return _failure(session, error, document)


def _failure(session: Session, error: Exception, document: Document | ProtocolError | None) -> tuple[Outcome, str]:
    """The outcome of an error and the words about it. After an unexpected one log and table are read again."""
    if isinstance(error, ProgramFault) or not isinstance(error, ProtocolError | Refused):
        session.forget()
    outcome, lines = faults.judged(error, strict=True)
    text = "; ".join(lines)
    if isinstance(document, dict) and named(document) not in text:
        text = speech.labelled(named(document), text)
    copy = _copy(session, document, outcome) if document is not None else None
    text += " (" + speak("kept as {file}", file=str(copy.relative_to(session.folder.path))) + ")" if copy else ""
    if trace := faults.trace_of(error, strict=True):
        given = strict_yaml.write_document(document) if isinstance(document, dict) else ""
        text += f"; {faults.please(faults.report(session.folder.path / 'aside', session.folder.disk, trace, given))}"
    return outcome, text


def _copy(session: Session, document: Document | ProtocolError, outcome: Outcome) -> Path | None:
    """Where a copy lies of what was not taken: to be looked at again, or for whoever wants to see it."""
    waits = early.kept(session, document, outcome) if isinstance(document, dict) else None
    return waits or (None if outcome in NOT_KEPT else session.folder.keep_not_taken(document))


def named(document: Document) -> str:
    """A document in two or three words, of checked parts only."""
    kind, player, seq = (document.get(key) for key in ("type", "player", "seq"))
    who = " " + speak("of {player}", player=player[:40]) if isinstance(player, str) else ""
    if kind == "slip":
        return f"{str(document.get('slip'))[:20]}{who}"
    if kind == "charter":
        return speak("a charter")
    if kind == "note":
        return speak("a note") + who
    if kind == "heal":
        return speak("a heal of place {seq}", seq=seq) if isinstance(seq, int) else speak("a heal")
    return (speak("file {seq}", seq=seq) if isinstance(seq, int) else speak("a document")) + who


def take_along(session: Session, documents: Sequence[Document]) -> list[str]:
    """What the same player keeps beside another copy of the log is taken here, or kept here too; what was taken, in words."""
    from pbem.cli import forks

    lines = []
    gone = {d["id"] for d in session.withdrawn()}
    here = {document_id(d) for d in session.folder.aside()}.union(gone)
    for document in (d for d in documents if document_id(d) not in here):
        outcome, told = receive_one(session, document)
        if outcome is Outcome.DONE:
            lines.append(_in_time(document, outcome, told))
    follows = _Run(session).guarded(
        speak("what follows is not done"), lambda: [*forks.move(session), *_that_came_early(session)]
    )
    return [*lines, *follows]


# -- after the documents -----------------------------------------------------------------------------------------------------


def _looked_after(session: Session, found: Sequence[Found], outcomes: Sequence[Outcome]) -> list[str]:
    """What follows from all that came in: files that fit now, another version, questions after a loss, heads asked for.

    Only a file that a player has signed shows another version; whatever else does not fit may be anybody's invention.
    """
    from pbem.cli import forks, restoring

    lines = [*forks.move(session), *_that_came_early(session)]
    lines += restoring.answer(session)
    lines += restoring.settle(session)
    strange = [d for (_, d), outcome in zip(found, outcomes, strict=True) if outcome is Outcome.BAD_CHAIN]
    known = pen.has_another_stand_in(session) or any(isinstance(d, dict) and forks.is_signed(session, d) for d in strange)
    if known and not lines:
        lines += forks.ask_for_heads(session, speak("a file came in that follows another one than this log's"))
    return [*lines, *forks.answer_heads(session), *(speak("PROVED: {fork}", fork=fork.told) for fork in forks.proved(session))]


def _that_came_early(session: Session) -> list[str]:
    """What has waited for more of the log is taken or refused, as it would be now; the rest waits on."""
    from pbem.cli import forks

    lines, head = list[str](), ""
    while head != session.head and early.is_to_try(session):
        head = session.head
        for path, document in early.lying(session.folder):
            outcome, told = receive_one(session, document)
            if early.kept(session, document, outcome) is None:
                session.folder.disk.remove(path)
                lines.append(_in_time(document, outcome, told))
        early.tried(session.folder, head)
        lines += forks.move(session)
    return lines


def _in_time(document: Document, outcome: Outcome, told: str) -> str:
    which = speak("{document}, which had come too early", document=named(document))
    return speech.labelled(which, speech.labelled(outcome.told, told))


def _answered(session: Session, written: list[Document], wait: bool | None) -> list[str]:
    """The files that this program writes by itself; what keeps it from that, a passphrase say, undoes nothing that came in."""
    written += session.answer_by_itself(wait=wait)
    idle = session.owes_what_is_no_decision() and session.kept_back is None
    return [*(waiting.unsure(session) if idle else []), *waiting.told(session, session.kept_back)]


def _before(session: Session) -> Table | None:
    """The table to which documents come; None without a game, or where its log is at fault, as each document will tell."""
    try:
        return session.table if session.folder.is_running else None
    except Exception:
        return None


def _in_short(session: Session, before: Table) -> list[str]:
    """The digest of what came behind a table, line by line, where another player wrote any of it."""
    secrets, known, now = session.folder.secrets(), before.ledger.entries, session.table.ledger.entries
    me = secrets.player if secrets else ""
    appended = len(now) > len(known) and now[len(known) - 1].id == known[-1].id
    if not appended or all(entry.player == me for entry in now[len(known) :]):
        return []
    from pbem.cli import reporting

    known_before = trust.other_links(before.ledger)
    other = [speech.text(told) for told in trust.other_links(session.table.ledger) if told not in known_before]
    back = [player for player in before.ledger.resigned if player not in session.table.ledger.resigned]
    lines = [
        speak("{player} has another key: the old one has signed his resignation, which counts no more", player=p) for p in back
    ]
    beside = resignations(session.folder.log.slips())
    if beside and before.due.what == "nothing":  # what came is told as if they had not been heard of
        before = session.replayed(before.last, passing_over=beside)
    return [*other, *lines, *reporting.brief(session, before).splitlines()]


# -- one document ------------------------------------------------------------------------------------------------------------


def _take_one(session: Session, document: Document) -> tuple[Outcome, str]:
    kind = document.get("type")
    if kind == "charter":
        known = session.folder.is_running and document_id(document) == session.charter.game_id
        return (
            (Outcome.ALREADY_KNOWN, speak("the charter"))
            if known
            else (Outcome.WAITING, speak("a charter: `pbem accept FILE`"))
        )
    if kind == "scenario":
        known = scenario_hash(document.get("scenario")) == session.charter.scenario_hash
        return (
            (Outcome.ALREADY_KNOWN, speak("the scenario")) if known else (Outcome.DIVERGED, speak("not the charter's scenario"))
        )
    if kind == "slip":
        return _take_slip(session, document)
    if kind == "note":
        from pbem.cli import talking

        return talking.received(session, document)
    if kind == "heal":
        from pbem.cli import healing

        return healing.received(session, document)
    from pbem.protocol.turnfile import read_turn

    try:
        taken = session.take(read_turn(document))
    except ProtocolError as error:
        from pbem.cli import forks

        forks.keep(session, document, error)
        raise
    return Outcome.DONE, speak("file {seq} of {player}", seq=taken.seq, player=document["player"])


def _take_slip(session: Session, slip: Document) -> tuple[Outcome, str]:
    if session.charter and slip in session.folder.log.slips():
        return Outcome.ALREADY_KNOWN, named(slip)
    newest, secrets = session.folder.log.files()[-1], session.folder.secrets()
    mine = secrets is not None and newest.get("player") == secrets.player != slip.get("player")
    if slip.get("slip") == "refusal" and mine and slip.get("file") == document_id(newest):
        return _judge_refusal(session, slip, newest)
    check_slip(session.table, slip)
    session.add_slip(slip)
    said = slip.get("reason") or slip.get("text")
    if slip["slip"] in overdue.KINDS:
        from pbem.cli import deadlines

        said = deadlines.received(session, slip)
    return Outcome.DONE, named(slip) + (f": {said}" if said else "")


def _judge_refusal(session: Session, slip: Document, newest: Document) -> tuple[Outcome, str]:
    """An own file is withdrawn only if this program, looking again, finds the fault too (protocol, rule 2)."""
    check_signed(session, slip)  # before the log is played: a forged one costs nothing
    if slip["head"] != newest["prev"]:  # no file could show that it takes the place of this one
        reason = msg(
            "this refusal of file {seq} was not signed behind file {before}", seq=newest["seq"], before=newest["seq"] - 1
        )
        ways = msg("no file could be shown to take its place: ask {player} for another refusal", player=slip["player"])
        raise ProtocolError(Outcome.REFUSED, linked("; ", reason, ways))
    before = session.replayed(newest["seq"] - 1, passing_over=_slips_behind(session, newest))
    check_slip(before, slip)
    refused = speak(
        "{player} refuses file {seq} ({outcome}: {reason})",
        player=slip["player"],
        seq=newest["seq"],
        outcome=slip["outcome"],
        reason=slip["reason"],
    )
    try:
        take(before, newest, session.folder.fetch)
    except (ProtocolError, Refused) as fault:
        session.withdraw(slip)
        return Outcome.DONE, speak(
            "{refused}; this program finds a fault too: {fault}. It is withdrawn: send another in its place",
            refused=refused,
            fault=fault.told,
        )
    session.add_slip(slip)
    return Outcome.DIVERGED, speak(
        "{refused}; this program finds it valid: log, file and refusal let a third judge", refused=refused
    )


def _slips_behind(session: Session, newest: Document) -> list[Document]:
    """The slips that came in when this file was in the log already: what they change counts from then on."""
    entries = session.folder.log.entries
    place = next(n for n in range(len(entries) - 1, -1, -1) if entries[n]["document"] == newest)
    return [e["document"] for e in entries[place + 1 :] if e["kind"] == "slip"]


def check_signed(session: Session, slip: Document) -> None:
    """One of the keys that its author has had in this game signed a slip. Raises ProtocolError."""
    files = session.folder.log.files()
    later = [d.get("seat") for d in files if d.get("type") == "seat"]  # as they lie in the log: it may be damaged
    records = [*files[0]["players"].items(), *((s.get("player"), s) for s in later if isinstance(s, dict) and "key" in s)]
    failed = ProtocolError(Outcome.WRONG_KEY, msg("{player} does not play in this game", player=str(slip.get("player"))))
    for key in (record["key"] for player, record in records if player == slip.get("player")):
        try:
            slips.verify(slip, key)
            return
        except ProtocolError as error:
            failed = error
    raise failed
