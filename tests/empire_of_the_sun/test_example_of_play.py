"""Section 19 of the first edition, the example of play, move by move: turn 1, the strategic phase of turn 2, Operation RE.

Where the text contradicts itself or the counters, the line says what is played instead:

* 14 Army is said to move to 2912; the battle and its target, NL Corps, are in 2812.
* Cam Ranh is once 2412; everywhere else 2311.
* A unit sent to Europe is said to be lost for good; by 9.24 it comes back three turns later.
* At Kuantan "9 hits reduce the 3rd Indian Corps and 6 remain", and 9 x 1 1/2 is "13"; 9 - 9 = 0 and 14 by the rule of
  rounding. The 15th Army has 18 points in the text, 20 on its counter; the outcome is the same.
* 14 Army ends turn 1 reduced, and stands at full strength in the set-up of 1942: the division from China pays for it.
* Nothing is rolled for in Europe in the example's order; the dice here send one air unit there, as the text says.
"""

from __future__ import annotations

from tests.case_driver import Case
from tests.empire_of_the_sun.stage import GameStage

PEARL_HARBOR = """
japan: play: J1
japan: event
japan: move: CV Akagi, CV Soryu, CV Shokaku, BB Hiei to 5506
japan: done
japan: battle: Oahu with CV Akagi, CV Soryu, CV Shokaku
japan: done
dice "air-naval fire of japan in Oahu 5808, 36 points": 8
japan: hits: {BB MD/CA: 2, 7th Air Force: 2, 7th LRB: 2, CA New Orleans: 1}
japan: return: CV Akagi, CV Soryu, CV Shokaku, BB Hiei to Tokyo
"""

INDIA_ASSAULT = """
japan: play: J2
japan: event
japan: activate: 22nd Air Flotilla, BB Kongo, 25th Army, 15th Army, 38th Army, CA Mogami, 2nd SN Brigade, 17th Army, \
5th Air Division, 21st Air Flotilla, 23rd Air Flotilla, 1st SN Brigade, 14th Army, CA Takao, CVL Zuiho, 19th Army, 16th Army, \
CA Nachi, CVL Ryujo, 3rd SN Brigade, APD Kamikaze, South Seas Brigade, CA Aoba, 4th SN Brigade, CL Tenyru, 24th Air Flotilla
"""

MALAYA_AND_BORNEO = """
japan: move: BB Kongo from 2909 to 2112
japan: assault: 25th Army from 2509 to 2112 by asp
japan: move: 15th Army from 2211 to 1913 via 2110, 2011, 2012, 1912
japan: move: 38th Army from 2211 to 2109 via 2110
japan: assault: 2nd SN Brigade, CA Mogami from 2311 to 2415 by organic
japan: move: 17th Army from 2708 to 2709
"""

PHILIPPINES = """
japan: assault: 1st SN Brigade from 2909 to 2911 by asp
japan: move: CA Takao from 2909 to 2812
japan: assault: 14th Army from 2909 to 2812 by asp
japan: move: CVL Zuiho from 3407 to 2913
japan: assault: 19th Army from 3209 to 2913 by asp
japan: move: CA Nachi from 3416 to 2915
japan: assault: 16th Army from 3416 to 2915 by asp
japan: move: CVL Ryujo from 3416 to 3116
"""

PACIFIC = """
japan: assault: 3rd SN Brigade, APD Kamikaze from 4017 to 3814 by organic
japan: assault: South Seas Brigade, CA Aoba from 4017 to 4021 by organic
japan: assault: 4th SN Brigade, CL Tenyru from 4715 to 4612 by organic
japan: done
japan: battle: 2812 with 5th Air Division, 21st Air Flotilla, 23rd Air Flotilla
japan: battle: 3014 with CVL Ryujo
japan: battle: 4612 with 24th Air Flotilla
japan: done
"""

MALAYA = """
japan: join: 22nd Air Flotilla
japan: fight: 2112
dice "33 points, +3": 3
"""

HONG_KONG = """
japan: fight: 2709
dice "ground fire of japan in Hong Kong 2709, 9 points, -2": 5
dice "3 points": 3
"""

NORTHERN_LUZON = """
japan: fight: 2812
dice "39 points, +3": 2
japan: hits: us-feaf, 19-af-lrb
dice "5 points": 0
dice "18 points, +2": 5
dice "6 points, +3": 3
"""

REST_OF_THE_PHILIPPINES = """
japan: fight: 2913
dice "8 points, +3": 8
dice "9 points, +2": 5
dice "4 points, +3": 0
japan: fight: 3014
dice "6 points, +3": 5
dice "2 points": 9
japan: fight: 2915
dice "10 points, +3": 5
dice "9 points, +0": 7
dice "1 points, +3": 0
"""

