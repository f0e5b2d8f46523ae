"""Choosing operations that can be carried out together."""

from __future__ import annotations

from pbem.bots.operation import Operation
from pbem.bots.planner import select, select_around, worth


def op(goal: str, value: int, *units: int) -> Operation:
    return Operation(goal, frozenset(units), value, (f"take {goal}",))


def goals(plan: list[Operation]) -> list[str]:
    return [o.goal for o in plan]


def test_no_unit_serves_twice_and_no_goal_is_taken_twice() -> None:
    assert goals(select([op("java", 9, 1, 2), op("java", 3, 3), op("borneo", 5, 2), op("celebes", 4, 4)])) == [
        "java",
        "celebes",
    ]


def test_two_small_operations_take_the_place_of_a_large_one_that_is_worth_less() -> None:
    plan = select([op("java", 10, 1, 2), op("borneo", 7, 1), op("celebes", 6, 2)])
    assert goals(plan) == ["borneo", "celebes"]
    assert worth(plan) == 13


def test_a_large_one_takes_the_place_of_small_ones_that_are_worth_less() -> None:
    assert goals(select([op("borneo", 2, 1), op("celebes", 3, 2), op("java", 6, 1, 2)])) == ["java"]


def test_a_swap_makes_room_for_what_fits_beside_it() -> None:
    """By value `a` comes first and by share too; only taking it back gives room for both others."""
    plan = select([op("a", 100, 1), op("b", 95, 1), op("a", 60, 2)])
    assert sorted(goals(plan)) == ["a", "b"]
    assert worth(plan) == 155


def test_what_is_worth_nothing_is_left_alone() -> None:
    assert select([op("java", 0, 1), op("borneo", -3, 2)]) == []


def test_equals_are_decided_by_their_order() -> None:
    assert goals(select([op("java", 5, 1), op("borneo", 5, 1)])) == ["java"]
    assert goals(select([op("borneo", 5, 1), op("java", 5, 1)])) == ["borneo"]


def landing(goal: str, value: int, unit: int, stand: str, lone: int) -> Operation:
    return Operation(goal, frozenset([unit]), value, (f"land on {goal}",), stand=stand, lone=lone)


def test_what_ends_where_the_main_body_does_not_come_is_worth_less() -> None:
    """Two landings at sz-42 outweigh a richer one at sz-44, which would lose more alone than it brings."""
    near, other, rich = (
        landing(*x) for x in (("java", 6, 1, "sz-42", 5), ("borneo", 5, 2, "sz-42", 5), ("celebes", 8, 3, "sz-44", 9))
    )
    stand, plan = select_around([near, other, rich])
    assert (stand, goals(plan)) == ("sz-42", ["java", "borneo"])


def test_a_body_that_has_chosen_its_place_stays_with_it() -> None:
    offers = [landing("java", 6, 1, "sz-42", 5), landing("celebes", 8, 3, "sz-44", 7)]
    assert select_around(offers)[0] == "sz-44"
    stand, plan = select_around(offers, ["sz-42"])
    assert (stand, [(o.goal, o.value) for o in plan]) == ("sz-42", [("java", 6), ("celebes", 1)])


def test_a_main_body_without_anything_to_cover_stands_nowhere() -> None:
    assert select_around([op("java", 5, 1)])[0] == ""
