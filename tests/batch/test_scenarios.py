"""Jobs of one scenario share it, and only one that has the hash that they say."""

from __future__ import annotations

from typing import Any

import pytest

from pbem import games
from pbem.batch import scenarios
from pbem.batch.scenarios import MOST, scenario_of
from pbem.protocol.ids import scenario_hash
from pbem.store.library import load_scenario

GAME = games.load("next-war")
TRAINING: Any = load_scenario(GAME, "training")


def job(own: Any = None, **changes: str) -> dict[str, Any]:
    """Arguments of a job, of the players' own scenario or of the shipped one."""
    return {"scenario": "training", "own": own, "hash": scenario_hash(own or TRAINING), **changes}


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenarios, "_KEPT", {})


def test_jobs_share_a_scenario() -> None:
    first = scenario_of(GAME, job())
    assert first == TRAINING and scenario_of(GAME, job()) is first
    mine = {**TRAINING, "mine": 1}
    assert scenario_of(GAME, job(mine)) is mine and scenario_of(GAME, job({**mine})) is mine


def test_a_scenario_that_is_not_the_one_of_the_job() -> None:
    assert scenario_of(GAME, job(hash="0" * 64)) is None
    scenario_of(GAME, job())
    assert scenario_of(GAME, job(hash="0" * 64)) is None
    assert scenario_of(GAME, job({**TRAINING, "mine": 1}, hash=scenario_hash(TRAINING))) == TRAINING, "what the hash says"


def test_only_a_few_are_kept() -> None:
    first = scenario_of(GAME, job())
    for number in range(MOST):
        scenario_of(GAME, job({**TRAINING, "mine": number}))
        assert len(scenarios._KEPT) <= MOST
    again = scenario_of(GAME, job())
    assert again == first and again is not first
