"""Messages of a live exchange: their bytes, what is none of them, and bytes that come in pieces."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.canon import canonical
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.transport import wire

GAME, HEAD = "ab" * 32, "cd" * 32
HAVE = b'{"have":{"game":"%s","head":"%s","seq":7}}' % (GAME.encode(), HEAD.encode())


def test_a_message_has_one_spelling() -> None:
    assert wire.body_of(wire.Have(GAME, 7, HEAD)) == HAVE and wire.heard(HAVE) == wire.Have(GAME, 7, HEAD)
    assert wire.body_of(wire.Want(3)) == b'{"want":{"seq":3}}' and wire.heard(b'{"want":{"seq":3}}') == wire.Want(3)
    assert wire.body_of(b"pbem: 2\n") == b"pbem: 2\n" == wire.heard(b"pbem: 2\n")
    assert wire.framed(b"ab") == b"\0\0\0\2ab" and wire.framed(wire.Want(3))[:4] == b"\0\0\0\x12"


@pytest.mark.parametrize(
    "said", [wire.Have(GAME, 0, GAME), wire.Have(GAME, 1_000_000, HEAD), wire.Want(1), wire.Want(1_000_000)]
)
def test_the_places_at_the_ends_are_places(said: wire.Said) -> None:
    assert wire.heard(wire.body_of(said)) == said


def have(**changed: Any) -> bytes:
    inner = {"game": GAME, "head": HEAD, "seq": 7, **changed}
    return canonical({"have": {key: value for key, value in inner.items() if value is not None}})


@pytest.mark.parametrize(
    "body",
    [
        have(seq=-1),
        have(seq=1_000_001),
        have(seq=True),
        have(seq="7"),
        have(seq=None),
        have(game=GAME[:-1]),
        have(game=GAME + "a"),
        have(game=GAME.upper()),
        have(game=7),
        have(head="z" * 64),
        have(head=None),
        have(more=1),
        HAVE.replace(b":7}", b": 7}"),
        HAVE + b"\n",
        b'{"have":[]}',
        b'{"have":"seq"}',
        b'{"have":{},"want":{"seq":3}}',
        canonical({"have": {"game": GAME, "head": HEAD, "seq": 7}, "want": {"seq": 3}}),
        b'{"want":{"seq":0}}',
        b'{"want":{"seq":1000001}}',
        b'{"want":{"seq":true}}',
        b'{"want":{"seq":null}}',
        b'{"want":{}}',
        b'{"want":{"seq":3,"to":4}}',
        b'{"want":[3]}',
        b'{"want":3}',
        b'{"want":{"seq":3} }',
    ],
)
def test_what_begins_like_a_message_and_is_none(body: bytes) -> None:
    with pytest.raises(ProtocolError) as refused:
        wire.heard(body)
    assert (str(refused.value), refused.value.outcome) == ("this is no message of a live exchange", Outcome.UNREADABLE)


def test_a_short_message_is_short() -> None:
    fits = b'{"want":' + b" " * 1016
    assert len(fits) == 1024
    with pytest.raises(ProtocolError) as unread:
        wire.heard(fits)
    assert unread.value.outcome is Outcome.UNREADABLE
    with pytest.raises(ProtocolError) as refused:
        wire.heard(fits + b" ")
    assert str(refused.value) == "a message of 1025 bytes, at most 1024 here" and refused.value.outcome is Outcome.TOO_LARGE
    assert wire.heard(b"{" * 5000) == b"{" * 5000, "a file may be longer"


def test_pieces_are_put_together() -> None:
    frames = wire.Frames()
    assert frames.next() is None and not frames.is_half
    data = wire.framed(b"one") + wire.framed(b"two!") + b"\0"
    for n in range(7):
        assert frames.next() is None, n
        frames.feed(data[n : n + 1])
        assert frames.is_half
    assert frames.next() == b"one" and not frames.is_half and frames.next() is None
    frames.feed(data[7:])
    assert frames.next() == b"two!" and frames.next() is None and frames.is_half
    frames.feed(wire.framed(b"three")[1:])
    assert frames.next() == b"three" and not frames.is_half


@pytest.mark.parametrize(("most", "said"), [(1024, "at most 1024 here"), (1 << 20, "at most 1048576 here")])
def test_a_length_is_judged_before_anything_is_kept(most: int, said: str) -> None:
    frames = wire.Frames()
    assert frames.most == 1024
    frames.most = most
    frames.feed(most.to_bytes(4, "big"))
    assert frames.next() is None
    frames.feed(b"x" * most)
    assert frames.next() == b"x" * most
    frames.feed((most + 1).to_bytes(4, "big"))
    with pytest.raises(ProtocolError) as refused:
        frames.next()
    assert str(refused.value) == f"a message of {most + 1} bytes, {said}" and refused.value.outcome is Outcome.TOO_LARGE


def test_a_body_of_nothing_is_no_message() -> None:
    frames = wire.Frames()
    frames.feed(b"\0\0\0\0")
    with pytest.raises(ProtocolError, match="a message of 0 bytes"):
        frames.next()
    single = wire.Frames()
    single.feed(wire.framed(b"x"))
    assert single.next() == b"x" and wire.MOST == 1 << 20
