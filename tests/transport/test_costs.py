"""What reading costs grows with the size of the input and no faster: counted, not timed (tests/benchmarks has the times)."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.transport import armor, cleaning, mail, message
from pbem.transport.armor import sift, write_block
from pbem.transport.mail import gather, in_mail, write_eml

BEGIN = "-----BEGIN PBEM TURN-----\n"
DOCUMENT: dict[str, Any] = {"pbem": 2, "type": "turn", "seq": 3, "player": "nowak", "orders": ["done"] * 30}


class Counted:
    """A function that says how often it was called, and with how many bytes or characters."""

    def __init__(self, function: Any) -> None:
        self.function, self.calls, self.size = function, 0, 0

    def __call__(self, *given: Any, **more: Any) -> Any:
        self.calls += 1
        self.size += len(given[0])
        return self.function(*given, **more)


class Marks:
    """A pattern that counts its matches."""

    def __init__(self, pattern: Any) -> None:
        self.pattern, self.found = pattern, 0

    def finditer(self, text: str) -> Any:
        for match in self.pattern.finditer(text):
            self.found += 1
            yield match


@pytest.mark.parametrize("lines", [1000, 4000])
def test_each_line_that_begins_a_block_is_looked_at_once(lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = Marks(armor._MARK)
    read = Counted(armor._read_block)
    monkeypatch.setattr(armor, "_MARK", marks)
    monkeypatch.setattr(armor, "_read_block", read)
    (found,) = sift(BEGIN * lines)
    assert isinstance(found, ProtocolError) and "cut" in str(found)
    assert marks.found == lines and read.calls == 0


def test_only_the_last_of_many_beginnings_has_a_block() -> None:
    found = list(sift(BEGIN * 500 + write_block(DOCUMENT) + BEGIN))
    assert found[0] == DOCUMENT and len(found) == 2 and isinstance(found[1], ProtocolError)


def test_a_block_ends_at_the_first_end_of_its_word() -> None:
    block = write_block(DOCUMENT)
    found = list(sift(block.replace("-----PBEM ARMOR-----", "-----END PBEM SLIP-----\n-----PBEM ARMOR-----")))
    assert found == [DOCUMENT]
    assert list(sift(block + "-----END PBEM TURN-----\n")) == [DOCUMENT]


def test_blocks_that_hold_nothing_are_told_in_one_line() -> None:
    found = list(sift((BEGIN + "-----END PBEM TURN-----\n") * 300 + write_block(DOCUMENT)))
    assert found[0] == DOCUMENT and str(found[1]) == "300 blocks hold nothing that could be a file" and len(found) == 2
    assert [str(f) for f in sift(BEGIN + "-----END PBEM TURN-----\n")] == ["1 block holds nothing that could be a file"]


@pytest.mark.parametrize("place", ["folder", "mbox"])
def test_a_mail_that_came_a_thousand_times_is_read_once(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = write_eml(DOCUMENT, "abc", "due").replace(b"\r\n", b"\n")
    if place == "folder":
        for n in range(1000):
            (tmp_path / f"{n:04}.eml").write_bytes(one)
    else:
        (tmp_path / "m.mbox").write_bytes((b"From a@example.org Sat Nov 21 07:00:00 2026\n" + one) * 1000)
    taken_apart = Counted(message.message_from_bytes)
    monkeypatch.setattr(message, "message_from_bytes", taken_apart)
    assert [d for _, d in gather(tmp_path)] == [DOCUMENT]
    assert taken_apart.calls == 1


def test_no_reading_of_a_block_sees_more_than_a_few_times_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Counted(cleaning.clean)
    monkeypatch.setattr(cleaning, "clean", seen)
    body = "<br>" + "<a b=" * 20_000
    list(sift(f"{BEGIN}{body}\n-----END PBEM TURN-----"))
    assert seen.size < 10 * len(body)


@pytest.mark.parametrize("filler", ["<", "<!--", "</", "<a b=", "<a b='", "<![CDATA[", "<script>", "&#", "&#9999999999;"])
def test_tags_and_entities_that_never_end_cost_no_more_than_their_length(filler: str) -> None:
    """Python's own parser takes minutes for half a megabyte of `<a b=`; this is done before the test times out."""
    text = "<br>" + filler * (500_000 // len(filler))
    assert len(cleaning.without_tags(text)) <= len(text)


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<p>a<br>b</p><div class='x>y'>c</div>", "\na\nb\n\nc\n"),
        ("<br>1 < 2 &amp; 3 > 2", "\n1 < 2 & 3 > 2"),
        ("a<!-- <p>no</p> -->b<br>", "ab\n"),
        ("<!DOCTYPE html><html><b>x</b>&#65;&#x42;</html>", "xAB"),
        ("<br>a<!-- never ends <p>b</p>", "\na"),
        ("<br>&#99999999999;", "\n\ufffd"),
        ("no tag at all < > &amp;", "no tag at all < > &amp;"),
    ],
)
def test_the_words_of_a_page(html: str, words: str) -> None:
    assert cleaning.without_tags(html) == words


