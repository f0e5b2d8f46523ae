"""The links of a player's own chains: which one is due next."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbem.protocol import chain
from pbem.runtime.taking import Standing


def next_link(nonce: str, chains: Iterable[dict[str, Any]], standing: Standing) -> str:
    """The link due, on whichever of the player's chains it stands; empty when on none."""
    for held in chains:
        if stands_on(nonce, held, standing):
            length = int(held["length"])
            return chain.link(nonce, bytes.fromhex(held["secret"]), length, length - standing.left + 1)
    return ""


def stands_on(nonce: str, held: dict[str, Any], standing: Standing) -> bool:
    """Whether this is the chain of which the log shows the last value, with as many links left."""
    secret, length = bytes.fromhex(held["secret"]), int(held["length"])
    shown = length - standing.left - standing.skip
    if not (standing.left > 0 and shown >= 0):
        return False
    return standing.last == (chain.link(nonce, secret, length, shown) if shown else chain.tip(nonce, secret, length))
