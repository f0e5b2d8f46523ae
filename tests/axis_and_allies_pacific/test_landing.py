"""Aircraft: range over both phases, provable landings, carriers, stranded defenders, crashes."""

from __future__ import annotations

import pytest

from pbem.games.axis_and_allies_pacific.landing import Deck, find_decks, may_land, unprovable
from pbem.games.axis_and_allies_pacific.state import State, Unit
from pbem.games.axis_and_allies_pacific.stranded import return_and_strand
from pbem.kernel.flow import Ask
from tests.axis_and_allies_pacific.table import build, empty, engine_at, put, start
from tests.axis_and_allies_pacific.test_movement import COMBAT, NONCOMBAT, at_war, found, move, refused


def war() -> State:
    return at_war(empty(), "japan united-states")


def ring(g: State, zone: str, distance: int) -> list[str]:
    """Sea zones exactly so many sea moves away."""
    seen, edge = {zone}, [zone]
    for _ in range(distance):
        edge = sorted({z for s in edge for z in g.board.neighbours[s] if z in g.board.zones} - seen)
        seen.update(edge)
    return edge


def lonely(g: State, distance: int) -> tuple[str, str]:
    """A zone of open sea and another at this distance; all land but Tokyo is made hostile to Japan."""
    for territory in g.control:
        if territory != "japan" and g.control[territory] not in ("none", "soviet-union", "neutral"):
            g.control[territory] = "united-states"
    return "sz-26", ring(g, "sz-26", distance)[0]


# -- range ---------------------------------------------------------------------------------------------------------------


def test_a_bomber_keeps_enough_to_come_home() -> None:
    """[EX-07] Six spaces out leaves nothing for the way back."""
    g = war()
    g.control["midway"] = "united-states"
    put(g, "japan", "japan", "strategic-bomber")
    target = next(z for z in ring(g, "sz-6", 4))
    put(g, "united-states", target, "destroyer")
    engine = engine_at(g, "japan", COMBAT)
    refused(engine, {"move": {"units": {"strategic-bomber": 1}, "from": "japan", "to": target}}, "AIR-01")


def test_an_air_base_gives_one_more_space() -> None:
    """[EX-10] [BASE-01]"""
    for damage, legal in ((0, True), (3, False)):
        g = war()
        build(g, "japan", "air-base", damage)
        put(g, "japan", "japan", "fighter")
        engine = engine_at(g, "japan", NONCOMBAT)
        far = _land_at_distance(engine.state, "japan", 5)
        order = {"move": {"units": {"fighter": 1}, "from": "japan", "to": far}}
        if legal:
            engine.reply(order)
        else:
            refused(engine, order, "AIR-01")


def _land_at_distance(g: State, origin: str, distance: int) -> str:
    seen, edge = {origin}, [origin]
    for _ in range(distance):
        edge = sorted({s for here in edge for s in g.board.neighbours[here] if _flown(g, s)} - seen)
        seen.update(edge)
    return next(s for s in edge if s in g.board.territories and g.control[s] == "japan")


def _flown(g: State, space: str) -> bool:
    return space in g.board.zones or g.control[space] not in ("none", "soviet-union", "neutral")


def test_nobody_flies_over_soviet_or_neutral_land() -> None:
    g = empty()
    put(g, "japan", "manchuria", "strategic-bomber")
    engine = engine_at(g, "japan", NONCOMBAT)
    refused(engine, move("1 bomber from Manchuria to Korea via Amur"), "POL-SU-01")


def test_flying_tigers_stay_over_china() -> None:
    """[DX-28]"""
    g = empty()
    put(g, "china", "szechwan", "fighter")
    put(g, "japan", "sz-20", "transport")
    refused(engine_at(g, "china", COMBAT), move("1 fighter from Szechwan to SZ 20"), "CHN-06")


# -- proof ---------------------------------------------------------------------------------------------------------------


def carrier_raid(carriers: int = 1, distance: int = 4) -> tuple[State, str, str]:
    """Japanese fighters on carriers far from friendly land, an American destroyer at this distance."""
    g = war()
    here, there = lonely(g, distance)
    put(g, "japan", here, "aircraft-carrier", carriers)
    put(g, "japan", here, "fighter", 2 * carriers)
    put(g, "united-states", there, "destroyer")
    return g, here, there