def test_what_is_too_large_is_said_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(armor, "MAX_BLOCK", 1000)
    (found,) = sift(f"{BEGIN}{'x' * 2000}\n-----END PBEM TURN-----")
    assert isinstance(found, ProtocolError) and found.outcome is Outcome.TOO_LARGE
    armored = f"{BEGIN}-----PBEM ARMOR-----\n{'A' * 3_000_000}=\n=AAAA\n-----END PBEM TURN-----"
    monkeypatch.setattr(armor, "MAX_BLOCK", 16 << 20)
    (found,) = sift(armored)
    assert isinstance(found, ProtocolError) and found.outcome is Outcome.TOO_LARGE


def test_crc24_of_openpgp() -> None:
    assert armor.crc24(b"") == 0xB704CE
    assert armor.crc24(b"123456789") == 0x21CF02
    assert armor.crc24(bytes(range(256)) * 3) == slow_crc24(bytes(range(256)) * 3)


def slow_crc24(data: bytes) -> int:
    """RFC 4880, bit by bit."""
    crc = 0xB704CE
    for byte in data:
        crc ^= byte << 16
        for _ in range(8):
            crc = (crc << 1) ^ (0x1864CFB if crc & 0x800000 else 0)
    return crc & 0xFFFFFF


# -- mails -------------------------------------------------------------------------------------------------------------------


def with_parts(count: int) -> bytes:
    head = b"Subject: pbem\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"
    return head + b"--x\n\nPBEM\n" * count


@pytest.mark.parametrize(
    "data",
    [
        with_parts(1001),
        b"Subject: pbem\n" + b"Content-Type: message/rfc822\n\n" * 101,
        b"Subject: pbem\n" + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(101)),
        b"Subject: pbem\n\n" + b"".join(b"boundary=b%d\n" % n for n in range(101)),
    ],
)
def test_a_mail_of_more_parts_than_anybody_writes_is_not_taken_apart(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message, "message_from_bytes", None)
    (found,) = in_mail(data)
    assert isinstance(found, ProtocolError) and "nobody writes such" in str(found) and found.source == data


def test_a_mail_of_a_thousand_parts_is_read() -> None:
    found = in_mail(with_parts(998) + f"--x\n\n{write_block(DOCUMENT)}\n--x--\n".encode())
    assert DOCUMENT in found


@pytest.mark.parametrize("name", ["From", "To", "Subject", "Content-Type", "Content-Disposition", "Content-Transfer-Encoding"])
@pytest.mark.parametrize(
    "value", ["(" * 9000, "a=b;" * 200_000, "=?utf-8?q?=41?= " * 9000, '"' * 9000, "\\" * 9000, "<" * 9000]
)
def test_a_header_of_any_length_and_kind_is_no_trouble(name: str, value: str) -> None:
    data = f"Subject: pbem\n{name}: {value}\nMIME-Version: 1.0\n\n{write_block(DOCUMENT)}".encode()
    found = in_mail(data)
    assert found == [DOCUMENT] or (len(found) == 1 and isinstance(found[0], ProtocolError))
    assert len(mail.heading(data)) < 200 and "\n" not in mail.heading(data)


