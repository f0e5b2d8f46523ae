"""The complete example of play (PW-CS): the battle of the Coral Sea with its moves and the dice that the text states.

Where the text gives a result without its die, or the strengths are not known, the die is chosen to give that result.
The numbers in comments are the steps of the chronicle in the rules reference.
"""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.pacific_war.events import Reported
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Claim, Roll, Simultaneous
from pbem.kernel.records import to_plain
from tests.pacific_war import table

IDLE = ("pass", "done", "stay", "end", "none", "no", "hold")
J, A = "japan", "allies"
Line = tuple[str, Plain] | tuple[str, str, int]


def play(engine: Engine, lines: list[Line]) -> State:
    """Orders and dice in their order; everything else is declined, other dice show nine."""
    for line in lines:
        while not _answers(engine, line):
            assert engine.request is not None, f"{line}: the game is over"
            engine.reply(_idle(engine.request))
    return engine.state


def _answers(engine: Engine, line: Line) -> bool:
    request = engine.request
    if line[0] == "die":
        if isinstance(request, Roll) and str(line[1]) in str(request.label):
            engine.reply([line[2] or 10])  # type: ignore[misc]
            return True
        return False
    if line[0] == "sealed":
        if isinstance(request, Simultaneous):
            answers = line[1]
            assert isinstance(answers, dict)
            engine.reply({a.seat: answers.get(a.seat, a.default) for a in request.asks})
            return True
        return False
    if line[0] == "report":
        if isinstance(request, Claim) and request.kind == "report":
            engine.reply(line[1])
            return True
        return False
    verb = next(iter(line[1])) if isinstance(line[1], dict) else line[1]
    if isinstance(request, Ask) and request.seat == line[0] and verb in request.verbs:
        engine.reply(line[1])
        return True
    return False


def _idle(request: Any) -> Plain:
    if isinstance(request, Roll):
        return [9] * request.dice
    if isinstance(request, Claim):
        return request.truth(table.behind)
    assert isinstance(request, Ask | Simultaneous)
    if isinstance(request, Simultaneous):
        return {a.seat: a.default for a in request.asks}
    if request.forced is not None or request.default is not None:
        return request.forced if request.forced is not None else request.default
    for option in request.options():
        if option in IDLE or (isinstance(option, dict) and next(iter(option.values())) in IDLE):
            return option
    return request.options()[0]


APPROACH: list[Line] = [
    (J, {"kinds": ["ground", "naval", "air"]}),  # CS-01
    (J, {"embark": {"7th Engineers": "APD5"}}),
    (J, {"embark": {"144th Regiment": "AA1"}}),
    (J, {"embark": {"Kure Marines": "AA1"}}),
    (A, {"search": {"J4": "Port Moresby fighters"}}),  # CS-03
    (J, {"sail": {"J4": 1531, "J1": 2333}}),
    (A, {"search": {"J4": "Port Moresby fighters"}}),
    (J, {"sail": {"J4": 1431, "J1": 2233}}),
    (A, {"search": {"J4": "Port Moresby fighters"}}),
    (J, {"sail": {"J4": 1432, "J1": 2133}}),
    (J, {"sail": {"J4": 1333, "J1": 2032}}),
    (J, {"sail": {"J4": 1233, "J1": 1932}}),
    (J, {"sail": {"J4": 1134, "J1": 1831}}),
    (A, {"stop": "yes"}),  # CS-04
]

REACTION: list[Line] = [
    (A, {"kinds": ["naval", "air", "ground"]}),
    (A, {"sail": {"A1": 234, "A2": 822}}),
    (A, {"sail": {"A1": 334, "A2": 923}}),
    (A, {"sail": {"A1": 433, "A2": 1023}}),
    (A, {"sail": {"A1": 533, "A2": 1124}}),
    (J, {"search": {"A2": "Tainan air group"}}),  # CS-06
    (A, {"sail": {"A1": 632, "A2": 1224}}),
    (A, {"sail": {"A1": 732, "A2": 1325}}),
    (A, {"search": {"J4": "Lexington air group"}}),  # CS-07
    ("die", "searches for J4", 2),
    ("report", {"ships": 6}),
]

