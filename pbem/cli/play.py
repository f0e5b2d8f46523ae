"""Playing: status, drafting, checking, sending, receiving, offers."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

from pbem.cli import waiting
from pbem.cli.speech import labelled, make_sure, speak, speak_counted, text
from pbem.kernel.canon import Plain
from pbem.kernel.wording import Message, linked, msg
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.protocol.turnfile import TYPES
from pbem.runtime.composing import Draft
from pbem.runtime.knowledge import Unknown
from pbem.runtime.slips import check_fork
from pbem.runtime.taking import Refused, take
from pbem.store import dues, mending, outgoing, pen
from pbem.store.folder import GameFolder
from pbem.store.opened import cut_of
from pbem.store.paths import keys_of
from pbem.store.session import Session


def status(path: Path, *, forecast: bool = False) -> tuple[Plain, str]:
    """One game, or every game of a folder; with how many files by hand the turn still takes."""
    if not (path / "pbem.json").exists():
        return _all_of(path, forecast)
    from pbem.cli import deadlines, planning, talking, unanswered

    session = Session.open(path, to_mend=True)
    mended = _mended(session)
    if cut := cut_of(session.folder):
        raise session.folder.log_damaged(cut)
    if not session.folder.is_running:
        return {"due": None, "draft": True}, speak("The charter is a draft.")
    table = session.table
    held = _held_files(session)
    counts, where = _messages(session, held), text(session.game.words().heading(table.engine.state))
    last = session.folder.log.entries[-1]
    due: Plain = {"player": table.due.player, "what": table.due.what, "seat": table.due.seat, "rule": table.due.rule}
    plain: dict[str, Plain] = {
        "due": due,
        "where": where,
        "files": table.last,
        "messages": counts,
        "held": len(held),
        "received": last["received"],
        "waits": session.place_kept_back() or None,
        **deadlines.plain(session),
    }
    lines = [
        text(dues.told(session)),
        where,
        *([waiting.ways()] if plain["waits"] else []),
        *waiting.for_slot(session),
        *deadlines.lines(session),
        speak_counted(
            "{n} file, the newest of {received}", "{n} files, the newest of {received}", table.last, received=last["received"]
        ),
    ]
    lines += _written_by(counts, len(held))
    lapsed, why_asked = unanswered.of_plan(session), unanswered.asked(session)
    plain |= {"unanswered": [*why_asked], "lapsed": [*lapsed]}
    lines += [*planning.status(session), *lapsed, *why_asked]
    if forecast:
        from pbem.cli import counting

        plain["forecast"], ahead = counting.told(session, table)
        lines.append(ahead)
    lines += [*mended, *_trust(session), *talking.counted_line(session), *_held(session, path)]
    return plain, "\n".join(lines)


def _held(session: Session, path: Path) -> list[str]:
    """What the player alone knows, or how he gets to see it."""
    if not session.sees_hidden:
        locked = session.folder.secrets() is not None
        return (
            [speak("what you alone may know needs your passphrase: pbem hand{option}", option=of_game(path))] if locked else []
        )
    drawn = hand_in_words(session)
    more = len(own_in_words(session)) > len(drawn)
    return [*drawn, *([speak("what you have out of sight: pbem hand{option}", option=of_game(path))] if more else [])]


def _all_of(path: Path, forecast: bool) -> tuple[Plain, str]:
    """The status of every game of a folder."""
    folders = sorted(p.parent for p in path.glob("*/pbem.json"))
    if not folders:
        Session.open(path)
    rows = []
    for folder in folders:
        with keys_of(folder):
            rows.append((folder.name, *status(folder, forecast=forecast)))
    return {name: plain for name, plain, _ in rows}, "\n".join(labelled(name, told) for name, _, told in rows)


def _trust(session: Session) -> list[str]:
    """Proved forks, whether this folder may sign, and who has not yet shown that he holds the newest files."""
    from pbem.cli import forks

    lines = forks.told(session)
    if session.folder.secrets() is None:
        lines.append(speak("this folder watches the game; it has no player's key"))
    lines += waiting.unsure(session)
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
        lines += [
            speak("{path} was missing after an interruption and is there now", path=str(path)) for path in mending.mend(session)
        ]
        back = ", ".join(str(d["seq"]) for d in session.caught_up)
        lines += [speak("the log had lost file {back}: it came back from what lies in this folder", back=back)] if back else []
        if back and session.charter.overdue is not None:
            lines.append(speak("it counts as received now: by the clocks of the others less time may be left"))
    return lines


def _held_files(session: Session) -> set[str]:
    """The files with decisions that this player's holds have written, as far as that is known without his passphrase."""
    if session.folder.secrets() is None or not session.folder.private.opens_unasked():
        return set()
    return {*session.me.by_holds} & {entry.id for entry in session.table.ledger.entries}


