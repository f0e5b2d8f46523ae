"""Playing: status, drafting, checking, sending, receiving, offers."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pbem import games
from pbem.cli.session import AUTOMATIC, Session
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import nearest
from pbem.kernel.wording import Message
from pbem.protocol import slips, strict_yaml
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.protocol.turnfile import TYPES
from pbem.runtime.composing import Draft
from pbem.runtime.hand import verb_of
from pbem.runtime.knowledge import Unknown
from pbem.runtime.slips import check as check_slip
from pbem.runtime.taking import Refused, take

SAMPLES = 40  # legal orders that a draft shows


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
    lines = [session.due_in_words(), f"{_counted(table.last, 'file')}, the newest of {last['received']}"]
    told = (f"{p} {c['hand']} and {c['automatic']}" for p, c in counts.items())
    lines.append("files written by hand and by the program: " + ", ".join(told))
    lines += mended
    if session.folder.secrets() is not None:
        drawn = hand_in_words(session)
        lines += drawn
        if len(own_in_words(session)) > len(drawn):
            lines.append(f"what you have out of sight: pbem hand{of_game(path)}")
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


def draft(path: Path, to: Path) -> tuple[Plain, str]:
    """An order file with what is asked, sample orders, and the usual standing orders to edit."""
    from pbem.cli.guiding import asked_of

    session = Session.open(path)
    due = {"player": session.table.due.player, "what": session.table.due.what}
    if due["what"] in AUTOMATIC or due["player"] != session.me.player:
        why = f"; it holds no order, the program of {due['player']} writes it by itself" if due["what"] in AUTOMATIC else ""
        return {"file": None, "due": {**due}}, f"Nothing to draft: {session.due_in_words()}{why}"
    lines = [f"# {session.due_in_words()}", f"# {_heading(session)}", "orders:"]
    asked = asked_of(session.table, session.me.player, session.knowledge())
    if asked is not None:
        samples = list(dict.fromkeys(asked.in_file(o) + _places_in(session, o) for o in asked.options))[:SAMPLES]
        lines += [f"#  {line}" for sample in samples for line in sample.splitlines()]
    lines += [f"# {line}" for line in own_in_words(session)]
    lines += [*_standing_to_edit(session), "note: []"]
    session.folder.disk.replace(to, ("\n".join(lines) + "\n").encode())
    plain: Plain = {"file": str(to), "due": {**due}, "proposals": [*asked.options] if asked is not None else []}
    return plain, f"{to} drafted. Edit it, then: pbem check {to}{of_game(path)}"


def _heading(session: Session) -> str:
    """Where the game stands: turn and phase."""
    from pbem.report.languages import language
    from pbem.report.view import words_of

    words = words_of(games.folder_of(session.charter.system))
    return language("en", (words.CATALOGUE,)).text(words.heading(session.table.engine.state))


def _standing_to_edit(session: Session) -> list[str]:
    """The usual standing orders, and questions that pass unasked, as lines to take the comment sign from."""
    usual: dict[str, Plain] = dict(getattr(session.game, "usual", {}))
    lines = ["  " + line for line in strict_yaml.write_document(usual).splitlines()] if usual else []
    unasked = getattr(session.game, "unasked", None)
    held = {s.kind for s in session.table.ledger.standing if s.player == session.me.player}
    silent = {k: text for k, text in unasked(session.table.engine.state).items() if k not in held} if unasked else {}
    lines += [f"#  {kind}: ask me  # else it passes unasked: {text}" for kind, text in silent.items()]
    return ["standing:  # from this file on; delete what you want to be asked", *lines] if lines else []


def _places_in(session: Session, order: Plain) -> str:
    """A comment with the names of the hexes that a sample order gives by number."""
    named = getattr(session.game, "places_in", None)
    found = named(session.table.engine.state, order) if named else []
    return f"  # {', '.join(found)}" if found else ""


def of_game(path: Path) -> str:
    """The option that names this game folder in a command to type, where one is needed."""
    return "" if path == Path() or "PBEM_GAME" in os.environ else f" -g {path}"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" + ("" if number == 1 else "s")


def hand_in_words(session: Session) -> list[str]:
    """What the player of this folder has drawn and nobody else sees, one line for each seat."""
    name = getattr(session.game, "item_in_words", None)
    lines = []
    for seat in session.charter.seats_of(session.me.player):
        for item in sorted(session.knowledge().hand(seat)):
            lines.append(f"{seat} holds {name(session.table.engine.state, item) if name else item}")
    return lines


def own_in_words(session: Session) -> list[str]:
    """The same with what he has on the board and nobody else sees, one line for each marker."""
    from pbem.report.languages import language
    from pbem.report.own import own_overviews
    from pbem.report.view import words_of

    words = words_of(games.folder_of(session.charter.system))
    tongue, lines = language("en", (words.CATALOGUE,)), hand_in_words(session)
    for table in own_overviews(words, session.knowledge(), session.table):
        lines += [f"{tongue.text(table.title)}:", *(tongue.text(Message(table.spoken, row)) for row in table.rows)]
    return lines


def hand(path: Path) -> tuple[Plain, str]:
    """What the player of this folder holds and nobody else sees: cards, and units behind markers."""
    session = Session.open(path)
    state, knowledge, hidden = session.table.engine.state, session.knowledge(), getattr(session.game, "holdings", None)
    cards: dict[str, Plain] = {}
    board: dict[str, Plain] = {}
    for seat in session.charter.seats_of(session.me.player):
        cards[seat] = [*sorted(knowledge.hand(seat))]
        with contextlib.suppress(Unknown):
            board[seat] = hidden(state, seat, knowledge.reveal) if hidden else []
    return {"hand": cards, "board": board}, "\n".join(own_in_words(session)) or "you hold nothing that the others do not see"


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
    _, marks = strict_yaml.read_document(file.read_bytes())
    located = []
    for problem in error.problems:
        mark = marks.get(("orders", problem.order)) if problem.order is not None else None
        where = f"{file.name}:{mark[0]}: " if mark else ""
        located.append(replace(problem, reason=where + problem.reason))
    return Refused(located)


def _explained(session: Session, draft: Draft, error: Refused) -> Refused:
    """The first problem with the question that its order met; those that only follow from it are counted, not listed."""
    first, behind = error.problems[0], error.problems[1:]
    asked = _asked_before(session, draft, first.order) if first.order is not None else None
    if first.order is None or asked is None:
        return error
    lost = asked.verbs and verb_of(draft.orders[first.order]) not in asked.verbs
    stray = [p for p in behind if p.order is not None and (lost or verb_of(draft.orders[p.order]) not in asked.verbs)]
    told = [f"asked here: {asked.prompt}", *_ended_by_done(session, draft, first.order)]
    if asked.verbs and len(stray) > 1:
        told.append(f"{len(stray)} orders behind it do not fit either while it is wrong")
        behind = [p for p in behind if p not in stray]
    reason = "; ".join([first.legal, *told] if first.legal else told)
    return Refused([replace(first, legal=reason), *behind])


def _asked_before(session: Session, draft: Draft, at: int) -> Ask | None:
    """The question that the order with this index answers; None where nothing or something else is asked."""
    try:
        table = session.try_out(replace(draft, orders=draft.orders[:at])).table if at else session.table
    except (Refused, ProtocolError):
        return None
    return table.engine.request if isinstance(table.engine.request, Ask) else None


def _ended_by_done(session: Session, draft: Draft, before: int) -> list[str]:
    """The `done` just behind the end of a phase that ended by itself: which phase it ended without an order in it."""
    for at in range(min(before, len(draft.orders)) - 1, 0, -1):
        if draft.orders[at] == "done" and draft.orders[at - 1] != "done":
            ended, earlier = _asked_before(session, draft, at), _asked_before(session, draft, at - 1)
            if ended is not None and earlier is not None and ended.kind != earlier.kind:
                return [f"the phase of order {at} ended by itself, so that `done` in order {at + 1} ended: {ended.prompt}"]
    return []


def check(path: Path, file: Path) -> tuple[Plain, str]:
    """What orders would do up to the first die, and the odds of the battles that they start."""
    try:
        return _check(path, read_orders(file))
    except Refused as error:
        raise _located(error, file) from None


def check_orders(path: Path, orders: Sequence[str]) -> tuple[Plain, str]:
    """The same for orders from the command line, each written as in a file."""
    lines = [f"- {order}" for order in orders]
    document, _ = strict_yaml.read_document("\n".join(["orders:", *lines]) + "\n")
    listed = document["orders"]
    return _check(path, Draft(listed if isinstance(listed, list) else []))


def _check(path: Path, draft: Draft) -> tuple[Plain, str]:
    from pbem.cli.chances import ahead

    session = Session.open(path)
    try:
        composed = session.try_out(draft)
    except Refused as error:
        raise _explained(session, draft, error) from None
    after, due = composed.table, composed.table.due
    used = composed.hand.next
    lines = ["1 order is legal." if used == 1 else f"{used} orders are legal."]
    if not draft.orders and session.table.due.what in ("orders", "seal"):
        lines = ["There is no order in it yet."]
    lines += [*_unasked(session, draft), *(f"Mind: {line}" for line in _ended_by_done(session, draft, used))]
    lines.append(f"Then {session.in_words(due)}" if due.player else "The game ends.")
    asked = after.engine.request
    if isinstance(asked, Ask) and due.player == session.me.player and asked.kind in getattr(session.game, "usual", {}):
        lines.append(f"A standing order of kind {asked.kind!r} would save a message.")
    odds, told = ahead(session, composed)
    lines += [told] if told else []
    return {"legal": used, "due": due.player, "what": due.what, "odds": odds}, "\n".join(lines)


def send(path: Path, file: Path) -> tuple[Plain, str]:
    """Sign and store; the outbox then holds the file and the mail."""
    with Session.at_work(path) as session:
        draft = read_orders(file)
        try:
            document = session.write(draft)
        except Refused as error:
            raise _located(_explained(session, draft, error), file) from None
        session.answer_by_itself()
    plain, text = written(session, document)
    return plain, "\n".join([*_unasked(session, draft), text])


def _unasked(session: Session, draft: Draft) -> list[str]:
    """A line for each kind of standing order of which this game has no question: mostly a slip of the pen."""
    from pbem.report.view import words_of

    words = words_of(games.folder_of(session.game.name))
    known = sorted(getattr(words, "ASKED", {}))
    odd = [kind for kind in (*draft.standing, *draft.sealed_standing) if words.asked(kind) is None]
    return [
        f"Mind: nothing in this game asks for {kind!r}: that standing order never answers; {nearest(kind, known)}"
        for kind in odd
    ]


def written(session: Session, document: dict[str, Any]) -> tuple[Plain, str]:
    """What a command says that wrote a file of the log."""
    name = f"{document['seq']:04d}-{document['player']}.yaml"
    out = session.folder.path / "outbox" / name
    text = f"file {document['seq']} written: {out} (and .eml)\n{session.due_in_words()}"
    return {"seq": document["seq"], "file": str(out), "due": session.table.due.player}, text


@dataclass(frozen=True, slots=True)
class Received:
    """What became of each document that came in, in order, and of the game."""

    plain: Plain
    text: str
    outcomes: list[Outcome]
    code: int


def receive(path: Path, source: str) -> tuple[Plain, str, int]:
    """Take everything that a file, a folder or standard input holds."""
    from pbem.transport.mail import gather

    received = receive_all(path, gather(sys.stdin.read() if source == "-" else Path(source)))
    return received.plain, received.text, received.code


def receive_all(
    path: Path, found: Sequence[tuple[str, dict[str, Any] | ProtocolError]], passing_over: Sequence[Outcome] = ()
) -> Received:
    """Take everything that can be taken, in order; then answer what holds no decision.

    `found`: where, and which document or why there is none. Outcomes that are passed over go unmentioned.
    """
    outcomes: list[Outcome] = []
    lines: list[str] = []
    with Session.at_work(path) as session:
        for where, document in found:
            outcome, text = _receive_one(session, document)
            outcomes.append(outcome)
            lines += [] if outcome in passing_over else [f"{where}: {outcome.word}: {text}"]
            if (
                outcome in (Outcome.DONE, Outcome.ALREADY_KNOWN)
                and isinstance(document, dict)
                and document.get("type") in TYPES
            ):
                session.seen_newest()
        written = session.answer_by_itself() if session.folder.is_running else []
    good = (Outcome.DONE, Outcome.ALREADY_KNOWN, *passing_over)
    worst = next((o for o in reversed(outcomes) if o not in good), Outcome.DONE)
    lines += [f"written by itself: file {d['seq']}, in {session.folder.path / 'outbox'}" for d in written]
    if not found:
        lines.append("nothing of pbem is in there")
    if session.folder.is_running:
        lines.append(session.due_in_words())
    plain: Plain = {"outcome": worst.word, "lines": [*lines], "written": [d["seq"] for d in written]}
    return Received(plain, "\n".join(lines), outcomes, worst.code)


def _receive_one(session: Session, document: dict[str, Any] | ProtocolError) -> tuple[Outcome, str]:
    if isinstance(document, ProtocolError):
        return document.outcome, str(document)
    kind = document.get("type")
    try:
        if kind == "slip":
            return _receive_slip(session, document)
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


def _receive_slip(session: Session, slip: dict[str, Any]) -> tuple[Outcome, str]:
    newest, secrets = session.folder.log.files()[-1], session.folder.secrets()
    mine = secrets is not None and newest.get("player") == secrets.player != slip.get("player")
    if slip.get("slip") == "refusal" and mine and slip.get("file") == document_id(newest):
        return _judge_refusal(session, slip, newest)
    check_slip(session.table, slip)
    if slip in session.folder.log.slips():
        return Outcome.ALREADY_KNOWN, f"{slip['slip']} of {slip['player']}"
    session.add_slip(slip)
    said = slip.get("reason") or slip.get("text")
    return Outcome.DONE, f"{slip['slip']} of {slip['player']}" + (f": {said}" if said else "")


def _judge_refusal(session: Session, slip: dict[str, Any], newest: dict[str, Any]) -> tuple[Outcome, str]:
    """An own file is withdrawn only if this program, looking again, finds the fault too (protocol, rule 2)."""
    before = session.replayed(newest["seq"] - 1)
    check_slip(before, slip)
    refused = f"{slip['player']} refuses file {newest['seq']} ({slip['outcome']}: {slip['reason']})"
    try:
        take(before, newest, session.folder.fetch)
    except (ProtocolError, Refused) as fault:
        session.withdraw(slip)
        return Outcome.DONE, f"{refused}; this program finds a fault too: {fault}. It is withdrawn: send another in its place"
    session.add_slip(slip)
    return Outcome.DIVERGED, f"{refused}; this program finds it valid: log, file and refusal let a third judge"


def keep_proof(session: Session, document: dict[str, Any]) -> None:
    """Two signed files at one place: both are kept as proof. Raises ProtocolError when the second is no proof."""
    from pbem.protocol.strict_yaml import write_document

    first = dict(session.folder.fetch(int(document["seq"])))
    slips.check_equivocation(first, document, session.table.ledger.keys[first["player"]])
    proof: dict[str, Any] = {"pbem": 1, "type": "equivocation", "files": [first, document]}
    session.folder.disk.replace(fork_path(session, int(document["seq"])), write_document(proof).encode())
    told = [s for s in session.folder.log.slips() if s["slip"] == "equivocation" and document in s["files"]]
    if session.folder.secrets() is not None and session.is_seated and not told:
        content: dict[str, Any] = {"files": [first, document]}
        slip = slips.make("equivocation", session.charter.game_id, session.head, session.me.player, content)
        put_slip(session, slips.sign(slip, session.private))


def fork_path(session: Session, seq: int) -> Path:
    """Where the proof of two files at one place is kept."""
    return session.folder.path / f"equivocation-{seq:04d}.yaml"


def offered(what: str, version: int | None) -> dict[str, Plain]:
    """The content of an offer: a draw, or another version of the rules."""
    if what == "draw" and version is None:
        return {"draw": True}
    if what == "rules" and version is not None:
        return {"rules_version": version}
    raise unreadable(f"{what!r} cannot be offered so: offer draw, or offer rules VERSION")


def offer(path: Path, kind: str, extra: dict[str, Plain]) -> tuple[Plain, str]:
    """An undo, draw or version offer, or its answer, as a file of the log."""
    with Session.at_work(path) as session:
        return written(session, session.write(Draft(type=kind, extra=extra)))


def agree(path: Path) -> tuple[Plain, str]:
    """Accept the offer on the table."""
    with Session.at_work(path) as session:
        on_table = session.table.ledger.offer
        if on_table is None:
            raise ProtocolError(Outcome.REFUSED, "there is no offer to accept")
        return written(session, session.write(Draft(type="accept", extra={"accepts": on_table.id})))


def refuse(path: Path, source: Path | None) -> tuple[Plain, str]:
    """Decline the offer on the table; with a file that this program does not take: a signed refusal of it."""
    if source is None:
        return offer(path, "decline", {})
    with Session.at_work(path) as session:
        document = _only_turn(source)
        outcome, reason = _fault(session, document)
        content: dict[str, Plain] = {"file": document_id(document), "outcome": outcome.word, "reason": reason[:2000]}
        slip = slips.make("refusal", session.charter.game_id, session.head, session.me.player, content)
        session.folder.keep_refused(document, document_id(document))
        return put_slip(session, slips.sign(slip, session.private))


def _only_turn(source: Path) -> dict[str, Any]:
    from pbem.transport.mail import gather

    found = [d for _, d in gather(source) if isinstance(d, dict) and d.get("type") in TYPES]
    if len(found) != 1:
        raise unreadable(f"{source.name} holds {len(found)} files of a log: one is refused at a time")
    return found[0]


NOT_REFUSED = {
    Outcome.BAD_SIGNATURE: "it is not signed by its author: ask for it again",
    Outcome.UNREADABLE: "it is damaged: ask for it again",
    Outcome.FOREIGN_GAME: "it belongs elsewhere",
    Outcome.ALREADY_KNOWN: "it is in the log",
    Outcome.WAITING: "an earlier file is missing",
    Outcome.EQUIVOCATION: "it is proof of cheating: `pbem prove --fork` shows it",
}


def _fault(session: Session, document: dict[str, Any]) -> tuple[Outcome, str]:
    """Why the next file cannot be taken. Raises ProtocolError when it can, or when nothing is to be refused."""
    try:
        taken = take(session.table, document, session.folder.fetch)
    except Refused as error:
        return Outcome.REFUSED, str(error)
    except ProtocolError as error:
        if error.outcome in NOT_REFUSED:
            raise ProtocolError(error.outcome, f"{error}; there is nothing to refuse: {NOT_REFUSED[error.outcome]}") from None
        return error.outcome, str(error)
    raise ProtocolError(Outcome.REFUSED, f"file {taken.seq} is lawful: `pbem receive` takes it")


def resign(path: Path) -> tuple[Plain, str]:
    """A resignation slip for all seats of this player."""
    with Session.at_work(path) as session:
        me = session.me.player
        seats: list[Plain] = [*session.charter.seats_of(me)]
        if not seats:
            raise unreadable(f"{me} holds no seat to resign")
        slip = slips.make("resignation", session.charter.game_id, session.head, me, {"seats": seats})
        return put_slip(session, slips.sign(slip, session.private))


def put_slip(session: Session, slip: dict[str, Any]) -> tuple[Plain, str]:
    """A signed slip into the own folder and the outbox, while the folder is locked."""
    session.add_slip(slip)
    out, due = session.put_out(slip), session.due_in_words()
    return {
        "slip": slip["slip"],
        "file": str(out),
        "due": session.table.due.player,
    }, f"{slip['slip']} slip written: {out}\n{due}"