FIRST_CYCLE: list[Line] = [
    (J, {"light": "none"}),  # CS-08
    ("die", "light", 5),
    ("die", "advantage, japan", 6),
    ("die", "advantage, allies", 6),
    (J, {"first": "land"}),  # CS-09
    (J, {"debark": {"7th Engineers": 1134}}),
    (J, {"sail": {"J1": 1731, "J3": 1631}}),
    (J, {"sail": {"J1": 1631}}),
    (J, {"mission": {"strike": 1426, "units": ["25th Flotilla bombers", "Tainan air group"], "via": [1626]}}),  # CS-10
    ("die", "coordination", 5),
    ("die", "search for the mission over 1426", 9),
    (J, {"targets": {"25th Flotilla bombers": ["airfield"], "Tainan air group": ["strafe"]}}),
    ("die", "Tainan air group strafes", 3),
    ("die", "25th Flotilla bombers attacks", 1),
    ("die", "flak over 1426", 4),
    (A, {"hits": {"25th Flotilla bombers": 1}}),
]

ALLIED_ANSWER: list[Line] = [
    (A, {"sail": {"A1": 831, "A2": 1326}}),  # CS-12
    (A, {"sail": {"A1": 931, "A2": 1327}}),
    (J, {"search": {"A2": "Tainan air group"}}),
    ("die", "searches for A2", 2),
    (J, {"search": {"A1": "Shortland flying boats"}}),
    ("die", "searches for A1", 0),
    (A, {"search": {"J4": "Yorktown air group"}}),
    ("die", "searches for J4", 4),
    (A, {"mission": {"strike": 1134, "units": ["Lexington air group", "Yorktown air group"]}}),  # CS-13
    ("die", "coordination", 9),
    ("die", "search for the mission over 1134", 0),
    (A, {"targets": ["CVS4", "CL8"]}),
    (J, {"flak": "screen"}),
    ("die", "flak of J4", 4),
    ("die", "Lexington air group attacks", 1),
    ("die", "Yorktown air group attacks", 2),
    (A, {"mission": {"strike": 1630, "units": ["19th Bomb Group"]}}),  # CS-14
    ("die", "search for the mission over 1630", 0),
    (J, {"cap": "25th Flotilla fighters"}),
    ("die", "CAP 25th", 1),
    ("die", "escort 19th", 2),
    (A, {"targets": ["airfield"]}),
    ("die", "flak over 1630", 5),
    (A, {"mission": {"strike": 1626, "units": ["3rd Bomb Group"]}}),  # CS-15
    ("die", "search for the mission over 1626", 9),
    (A, {"targets": ["airfield"]}),
    ("die", "3rd Bomb Group attacks", 4),
    ("die", "flak over 1626", 9),
    (A, {"landing": {"3rd Bomb Group": 1426}}),
    (A, {"mission": {"transfer": 1426, "units": ["Townsville Catalinas"]}}),
]

NIGHT: list[Line] = [
    (J, {"light": "yes"}),  # CS-17
    ("die", "advantage, japan", 7),
    ("die", "advantage, allies", 3),
    (J, {"sail": {"J1": 1531, "J3": 1531}}),  # CS-18
    (J, {"sail": {"J1": 1430, "J3": 1430}}),
    (A, {"sail": {"A1": 1030}}),
    (A, {"sail": {"A1": 1130}}),
    ("die", "advantage, japan", 2),  # CS-19
    ("die", "advantage, allies", 8),
]

CARRIERS: list[Line] = [
    (J, {"search": {"A1": "Shortland flying boats"}}),
    ("die", "searches for A1", 0),
    (A, {"search": {"J1": "Lexington air group"}}),
    ("die", "searches for J1", 0),
    (A, {"sail": {"A2": 1328}}),
    (J, {"search": {"A2": "5th Carrier Division A"}}),
    ("die", "searches for A2", 0),
    (A, {"mission": {"strike": 1430, "units": ["Lexington air group", "Yorktown air group"]}}),  # CS-20
    ("die", "coordination", 2),
    ("die", "search for the mission over 1430", 0),
    (J, {"cap": "5th Carrier Division B"}),
    (A, {"escort": "Yorktown air group"}),
    ("die", "CAP 5th", 4),
    ("die", "escort Yorktown", 4),
    (A, {"targets": ["CV6"]}),
    (J, {"simultaneous": "yes"}),
    (J, {"flak": "core"}),
    ("die", "flak of J1", 4),
    (J, {"hits": {"Yorktown air group": 1}}),
    ("die", "Lexington air group attacks", 1),
]


