"""Charters, files of the log and slips, each on its own."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from pbem.kernel.canon import Plain
from pbem.protocol import charter, slips, sshsig, turnfile
from pbem.protocol.ids import signed_bytes
from pbem.protocol.strict_yaml import write_document
from tests.protocol.vector_sets.form import Vector, failing, person, public
from tests.protocol.vector_sets.signing import SMALL, text_of
from tests.toygame.party import NONCE, Person
from tests.toygame.skirmish import GAME

GAME_ID, HEAD = "ab" * 32, "cd" * 32


def yaml(document: Any) -> bytes:
    """A readable body."""
    return write_document(document).encode()


# -- charters ---------------------------------------------------------------------------------------------------------


def players() -> list[Person]:
    """Two sides, three players."""
    return [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"])]


def draft() -> dict[str, Any]:
    """A charter with every seat held and no signature yet."""
    made = charter.new_draft("skirmish", "1st", 1, NONCE, {"name": "test", "hash": "00" * 32}, {}, GAME.seats, "72h", 1)
    for who in players():
        made = charter.join(made, who.record, who.seats)
    return made


def signed(document: dict[str, Any], *names: str) -> dict[str, Any]:
    """Signed by these players (everybody in it when none is named), whatever it says."""
    bare = {**document, "signatures": {}}
    made = {n: sshsig.sign(person(n).private, signed_bytes(bare)) for n in names or bare["players"]}
    return {**bare, "signatures": made}


def _with_player(name: str, **changes: Any) -> dict[str, Any]:
    base = draft()
    return {**base, "players": {**base["players"], name: {**base["players"][name], **changes}}}


def _with_seats(**seats: dict[str, Any]) -> dict[str, Any]:
    base = draft()
    return {**base, "seats": {**base["seats"], **seats}}


def _renamed(name: str) -> dict[str, Any]:
    """Yamada plays under another name."""
    base = draft()
    base["players"] = {name: base["players"]["yamada"], **{k: v for k, v in base["players"].items() if k != "yamada"}}
    base["seats"] = {**base["seats"], "blue": {"player": name, "side": "axis"}}
    made = signed(base, "nowak", "dubois")
    made["signatures"][name] = sshsig.sign(person().private, signed_bytes(made))
    return made


def _without(key: str) -> dict[str, Any]:
    return {k: v for k, v in draft().items() if k != key}


def _umpire(role: str = "witness") -> dict[str, Any]:
    base, extra = draft(), Person("novotna", []).record
    record = {"key": extra.key, "chain": extra.chain, "chain_length": extra.chain_length, "draws": extra.draws}
    return {**base, "players": {**base["players"], "novotna": record}, "umpire": {"player": "novotna", "role": role}}


def charter_vectors() -> Iterator[Vector]:
    """Charters, complete and signed but for the fault."""
    base = draft()
    good = signed(base)
    yield Vector("charter", "three-players", "done", "two sides, three players", yaml(good), covers="SPEC 3")
    yield Vector("charter", "umpire", "done", "an umpire as witness", yaml(signed(_umpire())), covers="SPEC 3")
    named = signed({**base, "answers": {"allies": "dubois"}, "note": ["Good luck."]})
    yield Vector("charter", "answers", "done", "a player who answers for his side", yaml(named), covers="SPEC 3")
    yield from _charter_faults(good)
    yield from _charter_signatures(good)


def _charter_faults(good: dict[str, Any]) -> Iterator[Vector]:
    yamada, nowak = draft()["players"]["yamada"], draft()["players"]["nowak"]
    cases: dict[str, tuple[str, dict[str, Any]]] = {
        "three-sides": ("seats of three sides", _with_seats(rust={"player": "dubois", "side": "neutrals"})),
        "one-side": ("all seats on one side", _with_seats(blue={"player": "yamada", "side": "allies"})),
        "both-sides": ("nowak holds seats of both sides", _with_seats(blue={"player": "nowak", "side": "axis"})),
        "seat-of-a-stranger": (
            "a seat held by somebody without a key",
            _with_seats(rust={"player": "stranger", "side": "allies"}),
        ),
        "player-without-a-seat": ("a player who holds no seat", _with_seats(rust={"player": "nowak", "side": "allies"})),
        "copied-key": ("two players with one key", _with_player("nowak", key=yamada["key"])),
        "copied-tip": ("nowak copied the tip of a chain", _with_player("yamada", chain=nowak["chain"])),
        "copied-root": ("nowak copied the root of the draw keys", _with_player("yamada", draws=nowak["draws"])),
        "unknown-key": ("a key that is not known", {**draft(), "surprise": 1}),
        "unknown-key-of-a-player": ("a player's key that is not known", _with_player("nowak", mail="a@b")),
        "no-nonce": ("the nonce is missing", _without("nonce")),
        "no-options": ("the options are missing", _without("options")),
        "short-nonce": ("a nonce of 31 bytes", {**draft(), "nonce": "00" * 31}),
        "upper-case-hex": ("hex is lower case", {**draft(), "nonce": "AB" * 32}),
        "version-3": ("another version of the protocol", {**draft(), "pbem": 3}),
        "version-as-text": ("the version is a number", {**draft(), "pbem": "1"}),
        "true-is-not-1": ("true is no number", {**draft(), "pbem": True}),
        "short-chain": ("a chain of 63 links", _with_player("nowak", chain_length=63)),
        "long-chain": ("a chain of 65537 links", _with_player("nowak", chain_length=65537)),
        "umpire-without-a-key": ("an umpire without a key", {**draft(), "umpire": {"player": "novotna", "role": "witness"}}),
        "umpire-role": ("a role that is not known", _umpire("judge")),
    }
    bodies = {k: (comment, yaml(signed(document, "yamada", "nowak", "dubois"))) for k, (comment, document) in cases.items()}
    yield from failing("charter", "unreadable", yaml(good), bodies, "SPEC 3; attack: copy a tip, root or seal")
    names: dict[str, tuple[str, dict[str, Any]]] = {
        "name-with-a-path": ("a name that climbs folders", _renamed("../../etc/passwd")),
        "name-with-a-template": ("a name that a template would run", _renamed("{{7*7}}")),
        "name-with-bidi": ("a name with a direction mark", _renamed("ya\u202emada")),
        "name-with-a-homoglyph": ("a Cyrillic a", _renamed("y\u0430mada")),
        "name-too-long": ("33 letters", _renamed("y" * 33)),
        "name-in-capitals": ("capital letters", _renamed("Yamada")),
    }
    bodies = {k: (comment, yaml(document)) for k, (comment, document) in names.items()}
    yield from failing(
        "charter", "unreadable", yaml(good), bodies, "attack: path in a file name, template injection, bidi, homoglyph"
    )
    weak = signed(_with_player("nowak", key=text_of(bytes.fromhex(SMALL["order-8-a"])).decode()))
    comment = "a key for which many signatures verify"
    yield Vector("charter", "low-order-key", "wrong key", comment, yaml(weak), yaml(good), "attack: key with a low-order point")
    free = signed(
        _with_seats(red={"player": None, "side": "allies"}, rust={"player": "nowak", "side": "allies"}), "yamada", "nowak"
    )
    free["players"].pop("dubois")
    free = signed(free)
    yield Vector("charter", "free-seat", "waiting", "nobody holds red", yaml(free), yaml(good), "SPEC 3")


def _charter_signatures(good: dict[str, Any]) -> Iterator[Vector]:
    made = good["signatures"]
    cases: dict[str, tuple[str, dict[str, Any]]] = {
        "signature-missing": ("dubois has not signed", signed(draft(), "yamada", "nowak")),
        "no-signatures": ("nobody has signed", {**good, "signatures": {}}),
        "signature-of-another": ("nowak's place holds dubois's", {**good, "signatures": {**made, "nowak": made["dubois"]}}),
        "signed-by-a-stranger": (
            "a signature of somebody who does not play",
            {**good, "signatures": {**made, "stranger": made["nowak"]}},
        ),
        "edited-option": ("an option was changed after signing", {**good, "options": {"bid": 3}}),
        "edited-tip": (
            "a tip was swapped while the draft travelled",
            {**_with_player("nowak", chain="11" * 32), "signatures": made},
        ),
        "edited-rules-version": ("the rules version was changed", {**good, "rules_version": 2}),
    }
    bodies = {k: (comment, yaml(document)) for k, (comment, document) in cases.items()}
    yield from failing(
        "charter", "bad signature", yaml(good), bodies, "attack: edited after signing; swap keys while the draft travels"
    )
    odd = {**good, "signatures": {**made, "nowak": made["nowak"][:-4]}}
    yield Vector("charter", "signature-cut", "unreadable", "61 bytes of signature", yaml(odd), yaml(good), "SPEC 2")


# -- files --------------------------------------------------------------------------------------------------------------


def file(kind: str = "turn", **more: Plain) -> dict[str, Any]:
    """A file of yamada's, not signed."""
    head = {"pbem": 1, "type": kind, "game": GAME_ID, "seq": 17, "prev": HEAD, "player": "yamada", "link": "12" * 32}
    return {**head, **more}


