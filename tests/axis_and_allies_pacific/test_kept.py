"""What is found the short way is what looking through everything gives, at every stage of a random game."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific import mobilize, move_options
from pbem.games.axis_and_allies_pacific.capacity import left, usable_complex
from pbem.games.axis_and_allies_pacific.events.turns import WarDeclared
from pbem.games.axis_and_allies_pacific.landing import _makers
from pbem.games.axis_and_allies_pacific.moves import read_move
from pbem.games.axis_and_allies_pacific.orders import Group, Route
from pbem.games.axis_and_allies_pacific.paths import stops
from pbem.games.axis_and_allies_pacific.state import AIR, POWERS, SEA, SURFACE_WARSHIPS, State, enemy_units, is_hostile
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
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


def reads(g: State, kind: str, count: int, at: str, to: str) -> bool:
    """An order to go there is read as one of a player is."""
    try:
        read_move(g, g.power, Route((Group(kind, count),), at, to))
    except Rejected:
        return False
    return True


def attacks_by_sea_and_air(g: State) -> None:
    """Each stack of warships and each aircraft to every zone with enemies, aircraft also to hostile land that is not empty."""
    power, prey = g.power, [z for z in sorted(g.board.zones) if enemy_units(g, g.power, z)]
    land = {t for t in g.board.territories if is_hostile(g, power, t) and (g.at(t) or g.facilities.get(t))}
    sea, air = list[Plain](), list[Plain]()
    for (at, kind), units in move_options._all_stacks(g, power, ("",)).items():
        order = {"units": {kind: len(units) if kind in SEA else 1}, "from": at}
        if kind in SEA and kind != "transport":
            sea += [{"move": {**order, "to": z}} for z in prey if z != at and reads(g, kind, len(units), at, z)]
        if kind in AIR:
            ends = [s for s in sorted({*prey, *land}) if s != at and reads(g, kind, 1, at, s)]
            air += [{"move": {**order, "to": s}} for s in ends]
            air += [{"bomb": {**order, "to": s}} for s in ends if kind == "strategic-bomber" and g.facilities.get(s)]
    assert move_options._sea_attacks(g, power) == sea
    found = move_options._air_attacks(g, power)
    assert all(order in air for order in found)
    assert len(found) > move_options.LIMIT or len(found) == len(air)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.long)])
def test_what_is_found_is_what_looking_through_everything_finds(seed: int) -> None:
    placed = attacked = 0

    def watch(engine: Engine) -> None:
        nonlocal placed, attacked
        state: Any = engine.state
        index(state)
        zones_and_makers(state)
        if isinstance(engine.request, Ask) and engine.request.kind == "mobilize":
            placed += 1
            every_placement(state, engine.request)
        if isinstance(engine.request, Ask) and engine.request.kind == "combat-move":
            attacked += 1
            attacks_by_sea_and_air(state)

    play(seed, 6, at_random, watch)
    assert placed > 40
    assert attacked > 100


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


def destroyers_at(at: str) -> Any:
    """Two Japanese destroyers there, and an American one beside them, the powers at war."""
    g: Any = engine_at(start(), "japan", "combat-move").state
    emit(g, WarDeclared("japan", "united-states", "axis", "POL-JP-01"))
    near = next(z for z in g.board.neighbours[at] if z in g.board.zones)
    own, other = ([u for u in g.of(p) if u.type == "destroyer"] for p in ("japan", "united-states"))
    for unit, zone in zip([*own[:2], other[0]], [at, at, near], strict=True):
        unit.at = unit.start = zone
    g.forget()
    return g, own[:2], other


def offered_from(g: Any, at: str) -> bool:
    """Destroyers are offered an attack from there; with all the others it is what reading every order gives."""
    attacks_by_sea_and_air(g)
    orders: list[Any] = move_options._sea_attacks(g, "japan")
    return any("destroyer" in o["move"]["units"] and o["move"]["from"] == at for o in orders)


def test_destroyers_are_not_offered_what_an_order_would_tell_one_that_has_met_the_enemy() -> None:
    """The one that has moved has a lower number and as many points left: an order for one of them means it."""
    at = "sz-35"
    g, (first, _), others = destroyers_at(at)
    others[1].at = at
    g.forget()
    assert offered_from(g, at)
    first.start, first.moved, first.used = "sz-6", "combat", 1
    g.forget()
    assert not offered_from(g, at)


def test_destroyers_that_alone_engage_submarines_are_offered_no_other_attack() -> None:
    at = "sz-35"
    g, _, _ = destroyers_at(at)
    boat = next(u for u in g.of("united-states") if u.type == "submarine")
    boat.at = at
    g.forget()
    assert offered_from(g, at)
    g.engaged = {at: ["submarines"]}
    g.forget()
    assert not offered_from(g, at)
