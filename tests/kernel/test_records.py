"""Typed records to plain data and back: nothing lost, nothing shared, caches left out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional, Union

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kernel import records
from pbem.kernel.records import Mark, differences, from_plain, to_plain
from pbem.kernel.wording import Message, Term, counted, msg, verbatim
from pbem.runtime.dues import Due
from tests.kernel.plain import plain


@dataclass(slots=True)
class Unit:
    name: str
    steps: int
    tired: bool = False
    at: int | None = None


@dataclass(slots=True)
class Lone:
    unit: Unit


@dataclass(slots=True)
class Single:
    number: int


@dataclass(slots=True)
class Two:
    one: int
    other: str


@dataclass(slots=True)
class Held:
    number: int
    unit: Unit | None


@dataclass(slots=True)
class Empty:
    pass


@dataclass(slots=True)
class Optioned:
    named: Optional[str]  # noqa: UP045
    either: Union[int, str]  # noqa: UP007
    many: list[int] | dict[str, int] | None
    words: list[str] | str


@dataclass(slots=True)
class Army:
    units: dict[str, Unit]
    order: list[str]
    seen: set[str]
    known: frozenset[int]
    by_hex: dict[int, list[Unit]]
    pair: tuple[int, Unit]
    row: tuple[Unit, ...]
    chief: Unit | None
    spare: Unit | None
    loose: Any
    box: Empty
    lists: list[list[int]]
    path: tuple[int, ...] | None = None
    events: list[str] = field(default_factory=list, metadata={"cache": True})


@dataclass(slots=True)
class Printed:
    table: dict[str, Any] = field(metadata={"plain": True})
    other: dict[str, list[int]]
    n: int = 0


def an_army() -> Army:
    one, two = Unit("1st", 2), Unit("2nd", 1, True, 7)
    return Army(
        units={"1st": one, "2nd": two},
        order=["2nd", "1st"],
        seen={"b", "a", "c"},
        known=frozenset((30, 4, 100)),
        by_hex={7: [two], 12: []},
        pair=(5, one),
        row=(two, one),
        chief=two,
        spare=None,
        loose=[1, {"x": None}],
        box=Empty(),
        lists=[[1], [2, 3]],
        path=(1, 2),
        events=["not stored"],
    )


ONE: dict[str, Any] = {"name": "1st", "steps": 2, "tired": False, "at": None}
TWO: dict[str, Any] = {"name": "2nd", "steps": 1, "tired": True, "at": 7}
ARMY: dict[str, Any] = {
    "units": {"1st": ONE, "2nd": TWO},
    "order": ["2nd", "1st"],
    "seen": ["a", "b", "c"],
    "known": [4, 30, 100],
    "by_hex": {"7": [TWO], "12": []},
    "pair": [5, ONE],
    "row": [TWO, ONE],
    "chief": TWO,
    "spare": None,
    "loose": [1, {"x": None}],
    "box": {},
    "lists": [[1], [2, 3]],
    "path": [1, 2],
}


def test_a_record_becomes_plain_data_field_by_field() -> None:
    assert to_plain(an_army()) == ARMY
    assert list(ARMY) == list(to_plain(an_army()))  # type: ignore[arg-type]


def test_plain_data_become_the_same_record_without_its_cache() -> None:
    army, before = from_plain(Army, ARMY), an_army()
    before.events = []
    assert army == before
    assert isinstance(army.known, frozenset) and isinstance(army.seen, set)
    assert isinstance(army.pair, tuple) and isinstance(army.row, tuple) and isinstance(army.path, tuple)
    assert list(army.by_hex) == [7, 12]


@pytest.mark.parametrize("value", [None, True, 3, "x", [1, [2]], {"a": [{"b": 1}]}])
def test_plain_data_stay_as_they_are(value: Any) -> None:
    assert to_plain(value) == value and type(to_plain(value)) is type(value)


def test_keys_become_text_and_tuples_become_lists() -> None:
    assert to_plain({1: (2, (Single(3),)), 2: {"a": Unit("x", 1)}}) == {
        "1": [2, [{"number": 3}]],
        "2": {"a": {"name": "x", "steps": 1, "tired": False, "at": None}},
    }
    assert to_plain([Single(1), Lone(Unit("x", 1))]) == [
        {"number": 1},
        {"unit": {"name": "x", "steps": 1, "tired": False, "at": None}},
    ]


def test_one_field_no_field_and_optional_fields() -> None:
    assert to_plain(Single(4)) == {"number": 4} and from_plain(Single, {"number": 4}) == Single(4)
    assert to_plain(Empty()) == {} and from_plain(Empty, {}) == Empty()
    assert to_plain(Two(4, "x")) == {"one": 4, "other": "x"}
    assert to_plain(Held(4, Unit("1st", 2))) == {"number": 4, "unit": ONE} and to_plain(Held(4, None))["unit"] is None  # type: ignore
    assert from_plain(Lone, {"unit": ONE}) == Lone(Unit("1st", 2))
    for record in (Optioned(None, 1, None, "ab"), Optioned("n", "s", [1, 2], ["a"]), Optioned("n", "s", {"a": 3}, "c")):
        assert from_plain(Optioned, to_plain(record)) == record


def test_a_set_is_written_in_order() -> None:
    assert to_plain({"b", "a"}) == ["a", "b"] and to_plain(frozenset((2, 10, 1))) == [1, 2, 10]


def test_nothing_that_is_written_is_shared_with_the_record() -> None:
    army = an_army()
    written: Any = to_plain(army)
    army.order.append("3rd")
    army.by_hex[7].clear()
    army.loose[1]["x"] = 5
    assert written == ARMY


def test_printed_tables_are_shared_below_their_names() -> None:
    table = {"row": [1, 2]}
    record = Printed(table, {"a": [1]}, 3)
    written: Any = to_plain(record)
    assert written == {"table": {"row": [1, 2]}, "other": {"a": [1]}, "n": 3}
    assert written["table"] is not table and written["table"]["row"] is table["row"]
    assert written["other"]["a"] is not record.other["a"]


def test_what_is_read_back_is_of_its_own() -> None:
    source: dict[str, Any] = {"seen": ["x"], "lists": [[1]]}
    army = from_plain(Army, {**ARMY, **source})
    army.lists[0].append(2)
    army.seen.add("y")
    assert source == {"seen": ["x"], "lists": [[1]]}


def test_plain_data_of_no_certain_type_are_copied_to_the_last_list() -> None:
    source: dict[str, Any] = {"a": [1, {"b": [2]}], "c": {"d": None, "e": [[]]}, "f": "text"}
    for read in (from_plain(Army, {**ARMY, "loose": source}).loose, records._own(source)):
        assert read == source
        read["a"].append(3), read["a"][1]["b"].append(3), read["c"].update(x=1), read["c"]["e"][0].append(3)
    assert source == {"a": [1, {"b": [2]}], "c": {"d": None, "e": [[]]}, "f": "text"}
    many = {"a": 3}
    back = from_plain(Optioned, {"named": None, "either": 1, "many": many, "words": "x"})
    back.many.update(a=4)  # type: ignore[union-attr]
    assert many == {"a": 3}


def test_a_printed_table_is_read_as_it_stands_below_its_names() -> None:
    plain: Any = {"table": {"row": [1, 2]}, "other": {"a": [1]}, "n": 3}
    record = from_plain(Printed, plain)
    assert record == Printed({"row": [1, 2]}, {"a": [1]}, 3)
    assert record.table is not plain["table"] and record.table["row"] is plain["table"]["row"]


@dataclass
class Speech:
    either: Message | str
    both: Message | Term | None
    listed: tuple[Message | str, ...]


def test_where_a_message_may_stand_it_is_read_as_one() -> None:
    for speech in (Speech("x", None, ()), Speech(msg("{n} men", n=2), Term("3", msg("three")), ("a", msg("b")))):
        assert from_plain(Speech, to_plain(speech)) == speech


def test_a_type_of_plain_values_alone() -> None:
    alone = (int, str, bool, type(None), int | None, Union[int, str])  # noqa: UP007
    assert [hint for hint in alone if not records.is_atom(hint)] == []
    others = (list, float, list[int], tuple[int, str], int | list[int], Message | None, dict[str, int])
    assert [hint for hint in others if records.is_atom(hint)] == []
    assert [kind for kind in (Unit, Single, Two, Empty) if not records.has_atoms_alone(kind)] == []
    assert [kind for kind in (Lone, Held, Printed, Army) if records.has_atoms_alone(kind)] == []


def test_a_field_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError, match="steps"):
        from_plain(Unit, {"name": "x", "tired": False, "at": None})


def test_a_pair_of_three_is_an_error() -> None:
    with pytest.raises(ValueError):
        from_plain(Army, {**ARMY, "pair": [5, ONE, 6]})


@dataclass(slots=True)
class Keyed:
    by_name: dict[str, int]
    by_number: dict[int, dict[str, tuple[str, int]]]
    pairs: tuple[tuple[int, int], ...]
    maybe: frozenset[str] | None


units = st.builds(Unit, st.text(max_size=3), st.integers(0, 9), st.booleans(), st.none() | st.integers(0, 9))
keyed = st.builds(
    Keyed,
    st.dictionaries(st.text(max_size=2), st.integers(0, 9), max_size=3),
    st.dictionaries(st.integers(-9, 99), st.dictionaries(st.text(max_size=2), st.tuples(st.text(), st.integers()), max_size=2)),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=3).map(tuple),
    st.none() | st.frozensets(st.text(max_size=2), max_size=3),
)


@given(units | keyed)
@settings(deadline=None)
def test_every_record_comes_back_as_it_was(record: Any) -> None:
    assert from_plain(type(record), to_plain(record)) == record


# -- differences --------------------------------------------------------------------------------------------------


def test_equal_values_have_no_differences() -> None:
    assert differences({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2}]}) == []


def test_every_difference_is_told_with_its_place() -> None:
    before: Any = {"a": 1, "gone": [1], "same": 0, "list": [1, {"x": 2}], "n": {"m": "old"}}
    after: Any = {"a": 2, "new": [5], "same": 0, "list": [1, {"x": 3}], "n": {"m": "new"}}
    assert differences(before, after) == [
        "a: 1 became 2",
        "gone: [1] is gone",
        "list[1].x: 2 became 3",
        "n.m: old became new",
        "new: [5] is new",
    ]


def test_a_difference_of_whole_values_is_one_of_the_state() -> None:
    assert differences(1, 2) == ["state: 1 became 2"]
    assert differences([1], [1, 2]) == ["state: [1] became [1, 2]"]
    assert differences([1], {"a": 1}) == ["state: [1] became {'a': 1}"]
    assert differences({"a": 1}, [1], "at") == ["at: {'a': 1} became [1]"]
    assert differences([1, 2], [3, 2], "at") == ["at[0]: 1 became 3"]


def test_long_values_are_cut() -> None:
    assert differences("x" * 80, "y" * 81) == ["state: " + "x" * 80 + " became " + "y" * 77 + "..."]


@given(plain, plain)
@settings(deadline=None)
def test_there_are_differences_exactly_where_values_differ(one: Any, other: Any) -> None:
    assert differences(one, one) == []
    assert bool(differences(one, other)) == (one != other)


def test_messages_come_back_as_messages() -> None:
    light = Term("am", msg("Day A.M."))
    prompt = counted("{n} ship, {light}: {where}", "{n} ships, {light}: {where}", 2, light=light, where=(msg("sea"), "1630"))
    due = Due("nowak", "orders", "allies", msg("{prompt}, or done", prompt=prompt), "PW-1")
    assert from_plain(Due, to_plain(due)) == due
    assert from_plain(Due, to_plain(Due("nowak", "witness", detail=verbatim("a link")))).detail == verbatim("a link")


class Taken:
    """An image of a single number that counts how often its plain data are made."""

    def __init__(self) -> None:
        self.made = 0

    def plain(self) -> Any:
        self.made += 1
        return {"number": 3}

    def record(self) -> Single:
        return Single(3)


def test_a_mark_of_an_image_makes_its_plain_data_once_and_when_they_are_wanted() -> None:
    taken = Taken()
    mark = Mark(taken)
    assert mark.record(Single) == Single(3) and taken.made == 0
    assert mark.text() == '{"number":3}' == mark.text() and mark.plain() == {"number": 3} and taken.made == 1


def test_a_mark_that_was_read_is_the_same_mark() -> None:
    read: Mark = from_plain(Mark, {"number": 3})
    assert read.plain() == {"number": 3} == to_plain(read) and read.text() == '{"number":3}'
    assert read.record(Single) == Single(3) and from_plain(Single, read.plain()) == Single(3)
    assert Mark(None).plain() is None and Mark(None).text() == "null"


def test_marks_are_equal_when_what_they_hold_is() -> None:
    assert Mark(Taken()) == Mark(None, {"number": 3}) == {"number": 3}
    assert Mark(Taken()) != Mark(None, {"number": 4}) and Mark(Taken()) != {"number": 4}