def stamp(document: dict[str, Any], name: str = "yamada") -> bytes:
    """Signed as it stands, also with keys that no file has."""
    return yaml({**document, "signature": sshsig.sign(person(name).private, signed_bytes(document))})


FULL: dict[str, Any] = {
    "state": "34" * 32,
    "dice": [{"roll": 0, "label": "naval battle 3706 round 1, Japan", "sides": 6, "dice": [1, 6, 3]}],
    "orders": [{"move": "3 infantry from Kwangsi to Yunnan"}, "done"],
    "standing": {"casualties": ["cheapest first"]},
    "standing_sealed": {"scramble": ["56" * 32] * 8},
    "commit": [{"draw": 0, "items": ["78" * 32]}],
    "open": [{"handle": "blue:draw0:0", "item": "charge", "salt": "9a" * 32}, {"claim": 0, "value": True}],
    "slips": [{"type": "slip"}],
    "next_chain": {"tip": "bc" * 32, "length": 4096},
    "note": ["Good luck.", "zażółć 🎲"],
}

OTHER_TYPES: dict[str, dict[str, Any]] = {
    "undo": {"to": 15},
    "offer": {"offer": {"draw": True}},
    "accept": {"accepts": "de" * 32},
    "decline": {},
    "seat": {
        "seat": {
            "player": "nowak",
            "key": public("nowak"),
            "chain": "11" * 32,
            "chain_length": 4096,
            "draws": "22" * 32,
            "from": 18,
        }
    },
}


