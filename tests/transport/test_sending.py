"""Mail on its way out: its headers, how a server is reached, and what comes of one that refuses."""

from __future__ import annotations

import smtplib
from typing import Any

import pytest

from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.transport import sending
from pbem.transport.mailbox import Server
from pbem.transport.sending import Envelope, deliver, open_smtp
from tests.transport.noting import Noting

TLS = Server("smtp", "h.example", 465, "tls", "nowak", 30)
STARTTLS = Server("smtp", "h.example", 587, "starttls", "nowak", 20)
NONE = Server("smtp", "localhost", 25, "none", "", 10)
MAIL = Envelope("0003-nowak", "abcd", ["a@example.org", "b@example.org"], b"Subject: \xc5\x81\r\n\r\nx")


class Connection(Noting):
    """A server that notes what it is asked and fails at what it is told to."""

    refused: dict[str, tuple[int, bytes]] = {}

    def sendmail(self, sender: str, to: list[str], data: bytes) -> dict[str, tuple[int, bytes]]:
        self._note("sendmail", sender, to, data)
        return self.refused

    def quit(self) -> None:
        self._note("quit")

    def close(self) -> None:
        self._note("close")


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setattr(Connection, "made", [])
    monkeypatch.setattr(Connection, "fails", {})
    monkeypatch.setattr(Connection, "refused", {})
    monkeypatch.setattr(smtplib, "SMTP", Connection)
    monkeypatch.setattr(smtplib, "SMTP_SSL", type("Secure", (Connection,), {}))
    monkeypatch.setattr(sending, "trust", lambda: "checked")
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "secret")
    return Connection.made


def words(noted: list[Any]) -> list[str]:
    return [word for word, *_ in noted]


def test_a_mail_has_the_headers_of_its_way_before_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "formatdate", lambda: "Mon, 01 Jan 2024 00:00:00 -0000")
    head = (
        b"From: me@example.org\r\nTo: a@example.org, b@example.org\r\nDate: Mon, 01 Jan 2024 00:00:00 -0000\r\n"
        b"Message-ID: <0003-nowak.abcd@pbem.invalid>\r\nReferences: <abcd@pbem.invalid>\r\n"
    )
    assert MAIL.message("me@example.org") == head + MAIL.body
    automatic = Envelope(MAIL.key, MAIL.thread, MAIL.to, MAIL.body, automatic=True)
    assert automatic.message("me@example.org") == head + b"Auto-Submitted: auto-generated\r\n" + MAIL.body
    with pytest.raises(UnicodeEncodeError):
        MAIL.message("Łukasz@example.org")


def test_tls_from_the_first_byte(noted: list[Any]) -> None:
    with open_smtp(TLS) as connection:
        assert type(connection).__name__ == "Secure"
    how = {"timeout": 30, "context": "checked"}
    assert noted == [("connect", ("h.example", 465), how), ("login", "nowak", "secret"), ("quit",), ("close",)]


def test_starttls_before_the_password(noted: list[Any]) -> None:
    with open_smtp(STARTTLS) as connection:
        assert type(connection) is Connection
    assert noted == [
        ("connect", ("h.example", 587), {"timeout": 20}),
        ("starttls", {"context": "checked"}),
        ("login", "nowak", "secret"),
        ("quit",),
        ("close",),
    ]


def test_without_a_user_no_password_is_asked_for(noted: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_SMTP_PASSWORD")
    with open_smtp(NONE):
        pass
    assert noted == [("connect", ("localhost", 25), {"timeout": 10}), ("quit",), ("close",)]


def test_without_its_password_no_server_is_called(noted: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_SMTP_PASSWORD")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    with pytest.raises(ProtocolError, match="no password for nowak"), open_smtp(TLS):
        pass
    assert noted == []


@pytest.mark.parametrize(
    ("server", "word", "fault", "told", "done"),
    [
        (TLS, "connect", TimeoutError(), "smtp://h.example:465: no answer within 30 seconds", ["connect"]),
        (
            STARTTLS,
            "starttls",
            smtplib.SMTPNotSupportedError("no such thing"),
            "smtp://h.example:587: no such thing",
            ["connect", "starttls", "close"],
        ),
        (
            TLS,
            "login",
            smtplib.SMTPAuthenticationError(535, b"no"),
            "smtp://h.example:465 does not take user and password: 535 no",
            ["connect", "login", "quit", "close"],
        ),
    ],
)
def test_what_fails_leaves_no_connection_open(
    noted: list[Any], server: Server, word: str, fault: Exception, told: str, done: list[str]
) -> None:
    Connection.fails[word] = fault
    with pytest.raises(ProtocolError) as caught, open_smtp(server):
        pass
    assert str(caught.value) == told and words(noted) == done


def test_a_connection_that_cannot_say_goodbye_is_closed(noted: list[Any]) -> None:
    Connection.fails["quit"] = ConnectionResetError()
    with open_smtp(NONE):
        pass
    assert words(noted) == ["connect", "quit", "close"]


def test_whatever_happens_within_the_connection_ends(noted: list[Any]) -> None:
    with pytest.raises(ZeroDivisionError), open_smtp(NONE):
        raise ZeroDivisionError
    assert words(noted) == ["connect", "quit", "close"]


def given(noted: list[Any]) -> str:
    """What delivering one mail ends with; empty when it is on its way."""
    connection: Any = Connection()
    noted.clear()
    try:
        deliver(connection, NONE, "me@example.org", MAIL)
    except ProtocolError as error:
        assert error.outcome is Outcome.UNREADABLE
        return str(error)
    return ""


def test_a_mail_is_handed_over_to_all_its_readers(noted: list[Any]) -> None:
    assert given(noted) == ""
    ((word, sender, to, data),) = noted
    assert (word, sender, to) == ("sendmail", "me@example.org", ["a@example.org", "b@example.org"])
    assert data.startswith(b"From: me@example.org\r\n") and data.endswith(b"\r\n\r\nx")


def test_readers_whom_the_server_does_not_know_are_named(noted: list[Any]) -> None:
    Connection.refused["b@example.org"] = (550, b"no such \x1b[31muser")
    assert given(noted) == "smtp://localhost:25 does not take mail for b@example.org: 550 no such [31muser"
    Connection.refused["a@example.org"] = (551, b"moved")
    Connection.fails["sendmail"] = smtplib.SMTPRecipientsRefused(dict(sorted(Connection.refused.items())))
    assert given(noted) == (
        "smtp://localhost:25 does not take mail for a@example.org: 551 moved; b@example.org: 550 no such [31muser"
    )


def test_a_server_that_breaks_off_says_so(noted: list[Any]) -> None:
    Connection.fails["sendmail"] = smtplib.SMTPServerDisconnected("gone")
    assert given(noted) == "smtp://localhost:25: the connection broke: gone"
