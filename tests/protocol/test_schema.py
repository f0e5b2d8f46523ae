"""Shapes: what each check takes, what it refuses, and in which words."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from pbem.protocol import schema
from pbem.protocol.outcomes import Outcome, ProtocolError

NONE_OF_THEM: list[Any] = [None, True, 0, 5, [], {}, ["x"], {"a": 1}]


def passes(check: schema.Check, *values: Any) -> None:
    for value in values:
        assert check(value) == "", value


def refuses(check: schema.Check, why: str, *values: Any) -> None:
    for value in values:
        assert check(value) == why, value


def test_32_bytes_in_hex() -> None:
    passes(schema.hex32, "0123456789abcdef" * 4)
    wrong = ["0" * 63, "0" * 65, "A" * 64, "g" * 64, "0" * 63 + "\n", "0" * 64 + "\n", ""]
    refuses(schema.hex32, "32 bytes in lower-case hex are needed", *wrong, *NONE_OF_THEM)


def test_names() -> None:
    passes(schema.name, "a", "nowak-2", "z" * 32)
    wrong = ["", "A", "2a", "-a", "a_b", "a b", "z" * 33, "ł", "a\n"]
    refuses(schema.name, "a name has small letters, digits, hyphens", *wrong, *NONE_OF_THEM)


def test_signatures_and_sealed_secrets() -> None:
    made = {size: base64.b64encode(bytes(size)).decode() for size in (63, 64, 65, 79, 80, 81)}
    passes(schema.signature, made[64])
    refuses(schema.signature, "64 bytes in base64 are needed", made[63], made[65], made[80], made[64][:-1], "", *NONE_OF_THEM)
    passes(schema.sealed_secret, made[80])
    refuses(schema.sealed_secret, "80 bytes in base64 are needed", made[79], made[81], made[64], "", *NONE_OF_THEM)


def test_text_and_numbers() -> None:
    passes(schema.text(3), "", "abc", "łóż")
    refuses(schema.text(3), "text of at most 3 characters is needed", "abcd", *NONE_OF_THEM)
    passes(schema.number(1, 6), 1, 6)
    refuses(schema.number(1, 6), "a whole number from 1 to 6 is needed", 0, 7, "3", True, None, [], {})
    refuses(schema.number(0, 6), "a whole number from 0 to 6 is needed", False)


def test_one_of_some_values_in_kind_too() -> None:
    check = schema.one_of(1, "a")
    passes(check, 1, "a")
    refuses(check, "one of (1, 'a') is needed", True, "1", 2, None, "", [])
    passes(schema.one_of(True), True)
    refuses(schema.one_of(True), "one of (True,) is needed", 1)


def test_null_or_a_value_and_anything() -> None:
    passes(schema.maybe(schema.number(1, 2)), None, 1)
    refuses(schema.maybe(schema.number(1, 2)), "a whole number from 1 to 2 is needed", 0, "x")
    passes(schema.anything, *NONE_OF_THEM, "x")


def test_either_takes_what_is_chosen_for_the_value() -> None:
    chosen = schema.either(
        lambda value: schema.text(1) if isinstance(value, str) else schema.hex32, schema.text(1), schema.hex32
    )
    passes(chosen, "x")
    refuses(chosen, "text of at most 1 characters is needed", "xy")
    refuses(chosen, "32 bytes in lower-case hex are needed", 5)


def test_the_kind_of_a_mapping_is_that_of_its_key() -> None:
    kinds = {"a": schema.record({"a": schema.number(1, 1)}), "b": schema.record({"b": schema.number(2, 2)})}
    check = schema.by_key(kinds)
    passes(check, {"a": 1}, {"b": 2})
    refuses(check, "a: a whole number from 1 to 1 is needed", {"a": 2})
    refuses(check, "unknown key 'b'", {"a": 1, "b": 2})
    refuses(check, "b is missing; unknown key 'c'", {"c": 1})
    refuses(check, "a mapping is needed", "a", ["a"])


def test_lists() -> None:
    check = schema.list_of(schema.number(1, 6), 3)
    passes(check, [], [1], [1, 2, 3])
    refuses(check, "a list of at most 3 is needed", [1, 1, 1, 1], None, "x", {}, 3)
    refuses(check, "item 2: a whole number from 1 to 6 is needed", [1, 7, 8])
    passes(schema.list_of(schema.anything), [0] * 10_000)
    refuses(schema.list_of(schema.anything), "a list of at most 10000 is needed", [0] * 10_001)
    pair = schema.list_of(schema.anything, 2, 2)
    passes(pair, [1, 2])
    refuses(pair, "a list of 2 is needed", [1], [1, 2, 3], [], None)
    some = schema.list_of(schema.anything, 3, 1)
    passes(some, [1], [1, 2, 3])
    refuses(some, "a list of 1 to 3 is needed", [], [1, 1, 1, 1])


def test_mappings() -> None:
    check = schema.map_of(schema.number(1, 6), schema.name)
    passes(check, {}, {"a": 1, "b": 6})
    refuses(check, "a mapping is needed", [], None, "x")
    refuses(check, "B: a name has small letters, digits, hyphens", {"a": 1, "B": 9})
    refuses(check, "b: a whole number from 1 to 6 is needed", {"a": 1, "b": 9})
    passes(schema.map_of(schema.anything), {"any KEY": None})


RECORD = schema.record({"a": schema.number(1, 6), "b": schema.text(2)}, {"c": schema.hex32})


def test_records() -> None:
    passes(RECORD, {"a": 1, "b": "x"}, {"a": 1, "b": "x", "c": "0" * 64})
    refuses(RECORD, "a mapping is needed", [], None, "x")
    refuses(
        RECORD,
        "a is missing; unknown key 'd'; unknown key 'e'; b: text of at most 2 characters is needed; "
        "c: 32 bytes in lower-case hex are needed",
        {"d": 1, "b": "xyz", "e": 2, "c": 3},
    )
    refuses(schema.record({"a": schema.anything}), "unknown key 'c'", {"a": 1, "c": 1})
    passes(schema.record({}), {})


def test_a_required_key_counts_where_both_lists_have_it() -> None:
    assert schema.problems({"a": 9}, {"a": schema.number(1, 6)}, {"a": schema.anything}) == [
        "a: a whole number from 1 to 6 is needed"
    ]


@pytest.mark.parametrize(
    ("value", "message", "path"),
    [
        ({"a": 7, "b": 5}, "file: a: a whole number from 1 to 6 is needed; b: text of at most 2 characters is needed", "a"),
        ({"a": 1}, "file: b is missing", ""),
        ({"a": 1, "b": "", "X y": 1}, "file: unknown key 'X y'", "X y"),
        ([], "file: a mapping is needed", "a mapping is needed"),
    ],
)
def test_a_document_that_does_not_fit_is_refused_with_all_that_is_wrong(value: Any, message: str, path: str) -> None:
    with pytest.raises(ProtocolError) as refused:
        schema.check(value, {"a": schema.number(1, 6), "b": schema.text(2)}, {}, "file")
    assert (refused.value.outcome, str(refused.value), refused.value.path) == (Outcome.UNREADABLE, message, path)


def test_a_document_that_fits_is_given_back() -> None:
    value: dict[str, Any] = {"a": 1}
    assert schema.check(value, {"a": schema.anything}, {"b": schema.anything}, "file") is value


# -- as JSON Schema -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "json"),
    [
        (schema.hex32, {"type": "string", "pattern": "^[0-9a-f]{64}$"}),
        (schema.name, {"type": "string", "pattern": "^[a-z][a-z0-9-]{0,31}$"}),
        (schema.signature, {"type": "string", "pattern": "^[A-Za-z0-9+/]{85}[AQgw]==$"}),
        (schema.sealed_secret, {"type": "string", "pattern": "^[A-Za-z0-9+/]{106}[AEIMQUYcgkosw048]=$"}),
        (schema.text(4), {"type": "string", "maxLength": 4}),
        (schema.number(1, 6), {"type": "integer", "minimum": 1, "maximum": 6}),
        (schema.anything, {}),
        (schema.one_of(1, "a"), {"enum": [1, "a"]}),
        (schema.maybe(schema.text(4)), {"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 4}]}),
        (
            schema.either(lambda v: schema.anything, schema.text(1), schema.anything),
            {"oneOf": [{"type": "string", "maxLength": 1}, {}]},
        ),
        (schema.list_of(schema.text(1)), {"type": "array", "items": {"type": "string", "maxLength": 1}, "maxItems": 10_000}),
        (schema.list_of(schema.anything, 2, 1), {"type": "array", "items": {}, "minItems": 1, "maxItems": 2}),
        (schema.map_of(schema.anything), {"type": "object", "additionalProperties": True}),
        (
            schema.map_of(schema.text(1), schema.text(2)),
            {
                "type": "object",
                "additionalProperties": {"type": "string", "maxLength": 1},
                "propertyNames": {"type": "string", "maxLength": 2},
            },
        ),
        (
            schema.record({"a": schema.anything}, {"b": schema.text(1)}),
            {
                "type": "object",
                "properties": {"a": {}, "b": {"type": "string", "maxLength": 1}},
                "required": ["a"],
                "additionalProperties": False,
            },
        ),
        (schema.record({}), {"type": "object", "properties": {}, "required": [], "additionalProperties": False}),
        (schema.by_key({"a": schema.text(1), "b": schema.anything}), {"oneOf": [{"type": "string", "maxLength": 1}, {}]}),
    ],
)
def test_every_check_says_itself_as_json_schema(check: schema.Check, json: dict[str, Any]) -> None:
    assert schema.json_of(check) == json


def test_a_check_that_is_not_described_has_no_schema() -> None:
    with pytest.raises(KeyError):
        schema.json_of(lambda value: "")
