"""What is found in mails, files and folders, in which order and under which name; what a mail says twice must agree."""

from __future__ import annotations

import mailbox
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.transport import mail
from pbem.transport.armor import MAX_TEXT, write_block
from pbem.transport.mail import gather, in_mail, in_order, write_eml
from pbem.transport.message import decode, heading, in_message, one_line

GAME = "ab" * 32
TURN: dict[str, Any] = {
    "pbem": 2,
    "type": "turn",
    "game": GAME,
    "seq": 3,
    "player": "nowak",
    "orders": ["go"],
    "note": ["Łódź"],
}
OTHER = {**TURN, "orders": ["halt"]}
CHARTER: dict[str, Any] = {"pbem": 2, "type": "charter", "nonce": GAME, "note": ["x" * 80]}
SLIP: dict[str, Any] = {
    "pbem": 2,
    "type": "slip",
    "slip": "request",
    "game": GAME,
    "head": GAME,
    "player": "nowak",
    "text": "x",
}


def letter(text: str = "", *attached: tuple[str, str], html: str = "", **headers: str) -> bytes:
    made = EmailMessage()
    for name, value in {"From": "nowak@example.org", "Subject": "my turn", **headers}.items():
        made[name] = value
    made.set_content(text)
    if html:
        made.add_alternative(html, subtype="html")
    for name, body in attached:
        made.add_attachment(body.encode(), maintype="application", subtype="yaml", filename=name)
    return made.as_bytes()


def told(found: Any) -> Any:
    return str(found) if isinstance(found, ProtocolError) else found


def all_told(found: list[Any]) -> list[Any]:
    return [told(one) for one in found]


# -- one mail ------------------------------------------------------------------------------------------------------


def test_attachments_and_text_of_a_mail() -> None:
    yaml = write_document(TURN)
    assert in_message(letter("hello", ("t.yaml", yaml))) == [TURN] == in_message(letter("hello", ("T.YML", yaml)))
    assert in_message(letter(write_block(TURN))) == [TURN]
    assert in_message(letter(write_block(TURN), ("t.yaml", yaml))) == [TURN], "twice the same is once"
    assert in_message(letter(write_block(SLIP), ("t.yaml", yaml))) == [TURN, SLIP]
    assert in_message(letter("hello", ("t.txt", yaml))) == [] == in_message(letter("hello"))
    assert in_message(letter("hello", html=f"<html><pre>{write_block(TURN)}</pre></html>")) == [TURN]
    assert in_message(letter(write_block(SLIP), html=f"<pre>{write_block(TURN)}</pre>")) == [SLIP], "plain text before HTML"


def test_what_is_good_is_taken_else_the_reason_is_told() -> None:
    assert in_message(letter(write_block(TURN), ("t.yaml", "a: 1\na: 2\n"))) == [TURN]
    (cut,) = in_message(letter("-----BEGIN PBEM TURN-----\nx"))
    assert told(cut) == "a block begins but its end is missing: the text was cut; ask for the file again"
    (bad,) = in_message(letter("hello", ("t.yaml", "pbem: 1\npbem: 2\n")))
    assert told(bad) == "line 2, column 1: the key 'pbem' stands twice"
    assert all_told(in_message(letter("-----BEGIN PBEM TURN-----", ("t.yaml", "pbem: 1\npbem: 2\n")))) == [told(cut)]


