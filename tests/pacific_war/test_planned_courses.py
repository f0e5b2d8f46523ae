"""[PW-MOV-14] A planned course that cannot be sailed as it is written is told with the file, as far as everybody can see it."""

from __future__ import annotations

import pytest

from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.records import Marker
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.words import wording
from pbem.kernel.canon import Plain
from pbem.report.languages import language
from tests.pacific_war import table

ENGLISH = language("en", (wording.CATALOGUE,))
J = "japan"
NORTH = (1531, 1431, 1331, 1231, 1131)  # of a column, one next to the other
START = 1631
FAR = 2026


def at_sea() -> State:
    """Two Japanese task forces lie in a hex."""
    g: State = table.begin("coral-sea").state
    g.markers = {"J1": Marker(J, START), "J2": Marker(J, START)}
    return g


def doubts(*steps: dict[str, Plain]) -> list[str]:
    """What is told of a plan of the Japanese, with the numbers of its steps."""
    return [f"{n}: {ENGLISH.text(why)}" for n, why in GAME.plan_doubts(at_sea(), J, [*steps])]


def sail(*orders: Plain, **more: Plain) -> dict[str, Plain]:
    return {"at": "sail", "do": [*orders], **more}


def course(who: str, *hexes: int) -> list[Plain]:
    return [{"sail": {who: at}} for at in hexes]


def test_a_course_of_two_hexes_a_cycle_is_good() -> None:
    assert doubts(sail(*course("J1", *NORTH[:2])), sail(*course("J1", *NORTH[2:4]), later=1)) == []
    assert doubts(sail({"sail": {"J1": NORTH[0], "J2": NORTH[0]}}, "stay")) == []


def test_more_than_two_hexes_of_a_battle_cycle_are_told() -> None:
    (told,) = doubts(sail(*course("J1", *NORTH[:3])))
    assert told == "1: ships move two hexes in a battle cycle; 3 orders are planned for this one [PW-MOV-14]".replace(
        " [PW-MOV-14]", ""
    )
    (told,) = doubts(sail(*course("J1", *NORTH[:2])), sail("stay"))
    assert told.startswith("2: ships move two hexes in a battle cycle; 3 orders")


def test_steps_that_stand_beside_one_another_under_conditions_are_counted_alone() -> None:
    two = course("J1", *NORTH[:2])
    assert doubts(sail(*two, when="found > 0"), sail(*two, when="found = 0")) == []
    assert len(doubts(sail(*course("J1", *NORTH[:3]), when="found > 0"))) == 1


def test_a_hex_that_is_not_next_to_the_one_before_is_told() -> None:
    (told,) = doubts(sail(*course("J1", NORTH[0], NORTH[2])))
    assert told.startswith("1: J1: 1331 is not next to 1531")
    (told,) = doubts(sail(*course("J1", *NORTH[:2])), sail(*course("J1", *NORTH[3:5]), later=1))
    assert told.startswith("2: J1: 1231 is not next to 1431")
    (told,) = doubts(sail(*course("J1", FAR)))
    assert told.startswith(f"1: J1: {FAR} Ninigo is not next to {START} Green")


def test_where_a_condition_decides_nobody_knows_where_it_will_be() -> None:
    assert doubts(sail(*course("J1", *NORTH[:2]), when="found = 0"), sail(*course("J1", NORTH[3]), later=1)) == []


@pytest.mark.parametrize("order", ["stay", {"sail": "north"}, {"sail": {"J9": 1531}}, {"sail": {"J1": "somewhere"}}, 7])
def test_what_cannot_be_read_is_left_to_the_day_it_is_due(order: Plain) -> None:
    assert doubts(sail(order)) == []


def test_sealed_steps_of_others_and_other_questions_are_no_matter() -> None:
    far = course("J1", FAR)
    assert doubts({"at": "sail", "sealed": "ab" * 32}, {"at": "search", "do": ["pass"]}, sail(*far, seat="allies")) == []
