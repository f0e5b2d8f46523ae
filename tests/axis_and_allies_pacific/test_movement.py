"""Combat and noncombat moves: what is legal, which rule a refusal cites, what happens on the way."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Ask, Roll
from pbem.kernel.orders import Rejected
from pbem.kernel.records import from_plain, to_plain
from tests.axis_and_allies_pacific.table import build, empty, engine_at, kinds, put, start

COMBAT, NONCOMBAT = "combat-move", "noncombat-move"


def at_war(g: State, *pairs: str) -> State:
    g.wars = sorted({*g.wars, *pairs})
    return g


def refused(engine: Engine, order: Plain, rule: str) -> None:
    """The order is refused for this rule and leaves the state as it was."""
    before = engine.state_hash()
    with pytest.raises(Rejected) as why:
        engine.reply(order)
    assert rule in {p.rule for p in why.value.problems}, str(why.value)
    assert engine.state_hash() == before


def found(g: State, power: str, space: str) -> dict[str, int]:
    return kinds(u for u in g.at(space) if u.owner == power)


def move(text: str) -> Plain:
    return {"move": text}


def asked(engine: Engine) -> str:
    return engine.request.kind if isinstance(engine.request, Ask) else ""


# -- land ----------------------------------------------------------------------------------------------------------------


def test_land_units_move_into_hostile_land_and_not_into_friendly() -> None:
    g = empty()
    put(g, "japan", "kiangsu", "infantry", 3)
    engine = engine_at(g, "japan", COMBAT)
    refused(engine, move("1 infantry from Kiangsu to Shantung"), "CM-01")
    engine.reply(move("2 infantry from Kiangsu to Anhwe"))
    assert found(engine.state, "japan", "anhwe") == {"infantry": 2}
    refused(engine, move("2 infantry from Kiangsu to Kiangsi"), "CM-10")


def test_peace_keeps_land_units_out() -> None:
    g = empty()
    put(g, "japan", "kwangsi", "infantry", 2)
    put(g, "united-kingdom", "burma", "infantry", 2)
    engine = engine_at(g, "japan", COMBAT)
    refused(engine, move("1 infantry from Kwangsi to Kwangtung"), "POL-JP-03")
    engine.reply({"declare war": "united-kingdom"})
    engine.reply(move("1 infantry from Kwangsi to Kwangtung"))
    refused(engine, {"declare war": "united-states"}, "POL-JP-03")


def test_a_tank_that_met_the_enemy_stops() -> None:
    """[CM-06] Neither in one order nor in two."""
    g = empty()
    put(g, "japan", "kiangsu", "tank", 1)
    put(g, "china", "anhwe", "infantry", 1)
    engine = engine_at(g, "japan", COMBAT)
    refused(engine, move("1 tank from Kiangsu to Hunan via Anhwe"), "BLZ-04")
    engine.reply(move("1 tank from Kiangsu to Anhwe"))
    refused(engine, move("1 tank from Anhwe to Hunan"), "CM-06")


def test_blitz_captures_the_first_territory() -> None:
    g = empty()
    put(g, "japan", "kiangsu", "tank", 1)
    put(g, "japan", "kiangsu", "mechanized-infantry", 2)
    engine = engine_at(g, "japan", COMBAT)
    refused(engine, move("1 tank, 2 mech from Kiangsu to Hunan via Anhwe"), "BLZ-02")
    refused(engine, move("1 mech from Kiangsu to Hunan via Anhwe"), "BLZ-02")
    engine.reply(move("1 tank, 1 mech from Kiangsu to Hunan via Anhwe"))
    assert engine.state.control["anhwe"] == "japan"
    assert engine.state.control["hunan"] == "china"
    engine.reply("done")


def test_a_blitz_in_two_orders_also_captures() -> None:
    g = empty()
    put(g, "japan", "kiangsu", "tank", 1)
    put(g, "japan", "kiangsu", "infantry", 1)
    engine = engine_at(g, "japan", COMBAT)
    engine.reply(move("1 tank, 1 infantry from Kiangsu to Anhwe"))
    assert engine.state.control["anhwe"] == "china"
    engine.reply(move("1 tank from Anhwe to Hunan"))
    assert engine.state.control["anhwe"] == "japan"


def test_a_blitz_may_end_in_friendly_land() -> None:
    """[CM-05] The tank comes back home through what it took."""
    g = empty()
    put(g, "japan", "kiangsu", "tank", 1)
    engine = engine_at(g, "japan", COMBAT)
    engine.reply(move("1 tank from Kiangsu to Shantung via Anhwe"))
    engine.reply("done")
    assert engine.state.control["anhwe"] == "japan"


def test_facilities_stop_a_blitz() -> None:
    g = empty()
    put(g, "japan", "kiangsu", "tank", 1)
    build(g, "anhwe", "air-base")
    refused(engine_at(g, "japan", COMBAT), move("1 tank from Kiangsu to Hunan via Anhwe"), "BLZ-04")


def test_aa_guns_wait_for_noncombat() -> None:
    g = empty()
    put(g, "japan", "kiangsu", "aa-gun", 1)
    refused(engine_at(g, "japan", COMBAT), move("1 aa from Kiangsu to Anhwe"), "NCM-04")
    g = empty()
    put(g, "japan", "kiangsu", "aa-gun", 1)
    engine = engine_at(g, "japan", NONCOMBAT)
    engine.reply(move("1 aa from Kiangsu to Shantung"))
    assert found(engine.state, "japan", "shantung") == {"aa-gun": 1}


def test_chinese_units_stay_in_china_but_for_two_territories() -> None:
    g = at_war(empty(), "china japan")
    g.control["kwangtung"] = g.control["french-indo-china"] = "japan"
    put(g, "china", "kwangsi", "infantry", 2)
    g.control["kwangsi"] = "china"
    engine = engine_at(g, "china", COMBAT)
    refused(engine, move("1 infantry from Kwangsi to French Indo-China"), "CHN-05")
    engine.reply(move("1 infantry from Kwangsi to Kwangtung"))


def test_noncombat_land_moves_are_through_friendly_land_only() -> None:
    g = empty()
    put(g, "japan", "kiangsu", "tank", 1)
    engine = engine_at(g, "japan", NONCOMBAT)
    refused(engine, move("1 tank from Kiangsu to Anhwe"), "NCM-04")
    engine.reply(move("1 tank from Kiangsu to Jehol"))
    refused(engine, move("1 tank from Jehol to Manchuria"), "CM-10")


def test_attacking_a_neutral_brings_out_its_garrison() -> None:
    g = empty()
    neutral = next(t for t in g.board.territories.values() if t.owner == "neutral" and t.garrison)
    beside = next(n for n in g.board.neighbours[neutral.id] if g.control.get(n, "none") not in ("neutral", "none"))
    g.control[beside] = "japan"
    put(g, "japan", beside, "infantry", 1)
    engine = engine_at(g, "japan", COMBAT)
    engine.reply({"move": {"units": {"infantry": 1}, "from": beside, "to": neutral.id}})
    engine.reply("done")
    assert engine.state.allegiance[neutral.id] == "allies"
    assert found(engine.state, "neutral", neutral.id) == {"infantry": neutral.garrison}


# -- sea -----------------------------------------------------------------------------------------------------------------


def at_sea() -> State:
    return at_war(empty(), "japan united-states")


def test_a_destroyer_stops_where_a_submarine_passes() -> None:
    """[EX-04]"""
    g = at_sea()
    put(g, "japan", "sz-6", "cruiser")
    via = next(z for z in g.board.coast("japan"))
    assert via == "sz-6"
    here, there = [z for z in g.board.neighbours["sz-6"] if z in g.board.zones][:2]
    put(g, "united-states", here, "destroyer")
    put(g, "united-states", here, "submarine")
    engine = engine_at(g, "united-states", COMBAT)
    way = {"from": here, "to": there, "via": ["sz-6"]}
    refused(engine, {"move": {"units": {"destroyer": 1}, **way}}, "CM-12")
    engine.reply({"move": {"units": {"submarine": 1}, **way}})
    engine.reply({"move": {"units": {"destroyer": 1}, "from": here, "to": "sz-6"}})
    refused(engine, {"move": {"units": {"destroyer": 1}, "from": "sz-6", "to": there}}, "CM-12")


def test_a_submarine_stops_at_a_destroyer() -> None:
    g = at_sea()
    put(g, "japan", "sz-6", "destroyer")
    here, there = [z for z in g.board.neighbours["sz-6"] if z in g.board.zones][:2]
    put(g, "united-states", here, "submarine")
    way = {"from": here, "to": there, "via": ["sz-6"]}
    for phase in (COMBAT, NONCOMBAT):
        state = from_plain(State, to_plain(g))
        state.board = g.board
        refused(engine_at(state, "united-states", phase), {"move": {"units": {"submarine": 1}, **way}}, "SUBM-02")


def test_ships_at_peace_do_not_stop_anybody() -> None:
    """[SPACE-04] [AMB-NOTATWAR]"""
    g = empty()
    put(g, "japan", "sz-6", "battleship")
    here, there = [z for z in g.board.neighbours["sz-6"] if z in g.board.zones][:2]
    put(g, "united-states", here, "destroyer")
    engine = engine_at(g, "united-states", NONCOMBAT)
    engine.reply({"move": {"units": {"destroyer": 1}, "from": here, "to": there, "via": ["sz-6"]}})


def test_a_combat_move_leads_to_combat() -> None:
    g = at_sea()
    put(g, "united-states", "sz-26", "destroyer")
    engine = engine_at(g, "united-states", COMBAT)
    engine.reply(move("1 destroyer from SZ 26 to SZ 25"))
    refused(engine, "done", "CM-05")


def test_entering_a_zone_with_enemy_submarines_is_a_combat_move() -> None:
    g = at_sea()
    put(g, "united-states", "sz-26", "destroyer")
    put(g, "japan", "sz-25", "submarine")
    engine = engine_at(g, "united-states", COMBAT)
    engine.reply(move("1 destroyer from SZ 26 to SZ 25"))
    engine.reply({"engage": "submarines in SZ 25"})
    refused(engine, {"engage": "transports in SZ 25"}, "CM-11")
    engine.reply("done")
    assert engine.state.engaged == {"sz-25": ["submarines"]}


def test_transports_alone_engage_nobody() -> None:
    g = at_sea()
    put(g, "united-states", "sz-25", "transport")
    put(g, "japan", "sz-25", "submarine")
    refused(engine_at(g, "united-states", COMBAT), {"engage": "submarines in SZ 25"}, "CM-11")


def test_ships_may_leave_a_hostile_zone_without_fighting_and_then_stay() -> None:
    """[HSZ-01] [HSZ-02]"""
    g = at_sea()
    put(g, "united-states", "sz-26", "transport")
    put(g, "united-states", "hawaiian-islands", "infantry")
    put(g, "japan", "sz-26", "destroyer")
    engine = engine_at(g, "united-states", COMBAT)
    refused(engine, {"load": "1 infantry from Hawaiian Islands in SZ 26"}, "HSZ-01")
    engine.reply(move("1 transport from SZ 26 to SZ 25"))
    engine.reply("done")
    assert asked(engine) == NONCOMBAT
    refused(engine, move("1 transport from SZ 25 to SZ 24"), "NCM-01")


def test_a_ship_that_came_back_to_the_enemy_stays() -> None:
    """[HSZ-01] Leave, come back and fight: the zone is then like any other with an enemy fleet."""
    g = at_sea()
    put(g, "united-states", "sz-26", "transport")
    build(g, "hawaiian-islands", "naval-base")
    put(g, "japan", "sz-26", "destroyer")
    engine = engine_at(g, "united-states", COMBAT)
    engine.reply(move("1 transport from SZ 26 to SZ 25"))
    engine.reply(move("1 transport from SZ 25 to SZ 26"))
    refused(engine, move("1 transport from SZ 26 to SZ 25"), "TRN-01")


def test_a_naval_base_gives_one_more_zone() -> None:
    for damage, legal in ((0, True), (3, False)):
        g = at_sea()
        build(g, "hawaiian-islands", "naval-base", damage)
        put(g, "united-states", "sz-26", "submarine")
        engine = engine_at(g, "united-states", NONCOMBAT)
        order = move("1 submarine from SZ 26 to SZ 16 via SZ 25, SZ 15")
        if legal:
            engine.reply(order)
        else:
            refused(engine, order, "CM-10")


def test_noncombat_ships_keep_out_of_hostile_zones() -> None:
    g = at_sea()
    put(g, "united-states", "sz-26", "destroyer")
    put(g, "united-states", "sz-26", "submarine")
    put(g, "japan", "sz-25", "cruiser")
    engine = engine_at(g, "united-states", NONCOMBAT)
    refused(engine, move("1 destroyer from SZ 26 to SZ 25"), "NCM-09")
    engine.reply(move("1 submarine from SZ 26 to SZ 25"))


# -- transports ----------------------------------------------------------------------------------------------------------


def invasion() -> Engine:
    g = at_sea()
    put(g, "japan", "sz-6", "transport", 1)
    put(g, "japan", "sz-6", "destroyer", 1)
    put(g, "japan", "japan", "infantry", 2)
    put(g, "japan", "japan", "artillery", 2)
    g.control["philippines"] = "united-states"
    return engine_at(g, "japan", COMBAT)


def test_what_a_transport_carries() -> None:
    engine = invasion()
    refused(engine, {"load": "2 artillery from Japan in SZ 6"}, "TRN-02")
    engine.reply({"load": "1 infantry, 1 artillery from Japan in SZ 6"})
    refused(engine, {"load": "1 infantry from Japan in SZ 6"}, "TRN-02")


def test_cargo_loaded_in_combat_move_must_land() -> None:
    engine = invasion()
    engine.reply({"load": "1 infantry from Japan in SZ 6"})
    refused(engine, "done", "TRN-03")


def test_an_announced_assault_holds_the_transport() -> None:
    engine = invasion()
    target = next(t for t in ("iwo-jima", "okinawa") if t in engine.state.board.territories)
    zone = engine.state.board.coast(target)[0]
    engine.state.control[target] = "united-states"
    engine.reply({"load": "2 infantry from Japan in SZ 6"})
    engine.reply({"move": {"units": {"transport": 1}, "from": "sz-6", "to": zone}})
    engine.reply({"assault": {"units": {"infantry": 1}, "from": zone, "to": target}})
    refused(engine, {"move": {"units": {"transport": 1}, "from": zone, "to": "sz-6"}}, "TRN-04")
    refused(engine, "done", "TRN-03")  # the second infantry still has no target
    engine.reply({"assault": {"units": {"infantry": 1}, "from": zone, "to": target}})
    engine.reply("done")


def test_a_transport_bridges_in_noncombat() -> None:
    """[AMB-TRN-BRIDGE]"""
    g = empty()
    put(g, "japan", "sz-6", "transport")
    put(g, "japan", "japan", "infantry", 2)
    engine = engine_at(g, "japan", NONCOMBAT)
    engine.reply({"load": "2 infantry from Japan in SZ 6"})
    engine.reply({"unload": "2 infantry from SZ 6 to Korea"})
    assert found(engine.state, "japan", "korea") == {"infantry": 2}
    refused(engine, move("1 transport from SZ 6 to SZ 5"), "NCM-10")
    refused(engine, move("1 infantry from Korea to Manchuria"), "CM-10")


def test_a_friends_transport_carries_in_three_turns() -> None:
    """[MULT-06] What boards a friend's transport does not land in the same turn."""
    g = at_sea()
    g.wars = sorted({*g.wars, "japan united-kingdom", "anzac japan"})
    put(g, "anzac", "sz-62", "transport")
    home = next(t for t in g.board.neighbours["sz-62"] if t in g.board.territories)
    g.control[home] = "anzac"
    put(g, "united-states", home, "infantry")
    engine = engine_at(g, "united-states", NONCOMBAT)
    engine.reply({"load": {"units": {"infantry": 1}, "from": home, "zone": "sz-62"}})
    refused(engine, {"unload": {"units": {"infantry": 1}, "from": "sz-62", "to": home}}, "MULT-06")


