"""Files and slips: their shapes, limits, order of keys, signatures, and the proof of two files at one place."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest

from pbem.protocol import ids, slips, sshsig, turnfile
from pbem.protocol.outcomes import Outcome, ProtocolError
from tests.toygame.party import Person

HEX, OTHER = "ab" * 32, "cd" * 32
NOWAK, YAMADA = Person("nowak", ["red"]), Person("yamada", ["blue"])
SIGNATURE = base64.b64encode(bytes(64)).decode()


def file(kind: str = "turn", **more: Any) -> dict[str, Any]:
    specific = {
        "undo": {"to": 3},
        "offer": {"offer": {"draw": True}},
        "accept": {"accepts": HEX},
        "seat": {"seat": {"player": "smith", "key": "x", "chain": HEX, "chain_length": 64, "draws": HEX, "from": 3}},
    }.get(kind, {})
    base = {"pbem": 2, "type": kind, "game": HEX, "seq": 7, "prev": HEX, "player": "nowak", "link": HEX, "state": HEX}
    return {**base, **specific, "signature": SIGNATURE, **more}


CONTENT: dict[str, dict[str, Any]] = {
    "refusal": {"file": HEX, "outcome": "bad dice", "reason": "why"},
    "request": {"text": "please"},
    "resignation": {"seats": ["red"]},
    "audit": {"keys": [], "open": []},
    "equivocation": {"files": [{}, {}]},
    "overdue": {"place": 3, "due": "yamada", "since": "2025-01-31T18:00:00Z"},
    "ruling": {"place": 3, "then": "loss", "claim": {}},
    "restored": {"asks": HEX},
    "head": {},
}


def slip(kind: str = "request", **more: Any) -> dict[str, Any]:
    return {**slips.make(kind, HEX, OTHER, "nowak", CONTENT[kind]), "signature": SIGNATURE, **more}


def refusal(attempt: Callable[[], Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as refused:
        attempt()
    return refused.value.outcome, str(refused.value)


def wrong(document: dict[str, Any]) -> str:
    outcome, why = refusal(lambda: turnfile.read_turn(document))
    assert outcome is Outcome.UNREADABLE
    return why


# -- files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", turnfile.TYPES)
def test_every_type_of_file_has_its_shape(kind: str) -> None:
    assert turnfile.read_turn(file(kind)) == file(kind)
    assert turnfile.read_turn({**file(kind), "pbem": 1}) == {**file(kind), "pbem": 1}
    for key in file(kind):
        lacking = {k: v for k, v in file(kind).items() if k != key}
        told = wrong(lacking)
        assert told.startswith("turn file: ") and f"{key} is missing" in told
    assert wrong(file(kind, odd=1)) == "turn file: unknown key 'odd'"


def test_other_types_are_refused() -> None:
    kinds = "one of ('turn', 'undo', 'offer', 'accept', 'decline', 'seat') is needed"
    assert wrong(file("slip")) == f"turn file: type: {kinds}"
    assert wrong({**file(), "type": ["turn"]}) == f"turn file: type: {kinds}"
    assert wrong({**file("turn"), "type": 5, "orders": []}) == f"turn file: unknown key 'orders'; type: {kinds}"


def test_only_turns_hold_orders() -> None:
    for key in ("orders", "standing", "standing_sealed"):
        value: Any = [] if key == "orders" else {}
        assert turnfile.read_turn(file(**{key: value}))
        assert wrong(file("undo", **{key: value})) == f"turn file: unknown key '{key}'"


def test_state_is_needed_from_version_2_on() -> None:
    without = {k: v for k, v in file().items() if k != "state"}
    assert turnfile.read_turn({**without, "pbem": 1}) and turnfile.read_turn({**file(state=None), "pbem": 1})
    assert wrong(without) == "turn file: state is missing"
    assert wrong(file(state=None)) == "turn file: state: 32 bytes in lower-case hex are needed"
    assert turnfile.shape("turn", 1)[0].keys() | {"state"} == turnfile.shape("turn", 2)[0].keys()


def test_a_seal_may_show_its_scope_from_version_2_on() -> None:
    scoped = {"casualties": [HEX, {"seal": HEX, "scope": "battle:1"}]}
    assert turnfile.read_turn(file(standing_sealed=scoped))
    assert "item 2: 32 bytes" in wrong({**file(standing_sealed=scoped), "pbem": 1})
    assert turnfile.read_turn({**file(standing_sealed={"a": [HEX] * 8}), "pbem": 1})
    assert "scope: text of at most 300" in wrong(file(standing_sealed={"a": [{"seal": HEX, "scope": "x" * 301}]}))
    assert "item 1: 32 bytes" in wrong(file(standing_sealed={"a": [5]}))


def opened(**keys: Any) -> dict[str, Any]:
    return {"handle": "h", "salt": HEX, **keys}


GOOD: list[dict[str, Any]] = [
    {"seq": 10**6, "replaces": HEX, "signed_by": "smith", "next_draws": HEX, "note": ["x" * 500] * 200},
    {"replaces": None, "next_draws": None, "next_chain": None},
    {"next_chain": {"tip": HEX, "length": 64}},
    {"next_chain": {"tip": HEX, "length": 65536, "escrow": base64.b64encode(bytes(80)).decode()}},
    {
        "dice": [
            {"roll": 0, "label": "x" * 300, "sides": 2, "dice": [1]},
            {"roll": 10**6, "label": "", "sides": 10**6, "dice": [10**6]},
        ]
    },
    {"commit": [{"draw": 0, "items": [HEX] * 1000}]},
    {"open": [{"claim": 0, "value": True}, {"claim": 10**6, "value": 1}, opened(order="x"), opened(item=None)]},
    {"open": [opened(handle="h" * 120, item=1)]},
    {"slips": [{}] * 100},
    {"orders": [1] * 2000},
    {"standing": {"x" * 64: 1}},
    {"standing_sealed": {"x" * 64: [HEX] * 8}},
]


@pytest.mark.parametrize("more", GOOD)
def test_the_largest_values_pass(more: dict[str, Any]) -> None:
    assert turnfile.read_turn(file(**more)) == file(**more)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"seq": 0}, "seq: a whole number from 1 to 1000000 is needed"),
    ({"seq": 10**6 + 1}, "seq: a whole number from 1 to 1000000 is needed"),
    ({"game": "x"}, "game: 32 bytes in lower-case hex are needed"),
    ({"prev": "x"}, "prev: 32 bytes in lower-case hex are needed"),
    ({"link": "x"}, "link: 32 bytes in lower-case hex are needed"),
    ({"signature": "x"}, "signature: 64 bytes in base64 are needed"),
    ({"player": "x y"}, "player: a name has up to 32"),
    ({"signed_by": "x y"}, "signed_by: a name has up to 32"),
    ({"replaces": "x"}, "replaces: 32 bytes in lower-case hex are needed"),
    ({"next_draws": "x"}, "next_draws: 32 bytes in lower-case hex are needed"),
    ({"next_chain": {"tip": HEX, "length": 63}}, "next_chain: length: a whole number from 64 to 65536 is needed"),
    ({"next_chain": {"tip": HEX, "length": 65537}}, "next_chain: length: a whole number from 64 to 65536 is needed"),
    ({"next_chain": {"tip": "x", "length": 64}}, "next_chain: tip: 32 bytes in lower-case hex are needed"),
    ({"next_chain": {"tip": HEX, "length": 64, "escrow": "x"}}, "next_chain: escrow: 80 bytes in base64 are needed"),
    ({"note": ["x" * 501]}, "note: item 1: text of at most 500 characters is needed"),
    ({"note": ["x"] * 201}, "note: a list of at most 200 is needed"),
    ({"dice": [{"roll": 1, "label": "x", "sides": 6}]}, "dice: item 1: dice is missing"),
    ({"dice": [{"roll": 1, "label": "x" * 301, "sides": 6, "dice": []}]}, "label: text of at most 300"),
    ({"dice": [{"roll": 1, "label": "x", "sides": 1, "dice": []}]}, "sides: a whole number from 2 to 1000000"),
    ({"dice": [{"roll": 1, "label": "x", "sides": 10**6 + 1, "dice": []}]}, "sides: a whole number from 2 to 1000000"),
    ({"dice": [{"roll": -1, "label": "x", "sides": 6, "dice": []}]}, "roll: a whole number from 0 to 1000000"),
    ({"dice": [{"roll": 10**6 + 1, "label": "x", "sides": 6, "dice": []}]}, "roll: a whole number from 0 to 1000000"),
    ({"dice": [{"roll": 1, "label": "x", "sides": 6, "dice": [0]}]}, "dice: item 1: a whole number from 1 to 1000000"),
    ({"dice": [{"roll": 1, "label": "x", "sides": 6, "dice": [10**6 + 1]}]}, "dice: item 1: a whole number from 1 to 1000000"),
    ({"commit": [{"draw": -1, "items": []}]}, "draw: a whole number from 0 to 1000000"),
    ({"commit": [{"draw": 10**6 + 1, "items": []}]}, "draw: a whole number from 0 to 1000000"),
    ({"commit": [{"draw": 1, "items": [HEX] * 1001}]}, "items: a list of at most 1000 is needed"),
    ({"commit": [{"draw": 1, "items": ["x"]}]}, "items: item 1: 32 bytes"),
    ({"open": [{"claim": -1, "value": 1}]}, "claim: a whole number from 0 to 1000000"),
    ({"open": [{"claim": 10**6 + 1, "value": 1}]}, "claim: a whole number from 0 to 1000000"),
    ({"open": [{"claim": 1}]}, "open: item 1: value is missing"),
    ({"open": [opened()]}, "open: item 1: item is missing"),
    ({"open": [opened(order=1, item=2)]}, "open: item 1: unknown key 'item'"),
    ({"open": ["x"]}, "open: item 1: a mapping is needed"),
    ({"open": [5]}, "open: item 1: a mapping is needed"),
    ({"open": [opened(handle="h" * 121, item=1)]}, "handle: text of at most 120"),
    ({"open": [opened(salt="x", order=1)]}, "salt: 32 bytes"),
    ({"slips": [{}] * 101}, "slips: a list of at most 100 is needed"),
    ({"slips": ["x"]}, "slips: item 1: a mapping is needed"),
    ({"orders": [1] * 2001}, "orders: a list of at most 2000 is needed"),
    ({"standing": {"x" * 65: 1}}, "text of at most 64 characters is needed"),
    ({"standing_sealed": {"x" * 65: []}}, "text of at most 64 characters is needed"),
    ({"standing_sealed": {"x": [HEX] * 9}}, "standing_sealed: x: a list of at most 8 is needed"),
]


@pytest.mark.parametrize(("more", "why"), BAD)
def test_what_is_larger_or_of_another_shape_is_refused(more: dict[str, Any], why: str) -> None:
    assert why in wrong(file(**more))


SEAT = file("seat")["seat"]


@pytest.mark.parametrize(
    ("kind", "more", "why"),
    [
        ("undo", {"to": 0}, "to: a whole number from 1 to 1000000 is needed"),
        ("accept", {"accepts": "x"}, "accepts: 32 bytes in lower-case hex are needed"),
        ("offer", {"offer": {"draw": 1}}, "offer: draw: one of (True,) is needed"),
        ("offer", {"offer": {"draw": True, "rules_version": 1}}, "offer: unknown key 'rules_version'"),
        ("offer", {"offer": {"rules_version": 0}}, "offer: rules_version: a whole number from 1 to 1000000 is needed"),
        ("offer", {"offer": {"rules_version": 10**6 + 1}}, "offer: rules_version: a whole number from 1 to 1000000 is needed"),
        ("offer", {"offer": "draw"}, "offer: a mapping is needed"),
        ("offer", {"offer": {}}, "offer: rules_version is missing"),
        ("seat", {"seat": {**SEAT, "from": 0}}, "seat: from: a whole number from 1 to 1000000 is needed"),
        ("seat", {"seat": {**SEAT, "chain_length": 63}}, "seat: chain_length: a whole number from 64 to 65536 is needed"),
        ("seat", {"seat": {**SEAT, "chain_length": 65537}}, "seat: chain_length: a whole number from 64 to 65536 is needed"),
        ("seat", {"seat": {**SEAT, "key": "x" * 121}}, "seat: key: text of at most 120 characters is needed"),
        ("seat", {"seat": {**SEAT, "holder": "x" * 65}}, "seat: holder: text of at most 64 characters is needed"),
        ("seat", {"seat": {**SEAT, "escrow": "x"}}, "seat: escrow: 80 bytes in base64 are needed"),
        ("seat", {"seat": {**SEAT, "player": "x y"}}, "seat: player: a name has up to 32"),
        ("seat", {"seat": {**SEAT, "odd": 1}}, "seat: unknown key 'odd'"),
    ],
)
def test_the_other_files_have_their_limits_too(kind: str, more: dict[str, Any], why: str) -> None:
    assert why in wrong(file(kind, **more))


def test_a_seat_may_name_its_holder_and_an_offer_a_version_of_the_rules() -> None:
    full = {**SEAT, "holder": "x" * 64, "escrow": base64.b64encode(bytes(80)).decode(), "key": "x" * 120, "chain_length": 65536}
    assert turnfile.read_turn(file("seat", seat=full))["seat"] == full
    assert turnfile.read_turn(file("offer", offer={"rules_version": 10**6}))


def test_names_of_version_1_are_plain() -> None:
    plain = "Łukasz: a name has small letters, digits, hyphens; others are for games that begin with `pbem: 2`"
    for document in (file(player="Łukasz"), file(signed_by="Łukasz"), file("seat", seat={**SEAT, "player": "Łukasz"})):
        assert turnfile.read_turn(document) == document
        assert wrong({**document, "pbem": 1}) == plain
    assert slips.read_slip(slip(player="Łukasz"))
    assert refusal(lambda: slips.read_slip(slip(player="Łukasz", pbem=1))) == (Outcome.UNREADABLE, plain)


def test_a_signed_file_stands_in_reading_order() -> None:
    document = turnfile.sign({"odd": 1, **dict(reversed(file(orders=["x"], note=["n"]).items()))}, NOWAK.private)
    keys = ["pbem", "type", "game", "seq", "prev", "player", "link", "state", "orders", "note", "signature"]
    assert list(document) == keys and document["signature"] != SIGNATURE
    turnfile.verify(document, NOWAK.record.key)
    assert refusal(lambda: turnfile.verify(document, YAMADA.record.key))[0] is Outcome.BAD_SIGNATURE
    assert refusal(lambda: turnfile.verify({**document, "note": ["m"]}, NOWAK.record.key))[0] is Outcome.BAD_SIGNATURE
    shapeless = turnfile.sign({k: v for k, v in file().items() if k != "link"}, NOWAK.private)
    assert refusal(lambda: turnfile.verify(shapeless, NOWAK.record.key)) == (Outcome.UNREADABLE, "turn file: link is missing")


# -- slips ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CONTENT)
def test_every_slip_has_its_shape(kind: str) -> None:
    assert slips.read_slip(slip(kind)) == slip(kind)
    assert slips.read_slip(slip(kind, note=["x" * 500] * 50)) and slips.read_slip(slip(kind, pbem=1))
    for key in slip(kind):
        told = refusal(lambda key=key: slips.read_slip({k: v for k, v in slip(kind).items() if k != key}))[1]  # type: ignore
        assert told.startswith("slip: ") and f"{key} is missing" in told
    assert refusal(lambda: slips.read_slip(slip(kind, odd=1)))[1] == "slip: unknown key 'odd'"


def test_a_slip_is_made_for_the_charters_version() -> None:
    made = slips.make("request", HEX, OTHER, "nowak", {"text": "please"})
    assert made == {
        "pbem": 2,
        "type": "slip",
        "slip": "request",
        "game": HEX,
        "head": OTHER,
        "player": "nowak",
        "text": "please",
    }
    assert slips.make("request", HEX, OTHER, "nowak", {}, 1)["pbem"] == 1


KEY = {"draw": 0, "key": HEX, "path": [HEX] * 10}
OPENED = {"handle": "h" * 120, "order": 1, "salt": HEX}
SLIPS: list[tuple[dict[str, Any], str]] = [
    (slip(pbem=3), "pbem: one of (1, 2) is needed"),
    (slip(type="turn"), "type: one of ('slip',) is needed"),
    (slip(slip="letter"), "slip: one of ("),
    (slip(slip=["request"]), "slip: one of ("),
    (slip(head="x"), "head: 32 bytes"),
    (slip(game="x"), "game: 32 bytes"),
    (slip(player="x y"), "player: a name has up to 32"),
    (slip(signature="x"), "signature: 64 bytes"),
    (slip(note=["x"] * 51), "note: a list of at most 50 is needed"),
    (slip(note=["x" * 501]), "note: item 1: text of at most 500"),
    (slip(text="x" * 2001), "text: text of at most 2000"),
    (slip("refusal", file="x"), "file: 32 bytes"),
    (slip("refusal", outcome="x" * 65), "outcome: text of at most 64"),
    (slip("refusal", reason="x" * 2001), "reason: text of at most 2000"),
    (slip("resignation", seats=["red"] * 101), "seats: a list of at most 100"),
    (slip("resignation", seats=["RED"]), "seats: item 1: a name"),
    (slip("audit", keys=[{**KEY, "path": [HEX] * 11}]), "path: a list of at most 10"),
    (slip("audit", keys=[{**KEY, "draw": -1}]), "draw: a whole number from 0 to 1000000"),
    (slip("audit", keys=[{**KEY, "draw": 10**6 + 1}]), "draw: a whole number from 0 to 1000000"),
    (slip("audit", keys=[{**KEY, "key": "x"}]), "key: 32 bytes"),
    (slip("audit", open=[{**OPENED, "handle": "h" * 121}]), "handle: text of at most 120"),
    (slip("audit", open=[{**OPENED, "salt": "x"}]), "salt: 32 bytes"),
    (slip("equivocation", files=[{}]), "files: a list of 2 is needed"),
    (slip("equivocation", files=[{}, {}, {}]), "files: a list of 2 is needed"),
    (slip("equivocation", files=[{}, 5]), "files: item 2: a mapping is needed"),
    (slip("overdue", place=0), "place: a whole number from 1 to 1000000"),
    (slip("overdue", place=10**6 + 1), "place: a whole number from 1 to 1000000"),
    (slip("overdue", due="x y"), "due: a name"),
    (slip("overdue", since="yesterday"), "since: a time like 2025-01-31T18:00:00Z is needed"),
    (slip("ruling", place=0), "place: a whole number from 1 to 1000000"),
    (slip("ruling", place=10**6 + 1), "place: a whole number from 1 to 1000000"),
    (slip("ruling", then="war"), "then: one of ('nothing', 'stand-in', 'substitute', 'loss') is needed"),
    (slip("ruling", claim="x"), "claim: a mapping is needed"),
    (slip("restored", asks="x"), "asks: 32 bytes"),
    (slip("restored", word="x" * 301), "word: text of at most 300"),
    (slip("head", answers="x"), "answers: 32 bytes"),
    (slip("request", answers=HEX), "unknown key 'answers'"),
]


@pytest.mark.parametrize(("document", "why"), SLIPS)
def test_a_slip_of_another_shape_is_refused(document: dict[str, Any], why: str) -> None:
    outcome, told = refusal(lambda: slips.read_slip(document))
    assert outcome is Outcome.UNREADABLE and told.startswith("slip: ") and why in told


def test_the_largest_slips_pass() -> None:
    for document in (
        slip(text="x" * 2000),
        slip("refusal", outcome="x" * 64, reason="x" * 2000),
        slip("resignation", seats=["red"] * 100),
        slip("audit", keys=[{**KEY, "draw": 10**6}], open=[OPENED]),
        slip("overdue", place=10**6),
        slip("ruling", place=1),
        slip("restored", word="x" * 300),
        slip("head", answers=HEX),
        slip("ruling", place=10**6),
    ):
        assert slips.read_slip(document) == document


def test_a_slip_is_verified() -> None:
    document = slips.sign({k: v for k, v in slip().items() if k != "signature"}, NOWAK.private)
    slips.verify(document, NOWAK.record.key)
    assert refusal(lambda: slips.verify(document, YAMADA.record.key))[0] is Outcome.BAD_SIGNATURE
    assert refusal(lambda: slips.verify({**document, "text": "other"}, NOWAK.record.key))[0] is Outcome.BAD_SIGNATURE
    odd = slips.sign({k: v for k, v in slip(odd=1).items() if k != "signature"}, NOWAK.private)
    assert refusal(lambda: slips.verify(odd, NOWAK.record.key)) == (Outcome.UNREADABLE, "slip: unknown key 'odd'")
    again = slips.sign(slip(signature="old"), NOWAK.private)
    assert again["signature"] == document["signature"] and slip()["signature"] == SIGNATURE


# -- two files at one place ----------------------------------------------------------------------------------------


def made(**more: Any) -> dict[str, Any]:
    return turnfile.sign(file(**more), NOWAK.private)


def check(first: dict[str, Any], second: dict[str, Any], key: str = NOWAK.record.key) -> tuple[Outcome, str]:
    return refusal(lambda: slips.check_equivocation(first, second, key))


def test_two_files_of_one_key_at_one_place_are_a_proof() -> None:
    slips.check_equivocation(made(note=["a"]), made(note=["b"]), NOWAK.record.key)
    slips.check_equivocation(made(signed_by="smith"), made(signed_by="smith", note=["b"]), NOWAK.record.key)


@pytest.mark.parametrize("more", [{"seq": 8}, {"game": OTHER}, {"player": "dubois"}, {"signed_by": "smith"}, {}])
def test_files_at_two_places_or_the_same_file_are_none(more: dict[str, Any]) -> None:
    first, second = made(note=["a"]), made(note=["a"], **more)
    for pair in ((first, second), (second, first)):
        assert check(*pair) == (Outcome.UNREADABLE, "these are not two different files at one place by one player")


def test_files_that_follow_different_ones_are_none() -> None:
    assert check(made(), made(prev=OTHER)) == (
        Outcome.BAD_CHAIN,
        "the two files follow different ones: whoever signed the file where the chains part signed twice",
    )


def test_both_files_have_to_be_signed_and_well_formed() -> None:
    good, forged = made(note=["a"]), turnfile.sign(file(note=["b"]), YAMADA.private)
    for pair in ((good, forged), (forged, good)):
        assert check(*pair)[0] is Outcome.BAD_SIGNATURE
    odd = {**file(odd=1), "signature": sshsig.sign(NOWAK.private, ids.signed_bytes(file(odd=1)))}
    for pair in ((good, odd), (odd, good)):
        assert check(*pair) == (Outcome.UNREADABLE, "turn file: unknown key 'odd'")
