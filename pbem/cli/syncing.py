"""One player at two machines in turn: the log goes along, and the pen is left to the other machine, which then takes it.

`join` on each machine, once; `leave` before going; plain `sync` on arriving. The folder travels by itself (a stick, a
synchronised folder), or another folder of the game is named: the longer log wins if it extends the shorter, never a merge.
"""

from __future__ import annotations

import json
import platform
import shlex
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from pbem.cli import receiving
from pbem.cli.speech import labelled, speak
from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.runtime.taking import Refused
from pbem.store import dues, early, heals, pen, record, talk, unsending
from pbem.store.paths import home
from pbem.store.session import Session

MACHINES = "private/machines.json"


def check_one(*asked: bool) -> None:
    """Who asks for two things at once would get one of them, and not know which. Raises ProtocolError."""
    if sum(asked) > 1:
        raise unreadable(msg("one thing at a time: --join, --leave, or another folder"))


def sync(path: Path, other: Path | None = None) -> tuple[Plain, str]:
    """Take what the other folder has more of, or give it; then take the pen if it was left to this machine."""
    if other is not None and other.resolve() == path.resolve():
        raise unreadable(msg("{path} is this folder itself: name the other one", path=path.name))
    with ExitStack() as stack:
        session = stack.enter_context(Session.at_work(path))
        lines = _exchange(session, stack.enter_context(Session.at_work(other))) if other is not None else []
        places = [_left(session), *([_left(Session.open(other))] if other is not None else [])]
        lines += _take_pen(session, [p for p in places if p])
        why = session.why_unsure()
        lines.append(
            speak("It signs nothing here: {why}.", why=why)
            if why
            else speak("You may sign here. {told}", told=dues.told(session))
        )
    return {"sure": not why, "files": session.table.last}, "\n".join(lines)


def _exchange(here: Session, there: Session) -> list[str]:
    """Both logs become the longer one. Raises ProtocolError (diverged) where neither extends the other."""
    if here.charter.game_id != there.charter.game_id:
        raise ProtocolError(Outcome.FOREIGN_GAME, msg("{path} is a folder of another game", path=str(there.folder.path)))
    if here.me.player != there.me.player:
        raise unreadable(
            msg(
                "{path} is {player}'s folder: players exchange files by `receive`",
                path=str(there.folder.path),
                player=there.me.player,
            )
        )
    lines = _bring_heals(here, there)
    mine, theirs = ([document_id(d) for d in s.folder.log.files()] for s in (here, there))
    common = min(len(mine), len(theirs))
    if mine[:common] != theirs[:common]:
        at = next(i for i in range(common) if mine[i] != theirs[i])
        reason = msg("the two folders hold different files {at}: nothing was merged; `pbem status` in both says more", at=at)
        raise ProtocolError(Outcome.DIVERGED, reason)
    shorter, longer = (here, there) if len(mine) < len(theirs) else (there, here)
    for document in [d for d in longer.folder.log.files()[common:] if d["type"] != heal.VOID]:
        try:
            if document["type"] == heal.TYPE:
                heals.take(shorter, document)
            else:
                shorter.take(document)
        except (ProtocolError, Refused) as error:
            raise ProtocolError(
                Outcome.DIVERGED,
                msg(
                    "file {seq} is not taken in {path}: {error}",
                    seq=document["seq"],
                    path=str(shorter.folder.path),
                    error=error.told,
                ),
            ) from error
    lines += _bring_what_is_beside(here, there)
    moved = max(len(mine), len(theirs)) - common
    went = speak("Files brought to {path}: {moved}.", moved=moved, path=str(shorter.folder.path))
    return [went if moved else speak("Both folders hold the same files."), *lines]


def _bring_heals(here: Session, there: Session) -> list[str]:
    """The heals of both logs, and signatures under those that wait for more, as if each came by mail: logs that a heal brings
    together are compared behind it."""
    from pbem.cli import healing

    waiting = [(one, heals.known(two)) for one, two in ((here, there), (there, here))]
    for one, two in ((here, there), (there, here)):
        heals.bring(one, two)
    came = [receiving.receive_one(one, document) for one, documents in waiting for document in documents]
    lines = [labelled(outcome.told, told) for outcome, told in came if outcome is Outcome.DONE]
    return [*dict.fromkeys([*lines, *healing.waiting(here)])]


def _bring_what_is_beside(here: Session, there: Session) -> list[str]:
    """Slips, contents of seals, notes, and what each folder keeps for later; each line that is to be told once."""
    lines: list[str] = []
    for one, two in ((here, there), (there, here)):
        for slip in two.folder.log.slips():
            one.add_slip(slip)
        _merge_secrets(one, two)
        lines += _bring_notes(one, two)
        unsending.note_handed_out(one, "sync")
    beside = [(one, _beside(two)) for one, two in ((here, there), (there, here))]
    for one, documents in beside:
        lines += receiving.take_along(one, documents)
    return [*dict.fromkeys(lines)]


def _beside(session: Session) -> list[dict[str, Any]]:
    """What lies beside the log for more of it, and others' files that it does not hold; what was taken out of it stays here."""
    gone = {d["id"] for d in session.withdrawn()}
    files = [d for d in session.folder.aside() if not pen.is_mine(session, d) and document_id(d) not in gone]
    return [*files, *(document for _, document in early.lying(session.folder))]


def _bring_notes(one: Session, two: Session) -> list[str]:
    """What was said goes along, where it can; the pen does not wait for it."""
    try:
        for note in talk.documents(two.folder):
            talk.take(one, note)
    except ProtocolError as error:
        return [speak("The notes of the two folders stay apart: {why}.", why=error.told)]
    return []