def test_a_postmark_that_never_ends_is_none(tmp_path: Path) -> None:
    (tmp_path / "m.mbox").write_bytes(b"From 12:30" * 300_000)
    ((_, found),) = gather(tmp_path / "m.mbox")
    assert isinstance(found, ProtocolError) and "no mail" in str(found)


# -- text and attachment -------------------------------------------------------------------------------------------------------


def letter(text: str, *attached: dict[str, Any]) -> bytes:
    made = EmailMessage()
    made["Subject"], made["From"] = "[pbem abc]", "nowak@example.org"
    made.set_content(text)
    for document in attached:
        made.add_attachment(write_document(document).encode(), maintype="application", subtype="yaml", filename="f.yaml")
    return made.as_bytes()


def test_text_and_attachment_that_agree_are_one_document() -> None:
    assert in_mail(letter(write_block(DOCUMENT), DOCUMENT)) == [DOCUMENT]
    typographic = write_block({**DOCUMENT, "note": ['say "hello" -- and go']})
    without_armor = typographic[: typographic.index("-----PBEM ARMOR")] + "-----END PBEM TURN-----\n"
    changed = without_armor.replace(" -- ", " \u2013 ")
    assert in_mail(letter(changed, {**DOCUMENT, "note": ['say "hello" -- and go']})) == [
        {**DOCUMENT, "note": ['say "hello" -- and go']}
    ]


def test_text_and_attachment_of_one_place_that_differ_are_both_refused() -> None:
    (found,) = in_mail(letter(write_block({**DOCUMENT, "orders": ["retreat"]}), DOCUMENT))
    assert isinstance(found, ProtocolError) and "different things: orders" in str(found) and "retreat" in str(found)


def test_an_answer_that_quotes_another_file_brings_both() -> None:
    quoted = {**DOCUMENT, "seq": 2, "player": "yamada"}
    text = "\n".join(f"> {line}" for line in write_block(quoted).splitlines())
    found = in_mail(letter(f"Here I am.\n\n{text}\n", DOCUMENT))
    assert DOCUMENT in found and quoted in found and len(found) == 2


def test_a_damaged_text_does_not_hide_the_attachment() -> None:
    assert in_mail(letter(write_block(DOCUMENT)[:150], DOCUMENT)) == [DOCUMENT]


def test_one_place_that_differs_keeps_no_other_attachment_from_being_taken() -> None:
    other = {**DOCUMENT, "seq": 4}
    found = in_mail(letter(write_block({**DOCUMENT, "orders": []}), DOCUMENT, other))
    assert other in found and DOCUMENT not in found and len(found) == 2


# -- folders -------------------------------------------------------------------------------------------------------------------


def test_a_file_of_a_folder_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(write_document({**DOCUMENT, "seq": ord(name[0])}))
    original = Path.read_bytes

    def failing(self: Path) -> bytes:
        if self.name == "a.yaml":
            raise PermissionError(13, "Permission denied", str(self))
        return original(self)

    monkeypatch.setattr(Path, "read_bytes", failing)
    found = gather(tmp_path)
    assert [where for where, _ in found] == ["b.yaml", "a.yaml"]
    assert "Permission denied" in str(found[1][1])


def test_a_file_of_a_folder_that_was_cut_is_named_and_other_things_are_not(tmp_path: Path) -> None:
    (tmp_path / "0007-nowak.yaml").write_text(write_document(DOCUMENT)[:60] + "[")
    (tmp_path / "orders.yaml").write_text("orders: [\n")
    (tmp_path / "letter.eml").write_bytes(b"Subject: hello\nFrom: a friend\nReceived: x\n\n-----BEGIN something\n")
    assert [where for where, _ in gather(tmp_path)] == ["0007-nowak.yaml"]


def test_mails_of_an_mbox_are_named_by_sender_and_subject(tmp_path: Path) -> None:
    cut = letter(write_block(DOCUMENT)[:400])
    (tmp_path / "m.mbox").write_bytes(b"From a Sat Nov 21 07:00:00 2026\n" + cut)
    ((where, found),) = gather(tmp_path / "m.mbox")
    assert where == "m.mbox, nowak@example.org, [pbem abc]" and isinstance(found, ProtocolError) and found.source
