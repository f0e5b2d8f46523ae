"""`pbem mail` against real servers: aiosmtpd and Dovecot, and servers that answer badly."""

from __future__ import annotations

import imaplib
import json
import shutil
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.transport.mail import in_mail
from tests.commands import Done, inside, must, prepare, run
from tests.transport.servers import (
    ASCII_PASSWORD,
    PASSWORD,
    USER,
    Dovecot,
    PostOffice,
    certificate,
    dovecot,
    scripted,
    smtp_server,
)

HAS_DOVECOT = shutil.which("dovecot", path="/usr/sbin:/usr/bin:/usr/local/sbin")
needs_dovecot = pytest.mark.skipif(not HAS_DOVECOT, reason="needs dovecot (apt-get install dovecot-imapd)")


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return prepare(tmp_path_factory.mktemp("moments"))


@pytest.fixture(scope="module")
def cert(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="module")
def imap(cert: tuple[Path, Path]) -> Iterator[Dovecot]:
    with dovecot(*cert) as server:
        yield server


@pytest.fixture(autouse=True)
def trusted(cert: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """The servers' certificate is known; passwords are in the environment."""
    monkeypatch.setenv("SSL_CERT_FILE", str(cert[0]))
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", ASCII_PASSWORD)
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)
    monkeypatch.delenv("PBEM_MAIL_PASSWORD", raising=False)


