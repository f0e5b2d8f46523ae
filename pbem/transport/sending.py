"""Sending mail over SMTP."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from email.utils import formatdate

from msgspec import Struct

from pbem.kernel.wording import msg
from pbem.protocol.outcomes import unreadable
from pbem.transport.mailbox import Server, password, said, talking_to, trust


class Envelope(Struct, frozen=True):
    """A mail ready to go: `body` begins with its own headers; those of the way are put before them.

    `key` makes the Message-ID, so that the same mail sent twice is seen to be the same; `thread` is common to a game.
    """

    key: str
    thread: str
    to: Sequence[str]
    body: bytes
    automatic: bool = False  # nobody wrote it: no out-of-office program should answer

    def message(self, sender: str) -> bytes:
        """The whole message, lines ended by CRLF."""
        head = [f"From: {sender}", f"To: {', '.join(self.to)}", f"Date: {formatdate()}"]
        head += [f"Message-ID: <{self.key}.{self.thread}@pbem.invalid>", f"References: <{self.thread}@pbem.invalid>"]
        head += ["Auto-Submitted: auto-generated"] if self.automatic else []
        return "".join(f"{line}\r\n" for line in head).encode("ascii") + self.body


@contextmanager
def open_smtp(server: Server) -> Iterator[smtplib.SMTP]:
    """A connection, encrypted and logged in. Raises ProtocolError."""
    secret = password(server) if server.user else ""
    with talking_to(server):
        connection = _connect(server)
    try:
        with talking_to(server):
            if server.user:
                connection.login(server.user, secret)
        yield connection
    finally:
        with suppress(OSError):
            connection.quit()
        connection.close()


def _connect(server: Server) -> smtplib.SMTP:
    if server.security == "tls":
        return smtplib.SMTP_SSL(server.host, server.port, timeout=server.timeout, context=trust())
    connection = smtplib.SMTP(server.host, server.port, timeout=server.timeout)
    if server.security == "starttls":
        try:
            connection.starttls(context=trust())
        except BaseException:
            connection.close()
            raise
    return connection


def deliver(connection: smtplib.SMTP, server: Server, sender: str, envelope: Envelope) -> None:
    """Hand a mail over, for all its readers or none. Raises ProtocolError with what the server said."""
    with talking_to(server):
        try:
            refused = connection.sendmail(sender, list(envelope.to), envelope.message(sender))
        except smtplib.SMTPRecipientsRefused as error:
            refused = error.recipients
    if refused:
        words = "; ".join(f"{address}: {said(Exception(*answer))}" for address, answer in refused.items())
        raise unreadable(msg("{name} does not take mail for {words}", name=server.name, words=words))
