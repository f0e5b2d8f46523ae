"""Playing: status, drafting, checking, sending, receiving, offers."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any

from pbem.cli.session import Session
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import unreadable
from pbem.protocol import slips, strict_yaml
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.turnfile import TYPES
from pbem.runtime.composing import Draft
from pbem.runtime.taking import Refused

USUAL: dict[str, Plain] = {
    "casualties": "cheapest first",
    "submarines": "strike",
    "battle": "any",
    "retreat": [{"when": "own-strength < enemy-strength", "do": "retreat"}, {"do": "press"}],
}


def status(path: Path) -> tuple[Plain, str]:
    """One game, or every game of a folder."""
    if not (path / "pbem.json").exists():
        folders = sorted(p.parent for p in path.glob("*/pbem.json"))
        if not folders:
            Session.open(path)
        rows = [(f.name, *status(f)) for f in folders]
        return {name: plain for name, plain, _ in rows}, "\n".join(f"{name}: {text}" for name, _, text in rows)
    session = Session.open(path)
    if not session.folder.is_running:
        text = "The charter is a draft."
        return {"due": None, "draft": True}, text
    mended = _mended(session)
    table = session.table
    counts = _messages(session)
    last = session.folder.log.entries[-1]
    due: Plain = {"player": table.due.player, "what": table.due.what, "seat": table.due.seat, "rule": table.due.rule}
    plain: Plain = {"due": due, "files": table.last, "messages": counts, "received": last["received"]}
    lines = [session.due_in_words(), f"{table.last} files, the newest of {last['received']}"]
    lines.append("hand-written: " + ", ".join(f"{p} {c['hand']} (automatic {c['automatic']})" for p, c in counts.items()))
    lines += mended
    return plain, "\n".join(lines)


def _mended(session: Session) -> list[str]:
    """What a crash left undone is done now, where the folder can be written and nobody else is at work."""
    lines = [session.folder.log.torn] if session.folder.log.torn else []
    with contextlib.suppress(OSError), session.folder.lock():
        lines += [f"{path} was missing after an interruption and is there now" for path in session.mend()]
    return lines


def _messages(session: Session) -> dict[str, Any]:
    """Files that a person had to write, and files that a program wrote by itself."""
    counts: dict[str, Any] = {p: {"hand": 0, "automatic": 0} for p in session.charter.players_in_order}
    for entry in session.table.ledger.entries[1:]:
        hand = entry.decides or entry.type != "turn"
        counts[entry.player]["hand" if hand else "automatic"] += 1
    return counts


def draft(path: Path, to: Path) -> str:
    """An order file with what is asked, sample orders, and the usual standing orders to edit."""
    session = Session.open(path)
    due, request = session.table.due, session.table.engine.request
    if due.player != session.me.player:
        return f"Nothing to draft: {session.due_in_words()}"
    lines = [f"# {session.due_in_words()}", "orders:"]
    if isinstance(request, Ask):
        samples = list(request.options())[:12]
        lines += [f"#  - {strict_yaml.write_document([o]).strip().removeprefix('- ')}" for o in samples]
    lines += ["standing:  # from this file on; delete what you want to be asked"]
    lines += ["  " + line for line in strict_yaml.write_document(USUAL).splitlines()]
    lines += ["note: []"]
    session.folder.disk.replace(to, ("\n".join(lines) + "\n").encode())
    return f"{to} drafted. Edit it, then: pbem check {to}"


def read_orders(file: Path) -> Draft:
    """An order file: orders, standing, sealed standing orders, note. Raises ProtocolError with line and column."""
    document, marks = strict_yaml.read_document(file.read_bytes())
    known = ("orders", "standing", "sealed_standing", "note")
    for key in document:
        if key not in known:
            line, column = marks[(key,)]
            raise ProtocolError(Outcome.UNREADABLE, f"unknown key {key!r}; keys are {', '.join(known)}", line, column)
    orders, standing = document.get("orders") or [], document.get("standing") or {}
    sealed, note = document.get("sealed_standing") or {}, document.get("note") or []
    if not (isinstance(orders, list) and isinstance(standing, dict) and isinstance(sealed, dict)):
        raise unreadable("orders is a list; standing and sealed_standing are mappings")
    notes = note if isinstance(note, list) else [note]
    clauses = {k: v if isinstance(v, list) else [v] for k, v in sealed.items()}
    return Draft(orders, standing, clauses, [str(n) for n in notes])


def _located(error: Refused, file: Path) -> Refused:
    """The problems sorted by line, each with the line of its order."""
    from dataclasses import replace

    _, marks = strict_yaml.read_document(file.read_bytes())
    located = []
    for problem in error.problems:
        mark = marks.get(("orders", problem.order)) if problem.order is not None else None
        where = f"{file.name}:{mark[0]}: " if mark else ""
        located.append(replace(problem, reason=where + problem.reason))
    return Refused(located)


def check(path: Path, file: Path) -> tuple[Plain, str]:
    """What orders would do up to the first die."""
    session = Session.open(path)
    try:
        composed = session.try_out(read_orders(file))
    except Refused as error:
        raise _located(error, file) from None
    after, due = composed.table, composed.table.due
    used = composed.hand.next
    lines = [f"{used} orders are legal."]
    lines.append(
        f"Then {due.player} sends {due.what}{': ' + due.detail if due.detail else ''}." if due.player else "The game ends."
    )
    asked = after.engine.request
    if isinstance(asked, Ask) and due.player == session.me.player:
        lines.append(f"A standing order of kind {asked.kind!r} would save a message.")
    return {"legal": used, "due": due.player, "what": due.what}, "\n".join(lines)


def send(path: Path, file: Path) -> tuple[Plain, str]:
    """Sign and store; the outbox then holds the file and the mail."""
    with Session.at_work(path) as session:
        try:
            document = session.write(read_orders(file))
        except Refused as error:
            raise _located(error, file) from None
        session.answer_by_itself()
    return _written(session, document)


def _written(session: Session, document: dict[str, Any]) -> tuple[Plain, str]:
    name = f"{document['seq']:04d}-{document['player']}.yaml"
    out = session.folder.path / "outbox" / name
    text = f"file {document['seq']} written: {out} (and .eml)\n{session.due_in_words()}"
    return {"seq": document["seq"], "file": str(out), "due": session.table.due.player}, text


def receive(path: Path, source: str) -> tuple[Plain, str, int]:
    """Take everything that can be taken, in order; then answer what holds no decision."""
    from pbem.transport.mail import gather

    found = gather(sys.stdin.read() if source == "-" else Path(source))
    lines: list[str] = []
    worst = Outcome.DONE
    with Session.at_work(path) as session:
        for where, document in found:
            if isinstance(document, ProtocolError):
                worst = document.outcome
                lines.append(f"{where}: {worst.word}: {document}")
                continue
            outcome, text = _receive_one(session, document)
            lines.append(f"{where}: {outcome.word}: {text}")
            if outcome not in (Outcome.DONE, Outcome.ALREADY_KNOWN):
                worst = outcome
            elif document.get("type") in TYPES:
                session.seen_newest()
        written = session.answer_by_itself() if session.folder.is_running else []
    lines += [f"written by itself: file {d['seq']}, in {session.folder.path / 'outbox'}" for d in written]
    if session.folder.is_running:
        lines.append(session.due_in_words())
    plain: Plain = {"outcome": worst.word, "lines": [*lines], "written": [d["seq"] for d in written]}
    return plain, "\n".join(lines), worst.code


def _receive_one(session: Session, document: dict[str, Any]) -> tuple[Outcome, str]:
    kind = document.get("type")
    try:
        if kind == "slip":
            slips.verify(document, session.table.ledger.keys[str(document["player"])])
            if document["game"] != session.charter.game_id:
                raise ProtocolError(Outcome.FOREIGN_GAME, "a slip of another game")
            session.add_slip(document)
            return Outcome.DONE, f"{document['slip']} of {document['player']}"
        if kind == "charter":
            known = session.folder.is_running and document_id(document) == session.charter.game_id
            return (Outcome.ALREADY_KNOWN, "the charter") if known else (Outcome.WAITING, "a charter: `pbem accept FILE`")
        from pbem.protocol.turnfile import read_turn

        taken = session.take(read_turn(document))
        return Outcome.DONE, f"file {taken.seq} of {document['player']}"
    except ProtocolError as error:
        if error.outcome is Outcome.EQUIVOCATION:
            keep_proof(session, document)
        return error.outcome, str(error)
    except Refused as error:
        return Outcome.REFUSED, str(error)


def keep_proof(session: Session, document: dict[str, Any]) -> None:
    """Two signed files at one place: both are kept as proof. Raises ProtocolError when the second is no proof."""
    from pbem.protocol.strict_yaml import write_document

    first = dict(session.folder.fetch(int(document["seq"])))
    slips.check_equivocation(first, document, session.table.ledger.keys[first["player"]])
    proof: dict[str, Any] = {"pbem": 1, "type": "equivocation", "files": [first, document]}
    name = f"equivocation-{int(document['seq']):04d}.yaml"
    session.folder.disk.replace(session.folder.path / name, write_document(proof).encode())


def offered(what: str) -> dict[str, Plain]:
    """The content of an offer."""
    if what != "draw":
        raise unreadable(f"{what!r} cannot be offered", "draw")
    return {"draw": True}


def offer(path: Path, kind: str, extra: dict[str, Plain]) -> str:
    """An undo, draw offer or refusal as a file of the log."""
    with Session.at_work(path) as session:
        return _offer(session, kind, extra)


def _offer(session: Session, kind: str, extra: dict[str, Plain]) -> str:
    return _written(session, session.write(Draft(type=kind, extra=extra)))[1]


def agree(path: Path) -> str:
    """Accept the offer on the table."""
    with Session.at_work(path) as session:
        on_table = session.table.ledger.offer
        if on_table is None:
            raise unreadable("there is no offer to accept")
        return _offer(session, "accept", {"accepts": on_table.id})


def resign(path: Path) -> str:
    """A resignation slip for all seats of this player."""
    with Session.at_work(path) as session:
        me, head = session.me.player, session.table.ledger.entries[-1].id
        seats: list[Plain] = [*session.charter.seats_of(me)]
        slip = slips.make("resignation", session.charter.game_id, head, me, {"seats": seats})
        return put_slip(session, slips.sign(slip, session.private))


def put_slip(session: Session, slip: dict[str, Any]) -> str:
    """A signed slip into the own folder and the outbox, while the folder is locked."""
    session.add_slip(slip)
    return f"{slip['slip']} slip written: {session.put_out(slip)}\n{session.due_in_words()}"
