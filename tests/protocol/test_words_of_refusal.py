"""Outcomes, deadlines, names and the agent's messages: small closed things, each looked at whole."""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.protocol import agent, deadlines, keys, names
from pbem.protocol.deadlines import Overdue
from pbem.protocol.outcomes import Outcome, ProgramFault, ProtocolError, unreadable


def refusal(attempt: Callable[[], Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as refused:
        attempt()
    return refused.value.outcome, str(refused.value)


# -- outcomes ------------------------------------------------------------------------------------------------------


def test_every_outcome_has_a_word_and_a_code_of_its_own() -> None:
    assert (Outcome.DONE.word, Outcome.DONE.code) == ("done", 0) and (Outcome.BAD_DICE.word, Outcome.BAD_DICE.code) == (
        "bad dice",
        16,
    )
    assert len({o.word for o in Outcome}) == len({o.code for o in Outcome}) == len(Outcome)


def test_an_error_tells_its_place_where_there_is_one() -> None:
    error = ProtocolError(Outcome.BAD_DICE, "these are others", 3, 7, "dice")
    assert str(error) == "line 3, column 7: these are others" and error.args == ("these are others",)
    assert (error.outcome, error.message, error.line, error.column, error.path) == (
        Outcome.BAD_DICE,
        "these are others",
        3,
        7,
        "dice",
    )
    plain = ProtocolError(Outcome.WAITING, "not yet")
    assert str(plain) == "not yet" and (plain.line, plain.column, plain.path) == (None, None, "")
    made = unreadable("no", 1, 2, "orders")
    assert (made.outcome, str(made), made.path) == (Outcome.UNREADABLE, "line 1, column 2: no", "orders")
    assert str(unreadable("no")) == "no" and unreadable("no").path == ""


def test_a_fault_of_the_program_is_told_as_such() -> None:
    fault = ProgramFault("file 3", ZeroDivisionError("by nought"))
    assert fault.outcome is Outcome.FAULT and str(fault) == "file 3: a fault of the program, not yours (ZeroDivisionError)"
    assert fault.trace == "ZeroDivisionError: by nought\n"


# -- deadlines -----------------------------------------------------------------------------------------------------


def test_spans_and_stamps() -> None:
    for good in ("0h", "72h", "3d", "9999d", "10h"):
        assert deadlines.span(good) == ""
    for bad in ("", "72", "072h", "3 d", "3D", "-1h", "10000h", "3dd", 3, None, ["3d"]):
        assert deadlines.span(bad) == "hours or days are needed, such as 72h or 3d"  # type: ignore[arg-type]
    assert deadlines.stamp("2025-01-31T18:00:00Z") == ""
    for bad in ("2025-01-31", "2025-01-31T18:00:00", "2025-01-31 18:00:00Z", "2025-01-31T18:00:00Z\n", 5, None):
        assert deadlines.stamp(bad) == "a time like 2025-01-31T18:00:00Z is needed"


def test_hours_and_what_a_charter_says() -> None:
    assert [deadlines.hours(text) for text in ("0h", "72h", "3d", "9999d")] == [0, 72, 72, 239976]
    plain = {"after": "3d", "grace": "12h", "then": "loss"}
    assert Overdue.read(plain) == Overdue(72, 12, "loss") and Overdue.read(None) is None and Overdue.read({}) is None
    assert deadlines.chosen("3d", "12h", "loss") == plain
    assert deadlines.chosen("", "12h", "loss") is None and deadlines.chosen("none", "12h", "loss") is None
    with pytest.raises(AssertionError):
        deadlines.hours("3 days")
    assert refusal(lambda: deadlines.chosen("3 days", "1d", "war")) == (
        Outcome.UNREADABLE,
        "deadline: after: hours or days are needed, such as 72h or 3d; "
        "then: one of ('nothing', 'stand-in', 'substitute', 'loss') is needed",
    )


# -- names ---------------------------------------------------------------------------------------------------------

NAMES = "a name has up to 32 letters of one script (Latin, Greek, Cyrillic, Japanese, Hangul), behind the first also 0-9 ' -"


def test_names_in_the_players_own_letters() -> None:
    for good in ("nowak", "Łukasz", "Иван", "Νίκος", "山本", "김", "O'Neil-2", "x" * 32):
        assert names.name(good) == ""
    for bad in ("", "2x", "-x", "'x", "x y", "x" * 33, "Иvan", "x\n", "x_y", 5, None):
        assert names.name(bad) == NAMES


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("nowak", "NOWAK"),
        ("nowak", "n0wak"),
        ("Łukasz", "lukasz"),
        ("иван", "ИВАН"),
        ("modern", "modem"),
        ("Νικ", "nik"),
        ("Ida", "lda"),
    ],
)
def test_names_that_look_alike_are_refused(one: str, other: str) -> None:
    assert names.skeletons(one) & names.skeletons(other)
    told = f"the names {one} and {other} look alike: one of the two takes another, such as {other[:30]}-2"
    assert refusal(lambda: names.check_different(["zola", one, "smith", other])) == (Outcome.UNREADABLE, told)


def test_what_a_name_looks_like() -> None:
    assert names.skeletons("nowak") == {"novvak"} and names.skeletons("Łódź-1") == {"lodz-l"}
    assert names.skeletons("Η") == {"h", "n"} and names.skeletons("山") == {"山"}
    long = "x" * 32
    assert f"such as {'X' * 30}-2" in refusal(lambda: names.check_different([long, long.upper()]))[1]
    names.check_different(["nowak", "yamada", "Łukasz"])
    names.check_different([])


