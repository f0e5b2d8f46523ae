"""Orders as a player of the game says them: no keys of the notation, no bare numbers, things counted as in the rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from pbem import games
from pbem.games.axis_and_allies_pacific import scramble
from pbem.games.next_war import support
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Pick
from pbem.kernel.wording import Message, english, verbatim
from pbem.report.languages import language
from pbem.report.quoting import answer_told, clause_told, order_told
from pbem.report.verbs import name_of
from tests.test_recorded_games import begin

PACIFIC = ("axis-and-allies-pacific", "spring-1940")
EMPIRE = ("empire-of-the-sun", "year-1942")
KOREA = ("next-war", "gap")
GUADALCANAL = ("pacific-war", "guadalcanal")
HELOS: Plain = {"support": {"air": 4, "helos": ["DPRK Mi-24-1"]}}
REACTION: Plain = {
    "counter": {"hq": "hq-south-seas", "activate": ["cv-akagi"], "moves": [{"move": "cv-akagi to 4715"}]},
}
RESERVE: Plain = {"allocate": {"South Seas": 20, "reserve": {"month": "September 1942", "points": 10}}}
CASUALTIES = "casualties: 2 fighters (United Kingdom), 1 hit on a battleship"
KAMIKAZE = "kamikaze: 1 damaged battleship (United States) in sea zone 17"
SPOKEN: list[tuple[tuple[str, str], Plain, str]] = [
    (KOREA, HELOS, "support: 4 Air Points; helicopters DPRK Mi-24-1"),
    (KOREA, {"support": "air 4 helos DPRK Mi-24-1"}, "support: 4 Air Points; helicopters DPRK Mi-24-1"),
    (KOREA, {"support": {"air": 1}}, "support: 1 Air Point"),
    (KOREA, {"support": "air 1"}, "support: 1 Air Point"),
    (
        KOREA,
        {"lift": {"units": ["DPRK 32/II"], "to": "N3116", "escort": 2}},
        "lift: DPRK 32/II to N3116; escort of 2 Air Points",
    ),
    (KOREA, {"support": "helos DPRK Mi-24-1 ships Group 9"}, "support: helicopters DPRK Mi-24-1; ships Group 9"),
    (KOREA, {"attack": "DPRK 32/II at N3116 lead DPRK 32/II"}, "attack: DPRK 32/II at N3116; led by DPRK 32/II"),
    (
        KOREA,
        {"attack": {"units": ["DPRK 32/II"], "at": "N3116", "lead": "DPRK 32/II"}},
        "attack: DPRK 32/II at N3116; led by DPRK 32/II",
    ),
    (KOREA, {"advance": "DPRK 32/II then DPRK 32/II to N3116"}, "advance: DPRK 32/II then DPRK 32/II to N3116"),
    (KOREA, {"embark": {"units": ["DPRK 32/II"], "on": "Amph 1"}}, "embark: DPRK 32/II on Amph 1"),
    (KOREA, {"rebase": "Falcon 1 on Amph 1"}, "rebase: Falcon 1 on Amph 1"),
    (KOREA, {"retreat": {"on": "Amph 1"}}, "retreat: on Amph 1"),
    (KOREA, {"retreat": "on Amph 1"}, "retreat: on Amph 1"),
    (KOREA, {"retreat": "to N3116"}, "retreat: to N3116"),
    (KOREA, {"bridge": "destroy by 3/I at N3116 to N3117"}, "bridge: destroy by 3/I at N3116 to N3117"),
    (KOREA, {"weather": "clear"}, "weather: clear"),
    (KOREA, {"lift": "DPRK 32/II to N3116 clear N3117"}, "lift: DPRK 32/II to N3116; and clears N3117"),
    (KOREA, {"drop": "DPRK 32/II to N3116 escort 1"}, "drop: DPRK 32/II to N3116; escort of 1 Air Point"),
    (EMPIRE, REACTION, "counter: South Seas HQ; activate CV Akagi; move CV Akagi to Kwajalein 4715"),
    (EMPIRE, {"counter": "none"}, "counter: no reaction"),
    (EMPIRE, {"intelligence": "roll"}, "intelligence: roll for intelligence"),
    (EMPIRE, {"intelligence": "none"}, "intelligence: neither a roll nor cards"),
    (EMPIRE, {"hits": {"1-sn-brigade": 1, "14-army": 2}}, "hits: 1st SN Brigade: 1 step, 14th Army: 2 steps"),
    (EMPIRE, {"return": "home"}, "return: all of them home"),
    (EMPIRE, {"retrieve": "J33 for J5"}, "retrieve: J33 Imperial Intervention for J5 Japanese Aircraft Production Efficiency"),
    (EMPIRE, {"arcadia": "yes"}, "Arcadia Conference: yes"),
    (GUADALCANAL, {"allocate": {"South Seas": 30}}, "allocate: South Seas: 30 command points"),
    (
        GUADALCANAL,
        RESERVE,
        "allocate: South Seas: 20 command points; 10 command points kept for September 1942",
    ),
    (GUADALCANAL, {"replace": {"11th Bomb Group": 1}}, "replace: 11th Bomb Group: 1 step"),
    (GUADALCANAL, {"base": {"at": 1426, "hq": "South Pacific"}}, "base: at 1426 Port Moresby; headquarters South Pacific"),
    (GUADALCANAL, {"light": "am"}, "light: Day A.M."),
    (GUADALCANAL, {"first": "land"}, "first: ground units"),
    (GUADALCANAL, {"search": {"A2": "Rabaul flying boats"}}, "search: A2 by Rabaul flying boats"),
    (GUADALCANAL, {"hits": {"Hiyo air group": 2}}, "hits: Hiyo air group: 2 hits"),
    (GUADALCANAL, {"grounded": {"26th Flotilla bombers": 1}}, "grounded: 26th Flotilla bombers: 1 step"),
    (GUADALCANAL, {"landing": "home"}, "landing: all of them home"),
    (GUADALCANAL, {"sail": {"A9": "off"}}, "sail: A9 → off the map"),
    (GUADALCANAL, {"release": {"DD1 Kagero": {"at": 1630, "steps": 6}}}, "release: DD1 Kagero: at 1630 Rabaul, 6 steps"),
    (GUADALCANAL, {"rebuild": {"Hiyo air group": {"at": "CV5", "steps": 1}}}, "rebuild: Hiyo air group: at CV5, 1 step"),
    (GUADALCANAL, {"replace": {"A": {"steps": 1, "level": 2}}}, "replace: A: 1 step, level 2"),
    (
        GUADALCANAL,
        {"submarines": {"fleet": {"KRS Kiri": {"at": 2432, "steps": 1}}, "recall": 1}},
        "submarines: fleet (KRS Kiri: at 2432 Truk; 1 step); recall 1",
    ),
    (GUADALCANAL, {"bid": "medium"}, "bid: medium"),
    (GUADALCANAL, {"fire": {"CA1": {"at": "CA2", "with": "torpedoes"}}}, "fire: CA1: at CA2 with torpedoes"),
    (PACIFIC, {"casualties": ["1 infantry of anzac"]}, "casualties: 1 infantry (ANZAC)"),
    (PACIFIC, {"casualties": "2 fighter of united-kingdom, 1 hit battleship"}, CASUALTIES),
    (PACIFIC, {"kamikaze": ["damaged battleship of united-states in SZ 17"]}, KAMIKAZE),
    (PACIFIC, {"engage": "submarines in SZ 31"}, "engage: submarines in sea zone 31"),
    (PACIFIC, {"submarines": {"strike": 1, "submerge": 2}}, "submarines: 1 strike, 2 submerge"),
    (PACIFIC, {"casualties": ["1 infantry", "1 infantry", "2 tanks"]}, "casualties: 2 infantry, 2 tanks"),
    (PACIFIC, {"scramble": "1 fighter from Philippines to SZ 35"}, "scramble: 1 fighter from Philippines to sea zone 35"),
]

ENGLISH = (" step", " hit", "Air Point", "command point", "helicopters", "escort of", "kept", "Day", "home", "headquarters")
ENGLISH += ("neither", "no reaction", "ground units", " by ", "sea zone", "Arcadia Conference")
ENGLISH += (" lead", "led by", "ships", " then ", "clear", "September")
ENGLISH += (
    " on ",
    " of ",
    " to ",
    " at ",
    "destroy",
    "off the map",
    "level",
    "fleet",
    "recall",
    ": medium",
    "torpedoes",
    "infantry",
)
ENGLISH += ("fighters", "battleship", "submarines", "strike", "submerge")


@cache
def known(game: tuple[str, str]) -> Callable[[str], Message | None]:
    """What the game calls things, in its scenario as it begins."""
    system, scenario = game
    state, words = begin(system.replace("-", "_"), scenario, {}).state, games.load(system).words()
    return lambda word: words.named(state, word)


@pytest.mark.parametrize(("game", "order", "text"), SPOKEN)
def test_an_order_reads_as_a_player_says_it(game: tuple[str, str], order: Plain, text: str) -> None:
    assert english(order_told(order, known(game))) == text
    assert english(order_told({"seal": order, "seat": "japan"}, known(game))) == f"sealed: {text}", "sealed, it reads the same"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("cs", "podpora: 4 letecké body; vrtulníky DPRK Mi-24-1"),
        ("fr", "soutien\N{NO-BREAK SPACE}: 4 points aériens\N{NO-BREAK SPACE}; hélicoptères DPRK Mi-24-1"),
        ("pl", "wsparcie: 4 Punkty Lotnictwa; śmigłowce DPRK Mi-24-1"),
        ("ru", "поддержка: 4 очка авиации; вертолёты DPRK Mi-24-1"),
    ],
)
def test_it_does_so_in_every_language(code: str, text: str) -> None:
    assert language(code, ("next_war",)).text(order_told(HELOS, known(KOREA))) == text


@pytest.mark.parametrize("code", ["cs", "fr", "pl", "ru"])
@pytest.mark.parametrize(("game", "order", "text"), SPOKEN)
def test_no_english_is_left(code: str, game: tuple[str, str], order: Plain, text: str) -> None:
    told = language(code, (game[0].replace("-", "_"),)).text(order_told(order, known(game)))
    for word in ENGLISH:
        assert word not in told


def test_an_answer_beside_its_question_and_a_standing_order_read_so_too() -> None:
    assert english(answer_told(HELOS, known(KOREA))) == "4 Air Points; helicopters DPRK Mi-24-1"
    assert english(clause_told("support", {"do": {"air": 2}}, known(KOREA))) == "support: 2 Air Points"
    assert english(clause_told("return", {"do": "home"}, known(EMPIRE))) == "return: all of them home"


@pytest.mark.parametrize(
    ("verb", "text"),
    [
        ("again", "start over"),
        ("track", "to the turn track"),
        ("strategic", "strategic movement"),
        ("future", "future offensive"),
        ("china", "China offensive"),
    ],
)
def test_buttons_say_what_they_do(verb: str, text: str) -> None:
    pick = Pick("verb", verb, verbatim(verb))
    told = name_of(pick)
    assert isinstance(told, Message) and english(told) == text
    assert all(language(code).text(told) not in (text, verb) for code in ("cs", "fr", "pl", "ru"))


def test_what_a_word_stands_for_is_said_in_such_orders_alone() -> None:
    assert english(order_told({"move": "home to air 4"}, known(KOREA))) == "move: home to air 4"
    assert english(order_told({"march": {"units": ["A"], "hq": "B"}}, known(EMPIRE))) == "march: A; headquarters B"
    assert english(order_told({"casualties": ["1 infantry", "1 mule"]}, known(PACIFIC))) == "casualties: 1 infantry; 1 mule"


def test_no_answer_is_proposed_twice() -> None:
    """Where all that can be had is one aircraft, or one Air Point, that is no further answer."""
    state = begin("axis_and_allies_pacific", "spring-1940", {}).state
    alone = scramble._options(state, "united-states", [("philippines", "sz-35")])
    assert alone == [{"scramble": "none"}, {"scramble": [{"units": {"fighter": 1}, "from": "philippines", "to": "sz-35"}]}]
    assert support._options(support.Means(True, 1, (), ())) == [{"support": {"air": 1}}, {"support": "none"}]
    assert len(support._options(support.Means(True, 2, (), ()))) == 3
