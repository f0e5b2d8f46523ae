"""Fetching mail over IMAP: looks without marking, marks only what was taken, deletes nothing."""

from __future__ import annotations

import imaplib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from msgspec import Struct

from pbem.kernel.wording import msg
from pbem.protocol.outcomes import unreadable
from pbem.transport.mailbox import NotLoggedIn, Server, password, said, talking_to, trust

TAKEN = "$PbemTaken"  # the keyword of a message whose file is in the log
MAX_MESSAGE = 32 << 20  # bytes; larger ones stay where they are
_SIZE = re.compile(rb"RFC822\.SIZE ([0-9]{1,12})")


class _Bounded:
    """What a server may make the program read at once."""

    def read(self, size: int) -> bytes:
        """A literal of an answer."""
        if size > MAX_MESSAGE + (1 << 20):
            raise imaplib.IMAP4.abort(f"an answer of {size} bytes")
        return super().read(size)  # type: ignore[misc,no-any-return]


class _Plain(_Bounded, imaplib.IMAP4):
    pass


class _Secure(_Bounded, imaplib.IMAP4_SSL):
    pass


class Mailbox(Struct):
    """An open folder of an IMAP server. `validity`: the UIDs below hold as long as it stays the same."""

    server: Server
    connection: Any
    validity: int

    def candidates(self) -> list[int]:
        """UIDs of messages that speak of pbem anywhere, oldest first. Raises ProtocolError."""
        with talking_to(self.server):
            (found,) = self._ask("SEARCH", "UNDELETED", "TEXT", '"pbem"')[:1] or [b""]
            return sorted({int(uid) for uid in (found or b"").split()})

    def size(self, uid: int) -> int | None:
        """Bytes of a message; None when it is gone. Raises ProtocolError."""
        with talking_to(self.server):
            answer = self._ask("FETCH", str(uid), "(RFC822.SIZE)")
            lines = [part if isinstance(part, bytes) else part[0] for part in answer]
            match = _SIZE.search(b" ".join(lines))
            return int(match[1]) if match else None

    def message(self, uid: int) -> bytes | None:
        """A whole message, not marked as seen; None when it is gone. Raises ProtocolError."""
        with talking_to(self.server):
            for part in self._ask("FETCH", str(uid), "(BODY.PEEK[])"):
                if isinstance(part, tuple) and b"BODY[]" in part[0].upper():
                    return bytes(part[1])
        return None

    def mark(self, uid: int) -> None:
        """Seen, and taken by pbem where the server keeps such words. Raises ProtocolError."""
        with talking_to(self.server):
            self._ask("STORE", str(uid), "+FLAGS.SILENT", r"(\Seen)")
            with suppress(imaplib.IMAP4.error):
                self._ask("STORE", str(uid), "+FLAGS.SILENT", f"({TAKEN})")

    def _ask(self, *words: str) -> Sequence[Any]:
        status, data = self.connection.uid(*words)
        if status != "OK":
            raise imaplib.IMAP4.error(*[d for d in data if isinstance(d, bytes)])
        return [part for part in data if part is not None]


@contextmanager
def open_mailbox(server: Server) -> Iterator[Mailbox]:
    """A connection, encrypted, logged in, with the folder selected. Raises ProtocolError."""
    secret = password(server)
    folder = _quoted(server.folder)
    with talking_to(server):
        connection = _connect(server)
    try:
        with talking_to(server):
            _log_in(connection, server.user, secret)
            validity = _select(connection, folder)
        yield Mailbox(server, connection, validity)
    finally:
        with suppress(OSError, imaplib.IMAP4.error, EOFError):
            connection.logout()
        with suppress(OSError):
            connection.shutdown()


def _connect(server: Server) -> imaplib.IMAP4:
    if server.security == "tls":
        return _Secure(server.host, server.port, ssl_context=trust(), timeout=server.timeout)
    connection = _Plain(server.host, server.port, timeout=server.timeout)
    if server.security == "starttls":
        try:
            connection.starttls(ssl_context=trust())
        except BaseException:
            with suppress(OSError):
                connection.shutdown()
            raise
    return connection


def _log_in(connection: imaplib.IMAP4, user: str, secret: str) -> None:
    """PLAIN inside TLS carries every letter; LOGIN is for servers that do not know it."""
    try:
        if "AUTH=PLAIN" in connection.capabilities:
            connection.authenticate("PLAIN", lambda _: f"\0{user}\0{secret}".encode())
        else:
            connection.login(user, secret)
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as error:
        raise NotLoggedIn(said(error)) from None


def _select(connection: imaplib.IMAP4, folder: str) -> int:
    status, data = connection.select(folder)
    if status != "OK":
        raise imaplib.IMAP4.error(f"folder {folder}:", *[d for d in data if isinstance(d, bytes)])
    _, found = connection.response("UIDVALIDITY")
    return int(found[0]) if found and found[0] else 0


def _quoted(folder: str) -> str:
    if not folder.isascii() or not folder.isprintable():
        raise unreadable(msg("imap: the folder's name has other letters than ASCII"))
    return '"' + folder.replace("\\", "\\\\").replace('"', '\\"') + '"'
