"""Slips: signed documents beside the log (refusal, request, resignation, audit, equivocation). No seq, no link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol import deadlines, names, schema, sshsig, turnfile
from pbem.protocol.ids import document_id, signed_bytes
from pbem.protocol.keys import Signer
from pbem.protocol.outcomes import Outcome, ProtocolError

_COMMON: dict[str, schema.Check] = {
    "pbem": schema.one_of(1, 2),
    "type": schema.one_of("slip"),
    "game": schema.hex32,
    "head": schema.hex32,
    "player": names.name,
    "signature": schema.signature,
}
_KEY = schema.record({"draw": schema.number(0, 10**6), "key": schema.hex32, "path": schema.list_of(schema.hex32, 10)})
_OPENED = schema.record({"handle": schema.text(120), "order": schema.anything, "salt": schema.hex32})
_KINDS: dict[str, dict[str, schema.Check]] = {
    "refusal": {"file": schema.hex32, "outcome": schema.text(64), "reason": schema.text(2000)},
    "request": {"text": schema.text(2000)},
    "resignation": {"seats": schema.list_of(schema.name, 100)},
    "audit": {"keys": schema.list_of(_KEY), "open": schema.list_of(_OPENED)},
    "equivocation": {"files": schema.list_of(schema.map_of(schema.anything), 2, 2)},
    "restored": {"asks": schema.hex32},
    "head": {},
    **deadlines.SLIPS,
}
_OPTIONAL: dict[str, dict[str, schema.Check]] = {"restored": {"word": schema.text(300)}, "head": {"answers": schema.hex32}}
KINDS = tuple(_KINDS)


def make(kind: str, game: str, head: str, player: str, content: Mapping[str, Plain], version: int = 2) -> dict[str, Any]:
    """An unsigned slip; `version` is the charter's."""
    return {"pbem": version, "type": "slip", "slip": kind, "game": game, "head": head, "player": player, **content}


def sign(slip: Mapping[str, Any], private: Signer) -> dict[str, Any]:
    """The slip with its signature."""
    return {**slip, "signature": sshsig.sign(private, signed_bytes(slip))}


def shape(kind: str) -> tuple[dict[str, schema.Check], dict[str, schema.Check]]:
    """The keys that a slip of this kind has, and those that it may have."""
    required = {**_COMMON, "slip": schema.one_of(*_KINDS), **_KINDS.get(kind, {})}
    return required, {"note": schema.list_of(schema.text(500), 50), **_OPTIONAL.get(kind, {})}


def read_slip(document: Mapping[str, Plain]) -> dict[str, Any]:
    """The slip itself, judged for shape. Raises ProtocolError (unreadable)."""
    kind = document.get("slip")
    required, optional = shape(kind if isinstance(kind, str) else "")
    return names.of_its_version(schema.check(dict(document), required, optional, "slip"))


def verify(document: Mapping[str, Any], public: str) -> None:
    """Raises ProtocolError unless this key signed this well-formed slip."""
    read_slip(document)
    sshsig.verify(public, signed_bytes(document), document["signature"])


def check_equivocation(first: Mapping[str, Any], second: Mapping[str, Any], public: str) -> None:
    """Raises ProtocolError unless two different files by one key stand at one place: proof of cheating."""
    for file in (first, second):
        turnfile.read_turn(file)
        sshsig.verify(public, signed_bytes(file), str(file["signature"]))
    same_place = all(first.get(k) == second.get(k) for k in ("game", "seq", "player", "signed_by"))
    if not same_place or document_id(first) == document_id(second):
        raise ProtocolError(Outcome.UNREADABLE, msg("these are not two different files at one place by one player"))
    if first["prev"] != second["prev"]:
        reason = msg("the two files follow different ones: whoever signed the file where the chains part signed twice")
        raise ProtocolError(Outcome.BAD_CHAIN, reason)