def guardianship(power: str) -> Engine:
    g = empty()
    zone = g.board.coast("sumatra")[0]
    put(g, power, zone, "transport")
    put(g, power, zone, "infantry")
    cargo, ship = (next(u for u in g.units.values() if u.type == kind) for kind in ("infantry", "transport"))
    cargo.aboard = ship.id
    return engine_at(g, power, NONCOMBAT)


@pytest.mark.parametrize("power", ["united-kingdom", "anzac"])
def test_land_units_take_dutch_territory_over(power: str) -> None:
    """[DX-24]"""
    engine = guardianship(power)
    zone = engine.state.board.coast("sumatra")[0]
    engine.reply({"unload": {"units": {"infantry": 1}, "from": zone, "to": "sumatra"}})
    assert engine.state.control["sumatra"] == power


def test_the_united_states_at_peace_stays_out_of_dutch_territory() -> None:
    engine = guardianship("united-states")
    zone = engine.state.board.coast("sumatra")[0]
    refused(engine, {"unload": {"units": {"infantry": 1}, "from": zone, "to": "sumatra"}}, "AMB-DUTCH-OTHERS")


# -- submarines and lone transports --------------------------------------------------------------------------------------


def passing(escort: int = 0, **options: Any) -> Engine:
    g = at_war(empty(**options), "japan united-states")
    put(g, "united-states", "sz-26", "transport", 2)
    put(g, "united-states", "sz-26", "destroyer", escort)
    put(g, "japan", "sz-25", "submarine", 2)
    return engine_at(g, "united-states", NONCOMBAT)


