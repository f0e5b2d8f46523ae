"""An offensive in the words in which people type it, on the rules themselves."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.game import GAME
from pbem.kernel.flow import Ask
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
