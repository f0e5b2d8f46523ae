"""Where a player's mail goes and comes from: the settings file `mail.yaml`, addresses, passwords that are never in it."""

from __future__ import annotations

import imaplib
import os
import smtplib
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from email.errors import MessageError
from email.headerregistry import Address
from typing import Any

from msgspec import Struct

from pbem.kernel.wording import linked, msg
from pbem.protocol import names, schema, strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.transport.message import one_line

SECURITY = ("tls", "starttls", "none")
PORTS = {("smtp", "tls"): 465, ("smtp", "starttls"): 587, ("smtp", "none"): 25}
PORTS |= {("imap", "tls"): 993, ("imap", "starttls"): 143, ("imap", "none"): 143}
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
TEMPLATE = """\
# Where the mail of this game goes and comes from. No password stands here: it is read from PBEM_SMTP_PASSWORD and
# PBEM_IMAP_PASSWORD (or PBEM_MAIL_PASSWORD for both), else from the keyring.
from: me@example.org
to:
{players}
smtp:
  host: smtp.example.org
  user: me@example.org
imap:
  host: imap.example.org
  user: me@example.org
"""


class Server(Struct, frozen=True):
    """One server. `kind`: smtp or imap; `security`: tls from the first byte, starttls, or none (this machine only)."""

    kind: str
    host: str
    port: int
    security: str
    user: str
    timeout: int  # seconds that the server may be silent
    folder: str = "INBOX"

    @property
    def name(self) -> str:
        """For messages and for the keyring."""
        return f"{self.kind}://{self.host}:{self.port}"


class Settings(Struct, frozen=True):
    """The settings file, checked."""

    sender: str
    addresses: Mapping[str, str]  # player -> address
    servers: Mapping[str, Server]  # by kind

    def server(self, kind: str) -> Server:
        """The server for sending or fetching. Raises ProtocolError when none is named."""
        if kind not in self.servers:
            raise unreadable(msg("mail.yaml names no {kind} server", kind=kind))
        return self.servers[kind]

    def address(self, player: str) -> str:
        """Where a player reads his mail. Raises ProtocolError when nobody knows."""
        if player not in self.addresses:
            raise unreadable(msg("mail.yaml has no address for {player} under `to`", player=player))
        return self.addresses[player]


def read_settings(data: bytes) -> Settings:
    """The settings. Raises ProtocolError with every mistake; a password is one."""
    document, marks = strict_yaml.read_document(data)
    _no_passwords(marks)
    required: dict[str, schema.Check] = {"from": _address, "to": schema.map_of(_address, names.name)}
    optional: dict[str, schema.Check] = {"smtp": _SERVER, "imap": _SERVER}
    checked = schema.check(document, required, optional, "mail.yaml")
    servers: dict[str, Server] = {kind: _server(kind, checked[kind]) for kind in ("smtp", "imap") if kind in checked}
    return Settings(checked["from"], checked["to"], servers)


def _no_passwords(marks: Mapping[Any, tuple[int, int]]) -> None:
    for path, (line, column) in marks.items():
        if path and isinstance(path[-1], str) and "pass" in path[-1].lower():
            reason = msg("no password in this file, please: PBEM_MAIL_PASSWORD or the keyring holds it")
            raise ProtocolError(Outcome.UNREADABLE, reason, line, column)


def _address(value: Any) -> str:
    """A bare address, nothing that could begin another header. Returns what is wrong, empty when nothing is."""
    if not isinstance(value, str) or len(value) > 254 or not value.isascii() or not value.isprintable():
        return "an address like nowak@example.org"
    with suppress(MessageError, ValueError, IndexError):
        read = Address(addr_spec=value)
        if read.username and read.domain and " " not in value:
            return ""
    return "an address like nowak@example.org"


def _host(value: Any) -> str:
    good = isinstance(value, str) and value.isascii() and 0 < len(value) <= 253 and value.isprintable()
    return "" if good and not set(str(value)) & set(" /@\\") else "the name of a server"


_SERVER = schema.record(
    {"host": _host},
    {
        "port": schema.number(1, 65535),
        "security": schema.one_of(*SECURITY),
        "user": schema.text(254),
        "folder": schema.text(200),
        "timeout": schema.number(1, 600),
    },
)


def _server(kind: str, found: Mapping[str, Any]) -> Server:
    security, host = found.get("security", "tls"), found["host"]
    if security == "none" and host not in _THIS_MACHINE:
        raise unreadable(
            msg("{kind}: without TLS only on this machine; security is tls or starttls for {host}", kind=kind, host=host)
        )
    if kind == "imap" and not found.get("user"):
        raise unreadable(msg("imap: a mailbox has a user"))
    port = found.get("port", PORTS[kind, security])
    timeout, folder = found.get("timeout", 30), found.get("folder", "INBOX")
    return Server(kind, host, port, security, found.get("user", ""), timeout, folder)


def password(server: Server) -> str:
    """From the environment, else from the keyring. Raises ProtocolError (wrong key) that names both places."""
    own = f"PBEM_{server.kind.upper()}_PASSWORD"
    found = os.environ.get(own) or os.environ.get("PBEM_MAIL_PASSWORD") or _from_keyring(server)
    if not found:
        reason = msg(
            "no password for {user} at {host}: set {own} or `keyring set {name} {user}`",
            user=server.user,
            host=server.host,
            own=own,
            name=server.name,
        )
        raise ProtocolError(Outcome.WRONG_KEY, reason)
    return found


def _from_keyring(server: Server) -> str:
    """Empty when the extra is not installed, the keyring is locked or does not know."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return ""
    try:
        return keyring.get_password(server.name, server.user) or ""
    except (KeyringError, OSError):
        return ""


def trust() -> ssl.SSLContext:
    """Certificates and host names are checked; SSL_CERT_FILE names other authorities than the system's."""
    return ssl.create_default_context()


@contextmanager
def talking_to(server: Server) -> Iterator[None]:
    """Whatever goes wrong with a server comes out as one plain sentence (ProtocolError, unreadable).

    What the server said is shown without control characters and cut: it may be anything.
    """
    try:
        yield
    except ssl.SSLError as error:
        raise unreadable(msg("{name}: no secure connection: {said}", name=server.name, said=said(error))) from None
    except TimeoutError:
        raise unreadable(msg("{name}: no answer within {timeout} seconds", name=server.name, timeout=server.timeout)) from None
    except (smtplib.SMTPServerDisconnected, imaplib.IMAP4.abort, ConnectionError, EOFError) as error:
        raise unreadable(msg("{name}: the connection broke: {said}", name=server.name, said=said(error))) from None
    except (smtplib.SMTPAuthenticationError, NotLoggedIn) as error:
        raise ProtocolError(
            Outcome.WRONG_KEY, msg("{name} does not take user and password: {said}", name=server.name, said=said(error))
        ) from None
    except (OSError, imaplib.IMAP4.error, ValueError, LookupError, TypeError, AttributeError) as error:
        raise unreadable(linked(": ", server.name, said(error))) from None


class NotLoggedIn(Exception):
    """The IMAP server refused user and password."""


def said(error: Exception) -> str:
    """An error in one line of text that is safe to print."""
    words = [w.decode("utf-8", "replace") if isinstance(w, bytes) else str(w) for w in error.args] or [type(error).__name__]
    return one_line(" ".join(words))[:200]
