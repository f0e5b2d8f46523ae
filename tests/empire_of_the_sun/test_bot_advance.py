"""What the bot does with the war as a whole: progress each turn, bases for those who come in, garrisons that stay."""

from __future__ import annotations

import pytest

from pbem.games.empire_of_the_sun import bot
from pbem.games.empire_of_the_sun.bot import progress
from pbem.games.empire_of_the_sun.bot.basing import coming_in
from pbem.games.empire_of_the_sun.bot.blows import Arrival, Blows
from pbem.games.empire_of_the_sun.bot.judgement import taken_easily, worth
from pbem.games.empire_of_the_sun.bot.plans import Plan
from pbem.games.empire_of_the_sun.bot.reach import Reach
from pbem.games.empire_of_the_sun.orders import read_unit
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.empire_of_the_sun import table
from tests.empire_of_the_sun.test_bot import orders, position

NEW_GEORGIA, BOUGAINVILLE, WOODLARK = 4322, 4222, 4122
MARSHALLS = "Kwajalein, Eniwetok, Namu, Wotje, Maloelap, Jaluit, Mili, Kusaie, Ponape, Marcus"

# -- the progress of the war ----------------------------------------------------------------------------------------------


def solomons(turn: int, *beside: str) -> Engine:
    """A brigade at Espiritu Santo that may take Bougainville, lost this turn, or New Georgia, Japanese for long."""
    return position(
        f"TURN {turn}",
        "ACTIVE allies",
        "MARK asp allies 4",
        "MARK asp_for_progress 4",
        f"MARK japanese_before {NEW_GEORGIA} {WOODLARK}",
        "UNITS Espiritu Santo: South Pacific HQ (Halsey), SF Brigade",
        "UNITS Truk: South Seas HQ, 17th Army",
        f"OWN japan: {NEW_GEORGIA}, {BOUGAINVILLE}",
        f"OWN allies: {MARSHALLS}",
        "HAND allies: A62",
        "HAND japan: J14",
        *beside,
    )


def test_the_allies_take_what_counts_for_the_progress_of_the_war() -> None:
    engine = solomons(5)
    orders(engine, "reaction")
    assert engine.state.pieces["sf-brigade"].at == NEW_GEORGIA


def test_before_turn_4_they_take_the_better_harbour() -> None:
    engine = solomons(3)
    orders(engine, "reaction")
    assert engine.state.pieces["sf-brigade"].at == BOUGAINVILLE


def test_what_counts_is_counted_until_there_is_one_to_spare() -> None:
    g = solomons(5).state
    assert progress.advancing(g, ALLIES) == {NEW_GEORGIA, WOODLARK}
    assert progress.advancing(g, JAPAN) == {WOODLARK}, "Japan takes back what the Allies hold of it"
    g.asp_for_progress = 0
    assert progress.advancing(g, ALLIES) == set(), "one to spare is held"
    g.asp_for_progress = 1
    assert progress.advancing(g, ALLIES) == {NEW_GEORGIA, WOODLARK}
    small = table.begin("south-pacific").state
    small.turn = 5
    assert progress.advancing(small, ALLIES) == set(), "nobody counts on a part of the map"


@pytest.mark.parametrize(("shipping", "sails"), [(3, False), (8, True)])
def test_no_corps_sails_to_an_atoll_while_shipping_is_short(shipping: int, sails: bool) -> None:
    """It takes two points; where few are left for the hexes still wanted, brigades and divisions go."""
    engine = position(
        "TURN 5",
        "ACTIVE allies",
        f"MARK asp allies {shipping}",
        "MARK asp_for_progress 3",
        "MARK japanese_before 4612",
        "UNITS Oahu: Central Pacific HQ, XI Corps",
        "UNITS Truk: South Seas HQ",
        "OWN japan: Wake",
        f"OWN allies: {MARSHALLS}",
        "HAND allies: A62",
        "HAND japan: J14",
    )
    orders(engine, "reaction")
    assert (engine.state.pieces["xi-corps"].at == 4612) == sails


# -- where units come in --------------------------------------------------------------------------------------------------


def placed(unit: str, *setup: str) -> int:
    """Where the bot puts a unit that comes in."""
    engine = position("START reinforcements", "TURN 3", "MARK europe 3", f"BOX schedule 3: {unit}", *setup)
    assert isinstance(engine.request, Ask)
    answer = bot.choose(engine.state, engine.request)
    assert isinstance(answer, dict)
    return int(str(answer["place"]).rpartition(" at ")[2])


