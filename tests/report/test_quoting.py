"""Orders on one line, as players write them."""

from __future__ import annotations

import pytest

from pbem.games.axis_and_allies_pacific.terms import MARKED
from pbem.kernel.canon import Plain
from pbem.kernel.notation import order_text
from pbem.kernel.standing import WhyNot
from pbem.kernel.wording import Message, counted, english, msg, quoted
from pbem.report.conditions import condition_told
from pbem.report.languages import language
from pbem.report.planning import why_not
from pbem.report.quoting import clause_told, order_told


@pytest.mark.parametrize(
    ("order", "text"),
    [
        ({"move": "3 infantry from Kwangsi to Yunnan"}, "move: 3 infantry from Kwangsi to Yunnan"),
        ({"buy": {"infantry": 3, "tank": 1}}, "buy: 3 infantry, 1 tank"),
        ({"fire": {"CA1": {"at": "CA7", "with": "both"}}}, "fire: CA1: at CA7 with both"),
        (
            {"fire": {"CA1": {"at": "CA7"}, "CA2": {"at": "CA7"}, "DD1": {"at": "CA8"}}},
            "fire: CA1, CA2: at CA7; DD1: at CA8",
        ),
        ({"targets": {"CAD1": ["BB1", "BB2"], "CAD2": ["BB1", "BB2"]}}, "targets: CAD1, CAD2: BB1, BB2"),
        (
            {"organize": {"TF1": {"core": ["CV1"], "screen": ["CA1", "CA2"]}, "TF2": {"core": ["CV2"]}}},
            "organize: TF1: core CV1 screen CA1, CA2; TF2: core CV2",
        ),
        ({"counter": {"hq": "South HQ", "activate": ["14th Army"]}}, "counter: hq South HQ activate 14th Army"),
        ({"search": {"A1": "CA5"}}, "search: {A1: CA5}"),
        ({"fire": {"CA1": "CA7", "CA2": "CA7"}}, "fire: CA1, CA2: CA7"),
        ({"seal": {"line": ["CA1", "CA2"]}, "seat": "japan"}, "sealed: line: CA1; CA2"),
        ({"bid": {"withdraw": "1233"}}, "bid: withdraw 1233"),
        ({"sail": {"J1": 2330, "J2": 1134}}, "sail: {J1: 2330, J2: 1134}"),
        ({"link": {"from": 1630, "to": 1034}}, "link: from 1630 to 1034"),
        ({"buy": {"infantry": 200}}, "buy: 200 infantry"),
        ("done", "done"),
    ],
)
def test_an_order_reads_as_one_line(order: Plain, text: str) -> None:
    assert order_text(order) == text


def test_hexes_are_told_as_places_not_as_numbers_of_things() -> None:
    known = {"2813": msg("Manila")}
    told = [
        english(order_told(order, known.get))
        for order in ({"sail": {"J1": 2813, "J2": 1134, "J3": 1134}}, {"fight": 2813}, {"search": {"A1": "CA5"}})
    ]
    assert told == ["sail: J1 → Manila; J2, J3 → 1134", "fight: Manila", "search: A1 → CA5"]


