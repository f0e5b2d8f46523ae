"""Reduced runs of python -m tests.pacific_war.long: invariants, spoilt orders, the slow judge, lockstep with an audit."""

from __future__ import annotations

import pytest

from tests.pacific_war import long


@pytest.mark.parametrize("seed", [1000, 1001])
def test_spoilt_orders_are_refused(seed: int) -> None:
    assert long.spoilt(seed)["refused"] >= 500


@pytest.mark.parametrize("seed", [0, 3, 4])
def test_the_slow_judge_agrees(seed: int) -> None:
    assert long.read_twice(seed)["search"] > 0


@pytest.mark.parametrize("seed", [3, 7, 16])
def test_a_game_at_random_keeps_the_invariants(seed: int) -> None:
    assert long.of_chance(seed)["games"] == 1


@pytest.mark.long
def test_sealed_forces_at_random_in_lockstep() -> None:
    assert long.in_lockstep(0)["files"] > 20
