"""A file that holds no decision may wait for the orders of its player: what it shows, and that it is not sent yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem.cli.speech import speak, text
from pbem.kernel.canon import Plain
from pbem.runtime.composing import Composed
from pbem.runtime.dues import AUTOMATIC
from pbem.store import dues, pace, waits
from pbem.store.folder import GameFolder
from pbem.store.session import Session

ON, OFF = "on", "off"


def told(session: Session, composed: Composed | None) -> list[str]:
    """The dice that such a file (`Session.asked_behind`) will show, and how it is sent; nothing where none waits."""
    if composed is None:
        return []
    behind = composed.table.ledger.rolled[len(session.table.ledger.rolled) :]
    dice = [speak("{label}: {dice}", label=rolled.label, dice=", ".join(map(str, rolled.dice))) for rolled in behind]
    return [*dice, ways()]


def ways() -> str:
    """What its player can do with it."""
    return speak("this file waits for your orders: `pbem orders` drafts them; `pbem wait off` sends it alone")


def reminding(session: Session) -> list[str]:
    """What a reminder says of a file that holds no decision: to oneself whether it waits, to another player how it comes."""
    secrets, due = session.folder.secrets(), session.table.due
    if secrets is not None and due.player == secrets.player:
        return [ways()] if session.place_kept_back() else []
    if session.table.result is not None or due.what not in AUTOMATIC:
        return []
    return [
        speak(
            "Your program writes it by itself with the next `pbem receive` or `pbem mail run`; if it waits for your orders, "
            "`pbem orders` drafts them and `pbem wait off` sends it alone."
        )
    ]


def unsure(session: Session) -> list[str]:
    """Why this folder signs nothing, and the way out; nothing where it signs, or only watches."""
    why = session.why_unsure() if session.folder.secrets() is not None else None
    if not why:
        return []
    from pbem.cli.play import of_game

    option = of_game(session.folder.path)
    return [speak("This folder signs nothing: {why}. `pbem restored{option}` asks the others", why=why, option=option)]


def for_slot(session: Session) -> list[str]:
    """Which file waits for an agreed slot, and until when."""
    held = pace.held(session)
    return [text(pace.told(held))] if held else []


def by_itself(session: Session, written: Sequence[dict[str, Any]]) -> list[str]:
    """Which files the program has written without being asked."""
    folder = str(session.folder.path / "outbox")
    lines = [speak("written by itself: file {seq}, in {path}", seq=d["seq"], path=folder) for d in written]
    return [*lines, *(for_slot(session) if written else [])]


def setting(path: Path, word: str) -> tuple[Plain, str]:
    """Whether dice wait for their player's orders in this folder; `on` and `off` change it, and off sends what waits."""
    folder = GameFolder(path)
    folder.check()
    if word:
        with folder.lock():
            waits.put(folder, word == ON)
    if waits.waits(folder):
        return {"waits": True, "written": []}, speak(
            "Dice before a question to you wait for your orders, both in one file; the time for it runs on."
        )
    lines = [speak("Dice before a question to you go out at once, in a file of their own.")]
    written: list[dict[str, Any]] = []
    if word and folder.is_running:
        with Session.at_work(path) as session:
            written = session.answer_by_itself()
            lines += [*by_itself(session, written), text(dues.told(session))]
    return {"waits": False, "written": [d["seq"] for d in written]}, "\n".join(lines)