def test_only_version_1_wants_plain_names() -> None:
    plain = "Łukasz: a name has small letters, digits, hyphens; others are for games that begin with `pbem: 2`"
    names.check_old(2, ["Łukasz"])
    names.check_old(1, ["nowak"])
    assert refusal(lambda: names.check_old(1, ["nowak", "Łukasz", "Иван"])) == (Outcome.UNREADABLE, plain)
    document: dict[str, Any] = {"pbem": 1, "player": "nowak", "seat": None}
    assert names.of_its_version(document) == document and names.of_its_version(document) is not document
    for key, value in (("player", "Łukasz"), ("signed_by", "Łukasz"), ("seat", {"player": "Łukasz"})):
        assert refusal(lambda key=key, value=value: names.of_its_version({**document, key: value}))[1] == plain  # type: ignore
        assert names.of_its_version({**document, key: value, "pbem": 2})
    assert names.of_its_version({"pbem": 1}) == {"pbem": 1}


def test_a_name_as_it_is_typed() -> None:
    assert names.typed("  Łukasz\n") == "Łukasz" and names.typed("Nu\u0308rnberg") == "Nürnberg"
    assert refusal(lambda: names.typed(" x y ")) == (Outcome.UNREADABLE, f"' x y ': {NAMES}")


# -- the agent -----------------------------------------------------------------------------------------------------

PUBLIC = keys.public_text(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
BLOB = base64.b64decode(PUBLIC.split()[1])
OTHERWISE = "the ssh-agent speaks otherwise than it should: "


def field(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def listing(*held: tuple[bytes, bytes], number: int | None = None) -> bytes:
    body = b"".join(field(blob) + field(comment) for blob, comment in held)
    return b"\x0c" + struct.pack(">I", len(held) if number is None else number) + body


def test_what_is_asked_of_an_agent() -> None:
    assert agent.list_request() == b"\x00\x00\x00\x01\x0b" and agent.LIMIT == 262144
    assert agent.sign_request(PUBLIC, b"data") == field(b"\x0d" + field(BLOB) + field(b"data") + bytes(4))
    room = agent.LIMIT - len(b"\x0d" + field(BLOB) + bytes(4)) - 4
    assert len(agent.sign_request(PUBLIC, bytes(room))) == agent.LIMIT + 4
    why = (Outcome.UNREADABLE, f"{OTHERWISE}{room + 1} bytes are too many to sign")
    assert refusal(lambda: agent.sign_request(PUBLIC, bytes(room + 1))) == why


def test_the_length_of_an_answer_is_judged_before_it_is_read() -> None:
    assert agent.length(b"\x00\x00\x00\x01") == 1 and agent.length(struct.pack(">I", agent.LIMIT)) == agent.LIMIT
    for head, size in ((bytes(4), 0), (struct.pack(">I", agent.LIMIT + 1), agent.LIMIT + 1), (b"\x00\x00\x05", 5), (b"", 0)):
        assert refusal(lambda head=head: agent.length(head)) == (  # type: ignore[misc]
            Outcome.TOO_LARGE,
            f"the ssh-agent's answer has a length of {size} bytes; it may have 1 to 262144",
        )


def test_the_ed25519_keys_of_an_agent() -> None:
    other, small = field(b"ssh-rsa") + field(b"x"), field(b"ssh-ed25519") + field(bytes(32))
    answer = listing((BLOB, "Łódź".encode()), (other, b"rsa"), (small, b"small"), (BLOB + b"x", b"long"), (BLOB, b"\xff"))
    assert agent.read_list(answer) == [(PUBLIC, "Łódź"), (PUBLIC, "\ufffd")]
    assert agent.read_list(listing()) == []
    for wrong in (b"", b"\x05", b"\x0c\x00\x00\x00", b"\x0d" + listing()[1:]):
        assert refusal(lambda wrong=wrong: agent.read_list(wrong)) == (  # type: ignore[misc]
            Outcome.UNREADABLE,
            f"{OTHERWISE}it does not list its keys",
        )
    for number in (0, 2):
        assert refusal(lambda number=number: agent.read_list(listing((BLOB, b"x"), number=number)))[1] == (  # type: ignore[misc]
            f"{OTHERWISE}its list of keys is cut"
        )
    for cut in (listing((BLOB, b"x"))[:-1], listing((BLOB, b"x")) + b"\x00"):
        assert refusal(lambda cut=cut: agent.read_list(cut))[1] == f"{OTHERWISE}its answer is cut short"  # type: ignore[misc]


def test_what_an_agent_signed() -> None:
    assert agent.read_signature(b"\x0e" + field(field(b"ssh-ed25519") + field(b"s" * 64))) == b"s" * 64
    for answer in (b"\x05", b"", b"\x0c"):
        assert refusal(lambda answer=answer: agent.read_signature(answer)) == (  # type: ignore[misc]
            Outcome.WRONG_KEY,
            "the ssh-agent did not sign: it is locked, was told not to, or lost the key",
        )
    for fields in (
        b"",
        field(field(b"ssh-rsa") + field(b"s" * 64)),
        field(field(b"ssh-ed25519") + field(b"s" * 63)),
        field(field(b"ssh-ed25519")),
        field(field(b"ssh-ed25519") + field(b"s" * 64) + field(b"x")),
        field(field(b"ssh-ed25519") + field(b"s" * 64)) + field(b"x"),
    ):
        assert refusal(lambda fields=fields: agent.read_signature(b"\x0e" + fields)) == (  # type: ignore[misc]
            Outcome.UNREADABLE,
            f"{OTHERWISE}what it signed with is no Ed25519 key",
        )
