"""Settings of mail, one mistake at a time, passwords that stand elsewhere, and what a server's failure is called."""

from __future__ import annotations

import imaplib
import smtplib
import ssl
import sys
from types import ModuleType
from typing import Any

import pytest

from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.transport import mailbox
from pbem.transport.mailbox import NotLoggedIn, Server, password, read_settings, said, talking_to

FULL = """\
from: me@example.org
to:
  nowak: nowak@example.org
  yamada: y.amada+games@example.com
smtp:
  host: smtp.example.org
  port: 2525
  security: starttls
  user: me
  timeout: 7
imap:
  host: imap.example.org
  user: me@example.org
  folder: Games/pbem
"""
LEAST = "from: me@example.org\nto: {nowak: nowak@example.org}\n"
SERVER = Server("imap", "h.example", 993, "tls", "nowak", 30)


def wrong(text: str) -> str:
    with pytest.raises(ProtocolError) as refused:
        read_settings(text.encode())
    assert refused.value.outcome is Outcome.UNREADABLE
    return str(refused.value)


# -- settings --------------------------------------------------------------------------------------------------------


def test_settings_say_everything_or_the_least() -> None:
    full = read_settings(FULL.encode())
    assert full.sender == "me@example.org"
    assert full.addresses == {"nowak": "nowak@example.org", "yamada": "y.amada+games@example.com"}
    assert full.server("smtp") == Server("smtp", "smtp.example.org", 2525, "starttls", "me", 7, "INBOX")
    assert full.server("imap") == Server("imap", "imap.example.org", 993, "tls", "me@example.org", 30, "Games/pbem")
    assert full.server("imap").name == "imap://imap.example.org:993"
    least = read_settings(LEAST.encode())
    assert least.servers == {} and least.address("nowak") == "nowak@example.org"
    for asked, told in (
        (lambda: least.server("smtp"), "mail.yaml names no smtp server"),
        (lambda: least.address("dubois"), "mail.yaml has no address for dubois under `to`"),
    ):
        with pytest.raises(ProtocolError) as refused:
            asked()
        assert (str(refused.value), refused.value.outcome) == (told, Outcome.UNREADABLE)


def test_the_template_is_what_can_be_read() -> None:
    found = read_settings(mailbox.TEMPLATE.format(players="  nowak: nowak@example.org").encode())
    assert {kind: found.server(kind).port for kind in found.servers} == {"smtp": 465, "imap": 993}


@pytest.mark.parametrize(
    ("kind", "security", "port"),
    [
        ("smtp", "tls", 465),
        ("smtp", "starttls", 587),
        ("smtp", "none", 25),
        ("imap", "tls", 993),
        ("imap", "starttls", 143),
        ("imap", "none", 143),
    ],
)
def test_each_way_has_its_port(kind: str, security: str, port: int) -> None:
    text = f"{LEAST}{kind}: {{host: localhost, user: me, security: {security}}}\n"
    assert read_settings(text.encode()).server(kind) == Server(kind, "localhost", port, security, "me", 30, "INBOX")


def test_without_tls_only_on_this_machine() -> None:
    for host in ("localhost", "127.0.0.1", '"::1"'):
        assert read_settings(f"{LEAST}smtp: {{host: {host}, security: none}}\n".encode()).server("smtp").user == ""
    assert wrong(LEAST + "smtp: {host: mail.example, security: none}\n") == (
        "smtp: without TLS only on this machine; security is tls or starttls for mail.example"
    )


def test_a_mailbox_has_a_user() -> None:
    for user in ("", ", user: ''"):
        assert "imap: " in wrong(f"{LEAST}imap: {{host: localhost{user}}}\n")
    assert wrong(LEAST + "imap: {host: localhost}\n") == "imap: a mailbox has a user"


@pytest.mark.parametrize("key", ["password", "PASSWD", "smtp_password", "passphrase"])
def test_a_password_does_not_stand_there(key: str) -> None:
    told = wrong(f"{LEAST}smtp:\n  host: localhost\n  {key}: secret\n")
    assert (
        told == f"line 5, column {len(key) + 5}: no password in this file, please: PBEM_MAIL_PASSWORD or the keyring holds it"
    )
    assert "secret" not in told
    assert read_settings(b"from: me@example.org\nto: {nowak: pass@example.org}\n").address("nowak") == "pass@example.org"


