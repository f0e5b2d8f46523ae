"""A folder that may lack what its player has signed: asking the others, answering them, and signing again.

L1: every other player says which newest file he holds and sends what is missing. L2: the player's own word, which
everybody is shown for good.
"""

from __future__ import annotations

import secrets as random_bytes
from pathlib import Path
from typing import Any

from pbem.cli import speech
from pbem.cli.play import put_slip
from pbem.cli.speech import speak
from pbem.kernel.canon import Plain
from pbem.kernel.wording import Message, msg
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime import slips
from pbem.store import dues, enclosing, pen, record
from pbem.store.paths import home
from pbem.store.session import Session

Slip = dict[str, Any]


def ask(path: Path, word: str = "") -> tuple[Plain, str]:
    """Ask everybody what he holds of this player, or sign on one's own word. Raises ProtocolError."""
    with Session.at_work(path) as session:
        why = session.why_unsure()
        if not why:
            told = speak("Nothing to ask: this machine's record vouches for the folder. {told}", told=dues.told(session))
            return {"sure": True, "asked": None, "missing": []}, told
        if word:
            return _on_my_word(session, why, word)
        slip = _open_question(session)
        if slip is None or _is_overtaken(session, slip):
            _know_this_machine(session)
            slip = session.sign_slip("restored", {"asks": random_bytes.token_hex(32)})
            put_slip(session, slip)
        settled = settle(session)
        sure = not session.why_unsure()
        missing, file = _missing(session, slip), session.folder.outgoing(slip)
    names = ", ".join(missing)
    question = speak(
        "The question is in {file}: send it to {names}. Their programs answer by themselves; `receive` the answers.",
        file=str(file),
        names=names,
    )
    text = f"{speech.text(why)}.\n{question}"
    plain: Plain = {"sure": sure, "asked": str(file), "missing": [*missing]}
    return plain, "\n".join(settled) if sure else text


def _on_my_word(session: Session, why: Message, word: str) -> tuple[Plain, str]:
    slip = session.sign_slip("restored", {"asks": random_bytes.token_hex(32), "word": word[:300]})
    put_slip(session, slip)
    _sure_again(session)
    again = speak(
        "On your own word you sign again: everybody is shown it for good, with the reason. {told}", told=dues.told(session)
    )
    text = f"{speech.text(why)}.\n{again}"
    return {"sure": True, "asked": None, "missing": [], "word": word}, text


def unheard(session: Session, player: str) -> list[str]:
    """Why nobody shows a link in the name of a player who has lost files and asks: whoever has not answered may hold one that
    it has turned, and what is named may be one. His word is enough, and nothing lacks where he has not asked.

    Nor where his question counts no more: a seat's next holder knows no link of his, and who has another key by agreement
    gave the last orders before it, so that no link of his is due until he asks anew.
    """
    asked = enclosing.open_questions(session, player)
    if not asked or "word" in asked[-1] or not slips.counts(session.table, asked[-1]):
        return []
    return _waits(session, asked[-1])


def _open_question(session: Session) -> Slip | None:
    """This player's newest one, if its answers may make this folder sure: the record of this machine has signed it, and the pen
    has neither come nor gone since. With one that has made a folder sure before, or another machine's, two would sign."""
    asked = enclosing.open_questions(session, session.me.player)
    if not asked or "word" in asked[-1] or not record.is_of_this_machine(home(), session.folder.disk):
        return None
    mine = record.identity(home(), session.folder.disk)["record"]
    with pen.held(session) as rows:
        own = [row["id"] for row in rows.since_the_pen_moved() if row.get("asked_in") == mine]
    return asked[-1] if document_id(asked[-1]) in own else None


def _is_overtaken(session: Session, question: Slip) -> bool:
    """It waits for a file that comes into this log no more, or the key that signed it is given up: it is asked anew."""
    try:
        slips.check(session.table, question)
    except ProtocolError:
        return True
    named = [question["head"], *(slip["head"] for slip in _given(session, question).values())]
    return session.table.result is None and any(_is_left(session, head) for head in named)


