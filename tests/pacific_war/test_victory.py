"""Levels of victory: what each asks for, the first that holds, the draw of the rules text's battle."""

from __future__ import annotations

import pytest

from pbem.games.pacific_war.checking import faults_of
from pbem.games.pacific_war.events import Won
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.victory import LEVELS, ended, finish, levels, ships_of
from pbem.report.languages import language
from tests.pacific_war import table

BOTH = (1134, 1426)


def ends(name: str, held: tuple[int, ...] = (), sunk: tuple[str, ...] = (), crippled: tuple[str, ...] = ()) -> tuple[str, str]:
    """The winner and the level of a scenario with Japanese hexes, ships sunk and ships crippled."""
    g: State = table.begin(name).state
    for u in [u for u in g.on_map("allies", "ground") if g.units[u].at in held]:
        g.units[u].box, g.units[u].at = "eliminated", 0
    for place in held:
        g.control[place] = "japan"
        for bases in (g.airfields, g.ports):
            if place in bases:
                bases[place].side = "japan"
    for ship in sunk:
        g.units[ship].box = "sunk"
    for ship in crippled:
        g.units[ship].hits = g.counter(ship).capacity - 1
        assert g.crippled(ship)
    g.memo.forget()
    finish(g)
    told = [e for e in g.events if isinstance(e, Won)][-1]
    assert str(ended(g)) == str(told.reason)
    words = language("en").text(told.reason)
    return told.side, next((level for level, said in LEVELS.items() if words.startswith(said.id)), "")


@pytest.mark.parametrize(
    ("held", "sunk", "crippled", "winner", "level"),
    [
        (BOTH, (), ("CV1 Lexington",), "japan", "decisive"),
        (BOTH, ("CV3 Yorktown",), (), "japan", "decisive"),
        (BOTH, ("CA1 Australia",), (), "japan", "substantive"),
        ((), ("CVL4 Shoho",), (), "allies", "decisive"),
        ((), ("CV5 Shokaku", "CV1 Lexington"), (), "allies", "decisive"),
        ((), (), ("CV5 Shokaku",), "allies", "substantive"),
        ((), ("CVS4 Kamikawa Maru",), (), "draw", ""),
        ((), (), (), "draw", ""),
        ((1134,), ("CV1 Lexington",), (), "japan", "tactical"),
        ((1426,), (), ("CV3 Yorktown",), "japan", "tactical"),
        ((1134,), ("CVL4 Shoho",), (), "allies", "tactical"),
        ((1134,), ("CVL4 Shoho", "CVS4 Kamikawa Maru", "CV1 Lexington"), (), "draw", ""),  # the battle of the rules text
        ((1426,), ("CVL4 Shoho",), (), "draw", ""),
    ],
)
def test_the_coral_sea(
    held: tuple[int, ...], sunk: tuple[str, ...], crippled: tuple[str, ...], winner: str, level: str
) -> None:
    assert ends("coral-sea", held, sunk, crippled) == (winner, level)


@pytest.mark.parametrize(
    ("sunk", "winner", "level"),
    [
        ((), "allies", ""),
        (("AA2 Transports",), "japan", ""),
        (("AA2 Transports", "CA5 Chokai"), "japan", ""),
        (("AA2 Transports", "CA5 Chokai", "DD4 Yunagi"), "draw", "strategic"),
        (("CA1 Australia", "CA2 Chicago", "CA7 Vincennes"), "allies", ""),
        (("CA5 Chokai", "DD4 Yunagi"), "allies", ""),
    ],
)
def test_savo_island_is_about_the_transports(sunk: tuple[str, ...], winner: str, level: str) -> None:
    assert ends("savo-island", sunk=sunk) == (winner, level)


@pytest.mark.parametrize("name", table.SCENARIOS)
def test_the_ships_that_a_scenario_counts_are_in_it(name: str) -> None:
    g: State = table.begin(name).state
    for level in levels(g.victory):
        assert not level.name or level.name in LEVELS
        for goal in level.goals:
            if "units" in goal:
                assert set(goal["units"]) <= set(g.units)
            if "types" in goal:
                assert len(ships_of(g, goal)) >= goal.get("number", 1)


@pytest.mark.parametrize(
    ("victory", "told"),
    [
        ({"levels": [{"side": "japan", "level": "decisve", "goals": []}]}, "victory.levels.0.level"),
        ({"japan": [{"kind": "sinks", "text": "ships"}]}, "victory.japan.0.kind"),
        ({"otherwise": "nobody"}, "victory.otherwise"),
    ],
)
def test_a_goal_that_is_none_is_a_fault_of_the_scenario(victory: dict[str, object], told: str) -> None:
    found = [str(f) for f in faults_of({**table.scenario("midway"), "victory": victory})]
    assert len(found) == 1 and found[0].startswith(told)
