"""What is computed once: until the layout changes, for each copy by itself; boards for each scenario object."""

from __future__ import annotations

from typing import Any

from pbem.kernel.memo import BOARDS, PLACES, POSTURE, PRESENCE, Memo, boards


def counted(memo: Memo, key: str, made: list[str], layer: int = POSTURE) -> int:
    def make() -> int:
        made.append(key)
        return len(made)

    return memo.cached(key, make, layer)


def test_a_value_holds_until_the_layout_changes() -> None:
    memo, made = Memo(), []  # type: ignore[var-annotated]
    assert [counted(memo, "a", made) for _ in range(3)] == [1, 1, 1]
    memo.forget()
    assert counted(memo, "a", made) == 2 and memo.layout == 1


def test_a_change_of_one_layer_leaves_those_before_it_alone() -> None:
    memo, made = Memo(), []  # type: ignore[var-annotated]

    def looked_at() -> list[int]:
        return [counted(memo, "a", made, layer) for layer in (PRESENCE, PLACES, POSTURE)]

    assert looked_at() == [1, 2, 3]
    memo.forget(POSTURE)
    assert looked_at() == [1, 2, 4]
    memo.forget(PLACES)
    assert looked_at() == [1, 5, 6] and memo.layout == 2
    assert counted(memo.copy(), "a", made, PLACES) == 5 and counted(memo.fresh(), "a", made, PLACES) == 7
    memo.forget()
    assert looked_at() == [8, 9, 10]


def test_a_copy_has_the_values_and_goes_its_own_way() -> None:
    memo, made = Memo(), []  # type: ignore[var-annotated]
    counted(memo, "a", made)
    again = memo.copy()
    assert counted(again, "a", made) == 1
    counted(again, "b", made)
    again.forget()
    assert counted(memo, "a", made) == 1 and counted(memo, "b", made) == 3


def test_a_fresh_one_has_no_value() -> None:
    memo, made = Memo(), []  # type: ignore[var-annotated]
    counted(memo, "a", made)
    fresh = memo.fresh()
    assert counted(fresh, "a", made) == 2 and counted(memo, "a", made) == 1
    assert fresh.layout == memo.layout + 1


def test_every_change_of_the_layout_is_counted() -> None:
    memo = Memo(5)
    assert memo.layout == 5 and memo.cached("a", lambda: 1) == 1
    memo.forget()
    memo.forget()
    assert (memo.layout, memo.copy().layout, memo.fresh().layout) == (7, 7, 8)


def test_boards_are_made_once_for_each_object_and_the_last_few_are_kept() -> None:
    made: list[int] = []

    def build(scenario: Any) -> list[int]:
        made.append(scenario[0])
        return [scenario[0]]

    scenarios = [[i] for i in range(BOARDS + 1)]
    few = scenarios[:BOARDS]
    for scenario in (*few, *few):
        boards(scenario, build)
    assert made == [*range(BOARDS)]
    made.clear()
    first = boards(scenarios[0], build)
    assert boards(scenarios[0], build) is first and boards([0], build) is not first
    for scenario in scenarios[1:]:
        boards(scenario, build)
    assert made.count(0) == 1
    assert boards(scenarios[-1], build) == [BOARDS] and made.count(BOARDS) == 1
    assert boards(scenarios[0], build) == [0] and made.count(0) == 2  # the oldest has gone


def test_two_things_are_made_of_one_object() -> None:
    scenario = ["korea"]
    assert boards(scenario, len) == 1 and boards(scenario, list) == scenario and boards(scenario, len) == 1
