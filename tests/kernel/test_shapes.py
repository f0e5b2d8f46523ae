"""Shapes of data that people write: every fault with its place, what is wrong and what would be right."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.shapes import (
    Check,
    Fault,
    ScenarioFault,
    a_list,
    a_map,
    either,
    fault,
    lacking,
    list_of,
    map_of,
    matching,
    one_of,
    record,
    setting_up,
    shown,
    unknown_key,
    whole,
    words,
    yes_no,
)
from pbem.kernel.wording import english, verbatim


def plainly(found: Fault) -> Fault:
    """A fault with its words in English, for comparison."""
    return replace(found, text=verbatim(english(found.text)), allowed=verbatim(english(found.allowed)))


def said(
    path: tuple[str | int, ...], text: str, allowed: str = "", rule: str = "", word: str = "", missing: bool = False
) -> Fault:
    """A fault in these words."""
    return Fault(path, verbatim(text), verbatim(allowed), rule, word, missing)


def told(check: Check, value: Any) -> list[str]:
    return [str(found) for found in check(value)]


def test_a_fault_in_words() -> None:
    assert str(said(("units", 3, "at"), "is far away", "on the map", "2.1")) == "units.3.at is far away [2.1]; on the map"
    assert str(said((), "is empty")) == "is empty"
    assert Fault((), verbatim("x")) == said((), "x")


def test_a_fault_under_a_place_keeps_its_rule_or_takes_one() -> None:
    inner = said(("at",), "is far away", word="0101")
    assert inner.under("units", 3) == said(("units", 3, "at"), "is far away", word="0101")
    assert inner.under("units", rule="2.1").rule == "2.1"
    assert inner.under("units", rule="2.1").under("all", rule="9") == said(
        ("all", "units", "at"), "is far away", "", "2.1", "0101"
    )


def test_two_ways_to_name_a_fault() -> None:
    assert plainly(lacking("title")) == said((), "title is missing", "", "", "", True)
    assert plainly(lacking("title", verbatim("some words"), "1", ("map",))) == said(
        ("map",), "title is missing", "some words", "1", "", True
    )
    assert fault(verbatim("is wrong")) == said((), "is wrong", "", "", "", False)
    assert fault(verbatim("is wrong"), verbatim("right"), "w", ("a", 0)) == said(("a", 0), "is wrong", "right", "", "w", False)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "nothing"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (1, "1"),
        ("x", "'x'"),
        ({}, "a mapping"),
        ([1], "a list"),
        ("y" * 99, "'" + "y" * 59),
    ],
)
def test_a_value_in_a_message(value: Any, text: str) -> None:
    assert english(shown(value)) == text


def test_the_four_kinds() -> None:
    values: list[Any] = [True, "x", {}, [], 1, None]
    passing = {"yes_no": True, "words": "x", "a_map": {}, "a_list": []}
    for (name, right), check in zip(passing.items(), (yes_no, words, a_map, a_list), strict=True):
        assert [v for v in values if not told(check, v)] == [right], name
    assert told(yes_no, 1) == ["is 1, not true or false"]
    assert told(words, None) == ["is nothing, not text"]
    assert told(a_map, []) == ["is a list, not a mapping"]
    assert told(a_list, "x") == ["is 'x', not a list"]


def test_whole_numbers_in_a_range() -> None:
    assert told(whole(), 10**9) == [] and told(whole(), -5) == []
    assert told(whole(), "5") == ["is '5', not a whole number"] == told(whole(), "5")
    assert told(whole(1, 6), True) == ["is true, not a whole number; 1 to 6"]
    assert told(whole(1, 6), 1.5) == ["is 1.5, not a whole number; 1 to 6"]
    for value in (1, 3, 6):
        assert told(whole(1, 6), value) == []
    assert told(whole(1, 6), 0) == ["is 0; 1 to 6"] and told(whole(1, 6), 7) == ["is 7; 1 to 6"]
    assert told(whole(2), 1) == ["is 1; 2 or more"] and told(whole(2), 2) == [] and told(whole(2), 99) == []
    assert told(whole(None, 4), 5) == ["is 5; 4"] and told(whole(None, 4), 4) == [] and told(whole(None, 4), -9) == []
    assert told(whole(0), -1) == ["is −1; 0 or more"] and told(whole(0, 0), 1) == ["is 1; 0 to 0"]


def test_one_of_some_words() -> None:
    check = one_of("clear", "rough", "river")
    assert told(check, "rough") == []
    assert told(check, "ruogh") == ["is 'ruogh', not one of clear, rough, river; did you mean rough?"]
    assert told(check, None) == ["is nothing, not one of clear, rough, river"]
    assert told(check, ["clear"]) == ["is a list, not one of clear, rough, river; did you mean clear?"]


def test_text_of_a_pattern() -> None:
    check = matching("[0-9]{4}", verbatim("a hex number"))
    assert told(check, "0512") == [] and told(check, 1215) == []
    for value, text in [("512", "'512'"), ("05120", "'05120'"), (None, "nothing"), ([], "a list"), ({}, "a mapping")]:
        assert told(check, value) == [f"is {text}, not a hex number"]
    assert told(matching("True|None", verbatim("x")), True) == ["is true, not x"]
    assert told(matching("None", verbatim("x")), None) != []
    assert told(matching(r"\[\]", verbatim("x")), []) == ["is a list, not x"]


def test_either_of_several_shapes() -> None:
    check = either(words, whole(1), a_list)
    for value in ("x", 5, [None]):
        assert told(check, value) == []
    assert told(check, 0) == ["is 0, not a list"]
    assert told(either(words), 5) == ["is 5, not text"]


def test_lists_of_one_shape() -> None:
    check = list_of(whole(1, 6), 2)
    assert told(check, [1, 6]) == [] and told(list_of(words), []) == []
    assert told(check, {}) == ["is a mapping, not a list"] and told(check, None) == ["is nothing, not a list"]
    assert told(check, [7, 1, "x"]) == [
        "has 3 entries; 2 are needed",
        "0 is 7; 1 to 6",
        "2 is 'x', not a whole number; 1 to 6",
    ]
    assert told(list_of(words, 0), ["a"]) == ["has 1 entries; 0 are needed"]


def test_mappings_of_one_shape() -> None:
    check = map_of(whole(1), matching("[a-z]+", verbatim("a small word")), some=True)
    assert told(check, {"a": 1}) == [] and told(map_of(words), {}) == [] and told(map_of(words), {5: "x"}) == []
    assert told(check, {}) == ["is empty, not a mapping"] and told(check, [1]) == ["is a list, not a mapping"]
    assert told(map_of(words), None) == ["is empty, not a mapping"] and told(map_of(words), 5) == ["is 5, not a mapping"]
    found = [plainly(f) for f in check({"B": 0, "c": 2})]
    assert found == [
        said(("B",), "key is 'B', not a small word", "", "", "B"),
        said(("B",), "is 0", "1 or more"),
    ]
    inner = [plainly(f) for f in map_of(words, key=one_of("north", "south"))({"nort": "x"})]
    assert inner == [said(("nort",), "key is 'nort', not one of north, south", "did you mean north?", "", "nort")]

    def ruled(value: Any) -> Any:
        yield said((), "is odd", "even", "3.2")

    assert [plainly(f) for f in map_of(words, key=ruled)({"a": "x"})] == [said(("a",), "key is odd", "even", "3.2", "a")]


def test_mappings_with_certain_keys() -> None:
    check = record({"name": words, "steps": whole(1)}, {"tired": yes_no}, verbatim("a unit"))
    assert told(check, {"name": "1st", "steps": 2}) == [] and told(check, {"name": "x", "steps": 1, "tired": True}) == []
    assert told(check, [1]) == ["is a list, not a mapping; keys: name, steps, tired"]
    assert told(check, {"tired": 0, "stepz": 2}) == [
        "stepz 'stepz' is no key here; did you mean steps?",
        "lacks name, steps; a unit",
        "tired is 0, not true or false",
    ]
    assert told(record({"name": words}), {"zzz": 1, "name": "x"}) == ["zzz 'zzz' is no key here; keys: name"]
    assert told(check, {"name": "x", "steps": 1, "zzz": 1}) == ["zzz 'zzz' is no key here; keys of a unit: name, steps, tired"]
    assert told(record({"a": words}), {}) == ["lacks a"]
    assert told(record({}, None), {}) == []


def test_a_key_that_nobody_reads() -> None:
    assert plainly(unknown_key("zzz", ("name", "steps"), verbatim("a unit"))) == said(
        ("zzz",), "'zzz' is no key here", "keys of a unit: name, steps", "", "zzz"
    )
    assert plainly(unknown_key("zzz", ("name",))).allowed == verbatim("keys: name")
    assert plainly(unknown_key("zzz", ("name", "side"))).allowed == verbatim("keys: name, side")
    assert plainly(unknown_key("nam", ("name", "steps"))).allowed == verbatim("did you mean name?")


# -- set-ups that stumble -----------------------------------------------------------------------------------------


def test_a_scenario_fault_tells_every_fault() -> None:
    found = ScenarioFault([verbatim("no map"), said(("a",), "is 1")])
    assert found.faults == (said((), "no map"), said(("a",), "is 1"))
    assert str(found) == "no map; a is 1"


SCENARIO: dict[str, Any] = {"units": [{"name": "1st", "at": "Kwangsi"}, {"name": "2nd", "at": "Hunan"}], "turn": 3}


def stumbled(error: BaseException, scenario: Any = SCENARIO) -> Fault:
    with pytest.raises(ScenarioFault) as raised, setting_up(scenario):
        raise error
    assert raised.value.__cause__ is error
    (found,) = raised.value.faults
    return plainly(found)


def test_what_a_set_up_stumbles_over_is_shown_in_the_scenario() -> None:
    assert stumbled(KeyError("Hunan")) == said(("units", 1, "at"), "the set-up stops: 'Hunan' is not there", word="Hunan")
    assert stumbled(ValueError("turn")) == said(("turn",), "the set-up stops: turn", word="turn")
    assert stumbled(KeyError("units"), {"a": {"units": {"b": 1}}}).path == ("a", "units")
    assert stumbled(KeyError("at")) == said(("units", 0, "at"), "the set-up stops: 'at' is not there", word="at")


def test_what_the_scenario_does_not_name_is_a_fault_of_all_of_it() -> None:
    assert stumbled(KeyError("Yunnan")) == said((), "the set-up stops: 'Yunnan' is not there", word="Yunnan")
    assert stumbled(KeyError()) == said((), "the set-up stops: '' is not there")
    assert stumbled(TypeError("a + b!")) == said((), "the set-up stops: a + b!")
    assert stumbled(AttributeError()) == said((), "the set-up stops: AttributeError")
    assert stumbled(IndexError("a b"), [""]) == said((), "the set-up stops: 'a b' is not there", word="a b")
    assert stumbled(ValueError(""), [""]) == said((), "the set-up stops: ValueError")


def test_a_number_is_no_word_of_the_scenario() -> None:
    assert stumbled(KeyError(3)).path == ()


def test_a_fault_that_was_found_is_not_wrapped_and_a_sound_set_up_passes() -> None:
    with setting_up(SCENARIO):
        pass
    found = ScenarioFault([verbatim("x")])
    with pytest.raises(ScenarioFault) as raised, setting_up(SCENARIO):
        raise found
    assert raised.value is found
    with pytest.raises(ZeroDivisionError), setting_up(SCENARIO):
        raise ZeroDivisionError
