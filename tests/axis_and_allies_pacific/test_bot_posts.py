"""Idle aircraft count on no company that does not come, and leave nobody alone who has landed."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.airfields import risk
from pbem.games.axis_and_allies_pacific.bot.judgement import temper
from pbem.games.axis_and_allies_pacific.bot.posts import Posts, rebase
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.state import AIR, State
from tests.axis_and_allies_pacific.table import build, engine_at, put
from tests.axis_and_allies_pacific.test_bot import NONCOMBAT, at_war


def _flown(g: State) -> State:
    stage = Rehearsal(engine_at(g, "japan", NONCOMBAT).state, "japan")
    rebase(stage, temper(0, "japan", g.board))
    return stage.g


def _over_yunnan() -> State:
    """Yunnan is well guarded and near to Burma; Kwangsi has two men, and an army of China beside it."""
    g = at_war()
    g.control |= {"kwangsi": "japan", "yunnan": "japan", "hunan": "china", "burma": "united-kingdom", "india": "united-kingdom"}
    build(g, "india", "major-ic")
    put(g, "united-kingdom", "burma", "infantry", 3)
    put(g, "united-kingdom", "india", "infantry", 3)
    put(g, "china", "hunan", "infantry", 14)
    put(g, "japan", "yunnan", "infantry", 12)
    put(g, "japan", "kwangsi", "infantry", 2)
    return g


def test_a_wing_does_not_fly_off_from_aircraft_that_have_landed_beside_it() -> None:
    g = _over_yunnan()
    put(g, "japan", "kwangsi", "fighter", 10)
    for plane in g.at("kwangsi")[2:5]:
        plane.moved, plane.fought, plane.used = "combat", True, 4
    g = _flown(g)
    assert sum(u.type == "fighter" for u in g.at("kwangsi")) > 3
    assert risk(g, "japan", "kwangsi", g.at("kwangsi")) < 3000


def test_a_wing_without_anybody_to_stay_for_goes_where_it_is_of_use() -> None:
    g = _over_yunnan()
    put(g, "japan", "kwangsi", "fighter", 10)
    g = _flown(g)
    assert {u.at for u in g.of("japan") if u.type in AIR} == {"yunnan"}


def test_who_is_to_go_where_nobody_follows_is_called_back_or_joined() -> None:
    g = _over_yunnan()
    g.control |= {"siam": "japan", "shan-state": "united-kingdom"}
    put(g, "united-kingdom", "shan-state", "infantry", 6)
    put(g, "japan", "siam", "infantry", 2)
    put(g, "japan", "kwangsi", "fighter", 8)
    put(g, "japan", "kwangsi", "strategic-bomber", 2)
    g = engine_at(g, "japan", NONCOMBAT).state
    idle = [u for u in g.of("japan") if u.type in AIR]
    posts = Posts(g, "japan", {}, idle, {u.id: "siam" if u.type == "strategic-bomber" else "yunnan" for u in idle}, 100)
    before = posts.total()
    assert before > 30_000
    for plane in idle:
        posts.improve(plane, hope=False)
    assert before - posts.total() > 30_000, "called back, or joined by as many as hold it with them"
    assert posts.danger() < 20_000


def test_no_more_aircraft_count_on_a_deck_than_it_takes() -> None:
    """A carrier with room for one, and an army of China beside Anhwe: the others fly to Shanghai, nobody stays to be lost."""
    g = at_war()
    g.control |= {"anhwe": "japan", "kiangsu": "japan", "kiangsi": "japan"}
    put(g, "china", "hunan", "infantry", 14)
    put(g, "japan", "anhwe", "infantry")
    put(g, "japan", "kiangsu", "infantry", 9)
    put(g, "japan", "sz-20", "aircraft-carrier")
    put(g, "japan", "sz-20", "fighter")
    g.units[g.next_id - 1].aboard = g.next_id - 2
    put(g, "japan", "anhwe", "fighter", 3)
    put(g, "japan", "anhwe", "tactical-bomber", 3)
    g = _flown(g)
    assert sum(u.aboard is not None or u.at == "sz-20" for u in g.of("japan") if u.type in AIR) == 2
    assert not [u for u in g.at("anhwe") if u.type in AIR]
