"""Secrets over signed files: two programs in lockstep, then the audit; and a false statement caught."""

from __future__ import annotations

import pytest

from pbem.runtime.audit import audit
from tests.pacific_war.hidden_play import disclosures, play_on, two_people


def test_an_engagement_with_search_reports_and_a_clean_audit() -> None:
    party = two_people("savo-island")
    play_on(party, 3, 400)
    assert party[0].table.result is not None
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None


def test_sealed_task_forces_and_a_clean_audit() -> None:
    party = two_people("savo-island", forces="sealed")
    play_on(party, 5, 500)
    assert party[0].table.result is not None
    assert party[0].table.ledger.seals
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None


@pytest.mark.parametrize("seed", [1, 2])
def test_intelligence_dice_stay_secret_and_pass_the_audit(seed: int) -> None:
    party = two_people("guadalcanal")
    play_on(party, seed, 60)
    state = party[0].table.engine.state
    assert state.secrets and not any(s.startswith("die ") for s in state.secrets.values())
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None