def test_a_text_and_its_attachment_that_differ_are_both_left() -> None:
    (found,) = in_message(letter(write_block(OTHER), ("t.yaml", write_document(TURN))))
    assert told(found) == (
        'its text and its attached file say different things: orders: ["halt"] and ["go"]; neither is taken: '
        "ask which of them counts"
    )
    loose = {**TURN, "note": ["\u201cŁódź\u201d"]}
    assert in_message(letter(write_block(loose), ("t.yaml", write_document(TURN)))) == [TURN]
    elsewhere = {**TURN, "seq": 4}
    assert in_message(letter(write_block(elsewhere), ("t.yaml", write_document(TURN)))) == [TURN, elsewhere]
    for document, changes in (
        (CHARTER, {"note": ["y"]}),
        (SLIP, {"text": "y"}),
        (TURN, {"type": "undo"}),
    ):
        text = write_block({**document, **changes})
        (found,) = in_message(letter(text, ("t.yaml", write_document(document))))
        assert told(found).startswith("its text and its attached file say different things: ")
    for document, changes in (
        (CHARTER, {"nonce": "cd" * 32}),
        (SLIP, {"slip": "refusal"}),
        (SLIP, {"head": "cd" * 32}),
        (SLIP, {"player": "dubois"}),
        (SLIP, {"game": "cd" * 32}),
        (TURN, {"player": "dubois"}),
        (TURN, {"game": "cd" * 32}),
    ):
        changed = {**document, **changes}
        assert in_message(letter(write_block(changed), ("t.yaml", write_document(document)))) == [document, changed]


def test_a_mail_that_nobody_writes_is_told() -> None:
    why = "the mail has more than 100 parts in each other or 1000 in all: nobody writes such"
    nested = b"Content-Type: multipart/mixed; boundary=x\n\n" * 101
    assert all_told(in_message(nested)) == [why]
    assert all_told(in_message(b"Content-Type : message/rfc822\n\n" * 101)) == [why]
    assert all_told(in_message(b"Subject: x\n\n" + b"Content-Type: multipart/mixed\n" * 100)) == []
    parts = b"Content-Type: multipart/mixed; boundary=b\n\n" + b"\n--b\n\nx" * 1001
    assert all_told(in_message(parts)) == [why]
    assert in_message(b"Content-Type: multipart/mixed; boundary=b\n\n" + b"\n--b\n\nx" * 1000) == []
    many = b"".join(b'boundary="b%d"\n' % i for i in range(101))
    assert all_told(in_message(b"Subject: x\n\n" + many)) == [why]
    assert in_message(b"Subject: x\n\n" + b"".join(b'boundary="b%d"\n' % i for i in range(100))) == []


def test_headers_are_cut_before_anything_is_made_of_them() -> None:
    def named(name: str) -> bytes:
        return f'Content-Type: application/yaml\nContent-Disposition: attachment; filename="{name}.yaml"\n\npbem: 2\n'.encode()

    assert in_message(named("x" * 900)) == [{"pbem": 2}] and in_message(named("x" * 1000)) == []


def test_a_text_has_the_letters_that_its_mail_declares() -> None:
    document = {**TURN, "note": ["Łódź " * 20]}
    readable = write_block(document).partition("-----PBEM ARMOR")[0]
    head = b"Content-Type: text/plain; charset=iso-8859-2\nContent-Transfer-Encoding: 8bit\n\n"
    data = head + f"{readable}-----END PBEM TURN-----\n".encode("iso-8859-2")
    assert in_message(data) == [document]


def test_a_mail_on_which_the_library_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.transport.message._parts", lambda data: 1 // 0)
    assert all_told(in_message(b"x")) == ["the parts of the mail cannot be told apart (ZeroDivisionError)"]


def test_an_error_has_the_bytes_that_could_not_be_read() -> None:
    data = letter("-----BEGIN PBEM TURN-----\nx").replace(b"\n", b"\r\n")
    (error,) = in_mail(data)
    assert isinstance(error, ProtocolError) and error.source == data
    assert in_mail(letter(write_block(TURN)).replace(b"\n", b"\r\n")) == [TURN]


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("Łódź".encode(), None, "Łódź"),
        ("Łódź".encode(), "iso-8859-1", "Łódź"),
        ("Łódź".encode("iso-8859-2"), "iso-8859-2", "Łódź"),
        ("café".encode("cp1252"), None, "caf\ufffd"),
        ("café".encode("cp1252"), "nonsense", "café"),
        ("café".encode("cp1252"), "us-ascii", "café"),
        ("Łódź".encode("utf-16"), "utf-16", "Łódź"),
        (b"caf\xe9", "utf-8", "caf\ufffd"),
        (b"\x81\xe9", "us-ascii", "\ufffd\ufffd"),
    ],
)
def test_text_of_bytes(data: bytes, charset: str | None, text: str) -> None:
    assert decode(data, charset) == text