def _written_by(counts: dict[str, Any], held: int) -> list[str]:
    """How many files each has written, and which of the own ones his holds have."""
    told = (
        speak("{player} {hand} and {automatic}", player=player, hand=c["hand"], automatic=c["automatic"])
        for player, c in counts.items()
    )
    lines = [speak("files written by hand and by the program: {players}", players=", ".join(told))]
    if held:
        by_holds = speak_counted(
            "{n} of your files with decisions came from your holds; to the others it looks as if written by hand",
            "{n} of your files with decisions came from your holds; to the others they look as if written by hand",
            held,
        )
        lines.append(by_holds)
    return lines


def _messages(session: Session, held: set[str]) -> dict[str, Any]:
    """Files that a person had to write, and files that a program wrote by itself, with those that his holds wrote."""
    counts: dict[str, Any] = {p: {"hand": 0, "automatic": 0} for p in session.charter.players_in_order}
    for entry in (e for e in session.table.ledger.entries[1:] if e.player):
        hand = (entry.decides or entry.type != "turn") and entry.id not in held
        counts.setdefault(entry.player, {"hand": 0, "automatic": 0})["hand" if hand else "automatic"] += 1  # an umpire's too
    return counts


def of_game(path: Path) -> str:
    """The option that names this game folder in a command to type, where one is needed."""
    return "" if path == Path() or "PBEM_GAME" in os.environ else f" -g {path}"


def check_no_offer(path: Path) -> None:
    """Who types `accept` while an offer waits means `agree`. Raises ProtocolError (waiting) with what answers it."""
    folder = GameFolder(path)
    table = Session(folder).table if folder.is_running else None
    if table is None or table.due.what != "accept":
        return
    begun = msg(
        "the game has begun already, and nothing was accepted: {offer} (file {seq}) waits for {player}",
        offer=table.due.detail,
        seq=table.ledger.offer.seq if table.ledger.offer else 0,
        player=table.due.player,
    )
    ways = msg("`pbem agree{option}` accepts it, `pbem refuse{option}` declines it", option=of_game(path))
    raise ProtocolError(Outcome.WAITING, linked("; ", begun, ways))


def held(session: Session) -> list[tuple[str, str, bool]]:
    """Seat, item and whether everybody knows of it: of all that the player of this folder has in hand."""
    state, knowledge = session.table.engine.state, session.knowledge()
    return [
        (seat, item, openly)
        for seat in session.charter.seats_of(session.me.player)
        for openly, items in ((False, knowledge.hand(seat)), (True, session.game.held_openly(state, seat)))
        for item in sorted(items)
    ]


def hand_in_words(session: Session) -> list[str]:
    """What the player of this folder has in hand, one line for each item."""
    return [held_in_words(session, *one) for one in held(session)]


def held_in_words(session: Session, seat: str, item: str, openly: bool) -> str:
    """One of `held` as a line."""
    words = session.game.words()
    named = {"seat": words.SEATS[seat], "item": words.item(session.table.engine.state, item) or item}
    return speak("{seat} holds {item}: known to all", **named) if openly else speak("{seat} holds {item}", **named)


def own_in_words(session: Session) -> list[str]:
    """The same with what he has on the board and nobody else sees, one line for each marker."""
    from pbem.report.own import own_overviews

    words, lines = session.game.words(), hand_in_words(session)
    for table in own_overviews(words, session.knowledge(), session.table):
        lines += [f"{text(table.title)}:", *(text(Message(table.spoken, row)) for row in table.rows)]
    return lines


