"""Playing: status, drafting, checking, sending, receiving, offers."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem.cli.receiving import receive as receive
from pbem.cli.receiving import receive_all as receive_all
from pbem.cli.rules import titled
from pbem.cli.speech import speak, speak_counted, text
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import nearest
from pbem.kernel.wording import Message, counted, english, linked, msg
from pbem.protocol import strict_yaml
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.protocol.turnfile import TYPES
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.hand import verb_of
from pbem.runtime.knowledge import Unknown
from pbem.runtime.slips import check_fork
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused, take
from pbem.store import dues, outgoing, pen
from pbem.store.session import Session

SAMPLES = 40  # legal orders that a draft shows


def status(path: Path) -> tuple[Plain, str]:
    """One game, or every game of a folder."""
    if not (path / "pbem.json").exists():
        folders = sorted(p.parent for p in path.glob("*/pbem.json"))
        if not folders:
            Session.open(path)
        rows = [(f.name, *status(f)) for f in folders]
        return {name: plain for name, plain, _ in rows}, "\n".join(f"{name}: {told}" for name, _, told in rows)
    from pbem.cli import deadlines

    session = Session.open(path, to_mend=True)
    mended = _mended(session)
    if cut := session.folder.cut():
        raise session.folder.log_damaged(cut)
    if not session.folder.is_running:
        return {"due": None, "draft": True}, speak("The charter is a draft.")
    table = session.table
    counts = _messages(session)
    last = session.folder.log.entries[-1]
    due: Plain = {"player": table.due.player, "what": table.due.what, "seat": table.due.seat, "rule": table.due.rule}
    plain: Plain = {
        "due": due,
        "files": table.last,
        "messages": counts,
        "received": last["received"],
        **deadlines.plain(session),
    }
    lines = [
        text(dues.told(session)),
        *deadlines.lines(session),
        speak_counted(
            "{n} file, the newest of {received}", "{n} files, the newest of {received}", table.last, received=last["received"]
        ),
    ]
    told = (
        speak("{player} {hand} and {automatic}", player=player, hand=c["hand"], automatic=c["automatic"])
        for player, c in counts.items()
    )
    lines.append(speak("files written by hand and by the program: {players}", players=", ".join(told)))
    lines += [*mended, *_trust(session)]
    if session.sees_hidden:
        drawn = hand_in_words(session)
        lines += drawn
        if len(own_in_words(session)) > len(drawn):
            lines.append(speak("what you have out of sight: pbem hand{option}", option=of_game(path)))
    elif session.folder.secrets() is not None:
        lines.append(speak("what you alone may know needs your passphrase: pbem hand{option}", option=of_game(path)))
    return plain, "\n".join(lines)


def _trust(session: Session) -> list[str]:
    """Proved forks, whether this folder may sign, and who has not yet shown that he holds the newest files."""
    from pbem.cli import forks

    lines = forks.told(session)
    why = pen.why_unsure(session.folder, session.charter.game_id) if session.folder.secrets() is not None else ""
    if why:
        option = of_game(session.folder.path)
        lines.append(speak("This folder signs nothing: {why}. `pbem restored{option}` asks the others", why=why, option=option))
    late = [
        speak("{player} (his newest is {seq})", player=player, seq=seq) for player, seq in forks.unconfirmed(session).items()
    ]
    if late:
        lines.append(speak("has not confirmed file {last} yet: {late}", last=session.table.last, late=", ".join(late)))
    return lines


def _mended(session: Session) -> list[str]:
    """What a crash left undone is done now, where the folder can be written and nobody else is at work."""
    lines = [session.folder.log.torn] if session.folder.log.torn else []
    with contextlib.suppress(OSError), session.folder.lock():
        session.folder.forget_log()
        lines += [speak("{path} was missing after an interruption and is there now", path=str(path)) for path in session.mend()]
        back = ", ".join(str(d["seq"]) for d in session.caught_up)
        lines += [speak("the log had lost file {back}: it came back from what lies in this folder", back=back)] if back else []
    return lines


def _messages(session: Session) -> dict[str, Any]:
    """Files that a person had to write, and files that a program wrote by itself."""
    counts: dict[str, Any] = {p: {"hand": 0, "automatic": 0} for p in session.charter.players_in_order}
    for entry in (e for e in session.table.ledger.entries[1:] if e.player):
        hand = entry.decides or entry.type != "turn"
        counts.setdefault(entry.player, {"hand": 0, "automatic": 0})["hand" if hand else "automatic"] += 1  # an umpire's too
    return counts


def draft(path: Path, to: Path) -> tuple[Plain, str]:
    """An order file with what is asked, sample orders, and the usual standing orders to edit."""
    from pbem.cli.guiding import asked_of

    session = Session.open(path)
    due = {"player": session.table.due.player, "what": session.table.due.what}
    if due["what"] in AUTOMATIC or due["player"] != session.me.player:
        nothing = speak("Nothing to draft: {told}", told=dues.told(session))
        if due["what"] in AUTOMATIC:
            nothing = speak(
                "Nothing to draft: {told}; it holds no order, the program of {player} writes it by itself",
                told=dues.told(session),
                player=due["player"],
            )
        return {"file": None, "due": {**due}}, nothing
    lines = [f"# {text(dues.told(session))}", f"# {_heading(session)}", "orders:"]
    asked = asked_of(session.table, session.me.player, session.knowledge())
    if asked is not None:
        samples = list(dict.fromkeys(asked.in_file(o) + _places_in(session, o) for o in asked.options))[:SAMPLES]
        lines += [f"#  {line}" for sample in samples for line in sample.splitlines()]
    lines += [f"# {line}" for line in own_in_words(session)]
    lines += [*_standing_to_edit(session), "note: []"]
    session.folder.disk.replace(to, ("\n".join(lines) + "\n").encode())
    plain: Plain = {"file": str(to), "due": {**due}, "proposals": [*asked.options] if asked is not None else []}
    return plain, speak("{to} drafted. Edit it, then: pbem check {to}{option}", to=str(to), option=of_game(path))


def _heading(session: Session) -> str:
    """Where the game stands: turn and phase."""
    return text(session.game.words().heading(session.table.engine.state))


def _standing_to_edit(session: Session) -> list[str]:
    """The usual standing orders, and questions that pass unasked, as lines to take the comment sign from."""
    usual: dict[str, Plain] = dict(session.game.usual)
    lines = ["  " + line for line in strict_yaml.write_document(usual).splitlines()] if usual else []
    held = {s.kind for s in session.table.ledger.standing if s.player == session.me.player}
    silent = {k: text for k, text in session.game.unasked(session.table.engine.state).items() if k not in held}
    passes = {kind: speak("else it passes unasked: {what}", what=what) for kind, what in silent.items()}
    lines += [f"#  {kind}: ask me  # {told}" for kind, told in passes.items()]
    head = f"standing:  # {speak('from this file on; delete what you want to be asked')}"
    return [head, *lines] if lines else []


def _places_in(session: Session, order: Plain) -> str:
    """A comment with the names of the hexes that a sample order gives by number."""
    found = session.game.places_in(session.table.engine.state, order)
    return f"  # {', '.join(found)}" if found else ""


def of_game(path: Path) -> str:
    """The option that names this game folder in a command to type, where one is needed."""
    return "" if path == Path() or "PBEM_GAME" in os.environ else f" -g {path}"


def hand_in_words(session: Session) -> list[str]:
    """What the player of this folder has drawn and nobody else sees, one line for each seat."""
    words, lines = session.game.words(), []
    for seat in session.charter.seats_of(session.me.player):
        for item in sorted(session.knowledge().hand(seat)):
            lines.append(
                speak("{seat} holds {item}", seat=words.seat(seat), item=words.item(session.table.engine.state, item) or item)
            )
    return lines


def own_in_words(session: Session) -> list[str]:
    """The same with what he has on the board and nobody else sees, one line for each marker."""
    from pbem.report.own import own_overviews

    words, lines = session.game.words(), hand_in_words(session)
    for table in own_overviews(words, session.knowledge(), session.table):
        lines += [f"{text(table.title)}:", *(text(Message(table.spoken, row)) for row in table.rows)]
    return lines


def hand(path: Path) -> tuple[Plain, str]:
    """What the player of this folder holds and nobody else sees: cards, and units behind markers."""
    session = Session.open(path)
    state, knowledge = session.table.engine.state, session.knowledge()
    cards: dict[str, Plain] = {}
    board: dict[str, Plain] = {}
    for seat in session.charter.seats_of(session.me.player):
        cards[seat] = [*sorted(knowledge.hand(seat))]
        with contextlib.suppress(Unknown):
            board[seat] = [dict(row) for row in session.game.holdings(state, seat, knowledge.reveal)]
    return {"hand": cards, "board": board}, "\n".join(own_in_words(session)) or speak(
        "you hold nothing that the others do not see"
    )


def read_orders(file: Path) -> Draft:
    """An order file: orders, standing, sealed standing orders, note. Raises ProtocolError with line and column."""
    document, marks = strict_yaml.read_document(file.read_bytes())
    known = ("orders", "standing", "sealed_standing", "note")
    for key in document:
        if key not in known:
            line, column = marks[(key,)]
            raise ProtocolError(
                Outcome.UNREADABLE, msg("unknown key {key!r}; keys are {known}", key=key, known=", ".join(known)), line, column
            )
    orders, standing = document.get("orders") or [], document.get("standing") or {}
    sealed, note = document.get("sealed_standing") or {}, document.get("note") or []
    if not (isinstance(orders, list) and isinstance(standing, dict) and isinstance(sealed, dict)):
        raise unreadable(msg("orders is a list; standing and sealed_standing are mappings"))
    notes = note if isinstance(note, list) else [note]
    clauses = {k: v if isinstance(v, list) else [v] for k, v in sealed.items()}
    return Draft(orders, standing, clauses, [str(n) for n in notes])


def _located(error: Refused, file: Path) -> Refused:
    """The problems sorted by line, each with the line of its order."""
    _, marks = strict_yaml.read_document(file.read_bytes())
    located = []
    for problem in error.problems:
        mark = marks.get(("orders", problem.order)) if problem.order is not None else None
        where = f"{file.name}:{mark[0]}" if mark else ""
        located.append(replace(problem, reason=linked(": ", where, problem.reason) if where else problem.reason))
    return Refused(located)


def _explained(session: Session, draft: Draft, error: Refused) -> Refused:
    """The first problem with the question that its order met; those that only follow from it are counted, not listed."""
    first, behind = error.problems[0], error.problems[1:]
    asked = _asked_before(session, draft, first.order) if first.order is not None else None
    if first.order is None or asked is None:
        return error
    lost = asked.verbs and verb_of(draft.orders[first.order]) not in asked.verbs
    stray = [p for p in behind if p.order is not None and (lost or verb_of(draft.orders[p.order]) not in asked.verbs)]
    told = [msg("asked here: {prompt}", prompt=asked.prompt), *_ended_by_done(session, draft, first.order)]
    if asked.verbs and len(stray) > 1:
        told.append(
            counted(
                "{n} order behind it does not fit either while it is wrong",
                "{n} orders behind it do not fit either while it is wrong",
                len(stray),
            )
        )
        behind = [p for p in behind if p not in stray]
    legal = linked("; ", *([first.legal] if first.legal else []), *told)
    return Refused([replace(first, legal=legal), *behind])


def _asked_before(session: Session, draft: Draft, at: int) -> Ask | None:
    """The question that the order with this index answers; None where nothing or something else is asked."""
    try:
        table = session.try_out(replace(draft, orders=draft.orders[:at])).table if at else session.table
    except (Refused, ProtocolError):
        return None
    return table.engine.request if isinstance(table.engine.request, Ask) else None


def _ended_by_done(session: Session, draft: Draft, before: int) -> list[Message]:
    """The `done` just behind the end of a phase that ended by itself: which phase it ended without an order in it."""
    for at in range(min(before, len(draft.orders)) - 1, 0, -1):
        if draft.orders[at] == "done" and draft.orders[at - 1] != "done":
            ended, earlier = _asked_before(session, draft, at), _asked_before(session, draft, at - 1)
            if ended is not None and earlier is not None and ended.kind != earlier.kind:
                return [
                    msg(
                        "the phase of order {at} ended by itself, so that `done` in order {next} ended: {what}",
                        at=at,
                        next=at + 1,
                        what=ended.prompt,
                    )
                ]
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
        raise titled(session, _explained(session, draft, error)) from None
    after, due = composed.table, composed.table.due
    used = composed.hand.next
    lines = [speak_counted("{n} order is legal.", "{n} orders are legal.", used)]
    if not draft.orders and session.table.due.what in ("orders", "seal"):
        lines = [speak("There is no order in it yet.")]
    lines += [*_unasked(session, draft), *(speak("Mind: {told}", told=line) for line in _ended_by_done(session, draft, used))]
    lines.append(speak("Then {due}", due=dues.clause(due)) if due.player else speak("The game ends."))
    asked = after.engine.request
    if isinstance(asked, Ask) and due.player == session.me.player and asked.kind in session.game.usual:
        lines.append(speak("A standing order of kind {kind!r} would save a message.", kind=asked.kind))
    bound = _promises(session, after)
    lines += [speak("Mind: {told}", told=text) for text in bound]
    odds, told = ahead(session, composed)
    lines += [told] if told else []
    plain: Plain = {"legal": used, "due": due.player, "what": due.what, "promises": [*map(english, bound)], "odds": odds}
    return plain, "\n".join(lines)


def _promises(session: Session, after: Table) -> list[Message]:
    """What these orders bind their writer to later in his turn."""
    seats = session.charter.seats_of(session.me.player)
    return [text for seat in seats for text in session.game.promises(after.engine.state, seat)]


def send(path: Path, file: Path) -> tuple[Plain, str]:
    """Sign and store; the outbox then holds the file and the mail."""
    with Session.at_work(path) as session:
        draft = read_orders(file)
        again = _signed_already(session, draft, file)
        if again is not None:
            return again
        try:
            document = session.write(draft)
        except Refused as error:
            raise _located(titled(session, _explained(session, draft, error)), file) from None
        session.answer_by_itself()
    plain, told = written(session, document)
    return plain, "\n".join([*_unasked(session, draft), told])


def _signed_already(session: Session, draft: Draft, file: Path) -> tuple[Plain, str] | None:
    """What is said where the file was signed before an interruption. Raises ProtocolError when it held other orders."""
    mine = [d for d in session.caught_up if d["player"] == session.me.player]
    if not mine or mine[-1]["seq"] != session.table.last:
        return None
    newest = mine[-1]
    same = [*draft.orders] == (newest.get("orders") or []) and dict(draft.standing) == (newest.get("standing") or {})
    plain, given = written(session, newest)
    assert isinstance(plain, dict)
    if same:
        again = speak("File {seq} was signed already; it is given out again as it is.", seq=newest["seq"])
        return plain, f"{again}\n{given}"
    reason = msg(
        "file {seq} was signed before the interruption and may be with the others: {file}",
        seq=newest["seq"],
        file=str(plain["file"]),
    )
    what = msg(
        "it does not say what {name} says, or seals it. `pbem undo {seq}` offers to take it back",
        name=file.name,
        seq=newest["seq"],
    )
    raise ProtocolError(Outcome.REFUSED, linked("; ", reason, what))


def _unasked(session: Session, draft: Draft) -> list[str]:
    """A line for each kind of standing order of which this game has no question: mostly a slip of the pen."""

    words = session.game.words()
    known = sorted(words.kinds())
    odd = [kind for kind in (*draft.standing, *draft.sealed_standing) if words.asked(kind) is None]
    return [
        speak(
            "Mind: nothing in this game asks for {kind!r}: that standing order never answers; {nearest}",
            kind=kind,
            nearest=nearest(kind, known),
        )
        for kind in odd
    ]


def written(session: Session, document: dict[str, Any]) -> tuple[Plain, str]:
    """What a command says that wrote a file of the log."""
    out = session.folder.outgoing(document)
    told = [msg("file {seq} written: {out} (and .eml)", seq=document["seq"], out=str(out)), dues.told(session)]
    return {"seq": document["seq"], "file": str(out), "due": session.table.due.player}, "\n".join(map(text, told))


def keep_proof(session: Session, document: dict[str, Any]) -> None:
    """Two signed files at one place: both are kept as proof. Raises ProtocolError when the second is no proof."""
    from pbem.protocol.strict_yaml import write_document

    first = dict(session.folder.fetch(int(document["seq"])))
    check_fork(session.table, first, document)
    proof: dict[str, Any] = {"pbem": session.charter.version, "type": "equivocation", "files": [first, document]}
    session.folder.disk.replace(fork_path(session, int(document["seq"])), write_document(proof).encode())
    told = [s for s in session.folder.log.slips() if s["slip"] == "equivocation" and document in s["files"]]
    if session.folder.secrets() is not None and session.is_seated and not told:
        content: dict[str, Any] = {"files": [first, document]}
        put_slip(session, session.sign_slip("equivocation", content))


def fork_path(session: Session, seq: int) -> Path:
    """Where the proof of two files at one place is kept."""
    return session.folder.path / f"equivocation-{seq:04d}.yaml"


def offered(what: str, version: int | None) -> dict[str, Plain]:
    """The content of an offer: a draw, or another version of the rules."""
    if what == "draw" and version is None:
        return {"draw": True}
    if what == "rules" and version is not None:
        return {"rules_version": version}
    raise unreadable(msg("{what!r} cannot be offered so: offer draw, or offer rules VERSION", what=what))


def offer(path: Path, kind: str, extra: dict[str, Plain]) -> tuple[Plain, str]:
    """An undo, draw or version offer, or its answer, as a file of the log."""
    with Session.at_work(path) as session:
        return written(session, session.write(Draft(type=kind, extra=extra)))


def agree(path: Path) -> tuple[Plain, str]:
    """Accept the offer on the table."""
    with Session.at_work(path) as session:
        on_table = session.table.ledger.offer
        if on_table is None:
            raise ProtocolError(Outcome.REFUSED, msg("there is no offer to accept"))
        return written(session, session.write(Draft(type="accept", extra={"accepts": on_table.id})))


def refuse(path: Path, source: Path | None) -> tuple[Plain, str]:
    """Decline the offer on the table; with a file that this program does not take: a signed refusal of it."""
    if source is None:
        return offer(path, "decline", {})
    with Session.at_work(path) as session:
        document = _only_turn(source)
        outcome, reason = _fault(session, document)
        content: dict[str, Plain] = {"file": document_id(document), "outcome": outcome.word, "reason": reason[:2000]}
        session.folder.keep_refused(document, document_id(document))
        return put_slip(session, session.sign_slip("refusal", content))


def _only_turn(source: Path) -> dict[str, Any]:
    from pbem.transport.mail import gather

    found = [d for _, d in gather(source) if isinstance(d, dict) and d.get("type") in TYPES]
    if len(found) != 1:
        raise unreadable(
            msg("{name} holds {number} files of a log: one is refused at a time", name=source.name, number=len(found))
        )
    return found[0]


NOT_REFUSED = {
    Outcome.BAD_SIGNATURE: msg("it is not signed by its author: ask for it again"),
    Outcome.UNREADABLE: msg("it is damaged: ask for it again"),
    Outcome.FOREIGN_GAME: msg("it belongs elsewhere"),
    Outcome.ALREADY_KNOWN: msg("it is in the log"),
    Outcome.WAITING: msg("an earlier file is missing"),
    Outcome.EQUIVOCATION: msg("it is proof of cheating: `pbem prove --fork` shows it"),
}


def _fault(session: Session, document: dict[str, Any]) -> tuple[Outcome, str]:
    """Why the next file cannot be taken. Raises ProtocolError when it can, or when nothing is to be refused."""
    try:
        taken = take(session.table, document, session.folder.fetch)
    except Refused as error:
        return Outcome.REFUSED, str(error)
    except ProtocolError as error:
        if error.outcome in NOT_REFUSED:
            raise ProtocolError(
                error.outcome,
                msg(
                    "{error}; there is nothing to refuse: {instead}",
                    error=error.told,
                    instead=NOT_REFUSED[error.outcome],
                ),
            ) from None
        return error.outcome, str(error)
    raise ProtocolError(Outcome.REFUSED, msg("file {seq} is lawful: `pbem receive` takes it", seq=taken.seq))


def resign(path: Path) -> tuple[Plain, str]:
    """A resignation slip for all seats of this player."""
    with Session.at_work(path) as session:
        me = session.me.player
        seats: list[Plain] = [*session.charter.seats_of(me)]
        if not seats:
            raise unreadable(msg("{me} holds no seat to resign", me=me))
        return put_slip(session, session.sign_slip("resignation", {"seats": seats}))


def put_slip(session: Session, slip: dict[str, Any]) -> tuple[Plain, str]:
    """A signed slip into the record, the own folder and the outbox, while the folder is locked; one given before, again."""
    slip = session.sign_row(slip)
    session.add_slip(slip)
    out, due = outgoing.put_out(session, slip), text(dues.told(session))
    outgoing.back_up(session)
    return {
        "slip": slip["slip"],
        "file": str(out),
        "due": session.table.due.player,
    }, f"{speak('{slip} slip written: {out}', slip=slip['slip'], out=str(out))}\n{due}"
