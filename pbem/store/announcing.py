"""New chains and draw keys of a player, derived from his draw master: written again from any backup they are the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pbem.kernel.canon import Plain, canonical
from pbem.protocol import chain, charter, draws, escrow
from pbem.protocol.dice import mac, u32, u64
from pbem.runtime.taking import RENEW_BELOW, SKIPPED, chain_in_use

if TYPE_CHECKING:
    from pbem.store.seated import Seated


def derived(session: Seated, tag: str, about: bytes) -> bytes:
    """32 bytes that only this player's draw master gives; it is never shown, not even to an escrow."""
    master = bytes.fromhex(session.me.draw_master)
    return mac(master, f"pbem/1 {tag}\n".encode() + bytes.fromhex(session.charter.game_id) + about)


def salt(session: Seated, seq: int, number: int, order: Plain) -> bytes:
    """Of a seal, over its place *and the order*: two orders at one place never share one."""
    return derived(session, "seal salt", u64(seq) + u32(number) + canonical(order))


def chains(session: Seated) -> Iterator[dict[str, Any]]:
    """The derived chains that the log has seen announced, and the next one."""
    known = set(session.table.ledger.tips)
    for n in range(len(known) + 1):
        secret = derived(session, "next chain", u32(n)).hex()
        yield {"secret": secret, "length": charter.CHAIN_LENGTH}
        if tip_of(session, secret) not in known:
            return


def masters(session: Seated) -> list[str]:
    """The derived draw masters that the log has seen announced, and the next one."""
    known = {*(t.root for t in session.table.ledger.trees), *session.table.ledger.roots}
    found: list[str] = []
    for n in range(len(known) + 1):
        found.append(derived(session, "next master", u32(n)).hex())
        if draws.root(session.charter.nonce, bytes.fromhex(found[-1])) not in known:
            break
    return found


def tip_of(session: Seated, secret: str) -> str:
    """The tip of a chain of the usual length."""
    return chain.tip(session.charter.nonce, bytes.fromhex(secret), charter.CHAIN_LENGTH)


def announcements(session: Seated, skips: bool) -> dict[str, Any]:
    """The next chain and the next draw keys, where few are left after this file; `skips`: it leaves out links."""
    found: dict[str, Any] = {}
    held, standing = session.table.ledger.chains[session.me.player], chain_in_use(session.table, session.me.player)
    takes_over = standing.last == held.next_tip  # with this file: one more is announced at once where that is short too
    left = standing.left - (0 if takes_over else held.later)
    if left <= RENEW_BELOW + (SKIPPED if skips else 0) and (takes_over or not held.next_tip):
        found["next_chain"] = _next_chain(session)
    if session.table.ledger.draw_keys_left(session.me.player) < RENEW_BELOW:
        master = masters(session)[-1]
        found["next_draws"] = draws.root(session.charter.nonce, bytes.fromhex(master))
    return found


def _next_chain(session: Seated) -> dict[str, Any]:
    *_, new = chains(session)
    tip = tip_of(session, new["secret"])
    mine = escrow_of(session, tip, new["length"], new["secret"]) if session.me.player != session.charter.umpire_name else {}
    return {"tip": tip, "length": new["length"], **mine}


def escrow_of(session: Seated, tip: str, length: int, secret: str) -> dict[str, str]:
    """The `escrow` of a new chain for an umpire who holds one, else nothing."""
    if not session.charter.escrow_key:
        return {}
    once = derived(session, "escrow ephemeral", bytes.fromhex(tip)).hex()
    held = bytes.fromhex(secret)
    return {"escrow": escrow.encrypt(session.charter.escrow_key, session.charter.nonce, tip, length, held, once)}