def test_a_carrier_that_can_follow_proves_the_landing() -> None:
    """[AIR-02] Two zones out and two back, or the carrier comes to meet them."""
    g, here, there = carrier_raid(distance=2)
    engine = engine_at(g, "japan", COMBAT)
    engine.reply({"move": {"units": {"fighter": 2}, "from": here, "to": there}})
    engine.reply("done")


def test_all_movement_may_be_used_when_the_carrier_reaches_that_very_zone() -> None:
    """[AIR-02] [NCM-11] The zone is attacked, so the carrier may come there after the victory."""
    g, _, there = carrier_raid(distance=2)
    engine = engine_at(g, "japan", COMBAT)
    spent = {u.id: (there, 4) for u in engine.state.of("japan") if u.type == "fighter"}
    assert unprovable(engine.state, "japan", spent) == []


def test_beyond_the_carriers_reach_the_attack_is_refused() -> None:
    g, here, there = carrier_raid(distance=4)
    ship = next(u for u in g.units.values() if u.type == "aircraft-carrier")
    ship.damaged = True  # [E-04]
    engine = engine_at(g, "japan", COMBAT)
    refused(engine, {"move": {"units": {"fighter": 1}, "from": here, "to": there}}, "AIR-01")


def test_more_aircraft_than_deck_space_is_refused() -> None:
    """The whole set counts, not each aircraft alone."""
    g, here, there = carrier_raid(distance=2)
    put(g, "japan", here, "fighter", 1)
    put(g, "japan", here, "aircraft-carrier", 1, damaged=True)
    engine = engine_at(g, "japan", COMBAT)
    extra = max(u.id for u in engine.state.of("japan") if u.type == "fighter")
    moves = {u.id: (there, 2) for u in engine.state.of("japan") if u.type == "fighter"}
    assert len(moves) == 3 and extra in moves
    assert unprovable(engine.state, "japan", moves)


def test_a_carrier_that_must_stay_and_fight_is_no_landing_place_elsewhere() -> None:
    """[HSZ-01] [NCM-01] Enemy warships in its zone: what stays fights, and does not move afterwards."""
    g, here, there = carrier_raid(distance=3)
    put(g, "united-states", here, "cruiser")
    engine = engine_at(g, "japan", COMBAT)
    refused(engine, {"move": {"units": {"fighter": 1}, "from": here, "to": there}}, "AIR-01")


def test_land_taken_this_turn_is_no_landing_place() -> None:
    """[NCM-05]"""
    g = empty()
    put(g, "japan", "kiangsu", "tank")
    put(g, "japan", "kiangsu", "fighter")
    engine = engine_at(g, "japan", COMBAT)
    engine.reply(move("1 tank from Kiangsu to Hunan via Anhwe"))
    assert engine.state.control["anhwe"] == "japan"
    assert not may_land(engine.state, "japan", "anhwe")
    assert may_land(engine.state, "japan", "kiangsu")


def test_dutch_land_taken_over_this_turn_was_friendly_all_along() -> None:
    """[NCM-05] [AMB-DUTCH-AIR] Guardianship changes the controller, not the side."""
    g = empty()
    zone = g.board.coast("sumatra")[0]
    put(g, "anzac", zone, "transport")
    put(g, "anzac", zone, "infantry")
    cargo, ship = (next(u for u in g.units.values() if u.type == kind) for kind in ("infantry", "transport"))
    cargo.aboard = ship.id
    engine = engine_at(g, "anzac", NONCOMBAT)
    assert may_land(engine.state, "anzac", "sumatra")
    engine.reply({"unload": {"units": {"infantry": 1}, "from": zone, "to": "sumatra"}})
    assert engine.state.control["sumatra"] == "anzac"
    assert may_land(engine.state, "anzac", "sumatra")


def test_a_carrier_that_can_be_mobilized_is_a_landing_place() -> None:
    """[NCM-06]"""
    g = war()
    build(g, "japan", "major-ic")
    here = ring(g, "sz-6", 1)[0]
    put(g, "japan", "sz-6", "fighter", 2)
    engine = engine_at(g, "japan", NONCOMBAT)
    airborne = {u.id: ("sz-6", 4) for u in engine.state.of("japan")}
    assert here != "sz-6" and unprovable(engine.state, "japan", airborne)
    engine.state.purchased["japan"] = {"aircraft-carrier": 1}
    engine.state.places = None  # no event made this change
    assert unprovable(engine.state, "japan", airborne) == []


