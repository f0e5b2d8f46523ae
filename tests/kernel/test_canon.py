"""Canonical form: one byte string for each plain value, whoever writes it and in whatever order."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kernel import canon
from pbem.kernel.canon import MAX_INT, NotPlain, canonical, check_plain, digest, in_key_order, sha256_hex
from tests.kernel.plain import plain


def test_keys_are_sorted_and_nothing_stands_between_the_parts() -> None:
    assert canonical({"b": [1, True, None], "a": {"": "x"}}) == b'{"a":{"":"x"},"b":[1,true,null]}'


def test_text_is_written_as_it_is_in_utf_8() -> None:
    assert canonical('Łódź\n"') == '"Łódź\\n\\""'.encode()
    assert canonical({"ł": "Ł"}) == '{"ł":"Ł"}'.encode()


def test_keys_beyond_the_first_plane_are_sorted_by_their_utf_16_units() -> None:
    value: Any = {"\ue000": ["ł", {"b": 1, "a": "ó"}], "\U00010000": None, "z": True}
    assert canonical(value) == '{"z":true,"\U00010000":null,"\ue000":["ł",{"a":"ó","b":1}]}'.encode()


def test_keys_in_a_list_of_mappings_are_sorted_by_utf_16_too() -> None:
    assert canonical([{"\ufffd": 1, "\U0001f3b2": 2}]) == '[{"\U0001f3b2":2,"\ufffd":1}]'.encode()
    assert canonical({"a": {"\ufffd": 1, "\U0001f3b2": 2}}) == '{"a":{"\U0001f3b2":2,"\ufffd":1}}'.encode()


@pytest.mark.parametrize("value", [{"a": {"b": [{"": 1}]}}, {"ł": [{"\ud7ff": 1}]}, [1, "x"], "\U00010000"])
def test_what_python_sorts_rightly_is_written_in_one_go(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canon, "_slow", None)
    assert canonical(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@given(plain)
@settings(deadline=None)
def test_the_canonical_form_is_json_of_the_same_value_in_key_order(value: Any) -> None:
    text = canonical(value).decode()
    assert json.loads(text) == value
    assert canonical(json.loads(text)).decode() == text
    assert json.dumps(in_key_order(value), ensure_ascii=False, separators=(",", ":")) == text


@given(st.dictionaries(st.text(), st.integers(0, 9)))
@settings(deadline=None)
def test_key_order_does_not_depend_on_the_order_of_typing(value: dict[str, int]) -> None:
    keys = list(in_key_order(dict(reversed(value.items()))))  # type: ignore[arg-type]
    assert keys == sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))


def test_key_order_goes_down_into_lists_and_mappings_and_leaves_the_rest() -> None:
    value = in_key_order([{"b": {"d": 1, "c": "2"}, "a": [True]}, 5])
    assert json.dumps(value) == '[{"a": [true], "b": {"c": "2", "d": 1}}, 5]'
    assert list(in_key_order({"\ue000": 1, "\U00010000": 2})) == ["\U00010000", "\ue000"]  # type: ignore[arg-type]
    assert list(in_key_order({10: 1, "1": 2, 9: 3})) == ["1", 10, 9]  # type: ignore[arg-type, dict-item, comparison-overlap]


def test_sha256_is_lower_case_hex() -> None:
    assert sha256_hex(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_digest_is_of_the_tag_a_line_end_and_the_canonical_bytes() -> None:
    assert digest("pbem/1 Łap", {"b": 1, "a": 2}) == hashlib.sha256('pbem/1 Łap\n{"a":2,"b":1}'.encode()).hexdigest()


SIMPLE: list[Any] = [None, True, False, 0, MAX_INT, -MAX_INT, "", "\x7f", [], {}, {"a": [{"b": [-1, None]}, "c"]}]


@pytest.mark.parametrize("value", SIMPLE)
def test_nearly_all_data_are_known_to_be_plain_at_one_look(value: Any) -> None:
    assert canon._is_simple(value)


HARD: list[Any] = ["ł", {"ł": 1}, [{"a": ["\x80"]}], MAX_INT + 1, -MAX_INT - 1, {1: 2}, {"a": 1, None: 2}, (1,), [0.5], b"a"]


@pytest.mark.parametrize("value", HARD)
def test_what_may_be_no_plain_data_is_looked_at_again(value: Any) -> None:
    assert not canon._is_simple(value)


@pytest.mark.parametrize("value", [None, True, False, 0, MAX_INT, -MAX_INT, "", "ł", "\ud7ff", "\ue000", [], {}, {"": ""}])
def test_plain_data_pass(value: Any) -> None:
    check_plain(value)


REFUSED: list[tuple[Any, str]] = [
    (MAX_INT + 1, "document: the integer 9007199254740992 is too large"),
    (-MAX_INT - 1, "document: the integer -9007199254740992 is too large"),
    ([0, 2**60], "[1]: the integer 1152921504606846976 is too large"),
    ({"a": {"b": [0.5]}}, "a.b[0]: float is not plain data"),
    (0.5, "document: float is not plain data"),
    ((1,), "document: tuple is not plain data"),
    ({1: 2}, "document: the key 1 is not text"),
    ({"a": {None: 2}}, "a: the key None is not text"),
    ("e\u0301", "document: text is not in Unicode normal form C"),
    ({"a": ["e\u0301"]}, "a[0]: text is not in Unicode normal form C"),
    ({"a": {"e\u0301": 1}}, "a: text is not in Unicode normal form C"),
    ({"e\u0301": 1}, "document: text is not in Unicode normal form C"),
    ("x\ud800", "document: text holds half a character"),
    (["\udfff"], "[0]: text holds half a character"),
    ({"k": {"\udabc": 1}}, "k: text holds half a character"),
]


@pytest.mark.parametrize(("value", "why"), REFUSED)
def test_what_is_not_plain_is_refused_with_its_place(value: Any, why: str) -> None:
    with pytest.raises(NotPlain) as refused:
        check_plain(value)
    assert str(refused.value) == why
    with pytest.raises(NotPlain):
        canonical(value)


def test_the_place_that_is_told_begins_where_the_caller_says() -> None:
    with pytest.raises(NotPlain, match=r"^file 3\.orders: float is not plain data$"):
        check_plain({"orders": 1.0}, "file 3")  # type: ignore[dict-item]