def _less(key: str) -> dict[str, Any]:
    return {k: v for k, v in file(**FULL).items() if k != key}


def file_vectors() -> Iterator[Vector]:
    """Files of the log, judged by shape and signature."""
    key, good = {"key": public()}, stamp(file(**FULL))
    yield Vector("file", "turn", "done", "every key that a turn may have", good, covers="SPEC 5", more=key)
    yield Vector("file", "witness", "done", "a turn without orders", stamp(file()), covers="SPEC 5", more=key)
    for kind, own in OTHER_TYPES.items():
        yield Vector("file", kind, "done", f"a file of type {kind}", stamp(file(kind, **own)), covers="SPEC 5", more=key)
    cases: dict[str, tuple[str, dict[str, Any]]] = {
        "unknown-key": ("a key that is not known", file(**FULL, surprise=1)),
        "file-name": ("a key that would name a path", file(**FULL, attachment="../../.ssh/authorized_keys")),
        "player-is-a-path": ("a player who climbs folders", {**file(**FULL), "player": "../yamada"}),
        "no-link": ("no reveal: the link is missing", _less("link")),
        "no-prev": ("the file before is not named", _less("prev")),
        "no-game": ("the game is not named", _less("game")),
        "no-seq": ("the place is not named", _less("seq")),
        "link-of-31-bytes": ("a link of 31 bytes", {**file(**FULL), "link": "12" * 31}),
        "link-in-capitals": ("hex is lower case", {**file(**FULL), "link": "AB" * 32}),
        "seq-0": ("the charter's place", {**file(**FULL), "seq": 0}),
        "seq-as-text": ("a number is no text", {**file(**FULL), "seq": "17"}),
        "seq-true": ("true is no number", {**file(**FULL), "seq": True}),
        "unknown-type": ("a type that is not known", {**file(**FULL), "type": "move"}),
        "version-3": ("another version of the protocol", {**file(**FULL), "pbem": 3}),
        "orders-as-text": ("orders are a list", {**file(**FULL), "orders": "done"}),
        "nine-seals": ("at most eight seals of a kind", {**file(**FULL), "standing_sealed": {"scramble": ["56" * 32] * 9}}),
        "long-note": ("a line of 501 characters", {**file(**FULL), "note": ["x" * 501]}),
        "roll-without-a-label": ("a roll without its label", {**file(**FULL), "dice": [{"roll": 0, "sides": 6, "dice": [1]}]}),
        "one-sided-die": (
            "a die has two sides or more",
            {**file(**FULL), "dice": [{"roll": 0, "label": "x", "sides": 1, "dice": [1]}]},
        ),
        "opening-without-salt": (
            "an opening without its salt",
            {**file(**FULL), "open": [{"handle": "blue:draw0:0", "item": "x"}]},
        ),
        "short-next-chain": ("a new chain of 63 links", {**file(**FULL), "next_chain": {"tip": "bc" * 32, "length": 63}}),
        "no-type": ("what is it?", _less("type")),
        "state-of-31-bytes": ("a hash has 32 bytes", {**file(**FULL), "state": "34" * 31}),
        "standing-as-list": ("standing orders go by kind", {**file(**FULL), "standing": ["casualties"]}),
        "commit-without-items": ("a commitment to nothing", {**file(**FULL), "commit": [{"draw": 0}]}),
        "draw-below-zero": ("draws are counted from 0", {**file(**FULL), "commit": [{"draw": -1, "items": []}]}),
        "claim-with-a-salt": ("a claim is no opening", {**file(**FULL), "open": [{"claim": 0, "value": 1, "salt": "9a" * 32}]}),
        "note-as-text": ("a note is a list of lines", {**file(**FULL), "note": "Good luck."}),
        "die-of-zero": (
            "a die shows 1 or more",
            {**file(**FULL), "dice": [{"roll": 0, "label": "x", "sides": 6, "dice": [0]}]},
        ),
        "next-chain-without-tip": ("a new chain without its tip", {**file(**FULL), "next_chain": {"length": 4096}}),
        "to-in-a-turn": ("a key of another type", file(**FULL, to=15)),
    }
    bodies = {k: (comment, stamp(document)) for k, (comment, document) in cases.items()}
    yield from failing("file", "unreadable", good, bodies, "SPEC 5", **key)
    no_place = stamp({k: v for k, v in file("undo", to=15).items() if k != "to"})
    undo = stamp(file("undo", to=15))
    yield Vector("file", "undo-without-a-place", "unreadable", "which file is taken back?", no_place, undo, "SPEC 5", more=key)
    yield from _file_signatures(good, key)


