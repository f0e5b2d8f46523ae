"""[PW-EXT-01] The ways off the map are among the proposals, where they are open."""

from __future__ import annotations

from typing import Any

from pbem.kernel.flow import Ask
from tests.case_driver import Case
from tests.pacific_war.stage import GameStage


def proposed(*setup: str) -> list[Any]:
    """What the first question after a set-up proposes."""
    stage = GameStage(Case("", "", [], list(setup), []))
    stage.run()
    assert isinstance(stage.engine.request, Ask)
    return list(stage.engine.request.options())


FLEETS = (
    "FLEET A9 0134: CA3 Minneapolis",
    "FLEET A7 0234: CA1 Australia",
    "MARK operator allies",
    "MARK advantage allies",
    "START movement true",
)


def test_a_task_force_on_an_edge_may_sail_off_one_inside_may_not() -> None:
    found = proposed("MARK level campaign", *FLEETS)
    assert {"sail": {"A9": "off"}} in found and {"sail": {"A7": "off"}} not in found


def test_nobody_sails_off_in_a_battle() -> None:
    assert {"sail": {"A9": "off"}} not in proposed(*FLEETS)


def test_allied_troops_may_leave_by_the_south_edge() -> None:
    assert {"leave": "30th Brigade"} in proposed("UNITS 0118: 30th Brigade", "MARK level campaign", "START movement false")


def test_japanese_troops_may_leave_for_india_when_they_are_linked() -> None:
    march = ("STRATEGIC", "UNITS 5806: 144th Regiment", "MARK ledger {home 4333: 50}", "START movement true")
    burma = ("HQ Burma Army: japan 5708 0", "PORT 5708: japan")
    assert {"leave": "144th Regiment"} in proposed(*burma, *march)
    assert {"leave": "144th Regiment"} not in proposed(*march)
