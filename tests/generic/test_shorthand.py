"""Short names, arrows, words left out and usual verbs in the hex games, on the positions that their games begin with."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pbem import games
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.store.library import load_scenario

SUN, NEXT, WAR = "empire-of-the-sun", "next-war", "pacific-war"
SCENARIOS = {SUN: "year-1942", NEXT: "training", WAR: "guadalcanal"}
SEATS = {SUN: "japan", NEXT: "allied", WAR: "japan"}
MOVING = {
    SUN: ("move", "assault", "battle", "activate", "done"),
    NEXT: ("move", "attack", "done"),
    WAR: ("sail", "move", "done"),
}


@cache
def position(system: str) -> tuple[Any, Any]:
    game = games.load(system)
    scenario = load_scenario(game, SCENARIOS[system])
    return game, game.start(scenario, {})


def read(system: str, order: Plain) -> list[Plain]:
    game, state = position(system)

    def nothing(order: Plain) -> Plain:
        return order

    ask = Ask(SEATS[system], "x", "1", nothing, lambda: (), verbs=MOVING[system])
    return list(game.typed(state, ask, order))


@pytest.mark.parametrize(
    ("system", "line", "order"),
    [
        (SUN, "move 14 army manila", {"move": "14th Army to 2813"}),
        (SUN, "move: ryujo, nachi -> manila", {"move": "CVL Ryujo, CA Nachi to 2813"}),
        (
            SUN,
            "sail nachi & ryujo from truk to manila via 2815, 2814 by asp",
            {"move": "CA Nachi, CVL Ryujo from 4017 to 2813 via 2815, 2814 by asp"},
        ),
        (SUN, "attack manila with 14 army, 5 air div", {"battle": "2813 with 14th Army, 5th Air Division"}),
        (SUN, "battle 14 army manila", {"battle": "2813 with 14th Army"}),
        (SUN, "invade 4 sn brig kwaj", {"assault": "4th SN Brigade to 4715"}),
        (SUN, {"move": "14 army manila"}, {"move": "14th Army to 2813"}),
        (SUN, {"activate": ["14 army", "nachi"]}, {"activate": ["14th Army", "CA Nachi"]}),
        (SUN, "activate 14 army, nachi", {"activate": "14th Army, CA Nachi"}),
        (SUN, "move nachi pm", {"move": "CA Nachi to 3823"}),
        (SUN, "move all truk rabaul", {"move": "South Seas HQ, APD Kamikaze from 4017 to 4021"}),
        (NEXT, "move 3/i 0605", {"move": "3/I to 0605"}),
        (NEXT, "march 3/i, 4/i > 0605 through 0606", {"move": "3/I, 4/I to 0605 via 0606"}),
        (NEXT, "attack 0907 with 3/i and 4/i", {"attack": "3/I, 4/I at 0907"}),
        (NEXT, "assault 3/I 1007", {"attack": "3/I at 1007"}),
        (NEXT, "move all 0703 0605", {"move": "6/II from 0703 to 0605"}),
        (WAR, "sail J1 1531", {"sail": {"J1": 1531}}),
        (WAR, "go J1, J2 -> 1531", {"sail": {"J1": 1531, "J2": 1531}}),
        (WAR, "move 1 marine reg guadal", {"move": {"1st Marine Regiment": [1134]}}),
    ],
)
def test_a_line_as_it_is_typed(system: str, line: Plain, order: Plain) -> None:
    assert read(system, line) == [order]


@pytest.mark.parametrize("line", ["done", "dance 14 army manila", "move", {"move": {"units": "14th Army"}}, 7, None])
def test_what_is_no_such_line_has_no_other_reading(line: Plain) -> None:
    assert read(SUN, line) in ([], [line])


@pytest.mark.parametrize("line", ["move 14 armee manila", "move to nowhere", "attack manila kwaj"])
def test_unknown_words_are_left_for_the_rules_to_name(line: str) -> None:
    (found,) = read(SUN, line)
    assert isinstance(found, dict) and line.split(" ", 1)[1] in found.values()


def test_a_short_name_of_several_asks_which() -> None:
    with pytest.raises(Rejected, match="did you mean 14th Army or 15th Army"):
        read(SUN, "move army manila")


def test_a_number_begins_no_longer_one() -> None:
    assert read(SUN, "move 4 sn brig manila") == [{"move": "4th SN Brigade to 2813"}]
