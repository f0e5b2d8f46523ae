"""How many hand-written messages an Initiative Turn takes over signed files: dice amid its moves, all attacks included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pbem.games.next_war.game import GAME
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Roll
from pbem.kernel.orders import Rejected
from pbem.runtime.composing import Draft
from tests.case_driver import Case
from tests.next_war import table
from tests.next_war.stage import GameStage
from tests.toygame.party import Person, found_game, send

ALWAYS: dict[str, Any] = {
    "support": {"air": 2},
    "stand": "yes",
    "failed": "retreat",
    "retreat": "any",
    "replacements": "done",
    "throw": "no",
}
BOREA = {
    **ALWAYS,
    "lose": ["11/A", "2/G", "12/A", "1/G", "14/B", "3/G"],
    "advance": ["1/G", "2/G", "12/A", "3/G", "14/B", "11/A"],
}
MERIDIA = {
    **ALWAYS,
    "lose": ["3/I", "5/II", "2/MEC", "1/MEC", "6/II"],
    "defend": ["3/I", "2/MEC", "1/MEC"],
    "advance": ["2/MEC", "1/MEC"],
}


BEHIND_THE_DROP: Plain = {"move": "14/B to 0804"}


def on(segment: str, *orders: Plain) -> Plain:
    """A standing list for one segment of the first turn."""
    return [{"when": f"turn = 1 and segment = {segment}", "do": list(orders)}]


def the_turn() -> list[Draft]:
    """The first turn as both players wrote it: a movement and a combat segment in each file."""
    return [
        Draft(
            [{"weather": "clear"}],
            {
                **BOREA,
                "movement": on(
                    "initiative",
                    {"move": "1/G to 0806"},
                    {"drop": "31 Abn to 0503"},  # fire at it, then the throw of the drop
                    {"move": "2/G to 0805"},
                    {"sail": "Kreuzer to strait-at-sea"},
                    BEHIND_THE_DROP,
                    "done",
                ),
                "combat": on("initiative", "11/A, 2/G, 14/B at 0704 least 1:1", "1/G, 12/A at 0705 lead 1/G", "done"),
            },
        ),
        Draft([{"support": {"air": 1}}], {**MERIDIA, "movement": on("elite", {"move": "2/MEC to 0705"}, "done")}),
        Draft(
            [{"move": "3/G to 0805"}],
            {
                "movement": on("exploitation", {"lift": "22 Lt to 0704"}, "done"),
                "combat": on("exploitation", "3/G, 13/A at 0705 least 3:1", "done"),
            },
        ),
        Draft(
            [{"move": "1/MEC to 0606"}],
            {
                "movement": on("reaction", {"lift": "6/II to 0604"}, {"move": "2/MEC to 0605"}, "done"),
                "combat": on("reaction", "2/MEC at 0704 least 2:1", "done"),
            },
        ),
        Draft(
            [{"move": "15/B to 0804"}],
            {
                "movement": on("basic", {"drop": "32 Abn to 0606"}, {"move": "3/G to 0806"}, "done"),
                "combat": on("basic", "1/G, 12/A at 0705 least 2:1", "done"),
            },
        ),
        Draft([{"move": "4/I to 0606"}], {"movement": on("basic", "done"), "combat": on("basic", "done")}),
    ]


def play_the_turn(names: Sequence[str]) -> tuple[int, Person]:
    """Hand-written files until the second turn, and a player's copy; other files are written by the programs."""
    people = [Person(names[0], ["allied"]), Person(names[1], ["non-allied"])]
    found_game(GAME, people, {o.name: o.choices[0] for o in GAME.options}, table.scenario("training"))
    drafts, written = the_turn(), 0
    while people[0].table.engine.state.turn < 2:
        by_hand = people[0].table.due.what == "orders"
        written += by_hand
        send(people, drafts.pop(0) if by_hand else Draft())
    assert not drafts
    return written, people[0]


@pytest.mark.parametrize("names", [("yamada", "nowak"), ("garcia", "smith"), ("rossi", "olsen")])
def test_an_initiative_turn_takes_six_messages(names: Sequence[str]) -> None:
    """Every pair of names has its own dice; lists go on behind each die, and a reaction answers itself."""
    written, person = play_the_turn(names)
    assert written == 6
    by_themselves = person.table.ledger.fired
    assert sum(f.kind == "combat" and f.order != "done" for f in by_themselves) >= 2
    assert any(f.kind == "movement" and f.order == {"move": "14/B to 0804"} for f in by_themselves), (
        "behind the dice of the drop"
    )
    assert sum(len(document.get("dice", ())) for document in person.log) >= 8


def test_a_slip_in_a_standing_list_asks_its_owner() -> None:
    """A move that is not allowed is passed over, one that cannot be read is not; a list without `done` ends with a question."""
    engine = table.begin("training")
    engine.reply({"weather": "clear"})
    while isinstance(engine.request, Roll):
        engine.reply([1] * engine.request.dice)
    assert isinstance(engine.request, Ask) and engine.request.kind == "movement"
    policy = engine.request.policy
    assert policy([{"move": "1/G to 0705"}, {"move": "1/G to 0806"}, "done"]) == {"move": "1/G to 0806"}
    assert policy([{"move": "1/G to 0705"}]) is None
    with pytest.raises(Rejected, match="there is no unit"):
        policy([{"move": "1/Guards to 0806"}, "done"])


def _asked_after(*play: str) -> Ask:
    """A strong attack on a City's lone guard, at its next question."""
    setup = ["START combat basic non-allied", "UNITS 0407: Guard", "UNITS 0507: 11/A, 12/A"]
    stage = GameStage(Case("", "", [], setup, list(play)))
    stage.run()
    assert isinstance(stage.engine.request, Ask)
    return stage.engine.request


@pytest.mark.parametrize(("wanted", "units"), [("all", ["11/A", "12/A"]), ("one", ["11/A"]), (["12/A", "11/A"], ["12/A"])])
def test_a_standing_order_says_who_advances(wanted: Plain, units: list[Plain]) -> None:
    ask = _asked_after("non-allied: attack: 11/A, 12/A at 0407", "dice: 0")
    assert ask.kind == "advance" and ask.policy(wanted) == {"advance": {"units": units}}


def test_any_chooses_the_first_unit() -> None:
    setup = ["START combat basic non-allied", "UNITS 0407: 3/I, 2/MEC", "UNITS 0507: 11/A, 12/A"]
    stage = GameStage(Case("", "", [], setup, ["non-allied: attack: 11/A, 12/A at 0407", "allied: defend: any"]))
    stage.run()
    assert stage.engine.state.fight is not None and stage.engine.state.fight.defender_lead == "2/MEC"


@pytest.mark.parametrize(("owner", "asked"), [("allied", False), ("non-allied", True)])
def test_nobody_is_asked_for_his_own_mines(owner: str, asked: bool) -> None:
    stage = GameStage(Case("", "", [], ["SEA allied: gulf-inshore", f"MINES {owner} 0711 1", "START mine-clearing"], []))
    stage.run()
    assert (stage.engine.request is not None) is asked
