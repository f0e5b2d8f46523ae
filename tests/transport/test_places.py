"""Where mails lie: folders, Maildirs, boxes of many mails, names with capitals; and what a fault in one of them is told of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.transport import mail
from pbem.transport.armor import write_block
from pbem.transport.mail import files_of, gather, gather_bytes, gather_one, in_mail, in_order, write_eml
from tests.transport.test_reading import CHARTER, SLIP, TURN, all_told, letter, names, told

NOTE: dict[str, Any] = {"pbem": 2, "type": "note", "player": "nowak", "text": "x" * 80}
POSTMARK = b"From nowak@example.org Thu Jan  1 12:34:56 2026\n"
NOTHING = "no mail in it holds a pbem file"


def test_the_files_of_a_source(tmp_path: Path) -> None:
    for name in ("b.YAML", "a.eml", "c.png", "d", "e.pbem"):
        (tmp_path / name).write_text("x")
    (tmp_path / "f.yaml").mkdir()
    assert files_of(tmp_path) == [tmp_path / "a.eml", tmp_path / "b.YAML", tmp_path / "e.pbem"]
    assert files_of(tmp_path / "d") == [tmp_path / "d"], "one that is named may have any name"
    with pytest.raises(FileNotFoundError):
        files_of(tmp_path / "none")


def test_every_mail_of_a_maildir(tmp_path: Path) -> None:
    for box, name in (("new", "2.host"), ("new", "1.host"), ("cur", "3.host:2,S"), ("tmp", "4.host")):
        (tmp_path / box).mkdir(exist_ok=True)
        (tmp_path / box / name).write_text("x")
    (tmp_path / "cur" / "folder").mkdir()
    (tmp_path / "beside.yaml").write_text("x")
    found = ["beside.yaml", "cur/3.host:2,S", "new/1.host", "new/2.host"]
    assert files_of(tmp_path) == [tmp_path / name for name in found]
    (tmp_path / "new" / "2.host").unlink()
    (tmp_path / "new" / "1.host").unlink()
    (tmp_path / "new").rmdir()
    assert files_of(tmp_path) == [tmp_path / "beside.yaml"], "half a Maildir is none"


def test_one_file_of_many_or_one_that_somebody_names(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(write_document(TURN))
    (tmp_path / "other.txt").write_text("Dear friend")
    assert gather_one(tmp_path / "t.yaml", named=False) == gather_one(tmp_path / "t.yaml", named=True) == [("t.yaml", TURN)]
    assert gather_one(tmp_path / "other.txt", named=False) == []
    assert names(gather_one(tmp_path / "other.txt", named=True)) == [("other.txt", NOTHING)]
    assert names(gather_one(tmp_path / "gone.txt", named=False)) == [
        ("gone.txt", "the file cannot be read: No such file or directory")
    ]


def test_an_error_of_the_disk_without_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Any, path: Path) -> Any:
        raise OSError

    monkeypatch.setattr(mail._Reader, "file", fail)
    assert names(gather_one(tmp_path / "x.yaml", named=True)) == [("x.yaml", "the file cannot be read: ")]


def test_the_bytes_of_one_file() -> None:
    assert gather_bytes(write_document(TURN).encode()) == [("the file", TURN)]
    both = POSTMARK + letter(write_block(SLIP)) + POSTMARK + letter(write_block(TURN)) + POSTMARK + letter(write_block(TURN))
    assert [found for _, found in gather_bytes(both)] == [TURN, SLIP], "sorted, each once"
    assert names(gather_bytes(b"Dear friend"))[0][0] == "the file"


def test_line_ends_of_any_kind_in_mails() -> None:
    two = letter("hello", ("t.yaml", write_document(TURN))).replace(b"\n", b"\r\n")
    assert in_mail(two) == [TURN] == [found for _, found in gather_bytes(two)]
    nested = (
        b"Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" + b"\r\n--b\r\n\r\nx" * 1001
    )
    assert "1000 in all" in all_told(in_mail(nested))[0], "parts are counted with these line ends too"


def test_what_cannot_be_read_is_told_of_once_whatever_its_line_ends(tmp_path: Path) -> None:
    broken = write_block(TURN).replace("END PBEM", "BEGIN PBEM")
    (tmp_path / "a.txt").write_bytes(broken.encode())
    (tmp_path / "b.txt").write_bytes(broken.replace("\n", "\r\n").encode())
    assert [where for where, _ in gather(tmp_path)] == ["a.txt"]


def test_a_text_of_a_windows_shell_that_was_cut_in_the_middle_of_a_letter() -> None:
    whole = write_block(TURN).encode("utf-16")
    assert gather_bytes(whole) == [("the file", TURN)] == gather_bytes(whole + b"x")
    ((_, found),) = gather_bytes(whole[: len(whole) // 2 | 1])
    assert isinstance(found, ProtocolError) and found.outcome is Outcome.UNREADABLE


def test_the_order_in_which_files_are_taken() -> None:
    charter, late_slip = {**CHARTER, "seq": 9}, {**SLIP, "seq": 1}
    found: list[Any] = [(1, NOTE), (2, late_slip), (3, {**TURN, "seq": 99}), (4, charter), (5, {"type": "odd"})]
    assert [n for n, _ in in_order(found)] == [4, 5, 3, 2, 1]
    first: list[Any] = [(1, {"type": "turn", "seq": 1}), (2, {"type": "turn", "seq": "x"})]
    assert [n for n, _ in in_order(first)] == [2, 1]


# -- boxes -----------------------------------------------------------------------------------------------------------


def test_a_box_is_known_by_its_name_or_its_postmark() -> None:
    data = POSTMARK + letter(write_block(TURN))
    reader = mail._Reader
    assert reader().content(data, "inbox") == [("inbox, nowak@example.org, my turn", TURN)]
    assert reader().content(b"From x\n" + data, "odd.mbox") == [("odd.mbox, nowak@example.org, my turn", TURN)]
    assert reader().content(b"Dear friend\n", "odd.mbox") == []
    assert told(reader().content(b"From the front 12h\npbem\n", "odd")[0][1]).startswith("no pbem file")
    assert reader().content(b"From x 1:23\n" + letter(write_block(TURN)), "inbox")[0][1] == TURN


def test_a_mail_is_known_by_its_name_or_its_head() -> None:
    reader = mail._Reader
    assert reader().content(b"X-Odd: 1\n\n" + write_block(TURN).encode(), "x.eml") == [("x.eml, a mail", TURN)]
    late = b"X-First: 1\n" + b"X-Pad: " + b"y" * 3977 + b"\nFrom: nowak@example.org\n\n"
    assert late[:4000].endswith(b"\nFrom") and late[:4001].endswith(b"\nFrom:")
    assert not mail._is_mail(late) and mail._is_mail(late.replace(b"yy", b"y", 1))
    assert not mail._is_mail(b"From: x\n\n") and not mail._is_mail(b"A: 1\nB: 2\n\n") and mail._is_mail(b"A: 1\nSUBJECT: x\n\n")


def test_a_line_that_begins_like_a_postmark_ends_no_mail() -> None:
    text = write_block(TURN).replace("-----BEGIN", "From the front\n-----BEGIN")
    data = POSTMARK + letter(text).replace(b"\nFrom the", b"\nFrom the")
    assert [found for _, found in gather_bytes(data)] == [TURN]
    quoted = b"Subject: x\nFrom: y\n\n>From a\n>>From b\n>from c\n>x\n" + b"PBEM"
    assert [*mail._messages(POSTMARK + quoted)] == [quoted.replace(b">From a", b"From a").replace(b">>From", b">From")]


def test_a_postmark_has_its_time_near_its_beginning() -> None:
    for blanks, is_one in ((295, True), (296, False)):
        mark = b"From " + b"x" * blanks + b"12:34\n"
        assert mail._is_mbox(mark) is is_one
        assert len([*mail._messages(mark + b"PBEM")]) == is_one


def test_a_mail_in_a_box_is_as_long_as_a_file_or_speaks_of_one() -> None:
    def taken(*bodies: bytes) -> list[int]:
        return [len(m) for m in mail._messages(b"".join(POSTMARK + body for body in bodies))]

    assert taken(b"x" * 298 + b"\n", b"x" * 299 + b"\n", b"PBEM\n", b"pbem" * 10 + b"\n") == [300, 5]
    assert taken(b"x" * 299) == [] and taken(b"PBEM\n", b"x") == [5] and taken(b"x\n", b"PBEM") == [4]


# -- what concerns pbem ----------------------------------------------------------------------------------------------


def error(source: bytes, outcome: Outcome = Outcome.UNREADABLE) -> ProtocolError:
    found = ProtocolError(outcome, mail.msg("x"))
    found.source = source
    return found


@pytest.mark.parametrize(
    ("found", "is_ours"),
    [
        ({"pbem": 2}, True),
        ({"orders": []}, False),
        (error(b"Subject: x\nFrom: y\n\nabout PbEm"), True),
        (error(b"Subject: x\nFrom: y\n\nabout cats"), False),
        (error(b"we talk about pbem"), False),
        (error(b"-----BEGIN PBEM TURN"), True),
        (error(b"x\n  'pbem': 2"), True),
        (error(b"x" * 9), False),
        (error(b"x" * 9, Outcome.TOO_LARGE), True),
    ],
)
def test_what_is_told_of_in_a_folder_of_other_things(found: Any, is_ours: bool) -> None:
    assert mail._is_ours(found) is is_ours


def test_a_text_with_half_a_character_is_a_text() -> None:
    ((_, found),) = gather("half \ud83d")
    assert isinstance(found, ProtocolError) and found.source == b"half ?"


def test_the_file_attached_is_the_document() -> None:
    (part,) = [p for p in _parsed(write_eml(TURN, "g", "due")).walk() if p.get_filename()]
    assert part.get_payload(decode=True) == write_document(TURN).encode()
    assert write_eml(TURN, "g", "due", subject="mine").startswith(b"Subject: mine\r\n")
    assert write_eml(TURN, "g", "due", True, "mine").startswith(b"Subject: Reminder: mine\r\n")


def _parsed(data: bytes) -> Any:
    from email import message_from_bytes

    return message_from_bytes(data)
