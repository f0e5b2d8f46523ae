"""Images of records: the same plain data and an equal record as by name, and nothing shared that may change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, make_dataclass
from typing import Any

import pytest

from pbem.kernel import images
from pbem.kernel.canon import Plain
from pbem.kernel.images import copied, image, mark
from pbem.kernel.records import Mark, from_plain, to_plain
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


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """What an image keeps is decided again in each test."""
    images._camera.cache_clear()
    yield


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
    assert json.dumps(taken.plain()) == json.dumps(to_plain(record)) and taken.plain() == to_plain(record)
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


def a_record(hint: Any, value: Any) -> Any:
    """A record with a field of one type beside a list that may change."""
    kind = make_dataclass("Record", [("value", hint), ("other", list[int])])
    kind.__module__ = __name__  # where the names in a type are looked up
    return kind(value, [1])


FROZEN, UNIT, GONE_BACK_TO = Written(1, [2]), records.Unit("u", 1), Mark(None, {"a": 1})
SHARED: list[tuple[Any, Any]] = [  # what is written once is its own image
    (int, 2_000_000),
    (str, "a text"),
    (bool | None, None),
    (int | str, "a text"),
    (Written, FROZEN),
    (Written | None, FROZEN),
    (Written | None, None),
    (Written | int, FROZEN),
    (Plain, [1, {"a": [2]}]),
    (Mark, GONE_BACK_TO),
    (tuple[int, ...], (1, 2)),
    (tuple[int, str], (1, "a")),
    (tuple[Written, ...], (FROZEN, FROZEN)),
]


@pytest.mark.parametrize(("hint", "value"), SHARED, ids=lambda v: str(v)[:30])
def test_what_is_written_once_is_its_own_image(hint: Any, value: Any) -> None:
    record = a_record(hint, value)
    taken = image(record)
    assert taken.values[0] is value and taken.values[1] == (1,) and copied(record).value is value
    assert taken.plain() == to_plain(record)


UNIT_KEPT = ("u", 1, False, None)
COPIED: list[tuple[Any, Any, Any]] = [  # type, value, what the image keeps
    (list[int], [1, 2], (1, 2)),
    (list[Written], [FROZEN], (FROZEN,)),
    (list[records.Unit], [UNIT], [UNIT_KEPT]),
    (list[records.Unit] | None, [UNIT], [UNIT_KEPT]),
    (list[int] | None, [1], (1,)),
    (dict[str, int], {"a": 1}, {"a": 1}),
    (dict[int, int], {3: 1}, {3: 1}),
    (dict[str, Written], {"a": FROZEN}, {"a": FROZEN}),
    (dict[int, records.Unit], {3: UNIT}, ([3], [UNIT_KEPT])),
    (dict[str, list[int]], {"a": [1]}, (["a"], [(1,)])),
    (set[int], {3, 1}, frozenset((1, 3))),
    (records.Unit, UNIT, UNIT_KEPT),
    (records.Unit | None, UNIT, UNIT_KEPT),
    (records.Held, records.Held(4, UNIT), [4, UNIT_KEPT]),
    (Any, [1, {"a": 2}], [1, {"a": 2}]),
    (tuple[int, records.Unit], (5, UNIT), [5, to_plain(UNIT)]),
    (tuple[records.Unit, ...], (UNIT,), [to_plain(UNIT)]),
    (list[str] | str, ["a"], ["a"]),
    (list[str] | int | None, ["a"], ["a"]),
    (list[records.Unit] | int | None, [UNIT], [to_plain(UNIT)]),
]


@pytest.mark.parametrize(("hint", "value", "kept"), COPIED, ids=lambda v: str(v)[:30])
def test_of_what_may_change_the_image_keeps_the_values(hint: Any, value: Any, kept: Any) -> None:
    record = a_record(hint, value)
    taken = image(record)
    assert taken.values[0] == kept and type(taken.values[0]) is type(kept) and taken.values[0] is not value
    again = copied(record).value
    assert again == value and type(again) is type(value) and again is not value
    assert taken.plain() == to_plain(record) and json.dumps(taken.plain()) == json.dumps(to_plain(record))


def test_a_field_without_anything_is_nothing_again() -> None:
    for hint in (list[int] | None, records.Unit | None):
        record = a_record(hint, None)
        assert image(record).values[0] is None and copied(record) == record and image(record).plain() == to_plain(record)


def test_of_numbers_and_texts_alone_the_image_is_one_tuple() -> None:
    assert image(UNIT).values == UNIT_KEPT and image(records.Single(3)).values == (3,) and image(records.Empty()).values == ()


def test_a_table_of_plain_data_is_copied_and_what_it_holds_is_not() -> None:
    mixed = a_mixed()
    taken = image(mixed)
    kept: Any = taken.values[4]
    assert kept == {"t": [3]} and kept is not mixed.table and kept["t"] is mixed.table["t"]
    plain: Any = taken.plain()
    assert plain["table"] is not kept and plain["table"]["t"] is kept["t"]


@dataclass(slots=True)
class Worded:
    """Its fields are given by name."""

    first: str = ""
    rest: list[int] = field(default_factory=list, kw_only=True)
    last: list[int] = field(default_factory=list)


def test_a_record_whose_fields_are_given_by_name() -> None:
    record = Worded("a", [2], rest=[1])
    assert copied(record) == record and image(record).plain() == to_plain(record)


def test_a_mark_is_how_a_record_stood() -> None:
    army = records.an_army()
    marked = mark(army)
    army.order.clear()
    assert isinstance(marked, Mark) and marked.plain() == records.ARMY
    assert marked.record(records.Army) == from_plain(records.Army, records.ARMY)
