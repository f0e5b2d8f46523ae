"""[PW-MOV-02] [PW-MOV-07] Ways by their corners: what is filled in before a file is signed, and what its writer has to say."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.land.movement import land_phase
from pbem.games.pacific_war.orders import read_place
from pbem.games.pacific_war.records import Marker, Unit
from pbem.games.pacific_war.sea.movement import ask_moves
from pbem.games.pacific_war.secret.orders import MARCH
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.memo import Memo
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import english, verbatim
from tests.pacific_war import table

J = "japan"


def at_sea(*starts: int) -> State:
    """Japanese task forces in these hexes."""
    g: State = table.begin("coral-sea").state
    g.markers = {f"J{n}": Marker(J, at) for n, at in enumerate(starts, 1)}
    return g


def sailing(g: State, order: Plain) -> list[Plain]:
    ask = next(ask_moves(g, J, 1))
    assert isinstance(ask, Ask)
    return [*GAME.typed(g, ask, order)]


def test_a_course_along_a_row_of_hexes_is_its_last_hex() -> None:
    legs = [{"sail": {"J1": at}} for at in (1532, 1432, 1333)]
    g = at_sea(1631)
    assert [*sailing(g, {"sail": {"J1": 1333}})] == legs
    for said in ([1432, 1333], ["1532..1333"], "1532..1333", "1333"):
        assert sailing(g, {"sail": {"J1": said}}) == legs, said
    assert sailing(g, "sail J1 1333") == legs


def test_a_course_may_begin_with_the_hex_where_the_ships_are() -> None:
    g, legs = at_sea(1631), [{"sail": {"J1": at}} for at in (1532, 1432, 1333)]
    assert sailing(g, {"sail": {"J1": "1631..1333"}}) == legs == sailing(g, {"sail": {"J1": ["1631..1532", 1333]}})
    assert sailing(g, {"sail": {"J1": [1631, 1333]}}) == [{"sail": {"J1": 1631}}, *legs], "named alone it is a hex like others"


def test_several_task_forces_sail_each_its_own_course() -> None:
    g = at_sea(1631, 1532)
    assert sailing(g, {"sail": {"J1": 1432, "J2": 1432}}) == [{"sail": {"J1": 1532, "J2": 1432}}, {"sail": {"J1": 1432}}]


def test_of_two_shortest_courses_none_is_taken_and_both_are_told() -> None:
    g = at_sea(1631)
    with pytest.raises(Rejected) as told:
        sailing(g, {"sail": {"J1": 1431}})
    said = english(told.value.told)
    assert "J1: two shortest ways lead to" in said and "[1532, 1431]" in said and "[1531, 1431]" in said
    with pytest.raises(Rejected) as told:
        sailing(g, {"sail": {"J1": [1532, 1432, 1331, 1334]}})
    said = english(told.value.told)
    assert "lead to 1331" in said and "[1532, 1432, 1332, 1331, 1334]" in said, "what it can be replaced by, whole"
    with pytest.raises(Rejected) as told:
        GAME.legs(g, {"sail": {"J1": "1631..1431"}})
    assert "[1631, 1532, 1431]" in english(told.value.told), "in a plan the first hex is one to sail to"
    assert sailing(g, {"sail": {"J1": [1531, 1431]}}) == [{"sail": {"J1": at}} for at in (1531, 1431)]
    assert sailing(g, {"sail": {"J1": [1432, 1435]}}) == [{"sail": {"J1": at}} for at in (1532, 1432, 1433, 1434, 1435)], (
        "its corners"
    )


def test_a_whole_course_and_what_no_ship_can_sail_stay_as_they_are() -> None:
    g = at_sea(1631)
    assert sailing(g, {"sail": {"J1": 1531}}) == []
    assert sailing(g, {"sail": {"J1": "nowhere"}}) == []
    land = next(h for h in g.board.listed if not g.board.sea(h))
    assert sailing(g, {"sail": {"J1": land}}) == []


def test_in_a_plan_what_lies_between_the_hexes_of_a_course_is_filled_in() -> None:
    """Where it begins the plan does not know."""
    g = at_sea(1631)
    assert [*GAME.legs(g, {"sail": {"J1": [1432, "1433..1435"]}})] == [{"sail": {"J1": at}} for at in range(1432, 1436)]
    assert [*GAME.legs(g, {"sail": {"J1": 1333}})] == [{"sail": {"J1": 1333}}]
    assert [*GAME.legs(g, "stay")] == ["stay"]
    for later in ("A7", "J12"):
        assert [*GAME.legs(g, {"sail": {later: "1432..1435"}})] == [{"sail": {later: at}} for at in range(1432, 1436)], (
            "a task force that is still to be made"
        )
    assert [*GAME.legs(g, {"sail": {"nobody": "1432..1435"}})] == [{"sail": {"nobody": "1432..1435"}}]
    with pytest.raises(Rejected):
        GAME.legs(g, {"sail": {"J1": [1631, 1431]}})


def test_hexes_with_dots_between_are_no_hex_as_they_stand() -> None:
    """So that an order with them is filled in, and never read as its first hex."""
    g = at_sea(1631)
    for said in ("1532..1333", "1532 .. 1333"):
        with pytest.raises(Rejected) as told:
            read_place(g, said)
        assert "is more than one hex" in english(told.value.told)
    ask = next(ask_moves(g, J, 1))
    assert isinstance(ask, Ask)
    with pytest.raises(Rejected):
        ask.read({"sail": {"J1": "1532..1333"}})
    assert read_place(g, "1532 off Rabaul") == 1532


def marching(g: State, unit: str, order: Plain) -> list[Plain]:
    g.units[unit].active = True
    ask = next(land_phase(g, g.side(unit), contact=False))
    assert isinstance(ask, Ask)
    return [*GAME.typed(g, ask, order)]


def ashore() -> tuple[State, str, tuple[int, int, int]]:
    """A ground unit and a way of two hexes that is the only one as short."""
    g: State = table.begin("coral-sea").state
    ways = g.board.land_ways
    for start, on in ways.items():
        for middle, first in on:
            for goal, second in ways.get(middle, ()):
                between = [m for m, _ in on if goal in dict(ways.get(m, ()))]
                if goal != start and goal not in dict(on) and between == [middle] and first + second <= 6:
                    unit = next(n for n, u in g.units.items() if g.counter(n).kind == "ground" and not u.aboard)
                    g.units[unit] = Unit(**{**vars_of(g.units[unit]), "at": start, "box": "map"})
                    return g, unit, (start, middle, goal)
    raise AssertionError("no such way")


def vars_of(unit: Any) -> dict[str, Any]:
    return {name: getattr(unit, name) for name in unit.__struct_fields__}


def test_a_march_is_its_last_hex_where_one_way_alone_is_shortest() -> None:
    g, unit, (_, middle, goal) = ashore()
    assert marching(g, unit, {"move": {unit: goal}}) == [{"move": {unit: [middle, goal]}}]
    assert marching(g, unit, {"move": {unit: [middle, goal]}}) == []
    assert marching(g, unit, {"move": {unit: f"{middle}..{goal}"}}) == [{"move": {unit: [middle, goal]}}]


def test_a_sealed_march_is_filled_in_from_where_its_owner_knows_the_unit() -> None:
    g, unit, (_, middle, goal) = ashore()
    sealed = Commit(g.side(unit), MARCH, verbatim("march"), "PW-FOG-01", lambda *_: None)
    way: Plain = {"march": {unit: [middle, goal]}}
    for said in (goal, [goal], f"{middle}..{goal}"):
        assert GAME.typed(g, sealed, {"march": {unit: said}}) == [way], said
    rows: Plain = {"orders": [{"embark": {"5th Marine Regiment": "AA3"}}, {"march": {unit: goal}}]}
    assert GAME.typed(g, sealed, rows) == [{"orders": [{"embark": {"5th Marine Regiment": "AA3"}}, way]}]
    assert GAME.typed(g, sealed, {"orders": [way]}) == [], "nothing is left out"


@pytest.mark.parametrize("kind", ["replacements", "repairs"])
def test_one_row_of_a_month_s_secret_orders_may_stand_alone(kind: str) -> None:
    g = at_sea()
    sealed = Commit(J, kind, verbatim(kind), "PW-RPL-01", lambda *_: None)
    row: Plain = {"replace": {"Tainan air group": 1}}
    assert GAME.typed(g, sealed, row) == [{"orders": [row]}] and GAME.typed(g, sealed, {"orders": [row]}) == []
    assert GAME.typed(g, replace(sealed, kind="transport"), row) == []


def test_a_march_goes_on_from_no_hex_with_enemies() -> None:
    g, unit, (_, middle, goal) = ashore()
    foe = next(n for n, u in g.units.items() if g.counter(n).kind == "ground" and g.side(n) != g.side(unit) and u.box == "map")
    g.units[foe] = Unit(**{**vars_of(g.units[foe]), "at": middle, "aboard": ""})
    g.memo = Memo()
    assert marching(g, unit, {"move": {unit: goal}}) == [], "the only short way is barred, and the long one too long"
