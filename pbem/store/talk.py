"""Talk beside the game: notes of the players to each other, kept in a list of their own, and pins for oneself.

The list (`notes.jsonl`) is no part of the game's log: where it is damaged the game goes on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol import notes
from pbem.protocol.ids import document_id
from pbem.protocol.keys import public_text
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store.folder import GameFolder
from pbem.store.log import Log
from pbem.store.private import KEYS, PINS

if TYPE_CHECKING:
    from pbem.store.session import Session

FILE = "notes.jsonl"
MOST_PINS, MOST_LETTERS = 200, 500
Document = dict[str, Any]


class Said(Struct, frozen=True):
    """A note as its reader has it. `seq`: the newest file that its author had; `to`: "" for everybody; `text`: None where
    it is sealed and this folder cannot or may not open it.
    """

    who: str
    to: str
    seq: int
    text: str | None
    received: str


def _log(folder: GameFolder) -> Log:
    path = folder.path / FILE
    try:
        return Log.open(folder.disk, path, ("note",))
    except ProtocolError as error:
        reason = msg("{path} cannot be read ({why}): move it away; the game is not concerned", path=str(path), why=error.told)
        raise ProtocolError(error.outcome, reason) from None


def documents(folder: GameFolder) -> list[Document]:
    """The notes as they were signed, in the order in which they came. Raises ProtocolError (log damaged)."""
    return [entry["document"] for entry in _log(folder).entries]


def said(session: Session, private: bool) -> list[Said]:
    """The notes in the order in which they came. `private`: with those between this player and another, opened.

    Raises ProtocolError (log damaged); with `private` where a passphrase is wrong.
    """
    heard = [(one, note) for one, note in _said(session) if private or not one.to]
    return [replace(one, text=opened(session, note)) if one.to else one for one, note in heard]


def public(session: Session) -> list[Said]:
    """What everybody may read, for reports and pages; nothing where the list is damaged, which `pbem notes` tells."""
    with suppress(ProtocolError):
        return said(session, private=False)
    return []


def own_public(session: Session, since: int) -> list[Document]:
    """What this player has said to all since he had a file of the game, as it was signed; nothing where the list is damaged."""
    with suppress(ProtocolError):
        return [note for one, note in _said(session) if one.who == session.me.player and not one.to and one.seq >= since]
    return []


def own(session: Session) -> list[Said]:
    """The private notes of this player that can be read without asking for a passphrase."""
    if session.folder.secrets() is None or not session.folder.private.opens_unasked():
        return []
    with suppress(ProtocolError):
        return [one for one in said(session, private=True) if one.to and one.text is not None]
    return []


def heard(session: Session) -> list[Said]:
    """All notes, none of them opened; nothing where the list is damaged."""
    with suppress(ProtocolError):
        return [one for one, _ in _said(session)]
    return []


def _said(session: Session) -> Iterator[tuple[Said, Document]]:
    places = {entry.id: seq for seq, entry in enumerate(session.table.ledger.entries)}
    for entry in _log(session.folder).entries:
        note = entry["document"]
        seq = places.get(note["head"], session.table.last)
        yield Said(note["player"], note.get("to", ""), seq, note.get("text"), entry["received"]), note


def opened(session: Session, note: Mapping[str, Any]) -> str | None:
    """The text of a private note, for its reader and its author; None for others, and where an ssh-agent holds the key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    secrets = session.folder.secrets()
    part = {note["to"]: "reader", note["player"]: "author"}.get(secrets.player) if secrets else None
    for name in KEYS if part else ():
        key = session.folder.private.private_key(name) if session.folder.private.holds(name) else None
        text = notes.opened(note["sealed"][part], key, notes.about(note)) if isinstance(key, Ed25519PrivateKey) else None
        if text is not None:
            return text
    return None


