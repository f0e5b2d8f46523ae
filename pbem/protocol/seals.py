"""Seals over orders, clauses and contents that must stay secret for a while (protocol, sealed orders)."""

from __future__ import annotations

import hashlib

from pbem.kernel.canon import Plain, canonical
from pbem.protocol.dice import u32, u64


def seal(game_id: str, key: bytes, seq: int, number: int, salt: bytes, order: Plain) -> str:
    """SHA-256("pbem/1 sealed\\n" || game id || key || u64be(seq) || u32be(number) || salt || canonical order)."""
    head = b"pbem/1 sealed\n" + bytes.fromhex(game_id) + key + u64(seq) + u32(number) + salt
    return hashlib.sha256(head + canonical(order)).hexdigest()