AFTERMATH: list[Line] = [
    (A, {"mission": {"strike": 1626, "units": ["19th Bomb Group", "3rd Bomb Group"], "via": [1426]}}),  # CS-21
    ("die", "coordination", 5),
    ("die", "search for the mission over 1626", 0),
    (J, {"cap": "Tainan air group"}),
    (A, {"escort": "19th Bomb Group"}),
    ("die", "CAP Tainan", 2),
    ("die", "escort 19th", 9),
    (A, {"targets": ["airfield"]}),
    ("die", "flak over 1626", 9),
    ("die", "19th Bomb Group attacks", 1),
    ("die", "3rd Bomb Group attacks", 9),
    (J, {"sail": {"J1": 1429, "J3": 1429}}),  # CS-22
    (J, {"sail": {"J1": 1329, "J3": 1329}}),
    (J, {"mission": {"strike": 1130, "units": ["5th Carrier Division A", "5th Carrier Division B", "Shoho air group"]}}),
    ("die", "coordination", 6),
    ("die", "search for the mission over 1130", 0),
    (A, {"cap": "Lexington air group"}),
    (J, {"escort": "5th Carrier Division B"}),
    ("die", "CAP Lexington", 4),
    ("die", "escort 5th", 4),
    (J, {"targets": ["CV1"]}),
    ("die", "flak of A1", 4),
    (A, {"hits": {"5th Carrier Division B": 1}}),
    ("die", "5th Carrier Division A attacks", 0),
    ("die", "critical", 8),
    ("die", "Shoho air group attacks", 9),
    (J, {"mission": {"superiority": 1426, "units": ["25th Flotilla fighters", "Tainan air group"], "via": [1626]}}),  # CS-23
    ("die", "search for the mission over 1426", 0),
    (A, {"alert": ["3rd Bomb Group"]}),
    (J, {"escort": "Tainan air group"}),
    ("die", "escort Tainan", 2),
    (J, {"targets": ["strafe"]}),
    ("die", "25th Flotilla fighters strafes", 0),
]

CHINA_STRAIT: list[Line] = [
    ("die", "light", 0),  # CS-24
    ("die", "advantage, japan", 9),
    ("die", "advantage, allies", 3),
    (J, {"sail": {"J1": 1328, "J3": 1328}}),
    (A, {"search": {"J1": "CA2 Chicago"}}),
    ("die", "searches for J1", 0),
    (J, {"search": {"A2": "CA1 Aoba"}}),
    ("die", "searches for A2", 0),
    (J, {"line": ["CA1", "CA2", "CA3", "DD1"]}),  # CS-25
    (
        "sealed",
        {
            J: {"fire": {"CA1": "CA2", "CA2": "CA2", "CA3": "CA2", "DD1": {"at": "CA1", "with": "both"}}},
            A: {"fire": {"CA1": {"at": "CA1", "with": "both"}, "CA2": "CA1"}},
        },
    ),
    ("die", "CA1 Aoba fires", 3),
    ("die", "CA2 Furutaka fires", 7),
    ("die", "CA3 Myoko fires", 2),
    ("die", "DD1 Kagero fires", 5),
    ("die", "DD1 Kagero torpedoes", 0),
    ("die", "critical", 6),
    ("die", "CA1 Australia fires", 0),
    ("die", "critical", 2),
    ("die", "CA1 Australia torpedoes", 0),
    ("die", "critical", 4),
    ("die", "CA2 Chicago fires", 2),
    ("sealed", {J: {"bid": "short"}, A: {"bid": "short"}}),
    ("sealed", {J: {"fire": {"CA2": "CA2", "CA3": "CA2"}}, A: {"fire": {"CA2": "AA1"}}}),
    ("die", "CA2 Furutaka fires", 1),
    ("die", "CA3 Myoko fires", 9),
    ("die", "CA2 Chicago fires", 2),
    (J, {"cargo": {"144th Regiment": 2}}),
]

