"""Private draws: keys in a Merkle tree, shuffles, commitments (protocol, private draws)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache

from pbem.kernel.canon import Plain, canonical
from pbem.protocol.dice import mac, roll, u32, words

LEAVES = 1024
DEPTH = 10


def draw_secret(master: bytes, j: int) -> bytes:
    """K_j of a draw master; j counts the player's draws, modulo nothing: a new master serves the next 1024."""
    return mac(master, b"pbem/1 draw secret\n" + u32(j % LEAVES))


def leaf(nonce: str, j: int, secret: bytes) -> bytes:
    """The leaf of draw key j."""
    content = b"pbem/1 draw key\n" + bytes.fromhex(nonce) + u32(j % LEAVES) + secret
    return hashlib.sha256(b"\x00" + content).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


@cache
def _levels(nonce: str, master: bytes) -> tuple[tuple[bytes, ...], ...]:
    level = tuple(leaf(nonce, j, draw_secret(master, j)) for j in range(LEAVES))
    levels = [level]
    while len(level) > 1:
        level = tuple(_node(level[i], level[i + 1]) for i in range(0, len(level), 2))
        levels.append(level)
    return tuple(levels)


def root(nonce: str, master: bytes) -> str:
    """The RFC 6962 Merkle root of a master's 1024 draw keys."""
    return _levels(nonce, master)[-1][0].hex()


def path(nonce: str, master: bytes, j: int) -> list[str]:
    """The ten siblings of leaf j, lowest first."""
    levels = _levels(nonce, master)
    return [levels[d][(j % LEAVES >> d) ^ 1].hex() for d in range(DEPTH)]


def verify_key(expected_root: str, nonce: str, j: int, secret: bytes, siblings: Sequence[str]) -> bool:
    """Whether K_j belongs to a root; paths have exactly ten siblings."""
    if len(siblings) != DEPTH:
        return False
    value = leaf(nonce, j, secret)
    for d, sibling in enumerate(siblings):
        other = bytes.fromhex(sibling)
        value = _node(other, value) if j % LEAVES >> d & 1 else _node(value, other)
    return value.hex() == expected_root


def private_value(secret: bytes, seed: bytes) -> bytes:
    """private = HMAC(K_j, "pbem/1 draw\\n" || seed_k)."""
    return mac(secret, b"pbem/1 draw\n" + seed)


def shuffle(private: bytes, pool: Sequence[str], count: int) -> list[str]:
    """`count` items of a pool in canonical order: item i is the element w mod s of the s that are left."""
    left, block = list(pool), 0
    drawn: list[str] = []
    while len(drawn) < count:
        for word in words(mac(private, b"pbem/1 shuffle\n" + u32(block))):
            if len(drawn) < count and word < (1 << 32) // len(left) * len(left):
                drawn.append(left.pop(word % len(left)))
        block += 1
    return drawn


def private_dice(private: bytes, label: str, dice: int, sides: int) -> tuple[int, ...]:
    """A private die: the roll formula with `private` for the seed and index 0."""
    return roll(private, 0, label, dice, sides)


def salt(secret: bytes, i: int) -> bytes:
    """salt_i = HMAC(K_j, "pbem/1 salt\\n" || u32be(i))."""
    return mac(secret, b"pbem/1 salt\n" + u32(i))


def commitment(game_id: str, key: bytes, j: int, i: int, salt_i: bytes, item: Plain) -> str:
    """SHA-256("pbem/1 card\\n" || game id || key || u32be(j) || u32be(i) || salt || item in canonical form)."""
    head = b"pbem/1 card\n" + bytes.fromhex(game_id) + key + u32(j) + u32(i) + salt_i
    return hashlib.sha256(head + canonical(item)).hexdigest()
