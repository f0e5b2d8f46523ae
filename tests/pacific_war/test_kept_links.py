"""Links and plans are found anew after everything that changes them, also where nothing else has changed the position."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import pytest

from pbem.games.pacific_war.bot.ground_war import threat
from pbem.games.pacific_war.bot.operations import plan_of
from pbem.games.pacific_war.events import Hit, MarkerPlaced, MarkerRemoved, Mended
from pbem.games.pacific_war.postures import Activated, Closed, Deactivated, Demoralized, Rallied, Reopened, StepsCounted
from pbem.games.pacific_war.state import ALLIES, JAPAN, SIDES, State
from pbem.games.pacific_war.tallies import ControlTaken, HqArrived, HqDispersed, HqLost, LinkBuilt, LinkDropped
from pbem.games.pacific_war.world.links import linked_hexes, reach
from pbem.kernel.events import emit
from tests.pacific_war import table

ROUTE = LinkBuilt("route 1", (722, 714))
SEALED = MarkerPlaced("TF 1", JAPAN, 519, "PW-FOG-01", handle="sealed")


def links(g: State) -> dict[str, Any]:
    """What each side's headquarters reach, and all its linked hexes."""
    return {s: (dict(reach(g, s)), set(linked_hexes(g, s))) for s in SIDES}


def a_home(g: State) -> int:
    """A home resource hex without which Japan's links are others."""
    before = links(g)
    for place in sorted(int(key.partition(" ")[2]) for key in g.ledger if key.startswith("home ")):
        tried = copy(g)
        tried.control, tried.memo = {**g.control, place: "allies"}, g.memo.fresh()
        if links(tried) != before:
            return place
    raise AssertionError("no home hex matters")


@pytest.mark.parametrize(
    ("before", "event"),
    [
        ([], lambda g: HqDispersed("South Seas", "involuntary")),
        ([], lambda g: HqLost("South Pacific")),
        ([HqDispersed("South Seas", "voluntary")], lambda g: HqArrived("South Seas", 2432)),
        ([], lambda g: ROUTE),
        ([ROUTE], lambda g: LinkDropped("route 1")),
        ([], lambda g: ControlTaken(a_home(g), "allies")),
        ([], lambda g: SEALED),
        ([SEALED], lambda g: MarkerRemoved(SEALED.marker, "PW-FOG-02")),
    ],
)
def test_links_are_found_anew(before: list[Any], event: Callable[[State], Any]) -> None:
    g: Any = table.begin("guadalcanal").state
    for earlier in before:
        emit(g, earlier)
    g.memo = g.memo.fresh()
    old = links(g)
    emit(g, event(g))
    anew = copy(g)
    anew.memo = g.memo.fresh()
    assert links(g) == links(anew)
    assert links(g) != old


def planned(g: State) -> tuple[str, ...]:
    """Whom the computer opponent would activate from Noumea with twenty points."""
    found = plan_of(g, ALLIES, "South Pacific", 20)
    return found.units if found is not None else ()


@pytest.mark.parametrize(("before", "event"), [(None, Activated), (None, Closed), (Activated, Deactivated), (Closed, Reopened)])
def test_plans_are_made_anew_of_who_can_be_activated(before: Callable[..., Any] | None, event: Callable[..., Any]) -> None:
    g: Any = table.begin("guadalcanal").state
    unit = "1st Marine Regiment"
    if before is not None:
        emit(g, before(unit, "PW-ACT-02"))
    g.memo = g.memo.fresh()
    old = planned(g)
    emit(g, event(unit, "PW-ACT-02"))
    assert (unit in planned(g)) != (unit in old)


@pytest.mark.parametrize(
    ("before", "event"),
    [
        (None, Demoralized("1st Marine Regiment", "PW-LND-08")),
        (Demoralized("1st Marine Regiment", "PW-LND-08"), Rallied("1st Marine Regiment", "PW-RAL-01")),
        (None, StepsCounted("1st Marine Regiment", 1, "PW-RPL-01")),
        (Hit("1st Marine Regiment", 1, "PW-LND-04"), Mended("1st Marine Regiment", 1, "PW-RPL-01")),
    ],
)
def test_the_threat_of_troops_is_found_anew_with_their_steps_and_quality(before: Any, event: Any) -> None:
    g: Any = table.begin("guadalcanal").state
    if before is not None:
        emit(g, before)
    place = g.units["1st Marine Regiment"].at
    g.memo = g.memo.fresh()
    old = threat(g, JAPAN, place)
    emit(g, event)
    assert threat(g, JAPAN, place) != old
