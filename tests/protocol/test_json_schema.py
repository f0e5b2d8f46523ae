"""The published JSON Schemas say what the readers enforce: on every vector, and on documents changed at random."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

from pbem.protocol import charter, heal, json_schema, schema, slips, strict_yaml, turnfile
from pbem.protocol.outcomes import Outcome, ProtocolError
from tests.commands import must
from tests.protocol.make_schemas import FOLDER as SCHEMAS
from tests.protocol.make_vectors import make_all
from tests.protocol.vector_sets.form import Vector
from tests.protocol.vector_sets.papers import FULL, OTHER_TYPES, draft, file, signed, slip_vectors
from tests.replay.node import needs_node, run

Document = dict[str, Any]
CHANGES = 1500


def _pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Iterator[ValidationError]:
    """Patterns are those of ECMA-262, where `$` is the end of the text alone."""
    if isinstance(value, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


_Validator = extend(Draft202012Validator, {"pattern": _pattern})
VALIDATORS = {kind: _Validator(made) for kind, made in json_schema.kinds().items()}


def kind_of(document: Document) -> str:
    """Which schema judges a document."""
    return {"charter": "charter", "slip": "slip", "heal": "heal"}.get(str(document.get("type")), "file")


def is_valid(document: Document) -> bool:
    return bool(VALIDATORS[kind_of(document)].is_valid(document))


def documents(body: bytes, kind: str) -> list[Document]:
    """The documents that a vector holds, the last one last."""
    if kind in ("charter", "file", "slip"):
        return [strict_yaml.read_document(body)[0]]
    game = json.loads(body)
    files = [d for d in game["files"] if d.get("type") != "void"]  # a place that a heal leaves empty holds no document
    return [game["charter"], *(game["slips"] if kind == "audit" else []), *files]


def readable() -> list[Vector]:
    """Vectors that hold documents; made when a test asks for them, not while tests are gathered."""
    return [v for v in make_all() if v.kind in ("charter", "file", "slip", "log", "audit")]


BEYOND = {  # what no schema can say
    *("charter/both-sides", "charter/one-side", "charter/three-sides", "charter/player-without-a-seat"),
    *("charter/copied-key", "charter/copied-root", "charter/copied-tip", "charter/umpire-without-a-key"),
    *("charter/seat-of-a-stranger", "charter/limit-answers-for-the-other-side", "charter/limit-escrow-without-umpire"),
    *("charter/limit-lost-keys-without-umpire", "log/other-version-than-the-charter", "log/version-1-in-a-game-of-2"),
    *("log/slip-of-another-version", "log/slip-with-an-unknown-key"),  # slips in files are judged like slips alone
    "log/void-without-a-heal",
    *("charter/pace-out-of-order", "charter/pace-twice", "charter/pace-slower-than-the-deadline", "charter/pace-of-a-day"),
    *("slip/equivocation-one-file-twice", "slip/equivocation-other-game", "slip/equivocation-other-place"),
}


def test_what_is_shipped_is_what_is_enforced() -> None:
    assert {path.stem for path in SCHEMAS.glob("*.json")} == set(json_schema.kinds())
    for kind in json_schema.kinds():
        assert (SCHEMAS / f"{kind}.json").read_text("utf-8") == json_schema.text_of(kind), (
            "python -m tests.protocol.make_schemas"
        )


@pytest.mark.parametrize("kind", list(json_schema.kinds()))
def test_every_schema_is_one_of_the_draft_that_it_names(kind: str) -> None:
    Draft202012Validator.check_schema(json_schema.kinds()[kind])
    assert json_schema.kinds()[kind]["$schema"] == Draft202012Validator.META_SCHEMA["$id"]


def test_the_command_prints_them() -> None:
    assert json.loads(must("schema", "slip")) == json_schema.kinds()["slip"]


def test_documents_of_every_vector_that_holds_are_valid() -> None:
    for vector in readable():
        body = vector.body if vector.expect == "done" else vector.good
        assert body is not None
        for document in documents(body, vector.kind):
            errors = [e.message for e in VALIDATORS[kind_of(document)].iter_errors(document)]
            assert errors == [], f"{vector.path}: {document.get('type')} {document.get('seq')}"


def test_a_document_that_no_schema_allows_is_unreadable() -> None:
    for vector in readable():
        try:
            made = documents(vector.body, vector.kind)
        except ProtocolError:
            continue
        if not all(map(is_valid, made)):
            assert vector.expect == "unreadable", vector.path


def test_what_no_schema_can_say_is_a_closed_list() -> None:
    """Vectors that are unreadable though every document in them is valid; names that look alike are told by their table."""
    found = []
    for vector in readable():
        if vector.expect == "unreadable":
            try:
                made = documents(vector.body, vector.kind)
            except ProtocolError:
                continue
            if all(map(is_valid, made)):
                found.append(vector.path.removesuffix(".txt"))
    assert {path for path in found if not path.startswith("charter/alike-")} == BEYOND


# -- documents changed at random: schema, Python and JavaScript agree ----------------------------------------------------------

HASH = "ab" * 32
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 63, 64, 65536, 65537, 10**6, 10**6 + 1, 2**53 - 1),
    *(
        "",
        "x",
        "x" * 32,
        "x" * 33,
        "x" * 64,
        "x" * 65,
        "Nowak",
        "\u0141ukasz",
        "nowak",
        "others",
        "72h",
        "07h",
        HASH,
        HASH[1:],
        HASH.upper(),
    ),
    *("A" * 86 + "==", "A" * 107 + "=", "A" * 108, "2026-01-02T03:04:05Z", "\n", HASH + "\n", "nowak\n", "\U0001f3b2" * 65),
    *(
        [],
        [None],
        [HASH],
        ["x"],
        [1],
        {},
        {"x": 1},
        {"nowak": "nowak"},
        {"seal": HASH, "scope": "x"},
        {"claim": 0, "value": None},
    ),
]
KEYS = [
    "x",
    "state",
    "signed_by",
    "replaces",
    "word",
    "answers",
    "overdue",
    "deadline",
    "note",
    "constructor",
    "length",
    "escrow",
    "to",
]


def bases() -> list[Document]:
    """A document of every kind and version."""
    made: list[Document] = [
        signed(draft()),
        {**signed(draft()), "pbem": 2, "overdue": {"after": "72h", "grace": "2d", "then": "loss"}},
    ]
    made[1].pop("deadline")
    made += [{**file("turn", **FULL), "signature": "A" * 86 + "=="}]
    made += [{**file(kind, **own), "signature": "A" * 86 + "=="} for kind, own in OTHER_TYPES.items()]
    made += [strict_yaml.read_document(v.body)[0] for v in slip_vectors() if v.expect == "done"]
    files = [d for d in made if d["type"] not in ("charter", "slip")]
    slips_of_2 = [{**d, "pbem": 2} for d in made if d["type"] == "slip"]
    more = {"overdue": {"place": 3, "due": "nowak", "since": "2026-01-02T03:04:05Z"}, "restored": {"asks": HASH}, "head": {}}
    more["ruling"] = {"place": 3, "then": "loss", "claim": {}}
    head = next(d for d in slips_of_2 if d["slip"] == "request")
    added = [{**{k: v for k, v in head.items() if k != "text"}, "slip": kind, **own} for kind, own in more.items()]
    return [*made, *[{**d, "pbem": 2, "state": HASH} for d in files], *slips_of_2, *added]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container of a document with each of its keys or indices."""
    pairs = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    return [(value, key) for key, _ in pairs] + [place for _, inner in pairs for place in places(inner)]


