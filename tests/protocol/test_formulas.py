"""Every formula of the specification computed a second time from its words, with nothing but hashlib, hmac and struct."""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.protocol import chain, dice, draws, escrow, ids, seals, words
from pbem.protocol.outcomes import Outcome, ProtocolError

NONCE, GAME, FILE = "a1" * 32, "b2" * 32, "c3" * 32
SECRET, KEY = bytes(range(32)), bytes(range(100, 132))


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, "sha256").digest()


# -- chains --------------------------------------------------------------------------------------------------------


def walked(nonce: str, secret: bytes, steps: int) -> str:
    for _ in range(steps):
        secret = sha(b"pbem/1 link\n" + bytes.fromhex(nonce) + secret)
    return secret.hex()


def test_a_chain_is_hashed_from_its_secret_down_to_its_tip() -> None:
    assert chain.tip(NONCE, SECRET, 5) == walked(NONCE, SECRET, 5)
    for n in range(1, 6):
        assert chain.link(NONCE, SECRET, 5, n) == walked(NONCE, SECRET, 5 - n)
    assert chain.link(NONCE, SECRET, 5, 5) == SECRET.hex()
    assert chain.previous(bytes.fromhex(NONCE), SECRET).hex() == walked(NONCE, SECRET, 1)


@pytest.mark.parametrize("n", [-1, 0, 6])
def test_a_chain_has_no_links_beyond_its_ends(n: int) -> None:
    with pytest.raises(IndexError) as wrong:
        chain.link(NONCE, SECRET, 5, n)
    assert str(wrong.value) == f"a chain of 5 has no link {n}"


def test_a_link_follows_the_one_before_or_one_that_many_before() -> None:
    links = [chain.tip(NONCE, SECRET, 9), *(chain.link(NONCE, SECRET, 9, n) for n in range(1, 10))]
    assert chain.verify_link(NONCE, links[0], links[1]) and chain.verify_link(NONCE, links[3], links[4])
    assert not chain.verify_link(NONCE, links[0], links[2]) and not chain.verify_link(NONCE, links[1], links[1])
    assert not chain.verify_link(NONCE, links[2], links[1]) and not chain.verify_link("00" * 32, links[0], links[1])
    assert chain.verify_link(NONCE, links[1], links[4], 2) and not chain.verify_link(NONCE, links[1], links[4], 1)
    assert not chain.verify_link(NONCE, links[1], links[4], 3)


# -- dice ----------------------------------------------------------------------------------------------------------


def test_numbers_are_big_endian() -> None:
    assert dice.u32(0x01020304) == b"\x01\x02\x03\x04" and dice.u64(0x0102) == bytes(6) + b"\x01\x02"
    assert list(dice.words(bytes(range(32)))) == list(struct.unpack(">8I", bytes(range(32))))
    assert dice.mac(SECRET, b"x") == mac(SECRET, b"x")


def test_the_seed_of_a_roll() -> None:
    message = b"pbem/1 seed\n" + bytes.fromhex(GAME) + struct.pack(">Q", 7) + bytes.fromhex(FILE)
    assert dice.seed(SECRET, GAME, 7, FILE) == mac(SECRET, message)


def slow_roll(key: bytes, index: int, label: str, number: int, sides: int) -> tuple[list[int], int]:
    """Word by word, block by block."""
    found: list[int] = []
    limit, block = 2**32 - 2**32 % sides, 0
    while len(found) < number:
        head = b"pbem/1 roll\n" + struct.pack(">II", index, block) + label.encode("utf-8")
        found += [1 + word % sides for word in struct.unpack(">8I", mac(key, head)) if word < limit]
        block += 1
    return found[:number], block


@given(st.binary(min_size=32, max_size=32), st.integers(0, 99), st.text(max_size=5), st.integers(0, 30), st.integers(2, 200))
@settings(deadline=None)
def test_a_roll_is_that_of_the_slow_formula(key: bytes, index: int, label: str, number: int, sides: int) -> None:
    numbers, blocks = slow_roll(key, index, label, number, sides)
    assert dice.roll(key, index, label, number, sides) == tuple(numbers)
    assert dice.roll_and_blocks(key, index, label, number, sides) == (tuple(numbers), blocks)


