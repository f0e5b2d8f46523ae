"""A sample of `tests.generic.chains`: what picks make is legal, every kind of question of a game is answered by picks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from pbem.kernel.flow import Ask
from pbem.kernel.forms import Step
from pbem.kernel.orders import illegal
from pbem.kernel.picking import Fields
from tests.generic import chains
from tests.generic.chains import COVER, NOWHERE, SYSTEMS, Picking, along, in_cases, kinds
from tests.generic.ends import Ends
from tests.test_cases import PLACES

CASES: dict[str, list[str]] = yaml.safe_load(COVER.read_text("utf-8"))


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_picks_make_is_not_refused(system: str) -> None:
    tally = along(system, 7001, 40)
    assert tally["chains"] == 40 and tally["orders"] >= 20, tally


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_kind_of_question_is_answered_by_picks(system: str) -> None:
    cases = [case for game, case in PLACES if game == system and case.id in CASES[system]]
    answered = {what for case in cases for what in in_cases(system, [case], 0) if what.startswith("answered: ")}
    unanswered = sorted(kind for kind in kinds(system) if f"answered: {kind}" not in answered)
    assert not unanswered, f"python -m tests.generic.chains --cover chooses other cases, where there are any: {unanswered}"


def _nowhere(tally: Mapping[str, int]) -> list[str]:
    return [what for what in tally if what.startswith(NOWHERE)]


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_pick_leads_to_an_order(system: str) -> None:
    cases = [case for game, case in PLACES if game == system and case.id in CASES[system]]
    tally = in_cases(system, cases, 0, Ends) + along(system, 7001, 10, Ends)
    assert not _nowhere(tally)
    assert tally["picks followed"] > 100 and tally["undecided"] * 20 < tally["picks followed"], tally


def test_a_pick_that_leads_nowhere_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fields that do not look ahead: a ship is offered for mines where none can be laid."""
    monkeypatch.setattr(Fields, "leads_on", lambda self, chosen: True)
    assert _nowhere(along("next_war", 7001, 60, Ends))


def test_an_order_that_is_refused_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A form that finishes whatever was picked."""
    step = Fields.step

    def careless(self: Fields, chosen: Any) -> Step:
        found = step(self, chosen)
        return Step(found.picks, ("no such order",)) if found.orders else found

    monkeypatch.setattr(Fields, "step", careless)
    with pytest.raises(AssertionError, match="refused"):
        along("next_war", 7001, 40)


def test_an_order_that_its_own_picks_do_not_make_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fields, "picks", lambda self, body: ())
    with pytest.raises(AssertionError, match="whose picks"):
        along("next_war", 7001, 40)


def test_orders_that_belong_together_are_given_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a gesture of several orders the second one may be legal only behind the first."""
    given: list[int] = []

    def counting(engine: Any, ask: Ask, orders: Any) -> None:
        given.append(len(orders))
        raise illegal("not behind the first", "1")

    monkeypatch.setattr(chains, "_given", counting)
    picking = Picking(1, 5000)
    with pytest.raises(AssertionError, match="not behind the first"):
        chains._play("axis_and_allies_pacific", 1, picking)
    assert given[0] > 1