FLEETS: Plain = [{"core": ["CV3", "CV4"], "screen": ["CA3"]}, {"core": ["BB1"]}]


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (
            {"activate": {"hq": "South Pacific", "units": ["CV3", "CA3"], "fleets": FLEETS}},
            "activate: CV3, CA3; headquarters South Pacific; task forces (core CV3, CV4; screen CA3), (core: BB1)",
        ),
        ({"counter": {"hq": "South HQ", "activate": ["14th Army"]}}, "counter: headquarters South HQ; activate 14th Army"),
        (
            {"counter": {"hq": "South HQ", "moves": [{"move": {"units": ["BB1"], "to": 2813}}]}},
            "counter: headquarters South HQ; moves (move: BB1 to Manila)",
        ),
        ({"attack": {"units": ["1/G", "12/A"], "at": 2813, "lead": "1/G"}}, "attack: 1/G, 12/A at Manila; lead 1/G"),
        (
            {"organize": {"TF1": {"core": ["CV1"], "screen": ["CA1", "CA2"]}, "TF2": {"core": ["CV2"]}}},
            "organize: TF1: core CV1; screen CA1, CA2; TF2: core CV2",
        ),
        ({"move": {"units": {"mule": 1}, "from": "a", "to": "b"}}, "move: 1 mule from a to b"),
        ({"line": ["CA1", "CA2"]}, "line: CA1; CA2"),
    ],
)
def test_nested_orders_are_told_part_by_part(order: Plain, text: str) -> None:
    known = {"2813": msg("Manila")}
    assert english(order_told(order, known.get)) == text


def test_an_order_is_told_with_the_names_of_the_game() -> None:
    known: dict[str, Message] = {"kwangsi": msg("Kwangsi"), "tank": counted("{n} tank", "{n} tanks")}
    order: Plain = {"move": {"units": {"tank": 2, "mule": 1}, "from": "kwangsi", "to": "nowhere"}}
    assert english(order_told(order, known.get)) == "move: 2 tanks, 1 mule from Kwangsi to nowhere"
    assert english(order_told({"move": {"units": {"mule": 1}, "to": "nowhere"}}, known.get)) == "move: 1 mule to nowhere"


def test_a_body_written_as_one_text_is_told_name_by_name() -> None:
    known: dict[str, Message] = {
        "bb-hiei": msg("BB Hiei"),
        "14-army": msg("14th Army"),
        "tank": counted("{n} tank", "{n} tanks"),
    }
    assert english(order_told({"activate": "14-army; bb-hiei, 3 mules"}, known.get)) == "activate: 14th Army; BB Hiei, 3 mules"
    assert english(order_told({"move": "bb-hiei to 2813 with 14-army"}, known.get)) == "move: BB Hiei to 2813 with 14th Army"
    assert english(order_told({"move": "tank to 14-army {x}"}, known.get)) == "move: tank to 14-army {x}"


@pytest.mark.parametrize(
    ("order", "text"),
    [
        ({"move": {"units": {"tank": 2}, "from": "kwangsi", "to": 1034}}, "pohyb: 2 tanks odkud: Kwangsi → 1034"),
        ({"move": "2 tank from kwangsi to Nowhere via 1034"}, "pohyb: 2 tanks odkud: Kwangsi → Nowhere přes 1034"),
        ({"fire": {"CA1": {"at": "CA7", "with": "both"}}}, "palba: CA1: → CA7 s: obojí"),
        ({"counter": {"hq": "South HQ", "activate": [], "moves": [{"move": {"units": ["BB1"], "to": 2813}}]}},
         "reakce: velitelství South HQ; přesuny (pohyb: BB1 → 2813)"),
        ({"stop": False}, "zastavit: ne"),
        ({"seal": {"line": ["CA1"]}, "seat": "japan"}, "zapečetěno: bojová linie: CA1"),
        ("done", "hotovo"),
    ],
)  # fmt: skip
def test_the_words_of_an_order_are_the_readers(order: Plain, text: str) -> None:
    known: dict[str, Message] = {"kwangsi": msg("Kwangsi"), "tank": counted("{n} tank", "{n} tanks")}
    assert language("cs").text(order_told(order, known.get)) == text


def test_a_load_names_two_places_and_no_word_that_only_the_notation_has() -> None:
    known: dict[str, Message] = {"japan": msg("Japan"), "sz-6": msg("SZ 6")}
    order: Plain = {"load": {"units": {"mule": 1}, "from": "japan", "zone": "sz-6"}}
    assert english(order_told(order, known.get)) == "load: 1 mule from Japan to SZ 6"


