"""What each roll of a Pacific game was worth, and to whom."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.games.axis_and_allies_pacific import rolls
from pbem.games.axis_and_allies_pacific.chances import throw
from pbem.games.axis_and_allies_pacific.events.combat import BattleEnded, DiceRolled
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Roll
from pbem.kernel.wording import Message
from tests.axis_and_allies_pacific import table
from tests.axis_and_allies_pacific.random_play import at_random, play
from tests.odds.engine_tree import fight, position


@pytest.mark.parametrize("seed", [1, 3])
def test_whoever_a_roll_is_against_loses_by_it(seed: int) -> None:
    seen: Counter[str] = Counter()

    def watch(engine: Engine) -> None:
        roll = engine.request
        if not isinstance(roll, Roll):
            return
        assert isinstance(roll.label, Message)
        thrown = throw(engine.state, DiceRolled(roll.label, (1,) * roll.dice, roll.dice, roll.rule))
        assert thrown is not None and thrown.worth > 0 and thrown.gains != thrown.loses, roll
        assert roll.against is None or thrown.loses == roll.against, roll
        seen[roll.rule] += 1

    play(seed, 2, at_random, watch)
    assert seen["GC-10"] > 10 < seen["GC-11"]


def test_a_hit_is_worth_the_mean_cost_of_a_hit_on_the_units_fired_at() -> None:
    g = fight(position("SZ 20", "1 destroyer", "1 battleship, 1 transport")).state
    label = rolls.combat(g, "sz-20", 1)("japan", [u for u in g.units.values() if u.type == "destroyer"], 2)
    thrown = throw(g, DiceRolled(label, (1,), 1, "GC-10"))
    assert thrown is not None and (thrown.gains, thrown.loses) == ("japan", "united-kingdom")
    assert thrown.worth == pytest.approx((20 + 7) / 3), "a battleship takes two hits"
    assert thrown.surplus == pytest.approx(1 - 2 / 6)


def test_aa_fire_is_worth_aircraft() -> None:
    g = fight(position("Kwangsi", "1 fighter, 3 infantry", "1 infantry, 1 aa-gun")).state
    guns = [u for u in g.units.values() if u.type == "aa-gun"]
    thrown = throw(g, DiceRolled(rolls.aa_guns(g, "kwangsi", guns, "fighter", 1), (2,), 0, "AIR-03"))
    assert thrown is not None and (thrown.gains, thrown.loses, thrown.worth) == ("united-kingdom", "japan", 10)
    assert thrown.mean == pytest.approx(1 / 6)


def test_bombs_count_their_pips() -> None:
    g = position("Kwangtung", "1 strategic-bomber", "1 infantry")
    table.build(g, "kwangtung", "minor-ic")
    g.power = "japan"
    thrown = throw(g, DiceRolled(rolls.bombs(g, "kwangtung", "minor-ic", 2), (6, 5), 2, "SBR-07"))
    assert thrown is not None and (thrown.gains, thrown.loses) == ("japan", "united-kingdom")
    assert thrown.surplus * thrown.worth == pytest.approx(4)


def test_kamikazes_are_japans_dice_in_an_enemys_turn() -> None:
    g = position("SZ 20", "1 destroyer", "1 cruiser")
    g.power, ship = "united-kingdom", next(u for u in g.units.values() if u.type == "cruiser")
    thrown = throw(g, DiceRolled(rolls.kamikaze(g, ship), (3,), 0, "KAM-05"))
    assert thrown is not None and (thrown.gains, thrown.loses, thrown.worth) == ("japan", "united-kingdom", 12)


def test_other_events_are_no_throws() -> None:
    assert throw(table.empty(), BattleEnded("kwangsi", "japan")) is None
