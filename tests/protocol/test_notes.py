"""Notes by themselves: their shape, their signature, and texts sealed to one reader (SPEC 9d)."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from pbem.protocol import keys, notes
from pbem.protocol.outcomes import Outcome, ProtocolError

READER, AUTHOR = (Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (7, 8))
PUBLIC = keys.public_text(READER)
ABOUT = b"game\nnowak\nyamada\n1"
GAME, HEAD = "ab" * 32, "cd" * 32
COMMON: dict[str, Any] = {"pbem": 2, "type": "note", "game": GAME, "head": HEAD, "player": "nowak", "n": 1}
SEALED = notes.seal("at dawn", PUBLIC, ABOUT)
NOTE = notes.sign({**COMMON, "text": "at dawn"}, AUTHOR)
PRIVATE = notes.sign({**COMMON, "to": "yamada", "sealed": {"reader": SEALED, "author": SEALED}}, AUTHOR)

MONTGOMERY = "761d88ec830413919dfe9d4d1d56f17e653c8c994082df5b137b90a0ae6edf74"
KNOWN = (
    "X+UodpwBoW5Eyw8JGCrL/ktJP809NaSSMHBEAaVbwSpL31cy6rCdviaiwLTyLscx4vZPs2lAKSL7SfM8i1WzoPtM6capvmxj75e0OZcOyFW7AT"
    "CdW5M0Vq1D/lS0midI61sHBH3YxE2SzTOa9NWaeCvXMIuhuZRyOByJFYlQlVsXVpWVWQEMQuXeHd7uhwsAC8q4EjoR+7ww5vukYj2FcyKBngvo"
    "VU1hCJwcKBje6Fl3BfvMIViquDEdZ389aEEyjevyX5NvGd6vgX65gS/R1fNdEpfUaw3ez8e2wDf53HeRd49B+aMXwj4bpe4Ia+eLxjtS1/sX0m"
    "xwYVtSsznuAMeYQ/UX4C0jbdobM76p5dI5JpiJn5ymXlAEjAO10lqdc32Ppl6i8DpoJj8HebhmlQ=="
)


def refusal(call: Callable[[], Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        call()
    return caught.value.outcome, str(caught.value)


# -- shape and signature ----------------------------------------------------------------------------------------------------


def test_a_note_is_public_or_for_one_reader_and_signed() -> None:
    for note in (NOTE, PRIVATE):
        assert notes.read_note(note) == note and notes.read_note(note) is not note
        notes.verify(note, keys.public_text(AUTHOR))
        assert refusal(lambda note=note: notes.verify(note, PUBLIC))[0] is Outcome.BAD_SIGNATURE  # type: ignore[misc]
        other = {**note, "n": 2}
        assert refusal(lambda other=other: notes.verify(other, keys.public_text(AUTHOR)))[0] is Outcome.BAD_SIGNATURE  # type: ignore
    assert notes.shape(True)[0].keys() == PRIVATE.keys() and notes.shape(False)[0].keys() == NOTE.keys()
    assert notes.shape(True)[1] == notes.shape(False)[1] == {}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"n": 0}, "n: "),
        ({"n": 10_000}, "n: "),
        ({"text": "x" * 2001}, "text: "),
        ({"type": "turn"}, "type: "),
        ({"pbem": 3}, "pbem: "),
        ({"game": "ab"}, "game: "),
        ({"head": 5}, "head: "),
        ({"player": "a b"}, "player: "),
        ({"sealed": SEALED}, ""),
        ({"to": "yamada"}, ""),
        ({"seat": "red"}, ""),
    ],
)
def test_a_note_of_another_shape_is_unreadable(change: dict[str, Any], why: str) -> None:
    outcome, told = refusal(lambda: notes.read_note({**NOTE, **change}))
    assert outcome is Outcome.UNREADABLE and told.startswith("note") and why in told


def test_the_last_number_and_the_longest_text_are_good() -> None:
    notes.read_note({**NOTE, "n": 9999})
    notes.read_note({**NOTE, "text": "ż" * 2000})
    notes.read_note({**NOTE, "pbem": 1})
    plain = "Łukasz: a name has small letters, digits, hyphens; others are for games that begin with `pbem: 2`"
    assert refusal(lambda: notes.read_note({**NOTE, "pbem": 1, "player": "Łukasz"})) == (Outcome.UNREADABLE, plain)


@pytest.mark.parametrize("part", ["reader", "author"])
def test_what_is_sealed_is_canonical_base64_of_a_length_that_a_text_can_have(part: str) -> None:
    data = base64.b64decode(SEALED)
    assert len(data) == 32 + 256 + 16
    most = 32 + 4 * 2000 + 256 + 16
    longest = most - (most - 48) % 256
    wrong = [
        data[:-1], data + b"\0", data[:48], data[: 48 + 255], bytes(longest + 256),
    ]  # fmt: skip
    texts: list[Any] = [
        *(base64.b64encode(d).decode() for d in wrong),
        SEALED.rstrip("=") + "\n",
        "*" * len(SEALED),
        "",
        5,
        None,
    ]
    for text in texts:
        note = {**PRIVATE, "sealed": {**PRIVATE["sealed"], part: text}}
        outcome, told = refusal(lambda note=note: notes.read_note(note))  # type: ignore[misc]
        assert outcome is Outcome.UNREADABLE and part in told
    good = base64.b64encode(bytes(longest)).decode()
    notes.read_note({**PRIVATE, "sealed": {**PRIVATE["sealed"], part: good}})
    empty = {**PRIVATE, "sealed": {"reader": "", "author": ""}}
    assert refusal(lambda: notes.read_note(empty))[1].endswith(": a sealed text in base64 is needed")


# -- sealing ------------------------------------------------------------------------------------------------------------------


def test_a_sealed_text_is_read_by_its_reader_alone_and_in_its_own_note() -> None:
    for text in ("", "at dawn", "X", "x" * 256, "ż" * 2000, "two\nlines"):
        sealed = notes.seal(text, PUBLIC, ABOUT)
        assert notes.opened(sealed, READER, ABOUT) == text
        assert notes.opened(sealed, AUTHOR, ABOUT) is None and notes.opened(sealed, READER, ABOUT + b"x") is None
    assert notes.seal("at dawn", PUBLIC, ABOUT) != SEALED, "another key each time"
    assert notes.opened(notes.seal("x" * 2001, PUBLIC, ABOUT), READER, ABOUT) is None, "longer than a note may be"


def test_a_sealed_text_tells_its_length_in_whole_blocks() -> None:
    long = {
        length: len(base64.b64decode(notes.seal("x" * length, PUBLIC, ABOUT))) - 48 for length in (0, 1, 256, 257, 512, 513)
    }
    assert long == {0: 256, 1: 256, 256: 256, 257: 512, 512: 512, 513: 768}


def test_what_opens_and_is_no_text_is_none() -> None:
    """Whoever seals by a program of his own may put anything into it."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    def sealed(data: bytes) -> str:
        once, reader = X25519PrivateKey.generate(), notes.x25519_of(PUBLIC)
        own = once.public_key().public_bytes_raw()
        key = notes._key(once.exchange(X25519PublicKey.from_public_bytes(reader)), own, reader)
        held = ChaCha20Poly1305(key).encrypt(bytes(12), data, b"pbem/2 note\n" + ABOUT)
        return base64.b64encode(own + held).decode()

    assert notes.opened(sealed(b"good" + bytes(252)), READER, ABOUT) == "good"
    assert notes.opened(sealed(b"\xff" * 256), READER, ABOUT) is None


def test_a_known_sealed_text_opens() -> None:
    """Whatever changes here, notes that lie in folders must still be read."""
    assert notes.opened(KNOWN, READER, ABOUT) == "Fünf Divisionen"
    assert notes.x25519_of(PUBLIC).hex() == MONTGOMERY


def test_every_key_that_signs_is_one_that_texts_are_sealed_to() -> None:
    """Points of either sign, with odd and even coordinates."""
    signs = set()
    for n in range(16):
        key = Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32)
        own = X25519PrivateKey.from_private_bytes(hashlib.sha512(key.private_bytes_raw()).digest()[:32])
        assert notes.x25519_of(keys.public_text(key)) == own.public_key().public_bytes_raw()
        point = keys.key_bytes(keys.public_text(key))
        signs.add((point[31] >> 7, point[0] & 1))
    assert len(signs) == 4


def test_a_text_is_bound_to_game_author_reader_and_number() -> None:
    assert notes.about({**COMMON, "to": "yamada"}) == f"{GAME}\nnowak\nyamada\n1".encode()


def test_who_does_not_play_reads_nothing() -> None:
    error = notes.no_reader("smith")
    assert (error.outcome, str(error)) == (Outcome.WRONG_KEY, "smith does not play in this game")
