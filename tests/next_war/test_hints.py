"""Hints and reviews of Next War: attacks by the ten faces of the die."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.next_war.bot import hints
from pbem.games.next_war.odds.battle import battle, copied
from pbem.games.next_war.odds.courses import Answers
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.questions import DONE
from pbem.kernel.wording import english
from tests.next_war import table
from tests.next_war.test_bot import order, position


def _combat() -> Engine:
    """The first Combat Segment of the training game in which an attack promises something."""
    engine = table.begin("training")
    for _ in range(600):
        asked = engine.request
        if isinstance(asked, Ask):
            if asked.kind == "combat" and len(hints.advise(engine.state, asked)) > 1:
                return engine
            engine.reply(asked.forced if asked.forced is not None else order(engine))
        else:
            engine.reply([5] * asked.dice)  # type: ignore[union-attr]
    raise AssertionError("no combat")


def test_attacks_are_legal_and_ranked_and_doing_nothing_is_among_what_is_weighed() -> None:
    engine = _combat()
    assert isinstance(engine.request, Ask)
    found = hints.advise(engine.state, engine.request)
    values = [one.value or 0 for one in found]
    assert values == sorted(values, reverse=True)
    assert 0 in values or min(values) > 0
    for one in found:
        engine.request.read(one.orders[0])
    faces = [r.args["n"] for one in found for r in one.reasons if r.id.startswith("the hex falls")]
    assert faces
    assert all(isinstance(n, int) and 0 <= n <= 10 for n in faces)


def test_the_steps_that_an_attack_costs_are_those_of_the_odds() -> None:
    """By the table alone: the exact odds add what retreats and checks cost the defender."""
    setup = ("START combat basic non-allied", "UNITS 0708: 3/I", "UNITS 0808: 13/A", "UNITS 0709: 12/A")
    engine = position(*setup)
    assert isinstance(engine.request, Ask)
    one = next(o for o in hints.advise(engine.state, engine.request) if o.orders != (DONE,))
    told = next(r for r in one.reasons if r.id.startswith("steps lost"))
    fight = engine.request.read(one.orders[0])[1]
    exact = battle(copied(engine.state, fight), Answers(lambda seat, kind: ()))
    assert told.args["n"] == pytest.approx(10 * exact.mean("attacker"))
    assert isinstance(told.args["m"], int)
    assert 0 < told.args["m"] <= 10 * exact.mean("defender")


def test_to_make_no_attack_loses_the_best_one() -> None:
    engine = _combat()
    assert isinstance(engine.request, Ask)
    found = hints.advise(engine.state, engine.request)
    lost = hints.review(engine.state, engine.request, [DONE])
    assert [one.value for one in lost] == ([found[0].value] if (found[0].value or 0) > 0 else [])
    attack = next(one for one in found if one.orders != (DONE,))
    bad = hints.review(engine.state, engine.request, [attack.orders[0]])
    assert [one.value for one in bad] == ([-(attack.value or 0)] if (attack.value or 0) < 0 else [])


def test_attacks_are_prepared_by_legal_moves_and_what_is_empty_is_entered() -> None:
    engine = position("START movement basic non-allied", "UNITS 0708: 3/I", "UNITS 0907: 13/A, 11/A", "UNITS 0805: 2/G")
    assert isinstance(engine.request, Ask)
    before = engine.state_hash()
    found = hints.advise(engine.state, engine.request)
    assert engine.state_hash() == before
    assert {english(one.goal).split(":")[0] for one in found} == {"prepare an attack", "enter"}
    values = [one.value or 0 for one in found]
    assert values == sorted(values, reverse=True)
    assert values[-1] > 0
    for one in found:
        copy = engine.fork()
        for move in one.orders:
            copy.reply(move)
        if english(one.goal).startswith("prepare"):
            moves: Any = one.orders
            moved = {u for move in moves for u in move["move"]["units"]}
            near = copy.state.board.near[copy.state.pieces["3/I"].at]
            assert moved
            assert all(copy.state.pieces[unit].at in near for unit in moved)


def test_the_odds_of_an_attack_that_is_prepared_are_those_when_it_is_made() -> None:
    setup = ("START movement basic non-allied", "UNITS 0708: 3/I", "UNITS 0907: 13/A, 11/A")
    engine = position(*setup)
    assert isinstance(engine.request, Ask)
    one = next(o for o in hints.advise(engine.state, engine.request) if english(o.goal).startswith("prepare"))
    for move in one.orders:
        engine.reply(move)
    board, pieces = engine.state.board, engine.state.pieces
    stand = [f"UNITS {board.hexes[pieces[unit].at].label}: {unit}" for unit in ("13/A", "11/A")]
    fight = position("START combat basic non-allied", "UNITS 0708: 3/I", *stand)
    assert isinstance(fight.request, Ask)
    made = next(o for o in hints.advise(fight.state, fight.request) if o.orders != (DONE,))
    assert [english(r) for r in one.reasons] == [english(r) for r in made.reasons]
    assert one.value == made.value


def test_elite_units_do_not_attack_so_nothing_is_prepared_in_their_reaction() -> None:
    engine = position("START movement elite non-allied", "UNITS 0708: 3/I", "UNITS 0907: 13/A, 11/A", "UNITS 1306: 1/G")
    asked = engine.request
    found = hints.advise(engine.state, asked) if isinstance(asked, Ask) else []
    assert not any(english(one.goal).startswith("prepare") for one in found)


def test_support_is_weighed_against_none_with_what_the_fire_may_cost() -> None:
    setup = (
        "START combat basic non-allied",
        "MARK air non-allied 6",
        "UNITS 0607: 3/I",
        "UNITS 0706: 11/A, 12/A",
        "UNITS 0805: Hind 1",
    )
    engine = position(*setup, play=("non-allied: attack: 11/A, 12/A at 0607",))
    assert isinstance(engine.request, Ask)
    found = hints.advise(engine.state, engine.request)
    assert found[0].orders[0] == order(engine)
    values = [one.value or 0 for one in found]
    assert values == sorted(values, reverse=True)
    assert values[0] > 0
    told = [english(reason) for reason in found[0].reasons]
    assert told == [
        "the hex falls in 95 of 100 cases (exact, fire at support included)",
        "an Air Point is lost for good in 30 of 100 cases (exact)",
    ]
    for one in found:
        engine.request.read(one.orders[0])


def test_flights_are_weighed_with_the_odds_that_they_arrive() -> None:
    engine = position("START movement basic non-allied", "UNITS 1306: 31 Abn", "UNITS 0705: 3/I", "MARK air non-allied 4")
    assert isinstance(engine.request, Ask)
    (one,) = [one for one in hints.advise(engine.state, engine.request) if english(one.goal).startswith("take by air")]
    assert one.orders[0] == order(engine)
    assert english(one.reasons[0]) == "it arrives in 63 of 100 cases, is hit in 17 (exact)"
    storm = position("MARK weather storm", "START movement basic non-allied", "UNITS 1306: 31 Abn", "UNITS 0705: 3/I")
    assert isinstance(storm.request, Ask)
    assert not any(english(o.goal).startswith("take by air") for o in hints.advise(storm.state, storm.request))
