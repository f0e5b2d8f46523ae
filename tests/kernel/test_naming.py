"""Names as players write them: which thing is meant, how lists are cut, which numbers are in bounds."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.naming import Index, hex_index, hex_number, parts_of, read_number, words_of
from pbem.kernel.orders import Rejected

SIDES = {"R1": "red", "R2": "red", "B1": "blue", "B2": "blue", "Bengal and Assam": "blue"}
NAMES = [("1st Guards", "R1"), ("2nd Guards", "R2"), ("1st Rifles", "B1"), ("1st Rifles Reserve", "B2")]
UNITS = Index(NAMES, ids=SIDES, title=lambda u: f"unit {u}", side=SIDES.__getitem__)
MAP = {101: "Delhi", 102: "", 921: "Canton", 5717: "Canton", 300: "New Delhi"}
HEXES = hex_index(
    ((h, f"{h:04}", name) for h, name in MAP.items()),
    lambda h: f"hex {h}",
    lambda word: h if (h := hex_number(word)) in MAP else None,
)


def refusal(read: Any, *given: Any) -> str:
    with pytest.raises(Rejected) as refused:
        read(*given)
    return str(refused.value)


def test_words_of_a_name() -> None:
    assert words_of("  CV-1  (Akagi), 22nd! ") == "cv 1 akagi 22nd"
    assert words_of("--") == ""


@pytest.mark.parametrize(
    ("text", "own", "meant"),
    [
        ("R1", "", "R1"),
        ("b1", "", "B1"),
        ("2ND guards", "", "R2"),
        ("1st Rifles", "", "B1"),  # a whole name, though another one begins with it
        ("reserve", "", "B2"),
        ("Guards 2nd", "", "R2"),
        ("assam", "", "Bengal and Assam"),
        (["R1"], "", "R1"),
    ],
)
def test_one_thing_is_meant(text: Any, own: str, meant: str) -> None:
    assert UNITS.one(text, own) == meant


def test_one_s_own_side_comes_first() -> None:
    both = Index([("Guards", "R1"), ("Guards", "B1"), ("Old Guards", "B2")], ids=SIDES, side=SIDES.__getitem__)
    assert both.one("guards", "red") == "R1" and both.one("guards", "blue") == "B1"
    assert "means two things" in refusal(both.one, "guards")
    assert "means two things" in refusal(UNITS.one, "guards", "red")


def test_what_is_refused_says_why_and_what_is_near() -> None:
    assert refusal(UNITS.one, "1st") == (
        "means two things: '1st' is the name of several units; did you mean unit B1 or unit B2 or unit R1?"
    )
    assert (
        refusal(UNITS.one, "2nd gards") == "cannot be read: there is no unit '2nd gards'; did you mean 2nd guards, 1st guards?"
    )
    for text in (None, 5, True, {"a": 1}, ["R1", "R2"], []):
        assert "is no unit" in refusal(UNITS.one, text)
    assert "there is no unit" in refusal(UNITS.one, "...")


def test_at_most_six_readings_are_listed() -> None:
    many = Index([(f"Guards {i}", f"u{i}") for i in range(9)])
    assert refusal(many.one, "guards").count(" or ") == 5


def test_of_some_choices_the_only_one_that_can_be_meant() -> None:
    assert UNITS.one_among("1st", ["R1", "R2"]) == "R1"
    assert UNITS.one_among("1st Rifles", ["B1", "B2"]) == "B1"
    assert UNITS.one_among("2nd Guards", ["R1"]) == "R2"  # another one is meant, which cannot be chosen
    assert UNITS.one_among("escorts", ["escorts and screens", "R1"]) == "escorts and screens"
    assert UNITS.one_among(["escorts"], ["escorts", "R1"]) == "escorts"
    assert HEXES.one_among("canton", [5717]) == 5717
    assert "is no hex" in refusal(HEXES.one_among, -921, [921])


def test_hexes_are_found_by_number_first_then_by_name() -> None:
    assert [HEXES.one(text) for text in (101, "0101", "101", "0101 Delhi", "0101 or so")] == [101] * 5
    assert HEXES.one("Delhi") == 101 and HEXES.one("new") == 300 and HEXES.one("Delhi 0101") == 101
    assert HEXES.one("Canton") == 921  # of several with one name the first
    assert HEXES.one("Canton 5717") == 5717
    for text in (9999, "9999", -101, True, 10**9, "Agra", ""):
        assert "hex" in refusal(HEXES.one, text)


def test_lists_are_cut_at_commas_and_ands_but_not_inside_a_name() -> None:
    def cut(body: Any) -> list[Any]:
        return parts_of(body, UNITS.is_name)

    assert cut("R1, R2;B1 and B2") == ["R1", "R2", "B1", "B2"]
    assert cut("Bengal and Assam, R1 and R2") == ["Bengal and Assam", "R1", "R2"]
    assert cut("R1 and Bengal and Assam") == ["R1", "Bengal", "Assam"]
    assert cut(["a, b", 5]) == ["a, b", 5] and cut(5) == [5] and cut(" , ") == [] and cut([]) == []
    assert "missing" in refusal(cut, None)


def test_several_things_are_named_once() -> None:
    assert UNITS.many("R1 and 1st Rifles", "4.1") == ["R1", "B1"]
    assert refusal(UNITS.many, "R1, r1", "4.1") == "not allowed: unit R1 is named twice [4.1]"
    assert "names no units" in refusal(UNITS.many, [], "4.1")
    assert UNITS.many([], "4.1", least=0) == []


@pytest.mark.parametrize(("body", "number"), [(3, 3), ("3", 3), ("0004", 4), (0, 0)])
def test_numbers_in_bounds(body: Any, number: int) -> None:
    assert read_number(body, 0, 4, "2.1") == number


def test_other_numbers_are_refused() -> None:
    assert refusal(read_number, 5, 0, 4, "2.1") == "not allowed: 5 is outside 0 to 4 [2.1]; 0 to 4"
    for body in (True, None, "five", "-1", "²", "1" * 5000, [3]):
        assert "cannot be read" in refusal(read_number, body, 0, 4, "2.1")
    assert "not allowed" in refusal(read_number, -1, 0, 4, "2.1")


def test_numbers_of_hexes() -> None:
    assert [hex_number(word) for word in ("0101", "101", "5717")] == [101, 101, 5717]
    assert [hex_number(word) for word in ("", "12", "12345", "1a1", "38th")] == [0] * 5


def test_a_way_is_cut_at_commas_and_at_blanks_that_are_in_no_name() -> None:
    assert HEXES.along("New Delhi, 0101") == [300, 101]
    assert HEXES.along("new delhi") == [300]
    assert HEXES.along("0300 0101; Delhi") == [300, 101, 101]
    assert HEXES.along(["New Delhi", 101]) == [300, 101] and HEXES.along(101) == [101]
    assert HEXES.along(None) == [] and HEXES.along("") == []
    assert "there is no" in refusal(HEXES.along, "New Delhi Bombay")
