"""Playing: status, drafting, checking, sending, receiving, offers."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

from pbem.cli.receiving import receive as receive
from pbem.cli.receiving import receive_all as receive_all
from pbem.kernel.canon import Plain
from pbem.kernel.wording import Message
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.protocol.turnfile import TYPES
from pbem.runtime.composing import Draft
from pbem.runtime.knowledge import Unknown
from pbem.runtime.slips import check_fork
from pbem.runtime.taking import Refused, take
from pbem.store import dues, outgoing, pen
from pbem.store.session import Session


def status(path: Path) -> tuple[Plain, str]:
    """One game, or every game of a folder."""
    if not (path / "pbem.json").exists():
        folders = sorted(p.parent for p in path.glob("*/pbem.json"))
        if not folders:
            Session.open(path)
        rows = [(f.name, *status(f)) for f in folders]
        return {name: plain for name, plain, _ in rows}, "\n".join(f"{name}: {text}" for name, _, text in rows)
    from pbem.cli import deadlines

    session = Session.open(path, to_mend=True)
    mended = _mended(session)
    if cut := session.folder.cut():
        raise session.folder.log_damaged(cut)
    if not session.folder.is_running:
        text = "The charter is a draft."
        return {"due": None, "draft": True}, text
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
        dues.told(session),
        *deadlines.lines(session),
        f"{_counted(table.last, 'file')}, the newest of {last['received']}",
    ]
    told = (f"{p} {c['hand']} and {c['automatic']}" for p, c in counts.items())
    lines.append("files written by hand and by the program: " + ", ".join(told))
    lines += [*mended, *_trust(session)]
    if session.sees_hidden:
        drawn = hand_in_words(session)
        lines += drawn
        if len(own_in_words(session)) > len(drawn):
            lines.append(f"what you have out of sight: pbem hand{of_game(path)}")
    elif session.folder.secrets() is not None:
        lines.append(f"what you alone may know needs your passphrase: pbem hand{of_game(path)}")
    return plain, "\n".join(lines)


def _trust(session: Session) -> list[str]:
    """Proved forks, whether this folder may sign, and who has not yet shown that he holds the newest files."""
    from pbem.cli import forks

    lines = forks.told(session)
    why = pen.why_unsure(session.folder, session.charter.game_id) if session.folder.secrets() is not None else ""
    lines += [f"This folder signs nothing: {why}. `pbem restored{of_game(session.folder.path)}` asks the others"] if why else []
    late = [f"{player} (his newest is {seq})" for player, seq in forks.unconfirmed(session).items()]
    return lines + ([f"has not confirmed file {session.table.last} yet: {', '.join(late)}"] if late else [])


def _mended(session: Session) -> list[str]:
    """What a crash left undone is done now, where the folder can be written and nobody else is at work."""
    lines = [session.folder.log.torn] if session.folder.log.torn else []
    with contextlib.suppress(OSError), session.folder.lock():
        session.folder.forget_log()
        lines += [f"{path} was missing after an interruption and is there now" for path in session.mend()]
        back = ", ".join(str(d["seq"]) for d in session.caught_up)
        lines += [f"the log had lost file {back}: it came back from what lies in this folder"] if back else []
    return lines


def _messages(session: Session) -> dict[str, Any]:
    """Files that a person had to write, and files that a program wrote by itself."""
    counts: dict[str, Any] = {p: {"hand": 0, "automatic": 0} for p in session.charter.players_in_order}
    for entry in (e for e in session.table.ledger.entries[1:] if e.player):
        hand = entry.decides or entry.type != "turn"
        counts.setdefault(entry.player, {"hand": 0, "automatic": 0})["hand" if hand else "automatic"] += 1  # an umpire's too
    return counts


def of_game(path: Path) -> str:
    """The option that names this game folder in a command to type, where one is needed."""
    return "" if path == Path() or "PBEM_GAME" in os.environ else f" -g {path}"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" + ("" if number == 1 else "s")


def hand_in_words(session: Session) -> list[str]:
    """What the player of this folder has drawn and nobody else sees, one line for each seat."""
    name, lines = session.game.words().item, []
    for seat in session.charter.seats_of(session.me.player):
        for item in sorted(session.knowledge().hand(seat)):
            lines.append(f"{seat} holds {name(session.table.engine.state, item) or item}")
    return lines


def own_in_words(session: Session) -> list[str]:
    """The same with what he has on the board and nobody else sees, one line for each marker."""
    from pbem.report.languages import language
    from pbem.report.own import own_overviews

    words = session.game.words()
    tongue, lines = language("en", (words.CATALOGUE,)), hand_in_words(session)
    for table in own_overviews(words, session.knowledge(), session.table):
        lines += [f"{tongue.text(table.title)}:", *(tongue.text(Message(table.spoken, row)) for row in table.rows)]
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
    return {"hand": cards, "board": board}, "\n".join(own_in_words(session)) or "you hold nothing that the others do not see"


def written(session: Session, document: dict[str, Any]) -> tuple[Plain, str]:
    """What a command says that wrote a file of the log."""
    out = session.folder.outgoing(document)
    text = f"file {document['seq']} written: {out} (and .eml)\n{dues.told(session)}"
    return {"seq": document["seq"], "file": str(out), "due": session.table.due.player}, text


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
        session.folder.keep_refused(document, document_id(document))
        return put_slip(session, session.sign_slip("refusal", content))


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
        return put_slip(session, session.sign_slip("resignation", {"seats": seats}))


def put_slip(session: Session, slip: dict[str, Any]) -> tuple[Plain, str]:
    """A signed slip into the record, the own folder and the outbox, while the folder is locked; one given before, again."""
    slip = session.sign_row(slip)
    session.add_slip(slip)
    out, due = outgoing.put_out(session, slip), dues.told(session)
    outgoing.back_up(session)
    return {
        "slip": slip["slip"],
        "file": str(out),
        "due": session.table.due.player,
    }, f"{slip['slip']} slip written: {out}\n{due}"
