"""What stands in the dice never changes: every label and every subject of a statement that cases reach, letter for letter."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from pbem.games.pacific_war import picture
from pbem.games.pacific_war.victory import LEVELS, ended, levels
from pbem.games.pacific_war.words import dice, telling, wording
from pbem.kernel.canon import Plain
from pbem.kernel.events import DiceThrown, Stated
from pbem.kernel.flow import Claim, PrivateRoll, Roll
from pbem.kernel.wording import Message, english, msg
from pbem.report.languages import language
from tests.case_driver import Case, read_cases, stage_of
from tests.pacific_war import table
from tests.report import catalogues

ENGLISH = language("en", (wording.CATALOGUE,))
TABLE = {
    "PWB-LND-08-01": ["CA2 Furutaka bombards 30th Brigade", "troop quality of 30th Brigade, under bombardment"],
    "PWB-NAV-02-03": ["CA1 Aoba fires at CA2 Chicago", "CA1 Aoba torpedoes CA2 Chicago"],
    "PWB-RAL-01-01": ["troop quality of 30th Brigade, rally"],
    "PWF-CMD-01-01": ["bid of 5"],
    "PWF-CMD-01-03": ["afford 1 points of South Pacific"],
    "PWH-ACT-01-03": ["Townsville Catalinas searches for J1", "report J1 level 3", "force 1426: air"],
    "PWH-ACT-02-01": ["muster in secret"],
    "PWH-ACT-14-01": ["contents A1"],
    "PWH-BOM-01-01": ["force 1426: ground"],
    "PWH-DEA-02-01": ["hexes way out: ground"],
    "PWH-FOG-01-09": ["force 1630: 144th Regiment"],
    "PWH-LND-05-02": [
        "ground combat in 1427",
        "troop quality of 30th Brigade, after the result",
        "force 1527",
        "full 1427",
        "hexes retreat from 1427: ground",
    ],
    "PWH-MOV-06-01": ["aircraft 1629"],
    "PWH-MOV-08-01": ["behind 1527: ground"],
    "PWH-MOV-08-04": ["forces of allies", "lawful march", "lawful fly"],
    "PWH-NAV-01-01": ["force 1426: naval"],
    "PWH-OPT-04-27": ["lanes of japan", "lawful transport"],
    "PWH-OPT-04-30": ["cover of japan", "active behind seals"],
    "PWH-OPT-04-32": ["arranged 0534"],
    "PWH-RNF-01-01": ["room BB12 North Carolina", "lawful arrive"],
    "PWH-RPL-01-01": ["lawful replacements"],
    "PWI-AIR-01-02": ["Tainan air group strafes"],
    "PWI-AIR-10-01": ["flak over 1630", "coordination of the strike on 1630", "Tainan air group intercepts"],
    "PWI-AIR-14-06": ["troop quality of 144th Regiment, under air attack"],
    "PWI-AIR-17-02": [
        "search for the mission over 1230",
        "CAP Shoho air group",
        "escort Lexington air group",
        "Lexington air group attacks CVL4 Shoho",
        "flak of J1",
        "Lexington air group attacks CVL4 Shoho, critical hit",
    ],
    "PWI-LND-07-01": ["troop quality of 144th Regiment, pursuit"],
    "PWI-LUM-03-09": ["5th Carrier Division A lands at dusk"],
    "PWI-SEQ-01-02": ["light", "advantage, japan"],
    "PWI-SRC-03-06": ["shore searches for J1"],
    "PWI-SUB-05-01": ["submarines against crippled CA1 Aoba"],
    "PWK-ACT-14-01": ["operational intelligence", "condition day 0 of month 36"],
    "PWK-DEM-01-01": ["troop quality of 7th Engineers, demolition"],
    "PWK-SOL-01-01": ["operations player"],
    "PWK-SUB-06-02": ["submarines against CV3 Yorktown on its way"],
    "PWK-WX-03-01": ["weather over 1426"],
    "PWO-OPT-02-02": ["bombardment of the Panama Canal, die 1"],
    "PWO-OPT-10-02": ["strategic bombing", "P-51 group over 1134"],
    "PWO-OPT-15-05": [
        "submarine attacks in 1134",
        "SS1 6th Fleet at DD5 Mahan",
        "hunt for SS1 6th Fleet",
        "sweep in 1134",
        "sweep against SS1 6th Fleet",
    ],
    "PWO-OPT-18-04": ["boats 1135"],
    "PWQ-SEQ-03-01": [
        "strategic intelligence, japan",
        "troop quality of 144th Regiment, isolated",
        "merchant shipping harassment",
        "harassment month 36",
        "Allied command points",
        "weather of southeast-asia",
    ],
    "PWS-STB-06-01": ["Doolittle raid"],
    "PWX-05-01": ["CL1 Tenryu fires at CA2 Chicago, second die"],
}


@cache
def cases() -> dict[str, Case]:
    folder = Path(__file__).parents[1] / "cases" / "pacific_war"
    return {case.id: case for path in sorted(folder.glob("*.cases")) for case in read_cases(path)}


@cache
def asked(name: str) -> tuple[tuple[str, Message | str], ...]:
    """Every label, and every subject with the kind of its statement, that a case comes to; in records and as messages."""
    stage, found = stage_of("pacific_war")(cases()[name]), []
    reply = stage.engine.reply

    def listening(answer: Plain) -> None:
        match stage.engine.request:
            case Roll(label=label) | PrivateRoll(label=label):
                found.append((str(label), label))
            case Claim(kind=kind, about=about):
                found.append((f"{kind} {about}", about))
        reply(answer)

    stage.engine.reply = listening  # type: ignore[method-assign]
    stage.run()
    return tuple(found)


@pytest.mark.parametrize(("name", "labels"), TABLE.items(), ids=TABLE)
def test_labels_and_subjects_are_what_they_always_were(name: str, labels: list[str]) -> None:
    assert [label for label in labels if label not in [record for record, _ in asked(name)]] == []


def test_every_label_reads_as_a_sentence_that_catalogues_hold() -> None:
    known = {str(one) for one in catalogues.ids("pacific_war")}
    labels = [label for name in TABLE for record, label in asked(name) if record in TABLE[name]]
    assert all(isinstance(label, Message) for label in labels)
    rolled = [label for label in labels if isinstance(label, Message) and label.id != "{words}"]
    told = {dice.sentence(label).id for label in rolled} - {"{place}", "{place}: {units}", "J1", "A1"}
    assert told - known == {"{marker} level {level}", "day {day} of month {month}", "month {n}"}


def test_a_label_names_hexes_and_sides_for_players() -> None:
    assert _sentence("PWI-AIR-10-01", "flak over 1630") == "flak over 1630 Rabaul"
    assert _sentence("PWI-SEQ-01-02", "advantage, japan") == "advantage, Japan"
    assert _sentence("PWQ-SEQ-03-01", "weather of southeast-asia") == "weather, Southeast Asia"
    assert _sentence("PWI-SRC-03-06", "shore searches for J1") == "search from the shore for J1"
    assert (
        _sentence("PWX-05-01", "CL1 Tenryu fires at CA2 Chicago, second die") == "CL1 Tenryu fires at CA2 Chicago, second die"
    )
    after = "troop quality of 30th Brigade, after the result"
    assert _sentence("PWH-LND-05-02", after) == "troop quality of 30th Brigade (after the combat)"


def _sentence(name: str, record: str) -> str:
    label = dict(asked(name))[record]
    assert isinstance(label, Message)
    return english(dice.sentence(label))


def test_what_the_report_knows_of_labels_is_known_of_real_ones() -> None:
    """Every label for which the report knows more than its sentence is one that the rules throw for."""
    used = {label.id for name in TABLE for _, label in asked(name) if isinstance(label, Message)}
    assert {*dice.SENTENCES, *dice.SHOOTERS} <= used


SAID = {"die": 1, "fire": 3, "passes": 2, "shaken": 2, "Roll": 0, "Claim": 2, "Remarked": 0}  # the argument that is told
READS_PLAYERS = ("chances.py", "planning.py", "shorthand.py", "stretches.py")  # their patterns read what players wrote


def _sources() -> list[Path]:
    return sorted(Path(str(picture.__file__)).parent.rglob("*.py"))


def test_what_is_told_is_a_message_at_its_source() -> None:
    glued = [
        f"{path.name}:{call.lineno}"
        for path in _sources()
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in SAID
        if isinstance(call.args[SAID[call.func.id] :][0], ast.Constant | ast.JoinedStr | ast.BinOp)
    ]
    assert glued == []


def test_nothing_is_read_back() -> None:
    assert [path.name for path in _sources() if "import re\n" in path.read_text("utf-8")] == [*READS_PLAYERS]


# -- statements ----------------------------------------------------------------------------------------------------------


def test_what_is_stated_reads_as_a_sentence_in_every_language() -> None:
    g = table.begin("coral-sea").state
    about = dict(asked("PWO-OPT-18-04"))["boats 1135"]
    told = telling.tell(g, Stated("allies", "boats", about, True, "PW-OPT-18"))
    assert told is not None
    assert ENGLISH.text(told.text) == "PT boats in 1135 Malaita"
    assert language("pl", (wording.CATALOGUE,)).text(told.text) == "kutry torpedowe: 1135 Malaita"
    told = telling.tell(g, Stated("allies", "boats", about, False, "PW-OPT-18"))
    assert told is not None
    assert ENGLISH.text(told.text) == "PT boats in 1135 Malaita: no"
    assert language("pl", (wording.CATALOGUE,)).text(told.text) == "kutry torpedowe: 1135 Malaita: nie"


def test_what_the_following_events_tell_is_not_told_twice() -> None:
    g = table.begin("coral-sea").state
    assert telling.tell(g, Stated("allies", "report", "J1 level 1", {"ships": 2}, "PW-SRC-02")) is None
    assert telling.tell(g, DiceThrown("light", (3,), 10, "PW-LUM-02")) is None


# -- the end -------------------------------------------------------------------------------------------------------------


def test_the_reason_of_an_end_is_found_again_by_its_record_form() -> None:
    g = table.begin("coral-sea").state
    for level in levels(g.victory):
        goals = [str(goal["text"]) for goal in level.goals]
        g.win_reason = f"{level.name}: {'; '.join(goals)}"
        assert english(ended(g)) == f"{english(LEVELS[level.name])}: {', '.join(goals)}"
    g = table.begin("midway").state
    for level in levels(g.victory):
        goals = [str(goal["text"]) for goal in level.goals]
        g.win_reason = "; ".join(goals)
        assert english(ended(g)) == ", ".join(goals)
    g.win_reason = "no side has reached its goal"
    assert english(ended(g)) == f"{g.win_reason}, and by the scenario that is enough"
    g.winner = "draw"
    assert english(ended(g)) == g.win_reason


def test_whoever_searches_may_be_called_in_the_plural() -> None:
    label = msg("{unit} searches for {marker}", unit="Port Moresby fighters", marker="J1")
    assert english(dice.sentence(label)) == "search by Port Moresby fighters for J1"
