"""`pbem unsend`: what was signed and has not left this machine is taken back."""

from __future__ import annotations

from pathlib import Path

from pbem.cli import mailing
from pbem.cli.speech import make_sure, speak, text
from pbem.kernel.canon import Plain, canonical, sha256_hex
from pbem.kernel.wording import Message, msg
from pbem.store import dues, unsending
from pbem.store.session import Session


def unsend(path: Path, *, sure: bool = False) -> tuple[Plain, str]:
    """Take the newest own file back that holds a decision. Raises ProtocolError where it has left, or nobody is `sure`."""
    before = _files(Session.open(path))  # before anything that is gone from the outbox is put there again
    if not sure:
        risk = _risk(int(before[0]["seq"]))
        refusal = msg("nothing is taken back: {risk}. `pbem unsend --yes` says so", risk=risk)
        make_sure([text(risk)], refusal, speak("It has not left this machine in any way? [y/N]"))
    with Session.at_work(path) as session:
        files = _files(session)
        unsending.take_back(session, files)
        numbers: list[Plain] = [document["seq"] for document in files]
        told = speak("File {seq} is taken back: nothing of it counts.", seq=", ".join(map(str, numbers)))
        due = session.table.due.player
        return {"taken_back": numbers, "due": due}, f"{told}\n{text(dues.told(session))}"


def _files(session: Session) -> list[unsending.Document]:
    files = unsending.newest(session)
    unsending.check(session, files)
    sent = mailing.State.read(session.folder).sent
    for document in files:
        mark = f".{sha256_hex(canonical(document))[:16]}"
        if any(mark in key and taken for key, taken in sent.items()):
            raise unsending.stays(int(document["seq"]), msg("a mail server has taken it"))
    return files


def _risk(seq: int) -> Message:
    """Of what has left by hand."""
    return msg(
        "whoever has seen file {seq} and gets another file {seq} of yours holds a proof of cheating against you: take it back "
        "only if it was not mailed, copied, posted or shown to anybody",
        seq=seq,
    )
