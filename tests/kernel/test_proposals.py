"""Orders that are proposed: each once, judged when somebody looks; orders that are looked for one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.kernel.orders import illegal
from pbem.kernel.proposals import Found, Proposals, has_choice, stands
from pbem.kernel.wording import verbatim


class Judge:
    """Accepts even numbers; counts what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def __call__(self, order: Any) -> Any:
        self.asked.append(order)
        if not isinstance(order, dict) and order % 2:
            raise illegal(verbatim("odd"), "1")
        return order


def test_only_what_stands_is_proposed_in_its_order_and_once() -> None:
    judge = Judge()
    found = Proposals(judge, [4, 3, 2, 4, {"a": 1}, {"a": 1}])
    assert not judge.asked  # nobody has looked yet
    assert list(found) == [4, 2, {"a": 1}] and len(found) == 3 and found[1] == 2 and found[:2] == [4, 2]
    assert judge.asked == [4, 3, 2, {"a": 1}]  # once each, however often it is looked at
    assert list(found.candidates) == [4, 3, 2, {"a": 1}]


def test_an_order_stands_or_is_refused() -> None:
    assert stands(Judge(), 2) is True and stands(Judge(), 3) is False


def test_a_fault_of_the_rules_is_no_refusal() -> None:
    with pytest.raises(TypeError):
        stands(Judge(), None)


def coming(most: int, seen: list[int]) -> Iterator[int]:
    for n in range(most):
        seen.append(n)
        yield n


@pytest.mark.parametrize(("number", "more", "looked"), [(0, True, [0]), (1, True, [0, 1]), (2, True, [0, 1, 2])])
def test_no_more_are_looked_for_than_somebody_wants_to_know(number: int, more: bool, looked: list[int]) -> None:
    seen: list[int] = []
    found = Found(coming(9, seen))
    assert not seen
    assert found.more_than(number) is more and seen == looked
    assert found.more_than(number) is more and seen == looked  # known by now
    assert found.more_than(0) is True and seen == looked  # fewer are known already


@pytest.mark.parametrize("there", range(4))
def test_how_many_there_are(there: int) -> None:
    for number in range(5):
        assert Found(coming(there, [])).more_than(number) is (there > number)
    assert len(Found(coming(there, []))) == there
    assert has_choice(Found(coming(there, []))) is has_choice([*range(there)]) is (there > 1)


def test_whether_there_is_a_choice_is_known_after_two() -> None:
    seen: list[int] = []
    assert has_choice(Found(coming(9, seen))) and seen == [0, 1]


def test_they_come_one_by_one_and_again_from_the_beginning() -> None:
    seen: list[int] = []
    found = Found(coming(4, seen))
    assert next(iter(found)) == 0 and seen == [0]
    assert list(found) == [0, 1, 2, 3] == list(found) and seen == [0, 1, 2, 3]
    assert found[2] == 2 and found[-1] == 3 and len(found) == 4
    assert found.more_than(3) and not found.more_than(4)
    assert not has_choice(Proposals(Judge(), [1, 2])) and has_choice(Proposals(Judge(), [4, 2]))
