"""Where the units of every scenario stand when it begins: linked, on their own fields, in their own waters."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.state import SIDES, State
from pbem.games.pacific_war.world.links import linked, reach
from tests.pacific_war import table

# [PW-CMD-08] [PW-CMD-09] Farther from every headquarters than it reaches, and Saipan's aircraft are two hexes away.
ISOLATED = {"strategic-1941": {"Guam Marines"}}


def starts() -> Iterator[tuple[str, dict[str, str]]]:
    for name in table.SCENARIOS:
        yield name, {}
    yield "strategic-1941", dict.fromkeys(("mustangs", "tirpitz", "conversions", "panama", "refuelling", "barges"), "yes")


@pytest.mark.parametrize(("name", "options"), list(starts()))
def test_every_unit_is_linked_when_the_war_begins(name: str, options: dict[str, str]) -> None:
    g: State = GAME.start(table.scenario(name), dict(options))
    cut_off = {u for s in SIDES for u in g.on_map(s) if not g.units[u].aboard and not linked(g, s, g.units[u].at)}
    assert cut_off == ISOLATED.get(name, set())


@pytest.mark.parametrize("name", ["guadalcanal", "strategic-1941"])
def test_every_headquarters_has_its_source(name: str) -> None:
    g: State = GAME.start(table.scenario(name), {})
    found = {hq for s in SIDES for hq in reach(g, s)}
    assert found == set(g.hqs)


@pytest.mark.parametrize("name", table.SCENARIOS)
def test_aircraft_stand_on_fields_of_their_own_and_ships_in_water(name: str) -> None:
    g: State = GAME.start(table.scenario(name), {})
    for unit, u in g.units.items():
        c = g.counter(unit)
        if u.box != "map" or u.aboard:
            continue
        if c.kind == "air" and c.type != "LRA":
            assert u.at in g.airfields and g.airfields[u.at].side == c.side, unit
        elif c.kind == "ground":
            assert g.board.land(u.at), unit
        elif c.kind == "naval" and c.type != "fort":
            assert g.board.coast(u.at) or not g.board.land(u.at), unit


@pytest.mark.parametrize("name", table.SCENARIOS)
def test_no_carrier_has_more_aircraft_than_it_launches(name: str) -> None:
    """[PW-UNT-07] A carrier's aircraft fit on it."""
    g: State = GAME.start(table.scenario(name), {})
    for ship in {u.aboard for u in g.units.values() if u.aboard}:
        group = [u for u, x in g.units.items() if x.aboard == ship and g.counter(u).carrier]
        assert not group or sum(map(g.steps, group)) <= g.counter(ship).launch, ship


def test_a_division_and_two_battalions_land_on_a_battalion_and_engineers() -> None:
    engine = table.begin("guadalcanal")
    assert (engine.state.month, engine.state.last_month) == (36, 31)
    g = engine.state
    marines = sum(g.steps(u) for u in g.on_map("allies", "ground") if g.counter(u).type == "marine" and g.units[u].at == 135)
    assert marines == 11
    assert {g.counter(u).type for u in g.on_map("japan", "ground") if g.units[u].at == 1134} == {"engineer", "marine"}
