"""Records of `pbem.kernel.dataclass` are like those of the library in every respect that the library documents."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field
from typing import Any

import pytest

from pbem.kernel.dataclass import dataclass as ours

FROZEN: tuple[dict[str, Any], ...] = ({"frozen": True, "slots": True}, {"frozen": True}, {"frozen": True, "eq": False})
ALL: tuple[dict[str, Any], ...] = (*FROZEN, {"slots": True}, {}, {"repr": False, "slots": True}, {"eq": False})


def pairs(**options: Any) -> list[tuple[Any, Any]]:
    """The same classes made by both."""

    def classes(make: Any) -> list[Any]:
        class None_:
            pass

        class One:
            first: int

        class Three:
            first: int
            second: str = "b"
            third: Any = field(default=0, compare=False)

        class Hidden:
            first: int
            second: str = field(default="s", repr=False)
            third: Any = field(default=0, hash=False)

        class Own:
            first: int

            def __eq__(self, other: object) -> bool:
                return True

            def __hash__(self) -> int:
                return 7

            def __repr__(self) -> str:
                return "own"

        class OwnEquality:
            first: int

            def __eq__(self, other: object) -> bool:
                return isinstance(other, type(self))

        return [make(**options)(c) for c in (None_, One, Three, Hidden, Own, OwnEquality)]

    return list(zip(classes(dataclasses.dataclass), classes(ours), strict=True))


@pytest.mark.parametrize("options", ALL, ids=str)
def test_records_are_compared_hashed_and_shown_alike(options: dict[str, Any]) -> None:
    for theirs, mine in pairs(**options):
        many = len(dataclasses.fields(theirs))
        givens = [(1, "x", 5)[:many], (2, "x", 5)[:many], (1, "y", 5)[:many], (1, "x", 6)[:many]]
        by_them, by_me = [theirs(*g) for g in givens], [mine(*g) for g in givens]
        assert [a == b for a in by_me for b in by_me] == [a == b for a in by_them for b in by_them], theirs
        if "__repr__" in theirs.__dict__:
            assert [*map(repr, by_me)] == [*map(repr, by_them)]
        assert (mine.__hash__ is None) == (theirs.__hash__ is None)
        if theirs.__hash__ not in (None, object.__hash__):
            assert [*map(hash, by_me)] == [*map(hash, by_them)]
        assert mine.__match_args__ == theirs.__match_args__
        assert by_me[0].__eq__(3) is by_them[0].__eq__(3)


@pytest.mark.parametrize("options", FROZEN, ids=str)
def test_a_frozen_record_does_not_change(options: dict[str, Any]) -> None:
    for _, mine in pairs(**options)[1:]:
        with pytest.raises(dataclasses.FrozenInstanceError):
            mine(1).first = 2


@ours(frozen=True, slots=True)
class Base:
    """A record that others extend."""

    first: int


@ours(frozen=True, slots=True)
class More(Base):
    """One that does."""

    second: tuple[int, ...] = ()


def test_a_record_that_extends_another() -> None:
    assert More(1, (2,)) == More(1, (2,)) != More(1, (3,))
    assert Base(1) != More(1)
    assert repr(More(1, (2,))) == "More(first=1, second=(2,))"
    assert hash(More(1, (2,))) == hash((1, (2,)))
    assert (
        pickle.loads(pickle.dumps(More(1, (2,))))
        == copy.deepcopy(More(1, (2,)))
        == dataclasses.replace(More(4), first=1, second=(2,))
    )


def test_a_record_that_holds_itself_is_shown() -> None:
    @ours
    class Ring:
        inner: Any = None

    ring = Ring()
    ring.inner = ring
    assert repr(ring).endswith("Ring(inner=...)")