def _file_signatures(good: bytes, key: dict[str, str]) -> Iterator[Vector]:
    made = turnfile.sign(file(**FULL), person().private)
    cases: dict[str, tuple[str, bytes]] = {
        "edited-note": ("the note was changed after signing", yaml({**made, "note": ["I resign."]})),
        "edited-orders": ("an order was changed after signing", yaml({**made, "orders": ["done"]})),
        "edited-dice": ("a die was changed after signing", yaml({**made, "dice": [{**FULL["dice"][0], "dice": [6, 6, 6]}]})),
        "edited-link": ("the link was changed after signing", yaml({**made, "link": "13" * 32})),
        "null-instead-of-nothing": ("`replaces: null` is content too", yaml({**made, "replaces": None})),
        "other-key": ("signed by another player", stamp(file(**FULL), "nowak")),
    }
    yield from failing("file", "bad signature", good, cases, "attack: edited after signing; turn for another side", **key)
    short = yaml({**made, "signature": base64.b64encode(bytes(63)).decode()})
    yield Vector("file", "signature-of-63-bytes", "unreadable", "64 bytes are needed", short, good, "SPEC 2", more=key)


# -- slips --------------------------------------------------------------------------------------------------------------


def _slip(kind: str, **content: Plain) -> dict[str, Any]:
    return slips.make(kind, GAME_ID, HEAD, "yamada", content, 1)


