"""Hash chains: x_i = SHA-256("pbem/1 link\\n" || nonce || x_{i+1}); the tip x_0 is in the charter (protocol, charter)."""

from __future__ import annotations

import hashlib
from functools import cache

_TAG = b"pbem/1 link\n"


def previous(nonce: bytes, link: bytes) -> bytes:
    """The value before a link: what the log already knows."""
    return hashlib.sha256(_TAG + nonce + link).digest()


@cache
def _chain(nonce: bytes, secret: bytes, length: int) -> tuple[bytes, ...]:
    values = [secret]
    for _ in range(length):
        values.append(previous(nonce, values[-1]))
    return tuple(reversed(values))


def tip(nonce: str, secret: bytes, length: int) -> str:
    """x_0 of a chain whose last value x_length is `secret`."""
    return _chain(bytes.fromhex(nonce), secret, length)[0].hex()


def link(nonce: str, secret: bytes, length: int, n: int) -> str:
    """x_n, the n-th link (1 <= n <= length). Raises IndexError beyond the end."""
    if not 1 <= n <= length:
        raise IndexError(f"a chain of {length} has no link {n}")
    return _chain(bytes.fromhex(nonce), secret, length)[n].hex()


def verify_link(nonce: str, last: str, shown: str, skip: int = 0) -> bool:
    """Whether `shown` is the link after `last` (the tip or the link shown before), with `skip` links left out between."""
    value = bytes.fromhex(shown)
    for _ in range(skip + 1):
        value = previous(bytes.fromhex(nonce), value)
    return value.hex() == last