@pytest.mark.parametrize(
    "address",
    [
        "nowak",
        "@example.org",
        "nowak@",
        "no wak@example.org",
        '"no wak"@example.org',
        "Nowak <nowak@example.org>",
        "nowak@example.org, dubois@example.org",
        "Łukasz@example.org",
        "n@example.org\nBcc: x@example.org",
        "n@example.org\t",
        "n" * 243 + "@example.org",
        "a@b@c",
        "[",
        7,
        None,
    ],
)
def test_what_is_no_bare_address(address: Any) -> None:
    document = {"from": "me@example.org", "to": {"nowak": address}}
    assert "an address like nowak@example.org" in wrong(strict_yaml.write_document(document))
    assert "an address like nowak@example.org" in wrong(
        strict_yaml.write_document({"from": address, "to": {"nowak": "me@example.org"}})
    )


def test_the_words_for_what_is_wrong() -> None:
    text = LEAST.replace("nowak@", "nowak ") + "smtp: {host: /}\n"
    told = [line.strip() for line in wrong(text).replace(";", "\n").splitlines()]
    assert [word for line in told for word in line.split(": ")[-1:]] == [
        "an address like nowak@example.org",
        "the name of a server",
    ], told
    for host in ("X", "x.XX"):
        assert read_settings(f"{LEAST}smtp: {{host: {host}}}\n".encode()).server("smtp").host == host


def test_an_address_may_be_254_letters_long() -> None:
    most = "n" * 242 + "@example.org"
    assert len(most) == 254 and read_settings(LEAST.replace("nowak@example.org", most).encode()).address("nowak") == most


@pytest.mark.parametrize("host", ["", "a b", "me@h", "h/x", "h\\x", "h\u00e9", "h\t", "h" * 254, 7, None])
def test_what_is_no_name_of_a_server(host: Any) -> None:
    document = {"from": "me@example.org", "to": {"nowak": "n@example.org"}, "smtp": {"host": host}}
    assert "the name of a server" in wrong(strict_yaml.write_document(document))


@pytest.mark.parametrize("host", ["h", "a-b.example", "-", "::1", "h" * 253])
def test_names_of_servers(host: str) -> None:
    document = {"from": "me@example.org", "to": {"nowak": "n@example.org"}, "smtp": {"host": host}}
    assert read_settings(strict_yaml.write_document(document).encode()).server("smtp").host == host


@pytest.mark.parametrize(
    "line",
    [
        "port: 0",
        "port: 65536",
        "port: x",
        "security: ssl",
        "timeout: 0",
        "timeout: 601",
        f"user: {'u' * 255}",
        f"folder: {'f' * 201}",
        "other: 1",
    ],
)
def test_limits_of_a_server(line: str) -> None:
    told = wrong(f"{LEAST}smtp:\n  host: localhost\n  {line}\n")
    assert line.partition(":")[0] in told


def test_the_ends_of_the_limits_are_inside() -> None:
    for line in ("port: 1", "port: 65535", "timeout: 1", "timeout: 600", f"user: {'u' * 254}", f"folder: {'f' * 200}"):
        read_settings(f"{LEAST}smtp:\n  host: localhost\n  {line}\n".encode())


def test_every_mistake_is_named_at_once_with_the_file() -> None:
    told = wrong("from: me\nto: {nowak: n}\nsmtp: {port: 1}\nmore: 1\n")
    like = "an address like nowak@example.org"
    assert told == f"mail.yaml: unknown key 'more'; from: {like}; to: nowak: {like}; smtp: host is missing"
    assert wrong("from: 7\nto: {nowak: n@example.org}\n") == f"mail.yaml: from: {like}", "no text at all"
    assert "from" in wrong("to: {nowak: nowak@example.org}\n") and "to" in wrong("from: me@example.org\n")
    assert "to" in wrong("from: me@example.org\nto: {'a b!': nowak@example.org}\n")


