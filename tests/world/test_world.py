"""The simulated world as the default run plays it: at least 2,000 steps."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.world.machine import WorldMachine, run

SHORT = settings(
    max_examples=68,
    stateful_step_count=50,
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    report_multiple_bugs=False,
    phases=[Phase.generate],  # an example is made smaller by hand, with Phase.shrink: it takes long
    suppress_health_check=[*HealthCheck],
)


def test_the_world_keeps_its_promises(monkeypatch: pytest.MonkeyPatch) -> None:
    class Machine(WorldMachine):
        steps, outcomes = 0, {}

    run(Machine, SHORT, monkeypatch)
    assert Machine.steps >= 2000, Machine.steps