def _is_left(session: Session, head: str) -> bool:
    """A file that lies here and comes into the log no more: given up, of a version that the log has left, behind the end, or
    refused since it leaves out a question."""
    places = {e.id: seq for seq, e in enumerate(session.table.ledger.entries)}
    if head in places:
        return False
    aside = {document_id(d): d for d in session.folder.aside()}
    first, behind = head, None
    while first in aside and first not in places:
        behind = aside[first]
        first = str(behind["prev"])
    is_passed = first in places and (places[first] < session.table.last or session.table.result is not None)
    left = behind is not None and (is_passed or session.promised(behind) is not None)
    return (
        left
        or head in session.table.ledger.gone
        or head in {name for d in session.withdrawn() for name in (d["id"], *d.get("unsent", ()))}
    )


def _missing(session: Session, question: Slip) -> list[str]:
    given = _given(session, question)
    return [p for p in slips.others(session.table, question["player"]) if p not in given]


def _know_this_machine(session: Session) -> None:
    """A copied record is one of its own from now on."""
    if not record.is_of_this_machine(home(), session.folder.disk):
        record.renew_identity(home(), session.folder.disk)


def _sure_again(session: Session) -> None:
    _know_this_machine(session)
    pen.call_back(session)
    pen.vouch(session.folder, session.charter.game_id)


# -- after receiving --------------------------------------------------------------------------------------------------------


def settle(session: Session) -> list[str]:
    """Sure again, when every other player has answered and the folder holds all the files that they name.

    An own file behind those is given up, also in a folder that is sure: after their answers nobody takes it.
    """
    mine = enclosing.open_questions(session, session.me.player) if session.folder.secrets() is not None else []
    asked = [s for s in mine if "word" not in s]
    if not asked:
        return []
    why = session.why_unsure()
    question = _open_question(session) if why else None
    anew = speak("{why}; `pbem restored` asks anew", why=enclosing.why_not_carried(session) or why) if why else ""
    waits = _waits(session, question) if question is not None else []
    if question is not None and not slips.counts(session.table, question):
        waits = [anew]
    if waits:
        return [speak("This folder signs nothing yet: {waits}.", waits="; ".join(waits))]
    counting = [s for s in asked if slips.counts(session.table, s)]
    lost = [line for question in counting if not _waits(session, question) for line in _give_up(session, question)]
    if question is None:
        return [*lost, speak("This folder signs nothing yet: {waits}.", waits=anew)] if why else lost
    _sure_again(session)
    lines = [
        *lost,
        speak(
            "Everybody has said what he holds: the log is whole up to file {last}, you may sign again.", last=session.table.last
        ),
    ]
    newest = session.folder.log.files()[-1]
    if newest.get("player") not in (None, session.me.player):
        lines.append(
            speak(
                "If you remember an answer to file {seq}, look for it in your sent mail before you write another.",
                seq=newest["seq"],
            )
        )
    return lines


def has_heard_all(session: Session) -> bool:
    """Everybody has answered, and whatever he holds lies here: in the log, or in the versions beside it.

    A folder that has it all is not sure while the game is parted, but it may sign the heal that ends that.
    """
    question = _open_question(session)
    if question is None or _missing(session, question) or not slips.counts(session.table, question):
        return False
    held = {e.id for e in session.table.ledger.entries}
    named = [question["head"], *(slip["head"] for slip in _given(session, question).values())]
    return all(head in held or _is_left(session, head) for head in named)


def _given(session: Session, question: Slip) -> dict[str, Slip]:
    given = slips.answers(session.table, question, session.folder.log.slips())
    return {player: dict(slip) for player, slip in given.items()}