def _pair(second: dict[str, Any], name: str = "yamada") -> bytes:
    first = turnfile.sign(file(orders=["go"]), person().private)
    return stamp(_slip("equivocation", files=[first, turnfile.sign(second, person(name).private)]))


def slip_vectors() -> Iterator[Vector]:
    """Slips; an equivocation slip holds when its two files are proof."""
    key = {"key": public()}
    contents: dict[str, dict[str, Any]] = {
        "refusal": {"file": "de" * 32, "outcome": "bad dice", "reason": "roll 0 differs"},
        "request": {"text": "May I take file 15 back?"},
        "resignation": {"seats": ["blue"]},
        "audit": {"keys": [{"draw": 0, "key": "11" * 32, "path": ["22" * 32] * 10}], "open": []},
    }
    for kind, content in contents.items():
        yield Vector("slip", kind, "done", f"a {kind}", stamp(_slip(kind, **content)), covers="SPEC 9", more=key)
    good = stamp(_slip("resignation", seats=["blue"]))
    cases: dict[str, tuple[str, dict[str, Any]]] = {
        "unknown-kind": ("a kind that is not known", _slip("greeting", text="hello")),
        "unknown-key": ("a key that is not known", _slip("resignation", seats=["blue"], seq=3)),
        "no-seats": ("whose seats?", _slip("resignation")),
        "no-head": ("the head is not named", {k: v for k, v in _slip("resignation", seats=["blue"]).items() if k != "head"}),
    }
    bodies = {k: (comment, stamp(document)) for k, (comment, document) in cases.items()}
    yield from failing("slip", "unreadable", good, bodies, "SPEC 9", **key)
    made = slips.sign(_slip("resignation", seats=["blue"]), person().private)
    forged = {
        "edited": ("other seats", yaml({**made, "seats": ["blue", "red"]})),
        "other-head": ("moved to another head", yaml({**made, "head": "ef" * 32})),
        "other-key": ("signed by another player", stamp(_slip("resignation", seats=["blue"]), "nowak")),
    }
    yield from failing("slip", "bad signature", good, forged, "attack: edited after signing", **key)
    yield from _equivocation_vectors(key)


def _equivocation_vectors(key: dict[str, str]) -> Iterator[Vector]:
    good = _pair(file(orders=["halt"]))
    covers = "attack: two turns for one slot; fork"
    yield Vector("slip", "equivocation", "done", "two files at one place", good, covers=covers, more=key)
    cases = {
        "equivocation-one-file-twice": ("one file twice is no proof", _pair(file(orders=["go"]))),
        "equivocation-other-place": ("two places are no proof", _pair({**file(orders=["halt"]), "seq": 18})),
        "equivocation-other-game": ("two games are no proof", _pair({**file(orders=["halt"]), "game": "ac" * 32})),
    }
    yield from failing("slip", "unreadable", good, cases, covers, **key)
    apart = _pair({**file(orders=["halt"]), "prev": "ac" * 32})
    says = "two files that follow different ones prove nothing against their author"
    yield Vector("slip", "equivocation-other-prev", "bad chain", says, apart, good, covers, more=key)
    forged = _pair(file(orders=["halt"]), "nowak")
    yield Vector("slip", "equivocation-forged", "bad signature", "the second file is not his", forged, good, covers, more=key)


def vectors() -> Iterator[Vector]:
    """Charters, files, slips."""
    yield from charter_vectors()
    yield from file_vectors()
    yield from slip_vectors()
