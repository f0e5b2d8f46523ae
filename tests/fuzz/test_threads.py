"""Blocks in threads, mails and mboxes that went through several hands: found, or refused with the reason, never misread."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.protocol.outcomes import ProtocolError
from pbem.transport.armor import sift, write_block
from pbem.transport.mail import gather, in_mail
from tests.fuzz.amounts import quick, slow
from tests.transport.manglers import MAILS, TEXTS, mbox
from tests.transport.test_mangler import KINDS, is_genuine, judge_all

CHATTER = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.sampled_from(
    ["> on Monday you wrote:", "-----BEGIN PGP MESSAGE-----", "-- \nYamada", "pbem: 1", "-----PBEM ARMOR-----", "From here on"]
)


@quick
@given(hands=st.lists(st.sampled_from(sorted(TEXTS)), min_size=1, max_size=4), kind=st.sampled_from(KINDS))
def test_several_hands(hands: list[str], kind: str, files: dict[str, Any]) -> None:
    text = write_block(files[kind])
    for name in hands:
        text = TEXTS[name](text)
    judge_all(list(sift(text)), files[kind], files)


@quick
@given(parts=st.lists(st.sampled_from(KINDS) | CHATTER, max_size=8), quoting=st.integers(0, 3))
def test_a_thread_gives_every_block_in_it(parts: list[str], quoting: int, files: dict[str, Any]) -> None:
    lines = "\n".join(write_block(files[p]) if p in KINDS else p for p in parts).split("\n")
    text = "\n".join("> " * quoting + line for line in lines)
    found = [d for d in sift(text) if isinstance(d, dict)]
    wanted = [files[p] for p in parts if p in KINDS]
    assert [d for d in found if is_genuine(d, files)] == wanted


@slow
@given(chosen=st.lists(st.tuples(st.sampled_from(sorted(MAILS)), st.sampled_from(KINDS)), max_size=5))
def test_an_mbox_of_anything(
    chosen: list[tuple[str, str]],
    files: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("box") / "m.mbox"
    path.write_bytes(mbox(*(MAILS[mail](write_block(files[kind])) for mail, kind in chosen)))
    found = [d for _, d in gather(path) if isinstance(d, dict)]
    assert all(d in found for d in (files[kind] for _, kind in chosen)) and len(found) == len({k for _, k in chosen})


HEADERS = st.lists(
    st.sampled_from(
        ["Subject: pbem", "Content-Type: text/html", "Content-Type: multipart/mixed; boundary=a", "MIME-Version: 1.0"]
    )
    | st.sampled_from(
        ["Content-Transfer-Encoding: base64", "Content-Transfer-Encoding: quoted-printable", "--a", "", "From: <@"]
    )
    | st.sampled_from(
        ["Content-Type: message/rfc822", 'Content-Disposition: attachment; filename="x.yaml"', "--a--", "Content-Type: ;"]
    )
    | st.text(max_size=20),
    max_size=12,
).map("\n".join)


@quick
@given(head=HEADERS, kind=st.sampled_from(KINDS), tail=HEADERS)
def test_hostile_mail_around_a_block(head: str, kind: str, tail: str, files: dict[str, Any]) -> None:
    data = f"{head}\n\n{write_block(files[kind])}\n{tail}".encode("utf-8", "replace")
    for found in in_mail(data):
        assert isinstance(found, ProtocolError) or found == files[kind] or not is_genuine(found, files)


@quick
@given(st.binary(max_size=400), HEADERS)
def test_any_bytes_are_a_mail(data: bytes, head: str) -> None:
    for found in in_mail(head.encode("utf-8", "replace") + b"\nPBEM BEGIN PBEM TURN\n" + data):
        assert isinstance(found, dict | ProtocolError)