def test_words_beyond_the_last_full_share_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 2**32 // 10 * 10
    first = struct.pack(">8I", limit, limit - 1, 0, 9, 10, 2**32 - 1, limit + 1, 3)
    blocks = iter([first, struct.pack(">8I", *range(8)), first])
    monkeypatch.setattr(dice, "mac", lambda key, message: next(blocks))
    assert dice.roll_and_blocks(SECRET, 0, "x", 6, 10) == ((10, 1, 10, 1, 4, 1), 2)
    assert dice.roll_and_blocks(SECRET, 0, "x", 5, 10) == ((10, 1, 10, 1, 4), 1)


def test_sides_that_share_all_words_throw_none_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice, "mac", lambda key, message: struct.pack(">8I", *[2**32 - 1] * 8))
    assert dice.roll(SECRET, 0, "x", 2, 2) == (2, 2)


# -- private draws -------------------------------------------------------------------------------------------------

MASTER = bytes(range(7, 39))


def a_leaf(j: int) -> bytes:
    secret = mac(MASTER, b"pbem/1 draw secret\n" + struct.pack(">I", j))
    return sha(b"\x00" + b"pbem/1 draw key\n" + bytes.fromhex(NONCE) + struct.pack(">I", j) + secret)


def test_the_draw_tree_is_that_of_rfc_6962_over_1024_keys() -> None:
    level = [a_leaf(j) for j in range(1024)]
    siblings: dict[int, list[str]] = {j: [] for j in (0, 1, 5, 600, 1023)}
    places = {j: j for j in siblings}
    while len(level) > 1:
        for j, at in places.items():
            siblings[j].append(level[at ^ 1].hex())
            places[j] = at // 2
        level = [sha(b"\x01" + level[i] + level[i + 1]) for i in range(0, len(level), 2)]
    root = level[0].hex()
    assert draws.root(NONCE, MASTER) == root and draws.LEAVES == 1024 and draws.DEPTH == 10
    for j, path in siblings.items():
        secret = draws.draw_secret(MASTER, j)
        assert draws.path(NONCE, MASTER, j) == path and len(path) == 10
        assert draws.verify_key(root, NONCE, j, secret, path)
        assert draws.verify_key(root, NONCE, j + 1024, secret, path), "a new master serves the next 1024"
        assert not draws.verify_key(root, NONCE, j ^ 1, secret, path)
        assert not draws.verify_key(root, NONCE, j, secret, path[:9]) and not draws.verify_key(
            root, NONCE, j, secret, [*path, "00"]
        )
        assert not draws.verify_key("00" * 32, NONCE, j, secret, path) and not draws.verify_key(root, NONCE, j, SECRET, path)
        assert not draws.verify_key(root, GAME, j, secret, path)


def test_a_tree_of_another_depth_proves_nothing() -> None:
    """A root over twice or half as many keys would take a path of eleven or nine steps: neither is one."""
    secret, path, extra = draws.draw_secret(MASTER, 0), draws.path(NONCE, MASTER, 0), bytes(32)
    higher = sha(b"\x01" + bytes.fromhex(draws.root(NONCE, MASTER)) + extra)
    assert not draws.verify_key(higher.hex(), NONCE, 0, secret, [*path, extra.hex()])
    lower = a_leaf(0)
    for sibling in path[:9]:
        lower = sha(b"\x01" + lower + bytes.fromhex(sibling))
    assert not draws.verify_key(lower.hex(), NONCE, 0, secret, path[:9])


def test_the_same_draw_key_serves_every_1024th_draw_of_a_master() -> None:
    assert draws.draw_secret(MASTER, 1027) == draws.draw_secret(MASTER, 3) != draws.draw_secret(MASTER, 4)
    assert (
        draws.leaf(NONCE, 1027, SECRET)
        == draws.leaf(NONCE, 3, SECRET)
        == sha(b"\x00pbem/1 draw key\n" + bytes.fromhex(NONCE) + struct.pack(">I", 3) + SECRET)
    )
    assert draws.path(NONCE, MASTER, 1027) == draws.path(NONCE, MASTER, 3)