def hand(path: Path) -> tuple[Plain, str]:
    """What the player of this folder has in hand, and his units behind markers that nobody else sees."""
    session = Session.open(path)
    state, knowledge = session.table.engine.state, session.knowledge()
    board: dict[str, Plain] = {}
    seats = session.charter.seats_of(session.me.player)
    cards: dict[str, Plain] = {seat: [item for whose, item, _ in held(session) if whose == seat] for seat in seats}
    for seat in seats:
        with contextlib.suppress(Unknown):
            board[seat] = [dict(row) for row in session.game.holdings(state, seat, knowledge.reveal)]
    return {"hand": cards, "board": board}, "\n".join(own_in_words(session)) or speak(
        "you hold nothing that the others do not see"
    )


def written(session: Session, document: dict[str, Any]) -> tuple[Plain, str]:
    """What a command says that wrote a file of the log."""
    out = session.folder.outgoing(document)
    told = [msg("file {seq} written: {out} (and .eml)", seq=document["seq"], out=str(out)), dues.told(session)]
    lines = [*map(text, told), *waiting.for_slot(session), *waiting.told(session, session.kept_back)]
    return {"seq": document["seq"], "file": str(out), "due": session.table.due.player}, "\n".join(lines)


def keep_proof(session: Session, document: dict[str, Any]) -> None:
    """Two signed files at one place: both are kept as proof. Raises ProtocolError when the second is no proof.

    Not against the own player in a folder that may have lost something: what it holds may have been taken back before
    anybody had it. Whoever has got both has the proof.
    """
    from pbem.protocol.strict_yaml import write_document

    first = dict(session.folder.fetch(int(document["seq"])))
    check_fork(session.table, first, document)
    if pen.is_mine(session, document) and session.why_unsure():
        return
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


def agree(path: Path, *, sure: bool = False) -> tuple[Plain, str]:
    """Accept the offer on the table. Who ends the game by that has to be `sure`."""
    seen = Session.open(path).table.ledger.offer
    if seen is not None and seen.is_draw and not sure:
        over = msg("with the draw that {player} offers the game is over, and nothing takes that back", player=seen.by)
        make_sure([text(over)], _not_signed(over, "agree"))
    with Session.at_work(path) as session:
        on_table = session.table.ledger.offer
        if on_table is None:
            raise ProtocolError(Outcome.REFUSED, msg("there is no offer to accept"))
        if seen is None or seen.id != on_table.id:
            raise ProtocolError(Outcome.REFUSED, msg("another offer has come meanwhile: look at it with `pbem status` first"))
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


def resign(path: Path, *, sure: bool = False) -> tuple[Plain, str]:
    """A resignation slip for all seats of this player, who has to be `sure`."""
    opened = Session.open(path)
    seats = opened.charter.seats_of(opened.me.player)
    if seats and not sure:
        lost = msg(
            "you resign {seats}: nothing takes that back, and a side whose players have all resigned has lost",
            seats=", ".join(seats),
        )
        make_sure([text(lost)], _not_signed(lost, "resign"))
    with Session.at_work(path) as session:
        return resigned(session)


def _not_signed(told: Message, command: str) -> Message:
    return msg("nothing is signed: {told}. `pbem {command} --yes` says that it is meant", told=told, command=command)


def resigned(session: Session) -> tuple[Plain, str]:
    """The same, while the folder is locked."""
    me = session.me.player
    seats: list[Plain] = [*session.charter.seats_of(me)]
    if not seats:
        raise unreadable(msg("{me} holds no seat to resign", me=me))
    offer = session.table.ledger.offer
    if offer is not None and offer.type == "seat" and offer.by == me:  # who has accepted it already would not take the slip
        who = ", ".join(offer.waiting)
        reason = msg("your offer of another key for your seats waits for {who}: resign when it is answered", who=who)
        raise ProtocolError(Outcome.WAITING, reason)
    return put_slip(session, session.sign_slip("resignation", {"seats": seats}))


def put_slip(session: Session, slip: dict[str, Any]) -> tuple[Plain, str]:
    """A signed slip into the record, the own folder and the outbox, while the folder is locked; one given before, again."""
    slip = session.sign_row(slip)
    session.add_slip(slip)
    out, due = outgoing.put_out(session, slip), text(dues.told(session))
    outgoing.back_up(session)
    told = speak("{slip} slip written: {out}", slip=slip["slip"], out=str(out))
    return {"slip": slip["slip"], "file": str(out), "due": session.table.due.player}, f"{told}\n{due}"