WAKE = """
japan: fight: 4612
dice "9 points, +3": 0
dice "1 points": 0
dice "4 points, +2": 1
dice "2 points, +3": 9
"""

AFTER_THE_BATTLES = """
japan: return: BB Kongo, CA Mogami to 2311
japan: return: CVL Ryujo, CVL Zuiho, CA Nachi to 2915
japan: return: CA Takao to 2909
japan: return: 5th Air Division to 2812
japan: return: 21st Air Flotilla to 2909
japan: return: CA Aoba to 4021
japan: return: CL Tenyru, 4th SN Brigade to 4715
japan: return: home
allies: refuge: 2813
allies: refuge: 2917
allies: done
"""

REINFORCEMENTS = """
dice "Europe": 5
dice "Europe": 1
dice "Europe": 5
dice "Europe": 5
allies: place: SEAC HQ at Calcutta
japan: place: 25th Air Flotilla at Kure
japan: place: 28th Army at Saigon
japan: place: BB Yamato at Kure
"""

REPLACEMENTS = """
allies: rebuild: 7th Air Force at Midway full
allies: rebuild: 7th LRB at Oahu full
allies: replace: CV Lexington
allies: replace: CV Enterprise
japan: replace: 14th Army
japan: done
"""

SUBMARINES = """
dice "submarine": 2
"""

OPERATION_RE = """
japan: play: J23
japan: event: South HQ
japan: activate: 15th Army, 22nd Air Flotilla, BB Kongo, CA Mogami
japan: move: 15th Army from 1913 to 2014
japan: move: 22nd Air Flotilla from 2212 to 2112
japan: move: BB Kongo, CA Mogami from 2311 to 2015
japan: done
japan: battle: 2015 with 22nd Air Flotilla
japan: done
"""

MATADOR = """
allies: react
allies: intelligence: A5
"""


class Game:
    """A game of which parts are played and looked at in turn."""

    def __init__(self, *setup: str) -> None:
        self.stage = GameStage(Case("19.0", "the example of play", ["1e-19.0"], ["EDITION 1st-2005", *setup]))

    def play(self, lines: str) -> Game:
        self.stage.case.play = [line for line in lines.strip().splitlines() if line]
        self.stage.case.then = []
        self.stage.run()
        return self

    def expect(self, lines: str) -> None:
        for line in lines.strip().splitlines():
            self.stage._expect(line)


def turn_one() -> Game:
    return Game("SCENARIO campaign-1941").play(PEARL_HARBOR)


def test_pearl_harbor() -> None:
    """Card 1: 36 hits at halved defence; two hits are left over; will 8; the US carriers go to Oahu."""
    turn_one().expect("""
MARK will 8
BOX removed: BB MD/CA
BOX eliminated: 7th Air Force, 7th LRB
AT Oahu: CA New Orleans reduced, CV Lexington reduced, CV Enterprise reduced, X Corps
AT Tokyo: CV Akagi, CV Soryu, CV Shokaku, BB Hiei
""")


def test_six_shipping_points_of_seven() -> None:
    """Card 2: 26 activations, six points of shipping; Force Z has to meet the fleet at Kota Bharu, which makes a battle."""
    game = turn_one().play(INDIA_ASSAULT + MALAYA_AND_BORNEO + PHILIPPINES + PACIFIC)
    game.expect("""
MARK asp_used japan 6
AT 1913: 15th Army
AT 2109: 38th Army
OFFENSIVE allowance 26
OFFENSIVE battles 2709 2812 2913 2915 3014 4612 2112
AT 2112: BB Force Z
ASKED japan join
""")


def landed() -> Game:
    return turn_one().play(INDIA_ASSAULT + MALAYA_AND_BORNEO + PHILIPPINES + PACIFIC)


def test_malaya_and_borneo() -> None:
    """Force Z meets BB Kongo and is sunk with the help of the 22nd Air Flotilla, which joins the battle."""
    game = landed().play(MALAYA)
    game.expect("""
BOX removed: BB Force Z
AT 2112: BB Kongo, 25th Army reduced
""")


def test_hong_kong() -> None:
    """Nine hits destroy the Hong Kong Division, which is too weak to answer."""
    game = landed().play(MALAYA + HONG_KONG)
    game.expect("""
BOX removed: Hong Kong Division
AT 2709: 17th Army reduced
""")


def test_northern_luzon() -> None:
    """39 points at one half are 20 hits: both air units reduced; 27 hits destroy NL Corps, six reduce 14th Army."""
    game = landed().play(MALAYA + HONG_KONG + NORTHERN_LUZON)
    game.expect("""
UNITS 2812: us-feaf reduced, 19-af-lrb reduced, 14th Army reduced, CA Takao
BOX removed: NL Corps
""")


