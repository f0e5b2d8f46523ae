"""The messages of a live exchange and their frames (protocol, section 11b): `have`, `want`, and files byte by byte.

A body whose first bytes are those of a `have` or a `want` is one; every other body is a file. Nothing here touches a socket.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from msgspec import Struct

from pbem.kernel.canon import canonical
from pbem.kernel.wording import msg
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable

MOST = 1 << 20  # bytes of a body
MOST_SHORT = 1 << 10  # of a `have` or `want`, and of every body before the first `have`
MOST_SEQ = 1_000_000
_LENGTH = 4
_HEX = re.compile(r"[0-9a-f]{64}")


class Have(Struct, frozen=True):
    """How far a log goes: its game, the place of its newest file, that file's id (of place 0: the game id)."""

    game: str
    seq: int
    head: str


class Want(Struct, frozen=True):
    """Asks for the file at a place and all behind it."""

    seq: int


Said: TypeAlias = Have | Want | bytes  # bytes: a file


def body_of(said: Said) -> bytes:
    """The body of a message."""
    if isinstance(said, Have):
        return canonical({"have": {"game": said.game, "seq": said.seq, "head": said.head}})
    return canonical({"want": {"seq": said.seq}}) if isinstance(said, Want) else said


def framed(said: Said) -> bytes:
    """A message as it goes over the line: the length of its body in four bytes, then the body."""
    body = body_of(said)
    return len(body).to_bytes(_LENGTH, "big") + body


def heard(body: bytes) -> Said:
    """The message of a body. Raises ProtocolError where it begins like a `have` or `want` and is none."""
    if not body.startswith((b'{"have":', b'{"want":')):
        return body
    if len(body) > MOST_SHORT:
        raise too_long(len(body), MOST_SHORT)
    plain = strict_yaml.read_document(body)[0]
    said = _have(plain) if "have" in plain else _want(plain)
    if said is None or body_of(said) != body:
        raise unreadable(msg("this is no message of a live exchange"))
    return said


def _have(plain: dict[str, Any]) -> Have | None:
    inner = plain["have"]
    if not isinstance(inner, dict) or inner.keys() != {"game", "seq", "head"}:
        return None
    game, seq, head = inner["game"], inner["seq"], inner["head"]
    ids = all(isinstance(text, str) and _HEX.fullmatch(text) for text in (game, head))
    return Have(game, seq, head) if ids and _is_place(seq, 0) else None


def _want(plain: dict[str, Any]) -> Want | None:
    inner = plain["want"]
    good = isinstance(inner, dict) and inner.keys() == {"seq"} and _is_place(inner["seq"], 1)
    return Want(inner["seq"]) if good else None


def _is_place(value: Any, least: int) -> bool:
    return type(value) is int and least <= value <= MOST_SEQ


def too_long(size: int, most: int) -> ProtocolError:
    """A length that is not read on."""
    return ProtocolError(Outcome.TOO_LARGE, msg("a message of {size} bytes, at most {most} here", size=size, most=most))


class Frames:
    """Bytes that come in pieces, and the bodies in them. A length is judged before anything behind it is kept."""

    def __init__(self) -> None:
        self._data = bytearray()
        self.most = MOST_SHORT  # until somebody has said which game he means

    @property
    def is_half(self) -> bool:
        """A message has begun and is not whole."""
        return bool(self._data)

    def feed(self, data: bytes) -> None:
        """More bytes."""
        self._data += data

    def next(self) -> bytes | None:
        """The next body that is whole. Raises ProtocolError where its length is none."""
        if len(self._data) < _LENGTH:
            return None
        size = int.from_bytes(self._data[:_LENGTH], "big")
        if not 0 < size <= self.most:
            raise too_long(size, self.most)
        if len(self._data) < _LENGTH + size:
            return None
        body = bytes(self._data[_LENGTH : _LENGTH + size])
        del self._data[: _LENGTH + size]
        return body
