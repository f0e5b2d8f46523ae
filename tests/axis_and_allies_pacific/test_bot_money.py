"""What Japan buys once its troops have no ships and its harbours are in danger."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.buying import _berths, _wishes
from pbem.games.axis_and_allies_pacific.bot.judgement import temper
from pbem.games.axis_and_allies_pacific.state import LAND, SEA, State
from tests.axis_and_allies_pacific.table import build, put
from tests.axis_and_allies_pacific.test_bot import at_war


def _watched() -> State:
    """A fleet of the United States lies off Japan; the mainland makes three units a turn."""
    g = at_war()
    g.round, g.cash["japan"] = 6, 60
    g.start.control = dict(g.control)
    for land, kind in (("japan", "major-ic"), ("kiangsu", "minor-ic"), ("korea", "minor-ic"), ("manchuria", "minor-ic")):
        build(g, land, kind)
    put(g, "japan", "japan", "infantry", 14)
    put(g, "united-states", "sz-16", "aircraft-carrier", 2)
    put(g, "united-states", "sz-16", "destroyer", 4)
    put(g, "united-states", "sz-16", "fighter", 4)
    return g


def test_no_troops_are_made_for_transports_that_are_far_away() -> None:
    g = at_war()
    put(g, "japan", "sz-44", "transport", 3)
    assert _berths(g, "japan") == 0
    put(g, "japan", "sz-19", "transport")
    assert _berths(g, "japan") == 2


def test_what_the_mainland_does_not_make_is_spent_on_aircraft_where_no_harbour_is_safe() -> None:
    for made, men in ((3, True), (9, False)):
        g = _watched()
        put(g, "japan", "kiangsu", "fighter", 12)
        g.purchased["japan"] = {"infantry": made}
        wishes = _wishes(g, "japan", temper(0, "japan", g.board))
        assert bool({*wishes} & {*LAND}) == men, wishes
        assert not {*wishes} & {*SEA}, wishes
