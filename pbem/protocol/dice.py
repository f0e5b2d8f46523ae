"""Dice: seeds from links, words from seeds, numbers from words (protocol, dice)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator


def mac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256."""
    return hmac.digest(key, message, hashlib.sha256)


def u32(number: int) -> bytes:
    """Four bytes, big-endian."""
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    """Eight bytes, big-endian."""
    return number.to_bytes(8, "big")


def seed(link: bytes, game_id: str, k: int, file_id: str) -> bytes:
    """seed_k = HMAC(link of file k+1, "pbem/1 seed\\n" || game id || u64be(k) || id of file k)."""
    return mac(link, b"pbem/1 seed\n" + bytes.fromhex(game_id) + u64(k) + bytes.fromhex(file_id))


LABEL = 300  # characters


def label_of(said: str) -> str:
    """The label of a roll as it stands in files and in the dice: what a rule says of it, as long as a label may be."""
    return said[:LABEL]


def block_message(index: int, block: int, label: str) -> bytes:
    """What is hashed for one block of a roll."""
    return b"pbem/1 roll\n" + u32(index) + u32(block) + label.encode()


def words(block: bytes) -> Iterator[int]:
    """The eight 32-bit big-endian words of a block."""
    return (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))


def roll(key: bytes, index: int, label: str, dice: int, sides: int) -> tuple[int, ...]:
    """`dice` numbers from 1 to `sides`: word w counts when w < floor(2^32 / sides) * sides; the die is 1 + w mod sides."""
    return roll_and_blocks(key, index, label, dice, sides)[0]


def roll_and_blocks(key: bytes, index: int, label: str, dice: int, sides: int) -> tuple[tuple[int, ...], int]:
    """The numbers of a roll and how many blocks they took."""
    limit = (1 << 32) // sides * sides
    numbers: list[int] = []
    block = 0
    while len(numbers) < dice:
        for word in words(mac(key, block_message(index, block, label))):
            if word < limit and len(numbers) < dice:
                numbers.append(1 + word % sides)
        block += 1
    return tuple(numbers), block
