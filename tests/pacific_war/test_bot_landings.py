"""Landings of the strategic war: exact chances, transports that come for troops, who goes where, fortresses that are kept."""

from __future__ import annotations

import pytest

from pbem.games.pacific_war.bot import assaults, land, landfall, operations
from pbem.games.pacific_war.bot.assaults import SURE, chance_to_take
from pbem.games.pacific_war.bot.fetching import called, fleets
from pbem.games.pacific_war.bot.ground_war import guards, prizes
from pbem.games.pacific_war.bot.harbours import refuge
from pbem.games.pacific_war.bot.landfall import matched
from pbem.games.pacific_war.bot.operations import plan_of, ready
from pbem.games.pacific_war.bot.relief import help_worth, in_danger, lost, relieved, spared
from pbem.games.pacific_war.bot.sea import course
from pbem.games.pacific_war.bot.tasks import shores
from pbem.games.pacific_war.bot.war import transport
from pbem.games.pacific_war.dice import ground_result
from pbem.games.pacific_war.land.combat import ground_column, ratio_modifier
from pbem.games.pacific_war.land.quality import quality
from pbem.games.pacific_war.records import Marker, Operation
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.kernel.flow import Ask
from tests.pacific_war import table

SOERABAJA = 2908
MANILA, SINGAPORE, TARAKAN, PALEMBANG, RANGOON, SAIGON = 3819, 3908, 3314, 3606, 5011, 4212


def start() -> State:
    return table.begin("strategic-1941").state


def test_a_chance_in_one_round_is_counted_by_the_ten_sides_of_the_die(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assaults, "MOST_ROUNDS", 1)
    g, attackers = start(), ["124th Regiment"]
    defenders = g.ashore(ALLIES, TARAKAN)
    column = ground_column(g, TARAKAN, quality(g, attackers[0]), max(quality(g, u) for u in defenders))
    mine, theirs = g.steps(attackers[0]), sum(g.steps(u) for u in defenders)
    won = 0
    for die in range(10):
        lost, killed, retreat = ground_result(g, column - die + ratio_modifier(g, mine, theirs), mine + theirs)
        won += retreat != "A" and mine > lost and (retreat == "D" or killed >= theirs)
    assert 0 < won < 10 or won == 10
    assert chance_to_take(g, TARAKAN, JAPAN, attackers, False, 0) == won * SURE // 10


def test_chances_grow_with_troops_and_bombers_and_shrink_from_the_sea() -> None:
    g = start()
    one, two = ["2nd Division"], ["2nd Division", "48th Division"]
    assert chance_to_take(g, SINGAPORE, JAPAN, one, False, 0) < chance_to_take(g, SINGAPORE, JAPAN, two, False, 0)
    assert chance_to_take(g, MANILA, JAPAN, one, False, 0) < chance_to_take(g, MANILA, JAPAN, one, False, 2)
    assert chance_to_take(g, MANILA, JAPAN, one, True, 0) < chance_to_take(g, MANILA, JAPAN, one, False, 0)


def test_the_opening_goes_for_the_oil_as_well_as_for_the_fortresses() -> None:
    """Singapore, Manila, Rangoon with divisions, Palembang and Tarakan at the same time; little troops for little garrisons."""
    g = start()
    plan = plan_of(g, JAPAN, "Southern Army", 78)
    assert plan is not None
    tasks = {t.goal: t for t in plan.tasks}
    assert {SINGAPORE, MANILA, RANGOON, PALEMBANG, TARAKAN} <= {*tasks}
    assert all(any(g.counter(u).size == "division" for u in tasks[h].troops) for h in (SINGAPORE, MANILA, RANGOON, PALEMBANG))
    assert all(g.counter(u).size != "division" for u in tasks[TARAKAN].troops)


@pytest.mark.parametrize(("where", "name", "spoilt"), [(assaults, "WANTED", 1_000_000), (operations, "POINT", 4)])
def test_the_opening_depends_on_its_numbers(monkeypatch: pytest.MonkeyPatch, where: object, name: str, spoilt: int) -> None:
    """A general who wants to be sure, or spares his points, leaves the oil for later."""
    from pbem.games.pacific_war.bot import ground_war

    monkeypatch.setattr(ground_war if name == "WANTED" else where, name, spoilt)
    plan = plan_of(start(), JAPAN, "Southern Army", 78)
    assert plan is None or not {SINGAPORE, MANILA, PALEMBANG, TARAKAN} <= {t.goal for t in plan.tasks}


def test_idle_transports_come_for_troops_on_a_coast() -> None:
    """Both transports of Samah have one division to carry: the other goes to Tainan, within the hexes that it has."""
    g = start()
    found = fleets(g, JAPAN, ready(g, JAPAN, "Southern Army"))
    assert found[4416].ships == ("AA4 Malaya transports A",)
    fetched = found[4222]
    assert fetched.ships == ("AA5 Malaya transports B",) and fetched.lead > 2 and fetched.berths == (4416,)


def test_nobody_is_called_without_an_operation() -> None:
    assert not called(start(), JAPAN)


def test_forces_share_the_goals_out_so_that_all_of_them_have_one() -> None:
    """The best goal goes to the one that can do nothing else."""
    rows = [(200, (1,), 31, 41), (190, (1,), 32, 42), (180, (2,), 31, 41)]
    assert matched([1, 2], rows) == {1: (32, 42), 2: (31, 41)}
    together = [*rows, (150, (1, 2), 33, 43)]
    assert matched([1, 2], together) == {1: (32, 42), 2: (31, 41)}
    assert matched([1, 2], [(10, (1,), 31, 41), (150, (1, 2), 33, 43)]) == {1: (33, 43), 2: (33, 43)}