PORT_MORESBY: list[Line] = [
    ("die", "advantage, japan", 8),  # CS-27
    ("die", "advantage, allies", 1),
    (J, {"first": "sea"}),
    (J, {"sail": {"J3": 1327}}),
    (J, {"sail": {"J3": 1426}}),
    (A, {"search": {"J1": "Lexington air group"}}),
    ("die", "searches for J1", 0),
    (J, {"search": {"A1": "5th Carrier Division A"}}),
    ("die", "searches for A1", 0),
    (J, {"debark": {"144th Regiment": 1426}}),
    (J, {"debark": {"Kure Marines": 1426}}),
    (J, {"mission": {"strike": 1130, "units": ["5th Carrier Division A", "5th Carrier Division B"]}}),  # CS-28
    ("die", "coordination", 7),
    ("die", "search for the mission over 1130", 0),
    (A, {"cap": "Lexington air group"}),
    (J, {"escort": "5th Carrier Division B"}),
    ("die", "CAP Lexington", 2),
    (J, {"targets": ["CV3"]}),
    ("die", "5th Carrier Division A attacks", 2),
    (
        J,
        {"mission": {"strike": 1426, "units": ["25th Flotilla bombers", "Tainan air group", "Shoho air group"], "via": [1626]}},
    ),
    ("die", "coordination", 7),  # CS-29
    ("die", "search for the mission over 1426", 9),
    (
        J,
        {
            "targets": {
                "Shoho air group": ["strafe"],
                "Tainan air group": ["30th Brigade"],
                "25th Flotilla bombers": ["30th Brigade"],
            }
        },
    ),
    ("die", "Shoho air group strafes", 0),
    ("die", "25th Flotilla bombers attacks", 1),
    ("die", "troop quality of 30th Brigade", 4),
    (J, {"bombard": {"CA2": "30th Brigade"}}),  # CS-30
    ("die", "CA2 Furutaka bombards", 1),
    ("die", "troop quality of 30th Brigade", 4),
    (J, {"leader": "Kure Marines"}),  # CS-31
    ("die", "ground combat", 6),
    ("die", "troop quality of Kure Marines", 8),
]

LAST_BLOWS: list[Line] = [
    (A, {"search": {"J3": "Lexington air group"}}),  # CS-32
    ("die", "searches for J3", 0),
    (A, {"mission": {"strike": 1426, "units": ["Lexington air group"]}}),
    ("die", "search for the mission over 1426", 9),
    (A, {"targets": ["CVL4"]}),
    ("die", "Lexington air group attacks CVL4", 0),
    ("die", "critical", 8),
    (A, {"mission": {"strike": 1626, "units": ["19th Bomb Group", "3rd Bomb Group"], "via": [1426]}}),  # CS-33
    ("die", "coordination", 7),
    ("die", "search for the mission over 1626", 9),
    (A, {"targets": ["airfield"]}),
    ("die", "3rd Bomb Group attacks", 1),
    (A, {"landing": {"3rd Bomb Group": 722}}),
]
SO_FAR: list[Line] = [*APPROACH, *REACTION, *FIRST_CYCLE, *ALLIED_ANSWER, *NIGHT, *CARRIERS, *AFTERMATH]


def test_the_simultaneous_strike_sinks_the_lexington() -> None:
    g = play(table.begin("coral-sea"), SO_FAR)
    assert g.units["CV1 Lexington"].box == "sunk"
    g = play_again([*SO_FAR, *CHINA_STRAIT[:1]])
    survivors = [u for u in ("Lexington air group", "Yorktown air group") if g.units[u].box == "map"]
    assert [g.units[u].aboard for u in survivors] == ["CV3 Yorktown"]  # reorganized into one
    assert g.units["Townsville Catalinas"].box == "eliminated" and g.units["3rd Bomb Group"].hits == 1


def test_night_in_the_china_strait() -> None:
    g = play_again([*SO_FAR, *CHINA_STRAIT])
    assert {u for u, x in g.units.items() if x.box == "sunk" and u.startswith("CA")} == {
        "CA1 Aoba",
        "CA1 Australia",
        "CA2 Chicago",
    }
    assert (g.units["144th Regiment"].hits, g.units["AA1 Transports"].hits) == (2, 1)


