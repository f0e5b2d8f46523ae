"""`pbem hold`: what one's own program answers, by what only its player knows; kept with his secrets and never sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.cli import unanswered, waiting
from pbem.cli.speech import speak, text
from pbem.games.parts import USUAL
from pbem.kernel.canon import Plain
from pbem.kernel.orders import nearest, unreadable
from pbem.kernel.wording import linked, msg
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime import holds
from pbem.store import dues, sets
from pbem.store.folder import GameFolder
from pbem.store.session import Session

OFF = "off"


def show(path: Path) -> tuple[Plain, str]:
    """What is held in this folder. Raises ProtocolError."""
    folder = GameFolder(path)
    folder.check()
    session = Session.open(path)
    held = session.me.local_standing
    if not held:
        return {"holds": {}}, speak("Your program answers no decision by itself: `pbem hold FILE` tells it what.")
    return {"holds": held}, "\n".join(
        [strict_yaml.write_document(held).rstrip("\n"), *_about(session), *unanswered.asked(session)]
    )


def put(path: Path, source: str) -> tuple[Plain, str]:
    """Another file's holds in place of those there were; `off`: none, `usual`: the game's. What they answer now goes out.

    Raises ProtocolError, Rejected: nothing is changed then.
    """
    with Session.at_work(path) as session:
        held = {} if source == OFF else _usual(session) if source == USUAL else _read(session, Path(source))
        session.me.local_standing = held
        session.folder.save_secrets(session.me)
        written = session.answer_by_itself() if held else []
        lines = [*waiting.by_itself(session, written), text(dues.told(session))] if written else []
        told = speak("Your program answers these by itself: {kinds}.", kinds=", ".join(held))
        lines = [told if held else speak("Your program answers no decision by itself."), *_about(session), *lines]
        lines += unanswered.asked(session)
    return {"holds": held, "written": [d["seq"] for d in written]}, "\n".join(lines)


def _about(session: Session) -> list[str]:
    """What others may see of it."""
    lines = []
    if session.me.local_standing and session.charter.pace is None:
        lines.append(
            speak(
                "Mind: nobody reads these lines, but who sees how fast your files come may guess them. "
                "Slots agreed in the charter hide that (`pbem new --slots`)."
            )
        )
    if session.me.local_standing and not session.folder.private.opens_unasked():
        lines.append(speak("Mind: as long as this folder asks for its passphrase they answer nothing."))
    return lines


def _usual(session: Session) -> dict[str, Any]:
    held = session.game.own_usual
    if not held:
        raise unreadable(msg("{title} has no usual holds", title=session.game.title))
    return {**held}


def _read(session: Session, source: Path) -> dict[str, Any]:
    try:
        document, _ = strict_yaml.read_document(source.read_bytes())
    except ProtocolError as wrong:
        raise ProtocolError(wrong.outcome, linked(": ", source.name, wrong.message), wrong.line, wrong.column) from None
    held = sets.spelled(session, document)
    known = sorted(session.game.words().ASKED)
    for kind, clauses in held.items():
        if known and kind not in known:
            raise unreadable(msg("nothing in this game asks for {kind!r}", kind=kind), nearest(kind, known))
        holds.check(kind, clauses)
    return held
