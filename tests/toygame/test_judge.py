"""A sealed order that is illegal by what its owner alone knows is refused by his own program; nobody else can judge it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.cli.guiding import asked_of
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Commit, Flow, Reveal
from pbem.kernel.orders import Problem, illegal
from pbem.protocol import strict_yaml
from pbem.runtime.composing import Draft
from pbem.runtime.taking import Refused
from tests.toygame.party import Person, found_game, sealing_anything, send
from tests.toygame.skirmish import Changed, Skirmish, SkirmishState, number_to, word_of


def levy(g: SkirmishState) -> Flow[None]:
    """[S2] Blue hides how many men he raises, hides how many of them stand on the hill, and says how he stands."""
    raised = yield Commit("blue", "levy", "S2", "raise 0 to 3 men", number_to(3, "S2"))

    def judge(order: Plain, reveal: Reveal) -> None:
        if order > reveal(raised):  # type: ignore[operator]
            raise illegal(f"{order} men of {reveal(raised)} raised", "S2", f"up to {reveal(raised)}")

    def options() -> Sequence[Plain]:
        return [0, 1, 2, 3]

    read = number_to(3, "S2")
    garrison = yield Commit("blue", "garrison", "S2", "hide some of them on the hill", read, options=options, judge=judge)
    emit(g, Changed("garrison", garrison, "S2"))
    yield Ask("blue", "stance", "S2", "how do they stand", word_of("high", "low"), ("high", "low"))


class Levies(Skirmish):
    segments = {**Skirmish.segments, "draw": levy}


GAME = Levies()


@pytest.fixture
def party() -> list[Person]:
    party = [Person("yamada", ["blue"]), Person("nowak", ["red", "rust"])]
    found_game(GAME, party, {})
    return party


def problems(party: list[Person], *orders: Plain) -> Sequence[Problem]:
    """Why the due player's own program does not send these orders."""
    writer = next(p for p in party if p.name == party[0].table.due.player)
    with pytest.raises(Refused) as caught:
        writer.write(Draft(orders=orders))
    return caught.value.problems


def test_an_order_beyond_what_the_owner_sealed_before_is_refused_with_its_place_and_reason(party: list[Person]) -> None:
    (problem,) = problems(party, 1, 2)
    assert (problem.order, problem.verdict, problem.rule) == (1, "not allowed", "S2")
    assert problem.reason == "2 men of 1 raised" and problem.legal == "up to 1"


def test_what_was_sealed_in_an_earlier_file_is_known_too(party: list[Person]) -> None:
    send(party, Draft(orders=[1]))
    assert [p.reason for p in problems(party, 3)] == ["3 men of 1 raised"]
    send(party, Draft(orders=[1, "high"]))
    assert party[1].table.engine.state.garrison


def test_an_order_that_comes_sealed_already_is_judged_as_well(party: list[Person]) -> None:
    send(party, Draft(orders=[1]))
    assert [p.reason for p in problems(party, {"seal": 3, "seat": "blue"})] == ["3 men of 1 raised"]
    assert [p.reason for p in problems(party, {"seal": 4, "seat": "blue"})] == ["4 is outside 0 to 3"]


def test_orders_behind_a_refused_one_meet_their_own_questions(party: list[Person]) -> None:
    assert [(p.order, p.reason) for p in problems(party, 1, 2, "deep")] == [(1, "2 men of 1 raised"), (2, "'deep'")]


def test_several_secret_questions_are_answered_in_one_file(party: list[Person]) -> None:
    document = send(party, Draft(orders=[2, 2, "low"]))
    assert [list(o) if isinstance(o, dict) else o for o in document["orders"]] == [["sealed"], ["sealed"], "low"]


def test_who_receives_a_sealed_order_does_not_judge_it(party: list[Person]) -> None:
    send(party, Draft(orders=[1]))
    with sealing_anything():
        composed = party[0].write(Draft(orders=[3, "high"]))
    text = strict_yaml.write_document(party[0].sign(composed.document))
    for person in party:
        person.receive(text)
    assert party[1].table.engine.state.garrison


def test_proposals_are_those_that_the_owner_may_seal(party: list[Person]) -> None:
    send(party, Draft(orders=[1]))
    request, state = party[0].table.engine.request, party[0].table.engine.state
    assert isinstance(request, Commit)
    assert GAME.proposals(state, request, {}) == [0, 1, 2, 3]
    assert GAME.proposals(state, request, {}, lambda handle: 2) == [0, 1, 2]
    asked = asked_of(party[0].table, "yamada", party[0].knowledge())
    assert asked is not None and asked.options == (0, 1)
