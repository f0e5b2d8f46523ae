"""Every card's values, written down a second time from the card lists, and a case that shows its effect."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games.empire_of_the_sun.activation import logistics
from pbem.games.empire_of_the_sun.board import Card
from tests.case_driver import read_cases
from tests.empire_of_the_sun import table

# id; M military, P political, S resource, R reaction (i intelligence, c counteroffensive, x cancels, a attack, p personage);
# operations value, intelligence values as operations and as event, logistics value (hq:its/others), condition set by the card
# (S surprise, I intercept, A ambush), flags (d draws, r removed after the event, s reshuffle).
PRINTED = """
J1 M 3 - - - S r; J2 M 3 - - 26 S r; J3 M 2 4 - 3 S -; J4 Ri 1 3 - - I d; J5 S 2 4 - - - r; J6 P 2 4 - - - r;
J7 P 2 4 - - - d; J8 M 3 5 7 4 - -; J9 M 3 5 7 6 - -; J10 M 3 5 7 6 - -; J11 P 2 4 - - - d; J12 M 3 5 8 8 - -;
J13 Ri 2 4 - - I r; J14 M 3 5 7 5 - -; J15 P 3 5 - - - r; J16 M 3 5 7 4 - -; J17 Rc 2 4 - 3 I d; J18 P 1 3 - - - r;
J19 Rx 2 4 - - - r; J20 M 2 3 5 5 - -; J21 Rx 3 5 - - - dr; J22 Rx 2 4 - - - r; J23 M 2 4 6 3 - -; J24 Ra 1 3 - - - d;
J25 M 3 5 7 4 - -; J26 P 2 4 - - - r; J27 Ra 1 3 - - - d; J28 M 3 5 7 4 - -; J29 M 3 5 7 4 - -; J30 S 3 5 - - - r;
J31 S 3 5 - - - r; J32 M 3 5 7 4 - -; J33 P 2 4 - - - -; J34 P 2 4 - - - d; J35 S 3 5 - - - -; J36 Ra 1 3 - - - d;
J37 M 3 5 7 2 - r; J38 M 3 5 7 2 - r; J39 S 2 4 - - - r; J40 M 3 5 7 4 - -; J41 P 3 5 - - - r; J42 P 3 5 - - - r;
J43 P 1 3 - - - rs; J44 M 3 5 7 4 - -; J45 Rc 3 5 - cf:5/4 I r; J46 Rc 3 5 - cf:5/4 I r; J47 M 3 5 7 7 - -;
J48 M 3 5 7 5 - -; J49 Ri 1 3 - - I d; J50 M 3 5 7 6 - -; J51 P 3 5 - - - r; J52 P 3 5 - - - r; J53 P 3 5 - - - r;
J54 P 3 5 - - - r; J55 P 3 5 - - - r; J56 P 3 5 - - - r; J57 P 3 5 - - - r; J58 M 3 5 7 5 - -; J59 M 3 5 7 5 - -;
J60 M 3 5 7 5 - -; J61 Ra 2 4 - - - dr; J62 Ra 2 4 - - - dr; J63 Ra 2 4 - - - dr; J64 Rx 2 4 - - - dr;
J65 Rc 1 4 - oc+1 I r; J66 Ra 2 4 - - - dr; J67 P 2 4 - - - -; J68 P 2 4 - - - -; J69 Ri 1 3 - - I d;
J70 Ri 1 3 - - I d; J71 S 3 5 - - - r; J72 S 3 5 - - - r; J73 M 2 4 6 3 - r; J74 P 1 3 - - - r; J75 Ra 1 3 - - - d;
J76 M 2 4 6 1 - r; J77 S 3 5 - - - -; J78 S 1 3 - - - r; J79 M 2 4 6 1 - r; J80 S 2 4 - - - dr; J81 Ra 2 4 - - - dr;
J82 P 3 5 - - - -; J83 M 2 4 6 4 - -; J84 Ri 1 3 - - I d; J85 Rc 2 4 - oc I r; J86 Ra 1 3 - - - d; A1 P 1 1 - - - r;
A2 P 1 1 - - - d; A3 S 1 1 - - - r; A4 P 1 1 - - - r; A5 Rc 2 2 - 3 I -; A6 P 3 3 - - - r; A7 M 2 2 4 4 - r;
A8 Ri 1 1 - - I dr; A9 M 3 3 5 12 - -; A10 P 1 1 - - - r; A11 P 2 2 - - - r; A12 Ri 2 2 - - A r; A13 M 3 3 - 5 S -;
A14 P 2 2 - - - r; A15 S 2 2 - - - -; A16 S 1 1 - - - r; A17 S 2 2 - - - r; A18 S 1 1 - - - r; A19 M 2 2 4 3 - -;
A20 M 1 1 3 4 - r; A21 M 3 3 5 sw:6/4 - -; A22 Rp 2 2 - - - r; A23 S 2 2 - - - dr; A24 Ra 2 2 - - - dr;
A25 M 1 2 4 3 - -; A26 Ri 2 2 - - A r; A27 S 1 1 - - - r; A28 M 2 2 4 3 - -; A29 M 2 2 4 4 - -; A30 M 2 2 4 4 - r;
A31 M 3 3 5 6 - -; A32 M 3 3 5 sw:7/4 - -; A33 M 2 2 4 3 - -; A34 M 2 2 4 4 - -; A35 M 2 2 - 2 S -; A36 M 3 3 5 5 - -;
A37 M 3 3 - 6 S -; A38 M 2 2 4 4 - -; A39 P 2 2 - - - r; A40 M 3 3 5 sw:5/3 - -; A41 P 2 2 - - - r; A42 P 2 2 - - - r;
A43 P 1 1 - - - d; A44 M 2 2 - 2 S -; A45 M 3 3 5 cp:8/4 - -; A46 M 2 2 - 1 S -; A47 P 2 2 - - - r;
A48 M 2 2 4 seac:4/3 - -; A49 P 1 1 - - - r; A50 M 2 2 4 sw:4/3 - -; A51 M 2 2 4 4 - r; A52 P 1 1 - - - r;
A53 M 3 3 5 cp:6/4 - -; A54 M 2 2 4 sw:4/3 - -; A55 M 3 3 5 cp:6/4 - -; A56 M 2 2 4 sw:4/3 - -; A57 M 2 2 4 5 - -;
A58 M 2 2 4 4 - -; A59 Ri 1 1 - - I d; A60 S 3 3 - - - r; A61 Ra 1 1 - - - dr; A62 M 3 3 5 sw:8/6 - r;
A63 M 3 3 5 cp:6/4 - -; A64 M 2 2 4 sw:4/3 - -; A65 M 3 3 5 sw:8/6 - r; A66 P 2 2 - - - r; A67 S 3 3 - - - r;
A68 Ra 1 1 - - - dr; A69 M 3 3 5 sw:8/6 - -; A70 M 2 2 4 6 - r; A71 M 2 2 4 sw:6/4 - -; A72 M 2 2 4 cp:8/4 - -;
A73 P 2 2 - - - r; A74 M 3 3 5 cp:8/4 - -; A75 M 3 3 5 cp:8/4 - -; A76 M 2 2 4 5 - -; A77 P 2 2 - - - r;
A78 Ra 1 1 - - - dr; A79 P 3 3 - - - rs; A80 S 1 1 - - - dr; A81 P 2 2 - - - -; A82 P 2 2 - - - -; A83 P 2 2 - - - -;
A84 M 3 3 - 0 S r;
"""
# Who may lead: other cards are led by any HQ.
LEADERS = """
J37 yamamoto ozawa; J38 yamamoto ozawa; J47 south south-seas; J48 south south-seas; J50 south south-seas;
J58 south south-seas; J59 south south-seas; J60 south south-seas; J73 south south-seas; J83 south; A7 seac;
A9 south-west-pacific central-pacific; A20 halsey; A25 south-west-pacific; A34 malaya seac abda anzac; A35 anzac; A44 anzac;
A46 south-west-pacific; A57 malaya seac abda anzac; A58 seac; A70 seac; A84 central-pacific;
"""
# Which units of whom are stronger or weaker while the card lasts.
STRENGTHS = """
J14 defense 2 japan cv; J17 attack 2 japan apd ca cl; J25 attack -2 us cv cve cvl; J29 attack 2 japan cv cve cvl;
J46 defense 2 allies cv cve cvl; J47 attack 2 japan ca; J83 attack 2 japan apd ca cl; A5 defense 2 allies air;
A25 attack -1 us ground; A36 attack 2 us ca; A55 attack -2 japan cv cve cvl;
"""
KINDS = {"M": "military", "P": "political", "S": "resource", "R": "reaction"}
REACTIONS = {
    "i": ("intelligence",),
    "c": ("counteroffensive",),
    "x": ("weather", "personage"),
    "a": ("attack",),
    "p": ("personage",),
}
CONDITIONS = {"S": "surprise", "I": "intercept", "A": "ambush", "-": ""}
COMMANDERS = {
    "sw": ("hq-south-west-pacific",),
    "cp": ("hq-central-pacific",),
    "cf": ("hq-yamamoto", "hq-ozawa"),
    "seac": ("hq-seac",),
}


def _rows(table: str) -> list[list[str]]:
    return [row.split() for row in table.replace("\n", " ").split(";") if row.strip()]


ROWS = _rows(PRINTED)
DECK: dict[str, Card] = table.begin("campaign-1941").state.board.cards
CASES = Path(__file__).parents[1] / "cases" / "empire_of_the_sun" / "cards"


def test_the_decks() -> None:
    assert [row[0] for row in ROWS] == [*(f"J{n}" for n in range(1, 87)), *(f"A{n}" for n in range(1, 85))]
    assert sorted(DECK) == sorted(row[0] for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_values(row: list[str]) -> None:
    name, kind, ops, oc, ec, _, condition, flags = row
    card = DECK[name]
    assert card.type == KINDS[kind[0]]
    assert not kind[1:] or card.kind in REACTIONS[kind[1]]
    assert (card.ops, _text(card.oc), _text(card.ec)) == (int(ops), oc, ec)
    assert (card.draw, card.remove, card.reshuffle) == ("d" in flags, "r" in flags, "s" in flags)
    assert ("surprise" if card.surprise else card.data.get("intel", "")) == CONDITIONS[condition]


@pytest.mark.parametrize("row", [r for r in ROWS if r[5] != "-"], ids=[r[0] for r in ROWS if r[5] != "-"])
def test_logistics_values(row: list[str]) -> None:
    card, printed = DECK[row[0]], row[5]
    if printed.startswith("oc"):
        against = [logistics(card, "hq-south", DECK[enemy]) - DECK[enemy].ops for enemy in ("A1", "A7", "A9")]
        assert against == [int(printed[2:] or 0)] * 3
        return
    name, _, values = printed.rpartition(":")
    own, _, others = values.partition("/")
    for hq in COMMANDERS.get(name, ()):
        assert logistics(card, hq) == int(own)
    assert logistics(card, "hq-anzac") == int(others or own)


def test_who_leads() -> None:
    leaders = {card: sorted(f"hq-{name}" for name in names) for card, *names in _rows(LEADERS)}
    assert {name: sorted(card.data["hq"]) for name, card in DECK.items() if "hq" in card.data} == leaders


def test_whose_strengths_change() -> None:
    found = [
        [name, key, str(effect[key]), str(effect.get("nation", effect["side"])), *sorted(effect["of"])]
        for name, card in DECK.items()
        for effect in card.data.get("effects", ())
        for key in ("attack", "defense")
        if key in effect
    ]
    assert found == _rows(STRENGTHS)


def test_every_card_has_a_case() -> None:
    """CARD-J01 plays card J1; CARD-J01-2 and so on show more of it."""
    cases = [case for path in sorted(CASES.glob("*.cases")) for case in read_cases(path)]
    first = {case.id.removeprefix("CARD-"): case for case in cases if case.id.count("-") == 1}
    assert set(first) == {f"{name[0]}{int(name[1:]):02}" for name in DECK}
    for card, case in first.items():
        assert f"{card[0]}{int(card[1:])}" in " ".join(case.play).replace(",", " ").split(), case.id


def _text(value: int | None) -> str:
    return "-" if value is None else str(value)
