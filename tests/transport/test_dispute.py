"""The text of a whole game for a judge: its lines, its comments, and what wrapped, cut or foreign texts are."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.transport import dispute
from pbem.transport.armor import write_block
from pbem.transport.dispute import Part, is_dispute, read, write

CHARTER: dict[str, Any] = {"pbem": 2, "type": "charter", "nonce": "ab" * 32, "note": ["x" * 80]}
TURN: dict[str, Any] = {"pbem": 2, "type": "turn", "seq": 3, "player": "nowak", "orders": ["go"], "link": "cd" * 32}
SLIP: dict[str, Any] = {"pbem": 2, "type": "slip", "slip": "request", "player": "nowak", "text": "x" * 80}
TIME = "2026-01-02T03:04:05Z"
PARTS = [Part(CHARTER, "the charter", TIME), Part(TURN, "file 3 of\nnowak", TIME), Part(SLIP, "a slip")]


def test_a_text_is_comments_and_blocks() -> None:
    assert write("hill:\nafter file 3", PARTS) == "\n".join(
        [
            "PBEM DISPUTE 1",
            "# hill: after file 3",
            "# `pbem judge` reads this text, without a game folder or a key.",
            "# Only what stands in blocks is signed; lines like this one, times among them, are nobody's testimony.",
            "",
            f"# the charter; id {document_id(CHARTER)}, received {TIME}",
            write_block(CHARTER),
            f"# file 3 of nowak; id {document_id(TURN)}, received {TIME}",
            write_block(TURN),
            f"# a slip; id {document_id(SLIP)}",
            write_block(SLIP),
        ]
    )


def test_what_was_written_is_read() -> None:
    found = read(write("hill", PARTS))
    assert found.found == [
        ("block 1, behind the beginning", CHARTER),
        ("block 2, behind the charter", TURN),
        ("block 3, behind file 3", SLIP),
    ]
    assert found.received == {document_id(CHARTER): TIME, document_id(TURN): TIME}


def test_a_damaged_block_is_named_by_what_stands_before_it() -> None:
    broken = base64.b64encode(b"{}" * 60).decode()
    text = write("hill", PARTS[:2]) + f"-----BEGIN PBEM TURN-----\n{broken}\n-----END PBEM TURN-----\n"
    where, error = read(text).found[2]
    assert where == "block 3, behind file 3" and isinstance(error, ProtocolError)
    odd = read("PBEM DISPUTE 1\n" + write_block({**SLIP, "type": "z" * 50, "seq": "x"}) + write_block(SLIP)).found
    assert [where for where, _ in odd] == ["block 1, behind the beginning", f"block 2, behind the {'z' * 40}"]


@pytest.mark.parametrize(
    "text",
    [
        "PBEM DISPUTE 1\n",
        "\ufeffPBEM DISPUTE 1\r\n",
        "> > PBEM DISPUTE 1 \t\n",
        "Dear referee,\n\n  PBEM DISPUTE 1\nx",
        "x" * 65000 + "\nPBEM DISPUTE 1\n",
        "PBEM DISPUTE 1",
        "PBEM DISPUTE 9999\n",
        f"{'>' * 40}PBEM DISPUTE 1\n",
    ],
)
def test_a_text_of_this_kind(text: str) -> None:
    assert is_dispute(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PBEM DISPUTE\n",
        "PBEM DISPUTE x\n",
        "PBEM DISPUTE 10000\n",
        "PBEM DISPUTE 1 more\n",
        "see PBEM DISPUTE 1\n",
        "pbem dispute 1\n",
        f"{'>' * 41}PBEM DISPUTE 1\n",
        "x" * 65536 + "\nPBEM DISPUTE 1\n",
    ],
)
def test_a_text_of_another_kind(text: str) -> None:
    assert not is_dispute(text)
    ((where, error),) = read(text).found
    assert where == "the text" and isinstance(error, ProtocolError) and error.outcome is Outcome.UNREADABLE
    assert str(error) == "a dispute text of form ?; this program reads form 1: update pbem"


def test_a_text_of_a_later_form_is_not_guessed_at() -> None:
    found = read(write("hill", PARTS).replace("DISPUTE 1", "DISPUTE 2"))
    assert [(where, str(error)) for where, error in found.found] == [
        ("the text", "a dispute text of form 2; this program reads form 1: update pbem")
    ]
    assert found.received == {}
    far = "x" * 65536 + "\n" + write("hill", PARTS)
    assert [where for where, _ in read(far).found] == ["the text"], "`is_dispute` and `read` look equally far"


def test_times_are_read_from_comments_alone() -> None:
    name = "ab" * 32
    for line, is_one in (
        (f"# file 3; id {name}, received {TIME}", True),
        (f"> # file 3; id {name}, received {TIME}\r", True),
        (f"# {'x' * 199}; id {name}, received {TIME}", True),
        (f"# {'x' * 201}; id {name}, received {TIME}", False),
        (f"file 3; id {name}, received {TIME}", False),
        (f"# file 3; id {name.upper()}, received {TIME}", False),
        (f"# file 3; id {name}, received yesterday", False),
        (f"# file 3; id {name}, received {TIME} or so", False),
    ):
        assert read(f"PBEM DISPUTE 1\n{line}\n").received == ({name: TIME} if is_one else {}), line


def test_a_text_that_no_mail_carries_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(write("hill", PARTS))
    monkeypatch.setattr(dispute, "MAX_TEXT", size)
    assert len(write("hill", PARTS)) == size
    monkeypatch.setattr(dispute, "MAX_TEXT", size - 1)
    with pytest.raises(ProtocolError) as refused:
        write("hill", PARTS)
    assert refused.value.outcome is Outcome.TOO_LARGE
    assert str(refused.value) == (
        f"the text would have {size} characters, more than {size - 1}: hand over the folder `files` instead"
    )
