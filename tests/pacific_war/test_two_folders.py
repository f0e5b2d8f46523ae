"""Two programs play over signed files with sealed forces: both agree after each file, and the audit at the end is clean."""

from __future__ import annotations

import pytest

from pbem.runtime.audit import audit
from tests.pacific_war import hidden_play, long

FILES = 60


@pytest.mark.parametrize("scenario", long.SHORT)
def test_sealed_forces_in_lockstep_then_a_clean_audit(scenario: str) -> None:
    party = hidden_play.two_people(scenario, forces="sealed")
    files = hidden_play.play_on(party, 7, FILES)
    assert len(files) >= 3
    assert party[0].table.engine.state_hash() == party[1].table.engine.state_hash()
    assert audit(party[0].table, hidden_play.disclosures(party), party[0].fetch) is None
