"""The limits of SPEC 3, 5 and 9: each good body holds as much as it may, the failing one a little more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.protocol.vector_sets.form import Vector, public
from tests.protocol.vector_sets.papers import HEAD, _slip, _with_player, draft, file, signed, stamp, yaml

HASH, MILLION = "ab" * 32, 10**6
COVERS = "SPEC 3, 5, 9"
Document = dict[str, Any]


def roll(**changes: Any) -> Document:
    """A file with one roll."""
    return {"dice": [{"roll": 0, "label": "x", "sides": 6, "dice": [1], **changes}]}


def opening(**changes: Any) -> Document:
    """A file that opens one item."""
    return {"open": [{"handle": "blue:draw0:0", "item": "x", "salt": HASH, **changes}]}


def seat(**changes: Any) -> Document:
    """A file of type seat."""
    record = {"player": "nowak", "key": public("nowak"), "chain": HASH, "chain_length": 4096, "draws": HEAD, "from": 18}
    return {"type": "seat", "seat": {**record, **changes}}


STEP: Document = {"at": "x", "do": ["y"]}
SHUT: Document = {"at": "x", "sealed": HASH}


def planning(steps: list[Document]) -> Document:
    """A file of version 2 with a plan."""
    return {"pbem": 2, "state": HASH, "orders": ["x"], "plan": steps}


EMPTY = {"roll": 0, "label": "", "sides": 2, "dice": []}
FILES: dict[str, tuple[str, Document, Document]] = {  # what is limited, within, beyond
    "orders": ("2,000 orders", {"orders": ["x"] * 2000}, {"orders": ["x"] * 2001}),
    "note-lines": ("200 lines of note", {"note": ["x"] * 200}, {"note": ["x"] * 201}),
    "note-line": ("500 characters in a line of note, not bytes nor units", {"note": ["🎲" * 500]}, {"note": ["🎲" * 501]}),
    "slips": ("100 slips", {"slips": [{"x": 1}] * 100}, {"slips": [{"x": 1}] * 101}),
    "seq": ("a place of at most 1,000,000", {"seq": MILLION}, {"seq": MILLION + 1}),
    "rolls": ("10,000 rolls", {"dice": [EMPTY] * 10_000}, {"dice": [EMPTY] * 10_001}),
    "roll-number": ("rolls are numbered to 1,000,000", roll(roll=MILLION), roll(roll=MILLION + 1)),
    "label": ("a label of 300 characters", roll(label="🎲" * 300), roll(label="🎲" * 301)),
    "sides": ("1,000,000 sides", roll(sides=MILLION), roll(sides=MILLION + 1)),
    "die": ("a die of 1,000,000", roll(sides=MILLION, dice=[MILLION]), roll(sides=MILLION, dice=[MILLION + 1])),
    "dice": ("10,000 dice in a roll", roll(dice=[1] * 10_000), roll(dice=[1] * 10_001)),
    "claims": (
        "10,000 openings and claims",
        {"open": [{"claim": 0, "value": 1}] * 10_000},
        {"open": [{"claim": 0, "value": 1}] * 10_001},
    ),
    "claim-number": (
        "claims are numbered to 1,000,000",
        {"open": [{"claim": MILLION, "value": 1}]},
        {"open": [{"claim": MILLION + 1, "value": 1}]},
    ),
    "handle": ("a handle of 120 characters", opening(handle="x" * 120), opening(handle="x" * 121)),
    "items": (
        "1,000 commitments to a draw",
        {"commit": [{"draw": 0, "items": [HASH] * 1000}]},
        {"commit": [{"draw": 0, "items": [HASH] * 1001}]},
    ),
    "draw-number": (
        "draws are numbered to 1,000,000",
        {"commit": [{"draw": MILLION, "items": []}]},
        {"commit": [{"draw": MILLION + 1, "items": []}]},
    ),
    "standing-kind": ("a kind of 64 characters", {"standing": {"🎲" * 64: []}}, {"standing": {"🎲" * 65: []}}),
    "sealed-kind": ("a sealed kind of 64 characters", {"standing_sealed": {"x" * 64: []}}, {"standing_sealed": {"x" * 65: []}}),
    "next-chain": (
        "a next chain of 65,536 links",
        {"next_chain": {"tip": HASH, "length": 65536}},
        {"next_chain": {"tip": HASH, "length": 65537}},
    ),
    "to": ("an undo of a place of at most 1,000,000", {"type": "undo", "to": MILLION}, {"type": "undo", "to": MILLION + 1}),
    "undo-of-the-charter": ("an undo of file 1 or later", {"type": "undo", "to": 1}, {"type": "undo", "to": 0}),
    "rules-version": (
        "a rules version of at most 1,000,000",
        {"type": "offer", "offer": {"rules_version": MILLION}},
        {"type": "offer", "offer": {"rules_version": MILLION + 1}},
    ),
    "offer-of-two-things": (
        "an offer of one thing",
        {"type": "offer", "offer": {"rules_version": 2}},
        {"type": "offer", "offer": {"rules_version": 2, "draw": True}},
    ),
    "offer-of-nothing": ("an offer of something", {"type": "offer", "offer": {"draw": True}}, {"type": "offer", "offer": {}}),
    "seat-holder": ("a holder of 64 characters", seat(holder="🎲" * 64), seat(holder="🎲" * 65)),
    "seat-key": ("a key of 120 characters", seat(key="x" * 120), seat(key="x" * 121)),
    "seat-escrow": ("an escrow of 80 bytes", seat(escrow="A" * 107 + "="), seat(escrow="A" * 108)),
    "seat-from": ("from a place of at most 1,000,000", seat(**{"from": MILLION}), seat(**{"from": MILLION + 1})),
    "opening-of-both": ("an item or an order, not both", opening(), opening(order="x")),
    "opening-of-nothing": ("an item or an order", opening(), {"open": [{"handle": "blue:draw0:0", "salt": HASH}]}),
    "key-of-the-language": ("no key is known because a language knows it", {}, {"constructor": 1}),
    "null-state": ("version 1: a state may be null", {"state": None}, {"state": 1}),
    "null-next-chain": ("a next chain may be null", {"next_chain": None}, {"next_chain": 1}),
    "null-next-draws": ("next draws may be null", {"next_draws": None}, {"next_draws": 1}),
    "null-dice": ("dice left out are no null", {}, {"dice": None}),
    "scope-in-version-1": (
        "version 1: a seal shows no scope",
        {"standing_sealed": {"x": [HASH]}},
        {"standing_sealed": {"x": [{"seal": HASH, "scope": "y"}]}},
    ),
    "scope": (
        "version 2: a seal shows a scope of 300 characters",
        {"pbem": 2, "state": HASH, "standing_sealed": {"x": [HASH, {"seal": HASH, "scope": "🎲" * 300}]}},
        {"pbem": 2, "state": HASH, "standing_sealed": {"x": [HASH, {"seal": HASH, "scope": "🎲" * 301}]}},
    ),
    "plan-in-version-1": (
        "version 1: a file brings no plan",
        {"orders": ["x"]},
        {"orders": ["x"], "plan": [{"at": "x", "do": ["y"]}]},
    ),
    "plan": ("version 2: a plan of 64 steps", planning([STEP] * 64), planning([STEP] * 65)),
    "plan-orders": (
        "a step has 200 orders, text of 64 characters for its question and of 1,000 for its condition",
        planning([{"at": "🎲" * 64, "seat": "x" * 32, "when": "🎲" * 1000, "else": "drop", "do": ["y"] * 200}]),
        planning([{**STEP, "do": ["y"] * 201}]),
    ),
    "plan-condition": ("a condition of 1,000 characters", planning([STEP]), planning([{**STEP, "when": "x" * 1001}])),
    "plan-question": ("a question of 64 characters", planning([STEP]), planning([{**STEP, "at": "x" * 65}])),
    "plan-step-of-nothing": ("a step has an order", planning([STEP]), planning([{**STEP, "do": []}])),
    "plan-step-without-orders": ("a step has orders or a seal", planning([SHUT]), planning([{"at": "x"}])),
    "plan-step-of-both": ("a step is open or sealed", planning([STEP, SHUT]), planning([{**STEP, **SHUT}])),
    "plan-step-that-shows-more": (
        "a sealed step shows its question, its seat and its stretch alone",
        planning([{**SHUT, "seat": "red"}]),
        planning([{**SHUT, "when": "x"}]),
    ),
    "plan-seat": ("a seat is a plain name", planning([{**STEP, "seat": "red"}]), planning([{**STEP, "seat": "Red"}])),
    "plan-later": (
        "a step, open or sealed, is for a stretch behind its own, at most the 64th",
        planning([{**STEP, "later": 64}, {**SHUT, "later": 1}]),
        planning([{**STEP, "later": 65}]),
    ),
    "plan-later-than-nothing": ("its own stretch is told by silence", planning([STEP]), planning([{**SHUT, "later": 0}])),
    "plan-otherwise": ("else is ask or drop", planning([{**STEP, "else": "ask"}]), planning([{**STEP, "else": "stop"}])),
    "state-in-version-2": ("version 2: every file names its state", {"pbem": 2, "state": HASH}, {"pbem": 2}),
    "state-in-version-2-is-no-null": (
        "version 2: the state is no null",
        {"pbem": 2, "state": HASH},
        {"pbem": 2, "state": None},
    ),
    "state-of-an-accept": (
        "version 2: every type names its state",
        {"pbem": 2, "type": "accept", "accepts": HASH, "state": HASH},
        {"pbem": 2, "type": "accept", "accepts": HASH},
    ),
}


def slip(kind: str, **content: Any) -> Document:
    """A slip of this kind."""
    return _slip(kind, **content)


def refusal(**changes: Any) -> Document:
    """A slip that refuses a file."""
    return slip("refusal", **{"file": HASH, "outcome": "bad dice", "reason": "x", **changes})


def audit(draw: int = 0, siblings: int = 10, handle: str = "blue:seal3:0") -> Document:
    """A slip that shows one key and one seal."""
    key = {"draw": draw, "key": HASH, "path": [HASH] * siblings}
    return slip("audit", keys=[key], open=[{"handle": handle, "order": 1, "salt": HASH}])


SLIPS: dict[str, tuple[str, Document, Document]] = {
    "reason": ("a reason of 2,000 characters", refusal(reason="🎲" * 2000), refusal(reason="🎲" * 2001)),
    "outcome": ("an outcome of 64 characters", refusal(outcome="x" * 64), refusal(outcome="x" * 65)),
    "text": ("a request of 2,000 characters", slip("request", text="x" * 2000), slip("request", text="x" * 2001)),
    "seats": ("100 seats", slip("resignation", seats=["blue"] * 100), slip("resignation", seats=["blue"] * 101)),
    "note-lines": ("50 lines of note", slip("request", text="x", note=["x"] * 50), slip("request", text="x", note=["x"] * 51)),
    "note-line": (
        "500 characters a line",
        slip("request", text="x", note=["x" * 500]),
        slip("request", text="x", note=["x" * 501]),
    ),
    "siblings": ("ten siblings", audit(siblings=10), audit(siblings=11)),
    "audit-draw": ("draws are numbered to 1,000,000", audit(draw=MILLION), audit(draw=MILLION + 1)),
    "audit-handle": ("a handle of 120 characters", audit(handle="x" * 120), audit(handle="x" * 121)),
    "proof-of-one-file": ("two files", slip("request", text="x"), slip("equivocation", files=[{}])),
    "proof-of-three-files": ("two files", slip("request", text="x"), slip("equivocation", files=[{}] * 3)),
}


def _scenario(name: str) -> Document:
    return {**draft(), "scenario": {"name": name, "hash": "00" * 32}}


def _sided(side: str) -> Document:
    return {**draft(), "seats": {**draft()["seats"], "blue": {"player": "yamada", "side": side}}}


CHARTERS: dict[str, tuple[str, Document, Document]] = {
    "rules": ("an edition of 64 characters", {**draft(), "rules": "x" * 64}, {**draft(), "rules": "x" * 65}),
    "system": ("a system of 64 characters", {**draft(), "system": "x" * 64}, {**draft(), "system": "x" * 65}),
    "scenario-name": ("a scenario of 64 characters", _scenario("x" * 64), _scenario("x" * 65)),
    "rules-version": (
        "a rules version of at most 1,000,000",
        {**draft(), "rules_version": MILLION},
        {**draft(), "rules_version": MILLION + 1},
    ),
    "rules-version-0": ("versions are counted from 1", draft(), {**draft(), "rules_version": 0}),
    "deadline": ("a deadline of 32 characters", {**draft(), "deadline": "x" * 32}, {**draft(), "deadline": "x" * 33}),
    "note-lines": ("50 lines of note", {**draft(), "note": ["x"] * 50}, {**draft(), "note": ["x"] * 51}),
    "chain": ("a chain of 65,536 links", _with_player("nowak", chain_length=65536), _with_player("nowak", chain_length=65537)),
    "side": ("a side of 32 small letters", _sided("x" * 32), _sided("x" * 33)),
    "null-umpire": ("an umpire may be null", {**draft(), "umpire": None}, {**draft(), "umpire": {}}),
    "null-lost-keys": ("lost_keys may be null", {**draft(), "lost_keys": None}, {**draft(), "lost_keys": "me"}),
    "lost-keys-without-umpire": ("lost_keys names an umpire who is there", draft(), {**draft(), "lost_keys": "umpire"}),
    "escrow-without-umpire": ("no escrow where nobody holds it", draft(), {**draft(), "escrow": {"nowak": "A" * 107 + "="}}),
    "answers-for-the-other-side": ("who answers for a side is of it", draft(), {**draft(), "answers": {"axis": "nowak"}}),
}


def vectors() -> Iterator[Vector]:
    """Charters, files and slips, a little too large."""
    key = {"key": public()}
    for name, (comment, within, beyond) in FILES.items():
        good, bad = stamp({**file(), **within}), stamp({**file(), **beyond})
        yield Vector("file", f"limit-{name}", "unreadable", comment, bad, good, COVERS, more=key)
    for name, (comment, within, beyond) in SLIPS.items():
        yield Vector("slip", f"limit-{name}", "unreadable", comment, stamp(beyond), stamp(within), COVERS, more=key)
    for name, (comment, within, beyond) in CHARTERS.items():
        good, bad = yaml(signed(within)), yaml(signed(beyond))
        yield Vector("charter", f"limit-{name}", "unreadable", comment, bad, good, COVERS)