def test_submarines_fire_at_lone_transports() -> None:
    """[E-01]"""
    engine = passing()
    engine.reply(move("2 transports from SZ 26 to SZ 25"))
    assert isinstance(engine.request, Roll)
    assert (engine.request.dice, engine.request.rule, engine.request.against) == (2, "E-01", "japan")
    engine.reply([2, 3])
    assert found(engine.state, "united-states", "sz-25") == {"transport": 1}


def test_an_escort_protects_and_so_does_the_option() -> None:
    for engine in (passing(1), passing(**{"submarines-shoot-transports": "no"})):
        escort = ", 1 destroyer" if found(engine.state, "united-states", "sz-26").get("destroyer") else ""
        engine.reply(move(f"2 transports{escort} from SZ 26 to SZ 25"))
        assert asked(engine) == NONCOMBAT


# -- records -------------------------------------------------------------------------------------------------------------


def test_events_alone_make_the_state() -> None:
    """Applying the recorded events to the state before gives the state after."""
    g = at_sea()
    put(g, "japan", "kiangsu", "tank", 1)
    put(g, "japan", "sz-6", "aircraft-carrier", 1)
    put(g, "japan", "sz-6", "fighter", 2)
    engine = engine_at(g, "japan", COMBAT)
    before, seen = to_plain(engine.state), len(engine.state.events)
    engine.reply(move("1 tank from Kiangsu to Hunan via Anhwe"))
    engine.reply("done")
    replayed = from_plain(State, before)
    replayed.board = engine.state.board
    for event in engine.state.events[seen:]:
        event.apply(replayed)
    assert to_plain(replayed) == to_plain(engine.state)


