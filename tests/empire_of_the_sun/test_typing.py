"""An offensive in the words in which people type it, on the rules themselves."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.empire_of_the_sun.game import GAME
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from tests.case_driver import Case
from tests.empire_of_the_sun.stage import GameStage
from tests.empire_of_the_sun.test_lesson import HANDS, at_the_card, replied

LINES = (
    "ops central pac",
    "activate enterprise, lexington, new orl",
    "sail enterprise, lexington, new orl -> kwaj",
    "done",
    "attack kwaj with all",
    "done",
)


def test_a_raid_typed_in_short() -> None:
    engine = next(engine for engine in map(at_the_card, range(HANDS)) if replied(engine.fork()))
    cards = engine.state.board.cards
    engine.reply({"play": max(engine.state.hands["allies"], key=lambda card: cards[card].ops if card in cards else 0)})
    for line in LINES:
        asked = engine.request
        assert isinstance(asked, Ask)
        engine.reply(next(iter(GAME.typed(engine.state, asked, line)), line))
    assert engine.state.battle_hex(4715)


LAE = (
    "UNITS Rabaul: South Seas HQ, 17th Army, 18th Army",
    "UNITS Buna: Tainan Air Unit",
    "UNITS Sarong: 6th Air Division",
    "UNITS Port Moresby: Australian Air Force",
    "UNITS Oahu: Central Pacific HQ",
    "HAND japan: J14",
    "HAND allies: A59",
)
LANDED = (
    "japan: play: J14",
    "japan: event: South Seas HQ",
    "japan: activate: 17th Army, Tainan Air Unit, 6th Air Division",
    "japan: assault: 17th Army to Port Moresby",
    "japan: done",
)


def test_all_in_a_battle_are_those_in_the_hex_and_those_in_the_air_who_reach_it() -> None:
    stage = GameStage(Case("", "", [], [*LAE], [*LANDED]))
    stage.run()
    asked = stage.engine.request
    assert isinstance(asked, Ask)
    assert GAME.typed(stage.engine.state, asked, "attack port moresby with all") == [
        {"battle": "3823 with 17th Army, Tainan Air Unit"}
    ]


def test_all_that_cover_a_landing_are_not_those_who_land() -> None:
    empty = [line for line in LAE if "Moresby" not in line]
    stage = GameStage(Case("", "", [], empty, [*LANDED]))
    stage.run()
    asked = stage.engine.request
    assert isinstance(asked, Ask)
    assert GAME.typed(stage.engine.state, asked, "cover port moresby with all") == [{"cover": "3823 with Tainan Air Unit"}]


RAID = (
    "UNITS Truk: South Seas HQ, CV Akagi",
    "UNITS Rabaul: PM Brigade",
    "UNITS Townsville: South West Pacific HQ, CV Lexington, CV Enterprise",
    "UNITS Buna: 5th Air Force",
    "HAND japan: J3",
    "HAND allies: A59",
)
RAIDED = (
    "japan: play: J3",
    "japan: operations: South Seas HQ",
    "japan: activate: CV Akagi",
    "japan: move: CV Akagi to 4019",
    "japan: done",
    "japan: battle: Rabaul with CV Akagi",
    "japan: done",
    "allies: react",
    "allies: intelligence: A59",
)


def reacting(*more: str) -> tuple[Any, Ask]:
    """Who may react to a raid on Rabaul, with more units on the map."""
    stage = GameStage(Case("", "", [], [*RAID, *more], [*RAIDED]))
    stage.run()
    asked = stage.engine.request
    assert isinstance(asked, Ask) and asked.kind == "counter"
    return stage.engine.state, asked


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (
            "counter south west: lexington, enterprise to rabaul; 5th air force",
            {
                "activate": ["CV Lexington", "CV Enterprise", "5th Air Force"],
                "moves": [{"move": "CV Lexington, CV Enterprise to 4021"}],
            },
        ),
        ("counter with Lexington -> Rabaul", {"activate": ["CV Lexington"], "moves": [{"move": "CV Lexington to 4021"}]}),
        ("counter: 5th air force", {"activate": ["5th Air Force"], "moves": []}),
        (
            "counter south west: lexington to rabaul; 5th air force at rabaul",
            {
                "activate": ["CV Lexington", "5th Air Force"],
                "moves": [{"move": "CV Lexington to 4021"}],
                "battles": {"rabaul": ["5th Air Force"]},
            },
        ),
    ],
)
def test_a_reaction_typed_in_one_line(line: str, meant: dict[str, Plain]) -> None:
    """[7.26] Who goes, who only flies, and who is named for a battle; the one HQ that may react goes without saying."""
    state, asked = reacting()
    for order in (line, {"counter": line.removeprefix("counter").lstrip(" :")}):
        assert GAME.typed(state, asked, order) == [{"counter": {"hq": "South West Pacific HQ", **meant}}]
    asked.read(GAME.typed(state, asked, line)[0])


def test_a_landing_is_typed_with_its_verb() -> None:
    """[8.45] Which ships do not make."""
    state, asked = reacting()
    (order,) = GAME.typed(state, asked, "counter land lexington to rabaul")
    body = {"hq": "South West Pacific HQ", "activate": ["CV Lexington"], "moves": [{"assault": "CV Lexington to 4021"}]}
    assert order == {"counter": body}
    with pytest.raises(Rejected, match=r"8\.45"):
        asked.read(order)


def test_a_line_without_an_hq_where_several_may_react_is_asked_back() -> None:
    state, asked = reacting("UNITS Port Moresby: ANZAC HQ")
    with pytest.raises(Rejected, match="which HQ leads the reaction"):
        GAME.typed(state, asked, "counter lexington to rabaul")
    (order,) = GAME.typed(state, asked, "counter south west: lexington to rabaul")
    asked.read(order)


@pytest.mark.parametrize(
    "line", ["counter none", "counter: none", {"counter": "none"}, "counter air", {"counter": {"hq": "x"}}]
)
def test_what_is_no_line_of_a_reaction_stays_as_it_is(line: Plain) -> None:
    state, asked = reacting()
    assert GAME.typed(state, asked, line) in ([], [{"counter": "none"}], [{"counter": "air"}], [line])