# -- passwords -------------------------------------------------------------------------------------------------------


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("PBEM_SMTP_PASSWORD", "PBEM_IMAP_PASSWORD", "PBEM_MAIL_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(sys.modules, "keyring", None)
    return monkeypatch


def test_a_password_of_the_server_comes_before_that_of_all_mail(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("PBEM_MAIL_PASSWORD", "all")
    assert password(SERVER) == "all"
    bare.setenv("PBEM_SMTP_PASSWORD", "sending")
    assert password(SERVER) == "all"
    bare.setenv("PBEM_IMAP_PASSWORD", "own")
    assert password(SERVER) == "own"


def test_without_a_password_both_places_are_named(bare: pytest.MonkeyPatch) -> None:
    with pytest.raises(ProtocolError) as refused:
        password(SERVER)
    assert refused.value.outcome is Outcome.WRONG_KEY
    assert str(refused.value) == (
        "no password for nowak at h.example: set PBEM_IMAP_PASSWORD or `keyring set imap://h.example:993 nowak`"
    )


def ring(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    """A keyring that holds this answer for the server's name and user, or raises it."""

    class KeyringError(Exception):
        pass

    made, errors = ModuleType("keyring"), ModuleType("keyring.errors")

    def get_password(service: str, user: str) -> Any:
        if answer == "locked":
            raise KeyringError
        if answer == "broken":
            raise OSError
        return answer if (service, user) == ("imap://h.example:993", "nowak") else "another's"

    errors.KeyringError = KeyringError  # type: ignore[attr-defined]
    made.get_password, made.errors = get_password, errors  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", made)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)


@pytest.mark.parametrize(("answer", "found"), [("held", "held"), (None, ""), ("locked", ""), ("broken", "")])
def test_a_keyring_that_knows_and_some_that_do_not(bare: pytest.MonkeyPatch, answer: Any, found: str) -> None:
    ring(bare, answer)
    if found:
        assert password(SERVER) == found
    else:
        with pytest.raises(ProtocolError, match=r"no password for nowak"):
            password(SERVER)
    assert mailbox._from_keyring(SERVER) == found


# -- what goes wrong -------------------------------------------------------------------------------------------------

LINE = "imap://h.example:993"
FAULTS: list[tuple[BaseException, Outcome, str]] = [
    (ssl.SSLError(1, "bad certificate"), Outcome.UNREADABLE, "no secure connection: 1 bad certificate"),
    (TimeoutError("timed out"), Outcome.UNREADABLE, "no answer within 30 seconds"),
    (smtplib.SMTPServerDisconnected("gone"), Outcome.UNREADABLE, "the connection broke: gone"),
    (imaplib.IMAP4.abort("bye"), Outcome.UNREADABLE, "the connection broke: bye"),
    (ConnectionResetError(104, "reset"), Outcome.UNREADABLE, "the connection broke: 104 reset"),
    (EOFError(), Outcome.UNREADABLE, "the connection broke: EOFError"),
    (smtplib.SMTPAuthenticationError(535, b"no"), Outcome.WRONG_KEY, "does not take user and password: 535 no"),
    (NotLoggedIn("no"), Outcome.WRONG_KEY, "does not take user and password: no"),
    (OSError(99, "odd"), Outcome.UNREADABLE, "99 odd"),
    (imaplib.IMAP4.error(b"what\x1b[31m"), Outcome.UNREADABLE, "what [31m"),
    (ValueError("v"), Outcome.UNREADABLE, "v"),
    (KeyError("k"), Outcome.UNREADABLE, "k"),
    (TypeError("t"), Outcome.UNREADABLE, "t"),
    (AttributeError("a"), Outcome.UNREADABLE, "a"),
]


@pytest.mark.parametrize(("fault", "outcome", "told"), FAULTS, ids=[type(fault).__name__ for fault, _, _ in FAULTS])
def test_every_failure_of_a_server_is_one_sentence(fault: BaseException, outcome: Outcome, told: str) -> None:
    with pytest.raises(ProtocolError) as caught, talking_to(SERVER):
        raise fault
    space = " " if outcome is Outcome.WRONG_KEY else ": "
    assert (caught.value.outcome, str(caught.value)) == (outcome, f"{LINE}{space}{told}")
    assert caught.value.__suppress_context__


def test_what_is_no_failure_of_a_server_goes_through() -> None:
    with talking_to(SERVER):
        pass
    with pytest.raises(ZeroDivisionError), talking_to(SERVER):
        raise ZeroDivisionError
    own = ProtocolError(Outcome.WRONG_KEY, mailbox.msg("own"))
    with pytest.raises(ProtocolError) as caught, talking_to(SERVER):
        raise own
    assert caught.value is own


def test_what_a_server_said_is_cut_and_safe_to_print() -> None:
    assert said(Exception(b"\xff no\r\n", 7, "x")) == "\ufffd no 7 x"
    assert said(Exception()) == "Exception" and said(Exception("y" * 300)) == "y" * 200


def test_certificates_and_names_are_checked() -> None:
    context = mailbox.trust()
    assert context.verify_mode is ssl.CERT_REQUIRED and context.check_hostname
