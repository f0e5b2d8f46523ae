"""Charts of the first edition (2005), typed a second time from its rulebook and held against tables and scenario data."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.empire_of_the_sun import political, replacements, strategic
from pbem.games.empire_of_the_sun.battle import strengths
from pbem.games.empire_of_the_sun.battle.strengths import AIR_NAVAL_CRT, GROUND_CRT, hits_of
from pbem.games.empire_of_the_sun.board import KUNMING, ROUTE_COST, TERRAIN_COST, TERRAIN_DRM
from pbem.games.empire_of_the_sun.cards import deck_of
from pbem.games.empire_of_the_sun.nations import commands
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State, europe_level
from tests.case_driver import Case
from tests.empire_of_the_sun import table
from tests.empire_of_the_sun.stage import GameStage, clear


def fresh(name: str = "campaign-1941") -> State:
    state: State = table.begin(name, rules="1st-2005").state
    return state


def empty(**marks: Any) -> State:
    """The printed map without units, with some fields set."""
    state = fresh()
    clear(state)
    for key, value in marks.items():
        setattr(state, key, value)
    return state


# -- battles, chapter 8 ----------------------------------------------------------------------------------------------

AIR_NAVAL = {-3: 0.25, 0: 0.25, 2: 0.25, 3: 0.5, 5: 0.5, 6: 1, 8: 1, 9: 1, 10: 1, 16: 1}
GROUND = {-5: 0.5, 0: 0.5, 2: 0.5, 3: 1, 6: 1, 7: 1.5, 8: 1.5, 9: 2, 14: 2}
HITS = [(39, 2, 20), (9, 6, 14), (47, 1, 12), (47, 2, 24), (47, 4, 47), (9, 2, 5), (4, 4, 4), (2, 8, 4), (45, 4, 45)]


@pytest.mark.parametrize(("die", "rating"), AIR_NAVAL.items())
def test_air_naval_table(die: int, rating: float) -> None:
    assert strengths.rating(AIR_NAVAL_CRT, die) == rating * 4


@pytest.mark.parametrize(("die", "rating"), GROUND.items())
def test_ground_table(die: int, rating: float) -> None:
    assert strengths.rating(GROUND_CRT, die) == rating * 4


@pytest.mark.parametrize(("points", "quarters", "hits"), HITS)
def test_hits_are_rounded_up(points: int, quarters: int, hits: int) -> None:
    assert hits_of(points, quarters) == hits


def test_terrain() -> None:
    """7.41 in half points, 8.4: open 1, jungle and mixed 2, mountain 3, along a route one half."""
    points = {"open": 1, "jungle": 2, "mixed": 2, "mountain": 3}
    assert {t: TERRAIN_COST[t] for t in points} == {t: 2 * n for t, n in points.items()}
    assert ROUTE_COST == 1
    assert {t: TERRAIN_DRM.get(t, 0) for t in points} == {"open": 0, "jungle": -1, "mixed": -2, "mountain": -3}


# -- command, 7.53 ---------------------------------------------------------------------------------------------------

COMMAND = {  # US ground and naval, US air, Commonwealth, Chinese, Dutch
    "hq-central-pacific": "yynyn",
    "hq-ghormley": "yynyn",
    "hq-halsey": "yynyn",
    "hq-south-west-pacific": "yynyn",
    "hq-malaya": "nyyyn",
    "hq-seac": "nyyyn",
    "hq-anzac": "yyyyy",
    "hq-abda": "yyyyy",
}
SAMPLES = (("x-corps", "cv-lexington"), ("5-af",), ("raaf", "ca-kent", "15th-corps"), ("chinese-5th-army",), ("cl-dutch",))


@pytest.mark.parametrize("hq", COMMAND)
def test_nationality(hq: str) -> None:
    state = fresh()
    counters = state.board.counters
    for word, units in zip(COMMAND[hq], SAMPLES, strict=True):
        for unit in units:
            assert commands(state, counters[hq], counters[unit]) == (word == "y"), unit


# -- cards and passes, chapter 11 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("held", range(15))
@pytest.mark.parametrize("turn", [2, 4, 5, 12])
@pytest.mark.parametrize("lost", [0, 1, 3])
def test_japanese_cards(held: int, turn: int, lost: int) -> None:
    state = empty(turn=turn, deal_loss=lost)
    for n, place in enumerate(state.board.resources):
        state.control[place] = JAPAN if n < held else ALLIES
    base = 7 if turn <= 4 else (held + 1) // 2
    assert strategic.japanese_cards(state) == max(4, base - lost)


ALLIED_CARDS = {1: (0, 0), 2: (5, 2), 3: (6, 1), 4: (7, 0), 5: (7, 0), 12: (7, 0)}


@pytest.mark.parametrize(("turn", "cards"), ALLIED_CARDS.items())
def test_allied_cards(turn: int, cards: tuple[int, int]) -> None:
    state = empty(turn=turn)
    assert (strategic.allied_cards(state), strategic.allied_passes(state)) == cards


@pytest.mark.parametrize(("lost", "cards"), [(1, (6, 1)), (2, (5, 2)), (3, (4, 2))])
def test_allied_losses(lost: int, cards: tuple[int, int]) -> None:
    state = empty(turn=7, surrendered=["china", "india", "australia"][:lost])
    assert (strategic.allied_cards(state), strategic.allied_passes(state)) == cards


# -- Europe, chapters 9 and 15 ---------------------------------------------------------------------------------------

LEVELS = {3: 0, 2: 0, 1: 0, 0: 1, -1: 1, -2: 1, -3: 2, -4: 2, -5: 3, -6: 3, -7: 4}
TO_EUROPE = {1: 1, 2: 3, 3: 5, 4: 7}


@pytest.mark.parametrize(("points", "level"), LEVELS.items())
def test_europe_levels(points: int, level: int) -> None:
    assert europe_level(points) == level


@pytest.mark.parametrize("points", [0, -3, -5, -7])
@pytest.mark.parametrize("die", range(10))
@pytest.mark.parametrize("rivalry", [False, True])
def test_europe_rolls(points: int, die: int, rivalry: bool) -> None:
    setup = ["EDITION 1st-2005", "START reinforcements", "TURN 2", f"MARK europe {points}", "BOX schedule 2: XI Corps"]
    case = Case("", "", [], setup + ["MARK rivalry allies"] * rivalry, [f'dice "Europe": {die}'])
    stage = GameStage(case)
    stage.run()
    gone = max(0, die - rivalry) <= TO_EUROPE[LEVELS[points]]
    piece = stage.engine.state.pieces["xi-corps"]
    assert (piece.box, piece.due) == (("schedule", 5) if gone else ("delayed", 0))


# -- submarines and bombers, 11.2 and 11.3 ---------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [2, 4, 5, 8])
@pytest.mark.parametrize("escort", [0, 2, 4])
@pytest.mark.parametrize("die", range(10))
def test_submarines(turn: int, escort: int, die: int) -> None:
    setup = ["EDITION 1st-2005", "START strategic-warfare", f"TURN {turn}", f"MARK escort {escort}"]
    stage = GameStage(Case("", "", [], setup, [f'dice "submarine": {die}']))
    stage.run()
    success = die - turn + escort + (1 if turn <= 4 else 0) <= 0
    state = stage.engine.state
    assert (state.deal_loss, state.asp[JAPAN], state.escort) == ((1, 6, max(0, escort - 2)) if success else (0, 7, escort))


@pytest.mark.parametrize("strength", ["", " reduced"])
@pytest.mark.parametrize("die", range(10))
def test_bombing(strength: str, die: int) -> None:
    setup = ["EDITION 1st-2005", "START strategic-warfare", "TURN 9", "MARK escort 4", "OWN allies: Saipan"]
    setup.append(f"UNITS Saipan: Central Pacific HQ, XX Bomber Command (B-29){strength}")
    stage = GameStage(Case("", "", [], setup, ['dice "submarine": 9', "allies: bomb: all", f'dice "bombing": {die}']))
    stage.run()
    state = stage.engine.state
    assert state.deal_loss == int(die <= (4 if strength else 8))
    box = state.pieces["20-bc"].box
    assert (box == "map", state.pieces["20-bc"].reduced) == (
        (True, bool(strength)) if die < 9 else (not strength, not strength)
    )


# -- replacements, chapter 10 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", range(1, 13))
def test_allied_replacements(turn: int) -> None:
    pools = replacements.allied_pools(empty(turn=turn))
    assert pools["air"] == 5
    assert pools["ground"] == (2 if turn >= 2 else 0)
    assert pools["cw-naval"] == int(turn in (3, 6, 9, 12))
    assert pools["us-naval"] >= (1 if turn >= 2 else 0)


def test_oahu_is_worth_a_naval_step() -> None:
    """Turn 2 of the example of play: one by the chart, one for Oahu."""
    state = empty(turn=2)
    assert replacements.allied_pools(state)["us-naval"] == 2
    state.control[5808] = JAPAN
    assert replacements.allied_pools(state)["us-naval"] == 1


@pytest.mark.parametrize("port", [1307, 1308, 2015, 2709, 3727])
def test_commonwealth_ports(port: int) -> None:
    state = empty(turn=3)
    for other in (1307, 1308, 2015, 2709, 3727):
        state.control[other] = ALLIES if other == port else JAPAN
    assert replacements.allied_pools(state)["cw-naval"] == 1
    state.control[port] = JAPAN
    assert replacements.allied_pools(state)["cw-naval"] == 0


# -- Political Will, 16.4 --------------------------------------------------------------------------------------------

WILL = {"australia": -2, "burma": -1, "china": -2, "dutch-east-indies": -1, "india": -2, "malaya": -1, "philippines": -1}
GIVEN_BACK = {"australia", "burma", "dutch-east-indies", "malaya", "philippines"}


def test_will_of_surrenders() -> None:
    assert (political.WILL_OF, set(political.REGAINED), political.ALL_LOST) == (WILL, GIVEN_BACK, -2)


# -- places ----------------------------------------------------------------------------------------------------------

RESOURCES = {1813, 1916, 2017, 2008, 2014, 2220, 2415, 2517, 2616, 2813, 3219, 3302, 3303, 3305}  # 2016, 2119 are misprints
NATIONS = {
    "philippines": ({2715, 2812, 2813, 2911, 2915, 3014}, {2813, 2915}),
    "malaya": ({1912, 1913, 2012, 2014, 2015, 2112}, {2014, 2015}),
    "burma": ({2006, 2008, 2106, 2206, 2305}, {2008, 2106, 2206, 2305}),
    "dutch-east-indies": (
        {1813, 1914, 1916, 1917, 2017, 2018, 2019, 2220, 2216, 2318, 2415, 2517, 2616}
        | {2620, 2719, 2917, 2320, 2919, 2721, 3017},
        {1813, 1916, 2017, 2220, 2415, 2517, 2616, 2019},
    ),
}


def test_resource_hexes() -> None:
    assert set(fresh().board.resources) == RESOURCES


@pytest.mark.parametrize("nation", NATIONS)
def test_nations(nation: str) -> None:
    found = fresh().board.nations[nation]
    assert (set(found["bases"]), set(found["surrender"])) == NATIONS[nation]


def test_northern_india() -> None:
    assert set(fresh().board.region("NIndia")) == {2104, 2005, 2205, 1905, 2105}


def test_soerabaja_by_sea() -> None:
    """WE-07."""
    assert set(fresh().board.by_sea[2220]) == {2219, 2319, 2320}


@pytest.mark.parametrize(("divisions", "steps"), [(12, 3), (11, 3), (8, 2), (5, 2), (4, 1), (1, 1), (0, 1)])
def test_garrisons(divisions: int, steps: int) -> None:
    state = empty(divisions=divisions)
    assert state.intrinsic(2609) == steps
    assert state.intrinsic(KUNMING) == 0


# -- scenarios, chapter 17 -------------------------------------------------------------------------------------------

MARKERS: dict[str, dict[str, Any]] = {
    "campaign-1941": {"turn": 1, "last_turn": 12, "will": 0, "europe": 0, "china": 0, "divisions": 12, "in_force": []},
    "year-1942": {"turn": 2, "last_turn": 4, "will": 8, "europe": 0, "china": 0, "divisions": 11, "in_force": []},
    "year-1943": {"turn": 5, "last_turn": 7, "will": 6, "europe": -1, "china": 2, "divisions": 8, "in_force": ["hump", "kwai"]},
    "year-1944": {
        "turn": 8,
        "last_turn": 10,
        "will": 5,
        "europe": 2,
        "china": 2,
        "divisions": 8,
        "in_force": ["doctrine", "hump", "kwai"],
    },
    "years-1942-1943": {"turn": 2, "last_turn": 7, "will": 8, "victory": "1943"},
    "years-1943-1944": {"turn": 5, "last_turn": 10, "will": 6, "victory": "1944"},
    "years-1942-1944": {"turn": 2, "last_turn": 10, "will": 8, "victory": "1944"},
    "short-campaign": {"turn": 2, "last_turn": 12, "will": 8, "victory": "campaign"},
    "shorter-campaign": {"turn": 5, "last_turn": 12, "will": 6, "victory": "campaign"},
}
SHIPPING = {"campaign-1941": (7, 0), "year-1942": (7, 1), "year-1943": (7, 4), "year-1944": (5, 9)}
RESOURCES_HELD = {"campaign-1941": 3, "year-1942": 4, "year-1943": 14, "year-1944": 14}
POINTS = {"campaign-1941": (0, 0), "year-1942": (0, 0), "year-1943": (2, 1), "year-1944": (0, 0)}
REMOVED = {
    "year-1942": "J1 J2",
    "year-1943": "J1 J2 J5 J6 J13 J15 J18 J39 J55 J73 J78 A1 A3 A4 A6 A7 A8 A10 A11 A12 A14 A16 A17 A20 A51",
    "year-1944": "J1 J2 J5 J6 J13 J15 J18 J26 J31 J39 J51 J53 J54 J55 J73 J78 A1 A3 A4 A6 A7 A8 A10 A11 A12 A14 A16 A17 A18 "
    "A20 A22 A23 A24 A27 A30 A39 A41 A42 A47 A51 A73",
}
DISCARDED = {"year-1943": "A13 A15 J8 J12 J14 J20 J25 J29 J35", "year-1944": "A2 J7"}
FUTURE = {"year-1943": ("J26", "A29"), "year-1944": ("J4", "A45")}


@pytest.mark.parametrize("name", MARKERS)
def test_markers(name: str) -> None:
    state = fresh(name)
    assert {key: getattr(state, key) for key in MARKERS[name]} == MARKERS[name]


@pytest.mark.parametrize("name", SHIPPING)
def test_shipping_and_points(name: str) -> None:
    state = fresh(name)
    assert (state.asp[JAPAN], state.asp[ALLIES]) == SHIPPING[name]
    assert (state.points["air"], state.points["naval"]) == POINTS[name]
    assert len(state.resources(JAPAN)) == RESOURCES_HELD[name]
    late = name in ("year-1943", "year-1944")
    assert set(state.rivalry) == ({JAPAN, ALLIES} if late else set())
    assert set(state.surrendered) == ({"malaya", "philippines", "dutch-east-indies", "burma"} if late else set())


@pytest.mark.parametrize("name", REMOVED)
def test_cards_out_of_the_scenario(name: str) -> None:
    state = fresh(name)
    piles = {
        "out": {c for side in (JAPAN, ALLIES) for c in state.out_of_play[side]},
        "discards": {c for side in (JAPAN, ALLIES) for c in state.discards[side]},
    }
    assert piles == {"out": set(REMOVED[name].split()), "discards": set(DISCARDED.get(name, "").split())}
    assert (state.future[JAPAN], state.future[ALLIES]) == FUTURE.get(name, ("", ""))


def test_deck_sizes() -> None:
    """84 Japanese and 81 Allied cards."""
    state = fresh()
    assert [len(deck_of(state, side)) for side in (JAPAN, ALLIES)] == [84, 81]


# -- the universal list, 18.0: unit, then its place in 1941, 1942, 1943, 1944 ------------------------------------------
# A hex, `-` behind it for reduced; t and the turn of entry; event; delayed; china (the box); out (eliminated).

UNITS = """
ca-exeter 1307 1307 out out; 2nd-indian-corps 1805 1805 out out; 2nd-dutch-regiment 1813 1813 out out; raf-far-east 1905 1905
out out; 1st-dutch-regiment 1916 1916 out out; avg 2008 2008 out out; burma-indian-division 2008 2008 out out;
3rd-indian-corps 2014 2014 out out; raf-malaya 2015 2015 out out; 8th-australian-division 2015 2015 out out; hq-malaya 2015
2015 out out; bb-force-z 2015 out out out; dutch-air 2019 2019 out out; java-division 2019 2019 out out; cl-dutch 2019 2019
out out; 1st-indian-corps 2105 2105 out out; 1st-burma-division 2108 2108 out out; 15-army 2211 1913 2206 2206; 38-army 2211
2109 2212 2212; air-flotilla-22 2212 2212 2909- 4017-; hq-south 2212 2212 2212 2212; 2-sn-brigade 2311 2415 4600- out;
ca-mogami 2311 2311 3407- 3407-; chinese-5th-army 2407- 2407- 2205- 2205-; chinese-6th-army 2407- 2407- 2407- 2407-;
chinese-66th-army 2407- 2407- 2407- 2407-; 25-army 2509- 2112- 1916- 1916-; 5th-dutch-regiment 2517 2517 out out;
dd-us-asia-destroyer 2616 2616 out out; 3rd-dutch-regiment 2616 2616 out out; 17-army 2708- 2709- 4021 4021;
hong-kong-division 2709 out out out; 7th-dutch-regiment 2719 2719 out out; 8th-dutch-regiment 2721 2721 out out; 19-af-lrb
2812 2917- out out; us-feaf 2812 2813- out out; nl-corps 2812 out out out; r-corps 2813 2813 out out; hq-south-west-pacific
2813 2813 3727 3727; air-division-5 2909 2812 2008 2008-; 1-sn-brigade 2909 2911 5018 out; 14-army 2909 2812 2813 2813;
bb-kongo 2909 2311 out out; ca-takao 2909 2909 4021 4021-; sl-corps 2913 2912- out out; m-corps 2915 out out out;
6th-dutch-regiment 2917 2917 out out; 4th-dutch-regiment 2919 2919 out out; air-division-2 3004 3004 3004 3004; 35-army 3007-
3007- 2915 2915; air-flotilla-21 3009 2909 4021- out; air-flotilla-23 3009 3009 2220 2813; p-brigade 3014 3014 out out;
ca-us-asia-cruiser 3014 3014- out out; 1st-australian-corps 3023 3023 3023 3023; 19-army 3209- 2913- 3720 3720-; korean-army
3305 3305 3305 3305; hq-yamamoto 3407 3407 3407 out; bb-nagato 3407 3407 3407 3407; cvl-zuiho 3407 2915 4017 4017; 16-army
3416- 2915- 2220- 2220-; ca-nachi 3416 2915 4017 4017; cvl-ryujo 3416 2915 out out; air-division-3 3607 3607 1916- 2909-;
air-division-4 3607 3607 3004 3004; 27-army 3704- 3704- 3704- 3704-; bb-hiei 3705 3706 4017 4017; cv-akagi 3705 3706 out out;
cv-shokaku 3705 3706 4017 3407; cv-soryu 3705 3706 out out; air-division-1 3706 3706 3706 3706; 18-army 3706- 3706- 3822
3721-; eastern-army 3706 3706 3706 3706; raaf 3727 3727 3823 3823; 2nd-australian-corps 3727 3727 3727 3727; ca-kent 3727 3727
3727 3727; pm-brigade 3823 3823 3823- 4024-; 3-sn-brigade 4017 3814 4715 4715; south-seas-brigade 4017 4021 4322 out;
hq-south-seas 4017 4017 4017 4017; apd-kamikaze 4017 4017 4021 4021-; ca-aoba 4017 4021 4021- out; vmf-211 4612 4612 out out;
wake-island-brigade 4612 4612 out out; air-flotilla-24 4715 4715 4715- 4715-; 4-sn-brigade 4715 4715- 4612- 4612-; cl-tenyru
4715 4715 out out; cv-lexington 5410- 5808 4828- 4828; cv-enterprise 5609- 5808 4828- 4828; 7-af 5808 5108 5808 5018; 7-af-lrb
5808 5808 5108 5018; x-corps 5808 5808 5808 5808; hq-central-pacific 5808 5808 5808 5808; bb-md-ca 5808 out out out;
ca-new-orleans 5808 5808- out out; 14-af event event 2104 2104; hq-halsey event event 4828 4828; 7th-armored-brigade event
event event event; 77th-brigade event event event 2205; hq-abda event event out out; tainan event event out out; hq-ozawa
event event event 3407; hq-seac t2 1805 1805 1805; 28-army t2- 2110- 2008 2008; air-flotilla-25 t2 3407 4021- 4021-; bb-yamato
t2- 3407- 4017 4017; 5-af t2 delayed 3626 3823; 5-af-lrb t2 delayed 3626 3823; 10-af-lrb t2 delayed 1805 1805; 1-maw t2
delayed 4423 5108; marine-brigade t2 delayed 5808 5808; sf-brigade t2 delayed 4825 4423; xi-corps t2 delayed 3922 3822;
bb-mississippi t2 delayed 5808 5808; ca-northampton t2 delayed out out; seac-air t2 delayed 1805 1805; bb-warspite t2 delayed
1005 1005; cv-indomitable t2 delayed 1005 1005; cvl-hermes t2 delayed out out; ca-london t4 t4 1005 1005; 4th-indian-corps t4
t4 2006 2006; 33rd-corps t3 t3 2105 2105; 33-army t5- t5- 2106 2106; 15th-corps t3 t3 2205 2205; air-flotilla-27 t4 t4 2212
3704-; 37-army t4- t4- 2616- 2616-; air-division-8 t5 t5 2813 2409; air-flotilla-28 t5 t5 2915 2015-; cv-junyo t3 t3 3407
3407; 1st-marine-division t3 t3 3626 3921; air-division-6 t3 t3 3720 3720-; air-division-7 t4 t4 3720 3720-; 31-army t3- t3-
3813- 3813-; 3rd-australian-corps t3 t3 3823 3822; hq-anzac t3 t3 3823 3823; air-flotilla-26 t3 t3 4017 3416-; i-corps t3- t3-
4024 3922; 2nd-marine-division t4 t4 4423 5018; xiv-corps t3- t3- 4423 4222; 13-af t3 t3 4825 4322; 13-af-lrb t3 t3 4825 4322;
2-maw t4 t4 4825 4222; bb-north-carolina t3 t3 4828 4828; bb-washington t4 t4 4828 4828; 3rd-new-zealand-division t3 t3 4828
4322; 11-af t3 t3 5100 5100; 11-af-lrb t3 t3 5100 5100; 14-af-lrb t4 t4 china china; xxiv-corps t5 t5 delayed 5808;
bb-massachusetts t5 t5 delayed 5808; cvl-san-jacinto t5 t5 delayed 5808; seac-lrb t5 t5 delayed 1805; hq-ghormley t3 t3 out
out; cv-wasp t3 t3 out out; air-division-9 t6 t6 t6 1916; 29-army t8- t8- t8- 2015-; air-division-11 t8 t8 t8 3407; cv-taiho
t8 t8 t8 3407; cve-kaiyo t7- t7- t7- 3407; 2-army t7- t7- t7- 3520-; 11th-airborne-division t8 t8 t8 3626; air-flotilla-51 t6
t6 t6 3704; air-division-10 t7 t7 t7 3706; air-flotilla-61 t8 t8 t8 3813; air-flotilla-62 t8 t8 t8 3813; 4th-australian-corps
t8 t8 t8 3823; 3rd-marine-division t6 t6 t6 4222; 6th-marine-division t8 t8 t8 4826; bb-new-jersey t7 t7 t7 4826;
cve-casablanca t8 t8 t8 4826; cve-sangamon t6 t6 t6 4826; cvl-bataan t7 t7 t7 4826; cvl-belleau-wood t6 t6 t6 4826;
cvl-cowpens t6 t6 t6 4826; ix-corps t8 t8 t8 4828; cv-bunker-hill t6 t6 t6 4828; cv-essex t6 t6 t6 4828; cv-franklin t7 t7 t7
5808; cv-hancock t8 t8 t8 5808; cv-intrepid t7 t7 t7 5808; air-flotilla-50 t6 t6 t6 out; 20-bc t9 t9 t9 t9; 21-bc t10 t10 t10
t10; 3-maw t9 t9 t9 t9; 5th-marine-division t10 t10 t10 t10; bb-missouri t9 t9 t9 t9; bb-new-york t9 t9 t9 t9; bc-alaska t10
t10 t10 t10; ca-baltimore t11 t11 t11 t11; cv-b-h-richard t10 t10 t10 t10; cv-shangri-la t9 t9 t9 t9; bb-duke-of-york t10 t10
t10 t10; cv-victorious t10 t10 t10 t10; air-division-12 t9 t9 t9 t9; 32-army t9- t9- t9- t9-; 36-army t10 t10 t10 t10; 39-army
t10- t10- t10- t10-; cvl-amagi t9 t9 t9 t9; cve-commencement-bay t10 t10 t10 t10; cve-st-lo t10 t10 t10 t10
"""
YEARS = ("campaign-1941", "year-1942", "year-1943", "year-1944")
ON_MAP = (95, 94, 98, 124)
LIST = {row.split()[0]: row.split()[1:] for row in UNITS.replace("\n", " ").split(";")}


@pytest.mark.parametrize("year", range(4), ids=YEARS)
def test_set_up(year: int) -> None:
    state = fresh(YEARS[year])
    assert {unit: placed(state, unit) for unit in LIST} == {unit: row[year] for unit, row in LIST.items()}


@pytest.mark.parametrize("year", range(4), ids=YEARS)
def test_number_of_units(year: int) -> None:
    assert len(LIST) == 200
    assert sum(row[year].rstrip("-").isdigit() for row in LIST.values()) == ON_MAP[year]


def placed(state: State, unit: str) -> str:
    """A unit's place as the list has it; eliminated units without replacements are out of the game."""
    piece, prewar = state.pieces[unit], state.counter(unit).prewar
    if piece.box in ("eliminated", "removed"):
        lasting = prewar or state.counter(unit).kind == "hq"
        return "out" if lasting or piece.box == "eliminated" else "removed for good"
    names = {"map": f"{piece.at}", "schedule": f"t{piece.due}"}
    return names.get(piece.box, piece.box) + ("-" if piece.reduced else "")
