"""The canonical bytes of a record without its plain image, case by case against `canonical(to_plain(value))`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from pbem.kernel import hashing
from pbem.kernel.canon import MAX_INT, NotPlain, canonical
from pbem.kernel.hashing import canonical_record
from pbem.kernel.records import Mark, to_plain


@dataclass(slots=True)
class Piece:
    """Numbers, texts and truths alone; its names are in another order than in its text."""

    name: str = "x"
    at: int = 1
    used: bool | None = None


@dataclass(slots=True)
class Table:
    """What holds other things."""

    z: Any = None
    a: list[Piece] = field(default_factory=list)
    kept: str = field(default="cache", metadata={"cache": True})


VALUES: list[tuple[Any, str]] = [
    ("plain", '"plain"'),
    ('quo"te\\\n', '"quo\\"te\\\\\\n"'),
    ("Ł\U0001f600", '"Ł\U0001f600"'),
    (0, "0"),
    (-MAX_INT, str(-MAX_INT)),
    (MAX_INT, str(MAX_INT)),
    (True, "true"),
    (False, "false"),
    (None, "null"),
    ([], "[]"),
    ([1, True, "a", None, [2]], '[1,true,"a",null,[2]]'),
    ((1, 2), "[1,2]"),
    ({}, "{}"),
    ({"b": 1, "a": [2]}, '{"a":[2],"b":1}'),
    ({10: "x", 9: "y"}, '{"10":"x","9":"y"}'),
    ({True: 1}, '{"True":1}'),
    ({"\ue000": 1, "\U0001f600": 2}, '{"\U0001f600":2,"\ue000":1}'),  # by UTF-16, not by code point
    ({3, 1, 2}, "[1,2,3]"),
    (frozenset(("b", "a")), '["a","b"]'),
    (Mark(None, {"b": 1, "a": 2}), '{"a":2,"b":1}'),
    (Piece(), '{"at":1,"name":"x","used":null}'),
    (Piece("y", 2, True), '{"at":2,"name":"y","used":true}'),
    (Table(Piece(), [Piece("w", 3)]), '{"a":[{"at":3,"name":"w","used":null}],"z":{"at":1,"name":"x","used":null}}'),
    (Table({"k": {"m": (1,)}}), '{"a":[],"z":{"k":{"m":[1]}}}'),
]


@pytest.mark.parametrize(("value", "text"), VALUES, ids=[f"value{n}" for n in range(len(VALUES))])
def test_the_bytes_of_a_value(value: Any, text: str) -> None:
    assert canonical_record(value) == text.encode() == canonical(to_plain(value))
    assert canonical_record(value) == text.encode()  # and when it is known


WRONG: list[Any] = [MAX_INT + 1, -MAX_INT - 1, "e\u0301", "\ud800", {1: MAX_INT + 1}, {"e\u0301": 1}]


@pytest.mark.parametrize("wrong", WRONG, ids=[f"wrong{n}" for n in range(len(WRONG))])
def test_what_is_not_plain_is_refused_in_the_words_of_the_plain_image(wrong: Any) -> None:
    with pytest.raises(NotPlain) as slow:
        canonical(to_plain(Table(wrong)))
    with pytest.raises(NotPlain) as quick:
        canonical_record(Table(wrong))
    assert str(quick.value) == str(slow.value)


def test_what_nothing_can_write_is_refused_as_not_plain() -> None:
    for wrong in (object(), 1.5):
        with pytest.raises(NotPlain):
            canonical_record(Piece("x", wrong))  # type: ignore[arg-type]


def test_keys_that_python_holds_for_equal_are_told_apart() -> None:
    for value in ({1: "a", 0: "b"}, {True: "a", False: "b"}, {1: "a", 0: "b"}):
        assert canonical_record(value) == canonical(to_plain(value))


def test_what_is_simple_is_written_without_the_slow_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(value: Any) -> bytes:
        raise AssertionError(value)

    monkeypatch.setattr(hashing, "canonical", slow)
    hashing._quoted.cache_clear()
    hashing._in_order.cache_clear()
    value = {"b": ["text", MAX_INT, -MAX_INT, 0], 10: {"x": True, "y": None}}
    assert canonical_record(value) == f'{{"10":{{"x":true,"y":null}},"b":["text",{MAX_INT},-{MAX_INT},0]}}'.encode()


@pytest.mark.parametrize("small", [False, True])
def test_one_and_true_are_told_apart(small: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if small:
        monkeypatch.setattr(hashing, "MOST_KEPT", 1)
    for at in (1, True, 1, 0, False, "1", 2):
        piece = Piece("t", at)
        assert canonical_record(piece) == canonical(to_plain(piece))


def made(monkeypatch: pytest.MonkeyPatch, pieces: list[Piece]) -> list[str]:
    """The names of the pieces whose text was written anew."""
    found: list[str] = []

    def count(record: Piece) -> Any:
        found.append(record.name)
        return to_plain(record)

    monkeypatch.setattr(hashing, "to_plain", count)
    for piece in pieces:
        assert canonical_record(piece) == canonical(to_plain(piece))
    return found


def test_a_record_that_stayed_as_it_was_is_not_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = Piece("one", 50), Piece("two", 50)
    assert made(monkeypatch, [one, two, one, Piece("one", 50), two]) == ["one", "two"]
    one.at = 51
    assert made(monkeypatch, [one, one]) == ["one"]
    read_from_a_file = Piece("".join(["o", "n", "e"]), 51)  # another object of the same letters
    assert made(monkeypatch, [read_from_a_file, one]) == []


def test_no_more_texts_are_kept_than_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(slots=True)
    class Other(Piece):
        pass

    monkeypatch.setattr(hashing, "MOST_KEPT", 2)
    one, two, three = (Other(name, 60) for name in ("one", "two", "three"))
    assert made(monkeypatch, [one, two, one, two, three, three, one]) == ["one", "two", "three", "one"]
