"""What `done` gives up, phase by phase."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.clashes import clashes
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.picture import picture
from pbem.games.axis_and_allies_pacific.state import State
from pbem.kernel.consequences import Consequence
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.wording import english
from tests.axis_and_allies_pacific.table import build, empty, engine_at, put
from tests.axis_and_allies_pacific.test_landing import lonely, war
from tests.axis_and_allies_pacific.test_movement import COMBAT, NONCOMBAT


def given_up(engine: Engine) -> list[Consequence]:
    """What `done` gives up at the question at hand."""
    ask = engine.request
    assert isinstance(ask, Ask)
    copy = Engine.resume(engine.game, engine.scenario, engine.checkpoint())
    copy.reply("done")
    return list(GAME.consequences(engine.state, copy.state, ask))


def told(found: list[Consequence]) -> list[str]:
    return [f"{c.kind}: {english(c.message)} [{c.rule}]" for c in found]


def in_the_air(g: State, kind: str = "fighter", count: int = 1, used: int = 3) -> str:
    """Japanese aircraft over lonely water, with little movement left."""
    here, _ = lonely(g, 4)
    put(g, "japan", here, kind, count)
    for plane in g.of("japan"):
        plane.moved, plane.used = "combat", used
    put(g, "japan", "japan", "infantry")
    return here


def test_aircraft_that_would_crash() -> None:
    g = war()
    in_the_air(g, count=2)
    found = given_up(engine_at(g, "japan", NONCOMBAT))
    assert told(found) == ["lost: 2 fighters, sea zone 26: no landing place is left [NCM-08]"]
    assert found[0].final and found[0].at == "sz-26"


def test_a_carrier_that_could_still_come_is_named() -> None:
    g = war()
    here = in_the_air(g)
    near = next(z for z in g.board.neighbours[here] if z in g.board.zones)
    put(g, "japan", near, "aircraft-carrier")
    number = near.removeprefix("sz-")
    assert told(given_up(engine_at(g, "japan", NONCOMBAT))) in (
        [f"lost: 1 fighter, sea zone 26: could still land in: sea zone {number} [NCM-08]"],
        [f"lost: 1 fighter, sea zone 26: a carrier could still come from: sea zone {number} [NCM-08]"],
    )
    g = war()
    here = in_the_air(g, used=4)
    put(g, "japan", near, "aircraft-carrier")
    found = told(given_up(engine_at(g, "japan", NONCOMBAT)))
    assert found == [f"lost: 1 fighter, sea zone 26: a carrier could still come from: sea zone {number} [NCM-08]"]


def test_a_bomber_is_told_of_land_only() -> None:
    g = war()
    in_the_air(g, "strategic-bomber", used=0)
    assert "could still land in: Japan" in told(given_up(engine_at(g, "japan", NONCOMBAT)))[0]


def test_nothing_is_given_up_by_aircraft_at_home() -> None:
    g = war()
    put(g, "japan", "japan", "fighter", 3)
    assert told(given_up(engine_at(g, "japan", NONCOMBAT))) == []


def test_money_that_is_kept() -> None:
    g = empty()
    g.cash["japan"] = 11
    assert told(given_up(engine_at(g, "japan", "purchase"))) == ["unspent: Japan keeps its money; IPC: 11 [PUR-01]"]


def test_more_units_than_the_complexes_can_make() -> None:
    g = empty()
    g.cash["japan"], g.purchased["japan"] = 3, {"infantry": 4, "naval-base": 1}
    build(g, "japan", "minor-ic")
    found = told(given_up(engine_at(g, "japan", "purchase")))
    assert found[1:] == ["idle: Japan, new units: 4; room in its complexes: 3 [MOB-02]"]


def test_units_that_are_not_placed() -> None:
    g = empty()
    g.purchased["japan"] = {"infantry": 2}
    build(g, "japan", "minor-ic")
    found = told(given_up(engine_at(g, "japan", "mobilize")))
    assert found == ["unspent: Japan, not placed, the money comes back: 2 infantry [MOB-01]"]


def test_cargo_at_sea_and_an_empty_capital() -> None:
    g = war()
    put(g, "japan", "sz-6", "transport")
    put(g, "japan", "sz-6", "infantry", 2)
    ship = next(u for u in g.of("japan") if u.type == "transport")
    for unit in g.of("japan"):
        unit.aboard = ship.id if unit is not ship else None
    found = given_up(engine_at(g, "japan", NONCOMBAT))
    assert told(found) == [
        "idle: sea zone 6, still aboard transports: 2 infantry [NCM-10]",
        "exposed: no unit stands in the capital: Japan [CAP-01]",
    ]
    assert not any(c.final for c in found)


def to_land(engine: Engine) -> list[str]:
    """What a draft says has to land before the phase ends."""
    ask = engine.request
    assert isinstance(ask, Ask)
    return [english(m) for m in GAME.not_done_yet(engine.state, ask)]


def test_a_draft_names_aircraft_that_have_to_land() -> None:
    g = war()
    in_the_air(g, count=2)
    assert to_land(engine_at(g, "japan", NONCOMBAT)) == ["has to land: 2 fighters, sea zone 26; no landing place is left"]
    near = war()
    put(near, "japan", "sz-6", "fighter")
    for plane in near.of("japan"):
        plane.moved, plane.used = "combat", 3
    put(near, "japan", "japan", "infantry")
    (told,) = to_land(engine_at(near, "japan", NONCOMBAT))
    assert told.startswith("has to land: 1 fighter, sea zone 6; spaces left: 1; can land in: ") and "Japan" in told


# -- politics ------------------------------------------------------------------------------------------------------------


def beside_mongolia(kind: str) -> Engine:
    """Japanese units that move from Manchuria into Buyant-Uhaa, whose neutrality two infantry keep."""
    g = war()
    put(g, "japan", "manchuria", kind, 2)
    engine = engine_at(g, "japan", COMBAT)
    engine.reply({"move": {"units": {kind: 2}, "from": "manchuria", "to": "buyant-uhaa"}})
    return engine


def test_neutrality_that_is_broken() -> None:
    """[NEUT-02] [NEUT-03]"""
    found = given_up(beside_mongolia("fighter"))
    assert told(found) == [
        "binding: the neutrality of Buyant-Uhaa is broken for good; it leans to: Allies; against you: 2 infantry [NEUT-03]"
    ]
    assert found[0].final and found[0].at == "buyant-uhaa"
    engine = beside_mongolia("infantry")
    engine.reply("start over")
    assert not given_up(engine)


def test_odds_against_a_neutral_count_the_garrison_that_will_come_out() -> None:
    """[NEUT-02] As long as the moves have not ended, and not twice behind them."""
    engine = beside_mongolia("infantry")
    (ahead,) = clashes(engine.state)
    engine.reply("done")
    (behind,) = clashes(engine.state)
    for clash in (ahead, behind):
        assert [(u.owner, u.type) for u in clash.defenders] == [("neutral", "infantry")] * 2


def test_the_map_shows_garrisons_of_neutrals() -> None:
    """[NEUT-01] As the printed one does; behind the attack the same are counters, and nothing has changed in number."""
    engine = beside_mongolia("infantry")
    before = engine.checkpoint()
    engine.reply("done")
    for g, since in ((engine.state, ()), (Engine.resume(GAME, engine.scenario, before).state, ())):
        (space,) = [s for s in picture(g, since).spaces if s.id == "buyant-uhaa"]
        assert [(s.owner, s.count, s.change) for s in space.stacks if s.owner == "neutral"] == [("neutral", 2, 0)]
    (empty_land,) = [s for s in picture(engine.state, ()).spaces if s.id == "central-mongolia"]
    assert not empty_land.stacks