def test_a_crippled_complex_makes_no_carriers() -> None:
    """[MOB-02] Two carriers are bought, the complex can make one."""
    g = war()
    build(g, "japan", "minor-ic", 2)
    put(g, "japan", "sz-6", "fighter", 4)
    engine = engine_at(g, "japan", NONCOMBAT)
    engine.state.purchased["japan"] = {"aircraft-carrier": 2}
    fighters = [u.id for u in engine.state.of("japan")]
    assert unprovable(engine.state, "japan", dict.fromkeys(fighters, ("sz-6", 4)))
    engine.state.facilities["japan"][0].damage = 1
    engine.state.forget()
    assert unprovable(engine.state, "japan", dict.fromkeys(fighters, ("sz-6", 4))) == []


# -- the matching --------------------------------------------------------------------------------------------------------


def test_one_carrier_is_in_one_zone() -> None:
    decks = [Deck(2, {"a": 0, "b": 1})]
    assert find_decks([{"a": 0}, {"a": 0}], decks)
    assert not find_decks([{"a": 0}, {"b": 0}], decks)
    assert find_decks([{"a": 0}, {"b": 0}], [*decks, Deck(1, {"b": 0})])


def test_the_first_choice_is_not_the_last() -> None:
    """The fixed carrier must be left to the aircraft that reaches nothing else."""
    decks = [Deck(1, {"a": 0}), Deck(1, {"b": 0})]
    assert find_decks([{"a": 0, "b": 0}, {"a": 0}], decks)


def test_a_large_fleet_is_decided_exactly() -> None:
    """Twenty aircraft, ten carriers with many zones each; one deck too few is noticed as surely."""
    zones = {f"z{i}": i for i in range(12)}
    planes = [dict(zones) for _ in range(18)] + [{"x": 0}, {"x": 0}]
    assert find_decks(planes, [Deck(2, dict(zones)) for _ in range(9)] + [Deck(2, {**zones, "x": 0})])
    assert not find_decks(planes, [Deck(2, dict(zones)) for _ in range(10)])


# -- carriers ------------------------------------------------------------------------------------------------------------


def test_own_aircraft_stay_in_the_air_when_the_carrier_attacks() -> None:
    """[CVM-01]"""
    g, here, there = carrier_raid(distance=1)
    engine = engine_at(g, "japan", COMBAT)
    engine.reply({"move": {"units": {"aircraft-carrier": 1}, "from": here, "to": there}})
    assert found(engine.state, "japan", here) == {"fighter": 2}
    assert found(engine.state, "japan", there) == {"aircraft-carrier": 1}


def test_guests_stay_aboard_an_attacking_carrier() -> None:
    """[CVM-02]"""
    g = at_war(war(), "japan united-kingdom", "anzac japan")
    put(g, "united-states", "sz-26", "aircraft-carrier")
    put(g, "anzac", "sz-26", "fighter")
    put(g, "japan", "sz-25", "destroyer")
    engine = engine_at(g, "united-states", COMBAT)
    guest, ship = next(u for u in g.of("anzac")), next(u for u in g.of("united-states"))
    guest.aboard = ship.id
    engine.reply(move("1 carrier from SZ 26 to SZ 25"))
    assert (guest.at, guest.aboard) == ("sz-25", ship.id)


def test_after_a_landing_on_a_carrier_both_stay() -> None:
    """[NCM-07]"""
    g = war()
    put(g, "japan", "sz-6", "aircraft-carrier")
    put(g, "japan", "korea", "fighter")
    engine = engine_at(g, "japan", NONCOMBAT)
    engine.reply(move("1 fighter from Korea to SZ 6"))
    assert next(u for u in engine.state.of("japan") if u.type == "fighter").aboard
    refused(engine, move("1 carrier from SZ 6 to SZ 5"), "NCM-07")
    refused(engine, move("1 fighter from SZ 6 to Japan"), "NCM-07")


