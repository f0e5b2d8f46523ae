"""Names as players write them: which thing is meant, how lists are cut, which numbers are in bounds."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel import naming
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
    assert both.one(["guards"], "red") == "R1" and both.one(["guards"], "blue") == "B1"
    assert "means two things" in refusal(both.one, "guards")
    assert "means two things" in refusal(UNITS.one, "guards", "red")


def test_what_is_refused_says_why_and_what_is_near() -> None:
    assert refusal(UNITS.one, "1st") == (
        "means two things: '1st' is the name of several units; did you mean unit B1 or unit B2 or unit R1?"
    )
    assert (
        refusal(UNITS.one, "2nd gards") == "cannot be read: there is no unit '2nd gards'; did you mean 2nd Guards, 1st Guards?"
    )
    assert refusal(UNITS.one, None) == "cannot be read: no unit is named" == refusal(UNITS.one, [None])
    for text in (5, True, {"a": 1}, ["R1", "R2"], []):
        assert "is no unit" in refusal(UNITS.one, text)
    assert "there is no unit" in refusal(UNITS.one, "...")


def test_what_is_near_is_told_by_its_title_not_by_its_id() -> None:
    ships = Index([("CVL Hermes", "cvl-hermes")], ids=["cvl-hermes", "ca-kent"], title=lambda u: f"the {u[-4:]}")
    assert refusal(ships.one, "ca-kant") == "cannot be read: there is no unit 'ca-kant'; did you mean the kent?"
    assert refusal(ships.one, "cv hermes").endswith("did you mean the rmes?")


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
    assert "is no unit" in refusal(UNITS.one_among, {"1st": "Rifles"}, ["B1"])


def test_who_names_nothing_is_told_what_there_is() -> None:
    nothing = "cannot be read: no unit is named; possible: "
    assert refusal(UNITS.one_among, None, ["R1", "B2"]) == f"{nothing}unit R1, unit B2"
    assert refusal(UNITS.one_among, None, ["R1"] * 10) == f"{nothing}{', '.join(['unit R1'] * 8)}; others: 2"
    assert refusal(UNITS.one_among, None, []) == "cannot be read: no unit is named"


def test_hexes_are_found_by_number_first_then_by_name() -> None:
    assert [HEXES.one(text) for text in (101, "0101", "101", "0101 Delhi", "0101 or so")] == [101] * 5
    assert HEXES.one("Delhi") == 101 and HEXES.one("new") == 300 and HEXES.one("Delhi 0101") == 101
    assert HEXES.one("Canton") == 921  # of several with one name the first
    assert HEXES.one("Canton 5717") == 5717
    for text in (9999, "9999", -101, True, 10**9, "Agra", ""):
        assert "hex" in refusal(HEXES.one, text)


def test_a_hex_that_is_near_is_told_as_it_is_printed() -> None:
    assert refusal(HEXES.one, "Dehli").endswith("there is no hex 'Dehli'; did you mean Delhi, New Delhi, Delhi 0101?")
    lettered = hex_index([(2818, "N2818", "Munsan")], str, lambda word: None)
    assert refusal(lettered.one, "2818").endswith("did you mean N2818, Munsan N2818?")


def test_a_hex_without_a_name_is_not_found_without_one() -> None:
    for text in ("", "--"):
        assert not HEXES.is_name(text) and "there is no hex" in refusal(HEXES.one, text)


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


def test_a_name_of_any_length_is_compared_by_its_words() -> None:
    long = "The Second  BATTALION, of the very long-named Regiment of Foot (Queen's Own)"
    assert len(long) > naming.SHORT
    assert words_of(long) == "the second battalion of the very long named regiment of foot queen s own"
    assert Index([(long, "u1")]).one(long.upper()) == "u1"


def test_what_is_no_number_is_told_with_its_bounds() -> None:
    said = "cannot be read: 'five' is no number; a number from 2 to 4"
    assert refusal(read_number, "five", 2, 4, "2.1") == said
    most = "9" * naming.DIGITS
    assert read_number(most, 0, int(most), "2.1") == int(most)
    assert refusal(read_number, None, 2, 4, "2.1") == "cannot be read: a number is missing; a number from 2 to 4"
    assert "is no number" in refusal(read_number, "1" + "0" * naming.DIGITS, 0, 10**20, "2.1")


def test_missing_names_are_asked_for() -> None:
    assert refusal(parts_of, None, UNITS.is_name) == "cannot be read: names are missing; names with commas between them"


BEGUN = Index(
    [
        ("14th Army", "R1"),
        ("1st Army Corps", "R2"),
        ("Kwajalein", "B1"),
        ("Kwangsi", "B2"),
        ("Far East Air Force", "Bengal and Assam"),
    ],
    title=lambda u: f"unit {u}",
    side=SIDES.__getitem__,
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("14 army", "R1"),
        ("14", "R1"),
        ("1 army", "R2"),  # 1 does not begin 14th
        ("1 co", "R2"),  # words may be left out between
        ("kwaj", "B1"),
        ("feaf", "Bengal and Assam"),
        ("FEAF", "Bengal and Assam"),
        ("fa ea", "Bengal and Assam"),
        ("ea fo", "Bengal and Assam"),
        ("army 14", None),  # not in this order
        ("army army", None),  # one word for each
        ("fea", None),  # initials of all words
        ("zzz", None),
        ("eafo", None),
        ("fe af", None),  # no word begins with fe
        ("fa eaf", "Bengal and Assam"),  # the last may be the initials of all that are left
        ("far e af", "Bengal and Assam"),
        ("fa ea", "Bengal and Assam"),
        ("fa eax", None),
        ("fa af", None),
        ("f e", "Bengal and Assam"),
        ("1", None),  # too short to mean one
        ("k", None),
        ("", None),
        ("...", None),
    ],
)
def test_a_name_may_be_begun(text: str, meant: str | None) -> None:
    assert BEGUN.begun(text) == meant


def test_a_number_begins_no_longer_one() -> None:
    numbers = Index([("1st Tank", "t1"), ("12 Tank", "t12"), ("120 Tank", "t120")])
    assert (numbers.begun("1 tank"), numbers.begun("12 tank"), numbers.begun("120 ta")) == ("t1", "t12", "t120")


def test_initials_are_letters_and_of_more_than_one_word() -> None:
    assert Index([("1st 2nd", "u1")]).begun("12") is None
    assert Index([("Kwajalein", "u1"), ("Old Kwai", "u2")]).begun("ok") == "u2"
    assert Index([("Assam", "u1")]).begun("a") is None


def test_names_begun_of_one_s_own_side_come_first() -> None:
    both = Index(
        [("Guards", "R1"), ("Guardians", "B1"), ("Gunners", "B2")], title=lambda u: f"unit {u}", side=SIDES.__getitem__
    )
    assert both.begun("gua", "red") == "R1" and both.begun("gua", "blue") == "B1"
    assert (
        refusal(both.begun, "gua") == "means two things: 'gua' is the name of several units; did you mean unit B1 or unit R1?"
    )
    assert "unit B1 or unit B2?" in refusal(both.begun, "gu", "blue"), "of the own side alone"
    again = Index([("Guards", "R1"), ("Guards of Delhi", "R1")], title=str)
    assert again.begun("gua") == "R1", "two names of one thing are no two things"


def test_readings_stand_in_the_order_of_their_names_as_text() -> None:
    numbers = Index([(f"Fort {n}", n) for n in (10, 9, 101)])
    assert refusal(numbers.one, "fort").endswith("did you mean 10 or 101 or 9?")
    assert refusal(numbers.begun, "fo").endswith("did you mean 10 or 101 or 9?")


def test_whether_a_name_is_known() -> None:
    assert UNITS.knows("R1") and UNITS.knows("1st Rifles") and UNITS.knows("1st"), "an id, a name, some words of several"
    assert not UNITS.knows("2nd gards") and not UNITS.knows("...") and not UNITS.knows("")
    assert HEXES.knows("0101") and HEXES.knows("0101 or so") and HEXES.knows("new") and not HEXES.knows("9999")


def test_a_thing_with_a_name_twice_is_one_thing() -> None:
    twice = Index([("Guards", "R1"), ("guards", "R1"), ("Rifles", "B1")], ids=["R1", "B1"], side=SIDES.__getitem__)
    assert twice.one("guards") == "R1"
    assert Index([("R1", "B1")], ids=["R1"]).is_name("r1")
    bare = Index([("Guards", "R1"), ("guards", "R1"), ("Old Guards", "R2")])
    assert bare.one("guards") == "R1", "without ids too, and before longer names"


def test_of_some_choices_a_number_is_meant_as_it_is_written() -> None:
    islands = Index([("Fort 0", "a"), ("Fort 1", "b"), ("Camp 0", "c")], side={"a": "red", "b": "red", "c": "blue"}.__getitem__)
    assert islands.one_among(0, ["a", "b"]) == "a" and islands.one_among(1, ["a", "b"]) == "b"
    assert "no unit is named" in refusal(islands.one_among, None, ["a", "None"]), "what is no name means nothing"
    assert islands.one_among("0", [], "blue") == "c", "one's own comes first"
    assert "means two things" in refusal(islands.one_among, "0", [])


def test_an_id_is_meant_before_a_name_of_another() -> None:
    assert Index([("R1", "B1"), ("R1", "B2")], ids=["R1", "B1", "B2"]).one("r1") == "R1"


def test_who_is_called_as_another_s_id_can_be_meant_by_his_own_side() -> None:
    called = Index([("R1", "B1")], ids=SIDES, side=SIDES.__getitem__)
    assert called.begun("r1", "blue") == "B1" and called.begun("r1", "red") == "R1"


def test_several_names_are_looked_for_on_one_s_own_side() -> None:
    both = Index([("Guards", "R1"), ("Guards", "B1")], side=SIDES.__getitem__)
    assert both.many("guards", "4.1", "red") == ["R1"] and both.many("guards", "4.1", "blue") == ["B1"]
    assert refusal(both.many, " , ", "4.1") == "cannot be read: ' , ' names no units"


def test_what_is_no_name_at_all_is_told_as_it_was_written() -> None:
    assert refusal(UNITS.one, True) == "cannot be read: True is no unit"
    assert refusal(HEXES.one, -101) == "cannot be read: -101 is no hex"


def test_hexes_of_a_map_without_a_reader_of_numbers_are_found_by_their_labels() -> None:
    labels = hex_index([(1, "A-01", "Fort One"), (2, "A-02", "Fort Two")], lambda h: f"hex {h}", lambda word: None)
    assert labels.one("a 02") == 2 and labels.one("A-01") == 1
    assert refusal(labels.one, "fort") == "means two things: 'fort' is the name of several hexes; did you mean hex 1 or hex 2?"


def test_hex_nought_is_a_hex() -> None:
    corner = hex_index([(0, "0000", "")], str, lambda word: 0 if word == "0000" else None)
    assert corner.one(0) == 0 and corner.along(["", 0]) == [0]
