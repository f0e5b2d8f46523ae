"""Links are found anew after everything that changes them, also where nothing else has changed the position."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import pytest

from pbem.games.pacific_war.state import SIDES, State
from pbem.games.pacific_war.tallies import ControlTaken, HqArrived, HqDispersed, HqLost, LinkBuilt, LinkDropped
from pbem.games.pacific_war.world.links import linked_hexes, reach
from pbem.kernel.events import emit
from tests.pacific_war import table

ROUTE = LinkBuilt("route 1", (722, 714))


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
