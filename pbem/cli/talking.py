"""Talk beside the game: notes said, read and received; pins on the map for oneself."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem.cli.speech import labelled, speak, speak_counted
from pbem.kernel.canon import Plain
from pbem.kernel.orders import nearest
from pbem.kernel.wording import linked, msg
from pbem.protocol.notes import MOST_LETTERS
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.report.escaping import clean
from pbem.store import outgoing, talk
from pbem.store.session import Session

ALL = "all"


def say(path: Path, to: str, words: str) -> tuple[Plain, str]:
    """A signed note to a player, sealed, or to `all`; "-" for the words takes them from standard input."""
    text = _text(sys.stdin.read() if words == "-" else words)
    with Session.at_work(path) as session:
        players = [p for p in session.table.ledger.keys if p != session.me.player]
        if to not in players and to != ALL:
            named = linked(": ", to, msg("nobody of this name plays against you"))
            raise ProtocolError(Outcome.REFUSED, linked("; ", named, nearest(to, [*players, ALL])))
        note = talk.write(session, to if to in players else "", text)
        out = outgoing.put_out_note(session, note)
    if "to" in note:
        told = speak("For {player} alone: {out} (and .eml)", player=to, out=str(out))
    else:
        told = speak("For everybody: {out} (and .eml)", out=str(out))
    return {"file": str(out), "to": note.get("to"), "n": note["n"]}, told


def _text(words: str) -> str:
    """What may be said: some letters, not too many. Raises ProtocolError."""
    import unicodedata

    text = unicodedata.normalize("NFC", "\n".join(map(clean, words.strip().splitlines())))
    if not text:
        raise unreadable(msg("there is nothing to say"))
    if len(text) > MOST_LETTERS:
        raise ProtocolError(
            Outcome.TOO_LARGE, msg("{n} letters are too many: a note has {most} at most", n=len(text), most=MOST_LETTERS)
        )
    return text


def received(session: Session, note: dict[str, Any]) -> tuple[Outcome, str]:
    """A note that came in: kept once, and what it says. Raises ProtocolError."""
    is_new = talk.take(session, note)
    who = note["player"]
    if not is_new:
        return Outcome.ALREADY_KNOWN, speak("a note of {player}", player=who)
    if "to" not in note:
        return Outcome.DONE, speak("{player} says: {text}", player=who, text=clean(note["text"]))
    return Outcome.DONE, speak("{player} has a word for you alone: `pbem notes` shows it", player=who)


def notes(path: Path, last: int = 0) -> tuple[Plain, str]:
    """What the players have said to each other, in the order in which it came; the `last` of them, 0: all."""
    session = Session.open(path)
    found = talk.said(session, private=session.folder.secrets() is not None)
    return plainly(found[-last:]), "\n".join(map(line, found[-last:])) or speak("nobody has said anything yet")


def plainly(found: Sequence[talk.Said]) -> Plain:
    """Notes for programs; the text of one that this folder cannot open is null."""
    rows: list[Plain] = [
        {"from": s.who, "to": s.to or None, "file": s.seq, "received": s.received, "text": s.text} for s in found
    ]
    return rows


def line(said: talk.Said) -> str:
    """A note in a line."""
    text = clean(said.text) if said.text is not None else speak("(sealed: this folder cannot open it)")
    who = speak("{player} to {reader} alone", player=said.who, reader=said.to) if said.to else said.who
    return speak("file {seq}, {who}: {text}", seq=said.seq, who=who, text=text)


# -- pins -----------------------------------------------------------------------------------------------------------------


def pin(path: Path, place: str, text: str, off: bool) -> tuple[Plain, str]:
    """Pin a text to a place of the map, take it down, or list what hangs there. Raises ProtocolError."""
    if not place:
        session = Session.open(path)
        _ = session.me
        return _listed(session)
    if off == bool(text):
        raise unreadable(msg("a pin needs a text; `--off` takes it down"))
    with Session.at_work(path) as session:
        _ = session.me
        at, name = _place(session, place)
        talk.pin(session.folder, at, "" if off else clean(text))
    told = speak("Nothing hangs at {place} any more.", place=name) if off else speak("Pinned to {place}.", place=name)
    return {"place": at, "text": None if off else clean(text)}, told


def _listed(session: Session) -> tuple[Plain, str]:
    known = places_of(session)
    held = talk.pins(session.folder)
    rows: list[Plain] = [{"place": at, "name": known.get(at, at), "text": text} for at, text in held.items()]
    lines = [labelled(known.get(at, at), clean(text)) for at, text in held.items()]
    return rows, "\n".join(lines) or speak("nothing is pinned to the map")


def places_of(session: Session) -> dict[str, str]:
    """The places of the map: name by id, a hex as number and name."""
    from pbem.kernel.hex_picture import HexPicture
    from pbem.report.view import picture_of

    shown = picture_of(session.game, session.table.engine.state, [], "none")
    if isinstance(shown, HexPicture):
        return {str(cell.id): f"{cell.number} {cell.name}".strip() for cell in shown.map.cells}
    return {space.id: space.name for space in shown.spaces}


def _place(session: Session, wanted: str) -> tuple[str, str]:
    """Id and name of a place that is named as on the map: a number, a name, any case. Raises ProtocolError."""
    known, word = places_of(session), wanted.strip().casefold()
    for at, name in known.items():
        number, _, rest = name.partition(" ")
        if word in (at.casefold(), name.casefold(), number.casefold() if number.isdigit() else "", rest.casefold()):
            return at, name
    raise unreadable(
        linked("; ", msg("there is no place {place!r} on the map", place=wanted), nearest(wanted, [*known.values()]))
    )


def named_pins(session: Session) -> list[tuple[str, str]]:
    """The pins with the names of their places; none where they need a passphrase, or the game has no map."""
    held = talk.visible_pins(session.folder)
    known = places_of(session) if held else {}
    return [(known.get(at, at), text) for at, text in held]


def counted_line(session: Session) -> list[str]:
    """A line about notes of others since the newest own file with orders, for `pbem status`."""
    secrets = session.folder.secrets()
    me, entries = secrets.player if secrets else "", session.table.ledger.entries
    mine = max((seq for seq, e in enumerate(entries) if e.player == me and e.decides), default=0)
    n = sum(said.who != me and said.seq >= mine for said in talk.heard(session))
    return [speak_counted("{n} note since your last orders: pbem notes", "{n} notes since your last orders: pbem notes", n)] * (
        n > 0
    )