def test_a_carrier_is_no_booster_in_noncombat() -> None:
    """[NCM-07] [NCM-08] What sailed along with its carrier does not take off with full tanks."""
    g = war()
    put(g, "japan", "sz-6", "aircraft-carrier")
    put(g, "japan", "sz-6", "fighter", 2)
    engine = engine_at(g, "japan", NONCOMBAT)
    engine.reply(move("1 carrier from SZ 6 to SZ 5"))
    assert found(engine.state, "japan", "sz-5") == {"aircraft-carrier": 1, "fighter": 2}
    refused(engine, move("1 fighter from SZ 5 to Japan"), "NCM-07")
    engine.reply(move("1 carrier from SZ 5 to SZ 4"))
    assert found(engine.state, "japan", "sz-4") == {"aircraft-carrier": 1, "fighter": 2}


def test_a_carrier_comes_for_those_in_the_air() -> None:
    """[NCM-11]"""
    g = war()
    here, there = lonely(g, 1)
    put(g, "japan", there, "fighter")
    plane = next(iter(g.units.values()))
    put(g, "japan", here, "aircraft-carrier")
    engine = engine_at(g, "japan", NONCOMBAT)
    engine.reply({"move": {"units": {"aircraft-carrier": 1}, "from": here, "to": there}})
    engine.reply("done")
    assert plane.id in engine.state.units and engine.state.units[plane.id].aboard


def test_who_finds_no_landing_is_lost() -> None:
    """[NCM-08] [DX-20]"""
    g = war()
    here, _ = lonely(g, 1)
    put(g, "japan", here, "fighter")
    put(g, "japan", here, "aircraft-carrier", damaged=True)
    engine = engine_at(g, "japan", NONCOMBAT)
    next(u for u in engine.state.of("japan") if u.type == "fighter").aboard = None
    engine.reply("done")
    assert found(engine.state, "japan", here) == {"damaged aircraft-carrier": 1}


# -- stranded defenders --------------------------------------------------------------------------------------------------


def stranded(damaged: bool, fought: bool) -> tuple[State, Unit]:
    g = war()
    put(g, "japan", "sz-6", "aircraft-carrier", damaged=damaged)
    put(g, "japan", "sz-6", "fighter")
    ship, plane = g.units.values()
    plane.aboard, plane.fought = ship.id, fought
    return g, plane


@pytest.mark.parametrize(("damaged", "fought", "asked"), [(True, True, True), (True, False, False), (False, True, False)])
def test_only_a_carrier_hit_in_combat_strands_its_aircraft(damaged: bool, fought: bool, asked: bool) -> None:
    """[NCM-03] [E-04] Cargo of a carrier damaged long ago has not taken off."""
    g, plane = stranded(damaged, fought)
    request = next(return_and_strand(g, "united-states"), None)
    assert isinstance(request, Ask) == asked
    if isinstance(request, Ask):
        assert request.seat == "japan" and {"land": "japan"} in request.options()
    assert plane.id in g.units


def test_a_stranded_aircraft_without_a_home_is_lost() -> None:
    """[DX-21]"""
    g = war()
    here, _ = lonely(g, 1)
    put(g, "japan", here, "fighter")
    assert next(return_and_strand(g, "united-states"), None) is None
    assert found(g, "japan", here) == {}


def test_scrambled_aircraft_return_first() -> None:
    """[SCR-04] [SCR-05]"""
    for holder, at in (("japan", "okinawa"), ("united-states", "")):
        g = war()
        zone = g.board.coast("okinawa")[0]
        for territory in g.board.territories:
            if g.control[territory] == "japan":
                g.control[territory] = holder if territory == "okinawa" else "united-states"
        put(g, "japan", zone, "fighter")
        plane = next(iter(g.units.values()))
        plane.role, plane.came_from = "scramble", "okinawa"
        assert next(return_and_strand(g, "united-states"), None) is None
        assert (g.units[plane.id].at if plane.id in g.units else "") == at


def test_options_of_a_full_board_are_quick_and_land_everybody() -> None:
    g = at_war(start(), "japan united-states", "japan united-kingdom", "anzac japan")
    engine = engine_at(g, "japan", COMBAT)
    assert isinstance(engine.request, Ask)
    flights = [o for o in engine.request.options() if isinstance(o, dict) and "fighter" in str(o)]
    engine.reply(flights[0])
    engine.reply("done")