@pytest.fixture
def at(moments: dict[str, Path], tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A copy of the game at a moment, and its folder as the current one."""
    with inside(tmp_path):

        def go(moment: str) -> Path:
            shutil.copytree(moments[moment], tmp_path, dirs_exist_ok=True)
            return tmp_path

        yield go


def settle(side: str, smtp: str = "", imap: str = "") -> None:
    """mail.yaml of one of the two folders."""
    me, other = ("yamada", "nowak") if side == "axis" else ("nowak", "yamada")
    text = f"from: {me}@example.org\nto:\n  {other}: {other}@example.org\n"
    text += f"smtp:\n{smtp}" if smtp else ""
    text += f"imap:\n{imap}" if imap else ""
    Path(side, "mail.yaml").write_text(text)


def smtp_lines(office: PostOffice | int, security: str = "tls") -> str:
    port = office if isinstance(office, int) else office.port
    user = f"  user: {USER}\n" if security != "none" else ""
    return f"  host: localhost\n  port: {port}\n  security: {security}\n  timeout: 3\n{user}"


def imap_lines(server: Dovecot | int, security: str = "tls") -> str:
    port = server if isinstance(server, int) else server.tls if security == "tls" else server.plain
    return f"  host: localhost\n  port: {port}\n  security: {security}\n  timeout: 3\n  user: {USER}\n"


def empty(server: Dovecot) -> None:
    """No mail in the mailbox, and nothing left of the last test."""
    with server.opened() as box:
        if box.search(None, "ALL")[1] != [b""]:
            box.store("1:*", "+FLAGS", r"(\Deleted)")
        box.expunge()


def flags(server: Dovecot) -> list[set[str]]:
    """The flags of every message in the mailbox, oldest first."""
    with server.opened() as box:
        lines = [line for line in box.fetch("1:*", "(FLAGS)")[1] if isinstance(line, bytes)]
    return [{f.decode() for f in imaplib.ParseFlags(line)} - {"\\Recent"} for line in lines]


COUNT = iter(range(10_000))


def put(server: Dovecot, *mails: bytes) -> None:
    for mail in mails:
        server.put(f"{next(COUNT):05d}.test", mail)


def letter(text: str, subject: str = "hello") -> bytes:
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"], message["From"] = subject, "friend@example.org"
    message.set_content(text)
    return message.as_bytes()


def plainly(done: Done) -> None:
    """A sentence, no traceback, nothing that moves the cursor."""
    assert "Traceback" not in done.err and "fault of the program" not in done.err, done
    for c in done.err + done.out:
        assert c.isprintable() or c == "\n", repr(c)


# -- settings and passwords -------------------------------------------------------------------------------------------------


def test_setup_writes_what_send_can_read_and_no_password(at: Callable[[str], Path]) -> None:
    at("sent")
    assert "mail.yaml written" in must("mail", "setup", "-g", "axis")
    text = Path("axis/mail.yaml").read_text()
    assert "nowak: nowak@example.org" in text and "password:" not in text
    assert "can be read" in must("mail", "setup", "-g", "axis")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("from: a@example.org\nto: {}\nsmtp:\n  host: h\n  password: x\n", "line 5, column 13: no password in this file"),
        ("from: a@example.org\nto: {}\nimap_pass: x\n", "no password in this file"),
        (
            "from: a@example.org\nto: {}\nsmtp:\n  host: mail.example.org\n  security: none\n",
            "without TLS only on this machine",
        ),
        ("from: a@example.org\nto: {}\nsmtp:\n  host: h\n  security: ssl\n", "security"),
        ("from: nobody\nto: {}\n", "from: an address"),
        ('from: "a@example.org\\nBcc: b@example.org"\nto: {}\n', "from: an address"),
        ("from: a@example.org\nto:\n  nowak: <b@example.org>, c@example.org\n", "nowak: an address"),
        ("from: a@example.org\nto:\n  nowak: b\u202e@example.org\n", "nowak: an address"),
        ("from: a@example.org\nto: {}\nsmtp:\n  host: a b\n", "host: the name of a server"),
        ("from: a@example.org\nto: {}\nsmtp:\n  host: h\n  port: 99999\n", "65535"),
        ("from: a@example.org\nto: {}\nimap:\n  host: h\n", "has a user"),
        ("from: a@example.org\nto: {}\n", "no smtp server"),
        ("from: a@example.org\nto: {}\nsmtp:\n  host: h\n", "no address for nowak"),
        ("from: [", "line"),
    ],
)
def test_settings_that_are_wrong(text: str, said: str, at: Callable[[str], Path]) -> None:
    at("sent")
    Path("axis/mail.yaml").write_text(text)
    if "no smtp" in said:
        text = text.replace("to: {}", "to:\n  nowak: b@example.org")
        Path("axis/mail.yaml").write_text(text)
    done = run("mail", "send", "-g", "axis")
    assert done.code == 5 and said in done.err, done
    plainly(done)


def test_without_settings(at: Callable[[str], Path]) -> None:
    at("sent")
    for words in (["send"], ["fetch"], ["run"], ["remind"]):
        done = run("mail", *words, "-g", "axis")
        assert done.code == 5 and "pbem mail setup" in done.err


def test_a_password_that_is_nowhere(at: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    at("sent")
    monkeypatch.delenv("PBEM_SMTP_PASSWORD")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    settle("axis", smtp=smtp_lines(1))
    done = run("mail", "send", "-g", "axis")
    assert done.code == 7 and "PBEM_SMTP_PASSWORD" in done.err and "keyring set smtp://localhost:1 nowak" in done.err


def test_the_keyring_knows_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring")
    from keyring.backend import KeyringBackend

    from pbem.transport.mailbox import Server, password

    class Held(KeyringBackend):
        priority = 1  # type: ignore[assignment]

        def get_password(self, service: str, username: str) -> str | None:
            return "from the keyring" if (service, username) == ("imap://h:993", "nowak") else None

        def set_password(self, service: str, username: str, password: str) -> None:
            raise NotImplementedError

        def delete_password(self, service: str, username: str) -> None:
            raise NotImplementedError

    before = keyring.get_keyring()
    keyring.set_keyring(Held())
    try:
        server = Server("imap", "h", 993, "tls", "nowak", 30)
        assert password(server) == PASSWORD
        monkeypatch.delenv("PBEM_IMAP_PASSWORD")
        assert password(server) == "from the keyring"
    finally:
        keyring.set_keyring(before)


# -- sending --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("security", ["tls", "starttls", "none"])
def test_send_over_smtp(security: str, at: Callable[[str], Path], cert: tuple[Path, Path]) -> None:
    at("sent")
    with smtp_server(*cert, security) as office:
        settle("axis", smtp=smtp_lines(office, security))
        assert "0001-yamada sent to nowak" in must("mail", "send", "-g", "axis")
        assert must("mail", "send", "-g", "axis") == "Nothing to send: everybody has everything.\n"
    assert office.users == ([] if security == "none" else [USER])
    charter, turn = office.mails
    assert charter[:2] == turn[:2] == ("yamada@example.org", ["nowak@example.org"])
    message = message_from_bytes(turn[2], policy=policy.default)
    assert message["To"] == "nowak@example.org" and message["Subject"].endswith("(axis #1)") and message["Date"]
    assert message["References"] == message_from_bytes(charter[2], policy=policy.default)["References"]
    Path("arrived.eml").write_bytes(turn[2])
    assert "done: file 1 of yamada" in must("receive", "arrived.eml", "-g", "allies")


def test_what_a_reader_has_shown_to_know_is_not_sent(at: Callable[[str], Path], cert: tuple[Path, Path]) -> None:
    at("answered")
    with smtp_server(*cert, "none") as office:
        settle("axis", smtp=smtp_lines(office, "none"))
        out = must("mail", "send", "-g", "axis")  # the third file, if the dice asked for one
        assert "charter" not in out and "0001" not in out
        settle("allies", smtp=smtp_lines(office, "none"))
        assert must("mail", "send", "-g", "allies") == "0002-nowak sent to yamada\n"


def test_drafts_and_slips_go_by_mail_too(at: Callable[[str], Path], cert: tuple[Path, Path]) -> None:
    at("signed")
    with smtp_server(*cert, "none") as office:
        settle("allies", smtp=smtp_lines(office, "none"))
        assert must("mail", "send", "-g", "allies") == "charter sent to yamada\n"
    (mail,) = office.mails
    (document,) = in_mail(mail[2])
    assert isinstance(document, dict) and document["type"] == "charter" and "nowak" in document["signatures"]


def test_notes_go_by_mail_each_to_whom_it_is_for(at: Callable[[str], Path], cert: tuple[Path, Path]) -> None:
    at("answered")
    must("say", "all", "Good luck", "-g", "axis")
    must("say", "nowak", "a word apart", "-g", "axis")
    with smtp_server(*cert, "none") as office:
        settle("axis", smtp=smtp_lines(office, "none"))
        out = must("mail", "send", "-g", "axis")
        assert len([line for line in out.splitlines() if "note" in line and line.endswith("sent to nowak")]) == 2
        assert must("mail", "send", "-g", "axis") == "Nothing to send: everybody has everything.\n"
    assert all(b"a word apart" not in mail[2] for mail in office.mails)
    for mail in office.mails:
        Path("arrived.eml").write_bytes(mail[2])
        must("receive", "arrived.eml", "-g", "allies")
    assert "Good luck" in must("notes", "-g", "allies") and "a word apart" in must("notes", "-g", "allies")


def test_a_resignation_goes_by_mail(at: Callable[[str], Path], cert: tuple[Path, Path]) -> None:
    at("over")
    with smtp_server(*cert, "none") as office:
        settle("allies", smtp=smtp_lines(office, "none"))
        out = must("mail", "send", "-g", "allies")
    assert "slip-resignation-nowak sent to yamada" in out


def test_a_recipient_who_is_refused(at: Callable[[str], Path], cert: tuple[Path, Path]) -> None:
    at("sent")
    with smtp_server(*cert, "none") as office:
        office.refuses.add("nowak@example.org")
        settle("axis", smtp=smtp_lines(office, "none"))
        done = run("mail", "send", "-g", "axis")
        assert done.code == 5 and "does not take mail for nowak@example.org" in done.err
        plainly(done)
        office.refuses.clear()
        assert "0001-yamada sent" in must("mail", "send", "-g", "axis")


def test_a_wrong_password(at: Callable[[str], Path], cert: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    at("sent")
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "wrong")
    with smtp_server(*cert, "tls") as office:
        settle("axis", smtp=smtp_lines(office).replace("timeout: 3", "timeout: 20"))
        done = run("mail", "send", "-g", "axis")
    assert done.code == 7 and "user and password" in done.err and "wrong" not in done.err.replace("wrong key", "")
    assert not office.mails


def test_an_unknown_certificate_is_not_trusted(
    at: Callable[[str], Path],
    cert: tuple[Path, Path],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at("sent")
    other = certificate(tmp_path_factory.mktemp("other"))
    for security in ("tls", "starttls"):
        with smtp_server(*other, security) as office:
            settle("axis", smtp=smtp_lines(office, security))
            done = run("mail", "send", "-g", "axis")
        assert done.code == 5 and "no secure connection" in done.err
        assert not office.mails and not office.users


def test_a_server_without_starttls_gets_nothing(at: Callable[[str], Path], cert: tuple[Path, Path]) -> None:
    at("sent")
    with smtp_server(*cert, "none") as office:
        settle("axis", smtp=smtp_lines(office, "starttls"))
        done = run("mail", "send", "-g", "axis")
    assert done.code == 5 and not office.mails
    plainly(done)


GREETING = b"220 hello\r\n"
BAD_SMTP: dict[str, tuple[bytes | None, ...]] = {
    "hangs up at once": (None,),
    "speaks something else": (b"HTTP/1.1 400 Bad Request\r\n\r\n", None),
    "greets with control characters": (b"554 \x1b[2Jgo \xe2\x80\xae away\r\n", None),
    "answers garbage": (GREETING, b"\xff\xfe\x00garbage\r\n", None),
    "answers a line without end": (GREETING, b"250-" + b"x" * 20_000 + b"\r\n", None),
    "hangs up after the greeting": (GREETING, None),
    "hangs up in the middle": (GREETING, b"250 ok\r\n", b"250 ok\r\n", b"250 ok\r\n", b"354 go\r\n", None),
    "refuses the sender": (GREETING, b"250 ok\r\n", b"550 no\r\n", b"250 ok\r\n", None),
    "refuses the text": (GREETING, b"250 ok\r\n", b"250 ok\r\n", b"250 ok\r\n", b"354 go\r\n", *[b""] * 5, None),
    "says nothing": (b"",) * 3,
}


@pytest.mark.parametrize("name", BAD_SMTP)
def test_bad_smtp_answers(name: str, at: Callable[[str], Path]) -> None:
    at("sent")
    with scripted(*BAD_SMTP[name]) as port:
        settle("axis", smtp=smtp_lines(port, "none").replace("timeout: 3", "timeout: 1"))
        done = run("mail", "send", "-g", "axis")
    assert done.code == 5, done
    assert f"smtp://localhost:{port}" in done.err
    plainly(done)
    assert not Path("axis/mail-state.json").exists()


def test_a_broken_connection_after_the_first_mail_keeps_what_was_sent(
    at: Callable[[str], Path], cert: tuple[Path, Path]
) -> None:
    at("sent")
    state: dict[str, Any] = {}
    with smtp_server(*cert, "none") as office:
        settle("axis", smtp=smtp_lines(office, "none"))
        original = office.handle_DATA

        async def once(server: Any, session: Any, envelope: Any) -> str:
            answer = await original(server, session, envelope)
            if len(office.mails) > 1 and not state:
                state["broken"] = True
                office.mails.pop()
                server.transport.abort()
            return answer

        office.handle_DATA = once  # type: ignore[method-assign]
        done = run("mail", "send", "-g", "axis")
        assert done.code == 5 and "the connection broke" in done.err and len(office.mails) == 1
        assert must("mail", "send", "-g", "axis") == "0001-yamada sent to nowak\n"
    assert [m["Subject"].split("#")[1].rstrip(")") for m in (message_from_bytes(m[2]) for m in office.mails)] == ["0", "1"]


# -- fetching ---------------------------------------------------------------------------------------------------------------


@needs_dovecot
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_fetch_takes_this_game_and_leaves_the_rest(security: str, at: Callable[[str], Path], imap: Dovecot) -> None:
    at("sent")
    empty(imap)
    mail = Path("axis/outbox/0001-yamada.eml").read_bytes()
    put(imap, letter("lunch?"), mail, letter("I like pbem very much"), mail)
    settle("allies", imap=imap_lines(imap, security))
    out = must("mail", "fetch", "-g", "allies")
    assert out.count("done: file 1 of yamada") == 1 and "written by itself: file 2" in out, "copies are looked at once"
    assert flags(imap) == [set(), {"\\Seen", "$PbemTaken"}, set(), {"\\Seen", "$PbemTaken"}]
    again = must("mail", "fetch", "-g", "allies")
    assert "file 1 of yamada" not in again, again
    Path("allies/mail-state.json").unlink()
    assert must("mail", "fetch", "-g", "allies").count("already known") == 1


@needs_dovecot
def test_the_inbox_fetches_the_mail_of_its_games(at: Callable[[str], Path], imap: Dovecot) -> None:
    at("sent")
    empty(imap)
    mail = Path("axis/outbox/0001-yamada.eml").read_bytes()
    put(imap, letter("lunch?"), mail, mail)
    settle("allies", imap=imap_lines(imap))
    assert "file 1" not in must("inbox", "--no-mail")
    out = must("inbox")
    assert out.count("allies: done: file 1 of yamada\n") == out.count("file 1 of yamada") == 1
    assert "allies: written by itself: file 2" in out and flags(imap) == [set(), *[{"\\Seen", "$PbemTaken"}] * 2]
    assert "file 1 of" not in must("inbox")


@needs_dovecot
def test_files_in_the_wrong_order_and_one_that_is_missing(
    at: Callable[[str], Path], imap: Dovecot, moments: dict[str, Path]
) -> None:
    at("sent")
    empty(imap)
    first, third = ((moments["offered"] / f"axis/outbox/{n:04d}-yamada.eml").read_bytes() for n in (1, 3))
    settle("allies", imap=imap_lines(imap))
    put(imap, third)
    done = run("mail", "fetch", "-g", "allies")
    assert done.code == 3 and flags(imap) == [set()]
    put(imap, first)
    out = run("mail", "fetch", "-g", "allies").out
    assert "done: file 1 of yamada" in out


@needs_dovecot
def test_another_game_in_the_same_mailbox(at: Callable[[str], Path], imap: Dovecot, moments: dict[str, Path]) -> None:
    at("running")
    empty(imap)
    must("new", "other")
    must("join", "--as", "carol", "--seats", "japan", "-g", "other")
    must("join", "other/charter.yaml", "--as", "dave", "--seats", "united-states,china,united-kingdom,anzac", "-g", "dave")
    must("accept", "-g", "dave")
    must("accept", "dave/charter.yaml", "-g", "other")
    must("send", "o.yaml", "-g", "other", "--yes")
    put(imap, Path("other/outbox/0001-carol.eml").read_bytes())
    settle("allies", imap=imap_lines(imap))
    done = run("mail", "fetch", "-g", "allies")
    assert done.code == 0 and "carol" not in done.out and flags(imap) == [set()]


@needs_dovecot
def test_a_charter_waits_in_the_inbox(at: Callable[[str], Path], imap: Dovecot) -> None:
    from pbem.protocol.strict_yaml import read_document
    from pbem.transport.mail import write_eml

    at("joined")
    empty(imap)
    draft = read_document(Path("allies/charter.yaml").read_bytes())[0]
    put(imap, write_eml(draft, "abcdef12", "a charter"))
    settle("axis", imap=imap_lines(imap))
    done = run("mail", "fetch", "-g", "axis")
    assert done.code == 3 and "pbem accept" in done.out
    (kept,) = Path("axis/inbox").iterdir()
    assert "nowak" in run("accept", str(kept), "-g", "axis").out


def hostile_mails(block: str) -> dict[str, bytes]:
    """Mails around the same block with everything in their headers that mail has seen."""
    html = EmailMessage(policy=policy.SMTP)
    html["Subject"] = "only HTML"
    html.set_content(f"<html><body><p>Hi<pre>{block}</pre></body></html>", subtype="html")
    attached = EmailMessage(policy=policy.SMTP)
    attached["Subject"] = "picture and file"
    attached.set_content("pbem: see the file")
    attached.add_attachment(b"\x89PNG\x00\xff", maintype="image", subtype="png", filename="../../evil.yaml")
    attached.add_attachment(block.encode(), maintype="text", subtype="plain", filename="../../../etc/passwd")
    nested = EmailMessage(policy=policy.SMTP)
    nested["Subject"] = "forwarded"
    nested.set_content("pbem")
    inner = EmailMessage(policy=policy.SMTP)
    inner["Subject"] = "inner"
    inner.set_content(block)
    nested.add_attachment(inner)
    body = ("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + block).encode()
    return {
        "bidi": "Subject: [pbem] \u202e\u2066evil\u2069\n".encode() + body,
        "encoded words": b"Subject: =?utf-8?b?4oCuG1szMW0=?= =?x-unknown?q?=1b=5b2J?= =?utf-8?q?=00=0a=0dBcc=3a?=\n" + body,
        "very long": b"Subject: " + b"pbem " * 20_000 + b"\nX-Long: " + b"y" * 200_000 + b"\n" + body,
        "many headers": b"".join(b"X-%d: z\n" % i for i in range(5000)) + body,
        "broken address": b'From: "<<>>@@,;:\\\nSubject: pbem\nTo: @,,<\n' + body,
        "no headers at all": b"\n" + block.encode(),
        "NUL and escapes": b"Subject: a\x00b\x1b[31mc\n" + body,
        "wrong transfer encoding": b"Subject: pbem\nContent-Transfer-Encoding: x-nothing\n\n" + block.encode(),
        "unknown character set": b'Subject: pbem\nContent-Type: text/plain; charset="no-such"\n\n' + block.encode(),
        "boundary that never comes": b"Subject: pbem\nContent-Type: multipart/mixed; boundary=q\n\n--q\n" + body,
        "HTML only": html.as_bytes(),
        "attachments": attached.as_bytes(),
        "message in a message": nested.as_bytes(),
    }


@needs_dovecot
def test_hostile_mails_are_read_or_left(at: Callable[[str], Path], imap: Dovecot) -> None:
    root = at("sent")
    block = "\n".join(Path("axis/outbox/0001-yamada.eml").read_bytes().decode().split("\r\n"))
    block = block[block.index("-----BEGIN") : block.index("-----END") + 24] + "\n"
    mails = hostile_mails(block)
    settle("allies", imap=imap_lines(imap))
    before = sorted(p for p in root.rglob("*") if "allies" not in p.parts)
    for name, mail in mails.items():
        empty(imap)
        shutil.rmtree("allies")
        at("sent")
        settle("allies", imap=imap_lines(imap))
        put(imap, mail)
        done = run("mail", "fetch", "-g", "allies")
        plainly(done)
        assert done.code == 0 and "file 1 of yamada" in done.out, (name, done)
    assert sorted(p for p in root.rglob("*") if "allies" not in p.parts) == before


@needs_dovecot
def test_a_damaged_block_is_reported_once_and_left(at: Callable[[str], Path], imap: Dovecot) -> None:
    at("sent")
    empty(imap)
    put(imap, letter("-----BEGIN PBEM TURN-----\nnothing\n-----END PBEM TURN-----\n", "broken"))
    settle("allies", imap=imap_lines(imap))
    done = run("mail", "fetch", "-g", "allies")
    assert done.code == 5 and "broken" in done.out and flags(imap) == [set()]
    assert run("mail", "fetch", "-g", "allies").code == 0


@needs_dovecot
def test_a_wrong_password_for_the_mailbox(at: Callable[[str], Path], imap: Dovecot, monkeypatch: pytest.MonkeyPatch) -> None:
    at("sent")
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "wrong")
    settle("allies", imap=imap_lines(imap).replace("timeout: 3", "timeout: 20"))
    done = run("mail", "fetch", "-g", "allies")
    assert done.code == 7 and "user and password" in done.err


HELLO = b"* OK hello\r\n"
CAPABLE = b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n%t OK done\r\n"
SELECTED = b"* 3 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n%t OK [READ-WRITE] done\r\n"
LOGGED_IN = b"%T OK in\r\n"  # the tag of the command before: the line is the password
INSIDE = (HELLO, CAPABLE, b"+ \r\n", LOGGED_IN, SELECTED)
BAD_IMAP: dict[str, tuple[bytes | None, ...]] = {
    "hangs up at once": (None,),
    "speaks something else": (b"HTTP/1.1 400 Bad Request\r\n\r\n", None),
    "says goodbye with escapes": (b"* BYE \x1b[2Jgo \xe2\x80\xae away\r\n", None),
    "a line without end": (HELLO, b"* " + b"x" * 2_000_000, None),
    "hangs up before the log-in": (HELLO, CAPABLE, None),
    "refuses to select": (*INSIDE[:4], b"%t NO no such folder \x1b[31m\r\n", None),
    "a search that finds words": (*INSIDE, b"* SEARCH one two\r\n%t OK done\r\n", None),
    "a search that is refused": (*INSIDE, b"%t BAD what\r\n", None),
    "an answer to no question": (*INSIDE[:3], b"A0001 OK in\r\n", None),
    "a size that is none": (
        *INSIDE, b"* SEARCH 1\r\n%t OK done\r\n", b"* 1 FETCH (RFC822.SIZE many UID 1)\r\n%t OK done\r\n", b"",
    ),
    "hangs up within a message": (
        *INSIDE, b"* SEARCH 1\r\n%t OK done\r\n", b"* 1 FETCH (UID 1 RFC822.SIZE 99)\r\n%t OK done\r\n",
        b"* 1 FETCH (UID 1 BODY[] {99}\r\nSubject: x\r\n", None,
    ),
    "announces a terabyte": (
        *INSIDE, b"* SEARCH 1\r\n%t OK done\r\n", b"* 1 FETCH (UID 1 RFC822.SIZE 99)\r\n%t OK done\r\n",
        b"* 1 FETCH (UID 1 BODY[] {1099511627776}\r\nSubject: x\r\n", None,
    ),
    "says nothing": (HELLO, b"", b""),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_IMAP)
def test_bad_imap_answers(name: str, at: Callable[[str], Path]) -> None:
    at("sent")
    head = Path("allies/log.jsonl").read_bytes()
    with scripted(*BAD_IMAP[name]) as port:
        settle("allies", imap=imap_lines(port, "none").replace("timeout: 3", "timeout: 1"))
        done = run("mail", "fetch", "-g", "allies")
    assert done.code == (0 if name == "a size that is none" else 5), done
    if done.code:
        assert f"imap://localhost:{port}" in done.err + done.out
    plainly(done)
    assert Path("allies/log.jsonl").read_bytes() == head


# -- unattended ---------------------------------------------------------------------------------------------------------------


@needs_dovecot
def test_run_answers_what_is_no_decision_and_nothing_else(
    at: Callable[[str], Path], imap: Dovecot, cert: tuple[Path, Path]
) -> None:
    at("sent")
    empty(imap)
    put(imap, Path("axis/outbox/0001-yamada.eml").read_bytes())
    with smtp_server(*cert, "tls") as office:
        settle("allies", smtp=smtp_lines(office), imap=imap_lines(imap))
        first = json.loads(must("mail", "run", "-g", "allies", "--json"))
        assert first["fetched"]["written"] == [2]
        assert [s["mail"] for s in first["sent"]] == ["0002-nowak"]
        message = message_from_bytes(office.mails[-1][2], policy=policy.default)
        assert message["Auto-Submitted"] == "auto-generated"
        settle("axis", imap=imap_lines(imap))
        put(imap, office.mails[-1][2])
        settle("axis", smtp=smtp_lines(office), imap=imap_lines(imap))
        must("mail", "run", "-g", "axis")
        files, mails = sorted(p.name for p in Path("axis/files").iterdir()), len(office.mails)
        given = [row for row in json.loads(must("log", "-g", "axis", "--json")) if row["player"] == "yamada" and row["orders"]]
        assert len(given) == 1  # those that he gave himself
        for _ in range(2):
            must("mail", "run", "-g", "axis")
        assert sorted(p.name for p in Path("axis/files").iterdir()) == files and len(office.mails) == mails


@needs_dovecot
def test_run_sends_though_the_mailbox_fails_and_the_other_way_round(
    at: Callable[[str], Path], imap: Dovecot, cert: tuple[Path, Path]
) -> None:
    at("sent")
    empty(imap)
    with smtp_server(*cert, "tls") as office:
        settle("axis", smtp=smtp_lines(office), imap=imap_lines(1))
        done = run("mail", "run", "-g", "axis")
        assert done.code == 5 and "0001-yamada sent" in done.out and "imap://localhost:1" in done.out
    put(imap, office.mails[-1][2])
    settle("allies", smtp=smtp_lines(1), imap=imap_lines(imap))
    done = run("mail", "run", "-g", "allies")
    assert done.code == 5 and "file 1 of yamada" in done.out and "smtp://localhost:1" in done.out


def test_run_never_answers_an_offer(at: Callable[[str], Path], cert: tuple[Path, Path]) -> None:
    at("offered")
    with smtp_server(*cert, "none") as office:
        settle("allies", smtp=smtp_lines(office, "none"))
        before = Path("allies/log.jsonl").read_bytes()
        must("mail", "run", "-g", "allies")
    assert Path("allies/log.jsonl").read_bytes() == before and not office.mails


# -- reminders ----------------------------------------------------------------------------------------------------------------


def test_one_reminder_a_day_and_file(
    at: Callable[[str], Path], cert: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.store import clock

    at("answered")
    with smtp_server(*cert, "none") as office:
        settle("allies", smtp=smtp_lines(office, "none"))
        assert "less than 24 hours" in must("mail", "remind", "-g", "allies")
        assert must("mail", "remind", "--after", "0", "-g", "allies") == "yamada is reminded.\n"
        assert "there was one today" in must("mail", "remind", "--after", "0", "-g", "allies")
        monkeypatch.setattr(clock, "now", lambda: "2100-01-01T00:00:00Z")
        must("mail", "remind", "-g", "allies")
    assert len(office.mails) == 2
    _, to, data = office.mails[0]
    message = message_from_bytes(data, policy=policy.default)
    assert to == ["yamada@example.org"] and message["Subject"].startswith("Reminder: Axis & Allies")
    assert message["Auto-Submitted"] == "auto-generated"
    text = message.get_body(("plain",)).get_content()
    assert "yamada has to send" in text and "2100" not in text
    Path("reminder.eml").write_bytes(data)
    assert "already known" in must("receive", "reminder.eml", "-g", "axis")


def test_a_reminder_to_oneself_and_none_when_the_game_is_over(at: Callable[[str], Path], cert: tuple[Path, Path]) -> None:
    at("running")
    with smtp_server(*cert, "none") as office:
        settle("axis", smtp=smtp_lines(office, "none"))
        must("mail", "remind", "--after", "0", "-g", "axis")
        assert office.mails[0][1] == ["yamada@example.org"]
        at("over")
        assert "the game is over" in must("mail", "remind", "--after", "0", "-g", "axis")


def test_a_damaged_note_of_what_was_sent(at: Callable[[str], Path]) -> None:
    at("sent")
    settle("axis", smtp=smtp_lines(1, "none"))
    for text in ("", "[]", '{"sent": 1}', '{"other": {}}', "\udcff".encode("utf-8", "surrogatepass").decode("latin-1")):
        Path("axis/mail-state.json").write_text(text)
        done = run("mail", "send", "-g", "axis")
        assert done.code == 5 and "delete it" in done.err