JAVA = (
    "UNITS Tjilatjap: Java Division",
    "UNITS Soerabaja: 14th Army, 16th Army, 24th Air Flotilla",
    "UNITS Truk: South Seas HQ, 28th Army",
    "OWN japan: Soerabaja",
    "OWN allies: Tjilatjap, Noumea, Espiritu Santo, Townsville",
)


def test_a_headquarters_comes_in_where_its_war_is_and_not_in_a_siege() -> None:
    regions = position("TURN 3").state.board.hexes
    assert regions[placed("South Pacific HQ (Ghormley)", *JAVA)].region == "Hebrides"
    assert regions[placed("SEAC HQ", *JAVA)].region in ("India", "NIndia", "Ceylon", "Burma")
    assert regions[placed("ANZAC HQ", *JAVA)].region in ("Australia", "Guinea")


FRONT = (
    "UNITS Oahu: Central Pacific HQ, CV Enterprise",
    "UNITS Townsville: South West Pacific HQ, 2nd Australian Corps",
    "UNITS Rangoon: Burma Indian Division",
    "UNITS Calcutta: SEAC HQ",
    "UNITS Saigon: South HQ, 15th Army",
    "UNITS Rabaul: South Seas Brigade, 28th Army",
    "UNITS Truk: South Seas HQ",
    "OWN japan: Rabaul",
)


def test_american_troops_come_in_where_the_navy_fights_and_the_enemy_threatens() -> None:
    g = position("TURN 3", *FRONT).state
    for unit in ("XI Corps", "1st Marine Division", "I Corps"):
        place = placed(unit, *FRONT)
        assert g.board.hexes[place].region == "Guinea" and not g.mine_at(ALLIES, place), unit
    assert g.board.hexes[placed("4th Indian Corps", *FRONT)].region == "Burma"


def test_no_wing_comes_in_where_the_enemy_may_walk_in() -> None:
    """A carrier and a wing go where nobody lands, or where troops stand."""
    g = position("TURN 3", *FRONT).state
    for unit in ("CV Wasp", "5th Air Force"):
        place = placed(unit, *FRONT)
        assert g.mine_at(ALLIES, place, "ground") or not taken_easily(g, ALLIES, place), g.board.name(place)


def test_a_headquarters_comes_in_where_it_leads_troops_that_nobody_leads() -> None:
    """Both harbours are in regions of its own; two corps stand about one of them."""
    g = position("TURN 3", "UNITS Cairns: 1st Australian Corps", "UNITS Townsville: 2nd Australian Corps").state
    hq = read_unit(g, "ANZAC HQ")
    troops, none = (coming_in(g, ALLIES, hq, place) for place in (3727, 2426))
    assert troops > none
    led = position(
        "TURN 3", "UNITS Darwin: ABDA HQ", "UNITS Cairns: 1st Australian Corps", "UNITS Townsville: 2nd Australian Corps"
    )
    assert coming_in(led.state, ALLIES, hq, 3727) < troops, "ABDA leads them already"


def test_nobody_comes_in_where_the_enemy_is_the_stronger_by_far() -> None:
    def good(*setup: str) -> int:
        g = position("TURN 3", *FRONT, *setup).state
        return coming_in(g, ALLIES, read_unit(g, "XI Corps"), 4024)

    assert (
        good("UNITS Rabaul: 21st Air Flotilla, 22nd Air Flotilla, 23rd Air Flotilla", "UNITS 4020: CV Akagi, BB Nagato")
        < good()
    )


def test_japan_comes_in_as_near_as_it_can_to_what_it_wants() -> None:
    g = position("TURN 3", "UNITS Truk: South Seas HQ", "OWN japan: Rabaul, Kavieng").state
    wing = read_unit(g, "25th Air Flotilla")
    near, far = (coming_in(g, JAPAN, wing, place) for place in (4021, 4017))
    assert near > far


# -- garrisons that stay ----------------------------------------------------------------------------------------------------


