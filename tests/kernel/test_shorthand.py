"""Orders of hex games as people type them, over a toy map: short names, arrows, words that are left out, other verbs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.naming import Index, hex_index, hex_number
from pbem.kernel.orders import Rejected
from pbem.kernel.shorthand import LONGEST, Vocabulary, typed

TITLES = {
    "R1": "1st Guards Division",
    "R2": "2nd Guards Division",
    "R14": "14 Army",
    "CV1": "CV Akagi",
    "B1": "1st Rifles",
    "B2": "Force Z, Fleet",
    "B3": "B1",
    "B4": "Bengal Lancers of the Old Army Reserve North",
}
MAP = {101: "Delhi", 722: "Port Moresby", 1303: "Kwajalein", 2330: "Truk Lagoon", 2331: "Truk Roads", 900: "New Delhi"}
UNITS = Index(
    ((title, unit) for unit, title in TITLES.items()),
    ids=TITLES,
    title=TITLES.__getitem__,
    side=lambda unit: "blue" if unit.startswith("B") else "red",
)
PLACES = hex_index(
    ((h, f"{h:04}", name) for h, name in MAP.items()),
    lambda h: f"{h:04}",
    lambda word: h if (h := hex_number(word)) in MAP else None,
)
ASKED = ("move", "sail", "go by", "base", "attack", "done", "march")
VERBS = {"go": ("walk", "move", "march"), "strike": ("attack",), "end": ("done",)}
SHAPES = {"base": "map", "sail": "ways", "attack": "{place} by {units}"}


def here(place: int) -> Sequence[str]:
    return {722: ("R1", "R14"), 101: ("B2",)}.get(place, ())


KNOWN = Vocabulary(UNITS, PLACES, VERBS, SHAPES, here)


def meant(order: Plain, known: Vocabulary = KNOWN) -> list[Plain]:
    return typed(known, "red", ASKED, order)


# -- verbs --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "meaning"),
    [
        ("go 14 army to delhi", [{"move": "14 Army to 0101"}]),  # the first of its verbs that is asked
        ({"go": "14 army to delhi"}, [{"move": "14 Army to 0101"}]),
        ({" Move ": "14 army to delhi"}, [{"move": "14 Army to 0101"}]),
        ("  MOVE: 14 army to delhi ", [{"move": "14 Army to 0101"}]),
        ("move : 14 army to delhi", [{"move": "14 Army to 0101"}]),
        ("Go:14 army to delhi", [{"move": "14 Army to 0101"}]),
        ("go by 14 army to delhi", [{"go by": "14 Army to 0101"}]),  # the longest verb that is asked
        ("moved 14 army to delhi", []),
        ("fly 14 army to delhi", []),
        ({"fly": "14 army to delhi"}, []),
        ("end", []),
        ({"end": []}, [{"done": []}]),
        ({"end": None}, []),
        ({"end": ""}, []),
        ({"go": 3}, [{"move": 3}]),
        ({"go": {"units": ["R1"]}}, [{"move": {"units": ["R1"]}}]),
        ({"go": 0}, []),
        ({"move": 3}, []),
        ({"move": {"units": ["R1"]}}, []),
        ({"move": "x", "go": "y"}, []),
        ({}, []),
        (["move"], []),
        (None, []),
        (3, []),
        ("", []),
    ],
)
def test_the_verb_that_is_meant(order: Plain, meaning: list[Plain]) -> None:
    assert meant(order) == meaning


def test_a_colon_behind_an_unknown_verb_and_in_the_rest() -> None:
    known = replace(KNOWN, verbs={"strike": ("attack",)})
    assert meant("strike: delhi: with 14 army", known) == [{"attack": "0101 by 14 Army"}]
    assert meant("strike delhi horses: 14 army", known) == [{"attack": "delhi horses: 14 army"}]
    assert meant("strike:delhi horses:", known) == [{"attack": "delhi horses:"}]
    assert meant("move: horses to 1303") == [{"move": "horses to 1303"}]
    assert meant("GO BY 14 army to 1303") == [{"go by": "14 Army to 1303"}]
    assert typed(KNOWN, "red", ("move", "move far"), "move far 14 army to delhi") == [{"move far": "14 Army to 0101"}]
    assert meant("strike delhi with 14 army: ", known) == [{"attack": "0101 by 14 Army"}]


# -- lists of names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "meaning"),
    [
        ({"move": ["14 a", "akagi"]}, [{"move": ["14 Army", "CV Akagi"]}]),
        ({"move": ["R1", "R14"]}, [{"move": ["1st Guards Division", "14 Army"]}]),
        ({"move": ["14 Army"]}, []),  # nothing that the rules could not read themselves
        ({"go": ["14 Army"]}, [{"move": ["14 Army"]}]),
        ({"move": ["horses", 3, None]}, []),
        ({"move": ["horses", "14 a", "0722"]}, [{"move": ["horses", "14 Army", "0722"]}]),
        ({"move": []}, []),
    ],
)
def test_names_of_a_list(order: Plain, meaning: list[Plain]) -> None:
    assert meant(order) == meaning


# -- units and places ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("14 army from moresby to kwaj", "14 Army from 0722 to 1303"),
        ("14 army 0722 1303", "14 Army from 0722 to 1303"),
        ("14 army 1303", "14 Army to 1303"),
        ("14 army moresby -> kwaj", "14 Army from 0722 to 1303"),
        ("14 army moresby=>kwaj", "14 Army from 0722 to 1303"),
        ("14 army moresby > kwaj", "14 Army from 0722 to 1303"),
        ("14 army moresby→kwaj", "14 Army from 0722 to 1303"),
        ("14 army moresby ➔ kwaj", "14 Army from 0722 to 1303"),
        ("14 army to 1303 from 0722", "14 Army from 0722 to 1303"),
        ("14 army in 0722 to 1303", None),  # two ends
        ("14 army into 1303", "14 Army to 1303"),
        ("14 army at 1303", "14 Army to 1303"),
        ("14 army on 1303", "14 Army to 1303"),
        ("14 army in 1303", "14 Army to 1303"),
        ("14 army and akagi to 1303", "14 Army, CV Akagi to 1303"),
        ("14 army, akagi to 1303", "14 Army, CV Akagi to 1303"),
        ("14 army; akagi to 1303", "14 Army, CV Akagi to 1303"),
        ("14 army & akagi + R1 to 1303", "14 Army, CV Akagi, 1st Guards Division to 1303"),
        ("the 14 army of delhi to 1303", "14 Army from 0101 to 1303"),
        ("14 army to 1303 via moresby", "14 Army to 1303 via 0722"),
        ("14 army to 1303 through 0722, 0101", "14 Army to 1303 via 0722, 0101"),
        ("14 army via 0722 0101 to 1303", "14 Army to 1303 via 0722, 0101"),
        ("14 army via 0722 > 1303", "14 Army to 1303 via 0722"),
        ("14 army to 1303 by Rail.", "14 Army to 1303 by rail"),
        ("14 army to 1303 via 0722 by rail", "14 Army to 1303 via 0722 by rail"),
        ("14 army by rail delhi", "14 Army to 0101 by rail"),
        ("14 army by rail akagi to 1303", "14 Army, CV Akagi to 1303 by rail"),
        ("14 army by rail to 1303", "14 Army to 1303 by rail"),
        ("14 army. to kwaj.", "14 Army to 1303"),
        ("14 Army: to delhi", "14 Army to 0101"),
        ("14 army horses to 1303", None),
        ("to 1303", None),
        ("14 army", "14 Army"),
        ("14 army from 0722", "14 Army from 0722"),
        ("14 army to port moresby", "14 Army to 0722"),
        ("14 army to new delhi", "14 Army to 0900"),
        ("14 army 0900 delhi", "14 Army to 0900"),  # New Delhi is a Delhi
        ("14 army 0722 kwaj", "14 Army from 0722 to 1303"),  # a number is followed by the name of its own hex, or by another
        ("14 army 0722 port moresby kwaj", "14 Army from 0722 to 1303"),
        ("14 army 0722 moresby kwaj lagoon", None),
        ("14 army 2330 truk lagoon 2331 truk roads", "14 Army from 2330 to 2331"),
        ("14 army 0722. kwaj", "14 Army from 0722 to 1303"),
        ("0722 14 army kwaj", "14 Army from 0722 to 1303"),
        ("722 14 army kwaj", "14 Army from 0722 to 1303"),
        ("14 army delhi", "14 Army to 0101"),
        ("all from moresby to 1303", "1st Guards Division, 14 Army from 0722 to 1303"),
        ("all 0722 1303", "1st Guards Division, 14 Army from 0722 to 1303"),
        ("All to 1303 from 0722", "1st Guards Division, 14 Army from 0722 to 1303"),
        ("all from 1303 to 0722", None),
        ("all", None),
        ("akagi and all from 0722 to 1303", "CV Akagi, 1st Guards Division, 14 Army from 0722 to 1303"),
        ("14 army to 1303 to 0722", None),
        ("14 army 0722 1303 0101", None),
    ],
)
def test_units_from_a_place_to_a_place(line: str, meaning: str | None) -> None:
    assert meant(f"move {line}") == [{"move": meaning or line}]


def test_several_meanings_are_told() -> None:
    for line in ("move guards to delhi", "move 14 army to truk", "move gua to delhi"):
        with pytest.raises(Rejected) as refused:
            meant(line)
        assert [p.verdict for p in refused.value.problems] == ["means two things"]


def test_a_name_may_have_a_small_word_in_it() -> None:
    titles = {"DY": "BB Duke of York", "B1": "Army of the Bank", "B2": "Bank Guards", "T": "Guards Tokyo", "K": "Guards Kyoto"}
    units = Index([(title, unit) for unit, title in titles.items()], ids=titles, title=lambda unit: unit)
    places = Index([("Isle of Dogs", 7), ("Delhi", 8)], title=str)
    known = replace(KNOWN, units=units, places=places, number=str)
    for name in ("bb duke of york", "Duke Of York", "york", "duke york"):
        assert meant(f"move {name} to isle of dogs", known) == [{"move": "DY to 7"}]
    assert meant("move duke of york and army of the bank delhi", known) == [{"move": "DY, B1 to 8"}]
    assert meant("move army and bank guards to delhi", known) == [{"move": "B1, B2 to 8"}]
    with pytest.raises(Rejected, match="means two things"):
        meant("move guards to delhi", known)  # `to` begins no name
    rivers = Index([("Kwang Tong", 1), ("Kwang Si", 2), ("Delhi", 8)], title=str)
    with pytest.raises(Rejected, match="means two things"):
        meant("move 14 army from kwang to delhi", replace(KNOWN, places=rivers, number=str))


def test_two_units_of_one_letter_are_told_too() -> None:
    twins = Index([("Z", "A"), ("Z", "B")], ids="AB", title=lambda unit: unit)
    with pytest.raises(Rejected) as refused:
        meant("move z to delhi", replace(KNOWN, units=twins))
    assert [p.verdict for p in refused.value.problems] == ["means two things"]


def test_ones_own_units_come_first() -> None:
    assert typed(KNOWN, "blue", ASKED, "move 1st to delhi") == [{"move": "1st Rifles to 0101"}]
    assert typed(KNOWN, "blue", ASKED, "move 1s to delhi") == [{"move": "1st Rifles to 0101"}]
    assert meant("move 1st to delhi") == [{"move": "1st Guards Division to 0101"}]
    assert meant({"move": ["1st"]}) == [{"move": ["1st Guards Division"]}]


def test_a_unit_is_written_so_that_it_alone_is_meant() -> None:
    assert meant("move force z to 1303") == [{"move": "B2 to 1303"}]  # its name has a comma
    assert meant({"move": ["B3", "B1"]}) == [{"move": ["B3", "1st Rifles"]}]  # its name is another one's number
    twins = Index([("Guards", "R1"), ("Guards", "R2")], ids=["R1", "R2"], title=lambda unit: "Guards")
    assert meant("move R1 to 1303", replace(KNOWN, units=twins)) == [{"move": "R1 to 1303"}]
    corps = Index([("XIV Corps", "A"), ("IV Corps", "B")], ids="AB", title=lambda unit: unit)
    assert meant("move XIV Corps to 1303", replace(KNOWN, units=corps)) == [{"move": "A to 1303"}]
    assert meant("all 0101 1303".join(("move ", ""))) == [{"move": "B2 from 0101 to 1303"}]


def test_no_more_words_than_the_longest_name_are_one() -> None:
    assert typed(KNOWN, "blue", ("move",), "move bengal lancers to delhi") == [{"move": f"{TITLES['B4']} to 0101"}]
    units = Index([("one two three four five six", "L6"), ("a b c d e f g", "L7")], ids=["L6", "L7"], title=lambda unit: unit)
    known = replace(KNOWN, units=units)
    assert meant("move one two three four five six to delhi", known) == [{"move": "L6 to 0101"}]
    asked: list[str] = []

    class Spy(Index[str]):
        def one(self, text: Plain, own: str = "") -> str:
            asked.append(str(text))
            return super().one(text, own)

    spy = Spy([("a", "A")], ids=["A"])
    typed(replace(KNOWN, units=spy), "red", ("move",), "move b c d e f g h i to delhi")
    assert max(len(text.split()) for text in asked) == LONGEST == 6


def test_a_comma_ends_a_name() -> None:
    units = Index([("Old Guards", "A"), ("Old", "B"), ("Guards", "C")], ids="ABC", title=lambda unit: unit)
    known = replace(KNOWN, units=units)
    assert meant("move old guards to delhi", known) == [{"move": "A to 0101"}]
    assert meant("move old, guards to delhi", known) == [{"move": "B, C to 0101"}]
    assert meant("move old guards, old to delhi", known) == [{"move": "A, B to 0101"}]
    assert meant("move ,old guards to delhi", known) == [{"move": "A to 0101"}]


def test_a_last_name_that_is_a_unit_and_a_place() -> None:
    units = Index([("Delhi", "D"), ("Tank", "T")], ids="DT", title=lambda unit: unit)
    known = replace(KNOWN, units=units)
    assert meant("move tank delhi", known) == [{"move": "T to 0101"}]  # the last word is where it goes
    assert meant("move tank, delhi", known) == [{"move": "T, D"}]  # a list goes on
    assert meant("move delhi to 0722", known) == [{"move": "D to 0722"}]
    assert meant("move tank with delhi", known) == [{"move": "T, D"}]
    assert meant("move tank 0722 delhi", known) == [{"move": "T, D to 0722"}]
    assert meant("move delhi", known) == [{"move": "D"}]
    assert meant("move tank from delhi to 0722", known) == [{"move": "T from 0101 to 0722"}]
    assert meant("move tank to delhi from 0722", known) == [{"move": "T from 0722 to 0101"}]
    assert meant("move tank at delhi from 0722", known) == [{"move": "T from 0722 to 0101"}]
    assert meant("move tank via delhi to 0722", known) == [{"move": "T to 0722 via 0101"}]
    assert meant("move with tank delhi", known) == [{"move": "T, D"}]  # who goes along
    assert meant("attack 0722 with tank delhi", known) == [{"attack": "0722 by T, D"}]


def test_a_number_is_no_unit() -> None:
    units = Index([("722 Regiment", "A"), ("14 Army", "B")], ids="AB", title=lambda unit: unit)
    known = replace(KNOWN, units=units)
    assert meant("move 14 army 0722", known) == [{"move": "B to 0722"}]
    assert meant("move 722 14 army", known) == [{"move": "B to 0722"}]
    assert meant("move 722 regiment 1303", known) == [{"move": "A to 1303"}]


# -- other shapes of a body ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "body"),
    [
        ("base 14 army at kwaj", {"14 Army": 1303}),
        ("base 14 army, akagi kwaj", {"14 Army": 1303, "CV Akagi": 1303}),
        ("base 14 army 1303", {"14 Army": 1303}),
        ("base all from 0722 to 1303", {"1st Guards Division": 1303, "14 Army": 1303}),
        ("base all in 0722", {"1st Guards Division": "0722", "14 Army": "0722"}),  # as it is printed
        ("base 14 army to 1303 to 2330", None),
        ("base 14 army via 0722 to 1303", None),
        ("base 14 army to 1303 by rail", None),
        ("base J1 J2 to 1303", {"J1": 1303, "J2": 1303}),  # names that only the rules know
        ("base 14 army 1303 0722", None),
        ("base 14 army", None),
        ("base to 1303", None),
        ("sail 14 army to 1303", {"14 Army": [1303]}),
        ("sail 14 army via 0722 0101 to 1303", {"14 Army": ["0722", "0101", 1303]}),
        ("sail 14 army 0722 0101 1303", {"14 Army": ["0722", "0101", 1303]}),
        ("sail J1 0722", {"J1": ["0722"]}),
        ("sail 14 army", None),
        ("sail 14 army to 1303 by rail", None),
        ("attack kwaj with 14 army", "1303 by 14 Army"),
        ("attack 1303 14 army akagi", "1303 by 14 Army, CV Akagi"),
        ("attack 14 army at 1303", "1303 by 14 Army"),
        ("attack 14 army", None),
        ("attack 1303", None),
        ("attack 1303 0722 with 14 army", None),
        ("attack 1303 via 0722 with 14 army", None),
        ("attack 1303 with 14 army by rail", None),
        ("attack 1303 from 0722 with 14 army", "1303 by 14 Army"),
        ("attack J1 at 1303 with 14 army", None),
    ],
)
def test_bodies_of_another_shape(line: str, body: Any) -> None:
    verb, _, rest = line.partition(" ")
    assert meant(line) == [{verb: rest if body is None else body}]


def test_places_of_a_map_with_other_labels() -> None:
    lettered = {"N2212": 1, "S0602": 2}
    north = hex_index(((h, label, "Rinsan" if h == 1 else "Seoul") for label, h in lettered.items()), str,
                      lambda word: lettered.get(word.upper()))  # fmt: skip
    korea = replace(KNOWN, places=north, number=lambda place: [*lettered][place - 1])
    for line in ("n2212 seoul", "N2212 Rinsan S0602", "rinsan s0602 seoul", "from n2212 rinsan to seoul"):
        assert meant(f"move 14 army {line}", korea) == [{"move": "14 Army from N2212 to S0602"}]
    labelled = replace(KNOWN, number=lambda place: f"A{place}")
    assert meant("move 14 army to 0722 via 0101", labelled) == [{"move": "14 Army to A722 via A101"}]
    assert meant("base 14 army at 0722", labelled) == [{"base": {"14 Army": "A722"}}]
    assert meant("sail 14 army via 0101 to 0722", labelled) == [{"sail": {"14 Army": ["A101", "A722"]}}]
