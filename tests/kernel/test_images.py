"""Images of records: the same plain data and an equal record as by name, and nothing shared that may change."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.images import copied, image
from pbem.kernel.records import from_plain, to_plain
from pbem.runtime.ledger import Chain, Entry, Ledger, Offer, StandingOrder
from tests.kernel import test_records as records


@dataclass(frozen=True, slots=True)
class Written:
    number: int
    many: list[int]


@dataclass(slots=True)
class Mixed:
    board: str = field(default="none", metadata={"cache": True})
    name: str = ""
    written: list[Written] = field(default_factory=list)
    last: Written | None = None
    plain: list[Plain] = field(default_factory=list)
    table: dict[str, Any] = field(default_factory=dict, metadata={"plain": True})
    at: dict[int, str] = field(default_factory=dict)
    units: dict[int, records.Unit] = field(default_factory=dict)
    lone: records.Lone | None = None


def a_mixed() -> Mixed:
    one = Written(1, [2])
    return Mixed("set", "x", [one], one, [[1], {"a": 2}], {"t": [3]}, {4: "y"}, {5: records.Unit("u", 1)})


RECORDS: list[Any] = [
    records.an_army(),
    records.Empty(),
    records.Single(3),
    records.Lone(records.Unit("x", 1)),
    records.Held(4, None),
    records.Held(4, records.Unit("x", 1, True, 7)),
    *(records.Optioned(None, 1, None, "ab"), records.Optioned("n", "s", [1], ["a"]), records.Optioned("n", "s", {"a": 3}, "c")),
    a_mixed(),
    Written(1, [2]),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: type(r).__name__)
def test_an_image_holds_what_the_record_held(record: Any) -> None:
    taken = image(record)
    assert json.dumps(taken.plain()) == json.dumps(to_plain(record))
    again = taken.record()
    assert type(again) is type(record) and json.dumps(to_plain(again)) == json.dumps(to_plain(record))
    assert from_plain(type(record), to_plain(record)) == again


def test_caches_are_fresh_in_a_copy() -> None:
    assert copied(a_mixed()).board == "none" and copied(records.an_army()).events == []


def test_what_changes_in_a_record_changes_neither_its_image_nor_a_copy() -> None:
    army, mixed = records.an_army(), a_mixed()
    taken, other, again = image(army), image(mixed), copied(mixed)
    army.units["1st"].steps, army.chief = 9, None
    army.order.append("3rd")
    army.by_hex[7].clear()
    army.lists[1].append(4)
    army.loose[1]["x"] = 5
    army.pair[1].tired = True
    mixed.at[4] = "z"
    mixed.units[5].steps = 9
    mixed.table["t"] = []
    mixed.written.clear()
    mixed.plain.append(1)
    assert taken.plain() == records.ARMY
    assert json.dumps(other.plain()) == json.dumps(to_plain(a_mixed())) == json.dumps(to_plain(again))


def test_what_is_made_of_an_image_is_its_makers_own() -> None:
    taken = image(records.an_army())
    first, plain = taken.record(), taken.plain()
    first.units["1st"].steps, first.loose[0] = 9, 9
    first.lists[0].append(2)
    first.by_hex[7][0].tired = True
    plain["loose"][1]["x"] = plain["lists"][0][0] = 7  # type: ignore[index, call-overload]
    plain["units"]["1st"]["steps"] = 7  # type: ignore[index, call-overload]
    assert taken.plain() == records.ARMY and taken.record() == from_plain(records.Army, records.ARMY)


def test_what_is_written_once_is_shared() -> None:
    mixed = a_mixed()
    again = copied(mixed)
    assert again.written[0] is mixed.written[0] and again.last is mixed.last and again.plain[1] is mixed.plain[1]
    assert again.table["t"] is mixed.table["t"] and again.written is not mixed.written


def test_a_fork_of_the_ledger_goes_its_own_way() -> None:
    ledger = Ledger(entries=[Entry("a", "yamada", "turn")], chains={"yamada": Chain("x", 3)}, commits={"d": ["1"]})
    ledger.standing, ledger.offer = (
        [StandingOrder(1, "yamada", "retreat", ["x"])],
        Offer(1, "a", "yamada", "draw", 0, ["nowak"]),
    )
    before, fork = to_plain(ledger), ledger.fork()
    assert to_plain(fork) == before
    fork.mark(0, decides=True)
    fork.chains["yamada"].left = 1
    fork.commits["d"].append("2")
    fork.standing[0].spent.append(1)
    fork.standing[0].clauses.append("y")
    assert fork.offer is not None
    fork.offer.waiting.clear()
    assert to_plain(ledger) == before
