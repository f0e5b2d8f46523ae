"""Turn files and the other files of the log (undo, offer, accept, decline, seat): shapes, signing, verifying."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.kernel.canon import Plain
from pbem.protocol import names, schema, sshsig
from pbem.protocol.ids import signed_bytes
from pbem.protocol.keys import Signer

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
    "plan",
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
_OPENED = {"handle": schema.text(120), "salt": schema.hex32}
_ITEM = schema.record({**_OPENED, "item": schema.anything})
_ORDER = schema.record({**_OPENED, "order": schema.anything})
_CLAIM = schema.record({"claim": schema.number(0, 10**6), "value": schema.anything})
_DRAW = schema.record({"draw": schema.one_of(True)})
_RULES = schema.record({"rules_version": schema.number(1, 10**6)})


def _opened(value: Plain) -> schema.Check:
    """{claim, value}, {handle, order, salt} or {handle, item, salt}."""
    keys = value if isinstance(value, dict) else {}
    return _CLAIM if "claim" in keys else _ORDER if "order" in keys else _ITEM


def _offered(value: Plain) -> schema.Check:
    """A draw or a version of the rules, never both."""
    return _DRAW if isinstance(value, dict) and "draw" in value else _RULES


_COMMON: dict[str, schema.Check] = {
    "pbem": schema.one_of(1, 2),
    "type": schema.one_of(*TYPES),
    "game": schema.hex32,
    "seq": _SEQ,
    "prev": schema.hex32,
    "player": names.name,
    "link": schema.hex32,
    "signature": schema.signature,
}
_ANY: dict[str, schema.Check] = {
    "replaces": schema.maybe(schema.hex32),
    "signed_by": names.name,
    "dice": schema.list_of(_ROLL),
    "commit": schema.list_of(schema.record({"draw": schema.number(0, 10**6), "items": schema.list_of(schema.hex32, 1000)})),
    "open": schema.list_of(schema.either(_opened, _CLAIM, _ORDER, _ITEM)),
    "slips": schema.list_of(schema.map_of(schema.anything), 100),
    "next_chain": schema.maybe(
        schema.record({"tip": schema.hex32, "length": schema.number(64, 65536)}, {"escrow": schema.sealed_secret})
    ),
    "next_draws": schema.maybe(schema.hex32),
    "note": schema.list_of(schema.text(500), 200),
}
_TURN: dict[str, schema.Check] = {
    "orders": schema.list_of(schema.anything, 2000),
    "standing": schema.map_of(schema.anything, schema.text(64)),
    "standing_sealed": schema.map_of(schema.list_of(schema.hex32, 8), schema.text(64)),
}
_SCOPED = schema.record({"seal": schema.hex32, "scope": schema.text(300)})
_SEALS = schema.list_of(schema.either(lambda v: _SCOPED if isinstance(v, dict) else schema.hex32, _SCOPED, schema.hex32), 8)
_ABOUT = {"seat": schema.name, "later": schema.number(1, 64)}
_SHUT = schema.record({"at": schema.text(64), "sealed": schema.hex32}, _ABOUT)
_STEP = schema.record(
    {"at": schema.text(64), "do": schema.list_of(schema.anything, 200, 1)},
    {**_ABOUT, "when": schema.text(1000), "else": schema.one_of("ask", "drop")},
)
_TURN_2 = {
    **_TURN,
    "standing_sealed": schema.map_of(_SEALS, schema.text(64)),  # a seal may show its scope
    "plan": schema.list_of(schema.by_key({"sealed": _SHUT, "do": _STEP}), 64),
}
_HOLDER = {
    "player": names.name,
    "key": schema.text(120),
    "chain": schema.hex32,
    "chain_length": schema.number(64, 65536),
    "draws": schema.hex32,
}
_HELD = {"holder": schema.text(64), "escrow": schema.sealed_secret}
_SEAT = schema.record({**_HOLDER, "from": _SEQ}, _HELD)
SEAT_WANTED = schema.record(
    {"pbem": schema.one_of(1, 2), "type": schema.one_of("seat-wanted"), "game": schema.hex32, **_HOLDER}, _HELD
)
_SPECIFIC: dict[str, dict[str, schema.Check]] = {
    "turn": {},
    "undo": {"to": _SEQ},
    "offer": {"offer": schema.either(_offered, _DRAW, _RULES)},
    "accept": {"accepts": schema.hex32},
    "decline": {},
    "seat": {"seat": _SEAT},
}


def shape(kind: str, version: int) -> tuple[dict[str, schema.Check], dict[str, schema.Check]]:
    """The keys that a file of this type has, and those that it may have. From version 2 on every file names its `state`."""
    required, optional = {**_COMMON, **_SPECIFIC.get(kind, {})}, {**_ANY}
    if kind == "turn":
        optional |= _TURN if version == 1 else _TURN_2
    if version == 1:
        return required, {**optional, "state": schema.maybe(schema.hex32)}
    return {**required, "state": schema.hex32}, optional


def read_turn(document: Mapping[str, Plain]) -> dict[str, Any]:
    """The document itself, judged for shape. Raises ProtocolError (unreadable) with every mistake."""
    kind = document.get("type")
    required, optional = shape(kind if isinstance(kind, str) else "", 1 if document.get("pbem") == 1 else 2)
    return names.of_its_version(schema.check(dict(document), required, optional, "turn file"))


def sign(document: Mapping[str, Any], private: Signer) -> dict[str, Any]:
    """The document in reading order with its signature."""
    ordered = {k: document[k] for k in KEY_ORDER if k in document}  # its last key is the signature, made anew
    return {**ordered, "signature": sshsig.sign(private, signed_bytes(ordered))}


def verify(document: Mapping[str, Any], public: str) -> None:
    """Raises ProtocolError (unreadable, bad signature) unless this key signed this well-formed file."""
    read_turn(document)
    sshsig.verify(public, signed_bytes(document), document["signature"])
