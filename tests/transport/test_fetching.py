"""A mailbox that is looked into: what is asked, in which order, what an odd answer means, and that nothing stays open."""

from __future__ import annotations

import imaplib
import ssl
from typing import Any

import pytest

from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.transport import fetching
from pbem.transport.fetching import MAX_MESSAGE, Mailbox, open_mailbox
from pbem.transport.mailbox import Server
from tests.transport.noting import Noting

TLS = Server("imap", "h.example", 993, "tls", "nowak", 30)
STARTTLS = Server("imap", "h.example", 143, "starttls", "nowak", 20, "Games")
NONE = Server("imap", "localhost", 143, "none", "nowak", 10)
NAME = "imap://localhost:143"


class Connection(Noting):
    """A server that notes what it is asked, answers what a test says, and fails at what it is told to."""

    answers: list[Any] = []
    capabilities: tuple[str, ...] = ("IMAP4REV1", "AUTH=PLAIN")
    selected: Any = ("OK", [b"3"])
    validity: Any = ("UIDVALIDITY", [b"7"])

    def authenticate(self, mechanism: str, answer: Any) -> None:
        self._note("authenticate", mechanism, answer(b""))

    def select(self, folder: str) -> Any:
        self._note("select", folder)
        return self.selected

    def response(self, word: str) -> Any:
        self._note("response", word)
        return self.validity

    def uid(self, *words: str) -> Any:
        self._note("uid", *words)
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer if isinstance(answer, tuple) else ("OK", answer)

    def logout(self) -> None:
        self._note("logout")

    def shutdown(self) -> None:
        self._note("shutdown")


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    for name, value in (("made", []), ("fails", {}), ("answers", [])):
        monkeypatch.setattr(Connection, name, value)
    monkeypatch.setattr(fetching, "_Plain", Connection)
    monkeypatch.setattr(fetching, "_Secure", type("Secure", (Connection,), {}))
    monkeypatch.setattr(fetching, "trust", lambda: "checked")
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "s\u00e9cret")
    return Connection.made


def words(noted: list[Any]) -> list[str]:
    return [word for word, *_ in noted]


def refused(server: Server) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught, open_mailbox(server):
        pass
    return caught.value.outcome, str(caught.value)


# -- opening ---------------------------------------------------------------------------------------------------------


def test_tls_from_the_first_byte_and_a_password_of_any_letters(noted: list[Any]) -> None:
    with open_mailbox(TLS) as box:
        assert (box.server, box.validity, type(box.connection).__name__) == (TLS, 7, "Secure")
    assert noted == [
        ("connect", ("h.example", 993), {"ssl_context": "checked", "timeout": 30}),
        ("authenticate", "PLAIN", "\0nowak\0s\u00e9cret".encode()),
        ("select", '"INBOX"'),
        ("response", "UIDVALIDITY"),
        ("logout",),
        ("shutdown",),
    ]


def test_starttls_before_the_password(noted: list[Any]) -> None:
    with open_mailbox(STARTTLS) as box:
        assert type(box.connection) is Connection
    assert noted[:2] == [("connect", ("h.example", 143), {"timeout": 20}), ("starttls", {"ssl_context": "checked"})]
    assert ("select", '"Games"') in noted


def test_a_server_without_plain_has_a_login(noted: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "capabilities", ("IMAP4REV1",))
    with open_mailbox(NONE):
        assert noted[:2] == [("connect", ("localhost", 143), {"timeout": 10}), ("login", "nowak", "s\u00e9cret")]