def _waits(session: Session, question: Slip) -> list[str]:
    """Who has not answered, or holds a newest file that is not here; another machine of this player may have asked.

    When the game is over nobody waits for a file that came too late: nothing is signed behind it.
    """
    held, given = {e.id for e in session.table.ledger.entries}, _given(session, question)
    lacking = sorted(p for p, s in given.items() if s["head"] not in held and not _is_late(session, s["head"]))
    left = [p for p in lacking if _is_left(session, given[p]["head"])]
    waits = [speak("{player} has not answered yet", player=p) for p in _missing(session, question)]
    elsewhere = msg("{player} holds a newest file that is not here: ask him for his files")
    waits += [speak(elsewhere.id, player=p) for p in lacking if p not in left]
    anew = msg("{player} has named a file of another version than this log's: once that is given up, `pbem restored` asks anew")
    waits += [speak(anew.id, player=p) for p in left]
    if question["head"] in held or _is_late(session, question["head"]):
        return waits
    if _is_left(session, question["head"]):
        return [*waits, speak(anew.id, player=question["player"])]
    if question["player"] != session.me.player:
        return [*waits, speak(elsewhere.id, player=question["player"])]
    return [*waits, speak("your other machine holds a newest file that is not here")]


def _is_late(session: Session, head: str) -> bool:
    return session.table.result is not None and _is_left(session, head)


def _give_up(session: Session, question: Slip) -> list[str]:
    """The first own file behind the newest one that a question and its answers name leaves the log: nobody takes it."""
    places = {e.id: seq for seq, e in enumerate(session.table.ledger.entries)}
    named = [question["head"], *(slip["head"] for slip in _given(session, question).values())]
    files = session.folder.log.files()
    behind = range(1 + max(places.get(head, len(files)) for head in named), len(files))
    first = next((seq for seq in behind if pen.is_mine(session, files[seq])), 0)
    if not first or any(heal.is_place(d) for d in files[first:]):
        return []
    with pen.held(session) as rows:
        for document in [d for d in files[first:] if pen.is_mine(session, d)]:
            rows.append("yielded", {"id": document_id(document), "seq": document["seq"], "to": ""}, session.now())
    for document in files[first:]:
        session.folder.set_aside(document)
    session.withdraw_from(first)
    return [speak("Your file {first} is in nobody's hands and is given up: its place is free again.", first=first)]


def answer(session: Session) -> list[str]:
    """Answer every question of another player that has no answer from here which counts, and put out what he lacks."""
    secrets = session.folder.secrets()
    if secrets is None or not session.is_seated:
        return []
    known, lines = session.folder.log.slips(), []
    for asked in [s for s in known if s["slip"] == "restored" and s["player"] != secrets.player and "word" not in s]:
        if not _is_answered(session, asked, secrets.player, known):
            slip = session.sign_slip("head", {"answers": document_id(asked)})
            plain, _ = put_slip(session, slip)
            assert isinstance(plain, dict)
            to, count = put_out_files(session, asked["head"], str(plain["file"]), asked)
            lines.append(
                speak(
                    "{player} has restored a backup and asks what you hold: send him {to} (files in it: {count})",
                    player=asked["player"],
                    to=str(to),
                    count=count,
                )
            )
    return lines


def _is_answered(session: Session, question: Slip, player: str, known: list[Slip]) -> bool:
    """By this player, with the key that is his now; a question that a file has carried needs no answer with a newer one."""
    mine = [s for s in known if s["slip"] == "head" and s["player"] == player and s.get("answers") == document_id(question)]
    carried = any(question in (d.get("slips") or []) for d in session.folder.log.files()) if mine else False
    return carried or player in slips.answers(session.table, question, mine)


def put_out_files(session: Session, head: str, slip: str, *asked: Slip) -> tuple[Path, int]:
    """All files behind a head, those kept aside too, with a slip, in one text to send; and how many files.

    Behind an unknown head: all files of the log. `asked`: the question that the slip answers, for machines of the asker that
    have not seen it: his next file has to carry both.
    """
    from pbem.protocol.strict_yaml import read_document
    from pbem.transport.armor import write_block

    ids = [e.id for e in session.table.ledger.entries]
    first = ids.index(head) + 1 if head in ids else 1
    files = [d for d in session.folder.log.files()[first:] if d["type"] != "void"] + session.folder.aside()
    answered = read_document(session.folder.disk.read(Path(slip)))[0]
    text = "\n".join(write_block(d) for d in [*files, *asked, answered])
    to = Path(slip).with_suffix(".txt")
    session.folder.disk.replace(to, text.encode())
    return to, len(files)
