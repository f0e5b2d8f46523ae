"""What is found the short way is what looking through everything gives, at every stage of a random game."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific import mobilize
from pbem.games.axis_and_allies_pacific.capacity import left, usable_complex
from pbem.games.axis_and_allies_pacific.landing import _makers
from pbem.games.axis_and_allies_pacific.paths import stops
from pbem.games.axis_and_allies_pacific.state import POWERS, SEA, SURFACE_WARSHIPS, State, enemy_units
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.questions import DONE, accepted
from tests.axis_and_allies_pacific.random_play import at_random, play
from tests.axis_and_allies_pacific.table import engine_at, start

OWNERS = (*POWERS, "france", "netherlands", "neutral")


def every_placement(g: State, ask: Ask) -> None:
    """Each unit that waits in each space of the board, and the end of placing, read as an order of a player is."""
    waiting = [kind for kind, n in g.purchased[g.power].items() if n]
    spaces = dict.fromkeys([*mobilize._spaces(g, g.power), *g.board.neighbours])
    ideas: list[Plain] = [{"place": {"units": {kind: 1}, "in": space}} for kind in waiting for space in spaces]
    assert list(ask.options()) == list(accepted(ask.read, [*ideas, DONE]))


def index(g: State) -> None:
    """Units by space, by owner and by the ship that carries them."""
    units = list(g.units.values())
    for space in g.board.neighbours:
        assert g.at(space) == [u for u in units if u.at == space]
    for owner in OWNERS:
        assert g.of(owner) == [u for u in units if u.owner == owner]
    for ship in [u for u in units if u.type in SEA]:
        assert g.cargo(ship) == [u for u in units if u.aboard == ship.id]


def zones_and_makers(g: State) -> None:
    """Where ships must stop, and what complexes on a coast can still make."""
    for power in POWERS:
        for kind in SEA:
            kinds = ("destroyer",) if kind == "submarine" else SURFACE_WARSHIPS
            closed = [z for z in g.board.zones if any(u.type in kinds for u in enemy_units(g, power, z))]
            assert [z for z in g.board.zones if stops(g, power, kind, z)] == closed
        able = [t for t in g.board.territories if g.board.coast(t) and usable_complex(g, power, t)]
        assert _makers(g, power) == {t: left(g, t) for t in able if left(g, t)}


@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.long)])
def test_what_is_found_is_what_looking_through_everything_finds(seed: int) -> None:
    placed = 0

    def watch(engine: Engine) -> None:
        nonlocal placed
        state: Any = engine.state
        index(state)
        zones_and_makers(state)
        if isinstance(engine.request, Ask) and engine.request.kind == "mobilize":
            placed += 1
            every_placement(state, engine.request)

    play(seed, 6, at_random, watch)
    assert placed > 40


@pytest.mark.parametrize(("field", "value"), [("damage", 2), ("enlarged", "japan"), ("fresh", "japan")])
def test_what_complexes_can_make_is_found_anew_when_one_changes(field: str, value: Any) -> None:
    g: Any = engine_at(start(), "japan", "combat-move").state
    complex_ = g.facility("japan", "major-ic")
    zones_and_makers(g)
    setattr(complex_, field, value)
    g.places = None  # no event made this change
    zones_and_makers(g)


def test_captured_and_enlarged_are_told_apart() -> None:
    g: Any = engine_at(start(), "japan", "combat-move").state
    complex_ = g.facility("japan", "major-ic")
    for complex_.fresh, complex_.enlarged in (("japan", ""), ("", "japan")):
        g.places = None  # no event made this change
        zones_and_makers(g)