def test_two_armies_do_not_both_leave_manila() -> None:
    """Neither is the last one by itself; both in one offensive left it to the first brigade that came."""
    engine = position(
        "TURN 3",
        "UNITS Saigon: South HQ",
        "UNITS Manila: 14th Army, 16th Army",
        "UNITS Davao: M Corps",
        "OWN japan: Kuantan, Singapore, Medan, Palembang, Bangka, Manila, Rangoon",
        "OWN allies: Miri, Soerabaja, Balikpapan, Tarakan",
        "HAND japan: J14",
        "HAND allies: A59",
    )
    orders(engine, "reaction")
    at = [engine.state.pieces[army].at for army in ("14-army", "16-army")]
    assert at.count(2813) == 1, at


def test_two_that_go_together_leave_as_much_open_as_the_last_of_them() -> None:
    g = position(
        "TURN 3",
        "UNITS Saigon: South HQ",
        "UNITS Manila: 14th Army, 16th Army",
        "UNITS Davao: M Corps",
        "OWN japan: Manila",
        "HAND japan: J14",
        "HAND allies: A59",
        play=("japan: play: J14", "japan: operations: South HQ"),
    ).state
    one, two = Reach(g, JAPAN, ["14-army"]), Reach(g, JAPAN, ["14-army", "16-army"])
    assert one.leaving("14-army") == two.leaving("14-army") == 0 < two.leaving("14-army", ["16-army"])
    blow = Blows(two)
    both = [Arrival(army, 2813, True, 2) for army in ("14-army", "16-army")]
    assert blow.prices(both) == 4 * blow.price + two.leaving("14-army", ["16-army"])


# -- landings that are met ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wings", "sails"), [("UNITS Tokyo: 21st Air Flotilla", True), ("UNITS 2812: 21st Air Flotilla, "
                         "22nd Air Flotilla, 23rd Air Flotilla", False)])  # fmt: skip
def test_no_brigade_lands_where_more_wings_come_than_its_escort_bears(wings: str, sails: bool) -> None:
    """Manila stands empty: with three wings of the enemy under a headquarters the landing is met six times of ten."""
    engine = position(
        "TURN 3",
        "ACTIVE allies",
        "MARK asp allies 4",
        "UNITS Wewak: South West Pacific HQ, SF Brigade, CV Wasp",
        "UNITS Kure: Combined Fleet HQ (Yamamoto)",
        wings,
        "OWN japan: Manila, 2812, Kure",
        f"OWN allies: {MARSHALLS}, Truk, Guam, Saipan, Palau, Yap, Ulithi, Iwo Jima",
        "HAND allies: A62",
        "HAND japan: J14",
    )
    orders(engine, "special")
    assert (engine.state.pieces["sf-brigade"].at == 2813) == sails


# -- what nobody feeds ----------------------------------------------------------------------------------------------------

OIL = (
    "Kuantan, Singapore, Medan, Palembang, Bangka, Balikpapan, Tarakan, Soerabaja, Manila, Rangoon, Miri, Vogelkop, "
    "Harbin, Mukden, Seoul"
)


def landing(seat: str, place: int, *setup: str) -> int:
    """What the best blow of the 27th Army against a hex gains with Yamamoto's headquarters there; 0 when there is none."""
    engine = position(
        "TURN 3",
        f"UNITS {seat}: Combined Fleet HQ (Yamamoto)",
        "UNITS Hakodate: 27th Army",
        f"OWN japan: {OIL}, Hakodate",
        "HAND japan: J14",
        "HAND allies: A59",
        *setup,
        play=("japan: play: J14", "japan: operations: Combined Fleet HQ"),
    )
    g = engine.state
    found = Blows(Reach(g, JAPAN, ["27-army"])).blows(place, 3, Plan(g, "hq-yamamoto"), True)
    return max((blow.gain for blow in found), default=0)


def test_no_army_lands_where_it_starves() -> None:
    """Adak is out of reach of a headquarters in Kure: in two turns an army there is gone."""
    assert landing("Kure", 4800) == 0 < landing("Hakodate", 4800)


def test_what_has_shaken_the_will_once_is_worth_no_more_than_its_harbour() -> None:
    g = position("TURN 3", f"OWN japan: {OIL}").state
    for place, area in ((5100, "alaska"), (5108, "hawaii")):
        before = worth(g, JAPAN, place)
        g.bonuses = [f"Japan in {area}"]
        assert before - worth(g, JAPAN, place) == 14
