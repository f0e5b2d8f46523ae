"""Orders on one line: what a player reads of an order, in his file and in a language's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.notation import Way, by_number, flat, flat_in, order_in, order_text, place_text, with_digits


@pytest.mark.parametrize(
    ("number", "text"), [(7, "7"), (99, "99"), (100, "0100"), (722, "0722"), (999, "0999"), (2330, "2330")]
)
def test_a_hex_is_written_as_it_is_printed(number: int, text: str) -> None:
    assert place_text(number) == text and with_digits(number) == (text if 100 <= number < 1000 else number)
    assert by_number(with_digits(number)) == number


@pytest.mark.parametrize("part", ["722", "0022", "00722", "07224", "x0722", "1722", "0722 ", "", True, None, 1000, 99])
def test_what_is_no_printed_hex_below_1000_stays(part: Plain) -> None:
    assert by_number(part) == part and by_number(part) is part and with_digits(part) is part


def test_hexes_are_changed_wherever_they_stand_in_an_order() -> None:
    order: Plain = {"move": {"units": ["A", "0345"], "via": [722, 1010, [100]], "to": {"x": 999}, "n": 3, "b": False}}
    printed: Plain = {
        "move": {"units": ["A", "0345"], "via": ["0722", 1010, ["0100"]], "to": {"x": "0999"}, "n": 3, "b": False}
    }
    counted: Plain = {"move": {"units": ["A", 345], "via": [722, 1010, [100]], "to": {"x": 999}, "n": 3, "b": False}}
    assert with_digits(order) == printed
    assert by_number(printed) == by_number(order) == counted


ORDERS: list[tuple[Any, str]] = [
    ("done", "done"),
    ({"move": "3 infantry from kwangsi to yunnan"}, "move: 3 infantry from kwangsi to yunnan"),
    ({"move": {"units": {"infantry": 3, "tank": 1}, "from": "kwangsi"}}, "move: 3 infantry, 1 tank from kwangsi"),
    ({"move": {"from": "kwangsi", "to": "yunnan", "units": ["A", "B"]}}, "move: A; B from kwangsi to yunnan"),
    ({"hits": {"CV Akagi": 1, "7 AF": 2}}, "hits: 1 CV Akagi, 2 7 AF"),
    ({"hits": {"CV Akagi": 1, "7 AF": 99}}, "hits: 1 CV Akagi, 99 7 AF"),
    ({"sail": {"J1": 2330, "J2": 1134}}, "sail: {J1: 2330, J2: 1134}"),
    ({"sail": {"J1": 722, "J2": 3}}, "sail: {J1: 0722, J2: 3}"),
    ({"sail": {"J1": 100, "J2": 3}}, "sail: {J1: 0100, J2: 3}"),
    ({"pay": {"points": 150}}, "pay: 150 points"),
    ({"go": {"from": 722, "to": 150}}, "go: from 0722 to 0150"),
    ({"go": {"to": 722, "points": 2}}, "go: to 0722 points 2"),
    ({"base": {"A1": "CA5"}}, "base: {A1: CA5}"),
    ({"base": {"A1": "CA5", "A2": "CA5"}}, "base: A1, A2: CA5"),
    ({"base": {"A1": "CA5", "B1": "CA6", "A2": "CA5"}}, "base: A1, A2: CA5; B1: CA6"),
    (
        {
            "base": {
                "CA1": {"at": "CA5", "with": "both"},
                "CA2": {"at": "CA5", "with": "both"},
                "D1": {"at": "X", "with": "all"},
            }
        },
        "base: CA1, CA2: at CA5 with both; D1: at X with all",
    ),
    ({"base": {"CA1": {"at": "CA5"}}}, "base: CA1: at CA5"),
    ({"target": {"CA1": ["x", "y"], "CA2": ["x", "y"], "CA3": ["z"]}}, "target: CA1, CA2: x, y; CA3: z"),
    ({"target": {"CA1": ["x", "y"]}}, "target: CA1: x, y"),
    ({"target": {"CA1": ["x", "y"], "CA2": ["x, y"]}}, "target: CA1: x, y; CA2: x, y"),  # two and one
    ({"target": {"CA1": [["x", "y"], "z"]}}, "target: CA1: x, y, z"),
    ({"base": {"CA1": {"units": ["x", "y"], "via": ["p", "q"]}}}, "base: CA1: x, y via p, q"),
    ({"land": {"A": None, "B": True}}, "land: {A: nothing, B: yes}"),
    ({"roads": {"A": True, "B": False}}, "roads: {A: yes, B: no}"),
    ({"pick": [1, 2, [3, "x"], {"at": "y"}]}, "pick: 1; 2; 3; x; at y"),
    ({"say": True}, "say: yes"),
    ({"say": False}, "say: no"),
    ({"say": None}, "say: nothing"),
    ({"say": 99}, "say: 99"),
    ({"say": 100}, "say: 0100"),
    ({"say": {}}, "say: "),
    ({"say": {"at": "x", "yes": True, "no": {}, "with": []}}, "say: at x yes yes no  with "),
    ({"say": {"units": {}, "at": "x"}}, "say:  at x"),
    ({"seal": "done", "seat": "red"}, "sealed: done"),
    ({"seal": {"move": {"to": "x"}}, "seat": "red"}, "sealed: move: to x"),
    ({"sealed": "ab12"}, "sealed"),
    ({"seal": "done"}, "seal: done"),
    ({"at": "x", "to": "y"}, "at x to y"),
    (["a", 1], "a; 1"),
    (7, "7"),
    (None, "nothing"),
    ({}, ""),
]


@pytest.mark.parametrize(("order", "text"), ORDERS, ids=[str(o)[:40] for o, _ in ORDERS])
def test_an_order_as_its_writer_reads_it(order: Plain, text: str) -> None:
    assert order_text(order) == text
    if isinstance(order, dict) and len(order) == 1 and "sealed" not in order:
        ((verb, body),) = order.items()
        assert f"{verb}: {flat(body)}" == text


def shown(mark: str, parts: Sequence[str]) -> str:
    return f"({mark.join(parts)})"


TOLD = Way(shown, lambda w: f"w.{w}", lambda n: f"n.{n}", lambda n, thing: f"{n} c.{thing}", " -> ", whole=False)
TELLING: list[tuple[Any, str]] = [
    ({"move": "x"}, "(w.move: n.x)"),
    ({"sealed": "ab12"}, "w.sealed"),
    ({"seal": "done", "seat": "red"}, "(w.sealed: n.done)"),
    ({"hits": {"A": 1, "B": 2}}, "(w.hits: (1 c.A, 2 c.B))"),
    ({"sail": {"J1": 722, "J2": 3}}, "(w.sail: (((n.J1) -> n.0722); ((n.J2) -> w.3)))"),
    ({"say": True}, "(w.say: w.yes)"),
    ({"say": None}, "(w.say: w.nothing)"),
    ({"go": {"to": "x", "with": [], "via": {}, "units": ["a"]}}, "(w.go: ((n.a) (w.to n.x)))"),
    ({"go": [1, {"at": "x"}]}, "(w.go: (w.1; ((w.at n.x))))"),
]


@pytest.mark.parametrize(("order", "text"), TELLING, ids=[str(o)[:40] for o, _ in TELLING])
def test_an_order_as_a_message_tells_it(order: Plain, text: str) -> None:
    assert order_in(order, TOLD) == text


def test_a_list_in_a_row_has_commas() -> None:
    assert flat_in({"A": ["x", "y"]}, TOLD) == "(((n.A): (n.x, n.y)))"


MARKED: Way[str] = Way(
    lambda mark, parts: mark.join(parts),
    lambda word: f"<{word}>",
    lambda name: f"'{name}'",
    lambda n, thing: f"{n} x {thing}",
    beside=("at", "to"),
)
NESTED: list[tuple[Any, str]] = [
    (
        {
            "activate": {
                "units": ["CV3", "CA3"],
                "at": 2813,
                "hq": "South",
                "fleets": [{"core": "CV3", "screen": ["CA3"]}, {"a": "b"}],
            }
        },
        "<activate>: 'CV3', 'CA3' <at> '2813'; <hq> 'South'; <fleets> <(><core> 'CV3'; <screen> 'CA3'<)>, <(><a>: 'b'<)>",
    ),
    (
        {"activate": {"at": 2813, "units": {"inf": 2, "tank": 1}, "to": 2814, "days": 21}},
        "<activate>: 2 x inf, 1 x tank <at> '2813' <to> '2814'; <days> <21>",
    ),
    (
        {"go": {"at": [2813, 722], "days": True, "more": {"a": 1, "b": 2}}},
        "<go>: <at> '2813', '0722'; <days> <yes>; <more> 1 x a, 2 x b",
    ),
    ({"go": {"to": ["a"], "at": "b"}}, "<go>: <to> 'a' <at> 'b'"),
    ({"go": {"more": {"J1": 722, "b": 2}, "at": "b"}}, "<go>: <more> <(><{>'J1': '0722', 'b': <2><}><)> <at> 'b'"),
    (
        {"go": {"more": {"n": 99}, "far": {"n": 100}, "deep": {"x": {"y": ["z"]}}}},
        "<go>: <more> 99 x n; <far> <(><n>: '0100'<)>; <deep> <(><x>: <y> 'z'<)>",
    ),
    ({"go": {"units": "A", "days": 3}}, "<go>: 'A'; <days> <3>"),
    (
        {"seal": {"go": {"units": ["A"], "with": {"play": "J1"}}}, "seat": "red"},
        "<sealed>: <go>: 'A'; <with> <(><play>: 'J1'<)>",
    ),
]


@pytest.mark.parametrize(("order", "text"), NESTED)
def test_parts_of_a_nested_order_stand_apart(order: Plain, text: str) -> None:
    assert order_in(order, MARKED) == text == order_in(order, replace(MARKED, whole=False))


def test_a_part_of_a_nested_order_without_anything_in_it_is_told_in_a_file_alone() -> None:
    order: Plain = {"go": {"units": ["A"], "gone": {}, "none": [], "kept": ["a", ["b", None]]}}
    assert order_in(order, MARKED) == "<go>: 'A'; <gone> ; <none> ; <kept> 'a', 'b', <nothing>"
    assert order_in(order, replace(MARKED, whole=False)) == "<go>: 'A'; <kept> 'a', 'b', <nothing>"
    assert order_in(order, replace(MARKED, beside=None)) == "<go>: 'A' <gone>  <none>  <kept> 'a'; 'b'; <nothing>"