def _merge_secrets(one: Session, two: Session) -> None:
    """Contents of seals that only the other folder knows."""
    more = {h: c for h, c in two.me.sealed.items() if h not in one.me.sealed}
    if more:
        one.me.sealed.update(more)
        one.folder.save_secrets(one.me)


def _left(session: Session) -> dict[str, Any] | None:
    """To whom the pen was left in this folder, by which row of his record (of each time there is one), and behind what."""
    place = pen.read_place(session.folder) or {}
    left, then = place.get("left"), session.folder.log.entries[: place.get("entries")]
    if not isinstance(left, dict):
        return None
    return {**left, "row": place["last"], "behind": {document_id(entry["document"]) for entry in then}}


def _take_pen(session: Session, left: Sequence[dict[str, Any]]) -> list[str]:
    """The pen, if one of these was left to this machine, and the log goes as far as it went there."""
    mine = record.identity(home(), session.folder.disk)["record"]
    told: list[str] = []
    for place in left:
        if place.get("to") != mine:
            continue
        if place.get("head") not in {e.id for e in session.table.ledger.entries}:
            return [
                speak(
                    "The pen was left here at a file that this folder lacks: synchronise the folder first ({seq}).",
                    seq=str(place.get("seq")),
                )
            ]
        with pen.held(session) as rows:
            if _was_left_since(rows, place["row"]):
                told = [speak("The pen was taken from this copy once, and left again since: leave it here anew.")]
                continue
            since = [e for e in session.folder.log.entries if document_id(e["document"]) not in place["behind"]]
            if why := pen.signed_elsewhere(session.folder, rows, since):
                told = [speak("The pen is not taken: {why}.", why=why)]
                continue
            pen.enter(session, rows, session.me.player)  # older folders of this machine sign nothing beside them
            row = {"from": place["from"], "to": mine, "head": place["head"], "row": place["row"]}
            rows.append("took-over", row, session.now())
        pen.vouch(session.folder, session.charter.game_id)
        return [speak("The pen was left to this machine: it signs here now.")]
    return told


def _was_left_since(rows: record.Record, row: str) -> bool:
    """The pen came here when it was left by this row, and has gone on: an old copy of the folder does not bring it back."""
    pens = [one for one in rows.rows if one["kind"] in record.PENS]
    return bool(pens) and pens[-1]["kind"] == "left" and row in [one.get("row") for one in pens]


def join(path: Path, name: str = "") -> tuple[Plain, str]:
    """Make this machine known to the folder, so that another one can leave the pen to it."""
    with Session.at_work(path) as session:
        machines = _machines(session)
        mine = record.identity(home(), session.folder.disk)["record"]
        before = next((n for n, r in machines.items() if r == mine), "")
        called = name or before or platform.node() or speak("machine {number}", number=len(machines) + 1)
        if machines.get(called, mine) != mine:
            raise unreadable(
                msg("another machine is called {called!r} here: --name gives this one another name", called=called)
            )
        machines = {**{n: r for n, r in machines.items() if r != mine}, called: mine}
        session.folder.disk.replace(session.folder.path / MACHINES, json.dumps(machines).encode(), 0o600)
    known = ", ".join(sorted(machines))
    return {"machine": called, "machines": [*sorted(machines)]}, speak(
        "This machine is {called!r} here; known: {known}", called=called, known=known
    )


def leave(path: Path, to: str = "") -> tuple[Plain, str]:
    """Leave the pen to another machine that has joined; this one signs nothing more until it is left back."""
    with Session.at_work(path) as session:
        mine = record.identity(home(), session.folder.disk)["record"]
        others = {n: r for n, r in _machines(session).items() if r != mine}
        if not others:
            raise unreadable(msg("no other machine is known here: give `pbem sync --join` there first"))
        if to not in others and (to or len(others) != 1):
            raise unreadable(
                msg("which machine? {others}", others=", ".join(f"--name {shlex.quote(n)}" for n in sorted(others)))
            )
        name = to or next(iter(others))
        left = _leave(session, {"from": mine, "to": others[name], "head": session.head, "seq": session.table.last}, others)
    told = speak("The pen is left to {name!r} at file {seq}: `pbem sync` there takes it.", name=name, seq=str(left["seq"]))
    return {"left": name, "file": left["seq"]}, told


def _leave(session: Session, left: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The record first, then the folder; given again it does the rest, and says where the pen was left."""
    with pen.held(session) as rows:
        at = next((n for n in range(len(rows.rows), 0, -1) if rows.rows[n - 1]["kind"] in record.PENS), 0)
        known = rows.rows[at - 1] if at else {}
        if known.get("kind") == "left":
            left = _left_before(known, left, names)
        else:
            why = session.why_unsure()
            if why:
                raise pen.not_sure(why)
            pen.check_all_is_here(session, rows)
            rows.append("left", left, session.now())
            at = len(rows.rows)
        mark = at, rows.hash_of(at)
    place = pen.read_place(session.folder) or {}
    if (place.get("left"), place.get("last")) != (left, mark[1]):
        pen.vouch(session.folder, session.charter.game_id, left=left, mark=mark)
    return left


def _left_before(known: record.Row, left: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """What was left before, by the one row: whoever has taken that once knows it. Raises ProtocolError (waiting)."""
    if known["to"] != left["to"]:
        name = next((n for n, r in names.items() if r == known["to"]), known["to"][:8])
        reason = msg("the pen was left to {name!r} at file {seq} already: it goes on from there", name=name, seq=known["seq"])
        raise ProtocolError(Outcome.WAITING, reason)
    return {key: known[key] for key in left}


def _machines(session: Session) -> dict[str, str]:
    with suppress(OSError, ValueError):
        plain = json.loads(session.folder.disk.read(session.folder.path / MACHINES))
        if isinstance(plain, dict):
            return {str(n): str(r) for n, r in plain.items()}
    return {}