def test_sender_and_subject_on_one_line() -> None:
    assert heading(letter()) == "nowak@example.org, my turn"
    assert heading(b"Subject: =?utf-8?b?xYHDs2TFug==?=\n\nFrom: x") == "Łódź" and heading(b"\n\nx") == "a mail"
    assert heading(b"From: " + b"a" * 500 + b"\nSubject: " + b"b" * 500 + b"\n\n") == "a" * 80 + ", " + "b" * 80
    assert heading(b"X: " + b"y" * (1 << 16) + b"\nSubject: late\n\n") == "a mail"
    assert heading(b"Subject: =?nonsense?b?xYHDs2TFug==?=\n\n") == "a mail"
    for size, start in ((300, "aaa"), (301, "=?utf-8?q?aaa")):
        assert heading(b"Subject: =?utf-8?q?" + b"a" * (size - 12) + b"?=\n\n").startswith(start)
    assert heading(b"Subject: a\x07b \x1b[31mc\n\n") == "a b [31mc"
    assert one_line(" a\nb\tc\u2028d\x00e ") == "a b c d e"


# -- files and folders ---------------------------------------------------------------------------------------------


def names(found: list[Any]) -> list[tuple[str, Any]]:
    return [(where, told(one)) for where, one in found]


def test_a_text_and_a_file(tmp_path: Path) -> None:
    assert gather(write_block(TURN)) == [("the text", TURN)]
    ((where, error),) = gather("Dear friend")
    assert (where, told(error)) == ("the text", "no pbem file and no block that begins with -----BEGIN PBEM")
    assert isinstance(error, ProtocolError) and error.source == b"Dear friend"
    for name in ("t.yaml", "t.txt", "odd"):
        (tmp_path / name).write_text(write_document(TURN), "utf-8", newline="\r\n")
        assert gather(tmp_path / name) == [(name, TURN)]
    with pytest.raises(OSError):
        gather(tmp_path / "none")
    (tmp_path / "x.txt").write_text("Dear friend")
    assert names(gather(tmp_path / "x.txt")) == [("x.txt", "no pbem file and no block that begins with -----BEGIN PBEM")]


def test_a_mail_and_a_box_of_mails(tmp_path: Path) -> None:
    (tmp_path / "m.eml").write_bytes(letter(write_block(TURN)))
    (tmp_path / "m").write_bytes(letter(write_block(TURN)))
    for name in ("m.eml", "m"):
        assert gather(tmp_path / name) == [(f"{name}, nowak@example.org, my turn", TURN)]
    (tmp_path / "none.eml").write_bytes(letter("hello"))
    assert names(gather(tmp_path / "none.eml")) == [("none.eml", "no mail in it holds a pbem file")]
    box = mailbox.mbox(tmp_path / "box.mbox")
    for document, subject in ((TURN, "one"), (SLIP, "two"), (TURN, "one"), (CHARTER, "three")):
        box.add(letter(f"From here on\n{write_block(document)}", Subject=subject))
    box.close()
    expected = [
        ("box.mbox, nowak@example.org, three", CHARTER),
        ("box.mbox, nowak@example.org, one", TURN),
        ("box.mbox, nowak@example.org, two", SLIP),
    ]
    assert gather(tmp_path / "box.mbox") == expected
    (tmp_path / "inbox").write_bytes((tmp_path / "box.mbox").read_bytes())
    assert [d for _, d in gather(tmp_path / "inbox")] == [d for _, d in expected], "a box is known by its first line"


