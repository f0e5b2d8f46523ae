"""Events that move nobody, or one unit: an index of the units that was made before one of them is what a new one would be."""

from __future__ import annotations

import random

import pytest

from pbem.games.axis_and_allies_pacific.state import State
from pbem.games.axis_and_allies_pacific.stillness import MOVES, STILL
from pbem.games.axis_and_allies_pacific.whereabouts import Places
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.axis_and_allies_pacific import random_play


def ids(places: Places) -> list[dict[str, list[int]]]:
    """The units of an index, without spaces that were only asked for."""
    return [
        {str(k): [u.id for u in units] for k, units in part.items() if units} for part in (places.at, places.of, places.aboard)
    ]


def test_the_index_of_units_is_what_a_new_one_would_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a random game, asked after every single event."""
    kept = relisted = 0

    def compare(g: State) -> None:
        nonlocal kept, relisted
        before, land = g.places, g.lasting()
        found = g._by_place()
        again = before is not None and before is not found and before.at is found.at
        kept += again
        relisted += again and type(g.events[-1]) in MOVES
        fresh = Places(0, 0)
        for unit in g.units.values():
            fresh.at[unit.at].append(unit)
            fresh.of[unit.owner].append(unit)
            if unit.aboard is not None:
                fresh.aboard[unit.aboard].append(unit)
        assert ids(found) == ids(fresh), g.events[-1]
        assert found.where == {unit.id: unit.at for unit in g.units.values()}
        found.lasting = None
        assert g.lasting() is land, "land, wars and facilities as they are now"

    def at_random(engine: Engine, ask: Ask, dice: random.Random) -> Plain:
        compare(engine.state)
        return random_play.at_random(engine, ask, dice)

    for kind in STILL | MOVES:
        if kind.__module__.startswith("pbem.games"):
            monkeypatch.setattr(kind, "apply", _watched(kind.apply, compare))
    random_play.play(4, 2, at_random)
    assert kept > 300
    assert relisted > 100


def _watched(apply: object, compare: object) -> object:
    def applied(event: object, g: State) -> None:
        apply(event, g)  # type: ignore[operator]
        g.events.append(event)  # type: ignore[arg-type]
        compare(g)  # type: ignore[operator]
        g.events.pop()

    return applied
