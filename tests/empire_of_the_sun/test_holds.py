"""Holds by the own hand: the program reacts where no card could have answered, and asks where one could."""

from __future__ import annotations

import pytest

from pbem.games.empire_of_the_sun.game import EmpireOfTheSun
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.runtime import holds
from pbem.runtime.composing import Draft
from tests.empire_of_the_sun.hidden_play import two_people
from tests.empire_of_the_sun.test_hidden_hands import up_to
from tests.toygame.party import Person, send

USUAL = EmpireOfTheSun.own_usual


def answered(person: Person, held: holds.Holds = USUAL) -> list[Plain]:
    return holds.orders(person.table, person.name, held, person.knowledge(), lambda o: person.write(Draft(o)).table)


def own(person: Person) -> int:
    ask = person.table.engine.request
    assert isinstance(ask, Ask)
    return int(holds.OwnFacts(person.table, ask, person.knowledge())[holds.OWN_ANSWERS])


def reactions() -> list[tuple[list[Person], Person]]:
    """First reactions of some games; in the last two Japan holds a card that could answer."""
    found = []
    for scenario, seat, seed in (
        ("south-pacific", "allies", 1),
        ("burma", "allies", 2),
        ("burma", "japan", 6),
        ("year-1943", "japan", 1),
    ):
        party = two_people(scenario)
        found.append((party, up_to(party, "reaction", seat, seed)))
    return found


def test_a_card_that_could_answer_is_left_to_its_owner() -> None:
    seen = set()
    for party, person in reactions():
        state, request = person.table.engine.state, person.table.engine.request
        assert isinstance(request, Ask)
        cards = person.table.game.hand_options(state, request, person.knowledge().hand(request.seat))
        assert own(person) == len(cards)
        given = answered(person, {**USUAL, "intelligence": "roll"})
        seen.add(bool(cards))
        assert (given == []) == bool(cards)
        if given:
            assert given[0] == "react"
            document = send(party, Draft(given))
            assert document["orders"] == given and "standing" not in document
    assert seen == {True, False}, "both come up"


@pytest.mark.parametrize(("clause", "answers"), [("own answers >= 0", True), ("own answers < 0", False), ("cards > 0", False)])
def test_the_number_of_own_answers_is_a_fact_like_others(clause: str, answers: bool) -> None:
    person = reactions()[0][1]
    assert bool(answered(person, {"reaction": [{"when": clause, "do": "pass"}]})) == answers


def test_what_is_asked_in_the_same_file_keeps_it_from_answering() -> None:
    free = [person for _, person in reactions() if not own(person)]
    assert any(answered(person, {**USUAL, "intelligence": "roll"}) and not answered(person) for person in free)


def test_the_other_side_s_program_knows_nothing_of_the_hand() -> None:
    party, person = reactions()[0]
    other = next(p for p in party if p is not person)
    assert holds.orders(other.table, other.name, USUAL, other.knowledge(), lambda o: other.write(Draft(o)).table) == []