@pytest.mark.parametrize("phase", [COMBAT, NONCOMBAT])
@pytest.mark.parametrize("power", ["japan", "united-states", "china", "united-kingdom", "anzac"])
def test_every_option_is_legal(power: str, phase: str) -> None:
    g = at_war(start(), "japan united-states", "japan united-kingdom", "anzac japan")
    engine = engine_at(g, power, phase)
    for turn in range(12):
        assert isinstance(engine.request, Ask)
        if engine.request.kind != phase:
            break
        options = engine.request.options()
        assert 0 < len(options) <= 61
        for order in options:
            engine.request.read(order)
        engine.reply(options[(turn * 7) % len(options)])
        while isinstance(engine.request, Roll):
            engine.reply([6] * engine.request.dice)


def test_cursor_names_are_segments() -> None:
    engine = engine_at(empty(), "japan", COMBAT)
    assert isinstance(engine.state.running, Cursor)
    assert str(engine.state.running) == "combat-move japan"


def test_an_escort_whose_transport_was_shot_on_the_way_may_stand_where_it_is() -> None:
    g = at_war(empty(**{"submarines-shoot-transports": "yes"}), "japan united-states")
    put(g, "japan", "sz-25", "destroyer")
    put(g, "japan", "sz-6", "transport")
    put(g, "japan", "japan", "infantry")
    put(g, "united-states", "sz-16", "submarine")
    engine = engine_at(g, "japan", COMBAT)
    engine.reply({"load": "1 infantry from Japan in SZ 6"})
    engine.reply(move("1 destroyer from SZ 25 to SZ 26"))
    refused(engine, "done", "CM-05")
    engine.reply(move("1 loaded transport from SZ 6 to SZ 16"))
    assert isinstance(engine.request, Roll)
    engine.reply([2])
    refused(engine, "start over", "E-01")
    engine.reply("done")
    assert found(engine.state, "japan", "sz-26") == {"destroyer": 1}
