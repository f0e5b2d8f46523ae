"""Refusals name their true reason in words."""

from __future__ import annotations

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from tests.case_driver import Case
from tests.empire_of_the_sun.stage import GameStage

HANDS = ("HAND japan: J14", "HAND allies: A21")
BASES = ("ACTIVE allies", "UNITS Townsville: South West Pacific HQ", "UNITS Cairns: 5th Air Force", *HANDS)
GONE = "5th Air Force is not on the map [8.33]; 5th Air Force is in Turn Record Track"
TO_TRACK = ("play: A21", "operations: South West Pacific HQ", "activate: 5th Air Force", "track: 5th Air Force")


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ({"move": "5th Air Force to Cairns"}, GONE),
        ({"strategic": "5th Air Force to Townsville"}, GONE),
        ({"track": "5th Air Force"}, "5th Air Force is no activated air unit that has not moved [8.33]"),
    ],
)
def test_a_wing_on_the_turn_track_is_said_to_be_there(order: Plain, words: str) -> None:
    stage = GameStage(Case("", "", [], list(BASES), [f"allies: {o}" for o in TO_TRACK]))
    stage.run()
    request = stage.engine.request
    assert isinstance(request, Ask) and request.kind == "move"
    with pytest.raises(Rejected) as refusal:
        request.read(order)
    assert words in str(refusal.value)