def test_rest_of_the_philippines() -> None:
    """SL Corps reduced and pushed to 2912, CA US Asia reduced by a carrier three hexes away, M Corps destroyed."""
    game = landed().play(MALAYA + HONG_KONG + NORTHERN_LUZON + REST_OF_THE_PHILIPPINES)
    game.expect("""
UNITS 2912: SL Corps reduced
UNITS 2913: 19th Army reduced, CVL Zuiho
AT 3014: CA US Asia (Cruiser) reduced
AT 3116: CVL Ryujo
BOX removed: M Corps
AT 2915: 16th Army reduced, CA Nachi
""")


def test_wake_holds() -> None:
    """Five hits do not touch Marine 211; the Marines reduce 4 SN Brigade, which goes back to Kwajalein."""
    game = landed().play(MALAYA + HONG_KONG + NORTHERN_LUZON + REST_OF_THE_PHILIPPINES + WAKE + AFTER_THE_BATTLES)
    game.expect("""
OWN allies: Wake
UNITS Wake: vmf-211, wake-island-brigade
AT Kwajalein: 4th SN Brigade reduced, CL Tenyru
""")


def turn_two() -> Game:
    return landed().play(MALAYA + HONG_KONG + NORTHERN_LUZON + REST_OF_THE_PHILIPPINES + WAKE + AFTER_THE_BATTLES)


def test_end_of_turn_one() -> None:
    """Post-battle and emergency movement, control, four resource hexes; no surrender, no attrition, will 8."""
    game = turn_two()
    game.expect("""
MARK turn 2
MARK will 8
MARK surrendered
OWN japan: 1912, 1913, 2011, 2012, 2109, 2110, 2112, 2415, 2709, 2812, 2911, 2913, 2915, Guam, Rabaul
AT 2813: us-feaf reduced
AT 2917: 19-af-lrb reduced
AT 2915: CVL Ryujo, CVL Zuiho, CA Nachi
AT 2909: CA Takao, 21st Air Flotilla
AT 2812: 5th Air Division
AT 2311: BB Kongo, CA Mogami
AT Truk: APD Kamikaze
AT Rabaul: CA Aoba, South Seas Brigade
AT Guam: 3rd SN Brigade
""")
    state = game.stage.engine.state
    assert len(state.resources("japan")) == 4


def test_strategic_phase_of_turn_two() -> None:
    """Level 1 delays everything, one air unit goes to Europe; replacements; the submarines fail; 7 and 5 cards, 2 passes."""
    game = turn_two().play(REINFORCEMENTS + REPLACEMENTS + SUBMARINES)
    game.expect("""
BOX schedule 5: 5-af-lrb
BOX delayed: 10-af-lrb, 5-af, XI Corps, Marine Brigade, BB Warspite
AT Calcutta: SEAC HQ
AT Midway: 7th Air Force
AT Oahu: 7th LRB, CV Lexington, CV Enterprise
MARK divisions 11
AT 2812: 14th Army
MARK asp allies 1
CARDS japan 7
CARDS allies 5
MARK passes allies 2
ASKED japan card
""")


def operation_re() -> Game:
    game = Game("SCENARIO year-1942", "START impulse", "HAND japan: J23, J24", "HAND allies: A5, A59")
    return game.play(OPERATION_RE + MATADOR)


def test_operation_re_is_intercepted() -> None:
    """Two battle hexes, as an event; Matador intercepts; its logistics value and the Malaya HQ give four activations."""
    game = operation_re()
    game.expect("""
OFFENSIVE battles 2014 2015
OFFENSIVE condition intercept
""")
    game.expect("""
LEGAL allies: counter: {hq: Malaya HQ, activate: [3rd Indian Corps, 8th Australian Division, raf-malaya]}
""")
    game.stage._order(
        "allies: counter: {hq: Malaya HQ, activate: [8th Australian Division], "
        'moves: ["move: 8th Australian Division to 2014"]} !! 6.26',
        0,
    )


def test_singapore_and_kuantan() -> None:
    """Singapore's air unit is destroyed, a modified 9 is no critical hit; Kuantan is held after a tie."""
    game = operation_re().play("""
allies: counter: {hq: Malaya HQ, activate: [3rd Indian Corps, 8th Australian Division, raf-malaya]}
japan: fight: 2015
dice "45 points": 6
dice "6 points": 7
japan: fight: 2014
dice "points, -2": 1
dice "9 points": 7
japan: return: BB Kongo, CA Mogami to 2311
japan: return: 22nd Air Flotilla to 2112
""")
    game.expect("""
BOX removed: raf-malaya
AT 1913: 15th Army reduced
AT 2014: 3rd Indian Corps reduced
OWN allies: 2014, 2015
AT 2311: BB Kongo, CA Mogami
AT 2112: 22nd Air Flotilla
ASKED allies card
""")
