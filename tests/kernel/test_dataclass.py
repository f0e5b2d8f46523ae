"""The dataclasses of this package behave as the library's do, though their methods are shared and made late."""

from __future__ import annotations

import ast
import copy
import dataclasses
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.kernel.dataclass import dataclass

PACKAGE = Path(__file__).parents[2] / "pbem"
MAKERS: list[Callable[..., Any]] = [dataclass, dataclasses.dataclass]
HOWS = ("", "slots", "frozen", "frozen slots")


@dataclass(frozen=True, slots=True)
class Unit:
    name: str
    steps: int = 2
    at: list[str] = dataclasses.field(default_factory=list)


def declared(make: Callable[..., Any], **how: bool) -> Any:
    class Thing:
        """A thing."""

        name: str
        steps: int = 2
        at: list[str] = dataclasses.field(default_factory=list, repr=False)
        seen: int = dataclasses.field(default=0, compare=False, metadata={"cache": True})

    return make(**how)(Thing)


@pytest.mark.parametrize("how", [dict.fromkeys(words.split(), True) for words in HOWS], ids=str)
def test_objects_are_those_of_the_library(how: dict[str, bool]) -> None:
    found = []
    for make in MAKERS:
        kind = declared(make, **how)
        one, two, other = kind("a", 2), kind(name="a"), kind("a", at=["x"])
        found.append(
            [
                repr(one).replace(kind.__qualname__, "Thing"),
                [one == two, one == other, one != other, one == "a", one == kind("a", seen=5)],
                one.at is not two.at and one.at == [],
                kind.__hash__ is None or kind.__hash__ is object.__hash__,
                kind.__match_args__,
                [(f.name, f.repr, f.compare, dict(f.metadata)) for f in dataclasses.fields(kind)],
                dataclasses.replace(other, steps=5).steps,
                dataclasses.asdict(other),
                copy.copy(other).at is other.at,
                copy.deepcopy(other).at == other.at,
                hasattr(one, "__dict__"),
                kind.__doc__,
            ]
        )
    assert found[0] == found[1]


def test_a_class_without_fields_or_with_one() -> None:
    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    @dataclass(frozen=True, slots=True)
    class Single:
        name: str

    assert Empty() == Empty() and hash(Empty()) == hash(Empty()) and repr(Empty()).endswith("Empty()")
    assert Single("a") == Single("a") != Single("b")
    assert hash(Single("a")) == hash(("a",))


def test_a_frozen_object_stays_as_it_is() -> None:
    unit = Unit("a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        unit.steps = 1  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del unit.steps
    assert unit == Unit("a", 2, []) and hash(Unit("a", 1, ())) == hash(("a", 1, ()))  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(unit)) == copy.copy(unit) == copy.deepcopy(unit) == unit


@pytest.mark.parametrize("again", range(2))
def test_missing_and_foreign_arguments_are_refused_from_the_first_object_on(again: int) -> None:
    kind = declared(dataclass, frozen=True)
    for _ in range(again):
        kind("a")
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        kind()
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        kind("a", colour=1)


def test_a_class_made_of_another_and_what_follows_the_making() -> None:
    @dataclass(slots=True)
    class Below(dataclasses.make_dataclass("Base", [("first", int)])):  # type: ignore[misc]
        second: int

        def __post_init__(self) -> None:
            self.second += self.first

    @dataclass(frozen=True)
    class Kept(Unit):
        weight: int = 0

        def __repr__(self) -> str:
            return self.name

    assert Below(1, 2).second == 3
    assert Kept("a", weight=3).weight == 3 and repr(Kept("a")) == "a"
    assert Unit("a") != Kept("a")


def test_fields_of_other_kinds_are_refused() -> None:
    @dataclass
    class Late:
        name: str = dataclasses.field(default="", init=False)

    @dataclass
    class Named:
        name: str = dataclasses.field(kw_only=True)

    for kind in (Late, Named):
        with pytest.raises(TypeError, match="name: such fields are not offered"):
            kind()


def test_a_method_is_compiled_by_the_first_object() -> None:
    kind = declared(dataclass, slots=True)
    before = kind.__init__
    kind("a")
    assert kind.__init__ is not before and kind.__init__.__qualname__.endswith("Thing.__init__")


def test_every_class_of_the_package_is_declared_by_it() -> None:
    """Else each start of the program compiles methods that it does not need."""
    slow = [
        str(path.relative_to(PACKAGE))
        for path in sorted(PACKAGE.rglob("*.py"))
        if "mapmaking" not in path.parts
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses" and "dataclass" in [a.name for a in node.names]
    ]
    assert slow == ["kernel/dataclass.py"], "from pbem.kernel.dataclass import dataclass"  # there for type checkers alone