def test_what_was_written_stands_in_the_quotation_marks_of_the_language() -> None:
    told = msg("there is no {kind} {text}", kind=msg("unit"), text=quoted("mule"))
    assert english(told) == "there is no unit 'mule'"
    assert [language(code).text(quoted("mule")) for code in ("cs", "fr", "pl", "ru")] == [
        "„mule“",
        "«\N{NO-BREAK SPACE}mule\N{NO-BREAK SPACE}»",
        "„mule”",
        "«mule»",
    ]
    assert language("cs").text(quoted([7])) == "[7]"


RETREAT: Plain = {"when": "own-strength < enemy-strength", "do": "retreat"}
AS_TOLD = {
    "en": "retreat when own strength < enemy strength: retreat",
    "cs": "ústup když vlastní síla < síla nepřítele: ústup",
    "fr": "retraite si force propre < force ennemie\N{NO-BREAK SPACE}: retraite",
    "pl": "odwrót gdy siła własna < siła przeciwnika: odwrót",
    "ru": "отступление когда своя сила < сила противника: отступление",
}


@pytest.mark.parametrize("code", AS_TOLD)
def test_a_standing_order_is_told_in_the_readers_words(code: str) -> None:
    assert language(code).text(clause_told("retreat", RETREAT, {}.get)) == AS_TOLD[code]


def test_a_clause_says_where_it_holds_and_that_it_holds_once() -> None:
    known: dict[str, Message] = {"sz-19": msg("SZ 19")}
    clause: Plain = {"when": "round > 1", "do": ["submarine", "destroyer"], "scope": "battle:sz-19", "life": "once"}
    told = clause_told("casualties", clause, known.get)
    assert english(told) == "casualties when round > 1 (SZ 19): submarine; destroyer (once)"
    assert language("cs").text(told) == "ztráty když kolo > 1 (SZ 19): ponorka; destroyer (jednou)"
    assert english(clause_told("no such kind", "any", known.get)) == "no such kind: any"
    left = why_not(WhyNot(2, "scope", "battle:sz-19"), known.get), why_not(WhyNot(1, "condition", "round > 1"), known.get)
    assert [english(why) for why in left] == ["clause 2: only for SZ 19", "clause 1: not so, round > 1"]


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        ("own answers = 0", "you alone can give no answer"),
        ("own answers = 0 and not open answers > 0", "you alone can give no answer and no open answer does anything"),
        ("(round >= 2 or round = 1) and kwangsi-fell", "(round ≥ 2 or round = 1) and Kwangsi has fallen"),
        ("kwangsi-held-by != japan", "holder of Kwangsi ≠ Japan"),
        ("own-tank-at-kwangsi > 0", "own units in Kwangsi (tank) > 0"),
        ("enemy-at-kwangsi = 0", "enemy units in Kwangsi = 0"),
        ("found-within-3-of-kwangsi > 0", "detected task forces within 3 of Kwangsi > 0"),
        ("space in [kwangsi, japan]", "the place is one of: Kwangsi, Japan"),
        ("not round = 1", "not (round = 1)"),
        ("no such thing", "no-such-thing"),
        ("round = ", "round = "),
    ],
)
def test_a_condition_is_told_in_the_readers_words(condition: str, text: str) -> None:
    known: dict[str, Message] = {"kwangsi": msg("Kwangsi"), "tank": counted("{n} tank", "{n} tanks"), "japan": msg("Japan")}
    assert english(condition_told(condition, known.get)) == text


def test_marked_ships_of_pacific_1940_have_names() -> None:
    ships: dict[str, Message] = {**MARKED}
    told = order_told({"move": {"units": {"loaded transport": 2, "damaged battleship": 1}, "to": "nowhere"}}, ships.get)
    assert english(told) == "move: 2 loaded transports, 1 damaged battleship to nowhere"
    assert language("ru", ("axis_and_allies_pacific",)).text(told) == (
        "движение: 2 загруженных транспорта, 1 повреждённый линкор → nowhere"
    )