def write(session: Session, to: str, text: str) -> Document:
    """A note of this player, signed and kept; `to`: "" for everybody. Raises ProtocolError."""
    keys, me, signer = session.table.ledger.keys, session.me.player, session.private
    mine = [note for note in documents(session.folder) if note["player"] == me]
    if len(mine) >= notes.MOST_NOTES:
        raise _too_many(me)
    if to and to not in keys:
        raise notes.no_reader(to)
    note: Document = {"pbem": session.charter.version, "type": "note", "game": session.charter.game_id}
    note |= {"head": session.head, "player": me, "n": max((one["n"] for one in mine), default=0) + 1}
    if to:
        note["to"] = to
        about, own_key = notes.about(note), public_text(signer)
        note["sealed"] = {"reader": notes.seal(text, keys[to], about), "author": notes.seal(text, own_key, about)}
    else:
        note["text"] = text
    signed = notes.sign(note, signer)
    notes.read_note(signed)
    _log(session.folder).append("note", signed, session.now())
    return signed


def take(session: Session, note: Document) -> bool:
    """Another's note, judged and kept; False where it is here already. Raises ProtocolError (wrong key, bad signature, too
    large); of a private one between others nothing is kept (belongs elsewhere).
    """
    notes.read_note(note)
    if note["game"] != session.charter.game_id:
        raise ProtocolError(Outcome.FOREIGN_GAME, msg("a note of another game"))
    _check_signed(session, note)
    known, secrets = documents(session.folder), session.folder.secrets()
    if any(document_id(note) == document_id(one) for one in known):
        return False
    if "to" in note and (secrets is None or secrets.player not in (note["to"], note["player"])):
        raise ProtocolError(Outcome.FOREIGN_GAME, msg("a note that only {player} can read; it is not kept", player=note["to"]))
    if sum(one["player"] == note["player"] for one in known) >= notes.MOST_NOTES:
        raise _too_many(note["player"])
    _log(session.folder).append("note", note, session.now())
    return True


def _check_signed(session: Session, note: Document) -> None:
    """One of the keys that its author has had in this game signed it."""
    failed = notes.no_reader(note["player"])
    for held in [h for h in session.table.ledger.held if h.player == note["player"]]:
        try:
            notes.verify(note, held.key)
            return
        except ProtocolError as error:
            failed = error
    raise failed


def _too_many(player: str) -> ProtocolError:
    return ProtocolError(
        Outcome.TOO_LARGE, msg("{player} has said {n} things in this game: no more are kept", player=player, n=notes.MOST_NOTES)
    )


# -- pins ---------------------------------------------------------------------------------------------------------------


def pins(folder: GameFolder) -> dict[str, str]:
    """What this player has pinned on the map for himself: text by place. Encrypted where his secrets are.

    Raises ProtocolError: damaged, or the passphrase is wrong.
    """
    if not folder.private.holds(PINS):
        return {}
    try:
        plain = json.loads(folder.private.read(PINS))
        if isinstance(plain, dict) and all(isinstance(text, str) for text in plain.values()):
            return plain
    except ValueError:
        pass
    raise ProtocolError(
        Outcome.LOG_DAMAGED,
        msg("{path} cannot be read: delete it, and pin anew", path=str(folder.path / "private" / PINS)),
    )


def pin(folder: GameFolder, place: str, text: str) -> None:
    """Pin a text to a place, in the place of what hung there; "" takes it down. Raises ProtocolError (too large)."""
    held: dict[str, Plain] = {**pins(folder)}
    held.pop(place, None)
    if len(text) > MOST_LETTERS or (text and len(held) >= MOST_PINS):
        raise ProtocolError(
            Outcome.TOO_LARGE, msg("a pin holds {letters} letters, and a map {pins} pins", letters=MOST_LETTERS, pins=MOST_PINS)
        )
    if text:
        held[place] = text
    folder.private.write(PINS, json.dumps(held).encode(), {})


def visible_pins(folder: GameFolder) -> Sequence[tuple[str, str]]:
    """The pins, where they can be read without asking for a passphrase."""
    if folder.secrets() is None or not folder.private.opens_unasked():
        return ()
    with suppress(ProtocolError):
        return [*pins(folder).items()]
    return ()
