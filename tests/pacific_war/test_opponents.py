"""How the bot goes to war: its first operation, fleets that fight and come home, raids, the timetable, its own view."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.games.pacific_war import bot
from pbem.games.pacific_war.bot import raids, war
from pbem.games.pacific_war.bot.ground_war import prizes
from pbem.games.pacific_war.bot.harbours import refuge
from pbem.games.pacific_war.bot.hunting import prey
from pbem.games.pacific_war.bot.operations import LAST_OPERATION, best_plan, plan_of, raid_plans, ready
from pbem.games.pacific_war.bot.sea import destination
from pbem.games.pacific_war.bot.timetable import in_theatre, timetable, wanted
from pbem.games.pacific_war.records import Marker
from pbem.games.pacific_war.state import ALLIES, JAPAN, SIDES
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Simultaneous
from pbem.kernel.wording import msg
from tests.pacific_war import opponents, table
from tests.pacific_war.test_bot import position

FLEETS = (
    "SCENARIO guadalcanal",
    "HQ South Seas: japan 2432 40",
    "MARK operator japan",
    "MARK cycle 2",
)
LONG, SHORT = "OPERATION South Seas: start 0 days 14 elapsed 2", "OPERATION South Seas: start 0 days 14 elapsed 12"


def test_battleships_go_for_a_cruiser_and_a_cruiser_does_not_go_for_battleships() -> None:
    g = position(
        *FLEETS, LONG, "FLEET J9 1332: BB8 Hiei, BB9 Kirishima", "FLEET A9 1234: CL5 San Juan", "START movement true"
    ).state
    assert prey(g, JAPAN, g.members("J9"), 1332) == 1234 == destination(g, JAPAN, "J9", 1332)
    assert not prey(g, ALLIES, g.members("A9"), 1234)


def test_carriers_go_for_carriers_that_they_match() -> None:
    deck = ("FLEET A9 1134: CV3 Yorktown", "FLEET J9 1437: CV5 Shokaku, CV6 Zuikaku")
    g = position(*FLEETS, LONG, *deck, "ABOARD CV3 Yorktown: Yorktown air group", "START movement true").state
    assert prey(g, JAPAN, g.members("J9"), 1437) == 1134, "two against one"
    assert not prey(g, ALLIES, g.members("A9"), 1134), "one against two"


def test_ships_turn_for_home_while_there_is_time() -> None:
    for time, out in ((LONG, True), (SHORT, False)):
        ships = ("FLEET J9 1332: BB8 Hiei, BB9 Kirishima", "FLEET A9 1234: CL5 San Juan")
        g = position(*FLEETS, time, *ships, "START movement true").state
        assert (destination(g, JAPAN, "J9", 1332) == 1234) == out


def test_pearl_harbor_can_be_raided_and_the_raiders_come_home() -> None:
    """Six carriers promise more there than at any other base, and there is a linked anchorage within five hexes."""
    g = table.begin("strategic-1941").state
    decks = [u for u in g.on_map(JAPAN, "naval") if g.is_carrier(u) and g.units[u].at == 4638]
    wings = [u for s in decks for u in g.air_aboard(s)]
    found = sorted(raids.targets(g, JAPAN, wings, 4638, raids.FAR_BY_SURPRISE), reverse=True)
    assert found[0][1] == 2860
    plans = [p for p in raid_plans(g, JAPAN, "Combined Fleet", 24, ready(g, JAPAN, "Combined Fleet")) if {*decks} <= {*p.units}]
    assert 2860 in {t.goal for p in plans for t in p.tasks} and refuge(g, JAPAN, 2860)
    assert not [*raid_plans(g, JAPAN, "Northern", 60, ready(g, JAPAN, "Northern"))]


def test_the_first_operation_is_of_the_southern_army_or_the_fleet_at_its_price() -> None:
    engine, dice = table.begin("strategic-1941"), random.Random(7)
    while not (isinstance(engine.request, Ask) and engine.request.kind == "activate"):
        request = engine.request
        if isinstance(request, Simultaneous):
            engine.reply({a.seat: bot.choose(engine.state, a) for a in request.asks})
        elif isinstance(request, Ask):
            engine.reply(request.forced if request.forced is not None else bot.choose(engine.state, request))
        else:
            assert request is not None
            engine.reply(table.chance(request, dice))
    order: Any = bot.choose(engine.state, engine.request)
    assert engine.request.seat == JAPAN and order["activate"]["hq"] in opponents.OPENERS
    bid = int(str(engine.request.facts["bid"]))
    plan = plan_of(engine.state, JAPAN, order["activate"]["hq"], bid)
    assert plan is not None and 5 * bid <= 6 * plan.price


def test_a_region_is_left_alone_until_its_month() -> None:
    g = table.begin("strategic-1941").state
    calcutta, mukden, manila = 5611, 5029, 3819
    assert calcutta not in prizes(g, JAPAN) and mukden not in prizes(g, ALLIES)
    early = prizes(g, JAPAN)[manila]
    g.month = 36
    g.memo.forget()
    assert calcutta in prizes(g, JAPAN) and prizes(g, JAPAN)[manila] > early


def test_the_army_in_china_plans_nothing_overseas() -> None:
    g = table.begin("strategic-1941").state
    assert not in_theatre(g, "China Army", 3819) and in_theatre(g, "Southern Army", 3819)
    plan = best_plan(g, JAPAN, {"China Army": 60, "Southern Army": 60})
    assert plan is not None and plan.hq == "Southern Army"


def test_the_timetable_names_hexes_and_regions_of_the_map() -> None:
    g = table.begin("strategic-1941").state
    for side in SIDES:
        for goal in timetable().goals[side]:
            assert g.board.on_map(goal.place) and goal.begin >= goal.by and goal.why
        for closed in timetable().closed[side]:
            assert g.board.region(closed.region) and closed.why
    assert {*timetable().theatres} <= {*g.hqs}


def test_what_is_sealed_changes_no_orders() -> None:
    """Two openings of Guadalcanal with sealed forces: what the enemy has behind his markers is permuted between two moments."""
    engine, dice, asked = table.begin("guadalcanal", forces="sealed", land="sealed"), random.Random(5), 0
    for _ in range(400):
        g, request = engine.state, engine.request
        asks = request.asks if isinstance(request, Simultaneous) else (request,) if isinstance(request, Ask) else ()
        answers = {a.seat: bot.choose(g, a) for a in asks}
        for a in asks:
            hidden = [u for u, x in g.units.items() if x.box == "sealed" and g.side(u) != a.seat]
            places = [g.units[u].at for u in hidden]
            if len(set(places)) < 2:
                continue
            for unit, place in zip(hidden, reversed(places), strict=True):
                g.units[unit].at = place
            g.memo.forget()
            assert bot.choose(g, a) == answers[a.seat], a.kind
            for unit, place in zip(hidden, places, strict=True):
                g.units[unit].at = place
            g.memo.forget()
            asked += 1
        if isinstance(request, Simultaneous):
            engine.reply(answers)
        elif isinstance(request, Ask):
            engine.reply(request.forced if request.forced is not None else answers[request.seat])
        else:
            assert request is not None
            engine.reply(table.chance(request, dice))
    assert asked > 20


def test_a_game_is_measured() -> None:
    """A year before Guadalcanal falls ships have been sunk, none was given up at sea, and the same seed is the same game."""
    one, other = (opponents.played(4, "guadalcanal", 2) for _ in range(2))
    assert one.operations == other.operations and one.sunk == other.sunk and not one.stranded
    assert opponents.lines([one])


# -- the Allies' war -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "place"),
    [
        ("CV3 Yorktown", 2860),
        ("AA3 Amphibious group 3", 135),  # transports come where their troops do
        ("Americal Division", 135),
        ("7th Australian Division", 722),
        ("BB31 Warspite", 5502),
    ],
)
def test_reinforcements_arrive_in_the_theatre_of_their_nation(unit: str, place: int) -> None:
    g = table.begin("strategic-1941").state
    assert war.arrive(g, asked("arrive", unit=unit))[0] == {"arrive": place}


def test_troops_are_shipped_within_their_theatre_and_not_out_of_what_the_enemy_goes_for() -> None:
    g = table.begin("strategic-1941").state
    rear = war._rear(g, ALLIES)
    assert "Samoa Marines" in rear and "Lark Force" not in rear and g.units["Lark Force"].at in wanted(JAPAN)
    assert not war._in_its_theatre(g, "Samoa Marines", 3314) and war._in_its_theatre(g, "Samoa Marines", 135)
    assert war._in_its_theatre(g, "Guards Division", 135)  # of Japan nothing is said


def test_the_last_operation_of_a_month_is_bid_for_with_all_that_would_be_lost() -> None:
    g = table.begin("strategic-1941").state
    g.hqs["Southern Army"].points = 80
    plan = plan_of(g, JAPAN, "Southern Army", 80)
    assert plan is not None and war.bid(g, JAPAN, 80) == plan.price < 80
    for day, all_of_it in ((LAST_OPERATION, False), (LAST_OPERATION + 1, True)):
        g.day = day
        g.memo.forget()
        assert (war.bid(g, JAPAN, 80) == 80) == all_of_it


def test_from_february_on_the_allies_gather_their_points_for_one_operation() -> None:
    """A bid is paid by one headquarters; before the points stay with the fleet, to react."""
    g = table.begin("strategic-1941").state
    for month, shares in ((44, {"SEAC": 1, "Pacific Fleet": 39}), (42, {"SEAC": 40})):
        g.month = month
        g.memo.forget()
        assert war.allocate(g, asked("allocate", points=40)) == [{"allocate": shares}]


def test_airfields_near_japan_are_made_large_when_bombers_can_use_them() -> None:
    """Cebu lies within their reach and is Japanese before they come."""
    g = table.begin("strategic-1941").state
    build: Plain = {"build": {"what": "upgrade", "at": 3419, "hq": "SEAC"}}
    ask = replace(asked("engineering"), options=lambda: [build])
    for month, built in ((43, False), (24, True)):
        g.month = month
        assert (build in war.engineering(g, ask)) == built
        assert bool([*war._engineers(g, ALLIES)]) == built


def test_two_carriers_meet_one_and_leave_six_alone() -> None:
    g = table.begin("strategic-1941").state
    g.hqs["Pacific Fleet"].points = 30
    six = [u for u in g.on_map(JAPAN, "naval") if g.is_carrier(u) and g.units[u].at == 4638]
    alone = next(u for u in g.on_map(JAPAN, "naval") if g.counter(u).type == "DD")  # whom they could meet all the same
    g.markers["J2"], g.units[alone].tf, g.units[alone].at = Marker(JAPAN, 2957), "J2", 2957
    for number, sails in ((6, False), (1, True)):
        g.markers["J1"] = Marker(JAPAN, 3056)
        for u in six:
            g.units[u].tf = "J1" if u in six[:number] else ""
            g.units[u].at = 3056 if u in six[:number] else 4638
            for wing in g.air_aboard(u):
                g.units[wing].at = g.units[u].at
        g.memo.forget()
        orders = [o["activate"]["units"] for o in war.react(g, ALLIES) if isinstance(o, dict)]
        fleet = [u for u in orders[0] if g.counter(u).kind == "naval"] if orders else []
        assert ("CV1 Lexington" in fleet) == sails
        assert any(not g.is_carrier(u) for u in fleet) == sails, "with an escort"


def asked(kind: str, seat: str = ALLIES, **facts: Plain) -> Ask:
    """A question with these facts, of which nothing else is looked at."""
    return Ask(seat, kind, "", msg(""), lambda plain: plain, facts=facts)
