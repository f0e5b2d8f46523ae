"""What the moves of a power lead to, as short reports say it when Conduct Combat begins."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.events.combat import RoleTaken
from pbem.games.axis_and_allies_pacific.events.turns import PhaseBegan
from pbem.games.axis_and_allies_pacific.state import State
from pbem.games.axis_and_allies_pacific.telling import tell
from pbem.kernel.events import emit
from pbem.kernel.wording import english
from tests.axis_and_allies_pacific import table
from tests.odds.engine_tree import position


def declared(g: State, phase: str = "conduct-combat") -> list[tuple[str, str]]:
    told = tell(g, PhaseBegan("japan", phase))
    assert told is not None
    return [(english(one.text), english(one.fight)) for one in told.declares]


def test_a_landing_counts_who_is_aboard_and_not_the_guns() -> None:
    g = position("Kwangtung", "2 infantry, 1 battleship, 1 cruiser", "1 infantry", sea="SZ 20")
    assert declared(g) == [("Japan attacks Kwangtung: 2 infantry", "Battle: Kwangtung")]
    assert declared(g, "combat-move") == [], "nothing is declared before"


def test_a_battle_at_sea_counts_ships_and_aircraft() -> None:
    g = position("SZ 20", "1 submarine, 2 destroyer, 1 fighter", "1 cruiser")
    assert declared(g) == [
        ("Japan attacks sea zone 20: 1 submarine, 2 destroyers, 1 fighter", "Battle: sea zone 20"),
    ]


def test_a_raid_is_told_with_its_escort_and_is_no_battle() -> None:
    g = position("Kwangtung", "2 strategic-bomber, 1 fighter", "2 fighter")
    table.build(g, "kwangtung", "minor-ic")
    for unit in g.of("japan"):
        emit(g, RoleTaken(unit.id, "bomb" if unit.type == "strategic-bomber" else "escort", "SBR-02"))
    assert declared(g) == [
        ("Japan bombs Kwangtung: 2 strategic bombers, 1 fighter", "Strategic bombing raid: Kwangtung"),
    ]
