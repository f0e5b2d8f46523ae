"""Turn files and the other files of the log (undo, offer, accept, decline, seat): shapes, signing, verifying."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.kernel.canon import Plain
from pbem.protocol import schema, sshsig
from pbem.protocol.ids import signed_bytes

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

TYPES = ("turn", "undo", "offer", "accept", "decline", "seat")
KEY_ORDER = (
    "pbem",
    "type",
    "game",
    "seq",
    "prev",
    "replaces",
    "player",
    "signed_by",
    "link",
    "to",
    "offer",
    "accepts",
    "seat",
    "state",
    "dice",
    "orders",
    "standing",
    "standing_sealed",
    "commit",
    "open",
    "slips",
    "next_chain",
    "next_draws",
    "note",
    "signature",
)
_SEQ = schema.number(1, 10**6)
_ROLL = schema.record(
    {
        "roll": schema.number(0, 10**6),
        "label": schema.text(300),
        "sides": schema.number(2, 10**6),
        "dice": schema.list_of(schema.number(1, 10**6)),
    }
)
_OPENING = schema.record(
    {"handle": schema.text(120), "salt": schema.hex32}, {"item": schema.anything, "order": schema.anything}
)
_CLAIM = schema.record({"claim": schema.number(0, 10**6), "value": schema.anything})
_COMMON: dict[str, schema.Check] = {
    "pbem": schema.one_of(1),
    "type": schema.one_of(*TYPES),
    "game": schema.hex32,
    "seq": _SEQ,
    "prev": schema.hex32,
    "player": schema.name,
    "link": schema.hex32,
    "signature": schema.signature,
}
_ANY: dict[str, schema.Check] = {
    "replaces": schema.maybe(schema.hex32),
    "signed_by": schema.name,
    "state": schema.maybe(schema.hex32),
    "dice": schema.list_of(_ROLL),
    "commit": schema.list_of(schema.record({"draw": schema.number(0, 10**6), "items": schema.list_of(schema.hex32, 1000)})),
    "open": schema.list_of(lambda v: _CLAIM(v) if isinstance(v, dict) and "claim" in v else _OPENING(v)),
    "slips": schema.list_of(schema.map_of(schema.anything), 100),
    "next_chain": schema.maybe(
        schema.record({"tip": schema.hex32, "length": schema.number(64, 65536)}, {"escrow": schema.text(108)})
    ),
    "next_draws": schema.maybe(schema.hex32),
    "note": schema.list_of(schema.text(500), 200),
}
_TURN: dict[str, schema.Check] = {
    "orders": schema.list_of(schema.anything, 2000),
    "standing": schema.map_of(schema.anything, schema.text(64)),
    "standing_sealed": schema.map_of(schema.list_of(schema.hex32, 8), schema.text(64)),
}
_SEAT = schema.record(
    {
        "player": schema.name,
        "key": schema.text(120),
        "chain": schema.hex32,
        "chain_length": schema.number(64, 65536),
        "draws": schema.hex32,
        "from": _SEQ,
    },
    {"holder": schema.text(64), "escrow": schema.text(108)},
)
_SPECIFIC: dict[str, dict[str, schema.Check]] = {
    "turn": {},
    "undo": {"to": _SEQ},
    "offer": {"offer": schema.record({}, {"draw": schema.one_of(True), "rules_version": schema.number(1, 10**6)})},
    "accept": {"accepts": schema.hex32},
    "decline": {},
    "seat": {"seat": _SEAT},
}


def read_turn(document: Mapping[str, Plain]) -> dict[str, Any]:
    """The document itself, judged for shape. Raises ProtocolError (unreadable) with every mistake."""
    kind = document.get("type")
    required = {**_COMMON, **_SPECIFIC.get(kind if isinstance(kind, str) else "", {})}
    optional = {**_ANY, **(_TURN if kind == "turn" else {})}
    return schema.check(dict(document), required, optional, "turn file")


def sign(document: Mapping[str, Any], private: Ed25519PrivateKey) -> dict[str, Any]:
    """The document in reading order with its signature."""
    ordered = {k: document[k] for k in KEY_ORDER if k in document and k != "signature"}
    return {**ordered, "signature": sshsig.sign(private, signed_bytes(ordered))}


def verify(document: Mapping[str, Any], public: str) -> None:
    """Raises ProtocolError (unreadable, bad signature) unless this key signed this well-formed file."""
    read_turn(document)
    sshsig.verify(public, signed_bytes(document), document["signature"])