def slow_shuffle(private: bytes, pool: list[str], count: int) -> list[str]:
    left, drawn, block = list(pool), [], 0
    while len(drawn) < count:
        for word in struct.unpack(">8I", mac(private, b"pbem/1 shuffle\n" + struct.pack(">I", block))):
            if len(drawn) < count and word < 2**32 - 2**32 % len(left):
                drawn.append(left.pop(word % len(left)))
        block += 1
    return drawn


@given(st.binary(min_size=32, max_size=32), st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
@settings(deadline=None)
def test_a_shuffle_is_that_of_the_slow_formula(private: bytes, sizes: tuple[int, int]) -> None:
    pool = [f"card {i}" for i in range(sizes[0])]
    drawn = draws.shuffle(private, pool, sizes[1])
    assert drawn == slow_shuffle(private, pool, sizes[1])
    assert len(pool) == sizes[0], "the pool itself is left alone"


def test_a_shuffle_throws_words_beyond_the_last_full_share_away(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 2**32 // 3 * 3
    asked: list[bytes] = []

    def blocks(private: bytes, message: bytes) -> bytes:
        asked.append(message)
        return struct.pack(">8I", *[limit] * 8) if len(asked) == 1 else struct.pack(">8I", limit - 1, 0, 5, *[1] * 5)

    monkeypatch.setattr(draws, "mac", blocks)
    assert draws.shuffle(SECRET, ["a", "b", "c"], 3) == ["c", "a", "b"]
    assert asked == [b"pbem/1 shuffle\n" + struct.pack(">I", i) for i in range(2)]


def test_what_is_made_of_a_draw_key() -> None:
    assert draws.private_value(SECRET, KEY) == mac(SECRET, b"pbem/1 draw\n" + KEY)
    assert draws.private_dice(SECRET, "scouting", 9, 6) == tuple(slow_roll(SECRET, 0, "scouting", 9, 6)[0])
    assert draws.salt(SECRET, 3) == mac(SECRET, b"pbem/1 salt\n" + struct.pack(">I", 3))
    item: Any = {"b": 1, "a": "Ł"}
    head = b"pbem/1 card\n" + bytes.fromhex(GAME) + KEY + struct.pack(">II", 2, 5) + SECRET
    assert draws.commitment(GAME, KEY, 2, 5, SECRET, item) == sha(head + '{"a":"Ł","b":1}'.encode()).hex()


def test_a_seal_covers_place_salt_and_order() -> None:
    head = b"pbem/1 sealed\n" + bytes.fromhex(GAME) + KEY + struct.pack(">QI", 12, 3) + SECRET
    assert seals.seal(GAME, KEY, 12, 3, SECRET, ["x", 1]) == sha(head + b'["x",1]').hex()


# -- ids -----------------------------------------------------------------------------------------------------------


def test_ids_leave_the_signature_out() -> None:
    turn: dict[str, Any] = {"type": "turn", "b": 2, "a": 1, "signature": "x", "signatures": "y"}
    charter: dict[str, Any] = {"type": "charter", "signature": "x", "signatures": {"a": "y"}}
    assert ids.signed_part(turn) == {"type": "turn", "b": 2, "a": 1, "signatures": "y"}
    assert ids.signed_part(charter) == {"type": "charter", "signature": "x"}
    heal: dict[str, Any] = {"type": "heal", "signature": "x", "signatures": {"a": "y"}}
    assert ids.signed_part(heal) == {"type": "heal", "signature": "x"}
    assert ids.signed_part({"signature": "x"}) == {}
    for document in (turn, charter):
        plain = json.dumps(ids.signed_part(document), sort_keys=True, separators=(",", ":")).encode()
        assert ids.signed_bytes(document) == plain
        assert ids.document_id(document) == sha(b"pbem/1 document\n" + plain).hex()
    assert ids.scenario_hash({"b": 1, "a": 2}) == sha(b'pbem/1 scenario\n{"a":2,"b":1}').hex()


# -- words ---------------------------------------------------------------------------------------------------------


def test_an_id_in_words_tells_its_first_128_bits() -> None:
    assert words.word(0x0000) == "balbal" and words.word(0xFFFF) == "zoszos" and words.word(0x01FE) == "banzor"
    assert words.word(0x1234) == "dargel" and words.COUNT == 8
    told = words.in_words("0000ffff123400ffff00010204081020" + "99" * 16)
    assert told == "balbal zoszos dargel balzos zosbal banbar belbil dalfal"
    assert len({words.word(value) for value in range(0, 65536, 7)}) == len(range(0, 65536, 7))


# -- escrow --------------------------------------------------------------------------------------------------------

UMPIRE, FRESH = "11" * 32, "22" * 32
TIP = chain.tip(NONCE, SECRET, 64)


def sealed(**changes: Any) -> str:
    given_ = {"umpire": escrow.public(UMPIRE), "nonce": NONCE, "tip": TIP, "length": 64, "secret": SECRET, "ephemeral": FRESH}
    return escrow.encrypt(**{**given_, **changes})


def test_an_escrow_is_x25519_hkdf_and_chacha20_poly1305() -> None:
    import base64

    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    fresh, umpire = (X25519PrivateKey.from_private_bytes(bytes.fromhex(key)) for key in (FRESH, UMPIRE))
    own, his = fresh.public_key().public_bytes_raw(), umpire.public_key().public_bytes_raw()
    extracted = mac(bytes.fromhex(NONCE), fresh.exchange(umpire.public_key()))
    key = mac(extracted, b"pbem/1 escrow\n" + own + his + b"\x01")
    about = b"pbem/1 escrow\n" + bytes.fromhex(TIP) + struct.pack(">I", 64)
    assert sealed() == base64.b64encode(own + ChaCha20Poly1305(key).encrypt(bytes(12), SECRET, about)).decode()
    assert escrow.public(UMPIRE) == his.hex()


def test_an_escrow_opens_for_its_umpire_tip_length_and_nonce_alone() -> None:
    assert escrow.decrypt(UMPIRE, NONCE, TIP, 64, sealed()) == SECRET
    flipped = sealed()[:60] + ("A" if sealed()[60] != "A" else "B") + sealed()[61:]
    small = __import__("base64").b64encode(bytes(32) + bytes(48)).decode()
    closed = [
        (FRESH, NONCE, TIP, 64, sealed()),
        (UMPIRE, GAME, TIP, 64, sealed()),
        (UMPIRE, NONCE, GAME, 64, sealed()),
        (UMPIRE, NONCE, TIP, 65, sealed()),
        (UMPIRE, NONCE, TIP, 64, flipped),
        (UMPIRE, NONCE, TIP, 64, sealed()[:-4]),
        (UMPIRE, NONCE, TIP, 64, small),
        (UMPIRE, NONCE, TIP, 64, ""),
    ]
    for private, nonce, tip, length, text in closed:
        with pytest.raises(ProtocolError) as refused:
            escrow.decrypt(private, nonce, tip, length, text)
        assert refused.value.outcome is Outcome.BAD_OPENING
        assert str(refused.value) == f"the escrow of the chain with tip {tip[:16]} does not open"


def test_an_escrow_of_another_chain_is_noticed() -> None:
    with pytest.raises(ProtocolError) as refused:
        escrow.decrypt(UMPIRE, NONCE, TIP, 64, sealed(secret=KEY))
    assert refused.value.outcome is Outcome.BAD_OPENING
    assert str(refused.value) == f"the escrow holds another chain than that with tip {TIP[:16]}"


def test_an_escrow_is_80_bytes_in_canonical_base64() -> None:
    assert escrow.is_well_formed(sealed())
    for other in (sealed()[:-1], sealed() + "AAAA", 5, None, "", ["x"], sealed().replace("=", "")):
        assert escrow.is_well_formed(other) is False


def test_fresh_escrow_keys_differ_and_serve() -> None:
    one, other = escrow.generate(), escrow.generate()
    assert one != other and len(bytes.fromhex(one)) == 32
    assert escrow.decrypt(one, NONCE, TIP, 64, sealed(umpire=escrow.public(one), ephemeral=other)) == SECRET
