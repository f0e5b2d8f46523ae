"""How many files by hand a turn still takes: by the questions that nothing answers, with drawn dice."""

from __future__ import annotations

from typing import Any

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.runtime.composing import Draft
from pbem.runtime.foreseen import SAMPLES, Foreseen, foresee
from tests.axis_and_allies_pacific import table
from tests.toygame.party import Person, found_game, send

ATTACK: list[Any] = [
    {"buy": "4 infantry"},
    "done",
    {"move": "3 infantry, 1 artillery from Kwangsi to Yunnan"},
    "done",
]

LANDING: list[Any] = [
    {"buy": "4 infantry, 1 transport"},
    "done",
    {"declare war": "united-kingdom"},
    {"move": "3 infantry, 1 artillery from Kwangsi to Yunnan"},
    {"load": "1 infantry from Japan in SZ 6"},
    {"move": "1 loaded transport, 1 battleship from SZ 6 to SZ 20"},
    {"assault": "1 infantry from SZ 20 to Kwangtung"},
    "done",
]


def two_people() -> list[Person]:
    allies = [seat for seat, side in GAME.seats.items() if side == "allies"]
    party = [Person("yamada", ["japan"]), Person("nowak", allies)]
    found_game(GAME, party, {o.name: o.choices[0] for o in GAME.options}, table.scenario())
    return party


def ahead(person: Person) -> Foreseen:
    found = foresee(person.table, person.knowledge(), lambda: True)
    assert found is not None and found.samples == SAMPLES
    return found


def test_a_turn_without_a_battle_takes_one_file_of_him_whose_turn_it_is() -> None:
    found = ahead(two_people()[0])
    assert (found.files, found.most, found.whole, found.held) == (1, 1, True, {})
    assert found.by == {"yamada": (1, ("purchase",))}, "combat moves and landings go into the same file"


def test_a_battle_asks_after_each_die_and_a_standing_order_saves_files() -> None:
    party = two_people()
    send(party, Draft(LANDING))
    found = ahead(party[0])
    number, kinds = found.by["yamada"]
    assert 2 < number <= found.files <= found.most and {"casualties", "retreat", "noncombat-move"} <= {*kinds}
    questions, files = found.held["yamada"]
    assert {"casualties", "retreat"} <= {*questions} and 1 <= files < found.files


def test_what_is_in_force_answers() -> None:
    party, free = two_people(), two_people()
    send(free, Draft(ATTACK))
    send(party, Draft(ATTACK, {"casualties": "cheapest first", "retreat": "press", "battle": "any"}))
    found = ahead(party[0])
    assert found.by == {"yamada": (1, ("noncombat-move",))} and found.whole
    assert found.files < ahead(free[0]).files


def test_one_opens_what_he_has_sealed_himself_and_the_other_side_counts_up_to_there() -> None:
    party = two_people()
    sealed: dict[str, Any] = {"retreat": [{"do": "press"}]}
    send(party, Draft(ATTACK, {"casualties": "cheapest first", "battle": "any"}, sealed))
    assert ahead(party[0]).whole and ahead(party[0]).by == {"yamada": (1, ("noncombat-move",))}
    assert not ahead(party[1]).whole, "nowak does not know what is sealed"


def test_nothing_is_changed_and_the_same_is_said_again() -> None:
    party = two_people()
    send(party, Draft(ATTACK))
    before = party[0].table.to_plain()
    assert ahead(party[0]) == ahead(party[0]) and party[0].table.to_plain() == before


def test_it_stops_when_it_is_told_to() -> None:
    party = two_people()
    send(party, Draft(ATTACK))
    allowed = iter([True] * 60)
    found = foresee(party[0].table, None, lambda: next(allowed, False))
    assert found is not None and 0 < found.samples < SAMPLES and not found.held
    assert foresee(party[0].table, None, lambda: False) is None