def test_a_folder_holds_files_of_other_things_too(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text(write_document(TURN))
    (tmp_path / "a.txt").write_text(write_block(SLIP))
    (tmp_path / "c.PBEM").write_text(write_block(CHARTER))
    (tmp_path / "again.yaml").write_text(write_document(TURN))
    (tmp_path / "notes.txt").write_text("Dear friend")
    (tmp_path / "orders.yaml").write_text("orders: [go]\n")
    (tmp_path / "picture.png").write_text(write_block(OTHER))
    (tmp_path / "mail.eml").write_bytes(letter("hello"))
    (tmp_path / "broken.yaml").write_text("pbem: 2\npbem: 2\n")
    (tmp_path / "cut.txt").write_text("-----BEGIN PBEM TURN-----\n")
    (tmp_path / "folder.yaml").mkdir()
    assert names(gather(tmp_path)) == [
        ("c.PBEM", CHARTER),
        ("again.yaml", TURN),
        ("a.txt", SLIP),
        ("broken.yaml", "line 2, column 1: the key 'pbem' stands twice"),
        ("cut.txt", "a block begins but its end is missing: the text was cut; ask for the file again"),
    ]


def test_files_that_cannot_be_read_and_that_are_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone.yaml").write_text("x")

    def fail(self: Any, path: Path) -> Any:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(mail._Reader, "file", fail)
        assert names(mail._Reader().in_folder(tmp_path / "gone.yaml")) == [
            ("gone.yaml", "the file cannot be read: Permission denied")
        ]
    monkeypatch.setattr(mail, "MAX_TEXT", 10)
    (tmp_path / "large.txt").write_text("x" * 41)
    ((where, error),) = gather(tmp_path / "large.txt")
    assert (where, told(error)) == ("large.txt", "more than 40 bytes") and isinstance(error, ProtocolError)
    assert error.outcome is Outcome.TOO_LARGE and [w for w, _ in gather(tmp_path)] == ["large.txt"]
    (tmp_path / "large.txt").write_text("x" * 40)
    assert told(gather(tmp_path / "large.txt")[0][1]) != "more than 40 bytes"
    assert MAX_TEXT == 1 << 25


def test_the_order_of_what_was_found() -> None:
    late, odd, error = {**TURN, "seq": 12}, {"type": "turn", "seq": "x"}, ProtocolError(Outcome.UNREADABLE, "x")
    found: list[Any] = [(1, error), (2, SLIP), (3, late), (4, TURN), (5, CHARTER), (6, odd), (7, error)]
    assert [n for n, _ in in_order(found)] == [5, 6, 4, 3, 2, 1, 7]


def test_an_eml_is_ready_to_send() -> None:
    data = write_eml(TURN, "pacific\nBcc: x", "Yamada is due.")
    assert data.startswith(b"Subject: [pbem pacific Bcc: x] #3\r\n") and b"Yamada is due.\r\n\r\n-----BEGIN" in data
    assert b'filename="pbem-pacific Bcc: x-0003.yaml"' in data and b"application/yaml" in data
    assert in_mail(data) == [TURN]
    assert write_eml(SLIP, "g", "x", True).startswith(b"Subject: Reminder: [pbem g] #0\r\n")


@pytest.mark.parametrize("code", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
@pytest.mark.parametrize("name", ["a.eml", "a.mbox", "a.txt", "a.yaml"])
def test_a_file_that_a_shell_or_an_editor_has_written_in_utf_16_is_read(code: str, name: str, tmp_path: Path) -> None:
    """What a Windows shell puts into a file with `>` begins with a mark and has two bytes for each letter."""
    text = {"a.yaml": write_document(TURN), "a.txt": write_block(TURN)}.get(name) or letter(write_block(TURN)).decode()
    text = f"From nowak Mon Jan  5 10:00:00 2026\n{text}" if name == "a.mbox" else text
    mark = "\ufeff" if code in ("utf-16-le", "utf-16-be") else ""
    (tmp_path / name).write_bytes((mark + text.replace("\n", "\r\n")).encode(code))
    assert [document for _, document in gather(tmp_path / name)] == [TURN]
    assert [document for _, document in gather(tmp_path)] == [TURN]
