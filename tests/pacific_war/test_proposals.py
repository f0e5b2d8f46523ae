"""What questions propose: the ways off the map [PW-EXT-01], reserves of command points [PW-CMD-05]."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.pacific_war.month.upkeep import strategic_transport, voyages
from pbem.games.pacific_war.secret.fleets import offer_show
from pbem.games.pacific_war.state import ALLIES, JAPAN
from pbem.games.pacific_war.veils import Concealed
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Simultaneous
from pbem.kernel.forms import Partial
from tests.case_driver import Case
from tests.generic.test_forms import form_at_hand, values
from tests.pacific_war import table
from tests.pacific_war.stage import GameStage


def stage(*setup: str) -> GameStage:
    """A position in the words of the case files."""
    return GameStage(Case("", "", [], list(setup), []))


def proposed(*setup: str) -> list[Any]:
    """What the first question after a set-up proposes."""
    played = stage(*setup)
    played.run()
    assert isinstance(played.engine.request, Ask)
    return list(played.engine.request.options())


FLEETS = (
    "FLEET A9 0134: CA3 Minneapolis",
    "FLEET A7 0234: CA1 Australia",
    "MARK operator allies",
    "MARK advantage allies",
    "START movement true",
)


def test_a_task_force_on_an_edge_may_sail_off_one_inside_may_not() -> None:
    found = proposed("MARK level campaign", *FLEETS)
    assert {"sail": {"A9": "off"}} in found and {"sail": {"A7": "off"}} not in found


def test_shipping_is_proposed_to_every_port_before_one_is_proposed_again() -> None:
    pairs = [*voyages(["A", "B"], [1, 2, 3])]
    assert pairs[:3] == [("A", 1), ("B", 2), ("A", 3)] and sorted(pairs) == [(u, port) for u in "AB" for port in (1, 2, 3)]


def test_twelve_shipments_do_not_lead_to_one_port() -> None:
    ports = {next(iter(order["ship"].values())) for order in shipments("strategic-1941") if order != "done"}
    assert len(ports) > 6


def shipments(scenario: str) -> list[Any]:
    """What the first question about transport of a scenario proposes."""
    engine = table.begin(scenario)
    flow = strategic_transport(engine.state)
    asked = next(flow)
    assert isinstance(asked, Ask) and asked.kind == "transport"
    return list(asked.options())


def test_nobody_sails_off_in_a_battle() -> None:
    assert {"sail": {"A9": "off"}} not in proposed(*FLEETS)


def test_allied_troops_may_leave_by_the_south_edge() -> None:
    assert {"leave": "30th Brigade"} in proposed("UNITS 0118: 30th Brigade", "MARK level campaign", "START movement false")


def test_japanese_troops_may_leave_for_india_when_they_are_linked() -> None:
    march = ("STRATEGIC", "UNITS 5806: 144th Regiment", "MARK ledger {home 4333: 50}", "START movement true")
    burma = ("HQ Burma Army: japan 5708 0", "PORT 5708: japan")
    assert {"leave": "144th Regiment"} in proposed(*burma, *march)
    assert {"leave": "144th Regiment"} not in proposed(*march)


@pytest.mark.parametrize(("month", "reserves"), [(2, 1), (1, 0)])
def test_a_reserve_is_proposed_only_while_a_month_follows(month: int, reserves: int) -> None:
    engine = stage("SCENARIO strategic-1941", f"MARK month {month}", "START command-points").set_up()
    engine.reply([5])  # Allied command points
    assert isinstance(engine.request, Simultaneous)
    ask = next(a for a in engine.request.asks if a.seat == ALLIES)
    found = list(ask.options())
    for order in found:
        ask.read(order)
    assert sum("reserve" in str(order) for order in found) == reserves


def test_hidden_troops_may_be_shown_before_barges_go() -> None:
    g = stage("MARK level campaign", "OPTION land sealed", "UNITS 1630: 144th Regiment inactive").set_up().state
    emit(g, Concealed(JAPAN, ("144th Regiment",), "PW-FOG-01"))
    ask = next(offer_show(g, JAPAN, "PW-OPT-18"))
    assert isinstance(ask, Ask) and ask.facts["phase"] == "barges" and {"show": "1630"} in list(ask.options())


def test_own_troops_that_were_lost_and_aircraft_out_of_play_are_picked_to_be_rebuilt() -> None:
    """The form shows them before anything is read as an order."""
    hub = ("MARK level campaign", "MARK ledger {home 4333: 100}", "HQ South Seas: japan 1630 0", "PORT 1630: japan")
    lost = ("BOX eliminated: 7th Engineers, 25th Flotilla bombers, 5th Marine Regiment", "BOX due: 30th Brigade")
    here = ("UNITS 1630: 144th Regiment less 1, 25th Flotilla fighters less 1", 'MARK pools {japan: {ground: 3, "air 1": 6}}')
    engine = stage("COUNTERS guadalcanal", *hub, "AIRFIELD 1630: japan large", *here, *lost, "START replacements").set_up()
    found = set(values(form_at_hand(engine).step(Partial("rebuild")), "unit"))
    of_level_1 = {"Tainan air group", "Hiyo air group", "25th Flotilla bombers", "26th Flotilla bombers"}
    assert found == {"7th Engineers", "26th Flotilla fighters"} | of_level_1


def test_no_mission_is_proposed_twice_whether_one_unit_can_fly_it_or_three() -> None:
    base = ("AIRFIELD 1630: japan large", "AIRFIELD 1426: allies small", "PORT 1330: allies")
    for wing in ("25th Flotilla bombers", "25th Flotilla bombers, Tainan air group, 25th Flotilla fighters"):
        found = proposed(*base, f"UNITS 1630: {wing}", "UNITS 1426: Townsville Catalinas", "START air-phase japan true")
        assert any("strike" in str(order) for order in found)
        assert all(found.count(order) == 1 for order in found), wing