def test_a_strong_force_lands_straight_on_a_weak_garrison_and_beside_a_strong_one() -> None:
    g = start()
    assert shores(g, JAPAN, TARAKAN, ["2nd Division"])[0] == TARAKAN
    assert shores(g, JAPAN, MANILA, ["2nd Division"])[0] != MANILA


def test_fortresses_keep_their_troops_until_their_month() -> None:
    g = start()
    assert {"8th Australian Division", "Philippine Division", "1st Burma Division"} <= guards(g, ALLIES)
    g.month = 38
    g.memo.forget()
    assert not {"8th Australian Division", "Philippine Division"} & guards(g, ALLIES)


def test_the_allies_ship_nobody_before_january() -> None:
    g = start()
    ask = Ask(ALLIES, "transport", "", "", lambda plain: plain, ())
    assert transport(g, ask) == ["done"]
    g.month = 43
    g.memo.forget()
    assert len(transport(g, ask)) > 1


def test_ships_do_not_rest_where_enemy_troops_come_upon_them() -> None:
    """An anchorage that nobody guards is no refuge with enemy troops two hexes off."""
    g = start()
    resting = next(r for at in sorted(g.board.seas) for r in [refuge(g, JAPAN, at)] if r and not g.ashore(JAPAN, r))
    beside = next(h for h in sorted(g.board.within(resting, 2)) if h != resting and g.board.land_ways[h])
    g.units["124th Regiment"].at = resting
    g.units["Guam Marines"].at = beside
    g.memo.forget()
    assert refuge(g, JAPAN, resting) == resting, "guarded"
    g.units["124th Regiment"].at = SAIGON
    g.memo.forget()
    assert refuge(g, JAPAN, resting) != resting


# -- reinforcements ------------------------------------------------------------------------------------------------------

NOUMEA, RABAUL, OAHU, SAMOA = 135, 1630, 2860, 352
SENT = ("AA1 Amphibious group 1", "Hawaiian 24th Division", "Hawaiian 25th Division")


def in_noumea() -> State:
    """February 1942, when Japan wants Rabaul, and two divisions with a transport in Noumea."""
    g = start()
    g.month = 42
    for unit in SENT:
        g.units[unit].at = NOUMEA
    g.memo.forget()
    return g


def test_a_base_that_the_enemy_should_take_is_reinforced() -> None:
    g = in_noumea()
    plan = plan_of(g, ALLIES, "South Pacific", 20)
    assert plan is not None and plan.gain >= operations.LEAST_GAIN
    sent = [t for t in plan.tasks if t.goal == RABAUL]
    assert len(sent) == 1 and {*sent[0].troops} == {SENT[1]}, "one division sails, one stays"
    before = lost(g, ALLIES, RABAUL)
    assert before > lost(g, ALLIES, RABAUL, SENT[1:2]) and help_worth(g, ALLIES, NOUMEA, RABAUL, SENT[1:2]) == sent[0].worth
    for unit in SENT[1:]:
        g.units[unit].at = RABAUL
    g.memo.forget()
    assert in_danger(g, ALLIES)[RABAUL] < before * 2 * prizes(g, JAPAN)[RABAUL] // SURE, "less is lost with them there"


def test_troops_that_reinforce_keep_to_the_theatre_of_their_headquarters() -> None:
    g = in_noumea()
    assert relieved(g, ALLIES, NOUMEA, "Southwest Pacific") == RABAUL
    assert not relieved(g, ALLIES, NOUMEA, "Pacific Fleet") and SOERABAJA in in_danger(g, ALLIES)


def test_a_division_stays_where_a_headquarters_is() -> None:
    g = start()
    both = [u for u in g.ashore(ALLIES, OAHU) if g.counter(u).size == "division"]
    assert len(both) == 2 and len(spared(g, ALLIES, OAHU, both)) == 1
    assert spared(g, ALLIES, SAMOA, ["Samoa Marines"]) == ["Samoa Marines"]


def test_forces_of_an_operation_land_in_its_theatre() -> None:
    """Troops from Noumea that sail past the Indies do not land on Borneo."""
    g = start()
    g.operation = Operation("Southwest Pacific", 7, 0, 14)
    g.operator = ALLIES
    assert landfall._elsewhere(g, ALLIES, TARAKAN) and not landfall._elsewhere(g, ALLIES, RABAUL)
    assert not landfall._elsewhere(g, JAPAN, TARAKAN), "the reaction player goes wherever he can"


def test_a_course_leaves_a_double_coastline_on_the_side_on_which_it_enters() -> None:
    """The strait of Makassar: 3014 borders on two seas, and who enters it from 3015 does not come to 3114."""
    g = start()
    g.markers["A9"] = Marker(ALLIES, 3015)
    way = course(g, "A9", 3015, 3213)
    assert way is not None
    steps = [3015, *way]
    for came, at, following in zip(steps, steps[1:], steps[2:], strict=False):
        assert g.board.sails(at, following, came)


def test_nobody_lands_among_enemies_after_the_last_ground_combat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has no advantage moves after it: such troops kept an operation going for five months, for a point a week."""
    g, unit = start(), "Formosa Garrison"
    monkeypatch.setattr(land, "landing_from", lambda g, side, at: (TARAKAN, TARAKAN))
    g.operator, g.cycle = JAPAN, 7
    g.units[unit].at = TARAKAN
    for elapsed, advantage, lands in ((9, ALLIES, True), (13, JAPAN, True), (13, ALLIES, False)):
        g.operation, g.advantage = Operation("Southern Army", 38, 2, 14, elapsed), advantage
        assert bool([*land._ashore(g, unit)]) == lands