def changed(document: Document, dice: random.Random) -> Document:
    """The document with one or two things replaced, taken out or put in."""
    made = copy.deepcopy(document)
    for _ in range(dice.choice((1, 1, 1, 2))):
        inside, key = dice.choice(places(made))
        match dice.randrange(4):
            case 0:
                del inside[key]
            case 1 if isinstance(inside, dict):
                inside[dice.choice(KEYS)] = copy.deepcopy(dice.choice(VALUES))
            case 2 if isinstance(inside, list):
                inside.append(copy.deepcopy(inside[key]))
            case _:
                inside[key] = copy.deepcopy(dice.choice(VALUES))
    return made


def in_python(document: Document) -> str:
    """`done`, or the outcome of reading a document."""
    try:
        if document.get("type") == "charter":
            charter._check_all_joined(charter.read_charter(document))
        elif document.get("type") == "slip":
            slips.read_slip(document)
        else:
            turnfile.read_turn(document)
    except ProtocolError as error:
        return error.outcome.word
    return Outcome.DONE.word


def many() -> list[Document]:
    dice = random.Random(12)
    base = bases()
    return [*base, *(changed(base[i % len(base)], dice) for i in range(CHANGES))]


def test_the_bases_are_of_every_kind() -> None:
    read = [in_python(document) for document in bases()]
    assert read == [Outcome.DONE.word] * len(read)
    assert {d["slip"] for d in bases() if d["type"] == "slip"} == set(slips.KINDS)
    assert {d["type"] for d in bases()} == {*turnfile.TYPES, "charter", "slip"}


def test_schema_and_reader_agree_on_documents_changed_at_random() -> None:
    told = {"valid": 0, "refused": 0}
    for document in many():
        word, valid = in_python(document), is_valid(document)
        told["valid" if valid else "refused"] += 1
        if kind_of(document) == "charter":
            assert valid or word == "unreadable", document
        else:
            assert (word == "done") == valid, (word, document)
    assert min(told.values()) > CHANGES // 10, told


def test_schema_and_reader_agree_on_heals_changed_at_random() -> None:
    base: Document = {"pbem": 2, "type": "heal", "game": HASH, "seq": 9, "prev": HASH, "to": 7, "versions": [[{"x": 1}], [{}]]}
    base |= {"forked": {"player": "nowak", "seq": 8}, "chosen_by": "axis", "instead": [HASH], "note": ["x"]}
    base["signatures"] = {"nowak": "A" * 86 + "=="}
    dice = random.Random(3)
    required, optional = heal.shape()
    told = set()
    for document in (base, *(changed(base, dice) for _ in range(CHANGES // 3))):
        valid = VALIDATORS["heal"].is_valid(document)
        told.add(valid)
        assert valid == (not schema.problems(document, required, optional)), document
    assert told == {True, False}


@needs_node
def test_both_verifiers_agree_on_documents_changed_at_random() -> None:
    made = many()
    answers: list[str] = run("shapes.js", stdin=made)
    wrong = [(here, there, d) for d, here, there in zip(made, map(in_python, made), answers, strict=True) if here != there]
    assert [(here, there) for here, there, d in wrong if d.get("type") != "charter"] == []
    assert [(here, there) for here, there, _ in wrong if "done" in (here, there)] == []
    assert len(wrong) < CHANGES // 50, "of a charter with two faults one may name the other"