def test_without_its_password_or_with_odd_letters_no_server_is_called(
    noted: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("Gl\u00fcck", "a\nb"):
        assert refused(Server("imap", "localhost", 143, "none", "nowak", 10, folder)) == (
            Outcome.UNREADABLE,
            "imap: the folder's name has other letters than ASCII",
        )
    monkeypatch.delenv("PBEM_IMAP_PASSWORD")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    assert refused(NONE)[0] is Outcome.WRONG_KEY and noted == []


def test_the_name_of_a_folder_is_quoted(noted: list[Any]) -> None:
    with open_mailbox(Server("imap", "localhost", 143, "none", "nowak", 10, 'a"b\\c')):
        assert ("select", '"a\\"b\\\\c"') in noted


@pytest.mark.parametrize(
    ("server", "word", "fault", "expected", "done"),
    [
        (NONE, "connect", TimeoutError(), (Outcome.UNREADABLE, f"{NAME}: no answer within 10 seconds"), ["connect"]),
        (
            STARTTLS,
            "starttls",
            ssl.SSLError(1, "bad"),
            (Outcome.UNREADABLE, "imap://h.example:143: no secure connection: 1 bad"),
            ["connect", "starttls", "shutdown"],
        ),
        (
            NONE,
            "authenticate",
            imaplib.IMAP4.error(b"no\x07pe"),
            (Outcome.WRONG_KEY, f"{NAME} does not take user and password: no pe"),
            ["connect", "authenticate", "logout", "shutdown"],
        ),
        (
            NONE,
            "authenticate",
            imaplib.IMAP4.abort("bye"),
            (Outcome.UNREADABLE, f"{NAME}: the connection broke: bye"),
            ["connect", "authenticate", "logout", "shutdown"],
        ),
        (
            NONE,
            "select",
            imaplib.IMAP4.error("odd"),
            (Outcome.UNREADABLE, f"{NAME}: odd"),
            ["connect", "authenticate", "select", "logout", "shutdown"],
        ),
    ],
)
def test_what_fails_leaves_no_connection_open(
    noted: list[Any], server: Server, word: str, fault: BaseException, expected: Any, done: list[str]
) -> None:
    Connection.fails[word] = fault
    assert refused(server) == expected and words(noted) == done


def test_a_connection_that_breaks_while_it_is_closed(noted: list[Any]) -> None:
    Connection.fails["starttls"], Connection.fails["shutdown"] = ssl.SSLError(1, "bad"), OSError("gone")
    assert refused(STARTTLS)[1].endswith("no secure connection: 1 bad")
    del Connection.fails["starttls"]
    for fault in (OSError("gone"), imaplib.IMAP4.error("odd"), EOFError()):
        Connection.fails["logout"] = fault
        noted.clear()
        with open_mailbox(NONE):
            pass
        assert words(noted)[-2:] == ["logout", "shutdown"]


def test_a_folder_that_is_none(noted: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "selected", ("NO", [b"no such", None, "x", b"folder"]))
    assert refused(NONE) == (Outcome.UNREADABLE, f'{NAME}: folder "INBOX": no such folder')


@pytest.mark.parametrize(("validity", "number"), [([b"12"], 12), ([None], 0), ([], 0), (None, 0), ([b""], 0)])
def test_a_server_that_does_not_say_how_long_its_numbers_hold(
    noted: list[Any], monkeypatch: pytest.MonkeyPatch, validity: Any, number: int
) -> None:
    monkeypatch.setattr(Connection, "validity", ("UIDVALIDITY", validity))
    with open_mailbox(NONE) as box:
        assert box.validity == number


# -- looking ---------------------------------------------------------------------------------------------------------


def box(*answers: Any) -> Mailbox:
    """A mailbox whose server gives these answers to what it is asked."""
    Connection.answers[:] = answers
    opened = Mailbox(NONE, Connection(), 7)
    Connection.made.clear()
    return opened


def odd(call: Any) -> str:
    with pytest.raises(ProtocolError) as caught:
        call()
    assert caught.value.outcome is Outcome.UNREADABLE
    return str(caught.value)


def test_mails_that_speak_of_pbem_oldest_first(noted: list[Any]) -> None:
    opened = box([b"30 4 5 4"], [None], [], [b""], [b"7", b"8"])
    assert opened.candidates() == [4, 5, 30]
    assert noted == [("uid", "SEARCH", "UNDELETED", "TEXT", '"pbem"')]
    assert opened.candidates() == opened.candidates() == opened.candidates() == [] and opened.candidates() == [7]


def test_a_search_that_is_refused_or_finds_words(noted: list[Any]) -> None:
    assert odd(box(("NO", [b"too", None, "x", b"busy"])).candidates) == f"{NAME}: too busy"
    assert odd(box([b"one two"]).candidates).startswith(f"{NAME}: invalid literal for int()")
    assert odd(box(imaplib.IMAP4.abort("bye")).candidates) == f"{NAME}: the connection broke: bye"


def test_the_size_of_a_mail(noted: list[Any]) -> None:
    opened = box(
        [b"1 (UID 5 RFC822.SIZE 1234)"],
        [None, b"1 (UID 5)", b"1 (RFC822.SIZE 99)"],
        [(b"1 (RFC822.SIZE 77 BODY[]", b"x"), b")"],
        [None],
        [],
        [b"1 (RFC822.SIZE many)"],
        [b"", b"1 (RFC822.SIZE 999999999999)"],
    )
    assert [opened.size(5) for _ in range(7)] == [1234, 99, 77, None, None, None, 999999999999]
    assert noted[0] == ("uid", "FETCH", "5", "(RFC822.SIZE)")
    assert odd(lambda: box(("BAD", [b"what"])).size(5)) == f"{NAME}: what"


def test_a_mail_is_looked_at_without_being_marked(noted: list[Any]) -> None:
    opened = box(
        [(b"1 (UID 5 BODY[] {3}", b"abc"), b")"],
        [b"1 (FLAGS ())", (b"1 (uid 5 body[] {3}", bytearray(b"def")), b")"],
        [(b"1 (UID 5 RFC822 {3}", b"ghi")],
        [None],
    )
    assert [opened.message(5) for _ in range(4)] == [b"abc", b"def", None, None]
    assert noted[0] == ("uid", "FETCH", "5", "(BODY.PEEK[])")
    assert odd(lambda: box(("NO", [b"gone"])).message(5)) == f"{NAME}: gone"


def test_what_was_taken_is_marked_where_the_server_keeps_words(noted: list[Any]) -> None:
    box([], []).mark(5)
    assert noted == [
        ("uid", "STORE", "5", "+FLAGS.SILENT", r"(\Seen)"),
        ("uid", "STORE", "5", "+FLAGS.SILENT", "($PbemTaken)"),
    ]
    box([], ("NO", [b"no words here"])).mark(5)
    assert odd(lambda: box(("NO", [b"read only"])).mark(5)) == f"{NAME}: read only"


@pytest.mark.parametrize("kind", [fetching._Plain, fetching._Secure])
def test_an_answer_of_any_size_is_not_read(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    most = MAX_MESSAGE + (1 << 20)
    monkeypatch.setattr(imaplib.IMAP4, "read", lambda self, size: size)
    monkeypatch.setattr(imaplib.IMAP4_SSL, "read", lambda self, size: size, raising=False)
    connection = kind.__new__(kind)
    assert MAX_MESSAGE == 33554432 and connection.read(most) == most
    with pytest.raises(imaplib.IMAP4.abort, match=rf"an answer of {most + 1} bytes$"):
        connection.read(most + 1)