def test_the_landing_fails_and_the_battle_is_a_draw() -> None:
    engine = table.begin("coral-sea")
    g = play(engine, [*SO_FAR, *CHINA_STRAIT, *PORT_MORESBY, *LAST_BLOWS])
    assert {g.units[u].box for u in ("144th Regiment", "Kure Marines")} == {"eliminated"}
    assert (g.units["CVL4 Shoho"].box, g.units["Shoho air group"].box) == ("sunk", "eliminated")
    assert g.units["30th Brigade"].hits == 0 and not g.units["30th Brigade"].demoralized
    assert g.units["3rd Bomb Group"].at == 722
    while engine.request is not None:
        engine.reply(_idle(engine.request))
    assert (g.winner, g.day, g.cycle) == ("draw", 20, 9)  # CS-34, CS-35


def play_again(lines: list[Line]) -> State:
    """A new game with these lines."""
    return play(table.begin("coral-sea"), lines)


def test_the_approach() -> None:
    g = play(table.begin("coral-sea"), APPROACH)
    assert (g.steps_made, g.stopped, g.day) == (6, True, 2)
    assert (g.markers["J4"].at, g.markers["J3"].at, g.markers["J2"].at) == (1134, 1630, 1332)
    assert not any(m.detected for m in g.markers.values() if m.side == J)


def test_the_reaction_and_a_misstated_report() -> None:
    g = play(table.begin("coral-sea"), APPROACH + REACTION)
    assert g.markers["J4"].detected and g.reaction_steps == 6


@pytest.mark.parametrize("said", [3, 4, 5, 7, 9])
def test_nothing_but_words_depends_on_the_number_that_the_owner_chooses_to_state(said: int) -> None:
    """[PW-SRC-02] He may misstate the number of his ships by half: who knows the dice that come next steers nothing by it."""
    true, other = table.begin("coral-sea"), table.begin("coral-sea")
    play(true, APPROACH + REACTION)
    play(other, [*APPROACH, *REACTION[:-1], ("report", {"ships": said})])
    told = [[e for e in engine.state.events if isinstance(e, Reported)] for engine in (true, other)]
    assert [r[-1].found for r in told] == [{"ships": 6}, {"ships": said}]
    assert (true.fingerprint, true.state_hash()) == (other.fingerprint, other.state_hash())
    assert vars_of(true) == vars_of(other)
    lines = FIRST_CYCLE + ALLIED_ANSWER
    play(true, lines)
    play(other, lines)
    assert (true.fingerprint, true.state_hash()) == (other.fingerprint, other.state_hash())


def vars_of(engine: Engine) -> dict[str, object]:
    """The whole state but what was told of it, hidden parts too."""
    plain = to_plain(engine.state)
    assert isinstance(plain, dict)
    return {name: value for name, value in plain.items() if name != "events"}


def test_the_first_cycle() -> None:
    engine = table.begin("coral-sea")
    g = play(engine, APPROACH + REACTION + FIRST_CYCLE)
    assert g.airfields[1426].hits == 2
    assert g.units["Port Moresby fighters"].box == "eliminated"
    g = play(engine, [(A, {"sail": {}})])
    assert g.airfields[1426].hits == 0  # CS-11
    assert g.control[1134] == J and g.light == "pm"


def test_the_allied_answer() -> None:
    engine = table.begin("coral-sea")
    g = play(engine, APPROACH + REACTION + FIRST_CYCLE + ALLIED_ANSWER + NIGHT[:1])
    assert g.units["CVS4 Kamikawa Maru"].box == "sunk"
    assert g.units["CL8 Yubari"].hits == 1
    assert g.units["19th Bomb Group"].hits == 2 and g.units["19th Bomb Group"].at == 722
    assert (g.units["3rd Bomb Group"].at, g.units["Townsville Catalinas"].at) == (1426, 1426)
    assert g.day == 4 and not any(m.detected for m in g.markers.values() if m.side == A)  # CS-16


def test_the_carriers_meet() -> None:
    engine = table.begin("coral-sea")
    g = play(engine, APPROACH + REACTION + FIRST_CYCLE + ALLIED_ANSWER + NIGHT + CARRIERS)
    assert g.light == "am" and g.advantage == A
    g = play(engine, [(J, {"sail": {"J1": 1429, "J3": 1429}})])
    assert g.units["CV6 Zuikaku"].hits == 2
    assert g.units["Yorktown air group"].hits == 4
    assert set(g.waves) == {"5th Carrier Division A", "5th Carrier Division B", "Shoho air group"}
    assert g.markers["J1"].at == 1429
