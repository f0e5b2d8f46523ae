"""Files and slips that an opponent has signed, whatever they say: taken, or refused by name; never a fault of the program."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.kernel.flow import Ask
from pbem.protocol import slips, strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.composing import Draft
from pbem.runtime.slips import check as check_slip
from pbem.runtime.taking import Refused, take
from tests.fuzz.amounts import quick
from tests.toygame.party import Person, fixed, send
from tests.toygame.test_skirmish import choose, people

JUNK: list[Any] = [
    None, True, False, 0, -1, 1, 2, 7, 999_999, 2**53 - 1, "", " ", "x", "yamada", "nowak", "dubois", "smith", "red", "blue",
    "turn", "seat", "ab" * 32, "blue:seal1:0", "red:draw0:0", "red:draw0:9", "red:draw0:x", "a:b", ":::", "ask me", [], {},
    [None], [[]], {"": None}, {"do": []}, {"seal": 1},
    {"sealed": "x"}, {"sealed": "ab" * 32}, {"sealed": None, "more": 1}, {"handle": "red:draw0:0", "salt": "ab" * 32},
    {"handle": "red:draw0:0", "item": "none", "salt": "ab" * 32}, {"handle": "a:b", "order": 1, "salt": "ab" * 32},
    {"claim": 0, "value": []}, {"claim": 0, "value": "x"}, {"draw": 0, "items": []}, {"draw": 999, "items": ["ab" * 32]},
    {"draw": True}, {"rules_version": 2}, {"rules_version": 999}, {"tip": "ab" * 32, "length": 64}, "a" * 4000,
]  # fmt: skip
OPENED = [
    {"handle": "red:draw0:0", "salt": "ab" * 32}, {"handle": "red:draw0:0", "item": "none", "salt": "ab" * 32},
    {"handle": "blue:seal4:0", "item": 2, "salt": "ab" * 32}, {"claim": 0, "value": []}, {"claim": 0, "value": "x"},
    {"claim": 1, "value": {}}, {"handle": "a:b", "order": 1, "salt": "ab" * 32},
]  # fmt: skip
CLAUSES = [
    [], {}, [[]], {"do": []}, {"do": "foot", "when": "not " * 2000}, {"do": "foot", "when": "(" * 2000}, [{"do": {}}],
    {"do": "foot", "when": "round " + "or round " * 300}, [{"do": None, "life": "once"}], "ask me",
]  # fmt: skip
NASTY: dict[str, list[Any]] = {
    "signed_by": ["smith", "nowak", "yamada", "x"], "seq": [0, -5, True, 2**53 - 1], "player": ["smith", "yamada"],
    "standing": [{"loss": c} for c in CLAUSES], "standing_sealed": [{"loss": ["ab" * 32] * 8}, {"loss": ["x"]}, {"loss": []}],
    "open": [[e] for e in OPENED], "orders": [[{"sealed": "x"}], [{"sealed": "ab" * 32, "more": 1}], [[]], [{}], ["go"] * 9],
    "commit": [[{"draw": 0, "items": ["ab" * 32] * 2}] * 2, [{"draw": 9, "items": []}]], "to": [0, 1, 99], "accepts": ["x"],
    "offer": [{}, {"draw": True, "rules_version": 2}, {"rules_version": 9}], "files": [[], [{}], [{}, {}], [{}, {}, {}]],
    "slips": [[{}], [{"slip": "refusal"}], [1]], "replaces": ["ab" * 32, None], "next_draws": ["ab" * 32], "state": ["ab" * 32],
    "next_chain": [{"tip": "ab" * 32, "length": 64}], "dice": [[{"roll": 0, "label": "", "sides": 6, "dice": []}]],
    "seat": [{"player": "nowak"}], "note": [[""] * 200, ["a" * 501]], "surprise": [1],
}  # fmt: skip


def moments() -> Iterator[tuple[list[Person], Draft]]:
    """A party and the draft of whoever is due: at every kind of question, with dice and openings due, with offers open."""
    for seed in range(4):
        party, dice = people(), random.Random(seed)
        while party[0].table.due.what != "nothing":
            draft = choose(writer(party), dice)
            yield party, draft
            if party[0].table.due.what == "orders" and dice.random() < 0.15:
                kind = dice.choice(["undo", "offer"])
                decided = [n for n, e in enumerate(party[0].table.ledger.entries) if e.decides]
                extra: dict[str, Any] = {"offer": {"draw": True}} if kind == "offer" or not decided else {"to": decided[-1]}
                made = Draft(type=kind if "to" in extra else "offer", extra=extra)
                yield party, made
                send(party, made)
                offer = party[0].table.ledger.offer
                assert offer is not None
                yield party, Draft(type="accept", extra={"accepts": offer.id})
                send(party, Draft(type="decline"))
                continue
            if dice.random() < 0.2:
                draft.standing = {"loss": [{"do": "foot", "life": "once"}]}
                draft.sealed_standing = {"stop": ["stop"]}
            send(party, draft)


def writer(party: list[Person]) -> Person:
    return next(p for p in party if p.name == party[0].table.due.player)


@pytest.fixture(scope="module")
def scenes() -> list[tuple[Person, Person, dict[str, Any]]]:
    """Who writes, who receives (each with his table of that moment), and the file before it is signed."""
    made = []
    for party, draft in moments():
        who = writer(party)
        other = next(p for p in party if p is not who)
        made.append((snapshot(who), snapshot(other), who.write(draft).document))
    return made


def snapshot(person: Person) -> Person:
    kept = copy.copy(person)
    kept.log, kept.lives = list(person.log), list(person.lives)
    return kept


def changed(value: Any, dice: random.Random, depth: int = 0) -> Any:
    """The value with one thing in it changed."""
    if isinstance(value, dict) and value and dice.random() < 0.9 - depth / 10:
        made = dict(value)
        key = dice.choice(list(made))
        match dice.randrange(6):
            case 0:
                del made[key]
            case 1:
                key = dice.choice([*NASTY, "x", "do"])
                made[key] = dice.choice([*NASTY.get(key, ()), *JUNK])
            case _:
                made[key] = changed(made[key], dice, depth + 1)
        return made
    if isinstance(value, list) and value and dice.random() < 0.8:
        listed, at = list(value), dice.randrange(len(value))
        match dice.randrange(5):
            case 0:
                del listed[at]
            case 1:
                listed.insert(at, dice.choice(JUNK))
            case 2:
                listed.append(listed[at])
            case _:
                listed[at] = changed(listed[at], dice, depth + 1)
        return listed
    return dice.choice(JUNK)


def judge(error: ProtocolError | Refused) -> None:
    """Said by name, and no fault of the program is behind it."""
    assert error.outcome is not Outcome.FAULT, getattr(error, "trace", error)
    assert not isinstance(error, Refused) or not [p.trace for p in error.problems if p.trace], error.problems[0].trace


@quick
@given(seed=st.integers(0, 2**48))
def test_a_signed_file_is_taken_or_refused_by_name(seed: int, scenes: Any) -> None:
    dice = random.Random(seed)
    who, other, made = dice.choice(scenes)
    document = dict(made)
    for _ in range(dice.choice([1, 1, 2, 3])):
        if dice.random() < 0.6:
            key = dice.choice([*NASTY])
            document[key] = dice.choice([*NASTY[key], dice.choice(JUNK)])
        else:
            document = changed(document, dice)
            document = document if isinstance(document, dict) else dict(made)
    signed = who.sign({**made, **document} if dice.random() < 0.5 else {"type": "turn", **document})
    before = other.table.to_plain()
    try:
        document = strict_yaml.read_document(strict_yaml.write_document(signed))[0]
        take(other.table, document, other.fetch)
    except (ProtocolError, Refused) as error:
        judge(error)
    assert other.table.to_plain() == before


CONTENT: dict[str, dict[str, Any]] = {
    "refusal": {"file": "ab" * 32, "outcome": "bad dice", "reason": "x"},
    "request": {"text": "x"},
    "resignation": {"seats": ["red"]},
    "audit": {
        "keys": [{"draw": 0, "key": "ab" * 32, "path": ["ab" * 32] * 10}],
        "open": [{"handle": "blue:seal1:0", "order": 1, "salt": "ab" * 32}],
    },
}


@quick
@given(seed=st.integers(0, 2**48))
def test_a_signed_slip_is_taken_or_refused_by_name(seed: int, scenes: Any) -> None:
    dice = random.Random(seed)
    who, other, made = dice.choice(scenes)
    game = other.table.charter.game_id
    kind = dice.choice([*CONTENT, "equivocation"])
    content = CONTENT.get(kind) or {"files": [who.sign(made), who.sign({**made, "note": ["x"]})]}
    slip = slips.make(kind, game, other.table.ledger.entries[-1].id, who.name, content)
    for _ in range(dice.choice([1, 1, 2])):
        key = dice.choice([*content])
        slip = {**slip, key: dice.choice(NASTY.get(key, JUNK))} if dice.random() < 0.5 else changed(slip, dice)
        slip = slip if isinstance(slip, dict) else {}
    try:
        signed = slips.sign(slip, who.private)
        check_slip(other.table, strict_yaml.read_document(strict_yaml.write_document(signed))[0])
    except (ProtocolError, Refused) as error:
        judge(error)


def test_the_scenes_show_every_kind_of_question(scenes: Any) -> None:
    whats = {who.table.due.what for who, _, _ in scenes}
    types = {made["type"] for _, _, made in scenes}
    asked = {who.table.engine.request.kind for who, _, _ in scenes if isinstance(who.table.engine.request, Ask)}
    assert whats >= {"start", "witness", "orders", "seal", "open", "claim", "accept"}
    assert types == {"turn", "undo", "offer", "accept"} and asked >= {"card", "march", "stop", "loss"}
    assert fixed("x")
